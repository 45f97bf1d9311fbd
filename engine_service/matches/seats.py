"""Seats: who sits where, who may, and by which token."""

from __future__ import annotations

from collections.abc import Sequence

from engine_service.errors import (
    InvalidField,
    MatchEnded,
    MatchStarted,
    NotAllowed,
    SeatsOpen,
    SeatTaken,
    TokenInvalid,
    TokenMissing,
    UnknownSeat,
)
from engine_service.limits import Limits
from engine_service.log.records import RecordKind, RecordLog
from engine_service.matches import tokens
from engine_service.matches.draft import Draft
from engine_service.matches.play import Decider, start
from engine_service.matches.progress import Progress
from engine_service.model import HOST, MatchState, SeatKind, SeatSetup
from engine_service.store.base import SeatRow
from engine_service.text import name_fault
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Seat, Viewer


def empty_seats(setups: Sequence[SeatSetup]) -> tuple[SeatRow, ...]:
    """The seats of a new match; those of bots are taken from the beginning."""
    return tuple(SeatRow(int(s.kind), s.player, taken=s.kind is SeatKind.BOT) for s in setups)


def check_name(name: str, field: str, limits: Limits) -> None:
    """Raises InvalidField where this cannot be a player's name."""
    if wrong := name_fault(name, limits.player_name_length):
        raise InvalidField.one(field, wrong)


# -- tokens --------------------------------------------------------------------------------------------------------


def viewer_of(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> Viewer:
    """Whose eyes a token opens: the host's (OMNISCIENT), a seat's, or, where there is none, the SPECTATOR's.

    Raises TokenInvalid.
    """
    if not token:
        return SPECTATOR
    shown = tokens.digest(token)
    # All are compared, so that the time taken does not tell which seat was nearly right.
    fitting = [seat for seat, row in enumerate(seats) if tokens.matches(shown, row.digest)]
    if tokens.matches(shown, host_digest):
        return OMNISCIENT
    if not fitting:
        raise TokenInvalid()
    return Viewer(fitting[0])


def seat_of(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> Seat:
    """The seat of a token. Raises TokenMissing, TokenInvalid, NotAllowed (the host's)."""
    if not token:
        raise TokenMissing("a seat's token")
    viewer = viewer_of(token, seats, host_digest)
    if viewer < 0:
        raise NotAllowed("this is for a seat, and the token is the host's")
    return Seat(viewer)


def require_host(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> None:
    """Raises TokenMissing, TokenInvalid, NotAllowed (a seat's)."""
    if not token:
        raise TokenMissing("the host's token")
    if viewer_of(token, seats, host_digest) != OMNISCIENT:
        raise NotAllowed("this is for the host, and the token is a seat's")


def host_token(secret: bytes, uid: bytes, nonce: bytes) -> str:
    """The token of a match's host."""
    return tokens.mint(secret, uid, HOST, nonce)


def invited_nonce(secret: bytes, uid: bytes, seat: int, player: str, player_key: str) -> bytes:
    """What makes the token of a seat that an invited player takes: the same whenever the same key is shown.

    So a player who comes back with the key can be told the token again, and nobody else can.
    """
    message = b"\0".join([b"invited", uid, b"%d" % seat, player.encode(), player_key.encode()])
    return tokens.keyed_nonce(secret, message)


def somebody_left(log: RecordLog) -> bool:
    """Was a seat given back before play began?"""
    for seq in range(1, log.last_seq + 1):
        kind = log.kind_of(seq)
        if kind is RecordKind.LEFT or kind is RecordKind.STARTED:
            return kind is RecordKind.LEFT
    return False


# -- planning --------------------------------------------------------------------------------------------------------


def check_waiting(after: Progress) -> None:
    """Raises MatchStarted, MatchEnded."""
    if after.state is MatchState.ACTIVE:
        raise MatchStarted()
    if after.state.ended:
        raise MatchEnded()


def free_seat(after: Progress, wanted: int | None, is_host: bool) -> Seat:
    """The seat that a caller may take: the wanted one, or the first that is free for everyone.

    Raises UnknownSeat, SeatTaken, NotAllowed (kept for an invited player).
    """
    seats = after.seats
    if wanted is None:
        for seat, row in enumerate(seats):
            if row.kind == SeatKind.OPEN and not row.taken:
                return Seat(seat)
        raise SeatTaken("no seat is free for everyone")
    if not 0 <= wanted < len(seats):
        raise UnknownSeat(wanted, len(seats))
    row = seats[wanted]
    if row.taken:
        raise SeatTaken(f"seat {wanted} is taken", seat=wanted)
    if row.kind == SeatKind.INVITED and not is_host:
        raise NotAllowed(f"seat {wanted} is kept for an invited player", seat=wanted)
    return Seat(wanted)


def sit(draft: Draft, seat: int, player: str, nonce: bytes, secret: bytes) -> str:
    """Give a free seat to a player; returns its token."""
    token = tokens.mint(secret, draft.header.uid, seat, nonce)
    draft.record(RecordKind.JOINED, seat, text=player)
    draft.change_seat(seat, nonce=nonce, digest=tokens.digest(token))
    return token


def start_if_full(draft: Draft, decide: Decider) -> None:
    """Begin play once every seat is taken, unless the host wants to say when."""
    if not draft.header.policy.manual_start and not open_seats(draft.after):
        start(draft, decide)


def start_by_host(draft: Draft, decide: Decider) -> None:
    """Begin play because the host says so. Raises MatchStarted, MatchEnded, SeatsOpen."""
    check_waiting(draft.after)
    if missing := open_seats(draft.after):
        raise SeatsOpen(missing)
    start(draft, decide)


def open_seats(after: Progress) -> list[int]:
    """The seats that nobody sits on."""
    return [seat for seat, row in enumerate(after.seats) if not row.taken]


def get_up(draft: Draft, seat: int) -> None:
    """Give a seat back. Raises MatchStarted, MatchEnded."""
    check_waiting(draft.after)
    draft.record(RecordKind.LEFT, seat)
