"""At every decision of random games the legal list is that of the specification (sections 15.3 and 15.4)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.omega import Omega
from tests.omega.fixtures import library
from tests.omega.legality_oracle import LegalityOracle
from tests.omega.test_invariants import DENSE, preferred
from tests.omega.test_options import VALUES


def compare(game: Omega, seed: int, steps: int) -> set[int]:
    """Play at random and compare each legal list with the oracle; returns the kinds of decisions met."""
    rng, state, kinds = Rng(seed), game.initial_state(), set[int]()
    for _ in range(steps):
        actor = state.actor()
        if actor == TERMINAL:
            break
        if actor == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        legal = state.legal()
        assert len(set(legal)) == len(legal)
        values = state.dump()
        assert set(legal) == LegalityOracle(game, values).legal(), values
        # Nobody else has anything to decide.
        assert all(not state.legal(seat) for seat in range(game.players) if seat != actor)
        kinds.add(state.pending[0] if state.pending else 0)
        state.apply(preferred(rng, state))
    return kinds


@given(
    players=st.integers(2, 4),
    options=st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in VALUES.items() if name not in ("start_player", "max_turns")}
    ),
    seed=st.integers(0, 1 << 32),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_legal_lists_match_the_oracle_with_any_options(players: int, options: dict[str, Any], seed: int) -> None:
    cards = library(DENSE, squares=12, eye=12)
    compare(Omega.configure(players, {**options, "card_set": "fixture", "max_turns": 60}, cards), seed, 1_000)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_legal_lists_match_the_oracle_in_games_of_the_house_set(players: int) -> None:
    kinds = compare(Omega.configure(players, {"max_turns": 30 * players}), players, 10_000)
    assert len(kinds) >= 10
