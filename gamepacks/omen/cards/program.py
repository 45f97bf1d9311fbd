"""The vocabulary of card effects as numbers, and the layout of a compiled card set.

A :class:`Program` is a card set with all names resolved: flat arrays of integers that the interpreter reads. The names
are those of RULES.md, section 10; kinds, types, traits, zones, phases, events and causes are enums of the contract,
``omen.proto``. The build writes the same numbers as C constants to ``program_enums.pxd``.

*Nodes* lie in ``code``: a pointer is the index of a node's first number, 0 is "absent" (``code[0]`` is never a node). A
*list* is its length followed by its entries. A *block* is a list of pointers to effects.

References inside nodes:

=========  ==========================================================================================================
seat       a :class:`SeatRef`, or ``VAR + slot``; -1 for absent (only where the table says so)
city       a :class:`CityRef`, or ``VAR + slot``
slot       number of a variable of the ability, 0 to ``MAX_VARS - 1``; -1 for absent
amount     pointer to an amount node: an :class:`Amount`, then its operands
pred       pointer to a predicate node: a :class:`Pred`, then its operands
sel        pointer to a selector: ``len(SelectorField)`` numbers in the order of :class:`SelectorField`
evf        pointer to an event filter: ``len(EventFilterField)`` numbers in the order of :class:`EventFilterField`
effect     pointer to an effect node: an :class:`EffectKind`, then its operands
=========  ==========================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from gamepacks.omen.v1.omen_enums import EventType

C_CONSTANTS = {
    "MAX_VALUE": "", "MAX_VARS": "", "MAX_CARDS": "", "MAX_ABILITIES": "", "MAX_CITIES": "", "VAR": "",
    "EVF_LENGTH": "", "SEL_LENGTH": "", "CARD_LENGTH": "", "ABILITY_LENGTH": "", "Edition": "ED", "Hook": "H",
    "Turn": "TURN", "Limit": "LIMIT", "SeatRef": "SR", "CityRef": "CR", "Stat": "ST", "Cmp": "CMP", "Pick": "PICK",
    "Count": "N", "SelectorField": "S", "EventFilterField": "F", "Since": "SINCE", "Amount": "A", "Pred": "P",
    "CostKind": "COST", "PayKind": "PAY", "What": "W", "Target": "TG", "For": "FOR", "Over": "OVER", "NameKind": "NAME",
    "EffectKind": "E", "CardField": "CF", "AbilityField": "AF",
}  # fmt: skip
"""Prefixes of the C constants of ``program_enums.pxd``, see :mod:`cext.codegen`."""

MAX_VALUE = 30_000
"""The largest amount, and the most coins of a seat."""
MAX_ABILITIES = 6
"""Abilities of one card."""
MAX_VARS = 8
"""Variables of one ability."""
MAX_CARDS = 240
"""Physical cards of a game, all kinds and copies together."""
MAX_CITIES = 6
VAR = 16
"""Added to a variable's slot where a seat or City may stand."""


class Edition(IntEnum):
    """The edition of a card set."""

    OMEGA = 0
    TRAITS = 1


class Hook(IntEnum):
    """Moments at which abilities happen (section 10.5)."""

    ENTER = 0
    HAND_USE = 1
    PORTENT = 2
    USE = 3
    REACT = 4
    AUTO = 5
    OFFERED = 6
    DISCARDED = 7
    DESTROYED = 8
    STATIC = 9
    CLAIM = 10
    TRIUMPH = 11
    END_GAME = 12


class Turn(IntEnum):
    """Turns in which an ability works (key ``turn``)."""

    ANY = 0
    OWN = 1
    OPP = 2


class Limit(IntEnum):
    """Limits of the uses of an ability (key ``limit``)."""

    NONE = 0
    TURN = 1
    GAME = 2


class SeatRef(IntEnum):
    """References to seats."""

    YOU = 0
    OPP = 1
    EACH = 2
    """Both, the Active first; only as ``who`` of an effect."""
    ACTIVE = 3
    OPPOSING = 4
    ANY = 5
    """Only as ``side`` of a selector."""


class CityRef(IntEnum):
    """References to Cities."""

    ANY = 0
    HERE = 1
    OTHER = 2


class Stat(IntEnum):
    """Numbers of a Unit."""

    COST = 0
    OFFERING = 1
    STRENGTH = 2
    INVOKE = 3


