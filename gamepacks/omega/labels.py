"""The text of action codes, powers and runes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamepacks.omega import codes
from gamepacks.omega.cards import Power
from gamepacks.omega.codes import BOOK, TYPE_NAMES
from gamepacks.omega.engine.rules import OmegaState

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


def power_text(power: Power) -> str:
    """A power as text: ``draw 2 runes, then advance 1``."""
    parts = []
    for effect in power.effects:
        colour = getattr(effect, "color", None)
        runes = f"{effect.n} {colour + ' ' if colour else ''}rune{'s' if effect.n > 1 else ''}"
        parts.append(
            {
                "advance": f"advance {effect.n}",
                "draw": f"draw {runes}",
                "cycle": f"take {runes} back from your Egregors",
                "key": f"look at {effect.n} card{'s' if effect.n > 1 else ''} that may replace it",
            }[effect.op]
        )
    return ", then ".join(parts)


def runes_text(load: Sequence[int]) -> str:
    """Runes as text: ``3 red, 1 black``."""
    return ", ".join(f"{count} {name}" for count, name in zip(load, TYPE_NAMES, strict=True) if count) or "no runes"


def label(state: OmegaState, code: int) -> str:
    """Returns the label of a code that is legal in ``state``. Raises ValueError for a number that is not a code."""
    game: Omega = state.game
    verb = BOOK.verb(code)
    arguments = verb.unpack(code)
    name = verb.name
    if "type" in verb.fields:
        rune = TYPE_NAMES[arguments[-1]] if arguments[-1] < 6 else str(arguments[-1])
        return _rune_label(game, state, name, rune, arguments[0])
    if verb in (codes.GALLERY_CARD, codes.LOOK, codes.KEY_TAKE):
        effects = {"GALLERY_CARD": "is laid out in the gallery", "LOOK": "is looked at", "KEY_TAKE": "replaces a Key"}
        return f"{_card(game, arguments[0])} {effects[name]}"
    if name == "FLIP":
        token = game.cards.arcana[arguments[0]]
        return f"{token.title} ({token.id}) is turned up"
    if name == "START_PLAYER":
        return f"Seat {arguments[0]} begins"
    if name == "SUMMON":
        return f"Summon {_card(game, state.gallery_card(arguments[0]))}"
    if name in ("CAPTURE", "BLACK_TARGET"):
        seat, place = arguments
        what = f"{_card(game, state.card_at(seat, place))} of seat {seat}"
        return f"Capture {what}" if name == "CAPTURE" else f"Place the black rune on {what}"
    if name == "ARCANA":
        token_number = state.token_at(arguments[0])
        title = "nothing" if token_number is None else game.cards.arcana[token_number].title
        return f"Take {title} from stack {arguments[0] + 1}"
    if "place" in verb.fields:
        return _place_label(game, state, name, arguments)
    return _PLAIN[name]


def _rune_label(game: Omega, state: OmegaState, name: str, rune: str, first: int) -> str:
    if name == "CYCLE":
        return f"Take a {rune} rune back from {_card(game, state.card_at(state.active, first))}"
    return {
        "ALTAR_RUNE": f"A {rune} rune is placed on the altar",
        "DEAL": f"A {rune} rune is dealt",
        "BAG_RUNE": f"A {rune} rune is drawn from the bag",
        "TAKE_ALTAR": f"Take a {rune} rune from the altar",
        "SEARCH_BAG": f"Search the bag for a {rune} rune",
        "PLACE": f"Place a {rune} rune",
        "ADD": f"Add a {rune} rune to the batch",
        "BLACK_TAKE": f"Take a {rune} rune with the black rune",
        "RECOVER": f"Recover a {rune} rune",
    }[name]


def _place_label(game: Omega, state: OmegaState, name: str, arguments: tuple[int, ...]) -> str:
    number = state.card_at(state.active, arguments[0])
    card = _card(game, number)
    if name == "USE_BOOK":
        powers = () if number is None else game.cards.egregors[number].powers
        text = power_text(powers[arguments[1]]) if arguments[1] < len(powers) else "no power"
        return f"Use {card}, power {arguments[1] + 1}: {text}"
    return {
        "DISOWN": f"Disown {card}",
        "MASK": f"Put the Mask on {card}",
        "TARGET": f"Place the rune on {card}",
        "PAIR_FIRST": f"Place the first green rune on {card}",
        "PAIR_SECOND": f"Place the second green rune on {card}",
        "KEY_PLACE": f"Replace {card}",
    }[name]


_PLAIN = {
    "TAKE_BAG": "Draw a rune from the bag",
    "STOP": "Take no more",
    "PLACE_BLACK": "Place a black rune on an opposing Egregor",
    "PAIR": "Place two green runes at once",
    "END_MAIN": "End the main phase",
    "CONFIRM": "Confirm the batch",
    "PULL": "Pull a red rune from the altar",
    "DECLINE": "Leave the red rune on the altar",
    "KEY_NONE": "Replace no Key",
}


def _card(game: Omega, card: int | None) -> str:
    if card is None or not 0 <= card < len(game.cards.egregors):
        return "an empty place"
    return game.cards.egregors[card].name
