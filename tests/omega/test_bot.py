"""The pack's own bot: it plays by the rules, the same each time, looks at no secrets, and better than chance."""

from __future__ import annotations

import pytest

from cext.random import Rng
from cext.state import CHANCE
from gamepacks.api.bots import Budget, RandomBot, Turn
from gamepacks.api.registry import Registry
from gamepacks.api.selfplay import self_play
from gamepacks.api.types import Seat
from gamepacks.omega import Omega

BOTS = Registry.load(only=["omega"], strict=True).game("omega").bots
(NAME,) = (name for name, bot in BOTS.items() if bot.game_id == "omega")
BOT = BOTS[NAME]


def test_planner_is_inline_and_belongs_to_omega() -> None:
    assert BOT.game_id == "omega" and BOT.inline


@pytest.mark.parametrize("players", [2, 4])
def test_planner_chooses_a_legal_action_and_leaves_the_state_unchanged(players: int) -> None:
    state, rng = Omega.configure(players).initial_state(), Rng(players)
    for _ in range(260):
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seat, before = Seat(state.actor()), state.to_bytes()
        sample = state.resample(seat, rng)
        choice = BOT.choose(Turn(state.game, sample, seat, Rng(5), Budget(playouts=20)))
        assert choice in state.legal()
        assert state.to_bytes() == before
        # The same state, seed and budget give the same choice.
        assert BOT.choose(Turn(state.game, state.resample(-2, rng), seat, Rng(5), Budget(playouts=20))) == (
            BOT.choose(Turn(state.game, state.clone(), seat, Rng(5), Budget(playouts=20)))
        )
        state.apply(choice)


@pytest.mark.parametrize("players", [2, 3])
def test_planner_beats_random_play(players: int) -> None:
    won = 0
    for seed in range(4):
        game = Omega.configure(players, {"max_turns": 20 * players})
        seated = [(BOT if seat == seed % players else RandomBot(), Budget(playouts=40)) for seat in range(players)]
        won += self_play(game, seated, Rng(seed)).end.returns()[seed % players] > 0
    assert won >= 3
