"""Creation of matches and forks: storing and caching a match, and seating the players who are connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from cext.chance import UID_BYTES
from engine_service.errors import InvalidField, MatchNotEnded, PackFault, ShuttingDown, StoreUnavailable
from engine_service.hosting.headers import ConfiguredGame, HeaderBuilder, name_of_uid
from engine_service.hosting.invitations import SeatGrant
from engine_service.hosting.match_cache import RECORDS_AT_ONCE, replay_log
from engine_service.hosting.runtime import MatchRuntime
from engine_service.log.header import Header, configure
from engine_service.log.records import Record, chain_all, first_chain
from engine_service.log.replay import read
from engine_service.match_enums import MatchState
from engine_service.matches import seats, tokens
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer, Request
from engine_service.matches.match import LiveMatch
from engine_service.matches.rows import row_of
from engine_service.matches.sealing import context_of
from engine_service.model import Created, ForkSetup, MatchSetup, Origin, has_ended
from engine_service.observability.logs import new_incident_id
from engine_service.pack_guard import PackRaised, log_pack_error
from engine_service.store.base import RequestConflict
from gamepacks.api.types import OMNISCIENT, SIMULTANEOUS, SPECTATOR

log = logging.getLogger(__name__)

T = TypeVar("T")


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
