"""Private decisions: other viewers do not notice them (OMENX-HID-05, OMENX-ATOM-03)."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.api import SPECTATOR, Code, Seat, Viewer
from gamepacks.omen import Omen, codes
from gamepacks.omen.cards.analysis import ProgramAnalysis
from gamepacks.omen.v1.omen_enums import Decision
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import hero, relic, soldier

REACT = {"hook": "react", "timing": "before", "event": {"type": "war_begin"}, "turn": "any",
         "do": [{"op": "coins", "n": 1}]}  # fmt: skip
HAND = {"zone": "hand", "side": "you"}
SOLDIERS = {**HAND, "type": ["soldier"]}


def step(found: Scenario, code: int, viewer: int) -> tuple[bool, list[bytes]]:
    """Apply a code; returns whether the viewer knows it, and the viewer's events."""
    before, seat = found.state.clone(), found.state.actor()
    found.state.apply(code)
    knows = found.game.knows_code(before, Seat(seat) if seat >= 0 else None, Code(code), Viewer(viewer))
    mover = Seat(seat) if seat >= 0 else None
    events = found.game.events(before, mover, Code(code), found.state, Viewer(viewer))
    return knows, [event.SerializeToString(deterministic=True) for event in events]


def declined(found: Scenario, viewer: int) -> tuple[list[int], list[bytes]]:
    """Decline the other seat's private decisions until a public one is pending; returns the events."""
    asked, events_seen = [], []
    while found.state.decline_code() != -1 and found.state.actor() != viewer:
        asked.append(found.state.decision[0])
        knows, events = step(found, found.state.decline_code(), viewer)
        assert not knows
        events_seen += events
    return asked, events_seen


def records(found: Scenario, viewer: int, *wanted: str) -> tuple[list[int], list[Any]]:
    """Play by labels; returns the codes and events that a viewer knows, and its final view."""
    asked, events_seen = declined(found, viewer)
    kept: list[Any] = [events_seen]
    for label in wanted:
        seat, kind, option = label.split(" ", 2)
        assert found.decision() == f"{seat} {kind}"
        choices = {found.label(code, found.state.actor()): code for code in found.state.legal()}
        knows, events = step(found, choices[option], viewer)
        more, later = declined(found, viewer)
        asked += more
        kept.append((knows, events + later))
    kept.append(found.game.view(found.state, Viewer(viewer)).SerializeToString(deterministic=True))
    return asked, kept


@pytest.mark.rule("HI-07", "OMENX-HID-05")
def test_hi_07_declined_reaction_leaves_the_same_state_as_no_reaction() -> None:
    worlds = []
    for hand in (["h1"], ["s3a"]):
        given = {
            "step": "surge", "A": {"hand": ["s2a"], "coins": 2}, "B": {"hand": hand},
            "c1": {"A": ["s4a"], "B": ["s1a", "s1b", "o1a"]}, "prizes_next": ["w2"],
        }  # fmt: skip
        found = scenario(given, {"heroes": True})
        worlds.append(records(found, 0, "A SURGE end"))
    (asked, events_seen), (not_asked, expected) = worlds
    assert (asked, not_asked) == ([Decision.REACT], [])
    assert events_seen == expected


@pytest.mark.rule("OMENX-HID-05")
def test_reaction_with_a_public_card_is_no_private_decision() -> None:
    given = {
        "step": "war", "A": {"hand": ["z11"]}, "B": {"hand": ["z12"]},
        "c1": {"A": ["s4a"], "B": ["s1a", "s1b", "o1a"], "relic": ["orb", "B"]},
    }  # fmt: skip
    found = scenario(given, {"relics": True}, extra={"relics": [relic("orb", REACT)]})
    assert found.state.decision == (Decision.REACT, 1)
    assert found.state.decline_code() == -1
    assert found.game.knows_code(found.state, Seat(1), Code(codes.PASS()), Viewer(0))
    assert "REACT" in str(found.game.view(found.state, Viewer(0)))


@pytest.mark.rule("OMENX-HID-05")
def test_used_reaction_is_public() -> None:
    given = {
        "step": "war", "A": {"hand": ["z11"]}, "B": {"hand": ["brave"]},
        "c1": {"A": ["s4a"], "B": ["s1a", "s1b", "o1a"]},
    }  # fmt: skip
    found = scenario(given, {"heroes": True}, extra={"units": [hero("brave", REACT)]})
    assert found.state.decline_code() == codes.PASS()
    react = found.state.legal()[0]
    assert found.game.knows_code(found.state, Seat(1), Code(react), SPECTATOR)
    assert not found.game.knows_code(found.state, Seat(1), Code(codes.PASS()), SPECTATOR)


