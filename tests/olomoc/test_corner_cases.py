"""Corner cases of effects, limits and reactions (sections 3.6 to 3.9 and 6.7 of RULES.md)."""

from __future__ import annotations

import pytest

from cext.random import Rng
from gamepacks.api.types import Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import POINT, Change, add_capacity, put
from tests.olomoc.scenes import (
    CHARGE,
    DODGE,
    END,
    FRONTAL,
    MARCH,
    NEAR,
    NO,
    RANGED,
    REST,
    RIPOSTE,
    SHOOT_BACK,
    YES,
    Rouage,
    Script,
    advance,
    do,
    figure,
    go,
    in_phase,
    legal,
    may,
    parts,
    plans_of,
    played,
    rolls,
    scene,
    specific,
    target,
    use,
)

ENEMY = "{op: pick, of: {side: enemy, pick: choose}, as: one}"
ONCE = "timing: active, cost: {ap: 1}, freq: {n: 1, per: phase}"
WALL: tuple[Change, ...] = (
    put("pieces", "tall", "shape", {"poly": [[0, 0], [20, 0], [20, 400], [0, 400]]}),
    put("layouts", "tall", "pieces.0.at", [390, 200]),
)
APART = {2: Rouage((325, 400)), 4: Rouage((475, 400))}
"""Beside each other with the thin wall between them."""


def card(do_: str, rest: str = ONCE, who: str = "fx-petra", name: str = "probe") -> Change:
    return add_capacity(who, f"{{id: {name}, name: {name}, {rest}, do: [{do_}]}}")


def when(event: str, do_: str, rest: str = "optional: false", who: str = "fx-petra", name: str = "probe") -> Change:
    return card(do_, f"timing: permanent, on: {event}, {rest}", who, name)


def probe(state: OlomocState, name: str = "probe") -> OlomocState:
    return do(state, use(2, specific(state, 2, name)))


def picked(state: OlomocState, *elements: int) -> OlomocState:
    """Elements that a card selects; a single candidate may have been taken automatically."""
    for element in elements:
        if state.decision == Decision.PICK:
            do(state, target(element))
    return state


def settle(state: OlomocState, successes: int = 0) -> OlomocState:
    while state.decision in (Decision.CHANCE_POOL, Decision.FATE, Decision.TACTIC, Decision.REACT):
        rolls(state, successes) if state.decision == Decision.CHANCE_POOL else do(state, NO)
    return state


# -- effects -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-GEN-06")
def test_skip_leaves_out_the_rest_of_the_whole_capacity() -> None:
    inner = f"{{op: if, cond: {{cycle: [1]}}, then: [{POINT}, {{op: skip, what: rest}}, {POINT}]}}"
    assert probe(scene(NEAR, changes=(card(f"{inner}, {{op: vp, player: owner, n: 5}}"),))).dump()["vp"][0] == 1


@pytest.mark.rule("OLO-GEN-09")
def test_picks_of_several() -> None:
    """An effect picks the given number of elements, each once, or fewer if there are no more."""
    effect = (
        "{op: pick, of: {side: player, not_self: false, pick: choose, count: N}, as: one}, {op: ap, who: one, n: -1}"
    )
    state = scene({**NEAR, 1: Rouage((300, 300))}, changes=(card(effect.replace("N", "2")),))
    probe(state)
    assert {parts(code).a for code in legal(state)} == {1, 2, 4}
    do(state, target(1))
    assert {parts(code).a for code in legal(state)} == {2, 4}
    do(state, target(4))
    assert state.decision == Decision.ACT
    assert (figure(state, 1)["ap"], figure(state, 4)["ap"]) == (4, 3), "the last one is bound"
    many = probe(scene({**NEAR, 1: Rouage((300, 300))}, changes=(card(effect.replace("N", "9")),)))
    do(many, target(1), target(2))
    picked(many, 4)
    assert many.decision == Decision.ACT


