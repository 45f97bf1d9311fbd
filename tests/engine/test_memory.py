"""The match cache: eviction and limits, and listings of stored and ephemeral matches."""

from __future__ import annotations

import asyncio

import pytest

from engine_service import errors
from engine_service.hosting import match_cache
from engine_service.hosting.match_cache import MatchCache
from engine_service.match_enums import MatchState, UndoPolicy
from engine_service.matches.match import LiveMatch
from engine_service.model import MatchQuery, MatchSetup, Policy, SeatSetup, TimeControl
from gamepacks.api.types import SPECTATOR
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, Hosted, HostedMatch, hosting, idle, invited

TWO = [SeatSetup()] * 2


class Listener:
    viewer = SPECTATOR

    def on_change(self, live: object) -> None:
        raise AssertionError("nothing happens here")


async def test_idle_matches_leave_memory_and_come_back() -> None:
    async with hosting(idle_unload_s=10) as h:
        t = await h.new_match("kuhn")
        await t.play(0, kuhn.CHECK())
        info, state, log = await h.host.get(t.name), t.live.snapshot.game_state.to_bytes(), t.log()
        old = t.live
        await h.time.advance(30_000)
        assert h.host._cache.get_cached(t.name) is None and old.evicted and h.host.stats.matches_unloaded == 1
        assert await h.host.get(t.name) == info and h.host.live_count == 0
        live = await h.host.live_match(t.name)
        assert live is not old and live.snapshot.game_state.to_bytes() == state and t.log() == log
        assert live.decision_seq == old.decision_seq and live.info() == info
        # Who still has the old object plays the match all the same.
        await h.host.submit_for_seat(old, 1, kuhn.BET(), 6)  # type: ignore[arg-type,misc]
        assert live.seq == 7 and old.seq == 6
        await h.host.resign_seat(old, 0)  # type: ignore[arg-type]
        assert live.state is MatchState.FINISHED


async def test_matches_in_use_stay_in_memory() -> None:
    async with hosting(idle_unload_s=10) as h:
        followed = await h.new_match("kuhn")
        followed.live.subscribe(Listener())
        clocked = await h.new_match("kuhn", time_control=TimeControl(per_move_ms=1_000_000))
        used = await h.new_match("kuhn")
        waiting = await h.new_match("kuhn", join=False)
        ephemeral = await h.new_match("kuhn", ephemeral=True)
        for _ in range(6):
            await h.time.advance(5_000)
            await h.host.observe_match(used.name)
        in_memory = [
            t is not None
            for t in map(h.host._cache.get_cached, (followed.name, clocked.name, used.name, ephemeral.name))
        ]
        assert in_memory == [True] * 4 and h.host._cache.get_cached(waiting.name) is None


async def test_ended_ephemeral_matches_are_kept_for_a_while() -> None:
    async with hosting(ephemeral_retention_s=60, ephemeral_retained=3) as h:
        tables = [await h.new_match("kuhn", seats=[BOT, BOT], ephemeral=True) for _ in range(5)]
        assert [h.host._cache.get_cached(t.name) is not None for t in tables] == [
            False,
            False,
            True,
            True,
            True,
        ]
        await h.time.advance(30_000)
        assert (await h.host.get_replay(tables[-1].name)).seed
        late = await h.new_match("kuhn", seats=[BOT, BOT], ephemeral=True)
        await h.time.advance(45_000)
        assert h.host._cache.get_cached(tables[-1].name) is None and h.host._cache.get_cached(late.name) is not None
        for call in (h.host.get(tables[-1].name), h.host.get_replay(tables[-1].name)):
            with pytest.raises(errors.UnknownMatch):
                await call


async def test_idle_ephemeral_match_is_dropped() -> None:
    async with hosting(ephemeral_idle_s=100) as h:
        left, followed = [await h.new_match("kuhn", ephemeral=True) for _ in range(2)]
        followed.live.subscribe(Listener())
        await h.time.advance(90_000)
        assert left.live.state is MatchState.ACTIVE
        await h.time.advance(120_000)
        assert left.log()[-1] == "CANCELLED 'nobody has played for too long'"
        assert followed.live.state is MatchState.ACTIVE


