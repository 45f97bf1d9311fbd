"""The packs that are installed here: what a client that has them can do more than others."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from gamepacks.api.game import Game
    from gamepacks.api.registry import LoadedGame, Registry
    from omnilude.v1.match_pb2 import Match


@cache
def registry() -> Registry:
    """All installed packs, loaded once."""
    from gamepacks.api.registry import Registry

    return Registry.load()


def installed_game(match: Match) -> LoadedGame | None:
    """The game of a match, if it is installed here under the same rules."""
    loaded = registry().games.get(match.game.removeprefix("games/"))
    return loaded if loaded is not None and loaded.game.rules_version == match.rules_version else None


def table_of(match: Match, loaded: LoadedGame) -> Game[Any]:
    """The game as it is set up for a match."""
    options = loaded.game.messages.options.FromString(match.options.value)
    return loaded.game.configure(len(match.seats), options)


def as_local(message: Message, kind: type[Message]) -> Message:
    """A message of the wire in the class that the installed pack knows."""
    return message if isinstance(message, kind) else kind.FromString(message.SerializeToString())
