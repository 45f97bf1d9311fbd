"""The protocol of the play stream without a network: requests that a session makes, and events for responses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from omnilude import errors, play_session
from omnilude.play_session import (
    AttachRefused,
    EventsReceived,
    MatchOver,
    MoveRefused,
    PlaySession,
    SeatAttached,
    SeatLost,
    SeatState,
    StreamOpened,
    TurnReceived,
    UndoRequested,
)
from omnilude.v1 import errors_pb2, match_pb2
from omnilude.v1.match_pb2 import Match, MatchEvent
from omnilude.v1.play_service_pb2 import (
    Attached,
    Ended,
    Hello,
    Invitation,
    MoveResult,
    PlayRequest,
    PlayResponse,
    Turn,
    Update,
    Welcome,
)

MATCH = Match(name="matches/m", game="games/g")


def opened(*, events: bool = False) -> PlaySession:
    """Returns a session whose first stream is open."""
    made = PlaySession(Hello(player="me", player_key="k", events=events))
    made.open_stream()
    request = made.take_request()
    assert request is not None and request.hello.player == "me"
    welcome = PlayResponse(welcome=Welcome(engine_version="1", heartbeat_ms=1500))
    assert made.receive(welcome) == [StreamOpened(1.5, "1")]
    return made


def seated(made: PlaySession, *, channel_seq: int = 0) -> SeatState:
    """Returns a seat that the service has attached."""
    seat = made.attach("matches/m", "secret", channel_seq)
    assert made.take_request() is not None
    (event,) = made.receive(PlayResponse(attached=[Attached(channel=seat.channel, match=MATCH, seat=1)]))
    assert event == SeatAttached(seat)
    return seat


def receive_turn(made: PlaySession, seat: SeatState, seq: int = 5) -> Turn:
    """Receive a turn of the seat, and return it."""
    (event,) = made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=seq, codes=[7, 8])]))
    assert isinstance(event, TurnReceived)
    assert event.seat is seat
    return event.turn


def sent(made: PlaySession) -> PlayRequest:
    request = made.take_request()
    assert request is not None
    return request


def test_empty_request_is_not_sent() -> None:
    assert opened().take_request() is None


def test_seat_is_attached_and_plays() -> None:
    made = opened()
    seat = made.attach("matches/m", "secret", 3)
    (attach,) = sent(made).attach
    assert (attach.match, attach.token, attach.after_seq) == ("matches/m", "secret", 3)
    assert attach.channel == seat.channel < play_session.FIRST_CHANNEL_OF_SERVICE
    assert made.attach("matches/m", "secret") is seat, "a seat is attached once"
    assert made.take_request() is None
    made.receive(PlayResponse(attached=[Attached(channel=seat.channel, match=MATCH, seat=1)]))
    assert (seat.seat, seat.match) == (1, MATCH)
    turn = receive_turn(made, seat)
    assert made.queue_move(seat, turn, 8)
    (move,) = sent(made).moves
    assert (move.channel, move.seq, move.code) == (seat.channel, 5, 8)
    assert not made.queue_move(seat, turn, 7), "a decision is answered once"
    assert made.receive(PlayResponse(results=[MoveResult(channel=seat.channel, seq=5, action_seq=6)])) == []
    assert seat.pending_move is None


def test_everything_pending_is_sent_in_one_message() -> None:
    made = opened()
    seats = [made.attach(f"matches/{number}", "t") for number in range(3)]
    assert len(sent(made).attach) == 3
    turns = [Turn(channel=seat.channel, seq=2, codes=[1]) for seat in seats]
    for event in made.receive(PlayResponse(turns=turns)):
        assert isinstance(event, TurnReceived)
        made.queue_move(event.seat, event.turn, 1)
    assert len(sent(made).moves) == 3


def test_seat_that_cannot_be_attached_is_lost() -> None:
    made = opened()
    seat = made.attach("matches/m", "wrong")
    refusal = Attached(channel=seat.channel, error=errors_pb2.ERROR_REASON_TOKEN_INVALID, message="no")
    (event,) = made.receive(PlayResponse(attached=[refusal]))
    assert isinstance(event, SeatLost)
    assert isinstance(event.error, errors.TokenInvalid)
    assert made.seats == []


PASSING = [
    errors_pb2.ERROR_REASON_LIMIT_REACHED,
    errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
    errors_pb2.ERROR_REASON_SHUTTING_DOWN,
]


@pytest.mark.parametrize("reason", PASSING)
def test_seat_refused_for_a_temporary_reason_is_attached_again(reason: errors_pb2.ErrorReason) -> None:
    made = opened()
    seat = seated(made)
    assert made.queue_move(seat, receive_turn(made, seat), 8)
    made.open_stream()
    sent(made)
    refused, before = Attached(channel=seat.channel, error=reason, message="later"), seat.channel
    for number in (1, 2):
        (event,) = made.receive(PlayResponse(attached=[refused]))
        assert event == AttachRefused(seat, event.error)  # type: ignore[union-attr]
        assert made.seats == [seat] and seat.attach_refusals == number
        # The move went to a channel that never was open: that is not an answer to it.
        no_channel = MoveResult(channel=refused.channel, seq=5, error=errors_pb2.ERROR_REASON_INVALID_FIELD)
        assert made.receive(PlayResponse(results=[no_channel])) == []
        assert made.take_request() is None
        made.reattach(seat)
        again = sent(made)
        assert [entry.channel for entry in again.attach] == [seat.channel] and seat.channel != before
        assert [(move.channel, move.seq, move.code) for move in again.moves] == [(seat.channel, 5, 8)]
        made.reattach(seat)
        assert made.take_request() is None, "it is under way already"
        refused, before = Attached(channel=seat.channel, error=reason, message="later"), seat.channel
    assert made.receive(PlayResponse(attached=[Attached(channel=seat.channel, match=MATCH, seat=1)])) == []
    assert seat.attach_refusals == 0
    accepted = MoveResult(channel=seat.channel, seq=5, action_seq=6)
    assert made.receive(PlayResponse(results=[accepted])) == [] and seat.pending_move is None


def test_move_for_a_detached_seat_is_sent_when_it_is_attached() -> None:
    made = opened()
    seat = seated(made)
    turn = receive_turn(made, seat)
    made.open_stream()
    sent(made)
    made.receive(PlayResponse(attached=[Attached(channel=seat.channel, error=PASSING[0])]))
    assert made.queue_move(seat, turn, 8)
    assert made.take_request() is None
    made.reattach(seat)
    assert [move.code for move in sent(made).moves] == [8]


@pytest.mark.parametrize("invited_first", [True, False])
def test_invitation_replaces_a_refused_attach(invited_first: bool) -> None:
    made = opened()
    seat = seated(made)
    made.resign(seat)
    made.open_stream()
    sent(made)
    channel = play_session.FIRST_CHANNEL_OF_SERVICE
    invited = PlayResponse(invitations=[Invitation(channel=channel, match=MATCH, seat=1, token="secret")])
    refused = PlayResponse(attached=[Attached(channel=seat.channel, error=PASSING[0])])
    events = [made.receive(response) for response in ((invited, refused) if invited_first else (refused, invited))]
    assert [len(event) for event in events] == ([0, 0] if invited_first else [1, 0])
    assert seat.channel == channel and list(sent(made).resign) == [channel]
    made.reattach(seat)
    assert made.take_request() is None


def test_invitation_uses_a_channel_of_the_service() -> None:
    made = opened()
    channel = play_session.FIRST_CHANNEL_OF_SERVICE + 4
    (event,) = made.receive(PlayResponse(invitations=[Invitation(channel=channel, match=MATCH, seat=0, token="given")]))
    assert isinstance(event, SeatAttached)
    assert (event.seat.channel, event.seat.token, event.seat.seat) == (channel, "given", 0)
    made.queue_move(event.seat, receive_turn(made, event.seat), 7)
    assert sent(made).moves[0].channel == channel


def test_reconnecting_attaches_seats_and_resends_pending_moves() -> None:
    made = opened()
    (event,) = made.receive(PlayResponse(invitations=[Invitation(channel=2**31, match=MATCH, seat=0, token="given")]))
    assert isinstance(event, SeatAttached)
    seat = event.seat
    made.queue_move(seat, receive_turn(made, seat, seq=9), 7)
    sent(made)
    made.open_stream()
    again = sent(made)
    assert again.hello.player_key == "k"
    (attach,) = again.attach
    (move,) = again.moves
    assert (attach.match, attach.token, attach.after_seq) == ("matches/m", "given", 9)
    assert attach.channel < play_session.FIRST_CHANNEL_OF_SERVICE, "on a channel of the client's own"
    assert (move.channel, move.seq, move.code) == (attach.channel, 9, 7)
    # The service may show the decision once more before it has read the answer.
    assert made.receive(PlayResponse(turns=[Turn(channel=attach.channel, seq=9, codes=[7])])) == []
    assert made.receive(PlayResponse(results=[MoveResult(channel=attach.channel, seq=9, action_seq=10)])) == []
    assert seat.pending_move is None
    assert made.receive(PlayResponse(turns=[Turn(channel=attach.channel, seq=9, codes=[7])])) == [], "nor afterwards"


def test_repeated_turn_is_reported_once() -> None:
    made = opened()
    seat = seated(made)
    turn = receive_turn(made, seat)
    made.open_stream()
    sent(made)
    assert made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=5, codes=[7, 8])])) == []
    assert made.queue_move(seat, turn, 7), "what was being thought about is still the answer"
    assert sent(made).moves[0].channel == seat.channel


def test_move_made_without_connection_is_sent_once() -> None:
    made = opened()
    seat = seated(made)
    turn = receive_turn(made, seat)
    made.queue_move(seat, turn, 7)
    made.open_stream()
    assert len(sent(made).moves) == 1


def test_repeated_invitation_is_the_same_seat() -> None:
    made = opened()
    made.receive(PlayResponse(invitations=[Invitation(channel=2**31, match=MATCH, seat=0, token="given")]))
    made.open_stream()
    own = sent(made).attach[0].channel
    again = Invitation(channel=2**31 + 1, match=MATCH, seat=0, token="given")
    assert made.receive(PlayResponse(invitations=[again])) == []
    (seat,) = made.seats
    turn = Turn(channel=2**31 + 1, seq=4, codes=[1])
    events = made.receive(PlayResponse(turns=[turn, Turn(channel=own, seq=4, codes=[1])]))
    assert [type(event) for event in events] == [TurnReceived], "both channels have the same decision"
    ended = [Ended(channel=channel, match=MATCH) for channel in (own, 2**31 + 1)]
    assert made.receive(PlayResponse(ended=ended)) == [MatchOver(seat, MATCH)]


def test_new_decision_replaces_the_old_one() -> None:
    """After an undo the answer to the old decision is not sent any more, or refused as stale."""
    made = opened()
    seat = seated(made)
    old = receive_turn(made, seat, seq=5)
    new = receive_turn(made, seat, seq=8)
    assert not made.queue_move(seat, old, 7)
    assert made.queue_move(seat, new, 7)


@pytest.mark.parametrize(
    "reason",
    [
        errors_pb2.ERROR_REASON_STALE_SEQUENCE,
        errors_pb2.ERROR_REASON_NOT_YOUR_TURN,
        errors_pb2.ERROR_REASON_MATCH_ENDED,
        errors_pb2.ERROR_REASON_PACK_FAULT,
    ],
)
def test_move_for_an_obsolete_decision_is_dropped(reason: errors_pb2.ErrorReason) -> None:
    made = opened()
    seat = seated(made)
    made.queue_move(seat, receive_turn(made, seat), 7)
    sent(made)
    assert made.receive(PlayResponse(results=[MoveResult(channel=seat.channel, seq=5, error=reason)])) == []
    assert seat.pending_move is None
    receive_turn(made, seat, seq=6)


@pytest.mark.parametrize(
    "reason",
    [
        errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
        errors_pb2.ERROR_REASON_LIMIT_REACHED,
        errors_pb2.ERROR_REASON_SHUTTING_DOWN,
    ],
)
def test_move_refused_for_a_temporary_reason_can_be_resent(reason: errors_pb2.ErrorReason) -> None:
    made = opened()
    seat = seated(made)
    made.queue_move(seat, receive_turn(made, seat), 7)
    first = sent(made).moves[0]
    (event,) = made.receive(PlayResponse(results=[MoveResult(channel=seat.channel, seq=5, error=reason)]))
    assert isinstance(event, MoveRefused)
    assert event.retry
    made.resend(seat)
    assert sent(made).moves[0] == first


def test_illegal_move_is_reported_as_refused() -> None:
    made = opened()
    seat = seated(made)
    made.queue_move(seat, receive_turn(made, seat), 99)
    sent(made)
    refusal = MoveResult(
        channel=seat.channel,
        seq=5,
        error=errors_pb2.ERROR_REASON_ILLEGAL_ACTION,
        message="not yours",
        pack_reason="NOT_YOUR_DIE",
    )
    (event,) = made.receive(PlayResponse(results=[refusal]))
    assert isinstance(event, MoveRefused)
    assert not event.retry
    assert isinstance(event.error, errors.IllegalAction)
    assert event.error.pack_reason == "NOT_YOUR_DIE"


def test_resignation_survives_a_lost_connection_and_a_busy_store() -> None:
    made = opened()
    seat = seated(made)
    receive_turn(made, seat)
    made.resign(seat)
    assert list(sent(made).resign) == [seat.channel]
    assert made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=6, codes=[1])])) == [], "it plays no more"
    busy = MoveResult(channel=seat.channel, error=errors_pb2.ERROR_REASON_STORE_UNAVAILABLE)
    (event,) = made.receive(PlayResponse(results=[busy]))
    assert isinstance(event, MoveRefused)
    assert event.retry
    made.resend(seat)
    assert list(sent(made).resign) == [seat.channel]
    made.open_stream()
    assert list(sent(made).resign) == [seat.channel]


def match_events(kinds: Sequence[match_pb2.RecordKind], start: int, seat: int = 0) -> list[MatchEvent]:
    return [MatchEvent(seq=start + number, kind=kind, seat=seat) for number, kind in enumerate(kinds)]


def test_events_are_reported_once() -> None:
    made = opened(events=True)
    seat = seated(made)
    action = match_pb2.RECORD_KIND_ACTION
    update = Update(channel=seat.channel, events=match_events([action] * 3, 4), seq=6)
    (event,) = made.receive(PlayResponse(updates=[update]))
    assert isinstance(event, EventsReceived)
    assert [event.seq for event in event.events] == [4, 5, 6]
    overlap = Update(channel=seat.channel, events=match_events([action] * 3, 5), seq=7)
    (event,) = made.receive(PlayResponse(updates=[overlap]))
    assert isinstance(event, EventsReceived)
    assert [event.seq for event in event.events] == [7]


def test_turn_does_not_skip_events_that_arrive_later() -> None:
    made = opened(events=True)
    seat = seated(made)
    receive_turn(made, seat, seq=9)
    made.open_stream()
    assert sent(made).attach[0].after_seq == 0


def test_undo_request_is_reported_until_its_answer_has_arrived() -> None:
    made = opened()
    seat = seated(made)
    asked = match_events([match_pb2.RECORD_KIND_UNDO_REQUESTED], 7)
    events = made.receive(PlayResponse(updates=[Update(channel=seat.channel, events=asked, seq=7)]))
    assert events[0] == UndoRequested(seat, asked[0])
    made.answer_undo(seat, 7, False, "no")
    (answer,) = sent(made).undo_answers
    assert (answer.channel, answer.request_seq, answer.accept, answer.reason) == (seat.channel, 7, False, "no")
    made.open_stream()
    assert sent(made).attach[0].after_seq == 6, "the request is to be reported again"
    events = made.receive(PlayResponse(updates=[Update(channel=seat.channel, events=asked, seq=7)]))
    assert events[0] == UndoRequested(seat, asked[0])
    # Anything newer settles it.
    receive_turn(made, seat, seq=9)
    made.open_stream()
    assert sent(made).attach[0].after_seq == 9


def test_own_undo_request_is_not_reported() -> None:
    made = opened()
    seat = seated(made)
    own = match_events([match_pb2.RECORD_KIND_UNDO_REQUESTED], 7, seat=seat.seat)
    (event,) = made.receive(PlayResponse(updates=[Update(channel=seat.channel, events=own, seq=7)]))
    assert isinstance(event, EventsReceived)


def test_detached_seat_is_removed() -> None:
    made = opened()
    seat = seated(made)
    made.detach(seat)
    assert list(sent(made).detach) == [seat.channel]
    assert made.seats == []
    assert made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=5)])) == []
    made.answer_undo(seat, 7, True)
    made.resend(seat)
    made.resign(seat)
    assert made.take_request() is None


def test_messages_about_unknown_channels_are_ignored() -> None:
    made = opened()
    stray = PlayResponse(
        attached=[Attached(channel=77)],
        results=[MoveResult(channel=77, seq=1)],
        updates=[Update(channel=77, seq=1)],
        turns=[Turn(channel=77, seq=1)],
        ended=[Ended(channel=77)],
    )
    assert made.receive(stray) == []
