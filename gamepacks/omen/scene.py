"""The view drawn as a scene, and the parts of it that each action touches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamepacks.api.scene import Group, Scene
from gamepacks.api.scene_parts import (
    TAG_HEIGHT,
    Flow,
    buttons,
    card_lines,
    card_text,
    seat_tag,
    tag,
    tag_width,
    text_width,
)
from gamepacks.omen.labels import capital, city_name, counted
from gamepacks.omen.render import LASTING, LASTING_TRAITS
from gamepacks.omen.scoring import hand_is_known, score_text
from gamepacks.omen.sentences import card_text as card_title
from gamepacks.omen.sentences import terms
from gamepacks.omen.v1 import omen_pb2 as pb

WIDTH = 800
_MARGIN = 14
_INNER = WIDTH - 2 * _MARGIN
_CARD = (_INNER - 20 - 3 * 8) / 4
"""Width of a card."""
_COLUMNS = 3
"""Cities side by side."""


def svg(view: pb.View) -> str:
    """Returns the view as an SVG document."""
    scene = Scene(WIDTH, 1, "Omen")
    board = scene.group()
    parts = _parts(view)
    below = view.viewer if view.HasField("viewer") else 0
    y = _heading(board, view)
    y = _cards(board, y, "Taken up, looked at or revealed", parts["resolving"])
    y = _cards(board, y, "To pick", parts["draft"])
    y = _player(board, view, parts, 1 - below, y)
    y = _cities(board, view, parts, (1 - below, below), y)
    y = _supplies(board, view, y)
    y = _player(board, view, parts, below, y)
    y = _feats(board, view, y)
    y = _cards(board, y, "Challenges at the side: 3 points each", parts["challenge"])
    y = _cards(board, y, "Relics at the side", parts["relic"])
    y = _names(board, y, "Whims used", parts["whim"])
    for number, deck in enumerate(view.decks):
        of = f" of seat {number}" if len(view.decks) > 1 else ""
        y = _names(board, y, f"Discard pile{of}: {counted(len(deck.discard), 'card')}", parts[f"discard-{number}"])
    y = _rules(board, view, y)
    board.text(_MARGIN, y + 18, f"Cards: {view.card_set}", "muted", size=15)
    scene.resize(WIDTH, y + 32)
    return scene.svg()


# -- parts -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """A card of the scene."""

    id: str
    card: pb.Card | None
    """None if the viewer does not know the face."""
    kind: int
    state: tuple[int, ...] = ()
    """What distinguishes copies of a card in one place."""


def _parts(view: pb.View) -> dict[str, list[_Part]]:
    """The cards of the view by zone, in the order of the view, with ids that do not depend on other zones."""
    zones: dict[str, list[_Part]] = {}

    def faces(zone: str, cards: Iterable[pb.Card], state: Sequence[tuple[int, ...]] = ()) -> None:
        cards = list(cards)
        ids = _ids(zone, [card.id for card in cards])
        zones[zone] = [
            _Part(id, card, card.kind, state[number] if state else ())
            for number, (id, card) in enumerate(zip(ids, cards, strict=True))
        ]

    def slots(zone: str, found: Iterable[pb.Slot]) -> None:
        found = list(found)
        ids = _ids(zone, [slot.card.id if slot.HasField("card") else "hidden" for slot in found])
        zones[zone] = [
            _Part(id, slot.card if slot.HasField("card") else None, slot.kind, (slot.fresh,))
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


def _ids(zone: str, names: Sequence[str]) -> list[str]:
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


def _kind(part: _Part) -> str:
    return pb.Kind.Name(part.kind).removeprefix("KIND_").capitalize()


# -- turn, decision and buttons ----------------------------------------------------------------------------------------


def _heading(board: Group, view: pb.View) -> float:
    flow = Flow(_MARGIN, 12, _INNER)
    if view.turn:
        tag(board, flow, f"Turn {view.turn}", id="turn")
    if view.HasField("active_seat"):
        seat_tag(board, flow, view.active_seat, "active-seat")
    known = terms(view)
    for phase in _phases(view):
        name = _phase_name(phase)
        now = phase == view.phase
        title = known.get(name.lower(), name)
        tag(board, flow, name, box="panel active" if now else "shade", ink="strong" if now else "muted", title=title)
    prompt = _prompt(view)
    part = board.group("prompt", prompt)
    y = part.paragraph(_MARGIN, flow.bottom + 30, prompt, 0.86 * _INNER, "title", size=20)
    for line in _notes(view):
        y = part.paragraph(_MARGIN, y, line, _INNER, "muted", size=17)
    flow = Flow(_MARGIN, y - 12, _INNER)
    buttons(board, flow, _buttons(view))
    return flow.bottom + 10


def _phase_name(phase: pb.Phase) -> str:
    return pb.Phase.Name(phase).removeprefix("PHASE_").replace("_", " ").capitalize()


def _phases(view: pb.View) -> list[pb.Phase]:
    """The steps of a turn, or the phase of the set-up."""
    if not pb.PHASE_WEALTH <= view.phase <= pb.PHASE_CLOSE:
        return [view.phase]
    steps = [pb.PHASE_WEALTH, pb.PHASE_SURGE, pb.PHASE_PORTENT]
    if not view.traits:
        steps.append(pb.PHASE_FEAT)
    if view.challenge_row or any(player.challenges for player in view.players):
        steps.append(pb.PHASE_CHALLENGE)
    steps += [pb.PHASE_WAR, pb.PHASE_OFFERING]
    return [*steps, pb.PHASE_CLOSE] if view.phase == pb.PHASE_CLOSE else steps


def _prompt(view: pb.View) -> str:
    if view.phase == pb.PHASE_OVER:
        winners = " and ".join(f"seat {seat}" for seat in view.winners)
        return f"The game is over: {winners} {'wins' if len(view.winners) == 1 else 'win together'}."
    text = _PROMPTS.get(view.decision, "")
    if view.decision in (pb.DECISION_EMISSARY, pb.DECISION_DRAFT):
        waiting = [f"seat {seat}" for seat in range(2) if seat not in view.decided]
        return f"{capital(' and '.join(waiting))}: {text}."
    if not view.HasField("deciding_seat"):
        return f"{text}." if text else "No open decision."
    war = f" of {city_name(len(view.cities), view.war_city)}" if view.HasField("war_city") else ""
    return f"seat {view.deciding_seat}: {text}{war if view.decision == pb.DECISION_KEEP else ''}."


_PROMPTS: dict[int, str] = {
    pb.DECISION_CHANCE_UNIT: "Chance draws a Unit",
    pb.DECISION_CHANCE_PRIZE: "Chance turns up a prize",
    pb.DECISION_CHANCE_WHIM: "Chance draws a Whim",
    pb.DECISION_CHANCE_DEAL: "Chance deals cards",
    pb.DECISION_CHANCE_HAND: "Chance picks a card of a hand",
    pb.DECISION_CHANCE_FIRST: "Chance decides who has the first turn",
    pb.DECISION_CHANCE_DIE: "A die is rolled",
    pb.DECISION_EMISSARY: "send a Unit of your hand as Emissary; the greater sum of its numbers begins",
    pb.DECISION_DRAFT: "choose the card to pass on; you keep the other two",
    pb.DECISION_PICK: "pick a card",
    pb.DECISION_WHIM_DRAW: "take a Whim, or stop",
    pb.DECISION_WHIM_PASS: "pass a Whim to the other player, or none",
    pb.DECISION_WEALTH: "draw a Unit or take a coin",
    pb.DECISION_SURGE: "play or use cards, as many as you like, then end Surge",
    pb.DECISION_MODE: "choose how to use the card",
    pb.DECISION_CITY: "choose a City",
    pb.DECISION_SPIRIT: "choose the ability of the Spirit",
    pb.DECISION_PORTENT: "choose the Unit whose ability happens next",
    pb.DECISION_FEAT: "claim a Feat whose condition is met, or no more",
    pb.DECISION_ROTATE: "rotate an achieved Feat to take a Relic, or none",
    pb.DECISION_RELIC: "choose a Relic",
    pb.DECISION_CHALLENGE: "take a Challenge whose requirement is met, or none",
    pb.DECISION_WAR_CITY: "choose the City that is resolved next",
    pb.DECISION_KEEP: "choose the Units that stay on your side",
    pb.DECISION_OFFER: "discard a Unit as Offering for its Offering value, or none",
    pb.DECISION_SPLIT: "draw a Unit or take a coin for the Offering",
    pb.DECISION_LIMIT: "the hand is over the limit: give up a card",
    pb.DECISION_TRIUMPH: "choose the Unit that goes to the Rewards area",
    pb.DECISION_UNIT: "choose a Unit in a City",
    pb.DECISION_CARD: "choose a card",
    pb.DECISION_CHOOSE: "choose one of the effects of the card",
    pb.DECISION_MAY: "use the effect, or leave it",
    pb.DECISION_COUNT: "choose a number",
    pb.DECISION_NAME: "name a type, a trait or a player",
    pb.DECISION_ORDER: "choose the ability that happens next",
    pb.DECISION_ACT: "use a card now, or pass",
    pb.DECISION_REACT: "react with a card, or pass",
}


def _notes(view: pb.View) -> Iterator[str]:
    if view.phase == pb.PHASE_OVER:
        for seat in range(2):
            yield f"seat {seat}: {score_text(view, seat)}"
        return
    if view.wealth_left:
        yield f"{counted(view.wealth_left, 'Wealth action')} left; all spent alike bring one more of the same."
    if view.offer_left:
        yield f"{counted(view.offer_left, 'point')} of the Offering left."
    if view.HasField("source"):
        yield f"Now: {view.source.name}. {view.source.text}"


def _buttons(view: pb.View) -> list[tuple[str, str]]:
    """Names and texts of the buttons of the decision, for the viewer who decides."""
    if not view.HasField("viewer") or not view.HasField("deciding_seat") or view.viewer != view.deciding_seat:
        return []
    if view.decision == pb.DECISION_MODE:
        return [_MODE_BUTTONS[mode] for mode in _modes(view.source)]
    return [*_BUTTONS.get(view.decision, []), *([("stop", "No more")] if view.may_stop else [])]


_BUTTONS: dict[int, list[tuple[str, str]]] = {
    pb.DECISION_WHIM_DRAW: [("draw", "Take a Whim"), ("stop", "Take no more")],
    pb.DECISION_WHIM_PASS: [("none", "Pass none")],
    pb.DECISION_WEALTH: [("unit", "Draw a Unit"), ("coin", "Take a coin")],
    pb.DECISION_SPLIT: [("unit", "Draw a Unit"), ("coin", "Take a coin")],
    pb.DECISION_SURGE: [("end", "End Surge")],
    pb.DECISION_SPIRIT: [("a", "First ability"), ("b", "Second ability")],
    pb.DECISION_FEAT: [("done", "Claim no more")],
    pb.DECISION_ROTATE: [("none", "Take no Relic")],
    pb.DECISION_CHALLENGE: [("none", "Take no Challenge")],
    pb.DECISION_KEEP: [("keep", "Keep these")],
    pb.DECISION_OFFER: [("none", "Offer nothing")],
    pb.DECISION_MAY: [("do", "Use it"), ("skip", "Leave it")],
    pb.DECISION_ACT: [("pass", "Pass")],
    pb.DECISION_REACT: [("pass", "Pass")],
}
_MODE_BUTTONS: dict[int, tuple[str, str]] = {
    pb.MODE_PLAY: ("play", "Play it into a City"),
    pb.MODE_ABILITY: ("ability", "Use it from the hand"),
    pb.MODE_INVOKE: ("invoke", "Invoke it"),
    pb.MODE_USE: ("use", "Use it"),
    pb.MODE_FATE: ("fate", "Discard it for FATE"),
    pb.MODE_RECRUIT: ("recruit", "Discard it for RECRUIT"),
    pb.MODE_PILFER: ("pilfer", "Discard it for PILFER"),
}
_TYPE_MODES = {
    pb.UNIT_TYPE_BEAST: pb.MODE_ABILITY, pb.UNIT_TYPE_SPIRIT: pb.MODE_INVOKE, pb.UNIT_TYPE_HERO: pb.MODE_USE,
}  # fmt: skip
_TRAIT_MODES = {
    pb.TRAIT_JILT: pb.MODE_ABILITY, pb.TRAIT_FATE: pb.MODE_FATE, pb.TRAIT_RECRUIT: pb.MODE_RECRUIT,
    pb.TRAIT_PILFER: pb.MODE_PILFER,
}  # fmt: skip


def _modes(card: pb.Card) -> list[pb.Mode]:
    """The modes that a card can have; it may not be possible to use it in all of them now."""
    if card.kind != pb.KIND_UNIT:
        return [pb.MODE_USE]
    by_type = [_TYPE_MODES[card.type]] if card.type in _TYPE_MODES else []
    return [pb.MODE_PLAY, *by_type, *(_TRAIT_MODES[trait] for trait in card.traits if trait in _TRAIT_MODES)]


# -- cards -------------------------------------------------------------------------------------------------------------


def _cards(board: Group, y: float, heading: str, parts: Sequence[_Part], x: float = _MARGIN, source: str = "") -> float:
    """Draw cards with their texts in rows of four; returns the lower edge. An empty list takes no room.

    ``source`` is the id of a card that is being used, which is marked."""
    if not parts:
        return y
    if heading:
        board.text(x, y + 18, heading, "strong", size=18)
        y += 26
    height = max(_card_height(part) for part in parts)
    flow = Flow(x, y, 4 * _CARD + 24)
    for part in parts:
        left, top = flow.place(_CARD, height)
        _card(board, part, left, top, height, part.card is not None and part.card.id == source)
    return flow.bottom + 10


def _card_height(part: _Part) -> float:
    if part.card is None:
        return 60
    lines = len(_numbers(part.card))
    return max(60, card_lines(_CARD, part.card.name, _type(part), part.card.text) + 6 + 19 * lines)


def _card(board: Group, part: _Part, x: float, y: float, height: float, used: bool) -> None:
    if part.card is None:
        back = board.group(part.id, f"A hidden {_kind(part)}", x=x, y=y)
        back.rect(0, 0, _CARD, height, "card-back", rounded=10)
        back.text(_CARD / 2, height / 2 + 6, _kind(part), "on-color strong", size=17, anchor="middle")
        return
    mark = "active" if used else "last" if part.kind != pb.KIND_UNIT and any(part.state) else ""
    group = board.group(part.id, card_title(part.card), x=x, y=y)
    group.rect(0, 0, _CARD, height, f"card {mark}".strip(), rounded=10, stroke=4 if mark else 2)
    card_text(group, _CARD, part.card.name, _type(part), part.card.text, 0)
    numbers = _numbers(part.card)
    for number, line in enumerate(numbers):
        group.text(10, height - 10 - 19 * (len(numbers) - 1 - number), line, "strong", size=15)


def _type(part: _Part) -> str:
    """Type or traits of a Unit, or the kind of another card."""
    card = part.card
    if card is None or (not card.type and not card.traits):
        return "" if part.kind == pb.KIND_UNIT else "won this turn" if any(part.state) else _kind(part)
    if card.type:
        return pb.UnitType.Name(card.type).removeprefix("UNIT_TYPE_").capitalize()
    return ", ".join(pb.Trait.Name(trait).removeprefix("TRAIT_") for trait in card.traits)


def _numbers(card: pb.Card) -> list[str]:
    """Lines with the numbers of a card."""
    if card.kind != pb.KIND_UNIT:
        return [f"{card.hold_points:+d} in hand at the end"] if card.HasField("hold_points") else []
    invoke = [f"Invoke cost {card.invoke}"] if card.HasField("invoke") else []
    return [f"Cost {card.cost} · Offering {card.offering}", f"Strength {card.strength}", *invoke]


def _names(board: Group, y: float, heading: str, parts: Sequence[_Part], x: float = _MARGIN) -> float:
    """Draw cards by their names alone, their texts as titles; returns the lower edge. An empty list takes no room."""
    if not parts:
        return y
    board.text(x, y + 18, heading, "strong", size=17)
    flow = Flow(x, y + 26, _INNER - 2 * (x - _MARGIN) if x == _MARGIN else _INNER - 20, 6)
    for part in parts:
        if part.card is None:
            tag(
                board,
                flow,
                f"{_kind(part)}?",
                id=part.id,
                title=f"A hidden {_kind(part)}",
                box="card-back",
                ink="on-color",
            )
        else:
            tag(board, flow, part.card.name, id=part.id, title=card_title(part.card), box="card")
    return flow.bottom + 10


# -- players -----------------------------------------------------------------------------------------------------------


def _player(board: Group, view: pb.View, parts: dict[str, list[_Part]], seat: int, y: float) -> float:
    player = view.players[seat]
    active = view.HasField("active_seat") and view.active_seat == seat
    won = seat in view.winners
    score = f", {score_text(view, seat)}" if player.HasField("score") else ""
    title = f"seat {seat}: {counted(player.coins, 'coin')}, {counted(len(player.hand), 'card')} in hand{score}"
    panel = board.group(f"player-{seat}", title, x=_MARGIN, y=y)
    height = _panel(panel, view, parts, seat)
    frame = "panel active" if active else "panel won" if won else "panel"
    panel.rect(0, 0, _INNER, height, frame, rounded=12, stroke=4 if active or won else 1, behind=True)
    return y + height + 10


def _panel(panel: Group, view: pb.View, parts: dict[str, list[_Part]], seat: int) -> float:
    """Draw a player's coins and cards; returns the lower edge."""
    player = view.players[seat]
    flow = Flow(10, 10, _INNER - 20)
    seat_tag(panel, flow, seat)
    tag(
        panel,
        flow,
        counted(player.coins, "coin"),
        id=f"coins-{seat}",
        title=f"{counted(player.coins, 'coin')} of seat {seat}",
    )
    tag(panel, flow, f"{counted(len(player.hand), 'card')} in hand")
    if player.counter:
        tag(panel, flow, f"counter {player.counter}", title="Its counter, which card texts change and read")
    if player.HasField("score") or (hand_is_known(player) and view.turn):
        tag(panel, flow, score_text(view, seat).partition(" (")[0], title=score_text(view, seat))
    if seat in view.decided:
        tag(panel, flow, "has decided")
    if seat in view.winners:
        tag(panel, flow, "won", box="green", ink="on-color strong")
    y = flow.bottom + 8
    hand = parts[f"hand-{seat}"]
    hidden = [part for part in hand if part.card is None]
    if hidden:
        flow = Flow(10, y, _INNER - 20, 6)
        for part in hidden:
            tag(
                panel,
                flow,
                _kind(part),
                id=part.id,
                title=f"A hidden {_kind(part)} in hand",
                box="card-back",
                ink="on-color",
            )
        y = flow.bottom + 8
    y = _cards(panel, y, "", [part for part in hand if part.card is not None], 10, view.source.id)
    y = _cards(panel, y, "Dealt in this round", parts[f"dealt-{seat}"], 10)
    y = _names(panel, y, "Rewards area" if view.traits else "Face-down Rewards", parts[f"used-{seat}"], 10)
    y = _names(panel, y, "Challenges taken", parts[f"taken-{seat}"], 10)
    y = _names(panel, y, "Drafted", parts[f"drafted-{seat}"], 10)
    return y


