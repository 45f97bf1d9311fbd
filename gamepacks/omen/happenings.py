"""What a viewer is told of a step (section 9.7 of RULES.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.api.types import OMNISCIENT, Code, Seat, Viewer
from gamepacks.omen.cards.program import Cause, Edition, Event, Step, Zone
from gamepacks.omen.scoring import score_text
from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.views import viewer_bit
from gamepacks.omen.words import capital, city_name, seat_name, some

if TYPE_CHECKING:
    from gamepacks.omen.engine.state import OmenState
    from gamepacks.omen.game import OmenGame


def may_know(seen: int, viewer: Viewer) -> bool:
    """Is the viewer in a mask of those who may know something?"""
    return viewer == OMNISCIENT or bool(seen & viewer_bit(viewer))


def event_messages(
    game: OmenGame,  # type: ignore[type-arg]
    before: OmenState,
    seat: Seat | None,
    code: Code,
    after: OmenState,
    viewer: Viewer,
) -> list[pb.Event]:
    """The events of taking a code, as a viewer may know them."""
    messages = []
    for happened in before.journal(code, -1 if seat is None else seat):
        event, seen = Event(happened[0]), happened[9]
        if event is Event.AUTOMATIC and not may_know(seen, viewer):
            continue
        message = _message(game, happened, may_know(seen, viewer))
        if event is Event.GAME_OVER:
            message.scores.extend(after.scores())
            message.winners.extend(after.winners())
        messages.append(message)
    return messages


_NOBODY = 255
_MOVES = (Event.MOVE, Event.CHANGE_SIDE, Event.DEPLOY, Event.ENTER, Event.ABILITY)
"""Events whose places are no zones."""


def _message(game: OmenGame, happened: tuple[Any, ...], knows: bool) -> pb.Event:  # type: ignore[type-arg]
    kind, by, who, card, city, source, target, n, cause, _, extra = happened
    event = Event(kind)
    if event is Event.AUTOMATIC:
        return pb.Event(type=kind + 1, who=who, text=f"{_SENTENCES[event]}.")
    message = pb.Event(type=kind + 1, n=n, cause=cause + 1)
    for name, value in (("by", by), ("who", who), ("city", city)):
        if value != _NOBODY:
            setattr(message, name, value)
    if card != _NOBODY:
        message.kind = game.compiled.faces[card].kind + 1
        if knows:
            message.card.CopyFrom(game.card_messages[card])
    for name, value in (("from_zone", source), ("to_zone", target)):
        if value != _NOBODY and event not in _MOVES:
            setattr(message, name, value + 1)
    if event is Event.MOVE:
        message.from_city = source
    if event is Event.LOOK:
        message.card_count = len(extra)
        if knows:
            message.cards.extend(game.card_messages[one] for one in extra)
    elif event is Event.WAR_RESULT and extra:
        message.strengths.extend(extra[:2])
        message.tie_breaks.extend(extra[2:4])
    elif event in (Event.STEP_START, Event.STEP_END):
        message.phase = n + 5
    message.text = _sentence(game, message, event)
    return message


_THINGS = {
    pb.KIND_UNIT: "a Unit",
    pb.KIND_REWARD: "a Reward",
    pb.KIND_KRATER: "a Krater",
    pb.KIND_FEAT: "a Feat",
    pb.KIND_CHALLENGE: "a Challenge",
    pb.KIND_WHIM: "a Whim",
    pb.KIND_RELIC: "a Relic",
}
_SENTENCES = {
    Event.GAME_START: "The game begins",
    Event.GAME_OVER: "The game is over",
    Event.TURN_START: "A turn begins: {who}",
    Event.TURN_END: "The turn of {who} ends",
    Event.STEP_START: "{phase} begins",
    Event.STEP_END: "{phase} ends",
    Event.DRAW: "{who} draws {card}",
    Event.TO_HAND: "{card} comes to the hand of {who}",
    Event.TO_DECK: "{card} goes to the deck",
    Event.RESHUFFLE: "The discard pile is shuffled into the deck ({cards})",
    Event.LOOK: "{by} looks at {where}: {count}",
    Event.REVEAL: "{card} is revealed",
    Event.GAIN_COINS: "{who} gains {coins}",
    Event.LOSE_COINS: "{who} loses {coins}",
    Event.TAKE_COINS: "{who} is robbed of {coins}",
    Event.PAY: "{who} pays {coins}",
    Event.PLAY: "{who} plays {card} into {city}",
    Event.DEPLOY: "{card} is put into {city}",
    Event.ENTER: "{card} enters {city}",
    Event.MOVE: "{card} moves to {city}",
    Event.CHANGE_SIDE: "{card} changes sides in {city}",
    Event.RETURN_HAND: "{card} returns to the hand of {who}",
    Event.DISCARD: "{who} discards {card}",
    Event.DESTROY: "{card} of {who} is destroyed",
    Event.MILL: "{card} is revealed and discarded",
    Event.ABILITY: "The ability of {card}",
    Event.PRIZE_USED: "{who} uses {card}",
    Event.PRIZE_TAKEN: "{who} takes {card} from {city}",
    Event.PRIZE_SHED: "{who} lays {card} down unused",
    Event.ENRAGE: "{card} is Enraged",
    Event.UNRAGE: "{card} turns up again",
    Event.WAR_BEGIN: "War for {city}",
    Event.WAR_RESULT: "War for {city}, {strengths}: {winner}",
    Event.CITY_DEPLETED: "{city} is depleted",
    Event.CITY_RAZED: "{city} is Razed",
    Event.FEAT: "{who} achieves {card}",
    Event.FEAT_ROTATED: "{who} rotates {card} for a Relic",
    Event.CHALLENGE: "{who} takes {card}",
    Event.RELIC_PLACED: "{who} places {card} in {city}",
    Event.RELIC_REMOVED: "{card} goes back to the side",
    Event.TRIUMPH: "{card} of {who} triumphs",
    Event.WHIM_USED: "{who} uses {card}",
    Event.WHIM_PASSED: "{who} is passed {card}",
    Event.FINAL_TURN: "{who} holds five Feats: one turn to go",
    Event.COMMIT: "{who} has decided",
    Event.TRIGGER_CAP_HIT: "An ability is dropped: there were too many in this turn",
    Event.ACTION_CAP_HIT: "No more actions in this turn",
    Event.TURN_CAP: "The last turn is over",
    Event.AUTOMATIC: "The only option is taken",
}


_TOLD = frozenset({
    Event.RESHUFFLE, Event.LOOK, Event.REVEAL, Event.LOSE_COINS, Event.TAKE_COINS, Event.DEPLOY, Event.MOVE,
    Event.CHANGE_SIDE, Event.RETURN_HAND, Event.DISCARD, Event.DESTROY, Event.MILL, Event.PRIZE_TAKEN,
    Event.PRIZE_SHED, Event.ENRAGE, Event.UNRAGE, Event.WAR_RESULT, Event.CITY_DEPLETED, Event.CITY_RAZED, Event.FEAT,
    Event.RELIC_REMOVED, Event.TRIUMPH,
    Event.WHIM_PASSED, Event.FINAL_TURN, Event.TRIGGER_CAP_HIT, Event.ACTION_CAP_HIT, Event.TURN_CAP,
    Event.TURN_START, Event.GAIN_COINS, Event.TO_HAND, Event.TO_DECK, Event.DRAW,
})  # fmt: skip
_CHOSEN = frozenset({Cause.WEALTH, Cause.OFFERING, Cause.SETUP, Cause.LIMIT})
"""Causes of coins, discards and moves that the label of an action tells, or the set-up."""
_QUIET = frozenset({Event.DRAW, Event.GAIN_COINS, Event.DISCARD, Event.TO_HAND, Event.PRIZE_SHED})


def worth_telling(event: pb.Event, view: pb.View | None) -> str:
    """The sentence of an event that the label of an action does not tell; empty for the others. The view, of what is
    after it, gives the parts of the final score."""
    kind = Event(event.type - 1)
    if kind is Event.GAME_OVER:
        return _final(event, view)
    return event.text if kind in _TOLD and not (kind in _QUIET and event.cause - 1 in _CHOSEN) else ""


def _sentence(game: OmenGame, message: pb.Event, event: Event) -> str:  # type: ignore[type-arg]
    who = seat_name(message.who) if message.HasField("who") else "nobody"
    card = message.card.name if message.HasField("card") else _THINGS.get(message.kind, "a card")
    phase = pb.Phase.Name(message.phase).removeprefix("PHASE_").capitalize()
    back = event is Event.TO_DECK and message.to_zone == Zone.PRIZE + 1
    text = ("{card} goes back to {city}" if back else _SENTENCES[event]).format(
        who=who,
        by=seat_name(message.by) if message.HasField("by") else "nobody",
        card=card,
        city=city_name(game.rules.cities, message.city),
        coins=some(message.n, "coin"),
        cards=some(message.n, "card"),
        count=", ".join(one.name for one in message.cards) or some(message.card_count, "card"),
        where=_where(message, who),
        phase=phase,
        winner=f"{who} wins" if message.HasField("who") else "nobody wins",
        strengths=_strengths(game, message),
    )
    return f"{text[:1].upper()}{text[1:]}."


def _where(message: pb.Event, who: str) -> str:
    """Where cards are that are looked at."""
    if message.from_zone == pb.ZONE_HAND:
        return f"the hand of {who}"
    if message.from_zone == pb.ZONE_PRIZE:
        return "the top of a City"
    return "the whole deck" if message.from_zone == pb.ZONE_DECK else "the top of the deck"


_ENDINGS = (
    (1, "enough Cities have no prize left"),
    (2, "a player holds five Feats"),
    (4, "two Challenges or fewer are left"),
    (8, "the last turn is over"),
)
"""Why the game ended, by the bits of the event (``OmenState.ending``)."""


def _final(event: pb.Event, view: pb.View | None) -> str:
    """The end: why, the scores with their parts, who has won and by what a tie was broken."""
    why = " and ".join(text for bit, text in _ENDINGS if event.n & bit)
    scores = [f"{score} points" if score != 1 else "1 point" for score in event.scores]
    if view is not None and all(player.HasField("score") for player in view.players):
        scores = [score_text(view, seat) for seat in range(2)]
    told = "; ".join(f"{seat_name(seat)} has {score}" for seat, score in enumerate(scores))
    winners = " and ".join(seat_name(seat) for seat in event.winners)
    wins = "wins" if len(event.winners) == 1 else "win"
    tie = ""
    if len(set(event.scores)) == 1:
        tie = ", by the rule for equal points" if len(event.winners) == 1 else " together"
    return f"The game is over{f', as {why}' if why else ''}: {told}. {capital(winners)} {wins}{tie}."


def _strengths(game: OmenGame, message: pb.Event) -> str:  # type: ignore[type-arg]
    # Of both sides, and what breaks a tie.
    strength = "Strength " + " to ".join(map(str, message.strengths))
    if len(set(message.strengths)) > 1:
        return strength
    thing = "Soldiers" if game.compiled.program.edition == Edition.OMEGA else "BOLSTER"
    return f"{strength}, {thing} {' to '.join(map(str, message.tie_breaks))}"


assert len(_SENTENCES) == len(Event)
assert len(pb.Cause.keys()) == len(Cause) + 1
assert len(pb.Zone.keys()) == len(Zone) + 1
assert len(pb.Phase.keys()) == len(Step) + 6
