"""Checks of texts that other people read in lists, logs and terminals: player names, reasons, labels.

One rule holds for requests, play streams and imported replays: printable Unicode characters in one line, and not only
blanks. So no text can move a cursor, set a window's title, forge a line or reverse its neighbours.
"""

from __future__ import annotations

from unicodedata import category

RULE = "must be one line of printable characters, not only blanks"

_BLANK_SYMBOLS = "\u115f\u1160\u2800\u3164\uffa0"
"""Fillers and the blank Braille pattern: letters and symbols by category that show nothing."""


def is_readable(text: str) -> bool:
    """Whether a text is one line in which something can be seen. The empty text is not.

    Control and format characters are refused with all that str.isprintable() refuses, bidirectional overrides, line and
    paragraph separators and every blank but the plain one included.
    """
    return text.isprintable() and any(category(letter)[0] in "LNPS" and letter not in _BLANK_SYMBOLS for letter in text)


def text_fault(text: str, at_most: int, *, at_least: int = 0) -> str:
    """Returns what is wrong with a text of ``at_least`` (0: optional) to ``at_most`` characters; empty if nothing
    is."""
    if not at_least <= len(text) <= at_most:
        return (
            f"must have {at_least} to {at_most} characters" if at_least else f"must have at most {at_most} characters"
        )
    return "" if (not text and not at_least) or is_readable(text) else RULE


def name_fault(name: str, at_most: int) -> str:
    """Returns what is wrong with a player's name; empty if nothing is."""
    if name != name.strip():
        return "must not begin or end with a blank"
    return text_fault(name, at_most, at_least=1)
