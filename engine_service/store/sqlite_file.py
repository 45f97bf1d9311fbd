"""SQLite files: opening, checking and copying them, also while a service is using them."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy.dialects import sqlite

from engine_service.log.records import chain_all, first_chain
from engine_service.store import schema
from engine_service.store.base import CannotOpen, Damaged, DataLost, Durability, NotAStore, OtherSchema
from engine_service.store.protection import Mark, read_mark
from engine_service.store.statements import Statements

log = logging.getLogger(__name__)

SQL = Statements(sqlite.dialect(paramstyle="named"), "lower(hex(randomblob(16)))")

MAX_FINDINGS = 3
"""Maximum number of faults of a damaged database that an error names."""

_UNREADABLE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def connect(path: Path, durability: Durability, lock_wait_seconds: float) -> sqlite3.Connection:
    """Connect to an existing database. One thread at a time may use the connection. Raises CannotOpen.

    Python's transaction handling is switched off: it would start transactions late and without the write lock.
    """
    with convert_open_errors(path):
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
    """Run a transaction. ``BEGIN IMMEDIATE`` takes the write lock at once, so that nothing read goes stale."""
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
    """Roll back an open transaction; some errors have done so already, but a failed COMMIT has not."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def create(path: Path) -> None:
    """Create an empty file for a database if there is none. Raises OSError."""
    # Logs and seeds are secret, so only the owner may read them. SQLite gives the files beside it the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def is_missing(path: Path) -> bool:
    """Returns whether there is no file, or an empty one."""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True


def prepare(path: Path, lock_wait_seconds: float, mark: Mark | None = None, *, accept_loss: bool = False) -> None:
    """Create the tables if the file is empty, otherwise check the database.

    Raises CannotOpen; unless ``accept_loss``, also Damaged, and DataLost if the database contradicts the ``mark``. A
    database that is refused has not been changed.
    """
    with convert_open_errors(path), contextlib.closing(connect(path, "full", lock_wait_seconds)) as connection:
        version = check(path, connection)
        try:
            _check_whole(path, connection, version, mark)
        except (Damaged, DataLost) as loss:
            if not accept_loss:
                raise
            log.warning("continuing despite the loss, as requested: %s", loss)
        if version:
            return
        (mode,) = connection.execute("PRAGMA journal_mode=wal").fetchone()
        if mode != "wal":
            raise CannotOpen(f"{path} is on a file system without support for write-ahead logs (a network drive?)")
        with transaction(connection, "BEGIN IMMEDIATE"):
            if not check(path, connection):
                for statement in SQL.create_tables:
                    connection.execute(statement)
                connection.execute(SQL.write_version, {"version": schema.VERSION})


def _check_whole(path: Path, connection: sqlite3.Connection, version: int, mark: Mark | None) -> None:
    """Check a database for damage and against its mark. Raises Damaged, DataLost."""
    if version and (findings := find_damage(connection, "quick_check", MAX_FINDINGS)):
        raise Damaged(path, findings)
    if mark is not None:
        store_id, commits = identity(connection) if version else ("", 0)
        if contradiction := mark.contradiction(store_id, commits):
            raise DataLost(path, contradiction)


def find_damage(
    connection: sqlite3.Connection, pragma: Literal["quick_check", "integrity_check"], limit: int
) -> list[str]:
    """Returns the faults that SQLite finds in the database, at most ``limit``.

    ``quick_check`` reads every page; ``integrity_check`` also compares indexes with their tables.
    """
    try:
        found = [text for (text,) in connection.execute(f"PRAGMA {pragma}({limit})")]
    except sqlite3.DatabaseError as error:
        if _code(error) not in _UNREADABLE:
            raise
        return [str(error)]
    lines = [line for text in found if text != "ok" for line in text.splitlines() if not line.startswith("***")]
    return lines[:limit]


def identity(connection: sqlite3.Connection) -> tuple[str, int]:
    """Returns the id of a database and the number of its newest commit."""
    store_id, commits = connection.execute(SQL.read_identity).fetchone()
    return str(store_id), int(commits)


