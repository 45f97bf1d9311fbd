"""Headers of new matches and forks: checks of a request, the configured game, and the header built from them."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
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
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.match_enums import ChanceSource, SeatKind
from engine_service.matches.play import unpack
from engine_service.matches.sealing import PositionSealer, rules_context
from engine_service.model import NO_LABELS, ForkSetup, MatchSetup, Origin, Policy, SeatSetup, TimeControl
from engine_service.pack_guard import PACK_GUARD
from engine_service.text import name_fault, text_fault
from gamepacks.api.bots import Budget
from gamepacks.api.errors import Fault, InvalidInput, InvalidMessage, InvalidOptions
from gamepacks.api.errors import InvalidPlayerCount as WrongCount
from gamepacks.api.errors import UnknownGame as NoSuchGame
from gamepacks.api.game import Game
from gamepacks.api.options import message_values
from gamepacks.api.registry import LoadedGame, Registry

T = TypeVar("T")


def interned(value: T) -> T:
    """Returns one object for equal values, so that thousands of matches share it."""
    return cast(T, _interned(value))


@lru_cache(maxsize=1024)
def _interned(value: object) -> object:
    return value


@dataclass(frozen=True, slots=True)
class ConfiguredGame:
    """A configured game, and the position to begin from."""

    loaded: LoadedGame
    game: Game[Any]
    options: Message
    """The pack's options message, every option set."""
    card_set_digest: bytes
    position: Message | None
    """In its canonical form, without its seal; None: the initial state."""
    context: tuple[bytes, ...]
    """Context of the seals of its positions."""


