"""Parts of the score of a player, computed from a view (OMEN-SCORE, OMENT-SCORE)."""

from __future__ import annotations

from gamepacks.api.text import counted
from gamepacks.omen.codes import CHALLENGE_POINTS, FEAT_POINTS, PRIZE_POINTS, TRIUMPH_POINTS
from gamepacks.omen.v1 import omen_pb2 as pb

_PRIZES = (pb.KIND_REWARD, pb.KIND_KRATER)


def score_parts(view: pb.View, seat: int) -> dict[str, int]:
    """The points of a seat by source, as far as the view shows its cards; sources with 0 points are left out.

    Points from card texts ("other card points") are the rest of the final score, so they are included only when the
    game is over."""
    player = view.players[seat]
    hand = [slot.card for slot in player.hand if slot.HasField("card")]
    prize = "Kraters" if view.traits else "Rewards"
    parts = {
        f"{prize} in hand": PRIZE_POINTS * sum(slot.kind in _PRIZES for slot in player.hand),
        "Broken Kraters" if view.traits else "face-down Rewards": sum(slot.kind in _PRIZES for slot in player.used),
        "triumphs": TRIUMPH_POINTS * sum(slot.kind == pb.KIND_UNIT for slot in player.used),
        "COVETED Units in hand": sum(pb.TRAIT_COVETED in card.traits for card in hand),
        "Heroes in hand": sum(card.type == pb.UNIT_TYPE_HERO for card in hand),
        "Feats": FEAT_POINTS * sum(feat.down for feat in player.feats),
        "rotated Feats": sum(feat.rotated for feat in player.feats),
        "Challenges": CHALLENGE_POINTS * len(player.challenges),
        "Relics": sum(city.sides[seat].HasField("relic") for city in view.cities),
        "Whims in hand": sum(card.hold_points for card in hand),
    }
    if player.HasField("score"):
        parts["other card points"] = player.score - sum(parts.values())
    return {name: points for name, points in parts.items() if points}


def score_text(view: pb.View, seat: int) -> str:
    """The points of a seat with their sources: ``7 points (Rewards in hand 4, Feats 2, Heroes in hand 1)``."""
    parts = score_parts(view, seat)
    total = sum(parts.values())
    made_of = ", ".join(f"{name} {points}" for name, points in parts.items())
    points = f"{counted(total, 'point')}"
    return f"{points} ({made_of})" if made_of else points


def hand_is_known(player: pb.Player) -> bool:
    """True if the view shows all cards of the hand."""
    return all(slot.HasField("card") for slot in player.hand)
