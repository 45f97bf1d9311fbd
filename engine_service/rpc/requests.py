"""Conversion of requests to the service's values; an error names every wrong field.

Checks that need only the request are made here (names, enums, durations); those that depend on a match, a game or a
limit are made by the host.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from engine_service import model
from engine_service.errors import InvalidField
from engine_service.log.header import MAX_SEATS, PACK_MESSAGE_BYTES, budget_of
from engine_service.match_enums import AbsencePolicy, ChanceSource, MatchState, SeatKind, UndoPolicy
from gamepacks.api.errors import Fault
from gamepacks.api.types import Code
from omnilude.v1 import match_pb2, match_service_pb2, play_service_pb2, simulation_service_pb2

_MATCH = re.compile(r"matches/[A-Za-z0-9_-]{1,64}")
_GAME = re.compile(r"games/([A-Za-z0-9_.-]{1,64})")

MAX_LABELS = 1_000
"""Maximum of any configuration; the host checks the configured limit."""
MAX_OPTION_TEXTS = 100
OPTION_TEXT_LENGTH = 4096

E = TypeVar("E", bound=IntEnum)


class Faults:
    """Collects the wrong fields of a request."""

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def add(self, field: str, message: str) -> None:
        """Add a wrong field."""
        self._found.append(Fault(field, message))

    def raise_any(self) -> None:
        """Raise InvalidField with all wrong fields, if there are any."""
        if self._found:
            raise InvalidField.of(*self._found)

    def match_name(self, text: str, field: str = "name") -> str:
        """Check the name of a match, ``matches/{id}``, and return it."""
        if _MATCH.fullmatch(text) is None:
            self.add(field, "must be the name of a match, matches/{id}")
        return text

    def game_id(self, text: str, field: str = "game") -> str:
        """Returns the id of a game from ``games/{id}``."""
        found = _GAME.fullmatch(text)
        if found is None:
            self.add(field, "must be the name of a game, games/{id}")
            return ""
        return found[1]

    def enum(self, value: int, kind: type[E], default: E, field: str) -> E:
        """Returns a member of the service's enum; 0 means the default."""
        if value == 0:
            return default
        try:
            return kind(value)
        except ValueError:
            names = ", ".join(f"{member.name} ({member.value})" for member in kind)
            self.add(field, f"must be one of {names}, or unset")
            return default

    def span_ms(self, owner: Message, name: str, prefix: str) -> int | None:
        """Returns a duration in milliseconds; None if it is not set."""
        if not owner.HasField(name):
            return None
        span: Duration = getattr(owner, name)
        if span.seconds < 0 or span.nanos < 0:
            self.add(f"{prefix}.{name}", "must not be negative")
            return 0
        if span.nanos >= 1_000_000_000:
            self.add(f"{prefix}.{name}.nanos", "must be below 1000000000")
            return 0
        return span.seconds * 1000 + span.nanos // 1_000_000

    def at_least(self, value: int, low: int, field: str) -> int:
        """Check that a number is not below ``low``, and return it."""
        if value < low:
            self.add(field, f"must be at least {low}")
        return value


def match_name(name: str) -> str:
    """Returns the name of a match, checked. Raises InvalidField."""
    faults = Faults()
    faults.match_name(name)
    faults.raise_any()
    return name


def game_id(name: str, field: str = "name") -> str:
    """Returns the id of a game from its name, checked. Raises InvalidField."""
    faults = Faults()
    found = faults.game_id(name, field)
    faults.raise_any()
    return found


def match_setup(request: match_service_pb2.CreateMatchRequest) -> model.MatchSetup:
    """Returns the setup of a CreateMatchRequest. Raises InvalidField."""
    faults = Faults()
    setup = model.MatchSetup(
        game=faults.game_id(request.game),
        seats=_seats(faults, request.seats),
        options=_pack_message(faults, request, "options"),
        option_texts=_option_texts(faults, request.option_texts),
        time_control=_time_control(faults, request),
        policy=_seeded(faults, request, _policy(faults, request.policy)),
        position=_pack_message(faults, request, "position"),
        ephemeral=request.ephemeral,
        labels=_labels(faults, request.labels),
        seed=request.seed if request.HasField("seed") else None,
    )
    faults.raise_any()
    return setup


def game_setup(source: simulation_service_pb2.GameSource) -> model.MatchSetup:
    """Returns the setup of a GameSource, with all seats open. Raises InvalidField."""
    faults = Faults()
    if not 0 <= source.players <= MAX_SEATS:
        faults.add("players", f"must be from 1 to {MAX_SEATS}")
    setup = model.MatchSetup(
        game=faults.game_id(source.game),
        seats=[model.SeatSetup()] * min(max(source.players, 0), MAX_SEATS),
        options=_pack_message(faults, source, "options"),
        option_texts=_option_texts(faults, source.option_texts),
        position=_pack_message(faults, source, "position"),
    )
    faults.raise_any()
    return setup


def fork_setup(request: match_service_pb2.ForkMatchRequest) -> tuple[str, int, model.ForkSetup]:
    """Returns the name of the original, the record to copy up to, and the setup of the fork. Raises InvalidField."""
    faults = Faults()
    name = faults.match_name(request.name)
    seq = faults.at_least(request.seq, 0, "seq")
    setup = model.ForkSetup(
        seats=_seats(faults, request.seats),
        time_control=_time_control(faults, request),
        policy=_policy(faults, request.policy),
        ephemeral=request.ephemeral,
        labels=_labels(faults, request.labels),
    )
    faults.raise_any()
    return name, seq, setup


