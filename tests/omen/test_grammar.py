"""The grammar: each key of card files is described, compiled, and read by the engine.

The source of each key's reader is searched for the number that the key
becomes, so a key without a reader cannot be added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import gamepacks.omen
from gamepacks.api.cards import CardModel
from gamepacks.omen.cards import language, queries
from gamepacks.omen.cards.files import OMEGA_SOURCE
from gamepacks.omen.cards.grammar import (
    ABILITY_KEYS,
    ATTRIBUTES,
    EVENT_KEYS,
    EVENTS,
    GROUPS,
    HOOKS,
    OPERATIONS,
    SELECTOR_KEYS,
    SELECTORS,
    Key,
    Operand,
)  # fmt: skip
from tests.omen.test_loader import ability, card, faults, house
from tools import omen_docs

CONSTANTS = {"id": "IDS", "not_self": "SELF", "n": "N"}
"""Keys of selectors whose number in the program has another name."""
ENGINE = Path(gamepacks.omen.__file__).with_name("engine")
WIDTHS = {Operand.PAY: 2, Operand.OVER: 2}
"""Operands of several numbers; all others are one."""


@cache
def source(reader: str) -> str:
    """The source of a function of the engine."""
    texts = [path.read_text(encoding="utf-8") for path in ENGINE.glob("*.pxi")]
    pattern = re.compile(
        rf"^cdef [^\n]*\b{reader}\((?:[^\n]*:|\n(?:    [^\n]*\n)*?\)[^\n]*:)\n.*?(?=^cdef |\Z)", re.M | re.S
    )
    found = [match[0] for text in texts for match in pattern.finditer(text)]
    assert len(found) == 1, f"{reader}: {len(found)} functions have this name"
    return found[0]


def names(model: type[CardModel]) -> set[str]:
    """The keys of a model as card files write them."""
    return {info.alias or name for name, info in model.model_fields.items()}


def op_of(model: Any) -> str:
    """The operation of a model."""
    return str(get_args(model.model_fields["op"].annotation)[0])


def operation_keys() -> Iterator[tuple[str, str, Key]]:
    """All keys of all operations."""
    for op, operation in OPERATIONS.items():
        for name, key in operation.keys.items():
            yield op, name, key


# -- the table and the models ------------------------------------------------------------------------------------------


def test_models_accept_exactly_the_keys_of_the_table() -> None:
    assert names(language.Ability) == {"hook", *ABILITY_KEYS}
    assert names(queries.Selector) == set(SELECTOR_KEYS)
    assert names(queries.EventFilter) == set(EVENT_KEYS)
    assert {op_of(model) for model in language.EFFECTS} == set(OPERATIONS)
    for model in language.EFFECTS:
        assert names(model) == {"op", *OPERATIONS[op_of(model)].keys}, op_of(model)
    assert set(HOOKS) == set(get_args(queries.HookName))
    assert sorted(op for group in GROUPS.values() for op in group) == sorted(OPERATIONS)
    for hook in HOOKS.values():
        assert set(hook.needs) <= set(hook.keys) <= set(ABILITY_KEYS)


def test_every_key_of_an_ability_selector_and_filter_is_read_somewhere() -> None:
    assert {name for hook in HOOKS.values() for name in hook.keys} == set(ABILITY_KEYS)
    assert {name for _, keys in SELECTORS.values() for name in keys} == set(SELECTOR_KEYS)
    assert {name for _, keys in EVENTS.values() for name in keys} == set(EVENT_KEYS)


def test_schema_describes_each_key() -> None:
    text = json.dumps(OMEGA_SOURCE.schema())
    meanings = [key.meaning for _, _, key in operation_keys()]
    for meaning in (*meanings, *SELECTOR_KEYS.values(), *EVENT_KEYS.values(), *ABILITY_KEYS.values()):
        assert json.dumps(meaning) in text


def test_the_tables_of_the_rules_are_made_from_the_table_of_keys() -> None:
    text = omen_docs.RULES.read_text(encoding="utf-8")
    assert omen_docs.rendered(text) == text, "run make docs"


# -- the table and the interpreter -------------------------------------------------------------------------------------


@pytest.mark.rule("V-11")
@pytest.mark.parametrize("hook", HOOKS)
def test_keys_of_abilities_have_readers(hook: str) -> None:
    for name, key in HOOKS[hook].keys.items():
        if name == "label":
            continue  # For people; checks of files hold the two labels of a Spirit.
        attribute = ATTRIBUTES.get(name, name)
        assert re.search(rf"\bability(\[\w+\])?\.{attribute}\b", source(key.reader)), f"{hook}: {name}, {key.reader}"


@pytest.mark.rule("V-11")
@pytest.mark.parametrize("use", SELECTORS)
def test_keys_of_selectors_have_readers(use: str) -> None:
    for name, key in SELECTORS[use][1].items():
        constant = CONSTANTS.get(name, name.upper())
        text = source(key.reader)
        if key.reader == "bind_cards":
            # The operation that picks sets the slot.
            text = source("run_picking") + source("run_modifier")
        assert re.search(rf"\bS_({constant}{'|COUNT' if name == 'n' else ''})\b", text), f"{use}: {name}, {key.reader}"


@pytest.mark.rule("V-11")
@pytest.mark.parametrize("use", EVENTS)
def test_keys_of_event_filters_have_readers(use: str) -> None:
    for name, key in EVENTS[use][1].items():
        assert re.search(rf"\bF_{name.upper()}\b", source(key.reader)), f"{use}: {name}, {key.reader}"


@pytest.mark.rule("V-11")
@pytest.mark.parametrize(
    ("op", "name", "key"), list(operation_keys()), ids=lambda value: value if type(value) is str else ""
)
def test_keys_of_operations_have_readers(op: str, name: str, key: Key) -> None:
    # The second number of what is gone through is the selector.
    at = key.at + 1 if key.operand is Operand.OVER else key.at
    read = rf"\be\[{at}\]|\bcode\[(effect|frame\.node) \+ {at}\]"
    text = source(key.reader)
    if key.reader == "selector_of" and op not in ("swap", "reveal", "relic"):
        assert key.at == 1, "what falls through to the last line"
    assert re.search(read, text), f"{op}: {name} is not read by {key.reader} at {at}"


@pytest.mark.parametrize("op", OPERATIONS)
def test_operands_stand_in_order(op: str) -> None:
    keys = [key for key in OPERATIONS[op].keys.values() if key.operand is not Operand.OWN]
    places = [key.at for key in keys]
    if len(keys) == len(OPERATIONS[op].keys):
        expected = 1
        for key in keys:
            assert key.at == expected
            expected += WIDTHS.get(key.operand, 1)
    assert places == sorted(places)


# -- unread keys -------------------------------------------------------------------------------------------------------

HAND = {"zone": "hand"}
CITY = {"zone": "city"}
COINS = {"op": "coins"}
UNREAD: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("bronze_hoplite", {"hook": "enter", "step": ["war"], "do": [COINS]}, "step"),
    ("cave_bear", {"hook": "hand_use", "may": True, "do": [COINS]}, "may"),
    ("tide_reader", {"hook": "portent", "turn": "own", "do": [COINS]}, "turn"),
    ("tide_reader", {"hook": "portent", "label": "a", "do": [COINS]}, "label"),
    ("the_just", {"hook": "use", "in": "city", "do": [COINS]}, "in"),
    ("wide_gates", {"hook": "auto", "event": {"type": "draw"}, "timing": "after", "do": [COINS]}, "timing"),
    ("wide_gates", {"hook": "auto", "event": {"type": "draw", "since": "step"}, "do": [COINS]}, "event.since"),
    ("wide_gates", {"hook": "auto", "event": {"type": "pay", "sum": True}, "do": [COINS]}, "event.sum"),
    (
        "wide_gates",
        {"hook": "auto", "event": {"type": "play", "card": {"side": "opp"}}, "do": [COINS]},
        "event.card.side",
    ),
    (
        "wide_gates",
        {"hook": "static", "in": "used", "do": [{"op": "mod", "what": "hand_limit", "who": "you", "by": 1}]},
        "in",
    ),
    ("wide_gates", {"hook": "static", "do": [{"op": "grant", "what": "play_in", "step": ["war"]}]}, "do[0].what"),
    (
        "wide_gates",
        {"hook": "static", "do": [{"op": "mod", "what": "strength", "sel": {**CITY, "n": 2}, "by": 1}]},
        "do[0].sel.n",
    ),
)  # fmt: skip
EFFECTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"op": "for_each", "over": {**CITY, "n": 2}, "as": "u", "do": [COINS]}, "over.n"),
    ({"op": "for_each", "over": {**CITY, "pick": "opp"}, "as": "u", "do": [COINS]}, "over.pick"),
    ({"op": "coins", "n": {"count": {**CITY, "as": "u"}}}, "n.count.as"),
    ({"op": "coins", "n": {"count": {**CITY, "weigh": True}}}, "n.count.weigh"),
    ({"op": "if", "cond": {"exists": {**CITY, "n": "all"}}, "then": [COINS]}, "cond.exists.n"),
    ({"op": "destroy", "sel": {**CITY, "weigh": True}}, "sel.weigh"),
    ({"op": "destroy", "sel": {"zone": "hand"}}, "sel.zone"),
    ({"op": "deploy", "sel": CITY}, "sel.zone"),
    ({"op": "discard", "sel": {**HAND, "city": "other"}}, "sel.city"),
    ({"op": "put", "sel": {"zone": "discard"}, "to": "deck_top", "who": "opp"}, "who"),
    ({"op": "return", "sel": CITY, "to": "deck_top", "who": "opp"}, "who"),
    ({"op": "look", "zone": "prize", "side": "opp"}, "side"),
    ({"op": "look", "zone": "hand", "city": "any"}, "city"),
    ({"op": "reveal", "zone": "hand", "n": 1, "sel": HAND}, "n"),
    ({"op": "reveal", "zone": "deck_top", "sel": HAND}, "sel"),
    ({"op": "swap", "a": {**CITY, "n": 2}, "b": CITY}, "a.n"),
    ({"op": "mod", "what": "keep_weight", "sel": CITY, "set": 0}, "set"),
    ({"op": "mod", "what": "strength", "sel": CITY, "city": "any", "by": 1}, "city"),
    ({"op": "grant", "what": "portent_use", "sel": CITY, "for": "step"}, "for"),
    ({"op": "grant", "what": "wealth_action", "step": ["war"]}, "step"),
    ({"op": "forbid", "what": "move", "who": "opp"}, "who"),
    ({"op": "forbid", "what": "draw", "sel": {**HAND, "n": "all"}}, "sel"),
    ({"op": "name", "what": "type", "as": "t", "max": 3}, "max"),
    ({"op": "pay", "cost": {"discard": {**HAND, "n": {"up_to": 2}}}, "then": [COINS]}, "cost.discard.n"),
    ({"op": "pay", "cost": {"discard": {**HAND, "as": "x"}}, "then": [COINS]}, "cost.discard.as"),
)


@pytest.mark.rule("V-11")
@pytest.mark.parametrize(("name", "fields", "place"), UNREAD, ids=lambda value: value if type(value) is str else "")
def test_an_unread_key_of_an_ability_is_a_fault(name: str, fields: dict[str, Any], place: str) -> None:
    data = house()
    ability(**fields)(card(data, name))
    assert (name, f"abilities[0].{place}") in [fault[:2] for fault in faults(data)]


@pytest.mark.rule("V-11")
@pytest.mark.parametrize(("effect", "place"), EFFECTS, ids=lambda value: value if type(value) is str else "")
def test_an_unread_key_of_an_effect_is_a_fault(effect: dict[str, Any], place: str) -> None:
    data = house()
    ability(hook="enter", do=[effect])(card(data, "bronze_hoplite"))
    found = faults(data)
    assert [fault[:2] for fault in found] == [("bronze_hoplite", f"abilities[0].do[0].{place}")], found


@pytest.mark.rule("V-08", "OMEN-BEAST-01", "OMEN-HERO-07")
@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("cave_bear", {"hook": "static", "do": [{"op": "mod", "what": "hand_limit", "who": "you", "by": 1}]}),
        ("cave_bear", {"hook": "destroyed", "do": [COINS]}),
        ("the_just", {"hook": "auto", "event": {"type": "draw"}, "do": [COINS]}),
        ("the_just", {"hook": "end_game", "in": "city", "do": [{"op": "score"}]}),
        ("tide_reader", {"hook": "enter", "do": [COINS]}),
        ("laurel", {"hook": "offered", "do": [COINS]}),
        ("fair_wind", {"hook": "claim", "cond": {"first_turn": True}}),
        ("three_lairs", {"hook": "end_game", "do": [{"op": "score"}]}),
    ],
)
def test_a_hook_that_never_happens_on_a_card_is_a_fault(name: str, extra: dict[str, Any]) -> None:
    data = house()
    card(data, name)["abilities"].append(extra)
    found = faults(data)
    assert {fault[0] for fault in found} == {name}
    assert any(fault[1].startswith("abilities[1]") for fault in found)


@pytest.mark.rule("V-11", "OMENT-TRIUMPH-01")
@pytest.mark.parametrize("step", ["feat", "challenge", "close"])
def test_triumph_names_a_step_that_there_is(step: str) -> None:
    data = house(1)
    card(data, "gate_crashers")["abilities"][0]["step"] = [step]
    assert [fault[:2] for fault in faults(data)] == [("gate_crashers", "abilities[0].step")]


# -- texts that would reveal hidden cards ------------------------------------------------------------------------------

THEIRS = {"zone": "hand", "side": "opp"}
SECRETS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"op": "for_each", "over": THEIRS, "as": "c", "do": [COINS]}, "over"),
    ({"op": "coins", "n": {"count": {**THEIRS, "type": ["beast"]}}}, "n.count"),
    ({"op": "coins", "n": {"total": "cost", "of": THEIRS}}, "n.of"),
    (
        {"op": "if", "cond": {"exists": {"zone": "hand", "side": "any", "cost": {"ge": 2}}}, "then": [COINS]},
        "cond.exists",
    ),
    ({"op": "discard", "sel": {**THEIRS, "type": ["beast"]}}, "sel"),
    ({"op": "discard", "sel": {**THEIRS, "pick": "highest:cost"}}, "sel"),
    ({"op": "run", "sel": THEIRS, "hook": "enter"}, "sel"),
    ({"op": "deploy", "sel": THEIRS}, "sel"),
    ({"op": "coins", "n": {"count": {"zone": "deck_top", "type": ["beast"]}}}, "n.count"),
    ({"op": "coins", "n": {"count": {"zone": "used", "side": "opp", "id": ["laurel"]}}}, "n.count.id"),
    (
        {"op": "coins", "n": {"events": {"type": "draw", "who": "opp", "card": {"type": ["beast"]}}}},
        "n.events.card",
    ),
)  # fmt: skip
OPEN: tuple[dict[str, Any], ...] = (
    {"op": "coins", "n": {"count": THEIRS}},
    {"op": "coins", "n": {"count": {"zone": "hand", "type": ["beast"]}}},
    {"op": "discard", "sel": THEIRS},
    {"op": "mod", "what": "cost", "sel": {**THEIRS, "type": ["beast"], "n": "all"}, "by": 1},
    {"op": "coins", "n": {"events": {"type": "draw", "who": "you", "card": {"type": ["beast"]}}}},
)


@pytest.mark.rule("V-23", "OMENX-HID-07")
@pytest.mark.parametrize(("effect", "place"), SECRETS, ids=lambda value: value if type(value) is str else "")
def test_a_text_that_reads_anothers_hidden_cards_is_a_fault(effect: dict[str, Any], place: str) -> None:
    data = house()
    ability(hook="enter", do=[effect])(card(data, "bronze_hoplite"))
    found = faults(data)
    assert found and all(fault[1].startswith("abilities[0].do[0].") and "V-23" in fault[2] for fault in found), found
    assert found[0][1].startswith(f"abilities[0].do[0].{place}")


@pytest.mark.rule("V-23", "OMENX-HID-07")
@pytest.mark.parametrize(
    ("name", "hook", "key"),
    [
        ("the_just", {"hook": "use", "step": ["surge"], "turn": "own"}, "when"),
        ("the_just", {"hook": "react", "timing": "before", "event": {"type": "war_begin"}, "turn": "any"}, "when"),
        ("tide_reader", {"hook": "portent"}, "when"),
        ("wide_gates", {"hook": "static", "do": [{"op": "mod", "what": "hand_limit", "who": "you", "by": 1}]}, "when"),
        ("three_lairs", {"hook": "claim", "do": []}, "cond"),
    ],
)
def test_a_condition_on_anothers_hidden_cards_is_a_fault(name: str, hook: dict[str, Any], key: str) -> None:
    """Otherwise the list of legal actions, or a number in the view, would reveal the other seat's cards."""
    data = house()
    ability(**{"do": [COINS], **hook, key: {"exists": {**THEIRS, "type": ["beast"]}}})(card(data, name))
    found = faults(data)
    assert any(fault[1].startswith(f"abilities[0].{key}.exists") and "V-" in fault[2] for fault in found), found


