"""The protocol of the play stream, without any input or output: :class:`PlaySession`.

A driver (:mod:`omnilude.player`) opens streams, sends the requests of :meth:`PlaySession.take_request`, passes
responses to :meth:`PlaySession.receive` and handles the events that it returns. The session holds everything that must
survive a lost connection: the seats and their tokens, the decision of each, and moves that are not acknowledged yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from omnilude.errors import OmniludeError, from_reason
from omnilude.v1 import match_pb2, play_service_pb2
from omnilude.v1.errors_pb2 import (
    ERROR_REASON_LIMIT_REACHED,
    ERROR_REASON_MATCH_ELSEWHERE,
    ERROR_REASON_MATCH_ENDED,
    ERROR_REASON_NOT_YOUR_TURN,
    ERROR_REASON_PACK_FAULT,
    ERROR_REASON_SHUTTING_DOWN,
    ERROR_REASON_STALE_SEQUENCE,
    ERROR_REASON_STORE_UNAVAILABLE,
    ERROR_REASON_UNSPECIFIED,
)
from omnilude.v1.match_pb2 import Match, MatchEvent
from omnilude.v1.play_service_pb2 import Attach, Hello, Move, PlayRequest, PlayResponse, Turn, UndoAnswer

FIRST_CHANNEL_OF_SERVICE = 2**31
MAX_REDIRECTS = 3
"""Number of times in a row that a seat follows a redirect before it is lost."""

_OBSOLETE = (
    ERROR_REASON_STALE_SEQUENCE,
    ERROR_REASON_NOT_YOUR_TURN,
    ERROR_REASON_MATCH_ENDED,
    ERROR_REASON_PACK_FAULT,
)
"""Reasons that mean that the decision no longer exists; the service sends the next one without a request."""
_TEMPORARY = (ERROR_REASON_STORE_UNAVAILABLE, ERROR_REASON_LIMIT_REACHED, ERROR_REASON_SHUTTING_DOWN)
"""Reasons after which the same entry can succeed later."""

Action = int | AnyMessage
"""An action: its code, or the pack's action message."""


@dataclass(slots=True, eq=False)
class SeatState:
    """One seat that is played on the stream."""

    session: PlaySession
    """The session of the stream."""
    channel: int
    match_name: str
    token: str
    seat: int = -1
    """Index of the seat; -1 until the service has sent it."""
    match: Match | None = None
    """The newest version of the match that was received."""
    last_seq: int = 0
    """Sequence number up to which everything that was requested has arrived; with events, that of the newest event."""
    turn: Turn | None = None
    """The decision that the seat must make and has not answered yet."""
    pending_move: Move | None = None
    """The move that was sent and is not acknowledged yet."""
    acknowledged_seq: int = 0
    """The seq of the decision whose move was acknowledged last."""
    resigning: bool = False
    attach_refusals: int = 0
    """Number of times in a row that attaching the seat was refused for a temporary reason."""
    redirects: int = 0
    """Number of times in a row that the seat was redirected to another service."""
    undo_request_seq: int = 0
    """Sequence number of another seat's undo request, until anything newer arrives."""


@dataclass(frozen=True, slots=True)
class StreamOpened:
    """The stream is open. ``heartbeat`` is the longest time in seconds between two messages of the service."""

    heartbeat: float
    engine_version: str


@dataclass(frozen=True, slots=True)
class SeatAttached:
    """A seat is attached for the first time."""

    seat: SeatState


@dataclass(frozen=True, slots=True)
class AttachRefused:
    """Attaching a seat was refused for a temporary reason: retry later with :meth:`PlaySession.reattach`."""

    seat: SeatState
    error: OmniludeError


@dataclass(frozen=True, slots=True)
class SeatRedirected:
    """Only the service at ``address`` has the match: pass the seat to :meth:`PlaySession.adopt` of a session there."""

    seat: SeatState
    address: str


@dataclass(frozen=True, slots=True)
class Referred:
    """The service at ``address`` has an invitation for the player: open an additional stream there."""

    address: str


@dataclass(frozen=True, slots=True)
class TurnReceived:
    """A seat must decide: answer with :meth:`PlaySession.queue_move`. Valid until ``seat.turn`` is another turn."""

    seat: SeatState
    turn: Turn