def match_query(request: match_service_pb2.ListMatchesRequest) -> model.MatchQuery:
    """Returns the query of a ListMatchesRequest. Raises InvalidField."""
    faults = Faults()
    states: list[MatchState] = []
    if len(request.states) > len(MatchState):
        faults.add("states", f"must have at most {len(MatchState)} entries")
    for index, state in enumerate(request.states[: len(MatchState)]):
        if state == 0:
            faults.add(f"states[{index}]", "must be a state of a match")
        else:
            states.append(faults.enum(state, MatchState, MatchState.WAITING, f"states[{index}]"))
    query = model.MatchQuery(
        game=faults.game_id(request.game) if request.game else None,
        states=tuple(states),
        labels=_labels(faults, request.labels),
        player=request.player,
        to_act=request.to_act,
        imported=request.imported if request.HasField("imported") else None,
        page_size=faults.at_least(request.page_size, 0, "page_size"),
        page_token=request.page_token,
    )
    if request.to_act and not request.player:
        faults.add("to_act", "must not be set without player")
    faults.raise_any()
    return query


def move(
    request: match_service_pb2.SubmitActionRequest | play_service_pb2.Move, faults: Faults | None = None
) -> Code | Message:
    """Returns the code or the typed action of a request. Raises InvalidField unless ``faults`` are given."""
    kind = request.WhichOneof("action")
    if kind == "code":
        return Code(request.code)
    if kind == "typed_action":
        found = Faults() if faults is None else faults
        action = _pack_message(found, request, "typed_action") or Code(0)
        if faults is None:
            found.raise_any()
        return action
    missing = Faults() if faults is None else faults
    missing.add("action", "code or typed_action must be set")
    if faults is None:
        missing.raise_any()
    return Code(0)


def _option_texts(faults: Faults, texts: Mapping[str, str]) -> dict[str, str]:
    if len(texts) > MAX_OPTION_TEXTS:
        faults.add("option_texts", f"must have at most {MAX_OPTION_TEXTS} entries")
        return {}
    for name, text in sorted(texts.items()):
        if len(text) > OPTION_TEXT_LENGTH:
            faults.add(f"option_texts[{name}]", f"must have at most {OPTION_TEXT_LENGTH} characters")
    return dict(texts)


def _pack_message(faults: Faults, owner: Message, name: str) -> AnyMessage | None:
    """Returns a pack's message, if it is set and not too long."""
    if not owner.HasField(name):
        return None
    packed: AnyMessage = getattr(owner, name)
    if len(packed.value) > PACK_MESSAGE_BYTES:
        faults.add(name, f"must have at most {PACK_MESSAGE_BYTES} bytes")
        return None
    return packed


def _labels(faults: Faults, labels: Mapping[str, str]) -> dict[str, str]:
    if len(labels) > MAX_LABELS:
        faults.add("labels", f"must have at most {MAX_LABELS} entries")
        return {}
    return dict(labels)


def _seats(faults: Faults, seats: Sequence[match_service_pb2.SeatSetup]) -> tuple[model.SeatSetup, ...]:
    found: list[model.SeatSetup] = []
    if len(seats) > MAX_SEATS:
        faults.add("seats", f"must have at most {MAX_SEATS} entries")
        return ()
    for index, seat in enumerate(seats):
        kind = faults.enum(seat.kind, SeatKind, SeatKind.OPEN, f"seats[{index}].kind")
        if kind is SeatKind.OPEN and seat.player:
            faults.add(f"seats[{index}].player", "must be empty for an open seat")
        elif kind is not SeatKind.OPEN and not seat.player:
            faults.add(f"seats[{index}].player", "must name the invited player or the bot")
        found.append(model.SeatSetup(kind, seat.player, budget_of(seat)))
    return tuple(found)


def _time_control(faults: Faults, request: Any) -> model.TimeControl | None:
    if not request.HasField("time_control"):
        return None
    clocks: match_pb2.TimeControl = request.time_control
    return model.TimeControl(
        per_move_ms=faults.span_ms(clocks, "per_move", "time_control"),
        per_match_ms=faults.span_ms(clocks, "per_match", "time_control"),
        increment_ms=faults.span_ms(clocks, "increment", "time_control") or 0,
        private_ms=faults.span_ms(clocks, "private_decision", "time_control"),
    )


def _seeded(faults: Faults, request: match_service_pb2.CreateMatchRequest, policy: model.Policy) -> model.Policy:
    """Returns the policy of a match that may be given a seed."""
    if request.HasField("seed") and request.policy.chance == match_pb2.CHANCE_SOURCE_UNSPECIFIED:
        return replace(policy, chance=ChanceSource.SEEDED)
    return policy


def _policy(faults: Faults, policy: match_pb2.MatchPolicy) -> model.Policy:
    return model.Policy(
        undo=faults.enum(policy.undo, UndoPolicy, UndoPolicy.CONSENT, "policy.undo"),
        absence=faults.enum(policy.absence, AbsencePolicy, AbsencePolicy.FORFEIT, "policy.absence"),
        absence_bot=policy.absence_bot or "random",
        chance=faults.enum(policy.chance, ChanceSource, ChanceSource.SEED, "policy.chance"),
        manual_start=policy.manual_start,
    )
