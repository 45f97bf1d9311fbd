from collections.abc import Callable

from cext.tree_search import Guide
from gamepacks.omen.engine.state import OmenState

def best_actions(
    state: OmenState, seat: int, quick: bool = False, evaluator: Callable[[OmenState, int], float] | None = None
) -> list[int]: ...
def evaluate(state: OmenState, seat: int) -> float: ...

class OmenGuide(Guide): ...
