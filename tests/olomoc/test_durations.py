"""Durations of effects (a roll, an attack, a card), and ripostes by Shooting that a card allows (3.8, 3.13, 6.7)."""

from __future__ import annotations

import pytest

from gamepacks.api.types import Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.constants import EventKind
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision, Stat
from tests.olomoc.cardsets import POINT, Change, active, add_capacity, put, trigger
from tests.olomoc.scenes import (
    DODGE,
    FRONTAL,
    NEAR,
    NO,
    RANGED,
    RIPOSTE,
    SHOOT_BACK,
    YES,
    Rouage,
    Script,
    advance,
    do,
    figure,
    go,
    hostile_phase,
    legal,
    may,
    plans_of,
    rolls,
    run,
    scene,
    settled,
    specific,
    target,
    use,
)

ONCE = "optional: false, freq: {n: 1, per: phase}"
OWN = f"{ONCE}, if: {{same: [defender, self]}}"
STRIKING = f"{ONCE}, if: {{same: [attacker, self]}}"


def running(state: OlomocState) -> list[str]:
    """The names of the effects that last."""
    return [effect.name for effect in state.game.view(state, Viewer(-1)).effects]


def through(state: OlomocState, successes: int, until: tuple[Decision, ...] = (Decision.ACT,)) -> OlomocState:
    """Play on without reactions, fate and tactics."""
    while state.decision not in until:
        if state.decision == Decision.CHANCE_POOL:
            rolls(state, successes)
        else:
            do(state, NO)
    return state


# -- attacks within attacks --------------------------------------------------------------------------------------------


STRIKE = "{op: attack, kind: frontal, target: attacker, mods: [{op: mod, dice: 1, for: attack, name: inner}]}"


@pytest.mark.rule("OLO-SEQ-11")
def test_an_attack_within_an_attack_ends_its_own_effects_only() -> None:
    """The target protects itself and attacks first: the protection outlasts that attack, the effects for it do not."""
    ward = "{op: protect, who: self, n: 1, for: attack, name: ward}"
    changes = (trigger("attack_declared", f"{ward}, {STRIKE}", "fx-hynek", f"{OWN}, attack: other"),)
    state = scene(NEAR, changes=changes)
    do(state, use(2, FRONTAL), target(4))
    assert (state.decision, running(state)) == (Decision.REACT, ["ward", "inner"]), "Pétra may answer the strike"
    again = state.game.restore(state.game.position(state))
    for same in (state, again):
        through(same, 0, until=(Decision.REACT,))
        do(same, NO)
        through(same, 0, until=(Decision.REACT,))
        assert running(same) == ["ward"], "the strike is over"
        through(same, 2)
        assert (figure(same, 4)["ticked"], running(same)) == (1, [])


@pytest.mark.rule("OLO-SEQ-11")
def test_each_attack_ends_what_was_meant_for_it() -> None:
    """Effects for the inner attack end with it; effects for the outer one last on."""
    grit = "{op: stat, who: self, stat: combat, add: 1, for: attack, name: NAME}"
    changes = (
        trigger("attack_declared", STRIKE, "fx-hynek", f"{OWN}, attack: other", "back"),
        trigger("attack_declared", grit.replace("NAME", "once"), "fx-hynek", STRIKING, "a"),
        trigger("attack_end", grit.replace("NAME", "late"), "fx-hynek", STRIKING, "b"),
        trigger("attack_declared", grit.replace("NAME", "whole"), "fx-petra", STRIKING, "c"),
    )  # fmt: skip
    state = scene(NEAR, changes=changes, priority=0)
    do(state, use(2, FRONTAL), target(4))
    assert sorted(running(state)) == ["inner", "once", "whole"]
    do(state, NO)
    through(state, 0, until=(Decision.REACT,))
    assert running(state) == ["whole"]
    assert running(through(state, 0)) == []


