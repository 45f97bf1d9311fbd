"""The protocol of the play stream, without any input or output: :class:`Session`.

A driver (:mod:`omnilude.player`) opens streams, sends what :meth:`Session.outgoing` gives, hands in what arrives, and
does what the returned happenings ask for. All that must survive a lost connection stands here: the seats and their
tokens, the decision each owes, and the answer that was sent but not yet acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from omnilude.errors import from_reason
from omnilude.happenings import (
    AttachRefused,
    Happened,
    Happening,
    Lost,
    Opened,
    Over,
    Owed,
    Refused,
    Seated,
    SeatState,
    UndoAsked,
)
from omnilude.v1 import match_pb2, play_service_pb2
from omnilude.v1.errors_pb2 import (
    ERROR_REASON_LIMIT_REACHED,
    ERROR_REASON_MATCH_ENDED,
    ERROR_REASON_NOT_YOUR_TURN,
    ERROR_REASON_PACK_FAULT,
    ERROR_REASON_SHUTTING_DOWN,
    ERROR_REASON_STALE_SEQUENCE,
    ERROR_REASON_STORE_UNAVAILABLE,
    ERROR_REASON_UNSPECIFIED,
)
from omnilude.v1.play_service_pb2 import Attach, Hello, Move, PlayRequest, PlayResponse, Turn, UndoAnswer

FIRST_CHANNEL_OF_SERVICE = 2**31

_MOOT = (
    ERROR_REASON_STALE_SEQUENCE,
    ERROR_REASON_NOT_YOUR_TURN,
    ERROR_REASON_MATCH_ENDED,
    ERROR_REASON_PACK_FAULT,
)
"""The decision is gone: what there is to do instead arrives by itself."""
_PASSING = (ERROR_REASON_STORE_UNAVAILABLE, ERROR_REASON_LIMIT_REACHED, ERROR_REASON_SHUTTING_DOWN)
"""The same entry can succeed later."""

Answer = int | AnyMessage
"""An action: its code, or the pack's action message."""


