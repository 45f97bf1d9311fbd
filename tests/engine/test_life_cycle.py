"""The life cycle of matches: creation, seats, tokens, start, cancellation, views."""

from __future__ import annotations

import pytest

from engine_service import errors
from engine_service.match_enums import MatchState, SeatKind
from engine_service.model import MatchSetup, Policy, SeatSetup, TimeControl
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, hosting, invited


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_match_starts_when_the_last_seat_is_taken(ephemeral: bool) -> None:
    async with hosting() as h:
        created = await h.host.create(MatchSetup("kuhn", [SeatSetup()] * 2, ephemeral=ephemeral, labels={"a": "b"}))
        name = created.match.name
        assert name.startswith("matches/") and created.match.seq == 0
        first = await h.host.join(name, "Ada")
        assert (first.seat, first.match.state) == (0, MatchState.WAITING)
        second = await h.host.join(name, "Bob")
        info = second.match
        assert (second.seat, info.state) == (1, MatchState.ACTIVE)
        assert [(s.player, s.taken, s.kind) for s in info.seats] == [
            ("Ada", True, SeatKind.OPEN),
            ("Bob", True, SeatKind.OPEN),
        ]
        assert info.labels == {"a": "b"} and info.ephemeral is ephemeral
        assert info.start_ms is not None and info.end_ms is None
        assert info.seed == b"" and len(info.seed_commitment) == 32
        live = await h.host.live_match(name)
        assert live.viewer_of(first.token) == 0 and live.viewer_of(second.token) == 1
        assert live.viewer_of(created.host_token) == OMNISCIENT and live.viewer_of("") == SPECTATOR
        assert await h.host.get(name) == info


async def test_tokens_differ_and_only_their_digests_are_kept() -> None:
    async with hosting() as h:
        one, two = await h.new_match("kuhn"), await h.new_match("kuhn")
        tokens = [*one.tokens, *two.tokens, one.host_token, two.host_token]
        assert len(set(tokens)) == 6
        row, _ = await h.store.load(one.name)
        kept = repr(row)
        assert not any(token in kept for token in tokens)
        with pytest.raises(errors.TokenInvalid):
            two.live.viewer_of(one.tokens[0])
        with pytest.raises(errors.TokenInvalid):
            await h.host.observe_match(one.name, "nonsense")


async def test_joining_unavailable_seats_is_refused() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=False, seats=[SeatSetup(), invited("Eve")])
        with pytest.raises(errors.UnknownSeat):
            await h.host.join(t.name, "x", Seat(2))
        with pytest.raises(errors.UnknownSeat):
            await h.host.join(t.name, "x", Seat(-1))
        with pytest.raises(errors.NotAllowed):
            await h.host.join(t.name, "x", Seat(1))
        with pytest.raises(errors.InvalidField) as wrong:
            await h.host.join(t.name, "")
        assert wrong.value.faults[0].field == "player"
        for name in ("x" * 65, " x", "x\n", "\x1b[31mx"):
            with pytest.raises(errors.InvalidField):
                await h.host.join(t.name, name)
        with pytest.raises(errors.TokenInvalid):
            await h.host.join(t.name, "x", Seat(1), token="nonsense")
        assert t.log() == []
        mine = await h.host.join(t.name, "x")
        assert mine.seat == 0
        with pytest.raises(errors.SeatTaken):
            await h.host.join(t.name, "y", Seat(0))
        with pytest.raises(errors.SeatTaken):
            await h.host.join(t.name, "y")
        with pytest.raises(errors.NotAllowed):
            await h.host.join(t.name, "y", Seat(1), token=mine.token)
        kept = await h.host.join(t.name, "Eve", Seat(1), token=t.host_token)
        assert kept.match.state is MatchState.ACTIVE
        with pytest.raises(errors.MatchStarted):
            await h.host.join(t.name, "z")


