"""Tables of the card language: hooks, operations, selectors and event filters, with their keys and the readers of each.

Everything else follows from these tables: the descriptions in the schema (:mod:`gamepacks.omen.cards.language`,
:mod:`gamepacks.omen.cards.queries`), the keys that :mod:`gamepacks.omen.cards.usage` refuses because nothing would read
them, the operands that :mod:`gamepacks.omen.cards.compiler` writes and :mod:`gamepacks.omen.cards.analysis` checks, and
the tables of RULES.md, sections 10.5, 10.6 and 10.9. A ``reader`` is the name of the function of the engine that reads
the key; a test looks in its source for the operand that the key becomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import Any, get_args

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue

from gamepacks.api.cards import CardModel


class Operand(IntEnum):
    """Kinds of operands of effects."""

    SEAT = auto()
    AMOUNT = auto()
    CITY = auto()
    SLOT = auto()
    """A variable that the effect binds; -1 for none."""
    SEL = auto()
    RELIC_SEL = auto()
    """A selector of Relics where it names no kind."""
    BLOCK = auto()
    PRED = auto()
    COST = auto()
    FLAG = auto()
    NUMBER = auto()
    ZONE = auto()
    HOOK = auto()
    NAMED = auto()
    PAY = auto()
    """Two numbers: the kind of payment, and an amount."""
    OVER = auto()
    """Two numbers: the kind of things to iterate over, and a selector."""
    REMOVED = auto()
    """0 place, 1 remove."""
    OWN = auto()
    """Operands with a special layout, which the compiler writes."""


@dataclass(frozen=True, slots=True)
class Only:
    """A key is read only where another key has one of these values."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its meaning, and the code that reads it."""

    meaning: str
    reader: str
    operand: Operand = Operand.OWN
    at: int = 0
    """Its first operand, from 1; 0 where it is none (a key of an ability or selector)."""
    use: str = ""
    """Use of a selector: an entry of SELECTORS."""
    only: Only | None = None
    values: tuple[str, ...] = ()
    """The values that are read, where not all that the model knows are."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An effect."""

    meaning: str
    keys: dict[str, Key] = field(default_factory=dict)
    zones: tuple[str, ...] = ()
    """The zones in which its selector can find anything; empty: all."""


@dataclass(frozen=True, slots=True)
class HookGrammar:
    """A moment at which abilities happen."""

    on: str
    """Cards with this hook, as text for people."""
    cards: tuple[str, ...]
    """Cards on which the engine looks for it: types of Units, ``trait`` for a Unit of ``traits``, other kinds."""
    happens: str
    needs: tuple[str, ...]
    keys: dict[str, Key]


S, A, C, V = Operand.SEAT, Operand.AMOUNT, Operand.CITY, Operand.SLOT
SEL, B, P, F = Operand.SEL, Operand.BLOCK, Operand.PRED, Operand.FLAG

# -- abilities ---------------------------------------------------------------------------------------------------------

ABILITY_KEYS = {
    "label": "Names which of the two abilities of a Spirit this is, a or b.",
    "may": "The controller may decline the ability.",
    "when": "Condition that is tested when the ability would happen or be offered.",
    "in": "Zone in which the card must lie.",
    "step": "Steps of a turn in which the ability works.",
    "turn": "Seat in whose turn the ability works.",
    "event": "Filter of the events that trigger the ability.",
    "timing": "Before the event, which can then be cancelled or replaced, or after it.",
    "limit": "Limit of one use in a turn, or in the game.",
    "cost": "Cost that is paid before the ability is carried out.",
    "cond": "Condition that is tested when the ability is carried out; of a claim or triumph, its requirement.",
    "do": "Effects of the ability.",
}
ATTRIBUTES = {"in": "zone", "step": "steps", "timing": "before"}
"""Keys of abilities that the engine calls by another name."""


def _ability(**readers: str) -> dict[str, Key]:
    return {
        name.rstrip("_"): Key(ABILITY_KEYS[name.rstrip("_")], reader, use="trigger" if name == "event" else "")
        for name, reader in readers.items()
    }


def _carried_out(**readers: str) -> dict[str, Key]:
    # An ability that is carried out step by step.
    run = "run_ability"
    return _ability(**{"cost": run, "cond": run, "do": run, **readers})


