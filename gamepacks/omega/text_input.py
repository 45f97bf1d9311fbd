"""Typed text as an action message, legal or not, so that an illegal one is refused with its reason."""

from __future__ import annotations

from gamepacks.api.text import folded
from gamepacks.omega.codes import TYPE_NAMES
from gamepacks.omega.v1 import omega_pb2 as pb

_PLAIN = {"end": "end_main", "end turn": "end_main", "confirm": "confirm", "pair": "pair", "black": "place_black"}


def parse(view: pb.View, text: str) -> pb.Action | None:
    """Parses typed text; None if it is not an action.

    ``summon``, ``capture``, ``disown`` and ``mask`` take a name, ``place`` and ``add`` a colour; ``end``, ``confirm``,
    ``pair`` and ``black`` stand alone.
    """
    typed = folded(text)
    if typed in _PLAIN:
        action = pb.Action()
        getattr(action, _PLAIN[typed]).SetInParent()
        return action
    verb, _, name = typed.partition(" ")
    if verb in ("place", "add") and name in TYPE_NAMES:
        action = pb.Action()
        getattr(action, verb).rune = TYPE_NAMES.index(name) + 1
        return action
    if verb == "summon":
        slots = [slot for slot, card in enumerate(view.gallery) if folded(card.card.name) == name]
        return pb.Action(summon=pb.Summon(slot=slots[0])) if name and slots else None
    found = [
        (seat, place)
        for seat, player in enumerate(view.players)
        for place, egregor in enumerate(player.egregors)
        if folded(egregor.card.name) == name
    ]
    if not found:
        return None
    seat, place = found[0]
    if verb == "capture":
        return pb.Action(capture=pb.EgregorChoice(seat=seat, place=place))
    if verb in ("disown", "mask") and view.HasField("active_seat") and seat == view.active_seat:
        action = pb.Action()
        getattr(action, verb).place = place
        getattr(action, verb).SetInParent()
        return action
    return None
