"""The numbers of Omen and their names: phases, verbs, action codes, frames, refusals.

These numbers are in every log: they stay as long as the rules version does. The build writes the same numbers as C
constants to ``codes_enums.pxd``. Cards are indices into the table of cards of the compiled set
(:mod:`gamepacks.omen.cards.program`).

A *place* names a Unit in a City: seat, City (from 0), card, and its number among Units of that card there that differ
in something else (``nth``; identical copies are one option).
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from gamepacks.api.codes import CodeBook, Verb

C_CONSTANTS = {
    "NONE": "", "Phase": "PH", "Mode": "M", "Decision": "DEC", "Trigger": "Q", "Pile": "PILE", "BOOK": "V",
}  # fmt: skip
"""Prefixes of the C constants of ``codes_enums.pxd``, see :mod:`cext.codegen`."""

NONE = 255
"""Stands for no card, no seat, no City."""


class Phase(IntEnum):
    """Where the game stands; from WEALTH on these are the steps of a turn, ``Phase.WEALTH + Step``."""

    DRAFT = 0
    """Dealing and choosing of either draft."""
    DEAL = 1
    """4 Units each."""
    FIRST = 2
    """Who begins: Emissaries, or by chance."""
    WHIMS = 3
    WEALTH = 4
    SURGE = 5
    PORTENT = 6
    FEAT = 7
    CHALLENGE = 8
    WAR = 9
    OFFERING = 10
    CLOSE = 11
    OVER = 12


class Mode(IntEnum):
    """What is done with a card chosen in Surge."""

    PLAY = 0
    ABILITY = 1
    INVOKE = 2
    USE = 3
    FATE = 4
    RECRUIT = 5
    PILFER = 6


class Benefit(IntEnum):
    DRAW = 0
    COIN = 1


_PLACE = {"seat": 1, "city": 3, "card": 8, "nth": 4}

BOOK = CodeBook(
    # Outcomes of chance.
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
    WEALTH := Verb("WEALTH", benefit=1),
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
    SPLIT := Verb("SPLIT", benefit=1),
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
    # An outcome of chance.
    ROLL := Verb("ROLL", n=8),
)
"""All action codes; the first six and ROLL are outcomes of chance.

``KEEP.units`` is a mask over the seat's Units in that City, in the order of ``state.keep_candidates()``.
``ORDER.number`` is an index into ``state.queued_triggers()``. ``NAME.number`` is a UnitType, Trait or seat."""


class Decision(IntEnum):
    """What a decision or chance node is about; names as in section 9.3 and 9.4 of RULES.md."""

    NOTHING = 0
    # Chance.
    C_UNIT = 1
    C_PRIZE = 2
    C_WHIM = 3
    C_DEAL = 4
    C_HAND = 5
    C_FIRST = 6
    # Decisions.
    EMISSARY = 7
    DRAFT = 8
    PICK = 9
    WHIMDRAW = 10
    WHIMPASS = 11
    WEALTH = 12
    SURGE = 13
    MODE = 14
    CITY = 15
    SPIRIT = 16
    PORTENT = 17
    FEAT = 18
    FEATRELIC = 19
    RELIC = 20
    CHALLENGE = 21
    WARCITY = 22
    KEEP = 23
    OFFER = 24
    SPLIT = 25
    LIMIT = 26
    TRIUMPH = 27
    UNIT = 28
    CARD = 29
    CHOOSE = 30
    MAY = 31
    COUNT = 32
    NAME = 33
    ORDER = 34
    ACT = 35
    REACT = 36
    # Chance as well.
    C_DIE = 37


class Trigger(IntEnum):
    """What waits in the queue besides abilities of cards."""

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
    """Why an action is refused: the closed list of this pack."""

    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat, or chance, is to act."""
    UNKNOWN_CODE = "UNKNOWN_CODE"
    """The number is no action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """The action message lacks a field that it needs."""
    UNKNOWN_CARD = "UNKNOWN_CARD"
    """No card of this set has that id."""
    WRONG_DECISION = "WRONG_DECISION"
    """Something else is to be decided now."""
    NOT_AN_OPTION = "NOT_AN_OPTION"
    """That is no option of this decision."""
    NO_SUCH_CARD = "NO_SUCH_CARD"
    """The card is not there."""
    NO_ROOM = "NO_ROOM"
    """The side of that City has no room, or the City is closed (OMEN-SURGE-06, OMENT-SURGE-03)."""
    TOO_EXPENSIVE = "TOO_EXPENSIVE"
    """The cost cannot be paid in full (OMEN-SURGE-04)."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
