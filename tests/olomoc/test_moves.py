"""Marches, opportunity attacks, pushes, entering (sections 3.4, 3.8, 3.13; worked examples W14, W15, W22, W24)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import Change, add_capacity, put
from tests.olomoc.scenes import (
    END,
    MARCH,
    NO,
    YES,
    Marker,
    Rouage,
    Script,
    advance,
    changed_to,
    do,
    figure,
    game,
    go,
    legal,
    may,
    parts,
    plan,
    refusal,
    rolls,
    scene,
    specific,
    use,
    where,
)

ENGAGED = {2: Rouage((500, 500)), 4: Rouage((700, 500))}


@pytest.mark.rule("OLO-OPP-01", "OLO-OPP-02", "OLO-OPP-05", "OLO-OUT-03", "OLO-TRAQ-01", "OLO-ACT-02")
def test_mover_that_leaves_a_threat_zone_is_attacked_first() -> None:
    """W14: a rouage that is put out of action does not move; any other one must."""
    state = scene(ENGAGED | {2: Rouage((500, 500), ticked=6)})
    do(state, use(2, MARCH), go(480, 500))
    assert (state.decision, state.actor()) == (Decision.OPPORTUNITY, state.seat_of(1))
    assert sorted(legal(state)) == sorted([NO, YES])
    do(state, YES)
    assert state.pool == (3, 5)
    assert figure(state, 4)["ap"] == 3
    rolls(state, 2)
    assert where(state, 2) is None
    assert state.dump()["traque"] == 1
    assert figure(state, 4)["noirceur"] == 1
    assert figure(state, 4)["attacks"] == 0
    assert 2 not in state.active_figures()
    alive = scene(ENGAGED)
    do(alive, use(2, MARCH), go(480, 500), YES)
    rolls(alive, 1)
    assert where(alive, 2) == (480, 500)
    assert alive.decision == Decision.ACT
    declined = scene(ENGAGED)
    do(declined, use(2, MARCH), go(480, 500), NO)
    assert where(declined, 2) == (480, 500)
    assert figure(declined, 4)["ap"] == 4


@pytest.mark.rule("OLO-OPP-02", "OLO-OPP-05")
def test_an_opportunity_attack_is_rolled_again() -> None:
    """A card that rolls failures again does so with the difficulty of the attack."""
    card = """{id: probe, name: Probe, timing: permanent, on: rolled, freq: {n: 1, per: cycle},
      if: {same: [attacker, self]}, do: [{op: reroll, failures_only: true}]}"""
    stand = ENGAGED | {2: Rouage((500, 500), ticked=1), 3: Rouage((500, 700))}
    state = scene(stand, changes=(add_capacity("fx-hynek", card),))
    do(state, use(2, MARCH), go(480, 500), YES)
    assert state.pool == (3, 4), "supported"
    rolls(state, 1)
    assert (state.decision, state.actor()) == (Decision.TRIGGER, state.seat_of(1))
    do(state, YES)
    assert state.pool == (2, 4), "the two failures"
    rolls(state, 2)
    assert figure(state, 2)["ticked"] == 4
    assert where(state, 2) == (480, 500)


@pytest.mark.rule("OLO-OPP-01", "OLO-THREAT-05")
def test_staying_in_the_zone_opens_no_window() -> None:
    state = scene(ENGAGED)
    do(state, use(2, MARCH), go(482, 500))
    assert state.decision == Decision.ACT
    assert where(state, 2) == (482, 500)


@pytest.mark.rule("OLO-OPP-02")
def test_an_opportunity_attack_is_supported() -> None:
    state = scene(ENGAGED | {3: Rouage((500, 700))})
    do(state, use(2, MARCH), go(480, 500), YES)
    assert state.pool == (3, 4)


@pytest.mark.rule("OLO-OPP-03")
@pytest.mark.parametrize("foe", [Rouage((700, 500), stunned=True), Rouage((700, 500), ap=0)])
def test_rouages_that_cannot_make_an_opportunity_attack(foe: Rouage) -> None:
    state = scene(ENGAGED | {4: foe})
    do(state, use(2, MARCH), go(480, 500))
    assert state.decision == Decision.ACT


@pytest.mark.rule("OLO-OPP-03", "OLO-LOS-05")
@pytest.mark.parametrize(("bloc", "asked"), [("tall", Decision.ACT), ("bare", Decision.OPPORTUNITY)])
def test_no_opportunity_attack_without_line_of_sight(bloc: str, asked: Decision) -> None:
    """Around a corner a rouage is in the threat zone, but out of sight."""
    wall = (put("pieces", "tall", "shape", {"poly": [[0, 0], [20, 0], [20, 400], [0, 400]]}),
            put("layouts", "tall", "pieces.0.at", [390, 200]))  # fmt: skip
    state = scene({2: Rouage((325, 400)), 4: Rouage((475, 400))}, changes=wall, options={"bloc": bloc})
    assert state.is_engaged(2)
    do(state, use(2, MARCH), go(200, 400))
    assert state.decision == asked


@pytest.mark.rule("OLO-OPP-04", "OLO-REACT-02", "OLO-HOST-05")
def test_the_order_of_opportunity_attacks() -> None:
    """W15: hostiles attack first, automatically, then the players; once the mover is out, no further attack is
    offered."""
    stand = {2: Rouage((500, 500), ticked=6), 3: Rouage((500, 700)), 4: Rouage((700, 500)), 6: Rouage((500, 300))}
    state = scene(stand, hostiles={6: "fx-idler"})
    do(state, use(2, MARCH), go(400, 520))
    assert state.decision == Decision.CHANCE_POOL
    rolls(state, 0)
    assert state.actor() == state.seat_of(1)
    if state.decision == Decision.ORDER:
        do(state, legal(state)[0])
    assert state.decision == Decision.OPPORTUNITY
    do(state, YES)
    rolls(state, 3)
    assert where(state, 2) is None
    assert state.decision != Decision.OPPORTUNITY, "nobody is asked about a mover that is out"


@pytest.mark.rule("OLO-OPP-06", "OLO-PUSH-02")
def test_placements_and_pushes_open_no_window() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, do: [{op: OP, who: self}]}"""
    for op, goal in (("push", (480, 500)), ("place, within: 2, of: self", (400, 500))):
        state = scene(ENGAGED, changes=(add_capacity("fx-petra", card.replace("OP, who: self", f"{op}, who: self")),))
        do(state, use(2, specific(state, 2, "probe")))
        assert state.decision == Decision.PUSH
        do(state, go(*goal))
        assert state.decision == Decision.ACT
        assert where(state, 2) == goal


