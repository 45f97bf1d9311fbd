"""Refusals name the elements in the way and their places; labels name the rouages that they are about."""

from __future__ import annotations

import pytest

from gamepacks.api.types import SPECTATOR, Code
from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import add_capacity, put
from tests.olomoc.scenes import (
    CHARGE,
    FRONTAL,
    MARCH,
    Marker,
    Rouage,
    asked_first,
    charge,
    do,
    go,
    hostile_phase,
    legal,
    number,
    parts,
    refusal,
    run,
    scene,
    scenery,
    specific,
    target,
    use,
)


def labels(state: OlomocState) -> list[str]:
    return [state.game.label(state, Code(code)) for code in legal(state)]


@pytest.mark.rule("OLO-MOVE-02", "OLO-MOVE-03", "OLO-MOVE-04")
def test_refusal_of_a_taken_place_names_the_obstacle() -> None:
    state = scene(
        {2: Rouage((400, 800)), 4: Rouage((560, 1000))}, markers=[Marker((600, 700))], options={"bloc": "tall"}
    )
    do(state, use(2, MARCH))
    beset = refusal(state, go(560, 990))
    assert (beset.reason, beset.details["element"]) == (Reason.OVERLAPS_ROUAGE, 4)
    assert beset.message == "(5.60, 9.90): Hynek Novotny is in the way"
    marked = refusal(state, go(610, 700))
    assert (marked.reason, marked.details["element"]) == (Reason.OVERLAPS_MARKER, 16)
    assert marked.message.endswith(": objective is in the way")
    (wall,) = state.game.view(state, SPECTATOR).scenery
    x, y = (sum(getattr(corner, axis) for corner in wall.corners) // len(wall.corners) for axis in "xy")
    walled = refusal(state, go(x, y))
    assert (walled.reason, walled.details["element"]) == (Reason.OVERLAPS_SCENERY, 64)
    assert f": {wall.name} is in the way" in walled.message
    assert (walled.details["x"], walled.details["y"], walled.details["rouage"]) == (x, y, 2)
    assert refusal(state, go(1500, 200)).message.endswith(": Pétra Kantor cannot reach this place")


@pytest.mark.rule("OLO-CHARGE-01", "OLO-CHARGE-05")
def test_refused_charges_name_the_reason_and_the_target() -> None:
    """The code of a charge names the target and the place, so both can be the reason."""
    state = scene({2: Rouage((400, 800)), 4: Rouage((760, 800)), 1: Rouage((400, 300)), 5: Rouage((1400, 1400))})
    do(state, use(2, CHARGE))
    assert state.decision == Decision.CHARGE
    short = refusal(state, charge(4, 420, 900))
    assert (short.reason, short.details["target"]) == (Reason.TARGET_NOT_ENGAGED, 4)
    assert short.message == "(4.20, 9.00): from there Pétra Kantor would not engage Hynek Novotny"
    assert refusal(state, charge(5, 1200, 1200)).reason == Reason.OUT_OF_REACH
    assert refusal(state, charge(4, 760, 810)).reason == Reason.OVERLAPS_ROUAGE
    assert refusal(state, charge(4, 10, 810)).reason == Reason.OFF_BOARD
    own = refusal(state, charge(1, 420, 800))
    assert (own.reason, own.message) == (Reason.NOT_A_TARGET, "(4.20, 8.00): Dominik Kralov is not a legal target here")
    assert refusal(state, charge(2, 420, 800)).reason == Reason.NOT_A_TARGET
    assert refusal(state, charge(9, 420, 800)).reason == Reason.NOT_A_TARGET
    assert labels(state)[0].startswith("charge Hynek Novotny, up to (")


@pytest.mark.rule("OLO-CHARGE-01")
def test_charges_at_what_is_not_seen() -> None:
    """A place behind the wall has sight to the target, but the target must be seen when the charge is declared."""
    state = scene({2: Rouage((1020, 900)), 4: Rouage((620, 900)), 3: Rouage((1280, 900))}, options={"bloc": "tall"})
    do(state, use(2, CHARGE))
    assert state.table().charge(2, 3).allows(1150, 1075)
    unseen = refusal(state, charge(3, 1150, 1075))
    assert (unseen.reason, unseen.details["target"]) == (Reason.NO_SIGHT, 3)
    assert unseen.message == "Pétra Kantor does not see Lida Fixture"


def test_refused_charges_by_an_effect_name_the_place() -> None:
    """The card has chosen the target, so that only the place is named."""
    rush = (
        "{id: rush, name: Rush, timing: active, freq: {n: 1, per: phase}, do: ["
        "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: attack, kind: charge, target: one}]}"
    )
    state = scene(
        {2: Rouage((400, 800)), 4: Rouage((760, 800)), 3: Rouage((400, 1100))},
        changes=(add_capacity("fx-petra", rush),),
    )
    do(state, use(2, specific(state, 2, "rush")))
    assert labels(state) == ["target Lida Fixture", "target Hynek Novotny"]
    do(state, target(4))
    assert state.decision == Decision.GO
    assert refusal(state, go(420, 900)).reason == Reason.TARGET_NOT_ENGAGED
    assert refusal(state, go(1500, 900)).reason == Reason.OUT_OF_REACH
    pending = state.game.view(state, SPECTATOR).pending
    assert [(part.kind, part.name) for part in pending][-2:] == [("effects", "Rush"), ("go", "")]
    assert list(pending[-1].rouages) == [2]


@pytest.mark.rule("OLO-SETUP-03")
def test_refused_scenery_names_the_element_that_is_too_near() -> None:
    state = asked_first(Decision.SCENERY, bloc="placed")
    first = state.game.view(state, SPECTATOR).pool[0].name
    assert labels(state)[0].startswith(f"lay {first} at (")
    do(state, scenery(0, 600, 600))
    over, near = (refusal(state, scenery(0, x, 600)) for x in (799, 803))
    assert (over.reason, over.details["element"]) == (Reason.BAD_SCENERY, 64)
    assert over.message.endswith(f" at (7.99, 6.00): it would overlap {first}")
    assert (near.reason, near.details["element"]) == (Reason.TOO_CLOSE, 64)
    assert f"nearer than 2 inches to {first}" in near.message
    edge = refusal(state, scenery(0, 3, 800))
    assert "to the edge" in edge.message and "element" not in edge.details
    assert refusal(state, scenery(0, 1590, 800)).reason == Reason.BAD_SCENERY


@pytest.mark.rule("OLO-CABAL-02")
def test_refused_picks_name_what_does_not_fit() -> None:
    state = asked_first(Decision.DRAFT, build="draft")
    assert labels(state)[0].startswith("take Pétra Kantor (rank 3, Fixture, Sécurité; T2 C4 S1 D2, ")
    pick = {name: codes.PICK(number(state.game, name)) for name in ("fx-petra", "gy-one", "fx-ota", "fx-kubik")}
    do(state, pick["fx-petra"], pick["gy-one"])
    assert refusal(state, pick["fx-ota"]).message == "the cabale already has a rouage of rank 3: Pétra Kantor"
    do(state, pick["fx-kubik"])
    other = refusal(state, codes.PICK(number(state.game, "fx-hynek"))).message
    assert "belongs to another faction than" in other
    while state.decision == Decision.DRAFT:
        do(state, legal(state)[0])
    first = parts(legal(state)[0])
    do(state, legal(state)[0])
    do(state, legal(state)[0])
    name = state.game.ruleset.profiles[state.dump()["profile"][3 * state.player_of(state.actor()) + first.b]].name
    taken = {first.a, *state.dump()["equipment"]}
    again = next(card.index for card in state.game.ruleset.gear if card.index not in taken)
    assert refusal(state, codes.EQUIP(again, first.b)).message.startswith(f"{name} already has ")


def test_names_of_equal_rouages_have_signs() -> None:
    stand = {2: Rouage((700, 800)), 6: Rouage((850, 800)), 7: Rouage((700, 950))}
    state = scene(stand, hostiles=dict.fromkeys((6, 7), "fx-idler"))
    do(state, use(2, FRONTAL))
    idler = next(card.name for card in state.game.ruleset.hostiles if card.id == "fx-idler")
    assert labels(state) == [f"target {idler} ({sign}) (4 dice, difficulty 5)" for sign in "AB"]
    assert refusal(state, target(4)).message == "Hynek Novotny is not a legal target here"


def test_instincts_say_what_their_lines_do() -> None:
    line = put("hostiles", "fx-mover", "instinct", [{"do": "move", "target": ["nearest"], "mode": "away"}])
    state = hostile_phase({6: Rouage((800, 800)), 4: Rouage((800, 1200))}, {6: "fx-mover"}, changes=(line,))
    run(state, 6)
    assert labels(state) == ["line 1 of the Instinct: move away from the nearest"]
