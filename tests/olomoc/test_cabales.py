"""Legal combinations of rouages and gear in a cabale (section 3.11 of RULES.md), tested on the drafter alone."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations

import pytest

from gamepacks.olomoc.cabales import Cabale, Drafter
from gamepacks.olomoc.cards import SOURCE, compile_rules
from gamepacks.olomoc.constants import Affiliation
from gamepacks.olomoc.ruleset import Ruleset
from tests.olomoc.cardsets import changed, put


@cache
def rules(name: str = "fixture") -> Ruleset:
    return compile_rules(changed().data if name == "fixture" else SOURCE.own.pick(name).data)


def profile(name: str, of: Ruleset | None = None) -> int:
    return next(card.index for card in (of or rules()).profiles if card.id == name)


def gear(name: str, of: Ruleset | None = None) -> int:
    return next(card.index for card in (of or rules()).gear if card.id == name)


def cabale(*names: str, carrying: tuple[str, ...] = ()) -> Cabale:
    built = Cabale()
    for name in names:
        number = profile(name)
        built = built.with_profile(rules().profiles[number].rank, number)
    for slot, name in enumerate(carrying):
        if name:
            built = built.with_gear(slot, gear(name))
    return built


def fits(built: Cabale, name: str, slot: int) -> bool:
    return (gear(name), slot) in Drafter(rules()).legal_gear([built, Cabale()], 0, False)


@pytest.mark.rule("OLO-CABAL-02", "OLO-COMP-02")
def test_cabale_has_one_faction_and_one_rouage_of_each_rank() -> None:
    drafter = Drafter(rules())
    assert len(drafter.legal_profiles([Cabale(), Cabale()], 0, False)) == len(rules().profiles)
    after = drafter.legal_profiles([cabale("fx-petra"), Cabale()], 0, False)
    assert after
    for number in after:
        card = rules().profiles[number]
        assert card.rank in (1, 2)
        assert card.factions & rules().profiles[profile("fx-petra")].factions


@pytest.mark.rule("OLO-CABAL-02")
def test_a_cabale_has_no_two_rouages_of_one_name() -> None:
    twins = compile_rules(changed(put("profiles", "fx-hynek", "name", "Kubik Oktobar")).data)
    picked = Cabale().with_profile(1, profile("fx-kubik", twins))
    assert profile("fx-hynek", twins) not in Drafter(twins).legal_profiles([picked], 0, False)
    double = compile_rules(changed(put("gear", "band-2", "name", "Band one")).data)
    built = cabale("fx-kubik", "fx-dominik", "fx-petra", carrying=("band-1",))
    offered = {number for number, _ in Drafter(double).legal_gear([built], 0, False)}
    assert gear("band-2") not in offered
    assert gear("band-3") in offered


@pytest.mark.rule("OLO-CABAL-03")
def test_a_draft_has_each_card_once() -> None:
    drafter = Drafter(rules())
    ours = cabale("fx-petra")
    assert profile("fx-petra") not in drafter.legal_profiles([ours, Cabale()], 1, True)
    assert profile("fx-petra") in drafter.legal_profiles([ours, Cabale()], 1, False)
    full = cabale("fx-kubik", "fx-dominik", "fx-petra", carrying=("band-1",))
    other = cabale("fx-lida", "fx-hynek", "fx-ota")
    assert (gear("band-1"), 0) not in drafter.legal_gear([full, other], 1, True)
    assert (gear("band-1"), 0) in drafter.legal_gear([full, other], 1, False)


@pytest.mark.rule("OLO-GEAR-01", "OLO-GEAR-02")
def test_gear_example_of_the_rulebook() -> None:
    """W09: a rouage unlocks one card of its ministry, for any carrier."""
    ours = cabale("fx-kubik", "fx-dominik", "fx-petra")
    assert all(fits(ours, "disrupteur-quantique", slot) for slot in range(3))
    carried = cabale("fx-kubik", "fx-dominik", "fx-petra", carrying=("", "", "disrupteur-quantique"))
    assert not fits(carried, "gauge", 0), "Kubik's unlock is used, nobody else has Progrès"
    assert fits(carried, "shield", 0), "Pétra unlocks it"
    assert fits(carried, "band-1", 0), "of the faction: no unlock"
    assert not fits(ours, "locket", 0), "of Pétra: she carries it herself"
    assert fits(ours, "locket", 2)


@pytest.mark.rule("OLO-GEAR-03")
def test_unlocks_are_matched() -> None:
    """W09: with a rouage of Progrès and Effort two Progrès cards and one Sécurité card can be matched."""
    with_pair = cabale("fx-kubik", "fx-pair", "fx-petra", carrying=("disrupteur-quantique",))
    assert fits(with_pair, "gauge", 1)
    both = cabale("fx-kubik", "fx-pair", "fx-petra", carrying=("disrupteur-quantique", "gauge"))
    assert fits(both, "shield", 2)


@pytest.mark.rule("OLO-GEAR-04")
def test_no_pick_makes_completion_impossible() -> None:
    few = compile_rules(
        changed(
            put("", "", "exclusive_factions", True),
            *(put("gear", f"cord-{n}", "affiliation", {"ministry": "frange"}) for n in (4, 5, 6)),
        ).data
    )
    ours = Cabale((profile("gy-one", few), profile("gy-two", few), profile("gy-three", few)))
    theirs = Cabale((profile("gy-four", few), profile("gy-five", few), profile("gy-six", few)))
    drafter = Drafter(few)
    # cord-1 to 3 and the shield: four cards for six rouages.
    assert drafter.legal_gear([ours, theirs], 1, True) == ()
    assert drafter.legal_gear([ours, theirs], 1, False)
    assert drafter.completable([ours], False)


@pytest.mark.rule("OLO-GEAR-03", "OLO-GEAR-04")
@pytest.mark.parametrize("name", ["fixture", "house-1"])
def test_drafts_end_in_legal_cabales(name: str) -> None:
    there, rng = rules(name), random.Random(5)
    drafter = Drafter(there)
    for _ in range(20):
        built = [Cabale(), Cabale()]
        for turn in range(6):
            pick = rng.choice(drafter.legal_profiles(built, turn % 2, True))
            built[turn % 2] = built[turn % 2].with_profile(there.profiles[pick].rank, pick)
        for turn in range(6):
            card, slot = rng.choice(drafter.legal_gear(built, 1 - turn % 2, True))
            built[1 - turn % 2] = built[1 - turn % 2].with_gear(slot, card)
        taken = [number for one in built for number in one.profiles]
        carried = [number for one in built for number in one.gear]
        assert len(set(taken)) == len(set(carried)) == 6
        for one in built:
            assert [there.profiles[number].rank for number in one.profiles] == [1, 2, 3]
            assert drafter.factions(one)
            assert _by_brute_force(there, drafter, one)


def _by_brute_force(there: Ruleset, drafter: Drafter, built: Cabale) -> bool:
    """OLO-GEAR-01 word by word: some way to unlock each card, every rouage used once."""
    cards = [there.gear[number] for number in built.gear]
    for unlockers in permutations(range(3)):
        if all(
            (card.affiliation == Affiliation.FACTION and drafter.factions(built) >> card.affiliated & 1)
            or (card.affiliation == Affiliation.ROUAGE and built.profiles[slot] == card.affiliated)
            or (
                card.affiliation == Affiliation.MINISTRY
                and there.profiles[built.profiles[unlockers[slot]]].ministries >> card.affiliated & 1
            )
            for slot, card in enumerate(cards)
        ):
            return True
    return False
