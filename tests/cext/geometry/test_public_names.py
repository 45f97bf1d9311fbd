"""The public names of the geometry."""

from __future__ import annotations

import cext.geometry

PUBLIC_NAMES = [
    "MAX_PIECES",
    "Board",
    "Displacement",
    "Part",
    "Piece",
    "Point",
    "Ruler",
    "SceneryPlacement",
    "ShapeError",
    "Table",
    "Weld",
    "compare_gap",
    "convex_parts",
    "loose_parts",
    "setup_fault",
    "turned",
    "welds",
]


def test_the_package_exports_these_names() -> None:
    assert cext.geometry.__all__ == PUBLIC_NAMES
    assert all(hasattr(cext.geometry, name) for name in PUBLIC_NAMES)
