"""Clocks with a simulated time: per move, per match, increment, time-outs, and the deadline scheduler."""

from __future__ import annotations

import pytest

from engine_service import errors
from engine_service.hosting.housekeeping import UPTIME_SAVE_MS
from engine_service.match_enums import AbsencePolicy, ChanceSource, EndReason, MatchState
from engine_service.matches.clocks import NEVER, DeadlineScheduler
from engine_service.model import Policy, TimeControl
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, FragileStore, HostedMatch, ManualTime, hosting

PER_MOVE = TimeControl(per_move_ms=1_000)
PER_MATCH = TimeControl(per_match_ms=5_000, increment_ms=500)
CHECK, BET, CALL = kuhn.CHECK(), kuhn.BET(), kuhn.CALL()


def clocks(t: HostedMatch) -> tuple[int, ...]:
    return t.live.clocks_ms()


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_late_seat_forfeits(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MOVE, ephemeral=ephemeral)
        await h.time.advance(999)
        assert t.live.state is MatchState.ACTIVE and clocks(t) == (1, 1_000)
        await h.time.advance(1)
        info = await h.host.get(t.name)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]
        assert info.result is not None and info.result.reason is EndReason.FORFEIT
        assert (info.result.returns, info.result.places) == ((-1.0, 1.0), (2, 1))
        assert [seat.out for seat in info.seats] == [True, False] and info.seats[0].clock_ms is None
        assert h.host.stats.time_outs == 1


async def test_move_time_restarts_with_each_decision() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MOVE)
        await h.time.advance(900)
        await t.play(0, CHECK)
        await h.time.advance(900)
        assert t.live.time_left_ms(1) == 100
        await t.play(1, BET)
        await h.time.advance(999)
        assert t.live.state is MatchState.ACTIVE
        await h.time.advance(1)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_match_clocks_and_increment() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MATCH, join=False)
        assert (await h.host.get(t.name)).seats[0].clock_ms == 5_000
        for player in ("Ada", "Bob"):
            t.tokens.append((await h.host.join(t.name, player)).token)
        await h.time.advance(2_000)
        assert clocks(t) == (3_000, 5_000)
        await h.host.submit_action(t.name, t.tokens[2], CHECK)
        assert clocks(t) == (3_500, 5_000)
        await h.time.advance(700)
        await h.host.submit_action(t.name, t.tokens[3], BET)
        assert clocks(t) == (3_500, 4_800)
        await h.time.advance(3_499)
        assert t.live.state is MatchState.ACTIVE
        await h.time.advance(1)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_shorter_of_two_clocks_counts() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=TimeControl(per_move_ms=1_000, per_match_ms=1_500))
        assert clocks(t) == (1_000, 1_000)
        await h.time.advance(700)
        assert clocks(t) == (300, 1_000)
        await t.play(0, CHECK)
        assert clocks(t) == (800, 1_000)
        await h.time.advance(999)
        await t.play(1, BET)
        assert clocks(t) == (800, 501)
        await h.time.advance(799)
        assert t.live.state is MatchState.ACTIVE
        await h.time.advance(1)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_resigned_seat_is_charged_and_gets_no_increment() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3, time_control=PER_MATCH)
        await h.time.advance(2_000)
        await h.host.resign(t.name, t.tokens[0])
        # The stand-in's decision costs nothing, and the next seat's time begins with its own.
        assert t.live.must_act(1) and clocks(t) == (3_000, 5_000, 5_000)
        await h.time.advance(1_000)
        assert clocks(t) == (3_000, 4_000, 5_000)


async def test_late_move_is_refused_even_before_the_timer_fires() -> None:
    async with hosting() as h:
        for ephemeral in (False, True):
            t = await h.new_match("kuhn", time_control=PER_MOVE, ephemeral=ephemeral)
            h.time.skip(1_000)
            with pytest.raises(errors.MatchEnded):
                await t.play(0, BET)
            assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_each_seat_of_a_simultaneous_node_has_its_own_time() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", time_control=TimeControl(per_match_ms=3_000))
        await h.time.advance(1_000)
        await t.play(1, sealed.BID(1))
        await h.time.advance(1_000)
        assert clocks(t) == (1_000, 2_000)
        await t.play(0, sealed.BID(2))
        await h.time.advance(500)
        assert clocks(t) == (500, 1_500)
        await h.time.advance(500)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_seats_that_are_late_at_the_same_moment_lose_together() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", time_control=PER_MOVE)
        await h.time.advance(1_000)
        assert t.log()[-3:] == ["TIMED_OUT 0", "TIMED_OUT 1", "FINISHED"]
        info = await h.host.get(t.name)
        assert info.result is not None and info.result.returns == (-1.0, -1.0) and info.result.places == (1, 1)


async def test_clocks_do_not_run_for_service_seats_and_provided_outcomes() -> None:
    async with hosting() as h:
        bots = await h.new_match("kuhn", seats=[BOT, BOT], time_control=PER_MOVE, policy=Policy(manual_start=True))
        await h.host.start_match(bots.name, bots.host_token)
        assert bots.live.state is MatchState.FINISHED
        t = await h.new_match("kuhn", time_control=PER_MATCH, policy=Policy(chance=ChanceSource.HOST))
        await h.time.advance(60_000)
        assert t.live.awaits_chance and clocks(t) == (5_000, 5_000)
        await h.host.provide_outcomes(t.name, t.host_token, [kuhn.DEAL(1), kuhn.DEAL(2)])
        await h.time.advance(1_000)
        assert clocks(t) == (4_000, 5_000)


