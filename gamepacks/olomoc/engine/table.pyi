from cext.geometry import Piece
from cext.state import State
from gamepacks.olomoc.ruleset import Loose

class OlomocTable(State):
    @property
    def notes(self) -> list[tuple[int, ...]] | None: ...
    @notes.setter
    def notes(self, value: list[tuple[int, ...]] | None) -> None: ...

def laid_piece(loose: Loose, rotation: int, x: int, y: int) -> Piece: ...