@dataclass(frozen=True, slots=True)
class EventsReceived:
    """New events of the match; each event is reported once."""

    seat: SeatState
    events: list[MatchEvent]
    view: AnyMessage | None


@dataclass(frozen=True, slots=True)
class UndoRequested:
    """Another player requests an undo: answer with :meth:`PlaySession.answer_undo`."""

    seat: SeatState
    event: MatchEvent


@dataclass(frozen=True, slots=True)
class MoveRefused:
    """A move was refused, and the seat must still decide.

    ``retry`` is true if the same move can succeed later (:meth:`PlaySession.resend`).
    """

    seat: SeatState
    error: OmniludeError
    retry: bool


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match ended."""

    seat: SeatState
    match: Match


@dataclass(frozen=True, slots=True)
class SeatLost:
    """The service refused to attach the seat for a permanent reason: it cannot be played here."""

    seat: SeatState
    error: OmniludeError


SessionEvent = (
    StreamOpened
    | Referred
    | SeatAttached
    | SeatRedirected
    | AttachRefused
    | TurnReceived
    | EventsReceived
    | UndoRequested
    | MoveRefused
    | MatchOver
    | SeatLost
)
"""The events that a play session reports to its driver."""


@dataclass(slots=True)
class PlaySession:
    """A play stream of one player, over any number of connections."""

    hello: Hello
    _seats: dict[tuple[str, str], SeatState] = field(default_factory=dict)
    """The player's seats by match and token, also those of its other sessions."""
    _request: PlayRequest = field(default_factory=PlayRequest)
    _channels: dict[int, SeatState] = field(default_factory=dict)
    """Channels of the current stream. A seat can have two, if an invitation was repeated after a lost connection."""
    _next_channel: int = 1

    @property
    def seats(self) -> list[SeatState]:
        """All seats that are being played on this stream."""
        return [seat for seat in self._seats.values() if seat.session is self]

    def additional(self) -> PlaySession:
        """Returns a session for a stream of the same player at another service; the seats are shared."""
        hello = Hello()
        hello.CopyFrom(self.hello)
        hello.additional = True
        return PlaySession(hello, self._seats)

    # -- requests --------------------------------------------------------------------------------------------------

    def open_stream(self) -> None:
        """Begin a new stream: send hello, attach every seat again, resend what was not acknowledged."""
        self._request = PlayRequest(hello=self.hello)
        self._channels = {}
        for seat in self.seats:
            self._attach(seat)
            self._resend_pending(seat)

    def attach(self, match_name: str, token: str, after_seq: int = 0) -> SeatState:
        """Play a seat that was taken by other means (JoinMatch)."""
        seat = self._seats.get((match_name, token))
        if seat is None:
            seat = self._seats[match_name, token] = SeatState(self, 0, match_name, token, last_seq=after_seq)
            self._attach(seat)
        return seat

    def adopt(self, seat: SeatState) -> None:
        """Play a seat here that was played on another stream of the player, and resend what is not acknowledged."""
        seat.session._close_channels(seat)
        seat.session = self
        self._attach(seat)
        self._resend_pending(seat)

    def queue_move(self, seat: SeatState, turn: Turn, action: Action) -> bool:
        """Answer a decision; returns False, and sends nothing, if the decision is no longer pending."""
        if seat.turn is not turn:
            return False
        move = Move(channel=seat.channel, seq=turn.seq)
        if isinstance(action, int):
            move.code = action
        else:
            move.typed_action.CopyFrom(action)
        seat.turn, seat.pending_move = None, move
        if self._is_open(seat):
            self._request.moves.append(move)
        return True

    def reattach(self, seat: SeatState) -> None:
        """Retry to attach a seat that was refused for a temporary reason. Does nothing if it is attached by now."""
        known = self._seats.get((seat.match_name, seat.token)) is seat and seat.session is self
        if known and not self._is_open(seat):
            self._attach(seat)
            self._resend_pending(seat)

    def resend(self, seat: SeatState) -> None:
        """Resend a move or resignation that was refused for a temporary reason, if the seat is attached."""
        if not self._is_open(seat):
            return
        if seat.pending_move is not None:
            self._request.moves.append(seat.pending_move)
        elif seat.resigning:
            self._request.resign.append(seat.channel)

    def resign(self, seat: SeatState) -> None:
        """Resign the match for a seat."""
        seat.turn = seat.pending_move = None
        seat.resigning = True
        if self._is_open(seat):
            self._request.resign.append(seat.channel)

    def detach(self, seat: SeatState) -> None:
        """Stop playing a seat here; it stays taken."""
        self._request.detach.extend(self._channels_of(seat))
        self._forget(seat)

    def answer_undo(self, seat: SeatState, request_seq: int, accept: bool, reason: str = "") -> None:
        """Accept or decline the undo request of event ``request_seq``."""
        if self._is_open(seat):
            answer = UndoAnswer(channel=seat.channel, request_seq=request_seq, accept=accept, reason=reason)
            self._request.undo_answers.append(answer)

    def take_request(self) -> PlayRequest | None:
        """Returns everything to send since the last call in one message; None if there is nothing."""
        request = self._request
        if not request.ByteSize():
            return None
        self._request = PlayRequest()
        return request

    # -- responses -------------------------------------------------------------------------------------------------

    def receive(self, response: PlayResponse) -> list[SessionEvent]:
        """Process a message of the service; returns the events for the driver."""
        events: list[SessionEvent] = []
        if response.HasField("welcome"):
            events.append(StreamOpened(response.welcome.heartbeat_ms / 1000, response.welcome.engine_version))
        for invitation in response.invitations:
            events += self._invited(invitation)
        for attached in response.attached:
            events += self._attached(attached)
        for result in response.results:
            events += self._result(result)
        for update in response.updates:
            events += self._update(update)
        for turn in response.turns:
            events += self._turn(turn)
        for ended in response.ended:
            events += self._ended(ended)
        events += [Referred(referral.address) for referral in response.referrals]
        return events

    def _invited(self, invitation: play_service_pb2.Invitation) -> Iterator[SessionEvent]:
        key = (invitation.match.name, invitation.token)
        seat = self._seats.get(key)
        if seat is not None:
            if seat.session is not self:
                seat.session._close_channels(seat)
                seat.session = self
            # Known from before the connection was lost, and attached again already: the seat has two channels.
            self._channels[invitation.channel] = seat
            if not self._is_open(seat):
                self._switch_channel(seat, invitation.channel)
            return
        seat = self._seats[key] = SeatState(self, invitation.channel, *key, invitation.seat, match=invitation.match)
        self._channels[invitation.channel] = seat
        yield SeatAttached(seat)

    def _attached(self, attached: play_service_pb2.Attached) -> Iterator[SessionEvent]:
        seat = self._channels.get(attached.channel)
        if seat is None:
            return
        if attached.error in _TEMPORARY:
            # Everything else that was sent on the channel is refused too; it is resent with the seat.
            del self._channels[attached.channel]
            others = self._channels_of(seat)
            if others:
                self._switch_channel(seat, others[0])
            else:
                seat.attach_refusals += 1
                yield AttachRefused(seat, from_reason(attached.error, attached.message))
            return
        if attached.error == ERROR_REASON_MATCH_ELSEWHERE and attached.address and seat.redirects < MAX_REDIRECTS:
            seat.redirects += 1
            yield SeatRedirected(seat, attached.address)
            return
        if attached.error != ERROR_REASON_UNSPECIFIED:
            self._forget(seat)
            yield SeatLost(seat, from_reason(attached.error, attached.message))
            return
        seat.attach_refusals = seat.redirects = 0
        first = seat.match is None
        seat.match, seat.seat = attached.match, attached.seat
        if first:
            yield SeatAttached(seat)

    def _result(self, result: play_service_pb2.MoveResult) -> Iterator[SessionEvent]:
        seat = self._channels.get(result.channel)
        if seat is None:
            return
        if seat.pending_move is None or seat.pending_move.seq != result.seq:
            # The result of a move that another one has replaced, or of a resignation.
            if seat.resigning and result.error in _TEMPORARY:
                yield MoveRefused(seat, from_reason(result.error, result.message), retry=True)
        elif result.error == ERROR_REASON_UNSPECIFIED:
            seat.pending_move, seat.acknowledged_seq = None, result.seq
            self._advance(seat, result.action_seq)
        elif result.error in _TEMPORARY:
            yield MoveRefused(seat, from_reason(result.error, result.message), retry=True)
        else:
            seat.pending_move = None
            if result.error not in _OBSOLETE:
                metadata = {"pack_reason": result.pack_reason} if result.pack_reason else {}
                yield MoveRefused(seat, from_reason(result.error, result.message, metadata), retry=False)

    def _update(self, update: play_service_pb2.Update) -> Iterator[SessionEvent]:
        seat = self._channels.get(update.channel)
        if seat is None:
            return
        events = [event for event in update.events if event.seq > seat.last_seq]
        seat.last_seq = max(seat.last_seq, update.seq)
        for event in events:
            seat.undo_request_seq = 0
            if event.kind == match_pb2.RECORD_KIND_UNDO_REQUESTED and event.seat != seat.seat:
                seat.undo_request_seq = event.seq
                yield UndoRequested(seat, event)
        if events:
            yield EventsReceived(seat, events, update.view if update.HasField("view") else None)

    def _turn(self, turn: Turn) -> Iterator[SessionEvent]:
        seat = self._channels.get(turn.channel)
        if seat is None or seat.resigning:
            return
        known = (seat.acknowledged_seq, seat.turn and seat.turn.seq, seat.pending_move and seat.pending_move.seq)
        if turn.seq in known:
            # Sent again, for example after a lost connection: the bot is choosing, or has answered already.
            return
        seat.turn, seat.pending_move, seat.undo_request_seq = turn, None, 0
        self._advance(seat, turn.seq)
        yield TurnReceived(seat, turn)

    def _ended(self, ended: play_service_pb2.Ended) -> Iterator[SessionEvent]:
        seat = self._channels.get(ended.channel)
        if seat is None:
            return
        seat.match = ended.match
        if self._forget(seat):
            yield MatchOver(seat, ended.match)

    # -- seats and channels ----------------------------------------------------------------------------------------

    def _attach(self, seat: SeatState) -> None:
        seat.channel = self._next_channel
        self._next_channel = self._next_channel % (FIRST_CHANNEL_OF_SERVICE - 1) + 1
        self._channels[seat.channel] = seat
        if seat.undo_request_seq:
            # Whether the answer arrived is unknown, so the request is received, and answered, again.
            seat.last_seq = min(seat.last_seq, seat.undo_request_seq - 1)
        self._request.attach.append(
            Attach(channel=seat.channel, match=seat.match_name, token=seat.token, after_seq=seat.last_seq)
        )

    def _resend_pending(self, seat: SeatState) -> None:
        """Resend what the service has not acknowledged, on the seat's current channel."""
        if seat.pending_move is not None:
            seat.pending_move.channel = seat.channel
            self._request.moves.append(seat.pending_move)
        if seat.resigning:
            self._request.resign.append(seat.channel)

    def _switch_channel(self, seat: SeatState, channel: int) -> None:
        """Continue on another channel of the seat than the one that could not be attached."""
        seat.channel, seat.attach_refusals = channel, 0
        self._resend_pending(seat)

    def _advance(self, seat: SeatState, seq: int) -> None:
        # If events are requested, only they count: a decision can arrive before the last event that led to it.
        if not self.hello.events:
            seat.last_seq = max(seat.last_seq, seq)

    def _channels_of(self, seat: SeatState) -> list[int]:
        return [number for number, other in self._channels.items() if other is seat]

    def _is_open(self, seat: SeatState) -> bool:
        return self._channels.get(seat.channel) is seat

    def _close_channels(self, seat: SeatState) -> None:
        for channel in self._channels_of(seat):
            del self._channels[channel]

    def _forget(self, seat: SeatState) -> bool:
        """Remove a seat; returns False if it was removed before."""
        seat.turn = seat.pending_move = None
        self._close_channels(seat)
        return self._seats.pop((seat.match_name, seat.token), None) is not None