@pytest.mark.rule("OLO-CAP-04", "OLO-CAP-03")
def test_a_free_capacity_costs_no_noirceur_either() -> None:
    dear = card(POINT, "timing: active, cost: {ap: 2, noirceur: 2}, freq: {n: 2, per: phase}", name="dear")
    free = card("{op: permit, who: self, caps: [dear], free: true, for: phase}", ONCE)
    state = probe(probe(scene(NEAR, changes=(dear, free))), "dear")
    assert (figure(state, 2)["noirceur"], figure(state, 2)["ap"]) == (0, 3)
    paid = probe(scene(NEAR, changes=(dear, free)), "dear")
    assert (figure(paid, 2)["noirceur"], figure(paid, 2)["ap"]) == (2, 2)


@pytest.mark.rule("OLO-GEN-04", "OLO-MARCH-01")
def test_further_uses_by_name() -> None:
    """Two permits with the same name give one more march; with different names, two."""
    for other, more in (("A", False), ("B", True)):
        effect = "{op: permit, who: self, caps: [march], extra: 1, for: phase, name: NAME}"
        both = f"{effect.replace('NAME', 'A')}, {effect.replace('NAME', other)}"
        state = scene({2: Rouage((700, 800), marches=2)}, changes=(card(both),))
        assert not may(state, use(2, MARCH))
        probe(state)
        do(state, use(2, MARCH), go(700, 900))
        assert may(state, use(2, MARCH)) == more


@pytest.mark.rule("OLO-OUT-01", "OLO-INV-08")
def test_effects_on_a_rouage_end_when_it_is_out() -> None:
    effect = (
        "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: stat, who: one, stat: dodge, add: 1, for: cycle}"
    )
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800), ticked=6)}, changes=(card(effect),))
    picked(probe(state), 4)
    assert len(state.dump()["lasting"]) == 1
    do(state, use(2, FRONTAL), target(4), NO)
    settle(state, 1)
    assert figure(state, 4)["where"] == 3
    assert state.dump()["lasting"] == []


def test_effects_end_with_their_attack_or_phase() -> None:
    """Effects for an attack, the next phase or the hostile phase end with it."""
    ward = when("attack_declared", "{op: protect, who: defender, n: 1, for: attack}")
    state = scene(NEAR, changes=(ward,))
    settle(do(state, use(2, FRONTAL), target(4)), 2)
    assert figure(state, 4)["ticked"] == 1 and state.dump()["lasting"] == []
    long = card("{op: mod, dice: 1, for: hostile_phase, name: A}, {op: mod, dice: 1, for: next_phase, name: B}")
    late = scene({2: Rouage((700, 800)), 6: Rouage((200, 200))}, changes=(long,), phase=4, hostiles={6: "fx-idler"})
    do(probe(late), END)
    how = Script(plans_of(late))
    advance(late, how, lambda s: s.dump()["phase"] == 5 and s.actor() >= 0)
    assert len(late.dump()["lasting"]) == 2
    advance(late, how, lambda s: s.decision == Decision.HOSTILE)
    assert len(late.dump()["lasting"]) == 1
    advance(late, how, lambda s: s.decision == Decision.PLAN_MINISTRY)
    assert late.dump()["lasting"] == []


