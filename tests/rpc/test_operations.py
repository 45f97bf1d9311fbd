"""Operation: health, reflection, channelz, metrics, errors at the start, graceful shutdown."""

from __future__ import annotations

import asyncio
import socket
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc import StatusCode
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from engine_service.rpc.symbols import SymbolPool
from engine_service.server import SERVICES, CannotStart, Server
from engine_service.store.base import Append
from engine_service.store.memory import MemoryStore
from gamepacks.api.hooks import hookimpl
from gamepacks.api.registry import Registry
from omnilude.v1 import (
    catalog_pb2,
    catalog_pb2_grpc,
    match_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
)
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import faulty, kuhn, sealed
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server, settings_for_tests
from tests.support.waiting import until
from tests.support.wire import new_match

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class BrokenPack:
    """A pack whose hook for games raises."""

    @hookimpl
    def omnilude_games(self) -> list[object]:
        raise RuntimeError("broken")


async def test_health_reports_each_service_and_each_pack() -> None:
    registry = Registry.load(only=(), extra=[kuhn.PACK, BrokenPack()])
    server = await Server.start(settings_for_tests(), registry)
    async with grpc.aio.insecure_channel(server.target) as channel:
        health = health_pb2_grpc.HealthStub(channel)

        async def status(service: str) -> int:
            answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
            return int(answer.status)

        assert [await status(service) for service in ("", *SERVICES)] == [SERVING] * 5
        assert await status("packs/KuhnPack") == SERVING
        assert await status("packs/BrokenPack") == NOT_SERVING
        unknown = await refused(health.Check(health_pb2.HealthCheckRequest(service="packs/none")))
        assert unknown.code == StatusCode.NOT_FOUND
    await server.stop(0)


async def test_shutdown_turns_health_first_and_answers_active_calls() -> None:
    """While a stream keeps the server from ending, health reports NOT_SERVING and new connections fail."""
    async with running_server(packs=[kuhn.PACK]) as running:
        health = health_pb2_grpc.HealthStub(running.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        stopping = asyncio.create_task(running.server.stop(0.5))
        assert (await watch.read()).status == NOT_SERVING
        await stopping
        async with grpc.aio.insecure_channel(running.target) as late:
            call = late.unary_unary("/grpc.health.v1.Health/Check")
            assert (await refused(call(b"", timeout=10))).code == StatusCode.UNAVAILABLE


@pytest.mark.parametrize(
    "symbol",
    [
        "omnilude.v1.PlayService",
        "omnilude.v1.PlayService.Play",
        "omnilude.v1.MatchService.SubmitAction",
        "omnilude.v1.Match.seats",
        "omnilude.v1.Move.action",
        "omnilude.v1.MatchState.MATCH_STATE_WAITING",
        "omnilude.v1.MATCH_STATE_WAITING",
        "grpc.health.v1.Health.Check",
    ],
)
def test_reflection_finds_methods_fields_and_nested_types(symbol: str) -> None:
    found = SymbolPool().FindFileContainingSymbol(symbol)
    assert symbol.startswith(found.package + ".")


@pytest.mark.parametrize("symbol", ["", "omnilude.v1.PlayService.Pay", "omnilude.v1.Nothing.x", "..", "x.y.z"])
def test_reflection_reports_unknown_symbols(symbol: str) -> None:
    with pytest.raises(KeyError):
        SymbolPool().FindFileContainingSymbol(symbol)


async def test_method_is_described_by_reflection() -> None:
    async with running_server(packs=[]) as running:
        call = reflection_pb2_grpc.ServerReflectionStub(running.channel).ServerReflectionInfo()
        wanted = "omnilude.v1.PlayService.Play"
        await call.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol=wanted))
        assert (await call.read()).HasField("file_descriptor_response")
        call.cancel()


@pytest.mark.parametrize("key", ["path", "secret_key"])
async def test_missing_folder_is_named_with_its_setting(tmp_path: Path, key: str) -> None:
    missing = tmp_path / "missing"
    settings = {"store.in_memory": False, "store.path": tmp_path / "x.sqlite3", f"store.{key}": missing / "file"}
    with pytest.raises(CannotStart) as refusal:
        await Server.start(settings_for_tests(settings), Registry.load(only=()))
    assert str(refusal.value) == f"[store] {key}: {missing} is not a folder"


