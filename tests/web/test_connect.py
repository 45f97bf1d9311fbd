"""The services over HTTP: the Connect protocol and gRPC-Web, binary and JSON, answer as gRPC does."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import struct
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from connectrpc.protocol import ProtocolType
from grpc import StatusCode

from engine_service.server import CannotStart, Server
from gamepacks.api.registry import Registry
from omnilude.v1 import catalog_pb2, match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.certificates import certificate
from tests.support.connect import HttpStub, over
from tests.support.games import kuhn, peek, sealed
from tests.support.rpc_errors import expect_refusal, refused
from tests.support.server import Running, running_server, settings_for_tests
from tests.support.waiting import until
from tests.support.wire import get_replay, import_replay, new_match

FORMS = [(protocol, form) for protocol in (ProtocolType.CONNECT, ProtocolType.GRPC_WEB) for form in (False, True)]
WATCH_MATCH = "/omnilude.v1.MatchService/WatchMatch"
LIST_GAMES = "/omnilude.v1.CatalogService/ListGames"


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK, sealed.PACK]) as server:
        yield server


def post(
    url: str, body: bytes, content_type: str = "application/json", context: ssl.SSLContext | None = None
) -> tuple[int, Any]:
    """Send a request as curl would; returns the HTTP status and the JSON of the answer."""
    request = urllib.request.Request(url, body, {"content-type": content_type})
    try:
        with urllib.request.urlopen(request, timeout=30, context=context) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            text = error.read()
            return error.code, json.loads(text) if text else None


def headers_of(url: str, method: str, **headers: str) -> dict[str, str]:
    """Send a request with an empty object; returns the headers of the answer in lower case."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, b"{}" if method == "POST" else None, named, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return {key.lower(): value for key, value in answer.headers.items()}
    except urllib.error.HTTPError as error:
        with error:
            return {key.lower(): value for key, value in error.headers.items()}


def envelope(message: bytes) -> bytes:
    """Returns the envelope of a message in a stream of the Connect protocol."""
    return b"\0" + struct.pack(">I", len(message)) + message


