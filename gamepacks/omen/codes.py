"""Action codes, queued triggers, piles and reasons of refusals.

Phases, decisions, modes and benefits are enums of the contract, ``omen.proto``. Action codes are in every log: they
stay as long as the rules version does. The build writes the numbers as C constants to ``codes_enums.pxd``. Cards are
indices into the table of cards of the compiled set (:mod:`gamepacks.omen.cards.program`).

A *place* names a Unit in a City: seat, City (from 0), card, and its number among Units of that card there that differ
in something else (``nth``; identical copies are one option).
"""

from __future__ import annotations

from enum import IntEnum, IntFlag, StrEnum

from gamepacks.api.codes import CodeBook, Verb

C_CONSTANTS = {
    "NONE": "", "EVERYONE": "", "PRIZE_POINTS": "", "TRIUMPH_POINTS": "", "FEAT_POINTS": "", "CHALLENGE_POINTS": "",
    "DRAFT_ROUNDS": "", "DRAFT_ROW": "", "DRAFT_ROWS": "", "MAX_WHIMS": "", "MAX_COUNTER": "",
    "Stage": "STAGE", "End": "END", "Trigger": "Q", "Pile": "PILE", "BOOK": "V",
}  # fmt: skip
"""Prefixes of the C constants of ``codes_enums.pxd``, see :mod:`cext.codegen`."""

NONE = 255
"""Stands for no card, no seat, no City."""
EVERYONE = 7
"""Bits of all viewers who may know a card: both seats and the spectator."""
PRIZE_POINTS = 2
"""Points of a prize in hand (OMEN-SCORE-01)."""
TRIUMPH_POINTS = 2
"""Points of a Unit in the Rewards area (OMENT-TRIUMPH-05)."""
FEAT_POINTS = 2
"""Points of an achieved Feat that is not rotated."""
CHALLENGE_POINTS = 3
"""Points of a Challenge taken."""
DRAFT_ROUNDS = 10
"""Rounds of the draft ``keep2of3`` (OMEN-DRAFT-04)."""
DRAFT_ROW = 20
"""Units in a row of the draft ``open20`` (OMEN-DRAFT-06)."""
DRAFT_ROWS = 3
"""Rows of the draft ``open20``, one after the other."""
MAX_WHIMS = 3
"""Whims that the second player may take (OMEN-WHIM-02)."""
MAX_COUNTER = 999
"""The largest number on a seat's counter."""


_PLACE = {"seat": 1, "city": 3, "card": 8, "nth": 4}

BOOK = CodeBook(
    DRAWN := Verb("DRAWN", card=8),
    PRIZE := Verb("PRIZE", card=8),
    WHIM := Verb("WHIM", card=8),
    DEALT := Verb("DEALT", card=8),
    RANDOM := Verb("RANDOM", card=8),
    FIRST := Verb("FIRST", seat=1),
    # Set-up.
    EMISSARY := Verb("EMISSARY", card=8),
    PASS_ON := Verb("PASS_ON", card=8),
    PICK := Verb("PICK", card=8),
    WHIM_DRAW := Verb("WHIM_DRAW"),
    WHIM_STOP := Verb("WHIM_STOP"),
    WHIM_PASS := Verb("WHIM_PASS", card=8),
    WHIM_KEEP := Verb("WHIM_KEEP"),
    # The turn.
    WEALTH := Verb("WEALTH", benefit=2),
    SURGE := Verb("SURGE", card=8, nth=4),
    SURGE_END := Verb("SURGE_END"),
    MODE := Verb("MODE", mode=3),
    CITY := Verb("CITY", city=3),
    SPIRIT := Verb("SPIRIT", which=1),
    PORTENT := Verb("PORTENT", **_PLACE),
    FEAT := Verb("FEAT", card=8),
    FEAT_DONE := Verb("FEAT_DONE"),
    ROTATE := Verb("ROTATE", card=8),
    ROTATE_NONE := Verb("ROTATE_NONE"),
    RELIC := Verb("RELIC", card=8),
    CHALLENGE := Verb("CHALLENGE", card=8),
    CHALLENGE_NONE := Verb("CHALLENGE_NONE"),
    WAR_CITY := Verb("WAR_CITY", city=3),
    KEEP := Verb("KEEP", units=24),
    OFFER := Verb("OFFER", card=8, nth=4),
    OFFER_NONE := Verb("OFFER_NONE"),
    SPLIT := Verb("SPLIT", benefit=2),
    LIMIT := Verb("LIMIT", card=8, nth=4),
    TRIUMPH := Verb("TRIUMPH", **_PLACE),
    # Effects.
    UNIT := Verb("UNIT", **_PLACE),
    CARD := Verb("CARD", card=8, nth=4),
    STOP := Verb("STOP"),
    FATE_DRAW := Verb("FATE_DRAW"),
    CHOOSE := Verb("CHOOSE", option=3),
    DO := Verb("DO"),
    SKIP := Verb("SKIP"),
    COUNT := Verb("COUNT", n=8),
    NAME := Verb("NAME", number=4),
    ORDER := Verb("ORDER", number=6),
    ACT := Verb("ACT", card=8, nth=4),
    REACT := Verb("REACT", card=8, nth=4),
    PASS := Verb("PASS"),
    ROLL := Verb("ROLL", n=8),
    outcomes=(DRAWN, PRIZE, WHIM, DEALT, RANDOM, FIRST, ROLL),
)
"""All action codes. Benefits and modes are numbers of the contract, ``omen.proto``.

``KEEP.units`` is a mask over the seat's Units in that City, in the order of ``state.keep_candidates()``.
``ORDER.number`` is an index into ``state.queued_triggers()``. ``NAME.number`` is a UnitType, Trait or seat."""


