"""A view of Omen as text for a terminal, with Rich markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.words import capital, city_name, seat_name

_COLOURS = ("cyan", "magenta")


def render(view: pb.View) -> str:
    """The table, the Cities, both hands as far as the viewer knows them."""
    lines = [_heading(view), ""]
    for number, city in enumerate(view.cities):
        lines += _city(view, number, city)
    lines += _rows(view)
    for seat, player in enumerate(view.players):
        lines += _player(view, seat, player)
    return "\n".join(lines)


def _escape(text: str) -> str:
    return text.replace("[", "\\[")


def _seat(seat: int) -> str:
    return f"[{_COLOURS[seat]}]{seat_name(seat)}[/]"


def _heading(view: pb.View) -> str:
    kind = "house set" if view.house else "set for tests" if view.fixture else "card set"
    parts = [f"[bold]{_escape(view.card_set)}[/] ({kind})"]
    if view.turn:
        parts.append(f"turn {view.turn}")
    parts.append(pb.Phase.Name(view.phase).removeprefix("PHASE_").capitalize())
    if view.HasField("active_seat"):
        parts.append(f"{_seat(view.active_seat)}'s turn")
    if view.wealth_left:
        parts.append(f"{view.wealth_left} Wealth actions left")
    if view.offer_left:
        parts.append(f"{view.offer_left} of the Offering left")
    if view.HasField("source"):
        parts.append(f"now: {_escape(view.source.name)}")
    if view.winners:
        parts.append("won by " + " and ".join(_seat(seat) for seat in view.winners))
    return " · ".join(parts)


def _city(view: pb.View, number: int, city: pb.City) -> list[str]:
    prize = "Kraters" if view.traits else "Rewards"
    state = "razed" if city.razed else f"{city.prizes_left} {prize}" if city.prizes_left else "depleted"
    known = ", ".join(_slot(slot) for slot in city.prizes_known)
    war = " [bold red]war[/]" if city.embattled else ""
    top = f" (top: {known})" if known else ""
    lines = [f"[bold]{capital(city_name(len(view.cities), number))}[/]: {state}{top}{war}"]
    for seat, side in enumerate(city.sides):
        units = ", ".join(map(_unit, side.units)) or "none"
        relic = f"  Relic: {_escape(side.relic.name)}" if side.HasField("relic") else ""
        lines.append(f"  {_seat(seat)} {side.count} Units, Strength {side.strength}: {units}{relic}")
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


def _rows(view: pb.View) -> list[str]:
    lines = []
    for number, deck in enumerate(view.decks):
        whose = f" of {_seat(number)}" if len(view.decks) > 1 else ""
        top = f", on top: {', '.join(map(_slot, deck.top))}" if deck.top else ""
        lines.append(f"Deck{whose}: {deck.size} Units{top}. Discarded: {_names(deck.discard)}")
    for title, cards in (
        ("Challenges", view.challenge_row),
        ("Relics", view.relic_row),
        ("Whims used", view.whims_used),
        ("To pick", view.draft_row),
    ):
        if cards:
            lines.append(f"{title}: {_names(cards)}")
    if view.resolving:
        lines.append(f"Being carried out: {', '.join(map(_slot, view.resolving))}")
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
    score = f", {player.score} points" if player.HasField("score") else ""
    lines = [f"{_seat(seat)}: {player.coins} coins, {len(player.hand)} cards{score}"]
    known = [slot for slot in player.hand if slot.HasField("card")]
    for slot in known:
        lines.append(f"    {_hand_card(slot)}")
    if hidden := _hidden(slot for slot in player.hand if not slot.HasField("card")):
        lines.append(f"    {hidden}")
    if player.feats:
        marks = [
            f"[green]{_escape(f.card.name)}[/]" if f.down or f.rotated else _escape(f.card.name) for f in player.feats
        ]
        lines.append(f"    Feats: {', '.join(marks)}")
    for title, cards in (("Used", player.used), ("Draft", player.draft_pile), ("Dealt", player.dealt)):
        if cards:
            lines.append(f"    {title}: {', '.join(map(_slot, cards))}")
    if player.challenges:
        lines.append(f"    Challenges: {_names(player.challenges)}")
    return lines


def _hidden(slots: Iterable[pb.Slot]) -> str:
    counts: dict[str, int] = {}
    for slot in slots:
        name = pb.Kind.Name(slot.kind).removeprefix("KIND_").lower()
        counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"[dim]{number} unknown {name}{'s' * (number > 1)}[/]" for name, number in counts.items())


def _hand_card(slot: pb.Slot) -> str:
    card = slot.card
    text = f": {_escape(card.text)}" if card.text else ""
    if slot.kind != pb.KIND_UNIT:
        return f"{_escape(card.name)} ({pb.Kind.Name(slot.kind).removeprefix('KIND_').lower()}){text}"
    invoke = f", invoke {card.invoke}" if card.HasField("invoke") else ""
    numbers = f"cost {card.cost}{invoke}, offering {card.offering}, strength {card.strength}"
    return f"[bold]{_escape(card.name)}[/]{_kind(card)} {numbers}{text}"
