"""Numbers of Olomòc's rules and cards: what states, effects and logs hold; the compiled engine has them as C constants.

They stay the same as long as the rules version does. Enums that messages have as well stand in ``olomoc.proto`` alone
(:mod:`gamepacks.olomoc.v1.olomoc_enums`).
"""

from __future__ import annotations

from enum import IntEnum

from gamepacks.olomoc.v1.olomoc_enums import Edge, Stat

C_CONSTANTS = {
    "Player": "PLAYER",
    "ValKind": "VALUE",
    "CondKind": "COND",
    "Pick": "PICK",
    "Kind": "KIND",
    "Side": "SIDE",
    "Where": "WHERE",
    "Op": "OP",
    "Trigger": "TRIGGER",
    "Until": "UNTIL",
    "Ignore": "IGNORE",
    "Act": "ACT",
    "Criterion": "CRITERION",
    "SpotKind": "SPOT",
    "Who": "WHO",
    "Per": "PER",
    "Role": "ROLE",
    "Way": "WAY",
    "MarkerDo": "MARKER",
    "PlanDo": "PLAN",
    "SkipDo": "SKIP",
    "EventKind": "EVENT",
    "Direction": "DIRECTION",
    "FrameKind": "F",
    "FRAME_KINDS": "",
    "NO_ATTACK": "",
    "Use": "USE",
    "SPECIFIC": "",
    "SLOTS": "",
    "PLAYERS_FIGURES": "",
    "MAX_TOKENS": "",
    "MAX_ARTEFACTS": "",
    "HOSTILE_PHASE": "",
    "MAX_HOSTILE_RUNS": "",
    "AXE": "",
    "Box": "BOX",
    "MAX_NAMES": "",
    "LONG_RANGE_INCHES": "",
    "CORRUPTED": "",
    "TRACK_END": "",
    "SOURCE_RADIX": "",
}

MINISTRIES = ("coordination", "integrite", "effort", "progres", "harmonie", "edification", "securite")
"""The seven ministries of the pack besides the Axe, numbered 0 to 6 (OLO-COMP-03)."""
AXE = 7
"""The ministry card of the Axe, of which each player has one; also the Axe's affiliation."""
FRANGE = 8
"""The affiliation La Frange (OLO-COMP-04)."""
AFFILIATIONS = (*MINISTRIES, "axe", "frange")

STATS = tuple(stat.name.lower() for stat in Stat)
EDGES = tuple(edge.name for edge in Edge)
"""The board's edges in the order of the geometry's numbers, which begin with 0: N is y = 1600, E is x = 1600, S is y
= 0, W is x = 0."""
BASES = {30: 7_500, 40: 10_000, 50: 12_500}
"""Radii in ticks by the diameter of a base or marker in millimetres (OLO-GEO-02)."""

GENERIC_NAMES = (
    "Rest",
    "March",
    "Frontal attack",
    "Ranged attack",
    "Charge",
    "Riposte",
    "Dodge",
    "Opportunity attack",
    "Enter the board",
)
"""Their names for people."""
SPECIFIC = 16
"""The first number of a specific capacity in USE; in masks of capacities, the bit of the card set's first capacity."""
PROFILE_CAPACITY, GEAR_CAPACITY, AGENDA_CAPACITY, GIVEN_CAPACITY = SPECIFIC, 32, 40, 56
"""The first number in USE of the capacities of a profile, of gear, of the agenda, and of those given by effects."""
SLOTS = 64
"""Numbers in USE."""
PLAYERS_FIGURES = 6
"""Rouages of both players; hostiles have the numbers after these."""
MAX_TOKENS, MAX_ARTEFACTS = 16, 12
"""Bounds of a card set: counters, and Artefact cards of different numbers."""
HOSTILE_PHASE = 6
"""The phase of a cycle after the five planning phases."""
MAX_HOSTILE_RUNS = 20
"""Maximum number of hostiles that are run in a hostile phase (OLO-HPH-05)."""
LONG_RANGE_INCHES = 4
"""A shot from farther than this is at long range (OLO-ROLL-02)."""
CORRUPTED = 3
"""Maximum Noirceur of a rouage, at which it is corrupted (OLO-NOIR-01)."""
TRACK_END = 3
"""The last space of the tracks of Fiel and of the hunt (OLO-FIEL, OLO-TRAQ)."""
SOURCE_RADIX = 1 << 16
"""The source of a change is packed into one number: its SourceKind times this, plus its number."""


