"""The outermost layer of every call: limits, errors to statuses, metrics, the line of a defect.

Servicers raise; this maps what they raised, once. A deliberate abort and a cancellation pass through. Messages too long
or unreadable are refused here with a typed error, which gRPC itself would not give.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from time import perf_counter
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import Message
from grpc import StatusCode
from grpc_status import rpc_status

from cext.wire import count_fields
from engine_service.errors import EngineError, InternalFault, LimitReached, MalformedMessage, ShuttingDown
from engine_service.metrics import Metrics
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.connections import Call, Connections, set_current_call
from engine_service.rpc.errors import STATUS_CODES, to_status
from engine_service.rpc.fair_queue import FairQueue
from engine_service.telemetry import get_logger, new_incident

log = get_logger("engine_service.rpc")

OURS = "/omnilude."
"""Calls of these services, and of those of packs, go through here; health, reflection and channelz answer even at the
limits."""

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context = grpc.aio.ServicerContext[Any, Any]


NO_MEMORY = LimitReached("memory", 0, "the service has no memory left for this")
NO_MEMORY_STATUS = rpc_status.to_status(to_status(NO_MEMORY))
"""Made in time: when there is no memory it could not be."""


class Refused:
    """Stands in for a request that could not be taken; servicers of streams call :func:`readable` on what they read."""

    __slots__ = ("error",)

    def __init__(self, error: EngineError) -> None:
        self.error = error


def readable(request: Any) -> Any:
    """The request, unless it was refused before it was read: then raise why."""
    if type(request) is Refused:
        raise request.error
    return request


def check_entries(data: bytes, limit: int, into: int = 0) -> None:
    """Raises LimitReached where a serialised request has more entries, those of its field ``into`` included.

    It looks at the bytes, before an object is made for each entry.
    """
    if len(data) > limit and (entries := count_fields(data, into)) > limit:
        raise too_many_entries(entries, limit)


def too_many_entries(entries: int, limit: int) -> LimitReached:
    """The refusal of a request with so many entries."""
    return LimitReached(
        "server.max_request_entries", limit, f"the request has {entries} entries; at most {limit} are taken at once"
    )


class Boundary(grpc.aio.ServerInterceptor):
    """Wraps every handler of ours; one for each server."""

    def __init__(
        self,
        metrics: Metrics,
        connections: Connections,
        queue: FairQueue,
        max_message_bytes: int,
        max_request_entries: int,
        api_token: ApiToken,
        packs: Iterable[str] = (),
    ) -> None:
        """``packs`` are full names of services that packs bring."""
        self._ours = (OURS, *(f"/{name}/" for name in packs))
        self._metrics = metrics
        self._connections = connections
        self._queue = queue
        self._api_token = api_token
        self._max_bytes = max_message_bytes
        self._max_entries = max_request_entries
        self._wrapped: dict[str, Handler] = {}
        self.active = 0
        """Calls and streams under way."""
        self.taken = 0
        """Calls and streams since the start."""
        self.closing = False
        """Calls that come from now on are refused: the service is shutting down."""
        self._idle: asyncio.Event | None = None

    async def idle(self, seconds: float) -> None:
        """Until no call is under way, or the time is over."""
        if self.active:
            self._idle = asyncio.Event()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), seconds)

    async def quiet(self, seconds: float, at_most: float) -> None:
        """Until no call has been under way, nor a new one has come, for so many seconds; or the time is over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + at_most
        before = -1
        while (self.active or before != self.taken) and loop.time() < end:
            before = self.taken
            await self.idle(end - loop.time())
            await asyncio.sleep(min(seconds, max(0.0, end - loop.time())))

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Called by gRPC for each call; the wrapped handler of a method is made once."""
        wrapped = self._wrapped.get(details.method)
        if wrapped is not None:
            return wrapped
        handler = await continuation(details)
        if handler is None or not details.method.startswith(self._ours):
            return handler
        self._wrapped[details.method] = wrapped = self._wrap(details.method, handler)
        return wrapped

    def _wrap(self, method: str, handler: Handler) -> Handler:
        deserializer = self._guard(handler.request_deserializer)
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                self._around(method, _serialised(handler, handler.unary_unary)), deserializer, bytes
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._around(method, handler.unary_stream), deserializer, _unless_bytes(handler)
            )
        if handler.stream_unary is not None:
            return grpc.stream_unary_rpc_method_handler(
                self._around(method, _serialised(handler, handler.stream_unary)), deserializer, bytes
            )
        return grpc.stream_stream_rpc_method_handler(
            self._around(method, handler.stream_stream, on_trust=True), deserializer, handler.response_serializer
        )

    def _guard(self, deserializer: Any) -> Callable[[bytes], Any]:
        """Deserialize, or stand a refusal in the request's place."""
        limit = self._max_bytes

        def guarded(data: bytes) -> Any:
            if len(data) > limit:
                return Refused(
                    LimitReached(
                        "server.max_message_bytes", limit, f"the message has {len(data)} bytes; the limit is {limit}"
                    )
                )
            try:
                check_entries(data, self._max_entries)
                return deserializer(data)
            except EngineError as error:
                return Refused(error)
            except MemoryError:
                return Refused(NO_MEMORY)
            except Exception:
                return Refused(MalformedMessage("the request is no message of its type"))

        return guarded

    def _around(
        self, method: str, behaviour: Any, *, on_trust: bool = False
    ) -> Callable[[Any, Context], Awaitable[Any]]:
        """``on_trust``: a token can be shown in the messages of the stream only, once it is open."""
        observe = self._metrics.rpc_observer(method)

        async def call(request: Any, context: Context) -> Any:
            started = perf_counter()
            status = StatusCode.CANCELLED
            entered: Call | None = None
            handled: Call | None = None
            self.active += 1
            self.taken += 1
            try:
                if self.closing:
                    raise ShuttingDown()
                shows_token = not on_trust and bool(getattr(request, "token", "") or self._api_token.shown(context))
                peer = context.peer()
                size = request.ByteSize() if isinstance(request, Message) else 0
                entered = await self._connections.enter(peer, shows_token=shows_token, on_trust=on_trust, size=size)
                await self._queue.turn(peer, holder=shows_token or on_trust, size=size)
                if self.closing:
                    raise ShuttingDown()
                handled = entered
                set_current_call(handled)
                answer = await behaviour(readable(request), context)
                handled.accepted()
                status = StatusCode.OK
                return answer
            except EngineError as error:
                if handled is not None:
                    handled.refused(error)
                status = STATUS_CODES[error.reason]
                await _refuse(context, error)
            except MemoryError:
                log.error("no memory", method=method)
                status = StatusCode.RESOURCE_EXHAUSTED
                await context.abort(NO_MEMORY_STATUS.code, NO_MEMORY_STATUS.details, NO_MEMORY_STATUS.trailing_metadata)
            except grpc.aio.AbortError:
                status = _code_of(context)
                raise
            except grpc.aio.BaseError:
                # The client went while something was being sent to it; gRPC knows.
                raise
            except Exception as error:
                fault = InternalFault(new_incident())
                log.error("internal fault", method=method, incident=fault.incident, exc_info=error)
                status = StatusCode.INTERNAL
                await _refuse(context, fault)
            finally:
                if entered is not None:
                    entered.leave()
                self.active -= 1
                if self._idle is not None and not self.active:
                    self._idle.set()
                seconds = perf_counter() - started
                observe(status, seconds)
                log.debug("rpc", method=method, status=status.name, ms=round(seconds * 1000, 3))
            return None

        return call


def _unless_bytes(handler: Handler) -> Callable[[Any], bytes]:
    """The serializer, for what is not serialised already: many may be sent the same."""
    serializer: Any = handler.response_serializer
    return lambda message: message if type(message) is bytes else serializer(message)


def _serialised(handler: Handler, behaviour: Any) -> Callable[[Any, Context], Awaitable[bytes]]:
    """The behaviour of a call with one answer, which is made bytes where what goes wrong with that is still caught."""
    serializer: Any = handler.response_serializer

    async def answer(request: Any, context: Context) -> bytes:
        return bytes(serializer(await behaviour(request, context)))

    return answer


def _code_of(context: Context) -> StatusCode:
    """The status that a handler aborted with."""
    code = context.code()
    return code if isinstance(code, StatusCode) else next(known for known in StatusCode if known.value[0] == code)


async def _refuse(context: Context, error: EngineError) -> None:
    """End the call with the error's status. It does not return: gRPC's AbortError is what makes gRPC stop here."""
    status = rpc_status.to_status(to_status(error))
    await context.abort(status.code, status.details, status.trailing_metadata)