def check(path: Path, connection: sqlite3.Connection) -> int:
    """Returns the schema version of a database; 0 if it is empty.

    Raises CannotOpen if it is not a database of this version of the program.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return 0
    if schema.schema_version.name not in tables:
        raise NotAStore(f"{path} is the database of another program")
    versions = connection.execute(SQL.read_version).fetchall()
    version = versions[0][0] if len(versions) == 1 else None
    if not isinstance(version, int) or version < 1:
        raise NotAStore(f"{path} does not say which schema it has")
    if version != schema.VERSION:
        raise OtherSchema(path, version, schema.VERSION)
    return version


def backup(path: Path, to_path: Path) -> None:
    """Copy the database, as of one moment, into a new file; a service may be using the database meanwhile.

    Raises CannotOpen if ``path`` is not a database of this program, FileExistsError if ``to_path`` exists, OSError if
    it cannot be written. The secret key is in another file and not part of the copy.
    """
    with contextlib.ExitStack() as stack:
        with convert_open_errors(path):
            source = stack.enter_context(contextlib.closing(connect(path, "full", lock_wait_seconds=5.0)))
            if not check(path, source):
                raise NotAStore(f"{path} is empty")
        if to_path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to_path))
        temporary = to_path.with_name(to_path.name + ".part")
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            with contextlib.closing(sqlite3.connect(temporary)) as copy:
                source.backup(copy)
            with temporary.open("rb+") as written:
                os.fsync(written.fileno())
            temporary.rename(to_path)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"the copy failed: {error}", str(to_path)) from error
        finally:
            temporary.unlink(missing_ok=True)


def is_locked(error: BaseException) -> bool:
    """Returns whether another process held a lock on the database for too long."""
    return isinstance(error, sqlite3.Error) and _code(error) in _LOCKED


def _code(error: sqlite3.Error) -> int:
    """Returns SQLite's primary error code; 0 for an error of the Python module itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextlib.contextmanager
def convert_open_errors(path: Path) -> Iterator[None]:
    """Convert the errors of opening a database to CannotOpen."""
    try:
        yield
    except OSError as error:
        raise CannotOpen(f"{path} cannot be opened: {error.strerror}") from error
    except sqlite3.Error as error:
        if _code(error) in _UNREADABLE:
            raise NotAStore(f"{path} is not a database, or damaged: {error}") from error
        if is_locked(error):
            raise CannotOpen(f"{path} is locked by another program") from error
        raise CannotOpen(f"{path} cannot be opened: {error}") from error


MAX_PROBLEMS = 100
EXAMINE_WAIT_SECONDS = 5.0


@dataclass(slots=True)
class Examination:
    """Result of :func:`examine`: the numbers of matches and records read, and the problems, one line each."""

    matches: int
    records: int
    problems: list[str]


def examine(path: Path) -> Examination:
    """Read every page of a database, compare it with its mark, and verify the chain of every log.

    Raises CannotOpen if there is no database of this version.
    """
    found = Examination(0, 0, [])
    with convert_open_errors(path):
        # The mark is read before the database, because it may be lower than the newest commit but not higher.
        try:
            mark = read_mark(path)
        except DataLost as loss:
            mark = None
            found.problems.append(str(loss))
    with contextlib.closing(connect(path, "full", EXAMINE_WAIT_SECONDS)) as connection:
        with convert_open_errors(path):
            version = check(path, connection)
        if not version:
            raise NotAStore(f"{path} is empty")
        with convert_open_errors(path):
            connection.execute("BEGIN")  # all reads see one moment; a damaged database accepts no COMMIT
            found.problems += find_damage(connection, "integrity_check", MAX_PROBLEMS)
            if mark is not None and (wrong := mark.contradiction(*identity(connection))):
                found.problems.append(wrong)
            found.problems += _log_problems(connection, found)
    return found


def _log_problems(connection: sqlite3.Connection, found: Examination) -> Iterator[str]:
    """Yield the problems of the logs of the matches, and count what is read."""
    names: list[str] = []
    try:
        for (name,) in connection.execute(SQL.select_names):
            names.append(name)
    except sqlite3.DatabaseError as error:
        yield f"not all matches can be listed: {error}"
    for name in names:
        found.matches += 1
        try:
            header, last_seq, chain, key = connection.execute(SQL.select_log_end, {"name": name}).fetchone()
            rows = connection.execute(SQL.select_records, {"match_key": key, "after_seq": 0, "limit": -1}).fetchall()
            records = [schema.record_of(row) for row in rows]
            proved = chain_all(first_chain(header), records)
        except (sqlite3.DatabaseError, KeyError, ValueError, TypeError) as error:
            yield f"{name} cannot be read: {error}"
            continue
        found.records += len(records)
        if len(records) != last_seq:
            yield f"{name} has {len(records)} of its {last_seq} records"
        elif proved != chain:
            yield f"{name} was changed: the hash chain of its log does not match"
