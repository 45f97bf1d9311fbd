"""Placements and movements by effects that the other tests of effects do not cover (section 6.7)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import POINT, add_capacity
from tests.olomoc.scenes import (
    CHARGE,
    NEAR,
    NO,
    Marker,
    Rouage,
    charge,
    do,
    figure,
    go,
    scene,
    specific,
    target,
    use,
    where,
)

STAND = {2: Rouage((700, 800)), 4: Rouage((1000, 800)), 1: Rouage((700, 1000))}
ENEMY = "{op: pick, of: {side: enemy, pick: choose}, as: one}"


def used(
    effects: str, stand: Mapping[int, Rouage] = STAND, more: str = "", markers: tuple[Marker, ...] = ()
) -> OlomocState:
    """Pétra has used a capacity with these effects; ``more`` is another capacity of hers."""
    text = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, freq: {{n: 1, per: phase}}, do: [{effects}]}}"
    changes = (add_capacity("fx-petra", text), *([add_capacity("fx-petra", more)] if more else []))
    state = scene(stand, changes=changes, markers=markers, vp=[0, 0])
    return do(state, use(2, specific(state, 2, "probe")))


def picked(state: OlomocState, element: int) -> OlomocState:
    """Picks an element; a single candidate may have been taken automatically."""
    return do(state, target(element)) if state.decision == Decision.PICK else state


@pytest.mark.rule("OLO-PLACE-02")
def test_a_spot_near_a_tag_is_that_of_the_first_element_with_it() -> None:
    marked = (Marker((300, 300)), Marker((1300, 1300)))
    x, y = where(used("{op: spawn, profile: fx-rogue, spot: {near_tag: objective}}", markers=marked), 6) or (-1, -1)
    assert abs(x - 300) < 200 and abs(y - 300) < 200


@pytest.mark.rule("OLO-PLACE-02")
def test_a_marker_that_is_moved_is_not_in_its_own_way() -> None:
    pick = "{op: pick, of: {kind: marker, tag: objective, pick: choose}, as: one}"
    state = used(f"{pick}, {{op: marker, do: move, who: one, spot: {{at: [310, 300]}}}}", markers=(Marker((300, 300)),))
    (mark,) = picked(state, 16).dump()["marks"]
    assert (mark["x"], mark["y"]) == (310, 300)


def test_a_hostile_that_appears_enters_the_board() -> None:
    answer = f"{{id: second, name: Second, timing: permanent, on: entered_bloc, optional: false, do: [{POINT}]}}"
    state = used("{op: spawn, profile: fx-rogue, spot: {at: [300, 300]}}", more=answer)
    assert where(state, 6) == (300, 300)
    assert state.dump()["vp"][0] == 1


def test_a_new_hostile_is_none_that_has_just_gone() -> None:
    """References to the removed hostile must not refer to the new one that has its number."""
    again = "{op: spawn, profile: fx-rogue, spot: {at: [300, 300]}}"
    state = used(
        f"{again}, {{op: pick, of: {{side: hostile, pick: choose}}, as: one}}, {{op: despawn, who: one}}, {again}"
    )
    picked(state, 6)
    assert where(state, 7) == (300, 300)


def test_who_is_off_the_board_can_be_placed() -> None:
    state = used("{op: pick, of: {side: ally, where: off, pick: choose}, as: one}, "
                 "{op: place, who: one, within: 2, of: self}")  # fmt: skip
    do(picked(state, 0), go(700, 600))
    assert where(state, 0) == (700, 600)


@pytest.mark.rule("OLO-OPP-06")
def test_a_move_by_an_effect_draws_opportunity_attacks() -> None:
    state = do(used("{op: move, who: self}", NEAR), go(500, 700))
    assert state.decision == Decision.OPPORTUNITY


@pytest.mark.rule("OLO-CHARGE-01", "OLO-CHARGE-02")
def test_a_charge_by_an_effect_is_a_charge() -> None:
    """Its attack has the same dice as that of a charge that is used."""
    stand = {2: Rouage((400, 800)), 4: Rouage((760, 800))}
    charged = do(scene(stand), use(2, CHARGE), charge(4, 560, 800), NO)
    state = do(picked(used(f"{ENEMY}, {{op: attack, kind: charge, target: one}}", stand), 4), go(560, 800), NO)
    assert state.pool == charged.pool is not None
    assert figure(state, 2)["attacks"] == figure(state, 2)["marches"] == 1
