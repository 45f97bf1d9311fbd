from collections.abc import Iterable

from cext.guide import Guide
from cext.random import Rng
from cext.state import State

class TreeSearch:
    players: int
    hidden: bool
    guide: Guide | None
    exploration: float
    widening: float
    widening_power: float
    playout_plies: int
    max_plies: int
    max_nodes: int
    iterations: int
    def __init__(
        self,
        players: int,
        *,
        hidden: bool = False,
        min_return: float = -1.0,
        max_return: float = 1.0,
        guide: Guide | None = None,
        exploration: float = 0.7,
        widening: float = 0.0,
        widening_power: float = 0.5,
        playout_plies: int | None = None,
        max_plies: int = 100_000,
        max_nodes: int = 500_000,
    ) -> None: ...
    def run(self, root: State, seat: int, rng: Rng, iterations: int = 0, seconds: float = 0.0) -> int: ...
    def ranking(self, seat: int) -> list[tuple[int, int, float]]: ...
    def principal_line(self, max_steps: int = 32) -> list[tuple[int, int]]: ...
    def mean_returns(self) -> tuple[float, ...]: ...
    @property
    def nodes(self) -> int: ...
    def advance(self, steps: Iterable[tuple[int, int]]) -> bool: ...
