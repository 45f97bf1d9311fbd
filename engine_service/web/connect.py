"""ASGI application that serves the handlers of the gRPC server by the Connect protocol and gRPC-Web.

The servicers register with a :class:`HandlerTable` as they do with the gRPC server. Their handlers are wrapped by the
same interceptor, so limits, the fair queue, statuses and metrics are the same. ``connectrpc`` implements the protocols.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status
from protobuf.wkt import Any as AnyDetail
from protobuf.wkt.google.protobuf.struct_pb import Struct

from engine_service.rpc.interceptor import ErrorInterceptor

DETAILS_KEY = "grpc-status-details-bin"
"""Key of the trailing metadata in which gRPC sends the details of a status."""

Handler = Any
"""``grpc.RpcMethodHandler``, whose behaviours are untyped."""
AnyContext = RequestContext[Any, Any]


class HandlerTable:
    """Registry of handlers: servicers are added to it as to a gRPC server, and it finds the handler of a method."""

    def __init__(self) -> None:
        self._generic: list[grpc.GenericRpcHandler] = []

    def add_generic_rpc_handlers(self, handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Add the handlers of services."""
        self._generic += handlers

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Do nothing: generated code passes the same handlers to :meth:`add_generic_rpc_handlers`."""

    def handler(self, path: str) -> Handler | None:
        """Returns the handler of ``/package.Service/Method``; None if there is none."""
        details = _CallDetails(path)
        found = (generic.service(details) for generic in self._generic)
        return next((handler for handler in found if handler is not None), None)


@dataclass(frozen=True)
class _CallDetails(grpc.HandlerCallDetails):
    method: str
    invocation_metadata: Any = ()


class ConnectServices(ConnectASGIApplication[None]):
    """ASGI application that serves all methods except bidirectional streams, which need HTTP/2."""

    path = ""

    def __init__(
        self, table: HandlerTable, services: Iterable[str], interceptor: ErrorInterceptor, max_bytes: int
    ) -> None:
        """``services`` are full names of services in ``table``; ``max_bytes`` is the maximum size of a request."""
        self._interceptor = interceptor
        self._streams: set[asyncio.Task[Any]] = set()
        pool = descriptor_pool.Default()
        endpoints = {}
        for service in services:
            for method in pool.FindServiceByName(service).methods:
                path = f"/{service}/{method.name}"
                handler = table.handler(path)
                if handler is not None and not (method.client_streaming and method.server_streaming):
                    endpoints[path] = self._endpoint(path, method, handler)
        super().__init__(
            service=None,
            endpoints=lambda _: endpoints,
            codecs=(_BinaryCodec(), _JsonCodec()),
            read_max_bytes=max_bytes,
        )

    def end_streams(self) -> None:
        """End the open streams, because the service is shutting down."""
        for task in self._streams:
            task.cancel()

    def _endpoint(self, path: str, method: MethodDescriptor, handler: Handler) -> Any:
        request_class = message_factory.GetMessageClass(method.input_type)

        def parse_json(data: bytes) -> Message:
            return json_format.Parse(data, request_class(), ignore_unknown_fields=True)

        from_json: Callable[[bytes], Any] = parse_json
        if self._interceptor.intercepts(path):
            handler = self._interceptor.wrap(path, handler)
            from_json = self._interceptor.safe_deserializer(parse_json, _count_json_entries)
        encoding = _Encoding(
            handler.request_deserializer,
            from_json,
            handler.response_serializer,
            message_factory.GetMessageClass(method.output_type),
        )
        kind, make = (
            (StreamType.CLIENT_STREAM, Endpoint.client_stream)
            if method.client_streaming
            else (StreamType.SERVER_STREAM, Endpoint.server_stream)
            if method.server_streaming
            else (StreamType.UNARY, Endpoint.unary)
        )
        info: MethodInfo[Any, Any] = MethodInfo(
            name=method.name,
            service_name=method.containing_service.full_name,
            # The codecs of this module receive it instead of a class.
            input=encoding,  # type: ignore[arg-type]
            output=encoding,  # type: ignore[arg-type]
            idempotency_level=IdempotencyLevel.UNKNOWN,
            stream_type=kind,
        )
        function = self._streaming if method.server_streaming else self._single
        return make(info, function(handler, encoding))

    def _single(self, handler: Handler, encoding: _Encoding) -> Callable[[Any, AnyContext], Any]:
        """Returns the function of a method with one answer."""

        async def answer(request: Any, context: AnyContext) -> _Response:
            call = CallContext(context)
            if handler.stream_unary is not None:
                call.requests, request = request, None
            behaviour = handler.unary_unary or handler.stream_unary
            try:
                return _Response(encoding, await behaviour(request, call))
            except grpc.aio.AbortError:
                raise call.error from None

        return answer

    def _streaming(self, handler: Handler, encoding: _Encoding) -> Callable[[Any, AnyContext], Any]:
        """Returns the function of a method with a stream of answers."""

        async def answers(request: Any, context: AnyContext) -> AsyncIterator[_Response]:
            call = CallContext(context)
            task = asyncio.create_task(handler.unary_stream(request, call))
            self._streams.add(task)
            try:
                while True:
                    written = call.written
                    await asyncio.wait((task, written), return_when=asyncio.FIRST_COMPLETED)
                    if not written.done():
                        break
                    yield _Response(encoding, written.result())
                    call.sent()
                await task
            except grpc.aio.AbortError:
                raise call.error from None
            except asyncio.CancelledError:
                if task.cancelled() and not _is_cancelled():
                    raise ConnectError(Code.UNAVAILABLE, "the service is shutting down") from None
                raise
            finally:
                self._streams.discard(task)
                task.cancel()
                await asyncio.wait((task,))

        return answers


class CallContext:
    """The part of ``grpc.aio.ServicerContext`` that handlers use, for a call over HTTP."""

    requests: AsyncIterator[Any]
    """The messages of a client's stream."""
    error: ConnectError
    """Error with which the handler aborted the call."""

    def __init__(self, context: AnyContext) -> None:
        self._context = context
        self._code: grpc.StatusCode | None = None
        self._loop = asyncio.get_running_loop()
        self.written: asyncio.Future[Any] = self._loop.create_future()
        """The next message that the handler writes."""
        self._sent: asyncio.Future[None] | None = None

    def peer(self) -> str:
        """Returns the address of the client, in gRPC's form."""
        host, _, port = (self._context.client_address or "").rpartition(":")
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Returns the headers of the request."""
        return tuple(self._context.request_headers.allitems())

    def code(self) -> grpc.StatusCode | None:
        """Returns the status with which the handler aborted the call."""
        return self._code

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Iterable[tuple[str, Any]] = ()
    ) -> NoReturn:
        """End the call with this status."""
        self._code = code
        packed = next((value for key, value in trailing_metadata if key == DETAILS_KEY), b"")
        self.error = ConnectError(
            _CODES[code],
            details,
            [_ReadableDetail(detail) for detail in Status.FromString(packed).details],
        )
        raise grpc.aio.AbortError

    async def read(self) -> Any:
        """Returns the next message of the client's stream, or ``grpc.aio.EOF``."""
        return await anext(self.requests, grpc.aio.EOF)

    async def write(self, message: Any) -> None:
        """Send a message; returns when the connection has accepted it."""
        self._sent = self._loop.create_future()
        self.written.set_result(message)
        await self._sent

    def sent(self) -> None:
        """Note that the connection has accepted the message."""
        self.written = self._loop.create_future()
        if self._sent is not None and not self._sent.done():
            self._sent.set_result(None)


