"""One service for one database: locks that last as long as the process that holds them.

SQLite's own locks on the database come and go with each transaction. So there is one on a file beside the database,
which tells who has it, and one on the database itself, which counts under whatever name it was opened (a hard link).
The kernel lets go of both when the process ends, in whatever way, so a file that a killed service has left behind stops
nobody. Whoever only reads or copies the database (a back-up) does not ask for them.
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
        self._database = database
        self._database_file: int | None = None
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

    def lock_database(self) -> None:
        """Lock the database itself, which must be there. Raises InUse, OSError.

        It comes before SQLite opens the file and :meth:`release` after it has closed it: a process that closes any
        descriptor of a file loses all the locks that SQLite has on it.
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
        """Let others have the database."""
        if self._database_file is not None:
            os.close(self._database_file)
        self._path.unlink(missing_ok=True)
        os.close(self._file)
