"""The view drawn for a terminal, as text with Rich markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamepacks.api.text import counted
from gamepacks.omen.labels import capital, city_name, seat_name
from gamepacks.omen.scoring import score_text
from gamepacks.omen.v1 import omen_pb2 as pb

_COLOURS = ("cyan", "magenta")


def render(view: pb.View) -> str:
    """Returns the turn, the Cities, the rows and both players as text, as far as the viewer knows their cards."""
    lines = [_heading(view), ""]
    for number, city in enumerate(view.cities):
        lines += _city(view, number, city)
    lines += _texts(view)
    lines += _rows(view)
    lines += _feats(view)
    for seat, player in enumerate(view.players):
        lines += _player(view, seat, player)
    return "\n".join(lines)


def _escape(text: str) -> str:
    return text.replace("[", "\\[")


def _seat(seat: int) -> str:
    return f"[{_COLOURS[seat]}]{seat_name(seat)}[/]"


def _heading(view: pb.View) -> str:
    kind = "house set" if view.house else "set for tests" if view.fixture else "card set"
    parts = [f"[bold]{_escape(view.card_set)}[/]"]
    if kind not in view.card_set.lower():
        parts[0] += f" ({kind})"
    if view.turn:
        parts.append(f"turn {view.turn}")
    parts.append(pb.Phase.Name(view.phase).removeprefix("PHASE_").capitalize())
    if view.HasField("active_seat"):
        parts.append(f"{_seat(view.active_seat)}'s turn")
    if view.wealth_left:
        parts.append(f"{counted(view.wealth_left, 'Wealth action')} left")
    if view.offer_left:
        parts.append(f"{view.offer_left} of the Offering left")
    if view.winners:
        parts.append("won by " + " and ".join(_seat(seat) for seat in view.winners))
    heading = " · ".join(parts)
    return f"{heading}\nNow: {_name_and_text(view.source)}" if view.HasField("source") else heading


def _name_and_text(card: pb.Card) -> str:
    """A card's name with its text."""
    text = f": {_escape(card.text)}" if card.text else ""
    return f"[bold]{_escape(card.name)}[/]{text}"


def _city(view: pb.View, number: int, city: pb.City) -> list[str]:
    prizes = counted(city.prizes_left, "Krater" if view.traits else "Reward")
    state = "razed" if city.razed else prizes if city.prizes_left else "depleted"
    known = ", ".join(_slot(slot) for slot in city.prizes_known)
    war = " [bold red]war[/]" if city.war_torn else ""
    top = f" (top: {known})" if known else ""
    lines = [f"[bold]{capital(city_name(len(view.cities), number))}[/]: {state}{top}{war}"]
    for seat, side in enumerate(city.sides):
        units = ", ".join(map(_unit, side.units)) or "none"
        relic = f"  Relic: {_escape(side.relic.name)}" if side.HasField("relic") else ""
        lines.append(f"  {_seat(seat)} {counted(side.count, 'Unit')}, Strength {side.strength}: {units}{relic}")
    return lines


def _unit(unit: pb.Unit) -> str:
    mark = " [red]Enraged[/]" if unit.enraged else ""
    return f"{_escape(unit.card.name)}{_kind(unit.card)} [bold]{unit.strength}[/]{mark}"


def _kind(card: pb.Card) -> str:
    if card.type:
        return f" ({pb.UnitType.Name(card.type).removeprefix('UNIT_TYPE_').lower()})"
    if card.traits:
        return f" ({' '.join(pb.Trait.Name(trait).removeprefix('TRAIT_') for trait in card.traits)})"
    return ""


LASTING = frozenset({pb.UNIT_TYPE_ORACLE})
LASTING_TRAITS = frozenset({pb.TRAIT_BOLSTER, pb.TRAIT_GLEAN, pb.TRAIT_TRIUMPH})
"""Units whose text still applies in a City."""


def _texts(view: pb.View) -> list[str]:
    """The texts of the Units and Relics in Cities, each once."""
    cards = {}
    for city in view.cities:
        for side in city.sides:
            for unit in side.units:
                if unit.card.type in LASTING or LASTING_TRAITS.intersection(unit.card.traits):
                    cards[unit.card.id] = unit.card
            if side.HasField("relic"):
                cards[side.relic.id] = side.relic
    return [f"  [dim]{_name_and_text(cards[name])}[/]" for name in sorted(cards) if cards[name].text]