class HeaderBuilder:
    """Builds the headers of new matches and forks. Its errors name every fault of the request."""

    def __init__(
        self, registry: Registry, limits: Limits, engine_version: str, sealer: PositionSealer, replica: int
    ) -> None:
        """``replica`` is the number of this service among those that share the store; 0 if it is the only one."""
        self._registry = registry
        self._replica = replica
        self._limits = limits
        self._engine_version = engine_version
        self._sealer = sealer

    def new(self, setup: MatchSetup, now_ms: int) -> tuple[Header, bytes]:
        """Returns the header of a new match and its secret seed.

        Raises UnknownGame, UnknownBot, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField,
        MalformedMessage, PackRaised.
        """
        configured = self.configured_game(setup)
        if configured.position is not None:
            self._sealer.seal(configured.context, configured.position)
        return self._build(
            configured.loaded,
            setup,
            now_ms,
            rules_version=configured.loaded.game.rules_version,
            options=_packed(configured.options),
            card_set_digest=configured.card_set_digest,
            position=None if configured.position is None else _packed(configured.position),
        )

    def configured_game(self, setup: MatchSetup) -> ConfiguredGame:
        """Returns the configured game of a request, with its position, whose seal was checked and removed.

        Raises UnknownGame, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField, MalformedMessage,
        PackRaised.
        """
        try:
            loaded = self._registry.game(setup.game)
        except NoSuchGame:
            raise UnknownGame(setup.game, self._registry.games) from None
        game = self._configure(loaded, setup)
        with PACK_GUARD:
            options = game.options_message()
        digest = game.card_set.digest if game.card_set else b""
        data = options.SerializeToString(deterministic=True)
        context = rules_context(loaded.game.id, loaded.game.rules_version, game.players, data, digest)
        position = None if setup.position is None else self._position(game, setup.position, context)
        return ConfiguredGame(loaded, game, options, digest, position, context)

    def fork(self, original: Header, origin: Origin, setup: ForkSetup, now_ms: int) -> tuple[Header, bytes]:
        """Returns the header of a fork and its secret seed. Raises UnknownBot, InvalidPlayerCount, InvalidField."""
        loaded = self._registry.games[original.game]
        players = original.players
        seats = setup.seats or [SeatSetup()] * players
        if len(seats) != players:
            raise InvalidPlayerCount(len(seats), players, players)
        fork_setup = MatchSetup(
            game=original.game,
            seats=seats,
            time_control=setup.time_control,
            policy=setup.policy,
            ephemeral=setup.ephemeral,
            labels=setup.labels,
        )
        return self._build(
            loaded,
            fork_setup,
            now_ms,
            rules_version=original.rules_version,
            options=original.options,
            card_set_digest=original.card_set_digest,
            position=original.position,
            origin=origin,
        )

    def _build(self, loaded: LoadedGame, setup: MatchSetup, now_ms: int, **fixed: Any) -> tuple[Header, bytes]:
        """Check seats, labels, clocks and bots, and draw the uid (from which the name follows) and the seed."""
        faults = [
            *self._seat_faults(setup.seats),
            *self._label_faults(setup.labels),
            *self._clock_faults(setup.time_control),
        ]
        seeded = setup.policy.chance is ChanceSource.SEEDED
        if seeded and setup.seed is None:
            faults.append(Fault("seed", "must be set if policy.chance is SEEDED"))
        if setup.seed is not None and not seeded:
            faults.append(Fault("seed", f"must not be set if policy.chance is {setup.policy.chance.name}"))
        if faults:
            raise InvalidField.of(*faults)
        seats = [_with_level(loaded, seat) for seat in setup.seats]
        wanted = [seat.player for seat in seats if seat.kind is SeatKind.BOT]
        for bot in [*wanted, setup.policy.absence_bot or Policy().absence_bot]:
            if bot not in loaded.bots:
                raise UnknownBot(loaded.game.id, bot, loaded.bots)
        if wrong := [*_level_faults(loaded, setup.seats), *self._budget_faults(loaded, seats)]:
            raise InvalidField.of(*wrong)
        uid = secrets.token_bytes(UID_BYTES)
        # Only this service has an ephemeral match, so the name says which one it is, if others share the store.
        suffix = f"-{self._replica}" if setup.ephemeral and self._replica else ""
        seed = secrets.token_bytes(SEED_BYTES) if setup.seed is None else seed_of_number(setup.seed)
        header = Header(
            match=name_of_uid(uid) + suffix,
            uid=uid,
            game=loaded.game.id,
            engine_version=self._engine_version,
            seed_commitment=commitment(seed),
            seats=interned(tuple(seats)),
            create_ms=now_ms,
            time_control=self._time_control(setup.time_control),
            policy=_policy(setup.policy),
            labels=dict(sorted(setup.labels.items())) if setup.labels else NO_LABELS,
            **fixed,
        )
        return header, seed

    def _position(self, game: Game[Any, Any], given: Message, context: tuple[bytes, ...]) -> Message:
        """Returns the position in its canonical form, without its seal. Raises MalformedMessage, InvalidPosition."""
        message = self._sealer.unsealed(context, unpack(given, game.messages.position, "position"))
        with PACK_GUARD:
            try:
                position: Message = game.position(game.restore(message))
            except InvalidMessage as wrong:
                raise MalformedMessage.of(*faults_under("position", wrong)) from None
            except InvalidInput as wrong:
                raise InvalidPosition.of(*faults_under("position", wrong)) from None
        return position

    def _configure(self, loaded: LoadedGame, setup: MatchSetup) -> Game[Any]:
        given: dict[str, Any] = {}
        if setup.options is not None:
            message = unpack(setup.options, loaded.game.messages.options, "options")
            with PACK_GUARD:
                try:
                    given = message_values(message)
                except InvalidOptions as wrong:
                    raise InvalidOption.of(*faults_under("options", wrong)) from None
        twice = [name for name in setup.option_texts if name in given]
        if twice:
            raise InvalidOption.of(
                *(Fault(f"options.{name}", "given twice: in options and in option_texts") for name in sorted(twice))
            )
        with PACK_GUARD:
            try:
                return loaded.configure(len(setup.seats), {**given, **setup.option_texts})
            except WrongCount as wrong:
                raise InvalidPlayerCount(len(setup.seats), wrong.minimum, wrong.maximum) from None
            except InvalidOptions as wrong:
                raise InvalidOption.of(*faults_under("options", wrong)) from None

    def _seat_faults(self, seats: Iterable[SeatSetup]) -> Iterable[Fault]:
        for number, seat in enumerate(seats):
            field = f"seats[{number}].player"
            if seat.kind is SeatKind.OPEN and seat.player:
                yield Fault(field, "must be empty for an open seat")
            if seat.kind is SeatKind.INVITED and (wrong := name_fault(seat.player, self._limits.player_name_length)):
                yield Fault(field, wrong)
            if seat.kind is SeatKind.BOT and not seat.player:
                yield Fault(field, "must name the bot")

    def _budget_faults(self, loaded: LoadedGame, seats: Iterable[SeatSetup]) -> Iterable[Fault]:
        limits = self._limits
        for number, seat in enumerate(seats):
            if seat.budget is None:
                continue
            field = f"seats[{number}].budget"
            if seat.kind is not SeatKind.BOT or not loaded.bots[seat.player].takes_budget:
                taking = ", ".join(name for name, bot in loaded.bots.items() if bot.takes_budget) or "none"
                yield Fault(field, f"must not be set; only these bots take a budget: {taking}")
            if (seat.budget.playouts or 0) > limits.bot_playouts_max:
                yield Fault(f"{field}.playouts", f"must be at most {limits.bot_playouts_max}")
            if (seat.budget.milliseconds or 0) > limits.bot_milliseconds_max:
                yield Fault(f"{field}.milliseconds", f"must be at most {limits.bot_milliseconds_max}")

    def _label_faults(self, labels: Mapping[str, str]) -> Iterable[Fault]:
        limits = self._limits
        if len(labels) > limits.labels:
            yield Fault("labels", f"must have at most {limits.labels} entries")
        for key, value in sorted(labels.items())[: limits.labels + 1]:
            if wrong := text_fault(key, limits.label_key_length, at_least=1):
                yield Fault("labels", f"a label's key: {wrong}")
            elif wrong := text_fault(value, limits.label_value_length):
                yield Fault(f"labels[{key}]", wrong)

    def _time_control(self, control: TimeControl | None) -> TimeControl | None:
        """Returns the time control with the default limit for private decisions; None if it sets no limit."""
        if control is None or (not control.has_clocks and control.private_ms is None):
            return None
        if control.private_ms is None:
            own = self._limits.private_decision_ms
            per_move = control.per_move_ms
            control = replace(control, private_ms=own if per_move is None else min(own, per_move))
        return interned(control)

    def _clock_faults(self, control: TimeControl | None) -> Iterable[Fault]:
        if control is None:
            return
        longest = self._limits.clock_max_ms
        allowed = f"must be more than 0 and at most {longest} ms"
        for field, value in (
            ("per_move", control.per_move_ms),
            ("per_match", control.per_match_ms),
            ("private_decision", control.private_ms),
        ):
            if value is not None and not 0 < value <= longest:
                yield Fault(f"time_control.{field}", allowed)
        if not 0 <= control.increment_ms <= longest:
            yield Fault("time_control.increment", f"must be from 0 to {longest} ms")
        if control.increment_ms and control.per_match_ms is None:
            yield Fault("time_control.increment", "must not be set without per_match")


