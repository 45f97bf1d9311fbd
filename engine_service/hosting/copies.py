"""Copies of matches: the beginning of one as another, and whole logs as replays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from engine_service.aside import Aside
from engine_service.errors import InvalidField, LimitReached, ReplayInvalid
from engine_service.guard import PackRaised
from engine_service.hosting.shelf import RECORDS_AT_ONCE, Shelf, fold_in
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.log.line import Line
from engine_service.log.records import Record, RecordKind, chain_all
from engine_service.log.replay import read, records_of
from engine_service.log.verify import verify
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.rows import row_of
from engine_service.model import MatchImport
from engine_service.store.base import MatchRow
from gamepacks.api.registry import Registry
from gamepacks.api.types import SIMULTANEOUS
from omnilude.v1.replay_pb2 import Replay

CLOCK_TOLERANCE_MS = 300_000
"""So far the clocks of two services may be apart: a replay that ends later is from no time that has been."""
OWN_TEXTS = 64
"""Names of bots and reasons of the service's own are no longer."""


async def beginning(original: LiveMatch, seq: int) -> tuple[list[Record], int]:
    """The steps in force after record ``seq`` (0: none), as the first records of a new log; and how many are private.

    Raises InvalidField where a decision does not stand there that nobody has begun to answer, PackFault.
    """
    if seq == 0:
        return [], 0
    if not 0 < seq <= original.seq:
        raise InvalidField.one("seq", f"the match has records 1 to {original.seq}")
    line, log = Line(), original.log
    for start in range(0, seq, RECORDS_AT_ONCE):
        for record in log.after(start, min(RECORDS_AT_ONCE, seq - start)):
            line.push(record)
        await asyncio.sleep(0)
    steps = line.steps
    if not _stands(original, seq) or (steps and steps[-1].seq > original.decision_at(seq)):
        raise InvalidField.one("seq", "no decision stands after that record which nobody has begun to answer")
    taken: list[Record] = []
    for start in range(0, len(steps), RECORDS_AT_ONCE):
        part = steps[start : start + RECORDS_AT_ONCE]
        taken += [Record(n, step.kind, step.seat, step.code) for n, step in enumerate(part, start + 1)]
        await asyncio.sleep(0)
    return taken, sum(original.numbering.is_private(step.seq) for step in steps)


def _stands(live: LiveMatch, seq: int) -> bool:
    """Did a decision stand after that record?"""
    if not live.decision_at(seq) or (live.state.ended and seq == live.seq):
        return False
    state = live.state_after(seq)
    actor = live.ask(state.actor)
    return (actor >= 0 or actor == SIMULTANEOUS) and live.ask(state.seats_to_act) != 0


async def chained(link: bytes, records: Sequence[Record]) -> bytes:
    """The chain after these records, while others on the event loop have their turn."""
    for start in range(0, len(records), RECORDS_AT_ONCE):
        link = chain_all(link, records[start : start + RECORDS_AT_ONCE])
        await asyncio.sleep(0)
    return link


def records_taken(limits: Limits) -> int:
    """The longest log that is taken in: twice that of a match here, which is cancelled only after going beyond."""
    return 2 * limits.log_records


async def read_replay(
    data: bytes, registry: Registry, shelf: Shelf, limits: Limits, now_ms: int, uptime_ms: int
) -> tuple[MatchRow, list[Record]]:
    """The row and the log of a replayed match that has ended, verified; it is imported now.

    Raises ReplayTorn, ReplayInvalid, RulesNotLoaded, CardSetNotLoaded, LimitReached.
    """
    limit = limits.replay_bytes
    if len(data) > limit:
        raise LimitReached("replay_bytes", limit, f"a replay of {limit} bytes at most is taken")
    # A long replay takes seconds, so the event loop does not wait for it.
    replay, header, records = await Aside(partial(_proved, data, registry, limits, now_ms), "import").result()
    try:
        draft = shelf.set_up(header, replay.header).draft()
        await fold_in(draft, records)
    except PackRaised as raised:
        raise ReplayInvalid(0, f"the rules fail on it: {type(raised.error).__name__}") from None
    imported = MatchImport(now_ms, header.labels, replay.signature, replay.signing_key)
    return ended_row(header, replay.header, draft, replay, imported, uptime_ms), records


def _proved(data: bytes, registry: Registry, limits: Limits, now_ms: int) -> tuple[Replay, Header, list[Record]]:
    """A replay that holds, and fits in here."""
    replay = read(data, limits.replay_bytes)
    most = records_taken(limits)
    if len(replay.records) > most:
        raise LimitReached("log_records", limits.log_records, f"a replay of {most} records at most is taken")
    if not verify(replay, registry).state.ended:
        raise ReplayInvalid(0, "the match has not ended")
    header, records = Header.decode(replay.header), records_of(replay)
    if header.create_ms + max((record.time_ms for record in records), default=0) > now_ms + CLOCK_TOLERANCE_MS:
        raise ReplayInvalid(0, "it ends in the future: its times cannot be")
    check_texts(header, records, limits)
    return replay, header, records


def check_texts(header: Header, records: Sequence[Record], limits: Limits) -> None:
    """What is listed and told of an imported match must not be longer than of one created here. Raises LimitReached."""
    name_length = max(limits.player_name_length, OWN_TEXTS)
    reason_length = max(limits.reason_length, name_length)
    for name, limit, longest in (
        ("labels", limits.labels, len(header.labels)),
        ("label_key_length", limits.label_key_length, max(map(len, header.labels), default=0)),
        ("label_value_length", limits.label_value_length, max(map(len, header.labels.values()), default=0)),
        ("player_name_length", name_length, max(len(seat.player) for seat in header.seats)),
        ("reason_length", reason_length, max((len(record.text) for record in records), default=0)),
    ):
        if longest > limit:
            raise LimitReached(name, limit, f"the replay holds more than is taken here ({name}: {limit})")


def ended_row(
    header: Header, header_bytes: bytes, draft: Draft, replay: Replay, imported: MatchImport, uptime_ms: int
) -> MatchRow:
    """The row of a match that was imported: nobody has tokens for it here."""
    after = draft.after
    for record in draft.records:
        if record.kind is RecordKind.STARTED:
            after.started_ms = header.create_ms + record.time_ms
    after.ended_ms = header.create_ms + after.time_ms
    return row_of(
        header, header_bytes, after, seed=replay.seed, chain=replay.chain, uptime_ms=uptime_ms, imported=imported
    )
