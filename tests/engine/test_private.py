"""Private decisions are hidden from all others unless the seat uses its card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine_service.errors import InvalidField, NotYourTurn, StaleSequence, UndoNotAllowed
from engine_service.match_enums import ChanceSource, MatchState, SeatKind, UndoPolicy
from engine_service.matches.verify import verify
from engine_service.model import Event, ForkSetup, Observation, Policy, SeatSetup, TimeControl
from engine_service.rpc import responses
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Viewer
from tests.support.games import guards
from tests.support.games.guards import BLOCK, DEAL, LET, TAKE
from tests.support.hosting import Hosted, HostedMatch, hosting

PACKS = (guards.PACK,)
SUPPLIED = Policy(chance=ChanceSource.HOST)


async def deal(h: Hosted, held: Sequence[int], bot: str = "", **setup: Any) -> HostedMatch:
    """Returns a match of ``len(held)`` seats, with guards where ``held`` is 1; seat 0 is to act. ``bot`` plays the last
    seat."""
    setup.setdefault("policy", SUPPLIED)
    seats = [SeatSetup()] * (len(held) - 1)
    seats.append(SeatSetup(SeatKind.BOT, bot) if bot else SeatSetup())
    table = await h.new_match("guards", seats=seats, **setup)
    await table.host.provide_outcomes(table.name, table.host_token, [DEAL(guard) for guard in held])
    return table


def displayed(events: Sequence[Event]) -> list[bytes]:
    """Returns events as they are sent, without their times."""
    sent = [responses.event(event) for event in events]
    for event in sent:
        event.ClearField("time_ms")
    return [event.SerializeToString(deterministic=True) for event in sent]


def seen(table: HostedMatch, viewer: int) -> tuple[object, ...]:
    """Returns all output for a viewer at one moment."""
    observation = table.live.observation(Viewer(viewer))
    shown = responses.observation(observation)
    shown.ClearField("position")
    info = table.live.info(Viewer(viewer))
    clocks = [seat.clock_ms for seat in info.seats]
    return displayed(table.events(viewer, labels=True, sentences=True)), shown.SerializeToString(), info.seq, clocks


async def decline_all(table: HostedMatch) -> int:
    """Let every seat with a private decision decline it after some time; returns their number."""
    asked = 0
    while table.live.snapshot.decline_code != -1:
        table.hosted.time.skip(1_000)
        await table.play(table.live.snapshot.actor, LET())
        asked += 1
    return asked


WORLDS_OF_SEAT_0 = [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)]
"""Guards that seat 0 cannot distinguish: no seat, either of the others, or both have a private decision."""


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_declined_private_decision_shows_to_nobody_else(ephemeral: bool) -> None:
    worlds = []
    counts = []
    async with hosting(packs=PACKS) as h:
        for held in WORLDS_OF_SEAT_0:
            table = await deal(h, held, ephemeral=ephemeral, time_control=TimeControl(per_match_ms=60_000))
            moments, asked = [], 0
            for turn in range(3):
                mover = table.live.snapshot.actor
                number = table.live.numbering.viewer_seq(mover, table.live.decision_seq)
                done = await table.play(mover, TAKE(1 + turn % 2), expected_seq=number)
                if mover == 0:
                    moments.append(done.action_seq)
                asked += await decline_all(table)
                moments.append(seen(table, 0))
                moments.append(table.live.numbering.viewer_seq(0, table.live.decision_seq))
            worlds.append(moments)
            counts.append(asked)
    assert counts[0] == 0 and min(counts[1:]) > 0
    assert all(world == worlds[0] for world in worlds)


async def test_pending_private_decision_is_hidden_from_the_others() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1))
        before = table.events(0)
        done = await table.play(0, TAKE(2))
        assert (done.action_seq, done.seq) == (table.live.seq, table.live.seq)
        for viewer in (0, SPECTATOR):
            now = table.live.observation(Viewer(viewer))
            assert (now.to_act, now.seq, now.view.pending) == ((), before[-1].seq, 0)  # type: ignore[attr-defined]
            assert table.live.info(Viewer(viewer)).seq == before[-1].seq
            assert len(table.events(viewer)) == len(before)
            assert table.live.visible_state(Viewer(viewer)).state.pending == 0  # type: ignore[attr-defined]
        assert (await h.new_host().get(table.name)).seq == before[-1].seq
        for viewer in (1, OMNISCIENT):
            assert table.live.observation(Viewer(viewer)).to_act == (1,)
            assert len(table.events(viewer)) == table.live.seq
        with pytest.raises(NotYourTurn):
            await table.play(0, TAKE(1))
        await table.play(1, LET())
        last = table.events(0)[-1]
        kinds = [detail.WhichOneof("event") for detail in last.details]
        assert (last.seq, last.code, kinds) == (done.action_seq, TAKE(2), ["reached", "taken"])
        assert table.live.observation(Viewer(0)).to_act == table.live.observation(Viewer(SPECTATOR)).to_act == (1,)


async def test_seat_itself_and_the_host_have_the_record() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1))
        first = await table.play(0, TAKE(2))
        declined = await table.play(1, LET(), expected_seq=first.seq)
        assert declined.action_seq == first.seq + 1
        assert [event.code for event in table.events(1)][-2:] == [TAKE(2), LET()]
        assert [event.code for event in table.events(OMNISCIENT)][-2:] == [TAKE(2), LET()]
        assert [table.live.info(Viewer(viewer)).seq - first.seq for viewer in (OMNISCIENT, SPECTATOR, 0, 1)] == [
            1,
            0,
            0,
            1,
        ]
        assert (await h.host.get(table.name)).seq == first.seq
        # The move sent again, in its own numbers, gets its first answer.
        assert await table.play(1, LET(), expected_seq=first.seq) == declined


async def test_private_decision_that_is_not_declined_is_an_ordinary_record() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1, 1))
        first = await table.play(0, TAKE(2))
        await table.play(1, LET())
        blocked = await table.play(2, BLOCK())
        # Seat 2 does not know that seat 1 was asked.
        assert blocked.action_seq == first.action_seq + 1
        assert table.live.seq == first.seq + 2
        for viewer in (0, 2, SPECTATOR):
            events = table.events(viewer)
            assert [(event.seq, event.seat, event.code) for event in events[-2:]] == [
                (first.action_seq, 0, TAKE(2)),
                (first.action_seq + 1, 2, BLOCK()),
            ]
            assert [detail.WhichOneof("event") for detail in events[-2].details] == ["reached"]


async def test_sequence_numbers_are_those_of_the_caller() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1))
        await table.play(0, TAKE(2))
        await table.play(1, LET())
        page = await h.host.legal_actions(table.name, table.tokens[1])
        await table.play(1, TAKE(1), expected_seq=page.seq)
        page = await h.host.legal_actions(table.name, table.tokens[0], page_size=1)
        assert page.seq == table.live.seq - 1
        more = await h.host.legal_actions(table.name, table.tokens[0], page_size=1, page_token=page.next_page_token)
        assert more.codes == [TAKE(2)]
        with pytest.raises(StaleSequence) as stale:
            await table.play(0, TAKE(1), expected_seq=page.seq - 1)
        assert stale.value.metadata["seq"] == str(page.seq)
        for number in range(1, page.seq + 1):
            past = (await h.host.observe_match(table.name, table.tokens[0], seq=number)).observation
            assert past is None or past.seq == number
        with pytest.raises(InvalidField):
            await h.host.observe_match(table.name, table.tokens[0], seq=page.seq + 1)
        whole = displayed(table.events(0))
        for number in range(page.seq + 1):
            assert displayed(table.events(0, after_seq=number)) == whole[number:]
        with pytest.raises(InvalidField):
            table.events(0, after_seq=page.seq + 1)


@pytest.mark.parametrize("asked", [False, True])
async def test_earlier_views_hide_private_decisions(asked: bool) -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, asked, 0))
        first = await table.play(0, TAKE(2))
        await decline_all(table)
        await table.play(1, TAKE(1))
        past: Observation | None = (
            await h.host.observe_match(table.name, table.tokens[0], seq=first.action_seq)
        ).observation
        assert past is not None
        assert (past.to_act, past.view.turn, list(past.view.coins)) == ((1,), 1, [2, 0, 0])  # type: ignore[attr-defined]


# -- clocks ------------------------------------------------------------------------------------------------------------


async def test_no_clock_runs_at_a_private_decision_and_none_is_charged_for_it() -> None:
    control = TimeControl(per_match_ms=60_000, increment_ms=2_000)
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1), time_control=control)
        await table.play(0, TAKE(1))
        assert table.live.clocks_ms() == (62_000, 60_000)
        h.time.skip(9_000)
        assert table.live.clocks_ms() == (62_000, 60_000)
        assert table.live.time_left_ms(1) == 21_000
        await table.play(1, LET())
        assert table.live.clocks_ms() == (62_000, 60_000)
        h.time.skip(5_000)
        assert table.live.clocks_ms() == (62_000, 55_000)


async def test_private_decision_has_a_limit_of_its_own_and_is_declined_after_it() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1), time_control=TimeControl(per_match_ms=600_000))
        await table.play(0, TAKE(2))
        await h.time.advance(29_000)
        assert table.live.snapshot.actor == 1
        await h.time.advance(1_000)
        assert table.live.snapshot.decline_code == -1
        assert table.events(1)[-1].code == LET()
        assert table.live.state is MatchState.ACTIVE and not table.live.snapshot.seats[1].out
        assert table.live.clocks_ms() == (600_000, 600_000)
        await table.play(1, TAKE(1))


@pytest.mark.parametrize(
    ("control", "limit_ms"),
    [
        (TimeControl(per_move_ms=5_000), 5_000),
        (TimeControl(per_move_ms=90_000), 30_000),
        (TimeControl(per_move_ms=5_000, private_ms=8_000), 8_000),
    ],
)
async def test_limit_of_private_decisions_is_set_per_match(control: TimeControl, limit_ms: int) -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1), time_control=control)
        shown_control = table.live.info().time_control
        assert shown_control is not None and shown_control.private_ms == limit_ms
        await table.play(0, TAKE(2))
        assert table.live.time_left_ms(1) == limit_ms


async def test_match_without_clocks_can_limit_private_decisions_alone() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1), time_control=TimeControl(private_ms=40_000))
        await h.time.advance(120_000)
        assert table.live.clocks_ms() == () and table.live.time_left_ms(0) is None
        await table.play(0, TAKE(2))
        assert table.live.time_left_ms(1) == 40_000
        await h.time.advance(39_000)
        assert table.live.snapshot.actor == 1
        await h.time.advance(1_000)
        assert table.live.snapshot.decline_code == -1 and table.events(1)[-1].code == LET()
        assert not table.live.snapshot.seats[1].out
        await h.time.advance(120_000)
        await table.play(1, TAKE(1))
        report = verify(await h.host.get_replay(table.name, table.host_token), h.registry)
        assert report.state is MatchState.ACTIVE


async def test_private_decision_without_clocks_has_no_limit() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1))
        await table.play(0, TAKE(2))
        await h.time.advance(86_400_000)
        await table.play(1, BLOCK())


# -- seats of the service ----------------------------------------------------------------------------------------------


async def test_service_bot_makes_its_private_decisions_within_the_write() -> None:
    async with hosting(packs=PACKS) as h:
        for bot in ("random", "monte-carlo"):
            for held in ((0, 0), (0, 1)):
                table = await deal(h, held, bot=bot, ephemeral=True)
                first = await table.play(0, TAKE(2))
                assert table.live.snapshot.decline_code == -1
                assert first.seq >= first.action_seq


async def test_slow_bot_of_a_pack_without_a_quick_one_declines() -> None:
    async with hosting(packs=PACKS) as h:
        before = h.host.stats.actions
        table = await deal(h, (0, 1), bot="monte-carlo")
        await table.play(0, TAKE(2))
        assert [record.code for record in table.live.log.after(0)][-2:] == [TAKE(2), LET()]
        # An operator can be a player, too.
        assert h.host.stats.actions == before + 1


# -- going back, copies, the store -------------------------------------------------------------------------------------


async def test_undo_skips_private_decisions() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1), policy=Policy(chance=ChanceSource.HOST, undo=UndoPolicy.FREE))
        start = table.live.seq
        await table.play(0, TAKE(2))
        await table.play(1, LET())
        # A private decision is not a place to go back to, nor an action to take back.
        with pytest.raises(UndoNotAllowed):
            await h.host.request_undo(table.name, table.tokens[1], to_seq=start + 1)
        with pytest.raises(UndoNotAllowed):
            await h.host.request_undo(table.name, table.tokens[1])
        await table.play(1, TAKE(1))
        undone = await h.host.request_undo(table.name, table.tokens[0], to_seq=start + 1)
        assert undone.undone and undone.seq == start + 3
        assert [(event.seq, event.to_seq) for event in table.events(0)][-1] == (start + 3, start + 1)
        assert [(event.seq, event.to_seq) for event in table.events(1)][-1] == (start + 4, start + 2)
        assert table.live.observation(Viewer(0)).to_act == (1,)
        await h.host.request_undo(table.name, table.tokens[0])
        assert table.live.observation(Viewer(0)).to_act == (0,)
        assert table.live.observation(Viewer(0)).view.pending == 0  # type: ignore[attr-defined]


async def test_undo_request_is_pending_until_a_public_step() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1))
        await table.play(0, TAKE(2))
        asked = await h.host.request_undo(table.name, table.tokens[0])
        await table.play(1, LET())
        assert table.live.undo_pending is not None
        answer = await h.host.answer_undo(table.name, table.tokens[1], asked.seq, True)
        assert answer.undone
        assert [event.seq for event in table.events(0)] == list(range(1, table.live.seq))


async def test_fork_hides_the_number_of_private_decisions() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (0, 1))
        await table.play(0, TAKE(2))
        await table.play(1, LET())
        copy = (await h.host.fork(table.name, ForkSetup(), table.live.seq, table.host_token)).match
        public = table.live.info()
        assert copy.origin is not None
        assert (copy.origin.seq, copy.origin.plies) == (public.seq, 3)
        assert (await h.host.get(copy.name)).seq == 3
        live = await h.host.live_match(copy.name)
        assert live.seq == 4 and live.header.inherited_plies == 4


async def test_sequence_numbers_stay_after_storing_and_after_the_end() -> None:
    async with hosting(packs=PACKS) as h:
        table = await deal(h, (1, 1), option_texts={"turns": "2"})
        await table.play(0, TAKE(2))
        await table.play(1, LET())
        before, public = displayed(table.events(0)), table.live.info().seq
        await table.play(1, TAKE(1))
        await table.play(0, BLOCK())
        assert table.live.state is MatchState.FINISHED
        assert displayed(table.events(0))[: len(before)] == before
        ended = await h.host.get(table.name)
        assert ended.seq == table.live.seq - 1 == public + 3
        replay = await h.host.get_replay(table.name)
        assert len(replay.records) == table.live.seq
        again = h.new_host()
        # From the row alone, and with the log.
        assert (await again.get(table.name)).seq == ended.seq
        assert (await again.live_match(table.name)).info().seq == ended.seq
        observed = await again.observe_match(table.name, table.tokens[0])
        assert observed.observation is not None and observed.observation.seq == ended.seq
