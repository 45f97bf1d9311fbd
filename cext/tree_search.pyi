from collections.abc import Iterable, Sequence
from typing import ClassVar

from cext.random import Rng
from cext.state import State

class Guide:
    has_priors: ClassVar[bool]
    has_values: ClassVar[bool]
    has_policy: ClassVar[bool]
    playout_plies: ClassVar[int]
    action_depth: ClassVar[int]
    action_breadth: ClassVar[int]
    action_samples: ClassVar[int]
    softness: ClassVar[float]
    def priors(self, state: State, seat: int, legal: list[int], rng: Rng) -> Sequence[int]: ...
    def values(self, state: State, rng: Rng) -> Sequence[float]: ...
    def choose(self, state: State, seat: int, legal: list[int], rng: Rng) -> int: ...
    def weights(self, evaluations: list[float]) -> list[int]: ...
    def evaluate(self, state: State, seat: int, rng: Rng) -> float: ...
    def continues(self, state: State, seat: int) -> bool: ...
    def evaluate_action(self, state: State, code: int, seat: int, rng: Rng, depth: int = -1) -> float: ...

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
    def principal_line(self, most: int = 32) -> list[tuple[int, int]]: ...
    def mean_returns(self) -> tuple[float, ...]: ...
    @property
    def nodes(self) -> int: ...
    def falling_weight(self, i: int) -> int: ...
    def advance(self, steps: Iterable[tuple[int, int]]) -> bool: ...
