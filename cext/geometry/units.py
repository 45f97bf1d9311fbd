"""Units and numbers of the geometry, for Python and, as ``units_enums.pxd``, for C."""

from enum import IntEnum

C_CONSTANTS = {
    "STEP": "", "INCH": "", "LAST": "", "SIDE": "", "CONTACT": "", "COORDINATE_BITS": "", "POINT_BITS": "",
    "FIGURES": "", "DISCS": "", "ELEMENTS": "",
    "MoveKind": "",
}  # fmt: skip
"""Prefixes of the C constants, see :mod:`cext.codegen`."""

STEP = 127
"""Ticks (2 micrometres) in a lattice step, which is 1/100 inch (OLO-GEO-01)."""
INCH = 100 * STEP
"""Ticks in an inch."""
LAST = 1600
"""The last lattice point of an axis: the board is a square of 1,600 steps."""
SIDE = STEP * LAST
"""Ticks in a side of the board."""
CONTACT = 2 * STEP
"""Elements with a gap of at most so many ticks (0.02 inch) are in contact (OLO-GEO-05)."""
COORDINATE_BITS = 11
"""Bits of a coordinate in lattice steps in a packed point."""
POINT_BITS = 2 * COORDINATE_BITS
"""Bits of a packed point, x above y, as action codes have it."""
FIGURES, DISCS, ELEMENTS = 16, 64, 128
"""Elements are numbered: figures from 0, markers from FIGURES, pieces of scenery from DISCS, less than ELEMENTS."""


class MoveKind(IntEnum):
    """Kinds of changes of place."""

    MOVE = 0
    PUSH = 1
    ENTER = 2
    PLACE = 3
    CHARGE = 4
