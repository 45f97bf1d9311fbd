"""The protocol of the play stream, without a network: what is said, and what is made of the answers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from omnilude import errors, happenings, session
from omnilude.session import Session
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


def opened(*, events: bool = False) -> Session:
    """A session whose first stream is open."""
    made = Session(Hello(player="me", player_key="k", events=events))
    made.open()
    request = made.outgoing()
    assert request is not None and request.hello.player == "me"
    welcome = PlayResponse(welcome=Welcome(engine_version="1", heartbeat_ms=1500))
    assert made.receive(welcome) == [happenings.Opened(1.5, "1")]
    return made


def seated(made: Session, *, channel_seq: int = 0) -> happenings.SeatState:
    """One seat, attached and answered."""
    seat = made.attach("matches/m", "secret", channel_seq)
    assert made.outgoing() is not None
    (happening,) = made.receive(PlayResponse(attached=[Attached(channel=seat.channel, match=MATCH, seat=1)]))
    assert happening == happenings.Seated(seat)
    return seat


def owed(made: Session, seat: happenings.SeatState, seq: int = 5) -> Turn:
    """The seat's turn has come."""
    (happening,) = made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=seq, codes=[7, 8])]))
    assert isinstance(happening, happenings.Owed)
    assert happening.seat is seat
    return happening.turn


def sent(made: Session) -> PlayRequest:
    request = made.outgoing()
    assert request is not None
    return request


def test_nothing_is_sent_where_there_is_nothing_to_say() -> None:
    assert opened().outgoing() is None


def test_a_seat_is_attached_and_plays() -> None:
    made = opened()
    seat = made.attach("matches/m", "secret", 3)
    (attach,) = sent(made).attach
    assert (attach.match, attach.token, attach.after_seq) == ("matches/m", "secret", 3)
    assert attach.channel == seat.channel < session.FIRST_CHANNEL_OF_SERVICE
    assert made.attach("matches/m", "secret") is seat, "a seat is attached once"
    assert made.outgoing() is None
    made.receive(PlayResponse(attached=[Attached(channel=seat.channel, match=MATCH, seat=1)]))
    assert (seat.seat, seat.match) == (1, MATCH)
    turn = owed(made, seat)
    assert made.answer(seat, turn, 8)
    (move,) = sent(made).moves
    assert (move.channel, move.seq, move.code) == (seat.channel, 5, 8)
    assert not made.answer(seat, turn, 7), "a decision is answered once"
    assert made.receive(PlayResponse(results=[MoveResult(channel=seat.channel, seq=5, action_seq=6)])) == []
    assert seat.sent is None


def test_everything_that_came_up_goes_in_one_message() -> None:
    made = opened()
    seats = [made.attach(f"matches/{number}", "t") for number in range(3)]
    assert len(sent(made).attach) == 3
    turns = [Turn(channel=seat.channel, seq=2, codes=[1]) for seat in seats]
    for happening in made.receive(PlayResponse(turns=turns)):
        assert isinstance(happening, happenings.Owed)
        made.answer(happening.seat, happening.turn, 1)
    assert len(sent(made).moves) == 3


def test_a_seat_that_cannot_be_attached_is_lost() -> None:
    made = opened()
    seat = made.attach("matches/m", "wrong")
    refusal = Attached(channel=seat.channel, error=errors_pb2.ERROR_REASON_TOKEN_INVALID, message="no")
    (happening,) = made.receive(PlayResponse(attached=[refusal]))
    assert isinstance(happening, happenings.Lost)
    assert isinstance(happening.error, errors.TokenInvalid)
    assert made.seats == []


PASSING = [
    errors_pb2.ERROR_REASON_LIMIT_REACHED,
    errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
    errors_pb2.ERROR_REASON_SHUTTING_DOWN,
]


