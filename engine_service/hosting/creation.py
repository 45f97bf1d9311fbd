"""Creation of matches: checks of a request, the header of the new match, storing it, and forks of other matches."""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
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
    MatchNotEnded,
    PackFault,
    ShuttingDown,
    StoreUnavailable,
    UnknownBot,
    UnknownGame,
)
from engine_service.hosting.invitations import SeatGrant
from engine_service.hosting.match_cache import RECORDS_AT_ONCE, replay_log
from engine_service.hosting.runtime import MatchRuntime
from engine_service.limits import Limits
from engine_service.log.header import Header, configure
from engine_service.log.records import Record, chain_all, first_chain
from engine_service.log.replay import read
from engine_service.match_enums import ChanceSource, MatchState, SeatKind
from engine_service.matches import seats, tokens
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer, Request
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import unpack
from engine_service.matches.rows import row_of
from engine_service.matches.sealing import PositionSealer, context_of, rules_context
from engine_service.model import (
    NO_LABELS,
    Created,
    ForkSetup,
    MatchSetup,
    Origin,
    Policy,
    SeatSetup,
    TimeControl,
    has_ended,
)
from engine_service.observability.logs import new_incident_id
from engine_service.pack_guard import PACK_GUARD, PackRaised, log_pack_error
from engine_service.store.base import RequestConflict
from engine_service.text import name_fault, text_fault
from gamepacks.api.bots import Budget
from gamepacks.api.errors import Fault, InvalidInput, InvalidMessage, InvalidOptions
from gamepacks.api.errors import InvalidPlayerCount as WrongCount
from gamepacks.api.errors import UnknownGame as NoSuchGame
from gamepacks.api.game import Game
from gamepacks.api.options import message_values
from gamepacks.api.registry import LoadedGame, Registry
from gamepacks.api.types import OMNISCIENT, SIMULTANEOUS, SPECTATOR

log = logging.getLogger(__name__)

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


class MatchCreator:
    """Creates and forks matches: stores and caches them, seats connected players, and starts matches without open
    seats."""

    def __init__(self, runtime: MatchRuntime, headers: HeaderBuilder) -> None:
        self._runtime = runtime
        self._headers = headers

    async def create(self, setup: MatchSetup, request: Request | None) -> Created:
        """See :meth:`engine_service.hosting.host.MatchHost.create`."""
        if (known := await self._stored_answer(request)) is not None:
            return await self._created(known)
        header, seed = self._call_pack(lambda: self._headers.new(setup, self._runtime.time.wall_ms()))
        return await self._add(header, seed, setup.ephemeral, [], request)

    async def fork(self, name: str, setup: ForkSetup, seq: int, token: str, request: Request | None) -> Created:
        """See :meth:`engine_service.hosting.host.MatchHost.fork`."""
        original = await self._runtime.cache.get_or_load(name, token, tokens.viewer_of)
        if (known := await self._stored_answer(request)) is not None:
            return await self._created(known)
        viewer = original.viewer_of(token)
        if original.has_hidden_information and viewer != OMNISCIENT and not has_ended(original.state):
            raise MatchNotEnded("copying it")
        numbering = original.numbering
        wanted = numbering.match_seq(viewer, seq)
        steps, private = await fork_steps(original, wanted)
        # Everyone may read the origin of a match, so its seq is the spectator's.
        origin = Origin(name, numbering.viewer_seq(SPECTATOR, wanted), len(steps), private)
        header, seed = self._headers.fork(original.header, origin, setup, self._runtime.time.wall_ms())
        return await self._add(header, seed, setup.ephemeral, steps, request)

    def configure(self, setup: MatchSetup) -> ConfiguredGame:
        """See :meth:`engine_service.hosting.host.MatchHost.configure`."""
        return self._call_pack(lambda: self._headers.configured_game(setup))

    async def configure_replay(self, data: bytes) -> ConfiguredGame:
        """See :meth:`engine_service.hosting.host.MatchHost.configure_replay`."""
        # A long replay takes milliseconds, so a thread reads it.
        header = Header.decode((await asyncio.to_thread(read, data)).header)
        registry = self._runtime.registry
        self._runtime.sealer.check_header(header, registry)
        game = self._call_pack(lambda: configure(header, registry))
        options = self._call_pack(game.options_message)
        return ConfiguredGame(
            registry.games[header.game], game, options, header.card_set_digest, None, context_of(header)
        )

    # -- repeated requests ---------------------------------------------------------------------------------------------

    async def _stored_answer(self, request: Request | None) -> Answer | None:
        """Returns the answer to a request that came before; None for a new one."""
        if self._runtime.writer.closing:
            raise ShuttingDown()
        if request is None:
            return None
        stored = await self._runtime.writer.stored_answer(request)
        return stored if stored is not None else self._runtime.recent.find(request)

    async def _created(self, answer: Answer) -> Created:
        """Returns the response for a stored answer, which holds only the uid of the match."""
        name = name_of_uid(answer[0].to_bytes(UID_BYTES))
        replica = self._runtime.store.replica
        if replica is not None and self._runtime.cache.get_cached(f"{name}-{replica.number}") is not None:
            name = f"{name}-{replica.number}"  # an ephemeral one
        live = await self._runtime.cache.get_or_load(name)
        return Created(live.info(OMNISCIENT), tokens.host_token(self._runtime.secret, live.header.uid, live.host_nonce))

    # -- adding a match ------------------------------------------------------------------------------------------------

    async def _add(
        self, header: Header, seed: bytes, ephemeral: bool, steps: Sequence[Record], request: Request | None
    ) -> Created:
        """Create the match of a header; ``steps`` are the records that a fork copies."""
        runtime = self._runtime
        replica = runtime.store.replica
        if ephemeral and replica is not None and not replica.address and not await replica.alone():
            raise InvalidField.one(
                "ephemeral",
                "several services share the store, and this one has no address of its own (own_address), so "
                "clients could not find the match",
            )
        runtime.cache.make_room()
        live = self._call_pack(lambda: runtime.cache.new_match(header, header.encode()))
        live.seed, live.ephemeral = seed, ephemeral
        live.epoch_ms = runtime.time.monotonic_ms()
        live.host_nonce = tokens.new_nonce()
        token = tokens.host_token(runtime.secret, header.uid, live.host_nonce)
        live.host_digest = tokens.digest(token)
        draft = live.replay_draft()
        try:
            await replay_log(draft, steps)
            live.chain = await _chain_in_slices(first_chain(live.header_bytes), steps)
        except PackRaised as raised:
            raise self._fault(raised) from None
        grants = self._call_pack(lambda: self._seat_players(draft))
        answer = (int.from_bytes(header.uid),)
        if ephemeral:
            runtime.recent.keep(request, answer)
            self._add_to_cache(live, draft, grants)
        else:
            first = await runtime.writer.run_to_end(self._store_and_cache(live, draft, grants, request, answer))
            if first != answer:
                return await self._created(first)
        return Created(live.info(OMNISCIENT), token)

    def _seat_players(self, draft: Draft) -> list[SeatGrant]:
        """Seat the invited players who are connected, and start play if all seats are taken."""
        decide = self._runtime.bots.decide
        grants = self._runtime.players.seat_connected(draft, decide)
        if draft.after.state is MatchState.WAITING:
            seats.start_if_full(draft, decide)
        return grants

    async def _store_and_cache(
        self, live: LiveMatch, draft: Draft, grants: Sequence[SeatGrant], request: Request | None, answer: Answer
    ) -> Answer:
        """Store a new match and cache it. Returns the first answer if the request came before."""
        with self._runtime.cache.creating(live.name):
            if (first := await self._store(live, draft, request, answer)) == answer:
                self._add_to_cache(live, draft, grants)
        return first

    async def _store(self, live: LiveMatch, draft: Draft, request: Request | None, answer: Answer) -> Answer:
        """Store a new match. Returns the first answer if the request came before."""
        runtime = self._runtime
        live.chain = chain_all(live.chain, draft.records[draft.history.log.last_seq :])
        row = row_of(
            live.header,
            live.header_bytes,
            draft.after,
            seed=live.seed,
            chain=live.chain,
            host_nonce=live.host_nonce,
            host_digest=live.host_digest,
            uptime_ms=live.uptime_of(draft.after),
        )
        uptime_ms = runtime.uptime_at(runtime.time.monotonic_ms())
        stored = None if request is None else request.stored(answer, uptime_ms)
        try:
            live.key = (await runtime.store.create(row, draft.records, stored)).key
        except StoreUnavailable:
            runtime.stats.store_failures += 1
            raise
        except RequestConflict:
            return await runtime.writer.first_answer(request)
        return answer

    def _add_to_cache(self, live: LiveMatch, draft: Draft, grants: Sequence[SeatGrant]) -> None:
        before = live.snapshot
        live.load(draft)
        self._runtime.created(live, before, draft, grants)

    def _call_pack(self, call: Callable[[], T]) -> T:
        """Returns the result of a pack call for a match that does not exist yet. Raises PackFault."""
        try:
            return call()
        except PackRaised as raised:
            raise self._fault(raised) from None

    def _fault(self, raised: PackRaised) -> PackFault:
        incident = new_incident_id()
        self._runtime.stats.pack_faults += 1
        log_pack_error(log, incident, "a pack failed while a match was created", raised.error)
        return PackFault(incident)