# -- Cities ------------------------------------------------------------------------------------------------------------


def _cities(board: Group, view: pb.View, parts: dict[str, list[_Part]], seats: tuple[int, int], y: float) -> float:
    """Draw the Cities in rows; ``seats`` are the sides above and below."""
    width = (_INNER - (_COLUMNS - 1) * 8) / _COLUMNS
    for first in range(0, len(view.cities), _COLUMNS):
        cities = range(first, min(first + _COLUMNS, len(view.cities)))
        heights = [max(_side_height(view.cities[city].sides[seat], width) for city in cities) for seat in seats]
        for city in cities:
            x = _MARGIN + (city - first) * (width + 8)
            _city(board, view, parts, city, seats, heights, x, y, width)
        y += sum(heights) + _BAR + 10
    return y


_BAR = 62
"""Height of the middle of a City."""


def _side_height(side: pb.Side, width: float) -> float:
    units = sum(_unit_height(unit.card, width) + 6 for unit in side.units)
    return 34 + units + (_unit_height(side.relic, width) + 6 if side.HasField("relic") else 0)


def _city(
    board: Group,
    view: pb.View,
    parts: dict[str, list[_Part]],
    city: int,
    seats: tuple[int, int],
    heights: Sequence[float],
    x: float,
    y: float,
    width: float,
) -> None:
    there = view.cities[city]
    name = capital(city_name(len(view.cities), city).removeprefix("the "))
    prizes = counted(there.prizes_left, "Krater" if view.traits else "Reward")
    state = "Razed" if there.razed else prizes if there.prizes_left else "depleted"
    war = ("Sacked" if view.traits else "war-torn") if there.war_torn else ""
    known = ", ".join(slot.card.name for slot in there.prizes_known if slot.HasField("card"))
    title = ", ".join(
        filter(None, (f"{name}: {state}", war and f"{war}: it is resolved in War", known and f"on top {known}"))
    )
    column = board.group(f"city-{city}", title, x=x, y=y)
    column.rect(0, 0, width, sum(heights) + _BAR, "closed" if there.razed else "board", rounded=10)
    _side(column, view, parts, seats[0], city, 0, width)
    bar = heights[0]
    now = view.HasField("war_city") and view.war_city == city
    frame = "cell last" if there.war_torn or now else "cell"
    column.rect(6, bar, width - 12, _BAR - 8, frame, rounded=8, stroke=4 if there.war_torn or now else 1)
    column.text(16, bar + 23, name, "title", size=17)
    column.text(width - 16, bar + 23, state, "strong", size=16, anchor="end")
    below = " · ".join(filter(None, (war, known and f"top: {known}")))
    column.text(16, bar + 44, below, "muted", size=15)
    _side(column, view, parts, seats[1], city, bar + _BAR, width)


