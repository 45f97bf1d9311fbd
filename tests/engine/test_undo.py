"""Undo: by consent and freely, and its effects on sequence numbers, rolls, clocks and pending requests."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from engine_service import errors
from engine_service.hosting.match_cache import replay_log
from engine_service.match_enums import ChanceSource, UndoPolicy
from engine_service.model import Policy, TimeControl, has_ended
from gamepacks.api.types import Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, HostedMatch, SeatSetup, hosting

CHECK, BET, CALL, FOLD = kuhn.CHECK(), kuhn.BET(), kuhn.CALL(), kuhn.FOLD()
FREE = Policy(undo=UndoPolicy.FREE)


def state(t: HostedMatch) -> bytes:
    return t.live.snapshot.game_state.to_bytes()


async def test_undo_by_consent() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        before = state(t)
        await t.play(0, CHECK)
        asked = await h.host.request_undo(t.name, t.tokens[0], reason="slip")
        assert not asked.undone and asked.seq == t.live.seq
        pending = t.live.undo_pending
        assert pending is not None and (pending.seat, pending.to_seq, pending.reason) == (0, 7, "slip")
        assert pending.waiting_for == (1, 2)
        assert t.live.decision_seq == 8 and t.live.must_act(1)
        answer = await h.host.answer_undo(t.name, t.tokens[2], asked.seq, True)
        assert not answer.undone and state(t) != before
        with pytest.raises(errors.NoUndoPending):
            await h.host.answer_undo(t.name, t.tokens[2], asked.seq, True)
        answer = await h.host.answer_undo_for_seat(t.live, Seat(1), asked.seq, True, "fine")
        assert answer.undone and t.live.undo_pending is None and state(t) == before
        assert t.live.decision_seq == answer.seq == t.live.seq and t.live.must_act(0)
        assert t.log()[8:] == [
            "UNDO_REQUESTED 0 ->7 'slip'",
            "UNDO_ACCEPTED 2 ->7",
            "UNDO_ACCEPTED 1 ->7 'fine'",
            "UNDONE 0 ->7",
        ]
        with pytest.raises(errors.StaleSequence):
            await t.play(0, BET, expected_seq=7)
        await t.play(0, BET, expected_seq=answer.seq)


async def test_undo_is_declined_with_a_reason() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await t.play(0, CHECK)
        after = state(t)
        asked = await h.host.request_undo(t.name, t.tokens[0])
        for token in t.tokens:
            with pytest.raises(errors.UndoNotAllowed):
                await h.host.request_undo(t.name, token, 5)
        with pytest.raises(errors.NoUndoPending):
            await h.host.answer_undo(t.name, t.tokens[0], asked.seq, True)
        with pytest.raises(errors.InvalidField):
            await h.host.answer_undo(t.name, t.tokens[1], asked.seq, False, "x" * 257)
        answer = await h.host.answer_undo(t.name, t.tokens[1], asked.seq, False, "no take-backs")
        assert not answer.undone and t.live.undo_pending is None and state(t) == after
        assert t.log()[-1] == "UNDO_DECLINED 1 ->5 'no take-backs'"
        with pytest.raises(errors.NoUndoPending):
            await h.host.answer_undo(t.name, t.tokens[1], asked.seq, True)


async def test_late_answer_does_not_count_for_another_request() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        await t.play(0, CHECK)
        first = await h.host.request_undo(t.name, t.tokens[0])
        await t.play(1, CHECK)  # makes it void
        second = await h.host.request_undo(t.name, t.tokens[0])
        before = t.log()
        for accept in (True, False):
            with pytest.raises(errors.NoUndoPending):
                await h.host.answer_undo(t.name, t.tokens[1], first.seq, accept)
            with pytest.raises(errors.NoUndoPending):
                await h.host.answer_undo_for_seat(t.live, Seat(1), first.seq, accept)
        assert t.log() == before
        for unset in (0, -1):
            with pytest.raises(errors.InvalidField):
                await h.host.answer_undo(t.name, t.tokens[1], unset, True)
        await h.host.answer_undo(t.name, t.tokens[1], second.seq, True)
        assert (await h.host.answer_undo(t.name, t.tokens[2], second.seq, True)).undone


async def test_request_is_withdrawn_by_who_made_it() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        await t.play(0, CHECK)
        with pytest.raises(errors.NoUndoPending):
            await h.host.withdraw_undo(t.name, t.tokens[0])
        asked = await h.host.request_undo(t.name, t.tokens[0])
        await h.host.answer_undo(t.name, t.tokens[1], asked.seq, True)
        with pytest.raises(errors.NoUndoPending):
            await h.host.withdraw_undo(t.name, t.tokens[1])
        assert await h.host.withdraw_undo(t.name, t.tokens[0], "r") == t.live.seq
        assert t.live.undo_pending is None and t.log()[-1] == "UNDO_WITHDRAWN 0 ->7"
        with pytest.raises(errors.NoUndoPending):
            await h.host.answer_undo(t.name, t.tokens[2], asked.seq, True)
        again = await h.host.request_undo(t.name, t.tokens[0])
        assert await h.host.withdraw_undo(t.name, t.tokens[0], "r") == asked.seq + 2, "a repeated write does no more"
        assert t.live.undo_pending is not None and again.seq == t.live.seq
        with pytest.raises(errors.TokenMissing):
            await h.host.withdraw_undo(t.name, "")
        assert await h.state_of(t) == state(t)


async def test_step_cancels_the_undo_request() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await t.play(0, CHECK)
        asked = await h.host.request_undo(t.name, t.tokens[0])
        await t.play(1, BET)
        assert t.live.undo_pending is None
        with pytest.raises(errors.NoUndoPending):
            await h.host.answer_undo(t.name, t.tokens[1], asked.seq, True)


async def test_undo_is_refused_by_policy_and_without_actions() -> None:
    async with hosting() as h:
        never = await h.new_match("kuhn", policy=Policy(undo=UndoPolicy.NEVER))
        await never.play(0, CHECK)
        t = await h.new_match("kuhn", policy=FREE)
        await t.play(0, CHECK)
        for table, seat, to_seq in (
            (never, 0, None),
            (t, 1, None),  # has taken no action
            (t, 1, 6),  # the present decision, of which nothing has been answered
            (t, 1, 4),  # between the deals
            (t, 1, 3),  # before them
            (t, 1, 0),
            (t, 1, -1),
            (t, 1, 99),
        ):
            log = table.log()
            with pytest.raises(errors.UndoNotAllowed):
                await h.host.request_undo(table.name, table.tokens[seat], to_seq)
            assert table.log() == log
        waiting = await h.new_match("kuhn", policy=Policy(manual_start=True))
        with pytest.raises(errors.MatchNotStarted):
            await h.host.request_undo(waiting.name, waiting.tokens[0])
        with pytest.raises(errors.InvalidField):
            await h.host.request_undo(t.name, t.tokens[0], reason="x" * 257)


async def test_free_undo_cannot_return_to_undone_records() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE)
        start = state(t)
        await t.play(0, CHECK)  # 6
        middle = state(t)
        await t.play(1, BET)  # 7
        done = await h.host.request_undo(t.name, t.tokens[0])  # 8, back to 5
        assert done.undone and state(t) == start
        await t.play(0, CHECK)  # 9
        assert state(t) == middle
        await t.play(1, BET)  # 10
        for gone in (6, 7):
            with pytest.raises(errors.UndoNotAllowed):
                await h.host.request_undo(t.name, t.tokens[0], gone)
        assert (await h.host.request_undo(t.name, t.tokens[1])).undone  # 11, back to 9
        assert state(t) == middle and t.log()[-1] == "UNDONE 1 ->9"
        assert (await h.host.request_undo(t.name, t.tokens[1], 8)).undone  # the record of the first undoing
        assert state(t) == start == await h.state_of(t)
        assert t.live.snapshot.plies == 2


async def test_undo_past_a_roll_gives_the_same_roll() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, option_texts={"deals": "3", "ranks": "13"})
        await t.play(0, BET)
        await t.play(1, FOLD)
        assert t.live.log.after(0)[-1].kind.name == "CHANCE"
        dealt = state(t)
        await h.host.request_undo(t.name, t.tokens[1])
        await t.play(1, FOLD)
        assert state(t) == dealt


async def test_undo_returns_to_the_start_of_a_simultaneous_node() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", policy=FREE)
        start = state(t)
        await t.play(0, sealed.BID(3))
        assert (await h.host.request_undo(t.name, t.tokens[0])).undone
        assert state(t) == start and t.live.seats_to_act == 0b11
        await t.play(0, sealed.BID(3))
        await t.play(1, sealed.BID(4))
        await h.host.request_undo(t.name, t.tokens[1])
        assert state(t) == start and t.live.seats_to_act == 0b11


async def test_service_bots_accept_undo_and_decide_again() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", seats=[SeatSetup(), BOT])
        assert t.log()[1] == "STARTED" and t.live.seats_to_act == 0b01
        await t.play(0, sealed.BID(3))
        assert t.live.snapshot.game_state.round == 1
        done = await h.host.request_undo(t.name, t.tokens[0])
        assert done.undone and t.live.snapshot.game_state.round == 0 and t.live.seats_to_act == 0b01
        kinds = [line.split(" ")[:2] for line in t.log()[-3:]]
        assert kinds == [["UNDO_REQUESTED", "0"], ["UNDONE", "0"], ["ACTION", "1"]]


async def test_consent_of_a_resigned_seat_is_not_needed() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        await t.play(0, CHECK)
        asked = await h.host.request_undo(t.name, t.tokens[0])
        await h.host.answer_undo(t.name, t.tokens[1], asked.seq, True)
        await h.host.resign(t.name, t.tokens[2])
        assert t.log()[-2:] == ["RESIGNED 2", "UNDONE 0 ->7"]
        with pytest.raises(errors.NotAllowed):
            await h.host.request_undo(t.name, t.tokens[2])


async def test_resignation_withdraws_an_undo_request() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        await t.play(0, CHECK)
        await h.host.request_undo(t.name, t.tokens[0])
        await h.host.resign(t.name, t.tokens[0])
        assert t.live.undo_pending is None and t.log()[-1] == "RESIGNED 0"


async def test_undo_does_not_return_spent_time() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, time_control=TimeControl(per_match_ms=10_000))
        await h.time.advance(1_000)
        await t.play(0, CHECK)
        await h.time.advance(2_000)
        await h.host.request_undo(t.name, t.tokens[0])
        await h.time.advance(500)
        assert t.live.clocks_ms() == (8_500, 8_000)


async def test_increments_of_moves_that_are_undone_are_returned() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, time_control=TimeControl(per_match_ms=5_000, increment_ms=1_000))
        start = t.live.decision_seq
        await h.time.advance(100)
        await t.play(0, CHECK)
        await h.time.advance(200)
        await t.play(1, BET)
        assert t.live.clocks_ms() == (5_900, 5_800)
        await h.host.request_undo(t.name, t.tokens[1])
        assert t.live.clocks_ms() == (5_900, 4_800), "only the moves that are taken back count"
        await t.play(1, BET)
        await h.host.request_undo(t.name, t.tokens[0], start)
        assert t.live.clocks_ms() == (4_900, 4_800)
        for _ in range(20):
            await t.play(0, CHECK)
            await h.host.request_undo(t.name, t.tokens[0])
        assert t.live.clocks_ms() == (4_900, 4_800)


async def test_undo_to_a_decision_without_time_left_is_refused() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, time_control=TimeControl(per_match_ms=1_000, increment_ms=5_000))
        start = t.live.decision_seq
        await h.time.advance(900)
        await t.play(0, CHECK)  # 100 + 5,000 ms
        await t.play(1, BET)
        await h.time.advance(4_000)  # of seat 0, who has 1,100 left, and would have -3,900 without the increment
        with pytest.raises(errors.UndoNotAllowed, match="seat 0 would have no time left"):
            await h.host.request_undo(t.name, t.tokens[0], start)
        assert (await h.host.request_undo(t.name, t.tokens[1])).undone
        assert t.live.clocks_ms() == (1_100, 1_000)


PER_MOVE = TimeControl(per_move_ms=2_000)


async def test_undo_continues_the_move_clock() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, time_control=PER_MOVE)
        start = t.live.decision_seq
        await h.time.advance(700)
        await t.play(0, CHECK)
        await h.time.advance(400)  # the other thinks
        assert t.live.clocks_ms() == (2_000, 1_600)
        await h.host.request_undo(t.name, t.tokens[0])
        assert t.live.clocks_ms() == (1_300, 2_000)
        await h.time.advance(700)
        await t.play(0, CHECK)
        await h.host.request_undo(t.name, t.tokens[0], start)
        assert t.live.clocks_ms() == (600, 2_000), "the same decision, named by its first record"
        await t.play(0, CHECK)
        await h.host.request_undo(t.name, t.tokens[0], t.live.decision_seq - 1)
        assert t.live.time_left_ms(0) == 600, "the same decision, named by an UNDONE record"
        await h.time.advance(599)
        assert t.live.must_act(0)
        await h.time.advance(1)
        assert t.log()[-2:] == ["TIMED_OUT 0", "FINISHED"]


async def test_later_decision_has_the_full_move_time() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, time_control=PER_MOVE)
        start = t.live.decision_seq
        await h.time.advance(500)
        await t.play(0, CHECK)
        await h.time.advance(800)
        await t.play(1, BET)
        await h.host.request_undo(t.name, t.tokens[1])
        assert t.live.clocks_ms() == (2_000, 1_200)
        await t.play(1, BET)
        assert t.live.clocks_ms() == (2_000, 2_000)
        await h.host.request_undo(t.name, t.tokens[0], start)
        assert t.live.clocks_ms() == (1_500, 2_000)
        await t.play(0, CHECK)
        assert t.live.clocks_ms() == (2_000, 2_000), "what was task on a decision that is gone is gone with it"


async def test_undo_at_a_simultaneous_node_continues_each_clock() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", 3, policy=FREE, time_control=PER_MOVE)
        await h.time.advance(300)
        await t.play(0, sealed.BID(3))
        await h.time.advance(400)
        await t.play(1, sealed.BID(3))
        await h.time.advance(500)
        await h.host.request_undo(t.name, t.tokens[0])
        assert t.live.seats_to_act == 0b111 and t.live.clocks_ms() == (1_700, 1_300, 800)
        await h.time.advance(800)
        assert t.log()[-1].startswith("TIMED_OUT 2") or "TIMED_OUT 2" in t.log()


@pytest.mark.parametrize("game", ["kuhn", "sealed"])
async def test_clocks_after_undoing_are_the_same_when_the_log_is_loaded(game: str) -> None:
    control = TimeControl(per_move_ms=60_000, per_match_ms=600_000, increment_ms=1_000)
    async with hosting() as h:
        longest = {"kuhn": {"deals": "5"}, "sealed": {"rounds": "9"}}[game]
        t = await h.new_match(game, policy=FREE, time_control=control, option_texts=longest)
        rng, returns = random.Random(game), 0
        for _ in range(60):
            await h.time.advance(rng.randrange(1_000))
            seat = rng.choice([seat for seat in (0, 1) if t.live.must_act(seat)])
            if rng.random() < 0.5:
                await t.play(seat, rng.choice(t.live.legal(seat)))
            else:
                with suppress(errors.UndoNotAllowed):
                    await h.host.request_undo(t.name, t.tokens[seat], rng.choice(t.live.decision_points))
            draft = h.host._runtime.cache.new_match(t.live.header, t.live.header_bytes).draft()
            await replay_log(draft, t.live.log.after(0))
            now, again = t.live.snapshot, draft.after
            assert (again.clocks, again.used, again.returned) == (now.clocks, now.used, now.returned)
            returns += now.returned is not None
            if has_ended(now.state):
                break
        assert returns > 5


async def test_host_provides_outcomes_again_after_undo() -> None:
    async with hosting() as h:
        t = await h.new_match(
            "kuhn", policy=Policy(undo=UndoPolicy.FREE, chance=ChanceSource.HOST), option_texts={"deals": "2"}
        )
        await h.host.provide_outcomes(t.name, t.host_token, [kuhn.DEAL(1), kuhn.DEAL(2)])
        await t.play(0, BET)
        await t.play(1, FOLD)
        assert t.live.awaits_chance and t.live.seats_to_act == 0
        with pytest.raises(errors.NotYourTurn):
            await t.play(0, BET)
        await h.host.request_undo(t.name, t.tokens[1])
        assert not t.live.awaits_chance and t.live.must_act(1)
        await t.play(1, CALL)
        await h.host.provide_outcomes(t.name, t.host_token, [kuhn.DEAL(0), kuhn.DEAL(3)])
        assert t.live.must_act(0)


async def test_log_with_many_undos_loads_to_the_same_state() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, option_texts={"deals": "2"})
        for _ in range(40):
            await t.play(0, BET)
            await t.play(1, FOLD)
            await h.host.request_undo(t.name, t.tokens[0], 5)
        assert t.live.snapshot.plies == 2
        assert await h.state_of(t) == state(t)