async def fork_steps(original: LiveMatch, seq: int) -> tuple[list[Record], int]:
    """Returns the steps in force after record ``seq`` (0: none) as the first records of a new log, and the number of
    private ones among them.

    Raises InvalidField unless a decision was pending after that record that no seat had answered yet; PackFault.
    """
    if seq == 0:
        return [], 0
    if not 0 < seq <= original.seq:
        raise InvalidField.one("seq", f"the match has records 1 to {original.seq}")
    steps: list[Record] = []
    for step in original.history.steps_back(seq):
        steps.append(step)
        if len(steps) % RECORDS_AT_ONCE == 0:
            await asyncio.sleep(0)
    steps.reverse()
    if not _decision_pending(original, seq) or (steps and steps[-1].seq > original.decision_at(seq)):
        raise InvalidField.one(
            "seq", "must be a record after which a decision was pending that no seat had answered yet"
        )
    taken: list[Record] = []
    for start in range(0, len(steps), RECORDS_AT_ONCE):
        part = steps[start : start + RECORDS_AT_ONCE]
        taken += [Record(n, step.kind, step.seat, step.code) for n, step in enumerate(part, start + 1)]
        await asyncio.sleep(0)
    return taken, sum(original.numbering.is_private(step.seq) for step in steps)


def _decision_pending(live: LiveMatch, seq: int) -> bool:
    """Returns whether a decision was pending after the record."""
    if not live.decision_at(seq) or (has_ended(live.state) and seq == live.seq):
        return False
    state = live.state_after(seq)
    actor = live.call_pack(state.actor)
    return (actor >= 0 or actor == SIMULTANEOUS) and live.call_pack(state.seats_to_act) != 0


async def _chain_in_slices(link: bytes, records: Sequence[Record]) -> bytes:
    """Returns the chain after these records; yields to the event loop between slices."""
    for start in range(0, len(records), RECORDS_AT_ONCE):
        link = chain_all(link, records[start : start + RECORDS_AT_ONCE])
        await asyncio.sleep(0)
    return link
