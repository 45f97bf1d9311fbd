"""Refusals: the reason why an action is illegal, a sentence for a person, and the details.

A refusal goes to the seat that asked. It is derived from public facts and from what the deciding seat knows (its
pyramid, the cards that it looks at); another seat learns only that it is not its turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.omega import codes
from gamepacks.omega.cards import Egregor
from gamepacks.omega.codes import ANY_TYPE, BLACK, BOOK, GREEN, MAX_LOAD, TYPE_NAMES, WHITE, Reason
from gamepacks.omega.prompts import decision_text
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from gamepacks.omega.views import view_message

if TYPE_CHECKING:
    from gamepacks.omega.engine.rules import OmegaState

_MAIN_VERBS = (
    codes.SUMMON,
    codes.CAPTURE,
    codes.PLACE,
    codes.PLACE_BLACK,
    codes.PAIR,
    codes.DISOWN,
    codes.MASK,
    codes.USE_BOOK,
    codes.END_MAIN,
)
_FRAME_VERBS: dict[FrameKind, tuple[Verb, ...]] = {
    FrameKind.BATCH: (codes.ADD, codes.CONFIRM),
    FrameKind.TARGET: (codes.TARGET,),
    FrameKind.PAIR_FIRST: (codes.PAIR_FIRST,),
    FrameKind.PAIR_SECOND: (codes.PAIR_SECOND,),
    FrameKind.BLACK_TARGET: (codes.BLACK_TARGET,),
    FrameKind.BLACK_TAKE: (codes.BLACK_TAKE,),
    FrameKind.RED: (codes.PULL, codes.DECLINE),
    FrameKind.DRAW: (codes.TAKE_ALTAR, codes.TAKE_BAG, codes.SEARCH_BAG, codes.STOP),
    FrameKind.ARCANA: (codes.ARCANA,),
    FrameKind.RECOVER: (codes.RECOVER, codes.STOP),
    FrameKind.CYCLE: (codes.CYCLE, codes.STOP),
    FrameKind.KEY: (codes.KEY_TAKE, codes.KEY_NONE),
    FrameKind.KEY_PLACE: (codes.KEY_PLACE,),
}


def _verbs(state: OmegaState) -> tuple[Verb, ...]:
    """The verbs that the pending decision allows."""
    if state.pending is not None:
        return _FRAME_VERBS[FrameKind(state.pending[0])]
    return (codes.TAKE_ALTAR, codes.TAKE_BAG) if state.phase == Phase.DRAW else _MAIN_VERBS


def refusal(state: OmegaState, code: int, seat: int = -1) -> IllegalAction:
    """Returns the refusal of a code that is illegal in ``state`` for ``seat`` (-1: the seat to act).

    Raises ValueError for a legal code.
    """
    if state.is_legal(code, seat):
        raise ValueError(f"{code} is legal")
    if state.phase == Phase.OVER:
        return IllegalAction(Reason.GAME_OVER, "the game is over")
    actor = state.actor()
    if seat not in (-1, actor):
        turn = "chance" if actor < 0 else f"seat {actor}"
        return IllegalAction(Reason.NOT_YOUR_TURN, f"{turn} must act now, not seat {seat}", seat=seat)
    try:
        verb = BOOK.verb(code)
        known = verb(*verb.unpack(code)) == code
    except ValueError:
        known = False
    if not known:
        return IllegalAction(Reason.UNKNOWN_CODE, f"{code} is not an action code of OMEGA", code=code)
    if actor < 0:
        return IllegalAction(Reason.NOT_AN_OUTCOME, f"chance cannot have the outcome {BOOK.name(code)} here")
    if verb in BOOK.outcomes or verb not in _verbs(state):
        asked = decision_text(view_message(state, actor))
        message = f"this action does not answer the pending decision: {asked}"
        return IllegalAction(Reason.WRONG_PHASE, message, action=verb.name)
    if verb is codes.SEARCH_BAG and state.pending is not None and state.pending[2] == ANY_TYPE:
        return IllegalAction(Reason.OTHER_COLOUR, "this draw is not for a colour")
    return _REASONS[verb](RefusalContext(state), *verb.unpack(code))


class RefusalContext:
    """A state, as the deciding seat knows it."""

    def __init__(self, state: OmegaState) -> None:
        self.state = state
        self.values = state.dump()
        self.seat = int(self.values["active_seat"])
        self.frame: tuple[int, int, int, int] = state.pending or (0, 0, 0, 0)

    @cached_property
    def own(self) -> dict[str, Any]:
        """The values of the active player."""
        player: dict[str, Any] = self.values["seats"][self.seat]
        return player

    def card(self, number: int) -> Egregor:
        """The card of a number."""
        found: Egregor = self.state.game.cards.egregors[number]
        return found

    def egregor(self, place: int) -> dict[str, Any] | None:
        """The Egregor of the active player in a place; None if there is none."""
        return self.opposing(self.seat, place)

    def opposing(self, seat: int, place: int) -> dict[str, Any] | None:
        """The Egregor of a seat in a place; None if there is none."""
        players = self.values["seats"]
        if seat >= len(players) or place >= len(players[seat]["egregors"]):
            return None
        found: dict[str, Any] = players[seat]["egregors"][place]
        return found

    def limit(self, card: int) -> int:
        """The number of colours that a card may carry."""
        return 1 if self.card(card).primitive else 2


def _name(type_: int) -> str:
    return TYPE_NAMES[type_] if type_ < len(TYPE_NAMES) else f"type {type_}"


def _no_rune(type_: int, where: str) -> IllegalAction:
    return IllegalAction(Reason.NO_SUCH_RUNE, f"there is no {_name(type_)} rune {where}", rune=_name(type_))


def _no_egregor(place: int, seat: int | None = None) -> IllegalAction:
    if seat is None:
        return IllegalAction(Reason.NO_SUCH_EGREGOR, f"you have no Egregor in place {place}", place=place)
    return IllegalAction(Reason.NO_SUCH_EGREGOR, f"seat {seat} has no Egregor in place {place}", seat=seat, place=place)


# -- drawing ---------------------------------------


def _take_altar(context: RefusalContext, type_: int) -> IllegalAction:
    return _other_colour(context, type_) or _no_rune(type_, "on the altar")


def _take_bag(context: RefusalContext) -> IllegalAction:
    colour = context.frame[2] if context.state.pending else ANY_TYPE
    if colour != ANY_TYPE:
        return IllegalAction(Reason.OTHER_COLOUR, f"the power draws {_name(colour)} runes only", wanted=_name(colour))
    return IllegalAction(Reason.BAG_EMPTY, "the bag is empty")


def _search_bag(context: RefusalContext, type_: int) -> IllegalAction:
    return _other_colour(context, type_) or IllegalAction(
        Reason.ALTAR_FIRST, f"the altar has a {_name(type_)} rune: take that one first", rune=_name(type_)
    )


def _other_colour(context: RefusalContext, type_: int) -> IllegalAction | None:
    colour = context.frame[2] if context.state.pending else ANY_TYPE
    if colour in (ANY_TYPE, type_):
        return None
    return IllegalAction(
        Reason.OTHER_COLOUR, f"the power takes {_name(colour)} runes, not {_name(type_)}", wanted=_name(colour)
    )


def _stop(context: RefusalContext) -> IllegalAction:
    return IllegalAction(Reason.COMPULSORY, "you must take all of the runes")


# -- gaining ---------------------------------------


def _summon(context: RefusalContext, slot: int) -> IllegalAction:
    if context.values["gain_used"]:
        return IllegalAction(Reason.ALREADY_GAINED, "you have already gained an Egregor in this turn")
    if context.state.gallery_card(slot) is None:
        return IllegalAction(Reason.NO_SUCH_CARD, f"slot {slot} of the gallery is empty", slot=slot)
    return IllegalAction(Reason.NO_BATCH, "your pyramid has no coloured rune")


def _capture(context: RefusalContext, seat: int, place: int) -> IllegalAction:
    values = context.values
    if values["gain_used"]:
        return IllegalAction(Reason.ALREADY_GAINED, "you have already gained an Egregor in this turn")
    if values["announcer"] >= 0 and not context.state.game.options.final_turn_capture:
        return IllegalAction(Reason.FINAL_ROUND, "captures are not allowed in the final round")
    target = context.opposing(seat, place)
    if target is None:
        return _no_egregor(place, seat)
    name, owner, load = context.card(target["card"]).name, values["seats"][seat], sum(target["load"])
    if seat == context.seat:
        return IllegalAction(Reason.OWN_EGREGOR, f"{name} is your own Egregor", card=name)
    if len(owner["egregors"]) < 2:
        return IllegalAction(Reason.TARGET_ONLY_ONE, f"{name} is the only Egregor of seat {seat}", card=name)
    if owner["lost_egregor"]:
        return IllegalAction(
            Reason.TARGET_LOST_ONE, f"seat {seat} has lost an Egregor since its last turn", seat=seat, card=name
        )
    if owner["mask"] == place:
        return IllegalAction(Reason.TARGET_MASKED, f"{name} wears the Mask of seat {seat}", card=name)
    if load >= MAX_LOAD:
        return IllegalAction(Reason.TARGET_FULL, f"{name} already carries 10 runes", card=name)
    colours = "one colour" if context.limit(target["card"]) == 1 else "two colours"
    return IllegalAction(
        Reason.NO_BATCH,
        f"your pyramid does not have {load + 1} runes of {colours} to capture {name}",
        card=name,
        needed=load + 1,
    )


def _add(context: RefusalContext, type_: int) -> IllegalAction:
    if type_ == BLACK:
        return IllegalAction(Reason.BLACK_NOT_OWN, "a batch cannot contain a black rune")
    batch, seat, place = context.values["batch"], context.values["batch_seat"], context.values["batch_index"]
    if type_ >= BLACK or context.own["pyramid"][type_] <= batch[type_]:
        return _no_rune(type_, "left in your pyramid")
    if sum(batch) >= MAX_LOAD:
        return IllegalAction(Reason.BATCH_FULL, "the batch already has 10 runes")
    target = context.opposing(seat, place)
    limit = context.limit(context.values["gallery"][place] if target is None else target["card"])
    if not batch[type_] and sum(count > 0 for count in batch) >= limit:
        return _too_many_colours(limit)
    return IllegalAction(
        Reason.DEAD_END,
        f"the batch could not become large enough with a {_name(type_)} rune",
        rune=_name(type_),
        needed=_needed(context),
    )


def _needed(context: RefusalContext) -> int:
    target = context.opposing(context.values["batch_seat"], context.values["batch_index"])
    return 1 if target is None else sum(target["load"]) + 1


def _confirm(context: RefusalContext) -> IllegalAction:
    size, needed = sum(context.values["batch"]), _needed(context)
    return IllegalAction(Reason.TOO_FEW, f"the batch has {size} runes and needs at least {needed}", needed=needed)


def _too_many_colours(limit: int) -> IllegalAction:
    message = (
        "a Primitive takes runes of one colour only" if limit == 1 else "an Egregor takes runes of two colours at most"
    )
    return IllegalAction(Reason.TOO_MANY_COLOURS, message, limit=limit)


# -- placing ---------------------------------------


def _no_room(context: RefusalContext, egregor: dict[str, Any], type_: int) -> IllegalAction | None:
    """The reason why a coloured rune does not fit on an Egregor of the active player."""
    name, limit = context.card(egregor["card"]).name, context.limit(egregor["card"])
    if sum(egregor["load"]) >= MAX_LOAD:
        return IllegalAction(Reason.EGREGOR_FULL, f"{name} already carries 10 runes", card=name)
    if not egregor["load"][type_] and sum(count > 0 for count in egregor["load"][:BLACK]) >= limit:
        return _too_many_colours(limit)
    return None


def _place(context: RefusalContext, type_: int) -> IllegalAction:
    if type_ == BLACK:
        return IllegalAction(Reason.BLACK_NOT_OWN, "a black rune can be placed on opposing Egregors only")
    if type_ > BLACK or not context.own["pyramid"][type_]:
        return _no_rune(type_, "in your pyramid")
    return _nowhere(context, type_)


def _nowhere(context: RefusalContext, type_: int) -> IllegalAction:
    """The reason why no Egregor of the active player takes a coloured rune, first that of one that is not full."""
    row = context.own["egregors"]
    found = [fault for egregor in row if (fault := _no_room(context, egregor, type_))]
    found.sort(key=lambda fault: fault.reason == Reason.EGREGOR_FULL)
    return found[0] if found else IllegalAction(Reason.NO_SUCH_EGREGOR, "you have no Egregor to place a rune on")


def _target(context: RefusalContext, place: int) -> IllegalAction:
    return _on(context, place, context.frame[1])


def _on(context: RefusalContext, place: int, type_: int) -> IllegalAction:
    egregor = context.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    return _no_room(context, egregor, type_) or _no_second(context, egregor)


def _no_second(context: RefusalContext, egregor: dict[str, Any]) -> IllegalAction:
    name = context.card(egregor["card"]).name
    return IllegalAction(
        Reason.EGREGOR_FULL, f"there is no room for the second green rune after one is placed on {name}", card=name
    )


def _pair(context: RefusalContext) -> IllegalAction:
    if context.state.game.options.green_pairing == "consecutive":
        return IllegalAction(Reason.NO_PAIRS, "in this match green runes are placed one after the other")
    greens = context.own["pyramid"][GREEN]
    if greens < 2:
        return IllegalAction(Reason.NO_SUCH_RUNE, "your pyramid does not have two green runes", rune="green")
    fits = [egregor for egregor in context.own["egregors"] if _no_room(context, egregor, GREEN) is None]
    return _no_second(context, fits[0]) if fits else _nowhere(context, GREEN)


def _pair_place(context: RefusalContext, place: int) -> IllegalAction:
    return _on(context, place, GREEN)


# -- blacks ---------------------------------------


def _place_black(context: RefusalContext) -> IllegalAction:
    if not context.own["pyramid"][BLACK]:
        return _no_rune(BLACK, "in your pyramid")
    return IllegalAction(Reason.NOTHING_TO_TAKE, "no opposing Egregor carries a rune that a black rune could take")


def _black_target(context: RefusalContext, seat: int, place: int) -> IllegalAction:
    target = context.opposing(seat, place)
    if target is None:
        return _no_egregor(place, seat)
    name = context.card(target["card"]).name
    if seat == context.seat:
        return IllegalAction(Reason.OWN_EGREGOR, f"{name} is your own Egregor", card=name)
    if target["load"][WHITE] >= 2:
        return IllegalAction(
            Reason.PROTECTED_BY_WHITE, f"the two white runes on {name} protect it from black runes", card=name
        )
    return IllegalAction(Reason.NOTHING_TO_TAKE, f"{name} carries no rune that a black rune could take", card=name)


def _black_take(context: RefusalContext, type_: int) -> IllegalAction:
    target = context.opposing(context.frame[1], context.frame[2])
    assert target is not None
    if type_ > BLACK or not target["load"][type_]:
        return _no_rune(type_, f"on {context.card(target['card']).name}")
    if type_ == WHITE:
        return IllegalAction(Reason.PROTECTED_BY_WHITE, "a black rune cannot take a white rune")
    return IllegalAction(Reason.BLACK_FOR_BLACK, "a black rune cannot take this black rune")


# -- disowning, the Mask, powers, the end ---------------------------------------


def _disown(context: RefusalContext, place: int) -> IllegalAction:
    if not context.values["gain_used"]:
        return IllegalAction(
            Reason.NOT_GAINED_YET, "you can disown an Egregor only after you have gained one in this turn"
        )
    egregor = context.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    if egregor["gained"]:
        name = context.card(egregor["card"]).name
        return IllegalAction(Reason.JUST_GAINED, f"{name} was gained in this turn and cannot be disowned", card=name)
    return IllegalAction(Reason.ALREADY_DISOWNED, "you have already disowned an Egregor in this turn")


def _mask(context: RefusalContext, place: int) -> IllegalAction:
    egregor = context.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    card = context.card(egregor["card"])
    if card.renegade:
        return IllegalAction(
            Reason.MASK_ON_RENEGADE, f"{card.name} is a Renegade, which never wears the Mask", card=card.name
        )
    if context.own["mask"] == place:
        return IllegalAction(Reason.MASK_THERE, f"the Mask is already on {card.name}", card=card.name)
    return IllegalAction(Reason.MASK_MOVED, "you cannot move the Mask again now")


def _use_book(context: RefusalContext, place: int, power: int) -> IllegalAction:
    egregor = context.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    card = context.card(egregor["card"])
    if power >= len(card.powers) or card.powers[power].trigger != "book":
        return IllegalAction(
            Reason.NO_SUCH_POWER, f"{card.name} has no book power {power}", card=card.name, power=power
        )
    if egregor["used"] >> power & 1:
        return IllegalAction(
            Reason.POWER_USED,
            f"this power of {card.name} has already been used in this turn",
            card=card.name,
            power=power,
        )
    return IllegalAction(
        Reason.POWER_IDLE, f"this power of {card.name} would have no effect now", card=card.name, power=power
    )


def _end_main(context: RefusalContext) -> IllegalAction:
    return IllegalAction(Reason.TOO_MANY_EGREGORS, "disown one of your five Egregors first")


# -- decisions of powers ---------------------------------------


def _arcana(context: RefusalContext, stack: int) -> IllegalAction:
    return IllegalAction(Reason.NO_SUCH_STACK, f"stack {stack} has no visible token", stack=stack)


def _recover(context: RefusalContext, type_: int) -> IllegalAction:
    return _no_rune(type_, "left on the lost Egregor")


def _cycle(context: RefusalContext, place: int, type_: int) -> IllegalAction:
    egregor = context.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    return _other_colour(context, type_) or _no_rune(type_, f"on {context.card(egregor['card']).name}")


def _key_take(context: RefusalContext, number: int) -> IllegalAction:
    if number not in context.values["looked"]:
        return IllegalAction(Reason.NO_SUCH_CARD, "the card is not one of those that you look at", number=number)
    card = context.card(number)
    if card.key:
        return IllegalAction(Reason.IS_A_KEY, f"{card.name} is a Key and cannot replace another one", card=card.name)
    return _too_many_colours(1)


def _key_place(context: RefusalContext, place: int) -> IllegalAction:
    if not context.values["keys"] >> place & 1:
        return IllegalAction(
            Reason.NO_SUCH_EGREGOR, f"there is no Key that can be replaced in place {place}", place=place
        )
    return _too_many_colours(1)


_REASONS: dict[Verb, Callable[..., IllegalAction]] = {
    codes.TAKE_ALTAR: _take_altar,
    codes.TAKE_BAG: _take_bag,
    codes.SEARCH_BAG: _search_bag,
    codes.STOP: _stop,
    codes.SUMMON: _summon,
    codes.CAPTURE: _capture,
    codes.PLACE: _place,
    codes.PLACE_BLACK: _place_black,
    codes.PAIR: _pair,
    codes.DISOWN: _disown,
    codes.MASK: _mask,
    codes.USE_BOOK: _use_book,
    codes.END_MAIN: _end_main,
    codes.ADD: _add,
    codes.CONFIRM: _confirm,
    codes.TARGET: _target,
    codes.PAIR_FIRST: _pair_place,
    codes.PAIR_SECOND: _pair_place,
    codes.BLACK_TARGET: _black_target,
    codes.BLACK_TAKE: _black_take,
    codes.ARCANA: _arcana,
    codes.RECOVER: _recover,
    codes.CYCLE: _cycle,
    codes.KEY_TAKE: _key_take,
    codes.KEY_PLACE: _key_place,
}
"""Functions by verb; they take the arguments of the code. PULL, DECLINE and KEY_NONE are legal wherever they fit."""
