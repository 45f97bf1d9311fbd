"""Offers, compulsory actions and the acts of hostiles do not depend on the sample of listed places (OLO-CAP-08)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import Raw, active, put
from tests.olomoc.scenes import (
    CHARGE,
    MARCH,
    NO,
    Rouage,
    charge,
    do,
    go,
    hostile_phase,
    legal,
    may,
    parts,
    refusal,
    run,
    scene,
    specific,
    use,
)

WAY = ((1027, 860), (1204, 593), (1067, 658), (775, 1047), (1294, 763), (1437, 689))
"""By rouage, from a match: number 2 has 68 places from which to charge number 5, few of which any list holds."""
STEPS = (25, 50, 100)


def quiet_board(raw: Raw) -> Raw:
    """The bare board, on which nothing but the agenda of scenes is played."""
    raw["agendas"] = [agenda for agenda in raw["agendas"] if agenda["id"] == "quiet"]
    return next(layout for layout in raw["layouts"] if layout["id"] == "bare")


def works(raw: Raw) -> None:
    """The board of that match."""
    raw["pieces"] += [
        {"id": "core", "name": "Core", "shape": {"poly": [[-130, -130], [130, -130], [130, 130], [-130, 130]]}},
        {"id": "silo", "name": "Silo", "shape": {"disc": [0, 0, 15000]}},
        {
            "id": "ruin",
            "name": "Ruin",
            "shape": {"poly": [[-150, -150], [150, -150], [150, -50], [-50, -50], [-50, 150], [-150, 150]]},
        },
    ]
    quiet_board(raw)["pieces"] = [
        {"piece": "core", "at": [800, 800], "rotation": 2},
        {"piece": "silo", "at": [380, 560]},
        {"piece": "silo", "at": [1220, 1040]},
        {"piece": "ruin", "at": [1180, 400]},
        {"piece": "ruin", "at": [420, 1200], "rotation": 8},
    ]


@pytest.mark.rule("OLO-CAP-08", "OLO-CHARGE-04")
@pytest.mark.parametrize("step", STEPS)
def test_a_charge_is_legal_whatever_the_list_holds(step: int) -> None:
    changes = (works, put("profiles", "fx-hynek", "base", 40), put("profiles", "fx-ota", "base", 40))
    state = scene(dict(enumerate(map(Rouage, WAY))), changes=changes, options={"list_step": step})
    places = [(x, y) for x in range(1350, 1380) for y in range(880, 920) if state.table().charge(2, 5).allows(x, y)]
    assert may(state, use(2, CHARGE)) and use(2, CHARGE) in legal(state)
    do(state, use(2, CHARGE))
    assert 5 in {parts(code).a for code in legal(state)}
    assert places and all(may(state, charge(5, *place)) for place in places)


@pytest.mark.rule("OLO-CAP-08", "OLO-HPH-03")
@pytest.mark.parametrize("step", STEPS)
def test_a_hostile_charges_where_it_can_whatever_the_list_holds(step: int) -> None:
    stand = {6: Rouage(WAY[2]), 5: Rouage(WAY[5]), 7: Rouage(WAY[0]), 8: Rouage(WAY[1]), 9: Rouage(WAY[4]), 2: Rouage()}
    cards = {6: "fx-rogue", 7: "fx-idler", 8: "fx-idler", 9: "fx-mover"}
    changes = (works, put("hostiles", "fx-mover", "base", 40), put("profiles", "fx-ota", "base", 40))
    state = hostile_phase(stand, cards, changes=changes, options={"list_step": step})
    run(state, 6)
    assert legal(state) == [codes.CHOOSE(1)], "the line that charges"
    do(state, legal(state)[0])
    assert state.decision == Decision.HOSTILE_GO
    assert NO not in legal(state) and not may(state, NO)


@pytest.mark.rule("OLO-DIR-02", "OLO-GEO-75")
def test_directly_means_the_same_at_every_step_of_the_list() -> None:
    card = "{op: move, who: self, ruler: RULER, dir: directly_towards, of: target}"
    rest = "cost: {ap: 1}, target: {side: foe, pick: choose}"
    for ruler in ("any", "push"):
        allowed = []
        for step in STEPS:
            changes = (works, active(card.replace("RULER", ruler), rest))
            state = scene({2: Rouage(WAY[2]), 5: Rouage((700, 1400))}, changes=changes, options={"list_step": step})
            do(state, use(2, specific(state, 2, "deed")))
            do(state, *([codes.TARGET(5)] if state.decision == Decision.TARGET else []))
            assert state.decision == Decision.GO
            displacement = state.displacement()
            assert displacement is not None and displacement.best is not None
            places = {(x, y) for x in range(600, 1200, 3) for y in range(400, 1200, 3) if may(state, go(x, y))}
            assert places == {
                (x, y) for x in range(600, 1200, 3) for y in range(400, 1200, 3) if displacement.allows(x, y)
            }
            assert may(state, go(displacement.best >> 11, displacement.best & 2047))
            allowed.append(places)
        assert allowed[0] == allowed[1] == allowed[2]


@pytest.mark.rule("OLO-MOVE-05")
@pytest.mark.parametrize(("ruler", "most"), [("base", 118), ("push", 246), ("move", 428)])
def test_a_move_that_an_effect_binds_to_one_way(ruler: str, most: int) -> None:
    """A refusal takes account of it, too."""
    effect = f"{{op: move, who: self, ruler: {ruler}}}"
    state = scene({2: Rouage((400, 800)), 4: Rouage((1400, 800))}, changes=(active(effect),))
    do(state, use(2, specific(state, 2, "deed")))
    assert state.decision == Decision.GO
    assert max(parts(code).x for code in legal(state)) <= 400 + most
    assert may(state, go(400 + most, 800))
    assert refusal(state, go(401 + most, 800)).reason == Reason.OUT_OF_REACH
    displacement = state.displacement()
    assert (
        displacement is not None and displacement.allows(400 + most, 800) and not displacement.allows(401 + most, 800)
    )


@pytest.mark.rule("OLO-MOVE-02", "OLO-CAP-08")
@pytest.mark.parametrize("step", STEPS)
def test_march_over_the_smallest_distance_is_offered(step: int) -> None:
    """The rouage is walled in and can move only a little."""

    def cell(raw: Raw) -> None:
        hook = [[-96, -96], [96, -96], [96, -63], [-63, -63], [-63, 63], [96, 63], [96, 96], [-96, 96]]
        raw["pieces"] += [
            {"id": "hook", "name": "Hook", "shape": {"poly": hook}},
            {"id": "bar", "name": "Bar", "shape": {"poly": [[63, -63], [96, -63], [96, 63], [63, 63]]}},
        ]
        quiet_board(raw)["pieces"] = [{"piece": "hook", "at": [813, 813]}, {"piece": "bar", "at": [813, 813]}]

    state = scene({2: Rouage((813, 813))}, changes=(cell,), options={"list_step": step})
    assert may(state, use(2, MARCH))
    do(state, use(2, MARCH))
    assert may(state, go(814, 813)) and legal(state) and NO not in legal(state)
