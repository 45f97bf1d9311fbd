"""Prompts: the pending decision or the end of a game in a sentence for people, from the view alone."""

from __future__ import annotations

from collections.abc import Mapping

from gamepacks.olomoc.elements import element_names, seat_of
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

BY_DECISION: Mapping[int, str] = {
    pb.DECISION_EDGE: "choose your deployment line",
    pb.DECISION_DRAFT: "take a rouage into your cabale",
    pb.DECISION_GEAR: "give a gear card to one of your rouages",
    pb.DECISION_BUILD: "build your cabale, unseen by the other player",
    pb.DECISION_PLAN_MINISTRY: "lay your ministry face down in a slot that it allows",
    pb.DECISION_PLAN_CARD: "lay a card face down in the first empty slot",
    pb.DECISION_ORDER: "which of the waiting effects comes first?",
    pb.DECISION_PROPAGANDA: "Propaganda: which of your rouages is activated?",
    pb.DECISION_PROPAGANDA_TOKENS: "Propaganda: how many tokens does it give back?",
    pb.DECISION_HOSTILE: "which hostile is run next?",
    pb.DECISION_TRIGGER: "use the capacity?",
}
"""Questions that are the same for everybody in every state."""
_BY_WHOM = {
    pb.DECISION_ENTER: "{who} enters the board: up to where?",
    pb.DECISION_ACT: "{who} is active: what does it do?",
    pb.DECISION_REST: "Rest of {who}: what is removed?",
    pb.DECISION_GO: "{what}{who} moves: up to where?",
    pb.DECISION_CHARGE: "{who} charges: whom, and up to where?",
    pb.DECISION_TARGET: "{what}{who}: which target?",
    pb.DECISION_REACT: "{who} attacks {whom}: how does {whom} react?",
    pb.DECISION_FATE: "{what}does {who} take a Noirceur to roll all its dice again?",
    pb.DECISION_TACTIC: "{who} attacks {whom}: spend successes on a tactic?",
    pb.DECISION_PUSH: "{what}{who} is moved: where to?",
    pb.DECISION_OPPORTUNITY: "{whom} is about to leave the threat zone of {who}: does {who} attack first?",
    pb.DECISION_HOSTILE_LINE: "{who}: which line of its Instinct is followed?",
    pb.DECISION_HOSTILE_TARGET: "{who}: which of the equal targets?",
    pb.DECISION_HOSTILE_GO: "{who} moves: up to where?",
    pb.DECISION_CHOICE: "{what}choose",
    pb.DECISION_PICK: "{what}choose a target",
}


def question(view: pb.View) -> str:
    """Returns the pending decision as a question: ``Tremor: Odra Veil is moved: where to?``; or the chance node."""
    if view.decision in BY_DECISION:
        return BY_DECISION[view.decision]
    if view.decision == pb.DECISION_SCENERY and view.pool:
        rest = ", ".join(piece.name for piece in view.pool[1:])
        return f"lay {view.pool[0].name} on the board" + (f" (then {rest})" if rest else "")
    if view.decision in _BY_WHOM:
        names = element_names(view)
        parties = [names.get(index, "a rouage") for index in _parties(view)]
        who, whom = [*parties, "it", "it"][:2]
        name = next((part.name for part in reversed(view.pending) if part.name), "")
        return _BY_WHOM[view.decision].format(who=who, whom=whom, what=f"{name}: " if name else "")
    return pb.Decision.Name(view.decision).removeprefix("DECISION_").removeprefix("CHANCE_").lower().replace("_", " ")


def _parties(view: pb.View) -> list[int]:
    """The rouages of the innermost part that names any; of an activation, those that are active."""
    for part in reversed(view.pending):
        if part.kind == "activation":
            return [rouage.index for rouage in view.rouages if rouage.active] or list(part.rouages)
        if part.rouages:
            return list(part.rouages)
    return [rouage.index for rouage in view.rouages if rouage.active]


def situation(view: pb.View) -> str:
    """The prompt with the seats that decide, or the sentence of the end."""
    if view.end_cause:
        return ending(view)
    deciders = ", ".join(f"seat {seat}" for seat in view.deciding_seats) or "chance"
    return f"{deciders}: {question(view)}"


def ending(view: pb.View) -> str:
    """The sentence of the end: cause, points, winners."""
    seats = [seat_of(view, player) for player in range(len(view.players))]
    fallen = [seat for seat, player in zip(seats, view.players, strict=True) if player.fiel >= 3]
    why = {
        pb.END_CAUSE_CYCLES: "the fourth cycle is over",
        pb.END_CAUSE_TRAQUE: "the hunt has reached 3",
        pb.END_CAUSE_FIEL: f"{' and '.join(fallen)} has Fiel 3 and loses",
        pb.END_CAUSE_BOTH_FIEL: "one effect brought both players to Fiel 3, and both lose",
    }.get(view.end_cause, "it has ended")
    points = ", ".join(f"{player.vp} of {seat}" for seat, player in zip(seats, view.players, strict=True))
    winners = " and ".join(f"seat {seat}" for seat in view.winners)
    won = f"Won by {winners}" if winners else "Nobody wins" if view.end_cause == pb.END_CAUSE_BOTH_FIEL else "A draw"
    return f"The game is over: {why}. Points: {points}. {won}."