@pytest.mark.parametrize("reason", PASSING)
def test_a_seat_refused_for_a_passing_reason_is_kept_and_attached_again(reason: errors_pb2.ErrorReason) -> None:
    made = opened()
    seat = seated(made)
    assert made.answer(seat, owed(made, seat), 8)
    made.open()
    sent(made)
    refused, before = Attached(channel=seat.channel, error=reason, message="later"), seat.channel
    for number in (1, 2):
        (happening,) = made.receive(PlayResponse(attached=[refused]))
        assert happening == happenings.AttachRefused(seat, happening.error)  # type: ignore[union-attr]
        assert made.seats == [seat] and seat.attach_refusals == number
        # The move went to a channel that never was open: that is no answer to it.
        no_channel = MoveResult(channel=refused.channel, seq=5, error=errors_pb2.ERROR_REASON_INVALID_FIELD)
        assert made.receive(PlayResponse(results=[no_channel])) == []
        assert made.outgoing() is None
        made.attach_again(seat)
        again = sent(made)
        assert [entry.channel for entry in again.attach] == [seat.channel] and seat.channel != before
        assert [(move.channel, move.seq, move.code) for move in again.moves] == [(seat.channel, 5, 8)]
        made.attach_again(seat)
        assert made.outgoing() is None, "it is under way already"
        refused, before = Attached(channel=seat.channel, error=reason, message="later"), seat.channel
    assert made.receive(PlayResponse(attached=[Attached(channel=seat.channel, match=MATCH, seat=1)])) == []
    assert seat.attach_refusals == 0
    accepted = MoveResult(channel=seat.channel, seq=5, action_seq=6)
    assert made.receive(PlayResponse(results=[accepted])) == [] and seat.sent is None


def test_an_answer_that_is_found_while_the_seat_is_not_attached_is_sent_with_it() -> None:
    made = opened()
    seat = seated(made)
    turn = owed(made, seat)
    made.open()
    sent(made)
    made.receive(PlayResponse(attached=[Attached(channel=seat.channel, error=PASSING[0])]))
    assert made.answer(seat, turn, 8)
    assert made.outgoing() is None
    made.attach_again(seat)
    assert [move.code for move in sent(made).moves] == [8]


@pytest.mark.parametrize("invited_first", [True, False])
def test_an_invitation_makes_up_for_an_attach_that_was_refused(invited_first: bool) -> None:
    made = opened()
    seat = seated(made)
    made.resign(seat)
    made.open()
    sent(made)
    channel = session.FIRST_CHANNEL_OF_SERVICE
    invited = PlayResponse(invitations=[Invitation(channel=channel, match=MATCH, seat=1, token="secret")])
    refused = PlayResponse(attached=[Attached(channel=seat.channel, error=PASSING[0])])
    told = [made.receive(response) for response in ((invited, refused) if invited_first else (refused, invited))]
    assert [len(happening) for happening in told] == ([0, 0] if invited_first else [1, 0])
    assert seat.channel == channel and list(sent(made).resign) == [channel]
    made.attach_again(seat)
    assert made.outgoing() is None


def test_an_invitation_seats_the_player_on_a_channel_of_the_service() -> None:
    made = opened()
    channel = session.FIRST_CHANNEL_OF_SERVICE + 4
    (happening,) = made.receive(
        PlayResponse(invitations=[Invitation(channel=channel, match=MATCH, seat=0, token="given")])
    )
    assert isinstance(happening, happenings.Seated)
    assert (happening.seat.channel, happening.seat.token, happening.seat.seat) == (channel, "given", 0)
    made.answer(happening.seat, owed(made, happening.seat), 7)
    assert sent(made).moves[0].channel == channel


def test_after_a_lost_connection_seats_are_attached_again_and_open_answers_sent_again() -> None:
    made = opened()
    (happening,) = made.receive(
        PlayResponse(invitations=[Invitation(channel=2**31, match=MATCH, seat=0, token="given")])
    )
    assert isinstance(happening, happenings.Seated)
    seat = happening.seat
    made.answer(seat, owed(made, seat, seq=9), 7)
    sent(made)
    made.open()
    again = sent(made)
    assert again.hello.player_key == "k"
    (attach,) = again.attach
    (move,) = again.moves
    assert (attach.match, attach.token, attach.after_seq) == ("matches/m", "given", 9)
    assert attach.channel < session.FIRST_CHANNEL_OF_SERVICE, "on a channel of the client's own"
    assert (move.channel, move.seq, move.code) == (attach.channel, 9, 7)
    # The service may show the decision once more before it has read the answer.
    assert made.receive(PlayResponse(turns=[Turn(channel=attach.channel, seq=9, codes=[7])])) == []
    assert made.receive(PlayResponse(results=[MoveResult(channel=attach.channel, seq=9, action_seq=10)])) == []
    assert seat.sent is None
    assert made.receive(PlayResponse(turns=[Turn(channel=attach.channel, seq=9, codes=[7])])) == [], "nor afterwards"


