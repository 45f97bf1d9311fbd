"""The sentence of an event, and answers to a person's questions, from messages alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gamepacks.api.text import counted
from gamepacks.omega.codes import TYPE_NAMES, Ending
from gamepacks.omega.labels import runes_text
from gamepacks.omega.v1 import omega_pb2 as pb

HELP = (
    "Type the number or the text of an action; an illegal one is refused with the reason: `summon NAME`,"
    " `capture NAME`, `disown NAME`, `mask NAME`, `place COLOUR`, `add COLOUR`, `end`. `? NAME` explains a card or an"
    " Arcana token that is face up, `? score` lists the parts of your score, `? unseen` the runes in the bag and in"
    " other pyramids. `? WORD` explains blue, gold, red, green, white, black, capture, load, snake, thrust, mask,"
    " renegade, primitive, lightning, book, key, eye, prestige and judgement."
)
_TERMS = {
    "blue": "A blue rune that you place moves your pawn 2 squares at once.",
    "gold": "A gold rune on an Egregor of yours is worth 2 points at the judgement.",
    "red": "For each red rune that you place, you may move one red rune from the altar onto the same Egregor.",
    "green": "Two green runes that you place at the same time let you draw one rune, from the altar or the bag.",
    "white": "A player who loses an Egregor gets its white runes back. No black rune takes a white one, and none is "
    "placed on an Egregor with two white runes.",
    "black": "You place a black rune on an opposing Egregor and take one of its coloured runes into your pyramid. "
    "Black runes count towards the load but are not a colour.",
    "capture": "Capture: a batch with more runes than the Egregor's load, of two colours at most. Its loser takes "
    "back all white runes and as many others as its snake number says; you get 1 Prestige.",
    "load": "The load of an Egregor is the number of its runes: 10 at most, of two colours at most.",
    "snake": "The snake number of an Egregor says how many runes that are not white its loser takes back.",
    "thrust": "At the end of your turn your pawn moves by the thrust numbers of all your Egregors.",
    "mask": "An Egregor under its owner's Mask cannot be captured. You may move the Mask in the main phase.",
    "renegade": "A Renegade never wears the Mask.",
    "primitive": "A Primitive is summoned and captured with runes of one colour, and takes no second colour.",
    "lightning": "A lightning power happens once, when the Egregor is summoned or captured.",
    "book": "A book power may be used once in each of your turns.",
    "key": "A Key shows its controller cards of the deck, one of which may replace it; the runes stay.",
    "eye": "Whenever your pawn passes the Eye, you take one of the visible Arcana tokens.",
    "prestige": "Prestige itself gives no points; the player with the most Prestige gets 5 points at the judgement.",
    "judgement": "The score at the judgement: 1 point for 2 runes on an Egregor up to 12 for 10, 2 for each gold rune, "
    "the Arcana tokens, and 5 for the most Prestige.",
}
_CAUSES = {
    pb.CAUSE_BLUE: "by blue runes",
    pb.CAUSE_POWER: "by a power",
    pb.CAUSE_END_PHASE: "by the thrust of its Egregors",
}


def sentence(event: pb.Event, view: pb.View | None = None) -> str:
    """Returns the sentence of an event; empty if the label of the action or the drawn view shows the event."""
    kind = event.WhichOneof("event") or ""
    write = _SENTENCES.get(kind)
    return "" if write is None else write(getattr(event, kind), view)


def endings(bits: int) -> str:
    """The kinds of an ending as text: ``arcanic and runic``."""
    return " and ".join((ending.name or "").lower().replace("_", " ") for ending in Ending if bits & ending)


def score_text(score: pb.Score) -> str:
    """The parts of a score as text (OMEGA-SCORE-01)."""
    arcana = str(score.arcana)
    if score.arcana_most > score.arcana:
        arcana = f"{score.arcana} to {score.arcana_most}"
    return f"runes {score.runes}, gold {score.gold}, Arcana {arcana}, Prestige bonus {score.bonus}"


def _points(score: pb.Score) -> str:
    least = "at least " if score.arcana_most > score.arcana else ""
    return f"{least}{counted(score.total, 'point')} ({score_text(score)})"


def _rune(rune: int) -> str:
    return TYPE_NAMES[rune - 1]


def _name(view: pb.View | None, seat: int, place: int) -> str:
    if view is None or place >= len(view.players[seat].egregors):
        return f"the Egregor in place {place + 1}"
    return view.players[seat].egregors[place].card.name


def _drawn(drawn: pb.RuneDrawn, view: pb.View | None) -> str:
    if drawn.source == pb.SOURCE_SEARCHED:
        return f"Seat {drawn.seat} finds a {_rune(drawn.rune)} rune in the bag."
    if drawn.source == pb.SOURCE_BAG and not drawn.rune:
        return f"Seat {drawn.seat} draws a rune from the bag."
    return ""


def _gained(gained: pb.EgregorGained, view: pb.View | None) -> str:
    batch = runes_text(gained.batch)
    if not gained.HasField("loser"):
        return f"Seat {gained.seat} summons {gained.card.name} with {batch}."
    return (
        f"Seat {gained.seat} captures {gained.card.name} of seat {gained.loser} with {batch}, "
        f"and has {gained.prestige} Prestige now."
    )


def _lost(lost: pb.EgregorLost, view: pb.View | None) -> str:
    how = "disowns" if lost.disowned else "loses"
    rest = f"; to the bag: {runes_text(lost.to_bag)}" if any(lost.to_bag) else ""
    return f"Seat {lost.seat} {how} {lost.card.name}{rest}."


def _recovered(recovered: pb.RunesRecovered, view: pb.View | None) -> str:
    return f"Seat {recovered.seat} recovers {runes_text(recovered.runes)}."


def _placed(placed: pb.RunesPlaced, view: pb.View | None) -> str:
    names = [_name(view, placed.seat, place) for place in placed.places]
    many = f"{len(names)} {_rune(placed.rune)} runes" if len(names) > 1 else f"a {_rune(placed.rune)} rune"
    where = " and ".join(dict.fromkeys(names))
    return f"Seat {placed.seat} places {many} on {where}."


def _swapped(swapped: pb.BlackSwapped, view: pb.View | None) -> str:
    name = _name(view, swapped.owner, swapped.place)
    return (
        f"Seat {swapped.seat} takes a {_rune(swapped.rune)} rune from {name} of seat {swapped.owner} with a black rune."
    )


def _advanced(moved: pb.PawnAdvanced, view: pb.View | None) -> str:
    eye = {0: "", 1: " and passes the Eye"}.get(moved.passings, f" and passes the Eye {moved.passings} times")
    steps = moved.to_steps - moved.from_steps
    return f"The pawn of seat {moved.seat} advances {counted(steps, 'square')} {_CAUSES[moved.cause]}{eye}."


def _mask(moved: pb.MaskMoved, view: pb.View | None) -> str:
    if not moved.HasField("place"):
        return f"The Mask of seat {moved.seat} returns to its reserve."
    return f"The Mask of seat {moved.seat} is on {_name(view, moved.seat, moved.place)}."


def _power(used: pb.PowerUsed, view: pb.View | None) -> str:
    if not used.lightning:
        return ""
    return f"Lightning of {_name(view, used.seat, used.place)}: {used.text}."


def _replaced(replaced: pb.KeyReplaced, view: pb.View | None) -> str:
    return f"Seat {replaced.seat} replaces {replaced.old_card.name} by {replaced.new_card.name}."


def _looked(looked: pb.KeyLooked, view: pb.View | None) -> str:
    return "" if looked.HasField("card") else f"Seat {looked.seat} looks at a card of the deck."


def _announced(announced: pb.EndAnnounced, view: pb.View | None) -> str:
    return f"Seat {announced.seat} announces the end ({endings(announced.ending)}): every other seat has one more turn."


def _judged(judged: pb.Judgement, view: pb.View | None) -> str:
    scores = "; ".join(f"seat {seat} has {_points(score)}" for seat, score in enumerate(judged.scores))
    seats = " and ".join(f"seat {seat}" for seat in judged.winners)
    verb = "wins" if len(judged.winners) == 1 else "win"
    return f"Judgement ({endings(judged.ending)}): {scores}. {seats.capitalize()} {verb}."


_SENTENCES: dict[str, Callable[[Any, pb.View | None], str]] = {
    "rune_drawn": _drawn,
    "egregor_gained": _gained,
    "egregor_lost": _lost,
    "runes_recovered": _recovered,
    "runes_placed": _placed,
    "black_swapped": _swapped,
    "pawn_advanced": _advanced,
    "mask_moved": _mask,
    "power_used": _power,
    "key_replaced": _replaced,
    "key_looked": _looked,
    "end_announced": _announced,
    "judgement": _judged,
    "bag_exhausted": lambda event, view: "The bag is empty.",
    "deck_reshuffled": lambda event, view: f"The discard pile becomes the deck: {event.cards} cards.",
    "stack_emptied": lambda event, view: f"Stack {event.stack + 1} of the Arcana is empty.",
}


# -- answers to questions ----------------------------------------------------------------------------------------------


def answer(view: pb.View, text: str) -> str:
    """Answers a question about a card, a token, a term, the score or unseen runes; returns a help text without one."""
    wanted = " ".join(text.split()).casefold()
    if not wanted:
        return HELP
    if wanted == "score":
        return _scores(view.players)
    if wanted == "unseen":
        return f"In the bag ({view.bag_size} runes) and in pyramids that you do not see: {runes_text(view.unseen)}."
    found = [_TERMS[wanted]] if wanted in _TERMS else []
    found += [_card(card) for card in _cards(view) if card.name.casefold() == wanted]
    found += [f"{token.name}: {token.text}" for token in _tokens(view) if token.name.casefold() == wanted]
    if not found and any(name.casefold() == wanted for name in view.discard_names):
        found.append(f"{text.strip()} is in the discard pile.")
    return "\n".join(dict.fromkeys(found))


def _scores(players: Sequence[pb.Player]) -> str:
    known = [
        f"Seat {seat}: {_points(player.score)} if the judgement took place now."
        for seat, player in enumerate(players)
        if player.HasField("score")
    ]
    return "\n".join(known) or "You cannot know any score before the judgement."


def _cards(view: pb.View) -> Iterator[pb.Card]:
    yield from (slot.card for slot in view.gallery if slot.HasField("card"))
    yield from view.looked
    for player in view.players:
        yield from (egregor.card for egregor in player.egregors)


def _tokens(view: pb.View) -> Iterator[pb.Token]:
    yield from (stack.top for stack in view.arcana if stack.HasField("top"))
    for player in view.players:
        yield from player.tokens


def _card(card: pb.Card) -> str:
    traits = [
        text
        for text, on in (
            ("Renegade: it never wears the Mask", card.renegade),
            ("Primitive: it takes one colour", card.primitive),
        )
        if on
    ]
    when = {True: "Lightning, when it is gained", False: "Book, once a turn"}
    powers = [f"{when[power.lightning]}: {power.text}" for power in card.powers]
    numbers = f"snake {card.snake} (runes that its loser picks), thrust {card.thrust} (squares at the end of each turn)"
    return f"{card.name}: {'. '.join([numbers, *traits, *powers])}."
