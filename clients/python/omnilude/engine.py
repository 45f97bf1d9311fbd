"""Adapter for engines that read commands from standard input and write moves to standard output: :class:`EngineBot`.

docs/engine-protocol.md describes the protocol. A line is a command, the number of a match, and an argument::

    > omnilude 1
    < wants view
    < ready
    > newmatch 1 {"game": "games/ominoes", "seat": 0, "players": ["engine", "greedy"], ...}
    > turn 1 {"seq": 4, "codes": [16777216, 16777217], "sampled": false, "view": {...}}
    < move 1 16777217
    > end 1 {"places": [1, 2], "returns": [1.0, -1.0]}
    > quit
"""

from __future__ import annotations

import asyncio
import json
import logging
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self, cast

from google.protobuf import json_format
from google.protobuf.message import Message

from omnilude.bots import Bot, Choice, Want
from omnilude.errors import OmniludeError
from omnilude.turns import BotSeat, PlayedMatch, Resign, Turn

log = logging.getLogger("omnilude.engine")

VERSION = 1
WANTS_OF_ENGINES = ("view", "actions", "position")
START_TIMEOUT = 30.0
"""Seconds within which an engine must answer the greeting with ``ready``."""
EXIT_TIMEOUT = 2.0
"""Seconds between the command ``quit`` and killing the engine."""
LINE_BYTES = 1 << 20
"""Maximum length of a line of an engine; longer lines are ignored."""


class EngineFailed(OmniludeError):
    """An engine did not start, ended, or sent an invalid answer."""


class EngineBot(Bot):
    """Plays with an engine, a program that runs as a child process. Use it with ``async with``.

    The engine may play several matches at once; it receives one pending turn at a time for each.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self.name = ""
        """Name that the engine gave itself."""
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._numbers: dict[BotSeat, int] = {}
        self._seats: dict[tuple[str, int], BotSeat] = {}
        self._pending: dict[int, asyncio.Future[Any]] = {}
        """The pending turn of each match, by the number of the match; its result is the argument of the move."""

    async def __aenter__(self) -> Self:
        """Start the engine. Raises EngineFailed if it does not answer the greeting, and OSError if it cannot be run."""
        self._process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, limit=LINE_BYTES)
        self._send(f"omnilude {VERSION}")
        try:
            await asyncio.wait_for(self._greet(), START_TIMEOUT)
        except BaseException as error:
            await self._kill()
            if isinstance(error, TimeoutError):
                raise EngineFailed(f"{self._command[0]} did not answer 'ready' within {START_TIMEOUT:g} s") from None
            raise
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._process is not None and self._reader is not None
        self._send("quit")
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), EXIT_TIMEOUT)
        await self._kill()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def ended(self) -> None:
        """Wait until the engine ends, and raise EngineFailed."""
        assert self._process is not None
        code = await self._process.wait()
        raise EngineFailed(f"the engine {self._command[0]} ended with exit code {code}")

    async def _kill(self) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    # -- the engine ----------------------------------------------------------------------------------------------------

    def _send(self, command: str, number: int | None = None, argument: object = None) -> None:
        assert self._process is not None and self._process.stdin is not None
        parts = [command]
        if number is not None:
            parts.append(str(number))
        if argument is not None:
            parts.append(json.dumps(argument, separators=(",", ":")))
        if not self._process.stdin.is_closing():
            self._process.stdin.write((" ".join(parts) + "\n").encode())

    async def _line(self) -> list[str] | None:
        """Read a line as command, number and argument; returns None at the end of the output."""
        assert self._process is not None and self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:  # longer than LINE_BYTES
                continue
            if not line:
                return None
            words = line.decode(errors="replace").split(maxsplit=2)
            if words:
                return words

    async def _greet(self) -> None:
        while True:
            words = await self._line()
            match words:
                case None:
                    raise EngineFailed(f"{self._command[0]} ended before it answered 'ready'")
                case ["ready"]:
                    return
                case ["id", *name]:
                    self.name = " ".join(name).strip()
                case ["wants", *wants]:
                    asked = " ".join(wants).split()
                    unknown = [want for want in asked if want not in WANTS_OF_ENGINES]
                    if unknown:
                        raise EngineFailed(
                            f"{self._command[0]} wants {unknown[0]!r}; known are view, actions, position"
                        )
                    self.wants = cast(tuple[Want, ...], tuple(asked))  # type: ignore[misc]
                case _:
                    log.warning("line of the engine ignored: %.100s", " ".join(words))

    async def _read(self) -> None:
        """Pass moves to the turns for which they are. Lines that are not the answer to a pending turn are ignored."""
        while (words := await self._line()) is not None:
            match words:
                case ["move" | "resign" as command, number, *argument] if number.isdecimal():
                    pending = self._pending.pop(int(number), None)
                    if pending is not None and not pending.done():
                        pending.set_result(argument[0] if command == "move" and argument else None)
                        continue
                case ["info", *_]:
                    log.info("%.1000s", " ".join(words[1:]))
                    continue
            log.warning("line of the engine ignored: %.100s", " ".join(words))
        for pending in self._pending.values():
            if not pending.done():
                pending.set_exception(EngineFailed("the engine closed its standard output"))

    # -- the bot -------------------------------------------------------------------------------------------------------

    def on_start(self, bot_seat: BotSeat) -> None:
        """Announce a match to the engine."""
        number = self._numbers[bot_seat] = max(self._numbers.values(), default=0) + 1
        self._seats[bot_seat.name, bot_seat.seat] = bot_seat
        match = bot_seat.match
        self._send(
            "newmatch",
            number,
            {
                "game": match.game,
                "seat": bot_seat.seat,
                "players": [seat.player for seat in match.seats],
                "options": _json(bot_seat.game.messages.unpack(match.options)),
            },
        )

    async def choose(self, turn: Turn) -> Choice:
        """Send the turn to the engine and wait for its move."""
        number = self._numbers[turn.bot_seat]
        data: dict[str, Any] = {"seq": turn.seq, "codes": list(turn.codes), "sampled": turn.sampled}
        if turn.time_left is not None:
            data["time_left"] = round(turn.time_left, 3)
        if "view" in self.wants:
            data["view"] = _json(turn.view)
        if "actions" in self.wants:
            data["actions"] = [
                {"code": entry.code, "label": entry.label, "action": _json(entry.action)} for entry in turn.actions
            ]
        if "position" in self.wants:
            data["position"] = _json(turn.position)
        pending = self._pending[number] = asyncio.get_running_loop().create_future()
        self._send("turn", number, data)
        try:
            answer = await pending
        except asyncio.CancelledError:
            self._send("cancel", number)
            raise
        finally:
            if self._pending.get(number) is pending:
                del self._pending[number]
        if answer is None:
            raise Resign
        return _choice(answer, turn)

    def on_end(self, played: PlayedMatch) -> None:
        """Report the end of a match to the engine."""
        bot_seat = self._seats.pop((played.match.name, played.seat))
        result = played.match.result
        self._send(
            "end",
            self._numbers.pop(bot_seat),
            {"places": list(result.places), "returns": list(result.returns)},
        )


def _json(message: Message) -> Any:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _choice(answer: str, turn: Turn) -> Choice:
    """Convert the argument of a move: a code, or the pack's action message as JSON. Raises EngineFailed."""
    try:
        data = json.loads(answer)
        if isinstance(data, int):
            return data
        action = turn.bot_seat.game.messages.action()
        json_format.ParseDict(data, action)
        return action
    except (ValueError, json_format.ParseError) as error:
        raise EngineFailed(f"the engine sent an invalid move: {answer:.100}") from error
