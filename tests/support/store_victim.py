"""A process for tests to kill: it writes matches endlessly, and prints what the store has acknowledged.

:func:`start_victim` starts it. It prints a line ``created NAME`` or ``appended NAME SEQ`` after each write.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from engine_service.store.base import Append, StoredRequest
from engine_service.store.sqlite import SqliteStore
from tests.support.rows import actions, row

ROOT = Path(__file__).parents[2]
BATCH = 3
"""Records in one append: all of them or none must be there."""


def start_victim(path: Path) -> subprocess.Popen[str]:
    """Returns the started process, which writes to the database at ``path``; its output is a pipe."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.store_victim", str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


async def play(store: SqliteStore, name: str) -> None:
    stored = await store.create(row(name), [])
    print(f"created {stored.name}", flush=True)
    seq = 0
    while True:
        request = StoredRequest(stored.name, str(seq), b"f", b"a", 0)
        await store.append(Append(stored.key, seq, actions(seq + 1, BATCH), bytes([seq % 256] * 32), None, request))
        seq += BATCH
        print(f"appended {stored.name} {seq}", flush=True)


async def main(path: Path) -> None:
    store = await SqliteStore.open(path)
    await asyncio.gather(*(play(store, f"m{number}") for number in range(16)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