def test_a_decision_that_is_thought_about_is_not_asked_twice() -> None:
    made = opened()
    seat = seated(made)
    turn = owed(made, seat)
    made.open()
    sent(made)
    assert made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=5, codes=[7, 8])])) == []
    assert made.answer(seat, turn, 7), "what was being thought about is still the answer"
    assert sent(made).moves[0].channel == seat.channel


def test_an_answer_made_while_there_is_no_connection_is_sent_once() -> None:
    made = opened()
    seat = seated(made)
    turn = owed(made, seat)
    made.answer(seat, turn, 7)
    made.open()
    assert len(sent(made).moves) == 1


def test_an_invitation_that_is_repeated_is_the_same_seat() -> None:
    made = opened()
    made.receive(PlayResponse(invitations=[Invitation(channel=2**31, match=MATCH, seat=0, token="given")]))
    made.open()
    own = sent(made).attach[0].channel
    again = Invitation(channel=2**31 + 1, match=MATCH, seat=0, token="given")
    assert made.receive(PlayResponse(invitations=[again])) == []
    (seat,) = made.seats
    turn = Turn(channel=2**31 + 1, seq=4, codes=[1])
    told = made.receive(PlayResponse(turns=[turn, Turn(channel=own, seq=4, codes=[1])]))
    assert [type(happening) for happening in told] == [happenings.Owed], "both channels tell of one decision"
    ended = [Ended(channel=channel, match=MATCH) for channel in (own, 2**31 + 1)]
    assert made.receive(PlayResponse(ended=ended)) == [happenings.Over(seat, MATCH)]


def test_a_new_decision_replaces_the_old_one() -> None:
    """After an undo, say: the answer to the old one is not sent any more, or refused as stale."""
    made = opened()
    seat = seated(made)
    old = owed(made, seat, seq=5)
    new = owed(made, seat, seq=8)
    assert not made.answer(seat, old, 7)
    assert made.answer(seat, new, 7)


@pytest.mark.parametrize(
    "reason",
    [
        errors_pb2.ERROR_REASON_STALE_SEQUENCE,
        errors_pb2.ERROR_REASON_NOT_YOUR_TURN,
        errors_pb2.ERROR_REASON_MATCH_ENDED,
        errors_pb2.ERROR_REASON_PACK_FAULT,
    ],
)
def test_an_answer_whose_decision_is_gone_is_forgotten(reason: errors_pb2.ErrorReason) -> None:
    made = opened()
    seat = seated(made)
    made.answer(seat, owed(made, seat), 7)
    sent(made)
    assert made.receive(PlayResponse(results=[MoveResult(channel=seat.channel, seq=5, error=reason)])) == []
    assert seat.sent is None
    owed(made, seat, seq=6)


@pytest.mark.parametrize(
    "reason",
    [
        errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
        errors_pb2.ERROR_REASON_LIMIT_REACHED,
        errors_pb2.ERROR_REASON_SHUTTING_DOWN,
    ],
)
def test_an_answer_that_could_not_be_taken_now_can_be_repeated(reason: errors_pb2.ErrorReason) -> None:
    made = opened()
    seat = seated(made)
    made.answer(seat, owed(made, seat), 7)
    first = sent(made).moves[0]
    (happening,) = made.receive(PlayResponse(results=[MoveResult(channel=seat.channel, seq=5, error=reason)]))
    assert isinstance(happening, happenings.Refused)
    assert happening.again
    made.repeat(seat)
    assert sent(made).moves[0] == first


def test_an_illegal_answer_is_the_bots_fault() -> None:
    made = opened()
    seat = seated(made)
    made.answer(seat, owed(made, seat), 99)
    sent(made)
    refusal = MoveResult(
        channel=seat.channel,
        seq=5,
        error=errors_pb2.ERROR_REASON_ILLEGAL_ACTION,
        message="not yours",
        pack_reason="NOT_YOUR_DIE",
    )
    (happening,) = made.receive(PlayResponse(results=[refusal]))
    assert isinstance(happening, happenings.Refused)
    assert not happening.again
    assert isinstance(happening.error, errors.IllegalAction)
    assert happening.error.pack_reason == "NOT_YOUR_DIE"


