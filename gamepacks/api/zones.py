"""Zones of cards, tokens and dice, with the viewers who know each item.

A zone holds *items*; an item is of a *kind* (a number of the pack's: a card id, a colour). Each item carries a bit mask
of the viewers who know its kind: bit s for seat s, bit ``players`` for the spectator. Views, resampling and so
noninterference follow from these masks.

*Piles* hold items that have been determined. An ordered pile keeps its order, and everyone can follow an item by its
place; in an unordered one (a hand) items lie as their owner likes, so who does not see what leaves it no longer knows
what stays. A *deck* (or bag) is drawn lazily: the items that nobody has drawn or looked at are a multiset, and a chance
node decides the next one (:meth:`Zones.outcomes`); items put on its top or bottom keep their place until it is
shuffled.

The size of each zone is public, and so is the composition of each *family* (all items with the same back).

Methods change the zones in place and raise ValueError for what cannot be done (an item that is not there): a pack calls
them for legal actions only. :mod:`cext.knowledge` records what else viewers can conclude about items that they do not
know.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Self

from cext.knowledge import Knowledge
from cext.random import Rng
from gamepacks.api import zone_numbers
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Seat, Viewer

UNKNOWN = -1
"""Stands in a view for the kind of an item that the viewer does not know."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A zone of determined items: a hand, a discard pile, a slot of the board."""

    name: str
    family: str = "cards"
    owner: Seat | None = None
    """The seat that always sees what enters and leaves the pile: the holder of a hand."""
    ordered: bool = False
    start: Mapping[int, int] = field(default_factory=dict)
    """The number of items of each kind at first, known to all."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck or bag whose order nobody knows: ``start`` says how many of each kind are in it at first."""

    name: str
    family: str = "cards"
    start: Mapping[int, int] = field(default_factory=dict)


class Layout:
    """The zones of a game for a number of players; immutable, made once by the game and shared by its states.

    ``layout["deck"]`` is the number by which the methods of :class:`Zones` know a zone.
    """

    def __init__(self, players: int, zones: Sequence[Pile | Deck]) -> None:
        self.players = players
        self.zones = tuple(zones)
        self.numbers = {zone.name: number for number, zone in enumerate(zones)}
        if len(self.numbers) < len(zones):
            raise ValueError("two zones have the same name")
        owners = (zone.owner if isinstance(zone, Pile) else None for zone in zones)
        self.owners = tuple(0 if owner is None else self.mask(owner) for owner in owners)
        """The mask of the owner of each zone."""
        self.decks = tuple(number for number, zone in enumerate(zones) if isinstance(zone, Deck))
        self.ordered = tuple(isinstance(zone, Pile) and zone.ordered for zone in zones)
        self.families: dict[str, tuple[int, ...]] = {}
        """The zones of each family."""
        self.contents: dict[str, dict[int, int]] = {}
        """The number of items of each kind in each family."""
        for number, zone in enumerate(zones):
            self.families[zone.family] = (*self.families.get(zone.family, ()), number)
            contents = self.contents.setdefault(zone.family, {})
            for kind, count in zone.start.items():
                if kind < 0 or count < 0:
                    raise ValueError(f"{zone.name}: kinds and counts from 0, not {kind}: {count}")
                contents[kind] = contents.get(kind, 0) + count
        pairs = [(family, kind) for family, contents in self.contents.items() for kind in sorted(contents)]
        self.faces = {pair: face for face, pair in enumerate(pairs)}
        """The faces by which :mod:`cext.knowledge` knows the kinds of all families."""
        self.kinds = tuple(kind for _, kind in pairs)
        """The kind of each face."""
        self.family_sizes = {family: sum(contents.values()) for family, contents in self.contents.items()}
        self.everyone = (1 << (players + 1)) - 1
        """The mask of all viewers."""

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]

    def place(self, viewer: Viewer) -> int:
        """The bit of a mask that stands for a seat or the spectator."""
        if viewer == SPECTATOR:
            return self.players
        if not 0 <= viewer < self.players:
            raise ValueError(f"there is no viewer {viewer}")
        return viewer

    def mask(self, *viewers: Viewer | Seat) -> int:
        """The mask of some viewers."""
        mask = 0
        for viewer in viewers:
            mask |= 1 << self.place(Viewer(viewer))
        return mask


