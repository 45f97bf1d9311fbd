"""The error interceptor: it converts errors of servicers to statuses, and gives refusals of gRPC a reason."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from io import StringIO
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from prometheus_client import generate_latest

from engine_service import errors
from engine_service.config import LogSettings
from engine_service.observability.logs import configure_logging
from engine_service.observability.metrics import Metrics
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.connections import Connections
from engine_service.rpc.fair_queue import FairQueue
from engine_service.rpc.interceptor import ErrorInterceptor, check_request
from omnilude.v1 import catalog_pb2, catalog_pb2_grpc, play_service_pb2, play_service_pb2_grpc
from tests.support.rpc_errors import refused
from tests.support.waiting import until

SECRET = "the ace of spades"
METHOD = "/omnilude.v1.CatalogService/ListGames"


class Catalog(catalog_pb2_grpc.CatalogServiceServicer):
    def __init__(self, behaviour: Callable[[Any], Awaitable[Any]]) -> None:
        self.behaviour = behaviour

    async def ListGames(self, request: Any, context: Any) -> Any:
        return await self.behaviour(context)


class Play(play_service_pb2_grpc.PlayServiceServicer):
    async def Play(self, requests: Any, context: Any) -> None:
        while (request := await context.read()) is not grpc.aio.EOF:
            check_request(request)
            await context.write(play_service_pb2.PlayResponse())


@asynccontextmanager
async def behind(
    behaviour: Callable[[Any], Awaitable[Any]], *, rpcs: int = 100, size: int = 65_536, entries: int = 1_000
) -> AsyncIterator[tuple[grpc.aio.Channel, ErrorInterceptor, Metrics]]:
    metrics = Metrics()
    interceptor = ErrorInterceptor(
        metrics, Connections(rpcs, 1_000, 1_000, 1_000), FairQueue(10_000), size, entries, ApiToken(None)
    )
    server = grpc.aio.server(interceptors=[interceptor])
    catalog_pb2_grpc.add_CatalogServiceServicer_to_server(Catalog(behaviour), server)
    play_service_pb2_grpc.add_PlayServiceServicer_to_server(Play(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield channel, interceptor, metrics
    finally:
        await server.stop(None)


def list_games(channel: grpc.aio.Channel, **request: Any) -> Awaitable[Any]:
    return catalog_pb2_grpc.CatalogServiceStub(channel).ListGames(catalog_pb2.ListGamesRequest(**request))


async def answer(_: Any) -> catalog_pb2.ListGamesResponse:
    return catalog_pb2.ListGamesResponse(engine_version="1")


@pytest.fixture
def log() -> Iterator[StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    out = StringIO()
    configure_logging(LogSettings(level="info", format="json"), out)
    yield out
    root.handlers[:], root.level = handlers, level


async def test_error_of_the_service_becomes_its_status() -> None:
    async def behaviour(_: Any) -> None:
        raise errors.StaleSequence(17)

    async with behind(behaviour) as (channel, _, metrics):
        refusal = await refused(list_games(channel))
        assert (refusal.code, refusal.reason, refusal.domain) == (StatusCode.ABORTED, "STALE_SEQUENCE", "omnilude")
        assert refusal.metadata == {"seq": "17"}
        counted = b'omnilude_rpcs_total{method="CatalogService/ListGames",status="ABORTED"} 1.0'
        await until(lambda: counted in generate_latest(metrics.registry))  # the client may get its status first


async def test_defect_becomes_an_incident_without_details(log: StringIO) -> None:
    async def behaviour(_: Any) -> None:
        raise KeyError(SECRET)

    async with behind(behaviour) as (channel, _, _):
        refusal = await refused(list_games(channel))
    assert (refusal.code, refusal.reason) == (StatusCode.INTERNAL, "INTERNAL")
    (line,) = [json.loads(line) for line in log.getvalue().splitlines()]
    assert line["incident"] == refusal.metadata["incident"]
    assert (line["method"], line["error"]) == (METHOD, "KeyError")
    assert line["at"].startswith("tests.rpc.test_interceptor:")
    assert SECRET not in log.getvalue() and SECRET not in refusal.message


async def test_memory_error_becomes_limit_reached(monkeypatch: pytest.MonkeyPatch, log: StringIO) -> None:
    """A MemoryError is converted when a request is read, in the handler, and when the answer is written."""

    async def behaviour(_: Any) -> None:
        raise MemoryError

    def raising(*_: Any) -> Any:
        raise MemoryError

    async with behind(behaviour) as (channel, _, _):
        refusals = [await refused(list_games(channel))]
    for name in ("FromString", "SerializeToString"):
        handler = grpc.unary_unary_rpc_method_handler(
            lambda request, context: answer(context),
            raising if name == "FromString" else bytes,
            raising if name == "SerializeToString" else bytes,
        )
        interceptor = ErrorInterceptor(
            Metrics(), Connections(9, 9, 9, 9), FairQueue(10_000), 65_536, 1_000, ApiToken(None)
        )
        server = grpc.aio.server(interceptors=[interceptor])
        server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler("omnilude.v1.CatalogService", {"ListGames": handler})]
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            refusals.append(await refused(list_games(channel)))
        await server.stop(None)
    for refusal in refusals:
        assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
        assert refusal.metadata["limit"] == "memory"


async def test_explicit_abort_is_passed_through() -> None:
    async def behaviour(context: Any) -> None:
        await context.abort(StatusCode.DATA_LOSS, "on purpose")

    async with behind(behaviour) as (channel, interceptor, metrics):
        refusal = await refused(list_games(channel))
        await interceptor.wait_until_idle(10)
    assert (refusal.code, refusal.message, refusal.reason) == (StatusCode.DATA_LOSS, "on purpose", "")
    assert b'status="DATA_LOSS"} 1.0' in generate_latest(metrics.registry)


async def test_cancelled_call_is_counted_and_not_logged(log: StringIO) -> None:
    started = asyncio.Event()

    async def behaviour(_: Any) -> None:
        started.set()
        await asyncio.Event().wait()

    async with behind(behaviour) as (channel, interceptor, metrics):
        call = list_games(channel)
        await started.wait()
        call.cancel()  # type: ignore[attr-defined]
        await interceptor.wait_until_idle(10)
    assert b'status="CANCELLED"} 1.0' in generate_latest(metrics.registry)
    assert log.getvalue() == ""


async def test_call_beyond_the_limit_is_refused_with_the_limit() -> None:
    started, release = asyncio.Event(), asyncio.Event()

    async def behaviour(context: Any) -> Any:
        started.set()
        await release.wait()
        return await answer(context)

    async with behind(behaviour, rpcs=1) as (channel, _, _):
        first = asyncio.ensure_future(list_games(channel))
        await started.wait()
        refusal = await refused(list_games(channel))
        release.set()
        assert (await first).engine_version == "1"
        assert (await list_games(channel)).engine_version == "1"
    assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
    assert refusal.metadata == {"limit": "server.max_concurrent_rpcs", "value": "1"}
    assert "google.rpc.QuotaFailure" in refusal.details


async def test_message_too_long_is_refused_with_the_limit() -> None:
    async with behind(answer) as (channel, _, _):
        assert (await list_games(channel, page_token="x" * 65_000)).engine_version == "1"
        refusal = await refused(list_games(channel, page_token="x" * 65_536))
        assert (await list_games(channel)).engine_version == "1"
    assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
    assert refusal.metadata == {"limit": "server.max_message_bytes", "value": "65536"}


async def test_bytes_that_are_not_a_message_are_refused() -> None:
    async with behind(answer) as (channel, _, _):
        call: Any = channel.unary_unary(METHOD)
        refusal = await refused(call(b"\xff\xff\xff"))
    assert (refusal.code, refusal.reason) == (StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE")


async def test_limits_apply_to_messages_of_streams() -> None:
    async with behind(answer) as (channel, _, _):
        for data, reason in ((b"\xff\xff\xff", "MALFORMED_MESSAGE"), (b"x" * 65_537, "LIMIT_REACHED")):
            call: Any = channel.stream_stream("/omnilude.v1.PlayService/Play")()
            await call.write(b"")
            assert await call.read() == b""
            await call.write(data)
            assert (await refused(call.read())).reason == reason


async def test_other_services_answer_at_the_limits() -> None:
    """Health is exempt from the limits, so that it does not fail because the service is busy."""

    async def echo(request: bytes, context: Any) -> bytes:
        return request

    interceptor = ErrorInterceptor(Metrics(), Connections(1, 1, 1, 1), FairQueue(10_000), 65_536, 1_000, ApiToken(None))
    server = grpc.aio.server(interceptors=[interceptor])
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("other.Service", {"Echo": grpc.unary_unary_rpc_method_handler(echo)})]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    interceptor.active = 1
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        data = b"x" * 70_000
        call: Any = channel.unary_unary("/other.Service/Echo")
        assert await call(data) == data
    await server.stop(None)
