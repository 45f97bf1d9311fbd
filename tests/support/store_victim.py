"""A process that is made to be killed: it writes matches without an end and tells on its output what is on disk.

Run as ``python store_victim.py DATABASE``. A line ``created NAME`` or ``appended NAME SEQ`` comes only after the store
has said so.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from engine_service.store.base import StoredRequest
from engine_service.store.sqlite import SqliteStore
from tests.support.rows import actions, row

BATCH = 3
"""Records in one append: all of them or none must be there."""


async def play(store: SqliteStore, name: str) -> None:
    stored = await store.create(row(name), [])
    print(f"created {stored.name}", flush=True)
    seq = 0
    while True:
        request = StoredRequest(stored.name, str(seq), b"f", b"a", 0)
        await store.append(stored.key, seq, actions(seq + 1, BATCH), bytes([seq % 256] * 32), None, request)
        seq += BATCH
        print(f"appended {stored.name} {seq}", flush=True)


async def main(path: Path) -> None:
    store = await SqliteStore.open(path)
    await asyncio.gather(*(play(store, f"m{number}") for number in range(16)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
