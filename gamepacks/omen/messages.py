"""Action codes as messages, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.api.types import Code
from gamepacks.omen.codes import BOOK, Reason
from gamepacks.omen.v1 import omen_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omen.game import OmenGame

_VERBS: dict[str, Verb] = {verb.name.lower(): verb for verb in BOOK.verbs}
"""Verbs by the names of their fields in the action message."""
_NUMBERS = ("which", "option", "n", "number")
"""Fields of verbs that are plain numbers."""


def action_message(game: OmenGame, code: int) -> pb.Action:  # type: ignore[type-arg]
    """The message of a code. Raises ValueError for a number that is no code."""
    verb = BOOK.verb(code)
    values = dict(zip(verb.fields, verb.unpack(code), strict=True))
    action = pb.Action()
    given = getattr(action, verb.name.lower())
    given.SetInParent()
    for name, value in values.items():
        if name == "card":
            given.card = game.compiled.faces[value].id
        elif name in ("benefit", "mode"):
            setattr(given, name, value + 1)
        elif name == "units":
            given.units.extend(place for place in range(24) if value >> place & 1)
        elif name in _NUMBERS:
            given.number = value
        else:
            setattr(given, name, value)
    return action


def action_code(game: OmenGame, action: pb.Action) -> Code:  # type: ignore[type-arg]
    """The code that a message stands for; whether it is legal is another question. Raises IllegalAction."""
    kind = action.WhichOneof("action")
    if kind is None:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "action is not set", field="action")
    verb, given = _VERBS[kind], getattr(action, kind)
    arguments = []
    for name in verb.fields:
        if name == "card":
            arguments.append(_card(game, given.card))
        elif name in ("benefit", "mode"):
            number = getattr(given, name)
            if number == 0:
                raise IllegalAction(Reason.INCOMPLETE_ACTION, f"{name} is not set", field=name)
            arguments.append(number - 1)
        elif name == "units":
            arguments.append(_mask(given.units))
        elif name in _NUMBERS:
            arguments.append(given.number)
        else:
            arguments.append(getattr(given, name))
    if not verb.fits(*arguments):
        raise IllegalAction(Reason.NOT_AN_OPTION, f"{kind}: a number is out of its range")
    return verb(*arguments)


def _card(game: OmenGame, name: str) -> int:  # type: ignore[type-arg]
    if not name:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "card is not set", field="card")
    index = game.compiled.index(name)
    if index is None:
        raise IllegalAction(Reason.UNKNOWN_CARD, "no card of the set has that id")
    return index


def _mask(places: list[int]) -> int:
    mask = 0
    for place in places:
        if not 0 <= place < 24 or mask >> place & 1:
            raise IllegalAction(Reason.NOT_AN_OPTION, "units: places from 0, each once")
        mask |= 1 << place
    return mask
