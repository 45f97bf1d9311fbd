"""Return of freed memory to the operating system; the C library would keep the memory of large messages."""

from __future__ import annotations

import asyncio
import ctypes
import os
from pathlib import Path

INTERVAL_SECONDS = 10.0
GROWTH_BYTES = 64 << 20
"""Growth of the process since memory was last returned, after which it is returned again."""


def resident_bytes() -> int:
    """Returns the resident size of this process. Raises OSError if there is no ``/proc``."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def return_freed_memory() -> None:
    """Return freed memory whenever the process has grown, until cancelled; do nothing without glibc.

    It runs in a thread, because it can take tens of milliseconds.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
        least = resident_bytes()
    except (AttributeError, OSError):
        return
    while True:
        await asyncio.sleep(INTERVAL_SECONDS)
        if resident_bytes() > least + GROWTH_BYTES:
            await asyncio.to_thread(trim, 0)
            least = resident_bytes()
        least = min(least, resident_bytes())
