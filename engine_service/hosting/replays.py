"""Whole logs, handed out: of a match in memory or straight from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from engine_service.errors import MatchNotEnded
from engine_service.hosting.shelf import Shelf
from engine_service.log.records import Record, RecordLog
from engine_service.log.replay import export
from engine_service.log.signing import SigningKey
from engine_service.matches.info import info_of_row
from engine_service.matches.seats import viewer_of
from engine_service.store.base import Store
from gamepacks.api.types import OMNISCIENT
from omnilude.v1.replay_pb2 import Replay

REPLAY_AT_ONCE = 2_000
"""A replay of more records is written in a thread."""


class ReplayReader:
    """Gives out replays, one at a time: to read and write a whole log is work for the interpreter."""

    def __init__(self, shelf: Shelf, store: Store, signing_key: SigningKey) -> None:
        self._shelf = shelf
        self._store = store
        self._signing_key = signing_key
        self._turn = asyncio.Semaphore(1)

    async def read(self, name: str, token: str) -> Replay:
        """The replay of a match, signed where it was played here; an imported one as it came. No record is read for a
        caller who may not have it.

        Raises UnknownMatch, TokenInvalid, MatchNotEnded.
        """
        live = self._shelf.peek(name)
        if live is not None:
            info, header, viewer = live.info(), live.header_bytes, live.viewer_of(token)
        else:
            row = await self._shelf.row(name)
            info, header = info_of_row(row), row.header
            viewer = viewer_of(token, row.seats, row.host_digest)
        if not info.state.ended and viewer != OMNISCIENT:
            raise MatchNotEnded("the replay")
        records: RecordLog | Sequence[Record]
        if live is not None:
            records = live.log.copy()
        async with self._turn:
            if live is None:
                records = await self._store.records(row.key, 0, row.last_seq)
            if len(records) <= REPLAY_AT_ONCE:
                replay = export(header, records, info.seed, info.result)
            else:
                # A long one takes seconds, so the event loop does not wait for it.
                replay = await asyncio.to_thread(export, header, records, info.seed, info.result)
        if info.imported is None:
            self._signing_key.sign(replay)
        else:
            replay.signature, replay.signing_key = info.imported.signature, info.imported.signing_key
        return replay