class Zones:
    """The items in all zones of a state."""

    __slots__ = ("bottoms", "items", "knowledge", "layout", "unseen")

    layout: Layout
    items: list[array[int]]
    """For each zone, the items of a pile in their order, or those on the top of a deck, the topmost first."""
    unseen: dict[int, array[int]]
    """For each deck, the items that have no place in it yet; the order has no meaning."""
    bottoms: dict[int, array[int]]
    """For each deck, the items with a place at its bottom, the lowest last."""
    knowledge: Knowledge
    """The face of each item, and what viewers know about it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.items = [array("i") for _ in layout.zones]
        self.unseen = {deck: array("i") for deck in layout.decks}
        self.bottoms = {deck: array("i") for deck in layout.decks}
        entries: list[tuple[int, ...]] = []
        for number, zone in enumerate(layout.zones):
            deck = number in self.unseen
            for kind, count in sorted(zone.start.items()):
                (self.unseen if deck else self.items)[number].extend(range(len(entries), len(entries) + count))
                entries += [(layout.faces[zone.family, kind], 0 if deck else layout.everyone)] * count
        self.knowledge = Knowledge(layout.players + 1, entries)

    def clone(self) -> Self:
        """Returns a copy that shares nothing mutable with these zones."""
        other = object.__new__(type(self))
        other.layout = self.layout
        other.items = [items[:] for items in self.items]
        other.unseen = {deck: items[:] for deck, items in self.unseen.items()}
        other.bottoms = {deck: items[:] for deck, items in self.bottoms.items()}
        other.knowledge = self.knowledge.clone()
        return other

    def lists(self, zone: int) -> tuple[array[int], ...]:
        """All items of a zone, from the top of a deck down."""
        if zone in self.unseen:
            return self.items[zone], self.unseen[zone], self.bottoms[zone]
        return (self.items[zone],)

    def is_ordered(self, zone: int, part: array[int]) -> bool:
        """Return whether the order of a part of a zone, one of its :meth:`lists`, has a meaning."""
        return part is not self.unseen[zone] if zone in self.unseen else self.layout.ordered[zone]

    def kind(self, item: int) -> int:
        """The kind of an item."""
        return self.layout.kinds[self.knowledge.face(item)]

    # -- looking ---------------------------------------------------------------------------------------------------

    def size(self, zone: int) -> int:
        """The number of items in a zone."""
        return sum(map(len, self.lists(zone)))

    def kinds(self, zone: int, viewer: Viewer = OMNISCIENT) -> list[int]:
        """The kinds that a viewer sees in a zone, UNKNOWN for an item whose kind it does not know.

        A deck from the top down; an ordered pile in its order; an unordered one sorted, the unknown items first. The
        items of a deck that nobody has drawn or looked at are UNKNOWN to the omniscient viewer too: they have no place.
        """
        deck = zone in self.unseen
        bit = 0 if viewer == OMNISCIENT else 1 << self.layout.place(viewer)

        def seen(items: array[int]) -> list[int]:
            return [self.kind(item) if not bit or self.knowledge.known(item) & bit else UNKNOWN for item in items]

        kinds = seen(self.items[zone])
        if deck:
            kinds += [UNKNOWN] * len(self.unseen[zone]) + seen(self.bottoms[zone])
        elif not self.layout.ordered[zone]:
            kinds.sort()
        return kinds

    def next_kind(self, deck: int, bottom: bool = False) -> int | None:
        """The kind of the item that a draw would give, if that is decided; None if a chance node must decide it.

        Raises ValueError for an empty deck.
        """
        items = self._end(deck, bottom)
        if items is self.unseen[deck]:
            return None
        return self.kind(items[-1 if bottom else 0])

    def outcomes(self, zone: int) -> list[tuple[int, int]]:
        """The kinds that chance can take from a deck (if :meth:`next_kind` is None) or from an unordered pile, with
        their weights, by kind. Raises ValueError for an ordered pile.
        """
        if self.layout.ordered[zone]:
            raise ValueError(f"{self.layout.zones[zone].name} is ordered: nothing in it is random")
        counts: dict[int, int] = {}
        for item in self.unseen[zone] if zone in self.unseen else self.items[zone]:
            counts[self.kind(item)] = counts.get(self.kind(item), 0) + 1
        return sorted(counts.items())

    # -- changing --------------------------------------------------------------------------------------------------

    def draw(self, deck: int, to: int, seen_by: int, kind: int | None = None, bottom: bool = False) -> int:
        """Take the next item of a deck (or with ``bottom`` its last) to another zone; returns its kind.

        ``kind`` is the outcome of chance, wanted where :meth:`next_kind` is None. ``seen_by`` is the mask of those who
        see it; the owner of the zone that it goes to does so anyway. In an ordered pile or on a deck it becomes the
        first.
        """
        self._check_family(deck, to)
        decided = self.next_kind(deck, bottom)
        if decided is None:
            if kind is None:
                raise ValueError(f"what {self.layout.zones[deck].name} gives is for chance to decide")
            item = self._decide(deck, kind)
        else:
            if kind not in (None, decided):
                raise ValueError(f"{self.layout.zones[deck].name} gives {decided}, not {kind}")
            item = self._end(deck, bottom).pop(-1 if bottom else 0)
        self.items[to].insert(0, item)
        self.knowledge.show(item, seen_by | self.layout.owners[to])
        return self.kind(item)

    def peek(self, deck: int, kind: int, seen_by: int) -> None:
        """Determine the first unseen item of a deck by the outcome of chance, and let some viewers look at it; it stays
        in its place."""
        item = self._decide(deck, kind)
        self.items[deck].append(item)
        self.knowledge.show(item, seen_by)

    def move(
        self,
        source: int,
        to: int,
        seen_by: int,
        kind: int | None = None,
        index: int | None = None,
        bottom: bool = False,
    ) -> int:
        """Take an item from a pile, or from those on the top of a deck, to another zone; returns its kind.

        From an ordered pile or a deck it is named by ``index``, from an unordered one by ``kind``. ``seen_by`` is the
        mask of those who see it move; the owners of both zones do so anyway. The others forget what they knew of an
        unordered source as far as they are no longer sure of it. In an ordered pile or on a deck it becomes the first,
        or with ``bottom`` the last.
        """
        self._check_family(source, to)
        place = self._place(source, kind, index)
        item = self.items[source][place]
        seen_by |= self.layout.owners[source] | self.layout.owners[to]
        if index is None:
            self.knowledge.leave(self.items[source], item, seen_by)
        self.items[source].pop(place)
        target = self.bottoms[to] if bottom and to in self.unseen else self.items[to]
        target.insert(len(target) if bottom else 0, item)
        self.knowledge.show(item, seen_by)
        return self.kind(item)

    def reveal(self, zone: int, seen_by: int, kind: int | None = None, index: int | None = None) -> None:
        """Reveal an item in its place, named as for :meth:`move`; without a name all items (of a deck: those on its
        top)."""
        items = self.items[zone]
        if kind is None and index is None:
            for item in items:
                self.knowledge.show(item, seen_by)
        else:
            item = items[self._place(zone, kind, index)]
            if index is None:
                self.knowledge.take_known_copy(items, item, seen_by)
            self.knowledge.show(item, seen_by)

    def shuffle(self, deck: int) -> None:
        """Shuffle a deck: what lay on its top and bottom is now anywhere in it."""
        placed = self.items[deck] + self.bottoms[deck]
        if not placed:
            return
        items = self.unseen[deck] + placed
        self.items[deck], self.bottoms[deck], self.unseen[deck] = array("i"), array("i"), items
        if len(items) == self.layout.family_sizes[self.layout.zones[deck].family]:
            # Everything of its family is in it: nobody knows more than that.
            self.knowledge.forget(items)
        else:
            self.knowledge.mix(items, reduce(or_, map(self.knowledge.known, placed)))

    def search(self, deck: int, seen_by: int) -> None:
        """Let some viewers look through a whole deck, which is then shuffled: they know what is in it. Chosen items are
        drawn by :meth:`draw`, named by ``kind``."""
        for items in self.lists(deck):
            for item in items:
                self.knowledge.show(item, seen_by)
        # All of its items are placed and known now; shuffling makes them one region.
        self.bottoms[deck] = self.unseen[deck] + self.bottoms[deck]
        self.unseen[deck] = array("i")
        self.shuffle(deck)

    def resample(self, viewer: Viewer, rng: Rng) -> Self:
        """Returns zones that the viewer cannot tell from these: the items that it does not know are dealt anew, and all
        arrangements that are possible for it are equally likely."""
        other = self.clone()
        if viewer != OMNISCIENT:
            place = self.layout.place(viewer)
            for zones in self.layout.families.values():
                other.knowledge.redeal(place, other._unknown(zones, place), rng)
        return other

    # -- inside ----------------------------------------------------------------------------------------------------

    def _unknown(self, zones: Sequence[int], viewer: int) -> array[int]:
        """The items of some zones that a viewer does not know, in an order that does not depend on their kinds."""
        found = array("i")
        for zone in zones:
            for part in self.lists(zone):
                items = [item for item in part if not self.knowledge.known(item) >> viewer & 1]
                if not self.is_ordered(zone, part):
                    entries = {item: self.knowledge.entry(item) for item in items}
                    items.sort(key=lambda item: (entries[item][1], entries[item][3::2]))
                found.extend(items)
        return found

    def _end(self, deck: int, bottom: bool) -> array[int]:
        """The part of a deck in which its first (or last) item is."""
        parts = self.lists(deck)
        for items in reversed(parts) if bottom else parts:
            if items:
                return items
        raise ValueError(f"{self.layout.zones[deck].name} is empty")

    def _decide(self, deck: int, kind: int) -> int:
        """Take an unseen item of that kind out of a deck."""
        unseen = self.unseen[deck]
        for place, item in enumerate(unseen):
            if self.kind(item) == kind:
                return unseen.pop(place)
        raise ValueError(f"{self.layout.zones[deck].name} has no unseen item of kind {kind}")

    def _place(self, zone: int, kind: int | None, index: int | None) -> int:
        """The index of the named item of a pile, or on the top of a deck."""
        items = self.items[zone]
        if zone in self.unseen or self.layout.ordered[zone]:
            if index is not None and kind is None and 0 <= index < len(items):
                return index
            raise ValueError(f"{self.layout.zones[zone].name} has no item {index}")
        if index is None:
            for place, item in enumerate(items):
                if self.kind(item) == kind:
                    return place
        raise ValueError(f"{self.layout.zones[zone].name} has no item of kind {kind}")

    def _check_family(self, source: int, to: int) -> None:
        ours, theirs = self.layout.zones[source], self.layout.zones[to]
        if ours.family != theirs.family:
            raise ValueError(f"{ours.family} of {ours.name} do not go to {theirs.name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Zones) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]

    # -- as numbers ------------------------------------------------------------------------------------------------

    def dump(self) -> list[int]:
        """Returns all zones as numbers of 64 bits, for a ``repeated sint64``; equal zones have equal numbers."""
        return zone_numbers.dump(self)

    @classmethod
    def load(cls, layout: Layout, numbers: Sequence[int], field: str = "zones") -> Self:
        """Returns the zones that :meth:`dump` wrote as these numbers. Raises InvalidPosition, naming ``field``, for
        impossible ones."""
        zones = cls(layout)
        zone_numbers.fill(zones, numbers, field)
        return zones
