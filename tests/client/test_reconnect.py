"""Lost connections and restarts during play: nothing is lost, and nothing counts twice."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from engine_service.errors import LimitReached
from omnilude import AsyncClient, Bot, Invited, Open, Player, ServiceBot, Turn, clocks
from omnilude.errors import LimitReached as Refused
from omnilude.errors import SlowConsumer
from omnilude.v1 import match_pb2
from tests.support.cutting_proxy import cutting_proxy
from tests.support.server import Running, ServiceProcess
from tests.support.waiting import until


class Counting(Bot):
    """A bot that records its choices by record."""

    def __init__(self) -> None:
        self.chosen: dict[tuple[str, int], int] = {}

    def choose(self, turn: Turn) -> int:
        code = turn.rng.choice(turn.codes)
        self.chosen[turn.bot_seat.name, turn.seq] = code
        return code


async def ended_match(client: AsyncClient, match_name: str) -> match_pb2.Match:
    match = await client.match(match_name)
    async with asyncio.timeout(60):
        async for update in match.watch():
            ended = update.match
    return ended


async def actions_of(client: AsyncClient, match_name: str, seat: int) -> list[int]:
    codes = []
    async for update in (await client.match(match_name)).watch():
        codes += [e.code for e in update.events if e.kind == match_pb2.RECORD_KIND_ACTION and e.seat == seat]
    return codes


async def test_slow_service_has_time_to_answer(service: Running) -> None:
    async with cutting_proxy(service.target) as proxy, AsyncClient(proxy.target) as far:
        proxy.delay = 0.5
        assert (await far.catalog()).games
        assert proxy.connections == 1


async def test_lost_connections_neither_lose_nor_repeat_moves(service: Running, client: AsyncClient) -> None:
    rng = random.Random(3)
    ann, bob = Counting(), Counting()
    async with (
        cutting_proxy(service.target) as proxy,
        AsyncClient(proxy.target) as far,
        Player(ann, far, name="ann", key="a"),
        Player(bob, client, name="bob"),
    ):
        seats = [Invited("ann"), Invited("bob")]
        matches = [await client.create("ominoes", seats, options={"target": 8}) for _ in range(6)]

        async def cut_now_and_then() -> None:
            while True:
                await asyncio.sleep(rng.uniform(0.01, 0.1))
                proxy.cut()

        cutting = asyncio.create_task(cut_now_and_then())
        ended = await asyncio.gather(*(ended_match(client, match.name) for match in matches))
        cutting.cancel()
        assert proxy.connections > 3
    for match in ended:
        assert match.result.reason == match_pb2.END_REASON_RULES
        for seat, bot in enumerate((ann, bob)):
            chosen = [code for (name, _), code in sorted(bot.chosen.items()) if name == match.name]
            assert await actions_of(client, match.name, seat) == chosen, "each decision was asked, and taken, once"


async def test_silent_connection_is_replaced(service: Running, client: AsyncClient) -> None:
    bot = Counting()
    async with (
        cutting_proxy(service.target) as proxy,
        AsyncClient(proxy.target) as far,
        Player(bot, far, name="ann", key="a") as player,
    ):
        await player.connected()
        before = proxy.connections
        proxy.stall()
        match = await client.create("ominoes", [Invited("ann"), ServiceBot("random")], options={"target": 4})
        await until(lambda: proxy.connections > before)
        proxy.resume()
        assert (await ended_match(client, match.name)).state == match_pb2.MATCH_STATE_FINISHED


async def test_bot_keeps_its_seat_while_a_limit_is_reached(client: AsyncClient, service: Running) -> None:
    async with cutting_proxy(service.target) as proxy, AsyncClient(proxy.target) as far:
        match = await client.create("ominoes", [Open(), Open()], options={"target": 4})
        ann, bob = await match.join("ann", 0), await match.join("bob", 1)
        async with Player(Counting(), far) as player, Player(Counting(), client) as other:
            await player.connected()
            playing = player.play_seat(match.name, ann.token)
            await until(lambda: bool(player._main.session.seats) and player._main.session.seats[0].match is not None)
            live = service.server.host._cache.get_cached(match.name)
            assert live is not None
            subscribe = type(live).subscribe
            refusals = 0

            def full(*given: object) -> None:
                nonlocal refusals
                refusals += 1
                raise LimitReached("subscribers_per_match", 1, "at most 1 stream may follow one match")

            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(type(live), "subscribe", full)
                proxy.cut()
                await until(lambda: refusals >= 3)
                assert not playing.done()
            assert type(live).subscribe is subscribe
            async with asyncio.timeout(60):
                played, _ = await asyncio.gather(playing, other.play_seat(match.name, bob.token))
            assert played.match.state == match_pb2.MATCH_STATE_FINISHED and played.error is None


async def test_seat_that_stays_refused_is_lost_after_the_reconnect_timeout(
    client: AsyncClient, service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await client.create("ominoes", [Open(), Open()])
    ann = await match.join("ann", 0)
    await match.join("bob", 1)
    live = service.server.host._cache.get_cached(match.name)
    assert live is not None

    def full(*given: object) -> None:
        raise LimitReached("subscribers_per_match", 1, "at most 1 stream may follow one match")

    monkeypatch.setattr(type(live), "subscribe", full)
    async with Player(Counting(), client, reconnect_timeout=0.3) as player:
        with pytest.raises(Refused):
            async with asyncio.timeout(30):
                await player.play_seat(match.name, ann.token)


async def test_watch_survives_lost_connections(service: Running, client: AsyncClient) -> None:
    async with cutting_proxy(service.target) as proxy, AsyncClient(proxy.target) as far:
        match = await client.create("ominoes", [Open(), ServiceBot("random")], options={"target": 6})
        seat = await match.join("ann")
        seqs: list[int] = []
        async for update in (await far.match(match.name)).watch():
            seqs += [event.seq for event in update.events]
            legal = await seat.legal_actions()
            if legal.codes:
                if len(seqs) % 3 == 0:
                    proxy.cut()
                await seat.submit_action(legal.codes[0], expected_seq=legal.seq)
        assert proxy.connections > 3
        assert seqs == list(range(1, update.match.seq + 1))


async def test_watch_gives_up_after_the_reconnect_timeout(service: Running, client: AsyncClient) -> None:
    async with cutting_proxy(service.target) as proxy, AsyncClient(proxy.target) as far:
        match = await client.create("ominoes", [Open(), Open()])
        watched = (await far.match(match.name)).watch(reconnect_timeout=0.3)
        await anext(watched)
        proxy.is_open = False
        proxy.cut()
        with pytest.raises(Exception) as caught:
            await anext(watched)
        assert not isinstance(caught.value, SlowConsumer | StopAsyncIteration)


async def test_restarted_bot_gets_its_seats_back(service: Running, client: AsyncClient) -> None:
    """A bot whose process was killed during play is restarted with the same key."""
    thinking: list[int] = []

    class Dying(Bot):
        async def choose(self, turn: Turn) -> int:
            thinking.append(turn.seq)
            await asyncio.Event().wait()
            raise AssertionError

    async with AsyncClient(service.target) as near, Player(Dying(), near, name="ann", key="her own") as player:
        await player.connected()
        match = await client.create("ominoes", [Invited("ann"), ServiceBot("random")], options={"target": 4})
        await until(lambda: thinking)
    async with AsyncClient(service.target) as near, Player(Counting(), near, name="ann", key="her own"):
        assert (await ended_match(client, match.name)).result.reason == match_pb2.END_REASON_RULES


async def test_bots_play_on_after_the_service_was_killed(tmp_path: Path) -> None:
    """The service is killed (kill -9) during play and started again at the same address; the bots reconnect."""
    ann, bob = Counting(), Counting()
    port = free_port()
    flags = ("--server.port", str(port), "--packs.only", "ominoes")
    with ServiceProcess(tmp_path, *flags) as service:
        async with (
            AsyncClient(service.target) as client,
            Player(ann, client, name="ann", key="a"),
            Player(bob, client, name="bob", key="b"),
        ):
            seats = [Invited("ann"), Invited("bob")]
            control = clocks(per_move=60)
            matches = [
                await client.create("ominoes", seats, options={"target": 10}, time_control=control) for _ in range(3)
            ]
            for _ in range(2):
                enough = len(ann.chosen) + 30
                await until(lambda enough=enough: len(ann.chosen) >= enough)
                await asyncio.to_thread(service.kill)
                await asyncio.to_thread(service.start)
            ended = [await ended_match(client, match.name) for match in matches]
            for match in ended:
                assert match.result.reason == match_pb2.END_REASON_RULES
                for seat, bot in enumerate((ann, bob)):
                    chosen = [code for (name, _), code in sorted(bot.chosen.items()) if name == match.name]
                    assert await actions_of(client, match.name, seat) == chosen


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
