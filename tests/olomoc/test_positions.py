"""Positions: between two actions they are checked in words, in the middle of an effect they are sealed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cext.playout import playout
from cext.random import Rng
from gamepacks.api.errors import InvalidPosition
from gamepacks.api.game import viewers
from gamepacks.api.kit.messages import changes
from gamepacks.api.types import OMNISCIENT
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.codes import PROPAGANDA
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import ActivatedBy, Decision
from tests.olomoc.in_play import walk

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"build": "secret", "reaction_limit": "both", "list_step": 100},
    {"bloc": "placed", "entry": "first_token", "propaganda_ap": "choose", "list_step": 100},
    {"hostile_reactions": "free", "rest_limit": 0, "tie_rule": "activation_only", "list_step": 100},
    {"spawn_acts": False, "hostile_stun": "permanent", "propaganda_rank": 9, "list_step": 100},
)
BETWEEN = {
    Decision.CHANCE_NUMBER, Decision.CHANCE_AGENDA, Decision.CHANCE_LAYOUT, Decision.CHANCE_FALLEN,
    Decision.CHANCE_HAND, Decision.SCENERY, Decision.EDGE, Decision.DRAFT, Decision.GEAR, Decision.BUILD,
    Decision.PLAN_MINISTRY, Decision.PLAN_CARD, Decision.PROPAGANDA, Decision.ACT, Decision.HOSTILE,
}  # fmt: skip
"""What is decided, or left to chance, when nothing is in the middle of an effect."""


def position_at(decision: Decision, **options: object) -> tuple[Olomoc, pb.Position]:
    """A position of a random match at the first decision of a kind that is not sealed, or that is, for other kinds."""
    for seed in range(20):
        for state in walk(seed, **options):
            if state.decision == decision:
                position = state.game.position(state)
                if position.HasField("pending") == (decision not in BETWEEN):
                    return state.game, position
    raise AssertionError(f"nobody is ever asked {decision.name}")


def faults(game: Olomoc, position: pb.Position) -> set[str]:
    """The fields for which a position is refused."""
    with pytest.raises(InvalidPosition) as caught:
        game.restore(position)
    return {re.sub(r"\d+", "N", fault.field) for fault in caught.value.faults}


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_only_the_middle_of_an_effect_is_sealed(number: int) -> None:
    seen = set()
    for state in walk(number, **TABLES[number]):
        position = state.game.position(state)
        if not position.HasField("pending"):
            assert state.decision is None or state.decision in BETWEEN
            seen.add(state.decision)
        elif state.decision in BETWEEN:
            # An effect has activated somebody.
            assert state.decision in (Decision.ACT, Decision.HOSTILE)
    assert {Decision.PLAN_CARD, Decision.ACT, None} <= seen


@pytest.mark.parametrize("decision", [Decision.GO, Decision.REACT, Decision.CHANCE_POOL, Decision.CHANCE_CARD])
def test_a_sealed_position_is_refused_when_anything_of_it_is_changed(decision: Decision) -> None:
    game, position = position_at(decision)
    game.restore(position)
    state = position.pending.state
    for damaged in (state[:-1] + bytes([state[-1] ^ 1]), state[:4], b""):
        position.pending.state = damaged
        assert faults(game, position) == {"pending.state"}
    position.pending.state = state
    position.vp[0] += 1
    assert faults(game, position) == {"pending.state"}


def _activation(**changes: int) -> dict[str, Any]:
    return {"activation": changes}


@pytest.mark.parametrize(
    "decision, changes, field",
    [
        (Decision.ACT, {"first_player": -1}, "first_player"),
        (Decision.ACT, {"hostiles_run": 1}, "hostiles_run"),
        (Decision.ACT, _activation(main=9), "activation.main"),
        (Decision.ACT, _activation(coordinated=6), "activation.coordinated"),
        (Decision.ACT, _activation(by=ActivatedBy.EFFECT), "activation.by"),
        (Decision.ACT, _activation(entered=4), "activation.entered"),
        (Decision.ACT, _activation(skipped=4), "activation.skipped"),
        (Decision.ACT, {"activation": None}, "activation"),
        (Decision.ACT, {"phase": 0}, "activation"),
        (Decision.HOSTILE, {"hostiles_run": 21}, "hostiles_run"),
        (Decision.HOSTILE, {"first_player": 1}, "first_player"),
        (Decision.PLAN_CARD, {"plan": [-1] * 12}, "hand[N]"),
        (Decision.DRAFT, {"cycle": 1}, "cards[N]"),
        (Decision.EDGE, {"fallen": 3}, "fallen"),
        (Decision.EDGE, {"agenda": -1}, "layout"),
    ],
)
def test_faults_of_a_position_between_two_actions_are_named(
    decision: Decision, changes: dict[str, Any], field: str
) -> None:
    game, position = position_at(decision)
    game.restore(position)
    for name, value in changes.items():
        if value is None:
            position.ClearField(name)
        elif isinstance(value, dict):
            for inner, number in value.items():
                setattr(getattr(position, name), inner, number)
        elif isinstance(value, list):
            getattr(position, name)[:] = value
        else:
            setattr(position, name, value)
    assert field in faults(game, position)


def test_the_active_players_card_says_who_may_be_activated() -> None:
    game, position = position_at(Decision.PROPAGANDA)
    slot = 6 * position.active + position.phase
    assert position.plan[slot] == PROPAGANDA and not position.HasField("activation")
    position.activation.main, position.activation.coordinated = 3 * position.active, -1
    position.activation.by, position.activation.entered = pb.ACTIVATED_BY_PROPAGANDA, 1
    assert game.restore(position).decision == Decision.ACT
    position.activation.by = pb.ACTIVATED_BY_CARD
    assert faults(game, position) == {"activation.by"}


@pytest.mark.rule("OLO-GEO-02")
def test_a_marker_is_no_larger_than_the_largest_base() -> None:
    game, position = position_at(Decision.ACT)
    mark = position.marks[0] if position.marks else position.marks.add(element=16, tag=-1, zone=-1)
    mark.radius = 12_501
    assert any(fault.startswith("marks") and fault.endswith("radius") for fault in faults(game, position))


def test_a_hidden_decision_must_be_one_that_may_be_taken() -> None:
    game, position = position_at(Decision.PLAN_CARD)
    position.committed[0] = 7
    assert faults(game, position) == {"committed"}


def changed_positions(number: int, rng: Rng) -> Iterator[tuple[Olomoc, pb.Position]]:
    """Yield positions of a random match, each changed in one field outside of the sealed state."""
    for state in walk(number, **TABLES[number]):
        if rng.below(40):
            continue
        position = state.game.position(state)
        changed = [change.applied(position) for change in changes(position)]
        others = [other for other in changed if other.pending == position.pending]
        rng.shuffle(others)
        yield from ((state.game, other) for other in others[:8])


def test_changed_positions_are_refused_or_played_to_the_end() -> None:
    rng = Rng(1)
    refused = sound = 0
    for number in range(len(TABLES)):
        for game, position in changed_positions(number, rng):
            try:
                restored = game.restore(position)
            except InvalidPosition as error:
                assert error.faults and all(fault.field and fault.message for fault in error.faults)
                refused += 1
                continue
            sound += 1
            data = restored.to_bytes()
            assert game.restore(pb.Position.FromString(data)).to_bytes() == data
            for viewer in (*viewers(2), OMNISCIENT):
                game.view(restored, viewer)
                if viewer != OMNISCIENT:
                    game.restore(game.position(restored.resample(viewer, rng)))
            playout(restored, rng, 4_000)
    assert refused > 100 and sound > 5