def test_effects_that_attack() -> None:
    """A stunned rouage cannot attack and an engaged one cannot charge; a charge counts as a march; the cost is paid."""
    frontal = (
        "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: attack, kind: frontal, target: one, free: false}"
    )
    state = picked(probe(scene(NEAR, changes=(card(frontal),))), 4)
    assert (figure(state, 2)["ap"], state.decision) == (2, Decision.REACT)
    dazed = "{op: state, who: self, state: stunned, set: true}, "
    stunned = picked(probe(scene(NEAR, changes=(card(dazed + frontal),))), 4)
    assert (figure(stunned, 2)["ap"], stunned.decision) == (3, Decision.ACT)
    shot = dazed + frontal.replace("frontal", "ranged")
    away = {2: Rouage((700, 800)), 4: Rouage((1000, 800))}
    blind = picked(probe(scene(away, changes=(card(shot), put("profiles", "fx-petra", "shoot", 4)))), 4)
    assert (figure(blind, 2)["ap"], blind.decision) == (3, Decision.ACT)
    charge = f"{ENEMY}, {{op: attack, kind: charge, target: one}}"
    far = picked(probe(scene({2: Rouage((400, 800)), 4: Rouage((760, 800))}, changes=(card(charge),))), 4)
    do(far, go(560, 800))
    assert far.decision == Decision.REACT
    assert (figure(far, 2)["marches"], figure(far, 2)["attacks"]) == (1, 1)
    beset = picked(probe(scene({**NEAR, 3: Rouage((300, 300))}, changes=(card(charge),))), 4)
    assert beset.decision == Decision.ACT and figure(beset, 2)["attacks"] == 0
    counted = card("{op: move, who: self, count: true}", "timing: active, cost: {ap: 1}, freq: {n: 1, per: phase}")
    tired = scene({2: Rouage((700, 800), marches=2)}, changes=(counted,))
    probe(tired)
    assert tired.decision == Decision.ACT and figure(tired, 2)["marches"] == 2


@pytest.mark.rule("OLO-MIN-02")
def test_effects_that_run_several_hostiles() -> None:
    """Each once; a hostile run a second time in a phase has its marches and attacks anew (OLO-HOST-04)."""
    run = "{op: activate, of: {side: hostile, pick: choose}, n: 2, by: owner}"
    stand = {2: Rouage((200, 1400)), 6: Rouage((800, 300)), 7: Rouage((1200, 300))}
    state = probe(scene(stand, hostiles={6: "fx-idler", 7: "fx-idler"}, changes=(card(run),)))
    assert {parts(code).a for code in legal(state)} == {6, 7}
    do(state, target(6), legal(do(state.clone(), target(6)))[0])
    picked(state, 7)
    assert state.decision == Decision.HOSTILE_LINE and state.dump()["frames"][-1]["values"][0] == 7
    one = "{op: activate, of: {side: hostile, pick: choose}, n: 1, by: owner}"
    again = card(one, "timing: active, cost: {ap: 1}, freq: {n: 2, per: phase}")
    twice = scene({2: Rouage((700, 800)), 6: Rouage((900, 800))}, hostiles={6: "fx-rogue"}, changes=(again,))
    for _ in range(2):
        picked(probe(twice), 6)
        acts = 0
        while twice.decision == Decision.HOSTILE_LINE:
            do(twice, legal(twice)[0])
            if twice.decision == Decision.HOSTILE_TARGET:
                do(twice, legal(twice)[0])
            settle(twice)
            acts += 1
        assert acts == 2


@pytest.mark.parametrize(
    ("cond", "holds"),
    [
        ("{engages: self, of: one}", False), ("{engages: one, of: self}", True), ("{free: one}", True),
        ("{used: {caps: [rest], max: 0}}", False), ("{used: {caps: [rest], max: 1}}", True),
        ("{used: {caps: [march], max: 0}}", True), ("{used: {caps: [rest, march], max: 0}}", False),
        ("{phase: [1]}", True), ("{phase: [2, 3]}", False), ("{cycle: [2]}", False), ("{contact: [self, one]}", False),
        ("{within: [self, one, 1]}", True), ("{within: [self, one, 0.5]}", False),
        ("{rank_cmp: [one, '<', self]}", True),
    ],
)  # fmt: skip
def test_conditions_that_look_at_others(cond: str, holds: bool) -> None:
    """Pétra, who has rested and whom the card stuns, stands beside Hynek."""
    effect = f"""{{op: pick, of: {{side: enemy, pick: choose}}, as: one}},
      {{op: state, who: self, state: stunned, set: true}}, {{op: if, cond: {cond}, then: [{POINT}]}}"""
    state = scene({2: Rouage((700, 800), noirceur=1), 4: Rouage((900, 800))}, changes=(card(effect),))
    do(state, use(2, REST), codes.REST(2, 0))
    assert picked(probe(state), 4).dump()["vp"][0] == int(holds)


