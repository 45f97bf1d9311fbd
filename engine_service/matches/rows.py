"""Stored rows of matches, and the public MatchInfo made from a snapshot or from a row alone."""

from __future__ import annotations

from collections.abc import Sequence

from engine_service.log.header import Header
from engine_service.log.results import empty_result, result_bytes, result_of
from engine_service.match_enums import EndReason, MatchState, SeatKind
from engine_service.matches import clocks
from engine_service.matches.absence import needs_service
from engine_service.matches.snapshot import MatchSnapshot, to_act
from engine_service.model import NO_LABELS, MatchImport, MatchInfo, Origin, Result, SeatInfo, has_ended
from engine_service.store.base import MatchRow, RowUpdate, SeatRow
from gamepacks.api.types import Seat


def row_of(
    header: Header,
    header_bytes: bytes,
    now: MatchSnapshot,
    *,
    seed: bytes,
    chain: bytes,
    host_nonce: bytes = b"",
    host_digest: bytes = b"",
    uptime_ms: int = 0,
    imported: MatchImport | None = None,
) -> MatchRow:
    """Returns the stored row of a match; an imported match is listed by the time of its import."""
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
        queued_outcomes=now.queued_outcomes,
        private_records=now.private_records,
        newest_withheld=now.withholds_newest,
        uptime_ms=uptime_ms,
        to_act=to_act(now),
        imported=imported is not None,
        signature=b"" if imported is None else imported.signature,
        signing_key=b"" if imported is None else imported.signing_key,
        needs_service=needs_service(header, now),
    )


def end_update(state: MatchState, reason: EndReason, now_ms: int) -> RowUpdate:
    """Returns the changes of a row when a match ends although its rules are not loaded."""
    result = result_bytes(empty_result(reason))
    return RowUpdate(state=int(state), ended_ms=now_ms, result=result, queued_outcomes=(), newest_withheld=False)


def update_of(before: MatchSnapshot, after: MatchSnapshot, header: Header | None = None) -> RowUpdate | None:
    """Returns the changes of a row for a write; None if there are none.

    ``header`` is given if services share the store; the changes then include whether the match needs the service.
    """
    needed = after_needed = False
    if header is not None:
        needed, after_needed = needs_service(header, before), needs_service(header, after)
    same = (
        before.state is after.state
        and before.seats is after.seats
        and before.queued_outcomes is after.queued_outcomes
        and before.private_records == after.private_records
        and before.withholds_newest == after.withholds_newest
        and needed == after_needed
    )
    if same:
        return None
    return RowUpdate(
        state=int(after.state) if before.state is not after.state else None,
        seats=after.seats if before.seats is not after.seats else None,
        started_ms=after.started_ms if before.started_ms != after.started_ms else None,
        ended_ms=after.ended_ms if before.ended_ms != after.ended_ms else None,
        result=result_bytes(after.result) if after.result is not None else None,
        queued_outcomes=after.queued_outcomes if before.queued_outcomes is not after.queued_outcomes else None,
        private_records=after.private_records if before.private_records != after.private_records else None,
        newest_withheld=after.withholds_newest if before.withholds_newest != after.withholds_newest else None,
        needs_service=after_needed if needed != after_needed else None,
    )


def match_info(
    header: Header,
    *,
    state: MatchState,
    seats: Sequence[SeatRow],
    seq: int,
    started_ms: int,
    ended_ms: int,
    result: Result | None,
    seed: bytes,
    clocks_ms: Sequence[int],
    ephemeral: bool,
    to_act: int,
    imported: MatchImport | None,
) -> MatchInfo:
    """Returns the public view of a match; the seed is left out until the match has ended."""
    origin = header.origin
    return MatchInfo(
        name=header.match,
        game=header.game,
        rules_version=header.rules_version,
        options=header.options,
        state=state,
        seats=tuple(
            SeatInfo(
                Seat(seat),
                SeatKind(row.kind),
                row.player,
                row.taken,
                row.out,
                clocks_ms[seat] if clocks_ms else None,
                header.seats[seat].budget,
            )
            for seat, row in enumerate(seats)
        ),
        seq=seq,
        time_control=header.time_control,
        policy=header.policy,
        create_ms=header.create_ms,
        start_ms=started_ms or None,
        end_ms=ended_ms or None,
        result=result,
        seed_commitment=header.seed_commitment,
        seed=seed if has_ended(state) else b"",
        origin=None if origin is None else Origin(origin.match, origin.seq, origin.plies - origin.private_plies),
        ephemeral=ephemeral,
        labels=header.labels if imported is None else NO_LABELS,
        from_position=header.position is not None,
        card_set_digest=header.card_set_digest,
        to_act=tuple(Seat(seat) for seat in range(len(seats)) if to_act >> seat & 1),
        imported=imported,
    )


def import_of_row(row: MatchRow, header: Header) -> MatchImport | None:
    """Returns the import data of a row; None for a match that was played here."""
    if not row.imported:
        return None
    return MatchImport(row.created_ms, header.labels, row.signature, row.signing_key)


def info_of_row(row: MatchRow) -> MatchInfo:
    """Returns the public view of a stored match, without its log and its rules.

    Clocks are full or empty in it: every match with running clocks is in memory.
    """
    header = Header.decode(row.header)
    state = MatchState(row.state)
    control = header.time_control
    full: Sequence[int] = ()
    if control is not None and control.has_clocks and state is MatchState.WAITING:
        full_clocks = clocks.full_clocks(control, header.players)
        full = [clocks.left_ms(control, full_clocks, (), seat, 0) for seat in range(header.players)]
    return match_info(
        header,
        state=state,
        seats=row.seats,
        seq=row.last_seq - row.private_records - row.newest_withheld,
        started_ms=row.started_ms,
        ended_ms=row.ended_ms,
        result=result_of(row.result) if row.result else None,
        seed=row.seed,
        clocks_ms=full,
        ephemeral=False,
        to_act=row.to_act,
        imported=import_of_row(row, header),
    )
