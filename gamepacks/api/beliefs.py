"""Conclusions that viewers can draw about items they do not know; part of :mod:`gamepacks.api.zones`.

A mask says who knows an item. That is not all that a viewer knows: of a card that it saw go into a deck, it knows that
it is there or was drawn from there since. So each item carries, for each viewer:

* ``since``: the *region* in which the viewer lost sight of it; 0 if the viewer never saw it.
* ``history``, which belongs to its place: the set of regions the place has been part of (bit r-1 for region r).

A region is one event of mixing: the places of a deck when it was shuffled, or those of a hand from which a card was
taken unseen. An item can be in exactly those places whose history holds its ``since``, so dealing anew what a viewer
does not know keeps to that rule, and each arrangement that keeps to it is equally likely.

Where places of different histories are mixed, each takes the union: what could only be concluded by counting across
such an event is forgotten. Beyond :data:`MAX_REGIONS` live regions the oldest are forgotten too. Items of one kind
cannot be told apart, so whoever sees one takes it for the one that it knew most of.

Both are numbers with a field for each viewer (6 bits, 60 bits), and 0 until something known is mixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cext.dealing import deal
from cext.random import Rng

if TYPE_CHECKING:
    from gamepacks.api.zones import Zones

Item = tuple[int, int, int, int]
"""Kind, mask of those who know it, since, history."""
KIND, KNOWN, SINCE, HISTORY = range(4)
Place = tuple[list[Item], int]
"""A list of items and an index in it."""

MAX_REGIONS = 60
"""A field of a history has so many bits, and one of a since can count to it."""
SINCE_BITS = 6
KEPT_REGIONS = 30
"""Number of the newest regions that are kept when MAX_REGIONS is reached."""

# -- losing sight -----------------------------------------------------------------------------------------------------


def leave(zones: Zones, pile: int, index: int, seen_by: int) -> None:
    """An item is about to leave an unordered pile; who does not see its kind is no longer sure of what stays."""
    items = zones.items[pile]
    gather(items, index, seen_by)
    blind = zones.layout.everyone & ~seen_by
    if len(items) == 1 or not (zones.regions or any(item[KNOWN] & blind for item in items)):
        return
    places = [(items, place) for place in range(len(items))]
    region = 0
    for viewer in range(zones.layout.players + 1):
        bit = 1 << viewer
        known = [item for item in items if item[KNOWN] & bit]
        if seen_by & bit and items[index][KNOWN] & bit:
            continue
        # Unless all are known to be of one kind, a viewer who does not see the item is sure of none of them any more.
        if seen_by & bit or not known:
            _mix(places, viewer, 0)
        elif len(known) < len(items) or any(item[KIND] != known[0][KIND] for item in known):
            region = region or _new_region(zones)
            _mix(places, viewer, region)


def shuffle(zones: Zones, deck: int) -> None:
    """Put what lies on the top and the bottom of a deck among its unseen items."""
    placed = zones.items[deck] + zones.bottoms[deck]
    if not placed:
        return
    items = zones.unseen[deck] + placed
    zones.items[deck], zones.bottoms[deck], zones.unseen[deck] = [], [], items
    if len(items) == zones.layout.family_sizes[zones.layout.zones[deck].family]:
        # Everything of its family is in it: nobody knows more than that.
        items[:] = [(item[KIND], 0, 0, 0) for item in items]
        return
    places = [(items, place) for place in range(len(items))]
    known = 0
    for item in placed:
        known |= item[KNOWN]
    region = _new_region(zones) if known else 0
    for viewer in range(zones.layout.players + 1):
        _mix(places, viewer, region if known >> viewer & 1 else 0)


def search(zones: Zones, deck: int, seen_by: int) -> None:
    """Some viewers learn what is in a deck, which is shuffled."""
    for items in (zones.items[deck], zones.unseen[deck], zones.bottoms[deck]):
        for place in range(len(items)):
            identify(zones, deck, (items, place), seen_by & ~items[place][KNOWN])
            kind, known, since, history = items[place]
            items[place] = (kind, known | seen_by, since, history)
    # All of it is placed and known now; shuffling it makes of that one region.
    zones.bottoms[deck] = zones.unseen[deck] + zones.bottoms[deck]
    zones.unseen[deck] = []
    shuffle(zones, deck)


def _mix(places: list[Place], viewer: int, region: int) -> None:
    """For one viewer these places can no longer be told apart; with a region, not even those it knew."""
    bit = 1 << viewer
    union = 1 << (region - 1) if region else 0
    for items, place in places:
        if not items[place][KNOWN] & bit:
            union |= history_of(items[place][HISTORY], viewer)
    for items, place in places:
        if not items[place][KNOWN] & bit:
            _put(items, place, viewer, since_of(items[place][SINCE], viewer), union)
        elif region:
            kind, known, since, history = items[place]
            items[place] = (kind, known & ~bit, since, history)
            _put(items, place, viewer, region, union)


# -- coming to know ---------------------------------------------------------------------------------------------------


def gather(items: list[Item], index: int, seen_by: int) -> None:
    """Let an item of a pile be, for each of those viewers, the one of its kind there that it knows, if any."""
    for other, item in enumerate(items):
        if other != index and item[KIND] == items[index][KIND]:
            for viewer in _viewers(item[KNOWN] & seen_by & ~items[index][KNOWN]):
                _swap(items, index, other, viewer)


def identify(zones: Zones, zone: int, at: Place, viewers: int) -> None:
    """Some viewers come to know an item that they did not: for each it is the one of its kind it knew most of."""
    if not zones.regions:
        return
    items, place = at
    for viewer in _viewers(viewers):
        _, _, since, history = items[place]
        own, possible = since_of(since, viewer), history_of(history, viewer)
        best, best_at = own, at
        for others, other in _hidden(zones, zones.layout.zones[zone].family, 1 << viewer):
            kind, _, since, history = others[other]
            region = since_of(since, viewer)
            fits = _fits(region, possible) and _fits(own, history_of(history, viewer))
            if kind == items[place][KIND] and region > best and fits:
                best, best_at = region, (others, other)
        if best_at is not at:
            others, other = best_at
            _put(others, other, viewer, own, history_of(others[other][HISTORY], viewer))
        _put(items, place, viewer, 0, 0)


# -- dealing anew -----------------------------------------------------------------------------------------------------


def redeal(zones: Zones, viewer: int, rng: Rng) -> None:
    """Deal what a viewer does not know anew, in place; ``viewer`` is the place of its bit.

    The deal starts from the items in an order that does not depend on where they are, so the truth decides nothing:
    with the same generator, zones that the viewer cannot tell apart are dealt the same.
    """
    for family in zones.layout.families:
        places = _unknown_places(zones, family, viewer)
        unknown = [items[place] for items, place in places]
        dealt = sorted(
            ((kind, since) for kind, _, since, _ in unknown), key=lambda item: (since_of(item[1], viewer), *item)
        )
        regions = [since_of(since, viewer) for _, since in dealt]
        histories = [history_of(item[HISTORY], viewer) for item in unknown]
        for number, (items, place) in zip(deal(regions, histories, rng), places, strict=True):
            kind, since = dealt[number]
            _, known, _, history = items[place]
            items[place] = (kind, known, since, history)
            # What another viewer concluded of the item may not fit its new place; it knows less then.
            for other in range(zones.layout.players + 1) if since else ():
                if not _fits(since_of(since, other), history_of(history, other)):
                    _put(items, place, other, 0, history_of(history, other))


def _unknown_places(zones: Zones, family: str, viewer: int) -> list[Place]:
    """The places of a family whose items a viewer does not know; those of an unordered zone in an order that follows
    from what is known of the places, not from what lies there."""
    found: list[Place] = []
    for zone in zones.layout.families[family]:
        for items in zones.lists(zone):
            places = [(items, place) for place, item in enumerate(items) if not item[KNOWN] >> viewer & 1]
            loose = not zones.layout.ordered[zone] if zone not in zones.unseen else items is zones.unseen[zone]
            if loose:
                places.sort(key=lambda at: (at[0][at[1]][KNOWN], at[0][at[1]][HISTORY]))
            found += places
    return found


# -- fields of a viewer -----------------------------------------------------------------------------------------------


def since_of(since: int, viewer: int) -> int:
    """One viewer's field of a since: a region, or 0."""
    return since >> (SINCE_BITS * viewer) & ((1 << SINCE_BITS) - 1)


