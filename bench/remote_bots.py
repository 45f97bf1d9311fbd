"""Speed of two Python bots in processes of their own: many matches on one stream, compared with a call for each move.

The matches are ephemeral ones of Ominoes, and the bots take any legal action. What is compared is measured in short
alternating blocks.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
import time

import grpc

from bench import report
from bench.report import Row
from bench.wire import GAME, SERVICE, connected, process
from omnilude.v1 import match_pb2, match_service_pb2_grpc, replay_pb2
from omnilude.v1 import match_service_pb2 as pb

AT_ONCE = 64
ROUNDS = 4
BLOCK_S = 5.0
POLL_S = 0.1

BOT = """
import sys
from omnilude import Bot, run

class AnyAction(Bot):
    def choose(self, turn):
        return turn.rng.choice(turn.codes)

run(AnyAction(), sys.argv[1], name=sys.argv[2], seed=1)
"""


class Matches:
    """Matches of two bots that wait for invitations, a given number at once."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self._open: list[str] = []
        self.actions = 0
        """Mean number of actions in a match."""

    async def start(self) -> None:
        """Wait until both bots are connected and have played, and count the actions of a match."""
        name = await self._create()
        await self._until_all_have_ended()
        replay = replay_pb2.Replay()
        async for part in self._matches.GetReplay(pb.GetReplayRequest(name=name)):
            replay.MergeFrom(part.part)
        self.actions = sum(record.kind == match_pb2.RECORD_KIND_ACTION for record in replay.records)

    async def _create(self) -> str:
        seats = [pb.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player=f"bot-{number}") for number in range(2)]
        request = pb.CreateMatchRequest(game=f"games/{GAME}", seats=seats, ephemeral=True, seed=1)
        created: pb.CreateMatchResponse = await self._matches.CreateMatch(request)
        return created.match.name

    async def block(self) -> float:
        """Measure for a short time; returns the matches per second."""
        created, started = 0, time.perf_counter()
        while True:
            count = await self._count()
            seconds = time.perf_counter() - started
            if seconds > BLOCK_S:
                break
            for _ in range(AT_ONCE - count):
                await self._create()
                created += 1
            await asyncio.sleep(POLL_S)
        await self._until_all_have_ended()
        return (created - count) / seconds

    async def _until_all_have_ended(self) -> None:
        while await self._count():  # noqa: ASYNC110 - the service has to be asked
            await asyncio.sleep(POLL_S)

    async def _count(self) -> int:
        """Returns the number of matches that have not ended."""
        states = [match_pb2.MATCH_STATE_ACTIVE, match_pb2.MATCH_STATE_WAITING]
        return len((await self._matches.ListMatches(pb.ListMatchesRequest(page_size=200, states=states))).matches)


async def call_for_each_move(channel: grpc.aio.Channel) -> float:
    """Returns the actions per second of a match in which each move takes two calls: legal actions, and submission."""
    matches = match_service_pb2_grpc.MatchServiceStub(channel)
    created = await matches.CreateMatch(
        pb.CreateMatchRequest(game=f"games/{GAME}", seats=[pb.SeatSetup()] * 2, ephemeral=True, seed=1)
    )
    name = created.match.name
    tokens = [(await matches.JoinMatch(pb.JoinMatchRequest(name=name, player=f"p{seat}"))).token for seat in range(2)]
    rng, actions, seat, started = random.Random(1), 0, 0, time.perf_counter()
    while (seconds := time.perf_counter() - started) < BLOCK_S / 2:
        legal = await matches.ListLegalActions(pb.ListLegalActionsRequest(name=name, token=tokens[seat]))
        if not legal.codes:
            seat = 1 - seat
            continue
        request = pb.SubmitActionRequest(
            name=name, token=tokens[seat], code=rng.choice(legal.codes), expected_seq=legal.seq
        )
        actions += 1
        if (await matches.SubmitAction(request)).state != match_pb2.MATCH_STATE_ACTIVE:
            break
    return actions / seconds


async def play(target: str) -> list[tuple[float, float, float]]:
    """Returns for each round: moves per second by calls, and matches and moves per second of the two bots."""
    rounds = []
    async with connected(target) as channel:
        matches = Matches(channel)
        await matches.start()
        for _ in range(ROUNDS):
            calls, games = await call_for_each_move(channel), await matches.block()
            rounds.append((calls, games, games * matches.actions))
    return rounds


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    with process(*SERVICE) as (service_at, _):
        bots = [subprocess.Popen([sys.executable, "-c", BOT, service_at, f"bot-{number}"]) for number in range(2)]
        try:
            rounds = asyncio.run(play(service_at))
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    one, games, rate = (statistics.median(each) for each in zip(*rounds, strict=True))
    ratio = statistics.median(rate / call for call, _, rate in rounds)
    return [
        Row("moves of a match by a call for each move", one, "/s"),
        Row(f"moves of two bots in Python, {AT_ONCE} matches on one stream each", rate, "/s", ">= 5,000", rate >= 5e3),
        Row("  matches", games, "/s"),
        Row("  as a multiple of a call for each move", ratio, "x", ">= 20", ratio >= 20),
    ]


if __name__ == "__main__":
    report.main(rows)
