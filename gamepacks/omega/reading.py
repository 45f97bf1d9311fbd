"""What a person types at a terminal as an action, legal or not: an illegal one is refused with its reason."""

from __future__ import annotations

from gamepacks.api.reading import folded
from gamepacks.omega.codes import TYPE_NAMES
from gamepacks.omega.v1 import omega_pb2 as pb

_PLAIN = {"end": "end_main", "end turn": "end_main", "confirm": "confirm", "pair": "pair", "black": "place_black"}


def read(view: pb.View, text: str) -> pb.Action | None:
    """``summon``, ``capture``, ``disown``, ``mask`` with a name; ``place``, ``add`` with a colour; ``end`` ..."""
    said = folded(text)
    if said in _PLAIN:
        action = pb.Action()
        getattr(action, _PLAIN[said]).SetInParent()
        return action
    verb, _, name = said.partition(" ")
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