@pytest.mark.parametrize(("pick", "hit"), [("farthest", {6}), ("nearest", {1}), ("highest_rank", {4, 1})])
def test_picks_by_distance_and_rank(pick: str, hit: set[int]) -> None:
    stand = {
        2: Rouage((700, 800)),
        1: Rouage((700, 1000)),
        4: Rouage((1000, 800)),
        6: Rouage((700, 1500)),
        0: Rouage((700, 400)),
    }
    of = ", of: self" if "est" in pick and "rank" not in pick else ""
    effect = f"""{{op: each, of: {{side: any, pick: {pick}{of}}}, as: each,
      do: [{{op: state, who: each, state: stunned, set: true}}]}}"""
    state = probe(scene(stand, hostiles={6: "fx-idler"}, changes=(card(effect),)))
    assert {entry["index"] for entry in state.dump()["figures"] if entry["states"]} == hit


def test_hostile_belongs_to_no_player() -> None:
    """A hostile belongs to no player, so an effect that gives something to its player gives nothing."""
    effect = "{op: pick, of: {side: hostile, pick: choose}, as: one}, {op: vp, player: of(one), n: 3}"
    state = scene({2: Rouage((700, 800)), 6: Rouage((1000, 800))}, hostiles={6: "fx-idler"}, changes=(card(effect),))
    assert picked(probe(state), 6).dump()["vp"] == [0, 0]


# -- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-REST-01", "OLO-LOS-05", "OLO-STUN-02")
def test_targets_of_a_rest() -> None:
    """An ally behind a wall cannot be rested, and a stunned rouage can rest only itself."""
    behind = {2: Rouage((325, 400), noirceur=1), 1: Rouage((475, 400), noirceur=1)}
    state = do(scene(behind, changes=WALL, options={"bloc": "tall"}), use(2, REST))
    assert legal(state) == [codes.REST(2, 0)]
    dazed = scene({2: Rouage((700, 800), stunned=True, noirceur=1), 1: Rouage((900, 800), stunned=True, noirceur=2)})
    assert legal(do(dazed, use(2, REST))) == [codes.REST(2, 1)]


@pytest.mark.rule("OLO-LOS-05")
def test_targets_of_capacities_are_seen() -> None:
    rest = f"{ONCE}, SIGHT target: {{side: enemy, within: 4, of: self, pick: choose}}"
    for sight, offered in (("", False), ("sight: false,", True)):
        change = card(POINT, rest.replace("SIGHT", sight))
        state = scene(APART, changes=(*WALL, change), options={"bloc": "tall"})
        assert may(state, use(2, specific(state, 2, "probe"))) == offered


@pytest.mark.rule("OLO-STUN-02", "OLO-CAP-09")
def test_stunned_and_off_board_rouages_use_few_capacities() -> None:
    """A stunned rouage uses none; one off the board only capacities that say so and, with first_token, none that costs
    tokens."""
    state = scene({2: Rouage((700, 800), stunned=True)}, changes=(card(POINT),))
    assert not may(state, use(2, specific(state, 2, "probe")))
    free = "timing: active, freq: {n: 1, per: phase}"
    changes = (card(POINT, free, name="inside"), card(POINT, f"{free}, off_bloc: true", name="outside"),
               card(POINT, f"{ONCE}, off_bloc: true", name="dear"))  # fmt: skip
    off = played((2, 0, 1, 3, 15), (3, 0, 1, 2, 15), in_phase(1, Decision.ACT), changes=changes,
                 options={"entry": "first_token"})  # fmt: skip
    offered = {name: may(off, use(2, specific(off, 2, name))) for name in ("inside", "outside", "dear")}
    assert offered == {"inside": False, "outside": True, "dear": False}