class Stage(IntEnum):
    """Stages of a step of the turn."""

    ENTERING = 0
    OPENING = 1
    """Before the first window for cards (OMENX-WIN-01)."""
    BODY = 2
    MORE = 3
    THIRD = 4
    FOURTH = 5
    CLOSING = 90
    """Before the last window for cards."""
    AGAIN = 91
    LEAVING = 92


class End(IntFlag):
    """Conditions that end the game."""

    CITIES = 1
    FEATS = 2
    CHALLENGES = 4
    TURNS = 8


class Trigger(IntEnum):
    """Kinds of queued triggers."""

    ABILITY = 0
    SPIRIT = 1
    WRATH = 2
    CURSE = 3


class Pile(IntEnum):
    """Zones of the table, as numbered in position messages. Of a pair the second belongs to seat B."""

    DECK = 0
    """Cards that have no place in the deck yet (``mid``); without a draft only that of A is used, as is its discard
    pile."""
    DECK_B = 1
    TOP = 2
    """Known cards on the deck, the topmost first."""
    TOP_B = 3
    BOTTOM = 4
    """Known cards under the deck, the lowest last."""
    BOTTOM_B = 5
    DISCARD = 6
    DISCARD_B = 7
    HAND = 8
    """Units, prizes and Whims."""
    HAND_B = 9
    USED = 10
    """Face-down Rewards; in ``traits`` the Rewards area (TRIUMPH Units and Broken Kraters)."""
    USED_B = 11
    FEATS_UP = 12
    FEATS_UP_B = 13
    FEATS_DOWN = 14
    FEATS_DOWN_B = 15
    FEATS_ROTATED = 16
    FEATS_ROTATED_B = 17
    TAKEN = 18
    """Challenges taken."""
    TAKEN_B = 19
    CHOSEN = 20
    """Draft pile."""
    CHOSEN_B = 21
    DEALT = 22
    """Three cards of a round of ``keep2of3``."""
    DEALT_B = 23
    PRIZE_POOL = 24
    """All prizes never seen, on Cities or left over."""
    WHIM_PILE = 25
    WHIMS_USED = 26
    CHALLENGES = 27
    RELICS = 28
    """The row at the side."""
    RESOLVING = 29
    """The card being carried out."""
    ASIDE = 30
    """Cards of a deck that an ability looks at or has revealed."""
    DRAFT_POOL = 31
    DRAFT_ROW = 32
    """Face-up cards of ``open20``."""
    OUT = 33
    """Out of the game."""
    PRIZES = 34
    """Known prizes on top of City 1's stack; PRIZES + c for the others."""
    SIDE = 40
    """Units of A in City 1; SIDE + 2 * c + seat for the others."""
    RELIC = 52
    """The Relic of A in City 1; RELIC + 2 * c + seat for the others."""
    COUNT = 64


class Reason(StrEnum):
    """Reasons of refusals: the closed list of this pack."""

    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat, or chance, is to act."""
    UNKNOWN_CODE = "UNKNOWN_CODE"
    """The number is not an action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """The action message lacks a field that it needs."""
    UNKNOWN_CARD = "UNKNOWN_CARD"
    """No card of this set has that id."""
    WRONG_DECISION = "WRONG_DECISION"
    """Another decision is pending."""
    NOT_AN_OPTION = "NOT_AN_OPTION"
    """The action is not an option of this decision."""
    NO_SUCH_CARD = "NO_SUCH_CARD"
    """The card is not there."""
    NO_ROOM = "NO_ROOM"
    """The side of that City has no room, or the City is closed (OMEN-SURGE-06, OMENT-SURGE-03)."""
    TOO_EXPENSIVE = "TOO_EXPENSIVE"
    """The cost cannot be paid in full (OMEN-SURGE-04)."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
