"""Error interceptor: wraps every handler with limits, error statuses, metrics and the log of defects.

Servicers raise errors of :mod:`engine_service.errors`; the interceptor maps each to its status. An abort by the handler
and a cancellation pass through. Messages that are too long or unreadable are refused here with a typed error, which
gRPC itself would not give.
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
from engine_service.observability.logs import get_logger, new_incident_id
from engine_service.observability.metrics import Metrics
from engine_service.observability.traces import RecordStatus, call_span
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.connections import Call, Connections, set_current_call
from engine_service.rpc.errors import STATUS_CODES, to_status
from engine_service.rpc.fair_queue import FairQueue

log = get_logger("engine_service.rpc")

METHOD_PREFIX = "/omnilude."
"""Prefix of the intercepted methods; those of packs are intercepted too. Health, reflection and channelz are not, so
that they are served even at the limits."""

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context = grpc.aio.ServicerContext[Any, Any]


NO_MEMORY = LimitReached("memory", 0, "the service is out of memory")
NO_MEMORY_STATUS = rpc_status.to_status(to_status(NO_MEMORY))
"""Built in advance, because building it takes memory."""


class RejectedRequest:
    """Marker of a refused request; streams pass each message that they read to :func:`check_request`."""

    __slots__ = ("error",)

    def __init__(self, error: EngineError) -> None:
        self.error = error


def check_request(request: Any) -> Any:
    """Returns the request, or raises the error for which it was refused."""
    if type(request) is RejectedRequest:
        raise request.error
    return request


def check_entries(
    data: bytes, limit: int, into: int = 0, packed: int = 0, count: Callable[[bytes, int, int], int] = count_fields
) -> None:
    """Check the number of entries of a serialised request, including those of its field ``into``. Raises LimitReached.

    The bytes are counted before an object is created for each entry. ``packed`` is the mask of :func:`packed_fields`.
    """
    if len(data) > limit and (entries := count(data, into, packed)) > limit:
        raise too_many_entries(entries, limit)


def packed_fields(message: object) -> int:
    """Returns the numbers of a message class's packed fields as a bit mask; 0 for any other object."""
    fields = message.DESCRIPTOR.fields if isinstance(message, type) and issubclass(message, Message) else ()
    return sum(1 << field.number for field in fields if field.is_packed and field.number < 64)


def too_many_entries(entries: int, limit: int) -> LimitReached:
    """Returns the error for a request with so many entries."""
    return LimitReached(
        "server.max_request_entries",
        limit,
        f"the request has {entries} entries; at most {limit} are accepted in one request",
    )


