"""Card sets for tests: the fixture, and copies of it that are changed in one place."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from gamepacks.api.cards import CardFault, CardFileError, CardLibrary, LoadedCards
from gamepacks.olomoc.cards import SOURCE, OlomocCards

FIXTURE = Path(__file__).with_name("fixture.yaml")
Raw = dict[str, Any]
Change = Callable[[Raw], None]


class _Loader(yaml.SafeLoader):
    """Loader of YAML 1.2, in which ``on`` is a text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@cache
def _fixture() -> Raw:
    raw: Raw = yaml.load(FIXTURE.read_text(encoding="utf-8"), _Loader)
    return _with_booleans(raw)  # type: ignore[no-any-return]


def _with_booleans(value: Any) -> Any:
    """Raw data with the texts ``true`` and ``false`` as booleans."""
    if isinstance(value, dict):
        return {key: _with_booleans(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_booleans(part) for part in value]
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def snippet(text: str) -> Any:
    """A piece of card data, written as in a file."""
    return _with_booleans(yaml.load(text, _Loader))


def changed(*changes: Change) -> LoadedCards[OlomocCards]:
    """The fixture with changes. Raises CardFileError."""
    raw = deepcopy(_fixture())
    for change in changes:
        change(raw)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "changed.json"
        path.write_text(json.dumps(raw), encoding="utf-8")
        return SOURCE.read(path)


def faults(*changes: Change) -> list[CardFault]:
    """The faults of the changed fixture."""
    try:
        changed(*changes)
    except CardFileError as error:
        return list(error.faults)
    return []


def library(*changes: Change) -> CardLibrary[OlomocCards]:
    """The changed fixture as the only card set."""
    return CardLibrary([changed(*changes)])


def card(raw: Raw, table: str, name: str) -> Raw:
    """A card of raw data."""
    return next(entry for entry in raw[table] if entry["id"] == name)


def put(table: str, name: str, field: str, value: Any) -> Change:
    """Sets a field of a card; dots and numbers are a path to an inner field: ``capacities.0.cost``."""

    def change(raw: Raw) -> None:
        holder: Any = card(raw, table, name) if name else raw
        *way, last = field.split(".")
        for part in way:
            holder = holder[int(part)] if part.isdigit() else holder[part]
        if value is REMOVED:
            del holder[last]
        else:
            holder[int(last) if last.isdigit() else last] = value

    return change


def add_capacity(name: str, text: str, table: str = "profiles") -> Change:
    """Gives a card one more capacity, written as in a file."""

    def change(raw: Raw) -> None:
        card(raw, table, name).setdefault("capacities", []).append(snippet(text))

    return change


POINT = "{op: vp, player: owner, n: 1}"
"""An effect that is easy to count."""


def trigger(
    event: str, effects: str, who: str = "fx-petra", rest: str = "optional: false", name: str = "probe"
) -> Change:
    """Gives a profile a capacity that answers to an event."""
    return add_capacity(who, f"{{id: {name}, name: {name}, timing: permanent, on: {event}, {rest}, do: [{effects}]}}")


def active(effects: str, rest: str = "cost: {ap: 1}, freq: {n: 1, per: phase}", name: str = "deed") -> Change:
    """Gives Pétra a capacity that is used."""
    return add_capacity("fx-petra", f"{{id: {name}, name: {name}, timing: active, {rest}, do: [{effects}]}}")


def on_all(effects: str) -> str:
    """An effect that carries out others for ``each`` rouage on the board."""
    return f"{{op: each, of: {{side: player, not_self: false}}, as: each, do: [{effects}]}}"


REMOVED = object()
"""The value of ``put`` that removes a field."""