@pytest.mark.rule("OLO-SEQ-11", "OLO-OPP-02")
def test_an_opportunity_attack_within_an_attack_ends_its_own_effects() -> None:
    """The attacker is moved out of a zone in the middle of its attack."""
    step = "{op: move, who: attacker, by: owner}"
    edge = "{op: protect, who: self, n: 1, for: attack, name: NAME}"
    changes = (
        trigger("attack_declared", f"{edge.replace('NAME', 'outer')}, {step}", "fx-hynek", OWN, "a"),
        trigger("rolled", edge.replace("NAME", "inner"), "fx-lida", STRIKING, "b"),
        trigger("wounded", POINT, "fx-hynek", "freq: {n: 1, per: phase}, if: {same: [killer, self]}", "c"),
    )
    stand = {2: Rouage((700, 800)), 4: Rouage((900, 800)), 3: Rouage((600, 640))}
    state = scene(stand, changes=changes)
    do(state, use(2, FRONTAL), target(4))
    assert state.decision == Decision.GO
    do(state, go(840, 960))
    assert state.decision == Decision.OPPORTUNITY
    do(state, YES)
    rolls(state, 0)
    assert (state.decision, running(state)) == (Decision.REACT, ["outer"])


@pytest.mark.rule("OLO-CAP-06", "OLO-SEQ-11")
def test_a_capacity_that_attacks_without_reactions_is_an_attack() -> None:
    """Effects for the attack end with the capacity, not with the next attack of any rouage."""
    effects = "{op: stat, who: self, stat: combat, add: 2, for: attack, name: all}, {op: wound, who: target, n: 1}"
    rest = "cost: {ap: 1}, attack: other, target: {side: foe, within: 4, of: self, pick: choose}"
    state = scene(NEAR, changes=(active(effects, rest),))
    do(state, use(2, specific(state, 2, "deed")), target(4))
    assert (figure(state, 4)["ticked"], running(state), state.stat(2, Stat.COMBAT)) == (1, [], 4)


@pytest.mark.rule("OLO-ROLL-01")
def test_a_roll_within_an_attack_ends_what_is_for_itself() -> None:
    """A reaction that rolls Technique does not use up the effects for the roll of the attack."""
    calm = "{op: roll, stat: technique, then: [{op: vp, player: owner, n: 1}]}"
    keen = "{op: mod, on: {who: attacker}, dice: 2, for: roll, name: keen}"
    changes = (
        trigger("attack_declared", keen, "fx-petra", STRIKING),
        trigger("reaction", calm, "fx-hynek", "cost: {ap: 1}", "calm"),
    )  # fmt: skip
    state = scene(NEAR, changes=changes)
    do(state, use(2, FRONTAL), target(4))
    do(state, codes.REACT(specific(state, 4, "calm")))
    rolls(state, 1)
    assert state.dump()["vp"] == [0, 1]
    assert (state.pool, running(state)) == ((6, 5), ["keen"])
    rolls(state, 0)
    do(state, NO)
    assert running(state) == []


# -- for a card --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-HPH-04", "OLO-PHASE-10")
def test_effect_for_a_card_ends_with_the_hostile_phase() -> None:
    """No card is played there, so the effect ends with the phase, before the triggers of the end of the cycle."""
    changes = (
        trigger(
            "attack_declared", "{op: stat, who: self, stat: combat, add: 1, for: card, name: rage}", "fx-petra", OWN
        ),
        trigger("cycle_end", POINT, "fx-petra", "optional: true", "late"),
    )
    state = hostile_phase({6: Rouage((800, 300)), 2: Rouage((1000, 300))}, {6: "fx-rogue"}, changes=changes)
    run(state, 6)
    settled(state, (Decision.TARGET, Decision.HOSTILE_LINE))
    do(state, legal(state)[0])
    settled(state, (Decision.REACT,))
    assert running(state) == ["rage"]
    settled(state, (Decision.TRIGGER,))
    assert (state.decision, running(state)) == (Decision.TRIGGER, [])


