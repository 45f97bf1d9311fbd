"""Rolls of all kinds: number of dice, rerolls, modifiers, triggered effects (sections 3.3, 3.6, 6.7)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import add_capacity, put
from tests.olomoc.scenes import (
    CHARGE,
    DODGE,
    FRONTAL,
    MARCH,
    NEAR,
    NO,
    RANGED,
    YES,
    Marker,
    Rouage,
    do,
    drawn,
    figure,
    go,
    legal,
    may,
    plans_of,
    rolls,
    scene,
    specific,
    target,
    use,
)

SECOND_LOOK = """{id: probe, name: Probe, timing: permanent, on: rolled, freq: {n: 9, per: cycle},
  do: [{op: reroll, FIELDS}]}"""


def permanent(do_: str, who: str = "fx-petra", name: str = "probe"):  # type: ignore[no-untyped-def]
    return add_capacity(who, f"{{id: {name}, name: {name}, timing: permanent, do: [{do_}]}}")


def again(fields: str, who: str = "fx-petra"):  # type: ignore[no-untyped-def]
    return add_capacity(who, SECOND_LOOK.replace("FIELDS", fields))


def after(state: OlomocState) -> OlomocState:
    """Decline all offers after a roll."""
    while state.decision in (Decision.FATE, Decision.TACTIC, Decision.TRIGGER):
        do(state, NO)
    return state


@pytest.mark.rule("OLO-ROLL-08")
def test_no_attack_without_dice() -> None:
    """Modifiers that leave no die forbid frontal attacks, shots and charges alike."""
    weak = permanent("{op: mod, on: {role: attacker}, dice: -4, for: game}")
    assert not may(scene(NEAR, changes=(weak,)), use(2, FRONTAL))
    far = {2: Rouage((400, 800)), 4: Rouage((760, 800))}
    assert may(scene(far), use(2, CHARGE))
    assert not may(scene(far, changes=(weak,)), use(2, CHARGE))
    assert not may(scene(far, changes=(weak,)), use(2, RANGED))
    # A modifier against some targets leaves the others.
    choosy = permanent("{op: mod, on: {role: attacker, target: {side: foe, rank_min: 2}}, dice: -4, for: game}")
    state = scene({**NEAR, 3: Rouage((700, 600))}, changes=(choosy,))
    do(state, use(2, FRONTAL))
    assert legal(state) == [target(3)]


@pytest.mark.rule("OLO-ROLL-08")
@pytest.mark.parametrize("kind", [FRONTAL, RANGED])
def test_dice_that_vanish_after_the_declaration(kind: int) -> None:
    """The attack continues, reactions included; its roll has no success, even if an effect would add some."""
    fade = """{id: probe, name: Probe, timing: permanent, on: attack_declared, optional: false,
      do: [{op: mod, on: {who: attacker}, dice: -9, successes: 3, for: attack}]}"""
    changes = (add_capacity("fx-petra", fade), put("profiles", "fx-petra", "shoot", 4))
    stand = NEAR if kind == FRONTAL else {2: Rouage((700, 800)), 4: Rouage((1000, 800))}
    state = scene(stand, changes=changes)
    do(state, use(2, kind), target(4))
    assert state.decision == Decision.REACT
    do(state, DODGE)
    assert state.pool == (2, 5), "there is no attack roll"
    rolls(state, 0)
    after(state)
    assert figure(state, 4)["ticked"] == 0
    assert figure(state, 2)["ap"] == 3


@pytest.mark.rule("OLO-GEN-08")
def test_a_characteristic_of_0_cannot_react_either() -> None:
    """Dice that an effect adds do not help."""
    more = permanent("{op: mod, on: {role: any}, dice: 2, for: game}", "fx-hynek")
    clumsy = put("profiles", "fx-hynek", "dodge", 0), put("profiles", "fx-hynek", "combat", 0)
    state = scene(NEAR, changes=(more, *clumsy))
    do(state, use(2, FRONTAL), target(4))
    assert state.decision == Decision.CHANCE_POOL, "neither dodge nor riposte"
    leaving = scene({2: Rouage((500, 500)), 4: Rouage((700, 500))}, changes=(more, *clumsy))
    do(leaving, use(2, MARCH), go(480, 500))
    assert leaving.decision == Decision.ACT, "no opportunity attack"


@pytest.mark.rule("OLO-GEN-08", "OLO-ROLL-08", "OLO-CAP-08")
@pytest.mark.parametrize("change", [
    put("profiles", "fx-petra", "technique", 0), permanent("{op: mod, dice: -2, for: game}", name="tired"),
])  # fmt: skip
def test_a_capacity_that_rolls_needs_a_die(change: object) -> None:
    study = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, do: [{op: roll, stat: technique}]}"""
    assert may(scene(NEAR, changes=(add_capacity("fx-petra", study),)), use(2, 17))
    state = scene(NEAR, changes=(add_capacity("fx-petra", study), change))  # type: ignore[arg-type]
    assert not may(state, use(2, specific(state, 2, "probe")))


