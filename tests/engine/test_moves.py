"""Actions: legal, refused and repeated ones, sequence numbers, request ids, typed actions, pages of them."""

from __future__ import annotations

import pytest
from google.protobuf.any_pb2 import Any

from engine_service import errors
from engine_service.match_enums import EndReason, MatchState
from engine_service.model import Submitted
from gamepacks.api.types import SPECTATOR, Code, Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import Hosted, HostedMatch, hosting

CHECK, BET, CALL, FOLD = kuhn.CHECK(), kuhn.BET(), kuhn.CALL(), kuhn.FOLD()


def packed(message: object) -> Any:
    any_ = Any()
    any_.Pack(message)
    return any_


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_match_is_played_to_its_end(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", ephemeral=ephemeral)
        assert t.log() == ["JOINED 0 'player 0'", "JOINED 1 'player 1'", "STARTED", *t.log()[3:5]]
        assert [line.split()[0] for line in t.log()[3:]] == ["CHANCE", "CHANCE"]
        assert t.live.decision_seq == 5
        done = await t.play(0, BET, expected_seq=5)
        assert done == Submitted(action_seq=6, seq=6, state=MatchState.ACTIVE, code=Code(BET))
        done = await t.play(1, FOLD)
        assert done == Submitted(action_seq=7, seq=8, state=MatchState.FINISHED, code=Code(FOLD))
        info = await h.host.get(t.name)
        assert info.result is not None and info.result.returns == (0.5, -0.5)
        assert info.result.places == (1, 2) and info.result.reason is EndReason.RULES
        assert info.end_ms is not None and len(info.seed) == 32
        assert h.host.stats.actions == 2 and h.host.stats.chance_outcomes == 2
        assert h.host.stats.matches_created == h.host.stats.matches_ended == 1


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_refused_moves_change_nothing(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", ephemeral=ephemeral)
        before, writes = t.log(), h.store.writes

        async def refused(kind: type[errors.EngineError], seat: int, move: object, **options: object) -> None:
            with pytest.raises(kind):
                await h.host.submit_action(t.name, t.tokens[seat], move, **options)  # type: ignore[arg-type]

        await refused(errors.NotYourTurn, 1, BET)
        await refused(errors.NotYourTurn, 1, BET, expected_seq=5)
        await refused(errors.ActionRefused, 0, CALL)
        await refused(errors.ActionRefused, 0, -1)
        await refused(errors.ActionRefused, 0, kuhn.messages.Action())
        await refused(errors.InvalidField, 0, 1 << 31)
        await refused(errors.StaleSequence, 0, BET, expected_seq=4)
        await refused(errors.StaleSequence, 0, BET, expected_seq=99)
        await refused(errors.MalformedMessage, 0, sealed.messages.Action(bid=1))
        await refused(errors.MalformedMessage, 0, packed(sealed.messages.Action(bid=1)))
        await refused(errors.MalformedMessage, 0, Any(type_url=packed(kuhn.messages.Action()).type_url, value=b"\xff"))
        with pytest.raises(errors.TokenMissing):
            await h.host.submit_action(t.name, "", BET)
        with pytest.raises(errors.NotAllowed):
            await h.host.submit_action(t.name, t.host_token, BET)
        assert t.log() == before and h.store.writes == writes
        assert h.host.stats.refused_actions == 3


async def test_refusal_has_the_packs_reason() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed")
        with pytest.raises(errors.ActionRefused) as refused:
            await t.play(0, sealed.BID(11))
        assert refused.value.pack_reason == "TOO_MUCH"
        assert refused.value.metadata == {"coins": "10", "pack_reason": "TOO_MUCH", "code": "11"}


async def test_default_reason_of_a_pack_names_the_code_itself() -> None:
    refused = errors.ActionRefused("no", "NOT_LEGAL", 7, {"code": 7})
    assert refused.metadata == {"pack_reason": "NOT_LEGAL", "code": "7"}


async def test_action_is_submitted_by_message() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        bet = kuhn.messages.Action(move=kuhn.MOVES[kuhn.BET])
        done = await h.host.submit_action(t.name, t.tokens[0], packed(bet))
        assert done.code == BET
        call = kuhn.messages.Action(move=kuhn.MOVES[kuhn.CALL])
        assert (await h.host.submit_action(t.name, t.tokens[1], call)).state is MatchState.FINISHED


async def test_validate_only_checks_without_acting() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        checked = await t.play(0, BET, validate_only=True)
        assert checked == Submitted(action_seq=5, seq=5, state=MatchState.ACTIVE, code=Code(BET))
        with pytest.raises(errors.ActionRefused):
            await t.play(0, CALL, validate_only=True)
        assert t.live.seq == 5


async def both_ways(h: Hosted, t: HostedMatch, seat: int, code: int, seq: int) -> Submitted:
    """Submit by a call and by a stream; returns the answer, which must be the same."""
    called = await t.play(seat, code, expected_seq=seq)
    streamed = h.host.submit_for_seat(t.live, Seat(seat), Code(code), seq)
    assert (streamed if isinstance(streamed, Submitted) else await streamed) == called
    return called


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_move_repeated_gets_the_first_answer(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", ephemeral=ephemeral)
        first = await t.play(0, CHECK, expected_seq=5)
        assert await both_ways(h, t, 0, CHECK, 5) == first
        with pytest.raises(errors.StaleSequence) as stale:
            await t.play(0, BET, expected_seq=5)
        assert stale.value.metadata == {"seq": "6"}
        second = await t.play(1, BET, expected_seq=6)
        assert await both_ways(h, t, 0, CHECK, 5) == first
        assert await both_ways(h, t, 1, BET, 6) == second
        last = await t.play(0, FOLD, expected_seq=7)
        assert last.state is MatchState.FINISHED
        # Its answer may be lost, and the match has ended meanwhile.
        assert await both_ways(h, t, 0, FOLD, 7) == last
        with pytest.raises(errors.MatchEnded):
            await t.play(0, CALL, expected_seq=7)
        assert t.live.seq == 9


async def test_move_repeated_after_a_restart_gets_the_first_answer() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        first = await t.play(0, CHECK, expected_seq=5)
        await h.restart()
        assert await t.play(0, CHECK, expected_seq=5) == first
        await t.play(1, BET, expected_seq=6)
        await h.restart()
        assert (await t.play(0, CHECK, expected_seq=5)).action_seq == first.action_seq


async def test_typed_moves_sent_again() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed")
        bid = sealed.messages.Action(bid=3)
        first = await h.host.submit_action(t.name, t.tokens[0], bid, expected_seq=3)
        assert await h.host.submit_action(t.name, t.tokens[0], bid, expected_seq=3) == first
        with pytest.raises(errors.NotYourTurn):
            await h.host.submit_action(t.name, t.tokens[0], sealed.messages.Action(bid=99), expected_seq=3)


async def test_hidden_decision_of_another_does_not_change_the_version() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", 3)
        seq = t.live.decision_seq
        first = await t.play(1, sealed.BID(4), expected_seq=seq)
        assert t.live.decision_seq == seq and t.live.seats_to_act == 0b101
        assert await t.play(1, sealed.BID(4), expected_seq=seq) == first
        with pytest.raises(errors.NotYourTurn):
            await t.play(1, sealed.BID(5), expected_seq=seq)
        await t.play(0, sealed.BID(1), expected_seq=seq)
        last = await t.play(2, sealed.BID(2), expected_seq=seq)
        assert t.live.decision_seq == last.seq == seq + 3 and t.live.seats_to_act == 0b111
        # Again, when the next node stands:
        assert (await t.play(1, sealed.BID(4), expected_seq=seq)).action_seq == first.action_seq
        assert (await t.play(2, sealed.BID(2), expected_seq=seq)).action_seq == last.action_seq
        for seat, bid in ((1, 5), (2, 4), (0, 4)):
            with pytest.raises(errors.StaleSequence):
                await t.play(seat, sealed.BID(bid), expected_seq=seq)


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_request_id_repeats_the_first_answer(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", ephemeral=ephemeral)
        first = await t.play(0, CHECK, request_id="r")
        assert await t.play(0, CHECK, request_id="r") == first
        with pytest.raises(errors.RequestIdReused):
            await t.play(0, BET, request_id="r")
        with pytest.raises(errors.InvalidField):
            await t.play(0, BET, request_id="r" * 65)
        # A refusal is not an answer that is kept.
        with pytest.raises(errors.NotYourTurn):
            await t.play(0, CHECK, request_id="s")
        await t.play(1, BET)
        assert (await t.play(0, CALL, request_id="s")).state is MatchState.FINISHED
        assert [line.split()[0] for line in t.log()[5:]] == ["ACTION", "ACTION", "ACTION", "FINISHED"]


async def test_legal_actions_come_in_pages() -> None:
    async with hosting(legal_page_max=4) as h:
        t = await h.new_match("sealed")
        found, token, sizes = [], "", []
        while True:
            got = await h.host.legal_actions(t.name, t.tokens[0], page_size=9, page_token=token, typed=True)
            assert got.seq == t.live.decision_seq and not got.sampled
            assert [a.code for a in got.actions] == list(got.codes)
            assert all(a.label == f"bid {a.action.bid}" for a in got.actions)
            found += got.codes
            sizes.append(len(got.codes))
            if not (token := got.next_page_token):
                break
        assert found == [sealed.BID(n) for n in range(11)] and sizes == [4, 4, 3]
        with pytest.raises(errors.InvalidField):
            await h.host.legal_actions(t.name, t.tokens[0], page_size=-1)
        first = await h.host.legal_actions(t.name, t.tokens[0])
        assert first.actions == () and len(first.codes) == 4
        for wrong in ("x", "!", first.next_page_token[:-2], "WzFd"):
            with pytest.raises(errors.InvalidPageToken):
                await h.host.legal_actions(t.name, t.tokens[0], page_token=wrong)
        with pytest.raises(errors.InvalidPageToken):
            await h.host.legal_actions(t.name, t.tokens[1], page_token=first.next_page_token)
        with pytest.raises(errors.NotAllowed):
            await h.host.legal_actions(t.name, t.host_token)
        with pytest.raises(errors.TokenMissing):
            await h.host.legal_actions(t.name, "")
        await t.play(0, sealed.BID(0))
        assert (await h.host.legal_actions(t.name, t.tokens[0])).codes == []
        await t.play(1, sealed.BID(1))
        with pytest.raises(errors.InvalidPageToken):
            await h.host.legal_actions(t.name, t.tokens[0], page_token=first.next_page_token)


async def test_stream_plays_an_ephemeral_match_at_once_and_notifies_listeners_once() -> None:
    class Listener:
        viewer = SPECTATOR

        def __init__(self) -> None:
            self.seen: list[int] = []

        def on_change(self, live: object) -> None:
            self.seen.append(t.live.seq)

    async with hosting(spectators_per_match=1) as h:
        t = await h.new_match("kuhn", ephemeral=True)
        listener = Listener()
        t.live.subscribe(listener)
        with pytest.raises(errors.LimitReached) as limit:
            t.live.subscribe(Listener())
        assert limit.value.metadata["limit"] == "spectators_per_match"
        done = h.host.submit_for_seat(t.live, Seat(0), BET, 5)
        assert isinstance(done, Submitted) and listener.seen == [6]
        with pytest.raises(errors.NotYourTurn):
            h.host.submit_for_seat(t.live, Seat(0), BET, 6)
        done = h.host.submit_for_seat(t.live, Seat(1), CALL, 6)
        assert isinstance(done, Submitted) and listener.seen == [6, 8]
        t.live.unsubscribe(listener)
        t.live.subscribe(Listener())
