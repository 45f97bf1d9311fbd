"""TRIUMPH is checked after every action (OMENT-TRIUMPH-03)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.omen.scenario import Scenario, scenario

Data = dict[str, Any]


def waiting(step: str, cond: Data, given: Data) -> Scenario:
    """A scenario with a Unit of A that triumphs in a step when a condition holds."""
    unit = {
        "id": "wait", "name": "wait", "cost": 0, "offering": 0, "strength": 1, "traits": ["TRIUMPH"],
        "abilities": [{"hook": "triumph", "step": [step], "cond": cond}],
    }  # fmt: skip
    return scenario({"step": step, "c1": {"A": ["wait"]}, **given}, edition="traits", extra={"units": [unit]})


@pytest.mark.rule("OMENT-TRIUMPH-03")
def test_triumph_after_a_wealth_action() -> None:
    found = waiting("wealth", {"cmp": [{"coins": "you"}, "ge", 3]}, {"A": {"coins": 1, "hand": ["z01"]}})
    found.play("A WEALTH coin")
    found.check(A__area=[], c1__A=["wait"])
    found.play("A WEALTH coin")
    assert found.decision() == "A WEALTH", "an action is left, and it is looked for before"
    found.check(A__area=["wait"], c1__A=[])


@pytest.mark.rule("OMENT-TRIUMPH-03")
@pytest.mark.parametrize(
    ("cond", "card", "answers"),
    [
        ({"exists": {"zone": "discard", "trait": ["FATE"]}}, "ufaa", ["A CARD draw"]),
        ({"happened": {"type": "draw", "who": "you"}, "op": "ge", "n": 2}, "urec", ["A CARD u1b"]),
        ({"cmp": [{"coins": "opp"}, "eq", 0]}, "upil", []),
    ],
)
def test_triumph_after_a_free_trait(cond: Data, card: str, answers: list[str]) -> None:
    given: Data = {
        "A": {"hand": [card, "u1b"], "coins": 1}, "B": {"coins": 1}, "deck": ["u1a", "u2a", "u3a"], "discard": ["u1c"],
    }  # fmt: skip
    found = waiting("surge", cond, given)
    found.check(A__area=[])
    found.play(f"A SURGE {card}")
    if found.decision() == "A MODE":
        found.play(f"A MODE {next(option for option in found.options() if option.isupper())}")
    found.play(*answers)
    assert found.decision() == "A SURGE"
    found.check(A__area=["wait"], c1__A=[])


@pytest.mark.rule("OMENT-TRIUMPH-03")
def test_triumph_waits_for_the_whole_action() -> None:
    # The Offering is one action: after the first of its two coins the requirement would hold, and is not tested.
    cond: Data = {"cmp": [{"coins": "you"}, "eq", 1]}
    two = {"id": "two", "name": "two", "cost": 9, "offering": 2, "strength": 1, "traits": []}
    unit = {
        "id": "wait", "name": "wait", "cost": 0, "offering": 0, "strength": 1, "traits": ["TRIUMPH"],
        "abilities": [{"hook": "triumph", "step": ["offering"], "cond": cond}],
    }  # fmt: skip
    given: Data = {"step": "offering", "c1": {"A": ["wait"]}, "A": {"hand": ["two", "z01"]}}
    found = scenario(given, edition="traits", extra={"units": [unit, two]})
    found.play("A OFFER two", "A SPLIT coin", "A SPLIT coin")
    found.check(A__area=[], A__coins=2, c1__A=["wait"])
