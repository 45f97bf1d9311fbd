"""Limits by connection, by peer and in all: anonymous calls never take the capacity reserved for callers with a
token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from engine_service import errors
from engine_service.rpc.connections import MAX_HELD_BYTES, THROTTLED_FROM, Call, Connections, peer_of
from engine_service.rpc.play import service as play
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import match_service_pb2_grpc
from omnilude.v1 import play_service_pb2 as play_pb
from tests.support.games import kuhn
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import expect_refusal, refused
from tests.support.server import Running, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, new_match

ADA, BOB, EVE = "ipv4:10.0.0.1:1", "ipv4:10.0.0.2:1", "ipv4:10.0.0.3:1"


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        ("ipv4:127.0.0.1:52182", "127.0.0.1"),
        ("ipv6:%5B::1%5D:47452", "::/64"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:47452", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:ffff::1%5D:1", "2001:db8:1:2::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "fe80::/64"),
        ("ipv6:%5B::ffff:10.1.2.3%5D:1", "10.1.2.3"),
        ("unix:", None),
        ("unix:/run/omnilude.sock", None),
    ],
)
def test_peer_is_an_address_or_a_network(address: str, peer: str | None) -> None:
    assert peer_of(address) == peer


async def enter(connections: Connections, address: str, count: int = 1, *, token: bool = False) -> list[Call]:
    return [await connections.enter(address, has_token=token) for _ in range(count)]


async def full(connections: Connections, address: str, *, token: bool = False) -> str:
    with pytest.raises(errors.LimitReached) as refusal:
        await connections.enter(address, has_token=token)
    return refusal.value.metadata["limit"]


async def test_fifth_of_each_limit_is_reserved_for_token_holders() -> None:
    connections = Connections(in_all=25, of_peer=15, of_connection=10, refused_per_second=1)
    await enter(connections, "ipv4:10.0.0.1:1", 8)
    assert await full(connections, "ipv4:10.0.0.1:1") == "server.max_rpcs_per_connection"
    await enter(connections, "ipv4:10.0.0.1:2", 4)
    assert await full(connections, "ipv4:10.0.0.1:2") == "server.max_rpcs_per_peer"
    await enter(connections, "ipv4:10.0.0.2:1", 8)
    assert await full(connections, "ipv4:10.0.0.3:1") == "server.max_concurrent_rpcs"
    await enter(connections, "ipv4:10.0.0.1:1", 2, token=True)
    assert await full(connections, "ipv4:10.0.0.1:1", token=True) == "server.max_rpcs_per_connection"
    await enter(connections, "ipv4:10.0.0.1:2", 1, token=True)
    assert await full(connections, "ipv4:10.0.0.1:2", token=True) == "server.max_rpcs_per_peer"
    await enter(connections, "ipv4:10.0.0.3:1", 2, token=True)
    assert await full(connections, "ipv4:10.0.0.3:1", token=True) == "server.max_concurrent_rpcs"


async def test_callers_through_a_unix_socket_share_the_limit_of_all() -> None:
    connections = Connections(in_all=10, of_peer=1, of_connection=1, refused_per_second=1)
    await enter(connections, "unix:", 8)
    assert await full(connections, "unix:") == "server.max_concurrent_rpcs"


async def test_finished_calls_are_forgotten() -> None:
    connections = Connections(in_all=10, of_peer=5, of_connection=5, refused_per_second=1)
    calls = [*await enter(connections, ADA, 3), *await enter(connections, BOB, 5, token=True)]
    calls[0].confirm_token()
    await enter(connections, EVE, 2)
    for call in calls:
        call.leave()
    assert connections.active == 2
    assert set(connections._known) == {EVE} and set(connections._peers) == {"10.0.0.3"}
    await enter(connections, ADA, 4)


async def test_provisional_stream_must_send_its_token() -> None:
    connections = Connections(in_all=5, of_peer=5, of_connection=5, refused_per_second=1)
    anonymous = await enter(connections, ADA, 4)
    stream = await connections.enter(ADA, has_token=False, provisional=True)
    with pytest.raises(errors.LimitReached):
        stream.end_provisional()
    stream.leave()
    stream = await connections.enter(ADA, has_token=False, provisional=True)
    stream.confirm_token()
    stream.end_provisional()
    stream.leave()
    stream = await connections.enter(ADA, has_token=False, provisional=True)
    anonymous.pop().leave()
    stream.end_provisional()
    assert await full(connections, ADA) == "server.max_rpcs_per_connection"


async def test_only_the_connection_of_refused_calls_is_throttled() -> None:
    connections = Connections(in_all=100, of_peer=100, of_connection=100, refused_per_second=1)
    (call,) = await enter(connections, ADA)
    for _ in range(THROTTLED_FROM + 10):
        call.refused(errors.TokenInvalid())
    waiting = [asyncio.ensure_future(connections.enter(ADA, has_token=True)) for _ in range(3)]
    await asyncio.sleep(0.01)
    assert [task.done() for task in waiting] == [True, False, False]
    (other,) = await enter(connections, "ipv4:10.0.0.1:2")
    await enter(connections, BOB)
    await other.wait_while_throttled()
    with pytest.raises(errors.LimitReached) as refusal:  # nor is what is long held meanwhile
        await connections.enter(ADA, has_token=True, size=MAX_HELD_BYTES + 1)
    assert refusal.value.metadata["limit"] == "server.refused_rpcs_per_second"
    connections.close()
    await asyncio.gather(*waiting)


async def test_accepted_calls_offset_refused_ones_and_stale_sequences_do_not_count() -> None:
    connections = Connections(in_all=100, of_peer=100, of_connection=100, refused_per_second=1)
    (call,) = await enter(connections, ADA)
    for _ in range(2 * THROTTLED_FROM):
        call.refused(errors.UnknownMatch("matches/x"))
        call.accepted()
        call.refused(errors.StaleSequence(3))
        call.refused(errors.NotYourTurn([0]))
    for _ in range(5):
        await call.wait_while_throttled()
        await enter(connections, ADA)
    for _ in range(5 * THROTTLED_FROM):
        call.refused(errors.UnknownMatch("matches/x"))
    for _ in range(5 * THROTTLED_FROM):
        call.accepted()
    for _ in range(5):
        await call.wait_while_throttled()


# -- over the wire -----------------------------------------------------------------------------------------------------


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], settings={"server.max_rpcs_per_connection": 10}) as running:
        yield running


@pytest.fixture
async def table(running: Running) -> AsyncIterator[RemoteMatch]:
    """A match, with as many spectators on the connection as may be."""
    table = await new_match(running, "kuhn")
    calls = [watch(table) for _ in range(8)]
    for call in calls:
        await call.read()
    yield table
    for call in calls:
        call.cancel()


def watch(table: RemoteMatch, token: str = "") -> Any:
    return table.running.matches.WatchMatch(pb.WatchMatchRequest(name=table.name, token=token))


async def test_players_act_and_watch_although_spectators_fill_their_connection(table: RemoteMatch) -> None:
    refusal = await refused(table.running.matches.ListMatches(pb.ListMatchesRequest()))
    assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "server.max_rpcs_per_connection")
    async with expect_refusal() as refusal:
        await watch(table).read()
    assert refusal.reason == "LIMIT_REACHED"
    await table.submit(0, kuhn.CHECK())
    call = watch(table, table.seats[0])
    assert (await call.read()).match.name == table.name
    async with play_stream(table.running) as stream:
        await stream.send(attach=[play_pb.Attach(channel=1, match=table.name, token=table.seats[1])])
        await stream.until(lambda it: 1 in it.attached)
        assert stream.attached[1].match.name == table.name
    call.cancel()


async def test_play_stream_without_token_does_not_use_the_reserved_fifth(
    table: RemoteMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "TOKEN_SECONDS", 0.05)
    for attach in ([], [play_pb.Attach(channel=1, match=table.name, token="wrong")]):
        call = table.running.plays.Play()
        await call.write(play_pb.PlayRequest(hello=play_pb.Hello(), attach=attach))
        async with expect_refusal() as refusal:
            while await call.read() is not grpc.aio.EOF:
                pass
        assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "server.max_rpcs_per_connection")


async def test_limit_of_one_connection_does_not_affect_others(table: RemoteMatch) -> None:
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(table.running.target, options=options) as channel:
        matches = match_service_pb2_grpc.MatchServiceStub(channel)
        assert len((await matches.ListMatches(pb.ListMatchesRequest())).matches) == 1


async def test_stream_without_a_hello_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "HELLO_SECONDS", 0.05)
    async with running_server(packs=[kuhn.PACK]) as running:
        call = running.plays.Play()
        await call.wait_for_connection()
        async with expect_refusal() as refusal:
            await call.read()
        assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["hello"])
        await until(lambda: not running.server.streams)


async def test_api_token_counts_as_a_token() -> None:
    settings = {"server.max_rpcs_per_connection": 5, "auth.api_token": "secret"}
    shown = [("authorization", "Bearer secret")]
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        request = pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2)
        name = (await running.matches.CreateMatch(request, metadata=shown)).match.name
        calls = [running.matches.WatchMatch(pb.WatchMatchRequest(name=name)) for _ in range(4)]
        for call in calls:
            await call.read()
        assert (await refused(running.matches.CreateMatch(request))).reason == "LIMIT_REACHED"
        assert (await running.matches.CreateMatch(request, metadata=shown)).match.name != name
        for call in calls:
            call.cancel()
