"""``python -m omnilude.arena.bot_process CLASS``: play a Python bot in a process of its own, for the arena.

``CLASS`` is ``package.module:Class`` or ``path/to/file.py:Class``; where a file has one class of bots, its name may be
left out. The environment says where and as whom it plays: OMNILUDE_TARGET, OMNILUDE_PLAYER, OMNILUDE_PLAYER_KEY,
OMNILUDE_GAME and OMNILUDE_API_TOKEN. A line of JSON on standard output tells of each match in which it failed:
``{"match": "matches/...", "failure": "crashed" | "illegal", "error": "..."}``. It ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from omnilude.async_client import AsyncClient
from omnilude.bot_executor import IllegalChoice
from omnilude.bots import Bot, BotSeat, PlayedMatch, Turn
from omnilude.player import Player
from omnilude.v1.match_pb2 import MatchEvent


class NoSuchBot(Exception):
    """There is no bot of this name."""


def load_bot(spec: str) -> Bot:
    """An object of the class that ``spec`` names. Raises NoSuchBot, and what the module raises."""
    place, _, name = spec.partition(":")
    if place.endswith(".py"):
        path = Path(place)
        if not path.is_file():
            raise NoSuchBot(f"there is no file {place}")
        found = importlib.util.spec_from_file_location(path.stem, path)
        assert found is not None and found.loader is not None
        module = importlib.util.module_from_spec(found)
        # As when it is run: what lies beside it can be imported.
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
        kind = getattr(module, name, None)
        if not (inspect.isclass(kind) and issubclass(kind, Bot)):
            raise NoSuchBot(f"{place} has no class {name} that is a Bot")
        return kind()
    kinds = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Bot) and kind.__module__ == module.__name__
    ]
    if len(kinds) != 1:
        raise NoSuchBot(f"{place} has {len(kinds)} classes that are a Bot: write {place}:Class")
    return kinds[0]()


class ReportingBot(Bot):
    """Plays as another bot does, and reports a failure before the resignation that follows it is sent."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.wants = bot.wants  # type: ignore[misc]
        self.threads = bot.threads  # type: ignore[misc]

    def choose(self, turn: Turn) -> int | Message | Awaitable[int | Message]:
        with _reported(turn.match.name):
            choice = self._bot.choose(turn)
            return self._awaited(turn, choice) if inspect.isawaitable(choice) else _checked(turn, choice)

    async def _awaited(self, turn: Turn, choice: Awaitable[int | Message]) -> int | Message:
        with _reported(turn.match.name):
            return _checked(turn, await choice)

    def on_start(self, bot_seat: BotSeat) -> None:
        with _reported(bot_seat.name):
            self._bot.on_start(bot_seat)

    def on_events(self, bot_seat: BotSeat, events: Sequence[MatchEvent]) -> None:
        with _reported(bot_seat.name):
            self._bot.on_events(bot_seat, events)

    def accepts_undo(self, bot_seat: BotSeat, request: MatchEvent) -> bool:
        with _reported(bot_seat.name):
            return self._bot.accepts_undo(bot_seat, request)

    def on_end(self, played: PlayedMatch) -> None:
        self._bot.on_end(played)


def _checked(turn: Turn, choice: int | Message) -> int | Message:
    """The choice. Raises IllegalChoice for a code that is known not to be legal."""
    if isinstance(choice, int) and choice not in turn.codes and not turn.sampled:
        raise IllegalChoice(f"{choice} is not among the {len(turn.codes)} legal codes of this turn")
    return choice


@contextmanager
def _reported(match: str) -> Iterator[None]:
    """Report what is raised, but for a decision that was cancelled because it has gone away."""
    try:
        yield
    except asyncio.CancelledError:
        raise
    except Exception as error:
        failure = "illegal" if isinstance(error, IllegalChoice) else "crashed"
        line = {"match": match, "failure": failure, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)
        raise


async def serve(bot: Bot, environment: Mapping[str, str]) -> None:
    """Play all matches to which the bot is invited, until standard input ends."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(0, lambda: None if os.read(0, 4096) else ended.set())
    game = environment.get("OMNILUDE_GAME")
    token = environment.get("OMNILUDE_API_TOKEN")
    async with (
        AsyncClient(environment["OMNILUDE_TARGET"], api_token=token) as client,
        Player(
            ReportingBot(bot),
            client,
            name=environment["OMNILUDE_PLAYER"],
            key=environment["OMNILUDE_PLAYER_KEY"],
            games=[game] if game else [],
        ) as player,
    ):
        print("ready", flush=True)
        playing: Any = asyncio.ensure_future(player.wait())
        stopping = asyncio.ensure_future(ended.wait())
        await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            playing.result()
        playing.cancel()
        stopping.cancel()
        loop.remove_reader(0)


if __name__ == "__main__":
    try:
        chosen = load_bot(sys.argv[1])
    except NoSuchBot as error:
        sys.exit(str(error))
    asyncio.run(serve(chosen, os.environ))
