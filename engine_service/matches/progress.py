"""How far a match has come: what its log amounts to."""

from __future__ import annotations

from dataclasses import dataclass

from cext.state import State
from engine_service.log.records import RecordKind
from engine_service.matches import clocks
from engine_service.matches.clocks import Clocks, Return
from engine_service.model import MatchState, Result
from engine_service.store.base import SeatRow
from gamepacks.api.types import OMNISCIENT, SPECTATOR, TERMINAL

ACTION = RecordKind.ACTION
CHANCE_BY_SEED = RecordKind.CHANCE
CHANCE_BY_HOST = RecordKind.OUTCOME_PROVIDED
ACTIVE = MatchState.ACTIVE


@dataclass(frozen=True, slots=True)
class PendingUndo:
    """A request to go back to the state after ``to_seq``, made by ``seat`` with record ``seq``."""

    seat: int
    to_seq: int
    reason: str
    seq: int
    waiting_for: tuple[int, ...]
    """Seats that have not answered yet."""


def to_act(now: Progress, viewer: int = SPECTATOR) -> int:
    """Bit mask of the seats whose players are to act, as far as the viewer may know."""
    return now.visible_owing(viewer) & ~now.served


class Progress:
    """How far a match has come. Never changed once it is a live match's; a draft works on a branch."""

    __slots__ = (
        "actor",
        "clocks",
        "decision_seq",
        "decline_code",
        "ended_ms",
        "game_state",
        "plies",
        "private_records",
        "result",
        "returned",
        "seats",
        "seats_to_act",
        "seq",
        "served",
        "since_ms",
        "started_ms",
        "state",
        "time_ms",
        "undo",
        "used",
        "waiting",
    )

    state: MatchState
    seq: int
    """Of the newest record."""
    time_ms: int
    """Of the newest record."""
    game_state: State
    actor: int
    """As game_state says while the match is played; TERMINAL before and after."""
    seats_to_act: int
    """Bit mask of the seats that owe a decision; 0 at chance nodes, before the start and after the end."""
    decision_seq: int
    """The record after which the present decision node has stood; 0 before the first."""
    decline_code: int
    """The code by which the present decision, a private one of ``actor``, is declined; -1 while there is none."""
    plies: int
    """Length of the line."""
    private_records: int
    """How many records only one seat (and the host) knows of."""
    seats: tuple[SeatRow, ...]
    served: int
    """Bit mask of the seats that the service plays: bots, and stand-ins for seats that have given up."""
    clocks: Clocks
    since_ms: int
    """time_ms at which the clocks of the seats in ``seats_to_act`` began to run."""
    used: Clocks
    """What each seat had used on the present decision before play went back to it; empty where it has not."""
    returned: Return | None
    """The newest decision in force to which play has gone back, where clocks run."""
    undo: PendingUndo | None
    waiting: tuple[int, ...]
    """Outcomes that the host has supplied for chance nodes to come."""
    started_ms: int
    """Since 1970; 0 before."""
    ended_ms: int
    result: Result | None

    def __init__(self, game_state: State, seats: tuple[SeatRow, ...]) -> None:
        self.state = MatchState.WAITING
        self.seq = self.time_ms = self.decision_seq = self.plies = self.seats_to_act = self.since_ms = 0
        self.started_ms = self.ended_ms = self.private_records = 0
        self.decline_code = -1
        self.game_state = game_state
        self.actor = TERMINAL
        self.seats = seats
        self.served = clocks.served(seats)
        self.clocks = self.used = ()
        self.returned = None
        self.undo = None
        self.waiting = ()
        self.result = None

    def branch(self) -> Progress:
        """A copy to plan on; the game's state is shared until a step is taken."""
        new = Progress.__new__(Progress)
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
        new.served = self.served
        new.clocks = self.clocks
        new.since_ms = self.since_ms
        new.used = self.used
        new.returned = self.returned
        new.undo = self.undo
        new.waiting = self.waiting
        new.started_ms = self.started_ms
        new.ended_ms = self.ended_ms
        new.result = self.result
        return new

    @property
    def untold_records(self) -> int:
        """How many records a spectator is not told of now: private ones, and the newest while a private decision
        stands."""
        return self.private_records + (self.decline_code != -1)

    def visible_owing(self, viewer: int) -> int:
        """Bit mask of the seats of which a viewer may know that they owe a decision."""
        return 0 if self.hides_decision(viewer) else self.seats_to_act

    def hides_decision(self, viewer: int) -> bool:
        """Is a decision owed of which the viewer may not know?"""
        return self.decline_code != -1 and viewer not in (self.actor, OMNISCIENT)
