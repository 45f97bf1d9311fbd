"""Installed packs, and the games of matches configured with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from gamepacks.api.bots import Turn
    from gamepacks.api.game import Game
    from gamepacks.api.registry import LoadedGame, Registry
    from omnilude.v1.match_pb2 import Match


@cache
def registry(*card_sets: Path) -> Registry:
    """Load all installed packs, with the additional card sets of these files and folders; cached."""
    from gamepacks.api.registry import Registry

    loaded = Registry.load(card_sets=card_sets)
    if loaded.broken_cards:
        faults = [str(fault) for broken in loaded.broken_cards for fault in broken.faults]
        raise CommandError("invalid card file", *faults)
    return loaded


def installed_game(match: Match, *card_sets: Path) -> LoadedGame | None:
    """Returns the game of a match, if it is installed here with the same rules version."""
    loaded = registry(*card_sets).games.get(match.game.removeprefix("games/"))
    return loaded if loaded is not None and loaded.game.rules_version == match.rules_version else None


def configured_game(match: Match, loaded: LoadedGame) -> Game[Any] | None:
    """Configure the game of a match; returns None if its card set is not installed here."""
    from gamepacks.api.cards import UnknownCardSet

    options = loaded.game.messages.options.FromString(match.options.value)
    try:
        table = loaded.configure(len(match.seats), options)
    except UnknownCardSet:
        return None
    digest = b"" if table.card_set is None else table.card_set.digest
    return table if digest == match.card_set_digest else None


def local_game(match: Match, *card_sets: Path) -> Game[Any]:
    """Returns the game of a match. Raises RulesNotInstalled."""
    from omnilude.local import RulesNotInstalled

    loaded = installed_game(match, *card_sets)
    if loaded is None:
        raise RulesNotInstalled(f"{match.game} with rules {match.rules_version} is not installed here")
    game = configured_game(match, loaded)
    if game is None:
        raise RulesNotInstalled(f"the card set of {match.name} is not installed here: see --card-sets")
    return game


def local_turn(game: Game[Any], position: Message, seat: int, seed: int) -> Turn:
    """Returns a turn for bots that use the rules, from the position that a service sent."""
    from cext.random import Rng
    from gamepacks.api.bots import Turn
    from gamepacks.api.types import Seat

    return Turn(game, game.restore(as_local(position, game.messages.position)), Seat(seat), Rng(seed))


def as_local(message: Message, kind: type[Message]) -> Message:
    """Convert a message of the wire to the class of the installed pack."""
    return message if isinstance(message, kind) else kind.FromString(message.SerializeToString())