_CODES: dict[grpc.StatusCode, Code] = {
    code: Code("canceled" if code is grpc.StatusCode.CANCELLED else code.name.lower())
    for code in grpc.StatusCode
    if code is not grpc.StatusCode.OK
}


class _ReadableDetail(ErrorDetail):
    """A detail of an error that Connect's JSON also shows as a readable object (``debug``)."""

    def __init__(self, detail: AnyMessage) -> None:
        super().__init__(AnyDetail(type_url=detail.type_url, value=detail.value))
        self._detail = detail

    def value(self, desc_or_registry: Any = None) -> Any:
        """Returns the message as a Struct, which ``connectrpc`` writes as its JSON."""
        fields = json_format.MessageToDict(self._detail)
        fields.pop("@type")
        return Struct.from_json(json.dumps(fields))


@dataclass(frozen=True, slots=True)
class _Encoding:
    """Reads and writes the messages of a method."""

    from_binary: Callable[[bytes], Any]
    from_json: Callable[[bytes], Any]
    to_binary: Callable[[Any], bytes]
    response_class: type[Message]


@dataclass(frozen=True, slots=True)
class _Response:
    """A response, which its handler may already have serialised."""

    encoding: _Encoding
    content: Any

    def binary(self) -> bytes:
        """Returns the response in the binary format."""
        return self.encoding.to_binary(self.content)

    def json(self) -> bytes:
        """Returns the response as JSON."""
        message = self.content
        if not isinstance(message, Message):
            message = self.encoding.response_class.FromString(self.binary())
        return json_format.MessageToJson(message, indent=None, ensure_ascii=False).encode()


class _BinaryCodec:
    def name(self) -> str:
        return "proto"

    def encode(self, message: _Response) -> bytes:
        return message.binary()

    def decode(self, data: bytes | bytearray, message_class: Any) -> Any:
        return message_class.from_binary(bytes(data))


class _JsonCodec:
    def name(self) -> str:
        return "json"

    def encode(self, message: _Response) -> bytes:
        return message.json()

    def decode(self, data: bytes | bytearray, message_class: Any) -> Any:
        return message_class.from_json(bytes(data))


def _count_json_entries(data: bytes, into: int = 0, packed: int = 0) -> int:
    """Returns the number of commas in JSON, which grows with the number of entries of its lists."""
    return data.count(b",")


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
