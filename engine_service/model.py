"""Value types of the service: the setup of matches, and the views and answers that callers are sent.

The build generates the enums, :mod:`engine_service.match_enums`, from the contract, without zero ("unspecified"), which
the RPC layer replaces by the default. Times are whole milliseconds; ``*_ms`` of a moment counts from 1970, ``time_ms``
of a record from the creation of its match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message

from engine_service.match_enums import (
    AbsencePolicy,
    ChanceSource,
    EndReason,
    MatchState,
    RecordKind,
    SeatKind,
    UndoPolicy,
)
from gamepacks.api.bots import Budget
from gamepacks.api.types import Code, Seat

HOST = -1
"""Value of a seat that means the host of a match."""
NO_LABELS: Mapping[str, str] = MappingProxyType({})


def has_ended(state: int) -> bool:
    """Returns whether nothing more can be recorded in a match in this :class:`MatchState`."""
    return state >= MatchState.FINISHED


# -- setup -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Clocks, the same for each seat; None disables a limit. ``increment_ms`` needs ``per_match_ms``.

    ``private_ms`` limits a private decision, for which no clock runs; None in a request: the service's default if there
    are clocks, else no limit.
    """

    per_move_ms: int | None = None
    per_match_ms: int | None = None
    increment_ms: int = 0
    private_ms: int | None = None

    @property
    def has_clocks(self) -> bool:
        """Whether there are clocks, or only a limit of private decisions."""
        return self.per_move_ms is not None or self.per_match_ms is not None


@dataclass(frozen=True, slots=True)
class Policy:
    """Policies for what the rules of the game do not decide."""

    undo: UndoPolicy = UndoPolicy.CONSENT
    absence: AbsencePolicy = AbsencePolicy.FORFEIT
    absence_bot: str = "random"
    chance: ChanceSource = ChanceSource.SEED
    manual_start: bool = False


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """Setup of a seat; ``player`` is the invited player's or the bot's name, empty for an open seat.

    ``budget`` is that of the bot for one decision; None: the service's own.
    """

    kind: SeatKind = SeatKind.OPEN
    player: str = ""
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Request for a new match.

    ``game`` is the id without ``games/``. ``options`` and ``position`` are messages of the pack, or an Any that holds
    one.
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
    """64 bits, from 0; set if and only if the policy's chance is SEEDED."""


@dataclass(frozen=True, slots=True)
class ForkSetup:
    """Request for a fork: the values that it does not copy from the original. Without ``seats`` all are open."""

    seats: Sequence[SeatSetup] = ()
    time_control: TimeControl | None = None
    policy: Policy = field(default_factory=Policy)
    ephemeral: bool = False
    labels: Mapping[str, str] = field(default_factory=lambda: NO_LABELS)


# -- views ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a match: ``returns`` by seat, as the capability card says; ``places`` by seat, from 1, ties share."""

    returns: tuple[float, ...]
    places: tuple[int, ...]
    reason: EndReason


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a fork: the original match and the spectator's number of its last copied record.

    ``plies`` steps were copied; ``private_plies`` of them are known to one seat only.
    """

    match: str
    seq: int
    plies: int
    private_plies: int = 0


@dataclass(frozen=True, slots=True)
class MatchImport:
    """Import data of a match: the time of the import, the replay's own labels, and its signature.

    ``signature`` and ``signing_key`` are empty for an unsigned replay.
    """

    time_ms: int
    labels: Mapping[str, str]
    signature: bytes
    signing_key: bytes


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Public view of a seat.

    ``clock_ms`` is the time left, running clocks read now; None without clocks and after the end of the match.
    """

    index: Seat
    kind: SeatKind
    player: str
    taken: bool
    out: bool
    clock_ms: int | None
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """Public view of a match.

    ``game`` is the id without ``games/``, ``options`` has the pack's message with every option set, ``seed`` is empty
    until the match has ended. ``start_ms`` and ``end_ms`` are None before. ``to_act`` are the seats whose players are
    to act, as far as everyone may know.
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
    """View of a match in play for one viewer. ``clocks_ms`` is empty without clocks; ``position`` is for the host
    only."""

    seq: int
    view: Message
    to_act: tuple[Seat, ...]
    awaits_chance: bool
    clocks_ms: tuple[int, ...]
    position: Message | None
    scene: str


@dataclass(frozen=True, slots=True)
class Event:
    """Event of a match for one viewer.

    ``code`` is None and ``label`` empty if there is none or the viewer may not know it. ``sentences`` describe those of
    ``details`` that neither the label nor a drawn view shows.
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
    """A new match and the token of its host."""

    match: MatchInfo
    host_token: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was taken, and its token."""

    match: MatchInfo
    seat: Seat
    token: str


@dataclass(frozen=True, slots=True)
class Observed:
    """A match and, once it has started, the caller's view of the game."""

    match: MatchInfo
    observation: Observation | None


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action with its message, its label and, if requested, its targets in the seat's scene."""

    code: Code
    action: Message
    label: str
    targets: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class LegalPage:
    """Page of a seat's legal actions at the decision that is pending since record ``seq``.

    ``actions`` is empty unless typed actions were requested; ``sampled``: the page lists only a sample of the legal
    actions.
    """

    seq: int
    codes: Sequence[int]
    actions: Sequence[LegalAction]
    next_page_token: str
    sampled: bool


class Submitted(NamedTuple):
    """Answer to an action that was taken (or only checked): its record, the newest record, and the match's state."""

    action_seq: int
    seq: int
    state: MatchState
    code: Code


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    """Answer to an undo call: whether play has gone back, and the newest record."""

    undone: bool
    seq: int


@dataclass(frozen=True, slots=True)
class ChanceAnswer:
    """Answer to provided outcomes: how many are still queued, and the newest record."""

    queued: int
    seq: int


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Filters of a listing of matches. ``to_act`` needs ``player``; ``imported`` None: either."""

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
    """Page of a listing; ``next_page_token`` is empty on the last one."""

    matches: Sequence[MatchInfo]
    next_page_token: str