@pytest.mark.rule("OLO-ROLL-02", "OLO-ROLL-04")
def test_support_is_for_the_target_of_the_capacity() -> None:
    """A roll that names no target is against the target of the capacity."""
    study = """{id: probe, name: Probe, timing: active, cost: {ap: 1},
      target: {kind: marker, tag: objective, within: 1, of: self, pick: choose}, do: [{op: roll, stat: technique}]}"""
    markers = [Marker((820, 800))]
    changes = (add_capacity("fx-petra", study),)
    options = {"agenda": "study"}
    state = scene({2: Rouage((700, 800)), 0: Rouage((800, 920))}, markers=markers, changes=changes, options=options)
    do(state, use(2, specific(state, 2, "probe")), target(16))
    assert state.pool == (2, 4)
    alone = scene({2: Rouage((700, 800))}, markers=markers, changes=changes, options=options)
    do(alone, use(2, specific(alone, 2, "probe")), target(16))
    assert alone.pool == (2, 5)


@pytest.mark.rule("OLO-ROLL-02")
def test_the_target_and_foes_do_not_support() -> None:
    """Only another rouage of the roller's side that has the target in its zone gives support."""
    third = scene({**NEAR, 3: Rouage((880, 600)), 5: Rouage((1400, 800))})
    do(third, use(2, FRONTAL), target(4), NO)
    assert third.pool == (4, 5), "an ally of the target gives no support"
    stunned = scene({**NEAR, 1: Rouage((900, 1000), stunned=True)})
    do(stunned, use(2, FRONTAL), target(4), NO)
    assert stunned.pool == (4, 5), "a stunned rouage has no zone (OLO-STUN-01)"
    awake = scene({**NEAR, 1: Rouage((900, 1000))})
    do(awake, use(2, FRONTAL), target(4), NO)
    assert awake.pool == (4, 4)


# -- rolling again -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-CAP-08")
@pytest.mark.parametrize(
    ("fields", "offered"),
    [
        ("on: {stats: [combat]}", True), ("on: {stats: [technique]}", False), ("on: {caps: [frontal]}", True),
        ("on: {caps: [ranged]}", False), ("on: {role: defender}", False), ("on: {who: any, role: defender}", True),
        ("on: {target: {side: enemy}}", True), ("on: {target: {side: hostile}}", False),
    ],
)  # fmt: skip
def test_reroll_applies_to_the_rolls_that_its_filter_matches(fields: str, offered: bool) -> None:
    state = scene(NEAR, changes=(again(fields),))
    do(state, use(2, FRONTAL), target(4), DODGE)
    rolls(state, 1)
    rolls(state, 1)
    do(state, NO)
    assert (state.decision == Decision.TRIGGER) == offered
    if offered:
        do(state, YES)
        assert state.pool == ((2, 5) if "defender" in fields else (4, 5))