def _side(
    column: Group, view: pb.View, parts: dict[str, list[_Part]], seat: int, city: int, y: float, width: float
) -> None:
    side = view.cities[city].sides[seat]
    text = f"{counted(side.count, 'Unit')}, Strength {side.strength}"
    flow = Flow(6, y + 2, width)
    seat_tag(column, flow, seat)
    column.text(84, y + 22, text, "ink", size=15)
    y += 34
    for unit, part in zip(side.units, parts[f"unit-{seat}-{city}"], strict=True):
        y = _unit(column, seat, unit, part, y, width)
    for part in parts[f"placed-{seat}-{city}"]:
        height = _unit_height(side.relic, width)
        group = column.group(part.id, card_title(side.relic), x=6, y=y)
        group.rect(0, 0, width - 12, height, "card", rounded=8)
        card_text(group, width - 12, side.relic.name, "Relic", side.relic.text, 3, -4)
        y += height + 6


def _unit_height(card: pb.Card, width: float) -> float:
    return 50 + (20 * min(3, _lines(card, width)) if _lasts(card) else 0)


def _lines(card: pb.Card, width: float) -> int:
    return round((card_lines(width - 12, "", "", card.text) - 14) / 19.5)


def _lasts(card: pb.Card) -> bool:
    """True if the text still applies in a City."""
    return card.kind == pb.KIND_RELIC or card.type in LASTING or bool(LASTING_TRAITS.intersection(card.traits))


