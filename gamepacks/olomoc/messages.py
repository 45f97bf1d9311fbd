"""Conversion between action codes and action messages; only the parts that the verbs cannot declare are written
here."""

from __future__ import annotations

from typing import Any

from cext.errors import IllegalAction
from cext.geometry.units import LAST
from gamepacks.api.codec import ActionCodec
from gamepacks.api.types import Code
from gamepacks.olomoc.codes import BOOK, REACT, REST, Reason, coordinates, point
from gamepacks.olomoc.constants import SPECIFIC
from gamepacks.olomoc.v1 import olomoc_pb2 as pb


def _encode_point(state: Any, place: int) -> pb.Point:
    x, y = coordinates(place)
    return pb.Point(x=x, y=y)


def _decode_point(state: Any, given: pb.Point) -> int:
    if not (0 <= given.x <= LAST and 0 <= given.y <= LAST):
        raise IllegalAction(
            Reason.OFF_BOARD, f"({given.x}, {given.y}) is not a point of the board, whose coordinates are 0 to {LAST}"
        )
    return point(given.x, given.y)


def _encode_reaction(state: Any, code: int) -> pb.React:
    (reaction,) = REACT.unpack(code)
    if reaction >= SPECIFIC:
        return pb.React(reaction=pb.REACTION_CAPACITY, capacity=reaction)
    return pb.React(reaction=reaction + 1)  # type: ignore[arg-type]


def _decode_reaction(state: Any, given: pb.React) -> Code:
    if given.reaction not in pb.Reaction.values() or not given.reaction:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "reaction is not set", field="reaction")
    reaction = int(given.reaction) - 1
    if given.reaction == pb.REACTION_CAPACITY:
        reaction = given.capacity
        if reaction < SPECIFIC:
            raise IllegalAction(Reason.NO_SUCH_CAPACITY, f"{reaction} is not a specific capacity")
        if not REACT.fits(reaction):
            raise IllegalAction(Reason.NOT_AN_OPTION, f"there is no capacity {reaction}", field="capacity")
    return REACT(reaction)


def _encode_removal(state: Any, code: int) -> pb.Remove:
    rouage, removed = REST.unpack(code)
    return pb.Remove(rouage=rouage, state=removed)  # type: ignore[arg-type]


def _decode_removal(state: Any, given: pb.Remove) -> Code:
    if not REST.fits(given.rouage, given.state):
        raise IllegalAction(Reason.NOT_AN_OPTION, "there is no such rouage or state", field="remove")
    return REST(given.rouage, given.state)


CODEC = ActionCodec(
    BOOK,
    pb.Action,
    parts={pb.Point: (_encode_point, _decode_point)},
    verbs={REACT: (_encode_reaction, _decode_reaction), REST: (_encode_removal, _decode_removal)},
)
