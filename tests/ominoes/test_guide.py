"""The evaluation that guides tree searches in Ominoes."""

from __future__ import annotations

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from cext.tree_search import TreeSearch
from gamepacks.api import Budget, Seat, TreeSearchBot, Turn
from gamepacks.ominoes import Ominoes
from gamepacks.ominoes.engine.rules import OminoesState


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
                assert TreeSearchBot().choose(Turn(game, state, Seat(actor), Rng(2), Budget(playouts=400))) in winning
            state.apply_unchecked(rng.choice(legal))
    assert checked > 3


def expectimax(state: OminoesState, depth: int) -> float:
    """Exact value of a state for seat 0 of two, for games that end within ``depth`` decisions and rolls."""
    actor = state.actor()
    if actor == TERMINAL:
        return float(state.returns()[0])
    assert depth > 0
    outcomes = state.chance() if actor == CHANCE else [(code, 1) for code in state.legal(actor)]
    values = []
    for code, _ in outcomes:
        following = state.clone()
        following.apply_unchecked(code)
        values.append(expectimax(following, depth - 1))
    if actor == CHANCE:
        weights = [weight for _, weight in outcomes]
        return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return max(values) if actor == 0 else min(values)


def test_search_chooses_in_the_last_turn_what_expectimax_proves_best() -> None:
    game = Ominoes.configure(2, {"max_turns": 8, "target": 100, "board_size": 6, "start_player": 0})
    checked = 0
    for seed in range(60):
        state, rng = game.initial_state(), Rng(seed)
        while state.actor() != TERMINAL and not (state.turns == 7 and state.actor() == 1):
            state.apply_unchecked(rng.weighted(state.chance()) if state.chance() else rng.choice(state.legal()))
        values = {}
        for code in state.legal(1) if state.actor() == 1 else ():
            values[code] = state.clone()
            values[code].apply_unchecked(code)
        exact = {code: -expectimax(following, 8) for code, following in values.items()}
        if len(set(exact.values())) < 2:
            continue
        checked += 1
        for guide in (None, Ominoes.guide):
            # One addition in thirty may win, so every move must be tried often.
            search = TreeSearch(2, guide=guide, exploration=2.0)
            search.run(state, 1, Rng(1), iterations=60_000)
            code, _, mean = search.ranking(1)[0]
            assert exact[code] == max(exact.values()), (seed, guide)
            assert abs(mean - exact[code]) < 0.5, (seed, guide)
        if checked == 4:
            break
    assert checked >= 2
