"""Codes, cards and elements in English, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA, Parts, Verb, parts
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
from gamepacks.olomoc.ruleset import Gear, Line, Profile, Ruleset
from gamepacks.olomoc.v1.olomoc_enums import Decision

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.state import OlomocState

_EDGE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_REACTIONS = ("dodge", "riposte with Combat", "riposte with Shooting")
_TACTICS = ("push the attacker", "push the target", "stun the target")
_ROLLING = frozenset({Verb.YES, Verb.USE, Verb.TARGET, Verb.CHARGE, Verb.REACT})
"""Verbs that can bring a roll about."""
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
    """A planning card, as PLAN names it; ``profiles`` are the player's own."""
    if card == PROPAGANDA:
        return "Propaganda"
    if card >= MINISTRY:
        return rules.ministries[card - MINISTRY].name
    return rules.profiles[profiles[card]].name


def capacity_name(state: OlomocState, figure: int, number: int) -> str:
    """A capacity by its number in USE."""
    if number < len(GENERIC):
        return GENERIC_NAMES[number]
    rules = state.game.ruleset
    return next((rules.capacities[index].name for slot, index in state.specific(figure) if slot == number), f"{number}")


def profile_text(rules: Ruleset, profile: Profile) -> str:
    """A profile's card in short: rank, factions, ministries; characteristics, life line, base."""
    stats = " ".join(f"{letter}{value}" for letter, value in zip("TCSD", profile.stats, strict=True))
    belongs = ", ".join([*faction_names(rules, profile), *affiliation_names(rules, profile)])
    return f"rank {profile.rank}, {belongs}; {stats}, {life_line(profile)}, {profile.base} mm"


def life_line(profile: Profile) -> str:
    """The boxes of a life line, the first to be ticked in front: S standard, R reinforced, T tainted."""
    return "".join("SRT"[box] for box in profile.life)


def faction_names(rules: Ruleset, profile: Profile) -> list[str]:
    """The factions of a profile."""
    return [name for number, (_, name) in enumerate(rules.factions) if profile.factions >> number & 1]


def affiliation_names(rules: Ruleset, profile: Profile) -> list[str]:
    """The ministries of a profile, and affiliations without one."""
    return [affiliation_name(rules, number) for number in range(9) if profile.ministries >> number & 1]


def affiliation_name(rules: Ruleset, number: int) -> str:
    """A ministry, or an affiliation without one."""
    named = {ministry.affiliation: ministry.name for ministry in rules.ministries if ministry.affiliation != AXE}
    return {AXE: "L'Axe", FRANGE: "La Frange"}.get(number) or named.get(number, AFFILIATIONS[number])


def _unique_name(cards: Sequence[Profile] | Sequence[Gear], number: int) -> str:
    """The name of a card, with its number where others have the name."""
    name = cards[number].name
    return name if [card.name for card in cards].count(name) == 1 else f"{name} (card {number})"


def line_text(rules: Ruleset, line: Line) -> str:
    """The text of a line of an Instinct, without its condition: ``charge the highest rank, then the nearest``."""
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


