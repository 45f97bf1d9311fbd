"""Tokens, by which callers prove that they are the host or hold a seat.

A token is derived from the service's secret, the match, the role and a nonce; only its digest and the nonce are stored.
So a repeated request gets the same token although nobody has stored it, a copy of the database gives access to no seat,
and tokens stay valid if the secret is replaced.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path

from engine_service.errors import NotAllowed, TokenInvalid, TokenMissing
from engine_service.model import HOST
from engine_service.store.base import SeatRow
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Seat, Viewer

SECRET_BYTES = 32
NONCE_BYTES = 16
_FROM_KEY = 1
"""Bit of a nonce's first byte that marks a keyed nonce."""


TokenCheck = Callable[[str, Sequence[SeatRow], bytes], object]
"""Function of a token, the seats of a match and the digest of its host token; raises if the token is not accepted."""


class BadSecret(ValueError):
    """The secret file is not valid; the message is for the operator."""


def new_nonce() -> bytes:
    """Returns 16 random bytes, which make a new token for a role. A nonce is not secret."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return bytes([nonce[0] & ~_FROM_KEY]) + nonce[1:]


def keyed_nonce(secret: bytes, message: bytes) -> bytes:
    """Returns the nonce of a message, which only the holder of the secret can compute."""
    nonce = blake2b(message, digest_size=NONCE_BYTES, key=secret).digest()
    return bytes([nonce[0] | _FROM_KEY]) + nonce[1:]


def is_keyed(nonce: bytes) -> bool:
    """Returns whether the nonce was made by :func:`keyed_nonce`."""
    return bool(nonce and nonce[0] & _FROM_KEY)


def mint(secret: bytes, uid: bytes, role: int, nonce: bytes) -> str:
    """Returns the token of a role (a seat, or -1 for the host) in the match of that uid: 43 characters of base64url."""
    message = uid + role.to_bytes(2, "little", signed=True) + nonce
    mac = blake2b(message, digest_size=32, key=secret).digest()
    return urlsafe_b64encode(mac).rstrip(b"=").decode()


def digest(token: str) -> bytes:
    """Returns the digest of a token that is stored. Tokens are as long as keys, so plain BLAKE2b-256 is enough."""
    return blake2b(token.encode("utf-8", "surrogatepass"), digest_size=32).digest()


def matches(token_digest: bytes, stored: bytes) -> bool:
    """Compare digests in constant time; an empty one (no token was given out) matches none."""
    return compare_digest(token_digest, stored)


def viewer_of(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> Viewer:
    """Returns the viewer of a token: OMNISCIENT for the host's, a seat, or SPECTATOR without a token. Raises
    TokenInvalid."""
    if not token:
        return SPECTATOR
    shown = digest(token)
    # All are compared, so that the time taken does not reveal which seat was nearly right.
    matching = [seat for seat, row in enumerate(seats) if matches(shown, row.digest)]
    if matches(shown, host_digest):
        return OMNISCIENT
    if not matching:
        raise TokenInvalid()
    return Viewer(matching[0])


def seat_of(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> Seat:
    """Returns the seat of a token. Raises TokenMissing, TokenInvalid, NotAllowed (the host's)."""
    if not token:
        raise TokenMissing("a seat's token")
    viewer = viewer_of(token, seats, host_digest)
    if viewer < 0:
        raise NotAllowed("this needs a seat's token, not the host's")
    return Seat(viewer)


def require_host(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> None:
    """Check that the token is the host's. Raises TokenMissing, TokenInvalid, NotAllowed (a seat's)."""
    if not token:
        raise TokenMissing("the host's token")
    if viewer_of(token, seats, host_digest) != OMNISCIENT:
        raise NotAllowed("this needs the host's token, not a seat's")


def host_token(secret: bytes, uid: bytes, nonce: bytes) -> str:
    """Returns the token of a match's host."""
    return mint(secret, uid, HOST, nonce)


def invited_nonce(secret: bytes, uid: bytes, seat: int, player: str, player_key: str) -> bytes:
    """Returns the nonce for the token of an invited player, which is always the same for the same player key.

    So the service can send the token again to a player who comes back with the key, and to nobody else.
    """
    message = b"\0".join([b"invited", uid, b"%d" % seat, player.encode(), player_key.encode()])
    return keyed_nonce(secret, message)


def load_or_create_secret(path: Path) -> bytes:
    """Read the secret of the service from a file of 32 bytes; create it, readable by its owner alone, if it is missing.

    Raises BadSecret if the file is not valid, OSError if it cannot be read or created.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        secret = _create_secret(path)
    if len(secret) != SECRET_BYTES:
        raise BadSecret(f"{path} has {len(secret)} bytes; a secret has {SECRET_BYTES}")
    return secret


def _create_secret(path: Path) -> bytes:
    """Write to a temporary file and link it into place, so that nobody reads half of it and the first of two writers
    wins."""
    descriptor, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # readable by its owner alone
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        Path(temporary).unlink()
    return path.read_bytes()
