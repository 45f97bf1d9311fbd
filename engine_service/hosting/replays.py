"""Export and import of replays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from engine_service.errors import RETRY_MS, LimitReached, MatchExists, MatchNotEnded, ReplayInvalid, ShuttingDown
from engine_service.hosting.match_cache import replay_log
from engine_service.hosting.runtime import MatchRuntime
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.log.records import Record, RecordLog
from engine_service.log.replay import SigningKey, export, read, records_of
from engine_service.match_enums import RecordKind
from engine_service.matches.draft import Draft
from engine_service.matches.rows import info_of_row, row_of
from engine_service.matches.sealing import PositionSealer
from engine_service.matches.tokens import viewer_of
from engine_service.matches.verify import verify
from engine_service.model import MatchImport, MatchInfo, has_ended
from engine_service.pack_guard import KillableThread, PackRaised
from engine_service.store.base import MatchRow
from gamepacks.api.registry import Registry
from gamepacks.api.types import OMNISCIENT
from omnilude.v1.replay_pb2 import Replay

EXPORT_INLINE_RECORDS = 2_000
"""A replay of more records is written in a thread."""
CLOCK_TOLERANCE_MS = 300_000
"""Allowed difference between the clocks of two services; a replay that ends later than that is refused."""
SERVICE_TEXT_LENGTH = 64
"""Maximum length of the bot names and reasons that the service itself writes into a log."""


class ReplayExporter:
    """Exports replays, one at a time, because reading and writing a whole log occupies the interpreter."""

    def __init__(self, runtime: MatchRuntime, signing_key: SigningKey) -> None:
        self._cache = runtime.cache
        self._store = runtime.store
        self._signing_key = signing_key
        self._turn = asyncio.Semaphore(1)

    async def export(self, name: str, token: str) -> Replay:
        """Returns the replay of a match: signed here if it was played here, with its first signature if it was
        imported.

        No record is read for a caller who may not have it. Raises UnknownMatch, TokenInvalid, MatchNotEnded.
        """
        live = await self._cache.get_fresh(name)
        if live is not None:
            info, header, viewer = live.info(), live.header_bytes, live.viewer_of(token)
        else:
            row = await self._cache.row(name)
            info, header = info_of_row(row), row.header
            viewer = viewer_of(token, row.seats, row.host_digest)
        if not has_ended(info.state) and viewer != OMNISCIENT:
            raise MatchNotEnded("getting its replay")
        records: RecordLog | Sequence[Record]
        if live is not None:
            records = live.log.copy()
        async with self._turn:
            if live is None:
                records = await self._store.records(row.key, 0, row.last_seq)
            if len(records) <= EXPORT_INLINE_RECORDS:
                replay = export(header, records, info.seed, info.result)
            else:
                # A long one takes seconds, so the event loop does not wait for it.
                replay = await asyncio.to_thread(export, header, records, info.seed, info.result)
        if info.imported is None:
            self._signing_key.sign(replay)
        else:
            replay.signature, replay.signing_key = info.imported.signature, info.imported.signing_key
        return replay


class ReplayImporter:
    """Imports replays of ended matches, verifying one at a time."""

    def __init__(self, runtime: MatchRuntime) -> None:
        self._runtime = runtime
        self._importing = 0
        self._turn = asyncio.Semaphore(1)  # verification occupies the interpreter: two at once are no quicker

    async def import_replay(self, data: bytes) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.import_replay`."""
        runtime = self._runtime
        if runtime.writer.closing:
            raise ShuttingDown()
        limit = runtime.limits.imports
        if self._importing >= limit:
            raise LimitReached("imports", limit, f"{limit} replays are being imported already", RETRY_MS)
        self._importing += 1
        # A caller who leaves does not stop the verification, which counts until it is done.
        verification = asyncio.get_running_loop().create_task(self._verify(data))
        verification.add_done_callback(self._verified)
        row, records = await asyncio.shield(verification)
        if runtime.cache.get_cached(row.name) is not None:
            raise MatchExists(row.name)
        return info_of_row(await runtime.writer.run_to_end(runtime.store.create(row, records, None)))

    async def _verify(self, data: bytes) -> tuple[MatchRow, list[Record]]:
        """Returns the row and the log of an ended match, verified and imported as of now.

        Raises ReplayMalformed, ReplayInvalid, InvalidPosition, RulesNotLoaded, CardSetNotLoaded, LimitReached.
        """
        runtime, limits = self._runtime, self._runtime.limits
        if len(data) > limits.replay_bytes:
            raise LimitReached(
                "replay_bytes", limits.replay_bytes, f"a replay may have at most {limits.replay_bytes} bytes"
            )
        async with self._turn:
            uptime_ms, now_ms = runtime.uptime_at(runtime.time.monotonic_ms()), runtime.time.wall_ms()
            # A long replay takes seconds, so the event loop does not wait for it.
            check = partial(_read_and_verify, data, runtime.registry, runtime.sealer, limits, now_ms)
            replay, header, records = await KillableThread(check, "import").result()
            try:
                draft = runtime.cache.new_match(header, replay.header).replay_draft()
                await replay_log(draft, records)
            except PackRaised as raised:
                raise ReplayInvalid(0, f"the rules failed on it ({type(raised.error).__name__})") from None
        imported = MatchImport(now_ms, header.labels, replay.signature, replay.signing_key)
        return _imported_row(header, draft, replay, imported, uptime_ms), records

    def _verified(self, verification: asyncio.Task[tuple[MatchRow, list[Record]]]) -> None:
        self._importing -= 1
        if not verification.cancelled():
            verification.exception()  # marks it as retrieved: the caller may have left