def _feats(view: pb.View) -> list[str]:
    """The Feats, with the players who have achieved them."""
    lines = []
    for number, feat in enumerate(view.players[0].feats if view.players else ()):
        who = []
        for seat, player in enumerate(view.players):
            own = player.feats[number]
            if own.down or own.rotated:
                who.append(_seat(seat) + (" (rotated)" if own.rotated else ""))
        done = f"  achieved by {' and '.join(who)}" if who else ""
        lines.append(f"Feat {_name_and_text(feat.card)}{done}")
    return lines


def _rows(view: pb.View) -> list[str]:
    lines = []
    for number, deck in enumerate(view.decks):
        whose = f" of {_seat(number)}" if len(view.decks) > 1 else ""
        top = f", on top: {', '.join(map(_slot, deck.top))}" if deck.top else ""
        lines.append(f"Deck{whose}: {counted(deck.size, 'Unit')}{top}. Discarded: {_names(deck.discard)}")
    if view.whims_used:
        lines.append(f"Whims used: {_names(view.whims_used)}")
    for title, cards in (("Challenge", view.challenge_row), ("Relic at the side", view.relic_row)):
        lines += [f"{title} {_name_and_text(card)}" for card in cards]
    lines += [f"To pick: {_card(card)}" for card in view.draft_row]
    if view.resolving:
        lines.append(f"In use, looked at or revealed: {', '.join(map(_slot, view.resolving))}")
    if view.HasField("supply"):
        lines.append(f"Coins in the supply: {view.supply}")
    return lines


def _names(cards: Sequence[pb.Card]) -> str:
    return ", ".join(_escape(card.name) for card in cards) or "none"


def _slot(slot: pb.Slot) -> str:
    if slot.HasField("card"):
        return _escape(slot.card.name)
    return f"[dim]{pb.Kind.Name(slot.kind).removeprefix('KIND_').capitalize()}?[/]"


def _player(view: pb.View, seat: int, player: pb.Player) -> list[str]:
    score = f", {score_text(view, seat)}" if player.HasField("score") else ""
    counter = f", counter {player.counter}" if player.counter else ""
    lines = [f"{_seat(seat)}: {counted(player.coins, 'coin')}, {counted(len(player.hand), 'card')}{counter}{score}"]
    known = [slot for slot in player.hand if slot.HasField("card")]
    for slot in known:
        lines.append(f"    {_card(slot.card)}{'  won this turn' if slot.fresh else ''}")
    if hidden := _hidden(slot for slot in player.hand if not slot.HasField("card")):
        lines.append(f"    {hidden}")
    for title, cards in (("Used" if not view.traits else "Rewards area", player.used), ("Draft", player.draft_pile)):
        if cards:
            lines.append(f"    {title}: {', '.join(map(_slot, cards))}")
    lines += [f"    Dealt: {_card(slot.card) if slot.HasField('card') else _slot(slot)}" for slot in player.dealt]
    if player.challenges:
        lines.append(f"    Challenges: {_names(player.challenges)}")
    return lines


def _hidden(slots: Iterable[pb.Slot]) -> str:
    counts: dict[str, int] = {}
    for slot in slots:
        name = pb.Kind.Name(slot.kind).removeprefix("KIND_").lower()
        counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"[dim]{number} unknown {name}{'s' * (number > 1)}[/]" for name, number in counts.items())


def _card(card: pb.Card) -> str:
    """A card with its numbers and text."""
    text = f": {_escape(card.text)}" if card.text else ""
    name = f"[bold]{_escape(card.name)}[/]"
    if card.kind != pb.KIND_UNIT:
        points = f", {card.hold_points:+d} in hand at the end" if card.HasField("hold_points") else ""
        return f"{name} ({pb.Kind.Name(card.kind).removeprefix('KIND_').lower()}{points}){text}"
    invoke = f", invoke {card.invoke}" if card.HasField("invoke") else ""
    numbers = f"cost {card.cost}{invoke}, offering {card.offering}, strength {card.strength}"
    return f"{name}{_kind(card)} {numbers}{text}"