@pytest.mark.rule("OLO-RIPO-02", "OLO-REACT-01")
def test_which_reactions_are_possible() -> None:
    """An engaged rouage cannot shoot back; after a riposte only a dodge is possible, after a specific reaction
    nothing."""
    permit = card("{op: permit, who: self, caps: [ranged], ignore: [engaged], for: phase}", ONCE, "fx-hynek")
    shot = scene({1: Rouage((400, 400), card="fx-hynek"), 4: Rouage((700, 400)), 0: Rouage((700, 600))}, active=1,
                 changes=(permit,))  # fmt: skip
    do(shot, use(1, specific(shot, 1, "probe")), use(1, RANGED), target(4))
    assert SHOOT_BACK not in legal(shot) and DODGE in legal(shot)
    both = scene(NEAR, options={"reaction_limit": "both"})
    do(both, use(2, FRONTAL), target(4), RIPOSTE)
    assert legal(both) == [NO, DODGE]
    own = when("reaction", POINT, "cost: {ap: 1}, if: {same: [defender, self]}", "fx-hynek")
    alone = scene(NEAR, options={"reaction_limit": "both"}, changes=(own,))
    do(alone, use(2, FRONTAL), target(4))
    do(alone, next(code for code in legal(alone) if parts(code).verb == codes.REACT and parts(code).a >= 16))
    assert alone.decision == Decision.CHANCE_POOL


@pytest.mark.rule("OLO-ROLL-08", "OLO-GEN-08")
@pytest.mark.parametrize(
    ("on", "possible"),
    [
        ("role: defender, caps: [riposte]", {DODGE}), ("role: defender, caps: [dodge]", {RIPOSTE}),
        ("role: defender", set()), ("role: attacker", {DODGE, RIPOSTE}),
    ],
)  # fmt: skip
def test_a_reaction_without_dice_is_not_offered(on: str, possible: set[int]) -> None:
    """An effect that takes dice from the defender's rolls does not change the dice of its own attacks."""
    curse = add_capacity(
        "fx-hynek",
        f"{{id: probe, name: probe, timing: permanent, do: [{{op: mod, on: {{{on}}}, dice: -9, for: game}}]}}",
    )
    state = do(scene(NEAR, changes=(curse,)), use(2, FRONTAL), target(4))
    if not possible:
        assert state.decision == Decision.CHANCE_POOL, "nobody is asked"
    else:
        assert set(legal(state)) == {NO, *possible}


@pytest.mark.rule("OLO-FATE-01", "OLO-FATE-03")
def test_only_active_rouages_tempt_fate() -> None:
    """A rouage of the other player rolls or attacks by a capacity during this activation."""
    roll = when("moved", "{op: roll, stat: technique, then: [{op: vp, player: owner, n: successes}]}",
                "optional: false, freq: {n: 1, per: phase}", "fx-hynek")  # fmt: skip
    state = scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=(roll,))
    rolls(do(state, use(2, MARCH), go(700, 900)), 1)
    assert state.decision == Decision.ACT and state.dump()["vp"] == [0, 1]
    strike = when("moved", "{op: attack, kind: frontal, target: mover}", "optional: false, freq: {n: 1, per: phase}",
                  "fx-hynek")  # fmt: skip
    fight = scene({2: Rouage((600, 800)), 4: Rouage((900, 800))}, changes=(strike,))
    do(fight, use(2, MARCH), go(700, 800))
    assert (fight.decision, fight.actor()) == (Decision.REACT, fight.seat_of(0))
    rolls(do(fight, NO), 0)
    assert fight.decision == Decision.ACT


@pytest.mark.rule("OLO-FATE-02")
def test_fate_is_tempted_once_in_a_roll_of_a_capacity() -> None:
    roll = card("{op: roll, stat: technique, then: [{op: vp, player: owner, n: successes}]}")
    state = rolls(probe(scene(NEAR, changes=(roll,))), 0)
    rolls(do(state, YES), 1)
    assert state.decision == Decision.ACT
    assert (state.dump()["vp"][0], figure(state, 2)["noirceur"]) == (1, 1)


