"""What a store keeps of a match beside its log."""

from __future__ import annotations

from engine_service.log.header import Header
from engine_service.log.line import ended_without
from engine_service.log.results import result_bytes
from engine_service.matches.progress import Progress, to_act
from engine_service.model import NO_LABELS, EndReason, MatchImport, MatchState
from engine_service.store.base import MatchRow, MatchUpdate


def row_of(
    header: Header,
    header_bytes: bytes,
    now: Progress,
    *,
    seed: bytes,
    chain: bytes,
    host_nonce: bytes = b"",
    host_digest: bytes = b"",
    uptime_ms: int = 0,
    imported: MatchImport | None = None,
) -> MatchRow:
    """The row of a match that stands like this; lists show an imported one where it came."""
    return MatchRow(
        name=header.match,
        uid=header.uid,
        game=header.game,
        state=int(now.state),
        header=header_bytes,
        seed=seed,
        created_ms=header.create_ms if imported is None else imported.time_ms,
        chain=chain,
        seats=now.seats,
        host_nonce=host_nonce,
        host_digest=host_digest,
        labels=header.labels if imported is None else NO_LABELS,
        last_seq=now.seq,
        started_ms=now.started_ms,
        ended_ms=now.ended_ms,
        result=result_bytes(now.result) if now.result is not None else b"",
        waiting=now.waiting,
        untold_records=now.untold_records,
        uptime_ms=uptime_ms,
        to_act=to_act(now),
        imported=imported is not None,
        signature=b"" if imported is None else imported.signature,
        signing_key=b"" if imported is None else imported.signing_key,
    )


def ended_without_play(state: MatchState, reason: EndReason, now_ms: int) -> MatchUpdate:
    """What a record changes of the row that ends a match without its rules."""
    result = result_bytes(ended_without(reason))
    return MatchUpdate(state=int(state), ended_ms=now_ms, result=result, waiting=())


def update_of(before: Progress, after: Progress) -> MatchUpdate | None:
    """What a write changes of the row; None where it changes nothing."""
    untold = before.untold_records != after.untold_records
    same = before.state is after.state and before.seats is after.seats and before.waiting is after.waiting
    if same and not untold:
        return None
    return MatchUpdate(
        state=int(after.state) if before.state is not after.state else None,
        seats=after.seats if before.seats is not after.seats else None,
        started_ms=after.started_ms if before.started_ms != after.started_ms else None,
        ended_ms=after.ended_ms if before.ended_ms != after.ended_ms else None,
        result=result_bytes(after.result) if after.result is not None else None,
        waiting=after.waiting if before.waiting is not after.waiting else None,
        untold_records=after.untold_records if untold else None,
    )
