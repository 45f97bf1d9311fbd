"""Card sets of the worked examples: the placeholders of section 12.2 of RULES.md, and fillers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from gamepacks.api import CardLibrary, CardSource
from gamepacks.api.cardfiles import CardData
from gamepacks.api.cards import LoadedCards
from gamepacks.omen.cards.files import OMEGA_SOURCE, TRAITS_SOURCE, OmegaFile, TraitsFile
from tests.support.card_files import card_data

RULES = Path(__file__).parents[2] / "gamepacks" / "omen" / "RULES.md"
SECTIONS = {
    "omega": ("units", "rewards", "feats", "challenges", "whims", "relics"),
    "traits": ("units", "kraters"),
}
GAMES = {"omega": "omen", "traits": "omen-traits"}
SOURCES: dict[str, CardSource[Any]] = {
    "omega": CardSource("omen", OmegaFile),
    "traits": CardSource("omen-traits", TraitsFile),
}


@cache
def _blocks(kind: str) -> tuple[Any, ...]:
    text = RULES.read_text(encoding="utf-8")
    return tuple(yaml.safe_load(block) for block in re.findall(rf"```yaml {kind}\n(.*?)```", text, re.DOTALL))


@cache
def placeholders() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Records by edition, section and id."""
    cards: Mapping[str, Mapping[str, Mapping[str, Any]]] = _blocks("placeholders")[0]
    return cards


@cache
def scenarios() -> Mapping[str, Mapping[str, Any]]:
    """The worked examples of sections 12.3 and 12.4, by id."""
    return {example["id"]: example for block in _blocks("scenario") for example in block}


@cache
def house_records(edition: str) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Records of the house sets by section and id; among the Units the placeholders too."""
    source = OMEGA_SOURCE if edition == "omega" else TRAITS_SOURCE
    records: dict[str, dict[str, Any]] = {"units": dict(placeholders()[edition]["units"])}
    for path in source.own_files:
        data = card_data(path)
        for section in SECTIONS[edition]:
            records.setdefault(section, {}).update({record["id"]: record for record in data[section]})
    return records


def filler(number: int, edition: str) -> dict[str, Any]:
    """A plain Unit: ``z01`` and so on."""
    record = {"id": f"z{number:02}", "name": f"Filler {number}", "cost": 9, "offering": 0, "strength": 1}
    return {**record, "type": "soldier"} if edition == "omega" else record


def card_set(
    edition: str,
    units: Iterable[str],
    copies: Mapping[str, int] | None = None,
    extra: Mapping[str, list[dict[str, Any]]] | None = None,
    setup: Mapping[str, int] | None = None,
    name: str = "fixture",
    records: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
) -> dict[str, Any]:
    """A set of placeholder cards: the named Units (``z..`` are fillers) and all other kinds.

    ``copies`` says how often cards are there (0: not at all); ``extra`` holds further records by section; ``records``
    are other cards than the placeholders.
    """
    records = records or placeholders()[edition]
    copies = copies or {}
    data: dict[str, Any] = {
        "schema": 1,
        "id": name,
        "game": GAMES[edition],
        "title": "Placeholders",
        "status": "fixture",
    }
    data["setup"] = dict(setup or ({} if edition == "omega" else {"prizes_per_city": 3}))
    for section in SECTIONS[edition]:
        data[section] = []
        for card, record in records[section].items():
            if section == "units" and card not in units:
                continue
            count = copies.get(card, record.get("copies", 1))
            if count:
                data[section].append({"id": card, "name": card, **record, "copies": count})
        data[section] += list((extra or {}).get(section, ()))
    data["units"] += [filler(int(card[1:]), edition) for card in dict.fromkeys(units) if re.fullmatch(r"z\d\d", card)]
    return data


def load(data: Mapping[str, Any]) -> LoadedCards[Any]:
    """Check a set of plain values. Raises CardFileError."""
    edition = "omega" if data["game"] == "omen" else "traits"
    plain = CardData(file="fixture.json", values=_tuples(json.loads(json.dumps(data))), node=None)
    return SOURCES[edition].check(plain, Path("fixture.json"))


def library(*sets: Mapping[str, Any]) -> CardLibrary[Any]:
    """A library of sets of plain values."""
    return CardLibrary(map(load, sets))


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(part) for key, part in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
