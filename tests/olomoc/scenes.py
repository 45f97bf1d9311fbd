"""Scenes: a match of the fixture brought to a decision, with rouages, markers and counters put where a test wants them.

A scene plays to the activation of one rouage by its card and then changes the position, so that everything that is
being carried out is the engine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import pytest

from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.cards import CardLibrary
from gamepacks.api.codes import Verb
from gamepacks.api.errors import IllegalAction
from gamepacks.api.types import SPECTATOR, Code, Seat
from gamepacks.olomoc import Olomoc, codes
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA, coordinates, point
from gamepacks.olomoc.constants import AFFILIATIONS, BASES, Use
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.positions import values_of
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import Change, active, library

CABALES = (("fx-kubik", "fx-dominik", "fx-petra"), ("fx-lida", "fx-hynek", "fx-ota"))
"""By player: the rouages of rank 1, 2, 3 unless a test asks for others."""
OFF, BLOC, OUT = 1, 2, 3
AXE = MINISTRY + AFFILIATIONS.index("axe")
"""The ministry that everybody has, as PLAN names it."""


@dataclass
class Rouage:
    """State of a rouage in a scene. Rouages that are not mentioned are off the board."""

    at: tuple[int, int] | None = None
    card: str = ""
    ap: int = 4
    ticked: int = 0
    noirceur: int = 0
    stunned: bool = False
    out_of_action: bool = False
    marches: int = 0
    attacks: int = 0


@dataclass
class Marker:
    """A marker on the board."""

    at: tuple[int, int]
    tag: str = "objective"
    size: int = 30
    tainted: bool = False
    zone: int = -1


@cache
def _library(changes: tuple[Change, ...]) -> CardLibrary[Any]:
    return library(*changes)


def game(*changes: Change, **options: Any) -> Olomoc:
    """The fixture configured: seat 0 is player 0, agenda and board are quiet and bare."""
    given = {
        "card_set": "fixture",
        "agenda": "quiet",
        "bloc": "bare",
        "start_number": "seat0",
        "build": "secret",
        **options,
    }
    made = Olomoc.configure(2, given, _library(changes))
    assert isinstance(made, Olomoc)
    return made


def number(made: Olomoc, name: str) -> int:
    """A card as positions have it: the profiles, then the hostile profiles."""
    cards = (*made.ruleset.profiles, *made.ruleset.hostiles)
    return next(place for place, card in enumerate(cards) if card.id == name)


# -- playing on --------------------------------------------------------------------------------------------------------


@dataclass
class Script:
    """Plans, cabales and drawn cards that lead to a scene."""

    plans: tuple[Sequence[int], Sequence[int]]
    """By player: the cards of slots 1 to 5, as PLAN names them."""
    cabales: tuple[Sequence[str], Sequence[str]] = CABALES
    cards: Sequence[str] = ("101",)
    """Numbers of the Artefact cards that are drawn, the last again and again."""
    drawn: int = field(default=0, init=False)


def script(*cards: int, against: Sequence[int] | None = None, ministry: str = "", **more: Any) -> Script:
    """A script by the first cards of player 0 (0 to 2 by rank, 3 a Propaganda); the rest follows in order."""
    del ministry
    return Script((plan(*cards), plan(*(against or ()))), **more)


def plan(*cards: int) -> tuple[int, ...]:
    """Returns a whole plan that begins with these cards; the ministry is in the last slot that allows it."""
    left = [card for card in (0, 1, 2, PROPAGANDA) if card not in cards]
    whole = [*cards, *left]
    if not any(card >= MINISTRY for card in whole):
        whole.append(AXE)
    return tuple(whole)


def step(state: OlomocState, code: int, seat: int = -1) -> OlomocState:
    """Take a code, checked; the state itself is changed and returned."""
    if seat < 0 and state.actor() == SIMULTANEOUS:
        raise AssertionError("which seat?")
    state.apply(code, seat)
    return state


def advance(state: OlomocState, how: Script, until: Any) -> OlomocState:
    """Play by the script until ``until(state)`` holds; other decisions take a default."""
    for _ in range(2000):
        if until(state):
            return state
        actor = state.actor()
        if actor == TERMINAL:
            raise AssertionError("the game ended on the way")
        if actor == CHANCE:
            state.apply(_chance(state, how))
        elif actor == SIMULTANEOUS:
            for seat in range(2):
                if state.seats_to_act() >> seat & 1:
                    state.apply(_hidden(state, how, seat), seat)
        else:
            state.apply(_simple(state), actor)
    raise AssertionError("the scene is not reached")


def played(
    one: Sequence[int],
    other: Sequence[int],
    until: Callable[[OlomocState], bool],
    *,
    changes: tuple[Change, ...] = (),
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> OlomocState:
    """A match played by two plans until something holds."""
    return advance(game(*changes, **(options or {})).initial_state(), Script((one, other), **more), until)


def asked_first(ask: Decision, *changes: Change, **options: Any) -> OlomocState:
    """A match at the first decision of a kind."""
    return advance(
        game(*changes, **options).initial_state(), Script((plan(2), plan(2))), lambda s: bool(s.decision == ask)
    )


def in_phase(phase: int, ask: Decision | None = None) -> Callable[[OlomocState], bool]:
    """Returns a condition: a seat must decide in this phase, or make this decision in it."""
    return lambda s: s.dump()["phase"] == phase and s.actor() >= 0 and (ask is None or s.decision == ask)


def _chance(state: OlomocState, how: Script) -> int:
    outcomes = [code for code, _ in state.chance()]
    if state.decision == Decision.CHANCE_CARD:
        wanted = how.cards[min(how.drawn, len(how.cards) - 1)]
        how.drawn += 1
        cards = state.game.ruleset.artefacts
        fitting = [code for code in outcomes if cards[parts(code).a].number == wanted]
        return fitting[0] if fitting else outcomes[0]
    if state.decision == Decision.CHANCE_HAND:
        return _hand(state, how, outcomes)
    if state.decision == Decision.CHANCE_FALLEN:
        return _fallen(how, outcomes)
    return outcomes[0]


def _ministries(how: Script) -> list[int]:
    return [next((card - MINISTRY for card in one if card >= MINISTRY), 7) for one in how.plans]


def _fallen(how: Script, outcomes: Sequence[int]) -> int:
    """Returns a ministry that neither player plans, as the fallen one."""
    return next(code for code in reversed(outcomes) if parts(code).a not in _ministries(how))


def _hand(state: OlomocState, how: Script, outcomes: Sequence[int]) -> int:
    """A deal in which each player has the ministry it plans."""
    wanted = _ministries(how)
    for code in outcomes:
        after = state.clone()
        after.apply(code)
        if all(after.dump()["hand"][player] >> wanted[player] & 1 for player in range(2)):
            return code
    raise AssertionError("no deal gives both their ministries")


def _hidden(state: OlomocState, how: Script, seat: int) -> int:
    player = state.player_of(seat)
    legal = state.legal(seat)
    if state.decision == Decision.BUILD:
        picks = [code for code in legal if parts(code).verb == codes.PICK]
        wanted = {number(state.game, name) for name in how.cabales[player]}
        return next((code for code in picks if parts(code).a in wanted), legal[0])
    if state.decision == Decision.PLAN_MINISTRY:
        wanted_card = next(card for card in how.plans[player] if card >= MINISTRY)
        fitting = [code for code in legal if parts(code).b == wanted_card]
        at = [code for code in fitting if how.plans[player][parts(code).a - 1] == wanted_card]
        return (at or fitting or legal)[-1]
    # A ministry that is used up, or lies elsewhere, leaves the others in their order.
    order = [card for card in how.plans[player] if card < MINISTRY]
    laid = state.dump()["plan"][6 * player + 1 : 6 * player + 6]
    place = sum(card >= 0 for card in laid[: parts(legal[0]).a - 1]) - sum(
        card >= MINISTRY for card in laid[: parts(legal[0]).a - 1]
    )
    return next((code for code in legal if parts(code).b == order[place]), legal[0])


def _simple(state: OlomocState) -> int:
    legal = state.legal(state.actor())
    by_verb = {parts(code).verb: code for code in reversed(legal)}
    for verb in (codes.END, codes.NO):
        if verb in by_verb:
            return by_verb[verb]
    return legal[0]


# -- scenes ------------------------------------------------------------------------------------------------------------


def scene(
    figures: Mapping[int, Rouage],
    active: int = 2,
    *,
    markers: Sequence[Marker] = (),
    hostiles: Mapping[int, str] | None = None,
    changes: tuple[Change, ...] = (),
    options: Mapping[str, Any] | None = None,
    phase: int = 1,
    cabales: tuple[Sequence[str], Sequence[str]] = CABALES,
    cards: Sequence[str] = ("101",),
    by: str = "card",
    against: Sequence[int] = (PROPAGANDA,),
    **counters: Any,
) -> OlomocState:
    """Returns a state in which the rouage ``active`` of player 0 or 1 is activated in a phase and may act.

    ``counters`` are fields of the position: vp, fiel, traque, priority.
    """
    made = game(*changes, **(options or {}))
    player, rank = divmod(active, 3)
    rest = [*(card for card in (0, 1, 2, PROPAGANDA) if card != rank), AXE]
    own = (*rest[: phase - 1], rank, *rest[phase - 1 :])
    rest = [card for card in (0, 1, 2, PROPAGANDA) if card not in against]
    rest += [] if any(card >= MINISTRY for card in against) else [AXE]
    other = (*rest[: phase - 1], *against, *rest[phase - 1 :])
    plans = (own, other) if player == 0 else (other, own)
    how = Script(plans, cabales, cards)
    state = made.initial_state()
    advance(
        state,
        how,
        lambda s: s.decision in (Decision.ACT, Decision.ENTER) and s.dump()["phase"] == phase and _is_active(s, active),
    )
    if state.decision == Decision.ENTER:
        go = next(code for code in state.legal(state.actor()) if parts(code).verb == codes.GO)
        state.apply(go, state.actor())
    assert state.decision == Decision.ACT, Decision(state.decision)
    return changed_to(state, figures, markers=markers, hostiles=hostiles or {}, **counters)


def _is_active(state: OlomocState, figure: int) -> bool:
    return figure in state.active_figures()


def changed_to(
    state: OlomocState,
    figures: Mapping[int, Rouage],
    *,
    markers: Sequence[Marker] = (),
    hostiles: Mapping[int, str] | None = None,
    **counters: Any,
) -> OlomocState:
    """A copy of a state at the same decision, with rouages, markers and counters set to the given values."""
    made = state.game
    dump = values_of(made.position(state))
    for entry in dump["figures"]:
        said = figures.get(entry["index"])
        _set(made, dump, entry, said or Rouage())
    for index, card in (hostiles or {}).items():
        entry = _blank(index)
        entry["card"] = number(made, card)
        _set(made, dump, entry, figures[index])
        dump["figures"].append(entry)
    dump["figures"].sort(key=lambda entry: entry["index"])
    dump["traque"] = sum(entry["where"] == OUT for entry in dump["figures"] if entry["index"] < 6)
    dump["losses"] = dump["traque"]
    dump["marks"] = [
        {
            "element": 16 + place,
            "tag": made.ruleset.tags.index(marker.tag),
            "x": marker.at[0],
            "y": marker.at[1],
            "radius": BASES[marker.size],
            "tainted": int(marker.tainted),
            "zone": marker.zone,
        }
        for place, marker in enumerate(markers)
    ]
    dump.update(counters)
    return made.restore(pb.Position(**dump))


def _blank(index: int) -> dict[str, Any]:
    return {
        "index": index, "where": BLOC, "card": 0, "gear": -1, "x": 0, "y": 0, "ap": 0, "ap_given": 0, "ticked": 0,
        "noirceur": 0, "states": 0, "marches": 0, "attacks": 0, "acted": 0, "lost": 0,
        "uses": [], "used": [],
    }  # fmt: skip


def _set(made: Olomoc, dump: dict[str, Any], entry: dict[str, Any], rouage: Rouage) -> None:
    index = entry["index"]
    if rouage.card and index < 6:
        entry["card"] = number(made, rouage.card)
        dump["profile"][index] = entry["card"]
    entry["where"] = OUT if rouage.out_of_action else BLOC if rouage.at else OFF
    entry["x"], entry["y"] = rouage.at or (0, 0)
    entry["ap"] = rouage.ap if index < 6 and not rouage.out_of_action else 0
    entry["ap_given"] = 4 if index < 6 and not rouage.out_of_action else 0
    entry["ticked"], entry["noirceur"] = rouage.ticked, 0 if rouage.out_of_action else rouage.noirceur
    entry["states"] = int(rouage.stunned and not rouage.out_of_action)
    entry["marches"], entry["attacks"] = rouage.marches, rouage.attacks
    entry["uses"], entry["used"], entry["lost"] = [], [], 0
    if rouage.out_of_action:
        entry["lost"] = 1 + sum(other.get("lost", 0) > 0 for other in dump["figures"] if other["index"] < index)
        life = made.ruleset.profiles[entry["card"]].life
        entry["ticked"], entry["gear"] = len(life), entry["gear"]


def drawing(stand: Mapping[int, Rouage], *, changes: tuple[Change, ...] = (), **more: Any) -> OlomocState:
    """Pétra has used a capacity by which a card is drawn."""
    state = scene(stand, changes=(active("{op: mechanism}", name="probe"), *changes), **more)
    do(state, use(2, specific(state, 2, "probe")))
    assert state.decision == Decision.CHANCE_CARD, Decision(state.decision)
    return state


def card_drawn(state: OlomocState, wanted: str) -> int:
    """The code of drawing the card of a number."""
    cards = state.game.ruleset.artefacts
    return next(code for code, _ in state.chance() if cards[parts(code).a].number == wanted)


def drawn(wanted: str, stand: Mapping[int, Rouage], **more: Any) -> OlomocState:
    """Pétra has drawn the card of this number by a capacity."""
    state = drawing(stand, **more)
    return do(state, card_drawn(state, wanted))


def hostile_phase(stand: Mapping[int, Rouage], hostiles: Mapping[int, str], **more: Any) -> OlomocState:
    """Returns a state at the start of the hostile phase, in which the player with priority chooses."""
    state = scene({2: Rouage((200, 1400)), **stand}, hostiles=hostiles, phase=5, **more)
    return advance(state, Script(plans_of(state)), in_phase(6))


def run(state: OlomocState, index: int) -> OlomocState:
    """Choose a hostile to be run."""
    return do(state, codes.HOSTILE(index))


def settled(state: OlomocState, until: tuple[Decision, ...] = (Decision.HOSTILE,)) -> OlomocState:
    """Play on, simply, until another hostile is to be chosen or the cycle is over."""
    while state.decision not in until and state.dump()["phase"] == 6 and state.actor() >= -1:
        if state.decision == Decision.CHANCE_POOL:
            rolls(state, 0)
        elif state.actor() == -1:
            do(state, state.chance()[0][0])
        else:
            do(state, legal(state)[0] if NO not in legal(state) else NO)
    return state


NEAR = {2: Rouage((700, 800)), 4: Rouage((900, 800))}
"""Where one of each player engages the other."""


# -- looking -----------------------------------------------------------------------------------------------------------


def figure(state: OlomocState, index: int) -> dict[str, Any]:
    """A rouage's entry in the position."""
    return next(entry for entry in state.dump()["figures"] if entry["index"] == index)