class Labeller:
    """Labels for the choices of one state."""

    def __init__(self, state: OlomocState) -> None:
        self.state = state
        self.rules: Ruleset = state.game.ruleset
        self.decision = state.decision
        self._names: dict[int, str] = {}
        self._rolls: dict[tuple[int, int, int], str] = {}
        """The text of each roll by verb and arguments: the place of a charge does not change it."""

    @cached_property
    def _dump(self) -> dict[str, Any]:
        """The state's values, read once however much of it is named."""
        return self.state.dump()

    def figure(self, index: int) -> str:
        """A rouage, marker or piece of scenery."""
        if index not in self._names:
            self._names[index] = element_name(self.state, index, self._dump)
        return self._names[index]

    def _goer(self) -> str:
        """The name of the element whose place is asked for."""
        going = self.state.going()
        return self.figure(going[0]) if going is not None else ""

    def label(self, code: int) -> str:
        """A code, as a person would say it; different codes of a list have different labels."""
        given = parts(code)
        text: str = getattr(self, f"_{given.verb.name.lower()}")(given)
        return text + self._roll(code, given) if given.verb in _ROLLING else text

    def _roll(self, code: int, given: Parts) -> str:
        """Dice and difficulty of the roll that a code brings about: `` (3 dice, difficulty 4)``; empty for none."""
        key = (given.verb, given.a, given.b)
        if key not in self._rolls:
            dice, difficulties = set(), set()
            for roll in self.state.rolls_of(code):
                dice.add(roll[0])
                difficulties.add(roll[1])
            noun = "die" if dice == {1} else "dice"
            self._rolls[key] = f" ({_span(dice)} {noun}, difficulty {_span(difficulties)})" if dice else ""
        return self._rolls[key]

    def _no(self, given: Parts) -> str:
        if self.decision == Decision.SCENERY:
            return f"leave {self._piece()} out"
        if self.decision == Decision.ENTER:
            return f"{self._goer()} stays off the board: there is no place"
        if self.decision in (Decision.GO, Decision.PUSH, Decision.HOSTILE_GO):
            return f"{self._goer()} stays"
        return _NO.get(self.decision, "no")

    def _yes(self, given: Parts) -> str:
        if self.decision == Decision.FATE:
            return "tempt fate"
        if self.decision == Decision.OPPORTUNITY:
            return "make the opportunity attack"
        if self.decision == Decision.TRIGGER:
            bearer, capacity = self.state.offered()
            name = self.rules.capacities[capacity].name
            return f"use {name}" if bearer < 0 else f"use {name} of {self.figure(bearer)}"
        return "yes"

    def _end(self, given: Parts) -> str:
        return "end the activation"

    def _edge(self, given: Parts) -> str:
        return f"deploy from the {_EDGE_NAMES[EDGES[given.a]]} edge"

    def _pick(self, given: Parts) -> str:
        profiles = self.rules.profiles
        return f"take {_unique_name(profiles, given.a)} ({profile_text(self.rules, profiles[given.a])})"

    def _equip(self, given: Parts) -> str:
        return f"give {_unique_name(self.rules.gear, given.a)} to {self._recruit(given.b)}"

    def _recruit(self, rank: int) -> str:
        """A rouage that is being equipped, by the number of its rank, from 0."""
        player = self.state.deciding_player
        profile = self._profiles(player)[rank] if player >= 0 else -1
        return self.rules.profiles[profile].name if profile >= 0 else f"the rouage of rank {rank + 1}"

    def _plan(self, given: Parts) -> str:
        player = self.state.deciding_player
        profiles = self._profiles(player) if player >= 0 else ()
        if not profiles and given.b < PROPAGANDA:
            return f"slot {given.a}: activation of rank {given.b + 1}"
        return f"slot {given.a}: {card_name(self.rules, profiles, given.b)}"

    def _profiles(self, player: int) -> tuple[int, ...]:
        return tuple(self._dump["profile"][3 * player : 3 * player + 3])

    def _activate(self, given: Parts) -> str:
        return f"activate {self.figure(given.a)}"

    def _use(self, given: Parts) -> str:
        return f"{self.figure(given.a)}: {capacity_name(self.state, given.a, given.b)}"

    def _coord(self, given: Parts) -> str:
        return f"coordinate {self.figure(given.a)}"

    def _target(self, given: Parts) -> str:
        return f"target {self.figure(given.a)}"

    def _go(self, given: Parts) -> str:
        return f"{self._goer()} to {inches(given.x, given.y)}"

    def _charge(self, given: Parts) -> str:
        return f"charge {self.figure(given.a)}, up to {inches(given.x, given.y)}"

    def _react(self, given: Parts) -> str:
        if given.a < len(_REACTIONS):
            return f"{_REACTIONS[given.a]}"
        kind, rouages, _ = self.state.frames()[-1]
        return f"use {capacity_name(self.state, rouages[1] if kind == FrameKind.ATTACK else -1, given.a)}"

    def _tactic(self, given: Parts) -> str:
        return _TACTICS[given.a]

    def _rest(self, given: Parts) -> str:
        what = "a Noirceur" if given.b == 0 else "the stun"
        return f"rest: {what} of {self.figure(given.a)}"

    def _first(self, given: Parts) -> str:
        names = [self._waiting(*entry) for entry in self.state.waiting()]
        if given.a >= len(names):
            return f"number {given.a + 1} first"
        name = names[given.a]
        return f"{name} first" if names.count(name) == 1 else f"{name} first ({given.a + 1})"

    def _waiting(self, capacity: int, node: int, element: int) -> str:
        """Something that waits for its turn."""
        what = self.rules.capacities[capacity].name if capacity >= 0 else self.rules.node_name(node)
        whom = self.figure(element) if element >= 0 else ""
        return f"{whom} ({what})" if whom and what else whom or what

    def _choose(self, given: Parts) -> str:
        if self.decision == Decision.PROPAGANDA_TOKENS:
            return f"give {given.a} tokens back"
        if self.decision == Decision.HOSTILE_LINE:
            return f"line {given.a + 1} of the Instinct: {self._line(given.a)}"
        if self.decision == Decision.CHOICE:
            node = self.rules.nodes[self.state.choice()]
            if given.a < len(node.option_texts):
                return f"{given.a + 1}: {node.option_texts[given.a]}"
        return f"option {given.a + 1}"

    def _line(self, number: int) -> str:
        _, (hostile,), _ = self.state.frames()[-1]
        figures = {figure["index"]: figure["card"] for figure in self._dump["figures"]}
        instinct = card_of(self.rules, figures[hostile]).instinct
        return line_text(self.rules, instinct[number]) if number < len(instinct) else ""

    def _scenery(self, given: Parts) -> str:
        turned = f", turned {given.a * 22.5:g} degrees" if given.a else ""
        return f"lay {self._piece()} at {inches(given.x, given.y)}{turned}"

    def _piece(self) -> str:
        """The piece of scenery that is to be laid."""
        number = len(self._dump["pieces"])
        return self.rules.pool[number].name if number < len(self.rules.pool) else "it"

    def _hostile(self, given: Parts) -> str:
        return f"run {self.figure(given.a)}"

    def _agenda(self, given: Parts) -> str:
        return f"agenda: {self.rules.agendas[given.a].name}"

    def _layout(self, given: Parts) -> str:
        return f"board: {self.rules.layouts[given.a].name}"

    def _successes(self, given: Parts) -> str:
        pool = self.state.pool
        return f"{given.a} of {pool[0]} dice succeed" if pool else f"{given.a} successes"

    def _face(self, given: Parts) -> str:
        return f"the die shows {given.a}"

    def _card(self, given: Parts) -> str:
        card = self.rules.artefacts[given.a]
        return f"Artefact {card.number}: {card.name}"

    def _deal(self, given: Parts) -> str:
        if self.decision == Decision.CHANCE_FALLEN:
            return f"fallen ministry: {self.rules.ministries[given.a].name}"
        hands = list(hand_outcomes(self._dump["fallen"]))
        names = ", ".join(self.rules.ministries[number].name for number in hands[given.a])
        return f"player 1 is dealt {names}"

    def _seat(self, given: Parts) -> str:
        return f"seat {given.a} is player 1"


def hand_outcomes(fallen: int) -> Iterator[tuple[int, ...]]:
    """The hands of player 0, besides the Axe, that chance can deal, by the number of the outcome."""
    return combinations([number for number in range(7) if number != fallen], 3)