@pytest.mark.rule("OLO-MARCH-01", "OLO-MOVE-05", "OLO-MOVE-07")
def test_two_marches_in_a_phase_cost_a_token_each() -> None:
    """G11: 4.28 inches with the movement ruler; two in a phase, a token each."""
    state = scene({2: Rouage((400, 800))})
    do(state, use(2, MARCH))
    assert state.decision == Decision.GO
    assert may(state, go(828, 800))
    assert not may(state, go(829, 800))
    assert refusal(state, go(400, 800)).reason == Reason.SAME_PLACE
    assert refusal(state, go(829, 800)).reason == Reason.OUT_OF_REACH
    assert refusal(state, go(430, 1600)).reason == Reason.OFF_BOARD
    do(state, go(828, 800), use(2, MARCH), go(1200, 800))
    assert where(state, 2) == (1200, 800)
    assert figure(state, 2)["ap"] == 2
    assert not may(state, use(2, MARCH))
    assert refusal(state, use(2, MARCH)).reason == Reason.USED_UP


@pytest.mark.rule("OLO-MOVE-04", "OLO-COMP-06")
def test_places_that_are_taken() -> None:
    state = scene(
        {2: Rouage((400, 800)), 1: Rouage((700, 800))}, markers=[Marker((400, 1000))], options={"bloc": "low"}
    )
    do(state, use(2, MARCH))
    assert refusal(state, go(700, 800)).reason == Reason.OVERLAPS_ROUAGE
    assert refusal(state, go(400, 1000)).reason == Reason.OVERLAPS_MARKER
    assert refusal(state, go(600, 600)).reason == Reason.OVERLAPS_SCENERY


@pytest.mark.rule("OLO-COMP-01")
def test_the_board_is_sixteen_inches() -> None:
    state = scene({2: Rouage((1400, 800))})
    do(state, use(2, MARCH))
    assert may(state, go(1540, 800))
    assert refusal(state, go(1541, 800)).reason == Reason.OFF_BOARD


