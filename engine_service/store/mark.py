"""What a database must hold, noted beside it: its id and the number of its newest commit.

A write-ahead log that was removed, a file that was emptied and a copy of yesterday are all sound databases; only a note
outside of them can tell that something is missing. The note is written after each commit, so it never promises more
than was on disk then. It is not flushed by itself: what a power cut takes of it makes it promise less.

With ``durability="normal"`` a power cut may take the newest commits, which that setting allows; so a note that was
written under it is compared only as long as the machine has not been started anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from engine_service.store.base import DataLost

SUFFIX = ".mark"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LENGTH = 256
"""Bytes of the file, always: it is overwritten in place, and within one sector of a disk."""


def boot_id() -> str:
    """What changes with each start of the machine; empty where the system does not say."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What was in a database at its newest commit."""

    store_id: str
    commit: int
    durability: str
    boot: str

    def contradiction(self, store_id: str, commit: int) -> str:
        """How a database with this id and newest commit falls short of the note, in words; empty: it does not."""
        if store_id != self.store_id:
            return f"it is another database (id {store_id or 'none'}) than the one that was here (id {self.store_id})"
        if commit >= self.commit:
            return ""
        if self.durability != "full" and self.boot != boot_id():
            return ""
        return f"its newest commit is {commit}, and {self.commit} commits were acknowledged"


class MarkFile:
    """The note beside a database, open for writing. Made by :meth:`write`; :func:`read_mark` only reads it."""

    def __init__(self, path: Path, mark: Mark, file: int) -> None:
        self.path = path
        self._mark = mark
        self._file = file

    @classmethod
    def write(cls, database: Path, mark: Mark) -> Self:
        """Write the note anew, flushed to the disk. Raises OSError."""
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
        """Note a newer commit. Where that fails the note promises too little, which does no harm."""
        self._mark = Mark(self._mark.store_id, commit, self._mark.durability, self._mark.boot)
        with contextlib.suppress(OSError):
            os.pwrite(self._file, _encode(self._mark), 0)

    def close(self) -> None:
        """Flush the note to the disk and close it."""
        with contextlib.suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def mark_path(database: Path) -> Path:
    """Where the note of a database is; two names of one database have one."""
    resolved = database.resolve()
    return resolved.with_name(resolved.name + SUFFIX)


def read_mark(database: Path) -> Mark | None:
    """The note beside a database; None where there is none. Raises DataLost where it cannot be understood, OSError."""
    path = mark_path(database)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        fields = json.loads(text)
        mark = Mark(**fields)
    except (ValueError, TypeError):
        raise DataLost(database, f"the note {path.name} of what must be there is damaged") from None
    return mark


def _encode(mark: Mark) -> bytes:
    return json.dumps(asdict(mark)).encode().ljust(_LENGTH - 1) + b"\n"
