"""The greedy bot of Omen."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api import Budget, GreedyBot, Registry, Seat, Turn
from gamepacks.omen import Omen, OmenTraits
from tests.omen.scenario import scenario


@pytest.mark.parametrize("game_type", [Omen, OmenTraits])
def test_greedy_bot_is_registered_and_beats_random_play(game_type: type[Any]) -> None:
    bots = Registry.load(only=["omen"], strict=True).game(game_type.id).bots
    assert {"greedy", "random"} <= set(bots)
    won = 0
    for number in range(20):
        game, rng = game_type.configure(2), Rng(number)
        state = game.initial_state()
        while (actor := state.actor()) != TERMINAL:
            if actor == CHANCE:
                state.apply_unchecked(rng.weighted(state.chance()), -1)
                continue
            bot = bots["greedy" if actor == number % 2 else "random"]
            seen = state.resample(actor, rng)
            state.apply(bot.choose(Turn(game, seen, Seat(actor), rng, Budget())), actor)
        won += state.returns()[number % 2] > 0
    assert won >= 14


def test_greedy_bot_strengthens_the_contested_city() -> None:
    cities = {"c1": {"A": ["s1a", "s2a"], "B": ["s3a", "s2b"]}}
    found = scenario({"step": "surge", "A": {"coins": 2, "hand": ["s4a"]}, **cities})
    bot = GreedyBot()
    code = bot.choose(Turn(found.game, found.state.clone(), Seat(0), Rng(1), Budget()))
    assert found.label(code, 0) == "s4a"
    found.take(code, 0)
    code = bot.choose(Turn(found.game, found.state.clone(), Seat(0), Rng(1), Budget()))
    assert found.label(code, 0) == "1"
