"""The snapshot of a match: its state, seats, clocks and result after one record of its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cext.state import State
from engine_service.match_enums import MatchState, RecordKind, SeatKind
from engine_service.matches import clocks
from engine_service.matches.clocks import Clocks, ReturnedDecision
from engine_service.model import Result, SeatSetup
from engine_service.store.base import SeatRow
from gamepacks.api.types import OMNISCIENT, SPECTATOR, TERMINAL

ACTION = RecordKind.ACTION
CHANCE_BY_SEED = RecordKind.CHANCE
CHANCE_BY_HOST = RecordKind.OUTCOME_PROVIDED
ACTIVE = MatchState.ACTIVE


@dataclass(frozen=True, slots=True)
class PendingUndo:
    """Pending request to go back to the state after ``to_seq``, made by ``seat`` with record ``seq``."""

    seat: int
    to_seq: int
    reason: str
    seq: int
    waiting_for: tuple[int, ...]
    """Seats that have not answered yet."""


def empty_seats(setups: Sequence[SeatSetup]) -> tuple[SeatRow, ...]:
    """Returns the seats of a new match; those of bots are taken from the start."""
    return tuple(SeatRow(int(s.kind), s.player, taken=s.kind is SeatKind.BOT) for s in setups)


def to_act(now: MatchSnapshot, viewer: int = SPECTATOR) -> int:
    """Returns the bit mask of the seats whose players are to act, as far as the viewer may know."""
    return now.visible_seats_to_act(viewer) & ~now.service_seats


class MatchSnapshot:
    """Snapshot of a match after one record. A live match's snapshot never changes; a draft works on a copy."""

    __slots__ = (
        "actor",
        "clocks",
        "decision_seq",
        "decline_code",
        "ended_ms",
        "game_state",
        "plies",
        "private_records",
        "queued_outcomes",
        "result",
        "returned",
        "seats",
        "seats_to_act",
        "seq",
        "service_seats",
        "since_ms",
        "started_ms",
        "started_seq",
        "state",
        "time_ms",
        "undo",
        "used",
    )

    state: MatchState
    seq: int
    """Of the newest record."""
    time_ms: int
    """Of the newest record."""
    game_state: State
    actor: int
    """The actor of ``game_state`` while the match is active; TERMINAL before and after."""
    seats_to_act: int
    """Bit mask of the seats to act; 0 at chance nodes, before the start and after the end."""
    decision_seq: int
    """Record since which the present decision is pending; 0 before the first decision."""
    decline_code: int
    """Code that declines the present decision if it is a private one of ``actor``; -1 if it is not."""
    plies: int
    """Number of steps in force."""
    private_records: int
    """Number of records that only one seat (and the host) knows of."""
    seats: tuple[SeatRow, ...]
    service_seats: int
    """Bit mask of the service seats: bots, and seats that are out."""
    clocks: Clocks
    since_ms: int
    """time_ms at which the clocks of the seats to act began to run."""
    used: Clocks
    """Time that each seat had used on the present decision before play went back to it; empty if it has not."""
    returned: ReturnedDecision | None
    """The newest decision in force to which play has gone back, if clocks run."""
    undo: PendingUndo | None
    queued_outcomes: tuple[int, ...]
    """Outcomes that the host has provided for chance nodes to come."""
    started_ms: int
    """Since 1970; 0 before."""
    started_seq: int
    """The record that began play; 0 before."""
    ended_ms: int
    result: Result | None

    def __init__(self, game_state: State, seats: tuple[SeatRow, ...]) -> None:
        self.state = MatchState.WAITING
        self.seq = self.time_ms = self.decision_seq = self.plies = self.seats_to_act = self.since_ms = 0
        self.started_ms = self.started_seq = self.ended_ms = self.private_records = 0
        self.decline_code = -1
        self.game_state = game_state
        self.actor = TERMINAL
        self.seats = seats
        self.service_seats = clocks.service_seats(seats)
        self.clocks = self.used = ()
        self.returned = None
        self.undo = None
        self.queued_outcomes = ()
        self.result = None

    def copy(self) -> MatchSnapshot:
        """Returns a copy to plan on; the state of the game is shared until a step is taken."""
        new = MatchSnapshot.__new__(MatchSnapshot)
        new.state = self.state
        new.seq = self.seq
        new.time_ms = self.time_ms
        new.game_state = self.game_state
        new.actor = self.actor
        new.seats_to_act = self.seats_to_act
        new.decision_seq = self.decision_seq
        new.decline_code = self.decline_code
        new.plies = self.plies
        new.private_records = self.private_records
        new.seats = self.seats
        new.service_seats = self.service_seats
        new.clocks = self.clocks
        new.since_ms = self.since_ms
        new.used = self.used
        new.returned = self.returned
        new.undo = self.undo
        new.queued_outcomes = self.queued_outcomes
        new.started_ms = self.started_ms
        new.started_seq = self.started_seq
        new.ended_ms = self.ended_ms
        new.result = self.result
        return new

    @property
    def withholds_newest(self) -> bool:
        """Whether spectators are not sent the newest record yet, because a private decision is pending."""
        return self.decline_code != -1

    def visible_seats_to_act(self, viewer: int) -> int:
        """Returns the bit mask of the seats to act that a viewer may know of."""
        return 0 if self.hides_decision(viewer) else self.seats_to_act

    def hides_decision(self, viewer: int) -> bool:
        """Returns whether a decision is pending that the viewer may not know of."""
        return self.decline_code != -1 and viewer not in (self.actor, OMNISCIENT)
