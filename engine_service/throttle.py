"""Log lines that could come a thousand times a second, at most once in a while each."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict

SECONDS = 60.0
MOST_LINES = 100
"""Different lines that are remembered; the one that came first is forgotten first."""


class ThrottledLog:
    """Writes a line at once, and again only after ``seconds``, with the number of those that were left out."""

    def __init__(self, log: logging.Logger, seconds: float = SECONDS) -> None:
        self._log = log
        self._seconds = seconds
        self._lock = threading.Lock()
        self._lines: OrderedDict[str, tuple[float, int]] = (
            OrderedDict()
        )  # when it was written, how often left out since

    def write(self, level: int, line: str) -> None:
        """Write a line, unless the same one was written a short time ago. Any thread may call it."""
        now = time.monotonic()
        with self._lock:
            written, left_out = self._lines.get(line, (now - self._seconds, 0))
            if now - written < self._seconds:
                self._lines[line] = (written, left_out + 1)
                return
            self._lines[line] = (now, 0)
            if len(self._lines) > MOST_LINES:
                self._lines.popitem(last=False)
        if left_out:
            self._log.log(level, "%s (%d such lines were left out)", line, left_out)
        else:
            self._log.log(level, "%s", line)
