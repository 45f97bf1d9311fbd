"""Durations of modifiers (sections 10.9 and 7.5 of RULES.md), and what ends them early."""

from __future__ import annotations

from typing import Any

import pytest

from cext.state import CHANCE
from gamepacks.api import CardFileError
from gamepacks.omen.v1.omen_enums import Decision
from tests.omen import sets
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import hero, soldier

Data = dict[str, Any]
DURATIONS: tuple[tuple[Data, tuple[bool, bool, bool]], ...] = (
    ({"for": "step"}, (True, True, True)),
    ({"for": "turn"}, (True, True, True)),
    ({}, (True, True, True)),
    ({"until": "turn_end"}, (True, True, True)),
    ({"until": "your_next_turn"}, (False, True, True)),
    ({"for": "next_own_turn"}, (False, False, True)),
)
"""Durations, and whether coins may be taken again in the next Wealth steps of B, A and B."""


def no_coins(duration: Data) -> Data:
    """A Soldier that forbids gaining coins when it enters."""
    return soldier("ban", [{"op": "forbid", "who": "each", "what": "coins", **duration}])


def coins_offered(found: Scenario, seat: int) -> bool:
    """Advance to a seat's next Wealth step; True if it may take a coin there."""
    state = found.state
    while state.decision != (Decision.WEALTH, seat):
        if state.actor() == CHANCE:
            found.take(state.chance()[0][0], -1)
        else:
            found.take(state.legal()[0 if state.decision[0] == Decision.WEALTH else -1], state.decision[1])
    offered = "coin" in found.options()
    while state.decision == (Decision.WEALTH, seat) or state.actor() == CHANCE:
        found.take(state.legal()[0] if state.actor() >= 0 else state.chance()[0][0], max(-1, state.actor()))
    return offered


@pytest.mark.rule("OMENX-FX-23")
@pytest.mark.parametrize(("duration", "offered"), DURATIONS, ids=str)
def test_durations_that_begin_in_ones_own_turn(duration: Data, offered: tuple[bool, bool, bool]) -> None:
    options = {"auto_single": False}
    found = scenario({"step": "surge", "A": {"hand": ["ban"]}}, options, extra={"units": [no_coins(duration)]})
    found.play("A SURGE ban", "A MODE play", "A CITY 1", "A SURGE end")
    assert tuple(coins_offered(found, seat) for seat in (1, 0, 1)) == offered


@pytest.mark.rule("OMENX-FX-23", "OMEN-SOLD-04")
@pytest.mark.parametrize(("duration", "offered"), DURATIONS, ids=str)
def test_durations_that_begin_in_the_other_turn(duration: Data, offered: tuple[bool, bool, bool]) -> None:
    # B shoves the Soldier of A: it is A's ability, in B's turn, and A's next turn is the one that follows.
    found = scenario(
        {"step": "surge", "active": "B", "B": {"hand": ["sshov"], "coins": 2}, "c1": {"A": ["ban"]}},
        {"auto_single": False},
        extra={"units": [no_coins(duration)]},
    )
    found.play("B SURGE sshov", "B MODE play", "B CITY 3", "B CITY 2", "B SURGE end")
    own = duration.get("for") != "next_own_turn"
    assert [coins_offered(found, seat) for seat in (0, 1)] == [own, True]


@pytest.mark.rule("OMENX-FX-23")
def test_a_modifier_and_a_grant_last_until_your_next_turn() -> None:
    strong = {"op": "mod", "what": "strength", "sel": {"zone": "city", "n": "all"}, "by": 2, "until": "your_next_turn"}
    wealthy = {"op": "grant", "what": "wealth_action", "who": "opp", "n": 2, "until": "your_next_turn"}
    found = scenario(
        {"step": "surge", "A": {"hand": ["both"]}, "c2": {"A": ["s1a"]}},
        extra={"units": [soldier("both", [strong, wealthy])]},
    )
    found.play("A SURGE both", "A CITY 1")
    assert found.state.counters()["wealth_left"] == 5
    assert found.value("c2.strength") == [3, 0]
    found.play(*["B WEALTH coin"] * 5)
    assert found.decision() == "A WEALTH"
    assert found.state.counters()["wealth_left"] == 3
    assert found.value("c2.strength") == [1, 0]


@pytest.mark.rule("OMENX-FX-23", "V-11")
@pytest.mark.parametrize(
    ("effect", "field"),
    [
        ({"until": "tomorrow"}, "do[0].until"),
        ({"until": "your_next_turn", "for": "turn"}, "do[0]"),
    ],
)
def test_unknown_duration_is_refused(effect: Data, field: str) -> None:
    record = soldier("ban", [{"op": "forbid", "who": "opp", "what": "coins", **effect}])
    with pytest.raises(CardFileError) as refused:
        sets.load(sets.card_set("omega", ["s1a"], extra={"units": [record]}))
    assert [(fault.card, fault.field) for fault in refused.value.faults] == [("ban", f"abilities[0].{field}")]


@pytest.mark.rule("OMENX-FX-23", "V-11")
def test_a_static_ability_has_no_end_of_its_own() -> None:
    change = {"op": "forbid", "who": "opp", "what": "coins", "until": "your_next_turn"}
    relic = {"id": "ban", "name": "ban", "abilities": [{"hook": "static", "do": [change]}]}
    with pytest.raises(CardFileError) as refused:
        sets.load(sets.card_set("omega", ["s1a"], extra={"relics": [relic]}))
    assert [(fault.card, fault.field) for fault in refused.value.faults] == [("ban", "abilities[0].do[0].until")]


@pytest.mark.rule("OMENT-VETERAN-01")
def test_modifier_of_a_veteran_ends_when_it_returns_to_the_hand() -> None:
    arms = {"op": "mod", "what": "strength", "sel": {"zone": "city", "id": ["uvet"]}, "by": 5, "for": "next_own_turn"}
    record = {
        "id": "arm", "name": "arm", "cost": 0, "offering": 0, "strength": 0, "traits": ["BOLSTER"],
        "abilities": [{"hook": "enter", "do": [arms]}],
    }  # fmt: skip
    found = scenario(
        {
            "step": "surge",
            "A": {"hand": ["arm", "z01"]},
            "c1": {"A": ["uvet", "u1a", "u1b"], "B": ["u3a", "u2a", "umya"]},
        },
        edition="traits",
        extra={"units": [record]},
    )
    found.play("A SURGE arm", "A CITY 2")
    assert found.value("c1.strength") == [9, 10]
    found.play("B KEEP umya", "A KEEP u1a+u1b")
    assert "uvet" in found.value("A.hand")
    assert found.state.dump_state()["changes"] == []


@pytest.mark.rule("OMEN-RELIC-02")
@pytest.mark.parametrize(("step", "asked"), [("feat", "A ROTATE"), ("wealth", "A WEALTH")])
def test_a_feat_that_a_card_achieves_may_be_rotated_if_it_is_the_feat_step(step: str, asked: str) -> None:
    claim = {"hook": "use", "step": [step], "turn": "own", "do": [{"op": "claim", "kind": "feat"}]}
    found = scenario(
        {"step": step, "A": {"hand": ["boast", "z11"]}},
        {"heroes": True, "relics": True},
        extra={"units": [hero("boast", claim)]},
    )
    found.play("A ACT boast", "A CARD f4")
    found.check(A__feats_down=["f4"])
    assert found.decision() == asked
    if step == "feat":
        assert found.options() == ["f4", "none"]
    else:
        found.play(*["A WEALTH coin"] * 3, "A SURGE end" if found.decision() == "A SURGE" else "A OFFER none")
        assert found.count("feat_rotated") == 0
