"""Refusals: the reason why a code is illegal, and a sentence for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.codes import Verb
from gamepacks.api.errors import IllegalAction
from gamepacks.api.text import counted
from gamepacks.omen import codes
from gamepacks.omen.codes import BOOK, Pile, Reason
from gamepacks.omen.labels import city_name
from gamepacks.omen.prompts import PROMPTS
from gamepacks.omen.v1.omen_enums import Benefit, Kind

if TYPE_CHECKING:
    from gamepacks.omen.engine.rules import OmenState

_FROM_HAND = (codes.SURGE, codes.OFFER, codes.LIMIT, codes.ACT, codes.REACT)
"""Verbs whose argument is a card in the player's hand, or a Relic on the player's side."""
_DECLINED = {
    codes.SURGE: codes.SURGE_END,
    codes.FEAT: codes.FEAT_DONE,
    codes.CHALLENGE: codes.CHALLENGE_NONE,
    codes.OFFER: codes.OFFER_NONE,
    codes.ACT: codes.PASS,
    codes.REACT: codes.PASS,
}
"""Verbs with the verb that declines the same decision."""


def refusal(state: OmenState, code: int, seat: int = -1) -> IllegalAction:
    """Returns the refusal of an illegal code; its text uses only facts that the seat may know."""
    actor = state.actor()
    if actor == TERMINAL:
        return _refuse(Reason.GAME_OVER, "the game is over", code)
    if actor == CHANCE and seat == -1:
        return _refuse(Reason.NOT_AN_OUTCOME, "chance cannot have this outcome here", code)
    if actor == SIMULTANEOUS and not (0 <= seat < 2 and state.seats_to_act() >> seat & 1):
        return _refuse(Reason.NOT_YOUR_TURN, "this seat has no decision to make now", code)
    if actor != SIMULTANEOUS and seat not in (-1, actor):
        return _refuse(Reason.NOT_YOUR_TURN, "another seat or chance must act now", code)
    try:
        verb = BOOK.verb(code)
        BOOK.name(code)
    except ValueError:
        return _refuse(Reason.UNKNOWN_CODE, f"{code} is not an action code of this game", code)
    legal = state.legal(seat)
    there = {BOOK.verb(option) for option in legal}
    if verb not in there and _DECLINED.get(verb) not in there:
        now = PROMPTS.get(state.decision[0], "another decision is pending")
        return _refuse(Reason.WRONG_DECISION, f"this action does not answer the pending decision: {now}", code)
    reason, message = _why(state, verb, code, actor if seat == -1 else seat)
    return _refuse(reason, message, code)


def _why(state: OmenState, verb: Verb, code: int, seat: int) -> tuple[Reason, str]:
    """The reason why an action of a kind that the decision allows is not one of its options."""
    arguments = verb.unpack(code)
    if verb is codes.CITY:
        return _why_not_there(state, seat, arguments[0])
    if verb in (codes.WEALTH, codes.SPLIT):
        if arguments[0] == Benefit.DRAW:
            return Reason.NOT_AN_OPTION, "there is no Unit left to draw"
        if arguments[0] == Benefit.COIN:
            return Reason.NOT_AN_OPTION, "there is no coin left in the supply"
        return Reason.NOT_AN_OPTION, f"there is no benefit {arguments[0]}"
    if verb is codes.WAR_CITY:
        where = city_name(state.game.config.cities, arguments[0])
        return Reason.NOT_AN_OPTION, f"{where} cannot be resolved: it has too few Units or no prize"
    if verb is codes.KEEP:
        return (
            Reason.NOT_AN_OPTION,
            "these Units cannot all stay, or more of them must stay: `? war` explains what each player keeps",
        )
    if verb in (codes.FEAT, codes.CHALLENGE):
        return Reason.NOT_AN_OPTION, "the condition of the card is not met, or the card is not available"
    if verb not in _FROM_HAND or arguments[0] >= len(state.game.names):
        return Reason.NOT_AN_OPTION, f"{BOOK.name(code)} is not an option of this decision"
    return _why_not_used(state, verb, arguments[0], seat)


def _why_not_there(state: OmenState, seat: int, city: int) -> tuple[Reason, str]:
    """The reason why a card cannot go to a City."""
    cities = state.game.config.cities
    if city >= cities:
        return Reason.NOT_AN_OPTION, f"there are {cities} Cities"
    where, numbers = city_name(cities, city), state.counters()
    if numbers["razed"][city]:
        return Reason.NO_ROOM, f"{where} is Razed: no Unit can enter it"
    return (
        Reason.NO_ROOM,
        f"the card cannot go to {where}: entry is forbidden, the Cost there is too high, the effect allows other Cities"
        " only, or your side has no room"
        f" (the Units on it count {state.units(city, seat)})",
    )


def _why_not_used(state: OmenState, verb: Verb, card: int, seat: int) -> tuple[Reason, str]:
    """The reason why a card in the player's hand, or a Relic, cannot be used now."""
    game = state.game
    name, kind = game.names[card], game.compiled.faces[card].kind
    held = [item for item in state.pile(Pile.HAND + seat) if item[0] == card]
    relics = [item[0] for city in range(game.config.cities) for item in state.pile(Pile.RELIC + 2 * city + seat)]
    if not held and card not in relics:
        return Reason.NO_SUCH_CARD, f"{name} is not in your hand"
    if verb is codes.OFFER:
        return Reason.NOT_AN_OPTION, f"{name} cannot be offered: only Units in your hand can be"
    if verb is codes.LIMIT:
        return Reason.NOT_AN_OPTION, f"{name} cannot be given up for the hand limit"
    if verb is not codes.SURGE:
        return Reason.NOT_AN_OPTION, f"{name} cannot be used at this moment"
    if kind in (Kind.REWARD, Kind.KRATER):
        if kind == Kind.REWARD and all(item[2] for item in held):
            return Reason.NOT_AN_OPTION, f"{name} was won in this turn and cannot be used before the next turn"
        if state.counters()["prizes_used"]:
            return Reason.NOT_AN_OPTION, f"{name} cannot be used: only one prize may be used in a turn"
        return Reason.NOT_AN_OPTION, f"{name} cannot be used now"
    if kind != Kind.UNIT:
        return Reason.NOT_AN_OPTION, f"{name} cannot be used in this step, or cannot be used again yet"
    coins, price = state.counters()["coins"][seat], state.lowest_cost(seat, card)
    if price > coins:
        return Reason.TOO_EXPENSIVE, f"{name} costs {counted(price, 'coin')}, and you have {coins}"
    return Reason.NO_ROOM, f"{name} cannot be played: no City that you can afford has room on your side"


def _refuse(reason: Reason, message: str, code: int) -> IllegalAction:
    return IllegalAction(reason, message, code=code)
