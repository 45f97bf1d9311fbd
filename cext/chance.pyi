from cext.state import State

SEED_BYTES: int
UID_BYTES: int

def commitment(seed: bytes) -> bytes: ...
def outcome(seed: bytes, uid: bytes, ply: int, outcomes: list[tuple[int, int]]) -> int: ...
def advance(
    state: State, code: int, seat: int, seed: bytes, uid: bytes, ply: int, most_rolls: int
) -> tuple[State, list[int], int, int] | None: ...
