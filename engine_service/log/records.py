"""Records of a match's log, their hash chain, and the packed log in memory.

The log is the only truth about a match; ``omnilude/v1/replay.proto`` describes its form on the wire and the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from struct import Struct
from typing import NamedTuple

from engine_service.match_enums import RecordKind

CHAIN_BYTES = 32

KINDS: dict[int, RecordKind] = {int(kind): kind for kind in RecordKind}
"""Kinds by number; a lookup here is faster than calling the enum."""

STEPS = frozenset({RecordKind.ACTION, RecordKind.CHANCE, RecordKind.OUTCOME_PROVIDED})
"""Kinds that move the state of the game."""


class Record(NamedTuple):
    """One record of a log, including its secrets; an event is the part that a viewer may know."""

    seq: int
    """From 1, without gaps."""
    kind: RecordKind
    seat: int = -1
    """-1 if there is none."""
    code: int = 0
    """Code of the action or outcome; 0 if there is none."""
    time_ms: int = 0
    """Milliseconds since the match was created."""
    to_seq: int = 0
    """For undo kinds."""
    text: str = ""
    """A player's name, a reason, an incident id."""


_HEAD = Struct("<qBbiqqI")


def canonical(record: Record) -> bytes:
    """Returns the bytes of a record that are chained. Raises ValueError if a number is out of range."""
    seq, kind, seat, code, time_ms, to_seq, text = record
    data = text.encode()
    try:
        return _HEAD.pack(seq, kind, seat, code, time_ms, to_seq, len(data)) + data
    except Exception as error:  # struct.error is not a ValueError
        raise ValueError(f"record {seq} has a number out of range") from error


def first_chain(header: bytes) -> bytes:
    """Returns chain 0, of the serialised ReplayHeader."""
    return blake2b(header, digest_size=CHAIN_BYTES).digest()


def chain(previous: bytes, record: Record) -> bytes:
    """Returns chain n, from chain n-1 and record n."""
    return blake2b(previous + canonical(record), digest_size=CHAIN_BYTES).digest()


def chain_all(previous: bytes, records: Iterable[Record]) -> bytes:
    """Returns the chain after several records."""
    for record in records:
        previous = chain(previous, record)
    return previous


_PACKED = Struct("<Bbiqq")
_ACTION, _CHANCE = int(RecordKind.ACTION), int(RecordKind.CHANCE)  # quicker to pack than members of the enum


class RecordLog:
    """A packed log in memory: 22 bytes a record, and its texts, so that thousands of matches fit.

    A record is found by its seq, not by an index from 0.
    """

    __slots__ = ("_packed", "_texts")

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._packed = bytearray()
        self._texts: dict[int, str] = {}
        self.extend(records)

    @property
    def last_seq(self) -> int:
        """seq of the newest record; 0 if there is none."""
        return len(self._packed) // _PACKED.size

    def __len__(self) -> int:
        return len(self._packed) // _PACKED.size

    def copy(self) -> RecordLog:
        """Returns a copy, for a thread to read while this one grows."""
        new = RecordLog()
        new._packed[:] = self._packed
        new._texts.update(self._texts)
        return new

    def append(self, record: Record) -> None:
        """Add the next record. Raises ValueError if its seq is not the next one."""
        seq, kind, seat, code, time_ms, to_seq, text = record
        if seq != self.last_seq + 1:
            raise ValueError(f"record {seq} cannot follow record {self.last_seq}")
        self._packed += _PACKED.pack(kind, seat, code, time_ms, to_seq)
        if text:
            self._texts[seq] = text

    def append_move(self, seat: int, code: int, rolls: Iterable[int], time_ms: int) -> None:
        """Add an action and the outcomes by seed that followed, without a :class:`Record` for each."""
        self._packed += _PACKED.pack(_ACTION, seat, code, time_ms, 0)
        for roll in rolls:
            self._packed += _PACKED.pack(_CHANCE, -1, roll, time_ms, 0)

    def extend(self, records: Iterable[Record]) -> None:
        """Add the next records."""
        for record in records:
            self.append(record)

    def __getitem__(self, seq: int) -> Record:
        """Returns the record of that seq. Raises IndexError if there is none."""
        if not 1 <= seq <= self.last_seq:
            raise IndexError(f"no record {seq} in a log of {self.last_seq}")
        kind, seat, code, time_ms, to_seq = _PACKED.unpack_from(self._packed, (seq - 1) * _PACKED.size)
        return Record(seq, KINDS[kind], seat, code, time_ms, to_seq, self._texts.get(seq, ""))

    def kind_of(self, seq: int) -> RecordKind:
        """Returns the kind of an existing record; quicker than reading it whole."""
        return KINDS[self._packed[(seq - 1) * _PACKED.size]]

    def after(self, seq: int, limit: int | None = None) -> list[Record]:
        """Returns the records behind that seq (0: from the first), at most ``limit``."""
        if seq < 0:
            raise IndexError(f"no record {seq}")
        start = seq * _PACKED.size
        end = len(self._packed) if limit is None else start + limit * _PACKED.size
        text = self._texts.get
        found: list[Record] = []
        for kind, seat, code, time_ms, to_seq in _PACKED.iter_unpack(memoryview(self._packed)[start:end]):
            seq += 1
            found.append(Record(seq, KINDS[kind], seat, code, time_ms, to_seq, text(seq, "")))
        return found

    def __iter__(self) -> Iterator[Record]:
        return iter(self.after(0))
