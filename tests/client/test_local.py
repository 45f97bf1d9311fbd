"""Bots that use the rules: those of packs at a service, and one class at home and at a service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from gamepacks.api import Budget, MonteCarloBot, RandomBot, Rng, self_play
from gamepacks.ominoes import Ominoes
from gamepacks.ominoes.bots import GreedyBot
from omnilude import Bot, BotSeat, Turn, local, run_async
from omnilude.local import LocalBot, RulesNotInstalled, as_bot
from tests.support.games import kuhn
from tests.support.server import Running, running_server

SMALL = {"target": 4}


@pytest.fixture
async def service() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], only=["ominoes"]) as running:
        yield running


async def test_bot_of_a_pack_plays_at_a_service(service: Running) -> None:
    (played,) = await run_async(GreedyBot(), service.target, game="ominoes", against=["random"], options=SMALL, seed=1)
    assert played.error is None and played.place is not None


async def test_budget_of_a_local_bot_reaches_the_bot(service: Running) -> None:
    budgets = set()

    class Noting(RandomBot):
        def choose(self, turn: Any) -> Any:
            budgets.add(turn.budget)
            return super().choose(turn)

    bot = LocalBot(Noting(), Budget(playouts=7))
    (played,) = await run_async(bot, service.target, game="ominoes", against=["random"], options=SMALL)
    assert played.error is None and budgets == {Budget(playouts=7)}


class Searcher(Bot):
    """Searches with the rules, at home and at a service."""

    wants = ("position",)

    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, turn: Turn) -> int:
        self.decisions += 1
        return MonteCarloBot().choose(turn.local)


async def test_one_class_plays_at_home_and_at_a_service(service: Running) -> None:
    bot = Searcher()
    (played,) = await run_async(bot, service.target, game="ominoes", against=["random"], options={"target": 1})
    assert played.error is None and bot.decisions > 0
    home: Any = Searcher()
    game = Ominoes.configure(2, {"target": 1})
    end = self_play(game, [(home, Budget(playouts=5)), (RandomBot(), Budget())], Rng(1)).end
    assert home.decisions > 0 and len(end.returns()) == 2


async def test_missing_rules_are_an_error_of_the_bot(service: Running) -> None:
    (played,) = await run_async(LocalBot(RandomBot()), service.target, game="kuhn", against=["random"])
    assert isinstance(played.error, RulesNotInstalled) and "kuhn" in str(played.error)


def test_client_without_rules_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "entry_points", lambda **names: [])
    local._rules.cache_clear()
    with pytest.raises(RulesNotInstalled, match="pip install omnilude"):
        local.local_game(BotSeat(None, 0, None, None))  # type: ignore[arg-type]


def test_object_without_choose_is_refused() -> None:
    with pytest.raises(TypeError, match="int is not a bot"):
        as_bot(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is a class"):
        as_bot(GreedyBot)  # type: ignore[arg-type]
