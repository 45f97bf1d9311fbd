"""The bots of the pack: their choices are legal, repeatable and independent of secrets, and they beat random play."""

from __future__ import annotations

import pytest

from cext.random import Rng
from cext.state import CHANCE
from gamepacks.api.bots import Budget, PackBot, RandomBot, Turn
from gamepacks.api.registry import Registry
from gamepacks.api.selfplay import self_play
from gamepacks.api.types import Seat
from gamepacks.omega import Omega

BOTS = Registry.load(only=["omega"], strict=True).game("omega").bots
own_bots = pytest.mark.parametrize("bot", [BOTS["planner"], BOTS["greedy"]], ids=lambda bot: bot.name)


@own_bots
def test_bots_are_inline_and_belong_to_omega(bot: PackBot) -> None:
    assert bot.game_id == "omega" and bot.inline


@own_bots
@pytest.mark.parametrize("players", [2, 4])
def test_bot_chooses_a_legal_action_and_leaves_the_state_unchanged(bot: PackBot, players: int) -> None:
    state, rng = Omega.configure(players).initial_state(), Rng(players)
    for _ in range(260):
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seat, before = Seat(state.actor()), state.to_bytes()
        sample = state.resample(seat, rng)
        choice = bot.choose(Turn(state.game, sample, seat, Rng(5), Budget(playouts=20)))
        assert choice in state.legal()
        assert state.to_bytes() == before
        # The same state, seed and budget give the same choice.
        assert bot.choose(Turn(state.game, state.resample(-2, rng), seat, Rng(5), Budget(playouts=20))) == (
            bot.choose(Turn(state.game, state.clone(), seat, Rng(5), Budget(playouts=20)))
        )
        state.apply(choice)


@own_bots
@pytest.mark.parametrize("players", [2, 3])
def test_bot_beats_random_play(bot: PackBot, players: int) -> None:
    won = 0
    for seed in range(4):
        game = Omega.configure(players, {"max_turns": 20 * players})
        seated = [(bot if seat == seed % players else RandomBot(), Budget(playouts=40)) for seat in range(players)]
        won += self_play(game, seated, Rng(seed)).end.returns()[seed % players] > 0
    assert won >= 3
