"""Legal cabales: the picks of rouages and gear after which all cabales can be completed (OLO-CABAL, OLO-GEAR)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from gamepacks.olomoc.constants import Affiliation
from gamepacks.olomoc.ruleset import Ruleset

EMPTY = -1
_CACHED = 1 << 15
"""Maximum number of positions whose legal picks are cached."""


@dataclass(frozen=True, slots=True)
class Cabale:
    """A cabale under construction: rouages by rank 1, 2, 3, and the gear that each carries; -1 for none yet."""

    profiles: tuple[int, int, int] = (EMPTY, EMPTY, EMPTY)
    gear: tuple[int, int, int] = (EMPTY, EMPTY, EMPTY)
    faction: int = EMPTY
    """Only rouages of this faction; -1: whichever fits."""

    def with_profile(self, rank: int, profile: int) -> Cabale:
        """A copy with a rouage of that rank."""
        profiles = list(self.profiles)
        profiles[rank - 1] = profile
        return Cabale((profiles[0], profiles[1], profiles[2]), self.gear, self.faction)

    def with_gear(self, slot: int, gear: int) -> Cabale:
        """A copy with a gear card for the rouage of rank slot + 1."""
        cards = list(self.gear)
        cards[slot] = gear
        return Cabale(self.profiles, (cards[0], cards[1], cards[2]), self.faction)


Cabales = tuple[Cabale, ...]


class Drafter:
    """Finds the legal picks (OLO-GEAR-04). Sets of cards are bit masks; results are cached."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._everybody = sum(1 << profile.index for profile in rules.profiles)
        self._everything = sum(1 << gear.index for gear in rules.gear)
        self._of_rank = [0] * 4
        for profile in rules.profiles:
            self._of_rank[profile.rank] |= 1 << profile.index
        self._of_faction = [
            sum(1 << profile.index for profile in rules.profiles if profile.factions >> number & 1)
            for number in range(len(rules.factions))
        ]
        self._namesakes = [
            sum(1 << other.index for other in rules.profiles if other.name == profile.name)
            for profile in rules.profiles
        ]
        self._gear_namesakes = [
            sum(1 << other.index for other in rules.gear if other.name == gear.name) for gear in rules.gear
        ]
        self._faction_gear = [self._affiliated(Affiliation.FACTION, n) for n in range(len(rules.factions))]
        self._own_gear = [self._affiliated(Affiliation.ROUAGE, n) for n in range(len(rules.profiles))]
        self._ministries = [profile.ministries for profile in rules.profiles]
        self._needs = [gear.affiliated if gear.affiliation == Affiliation.MINISTRY else EMPTY for gear in rules.gear]
        self._ministry_gear = [self._affiliated(Affiliation.MINISTRY, n) for n in range(9)]
        self._carried: dict[tuple[tuple[int, int, int], int], tuple[int, ...]] = {}
        """Cache of the gear that fits each slot of a cabale, without regard to unlocks."""
        self._profile_answers: dict[tuple[Cabales, int, bool], tuple[int, ...]] = {}
        self._gear_answers: dict[tuple[Cabales, int, bool], tuple[tuple[int, int], ...]] = {}

    def legal_profiles(self, cabales: Sequence[Cabale], player: int, shared: bool) -> tuple[int, ...]:
        """The rouages that a player can take, of the ranks it lacks, ascending.

        With ``shared`` (a draft) each card is there once for all cabales, and all must stay completable; without, only
        the player's own counts (OLO-CABAL-03).
        """
        key = (tuple(cabales), player, shared)
        answer = self._profile_answers.get(key)
        if answer is None:
            found = []
            for pick in _bits(self._profile_candidates(cabales, player, shared)):
                rank = self._rules.profiles[pick].rank
                after = (*cabales[:player], cabales[player].with_profile(rank, pick), *cabales[player + 1 :])
                if self.completable(after if shared else (after[player],), shared):
                    found.append(pick)
            answer = tuple(found)
            if len(self._profile_answers) >= _CACHED:
                self._profile_answers.clear()
            self._profile_answers[key] = answer
        return answer

    def legal_gear(self, cabales: Sequence[Cabale], player: int, shared: bool) -> tuple[tuple[int, int], ...]:
        """The gear that a player, whose rouages are all chosen, can take: (gear, slot) pairs, ascending."""
        key = (tuple(cabales), player, shared)
        answer = self._gear_answers.get(key)
        if answer is None:
            answer = tuple(sorted(self._legal_gear(tuple(cabales), player, shared)))
            if len(self._gear_answers) >= _CACHED:
                self._gear_answers.clear()
            self._gear_answers[key] = answer
        return answer

    def completable(self, cabales: Sequence[Cabale], shared: bool) -> bool:
        """Whether all cabales can be completed."""
        if not shared and len(cabales) > 1:
            return all(self.completable((cabale,), False) for cabale in cabales)
        return self._complete(tuple(cabales))

    # -- rouages -------------------------------------------------------------------------------------------------------

    def _affiliated(self, kind: Affiliation, number: int) -> int:
        return sum(1 << g.index for g in self._rules.gear if g.affiliation == kind and g.affiliated == number)

    def factions(self, cabale: Cabale) -> int:
        """The factions, as bits, that all rouages of a cabale have."""
        factions = (1 << len(self._rules.factions)) - 1 if cabale.faction < 0 else 1 << cabale.faction
        for profile in cabale.profiles:
            if profile >= 0:
                factions &= self._rules.profiles[profile].factions
        return factions

    def _profile_candidates(self, cabales: Sequence[Cabale], player: int, shared: bool) -> int:
        cabale = cabales[player]
        mask = 0
        for faction in _bits(self.factions(cabale)):
            mask |= self._of_faction[faction]
        for rank in (1, 2, 3):
            if cabale.profiles[rank - 1] >= 0:
                mask &= ~self._of_rank[rank]
        for number, other in enumerate(cabales):
            for profile in other.profiles:
                if profile >= 0 and (shared or number == player):
                    mask &= ~(self._namesakes[profile] if number == player else 1 << profile)
        if self._rules.exclusive_factions and shared:
            for number, other in enumerate(cabales):
                if number != player and max(other.profiles) >= 0:
                    for faction in _bits(self.factions(other)):
                        mask &= ~self._of_faction[faction]
        return mask

    def _complete(self, cabales: Cabales) -> bool:
        for number, cabale in enumerate(cabales):
            if min(cabale.profiles) < 0:
                rank = cabale.profiles.index(EMPTY) + 1
                for pick in _bits(self._profile_candidates(cabales, number, True) & self._of_rank[rank]):
                    if self._complete((*cabales[:number], cabale.with_profile(rank, pick), *cabales[number + 1 :])):
                        return True
                return False
        return self._gear_completes(cabales)

    # -- gear ----------------------------------------------------------------------------------------------------------

    def _legal_gear(self, cabales: Cabales, player: int, shared: bool) -> Iterator[tuple[int, int]]:
        cabale = cabales[player]
        left = self._everything
        for number, other in enumerate(cabales):
            for gear in other.gear:
                if gear >= 0 and (shared or number == player):
                    left &= ~(self._gear_namesakes[gear] if number == player else 1 << gear)
        for slot in range(3):
            if cabale.gear[slot] < 0:
                for pick in _bits(self._candidates(cabale, slot, left)):
                    after = cabale.with_gear(slot, pick)
                    if self._unlocks(after):
                        all_after = (*cabales[:player], after, *cabales[player + 1 :]) if shared else (after,)
                        if self._gear_completes(all_after):
                            yield pick, slot

    def _candidates(self, cabale: Cabale, slot: int, left: int) -> int:
        """The gear among ``left`` that could be carried in a slot, without regard to unlocks."""
        key = cabale.profiles, cabale.faction
        carried = self._carried.get(key)
        if carried is None:
            mask = 0
            for faction in _bits(self.factions(cabale)):
                mask |= self._faction_gear[faction]
            for profile in cabale.profiles:
                for ministry in _bits(self._ministries[profile]):
                    mask |= self._ministry_gear[ministry]
            carried = self._carried[key] = tuple(mask | self._own_gear[profile] for profile in cabale.profiles)
        return carried[slot] & left

    def _unlocks(self, cabale: Cabale) -> bool:
        """Whether each ministry that is needed can be taken from a rouage of its own (OLO-GEAR-03)."""
        needed = [self._needs[gear] for gear in cabale.gear if gear >= 0 and self._needs[gear] >= 0]
        if not needed:
            return True
        return _matched(tuple(needed), tuple([self._ministries[profile] for profile in cabale.profiles]))

    def _gear_completes(self, cabales: Cabales) -> bool:
        left = self._everything
        for cabale in cabales:
            for gear in cabale.gear:
                if gear >= 0:
                    left &= ~(1 << gear)
        return self._equip(cabales, left, set())

    def _equip(self, cabales: Cabales, left: int, failed: set[tuple[Cabales, int]]) -> bool:
        for number, cabale in enumerate(cabales):
            if min(cabale.gear) >= 0:
                continue
            if failed and (cabales, left) in failed:
                return False
            slot = cabale.gear.index(EMPTY)
            candidates = self._candidates(cabale, slot, left)
            for gear in cabale.gear:
                if gear >= 0:
                    candidates &= ~self._gear_namesakes[gear]
            # Try the gear that nobody else can use first: then the first attempt nearly always succeeds.
            own = candidates & self._own_gear[cabale.profiles[slot]]
            for pick in chain(_bits(own), _bits(candidates & ~own)):
                after = cabale.with_gear(slot, pick)
                if self._unlocks(after):
                    rest = (*cabales[:number], after, *cabales[number + 1 :])
                    if self._equip(rest, left & ~(1 << pick), failed):
                        return True
            failed.add((cabales, left))
            return False
        return True


def matched(needed: Sequence[int], ministries: Sequence[int]) -> bool:
    """Whether each needed ministry can be taken from a rouage of its own; ``ministries``: those of each, as bits."""
    if not needed:
        return True
    for place, bits in enumerate(ministries):
        if bits >> needed[0] & 1 and matched(needed[1:], [*ministries[:place], *ministries[place + 1 :]]):
            return True
    return False


@lru_cache(maxsize=4096)
def _matched(needed: tuple[int, ...], ministries: tuple[int, ...]) -> bool:
    return matched(needed, ministries)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
