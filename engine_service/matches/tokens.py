"""Tokens: the only proof of who calls.

A token is made from the service's secret, the match, the role and a nonce; only its digest and the nonce are kept. So a
repeated request gets the same token although nobody has stored it, a copy of the database opens no seat, and with
another secret the tokens given out before still hold.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from base64 import urlsafe_b64encode
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path

SECRET_BYTES = 32
NONCE_BYTES = 16
_FROM_KEY = 1
"""The bit of a nonce's first byte that says how it was made."""


class BadSecret(ValueError):
    """The file of the service's secret holds no secret; the message says what is wrong, for the operator."""


def new_nonce() -> bytes:
    """What makes a token another than those given out before for the same role: 16 random bytes, no secret."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return bytes([nonce[0] & ~_FROM_KEY]) + nonce[1:]


def keyed_nonce(secret: bytes, message: bytes) -> bytes:
    """A nonce that is always the same for the same message, and that nobody without the secret can make."""
    nonce = blake2b(message, digest_size=NONCE_BYTES, key=secret).digest()
    return bytes([nonce[0] | _FROM_KEY]) + nonce[1:]


def is_keyed(nonce: bytes) -> bool:
    """Was it made by :func:`keyed_nonce`?"""
    return bool(nonce and nonce[0] & _FROM_KEY)


def mint(secret: bytes, uid: bytes, role: int, nonce: bytes) -> str:
    """The token of a role (a seat, or -1 for the host) in the match of that uid: 43 characters of base64url."""
    message = uid + role.to_bytes(2, "little", signed=True) + nonce
    mac = blake2b(message, digest_size=32, key=secret).digest()
    return urlsafe_b64encode(mac).rstrip(b"=").decode()


def digest(token: str) -> bytes:
    """What is stored of a token. Tokens are as long as keys, so a plain BLAKE2b-256 is enough."""
    return blake2b(token.encode("utf-8", "surrogatepass"), digest_size=32).digest()


def matches(token_digest: bytes, stored: bytes) -> bool:
    """Is it the same digest? In constant time; an empty one (no token was given out) fits none."""
    return compare_digest(token_digest, stored)


def load_or_create_secret(path: Path) -> bytes:
    """The service's secret from a file of 32 bytes, which is made, for its owner only, where there is none.

    Raises BadSecret where the file is no secret, OSError where it cannot be read or made.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        secret = _create_secret(path)
    if len(secret) != SECRET_BYTES:
        raise BadSecret(f"{path} has {len(secret)} bytes, not {SECRET_BYTES}: it is no secret of this service")
    return secret


def _create_secret(path: Path) -> bytes:
    """Written aside and linked into place, so that nobody ever reads half of it and the first of two makers wins."""
    descriptor, aside = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # readable by its owner alone
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
    finally:
        Path(aside).unlink()
    return path.read_bytes()
