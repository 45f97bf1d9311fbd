"""Service bots: quick bots, bots in worker processes, and bots that fail."""

from __future__ import annotations

import asyncio
import threading
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from engine_service import errors
from engine_service.errors import InvalidField
from engine_service.hosting.bots import ATTEMPTS, MAX_DISRUPTIVE_FAILURES, MAX_FAILURES, BotFailures
from engine_service.match_enums import AbsencePolicy, MatchState, RecordKind, SeatKind
from engine_service.model import Policy, SeatSetup, TimeControl
from engine_service.pack_guard import PackTimeout
from gamepacks.api.bots import Budget
from tests.support.games import kuhn
from tests.support.hosting import PACKS, Hosted, HostedMatch, hosting, idle
from tests.support.raising import ERRORS
from tests.support.service_bots import (
    PACK,
    BotPack,
    Counted,
    Dying,
    Endless,
    Lowest,
    Raising,
    Slow,
    Thinking,
)
from tests.support.waiting import until


def bot(name: str) -> SeatSetup:
    return SeatSetup(SeatKind.BOT, name)


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_quick_bots_decide_within_the_write(ephemeral: bool) -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("kuhn", seats=[SeatSetup(), bot("lowest")], ephemeral=ephemeral)
        writes = h.store.writes
        done = await t.play(0, kuhn.CHECK())
        assert done.action_seq == 5 and done.seq == 7 and done.state is MatchState.FINISHED
        assert t.log()[4:] == [f"ACTION 0 {kuhn.CHECK()}", f"ACTION 1 {kuhn.CHECK()}", "FINISHED"]
        assert h.store.writes == writes + (not ephemeral)
        assert h.host.stats.bot_decisions == 1 and h.host.stats.bot_failures == 0


@pytest.mark.parametrize("name", ["raising", "illegal", *ERRORS])
async def test_quick_bot_that_fails_is_replaced_for_the_decision(name: str, caplog: pytest.LogCaptureFixture) -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("kuhn", seats=[bot(name), bot("random")])
        assert t.live.state is MatchState.FINISHED
        decisions = [r for r in t.live.log.after(0) if r.kind is RecordKind.ACTION]
        assert h.host.stats.bot_decisions == len(decisions)
        assert h.host.stats.bot_failures == len([r for r in decisions if r.seat == 0]) > 0
        assert name in caplog.text and "ace of spades" not in caplog.text


async def test_long_matches_of_bots_leave_the_loop_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine_service.hosting.bots.INLINE_MS", -1)
    async with hosting() as h:
        t = await h.new_match(
            "sealed", seats=[bot("random"), bot("random")], option_texts={"rounds": "9"}, ephemeral=True
        )
        assert t.live.state is MatchState.ACTIVE
        assert sum(r.kind is RecordKind.ACTION for r in t.live.log.after(0)) == 1
        await until(lambda: t.live.state is MatchState.FINISHED)


async def test_bot_in_a_worker_process_plays() -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("kuhn", seats=[bot("lowest-worker"), bot("monte-carlo")])
        await until(lambda: t.live.state is MatchState.FINISHED)
        assert t.log()[3] == f"ACTION 0 {kuhn.CHECK()}"
        assert h.host.stats.bot_failures == 0


async def replaced_once(h: Hosted, name: str, caplog: pytest.LogCaptureFixture) -> HostedMatch:
    """Returns a match in which a bot fails at its first decision, and is replaced for it."""
    before = h.host.stats.bot_failures, h.host.stats.bot_decisions
    t = await h.new_match("kuhn", seats=[bot(name), SeatSetup()])
    await until(lambda: t.live.must_act(1))
    assert (h.host.stats.bot_failures, h.host.stats.bot_decisions) == (before[0] + 1, before[1] + 1), name
    assert name in caplog.text and "ace of spades" not in caplog.text
    return t