async def test_downtime_does_not_run_clocks() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MATCH)
        await h.time.advance(1_000)
        await t.play(0, CHECK)
        await h.time.advance(1_500)
        await h.restart(down_ms=1_000_000)
        live = h.host._cache.get_cached(t.name)
        assert live is not None and live.clocks_ms() == (4_500, 3_500), "what was task before counts"
        assert live.time_ms() == 2_500
        await h.time.advance(500)
        await h.restart(down_ms=1_000_000)
        assert t.live.clocks_ms() == (4_500, 3_000)
        await h.time.advance(2_999)
        assert t.live.state is MatchState.ACTIVE
        await h.time.advance(1)
        assert t.log()[-2:] == ["TIMED_OUT 1", "FINISHED"]
        times = [record.time_ms for record in await t.stored()]
        assert times == sorted(times) and times[-1] == 6_000


async def test_kill_of_the_service_returns_little_thinking_time() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MATCH)
        await t.play(0, CHECK)
        for left in (2_500, 0):
            await h.time.advance(2_500)
            await h.crash(down_ms=1_000_000)
            given_back = t.live.clocks_ms()[1] - left
            assert 0 <= given_back <= 2 * UPTIME_SAVE_MS, "one beat each time"
        await h.time.advance(given_back - 1)
        assert t.live.state is MatchState.ACTIVE
        await h.time.advance(1)
        assert t.log()[-2:] == ["TIMED_OUT 1", "FINISHED"]


async def test_change_of_the_system_clock_charges_nobody() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MATCH)
        await h.time.advance(2_000)
        h.time.wall_offset_ms += 86_400_000
        await h.restart()
        assert t.live.clocks_ms() == (3_000, 5_000)
        h.time.wall_offset_ms -= 2 * 86_400_000
        await h.restart()
        assert t.live.clocks_ms() == (3_000, 5_000)


async def test_time_is_stored_only_while_a_clock_runs() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await h.time.advance(3_000)
        assert await h.store.uptime() == 0
        clocked = await h.new_match("kuhn", time_control=PER_MATCH)
        await h.time.advance(3_000)
        assert await h.store.uptime() == 6_000
        await h.host.resign(clocked.name, clocked.tokens[0])
        await h.time.advance(10_000)
        assert await h.store.uptime() <= 7_000 and t.live.state is MatchState.ACTIVE
        await h.new_match("kuhn", time_control=PER_MATCH)
        await h.time.advance(3_000)
        assert await h.store.uptime() == 19_000


async def test_uptime_is_saved_again_after_a_store_failure() -> None:
    class Store(FragileStore):
        async def save_uptime(self, uptime_ms: int) -> None:
            await self._check()
            await self.inner.save_uptime(uptime_ms)

    async with hosting(Store()) as h:
        await h.new_match("kuhn", time_control=PER_MATCH)
        h.store.failing = True
        await h.time.advance(2_500)
        assert await h.store.uptime() == 0
        h.store.failing = False
        await h.time.advance(1_000)
        assert await h.store.uptime() == 3_000


async def test_late_seat_forfeits_once_the_store_is_available_again() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MOVE)
        h.store.failing = True
        await h.time.advance(3_000)
        assert t.live.state is MatchState.ACTIVE and h.host.stats.store_failures > 1
        h.store.failing = False
        await h.time.advance(1_000)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_absence_bot_plays_for_a_late_seat() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=PER_MOVE, policy=Policy(absence=AbsencePolicy.BOT))
        await h.time.advance(1_000)
        assert [line.split()[0] for line in t.log()[5:]] == ["TIMED_OUT", "ACTION"]
        with pytest.raises(errors.NotYourTurn):
            await t.play(0, BET)
        await h.time.advance(999)
        assert t.live.state is MatchState.ACTIVE


async def test_match_without_clocks_has_no_time_left() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", time_control=TimeControl())
        assert (await h.host.get(t.name)).time_control is None
        assert t.live.time_left_ms(0) is None and t.live.deadline_ms() == NEVER


async def test_deadlines_fire_once_each_in_order() -> None:
    time = ManualTime()
    fired: list[tuple[str, int]] = []
    deadlines: DeadlineScheduler[str] = DeadlineScheduler(time, lambda name: fired.append((name, time.now_ms - start)))
    start = time.now_ms
    deadlines.set("a", start + 50)
    deadlines.set("b", start + 30)
    deadlines.set("c", start + 40)
    deadlines.set("b", start + 60)  # later
    deadlines.set("a", start + 20)  # sooner
    deadlines.set("c", NEVER)
    deadlines.set("unknown", NEVER)
    await time.advance(100)
    assert fired == [("a", 20), ("b", 60)]
    assert len(deadlines) == 0
    deadlines.set("c", start + 120)
    deadlines.set("d", start + 130)
    deadlines.remove("c")
    await time.advance(25)
    deadlines.close()
    await time.advance(100)
    assert len(fired) == 2


async def test_deadline_that_moves_away_makes_no_timer() -> None:
    time = ManualTime()
    deadlines: DeadlineScheduler[int] = DeadlineScheduler(time, lambda _: None)
    for number in range(1_000):
        deadlines.set(1, time.now_ms + 1_000 + number)
    assert len(deadlines) == len(time._calls) == 1
    deadlines.remove(1)
    assert all(call.cancelled for call in time._calls)
