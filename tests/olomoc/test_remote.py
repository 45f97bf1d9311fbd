"""Whole matches over gRPC: two bots connected to a service, their replays fetched and proved."""

from __future__ import annotations

import asyncio

import pytest

from engine_service.log.replay import read
from engine_service.matches.verify import verify
from gamepacks.api import Budget, Registry
from omnilude import AsyncClient, Invited, Open, Player
from omnilude.v1 import match_pb2
from omnilude_cli.installed_bot import InstalledBot
from tests.support.server import running_server


@pytest.mark.parametrize(
    ("bot", "options", "matches"),
    [
        ("random", {}, 2),
        ("random", {"build": "secret", "agenda": "gargoule"}, 1),
        ("monte-carlo", {"list_step": "100"}, 1),
    ],
)
async def test_matches_are_played_over_the_wire(bot: str, options: dict[str, str], matches: int) -> None:
    async with running_server(only=["olomoc"]) as service, AsyncClient(service.target) as client:
        budget = Budget(playouts=1)
        one = Player(InstalledBot(bot, budget), client, name="one", games=["olomoc"], seed=1)
        other = Player(InstalledBot(bot, budget), client, name="other", games=["olomoc"], seed=2)
        async with one, other:
            for number in range(matches):
                seats = [Invited("one"), Invited("other")][:: 1 - 2 * (number % 2)]
                match = await client.create("olomoc", seats, options=options)
                async for update in match.watch():
                    ended = update.match
                assert ended.state == match_pb2.MATCH_STATE_FINISHED
                report = await asyncio.to_thread(
                    verify, read(await match.replay()), Registry.load(only=["olomoc"], strict=True)
                )
                assert report.records > 30
                assert report.rolls_proved > 5


async def test_a_list_is_said_to_be_a_sample_only_where_it_is_one() -> None:
    """Lists of places are samples: any other legal point may be sent. The lists of other decisions are complete."""
    sampled: dict[bool, set[str]] = {True: set(), False: set()}
    async with running_server(only=["olomoc"]) as service, AsyncClient(service.target) as client:
        match = await client.create("olomoc", [Open(), Open()], ephemeral=True)
        seats = [await match.join("one"), await match.join("other")]
        for _ in range(60):
            seat = seats[(await match.observation()).to_act[0]]
            legal = await seat.legal_actions(typed=True)
            sampled[legal.sampled] |= {str(entry.action.WhichOneof("action")) for entry in legal.actions}
            await seat.submit_action(legal.codes[0], expected_seq=legal.seq)
    # A player who may decline to go is asked both at once.
    assert {"go"} <= sampled[True] <= {"go", "decline"}
    assert sampled[False] >= {"choose_edge", "recruit", "equip", "plan_card", "use_capacity"}
    assert "go" not in sampled[False]
