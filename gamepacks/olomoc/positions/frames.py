"""The kinds of stack frames of a position: one row for each, with its stages and the ranges of its values.

A position says what is being carried out as a stack of frames, the outermost first. A frame holds whole numbers at
places (those of ``engine/state_base.pxd``) and the stage that it waits in (its ``pc``). A row gives the range of each
place, and for each stage what may lie on the frame there: the frame of a kind, or the decision or roll that the frame
asks for itself. All other stages are left at once, so that no position can hold them.
:mod:`gamepacks.olomoc.positions.stack` checks positions against these rows, and
:mod:`gamepacks.olomoc.positions.meaning` checks the numbers of several places together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from gamepacks.olomoc.constants import Op
from gamepacks.olomoc.v1.olomoc_enums import Decision

VALUES = 48
MAX_FRAMES = 16_384
"""Frames of a position that is taken: more than the cards of any match nest. A match itself has no bound."""
LAST = 1600
"""The largest coordinate, in lattice steps."""


class Kind(IntEnum):
    """A kind of frame."""

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
    ATTACK = 10
    EFFECTS = 11
    TRIGGERS = 12
    HOSTILES = 13
    HOSTILE = 14
    MECHANISM = 15
    END = 16
    GO = 17
    PICK = 18
    ROLL = 19
    DIE = 20


# Places of what a frame holds, as in engine/state_base.pxd.
LAID, FIRST, PLAYER, CHOSEN = 0, 0, 0, 1
MAIN, OTHER, BY, ENTERED, SKIPPED = 0, 1, 2, 3, 4
USER, SLOT, TARGET, GOAL, WAITING, REACTOR, WAY_OUT = 0, 1, 2, 1, 1, 2, 3
ATTACKER, DEFENDER, ATTACK_KIND, CHARGING, ATTACK_SLOT, REACTION, SECOND_REACTION = 0, 1, 2, 3, 4, 5, 6
DICE, DIFFICULTY, DODGE_DICE, DODGE_DIFFICULTY, RIPOSTE_DICE, RIPOSTE_DIFFICULTY = 7, 8, 9, 10, 11, 12
SUCCESSES, DODGED, RIPOSTED, NET, FATED, PROGRAM, TACTIC_TAKEN, RIPOSTE_STAT = 13, 14, 15, 16, 17, 18, 19, 21
ADDED, DODGE_ADDED, RIPOSTE_ADDED, ROLLED_FOR = 22, 23, 24, 25
OWNER, SOURCE, COUNT, FACE, ATTACKING, CAUSE, RUNS, STAGE, HELD, HELD_HIGH = 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
HELD_PIECES, HELD_PIECES_HIGH, EXTRA, EXTRA2, EXTRA3, EXTRA4, FROM_TRIGGER = 26, 27, 28, 29, 30, 31, 32
REDUCED, STOPPED, SHIELDED = 33, 34, 35
ITEM_COUNT, ITEM, ITEM_TARGET, ITEMS, MAX_ITEMS = 0, 1, 2, 4, 22
SAVED = 3
FULL = 5
"""The stage of a TRIGGERS frame that holds as many as it can; the rest is in the one that lies on it."""
RUN, TURN, ACTS, RUNNER, LINE, AIM, WHY, CARDS, DRAWN = 0, 1, 1, 2, 3, 4, 0, 1, 2
WAY_KIND, ELEMENT, GO_ASK, CHOOSER, ABOUT, DISTANCE, WORD, COMPASS, RULERS, DECLINABLE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
PICK_ASK, LOW, HIGH, PIECES_LOW, PIECES_HIGH = 0, 1, 2, 4, 5
ROLL_DICE, ROLL_DIFFICULTY, ROLLER, ROLL_STAT, SIDES = 0, 1, 2, 3, 0


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that a place may hold; of those below 16 in a ``named`` one, only figures that there are."""

    low: int
    high: int
    named: bool = False


FIGURE = Range(0, 15, named=True)
ROUAGE = Range(0, 5, named=True)
NO_ROUAGE = Range(-1, 5, named=True)
HOSTILE = Range(6, 15, named=True)
NAME = Range(-1, 127, named=True)
"""A bound name: a figure, a marker or a piece of scenery, also one that is gone; -1 for none."""
SIDE = Range(0, 1)
NO_SIDE = Range(-1, 1)
FLAG = Range(0, 1)
USE = Range(0, 63)
FIGURES_MASK = Range(0, 65_535)
DICE_THROWN = Range(0, 12)
FACES = Range(0, 6)
"""A difficulty, or none yet."""
WOUNDS = Range(0, 100)
CHANGE = Range(-100, 100)
PLACE = Range(0, LAST << 11 | LAST)
ANY = Range(-(1 << 31), (1 << 31) - 1)