async def test_reflection_shows_services_and_the_packs_messages() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        call = reflection_pb2_grpc.ServerReflectionStub(running.channel).ServerReflectionInfo()
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        services = {service.name for service in (await call.read()).list_services_response.service}
        assert {*SERVICES, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"} <= services
        await call.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol="omnilude.v1.PlayService"))
        files = (await call.read()).file_descriptor_response.file_descriptor_proto
        names = [FileDescriptorProto.FromString(data).name for data in files]
        assert "omnilude/v1/play_service.proto" in names
        call.cancel()


async def test_channelz_is_off_by_default() -> None:
    """It shows the addresses of all clients to everyone."""
    async with running_server(packs=[kuhn.PACK]) as running:
        call = running.channel.unary_unary("/grpc.channelz.v1.Channelz/GetServers")
        assert (await refused(call(b""))).code == StatusCode.UNIMPLEMENTED


async def test_channelz_counts_calls() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"server.channelz": True}) as running:
        await running.matches.ListMatches(pb.ListMatchesRequest())
        channelz = channelz_pb2_grpc.ChannelzStub(running.channel)
        servers = (await channelz.GetServers(channelz_pb2.GetServersRequest())).server
        assert any(server.data.calls_started >= 1 for server in servers)


@pytest.mark.parametrize(
    ("key", "service"),
    [("reflection", "grpc.reflection.v1alpha.ServerReflection"), ("channelz", "grpc.channelz.v1.Channelz")],
)
async def test_disabled_services_are_not_registered(key: str, service: str) -> None:
    method = {"reflection": "ServerReflectionInfo", "channelz": "GetServers"}[key]
    async with running_server(packs=[kuhn.PACK], settings={f"server.{key}": False}) as running:
        call = running.channel.unary_unary(f"/{service}/{method}")
        assert (await refused(call(b""))).code == StatusCode.UNIMPLEMENTED


async def test_metrics_count_calls_matches_and_actions(tmp_path: Path) -> None:
    settings = {
        "metrics.enabled": True,
        "metrics.port": 0,
        "store.in_memory": False,
        "store.path": tmp_path / "matches.sqlite3",
    }
    async with running_server(packs=[kuhn.PACK, faulty.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn")
        broken = await new_match(running, "faulty")
        await table.submit(0, kuhn.CHECK())
        await refused(table.submit(1, 99))
        await broken.submit(0, sealed.BID(1))
        await refused(broken.submit(1, sealed.BID(faulty.BOMB)))
        async with play_stream(running) as stream:
            await stream.receive()
            url = f"http://127.0.0.1:{running.server.metrics_port}/metrics"
            text = await asyncio.to_thread(_get, url)
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(figures["omnilude_matches_created_total"]) == 2
    assert float(figures["omnilude_actions_total"]) == 2
    assert float(figures["omnilude_refused_actions_total"]) == 1
    assert float(figures["omnilude_pack_faults_total"]) == 1
    assert float(figures["omnilude_play_streams"]) == 1
    assert float(figures["omnilude_watch_streams"]) == 0
    assert float(figures["omnilude_live_matches"]) >= 1
    assert float(figures["omnilude_broken_packs"]) == 0
    assert float(figures["omnilude_store_commit_seconds_count"]) >= 4
    assert float(figures["omnilude_store_commit_appends_sum"]) >= 4
    assert float(figures['omnilude_rpcs_total{method="MatchService/SubmitAction",status="OK"}']) == 2


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode())


async def test_many_simultaneous_connections_are_accepted() -> None:
    """By default gRPC drops calls beyond 1,000 that wait to be accepted."""
    async with running_server(packs=[kuhn.PACK]) as running:
        table = await new_match(running, "kuhn", 2)
        # Fewer than callers without a token may have under way.
        calls = [running.matches.GetMatch(pb.GetMatchRequest(name=table.name)) for _ in range(1_500)]
        assert {answer.match.name for answer in await asyncio.gather(*calls)} == {table.name}


async def silent_connection(running: Running) -> Any:
    host, _, port = running.target.rpartition(":")
    return await asyncio.to_thread(socket.create_connection, (host, int(port)))


async def health_watch(running: Running) -> Any:
    call = health_pb2_grpc.HealthStub(running.channel).Watch(health_pb2.HealthCheckRequest())
    await call.read()
    return call


async def reflection_stream(running: Running) -> Any:
    call = reflection_pb2_grpc.ServerReflectionStub(running.channel).ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services="*"))
    await call.read()
    return call


