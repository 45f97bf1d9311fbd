"""Resampling zones against an oracle that enumerates every world a viewer holds possible."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cext.knowledge import MAX_REGIONS, Knowledge
from cext.random import Rng
from gamepacks.api.types import OMNISCIENT, Viewer
from gamepacks.api.zones import Deck, Layout, Pile, Zones
from tests.support.scenario import ALL_STEPS, DECK, DISCARD, EXACT_STEPS, HANDS, VIEWERS, Scenario

scenarios = st.tuples(
    st.integers(0, 2**32),
    st.sampled_from(VIEWERS),
    st.lists(st.sampled_from(ALL_STEPS), max_size=14),
    st.sampled_from([[0, 1, 2, 3, 4, 5, 6], [0, 0, 1, 1, 2, 2, 2], [3]]),
)


@settings(max_examples=150, deadline=None)
@given(scenarios)
def test_resampled_zones_are_indistinguishable_to_the_viewer(
    case: tuple[int, Viewer, list[str], list[int]],
) -> None:
    seed, viewer, steps, kinds = case
    scenario = Scenario(seed, kinds, viewer, oracle=False)
    for step in steps:
        scenario.take(step)
    zones, rng = scenario.zones, Rng(seed)
    before = zones.dump()
    for _ in range(5):
        other = zones.resample(viewer, rng)
        for zone in range(4):
            assert other.kinds(zone, viewer) == zones.kinds(zone, viewer)
            assert other.size(zone) == zones.size(zone)
        # Loading checks that every kind is there as often as before and every item where it can be.
        assert Zones.load(scenario.layout, other.dump()) == other
    assert zones.dump() == before
    assert zones.resample(OMNISCIENT, rng) == zones


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kinds", [[0, 1, 2, 3], [0, 0, 1, 2]], ids=["unique", "doubles"])
def test_no_possible_world_is_left_out(kinds: list[int], viewer: Viewer) -> None:
    for seed in range(12):
        scenario = Scenario(seed, kinds, viewer)
        for _ in range(10):
            scenario.take(scenario.random.choice(ALL_STEPS))
        possible = scenario.worlds.arrangements(*scenario.ends())
        assert scenario.arrangement(scenario.zones) in possible
        rng = Rng(seed)
        missing = set(possible)
        for _ in range(4000):
            if not missing:
                break
            missing.discard(scenario.arrangement(scenario.zones.resample(viewer, rng)))
        assert not missing, seed


@pytest.mark.parametrize("viewer", VIEWERS)
def test_odds_equal_the_oracle(viewer: Viewer) -> None:
    draws = 1500
    for seed in range(15):
        scenario = Scenario(seed, [0, 1, 2, 3], viewer)
        for _ in range(9):
            scenario.take(scenario.random.choice(EXACT_STEPS))
        possible = scenario.worlds.arrangements(*scenario.ends())
        rng = Rng(seed)
        found = Counter(scenario.arrangement(scenario.zones.resample(viewer, rng)) for _ in range(draws))
        assert set(found) <= set(possible), seed
        for world, chance in possible.items():
            expected = draws * float(chance)
            # Five standard deviations: the seeds are fixed, so this cannot flicker, and a bias of a few percent fails.
            assert abs(found[world] - expected) < 5 * (expected * (1 - float(chance))) ** 0.5 + 1, (seed, world)


def table(kinds: list[int]) -> Zones:
    layout = Layout(2, [Deck("deck", start=Counter(kinds)), Pile("hand/0"), Pile("hand/1"), Pile("discard")])
    return Zones(layout)


def possible(zones: Zones, pile: int, viewer: int) -> set[tuple[int, ...]]:
    """Returns the contents of a pile that are possible for a viewer."""
    rng = Rng(1)
    return {tuple(zones.resample(Viewer(viewer), rng).kinds(pile)) for _ in range(300)}


def test_a_card_seen_going_into_the_deck_is_not_in_a_hand_drawn_before() -> None:
    zones = table([0, 1, 2, 3])
    everyone = zones.layout.everyone
    zones.draw(DECK, HANDS[1], 0b010, 0)
    zones.draw(DECK, DISCARD, everyone, 3)
    zones.move(DISCARD, DECK, everyone, kind=3)
    zones.shuffle(DECK)
    assert possible(zones, HANDS[1], 0) == {(0,), (1,), (2,)}
    zones.draw(DECK, HANDS[1], 0b010, 3)
    # Now it may be in the hand; the card drawn before is still none.
    assert possible(zones, HANDS[1], 0) == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}


def test_a_card_known_in_a_hand_is_in_doubt_once_one_leaves_unseen() -> None:
    zones = table([0, 1, 2, 3])
    zones.draw(DECK, HANDS[1], zones.layout.everyone, 2)
    zones.draw(DECK, HANDS[1], 0b010, 3)
    assert zones.kinds(HANDS[1], Viewer(0)) == [-1, 2]
    zones.move(HANDS[1], DISCARD, 0b010, kind=3)
    assert zones.kinds(HANDS[1], Viewer(0)) == [-1]
    assert zones.kinds(HANDS[1], Viewer(1)) == [2]
    # It is in the hand or was discarded, and is not in the deck.
    assert possible(zones, DECK, 0) and all(
        2 in zones.resample(Viewer(0), Rng(seed)).kinds(HANDS[1])
        or 2 in zones.resample(Viewer(0), Rng(seed)).kinds(DISCARD)
        for seed in range(100)
    )


def test_a_hand_known_to_be_of_one_kind_stays_known() -> None:
    zones = table([2, 2, 2, 3])
    zones.draw(DECK, HANDS[1], zones.layout.everyone, 2)
    zones.draw(DECK, HANDS[1], zones.layout.everyone, 2)
    zones.move(HANDS[1], DISCARD, 0b010, kind=2)
    assert zones.kinds(HANDS[1], Viewer(0)) == [2]
    assert zones.kinds(DISCARD, Viewer(0)) == [2]


def test_when_the_whole_family_is_shuffled_all_histories_end() -> None:
    zones = table([0, 1, 2])
    fresh = zones.dump()
    zones.draw(DECK, HANDS[0], 0b001, 1)
    zones.move(HANDS[0], DECK, 0b001, kind=1)
    zones.shuffle(DECK)
    assert zones.dump() == fresh


def test_old_regions_are_forgotten_and_the_rest_goes_on() -> None:
    zones = table([0, 1, 2, 3, 4])
    everyone = zones.layout.everyone
    zones.draw(DECK, HANDS[1], 0b010, 4)
    random = Random(3)
    for _ in range(3 * MAX_REGIONS):
        kind = Rng(random.getrandbits(32)).weighted(zones.outcomes(DECK))
        zones.draw(DECK, DISCARD, everyone, kind)
        zones.move(DISCARD, DECK, everyone, kind=kind)
        zones.shuffle(DECK)
        assert zones.knowledge.regions <= MAX_REGIONS
        assert Zones.load(zones.layout, zones.dump()) == zones
    # All four others have been seen and gone back since, so the hand is known by elimination.
    assert possible(zones, HANDS[1], 0) == {(4,)}


def test_worlds_that_no_exchange_of_two_cards_joins_are_all_dealt() -> None:
    """Three cards, each lost sight of in another region, and three places that each have been part of two of them."""
    layout = Layout(2, [Pile("row", ordered=True, start={0: 1, 1: 1, 2: 1})])
    zones = Zones(layout)
    entries = [(kind, 0b110, kind + 1, history) for kind, history in enumerate((0b101, 0b011, 0b110))]
    zones.knowledge = Knowledge(3, entries, regions=3)
    rng, draws = Rng(3), 400
    found = Counter(tuple(zones.resample(Viewer(0), rng).kinds(0)) for _ in range(draws))
    assert set(found) == {(0, 1, 2), (2, 0, 1)}
    assert all(abs(count - draws / 2) < 5 * (draws / 4) ** 0.5 for count in found.values())


@settings(max_examples=100, deadline=None)
@given(scenarios)
def test_resampling_does_not_depend_on_the_true_state(case: tuple[int, Viewer, list[str], list[int]]) -> None:
    """Zones that a viewer cannot tell apart are dealt the same with the same generator, restored ones too."""
    seed, viewer, steps, kinds = case
    scenario = Scenario(seed, kinds, viewer, oracle=False)
    for step in steps:
        scenario.take(step)
    zones, rng = scenario.zones, Rng(seed)
    for number in range(5):
        twin = zones.resample(viewer, rng)
        dealt = [
            scenario.arrangement(one.resample(viewer, Rng(number)))
            for one in (zones, twin, Zones.load(scenario.layout, twin.dump()))
        ]
        assert dealt[0] == dealt[1] == dealt[2]


def test_an_item_that_fits_nowhere_is_an_error() -> None:
    zones = table([0, 1])
    zones.knowledge = Knowledge(3, [(0, 0, 1, 0), (1, 0, 0, 0)], regions=1)
    with pytest.raises(ValueError, match="has no place where it can be"):
        zones.resample(Viewer(0), Rng(1))
