"""Seats: taking and leaving them, and the start of play when all are taken, planned on a draft."""

from __future__ import annotations

from engine_service.errors import (
    InvalidField,
    MatchEnded,
    MatchStarted,
    NotAllowed,
    SeatsOpen,
    SeatTaken,
    UnknownSeat,
)
from engine_service.limits import Limits
from engine_service.log.records import RecordLog
from engine_service.match_enums import MatchState, RecordKind, SeatKind
from engine_service.matches import tokens
from engine_service.matches.draft import Draft
from engine_service.matches.play import BotDecider, start_play
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.model import has_ended
from engine_service.text import name_fault
from gamepacks.api.types import Seat


def check_name(name: str, field: str, limits: Limits) -> None:
    """Check a player's name. Raises InvalidField."""
    if wrong := name_fault(name, limits.player_name_length):
        raise InvalidField.one(field, wrong)


def seat_was_left(log: RecordLog) -> bool:
    """Returns whether a seat was left before play began."""
    for seq in range(1, log.last_seq + 1):
        kind = log.kind_of(seq)
        if kind is RecordKind.LEFT or kind is RecordKind.STARTED:
            return kind is RecordKind.LEFT
    return False


def check_waiting(after: MatchSnapshot) -> None:
    """Check that play has not begun. Raises MatchStarted, MatchEnded."""
    if after.state is MatchState.ACTIVE:
        raise MatchStarted()
    if has_ended(after.state):
        raise MatchEnded()


def free_seat(after: MatchSnapshot, wanted: int | None, is_host: bool) -> Seat:
    """Returns the seat that a caller may take: the wanted one, or the first that is open to everyone.

    Raises UnknownSeat, SeatTaken, NotAllowed (reserved for an invited player).
    """
    seats = after.seats
    if wanted is None:
        for seat, row in enumerate(seats):
            if row.kind == SeatKind.OPEN and not row.taken:
                return Seat(seat)
        raise SeatTaken("no open seat is free")
    if not 0 <= wanted < len(seats):
        raise UnknownSeat(wanted, len(seats))
    row = seats[wanted]
    if row.taken:
        raise SeatTaken(f"seat {wanted} is taken", seat=wanted)
    if row.kind == SeatKind.INVITED and not is_host:
        raise NotAllowed(f"seat {wanted} is reserved for an invited player", seat=wanted)
    return Seat(wanted)


def take_seat(draft: Draft, seat: int, player: str, nonce: bytes, secret: bytes) -> str:
    """Give a free seat to a player; returns its token."""
    token = tokens.mint(secret, draft.header.uid, seat, nonce)
    draft.record(RecordKind.JOINED, seat, text=player)
    draft.change_seat(seat, nonce=nonce, digest=tokens.digest(token))
    return token


def start_if_full(draft: Draft, decide: BotDecider) -> None:
    """Begin play if every seat is taken, unless the host starts the match."""
    if not draft.header.policy.manual_start and not open_seats(draft.after):
        start_play(draft, decide)


def start_by_host(draft: Draft, decide: BotDecider) -> None:
    """Begin play on the host's request. Raises MatchStarted, MatchEnded, SeatsOpen."""
    check_waiting(draft.after)
    if missing := open_seats(draft.after):
        raise SeatsOpen(missing)
    start_play(draft, decide)


def open_seats(after: MatchSnapshot) -> list[int]:
    """Returns the seats that are not taken."""
    return [seat for seat, row in enumerate(after.seats) if not row.taken]


def leave_seat(draft: Draft, seat: int) -> None:
    """Leave a seat. Raises MatchStarted, MatchEnded."""
    check_waiting(draft.after)
    draft.record(RecordKind.LEFT, seat)