def where(state: OlomocState, index: int) -> tuple[int, int] | None:
    """The place of a rouage; None off the board."""
    entry = figure(state, index)
    return (entry["x"], entry["y"]) if entry["where"] == BLOC else None


def plans_of(state: OlomocState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By player: the cards of slots 1 to 5."""
    laid = state.dump()["plan"]
    return tuple(laid[1:6]), tuple(laid[7:12])


def legal(state: OlomocState) -> list[int]:
    """Returns the legal codes of the seat to act."""
    return state.legal(state.actor())


def verbs(state: OlomocState) -> set[Verb]:
    """The verbs among the choices."""
    return {parts(code).verb for code in legal(state)}


def may(state: OlomocState, code: int) -> bool:
    """Whether a code is legal for the seat to act."""
    return bool(state.is_legal(code, state.actor() if state.actor() >= 0 else -1))


def do(state: OlomocState, *codes: int) -> OlomocState:
    """Take codes one after the other, each by the seat to act."""
    for code in codes:
        state.apply(code, state.actor() if state.actor() >= 0 else -1)
    return state


def happens(state: OlomocState, code: int) -> list[pb.Event]:
    """Take a code; returns the events of the step for a spectator."""
    before, actor = state.clone(), state.actor()
    do(state, code)
    shown = state.game.events(before, Seat(actor) if actor >= 0 else None, Code(code), state, SPECTATOR)
    return list(shown)


def refusal(state: OlomocState, code: int, seat: int | None = None) -> IllegalAction:
    """Returns the reason why a code is refused; asserts that the state does not change."""
    before, seat = state.to_bytes(), state.actor() if seat is None else seat
    assert not state.is_legal(code, seat)
    with pytest.raises(IllegalAction) as caught:
        state.apply(code, seat)
    assert state.to_bytes() == before
    return caught.value


def rolls(state: OlomocState, successes: int) -> OlomocState:
    """Apply the number of successes of the pending roll."""
    assert state.decision == Decision.CHANCE_POOL, Decision(state.decision)
    return do(state, codes.SUCCESSES(successes))


def use(rouage: int, capacity: int) -> int:
    return codes.USE(rouage, capacity)


def go(x: int, y: int) -> int:
    return codes.GO(point(x, y))


def charge(target: int, x: int, y: int) -> int:
    return codes.CHARGE(target, point(x, y))


def target(element: int) -> int:
    return codes.TARGET(element)


NO, YES, END = codes.NO(), codes.YES(), codes.END()
DODGE, RIPOSTE, SHOOT_BACK = (codes.REACT(kind) for kind in range(3))
PUSH_SELF, PUSH_TARGET, STUN = (codes.TACTIC(kind) for kind in range(3))
REST, MARCH, FRONTAL, RANGED, CHARGE = Use.REST, Use.MARCH, Use.FRONTAL, Use.RANGED, Use.CHARGE


def specific(state: OlomocState, rouage: int, name: str) -> int:
    """The number in USE of a specific capacity."""
    rules = state.game.ruleset
    return next(slot for slot, index in state.specific(rouage) if rules.capacities[index].id == name)


def ministry(name: str) -> int:
    """The number of a ministry in PLAN."""
    return MINISTRY + AFFILIATIONS.index(name)


def scenery(rotation: int, x: int, y: int) -> int:
    """Lay the next piece of scenery."""
    return codes.SCENERY(rotation, point(x, y))


class Parts(NamedTuple):
    """The parts of a code: its verb, its arguments without the place, and the place."""

    verb: Verb
    a: int = 0
    b: int = 0
    x: int = 0
    y: int = 0


def parts(code: int) -> Parts:
    """Returns the parts of a code."""
    verb = codes.BOOK.verb(code)
    arguments = verb.unpack(code)
    if "point" not in verb.fields:
        return Parts(verb, *arguments)
    x, y = coordinates(arguments[-1])
    return Parts(verb, *arguments[:-1], x=x, y=y)
