"""Conversion between zones and numbers of 64 bits, for position messages.

The numbers are: regions; then for each zone its lists (one for a pile, three for a deck), each as the count of its runs
and the runs. A run is of equal items that follow each other: count, kind, known, and for each viewer since and history
where there are regions. Lists without an order are sorted, so that equal zones give equal numbers.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from cext.knowledge import MAX_REGIONS, Knowledge
from gamepacks.api.errors import Fault, InvalidPosition

if TYPE_CHECKING:
    from gamepacks.api.zones import Layout, Zones


def dump(zones: Zones) -> list[int]:
    """The numbers of some zones."""
    layout, knowledge = zones.layout, zones.knowledge
    numbers = [knowledge.regions]
    for zone in range(len(layout.zones)):
        for items in zones.lists(zone):
            entries = [knowledge.entry(item) for item in items]
            if not zones.is_ordered(zone, items):
                entries.sort()
            runs = [(entry, len(list(run))) for entry, run in groupby(entries)]
            numbers.append(len(runs))
            for (face, known, *beliefs), count in runs:
                numbers += (count, layout.kinds[face], known, *(beliefs if knowledge.regions else ()))
    return numbers


def fill(zones: Zones, numbers: Sequence[int], field: str) -> None:
    """Fill zones with the items that :func:`dump` wrote as these numbers. Raises InvalidPosition, naming ``field``, for
    impossible ones."""
    layout = zones.layout
    reader = iter(numbers)
    entries: list[tuple[int, ...]] = []
    try:
        regions = _next(reader, MAX_REGIONS)
        for zone in range(len(layout.zones)):
            for part, items in enumerate(zones.lists(zone)):
                found = _entries(reader, layout, zone, regions, unseen=part == 1)
                items[:] = array("i", range(len(entries), len(entries) + len(found)))
                entries += found
        if next(reader, None) is not None:
            raise _Invalid("numbers are left over")
        _check_contents(layout, entries)
    except _Invalid as wrong:
        raise InvalidPosition([Fault(field, str(wrong))]) from None
    zones.knowledge = Knowledge(layout.players + 1, entries, regions)


class _Invalid(Exception):
    """The numbers describe no zones; the message names the fault."""


def _next(reader: Iterator[int], highest: int) -> int:
    number = next(reader, None)
    if number is None:
        raise _Invalid("the numbers end too early")
    if not 0 <= number <= highest:
        raise _Invalid(f"{number} is not from 0 to {highest}")
    return number


def _entries(reader: Iterator[int], layout: Layout, zone: int, regions: int, unseen: bool) -> list[tuple[int, ...]]:
    """Read a list of a zone: the entries of its items, as :class:`cext.knowledge.Knowledge` takes them."""
    family = layout.zones[zone].family
    size = layout.family_sizes[family]
    entries: list[tuple[int, ...]] = []
    for _ in range(_next(reader, size)):
        count, kind = _next(reader, size), _next(reader, (1 << 31) - 1)
        known = _next(reader, 0 if unseen else layout.everyone)
        beliefs: list[int] = []
        for viewer in range(layout.players + 1) if regions else ():
            since, history = _next(reader, regions), _next(reader, (1 << regions) - 1)
            if known >> viewer & 1 and (since or history):
                raise _Invalid(
                    f"viewer {viewer} both knows an item and has beliefs about it in {layout.zones[zone].name}"
                )
            if since and not history >> (since - 1) & 1:
                raise _Invalid(f"an item of {layout.zones[zone].name} is where it cannot be for viewer {viewer}")
            beliefs += (since, history)
        if kind not in layout.contents[family]:
            raise _Invalid(f"kind {kind} is none of the {family}")
        if count == 0 or len(entries) + count > size:
            raise _Invalid(f"{len(entries) + count} items in {layout.zones[zone].name}, from {size} {family} in all")
        entries += [(layout.faces[family, kind], known, *beliefs)] * count
    return entries


def _check_contents(layout: Layout, entries: list[tuple[int, ...]]) -> None:
    counts = Counter(entry[0] for entry in entries)
    for (family, kind), face in layout.faces.items():
        expected = layout.contents[family][kind]
        if counts[face] != expected:
            raise _Invalid(f"{counts[face]} items of kind {kind} among the {family}, not {expected}")
