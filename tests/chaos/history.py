"""Checker of the history of a match: compares the answers to its clients with its log.

A history is correct if each write that was acknowledged to a client is in the log once, in the client's order, and
nothing else of that client is; if each client's reads, one after the other, never see an older match; and if a watcher
is sent each event once, in order, over all its streams.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass
class ClientHistory:
    """Writes and reads of one client, in order."""

    name: str
    acknowledged: list[int] = field(default_factory=list)
    """Codes of the actions that were acknowledged."""
    reads: list[int] = field(default_factory=list)
    """Sequence number of the newest record in each read of the match."""
    streams: list[list[int]] = field(default_factory=list)
    """Sequence numbers of the events of each watch stream."""

    def faults(self, stored: Sequence[int]) -> list[str]:
        """Returns the faults; ``stored`` are the codes of this client's actions in the log, in the log's order."""
        found = [*self._faults_of_writes(list(stored)), *self._faults_of_reads(), *self._faults_of_streams()]
        return [f"{self.name}: {fault}" for fault in found]

    def _faults_of_writes(self, stored: list[int]) -> list[str]:
        if stored == self.acknowledged:
            return []
        lost = Counter(self.acknowledged) - Counter(stored)
        more = Counter(stored) - Counter(self.acknowledged)
        if not lost and not more:
            place = next(
                n for n, codes in enumerate(zip(self.acknowledged, stored, strict=True)) if codes[0] != codes[1]
            )
            return [f"acknowledged actions are in another order in the log, from number {place} on"]
        found = []
        if lost:
            found.append(f"acknowledged actions are not in the log: {sorted(lost.elements())}")
        if more:
            found.append(f"actions are in the log more often than they were acknowledged: {sorted(more.elements())}")
        return found

    def _faults_of_reads(self) -> list[str]:
        return [
            f"a read saw record {after} after one that saw {before}"
            for before, after in pairwise(self.reads)
            if after < before
        ]

    def _faults_of_streams(self) -> list[str]:
        found, newest = [], 0
        for number, stream in enumerate(self.streams):
            for seq in stream:
                if seq != newest + 1:
                    found.append(f"stream {number} was sent event {seq} after {newest}")
                newest = seq
        return found
