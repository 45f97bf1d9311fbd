"""Interactions of rules: effects of both players, attacks in parts, hostiles under effects, ignored conditions (3.6,
6.7)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision, Stat
from tests.olomoc.cardsets import POINT, Change, active, add_capacity, on_all, put, trigger
from tests.olomoc.scenes import (
    AXE,
    CHARGE,
    DODGE,
    END,
    FRONTAL,
    MARCH,
    NEAR,
    NO,
    REST,
    RIPOSTE,
    YES,
    Rouage,
    Script,
    advance,
    changed_to,
    charge,
    do,
    figure,
    go,
    hostile_phase,
    in_phase,
    legal,
    may,
    ministry,
    parts,
    plans_of,
    played,
    rolls,
    run,
    scene,
    settled,
    specific,
    target,
    use,
    where,
)

ATTACKS = "cost: {ap: 1}, attack: KIND, target: {side: foe, within: 4, of: self, pick: choose}"


def deed(state: OlomocState, *codes: int, name: str = "deed") -> OlomocState:
    """Pétra uses the capacity of a test."""
    return do(state, use(2, specific(state, 2, name)), *codes)


def quiet(state: OlomocState, successes: int = 0) -> OlomocState:
    """Play on without reactions, fate and tactics."""
    while state.decision in (Decision.CHANCE_POOL, Decision.FATE, Decision.TACTIC, Decision.REACT):
        rolls(state, successes) if state.decision == Decision.CHANCE_POOL else do(state, NO)
    return state


# -- whose effects they are --------------------------------------------------------------------------------------------

HARDER = [{"op": "mod", "on": {"who": "any", "target": {"side": "ally"}}, "difficulty": 1, "for": "cycle"}]


@pytest.mark.rule("OLO-GEN-05", "OLO-MIN-01")
@pytest.mark.parametrize(("side", "difficulty"), [("ally", 5), ("enemy", 6), ("any", 6)])
def test_sides_in_a_ministry_are_those_of_its_player(side: str, difficulty: int) -> None:
    """Rolls against the rouages of the ministry's player are harder, rolls against those of the other player are
    not."""
    do_ = [{**HARDER[0], "on": {"who": "any", "target": {"side": side}}}]
    state = played((0, 1, ministry("securite"), 2, 3), (0, 1, 2, 3, AXE), in_phase(4, Decision.ACT),
                   changes=(put("ministries", "securite", "do", do_),))  # fmt: skip
    fight = changed_to(state, NEAR)
    do(fight, use(2, FRONTAL), target(4), NO)
    assert fight.pool == (4, difficulty)


@pytest.mark.rule("OLO-GEN-04", "OLO-GEN-05")
def test_the_same_effect_of_both_players_lasts_for_both() -> None:
    """Both players have played the Axe: its effect on allies applies to the rouages of each."""
    change = put("ministries", "animosite", "do", HARDER)
    state = played((AXE, 0, 2, 1, 3), (0, AXE, 1, 2, 3), in_phase(3, Decision.ACT), changes=(change,))
    assert [effect["owner"] for effect in state.dump()["lasting"]] == [0, 1]
    again = state.game.restore(state.game.position(state))
    for same in (state, again):
        fight = changed_to(same, NEAR)
        do(fight, use(2, FRONTAL), target(4), DODGE)
        assert fight.pool == (4, 6)
        rolls(fight, 0)
        assert fight.pool == (2, 6), "the dodge is a roll against Pétra"


@pytest.mark.rule("OLO-GEN-11", "OLO-GEN-02", "OLO-HPH-03")
def test_priority_holder_chooses_for_triggers_of_a_hostile() -> None:
    """In a player's activation the priority holder chooses; in the hostile's own activation its runner does."""
    options = f"{{op: choose, options: [{{text: a, do: [{POINT}]}}, {{text: b, do: [{POINT}]}}]}}"
    howl = f"{{id: howl, name: Howl, timing: active, freq: {{n: 1, per: phase}}, do: [{options}]}}"
    answer = f"{{id: echo, name: Echo, timing: permanent, on: moved, freq: {{n: 1, per: phase}}, do: [{options}]}}"
    changes = (add_capacity("fx-idler", answer, "hostiles"), add_capacity("fx-mover", howl, "hostiles"),
               put("hostiles", "fx-mover", "instinct", [{"do": "use", "use": "howl"}, {"do": "stop"}]))  # fmt: skip
    for priority in range(2):
        state = scene({2: Rouage((700, 800)), 6: Rouage((300, 300))}, hostiles={6: "fx-idler"}, changes=changes,
                      priority=priority)  # fmt: skip
        do(state, use(2, MARCH), go(700, 900))
        assert (state.decision, state.player_of(state.actor())) == (Decision.TRIGGER, priority)
        do(state, YES)
        assert (state.decision, state.player_of(state.actor())) == (Decision.CHOICE, priority)
    both = {6: Rouage((300, 300)), 7: Rouage((300, 600))}
    phase = hostile_phase(both, dict.fromkeys(both, "fx-mover"), changes=changes, priority=1)
    for runner, index in ((1, 6), (0, 7)):
        run(phase, index)
        do(phase, codes.CHOOSE(0))
        assert (phase.decision, phase.player_of(phase.actor())) == (Decision.CHOICE, runner)
        do(phase, codes.CHOOSE(0))
        settled(phase)


@pytest.mark.rule("OLO-GEN-11", "OLO-PRIO-01")
def test_a_card_within_a_card_of_a_tie_names_who_is_active() -> None:
    """No player is active yet, so the holder of priority is named, as the inner card has determined it."""
    run_one = {"op": "activate", "of": {"side": "hostile", "pick": "choose"}, "by": "active"}
    changes = (put("artefacts", "stun", "do", [{"op": "mechanism", "n": 1}]), put("artefacts", "hurt", "do", [run_one]))
    state = played((1, 0, 2, 3, AXE), (1, 0, 2, 3, AXE), lambda s: s.decision == Decision.PICK, changes=changes,
                   cards=("101", "102", "202"), options={"agenda": "beasts"})  # fmt: skip
    assert (state.dump()["priority"], state.player_of(state.actor())) == (1, 1)
    named = (put("artefacts", "stun", "do", [{"op": "priority", "player": "opponent"}, run_one]),)
    other = played((1, 0, 2, 3, AXE), (1, 0, 2, 3, AXE), lambda s: s.decision == Decision.PICK, changes=named,
                   cards=("101", "102"), options={"agenda": "beasts"})  # fmt: skip
    assert (other.dump()["priority"], other.player_of(other.actor())) == (1, 1)


# -- attacks in several parts ------------------------------------------------------------------------------------------

TWICE = "{op: wound, who: target, n: 1}, {op: if, cond: {active: self}, then: [{op: wound, who: target, n: 1}]}"


@pytest.mark.rule("OLO-LIFE-03", "OLO-LIFE-04", "OLO-LIFE-06")
@pytest.mark.parametrize("kind", ["other", "frontal"])
@pytest.mark.parametrize(
    ("life", "ticked", "noirceur"),
    [("RSSSSS", 1, 0), ("SRSSSS", 1, 0), ("RRSSSS", 1, 0), ("TSSSSS", 1, 1), ("STSSSS", 2, 1), ("SSSSST", 2, 0)],
)
def test_an_attack_that_wounds_twice_is_one_attack(kind: str, life: str, ticked: int, noirceur: int) -> None:
    """The reinforced box takes off one wound in all, and the tainted box stops all further wounds."""
    changes = (active(TWICE, ATTACKS.replace("KIND", kind)), put("profiles", "fx-hynek", "life", life))
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, changes=changes)
    quiet(deed(state, target(4)))
    assert (figure(state, 4)["ticked"], figure(state, 4)["noirceur"]) == (ticked, noirceur)
    quiet(deed(state, target(4)))
    assert figure(state, 4)["ticked"] > ticked, "the next attack has its own"


@pytest.mark.rule("OLO-LIFE-03")
def test_protection_counts_once_in_an_attack_that_wounds_twice() -> None:
    ward = add_capacity("fx-hynek", "{id: ward, name: Ward, timing: permanent, do: ["
                        "{op: protect, who: self, n: N, for: game}]}".replace("N", "1"))  # fmt: skip
    state = scene(NEAR, changes=(active(TWICE, ATTACKS.replace("KIND", "other")), ward))
    deed(state, target(4))
    assert figure(state, 4)["ticked"] == 1


@pytest.mark.rule("OLO-LIFE-03")
def test_a_riposte_is_an_attack_of_its_own() -> None:
    """The attacker wounds itself and is wounded by the riposte: the reinforced box takes one wound off each attack."""
    both = "{op: wound, who: self, n: 1}, {op: roll, stat: combat, then: [{op: wound, who: target, n: successes}]}"
    state = scene(NEAR, changes=(active(both, ATTACKS.replace("KIND", "frontal")),
                                 put("profiles", "fx-petra", "life", "RSSSSS")))  # fmt: skip
    deed(state, target(4), RIPOSTE)
    rolls(state, 0)
    rolls(state, 2)
    quiet(state)
    assert figure(state, 2)["ticked"] == 1


@pytest.mark.rule("OLO-DODGE-01")
def test_a_dodge_cancels_each_of_its_successes_once() -> None:
    """In an attack of two rolls, successes cancelled in the first are not cancelled in the second again."""
    roll = "{op: roll, stat: combat, then: [{op: wound, who: target, n: successes}]}"
    state = scene(NEAR, changes=(active(f"{roll}, {roll}", ATTACKS.replace("KIND", "frontal")),))
    deed(state, target(4), DODGE)
    rolls(state, 1)
    rolls(state, 2)
    do(state, NO)
    assert figure(state, 4)["ticked"] == 0
    rolls(state, 3)
    do(state, NO)
    assert figure(state, 4)["ticked"] == 2, "one of the two successes of the dodge was left"


@pytest.mark.rule("OLO-DODGE-01")
def test_a_dodge_cancels_nothing_of_the_targets_own_roll() -> None:
    resist = "{op: roll, who: target, stat: technique, then: [{op: vp, player: opponent, n: successes}]}"
    state = scene(NEAR, changes=(active(resist, ATTACKS.replace("KIND", "frontal")),))
    deed(state, target(4), DODGE)
    rolls(state, 1)
    rolls(state, 2)
    assert state.dump()["vp"] == [0, 1]


@pytest.mark.rule("OLO-SEQ-02", "OLO-SEQ-01")
def test_a_capacity_whose_target_slips_away_attacks_nobody() -> None:
    """Pushed beyond its distance when the attack is declared: no effect, and the cost stays paid."""
    rest = ATTACKS.replace("KIND", "frontal").replace("within: 4", "within: 1")
    slip = trigger(
        "attack_declared", "{op: push, who: self}", "fx-hynek", "optional: false, if: {same: [defender, self]}"
    )
    for place, ticked in ((go(1100, 800), 0), (go(910, 800), 1)):
        state = scene(NEAR, changes=(active("{op: wound, who: target, n: 1}", rest), slip))
        deed(state, target(4))
        assert state.decision == Decision.PUSH
        quiet(do(state, place))
        assert (figure(state, 4)["ticked"], figure(state, 2)["ap"], figure(state, 2)["attacks"]) == (ticked, 3, 1)


@pytest.mark.rule("OLO-SEQ-01", "OLO-OUT-05", "OLO-OPP-05")
def test_charger_put_out_on_its_way_declares_no_attack() -> None:
    """A charge by an effect, and the charger is put out of action when it leaves a zone."""
    rush = "{op: pick, of: {side: enemy, pick: choose, rank_max: 1}, as: one}, {op: attack, kind: charge, target: one}"
    free = add_capacity("fx-petra", "{id: free, name: Free, timing: permanent, do: ["
                        "{op: permit, who: self, caps: [charge], ignore: [free], for: game}]}")  # fmt: skip
    shown = trigger("attack_declared", POINT, "fx-lida", "optional: false, if: {same: [defender, self]}", "told")
    for ticked, points in ((6, 0), (0, 1)):
        stand = {2: Rouage((500, 500), ticked=ticked), 4: Rouage((700, 500)), 3: Rouage((400, 900))}
        state = deed(scene(stand, changes=(active(rush, "cost: {ap: 1}, attack: other"), free, shown), vp=[0, 0]))
        if state.decision == Decision.PICK:
            do(state, target(3))
        assert state.decision == Decision.GO, "the card lets an engaged rouage charge"
        do(state, go(420, 700), YES)
        rolls(state, 2)
        quiet(state)
        assert (figure(state, 2)["where"] == 3, state.dump()["vp"][1]) == (not points, points)


@pytest.mark.rule("OLO-CAP-06", "OLO-REACT-01", "OLO-RIPO-01")
def test_a_permanent_capacity_that_attacks_is_answered() -> None:
    """It allows reactions, as an attack by an active capacity does."""
    strike = """{id: strike, name: Strike, timing: permanent, on: moved, attack: KIND, optional: false,
      if: {is: {side: foe}, of: mover}, target: {side: foe, within: 1, of: self, pick: choose},
      do: [{op: roll, stat: combat, then: [{op: wound, who: mover, n: successes}]}]}"""
    for kind, reacts in (("frontal", True), ("other", False)):
        change = add_capacity("fx-hynek", strike.replace("KIND", kind))
        state = scene({2: Rouage((600, 800)), 4: Rouage((900, 800))}, changes=(change,))
        do(state, use(2, MARCH), go(700, 800))
        if state.decision == Decision.TARGET:
            do(state, target(2))
        assert (state.decision == Decision.REACT) == reacts
        again = state.game.restore(state.game.position(state))
        for same in (state, again):
            if reacts:
                assert legal(same) == [NO, DODGE, RIPOSTE]
                do(same, DODGE)
            rolls(same, 3)
            if reacts:
                rolls(same, 1)
            assert figure(same, 2)["ticked"] == (1 if reacts else 2)
            assert figure(same, 4)["attacks"] == 1


# -- hostiles under effects --------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-NOIR-06")
def test_hostiles_have_no_status() -> None:
    effect = f"""{{op: pick, of: {{side: foe, pick: choose}}, as: one}},
      {{op: if, cond: {{status: healthy, of: one}}, then: [{POINT}]}}"""
    for index, points in ((4, 1), (6, 0)):
        state = scene({2: Rouage((700, 800)), index: Rouage((900, 800))}, changes=(active(effect),),
                      hostiles={6: "fx-idler"} if index == 6 else {})  # fmt: skip
        deed(state)
        if state.decision == Decision.PICK:
            do(state, target(index))
        assert state.dump()["vp"][0] == points


@pytest.mark.rule("OLO-HOST-03")
def test_for_a_hostile_the_rouages_of_both_players_are_adverse() -> None:
    line = put("hostiles", "fx-mover", "instinct", [
        {"if": {"exists": {"side": "enemy", "within": 3, "of": "self"}}, "do": "move"}, {"do": "stop"}])  # fmt: skip
    for stand, number in (({2: Rouage((800, 700))}, 0), ({4: Rouage((800, 700)), 2: Rouage((200, 1400))}, 0),
                          ({7: Rouage((800, 700))}, 1)):  # fmt: skip
        hostiles = {6: "fx-mover", **({7: "fx-idler"} if 7 in stand else {})}
        state = run(hostile_phase({6: Rouage((800, 400)), **stand}, hostiles, changes=(line,)), 6)
        assert legal(state) == [codes.CHOOSE(number)]


@pytest.mark.rule("OLO-HPH-03", "OLO-HOST-04")
@pytest.mark.parametrize(("caps", "number"), [("rest", 0), ("frontal", 2), ("attack", 2), ("attack, march", None)])
def test_a_hostile_cannot_do_what_is_forbidden_to_it(caps: str, number: int | None) -> None:
    effect = f"""{{op: pick, of: {{side: hostile, pick: choose}}, as: one}},
      {{op: forbid, who: one, caps: [{caps}], for: cycle}}"""
    state = scene(
        {2: Rouage((700, 800)), 6: Rouage((900, 800))}, hostiles={6: "fx-rogue"}, changes=(active(effect),), phase=5
    )
    deed(state)
    if state.decision == Decision.PICK:
        do(state, target(6))
    advance(state, Script(plans_of(state)), in_phase(6))
    run(state, 6)
    assert legal(state) == [NO if number is None else codes.CHOOSE(number)]


@pytest.mark.rule("OLO-HPH-03", "OLO-CAP-02")
def test_actions_of_a_hostile_count_as_uses_of_capacities() -> None:
    """A line applies once a phase, and triggers answer to its action as to any other use."""
    line = put("hostiles", "fx-rogue", "instinct", [
        {"if": {"used": {"caps": ["frontal"], "max": 0}}, "do": "frontal"}, {"do": "stop"}])  # fmt: skip
    seen = trigger("used", POINT, rest="optional: false, if: {is: {side: hostile}, of: mover}")
    state = hostile_phase({6: Rouage((800, 300)), 2: Rouage((1000, 300))}, {6: "fx-rogue"}, changes=(line, seen))
    run(state, 6)
    do(state, codes.CHOOSE(0))
    quiet(state)
    assert legal(state) == [codes.CHOOSE(1)]
    assert (state.dump()["vp"][0], figure(state, 6)["used"]) == (1, [FRONTAL, 1])


@pytest.mark.rule("OLO-HPH-02")
def test_a_hostile_that_an_effect_ran_has_been_activated_in_the_phase() -> None:
    lure = trigger(
        "hostile_phase_start",
        "{op: activate, of: {side: hostile, pick: choose}, n: 1, by: owner}",
        rest="optional: true",
    )
    stand = {6: Rouage((600, 300)), 7: Rouage((1000, 300))}
    state = scene(
        {2: Rouage((200, 1400)), **stand}, hostiles=dict.fromkeys(stand, "fx-idler"), phase=5, changes=(lure,)
    )
    advance(state, Script(plans_of(state)), in_phase(6))
    assert state.decision == Decision.TRIGGER
    do(state, YES, target(7))
    settled(state)
    assert legal(state) == [codes.HOSTILE(6)]


# -- conditions lifted, uses added -------------------------------------------------------------------------------------

WALL: tuple[Change, ...] = (
    put("pieces", "tall", "shape", {"poly": [[0, 0], [20, 0], [20, 400], [0, 400]]}),
    put("layouts", "tall", "pieces.0.at", [390, 200]),
)
APART = {2: Rouage((325, 400)), 4: Rouage((475, 400))}


def lifts(caps: str, what: str, who: str = "fx-petra", more: str = "") -> Change:
    """A capacity that lifts conditions all the time."""
    text = f"""{{id: lift-{who}, name: Lift, timing: permanent, do: [
      {{op: permit, who: self, caps: [{caps}], ignore: [{what}]{more}, for: game}}]}}"""
    return add_capacity(who, text)


@pytest.mark.rule("OLO-RIPO-02", "OLO-LOS-05", "OLO-GEN-01")
@pytest.mark.parametrize("lifted", [True, False])
def test_a_riposte_and_an_opportunity_attack_without_sight(lifted: bool) -> None:
    """The attacker attacks around a corner by a card, and the target reacts by another card."""
    changes = (*WALL, lifts("frontal", "sight"))
    changes += (lifts("riposte, opportunity", "sight", "fx-hynek"),) if lifted else ()
    state = scene(APART, changes=changes, options={"bloc": "tall"})
    do(state, use(2, FRONTAL), target(4))
    assert (state.decision == Decision.REACT and RIPOSTE in legal(state)) == lifted
    leaving = scene(APART, changes=changes, options={"bloc": "tall"})
    do(leaving, use(2, MARCH), go(200, 400))
    assert (leaving.decision == Decision.OPPORTUNITY) == lifted


@pytest.mark.rule("OLO-REST-01", "OLO-GEN-01")
def test_a_rest_without_sight() -> None:
    stand = {2: Rouage((325, 400)), 1: Rouage((475, 400), noirceur=1)}
    for changes, offered in (((), False), ((lifts("rest", "sight"),), True)):
        assert may(scene(stand, changes=(*WALL, *changes), options={"bloc": "tall"}), use(2, REST)) == offered


@pytest.mark.rule("OLO-CHARGE-05", "OLO-GEN-01")
@pytest.mark.parametrize("lifted", [True, False])
def test_a_charge_without_sight_ends_without_sight(lifted: bool) -> None:
    """At the foot of the wall the charger engages its target without seeing it, which only a card allows."""
    stand = {2: Rouage((325, 800)), 4: Rouage((475, 400))}
    changes = (*WALL, *((lifts("charge", "sight"),) if lifted else ()))
    state = scene(stand, changes=changes, options={"bloc": "tall"})
    do(state, use(2, CHARGE))
    assert may(state, charge(4, 325, 400)) == lifted
    if lifted:
        assert any(parts(code).x < 390 for code in legal(state) if parts(code).y < 500)
        do(state, charge(4, 325, 400))
        assert figure(state, 2)["attacks"] == 1 and state.decision in (Decision.REACT, Decision.CHANCE_POOL)


@pytest.mark.rule("OLO-ATT-01", "OLO-MARCH-01", "OLO-GEN-01")
@pytest.mark.parametrize("more", [0, 1])
def test_further_uses_count_for_effects_and_hostiles_too(more: int) -> None:
    """A third attack, a third march: made by an effect, or by a hostile of its Instinct."""
    extra = f", extra: {more}"
    strike = "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: attack, kind: frontal, target: one}"
    fight = scene({2: Rouage((700, 800), attacks=2), 4: Rouage((900, 800))}, changes=(
        active(strike), lifts("frontal", "cover", more=extra)))  # fmt: skip
    deed(fight)
    if fight.decision == Decision.PICK:
        do(fight, target(4))
    assert (fight.decision == Decision.REACT) == bool(more)
    step = scene({2: Rouage((700, 800), marches=2)}, changes=(
        active("{op: move, who: self, count: true}"), lifts("march", "cover", more=extra)))  # fmt: skip
    deed(step)
    assert (step.decision == Decision.GO) == bool(more)
    acts = put("hostiles", "fx-mover", "acts", 4)
    more_marches = add_capacity("fx-mover", "{id: run, name: Run, timing: permanent, do: [{op: permit, who: self, "
                                f"caps: [march], ignore: [cover]{extra}, for: game}}]}}", "hostiles")  # fmt: skip
    state = hostile_phase(
        {6: Rouage((800, 200)), 2: Rouage((800, 1450))}, {6: "fx-mover"}, changes=(acts, more_marches)
    )
    run(state, 6)
    marches = 0
    while legal(state) == [codes.CHOOSE(0)]:
        do(state, codes.CHOOSE(0))
        do(state, legal(state)[0])
        marches += 1
    assert marches == 2 + more


@pytest.mark.rule("OLO-ENTER-01", "OLO-CAP-04")
def test_with_the_first_token_what_is_free_comes_before_the_entry() -> None:
    """A capacity that a card makes free costs no token; entering is not a capacity, and costs one."""
    free = add_capacity("fx-petra", "{id: gift, name: Gift, timing: permanent, off_bloc: true, do: ["
                        "{op: permit, who: self, caps: [], free: true, for: game}]}")  # fmt: skip
    dear = active(POINT, "cost: {ap: 1}, freq: {n: 1, per: phase}, off_bloc: true")
    for changes, offered in (((dear,), False), ((dear, free), True)):
        state = played((2, 0, 1, 3, AXE), (3, 0, 1, 2, AXE), in_phase(1, Decision.ACT), changes=changes,
                       options={"entry": "first_token"})  # fmt: skip
        assert may(state, use(2, specific(state, 2, "deed"))) == offered
        do(state, use(2, 8))
        do(state, legal(state)[0])
        assert figure(state, 2)["ap"] == 3


# -- selectors, targets, durations -------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-END-05", "OLO-GEN-02")
def test_effects_on_each_within_each_hit_all_at_once() -> None:
    """Without a decision, a move or chance there is no order, and endings are checked when all are hit."""
    inner = """{op: each, of: {side: player, not_self: false, within: 0, of: each}, as: other,
      do: [{op: noirceur, who: other, n: 1}]}"""
    state = scene(
        {2: Rouage((700, 800), noirceur=3), 4: Rouage((1300, 800), noirceur=3)},
        changes=(active(on_all(inner)),),
        fiel=[2, 2],
    )
    deed(state)
    assert state.returns() == (-1.0, -1.0)


@pytest.mark.rule("OLO-MEAS-02")
@pytest.mark.parametrize(("pick", "hit"), [("nearest", 1), ("farthest", 2)])
def test_the_nearest_piece_of_scenery(pick: str, hit: int) -> None:
    """The gap to the edge of a piece counts, also for the rouage that is nearest to a piece."""
    effect = f"""{{op: each, of: {{kind: scenery, pick: {pick}, of: self}}, as: each,
      do: [{{op: taint, element: each, set: true}}]}}"""
    by_piece = f"""{{op: pick, of: {{kind: scenery, tag: mud, pick: choose}}, as: one}},
      {{op: each, of: {{side: player, not_self: false, pick: {pick}, of: one}}, as: each,
        do: [{{op: state, who: each, state: stunned, set: true}}]}}"""
    for at, nearer in (((1100, 1100), 1), ((300, 600), 2)):
        state = deed(scene({2: Rouage(at)}, changes=(active(effect),), options={"bloc": "mud"}))
        wanted = nearer if pick == "nearest" else 3 - nearer
        assert state.dump()["tainted_pieces"] & 3 == wanted | 2, "the pit is tainted already"
    state = deed(
        scene(
            {2: Rouage((800, 1100)), 4: Rouage((800, 1300)), 0: Rouage((100, 100))},
            changes=(active(by_piece),),
            options={"bloc": "mud"},
        )
    )
    if state.decision == Decision.PICK:
        do(state, target(64))
    assert [index for index in (0, 2, 4) if figure(state, index)["states"]] == [2 if hit == 1 else 0]


@pytest.mark.rule("OLO-ROLL-08", "OLO-GEN-08", "OLO-CAP-08")
def test_a_capacity_targets_only_against_whom_a_die_is_left() -> None:
    """A modifier takes away the dice against some targets only."""
    roll = "{op: roll, stat: technique, then: [{op: vp, player: owner, n: successes}]}"
    rest = "cost: {ap: 1}, target: {side: enemy, within: 6, of: self, pick: choose}"
    dull = add_capacity("fx-petra", "{id: dull, name: Dull, timing: permanent, do: ["
                        "{op: mod, on: {target: {side: enemy, rank_min: 2}}, dice: -3, for: game}]}")  # fmt: skip
    stand = {2: Rouage((700, 800)), 4: Rouage((1000, 800))}
    assert not may(scene(stand, changes=(active(roll, rest), dull)), use(2, 17))
    state = scene({**stand, 3: Rouage((700, 1100))}, changes=(active(roll, rest), dull))
    deed(state)
    assert legal(state) == [target(3)]


@pytest.mark.rule("OLO-EOC-03", "OLO-EOC-01")
def test_until_the_next_phase_from_the_last_one_is_until_the_cycle_ends() -> None:
    """The hostile phase is not a planning phase: the effect outlasts the triggers of the end of the cycle."""
    long = "{op: stat, who: self, stat: technique, add: 3, for: next_phase}"
    score = trigger("cycle_end", "{op: vp, player: owner, n: {stat: technique, of: self}}")
    state = deed(scene({2: Rouage((700, 800))}, changes=(active(long), score), phase=5))
    advance(state, Script(plans_of(state)), lambda s: s.decision == Decision.PLAN_MINISTRY)
    assert (state.dump()["vp"][0], state.stat(2, Stat.TECHNIQUE), state.dump()["lasting"]) == (5, 2, [])


@pytest.mark.rule("OLO-OPP-01")
def test_no_opportunity_attack_when_the_zone_is_no_longer_left() -> None:
    """Lida sees the mover announce its way and is pushed so that the way stays within her zone."""
    follow = trigger("move_announced", "{op: push, who: self}", "fx-lida", "freq: {n: 1, per: phase}, optional: false")
    state = scene({2: Rouage((700, 800)), 3: Rouage((900, 800)), 1: Rouage((300, 300))}, changes=(follow,))
    do(state, use(2, MARCH), go(690, 1000))
    assert state.decision == Decision.PUSH
    near = do(state.clone(), go(830, 900))
    assert near.decision == Decision.ACT and where(near, 2) == (690, 1000)
    assert do(state, NO).decision == Decision.OPPORTUNITY


# -- reactions to what rolls nothing, in the order declared ----------------------------------------------------------


@pytest.mark.rule("OLO-DODGE-01", "OLO-RIPO-03")
@pytest.mark.parametrize(
    ("reactions", "pools"), [((DODGE,), 0), ((RIPOSTE,), 1), ((DODGE, RIPOSTE), 1), ((RIPOSTE, DODGE), 1)]
)
def test_reactions_to_an_attack_that_rolls_nothing(reactions: tuple[int, ...], pools: int) -> None:
    """A dodge has nothing to cancel, and wounds nobody; a riposte is rolled nevertheless."""
    changes = (active("{op: wound, who: target, n: 2}", ATTACKS.replace("KIND", "frontal")),
               put("profiles", "fx-petra", "life", "SSSSSS"))  # fmt: skip
    state = scene(NEAR, changes=changes, options={"reaction_limit": "both" if len(reactions) == 2 else "one"})
    deed(state, target(4), *reactions)
    if state.decision == Decision.REACT:
        do(state, NO)
    for _ in range(pools):
        assert state.pool == (3, 5), "Combat, not Dodge"
        rolls(state, 2)
    assert (state.decision, figure(state, 4)["ticked"], figure(state, 2)["ticked"]) == (Decision.ACT, 2, 2 * pools)


@pytest.mark.rule("OLO-REACT-01", "OLO-SEQ-05")
@pytest.mark.parametrize("reactions", [(DODGE, RIPOSTE), (RIPOSTE, DODGE)])
@pytest.mark.parametrize("kind", ["attack", "capacity"])
def test_both_reactions_are_rolled_in_the_order_declared(reactions: tuple[int, int], kind: str) -> None:
    roll = "{op: roll, stat: combat, then: [{op: wound, who: target, n: successes}]}"
    changes = (active(roll, ATTACKS.replace("KIND", "frontal")), put("profiles", "fx-petra", "life", "SSSSSS"))
    state = scene(NEAR, changes=changes, options={"reaction_limit": "both"})
    deed(state, target(4)) if kind == "capacity" else do(state, use(2, FRONTAL), target(4))
    do(state, *reactions)
    assert state.pool == (4, 5)
    rolls(state, 3)
    for reaction in reactions:
        assert state.pool == ((2, 5) if reaction == DODGE else (3, 5))
        rolls(state, 2 if reaction == DODGE else 1)
    quiet(state)
    assert (figure(state, 4)["ticked"], figure(state, 2)["ticked"]) == (1, 1)


# -- what hostiles do with their capacities ----------------------------------------------------------------------------


@pytest.mark.rule("OLO-HPH-03", "OLO-HOST-02")
@pytest.mark.parametrize(
    ("criteria", "chosen"), [(None, [2]), (["nearest"], [1]), (["lowest_rank", "nearest"], [1]), (["farthest"], [4])]
)
def test_a_line_picks_the_target_of_a_capacity_too(criteria: list[str] | None, chosen: list[int]) -> None:
    """It uses its own criteria, and otherwise the highest rank."""
    howl = """{id: howl, name: Howl, timing: active, freq: {n: 1, per: phase},
      target: {side: foe, within: 16, of: self, pick: choose},
      do: [{op: state, who: target, state: stunned, set: true}]}"""
    line = {"do": "use", "use": "howl", **({"target": criteria} if criteria else {})}
    changes = (add_capacity("fx-mover", howl, "hostiles"), put("hostiles", "fx-mover", "instinct", [line]))
    stand = {
        6: Rouage((800, 800)),
        2: Rouage((1200, 800)),
        1: Rouage((800, 500)),
        4: Rouage((200, 800)),
        3: Rouage(ap=0),
    }
    state = hostile_phase(stand, {6: "fx-mover"}, changes=changes, against=(0,))
    run(state, 6)
    do(state, codes.CHOOSE(0))
    assert (state.decision, [parts(code).a for code in legal(state)]) == (Decision.TARGET, chosen)
    do(state, legal(state)[0])
    assert [index for index in range(6) if figure(state, index)["states"]] == chosen


@pytest.mark.rule("OLO-GEN-05", "OLO-HPH-04")
def test_effects_of_a_removed_hostile_keep_their_side() -> None:
    """Rolls against its foes are easier, also when it is gone and its number is free again."""
    hex_ = """{id: hex, name: Hex, timing: permanent, on: moved, freq: {n: 1, per: game}, optional: false, do: [
      {op: mod, on: {who: any, target: {side: SIDE}}, difficulty: -1, for: cycle}, {op: despawn, who: self}]}"""
    for side, difficulty in (("foe", 4), ("ally", 5)):
        change = add_capacity("fx-idler", hex_.replace("SIDE", side), "hostiles")
        state = scene(
            {2: Rouage((700, 800)), 6: Rouage((300, 300))}, hostiles={6: "fx-idler"}, changes=(change,), phase=3
        )
        plans = plans_of(state)
        do(state, use(2, MARCH), go(700, 900), END)
        advance(state, Script(plans), in_phase(4, Decision.ACT))
        again = state.game.restore(state.game.position(state))
        for same in (state, again):
            (active_one,) = same.active_figures()
            foe = 4 if active_one < 3 else 1
            fight = changed_to(same, {active_one: Rouage((700, 800)), foe: Rouage((900, 800))})
            do(fight, use(active_one, FRONTAL), target(foe), NO)
            assert fight.pool == (3, difficulty)


@pytest.mark.rule("OLO-HOST-05", "OLO-GEN-01")
@pytest.mark.parametrize(("more", "pools"), [(0, 1), (1, 2)])
def test_further_reactions_of_a_hostile(more: int, pools: int) -> None:
    own = add_capacity("fx-idler", "{id: more, name: More, timing: permanent, do: [{op: permit, who: self, "
                       f"caps: [dodge], ignore: [cover], extra: {more}, for: game}}]}}", "hostiles")  # fmt: skip
    reactions = {"riposte": 0, "dodge": 1, "opportunity": 0, "prefer": ["dodge", "riposte"]}
    changes = (own, put("hostiles", "fx-idler", "reactions", reactions))
    state = scene({2: Rouage((700, 800)), 6: Rouage((900, 800))}, hostiles={6: "fx-idler"}, changes=changes)
    dodged = 0
    for _ in range(2):
        do(state, use(2, FRONTAL), target(6))
        rolls(state, 0)
        dodged += state.decision == Decision.CHANCE_POOL
        quiet(state)
    assert dodged == pools
