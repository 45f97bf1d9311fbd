"""The evaluation that guides tree searches in Ominoes."""

from __future__ import annotations

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from cext.tree_search import TreeSearch
from gamepacks.api import Budget, Seat, TreeSearchBot
from gamepacks.ominoes import Ominoes
from gamepacks.ominoes.engine.state import OminoesState


def in_play(seed: int, steps: int = 60) -> OminoesState:
    """A state in the middle of a random match, at which a seat has a choice."""
    state = Ominoes.configure(2).initial_state()
    rng = Rng(seed)
    while steps > 0 or state.actor() == CHANCE or len(state.legal()) < 3:
        steps -= 1
        state.apply_unchecked(rng.weighted(state.chance()) if state.actor() == CHANCE else rng.choice(state.legal()))
        if state.actor() == TERMINAL:
            return in_play(seed + 1000)
    return state


def searched(state: OminoesState, guided: bool) -> list[tuple[int, int, float]]:
    guide = Ominoes.guide if guided else None
    search = TreeSearch(2, guide=guide)
    search.run(state, state.actor(), Rng(1), iterations=300)
    return search.ranking(state.actor())


def test_guided_search_stays_within_the_returns_and_differs_from_play_outs() -> None:
    assert Ominoes.guide is not None and Ominoes.guide.has_values
    different = 0
    for seed in range(5):
        state = in_play(seed)
        guided = searched(state, guided=True)
        assert all(-1.0 <= mean <= 1.0 for _, _, mean in guided)
        different += guided != searched(state, guided=False)
    assert different == 5


def winning_actions(state: OminoesState, seat: int) -> list[int]:
    found = []
    for code in state.legal(seat):
        after = state.clone()
        after.apply_unchecked(code, seat)
        if after.actor() == TERMINAL and after.returns()[seat] > 0:
            found.append(code)
    return found


def test_guided_bot_takes_an_action_that_wins_at_once() -> None:
    game = Ominoes.configure(2, {"target": 4, "optional_scoring": True})
    checked = 0
    for seed in range(20):
        state = game.initial_state()
        rng = Rng(seed)
        while (actor := state.actor()) != TERMINAL:
            if actor == CHANCE:
                state.apply_unchecked(rng.weighted(state.chance()))
                continue
            legal, winning = state.legal(actor), winning_actions(state, actor)
            if winning and len(winning) < len(legal):
                checked += 1
                assert TreeSearchBot().choose(game, state, Seat(actor), Rng(2), Budget(playouts=400)) in winning
            state.apply_unchecked(rng.choice(legal))
    assert checked > 3
