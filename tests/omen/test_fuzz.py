"""A sample of the random card sets of tools/omen_fuzz.py: every set that the loader accepts can be played."""

from __future__ import annotations

import pytest

from tools.omen_fuzz import game_of, play

SETS = 24


@pytest.mark.parametrize("number", range(SETS))
@pytest.mark.rule("OMENX-LOOP-01")
@pytest.mark.rule("OMENX-LOOP-03")
def test_random_card_set(number: int) -> None:
    """No hang, no crash, no broken invariant; positions, views, resampling and events hold at many points."""
    assert play(game_of(number), number, deep=60) > 0