async def play_stream_without_hello(running: Running) -> Any:
    call = running.plays.Play()
    await call.wait_for_connection()
    await until(lambda: running.server.streams)
    return call


async def upload_without_its_end(running: Running) -> Any:
    call = running.matches.ImportReplay()
    await call.write(pb.ImportReplayRequest(data=b"x"))
    await until(lambda: running.server._matches._uploaded_bytes)
    return call


async def play_stream_with_a_seat(running: Running) -> Any:
    table = await new_match(running, "kuhn")
    call = running.plays.Play()
    attach = play_service_pb2.Attach(channel=1, match=table.name, token=table.seats[0])
    await call.write(play_service_pb2.PlayRequest(hello=play_service_pb2.Hello(), attach=[attach]))
    await call.read()
    return call


@pytest.mark.parametrize(
    "opened",
    [
        silent_connection,
        health_watch,
        reflection_stream,
        play_stream_without_hello,
        play_stream_with_a_seat,
        upload_without_its_end,
    ],
    ids=lambda opened: opened.__name__,
)
async def test_shutdown_does_not_wait_for_idle_streams(
    opened: Callable[[Running], Awaitable[Any]],
) -> None:
    registry = Registry.load(only=(), extra=[kuhn.PACK], strict=True)
    server = await Server.start(settings_for_tests(), registry)
    async with grpc.aio.insecure_channel(server.target) as channel:
        matches, plays = (
            match_service_pb2_grpc.MatchServiceStub(channel),
            play_service_pb2_grpc.PlayServiceStub(channel),
        )
        running = Running(server, channel, catalog_pb2_grpc.CatalogServiceStub(channel), matches, plays)
        kept = await opened(running)
        async with asyncio.timeout(60):
            await server.stop(grace=3600)
        (kept.close if isinstance(kept, socket.socket) else kept.cancel)()


async def test_two_services_cannot_share_a_port() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        port = int(running.target.rpartition(":")[2])
        registry = Registry.load(only=(), extra=[kuhn.PACK])
        with pytest.raises(CannotStart, match=rf"cannot listen on 127\.0\.0\.1:{port}"):
            await Server.start(settings_for_tests({"server.port": port}), registry)


async def test_metrics_port_that_is_taken_stops_the_start() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"metrics.enabled": True, "metrics.port": 0}) as running:
        taken = {"metrics.enabled": True, "metrics.port": running.server.metrics_port}
        registry = Registry.load(only=(), extra=[kuhn.PACK])
        with pytest.raises(CannotStart, match=r"\[metrics\]: cannot listen on"):
            await Server.start(settings_for_tests(taken), registry)


async def test_service_listens_on_a_unix_socket(tmp_path: Path) -> None:
    socket = tmp_path / "omnilude.sock"
    async with running_server(packs=[kuhn.PACK], settings={"server.unix_socket": socket}) as running:
        assert running.target == f"unix:{socket}"
        assert not (await running.matches.ListMatches(pb.ListMatchesRequest())).matches


