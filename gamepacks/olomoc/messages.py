"""Action codes as the pack's action messages, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cext.errors import IllegalAction
from gamepacks.api.types import Code
from gamepacks.olomoc.codes import Parts, Reason, Verb, parts, place, plain
from gamepacks.olomoc.constants import SPECIFIC
from gamepacks.olomoc.v1 import olomoc_pb2 as pb


def _point(given: Parts) -> pb.Point:
    return pb.Point(x=given.x, y=given.y)


def _reaction(given: Parts) -> pb.React:
    if given.a >= SPECIFIC:
        return pb.React(reaction=pb.REACTION_CAPACITY, capacity=given.a)
    return pb.React(reaction=given.a + 1)  # type: ignore[arg-type]


_TO: dict[Verb, Callable[[Parts], pb.Action]] = {
    Verb.NO: lambda p: pb.Action(decline=pb.Decline()),
    Verb.YES: lambda p: pb.Action(accept=pb.Accept()),
    Verb.END: lambda p: pb.Action(end_activation=pb.EndActivation()),
    Verb.EDGE: lambda p: pb.Action(choose_edge=pb.ChooseEdge(edge=p.a + 1)),  # type: ignore[arg-type]
    Verb.PICK: lambda p: pb.Action(recruit=pb.Recruit(profile=p.a)),
    Verb.EQUIP: lambda p: pb.Action(equip=pb.Equip(gear=p.a, slot=p.b)),
    Verb.PLAN: lambda p: pb.Action(plan_card=pb.PlanCard(slot=p.a, card=p.b)),
    Verb.ACTIVATE: lambda p: pb.Action(activate_rouage=pb.ActivateRouage(rouage=p.a)),
    Verb.USE: lambda p: pb.Action(use_capacity=pb.UseCapacity(rouage=p.a, capacity=p.b)),
    Verb.COORD: lambda p: pb.Action(coordinate=pb.Coordinate(rouage=p.a)),
    Verb.TARGET: lambda p: pb.Action(choose_target=pb.ChooseTarget(element=p.a)),
    Verb.GO: lambda p: pb.Action(go=pb.Go(point=_point(p))),
    Verb.CHARGE: lambda p: pb.Action(charge=pb.Charge(target=p.a, point=_point(p))),
    Verb.REACT: lambda p: pb.Action(react=_reaction(p)),
    Verb.TACTIC: lambda p: pb.Action(use_tactic=pb.UseTactic(tactic=p.a + 1)),  # type: ignore[arg-type]
    Verb.REST: lambda p: pb.Action(remove=pb.Remove(rouage=p.a, state=p.b)),  # type: ignore[arg-type]
    Verb.FIRST: lambda p: pb.Action(resolve_first=pb.ResolveFirst(index=p.a)),
    Verb.CHOOSE: lambda p: pb.Action(choose=pb.Choose(option=p.a)),
    Verb.SCENERY: lambda p: pb.Action(lay_scenery=pb.LayScenery(rotation=p.a, point=_point(p))),
    Verb.HOSTILE: lambda p: pb.Action(run_hostile=pb.RunHostile(rouage=p.a)),
    Verb.AGENDA: lambda p: pb.Action(draw_agenda=pb.DrawAgenda(agenda=p.a)),
    Verb.LAYOUT: lambda p: pb.Action(draw_layout=pb.DrawLayout(layout=p.a)),
    Verb.SUCCESSES: lambda p: pb.Action(roll_pool=pb.RollPool(successes=p.a)),
    Verb.FACE: lambda p: pb.Action(roll_die=pb.RollDie(face=p.a)),
    Verb.CARD: lambda p: pb.Action(draw_card=pb.DrawCard(card=p.a)),
    Verb.DEAL: lambda p: pb.Action(deal=pb.Deal(outcome=p.a)),
    Verb.SEAT: lambda p: pb.Action(draw_number=pb.DrawNumber(seat=p.a)),
}
_WORDS: dict[str, tuple[Verb, tuple[str, ...]]] = {
    "decline": (Verb.NO, ()),
    "accept": (Verb.YES, ()),
    "end_activation": (Verb.END, ()),
    "recruit": (Verb.PICK, ("profile",)),
    "equip": (Verb.EQUIP, ("gear", "slot")),
    "plan_card": (Verb.PLAN, ("slot", "card")),
    "activate_rouage": (Verb.ACTIVATE, ("rouage",)),
    "use_capacity": (Verb.USE, ("rouage", "capacity")),
    "coordinate": (Verb.COORD, ("rouage",)),
    "choose_target": (Verb.TARGET, ("element",)),
    "remove": (Verb.REST, ("rouage", "state")),
    "resolve_first": (Verb.FIRST, ("index",)),
    "choose": (Verb.CHOOSE, ("option",)),
    "run_hostile": (Verb.HOSTILE, ("rouage",)),
    "draw_agenda": (Verb.AGENDA, ("agenda",)),
    "draw_layout": (Verb.LAYOUT, ("layout",)),
    "roll_pool": (Verb.SUCCESSES, ("successes",)),
    "roll_die": (Verb.FACE, ("face",)),
    "draw_card": (Verb.CARD, ("card",)),
    "deal": (Verb.DEAL, ("outcome",)),
    "draw_number": (Verb.SEAT, ("seat",)),
}
"""Verb, and the fields that hold a and b of the code as they are, by field of the action message."""
_PLACES: dict[str, tuple[Verb, str]] = {
    "go": (Verb.GO, ""),
    "charge": (Verb.CHARGE, "target"),
    "lay_scenery": (Verb.SCENERY, "rotation"),
}
_CHANCE = frozenset({"draw_agenda", "draw_layout", "roll_pool", "roll_die", "draw_card", "deal", "draw_number"})


def to_message(code: int) -> pb.Action:
    """The message of a code. Raises ValueError for a number that is no code."""
    given = parts(code)
    return _TO[given.verb](given)


def from_message(action: pb.Action) -> Code:
    """The code that a message stands for; whether it is legal is another question.

    Raises IllegalAction (INCOMPLETE_ACTION, OFF_BOARD, NOT_AN_OPTION, NOT_AN_OUTCOME) where it stands for none.
    """
    kind = action.WhichOneof("action")
    if kind is None:
        raise _incomplete("action")
    given = getattr(action, kind)
    if kind in _PLACES:
        return _placed(given, *_PLACES[kind])
    if kind in _WORDS:
        verb, names = _WORDS[kind]
        return _plain(verb, *(getattr(given, name) for name in names), chance=kind in _CHANCE)
    if kind == "choose_edge":
        return _plain(Verb.EDGE, _word(given.edge, "edge", 4))
    if kind == "use_tactic":
        return _plain(Verb.TACTIC, _word(given.tactic, "tactic", 3))
    reaction = _word(given.reaction, "reaction", 4)
    if given.reaction == pb.REACTION_CAPACITY:
        if given.capacity < SPECIFIC:
            raise IllegalAction(Reason.NO_SUCH_CAPACITY, f"{given.capacity} is no specific capacity")
        return _plain(Verb.REACT, given.capacity)
    return _plain(Verb.REACT, reaction)


def _word(number: int, field: str, words: int) -> int:
    if not 1 <= number <= words:
        raise _incomplete(field)
    return number - 1


def _plain(verb: Verb, *arguments: int, chance: bool = False) -> Code:
    try:
        return plain(verb, *arguments)
    except ValueError:
        reason = Reason.NOT_AN_OUTCOME if chance else Reason.NOT_AN_OPTION
        raise IllegalAction(reason, f"{verb.name.lower()} takes no such numbers") from None


def _placed(given: Any, verb: Verb, field: str) -> Code:
    if not given.HasField("point"):
        raise _incomplete("point")
    point = given.point
    if not (0 <= point.x <= 1600 and 0 <= point.y <= 1600):
        raise IllegalAction(Reason.OFF_BOARD, f"({point.x}, {point.y}) is no point of the board, 0 to 1600")
    a = getattr(given, field) if field else 0
    if not 0 <= a < 16:
        raise IllegalAction(Reason.NOT_AN_OPTION, f"{field} {a} is not from 0 to 15")
    return place(verb, a, point.x, point.y)


def _incomplete(field: str) -> IllegalAction:
    return IllegalAction(Reason.INCOMPLETE_ACTION, f"{field} is not set, or no word of it", field=field)
