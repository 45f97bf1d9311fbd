"""Positions from the sketches of the worked examples (section 12.1 of RULES.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from gamepacks.omen.codes import Phase, Pile
from gamepacks.omen.game import OmenGame
from gamepacks.omen.state import OmenState
from tests.omen import sets

SEATS = "AB"
FILLERS = [f"z{number:02}" for number in range(1, 11)]
PUBLIC = 7


class Sketch:
    """What ``given`` says, with all that it leaves out."""

    def __init__(
        self,
        given: Mapping[str, Any],
        edition: str,
        options: Mapping[str, Any],
        extra: Mapping[str, list[dict[str, Any]]],
    ) -> None:
        self.given, self.edition, self.options, self.extra = given, edition, options, extra
        self.omega = edition == "omega"
        self.cities = int(given.get("setup", {}).get("cities", 3))
        default = 4 if self.omega else 3
        self.city = [dict(given.get(f"c{number + 1}", {})) for number in range(self.cities)]
        self.left = [city.get("left", default) for city in self.city]
        self.seat = [dict(given.get(seat, {})) for seat in SEATS]
        self.coins = [seat.get("coins", 0) for seat in self.seat]
        self.deck = list(given.get("deck", FILLERS))
        self.draft = options.get("draft", "none") != "none"
        self.prizes = self._prizes()

    def _prizes(self) -> list[str]:
        """The prizes that nobody has seen: those to come first, then one of each in turn."""
        kinds = list(sets.placeholders()[self.edition]["rewards" if self.omega else "kraters"])
        pool = list(self.given.get("prizes_next", ()))
        number = 0
        while len(pool) < sum(self.left):
            pool.append(kinds[number % len(kinds)])
            number += 1
        return pool

    def _named(self) -> list[str]:
        """All cards that stand somewhere and are no prizes of the pool."""
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
        for prize in sets.placeholders()[self.edition][section]:
            copies.setdefault(prize, 0)
        if self.omega:
            copies = {name: count for name, count in copies.items() if name in sets.placeholders()["omega"]["rewards"]}
        units = list(names)
        if self.draft:
            units = [f"z{number:02}" for number in range(1, 67)]
        setup = {"cities": self.cities, "prizes_per_city": 3, **self.given.get("setup", {})}
        extra = {section: [r for r in records if r.get("wanted", True)] for section, records in self.extra.items()}
        first = sets.card_set(self.edition, units, copies, extra, None if self.omega else setup)
        if not self.options.get("combined"):
            return [first]
        # A second set that brings nothing into play: its cards lie out of the game.
        other = sets.card_set("traits", ["z99"], dict.fromkeys(copies, 0), None, setup, name="other")
        return [first, other]

    def draws(self) -> dict[str, list[str]]:
        """What chance does."""
        given = self.given
        deck = [*given.get("deck", FILLERS), *given.get("after_reshuffle", ())]
        return {
            "deck": deck,
            "prizes": list(given.get("prizes_next", ())),
            "whims": list(given.get("whims_next", ())),
            "random": list(given.get("random", ())),
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
        put(Pile.DISCARD, given.get("discard", ()), PUBLIC)
        put(Pile.PRIZE_POOL, self.prizes, 0)
        for number, seat in enumerate(self.seat):
            own = 1 << number
            known = dict.fromkeys(seat.get("known", ()), own | 1 << 1 - number)
            for name in seat.get("hand", ()):
                put(Pile.HAND + number, [name], known.get(name, own))
            put(Pile.HAND + number, seat.get("prizes", ()), own)
            put(Pile.HAND + number, seat.get("new_prizes", ()), own, fresh=True)
            put(Pile.HAND + number, seat.get("whims", ()), own)
            put(Pile.USED + number, seat.get("used", ()), PUBLIC)
            put(Pile.USED + number, seat.get("area", ()), PUBLIC)
            put(Pile.TAKEN + number, seat.get("challenges", ()), PUBLIC)
            if self.omega:
                feats = seat.get("feats", {})
                down, rotated = feats.get("down", ()), feats.get("rotated", ())
                every = [*sets.placeholders()["omega"]["feats"], *(r["id"] for r in self.extra.get("feats", ()))]
                put(Pile.FEATS_UP + number, [f for f in every if f not in (*down, *rotated)], PUBLIC)
                put(Pile.FEATS_DOWN + number, down, PUBLIC)
                put(Pile.FEATS_ROTATED + number, rotated, PUBLIC)
        for number, city in enumerate(self.city):
            for seat in range(2):
                put(Pile.SIDE + 2 * number + seat, city.get(SEATS[seat], ()), PUBLIC)
            if "relic" in city:
                relic, owner = city["relic"]
                put(Pile.RELIC + 2 * number + SEATS.index(owner), [relic], PUBLIC)
        if self.omega:
            self._rows(put)
        return piles

    def _rows(self, put: Any) -> None:
        records = sets.placeholders()["omega"]
        taken = [name for seat in self.seat for key in ("challenges", "whims") for name in seat.get(key, ())]
        taken += [city["relic"][0] for city in self.city if "relic" in city]

        def left(section: str) -> list[str]:
            every = [*records[section], *(record["id"] for record in self.extra.get(section, ()))]
            return [name for name in every if name not in taken]

        challenges = self.options.get("challenges", "none") != "none"
        put(Pile.CHALLENGES if challenges else Pile.OUT, left("challenges"), PUBLIC)
        put(Pile.RELICS if self.options.get("relics") else Pile.OUT, left("relics"), PUBLIC)
        set_up = self.given.get("step") == "setup"
        put(Pile.WHIM_PILE if self.options.get("whims") and set_up else Pile.OUT, left("whims"), 0)

    def counters(self) -> dict[str, Any]:
        """Everything that is no card."""
        given = self.given
        turn, active = given.get("turn", 10), SEATS.index(given.get("active", "A"))
        first = SEATS.index(given["first"]) if "first" in given else active if turn % 2 else 1 - active
        supply = given.get("supply", 25 - sum(self.coins) if self.omega else None)
        razed = sum(1 << number for number, city in enumerate(self.city) if city.get("razed"))
        step = given.get("step", "wealth")
        return {
            "turn": turn, "active": active, "first": first, "supply": supply, "razed": razed,
            "left": list(self.left), "coins": list(self.coins),
            "phase": None if step == "setup" else Phase[step.upper()],
        }  # fmt: skip

    def state(self, game: OmenGame[Any, Any]) -> OmenState:
        """The state of a game made of :meth:`card_sets`."""
        raise NotImplementedError


def options_of(given: Mapping[str, Any]) -> bool:
    """Does a sketch name a Unit with ``!``?"""
    return bool(re.search("!", str(given)))
