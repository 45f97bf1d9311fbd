"""One service for one database: a lock that lasts as long as the process that holds it.

The lock is on a file beside the database, for SQLite's own locks on the database come and go with each transaction. The
kernel lets go of it when the process ends, in whatever way, so a file that a killed service has left behind stops
nobody. Whoever only reads or copies the database (a back-up) does not ask for it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from engine_service.store.base import InUse

SUFFIX = ".lock"


class DatabaseLock:
    """Held from its making until :meth:`release` or the end of the process."""

    def __init__(self, database: Path) -> None:
        """Raises InUse, and OSError where the file cannot be made."""
        # Two names of one database are one database.
        resolved = database.resolve()
        self._path = resolved.with_name(resolved.name + SUFFIX)
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
            if self._is_at_its_place(file):
                break
            os.close(file)  # its holder has removed it between our two calls
        self._file = file
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())

    def _is_at_its_place(self, file: int) -> bool:
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(file), self._path.stat())
        return False

    def release(self) -> None:
        """Let others have the database."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)
