"""States as the pack's position messages, and back, with every fault named."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.state import OlomocState
    from gamepacks.olomoc.game import Olomoc


def to_message(state: OlomocState) -> pb.Position:
    """The whole state; equal states give equal messages."""
    return pb.Position(**state.dump())


def values_of(message: Message) -> dict[str, Any]:
    """A message as plain values by name, in the form of ``OlomocState.dump``."""
    values: dict[str, Any] = {}
    for name, is_message, is_repeated in _fields(message.DESCRIPTOR):
        value = getattr(message, name)
        if is_message:
            values[name] = [values_of(part) for part in value]
        else:
            values[name] = list(value) if is_repeated else value
    return values


@cache
def _fields(descriptor: Descriptor) -> tuple[tuple[str, bool, bool], ...]:
    """The fields of a message: name, whether they hold messages (always several), whether they hold several."""
    return tuple((field.name, field.message_type is not None, field.is_repeated) for field in descriptor.fields)


def restore(game: Olomoc, position: pb.Position) -> OlomocState:
    """The state that a position stands for. Raises InvalidPosition with every fault."""
    from gamepacks.olomoc.engine.state import OlomocState

    state = OlomocState.load(game, game.rules, values_of(position))
    for seat in range(2):
        if state.seats_to_act() >> seat & 1 and not state.legal(seat):
            raise InvalidPosition([Fault("frames", f"seat {seat} is to decide and has nothing to choose (OLO-INV-06)")])
    return state