@pytest.mark.rule("OLO-OPP-04")
@pytest.mark.parametrize("priority", [0, 1])
def test_the_priority_holder_seizes_first(priority: int) -> None:
    """A hostile leaves the zones of both players' rouages."""
    away = put("hostiles", "fx-mover", "instinct", [{"do": "move", "mode": "away", "target": ["nearest"]}])
    run = card("{op: activate, of: {side: hostile, pick: choose}, n: 1, by: owner}")
    stand = {2: Rouage((980, 480)), 4: Rouage((980, 320)), 6: Rouage((800, 400))}
    state = scene(stand, hostiles={6: "fx-mover"}, changes=(away, run), priority=priority)
    picked(probe(state), 6)
    do(state, legal(state)[0])
    if state.decision == Decision.HOSTILE_TARGET:
        do(state, legal(state)[0])
    do(state, min(legal(state), key=lambda code: parts(code).x))
    assert (state.decision, state.player_of(state.actor())) == (Decision.OPPORTUNITY, priority)
    do(state, NO)
    assert (state.decision, state.player_of(state.actor())) == (Decision.OPPORTUNITY, 1 - priority)


@pytest.mark.rule("OLO-NOIR-03")
def test_staying_in_contact_with_tainted_scenery() -> None:
    """Only coming into contact counts, with pieces as with markers."""
    bare = scene({2: Rouage((1400, 1400))}, options={"bloc": "mud"})
    pit = next(piece for piece in bare.game.view(bare, Viewer(-1)).scenery if piece.tainted)
    x, y, touching = pit.corners[0].x, pit.corners[0].y, (pit.radius + 7500) // 127 + 1
    state = scene({2: Rouage((x + touching + 200, y))}, options={"bloc": "mud"})
    do(state, use(2, MARCH), go(x + touching, y))
    assert figure(state, 2)["noirceur"] == 1
    do(state, use(2, MARCH), go(x + touching, y + 10))
    assert figure(state, 2)["noirceur"] == 1


# -- triggers ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-OUT-05", "OLO-GEN-02")
def test_rouage_out_of_action_triggers_on_its_own_loss_only() -> None:
    """The riposte puts Pétra out of action: capacities on her loss trigger, those on the end of her attack do not."""
    for event, names, points in (("out", "[victim, self]", 1), ("attack_end", "[attacker, self]", 0)):
        change = when(event, POINT, f"optional: false, if: {{same: {names}}}")
        state = scene({2: Rouage((700, 800), ticked=6), 4: Rouage((900, 800))}, changes=(change,))
        do(state, use(2, FRONTAL), target(4), RIPOSTE)
        rolls(state, 0)
        rolls(state, 1)
        do(state, NO)
        assert figure(state, 2)["where"] == 3
        assert state.dump()["vp"][0] == points, event


@pytest.mark.rule("OLO-GEN-02", "OLO-CAP-03")
def test_waiting_triggers_are_checked_again_in_their_turn() -> None:
    """Two capacities cost the last token: the second one cannot be paid."""
    rest = "optional: false, cost: {ap: 1}, if: {same: [mover, self]}, freq: {n: 1, per: phase}"
    changes = (when("moved", POINT, rest, name="one"), when("moved", POINT, rest, name="two"))
    state = scene({2: Rouage((700, 800), ap=2)}, changes=changes)
    do(state, use(2, MARCH), go(700, 900), codes.FIRST(0))
    assert state.decision == Decision.ACT
    assert (state.dump()["vp"][0], figure(state, 2)["ap"]) == (1, 0)


