"""``python -m omnilude.arena.bot_process CLASS``: host a bot in a separate process for the arena.

``CLASS`` is ``package.module:Class`` or ``path/to/file.py:Class``; the class may be omitted if the module has only one
class of bots. The environment variables OMNILUDE_TARGET, OMNILUDE_PLAYER, OMNILUDE_PLAYER_KEY, OMNILUDE_GAME and
OMNILUDE_API_TOKEN name the service and the player. For each match in which the bot fails or resigns, a report is
printed to standard output before the resignation is sent, a line of JSON: ``{"match": "matches/...", "failure":
"crashed" | "illegal" | "resigned", "error": "..."}``. The process exits when its standard input closes. With
``--engine PROGRAM ARGUMENT...`` in place of ``CLASS`` the bot is an engine (:mod:`omnilude.engine`).
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from omnilude.bot_executor import IllegalChoice
from omnilude.bot_host import host_bot
from omnilude.bots import Bot
from omnilude.engine import EngineBot, EngineFailed
from omnilude.errors import IllegalAction, InvalidInput
from omnilude.turns import Resign


class NoSuchBot(Exception):
    """No bot class was found."""


def load_bot(spec: str) -> Bot:
    """Create a bot of the class that ``spec`` names. Raises NoSuchBot, and any exception of the module."""
    place, _, name = spec.partition(":")
    if place.endswith(".py"):
        path = Path(place)
        if not path.is_file():
            raise NoSuchBot(f"there is no file {place}")
        found = importlib.util.spec_from_file_location(path.stem, path)
        assert found is not None and found.loader is not None
        module = importlib.util.module_from_spec(found)
        # As when it is run as a program: modules in its folder can be imported.
        sys.path.insert(0, str(path.resolve().parent))
        sys.modules[path.stem] = module
        found.loader.exec_module(module)
    else:
        try:
            module = importlib.import_module(place)
        except ModuleNotFoundError as error:
            if error.name is not None and (place == error.name or place.startswith(error.name + ".")):
                raise NoSuchBot(f"there is no module {place}") from None
            raise
    if name:
        named = getattr(module, name, None)
        if not _is_bot(named):
            raise NoSuchBot(f"{place} has no class {name} that is a Bot")
        return named()
    kinds = [kind for kind in vars(module).values() if _is_bot(kind) and kind.__module__ == module.__name__]
    if len(kinds) != 1:
        raise NoSuchBot(f"{place} has {len(kinds)} classes that are a Bot: write {place}:Class")
    return kinds[0]()


def _is_bot(kind: Any) -> TypeGuard[type[Bot]]:
    """Returns whether it is a class of bots."""
    return inspect.isclass(kind) and issubclass(kind, Bot) and not inspect.isabstract(kind)


def report(match_name: str, error: BaseException) -> None:
    """Print a report on a match in which the bot resigns."""
    match error:
        case Resign():
            failure = "resigned"
        case IllegalChoice() | IllegalAction() | InvalidInput():
            failure = "illegal"
        case _:
            failure = "crashed"
    print(
        json.dumps({"match": match_name, "failure": failure, "error": f"{type(error).__name__}: {error}"}), flush=True
    )


def main(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Play all matches to which the bot is invited, until standard input closes."""
    if arguments[0] == "--engine":
        try:
            asyncio.run(_host_engine(arguments[1:], environment))
        except (EngineFailed, OSError) as error:
            sys.exit(str(error))
        return
    try:
        bot = load_bot(arguments[0])
    except NoSuchBot as error:
        sys.exit(str(error))
    asyncio.run(_host(bot, environment))


async def _host(bot: Bot, environment: Mapping[str, str]) -> None:
    game = environment.get("OMNILUDE_GAME")
    await host_bot(
        bot,
        environment["OMNILUDE_TARGET"],
        name=environment["OMNILUDE_PLAYER"],
        key=environment["OMNILUDE_PLAYER_KEY"],
        games=[game] if game else [],
        api_token=environment.get("OMNILUDE_API_TOKEN"),
        until_eof=True,
        on_resign=report,
    )


async def _host_engine(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Host an engine. Raises EngineFailed when it ends, so that the arena restarts both."""
    async with EngineBot(command) as bot:
        hosting = asyncio.create_task(_host(bot, environment))
        ended = asyncio.create_task(bot.ended())
        try:
            await asyncio.wait({hosting, ended}, return_when=asyncio.FIRST_COMPLETED)
            (hosting if hosting.done() else ended).result()
        finally:
            hosting.cancel()
            ended.cancel()
            await asyncio.gather(hosting, ended, return_exceptions=True)


if __name__ == "__main__":
    main(sys.argv[1:], os.environ)
