"""Decisions of a bot at a service (:class:`Turn`), its seats, and the matches that it has played."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from omnilude.bots import Want
from omnilude.errors import OmniludeError
from omnilude.models import LegalAction, legal_actions
from omnilude.v1 import match_pb2

if TYPE_CHECKING:
    from omnilude.packs import GameInfo
    from omnilude.v1.match_pb2 import Match
    from omnilude.v1.play_service_pb2 import Turn as TurnMessage


class NotRequested(OmniludeError):
    """The bot reads data that the service did not send, because ``wants`` does not list it."""

    def __init__(self, want: Want) -> None:
        super().__init__(f"this bot does not request {want!r}: add it to `wants`")


class Resign(OmniludeError):
    """A bot raises it to resign the match; it does not count as a failure of the bot."""


@dataclass(slots=True, eq=False)
class BotSeat:
    """One seat in one match that the bot plays."""

    match: Match
    """The match when the bot took the seat."""
    seat: int
    """Index of the seat, from 0."""
    game: GameInfo
    rng: random.Random
    """Random numbers for this match, from the seed passed to ``run``."""
    memory: dict[str, Any] = field(default_factory=dict)
    """Data that the bot stores about this match; initially empty."""
    error: BaseException | None = None
    """The error for which the bot resigned, if it failed in this match."""
    local_game: Any = None
    """The game with its rules, for :attr:`Turn.local`; configured on first use."""

    @property
    def name(self) -> str:
        """Name of the match: ``matches/{id}``."""
        return self.match.name


class Turn:
    """A decision that the bot must make. Messages are decoded on first access."""

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
        """Data that the bot stores about this match."""
        return self.bot_seat.memory

    @property
    def seq(self) -> int:
        """Sequence number of the record after which the decision is pending."""
        return self._turn.seq

    @property
    def sampled(self) -> bool:
        """Whether ``codes`` is only a sample of the legal actions, such as points of a fine grid."""
        return self._turn.sampled

    @property
    def time_left(self) -> float | None:
        """Seconds until the seat runs out of time; None without a clock."""
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
        """A random full position that is consistent with the seat's view, as the pack's position message.

        Wants ``"position"``. For bots that search with the installed pack.
        """
        self._check("position")
        return self.bot_seat.game.messages.unpack(self._turn.position)

    @property
    def local(self) -> Any:
        """This turn as a ``gamepacks.api.Turn``, which has the rules: ``game``, ``state``, ``seat``, ``codes``.

        Wants ``"position"`` and needs the pack of the game. Raises RulesNotInstalled.
        """
        from omnilude.local import local_turn

        return local_turn(self)

    def _check(self, want: Want) -> None:
        if want not in self._wants and not (want == "position" and "rules" in self._wants):
            raise NotRequested(want)

    def __repr__(self) -> str:
        return f"Turn({self.bot_seat.name}, seat={self.seat}, seq={self.seq}, {len(self.codes)} codes)"


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that has ended, with the result of one of its players."""

    match: Match
    seat: int
    """Index of the bot's own seat."""
    error: BaseException | None = None
    """The exception, or the error of an illegal choice, for which the bot resigned."""

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
