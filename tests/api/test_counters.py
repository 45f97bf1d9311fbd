"""Counters with the viewers who know them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamepacks.api import OMNISCIENT, SPECTATOR, Counters, InvalidPosition, Rng, Viewer

PLAYERS = 3
EVERYONE = 0b1111
VIEWERS = [Viewer(0), Viewer(1), Viewer(2), SPECTATOR]


@st.composite
def counters(draw: st.DrawFn) -> Counters:
    made = Counters(PLAYERS, 4)
    for counter in range(4):
        low = draw(st.integers(-50, 50))
        high = low + draw(st.integers(0, 5))
        made.hide(counter, draw(st.integers(low, high)), draw(st.integers(0, EVERYONE)), low, high)
    return made


@given(counters(), st.sampled_from(VIEWERS), st.integers(0, 2**32))
def test_resampling_keeps_what_the_viewer_knows(made: Counters, viewer: Viewer, seed: int) -> None:
    before = made.dump()
    other = made.resample(viewer, Rng(seed))
    for counter in range(len(made)):
        assert other.get(counter, viewer) == made.get(counter, viewer)
        assert other.span(counter) == made.span(counter)
        low, high = other.span(counter)
        value = other.get(counter)
        assert value is not None
        assert low <= value <= high
    assert made.dump() == before


def test_resampling_draws_every_value_of_the_range_alike() -> None:
    made = Counters(PLAYERS, 1)
    made.hide(0, 4, 0b001, 3, 6)
    rng = Rng(5)
    seen = [made.resample(Viewer(1), rng).get(0) for _ in range(4000)]
    assert sorted(set(seen)) == [3, 4, 5, 6]  # type: ignore[type-var]
    assert all(850 < seen.count(value) < 1150 for value in (3, 4, 5, 6))
    assert {made.resample(Viewer(0), rng).get(0) for _ in range(50)} == {4}
    assert {made.resample(OMNISCIENT, rng).get(0) for _ in range(50)} == {4}


def test_only_those_of_the_mask_see_a_value() -> None:
    made = Counters(PLAYERS, 2)
    made.hide(0, 4, 0b010, 0, 9)
    assert [made.get(0, viewer) for viewer in VIEWERS] == [None, 4, None, None]
    assert made.get(0) == 4
    made.reveal(0, 0b001)
    assert [made.get(0, viewer) for viewer in VIEWERS] == [4, 4, None, None]
    assert made.span(0) == (0, 9)
    made.reveal(0, EVERYONE)
    assert [made.get(0, viewer) for viewer in VIEWERS] == [4] * 4
    assert made.span(0) == (4, 4)
    made.publish(1, -3)
    assert made.get(1, SPECTATOR) == -3


@given(counters())
def test_numbers_and_clones_are_faithful(made: Counters) -> None:
    loaded = Counters.load(PLAYERS, 4, made.dump())
    assert loaded == made
    clone = made.clone()
    clone.publish(0, 99)
    assert loaded == made
    assert clone != made


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ([0, 15, 0], "counters"),
        ([5, 15, 0, 4], "counters[0]"),
        ([0, 16, 0, 0], "counters[1]"),
        ([0, -1, 0, 0], "counters[1]"),
        ([2**40, 15, 0, 2**41], "counters[0]"),
    ],
)
def test_impossible_numbers_are_refused_by_field(numbers: list[int], field: str) -> None:
    with pytest.raises(InvalidPosition) as refused:
        Counters.load(PLAYERS, 1, numbers)
    assert [fault.field for fault in refused.value.faults] == [field]


def test_a_value_out_of_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="7 is not from 0 to 6"):
        Counters(PLAYERS, 1).hide(0, 7, 0, 0, 6)
