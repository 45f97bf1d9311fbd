"""Labels of action codes, and names and texts of cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from cext.geometry.units import POINT_BITS
from gamepacks.api.codes import Verb
from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA, coordinates
from gamepacks.olomoc.constants import (
    AFFILIATIONS,
    AXE,
    EDGES,
    FRANGE,
    GENERIC,
    GENERIC_NAMES,
    Act,
    Direction,
    FrameKind,
)
from gamepacks.olomoc.elements import card_of, element_name, inches
from gamepacks.olomoc.ruleset import CompiledGear, CompiledLine, CompiledProfile, Ruleset
from gamepacks.olomoc.v1.olomoc_enums import Decision

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState

_EDGE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_REACTIONS = ("dodge", "riposte with Combat", "riposte with Shooting")
_TACTICS = ("push the attacker", "push the target", "stun the target")
_ROLLING = frozenset({codes.YES, codes.USE, codes.TARGET, codes.CHARGE, codes.REACT})
"""Verbs of actions that can cause a roll."""
_NO: dict[Decision | None, str] = {
    Decision.PROPAGANDA: "activate nobody",
    Decision.OPPORTUNITY: "no opportunity attack",
    Decision.REACT: "do not react",
    Decision.FATE: "keep the roll",
    Decision.TACTIC: "no tactic",
    Decision.PICK: "no more",
    Decision.CHOICE: "none of it",
    Decision.TRIGGER: "do not use it",
    Decision.HOSTILE_LINE: "no line of the Instinct applies",
    Decision.TARGET: "no target",
}


def card_name(rules: Ruleset, profiles: tuple[int, ...], card: int) -> str:
    """Returns the name of a planning card by its number in PLAN; ``profiles`` are the player's own."""
    if card == PROPAGANDA:
        return "Propaganda"
    if card >= MINISTRY:
        return rules.ministries[card - MINISTRY].name
    return rules.profiles[profiles[card]].name


def capacity_name(state: OlomocState, figure: int, number: int) -> str:
    """Returns the name of a capacity by its number in USE."""
    if number < len(GENERIC):
        return GENERIC_NAMES[number]
    rules = state.game.ruleset
    return next((rules.capacities[index].name for slot, index in state.specific(figure) if slot == number), f"{number}")


def profile_text(rules: Ruleset, profile: CompiledProfile) -> str:
    """Returns a summary of a profile's card: rank, factions, ministries, characteristics, life line, base."""
    stats = " ".join(f"{letter}{value}" for letter, value in zip("TCSD", profile.stats, strict=True))
    belongs = ", ".join([*faction_names(rules, profile), *affiliation_names(rules, profile)])
    return f"rank {profile.rank}, {belongs}; {stats}, {life_line(profile)}, {profile.base} mm"


def life_line(profile: CompiledProfile) -> str:
    """Returns the boxes of a life line in the order in which they are ticked: S standard, R reinforced, T tainted."""
    return "".join("SRT"[box] for box in profile.life)


def faction_names(rules: Ruleset, profile: CompiledProfile) -> list[str]:
    """Returns the names of a profile's factions."""
    return [name for number, (_, name) in enumerate(rules.factions) if profile.factions >> number & 1]


def affiliation_names(rules: Ruleset, profile: CompiledProfile) -> list[str]:
    """Returns the names of a profile's ministries, and of its affiliations that have no ministry."""
    return [affiliation_name(rules, number) for number in range(9) if profile.ministries >> number & 1]


def affiliation_name(rules: Ruleset, number: int) -> str:
    """Returns the name of a ministry, or of an affiliation that has none."""
    named = {ministry.affiliation: ministry.name for ministry in rules.ministries if ministry.affiliation != AXE}
    return {AXE: "L'Axe", FRANGE: "La Frange"}.get(number) or named.get(number, AFFILIATIONS[number])


def _unique_name(cards: Sequence[CompiledProfile] | Sequence[CompiledGear], number: int) -> str:
    """Returns the name of a card, with its number if other cards have the same name."""
    name = cards[number].name
    return name if [card.name for card in cards].count(name) == 1 else f"{name} (card {number})"


def line_text(rules: Ruleset, line: CompiledLine) -> str:
    """Returns the text of a line of an Instinct without condition: ``charge the highest rank, then the nearest``."""
    whom = ", then ".join(f"the {criterion.name.lower().replace('_', ' ')}" for criterion in line.criteria)
    if line.act in (Act.STOP, Act.REST):
        return line.act.name.lower()
    if line.act is Act.USE:
        return f"use {rules.capacities[line.capacity].name} on {whom}"
    if line.act is Act.MOVE:
        word = "towards" if line.mode is Direction.NONE else line.mode.name.lower().replace("_", " ")
        return f"move {word.replace('away', 'away from')} {whom}"
    what = {Act.FRONTAL: "frontal attack on", Act.SHOOT: "ranged attack on"}.get(line.act, line.act.name.lower())
    return f"{what} {whom}"


