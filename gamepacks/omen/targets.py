"""Parts of the scene: the cards by zone with their ids, and the parts that each action touches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gamepacks.omen.prompts import MODE_BUTTONS
from gamepacks.omen.v1 import omen_pb2 as pb


@dataclass(frozen=True, slots=True)
class Part:
    """A card of the scene."""

    id: str
    card: pb.Card | None
    """None if the viewer does not know the face."""
    kind: int
    state: tuple[int, ...] = ()
    """State that distinguishes copies of a card in one place."""


def parts_by_zone(view: pb.View) -> dict[str, list[Part]]:
    """The cards of the view by zone, in the order of the view, with ids that do not depend on other zones."""
    zones: dict[str, list[Part]] = {}

    def faces(zone: str, cards: Iterable[pb.Card], state: Sequence[tuple[int, ...]] = ()) -> None:
        cards = list(cards)
        ids = part_ids(zone, [card.id for card in cards])
        zones[zone] = [
            Part(id, card, card.kind, state[number] if state else ())
            for number, (id, card) in enumerate(zip(ids, cards, strict=True))
        ]

    def slots(zone: str, found: Iterable[pb.Slot]) -> None:
        found = list(found)
        ids = part_ids(zone, [slot.card.id if slot.HasField("card") else "hidden" for slot in found])
        zones[zone] = [
            Part(id, slot.card if slot.HasField("card") else None, slot.kind, (slot.fresh,))
            for id, slot in zip(ids, found, strict=True)
        ]

    slots("resolving", view.resolving)
    for seat, player in enumerate(view.players):
        slots(f"hand-{seat}", player.hand)
        slots(f"used-{seat}", player.used)
        slots(f"dealt-{seat}", player.dealt)
        slots(f"drafted-{seat}", player.draft_pile)
        faces(f"taken-{seat}", player.challenges)
    for number, city in enumerate(view.cities):
        slots(f"prize-{number}", city.prizes_known)
        for seat, side in enumerate(city.sides):
            states = [(unit.enraged, unit.owner) for unit in side.units]
            faces(f"unit-{seat}-{number}", (unit.card for unit in side.units), states)
            faces(f"placed-{seat}-{number}", [side.relic] if side.HasField("relic") else [])
    for number, deck in enumerate(view.decks):
        faces(f"discard-{number}", deck.discard)
        slots(f"top-{number}", deck.top)
    for zone, row in (
        ("challenge", view.challenge_row), ("relic", view.relic_row), ("whim", view.whims_used),
        ("draft", view.draft_row), ("feat", (feat.card for feat in view.players[0].feats)),
    ):  # fmt: skip
        faces(zone, row)
    return zones


def part_ids(zone: str, names: Sequence[str]) -> list[str]:
    """An id for each name; copies are numbered."""
    found: list[str] = []
    for name in names:
        first = id = f"{zone}-{re.sub('[^a-z0-9]+', '-', name).strip('-') or 'card'}"
        number = 1
        while id in found:
            number += 1
            id = f"{first}-{number}"
        found.append(id)
    return found


def kind_name(part: Part) -> str:
    """The name of the kind of a part's card: ``Unit``."""
    return pb.Kind.Name(part.kind).removeprefix("KIND_").capitalize()


def targets(view: pb.View, choices: Sequence[pb.Action]) -> list[tuple[str, ...]]:
    """Returns the parts that each of the listed actions touches, in the order of clicks.

    The effects of a card (CHOOSE), numbers, types and traits, and the order of abilities have none: their labels tell
    them apart.
    """
    parts = parts_by_zone(view)
    picked = _picked_zone(parts, view.deciding_seat, [action.card for action in choices if action.HasField("card")])
    return [_targets(view, parts, picked, action) for action in choices]


_TOUCHING = frozenset(
    ("city", "war_city", "portent", "triumph", "unit", "keep", "feat", "rotate", "relic", "challenge", "fate_draw")
)
"""Actions that touch parts which all viewers see."""


