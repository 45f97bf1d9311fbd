"""What a bot is made of: :class:`Bot`, which chooses, and :class:`Turn`, at which it is to choose."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from google.protobuf.message import Message

from omnilude.errors import OmniludeError
from omnilude.sights import LegalAction, legal_actions
from omnilude.v1 import match_pb2

if TYPE_CHECKING:
    from omnilude.packs import GameInfo
    from omnilude.v1.match_pb2 import Match, MatchEvent
    from omnilude.v1.play_service_pb2 import Turn as TurnMessage

Want = Literal["view", "actions", "position", "events"]
WANTS: tuple[Want, ...] = ("view", "actions", "position", "events")

Choice = int | Message
"""An action: its code, or the pack's action message."""


class NotAskedFor(OmniludeError):
    """The bot looks at something that its ``wants`` does not name, so the service did not send it."""

    def __init__(self, want: Want) -> None:
        super().__init__(f"this bot does not ask for {want!r}: add it to its `wants`")


@dataclass(slots=True, eq=False)
class Table:
    """One seat at one match that the bot plays."""

    match: Match
    """The match, as it was when the bot sat down."""
    seat: int
    """The bot's own, from 0."""
    game: GameInfo
    rng: random.Random
    """Random numbers for this table, from the seed that ``run`` was given."""
    memory: dict[str, Any] = field(default_factory=dict)
    """For whatever the bot wants to keep about this match; empty at first."""
    error: BaseException | None = None
    """Why the bot resigned, if it failed here."""

    @property
    def name(self) -> str:
        """``matches/{id}``."""
        return self.match.name


class Turn:
    """A decision that the bot owes. What is not looked at is not decoded."""

    __slots__ = ("_arrived", "_turn", "_wants", "codes", "table")

    def __init__(self, table: Table, turn: TurnMessage, wants: Sequence[Want]) -> None:
        self.table = table
        self.codes: Sequence[int] = list(turn.codes)
        """The legal action codes: ``choose`` returns one of them."""
        self._turn = turn
        self._wants = wants
        self._arrived = time.monotonic()

    @property
    def seat(self) -> int:
        """The bot's own seat, from 0."""
        return self.table.seat

    @property
    def match(self) -> Match:
        """The match: players, options, labels."""
        return self.table.match

    @property
    def rng(self) -> random.Random:
        """Random numbers for this table."""
        return self.table.rng

    @property
    def memory(self) -> dict[str, Any]:
        """Whatever the bot keeps about this match."""
        return self.table.memory

    @property
    def seq(self) -> int:
        """Sequence number of the record after which the decision has stood."""
        return self._turn.seq

    @property
    def sampled(self) -> bool:
        """True where ``codes`` is only a sample and any point of a finer grid may be chosen."""
        return self._turn.sampled

    @property
    def time_left(self) -> float | None:
        """Seconds until the seat is late; None without clocks."""
        if not self._turn.time_left_ms:
            return None
        return self._turn.time_left_ms / 1000 - (time.monotonic() - self._arrived)

    @property
    def view(self) -> Message:
        """What the seat sees, as the pack's view message. Wants ``"view"``."""
        self._check("view")
        return self.table.game.messages.unpack(self._turn.view)

    @property
    def actions(self) -> list[LegalAction]:
        """The same as ``codes``, with labels and the pack's action messages. Wants ``"actions"``."""
        self._check("actions")
        return legal_actions(self._turn.actions, self.table.game.messages)

    @property
    def position(self) -> Message:
        """One whole position that the seat cannot tell from the true one, as the pack's position message.

        Wants ``"position"``. For bots that search with the pack on their own machine.
        """
        self._check("position")
        return self.table.game.messages.unpack(self._turn.position)

    def _check(self, want: Want) -> None:
        if want not in self._wants:
            raise NotAskedFor(want)

    def __repr__(self) -> str:
        return f"Turn({self.table.name}, seat={self.seat}, seq={self.seq}, {len(self.codes)} codes)"


@dataclass(frozen=True, slots=True)
class Played:
    """A match that ended, as one of its players sees it."""

    match: Match
    seat: int
    """The bot's own."""
    error: BaseException | None = None
    """What the bot raised (or the illegal move it chose): it resigned for that."""

    @property
    def value(self) -> float | None:
        """The return of the bot's seat, as the game's capability card says; None if the match has no result."""
        finished = self.match.state == match_pb2.MATCH_STATE_FINISHED
        return self.match.result.returns[self.seat] if finished else None

    @property
    def place(self) -> int | None:
        """The place of the bot's seat, from 1; None if the match has no result."""
        finished = self.match.state == match_pb2.MATCH_STATE_FINISHED
        return self.match.result.places[self.seat] if finished else None


class Bot(ABC):
    """A player. One object plays any number of matches at once; :func:`omnilude.run` connects it.

    Whatever it raises is logged, and it resigns that match; all others go on. That includes a CancelledError of
    something that it awaits; SystemExit and KeyboardInterrupt end the program as usual. The same holds for a choice
    that is not legal: the service refuses it, and asking the same bot again would hardly help.
    """

    wants: ClassVar[Sequence[Want]] = ()
    """What is sent along with each turn (it costs the service and the wire): ``"view"``, ``"actions"``, ``"position"``;
    and ``"events"`` for :meth:`happened`."""

    threads: ClassVar[int] = 0
    """In how many threads :meth:`choose` is called. 0: between two messages in the event loop, the fastest way for a
    bot that answers within some milliseconds. One that sleeps or waits for others in ordinary (not async) code wants
    some, or its other matches wait with it."""

    @abstractmethod
    def choose(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """One of ``turn.codes``, or the pack's action message. May be ``async def``: it is cancelled if the decision
        goes away while it thinks."""

    def started(self, table: Table) -> None:  # noqa: B027 - a bot need not listen
        """The bot has taken a seat."""

    def happened(self, table: Table, events: Sequence[MatchEvent]) -> None:  # noqa: B027 - a bot need not listen
        """Others moved, chance fell, someone resigned. Wants ``"events"``."""

    def agrees_to_undo(self, table: Table, request: MatchEvent) -> bool:
        """Another player asks to take actions back, to the state after record ``request.to_seq``."""
        return True

    def ended(self, played: Played) -> None:  # noqa: B027 - a bot need not listen
        """A match is over."""