def _unit(column: Group, seat: int, unit: pb.Unit, part: _Part, y: float, width: float) -> float:
    height = _unit_height(unit.card, width)
    now = f"in the City with Strength {unit.strength}, counting as {unit.weight}{', Enraged' if unit.enraged else ''}"
    group = column.group(part.id, f"{card_title(unit.card)}\n  Now {now}.", x=6, y=y)
    group.rect(0, 0, width - 12, height, "closed" if unit.enraged else "card", rounded=8)
    group.rect(0, 0, 7, height, f"seat-{seat}", rounded=3)
    text = unit.card.text if _lasts(unit.card) and not unit.enraged else ""
    kind = "Enraged: a Beast" if unit.enraged else _type(part)
    weight = f" · counts {unit.weight}" if unit.weight != 1 else ""
    group.text(14, 20, unit.card.name, "title", size=min(16, (width - 68) / text_width(unit.card.name, 1)))
    said = f"{kind}{weight}"
    if said:
        group.text(14, 40, said, "muted", size=min(15, (width - 68) / text_width(said, 1)))
    if text:
        group.paragraph(14, 60, text, width - 30, size=15, lines=3)
    group.circle(width - 34, 22, 16, f"token seat-{seat}", stroke=2)
    group.text(width - 34, 28, str(unit.strength), "on-color strong", size=17, anchor="middle")
    return y + height + 6