@pytest.mark.rule("OLO-PHASE-10", "OLO-PHASE-12")
@pytest.mark.parametrize(("moment", "lasts"), [("revealed", True), ("phase_end", False)])
def test_effect_for_a_card_ends_with_the_card_or_the_phase(moment: str, lasts: bool) -> None:
    """An effect that begins before the first card ends with it; one that begins after both, with the phase."""
    change = trigger(moment, "{op: stat, who: self, stat: combat, add: 1, for: card, name: rage}", "fx-petra")
    state = scene({2: Rouage((700, 800))}, changes=(change,), phase=1)
    plans = plans_of(state)
    shown = []

    def next_phase(now: OlomocState) -> bool:
        if now.dump()["phase"] == 1:
            shown.append(running(now))
        return now.dump()["phase"] == 2 and now.actor() >= 0

    advance(state, Script(plans), next_phase)
    second = [frame["kind"] for frame in state.dump()["frames"]]
    assert running(state) == (["rage"] if lasts else []), second


@pytest.mark.rule("OLO-EOC-03", "OLO-EOC-01")
def test_effects_end_with_the_cycle_after_its_triggers() -> None:
    """Effects that began in the hostile phase until the end of the next phase end, too, as there is no next one."""
    begun = "{op: stat, who: self, stat: combat, add: 1, for: DURATION, name: DURATION}"
    changes = (
        trigger(
            "hostile_phase_end",
            ", ".join(begun.replace("DURATION", duration) for duration in ("next_phase", "cycle", "hostile_phase")),
            "fx-petra",
            "optional: false",
            "begin",
        ),
        trigger("cycle_end", POINT, "fx-petra", "optional: true", "late"),
    )
    state = scene({2: Rouage((700, 800))}, phase=5, changes=changes)
    how = Script(plans_of(state))
    advance(state, how, lambda s: s.decision == Decision.TRIGGER)
    assert running(state) == ["next_phase", "cycle"]
    do(state, YES)
    advance(state, how, lambda s: s.dump()["cycle"] == 2)
    assert running(state) == []


@pytest.mark.rule("OLO-GEN-04")
def test_the_same_effect_on_the_same_rouage_begins_anew() -> None:
    """The two count as one effect, which lasts as long as the later one would."""
    change = active(
        "{op: stat, who: self, stat: combat, add: 1, for: next_phase, name: grit}",
        "cost: {ap: 1}, freq: {n: 4, per: cycle}",
    )
    stand = {2: Rouage((700, 800)), 1: Rouage((300, 300)), 0: Rouage((300, 600))}
    state = scene(stand, phase=1, changes=(change,))
    plans = plans_of(state)
    deed = use(2, specific(state, 2, "deed"))
    do(state, deed, deed)
    assert (running(state), state.stat(2, Stat.COMBAT)) == (["grit"], 5)
    again = scene(stand, phase=1, changes=(change,))
    do(again, deed)
    for one in (state, again):
        advance(one, Script(plans), lambda s: s.dump()["phase"] == 2 and s.actor() >= 0)
        assert running(one) == ["grit"]
        advance(one, Script(plans), lambda s: s.dump()["phase"] == 3 and s.actor() >= 0)
        assert running(one) == []


@pytest.mark.rule("OLO-PHASE-10")
def test_end_of_effects_is_reported() -> None:
    ward = trigger("attack_declared", "{op: protect, who: self, n: 1, for: attack, name: ward}", "fx-hynek", OWN)
    state = scene(NEAR, changes=(ward,))
    do(state, use(2, FRONTAL))
    shown: list[int] = []
    for code in (target(4), NO, codes.SUCCESSES(0), NO):
        shown += [entry[0] for entry in state.trace_of(code, max(state.actor(), -1))]
        do(state, code)
    assert shown.count(EventKind.EFFECT_STARTED) == shown.count(EventKind.EFFECT_ENDED) == 1
    assert shown.index(EventKind.EFFECT_ENDED) > shown.index(EventKind.DICE_ROLLED)


