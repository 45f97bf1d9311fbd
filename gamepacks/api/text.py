"""Text helpers: normalisation of typed text (menus, ``parse_text``, ``explain``), and numbers with nouns."""

from __future__ import annotations

import functools
from unicodedata import combining, normalize


@functools.lru_cache(4096)
def folded(text: str) -> str:
    """Returns the text in lower case, without accents, with single blanks: not everybody can type ``Pétra``."""
    plain = "".join(letter for letter in normalize("NFKD", text.lower()) if not combining(letter))
    return " ".join(plain.split())


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun: ``1 coin``, ``3 coins``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
