"""An oracle for :mod:`gamepacks.api.zones`: every world (order of the cards) that is consistent with a view.

A world is the kinds in each zone (a deck from the top down, an unordered pile sorted) with its probability. Each step
is played in all worlds; those in which the viewer would have seen something else are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import permutations

World = tuple[tuple[int, ...], ...]


class Worlds:
    """All worlds that are possible for a viewer. Zone 0 is the deck, the others are unordered piles."""

    def __init__(self, deck: Iterable[int], piles: int) -> None:
        self.worlds: dict[World, Fraction] = {((), *[()] * piles): Fraction(1)}
        cards = tuple(deck)
        self._step(lambda world: ((p, (order, *world[1:])) for order, p in _orders(cards)))

    def draw(self, to: int, seen: int | None, bottom: bool = False) -> None:
        """Move the first (last) card of the deck to a pile; ``seen`` is its kind if the viewer sees it."""

        def outcomes(world: World) -> Iterator[tuple[Fraction, World]]:
            card, rest = (world[0][-1], world[0][:-1]) if bottom else (world[0][0], world[0][1:])
            if seen in (None, card):
                yield Fraction(1), _add(_replace(world, 0, rest), to, card)

        self._step(outcomes)

    def look(self, place: int, seen: int | None) -> None:
        """Look at a card of the deck."""
        self._step(lambda world: [(Fraction(1), world)] if seen in (None, world[0][place]) else [])

    def move(self, source: int, to: int, seen: int | None, bottom: bool = False) -> None:
        """Move a card from a pile to another or onto the deck; an unseen one can be any card of the pile."""

        def outcomes(world: World) -> Iterator[tuple[Fraction, World]]:
            pile = world[source]
            choices = list(pile) if seen is None else [seen] * (seen in pile)
            for card in choices:
                rest = list(pile)
                rest.remove(card)
                left = _replace(world, source, tuple(rest))
                if to == 0:
                    after = _replace(left, 0, (*left[0], card) if bottom else (card, *left[0]))
                else:
                    after = _add(left, to, card)
                yield Fraction(1, len(choices)), after

        self._step(outcomes)

    def reveal(self, pile: int, seen: int) -> None:
        """Show a card of a pile to the viewer."""
        self._step(lambda world: [(Fraction(1), world)] if seen in world[pile] else [])

    def shuffle(self) -> None:
        """Shuffle the deck."""
        self._step(lambda world: ((p, (order, *world[1:])) for order, p in _orders(world[0])))

    def search(self, seen: Iterable[int]) -> None:
        """Let the viewer look through the deck, and shuffle it."""
        content = sorted(seen)
        self._step(lambda world: [(Fraction(1), world)] if sorted(world[0]) == content else [])
        self.shuffle()

    def arrangements(self, top: int, bottom: int) -> dict[World, Fraction]:
        """Returns the probability of each world, with the deck sorted except for its ``top`` and ``bottom`` cards."""
        found: dict[World, Fraction] = {}
        total = sum(self.worlds.values())
        for world, weight in self.worlds.items():
            key = arrangement(world[0], top, bottom, world[1:])
            found[key] = found.get(key, Fraction(0)) + weight / total
        return found

    def _step(self, outcomes: Callable[[World], Iterable[tuple[Fraction, World]]]) -> None:
        after: dict[World, Fraction] = {}
        for world, weight in self.worlds.items():
            for chance, new in outcomes(world):
                after[new] = after.get(new, Fraction(0)) + weight * chance
        self.worlds = after


def arrangement(deck: tuple[int, ...], top: int, bottom: int, piles: Iterable[tuple[int, ...]]) -> World:
    """Returns a world with the middle of its deck sorted."""
    end = len(deck) - bottom
    return ((*deck[:top], *sorted(deck[top:end]), *deck[end:]), *piles)


def _orders(cards: tuple[int, ...]) -> list[tuple[tuple[int, ...], Fraction]]:
    orders = sorted(set(permutations(cards)))
    return [(order, Fraction(1, len(orders))) for order in orders]


def _replace(world: World, zone: int, cards: tuple[int, ...]) -> World:
    return (*world[:zone], cards, *world[zone + 1 :])


def _add(world: World, pile: int, card: int) -> World:
    return _replace(world, pile, tuple(sorted((*world[pile], card))))