async def test_leaving_frees_the_seat_and_revokes_the_token() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=False)
        joined = await h.host.join(t.name, "Ada")
        info = await h.host.leave(t.name, joined.token)
        assert info.seats[0].player == "" and not info.seats[0].taken
        with pytest.raises(errors.TokenInvalid):
            await h.host.leave(t.name, joined.token)
        again = await h.host.join(t.name, "Bob")
        assert again.seat == 0 and again.token != joined.token
        with pytest.raises(errors.TokenMissing):
            await h.host.leave(t.name, "")
        with pytest.raises(errors.NotAllowed):
            await h.host.leave(t.name, t.host_token)
        await h.host.join(t.name, "Cy")
        with pytest.raises(errors.MatchStarted):
            await h.host.leave(t.name, again.token)
        assert t.log()[:3] == ["JOINED 0 'Ada'", "LEFT 0", "JOINED 0 'Bob'"]


async def test_host_starts_a_match_with_manual_start() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", policy=Policy(manual_start=True), join=False)
        with pytest.raises(errors.SeatsOpen) as missing:
            await h.host.start_match(t.name, t.host_token)
        assert missing.value.metadata == {"seats": "0, 1"}
        joined = [await h.host.join(t.name, name) for name in ("Ada", "Bob")]
        assert joined[1].match.state is MatchState.WAITING
        with pytest.raises(errors.NotAllowed):
            await h.host.start_match(t.name, joined[0].token)
        with pytest.raises(errors.TokenMissing):
            await h.host.start_match(t.name, "")
        assert (await h.host.observe_match(t.name)).observation is None
        with pytest.raises(errors.MatchNotStarted):
            await h.host.legal_actions(t.name, joined[0].token)
        with pytest.raises(errors.MatchNotStarted):
            await h.host.submit_action(t.name, joined[0].token, sealed.BID(0))
        with pytest.raises(errors.MatchNotStarted):
            await h.host.resign(t.name, joined[0].token)
        assert (await h.host.start_match(t.name, t.host_token)).state is MatchState.ACTIVE
        with pytest.raises(errors.MatchStarted):
            await h.host.start_match(t.name, t.host_token)


async def test_host_cancels_a_match() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        with pytest.raises(errors.NotAllowed):
            await h.host.cancel(t.name, t.tokens[0])
        with pytest.raises(errors.InvalidField):
            await h.host.cancel(t.name, t.host_token, "x" * 257)
        info = await h.host.cancel(t.name, t.host_token, "the cat")
        assert info.state is MatchState.CANCELLED and info.end_ms is not None and len(info.seed) == 32
        assert info.result is not None and info.result.returns == ()
        assert t.log()[-1] == "CANCELLED 'the cat'"
        for call in (
            h.host.cancel(t.name, t.host_token),
            h.host.resign(t.name, t.tokens[0]),
            h.host.start_match(t.name, t.host_token),
            h.host.leave(t.name, t.tokens[0]),
            h.host.join(t.name, "x"),
            t.play(0, kuhn.BET()),
        ):
            with pytest.raises(errors.MatchEnded):
                await call
        with pytest.raises(errors.NoUndoPending):
            await h.host.answer_undo(t.name, t.tokens[1], 1, True)
        with pytest.raises(errors.MatchEnded):
            await h.host.request_undo(t.name, t.tokens[1])


async def test_invalid_creations_are_refused() -> None:
    async with hosting(player_name_length=5, labels=2, label_key_length=3, label_value_length=4) as h:
        two = [SeatSetup()] * 2

        async def refused(kind: type[errors.EngineError], setup: MatchSetup) -> list[str]:
            with pytest.raises(kind) as caught:
                await h.host.create(setup)
            return [fault.field for fault in caught.value.faults]

        await refused(errors.UnknownGame, MatchSetup("chess", two))
        await refused(errors.UnknownBot, MatchSetup("kuhn", [SeatSetup(), SeatSetup(SeatKind.BOT, "deep")]))
        await refused(errors.UnknownBot, MatchSetup("kuhn", two, policy=Policy(absence_bot="deep")))
        with pytest.raises(errors.InvalidPlayerCount) as count:
            await h.host.create(MatchSetup("kuhn", [SeatSetup()] * 7))
        assert count.value.metadata == {"minimum": "2", "maximum": "3"}
        assert await refused(errors.InvalidPlayerCount, MatchSetup("kuhn", [])) == ["seats"]
        assert await refused(errors.InvalidOption, MatchSetup("kuhn", two, option_texts={"ranks": "99", "x": "1"})) == [
            "options.ranks",
            "options.x",
        ]
        given = kuhn.messages.Options(ranks=5)
        assert await refused(errors.InvalidOption, MatchSetup("kuhn", two, given, {"ranks": "6"})) == ["options.ranks"]
        await refused(errors.MalformedMessage, MatchSetup("kuhn", two, sealed.messages.Options()))
        await refused(errors.MalformedMessage, MatchSetup("kuhn", two, position=sealed.messages.Position()))
        wrong = await refused(errors.InvalidPosition, MatchSetup("kuhn", two, position=kuhn.messages.Position(deal=9)))
        assert "position.deal" in wrong and "position.winnings" in wrong
        faults = await refused(
            errors.InvalidField,
            MatchSetup(
                "kuhn",
                [SeatSetup(SeatKind.OPEN, "Ada"), invited("too long")],
                labels={"long key": "v", "k": "long value", "": ""},
                time_control=TimeControl(per_move_ms=0, increment_ms=5),
            ),
        )
        assert faults == [
            "seats[0].player",
            "seats[1].player",
            "labels",
            "labels",
            "labels[k]",
            "labels",
            "time_control.per_move",
            "time_control.increment",
        ]
        faults = await refused(errors.InvalidField, MatchSetup("kuhn", [SeatSetup(SeatKind.BOT), invited("")]))
        assert faults == ["seats[0].player", "seats[1].player"]
        assert h.host.live_count == 0 and h.store.writes == 0


