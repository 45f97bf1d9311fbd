from collections.abc import Iterable

from cext.geometry.shapes import Piece, Weld

MAX_PIECES: int

class Board:
    def __init__(self, pieces: Iterable[Piece] = ()) -> None: ...
    @property
    def pieces(self) -> tuple[Piece, ...]: ...
    @property
    def welds(self) -> tuple[Weld, ...]: ...
