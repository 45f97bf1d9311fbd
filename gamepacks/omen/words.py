"""Action codes of Omen as messages, and back, and in words for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.api.types import Code
from gamepacks.omen import codes
from gamepacks.omen.cards.compiler import CardFace
from gamepacks.omen.cards.files import OmegaUnit, TraitsUnit
from gamepacks.omen.cards.program import Effect, Name, Trait, UnitType, Zone
from gamepacks.omen.codes import BOOK, Benefit, Mode, Reason, Trigger
from gamepacks.omen.v1 import omen_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omen.engine.state import OmenState
    from gamepacks.omen.game import OmenGame

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
    codes.FEAT: "Claim the Feat {}",
    codes.ROTATE: "Rotate the Feat {}",
    codes.RELIC: "Take the Relic {}",
    codes.CHALLENGE: "Take the Challenge {}",
    codes.OFFER: "Offer {}",
    codes.LIMIT: "Give up {}",
    codes.ACT: "Use {}",
    codes.REACT: "React with {}",
}
_UNITS = {codes.PORTENT: "Use {}", codes.TRIUMPH: "Lead {} to triumph"}
_DEEDS: dict[tuple[int | None, int | None], str] = {
    (Effect.DISCARD, None): "Discard {}",
    (Effect.PUT, Zone.HAND): "Put {} into the hand",
    (Effect.PUT, Zone.DECK_TOP): "Put {} on the deck",
    (Effect.PUT, Zone.DECK_BOTTOM): "Put {} under the deck",
    (Effect.PUT, Zone.DISCARD): "Discard {}",
    (Effect.PUT, Zone.USED): "Lay {} face down",
    (Effect.PUT, Zone.OUT): "Take {} out of the game",
    (Effect.PUT, Zone.PRIZE): "Put {} back on the City",
    (Effect.DEPLOY, None): "Put {} into a City",
    (Effect.DESTROY, None): "Destroy {}",
    (Effect.RETURN, Zone.HAND): "Return {} to the hand",
    (Effect.RETURN, Zone.DECK_TOP): "Return {} to the deck",
    (Effect.RETURN, Zone.DECK_BOTTOM): "Return {} under the deck",
    (Effect.MOVE, None): "Move {}",
    (Effect.SEIZE, None): "Seize {}",
    (Effect.GIVE, None): "Give {} away",
    (Effect.SWAP, None): "Swap {}",
    (Effect.ENRAGE, None): "Enrage {}",
    (Effect.UNRAGE, None): "Turn {} up",
    (Effect.RUN, None): "Carry out {}",
    (Effect.READY_PRIZE, None): "Take {} back to the hand",
    (Effect.SHED_PRIZE, None): "Lay {} face down",
    (Effect.CLAIM, None): "Claim {}",
    (Effect.REVEAL, None): "Reveal {}",
}
"""What an effect does to the card that is picked for it."""
_PLACINGS: dict[int | None, str] = {
    None: "Play {} to",
    Effect.MOVE: "Move {} to",
    Effect.DEPLOY: "Put {} into",
    Effect.RELIC: "Place {} in",
}
"""What is done to a card that goes to a City."""
_TRAITS = ("JILT", "FATE", "RECRUIT", "PILFER")
"""Traits that a card is used for from the hand."""
_MODES = {
    Mode.PLAY: "Play {}",
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
    """A seat in words: ``seat 0``, which RULES.md calls A; front ends put the player's name there."""
    return f"seat {seat}"


def label(game: OmenGame, state: OmenState, code: int) -> str:  # type: ignore[type-arg]
    """A code that is legal in ``state``, in English."""
    verb = BOOK.verb(code)
    if verb in _PLAIN:
        return _PLAIN[verb]
    arguments = verb.unpack(code)
    if verb is codes.DRAWN and (seen := state.shown_to()) >= 0:
        return _shown(game.names[arguments[0]], seen)
    if verb in _CARDS:
        return _CARDS[verb].format(game.names[arguments[0]]) + _other(arguments[1:])
    if verb is codes.SURGE:
        return _taken_up(game.compiled.faces[arguments[0]]) + _other(arguments[1:])
    if verb is codes.CARD:
        return _deed(state).format(game.names[arguments[0]]) + _other(arguments[1:])
    if verb in _UNITS or verb is codes.UNIT:
        seat, city, card, nth = arguments
        owner = "own" if seat == state.ask[1] else "opposing"
        where = city_name(game.rules.cities, city)
        deed = _UNITS.get(verb) or _deed(state)
        return deed.format(f"the {owner} {game.names[card]} in {where}{_other((nth,))}")
    source = state.source()
    name = "the card" if source is None else game.names[source]
    if verb in (codes.DO, codes.SKIP):
        return _offer(state, name, do=verb is codes.DO)
    number = arguments[0]
    if verb in (codes.WEALTH, codes.SPLIT):
        return _BENEFITS[Benefit(number)]
    if verb is codes.MODE:
        return _MODES[Mode(number)].format(name)
    if verb is codes.CITY:
        return _to_city(game, state, city_name(game.rules.cities, number))
    if verb is codes.WAR_CITY:
        return f"Resolve {city_name(game.rules.cities, number)}"
    if verb is codes.FIRST:
        return f"{capital(seat_name(number))} begins"
    if verb is codes.ROLL:
        return f"{number} is rolled"
    if verb is codes.KEEP:
        kept = [game.names[card] for place, card in enumerate(state.keepers()) if number >> place & 1]
        where = city_name(game.rules.cities, state.at_war() or 0)
        return f"Keep {' and '.join(kept) or 'none'} in {where}"
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