class Use(IntEnum):
    """A capacity that every rouage has, by its number in USE; ENTER only with entry = first_token."""

    REST = 0
    MARCH = 1
    FRONTAL = 2
    RANGED = 3
    CHARGE = 4
    RIPOSTE = 5
    DODGE = 6
    OPPORTUNITY = 7
    ENTER = 8


GENERIC = tuple(use.name.lower() for use in Use)
"""The names of these capacities in card sets."""


class Box(IntEnum):
    """A box of a life line (OLO-LIFE-01)."""

    STANDARD = 0
    REINFORCED = 1
    TAINTED = 2


class Op(IntEnum):
    """An effect (section 6.7)."""

    WOUND = 0
    HEAL = 1
    NOIRCEUR = 2
    FIEL = 3
    TRAQUE = 4
    STATE = 5
    PUSH = 6
    PLACE = 7
    MOVE = 8
    AP = 9
    MOD = 10
    STAT = 11
    REROLL = 12
    PROTECT = 13
    ROLL = 14
    DIE = 15
    ATTACK = 16
    SPAWN = 17
    DESPAWN = 18
    MARKER = 19
    TAINT = 20
    TOKEN = 21
    VP = 22
    MECHANISM = 23
    PRIORITY = 24
    FORBID = 25
    PERMIT = 26
    ACTIVATE = 27
    PLAN = 28
    SIGHT = 29
    PICK = 30
    EACH = 31
    CHOOSE = 32
    IF = 33
    SKIP = 34


class Who(IntEnum):
    """A place in the names bound while effects run; ``as`` binds others, from BOUND on."""

    SELF = 0
    TARGET = 1
    ATTACKER = 2
    DEFENDER = 3
    MOVER = 4
    VICTIM = 5
    KILLER = 6
    EACH = 7
    PICKED = 8
    MAIN = 9


BOUND = 10
MAX_NAMES = 16
"""Maximum number of names that can be bound; -1 stands for an unbound one."""


class Player(IntEnum):
    """A player as cards name one; OF + who is the player of a rouage."""

    OWNER = 0
    OPPONENT = 1
    ACTIVE = 2
    PASSIVE = 3
    PRIORITY = 4
    BOTH = 5
    OF = 8


class Trigger(IntEnum):
    """The moment at which a permanent capacity fires (section 6.7)."""

    CONTINUOUS = 0
    CYCLE_START = 1
    MECHANISM = 2
    PLANNED = 3
    REVEALED = 4
    ACTIVATED = 5
    ACTIVATION_END = 6
    CARD_END = 7
    PHASE_END = 8
    HOSTILE_PHASE_START = 9
    HOSTILE_PHASE_END = 10
    CYCLE_END = 11
    GAME_END = 12
    ENTERED_BLOC = 13
    MOVE_ANNOUNCED = 14
    MOVED = 15
    ENTERED = 16
    LEFT = 17
    CONTACT = 18
    ATTACK_DECLARED = 19
    REACTION = 20
    ROLLED = 21
    ATTACK_END = 22
    WOUNDED = 23
    OUT = 24
    NOIRCEUR = 25
    STUNNED = 26
    USED = 27
    COORDINATED = 28


class Until(IntEnum):
    """The end of a lasting effect (``for``)."""

    ROLL = 0
    ATTACK = 1
    CARD = 2
    PHASE = 3
    NEXT_PHASE = 4
    HOSTILE_PHASE = 5
    CYCLE = 6
    GAME = 7


class ValKind(IntEnum):
    """A kind of number on a card."""

    CONST = 0
    SUCCESSES = 1
    FACE = 2
    """The face of the last die of the running effects (a ``die`` in a Val is rolled by a DIE node before it)."""
    COUNT = 3
    STAT = 4
    AP = 5
    NOIRCEUR = 6
    RANK = 7
    BOXES_TICKED = 8
    BOXES_LEFT = 9
    TOKEN = 10


