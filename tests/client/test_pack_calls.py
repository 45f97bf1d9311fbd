"""Calls of a pack's own service, from both clients, without the pack's generated code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from omnilude import AsyncClient, Client, Open
from omnilude.errors import InvalidField, TokenInvalid
from omnilude.packs import WrongMessage, game_info
from tests.client.test_packs import catalog_answer
from tests.support.games import kuhn, peek
from tests.support.server import Running, running_server


@pytest.fixture
async def service() -> AsyncIterator[Running]:
    pack = peek.PeekPack()
    async with running_server(packs=[pack]) as running:
        yield running
        pack.service.gate.set()


async def test_seat_calls_a_pack_service(service: Running) -> None:
    async with AsyncClient(service.target) as client:
        match = await client.create("kuhn", [Open(), Open()], options={"ranks": 3})
        seats = [await match.join("ann"), await match.join("ben")]
        own = await seats[0].call_pack("TellCard", seat=0)
        view = (await seats[0].observation()).view
        assert own.card == view.cards[0]  # type: ignore[attr-defined, union-attr]
        assert (own.viewer, own.seq) == (0, (await match.get()).seq)  # type: ignore[attr-defined]
        assert (await match.call_pack("TellCard", seat=1)).viewer == -2  # type: ignore[attr-defined]
        with pytest.raises(InvalidField) as refused:
            await seats[0].call_pack("TellCard", seat=9)
        assert [fault.field for fault in refused.value.faults] == ["seat"]
        with pytest.raises(TokenInvalid):
            await client.seat(match.name, 0, "x" * 43).call_pack("TellCard")


async def test_unknown_pack_call_is_refused(service: Running) -> None:
    async with AsyncClient(service.target) as client:
        match = await client.create("kuhn", [Open(), Open()])
        with pytest.raises(
            WrongMessage, match="the pack of kuhn has no call 'TellAll'; its calls: Misbehave, TellCard"
        ):
            await match.call_pack("TellAll")
        for fields in ({"no_such_field": 1}, {"seat": "first"}):
            with pytest.raises(WrongMessage, match="TellCard: "):
                await match.call_pack("TellCard", **fields)


async def test_synchronous_client_calls_pack_services(service: Running) -> None:
    def read_card() -> int:
        with Client(service.target) as client:
            match = client.create("kuhn", [Open(), Open()])
            seat = match.join("ann")
            match.join("ben")
            return seat.call_pack("TellCard", seat=0).card  # type: ignore[attr-defined, no-any-return]

    assert await asyncio.to_thread(read_card) in range(kuhn.KuhnOptions().ranks)


def test_catalog_without_a_services_descriptor_is_refused() -> None:
    answer = catalog_answer("no.service.v1", "x")
    assert game_info(answer).calls == {}
    answer.game.services.append("no.service.v1.PeekService")
    with pytest.raises(WrongMessage, match=r"no descriptor of no\.service\.v1\.PeekService"):
        game_info(answer)
