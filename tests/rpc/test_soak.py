"""Streams that are opened and ended in many ways leave no task, channel or subscription behind.

Objects are counted when all streams have ended, after a first round, which creates the objects that stay.
"""

from __future__ import annotations

import asyncio
import gc
import random
from collections import Counter
from collections.abc import AsyncIterator

import grpc
import pytest

from engine_service.matches.events import EventCursor
from engine_service.rpc.play.channels import Channel
from engine_service.rpc.play.service import Session
from engine_service.rpc.streams import StreamSender
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import match_service_pb2_grpc, play_service_pb2_grpc
from omnilude.v1 import play_service_pb2 as play_pb
from tests.support.games import kuhn
from tests.support.server import Running, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, new_match

ROUNDS = 4
STREAMS = 40
KINDS = (Session, Channel, StreamSender, EventCursor)


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], settings={"server.heartbeat_seconds": 0.05}) as running:
        yield running


async def a_play_stream(running: Running, table: RemoteMatch, rng: random.Random) -> None:
    """Open a play stream for both seats, and end it at a random point."""
    end = rng.choice(["at once", "after hello", "in a turn", "channel", "close", "detach"])
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(running.target, options=options) as channel:
        call = play_service_pb2_grpc.PlayServiceStub(channel).Play()
        if end == "at once":
            call.cancel()
            return
        attach = [play_pb.Attach(channel=seat, match=table.name, token=table.seats[seat]) for seat in range(2)]
        hello = play_pb.Hello(player=f"player {rng.random()}", player_key="k", events=True, views=True)
        await call.write(play_pb.PlayRequest(hello=hello, attach=attach))
        if end == "after hello":
            call.cancel()
            return
        turn = None
        while turn is None:
            response = await call.read()
            turn = next(iter(response.turns), None)
        if end == "in a turn":
            # The move may or may not be made; nobody waits for its answer.
            await call.write(play_pb.PlayRequest(moves=[play_pb.Move(channel=turn.channel, seq=turn.seq, code=-1)]))
            call.cancel()
        elif end == "close":
            await call.done_writing()
            while await call.read() is not grpc.aio.EOF:
                pass
        elif end == "detach":
            await call.write(play_pb.PlayRequest(detach=[0, 1]))
            await call.read()
            call.cancel()


async def a_watch_stream(running: Running, table: RemoteMatch, rng: random.Random) -> None:
    """Open a watch stream, read little or nothing, and end it."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(running.target, options=options) as channel:
        call = match_service_pb2_grpc.MatchServiceStub(channel).WatchMatch(
            pb.WatchMatchRequest(name=table.name, views=True), timeout=rng.choice([None, 0.02, 30])
        )
        for _ in range(rng.randrange(3)):
            try:
                await call.read()
            except grpc.aio.AioRpcError:
                return  # its time was over
        if rng.random() < 0.8:
            call.cancel()


async def left(running: Running) -> dict[str, int]:
    """Returns the numbers of objects that must not accumulate, after all streams have ended."""
    server = running.server
    await until(lambda: server.streams == 0 and server._interceptor.active == 0)
    await asyncio.sleep(0.1)
    gc.collect()
    counted = Counter(type(thing).__name__ for thing in gc.get_objects() if isinstance(thing, KINDS))
    listeners = sum(len(live.listeners) for live in server.host._runtime.cache)
    return {"tasks": len(asyncio.all_tasks()), "listeners": listeners, **counted}


async def test_streams_that_come_and_go_leave_nothing_behind(running: Running) -> None:
    rng = random.Random(5)
    tables = [await new_match(running, "kuhn") for _ in range(5)]
    after: list[dict[str, int]] = []
    for _ in range(ROUNDS):
        await asyncio.gather(
            *(rng.choice([a_play_stream, a_watch_stream])(running, rng.choice(tables), rng) for _ in range(STREAMS)),
        )
        after.append(await left(running))
    assert after[-1] == {"tasks": after[0]["tasks"], "listeners": 0}
    call = running.plays.Play()
    await call.write(play_pb.PlayRequest(hello=play_pb.Hello(player="ann", player_key="k")))
    assert (await call.read()).HasField("welcome")
    call.cancel()
