"""The options: their defaults are those of section 2, and each value that the rulebook omits has its effect."""

from __future__ import annotations

from typing import get_args

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.options import HOUSE_VALUES, OlomocOptions
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.scenes import (
    CHARGE,
    DODGE,
    FRONTAL,
    MARCH,
    NEAR,
    NO,
    PUSH_TARGET,
    REST,
    RIPOSTE,
    YES,
    Rouage,
    charge,
    do,
    figure,
    go,
    legal,
    may,
    parts,
    rolls,
    scene,
    target,
    use,
)


def test_defaults_are_those_of_the_specification() -> None:
    """Section 2.1 and 2.2, word for word."""
    assert HOUSE_VALUES == {
        "move_ruler_length": 300, "move_ruler_width": 80, "push_ruler_length": 100, "push_ruler_width": 80,
        "rest_ap": 1, "rest_limit": 1, "march_ap": 1, "charge_ap": 2, "charge_limit": 0, "riposte_ap": 1,
        "riposte_limit": 0, "dodge_limit": 0, "opportunity_ap": 1, "opportunity_limit": 0, "propaganda_rank": 0,
    }  # fmt: skip
    chosen = OlomocOptions().model_dump(exclude=set(HOUSE_VALUES))
    assert chosen == {
        "card_set": "", "agenda": "random", "bloc": "random", "build": "draft", "tie_rule": "any",
        "tainted_box": "any_source", "reaction_limit": "one", "felled_riposte": True,
        "reinforced_scope": "any_in_span", "entry": "compulsory", "hostile_stun": "recover", "spawn_acts": True,
        "propaganda_ap": "max", "start_number": "random", "list_step": 50, "hostile_reactions": "profile",
    }  # fmt: skip
    assert set(get_args(OlomocOptions.model_fields["list_step"].annotation)) == {25, 50, 100}


@pytest.mark.rule("OLO-MOVE-02", "OLO-MOVE-05", "OLO-PUSH-01")
def test_rulers_of_other_sizes() -> None:
    """A march reaches the diagonal of the movement ruler and a base; a push that of the push ruler."""
    short = {"move_ruler_length": 200, "move_ruler_width": 60, "push_ruler_length": 50, "push_ruler_width": 60}
    for options, march, push in ((short, 326, 196), ({}, 428, 246)):
        state = scene({2: Rouage((400, 800))}, options=options)
        do(state, use(2, MARCH))
        assert may(state, go(400 + march, 800)) and not may(state, go(401 + march, 800))
        fight = scene(NEAR, options=options)
        do(fight, use(2, FRONTAL), target(4), NO)
        rolls(fight, 1)
        do(fight, NO, PUSH_TARGET)
        assert may(fight, go(900 + push, 800)) and not may(fight, go(901 + push, 800))


@pytest.mark.rule("OLO-DODGE-01", "OLO-RIPO-01")
@pytest.mark.parametrize(("option", "reaction"), [("dodge_limit", DODGE), ("riposte_limit", RIPOSTE)])
@pytest.mark.parametrize("limit", [0, 1])
def test_limits_of_reactions(option: str, reaction: int, limit: int) -> None:
    state = scene(NEAR, options={option: limit})
    do(state, use(2, FRONTAL), target(4), reaction)
    _settle(state)
    do(state, use(2, FRONTAL), target(4))
    assert (reaction in legal(state)) == (limit == 0)


def _settle(state: OlomocState) -> None:
    while state.decision != Decision.ACT:
        rolls(state, 0) if state.decision == Decision.CHANCE_POOL else do(state, NO)


@pytest.mark.rule("OLO-OPP-01", "OLO-AP-03")
@pytest.mark.parametrize(
    ("options", "ap", "again"),
    [
        ({}, 3, True),
        ({"opportunity_ap": 3}, 1, False),
        ({"opportunity_ap": 0}, 4, True),
        ({"opportunity_limit": 1}, 3, False),
    ],
)
def test_option_limits_opportunity_attacks(options: dict[str, int], ap: int, again: bool) -> None:
    """Pétra leaves a zone, then Dominik, whom she coordinates, leaves the same one."""
    stand = {2: Rouage((500, 500)), 4: Rouage((700, 500)), 1: Rouage((700, 300)), 0: Rouage((200, 1200))}
    state = scene(stand, phase=3, options=options)
    do(state, codes.COORD(1), use(2, MARCH), go(480, 500), YES)
    rolls(state, 0)
    assert figure(state, 4)["ap"] == ap
    do(state, use(1, MARCH), go(700, 200))
    assert (state.decision == Decision.OPPORTUNITY) == again


@pytest.mark.rule("OLO-CHARGE-01", "OLO-CHARGE-02")
@pytest.mark.parametrize(
    ("options", "ap", "again"), [({}, 2, True), ({"charge_limit": 1}, 2, False), ({"charge_ap": 1}, 3, True)]
)
def test_option_limits_charges(options: dict[str, int], ap: int, again: bool) -> None:
    """After the first one the target is pushed away: free, the rouage may charge again, if it may twice."""
    state = scene({2: Rouage((400, 800)), 4: Rouage((760, 800))}, options=options)
    do(state, use(2, CHARGE), charge(4, 560, 800), NO)
    rolls(state, 1)
    do(state, NO, PUSH_TARGET, go(960, 800))
    assert figure(state, 2)["ap"] == ap
    assert may(state, use(2, CHARGE)) == again


@pytest.mark.rule("OLO-REST-01", "OLO-MARCH-01")
def test_costs_of_rest_and_march() -> None:
    state = scene({2: Rouage((700, 800), noirceur=2, ap=1)}, options={"rest_ap": 0, "march_ap": 0})
    do(state, use(2, REST), next(code for code in legal(do(state.clone(), use(2, REST)))))
    do(state, use(2, MARCH), go(700, 900))
    assert (figure(state, 2)["ap"], figure(state, 2)["noirceur"]) == (1, 1)
    poor = scene({2: Rouage((700, 800), noirceur=2, ap=1)}, options={"rest_ap": 2, "march_ap": 2})
    assert not may(poor, use(2, REST)) and not may(poor, use(2, MARCH))


@pytest.mark.rule("OLO-GEO-60", "OLO-GEO-62")
def test_the_step_of_lists_changes_no_rule() -> None:
    """A smaller step lists more places; the legal places are the same."""
    lists = {}
    for step in (25, 50, 100):
        state = scene({2: Rouage((400, 800)), 4: Rouage((1000, 800))}, options={"list_step": step})
        do(state, use(2, MARCH))
        lists[step] = legal(state)
        assert all(may(state, go(x, 803)) == (x != 1000 and x <= 828) for x in (401, 555, 827, 829))
    lattice = {
        step: {code for code in codes if not (parts(code).x % step or parts(code).y % step)}
        for step, codes in lists.items()
    }
    assert len(lattice[25]) > 3 * len(lattice[50]) > 9 * len(lattice[100]) / 2
    assert lattice[100] < lattice[50] < lattice[25]
    assert all(parts(code).verb == codes.GO for code in lists[25])
