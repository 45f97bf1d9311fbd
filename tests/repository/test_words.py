"""Replaced names are not used again: docs/style.md has the standard terms."""

from __future__ import annotations

import re

import pytest

from tests.repository.tree import text, tracked

REPLACED = {
    "Shelf": "match cache",
    "fold_in": "replay the log",
    "Aftermath": "commit hook",
    "happenings": "events",
    "Sitting": "terminal player",
    "whynot": "refusals",
    "objections": "refusals",
    "Thinker": "bot executor",
    "lookahead": "search",
    "supply_chance": "provide outcomes",
    "GOING_BACK": "undo",
    "set_own_url": "set_own_addresses",
    "strangers": "anonymous callers, or callers without a token",
    "leak_law": "noninterference",
    "take_turn": "acquire_write_lock",
}
"""Former names, with their standard terms."""
CODE = (".py", ".pyx", ".pxi", ".pxd", ".pyi", ".proto", ".js", ".toml")


@pytest.mark.parametrize("name", REPLACED)
def test_replaced_names_are_not_used(name: str) -> None:
    word = re.compile(rf"\b{name}\b")
    found = [file for file in tracked() if file.endswith(CODE) and word.search(text(file))]
    assert [file for file in found if not file.endswith("test_words.py")] == [], f"write {REPLACED[name]}"