async def test_number_of_live_matches_is_limited() -> None:
    async with hosting(live_matches=3) as h:
        tables = [await h.new_match("kuhn", ephemeral=True) for _ in range(3)]
        for setup in (MatchSetup("kuhn", TWO), MatchSetup("kuhn", TWO, ephemeral=True)):
            with pytest.raises(errors.LimitReached) as limit:
                await h.host.create(setup)
            assert limit.value.metadata == {"limit": "live_matches", "value": "3"}
        await h.host.cancel(tables[0].name, tables[0].host_token)
        stored = await h.new_match("kuhn", join=False)
        # A stored match makes room for another.
        other = await h.new_match("kuhn", join=False)
        assert h.host._cache.get_cached(stored.name) is None and h.host._cache.get_cached(other.name) is not None
        await h.host.live_match(stored.name)
        assert h.host._cache.get_cached(other.name) is None


async def test_making_room_does_not_look_again_at_all_matches_that_cannot_be_evicted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []
    can_evict = MatchCache._can_evict

    def counted(cache: MatchCache, live: LiveMatch) -> bool:
        looked_at.append(live.name)
        return can_evict(cache, live)

    async with hosting(live_matches=40) as h:
        for _ in range(20):
            (await h.new_match("kuhn", join=False)).live.subscribe(Listener())
        for _ in range(20):
            await h.new_match("kuhn", join=False)
        await h.time.advance(2_000)
        monkeypatch.setattr(MatchCache, "_can_evict", counted)
        for _ in range(20):
            await h.new_match("kuhn", join=False)
    assert len(looked_at) == 40 and len(set(looked_at)) == 40


async def test_length_of_a_log_is_limited() -> None:
    async with hosting(log_records=1_000) as h:
        t = await h.new_match("kuhn")
        await t.play(0, kuhn.CHECK())
        for _ in range(497):
            await h.host.request_undo(t.name, t.tokens[0])
            if t.live.state is MatchState.ACTIVE:
                await h.host.answer_undo(t.name, t.tokens[1], t.live.seq, False)
        assert t.live.seq >= 1_000
        with pytest.raises(errors.LimitReached):
            await h.host.request_undo(t.name, t.tokens[0])
        assert t.live.state is MatchState.CANCELLED and len(t.log()) <= 1_003
        with pytest.raises(errors.MatchEnded):
            await t.play(1, kuhn.CHECK())


async def names(h: Hosted, **query: object) -> list[str]:
    """Returns the names on all pages of a listing."""
    found: list[str] = []
    token = ""
    while True:
        page = await h.host.list(MatchQuery(**query, page_token=token))  # type: ignore[arg-type]
        found += [match.name for match in page.matches]
        if not (token := page.next_page_token):
            return found


async def test_lists_have_stored_and_ephemeral_matches_newest_first() -> None:
    async with hosting(list_page_max=4) as h:
        order = []
        for number in range(23):
            if number % 3 == 0:
                await h.time.advance(5)
            t = await h.new_match("sealed" if number % 5 == 0 else "kuhn", ephemeral=number % 2 == 0, labels={"n": "x"})
            order.append((t.live.header.create_ms, t.name))
        expected = [name for _, name in sorted(order, reverse=True)]
        for size in (0, 1, 3, 4, 100):
            assert await names(h, page_size=size) == expected
        sealed_names = [name for name in expected if (await h.host.get(name)).game == "sealed"]
        assert await names(h, game="sealed", page_size=2) == sealed_names and len(sealed_names) == 5
        assert await names(h, labels={"n": "x"}) == expected and await names(h, labels={"n": "y"}) == []
        t = await h.new_match("kuhn", ephemeral=True)
        await h.host.resign(t.name, t.tokens[0])
        assert await names(h, states=(MatchState.FINISHED,)) == [t.name]
        assert len(await names(h, states=(MatchState.FINISHED, MatchState.ACTIVE), page_size=2)) == 24


async def test_clock_set_back_keeps_the_order_of_later_matches() -> None:
    async with hosting(list_page_max=4) as h:
        before = await h.new_match("kuhn", ephemeral=True)
        h.time.wall_offset_ms += 86_400_000
        ahead = [await h.new_match("kuhn", ephemeral=ephemeral) for ephemeral in (True, False)]
        h.time.wall_offset_ms -= 86_400_000
        await h.time.advance(5)
        after = [await h.new_match("kuhn", ephemeral=ephemeral) for ephemeral in (True, False)]
        for t in after:
            assert t.live.header.create_ms <= h.time.wall_ms()
        order = sorted([before, *ahead, *after], key=lambda t: (t.live.header.create_ms, t.name), reverse=True)
        for size in (1, 2, 100):
            assert await names(h, page_size=size) == [t.name for t in order]


