from cext.random import Rng
from gamepacks.omega.engine.state import OmegaState

def best_action(state: OmegaState, seat: int, rng: Rng, playouts: int = 0, seconds: float = 0.0) -> int: ...