class ErrorInterceptor(grpc.aio.ServerInterceptor):
    """Wraps the handlers of the service and of packs; a server has one."""

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
        """``packs`` are the full names of the services of packs."""
        self._prefixes = (METHOD_PREFIX, *(f"/{name}/" for name in packs))
        self._metrics = metrics
        self._connections = connections
        self._queue = queue
        self._api_token = api_token
        self._max_bytes = max_message_bytes
        self._max_entries = max_request_entries
        self._wrapped: dict[str, Handler] = {}
        self.active = 0
        """Number of calls and streams under way."""
        self.received = 0
        """Number of calls and streams since the start of the service."""
        self.closing = False
        """Whether calls are refused because the service is shutting down."""
        self._idle: asyncio.Event | None = None

    async def wait_until_idle(self, seconds: float) -> None:
        """Wait until no call is under way, but no longer than ``seconds``."""
        if self.active:
            self._idle = asyncio.Event()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), seconds)

    async def wait_until_quiet(self, seconds: float, at_most: float) -> None:
        """Wait until no call has been under way or arrived for ``seconds``, but no longer than ``at_most`` seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + at_most
        before = -1
        while (self.active or before != self.received) and loop.time() < end:
            before = self.received
            await self.wait_until_idle(end - loop.time())
            await asyncio.sleep(min(seconds, max(0.0, end - loop.time())))

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Returns the wrapped handler of a call's method, which is cached. gRPC calls this for each call."""
        wrapped = self._wrapped.get(details.method)
        if wrapped is not None:
            return wrapped
        handler = await continuation(details)
        if handler is None or not self.intercepts(details.method):
            return handler
        self._wrapped[details.method] = wrapped = self.wrap(details.method, handler)
        return wrapped

    def intercepts(self, method: str) -> bool:
        """Returns whether calls of the method ``/package.Service/Method`` are intercepted."""
        return method.startswith(self._prefixes)

    def wrap(self, method: str, handler: Handler) -> Handler:
        """Returns the wrapped handler, which serialises the answers of unary calls."""
        deserializer = self.safe_deserializer(handler.request_deserializer)
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                self._intercepted(method, _serialised(handler, handler.unary_unary), traced=True), deserializer, bytes
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._intercepted(method, handler.unary_stream), deserializer, _unless_bytes(handler)
            )
        if handler.stream_unary is not None:
            return grpc.stream_unary_rpc_method_handler(
                self._intercepted(method, _serialised(handler, handler.stream_unary), traced=True), deserializer, bytes
            )
        return grpc.stream_stream_rpc_method_handler(
            self._intercepted(method, handler.stream_stream, provisional=True),
            deserializer,
            handler.response_serializer,
        )

    def safe_deserializer(
        self, deserializer: Any, count: Callable[[bytes, int, int], int] = count_fields
    ) -> Callable[[bytes], Any]:
        """Returns a deserializer that returns a :class:`RejectedRequest` instead of raising.

        ``count`` returns the number of entries in the bytes of a message.
        """
        limit = self._max_bytes
        packed = packed_fields(getattr(deserializer, "__self__", None))

        def deserialize(data: bytes) -> Any:
            if len(data) > limit:
                return RejectedRequest(
                    LimitReached(
                        "server.max_message_bytes", limit, f"the message has {len(data)} bytes; the limit is {limit}"
                    )
                )
            try:
                check_entries(data, self._max_entries, packed=packed, count=count)
                return deserializer(data)
            except EngineError as error:
                # The traceback holds the bytes, and is in a cycle with the request once the error is raised again.
                return RejectedRequest(error.with_traceback(None))
            except MemoryError:
                return RejectedRequest(NO_MEMORY)
            except Exception:
                return RejectedRequest(MalformedMessage("the request cannot be parsed as a message of its type"))

        return deserialize

    def _intercepted(
        self, method: str, behaviour: Any, *, provisional: bool = False, traced: bool = False
    ) -> Callable[[Any, Context], Awaitable[Any]]:
        """Returns the wrapped behaviour of a handler.

        ``provisional``: the token is sent in the messages of the stream, once it is open. ``traced``: the call has a
        span; a stream, which may be open for hours, has none.
        """
        observe = self._metrics.rpc_observer(method)

        async def call(request: Any, context: Context) -> Any:
            if not traced:
                return await handled_call(request, context, None)
            with call_span(method, context) as note:
                return await handled_call(request, context, note)

        async def handled_call(request: Any, context: Context, note: RecordStatus | None) -> Any:
            started = perf_counter()
            status, reason = StatusCode.CANCELLED, ""
            entered: Call | None = None
            handled: Call | None = None
            self.active += 1
            self.received += 1
            try:
                if self.closing:
                    raise ShuttingDown()
                has_token = not provisional and bool(getattr(request, "token", "") or self._api_token.is_sent(context))
                peer = context.peer()
                size = request.ByteSize() if isinstance(request, Message) else 0
                entered = await self._connections.enter(peer, has_token=has_token, provisional=provisional, size=size)
                await self._queue.wait_for_turn(peer, has_token=has_token or provisional, size=size)
                if self.closing:
                    raise ShuttingDown()
                handled = entered
                set_current_call(handled)
                answer = await behaviour(check_request(request), context)
                handled.accepted()
                status = StatusCode.OK
                return answer
            except EngineError as error:
                if handled is not None:
                    handled.refused(error)
                status, reason = STATUS_CODES[error.reason], error.reason
                await _refuse(context, error)
            except MemoryError:
                log.error("out of memory", method=method)
                status = StatusCode.RESOURCE_EXHAUSTED
                await context.abort(NO_MEMORY_STATUS.code, NO_MEMORY_STATUS.details, NO_MEMORY_STATUS.trailing_metadata)
            except grpc.aio.AbortError:
                status = _code_of(context)
                raise
            except grpc.aio.BaseError:
                # The client went away while something was being sent to it; gRPC knows.
                raise
            except Exception as error:
                fault = InternalFault(new_incident_id())
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
                if note is not None:
                    note(status, reason)
                log.debug("rpc", method=method, status=status.name, ms=round(seconds * 1000, 3))
            return None

        return call


def _unless_bytes(handler: Handler) -> Callable[[Any], bytes]:
    """Returns a serializer that leaves bytes unchanged: a message for many streams is serialised once."""
    serializer: Any = handler.response_serializer
    return lambda message: message if type(message) is bytes else serializer(message)


def _serialised(handler: Handler, behaviour: Any) -> Callable[[Any, Context], Awaitable[bytes]]:
    """Returns the behaviour of a call with one answer; it serialises the answer, so that errors of that are caught."""
    serializer: Any = handler.response_serializer

    async def answer(request: Any, context: Context) -> bytes:
        return bytes(serializer(await behaviour(request, context)))

    return answer


def _code_of(context: Context) -> StatusCode:
    """Returns the status that a handler aborted with."""
    code = context.code()
    return code if isinstance(code, StatusCode) else next(known for known in StatusCode if known.value[0] == code)


async def _refuse(context: Context, error: EngineError) -> None:
    """End the call with the error's status. Never returns: gRPC needs its AbortError to stop here."""
    status = rpc_status.to_status(to_status(error))
    await context.abort(status.code, status.details, status.trailing_metadata)
