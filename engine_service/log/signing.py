"""Signatures of replays: by them a replay tells where it was played, which its chain and its rolls cannot.

Ed25519 over the chain of the log, which stands for the header and every record; ``replay.proto`` has the exact bytes.
Whoever makes up a log can chain it anew, but not sign it with the key of another service.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from engine_service.errors import ReplayInvalid
from omnilude.v1.replay_pb2 import Replay

SIGNATURE_BYTES = 64
PUBLIC_KEY_BYTES = 32
_DOMAIN = b"omnilude replay 1\0"


class SigningKey:
    """The private key of a service, from its 32 secret bytes."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()
        """32 bytes, for everyone: what the signatures are checked with."""

    def sign(self, replay: Replay) -> None:
        """Sign a replay of a match that was played at this service."""
        replay.signature = self._key.sign(_DOMAIN + replay.chain)
        replay.signing_key = self.public


def signer(replay: Replay) -> bytes:
    """The public key of the service that has signed a replay; empty: nobody has.

    Raises ReplayInvalid where the signature is not made with that key over this log.
    """
    if not replay.signature and not replay.signing_key:
        return b""
    try:
        if len(replay.signature) != SIGNATURE_BYTES or len(replay.signing_key) != PUBLIC_KEY_BYTES:
            raise InvalidSignature
        Ed25519PublicKey.from_public_bytes(replay.signing_key).verify(replay.signature, _DOMAIN + replay.chain)
    except (InvalidSignature, ValueError):
        raise ReplayInvalid(0, "its signature is not of this log") from None
    return replay.signing_key
