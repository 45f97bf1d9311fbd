"""Connect Four: a pack for Omnilude."""

from connect_four.game import ConnectFour
from gamepacks.api import hookimpl


@hookimpl
def omnilude_games() -> list[type[ConnectFour]]:
    return [ConnectFour]
