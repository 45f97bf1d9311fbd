"""Tests of the tree search: choices against exhaustive values, secrets, simultaneous decisions, settings, guides."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cext.guide import Guide
from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from cext.tree_search import TreeSearch
from tests.support.compiled import compile_module
from tests.support.games import kuhn, sealed

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(State):
    """``board`` has the seat of each cell, or -1."""

    def __init__(self, board: tuple[int, ...] = (-1,) * 9) -> None:
        self.game = None
        self.board = list(board)

    def mover(self) -> int:
        return sum(cell >= 0 for cell in self.board) % 2

    def winner(self) -> int:
        for line in LINES:
            owner = self.board[line[0]]
            if owner >= 0 and all(self.board[cell] == owner for cell in line):
                return owner
        return -1

    def actor(self) -> int:
        return TERMINAL if self.winner() >= 0 or -1 not in self.board else self.mover()

    def legal(self, seat: int = -1) -> list[int]:
        return [cell for cell, owner in enumerate(self.board) if owner < 0]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.board[code] = self.mover()

    def clone(self) -> TicTacToe:
        return TicTacToe(tuple(self.board))

    def returns(self) -> tuple[float, ...]:
        winner = self.winner()
        return (0.0, 0.0) if winner < 0 else (1.0 - 2 * winner, 2 * winner - 1.0)


@cache
def minimax(board: tuple[int, ...]) -> float:
    """Value of a position for seat 0, both sides playing best."""
    state = TicTacToe(board)
    if state.actor() == TERMINAL:
        return state.returns()[0]
    values = [minimax(after(board, code)) for code in state.legal()]
    return max(values) if state.mover() == 0 else min(values)


def after(board: tuple[int, ...], code: int) -> tuple[int, ...]:
    state = TicTacToe(board)
    state.apply_unchecked(code)
    return tuple(state.board)


def every_position() -> list[tuple[int, ...]]:
    """All positions of the game that are not over."""
    found: dict[tuple[int, ...], None] = {}
    waiting = [(-1,) * 9]
    while waiting:
        board = waiting.pop()
        if board in found or TicTacToe(board).actor() == TERMINAL:
            continue
        found[board] = None
        waiting += [after(board, code) for code in TicTacToe(board).legal()]
    return list(found)


def test_search_chooses_what_exhaustive_search_proves_best(tmp_path: Path) -> None:
    compiled = compile_module(Path(__file__).parents[1] / "support" / "games" / "tic_tac_toe.pyx", tmp_path)
    boards = every_position()
    assert len(boards) == 4520
    for board in boards:
        masks = tuple(sum(1 << cell for cell in range(9) if board[cell] == seat) for seat in (0, 1))
        state = compiled.CompiledTicTacToe(masks)
        mover = state.actor()
        search = TreeSearch(2)
        search.run(state, mover, Rng(1), iterations=2000)
        sign = 1 if mover == 0 else -1
        best = max(sign * minimax(after(board, code)) for code in state.legal())
        code, visits, mean = search.ranking(mover)[0]
        assert sign * minimax(after(board, code)) == best, board
        # Above that the mean still holds many visits of other replies.
        assert visits > 1 and (abs(mean - best) < 0.5 or board.count(-1) > 5), board
        assert state.cells == masks, "the search changes a clone"


class Dice(State):
    """Seat 0 may roll a die of six again and again, at most four times; stopping wins by ``best - threshold``."""

    def __init__(self, last: int = 0, rolls: int = 0, rolling: bool = False, over: bool = False) -> None:
        self.game = None
        self.last, self.rolls, self.rolling, self.over = last, rolls, rolling, over

    def actor(self) -> int:
        return TERMINAL if self.over else CHANCE if self.rolling else 0

    def legal(self, seat: int = -1) -> list[int]:
        return [0, 1] if self.rolls < 4 else [0]

    def chance(self) -> list[tuple[int, int]]:
        return [(face, 1) for face in range(1, 6)] + [(6, 3)] if self.rolling else []

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        if self.rolling:
            self.last, self.rolling = code, False
        elif code == 1:
            self.rolls, self.rolling = self.rolls + 1, True
        else:
            self.over = True

    def clone(self) -> Dice:
        return Dice(self.last, self.rolls, self.rolling, self.over)

    def returns(self) -> tuple[float, ...]:
        return (self.last / 6,)


def expectimax(state: Dice) -> float:
    actor = state.actor()
    if actor == TERMINAL:
        return state.returns()[0]
    codes: list[Any] = state.chance() if actor == CHANCE else [(code, 1) for code in state.legal()]
    values = []
    for code, _ in codes:
        child = state.clone()
        child.apply_unchecked(code)
        values.append(expectimax(child))
    if actor == CHANCE:
        weights = [weight for _, weight in codes]
        return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)
    return max(values)


@pytest.mark.parametrize("last", [0, 3, 4, 5, 6])
def test_chance_nodes_are_weighted_as_the_rules_say(last: int) -> None:
    state = Dice(last, 1)
    search = TreeSearch(1, min_return=0.0, max_return=1.0)
    search.run(state, 0, Rng(2), iterations=20_000)
    rolled = Dice(last, 2, rolling=True)
    code, _, mean = search.ranking(0)[0]
    assert code == int(expectimax(rolled) > last / 6)
    assert abs(mean - expectimax(state)) < 0.03
    assert abs(search.mean_returns()[0] - expectimax(state)) < 0.06


def bet(*codes: int) -> State:
    state = kuhn.KuhnGame.configure(2, {"ranks": 3}).initial_state()
    for code in codes:
        state.apply(code)
    return state


def test_search_sees_nothing_that_its_seat_does_not_know() -> None:
    """Equal information states and equal generators give equal results, whatever the other seat holds."""
    found = []
    for theirs in (0, 2):
        state = bet(kuhn.DEAL(1), kuhn.DEAL(theirs), kuhn.CHECK(), kuhn.BET())
        search = TreeSearch(2, hidden=True)
        search.run(state, 0, Rng(3), iterations=2000)
        found.append((search.ranking(0), search.principal_line(1), search.nodes))
    assert found[0] == found[1]


def test_hidden_cards_decide_what_is_good() -> None:
    for mine, best in ((0, kuhn.FOLD()), (2, kuhn.CALL())):
        state = bet(kuhn.DEAL(mine), kuhn.DEAL(1), kuhn.CHECK(), kuhn.BET())
        search = TreeSearch(2, hidden=True)
        search.run(state, 0, Rng(4), iterations=2000)
        assert search.ranking(0)[0][0] == best


class Split(State):
    """Both seats name 0, 1 or 2 at once; the higher number wins."""

    def __init__(self, named: tuple[int, int] = (-1, -1)) -> None:
        self.game = None
        self.named = list(named)

    def actor(self) -> int:
        return SIMULTANEOUS if -1 in self.named else TERMINAL

    def seats_to_act(self) -> int:
        return sum(1 << seat for seat in (0, 1) if self.named[seat] < 0)

    def legal(self, seat: int = -1) -> list[int]:
        return [0, 1, 2]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.named[seat] = code

    def clone(self) -> Split:
        return Split((self.named[0], self.named[1]))

    def returns(self) -> tuple[float, ...]:
        first, second = self.named
        return (float((first > second) - (first < second)), float((second > first) - (second < first)))


def test_seats_that_decide_at_once_choose_by_statistics_of_their_own() -> None:
    search = TreeSearch(2, hidden=True)
    search.run(Split(), 0, Rng(6), iterations=3000)
    for seat in (0, 1):
        ranking = search.ranking(seat)
        assert ranking[0][0] == 2 and sum(visits for _, visits, _ in ranking) == 3000
    assert search.principal_line() == [(0, 2), (1, 2)]
    assert search.advance([(0, 2), (1, 2)]), "a joint action leads to a node"


def test_sealed_bids_are_searched_for_three_seats() -> None:
    game = sealed.SealedGame.configure(3)
    state = game.initial_state()
    rng = Rng(7)
    while state.actor() == CHANCE:
        state.apply(rng.weighted(state.chance()))
    search = TreeSearch(3, hidden=True)
    search.run(state, 1, Rng(8), iterations=300)
    assert {code for code, _, _ in search.ranking(1)} == set(state.legal(1))


def test_same_seed_gives_the_same_tree_and_another_seed_another_one() -> None:
    found = []
    for seed in (1, 1, 2):
        search = TreeSearch(2)
        search.run(TicTacToe(), 0, Rng(seed), iterations=500)
        found.append((search.ranking(0), search.principal_line(), search.mean_returns(), search.nodes))
    assert found[0] == found[1] != found[2]


def test_tree_is_kept_where_play_goes_on() -> None:
    state = TicTacToe()
    search = TreeSearch(2)
    search.run(state, 0, Rng(1), iterations=2000)
    seat, code = search.principal_line()[0]
    visits = {c: v for c, v, _ in search.ranking(0)}[code]
    assert search.advance([(seat, code)])
    kept = sum(v for _, v, _ in search.ranking(1))
    assert kept == visits - 1, "all visits of the action but the one that made its node"
    state.apply_unchecked(code)
    search.run(state, 1, Rng(2), iterations=100)
    assert sum(v for _, v, _ in search.ranking(1)) == kept + 100
    assert search.iterations == 100
    assert not search.advance([(1, 99)]), "no such action was searched"
    assert search.nodes == 1 and search.ranking(1) == []


def test_principal_line_has_the_most_visited_steps_of_every_seat() -> None:
    search = TreeSearch(2)
    search.run(TicTacToe(), 0, Rng(1), iterations=3000)
    line = search.principal_line(4)
    assert [seat for seat, _ in line] == [0, 1, 0, 1]
    for seat, code in line:
        assert search.ranking(seat)[0][0] == code
        assert search.advance([(seat, code)])


def test_tree_stops_growing_at_its_bound_and_goes_on_searching() -> None:
    search = TreeSearch(2, max_nodes=50)
    search.run(TicTacToe(), 0, Rng(1), iterations=2000)
    assert search.nodes == 50
    assert sum(visits for _, visits, _ in search.ranking(0)) == 2000


def test_widening_bounds_the_actions_that_are_considered() -> None:
    search = TreeSearch(2, widening=1.0, widening_power=0.3)
    search.run(TicTacToe(), 0, Rng(1), iterations=100)
    assert len(search.ranking(0)) == 3, "100 ** 0.3 is 3.98"
    hidden = TreeSearch(2, hidden=True, widening=1.0, widening_power=0.0)
    hidden.run(bet(kuhn.DEAL(1), kuhn.DEAL(2)), 0, Rng(1), iterations=100)
    assert len(hidden.ranking(0)) == 1


class Middle(Guide):
    has_priors = has_values = has_policy = True

    def priors(self, state: State, seat: int, legal: list[int], rng: Rng) -> list[int]:
        return [100 if code == 4 else 1 for code in legal]

    def values(self, state: State, rng: Rng) -> tuple[float, ...]:
        assert isinstance(state, TicTacToe)
        middle = state.board[4]
        return (0.0, 0.0) if middle < 0 else (1.0 - 2 * middle, 2 * middle - 1.0)

    def choose(self, state: State, seat: int, legal: list[int], rng: Rng) -> int:
        return legal.index(max(legal))


def test_guide_gives_priors_values_and_a_policy() -> None:
    search = TreeSearch(2, guide=Middle(), playout_plies=1)
    search.run(TicTacToe(), 0, Rng(1), iterations=200)
    code, visits, mean = search.ranking(0)[0]
    assert code == 4 and visits > 100 and mean > 0.9
    assert search.playout_plies == 1 and TreeSearch(2, guide=Middle()).playout_plies == 0
    hidden = TreeSearch(2, guide=Middle(), playout_plies=1, hidden=True)
    hidden.run(TicTacToe(), 0, Rng(1), iterations=200)
    assert hidden.ranking(0)[0][0] == 4


class Broken(Middle):
    def priors(self, state: State, seat: int, legal: list[int], rng: Rng) -> list[int]:
        return [1]


class OutOfList(Middle):
    has_priors = has_values = False

    def choose(self, state: State, seat: int, legal: list[int], rng: Rng) -> int:
        return len(legal)


@pytest.mark.parametrize(
    ("guide", "message"), [(Broken(), r"gives 1 weights for 9 actions"), (OutOfList(), r"choose\(\) gives 8 for 8")]
)
def test_wrong_answers_of_a_guide_are_refused(guide: Guide, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeSearch(2, guide=guide).run(TicTacToe(), 0, Rng(1), iterations=5)


@pytest.mark.parametrize(
    "settings",
    [
        {"exploration": -1.0},
        {"min_return": 1.0},
        {"widening": -1.0},
        {"widening_power": 2.0},
        {"playout_plies": -1},
        {"max_plies": 0},
        {"max_nodes": 0},
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        TreeSearch(2, **settings)


def test_a_search_needs_a_budget() -> None:
    with pytest.raises(ValueError, match="budget"):
        TreeSearch(2).run(TicTacToe(), 0, Rng(1))


def test_a_budget_of_time_ends() -> None:
    search = TreeSearch(2)
    assert search.run(TicTacToe(), 0, Rng(1), seconds=0.001) == search.iterations >= 1
