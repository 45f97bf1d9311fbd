"""Sealed states: parts of a position message that only the engine writes.

A pack puts a :class:`SealedState` into its position message where a state stands in the middle of an effect, and leaves
its ``seal`` empty. The service fills in the seal of each position that it gives out, and refuses a position that comes
back with another one; so ``Game.restore`` meets only bytes that ``Game.position`` wrote. It must be memory-safe with
any bytes, as logs can be damaged, but it need not name each fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import Message

from gamepacks.api.v1.sealed_state_pb2 import SealedState


def sealed_states(message: Message, path: str = "") -> Iterator[tuple[str, SealedState]]:
    """All sealed states inside a message, each with its path, such as ``pending`` or ``stacks[1].pending``."""
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
