"""Codes, cards and elements in English, for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA, Ask, Parts, parts
from gamepacks.olomoc.ruleset import NONE, Profile, Ruleset
from gamepacks.olomoc.terms import EDGES, GENERIC

if TYPE_CHECKING:
    from gamepacks.olomoc.state import OlomocState

_EDGE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_GENERIC_NAMES = (
    "Rest",
    "March",
    "Frontal attack",
    "Ranged attack",
    "Charge",
    "Riposte",
    "Dodge",
    "Opportunity attack",
    "Enter the board",
)
_REACTIONS = ("dodge", "riposte with Combat", "riposte with Shooting")
_TACTICS = ("push the attacker", "push the target", "stun the target")
_NO = {
    Ask.SCENERY: "leave the piece out",
    Ask.ENTER: "stay off the board: there is no place",
    Ask.PROP: "activate nobody",
    Ask.GO: "do not move",
    Ask.OPP: "no opportunity attack",
    Ask.REACT: "do not react",
    Ask.FATE: "keep the roll",
    Ask.TACTIC: "no tactic",
    Ask.PUSH: "stay",
    Ask.PICK: "no more",
    Ask.CHOICE: "none of it",
    Ask.TRIGGER: "do not use it",
    Ask.HOST_LINE: "no line of the Instinct applies",
    Ask.HOST_GO: "do not move",
    Ask.TARGET: "no target",
}


def card_of(rules: Ruleset, card: int) -> Profile:
    """A rouage's card as positions have it: the profiles, then the hostile profiles."""
    players = len(rules.profiles)
    return rules.profiles[card] if card < players else rules.hostiles[card - players]


def present_figures(state: OlomocState) -> dict[int, Profile]:
    """The cards of the rouages that there are, by their number."""
    rules = state.game.ruleset
    found: dict[int, Profile] = {}
    for figure in state.dump()["figures"]:
        index, card = figure["index"], figure["card"]
        if card >= 0:
            found[index] = card_of(rules, card)
    return found


def figure_names(state: OlomocState) -> dict[int, str]:
    """What rouages are called, each by a name of its own."""
    cards = present_figures(state)
    names = [card.name for card in cards.values()]
    return {
        index: card.name if names.count(card.name) == 1 else f"{card.name} ({index})" for index, card in cards.items()
    }


def card_name(rules: Ruleset, profiles: tuple[int, ...], card: int) -> str:
    """A planning card, as PLAN names it; ``profiles`` are the player's own."""
    if card == PROPAGANDA:
        return "Propaganda"
    if card >= MINISTRY:
        return rules.ministries[card - MINISTRY].name
    return rules.profiles[profiles[card]].name


def inches(x: int, y: int) -> str:
    """A point of the lattice, in inches from the south-west corner."""
    return f"({x / 100:.2f}, {y / 100:.2f})"


def capacity_name(state: OlomocState, figure: int, number: int) -> str:
    """A capacity by its number in USE."""
    if number < len(GENERIC):
        return _GENERIC_NAMES[number]
    rules = state.game.ruleset
    return next((rules.capacities[index].name for slot, index in state.specific(figure) if slot == number), f"{number}")


