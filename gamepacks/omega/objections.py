"""What speaks against an action that fits what is to be decided, but not the table: one function for each verb."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.omega import codes
from gamepacks.omega.cards import Egregor
from gamepacks.omega.codes import ANY, BLACK, GREEN, TYPE_NAMES, WHITE, Reason

if TYPE_CHECKING:
    from gamepacks.omega.engine.state import OmegaState

FULL = 10


class Asked:
    """A table about which somebody asked, as the deciding seat knows it."""

    def __init__(self, state: OmegaState) -> None:
        self.state = state
        self.values = state.dump()
        self.seat = int(self.values["active"])
        self.frame: tuple[int, int, int, int] = state.pending or (0, 0, 0, 0)

    @cached_property
    def own(self) -> dict[str, Any]:
        """The active player."""
        player: dict[str, Any] = self.values["players"][self.seat]
        return player

    def card(self, number: int) -> Egregor:
        """A card of the set."""
        found: Egregor = self.state.game.cards.egregors[number]
        return found

    def egregor(self, place: int) -> dict[str, Any] | None:
        """The own Egregor in a place."""
        return self.opposing(self.seat, place)

    def opposing(self, seat: int, place: int) -> dict[str, Any] | None:
        """Anybody's Egregor in a place."""
        players = self.values["players"]
        if seat >= len(players) or place >= len(players[seat]["row"]):
            return None
        found: dict[str, Any] = players[seat]["row"][place]
        return found

    def limit(self, card: int) -> int:
        """How many colours a card may carry."""
        return 1 if self.card(card).primitive else 2


def _name(type_: int) -> str:
    return TYPE_NAMES[type_] if type_ < len(TYPE_NAMES) else f"type {type_}"


def _no_rune(type_: int, where: str) -> IllegalAction:
    return IllegalAction(Reason.NO_SUCH_RUNE, f"there is no {_name(type_)} rune {where}", rune=_name(type_))


def _no_egregor(place: int, seat: int | None = None) -> IllegalAction:
    if seat is None:
        return IllegalAction(Reason.NO_SUCH_EGREGOR, f"there is no own Egregor in place {place}", place=place)
    return IllegalAction(Reason.NO_SUCH_EGREGOR, f"seat {seat} has no Egregor in place {place}", seat=seat, place=place)


# -- drawing ---------------------------------------


def _take_altar(asked: Asked, type_: int) -> IllegalAction:
    return _other_colour(asked, type_) or _no_rune(type_, "on the altar")


def _take_bag(asked: Asked) -> IllegalAction:
    colour = asked.frame[2] if asked.state.pending else ANY
    if colour != ANY:
        return IllegalAction(Reason.OTHER_COLOUR, f"the power asks for {_name(colour)}", wanted=_name(colour))
    return IllegalAction(Reason.BAG_EMPTY, "the bag is empty")


def _search_bag(asked: Asked, type_: int) -> IllegalAction:
    return _other_colour(asked, type_) or IllegalAction(
        Reason.ALTAR_FIRST, f"the altar has a {_name(type_)} rune", rune=_name(type_)
    )


def _other_colour(asked: Asked, type_: int) -> IllegalAction | None:
    colour = asked.frame[2] if asked.state.pending else ANY
    if colour in (ANY, type_):
        return None
    return IllegalAction(
        Reason.OTHER_COLOUR, f"the power asks for {_name(colour)}, not for {_name(type_)}", wanted=_name(colour)
    )


def _stop(asked: Asked) -> IllegalAction:
    return IllegalAction(Reason.COMPULSORY, "all of it must be taken")


# -- gaining ---------------------------------------


def _summon(asked: Asked, slot: int) -> IllegalAction:
    if asked.values["gain_used"]:
        return IllegalAction(Reason.ALREADY_GAINED, "an Egregor has been gained in this turn")
    if asked.state.gallery_card(slot) is None:
        return IllegalAction(Reason.NO_SUCH_CARD, f"the gallery has no card in slot {slot}", slot=slot)
    return IllegalAction(Reason.NO_BATCH, "the pyramid holds no coloured rune")


def _capture(asked: Asked, seat: int, place: int) -> IllegalAction:
    values = asked.values
    if values["gain_used"]:
        return IllegalAction(Reason.ALREADY_GAINED, "an Egregor has been gained in this turn")
    if values["announcer"] >= 0 and not asked.state.game.options.final_turn_capture:
        return IllegalAction(Reason.FINAL_ROUND, "there are no captures in the final round")
    target = asked.opposing(seat, place)
    if target is None:
        return _no_egregor(place, seat)
    name, owner, load = asked.card(target["card"]).name, values["players"][seat], sum(target["load"])
    if seat == asked.seat:
        return IllegalAction(Reason.OWN_EGREGOR, f"{name} is an own Egregor", card=name)
    if len(owner["row"]) < 2:
        return IllegalAction(Reason.TARGET_ONLY_ONE, f"{name} is the only Egregor of seat {seat}", card=name)
    if owner["lost"]:
        return IllegalAction(
            Reason.TARGET_LOST_ONE, f"seat {seat} has lost an Egregor since its last turn", seat=seat, card=name
        )
    if owner["mask"] == place:
        return IllegalAction(Reason.TARGET_MASKED, f"{name} is under the Mask of seat {seat}", card=name)
    if load >= FULL:
        return IllegalAction(Reason.TARGET_FULL, f"{name} carries 10 runes", card=name)
    colours = "one colour" if asked.limit(target["card"]) == 1 else "two colours"
    return IllegalAction(
        Reason.NO_BATCH, f"the pyramid holds no {load + 1} runes of {colours} for {name}", card=name, needed=load + 1
    )