async def test_page_token_of_another_list_request_is_refused() -> None:
    async with hosting() as h:
        for _ in range(3):
            await h.new_match("kuhn", join=False)
        token = (await h.host.list(MatchQuery(page_size=1))).next_page_token
        for query in (
            MatchQuery(page_token="x"),
            MatchQuery(page_token=token, game="kuhn"),
            MatchQuery(page_token=token, labels={"a": "b"}),
            MatchQuery(page_token=token, states=(MatchState.ACTIVE,)),
        ):
            with pytest.raises(errors.InvalidPageToken):
                await h.host.list(query)
        with pytest.raises(errors.InvalidField):
            await h.host.list(MatchQuery(page_size=-1))


async def test_listed_matches_equal_the_matches() -> None:
    async with hosting(idle_unload_s=1) as h:
        waiting = await h.new_match("kuhn", join=False, time_control=TimeControl(per_move_ms=500))
        ended = await h.new_match("kuhn", seats=[invited("Ada"), BOT])
        await h.host.cancel(ended.name, ended.host_token)
        listed = {match.name: match for match in (await h.host.list(MatchQuery())).matches}
        await h.time.advance(10_000)
        assert h.host.live_count == 0
        unloaded = {match.name: match for match in (await h.host.list(MatchQuery())).matches}
        assert listed == unloaded == {t.name: await h.host.get(t.name) for t in (waiting, ended)}
        assert listed[waiting.name].seats[0].clock_ms == 500


async def test_restart_resumes_matches_that_need_the_service() -> None:
    async with hosting() as h:
        plain = await h.new_match("kuhn")
        clocked = await h.new_match("kuhn", time_control=TimeControl(per_move_ms=1_000))
        absent = await h.new_match("sealed", 3)
        await h.host.resign(absent.name, absent.tokens[0])
        manual = await h.new_match("sealed", seats=[BOT, BOT], policy=Policy(manual_start=True))
        await h.restart()
        loaded = [h.host._cache.get_cached(t.name) is not None for t in (plain, clocked, absent, manual)]
        assert loaded == [False, True, True, False]
        await h.time.advance(1_000)
        assert clocked.live.state is MatchState.FINISHED
        await absent.play(1, sealed.BID(1))
        await idle()
        assert (await h.host.start_match(manual.name, manual.host_token)).state is MatchState.FINISHED


async def long_log(h: Hosted) -> HostedMatch:
    """Returns a match with many undone moves."""
    t = await h.new_match("kuhn", policy=Policy(undo=UndoPolicy.FREE))
    for _ in range(150):
        await t.play(0, kuhn.CHECK())
        await h.host.request_undo(t.name, t.tokens[0])
    return t


async def test_event_loop_runs_other_tasks_while_a_long_log_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting(idle_unload_s=1) as h:
        t = await long_log(h)
        before = t.live.snapshot.game_state.to_bytes(), t.log(), list(t.live.decision_points)
        await h.time.advance(10_000)
        assert h.host._cache.get_cached(t.name) is None
        other = await h.new_match("kuhn")
        monkeypatch.setattr(match_cache, "RECORDS_AT_ONCE", 1)
        loading = [asyncio.ensure_future(h.host.live_match(t.name)) for _ in range(2)]
        await other.play(0, kuhn.CHECK())
        await other.play(1, kuhn.CHECK())
        assert not any(task.done() for task in loading)
        first, second = await asyncio.gather(*loading)
        assert first is second is t.live
        assert (t.live.snapshot.game_state.to_bytes(), t.log(), list(t.live.decision_points)) == before
        await t.play(0, kuhn.CHECK())
        assert await t.stored() == t.live.log.after(0)


@pytest.mark.parametrize("at_once", [1, 7, 304, 305, 306, 1_000])
async def test_log_read_in_parts_is_whole(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    async with hosting() as h:
        t = await long_log(h)
        assert t.live.seq == 305
        monkeypatch.setattr(match_cache, "RECORDS_AT_ONCE", at_once)
        again = await h.new_host().live_match(t.name)
        assert again.log.after(0) == t.live.log.after(0)
        assert again.decision_points == t.live.decision_points and again.decision_seq == t.live.decision_seq


async def test_each_of_many_matches_is_recovered_once_at_a_restart() -> None:
    async with hosting() as h:
        for _ in range(450):
            await h.new_match("kuhn", join=False)
        await h.restart()
        assert h.host.live_count == 0 and len(await names(h, page_size=200)) == 450


async def test_exception_of_a_listener_is_contained(caplog: pytest.LogCaptureFixture) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        t.live.subscribe(Listener())
        await t.play(0, kuhn.CHECK())
        assert t.live.seq == 6 and "listener" in caplog.text
