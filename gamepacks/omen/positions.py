"""Conversion between states and position messages; every fault of a position is reported.

A position between two actions can be written by hand: piles of cards and counters. A state in the middle of an effect
is sealed, and only the engine writes it.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from cext.knowledge import MAX_REGIONS
from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.api.sealed import read_pending, write_pending
from gamepacks.omen.cards.program import MAX_CITIES, MAX_VALUE, CardField, Edition
from gamepacks.omen.codes import (
    DRAFT_ROUNDS,
    DRAFT_ROW,
    DRAFT_ROWS,
    EVERYONE,
    MAX_COUNTER,
    MAX_WHIMS,
    NONE,
    End,
    Pile,
    Stage,
)
from gamepacks.omen.engine.rules import COUNTERS, dump_state, load_state
from gamepacks.omen.v1 import position_pb2 as pb
from gamepacks.omen.v1.omen_enums import Challenges, Draft, Kind, Phase, Start

if TYPE_CHECKING:
    from gamepacks.omen.engine.rules import OmenState
    from gamepacks.omen.game import OmenGame

__all__ = ["COUNTERS", "restore", "to_message"]

MAX_UNITS = 20
_PENDING = ("frames", "abilities", "queue", "reactions", "changes", "later", "log")
"""Values of the state that only the engine writes, in the sealed part of a position."""
_COLUMNS = ("known", "owners", "marks", "turn_uses", "game_uses")
_LIMITS = (("known", 1, EVERYONE), ("owners", 1, 2), ("marks", 1, 31), ("turn_uses", 1, 255), ("game_uses", 1, 255))
_OPEN = frozenset({Pile.DISCARD, Pile.DISCARD_B, Pile.DRAFT_ROW, Pile.RESOLVING})
_PLACELESS = frozenset({Pile.DECK, Pile.DECK_B, Pile.PRIZE_POOL, Pile.WHIM_PILE, Pile.DRAFT_POOL})
_UNITS = (Kind.UNIT,)
_PRIZES = (Kind.REWARD, Kind.KRATER)
_HAND = (*_UNITS, *_PRIZES, Kind.WHIM)


def to_message(state: OmenState) -> pb.Position:
    """Returns the position message of a state; equal states give equal messages."""
    values = dump_state(state)
    position = pb.Position(
        phase=values["phase"],
        stage=values["stage"],
        turn=values["turn"],
        coins=values["coins"],
        left=values["left"],
        razed=values["razed"],
        drafted=values["drafted"],
        counters=values["counters"] if any(values["counters"]) else (),
        committed=values["committed"] if any(values["committed"]) else (),
        ending=values["ending"],
        regions=values["regions"],
    )
    if values["active"] != NONE:
        position.active = values["active"]
    if values["first"] != NONE:
        position.first = values["first"]
    if values["supply"] >= 0:
        position.supply = values["supply"]
    for number, cards in values["piles"]:
        columns = list(zip(*cards, strict=True))
        pile = position.piles.add(pile=number, cards=columns[0])
        for name, column in zip(_COLUMNS, columns[1:6], strict=True):
            if any(column):
                getattr(pile, name).extend(column)
        for name, three in (("since", columns[6:9]), ("history", columns[9:12])):
            if any(map(any, three)):
                getattr(pile, name).extend(chain.from_iterable(zip(*three, strict=True)))
    if any(values[name] for name in _PENDING):
        write_pending(position, {name: values[name] for name in (*_PENDING, "log_before_step")})
    return position


def restore(game: OmenGame[Any, Any], position: pb.Position) -> OmenState:
    """Returns the state of a position, advanced to the next decision, chance node or end.

    Raises InvalidPosition with every fault.
    """
    checker = Checker(game, position)
    values = checker.values()
    if checker.faults:
        raise InvalidPosition(checker.faults)
    state = game.initial_state()
    load_state(state, values)
    try:
        state.advance()
    except (OverflowError, ValueError) as error:
        raise InvalidPosition([Fault("pending", f"the state cannot be advanced: {error}")]) from error
    return state


class Checker:
    """Checks a position and collects its values."""

    def __init__(self, game: OmenGame[Any, Any], position: pb.Position) -> None:
        self.game = game
        self.config = game.config
        self.position = position
        self.faults: list[Fault] = []
        fields = len(CardField)
        cards = game.config.program.cards
        self.kinds = [Kind(cards[at + CardField.KIND]) for at in range(0, len(cards), fields)]

    def fault(self, field: str, message: str) -> None:
        """Add a fault."""
        self.faults.append(Fault(field, message))

    def values(self) -> dict[str, Any]:
        """Returns the values for :func:`load_state`; they are meaningful only if no fault was found."""
        position, cities = self.position, self.config.cities
        phase = self._number("phase", position.phase, Phase.DRAFT, Phase.OVER)
        values: dict[str, Any] = {
            "phase": phase,
            "stage": self._number("stage", position.stage, 0, max(Stage)),
            "active": self._seat("active"),
            "first": self._seat("first"),
            "turn": self._number("turn", position.turn, 0, self.config.max_turns),
            "supply": self._supply(),
            "coins": self._numbers("coins", position.coins, 2, MAX_VALUE),
            "left": self._numbers("left", position.left, cities, self.config.prizes_per_city),
            "razed": [self._number(f"razed[{at}]", city, 0, cities - 1) for at, city in enumerate(position.razed)],
            "drafted": position.drafted,
            "counters": self._counters(),
            "ending": self._number("ending", position.ending, 0, sum(End)),
            "regions": self._number("regions", position.regions, 0, MAX_REGIONS),
        }
        if values["razed"] != sorted(set(values["razed"])):
            self.fault("razed", "must be in ascending order, without repetitions")
        if values["stage"] not in set(Stage):
            self.fault("stage", "is not a stage of a step")
        values["piles"] = self._piles()
        self.tokens = sum(len(cards) for _, cards in values["piles"])
        values["committed"] = self._committed()
        if not self.faults:
            self._check(values)
        return values | self._pending()

    def _pending(self) -> dict[str, Any]:
        """The values of the sealed part."""
        if not self.position.HasField("pending"):
            return {name: [] for name in _PENDING} | {"log_before_step": 0}
        try:
            return read_pending(self.position)
        except InvalidPosition as error:
            self.faults += error.faults
            return {}

    # -- single values ---------------------------------------

    def _number(self, field: str, value: int, low: int, high: int) -> int:
        if not low <= value <= high:
            self.fault(field, f"{value} is not from {low} to {high}")
            return low
        return int(value)

    def _numbers(self, field: str, given: Any, count: int, high: int) -> list[int]:
        if len(given) != count:
            self.fault(field, f"has {len(given)} entries; {count} are needed")
            return [0] * count
        return [self._number(f"{field}[{at}]", int(value), 0, high) for at, value in enumerate(given)]

    def _seat(self, field: str) -> int:
        if not self.position.HasField(field):
            return NONE
        return self._number(field, getattr(self.position, field), 0, 1)

    def _supply(self) -> int:
        limited = self.config.coin_supply >= 0
        if limited != self.position.HasField("supply"):
            self.fault("supply", "must be set" if limited else "must not be set: the number of coins is unlimited")
        if not limited:
            return -1
        supply = self._number("supply", self.position.supply, 0, self.config.coin_supply)
        if supply + sum(self.position.coins) != self.config.coin_supply:
            self.fault("supply", f"does not fit: all coins add up to {supply + sum(self.position.coins)}")
        return supply

    def _counters(self) -> list[int]:
        counters = self.position.counters
        if not counters:
            return [0] * len(COUNTERS)
        numbers = self._numbers("counters", counters, len(COUNTERS), 65_535)
        most = {
            "round": DRAFT_ROUNDS,
            "dealt": DRAFT_ROW,
            "whims_drawn": MAX_WHIMS,
            "caps": 3,
            "window": 3,
            "cancelled": 1,
            "counter_a": MAX_COUNTER,
            "counter_b": MAX_COUNTER,
        }
        for at, name in enumerate(COUNTERS):
            high = most.get(name, 65_535 if name in ("triggers", "actions") else 200)
            self._number(f"counters[{at}]", numbers[at], 0, high)
        return numbers

    def _committed(self) -> list[int]:
        if not self.position.committed:
            return [0, 0]
        return self._numbers("committed", self.position.committed, 2, self.tokens)

    # -- cards -----------------------------------------------

    def _piles(self) -> list[tuple[int, list[Any]]]:
        piles = []
        last = -1
        have = [0] * len(self.kinds)
        for at, pile in enumerate(self.position.piles):
            field = f"piles[{at}]"
            number = self._number(f"{field}.pile", pile.pile, 0, Pile.COUNT - 1)
            if number <= last:
                self.fault(f"{field}.pile", "must be greater than that of the pile before")
            last = number
            cards = self._cards(field, number, pile)
            for card in cards:
                have[card[0]] += 1
            piles.append((number, cards))
        if not self.faults and have != self.config.composition():
            self.fault("piles", "do not hold every card once for each of its copies")
        return piles

    def _cards(self, field: str, number: int, pile: pb.Pile) -> list[Any]:
        count = len(pile.cards)
        if not count:
            self.fault(f"{field}.cards", "must not be empty: leave out a pile without cards")
        columns = [list(pile.cards)]
        regions = min(self.position.regions, MAX_REGIONS)
        for name, each, high in (*_LIMITS, ("since", 3, regions), ("history", 3, (1 << regions) - 1)):
            given = list(getattr(pile, name))
            if not given:
                given = [0] * (each * count)
            elif len(given) != each * count or not any(given):
                self.fault(f"{field}.{name}", f"must have {each * count} entries, not all of them 0, or none")
                given = [0] * (each * count)
            elif max(given) > high:
                self.fault(f"{field}.{name}", f"must have entries from 0 to {high}")
            columns += [given[part::each] for part in range(each)]
        allowed = _allowed(number, self.config.cities)
        if any(card >= len(self.kinds) for card in columns[0]):
            self.fault(f"{field}.cards", f"must be indices of cards, from 0 to {len(self.kinds) - 1}")
            columns[0] = [0] * count
        elif any(self.kinds[card] not in allowed for card in columns[0]):
            self.fault(f"{field}.cards", f"has a card that cannot be in pile {number}")
        if any(mark & 1 for mark in columns[3]) and not Pile.SIDE <= number < Pile.RELIC:
            self.fault(f"{field}.marks", "only a Unit in a City can be Enraged")
        if (number in _OPEN or number >= Pile.SIDE) and any(known != EVERYONE for known in columns[1]):
            self.fault(f"{field}.known", "must say that everyone knows the cards, which lie face up")
        if number in _PLACELESS and any(columns[1]):
            self.fault(f"{field}.known", "must be empty: nobody knows the cards of this pile")
        return list(zip(*columns, strict=True))

    # -- all values ------------------------------------------

    def _check(self, values: dict[str, Any]) -> None:
        piles = dict(values["piles"])
        phase, seats = values["phase"], (values["active"], values["first"])
        if phase >= Phase.WEALTH and (NONE in seats or not values["turn"]):
            self.fault("active", "must be set in a turn, together with turn and first")
        if phase < Phase.WEALTH and (values["active"] != NONE or values["turn"]):
            self.fault("active", "must not be set, nor turn: no turn has begun")
        if phase == Phase.WHIMS and values["first"] == NONE:
            self.fault("first", "must be set")
        if (phase == Phase.DRAFT and self.config.draft == Draft.NONE) or (
            phase > Phase.DRAFT and values["drafted"] != (self.config.draft != Draft.NONE)
        ):
            self.fault("drafted", "must be true after a draft, and only then")
        omega = self.config.edition == Edition.OMEGA
        if (not omega and phase in (Phase.FEAT, Phase.CHALLENGE)) or (
            phase == Phase.CHALLENGE and self.config.challenges == Challenges.NONE
        ):
            self.fault("phase", "is not a step of this game")
        if (phase == Phase.OVER) != bool(values["ending"]):
            self.fault("ending", "must be set at the end, and only there")
        if (omega and values["razed"]) or any(values["left"][city] for city in values["razed"]):
            self.fault("razed", "can have only Cities without Kraters")
        known = sum(len(piles.get(Pile.PRIZES + city, ())) for city in range(MAX_CITIES))
        if any(len(piles.get(Pile.PRIZES + city, ())) > left for city, left in enumerate(values["left"])):
            self.fault("left", "is less than the number of known prizes on the City")
        if sum(values["left"]) > known + len(piles.get(Pile.PRIZE_POOL, ())):
            self.fault("left", "is more than the number of prize cards")
        for city in range(self.config.cities):
            if sum(len(piles.get(Pile.RELIC + 2 * city + seat, ())) for seat in range(2)) > 1:
                self.fault("piles", "have more than one Relic in a City (OMEN-RELIC-04)")
            for seat in range(2):
                units = piles.get(Pile.SIDE + 2 * city + seat, ())
                if len(units) > MAX_UNITS or (
                    units and city in values["razed"] and not self.position.HasField("pending")
                ):
                    self.fault("piles", f"have too many Units in City {city + 1}")
        if not self.position.HasField("pending") and (piles.get(Pile.ASIDE) or len(piles.get(Pile.RESOLVING, ())) > 1):
            self.fault("piles", "have cards in use, but no effect is being carried out")
        self._check_draft(values, piles)
        self._check_commit(values, piles)

    def _check_draft(self, values: dict[str, Any], piles: dict[int, list[Any]]) -> None:
        """Check that the numbers of cards fit the progress of the draft (OMEN-DRAFT-04, OMEN-DRAFT-06)."""
        there = [len(piles.get(pile, ())) for pile in range(Pile.COUNT)]
        counters = dict(zip(COUNTERS, values["counters"], strict=True))
        rounds, dealt = counters["round"], counters["dealt"]
        drafting = [*range(Pile.CHOSEN, Pile.PRIZE_POOL), Pile.DRAFT_POOL, Pile.DRAFT_ROW]
        if values["phase"] != Phase.DRAFT:
            if rounds or dealt or any(there[pile] for pile in drafting):
                self.fault("piles", "must have no cards of a draft outside the draft")
            return
        units = sum(
            count for count, kind in zip(self.config.composition(), self.kinds, strict=True) if kind == Kind.UNIT
        )
        picked = 0
        if self.config.draft == Draft.KEEP2OF3:
            hands, row = [min(dealt, 3), max(dealt - 3, 0)], 0
            chosen = [3 * rounds, 3 * rounds]
            whole = rounds < DRAFT_ROUNDS and dealt <= 6
        else:
            hands, row = [0, 0], there[Pile.DRAFT_ROW]
            picked = dealt - row
            begins = self.config.oldest ^ int(self.config.draft_swap and rounds == 1)
            chosen = [DRAFT_ROW // 2 * rounds + (picked + (seat == begins)) // 2 for seat in range(2)]
            whole = rounds < DRAFT_ROWS and dealt <= DRAFT_ROW and picked >= 0 and (not picked or dealt == DRAFT_ROW)
        pool = units - sum(chosen) - sum(hands) - row
        found = [*there[Pile.CHOSEN : Pile.PRIZE_POOL], there[Pile.DRAFT_POOL], there[Pile.DRAFT_ROW]]
        if not whole or found != [*chosen, *hands, pool, row]:
            self.fault("piles", "do not have the numbers of cards that fit the progress of the draft")

    def _check_commit(self, values: dict[str, Any], piles: dict[int, list[Any]]) -> None:
        if not any(values["committed"]):
            return
        places = [(pile, card) for pile, cards in sorted(piles.items()) for card in cards]
        wanted = {Phase.DRAFT: Pile.DEALT, Phase.FIRST: Pile.HAND}.get(values["phase"])
        if all(values["committed"]) or wanted is None or (self.config.start != Start.EMISSARY and wanted == Pile.HAND):
            self.fault("committed", "must be 0: nobody is choosing in secret")
            return
        for seat, number in enumerate(values["committed"]):
            if number:
                pile, card = places[number - 1]
                if pile != wanted + seat or self.kinds[card[0]] != Kind.UNIT:
                    self.fault("committed", "must be a Unit of that seat")


@cache
def _allowed(pile: int, cities: int) -> tuple[Kind, ...]:
    """The kinds of cards that can lie in a pile."""
    if pile in (Pile.HAND, Pile.HAND_B):
        return _HAND
    if pile in (Pile.USED, Pile.USED_B):
        return (*_UNITS, *_PRIZES)
    if Pile.FEATS_UP <= pile <= Pile.FEATS_ROTATED_B:
        return (Kind.FEAT,)
    if pile in (Pile.TAKEN, Pile.TAKEN_B, Pile.CHALLENGES):
        return (Kind.CHALLENGE,)
    if pile == Pile.PRIZE_POOL:
        return _PRIZES
    if pile in (Pile.WHIM_PILE, Pile.WHIMS_USED):
        return (Kind.WHIM,)
    if pile == Pile.RELICS:
        return (Kind.RELIC,)
    if pile == Pile.RESOLVING:
        return (*_UNITS, *_PRIZES, Kind.RELIC)
    if pile == Pile.OUT:
        return (*_HAND, Kind.CHALLENGE, Kind.RELIC)
    if Pile.PRIZES <= pile < Pile.SIDE:
        return _PRIZES if pile - Pile.PRIZES < cities else ()
    if Pile.SIDE <= pile < Pile.RELIC:
        return _UNITS if pile - Pile.SIDE < 2 * cities else ()
    if pile >= Pile.RELIC:
        return (Kind.RELIC,) if pile - Pile.RELIC < 2 * cities else ()
    return _UNITS
