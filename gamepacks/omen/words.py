"""Action codes of Omen as messages, and back, and in words for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.api.types import Code
from gamepacks.omen import codes
from gamepacks.omen.codes import BOOK, Benefit, Mode, Reason, Trigger
from gamepacks.omen.program import Name, Trait, UnitType
from gamepacks.omen.v1 import omen_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omen.game import OmenGame
    from gamepacks.omen.state import OmenState

_VERBS: dict[str, Verb] = {verb.name.lower(): verb for verb in BOOK.verbs}
"""Verbs by the names of their fields in the action message."""
_NUMBERS = ("which", "option", "n", "number")
"""Fields of verbs that are plain numbers."""


# -- messages ----------------------------------------------------------------------------------------------------------


def action_message(game: OmenGame, code: int) -> pb.Action:  # type: ignore[type-arg]
    """The message of a code. Raises ValueError for a number that is no code."""
    verb = BOOK.verb(code)
    values = dict(zip(verb.fields, verb.unpack(code), strict=True))
    action = pb.Action()
    given = getattr(action, verb.name.lower())
    given.SetInParent()
    for name, value in values.items():
        if name == "card":
            given.card = game.compiled.faces[value].id
        elif name in ("benefit", "mode"):
            setattr(given, name, value + 1)
        elif name == "units":
            given.units.extend(place for place in range(24) if value >> place & 1)
        elif name in _NUMBERS:
            given.number = value
        else:
            setattr(given, name, value)
    return action


def action_code(game: OmenGame, action: pb.Action) -> Code:  # type: ignore[type-arg]
    """The code that a message stands for; whether it is legal is another question. Raises IllegalAction."""
    kind = action.WhichOneof("action")
    if kind is None:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "action is not set", field="action")
    verb, given = _VERBS[kind], getattr(action, kind)
    arguments = []
    for name in verb.fields:
        if name == "card":
            arguments.append(_card(game, given.card))
        elif name in ("benefit", "mode"):
            number = getattr(given, name)
            if number == 0:
                raise IllegalAction(Reason.INCOMPLETE_ACTION, f"{name} is not set", field=name)
            arguments.append(number - 1)
        elif name == "units":
            arguments.append(_mask(given.units))
        elif name in _NUMBERS:
            arguments.append(given.number)
        else:
            arguments.append(getattr(given, name))
    if not verb.fits(*arguments):
        raise IllegalAction(Reason.NOT_AN_OPTION, f"{kind}: a number is out of its range")
    return verb(*arguments)


def _card(game: OmenGame, name: str) -> int:  # type: ignore[type-arg]
    if not name:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "card is not set", field="card")
    index = game.compiled.index(name)
    if index is None:
        raise IllegalAction(Reason.UNKNOWN_CARD, "no card of the set has that id")
    return index


def _mask(places: list[int]) -> int:
    mask = 0
    for place in places:
        if not 0 <= place < 24 or mask >> place & 1:
            raise IllegalAction(Reason.NOT_AN_OPTION, "units: places from 0, each once")
        mask |= 1 << place
    return mask


# -- words -------------------------------------------------------------------------------------------------------------

_THREE = ("left", "middle", "right")
_BENEFITS = {Benefit.DRAW: "Draw a Unit", Benefit.COIN: "Take a coin"}
_PLAIN = {
    codes.WHIM_DRAW: "Take a Whim",
    codes.WHIM_STOP: "Take no more Whims",
    codes.WHIM_KEEP: "Pass no Whim",
    codes.SURGE_END: "End Surge",
    codes.FEAT_DONE: "Claim no more Feats",
    codes.ROTATE_NONE: "Take no Relic",
    codes.CHALLENGE_NONE: "Take no Challenge",
    codes.OFFER_NONE: "Offer nothing",
    codes.STOP: "No more",
    codes.FATE_DRAW: "Draw a Unit",
    codes.DO: "Do it",
    codes.SKIP: "Leave it",
    codes.PASS: "Pass",
}
_CARDS = {
    codes.DRAWN: "{} is drawn",
    codes.PRIZE: "{} lies on top",
    codes.WHIM: "{} is taken",
    codes.DEALT: "{} is dealt",
    codes.RANDOM: "{} is hit at random",
    codes.EMISSARY: "Send {} as Emissary",
    codes.PASS_ON: "Pass {} on",
    codes.PICK: "Pick {}",
    codes.WHIM_PASS: "Pass the Whim {}",
    codes.SURGE: "Choose {}",
    codes.FEAT: "Claim the Feat {}",
    codes.ROTATE: "Rotate the Feat {}",
    codes.RELIC: "Take the Relic {}",
    codes.CHALLENGE: "Take the Challenge {}",
    codes.OFFER: "Offer {}",
    codes.LIMIT: "Give up {}",
    codes.CARD: "Choose {}",
    codes.ACT: "Use {}",
    codes.REACT: "React with {}",
}
_UNITS = {codes.PORTENT: "Use", codes.TRIUMPH: "Lead to triumph", codes.UNIT: "Choose"}
_MODES = {
    Mode.PLAY: "Play {} into a City",
    Mode.ABILITY: "Use {} from the hand",
    Mode.INVOKE: "Invoke {}",
    Mode.USE: "Use {}",
    Mode.FATE: "Discard {} for FATE",
    Mode.RECRUIT: "Discard {} for RECRUIT",
    Mode.PILFER: "Discard {} for PILFER",
}


def city_name(cities: int, city: int) -> str:
    """A City in words: ``the left City``."""
    return f"the {_THREE[city]} City" if cities == 3 else f"City {city + 1}"


def seat_name(seat: int) -> str:
    """A seat in words: ``seat A``."""
    return f"seat {'AB'[seat]}"


def label(game: OmenGame, state: OmenState, code: int) -> str:  # type: ignore[type-arg]
    """A code that is legal in ``state``, in English."""
    verb = BOOK.verb(code)
    if verb in _PLAIN:
        return _PLAIN[verb]
    arguments = verb.unpack(code)
    if verb in _CARDS:
        return _CARDS[verb].format(game.names[arguments[0]]) + _other(arguments[1:])
    if verb in _UNITS:
        seat, city, card, nth = arguments
        owner = "own" if seat == state.ask[1] else "opposing"
        where = city_name(game.rules.cities, city)
        return f"{_UNITS[verb]} the {owner} {game.names[card]} in {where}{_other((nth,))}"
    source = state.source()
    name = "the card" if source is None else game.names[source]
    number = arguments[0]
    if verb in (codes.WEALTH, codes.SPLIT):
        return _BENEFITS[Benefit(number)]
    if verb is codes.MODE:
        return _MODES[Mode(number)].format(name)
    if verb is codes.CITY:
        return f"{name} to {city_name(game.rules.cities, number)}"
    if verb is codes.WAR_CITY:
        return f"Resolve {city_name(game.rules.cities, number)}"
    if verb is codes.FIRST:
        return f"{capital(seat_name(number))} begins"
    if verb is codes.KEEP:
        kept = [game.names[card] for place, card in enumerate(state.keepers()) if number >> place & 1]
        return f"Keep {' and '.join(kept)}" if kept else "Keep none"
    if verb is codes.SPIRIT:
        return f"{name}: ability {'ab'[number]}"
    if verb is codes.CHOOSE:
        return capital(state.choices()[number])
    if verb is codes.ORDER:
        trigger, card, _ = state.triggers()[number]
        what = "its ability" if trigger in (Trigger.ABILITY, Trigger.SPIRIT) else Trigger(trigger).name
        return f"Next: {game.names[card]}, {what}"
    if verb is codes.NAME:
        return capital(_named(state, number))
    return str(number)


def _named(state: OmenState, number: int) -> str:
    what = state.naming()
    if what == Name.TYPE:
        return UnitType(number).name.lower()
    if what == Name.TRAIT:
        return Trait(number).name
    return seat_name(number) if what == Name.SEAT else str(number)


def _other(nth: tuple[int, ...]) -> str:
    return f" (number {nth[0] + 1})" if nth and nth[0] else ""


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