async def test_matches_survive_a_restart(tmp_path: Path) -> None:
    settings = {"store.in_memory": False, "store.path": tmp_path / "matches.sqlite3"}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn")
        await table.submit(0, kuhn.BET())
        before = await table.match()
        signing_key = (await running.catalog.ListGames(catalog_pb2.ListGamesRequest())).signing_key
    for name in ("secret.key", "signing.key"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table.running = running
        assert (await running.catalog.ListGames(catalog_pb2.ListGamesRequest())).signing_key == signing_key
        assert await table.match() == before
        await table.submit(1, kuhn.FOLD())
        assert (await table.match()).result.places == [1, 2]


async def test_invalid_store_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    path.write_text("this is not a database, but a letter to a friend" * 100, encoding="utf-8")
    registry = Registry.load(only=(), extra=[kuhn.PACK])
    with pytest.raises(CannotStart, match=r"\[store\] path: "):
        await Server.start(settings_for_tests({"store.in_memory": False, "store.path": path}), registry)


@pytest.mark.parametrize("name", ["secret", "signing"])
async def test_invalid_secret_stops_the_start(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.key").write_bytes(b"short")
    registry = Registry.load(only=(), extra=[kuhn.PACK])
    path = tmp_path / "matches.sqlite3"
    with pytest.raises(CannotStart, match=rf"\[store\] {name}_key: "):
        await Server.start(settings_for_tests({"store.in_memory": False, "store.path": path}), registry)


async def test_missing_and_invalid_card_sets_at_the_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CannotStart, match=r"\[packs\] card_sets: .*nowhere: the file or folder does not exist"):
        await Server.start(settings_for_tests({"packs.card_sets": [str(tmp_path / "nowhere")]}))
    (tmp_path / "odd.yaml").write_text("- no mapping\n", encoding="utf-8")
    given = {"packs.card_sets": [str(tmp_path)]}
    with pytest.raises(CannotStart, match=r"\[packs\]: card file .*odd.yaml: odd.yaml:1: it must be one mapping"):
        await Server.start(settings_for_tests({**given, "packs.strict": True}))
    server = await Server.start(settings_for_tests(given))
    await server.stop(0)
    assert [broken.path.name for broken in server.registry.broken_cards] == ["odd.yaml"]
    assert "odd.yaml:1: it must be one mapping of fields" in caplog.text


async def test_unknown_pack_stops_the_start() -> None:
    with pytest.raises(CannotStart, match=r"\[packs\]: no pack 'acme' is installed"):
        await Server.start(settings_for_tests({"packs.only": ["acme"]}))


class GatedStore(MemoryStore):
    """A store whose next writes wait until the gate is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = self.written = 0

    async def append(self, wanted: Append) -> None:
        self.waiting += 1
        await self.gate.wait()
        self.waiting -= 1
        await super().append(wanted)
        self.written += 1


async def test_move_that_waits_for_the_store_is_answered_before_the_end() -> None:
    store = GatedStore()
    async with running_server(packs=[kuhn.PACK], store=store) as running:
        table = await new_match(running, "kuhn")
        store.gate.clear()
        before = store.written
        moving = asyncio.create_task(table.submit(0, kuhn.CHECK()))
        await until(lambda: store.waiting)
        health = health_pb2_grpc.HealthStub(running.channel).Watch(health_pb2.HealthCheckRequest())
        assert (await health.read()).status == SERVING
        stopping = asyncio.create_task(running.server.stop(30))
        assert (await health.read()).status == NOT_SERVING
        health.cancel()
        store.gate.set()
        assert (await moving).code == kuhn.CHECK()
        await stopping
        assert store.written == before + 1


def test_play_message_is_small() -> None:
    """A turn without extras is a few bytes for each legal code: what thousands of matches on a stream rest on."""
    turn = play_service_pb2.Turn(channel=1000, seq=100, codes=list(range(1 << 24, (1 << 24) + 20)))
    assert turn.ByteSize() < 20 * 4 + 10


async def test_waiting_calls_are_refused_with_a_reason_at_shutdown() -> None:
    """gRPC itself would end them with CANCELLED and no reason, so clients would not know whether to retry."""
    registry = Registry.load(only=(), extra=[kuhn.PACK], strict=True)
    server = await Server.start(settings_for_tests({"server.grace_seconds": 30.0}), registry)
    request = pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2)
    async with grpc.aio.insecure_channel(server.target) as channel:
        matches = match_service_pb2_grpc.MatchServiceStub(channel)
        first = await matches.CreateMatch(request)
        calls = [matches.CreateMatch(request) for _ in range(200)]
        await calls[0]
        await server.stop()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert refusals, "they came too early to be refused"
    for error in refusals:
        assert isinstance(error, grpc.aio.AioRpcError)
        assert error.code() == grpc.StatusCode.UNAVAILABLE and "shutting down" in (error.details() or "")
    assert len(server.host._runtime.cache) == 1 + len(outcomes) - len(refusals)
    assert first.match.name
