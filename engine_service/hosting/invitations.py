"""Connected players, and the seats that are reserved for invited players.

A name belongs to the first key that a client sends with it: while its player is connected (a new connection with the
same key replaces the old one), as long as unfinished matches reserve seats for it, and for some time after. The tokens
of its seats are derived from the key, so a player who comes back with the key is sent them again, and nobody else is.
The tokens also prove the key after a restart, when names that hold no seat are free again.
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
from engine_service.match_enums import MatchState, SeatKind
from engine_service.matches import tokens
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import BotDecider
from engine_service.matches.seats import check_name, start_if_full, take_seat
from engine_service.model import SeatSetup, has_ended
from engine_service.store.base import SeatRow
from engine_service.timing import TimeSource
from gamepacks.api.types import Seat


class Invitee(Protocol):
    """Receiver of the notifications for a connected player."""

    def on_invited(self, live: LiveMatch, seat: Seat, token: str) -> None:
        """Called when the player holds a seat of this match, which is stored; it may be called again for a seat."""

    def on_referred(self, address: str) -> None:
        """Called when another service, at this address, has a free seat that is reserved for the player."""

    def on_replaced(self) -> None:
        """Called when the same key has connected again, so that this connection no longer has the name."""


@dataclass(frozen=True, slots=True)
class ConnectedPlayer:
    """A connected player. ``games`` are ids without ``games/``; empty: all games.

    ``additional``: the player's own connection, which has the name, is at another service.
    """

    name: str
    key: str
    games: frozenset[str]
    invitee: Invitee
    additional: bool = False

    def accepts(self, game: str) -> bool:
        """Returns whether the player accepts invitations to this game."""
        return not self.games or game in self.games


@dataclass(frozen=True, slots=True)
class SeatProof:
    """A seat that an invited player took: its nonce was made from the player's key."""

    uid: bytes
    seat: int
    nonce: bytes


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """A seat that an invited player holds, with its token."""

    connection: ConnectedPlayer
    seat: Seat
    token: str


