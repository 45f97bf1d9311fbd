"""Answers to questions at the terminal: cards by name, effects in force, distances and lines of sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cext.geometry.units import INCH
from gamepacks.api.text import counted, folded
from gamepacks.olomoc.elements import ELSEWHERE, FIRST_MARKER, FIRST_PIECE, affected, element_names, table_of
from gamepacks.olomoc.text_input import fits
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.olomoc.cards.models import Agenda, Body, Capacity, Gear, OlomocCards, Piece

_HELP = """\
You can type any place in inches from the south-west corner, such as 7.25, 3.5 (for a charge: dominik 7.25, 3.5).
Type a capacity, such as march or dominik charge, to learn why it is not listed.
? NAME explains a rouage, card, capacity or ministry; ? NAME NAME gives the distance and the line of sight.
? agenda, ? artefact, ? pile, ? effects and ? values explain those. On the board: 1 2 3 are rouages of player 1 by rank,
a b c of player 2, A B C hostiles. T C S D: Technique, Combat, Shooting, Dodge. Life: S standard box, R reinforced,
T tainted, x ticked. N: Noirceur."""
_MOST = 6
_GENERIC = {
    "Rest": "{rest_ap} tokens: the rouage, or an ally within an inch that it sees, loses a Noirceur or a stun.",
    "March": "{march_ap} tokens: a move along a ruler, or by the size of the base; at most two in a phase.",
    "Frontal attack": "1 token: Combat against a foe that it engages and sees; at most two attacks in a phase.",
    "Ranged attack": "1 token: Shooting, while free, at the nearest free foe in sight; 2 dice fewer beyond 4 inches, "
    "1 fewer at a foe in cover.",
    "Charge": "{charge_ap} tokens: while free, a march that ends with a foe in sight engaged, and an attack on it with "
    "a difficulty lower by 1. It counts as a march and an attack.",
    "Riposte": "{riposte_ap} tokens: a reaction; each success wounds the attacker.",
    "Dodge": "1 token: a reaction; each success cancels one of the attack.",
    "Opportunity attack": "{opportunity_ap} tokens: against a foe that is about to leave the threat zone.",
}


def answer(cards: OlomocCards, view: pb.View, text: str) -> str:
    """Returns the answer to a question of a person who sees the view; empty if the text names nothing."""
    return _Answers(cards, view).to(text)


class _Answers:
    """Answers from a view, and from the cards of the set, which are known to all."""

    def __init__(self, cards: OlomocCards, view: pb.View) -> None:
        self.cards = cards
        self.view = view
        self.names = element_names(view)

    def to(self, text: str) -> str:
        asked = folded(text)
        if not asked:
            return _HELP
        topics = {
            "agenda": self._agenda, "artefact": self._artefact, "pile": self._pile, "effects": self._effects,
            "values": self._values,
        }  # fmt: skip
        if asked in topics:
            return "\n".join(topics[asked]())
        words = asked.split()
        known = list(self._known())
        exact = [lines for name, lines in known if folded(name) == asked]
        found = exact or [lines for name, lines in known if fits(words, name)]
        if not found:
            return self._measured(words)
        if len(found) > _MOST:
            several = dict.fromkeys(name for name, _ in known if fits(words, name))
            return f"Several things have this name: {', '.join(several)}"
        return "\n".join(dict.fromkeys(line for lines in found for line in lines))

    # -- effects in force ----------------------------------------------------------------------------------------------

    def _agenda(self) -> Iterator[str]:
        agenda = self.view.agenda
        yield f"{agenda.name}: {agenda.text}" if agenda.name else "The agenda has not been drawn yet."
        yield from (f"  {counter.name}: {counter.value}" for counter in self.view.counters)

    def _artefact(self) -> Iterator[str]:
        card = self.view.artefact
        yield f"{card.name} ({card.number}): {card.text}" if card.name else "No Artefact card is face up yet."

    def _pile(self) -> Iterator[str]:
        for title, cards in (("In the pile, in unknown order", self.view.pile), ("Discarded", self.view.discarded)):
            yield f"{title}: " + (", ".join(f"{card.copies} x {card.name} ({card.number})" for card in cards) or "none")

    def _effects(self) -> Iterator[str]:
        for effect in self.view.effects:
            yield f"{effect.name} on {affected(effect, self.names)}, until the end of: {effect.until.replace('_', ' ')}"
        if not self.view.effects:
            yield "No effect is in force."

    def _values(self) -> Iterator[str]:
        yield from (f"{value.name}: {value.value}" for value in self.view.values)

    # -- cards and rouages ---------------------------------------------------------------------------------------------

    def _known(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each thing that has a name, with the lines of its description."""
        cards = self.cards
        factions = {faction.id: faction.name for faction in cards.factions}
        ministries: dict[str, str] = {card.affiliation: card.name for card in cards.ministries}
        ministries |= {"axe": "L'Axe", "frange": "La Frange"}
        for profile in cards.profiles:
            belongs = [factions[faction] for faction in profile.factions]
            belongs += [ministries[name] for name in profile.ministries]
            yield profile.name, self._body(profile, f"rank {profile.rank}, {', '.join(belongs)}")
        for hostile in cards.hostiles:
            yield (
                hostile.name,
                self._body(hostile, f"hostile of rank {hostile.rank}, {counted(hostile.acts, 'action')}"),
            )
        for gear in cards.gear:
            of = gear.affiliation
            whose = factions.get(of.faction or "") or ministries.get(of.ministry or "")
            owner = whose or next((card.name for card in cards.profiles if card.id == of.rouage), "")
            kind = "gift" if gear.kind == "don" else "equipment"
            yield gear.name, [f"{gear.name}: {kind} of {owner}. {gear.text}".rstrip(), *_capacities(gear.capacities)]
        for ministry in cards.ministries:
            slots = " ".join(map(str, ministry.slots))
            yield ministry.name, [f"{ministry.name}: ministry of rank {ministry.rank}, slots {slots}. {ministry.text}"]
        for artefact in cards.artefacts:
            yield artefact.name, [f"{artefact.name}: Artefact {', '.join(artefact.printed())}. {artefact.text}"]
        for agenda in cards.agendas:
            yield agenda.name, [f"{agenda.name}: {agenda.text}", *_capacities(agenda.capacities)]
        for piece in cards.pieces:
            yield piece.name, [_piece(piece)]
        bearers: list[Body | Gear | Agenda] = [*cards.profiles, *cards.hostiles, *cards.gear, *cards.agendas]
        for bearer in bearers:
            for capacity in bearer.capacities:
                yield capacity.name, [f"{bearer.name}:", *_capacities([capacity], bearer.text)]
        values = {value.name: value.value for value in self.view.values}
        for name, text in _GENERIC.items():
            yield name, [f"{name}: {text.format_map(values)}".replace(" 1 tokens", " 1 token")]

    def _body(self, card: Body, about: str) -> list[str]:
        """Describe a rouage's card, and the condition of the rouages with that card."""
        stats = f"T{card.technique} C{card.combat} S{card.shoot} D{card.dodge}"
        lines = [f"{card.name}: {about}; {stats}, {card.life}, base {card.base} mm. {card.text}".rstrip()]
        lines += _capacities(card.capacities)
        for rouage in self.view.rouages:
            if rouage.name == card.name:
                lines += self._standing(rouage)
        return lines

    def _standing(self, rouage: pb.Rouage) -> Iterator[str]:
        """The present condition of a rouage."""
        at = ELSEWHERE.get(rouage.place) or f"at {rouage.centre.x / 100:.2f}, {rouage.centre.y / 100:.2f}"
        bits = [f"{rouage.ticked} of {len(rouage.life)} boxes ticked"]
        bits += [f"{rouage.ap} tokens, Noirceur {rouage.noirceur}"] if rouage.HasField("player") else []
        bits += [f"{rouage.marches} marches and {rouage.attacks} attacks in this phase"]
        bits += ["stunned"] if pb.STATE_STUNNED in rouage.states else []
        bits += ["engaged"] if rouage.engaged else []
        yield f"  {self.names.get(rouage.index, rouage.name)} {at}: {', '.join(bits)}"
        near = [self.names[other] for other in rouage.threatens if other in self.names]
        if near:
            yield f"  in its threat zone: {', '.join(near)}"
        if rouage.HasField("gear"):
            yield f"  gear: {rouage.gear.name}"
            own = {capacity.name for card in self.cards.gear for capacity in card.capacities}
            yield from (f"  {part.name}: {part.text}" for part in rouage.capacities if part.name in own)

    # -- measuring -----------------------------------------------------------------------------------------------------

    def _measured(self, words: Sequence[str]) -> str:
        """Measurements between two elements that the words name, with or without ``to`` or ``and`` between them."""
        for cut in range(1, len(words)):
            rest = [word for word in words[cut:] if word not in ("to", "and")]
            pair = [self._on_board(list(part)) for part in (words[:cut], rest)]
            if None not in pair and pair[0] != pair[1]:
                return self._distance(pair[0] or 0, pair[1] or 0)
        return ""

    def _on_board(self, words: list[str]) -> int | None:
        """Returns the element of that name on the board; None if none or several have the name."""
        standing = {rouage.index for rouage in self.view.rouages if rouage.HasField("centre")}
        there = {
            element: name for element, name in self.names.items() if element >= FIRST_MARKER or element in standing
        }
        found = [element for element, name in there.items() if fits(words, name)]
        return found[0] if words and len(found) == 1 else None

    def _distance(self, one: int, other: int) -> str:
        if one >= FIRST_PIECE:
            one, other = other, one
        if one >= FIRST_PIECE:
            return "Distances are measured from a rouage or a marker."
        table = table_of(self.view)
        near = table.is_within(one, other, INCH)
        gap = min(table.gap(one, other), 1.0) if near else table.gap(one, other)
        notes = ["in contact"] if table.touches(one, other) else ["within an inch"] if near else []
        if min(one, other) < FIRST_MARKER:
            viewer, seen = (one, other) if one < FIRST_MARKER else (other, one)
            line = table.sight_line(viewer, seen)
            notes.append("no line of sight" if line is None else "in sight")
        return f"{self.names[one]} to {self.names[other]}: {gap:.2f} inches, {', '.join(notes)}".rstrip(", ")


