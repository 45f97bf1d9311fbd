"""Zones: their items, the viewers who know them, and the errors of impossible operations."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cext.random import Rng
from gamepacks.api.errors import InvalidPosition
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Seat, Viewer
from gamepacks.api.zones import UNKNOWN, Deck, Layout, Pile, Zones
from tests.support.scenario import ALL_STEPS, DECK, HANDS, VIEWERS, Scenario

LAYOUT = Layout(
    2,
    [
        Deck("deck", start={1: 2, 5: 1}),
        Pile("hand", owner=Seat(0)),
        Pile("row", ordered=True, start={7: 1, 8: 1}),
        Deck("bag", family="tokens", start={0: 4}),
        Pile("pool", family="tokens"),
    ],
)
DECK_, HAND, ROW, BAG, POOL = range(5)
EVERYONE = LAYOUT.everyone


def kinds_of_all(zones: Zones) -> Counter[int]:
    return Counter(
        zones.kind(item) for zone in range(len(zones.layout.zones)) for part in zones.lists(zone) for item in part
    )


def test_a_layout_knows_zones_families_and_masks() -> None:
    assert LAYOUT["row"] == ROW
    assert LAYOUT.families == {"cards": (DECK_, HAND, ROW), "tokens": (BAG, POOL)}
    assert LAYOUT.contents == {"cards": {1: 2, 5: 1, 7: 1, 8: 1}, "tokens": {0: 4}}
    assert LAYOUT.everyone == 0b111
    assert LAYOUT.mask(Seat(1), SPECTATOR) == 0b110
    with pytest.raises(ValueError, match="no viewer 2"):
        LAYOUT.mask(Seat(2))
    with pytest.raises(ValueError, match="no viewer -2"):
        LAYOUT.place(OMNISCIENT)


def test_a_layout_refuses_doubled_names_and_negative_kinds() -> None:
    with pytest.raises(ValueError, match="same name"):
        Layout(2, [Deck("a"), Pile("a")])
    with pytest.raises(ValueError, match="from 0"):
        Layout(2, [Deck("a", start={-1: 2})])


def test_the_start_is_what_the_layout_says() -> None:
    zones = Zones(LAYOUT)
    assert zones.kinds(DECK_) == [UNKNOWN] * 3
    assert zones.outcomes(DECK_) == [(1, 2), (5, 1)]
    assert zones.next_kind(DECK_) is None
    assert zones.kinds(ROW, SPECTATOR) == [7, 8]
    assert zones.kinds(HAND) == []


def test_a_draw_shows_the_card_to_those_who_see_it_only() -> None:
    zones = Zones(LAYOUT)
    assert zones.draw(DECK_, HAND, LAYOUT.mask(Seat(0)), 5) == 5
    assert [zones.kinds(HAND, viewer) for viewer in (*VIEWERS, OMNISCIENT)] == [[5], [UNKNOWN], [UNKNOWN], [5]]
    assert zones.outcomes(DECK_) == [(1, 2)]
    zones.reveal(HAND, LAYOUT.mask(Seat(1)), kind=5)
    assert [zones.kinds(HAND, viewer) for viewer in VIEWERS] == [[5], [5], [UNKNOWN]]


def test_the_owner_of_a_pile_sees_what_enters_and_leaves_it() -> None:
    layout = Layout(
        2, [Deck("deck", start={1: 1, 5: 1}), *(Pile(f"hand/{s}", owner=Seat(s)) for s in (0, 1)), Pile("away")]
    )
    deck, mine, yours, away = range(4)
    zones = Zones(layout)
    zones.draw(deck, mine, 0, 5)
    zones.draw(deck, mine, 0, 1)
    assert [zones.kinds(mine, viewer) for viewer in VIEWERS] == [[1, 5], [UNKNOWN] * 2, [UNKNOWN] * 2]
    zones.move(mine, yours, 0, kind=5)
    assert [zones.kinds(yours, viewer) for viewer in VIEWERS] == [[5], [5], [UNKNOWN]]
    zones.move(mine, away, 0, kind=1)
    assert [zones.kinds(away, viewer) for viewer in VIEWERS] == [[1], [UNKNOWN], [UNKNOWN]]


def test_cards_on_the_ends_of_a_deck_keep_their_place_until_it_is_shuffled() -> None:
    zones = Zones(LAYOUT)
    mine = LAYOUT.mask(Seat(0))
    zones.draw(DECK_, HAND, mine, 5)
    zones.move(HAND, DECK_, mine, kind=5, bottom=True)
    zones.peek(DECK_, 1, mine)
    assert zones.kinds(DECK_, Viewer(0)) == [1, UNKNOWN, 5]
    assert zones.kinds(DECK_, Viewer(1)) == [UNKNOWN] * 3
    assert zones.next_kind(DECK_) == 1
    assert zones.next_kind(DECK_, bottom=True) == 5
    assert zones.draw(DECK_, HAND, mine) == 1
    assert zones.next_kind(DECK_) is None
    zones.draw(DECK_, HAND, mine, 1)
    # Nothing undecided is left, so the card at the bottom is the next.
    assert zones.next_kind(DECK_) == 5
    zones.move(HAND, DECK_, mine, kind=1)
    zones.shuffle(DECK_)
    assert zones.kinds(DECK_, Viewer(0)) == [UNKNOWN] * 2
    assert zones.outcomes(DECK_) == [(1, 1), (5, 1)]


def test_an_ordered_pile_keeps_its_order_and_its_secrets() -> None:
    zones = Zones(LAYOUT)
    zones.draw(DECK_, ROW, 0, 5)
    assert zones.kinds(ROW) == [5, 7, 8]
    assert zones.kinds(ROW, Viewer(0)) == [UNKNOWN, 7, 8]
    zones.move(ROW, ROW, 0, index=0, bottom=True)
    assert zones.kinds(ROW, SPECTATOR) == [7, 8, UNKNOWN]
    zones.reveal(ROW, EVERYONE, index=2)
    assert zones.kinds(ROW, SPECTATOR) == [7, 8, 5]
    assert zones.move(ROW, HAND, EVERYONE, index=0) == 7
    assert zones.kinds(HAND) == [7]


def test_revealing_a_zone_shows_all_of_it() -> None:
    zones = Zones(LAYOUT)
    zones.draw(DECK_, HAND, 0, 5)
    zones.draw(DECK_, HAND, 0, 1)
    zones.reveal(HAND, EVERYONE)
    assert zones.kinds(HAND, SPECTATOR) == [1, 5]


def test_a_random_pick_from_a_hand_has_weights() -> None:
    zones = Zones(LAYOUT)
    for kind in (1, 5, 1):
        zones.draw(DECK_, HAND, 0b001, kind)
    assert zones.outcomes(HAND) == [(1, 2), (5, 1)]


def test_searcher_of_a_deck_knows_what_other_hands_hold() -> None:
    zones = Zones(LAYOUT)
    zones.draw(DECK_, HAND, 0b010, 5)
    zones.search(DECK_, 0b001)
    assert zones.kinds(DECK_, Viewer(0)) == [UNKNOWN] * 2
    # Both cards of kind 1 are in the deck, so seat 0 knows what seat 1 holds, though it has not seen it.
    assert {tuple(zones.resample(Viewer(0), Rng(seed)).kinds(HAND)) for seed in range(50)} == {(5,)}
    assert {tuple(zones.resample(SPECTATOR, Rng(seed)).kinds(HAND)) for seed in range(50)} == {(5,), (1,)}


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda z: z.draw(DECK_, HAND, 0), "for chance to decide"),
        (lambda z: z.draw(DECK_, HAND, 0, 9), "no unseen item of kind 9"),
        (lambda z: z.draw(DECK_, POOL, 0, 1), "cards of deck do not go to pool"),
        (lambda z: z.move(HAND, ROW, 0, kind=1), "no item of kind 1"),
        (lambda z: z.move(HAND, ROW, 0), "no item of kind None"),
        (lambda z: z.move(ROW, HAND, 0, index=2), "no item 2"),
        (lambda z: z.move(ROW, HAND, 0, index=-1), "no item -1"),
        (lambda z: z.move(ROW, HAND, 0, kind=7), "no item None"),
        (lambda z: z.move(POOL, HAND, 0, kind=0), "do not go to hand"),
        (lambda z: z.reveal(HAND, 0, kind=3), "no item of kind 3"),
        (lambda z: z.reveal(DECK_, 0, index=0), "no item 0"),
        (lambda z: z.peek(DECK_, 7, 0), "no unseen item of kind 7"),
        (lambda z: z.outcomes(ROW), "nothing in it is random"),
    ],
)
def test_invalid_operations_are_refused_and_change_nothing(what, message: str) -> None:  # type: ignore[no-untyped-def]
    zones = Zones(LAYOUT)
    before = zones.dump()
    with pytest.raises(ValueError, match=message):
        what(zones)
    assert zones.dump() == before


def test_an_empty_deck_has_no_next_card() -> None:
    zones = Zones(LAYOUT)
    for kind in (1, 1, 5):
        zones.draw(DECK_, HAND, 0, kind)
    with pytest.raises(ValueError, match="deck is empty"):
        zones.next_kind(DECK_)
    with pytest.raises(ValueError, match="deck is empty"):
        zones.draw(DECK_, HAND, 0)


def test_decided_card_cannot_be_changed() -> None:
    zones = Zones(LAYOUT)
    zones.peek(DECK_, 5, 0b001)
    with pytest.raises(ValueError, match="gives 5, not 1"):
        zones.draw(DECK_, HAND, 0, 1)


steps = st.lists(st.sampled_from(ALL_STEPS), max_size=20)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), steps)
def test_random_operations_keep_items_and_knowledge_consistent(seed: int, names: list[str]) -> None:
    scenario = Scenario(seed, [0, 0, 1, 2], SPECTATOR, oracle=False)
    for name in names:
        scenario.take(name)
        zones = scenario.zones
        assert kinds_of_all(zones) == Counter([0, 0, 1, 2])
        for zone in range(4):
            truth = zones.kinds(zone)
            for viewer in VIEWERS:
                seen = zones.kinds(zone, viewer)
                assert len(seen) == len(truth) == zones.size(zone)
                assert not Counter(k for k in seen if k != UNKNOWN) - Counter(truth)
        # A seat always knows its own hand.
        for seat, hand in enumerate(HANDS):
            assert zones.kinds(hand, Viewer(seat)) == zones.kinds(hand)
        # The part of a deck that is undecided is what chance decides.
        if zones.unseen[DECK]:
            assert sum(weight for _, weight in zones.outcomes(DECK)) == len(zones.unseen[DECK])


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), steps, st.sampled_from(ALL_STEPS))
def test_clone_is_equal_and_independent(seed: int, names: list[str], next_step: str) -> None:
    scenario = Scenario(seed, [0, 0, 1, 2], SPECTATOR, oracle=False)
    for name in names:
        scenario.take(name)
    clone, before = scenario.zones.clone(), scenario.zones.dump()
    assert clone == scenario.zones
    scenario.take(next_step)
    scenario.take("draw")
    assert clone.dump() == before


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), steps, st.data())
def test_serialised_numbers_round_trip_and_invalid_ones_are_refused(
    seed: int, names: list[str], data: st.DataObject
) -> None:
    scenario = Scenario(seed, [0, 0, 1, 2], SPECTATOR, oracle=False)
    for name in names:
        scenario.take(name)
    numbers = scenario.zones.dump()
    assert all(-(2**63) <= number < 2**63 for number in numbers)
    assert Zones.load(scenario.layout, numbers) == scenario.zones
    at = data.draw(st.integers(0, len(numbers) - 1))
    wrong = data.draw(
        st.sampled_from(
            [
                numbers[:at],
                [*numbers, 0],
                [*numbers[:at], numbers[at] + data.draw(st.sampled_from([-1, 1, 2**62])), *numbers[at + 1 :]],
            ]
        )
    )
    try:
        zones = Zones.load(scenario.layout, wrong, "the_field")
    except InvalidPosition as refused:
        assert [fault.field for fault in refused.faults] == ["the_field"]
    else:
        # What is accepted is sound: it says the same again, and nothing is lost in it.
        assert Zones.load(scenario.layout, zones.dump()) == zones
        assert kinds_of_all(zones) == Counter([0, 0, 1, 2])


def test_equal_zones_have_equal_numbers_whatever_led_to_them() -> None:
    one, other = Zones(LAYOUT), Zones(LAYOUT)
    for kind in (1, 5):
        one.draw(DECK_, HAND, 0b001, kind)
    for kind in (5, 1):
        other.draw(DECK_, HAND, 0b001, kind)
    assert one == other
    assert one != Zones(LAYOUT)
    assert one != "zones"