@pytest.mark.rule("OLO-GEN-02")
@pytest.mark.parametrize("bearer", ["agenda", "hostile"])
def test_triggers_without_an_owner_come_first(bearer: str) -> None:
    """A rule of the agenda, or a hostile's capacity, before those of the priority holder."""
    first = {"id": "first", "name": "First", "timing": "permanent", "on": "moved", "optional": False,
             "freq": {"n": 1, "per": "phase"}, "do": [{"op": "token", "name": "turns", "set": 1}]}  # fmt: skip
    if bearer == "agenda":
        del first["freq"]
        change = put("agendas", "points", "rules", [first])
    else:
        change = put("hostiles", "fx-idler", "capacities", [first])
    own = when("moved", f"{{op: if, cond: {{cmp: [{{token: turns}}, '>=', 1]}}, then: [{POINT}]}}")
    state = scene({2: Rouage((700, 800)), 6: Rouage((200, 200))}, hostiles={6: "fx-idler"}, changes=(change, own),
                  options={"agenda": "points"}, priority=0)  # fmt: skip
    do(state, use(2, MARCH), go(700, 900))
    assert state.dump()["vp"][0] == 1


@pytest.mark.rule("OLO-THREAT-05")
def test_entered_concerns_both_rouages_of_the_threat_zone() -> None:
    """Hynek enters Dominik's zone: capacities of Dominik and Hynek trigger, those of Pétra do not."""
    changes = tuple(
        when("entered", f"{{op: vp, player: owner, n: {points}}}", who=who, name=f"by-{points}")
        for who, points in (("fx-petra", 1), ("fx-dominik", 3), ("fx-hynek", 5))
    )
    stand = {4: Rouage((1200, 800)), 1: Rouage((900, 800)), 2: Rouage((300, 300)), 0: Rouage((300, 1300))}
    state = scene(stand, active=4, changes=changes, vp=[0, 0])
    do(state, use(4, MARCH), go(1100, 800))
    while state.decision == Decision.ORDER:
        do(state, legal(state)[0])
    assert state.dump()["vp"] == [3, 5]


@pytest.mark.rule("OLO-CAP-02")
@pytest.mark.parametrize(("per", "again"), [("cycle", True), ("game", False)])
def test_frequencies_of_the_cycle_end_with_it(per: str, again: bool) -> None:
    state = scene({2: Rouage((700, 800))}, changes=(card(POINT, f"timing: active, freq: {{n: 1, per: {per}}}"),))
    do(probe(state), END)
    how = Script(plans_of(state))
    advance(state, how, lambda s: s.dump()["cycle"] == 2 and s.decision == Decision.ACT and 2 in s.active_figures())
    assert may(state, use(2, specific(state, 2, "probe"))) == again


@pytest.mark.rule("OLO-ROLL-07")
def test_the_best_dice_are_kept_when_some_are_rolled_again() -> None:
    """Of four dice with three successes, two are removed: the failure and one success."""
    again = when("rolled", "{op: reroll, max: 2}", "freq: {n: 1, per: phase}")
    state = scene(NEAR, changes=(again,))
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 3)
    do(state, NO, YES)
    assert state.pool == (2, 5)
    rolls(state, 0)
    do(state, NO)
    assert figure(state, 4)["ticked"] == 2


@pytest.mark.rule("OLO-MECH-05")
def test_no_capacity_changes_what_the_start_mechanism_does() -> None:
    """Points by Technique: with the card's die in a Mechanism of a tie, without it in that of the start."""
    study = [{"op": "each", "of": {"side": "player", "where": "any", "rank_min": 3}, "as": "each", "do": [
        {"op": "vp", "player": "of(each)", "n": {"stat": "technique", "of": "each"}}]}]  # fmt: skip
    changes = (put("artefacts", "stun", "do", study),
               card("{op: stat, who: self, stat: technique, add: 3, for: game}",
                    "timing: permanent, off_bloc: true"))  # fmt: skip
    start = played((2, 0, 1, 3, 15), (0, 2, 1, 3, 15), in_phase(1), changes=changes, cards=("102", "101"))
    assert start.dump()["vp"] == [2, 2]
    tie = played((0, 2, 1, 3, 15), (0, 1, 2, 3, 15), in_phase(1), changes=changes, cards=("101", "102"))
    assert tie.dump()["vp"] == [5, 2]


