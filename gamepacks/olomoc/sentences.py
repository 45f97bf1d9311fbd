"""The sentence of an event that neither the label of the action nor the drawn board shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamepacks.olomoc.constants import GENERIC, PROFILE_CAPACITY
from gamepacks.olomoc.elements import EDGE_NAMES, FIRST_MARKER, SIGNS, element_names, inches, seat_of
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

_KINDS = {
    pb.ATTACK_KIND_FRONTAL: "attacks",
    pb.ATTACK_KIND_RANGED: "shoots at",
    pb.ATTACK_KIND_CHARGE: "charges",
}
_CAUSES = {
    pb.CHANGE_CAUSE_PROPAGANDA: "Propaganda",
    pb.CHANGE_CAUSE_REST: "Rest",
    pb.CHANGE_CAUSE_FATE: "tempting fate",
    pb.CHANGE_CAUSE_TAINTED_BOX: "a tainted box",
    pb.CHANGE_CAUSE_CONTACT: "contact with something tainted",
    pb.CHANGE_CAUSE_LOSS: "a rouage out of action",
    pb.CHANGE_CAUSE_CORRUPTED: "a corrupted rouage received Noirceur",
    pb.CHANGE_CAUSE_CYCLE_END: "the end of the cycle",
}
"""Texts of the causes of changes; the sentence of a capacity names its costs, and effects have names."""
_STATUS = {pb.STATUS_HEALTHY: "healthy", pb.STATUS_TAINTED: "tainted", pb.STATUS_CORRUPTED: "corrupted"}
_CHARGE = GENERIC.index("charge")


def sentence(event: pb.Event, view: pb.View | None = None) -> str:
    """Returns the sentence of an event; empty if the label of the action or the drawn board shows the event."""
    kind = event.WhichOneof("event")
    write = _SENTENCES.get(kind or "")
    return "" if view is None or write is None else write(_Names(view), getattr(event, kind))


class _Names:
    """Names of elements and seats for a view."""

    def __init__(self, view: pb.View) -> None:
        self.view = view
        self._names = element_names(view)

    def who(self, element: int) -> str:
        """An element. Of those that can be gone the view has no name: a hostile has its sign on the board."""
        if element < FIRST_MARKER:
            return self._names.get(element, f"hostile {SIGNS[element]}")
        return self._names.get(element, "a marker")

    def seat(self, player: int) -> str:
        return seat_of(self.view, player)

    def card(self, player: int, card: int) -> str:
        """Returns the name of a planning card that was revealed, from the plan in the view."""
        plan = self.view.players[player].plan
        return next((slot.name for slot in plan if slot.revealed and slot.card == card), "a card")

    def capacity(self, rouage: int, number: int) -> str:
        mine = (found for found in self.view.rouages if found.index == rouage)
        return next((part.name for found in mine for part in found.capacities if part.number == number), "a capacity")


def _line(names: _Names, event: pb.LineChosen) -> str:
    return f"Deployment line of {names.seat(event.player)}: the {EDGE_NAMES.get(event.edge, 'other')} edge"


def _mechanism(names: _Names, event: pb.Mechanism) -> str:
    view = names.view
    drawn = next((card for card in (view.artefact, *view.discarded) if card.index == event.card and card.name), None)
    text = f"{drawn.name}: {drawn.text} " if drawn is not None else ""
    return f"{text}Priority: {names.seat(event.player)}"


def _revealed(names: _Names, event: pb.CardsRevealed) -> str:
    cards = (event.card_0, event.card_1)
    shown = " against ".join(names.card(player, card) for player, card in enumerate(cards))
    first = f"; {names.seat(event.first)} is first" if event.first >= 0 else ""
    return f"Slot {event.slot}: {shown} (ranks {event.rank_0} and {event.rank_1}){first}"


def _ministry(names: _Names, event: pb.MinistryResolved) -> str:
    used = names.view.players[event.player].used
    text = next((f"{card.name}: {card.text}" for card in used if card.index == event.ministry), "a ministry")
    return f"{text} ({names.seat(event.player)})"


def _capacity(names: _Names, event: pb.CapacityUsed) -> str:
    if event.rouage < 0 or event.capacity < PROFILE_CAPACITY:
        return ""
    costs = [_some(event.ap, "token")] if event.ap else []
    costs += [f"{event.noirceur} Noirceur"] if event.noirceur else []
    paid = f" for {' and '.join(costs)}" if costs else ""
    return f"{names.who(event.rouage)} uses {names.capacity(event.rouage, event.capacity)}{paid}"


def _attack(names: _Names, event: pb.AttackDeclared) -> str:
    verb = "charges" if event.capacity == _CHARGE else _KINDS.get(event.kind, "attacks")
    return f"{names.who(event.attacker)} {verb} {names.who(event.target)}"


def _reaction(names: _Names, event: pb.ReactionDeclared) -> str:
    how = {
        pb.REACTION_DODGE: "dodges",
        pb.REACTION_RIPOSTE_COMBAT: "ripostes with Combat",
        pb.REACTION_RIPOSTE_SHOOT: "ripostes with Shooting",
    }.get(event.reaction, "reacts with a capacity")
    return f"{names.who(event.rouage)} {how}"


def _dice(names: _Names, event: pb.DiceRolled) -> str:
    who = names.who(event.rouage) if event.rouage >= 0 else "The effect"
    faces = " ".join(map(str, event.faces)) or f"{event.dice} dice"
    return f"{who} rolls {faces}: {event.successes} of {event.dice} at {event.difficulty} or more"


def _roll(names: _Names, event: pb.RollSet) -> str:
    """The sentence of a roll whose dice something changes; empty for others."""
    changes = []
    for part in event.modifiers:
        signed = ((part.dice, "dice"), (part.difficulty, "difficulty"), (part.successes, "successes"))
        changes.append(f"{part.name} ({', '.join(f'{value:+d} {what}' for value, what in signed if value)})")
    if not changes:
        return ""
    dice = _some(event.dice, "die", "dice")
    return f"{names.who(event.rouage)} rolls {dice} at {event.difficulty} or more: {', '.join(changes)}"


def _change(what: str, event: Any) -> str:
    """Something counted, before and after, and why."""
    why = ", ".join(part for part in (_CAUSES.get(event.cause, ""), event.source.name) if part)
    return f"{what}: {event.before} to {event.after}{f' ({why})' if why else ''}"


def _counter(names: _Names, event: pb.TokenChanged) -> str:
    whose = f" of {names.seat(event.player)}" if event.HasField("player") else ""
    return f"{event.name}{whose}: {event.before} to {event.after}"


def _tokens(names: _Names, event: pb.ApChanged) -> str:
    if event.cause in (pb.CHANGE_CAUSE_COST, pb.CHANGE_CAUSE_ENTRY):
        return ""
    return _change(f"Tokens of {names.who(event.rouage)}", event)


def _wounds(names: _Names, event: pb.WoundsTaken) -> str:
    notes = [f"{event.reduced} prevented"] if event.reduced else []
    notes += [f"{event.lost} lost beyond a tainted box or the last box"] if event.lost else []
    more = f" ({', '.join(notes)})" if notes else ""
    boxes = _some(event.ticked, "box", "boxes")
    return f"{names.who(event.rouage)} takes {_some(event.wounds, 'wound')}{more}: {boxes}"


def _out(names: _Names, event: pb.RouageOut) -> str:
    by = f", put out by {names.who(event.by)}" if event.by >= 0 else ""
    return f"{names.who(event.rouage)} is out of action{by}"


def _state(names: _Names, event: pb.StateChanged) -> str:
    return f"{names.who(event.rouage)} is {'' if event.set else 'no longer '}stunned"


def _spawned(names: _Names, event: pb.HostileSpawned) -> str:
    return f"{names.who(event.rouage)} appears at {inches(event.x, event.y)}"


def _laid(names: _Names, event: pb.MarkerPlaced) -> str:
    tag = next((mark.tag for mark in names.view.markers if mark.element == event.element), "") or "marker"
    return f"A marker ({tag}) is placed at {inches(event.x, event.y)}"


def _taint(names: _Names, event: pb.TaintChanged) -> str:
    return f"{names.who(event.element)} is {'tainted' if event.tainted else 'clean'} now"


def _peeked(names: _Names, event: pb.PlanPeeked) -> str:
    slots = " and ".join(str(slot) for slot in range(1, 6) if event.slots >> slot & 1)
    return f"{names.seat(event.player)} looks at the cards of slots {slots}"


def _some(count: int, thing: str, things: str = "") -> str:
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


_SENTENCES: dict[str, Callable[[_Names, Any], str]] = {
    "line_chosen": _line,
    "cycle_started": lambda names, event: f"Cycle {event.cycle} begins",
    "mechanism": _mechanism,
    "artefact_reshuffled": lambda names, event: f"The {event.cards} discarded Artefact cards become the pile",
    "priority_changed": lambda names, event: f"Priority: {names.seat(event.player)}",
    "planned": lambda names, event: "Both players have planned",
    "cards_revealed": _revealed,
    "plan_peeked": _peeked,
    "plan_changed": lambda names, event: f"Cards of {names.seat(event.player)} change places",
    "ministry_resolved": _ministry,
    "card_blocked": lambda names, event: f"{names.card(event.player, event.card)} is blocked by the ministry",
    "card_void": lambda names, event: f"{names.card(event.player, event.card)} is void: the rouage is out of action",
    "rouage_activated": lambda names, event: f"{names.who(event.rouage)} is activated",
    "opportunity_attack": lambda names, event: (
        f"{names.who(event.reactor)} makes an opportunity attack on {names.who(event.mover)}"
    ),
    "capacity_used": _capacity,
    "attack_declared": _attack,
    "reaction_declared": _reaction,
    "roll_set": _roll,
    "dice_rolled": _dice,
    "attack_resolved": lambda names, event: (
        f"{_some(event.net, 'success', 'successes')} left against {names.who(event.target)}"
    ),
    "wounds_taken": _wounds,
    "healed": lambda names, event: f"{names.who(event.rouage)} heals {_some(event.boxes, 'box', 'boxes')}",
    "rouage_out": _out,
    "ap_changed": _tokens,
    "noirceur_changed": lambda names, event: _change(f"Noirceur of {names.who(event.rouage)}", event),
    "status_changed": lambda names, event: f"{names.who(event.rouage)} is {_STATUS.get(event.after, 'as it was')} now",
    "fiel_changed": lambda names, event: _change(f"Fiel of {names.seat(event.player)}", event),
    "traque_changed": lambda names, event: _change("The hunt", event),
    "vp_changed": lambda names, event: _change(f"Points of {names.seat(event.player)}", event),
    "token_changed": _counter,
    "state_changed": _state,
    "taint_changed": _taint,
    "hostile_spawned": _spawned,
    "hostile_removed": lambda names, event: f"{names.who(event.rouage)} leaves the board",
    "hostile_phase_started": lambda names, event: "The hostile phase begins",
    "marker_placed": _laid,
    "marker_moved": lambda names, event: f"{names.who(event.element)} is moved to {inches(event.x, event.y)}",
    "marker_removed": lambda names, event: "A marker is removed",
}
"""Functions that make the sentence, by the field of the event."""