def test_a_resignation_survives_a_lost_connection_and_a_busy_store() -> None:
    made = opened()
    seat = seated(made)
    owed(made, seat)
    made.resign(seat)
    assert list(sent(made).resign) == [seat.channel]
    assert made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=6, codes=[1])])) == [], "it plays no more"
    busy = MoveResult(channel=seat.channel, error=errors_pb2.ERROR_REASON_STORE_UNAVAILABLE)
    (happening,) = made.receive(PlayResponse(results=[busy]))
    assert isinstance(happening, happenings.Refused)
    assert happening.again
    made.repeat(seat)
    assert list(sent(made).resign) == [seat.channel]
    made.open()
    assert list(sent(made).resign) == [seat.channel]


def events(kinds: Sequence[match_pb2.RecordKind], start: int, seat: int = 0) -> list[MatchEvent]:
    return [MatchEvent(seq=start + number, kind=kind, seat=seat) for number, kind in enumerate(kinds)]


def test_events_are_told_once() -> None:
    made = opened(events=True)
    seat = seated(made)
    action = match_pb2.RECORD_KIND_ACTION
    update = Update(channel=seat.channel, events=events([action] * 3, 4), seq=6)
    (happening,) = made.receive(PlayResponse(updates=[update]))
    assert isinstance(happening, happenings.Happened)
    assert [event.seq for event in happening.events] == [4, 5, 6]
    overlap = Update(channel=seat.channel, events=events([action] * 3, 5), seq=7)
    (happening,) = made.receive(PlayResponse(updates=[overlap]))
    assert isinstance(happening, happenings.Happened)
    assert [event.seq for event in happening.events] == [7]


def test_with_events_a_decision_does_not_pass_over_events_that_are_still_to_come() -> None:
    made = opened(events=True)
    seat = seated(made)
    owed(made, seat, seq=9)
    made.open()
    assert sent(made).attach[0].after_seq == 0


def test_a_request_to_undo_is_asked_until_its_answer_has_surely_arrived() -> None:
    made = opened()
    seat = seated(made)
    asked = events([match_pb2.RECORD_KIND_UNDO_REQUESTED], 7)
    told = made.receive(PlayResponse(updates=[Update(channel=seat.channel, events=asked, seq=7)]))
    assert told[0] == happenings.UndoAsked(seat, asked[0])
    made.answer_undo(seat, 7, False, "no")
    (answer,) = sent(made).undo_answers
    assert (answer.channel, answer.request_seq, answer.accept, answer.reason) == (seat.channel, 7, False, "no")
    made.open()
    assert sent(made).attach[0].after_seq == 6, "the request is to be told once more"
    told = made.receive(PlayResponse(updates=[Update(channel=seat.channel, events=asked, seq=7)]))
    assert told[0] == happenings.UndoAsked(seat, asked[0])
    # Anything newer settles it.
    owed(made, seat, seq=9)
    made.open()
    assert sent(made).attach[0].after_seq == 9


def test_an_own_request_to_undo_is_not_asked_back() -> None:
    made = opened()
    seat = seated(made)
    own = events([match_pb2.RECORD_KIND_UNDO_REQUESTED], 7, seat=seat.seat)
    (happening,) = made.receive(PlayResponse(updates=[Update(channel=seat.channel, events=own, seq=7)]))
    assert isinstance(happening, happenings.Happened)


def test_a_seat_that_is_detached_is_followed_no_longer() -> None:
    made = opened()
    seat = seated(made)
    made.detach(seat)
    assert list(sent(made).detach) == [seat.channel]
    assert made.seats == []
    assert made.receive(PlayResponse(turns=[Turn(channel=seat.channel, seq=5)])) == []
    made.answer_undo(seat, 7, True)
    made.repeat(seat)
    made.resign(seat)
    assert made.outgoing() is None


def test_what_is_said_about_unknown_channels_is_passed_over() -> None:
    made = opened()
    stray = PlayResponse(
        attached=[Attached(channel=77)],
        results=[MoveResult(channel=77, seq=1)],
        updates=[Update(channel=77, seq=1)],
        turns=[Turn(channel=77, seq=1)],
        ended=[Ended(channel=77)],
    )
    assert made.receive(stray) == []
