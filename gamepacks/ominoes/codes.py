"""Action codes, groups of phases, names of spaces, and reasons of refusals.

A cell is ``row * board_size + column``. Action codes are in every log: they stay as long as the rules version does.
Faces and phases are enums of the contract, ``ominoes.proto``.
"""

from __future__ import annotations

from enum import StrEnum

from gamepacks.api.codes import Argument, CodeBook, Verb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

C_CONSTANTS = {"BOOK": "VERB", "DICE": ""}

DICE = 26
"""Number of dice (OMI-COMP-01)."""


def face_title(face: int) -> str:
    """The name of a face: ``Yay-Ra``."""
    return "Yay-Ra" if face == Face.YAY_RA else Face(face).name.capitalize()


GODS = (Face.HORUS, Face.RA, Face.APEP, Face.KHEPRI)
"""The faces that are gods; the other two are wild."""

CHANCE_PHASES = frozenset({Phase.START_PLAYER, Phase.SET_UP_ROLL, Phase.ROLL, Phase.REROLLING})
SET_UP_PHASES = frozenset({Phase.START_PLAYER, Phase.SET_UP, Phase.SET_UP_ROLL, Phase.SET_UP_EXTRA})
SCORING_PHASES = frozenset({Phase.SCORE_AFTER_MOVE, Phase.SCORE_AFTER_ADD})


BOOK = CodeBook(
    START_PLAYER := Verb("START_PLAYER", seat=8),
    ROLL := Verb("ROLL", face=8),
    PLACE := Verb("PLACE", cell=8),
    MOVE := Verb("MOVE", start=Argument(8, "from_cell"), end=Argument(8, "to_cell")),
    REROLL := Verb("REROLL", cell=8),
    SCORE := Verb("SCORE", god=8, lowest=8),
    DECLINE := Verb("DECLINE", "decline_score"),
    ADD := Verb("ADD", cell=8),
    outcomes=(START_PLAYER, ROLL),
)
"""All action codes. ROLL is the outcome of each roll: a turn's, the extra one of the set-up, the reroll.

SCORE names a group by a god and the lowest of its cells; DECLINE leaves all groups unscored."""


def cell_name(cell: int, board_size: int) -> str:
    """The name of a space: ``a1`` is row 0, column 0, drawn at the top left; ``c4`` row 3, column 2."""
    row, column = divmod(cell, board_size)
    return f"{chr(ord('a') + column)}{row + 1}"


class Reason(StrEnum):
    """Reasons of refusals: the closed list of this pack."""

    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat, or chance, is to act."""
    WRONG_PHASE = "WRONG_PHASE"
    """Another decision is pending."""
    UNKNOWN_CODE = "UNKNOWN_CODE"
    """The number is not an action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """The action message lacks a field that it needs."""
    OUT_OF_BOARD = "OUT_OF_BOARD"
    """There is no such space."""
    CELL_OCCUPIED = "CELL_OCCUPIED"
    """A die lies there."""
    PIT_CLOSED = "PIT_CLOSED"
    """The snake pit is closed (OMI-EXPERT-01, OMI-SETUP-03)."""
    NO_DIE_THERE = "NO_DIE_THERE"
    """No die lies there."""
    NOT_YOUR_DIE = "NOT_YOUR_DIE"
    """The die does not show the god that was rolled (OMI-MOVE-01)."""
    NOT_THREE_STEPS = "NOT_THREE_STEPS"
    """No path of exactly 3 steps leads there, even on an empty board (OMI-MOVE-03)."""
    PATH_BLOCKED = "PATH_BLOCKED"
    """Dice or the closed pit block every path of 3 steps (OMI-MOVE-03)."""
    NOT_YOUR_GOD = "NOT_YOUR_GOD"
    """The player does not collect that god (OMI-SCORE-06)."""
    NO_SUCH_GROUP = "NO_SUCH_GROUP"
    """There is no such group to score (OMI-SCORE-01)."""
    SCORING_COMPULSORY = "SCORING_COMPULSORY"
    """A group must be scored (OMI-SCORE-05)."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