@asynccontextmanager
async def open_stream(url: str, path: str, message: dict[str, Any]) -> AsyncIterator[asyncio.StreamReader]:
    """Start a stream of the Connect protocol in JSON on a new connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]), limit=1024)
    body = envelope(json.dumps(message).encode())
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/connect+json\r\n"
    writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
    yield reader
    writer.close()


async def test_plain_post_of_json_lists_the_games(running: Running) -> None:
    status, answer = await asyncio.to_thread(post, f"{running.server.url}{LIST_GAMES}", b"{}")
    assert status == 200 and [game["name"] for game in answer["games"]] == ["games/kuhn", "games/sealed"]


async def test_reason_of_a_refusal_is_readable_in_json(running: Running) -> None:
    url = f"{running.server.url}/omnilude.v1.MatchService/GetMatch"
    status, answer = await asyncio.to_thread(post, url, b'{"name": "matches/none"}')
    assert status == 404 and answer["code"] == "not_found"
    info = answer["details"][0]["debug"]
    assert (info["reason"], info["domain"], info["metadata"]) == (
        "UNKNOWN_MATCH",
        "omnilude",
        {"match": "matches/none"},
    )


@pytest.mark.parametrize(("protocol", "form"), FORMS)
async def test_match_is_played_and_watched_to_its_end(running: Running, protocol: ProtocolType, form: bool) -> None:
    http = over(running, protocol, json=form)
    table = await new_match(http, "kuhn", 2)
    watching = asyncio.create_task(_watch(http, table.name, table.seats[0]))
    ended = await table.play_out()
    assert ended.state == match_pb2.MATCH_STATE_FINISHED
    messages = await watching
    assert messages[-1].match.result == ended.result
    events = [event for message in messages for event in message.events]
    grpc_table = table.__class__(running, table.name, table.host, table.seats)
    assert events == await grpc_table.events(table.seats[0], labels=True)
    assert (await get_replay(http.matches, table.name)) == (await get_replay(running.matches, table.name))


async def _watch(http: Running, name: str, token: str) -> list[pb.WatchMatchResponse]:
    request = pb.WatchMatchRequest(name=name, token=token, labels=True, views=True)
    return [message async for message in http.matches.WatchMatch(request)]


@pytest.mark.parametrize(("protocol", "form"), FORMS)
async def test_refusals_carry_the_same_details_as_over_grpc(
    running: Running, protocol: ProtocolType, form: bool
) -> None:
    http = over(running, protocol, json=form)
    table = await new_match(running, "kuhn", 2)
    for bad in (
        pb.SubmitActionRequest(name=table.name, token=table.seats[0], code=99),
        pb.SubmitActionRequest(name="matches/none", token="x", code=1),
        pb.SubmitActionRequest(name="x"),
        pb.SubmitActionRequest(name=table.name, token=f"{table.seats[0]}x", code=1),
        pb.SubmitActionRequest(name=table.name, token=table.seats[0], code=1, expected_seq=1_000),
    ):
        expected = await refused(running.matches.SubmitAction(bad))
        assert expected.reason
        assert await refused(http.matches.SubmitAction(bad)) == expected
    async with expect_refusal() as unknown:
        async for _ in http.matches.WatchMatch(pb.WatchMatchRequest(name="matches/none")):
            pass
    assert (unknown.code, unknown.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_MATCH")


@pytest.mark.parametrize(("protocol", "form"), FORMS)
async def test_services_of_packs_are_served(protocol: ProtocolType, form: bool) -> None:
    async with running_server(packs=[peek.PeekPack(), sealed.PACK]) as running:
        http = over(running, protocol, json=form)
        dice = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
        table = await new_match(http, "kuhn", 2, policy=dice)
        await table.provide(kuhn.DEAL(2), kuhn.DEAL(1))
        service = HttpStub(http.matches._client, "tests.peek.v1.PeekService")
        request = peek.messages.TellCardRequest(name=table.name, token=table.seats[0], seat=0)
        method = running.channel.unary_unary(
            "/tests.peek.v1.PeekService/TellCard",
            peek.messages.TellCardRequest.SerializeToString,
            peek.messages.TellCardResponse.FromString,
        )
        assert await service.TellCard(request) == await method(request)


async def test_replay_is_imported_from_a_stream(running: Running) -> None:
    table = await new_match(running, "kuhn", 2)
    await table.play_out()
    data = (await get_replay(running.matches, table.name)).SerializeToString()
    async with running_server(packs=[kuhn.PACK]) as other:
        answer = await import_replay(over(other).matches, data, 100)
        assert answer.match.name == table.name


async def test_deadline_ends_a_call(running: Running) -> None:
    table = await new_match(running, "kuhn", 2)
    async with expect_refusal() as late:
        async for _ in over(running).matches.WatchMatch(pb.WatchMatchRequest(name=table.name), timeout=0.2):
            pass
    assert late.code is StatusCode.DEADLINE_EXCEEDED
    await until(lambda: running.server.streams == 0)


async def test_stream_of_a_client_who_leaves_ends(running: Running) -> None:
    table = await new_match(running, "kuhn", 2)
    async with open_stream(str(running.server.url), WATCH_MATCH, {"name": table.name}):
        await until(lambda: running.server.streams == 1)
    await until(lambda: running.server.streams == 0)


async def test_stream_of_a_stalled_reader_is_closed() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"server.stall_seconds": 0.5}) as running:
        with pytest.raises(ConnectionError):
            await asyncio.to_thread(_ask_and_never_read, str(running.server.url))
        await new_match(over(running), "kuhn", 2)


def _ask_and_never_read(url: str) -> None:
    """Send requests whose answers pile up, until the connection fails."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        client.settimeout(60)
        body = json.dumps({"name": "games/kuhn"}).encode()
        head = (
            "POST /omnilude.v1.CatalogService/GetGame HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        )
        request = f"{head}content-length: {len(body)}\r\n\r\n".encode() + body
        while True:
            client.sendall(request * 50)


async def test_api_token_is_a_header() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"auth.api_token": "let me in"}) as running:
        create = pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2)
        for protocol, form in FORMS:
            missing = await refused(over(running, protocol, json=form).matches.CreateMatch(create))
            assert (missing.code, missing.reason) == (StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
            wrong = await refused(over(running, protocol, json=form, api_token="x").matches.CreateMatch(create))
            assert wrong.reason == "TOKEN_INVALID"
            created = await over(running, protocol, json=form, api_token="let me in").matches.CreateMatch(create)
            assert created.host_token


async def test_unreadable_messages_are_refused_with_a_reason(running: Running) -> None:
    url = f"{running.server.url}/omnilude.v1.MatchService/ListMatches"
    for body, content_type in (
        (b'{"page_size":', "application/json"),
        (b'{"pageSize": "many"}', "application/json"),
        (b'{"labels": ' + b"[" * 100_000, "application/json"),
        (b'"\xff"', "application/json"),
        (b"\xff\xff\xff", "application/proto"),
    ):
        status, answer = await asyncio.to_thread(post, url, body, content_type)
        assert status == 400 and answer["code"] == "invalid_argument"
        assert answer["details"][0]["type"] == "google.rpc.ErrorInfo"
    status, _ = await asyncio.to_thread(post, url, b"a=b", "application/x-www-form-urlencoded")
    assert status == 415


@pytest.mark.parametrize("form", [False, True])
async def test_messages_beyond_a_limit_are_refused_with_its_name(form: bool) -> None:
    settings = {"server.max_message_bytes": 65_536, "server.max_request_entries": 1_000}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        http = over(running, json=form)
        table = await new_match(http, "kuhn", 2)
        many = pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup(player="x")] * 1_002)
        for_entries = await refused(http.matches.CreateMatch(many))
        assert for_entries.metadata["limit"] == "server.max_request_entries"
        long = pb.CancelMatchRequest(name=table.name, token=table.host, reason="x" * 70_000)
        assert (await refused(http.matches.CancelMatch(long))).metadata["limit"] == "server.max_message_bytes"
        longest = pb.CancelMatchRequest(name=table.name, token=table.host, reason="x" * 300_000)
        assert (await refused(http.matches.CancelMatch(longest))).code is StatusCode.RESOURCE_EXHAUSTED