class Labeller:
    """Labels for the choices of one state."""

    def __init__(self, state: OlomocState) -> None:
        self.state = state
        self.rules: Ruleset = state.game.ruleset
        self.ask = Ask(state.ask)
        self._names: dict[int, str] | None = None

    def figure(self, index: int) -> str:
        """A rouage, marker or piece of scenery."""
        if index >= 64:
            return f"scenery {index} ({scenery_name(self.state, index)})"
        if index >= 16:
            return f"marker {index} ({marker_name(self.state, index)})"
        if self._names is None:
            self._names = figure_names(self.state)
        return self._names.get(index, f"rouage {index}")

    def label(self, code: int) -> str:
        """A code, as a person would say it; different codes of a list have different labels."""
        given = parts(code)
        return getattr(self, f"_{given.verb.name.lower()}")(given)  # type: ignore[no-any-return]

    def _no(self, given: Parts) -> str:
        return _NO.get(self.ask, "no")

    def _yes(self, given: Parts) -> str:
        if self.ask == Ask.FATE:
            return "tempt fate"
        if self.ask == Ask.OPP:
            return "make the opportunity attack"
        if self.ask == Ask.TRIGGER:
            bearer, capacity = self.state.offered()
            name = self.rules.capacities[capacity].name
            return f"use {name}" if bearer < 0 else f"use {name} of {self.figure(bearer)}"
        return "yes"

    def _end(self, given: Parts) -> str:
        return "end the activation"

    def _edge(self, given: Parts) -> str:
        return f"deploy from the {_EDGE_NAMES[EDGES[given.a]]} edge"

    def _pick(self, given: Parts) -> str:
        profile = self.rules.profiles[given.a]
        stats = " ".join(f"{letter}{value}" for letter, value in zip("TCSD", profile.stats, strict=True))
        life = "".join("SRT"[box] for box in profile.life)
        return f"take {profile.name} (card {given.a}: rank {profile.rank}, {stats}, {life})"

    def _equip(self, given: Parts) -> str:
        return f"give {self.rules.gear[given.a].name} (card {given.a}) to {self._recruit(given.b)}"

    def _recruit(self, rank: int) -> str:
        """A rouage that is being equipped, by the number of its rank, from 0."""
        player = self.state.asked
        profile = self._profiles(player)[rank] if player >= 0 else NONE
        name = f", {self.rules.profiles[profile].name}" if profile >= 0 else ""
        return f"the rouage of rank {rank + 1}{name}"

    def _plan(self, given: Parts) -> str:
        player = self.state.asked
        profiles = self._profiles(player) if player >= 0 else ()
        if not profiles and given.b < PROPAGANDA:
            return f"slot {given.a}: activation of rank {given.b + 1}"
        return f"slot {given.a}: {card_name(self.rules, profiles, given.b)}"

    def _profiles(self, player: int) -> tuple[int, ...]:
        return tuple(self.state.dump()["profile"][3 * player : 3 * player + 3])

    def _activate(self, given: Parts) -> str:
        return f"activate {self.figure(given.a)}"

    def _use(self, given: Parts) -> str:
        return f"{self.figure(given.a)}: {capacity_name(self.state, given.a, given.b)}"

    def _coord(self, given: Parts) -> str:
        return f"coordinate {self.figure(given.a)}"

    def _target(self, given: Parts) -> str:
        return f"target {self.figure(given.a)}"

    def _go(self, given: Parts) -> str:
        return f"to {inches(given.x, given.y)}"

    def _charge(self, given: Parts) -> str:
        return f"charge {self.figure(given.a)} to {inches(given.x, given.y)}"

    def _react(self, given: Parts) -> str:
        if given.a < len(_REACTIONS):
            return _REACTIONS[given.a]
        return f"use capacity {given.a}"

    def _tactic(self, given: Parts) -> str:
        return _TACTICS[given.a]

    def _rest(self, given: Parts) -> str:
        what = "a Noirceur" if given.b == 0 else "the stun"
        return f"rest: {what} of {self.figure(given.a)}"

    def _first(self, given: Parts) -> str:
        waiting = list(self.state.waiting())
        if given.a < len(waiting):
            capacity, node, element = waiting[given.a]
            what = self.rules.capacities[capacity].name if capacity >= 0 else ""
            if not what and node >= 0:
                what = self.rules.nodes[node].op.name.lower()
            whom = self.figure(element) if element >= 0 else ""
            return f"first {given.a + 1}: {' '.join(part for part in (what, whom) if part)}".rstrip(": ")
        return f"first: {given.a + 1}"

    def _choose(self, given: Parts) -> str:
        if self.ask == Ask.PROP_AP:
            return f"{given.a} tokens"
        if self.ask == Ask.HOST_LINE:
            return f"line {given.a + 1} of the Instinct"
        if self.ask == Ask.CHOICE:
            node = self.rules.nodes[self.state.choice()]
            if given.a < len(node.option_texts):
                return f"{given.a + 1}: {node.option_texts[given.a]}"
        return f"option {given.a + 1}"

    def _scenery(self, given: Parts) -> str:
        return f"lay it at {inches(given.x, given.y)}, turned {given.a * 22.5:g} degrees"

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
        if self.ask == Ask.C_FALLEN:
            return f"fallen ministry: {self.rules.ministries[given.a].name}"
        hands = list(hand_outcomes(self.state.dump()["fallen"]))
        names = ", ".join(self.rules.ministries[number].name for number in hands[given.a])
        return f"player 1 is dealt {names}"

    def _seat(self, given: Parts) -> str:
        return f"seat {given.a} is player 1"


def hand_outcomes(fallen: int) -> Iterator[tuple[int, ...]]:
    """The hands of player 0, besides the Axe, that chance can deal, by the number of the outcome."""
    return combinations([number for number in range(7) if number != fallen], 3)


def marker_name(state: OlomocState, element: int) -> str:
    """The tag of a marker."""
    for mark in state.dump()["marks"]:
        if mark["element"] == element:
            return state.game.ruleset.tags[mark["tag"]] if mark["tag"] != NONE else "marker"
    return "marker"


def scenery_name(state: OlomocState, element: int) -> str:
    """The name of a piece of scenery on the board."""
    names = [name for name, _, _ in laid_pieces(state)]
    place = element - 64
    return names[place] if 0 <= place < len(names) else "scenery"


def laid_pieces(state: OlomocState) -> list[tuple[str, bool, int]]:
    """Name, tainted by its card, and tag of every piece on the board, in order of their elements."""
    dump, rules = state.dump(), state.game.ruleset
    if dump["layout"] >= 0:
        return [(piece.name, piece.tainted, piece.tag) for piece in rules.layouts[dump["layout"]].pieces]
    laid = [rules.pool[number] for number, piece in enumerate(dump["pieces"]) if piece["rotation"] >= 0]
    return [(piece.name, piece.tainted, piece.tag) for piece in laid]
