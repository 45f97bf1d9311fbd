"""Sending on streams: waiting for messages, heartbeats, and the end of streams whose readers stall."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc

from engine_service.errors import EngineError, ShuttingDown, SlowConsumer


def start_reading(context: grpc.aio.ServicerContext[Any, Any]) -> asyncio.Future[Any]:
    """Start reading the next message of a stream.

    The caller may abandon the future but must not cancel it, because that would leave its operation behind in gRPC.
    """
    task = asyncio.ensure_future(context.read())
    task.add_done_callback(retrieve_error)
    return task


def retrieve_error(task: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a task that nobody waits for any more."""
    if not task.cancelled():
        task.exception()


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """Settings of streams, from ``[server]`` of the configuration."""

    heartbeat_seconds: float
    stall_seconds: float
    max_channels: int
    max_entries: int


class StreamSender:
    """Sends the messages of one stream.

    One task sends; any code on the event loop may call :meth:`wake` and :meth:`end`. One timer for each stream, not for
    each message, triggers heartbeats and detects stalled readers.
    """

    def __init__(self, context: grpc.aio.ServicerContext[Any, Any], settings: StreamSettings) -> None:
        self._write = context.write
        self._loop = asyncio.get_running_loop()
        self._settings = settings
        self._woken = False
        self._heartbeat_due = False
        self._waiter: asyncio.Future[None] | None = None
        self._ending: EngineError | None = None
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done when the stream is to end."""
        self.stalled = False
        """Whether a message could not be sent; then only a status can be sent."""
        self._sent_at = self._loop.time()
        self._sending_since: float | None = None
        self._period = min(settings.heartbeat_seconds, settings.stall_seconds) / 4
        self._timer = self._loop.call_later(self._period, self._tick)
        self._task: asyncio.Task[Any] | None = None
        self.resume_seq = 0
        """Sequence number after which a reader that was too slow can resume."""

    def wake(self) -> None:
        """Wake the sending task, because there is something to send."""
        self._woken = True
        self._call_sender()

    def _call_sender(self) -> None:
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def end(self, error: EngineError) -> None:
        """End the stream with this error after what is ready has been sent. Only the first error counts."""
        if self._ending is None:
            self._ending = error
            if not self.ended.done():
                self.ended.set_result(None)
            self.wake()

    @property
    def ending(self) -> EngineError | None:
        """The error with which the stream ends; None before."""
        return self._ending

    async def wait(self) -> bool:
        """Wait for something to send; returns False if only a heartbeat is due.

        Several calls of :meth:`wake` in one iteration of the event loop have the effect of one.
        """
        while not (self._woken or self._heartbeat_due):
            self._waiter = self._loop.create_future()
            await self._waiter
            self._waiter = None
        woken = self._woken
        self._woken = self._heartbeat_due = False
        return woken

    async def send(self, message: Any) -> None:
        """Send one message. Raises SlowConsumer if the reader has taken nothing for too long."""
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
                self._heartbeat_due = True
                self._call_sender()
        elif now - since > self._settings.stall_seconds and not self.stalled:
            self.stalled = True
            assert self._task is not None
            self._task.cancel()
        self._timer = self._loop.call_later(self._period, self._tick)


class OpenStreams:
    """All open streams of a server, which are ended at its shutdown."""

    def __init__(self) -> None:
        self._open: dict[StreamSender, None] = {}
        self._closing = False

    def __len__(self) -> int:
        return len(self._open)

    def add(self, stream: StreamSender) -> None:
        """Add a stream; it is ended at once if the service is shutting down."""
        self._open[stream] = None
        if self._closing:
            stream.end(ShuttingDown())

    def remove(self, stream: StreamSender) -> None:
        """Remove a stream that is closed."""
        stream.close()
        self._open.pop(stream, None)

    def shut_down(self) -> None:
        """End all streams, and those that are added later."""
        self._closing = True
        for stream in list(self._open):
            stream.end(ShuttingDown())
