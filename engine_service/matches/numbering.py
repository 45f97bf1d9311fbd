"""Translation between the sequence numbers of a match and those that each viewer knows.

Within the service the records of a match are numbered from 1 without a gap: the log, its chain, the store and the host
use these numbers. A seat that declines a private decision adds a record of which nobody else may know, so everybody
else's numbers leave it out. A viewer's number of a record is how many of the records up to it the viewer may know of.
:class:`Numbering` translates both ways; where a match has no such record, all numbers are the same.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from gamepacks.api.types import OMNISCIENT


class Numbering:
    """The private records of one match, by seq, and their seats."""

    __slots__ = ("_all", "_own")

    def __init__(self) -> None:
        self._all = array("q")
        self._own: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self._all)

    def extend(self, records: Iterable[tuple[int, int]]) -> None:
        """Add private records, as (seq, seat), in the order of the log."""
        for seq, seat in records:
            self._all.append(seq)
            self._own.setdefault(seat, array("q")).append(seq)

    def is_private(self, seq: int) -> bool:
        """Returns whether only its seat (and the host) knows of the record."""
        at = bisect_left(self._all, seq)
        return at < len(self._all) and self._all[at] == seq

    def knows(self, viewer: int, seq: int) -> bool:
        """Returns whether the viewer may know of the record."""
        if not self._all or viewer == OMNISCIENT or not self.is_private(seq):
            return True
        own = self._own.get(viewer, ())
        at = bisect_left(own, seq)
        return at < len(own) and own[at] == seq

    def viewer_seq(self, viewer: int, seq: int) -> int:
        """Returns the viewer's number for the state after record ``seq``."""
        if not self._all or viewer == OMNISCIENT:
            return seq
        return seq - bisect_right(self._all, seq) + bisect_right(self._own.get(viewer, ()), seq)

    def match_seq(self, viewer: int, number: int) -> int:
        """Returns the last seq that has this number for the viewer. It can lie beyond the end of the log."""
        if not self._all or viewer == OMNISCIENT:
            return number
        candidates = range(number, number + len(self._all) + 1)
        return number + bisect_right(candidates, number, key=lambda seq: self.viewer_seq(viewer, seq)) - 1
