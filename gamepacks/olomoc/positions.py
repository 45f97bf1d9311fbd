"""States as the pack's position messages, and back, with every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.olomoc.game import Olomoc
    from gamepacks.olomoc.state import OlomocState


def to_message(state: OlomocState) -> pb.Position:
    """The whole state; equal states give equal messages."""
    return pb.Position(**state.dump())


def values_of(message: Message) -> dict[str, Any]:
    """A message as plain values by name, in the form of ``OlomocState.dump``."""
    values: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.message_type is not None:
            values[field.name] = [values_of(part) for part in value]
        elif field.is_repeated:
            values[field.name] = list(value)
        else:
            values[field.name] = value
    return values


def restore(game: Olomoc, position: pb.Position) -> OlomocState:
    """The state that a position stands for. Raises InvalidPosition with every fault."""
    from gamepacks.olomoc.state import OlomocState

    state = OlomocState.load(game, game.rules, values_of(position))
    for seat in range(2):
        if state.owing() >> seat & 1 and not state.legal(seat):
            raise InvalidPosition([Fault("frames", f"seat {seat} is to decide and has nothing to choose (OLO-INV-06)")])
    return state