def max_imported_records(limits: Limits) -> int:
    """Returns the length of the longest log that is imported: twice the limit of a match here, which is cancelled only
    after exceeding it."""
    return 2 * limits.log_records


def _read_and_verify(
    data: bytes, registry: Registry, sealer: PositionSealer, limits: Limits, now_ms: int
) -> tuple[Replay, Header, list[Record]]:
    """Returns a verified replay that is within the limits of this service, its header and its records."""
    replay = read(data, limits.replay_bytes)
    max_records = max_imported_records(limits)
    if len(replay.records) > max_records:
        raise LimitReached(
            "log_records", limits.log_records, f"an imported replay may have at most {max_records} records"
        )
    header, records = Header.decode(replay.header), records_of(replay)
    sealer.check_header(header, registry)
    if not has_ended(verify(replay, registry).state):
        raise ReplayInvalid(0, "the match has not ended")
    if header.create_ms + max((record.time_ms for record in records), default=0) > now_ms + CLOCK_TOLERANCE_MS:
        raise ReplayInvalid(0, "the time of its last record lies in the future")
    check_texts(header, records, limits)
    return replay, header, records


def check_texts(header: Header, records: Sequence[Record], limits: Limits) -> None:
    """Check that the texts of an imported match are within the limits of matches created here. Raises LimitReached."""
    name_length = max(limits.player_name_length, SERVICE_TEXT_LENGTH)
    reason_length = max(limits.reason_length, name_length)
    for name, limit, longest in (
        ("labels", limits.labels, len(header.labels)),
        ("label_key_length", limits.label_key_length, max(map(len, header.labels), default=0)),
        ("label_value_length", limits.label_value_length, max(map(len, header.labels.values()), default=0)),
        ("player_name_length", name_length, max(len(seat.player) for seat in header.seats)),
        ("reason_length", reason_length, max((len(record.text) for record in records), default=0)),
    ):
        if longest > limit:
            raise LimitReached(name, limit, f"the replay exceeds {name}: it has {longest}, and {limit} are allowed")


def _imported_row(header: Header, draft: Draft, replay: Replay, imported: MatchImport, uptime_ms: int) -> MatchRow:
    """Returns the row of an imported match, for which no tokens exist."""
    after = draft.after
    for record in draft.records:
        if record.kind is RecordKind.STARTED:
            after.started_ms = header.create_ms + record.time_ms
    after.ended_ms = header.create_ms + after.time_ms
    return row_of(
        header, replay.header, after, seed=replay.seed, chain=replay.chain, uptime_ms=uptime_ms, imported=imported
    )
