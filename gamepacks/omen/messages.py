"""Conversion between action codes and action messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.codec import ActionCodec
from gamepacks.api.types import Code
from gamepacks.omen.codes import BOOK, KEEP, Reason
from gamepacks.omen.v1 import omen_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omen.engine.rules import OmenState


def _card_id(state: OmenState, card: int) -> str:
    return str(state.game.compiled.faces[card].id)


def _card_index(state: OmenState, card_id: str) -> int:
    index: int | None = state.game.compiled.index(card_id)
    if index is None:
        raise IllegalAction(Reason.UNKNOWN_CARD, "the card set has no card with this id", field="card")
    return index


def _keep_message(state: OmenState, code: int) -> pb.Keep:
    (units,) = KEEP.unpack(code)
    return pb.Keep(units=[place for place in range(units.bit_length()) if units >> place & 1])


def _keep_code(state: OmenState, keep: pb.Keep) -> Code:
    units = sum({1 << place for place in keep.units if 0 <= place < KEEP.arguments[0].bits})
    if units.bit_count() != len(keep.units):
        raise IllegalAction(Reason.NOT_AN_OPTION, "units must be places from 0, without repetitions", field="units")
    return KEEP(units)


CODEC = ActionCodec(
    BOOK, pb.Action, arguments={"card": (_card_id, _card_index)}, verbs={KEEP: (_keep_message, _keep_code)}
)
