"""Messages for faults of card files: in plain words, with a suggestion of what was probably meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from gamepacks.api import CardFile, CardFileError, CardModel, CardSource
from gamepacks.olomoc.cards import SOURCE as OLOMOC
from gamepacks.omega.cards import SOURCE as OMEGA
from gamepacks.omen.cards.files import OMEGA_SOURCE, TRAITS_SOURCE

SOURCES: list[CardSource[Any]] = [OLOMOC, OMEGA, OMEGA_SOURCE, TRAITS_SOURCE]


class Draw(CardModel):
    op: Literal["draw"]
    n: int = Field(1, ge=1, le=5)
    lucky: bool = False


class Pay(CardModel):
    op: Literal["pay"]
    weight: float = 1.0


class Compare(CardModel):
    lt: int | None = None
    gt: int | None = None


class Card(CardModel):
    id: str = Field(max_length=8)
    on: Literal["enter", "leave"] = "enter"
    sort: tuple[Literal["soldier", "beast"], ...] | Annotated[int, Field(ge=0)] = ()
    code: Annotated[str, Field(pattern="^[ab]+$", json_schema_extra={"patternErrorMessage": "letters a or b"})] = "a"
    plain: Annotated[str, Field(pattern="^[ab]+$")] = "a"
    cost: Compare | None = None
    do: tuple[Annotated[Draw | Pay, Field(discriminator="op")], ...] = ()


class Cards(CardFile):
    game: Literal["tiny"]
    cards: tuple[Card, ...]


HEAD = "{schema: 1, id: mine, game: tiny, title: T, status: fixture, cards: [{id: it, CARD}]}"


def faults(card: str, tmp_path: Path, name: str = "mine.yaml") -> list[tuple[str, str]]:
    """Field and message of each fault of the card."""
    path = tmp_path / name
    path.write_text(HEAD.replace("CARD", card))
    with pytest.raises(CardFileError) as error:
        CardSource("tiny", Cards).read(path)
    return [(fault.field, fault.message) for fault in error.value.faults]


@pytest.mark.parametrize(
    ("card", "field", "message"),
    [
        ("do: {op: draw}", "do", "must be a list"),
        ("do: [draw]", "do[0]", "must be a mapping with op"),
        ("do: [{op: drw}]", "do[0]", "there is no such op; did you mean draw?"),
        ("do: [{op: xxxxx}]", "do[0]", "there is no such op; there are: draw, pay"),
        ("do: [{n: 2}]", "do[0]", "the field op is missing"),
        ("do: [{op: draw, luck: true}]", "do[0].luck", "there is no such field; did you mean lucky?"),
        ("do: [{op: pay, x: 1}]", "do[0].x", "there is no such field; there are: weight"),
        ("do: [{op: draw, n: 9}]", "do[0].n", "must be at most 5"),
        ("do: [{op: draw, n: 0}]", "do[0].n", "must be at least 1"),
        ("do: [{op: draw, n: two}]", "do[0].n", "must be a whole number"),
        ("do: [{op: draw, lucky: yes}]", "do[0].lucky", "must be true or false"),
        ("do: [{op: pay, weight: much}]", "do[0].weight", "must be a number"),
        ("cost: 2", "cost", "must be a mapping with lt, gt"),
        ("on: entr", "on", "no such word; did you mean enter?"),
        ("on: 3", "on", "must be one of enter, leave"),
        ("sort: [Soldier]", "sort[0]", "no such word; did you mean soldier?"),
        ("sort: soldier", "sort", "must be a list, or: must be a whole number"),
        ("code: abc", "code", "letters a or b"),
        ("plain: abc", "plain", "it does not have the required form"),
        ("plain: 3", "plain", "must be a text"),
    ],
)
def test_fault_is_described(card: str, field: str, message: str, tmp_path: Path) -> None:
    assert faults(card, tmp_path) == [(field, message)]


def test_short_forms_are_named_beside_the_mapping(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    whole = OLOMOC.own.pick("house-1").data.model_dump(by_alias=True, mode="json", exclude_defaults=True)
    whole |= {"schema": 1}
    whole["profiles"][0]["capacities"][0]["do"][0]["n"] = "many"
    path.write_text(json.dumps(whole))
    with pytest.raises(CardFileError) as error:
        OLOMOC.read(path)
    assert [fault.message[:60] for fault in error.value.faults if fault.field.endswith(".n")] == [
        "must be a whole number, successes, face or a mapping with const, succ"[:60]
    ]


@pytest.mark.parametrize(("key", "written", "field"), [("on", "true", "true"), ("on", '"True"', "True")])
def test_a_key_that_yaml_1_1_turned_into_a_truth_value_gets_a_hint(
    key: str, written: str, field: str, tmp_path: Path
) -> None:
    [(place, message)] = faults(f"{written}: enter", tmp_path)
    assert place == field
    assert message == (
        f'there is no such field: a tool for YAML 1.1 turned {key} into {field}; write "{key}" in quotes'
    )


def test_n_that_yaml_1_1_turned_into_false_gets_a_hint(tmp_path: Path) -> None:
    [(place, message)] = faults("do: [{op: draw, false: 2}]", tmp_path)
    assert place == "do[0].false" and "turned n into false" in message


def test_truth_value_as_a_key_is_an_unknown_field(tmp_path: Path) -> None:
    [(_, message)] = faults("cost: {true: 2}", tmp_path)
    assert message == "there is no such field; there are: lt, gt"


def patterns(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within one that holds a pattern."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from patterns(part)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.game_id)
def test_every_pattern_of_a_pack_is_described(source: CardSource[Any]) -> None:
    found = list(patterns(source.schema()))
    assert found
    assert [schema["pattern"] for schema in found if not schema.get("patternErrorMessage")] == []


TERMS = ("Input", "instance of", "discriminator", "tuple", "valid ", "^[", "permitted", "Field required", "class ")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.game_id)
def test_no_message_mentions_python_or_regular_expressions(source: CardSource[Any], tmp_path: Path) -> None:
    # Each value of the pack's own set in turn is replaced by one that cannot stand there.
    path = tmp_path / "bent.json"
    whole = json.loads(json.dumps(source.own.pick(source.own.ids[0]).data.model_dump(by_alias=True, mode="json")))
    messages = set()
    places = list(values(whole))
    for holder, key in places[:: len(places) // 12]:
        kept = holder[key]
        for wrong in ("No Such Thing!", -7777, {"nothing": 1}, True):
            holder[key] = wrong
            path.write_text(json.dumps(whole))
            try:
                source.read(path)
            except CardFileError as error:
                messages |= {fault.message for fault in error.faults}
        holder[key] = kept
    assert len(messages) > 5
    assert [message for message in messages if any(term in message for term in TERMS)] == []


def values(frame_value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every nested value, as its container and its key."""
    pairs = (
        frame_value.items()
        if isinstance(frame_value, dict)
        else enumerate(frame_value)
        if isinstance(frame_value, list)
        else ()
    )
    for key, value in pairs:
        yield frame_value, key
        yield from values(value)
