"""Action codes as messages and back; cards, tokens, targets and scores as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.types import Code
from gamepacks.omega.codes import BOOK, NOWHERE, Reason
from gamepacks.omega.labels import power_text
from gamepacks.omega.scoring import Score
from gamepacks.omega.v1 import omega_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega

FIELDS = {verb: verb.name.lower() for verb in BOOK.verbs}
"""The field of the action message for each verb; its message has a field for each argument."""
_VERBS = {field: verb for verb, field in FIELDS.items()}


def action_message(code: int) -> pb.Action:
    """The message of a code. Raises ValueError for a number that is no code."""
    verb = BOOK.verb(code)
    action = pb.Action()
    part = getattr(action, FIELDS[verb])
    part.SetInParent()
    for name, value in zip(verb.fields, verb.unpack(code), strict=True):
        setattr(part, "rune" if name == "type" else name, value + 1 if name == "type" else value)
    return action


def action_code(action: pb.Action) -> Code:
    """The code of a message. Raises IllegalAction (INCOMPLETE_ACTION) if a field is missing or out of range."""
    field = action.WhichOneof("action")
    if field is None:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "action is not set", field="action")
    verb, part = _VERBS[field], getattr(action, field)
    arguments = [part.rune - 1 if name == "type" else getattr(part, name) for name in verb.fields]
    if not verb.fits(*arguments):
        raise IllegalAction(Reason.INCOMPLETE_ACTION, f"a field of {field} is out of range", field=field)
    return verb(*arguments)


def card_message(game: Omega, card: int) -> pb.Card:
    """A card of the set as a message."""
    printed = game.cards.egregors[card]
    return pb.Card(
        card=card,
        name=printed.name,
        snake=printed.snake,
        thrust=printed.thrust,
        renegade=printed.renegade,
        primitive=printed.primitive,
        powers=[pb.Power(lightning=p.trigger == "lightning", text=power_text(p)) for p in printed.powers],
    )


def token_message(game: Omega, token: int) -> pb.Token:
    """A token of the set as a message."""
    printed = game.cards.arcana[token]
    return pb.Token(token=token, name=printed.title, text=printed.text or "")


def target_message(seat: int, place: int) -> pb.Target:
    """The target of a batch; seat NOWHERE means the gallery."""
    return pb.Target(slot=place) if seat == NOWHERE else pb.Target(seat=seat, place=place)


def score_message(score: Score) -> pb.Score:
    """A score as a message."""
    return pb.Score(
        runes=score.runes,
        gold=score.gold,
        arcana=score.arcana,
        bonus=score.bonus,
        total=score.total,
        arcana_most=score.arcana_most,
    )
