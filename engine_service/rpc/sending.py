"""The sending half of a play stream: answers and turns that are due, gathered into few messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from engine_service.errors import EngineError, InternalFault
from engine_service.model import MatchState, Submitted
from engine_service.rpc import responses
from engine_service.rpc.channels import Answers, Channel, Reporter
from engine_service.rpc.connections import Call
from engine_service.rpc.errors import reason_number
from engine_service.rpc.streams import StreamSender
from engine_service.telemetry import get_logger, new_incident
from gamepacks.api.types import Seat
from omnilude.v1 import play_service_pb2 as pb

BYTES_PER_MESSAGE = 1 << 20
"""About how much goes into one message; clients take 4 MiB by default."""
COSTLY_BYTES = 1 << 15
"""The same where more is asked for than codes: each byte takes about a microsecond to make, and others wait."""
BYTES_OF_MATCH = 500
ANSWERS_PER_MESSAGE = 2000
"""No more is read while so many answers wait to be sent."""
GATHER_FROM = 8
"""With so many decisions told and not yet answered, the sender gathers before it sends."""
GATHER_SECONDS = 0.001
GATHER_TURNS = 4
"""So many times GATHER_SECONDS at most."""
GATHER_SHARE = 5
"""The answers to one in so many of those decisions are enough."""
HEARTBEAT = pb.PlayResponse().SerializeToString()
RETIRED = 1000
"""So many closed channels are remembered, for moves that were on their way when the match ended."""

log = get_logger("engine_service.rpc.play")


class Sending:
    """What a session has to tell, and the task that tells it; the session's other half reads."""

    def __init__(self, sender: StreamSender) -> None:
        self._sender = sender
        self._reporter = Reporter(pb.Hello())
        self._channels: dict[int, Channel] = {}
        self._retired: dict[int, tuple[str, Seat]] = {}
        self._marked: list[Channel] = []
        self._answers = Answers()
        self._waiting_answers = 0
        self._room: asyncio.Future[None] | None = None
        self._in_flight: set[asyncio.Task[None]] = set()
        self._finishing = False
        self._closed = False
        self._call: Call | None = None

    # -- answers -------------------------------------------------------------------------------------------------

    def _later(self, channel: Channel, seq: int, doing: Awaitable[Any]) -> None:
        """Answer when it is done; until then the channel tells nothing else."""

        async def answer() -> None:
            try:
                done = await doing
            except Exception as error:
                self._refuse(channel.number, seq, error)
            else:
                if self._call is not None:
                    self._call.accepted()
                if isinstance(done, Submitted):
                    self._answers.plain.add_result(channel.number, seq, done.action_seq)
                    self._answered()
            finally:
                channel.in_flight -= 1
                if not channel.in_flight:
                    channel.on_change(channel.live)

        channel.in_flight += 1
        self._start(answer())

    def _start(self, doing: Any) -> None:
        task = asyncio.get_running_loop().create_task(doing)
        self._in_flight.add(task)
        task.add_done_callback(self._in_flight.discard)

    def _refuse(self, number: int, seq: int, error: Exception) -> None:
        if not isinstance(error, EngineError):
            fault = InternalFault(new_incident())
            log.error("internal fault", method="Play", incident=fault.incident, exc_info=error)
            error = fault
        self._count(error)
        self._answers.message.results.add(
            channel=number,
            seq=seq,
            error=reason_number(error),
            message=error.message,
            pack_reason=error.metadata.get("pack_reason", ""),
        )
        self._answered()

    def _count(self, error: EngineError) -> None:
        """Count an entry that was refused against the connection."""
        if self._call is not None:
            self._call.refused(error)

    def _answered(self) -> None:
        self._waiting_answers += 1
        self._sender.wake()

    async def _wait_for_room(self) -> None:
        while self._waiting_answers >= ANSWERS_PER_MESSAGE and not self._closed:
            self._room = asyncio.get_running_loop().create_future()
            await self._room

    # -- sending -------------------------------------------------------------------------------------------------

    def mark(self, channel: Channel) -> None:
        """A channel has something to tell."""
        marked = self._marked
        if not marked:
            self._sender.wake()
        marked.append(channel)

    async def _send(self) -> None:
        sender = self._sender
        while True:
            woken = await sender.wait()
            if self._reporter.asked >= GATHER_FROM:
                await self._gather()
            response = self._collect()
            if response is not None:
                await sender.send(response)
            elif not woken:
                await sender.send(HEARTBEAT)
            if self._marked or self._waiting_answers:
                sender.wake()
            elif sender.ending is not None:
                raise sender.ending
            elif self._finishing:
                return

    async def _gather(self) -> None:
        """Many decisions are out: what moves bring goes into few messages, and then so do the moves that answer those.

        It waits for the answers to a share of them, and not long: a decision may be out for hours.
        """
        enough = self._reporter.asked // GATHER_SHARE
        for _ in range(GATHER_TURNS if enough >= GATHER_FROM else 1):
            if self._sender.ending is not None or self._finishing:
                return
            await asyncio.sleep(GATHER_SECONDS)
            if self._waiting_answers >= enough:
                return

    def _collect(self) -> bytes | None:
        """All answers and as much of what channels have to tell as one message should hold; None: nothing."""
        answers, size = self._answers, self._waiting_answers
        self._waiting_answers = 0
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        marked, self._marked = self._marked, []
        most = COSTLY_BYTES if self._reporter.costly else BYTES_PER_MESSAGE
        for index, channel in enumerate(marked):
            channel.marked = False
            if channel.in_flight or not channel.open:
                continue
            size += self._reporter.report(channel, answers)
            if channel.live.now.state >= MatchState.FINISHED and not channel.marked:
                answers.message.ended.add(
                    channel=channel.number, match=responses.match(channel.live.info(channel.viewer))
                )
                size += BYTES_OF_MATCH
                self._retire(channel)
            if size > most:
                self._marked += marked[index + 1 :]
                break
        return answers.take() if size else None

    # -- channels ------------------------------------------------------------------------------------------------

    def _detach(self, channel: Channel) -> None:
        channel.open = False
        self._reporter.answered(channel)
        channel.live.unsubscribe(channel)
        self._channels.pop(channel.number, None)

    def _retire(self, channel: Channel) -> None:
        self._detach(channel)
        self._retired[channel.number] = (channel.live.name, channel.seat)
        if len(self._retired) > RETIRED:
            self._retired.pop(next(iter(self._retired)))
