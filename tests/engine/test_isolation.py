"""Isolated packs: the same results as in the service, and the effects of a lost process."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from engine_service import errors
from engine_service.hosting.bots import MAX_FAILURES
from engine_service.isolation.games import IsolatedGame, Isolation, isolate
from engine_service.limits import Limits
from engine_service.match_enums import AbsencePolicy, ChanceSource, MatchState, SeatKind
from engine_service.matches.verify import verify
from engine_service.matches.writer import PROCESS_LOSSES
from engine_service.model import Policy, SeatSetup, Submitted, TimeControl
from engine_service.pack_guard import ProcessLost
from gamepacks.api.errors import PackError
from gamepacks.api.registry import Registry
from gamepacks.api.services import VisibleState
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code, Seat, Viewer
from tests.support.games import hostile, kuhn, peek, sealed
from tests.support.hosting import hosting, idle
from tests.support.waiting import until

CALL_MS = 3_000
VIEWERS = (OMNISCIENT, SPECTATOR, Viewer(0), Viewer(1))


@pytest.fixture(scope="module")
def isolated() -> Iterator[tuple[Registry, Isolation]]:
    """A registry in which the packs of the hostile game and of Ominoes are isolated."""
    registry = Registry.load(only=["ominoes"], extra=[hostile.PACK, kuhn.PACK], strict=True)
    limits = Limits(isolated_call_ms=CALL_MS, isolated_memory_mib=512)
    loaded, isolation = isolate(registry, ["ominoes", "HostilePack"], limits)
    yield loaded, isolation
    isolation.close()


async def record_of_a_match(registry: Registry | None, installed: tuple[str, ...], seed: int) -> list[Any]:
    """Returns all output for all viewers of a match of Ominoes, move by move."""
    rnd, seen = random.Random(seed), []
    async with hosting(packs=(), installed=installed, registry=registry) as h:
        t = await h.new_match("ominoes", policy=Policy(chance=ChanceSource.SEEDED), seed=seed)
        for _ in range(60):
            seat = next((seat for seat in range(2) if t.live.must_act(seat)), None)
            if seat is None:
                break
            legal = t.live.legal(seat)
            assert t.live.legal_typed(legal[:3])
            await t.play(seat, rnd.choice(legal))
            seen.append((legal, [t.live.observation(viewer).view for viewer in VIEWERS]))
        events = [
            [(e.seq, e.code, e.label, list(e.details), list(e.sentences)) for e in t.events(viewer, 0, True, True)]
            for viewer in VIEWERS
        ]
        isolated = isinstance(t.live.game, IsolatedGame)
        assert await h.state_of(t) == t.live.snapshot.game_state.to_bytes()
        assert verify(await h.host.get_replay(t.name, t.host_token), h.registry).steps == t.live.snapshot.plies
    return [isolated, seen, events, t.log() if not seen else None]


async def test_isolated_pack_answers_as_one_within_the_service(isolated: tuple[Registry, Isolation]) -> None:
    within = await record_of_a_match(None, ("ominoes",), 5)
    apart = await record_of_a_match(isolated[0], (), 5)
    assert within[0] is False and apart[0] is True
    assert within[1:] == apart[1:]


@pytest.mark.parametrize("ephemeral", [False, True])
@pytest.mark.parametrize("harm", [hostile.CRASH, hostile.LOOP, hostile.EAT])
async def test_lost_process_ends_one_decision(
    harm: int, ephemeral: bool, isolated: tuple[Registry, Isolation], caplog: pytest.LogCaptureFixture
) -> None:
    registry, isolation = isolated
    async with hosting(registry=registry) as h:
        t, other = await h.new_match("hostile", ephemeral=ephemeral), await h.new_match("kuhn")
        neighbour = await h.new_match("hostile", ephemeral=ephemeral)
        await t.play(1, sealed.BID(5))
        before, log, lost = t.live.snapshot.game_state.to_bytes(), t.log(), isolation.processes_lost
        with pytest.raises(errors.PackFault, match="changed nothing") as fault:
            await t.play(0, sealed.BID(harm), request_id="r")
        assert isolation.processes_lost > lost and fault.value.incident in caplog.text
        assert (t.live.snapshot.game_state.to_bytes(), t.log()) == (before, log)
        assert (await t.play(0, sealed.BID(0), request_id="r2")).state is MatchState.ACTIVE
        assert (await neighbour.play(0, sealed.BID(5))).state is MatchState.ACTIVE
        assert other.live.state is MatchState.ACTIVE and h.host.stats.pack_faults == 0
        if not ephemeral:
            assert await h.state_of(t) == t.live.snapshot.game_state.to_bytes()


async def test_match_that_loses_its_process_again_and_again_ends(isolated: tuple[Registry, Isolation]) -> None:
    async with hosting(registry=isolated[0]) as h:
        t = await h.new_match("hostile")
        for _ in range(PROCESS_LOSSES):
            assert t.live.state is MatchState.ACTIVE
            with pytest.raises(errors.PackFault):
                await t.play(0, sealed.BID(hostile.CRASH))
        await idle()
        assert t.live.state is MatchState.FAULTED


@pytest.mark.parametrize("ephemeral", [False, True])
@pytest.mark.parametrize("typed", [False, True])
async def test_call_that_hangs_delays_no_match_of_another_pack(
    ephemeral: bool, typed: bool, isolated: tuple[Registry, Isolation]
) -> None:
    async with hosting(registry=isolated[0]) as h:
        t, other = await h.new_match("hostile", ephemeral=ephemeral), await h.new_match("kuhn")
        game = t.live.game
        assert isinstance(game, IsolatedGame)
        action = sealed.messages.Action(bid=hostile.LOOP) if typed else Code(sealed.BID(hostile.LOOP))
        done = h.host.submit_for_seat(t.live, Seat(0), action, t.live.decision_seq)
        assert not isinstance(done, Submitted)
        hanging = asyncio.ensure_future(done)
        await until(game.process._lock.locked)
        seat = next(seat for seat in range(2) if other.live.must_act(seat))
        await other.play(seat, other.live.legal(seat)[0])
        assert not hanging.done()
        with pytest.raises(errors.PackFault, match="changed nothing"):
            await hanging


async def test_view_that_hangs_delays_no_match_of_another_pack(isolated: tuple[Registry, Isolation]) -> None:
    async with hosting(registry=isolated[0]) as h:
        t, other = await h.new_match("hostile"), await h.new_match("kuhn")
        await t.play(0, sealed.BID(hostile.LOOP_VIEW))
        looking = asyncio.ensure_future(h.host.observe_match(t.name))
        game = t.live.game
        assert isinstance(game, IsolatedGame)
        await until(game.process._lock.locked)
        seat = next(seat for seat in range(2) if other.live.must_act(seat))
        await other.play(seat, other.live.legal(seat)[0])
        assert not looking.done()
        with pytest.raises(errors.PackFault):
            await looking


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_hang_after_a_timeout_or_in_a_bot_move_delays_no_match_of_another_pack(
    ephemeral: bool, isolated: tuple[Registry, Isolation]
) -> None:
    async with hosting(registry=isolated[0]) as h:
        policy = Policy(absence=AbsencePolicy.BOT, absence_bot="hanging")
        control = TimeControl(per_move_ms=1_000)
        t, other = (
            await h.new_match("hostile", policy=policy, time_control=control, ephemeral=ephemeral),
            await h.new_match("kuhn"),
        )
        await t.play(1, sealed.BID(0))
        game = t.live.game
        assert isinstance(game, IsolatedGame)
        late = asyncio.ensure_future(h.time.advance(2_000))
        await until(lambda: game.process._lock.locked() and t.live.snapshot.seats[0].out)
        seat = next(seat for seat in range(2) if other.live.must_act(seat))
        await other.play(seat, other.live.legal(seat)[0])
        assert t.live.state is MatchState.ACTIVE
        await until(lambda: t.live.state is MatchState.FAULTED)
        await late


async def test_process_that_dies_between_calls_costs_nothing(isolated: tuple[Registry, Isolation]) -> None:
    async with hosting(registry=isolated[0]) as h:
        t = await h.new_match("hostile")
        await t.play(0, sealed.BID(9))
        game = t.live.game
        assert isinstance(game, IsolatedGame) and game.process._current is not None
        os.kill(game.process._current._process.pid or 0, signal.SIGKILL)
        await t.play(1, sealed.BID(8))
        assert t.live.snapshot.game_state.to_bytes() == sealed.messages.Position(
            round=1, coins=[1, 10], points=[1, 0], bids=[-1, -1]
        ).SerializeToString(deterministic=True)
        assert t.live.observation(SPECTATOR).view is not None


async def test_exception_of_an_isolated_pack_ends_its_match(
    isolated: tuple[Registry, Isolation], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with hosting(registry=isolated[0]) as h:
        t = await h.new_match("hostile")
        lost = isolated[1].processes_lost
        with pytest.raises(errors.PackFault):
            await t.play(0, sealed.BID(hostile.RAISE))
        assert t.live.state is MatchState.FAULTED and isolated[1].processes_lost == lost
        assert "KeyError at tests.support.games.hostile:" in caplog.text and "ace of spades" not in caplog.text


async def test_clock_that_needs_a_lost_process_ends_the_match(isolated: tuple[Registry, Isolation]) -> None:
    """The time-out of a seat requires a call that ends the process, so the match ends as a fault."""
    async with hosting(registry=isolated[0]) as h:
        policy = Policy(absence=AbsencePolicy.BOT, absence_bot="bidding")
        t = await h.new_match("hostile", policy=policy, time_control=TimeControl(per_move_ms=1_000))
        await t.play(1, sealed.BID(0))
        await h.time.advance(2_000)
        await until(lambda: t.live.state is MatchState.FAULTED)


async def test_quick_bot_that_ends_its_process_is_replaced(isolated: tuple[Registry, Isolation]) -> None:
    async with hosting(registry=isolated[0]) as h:
        bot = SeatSetup(SeatKind.BOT, "crashing")
        t = await h.new_match("hostile", seats=[SeatSetup(), bot])
        await until(lambda: t.log()[-1].startswith("ACTION 1"))
        assert h.host.stats.bot_failures == 1
        await t.play(0, sealed.BID(9))
        assert h.host.stats.bot_failures == 1 < MAX_FAILURES, "it is not asked again"


async def test_services_and_observers_run_in_a_process_beside(isolated: tuple[Registry, Isolation]) -> None:
    registry, isolation = isolated
    (pack,) = (pack for pack in registry.packs if pack.name == "HostilePack")
    calls = {call.name: call for call in pack.calls}
    game = registry.game("hostile").configure(2)
    state = game.initial_state()
    visible = VisibleState("matches/m", 1, game, state, SPECTATOR)
    answer: Any = calls["TellCard"].answer(peek.messages.TellCardRequest(seat=1), visible)
    assert (answer.card, answer.viewer) == (10, SPECTATOR)
    with pytest.raises(ProcessLost):
        calls["Misbehave"].answer(peek.messages.MisbehaveRequest(), visible)
    lost = isolation.processes_lost
    async with hosting(registry=registry) as h:
        t = await h.new_match("kuhn")
        await h.host.cancel(t.name, t.host_token)
        await until(lambda: isolation.processes_lost > lost)
    assert state.legal(0) == game.initial_state().legal(0)


def test_pack_to_isolate_must_be_loaded() -> None:
    registry = Registry.load(only=["ominoes"])
    with pytest.raises(PackError, match="no pack 'chess' is loaded; loaded are: ominoes"):
        isolate(registry, ["chess"], Limits())


def test_illegal_action_and_its_reason_come_whole(isolated: tuple[Registry, Isolation]) -> None:
    game = isolated[0].game("hostile").configure(2, {"coins": 5})
    state = game.initial_state()
    with pytest.raises(sealed.IllegalAction) as refused:
        state.apply(sealed.BID(6), 0)
    assert (refused.value.reason, refused.value.details) == ("TOO_MUCH", {"coins": 5})
    with pytest.raises(sealed.InvalidPosition, match="values for 2 seats"):
        game.restore(sealed.messages.Position())
    assert game.parse(state, Seat(0), game.action(state, Code(sealed.BID(2)))) == sealed.BID(2)
