"""Prompts of the scene: the steps of the turn, the pending decision as a sentence, and its buttons."""

from __future__ import annotations

from collections.abc import Iterator

from gamepacks.api.text import counted
from gamepacks.omen.labels import capital, city_name
from gamepacks.omen.scoring import score_text
from gamepacks.omen.v1 import omen_pb2 as pb


def phase_name(phase: pb.Phase) -> str:
    """The name of a step or phase: ``Wealth``."""
    return pb.Phase.Name(phase).removeprefix("PHASE_").replace("_", " ").capitalize()


def phases(view: pb.View) -> list[pb.Phase]:
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


def prompt(view: pb.View) -> str:
    """Returns the pending decision or the end of the game as a sentence."""
    if view.phase == pb.PHASE_OVER:
        winners = " and ".join(f"seat {seat}" for seat in view.winners)
        return f"The game is over: {winners} {'wins' if len(view.winners) == 1 else 'win together'}."
    text = PROMPTS.get(view.decision, "")
    if view.decision in (pb.DECISION_EMISSARY, pb.DECISION_DRAFT):
        waiting = [f"seat {seat}" for seat in range(2) if seat not in view.decided]
        return f"{capital(' and '.join(waiting))}: {text}."
    if not view.HasField("deciding_seat"):
        return f"{text}." if text else "No decision is pending."
    war = f" of {city_name(len(view.cities), view.war_city)}" if view.HasField("war_city") else ""
    return f"seat {view.deciding_seat}: {text}{war if view.decision == pb.DECISION_KEEP else ''}."


PROMPTS: dict[int, str] = {
    pb.DECISION_CHANCE_UNIT: "Chance draws a Unit",
    pb.DECISION_CHANCE_PRIZE: "Chance turns up a prize",
    pb.DECISION_CHANCE_WHIM: "Chance draws a Whim",
    pb.DECISION_CHANCE_DEAL: "Chance deals cards",
    pb.DECISION_CHANCE_HAND: "Chance picks a card of a hand",
    pb.DECISION_CHANCE_FIRST: "Chance decides who has the first turn",
    pb.DECISION_CHANCE_DIE: "A die is rolled",
    pb.DECISION_EMISSARY: "send a Unit as Emissary; the greater sum of Cost, Offering and Strength begins",
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
    pb.DECISION_FEAT: "claim a Feat whose condition is met, or none",
    pb.DECISION_ROTATE: "rotate an achieved Feat to take a Relic, or take none",
    pb.DECISION_RELIC: "choose a Relic",
    pb.DECISION_CHALLENGE: "take a Challenge whose requirement is met, or none",
    pb.DECISION_WAR_CITY: "choose the next City to resolve",
    pb.DECISION_KEEP: "choose the Units that stay on your side",
    pb.DECISION_OFFER: "discard a Unit for its Offering value, or offer nothing",
    pb.DECISION_SPLIT: "draw a Unit or take a coin for the Offering",
    pb.DECISION_LIMIT: "give up a card: the hand exceeds the limit",
    pb.DECISION_TRIUMPH: "choose the Unit that goes to the Rewards area",
    pb.DECISION_UNIT: "choose a Unit in a City",
    pb.DECISION_CARD: "choose a card",
    pb.DECISION_CHOOSE: "choose one of the effects of the card",
    pb.DECISION_MAY: "use the effect, or do not",
    pb.DECISION_COUNT: "choose a number",
    pb.DECISION_NAME: "name a type, a trait, a number or a player",
    pb.DECISION_ORDER: "choose the ability that happens next",
    pb.DECISION_ACT: "use a card now, or pass",
    pb.DECISION_REACT: "react with a card, or pass",
}
"""Prompts by decision or chance node."""


def notes(view: pb.View) -> Iterator[str]:
    """Yield further lines about the pending decision, or the scores at the end."""
    if view.phase == pb.PHASE_OVER:
        for seat in range(2):
            yield f"seat {seat}: {score_text(view, seat)}"
        return
    if view.wealth_left:
        yield (f"{counted(view.wealth_left, 'Wealth action')} left; if all are spent alike, they give one more.")
    if view.offer_left:
        yield f"{counted(view.offer_left, 'point')} of the Offering left."
    if view.HasField("source"):
        yield f"Now: {view.source.name}. {view.source.text}"


def buttons(view: pb.View) -> list[tuple[str, str]]:
    """Names and texts of the buttons of the decision, for the viewer who decides."""
    if not view.HasField("viewer") or not view.HasField("deciding_seat") or view.viewer != view.deciding_seat:
        return []
    if view.decision == pb.DECISION_MODE:
        return [MODE_BUTTONS[mode] for mode in _modes(view.source)]
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
    pb.DECISION_KEEP: [("keep", "Keep these Units")],
    pb.DECISION_OFFER: [("none", "Offer nothing")],
    pb.DECISION_MAY: [("do", "Use it"), ("skip", "Do not use it")],
    pb.DECISION_ACT: [("pass", "Pass")],
    pb.DECISION_REACT: [("pass", "Pass")],
}
MODE_BUTTONS: dict[int, tuple[str, str]] = {
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