@pytest.mark.rule("OMENX-HID-05")
@pytest.mark.parametrize("selector", [HAND, SOLDIERS])
def test_payable_cost_from_the_hand_leaks_nothing(selector: dict[str, Any]) -> None:
    pay = {"op": "pay", "cost": {"discard": selector}, "then": [{"op": "coins", "n": 1}]}
    worlds = []
    for hand in ("s1a", "o1a"):
        found = scenario(
            {"step": "surge", "A": {"hand": ["it", hand]}, "B": {"hand": ["z12"]}},
            extra={"units": [soldier("it", [pay])]},
        )
        worlds.append(records(found, 1, "A SURGE it", "A CITY 1"))
        if selector is HAND:
            # All can see that there is a card: it is an ordinary decision in both.
            assert found.state.decision == (Decision.MAY, 0) and found.state.decline_code() == -1
    assert [asked for asked, _ in worlds] == [[], []] if selector is HAND else [[Decision.MAY], []]
    assert worlds[0][1] == worlds[1][1]


@pytest.mark.rule("OMENX-HID-05")
def test_decisions_under_a_hidden_condition_are_private() -> None:
    may = {"op": "may", "do": [{"op": "coins", "n": 1}]}
    holds = {"op": "if", "cond": {"exists": SOLDIERS}, "then": [may]}
    worlds = []
    for hand in ("s1a", "o1a"):
        found = scenario(
            {"step": "surge", "A": {"hand": ["it", hand]}, "B": {"hand": ["z12"]}},
            extra={"units": [soldier("it", [holds])]},
        )
        worlds.append(records(found, 1, "A SURGE it", "A CITY 1"))
    assert [asked for asked, _ in worlds] == [[Decision.MAY], []]
    assert worlds[0][1] == worlds[1][1]


@pytest.mark.rule("OMENX-HID-05")
def test_up_to_n_cards_allows_none_where_no_card_fits() -> None:
    discard = {"op": "discard", "sel": {**SOLDIERS, "n": {"up_to": 2}}}
    worlds = []
    for hand in (["s1a", "s1b"], ["s1a", "o1a"], ["o1a", "o1b"]):
        found = scenario(
            {"step": "surge", "A": {"hand": ["it", *hand]}, "B": {"hand": ["z12"]}},
            extra={"units": [soldier("it", [discard])]},
        )
        worlds.append(records(found, 1, "A SURGE it", "A CITY 1"))
    assert [asked for asked, _ in worlds] == [[Decision.CARD], [Decision.CARD], []]
    assert worlds[0][1] == worlds[1][1] == worlds[2][1]


@pytest.mark.rule("OMENX-ATOM-03")
def test_a_pick_by_faces_is_asked_as_often_as_there_is_something_to_pick() -> None:
    discard = {"op": "discard", "sel": {**SOLDIERS, "n": 2}}
    counts = []
    for hand in (["s1a", "s1b", "o1a"], ["s1a", "s1b", "s2a"]):
        found = scenario(
            {"step": "surge", "A": {"hand": ["it", *hand]}, "B": {"hand": ["z12"]}},
            extra={"units": [soldier("it", [discard])]},
        )
        choices = {found.label(code, 0): code for code in found.state.legal()}
        found.state.apply(choices["it"])
        codes_taken = 0
        while found.state.decision[0] != Decision.SURGE:
            found.state.apply(found.state.legal()[0])
            codes_taken += 1
        counts.append(codes_taken)
    # A City, and two cards.
    assert counts == [3, 3]


@pytest.mark.rule("OMENX-ATOM-03")
def test_end_of_surge_is_offered_even_as_the_only_option() -> None:
    found = scenario({"A": {"hand": ["s1a"], "coins": 0}, "B": {"hand": ["z12"]}})
    state = found.state
    while state.actor() == -1 or state.decision[0] == Decision.WEALTH:
        state.apply(state.chance()[0][0] if state.actor() == -1 else state.legal()[0])
    assert state.decision == (Decision.SURGE, 0)
    assert state.legal() == [codes.SURGE_END()]


def test_analysis_finds_the_hidden_conditions_of_the_house_sets() -> None:
    nodes = ProgramAnalysis.of(Omen.configure(2).compiled.program)
    assert nodes.hidden and nodes.hidden & nodes.effects