def _add(asked: Asked, type_: int) -> IllegalAction:
    if type_ == BLACK:
        return IllegalAction(Reason.BLACK_NOT_OWN, "a batch has no black rune")
    batch, seat, place = asked.values["batch"], asked.values["batch_seat"], asked.values["batch_index"]
    if type_ >= BLACK or asked.own["pyramid"][type_] <= batch[type_]:
        return _no_rune(type_, "left in the pyramid")
    if sum(batch) >= FULL:
        return IllegalAction(Reason.BATCH_FULL, "the batch has 10 runes")
    target = asked.opposing(seat, place)
    limit = asked.limit(asked.values["gallery"][place] if target is None else target["card"])
    if not batch[type_] and sum(count > 0 for count in batch) >= limit:
        return _too_many_colours(limit)
    return IllegalAction(
        Reason.DEAD_END,
        f"with a {_name(type_)} rune the batch could not become large enough",
        rune=_name(type_),
        needed=_needed(asked),
    )


def _needed(asked: Asked) -> int:
    target = asked.opposing(asked.values["batch_seat"], asked.values["batch_index"])
    return 1 if target is None else sum(target["load"]) + 1


def _confirm(asked: Asked) -> IllegalAction:
    size, needed = sum(asked.values["batch"]), _needed(asked)
    return IllegalAction(Reason.TOO_FEW, f"the batch has {size} runes of {needed} at least", needed=needed)


def _too_many_colours(limit: int) -> IllegalAction:
    message = "a Primitive takes one colour" if limit == 1 else "an Egregor takes two colours at most"
    return IllegalAction(Reason.TOO_MANY_COLOURS, message, limit=limit)


# -- placing ---------------------------------------


def _no_room(asked: Asked, egregor: dict[str, Any], type_: int) -> IllegalAction | None:
    """Why a coloured rune does not fit on an own Egregor."""
    name, limit = asked.card(egregor["card"]).name, asked.limit(egregor["card"])
    if sum(egregor["load"]) >= FULL:
        return IllegalAction(Reason.EGREGOR_FULL, f"{name} carries 10 runes", card=name)
    if not egregor["load"][type_] and sum(count > 0 for count in egregor["load"][:BLACK]) >= limit:
        return _too_many_colours(limit)
    return None


def _place(asked: Asked, type_: int) -> IllegalAction:
    if type_ == BLACK:
        return IllegalAction(Reason.BLACK_NOT_OWN, "a black rune goes on opposing Egregors only")
    if type_ > BLACK or not asked.own["pyramid"][type_]:
        return _no_rune(type_, "in the pyramid")
    return _nowhere(asked, type_)


def _nowhere(asked: Asked, type_: int) -> IllegalAction:
    """Why no own Egregor takes a coloured rune; the closest reason, of one that is not full if there is one."""
    row = asked.own["row"]
    found = [fault for egregor in row if (fault := _no_room(asked, egregor, type_))]
    found.sort(key=lambda fault: fault.reason == Reason.EGREGOR_FULL)
    return found[0] if found else IllegalAction(Reason.NO_SUCH_EGREGOR, "there is no own Egregor to place a rune on")


def _target(asked: Asked, place: int) -> IllegalAction:
    return _on(asked, place, asked.frame[1])


def _on(asked: Asked, place: int, type_: int) -> IllegalAction:
    egregor = asked.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    return _no_room(asked, egregor, type_) or _no_second(asked, egregor)


def _no_second(asked: Asked, egregor: dict[str, Any]) -> IllegalAction:
    name = asked.card(egregor["card"]).name
    return IllegalAction(Reason.EGREGOR_FULL, f"with one green on {name} there is no room for the other", card=name)


def _pair(asked: Asked) -> IllegalAction:
    if asked.state.game.options.green_pairing == "consecutive":
        return IllegalAction(Reason.NO_PAIRS, "greens are placed one after the other here")
    greens = asked.own["pyramid"][GREEN]
    if greens < 2:
        return IllegalAction(Reason.NO_SUCH_RUNE, "there are no two green runes in the pyramid", rune="green")
    fits = [egregor for egregor in asked.own["row"] if _no_room(asked, egregor, GREEN) is None]
    return _no_second(asked, fits[0]) if fits else _nowhere(asked, GREEN)


