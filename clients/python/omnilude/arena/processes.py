"""Processes of the bots of a tournament: started, restarted and terminated by the arena."""

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

EXIT_TIMEOUT = 5.0
"""Seconds between closing the standard input of a process and killing it."""
LINE_BYTES = 1 << 16
"""Maximum length of a line on a bot's standard output; longer lines are ignored."""
STABLE_SECONDS = 5.0
"""Run time after which the restart of a process begins with the shortest pause again."""
HOSTED_REPORT_TIMEOUT = 30.0
"""Seconds to wait for the report of a bot that has resigned and is hosted by :mod:`omnilude.arena.bot_process`."""
COMMAND_REPORT_TIMEOUT = 0.5
"""Seconds to wait for the report of another program that has resigned, which need not report."""
REPORTS_KEPT = 1000
"""Number of reports of a bot that are kept."""
REPORTED = (Conduct.CRASHED, Conduct.ILLEGAL, Conduct.RESIGNED)
"""Verdicts that a bot can report on itself."""
COUNT_INTERVAL = 0.25
"""Seconds between two counts of the processes of a bot whose number is limited."""


class BotProcess:
    """Process of a bot. After a restart it gets its seats back, because its name and key stay the same."""

    def __init__(self, entry: BotEntry, server: str, game: str, folder: Path, api_token: str | None = None) -> None:
        self.entry = entry
        self.player = f"{entry.name} {secrets.token_hex(3)}"
        """Name under which it is invited; unique at the service."""
        self.starts = 0
        """Number of times that its process was started."""
        self.deaths = 0
        """Number of times that its process has ended without being stopped."""
        self.gone = asyncio.Event()
        """Set when its process has ended and is not restarted any more."""
        self._reports: dict[str, Conduct] = {}
        """Its reports by match, oldest first. One can arrive before the arena knows the name of the match."""
        self._key = secrets.token_urlsafe(24)
        self._server = server
        self._game = game
        self._token = api_token
        self._log = folder / f"{entry.name}.log"
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None
        self._closing = False
        self._restarting = False
        self._reported = asyncio.Event()

    def report_on(self, match: str) -> Conduct | None:
        """Returns its report for a match, if there is one by now."""
        return self._reports.get(match)

    async def await_report_on(self, match: str) -> Conduct | None:
        """Wait for its report for a match in which it has resigned; returns None if there is none.

        A bot that the arena hosts reports each resignation before it resigns, so its report is sure to arrive.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(COMMAND_REPORT_TIMEOUT if self.entry.command else HOSTED_REPORT_TIMEOUT):
                while match not in self._reports and not self.gone.is_set():
                    self._reported.clear()
                    await self._reported.wait()
        return self._reports.get(match)

    async def start(self) -> None:
        """Start the process and restart it when it ends. Raises OSError if the program cannot be run."""
        await self._spawn()
        self._watching = asyncio.create_task(self._watch())

    def restart(self, start: int) -> None:
        """Kill the process that was the ``start``-th one, if it is running, so that it is started again."""
        if self.starts == start and self._process is not None and self._process.returncode is None:
            log.warning("bot %s has no connection and is restarted", self.entry.name)
            self._restarting = True
            self._kill()

    async def close(self) -> None:
        """Terminate the process: close its standard input, and kill its process group after EXIT_TIMEOUT."""
        self._closing = True
        process = self._process
        if process is not None and process.returncode is None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), EXIT_TIMEOUT)
            except TimeoutError:
                log.warning("bot %s did not exit and is killed", self.entry.name)
        if self._watching is not None:
            self._kill()
            await asyncio.gather(self._watching, return_exceptions=True)

    def _command(self) -> list[str]:
        entry = self.entry
        host = [sys.executable, "-m", "omnilude.arena.bot_process"]
        if entry.python is not None:
            command = [*host, entry.python]
        elif entry.engine is not None:
            command = [*host, "--engine", *entry.engine]
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
        self.starts += 1
        self._restarting = False
        with self._log.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=dict(self._environment()),
                # In a process group of its own: its children are killed with it, and Ctrl-C reaches only the arena.
                start_new_session=True,
                limit=LINE_BYTES,
            )

    async def _watch(self) -> None:
        backoff = Backoff()
        loop = asyncio.get_running_loop()
        started = loop.time()
        while True:
            assert self._process is not None
            counting = asyncio.create_task(self._limit_processes(self._process.pid))
            try:
                await self._read(self._process)
                code = await self._process.wait()
            finally:
                counting.cancel()
            self._kill()
            if self._closing:
                return
            if not self._restarting:
                self.deaths += 1
                self._reported.set()
                log.warning("bot %s ended with exit code %s; see %s", self.entry.name, code, self._log)
            if self.starts > self.entry.restarts:
                self.gone.set()
                return
            if loop.time() - started > STABLE_SECONDS:
                backoff.reset()
            await asyncio.sleep(backoff.pause())
            if self._closing:
                return
            started = loop.time()
            try:
                await self._spawn()
            except OSError as error:
                log.warning("bot %s cannot be restarted: %s", self.entry.name, error)
                self.gone.set()
                return
            if self._closing:
                self._kill()  # close() knew only the process before

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Read reports from its standard output until that closes. Other lines are ignored."""
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # longer than LINE_BYTES
                continue
            if not line:
                return
            with suppress(ValueError, KeyError, TypeError):
                report = json.loads(line)
                failure = Conduct(report["failure"])
                if isinstance(report["match"], str) and failure in REPORTED:
                    if len(self._reports) >= REPORTS_KEPT:
                        del self._reports[next(iter(self._reports))]
                    self._reports[report["match"]] = failure
                    self._reported.set()

    async def _limit_processes(self, session: int) -> None:
        """Kill the bot when it has more processes than its limit. They are counted in the session that it leads."""
        limit = self.entry.processes
        while limit is not None:
            await asyncio.sleep(COUNT_INTERVAL)
            count = _count_processes(session)
            if count > limit:
                log.warning("bot %s has %d processes, of %d allowed, and is killed", self.entry.name, count, limit)
                self._kill()

    def _kill(self) -> None:
        """Kill the process group of the bot."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _count_processes(session: int) -> int:
    """Returns the number of processes in a session."""
    return sum(_session_of(path) == session for path in Path("/proc").glob("[0-9]*"))


def _session_of(process: Path) -> int | None:
    """Returns the session id of a folder of /proc; None if the process has ended."""
    try:
        # The name of the program, in parentheses, may contain anything; the session is the fourth field after it.
        return int((process / "stat").read_text(errors="replace").rpartition(")")[2].split()[3])
    except (OSError, IndexError, ValueError):
        return None
