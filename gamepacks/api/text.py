"""Normalises typed text for comparison: for menus, and for ``parse_text`` and ``explain`` of packs."""

from __future__ import annotations

import functools
from unicodedata import combining, normalize


@functools.lru_cache(4096)
def folded(text: str) -> str:
    """The text in small letters, without accents, with single blanks: not everybody can type ``Pétra``."""
    plain = "".join(letter for letter in normalize("NFKD", text.lower()) if not combining(letter))
    return " ".join(plain.split())
