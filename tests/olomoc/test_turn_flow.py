"""The turn flow in special cases: cards of lost rouages, coordination twice, separate phases (3.12 to 3.14)."""

from __future__ import annotations

import pytest

from gamepacks.api.types import Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.constants import EventKind
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision, Stat
from tests.olomoc.cardsets import add_capacity, put
from tests.olomoc.scenes import (
    AXE,
    END,
    FRONTAL,
    MARCH,
    NO,
    RANGED,
    RIPOSTE,
    Rouage,
    Script,
    advance,
    changed_to,
    do,
    figure,
    go,
    in_phase,
    legal,
    may,
    ministry,
    parts,
    plans_of,
    played,
    rolls,
    scene,
    specific,
    target,
    use,
)


@pytest.mark.rule("OLO-PHASE-09", "OLO-PHASE-03")
def test_the_card_of_a_lost_rouage_counts_with_its_rank() -> None:
    """A41: the card counts in the order and in ties, has no effect, and cannot be coordinated."""
    stand = {
        2: Rouage((700, 800)),
        1: Rouage((300, 300)),
        0: Rouage(out_of_action=True),
        4: Rouage((1200, 800)),
        3: Rouage((1200, 300)),
    }
    state = scene(stand, phase=1, against=(3, 0))
    do(state, END)
    how = Script(plans_of(state), cards=("101", "201", "101"))
    drawn = state.dump()["open_card"]
    advance(state, how, lambda s: s.dump()["phase"] == 2 and s.actor() >= 0)
    # Phase 2: both cards are of rank 1: the lost one ties all the same, and a card is drawn.
    assert plans_of(state)[0][1] == plans_of(state)[1][1] == 0
    assert len(state.dump()["discard"]) == 1 and state.dump()["open_card"] >= 0 <= drawn
    assert state.active_figures() == (3,), "the other player's rouage of rank 1 is activated, the lost one is not"
    first = played((0, 2, 1, 3, AXE), (0, 1, 2, 3, AXE), in_phase(1, Decision.ACT))
    lost = changed_to(
        first, {2: Rouage(out_of_action=True), 4: Rouage((1200, 800)), 3: Rouage((1200, 300)), 5: Rouage((1000, 300))}
    )
    shown: set[EventKind] = set()
    while lost.dump()["phase"] == 1:
        seat = lost.actor()
        code = END if END in legal(lost) else legal(lost)[0]
        trace = lost.trace_of(code, seat)
        shown |= {EventKind(entry[0]) for entry in trace if lost.dump()["phase"] == 1}
        do(lost, code)
    assert EventKind.CARD_VOID in shown
    assert (lost.dump()["active"], lost.active_figures()) == (1, (4,))


@pytest.mark.rule("OLO-COORD-05", "OLO-COORD-01")
def test_two_coordinators_may_coordinate_the_same_rouage() -> None:
    """W08: in phase 3 by the rank 2, in phase 4 by the rank 3."""
    plans = (0, 3, 1, 2, AXE), (3, 0, 1, AXE, 2)
    state = played(*plans, in_phase(3, Decision.ENTER))
    while 1 not in state.active_figures():
        do(state, legal(state)[0] if END not in legal(state) else END)
        advance(state, Script(plans), lambda s: s.decision in (Decision.ENTER, Decision.ACT))
    stand = {0: Rouage((300, 300)), 1: Rouage((300, 600)), 2: Rouage((300, 900)), 4: Rouage((1300, 300))}
    do(state, legal(state)[0])
    state = changed_to(state, stand)
    assert [parts(code).a for code in legal(state) if parts(code).verb == codes.COORD] == [0]
    do(state, codes.COORD(0), END)
    advance(state, Script(plans), lambda s: s.decision == Decision.ACT and 2 in s.active_figures())
    assert [parts(code).a for code in legal(state) if parts(code).verb == codes.COORD] == [0, 1]