@dataclass(slots=True)
class Session:
    """One player, over any number of connections."""

    hello: Hello
    _request: PlayRequest = field(default_factory=PlayRequest)
    _seats: dict[tuple[str, str], SeatState] = field(default_factory=dict)
    """By match and token."""
    _channels: dict[int, SeatState] = field(default_factory=dict)
    """Of the present stream. A seat can have two, when an invitation was repeated after a lost connection."""
    _next_channel: int = 1

    @property
    def seats(self) -> list[SeatState]:
        """All that are being played."""
        return list(self._seats.values())

    # -- what goes out ---------------------------------------------------------------------------------------------

    def open(self) -> None:
        """A new stream begins: say hello, attach every seat where it stood, send again what was not acknowledged."""
        self._request = PlayRequest(hello=self.hello)
        self._channels = {}
        for seat in self._seats.values():
            self._attach(seat)
            self._send_again(seat)

    def attach(self, match_name: str, token: str, after_seq: int = 0) -> SeatState:
        """Play a seat that was taken by other means."""
        seat = self._seats.get((match_name, token))
        if seat is None:
            seat = self._seats[match_name, token] = SeatState(0, match_name, token, seen=after_seq)
            self._attach(seat)
        return seat

    def answer(self, seat: SeatState, turn: Turn, answer: Answer) -> bool:
        """Answer a decision; False if it is not owed any more, and then nothing is sent."""
        if seat.turn is not turn:
            return False
        move = Move(channel=seat.channel, seq=turn.seq)
        if isinstance(answer, int):
            move.code = answer
        else:
            move.typed_action.CopyFrom(answer)
        seat.turn, seat.sent = None, move
        if self._is_open(seat):
            self._request.moves.append(move)
        return True

    def attach_again(self, seat: SeatState) -> None:
        """Attach a seat once more that was refused for a passing reason. Harmless where it is attached by now."""
        if self._seats.get((seat.match_name, seat.token)) is seat and not self._is_open(seat):
            self._attach(seat)
            self._send_again(seat)

    def repeat(self, seat: SeatState) -> None:
        """Send once more what was refused for a passing reason. Harmless where it was sent again already."""
        if not self._is_open(seat):
            return
        if seat.sent is not None:
            self._request.moves.append(seat.sent)
        elif seat.resigning:
            self._request.resign.append(seat.channel)

    def resign(self, seat: SeatState) -> None:
        """Give the match up for a seat."""
        seat.turn = seat.sent = None
        seat.resigning = True
        if self._is_open(seat):
            self._request.resign.append(seat.channel)

    def detach(self, seat: SeatState) -> None:
        """Follow a seat no longer; it stays taken."""
        self._request.detach.extend(self._channels_of(seat))
        self._forget(seat)

    def answer_undo(self, seat: SeatState, request_seq: int, accept: bool, reason: str = "") -> None:
        """Agree to the request to undo whose event has that seq, or refuse it."""
        if self._is_open(seat):
            answer = UndoAnswer(channel=seat.channel, request_seq=request_seq, accept=accept, reason=reason)
            self._request.undo_answers.append(answer)

    def outgoing(self) -> PlayRequest | None:
        """All that has come up since the last call, in one message; None if nothing has."""
        request = self._request
        if not request.ByteSize():
            return None
        self._request = PlayRequest()
        return request

    # -- what comes in ---------------------------------------------------------------------------------------------

    def receive(self, response: PlayResponse) -> list[Happening]:
        """Take a message of the service in; says what there is to do."""
        found: list[Happening] = []
        if response.HasField("welcome"):
            found.append(Opened(response.welcome.heartbeat_ms / 1000, response.welcome.engine_version))
        for invitation in response.invitations:
            found += self._invited(invitation)
        for attached in response.attached:
            found += self._attached(attached)
        for result in response.results:
            found += self._result(result)
        for update in response.updates:
            found += self._update(update)
        for turn in response.turns:
            found += self._turn(turn)
        for ended in response.ended:
            found += self._ended(ended)
        return found

    def _invited(self, invitation: play_service_pb2.Invitation) -> Iterator[Happening]:
        key = (invitation.match.name, invitation.token)
        seat = self._seats.get(key)
        if seat is not None:
            # Known from before the connection was lost, and attached again already: two channels for one seat.
            self._channels[invitation.channel] = seat
            if not self._is_open(seat):
                self._go_on_at(seat, invitation.channel)
            return
        seat = self._seats[key] = SeatState(invitation.channel, *key, invitation.seat, match=invitation.match)
        self._channels[invitation.channel] = seat
        yield Seated(seat)

    def _attached(self, attached: play_service_pb2.Attached) -> Iterator[Happening]:
        seat = self._channels.get(attached.channel)
        if seat is None:
            return
        if attached.error in _PASSING:
            # What else was sent on the channel is refused too; it is sent again with the seat.
            del self._channels[attached.channel]
            others = self._channels_of(seat)
            if others:
                self._go_on_at(seat, others[0])
            else:
                seat.attach_refusals += 1
                yield AttachRefused(seat, from_reason(attached.error, attached.message))
            return
        if attached.error != ERROR_REASON_UNSPECIFIED:
            self._forget(seat)
            yield Lost(seat, from_reason(attached.error, attached.message))
            return
        seat.attach_refusals = 0
        first = seat.match is None
        seat.match, seat.seat = attached.match, attached.seat
        if first:
            yield Seated(seat)

    def _result(self, result: play_service_pb2.MoveResult) -> Iterator[Happening]:
        seat = self._channels.get(result.channel)
        if seat is None:
            return
        if seat.sent is None or seat.sent.seq != result.seq:
            # To a move that another answer has replaced, or to a resignation.
            if seat.resigning and result.error in _PASSING:
                yield Refused(seat, from_reason(result.error, result.message), again=True)
        elif result.error == ERROR_REASON_UNSPECIFIED:
            seat.sent, seat.accepted = None, result.seq
            self._saw(seat, result.action_seq)
        elif result.error in _PASSING:
            yield Refused(seat, from_reason(result.error, result.message), again=True)
        else:
            seat.sent = None
            if result.error not in _MOOT:
                metadata = {"pack_reason": result.pack_reason} if result.pack_reason else {}
                yield Refused(seat, from_reason(result.error, result.message, metadata), again=False)

    def _update(self, update: play_service_pb2.Update) -> Iterator[Happening]:
        seat = self._channels.get(update.channel)
        if seat is None:
            return
        events = [event for event in update.events if event.seq > seat.seen]
        seat.seen = max(seat.seen, update.seq)
        for event in events:
            seat.undo_asked = 0
            if event.kind == match_pb2.RECORD_KIND_UNDO_REQUESTED and event.seat != seat.seat:
                seat.undo_asked = event.seq
                yield UndoAsked(seat, event)
        if events:
            yield Happened(seat, events, update.view if update.HasField("view") else None)

    def _turn(self, turn: Turn) -> Iterator[Happening]:
        seat = self._channels.get(turn.channel)
        if seat is None or seat.resigning:
            return
        known = (seat.accepted, seat.turn and seat.turn.seq, seat.sent and seat.sent.seq)
        if turn.seq in known:
            # Told once more, after a lost connection say: it is thought about or answered already.
            return
        seat.turn, seat.sent, seat.undo_asked = turn, None, 0
        self._saw(seat, turn.seq)
        yield Owed(seat, turn)

    def _ended(self, ended: play_service_pb2.Ended) -> Iterator[Happening]:
        seat = self._channels.get(ended.channel)
        if seat is None:
            return
        seat.match = ended.match
        if self._forget(seat):
            yield Over(seat, ended.match)

    # -- seats and channels ----------------------------------------------------------------------------------------

    def _attach(self, seat: SeatState) -> None:
        seat.channel = self._next_channel
        self._next_channel = self._next_channel % (FIRST_CHANNEL_OF_SERVICE - 1) + 1
        self._channels[seat.channel] = seat
        if seat.undo_asked:
            # Whether the answer arrived is unknown, so the request is heard, and answered, once more.
            seat.seen = min(seat.seen, seat.undo_asked - 1)
        self._request.attach.append(
            Attach(channel=seat.channel, match=seat.match_name, token=seat.token, after_seq=seat.seen)
        )

    def _send_again(self, seat: SeatState) -> None:
        """What the service has not acknowledged, on the seat's present channel."""
        if seat.sent is not None:
            seat.sent.channel = seat.channel
            self._request.moves.append(seat.sent)
        if seat.resigning:
            self._request.resign.append(seat.channel)

    def _go_on_at(self, seat: SeatState, channel: int) -> None:
        """The seat is open at another channel than that at which it could not be attached."""
        seat.channel, seat.attach_refusals = channel, 0
        self._send_again(seat)

    def _saw(self, seat: SeatState, seq: int) -> None:
        # With events only they count: a decision can arrive before the last of the events that led to it.
        if not self.hello.events:
            seat.seen = max(seat.seen, seq)

    def _channels_of(self, seat: SeatState) -> list[int]:
        return [number for number, other in self._channels.items() if other is seat]

    def _is_open(self, seat: SeatState) -> bool:
        return self._channels.get(seat.channel) is seat

    def _forget(self, seat: SeatState) -> bool:
        """Strike a seat off; False if that was done before."""
        seat.turn = seat.sent = None
        for channel in self._channels_of(seat):
            del self._channels[channel]
        return self._seats.pop((seat.match_name, seat.token), None) is not None
