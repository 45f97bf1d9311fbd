"""The events that a play session reports to its driver, and the state of a seat that is played on the stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.any_pb2 import Any as AnyMessage

from omnilude.errors import OmniludeError
from omnilude.v1.match_pb2 import Match, MatchEvent
from omnilude.v1.play_service_pb2 import Move, Turn

if TYPE_CHECKING:
    from omnilude.play_session import PlaySession


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
