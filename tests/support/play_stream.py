"""A plain client of the play stream for tests: sends given requests and collects the responses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from omnilude.v1 import match_pb2
from omnilude.v1 import play_service_pb2 as pb
from tests.support.server import Running

RECEIVE_TIMEOUT = 30.0
"""Timeout in seconds of a receive, which only a failing test reaches."""


class PlayStream:
    """A play stream. ``responses`` has all responses, ``turns`` the newest turn of each channel."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.responses: list[pb.PlayResponse] = []
        self.turns: dict[int, pb.Turn] = {}
        self.attached: dict[int, pb.Attached] = {}
        self.results: list[pb.MoveResult] = []
        self.events: dict[int, list[match_pb2.MatchEvent]] = {}
        self.invitations: list[pb.Invitation] = []
        self.ended: dict[int, match_pb2.Match] = {}
        self.heartbeats = 0
        self.welcome: pb.Welcome | None = None

    async def send(self, **fields: Any) -> None:
        """Send one request with these fields."""
        await self.call.write(pb.PlayRequest(**fields))

    async def move(self, channel: int, code: int | None = None, seq: int | None = None, **more: Any) -> None:
        """Answer the newest turn of a channel, by default with its first legal code."""
        turn = self.turns.get(channel)
        if code is None and "typed_action" not in more:
            assert turn is not None
            code = turn.codes[0]
        if seq is None:
            assert turn is not None
            seq = turn.seq
        if code is not None:
            more["code"] = code
        await self.send(moves=[pb.Move(channel=channel, seq=seq, **more)])

    async def receive(self) -> pb.PlayResponse:
        """Receive the next message, which may be a heartbeat."""
        response = await asyncio.wait_for(self.call.read(), RECEIVE_TIMEOUT)
        if response is grpc.aio.EOF:
            raise EOFError
        self._take(response)
        return response

    async def until(self, condition: Callable[[PlayStream], Any]) -> None:
        """Receive until the condition holds."""
        while not condition(self):
            await self.receive()

    async def result(self, number: int = 1) -> pb.MoveResult:
        """Receive until there are ``number`` results; returns the last of them."""
        await self.until(lambda stream: len(stream.results) >= number)
        return self.results[number - 1]

    async def turn(self, channel: int, after: int = 0) -> pb.Turn:
        """Receive until the channel has a turn after record ``after``; returns it."""
        await self.until(lambda stream: channel in stream.turns and stream.turns[channel].seq > after)
        return self.turns[channel]

    def _take(self, response: pb.PlayResponse) -> None:
        self.responses.append(response)
        if not response.ListFields():
            self.heartbeats += 1
        if response.HasField("welcome"):
            self.welcome = response.welcome
        self.invitations += response.invitations
        self.attached.update({attached.channel: attached for attached in response.attached})
        self.results += response.results
        for update in response.updates:
            self.events.setdefault(update.channel, []).extend(update.events)
        self.turns.update({turn.channel: turn for turn in response.turns})
        self.ended.update({ended.channel: ended.match for ended in response.ended})


@asynccontextmanager
async def play_stream(running: Running, metadata: Any = None, **hello: Any) -> AsyncIterator[PlayStream]:
    """Open a stream and say hello; a name goes with a key."""
    if "player" in hello:
        hello.setdefault("player_key", "key")
    call = running.plays.Play(metadata=metadata)
    stream = PlayStream(call)
    await stream.send(hello=pb.Hello(**hello))
    try:
        yield stream
    finally:
        call.cancel()
