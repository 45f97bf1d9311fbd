"""Cards, tokens, powers and action codes in words and as messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.api.types import Code
from gamepacks.omega import cards as data
from gamepacks.omega import codes
from gamepacks.omega.codes import BOOK, NOWHERE, TYPE_NAMES, Frame, Phase, Reason
from gamepacks.omega.engine.state import OmegaState
from gamepacks.omega.v1 import omega_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


def power_text(power: data.Power) -> str:
    """What a power does, in words."""
    parts = []
    for effect in power.effects:
        colour = getattr(effect, "color", None)
        runes = f"{effect.n} {colour + ' ' if colour else ''}rune{'s' if effect.n > 1 else ''}"
        parts.append(
            {
                "advance": f"advance {effect.n}",
                "draw": f"draw {runes}",
                "cycle": f"take {runes} back from own Egregors",
                "key": f"look at {effect.n} card{'s' if effect.n > 1 else ''} to replace it",
            }[effect.op]
        )
    return ", then ".join(parts)


def card_message(game: Omega, card: int) -> pb.Card:
    """A card, face up."""
    printed = game.cards.egregors[card]
    return pb.Card(
        card=card,
        name=printed.name,
        snake=printed.snake,
        thrust=printed.thrust,
        renegade=printed.renegade,
        primitive=printed.primitive,
        powers=[pb.Power(lightning=p.trigger == "lightning", text=power_text(p)) for p in printed.powers],
    )


def token_message(game: Omega, token: int) -> pb.Token:
    """A token, face up."""
    printed = game.cards.arcana[token]
    return pb.Token(token=token, name=printed.title, text=printed.text or "")


def runes_text(load: Any) -> str:
    """Runes by type, as 3 red, 1 black."""
    return ", ".join(f"{count} {name}" for count, name in zip(load, TYPE_NAMES, strict=True) if count) or "no runes"


# -- action messages ---------------------------------------

FIELDS: Mapping[Verb, str] = {
    verb: {"PLACE_BLACK": "place_black"}.get(verb.name, verb.name.lower()) for verb in BOOK.verbs
}
"""The field of the action message of each verb; its message has a field for each argument."""
_VERBS = {field: verb for verb, field in FIELDS.items()}


def action_message(code: int) -> pb.Action:
    """The message of a code. Raises ValueError for a number that is no code."""
    verb = BOOK.verb(code)
    action = pb.Action()
    part = getattr(action, FIELDS[verb])
    part.SetInParent()
    for name, value in zip(verb.fields, verb.unpack(code), strict=True):
        setattr(part, "rune" if name == "type" else name, value + 1 if name == "type" else value)
    return action


def action_code(action: pb.Action) -> Code:
    """The code that a message stands for. Raises IllegalAction (INCOMPLETE_ACTION) where it stands for none."""
    field = action.WhichOneof("action")
    if field is None:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "action is not set", field="action")
    verb, part = _VERBS[field], getattr(action, field)
    arguments = [part.rune - 1 if name == "type" else getattr(part, name) for name in verb.fields]
    if not verb.fits(*arguments):
        raise IllegalAction(Reason.INCOMPLETE_ACTION, f"{field} names nothing that there can be", field=field)
    return verb(*arguments)


# -- labels ---------------------------------------


def label(game: Omega, state: OmegaState, code: int) -> str:
    """A code that is legal in ``state``, in English, for a person. Raises ValueError for a number that is no code."""
    verb = BOOK.verb(code)
    arguments = verb.unpack(code)
    name = verb.name
    if "type" in verb.fields:
        rune = TYPE_NAMES[arguments[-1]] if arguments[-1] < 6 else str(arguments[-1])
        return _rune_label(game, state, name, rune, arguments[0])
    if verb in (codes.GALLERY_CARD, codes.LOOK, codes.KEY_TAKE):
        what = {"GALLERY_CARD": "comes into the gallery", "LOOK": "is looked at", "KEY_TAKE": "replaces a Key"}[name]
        return f"{_card(game, arguments[0])} {what}"
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
        return f"Capture {what}" if name == "CAPTURE" else f"Put the black on {what}"
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
        "ALTAR_RUNE": f"A {rune} rune comes on the altar",
        "DEAL": f"A {rune} rune is dealt",
        "BAG_RUNE": f"A {rune} rune is drawn from the bag",
        "TAKE_ALTAR": f"Take a {rune} rune from the altar",
        "SEARCH_BAG": f"Look for a {rune} rune in the bag",
        "PLACE": f"Place a {rune} rune",
        "ADD": f"Add a {rune} rune to the batch",
        "BLACK_TAKE": f"Take a {rune} rune with the black",
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
        "TARGET": f"Put it on {card}",
        "PAIR_FIRST": f"First green on {card}",
        "PAIR_SECOND": f"Second green on {card}",
        "KEY_PLACE": f"Replace {card}",
    }[name]


_PLAIN = {
    "TAKE_BAG": "Draw a rune from the bag",
    "STOP": "Take no more",
    "PLACE_BLACK": "Place a black rune on an opposing Egregor",
    "PAIR": "Place two green runes at once",
    "END_MAIN": "End the main phase",
    "CONFIRM": "The batch is complete",
    "PULL": "Pull a red rune from the altar",
    "DECLINE": "Leave the red rune on the altar",
    "KEY_NONE": "Replace no Key",
}


def _card(game: Omega, card: int | None) -> str:
    if card is None or not 0 <= card < len(game.cards.egregors):
        return "an empty place"
    return game.cards.egregors[card].name


# -- who knows what ---------------------------------------

_HIDDEN = {codes.DEAL, codes.BAG_RUNE, codes.LOOK, codes.PLACE, codes.PAIR, codes.ADD, codes.PAIR_FIRST}


def owner(game: Omega, state: OmegaState) -> int:
    """The seat that knows a hidden outcome or decision here."""
    if state.phase == Phase.DEAL:
        values = state.dump()
        hands = {2: (4, 9), 3: (4, 9, 15), 4: (4, 9, 14, 20)}[game.players]
        place = sum(values["dealt"] >= hand for hand in hands)
        return int((values["start"] + place) % game.players)
    return int(state.active)


def knows(game: Omega, state: OmegaState, code: int, viewer: int) -> bool:
    """May the viewer know the code (section 15.6)?"""
    verb = BOOK.verb(code)
    if verb is codes.KEY_TAKE:
        keys = state.dump()["keys"]
        hidden = keys & (keys - 1) != 0
    else:
        hidden = verb in _HIDDEN
    return not hidden or viewer in (-2, owner(game, state))


def decision(state: OmegaState) -> int:
    """What is decided next, as everyone may know it; a number of the Decision enum."""
    if state.actor() < 0:
        return pb.DECISION_UNSPECIFIED
    pending = state.pending
    if pending is None:
        return pb.DECISION_DRAW if state.phase == Phase.DRAW else pb.DECISION_MAIN
    return {
        Frame.BATCH: pb.DECISION_BATCH,
        Frame.TARGET: pb.DECISION_PLACING,
        Frame.PAIR_FIRST: pb.DECISION_PLACING,
        Frame.PAIR_SECOND: pb.DECISION_PLACING,
        Frame.BLACK_TARGET: pb.DECISION_BLACK_TARGET,
        Frame.BLACK_TAKE: pb.DECISION_BLACK_TAKE,
        Frame.RED: pb.DECISION_RED,
        Frame.DRAW: pb.DECISION_GAIN_RUNE,
        Frame.ARCANA: pb.DECISION_ARCANA,
        Frame.RECOVER: pb.DECISION_RECOVER,
        Frame.CYCLE: pb.DECISION_CYCLE,
        Frame.KEY: pb.DECISION_KEY,
        Frame.KEY_PLACE: pb.DECISION_KEY_PLACE,
    }[Frame(pending[0])]


def no_card(card: int) -> bool:
    """Is it the number that stands for none?"""
    return card == NOWHERE
