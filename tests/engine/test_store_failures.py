"""Writes that the store refuses change nothing and can be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from engine_service import errors
from engine_service.log.records import Record, chain_all
from engine_service.match_enums import ChanceSource, RecordKind
from engine_service.model import ForkSetup, MatchSetup, Policy, SeatSetup
from engine_service.store.base import Append
from gamepacks.api.types import SPECTATOR, Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import Hosted, HostedMatch, hosting, idle

BET, CHECK = kuhn.BET(), kuhn.CHECK()

WRITES: dict[str, Callable[[Hosted, HostedMatch, HostedMatch], Awaitable[object]]] = {
    "create": lambda h, t, w: h.host.create(MatchSetup("kuhn", [SeatSetup()] * 2)),
    "join": lambda h, t, w: h.host.join(w.name, "x", Seat(1)),
    "leave": lambda h, t, w: h.host.leave(w.name, w.tokens[0]),
    "submit": lambda h, t, w: t.play(1, CHECK),
    "play": lambda h, t, w: h.host.submit_for_seat(t.live, Seat(1), CHECK, 6),  # type: ignore[arg-type,return-value]
    "resign": lambda h, t, w: h.host.resign(t.name, t.tokens[0]),
    "cancel": lambda h, t, w: h.host.cancel(t.name, t.host_token),
    "undo": lambda h, t, w: h.host.request_undo(t.name, t.tokens[0]),
    "supply": lambda h, t, w: h.host.provide_outcomes(w.name, w.host_token, [kuhn.DEAL(1)]),
    "fork": lambda h, t, w: h.host.fork(t.name, ForkSetup(), 5, t.host_token),
}


@pytest.mark.parametrize("what", WRITES)
async def test_failed_write_changes_nothing_and_can_be_tried_again(what: str) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await t.play(0, CHECK)
        w = await h.new_match("kuhn", join=False, policy=Policy(chance=ChanceSource.HOST))
        w.tokens[0] = (await h.host.join(w.name, "Ada", Seat(0))).token
        notified: list[int] = []

        class Listener:
            viewer = SPECTATOR

            def on_change(self, live: object) -> None:
                notified.append(1)

        for table in (t, w):
            table.live.subscribe(Listener())
        before = [(table.live.snapshot, table.log(), await table.stored()) for table in (t, w)]
        live = h.host.live_count
        h.store.failing = True
        with pytest.raises(errors.StoreUnavailable):
            await WRITES[what](h, t, w)
        await idle()
        assert before == [(table.live.snapshot, table.log(), await table.stored()) for table in (t, w)]
        assert notified == [] and h.host.live_count == live and h.host.stats.store_failures == 1
        h.store.failing = False
        await WRITES[what](h, t, w)
        for table in (t, w):
            assert await table.stored() == table.live.log.after(0)


async def test_listeners_are_notified_after_the_commit() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        h.store.gate = asyncio.Event()
        done = asyncio.ensure_future(t.play(0, CHECK))
        await idle()
        assert not done.done() and t.live.seq == 5 and t.live.must_act(0)
        h.store.gate.set()
        assert (await done).action_seq == 6 and t.live.must_act(1)


async def test_writes_to_a_match_take_turns_and_others_do_not_wait() -> None:
    async with hosting() as h:
        t, other = await h.new_match("sealed", 4), await h.new_match("sealed", 4)
        gate = h.store.gate = asyncio.Event()
        moves = [asyncio.ensure_future(t.play(seat, sealed.BID(seat))) for seat in (3, 1, 0, 2)]
        others = [asyncio.ensure_future(other.play(seat, sealed.BID(seat))) for seat in (0, 1)]
        await idle()
        gate.set()
        done = await asyncio.gather(*moves)
        assert [d.action_seq for d in done] == [6, 7, 8, 9]
        await asyncio.gather(*others)
        assert t.log()[5:] == ["ACTION 3 3", "ACTION 1 1", "ACTION 0", "ACTION 2 2"]


async def test_caller_that_goes_away_does_not_stop_its_write_half_way() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        gate = h.store.gate = asyncio.Event()
        done = asyncio.ensure_future(t.play(0, CHECK))
        await idle()
        done.cancel()
        await idle()
        assert done.cancelled() and t.live.seq == 5
        gate.set()
        await idle()
        assert t.live.seq == 6 == len(await t.stored())
        await t.play(1, BET)


async def test_caller_that_goes_away_does_not_undo_a_creation() -> None:
    async with hosting() as h:
        gate = h.store.gate = asyncio.Event()
        done = asyncio.ensure_future(h.host.create(MatchSetup("kuhn", [SeatSetup()] * 2), "r", "key"))
        await idle()
        done.cancel()
        gate.set()
        await idle()
        assert h.host.live_count == 1
        again = await h.host.create(MatchSetup("kuhn", [SeatSetup()] * 2), "r", "key")
        assert h.host.live_count == 1 and h.host._cache.get_cached(again.match.name) is not None


async def test_write_that_another_service_has_overtaken_is_planned_again() -> None:
    """The store refuses the write, the records of the other service are loaded, and the plan is made on them."""
    async with hosting() as h:
        t = await h.new_match("sealed")
        notified: list[int] = []

        class Listener:
            viewer = SPECTATOR

            def on_change(self, live: object) -> None:
                notified.append(t.live.seq)

        t.live.subscribe(Listener())
        row, _ = await h.store.load(t.name)
        record = Record(4, RecordKind.ACTION, 1, sealed.BID(2), 10)
        await h.store.append(Append(row.key, 3, [record], chain_all(row.chain, [record]), None, None))
        with pytest.raises(errors.EngineError):
            await t.play(1, sealed.BID(1))
        assert notified == [4] and t.live.seats_to_act == 0b01 and t.live.seq == 4
        row, _ = await h.store.load(t.name)
        record = Record(5, RecordKind.UNDO_REQUESTED, 1, 0, 10, 3)
        await h.store.append(Append(row.key, 4, [record], chain_all(row.chain, [record]), None, None))
        await t.play(0, sealed.BID(1))
        assert notified[1] == 5 and t.live.log[6].kind is RecordKind.ACTION
        assert await t.stored() == t.live.log.after(0)


async def test_requests_that_race_get_one_answer() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=False)
        joins = await asyncio.gather(*(h.host.join(t.name, "Ada", None, "", "r", "key") for _ in range(5)))
        assert len({join.token for join in joins}) == 1 and t.log() == ["JOINED 0 'Ada'"]
        setup = MatchSetup("kuhn", [SeatSetup()] * 2, labels={"a": "b"})
        made = await asyncio.gather(*(h.host.create(setup, "c", "key") for _ in range(5)))
        assert len({(one.match.name, one.host_token) for one in made}) == 1 and h.host.live_count == 2
        with pytest.raises(errors.RequestIdReused):
            await h.host.create(MatchSetup("sealed", [SeatSetup()] * 2), "c", "key")


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_creation_that_is_repeated_gives_the_same_match(ephemeral: bool) -> None:
    async with hosting() as h:
        setup = MatchSetup("kuhn", [SeatSetup()] * 2, kuhn.messages.Options(ranks=5), ephemeral=ephemeral)
        first = await h.host.create(setup, "r", "key")
        assert await h.host.create(setup, "r", "key") == first
        if not ephemeral:
            await h.restart()
            assert await h.host.create(setup, "r", "key") == first
        with pytest.raises(errors.RequestIdReused):
            await h.host.create(MatchSetup("kuhn", [SeatSetup()] * 2, ephemeral=ephemeral), "r", "key")


async def test_join_that_is_repeated_never_gives_another_players_token() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=False)
        first = await h.host.join(t.name, "Ada", Seat(0), "", "r", "key")
        await h.host.leave(t.name, first.token)
        second = await h.host.join(t.name, "Bob", Seat(0))
        again = await h.host.join(t.name, "Ada", Seat(0), "", "r", "key")
        assert again.token == first.token != second.token
        with pytest.raises(errors.TokenInvalid):
            t.live.viewer_of(again.token)


async def test_no_writes_while_shutting_down() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        e = await h.new_match("kuhn", ephemeral=True)
        gate = h.store.gate = asyncio.Event()
        under_way = asyncio.ensure_future(t.play(0, CHECK))
        await idle()
        await h.host.drain(0.01)
        for call in (
            t.play(1, BET),
            e.play(0, BET),
            h.host.create(MatchSetup("kuhn", [SeatSetup()] * 2)),
            h.host.fork(t.name, ForkSetup(), 5, t.host_token),
            h.host.import_replay(b""),
        ):
            with pytest.raises(errors.ShuttingDown):
                await call
        gate.set()
        assert (await under_way).action_seq == 6
        assert (await h.host.observe_match(t.name)).match.seq == 6
        await h.host.close()