class Cmp(IntEnum):
    """Comparisons."""

    EQ = 0
    NE = 1
    LT = 2
    LE = 3
    GT = 4
    GE = 5


class Pick(IntEnum):
    """The picking seat; ``HIGHEST + stat`` and ``LOWEST + stat`` for ``highest:STAT`` and ``lowest:STAT``."""

    DEFAULT = 0
    YOU = 1
    OPP = 2
    OWNER = 3
    RANDOM = 4
    HIGHEST = 8
    LOWEST = 12


class Count(IntEnum):
    """Meaning of the number ``n`` of a selector."""

    EXACT = 0
    UP_TO = 1
    ALL = 2


class SelectorField(IntEnum):
    """Numbers of a selector, in order."""

    ZONE = 0
    SIDE = 1
    """Seat; ANY for both."""
    OWNER = 2
    """Seat YOU or OPP; -1 absent."""
    CITY = 3
    KIND = 4
    """A Kind; -1 for prizes of either edition (``reward`` or ``krater`` alike give -1); default UNIT."""
    TYPE = 5
    """Mask; 0 absent; -1 - slot for a variable bound by ``name``."""
    NOT_TYPE = 6
    TRAIT = 7
    """Mask (one of these is enough); 0 absent; -1 - slot for a variable."""
    ENRAGED = 8
    """0 or 1; -1 absent."""
    IDS = 9
    """Pointer to a list of cards (indices into the table of cards); 0 absent."""
    COST = 10
    """Pointer to a list of comparisons: n, then n pairs (Cmp, amount); 0 absent."""
    OFFERING = 11
    STRENGTH = 12
    SELF = 13
    """0 absent; 1 ``self: true``; 2 ``not_self: true``."""
    SAME_AS = 14
    """Slot or -1."""
    NOT = 15
    """Slot or -1."""
    TOP = 16
    """Number of cards from the start of the zone that are searched; 0 absent."""
    WEIGH = 17
    COUNT = 18
    """A Count."""
    N = 19
    """Amount; 0 absent (1, or with ALL no number)."""
    PICK = 20
    AS = 21
    """Slot or -1."""


class EventFilterField(IntEnum):
    """Numbers of an event filter, in order."""

    TYPE = 0
    BY = 1
    """Seat or -1."""
    WHO = 2
    """Seat or -1."""
    CARD = 3
    """sel (its filters only) or 0."""
    CITY = 4
    """HERE, VAR + slot, or ANY for absent."""
    FROM = 5
    """A Zone or -1."""
    TO = 6
    """A Zone or -1."""
    CAUSE = 7
    """Mask of ``1 << Cause``; 0 absent."""
    SINCE = 8
    """A Since."""
    SUM = 9
    SELF = 10


class Since(IntEnum):
    """Periods from which events are counted (key ``since``)."""

    TURN = 0
    STEP = 1
    ABILITY = 2


class Amount(IntEnum):
    """First number of an amount node; its operands follow."""

    INT = 0
    """value"""
    COUNT = 1
    """sel"""
    UNITS = 2
    """sel"""
    STAT = 3
    """Stat, slot"""
    TOTAL = 4
    """Stat, sel"""
    COINS = 5
    """seat"""
    HAND = 6
    """seat"""
    DECK = 7
    PRIZES = 8
    """city"""
    FEATS = 9
    """seat"""
    TURN = 10
    CITIES = 11
    """pred"""
    EVENTS = 12
    """evf"""
    VAR = 13
    """slot"""
    ADD = 14
    """n, then n amounts (so MIN and MAX)"""
    MIN = 15
    MAX = 16
    SUB = 17
    """amount, amount"""
    MUL = 18
    """amount, value"""
    HALF_DOWN = 19
    """amount"""
    HALF_UP = 20
    """amount"""
    COUNTER = 21
    """seat"""


class Pred(IntEnum):
    """First number of a predicate node; its operands follow."""

    ALL = 0
    """n, then n preds (so ANY)"""
    ANY = 1
    NOT = 2
    """pred"""
    CMP = 3
    """amount, Cmp, amount"""
    EXISTS = 4
    """sel (its ``n`` counts, by weight with WEIGH)"""
    EACH_CITY = 5
    """pred"""
    SOME_CITY = 6
    """pred"""
    HAPPENED = 7
    """evf, Cmp, amount"""
    IS = 8
    """slot, sel (its filters only)"""
    STEP = 9
    """mask of steps"""
    TURN_OF = 10
    """seat"""
    FIRST_TURN = 11
    WAR_TORN = 12
    """city"""
    DEPLETED = 13
    """city"""


