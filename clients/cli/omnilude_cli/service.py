"""Child processes that end with this process, and a private service among them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from omnilude_cli.errors import CommandError

_ANNOUNCEMENT = "listening on "
_LINES_OF_LOG = 5
EXIT_TIMEOUT = 15.0
"""Seconds between terminating a child process and killing it."""


@contextmanager
def private_service(
    *, folder: Path | None = None, port: int | None = None, card_sets: Sequence[Path] = ()
) -> Iterator[str]:
    """Start a service and yield its target; it ends with the block, or when this process ends for any reason.

    With ``folder`` its database and its log are stored there; otherwise it keeps everything in memory. With ``port`` it
    listens on that port of 127.0.0.1 (0: a free one), otherwise on a Unix socket that no other user can reach.
    """
    with tempfile.TemporaryDirectory(prefix="omnilude-") as own:
        # Ignore an omnilude.toml in the working directory: it configures another service.
        flags = ["--config", os.devnull, "--metrics-port", "-1", "--http-port", "-1"]
        flags += ["--unix-socket", f"{own}/socket"] if port is None else ["--address", "127.0.0.1", "--port", str(port)]
        flags += ["--in-memory"] if folder is None else ["--database", str(folder / "matches.sqlite3")]
        flags += [word for path in card_sets for word in ("--card-sets", str(path))]
        log = (folder or Path(own)) / "service.log"
        with log.open("ab") as stderr, start([*own_command("serve", *flags), "--until-eof"], stderr) as process:
            yield _target(process, log)


def own_command(*arguments: str) -> list[str]:
    """Returns the command line of this program with other arguments, independent of the PATH."""
    return [sys.executable, "-m", "omnilude_cli", *arguments]


@contextmanager
def start(command: Sequence[str], stderr: IO[bytes] | None) -> Iterator[subprocess.Popen[str]]:
    """Start a child process that ends with the block. Its standard input stays open until this process ends."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        # Ctrl-C reaches only this process, which terminates its children in order.
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=EXIT_TIMEOUT)
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
