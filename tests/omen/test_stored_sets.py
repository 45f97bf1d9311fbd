"""Stored sets (cards that an effect iterates over, has picked, seen or bound) lose a card as soon as it leaves its
place."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.omen.codes import Pile
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import played, soldier

Data = dict[str, Any]
BEASTS: Data = {"zone": "city", "side": "any", "type": ["beast"]}


def destroys_for_each_beast() -> Data:
    """A Beast: for each Beast in a City, destroy a Beast of yours."""
    body = [{"op": "destroy", "sel": {"zone": "city", "type": ["beast"]}}]
    each = {"op": "for_each", "over": BEASTS, "as": "b", "do": body}
    stats = {"cost": 0, "offering": 0, "strength": 1}
    return {"id": "hunt", "name": "hunt", "type": "beast", "abilities": [{"hook": "hand_use", "do": [each]}], **stats}


def labels(found: Scenario) -> list[str]:
    """Every legal code in words: each must name something that is there."""
    return [found.game.label(found.state, code) for code in found.state.legal()]  # type: ignore[arg-type]


@pytest.mark.rule("OMENX-FX-24")
def test_for_each_skips_units_that_its_own_rounds_have_removed() -> None:
    found = scenario(
        {"step": "surge", "A": {"hand": ["hunt", "z11"]}, "c1": {"A": ["b5a", "b5b"]}, "c2": {"A": ["b6a"]}},
        extra={"units": [destroys_for_each_beast()]},
    )
    found.play("A SURGE hunt", "A MODE ability", "A UNIT A/1/b5a", "A UNIT A/1/b5b")
    # The first round has destroyed a Beast that was still to come: one is left, for one more round.
    assert found.options() == ["A/1/b5a", "A/2/b6a"]
    assert labels(found) == ["Destroy b5a of seat 0 in the left City", "Destroy b6a of seat 0 in the middle City"]
    found.play("A UNIT A/1/b5a")
    found.check(c1__A=[], c2__A=["b6a"], discard=["b5a", "b5b", "hunt"])


@pytest.mark.rule("OMENX-FX-24")
def test_a_looked_at_card_that_was_taken_is_not_among_the_rest() -> None:
    do: list[Data] = [
        {"op": "look", "zone": "deck_top", "n": 3, "as": "seen"},
        {"op": "put", "sel": {"zone": "set", "same_as": "seen"}, "to": "hand"},
        {"op": "put", "sel": {"zone": "set", "same_as": "seen", "n": "all"}, "to": "discard"},
    ]
    found = played({"deck": ["s1a", "s2a", "s3a", "s4a"]}, soldier("it", do))
    found.play("A CARD s2a")
    found.check(A__hand=["s2a", "z11"], discard=["s1a", "s3a"], deck=1)


@pytest.mark.rule("OMENX-FX-24")
def test_a_bound_card_is_found_where_it_lies_now() -> None:
    kill: Data = {"op": "destroy", "sel": {"zone": "city", "side": "opp", "as": "dead"}}
    gone = {"op": "put", "sel": {"zone": "set", "same_as": "dead"}, "to": "hand"}
    there = {"op": "put", "sel": {"zone": "discard", "same_as": "dead"}, "to": "hand"}
    given: Data = {"c2": {"B": ["s2a"]}, "discard": ["s1a"]}
    played({**given}, soldier("it", [kill, gone])).check(A__hand=["z11"], discard=["s1a", "s2a"])
    played({**given}, soldier("it", [kill, there])).check(A__hand=["s2a", "z11"], discard=["s1a"])
    cost = {"op": "coins", "n": {"stat": "cost", "of": "dead"}}
    played({**given}, soldier("it", [kill, cost])).check(A__coins=1)


@pytest.mark.rule("OMENX-FX-24")
def test_modifier_of_a_card_in_hand_ends_when_it_is_discarded() -> None:
    cheap: Data = {"op": "mod", "what": "cost", "sel": {"zone": "hand", "id": ["s3a"]}, "by": -1, "for": "turn"}
    discard = {"op": "discard", "sel": {"zone": "hand", "id": ["s3a"]}}
    back = {"op": "put", "sel": {"zone": "discard", "id": ["s3a"]}, "to": "hand"}
    given: Data = {"A": {"hand": ["s3a", "z11"], "coins": 0}}
    found = played({**given}, soldier("it", [cheap]))
    assert "s3a" in found.options()
    found = played({**given}, soldier("it", [cheap, discard, back]))
    assert "s3a" in found.pile(Pile.HAND)
    assert found.decision() == "A OFFER", "there is nothing to play for 0 coins"
    assert found.state.dump_state()["changes"] == []
