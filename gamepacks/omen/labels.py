"""The label of an action code, and names of seats and Cities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.omen import codes
from gamepacks.omen.cards.compiler import CardFace
from gamepacks.omen.cards.files import OmegaUnit, TraitsUnit
from gamepacks.omen.cards.program import EffectKind, NameKind
from gamepacks.omen.codes import BOOK, Trigger
from gamepacks.omen.v1.omen_enums import Benefit, Mode, Trait, UnitType, Zone

if TYPE_CHECKING:
    from gamepacks.omen.engine.rules import OmenState
    from gamepacks.omen.game import OmenGame

CITY_NAMES = ("left", "middle", "right")
"""Names of the Cities of a game with three."""
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
    codes.PRIZE: "{} is the top prize",
    codes.WHIM: "{} is taken",
    codes.DEALT: "{} is dealt",
    codes.RANDOM: "{} is picked at random",
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
_EFFECT_LABELS: dict[tuple[int | None, int | None], str] = {
    (EffectKind.DISCARD, None): "Discard {}",
    (EffectKind.PUT, Zone.HAND): "Put {} into the hand",
    (EffectKind.PUT, Zone.DECK_TOP): "Put {} on top of the deck",
    (EffectKind.PUT, Zone.DECK_BOTTOM): "Put {} at the bottom of the deck",
    (EffectKind.PUT, Zone.DISCARD): "Discard {}",
    (EffectKind.PUT, Zone.USED): "Lay {} face down",
    (EffectKind.PUT, Zone.OUT): "Take {} out of the game",
    (EffectKind.PUT, Zone.PRIZE): "Put {} back on the City",
    (EffectKind.DEPLOY, None): "Put {} into a City",
    (EffectKind.DESTROY, None): "Destroy {}",
    (EffectKind.RETURN, Zone.HAND): "Return {} to the hand",
    (EffectKind.RETURN, Zone.DECK_TOP): "Return {} to the top of the deck",
    (EffectKind.RETURN, Zone.DECK_BOTTOM): "Return {} to the bottom of the deck",
    (EffectKind.MOVE, None): "Move {}",
    (EffectKind.SEIZE, None): "Seize {}",
    (EffectKind.GIVE, None): "Give {} away",
    (EffectKind.SWAP, None): "Swap {}",
    (EffectKind.ENRAGE, None): "Enrage {}",
    (EffectKind.UNRAGE, None): "Turn {} face up",
    (EffectKind.RUN, None): "Carry out {}",
    (EffectKind.READY_PRIZE, None): "Take {} back to the hand",
    (EffectKind.SHED_PRIZE, None): "Lay {} face down",
    (EffectKind.CLAIM, None): "Claim {}",
    (EffectKind.REVEAL, None): "Reveal {}",
}
"""Labels of picking a card, by effect and target zone."""
_TO_CITY: dict[int | None, str] = {
    None: "Play {} to",
    EffectKind.MOVE: "Move {} to",
    EffectKind.DEPLOY: "Put {} into",
    EffectKind.RELIC: "Place {} in",
}
"""Beginnings of the label of a City, by the effect that puts a card there (None: a Unit is played)."""
_TRAITS = ("JILT", "FATE", "RECRUIT", "PILFER")
"""Traits that let a card be used from the hand."""
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
    """The name of a City: ``the left City``."""
    return f"the {CITY_NAMES[city]} City" if cities == 3 else f"City {city + 1}"


def seat_name(seat: int) -> str:
    """The name of a seat: ``seat 0``, which RULES.md calls A; front ends replace it by the player's name."""
    return f"seat {seat}"


def label(state: OmenState, code: int) -> str:
    """Returns the label of a code that is legal in ``state``."""
    game: OmenGame[Any, Any] = state.game
    verb = BOOK.verb(code)
    if verb in _PLAIN:
        return _PLAIN[verb]
    arguments = verb.unpack(code)
    if verb is codes.DRAWN and (seen := state.peek_viewers()) >= 0:
        return _peek_label(game.names[arguments[0]], seen)
    if verb in _CARDS:
        return _CARDS[verb].format(game.names[arguments[0]]) + _copy_number(arguments[1:])
    if verb is codes.SURGE:
        return _surge_label(game.compiled.faces[arguments[0]]) + _copy_number(arguments[1:])
    if verb is codes.CARD:
        return _effect_label(state).format(game.names[arguments[0]]) + _copy_number(arguments[1:])
    if verb in _UNITS or verb is codes.UNIT:
        seat, city, card, nth = arguments
        where = city_name(game.config.cities, city)
        deed = _UNITS.get(verb) or _effect_label(state)
        return deed.format(f"{game.names[card]} of {seat_name(seat)} in {where}{_copy_number((nth,))}")
    source = state.source()
    name = "the card" if source is None else game.names[source]
    if verb in (codes.DO, codes.SKIP):
        return _may_label(state, name, do=verb is codes.DO)
    number = arguments[0]
    if verb in (codes.WEALTH, codes.SPLIT):
        return _BENEFITS[Benefit(number)]
    if verb is codes.MODE:
        return _MODES[Mode(number)].format(name)
    if verb is codes.CITY:
        return _to_city(game, state, city_name(game.config.cities, number))
    if verb is codes.WAR_CITY:
        return f"Resolve {city_name(game.config.cities, number)}"
    if verb is codes.FIRST:
        return f"{capital(seat_name(number))} begins"
    if verb is codes.ROLL:
        return f"{number} is rolled"
    if verb is codes.KEEP:
        kept = [game.names[card] for place, card in enumerate(state.keep_candidates()) if number >> place & 1]
        where = city_name(game.config.cities, state.war_city() or 0)
        return f"Keep {' and '.join(kept) or 'none'} in {where}"
    if verb is codes.SPIRIT:
        return f"{name}: ability {'ab'[number]}"
    if verb is codes.CHOOSE:
        return capital(state.choice_labels()[number])
    if verb is codes.ORDER:
        trigger, card, _ = state.queued_triggers()[number]
        what = "its ability" if trigger in (Trigger.ABILITY, Trigger.SPIRIT) else Trigger(trigger).name
        return f"Next: {game.names[card]}, {what}"
    if verb is codes.NAME:
        return capital(_name_label(state, number))
    return str(number)


