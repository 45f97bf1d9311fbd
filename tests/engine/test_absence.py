"""Seats that resign: forfeit with two and with more seats, and the absence bot."""

from __future__ import annotations

import pytest

from engine_service import errors
from engine_service.match_enums import AbsencePolicy, EndReason, MatchState
from engine_service.model import Policy
from gamepacks.api.types import Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import hosting


async def test_other_seat_wins_when_one_of_two_resigns() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        info = await h.host.resign(t.name, t.tokens[1])
        assert info.state is MatchState.FINISHED and info.result is not None
        assert (info.result.returns, info.result.reason) == ((1.0, -1.0), EndReason.FORFEIT)
        assert t.log()[-2:] == ["RESIGNED 1", "FINISHED"]
        with pytest.raises(errors.MatchEnded):
            await h.host.resign(t.name, t.tokens[0])


async def test_second_resignation_changes_nothing() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        await h.host.resign(t.name, t.tokens[2])
        log = t.log()
        info = await h.host.resign(t.name, t.tokens[2])
        assert info.seats[2].out and t.log() == log


async def test_with_more_seats_the_bot_plays_on_and_the_seat_comes_last() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", 3, option_texts={"rounds": "2"})
        await h.host.resign_seat(t.live, Seat(0))
        assert t.live.state is MatchState.ACTIVE and t.live.seats_to_act == 0b110
        assert not t.live.must_act(0) and t.live.legal(0) == []
        with pytest.raises(errors.NotYourTurn):
            await t.play(0, sealed.BID(3))
        for _ in range(2):
            await t.play(1, sealed.BID(5))
            await t.play(2, sealed.BID(0))
        info = await h.host.get(t.name)
        assert info.result is not None and info.result.reason is EndReason.RULES
        assert info.result.returns[0] == -1.0 and info.result.places[0] == 3
        assert await h.state_of(t) == t.live.snapshot.game_state.to_bytes()


async def test_last_remaining_seat_wins() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 3)
        await h.host.resign(t.name, t.tokens[0])
        info = await h.host.resign(t.name, t.tokens[1])
        assert info.result is not None and info.result.returns == (-1.0, -1.0, 1.0)
        assert info.result.places == (2, 2, 1) and info.result.reason is EndReason.FORFEIT


async def test_absent_seat_gets_the_result_of_its_bot_under_the_bot_policy() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=Policy(absence=AbsencePolicy.BOT))
        await h.host.resign(t.name, t.tokens[0])
        while t.live.state is MatchState.ACTIVE:
            await t.play(1, t.live.legal(1)[0])
        info = await h.host.get(t.name)
        assert info.seats[0].out and info.result is not None
        assert info.result.reason is EndReason.RULES and sum(info.result.returns) == 0


async def test_bots_finish_a_match_that_all_seats_left() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=Policy(absence=AbsencePolicy.BOT))
        for token in t.tokens:
            await h.host.resign(t.name, token)
        info = await h.host.get(t.name)
        assert info.result is not None and info.result.reason is EndReason.RULES
        assert kuhn.BOOK.verb(t.live.log.after(0)[-2].code)