def _span(values: set[int]) -> str:
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"{low} to {high}"


def label(state: OlomocState, code: int) -> str:
    """Returns the label of a code that is legal in ``state``; different codes of a list have different labels."""
    return labels(state, [code])[0]


def labels(state: OlomocState, codes: Sequence[int]) -> list[str]:
    """Returns the labels of codes that are legal in ``state``; the state is read once for all of them."""
    builder = _Labels(state)
    return [builder.label(code) for code in codes]


class _Labels:
    """Labels for the codes of one state."""

    def __init__(self, state: OlomocState) -> None:
        self.state = state
        self.rules: Ruleset = state.game.ruleset
        self.decision = state.decision
        self._names: dict[int, str] = {}
        self._rolls: dict[int, str] = {}
        """Cache of the texts of rolls by code. A charge has one entry for all places, which do not change its roll."""

    @cached_property
    def _dump(self) -> dict[str, Any]:
        """The state's values, which are slow to read."""
        return self.state.dump()

    def figure(self, index: int) -> str:
        """Returns the name of a rouage, marker or piece of scenery."""
        if index not in self._names:
            self._names[index] = element_name(self.state, index, self._dump)
        return self._names[index]

    def _moving_name(self) -> str:
        """Returns the name of the element whose place is the pending decision."""
        going = self.state.going()
        return self.figure(going[0]) if going is not None else ""

    def label(self, code: int) -> str:
        """Returns the label of a code."""
        verb = codes.BOOK.verb(code)
        text: str = getattr(self, f"_{verb.name.lower()}")(*verb.unpack(code))
        return text + self._roll(code, verb) if verb in _ROLLING else text

    def _roll(self, code: int, verb: Verb) -> str:
        """Returns dice and difficulty of the roll that a code causes: `` (3 dice, difficulty 4)``; empty for none."""
        key = code >> POINT_BITS if verb is codes.CHARGE else code
        if key not in self._rolls:
            dice, difficulties = set(), set()
            for roll in self.state.rolls_of(code):
                dice.add(roll[0])
                difficulties.add(roll[1])
            noun = "die" if dice == {1} else "dice"
            self._rolls[key] = f" ({_span(dice)} {noun}, difficulty {_span(difficulties)})" if dice else ""
        return self._rolls[key]

    def _no(self) -> str:
        if self.decision == Decision.SCENERY:
            return f"leave {self._piece()} out"
        if self.decision == Decision.ENTER:
            return f"{self._moving_name()} stays off the board: there is no place"
        if self.decision in (Decision.GO, Decision.PUSH, Decision.HOSTILE_GO):
            return f"{self._moving_name()} stays"
        return _NO.get(self.decision, "no")

    def _yes(self) -> str:
        if self.decision == Decision.FATE:
            return "tempt fate"
        if self.decision == Decision.OPPORTUNITY:
            return "make the opportunity attack"
        if self.decision == Decision.TRIGGER:
            bearer, capacity = self.state.offered()
            name = self.rules.capacities[capacity].name
            return f"use {name}" if bearer < 0 else f"use {name} of {self.figure(bearer)}"
        return "yes"

    def _end(self) -> str:
        return "end the activation"

    def _edge(self, edge: int) -> str:
        return f"deploy from the {_EDGE_NAMES[EDGES[edge]]} edge"

    def _pick(self, profile: int) -> str:
        profiles = self.rules.profiles
        return f"take {_unique_name(profiles, profile)} ({profile_text(self.rules, profiles[profile])})"

    def _equip(self, gear: int, slot: int) -> str:
        return f"give {_unique_name(self.rules.gear, gear)} to {self._recruit(slot)}"

    def _recruit(self, rank: int) -> str:
        """Returns the name of a rouage that is being equipped, by the number of its rank, from 0."""
        player = self.state.deciding_player
        profile = self._profiles(player)[rank] if player >= 0 else -1
        return self.rules.profiles[profile].name if profile >= 0 else f"the rouage of rank {rank + 1}"

    def _plan(self, slot: int, card: int) -> str:
        player = self.state.deciding_player
        profiles = self._profiles(player) if player >= 0 else ()
        if not profiles and card < PROPAGANDA:
            return f"slot {slot}: activation of rank {card + 1}"
        return f"slot {slot}: {card_name(self.rules, profiles, card)}"

    def _profiles(self, player: int) -> tuple[int, ...]:
        return tuple(self._dump["profile"][3 * player : 3 * player + 3])

    def _activate(self, rouage: int) -> str:
        return f"activate {self.figure(rouage)}"

    def _use(self, rouage: int, capacity: int) -> str:
        return f"{self.figure(rouage)}: {capacity_name(self.state, rouage, capacity)}"

    def _coord(self, rouage: int) -> str:
        return f"coordinate {self.figure(rouage)}"

    def _target(self, element: int) -> str:
        return f"target {self.figure(element)}"

    def _go(self, point: int) -> str:
        return f"{self._moving_name()} to {inches(*coordinates(point))}"

    def _charge(self, target: int, point: int) -> str:
        return f"charge {self.figure(target)}, up to {inches(*coordinates(point))}"

    def _react(self, reaction: int) -> str:
        if reaction < len(_REACTIONS):
            return f"{_REACTIONS[reaction]}"
        kind, rouages, _ = self.state.frames()[-1]
        return f"use {capacity_name(self.state, rouages[1] if kind == FrameKind.ATTACK else -1, reaction)}"

    def _tactic(self, tactic: int) -> str:
        return _TACTICS[tactic]

    def _rest(self, rouage: int, removed: int) -> str:
        what = "a Noirceur" if removed == 0 else "the stun"
        return f"rest: {what} of {self.figure(rouage)}"

    def _first(self, index: int) -> str:
        names = [self._waiting(*entry) for entry in self.state.waiting()]
        if index >= len(names):
            return f"number {index + 1} first"
        name = names[index]
        return f"{name} first" if names.count(name) == 1 else f"{name} first ({index + 1})"

    def _waiting(self, capacity: int, node: int, element: int) -> str:
        """Returns the name of an effect that waits to be resolved."""
        what = self.rules.capacities[capacity].name if capacity >= 0 else self.rules.node_name(node)
        whom = self.figure(element) if element >= 0 else ""
        return f"{whom} ({what})" if whom and what else whom or what

    def _choose(self, option: int) -> str:
        if self.decision == Decision.PROPAGANDA_TOKENS:
            return f"give {option} tokens back"
        if self.decision == Decision.HOSTILE_LINE:
            return f"line {option + 1} of the Instinct: {self._line(option)}"
        if self.decision == Decision.CHOICE:
            node = self.rules.nodes[self.state.choice()]
            if option < len(node.option_texts):
                return f"{option + 1}: {node.option_texts[option]}"
        return f"option {option + 1}"

    def _line(self, number: int) -> str:
        _, (hostile,), _ = self.state.frames()[-1]
        figures = {figure["index"]: figure["card"] for figure in self._dump["figures"]}
        instinct = card_of(self.rules, figures[hostile]).instinct
        return line_text(self.rules, instinct[number]) if number < len(instinct) else ""

    def _scenery(self, rotation: int, point: int) -> str:
        turned = f", turned {rotation * 22.5:g} degrees" if rotation else ""
        return f"lay {self._piece()} at {inches(*coordinates(point))}{turned}"

    def _piece(self) -> str:
        """Returns the name of the piece of scenery to be placed."""
        number = len(self._dump["pieces"])
        return self.rules.pool[number].name if number < len(self.rules.pool) else "it"

    def _hostile(self, rouage: int) -> str:
        return f"run {self.figure(rouage)}"

    def _agenda(self, agenda: int) -> str:
        return f"agenda: {self.rules.agendas[agenda].name}"

    def _layout(self, layout: int) -> str:
        return f"board: {self.rules.layouts[layout].name}"

    def _successes(self, successes: int) -> str:
        pool = self.state.pool
        return f"{successes} of {pool[0]} dice succeed" if pool else f"{successes} successes"

    def _face(self, face: int) -> str:
        return f"the die shows {face}"

    def _card(self, number: int) -> str:
        card = self.rules.artefacts[number]
        return f"Artefact {card.number}: {card.name}"

    def _deal(self, outcome: int) -> str:
        if self.decision == Decision.CHANCE_FALLEN:
            return f"fallen ministry: {self.rules.ministries[outcome].name}"
        hands = list(hand_outcomes(self._dump["fallen"]))
        names = ", ".join(self.rules.ministries[number].name for number in hands[outcome])
        return f"player 1 is dealt {names}"

    def _seat(self, seat: int) -> str:
        return f"seat {seat} is player 1"


def hand_outcomes(fallen: int) -> Iterator[tuple[int, ...]]:
    """Yield the hands, without the Axe, that chance can deal to player 0, by the number of the outcome."""
    return combinations([number for number in range(7) if number != fallen], 3)