@pytest.mark.rule("V-23", "OMENX-HID-07")
@pytest.mark.parametrize("effect", OPEN, ids=str)
def test_numbers_of_cards_and_ones_own_cards_are_open(effect: dict[str, Any]) -> None:
    data = house()
    ability(hook="enter", do=[effect])(card(data, "bronze_hoplite"))
    assert faults(data) == []


@pytest.mark.rule("V-23", "OMEN-SCORE-06")
def test_hands_are_open_when_points_are_counted() -> None:
    data = house()
    score = {"op": "score", "n": {"count": {**THEIRS, "type": ["beast"]}}}
    ability(hook="end_game", do=[score])(card(data, "wide_gates"))
    assert faults(data) == []


@pytest.mark.rule("V-23", "OMENX-HID-07")
def test_a_static_ability_reads_no_hand_and_shows_none() -> None:
    def static(effect: dict[str, Any], **more: Any) -> list[str]:
        data = house()
        ability(hook="static", do=[effect], **more)(card(data, "fair_wind" if more else "wide_gates"))
        return [fault[1] for fault in faults(data) if "V-08" not in fault[2]]

    beasts = {"zone": "hand", "type": ["beast"]}
    strong = {"op": "mod", "what": "strength", "sel": {**CITY, "n": "all"}}
    assert static({**strong, "by": {"count": beasts}}) == ["abilities[0].do[0].by.count"]
    assert static({**strong, "by": {"count": THEIRS}}) == []
    assert static({**strong, "by": 1}, **{"in": "hand"}) == ["abilities[0].do[0]"]
    cheap = {"op": "mod", "what": "cost", "sel": {**HAND, "n": "all"}, "by": -1}
    assert static(cheap, **{"in": "hand"}) == []