class PlayerRegistry:
    """The connected players, and the seats of unfinished matches that are reserved for players."""

    def __init__(
        self,
        limits: Limits,
        secret: bytes,
        time: TimeSource,
        on_connect: Callable[[ConnectedPlayer, Sequence[str]], None],
        *,
        shared: bool,
    ) -> None:
        """``on_connect`` is called with the names of the matches that reserve seats for a player who has just
        connected. With ``shared``, the store keeps the names of players who have disconnected."""
        self._shared = shared
        self._limits = limits
        self._secret = secret
        self._time = time
        self._on_connect = on_connect
        self._connected: dict[str, ConnectedPlayer] = {}
        self._reserved: dict[str, dict[str, Sequence[SeatProof]]] = {}
        """By player: the names of matches, oldest first, and the proofs of its key there after a restart."""
        self._disconnected: OrderedDict[str, tuple[str, int]] = OrderedDict()
        """By disconnected player: its key, and the moment of disconnecting; oldest first."""

    def connect(
        self, name: str, key: str, games: frozenset[str], invitee: Invitee, *, additional: bool = False
    ) -> None:
        """Connect a player. Raises PlayerNameTaken, InvalidField."""
        self.check(name, key)
        self.replace(name)
        self._disconnected.pop(name, None)
        connection = ConnectedPlayer(name, key, games, invitee, additional)
        self._connected[name] = connection
        if matches := list(self._reserved.get(name, ())):
            self._on_connect(connection, matches)

    def check(self, name: str, key: str) -> None:
        """Check that a caller with this key may have the name. Raises PlayerNameTaken, InvalidField."""
        check_name(name, "hello.player", self._limits)
        if not 1 <= len(key) <= self._limits.request_id_length:
            raise InvalidField.one(
                "hello.player_key", f"must have 1 to {self._limits.request_id_length} characters if player is set"
            )
        if not self._may_have(name, key):
            raise PlayerNameTaken(name)

    def replace(self, name: str) -> None:
        """End the connection that has the name, if any, because its player has connected again."""
        held = self._connected.pop(name, None)
        if held is not None:
            held.invitee.on_replaced()

    @property
    def names(self) -> set[str]:
        """Names of the players whose own connection is here."""
        return {name for name, connection in self._connected.items() if not connection.additional}

    def disconnect(self, name: str, invitee: Invitee) -> bool:
        """Disconnect a player; returns False if another connection has the name."""
        held = self._connected.get(name)
        if held is None or held.invitee is not invitee:
            return False
        del self._connected[name]
        if not self._shared:
            self._disconnected[name] = held.key, self._time.monotonic_ms()
            while len(self._disconnected) > self._limits.player_names_retained:
                self._disconnected.popitem(last=False)
        return True

    def _may_have(self, name: str, key: str) -> bool:
        """Returns whether a caller with this key may have the name."""
        held, reserved = self._connected.get(name), self._reserved.get(name, {})
        if held is not None:
            return compare_digest(held.key.encode(), key.encode())
        if name in self._disconnected:
            owner, disconnected_ms = self._disconnected[name]
            if compare_digest(owner.encode(), key.encode()):
                return True
            return (
                not reserved
                and self._time.monotonic_ms() - disconnected_ms >= 1000 * self._limits.player_name_retention_s
            )
        proofs = [proof for seats in reserved.values() for proof in seats]
        return not proofs or any(
            compare_digest(tokens.invited_nonce(self._secret, proof.uid, proof.seat, name, key), proof.nonce)
            for proof in proofs
        )

    def connection(self, name: str) -> ConnectedPlayer | None:
        """Returns the connection that has the name now."""
        return self._connected.get(name)

    def is_connected(self, connection: ConnectedPlayer) -> bool:
        """Returns whether the connection still has its name."""
        return self._connected.get(connection.name) is connection

    # -- reserved seats ----------------------------------------------------------------------------------------------

    def reserve(self, header: Header, rows: Sequence[SeatRow], player: str | None = None) -> None:
        """Note the reserved seats of an unfinished match: those of one player, or all."""
        for seat, (setup, row) in enumerate(zip(header.seats, rows, strict=True)):
            if setup.kind is SeatKind.INVITED and player in (None, setup.player):
                proofs = self._reserved.setdefault(setup.player, {}).setdefault(header.match, [])
                if row.taken and row.player == setup.player and tokens.is_keyed(row.nonce):
                    self._reserved[setup.player][header.match] = [*proofs, SeatProof(header.uid, seat, row.nonce)]

    def has_reserved(self, player: str) -> bool:
        """Returns whether an unfinished match reserves a seat for the player."""
        return player in self._reserved

    def forget_reserved(self, player: str) -> None:
        """Forget all seats that are reserved for a player."""
        self._reserved.pop(player, None)

    def release(self, match: str, seats: Sequence[SeatSetup]) -> None:
        """Forget a match that has ended."""
        for seat in seats:
            kept = self._reserved.get(seat.player) if seat.kind is SeatKind.INVITED else None
            if kept is not None:
                kept.pop(match, None)
                if not kept:
                    del self._reserved[seat.player]

    def absent(self, live: LiveMatch) -> list[str]:
        """Returns the players who are not connected and for whom free seats of this match are reserved."""
        return [
            setup.player
            for setup, row in zip(live.header.seats, live.snapshot.seats, strict=True)
            if setup.kind is SeatKind.INVITED and not row.taken and setup.player not in self._connected
        ]

    def has_player_to_seat(self, live: LiveMatch) -> bool:
        """Returns whether a free seat of this match is reserved for a connected player."""
        return live.state is MatchState.WAITING and any(
            self._connected_player(live.game_id, setup, row) is not None
            for setup, row in zip(live.header.seats, live.snapshot.seats, strict=True)
        )

    def _connected_player(self, game: str, setup: SeatSetup, row: SeatRow) -> ConnectedPlayer | None:
        """Returns the connected player for whom this free seat is reserved."""
        if setup.kind is not SeatKind.INVITED or row.taken:
            return None
        connection = self._connected.get(setup.player)
        return connection if connection is not None and connection.accepts(game) else None

    # -- seating players -----------------------------------------------------------------------------------------------

    def seat_connected(self, draft: Draft, decide: BotDecider) -> list[SeatGrant]:
        """Plan to seat every connected player for whom a free seat is reserved; begins play if all seats are taken."""
        after = draft.after
        taken: list[SeatGrant] = []
        if after.state is not MatchState.WAITING:
            return taken
        for seat, setup in enumerate(draft.header.seats):
            connection = self._connected_player(draft.header.game, setup, after.seats[seat])
            if connection is not None:
                nonce = tokens.invited_nonce(self._secret, draft.header.uid, seat, connection.name, connection.key)
                taken.append(
                    SeatGrant(connection, Seat(seat), take_seat(draft, seat, setup.player, nonce, self._secret))
                )
        if taken:
            start_if_full(draft, decide)
        return taken

    def held_seats(self, live: LiveMatch, connection: ConnectedPlayer) -> list[SeatGrant]:
        """Returns the seats of an unfinished match that this player, invited and with this key, has taken."""
        if has_ended(live.state):
            return []
        found: list[SeatGrant] = []
        uid = live.header.uid
        for seat, row in enumerate(live.snapshot.seats):
            if row.kind == SeatKind.INVITED and row.taken and row.player == connection.name:
                nonce = tokens.invited_nonce(self._secret, uid, seat, connection.name, connection.key)
                if compare_digest(nonce, row.nonce):
                    found.append(SeatGrant(connection, Seat(seat), tokens.mint(self._secret, uid, seat, nonce)))
        return found

    def notify(self, live: LiveMatch, taken: Sequence[SeatGrant]) -> None:
        """Notify players of their seats, if they are still connected."""
        for grant in taken:
            if self.is_connected(grant.connection):
                grant.connection.invitee.on_invited(live, grant.seat, grant.token)
