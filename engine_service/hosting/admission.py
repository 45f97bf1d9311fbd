"""How matches come to be: asked for anew, copied from another, or taken over as a replay."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from cext.chance import UID_BYTES
from engine_service.errors import LimitReached, MatchExists, MatchNotEnded, PackFault, ShuttingDown, StoreUnavailable
from engine_service.guard import PackRaised, report
from engine_service.hosting.copies import beginning, chained, read_replay
from engine_service.hosting.core import Core
from engine_service.hosting.creation import Creation, match_name
from engine_service.hosting.invitations import Taken
from engine_service.hosting.shelf import fold_in
from engine_service.log.header import Header
from engine_service.log.records import Record, chain_all, first_chain
from engine_service.matches import seats, tokens
from engine_service.matches.draft import Draft
from engine_service.matches.info import info_of_row
from engine_service.matches.match import LiveMatch
from engine_service.matches.requests import Answer, Request
from engine_service.matches.rows import row_of
from engine_service.model import Created, ForkSetup, MatchInfo, MatchSetup, MatchState, Origin
from engine_service.store.base import MatchRow, RequestConflict
from engine_service.telemetry import new_incident
from gamepacks.api.types import OMNISCIENT, SPECTATOR

log = logging.getLogger(__name__)

T = TypeVar("T")


class Admission:
    """Makes matches true: stored where they are to be, in memory, invited players told, play begun if all sit."""

    def __init__(self, core: Core, creation: Creation) -> None:
        self._core = core
        self._creation = creation
        self._importing = 0
        self._one_import = asyncio.Semaphore(1)  # proving is work for the interpreter: two at once are no quicker

    async def create(self, setup: MatchSetup, request: Request | None) -> Created:
        """See :meth:`engine_service.hosting.host.MatchHost.create`."""
        if (known := await self._known(request)) is not None:
            return await self._created(known)
        header, seed = self._ask(lambda: self._creation.header(setup, self._core.time.wall_ms()))
        return await self._admit(header, seed, setup.ephemeral, [], request)

    async def fork(self, name: str, setup: ForkSetup, seq: int, token: str, request: Request | None) -> Created:
        """See :meth:`engine_service.hosting.host.MatchHost.fork`."""
        original = await self._core.shelf.find(name, token, seats.viewer_of)
        if (known := await self._known(request)) is not None:
            return await self._created(known)
        viewer = original.viewer_of(token)
        if original.secretive and viewer != OMNISCIENT and not original.state.ended:
            raise MatchNotEnded("a copy")
        numbering = original.numbering
        wanted = numbering.last(viewer, seq)
        steps, private = await beginning(original, wanted)
        # Everyone may read where a match comes from.
        origin = Origin(name, numbering.told(SPECTATOR, wanted), len(steps), private)
        header, seed = self._creation.copy(original.header, origin, setup, self._core.time.wall_ms())
        return await self._admit(header, seed, setup.ephemeral, steps, request)

    async def take_in_replay(self, data: bytes) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.import_replay`."""
        core = self._core
        if core.writer.closing:
            raise ShuttingDown()
        limit = core.limits.imports
        if self._importing >= limit:
            raise LimitReached("imports", limit, f"{limit} replays are being taken in already", 1_000)
        self._importing += 1
        # A caller who leaves does not stop the proof: it counts until it is done.
        proving = asyncio.get_running_loop().create_task(self._prove(data))
        proving.add_done_callback(self._proved)
        row, records = await asyncio.shield(proving)
        if core.shelf.peek(row.name) is not None:
            raise MatchExists(row.name)
        return info_of_row(await core.writer.finish(core.store.create(row, records, None)))

    async def _prove(self, data: bytes) -> tuple[MatchRow, list[Record]]:
        core = self._core
        async with self._one_import:
            uptime_ms = core.uptime_at(core.time.monotonic_ms())
            return await read_replay(data, core.registry, core.shelf, core.limits, core.time.wall_ms(), uptime_ms)

    def _proved(self, proving: asyncio.Task[tuple[MatchRow, list[Record]]]) -> None:
        self._importing -= 1
        if not proving.cancelled():
            proving.exception()  # whoever waited has it; nobody may be waiting any more

    # -- asked before? -------------------------------------------------------------------------------------------------

    async def _known(self, request: Request | None) -> Answer | None:
        """The answer of a request that came before."""
        if self._core.writer.closing:
            raise ShuttingDown()
        if request is None:
            return None
        stored = await self._core.writer.known_answer(request)
        return stored if stored is not None else self._core.recent.find(request)

    async def _created(self, answer: Answer) -> Created:
        """The answer in words: the match's uid says it all."""
        live = await self._core.shelf.find(match_name(answer[0].to_bytes(UID_BYTES)))
        return Created(live.info(OMNISCIENT), seats.host_token(self._core.secret, live.header.uid, live.host_nonce))

    # -- a new one -----------------------------------------------------------------------------------------------------

    async def _admit(
        self, header: Header, seed: bytes, ephemeral: bool, steps: Sequence[Record], request: Request | None
    ) -> Created:
        """Make a match of this header, with the steps that a copy takes over."""
        core = self._core
        core.shelf.make_room()
        live = self._ask(lambda: core.shelf.set_up(header, header.encode()))
        live.seed, live.ephemeral = seed, ephemeral
        live.epoch_ms = core.time.monotonic_ms()
        live.host_nonce = tokens.new_nonce()
        token = seats.host_token(core.secret, header.uid, live.host_nonce)
        live.host_digest = tokens.digest(token)
        draft = live.draft()
        try:
            live.log, live.past = await fold_in(draft, steps)
            live.chain = await chained(first_chain(live.header_bytes), steps)
        except PackRaised as raised:
            raise self._fault(raised) from None
        taken = self._ask(lambda: self._seat(draft))
        answer = (int.from_bytes(header.uid),)
        if ephemeral:
            core.recent.keep(request, answer)
            self._take_in(live, draft, taken)
        else:
            first = await core.writer.finish(self._store(live, draft, taken, request, answer))
            if first != answer:
                return await self._created(first)
        return Created(live.info(OMNISCIENT), token)

    def _seat(self, draft: Draft) -> list[Taken]:
        """Seat who is connected already, and begin where all sit."""
        decide = self._core.bots.decide
        taken = self._core.players.seat_connected(draft, decide)
        if draft.after.state is MatchState.WAITING:
            seats.start_if_full(draft, decide)
        return taken

    async def _store(
        self, live: LiveMatch, draft: Draft, taken: Sequence[Taken], request: Request | None, answer: Answer
    ) -> Answer:
        """Put a new match on disk and take it in; the first answer where the request came before."""
        core = self._core
        live.chain = chain_all(live.chain, draft.records[live.log.last_seq :])
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
        uptime_ms = core.uptime_at(core.time.monotonic_ms())
        stored = None if request is None else request.stored(answer, uptime_ms)
        try:
            live.key = (await core.store.create(row, draft.records, stored)).key
        except StoreUnavailable:
            core.stats.store_failures += 1
            raise
        except RequestConflict:
            return await core.writer.first_answer(request)
        self._take_in(live, draft, taken)
        return answer

    def _take_in(self, live: LiveMatch, draft: Draft, taken: Sequence[Taken]) -> None:
        before, log = live.now, live.log
        log.extend(draft.records[log.last_seq :])
        live.adopt_whole(draft, log, live.past)
        self._core.arrived(live, before, draft, taken)

    def _ask(self, call: Callable[[], T]) -> T:
        """The answer of a call into a pack for a match that does not exist yet. Raises PackFault."""
        try:
            return call()
        except PackRaised as raised:
            raise self._fault(raised) from None

    def _fault(self, raised: PackRaised) -> PackFault:
        incident = new_incident()
        self._core.stats.pack_faults += 1
        report(log, incident, "a pack failed on a new match", raised.error)
        return PackFault(incident)
