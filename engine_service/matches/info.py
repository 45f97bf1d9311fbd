"""What everyone may know of a match, told from memory or from its stored row alone."""

from __future__ import annotations

from collections.abc import Sequence

from engine_service.log.header import Header
from engine_service.log.results import result_of
from engine_service.matches import clocks
from engine_service.model import NO_LABELS, MatchImport, MatchInfo, MatchState, Origin, Result, SeatInfo, SeatKind
from engine_service.store.base import MatchRow, SeatRow
from gamepacks.api.types import Seat


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
    """What everyone may know; the seed is kept back until the match has ended."""
    origin = header.origin
    return MatchInfo(
        name=header.match,
        game=header.game,
        rules_version=header.rules_version,
        options=header.options,
        state=state,
        seats=tuple(
            SeatInfo(
                Seat(seat), SeatKind(row.kind), row.player, row.taken, row.out, clocks_ms[seat] if clocks_ms else None
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
        seed=seed if state.ended else b"",
        origin=None if origin is None else Origin(origin.match, origin.seq, origin.plies - origin.private_plies),
        ephemeral=ephemeral,
        labels=header.labels if imported is None else NO_LABELS,
        from_position=header.position is not None,
        card_set_digest=header.card_set_digest,
        to_act=tuple(Seat(seat) for seat in range(len(seats)) if to_act >> seat & 1),
        imported=imported,
    )


def import_of_row(row: MatchRow, header: Header) -> MatchImport | None:
    """What is known of an imported match's way here; None for one that was played here."""
    if not row.imported:
        return None
    return MatchImport(row.created_ms, header.labels, row.signature, row.signing_key)


def info_of_row(row: MatchRow) -> MatchInfo:
    """The match of a row, without its log and without the game's rules.

    Clocks that run are known only in memory, where every match with running clocks is.
    """
    header = Header.decode(row.header)
    state = MatchState(row.state)
    control = header.time_control
    full: Sequence[int] = ()
    if control is not None and state is MatchState.WAITING:
        fresh = clocks.fresh(control, header.players)
        full = [clocks.left_ms(control, fresh, (), seat, 0) for seat in range(header.players)]
    return match_info(
        header,
        state=state,
        seats=row.seats,
        seq=row.last_seq - row.untold_records,
        started_ms=row.started_ms,
        ended_ms=row.ended_ms,
        result=result_of(row.result) if row.result else None,
        seed=row.seed,
        clocks_ms=full,
        ephemeral=False,
        to_act=row.to_act,
        imported=import_of_row(row, header),
    )
