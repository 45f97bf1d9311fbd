"""The classes that a bot is written with: :class:`Bot`, which chooses an action, and :class:`Turn`, its decision."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from google.protobuf.message import Message

from omnilude.errors import OmniludeError
from omnilude.models import LegalAction, legal_actions
from omnilude.v1 import match_pb2

if TYPE_CHECKING:
    from omnilude.packs import GameInfo
    from omnilude.v1.match_pb2 import Match, MatchEvent
    from omnilude.v1.play_service_pb2 import Turn as TurnMessage

Want = Literal["view", "actions", "position", "events"]
WANTS: tuple[Want, ...] = ("view", "actions", "position", "events")

Choice = int | Message
"""An action: its code, or the pack's action message."""


class NotRequested(OmniludeError):
    """The bot reads data that its ``wants`` does not name, so the service did not send it."""

    def __init__(self, want: Want) -> None:
        super().__init__(f"this bot does not request {want!r}: add it to its `wants`")


class Resign(OmniludeError):
    """Raised by a bot to resign the match; it does not count as a failure of the bot."""


@dataclass(slots=True, eq=False)
class BotSeat:
    """One seat in one match that the bot plays."""

    match: Match
    """The match when the bot took the seat."""
    seat: int
    """Index of the seat, from 0."""
    game: GameInfo
    rng: random.Random
    """Random numbers for this match, from the seed that ``run`` was given."""
    memory: dict[str, Any] = field(default_factory=dict)
    """Data that the bot keeps about this match; empty at first."""
    error: BaseException | None = None
    """The error for which the bot resigned, if it failed in this match."""
    local_game: Any = None
    """The game with its rules, for :attr:`Turn.local`; configured on first use."""

    @property
    def name(self) -> str:
        """Name of the match: ``matches/{id}``."""
        return self.match.name


class Turn:
    """A decision that the bot must make. Messages are decoded when they are first read."""

    __slots__ = ("_arrived", "_turn", "_wants", "bot_seat", "codes")

    def __init__(self, bot_seat: BotSeat, turn: TurnMessage, wants: Sequence[Want]) -> None:
        self.bot_seat = bot_seat
        self.codes: Sequence[int] = list(turn.codes)
        """The legal action codes: ``choose`` returns one of them."""
        self._turn = turn
        self._wants = wants
        self._arrived = time.monotonic()

    @property
    def seat(self) -> int:
        """Index of the bot's own seat, from 0."""
        return self.bot_seat.seat

    @property
    def match(self) -> Match:
        """The match: players, options, labels."""
        return self.bot_seat.match

    @property
    def rng(self) -> random.Random:
        """Random numbers for this match."""
        return self.bot_seat.rng

    @property
    def memory(self) -> dict[str, Any]:
        """Data that the bot keeps about this match."""
        return self.bot_seat.memory

    @property
    def seq(self) -> int:
        """Sequence number of the record after which the decision is pending."""
        return self._turn.seq

    @property
    def sampled(self) -> bool:
        """Whether ``codes`` is only a sample, and any point of a finer grid may be chosen."""
        return self._turn.sampled

    @property
    def time_left(self) -> float | None:
        """Seconds until the seat runs out of time; None without clocks."""
        if not self._turn.time_left_ms:
            return None
        return self._turn.time_left_ms / 1000 - (time.monotonic() - self._arrived)

    @property
    def view(self) -> Message:
        """View of the match for this seat, as the pack's view message. Wants ``"view"``."""
        self._check("view")
        return self.bot_seat.game.messages.unpack(self._turn.view)

    @property
    def actions(self) -> list[LegalAction]:
        """The actions in ``codes``, with labels and the pack's action messages. Wants ``"actions"``."""
        self._check("actions")
        return legal_actions(self._turn.actions, self.bot_seat.game.messages)

    @property
    def position(self) -> Message:
        """A whole position that the seat cannot tell from the true one, as the pack's position message.

        Wants ``"position"``. For bots that search with the pack on their own machine.
        """
        self._check("position")
        return self.bot_seat.game.messages.unpack(self._turn.position)

    @property
    def local(self) -> Any:
        """This turn as a ``gamepacks.api.Turn``, which has the rules: ``game``, ``state``, ``seat``, ``codes``.

        Wants ``"position"``, and the pack of the game installed where the bot runs. Raises RulesNotInstalled.
        """
        from omnilude.local import local_turn

        return local_turn(self)

    def _check(self, want: Want) -> None:
        if want not in self._wants:
            raise NotRequested(want)

    def __repr__(self) -> str:
        return f"Turn({self.bot_seat.name}, seat={self.seat}, seq={self.seq}, {len(self.codes)} codes)"


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that ended, with the result of one of its players."""

    match: Match
    seat: int
    """Index of the bot's own seat."""
    error: BaseException | None = None
    """The exception of the bot, or its illegal choice, for which it resigned."""

    @property
    def value(self) -> float | None:
        """The return of the bot's seat, in the range of the game's capabilities; None if the match has no result."""
        finished = self.match.state == match_pb2.MATCH_STATE_FINISHED
        return self.match.result.returns[self.seat] if finished else None

    @property
    def place(self) -> int | None:
        """The place of the bot's seat, from 1; None if the match has no result."""
        finished = self.match.state == match_pb2.MATCH_STATE_FINISHED
        return self.match.result.places[self.seat] if finished else None


class Bot(ABC):
    """A player. One object plays any number of matches at once; :func:`omnilude.run` connects it.

    ``gamepacks.api.Bot``, the class for the bots of a pack, has the same method ``choose(turn)``. :func:`omnilude.run`,
    :class:`omnilude.Player` and the arena take objects of both.

    An exception that a bot raises is logged, and the bot resigns that match; its other matches go on. That includes a
    CancelledError of something that it awaits; SystemExit and KeyboardInterrupt end the program as usual. An illegal
    choice is treated alike: asking the same bot again would hardly help. A bot that wants to resign raises Resign.
    """

    wants: ClassVar[Sequence[Want]] = ()
    """Data to send with each turn, at a cost for the service and the wire: ``"view"``, ``"actions"``, ``"position"``;
    and ``"events"`` for :meth:`on_events`."""

    threads: ClassVar[int] = 0
    """Number of threads in which :meth:`choose` is called. With 0 it is called in the event loop, which is fastest for
    a bot that answers within some milliseconds. A bot that blocks (sleeps, or waits for others in code that is not
    async) needs threads, or its other matches wait as well."""

    @abstractmethod
    def choose(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Return one of ``turn.codes``, or the pack's action message. May be ``async def``: it is cancelled if the
        decision is withdrawn while it runs."""

    def on_start(self, bot_seat: BotSeat) -> None:  # noqa: B027 - optional
        """Called when the bot has taken a seat."""

    def on_events(self, bot_seat: BotSeat, events: Sequence[MatchEvent]) -> None:  # noqa: B027 - optional
        """Called with new events of a match: actions, outcomes of chance, resignations. Wants ``"events"``."""

    def accepts_undo(self, bot_seat: BotSeat, request: MatchEvent) -> bool:
        """Return whether another player may take actions back, to the state after record ``request.to_seq``."""
        return True

    def on_end(self, played: PlayedMatch) -> None:  # noqa: B027 - optional
        """Called when a match is over."""