# -- Feats and supplies ------------------------------------------------------------------------------------------------


def _supplies(board: Group, view: pb.View, y: float) -> float:
    """Draw decks, coins and Whims beside the Cities."""
    flow = Flow(_MARGIN, y, _INNER)
    for number, deck in enumerate(view.decks):
        of = f" of seat {number}" if len(view.decks) > 1 else ""
        top = ", ".join(slot.card.name if slot.HasField("card") else "a card that another knows" for slot in deck.top)
        title = f"Deck{of}: {counted(deck.size, 'Unit')}{f'; on top {top}' if top else ''}"
        _supply(board, flow, f"deck-{number}", f"Deck{of}: {deck.size}", title)
        if top:
            tag(board, flow, f"top: {top}", title=title)
    if view.HasField("supply"):
        _supply(board, flow, "supply", f"Coins: {view.supply}", f"{counted(view.supply, 'coin')} in the supply")
    else:
        _supply(board, flow, "supply", "Coins", "Coins of the supply, without limit")
    if view.whim_pile:
        _supply(board, flow, "whims", f"Whims: {view.whim_pile}", f"{counted(view.whim_pile, 'Whim')} face down")
    return flow.bottom + 10


def _rules(board: Group, view: pb.View, y: float) -> float:
    """Write the rules of the present step, of limits, prizes, the end, and the types or traits in the own hand."""
    known = terms(view)
    hand = [slot.card for slot in view.players[view.viewer].hand] if view.HasField("viewer") else []
    types = {pb.UnitType.Name(card.type).removeprefix("UNIT_TYPE_") for card in hand}
    traits = {pb.Trait.Name(trait).removeprefix("TRAIT_") for card in hand for trait in card.traits}
    names = (_phase_name(view.phase).lower(), "limits", "krater" if view.traits else "reward")
    part = board.group("rules")
    y += 18
    end = "razed" if view.traits else "depleted"
    for name in dict.fromkeys((*names, end, *(word.lower() for word in sorted(types | traits)))):
        if name in known:
            y = part.paragraph(_MARGIN, y, known[name], _INNER, "muted", size=16) + 4
    return y - 12


