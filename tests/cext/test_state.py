"""Tests of the base class of states: each method of a pair is derived from the other; errors."""

from __future__ import annotations

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from cext.errors import IllegalAction
from cext.playout import playout
from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, Codes, State


class CountdownGame:
    """The part of a game that a state asks: its refusals and its positions."""

    def why_illegal(self, state: State, code: int, seat: int) -> IllegalAction:
        return IllegalAction("NOT_A_NUMBER_TO_TAKE", f"seat {seat} cannot take {code}", code=code)

    def position(self, state: Countdown) -> StringValue:
        return StringValue(value=f"{state.heap} left")


class Countdown(State):
    """Two seats take 1 to 3 off a heap in turn, and after each a die may take 1 more; who takes the last one wins."""

    heap: int
    seat: int
    rolls: bool

    def __init__(self, heap: int = 10) -> None:
        self.game = CountdownGame()
        self.heap, self.seat, self.rolls = heap, 0, False

    def actor(self) -> int:
        if self.heap <= 0:
            return TERMINAL
        return CHANCE if self.rolls else self.seat

    def legal(self, seat: int = -1) -> list[int]:
        if self.actor() < 0 or seat not in (-1, self.seat):
            return []
        return list(range(1, min(3, self.heap) + 1))

    def chance(self) -> list[tuple[int, int]]:
        return [(0, 3), (1, 1)] if self.actor() == CHANCE else []

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.heap -= code
        if not self.rolls:
            self.seat = 1 - self.seat
        self.rolls = not self.rolls

    def clone(self) -> Countdown:
        twin = Countdown(self.heap)
        twin.seat, twin.rolls = self.seat, self.rolls
        return twin

    def returns(self) -> tuple[float, ...]:
        # Whoever is not to move took the last one.
        return (-1.0, 1.0) if self.seat == 0 else (1.0, -1.0)


def test_python_state_has_working_defaults() -> None:
    state = Countdown()
    assert state.seats_to_act() == 0b01
    assert state.is_legal(3) and state.is_legal(3, 0)
    assert not state.is_legal(3, 1)
    assert not state.is_legal(4)
    state.apply(2, 0)
    assert state.actor() == CHANCE
    assert state.seats_to_act() == 0
    assert state.is_legal(1) and not state.is_legal(2)
    assert not state.is_legal(1, 0), "a seat takes no outcome of chance"
    state.apply(0)
    assert state.seats_to_act() == 0b10
    assert (state.heap, state.seat) == (8, 1)


def test_an_illegal_action_changes_nothing_and_says_why() -> None:
    state = Countdown()
    for code, seat in ((4, -1), (1, 1), (-1, 0)):
        with pytest.raises(IllegalAction) as caught:
            state.apply(code, seat)
        assert (caught.value.reason, caught.value.details) == ("NOT_A_NUMBER_TO_TAKE", {"code": code})
        assert (state.heap, state.seat) == (10, 0)


def test_an_unchecked_action_is_taken_as_it_is() -> None:
    state = Countdown()
    state.apply_unchecked(7)
    assert state.heap == 3


def test_a_state_in_python_is_played_out() -> None:
    for seed in range(20):
        state = Countdown()
        returns, plies = playout(state, Rng(seed))
        assert state.heap <= 0
        assert state.actor() == TERMINAL
        assert sorted(returns) == [-1.0, 1.0]
        assert 4 <= plies <= 20


def test_resample_is_a_clone_where_nothing_is_hidden() -> None:
    state = Countdown(7)
    other = state.resample(0, Rng(1))
    assert other is not state
    assert (other.heap, other.seat, other.rolls) == (7, 0, False)


class Nothing(State):
    """Defines nothing at all."""


class ActsOnly(State):
    """Says who acts, but neither what is legal nor what happens."""

    def __init__(self, actor: int = 0) -> None:
        self._actor = actor

    def actor(self) -> int:
        return self._actor


@pytest.mark.parametrize(
    ("state", "call", "message"),
    [
        (Nothing(), "actor", r"Nothing must define actor\(\)"),
        (Nothing(), "clone", r"Nothing must define clone\(\)"),
        (Nothing(), "returns", r"Nothing must define returns\(\)"),
        (ActsOnly(), "legal", r"ActsOnly must define legal\(\) or, compiled, fill_legal\(\)"),
        (ActsOnly(CHANCE), "chance", r"ActsOnly must define chance\(\) or, compiled, fill_chance\(\)"),
    ],
)
def test_a_method_that_is_missing_is_named(state: State, call: str, message: str) -> None:
    with pytest.raises(NotImplementedError, match=message):
        getattr(state, call)()


def test_a_step_that_is_missing_is_named_too() -> None:
    with pytest.raises(NotImplementedError, match=r"apply_unchecked\(\) or, compiled, step\(\)"):
        ActsOnly().apply_unchecked(1)


def test_chance_outside_a_chance_node_is_empty() -> None:
    assert ActsOnly(0).chance() == []
    assert ActsOnly(TERMINAL).chance() == []


class Choosers(State):
    """Two seats choose 1 or 2 at the same time, for ten rounds; no order of arrival shows."""

    def __init__(self) -> None:
        self.rounds = 0
        self.chosen: dict[int, int] = {}
        self.total = 0

    def actor(self) -> int:
        return TERMINAL if self.rounds == 10 else SIMULTANEOUS

    def seats_to_act(self) -> int:
        return 0 if self.rounds == 10 else sum(1 << seat for seat in (0, 1) if seat not in self.chosen)

    def legal(self, seat: int = -1) -> list[int]:
        return [1, 2] if seat in (0, 1) and self.seats_to_act() >> seat & 1 else []

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.chosen[seat] = code
        if len(self.chosen) == 2:
            self.total += self.chosen[0] * self.chosen[1]
            self.rounds += 1
            self.chosen = {}

    def clone(self) -> Choosers:
        twin = Choosers()
        twin.rounds, twin.chosen, twin.total = self.rounds, dict(self.chosen), self.total
        return twin

    def returns(self) -> tuple[float, ...]:
        return (float(self.total), float(-self.total))


def test_simultaneous_decisions_are_each_a_ply_of_a_play_out() -> None:
    state = Choosers()
    returns, plies = playout(state, Rng(3))
    assert plies == 20
    assert state.rounds == 10
    assert 10 <= returns[0] <= 40


def test_bytes_are_those_of_the_position_that_the_game_gives() -> None:
    assert Countdown(3).to_bytes() == StringValue(value="3 left").SerializeToString()


def test_a_list_of_codes_starts_empty() -> None:
    assert Codes().to_list() == []


def test_illegal_action_carries_reason_message_and_details() -> None:
    error = IllegalAction("PATH_BLOCKED", "blocked", cell="c4")
    assert (error.reason, error.message, str(error), error.details) == (
        "PATH_BLOCKED",
        "blocked",
        "blocked",
        {"cell": "c4"},
    )