_SOURCE = {
    "when": "enqueue_hook",
    "turn": "enqueue_hook",
    "limit": "has_uses_left",
    "may": "run_ability",
}
_USED = {
    "when": "usable",
    "step": "usable",
    "turn": "usable",
    "limit": "has_uses_left",
}
_UNITS = ("soldier", "beast", "oracle", "spirit", "hero")
_STEPS_OF_TRAITS = ("wealth", "surge", "portent", "war", "offering")


def _only(keys: dict[str, Key], **values: tuple[str, ...]) -> dict[str, Key]:
    return {
        name: Key(key.meaning, key.reader, use=key.use, values=values.get(name.rstrip("_"), ()))
        for name, key in keys.items()
    }


HOOKS: dict[str, HookGrammar] = {
    "enter": HookGrammar(
        "Soldier; Spirit (two, labels `a`, `b`); BOLSTER", ("soldier", "spirit", "trait"),
        "when the card enters a side", ("do",), _carried_out(label="", **_SOURCE),
    ),
    "hand_use": HookGrammar(
        "Beast; JILT", (*_UNITS, "trait"),
        "main action in Surge; Cost paid; card in `resolving` until done", ("do",),
        _ability(
            when="next_ability", limit="has_uses_left", cond="run_ability", do="run_ability"
        ),
    ),
    "portent": HookGrammar(
        "Oracle; GLEAN", ("oracle", "trait"), "Portent step, once", ("do",),
        _carried_out(when="next_ability", limit="has_uses_left", may="run_ability"),
    ),
    "use": HookGrammar(
        "Reward, Krater, Whim, Hero, Relic; other Units, like Heroes", (*_UNITS, "reward", "krater", "whim", "relic"),
        "owner's choice in the named `step` and `turn` (prizes: the owner's Surge)", ("do",), _carried_out(**_USED),
    ),
    "react": HookGrammar(
        "Hero, Whim, Relic; other Units, like Heroes", (*_UNITS, "whim", "relic"), "owner's choice at `event`",
        ("event", "timing", "do"), _carried_out(event="usable", timing="usable", **_USED),
    ),
    "auto": HookGrammar(
        "Soldier, Oracle, Spirit in a City; Relic", ("soldier", "oracle", "spirit", "relic"),
        "automatically after `event`", ("event", "do"),
        _carried_out(
            event="queue_auto", when="queue_auto", step="queue_auto", turn="queue_auto",
            limit="has_uses_left", may="run_ability",
        ),
    ),
    "offered": HookGrammar(
        "any Unit of `omega`", _UNITS, "this card is the Offering; after the benefits", ("do",),
        _carried_out(when="enqueue_hook", limit="has_uses_left", may="run_ability"),
    ),
    "discarded": HookGrammar(
        "any Unit of `omega`", _UNITS, "this card is discarded from hand; `event` may narrow how and by whom", ("do",),
        _carried_out(event="enqueue_hook", **_SOURCE),
    ),
    "destroyed": HookGrammar(
        "Soldier, Oracle, Spirit, not Enraged", ("soldier", "oracle", "spirit"),
        "this card goes from a City to the discard pile", ("do",), _carried_out(**_SOURCE),
    ),
    "static": HookGrammar(
        "Soldier, Oracle, Spirit in a City; Relic; Units, prizes and Whims in a hand",
        (*_UNITS, "reward", "whim", "relic"), "continuously while its card lies where `in` says", ("do",),
        _only(
            _ability(**dict.fromkeys(("when", "in_", "do"), "collect_static_changes")),
            **{"in": ("city", "hand")},
        ),
    ),
    "claim": HookGrammar(
        "Feat, Challenge", ("feat", "challenge"), "tested in its step", ("cond",), _ability(cond="met_claims"),
    ),
    "triumph": HookGrammar(
        "TRIUMPH", ("trait",), "tested in `step`", ("step", "cond"),
        _only(_ability(step="triumphs", cond="triumphs"), step=_STEPS_OF_TRAITS),
    ),
    "end_game": HookGrammar(
        "Soldier, Oracle, Spirit in a City; Relic; Units, Rewards and Whims in a hand; used Rewards",
        (*_UNITS, "reward", "whim", "relic"), "at scoring, while its card lies where `in` says", ("do",),
        _only(
            _ability(
                when="extra_points", cond="extra_points", in_="extra_points", do="extra_points"
            ),
            **{"in": ("city", "hand", "used")},
        ),
    ),
}  # fmt: skip

