"""A private service, and other child processes that end with this process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from omnilude_cli.errors import CommandError

_ANNOUNCEMENT = "listening on "
_LINES_OF_LOG = 5
SECONDS_TO_END = 15.0
"""Seconds that a child process may take to end before it is killed."""


@contextmanager
def private_service(
    *, folder: Path | None = None, port: int | None = None, card_sets: Sequence[Path] = ()
) -> Iterator[str]:
    """Start a service and give its target; it ends with the block, or with this process, however that ends.

    With ``folder`` its database and its log lie there; else it keeps all in memory. With ``port`` it listens there
    (0: at a free port), else at a Unix socket that no other user can reach.
    """
    with tempfile.TemporaryDirectory(prefix="omnilude-") as own:
        # The omnilude.toml of the folder that we stand in is for another service: its TLS, its token, its port.
        flags = ["--config", os.devnull, "--metrics-port", "-1"]
        flags += ["--unix-socket", f"{own}/socket"] if port is None else ["--address", "127.0.0.1", "--port", str(port)]
        flags += ["--in-memory"] if folder is None else ["--database", str(folder / "matches.sqlite3")]
        flags += [word for path in card_sets for word in ("--card-sets", str(path))]
        log = (folder or Path(own)) / "service.log"
        with log.open("ab") as stderr, start([*own_command("serve", *flags), "--until-eof"], stderr) as process:
            yield _target(process, log)


def own_command(*arguments: str) -> list[str]:
    """This very program with other arguments; it does not depend on what the PATH has."""
    return [sys.executable, "-m", "omnilude_cli", *arguments]


@contextmanager
def start(
    command: Sequence[str], stderr: IO[bytes] | None, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A child process that ends with the block. Its standard input stays open as long as this process lives."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment,
        text=True,
        # Ctrl-C is for this process; the children are ended in order.
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()


def _target(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(_ANNOUNCEMENT):
            return line.removeprefix(_ANNOUNCEMENT).strip()
    last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES_OF_LOG:]
    raise CommandError("the service did not start; the end of its log:", *last)
