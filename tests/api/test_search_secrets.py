"""Searches in the games of every pack depend only on facts that their seat knows."""

from __future__ import annotations

import pytest

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamepacks.api import Registry
from gamepacks.api.bots import Budget, GreedyBot, RegretBot, Turn, flat_search, tree_search
from gamepacks.api.game import Game
from gamepacks.api.types import Seat

ENTRIES = Registry.load(strict=True).games.values()
GAMES = [entry.game for entry in ENTRIES]
BOTS = {entry.game.id: entry.bots for entry in ENTRIES}


def decisions(game: Game[object], count: int) -> list[tuple[State, int]]:
    """States of random matches, each with a seat that has a choice there."""
    found: list[tuple[State, int]] = []
    rng = Rng(3)
    while len(found) < count:
        state, plies = game.initial_state(), 0
        while (actor := state.actor()) != TERMINAL and len(found) < count:
            plies += 1
            if actor == CHANCE:
                state.apply_unchecked(rng.weighted(state.chance()))
                continue
            seat = (state.seats_to_act() & -state.seats_to_act()).bit_length() - 1 if actor == SIMULTANEOUS else actor
            legal = state.legal(seat)
            if plies % 25 == 0 and 1 < len(legal) < 200:
                found.append((state.clone(), seat))
            state.apply_unchecked(rng.choice(legal), seat)
    return found


@pytest.mark.parametrize("game_type", GAMES, ids=lambda game: game.id)
def test_equal_information_and_equal_seeds_give_equal_choices(game_type: type[Game[object]]) -> None:
    game = game_type.configure(2)
    differing = 0
    for state, seat in decisions(game, 6):
        one, other = state.resample(seat, Rng(1)), state.resample(seat, Rng(2))
        differing += one.to_bytes() != other.to_bytes()
        found = []
        for world in (one, other):
            search = tree_search(game)
            search.run(world, seat, Rng(5), iterations=12)
            found.append((search.ranking(seat), search.mean_returns()))
        assert found[0] == found[1]
        flat = [flat_search(world, seat, Rng(5), 4, 0.0) for world in (one, other)]
        assert flat[0] == flat[1]
        if "greedy" in BOTS[game.id]:
            greedy = [GreedyBot().choose(Turn(game, world, Seat(seat), Rng(5))) for world in (one, other)]
            assert greedy[0] == greedy[1]
        if "regret" in BOTS[game.id]:
            regret = [RegretBot().choose(Turn(game, world, Seat(seat), Rng(5), Budget(1))) for world in (one, other)]
            assert regret[0] == regret[1]
    assert differing > 0 or not game.capabilities.hidden