# -- selectors ---------------------------------------------------------------------------------------------------------

SELECTOR_KEYS = {
    "zone": "Zone of the card; not used where a given card is compared.",
    "side": "Seat that has the card: you, opp, any, or a variable.",
    "owner": "Seat in whose deck the card started (drafts).",
    "city": "City of the card: here, other, any, or a variable.",
    "kind": "Kind of card; unit by default, a prize in the zone used.",
    "type": "The current type is one of these, or a named one.",
    "not_type": "The current type is none of these.",
    "trait": "The card has one of these traits, or a named one.",
    "enraged": "Whether the card is Enraged.",
    "id": "The card is one of these.",
    "cost": "Comparison of the Cost with numbers.",
    "offering": "Comparison of the Offering with numbers.",
    "strength": "Comparison of the Strength with numbers.",
    "self": "Whether the card is the one that has the ability.",
    "not_self": "The card is not the one that has the ability.",
    "same_as": "The card is one of those bound to this name.",
    "not": "The card is none of those bound to this name.",
    "top": "Number of cards from the top of the pile that are searched.",
    "weigh": "Units are counted by weight.",
    "n": "Number of cards; 1 by default.",
    "pick": "Seat that picks, or the rule by which cards are picked.",
    "as": "Name to which the picked cards are bound.",
}
_FILTERS = dict.fromkeys(
    ("kind", "type", "not_type", "trait", "enraged", "id", "cost", "offering", "strength"), "passes_filters"
)
_MATCHED = _FILTERS | {
    "self": "matches", "not_self": "matches", "owner": "matches", "same_as": "matches",
    "not": "matches",
}  # fmt: skip
_SOUGHT = _MATCHED | {
    "zone": "candidates", "side": "candidates", "city": "candidates", "top": "add_zone",
}  # fmt: skip
_LYING = _MATCHED | dict.fromkeys(("zone", "side", "city"), "matches_place")
_PICKED = _SOUGHT | {"n": "begin_pick", "pick": "begin_pick"}


def _uses(readers: dict[str, str], **values: tuple[str, ...]) -> dict[str, Key]:
    return {
        name: Key(meaning, readers[name], values=values.get(name, ()))
        for name, meaning in SELECTOR_KEYS.items()
        if name in readers
    }


SELECTORS: dict[str, tuple[str, dict[str, Key]]] = {
    "pick": ("what an effect picks", _uses(_PICKED | {"as": "bind_cards"})),
    "cost": ("what is paid", _uses(_PICKED, n=("amount", "all"))),
    "place": ("the two Units of `swap`", _uses(_SOUGHT)),
    "each": ("what `for_each` goes through", _uses(_SOUGHT)),
    "count": ("an amount", _uses(_SOUGHT)),
    "exists": (
        "the predicate `exists`", _uses(_SOUGHT | {"n": "holds", "weigh": "holds"}, n=("amount",)),
    ),
    "match": ("a bound card (`is`), a Feat or Challenge (`claim`)", _uses(_MATCHED)),
    "event": (
        "the card of an event", _uses(_FILTERS | {"self": "fits_event", "not_self": "fits_event"}),
    ),
    "static": ("a static change", _uses(_LYING | {"n": "run_modifier"}, n=("all",))),
}  # fmt: skip
"""Uses of selectors, and the keys that each reads."""
LISTS = ("set", "reveal")
"""Zones that are lists of the ability: whose they are, and how many lie on top, means nothing there."""
SIDED = ("city", "hand", "discard", "deck_top", "used")

# -- event filters -----------------------------------------------------------------------------------------------------

