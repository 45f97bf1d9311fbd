"""The sentence of an event, and answers to a person's questions about cards, traits and terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gamepacks.api.text import counted, folded
from gamepacks.omen.cards.program import Edition
from gamepacks.omen.codes import End
from gamepacks.omen.labels import capital, city_name, seat_name
from gamepacks.omen.scoring import hand_is_known, score_text
from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.v1.omen_enums import EventType

if TYPE_CHECKING:
    from gamepacks.omen.game import OmenGame

# -- events ------------------------------------------------------------------------------------------------------------

_KIND_NAMES = {
    pb.KIND_UNIT: "a Unit",
    pb.KIND_REWARD: "a Reward",
    pb.KIND_KRATER: "a Krater",
    pb.KIND_FEAT: "a Feat",
    pb.KIND_CHALLENGE: "a Challenge",
    pb.KIND_WHIM: "a Whim",
    pb.KIND_RELIC: "a Relic",
}
_SENTENCES = {
    EventType.GAME_START: "The game begins",
    EventType.GAME_OVER: "The game is over",
    EventType.TURN_START: "A turn begins: {who}",
    EventType.TURN_END: "The turn of {who} ends",
    EventType.STEP_START: "{phase} begins",
    EventType.STEP_END: "{phase} ends",
    EventType.DRAW: "{who} draws {card}",
    EventType.TO_HAND: "{card} goes to the hand of {who}",
    EventType.TO_DECK: "{card} goes to the deck",
    EventType.RESHUFFLE: "The discard pile is shuffled into the deck ({cards})",
    EventType.LOOK: "{by} looks at {where}: {count}",
    EventType.REVEAL: "{card} is revealed",
    EventType.GAIN_COINS: "{who} gains {coins}",
    EventType.LOSE_COINS: "{who} loses {coins}",
    EventType.TAKE_COINS: "{who} loses {coins} to the other player",
    EventType.PAY: "{who} pays {coins}",
    EventType.PLAY: "{who} plays {card} into {city}",
    EventType.DEPLOY: "{card} is put into {city}",
    EventType.ENTER: "{card} enters {city}",
    EventType.MOVE: "{card} moves to {city}",
    EventType.CHANGE_SIDE: "{card} changes sides in {city}",
    EventType.RETURN_HAND: "{card} returns to the hand of {who}",
    EventType.DISCARD: "{who} discards {card}",
    EventType.DESTROY: "{card} of {who} is destroyed",
    EventType.MILL: "{card} is revealed and discarded",
    EventType.ABILITY: "The ability of {card}",
    EventType.PRIZE_USED: "{who} uses {card}",
    EventType.PRIZE_TAKEN: "{who} takes {card} from {city}",
    EventType.PRIZE_SHED: "{who} lays {card} face down unused",
    EventType.ENRAGE: "{card} is Enraged",
    EventType.UNRAGE: "{card} is turned face up again",
    EventType.WAR_BEGIN: "War for {city}",
    EventType.WAR_RESULT: "War for {city}, {strengths}: {winner}",
    EventType.CITY_DEPLETED: "{city} is depleted",
    EventType.CITY_RAZED: "{city} is Razed",
    EventType.FEAT: "{who} achieves {card}",
    EventType.FEAT_ROTATED: "{who} rotates {card} for a Relic",
    EventType.CHALLENGE: "{who} takes {card}",
    EventType.RELIC_PLACED: "{who} places {card} in {city}",
    EventType.RELIC_REMOVED: "{card} goes back to the side",
    EventType.TRIUMPH: "{card} of {who} triumphs",
    EventType.WHIM_USED: "{who} uses {card}",
    EventType.WHIM_PASSED: "{who} is passed {card}",
    EventType.FINAL_TURN: "{who} has five Feats: one more turn is played",
    EventType.COMMIT: "{who} has decided",
    EventType.TRIGGER_CAP_HIT: "An ability is ignored: too many abilities have been triggered in this turn",
    EventType.ACTION_CAP_HIT: "The maximum number of actions in this turn has been reached",
    EventType.TURN_CAP: "The last turn is over",
    EventType.AUTOMATIC: "The only option is taken automatically",
}


_LABELLED = frozenset({
    EventType.GAME_START, EventType.GAME_OVER, EventType.TURN_END, EventType.STEP_START, EventType.STEP_END,
    EventType.PAY, EventType.PLAY, EventType.ENTER, EventType.ABILITY, EventType.PRIZE_USED, EventType.WAR_BEGIN,
    EventType.FEAT_ROTATED, EventType.CHALLENGE, EventType.RELIC_PLACED, EventType.WHIM_USED, EventType.COMMIT,
    EventType.AUTOMATIC,
})  # fmt: skip
"""Events that the label of an action, or another event, describes already."""
_LABELLED_CAUSES = frozenset({pb.CAUSE_WEALTH, pb.CAUSE_OFFERING, pb.CAUSE_SETUP, pb.CAUSE_LIMIT})
_LABELLED_EVENTS = frozenset(
    {EventType.DRAW, EventType.GAIN_COINS, EventType.DISCARD, EventType.TO_HAND, EventType.PRIZE_SHED}
)
"""Events that the label of an action describes already if they have one of these causes."""


def sentence(event: pb.Event, view: pb.View | None = None) -> str:
    """Returns the sentence of an event; empty if the label of the action shows the event.

    ``view`` is that after the event; it gives the sources of the final score."""
    kind = EventType(event.type)
    if kind is EventType.GAME_OVER:
        return _final(event, view)
    labelled = kind in _LABELLED or (kind in _LABELLED_EVENTS and event.cause in _LABELLED_CAUSES)
    return "" if labelled else event.text


def event_sentence(game: OmenGame, message: pb.Event, event: EventType) -> str:  # type: ignore[type-arg]
    """The text of an event message, from its other fields."""
    who = seat_name(message.seat) if message.HasField("seat") else "nobody"
    card = message.card.name if message.HasField("card") else _KIND_NAMES.get(message.kind, "a card")
    phase = pb.Phase.Name(message.phase).removeprefix("PHASE_").capitalize()
    back = event is EventType.TO_DECK and message.to_zone == pb.ZONE_PRIZE
    text = ("{card} goes back to {city}" if back else _SENTENCES[event]).format(
        who=who,
        by=seat_name(message.source_seat) if message.HasField("source_seat") else "nobody",
        card=card,
        city=city_name(game.config.cities, message.city),
        coins=counted(message.count, "coin"),
        cards=counted(message.count, "card"),
        count=", ".join(one.name for one in message.cards) or counted(message.card_count, "card"),
        where=_where(message, who),
        phase=phase,
        winner=f"{who} wins" if message.HasField("seat") else "nobody wins",
        strengths=_strengths(game, message),
    )
    return f"{text[:1].upper()}{text[1:]}."


def _where(message: pb.Event, who: str) -> str:
    """Description of the place of cards that are looked at."""
    if message.from_zone == pb.ZONE_HAND:
        return f"the hand of {who}"
    if message.from_zone == pb.ZONE_PRIZE:
        return "the top of a City"
    return "the whole deck" if message.from_zone == pb.ZONE_DECK else "the top of the deck"


_ENDINGS = (
    (End.CITIES, "enough Cities have no prize left"),
    (End.FEATS, "a player holds five Feats"),
    (End.CHALLENGES, "two Challenges or fewer are left"),
    (End.TURNS, "the last turn is over"),
)
"""End conditions by the bits of the event (``OmenState.ending``)."""


def _final(event: pb.Event, view: pb.View | None) -> str:
    """Sentence of the end: its condition, the scores with their sources, the winner and the tie-break."""
    why = " and ".join(text for bit, text in _ENDINGS if event.count & bit)
    scores = [f"{score} points" if score != 1 else "1 point" for score in event.scores]
    if view is not None and all(player.HasField("score") for player in view.players):
        scores = [score_text(view, seat) for seat in range(2)]
    points = "; ".join(f"{seat_name(seat)} has {score}" for seat, score in enumerate(scores))
    winners = " and ".join(seat_name(seat) for seat in event.winners)
    wins = "wins" if len(event.winners) == 1 else "win"
    tie = ""
    if len(set(event.scores)) == 1:
        tie = ", by the tie-break for equal points" if len(event.winners) == 1 else " together"
    return f"The game is over{f', as {why}' if why else ''}: {points}. {capital(winners)} {wins}{tie}."


def _strengths(game: OmenGame, message: pb.Event) -> str:  # type: ignore[type-arg]
    # Strength of both sides, and the tie-break.
    strength = "Strength " + " to ".join(map(str, message.strengths))
    if len(set(message.strengths)) > 1:
        return strength
    thing = "Soldiers" if game.compiled.program.edition == Edition.OMEGA else "BOLSTER"
    return f"{strength}, {thing} {' to '.join(map(str, message.tie_breaks))}"


assert len(_SENTENCES) == len(EventType)


# -- answers -----------------------------------------------------------------------------------------------------------

_HELP = (
    "Type the number or the words of a choice, even one that is not listed, to learn why it is illegal: `play NAME`,"
    " `use NAME`, `offer NAME`, `discard NAME`, `left`, `middle`, `right` or `city 2`, `draw`, `coin`, `pass`, `end`."
    " `? NAME` describes a card that you see, `? score` shows the sources of points, and `? WORD` explains "
)

TRAITS = {
    pb.TRAIT_BOLSTER: "its text happens when it comes to your side of a City in your own Surge step, wherever it "
    "comes from. On a tie of Strengths in War, more Units with BOLSTER win.",
    pb.TRAIT_JILT: "in your Surge step, reveal it from hand and pay its Cost: its JILT text happens, then it is "
    "discarded.",
    pb.TRAIT_GLEAN: "in your Portent step its text happens, once, if it is in a City.",
    pb.TRAIT_MYRIAD: "it counts as 2 Units for the City Limit, for a TRIUMPH and for Sacked Cities; as 1 for survivors "
    "of War, by default, and for the BOLSTER tie-break.",
    pb.TRAIT_TRIUMPH: "when the condition in its text is met in the step that it names, it leaves its City for your "
    "Rewards area: 2 points at the end.",
    pb.TRAIT_COVETED: "1 point at the end if it is in your hand.",
    pb.TRAIT_WRATH: "when you discard it in your own turn, the other player discards a Unit of their choice.",
    pb.TRAIT_SPOILS: "with one or more of these in Cities when your Wealth step begins, you have one more Wealth "
    "action.",
    pb.TRAIT_FATE: "in your Surge step, discard it from hand at no cost: draw a Unit, or take another Unit from the "
    "discard pile.",
    pb.TRAIT_RECRUIT: "in your Surge step, discard it from hand at no cost: draw 2 Units, then put a Unit of your hand "
    "on the deck.",
    pb.TRAIT_PILFER: "in your Surge step, discard it from hand at no cost: take a coin from the other player.",
    pb.TRAIT_VETERAN: "if it would be destroyed in a War step, it goes to the hand of its player instead.",
    pb.TRAIT_CURSE: "when you discard it in your Offering step, destroy an opposing Unit of your choice.",
}
"""Explanations of traits (sections 6.3 to 6.5 of RULES.md)."""

TYPES = {
    pb.UNIT_TYPE_SOLDIER: "its ability happens each time it enters a City. On a tie of Strengths in War, more Soldiers "
    "win.",
    pb.UNIT_TYPE_BEAST: "it counts as 2 Units and has no ability in a City. In Surge it can be used from hand: pay its "
    "Cost, its ability happens, then it is discarded. A winner of War cannot keep it.",
    pb.UNIT_TYPE_ORACLE: "its ability happens in its player's Portent step, once, while it is in a City.",
    pb.UNIT_TYPE_SPIRIT: "when it enters a City its player chooses one of its two abilities. In Surge it can be "
    "invoked from hand: pay its Invoke cost, discard it, both abilities happen. It is never Enraged.",
    pb.UNIT_TYPE_HERO: "it costs nothing to play. It can be discarded from hand for its ability when its text says so; "
    "in a City it has none. 1 point at the end if it is in hand.",
}
"""Explanations of the types of Units (section 4.5 of RULES.md)."""

_TERMS = {
    "wealth": "Wealth, the first step of a turn: each Wealth action draws a Unit or takes a coin. If all of them are "
    "spent on the same thing, you get one more of it.",
    "surge": "Surge, the second step: play Units from hand into Cities for their Cost, and use cards, as many as you "
    "like, until you end it.",
    "offering": "Offering, the last step: you may discard a Unit from hand; for each point of its Offering value, draw "
    "a Unit or take a coin.",
    "discard": "Cards are discarded from a hand, Units are destroyed in a City. Both go to the discard pile.",
    "look": "A player who looks at cards of the deck does not draw them: they stay where they are unless the card "
    "says otherwise. A drawn card goes to the hand.",
    "supply": "Coins are taken from the supply and paid to it.",
}
_OMEGA = {
    "portent": "Portent, the third step: each of your Oracles in a City is used once, in an order of your choice.",
    "feat": "Feats: in your Feat step each of your Feats whose condition is met is turned face down and is worth 2 "
    "points; a rotated one 1. A player with five or more Feats ends the game at the end of the other player's turn.",
    "war": "War: a City with a Reward is war-torn if the opposing side counts 3 or more Units or both sides together "
    "5 or more. The greater Strength wins; on a tie, the side with more Soldiers; if that is a tie too, nobody wins "
    "and each keeps 2. The winner takes the top Reward and keeps 1 Unit, no Beast; the loser keeps 2, Beasts counting "
    "2. The others are discarded.",
    "reward": "Rewards are won in War and hidden in hand: 2 points each at the end. One that was won in an earlier "
    "turn may be used in your Surge step, one per turn; then it lies face down and is worth 1.",
    "whim": "Whims: before the first turn the second player takes up to three and may pass one to the first. A Whim is "
    "used once, when its text says so; in hand at the end it adds or subtracts its points. It counts for the hand "
    "limit, and nobody can make you discard it.",
    "challenge": "Challenges lie at the side. In your Challenge step you may take one whose requirement you meet: 3 "
    "points. When 2 or fewer are left, the game ends; in the long game two of the three ends must be met.",
    "relic": "Relics: instead of turning an achieved Feat face down you may rotate it, once a turn, and place a Relic "
    "on your side of a City. A City holds one. It is worth 1 point at the end, if you still have it.",
    "enraged": "An Enraged Unit is face down: a Beast of Strength 4 that counts as 2, without ability, until the end "
    "of its player's next Offering step.",
    "depleted": "A depleted City has no Reward left: it takes Units, but there is no War for it. When two Cities are "
    "depleted at the end of a turn, the game ends.",
    "limits": "A side holds Units that count 5 at most. At the end of your turn you keep at most 7 cards and 10 coins.",
    "emissary": "Emissaries: each player chooses a Unit in hand, unseen by the other. The player with the greater sum "
    "of Cost, Offering and Strength begins, and that Unit is discarded; the other returns to its hand.",
}
_TRAITS_EDITION = {
    "portent": "Portent, the third step: each of your GLEAN Units in a City is used once, in an order of your choice.",
    "war": "War: a City is Sacked if the opposing side counts 3 or more Units or both sides together 5 or more. The "
    "greater Strength wins; on a tie, the side with more BOLSTER Units. The winner takes the top Krater "
    "and keeps 1 Unit; the loser keeps 2. The others are destroyed. When its last Krater is taken, the City is Razed.",
    "krater": "Kraters are won in War and hidden in hand: 2 points each at the end. One per turn may be used in your "
    "Surge step; then it lies in the Rewards area as a Broken Krater and is worth 1.",
    "razed": "A Razed City has lost its last Krater: its Units are destroyed and it is closed. When all are Razed (2, "
    "if card sets are combined), the game ends.",
    "limits": "A side holds Units that count 5 at most. At the end of your turn you keep at most 6 cards and 7 coins.",
}
_ALIASES = {
    "war-torn": "war", "sacked": "war", "feats": "feat", "rewards": "reward", "whims": "whim", "relics": "relic",
    "challenges": "challenge", "kraters": "krater", "enrage": "enraged", "limit": "limits", "emissaries": "emissary",
    "hand limit": "limits", "city limit": "limits", "destroy": "discard", "draw": "look", "looked at": "look",
}  # fmt: skip


def answer(view: pb.View, text: str) -> str:
    """Returns the answer to a question of a person who sees the view; empty if the text names nothing."""
    asked = folded(text)
    known = terms(view)
    if not asked:
        return f"{_HELP}{', '.join(sorted(known))}."
    if asked == "score":
        return _scores(view)
    found = [card_text(card) for card in seen_cards(view) if asked in (folded(card.name), card.id)]
    term = asked if asked in known else _ALIASES.get(asked, asked.removesuffix("s"))
    if term in known:
        found.insert(0, known[term])
    return "\n".join(dict.fromkeys(found))


def terms(view: pb.View) -> dict[str, str]:
    """The terms of the current edition with their explanations."""
    found = dict(_TERMS)
    if view.traits:
        found |= _TRAITS_EDITION
        for trait, meaning in TRAITS.items():
            name = pb.Trait.Name(trait).removeprefix("TRAIT_")
            found[name.lower()] = f"{name}: {meaning}"
    else:
        found |= _OMEGA
        for type_, meaning in TYPES.items():
            name = pb.UnitType.Name(type_).removeprefix("UNIT_TYPE_").lower()
            found[name] = f"{name.capitalize()}: {meaning}"
    return found


def _scores(view: pb.View) -> str:
    lines = []
    for seat, player in enumerate(view.players):
        if player.HasField("score"):
            lines.append(f"Seat {seat}: {score_text(view, seat)}.")
        elif hand_is_known(player):
            lines.append(
                f"Seat {seat}: {score_text(view, seat)} if the game ended now, without points from the texts of cards."
            )
        else:
            lines.append(f"Seat {seat}: {score_text(view, seat)} from what you see; part of the hand is hidden.")
    return "\n".join(lines)


def card_text(card: pb.Card) -> str:
    """Name, numbers and text of a card, with explanations of its traits or type."""
    kind = pb.Kind.Name(card.kind).removeprefix("KIND_").capitalize()
    text = f" {card.text}" if card.text else ""
    if card.kind != pb.KIND_UNIT:
        points = f", {card.hold_points:+d} points in hand at the end" if card.HasField("hold_points") else ""
        return f"{card.name} ({kind}{points}).{text}"
    invoke = f", Invoke cost {card.invoke}" if card.HasField("invoke") else ""
    lines = [
        f"{card.name}: Cost {card.cost}{invoke}, Offering {card.offering}, Strength {card.strength}.{text}",
        *(f"  {pb.Trait.Name(trait).removeprefix('TRAIT_')}: {TRAITS[trait]}" for trait in card.traits),
    ]
    if card.type:
        lines.append(f"  {pb.UnitType.Name(card.type).removeprefix('UNIT_TYPE_').capitalize()}: {TYPES[card.type]}")
    return "\n".join(lines)


def seen_cards(view: pb.View) -> Iterator[pb.Card]:
    """All cards whose faces the view shows; those of the deciding seat come first."""
    first = view.deciding_seat
    for player in (view.players[first], view.players[1 - first]):
        yield from _faces(player.hand)
        for slots in (player.used, player.draft_pile, player.dealt):
            yield from _faces(slots)
        yield from (feat.card for feat in player.feats)
        yield from player.challenges
    for city in view.cities:
        yield from _faces(city.prizes_known)
        for side in city.sides:
            yield from (unit.card for unit in side.units)
            if side.HasField("relic"):
                yield side.relic
    for deck in view.decks:
        yield from _faces(deck.top)
        yield from _faces(deck.bottom)
        yield from deck.discard
    for row in (view.challenge_row, view.relic_row, view.draft_row, view.whims_used):
        yield from row
    yield from _faces(view.resolving)
    if view.HasField("source"):
        yield view.source


def _faces(slots: Iterable[pb.Slot]) -> Iterator[pb.Card]:
    return (slot.card for slot in slots if slot.HasField("card"))