class CostKind(IntEnum):
    """A cost is two numbers: one of these, then an amount (COINS) or a sel. Pointer 0: no cost."""

    COINS = 0
    DISCARD = 1
    DESTROY = 2
    RETURN = 3


class PayKind(IntEnum):
    """Payment of a deployed Unit."""

    FREE = 0
    FULL = 1
    LESS = 2


class What(IntEnum):
    """Values and permissions that a modifier changes."""

    COST = 0
    INVOKE = 1
    OFFERING = 2
    STRENGTH = 3
    WEIGHT = 4
    KEEP_WEIGHT = 5
    TYPE = 6
    """A set value is a UnitType."""
    WEALTH_ACTIONS = 7
    PRIZE_USES = 8
    OFFERINGS = 9
    HAND_LIMIT = 10
    COIN_LIMIT = 11
    CITY_LIMIT = 12
    WAR_TOTAL = 13
    WAR_OPPOSING = 14
    NEVER_WAR = 15
    # Granted (op grant):
    CHALLENGES = 16
    PORTENT_USE = 17
    PLAY_IN = 18
    # Forbidden (op forbid):
    PLAY = 19
    HAND_USE = 20
    USE_INVOKE = 21
    USE_PRIZE = 22
    DRAW = 23
    COINS = 24
    OFFER = 25
    ENTER = 26
    MOVE = 27
    DESTROY = 28
    DISCARD = 29
    ENRAGE = 30
    # Granted as well:
    WIN_TIES = 31
    EXTRA_TURN = 32


class Target(IntEnum):
    """Target of a modifier; the operand after it is a sel, seat or city."""

    SEL = 0
    SEAT = 1
    CITY = 2


class For(IntEnum):
    """Duration of a modifier."""

    WAR = 0
    """This City's resolution."""
    STEP = 1
    TURN = 2
    """To the end of this turn."""
    NEXT_OWN_TURN = 3
    """To the end of the controller's next turn."""
    STATIC = 4
    YOUR_NEXT_TURN = 5
    """Until the controller's next turn begins."""


class Over(IntEnum):
    """Kinds of things over which for_each iterates."""

    SEL = 0
    CITIES = 1
    SEATS = 2


class NameKind(IntEnum):
    """Kinds of things that a seat names."""

    TYPE = 0
    TRAIT = 1
    NUMBER = 2
    SEAT = 3


class EffectKind(IntEnum):
    """First number of an effect node; its operands follow. ``who`` is a seat; a block pointer may be 0 where empty."""

    DRAW = 0
    """who, n amount, optional 0/1"""
    COINS = 1
    """who, amount"""
    LOSE_COINS = 2
    """who, amount"""
    TAKE_COINS = 3
    """from seat, amount"""
    DISCARD = 4
    """sel"""
    LOOK = 5
    """Zone DECK_TOP, HAND or PRIZE; side seat; city; amount (0: default); as slot"""
    REVEAL = 6
    """Zone DECK_TOP or HAND; side seat; amount (0: default); sel or 0; as slot"""
    PUT = 7
    """sel, Zone HAND/DECK_TOP/DECK_BOTTOM/DISCARD/USED/OUT, who"""
    SHUFFLE = 8
    """who"""
    DEPLOY = 9
    """sel, city, side seat, PayKind, amount (for LESS), played 0/1"""
    DESTROY = 10
    """sel"""
    RETURN = 11
    """sel, Zone HAND/DECK_TOP/DECK_BOTTOM, who (-1: the seat on whose side it was)"""
    MOVE = 12
    """sel, city"""
    SEIZE = 13
    """sel"""
    GIVE = 14
    """sel"""
    SWAP = 15
    """sel, sel"""
    ENRAGE = 16
    """sel"""
    UNRAGE = 17
    """sel"""
    RUN = 18
    """sel, Hook"""
    TAKE_PRIZE = 19
    """city, who"""
    READY_PRIZE = 20
    """sel"""
    SHED_PRIZE = 21
    """who, amount"""
    RELIC = 22
    """0 place / 1 remove, sel, city"""
    CLAIM = 23
    """Kind FEAT or CHALLENGE, sel (0: any of them)"""
    MOD = 24
    """What, Target, its operand, 0 by / 1 set, amount, For; for a City, the only seat for which it holds (-1: both)."""
    GRANT = 25
    """What, who, amount, For, sel (PORTENT_USE; else 0), mask of steps (PLAY_IN; else 0)."""
    FORBID = 26
    """What, Target, its operand, For; for a City, the only seat for which it holds (-1: both)."""
    CANCEL = 27
    REPLACE = 28
    """block"""
    SCORE = 29
    """who, amount"""
    CHOOSE = 30
    """who, n (a plain number), number of options, then per option: label index, block"""
    MAY = 31
    """who, block"""
    PAY = 32
    """who, cost pointer, then block, else block"""
    IF = 33
    """pred, then block, else block"""
    FOR_EACH = 34
    """Over, sel or 0, slot, block"""
    REPEAT = 35
    """amount, block, may 0/1"""
    LET = 36
    """slot, amount"""
    NAME = 37
    """NameKind, slot, largest number (for NUMBER)"""
    CHOOSE_CITY = 38
    """slot, city (ANY, HERE excluded with OTHER), pred or 0 (tested with each City as HERE)"""
    RESOLVE = 39
    """city"""
    COUNTER = 40
    """who, 0 by / 1 set, amount"""
    LATER = 41
    """block"""
    ROLL = 42
    """sides (a plain number), slot"""


