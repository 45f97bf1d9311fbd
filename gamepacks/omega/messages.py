"""Cards, tokens, targets and scores as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamepacks.omega.codes import NONE
from gamepacks.omega.labels import power_text
from gamepacks.omega.scoring import Score
from gamepacks.omega.v1 import omega_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


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
    """The target of a batch; seat NONE means the gallery."""
    return pb.Target(slot=place) if seat == NONE else pb.Target(seat=seat, place=place)


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
