"""Traces: spans reach a collector, in order and without secrets; nothing is imported if traces are off."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from engine_service.config import ConfigError
from engine_service.server import Server
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import faulty, sealed
from tests.support.server import running_server, settings_for_tests

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """A collector that stores the exported spans."""

    def __init__(self) -> None:
        self.received: list[trace_service_pb2.ExportTraceServiceRequest] = []
        self.endpoint = ""

    async def Export(self, request: Any, context: Any) -> trace_service_pb2.ExportTraceServiceResponse:
        self.received.append(request)
        return trace_service_pb2.ExportTraceServiceResponse()

    @property
    def spans(self) -> list[Span]:
        return [
            span
            for request in self.received
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def tree(self, root: Span) -> Any:
        """Returns the names below a span, in order of time."""
        below = sorted(
            (s for s in self.spans if s.parent_span_id == root.span_id), key=lambda s: s.start_time_unix_nano
        )
        return [(span.name, deeper) if (deeper := self.tree(span)) else span.name for span in below]


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    collector = Collector()
    server = grpc.aio.server()
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)
    collector.endpoint = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield collector
    finally:
        await server.stop(None)


def attributes(span: Span) -> dict[str, Any]:
    return {entry.key: getattr(entry.value, entry.value.WhichOneof("value") or "") for entry in span.attributes}


async def test_call_is_traced_through_plan_store_and_notification() -> None:
    async with collecting() as collector:
        traced = {"traces.endpoint": collector.endpoint}
        async with running_server(packs=[sealed.PACK, faulty.PACK], settings=traced) as running:
            created = await running.matches.CreateMatch(
                pb.CreateMatchRequest(game="games/sealed", seats=[pb.SeatSetup()] * 2, labels={"event": "hush-label"})
            )
            name, tokens = created.match.name, [created.host_token]
            for player in range(2):
                joined = await running.matches.JoinMatch(pb.JoinMatchRequest(name=name, player=f"name-{player}"))
                tokens.append(joined.token)
            submit = pb.SubmitActionRequest(name=name, token=tokens[1], code=sealed.BID(1))
            await running.matches.SubmitAction(submit, metadata=[("traceparent", f"00-{TRACE}-{PARENT}-01")])
            with pytest.raises(grpc.aio.AioRpcError):
                await running.matches.SubmitAction(submit)
        calls = [s for s in collector.spans if s.name == "omnilude.v1.MatchService/SubmitAction"]
        (good,) = (s for s in calls if s.trace_id.hex() == TRACE)
        (refused,) = (s for s in calls if s.trace_id.hex() != TRACE)
        assert good.parent_span_id.hex() == PARENT and good.kind == Span.SPAN_KIND_SERVER
        assert collector.tree(good) == [("write", ["plan", "store", "notify"])]
        assert attributes(good) == {
            "rpc.system": "grpc",
            "rpc.service": "omnilude.v1.MatchService",
            "rpc.method": "SubmitAction",
            "rpc.grpc.status_code": 0,
        }
        assert attributes(refused)["error.type"] == "NOT_YOUR_TURN"
        assert attributes(refused)["rpc.grpc.status_code"] == grpc.StatusCode.FAILED_PRECONDITION.value[0]
        (write,) = (s for s in collector.spans if s.parent_span_id == good.span_id)
        assert attributes(write) == {"omnilude.match": name, "omnilude.game": "sealed"}
        sent = b"".join(request.SerializeToString() for request in collector.received)
        for secret in (*tokens, "hush-label", "name-0", "bid 1", "TOO_MUCH"):
            assert secret.encode() not in sent
        keys = {key for span in collector.spans for key in attributes(span)}
        assert keys <= {
            *("rpc.system", "rpc.service", "rpc.method", "rpc.grpc.status_code", "error.type"),
            *("omnilude.match", "omnilude.game", "omnilude.ephemeral"),
        }


async def test_message_of_an_exception_is_not_exported() -> None:
    async with collecting() as collector:
        async with running_server(packs=[faulty.PACK], settings={"traces.endpoint": collector.endpoint}) as running:
            seats = [pb.SeatSetup()] * 2
            created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/faulty", seats=seats))
            joined = [
                await running.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player=name))
                for name in ("Ada", "Bob")
            ]
            with pytest.raises(grpc.aio.AioRpcError):
                await running.matches.SubmitAction(
                    pb.SubmitActionRequest(name=created.match.name, token=joined[0].token, code=sealed.BID(faulty.BOMB))
                )
        (plan,) = (s for s in collector.spans if s.name == "plan" and "error.type" in attributes(s))
        assert attributes(plan)["error.type"] == "PackRaised" and not plan.status.message and not plan.events
        assert faulty.LEAKING_TEXT.encode() not in b"".join(r.SerializeToString() for r in collector.received)


async def test_sample_ratio_of_zero_exports_what_a_client_has_sampled_only() -> None:
    async with collecting() as collector:
        settings = {"traces.endpoint": collector.endpoint, "traces.sample_ratio": 0.0}
        async with running_server(packs=[sealed.PACK], settings=settings) as running:
            await running.matches.ListMatches(pb.ListMatchesRequest())
            sampled = [("traceparent", f"00-{TRACE}-{PARENT}-01")]
            await running.matches.ListMatches(pb.ListMatchesRequest(), metadata=sampled)
        assert [span.trace_id.hex() for span in collector.spans] == [TRACE]


async def test_unreachable_collector_delays_nobody() -> None:
    async with running_server(packs=[sealed.PACK], settings={"traces.endpoint": "http://127.0.0.1:9"}) as running:
        await running.matches.ListMatches(pb.ListMatchesRequest(), timeout=5)


def test_opentelemetry_is_not_imported_if_traces_are_off() -> None:
    program = "import sys, engine_service.server; print(any(n.startswith('opentelemetry') for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


async def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ConfigError, match=r"pip install omnilude\[otel\]"):
        await Server.start(settings_for_tests({"traces.endpoint": "http://127.0.0.1:9"}))