def _taken_up(face: CardFace) -> str:
    # Told by the kind of card alone: what its holder can do with it now may tell of his hand.
    name, card = face.card.name, face.card
    ways = ["play"]
    if isinstance(card, OmegaUnit):
        ways += {"beast": ["use"], "spirit": ["invoke"], "hero": ["use"]}.get(card.type, [])
    elif isinstance(card, TraitsUnit):
        ways += [trait for trait in _TRAITS if trait in card.traits]
    else:
        return f"Use {name}"
    return f"Play {name}" if len(ways) == 1 else f"Take up {name} ({', '.join(ways)})"


def _deed(state: OmenState) -> str:
    deed = state.deed()
    return _DEEDS.get(deed[:2], "Choose {}") if deed is not None else "Choose {}"


def _offer(state: OmenState, name: str, *, do: bool) -> str:
    deed = state.deed()
    effect = None if deed is None else deed[0]
    if effect == Effect.DRAW:
        return "Draw a Unit" if do else "Draw no more"
    if effect == Effect.PAY:
        return f"Pay for {name}" if do else f"Do not pay for {name}"
    if not do:
        return f"Leave {name} unused"
    effects = [said for op, to in state.offered() if (said := _done(op, to))]
    return f"Use {name}: {', '.join(dict.fromkeys(effects))}" if effects else f"Use {name}"


_DONE: dict[int, str] = {
    Effect.DRAW: "draw",
    Effect.COINS: "gain coins",
    Effect.LOSE_COINS: "lose coins",
    Effect.TAKE_COINS: "take coins",
    Effect.SHUFFLE: "shuffle the deck",
    Effect.TAKE_PRIZE: "take a prize",
}
"""What an effect does that no card is picked for."""


def _done(op: int, to: int | None) -> str:
    """An effect that may be carried out, before its cards are picked: ``discard a card``; empty for the others."""
    deed = _DEEDS.get((op, to), "")
    thing = "a Unit" if op in _OF_UNITS else "a card"
    return _DONE.get(op) or (deed[:1].lower() + deed[1:].format(thing) if deed else "")


_OF_UNITS = frozenset({
    Effect.DEPLOY, Effect.DESTROY, Effect.RETURN, Effect.MOVE, Effect.SEIZE, Effect.GIVE, Effect.SWAP, Effect.ENRAGE,
    Effect.UNRAGE,
})  # fmt: skip


def _shown(name: str, seen: int) -> str:
    """A Unit of the deck that is not drawn: looked at by some, revealed to all, or known by its place alone."""
    if seen & 3 == 3:
        return f"{name} is revealed"
    seats = " and ".join(seat_name(seat) for seat in range(2) if seen >> seat & 1)
    return f"{capital(seats)} looks at {name}" if seats else f"{name} comes next in the deck"


def _to_city(game: OmenGame, state: OmenState, city: str) -> str:  # type: ignore[type-arg]
    deed = state.deed()
    if deed is None or deed[2] is None:
        said: dict[int | None, str] = {Effect.TAKE_PRIZE: "Take the prize of", Effect.RESOLVE: "Resolve"}
        return f"{said.get(deed[0], 'Choose') if deed else 'Choose'} {city}"
    return f"{_PLACINGS[deed[0]].format(game.names[deed[2]])} {city}"


def _named(state: OmenState, number: int) -> str:
    what = state.naming()
    if what == Name.TYPE:
        return UnitType(number).name.lower()
    if what == Name.TRAIT:
        return Trait(number).name
    return seat_name(number) if what == Name.SEAT else str(number)


def _other(nth: tuple[int, ...]) -> str:
    return f" (number {nth[0] + 1})" if nth and nth[0] else ""


def some(n: int, thing: str) -> str:
    """A number of things: ``1 coin``, ``3 coins``."""
    return f"{n} {thing}{'s' * (n != 1)}"


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
