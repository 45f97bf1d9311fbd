"""Random play with a deck, two hands and a discard pile: on zones, and on the oracle of :mod:`tests.support.worlds`."""

from __future__ import annotations

from collections import Counter
from random import Random

from cext.random import Rng
from gamepacks.api.types import SPECTATOR, Seat, Viewer
from gamepacks.api.zones import Deck, Layout, Pile, Zones
from tests.support.worlds import World, Worlds, arrangement

DECK, HANDS, DISCARD = 0, (1, 2), 3
VIEWERS = (Viewer(0), Viewer(1), SPECTATOR)


class Scenario:
    """Takes random steps in ``zones`` and, as ``viewer`` sees them, in ``worlds`` (unless ``oracle`` is false)."""

    def __init__(self, seed: int, kinds: list[int], viewer: Viewer, oracle: bool = True) -> None:
        self.random = Random(seed)
        self.viewer = viewer
        self.layout = Layout(2, [Deck("deck", start=Counter(kinds)), Pile("hand/0"), Pile("hand/1"), Pile("discard")])
        self.zones = Zones(self.layout)
        self.worlds = Worlds(kinds if oracle else [], 3)
        if not oracle:
            # Without worlds, steps of the oracle cost nothing.
            self.worlds.worlds.clear()
        self.bit = self.layout.mask(viewer)

    def take(self, step: str) -> None:
        """Take a step by name; does nothing if it is not possible now."""
        getattr(self, step)()

    def arrangement(self, zones: Zones) -> World:
        top, bottom = self.ends()
        deck = tuple(zones.kind(item) for part in zones.lists(DECK) for item in part)
        return arrangement(deck, top, bottom, [tuple(zones.kinds(pile)) for pile in (*HANDS, DISCARD)])

    def ends(self) -> tuple[int, int]:
        return len(self.zones.items[DECK]), len(self.zones.bottoms[DECK])

    # -- steps ---------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw a card for a seat, in most cases seen only by that seat."""
        seat = self.random.choice([0, 1])
        seen_by = self.layout.everyone if self.random.random() < 0.2 else self.layout.mask(Seat(seat))
        self._draw(HANDS[seat], seen_by, bottom=self.random.random() < 0.2)

    def flip(self) -> None:
        """Turn the next card face up onto the discard pile."""
        self._draw(DISCARD, self.layout.everyone)

    def peek(self) -> None:
        """Let a seat look at the next card that nobody has looked at."""
        if self.zones.unseen[DECK]:
            kind, seen_by = self._chance(), self.layout.mask(Seat(self.random.choice([0, 1])))
            place = len(self.zones.items[DECK])
            self.zones.peek(DECK, kind, seen_by)
            self.worlds.look(place, self._seen(kind, seen_by))

    def shuffle(self) -> None:
        self.zones.shuffle(DECK)
        self.worlds.shuffle()

    def reshuffle(self) -> None:
        """Shuffle the discard pile into the deck."""
        while self.zones.items[DISCARD]:
            item = max(self.zones.items[DISCARD], key=self.zones.knowledge.known)
            self._move(DISCARD, DECK, self.zones.knowledge.known(item), self.zones.kind(item))
        self.shuffle()

    def play(self) -> None:
        """Put a card from a hand on the discard pile, face up."""
        self._from_hand(DISCARD, lambda seat: self.layout.everyone)

    def hide(self) -> None:
        """Put a card from a hand on the discard pile, face down."""
        self._from_hand(DISCARD, lambda seat: self.layout.mask(seat))

    def hand_over(self) -> None:
        """Give a card from one hand to the other; both seats see it."""
        seat = self.random.choice([0, 1])
        if self.zones.items[HANDS[seat]]:
            kind = self.random.choice(self.zones.kinds(HANDS[seat]))
            self._move(HANDS[seat], HANDS[1 - seat], self.layout.mask(Seat(0), Seat(1)), kind)

    def put_back(self) -> None:
        """Put a card from a hand on the top or bottom of the deck, face down."""
        self._from_hand(DECK, lambda seat: self.layout.mask(seat), bottom=self.random.random() < 0.5)

    def reveal(self) -> None:
        """Show a card of a hand to all."""
        hand = self.random.choice(HANDS)
        if self.zones.items[hand]:
            kind = self.random.choice(self.zones.kinds(hand))
            self.zones.reveal(hand, self.layout.everyone, kind=kind)
            self.worlds.reveal(hand, kind)

    def search(self) -> None:
        """Let a seat look through the deck, and shuffle it."""
        seen_by = self.layout.mask(Seat(self.random.choice([0, 1])))
        content = [self.zones.kind(item) for part in self.zones.lists(DECK) for item in part]
        self.zones.search(DECK, seen_by)
        if seen_by & self.bit:
            self.worlds.search(content)
        else:
            self.worlds.shuffle()

    # -- inside --------------------------------------------------------------------------------------------------

    def _chance(self) -> int:
        return Rng(self.random.getrandbits(60)).weighted(self.zones.outcomes(DECK))

    def _seen(self, kind: int, seen_by: int) -> int | None:
        return kind if seen_by & self.bit else None

    def _draw(self, to: int, seen_by: int, bottom: bool = False) -> None:
        if self.zones.size(DECK):
            decided = self.zones.next_kind(DECK, bottom)
            kind = self._chance() if decided is None else None
            drawn = self.zones.draw(DECK, to, seen_by, kind, bottom)
            self.worlds.draw(to, self._seen(drawn, seen_by), bottom)

    def _from_hand(self, to: int, seen_by, bottom: bool = False) -> None:  # type: ignore[no-untyped-def]
        seat = self.random.choice([0, 1])
        if self.zones.items[HANDS[seat]]:
            kind = self.random.choice(self.zones.kinds(HANDS[seat]))
            self._move(HANDS[seat], to, seen_by(Seat(seat)), kind, bottom)

    def _move(self, source: int, to: int, seen_by: int, kind: int, bottom: bool = False) -> None:
        self.zones.move(source, to, seen_by, kind=kind, bottom=bottom)
        self.worlds.move(source, to, self._seen(kind, seen_by), bottom)


ALL_STEPS = (
    "draw",
    "flip",
    "peek",
    "shuffle",
    "reshuffle",
    "play",
    "hide",
    "hand_over",
    "put_back",
    "reveal",
    "search",
)
EXACT_STEPS = ("draw", "flip", "peek", "shuffle", "reshuffle")
"""Steps whose probabilities the zones compute exactly."""
ALL_STEPS = (*EXACT_STEPS, "play", "hide", "hand_over", "put_back", "reveal", "search")
