from cext.guide import Guide
from cext.random import Rng
from cext.state import State

def rank_by_evaluation(
    root: State, seat: int, rng: Rng, guide: Guide, worlds: int = 0, depth: int = -1, seconds: float = 0.0
) -> list[tuple[int, float]]: ...
def flat_monte_carlo(
    root: State,
    seat: int,
    rng: Rng,
    playouts: int = 0,
    seconds: float = 0.0,
    resample: bool = False,
    max_plies: int = 100_000,
) -> list[tuple[int, int, float]]: ...