@pytest.mark.rule("OLO-CAP-08")
def test_a_roll_of_somebody_else_is_not_rolled_again() -> None:
    """Pétra's second look is for her own rolls; nothing is offered where no die failed."""
    study = """{id: study, name: Study, timing: active, cost: {ap: 1}, freq: {n: 2, per: phase},
      do: [{op: roll, stat: technique, then: [{op: vp, player: owner, n: successes}]}]}"""
    changes = (again("failures_only: true"), add_capacity("fx-petra", study), add_capacity("fx-dominik", study.replace(
        "id: study", "id: other")))  # fmt: skip
    stand = {2: Rouage((700, 800)), 1: Rouage((300, 300)), 0: Rouage((300, 600))}
    state = scene(stand, phase=3, changes=changes)
    do(state, codes.COORD(1), use(1, specific(state, 1, "other")))
    rolls(state, 0)
    do(state, NO)
    assert state.decision == Decision.ACT, "it was Dominik's roll"
    do(state, use(2, specific(state, 2, "study")))
    rolls(state, 2)
    do(state, NO)
    assert state.decision == Decision.ACT, "no die failed"
    do(state, use(2, specific(state, 2, "study")))
    rolls(state, 1)
    do(state, NO)
    assert state.decision == Decision.TRIGGER
    do(state, YES)
    assert state.pool == (1, 5)
    rolls(state, 1)
    assert state.dump()["vp"][0] == 4


@pytest.mark.rule("OLO-ROLL-07")
def test_added_successes_survive_a_reroll() -> None:
    """A success that a modifier adds is not a die: a reroll neither removes it nor counts it."""
    for fields, dice in (("failures_only: true", 3), ("max: 1", 1), ("failures_only: false", 4)):
        changes = (again(fields), permanent("{op: mod, on: {role: attacker}, successes: 1, for: game}", name="sure"))
        state = scene(NEAR, changes=changes)
        do(state, use(2, FRONTAL), target(4), NO)
        rolls(state, 1)
        do(state, NO, YES)
        assert state.pool == (dice, 5)
        rolls(state, 1)
        after(state)
        assert figure(state, 4)["ticked"] == (2 if dice == 4 else 3)


@pytest.mark.rule("OLO-OPP-02")
def test_an_opportunity_attack_is_rolled_again() -> None:
    state = scene({2: Rouage((500, 500)), 4: Rouage((700, 500))}, changes=(again("failures_only: true", "fx-hynek"),))
    do(state, use(2, MARCH), go(480, 500), YES)
    rolls(state, 1)
    assert (state.decision, state.actor()) == (Decision.TRIGGER, state.seat_of(1))
    do(state, YES)
    assert state.pool == (2, 5)
    rolls(state, 1)
    assert figure(state, 2)["ticked"] == 1, "two wounds, less one by R"


@pytest.mark.rule("OLO-GEN-04")
def test_effect_for_an_attack_ends_with_an_opportunity_attack() -> None:
    guard = """{id: probe, name: Probe, timing: permanent, on: rolled, optional: false, freq: {n: 1, per: game},
      if: {same: [defender, self]}, do: [{op: protect, who: self, n: 1, for: attack}]}"""
    state = scene(
        {2: Rouage((500, 500)), 4: Rouage((700, 500)), 3: Rouage((500, 700))},
        changes=(add_capacity("fx-petra", guard),),
    )
    do(state, use(2, MARCH), go(400, 400))
    while state.decision == Decision.ORDER:
        do(state, legal(state)[-1])
    do(state, YES)
    rolls(state, 2)
    assert figure(state, 2)["ticked"] == 0, "one less by the card, one by R"
    assert state.dump()["lasting"] == []
    do(state, YES)
    rolls(state, 3)
    assert figure(state, 2)["ticked"] == 2, "only R protects from the second attack"


