"""Checks of strings that other people see in lists, logs and terminals: player names, reasons, labels.

One rule applies to requests, play streams and imported replays: one line of printable Unicode characters, not only
blanks. So no string can move a cursor, set a window's title, forge a line or reverse its neighbours.
"""

from __future__ import annotations

from unicodedata import category

RULE = "must be one line of printable characters, not only blanks"

_BLANK_SYMBOLS = "\u115f\u1160\u2800\u3164\uffa0"
"""Fillers and the blank Braille pattern, which are letters and symbols by category but invisible."""


def is_readable(text: str) -> bool:
    """Returns whether a string is one line with at least one visible character. The empty string is not.

    Control and format characters are refused, as by str.isprintable(): this includes bidirectional overrides, line and
    paragraph separators, and every blank but the plain one.
    """
    return text.isprintable() and any(category(letter)[0] in "LNPS" and letter not in _BLANK_SYMBOLS for letter in text)


def text_fault(text: str, at_most: int, *, at_least: int = 0) -> str:
    """Returns the fault of a string that must have ``at_least`` (0: it may be empty) to ``at_most`` characters; empty
    if there is none."""
    if not at_least <= len(text) <= at_most:
        return (
            f"must have {at_least} to {at_most} characters" if at_least else f"must have at most {at_most} characters"
        )
    return "" if (not text and not at_least) or is_readable(text) else RULE


def name_fault(name: str, at_most: int) -> str:
    """Returns the fault of a player's name; empty if there is none."""
    if name != name.strip():
        return "must not begin or end with a blank"
    return text_fault(name, at_most, at_least=1)