def touched(view: pb.View, seat: int, action: pb.Action) -> Sequence[str]:
    """Returns the parts that an action of another seat has touched, none of its hand."""
    kind = action.WhichOneof("action") or ""
    if kind in ("wealth", "split"):
        deck = f"deck-{seat if len(view.decks) > 1 else 0}"
        return (f"coins-{seat}" if getattr(action, kind) == pb.BENEFIT_COIN else deck,)
    return [id for id in targets(view, [action])[0] if not id.startswith("button-")] if kind in _TOUCHING else ()


_PLAIN = {
    "whim_draw": "button-draw", "whim_stop": "button-stop", "whim_keep": "button-none", "surge_end": "button-end",
    "feat_done": "button-done", "rotate_none": "button-none", "challenge_none": "button-none",
    "offer_none": "button-none", "do": "button-do", "skip": "button-skip", "pass": "button-pass",
}  # fmt: skip
_FACE_UP = {"feat": "feat", "rotate": "feat", "relic": "relic", "challenge": "challenge", "pick": "draft"}
"""Zones of the cards that actions name."""
_OWN = {"emissary": "hand", "whim_pass": "hand", "pass_on": "dealt"}


def _targets(view: pb.View, parts: dict[str, list[Part]], picked: Sequence[Part], action: pb.Action) -> tuple[str, ...]:
    kind = action.WhichOneof("action") or ""
    value: Any = getattr(action, kind) if kind else None
    seat = view.deciding_seat if view.HasField("deciding_seat") else view.viewer
    if kind in _PLAIN:
        return (_PLAIN[kind],)
    if kind in _FACE_UP:
        return _found(parts[_FACE_UP[kind]], value)
    if kind in _OWN:
        return _found(parts[f"{_OWN[kind]}-{seat}"], value)
    match kind:
        case "wealth" | "split":
            return ("button-coin" if value == pb.BENEFIT_COIN else "button-unit",)
        case "mode":
            return (f"button-{MODE_BUTTONS[value][0]}",)
        case "spirit":
            return (f"button-{'ab'[value]}",)
        case "city" | "war_city":
            return (f"city-{value}",)
        case "portent" | "triumph" | "unit":
            return _found(parts[f"unit-{value.seat}-{value.city}"], value.card, value.nth)
        case "keep":
            units = parts[f"unit-{seat}-{view.war_city}"]
            return (*(units[place].id for place in value.units), "button-keep")
        case "surge" | "act" | "react" | "offer" | "limit":
            return _found(_own_cards(view, parts, seat), value.card, value.nth)
        case "card":
            return _found(picked, value.card, value.nth)
        case "fate_draw":
            return (f"deck-{seat if len(view.decks) > 1 else 0}",)
        case "stop":
            return ("button-stop",)
    return ()


def _own_cards(view: pb.View, parts: dict[str, list[Part]], seat: int) -> list[Part]:
    """The cards that a seat can use: its hand and its Relics."""
    relics = [part for city in range(len(view.cities)) for part in parts[f"placed-{seat}-{city}"]]
    return [*parts[f"hand-{seat}"], *relics]


def _picked_zone(parts: dict[str, list[Part]], seat: int, choices: Sequence[pb.CardChoice]) -> list[Part]:
    """The cards of the first zone that has all of the cards to choose from; of all zones if none has."""
    wanted = {choice.card for choice in choices}
    order = ["resolving", f"hand-{seat}", f"hand-{1 - seat}", "discard-0", "discard-1"]
    zones = [parts[zone] for zone in (*order, *(zone for zone in parts if zone not in order)) if zone in parts]
    for zone in zones:
        if wanted <= {part.card.id for part in zone if part.card is not None}:
            return zone
    return [part for zone in zones for part in zone]


def _found(parts: Sequence[Part], card: str, nth: int = 0) -> tuple[str, ...]:
    """The part of the copy ``nth`` among the copies of a card that differ in state."""
    copies = sorted(
        (part.state, number, part.id) for number, part in enumerate(parts) if part.card and part.card.id == card
    )
    if not copies:
        return ()
    states = sorted({state for state, _, _ in copies})
    if nth < len(states):
        return (next(id for state, _, id in copies if state == states[nth]),)
    return (copies[min(nth, len(copies) - 1)][2],)
