"""Services of packs: the state that they are given, and the handling of their errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from omnilude.v1 import catalog_pb2, match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn, peek, sealed
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, new_match

PATH = "/tests.peek.v1.PeekService/"
SERVICE = "tests.peek.v1.PeekService"


@dataclass
class Peeking:
    """A server with the service, and a match in which each seat has its card."""

    running: Running
    pack: peek.PeekPack
    table: RemoteMatch

    async def tell(self, seat: int, token: str = "", **more: Any) -> Any:
        request = peek.messages.TellCardRequest(**{"name": self.table.name, "token": token, "seat": seat, **more})
        return await self.call("TellCard", request, peek.messages.TellCardResponse)

    async def misbehave(self, how: str, token: str = "") -> Any:
        request = peek.messages.MisbehaveRequest(name=self.table.name, token=token, how=how)
        return await self.call("Misbehave", request, peek.messages.MisbehaveResponse)

    async def call(self, name: str, request: Any, response: Any) -> Any:
        method = self.running.channel.unary_unary(PATH + name, type(request).SerializeToString, response.FromString)
        return await method(request)


@pytest.fixture
async def peeking() -> AsyncIterator[Peeking]:
    pack = peek.PeekPack()
    settings = {"limits.pack_calls": 3}
    async with running_server(packs=[pack, sealed.PACK], settings=settings) as running:
        dice = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
        table = await new_match(running, "kuhn", 2, policy=dice, option_texts={"ranks": "13"})
        await table.provide(kuhn.DEAL(11), kuhn.DEAL(4))
        yield Peeking(running, pack, table)
        pack.service.gate.set()


async def test_seat_sees_what_its_view_shows(peeking: Peeking) -> None:
    seat, other = peeking.table.seats
    answer = await peeking.tell(0, seat)
    assert (answer.card, answer.viewer, answer.seq) == (11, 0, (await peeking.table.match()).seq)
    assert (await peeking.tell(1, other)).card == 4
    assert [(await peeking.tell(seat, peeking.table.host)).card for seat in (0, 1)] == [11, 4], "the host knows all"


async def test_pack_service_sees_only_what_its_caller_may_know(peeking: Peeking) -> None:
    for token in (peeking.table.seats[1], ""):
        shown = {(await peeking.tell(0, token)).card for _ in range(40)}
        assert len(shown) > 3, "another card each time, the true one no more often than others"
    shown = {(await peeking.tell(0, peeking.table.seats[1])).card for _ in range(40)}
    assert 4 not in shown, "it is none that the viewer holds itself"


async def test_pack_service_takes_the_tokens_of_views(peeking: Peeking) -> None:
    wrong = await refused(peeking.tell(0, "x" * 43))
    assert (wrong.code, wrong.reason) == (StatusCode.PERMISSION_DENIED, "TOKEN_INVALID")
    missing = await refused(peeking.tell(0, name="matches/none"))
    assert (missing.code, missing.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_MATCH")
    malformed = await refused(peeking.tell(0, name="none"))
    assert (malformed.reason, list(malformed.fields)) == ("INVALID_FIELD", ["name"])
    other = await new_match(peeking.running, "sealed", 2)
    foreign = await refused(peeking.tell(0, name=other.name))
    assert (foreign.reason, list(foreign.fields)) == ("INVALID_FIELD", ["name"])
    assert "must be a match of kuhn, not of sealed" in foreign.message


async def test_pack_service_is_refused_before_the_start(peeking: Peeking) -> None:
    request = pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup(), pb.SeatSetup()])
    waiting = (await peeking.running.matches.CreateMatch(request)).match
    refusal = await refused(peeking.tell(0, name=waiting.name))
    assert (refusal.code, refusal.reason) == (StatusCode.FAILED_PRECONDITION, "MATCH_NOT_STARTED")


async def test_pack_service_answers_after_the_end(peeking: Peeking) -> None:
    await peeking.table.submit(0, kuhn.BET())
    await peeking.table.submit(1, kuhn.FOLD())
    assert (await peeking.table.match()).state == match_pb2.MATCH_STATE_FINISHED
    assert (await peeking.tell(0)).card == -1


async def test_packs_refusals_are_typed(peeking: Peeking) -> None:
    wrong = await refused(peeking.tell(7))
    assert (wrong.code, wrong.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert wrong.fields == {"seat": "no seat 7; there are 2"}
    illegal = await refused(peeking.misbehave("refuse"))
    assert (illegal.code, illegal.reason) == (StatusCode.INVALID_ARGUMENT, "ILLEGAL_ACTION")
    assert illegal.metadata == {"pack_reason": "TOO_FAR", "inches": "12"}
    method = peeking.running.channel.unary_unary(PATH + "TellCard")
    garbled = await refused(method(b"\xff\xff"))
    assert (garbled.code, garbled.reason) == (StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE")
    unknown = await refused(peeking.running.channel.unary_unary(PATH + "TellAll")(b""))
    assert unknown.code is StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("how", ["raise", "exit", "cancel", "wrong type", "refuse wrongly"])
async def test_fault_ends_only_its_call(peeking: Peeking, how: str, caplog: pytest.LogCaptureFixture) -> None:
    refusal = await refused(peeking.misbehave(how))
    assert (refusal.code, refusal.reason) == (StatusCode.INTERNAL, "INTERNAL")
    assert refusal.metadata["incident"] in caplog.text and peek.SECRET not in caplog.text + refusal.message
    assert "PeekService/Misbehave" in caplog.text
    assert (await peeking.table.match()).state == match_pb2.MATCH_STATE_ACTIVE
    assert (await peeking.tell(0, peeking.table.seats[0])).card == 11


async def test_pack_service_changes_no_match(peeking: Peeking) -> None:
    for token in (peeking.table.host, *peeking.table.seats, ""):
        await peeking.misbehave("change", token)
    assert await peeking.table.to_act() == [0]
    assert (await peeking.tell(0, peeking.table.host)).card == 11


async def test_calls_beyond_the_limit_are_refused_and_moves_continue(peeking: Peeking) -> None:
    waiting = [asyncio.ensure_future(peeking.misbehave("wait")) for _ in range(3)]
    await asyncio.to_thread(peeking.pack.service.waiting.wait, 30)
    await until(lambda: peeking.running.server._packs.active == 3)
    refusal = await refused(peeking.tell(0))
    assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
    assert refusal.metadata["limit"] == "pack_calls"
    await peeking.table.submit(0, kuhn.CHECK())
    # Who leaves does not make room before the pack is done.
    waiting[0].cancel()
    await asyncio.sleep(0.05)
    assert (await refused(peeking.tell(0))).reason == "LIMIT_REACHED"
    peeking.pack.service.gate.set()
    await asyncio.gather(*waiting, return_exceptions=True)
    await until(lambda: peeking.running.server._packs.active == 0)
    await peeking.tell(0)


async def test_call_without_an_answer_is_abandoned_and_frees_its_place(caplog: pytest.LogCaptureFixture) -> None:
    pack = peek.PeekPack()
    settings = {"limits.pack_call_timeout_s": 1, "limits.pack_calls": 4}
    async with running_server(packs=[pack], settings=settings) as running:
        peeking = Peeking(running, pack, await new_match(running, "kuhn", 2, option_texts={"ranks": "13"}))
        # As many as there are threads: those hang in Python, which can be stopped, these wait where nothing stops them.
        hanging = [asyncio.ensure_future(refused(peeking.misbehave("hang"))) for _ in range(2)]
        waiting = [asyncio.ensure_future(refused(peeking.misbehave("wait"))) for _ in range(2)]
        for refusal in await asyncio.gather(*hanging, *waiting):
            assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
            assert refusal.metadata == {"limit": "pack_call_timeout_s", "value": "1"}
        assert caplog.text.count("PeekService/Misbehave is abandoned because it has not answered within 1 s") == 4
        assert running.server.host.stats.pack_timeouts == 4
        await until(lambda: running.server._packs.active == 2)
        assert (await peeking.tell(0)).card != -1
        pack.service.gate.set()
        await until(lambda: running.server._packs.active == 0)


async def test_reflection_health_and_catalogue_list_the_pack_service(peeking: Peeking) -> None:
    channel = peeking.running.channel
    health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=SERVICE))
    assert health.status == health_pb2.HealthCheckResponse.SERVING
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    asked = reflection_pb2.ServerReflectionRequest
    requests = [asked(list_services=""), asked(file_containing_symbol=SERVICE)]
    listed, found = [answer async for answer in stub.ServerReflectionInfo(iter(requests))]
    assert SERVICE in [service.name for service in listed.list_services_response.service]
    (file,) = found.file_descriptor_response.file_descriptor_proto[:1]
    assert SERVICE.rpartition(".")[0] == FileDescriptorProto.FromString(file).package
    got = await peeking.running.catalog.GetGame(catalog_pb2.GetGameRequest(name="games/kuhn"))
    assert list(got.game.services) == [SERVICE]
    # A client that has nothing of the pack makes the messages from the catalogue.
    pool = descriptor_pool.DescriptorPool()
    for proto in got.descriptors.file:
        pool.Add(proto)
    method = pool.FindServiceByName(SERVICE).methods_by_name["TellCard"]
    request = message_factory.GetMessageClass(method.input_type)(name=peeking.table.name, token=peeking.table.host)
    answer = await peeking.call("TellCard", request, message_factory.GetMessageClass(method.output_type))
    assert answer.card == 11


async def test_server_without_reflection_answers_calls() -> None:
    async with running_server(packs=[peek.PeekPack()], settings={"server.reflection": False}) as running:
        method = running.channel.unary_unary(PATH + "TellCard")
        refusal = await refused(method(peek.messages.TellCardRequest(name="matches/none").SerializeToString()))
    assert refusal.reason == "UNKNOWN_MATCH"


async def test_calls_are_under_the_limits_of_all_calls() -> None:
    settings = {"server.max_message_bytes": 65_536}
    async with running_server(packs=[peek.PeekPack()], settings=settings) as running:
        request = peek.messages.TellCardRequest(name="x" * 70_000)
        refusal = await refused(running.channel.unary_unary(PATH + "TellCard")(request.SerializeToString()))
    assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "server.max_message_bytes")


async def test_channel_that_closes_leaves_no_call_behind(peeking: Peeking) -> None:
    async with grpc.aio.insecure_channel(peeking.running.target) as channel:
        request = peek.messages.MisbehaveRequest(name=peeking.table.name, how="wait").SerializeToString()
        call = asyncio.ensure_future(channel.unary_unary(PATH + "Misbehave")(request))
        await asyncio.to_thread(peeking.pack.service.waiting.wait, 30)
    await asyncio.gather(call, return_exceptions=True)
    peeking.pack.service.gate.set()
    await until(lambda: peeking.running.server._packs.active == 0)
