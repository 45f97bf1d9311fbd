"""What a session on the play stream keeps of each seat, and what it tells its driver."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from omnilude.errors import OmniludeError
from omnilude.v1.match_pb2 import Match, MatchEvent
from omnilude.v1.play_service_pb2 import Move, Turn


@dataclass(slots=True, eq=False)
class SeatState:
    """One seat that is played on the stream."""

    channel: int
    match_name: str
    token: str
    seat: int = -1
    """-1 until the service has said it."""
    match: Match | None = None
    """As it was told last."""
    seen: int = 0
    """Sequence number up to which all that was asked for has arrived: with events, of the newest event."""
    turn: Turn | None = None
    """The decision that is owed and not answered yet."""
    sent: Move | None = None
    """The answer that is not acknowledged yet."""
    accepted: int = 0
    """The seq of the decision whose answer was acknowledged last."""
    resigning: bool = False
    attach_refusals: int = 0
    """How often in a row attaching it was refused for a passing reason."""
    undo_asked: int = 0
    """Sequence number of a request to undo, while nothing newer has been heard."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The stream is open; a message comes at least every so many seconds."""

    heartbeat: float
    engine_version: str


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat is attached for the first time."""

    seat: SeatState


@dataclass(frozen=True, slots=True)
class AttachRefused:
    """A seat could not be attached for a reason that passes: try again later (:meth:`Session.attach_again`)."""

    seat: SeatState
    error: OmniludeError


@dataclass(frozen=True, slots=True)
class Owed:
    """A decision is owed: answer it with :meth:`Session.answer`. It stands until ``seat.turn`` is another."""

    seat: SeatState
    turn: Turn


@dataclass(frozen=True, slots=True)
class Happened:
    """Events of the match, each told once."""

    seat: SeatState
    events: list[MatchEvent]
    view: AnyMessage | None


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """Another player asks to undo: answer with :meth:`Session.answer_undo`."""

    seat: SeatState
    event: MatchEvent


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer was refused, and the decision is still owed.

    ``again`` says that the very same answer can succeed later (:meth:`Session.repeat`).
    """

    seat: SeatState
    error: OmniludeError
    again: bool


@dataclass(frozen=True, slots=True)
class Over:
    """The match ended."""

    seat: SeatState
    match: Match


@dataclass(frozen=True, slots=True)
class Lost:
    """The seat cannot be played here: the service refused to attach it, for a reason that does not pass."""

    seat: SeatState
    error: OmniludeError


Happening = Opened | Seated | AttachRefused | Owed | Happened | UndoAsked | Refused | Over | Lost