# -- shots back --------------------------------------------------------------------------------------------------------

LIFTED = (
    "{{id: {0}, name: {0}, timing: permanent, do: [{{op: permit, who: self, caps: [{1}], ignore: [{2}], for: game}}]}}"
)


def shot(stand: dict[int, Rouage], *lifted: str) -> OlomocState:
    """Hynek, rank 2, shoots at his double, which is engaged; the double's riposte ignores the given conditions."""
    changes: list[Change] = [add_capacity("fx-hynek", LIFTED.format("eye", "ranged", "engaged, free, nearest"))]
    if lifted:
        changes.append(add_capacity("fx-hynek", LIFTED.format("back", "riposte", ", ".join(lifted))))
    changes.append(put("profiles", "fx-hynek", "life", "S" * 12))
    cabales = (("fx-kubik", "fx-hynek", "fx-petra"), ("fx-lida", "fx-hynek", "fx-ota"))
    state = scene(stand, active=1, changes=tuple(changes), cabales=cabales)
    return do(state, use(1, RANGED), target(4))


ENGAGED = {1: Rouage((400, 400), card="fx-hynek"), 4: Rouage((700, 400)), 0: Rouage((700, 600))}


@pytest.mark.rule("OLO-RIPO-02", "OLO-RIPO-04", "OLO-SHOT-01")
def test_engaged_rouage_shoots_back_only_if_a_card_permits() -> None:
    assert sorted(legal(shot(ENGAGED))) == sorted([NO, DODGE])
    state = shot(ENGAGED, "free")
    assert sorted(legal(state)) == sorted([NO, DODGE, SHOOT_BACK])
    do(state, SHOOT_BACK)
    rolls(state, 0)
    assert state.pool == (5, 5)
    rolls(state, 2)
    through(state, 0)
    assert (figure(state, 1)["ticked"], figure(state, 4)["ap"], figure(state, 4)["attacks"]) == (2, 3, 0)


@pytest.mark.rule("OLO-RIPO-02", "OLO-SHOT-05")
def test_limits_and_penalties_hold_for_such_a_shot() -> None:
    """Beyond 4 inches the riposte has two dice less; its target need not be the nearest foe."""
    state = shot({**ENGAGED, 1: Rouage((100, 400), card="fx-hynek")}, "free")
    do(state, SHOOT_BACK)
    rolls(state, 0)
    assert state.pool == (3, 5)


@pytest.mark.rule("OLO-RIPO-02", "OLO-SHOT-02", "OLO-ROLL-02", "OLO-ROLL-09")
def test_an_attacker_that_is_engaged_is_no_target_of_a_shot_back() -> None:
    """A free target is a separate condition. If both conditions are ignored, support counts."""
    stand = {**ENGAGED, 3: Rouage((400, 600))}
    assert SHOOT_BACK not in legal(shot(stand, "free"))
    assert SHOOT_BACK not in legal(shot(stand, "engaged"))
    state = shot(stand, "free", "engaged")
    do(state, SHOOT_BACK)
    rolls(state, 0)
    assert state.pool == (5, 4)


@pytest.mark.rule("OLO-RIPO-02", "OLO-RIPO-04")
@pytest.mark.parametrize(("lifted", "shoots"), [("free", False), ("engaged", False), ("free, engaged", True)])
def test_a_shot_back_at_a_frontal_attack(lifted: str, shoots: bool) -> None:
    """Attacker and target engage each other: both conditions must be lifted, and Combat stays possible."""
    change = add_capacity("fx-hynek", LIFTED.format("back", "riposte", lifted))
    state = scene(NEAR, changes=(change,))
    do(state, use(2, FRONTAL), target(4))
    assert RIPOSTE in legal(state)
    assert may(state, SHOOT_BACK) == (SHOOT_BACK in legal(state)) == shoots