@dataclass(frozen=True, slots=True)
class Over:
    """A frame that may lie on another one; with no kind, nothing: the frame itself asks.

    ``same`` pairs places of it with places of the frame below that hold the same number; ``holds`` gives numbers.
    """

    kind: Kind | None
    same: tuple[tuple[int, int], ...] = ()
    holds: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of frame: ranges by place (0 at every other one), and what may lie on it, by stage."""

    holds: Mapping[int, Range]
    stages: Mapping[int, tuple[Over, ...]]


def _go(way: int, ask: Decision, who: int | None) -> Over:
    """The question for an end place of whom the frame below names at ``who``."""
    return Over(Kind.GO, () if who is None else ((ELEMENT, who),), ((WAY_KIND, way), (GO_ASK, ask)))


def _pick(ask: Decision) -> Over:
    return Over(Kind.PICK, (), ((PICK_ASK, ask),))


def _roll(dice: int, difficulty: int, who: int) -> Over:
    return Over(Kind.ROLL, ((ROLL_DICE, dice), (ROLL_DIFFICULTY, difficulty), (ROLLER, who)))


MOVES, PUSHES, ENTERS, PLACES, CHARGES = range(5)
"""Ways of changing place, as in ``cext.geometry.plan``."""
ASKS = Over(None)
TRIGGERS = Over(Kind.TRIGGERS)
ROOT, PART = Over(Kind.EFFECTS, (), ((FROM_TRIGGER, 1),)), Over(Kind.EFFECTS, (), ((FROM_TRIGGER, 0),))
"""The effects of a whole capacity or card, and a list within another one."""

ROWS: Mapping[Kind, Row] = {
    Kind.GAME: Row({}, {
        **dict.fromkeys((0, 1, 2, 4, 5, 7), (ASKS,)), 6: (ASKS, TRIGGERS), 9: (Over(Kind.BUILD),),
        10: (Over(Kind.CYCLE),),
    }),
    Kind.BUILD: Row({LAID: Range(0, 11)}, {0: (ASKS,)}),
    Kind.CYCLE: Row({}, {
        1: (TRIGGERS,), 2: (Over(Kind.MECHANISM, (), ((WHY, 0),)),), 3: (Over(Kind.PLANNING), TRIGGERS),
        **dict.fromkeys(range(4, 9), (Over(Kind.PHASE),)), 9: (Over(Kind.HOSTILES),), 10: (Over(Kind.END),),
    }),
    Kind.PLANNING: Row({LAID: Range(0, 4)}, {0: (ASKS,)}),
    Kind.PHASE: Row({FIRST: NO_SIDE}, {
        1: (TRIGGERS,), 2: (Over(Kind.MECHANISM, (), ((WHY, 1),)),), 3: (Over(Kind.CARD, ((PLAYER, FIRST),)),),
        4: (Over(Kind.CARD),), 5: (TRIGGERS,),
    }),
    Kind.CARD: Row({PLAYER: SIDE, CHOSEN: ROUAGE}, {
        1: (Over(Kind.ACTIVATION), ROOT), 2: (TRIGGERS,), 3: (ASKS,), 4: (ASKS,),
    }),
    Kind.ACTIVATION: Row(
        {MAIN: ROUAGE, OTHER: NO_ROUAGE, BY: Range(0, 2), ENTERED: Range(0, 7), SKIPPED: Range(0, 7)},
        {1: (ASKS, Over(Kind.CAPACITY), TRIGGERS), 2: (_go(ENTERS, Decision.ENTER, None),), 3: (TRIGGERS,)},
    ),
    Kind.CAPACITY: Row({USER: FIGURE, SLOT: USE, TARGET: NAME}, {
        0: (TRIGGERS,), 1: (ASKS,), 2: (_go(MOVES, Decision.GO, USER),), 4: (_pick(Decision.TARGET),), 5: (ASKS,),
        6: (Over(Kind.MOVE, ((USER, USER),)), TRIGGERS), 7: (_go(ENTERS, Decision.ENTER, USER),),
        8: (Over(Kind.MOVE, ((USER, USER),)), Over(Kind.ATTACK, ((ATTACKER, USER), (ATTACK_SLOT, SLOT))), ROOT,
            TRIGGERS),
        9: (TRIGGERS,),
    }),
    Kind.MOVE: Row({USER: FIGURE, GOAL: PLACE}, {
        1: (TRIGGERS,), 2: (Over(Kind.WINDOW, ((USER, USER), (WAY_OUT, GOAL))),),
    }),
    Kind.WINDOW: Row(
        {USER: FIGURE, WAITING: FIGURES_MASK, REACTOR: FIGURE, WAY_OUT: PLACE, DICE: DICE_THROWN, DIFFICULTY: FACES,
         SUCCESSES: WOUNDS, ADDED: CHANGE},
        {0: (TRIGGERS,), 1: (ASKS,), 2: (ASKS,), 3: (_roll(DICE, DIFFICULTY, REACTOR),), 4: (TRIGGERS,)},
    ),
    Kind.ATTACK: Row(
        {ATTACKER: FIGURE, DEFENDER: FIGURE, ATTACK_KIND: Range(1, 2), CHARGING: FLAG, ATTACK_SLOT: USE, REACTION: USE,
         SECOND_REACTION: Range(0, 3), DICE: DICE_THROWN, DIFFICULTY: FACES, DODGE_DICE: DICE_THROWN,
         DODGE_DIFFICULTY: FACES, RIPOSTE_DICE: DICE_THROWN, RIPOSTE_DIFFICULTY: FACES, SUCCESSES: WOUNDS,
         DODGED: WOUNDS, RIPOSTED: WOUNDS, NET: WOUNDS, FATED: FLAG, PROGRAM: ANY, TACTIC_TAKEN: Range(0, 3),
         RIPOSTE_STAT: Range(0, 3), ADDED: CHANGE, DODGE_ADDED: CHANGE, RIPOSTE_ADDED: CHANGE, ROLLED_FOR: Range(0, 2)},
        {1: (TRIGGERS,), 2: (ASKS, ROOT, TRIGGERS), 3: (ROOT, TRIGGERS),
         4: (_roll(DICE, DIFFICULTY, ATTACKER),), 6: (Over(Kind.ROLL, ((ROLLER, DEFENDER),)),), 7: (ASKS,),
         8: (_roll(DICE, DIFFICULTY, ATTACKER),), 9: (TRIGGERS,), 10: (ASKS,), 11: (_go(PUSHES, Decision.PUSH, None),),
         12: (TRIGGERS,), 13: (TRIGGERS,), 14: (TRIGGERS,), 15: (TRIGGERS,), 16: (ROOT,),
         18: (Over(Kind.ROLL, ((ROLLER, DEFENDER),)),)},
    ),
    # Its stages are those of the effect that is carried out: EFFECT_STAGES and EFFECT_DONE.
    Kind.EFFECTS: Row(
        {**dict.fromkeys(range(16), NAME), OWNER: Range(-1, 2), SOURCE: ANY, COUNT: Range(-1000, 1000), FACE: FACES,
         ATTACKING: Range(0, 4), CAUSE: Range(-1, 3), RUNS: ANY, STAGE: Range(0, 5), FROM_TRIGGER: FLAG,
         **dict.fromkeys(range(HELD, EXTRA4 + 1), ANY), REDUCED: FIGURES_MASK, STOPPED: FIGURES_MASK,
         **dict.fromkeys(range(SHIELDED, SHIELDED + 4), ANY)},
        {},
    ),
    Kind.TRIGGERS: Row(
        {ITEM_COUNT: Range(1, MAX_ITEMS), ITEM: Range(-1, 1 << 24), ITEM_TARGET: NAME,
         **dict.fromkeys(range(SAVED, VALUES), ANY)},
        {1: (ASKS,), 2: (ASKS,), 3: (_pick(Decision.TARGET),), 4: (ROOT, Over(Kind.ATTACK), TRIGGERS),
         FULL: (TRIGGERS,)},
    ),
    Kind.HOSTILES: Row({RUN: Range(0, 20), TURN: SIDE}, {1: (ASKS, Over(Kind.HOSTILE), TRIGGERS), 2: (TRIGGERS,)}),
    Kind.HOSTILE: Row(
        {USER: HOSTILE, ACTS: Range(0, 9), RUNNER: SIDE, LINE: Range(0, 31), AIM: FIGURE},
        {1: (ASKS, Over(Kind.CAPACITY, ((USER, USER),)), TRIGGERS),
         2: (_pick(Decision.HOSTILE_TARGET),),
         3: (_go(MOVES, Decision.HOSTILE_GO, USER), _go(CHARGES, Decision.HOSTILE_GO, USER)),
         4: (Over(Kind.MOVE, ((USER, USER),)), TRIGGERS),
         5: (Over(Kind.MOVE, ((USER, USER),)), Over(Kind.ATTACK, ((ATTACKER, USER),)), TRIGGERS)},
    ),
    Kind.MECHANISM: Row(
        {WHY: Range(0, 2), CARDS: DICE_THROWN, DRAWN: DICE_THROWN}, {0: (ASKS, TRIGGERS), 1: (ROOT,)},
    ),
    Kind.END: Row({}, {1: (TRIGGERS,), 3: (TRIGGERS,)}),
    Kind.GO: Row(
        {WAY_KIND: Range(0, 4), ELEMENT: Range(0, 63, named=True), GO_ASK: Range(0, 37), CHOOSER: SIDE, ABOUT: NAME,
         DISTANCE: Range(-1, 406_400), WORD: Range(0, 4), COMPASS: NAME, RULERS: Range(0, 3), DECLINABLE: FLAG},
        {0: (ASKS,)},
    ),
    Kind.PICK: Row(
        {PICK_ASK: Range(0, 37), CHOOSER: SIDE, DECLINABLE: FLAG,
         **dict.fromkeys((LOW, HIGH, PIECES_LOW, PIECES_HIGH), ANY)},
        {0: (ASKS,)},
    ),
    Kind.ROLL: Row(
        {ROLL_DICE: Range(1, 12), ROLL_DIFFICULTY: Range(2, 6), ROLLER: FIGURE, ROLL_STAT: Range(0, 3)},
        {0: (ASKS, TRIGGERS)},
    ),
    Kind.DIE: Row({SIDES: Range(3, 6)}, {0: (ASKS,)}),
}  # fmt: skip

EFFECT_STAGES: Mapping[tuple[Op, int], tuple[Over, ...]] = {
    (Op.CHOOSE, 0): (ASKS,),
    (Op.EACH, 1): (ASKS, PART),
    (Op.PICK, 1): (_pick(Decision.PICK),),
    (Op.ACTIVATE, 1): (_pick(Decision.PICK),),
    (Op.ACTIVATE, 2): (Over(Kind.HOSTILE), Over(Kind.ACTIVATION)),
    (Op.PUSH, 1): (_go(PUSHES, Decision.PUSH, None),),
    (Op.PLACE, 1): (_go(PLACES, Decision.PUSH, None),),
    (Op.MOVE, 1): (_go(MOVES, Decision.GO, None),),
    (Op.ATTACK, 1): (PART,),
    (Op.ATTACK, 2): (_go(CHARGES, Decision.GO, None),),
    (Op.ATTACK, 3): (PART, Over(Kind.MOVE), TRIGGERS),
    (Op.ROLL, 1): (Over(Kind.ROLL),),
    (Op.ROLL, 2): (Over(Kind.ROLL),),
    (Op.ROLL, 3): (ASKS,),
    (Op.ROLL, 4): (Over(Kind.ROLL),),
    (Op.ROLL, 5): (TRIGGERS,),
    (Op.REROLL, 1): (Over(Kind.ROLL),),
    (Op.DIE, 1): (Over(Kind.DIE),),
}
"""The frames that may lie on running effects while one of them is under way, by its op and its STAGE."""

EFFECT_DONE: Mapping[Op, tuple[Over, ...]] = {
    Op.IF: (PART,),
    Op.CHOOSE: (PART,),
    Op.DIE: (PART,),
    Op.ROLL: (PART,),
    Op.MECHANISM: (Over(Kind.MECHANISM, (), ((WHY, 2),)),),
    Op.ACTIVATE: (Over(Kind.HOSTILE), Over(Kind.ACTIVATION)),
    Op.MOVE: (Over(Kind.MOVE),),
    Op.ATTACK: (Over(Kind.ATTACK),),
}
"""The frames that may lie on them before the next effect begins, by the op of the last one; and TRIGGERS, always."""