def history_of(history: int, viewer: int) -> int:
    """One viewer's field of a history: a set of regions."""
    return history >> (MAX_REGIONS * viewer) & ((1 << MAX_REGIONS) - 1)


def _fits(region: int, history: int) -> bool:
    """Returns whether an item that was lost sight of in a region can be in a place of that history."""
    return region == 0 or bool(history >> (region - 1) & 1)


def _put(items: list[Item], place: int, viewer: int, since: int, history: int) -> None:
    """Set one viewer's fields of an item."""
    kind, known, sinces, histories = items[place]
    sinces ^= (since_of(sinces, viewer) ^ since) << (SINCE_BITS * viewer)
    histories ^= (history_of(histories, viewer) ^ history) << (MAX_REGIONS * viewer)
    items[place] = (kind, known, sinces, histories)


def _swap(items: list[Item], a: int, b: int, viewer: int) -> None:
    """Exchange all that one viewer knows of two items of a kind."""
    bit = 1 << viewer
    for here, (_, known, since, history) in ((a, items[b]), (b, items[a])):
        kind, mask, sinces, histories = items[here]
        items[here] = (kind, mask & ~bit | known & bit, sinces, histories)
        _put(items, here, viewer, since_of(since, viewer), history_of(history, viewer))


def _hidden(zones: Zones, family: str, bit: int) -> Iterator[Place]:
    """The places of a family whose items a viewer does not know."""
    for zone in zones.layout.families[family]:
        for items in zones.lists(zone):
            for place, item in enumerate(items):
                if not item[KNOWN] & bit:
                    yield items, place


def _viewers(mask: int) -> Iterator[int]:
    viewer = 0
    while mask:
        if mask & 1:
            yield viewer
        mask >>= 1
        viewer += 1


def _new_region(zones: Zones) -> int:
    if zones.regions == MAX_REGIONS:
        _forget_regions(zones)
    zones.regions += 1
    return zones.regions


def _forget_regions(zones: Zones) -> None:
    """Number the newest regions that an item is still bound to from 1, and forget the others."""
    viewers = range(zones.layout.players + 1)
    lists = [items for zone in range(len(zones.layout.zones)) for items in zones.lists(zone)]
    used = {since_of(item[SINCE], viewer) for items in lists for item in items for viewer in viewers} - {0}
    numbers = {old: new for new, old in enumerate(sorted(used)[-KEPT_REGIONS:], 1)}
    for items in lists:
        for place, (_, _, since, history) in enumerate(items):
            for viewer in viewers:
                old = history_of(history, viewer)
                regions = sum(1 << (new - 1) for region, new in numbers.items() if _fits(region, old))
                _put(items, place, viewer, numbers.get(since_of(since, viewer), 0), regions)
    zones.regions = len(numbers)