# -- what is known -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-PLAN-04")
def test_a_card_that_was_looked_at_stays_known() -> None:
    """The card stays known when it is moved and in resampled states of the viewer; the spectator does not know it."""
    peek = card("{op: plan, do: peek, player: opponent, slots: [4]}", name="peek")
    swap = card("{op: plan, do: swap, player: opponent, slots: [2, 4]}", name="swap")
    state = probe(scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=(peek, swap)), "peek")
    known = state.dump()["plan"][6 + 4]
    rng = Rng(3)
    assert all(state.resample(0, rng).dump()["plan"][6 + 4] == known for _ in range(20))
    assert len({state.resample(-1, rng).dump()["plan"][6 + 4] for _ in range(40)}) > 1
    probe(state, "swap")
    assert (state.dump()["plan"][6 + 2], state.dump()["peeked"]) == (known, [0, 1 << 2])
    plan = state.game.view(state, Viewer(0)).players[1].plan
    assert [slot.HasField("card") for slot in plan] == [True, True, False, False, False]
    for _ in range(20):
        drawn = state.resample(0, rng)
        assert drawn.dump()["plan"][6 + 2] == known
        assert state.game.view(drawn, Viewer(0)) == state.game.view(state, Viewer(0))


def test_a_spectators_hands_agree_with_what_was_shown() -> None:
    """In the second cycle, played ministries are in no hand of a resampled state, and stay where they were played."""
    one, other = (0, 1, 13, 2, 3), (0, 1, 2, 3, 15)
    state = played(one, other, lambda s: s.dump()["cycle"] == 2 and s.dump()["phase"] == 1 and s.actor() >= 0)
    before = state.dump()
    seen, rng = state.game.view(state, Viewer(-1)), Rng(9)
    hands = set()
    for _ in range(60):
        dump = state.resample(-1, rng).dump()
        assert dump["used"] == before["used"] and dump["fallen"] == before["fallen"]
        for player in range(2):
            whole = dump["hand"][player] | dump["used"][player]
            laid = [card for card in dump["plan"][6 * player + 1 : 6 * player + 6] if card >= 8]
            assert not dump["hand"][player] & dump["used"][player]
            assert (whole | 1 << (laid[0] - 8)).bit_count() == 4 and whole.bit_count() == 3
            assert not (dump["hand"][player] | dump["used"][player]) & 1 << dump["fallen"]
        hands.add((dump["hand"][0], dump["hand"][1]))
        assert state.game.view(state.resample(-1, rng), Viewer(-1)) == seen
    assert len(hands) > 5


@pytest.mark.rule("OLO-LIFE-06", "OLO-CAP-06")
def test_a_reaction_that_wounds_is_an_attack() -> None:
    """Pétra's next box is reinforced: one wound of an attack ticks nothing."""
    thorns = "cost: {ap: 1}, attack: other, if: {same: [defender, self]}"
    state = scene(NEAR, changes=(when("reaction", "{op: wound, who: attacker, n: 1}", thorns, "fx-hynek"),))
    do(state, use(2, FRONTAL), target(4))
    do(state, next(code for code in legal(state) if parts(code).verb == codes.REACT and parts(code).a >= 16))
    assert (figure(state, 2)["ticked"], figure(state, 4)["attacks"]) == (0, 1)


@pytest.mark.rule("OLO-GEO-76", "OLO-GEO-63")
def test_every_foe_that_may_be_charged_is_listed() -> None:
    """Nine foes stand around a rouage: each has places in the list, which keeps its maximum length."""
    ring = [(1100, 800), (1020, 1020), (800, 1100), (580, 1020), (500, 800), (580, 580), (800, 500), (1020, 580)]
    stand = {2: Rouage((800, 800)), **{6 + turn: Rouage(at) for turn, at in enumerate(ring)}}
    state = scene(stand, hostiles={6 + turn: "fx-idler" for turn in range(len(ring))})
    do(state, use(2, CHARGE))
    listed = legal(state)
    assert {parts(code).a for code in listed} == {6 + turn for turn in range(len(ring))}
    assert len(listed) <= 640 and listed == sorted(set(listed))
    assert all(may(state, code) for code in listed[::7])
