"""Positions from the sketches of the worked examples (section 12.1 of RULES.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gamepacks.omen.codes import EVERYONE, Pile
from gamepacks.omen.engine.rules import OmenState
from gamepacks.omen.game import OmenGame
from gamepacks.omen.v1 import position_pb2 as pb
from gamepacks.omen.v1.omen_enums import Phase
from tests.omen import sets

SEATS = "AB"


class Sketch:
    """The position described by ``given``, completed with defaults."""

    def __init__(
        self,
        given: Mapping[str, Any],
        edition: str,
        options: Mapping[str, Any],
        extra: Mapping[str, list[dict[str, Any]]],
        house: bool = False,
    ) -> None:
        self.given, self.edition, self.options, self.extra = given, edition, options, extra
        self.records = sets.house_records(edition) if house else sets.placeholders()[edition]
        self.omega = edition == "omega"
        self.cities = int(given.get("setup", {}).get("cities", 3))
        default = 4 if self.omega else 3
        self.city = [dict(given.get(f"c{number + 1}", {})) for number in range(self.cities)]
        self.left = [city.get("left", default) for city in self.city]
        self.seat = [dict(given.get(seat, {})) for seat in SEATS]
        self.coins = [seat.get("coins", 0) for seat in self.seat]
        self.deck = list(given["deck"]) if "deck" in given else self._fillers()
        self.draft = options.get("draft", "none") != "none"
        self.prizes = self._prizes()
        self.phase = self._phase()
        self.turn = given.get("turn", 10) if self.phase >= Phase.WEALTH else 0
        self.active = SEATS.index(given.get("active", "A"))
        self.first = self._first()
        self.supply = given.get("supply", 25 - sum(self.coins) if self.omega else None)

    def _fillers(self) -> list[str]:
        """A deck of ten fillers that are used nowhere else."""
        self.deck: list[str] = []
        named = self._named()
        return [name for name in (f"z{number:02}" for number in range(1, 67)) if name not in named][:10]

    def _phase(self) -> Phase:
        step = self.given.get("step", "wealth")
        if step != "setup":
            return Phase[step.upper()]
        if self.draft:
            return Phase.DRAFT
        return Phase.FIRST if self.options.get("start") == "emissary" else Phase.WHIMS

    def _first(self) -> int:
        if "first" in self.given:
            return SEATS.index(self.given["first"])
        if self.phase == Phase.WHIMS:
            return SEATS.index(self.options.get("oldest_seat", "A"))
        return self.active if self.turn % 2 else 1 - self.active

    def _prizes(self) -> list[str]:
        """The prizes that nobody has seen: the given ones first, then one of each kind in turn."""
        kinds = list(self.records["rewards" if self.omega else "kraters"])
        pool = list(self.given.get("prizes_next", ()))
        number = 0
        # A set has at least as many prizes as there are places for them; the last ones are left over.
        while len(pool) < max(sum(self.left), (4 if self.omega else 3) * self.cities):
            pool.append(kinds[number % len(kinds)])
            number += 1
        return pool

    def _named(self) -> list[str]:
        """All cards of the position except prizes of the pool."""
        names = [*self.deck, *self.given.get("discard", ())]
        for seat in self.seat:
            for key in ("hand", "prizes", "new_prizes", "used", "area", "whims", "challenges", "top"):
                names += seat.get(key, ())
        for city in self.city:
            names += [unit.removesuffix("!") for seat in SEATS for unit in city.get(seat, ())]
        return names

    def card_sets(self) -> list[dict[str, Any]]:
        """The card sets: just the cards that are there (for drafts 66 Units)."""
        names = [*self._named(), *self.prizes]
        copies = {name: names.count(name) for name in names}
        section = "rewards" if self.omega else "kraters"
        for prize in self.records[section]:
            copies.setdefault(prize, 0)
        if self.omega:
            copies = {name: count for name, count in copies.items() if name in self.records["rewards"]}
        units = list(names)
        if self.draft:
            units = [f"z{number:02}" for number in range(1, 67)]
        setup = {"cities": self.cities, "prizes_per_city": 3, "hand": 0, **self.given.get("setup", {})}
        extra = {section: [r for r in records if r.get("wanted", True)] for section, records in self.extra.items()}
        first = sets.card_set(self.edition, units, copies, extra, None if self.omega else setup, records=self.records)
        if not self.options.get("combined"):
            return [first]
        # A second set that brings nothing into play: a Unit out of the game, and Kraters that are left over.
        return [first, sets.card_set("traits", ["z99"], None, None, setup, name="other")]

    def types(self) -> dict[str, bool]:
        """The options that the Units need."""
        if not self.omega or self.draft:
            return {}
        named = self._named()
        types = {record["type"] for name, record in self.records["units"].items() if name in named}
        return {option: True for option, kind in (("spirits", "spirit"), ("heroes", "hero")) if kind in types}

    def draws(self) -> dict[str, list[str]]:
        """The outcomes of chance nodes, by kind."""
        given = self.given
        deck = [*self.deck, *given.get("after_reshuffle", ())]
        return {
            "deck": deck,
            "prizes": list(given.get("prizes_next", ())),
            "whims": list(given.get("whims_next", ())),
            "random": list(given.get("random", ())),
            "dice": list(given.get("dice", ())),
        }

    # -- the position ----------------------------------------

    def piles(self) -> dict[int, list[dict[str, Any]]]:
        """Cards by pile, with ids."""
        piles: dict[int, list[dict[str, Any]]] = {}

        def put(pile: int, names: Iterable[str], known: int, **more: Any) -> None:
            for name in names:
                item = {"card": name.removesuffix("!"), "known": known, "enraged": name.endswith("!"), **more}
                piles.setdefault(int(pile), []).append(item)

        given = self.given
        put(Pile.DECK, self.deck, 0)
        put(Pile.DISCARD, given.get("discard", ()), EVERYONE)
        put(Pile.PRIZE_POOL, self.prizes, 0)
        for number, seat in enumerate(self.seat):
            own = 1 << number
            known = dict.fromkeys(seat.get("known", ()), own | 1 << 1 - number)
            for name in seat.get("hand", ()):
                put(Pile.HAND + number, [name], known.get(name, own))
            put(Pile.HAND + number, seat.get("prizes", ()), own)
            put(Pile.HAND + number, seat.get("new_prizes", ()), own, fresh=True)
            put(Pile.HAND + number, seat.get("whims", ()), own)
            put(Pile.USED + number, seat.get("used", ()), EVERYONE)
            put(Pile.USED + number, seat.get("area", ()), EVERYONE)
            put(Pile.TAKEN + number, seat.get("challenges", ()), EVERYONE)
            if self.omega:
                feats = seat.get("feats", {})
                down, rotated = feats.get("down", ()), feats.get("rotated", ())
                every = [*self.records["feats"], *(r["id"] for r in self.extra.get("feats", ()))]
                put(Pile.FEATS_UP + number, [f for f in every if f not in (*down, *rotated)], EVERYONE)
                put(Pile.FEATS_DOWN + number, down, EVERYONE)
                put(Pile.FEATS_ROTATED + number, rotated, EVERYONE)
        for number, city in enumerate(self.city):
            for seat in range(2):
                put(Pile.SIDE + 2 * number + seat, city.get(SEATS[seat], ()), EVERYONE)
            if "relic" in city:
                relic, owner = city["relic"]
                put(Pile.RELIC + 2 * number + SEATS.index(owner), [relic], EVERYONE)
        if self.omega:
            self._rows(put)
        if self.options.get("combined"):
            put(Pile.OUT, ["other:z99"], 0)
            put(Pile.PRIZE_POOL, [f"other:{card}" for card in ("k1", "k2", "k3") for _ in range(3)], 0)
        return piles

    def _rows(self, put: Any) -> None:
        records = self.records
        taken = [name for seat in self.seat for key in ("challenges", "whims") for name in seat.get(key, ())]
        taken += [city["relic"][0] for city in self.city if "relic" in city]

        def left(section: str) -> list[str]:
            every = [*records[section], *(record["id"] for record in self.extra.get(section, ()))]
            return [name for name in every if name not in taken]

        if self.options.get("challenges", "none") != "none":
            put(Pile.CHALLENGES, left("challenges"), EVERYONE)
        if self.options.get("relics"):
            put(Pile.RELICS, left("relics"), EVERYONE)
        if self.options.get("whims"):
            put(Pile.WHIM_PILE if self.given.get("step") == "setup" else Pile.OUT, left("whims"), 0)

    def state(self, game: OmenGame[Any, Any]) -> OmenState:
        """The state of a game made of :meth:`card_sets`."""
        if self.draft:
            return game.initial_state()
        position = pb.Position(turn=self.turn, coins=self.coins, left=self.left, supply=self.supply)
        position.razed.extend(number for number, city in enumerate(self.city) if city.get("razed"))
        position.phase = self.phase
        if self.phase >= Phase.WEALTH:
            position.active = self.active
        if self.phase >= Phase.WHIMS:
            position.first = self.first
        for pile, items in sorted(self.piles().items()):
            cards, known, every = [], [], []
            for item in items:
                name = item["card"]
                index = game.compiled.index(name if ":" in name or len(game.files) == 1 else f"fixture:{name}")
                assert index is not None, item["card"]
                marks = item["enraged"] | 2 * bool(item.get("fresh"))
                cards.append(index)
                known.append(item["known"])
                every.append(marks)
            position.piles.add(
                pile=pile, cards=cards, known=known if any(known) else (), marks=every if any(every) else ()
            )
        return game.restore(position)