BEFORE = frozenset(
    {
        EventType.ENTER, EventType.PLAY, EventType.DISCARD, EventType.DESTROY, EventType.RETURN_HAND,
        EventType.LOSE_COINS, EventType.TAKE_COINS, EventType.ABILITY, EventType.WAR_BEGIN, EventType.PRIZE_USED,
        EventType.ENRAGE,
    }
)  # fmt: skip
"""Events to which a ``before`` reaction is allowed (section 10.5)."""


class CardField(IntEnum):
    """Numbers of a card, in order."""

    KIND = 0
    TYPE = 1
    COST = 2
    OFFERING = 3
    STRENGTH = 4
    INVOKE = 5
    TRAITS = 6
    HOLD_POINTS = 7
    COPIES = 8
    """Physical copies; a Feat has one for each seat (the engine sees to that: 1 here)."""
    FIRST_ABILITY = 9
    ABILITIES = 10
    """Number of abilities, in printed order (a Spirit's ``a`` before its ``b``)."""


class AbilityField(IntEnum):
    """Numbers of an ability, in order."""

    HOOK = 0
    CARD = 1
    """Index of its card."""
    LABEL = 2
    """Index into labels; -1 absent."""
    MAY = 3
    WHEN = 4
    """pred or 0"""
    IN = 5
    """A Zone: where a static, use, react, auto or end_game ability works; the compiler writes the default (10.5):
    CITY for Units and Relics, HAND for Heroes, Whims and prizes."""
    STEPS = 6
    """Mask of steps; 0 for any."""
    TURN = 7
    EVENT = 8
    """evf or 0"""
    BEFORE = 9
    """1 for timing before."""
    LIMIT = 10
    COST = 11
    """Pointer to a cost or 0."""
    COND = 12
    """pred or 0"""
    DO = 13
    """block or 0"""
    VARS = 14
    """Variables used."""


SEL_LENGTH = len(SelectorField)
EVF_LENGTH = len(EventFilterField)
CARD_LENGTH = len(CardField)
ABILITY_LENGTH = len(AbilityField)


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled card set. Cards are in canonical order: by kind, then by id; a card is identified by its index."""

    edition: Edition
    cards: tuple[int, ...]
    """``len(CardField)`` numbers for each card."""
    abilities: tuple[int, ...]
    """``len(AbilityField)`` numbers for each ability; those of a card side by side."""
    code: tuple[int, ...]
    """The numbers of all nodes."""
    labels: tuple[str, ...]
    """Texts of choices, for people."""
    events_asked: int
    """Mask of ``1 << EventType``: the types that conditions and amounts refer to; only these are logged."""

    @property
    def card_count(self) -> int:
        return len(self.cards) // len(CardField)


class Heap:
    """Memory to which a compiler writes nodes."""

    def __init__(self) -> None:
        self.code: list[int] = [0]

    def node(self, *numbers: int) -> int:
        """Write a node; returns its pointer."""
        pointer = len(self.code)
        self.code.extend(numbers)
        return pointer

    def list(self, entries: Sequence[int] | Iterable[int]) -> int:
        """Write a list; returns its pointer."""
        numbers = [*entries]
        return self.node(len(numbers), *numbers)