async def test_calls_over_http_and_grpc_count_together() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"server.max_rpcs_per_peer": 5}) as running:
        table = await new_match(running, "kuhn", 2)
        watches = [running.matches.WatchMatch(pb.WatchMatchRequest(name=table.name)) for _ in range(4)]
        try:
            for watch in watches:
                await watch.read()
            full = await refused(over(running).catalog.ListGames(catalog_pb2.ListGamesRequest()))
            assert full.metadata["limit"] == "server.max_rpcs_per_peer"
        finally:
            for watch in watches:
                watch.cancel()


async def test_bidirectional_streams_are_not_served_over_http(running: Running) -> None:
    status, _ = await asyncio.to_thread(post, f"{running.server.url}/omnilude.v1.PlayService/Play", b"")
    assert status == 404


async def test_pages_of_other_origins_may_not_call_by_default(running: Running) -> None:
    url = f"{running.server.url}{LIST_GAMES}"
    foreign = {"origin": "https://example.org"}
    preflight = {**foreign, "access_control_request_method": "POST", "access_control_request_headers": "content-type"}
    for method, headers in (("OPTIONS", preflight), ("POST", {**foreign, "content_type": "application/json"})):
        answer = await asyncio.to_thread(headers_of, url, method, **headers)
        assert "access-control-allow-origin" not in answer


async def test_pages_of_configured_origins_may_call() -> None:
    settings = {"http.allowed_origins": ["https://example.org"]}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        url = f"{running.server.url}{LIST_GAMES}"
        preflight = {"access_control_request_method": "POST", "access_control_request_headers": "content-type"}
        answer = await asyncio.to_thread(headers_of, url, "OPTIONS", origin="https://example.org", **preflight)
        assert answer["access-control-allow-origin"] == "https://example.org"
        assert "content-type" in answer["access-control-allow-headers"]
        other = await asyncio.to_thread(headers_of, url, "OPTIONS", origin="https://example.com", **preflight)
        assert "access-control-allow-origin" not in other
        own = await asyncio.to_thread(
            headers_of, url, "POST", origin="https://example.org", content_type="application/json"
        )
        assert "grpc-status" in own["access-control-expose-headers"]


async def test_tls_is_that_of_grpc(tmp_path: Path) -> None:
    chain, key = certificate(tmp_path, "localhost")
    settings = {"server.tls_certificate": chain, "server.tls_key": key}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        assert str(running.server.url).startswith("https://")
        trusting = ssl.create_default_context(cafile=chain)
        status, _ = await asyncio.to_thread(
            post, f"{running.server.url}{LIST_GAMES}", b"{}", "application/json", trusting
        )
        assert status == 200


async def test_clients_without_a_certificate_are_refused_where_one_is_required(tmp_path: Path) -> None:
    chain, key = certificate(tmp_path, "localhost")
    mine = certificate(tmp_path, "client")
    settings = {"server.tls_certificate": chain, "server.tls_key": key, "server.tls_client_ca": mine[0]}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        url = f"{running.server.url}{LIST_GAMES}"
        stranger, known = ssl.create_default_context(cafile=chain), ssl.create_default_context(cafile=chain)
        known.load_cert_chain(*mine)
        with pytest.raises((urllib.error.URLError, ssl.SSLError, ConnectionError)):
            await asyncio.to_thread(post, url, b"{}", "application/json", stranger)
        assert (await asyncio.to_thread(post, url, b"{}", "application/json", known))[0] == 200


async def test_port_that_is_taken_stops_the_start(running: Running) -> None:
    port = int(str(running.server.url).rpartition(":")[2])
    with pytest.raises(CannotStart, match=rf"\[http\]: cannot listen on 127\.0\.0\.1:{port}: Address already in use"):
        await Server.start(settings_for_tests({"http.port": port}), Registry.load(only=()))


async def test_address_that_cannot_be_resolved_is_reported() -> None:
    with pytest.raises(CannotStart, match=r"\[http\]: cannot listen on nowhere\.invalid:0: "):
        await Server.start(settings_for_tests({"http.address": "nowhere.invalid"}), Registry.load(only=()))


async def test_http_is_off_unless_enabled() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"http.enabled": False}) as running:
        assert running.server.url is None


async def test_streams_are_told_of_the_shutdown() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        url = str(running.server.url)
        table = await new_match(running, "kuhn", 2)
        async with (
            asyncio.timeout(30),
            open_stream(url, WATCH_MATCH, {"name": table.name}) as watch,
            open_stream(url, "/grpc.health.v1.Health/Watch", {}) as health,
        ):
            await health.readuntil(b'"SERVING"')
            await until(lambda: running.server.streams == 1)
            await running.server.stop(grace=5.0)
            told, of_health = await watch.read(-1), await health.read(-1)
        assert b'"code": "unavailable"' in told and b"ErrorInfo" in told
        assert b"NOT_SERVING" in of_health and b'"code": "unavailable"' in of_health
