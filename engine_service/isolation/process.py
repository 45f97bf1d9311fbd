"""Client of an isolated pack's process: starts the process, calls it with a time limit, and replaces it."""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.process import BaseProcess
from typing import Any

from engine_service.hosting.workers import LENGTH, PROCESS_START_S
from engine_service.isolation.worker import OUT_OF_MEMORY, ErrorReply, ProcessSettings, dump, serve
from engine_service.pack_guard import ProcessLost

log = logging.getLogger(__name__)

ATTEMPTS = 2
"""Number of processes that one call may end. A call that takes too long is not repeated."""


class IsolatedPackError(Exception):
    """A pack has raised an exception that cannot be pickled; the text is the exception's type."""


class CallTimeout(Exception):
    """A call has not returned in time."""


class _Process:
    """One process, ready for calls."""

    def __init__(self, name: str, settings: ProcessSettings) -> None:
        """Start it and wait until the pack is imported there. Raises OSError, EOFError, CallTimeout."""
        ours, theirs = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        self._pipe = ours
        self._process: BaseProcess = context.Process(
            target=serve, args=(theirs, settings), name=f"pack {name}", daemon=True
        )
        try:
            self._process.start()
            theirs.close()
            self._receive(time.monotonic() + PROCESS_START_S)
        except BaseException:
            theirs.close()
            self.end()
            raise

    def exchange(self, request: bytes, seconds: float) -> bytes:
        """Send a request and return the reply. Raises OSError or EOFError if the process ends; CallTimeout."""
        deadline = time.monotonic() + seconds
        self._pipe.settimeout(seconds)
        try:
            self._pipe.sendall(LENGTH.pack(len(request)) + request)
        except TimeoutError:
            raise CallTimeout from None
        return self._receive(deadline)

    def _receive(self, deadline: float) -> bytes:
        (length,) = LENGTH.unpack(self._read(LENGTH.size, deadline))
        return self._read(length, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        received = b""
        while len(received) < size:
            self._pipe.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                part = self._pipe.recv(size - len(received))
            except TimeoutError:
                raise CallTimeout from None
            if not part:
                raise EOFError
            received += part
        return received

    def end(self) -> str:
        """Kill the process; returns how it had ended before, in words, or "" if it was running."""
        code = None
        if self._process.pid is not None:
            self._process.join(0.05)
            code = self._process.exitcode
            self._process.kill()
            self._process.join()
        with suppress(OSError):
            self._pipe.close()
        return "" if code is None else "out of memory" if code == OUT_OF_MEMORY else f"exit code {code}"


class PackProcess:
    """The process that answers the calls of one pack, one at a time, with a spare process that can replace it at once.

    Thread-safe.
    """

    def __init__(self, name: str, settings: ProcessSettings, call_s: float) -> None:
        self.name = name
        self.call_s = call_s
        """Time limit of a call, in seconds."""
        self.lost = 0
        """Number of processes that ended in a call or had to be ended."""
        self._settings = settings
        self._lock = threading.Lock()
        self._starter = ThreadPoolExecutor(1, f"starter of pack {name}")
        self._current: _Process | None = None
        self._spare: Future[_Process] | None = None
        self._closed = False

    def start(self) -> None:
        """Start the process and wait for it. Raises ProcessLost."""
        with self._lock:
            self._ready()

    def call(self, method: str, *arguments: Any) -> Any:
        """Returns the result of a method in the process. Raises what the pack raises there, or ProcessLost.

        A call that ends the process is repeated once in a new one, because an earlier call may have been the cause.
        """
        request = dump((method, arguments))
        with self._lock:
            for attempt in range(ATTEMPTS):
                process = self._ready()
                try:
                    answer = pickle.loads(process.exchange(request, self.call_s))
                    break
                except CallTimeout:
                    self._replace(process, f"no answer after {self.call_s:g} s")
                    raise ProcessLost(f"no answer after {self.call_s:g} s") from None
                except (OSError, EOFError) as error:
                    how = self._replace(process, type(error).__name__)
                    if attempt == ATTEMPTS - 1:
                        raise ProcessLost(how) from None
                except BaseException:
                    # An interrupt, or an unreadable reply: the state of the pipe is unknown.
                    self._replace(process, "a call was interrupted")
                    raise
        if isinstance(answer, ErrorReply):
            raise _error_of(answer)
        return answer

    def close(self) -> None:
        """End the processes."""
        self._closed = True
        with self._lock:
            if self._current is not None:
                self._current.end()
                self._current = None
            spare, self._spare = self._spare, None
        if spare is not None and not spare.cancel():
            with suppress(Exception):
                spare.result().end()
        self._starter.shutdown()

    def _ready(self) -> _Process:
        """Returns the process to call now. Raises ProcessLost if none can be started."""
        if self._current is None:
            if self._closed:
                raise ProcessLost("the service ends")
            if self._spare is None:
                self._spare = self._start()
            try:
                # A caller that is interrupted here leaves the process behind as the spare one.
                self._current = self._spare.result()
            except (OSError, EOFError, CallTimeout) as error:
                self._spare = None
                raise ProcessLost(f"no process could be started: {type(error).__name__}") from None
            self._spare = self._start()
        return self._current

    def _start(self) -> Future[_Process]:
        return self._starter.submit(_Process, self.name, self._settings)

    def _replace(self, process: _Process, why: str) -> str:
        """End a process; returns how it ended."""
        how = process.end() or why
        self._current = None
        self.lost += 1
        log.error("the process of pack %s is replaced: %s", self.name, how)
        return how


def _error_of(raised: ErrorReply) -> BaseException:
    error: BaseException = pickle.loads(raised.error) if raised.error else IsolatedPackError(raised.kind)
    with suppress(AttributeError):
        error.remote_location = raised.location  # type: ignore[attr-defined]
    return error