def _names_level(loaded: LoadedGame, seat: SeatSetup) -> bool:
    """Returns whether a seat names a level of the game instead of a bot."""
    return seat.kind is SeatKind.BOT and seat.player in loaded.game.levels and seat.player not in loaded.bots


def _with_level(loaded: LoadedGame, seat: SeatSetup) -> SeatSetup:
    """Returns the seat with the bot and the budget of its level; the seat itself if it names none."""
    if not _names_level(loaded, seat):
        return seat
    level = loaded.game.levels[seat.player]
    return SeatSetup(SeatKind.BOT, level.bot, level.budget if level.budget != Budget() else None)


def _level_faults(loaded: LoadedGame, seats: Iterable[SeatSetup]) -> Iterable[Fault]:
    for number, seat in enumerate(seats):
        if seat.budget is not None and _names_level(loaded, seat):
            message = f"must not be set, because the level {seat.player} has its own budget"
            yield Fault(f"seats[{number}].budget", message)


def name_of_uid(uid: bytes) -> str:
    """Returns the resource name of the match of that uid."""
    return "matches/" + base64.b32encode(uid).decode().rstrip("=").lower()


def faults_under(field: str, error: InvalidInput) -> list[Fault]:
    """Returns faults that a pack found in a field of the request, with that field's name in front of theirs."""
    return [Fault(f"{field}.{fault.field}" if fault.field else field, fault.message) for fault in error.faults]


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message, deterministic=True)
    return packed


def _policy(policy: Policy) -> Policy:
    if not policy.absence_bot:
        policy = Policy(policy.undo, policy.absence, Policy().absence_bot, policy.chance, policy.manual_start)
    return interned(policy)
