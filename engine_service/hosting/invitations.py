"""Players who are connected under a name, and the seats that are kept for them.

A name belongs to the key that is shown with it first: while its player is connected (the same key takes it over), for
as long as unfinished matches keep seats for it, and for some time after. The tokens of its seats are made from the key,
so whoever comes back with it is told them again, and nobody else is; and they prove the key after a restart, where
names that hold no seat are free again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Protocol

from engine_service.errors import InvalidField, PlayerNameTaken
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.matches import tokens
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import Decider
from engine_service.matches.seats import check_name, invited_nonce, sit, start_if_full
from engine_service.model import MatchState, SeatKind, SeatSetup
from engine_service.store.base import SeatRow
from engine_service.timing import TimeSource
from gamepacks.api.types import Seat


class Invitee(Protocol):
    """A connected player."""

    def on_invited(self, live: LiveMatch, seat: Seat, token: str) -> None:
        """A seat of this match is the player's, and that is on disk; it may have been told so before."""

    def on_replaced(self) -> None:
        """The same key has connected again: this connection has the name no longer."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A name and who has it. ``games`` are bare ids; empty: all."""

    name: str
    key: str
    games: frozenset[str]
    invitee: Invitee

    def wants(self, game: str) -> bool:
        """Is the player to be invited to this game?"""
        return not self.games or game in self.games


@dataclass(frozen=True, slots=True)
class SeatProof:
    """A seat that an invited player took: its nonce was made from the player's key."""

    uid: bytes
    seat: int
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat that an invited player holds."""

    connection: Connection
    seat: Seat
    token: str


class Players:
    """Who is connected under which name, and which unfinished matches keep seats for whom."""

    def __init__(
        self,
        limits: Limits,
        secret: bytes,
        time: TimeSource,
        arrived: Callable[[Connection, Sequence[str]], None],
    ) -> None:
        """``arrived`` is called with the names of the matches that have seats for a player who has just connected."""
        self._limits = limits
        self._secret = secret
        self._time = time
        self._arrived = arrived
        self._connected: dict[str, Connection] = {}
        self._meant: dict[str, dict[str, Sequence[SeatProof]]] = {}
        """By player the names of matches, in the order they came, and what proves its key there after a restart."""
        self._left: OrderedDict[str, tuple[str, int]] = OrderedDict()
        """By player who is not connected its key, and since when; the first to leave first."""

    def connect(self, name: str, key: str, games: frozenset[str], invitee: Invitee) -> None:
        """Let a player be invited. Raises PlayerNameTaken, InvalidField."""
        check_name(name, "hello.player", self._limits)
        if not 1 <= len(key) <= self._limits.request_id_length:
            raise InvalidField.one(
                "hello.player_key", f"1 to {self._limits.request_id_length} characters are needed with a name"
            )
        if not self._belongs_to(name, key):
            raise PlayerNameTaken(name)
        held = self._connected.get(name)
        if held is not None:
            held.invitee.on_replaced()
        self._left.pop(name, None)
        connection = Connection(name, key, games, invitee)
        self._connected[name] = connection
        if matches := list(self._meant.get(name, ())):
            self._arrived(connection, matches)

    def disconnect(self, name: str, invitee: Invitee) -> None:
        """The player is gone; nothing happens where the name has passed on."""
        held = self._connected.get(name)
        if held is not None and held.invitee is invitee:
            del self._connected[name]
            self._left[name] = held.key, self._time.monotonic_ms()
            while len(self._left) > self._limits.player_names_kept:
                self._left.popitem(last=False)

    def _belongs_to(self, name: str, key: str) -> bool:
        """May who shows this key have the name?"""
        held, kept = self._connected.get(name), self._meant.get(name, {})
        if held is not None:
            return compare_digest(held.key.encode(), key.encode())
        if name in self._left:
            owner, left_ms = self._left[name]
            if compare_digest(owner.encode(), key.encode()):
                return True
            return not kept and self._time.monotonic_ms() - left_ms >= 1000 * self._limits.player_name_kept_s
        proofs = [proof for seats in kept.values() for proof in seats]
        return not proofs or any(
            compare_digest(invited_nonce(self._secret, proof.uid, proof.seat, name, key), proof.nonce)
            for proof in proofs
        )

    def connection(self, name: str) -> Connection | None:
        """Who has that name now."""
        return self._connected.get(name)

    def is_here(self, connection: Connection) -> bool:
        """Has it not been replaced or gone?"""
        return self._connected.get(connection.name) is connection

    # -- which matches have seats for whom -----------------------------------------------------------------------------

    def expect(self, header: Header, rows: Sequence[SeatRow]) -> None:
        """An unfinished match has these seats."""
        for seat, (setup, row) in enumerate(zip(header.seats, rows, strict=True)):
            if setup.kind is SeatKind.INVITED:
                proofs = self._meant.setdefault(setup.player, {}).setdefault(header.match, [])
                if row.taken and row.player == setup.player and tokens.is_keyed(row.nonce):
                    self._meant[setup.player][header.match] = [*proofs, SeatProof(header.uid, seat, row.nonce)]

    def forget(self, match: str, seats: Sequence[SeatSetup]) -> None:
        """The match has ended."""
        for seat in seats:
            kept = self._meant.get(seat.player) if seat.kind is SeatKind.INVITED else None
            if kept is not None:
                kept.pop(match, None)
                if not kept:
                    del self._meant[seat.player]

    def somebody_to_seat(self, live: LiveMatch) -> bool:
        """Is a free seat of this match kept for a player who is here?"""
        return live.state is MatchState.WAITING and any(
            self._due(live.game_id, setup, row) is not None
            for setup, row in zip(live.header.seats, live.now.seats, strict=True)
        )

    def _due(self, game: str, setup: SeatSetup, row: SeatRow) -> Connection | None:
        """The connected player for whom this seat is kept free."""
        if setup.kind is not SeatKind.INVITED or row.taken:
            return None
        connection = self._connected.get(setup.player)
        return connection if connection is not None and connection.wants(game) else None

    # -- seating them --------------------------------------------------------------------------------------------------

    def seat_connected(self, draft: Draft, decide: Decider) -> list[Taken]:
        """Plan to give every free seat that is kept for a connected player to that player; begin play if all sit."""
        after = draft.after
        taken: list[Taken] = []
        if after.state is not MatchState.WAITING:
            return taken
        for seat, setup in enumerate(draft.header.seats):
            connection = self._due(draft.header.game, setup, after.seats[seat])
            if connection is not None:
                nonce = invited_nonce(self._secret, draft.header.uid, seat, connection.name, connection.key)
                taken.append(Taken(connection, Seat(seat), sit(draft, seat, setup.player, nonce, self._secret)))
        if taken:
            start_if_full(draft, decide)
        return taken

    def held(self, live: LiveMatch, connection: Connection) -> list[Taken]:
        """The seats of an unfinished match that this player took as an invited one, with this key."""
        if live.state.ended:
            return []
        found: list[Taken] = []
        uid = live.header.uid
        for seat, row in enumerate(live.now.seats):
            if row.kind == SeatKind.INVITED and row.taken and row.player == connection.name:
                nonce = invited_nonce(self._secret, uid, seat, connection.name, connection.key)
                if compare_digest(nonce, row.nonce):
                    found.append(Taken(connection, Seat(seat), tokens.mint(self._secret, uid, seat, nonce)))
        return found

    def tell(self, live: LiveMatch, taken: Sequence[Taken]) -> None:
        """Tell players of their seats, those who are still here."""
        for one in taken:
            if self.is_here(one.connection):
                one.connection.invitee.on_invited(live, one.seat, one.token)