@pytest.mark.rule("OLO-PUSH-03", "OLO-PUSH-04", "OLO-DIR-01", "OLO-DIR-03")
def test_pushes_have_a_chooser_and_a_direction() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1},
      target: {side: foe, within: 4, of: self, pick: choose}, do: [{op: push, who: target, dir: DIR, of: self}]}"""
    for word, legal_goal, illegal_goal in (("away", (760, 500), (650, 500)), ("towards", (650, 500), (760, 500))):
        state = scene(ENGAGED, changes=(add_capacity("fx-petra", card.replace("DIR", word)),))
        do(state, use(2, specific(state, 2, "probe")))
        do(state, *[code for code in legal(state) if parts(code).a == 4])
        assert (state.decision, state.actor()) == (Decision.PUSH, state.seat_of(0))
        assert may(state, go(*legal_goal))
        assert refusal(state, go(*illegal_goal)).reason == Reason.WRONG_DIRECTION
        assert not may(state, NO) and NO not in legal(state), "it is made where it can be"
        do(state, go(*legal_goal))
        assert where(state, 4) == legal_goal


@pytest.mark.rule("OLO-NOIR-03", "OLO-NOIR-05", "OLO-SCEN-03")
def test_contact_with_something_tainted() -> None:
    """W24: one Noirceur on coming into contact; none for the corrupted, none for staying."""
    marker = [Marker((900, 300), size=40, tainted=True)]
    state = scene({2: Rouage((700, 300))}, markers=marker)
    do(state, use(2, MARCH), go(760, 300))
    assert figure(state, 2)["noirceur"] == 0
    do(state, use(2, MARCH), go(762, 300))
    assert figure(state, 2)["noirceur"] == 1
    staying = scene({2: Rouage((762, 300))}, markers=marker)
    do(staying, use(2, MARCH), go(762, 310))
    assert figure(staying, 2)["noirceur"] == 0
    corrupted = scene({2: Rouage((700, 300), noirceur=3)}, markers=marker)
    do(corrupted, use(2, MARCH), go(762, 300))
    assert figure(corrupted, 2)["noirceur"] == 3
    assert corrupted.dump()["fiel"] == [0, 0]
    clean = scene({2: Rouage((700, 300))}, markers=[Marker((900, 300), size=40)])
    do(clean, use(2, MARCH), go(762, 300))
    assert figure(clean, 2)["noirceur"] == 0


def entering(*changes: Change, stunned: bool = False, ap: int = 4, **options: object) -> OlomocState:
    """Pétra is activated off the board, in the first phase."""
    state = game(*changes, **options).initial_state()
    how = Script((plan(2), plan(3)))
    advance(state, how, lambda s: s.decision == Decision.PLAN_MINISTRY)
    state = changed_to(state, {2: Rouage(ap=ap, stunned=stunned)})
    return advance(state, how, lambda s: s.dump()["phase"] == 1 and s.decision in (Decision.ENTER, Decision.ACT))


@pytest.mark.rule("OLO-ENTER-01", "OLO-ENTER-02", "OLO-ENTER-03", "OLO-CAP-09")
def test_entering_costs_a_token_and_is_no_march() -> None:
    """W22: the rouage enters at once, for a token, by the ruler from its line; this is not a march."""
    state = entering()
    assert state.decision == Decision.ENTER
    south = state.dump()["line"][0] == 2
    near, far = (300, 370) if south else (1300, 1230)
    assert may(state, go(800, near))
    assert not may(state, go(800, far))
    assert NO not in legal(state)
    do(state, go(800, near))
    assert where(state, 2) == (800, near)
    entry = figure(state, 2)
    assert (entry["ap"], entry["marches"]) == (3, 0)
    assert may(state, use(2, MARCH))


@pytest.mark.rule("OLO-ENTER-01", "OLO-STUN-04")
def test_entering_stunned_and_without_tokens() -> None:
    stunned = entering(stunned=True)
    assert stunned.decision == Decision.ENTER
    do(stunned, next(code for code in legal(stunned) if parts(code).verb == codes.GO))
    assert {parts(code).b for code in legal(stunned) if parts(code).verb == codes.USE} <= {0}
    empty = entering(ap=0)
    assert empty.decision == Decision.ACT
    assert legal(empty) == [END]


@pytest.mark.rule("OLO-ENTER-01")
def test_entering_with_the_first_token() -> None:
    state = entering(entry="first_token")
    assert state.decision == Decision.ACT
    uses = {parts(code).b for code in legal(state) if parts(code).verb == codes.USE}
    assert uses == {8}
    assert END in legal(state)
    do(state, use(2, 8))
    assert state.decision == Decision.ENTER


@pytest.mark.rule("OLO-ENTER-04")
def test_entering_into_contact_with_something_tainted() -> None:
    state = entering(bloc="mud")
    assert state.dump()["line"][0] == 2, "the south, where the pit is"
    apart = do(state.clone(), go(700, 240))
    do(state, go(400, 240))
    assert (figure(state, 2)["noirceur"], figure(apart, 2)["noirceur"]) == (1, 0)


@pytest.mark.rule("OLO-MEAS-01", "OLO-LOS-02")
def test_everything_can_be_measured() -> None:
    """Measurements work for any viewer; an element off the board is not seen."""
    state = scene({2: Rouage((400, 400)), 4: Rouage((700, 800)), 3: Rouage()})
    table = state.table()
    assert table.gap(2, 4) == pytest.approx(3.8189, abs=1e-4)
    assert table.sight(2, 4)
    assert not table.present >> 3 & 1