def _surge_label(face: CardFace) -> str:
    # By the kind of card alone: what its holder can do with it now may depend on hidden cards.
    name, card = face.card.name, face.card
    ways = ["play"]
    if isinstance(card, OmegaUnit):
        ways += {"beast": ["use"], "spirit": ["invoke"], "hero": ["use"]}.get(card.type, [])
    elif isinstance(card, TraitsUnit):
        ways += [trait for trait in _TRAITS if trait in card.traits]
    else:
        return f"Use {name}"
    return f"Play {name}" if len(ways) == 1 else f"Choose {name} ({', '.join(ways)})"


def _effect_label(state: OmenState) -> str:
    deed = state.chosen_effect()
    return _EFFECT_LABELS.get(deed[:2], "Choose {}") if deed is not None else "Choose {}"


def _may_label(state: OmenState, name: str, *, do: bool) -> str:
    deed = state.chosen_effect()
    effect = None if deed is None else deed[0]
    if effect == EffectKind.DRAW:
        return "Draw a Unit" if do else "Draw no more"
    if effect == EffectKind.PAY:
        return f"Pay for {name}" if do else f"Do not pay for {name}"
    if not do:
        return f"Do not use {name}"
    effects = [said for op, to in state.optional_effects() if (said := _optional_effect(op, to))]
    return f"Use {name}: {', '.join(dict.fromkeys(effects))}" if effects else f"Use {name}"


_PLAIN_EFFECTS: dict[int, str] = {
    EffectKind.DRAW: "draw",
    EffectKind.COINS: "gain coins",
    EffectKind.LOSE_COINS: "lose coins",
    EffectKind.TAKE_COINS: "take coins",
    EffectKind.SHUFFLE: "shuffle the deck",
    EffectKind.TAKE_PRIZE: "take a prize",
}
"""Descriptions of effects without a pick."""


def _optional_effect(op: int, to: int | None) -> str:
    """Description of an optional effect before its cards are picked: ``discard a card``; empty for other effects."""
    deed = _EFFECT_LABELS.get((op, to), "")
    thing = "a Unit" if op in _UNIT_EFFECTS else "a card"
    return _PLAIN_EFFECTS.get(op) or (deed[:1].lower() + deed[1:].format(thing) if deed else "")


_UNIT_EFFECTS = frozenset({
    EffectKind.DEPLOY, EffectKind.DESTROY, EffectKind.RETURN, EffectKind.MOVE, EffectKind.SEIZE, EffectKind.GIVE,
    EffectKind.SWAP, EffectKind.ENRAGE, EffectKind.UNRAGE,
})  # fmt: skip


def _peek_label(name: str, seen: int) -> str:
    """Label of a Unit of the deck that is not drawn, by the viewers who see it."""
    if seen & 3 == 3:
        return f"{name} is revealed"
    seats = " and ".join(seat_name(seat) for seat in range(2) if seen >> seat & 1)
    return f"{capital(seats)} looks at {name}" if seats else f"{name} is next in the deck"


def _to_city(game: OmenGame, state: OmenState, city: str) -> str:  # type: ignore[type-arg]
    deed = state.chosen_effect()
    if deed is None or deed[2] is None:
        said: dict[int | None, str] = {EffectKind.TAKE_PRIZE: "Take the prize of", EffectKind.RESOLVE: "Resolve"}
        return f"{said.get(deed[0], 'Choose') if deed else 'Choose'} {city}"
    return f"{_TO_CITY[deed[0]].format(game.names[deed[2]])} {city}"


def _name_label(state: OmenState, number: int) -> str:
    what = state.named_kind()
    if what == NameKind.TYPE:
        return UnitType(number).name.lower()
    if what == NameKind.TRAIT:
        return Trait(number).name
    return seat_name(number) if what == NameKind.SEAT else str(number)


def _copy_number(nth: tuple[int, ...]) -> str:
    return f" (number {nth[0] + 1})" if nth and nth[0] else ""


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
