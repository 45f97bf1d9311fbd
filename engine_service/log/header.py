"""Header of a log: the setup of its match. Its bytes are the root of the hash chain and never change.

Only this module converts between the protocol's ReplayHeader and the service's own values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any as Untyped
from typing import Self, TypeVar

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message

from cext.chance import UID_BYTES
from cext.state import State
from engine_service.errors import CardSetNotLoaded, ReplayInvalid, RulesNotLoaded
from engine_service.match_enums import AbsencePolicy, ChanceSource, SeatKind, UndoPolicy
from engine_service.model import NO_LABELS, Origin, Policy, SeatSetup, TimeControl
from engine_service.text import is_readable, text_fault
from gamepacks.api.bots import Budget
from gamepacks.api.cards import UnknownCardSet
from gamepacks.api.errors import InvalidInput, UnknownGame
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry
from omnilude.v1 import match_pb2, match_service_pb2, replay_pb2

FORMAT = 1
_MATCH = re.compile(r"matches/[A-Za-z0-9_-]{1,64}")
_GAME = re.compile(r"games/[A-Za-z0-9_.-]{1,64}")
DIGEST_BYTES = 32
NAME_LENGTH = 64
LATEST_MS = 253_402_300_799_999
"""The end of the year 9999, the latest protobuf Timestamp."""
LONGEST_SECONDS = 315_576_000_000
"""The longest protobuf Duration."""
MAX_SEATS = 127
"""Maximum number of seats: a record has one signed byte for the seat."""
PACK_MESSAGE_BYTES = 1 << 16
"""Maximum size of an options, position or action message of a game; parsing a longer one would block the loop."""

EnumT = TypeVar("EnumT", bound=IntEnum)


@dataclass(frozen=True, slots=True)
class Header:
    """Setup of the match that a log belongs to."""

    match: str
    """"matches/{id}"."""
    uid: bytes
    """16 bytes, unique for the match."""
    game: str
    """The game's id, without "games/"."""
    rules_version: str
    engine_version: str
    options: Any
    """The pack's options message, every option set."""
    seed_commitment: bytes
    seats: tuple[SeatSetup, ...]
    create_ms: int
    card_set_digest: bytes = b""
    position: Any | None = None
    """The position that play began from; None: the initial state."""
    time_control: TimeControl | None = None
    policy: Policy = field(default_factory=Policy)
    origin: Origin | None = None
    labels: Mapping[str, str] = field(default_factory=lambda: NO_LABELS)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.seats)

    @property
    def chance_uid(self) -> bytes:
        """The uid that outcomes are drawn with: zeros if equal seeds must give equal outcomes."""
        return bytes(UID_BYTES) if self.policy.chance is ChanceSource.SEEDED else self.uid

    @property
    def inherited_plies(self) -> int:
        """Number of the log's first steps that were copied from another match."""
        return self.origin.plies if self.origin else 0

    def encode(self) -> bytes:
        """Returns the serialised ReplayHeader."""
        message = replay_pb2.ReplayHeader(
            format=FORMAT,
            match=self.match,
            uid=self.uid,
            game=f"games/{self.game}",
            rules_version=self.rules_version,
            engine_version=self.engine_version,
            players=self.players,
            options=self.options,
            card_set_digest=self.card_set_digest,
            seed_commitment=self.seed_commitment,
            position=self.position,
            seats=[
                replay_pb2.ReplaySeat(kind=int(seat.kind), player=seat.player, budget=budget_message(seat.budget))  # type: ignore[arg-type]
                for seat in self.seats
            ],
            time_control=_time_control_message(self.time_control),
            policy=match_pb2.MatchPolicy(
                undo=int(self.policy.undo),  # type: ignore[arg-type]
                absence=int(self.policy.absence),  # type: ignore[arg-type]
                absence_bot=self.policy.absence_bot,
                chance=int(self.policy.chance),  # type: ignore[arg-type]
                manual_start=self.policy.manual_start,
            ),
            create_time_ms=self.create_ms,
            labels=[replay_pb2.Label(key=key, value=value) for key, value in sorted(self.labels.items())],
        )
        if self.origin is not None:
            message.origin.CopyFrom(
                match_pb2.ForkOrigin(
                    match=self.origin.match,
                    seq=self.origin.seq,
                    plies=self.origin.plies,
                    private_plies=self.origin.private_plies,
                )
            )
        return message.SerializeToString(deterministic=True)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode a serialised ReplayHeader. Raises ReplayInvalid if no service of this format wrote it."""
        message = replay_pb2.ReplayHeader()
        try:
            message.ParseFromString(data)
        except DecodeError:
            raise ReplayInvalid(0, "the header cannot be read") from None
        if message.format != FORMAT:
            raise ReplayInvalid(0, f"format {message.format} is unknown; this version reads format {FORMAT}")
        if has_unknown_fields(message):
            raise ReplayInvalid(0, "the header has unknown fields")
        _check_sizes(message)
        policy = message.policy
        origin = message.origin
        return cls(
            match=message.match,
            uid=message.uid,
            game=message.game.removeprefix("games/"),
            rules_version=message.rules_version,
            engine_version=message.engine_version,
            options=message.options,
            seed_commitment=message.seed_commitment,
            seats=tuple(SeatSetup(_enum(SeatKind, seat.kind), seat.player, budget_of(seat)) for seat in message.seats),
            create_ms=message.create_time_ms,
            card_set_digest=message.card_set_digest,
            position=message.position if message.HasField("position") else None,
            time_control=_time_control(message.time_control) if message.HasField("time_control") else None,
            policy=Policy(
                undo=_enum(UndoPolicy, policy.undo),
                absence=_enum(AbsencePolicy, policy.absence),
                absence_bot=policy.absence_bot,
                chance=_enum(ChanceSource, policy.chance),
                manual_start=policy.manual_start,
            ),
            origin=Origin(origin.match, origin.seq, origin.plies, origin.private_plies)
            if message.HasField("origin")
            else None,
            labels={label.key: label.value for label in message.labels},
        )


def set_up(header: Header, registry: Registry) -> tuple[Game[Untyped], State]:
    """Returns the configured game of a header and its state before the first step: :func:`configure`,
    :func:`state_at_start`."""
    game = configure(header, registry)
    return game, state_at_start(header, game)


def configure(header: Header, registry: Registry) -> Game[Untyped]:
    """Returns the configured game of a header; headers with equal options can share one.

    Raises RulesNotLoaded if the game or its rules version is not loaded, CardSetNotLoaded if its card set is not or has
    other cards, ReplayInvalid if the options are not the game's; and whatever else the pack raises.
    """
    try:
        loaded = registry.game(header.game)
    except UnknownGame:
        raise RulesNotLoaded(header.game, header.rules_version) from None
    kind = loaded.game
    if kind.rules_version != header.rules_version:
        raise RulesNotLoaded(header.game, header.rules_version)
    try:
        game = loaded.configure(header.players, _unpack(header.options, kind.messages.options, "options"))
    except UnknownCardSet as unknown:
        raise CardSetNotLoaded(header.game, unknown.card_set, header.card_set_digest, None) from None
    except InvalidInput as error:
        raise ReplayInvalid(0, f"the options or the number of players are invalid: {error}") from None
    card_set = game.card_set
    name, digest = ("", b"") if card_set is None else (card_set.id, card_set.digest)
    if header.card_set_digest != digest:
        raise CardSetNotLoaded(header.game, name, header.card_set_digest, digest)
    return game


def state_at_start(header: Header, game: Game[Untyped]) -> State:
    """Returns the state before the first step.

    Raises ReplayInvalid if the header's position is not one of the game; and whatever else the pack raises.
    """
    if header.position is None:
        return game.initial_state()
    try:
        return game.restore(_unpack(header.position, game.messages.position, "position"))
    except InvalidInput as error:
        raise ReplayInvalid(0, f"the position is invalid: {error}") from None


def has_unknown_fields(message: Message) -> bool:
    """Returns whether a message has unknown fields, at any depth, and removes them."""
    size = message.ByteSize()
    message.DiscardUnknownFields()
    return message.ByteSize() != size


def _check_sizes(message: replay_pb2.ReplayHeader) -> None:
    valid = {
        "match": _MATCH.fullmatch(message.match) is not None,
        "uid": len(message.uid) == UID_BYTES,
        "game": _GAME.fullmatch(message.game) is not None,
        "seats": message.players == len(message.seats)
        and 1 <= len(message.seats) <= MAX_SEATS
        and all(not seat.player or is_readable(seat.player) for seat in message.seats),
        "seed_commitment": len(message.seed_commitment) == DIGEST_BYTES,
        "card_set_digest": len(message.card_set_digest) in (0, DIGEST_BYTES),
        "rules_version": not message.rules_version or is_readable(message.rules_version),
        "engine_version": not text_fault(message.engine_version, NAME_LENGTH),
        "policy": not text_fault(message.policy.absence_bot, NAME_LENGTH),
        "create_time_ms": 0 <= message.create_time_ms <= LATEST_MS,
        "time_control": all(
            0 <= span.seconds <= LONGEST_SECONDS and 0 <= span.nanos < 1_000_000_000
            for span in (
                message.time_control.per_move,
                message.time_control.per_match,
                message.time_control.increment,
                message.time_control.private_decision,
            )
        ),
        "origin": not message.HasField("origin")
        or (
            _MATCH.fullmatch(message.origin.match) is not None
            and message.origin.seq >= 0
            and 0 <= message.origin.private_plies <= message.origin.plies
        ),
        "labels": len({label.key for label in message.labels}) == len(message.labels)
        and all(is_readable(label.key) and (not label.value or is_readable(label.value)) for label in message.labels),
    }
    if wrong := [name for name, is_valid in valid.items() if not is_valid]:
        raise ReplayInvalid(0, f"the header has invalid fields: {', '.join(wrong)}")


def budget_message(budget: Budget | None) -> match_pb2.BotBudget | None:
    """Returns the message of a bot's budget; None for the service's own."""
    if budget is None:
        return None
    return match_pb2.BotBudget(playouts=budget.playouts or 0, milliseconds=budget.milliseconds or 0)


def budget_of(seat: replay_pb2.ReplaySeat | match_service_pb2.SeatSetup) -> Budget | None:
    """Returns the budget of a seat's bot; None if it has none of its own."""
    given = seat.budget
    if not given.playouts and not given.milliseconds:
        return None
    return Budget(given.playouts or None, given.milliseconds or None)


