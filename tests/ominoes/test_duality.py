"""A State in plain Python and a compiled one are the same to everything that drives states."""

from __future__ import annotations

from typing import Any

import pytest

from cext.playout import playout, playouts
from cext.random import Rng
from cext.search import flat_monte_carlo
from cext.state import State
from gamepacks.ominoes import Ominoes, codes
from gamepacks.ominoes.options import DEFAULT_GODS, DEFAULT_TARGETS
from gamepacks.ominoes.v1.ominoes_enums import Face
from tests.ominoes.reference import Action, Options, Reference, Space
from tests.ominoes.test_differential import WORDS

FACES = {word: face for face, word in WORDS.items()}


class PlainOminoes(State):
    """The reference as a State, with the codes of the pack in the order of the pack."""

    def __init__(self, table: Reference) -> None:
        self.table = table

    def actor(self) -> int:
        return self.table.actor()

    def legal(self, seat: int = -1) -> list[int]:
        actor = self.table.actor()
        if actor < 0 or seat not in (-1, actor):
            return []
        return list(self._codes())

    def chance(self) -> list[tuple[int, int]]:
        verbs = {"start": codes.START_PLAYER, "roll": codes.ROLL}
        return [(verbs[verb](FACES.get(value, value)), 1) for verb, value in self.table.chance()]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        verb = codes.BOOK.verb(code)
        if verb is codes.START_PLAYER:
            self.table.apply(("start", code & 0xFF))
        elif verb is codes.ROLL:
            self.table.apply(("roll", WORDS[Face(code & 0xFF)]))
        else:
            self.table.apply(self._codes()[code])

    def clone(self) -> PlainOminoes:
        return PlainOminoes(self.table.clone())

    def returns(self) -> tuple[float, ...]:
        return tuple(self.table.returns())

    def _codes(self) -> dict[int, Action]:
        order = self.table.collected(self.table.seat)

        def rank(action: Action) -> tuple[Any, ...]:
            if action[0] == "score":
                return (0, order.index(action[1]), min(action[2]))
            return (1, *action[1:])

        return {self._code(action): action for action in sorted(self.table.legal(), key=rank)}

    def _code(self, action: Action) -> int:
        verb, *arguments = action
        if verb == "score":
            return codes.SCORE(FACES[arguments[0]], self._cell(min(arguments[1])))
        named = {"place": codes.PLACE, "move": codes.MOVE, "reroll": codes.REROLL, "add": codes.ADD}
        return named[verb](*map(self._cell, arguments)) if arguments else codes.DECLINE()

    def _cell(self, space: Space) -> int:
        return space[0] * self.table.options.board_size + space[1]


def both(players: int, options: dict[str, Any]) -> tuple[State, State]:
    facts = {"gods": DEFAULT_GODS[players], "target": DEFAULT_TARGETS[players], **options}
    return Ominoes.configure(players, options).initial_state(), PlainOminoes(Reference(Options(**facts)))


CASES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"board_size": 6, "expert": True, "extra_setup_die": True}),
    (4, {"board_size": 10, "optional_scoring": True, "max_turns": 60, "late_add": True}),
]


@pytest.mark.parametrize(("players", "options"), CASES)
def test_a_play_out_takes_the_same_way(players: int, options: dict[str, Any]) -> None:
    for seed in range(3):
        compiled, plain = both(players, options)
        assert playout(compiled, Rng(seed)) == playout(plain, Rng(seed))


@pytest.mark.parametrize(("players", "options"), CASES)
def test_many_play_outs_sum_up_to_the_same(players: int, options: dict[str, Any]) -> None:
    compiled, plain = both(players, options)
    assert playouts(compiled, Rng(1), 3) == playouts(plain, Rng(1), 3)


def test_a_search_finds_the_same() -> None:
    compiled, plain = both(2, {"board_size": 6, "start_player": 0, "max_turns": 10})
    found = flat_monte_carlo(compiled, 0, Rng(1), playouts=80)
    assert found == flat_monte_carlo(plain, 0, Rng(1), playouts=80)
    assert len(found) == 36
