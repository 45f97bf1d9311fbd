from collections.abc import Iterable

from cext.geometry.shapes import Joint, Piece

MAX_PIECES: int

class Board:
    def __init__(self, pieces: Iterable[Piece] = ()) -> None: ...
    @property
    def pieces(self) -> tuple[Piece, ...]: ...
    @property
    def joints(self) -> tuple[Joint, ...]: ...
