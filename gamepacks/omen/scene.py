"""The view drawn as a scene."""

from __future__ import annotations

from collections.abc import Sequence

from gamepacks.api.scene import Group, Scene
from gamepacks.api.scene_parts import (
    INNER_WIDTH,
    MARGIN,
    TAG_HEIGHT,
    WIDTH,
    Flow,
    card_lines,
    card_text,
    seat_tag,
    tag,
    tag_width,
    text_width,
    turn_heading,
)
from gamepacks.api.text import counted
from gamepacks.omen import prompts
from gamepacks.omen.labels import capital, city_name
from gamepacks.omen.render import LASTING, LASTING_TRAITS
from gamepacks.omen.scoring import hand_is_known, score_text
from gamepacks.omen.sentences import card_text as card_title
from gamepacks.omen.sentences import terms
from gamepacks.omen.targets import Part, kind_name, part_ids, parts_by_zone
from gamepacks.omen.v1 import omen_pb2 as pb

_CARD = (INNER_WIDTH - 20 - 3 * 8) / 4
"""Width of a card."""
_COLUMNS = 3
"""Cities side by side."""


def svg(view: pb.View) -> str:
    """Returns the view as an SVG document."""
    scene = Scene(WIDTH, 1, "Omen")
    board = scene.group()
    parts = parts_by_zone(view)
    below = view.viewer if view.HasField("viewer") else 0
    y = _heading(board, view)
    y = _cards(board, y, "In use, looked at or revealed", parts["resolving"])
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
    board.text(MARGIN, y + 18, f"Cards: {view.card_set}", "muted", size=15)
    scene.resize(WIDTH, y + 32)
    return scene.svg()


# -- turn and decision -------------------------------------------------------------------------------------------------


def _heading(board: Group, view: pb.View) -> float:
    known = terms(view)
    steps = [(prompts.phase_name(phase), phase == view.phase) for phase in prompts.phases(view)]
    return turn_heading(
        board,
        view.turn,
        view.active_seat if view.HasField("active_seat") else None,
        [(name, known.get(name.lower(), name), now) for name, now in steps],
        prompts.prompt(view),
        prompts.notes(view),
        prompts.buttons(view),
    )


# -- cards -------------------------------------------------------------------------------------------------------------


def _cards(board: Group, y: float, heading: str, parts: Sequence[Part], x: float = MARGIN, source: str = "") -> float:
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


def _card_height(part: Part) -> float:
    if part.card is None:
        return 60
    lines = len(_numbers(part.card))
    return max(60, card_lines(_CARD, part.card.name, _type(part), part.card.text) + 6 + 19 * lines)


def _card(board: Group, part: Part, x: float, y: float, height: float, used: bool) -> None:
    if part.card is None:
        back = board.group(part.id, f"A hidden {kind_name(part)}", x=x, y=y)
        back.rect(0, 0, _CARD, height, "card-back", rounded=10)
        back.text(_CARD / 2, height / 2 + 6, kind_name(part), "on-color strong", size=17, anchor="middle")
        return
    mark = "active" if used else "last" if part.kind != pb.KIND_UNIT and any(part.state) else ""
    group = board.group(part.id, card_title(part.card), x=x, y=y)
    group.rect(0, 0, _CARD, height, f"card {mark}".strip(), rounded=10, stroke=4 if mark else 2)
    card_text(group, _CARD, part.card.name, _type(part), part.card.text, 0)
    numbers = _numbers(part.card)
    for number, line in enumerate(numbers):
        group.text(10, height - 10 - 19 * (len(numbers) - 1 - number), line, "strong", size=15)


def _type(part: Part) -> str:
    """Type or traits of a Unit, or the kind of another card."""
    card = part.card
    if card is None or (not card.type and not card.traits):
        return "" if part.kind == pb.KIND_UNIT else "won this turn" if any(part.state) else kind_name(part)
    if card.type:
        return pb.UnitType.Name(card.type).removeprefix("UNIT_TYPE_").capitalize()
    return ", ".join(pb.Trait.Name(trait).removeprefix("TRAIT_") for trait in card.traits)


def _numbers(card: pb.Card) -> list[str]:
    """Lines with the numbers of a card."""
    if card.kind != pb.KIND_UNIT:
        return [f"{card.hold_points:+d} in hand at the end"] if card.HasField("hold_points") else []
    invoke = [f"Invoke cost {card.invoke}"] if card.HasField("invoke") else []
    return [f"Cost {card.cost} · Offering {card.offering}", f"Strength {card.strength}", *invoke]