def _pair_place(asked: Asked, place: int) -> IllegalAction:
    return _on(asked, place, GREEN)


# -- blacks ---------------------------------------


def _place_black(asked: Asked) -> IllegalAction:
    if not asked.own["pyramid"][BLACK]:
        return _no_rune(BLACK, "in the pyramid")
    return IllegalAction(Reason.NOTHING_TO_TAKE, "no opposing Egregor carries what a black could take")


def _black_target(asked: Asked, seat: int, place: int) -> IllegalAction:
    target = asked.opposing(seat, place)
    if target is None:
        return _no_egregor(place, seat)
    name = asked.card(target["card"]).name
    if seat == asked.seat:
        return IllegalAction(Reason.OWN_EGREGOR, f"{name} is an own Egregor", card=name)
    if target["load"][WHITE] >= 2:
        return IllegalAction(Reason.PROTECTED_BY_WHITE, f"the white runes on {name} keep blacks away", card=name)
    return IllegalAction(Reason.NOTHING_TO_TAKE, f"{name} carries nothing that a black could take", card=name)


def _black_take(asked: Asked, type_: int) -> IllegalAction:
    target = asked.opposing(asked.frame[1], asked.frame[2])
    assert target is not None
    if type_ > BLACK or not target["load"][type_]:
        return _no_rune(type_, f"on {asked.card(target['card']).name}")
    if type_ == WHITE:
        return IllegalAction(Reason.PROTECTED_BY_WHITE, "a black cannot take a white rune")
    return IllegalAction(Reason.BLACK_FOR_BLACK, "a black cannot take this black rune")


# -- disowning, the Mask, powers, the end ---------------------------------------


def _disown(asked: Asked, place: int) -> IllegalAction:
    if not asked.values["gain_used"]:
        return IllegalAction(Reason.NOT_GAINED_YET, "nothing is disowned before an Egregor has been gained")
    egregor = asked.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    if egregor["gained"]:
        name = asked.card(egregor["card"]).name
        return IllegalAction(Reason.JUST_GAINED, f"{name} was gained in this turn", card=name)
    return IllegalAction(Reason.ALREADY_DISOWNED, "an Egregor has been disowned in this turn")


def _mask(asked: Asked, place: int) -> IllegalAction:
    egregor = asked.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    card = asked.card(egregor["card"])
    if card.renegade:
        return IllegalAction(Reason.MASK_ON_RENEGADE, f"{card.name} is a Renegade", card=card.name)
    if asked.own["mask"] == place:
        return IllegalAction(Reason.MASK_THERE, f"the Mask is on {card.name} already", card=card.name)
    return IllegalAction(Reason.MASK_MOVED, "the Mask has been moved already")


def _use_book(asked: Asked, place: int, power: int) -> IllegalAction:
    egregor = asked.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    card = asked.card(egregor["card"])
    if power >= len(card.powers) or card.powers[power].trigger != "book":
        return IllegalAction(
            Reason.NO_SUCH_POWER, f"{card.name} has no book power {power}", card=card.name, power=power
        )
    if egregor["used"] >> power & 1:
        return IllegalAction(
            Reason.POWER_USED, f"the power of {card.name} has been used in this turn", card=card.name, power=power
        )
    return IllegalAction(
        Reason.POWER_IDLE, f"the power of {card.name} could do nothing now", card=card.name, power=power
    )


def _end_main(asked: Asked) -> IllegalAction:
    return IllegalAction(Reason.TOO_MANY_EGREGORS, "one of five Egregors must be disowned first")


# -- what powers ask for ---------------------------------------


def _arcana(asked: Asked, stack: int) -> IllegalAction:
    return IllegalAction(Reason.NO_SUCH_STACK, f"no token is visible on stack {stack}", stack=stack)


def _recover(asked: Asked, type_: int) -> IllegalAction:
    return _no_rune(type_, "left on the lost Egregor")


def _cycle(asked: Asked, place: int, type_: int) -> IllegalAction:
    egregor = asked.egregor(place)
    if egregor is None:
        return _no_egregor(place)
    return _other_colour(asked, type_) or _no_rune(type_, f"on {asked.card(egregor['card']).name}")


def _key_take(asked: Asked, number: int) -> IllegalAction:
    if number not in asked.values["looked"]:
        return IllegalAction(Reason.NO_SUCH_CARD, "the card is not among those that are looked at", number=number)
    card = asked.card(number)
    if card.key:
        return IllegalAction(Reason.IS_A_KEY, f"{card.name} is a Key", card=card.name)
    return _too_many_colours(1)


def _key_place(asked: Asked, place: int) -> IllegalAction:
    if not asked.values["keys"] >> place & 1:
        return IllegalAction(Reason.NO_SUCH_EGREGOR, f"there is no Key to be replaced in place {place}", place=place)
    return _too_many_colours(1)


EXPLAIN: dict[Verb, Callable[..., IllegalAction]] = {
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
"""By verb; the arguments are those of the code. PULL, DECLINE and KEY_NONE are legal wherever they fit."""
