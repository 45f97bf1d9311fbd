"""The Node bot on the real service: whole matches of Ominoes, through lost connections and a killed service."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from engine_service.matches.verify import verify
from gamepacks.api.registry import Registry
from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from omnilude_cli.node_bot import node_bot_command
from tests.node.cable import Cable
from tests.repository.tree import ROOT
from tests.support.server import ServiceProcess, running_server
from tests.support.wire import get_replay

Matches = match_service_pb2_grpc.MatchServiceStub
NODE = pb.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player="node")
# So that a match goes on for a while, however fast the machine.
LONG = {"target": "50"}


@pytest.fixture(scope="module", autouse=True)
def dependencies() -> None:
    """What `make node` does, for those who run this file alone."""
    subprocess.run([sys.executable, "tools/node.py"], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)


@asynccontextmanager
async def node_bot(address: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start the bot and wait until it is connected; at the end it is terminated, and must have logged no error."""
    player = {"OMNILUDE_PLAYER": "node", "OMNILUDE_PLAYER_KEY": "secret", "OMNILUDE_GAME": "ominoes"}
    environment = {**os.environ, "OMNILUDE_TARGET": address, **player}
    pipe = asyncio.subprocess.PIPE
    command = node_bot_command()
    bot = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
    assert bot.stdin is not None and bot.stdout is not None and bot.stderr is not None
    try:
        assert await bot.stdout.readline() == b"ready\n"
        yield bot
        bot.terminate()
        assert await bot.wait() == 0
    finally:
        if bot.returncode is None:
            bot.kill()
        _, said = await bot.communicate()
    assert re.findall(r"^.*(?:refused|seat lost|Error).*$", said.decode(), flags=re.MULTILINE) == []


async def create(matches: Matches, *seats: pb.SeatSetup, **more: object) -> str:
    request = pb.CreateMatchRequest(game="games/ominoes", seats=seats, **more)
    created: pb.CreateMatchResponse = await matches.CreateMatch(request)
    return created.match.name


def service_bot(name: str) -> pb.SeatSetup:
    return pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player=name)


async def ended(matches: Matches, name: str) -> match_pb2.Match:
    """Wait until the match has ended; returns it."""
    match = match_pb2.Match()
    async for message in matches.WatchMatch(pb.WatchMatchRequest(name=name)):
        if message.HasField("match"):
            match = message.match
    return match


async def proved(matches: Matches, name: str) -> None:
    """Its replay holds: chain, rolls, every move, result."""
    verify(await get_replay(matches, name), Registry.load(only=["ominoes"]))


async def test_node_bot_plays_many_matches_and_beats_the_random_bot() -> None:
    async with running_server(only=["ominoes"]) as running, node_bot(running.target):
        seats = [(NODE, service_bot("random")), (service_bot("random"), NODE)] * 5
        names = [await create(running.matches, *pair, ephemeral=True) for pair in seats]
        matches = await asyncio.gather(*(ended(running.matches, name) for name in names))
        for name in names:
            await proved(running.matches, name)
    assert [match.result.reason for match in matches] == [match_pb2.END_REASON_RULES] * len(names)
    won = [match.result.places[seat] == 1 for match, seat in zip(matches, [0, 1] * 5, strict=True)]
    assert sum(won) > len(won) / 2


async def test_node_bot_plays_several_seats_of_one_match() -> None:
    async with running_server(only=["ominoes"]) as running, node_bot(running.target):
        name = await create(running.matches, *[NODE] * 4)
        match = await ended(running.matches, name)
        await proved(running.matches, name)
    assert match.state == match_pb2.MATCH_STATE_FINISHED


async def test_node_bot_reconnects_without_losing_moves() -> None:
    async with running_server(only=["ominoes"]) as running, Cable(running.target) as cable, node_bot(cable.address):
        names = [await create(running.matches, NODE, NODE, option_texts=LONG) for _ in range(3)]
        playing = asyncio.gather(*(ended(running.matches, name) for name in names))
        cuts = 0
        while cuts < 5 and not playing.done():
            # Cut in the middle of play, at no moment in particular.
            await running.matches.GetMatch(pb.GetMatchRequest(name=names[0]))
            await asyncio.sleep(0.15)
            cuts += await cable.cut() > 0
        matches = await playing
        for name in names:
            await proved(running.matches, name)
    assert cuts >= 2
    assert [match.result.reason for match in matches] == [match_pb2.END_REASON_RULES] * len(names)


@pytest.mark.timeout(150)
async def test_node_bot_plays_on_after_the_service_was_killed(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, "--packs.only", "ominoes") as service:
        async with Cable(service.target) as cable, node_bot(cable.address):
            async with grpc.aio.insecure_channel(service.target) as channel:
                names = [await create(Matches(channel), NODE, NODE, option_texts=LONG) for _ in range(3)]
                await _until_in_play(Matches(channel), names)
            service.kill()
            await cable.cut()
            service.start()
            cable.target = service.target
            async with grpc.aio.insecure_channel(service.target) as channel:
                matches = await asyncio.gather(*(ended(Matches(channel), name) for name in names))
                for name in names:
                    await proved(Matches(channel), name)
    assert [match.result.reason for match in matches] == [match_pb2.END_REASON_RULES] * len(names)


async def _until_in_play(matches: Matches, names: list[str]) -> None:
    for name in names:
        async for message in matches.WatchMatch(pb.WatchMatchRequest(name=name)):
            if message.seq > 10:
                break
