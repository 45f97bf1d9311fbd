"""Omen over gRPC: remote bots play whole matches, and their replays are proved."""

from __future__ import annotations

from typing import Any

import pytest

from engine_service.log.replay import read
from engine_service.matches.verify import verify
from gamepacks.api import Budget, Registry
from omnilude import AsyncClient, Invited, Player
from omnilude.v1 import match_pb2
from omnilude_cli.installed_bot import InstalledBot
from tests.support.server import running_server

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "omen": [{}, {"start": "emissary", "spirits": True, "heroes": True, "whims": True, "relics": True}],
    "omen-traits": [{}, {"combined": True}],
}


@pytest.mark.parametrize("game", [*OPTIONS])
async def test_remote_bots_play_matches_whose_replays_hold(game: str) -> None:
    registry = Registry.load(only=["omen"], strict=True)
    async with running_server(only=["omen"]) as running, AsyncClient(running.target, timeout=60.0) as client:
        greedy = Player(InstalledBot("greedy", Budget()), client, name="ann", games=[game], seed=1)
        chance = Player(InstalledBot("random", Budget()), client, name="bob", games=[game], seed=2)
        async with greedy, chance:
            for options in OPTIONS[game]:
                match = await client.create(game, [Invited("ann"), Invited("bob")], options=options)
                ended = match.created
                async for update in match.watch():
                    ended = update.match
                assert ended.state == match_pb2.MATCH_STATE_FINISHED
                report = verify(read(await match.replay()), registry)
                assert report.rolls_proved > 0 and report.result is not None
