"""``omnilude serve --replicas N`` on a PostgreSQL database, of whose processes single ones can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from omnilude_cli.service import own_command

LISTENING = "0A"
"""State of a listening socket in /proc/net/tcp and /proc/net/tcp6."""


@dataclass(frozen=True)
class Replicas:
    """Replicas that are running."""

    supervisor: int
    """Process id of the supervisor."""
    target: str
    """Address of all replicas together."""
    url: str
    """The same for browsers; empty without HTTP."""

    def pids(self) -> list[int]:
        """Returns the process ids of the replicas."""
        threads = Path(f"/proc/{self.supervisor}/task").glob("*/children")
        children = [pid for thread in threads for pid in thread.read_text().split()]
        return [int(pid) for pid in children if b"spawn_main" in _command_line(pid)]

    def kill(self, pid: int) -> None:
        """kill -9 one replica; the supervisor starts another one."""
        os.kill(pid, signal.SIGKILL)

    def pid_at(self, address: str) -> int:
        """Returns the process id of the replica that has this address of its own."""
        port = int(address.rpartition(":")[2])
        sockets = set()
        for line in "".join(Path(f"/proc/net/{table}").read_text() for table in ("tcp", "tcp6")).splitlines():
            fields = line.split()
            if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                sockets.add(f"socket:[{fields[9]}]")
        return next(pid for pid in self.pids() if sockets & _open_files(pid))


def _command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _open_files(pid: int) -> set[str]:
    return {str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()}


@contextmanager
def running_replicas(database: str, count: int, log: Path, *flags: str, http: bool = False) -> Iterator[Replicas]:
    """Start replicas on a database; they end with the block. ``log`` is the file of their log."""
    command = own_command("serve", "--replicas", str(count), "--port", "0", "--metrics-port", "-1", *flags)
    command += ["--http-port", "0" if http else "-1", "--set", f"store.url={database}", "--log-level", "warning"]
    with log.open("w") as errors:
        supervisor = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert supervisor.stdout is not None
    try:
        with supervisor.stdout as lines:
            target = lines.readline().removeprefix("listening on ").strip()
            url = lines.readline().removeprefix("for browsers: ").strip() if http else ""
        if not target:
            raise RuntimeError(f"the replicas did not start:\n{log.read_text()}")
        yield Replicas(supervisor.pid, target, url)
    finally:
        supervisor.terminate()
        supervisor.wait(timeout=60)
