"""The effects of those options (section 3 of RULES.md) that no worked example covers."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.omen import Omen, OmenTraits
from gamepacks.omen.v1.omen_enums import Decision, Phase
from tests.omen.scenario import scenario
from tests.omen.test_effects import hero

Data = dict[str, Any]


@pytest.mark.rule("OMENT-WEALTH-03", "OMENT-WEALTH-01")
@pytest.mark.parametrize(("options", "actions"), [({}, 3), ({"first_turn_wealth": 2}, 2)])
def test_first_turn_wealth(options: Data, actions: int) -> None:
    found = scenario({"turn": 1, "first": "A", "A": {"hand": ["u1a"]}}, options, edition="traits")
    assert found.state.counters()["wealth_left"] == actions
    found = scenario({"turn": 2, "first": "B", "A": {"hand": ["u1a"]}}, options, edition="traits")
    assert found.state.counters()["wealth_left"] == 3


@pytest.mark.rule("OMENT-WAR-04")
@pytest.mark.parametrize(("tie", "winner"), [("nobody", None), ("active", "A"), ("opposing", "B")])
@pytest.mark.parametrize("active", ["A", "B"])
def test_sacked_tie(tie: str, winner: str | None, active: str) -> None:
    if winner and active == "B":
        winner = "A" if winner == "B" else "B"
    other = "B" if active == "A" else "A"
    given = {"step": "war", "active": active, "prizes_next": ["k1"]}
    given["c1"] = {active: ["u3a"], other: ["u1a", "u1b", "u1c"]}
    found = scenario({**given, "A": {"hand": ["z01"]}, "B": {"hand": ["z02"]}}, {"sacked_tie": tie}, edition="traits")
    for seat in "AB":
        assert found.value(f"{seat}.prizes") == (["k1"] if winner == seat else [])
    found.check(c1__left=3 if winner is None else 2)
    # Who has won keeps one Unit, the other two; nobody: both keep two.
    assert found.decision() == f"{other} KEEP"
    assert len(found.options()[0].split("+")) == (1 if winner == other else 2)


@pytest.mark.rule("OMEN-SPIR-02", "OMEN-SPIR-01")
@pytest.mark.parametrize(("option", "asked"), [("enter", "A SPIRIT"), ("played", "A OFFER")])
def test_spirit_trigger(option: str, asked: str) -> None:
    given = {"step": "surge", "A": {"coins": 3, "hand": ["smove", "z11"]}, "c2": {"A": ["p1"]}}
    found = scenario(given, {"spirit_trigger": option, "spirits": True})
    found.play("A SURGE smove", "A CITY 1", "A CITY 3")
    found.check(c3__A=["p1"])
    assert found.decision() == asked
    found = scenario({"step": "surge", "A": {"coins": 3, "hand": ["p1", "z11"]}}, {"spirit_trigger": option})
    found.play("A SURGE p1", "A CITY 1")
    assert found.decision() == "A SPIRIT"


@pytest.mark.rule("OMEN-DRAFT-07")
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({}, [0, 0, 0]),
        ({"draft_first": "swap"}, [0, 1, 0]),
        ({"oldest_seat": "B"}, [1, 1, 1]),
        ({"oldest_seat": "B", "draft_first": "swap"}, [1, 0, 1]),
    ],
)
def test_first_picker_of_an_open_draft(options: Data, first: list[int]) -> None:
    state = Omen.configure(2, {"draft": "open20", "auto_single": False, **options}).initial_state()
    picks = []
    while state.phase == Phase.DRAFT or state.decision[0] in (Decision.CHANCE_DEAL, Decision.PICK):
        if state.decision[0] == Decision.PICK:
            picks.append(state.decision[1])
        state.apply(state.legal()[0] if state.actor() >= 0 else state.chance()[0][0])
    assert len(picks) == 60
    for row in range(3):
        assert picks[20 * row : 20 * row + 20] == [first[row], 1 - first[row]] * 10


@pytest.mark.rule("OMEN-SCORE-05", "OMENT-SCORE-02")
@pytest.mark.parametrize(("edition", "hand"), [("omega", "z11"), ("traits", "z01")])
@pytest.mark.parametrize("first", ["A", "B"])
def test_final_tie(edition: str, hand: str, first: str) -> None:
    given = {"first": first, "A": {"hand": [hand]}}
    assert scenario(given, edition=edition).state.winners() == (0, 1)
    second = (1,) if first == "A" else (0,)
    assert scenario(given, {"final_tie": "second_player"}, edition=edition).state.winners() == second
    # Points come first, and in omega the Feats that lie face down.
    more = {**given, "A": {"hand": [hand], "prizes": ["w1" if edition == "omega" else "k1"]}}
    assert scenario(more, {"final_tie": "second_player"}, edition=edition).state.winners() == (0,)


@pytest.mark.rule("OMEN-SETUP-06", "OMENT-SETUP-01")
@pytest.mark.parametrize("kind", [Omen, OmenTraits])
@pytest.mark.parametrize(("option", "first"), [("A", 0), ("B", 1)])
def test_oldest_seat(kind: Any, option: str, first: int) -> None:
    state = kind.configure(2, {"oldest_seat": option}).initial_state()
    while state.actor() == -1:
        state.apply(state.chance()[0][0])
    assert state.first == state.active == first
    assert state.decision == (Decision.WEALTH, first)


@pytest.mark.rule("OMEN-FEAT-06", "OMEN-RELIC-08")
def test_a_feat_met_in_the_end_window_counts_but_brings_no_second_relic() -> None:
    # 6 coins at first, 10 after the Hero at the end of the step.
    rich = hero("rich", {"hook": "use", "step": ["feat"], "turn": "own", "do": [{"op": "coins", "n": 4}]})
    found = scenario(
        {"step": "feat", "A": {"coins": 6, "hand": ["rich", "z11"]}, "c1": {"A": ["s1a"]}, "c2": {"A": ["s1b"]},
         "c3": {"A": ["s2a"]}},
        {"heroes": True, "relics": True},
        extra={"units": [rich]},
    )  # fmt: skip
    found.play("A ACT pass", "A ROTATE f1", "A RELIC x1", "A CITY 1")
    found.check(A__feats_rotated=["f1"], A__feats_down=[])
    assert found.decision() == "A ACT"
    found.play("A ACT rich")
    found.check(A__feats_down=["f4"], A__coins=10)
    assert found.decision() == "A OFFER"


@pytest.mark.rule("OMEN-WEALTH-12")
def test_without_wealth_actions_there_is_no_bonus() -> None:
    idle = {"hook": "static", "do": [{"op": "mod", "what": "wealth_actions", "who": "you", "set": 0}]}
    found = scenario(
        {"A": {"hand": ["s1a"], "coins": 1}, "c1": {"relic": ["idle", "A"]}},
        {"relics": True},
        extra={"relics": [{"id": "idle", "name": "idle", "abilities": [idle]}]},
    )
    found.check(A__hand=["s1a"], A__coins=1)
    assert found.decision() == "A SURGE"


@pytest.mark.rule("OMENX-WIN-01")
def test_a_card_for_the_other_surge_is_offered_after_each_main_action() -> None:
    spy = hero("spy", {"hook": "use", "step": ["surge"], "turn": "opp", "do": [{"op": "coins", "n": 1}]})
    found = scenario(
        {"step": "surge", "A": {"coins": 2, "hand": ["s1a", "s1b", "z11"]}, "B": {"hand": ["spy"]}},
        {"heroes": True},
        extra={"units": [spy]},
    )
    asked = []
    for step in ("pass", "s1a", "1", "pass", "s1b", "1", "pass"):
        asked.append(found.decision())
        found.play(f"{found.decision()} {step}")
    # At the start, after either Unit; Surge ends by itself, and its end is a window too.
    assert asked == ["B ACT", "A SURGE", "A CITY", "B ACT", "A SURGE", "A CITY", "B ACT"]
    assert found.decision() == "B ACT"
    found.play("B ACT spy")
    found.check(B__coins=1, discard=["spy"])