def _enum(kind: type[EnumT], number: int) -> EnumT:
    try:
        return kind(number)
    except ValueError:
        raise ReplayInvalid(0, f"the header has an unknown {kind.__name__} {number}") from None


def _unpack(packed: Any, wanted: type[Message], what: str) -> Message:
    message = wanted()
    try:
        if len(packed.value) <= PACK_MESSAGE_BYTES and packed.Unpack(message):
            return message
    except DecodeError:
        pass
    raise ReplayInvalid(0, f"{what} in the header must be a {wanted.DESCRIPTOR.full_name}")


def _time_control_message(control: TimeControl | None) -> match_pb2.TimeControl | None:
    if control is None:
        return None
    return match_pb2.TimeControl(
        per_move=_duration(control.per_move_ms),
        per_match=_duration(control.per_match_ms),
        increment=_duration(control.increment_ms or None),
        private_decision=_duration(control.private_ms),
    )


def _time_control(message: match_pb2.TimeControl) -> TimeControl:
    return TimeControl(
        per_move_ms=message.per_move.ToMilliseconds() if message.HasField("per_move") else None,
        per_match_ms=message.per_match.ToMilliseconds() if message.HasField("per_match") else None,
        increment_ms=message.increment.ToMilliseconds(),
        private_ms=message.private_decision.ToMilliseconds() if message.HasField("private_decision") else None,
    )


def _duration(milliseconds: int | None) -> Duration | None:
    if milliseconds is None:
        return None
    duration = Duration()
    duration.FromMilliseconds(milliseconds)
    return duration
