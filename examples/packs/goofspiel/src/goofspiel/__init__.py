"""Goofspiel: a pack for Omnilude."""

from gamepacks.api import hookimpl
from goofspiel.game import Goofspiel


@hookimpl
def omnilude_games() -> list[type[Goofspiel]]:
    return [Goofspiel]
