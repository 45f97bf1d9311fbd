"""Services that share one PostgreSQL database: each serves every match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from engine_service.hosting.replication import Replication
from engine_service.log.records import Record
from engine_service.log.replay import records_of
from engine_service.match_enums import RecordKind
from omnilude import AsyncClient, Bot, Invited, Open, Turn
from omnilude.errors import UnknownMatch
from omnilude.player import Player
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn
from tests.support.play_stream import play_stream
from tests.support.postgres import database, postgres
from tests.support.rpc_errors import expect_refusal, refused
from tests.support.server import Running, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, get_replay, new_match

__all__ = ["database", "postgres"]


@pytest.fixture
async def services(database: str, tmp_path: Path) -> AsyncIterator[list[Running]]:
    """Three services on one database, in this process."""
    settings: dict[str, Any] = {
        "store.in_memory": False,
        "store.url": database,
        "http.enabled": False,
        "server.own_address": "127.0.0.1:0",
    }
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(running_server(packs=[kuhn.PACK], settings=settings)) for _ in range(3)]


def at(table: RemoteMatch, service: Running) -> RemoteMatch:
    """Returns the same match at another service."""
    return replace(table, running=service)


async def test_each_service_plays_on_where_another_one_stopped(services: list[Running]) -> None:
    table = await new_match(services[0], "kuhn")
    tables = [at(table, service) for service in services]
    await tables[1].submit(0, kuhn.CHECK())
    await tables[2].submit(1, kuhn.BET())
    await tables[0].submit(0, kuhn.FOLD())
    for each in tables:
        match = await each.match()
        assert match.result.places == [2, 1] and match == await tables[0].match()


async def test_one_of_two_simultaneous_actions_at_two_services_is_refused(services: list[Running]) -> None:
    table = await new_match(services[0], "kuhn")
    await at(table, services[1]).match()
    answers = await asyncio.gather(
        table.submit(0, kuhn.CHECK()), at(table, services[1]).submit(0, kuhn.BET()), return_exceptions=True
    )
    refused = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    assert len(refused) == 1
    log = [(await at(table, service).match()).seq for service in services]
    assert len(set(log)) == 1


async def test_watcher_at_one_service_sees_what_another_one_writes(services: list[Running]) -> None:
    table = await new_match(services[0], "kuhn")
    stream = services[1].matches.WatchMatch(pb.WatchMatchRequest(name=table.name))
    seqs: list[int] = []

    async def watch() -> None:
        async for message in stream:
            seqs.extend(event.seq for event in message.events)

    watching = asyncio.create_task(watch())
    await table.submit(0, kuhn.CHECK())
    await at(table, services[2]).submit(1, kuhn.CHECK())
    await asyncio.wait_for(watching, 10)
    assert seqs == list(range(1, (await table.match()).seq + 1))


# -- what must happen once ---------------------------------------------------------------------------------------------


async def with_clock(service: Running, ms: int) -> RemoteMatch:
    control = match_pb2.TimeControl()
    control.per_move.FromMilliseconds(ms)
    return await new_match(service, "kuhn", time_control=control)


async def log_of(table: RemoteMatch) -> list[Record]:
    return records_of(await get_replay(table.running.matches, table.name, table.host))


def replication_of(service: Running) -> Replication:
    found = service.server.host._runtime.replication
    assert found is not None
    return found


async def ended(table: RemoteMatch) -> match_pb2.Match:
    async with asyncio.timeout(30):
        while True:
            match = await table.match()
            if match.state == match_pb2.MATCH_STATE_FINISHED:
                return match
            await asyncio.sleep(0.05)


async def test_clocks_of_a_service_that_has_died_run_out_at_another_one(services: list[Running]) -> None:
    table = await with_clock(services[0], 1_500)
    died = replication_of(services[0])
    task = died.replica._task
    assert task is not None and died._claims
    # As if its process had been killed: it renews its lease no more, and its clocks fire no more.
    task.cancel()
    services[0].server.host._runtime._deadlines.close()
    match = await ended(at(table, services[1]))
    assert [seat.out for seat in match.seats] == [True, False]
    assert [record.kind for record in await log_of(at(table, services[1]))].count(RecordKind.TIMED_OUT) == 1


async def test_claim_held_by_several_services_changes_nothing(services: list[Running]) -> None:
    table = await with_clock(services[0], 500)
    key = services[0].server.host._runtime.cache.get_cached(table.name).key  # type: ignore[union-attr]
    for service in services[1:]:
        await at(table, service).match()
        replication_of(service).claimed([(key, table.name)])
    await ended(table)
    await asyncio.sleep(0.5)
    for service in services:
        kinds = [record.kind for record in await log_of(at(table, service))]
        assert kinds.count(RecordKind.TIMED_OUT) == kinds.count(RecordKind.FINISHED) == 1


async def test_services_count_one_common_uptime(services: list[Running]) -> None:
    async with asyncio.timeout(30):
        while True:
            await asyncio.sleep(0.1)
            counts = [replication_of(service).uptime_ms() for service in services]
            if max(counts) - min(counts) < 200 and min(counts) > 0:
                return


async def test_one_service_cleans_up_for_all(services: list[Running]) -> None:
    replicas = [replication_of(service).replica for service in services]
    assert sorted([await replica.take_job("sweep", 3_600) for replica in replicas]) == [False, False, True]
    assert await replicas[0].take_job("other", 0) and await replicas[1].take_job("other", 0)
    await replicas[0].forget(0)


# -- players -----------------------------------------------------------------------------------------------------------


async def test_player_is_invited_at_the_service_where_its_stream_is(services: list[Running]) -> None:
    async with play_stream(services[1], player="ada") as ada:
        await ada.until(lambda s: s.welcome)
        seats = [pb.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player="ada"), pb.SeatSetup()]
        created = await services[0].matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=seats))
        await ada.until(lambda s: s.invitations)
        assert [invitation.match.name for invitation in ada.invitations] == [created.match.name]
        get = pb.GetMatchRequest(name=created.match.name)
        assert [list((await each.matches.GetMatch(get)).disconnected_seats) for each in services] == [[]] * 3
    async with asyncio.timeout(30):
        for each in services:
            while list((await each.matches.GetMatch(get)).disconnected_seats) != [0]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    async with play_stream(services[2], player="ada") as ada:
        await ada.until(lambda s: s.invitations)
        assert ada.invitations[0].seat == 0


async def test_name_belongs_to_its_key_at_every_service(services: list[Running]) -> None:
    async with play_stream(services[0], player="bob", player_key="one") as first:
        await first.until(lambda s: s.welcome)
        await until(lambda: replication_of(services[0])._players.connection("bob"))
        async with expect_refusal() as refusal, play_stream(services[1], player="bob", player_key="two") as other:
            while True:
                await other.receive()
        assert refusal.reason == "PLAYER_NAME_TAKEN"
        async with expect_refusal() as replaced, play_stream(services[1], player="bob", player_key="one"):
            while True:
                await first.receive()
        assert replaced.reason == "PLAYER_NAME_TAKEN"


async def test_repeated_request_gets_its_first_answer_at_another_service(services: list[Running]) -> None:
    create = pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2, request_id="c", client_key="k")
    created = [await service.matches.CreateMatch(create) for service in services]
    assert len({(answer.match.name, answer.host_token) for answer in created}) == 1
    name = created[0].match.name
    join = pb.JoinMatchRequest(name=name, player="ada", request_id="j", client_key="k")
    joined = await asyncio.gather(*(service.matches.JoinMatch(join) for service in services))
    assert len({(answer.seat, answer.token) for answer in joined}) == 1
    assert [seat.taken for seat in (await services[2].matches.GetMatch(pb.GetMatchRequest(name=name))).match.seats] == [
        True,
        False,
    ]


# -- ephemeral matches -------------------------------------------------------------------------------------------------


async def test_ephemeral_match_is_in_one_service_and_the_others_tell_where(services: list[Running]) -> None:
    table = await new_match(services[0], "kuhn", ephemeral=True)
    number = replication_of(services[0]).replica.number
    assert table.name.endswith(f"-{number}")
    async with asyncio.timeout(10):
        while True:
            refusal = await refused(at(table, services[1]).match())
            if refusal.metadata["address"]:
                break
            await asyncio.sleep(0.1)  # the address comes with the next renewal of the lease
    assert refusal.reason == "MATCH_ELSEWHERE"
    async with AsyncClient(services[1].target) as client:
        match = await client.match(table.name, token=table.host)
        assert (await match.get()).name == table.name
        assert (await match.cancel()).state == match_pb2.MATCH_STATE_CANCELLED
    gone = await refused(services[1].matches.GetMatch(pb.GetMatchRequest(name=f"{table.name}9")))
    assert gone.reason == "UNKNOWN_MATCH"


async def addresses_known(services: list[Running]) -> None:
    """Wait until each service has stored its address with a renewal of its lease."""
    for service in services:
        own = replication_of(service).replica
        async with asyncio.timeout(10):
            while (await own.addresses_of(own.number) or ("",))[0] == "":  # noqa: ASYNC110
                await asyncio.sleep(0.05)


class FirstAction(Bot):
    """Takes the first legal action."""

    def choose(self, turn: Turn) -> int:
        """See Bot."""
        return turn.codes[0]


async def test_seats_of_an_ephemeral_match_are_played_from_streams_at_other_services(services: list[Running]) -> None:
    await addresses_known(services)
    async with (
        AsyncClient(services[0].target) as creator,
        AsyncClient(services[1].target) as near,
        AsyncClient(services[2].target) as far,
        Player(FirstAction(), near) as first,
        Player(FirstAction(), far) as second,
    ):
        for _ in range(3):
            match = await creator.create("kuhn", [Open(), Open()], ephemeral=True)
            seats = [await match.join("ada"), await match.join("bob")]
            playing = [first.play_seat(match.name, seats[0].token), second.play_seat(match.name, seats[1].token)]
            played = await asyncio.wait_for(asyncio.gather(*playing), 20)
            assert [each.match.state for each in played] == [match_pb2.MATCH_STATE_FINISHED] * 2
        assert len(first._additional) == len(second._additional) == 1


async def test_players_elsewhere_are_invited_to_ephemeral_matches(services: list[Running]) -> None:
    await addresses_known(services)
    async with (
        AsyncClient(services[0].target) as creator,
        AsyncClient(services[1].target) as near,
        AsyncClient(services[2].target) as far,
        Player(FirstAction(), near, name="ada", key="a") as ada,
        Player(FirstAction(), far, name="bob", key="b", games=["kuhn"]) as bob,
    ):
        await asyncio.gather(ada.connected(), bob.connected())
        for ephemeral in (True, False, True):
            match = await creator.create("kuhn", [Invited("ada"), Invited("bob")], ephemeral=ephemeral)
            async with asyncio.timeout(20):
                async for update in match.watch():
                    state = update.match.state
            assert state == match_pb2.MATCH_STATE_FINISHED
        # The names are still those of the first streams.
        assert replication_of(services[1])._players.names == {"ada"}
        assert replication_of(services[2])._players.names == {"bob"}


async def test_additional_stream_needs_the_key_of_its_name(services: list[Running]) -> None:
    async with play_stream(services[1], player="ada", player_key="a") as ada:
        await ada.until(lambda s: s.welcome)
        await until(lambda: replication_of(services[1])._players.connection("ada"))
        for service, key in ((services[0], "other"), (services[1], "a")):
            async with (
                expect_refusal() as refusal,
                play_stream(service, player="ada", player_key=key, additional=True) as more,
            ):
                while True:
                    await more.receive()
            assert refusal.reason == "PLAYER_NAME_TAKEN"
        assert replication_of(services[1])._players.names == {"ada"}


async def test_seat_is_lost_with_the_service_that_had_its_match(services: list[Running]) -> None:
    await addresses_known(services)
    async with AsyncClient(services[1].target) as client, Player(FirstAction(), client) as player:
        async with AsyncClient(services[0].target) as creator:
            match = await creator.create("kuhn", [Open(), Open()], ephemeral=True)
            seat = await match.join("ada")
        playing = player.play_seat(match.name, seat.token)
        await until(lambda: player._bot_seats)
        await services[0].server.stop(grace=0.0)
        with pytest.raises(UnknownMatch):
            await asyncio.wait_for(playing, 20)
        assert not player._additional


async def test_ephemeral_matches_are_refused_if_services_have_no_own_address(
    services: list[Running], database: str
) -> None:
    settings: dict[str, Any] = {"store.in_memory": False, "store.url": database, "http.enabled": False}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        refusal = await refused(new_match(running, "kuhn", ephemeral=True))
        assert list(refusal.fields) == ["ephemeral"]
