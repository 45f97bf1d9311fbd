"""From what is asked for a new match to its header: everything checked, every fault named."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar, cast

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from cext.chance import SEED_BYTES, UID_BYTES, commitment, seed_of_number
from engine_service.errors import (
    InvalidField,
    InvalidOption,
    InvalidPlayerCount,
    InvalidPosition,
    MalformedMessage,
    UnknownBot,
    UnknownGame,
)
from engine_service.guard import RULES
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.matches.play import unpack
from engine_service.model import (
    NO_LABELS,
    ChanceSource,
    ForkSetup,
    MatchSetup,
    Origin,
    Policy,
    SeatKind,
    SeatSetup,
    TimeControl,
)
from engine_service.text import name_fault, text_fault
from gamepacks.api.errors import Fault, InvalidInput, InvalidMessage, InvalidOptions
from gamepacks.api.errors import InvalidPlayerCount as WrongCount
from gamepacks.api.errors import UnknownGame as NoSuchGame
from gamepacks.api.game import Game
from gamepacks.api.options import message_values
from gamepacks.api.registry import LoadedGame, Registry

T = TypeVar("T")


def shared(value: T) -> T:
    """One object for equal values, so that thousands of matches do not each keep their own."""
    return cast(T, _known(value))


@lru_cache(maxsize=1024)
def _known(value: object) -> object:
    return value


class Creation:
    """Makes headers of new matches."""

    def __init__(self, registry: Registry, limits: Limits, engine_version: str) -> None:
        self._registry = registry
        self._limits = limits
        self._engine_version = engine_version

    def header(self, setup: MatchSetup, now_ms: int) -> tuple[Header, bytes]:
        """The header of a new match and its secret seed.

        Raises UnknownGame, UnknownBot, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField,
        MalformedMessage, PackRaised.
        """
        try:
            loaded = self._registry.game(setup.game)
        except NoSuchGame:
            raise UnknownGame(setup.game, self._registry.games) from None
        game = self._configure(loaded, setup)
        with RULES:
            options = _packed(game.options_message())
        card_set = game.card_set
        return self._seal(
            loaded,
            setup,
            now_ms,
            rules_version=loaded.game.rules_version,
            options=options,
            card_set_digest=card_set.digest if card_set else b"",
            position=None if setup.position is None else _position(game, setup.position),
        )

    def copy(self, original: Header, origin: Origin, setup: ForkSetup, now_ms: int) -> tuple[Header, bytes]:
        """The header of a copy of a match. Raises UnknownBot, InvalidPlayerCount, InvalidField."""
        loaded = self._registry.games[original.game]
        players = original.players
        seats = setup.seats or [SeatSetup()] * players
        if len(seats) != players:
            raise InvalidPlayerCount(len(seats), players, players)
        asked = MatchSetup(
            game=original.game,
            seats=seats,
            time_control=setup.time_control,
            policy=setup.policy,
            ephemeral=setup.ephemeral,
            labels=setup.labels,
        )
        return self._seal(
            loaded,
            asked,
            now_ms,
            rules_version=original.rules_version,
            options=original.options,
            card_set_digest=original.card_set_digest,
            position=original.position,
            origin=origin,
        )

    def _seal(self, loaded: LoadedGame, setup: MatchSetup, now_ms: int, **fixed: Any) -> tuple[Header, bytes]:
        """Check what has nothing to do with the game's own rules, and draw the match's name, uid and seed."""
        faults = [
            *self._seat_faults(setup.seats),
            *self._label_faults(setup.labels),
            *self._clock_faults(setup.time_control),
        ]
        seeded = setup.policy.chance is ChanceSource.SEEDED
        if seeded and setup.seed is None:
            faults.append(Fault("seed", "needed where policy.chance is SEEDED"))
        if setup.seed is not None and not seeded:
            faults.append(Fault("seed", f"policy.chance is {setup.policy.chance.name}, which takes no seed"))
        if faults:
            raise InvalidField.of(*faults)
        wanted = [seat.player for seat in setup.seats if seat.kind is SeatKind.BOT]
        for bot in [*wanted, setup.policy.absence_bot or Policy().absence_bot]:
            if bot not in loaded.bots:
                raise UnknownBot(loaded.game.id, bot, loaded.bots)
        uid = secrets.token_bytes(UID_BYTES)
        seed = secrets.token_bytes(SEED_BYTES) if setup.seed is None else seed_of_number(setup.seed)
        header = Header(
            match=match_name(uid),
            uid=uid,
            game=loaded.game.id,
            engine_version=self._engine_version,
            seed_commitment=commitment(seed),
            seats=shared(tuple(setup.seats)),
            create_ms=now_ms,
            time_control=self._time_control(setup.time_control),
            policy=_policy(setup.policy),
            labels=dict(sorted(setup.labels.items())) if setup.labels else NO_LABELS,
            **fixed,
        )
        return header, seed

    def _configure(self, loaded: LoadedGame, setup: MatchSetup) -> Game[Any]:
        given: dict[str, Any] = {}
        if setup.options is not None:
            message = unpack(setup.options, loaded.game.messages.options, "options")
            with RULES:
                try:
                    given = message_values(message)
                except InvalidOptions as wrong:
                    raise InvalidOption.of(*under("options", wrong)) from None
        twice = [name for name in setup.option_texts if name in given]
        if twice:
            raise InvalidOption.of(*(Fault(f"options.{name}", "given twice, as text too") for name in sorted(twice)))
        with RULES:
            try:
                return loaded.configure(len(setup.seats), {**given, **setup.option_texts})
            except WrongCount as wrong:
                raise InvalidPlayerCount(len(setup.seats), wrong.minimum, wrong.maximum) from None
            except InvalidOptions as wrong:
                raise InvalidOption.of(*under("options", wrong)) from None

    def _seat_faults(self, seats: Iterable[SeatSetup]) -> Iterable[Fault]:
        for number, seat in enumerate(seats):
            field = f"seats[{number}].player"
            if seat.kind is SeatKind.OPEN and seat.player:
                yield Fault(field, "an open seat has no name yet")
            if seat.kind is SeatKind.INVITED and (wrong := name_fault(seat.player, self._limits.player_name_length)):
                yield Fault(field, wrong)
            if seat.kind is SeatKind.BOT and not seat.player:
                yield Fault(field, "the bot's name is needed")

    def _label_faults(self, labels: Mapping[str, str]) -> Iterable[Fault]:
        limits = self._limits
        if len(labels) > limits.labels:
            yield Fault("labels", f"at most {limits.labels}")
        for key, value in sorted(labels.items())[: limits.labels + 1]:
            if wrong := text_fault(key, limits.label_key_length, at_least=1):
                yield Fault("labels", f"a key: {wrong}")
            elif wrong := text_fault(value, limits.label_value_length):
                yield Fault(f"labels[{key}]", wrong)

    def _time_control(self, control: TimeControl | None) -> TimeControl | None:
        """With a limit for private decisions; None also where no limit is set."""
        if control is None or (control.per_move_ms is None and control.per_match_ms is None):
            return None
        if control.private_ms is None:
            own = self._limits.private_decision_ms
            per_move = control.per_move_ms
            control = replace(control, private_ms=own if per_move is None else min(own, per_move))
        return shared(control)

    def _clock_faults(self, control: TimeControl | None) -> Iterable[Fault]:
        if control is None:
            return
        longest = self._limits.clock_max_ms
        allowed = f"more than 0 and at most {longest} ms"
        for field, value in (
            ("per_move", control.per_move_ms),
            ("per_match", control.per_match_ms),
            ("private_decision", control.private_ms),
        ):
            if value is not None and not 0 < value <= longest:
                yield Fault(f"time_control.{field}", allowed)
        if not 0 <= control.increment_ms <= longest:
            yield Fault("time_control.increment", f"0 to {longest} ms")
        if control.increment_ms and control.per_match_ms is None:
            yield Fault("time_control.increment", "it goes with per_match")


def match_name(uid: bytes) -> str:
    """The resource name of the match of that uid."""
    return "matches/" + base64.b32encode(uid).decode().rstrip("=").lower()


def under(field: str, error: InvalidInput) -> list[Fault]:
    """The pack's faults as faults of a field of the request."""
    return [Fault(f"{field}.{fault.field}" if fault.field else field, fault.message) for fault in error.faults]


def _position(game: Game[Any], given: Message) -> AnyMessage:
    """The position in its canonical form, whatever way it was written."""
    message = unpack(given, game.messages.position, "position")
    with RULES:
        try:
            return _packed(game.position(game.restore(message)))
        except InvalidMessage as wrong:
            raise MalformedMessage.of(*under("position", wrong)) from None
        except InvalidInput as wrong:
            raise InvalidPosition.of(*under("position", wrong)) from None


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message, deterministic=True)
    return packed


def _policy(policy: Policy) -> Policy:
    if not policy.absence_bot:
        policy = Policy(policy.undo, policy.absence, Policy().absence_bot, policy.chance, policy.manual_start)
    return shared(policy)
