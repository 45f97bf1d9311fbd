"""Outcomes of chance: from the committed seed, or provided by the host."""

from __future__ import annotations

import pytest

from cext.chance import commitment, outcome
from engine_service import errors
from engine_service.match_enums import ChanceSource, MatchState, RecordKind
from engine_service.model import Policy
from tests.support.games import kuhn
from tests.support.hosting import BOT, HostedMatch, SeatSetup, hosting

BY_HOST = Policy(chance=ChanceSource.HOST)
DEALS = [kuhn.DEAL(card) for card in range(4)]
BET, FOLD = kuhn.BET(), kuhn.FOLD()


def cards(t: HostedMatch) -> list[int]:
    return [record.code for record in t.live.log.after(0) if record.kind is RecordKind.OUTCOME_PROVIDED]


async def test_published_seed_gives_every_roll() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        committed = (await h.host.get(t.name)).seed_commitment
        await h.host.resign(t.name, t.tokens[0])
        info = await h.host.get(t.name)
        assert commitment(info.seed) == committed
        state = t.live.game.initial_state()
        for ply, record in enumerate(t.live.log.after(3, 2)):
            assert record.kind is RecordKind.CHANCE
            assert record.code == outcome(info.seed, t.live.header.uid, ply, state.chance())
            state.apply(record.code)


async def test_match_awaits_outcomes_of_the_host() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=BY_HOST)
        seen = (await h.host.observe_match(t.name)).observation
        assert seen is not None and seen.awaits_chance and seen.to_act == ()
        with pytest.raises(errors.NotYourTurn):
            await t.play(0, BET)
        answer = await h.host.provide_outcomes(t.name, t.host_token, [DEALS[2]])
        assert (answer.queued, answer.seq, t.live.awaits_chance) == (0, 4, True)
        answer = await h.host.provide_outcomes(t.name, t.host_token, [DEALS[0]])
        assert not t.live.awaits_chance and t.live.must_act(0) and cards(t) == [DEALS[2], DEALS[0]]
        await t.play(0, BET)
        await t.play(1, FOLD)
        assert (await h.host.get(t.name)).state is MatchState.FINISHED


async def test_outcomes_wait_in_order_and_survive_a_restart() -> None:
    async with hosting(queued_outcomes=5) as h:
        t = await h.new_match("kuhn", policy=BY_HOST, join=False, option_texts={"deals": "2"})
        answer = await h.host.provide_outcomes(t.name, t.host_token, [DEALS[3], DEALS[1], DEALS[0]], "r")
        assert (answer.queued, answer.seq) == (3, 0)
        assert await h.host.provide_outcomes(t.name, t.host_token, [DEALS[3], DEALS[1], DEALS[0]], "r") == answer
        with pytest.raises(errors.LimitReached):
            await h.host.provide_outcomes(t.name, t.host_token, DEALS[:3])
        await h.restart()
        for player in ("Ada", "Bob"):
            t.tokens.append((await h.host.join(t.name, player)).token)
        assert cards(t) == [DEALS[3], DEALS[1]] and t.live.snapshot.queued_outcomes == (DEALS[0],)
        await h.restart()
        await h.host.submit_action(t.name, t.tokens[2], BET)
        await h.host.submit_action(t.name, t.tokens[3], FOLD)
        assert cards(t) == [DEALS[3], DEALS[1], DEALS[0]] and t.live.awaits_chance


async def test_impossible_outcome_now_refuses_the_whole_call() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=BY_HOST)
        for codes in ([BET], [DEALS[0], DEALS[0]], [DEALS[0], -3, DEALS[1]]):
            with pytest.raises(errors.ActionRefused) as refused:
                await h.host.provide_outcomes(t.name, t.host_token, codes)
            assert refused.value.pack_reason == "NOT_AN_OUTCOME"
            assert refused.value.metadata["code"] == str(codes[min(len(codes), 2) - 1])
            assert cards(t) == [] and t.live.snapshot.queued_outcomes == () and t.live.awaits_chance
        with pytest.raises(errors.InvalidField):
            await h.host.provide_outcomes(t.name, t.host_token, [])
        with pytest.raises(errors.InvalidField):
            await h.host.provide_outcomes(t.name, t.host_token, [1 << 31])


async def test_impossible_outcome_later_is_dropped_with_those_behind_it() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=BY_HOST, option_texts={"deals": "2"})
        answer = await h.host.provide_outcomes(t.name, t.host_token, [DEALS[0], DEALS[1], BET, DEALS[2]])
        assert answer.queued == 2
        await t.play(0, BET)
        await t.play(1, FOLD)
        assert cards(t) == DEALS[:2] and t.live.awaits_chance and t.live.snapshot.queued_outcomes == ()
        assert (await h.new_host().live_match(t.name)).snapshot.queued_outcomes == ()
        await h.host.provide_outcomes(t.name, t.host_token, [DEALS[2], DEALS[3]])
        assert t.live.must_act(0)


async def test_outcomes_left_over_at_the_end_are_accepted() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=BY_HOST, seats=[BOT, BOT])
        answer = await h.host.provide_outcomes(t.name, t.host_token, DEALS)
        assert t.live.state is MatchState.FINISHED and answer.queued == 0
        with pytest.raises(errors.MatchEnded):
            await h.host.provide_outcomes(t.name, t.host_token, DEALS)


async def test_permission_to_provide_outcomes() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=BY_HOST)
        with pytest.raises(errors.TokenMissing):
            await h.host.provide_outcomes(t.name, "", DEALS)
        with pytest.raises(errors.NotAllowed):
            await h.host.provide_outcomes(t.name, t.tokens[0], DEALS)
        seeded = await h.new_match("kuhn", seats=[SeatSetup(), SeatSetup()])
        with pytest.raises(errors.ChanceNotAwaited):
            await h.host.provide_outcomes(seeded.name, seeded.host_token, DEALS)
