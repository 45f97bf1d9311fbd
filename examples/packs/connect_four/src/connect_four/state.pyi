from typing import Any

from gamepacks.api import State

class CompiledState(State):
    def __init__(self, game: Any) -> None: ...
    @property
    def drops(self) -> tuple[int, ...]: ...
