"""The pages for owners of printed cards: their files and the entries of their tables pass the checker."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamepacks.api import Budget, CardGame, RandomBot, Rng, self_play
from gamepacks.api.cardfiles import read_card_data
from gamepacks.api.cards import CardFileError, CardSource, LoadedCards, read_any
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.cards import SOURCE as OLOMOC_SOURCE
from gamepacks.omega import Omega
from gamepacks.omega.cards import SOURCE as OMEGA_RITUAL_SOURCE
from gamepacks.omen.cards.files import OMEGA_SOURCE, TRAITS_SOURCE
from tests.repository.tree import text

SOURCES: dict[str, CardSource[Any]] = {
    source.game_id: source for source in (OMEGA_SOURCE, TRAITS_SOURCE, OMEGA_RITUAL_SOURCE, OLOMOC_SOURCE)
}
OMEN, OMEGA, OLOMOC = "docs/omen-cards.md", "docs/omega-cards.md", "docs/olomoc-cards.md"
PAGES = {OMEN: ["omen", "omen-traits"], OMEGA: ["omega"], OLOMOC: ["olomoc"]}
OMEN_LISTS = {"Reward": "rewards", "Feat": "feats", "Challenge": "challenges", "Whim": "whims", "Relic": "relics"}


def files(page: str) -> list[str]:
    """Returns the card files of a page."""
    return re.findall(r"^```yaml\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)


def rows(page: str) -> list[tuple[str, str, str]]:
    """Returns the rows of the page's table of texts: the card, its text, the data."""
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


@pytest.mark.parametrize(
    ("page", "game", "options"), [(OMEGA, Omega, {}), (OLOMOC, Olomoc, {"bloc": "placed"})], ids=["omega", "olomoc"]
)
def test_a_whole_file_can_be_played_with(
    page: str, game: type[CardGame[Any, Any]], options: dict[str, Any], tmp_path: Path
) -> None:
    game_id, loaded = read(files(page)[0], tmp_path)
    chosen = game.messages.options(card_set="my-cards", **options)
    table = game.configure(2, chosen, library=SOURCES[game_id].own.with_set(loaded))
    assert len(self_play(table, [(RandomBot(), Budget())] * 2, Rng(1)).end.returns()) == 2


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_page_is_linked(page: str) -> None:
    name = page.removeprefix("docs/")
    assert f"]({page})" in text("README.md")
    assert f"]({name})" in text("docs/write-a-pack.md")


def omen_card(on: str, ability: Any) -> tuple[str, dict[str, Any]]:
    """Returns the list of a card set to which a card with this ability belongs, and the card."""
    card: dict[str, Any] = {"id": "it", "name": "It", "abilities": (ability,)}
    if on in OMEN_LISTS:
        if on == "Whim":
            card["hold_points"] = 0
        if on == "Reward":
            card["copies"] = 2
        return OMEN_LISTS[on], card
    numbers = {"cost": 0 if on == "Hero" else 2, "offering": 1, "strength": 1}
    return "units", card | numbers | {"type": on.lower()}


def put_omen(values: dict[str, Any], on: str, data: dict[str, Any]) -> None:
    """Put a card with this ability into a set."""
    section, card = omen_card(on, data)
    values[section] = (*values.get(section, ()), card)


def put_omega(values: dict[str, Any], on: str, data: dict[str, Any]) -> None:
    """Give an Egregor this power, or a token these points."""
    if on == "Egregor":
        values["egregors"][41]["powers"] = (data,)
    else:
        values["arcana"][0]["points"] = data


def put_olomoc(values: dict[str, Any], on: str, data: dict[str, Any]) -> None:
    """Give a card this capacity, or this effect."""
    if on in ("Rouage", "Gear"):
        card = values["profiles" if on == "Rouage" else "gear"][0]
        card["capacities"] = (data | {"id": "it", "name": "It"},)
    else:
        values["ministries" if on == "Ministry" else "artefacts"][1]["do"] = (data,)


ROWS = [
    (page, put, *row)
    for page, put in ((OMEN, put_omen), (OMEGA, put_omega), (OLOMOC, put_olomoc))
    for row in rows(page)
]


@pytest.mark.parametrize(("page", "put", "on", "says", "data"), ROWS, ids=[f"{row[0]}:{row[3][:40]}" for row in ROWS])
def test_each_text_becomes_the_data_beside_it(
    page: str, put: Callable[[dict[str, Any], str, dict[str, Any]], None], on: str, says: str, data: str, tmp_path: Path
) -> None:
    entry = read_card_data(_written(data, tmp_path)).values
    base = read_card_data(_written(files(page)[0], tmp_path))
    put(base.values, on, entry)
    SOURCES[PAGES[page][0]].check(base, tmp_path)


@pytest.mark.parametrize(("page", "least"), [(OMEN, 35), (OMEGA, 15), (OLOMOC, 12)])
def test_no_row_of_a_table_is_overlooked(page: str, least: int) -> None:
    lines = [line for line in text(page).splitlines() if line.endswith("}` |")]
    assert len(rows(page)) == len(lines) >= least


def _written(content: str, tmp_path: Path) -> Path:
    path = tmp_path / "base.yaml"
    path.write_text(content)
    return path
