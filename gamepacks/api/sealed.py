"""Sealed states: parts of a position message that only the engine writes.

A pack puts a :class:`SealedState` into its position message if the state is in the middle of an effect, and leaves
its ``seal`` empty. The service fills in the seal of each position that it gives out, and refuses a position that comes
back with another one; so ``Game.restore`` meets only bytes that ``Game.position`` wrote. It must be memory-safe with
any bytes, as logs can be damaged, but it need not name each fault: :func:`write_pending` adds a checksum, and
:func:`read_pending` refuses what does not match it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from google.protobuf.message import Message

from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.api.v1.sealed_state_pb2 import SealedState

_CHECKSUM_SIZE = 8


def sealed_states(message: Message, path: str = "") -> Iterator[tuple[str, SealedState]]:
    """Yield the sealed states inside a message, each with its path, such as ``pending`` or ``stacks[1].pending``."""
    for field, value in message.ListFields():
        kind = field.message_type
        if kind is None or kind.GetOptions().map_entry:
            continue
        parts = value if field.is_repeated else [value]
        for number, part in enumerate(parts):
            place = f"{path}{field.name}[{number}]" if field.is_repeated else f"{path}{field.name}"
            if isinstance(part, SealedState):
                yield place, part
            else:
                yield from sealed_states(part, f"{place}.")


def write_pending(position: Any, values: dict[str, Any]) -> None:
    """Put values (of the kinds that JSON has) into the field ``pending`` of a position whose other fields are set."""
    data = json.dumps(values, separators=(",", ":")).encode()
    position.pending.state = _checksum(position, data) + data


def read_pending(position: Any) -> dict[str, Any]:
    """The values that :func:`write_pending` put into a position.

    Raises InvalidPosition where the bytes are damaged or belong to another position.
    """
    state = position.pending.state
    checksum, data = state[:_CHECKSUM_SIZE], state[_CHECKSUM_SIZE:]
    if checksum != _checksum(position, data):
        message = "the bytes are damaged, or belong to another position; only the engine writes them"
        raise InvalidPosition([Fault("pending.state", message)])
    return dict(json.loads(data))


def _checksum(position: Any, data: bytes) -> bytes:
    """Checksum of pending data with all the rest of its position."""
    rest = type(position)()
    rest.CopyFrom(position)
    rest.ClearField("pending")
    whole = data + rest.SerializeToString(deterministic=True)
    return blake2b(whole, digest_size=_CHECKSUM_SIZE, person=b"pending state").digest()