async def test_options_given_as_message_and_text_are_merged() -> None:
    async with hosting() as h:
        given = kuhn.messages.Options(ranks=5)
        t = await h.new_match("kuhn", options=given, option_texts={"order": "rotating"})
        options = kuhn.messages.Options()
        assert (await h.host.get(t.name)).options.Unpack(options)
        rotating = kuhn.messages.Options.DESCRIPTOR.fields_by_name["order"].enum_type.values_by_name["ORDER_ROTATING"]
        assert (options.ranks, options.deals, options.order) == (5, 1, rotating.number)


async def test_matches_with_equal_options_share_one_game() -> None:
    async with hosting() as h:
        one, two = await h.new_match("kuhn"), await h.new_match("kuhn")
        other = await h.new_match("kuhn", option_texts={"ranks": "5"})
        assert one.live.game is two.live.game is one.live.snapshot.game_state.game
        assert other.live.game is not one.live.game


async def test_match_can_begin_from_a_position() -> None:
    async with hosting() as h:
        position = sealed.messages.Position(round=2, coins=[5, 4], points=[1, 1], bids=[-1, -1])
        t = await h.new_match("sealed", position=position)
        assert (await h.host.get(t.name)).from_position
        seen = await h.host.observe_match(t.name)
        assert seen.observation is not None and list(seen.observation.view.coins) == [5, 4]
        await t.play(0, sealed.BID(5))
        await t.play(1, sealed.BID(4))
        result = (await h.host.get(t.name)).result
        assert result is not None and result.places == (1, 2)


async def test_match_of_bots_starts_and_ends_without_a_call() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", seats=[BOT, BOT], ephemeral=True)
        assert t.live.state is MatchState.FINISHED
        info = await h.host.get(t.name)
        assert [seat.taken for seat in info.seats] == [True, True]
        assert info.result is not None and sum(info.result.returns) == 0


async def test_views_of_each_viewer() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        views = {}
        for who, token in (("0", t.tokens[0]), ("1", t.tokens[1]), ("host", t.host_token), ("all", "")):
            seen = (await h.host.observe_match(t.name, token)).observation
            assert seen is not None and seen.to_act == (0,) and not seen.awaits_chance and seen.clocks_ms == ()
            assert (seen.position is not None) is (who == "host")
            views[who] = [card >= 0 for card in seen.view.cards]
        assert views == {"0": [True, False], "1": [False, True], "host": [True, True], "all": [False, False]}


async def test_unknown_match_is_refused() -> None:
    async with hosting() as h:
        for call in (
            h.host.get("matches/none"),
            h.host.live_match("matches/none"),
            h.host.observe_match("matches/none"),
            h.host.get_replay("matches/none"),
            h.host.join("matches/none", "x"),
            h.host.submit_action("matches/none", "t", kuhn.BET()),
        ):
            with pytest.raises(errors.UnknownMatch):
                await call
        assert h.host._cache.get_cached("matches/none") is None
