"""Ends of matches other than by the rules: without loaded rules, by the operator, and deletion of old matches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine_service.errors import (
    EngineError,
    MatchEnded,
    MatchNotEnded,
    MatchNotStarted,
    MatchStarted,
    NotAllowed,
    RulesNotLoaded,
    TokenInvalid,
    TokenMissing,
    UnknownMatch,
)
from engine_service.hosting.endings import OPERATOR
from engine_service.hosting.housekeeping import CLEANUP_MS, DAY_MS, DELETED_PER_LOOKUP
from engine_service.log.replay import encode
from engine_service.match_enums import AbsencePolicy, ChanceSource, EndReason, MatchState
from engine_service.matches.verify import verify
from engine_service.model import MatchQuery, MatchSetup, Policy, SeatSetup, TimeControl
from gamepacks.api.registry import Registry
from tests.support.games import guards, kuhn, sealed
from tests.support.hosting import BOT, Hosted, HostedMatch, hosting, idle, invited


@asynccontextmanager
async def without_rules(hosted: Hosted) -> AsyncIterator[None]:
    """Run the service without the pack within the block."""
    whole, hosted.registry = hosted.registry, Registry.load(only=(), extra=(sealed.PACK,), strict=True)
    await hosted.restart()
    yield
    hosted.registry = whole
    await hosted.restart()
    await idle()


async def proved(t: HostedMatch) -> str:
    """Returns the state that the replay of the match proves."""
    replay = await t.host.get_replay(t.name)
    return verify(replay, t.hosted.registry).state.name


# -- matches whose rules are gone --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ready", [True, False])
async def test_host_cancels_a_match_whose_rules_are_missing(ready: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=ready)
        await h.time.advance(1_000)
        async with without_rules(h):
            with pytest.raises(RulesNotLoaded):
                await h.host.live_match(t.name)
            with pytest.raises(TokenMissing):
                await h.host.cancel(t.name, "")
            with pytest.raises(TokenInvalid):
                await h.host.cancel(t.name, "nonsense")
            if ready:
                with pytest.raises(NotAllowed):
                    await h.host.cancel(t.name, t.tokens[0])
            info = await h.host.cancel(t.name, t.host_token, "no rules", "r")
            assert info.state is MatchState.CANCELLED and info.to_act == ()
            assert info.result is not None and info.result.reason is EndReason.CANCELLED
            assert await h.host.cancel(t.name, t.host_token, "no rules", "r") == info
            with pytest.raises(MatchEnded):
                await h.host.cancel(t.name, t.host_token)
        assert (await t.stored())[-1].time_ms >= 1_000
        assert (await h.host.observe_match(t.name)).match == info
        assert await proved(t) == "CANCELLED"


async def test_match_cancelled_without_rules_has_the_same_seq_whether_a_private_decision_was_pending_or_not() -> None:
    seqs = []
    for held in ((0, 0), (0, 1)):
        async with hosting(packs=(guards.PACK,)) as h:
            t = await h.new_match("guards", policy=Policy(chance=ChanceSource.HOST))
            await h.host.provide_outcomes(t.name, t.host_token, [guards.DEAL(guard) for guard in held])
            await t.play(0, guards.TAKE(1))
            assert (t.live.snapshot.decline_code != -1) is (held == (0, 1))
            async with without_rules(h):
                cancelled = await h.host.cancel(t.name, t.host_token)
                assert (await h.host.get(t.name)).seq == cancelled.seq
            assert (await h.host.observe_match(t.name)).match.seq == cancelled.seq
            seqs.append(cancelled.seq)
    assert seqs[0] == seqs[1]


async def test_cancelling_a_match_without_rules_withdraws_its_invitations() -> None:
    async with hosting() as h:
        created = await h.host.create(MatchSetup("kuhn", [invited("ann"), SeatSetup()]))
        async with without_rules(h):
            assert "ann" in h.host.players._reserved
            await h.host.cancel(created.match.name, created.host_token)
            assert "ann" not in h.host.players._reserved


async def test_resignation_without_rules_gets_its_result_when_the_rules_are_back() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        async with without_rules(h):
            info = await h.host.resign(t.name, t.tokens[0], "r")
            assert (info.state, [seat.out for seat in info.seats]) == (MatchState.ACTIVE, [True, False])
            assert await h.host.resign(t.name, t.tokens[0], "r") == info
            assert (await h.host.resign(t.name, t.tokens[0])).seq == info.seq
            with pytest.raises(RulesNotLoaded):
                await h.host.resign(t.name, t.tokens[1])
        assert (await h.host.get(t.name)).state is MatchState.FINISHED
        assert t.log()[-2:] == ["RESIGNED 0", "FINISHED"]
        assert await proved(t) == "FINISHED"


async def test_match_that_awaits_its_result_without_rules_can_be_cancelled() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        async with without_rules(h):
            await h.host.resign(t.name, t.tokens[0])
            await h.host.cancel(t.name, t.host_token)
        assert [record.kind.name for record in await t.stored()][-2:] == ["RESIGNED", "CANCELLED"]
        assert await proved(t) == "CANCELLED"


async def test_absence_bot_plays_for_a_seat_resigned_without_rules() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=Policy(absence=AbsencePolicy.BOT))
        async with without_rules(h):
            await h.host.resign(t.name, t.tokens[0])
        assert t.log()[-1].startswith("ACTION 0")
        async with without_rules(h):
            await h.host.resign(t.name, t.tokens[1])
        assert (await h.host.get(t.name)).state is MatchState.FINISHED
        assert await proved(t) == "FINISHED"


async def test_last_seat_does_not_time_out_after_resignations_without_rules() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", 2, time_control=TimeControl(per_match_ms=5_000))
        await h.time.advance(1_000)
        async with without_rules(h):
            await h.host.resign(t.name, t.tokens[1])
            await h.time.advance(60_000)
        info = await h.host.get(t.name)
        assert info.result is not None and info.result.places == (1, 2)
        assert await proved(t) == "FINISHED"


async def test_seat_can_be_left_in_a_waiting_match_without_rules() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=False)
        joined = await h.host.join(t.name, "ann")
        async with without_rules(h):
            with pytest.raises(MatchNotStarted):
                await h.host.resign(t.name, joined.token)
            info = await h.host.leave(t.name, joined.token)
            assert not info.seats[0].taken and info.seats[0].player == ""
            with pytest.raises(TokenInvalid):
                await h.host.leave(t.name, joined.token)
        assert (await h.host.join(t.name, "bob")).seat == 0
    async with hosting() as h:
        t = await h.new_match("kuhn")
        async with without_rules(h):
            with pytest.raises(MatchStarted):
                await h.host.leave(t.name, t.tokens[0])


# -- the operator ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ephemeral", [True, False])
async def test_operator_cancels_and_deletes_any_match(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", ephemeral=ephemeral)
        other = await h.new_match("kuhn", ephemeral=ephemeral)
        with pytest.raises(MatchNotEnded):
            await h.host.delete(t.name)
        assert (await h.host.cancel(t.name, OPERATOR, "done")).state is MatchState.CANCELLED
        await h.host.delete(t.name)
        for call in (h.host.get(t.name), h.host.get_replay(t.name), h.host.delete(t.name)):
            with pytest.raises(UnknownMatch):
                await call
        assert [info.name for info in (await h.host.list(MatchQuery())).matches] == [other.name]
        assert h.host.stats.matches_deleted == 1
        await other.play(0, kuhn.BET())


async def test_match_without_rules_is_cancelled_and_deleted_by_the_operator() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        async with without_rules(h):
            await h.host.cancel(t.name, OPERATOR)
            await h.host.delete(t.name, "r")
            await h.host.delete(t.name, "r")
            with pytest.raises(UnknownMatch):
                await h.host.get(t.name)


async def test_deleted_match_can_be_brought_back_by_its_replay() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await h.host.resign(t.name, t.tokens[0])
        replay = encode(await h.host.get_replay(t.name))
        await h.host.delete(t.name)
        assert (await h.host.import_replay(replay)).name == t.name


# -- after their time --------------------------------------------------------------------------------------------------


async def test_matches_are_deleted_so_many_days_after_their_end() -> None:
    async with hosting(keep_ended_days=3) as h:
        going_on = await h.new_match("kuhn")
        old = [await h.new_match("kuhn") for _ in range(DELETED_PER_LOOKUP + 2)]
        for t in old:
            await h.host.resign(t.name, t.tokens[0])
        await h.time.advance(2 * DAY_MS)
        young = await h.new_match("kuhn")
        await h.host.resign(young.name, young.tokens[0])
        assert len((await h.host.list(MatchQuery(page_size=100))).matches) == len(old) + 2
        await h.time.advance(DAY_MS + 2 * CLEANUP_MS)
        left = {info.name for info in (await h.host.list(MatchQuery(page_size=100))).matches}
        assert left == {going_on.name, young.name}
        assert h.host._cache.get_cached(old[0].name) is None


async def test_ended_matches_are_kept_by_default_and_despite_clock_changes() -> None:
    for days in (0, 3):
        async with hosting(keep_ended_days=days) as h:
            t = await h.new_match("kuhn")
            await h.host.resign(t.name, t.tokens[0])
            h.time.wall_offset_ms += 1_000 * DAY_MS
            await h.time.advance(2 * DAY_MS if days else 5 * DAY_MS)
            assert (await h.host.get(t.name)).name == t.name


# -- whose turn it is --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ephemeral", [True, False])
async def test_matches_are_listed_by_player_and_by_whose_turn_it_is(ephemeral: bool) -> None:
    async with hosting() as h:

        async def names(player: str, to_act: bool = False) -> list[str]:
            return [info.name for info in (await h.host.list(MatchQuery(player=player, to_act=to_act))).matches]

        t = await h.new_match("kuhn", ephemeral=ephemeral)
        waiting = await h.host.create(MatchSetup("kuhn", [invited("player 0"), SeatSetup()], ephemeral=ephemeral))
        await h.new_match("kuhn", seats=[BOT, SeatSetup()], ephemeral=ephemeral, join=False)
        assert set(await names("player 0")) == {t.name, waiting.match.name}
        assert await names("player 1") == [t.name]
        assert await names("random") == [], "a bot of the service is not a player"
        assert (await names("player 0", True), await names("player 1", True)) == ([t.name], [])
        assert (await h.host.get(t.name)).to_act == (0,)
        await t.play(0, kuhn.BET())
        assert (await names("player 0", True), await names("player 1", True)) == ([], [t.name])
        if not ephemeral:
            h.host._runtime.cache.remove(t.name)
            assert (await h.host.get(t.name)).to_act == (1,)
            assert await names("player 1", True) == [t.name]
        await h.host.resign(t.name, t.tokens[1])
        assert await names("player 1", True) == []
        assert await names("player 1") == [t.name]


async def test_page_token_belongs_to_one_player_filter() -> None:
    async with hosting() as h:
        for _ in range(3):
            await h.new_match("kuhn")
        page = await h.host.list(MatchQuery(player="player 0", page_size=1))
        assert page.next_page_token
        again = MatchQuery(player="player 0", page_size=1, page_token=page.next_page_token)
        assert (await h.host.list(again)).matches != page.matches
        with pytest.raises(EngineError, match="page"):
            await h.host.list(MatchQuery(player="player 1", page_size=1, page_token=page.next_page_token))