EVENT_KEYS = {
    "type": "Type of the event.",
    "by": "Seat whose card or action causes the event.",
    "who": "Seat that the event affects.",
    "card": "Filter of the card of the event.",
    "city": "City of the event.",
    "from": "Zone that the card leaves.",
    "to": "Zone that the card enters.",
    "cause": "The cause of the event is one of these.",
    "since": "Start of the period that is searched: the start of this turn, this step, or this ability.",
    "sum": "The numbers of the events (coins) are added up; by default the events are counted.",
    "self": "The card of the event is the one that has the ability.",
}
EVENTS: dict[str, tuple[str, dict[str, Key]]] = {
    use: (
        meaning,
        {
            name: Key(
                text,
                "count_events" if name in ("since", "sum") else "fits_event",
                use="event" if name == "card" else "",
            )
            for name, text in EVENT_KEYS.items()
            if use == "past" or name not in ("since", "sum")
        },
    )
    for use, meaning in (("trigger", "the event of an ability"), ("past", "`happened` and `events`"))
}
"""Uses of event filters, and the keys that each reads."""

# -- operations --------------------------------------------------------------------------------------------------------

_PICK = "selector_of"
_CITY = ("city", *LISTS)
_HELD = ("hand", "discard", "deck_top", "used", *LISTS)


def _sel(meaning: str = "Cards.", at: int = 1, use: str = "pick", operand: Operand = SEL) -> Key:
    return Key(meaning, _PICK, operand, at, use=use)


def _who(reader: str, at: int = 1, meaning: str = "Seat.", only: Only | None = None) -> Key:
    return Key(meaning, reader, S, at, only=only)


def _some(reader: str, at: int = 2, meaning: str = "Number.") -> Key:
    return Key(meaning, reader, A, at)


