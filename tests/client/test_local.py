"""Bots that use the rules: those of packs at a service, and one class with and without a service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from gamepacks.api import Budget, GreedyBot, MonteCarloBot, PackBot, RandomBot, Rng, Turn, self_play
from gamepacks.ominoes import Ominoes
from omnilude import AsyncClient, Bot, BotSeat, Player, local, run_async
from omnilude.local import RulesNotInstalled
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


class Searcher(Bot):
    """Searches with the rules, with and without a service."""

    wants = ("rules",)

    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, turn: Turn) -> int:
        self.decisions += 1
        return MonteCarloBot().choose(replace(turn, budget=Budget(playouts=7)))


class LocalSearcher(Searcher):
    """Reads the rules of a turn that has other data, too."""

    wants = ("position", "view")

    def choose(self, turn: Any) -> int:
        assert turn.view is not None
        return super().choose(turn.local)


@pytest.mark.parametrize("kind", [Searcher, LocalSearcher])
async def test_bot_reads_the_rules_at_a_service(service: Running, kind: type[Searcher]) -> None:
    bot = kind()
    (played,) = await run_async(bot, service.target, game="ominoes", against=["random"], options={"target": 1})
    assert played.error is None and bot.decisions > 0


def test_same_class_plays_without_a_service() -> None:
    home = Searcher()
    game = Ominoes.configure(2, {"target": 1})
    end = self_play(game, [(home, Budget(playouts=5)), (RandomBot(), Budget())], Rng(1)).end
    assert home.decisions > 0 and len(end.returns()) == 2


async def test_missing_rules_are_an_error_of_the_bot(service: Running) -> None:
    (played,) = await run_async(RandomBot(), service.target, game="kuhn", against=["random"])
    assert isinstance(played.error, RulesNotInstalled) and "kuhn" in str(played.error)


def test_client_without_rules_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "entry_points", lambda **names: [])
    local._rules.cache_clear()
    with pytest.raises(RulesNotInstalled, match="pip install omnilude"):
        local.local_game(BotSeat(None, 0, None, None))  # type: ignore[arg-type]


async def test_object_that_is_not_a_bot_is_refused() -> None:
    async with AsyncClient("localhost:1") as client:
        with pytest.raises(TypeError, match="not a value of type int"):
            Player(3, client)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="not the class GreedyBot"):
            Player(GreedyBot, client)  # type: ignore[arg-type]


def test_bots_of_packs_are_bots_of_the_client() -> None:
    assert issubclass(PackBot, Bot)
