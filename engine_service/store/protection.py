"""Protection of a database file against a second service, replaced files and lost commits.

:class:`DatabaseLock` excludes a second service. SQLite's own locks last only for a transaction, so there is a lock on a
file next to the database, which names its holder, and one on the database itself, which works for every name of the
file (hard links). The kernel releases both when the process ends, so the lock file of a killed service blocks nobody.
Backups and other readers do not use these locks.

:class:`OpenedFiles` checks that the open files are still the ones at their paths. SQLite continues to write into a file
that was removed or replaced, and that data is lost when the process ends. So the store checks the files after each
commit before it acknowledges the commit.

:class:`MarkFile` is a high-water mark: a file next to the database with the database's id and the number of its newest
commit. A database whose write-ahead log was removed, an emptied file and an old copy are all valid databases; only a
separate file can show that commits are missing. The mark is written after each commit, so it never exceeds the commits
on disk. It is not flushed, so after a power failure it may be lower. With ``durability="normal"`` a power failure may
lose the newest commits; so a mark written in this mode is valid only until the machine is restarted.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from engine_service.store.base import DataLost, InUse

LOCK_SUFFIX = ".lock"


class DatabaseLock:
    """Lock on a database, from its creation until :meth:`release` or the end of the process."""

    def __init__(self, database: Path) -> None:
        """Take the lock. Raises InUse, and OSError if the lock file cannot be created."""
        self._database = database
        self._database_file: int | None = None
        resolved = database.resolve()
        self._path = resolved.with_name(resolved.name + LOCK_SUFFIX)
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(file, 32).decode("ascii", "replace")
                os.close(file)
                raise InUse(database, int(holder) if holder.isdecimal() else None) from None
            except BaseException:
                os.close(file)
                raise
            if self._is_at_path(file):
                break
            os.close(file)  # its holder removed it between the two calls
        self._file = file
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())

    def _is_at_path(self, file: int) -> bool:
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(file), self._path.stat())
        return False

    def lock_database(self) -> None:
        """Lock the database itself, which must exist. Raises InUse, OSError.

        Call this before SQLite opens the file, and :meth:`release` after SQLite has closed it: a process that closes
        any descriptor of a file loses all locks that SQLite holds on it.
        """
        file = os.open(self._database, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise InUse(self._database, None) from None
        except BaseException:
            os.close(file)
            raise
        self._database_file = file

    def release(self) -> None:
        """Release the lock."""
        if self._database_file is not None:
            os.close(self._database_file)
        self._path.unlink(missing_ok=True)
        os.close(self._file)


class OpenedFiles:
    """Open files that must stay at their paths; SQLite truncates none of them while a connection is open."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Record the files. Raises OSError if one does not exist."""
        self._known = {path: path.stat() for path in paths}

    def problem(self) -> str:
        """Returns a description of a change of one of the files; empty if there is none."""
        for path, known in self._known.items():
            try:
                found = path.stat()
            except OSError as error:
                return f"{path} is gone ({error.strerror})"
            if not os.path.samestat(found, known):
                return f"{path} was replaced by another file"
            if found.st_size < known.st_size:
                return f"{path} was truncated from {known.st_size} to {found.st_size} bytes"
            self._known[path] = found
        return ""


def files_of(database: Path) -> list[Path]:
    """Returns the files of a database in WAL mode: itself, and the two that SQLite creates next to it while it is
    open."""
    resolved = database.resolve()
    return [resolved, *(resolved.with_name(resolved.name + suffix) for suffix in ("-wal", "-shm"))]


MARK_SUFFIX = ".mark"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LENGTH = 256
"""Fixed size of the file in bytes: it is overwritten in place, within one sector of a disk."""


def boot_id() -> str:
    """Returns an id that changes with each start of the machine; empty if the system has none."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Mark:
    """High-water mark of a database: its id and its newest commit."""

    store_id: str
    commit: int
    durability: str
    boot: str

    def contradiction(self, store_id: str, commit: int) -> str:
        """Returns how a database with this id and newest commit contradicts the mark; empty if it does not."""
        if store_id != self.store_id:
            return f"it is another database (id {store_id or 'none'}) than the one that was here (id {self.store_id})"
        if commit >= self.commit:
            return ""
        if self.durability != "full" and self.boot != boot_id():
            return ""
        return f"its newest commit is {commit}, and {self.commit} commits were acknowledged"


class MarkFile:
    """File with the mark of a database, open for writing. Create it with :meth:`write`; :func:`read_mark` reads one."""

    def __init__(self, path: Path, mark: Mark, file: int) -> None:
        self.path = path
        self._mark = mark
        self._file = file

    @classmethod
    def write(cls, database: Path, mark: Mark) -> Self:
        """Write a new file, flushed to the disk. Raises OSError."""
        path = mark_path(database)
        file, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # readable by its owner alone
        try:
            os.pwrite(file, _encode(mark), 0)
            os.fsync(file)
            Path(temporary).replace(path)
        except BaseException:
            os.close(file)
            Path(temporary).unlink(missing_ok=True)
            raise
        return cls(path, mark, file)

    def advance(self, commit: int) -> None:
        """Write a newer commit. A failure is ignored, because a mark that is too low does no harm."""
        self._mark = Mark(self._mark.store_id, commit, self._mark.durability, self._mark.boot)
        with contextlib.suppress(OSError):
            os.pwrite(self._file, _encode(self._mark), 0)

    def close(self) -> None:
        """Flush the file to the disk and close it."""
        with contextlib.suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def mark_path(database: Path) -> Path:
    """Returns the path of the mark of a database; two names of one database have one mark."""
    resolved = database.resolve()
    return resolved.with_name(resolved.name + MARK_SUFFIX)


def read_mark(database: Path) -> Mark | None:
    """Returns the mark of a database; None if there is none. Raises DataLost if it is unreadable, OSError."""
    path = mark_path(database)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        fields = json.loads(text)
        mark = Mark(**fields)
    except (ValueError, TypeError):
        raise DataLost(database, f"its mark {path.name} is damaged") from None
    return mark


def _encode(mark: Mark) -> bytes:
    return json.dumps(asdict(mark)).encode().ljust(_LENGTH - 1) + b"\n"
