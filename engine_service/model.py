"""The words of the service: what goes into a match and what is told of it. Values only, no behaviour.

Numbers of the enums are those of ``omnilude.v1``; a zero ("unspecified") never gets this far.
Times are whole milliseconds; ``*_ms`` of a moment counts from 1970, ``time_ms`` of a record from the match's creation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import NamedTuple

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message

from engine_service.log.records import RecordKind
from gamepacks.api.types import Code, Seat

HOST = -1
"""Where a seat is expected: the match's host."""
NO_LABELS: Mapping[str, str] = MappingProxyType({})


class MatchState(IntEnum):
    """Where a match stands in its life."""

    WAITING = 1
    ACTIVE = 2
    FINISHED = 3
    CANCELLED = 4
    FAULTED = 5

    @property
    def ended(self) -> bool:
        """Will nothing more be recorded?"""
        return self >= MatchState.FINISHED


class SeatKind(IntEnum):
    """Who may sit on a seat."""

    OPEN = 1
    INVITED = 2
    BOT = 3


class UndoPolicy(IntEnum):
    """May actions be taken back?"""

    CONSENT = 1
    NEVER = 2
    FREE = 3


class AbsencePolicy(IntEnum):
    """What happens to a seat that is out of time or resigns."""

    FORFEIT = 1
    BOT = 2


class ChanceSource(IntEnum):
    """Where the outcomes of chance nodes come from."""

    SEED = 1
    HOST = 2
    SEEDED = 3
    """From a seed that the host has given, and knows."""


class EndReason(IntEnum):
    """Why a match ended."""

    RULES = 1
    FORFEIT = 2
    CANCELLED = 3
    PACK_FAULT = 4


# -- what a match is made from -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Clocks, the same for each seat; None: that limit does not apply. ``increment_ms`` needs ``per_match_ms``.

    ``private_ms`` is the limit of a private decision, for which no clock runs; None in a request: the service's own.
    """

    per_move_ms: int | None = None
    per_match_ms: int | None = None
    increment_ms: int = 0
    private_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """How the service treats what the rules of the game do not know."""

    undo: UndoPolicy = UndoPolicy.CONSENT
    absence: AbsencePolicy = AbsencePolicy.FORFEIT
    absence_bot: str = "random"
    chance: ChanceSource = ChanceSource.SEED
    manual_start: bool = False


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """Who may sit on a seat; ``player`` is the invited player's or the bot's name, empty for an open seat."""

    kind: SeatKind = SeatKind.OPEN
    player: str = ""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """All that is asked for a new match.

    ``game`` is the bare id. ``options`` and ``position`` are messages of the pack, or an Any that holds one.
    """

    game: str
    seats: Sequence[SeatSetup]
    options: Message | None = None
    option_texts: Mapping[str, str] = field(default_factory=lambda: NO_LABELS)
    time_control: TimeControl | None = None
    policy: Policy = field(default_factory=Policy)
    position: Message | None = None
    ephemeral: bool = False
    labels: Mapping[str, str] = field(default_factory=lambda: NO_LABELS)
    seed: int | None = None
    """From 0, 64 bits; given exactly where the policy's chance is SEEDED."""


@dataclass(frozen=True, slots=True)
class ForkSetup:
    """What a copy of a match does not take from the original; no ``seats``: all open."""

    seats: Sequence[SeatSetup] = ()
    time_control: TimeControl | None = None
    policy: Policy = field(default_factory=Policy)
    ephemeral: bool = False
    labels: Mapping[str, str] = field(default_factory=lambda: NO_LABELS)