class CondKind(IntEnum):
    """A kind of condition; see :class:`gamepacks.olomoc.ruleset.CompiledCond` for its operands."""

    EXISTS = 0
    FREE = 1
    ENGAGED = 2
    ENGAGES = 3
    ON_BLOC = 4
    IN_COVER = 5
    STATUS = 6
    STATE = 7
    NOIRCEUR_MIN = 8
    RANK_CMP = 9
    CONTACT = 10
    WITHIN = 11
    CYCLE = 12
    PHASE = 13
    PRIORITY = 14
    MINISTRY_REVEALED = 15
    ACTIVE = 16
    CMP = 17
    USED = 18
    CAUSE = 19
    NOT = 20
    ALL = 21
    ANY = 22
    IS = 23
    SAME = 24


COMPARISONS = ("<", "<=", "=", ">=", ">", "!=")


class Kind(IntEnum):
    """A kind of element that a selector looks for."""

    ROUAGE = 0
    MARKER = 1
    SCENERY = 2


class Side(IntEnum):
    """The side whose rouages a selector looks for."""

    ALLY = 0
    ENEMY = 1
    FOE = 2
    HOSTILE = 3
    PLAYER = 4
    ANY = 5


class Where(IntEnum):
    """The places in which a selector looks for rouages."""

    BLOC = 0
    OFF = 1
    ANY = 2


class Pick(IntEnum):
    """The choice among the elements that fit a selector."""

    ALL = 0
    NEAREST = 1
    FARTHEST = 2
    HIGHEST_RANK = 3
    LOWEST_RANK = 4
    CHOOSE = 5


class Direction(IntEnum):
    """A direction word (OLO-DIR-01)."""

    NONE = 0
    TOWARDS = 1
    AWAY = 2
    DIRECTLY_TOWARDS = 3
    DIRECTLY_AWAY = 4


class Way(IntEnum):
    """The movements that an effect allows: any, or one of the three (OLO-MOVE-05)."""

    ANY = 0
    MOVE_RULER = 1
    PUSH_RULER = 2
    BASE = 3


NO_ATTACK = 0
"""A value beside those of AttackKind: the capacity makes no attack."""


class Per(IntEnum):
    """The period of a frequency."""

    PHASE = 0
    CYCLE = 1
    GAME = 2


class Role(IntEnum):
    """The side of an attack that makes a modified roll."""

    ANY = 0
    ATTACKER = 1
    DEFENDER = 2


class Ignore(IntEnum):
    """A condition that a permission lifts; bits of ``Node.ignore``."""

    FREE = 0
    NEAREST = 1
    SIGHT = 2
    COVER = 3
    LONG_RANGE = 4
    ENGAGED = 5


class SpotKind(IntEnum):
    """A kind of spot that a card names."""

    AT = 0
    NEAR = 1
    NEAR_TAG = 2
    EDGE = 3
    CENTRE = 4


class MarkerDo(IntEnum):
    """A change of a marker."""

    PUT = 0
    MOVE = 1
    REMOVE = 2


class PlanDo(IntEnum):
    """A change of planning cards."""

    PEEK = 0
    REVEAL = 1
    SWAP = 2
    MOVE = 3


class SkipDo(IntEnum):
    """A step that is left out."""

    REST = 0
    ENTRY = 1
    ACTIVATION = 2


class Act(IntEnum):
    """The action of a line of an Instinct (section 6.4)."""

    FRONTAL = 0
    SHOOT = 1
    CHARGE = 2
    MOVE = 3
    REST = 4
    USE = 5
    STOP = 6


class Criterion(IntEnum):
    """A criterion by which an Instinct picks among targets."""

    HIGHEST_RANK = 0
    NEAREST = 1
    LOWEST_RANK = 2
    FARTHEST = 3
    MOST_NOIRCEUR = 4
    FEWEST_BOXES = 5
    CORRUPTED_FIRST = 6
    ENGAGED_BY_ME = 7
    IN_SIGHT = 8