def _supply(board: Group, flow: Flow, id: str, text: str, title: str) -> None:
    width = tag_width(text) + 20
    x, y = flow.place(width, 40)
    part = board.group(id, title, x=x, y=y)
    part.rect(0, 0, width, 40, "panel", rounded=10)
    part.text(width / 2, 26, text, "strong", size=17, anchor="middle")


def _feats(board: Group, view: pb.View, y: float) -> float:
    """Draw the Feats with the players who have achieved them."""
    feats = view.players[0].feats
    if not feats:
        return y
    board.text(_MARGIN, y + 18, "Feats: 2 points each; five of a player end the game", "strong", size=18)
    width = (_INNER - 16) / 3
    height = max(card_lines(width, feat.card.name, "", feat.card.text) for feat in feats) + TAG_HEIGHT + 10
    flow = Flow(_MARGIN, y + 26, _INNER)
    for number, (feat, id) in enumerate(zip(feats, _ids("feat", [feat.card.id for feat in feats]), strict=True)):
        who = []
        for seat, player in enumerate(view.players):
            own = player.feats[number]
            if own.down or own.rotated:
                who.append((seat, f"achieved by seat {seat}{' (rotated)' if own.rotated else ''}"))
        x, top = flow.place(width, height)
        said = "; ".join(text for _, text in who) or "achieved by nobody"
        part = board.group(id, f"{card_title(feat.card)} {capital(said)}.", x=x, y=top)
        part.rect(0, 0, width, height, "card", rounded=10)
        card_text(part, width, feat.card.name, "", feat.card.text, 0)
        marks = Flow(8, height - TAG_HEIGHT - 6, width)
        for seat, text in who:
            tag(part, marks, f"seat {seat}", title=text, box=f"seat-{seat}", ink="on-color strong")
    return flow.bottom + 10


