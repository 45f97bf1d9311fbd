"""The files of an open database: are they still those that were opened?

SQLite goes on in a file that was removed or replaced, and everything written there is gone with the process. It looks
at nothing of this by itself, so the store asks after each commit and acknowledges only what can be found again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


class OpenedFiles:
    """Files that must stay where they are. SQLite makes none of them shorter while a connection is open."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Raises OSError where one is not there."""
        self._known = {path: path.stat() for path in paths}

    def problem(self) -> str:
        """What has happened to one of them, in words; empty: nothing."""
        for path, known in self._known.items():
            try:
                found = path.stat()
            except OSError as error:
                return f"{path} is gone ({error.strerror})"
            if not os.path.samestat(found, known):
                return f"{path} was replaced by another file"
            if found.st_size < known.st_size:
                return f"{path} was cut from {known.st_size} to {found.st_size} bytes"
            self._known[path] = found
        return ""


def files_of(database: Path) -> list[Path]:
    """The files of a database in WAL mode: itself and the two that SQLite keeps beside it while it is open."""
    resolved = database.resolve()
    return [resolved, *(resolved.with_name(resolved.name + suffix) for suffix in ("-wal", "-shm"))]
