"""What a client sees of a match: plain values around the messages of the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from omnilude.v1 import match_pb2, match_service_pb2

if TYPE_CHECKING:
    from google.protobuf.any_pb2 import Any as AnyMessage
    from google.protobuf.message import Message

    from omnilude.packs import PackMessages
    from omnilude.v1.catalog_pb2 import BrokenPack, Game


@dataclass(frozen=True, slots=True)
class Open:
    """A seat that anyone may join."""


@dataclass(frozen=True, slots=True)
class ServiceBot:
    """A seat that a bot of the service plays: ``ServiceBot("greedy")``."""

    name: str


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat that is kept for a player who is, or will be, connected to play: ``Invited("alice")``."""

    player: str


SeatSpec = Open | ServiceBot | Invited


def seat_setups(seats: Iterable[SeatSpec]) -> list[match_service_pb2.SeatSetup]:
    """The seats as CreateMatch takes them."""
    setups = []
    for seat in seats:
        match seat:
            case Open():
                setup = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_OPEN)
            case ServiceBot(name):
                setup = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player=name)
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
    """Clocks of a match, in seconds: for each decision, for all of a seat's decisions, added after each of them.

    ``private_decision`` is the limit of a decision of which the others may not know; no clock runs for it.
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
    """What a service has to play."""

    games: Sequence[Game]
    broken_packs: Sequence[BrokenPack]
    """Packs that are installed there but could not be loaded."""
    engine_version: str


class LegalAction:
    """One legal action: its code, its English label, and (decoded when first looked at) the pack's action message."""

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
    """The entries of the wire, decoded on demand."""
    return [LegalAction(entry.code, entry.label, entry.action, messages) for entry in actions]


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions of a seat at one decision."""

    seq: int
    """Goes into submit() as ``expected_seq``."""
    codes: Sequence[int]
    """Empty where the seat owes no decision."""
    actions: Sequence[LegalAction]
    """The same with labels and messages, when asked for."""
    sampled: bool
    """True where any point of a finer grid may be submitted, not only these."""


class LegalPages:
    """Puts the pages of ListLegalActions together."""

    def __init__(self, messages: PackMessages | None) -> None:
        self._messages = messages
        self._codes: list[int] = []
        self._actions: list[LegalAction] = []
        self._seq = 0
        self._sampled = False
        self.token: str | None = ""
        """Of the page to ask for next; None after the last."""

    def add(self, page: match_service_pb2.ListLegalActionsResponse) -> None:
        """One more page."""
        self._codes += page.codes
        if self._messages is not None:
            self._actions += legal_actions(page.actions, self._messages)
        self._seq = page.seq
        self._sampled = page.sampled
        self.token = page.next_page_token or None

    def legal(self) -> Legal:
        """All of them."""
        return Legal(self._seq, self._codes, self._actions, self._sampled)


@dataclass(frozen=True)
class Observed:
    """The match and what the holder of a token sees of the game."""

    match: match_pb2.Match
    seq: int
    """Sequence number of the newest record."""
    to_act: Sequence[int]
    """Seats that owe a decision."""
    awaits_chance: bool
    """Is an outcome of the host awaited?"""
    clocks_ms: Sequence[int]
    """Time left for each seat, in milliseconds; empty without clocks."""
    _packed: match_pb2.Observation | None = field(repr=False)
    _messages: PackMessages = field(repr=False)

    @cached_property
    def view(self) -> Message | None:
        """The pack's view message; None before the start."""
        return None if self._packed is None else self._messages.unpack(self._packed.view)

    @cached_property
    def position(self) -> Message | None:
        """The whole state, for the host only."""
        if self._packed is None or not self._packed.HasField("position"):
            return None
        return self._messages.unpack(self._packed.position)


def observed(match: match_pb2.Match, observation: match_pb2.Observation | None, messages: PackMessages) -> Observed:
    """The answer of ObserveMatch, or the part of a watch answer that is like it."""
    if observation is None:
        return Observed(match, match.seq, (), False, (), None, messages)
    return Observed(
        match,
        observation.seq,
        tuple(observation.to_act),
        observation.awaits_chance,
        tuple(observation.clocks_ms),
        observation,
        messages,
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """What has happened since the last one."""

    events: Sequence[match_pb2.MatchEvent]
    """In order, without a gap. Their ``details`` are messages of the pack: ``game.messages.unpack(detail)``."""
    seq: int
    """Everything up to here has been told."""
    match: match_pb2.Match
    """The match, with its newest state and seats."""
    observed: Observed | None
    """What is seen after these events, when views were asked for."""


def progress(
    response: match_service_pb2.WatchMatchResponse, match: match_pb2.Match, messages: PackMessages
) -> Progress:
    """An answer of WatchMatch; ``match`` is the newest that was told."""
    seen = observed(match, response.observation, messages) if response.HasField("observation") else None
    return Progress(tuple(response.events), response.seq, match, seen)


def has_ended(match: match_pb2.Match) -> bool:
    """Is it over, with a result or without?"""
    return match.state in (
        match_pb2.MATCH_STATE_FINISHED,
        match_pb2.MATCH_STATE_CANCELLED,
        match_pb2.MATCH_STATE_FAULTED,
    )