# -- targets -----------------------------------------------------------------------------------------------------------


def targets(view: pb.View, choices: Sequence[pb.Action]) -> list[tuple[str, ...]]:
    """Returns the parts that each of the listed actions touches, in the order of clicks.

    The effects of a card (CHOOSE), numbers, types and traits, and the order of abilities have none: their labels tell
    them apart.
    """
    parts = _parts(view)
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


def _targets(
    view: pb.View, parts: dict[str, list[_Part]], picked: Sequence[_Part], action: pb.Action
) -> tuple[str, ...]:
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
            return (f"button-{_MODE_BUTTONS[value][0]}",)
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


def _own_cards(view: pb.View, parts: dict[str, list[_Part]], seat: int) -> list[_Part]:
    """The cards that a seat can use: its hand and its Relics."""
    relics = [part for city in range(len(view.cities)) for part in parts[f"placed-{seat}-{city}"]]
    return [*parts[f"hand-{seat}"], *relics]


def _picked_zone(parts: dict[str, list[_Part]], seat: int, choices: Sequence[pb.CardChoice]) -> list[_Part]:
    """The cards of the first zone that has all of the cards to choose from; of all zones if none has."""
    wanted = {choice.card for choice in choices}
    order = ["resolving", f"hand-{seat}", f"hand-{1 - seat}", "discard-0", "discard-1"]
    zones = [parts[zone] for zone in (*order, *(zone for zone in parts if zone not in order)) if zone in parts]
    for zone in zones:
        if wanted <= {part.card.id for part in zone if part.card is not None}:
            return zone
    return [part for zone in zones for part in zone]


def _found(parts: Sequence[_Part], card: str, nth: int = 0) -> tuple[str, ...]:
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
