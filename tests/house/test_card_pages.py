"""The pages for owners of printed cards: their files and the entries of their tables pass the checker."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gamepacks.api.cardfiles import read_card_data
from gamepacks.api.cards import CardFileError, CardSource, LoadedCards, read_any
from gamepacks.omen.cards.files import OMEGA_SOURCE, TRAITS_SOURCE
from tests.house.tree import text

SOURCES: dict[str, CardSource[Any]] = {source.game_id: source for source in (OMEGA_SOURCE, TRAITS_SOURCE)}
PAGES = {"docs/omen-cards.md": ["omen", "omen-traits"]}
OMEN = "docs/omen-cards.md"
OMEN_LISTS = {"Reward": "rewards", "Feat": "feats", "Challenge": "challenges", "Whim": "whims", "Relic": "relics"}


def files(page: str) -> list[str]:
    """The card files of a page."""
    return re.findall(r"^```yaml\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)


def rows(page: str) -> list[tuple[str, str, str]]:
    """The rows of the page's table of texts: on which card, what it says, the data."""
    found = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `(\{.*\})` \|$", text(page), re.MULTILINE)
    return [(on, says, data) for on, says, data in found]


def read(content: str, tmp_path: Path) -> tuple[str, LoadedCards[Any]]:
    """Read a file as ``omnilude cards check`` does. Raises CardFileError."""
    path = tmp_path / "my-cards.yaml"
    path.write_text(content)
    return read_any(path, SOURCES)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_files_of_the_page_pass_the_checker(page: str, tmp_path: Path) -> None:
    assert [read(content, tmp_path)[0] for content in files(page)] == PAGES[page]


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_checker_would_find_a_fault_in_the_files_of_the_page(page: str, tmp_path: Path) -> None:
    for content in files(page):
        with pytest.raises(CardFileError):
            read(content.replace("title: ", "titel: ", 1), tmp_path)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_page_is_linked(page: str) -> None:
    name = page.removeprefix("docs/")
    assert f"]({page})" in text("README.md")
    assert f"]({name})" in text("docs/write-a-pack.md")


def omen_card(on: str, ability: Any) -> tuple[str, dict[str, Any]]:
    """A card with this ability, and in which list it stands."""
    card: dict[str, Any] = {"id": "it", "name": "It", "abilities": (ability,)}
    if on in OMEN_LISTS:
        if on == "Whim":
            card["hold_points"] = 0
        if on == "Reward":
            card["copies"] = 2
        return OMEN_LISTS[on], card
    numbers = {"cost": 0 if on == "Hero" else 2, "offering": 1, "strength": 1}
    return "units", card | numbers | {"type": on.lower()}


@pytest.mark.parametrize(("on", "says", "data"), rows(OMEN), ids=lambda part: part[:40])
def test_each_text_of_omen_becomes_the_data_beside_it(on: str, says: str, data: str, tmp_path: Path) -> None:
    path = tmp_path / "ability.yaml"
    path.write_text(data)
    section, card = omen_card(on, read_card_data(path).values)
    base = read_card_data(_written(files(OMEN)[0], tmp_path))
    base.values[section] = (*base.values.get(section, ()), card)
    OMEGA_SOURCE.check(base, path)


def test_the_table_of_omen_is_read() -> None:
    assert len(rows(OMEN)) > 30


def _written(content: str, tmp_path: Path) -> Path:
    path = tmp_path / "base.yaml"
    path.write_text(content)
    return path
