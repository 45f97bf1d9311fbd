from typing import Any

from gamepacks.omen.engine.table import Table

PILES: int
ORDERED: frozenset[int]
COUNTERS: tuple[str, ...]

def dump(t: Table) -> dict[str, Any]: ...
def load(t: Table, values: dict[str, Any]) -> int: ...
