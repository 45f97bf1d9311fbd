"""The SQLite file itself: opening it, telling whether it is one of ours, copying it while it is in use."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from engine_service.store import schema
from engine_service.store import sqlite_sql as sql
from engine_service.store.base import CannotOpen, Damaged, DataLost, NotAStore, SchemaTooNew
from engine_service.store.mark import Mark

log = logging.getLogger(__name__)

Durability = Literal["full", "normal"]
MOST_FINDINGS = 3
"""Faults of a damaged database that are named at the start."""

_UNREADABLE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def connect(path: Path, durability: Durability, lock_wait_seconds: float) -> sqlite3.Connection:
    """A connection to a database that is there. One thread at a time may use it. Raises CannotOpen.

    Python's own handling of transactions is switched off: it would start them late and without the write lock.
    """
    with opening(path):
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=rw",
            timeout=lock_wait_seconds,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute(f"PRAGMA synchronous={durability}")
            connection.execute("PRAGMA foreign_keys=on")
        except BaseException:
            connection.close()
            raise
        return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, begin: Literal["BEGIN", "BEGIN IMMEDIATE"]) -> Iterator[None]:
    """All or nothing. ``BEGIN IMMEDIATE`` takes the write lock at once, so that nothing read goes stale."""
    _roll_back(connection)
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # then the next transaction does it
            _roll_back(connection)
        raise


def _roll_back(connection: sqlite3.Connection) -> None:
    """End an open transaction; some errors have done so already, a COMMIT that fails has not."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def create(path: Path) -> None:
    """Make an empty file for a database where there is none. Raises OSError."""
    # Logs and seeds are secret: for the owner alone. The files that SQLite puts beside it take after it.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def is_missing(path: Path) -> bool:
    """Is there no file, or an empty one?"""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True


def prepare(path: Path, lock_wait_seconds: float, mark: Mark | None = None, *, accept_loss: bool = False) -> None:
    """Make a database of the file, and bring an older one up to date.

    Raises CannotOpen; Damaged and DataLost (it falls short of the ``mark``) only unless ``accept_loss``. A database
    that is refused has not been changed.
    """
    with opening(path), contextlib.closing(connect(path, "full", lock_wait_seconds)) as connection:
        version = check(path, connection)
        try:
            _check_whole(path, connection, version, mark)
        except (Damaged, DataLost) as loss:
            if not accept_loss:
                raise
            log.warning("going on all the same, as asked: %s", loss)
        if version == schema.VERSION:
            return
        (mode,) = connection.execute("PRAGMA journal_mode=wal").fetchone()
        if mode != "wal":
            raise CannotOpen(f"{path} is where no write-ahead log can be kept (a network drive?)")
        with transaction(connection, "BEGIN IMMEDIATE"):
            _bring_up_to_date(connection, check(path, connection))


def _check_whole(path: Path, connection: sqlite3.Connection, version: int, mark: Mark | None) -> None:
    """Raises Damaged, DataLost."""
    if version and (findings := damage(connection, "quick_check", MOST_FINDINGS)):
        raise Damaged(path, findings)
    if mark is not None:
        store_id, commits = identity(connection) if version == schema.VERSION else ("", 0)
        if contradiction := mark.contradiction(store_id, commits):
            raise DataLost(path, contradiction)


def damage(connection: sqlite3.Connection, pragma: Literal["quick_check", "integrity_check"], most: int) -> list[str]:
    """What SQLite finds wrong with the database, ``most`` faults at most; empty: nothing.

    ``quick_check`` reads every page; ``integrity_check`` also compares indexes with their tables.
    """
    try:
        found = [text for (text,) in connection.execute(f"PRAGMA {pragma}({most})")]
    except sqlite3.DatabaseError as error:
        if _code(error) not in _UNREADABLE:
            raise
        return [str(error)]
    lines = [line for text in found if text != "ok" for line in text.splitlines() if not line.startswith("***")]
    return lines[:most]


def identity(connection: sqlite3.Connection) -> tuple[str, int]:
    """The id of a database of this version, and the number of its newest commit."""
    store_id, commits = connection.execute(sql.READ_IDENTITY).fetchone()
    return str(store_id), int(commits)


def _bring_up_to_date(connection: sqlite3.Connection, found: int) -> None:
    if found == 0:
        for statement in sql.CREATE_TABLES:
            connection.execute(statement)
        connection.execute(sql.WRITE_VERSION, {"version": schema.VERSION})
        return
    for version in range(found + 1, schema.VERSION + 1):
        for statement in sql.UPGRADES[version]:
            connection.execute(statement)
    connection.execute(sql.CHANGE_VERSION, {"version": schema.VERSION})


def check(path: Path, connection: sqlite3.Connection) -> int:
    """The version of a database of ours that this program can read; 0 where it is empty. Raises CannotOpen where it
    is anything else."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return 0
    if schema.schema.name not in tables:
        raise NotAStore(f"{path} is the database of another program")
    versions = connection.execute(sql.READ_VERSION).fetchall()
    version = versions[0][0] if len(versions) == 1 else None
    if not isinstance(version, int) or version < 1:
        raise NotAStore(f"{path} does not say which schema it has")
    if version > schema.VERSION:
        raise SchemaTooNew(version, schema.VERSION)
    return version


def backup(path: Path, to_path: Path) -> None:
    """Copy the database, as it stands at one moment, into a new file; a service may be using it meanwhile.

    Raises CannotOpen where ``path`` is no database of ours, FileExistsError where ``to_path`` is there already, OSError
    where it cannot be written. The secret key is another file and not part of it.
    """
    with contextlib.ExitStack() as stack:
        with opening(path):
            source = stack.enter_context(contextlib.closing(connect(path, "full", lock_wait_seconds=5.0)))
            if not check(path, source):
                raise NotAStore(f"{path} is empty")
        if to_path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to_path))
        aside = to_path.with_name(to_path.name + ".part")
        os.close(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            with contextlib.closing(sqlite3.connect(aside)) as copy:
                source.backup(copy)
            with aside.open("rb+") as written:
                os.fsync(written.fileno())
            aside.rename(to_path)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"the copy failed: {error}", str(to_path)) from error
        finally:
            aside.unlink(missing_ok=True)


def is_locked(error: BaseException) -> bool:
    """Did another process hold the database for too long?"""
    return isinstance(error, sqlite3.Error) and _code(error) in _LOCKED


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary error code; 0 where the error is of the Python module itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextlib.contextmanager
def opening(path: Path) -> Iterator[None]:
    """Turn what may happen to a database that is opened into CannotOpen."""
    try:
        yield
    except OSError as error:
        raise CannotOpen(f"{path} cannot be opened: {error.strerror}") from error
    except sqlite3.Error as error:
        if _code(error) in _UNREADABLE:
            raise NotAStore(f"{path} is no database, or damaged: {error}") from error
        if is_locked(error):
            raise CannotOpen(f"{path} is locked by another program") from error
        raise CannotOpen(f"{path} cannot be opened: {error}") from error