_LAST = "Duration; this turn by default."
_UNTIL = "End of the duration: the end of this turn (as with for: turn), or the start of the controller's next turn."
CARD_WHATS = ("cost", "invoke", "offering", "strength", "weight", "keep_weight", "type")
SEAT_WHATS = ("wealth_actions", "prize_uses", "offerings", "hand_limit", "coin_limit")
CITY_WHATS = ("city_limit", "war_total", "war_opposing", "never_war")
SEAT_GRANTS = ("wealth_action", "prize_use", "offering", "challenge", "win_ties", "extra_turn")
SEAT_FORBIDS = ("play", "hand_use", "invoke", "use_prize", "draw", "coins", "offer", "enter")
CARD_FORBIDS = ("play", "hand_use", "invoke", "use_prize", "enter", "move", "destroy", "discard", "enrage")
OPERATIONS: dict[str, Operation] = {
    "draw": Operation("draw n cards one by one; with `optional: true` up to n [MAY]", {
        "who": _who("run_simple"), "n": _some("run_simple"),
        "optional": Key("The seat may stop before each draw.", "run_simple", F, 3),
    }),
    "coins": Operation("gain coins from the supply", {"who": _who("run_simple"), "n": _some("run_simple")}),
    "lose_coins": Operation("lose coins to the supply", {"who": _who("run_simple"), "n": _some("run_simple")}),
    "take_coins": Operation("take coins of a seat", {
        "from": _who("run_simple", meaning="Seat that loses the coins."), "n": _some("run_simple"),
    }),
    "discard": Operation(
        "discard cards; the hand's owner picks unless `pick` says otherwise [CARD, C-HAND]", {"sel": _sel()},
        ("hand",),
    ),
    "look": Operation("look at cards in secret; `deck` is the whole deck, which is shuffled when the ability ends", {
        "zone": Key("Cards that are seen.", "run_look", Operand.ZONE, 1),
        "side": _who("run_look", 2, "Seat that has the cards.", only=Only("zone", ("hand", "deck_top", "deck"))),
        "city": Key("City of the prizes.", "run_look", C, 3, only=Only("zone", ("prize",))),
        "n": Key("Number; the whole hand by default, elsewhere 1.", "run_look", A, 4,
                 only=Only("zone", ("hand", "deck_top", "prize"))),
        "as": Key("Name to which the cards are bound.", "run_look", V, 5),
    }),
    "reveal": Operation("show cards to all; when the ability ends, those left of a deck are milled, hand cards stay", {
        "zone": Key("Cards that are revealed.", "run_effect", Operand.ZONE, 1),
        "side": _who("run_reveal", 2, "Seat that has the cards."),
        "n": _some("run_reveal", 3, "Number; the whole hand by default, elsewhere 1."),
        "sel": _sel("Cards of a hand, in place of side, n and as.", 4),
        "as": Key("Name to which the cards are bound.", "run_reveal", V, 5),
    }),
    "put": Operation(
        "move cards between zones other than Cities; covers search the discard pile, take a revealed card, steal from "
        "a hand, rescue a Hero [CARD]", {
            "sel": _sel(), "to": Key("Zone that the cards go to.", "run_put", Operand.ZONE, 2),
            "who": _who("run_put", 3, "Seat that gets the cards.", only=Only("to", ("hand", "used"))),
            "city": Key("City on whose prizes the cards go.", "run_put", C, 4, only=Only("to", ("prize",))),
        }, _HELD,
    ),
    "shuffle": Operation("shuffle the discard pile into the deck", {"who": _who("run_simple")}),
    "deploy": Operation("put a Unit into a City [CARD, CITY]", {
        "sel": _sel(), "city": Key("City that the Unit goes to.", "city_open", C, 2),
        "side": _who("place_in_city", 3, "Side that the Unit goes to."),
        "pay": Key("Payment: none, the Cost, or the Cost less a number.", "deploy_cost", Operand.PAY, 4),
        "played": Key("The Unit counts as played.", "place_in_city", F, 6),
    }, ("hand", "discard", "deck_top", *LISTS)),
    "destroy": Operation("put Units from a City on the discard pile [UNIT]", {"sel": _sel()}, _CITY),
    "return": Operation("put Units from a City into the hand of their side (or of `who`), or on a deck [UNIT]", {
        "sel": _sel(), "to": Key("Zone that the Unit goes to.", "apply_to_card", Operand.ZONE, 2),
        "who": _who("apply_to_card", 3, "Seat that gets the Unit.", only=Only("to", ("hand",))),
    }, _CITY),
    "move": Operation("move Units to another City, on the same side [UNIT, CITY]", {
        "sel": _sel(), "city": Key("City that the Unit goes to.", "city_open", C, 2),
    }, _CITY),
    "seize": Operation("take Units of the other side to your side, which needs room [UNIT]", {"sel": _sel()}, _CITY),
    "give": Operation("give Units to the other side of the City", {"sel": _sel()}, _CITY),
    "swap": Operation("exchange two Units at once; limits are tested afterwards", {
        "a": _sel("First Unit.", 1, "place"), "b": _sel("Second Unit.", 2, "place"),
    }, _CITY),
    "enrage": Operation("enrage Units (OMEN-ENRAGE) [UNIT]", {"sel": _sel()}, _CITY),
    "unrage": Operation("turn Enraged Units face up", {"sel": _sel()}, _CITY),
    "run": Operation(
        "carry out the card's ability of the named hook as if it were yours; an ability never runs itself; each `run` "
        "counts as a triggered ability for OMENX-LOOP-01", {
            "sel": _sel(), "hook": Key("Hook of the ability.", "apply_to_card", Operand.HOOK, 2),
        },
    ),
    "take_prize": Operation("take the top prize of a City into the hand", {
        "city": Key("City.", "count_prize_cities", C, 1), "who": _who("run_prizes", 2),
    }),
    "ready_prize": Operation("put used prizes back into the hand", {"sel": _sel()}, ("used",)),
    "shed_prize": Operation("lay Rewards face down (only where the card says so, A-40)", {
        "who": _who("run_prizes"), "n": _some("run_prizes"),
    }),
    "relic": Operation("place a Relic from the side of the table, or send one back there", {
        "do": Key("Whether the Relic is placed or removed.", "place_next", Operand.REMOVED, 1),
        "sel": _sel("Cards.", 2, operand=Operand.RELIC_SEL),
        "city": Key("City that the Relic goes to.", "city_open", C, 3, only=Only("do", ("place",))),
    }),
    "claim": Operation("achieve a named Feat or take a Challenge regardless of its condition", {
        "kind": Key("Kind of the card.", "claim_options", Operand.OWN, 1),
        "sel": Key("Filter of the cards; any by default.", "claim_options", Operand.OWN, 2, use="match"),
    }),
    "mod": Operation("change a number", {
        "what": Key("Number that is changed.", "run_modifier", Operand.OWN, 1),
        "sel": Key("Cards that are changed.", "run_modifier", Operand.OWN, 3, "pick", Only("what", CARD_WHATS)),
        "who": Key("Seat whose number is changed; for the cost in a City, the only seat to which the change applies.",
                   "run_modifier", Operand.OWN, 3,
                   only=Only("what", (*SEAT_WHATS, "cost"))),
        "city": Key("City that is changed.", "run_modifier", Operand.OWN, 3, only=Only("what", (*CITY_WHATS, "cost"))),
        "by": Key("Amount that is added.", "add_modifier", Operand.OWN, 5),
        "set": Key("New value.", "add_modifier", Operand.OWN, 4),
        "for": Key(_LAST, "run_modifier", Operand.OWN, 6),
        "until": Key(_UNTIL, "run_modifier", Operand.OWN, 6),
    }),
    "grant": Operation("allow something more", {
        "what": Key("Permission.", "run_modifier", Operand.OWN, 1),
        "who": Key("Seat that gets the permission.", "run_modifier", Operand.OWN, 2,
                   only=Only("what", (*SEAT_GRANTS, "play_in"))),
        "n": Key("Number of additional uses.", "add_modifier", Operand.OWN, 3, only=Only("what", SEAT_GRANTS)),
        "for": Key(_LAST, "run_modifier", Operand.OWN, 4, only=Only("what", (*SEAT_GRANTS, "play_in"))),
        "until": Key(_UNTIL, "run_modifier", Operand.OWN, 4, only=Only("what", (*SEAT_GRANTS, "play_in"))),
        "sel": Key("Units that are used.", "run_modifier", Operand.OWN, 5, "pick", Only("what", ("portent_use",))),
        "step": Key(
            "Steps in which cards may be played.", "add_modifier", Operand.OWN, 6, only=Only("what", ("play_in",)),
        ),
    }),
    "forbid": Operation("forbid something to a seat, for cards, or in a City", {
        "what": Key("What is not allowed.", "run_modifier", Operand.OWN, 1),
        "who": Key("Seat to which the ban applies; with city, the ban applies to this seat only.", "run_modifier",
                   Operand.OWN, 3, only=Only("what", SEAT_FORBIDS)),
        "sel": Key("Cards to which the ban applies.", "run_modifier", Operand.OWN, 3, "pick",
                   Only("what", CARD_FORBIDS)),
        "city": Key("City that nothing may enter.", "run_modifier", Operand.OWN, 3, only=Only("what", ("enter",))),
        "for": Key(_LAST, "run_modifier", Operand.OWN, 4),
        "until": Key(_UNTIL, "run_modifier", Operand.OWN, 4),
    }),
    "cancel": Operation("cancel the `before` event; costs stay paid"),
    "replace": Operation("other effects happen instead", {
        "do": Key("Effects that happen in place of the event.", "run_simple", B, 1),
    }),
    "score": Operation("score points; only in `end_game`", {
        "who": _who("extra_points"), "n": _some("extra_points"),
    }),
    "choose": Operation("choose n different options [CHOOSE]", {
        "who": Key("Seat that chooses.", "run_control", Operand.OWN, 1),
        "n": Key("Number of options to choose.", "run_control", Operand.OWN, 2),
        "options": Key("Options, each with a label and effects.", "run_control", Operand.OWN, 3),
    }),
    "may": Operation("carry effects out, or skip them [MAY]", {
        "who": _who("run_control"), "do": Key("Effects of accepting.", "apply_control", B, 2),
    }),
    "pay": Operation("pay a cost to have effects, or decline [MAY]", {
        "who": _who("run_pay"), "cost": Key("Cost.", "run_pay", Operand.COST, 2),
        "then": Key("Effects if the cost is paid.", "run_pay", B, 3),
        "else": Key("Effects if the cost is not paid.", "run_pay", B, 4),
    }),
    "if": Operation("carry out some effects if a condition holds, others if not", {
        "cond": Key("Condition.", "run_control", P, 1),
        "then": Key("Effects if the condition holds.", "run_control", B, 2),
        "else": Key("Effects if the condition does not hold.", "run_control", B, 3),
    }),
    "for_each": Operation(
        "repeat effects for each Unit (in the controller's order), City (ascending) or seat (active first)", {
        "over": Key("Cards, cities or seats that the rounds go through.", "run_each", Operand.OVER, 1, use="each"),
        "as": Key("Name for the card, city or seat of a round.", "run_each", V, 3),
        "do": Key("Effects of each round.", "run_each", B, 4),
    }),
    "repeat": Operation("repeat effects; with `may` the controller may stop before each round", {
        "n": _some("run_control", 1), "do": Key("Effects that are repeated.", "run_control", B, 2),
        "may": Key("The controller may stop before each round.", "run_control", F, 3),
    }),
    "let": Operation("bind a number to a name", {
        "name": Key("Name of the number.", "run_control", V, 1),
        "amount": Key("Value of the number.", "run_control", A, 2),
    }),
    "name": Operation("the controller names something [NAME, COUNT]", {
        "what": Key("Kind of what is named.", "run_control", Operand.NAMED, 1),
        "as": Key("Name to which the choice is bound.", "apply_control", V, 2),
        "max": Key("Largest number that may be named.", "control_options", Operand.NUMBER, 3,
                   only=Only("what", ("number",))),
    }),
    "choose_city": Operation("the controller chooses a City [CITY]", {
        "as": Key("Name to which the City is bound.", "apply_control", V, 1),
        "city": Key("Cities to choose from: any, or all except here.", "control_options", C, 2),
        "cond": Key("Condition that a City must meet; in it, here means that City.", "control_options", P, 3),
    }),
    "counter": Operation("change the counter of a seat: 0 to 999, 0 at first, kept for the whole game, seen by all", {
        "who": _who("run_control"),
        "by": Key("Amount that is added.", "run_control", Operand.OWN, 3),
        "set": Key("New value.", "run_control", Operand.OWN, 2),
    }),
    "later": Operation(
        "carry effects out at the end of this turn, before the hand limit; names bound outside are unknown inside", {
        "do": Key("Effects at that time.", "defer", B, 1),
    }),
    "roll": Operation("roll a die with `sides` sides, seen by all [C-DIE]", {
        "sides": Key("Number of sides of the die.", "fill_outcomes", Operand.NUMBER, 1),
        "as": Key("Name to which the number is bound.", "apply_roll", V, 2),
    }),
    "resolve": Operation("resolve a City with prizes now, as in War, war-torn or not [CITY]", {
        "city": Key("City; the controller chooses among several.", "resolvable", C, 1),
    }),
}  # fmt: skip
GROUPS: dict[str, tuple[str, ...]] = {
    "Cards and coins": ("draw", "coins", "lose_coins", "take_coins", "discard", "look", "reveal", "put", "shuffle"),
    "Units in Cities": ("deploy", "destroy", "return", "move", "seize", "give", "swap", "enrage", "unrage", "run"),
    "Prizes, Feats, Relics": ("resolve", "take_prize", "ready_prize", "shed_prize", "relic", "claim"),
    "Lasting changes": ("mod", "grant", "forbid"),
    "Reactions and scoring": ("cancel", "replace", "score"),
    "Control": (
        "choose",
        "may",
        "pay",
        "if",
        "for_each",
        "repeat",
        "let",
        "name",
        "choose_city",
        "counter",
        "later",
        "roll",
    ),
}
"""The operations by the tables of RULES.md, section 10.9."""

# -- models -----------------------------------------------------------------------------------------------------------

_MEANINGS: dict[str, Mapping[str, str]] = {
    "Selector": SELECTOR_KEYS,
    "EventFilter": EVENT_KEYS,
    "Ability": ABILITY_KEYS,
}
"""Meanings of the keys of models that are not effects."""


class Described(CardModel):
    """A model whose keys have in the schema the meanings that the table of keys gives them."""

    @classmethod
    def meanings(cls) -> Mapping[str, str]:
        """Meanings of the keys, by their names in card files."""
        if "op" in cls.model_fields:
            (op,) = get_args(cls.model_fields["op"].annotation)
            return {name: key.meaning for name, key in OPERATIONS[op].keys.items()}
        return _MEANINGS[cls.__name__]

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, meaning in cls.meanings().items():
            if name in properties:
                properties[name]["description"] = meaning
        return schema
