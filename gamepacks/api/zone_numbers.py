"""Zones as numbers of 64 bits and back, for position messages.

The numbers are: regions; then for each zone its lists (one for a pile, three for a deck), each as the count of its runs
and the runs. A run is of equal items that follow each other: count, kind, known, and for each viewer since and history
where there are regions. Lists without an order are sorted, so that equal zones give equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from gamepacks.api import beliefs
from gamepacks.api.beliefs import Item, history_of, since_of
from gamepacks.api.errors import Fault, InvalidPosition

if TYPE_CHECKING:
    from gamepacks.api.zones import Zones


def dump(zones: Zones) -> list[int]:
    """The numbers of some zones."""
    layout = zones.layout
    viewers = range(layout.players + 1) if zones.regions else ()
    numbers = [zones.regions]
    for zone in range(len(layout.zones)):
        for items in zones.lists(zone):
            loose = not layout.ordered[zone] if zone not in zones.unseen else items is zones.unseen[zone]
            runs = [(item, len(list(run))) for item, run in groupby(sorted(items) if loose else items)]
            numbers.append(len(runs))
            for (kind, known, since, history), count in runs:
                numbers += (count, kind, known)
                for viewer in viewers:
                    numbers += (since_of(since, viewer), history_of(history, viewer))
    return numbers


def fill(zones: Zones, numbers: Sequence[int], field: str) -> None:
    """Make some zones those that numbers stand for. Raises InvalidPosition, naming ``field``, for impossible ones."""
    layout = zones.layout
    reader = iter(numbers)
    try:
        zones.regions = _next(reader, beliefs.MAX_REGIONS)
        for zone in range(len(layout.zones)):
            for part, items in enumerate(zones.lists(zone)):
                items[:] = _items(reader, zones, zone, unseen=part == 1)
        if next(reader, None) is not None:
            raise _Wrong("numbers are left over")
        _check_contents(zones)
    except _Wrong as wrong:
        raise InvalidPosition([Fault(field, str(wrong))]) from None


class _Wrong(Exception):
    """Says what is wrong with the numbers."""


def _next(reader: Iterator[int], highest: int) -> int:
    number = next(reader, None)
    if number is None:
        raise _Wrong("the numbers end too early")
    if not 0 <= number <= highest:
        raise _Wrong(f"{number} is not from 0 to {highest}")
    return number


def _items(reader: Iterator[int], zones: Zones, zone: int, unseen: bool) -> list[Item]:
    layout = zones.layout
    family = layout.zones[zone].family
    size = layout.family_sizes[family]
    items: list[Item] = []
    for _ in range(_next(reader, size)):
        count, kind = _next(reader, size), _next(reader, (1 << 31) - 1)
        known = _next(reader, 0 if unseen else layout.everyone)
        since = history = 0
        for viewer in range(layout.players + 1) if zones.regions else ():
            region = _next(reader, zones.regions)
            regions = _next(reader, (1 << zones.regions) - 1)
            if known >> viewer & 1 and (region or regions):
                raise _Wrong(f"viewer {viewer} both knows and wonders about an item of {layout.zones[zone].name}")
            if region and not regions >> (region - 1) & 1:
                raise _Wrong(f"an item of {layout.zones[zone].name} is where it cannot be for viewer {viewer}")
            since |= region << (beliefs.SINCE_BITS * viewer)
            history |= regions << (beliefs.MAX_REGIONS * viewer)
        if kind not in layout.contents[family]:
            raise _Wrong(f"kind {kind} is none of the {family}")
        if count == 0 or len(items) + count > size:
            raise _Wrong(f"{len(items) + count} items in {layout.zones[zone].name}, from {size} {family} in all")
        items += [(kind, known, since, history)] * count
    return items


def _check_contents(zones: Zones) -> None:
    for family, numbers in zones.layout.families.items():
        counts = dict.fromkeys(zones.layout.contents[family], 0)
        for zone in numbers:
            for items in zones.lists(zone):
                for item in items:
                    counts[item[0]] += 1
        for kind, count in counts.items():
            expected = zones.layout.contents[family][kind]
            if count != expected:
                raise _Wrong(f"{count} items of kind {kind} among the {family}, not {expected}")
