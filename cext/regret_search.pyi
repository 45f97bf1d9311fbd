from collections.abc import Iterable

from cext.random import Rng
from cext.state import State

class RegretSearch:
    players: int
    max_leaves: int
    max_plies: int
    iterations: int
    def __init__(self, players: int, *, max_leaves: int = 256, max_plies: int = 100_000) -> None: ...
    def run(self, root: State, seat: int, rng: Rng, iterations: int = 0, seconds: float = 0.0) -> int: ...
    def strategy(self, root: State, seat: int, steps: Iterable[tuple[int, int]] = ()) -> list[tuple[int, float]]: ...
