from collections.abc import Iterable, Sequence

from cext.geometry.shapes import Part

class SceneryPlacement:
    """Places for one piece, turned as it will lie, among the elements that are on the board."""

    def __init__(self, parts: Sequence[Part], others: Iterable[Sequence[Part]]) -> None:
        """The piece's convex parts, and those of each element that it keeps away from (none for a zone)."""

    def may_lie(self, x: int, y: int) -> bool:
        """Whether the piece may lie with its origin on a place of the lattice."""

    def places(self, step: int, first: int, last: int) -> list[tuple[int, int]]:
        """The places from ``first`` to ``last`` along both axes, ``step`` apart, on which it may lie."""

    def any_place(self) -> tuple[int, int] | None:
        """A place of the lattice on which it may lie; None if there is none at all."""