# -- limits and reactions ----------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-CAP-06")
def test_permanent_capacities_that_wound_count_as_attacks() -> None:
    thorns = """{id: probe, name: Probe, timing: permanent, on: entered, attack: other, optional: false,
      if: {is: {side: foe}, of: mover}, do: [{op: wound, who: mover, n: 1}]}"""
    stand = {2: Rouage((400, 800)), 4: Rouage((700, 800)), 1: Rouage((300, 300))}
    state = scene(stand, changes=(add_capacity("fx-hynek", thorns),))
    do(state, use(2, MARCH), go(500, 800))
    assert (figure(state, 4)["attacks"], figure(state, 2)["ticked"]) == (1, 0)
    spent = scene({**stand, 4: Rouage((700, 800), attacks=2)}, changes=(add_capacity("fx-hynek", thorns),))
    do(spent, use(2, MARCH), go(500, 800))
    assert figure(spent, 4)["attacks"] == 2
    assert figure(spent, 2)["ticked"] == 0


@pytest.mark.rule("OLO-LOS-05", "OLO-DODGE-01")
def test_no_riposte_against_an_unseen_attacker() -> None:
    """Around a corner a card may let one attack; dodge and riposte target the attacker, and need sight."""
    wall = (put("pieces", "tall", "shape", {"poly": [[0, 0], [20, 0], [20, 400], [0, 400]]}),
            put("layouts", "tall", "pieces.0.at", [390, 200]))  # fmt: skip
    blind = permanent("{op: permit, who: self, caps: [frontal], ignore: [sight], for: game}")
    state = scene({2: Rouage((325, 400)), 4: Rouage((475, 400))}, changes=(*wall, blind), options={"bloc": "tall"})
    do(state, use(2, FRONTAL), target(4))
    assert state.decision == Decision.CHANCE_POOL


@pytest.mark.rule("OLO-MECH-05")
def test_no_reactions_to_the_start_mechanism() -> None:
    """An Artefact card moves a rouage out of a zone: the start Mechanism has no opportunity attacks, others have."""
    from tests.olomoc.scenes import Script, advance, changed_to

    flight = [{"op": "each", "of": {"side": "player", "where": "bloc", "rank_min": 3, "rank_max": 3}, "as": "each",
               "do": [{"op": "move", "who": "each", "by": "of(each)"}]}]  # fmt: skip
    change = put("artefacts", "hurt", "do", flight)
    stand = {
        2: Rouage((500, 500)),
        4: Rouage((700, 500)),
        0: Rouage((200, 1300)),
        1: Rouage((400, 1300)),
        3: Rouage((1200, 1300)),
    }
    later = drawn("202", stand, changes=(change,))
    do(later, go(400, 500))
    assert later.decision == Decision.OPPORTUNITY
    state = scene(stand, changes=(change,), phase=5)
    plans = plans_of(state)
    state = changed_to(state, stand)
    advance(state, Script(plans, cards=("202",)), lambda s: s.dump()["cycle"] == 2 and s.decision == Decision.GO)  # type: ignore[arg-type]
    do(state, go(400, 500))
    assert state.decision == Decision.PLAN_MINISTRY, "no opportunity attack"


@pytest.mark.rule("OLO-GEN-07", "OLO-ROLL-07")
def test_a_modifier_of_rolls_against_the_bearer_means_the_bearer() -> None:
    """The target of a roll does not limit the modifier: the bearer is included unless the card says otherwise."""
    card = """{id: probe, name: Probe, timing: permanent,
      do: [{op: mod, on: {who: any, role: attacker, target: {WHO}}, difficulty: 1, for: phase, name: Veil}]}"""
    for who, difficulty in (("name: fx-petra", 6), ("side: ally", 6), ("side: ally, not_self: true", 5)):
        state = scene(
            {2: Rouage((700, 800)), 4: Rouage((900, 800))},
            changes=(add_capacity("fx-petra", card.replace("WHO", who)),),
        )
        assert [entry[3] for entry in state.attacks(4) if entry[:2] == (2, 2)] == [difficulty], who