async def plays_itself(h: Hosted, name: str = "lowest-worker") -> None:
    """A match in which a bot makes its decision itself."""
    failures = h.host.stats.bot_failures
    t = await h.new_match("kuhn", seats=[bot(name), SeatSetup()])
    await until(lambda: t.live.must_act(1))
    assert t.log()[-1] == f"ACTION 0 {kuhn.CHECK()}" and h.host.stats.bot_failures == failures


@pytest.mark.parametrize("name", ["illegal-worker", "dying-worker", "cannot-be-sent-worker", "cannot-arrive-worker"])
async def test_bot_in_a_worker_process_that_fails_is_replaced(name: str, caplog: pytest.LogCaptureFixture) -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        await replaced_once(h, name, caplog)
        await plays_itself(h)


async def test_bot_that_raises_any_exception_in_a_worker_is_replaced(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        for name in ERRORS:
            await replaced_once(h, f"{name}-worker", caplog)
            assert f"failed: {name} at tests.support." in caplog.text
        await plays_itself(h)
        assert "the pool of bot processes failed and is replaced" not in caplog.text


async def test_bot_that_fails_is_asked_a_bounded_number_of_times(tmp_path: Path) -> None:
    counted = Counted(tmp_path / "asked", Raising("counted-worker", False))
    async with hosting(packs=[*PACKS, BotPack(counted)]) as h:
        t = await h.new_match("sealed", seats=[bot("counted-worker"), bot("random")], option_texts={"rounds": "9"})
        await until(lambda: t.live.state is MatchState.FINISHED)
        assert counted.times() == MAX_FAILURES * ATTEMPTS
        assert h.host.stats.bot_failures == MAX_FAILURES


async def test_bot_that_ends_its_process_is_not_asked_again_in_its_match(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counted = Counted(tmp_path / "asked", Dying("counted-worker", False))
    async with hosting(packs=[*PACKS, BotPack(counted)]) as h:
        t = await h.new_match("sealed", seats=[bot("counted-worker"), bot("random")])
        await until(lambda: t.live.state is MatchState.FINISHED, 60)
        # Where the end of its process breaks the pool, the decision is asked for once more, of a new pool.
        replaced = caplog.text.count("the pool of bot processes failed and is replaced")
        assert ATTEMPTS <= counted.times() <= ATTEMPTS + replaced and h.host.stats.bot_failures == 1


async def test_quick_bot_that_fails_again_and_again_is_replaced_in_that_match(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counted = Counted(tmp_path / "asked", Raising("counted", True))
    async with hosting(packs=[*PACKS, BotPack(counted)]) as h:
        for matches in (1, 2):
            t = await h.new_match("sealed", seats=[bot("counted"), bot("random")], option_texts={"rounds": "9"})
            await until(lambda t=t: t.live.state is MatchState.FINISHED)
            assert counted.times() == matches * MAX_FAILURES
            assert f"bot counted of sealed is replaced by random actions for seat 0 in {t.name}" in caplog.text


async def test_quick_bot_that_holds_the_event_loop_is_not_asked_a_second_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Late(Lowest):
        def choose(self, *given: object) -> object:  # type: ignore[override]
            raise PackTimeout

    counted = Counted(tmp_path / "asked", Late("late", True))
    async with hosting(packs=[*PACKS, BotPack(counted)]) as h:
        for _ in range(2):
            t = await h.new_match("sealed", seats=[bot("late"), bot("random")])
            await until(lambda t=t: t.live.state is MatchState.FINISHED)
        assert counted.times() == 1 and h.host.stats.bot_failures == 1
        assert "in all matches until the service is restarted" in caplog.text


async def test_process_that_ends_while_nobody_waits_for_it_costs_nobody_a_decision(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        for _ in range(2):
            await plays_itself(h, "dying-later-worker")
            await asyncio.sleep(0.5)
            await plays_itself(h)


async def test_failures_of_one_bot_do_not_delay_another(tmp_path: Path) -> None:
    slow = Counted(tmp_path / "asked", Slow("counted-worker", False))
    async with hosting(packs=[*PACKS, BotPack(slow)], bot_workers=2) as h:
        t = await h.new_match("kuhn", seats=[bot("counted-worker"), SeatSetup()])
        await until(lambda: slow.times() == 1)
        other = await h.new_match("kuhn", seats=[bot("dying-worker"), SeatSetup()])
        await until(lambda: other.live.must_act(1))
        await until(lambda: t.live.must_act(1))
        assert slow.times() == 1 and h.host.stats.bot_failures == 1
        assert t.log()[-1] == f"ACTION 0 {kuhn.CHECK()}"


@pytest.mark.parametrize("name", ["endless-worker", "stubborn-worker"])
async def test_bot_that_does_not_answer_is_replaced(name: str, caplog: pytest.LogCaptureFixture) -> None:
    async with hosting(packs=[*PACKS, PACK], bot_timeout_s=1) as h:
        await replaced_once(h, name, caplog)
        await plays_itself(h)


async def test_bot_that_hangs_holds_up_others_only_until_a_bound(tmp_path: Path) -> None:
    """It ends a worker process each time, so it is not asked again in its match, and after some matches nowhere."""
    counted = Counted(tmp_path / "asked", Endless("counted-worker", False))
    async with hosting(packs=[*PACKS, BotPack(counted)], bot_timeout_s=1) as h:
        for matches in range(1, MAX_DISRUPTIVE_FAILURES + 2):
            t = await h.new_match("sealed", seats=[bot("counted-worker"), bot("random")])
            await until(lambda t=t: t.live.state is MatchState.FINISHED)
            assert counted.times() == min(matches, MAX_DISRUPTIVE_FAILURES)
        await plays_itself(h)


def test_bot_that_chooses_in_time_is_forgiven_its_time_outs() -> None:
    failures = BotFailures()
    for match in range(3 * MAX_DISRUPTIVE_FAILURES):
        assert failures.add("go", "deep", f"matches/{match}", 0, disruptive=True, inline=False)
        assert failures.replaced("go", "deep", f"matches/{match}", 0)
        failures.succeeded("go", "deep")
    assert not failures.replaced("go", "deep", "matches/0", 1)
    assert not failures.replaced("go", "deep", "matches/new", 0)
    failures.forget("matches/0")
    assert not failures.replaced("go", "deep", "matches/0", 0)


async def test_shutdown_while_a_process_is_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is starting is in no list yet; its bot would run for ever if it were not ended."""
    starting, may_start = threading.Event(), threading.Event()
    start = SpawnProcess.start

    def start_late(process: SpawnProcess) -> None:
        starting.set()
        may_start.wait()
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", start_late)
    async with hosting(packs=[*PACKS, PACK]) as h:
        await h.new_match("kuhn", seats=[bot("endless-worker"), SeatSetup()])
        await until(starting.is_set)
        closing = asyncio.ensure_future(h.host.close())
        await idle()
        may_start.set()
        await asyncio.wait_for(closing, 60)


async def test_answer_that_comes_too_late_is_dropped() -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("kuhn", seats=[bot("lowest-worker"), SeatSetup()])
        await h.host.cancel(t.name, t.host_token)
        await until(lambda: not t.live.bots_deciding)
        assert t.log()[-1] == "CANCELLED"


async def test_worker_bot_plays_for_an_absent_seat() -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("kuhn", 3, policy=Policy(absence_bot="lowest-worker"))
        await h.host.resign(t.name, t.tokens[0])
        with pytest.raises(errors.NotYourTurn):
            await t.play(0, kuhn.BET())
        await until(lambda: t.live.must_act(1))
        assert t.log()[-2:] == ["RESIGNED 0", f"ACTION 0 {kuhn.CHECK()}"]


async def test_bot_that_still_thinks_is_not_late() -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match(
            "sealed", seats=[SeatSetup(), bot("lowest-worker")], time_control=TimeControl(per_move_ms=1_000)
        )
        await h.time.advance(1_000)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"] and "TIMED_OUT 1" not in t.log()


async def test_bots_continue_after_a_restart() -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("sealed", seats=[SeatSetup(), bot("lowest-worker")])
        assert t.live.seats_to_act == 0b11
        await h.restart()
        await until(lambda: t.live.seats_to_act == 0b01)


async def test_bots_continue_when_the_store_is_available_again() -> None:
    async with hosting(packs=[*PACKS, PACK]) as h:
        t = await h.new_match("sealed", seats=[SeatSetup(), bot("lowest-worker")])
        h.store.failing = True
        await until(lambda: h.host.stats.store_failures > 0)
        assert t.live.seats_to_act == 0b11
        h.store.failing = False
        await h.time.advance(1_000)
        await until(lambda: t.live.seats_to_act == 0b01)


BUDGETS = [
    (None, "2000 1000"),
    (Budget(playouts=7), "7 30000"),
    (Budget(milliseconds=9), "None 9"),
    (Budget(7, 9), "7 9"),
]


@pytest.mark.parametrize(("budget", "given"), BUDGETS)
@pytest.mark.parametrize("inline", [True, False])
async def test_bot_thinks_by_the_budget_of_its_seat(
    budget: Budget | None, given: str, inline: bool, tmp_path: Path
) -> None:
    thinking = Thinking(tmp_path / "budgets", "thinking", inline)
    async with hosting(packs=[*PACKS, BotPack(thinking)]) as h:
        t = await h.new_match("kuhn", seats=[SeatSetup(SeatKind.BOT, "thinking", budget), bot("random")])
        await until(lambda: t.live.state is MatchState.FINISHED)
        assert set(thinking.path.read_text().splitlines()) == {f"thinking {given}"}
        assert t.live.info().seats[0].budget == budget
        again = await h.new_host().live_match(t.name)
        assert again.header.seats[0].budget == budget


async def test_bot_of_an_absent_seat_has_the_budget_of_the_service(tmp_path: Path) -> None:
    thinking = Thinking(tmp_path / "budgets", "thinking", True)
    async with hosting(packs=[*PACKS, BotPack(thinking)]) as h:
        policy = Policy(absence=AbsencePolicy.BOT, absence_bot="thinking")
        t = await h.new_match(
            "kuhn", seats=[SeatSetup(), SeatSetup(SeatKind.BOT, "thinking", Budget(5))], policy=policy
        )
        await h.host.resign(t.name, t.tokens[0])
        await until(lambda: t.live.state is MatchState.FINISHED)
        assert set(thinking.path.read_text().splitlines()) == {"thinking 2000 1000", "thinking 5 30000"}


@pytest.mark.parametrize(
    ("seat", "field", "message"),
    [
        (SeatSetup(SeatKind.BOT, "random", Budget(5)), "seats[1].budget", "must not be set; only these"),
        (SeatSetup(SeatKind.OPEN, "", Budget(5)), "seats[1].budget", "must not be set; only these"),
        (SeatSetup(SeatKind.BOT, "mcts", Budget(1_000_001)), "seats[1].budget.playouts", "must be at most 1000000"),
        (SeatSetup(SeatKind.BOT, "mcts", Budget(5, 30_001)), "seats[1].budget.milliseconds", "must be at most 30000"),
    ],
)
async def test_invalid_bot_budget_is_refused(seat: SeatSetup, field: str, message: str) -> None:
    async with hosting() as h:
        with pytest.raises(InvalidField) as refused:
            await h.new_match("kuhn", seats=[bot("random"), seat])
        (fault,) = refused.value.faults
        assert fault.field == field and fault.message.startswith(message)


async def test_level_is_a_bot_with_a_budget() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", seats=[bot("easy"), bot("normal"), SeatSetup()], join=False)
        assert t.live.header.seats[:2] == (bot("random"), SeatSetup(SeatKind.BOT, "monte-carlo", Budget(playouts=200)))
        with pytest.raises(InvalidField, match=r"seats\[0\].budget: must not be set, because the level easy"):
            await h.new_match("kuhn", seats=[SeatSetup(SeatKind.BOT, "easy", Budget(3)), bot("random")])
        with pytest.raises(errors.UnknownBot):
            await h.new_match("kuhn", seats=[bot("harder"), bot("random")])
