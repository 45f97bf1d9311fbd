"""Counters: numbers with the viewers who know them, such as hidden scores, secret bids or dials behind a screen.

A counter has a value, the range that everyone knows it to be in, and a mask of those who know the value (bit s for seat
s, bit ``players`` for the spectator), as items of :mod:`gamepacks.api.zones` have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from cext.random import Rng
from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.api.types import OMNISCIENT, Viewer

_LIMIT = 1 << 31


class Counters:
    """The counters of a state, all 0 and known to everyone at first."""

    __slots__ = ("_counters", "players")

    def __init__(self, players: int, count: int) -> None:
        self.players = players
        self._counters: list[tuple[int, int, int, int]] = [(0, self.everyone, 0, 0)] * count

    @property
    def everyone(self) -> int:
        """The mask of all viewers."""
        return (1 << (self.players + 1)) - 1

    def clone(self) -> Self:
        """Equal counters that share nothing that can change."""
        other = object.__new__(type(self))
        other.players = self.players
        other._counters = self._counters[:]
        return other

    def __len__(self) -> int:
        return len(self._counters)

    def get(self, counter: int, viewer: Viewer = OMNISCIENT) -> int | None:
        """The value, or None where the viewer does not know it."""
        value, known, _, _ = self._counters[counter]
        return value if viewer == OMNISCIENT or known >> self._place(viewer) & 1 else None

    def span(self, counter: int) -> tuple[int, int]:
        """The range that everyone knows the value to be in."""
        _, _, low, high = self._counters[counter]
        return low, high

    def publish(self, counter: int, value: int) -> None:
        """Set a value that everyone knows."""
        self.hide(counter, value, self.everyone, value, value)

    def hide(self, counter: int, value: int, known: int, low: int, high: int) -> None:
        """Set a value that the viewers of a mask know, and that all know to be from ``low`` to ``high``.

        Raises ValueError if it is not, or beyond 32 bits.
        """
        if not -_LIMIT <= low <= value <= high < _LIMIT:
            raise ValueError(f"{value} is not from {low} to {high}, within 32 bits")
        self._counters[counter] = (value, known, low, high)

    def reveal(self, counter: int, seen_by: int) -> None:
        """Let more viewers know a value; once everyone does, its range is the value."""
        value, known, low, high = self._counters[counter]
        known |= seen_by
        if known == self.everyone:
            low = high = value
        self._counters[counter] = (value, known, low, high)

    def resample(self, viewer: Viewer, rng: Rng) -> Self:
        """Returns counters that the viewer cannot tell from these: each value that it does not know is drawn from its
        range, all equally likely."""
        other = self.clone()
        if viewer != OMNISCIENT:
            place = self._place(viewer)
            for counter, (_, known, low, high) in enumerate(self._counters):
                if not known >> place & 1:
                    other._counters[counter] = (low + rng.below(high - low + 1), known, low, high)
        return other

    def _place(self, viewer: Viewer) -> int:
        return self.players if viewer < 0 else viewer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counters) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]

    def dump(self) -> list[int]:
        """Returns value, mask and range of each counter as numbers, for a ``repeated sint64`` of a position message."""
        return [number for counter in self._counters for number in counter]

    @classmethod
    def load(cls, players: int, count: int, numbers: Sequence[int], field: str = "counters") -> Self:
        """Returns the counters that :meth:`dump` wrote as these numbers. Raises InvalidPosition, naming ``field``, for
        impossible ones."""
        counters = cls(players, count)
        if len(numbers) != 4 * count:
            raise InvalidPosition([Fault(field, f"{len(numbers)} numbers, not four for each of {count} counters")])
        faults = []
        for counter in range(count):
            value, known, low, high = numbers[4 * counter : 4 * counter + 4]
            if not 0 <= known <= counters.everyone:
                faults.append(Fault(f"{field}[{4 * counter + 1}]", f"{known} is not a mask of viewers"))
                continue
            try:
                counters.hide(counter, value, known, low, high)
            except ValueError as error:
                faults.append(Fault(f"{field}[{4 * counter}]", str(error)))
        if faults:
            raise InvalidPosition(faults)
        return counters
