"""The processes of the bots of a tournament: started, watched, started again, ended."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from omnilude.arena.config import BotEntry
from omnilude.arena.results import Conduct
from omnilude.connection import Backoff

log = logging.getLogger("omnilude.arena")

SECONDS_TO_END = 5.0
"""For which a process may end by itself once its standard input is closed, before it is killed."""
LINE_BYTES = 1 << 16
"""A longer line on a bot's standard output is passed over."""


class BotProcess:
    """A bot that dials in. It gets its place back after it died: the service keeps seats for the name and the key."""

    def __init__(self, entry: BotEntry, server: str, game: str, folder: Path, api_token: str | None = None) -> None:
        self.entry = entry
        self.player = f"{entry.name} {secrets.token_hex(3)}"
        """Under which it takes seats; unlike that of any other player of the service."""
        self.deaths = 0
        """How often its process has died."""
        self.gone = False
        """Whether it died more often than it is started again."""
        self.playing: dict[str, Conduct | None] = {}
        """The matches that it plays, and what it said of those in which it failed."""
        self._key = secrets.token_urlsafe(24)
        self._server = server
        self._game = game
        self._token = api_token
        self._log = folder / f"{entry.name}.log"
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None
        self._closing = False
        self._said = asyncio.Event()

    async def failure_in(self, match: str, seconds: float) -> Conduct | None:
        """What it says of a failure in a match, for which it may take some time; None where it says nothing."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.playing.get(match) is None and not self.gone:
                    self._said.clear()
                    await self._said.wait()
        return self.playing.get(match)

    async def start(self) -> None:
        """Start the process and watch over it. Raises OSError where the program cannot be run."""
        await self._spawn()
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """End the process: by the end of its standard input, at last by force, with all that it has started."""
        self._closing = True
        process = self._process
        if process is not None and process.returncode is None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), SECONDS_TO_END)
            except TimeoutError:
                log.warning("bot %s does not end: it is killed", self.entry.name)
        if self._watching is not None:
            self._kill()
            await asyncio.gather(self._watching, return_exceptions=True)

    def _command(self) -> list[str]:
        entry = self.entry
        if entry.python is not None:
            command = [sys.executable, "-m", "omnilude.arena.bot_process", entry.python]
        else:
            assert entry.command is not None
            command = list(entry.command)
        if entry.memory_mb is not None:
            command = [sys.executable, "-m", "omnilude.arena.launch", str(entry.memory_mb), *command]
        return command

    def _environment(self) -> Mapping[str, str]:
        own = {
            "OMNILUDE_TARGET": self._server,
            "OMNILUDE_PLAYER": self.player,
            "OMNILUDE_PLAYER_KEY": self._key,
            "OMNILUDE_GAME": self._game,
        }
        if self._token:
            own["OMNILUDE_API_TOKEN"] = self._token
        return {**os.environ, **self.entry.environment, **own}

    async def _spawn(self) -> None:
        with self._log.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=dict(self._environment()),
                # A group of its own: what it starts ends with it, and Ctrl-C is for the arena.
                start_new_session=True,
                limit=LINE_BYTES,
            )

    async def _watch(self) -> None:
        backoff = Backoff()
        while True:
            assert self._process is not None
            await self._read(self._process)
            code = await self._process.wait()
            self._kill()
            if self._closing:
                return
            self.deaths += 1
            self._said.set()
            log.warning("bot %s ended with exit code %s; see %s", self.entry.name, code, self._log)
            if self.deaths > self.entry.restarts:
                self.gone = True
                return
            await asyncio.sleep(backoff.pause())
            try:
                await self._spawn()
            except OSError as error:
                log.warning("bot %s cannot be started again: %s", self.entry.name, error)
                self.gone = True
                return

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Take what the bot says of its matches, until its output ends. Whatever else it prints is passed over."""
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # longer than a line may be
                continue
            if not line:
                return
            with suppress(ValueError, KeyError, TypeError):
                said = json.loads(line)
                failure = Conduct(said["failure"])
                if said["match"] in self.playing and failure in (Conduct.CRASHED, Conduct.ILLEGAL):
                    self.playing[said["match"]] = failure
                    self._said.set()

    def _kill(self) -> None:
        """Kill the process and all that it has started."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
