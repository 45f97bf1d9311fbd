"""Typed text as an action message, legal or not, so that an illegal one is refused with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable

from gamepacks.api.text import folded
from gamepacks.omen.labels import CITY_NAMES
from gamepacks.omen.sentences import seen_cards
from gamepacks.omen.v1 import omen_pb2 as pb

_NUMBERED = re.compile(r"city (\d)")
_BENEFITS = {"draw": pb.BENEFIT_DRAW, "coin": pb.BENEFIT_COIN}
_PASSES = {
    pb.DECISION_WHIM_DRAW: "whim_stop",
    pb.DECISION_WHIM_PASS: "whim_keep",
    pb.DECISION_FEAT: "feat_done",
    pb.DECISION_ROTATE: "rotate_none",
    pb.DECISION_CHALLENGE: "challenge_none",
    pb.DECISION_OFFER: "offer_none",
    pb.DECISION_MAY: "skip",
}
"""Actions that the word ``pass`` stands for, by decision; a plain pass elsewhere."""


def parse(view: pb.View, text: str) -> pb.Action | None:
    """Parse ``play``, ``use``, ``offer``, ``discard`` with a name, a City, ``draw``, ``coin``, ``pass`` or ``end``.

    Returns None for any other text."""
    said = folded(text)
    if said in ("end", "end surge"):
        return _plain("surge_end")
    if said == "pass":
        return _plain(_PASSES.get(view.decision, "pass"))
    if said in _BENEFITS:
        # An effect may have the same name; the list of labels shows it.
        return None if view.decision in (pb.DECISION_MAY, pb.DECISION_CHOOSE) else _benefit(view, said)
    city = _city(view, said.removeprefix("the ").removesuffix(" city") if not said.startswith("city") else said)
    if city is not None:
        return pb.Action(war_city=city) if view.decision == pb.DECISION_WAR_CITY else pb.Action(city=city)
    verb, _, name = said.partition(" ")
    card = next((card.id for card in seen_cards(view) if name and name in (folded(card.name), card.id)), None)
    reader = _VERBS.get(verb)
    return None if card is None or reader is None else reader(view, card)


def _plain(kind: str) -> pb.Action:
    action = pb.Action()
    getattr(action, kind).SetInParent()
    return action


def _benefit(view: pb.View, said: str) -> pb.Action:
    if view.decision == pb.DECISION_CARD and said == "draw":
        return _plain("fate_draw")
    benefit = _BENEFITS[said]
    return pb.Action(split=benefit) if view.decision == pb.DECISION_SPLIT else pb.Action(wealth=benefit)


def _city(view: pb.View, said: str) -> int | None:
    if len(view.cities) == len(CITY_NAMES) and said in CITY_NAMES:
        return CITY_NAMES.index(said)
    numbered = _NUMBERED.fullmatch(said)
    city = int(numbered[1]) - 1 if numbered else -1
    return city if 0 <= city < len(view.cities) else None


def _play(view: pb.View, card: str) -> pb.Action | None:
    if view.decision == pb.DECISION_MODE and view.source.id == card:
        return pb.Action(mode=pb.MODE_PLAY)
    return pb.Action(surge=pb.CardChoice(card=card))


def _use(view: pb.View, card: str) -> pb.Action | None:
    if view.decision == pb.DECISION_MAY:
        return _plain("do") if view.source.id == card else None
    if view.decision == pb.DECISION_ACT:
        return pb.Action(act=pb.CardChoice(card=card))
    if view.decision == pb.DECISION_REACT:
        return pb.Action(react=pb.CardChoice(card=card))
    if view.decision == pb.DECISION_PORTENT:
        seat = view.deciding_seat
        for city, there in enumerate(view.cities):
            if any(unit.card.id == card for unit in there.sides[seat].units):
                return pb.Action(portent=pb.UnitChoice(seat=seat, city=city, card=card))
        return None
    if view.decision == pb.DECISION_MODE:
        # Beasts, Spirits and Heroes are used in different modes; the list of labels shows the available one.
        return None
    return pb.Action(surge=pb.CardChoice(card=card))


def _offer(view: pb.View, card: str) -> pb.Action | None:
    return pb.Action(offer=pb.CardChoice(card=card))


def _discard(view: pb.View, card: str) -> pb.Action | None:
    if view.decision in (pb.DECISION_UNIT, pb.DECISION_MAY):
        return None
    if view.decision == pb.DECISION_CARD:
        return pb.Action(card=pb.CardChoice(card=card))
    return pb.Action(limit=pb.CardChoice(card=card))


_VERBS: dict[str, Callable[[pb.View, str], pb.Action | None]] = {
    "play": _play,
    "use": _use,
    "offer": _offer,
    "discard": _discard,
}
