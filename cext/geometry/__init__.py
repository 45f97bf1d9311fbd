"""Exact geometry of a skirmish board: scenery, discs among it, sight, and moves along a rigid ruler.

:class:`Table` asks everything from Python. Compiled packs cimport the modules beneath it, from the ground up:

========== ==========================================================================================================
``shapes`` pieces of scenery before play, their convex parts, and the joints between them (plain Python, at load time)
``board``  the compiled scenery, and the discs on it: gaps, contact, threat zones, free places
``scenery_placement`` where a piece of scenery may be laid before play
``line``   a line among shapes: on which side, what it meets (the arithmetic of ``sight``)
``sight``  lines of sight
``ruler``  a rigid ruler laid on the board, and the search for a free pose of it
``reach``  moves along the ruler: from place to place
``entry``  entering the board from a deployment line
``plan``   a change of place that is being considered: how, and may it end there
``poses``  all poses of a ruler that touch a base or a deployment line, as a tree
``candidates`` places worth listing: in contact, at the edge of zones, along a ray
``branch_and_bound`` whether a plan has any place, and its best one: exactly, on the whole lattice
``places`` lists of places to choose from
``table``  all of it for Python
========== ==========================================================================================================
"""

from __future__ import annotations

from cext.geometry.board import MAX_PIECES, Board
from cext.geometry.ruler import Ruler
from cext.geometry.scenery_placement import SceneryPlacement
from cext.geometry.shapes import (
    Joint,
    Part,
    Piece,
    Point,
    ShapeError,
    compare_gap,
    convex_parts,
    joints,
    loose_parts,
    setup_fault,
    turned,
)
from cext.geometry.table import Displacement, Table

__all__ = [
    "MAX_PIECES",
    "Board",
    "Displacement",
    "Joint",
    "Part",
    "Piece",
    "Point",
    "Ruler",
    "SceneryPlacement",
    "ShapeError",
    "Table",
    "compare_gap",
    "convex_parts",
    "joints",
    "loose_parts",
    "setup_fault",
    "turned",
]
