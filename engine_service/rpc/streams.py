"""The sending half of a stream: it waits for something to send, keeps the beat, gives up on whoever does not read."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc

from engine_service.errors import EngineError, ShuttingDown, SlowConsumer


def reading(context: grpc.aio.ServicerContext[Any, Any]) -> asyncio.Future[Any]:
    """Start to read the next message of a stream.

    It may be left behind but not cancelled, which would leave its operation behind in gRPC.
    """
    task = asyncio.ensure_future(context.read())
    task.add_done_callback(forget)
    return task


def forget(task: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a task that nobody waits for any more."""
    if not task.cancelled():
        task.exception()


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """What streams are held to; see ``[server]`` of the configuration."""

    heartbeat_seconds: float
    stall_seconds: float
    max_channels: int
    max_entries: int


class StreamSender:
    """Owned by the one task that sends; :meth:`wake` and :meth:`end` may be called by anybody on the loop.

    While that task waits, another may send in its place (:meth:`hold`): gRPC takes one message of a stream at a time.

    One timer for each stream, not for each message, sees to the beat and to stalled readers.
    """

    def __init__(self, context: grpc.aio.ServicerContext[Any, Any], settings: StreamSettings) -> None:
        self._write = context.write
        self._loop = asyncio.get_running_loop()
        self._settings = settings
        self._woken = False
        self._beat_due = False
        self._waiter: asyncio.Future[None] | None = None
        self._ending: EngineError | None = None
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done once the stream is to end."""
        self.stalled = False
        """Did a message get stuck? Then nothing can be sent any more but a status."""
        self._sent_at = self._loop.time()
        self._sending_since: float | None = None
        self._period = min(settings.heartbeat_seconds, settings.stall_seconds) / 4
        self._timer = self._loop.call_later(self._period, self._tick)
        self._held = False
        self._task: asyncio.Task[Any] | None = None
        self.resume_seq = 0
        """What a reader that is given up on resumes with."""

    def wake(self) -> None:
        """There is something to send."""
        self._woken = True
        self._call_sender()

    def hold(self) -> bool:
        """Send in the sender's place until :meth:`release`, if it is waiting for something to send; else False."""
        waiter = self._waiter
        self._held = waiter is not None and self._ending is None and not waiter.done()
        return self._held

    def met(self) -> None:
        """Whatever has woken it so far is being sent."""
        self._woken = False

    def release(self) -> None:
        """The sender sends again, at once where there is something; not after a message that got stuck."""
        self._held = self.stalled
        if self._woken or self._beat_due:
            self._call_sender()

    def _call_sender(self) -> None:
        waiter = self._waiter
        if waiter is not None and not self._held and not waiter.done():
            waiter.set_result(None)

    def end(self, error: EngineError) -> None:
        """End the stream with this error once what is ready has been sent; the first one counts."""
        if self._ending is None:
            self._ending = error
            if not self.ended.done():
                self.ended.set_result(None)
            self.wake()

    @property
    def ending(self) -> EngineError | None:
        """Why the stream ends, once it does."""
        return self._ending

    async def wait(self) -> bool:
        """Until there is something to send: True; False for a heartbeat.

        What wakes it within one pass of the loop is met by one awakening.
        """
        while not (self._woken or self._beat_due):
            self._waiter = self._loop.create_future()
            await self._waiter
            self._waiter = None
        woken = self._woken
        self._woken = self._beat_due = False
        return woken

    async def send(self, message: Any) -> None:
        """Send one message. Raises SlowConsumer where the reader has taken nothing for too long."""
        self._sending_since = self._loop.time()
        self._task = asyncio.current_task()
        try:
            await self._write(message)
        except asyncio.CancelledError:
            if self.stalled:
                raise SlowConsumer(self.resume_seq) from None
            raise
        self._sending_since = None
        self._sent_at = self._loop.time()

    def close(self) -> None:
        """Stop the timer."""
        self._timer.cancel()

    def _tick(self) -> None:
        now = self._loop.time()
        since = self._sending_since
        if since is None:
            if now - self._sent_at >= self._settings.heartbeat_seconds / 2:
                self._beat_due = True
                self._call_sender()
        elif now - since > self._settings.stall_seconds and not self.stalled:
            self.stalled = True
            assert self._task is not None
            self._task.cancel()
        self._timer = self._loop.call_later(self._period, self._tick)


class OpenStreams:
    """All open streams of a server, so that its shutdown can tell them."""

    def __init__(self) -> None:
        self._open: dict[StreamSender, None] = {}
        self._closing = False

    def __len__(self) -> int:
        return len(self._open)

    def add(self, stream: StreamSender) -> None:
        """One more; told at once where the service is shutting down already."""
        self._open[stream] = None
        if self._closing:
            stream.end(ShuttingDown())

    def remove(self, stream: StreamSender) -> None:
        """It is closed."""
        stream.close()
        self._open.pop(stream, None)

    def shut_down(self) -> None:
        """Tell all of them, and those to come."""
        self._closing = True
        for stream in list(self._open):
            stream.end(ShuttingDown())
