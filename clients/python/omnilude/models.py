"""Data classes of the client, built from protobuf messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

from omnilude.v1 import match_pb2, match_service_pb2

if TYPE_CHECKING:
    from google.protobuf.any_pb2 import Any as AnyMessage
    from google.protobuf.message import Message

    from omnilude.packs import PackMessages
    from omnilude.v1.catalog_pb2 import BrokenPack, Game


@dataclass(frozen=True, slots=True)
class Open:
    """An open seat, which anyone may join."""


_LIMIT = re.compile(r"0*([1-9][0-9]{0,8})(ms|s)?")


@dataclass(frozen=True, slots=True)
class ServiceBot:
    """A seat that a bot of the service plays: ``ServiceBot("greedy")``, ``ServiceBot("mcts", playouts=500)``."""

    name: str
    """Name of the bot, or of a level of the game: ``easy``, ``normal``, ``strong``."""
    playouts: int = 0
    """Maximum number of play-outs, or iterations of a search, for each decision; 0 for no limit."""
    milliseconds: int = 0
    """Time for each decision; 0 for no limit. Without either limit the bot has the default budget of the service."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``NAME[:PLAYOUTS][:TIME]``: ``mcts``, ``mcts:500``, ``mcts:250ms``, ``mcts:10000:2s``.

        Raises ValueError for an invalid budget.
        """
        name, *limits = text.split(":")
        playouts = milliseconds = 0
        for limit in limits:
            found = _LIMIT.fullmatch(limit)
            if found is None:
                raise ValueError(f"{text!r}: {limit!r} is not a number of play-outs, nor a time such as 250ms or 2s")
            number = int(found[1])
            if found[2]:
                milliseconds = number * (1000 if found[2] == "s" else 1)
            else:
                playouts = number
        return cls(name, playouts, milliseconds)


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat reserved for the remote player of a name, who may connect later: ``Invited("alice")``."""

    player: str


SeatSpec = Open | ServiceBot | Invited


def seat_setups(seats: Iterable[SeatSpec]) -> list[match_service_pb2.SeatSetup]:
    """Convert seats to the messages of CreateMatch."""
    setups = []
    for seat in seats:
        match seat:
            case Open():
                setup = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_OPEN)
            case ServiceBot(name, playouts, milliseconds):
                setup = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player=name)
                if playouts or milliseconds:
                    setup.budget.playouts, setup.budget.milliseconds = playouts, milliseconds
            case Invited(player):
                setup = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player=player)
        setups.append(setup)
    return setups


def clocks(
    *,
    per_move: float | None = None,
    per_match: float | None = None,
    increment: float | None = None,
    private_decision: float | None = None,
) -> match_pb2.TimeControl:
    """Returns the time control of a match; all times are in seconds.

    ``per_move`` limits each decision and ``per_match`` all decisions of a seat; ``increment`` is added after each
    decision. ``private_decision`` limits a decision whose existence is hidden from the other seats; it has no clock.
    """
    control = match_pb2.TimeControl()
    for name, seconds in (
        ("per_move", per_move),
        ("per_match", per_match),
        ("increment", increment),
        ("private_decision", private_decision),
    ):
        if seconds is not None:
            getattr(control, name).FromMilliseconds(round(seconds * 1000))
    return control


@dataclass(frozen=True, slots=True)
class Catalog:
    """The games of a service."""

    games: Sequence[Game]
    broken_packs: Sequence[BrokenPack]
    """Packs that are installed at the service but could not be loaded."""
    engine_version: str


class LegalAction:
    """One legal action: its code, its English label, and the pack's action message, decoded on first access."""

    __slots__ = ("_messages", "_packed", "code", "label")

    def __init__(self, code: int, label: str, packed: AnyMessage, messages: PackMessages) -> None:
        self.code = code
        self.label = label
        self._packed = packed
        self._messages = messages

    @property
    def action(self) -> Message:
        """The pack's action message."""
        return self._messages.unpack(self._packed)

    def __repr__(self) -> str:
        return f"LegalAction({self.code}, {self.label!r})"


