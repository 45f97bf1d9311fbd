"""Tables of the card language: hooks, operations, selectors and event filters, with their keys and who reads them.

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
    """Two numbers: how it is paid for, and an amount."""
    OVER = auto()
    """Two numbers: what is gone through, and a selector."""
    REMOVED = auto()
    """0 place, 1 remove."""
    OWN = auto()
    """Laid out by the compiler in a way of its own."""


@dataclass(frozen=True, slots=True)
class Only:
    """A key is read only where another key has one of these values."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what it means, and what reads it."""

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
class Hook:
    """A moment at which abilities happen."""

    on: str
    """On which cards, for people."""
    cards: tuple[str, ...]
    """On which cards the engine looks for it: types of Units, ``trait`` for a Unit of ``traits``, other kinds."""
    happens: str
    needs: tuple[str, ...]
    keys: dict[str, Key]


S, A, C, V = Operand.SEAT, Operand.AMOUNT, Operand.CITY, Operand.SLOT
SEL, B, P, F = Operand.SEL, Operand.BLOCK, Operand.PRED, Operand.FLAG

# -- abilities ---------------------------------------------------------------------------------------------------------

ABILITY_KEYS = {
    "label": "Names the two abilities of a Spirit, a and b.",
    "may": "The controller may leave it.",
    "when": "Tested when it would happen or be offered.",
    "in": "Where its card must lie.",
    "step": "In which steps of a turn.",
    "turn": "In whose turn.",
    "event": "The event that it waits for, or what the event must be like.",
    "timing": "Before the event, which then can be cancelled or replaced, or after it.",
    "limit": "Once in a turn, or in the game.",
    "cost": "Paid before it is carried out.",
    "cond": "Tested when it is carried out; of a claim or triumph, its condition.",
    "do": "What happens.",
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
    "limit": "not_used_up",
    "may": "run_ability",
}
_USED = {
    "when": "usable",
    "step": "usable",
    "turn": "usable",
    "limit": "not_used_up",
}
_UNITS = ("soldier", "beast", "oracle", "spirit", "hero")
_STEPS_OF_TRAITS = ("wealth", "surge", "portent", "war", "offering")


def _only(keys: dict[str, Key], **values: tuple[str, ...]) -> dict[str, Key]:
    return {
        name: Key(key.meaning, key.reader, use=key.use, values=values.get(name.rstrip("_"), ()))
        for name, key in keys.items()
    }