@pytest.mark.rule("OLO-COORD-04")
def test_no_coordination_in_an_activation_by_an_effect() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase},
      do: [{op: pick, of: {side: ally, rank_min: 2, pick: choose}, as: one}, {op: activate, who: one}]}"""
    stand = {2: Rouage((700, 800)), 1: Rouage((400, 800)), 0: Rouage((300, 400))}
    state = scene(stand, phase=3, changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")))
    if state.decision == Decision.PICK:
        do(state, target(1))
    assert state.active_figures() == (1,)
    assert not any(parts(code).verb == codes.COORD for code in legal(state))
    do(state, END)
    assert any(parts(code).verb == codes.COORD for code in legal(state))


@pytest.mark.rule("OLO-AP-01", "OLO-AP-02")
def test_a_profile_may_have_a_number_of_its_own() -> None:
    state = scene({2: Rouage((700, 800))}, changes=(put("profiles", "fx-petra", "ap", 6),), phase=5)
    do(state, END)
    advance(state, Script(plans_of(state)), lambda s: s.dump()["cycle"] == 2 and s.decision == Decision.PLAN_MINISTRY)
    assert (figure(state, 2)["ap"], figure(state, 2)["ap_given"], figure(state, 1)["ap"]) == (6, 6, 4)


@pytest.mark.rule("OLO-CAP-07")
def test_phase_frequencies_are_renewed_in_the_hostile_phase() -> None:
    stand = {2: Rouage((700, 800)), 4: Rouage((900, 800)), 6: Rouage((900, 600))}
    options = {"riposte_limit": 1}
    state = scene(stand, phase=5, hostiles={6: "fx-rogue"}, options=options, priority=1)
    do(state, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(state, 0)
    rolls(state, 0)
    do(state, NO, use(2, FRONTAL), target(4))
    assert RIPOSTE not in legal(state), "once in the phase"
    do(state, NO)
    rolls(state, 0)
    do(state, NO, END)
    advance(state, Script(plans_of(state)), lambda s: s.decision == Decision.HOSTILE)
    do(state, codes.HOSTILE(6), codes.CHOOSE(0))
    if state.decision == Decision.HOSTILE_TARGET:
        do(state, target(4))
    assert (state.decision, RIPOSTE in legal(state)) == (Decision.REACT, True)


@pytest.mark.rule("OLO-PHASE-06", "OLO-PHASE-02")
def test_a_weak_ministry_blocks_whoever_goes_first() -> None:
    """W20: a ministry of rank 2 against a rouage of rank 3, whose player is active first and is blocked."""
    points = put("ministries", "effort", "do", [{"op": "vp", "player": "active", "n": 1}])
    plans = (0, ministry("effort"), 1, 2, 3), (0, 2, 1, 3, AXE)
    shown: list[tuple[int, ...]] = []

    def watch(state: OlomocState) -> bool:
        if state.dump()["phase"] == 1 and state.actor() >= 0:
            code = END if END in legal(state) else legal(state)[0]
            trace = state.trace_of(code, state.actor())
            if any(entry[0] == EventKind.CARD_BLOCKED for entry in trace):
                shown.extend(trace)
        return in_phase(3)(state)

    state = played(*plans, watch, changes=(points,), cards=("101",))
    assert state.dump()["vp"] == [1, 0]
    kinds = [entry[0] for entry in shown]
    assert kinds.index(EventKind.CARD_BLOCKED) < kinds.index(EventKind.MINISTRY_RESOLVED)
    revealed = next(entry for entry in shown if entry[0] == EventKind.CARDS_REVEALED)
    assert revealed[4:7] == (2, 3, 1), "ranks, and player 2 first"


@pytest.mark.rule("OLO-EOC-02", "OLO-END-03", "OLO-EOC-01")
def test_points_come_before_fiel_at_the_end_of_a_cycle() -> None:
    """Step 1 gives its points although step 2 ends the game."""
    card = """{id: probe, name: Probe, timing: permanent, on: cycle_end, optional: false,
      do: [{op: vp, player: owner, n: 4}]}"""
    state = scene({2: Rouage((700, 800), noirceur=3)}, phase=5, fiel=[2, 0], changes=(add_capacity("fx-petra", card),))
    do(state, END)
    advance(state, Script(plans_of(state)), lambda s: s.actor() == -3)
    assert state.dump()["vp"] == [4, 0] and state.returns() == (-1.0, 1.0)


@pytest.mark.rule("OLO-OPP-05")
def test_an_announced_place_that_is_taken_meanwhile() -> None:
    """The mover stays where it is, its token is spent."""
    step = """{id: probe, name: Probe, timing: permanent, on: move_announced, optional: false, freq: {n: 1, per: game},
      if: {is: {side: enemy}, of: mover}, do: [{op: place, who: self, within: 4, of: self}]}"""
    state = scene({2: Rouage((500, 500)), 4: Rouage((800, 500))}, changes=(add_capacity("fx-hynek", step),))
    do(state, use(2, MARCH), go(600, 800), go(620, 780))
    assert state.decision == Decision.ACT
    entry = figure(state, 2)
    assert (entry["x"], entry["y"], entry["ap"], entry["marches"]) == (500, 500, 3, 1)


@pytest.mark.rule("OLO-LOS-01", "OLO-LOS-04", "OLO-SHOT-02")
@pytest.mark.parametrize("seen", ["self", "one"])
def test_a_card_that_lets_nothing_block_the_sight(seen: str) -> None:
    """Sight from the rouage and to it is not blocked."""
    effect = "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: sight, who: WHO, blocks: none, for: phase}"
    card = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, do: [{effect.replace('WHO', seen)}]}}"
    wall = put("layouts", "tall", "pieces.0.at", [400, 200])
    changes = (wall, add_capacity("fx-petra", card), put("profiles", "fx-petra", "shoot", 5))
    state = scene({2: Rouage((300, 400)), 4: Rouage((700, 400))}, changes=changes, options={"bloc": "tall"})
    assert not state.sees(2, 4) and not may(state, use(2, RANGED))
    do(state, use(2, specific(state, 2, "probe")))
    if state.decision == Decision.PICK:
        do(state, target(4))
    assert state.sees(2, 4) and state.sees(4, 2)
    assert may(state, use(2, RANGED))


@pytest.mark.rule("OLO-COVER-01", "OLO-SHOT-05")
def test_a_card_that_takes_cover_away() -> None:
    """Without it the target behind the low wall costs a die."""
    effect = "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: sight, who: one, cover: none, for: phase}"
    card = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, do: [{effect}]}}"
    changes = (add_capacity("fx-petra", card), put("profiles", "fx-petra", "shoot", 5))
    stand = {2: Rouage((600, 1000)), 4: Rouage((600, 760))}
    covered = scene(stand, changes=changes, options={"bloc": "low"})
    do(covered, use(2, RANGED), target(4), NO)
    assert covered.pool == (4, 5)
    state = scene(stand, changes=changes, options={"bloc": "low"})
    do(state, use(2, specific(state, 2, "probe")))
    if state.decision == Decision.PICK:
        do(state, target(4))
    assert not state.is_covered(4)
    do(state, use(2, RANGED), target(4), NO)
    assert state.pool == (5, 5)


@pytest.mark.rule("OLO-MEAS-04", "OLO-SCEN-02")
def test_rouage_on_a_scenery_zone_is_in_the_zone() -> None:
    """A selector's zone by the tag of a piece: also on its edge."""
    effect = "{op: if, cond: {exists: {zone: mud, not_self: false}}, then: [{op: vp, player: owner, n: 1}]}"
    card = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, do: [{effect}]}}"
    bare = scene({2: Rouage((1400, 1400))}, options={"bloc": "mud"})
    mud = bare.game.view(bare, Viewer(-1)).scenery[0]
    x, y, reach = mud.corners[0].x, mud.corners[0].y, mud.radius // 127
    for distance, points in ((0, 1), (reach + 58, 1), (reach + 63, 0)):
        state = scene(
            {2: Rouage((x + distance, y))}, changes=(add_capacity("fx-petra", card),), options={"bloc": "mud"}
        )
        do(state, use(2, specific(state, 2, "probe")))
        assert state.dump()["vp"][0] == points, distance