def _names(board: Group, y: float, heading: str, parts: Sequence[Part], x: float = MARGIN) -> float:
    """Draw cards by their names alone, their texts as titles; returns the lower edge. An empty list takes no room."""
    if not parts:
        return y
    board.text(x, y + 18, heading, "strong", size=17)
    flow = Flow(x, y + 26, INNER_WIDTH - 2 * (x - MARGIN) if x == MARGIN else INNER_WIDTH - 20, 6)
    for part in parts:
        if part.card is None:
            tag(
                board,
                flow,
                f"{kind_name(part)}?",
                id=part.id,
                title=f"A hidden {kind_name(part)}",
                box="card-back",
                ink="on-color",
            )
        else:
            tag(board, flow, part.card.name, id=part.id, title=card_title(part.card), box="card")
    return flow.bottom + 10


# -- players -----------------------------------------------------------------------------------------------------------


def _player(board: Group, view: pb.View, parts: dict[str, list[Part]], seat: int, y: float) -> float:
    player = view.players[seat]
    active = view.HasField("active_seat") and view.active_seat == seat
    won = seat in view.winners
    score = f", {score_text(view, seat)}" if player.HasField("score") else ""
    title = f"seat {seat}: {counted(player.coins, 'coin')}, {counted(len(player.hand), 'card')} in hand{score}"
    panel = board.group(f"player-{seat}", title, x=MARGIN, y=y)
    height = _panel(panel, view, parts, seat)
    frame = "panel active" if active else "panel won" if won else "panel"
    panel.rect(0, 0, INNER_WIDTH, height, frame, rounded=12, stroke=4 if active or won else 1, behind=True)
    return y + height + 10


def _panel(panel: Group, view: pb.View, parts: dict[str, list[Part]], seat: int) -> float:
    """Draw a player's coins and cards; returns the lower edge."""
    player = view.players[seat]
    flow = Flow(10, 10, INNER_WIDTH - 20)
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
        flow = Flow(10, y, INNER_WIDTH - 20, 6)
        for part in hidden:
            tag(
                panel,
                flow,
                kind_name(part),
                id=part.id,
                title=f"A hidden {kind_name(part)} in hand",
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


def _cities(board: Group, view: pb.View, parts: dict[str, list[Part]], seats: tuple[int, int], y: float) -> float:
    """Draw the Cities in rows; ``seats`` are the sides above and below."""
    width = (INNER_WIDTH - (_COLUMNS - 1) * 8) / _COLUMNS
    for first in range(0, len(view.cities), _COLUMNS):
        cities = range(first, min(first + _COLUMNS, len(view.cities)))
        heights = [max(_side_height(view.cities[city].sides[seat], width) for city in cities) for seat in seats]
        for city in cities:
            x = MARGIN + (city - first) * (width + 8)
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
    parts: dict[str, list[Part]],
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
    column: Group, view: pb.View, parts: dict[str, list[Part]], seat: int, city: int, y: float, width: float
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


def _unit(column: Group, seat: int, unit: pb.Unit, part: Part, y: float, width: float) -> float:
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
    flow = Flow(MARGIN, y, INNER_WIDTH)
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
    """Write the rules of the present step, of limits, prizes, the end, and the types or traits in the hand."""
    known = terms(view)
    hand = [slot.card for slot in view.players[view.viewer].hand] if view.HasField("viewer") else []
    types = {pb.UnitType.Name(card.type).removeprefix("UNIT_TYPE_") for card in hand}
    traits = {pb.Trait.Name(trait).removeprefix("TRAIT_") for card in hand for trait in card.traits}
    names = (prompts.phase_name(view.phase).lower(), "limits", "krater" if view.traits else "reward")
    part = board.group("rules")
    y += 18
    end = "razed" if view.traits else "depleted"
    for name in dict.fromkeys((*names, end, *(word.lower() for word in sorted(types | traits)))):
        if name in known:
            y = part.paragraph(MARGIN, y, known[name], INNER_WIDTH, "muted", size=16) + 4
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
    board.text(MARGIN, y + 18, "Feats: 2 points each; five of a player end the game", "strong", size=18)
    width = (INNER_WIDTH - 16) / 3
    height = max(card_lines(width, feat.card.name, "", feat.card.text) for feat in feats) + TAG_HEIGHT + 10
    flow = Flow(MARGIN, y + 26, INNER_WIDTH)
    for number, (feat, id) in enumerate(zip(feats, part_ids("feat", [feat.card.id for feat in feats]), strict=True)):
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