HOOKS: dict[str, Hook] = {
    "enter": Hook(
        "Soldier; Spirit (two, labels `a`, `b`); BOLSTER", ("soldier", "spirit", "trait"),
        "when the card enters a side", ("do",), _carried_out(label="", **_SOURCE),
    ),
    "hand_use": Hook(
        "Beast; JILT", (*_UNITS, "trait"),
        "main action in Surge; Cost paid; card in `resolving` until done", ("do",),
        _ability(
            when="next_ability", limit="not_used_up", cond="run_ability", do="run_ability"
        ),
    ),
    "portent": Hook(
        "Oracle; GLEAN", ("oracle", "trait"), "Portent step, once", ("do",),
        _carried_out(when="next_ability", limit="not_used_up", may="run_ability"),
    ),
    "use": Hook(
        "Reward, Krater, Whim, Hero, Relic; other Units as Heroes are", (*_UNITS, "reward", "krater", "whim", "relic"),
        "owner's choice in the named `step` and `turn` (prizes: own Surge)", ("do",), _carried_out(**_USED),
    ),
    "react": Hook(
        "Hero, Whim, Relic; other Units as Heroes are", (*_UNITS, "whim", "relic"), "owner's choice at `event`",
        ("event", "timing", "do"), _carried_out(event="usable", timing="usable", **_USED),
    ),
    "auto": Hook(
        "Soldier, Oracle, Spirit in a City; Relic", ("soldier", "oracle", "spirit", "relic"),
        "automatically after `event`", ("event", "do"),
        _carried_out(
            event="queue_auto", when="queue_auto", step="queue_auto", turn="queue_auto",
            limit="not_used_up", may="run_ability",
        ),
    ),
    "offered": Hook(
        "any Unit of `omega`", _UNITS, "this card is the Offering; after the benefits", ("do",),
        _carried_out(when="enqueue_hook", limit="not_used_up", may="run_ability"),
    ),
    "discarded": Hook(
        "any Unit of `omega`", _UNITS, "this card is discarded from hand; `event` may narrow how and by whom", ("do",),
        _carried_out(event="enqueue_hook", **_SOURCE),
    ),
    "destroyed": Hook(
        "Soldier, Oracle, Spirit, not Enraged", ("soldier", "oracle", "spirit"),
        "this card goes from a City to the discard pile", ("do",), _carried_out(**_SOURCE),
    ),
    "static": Hook(
        "Soldier, Oracle, Spirit in a City; Relic; Units, prizes and Whims in a hand",
        (*_UNITS, "reward", "whim", "relic"), "continuously while its card lies where `in` says", ("do",),
        _only(
            _ability(**dict.fromkeys(("when", "in_", "do"), "collect_static_changes")),
            **{"in": ("city", "hand")},
        ),
    ),
    "claim": Hook(
        "Feat, Challenge", ("feat", "challenge"), "tested in its step", ("cond",), _ability(cond="met_claims"),
    ),
    "triumph": Hook(
        "TRIUMPH", ("trait",), "tested in `step`", ("step", "cond"),
        _only(_ability(step="triumphs", cond="triumphs"), step=_STEPS_OF_TRAITS),
    ),
    "end_game": Hook(
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
IN_A_CITY = ("enter", "portent", "auto", "destroyed")
"""Hooks that work where the card lies in a City; besides static and end_game with ``in: city``."""

# -- selectors ---------------------------------------------------------------------------------------------------------

SELECTOR_KEYS = {
    "zone": "Where; left out only where a card is compared, not sought.",
    "side": "Whose: you, opp, any, or a variable.",
    "owner": "Whose deck it started in (drafts).",
    "city": "In which City: here, other, any, or a variable.",
    "kind": "Kind of card; unit, and in the zone used a prize.",
    "type": "Current type: one of these, or a named one.",
    "not_type": "Current type: none of these.",
    "trait": "Has one of these traits, or a named one.",
    "enraged": "Is it Enraged?",
    "id": "One of these cards.",
    "cost": "Its Cost compared with numbers.",
    "offering": "Its Offering compared with numbers.",
    "strength": "Its Strength compared with numbers.",
    "self": "The card of the ability itself (or, if false, not).",
    "not_self": "Any card but that of the ability itself.",
    "same_as": "One of those bound to this name.",
    "not": "None of those bound to this name.",
    "top": "Only the first so many of the pile.",
    "weigh": "Counted by weight.",
    "n": "How many; one if left out.",
    "pick": "Who picks, or by what.",
    "as": "Binds what was picked to a name.",
}
_FILTERS = dict.fromkeys(
    ("kind", "type", "not_type", "trait", "enraged", "id", "cost", "offering", "strength"), "filters"
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
    "static": ("a static change", _uses(_LYING | {"n": "run_lasting"}, n=("all",))),
}  # fmt: skip
"""Uses of selectors, and the keys that each reads."""
CONSTANTS = {"id": "IDS", "not_self": "SELF", "n": "N"}
"""Keys of selectors whose number in the program has another name."""
LISTS = ("set", "reveal")
"""Zones that are lists of the ability: whose they are, and how many lie on top, means nothing there."""
SIDED = ("city", "hand", "discard", "deck_top", "used")

# -- event filters -----------------------------------------------------------------------------------------------------

EVENT_KEYS = {
    "type": "What happens.",
    "by": "Whose card or action causes it.",
    "who": "To whom it happens.",
    "card": "What the card of the event is like.",
    "city": "Where it happens.",
    "from": "From which zone.",
    "to": "To which zone.",
    "cause": "Causes, one of these.",
    "since": "Since when: this turn, this step, or the beginning of the ability.",
    "sum": "Adds up the numbers of the events (coins) instead of counting them.",
    "self": "It happens to the card of the ability itself.",
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


def _sel(meaning: str = "Which.", at: int = 1, use: str = "pick", operand: Operand = SEL) -> Key:
    return Key(meaning, _PICK, operand, at, use=use)


def _who(reader: str, at: int = 1, meaning: str = "Who.", only: Only | None = None) -> Key:
    return Key(meaning, reader, S, at, only=only)


def _some(reader: str, at: int = 2, meaning: str = "How many.") -> Key:
    return Key(meaning, reader, A, at)


_LAST = "How long; this turn if left out."
_UNTIL = "The end of this turn (as for: turn), or the beginning of the controller's next turn."
CARD_WHATS = ("cost", "invoke", "offering", "strength", "weight", "keep_weight", "type")
SEAT_WHATS = ("wealth_actions", "prize_uses", "offerings", "hand_limit", "coin_limit")
CITY_WHATS = ("city_limit", "war_total", "war_opposing", "never_war")
SEAT_GRANTS = ("wealth_action", "prize_use", "offering", "challenge", "win_ties", "extra_turn")
SEAT_FORBIDS = ("play", "hand_use", "invoke", "use_prize", "draw", "coins", "offer", "enter")
CARD_FORBIDS = ("play", "hand_use", "invoke", "use_prize", "enter", "move", "destroy", "discard", "enrage")
OPERATIONS: dict[str, Operation] = {
    "draw": Operation("n single draws; `optional: true` = up to n [MAY]", {
        "who": _who("run_plain"), "n": _some("run_plain"),
        "optional": Key("Asked before each draw.", "run_plain", F, 3),
    }),
    "coins": Operation("gain from the supply", {"who": _who("run_plain"), "n": _some("run_plain")}),
    "lose_coins": Operation("to the supply", {"who": _who("run_plain"), "n": _some("run_plain")}),
    "take_coins": Operation("from that seat to you", {
        "from": _who("run_plain", meaning="Whose coins."), "n": _some("run_plain"),
    }),
    "discard": Operation(
        "to the discard pile; the hand's owner picks unless `pick` says otherwise [CARD, C-HAND]", {"sel": _sel()},
        ("hand",),
    ),
    "look": Operation("see cards alone; `deck` is the whole deck, which is shuffled when the ability ends", {
        "zone": Key("What.", "run_look", Operand.ZONE, 1),
        "side": _who("run_look", 2, "Whose.", only=Only("zone", ("hand", "deck_top", "deck"))),
        "city": Key("Of which City.", "run_look", C, 3, only=Only("zone", ("prize",))),
        "n": Key("How many; the whole hand, else 1, if left out.", "run_look", A, 4,
                 only=Only("zone", ("hand", "deck_top", "prize"))),
        "as": Key("Binds them to a name.", "run_look", V, 5),
    }),
    "reveal": Operation("all see cards; leftovers from a deck are milled when the ability ends, hand cards stay", {
        "zone": Key("What.", "run_effect", Operand.ZONE, 1),
        "side": _who("run_reveal", 2, "Whose."),
        "n": _some("run_reveal", 3, "How many; the whole hand, else 1, if left out."),
        "sel": _sel("Which cards of a hand, instead of side, n and as.", 4),
        "as": Key("Binds them to a name.", "run_reveal", V, 5),
    }),
    "put": Operation(
        "move cards between zones other than Cities; covers search the discard pile, take a revealed card, steal from "
        "a hand, rescue a Hero [CARD]", {
            "sel": _sel(), "to": Key("Where to.", "run_put", Operand.ZONE, 2),
            "who": _who("run_put", 3, "To whom.", only=Only("to", ("hand", "used"))),
            "city": Key("On which City, on top.", "run_put", C, 4, only=Only("to", ("prize",))),
        }, _HELD,
    ),
    "shuffle": Operation("discard pile into deck", {"who": _who("run_plain")}),
    "deploy": Operation("put a Unit into a City [CARD, CITY]", {
        "sel": _sel(), "city": Key("Where to.", "city_open", C, 2),
        "side": _who("place", 3, "On whose side."),
        "pay": Key("Free, for its Cost, or for so much less.", "deploy_cost", Operand.PAY, 4),
        "played": Key("It counts as played.", "place", F, 6),
    }, ("hand", "discard", "deck_top", *LISTS)),
    "destroy": Operation("City → discard pile [UNIT]", {"sel": _sel()}, _CITY),
    "return": Operation("City → hand of the seat on whose side it was (or `who`), or deck [UNIT]", {
        "sel": _sel(), "to": Key("Where to.", "apply_to_card", Operand.ZONE, 2),
        "who": _who("apply_to_card", 3, "To whom.", only=Only("to", ("hand",))),
    }, _CITY),
    "move": Operation("to another City, same side [UNIT, CITY]", {
        "sel": _sel(), "city": Key("Where to.", "city_open", C, 2),
    }, _CITY),
    "seize": Operation("same City, to your side (needs room) [UNIT]", {"sel": _sel()}, _CITY),
    "give": Operation("same City, to the other side", {"sel": _sel()}, _CITY),
    "swap": Operation("both moves at once, limits tested after", {
        "a": _sel("The one.", 1, "place"), "b": _sel("The other.", 2, "place"),
    }, _CITY),
    "enrage": Operation("OMEN-ENRAGE [UNIT]", {"sel": _sel()}, _CITY),
    "unrage": Operation("an Enraged Unit turns face up", {"sel": _sel()}, _CITY),
    "run": Operation(
        "carry out that card's ability of that hook as if it were yours; never itself; each `run` counts as a "
        "triggered ability for OMENX-LOOP-01", {
            "sel": _sel(), "hook": Key("Which ability.", "apply_to_card", Operand.HOOK, 2),
        },
    ),
    "take_prize": Operation("top prize into hand", {
        "city": Key("Of which City.", "prize_cities", C, 1), "who": _who("run_prizes", 2),
    }),
    "ready_prize": Operation("back to hand", {"sel": _sel()}, ("used",)),
    "shed_prize": Operation("lay Rewards face down (only where the card says so, A-40)", {
        "who": _who("run_prizes"), "n": _some("run_prizes"),
    }),
    "relic": Operation("place from the side or send back", {
        "do": Key("Place or remove.", "place_next", Operand.REMOVED, 1),
        "sel": _sel("Which.", 2, operand=Operand.RELIC_SEL),
        "city": Key("Where to.", "city_open", C, 3, only=Only("do", ("place",))),
    }),
    "claim": Operation("achieve a named Feat or take a Challenge regardless of its condition", {
        "kind": Key("Of which kind.", "claim_options", Operand.OWN, 1),
        "sel": Key("Which; any of them if left out.", "claim_options", Operand.OWN, 2, use="match"),
    }),
    "mod": Operation("change a number", {
        "what": Key("What is changed.", "run_lasting", Operand.OWN, 1),
        "sel": Key("Of which cards.", "run_lasting", Operand.OWN, 3, use="pick", only=Only("what", CARD_WHATS)),
        "who": Key("Of whom; of the cost in a City, for whom alone.", "run_lasting", Operand.OWN, 3,
                   only=Only("what", (*SEAT_WHATS, "cost"))),
        "city": Key("Of which City.", "run_lasting", Operand.OWN, 3, only=Only("what", (*CITY_WHATS, "cost"))),
        "by": Key("So much more.", "add", Operand.OWN, 5),
        "set": Key("So much.", "add", Operand.OWN, 4),
        "for": Key(_LAST, "run_lasting", Operand.OWN, 6),
        "until": Key(_UNTIL, "run_lasting", Operand.OWN, 6),
    }),
    "grant": Operation("allow something more", {
        "what": Key("What is allowed.", "run_lasting", Operand.OWN, 1),
        "who": Key("To whom.", "run_lasting", Operand.OWN, 2, only=Only("what", (*SEAT_GRANTS, "play_in"))),
        "n": Key("How many more.", "add", Operand.OWN, 3, only=Only("what", SEAT_GRANTS)),
        "for": Key(_LAST, "run_lasting", Operand.OWN, 4, only=Only("what", (*SEAT_GRANTS, "play_in"))),
        "until": Key(_UNTIL, "run_lasting", Operand.OWN, 4, only=Only("what", (*SEAT_GRANTS, "play_in"))),
        "sel": Key("Which Units.", "run_lasting", Operand.OWN, 5, "pick", Only("what", ("portent_use",))),
        "step": Key("In which steps.", "add", Operand.OWN, 6, only=Only("what", ("play_in",))),
    }),
    "forbid": Operation("forbid something to a seat, for cards, or in a City", {
        "what": Key("What is forbidden.", "run_lasting", Operand.OWN, 1),
        "who": Key("To whom; with city, to whom alone.", "run_lasting", Operand.OWN, 3,
                   only=Only("what", SEAT_FORBIDS)),
        "sel": Key("For which cards.", "run_lasting", Operand.OWN, 3, "pick", Only("what", CARD_FORBIDS)),
        "city": Key("Into which City.", "run_lasting", Operand.OWN, 3, only=Only("what", ("enter",))),
        "for": Key(_LAST, "run_lasting", Operand.OWN, 4),
        "until": Key(_UNTIL, "run_lasting", Operand.OWN, 4),
    }),
    "cancel": Operation("the `before` event does not happen (costs stay paid)"),
    "replace": Operation("other effects happen instead", {"do": Key("What happens.", "run_plain", B, 1)}),
    "score": Operation("points; only in `end_game`", {
        "who": _who("extra_points"), "n": _some("extra_points"),
    }),
    "choose": Operation("choose n different options [CHOOSE]", {
        "who": Key("Who chooses.", "run_control", Operand.OWN, 1),
        "n": Key("How many.", "run_control", Operand.OWN, 2),
        "options": Key("Each with a label and what it does.", "run_control", Operand.OWN, 3),
    }),
    "may": Operation("do it or skip it [MAY]", {
        "who": _who("run_control"), "do": Key("What may be done.", "apply_control", B, 2),
    }),
    "pay": Operation("may pay; if paid, `then` [MAY]", {
        "who": _who("run_pay"), "cost": Key("What is paid.", "run_pay", Operand.COST, 2),
        "then": Key("If it was paid.", "run_pay", B, 3), "else": Key("If not.", "run_pay", B, 4),
    }),
    "if": Operation("do it if something holds", {
        "cond": Key("What must hold.", "run_control", P, 1),
        "then": Key("If it holds.", "run_control", B, 2), "else": Key("If not.", "run_control", B, 3),
    }),
    "for_each": Operation("controller orders Units, Cities ascending, seats Active first", {
        "over": Key("Cards, cities or seats.", "run_each", Operand.OVER, 1, use="each"),
        "as": Key("Names the one of this round.", "run_each", V, 3),
        "do": Key("What happens in each round.", "run_each", B, 4),
    }),
    "repeat": Operation("with `may`, asked before each round", {
        "n": _some("run_control", 1), "do": Key("What is repeated.", "run_control", B, 2),
        "may": Key("Asked before each round.", "run_control", F, 3),
    }),
    "let": Operation("fixes a number now", {
        "name": Key("Its name.", "run_control", V, 1),
        "amount": Key("The number.", "run_control", A, 2),
    }),
    "name": Operation("the controller names something [NAME, COUNT]", {
        "what": Key("What is named.", "run_control", Operand.NAMED, 1),
        "as": Key("Its name.", "apply_control", V, 2),
        "max": Key("The largest number that may be named.", "control_options", Operand.NUMBER, 3,
                   only=Only("what", ("number",))),
    }),
    "choose_city": Operation("the controller chooses a City [CITY]", {
        "as": Key("Its name.", "apply_control", V, 1),
        "city": Key("Any, or another than here.", "control_options", C, 2),
        "cond": Key("Must hold for it; here is the City.", "control_options", P, 3),
    }),
    "counter": Operation("a number that each seat has for the whole game, 0 to 999, at first 0, and everyone sees", {
        "who": _who("run_control"),
        "by": Key("So much more.", "run_control", Operand.OWN, 3),
        "set": Key("So much.", "run_control", Operand.OWN, 2),
    }),
    "later": Operation("at the end of this turn, before the hand limit; names bound outside mean nothing inside", {
        "do": Key("What happens then.", "defer", B, 1),
    }),
    "roll": Operation("a number from 1 to `sides`, each as likely; everyone sees it [C-DIE]", {
        "sides": Key("Sides of the die.", "fill_outcomes", Operand.NUMBER, 1),
        "as": Key("Names the number.", "apply_roll", V, 2),
    }),
    "resolve": Operation("resolve a City with prizes now, as in War, war-torn or not [CITY]", {
        "city": Key("Which; among several the controller chooses.", "resolvable", C, 1),
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
"""Meanings of the keys of models that are no effects."""


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