def legal_actions(actions: Iterable[match_pb2.LegalAction], messages: PackMessages) -> list[LegalAction]:
    """Convert the messages of legal actions; the pack's messages in them are decoded on demand."""
    return [LegalAction(entry.code, entry.label, entry.action, messages) for entry in actions]


@dataclass(frozen=True, slots=True)
class LegalActions:
    """The legal actions of a seat at one decision."""

    seq: int
    """Sequence number of the decision: the ``expected_seq`` of ``submit_action``."""
    codes: Sequence[int]
    """Empty if the seat has no decision to make."""
    actions: Sequence[LegalAction]
    """The same actions with labels and messages, if requested."""
    sampled: bool
    """Whether ``codes`` is only a sample of the legal actions, such as points of a fine grid."""


class LegalActionPages:
    """Collects the pages of ListLegalActions."""

    def __init__(self, messages: PackMessages | None) -> None:
        self._messages = messages
        self._codes: list[int] = []
        self._actions: list[LegalAction] = []
        self._seq = 0
        self._sampled = False
        self.token: str | None = ""
        """Token of the next page; None after the last."""

    def add(self, page: match_service_pb2.ListLegalActionsResponse) -> None:
        """Add a page."""
        self._codes += page.codes
        if self._messages is not None:
            self._actions += legal_actions(page.actions, self._messages)
        self._seq = page.seq
        self._sampled = page.sampled
        self.token = page.next_page_token or None

    def collected(self) -> LegalActions:
        """Returns the actions of all pages."""
        return LegalActions(self._seq, self._codes, self._actions, self._sampled)


@dataclass(frozen=True)
class Observation:
    """A match, with the view of the game for the holder of a token."""

    match: match_pb2.Match
    seq: int
    """Sequence number of the newest record."""
    to_act: Sequence[int]
    """Seats to act."""
    awaits_chance: bool
    """Whether the match waits for an outcome of chance from its host."""
    clocks_ms: Sequence[int]
    """Time left for each seat, in milliseconds; empty without clocks."""
    _packed: match_pb2.Observation | None = field(repr=False)
    _messages: PackMessages = field(repr=False)

    @cached_property
    def view(self) -> Message | None:
        """The pack's view message; None before the start."""
        return None if self._packed is None else self._messages.unpack(self._packed.view)

    @property
    def scene(self) -> str:
        """The view as an SVG document; empty before the start, or if it was not requested."""
        return "" if self._packed is None else self._packed.scene

    @cached_property
    def position(self) -> Message | None:
        """The full state as the pack's position message; None except for the host."""
        if self._packed is None or not self._packed.HasField("position"):
            return None
        return self._messages.unpack(self._packed.position)


def observation(match: match_pb2.Match, observed: match_pb2.Observation | None, messages: PackMessages) -> Observation:
    """Convert a response of ObserveMatch, or the same part of a response of WatchMatch."""
    if observed is None:
        return Observation(match, match.seq, (), False, (), None, messages)
    return Observation(
        match,
        observed.seq,
        tuple(observed.to_act),
        observed.awaits_chance,
        tuple(observed.clocks_ms),
        observed,
        messages,
    )


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The events of a match since the previous update."""

    events: Sequence[match_pb2.MatchEvent]
    """Events in order, without a gap. Decode their ``details`` with ``game.messages.unpack(detail)``."""
    seq: int
    """Sequence number up to which all events have been sent."""
    match: match_pb2.Match
    """The match, with its newest state and seats."""
    observation: Observation | None
    """View of the match after these events, if views were requested."""


def match_update(
    response: match_service_pb2.WatchMatchResponse, match: match_pb2.Match, messages: PackMessages
) -> MatchUpdate:
    """Convert a response of WatchMatch; ``match`` is the newest version that was received."""
    observed = observation(match, response.observation, messages) if response.HasField("observation") else None
    return MatchUpdate(tuple(response.events), response.seq, match, observed)


def has_ended(match: match_pb2.Match) -> bool:
    """Returns whether the match is over, with a result or without."""
    return match.state in (
        match_pb2.MATCH_STATE_FINISHED,
        match_pb2.MATCH_STATE_CANCELLED,
        match_pb2.MATCH_STATE_FAULTED,
    )