@pytest.mark.rule("OLO-GEN-04")
@pytest.mark.parametrize(("one", "other", "dice"), [(1, -2, 2), (-2, 1, 2), (2, -1, 6), (-1, 2, 6)])
def test_of_two_sizes_of_one_name_the_larger_in_magnitude_counts(one: int, other: int, dice: int) -> None:
    effects = ", ".join(f"{{op: mod, dice: {size}, for: phase, name: A}}" for size in (one, other))
    card = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, do: [{effects}]}}"
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")), use(2, FRONTAL), target(4), NO)
    assert state.pool == (dice, 5)


@pytest.mark.rule("OLO-GEN-04")
@pytest.mark.parametrize(("other", "sum_"), [("A", 2), ("B", 3)])
def test_effects_of_one_name_do_not_add_up_whatever_they_change(other: str, sum_: int) -> None:
    """A characteristic, protection, successes that are added: 1 of a name, and 2 of the same or of another."""

    def after(effect: str) -> OlomocState:
        effects = ", ".join(
            effect.replace("SIZE", str(size)).replace("NAME", name) for size, name in ((1, "A"), (2, other))
        )
        card = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, do: [{effects}]}}"
        plain_life = put("profiles", "fx-petra", "life", "S" * 12)
        state = scene(
            {2: Rouage((700, 800)), 4: Rouage((900, 800))}, changes=(add_capacity("fx-petra", card), plain_life)
        )
        return do(state, use(2, specific(state, 2, "probe")))

    assert (
        after("{op: stat, who: self, stat: combat, add: SIZE, for: phase, name: NAME}").stat(2, Stat.COMBAT) == 4 + sum_
    )
    ward = after("{op: protect, who: self, n: SIZE, for: phase, name: NAME}")
    do(ward, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(ward, 0)
    rolls(ward, 3)
    do(ward, NO)
    assert figure(ward, 2)["ticked"] == 3 - sum_
    sure = after("{op: mod, on: {who: self}, successes: SIZE, for: phase, name: NAME}")
    do(sure, use(2, FRONTAL), target(4), NO)
    rolls(sure, 0)
    do(sure, NO, NO)
    assert figure(sure, 4)["ticked"] == sum_


@pytest.mark.rule("OLO-ENTER-01", "OLO-CAP-09")
@pytest.mark.parametrize("skipped", [False, True])
def test_a_card_that_skips_the_entry_frees_the_tokens(skipped: bool) -> None:
    """With first_token nothing that costs a token comes before the entry, unless there will be none."""
    rest = "{id: NAME, name: NAME, off_bloc: true, timing: "
    skip = rest.replace("NAME", "skip") + (
        "permanent, on: activated, optional: false, if: {same: [mover, self]}, do: [{op: skip, what: entry}]}"
    )
    dear = rest.replace("NAME", "dear") + "active, cost: {ap: 1}, do: [{op: vp, player: owner, n: 1}]}"
    changes = (add_capacity("fx-petra", dear), *([add_capacity("fx-petra", skip)] if skipped else []))
    state = played((2, 0, 1, 3, AXE), (0, 1, 2, 3, AXE), in_phase(1), changes=changes, options={"entry": "first_token"})
    assert state.active_figures() == (2,)
    assert may(state, use(2, specific(state, 2, "dear"))) == skipped
    assert may(state, use(2, 8)) == (not skipped), "8 is entering"


@pytest.mark.rule("OLO-ENTER-01")
@pytest.mark.parametrize("entry", ["compulsory", "first_token"])
def test_steps_that_a_card_skips(entry: str) -> None:
    """Without the entry the rouage stays off the board; without the activation there is no decision."""
    for what, expected in (("entry", {END}), ("activation", set())):
        skip = f"{{op: skip, what: {what}}}"
        card = f"""{{id: probe, name: Probe, timing: permanent, on: activated, off_bloc: true, optional: false,
          if: {{same: [mover, self]}}, do: [{skip}]}}"""
        state = played((2, 0, 1, 3, AXE), (0, 1, 2, 3, AXE), in_phase(1), changes=(add_capacity("fx-petra", card),),
                       options={"entry": entry})  # fmt: skip
        if expected:
            assert state.active_figures() == (2,)
            uses = {code for code in legal(state) if parts(code).verb == codes.USE}
            assert not uses
            assert END in legal(state)
        else:
            assert state.active_figures() == (3,), "the other player's card is played"