def _piece(piece: Piece) -> str:
    """Describe a piece of scenery, with its extent from the point at which it is placed, unrotated."""
    kind = "a zone" if piece.zone else "blocks sight" if piece.obstructing else "low"
    tainted = ", tainted" if piece.tainted else ""
    if piece.shape.disc is not None:
        x, y, radius = piece.shape.disc
        where = f"a disc of {radius / INCH:.2f} inches around ({x / 100:g}, {y / 100:g}) from its origin"
        return f"{piece.name}: scenery, {kind}{tainted}; {where}"
    corners = ", ".join(f"({x / 100:g}, {y / 100:g})" for x, y in piece.shape.poly or ())
    return f"{piece.name}: scenery, {kind}{tainted}; its corners relative to its origin: {corners}"


def _capacities(capacities: Sequence[Capacity], text: str = "") -> list[str]:
    """A line for each capacity: its conditions and its effects."""
    lines = []
    for part in capacities:
        costs = [counted(part.cost.ap, "token")] if part.cost.ap else []
        costs += [f"{part.cost.noirceur} Noirceur"] if part.cost.noirceur else []
        costs += [f"{part.freq.n} a {part.freq.per}"] if part.freq else []
        about = ", ".join([part.timing, *costs])
        lines.append(f"  {part.name} ({about}): {part.text or text}".rstrip(": "))
    return lines
