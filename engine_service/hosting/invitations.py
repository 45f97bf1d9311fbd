"""Players who are connected under a name, and the seats that are kept for them.

A name belongs to whoever is connected under it; the same key takes it over. Nothing of a player outlives its
connection but the seats it took: their tokens are made from its key, so whoever comes back with the key is told them
again, and nobody else is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Protocol

from engine_service.errors import InvalidField, PlayerNameTaken
from engine_service.limits import Limits
from engine_service.matches import tokens
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import Decider
from engine_service.matches.progress import Draft
from engine_service.matches.seats import check_name, invited_nonce, sit, start_if_full
from engine_service.model import MatchState, SeatKind, SeatSetup
from engine_service.store.base import SeatRow
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
class Taken:
    """A seat that an invited player holds."""

    connection: Connection
    seat: Seat
    token: str


class Players:
    """Who is connected under which name, and which unfinished matches keep seats for whom."""

    def __init__(self, limits: Limits, secret: bytes, arrived: Callable[[Connection, Sequence[str]], None]) -> None:
        """``arrived`` is called with the names of the matches that have seats for a player who has just connected."""
        self._limits = limits
        self._secret = secret
        self._arrived = arrived
        self._connected: dict[str, Connection] = {}
        self._meant: dict[str, dict[str, None]] = {}  # player -> names of matches, in the order they came

    def connect(self, name: str, key: str, games: frozenset[str], invitee: Invitee) -> None:
        """Let a player be invited. Raises PlayerNameTaken, InvalidField."""
        check_name(name, "hello.player", self._limits)
        if len(key) > self._limits.request_id_length:
            raise InvalidField.one("hello.player_key", f"at most {self._limits.request_id_length} characters")
        held = self._connected.get(name)
        if held is not None:
            if not key or not compare_digest(held.key.encode(), key.encode()):
                raise PlayerNameTaken(name)
            held.invitee.on_replaced()
        connection = Connection(name, key, games, invitee)
        self._connected[name] = connection
        if matches := list(self._meant.get(name, ())):
            self._arrived(connection, matches)

    def disconnect(self, name: str, invitee: Invitee) -> None:
        """The player is gone; nothing happens where the name has passed on."""
        held = self._connected.get(name)
        if held is not None and held.invitee is invitee:
            del self._connected[name]

    def connection(self, name: str) -> Connection | None:
        """Who has that name now."""
        return self._connected.get(name)

    def is_here(self, connection: Connection) -> bool:
        """Has it not been replaced or gone?"""
        return self._connected.get(connection.name) is connection

    # -- which matches have seats for whom -----------------------------------------------------------------------------

    def expect(self, match: str, seats: Sequence[SeatSetup]) -> None:
        """An unfinished match has these seats."""
        for seat in seats:
            if seat.kind is SeatKind.INVITED:
                self._meant.setdefault(seat.player, {})[match] = None

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
        if not connection.key or live.state.ended:
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
