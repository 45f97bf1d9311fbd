"""PlayService: many matches on one stream, with requests and responses batched."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode

from engine_service.matches.events import EventCursor
from engine_service.rpc.connections import Call
from engine_service.rpc.play import service as play
from engine_service.rpc.play.channels import Channel
from engine_service.rpc.streams import StreamSender
from omnilude.v1 import errors_pb2, match_pb2, play_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as match_service
from omnilude.v1 import play_service_pb2 as pb
from tests.support.games import faulty, kuhn, sealed
from tests.support.play_stream import PlayStream, play_stream
from tests.support.rpc_errors import expect_refusal, refused
from tests.support.server import Running, narrow_channel, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, new_match


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK, sealed.PACK, faulty.PACK]) as running:
        yield running


def reason(name: str) -> int:
    return errors_pb2.ErrorReason.Value(f"ERROR_REASON_{name}")


def attach(table: RemoteMatch, seat: int, channel: int, **more: Any) -> pb.Attach:
    return pb.Attach(channel=channel, match=table.name, token=table.seats[seat], **more)


def packed(message: Any) -> AnyMessage:
    holder = AnyMessage()
    holder.Pack(message)
    return holder


async def play_all(stream: PlayStream, channels: int) -> None:
    """Answer every turn with its first code until all matches have ended, all answers of a message in one."""
    answered: dict[int, int] = {}
    while len(stream.ended) < channels:
        moves = [
            pb.Move(channel=turn.channel, seq=turn.seq, code=turn.codes[0])
            for turn in stream.turns.values()
            if answered.get(turn.channel) != turn.seq and turn.channel not in stream.ended
        ]
        answered.update({move.channel: move.seq for move in moves})
        if moves:
            await stream.send(moves=moves)
        await stream.receive()


async def test_stream_opens_with_a_welcome(running: Running) -> None:
    async with play_stream(running) as stream:
        await stream.receive()
        assert stream.welcome is not None
        assert stream.welcome.engine_version and stream.welcome.heartbeat_ms == 15_000


@pytest.mark.parametrize(
    "entries",
    [
        {"resign": [1] * 20_000},
        {"undo_answers": [pb.UndoAnswer(channel=1)] * 20_000},
        {"withdraw_undo": [1] * 20_000},
    ],
    ids=["resign", "undo_answers", "withdraw_undo"],
)
async def test_message_of_many_entries_is_answered_in_parts(running: Running, entries: dict[str, Any]) -> None:
    async with play_stream(running) as stream:
        await stream.receive()
        await stream.send(**entries)
        await stream.until(lambda stream: len(stream.results) >= 20_000)
        assert max(len(response.results) for response in stream.responses) <= 5_000


async def test_turn_has_the_requested_data_only(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with (
        play_stream(running) as plain,
        play_stream(running, views=True, typed_actions=True, positions=True) as rich,
    ):
        for stream in (plain, rich):
            await stream.send(attach=[attach(table, 0, 7)])
        turn = await plain.turn(7)
        assert turn == pb.Turn(channel=7, seq=(await table.legal(0)).seq, codes=[kuhn.CHECK(), kuhn.BET()])
        assert plain.attached[7].match == await table.match() and plain.attached[7].seat == 0
        turn = await rich.turn(7)
        view, position, action = kuhn.messages.View(), kuhn.messages.Position(), kuhn.messages.Action()
        assert turn.view.Unpack(view) and view.cards[0] >= 0 and view.cards[1] == -1
        assert turn.position.Unpack(position)
        assert [legal.label for legal in turn.actions] == ["check", "bet a chip"]
        assert turn.actions[0].action.Unpack(action) and action.move == kuhn.MOVES[kuhn.CHECK]


async def test_position_of_a_turn_is_resampled_for_its_seat(running: Running) -> None:
    table = await new_match(running, "kuhn", option_texts={"ranks": "13"})
    true = (await table.observe(table.host)).position
    seen: set[bytes] = set()
    for _ in range(12):
        async with play_stream(running, positions=True) as stream:
            await stream.send(attach=[attach(table, 0, 1)])
            seen.add((await stream.turn(1)).position.value)
    assert len(seen) > 1
    game = kuhn.KuhnGame.configure(2, {"ranks": 13})
    own = game.view(game.restore(kuhn.messages.Position.FromString(true.value)), 0)
    for value in seen:
        assert game.view(game.restore(kuhn.messages.Position.FromString(value)), 0) == own


async def test_two_seats_of_a_match_are_played_on_one_stream(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1), attach(table, 1, 2)])
        await stream.turn(1)
        assert 2 not in stream.turns
        await stream.move(1)
        result = await stream.result()
        assert (result.channel, result.error) == (1, 0)
        assert result.action_seq == stream.turns[1].seq + 1
        turn = await stream.turn(2)
        assert turn.seq == result.action_seq
        await stream.move(2)
        await stream.until(lambda s: len(s.ended) == 2)
        assert stream.ended[1] == stream.ended[2] == await table.match()


async def test_many_matches_are_played_at_once(running: Running) -> None:
    tables = [await new_match(running, "sealed", ephemeral=number % 2 == 0) for number in range(20)]
    async with play_stream(running) as stream:
        await stream.send(
            attach=[attach(table, seat, 2 * number + seat) for number, table in enumerate(tables) for seat in range(2)]
        )
        await play_all(stream, 40)
        assert not [result for result in stream.results if result.error]
        shown = [(turn.channel, turn.seq) for response in stream.responses for turn in response.turns]
        answered = [(result.channel, result.seq) for result in stream.results]
        assert len(shown) == len(set(shown)) == len(answered) == len(set(answered))
    for table in tables:
        assert (await table.match()).state == match_pb2.MATCH_STATE_FINISHED


async def test_answers_and_turns_due_at_the_same_time_are_sent_together(running: Running) -> None:
    tables = [await new_match(running, "sealed", ephemeral=True) for _ in range(50)]
    async with play_stream(running) as stream:
        await stream.send(
            attach=[attach(table, seat, 2 * number + seat) for number, table in enumerate(tables) for seat in (0, 1)]
        )
        await stream.until(lambda s: len(s.turns) == 100)
        before = len(stream.responses)
        await stream.send(
            moves=[pb.Move(channel=turn.channel, seq=turn.seq, code=turn.codes[1]) for turn in stream.turns.values()]
        )
        response = await stream.receive()
        assert len(stream.responses) == before + 1
        assert len(response.results) == len(response.turns) == 100


async def test_move_is_made_by_action_message(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        await stream.turn(1)
        await stream.move(1, typed_action=packed(kuhn.messages.Action(move=kuhn.MOVES[kuhn.BET])))
        assert not (await stream.result()).error
    assert (await table.events())[-1].code == kuhn.BET()


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_refused_moves_have_a_reason_and_leave_the_stream_open(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", ephemeral=ephemeral)
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1), attach(table, 1, 2)])
        seq = (await stream.turn(1)).seq
        wrong = [
            (pb.Move(channel=1, seq=seq, code=kuhn.CALL()), "ILLEGAL_ACTION"),
            (pb.Move(channel=1, seq=seq - 1, code=kuhn.BET()), "STALE_SEQUENCE"),
            (pb.Move(channel=2, seq=seq, code=kuhn.CHECK()), "NOT_YOUR_TURN"),
            (pb.Move(channel=1, seq=seq), "INVALID_FIELD"),
            (pb.Move(channel=9, seq=seq, code=kuhn.BET()), "INVALID_FIELD"),
            (pb.Move(channel=1, seq=seq, typed_action=packed(sealed.messages.Action())), "MALFORMED_MESSAGE"),
        ]
        for number, (move, expected) in enumerate(wrong, start=1):
            await stream.send(moves=[move])
            result = await stream.result(number)
            assert (result.channel, result.seq, result.error) == (move.channel, move.seq, reason(expected)), expected
            assert result.message and not result.action_seq
        assert stream.results[0].pack_reason == "NO_SUCH_MOVE"
        assert (await table.match()).seq == seq
        await stream.move(1)
        assert not (await stream.result(len(wrong) + 1)).error


async def test_move_repeated_is_answered_as_before(running: Running) -> None:
    for ephemeral in (False, True):
        table = await new_match(running, "kuhn", ephemeral=ephemeral)
        async with play_stream(running) as stream:
            await stream.send(attach=[attach(table, 0, 1)])
            turn = await stream.turn(1)
            move = pb.Move(channel=1, seq=turn.seq, code=kuhn.BET())
            await stream.send(moves=[move, move])
            first, second = await stream.result(1), await stream.result(2)
            assert first == second and not first.error
            await stream.send(moves=[pb.Move(channel=1, seq=turn.seq, code=kuhn.CHECK())])
            assert (await stream.result(3)).error == reason("STALE_SEQUENCE")


async def test_attaching_is_refused_one_by_one(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        wrong = {
            1: (pb.Attach(channel=1, match="matches/none", token="x"), "UNKNOWN_MATCH"),
            2: (pb.Attach(channel=2, match="nonsense", token="x"), "INVALID_FIELD"),
            3: (pb.Attach(channel=3, match=table.name, token="x"), "TOKEN_INVALID"),
            4: (pb.Attach(channel=4, match=table.name), "TOKEN_MISSING"),
            5: (pb.Attach(channel=5, match=table.name, token=table.host), "NOT_ALLOWED"),
            2**31: (attach(table, 0, 2**31), "INVALID_FIELD"),
        }
        await stream.send(attach=[entry for entry, _ in wrong.values()])
        await stream.send(attach=[attach(table, 0, 6)])
        await stream.turn(6)
        for channel, (_, expected) in wrong.items():
            assert stream.attached[channel].error == reason(expected), expected
            assert stream.attached[channel].message
        await stream.send(attach=[attach(table, 1, 6)])
        await stream.until(lambda s: s.attached[6].error)
        assert stream.attached[6].error == reason("INVALID_FIELD")
        await stream.move(6)
        assert not (await stream.result()).error


async def test_channel_beyond_the_limit_is_refused() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"server.max_stream_channels": 1}) as running:
        table = await new_match(running, "kuhn")
        async with play_stream(running) as stream:
            await stream.send(attach=[attach(table, 0, 1), attach(table, 1, 2)])
            await stream.until(lambda s: 2 in s.attached)
            assert not stream.attached[1].error
            assert stream.attached[2].error == reason("LIMIT_REACHED")
            await stream.send(detach=[1], attach=[])
            await stream.send(attach=[attach(table, 1, 3)])
            await stream.until(lambda s: 3 in s.attached)
            assert not stream.attached[3].error


async def test_events_come_in_order_as_the_seat_may_know_them(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running, events=True, labels=True, views=True) as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        await stream.turn(1)
        await stream.move(1, kuhn.CHECK())
        await table.submit(1, kuhn.CHECK())
        await stream.until(lambda s: 1 in s.ended)
        assert stream.events[1] == await table.events(table.seats[0], labels=True)
        seqs = [update.seq for response in stream.responses for update in response.updates]
        assert seqs == sorted(seqs) and seqs[-1] == (await table.match()).seq
        view = kuhn.messages.View()
        last = [update for response in stream.responses for update in response.updates][-1]
        assert last.view.Unpack(view) and view.deal == 1


async def test_events_resume_where_they_stopped(running: Running) -> None:
    table = await new_match(running, "kuhn")
    whole = await table.events(table.seats[0])
    async with play_stream(running, events=True) as stream:
        await stream.send(attach=[attach(table, 0, 1, after_seq=3)])
        await stream.turn(1)
        assert stream.events[1] == whole[3:]
        await stream.send(attach=[attach(table, 1, 2, after_seq=10_000)])
        await stream.until(lambda s: 2 in s.attached)
        assert stream.attached[2].error == reason("INVALID_FIELD")


async def test_attaching_to_an_ended_match_reports_its_end(running: Running) -> None:
    table = await new_match(running, "kuhn")
    match = await table.play_out()
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        await stream.until(lambda s: 1 in s.ended)
        assert stream.ended[1] == match and not stream.turns


@pytest.mark.parametrize("together", [True, False])
async def test_last_move_of_a_match_is_answered_again_after_a_lost_connection(running: Running, together: bool) -> None:
    table = await new_match(running, "kuhn")
    await table.submit(0, kuhn.BET())
    seq = (await table.legal(1)).seq
    last = await table.submit(1, kuhn.FOLD(), expected_seq=seq)
    move = pb.Move(channel=1, seq=seq, code=kuhn.FOLD())
    async with play_stream(running) as stream:
        if together:
            await stream.send(attach=[attach(table, 1, 1)], moves=[move])
        else:
            await stream.send(attach=[attach(table, 1, 1)])
            await stream.until(lambda s: 1 in s.ended)
            await stream.send(moves=[move])
        result = await stream.result()
        assert (result.error, result.action_seq) == (0, last.action_seq)
        await stream.send(moves=[pb.Move(channel=1, seq=seq, code=kuhn.CALL())])
        assert (await stream.result(2)).error == reason("MATCH_ENDED")


async def test_resigning_and_detaching(running: Running) -> None:
    one, other = await new_match(running, "kuhn"), await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(one, 0, 1), attach(other, 0, 2)])
        await stream.until(lambda s: len(s.turns) == 2)
        await stream.send(detach=[2])
        await stream.send(resign=[1, 2])
        await stream.until(lambda s: 1 in s.ended and s.results)
        assert stream.ended[1].result.reason == match_pb2.END_REASON_FORFEIT
        (refused_,) = stream.results
        assert (refused_.channel, refused_.seq, refused_.error) == (2, 0, reason("INVALID_FIELD"))
        assert (await other.match()).state == match_pb2.MATCH_STATE_ACTIVE


async def test_resignation_before_the_start_is_refused(running: Running) -> None:
    created = await running.matches.CreateMatch(
        match_service.CreateMatchRequest(game="games/kuhn", seats=[match_service.SeatSetup()] * 2)
    )
    joined = await running.matches.JoinMatch(match_service.JoinMatchRequest(name=created.match.name, player="ada"))
    async with play_stream(running) as stream:
        await stream.send(attach=[pb.Attach(channel=1, match=created.match.name, token=joined.token)], resign=[1])
        result = await stream.result()
        assert (result.channel, result.seq, result.error) == (1, 0, reason("MATCH_NOT_STARTED"))


async def test_undo_request_reaches_the_other_seats_and_is_answered(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1), attach(table, 1, 2)])
        turn = await stream.turn(1)
        await stream.move(1, kuhn.BET())
        await stream.turn(2)
        asked = match_service.RequestUndoRequest(name=table.name, token=table.seats[0], reason="a slip")
        await running.matches.RequestUndo(asked)
        await stream.until(lambda s: 2 in s.events)
        assert 1 not in stream.events
        (event,) = stream.events[2]
        assert (event.kind, event.seat, event.text) == (match_pb2.RECORD_KIND_UNDO_REQUESTED, 0, "a slip")
        assert event.to_seq == turn.seq and event.seq == (await table.match()).seq
        agree = pb.UndoAnswer(channel=2, request_seq=event.seq, accept=True)
        await stream.send(undo_answers=[agree])
        again = await stream.turn(1, after=turn.seq)
        assert list(again.codes) == list(turn.codes)
        await stream.send(undo_answers=[agree])
        result = await stream.result(2)
        assert (result.channel, result.seq, result.error) == (2, 0, reason("NO_UNDO_PENDING"))


async def test_undo_request_is_withdrawn_on_the_stream(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running, events=True) as stream:
        await stream.send(attach=[attach(table, 0, 1), attach(table, 1, 2)])
        await stream.turn(1)
        await stream.move(1, kuhn.BET())
        await stream.turn(2)
        await running.matches.RequestUndo(match_service.RequestUndoRequest(name=table.name, token=table.seats[0]))
        await stream.send(withdraw_undo=[1])
        await stream.until(lambda s: any(e.kind == match_pb2.RECORD_KIND_UNDO_WITHDRAWN for e in s.events.get(2, [])))
        live = running.server.host._cache.get_cached(table.name)
        assert live is not None and live.undo_pending is None
        await stream.send(withdraw_undo=[1, 9])
        await stream.until(lambda s: {result.channel for result in s.results if result.error} == {1, 9})
        errors = {result.channel: result.error for result in stream.results if result.error}
        assert errors == {1: reason("NO_UNDO_PENDING"), 9: reason("INVALID_FIELD")}


async def test_undo_request_is_sent_once_while_others_answer(running: Running) -> None:
    table = await new_match(running, "sealed", players=3)
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, seat, seat) for seat in range(3)])
        await stream.until(lambda s: len(s.turns) == 3)
        opening = stream.turns[0].seq
        for seat in range(3):
            await stream.move(seat, sealed.BID(seat))
        turn = await stream.turn(0, after=opening)
        await stream.move(0, sealed.BID(1))
        await stream.result(4)
        await running.matches.RequestUndo(match_service.RequestUndoRequest(name=table.name, token=table.seats[0]))
        await stream.until(lambda s: {1, 2} <= s.events.keys())
        asked = [event.seq for event in stream.events[2]]
        await stream.send(undo_answers=[pb.UndoAnswer(channel=1, request_seq=asked[0], accept=True)])
        live = running.server.host._cache.get_cached(table.name)
        assert live is not None
        await until(lambda: live.undo_pending is not None and live.undo_pending.waiting_for == (2,))
        await stream.send(attach=[attach(table, 0, 9)])
        await stream.until(lambda s: 9 in s.attached)
        assert [event.seq for event in stream.events[2]] == asked and len(asked) == 1
        await stream.send(undo_answers=[pb.UndoAnswer(channel=2, request_seq=asked[0], accept=True)])
        assert (await stream.turn(0, after=turn.seq)).seq > turn.seq
        assert [event.seq for event in stream.events[2]] == asked


async def test_turns_have_the_time_left_with_clocks(running: Running) -> None:
    clocks = match_pb2.TimeControl(per_move=Duration(seconds=60))
    table = await new_match(running, "kuhn", time_control=clocks)
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        assert 0 < (await stream.turn(1)).time_left_ms <= 60_000


async def test_fault_of_a_pack_ends_its_match_and_leaves_the_stream(running: Running) -> None:
    for ephemeral in (False, True):
        broken = await new_match(running, "faulty", ephemeral=ephemeral)
        healthy = await new_match(running, "kuhn", ephemeral=ephemeral)
        await broken.submit(0, sealed.BID(1))
        async with play_stream(running) as stream:
            await stream.send(attach=[attach(broken, 1, 1), attach(healthy, 0, 2)])
            await stream.until(lambda s: len(s.turns) == 2)
            await stream.move(1, sealed.BID(faulty.BOMB))
            result = await stream.result()
            assert result.error == reason("PACK_FAULT")
            assert faulty.LEAKING_TEXT not in result.message
            await stream.until(lambda s: 1 in s.ended)
            assert stream.ended[1].state == match_pb2.MATCH_STATE_FAULTED
            await stream.move(2)
            assert not (await stream.result(2)).error


# -- invitations -------------------------------------------------------------------------------------------------


def invited(name: str) -> match_service.SeatSetup:
    return match_service.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player=name)


async def create(running: Running, *seats: match_service.SeatSetup, game: str = "kuhn", **more: Any) -> Any:
    return await running.matches.CreateMatch(
        match_service.CreateMatchRequest(game=f"games/{game}", seats=seats, **more)
    )


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_invited_players_get_their_seats_and_play(running: Running, ephemeral: bool) -> None:
    async with (
        play_stream(running, player="ada", player_key="k1") as ada,
        play_stream(running, player="bob", player_key="k2") as bob,
    ):
        for stream in (ada, bob):
            await stream.receive()
        created = await create(running, invited("ada"), invited("bob"), ephemeral=ephemeral)
        for number, stream in enumerate((ada, bob)):
            await stream.until(lambda s: s.invitations)
            (invitation,) = stream.invitations
            assert invitation.channel >= 2**31
            assert (invitation.match.name, invitation.seat) == (created.match.name, number)
            assert invitation.token
        await asyncio.gather(play_all(ada, 1), play_all(bob, 1))
        (ended,) = ada.ended.values()
        assert ended.state == match_pb2.MATCH_STATE_FINISHED


async def test_player_who_comes_later_is_invited_then(running: Running) -> None:
    created = await create(running, invited("ada"), match_service.SeatSetup())
    other = await create(running, invited("ada"), match_service.SeatSetup(), game="sealed")
    async with play_stream(running, player="ada", games=["games/kuhn"]) as stream:
        await stream.until(lambda s: s.invitations)
        assert [invitation.match.name for invitation in stream.invitations] == [created.match.name]
    async with play_stream(running, player="ada", games=["games/sealed"]) as stream:
        await stream.until(lambda s: len(s.invitations) == 2)
        # The invitation to the seat that it has taken is repeated, whatever it wants to be invited to.
        assert {invitation.match.name for invitation in stream.invitations} == {created.match.name, other.match.name}


async def test_invitation_survives_a_lost_connection_for_the_holder_of_the_key(running: Running) -> None:
    async with play_stream(running, player="ada", player_key="secret of ada") as stream:
        await stream.receive()
        await create(running, invited("ada"), match_service.SeatSetup())
        await stream.until(lambda s: s.invitations)
        (first,) = stream.invitations
    async with play_stream(running, player="ada", player_key="secret of ada") as stream:
        await stream.until(lambda s: s.invitations)
        (again,) = stream.invitations
        assert (again.match.name, again.seat, again.token) == (first.match.name, first.seat, first.token)
    async with play_stream(running) as stream:
        call = stream.call
        await call.write(pb.PlayRequest(attach=[pb.Attach(channel=1, match=first.match.name, token=first.token)]))
        await stream.until(lambda s: 1 in s.attached)
        assert not stream.attached[1].error


async def test_seats_of_disconnected_players_are_shown(running: Running) -> None:
    async def disconnected(name: str) -> list[int]:
        return list((await running.matches.GetMatch(match_service.GetMatchRequest(name=name))).disconnected_seats)

    async with play_stream(running, player="ada") as ada, play_stream(running, player="bob"):
        await ada.receive()
        created = await create(running, match_service.SeatSetup(), invited("bob"), invited("ada"))
        await ada.until(lambda s: s.invitations)
        assert await disconnected(created.match.name) == []
    async with asyncio.timeout(30):
        while await disconnected(created.match.name) != [1, 2]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    async with play_stream(running, player="ada") as ada:
        await ada.until(lambda s: s.invitations)
        assert await disconnected(created.match.name) == [1]


async def test_name_is_held_by_its_key(running: Running) -> None:
    async with play_stream(running, player="ada", player_key="one") as first:
        await first.receive()
        # The name is taken after the welcome; where services share a store, by a statement of the database.
        await until(lambda: "ada" in running.server.host.players.names)
        async with expect_refusal() as refusal, play_stream(running, player="ada", player_key="two") as other:
            while True:
                await other.receive()
        assert (refusal.code, refusal.reason) == (StatusCode.ALREADY_EXISTS, "PLAYER_NAME_TAKEN")
        assert "belongs to another key" in refusal.message
        async with play_stream(running, player="ada", player_key="one") as second:
            async with expect_refusal() as refusal:
                while True:
                    await first.receive()
            assert refusal.reason == "PLAYER_NAME_TAKEN"
            assert "was taken over by another stream with the same key" in refusal.message
            await second.receive()
            await create(running, invited("ada"), match_service.SeatSetup())
            await second.until(lambda s: s.invitations)


# -- opening and closing -----------------------------------------------------------------------------------------


async def until_refused(stream: PlayStream) -> None:
    while True:
        await stream.receive()


@pytest.mark.parametrize(
    "requests",
    [
        [pb.PlayRequest()],
        [pb.PlayRequest(resign=[1])],
        [pb.PlayRequest(hello=pb.Hello()), pb.PlayRequest(hello=pb.Hello())],
        [pb.PlayRequest(hello=pb.Hello(player="x" * 65))],
        [pb.PlayRequest(hello=pb.Hello(player="ada", player_key="x" * 65))],
        [pb.PlayRequest(hello=pb.Hello(player="ada", games=["kuhn"]))],
    ],
)
async def test_stream_with_invalid_first_message_ends(running: Running, requests: list[pb.PlayRequest]) -> None:
    call = running.plays.Play()
    async with expect_refusal() as refusal:
        for request in requests:
            await call.write(request)
        while await call.read() is not grpc.aio.EOF:
            pass
    assert (refusal.code, refusal.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert next(iter(refusal.fields)).startswith("hello")


async def test_stream_closed_before_hello_ends(running: Running) -> None:
    call = running.plays.Play()
    await call.done_writing()
    assert (await refused(call.read())).reason == "INVALID_FIELD"


async def test_client_that_closes_its_side_gets_pending_answers_first(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        await stream.turn(1)
        await stream.move(1)
        await stream.call.done_writing()
        with pytest.raises(EOFError):
            await until_refused(stream)
        assert [result.error for result in stream.results] == [0]
        assert await stream.call.code() == StatusCode.OK


async def test_invalid_messages_end_the_stream(running: Running) -> None:
    for bad, expected in ((b"\xff\xff", "MALFORMED_MESSAGE"), (bytes(5_000_000), "LIMIT_REACHED")):
        call: Any = running.channel.stream_stream("/omnilude.v1.PlayService/Play")()
        await call.write(pb.PlayRequest(hello=pb.Hello()).SerializeToString())
        await call.read()
        await call.write(bad)
        assert (await refused(call.read())).reason == expected


async def test_quiet_stream_has_heartbeats() -> None:
    async with (
        running_server(packs=[kuhn.PACK], settings={"server.heartbeat_seconds": 0.05}) as running,
        play_stream(running) as stream,
    ):
        await stream.until(lambda s: s.heartbeats >= 3)
        assert stream.welcome is not None and stream.welcome.heartbeat_ms == 50


async def test_shutdown_ends_play_streams_with_shutting_down(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with play_stream(running) as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        await stream.turn(1)
        stopping = asyncio.create_task(running.server.stop(30.0))
        async with expect_refusal() as refusal:
            await until_refused(stream)
        await stopping
    assert (refusal.code, refusal.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")


async def test_play_stream_with_stalled_reader_ends() -> None:
    settings = {"server.stall_seconds": 0.1, "server.heartbeat_seconds": 60}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn")
        channel = narrow_channel(running.target)
        call = play_service_pb2_grpc.PlayServiceStub(channel).Play()
        await call.write(pb.PlayRequest(hello=pb.Hello()))
        await until(lambda: running.server.streams)
        # Their answers are more than the client's window holds.
        for _ in range(8):
            await call.write(pb.PlayRequest(moves=[pb.Move(channel=9, seq=1, code=1)] * 1000))
        await until(lambda: not running.server.streams)
        async with expect_refusal() as refusal:
            while await call.read() is not grpc.aio.EOF:
                pass
        assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "SLOW_CONSUMER")
        assert (await table.match()).name == table.name
        await channel.close()


async def test_stream_that_is_interrupted_leaves_nothing_behind(running: Running) -> None:
    table = await new_match(running, "kuhn")
    live = await running.server.host.live_match(table.name)
    async with play_stream(running, events=True, player="ada") as stream:
        await stream.send(attach=[attach(table, 0, 1)])
        await stream.turn(1)
        assert len(live.listeners) == 1 and running.server.streams == 1
    await until(lambda: not running.server.streams)
    assert live.listeners == ()
    assert running.server.host.players.connection("ada") is None


@pytest.mark.parametrize("read", [0, 1, 2], ids=["at once", "after the welcome", "after the attach"])
async def test_cancelled_streams_leave_no_object_behind(
    running: Running, read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The event loop keeps the context of a call until its deadlines would have passed, cancelled or not.
    monkeypatch.setattr(play, "HELLO_SECONDS", 1)
    monkeypatch.setattr(play, "TOKEN_SECONDS", 1)
    table = await new_match(running, "kuhn")
    live = await running.server.host.live_match(table.name)

    async def cancelled() -> None:
        call = running.plays.Play()
        await call.write(pb.PlayRequest(hello=pb.Hello(events=True), attach=[attach(table, 0, 1)]))
        for _ in range(read):
            await call.read()
        call.cancel()

    def left() -> int:
        gc.collect()
        kinds = (play.Session, Channel, StreamSender, EventCursor, Call)
        return sum(type(found) in kinds for found in gc.get_objects())

    gc.freeze()  # Objects that earlier tests of this process have left are not counted.
    try:
        for _ in range(40):
            await cancelled()
        await until(lambda: not running.server.streams and not running.server._connections.active)
        await until(lambda: not left())
    finally:
        gc.unfreeze()
    assert live.listeners == ()


async def test_stream_cancelled_without_a_hello_leaves_no_task_behind(running: Running) -> None:
    before = len(asyncio.all_tasks())
    calls = [running.plays.Play() for _ in range(20)]
    await until(lambda: running.server.streams == 20)
    for call in calls:
        call.cancel()
    await until(lambda: not running.server.streams)
    del calls
    await until(lambda: len(asyncio.all_tasks()) <= before)


async def test_large_reports_of_many_channels_are_sent_in_parts(running: Running) -> None:
    """Attaching all seats at once would block the event loop for seconds."""
    tables = [await new_match(running, "kuhn") for _ in range(10)]
    async with play_stream(running, views=True, typed_actions=True, events=True, labels=True) as stream:
        await stream.send(attach=[attach(tables[channel % 10], 0, channel) for channel in range(300)])
        await stream.until(lambda it: len(it.turns) == 300)
        shown = [[*response.updates, *response.turns] for response in stream.responses]
        sizes = [sum(part.ByteSize() for part in parts) for parts in shown]
        assert sum(sizes) > 3 * play.COSTLY_BYTES
        largest = max(part.ByteSize() for parts in shown for part in parts)
        assert max(sizes) <= play.COSTLY_BYTES + 2 * largest


async def test_event_loop_runs_other_tasks_while_many_seats_are_attached(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await new_match(running, "kuhn")
    passes, seen = 0, []
    attach_one = play.Session._attach

    async def turn_after_turn() -> None:
        nonlocal passes
        while True:
            passes += 1
            await asyncio.sleep(0)

    async def noted(session: play.Session, asked: pb.Attach) -> None:
        seen.append(passes)
        await attach_one(session, asked)

    monkeypatch.setattr(play.Session, "_attach", noted)
    async with play_stream(running) as stream:
        others = asyncio.ensure_future(turn_after_turn())
        await stream.send(attach=[pb.Attach(channel=channel, match=table.name, token="x") for channel in range(200)])
        await stream.until(lambda it: len(it.attached) == 200)
        others.cancel()
    assert max(seen.count(number) for number in set(seen)) <= 50
