"""Helpers for text: to compare what people type (menus, ``parse_text``, ``explain``), and to count things."""

from __future__ import annotations

import functools
from unicodedata import combining, normalize


@functools.lru_cache(4096)
def folded(text: str) -> str:
    """The text in small letters, without accents, with single blanks: not everybody can type ``Pétra``."""
    plain = "".join(letter for letter in normalize("NFKD", text.lower()) if not combining(letter))
    return " ".join(plain.split())


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 coin``, ``3 coins``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
