"""The public door of the geometry."""

from __future__ import annotations

import cext.geometry

DOOR = [
    "MAX_PIECES",
    "Board",
    "Laying",
    "Part",
    "Piece",
    "Point",
    "Ruler",
    "ShapeError",
    "Table",
    "Trip",
    "Weld",
    "compare_gap",
    "convex_parts",
    "loose_parts",
    "setup_fault",
    "turned",
    "welds",
]


def test_the_door_is_this_list() -> None:
    assert cext.geometry.__all__ == DOOR
    assert all(hasattr(cext.geometry, name) for name in DOOR)
