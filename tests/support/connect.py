"""Stubs like gRPC's over HTTP, by the Python client of ``connectrpc``: the same tests run through either entry.

::

    async with running_server(packs=[kuhn.PACK]) as running:
        over_http = over(running, ProtocolType.CONNECT, json=True)
        await over_http.matches.ListMatches(pb.ListMatchesRequest())
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Any

import grpc
from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.rpc.status_pb2 import Status

from tests.support.server import Running


class HttpStub:
    """The methods of a service by name; a call is refused with ``grpc.aio.AioRpcError``, as over gRPC."""

    def __init__(self, client: ConnectClient, service: str, headers: dict[str, str] | None = None) -> None:
        self._client = client
        self._headers = headers
        self._methods = descriptor_pool.Default().FindServiceByName(service).methods_by_name

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = self._methods[name]
        if method.server_streaming:
            return lambda request, timeout=None: _Stream(self._client, _info(method), request, self._headers, timeout)
        return lambda request, timeout=None: self._unary(_info(method), request, timeout)

    async def _unary(self, info: MethodInfo[Any, Any], request: Any, seconds: float | None) -> Any:
        more: dict[str, Any] = {"headers": self._headers, "timeout_ms": _milliseconds(seconds)}
        try:
            if info.stream_type is StreamType.CLIENT_STREAM:
                return await self._client.execute_client_stream(request=_each(request), method=info, **more)
            return await self._client.execute_unary(request=request, method=info, **more)
        except ConnectError as error:
            raise _rpc_error(error) from None


class _Stream:
    def __init__(self, client: ConnectClient, info: Any, request: Any, headers: Any, timeout: float | None) -> None:
        self._messages = client.execute_server_stream(
            request=request, method=info, headers=headers, timeout_ms=_milliseconds(timeout)
        )

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for message in self._messages:
                yield message
        except ConnectError as error:
            raise _rpc_error(error) from None

    def cancel(self) -> None:
        """Do nothing: the connection closes when the iterator is dropped."""


def over(
    running: Running,
    protocol: ProtocolType = ProtocolType.CONNECT,
    *,
    json: bool = False,
    api_token: str | None = None,
) -> Running:
    """Returns the same server with stubs over HTTP; the play stream and the channel still use gRPC."""
    assert running.server.url is not None
    codec = google_protobuf_json_codec() if json else google_protobuf_binary_codec()
    client = ConnectClient(running.server.url, codec=codec, protocol=protocol)
    headers = None if api_token is None else {"authorization": f"Bearer {api_token}"}
    return replace(
        running,
        catalog=HttpStub(client, "omnilude.v1.CatalogService", headers),
        matches=HttpStub(client, "omnilude.v1.MatchService", headers),
    )


def _info(method: MethodDescriptor) -> MethodInfo[Any, Any]:
    if method.server_streaming:
        kind = StreamType.SERVER_STREAM
    else:
        kind = StreamType.CLIENT_STREAM if method.client_streaming else StreamType.UNARY
    return MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=message_factory.GetMessageClass(method.input_type),
        output=message_factory.GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )


async def _each(messages: Iterable[Any]) -> AsyncIterator[Any]:
    for message in messages:
        yield message


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _rpc_error(error: ConnectError) -> grpc.aio.AioRpcError:
    name = error.code.name
    code = grpc.StatusCode.CANCELLED if name == "CANCELED" else grpc.StatusCode[name]
    status = Status(code=code.value[0], message=error.message)
    for detail in error.details:
        status.details.add(type_url=f"type.googleapis.com/{detail.type_name}", value=detail.message_bytes)
    metadata = grpc.aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), metadata, error.message)
