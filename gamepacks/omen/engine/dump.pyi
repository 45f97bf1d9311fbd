from typing import Any

from gamepacks.omen.engine.data import CoreState

ORDERED: frozenset[int]
COUNTERS: tuple[str, ...]

def dump_state(s: CoreState) -> dict[str, Any]: ...
def load_state(s: CoreState, values: dict[str, Any]) -> int: ...