# -- what is told of a match ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. ``returns`` by seat, as the capability card says; ``places`` by seat, from 1, ties share."""

    returns: tuple[float, ...]
    places: tuple[int, ...]
    reason: EndReason


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a copied match comes from: its records up to ``seq`` (a spectator's number).

    ``plies`` steps were taken over; of ``private_plies`` of them only one seat knows.
    """

    match: str
    seq: int
    plies: int
    private_plies: int = 0


@dataclass(frozen=True, slots=True)
class MatchImport:
    """That a match came as a replay: when, with which labels of its own, and how its replay is signed.

    ``signature`` and the ``signing_key`` that it is checked with are empty where it is not.
    """

    time_ms: int
    labels: Mapping[str, str]
    signature: bytes
    signing_key: bytes


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One seat, as everyone may know it.

    ``clock_ms`` is the time it has left, running clocks read now; None without clocks and once the match has ended.
    """

    index: Seat
    kind: SeatKind
    player: str
    taken: bool
    out: bool
    clock_ms: int | None


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match, as everyone may know it.

    ``game`` is the bare id, ``options`` holds the pack's message with every option set, ``seed`` is empty until the
    match has ended. ``start_ms`` and ``end_ms`` are None before. ``to_act`` are the seats whose players are to act, as
    far as everyone may know.
    """

    name: str
    game: str
    rules_version: str
    options: Any
    state: MatchState
    seats: tuple[SeatInfo, ...]
    seq: int
    time_control: TimeControl | None
    policy: Policy
    create_ms: int
    start_ms: int | None
    end_ms: int | None
    result: Result | None
    seed_commitment: bytes
    seed: bytes
    origin: Origin | None
    ephemeral: bool
    labels: Mapping[str, str]
    from_position: bool
    card_set_digest: bytes
    to_act: tuple[Seat, ...]
    imported: MatchImport | None


@dataclass(frozen=True, slots=True)
class Observation:
    """A match in play, as one viewer may know it. ``clocks_ms`` is empty without clocks; ``position`` is the host's."""

    seq: int
    view: Message
    to_act: tuple[Seat, ...]
    awaits_chance: bool
    clocks_ms: tuple[int, ...]
    position: Message | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as one viewer may know it.

    ``code`` is None and ``label`` empty where there is none or the viewer may not know it. ``sentences`` are about
    those of ``details`` that neither the label nor a drawn view tells.
    """

    seq: int
    kind: RecordKind
    seat: int
    code: Code | None
    details: Sequence[Message]
    label: str
    time_ms: int
    text: str
    to_seq: int
    sentences: Sequence[str] = ()


# -- answers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Created:
    """A new match and its host's token."""

    match: MatchInfo
    host_token: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was taken and its token."""

    match: MatchInfo
    seat: Seat
    token: str


@dataclass(frozen=True, slots=True)
class Observed:
    """The match and, once it has started, what the caller sees of the game."""

    match: MatchInfo
    observation: Observation | None


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action for people and typed clients."""

    code: Code
    action: Message
    label: str


@dataclass(frozen=True, slots=True)
class LegalPage:
    """A page of a seat's legal actions at the decision that has stood since ``seq``.

    ``actions`` is empty unless typed ones were asked for; ``sampled`` says that any point of a finer grid may be sent.
    """

    seq: int
    codes: Sequence[int]
    actions: Sequence[LegalAction]
    next_page_token: str
    sampled: bool


class Submitted(NamedTuple):
    """An action that was taken (or, only checked, could be): its record, the newest record, the match's state."""

    action_seq: int
    seq: int
    state: MatchState
    code: Code


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    """Has play gone back, and the newest record."""

    undone: bool
    seq: int


@dataclass(frozen=True, slots=True)
class ChanceAnswer:
    """How many supplied outcomes still wait for their node, and the newest record."""

    waiting: int
    seq: int


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which matches a listing is of; newest first. ``to_act`` goes with ``player``; ``imported`` None: either."""

    game: str | None = None
    states: tuple[MatchState, ...] = ()
    labels: Mapping[str, str] = field(default_factory=lambda: NO_LABELS)
    player: str = ""
    to_act: bool = False
    imported: bool | None = None
    page_size: int = 0
    page_token: str = ""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A page of a listing; ``next_page_token`` is empty on the last."""

    matches: Sequence[MatchInfo]
    next_page_token: str
