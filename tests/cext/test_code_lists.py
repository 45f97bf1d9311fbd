"""Tests of CodeLists: lists of codes written as a packed message."""

from __future__ import annotations

from typing import Any

import pytest

from cext.code_lists import CodeLists
from cext.random import Rng
from cext.state import State
from omnilude.v1.simulation_service_pb2 import LegalLists
from tests.support.games import kuhn, sealed
from tests.support.simulation import lists


class Listed(State):
    """A state with a given list."""

    def __init__(self, codes: list[int]) -> None:
        self.codes = codes

    def actor(self) -> int:
        return 0

    def legal(self, seat: int = -1) -> list[int]:
        return self.codes


def read(collected: CodeLists) -> list[list[Any]]:
    message = LegalLists.FromString(collected.message())
    return lists(message.offsets, message.codes)


@pytest.mark.parametrize(
    "codes",
    [
        [],
        [[]],
        [[1], [], [2, 3]],
        [[0, 127, 128, 16_383, 16_384, (1 << 31) - 1, -1, -(1 << 31)]],
        [list(range(number)) for number in range(300)],
    ],
)
def test_lists_are_decoded_unchanged(codes: list[list[int]]) -> None:
    collected = CodeLists()
    for each in codes:
        collected.add_legal(Listed(each))
    assert read(collected) == codes
    assert collected.count == sum(map(len, codes))


def test_the_first_seat_to_act_is_taken_where_none_is_given() -> None:
    state = sealed.SealedGame.configure(3, {"rounds": 1}).initial_state()
    state.apply(sealed.BID(4), 0)
    collected = CodeLists()
    collected.add_legal(state)
    collected.add_legal(state, 0)
    collected.add_legal(state, 2)
    assert read(collected) == [state.legal(1), [], state.legal(2)]


def test_states_at_chance_and_at_the_end_have_no_actions() -> None:
    state = kuhn.KuhnGame.configure(2).initial_state()
    collected = CodeLists()
    collected.add_legal(state)
    for code in (kuhn.DEAL(1), kuhn.DEAL(2), kuhn.CHECK(), kuhn.CHECK()):
        state.apply(code)
    collected.add_legal(state)
    assert read(collected) == [[], []]


def test_draws_are_those_of_the_generator() -> None:
    state = kuhn.KuhnGame.configure(3).initial_state()
    other, rng, expected = state.clone(), Rng(8), []
    while chance := other.chance():
        expected.append(rng.weighted(chance))
        other.apply(expected[-1])
    collected, rng = CodeLists(), Rng(8)
    collected.draw(state, rng)
    collected.draw(state, rng)
    assert read(collected) == [expected, []] and state == other
