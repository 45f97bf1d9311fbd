"""Worked examples of RULES.md, sections 12.3 and 12.4."""

from __future__ import annotations

import pytest

from tests.omen import sets
from tests.omen.scenario import play


@pytest.mark.worked_examples("OMEN", "OMENT", "OMENX")
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("name", sets.scenarios())
def test_worked_example(name: str, single: bool) -> None:
    """With ``single`` every decision is asked."""
    play(sets.scenarios()[name], single=single)
