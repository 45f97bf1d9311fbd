"""Seals of positions: the service accepts a sealed state only if it created the seal itself.

A pack keeps what is pending in the middle of an effect as bytes (:class:`gamepacks.api.SealedState`), which it does not
check in detail. The seal is HMAC-SHA-256 over the game, its rules version, the number of players, the options, the card
set and the bytes, with a key that is derived from the service's secret.
"""

from __future__ import annotations

import hmac
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from engine_service.errors import InvalidPosition
from engine_service.log.header import Header
from gamepacks.api.errors import Fault
from gamepacks.api.registry import Registry
from gamepacks.api.sealed import sealed_states
from gamepacks.api.v1.sealed_state_pb2 import SealedState

MessageT = TypeVar("MessageT", bound=Message)
_KEY_DOMAIN = b"omnilude sealed state 1"


def rules_context(
    game_id: str, rules_version: str, players: int, options: bytes, card_set_digest: bytes
) -> tuple[bytes, ...]:
    """Returns the context of a seal: the rules that a sealed state belongs to. ``options`` is the serialised message
    with every option set."""
    return game_id.encode(), rules_version.encode(), b"%d" % players, options, card_set_digest


def context_of(header: Header) -> tuple[bytes, ...]:
    """Returns the context of the seals of a match."""
    return rules_context(
        header.game, header.rules_version, header.players, header.options.value, header.card_set_digest
    )


class PositionSealer:
    """Seals the positions that the service sends, and checks those that it receives."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, _KEY_DOMAIN, "sha256")

    def seal(self, context: tuple[bytes, ...], position: Message) -> None:
        """Fill in the seals of a position."""
        if _can_be_sealed(position.DESCRIPTOR):
            for _, sealed in sealed_states(position):
                if sealed.state:
                    sealed.seal = self._seal(context, sealed.state)

    def unsealed(self, context: tuple[bytes, ...], position: MessageT) -> MessageT:
        """Check the seals of a position, and return it without them. Raises InvalidPosition, naming each wrong seal."""
        if not _can_be_sealed(position.DESCRIPTOR):
            return position
        checked = type(position)()
        checked.CopyFrom(position)
        faults = []
        for path, sealed in sealed_states(checked):
            if sealed.state and not hmac.compare_digest(sealed.seal, self._seal(context, sealed.state)):
                wrong = "this service did not seal this state for this game with these options"
                faults.append(Fault(f"position.{path}.seal", wrong))
            sealed.ClearField("seal")
        if faults:
            raise InvalidPosition.of(*faults)
        return checked

    def check_header(self, header: Header, registry: Registry) -> None:
        """Check the seals of the position at the start of an imported log. Raises InvalidPosition.

        A game that is not loaded and a message that is none of its positions are reported elsewhere.
        """
        loaded = registry.games.get(header.game)
        if header.position is None or loaded is None:
            return
        position = loaded.game.messages.position()
        with suppress(DecodeError):
            if header.position.Unpack(position):
                self.unsealed(context_of(header), position)

    def _seal(self, context: tuple[bytes, ...], state: bytes) -> bytes:
        # Each part with its length, so that no two lists of parts give the same bytes.
        message = b"".join(len(part).to_bytes(8, "little") + part for part in (*context, state))
        return hmac.digest(self._key, message, "sha256")


@lru_cache(maxsize=256)
def _can_be_sealed(descriptor: Descriptor) -> bool:
    """Returns whether a message of this type can hold a sealed state."""
    seen, pending = {descriptor.full_name}, [descriptor]
    while pending:
        for field in pending.pop().fields:
            inner = field.message_type
            if inner is None or inner.full_name in seen:
                continue
            if inner.full_name == SealedState.DESCRIPTOR.full_name:
                return True
            seen.add(inner.full_name)
            pending.append(inner)
    return False
