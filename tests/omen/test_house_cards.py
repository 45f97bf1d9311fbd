"""Every card of the house sets works as its text says: a small example for each, in files beside this module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.omen import sets
from tests.omen.scenario import play

EXAMPLES: dict[str, dict[str, Any]] = {
    edition: yaml.safe_load(Path(__file__).with_name(f"house_{edition}.yaml").read_text(encoding="utf-8"))
    for edition in ("omega", "traits")
}


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(
    ("edition", "name"), [(edition, name) for edition, examples in EXAMPLES.items() for name in examples]
)
def test_example_of_a_card_plays_as_expected(edition: str, name: str, single: bool) -> None:
    play({**EXAMPLES[edition][name], "edition": edition}, single=single, house=True)


@pytest.mark.parametrize("edition", ["omega", "traits"])
def test_every_card_with_abilities_has_an_example(edition: str) -> None:
    placeholders = sets.placeholders()[edition]["units"]
    named = {name.split(" ")[0] for name in EXAMPLES[edition]}
    for cards in sets.house_records(edition).values():
        for name, record in cards.items():
            if name not in placeholders and record.get("abilities"):
                assert name in named, f"{name} has no example"
