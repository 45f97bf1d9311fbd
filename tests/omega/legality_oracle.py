"""The legality tests of sections 15.3 and 15.4 of RULES.md, written again in plain Python from the specification.

It reads the values of a state (``OmegaState.dump``) and shares no code with the compiled rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from gamepacks.omega import Omega, codes
from gamepacks.omega.cards import Egregor
from gamepacks.omega.codes import ANY_TYPE, BLACK, GREEN, NONE, WHITE
from gamepacks.omega.v1.omega_enums import FrameKind, Phase

Row = dict[str, Any]


class LegalityOracle:
    """The legal actions of a state, computed from its values by the specification."""

    def __init__(self, game: Omega, values: dict[str, Any]) -> None:
        self.options = game.options
        self.cards: tuple[Egregor, ...] = game.cards.egregors
        self.values = values
        self.players = values["seats"]
        self.me = self.players[values["active_seat"]]
        self.hand: list[int] = self.me["pyramid"]
        self.row: list[Row] = self.me["egregors"]

    def legal(self) -> set[int]:
        """The legal actions of the acting seat."""
        if self.values["frames"]:
            return set(self._pending(*self.values["frames"][-1]))
        if self.values["phase"] == Phase.DRAW:
            return set(self._sources(ANY_TYPE))
        return set(self._main())

    # -- tests of section 15.4 ---------------------------------------

    def limit(self, card: int) -> int:
        return 1 if self.cards[card].primitive else 2

    def fits(self, egregor: Row, rune: int, more: int = 0) -> bool:
        """Whether a rune can be placed on an Egregor on which ``more`` further greens lie."""
        load = list(egregor["load"])
        load[GREEN] += more
        colours = {number for number in range(BLACK) if load[number]}
        return rune < BLACK and sum(load) < 10 and len(colours | {rune}) <= self.limit(egregor["card"])

    def pairs(self) -> set[tuple[int, int]]:
        if self.hand[GREEN] < 2:
            return set()
        return {
            (first, second)
            for first in range(len(self.row))
            for second in range(len(self.row))
            if self.fits(self.row[first], GREEN) and self.fits(self.row[second], GREEN, more=int(first == second))
        }

    def takeable(self, egregor: Row) -> set[int]:
        """The types that a black may take."""
        load = egregor["load"]
        if load[WHITE] >= 2:
            return set()
        found = {rune for rune in range(WHITE) if load[rune]}
        if self.options.black_takes == "nonwhite" and load[BLACK] and egregor["old_blacks"]:
            found.add(BLACK)
        return found

    def opposing(self) -> Iterator[tuple[int, int, Row]]:
        for seat, player in enumerate(self.players):
            if seat != self.values["active_seat"]:
                for place, egregor in enumerate(player["egregors"]):
                    yield seat, place, egregor

    def batches(self, limit: int, start: list[int]) -> int:
        """The size of the largest batch that has at most ``limit`` colours and contains the runes of ``start``."""
        best = -1
        for chosen in combinations(range(BLACK), limit):
            if all(count == 0 or number in chosen for number, count in enumerate(start)):
                best = max(best, min(10, sum(self.hand[number] for number in chosen)))
        return best

    def _capture(self, seat: int, place: int, egregor: Row) -> bool:
        owner = self.players[seat]
        load = sum(egregor["load"])
        return (
            not self.values["gain_used"]
            and (self.values["announcer"] < 0 or self.options.final_turn_capture)
            and len(owner["egregors"]) >= 2
            and not owner["lost_egregor"]
            and load <= 9
            and owner["mask"] != place
            and self.batches(self.limit(egregor["card"]), [0] * 6) >= load + 1
        )

    def _useful(self, op: str, colour: str | None) -> bool:
        runes = range(6) if colour is None else [codes.TYPE_NAMES.index(colour)]
        if op == "draw":
            return any(self.values["altar"][rune] for rune in runes) or sum(self.values["bag"]) > 0
        if op == "cycle":
            return any(egregor["load"][rune] for egregor in self.row for rune in runes)
        return op == "advance" or bool(self.values["deck"] or self.values["discard"])

    # -- the decisions of section 15.3 ---------------------------------------

    def _main(self) -> Iterator[int]:
        if not self.values["gain_used"] and any(self.hand[:BLACK]):
            yield from (codes.SUMMON(slot) for slot, card in enumerate(self.values["gallery"]) if card != NONE)
        yield from (codes.CAPTURE(seat, place) for seat, place, it in self.opposing() if self._capture(seat, place, it))
        for rune in range(BLACK):
            if self.hand[rune] and any(self.fits(egregor, rune) for egregor in self.row):
                yield codes.PLACE(rune)
        if self.hand[BLACK] and any(self.takeable(egregor) for _, _, egregor in self.opposing()):
            yield codes.PLACE_BLACK()
        if self.options.green_pairing == "explicit" and self.pairs():
            yield codes.PAIR()
        free = self.options.disown_limit == "any" or not self.values["disowned"]
        moved = self.values["mask_moved" if self.options.mask_moves == "once" else "last_mask"]
        for place, egregor in enumerate(self.row):
            card = self.cards[egregor["card"]]
            if self.values["gain_used"] and free and not egregor["gained"] and len(self.row) >= 2:
                yield codes.DISOWN(place)
            if not card.renegade and self.me["mask"] != place and not moved:
                yield codes.MASK(place)
            for number, power in enumerate(card.powers):
                unused = power.trigger == "book" and not egregor["used"] >> number & 1
                if unused and any(self._useful(e.op, getattr(e, "color", None)) for e in power.effects):
                    yield codes.USE_BOOK(place, number)
        if len(self.row) <= 4:
            yield codes.END_MAIN()

    def _sources(self, colour: int) -> Iterator[int]:
        altar = self.values["altar"]
        if colour != ANY_TYPE:
            yield codes.TAKE_ALTAR(colour) if altar[colour] else codes.SEARCH_BAG(colour)
            return
        yield from (codes.TAKE_ALTAR(rune) for rune in range(6) if altar[rune])
        if sum(self.values["bag"]):
            yield codes.TAKE_BAG()

    def _pending(self, kind: int, a: int, b: int, c: int) -> Iterator[int]:
        stop = self.options.power_amount == "up_to"
        if kind == FrameKind.BATCH:
            yield from self._batch()
        elif kind == FrameKind.TARGET:
            yield from (codes.TARGET(place) for place, egregor in enumerate(self.row) if self.fits(egregor, a))
        elif kind == FrameKind.PAIR_FIRST:
            yield from (codes.PAIR_FIRST(first) for first, _ in self.pairs())
        elif kind == FrameKind.PAIR_SECOND:
            yield from (codes.PAIR_SECOND(second) for first, second in self.pairs() if first == a)
        elif kind == FrameKind.BLACK_TARGET:
            yield from (codes.BLACK_TARGET(seat, place) for seat, place, it in self.opposing() if self.takeable(it))
        elif kind == FrameKind.BLACK_TAKE:
            yield from (codes.BLACK_TAKE(rune) for rune in self.takeable(self.players[a]["egregors"][b]))
        elif kind == FrameKind.RED:
            yield from (codes.PULL(), codes.DECLINE())
        elif kind == FrameKind.DRAW:
            yield from self._sources(b)
            if stop and c:
                yield codes.STOP()
        elif kind == FrameKind.ARCANA:
            yield from (codes.ARCANA(stack) for stack, token in enumerate(self.values["tops"]) if token != NONE)
        elif kind == FrameKind.RECOVER:
            load = self.players[a]["egregors"][b]["load"]
            yield from (codes.RECOVER(rune) for rune in range(6) if load[rune] and rune != WHITE)
            if self.options.recovery == "up_to":
                yield codes.STOP()
        elif kind == FrameKind.CYCLE:
            for place, egregor in enumerate(self.row):
                yield from (codes.CYCLE(place, r) for r in range(6) if egregor["load"][r] and b in (ANY_TYPE, r))
            if stop:
                yield codes.STOP()
        else:
            yield from self._keys(kind, a)

    def _batch(self) -> Iterator[int]:
        seat, index, batch = self.values["batch_seat"], self.values["batch_index"], self.values["batch"]
        if seat == NONE:
            limit, need = self.limit(self.values["gallery"][index]), 1
        else:
            target = self.players[seat]["egregors"][index]
            limit, need = self.limit(target["card"]), sum(target["load"]) + 1
        for rune in range(BLACK):
            larger = [count + (number == rune) for number, count in enumerate(batch)]
            if larger[rune] <= self.hand[rune] and sum(larger) <= 10 and self.batches(limit, larger) >= need:
                yield codes.ADD(rune)
        if sum(batch) >= need:
            yield codes.CONFIRM()

    def _keys(self, kind: int, chosen: int) -> Iterator[int]:
        places = [place for place in range(5) if self.values["keys"] >> place & 1]

        def replaces(card: int, place: int) -> bool:
            colours = sum(count > 0 for count in self.row[place]["load"][:BLACK])
            return not self.cards[card].key and (not self.cards[card].primitive or colours <= 1)

        if kind == FrameKind.KEY_PLACE:
            yield from (codes.KEY_PLACE(place) for place in places if replaces(chosen, place))
            return
        for card in self.values["looked"]:
            if any(replaces(card, place) for place in places):
                yield codes.KEY_TAKE(card)
        yield codes.KEY_NONE()