class Affiliation(IntEnum):
    """The kind of card to which a gear card is restricted."""

    MINISTRY = 0
    FACTION = 1
    ROUAGE = 2


class EventKind(IntEnum):
    """The kind of an event in the trace of a step; its name is that of the field of the event message."""

    GAME_STARTED = 1
    NUMBERS_ROLLED = 2
    AGENDA_CHOSEN = 3
    LAYOUT_CHOSEN = 4
    LINE_CHOSEN = 5
    SCENERY_PLACED = 6
    MARKER_PLACED = 7
    MARKER_MOVED = 8
    MARKER_REMOVED = 9
    TAINT_CHANGED = 10
    FALLEN_MINISTRY = 11
    MINISTRIES_DEALT = 12
    ROUAGE_RECRUITED = 13
    GEAR_ASSIGNED = 14
    CABALES_REVEALED = 15
    CYCLE_STARTED = 16
    TOKENS_GIVEN = 17
    MECHANISM = 18
    ARTEFACT_RESHUFFLED = 19
    PRIORITY_CHANGED = 20
    PLAN_LAID = 21
    PLANNED = 22
    CARDS_REVEALED = 23
    PLAN_PEEKED = 24
    PLAN_CHANGED = 25
    MINISTRY_RESOLVED = 26
    CARD_BLOCKED = 27
    CARD_VOID = 28
    ROUAGE_ACTIVATED = 29
    COORDINATION_ANNOUNCED = 30
    ACTIVATION_ENDED = 31
    AP_CHANGED = 32
    ENTERED_BLOC = 33
    MOVE_ANNOUNCED = 34
    MOVED = 35
    OPPORTUNITY_OFFERED = 36
    OPPORTUNITY_ATTACK = 37
    OPPORTUNITY_DECLINED = 38
    CAPACITY_USED = 39
    ATTACK_DECLARED = 40
    REACTION_DECLARED = 41
    ROLL_SET = 42
    DICE_ROLLED = 43
    DIE_ROLLED = 44
    FATE_TEMPTED = 45
    ATTACK_RESOLVED = 46
    TACTIC_CHOSEN = 47
    WOUNDS_TAKEN = 48
    HEALED = 49
    ROUAGE_OUT = 50
    NOIRCEUR_CHANGED = 51
    FIEL_CHANGED = 52
    TRAQUE_CHANGED = 53
    VP_CHANGED = 54
    TOKEN_CHANGED = 55
    STATE_CHANGED = 56
    CONTACT_TAINTED = 57
    HOSTILE_SPAWNED = 58
    HOSTILE_REMOVED = 59
    HOSTILE_ACTIVATED = 60
    HOSTILE_LINE = 61
    HOSTILE_DONE = 62
    EFFECT_STARTED = 63
    EFFECT_ENDED = 64
    EFFECT_SKIPPED = 65
    CHOICE_MADE = 66
    PHASE_STARTED = 67
    CARD_ENDED = 68
    PHASE_ENDED = 69
    HOSTILE_PHASE_STARTED = 70
    HOSTILE_PHASE_ENDED = 71
    CYCLE_ENDED = 72
    GAME_OVER = 73
    STATUS_CHANGED = 74
    MODIFIER = 75
    """A modifier of the roll of the ROLL_SET before it: ModifierKind, name, dice, difficulty, successes."""


class FrameKind(IntEnum):
    """A kind of stack frame; names what is being carried out (section 5.3)."""

    GAME = 0
    BUILD = 1
    CYCLE = 2
    PLANNING = 3
    PHASE = 4
    CARD = 5
    ACTIVATION = 6
    CAPACITY = 7
    MOVE = 8
    WINDOW = 9
    """The opportunity attacks that a move allows."""
    ATTACK = 10
    EFFECTS = 11
    TRIGGERS = 12
    HOSTILE_PHASE = 13
    HOSTILE = 14
    MECHANISM = 15
    END_OF_CYCLE = 16
    GO = 17
    PICK = 18
    ROLL = 19
    DIE = 20


FRAME_KINDS = len(FrameKind)
