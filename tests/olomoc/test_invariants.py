"""Invariants after every step (section 3.16), in random matches with the house set and the fixture set."""

from __future__ import annotations

from typing import Any

import pytest

from cext.geometry import Part, compare_gap
from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.codes import MINISTRY
from gamepacks.olomoc.elements import card_of, shapes_on_board
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"agenda": "gargoule", "build": "secret", "reaction_limit": "both"},
    {"bloc": "placed", "entry": "first_token", "propaganda_ap": "choose"},
    {"agenda": "hearths", "rest_limit": 0, "hostile_reactions": "free", "tie_rule": "activation_only"},
)


def check(state: OlomocState, before: dict[str, Any] | None) -> dict[str, Any]:
    """All invariants of one state; ``before`` is the state's form a step earlier."""
    dump = state.dump()
    rules = state.game.ruleset
    _on_the_board(state, dump)
    _counters(state, dump)
    _cards(state, dump)
    if not dump["over"]:
        assert dump["traque"] < 3 and max(dump["fiel"]) < 3
    lost = sum(entry["where"] == 3 for entry in dump["figures"] if entry["index"] < 6)
    assert dump["traque"] == lost
    if state.actor() not in (CHANCE, TERMINAL):
        assert all(state.legal(seat) for seat in range(2) if state.seats_to_act() >> seat & 1)
    if before is not None:
        assert dump["cycle"] - before["cycle"] in (0, 1)
        assert dump["traque"] >= before["traque"]
    assert len(rules.profiles) > max(dump["profile"])
    return dump


def _on_the_board(state: OlomocState, dump: dict[str, Any]) -> None:
    rules = state.game.ruleset
    solid = [shape for shape in shapes_on_board(state, dump) if not shape.zone]
    discs = []
    for entry in dump["figures"]:
        if entry["where"] == 2:
            discs.append((entry["x"], entry["y"], card_of(rules, entry["card"]).radius))
        else:
            assert not state.table().present >> entry["index"] & 1
            if entry["where"] == 3:
                assert entry["ap"] == entry["noirceur"] == entry["states"] == 0
    discs += [(mark["x"], mark["y"], mark["radius"]) for mark in dump["marks"]]
    parts = [Part(((127 * x, 127 * y),), radius) for x, y, radius in discs]
    for number, (x, y, radius) in enumerate(discs):
        assert radius <= 127 * x <= 203_200 - radius and radius <= 127 * y <= 203_200 - radius
        assert all(compare_gap(parts[number], other, 0) >= 0 for other in parts[:number])
        assert all(compare_gap(parts[number], part, 0) >= 0 for shape in solid for part in shape.parts())


def _counters(state: OlomocState, dump: dict[str, Any]) -> None:
    for entry in dump["figures"]:
        assert 0 <= entry["ap"] <= entry["ap_given"] or entry["index"] >= 6
        assert 0 <= entry["noirceur"] <= 3
        assert 0 <= entry["marches"] <= 2 and 0 <= entry["attacks"] <= 2
    assert min(dump["vp"]) >= 0


def _cards(state: OlomocState, dump: dict[str, Any]) -> None:
    if not dump["cycle"]:
        return
    assert sum(dump["pile"]) + len(dump["discard"]) + (dump["open_card"] >= 0) == 12
    for player in range(2):
        assert dump["cards"][player].bit_count() + dump["propaganda"][player] == 4
        laid = [card for card in dump["plan"][6 * player + 1 : 6 * player + 6] if card >= 0]
        ministries = [card - MINISTRY for card in laid if card >= MINISTRY]
        assert dump["hand"][player].bit_count() + len(ministries) == 5 - dump["cycle"] or state.actor() == TERMINAL
        if dump["phase"] in range(1, 6):
            assert len(laid) == 5 and len(ministries) == 1
            slot = 1 + laid.index(MINISTRY + ministries[0])
            assert state.game.ruleset.ministries[ministries[0]].slots >> slot & 1


def walk(state: OlomocState, rng: Rng, looked_at: int) -> int:
    """Play at random to the end; every ``looked_at``-th state is checked, all of the first hundred."""
    plies, before = 0, None
    while state.actor() != TERMINAL:
        if plies < 100 or plies % looked_at == 0:
            before = check(state, before if plies < 100 else None)
        actor = state.actor()
        if actor == CHANCE:
            state.apply(rng.weighted(state.chance()))
        else:
            seat = actor if actor != SIMULTANEOUS else (0 if state.seats_to_act() & 1 else 1)
            state.apply(rng.choice(state.legal(seat)), seat)
        plies += 1
        assert plies < 4000
    check(state, None)
    return plies


@pytest.mark.rule(
    "OLO-INV-01", "OLO-INV-02", "OLO-INV-03", "OLO-INV-04", "OLO-INV-05", "OLO-INV-06", "OLO-INV-07", "OLO-INV-08",
)  # fmt: skip
@pytest.mark.parametrize("number", range(len(TABLES)))
def test_invariants_of_random_matches(number: int) -> None:
    game = Olomoc.configure(2, TABLES[number])
    assert isinstance(game, Olomoc)
    for seed in range(3):
        walk(game.initial_state(), Rng(100 * number + seed), looked_at=5)


def test_every_listed_place_is_legal() -> None:
    game = Olomoc.configure(2, {"list_step": 100})
    rng = Rng(8)
    state = game.initial_state()
    places = 0
    while state.actor() != TERMINAL:
        actor = state.actor()
        if actor == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seat = actor if actor != SIMULTANEOUS else (0 if state.seats_to_act() & 1 else 1)
        legal = state.legal(seat)
        if (
            state.decision in (Decision.GO, Decision.CHARGE, Decision.PUSH, Decision.ENTER, Decision.HOSTILE_GO)
            and places < 60
        ):
            places += 1
            assert all(state.is_legal(code, seat) for code in legal)
            assert legal == sorted(set(legal))
        state.apply(rng.choice(legal), seat)
    assert places
