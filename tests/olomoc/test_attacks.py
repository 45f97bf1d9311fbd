"""Attacks: rolls, support, reactions, tactics, wounds (sections 3.3, 3.5, 3.8 to 3.10; worked examples W01 to W06)."""

from __future__ import annotations

import pytest

from cext.state import TERMINAL
from gamepacks.olomoc import codes
from gamepacks.olomoc.cards import SOURCE
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import Raw, add_capacity, put
from tests.olomoc.scenes import (
    CHARGE,
    DODGE,
    FRONTAL,
    NO,
    PUSH_SELF,
    PUSH_TARGET,
    RANGED,
    RIPOSTE,
    SHOOT_BACK,
    STUN,
    YES,
    Marker,
    Rouage,
    charge,
    do,
    figure,
    go,
    happens,
    legal,
    may,
    parts,
    rolls,
    scene,
    specific,
    target,
    use,
    verbs,
    where,
)

BOOK = (("fx-lida", "fx-hynek", "fx-petra"), ("fx-kubik", "fx-dominik", "fx-ota"))
"""Pétra and her ally Hynek against Kubik."""


def weights(state: OlomocState) -> list[int]:
    """The weights of a roll's outcomes by number of successes, from 0."""
    return [weight for _, weight in state.chance()]


def declined(state: OlomocState) -> OlomocState:
    """Declines everything that is offered after a roll."""
    while state.decision in (Decision.REACT, Decision.FATE, Decision.TACTIC):
        do(state, NO)
    return state


def strike(state: OlomocState, attacker: int, defender: int, successes: int) -> OlomocState:
    """A frontal attack without reaction, fate or tactic."""
    do(state, use(attacker, FRONTAL), target(defender))
    declined(state)
    rolls(state, successes)
    return declined(state)


def duel(**more: object) -> OlomocState:
    """Pétra (2) beside Hynek (4), 0.8 inch apart."""
    return scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, **more)  # type: ignore[arg-type]


@pytest.mark.rule("OLO-ROLL-01", "OLO-ROLL-02", "OLO-ROLL-03", "OLO-ROLL-04")
def test_study_with_support() -> None:
    """W01: an ally near the marker makes the study easier; a second one makes no difference."""
    near = {2: Rouage((700, 800)), 0: Rouage((800, 920))}
    marker = [Marker((820, 800))]
    options = {"agenda": "study"}
    alone = scene({2: Rouage((700, 800))}, markers=marker, options=options)
    supported = scene(near, markers=marker, options=options)
    twice = scene({**near, 1: Rouage((800, 680))}, markers=marker, options=options)
    for state, expected in ((alone, [16, 16, 4]), (supported, [9, 18, 9]), (twice, [9, 18, 9])):
        study = specific(state, 2, "study-marker")
        do(state, use(2, study), target(16))
        assert weights(state) == expected
    do(supported, *[])
    rolls(supported, 2)
    do(supported, NO)
    assert supported.dump()["vp"] == [2, 0]


@pytest.mark.rule(
    "OLO-ROLL-02", "OLO-ROLL-06", "OLO-SEQ-01", "OLO-SEQ-04", "OLO-SEQ-05", "OLO-SEQ-07", "OLO-SEQ-08", "OLO-SEQ-09",
    "OLO-CHARGE-01", "OLO-CHARGE-03", "OLO-DODGE-01", "OLO-TACT-01", "OLO-ATT-03",
)  # fmt: skip
def test_charge_with_support() -> None:
    """W02, of the rulebook: difficulty 3 by charge and support; a dodge cancels; a push costs a success; one wound."""
    state = scene({2: Rouage((400, 800)), 3: Rouage((760, 800)), 1: Rouage((760, 1000))}, cabales=BOOK)
    do(state, use(2, CHARGE))
    assert state.decision == Decision.CHARGE
    do(state, charge(3, 560, 800))
    assert where(state, 2) == (560, 800)
    assert (state.decision, state.actor()) == (Decision.REACT, state.seat_of(1))
    do(state, DODGE)
    assert state.pool == (4, 3)
    assert weights(state) == [16, 128, 384, 512, 256]
    rolls(state, 3)
    assert state.pool == (3, 5)
    rolls(state, 1)
    assert state.decision == Decision.FATE
    do(state, NO)
    assert state.decision == Decision.TACTIC
    do(state, PUSH_TARGET)
    assert (state.decision, state.actor()) == (Decision.PUSH, state.seat_of(0))
    do(state, go(860, 800))
    assert where(state, 3) == (860, 800)
    assert figure(state, 3)["ticked"] == 1
    assert (figure(state, 2)["marches"], figure(state, 2)["attacks"]) == (1, 1)
    assert (figure(state, 2)["ap"], figure(state, 3)["ap"]) == (2, 3)
    assert state.decision == Decision.ACT


@pytest.mark.rule("OLO-SHOT-05", "OLO-SHOT-06", "OLO-SHOT-07", "OLO-SHOT-04", "OLO-COVER-01", "OLO-TACT-03")
def test_shot_with_cover_at_long_range() -> None:
    """W03, of the rulebook: 5 - 1 - 2 = 2 dice; one success is dodged; no wound, no tactic."""
    stand = {1: Rouage((100, 200), card="fx-hynek"), 3: Rouage((600, 760))}
    state = scene(stand, active=1, options={"bloc": "low"})
    do(state, use(1, RANGED), target(3))
    assert SHOOT_BACK in legal(state), "3 dice less 2 leave one: the attacker is not in cover"
    do(state, DODGE)
    assert state.pool == (2, 5)
    rolls(state, 1)
    assert state.pool == (4, 5)
    rolls(state, 1)
    do(state, NO)
    assert state.decision == Decision.ACT
    assert figure(state, 3)["ticked"] == 0
    weak = scene({**stand, 1: Rouage((100, 200))}, active=1, options={"bloc": "low"})
    assert not may(weak, use(1, RANGED))


@pytest.mark.rule("OLO-SHOT-07", "OLO-TACT-03")
def test_a_shot_wounds_and_allows_no_tactic() -> None:
    state = scene({1: Rouage((400, 400), card="fx-hynek"), 4: Rouage((700, 400))}, active=1)
    do(state, use(1, RANGED), target(4), NO)
    assert state.pool == (5, 5)
    rolls(state, 2)
    do(state, NO)
    assert state.decision == Decision.ACT
    assert figure(state, 4)["ticked"] == 2


MIGHTY = put("profiles", "fx-hynek", "combat", 9)


def hit(life: str, ticked: int, wounds: int, noirceur: int = 0, **options: object) -> dict[str, int]:
    """Pétra's figure after an attack of so many wounds, with a life line and boxes ticked before."""
    changes = (MIGHTY, put("profiles", "fx-petra", "life", life))
    stand = {2: Rouage((700, 800), ticked=ticked, noirceur=noirceur), 4: Rouage((900, 800))}
    state = scene(stand, active=4, changes=changes, options=options)
    strike(state, 4, 2, wounds)
    return figure(state, 2)


@pytest.mark.rule("OLO-LIFE-01", "OLO-LIFE-02", "OLO-LIFE-03", "OLO-LIFE-04", "OLO-LIFE-05", "OLO-LIFE-06")
@pytest.mark.parametrize(
    ("life", "ticked", "wounds", "boxes", "noirceur"),
    [
        ("RSSSSTS", 0, 5, 4, 0),  # W04
        ("RSSSSTS", 4, 3, 6, 1),  # W05
        ("SSRSS", 2, 1, 2, 0),  # W06 (a)
        ("SSSRS", 2, 2, 3, 0),  # W06 (b)
        ("SSTRS", 1, 3, 3, 1),  # W06 (c)
        ("STTSS", 1, 2, 2, 1),  # one T per attack at most
        ("SSSSS", 0, 3, 3, 0),
    ],
)
def test_wounds_tick_boxes_of_the_life_line(life: str, ticked: int, wounds: int, boxes: int, noirceur: int) -> None:
    after = hit(life, ticked, wounds)
    assert (after["ticked"], after["noirceur"]) == (boxes, noirceur)


@pytest.mark.rule("OLO-LIFE-03", "OLO-LIFE-04", "OLO-LIFE-05")
@pytest.mark.parametrize(
    ("life", "ticked", "wounds", "shown"),
    [
        ("RSSSSTS", 0, 5, (5, 1, 0, 4)),
        ("RSSSSTS", 4, 3, (3, 0, 1, 2)),
        ("SSTRS", 1, 3, (3, 0, 1, 2)),  # what is behind a T takes nothing off
        ("SSTRS", 2, 4, (4, 0, 3, 1)),
        ("SRTRS", 0, 4, (4, 1, 0, 3)),
        ("SSS", 1, 4, (4, 0, 2, 2)),
    ],
)
def test_wound_event_has_all_its_numbers(life: str, ticked: int, wounds: int, shown: tuple[int, ...]) -> None:
    """The event has the wounds inflicted, prevented and lost, and the boxes ticked."""
    stand = {2: Rouage((700, 800), ticked=ticked), 4: Rouage((900, 800))}
    state = scene(stand, active=4, changes=(MIGHTY, put("profiles", "fx-petra", "life", life)))
    do(state, use(4, FRONTAL), target(2))
    rolls(declined(state), wounds)
    events = [
        event
        for _ in iter(lambda: state.decision in (Decision.FATE, Decision.TACTIC), False)
        for event in happens(state, NO)
    ]
    (wound,) = [event.wounds_taken for event in events if event.HasField("wounds_taken")]
    assert (wound.rouage, wound.wounds, wound.reduced, wound.lost, wound.ticked) == (2, *shown)


@pytest.mark.rule("OLO-LIFE-05", "OLO-OUT-01", "OLO-OUT-02", "OLO-OUT-03")
def test_a_tainted_box_that_is_the_last() -> None:
    """W06 (e): the rouage is out of action and receives no Noirceur."""
    changes = (MIGHTY, put("profiles", "fx-petra", "life", "SST"))
    state = scene({2: Rouage((700, 800), ticked=2, noirceur=2), 4: Rouage((900, 800))}, active=4, changes=changes)
    strike(state, 4, 2, 1)
    assert where(state, 2) is None
    assert figure(state, 2)["where"] == 3
    assert state.dump()["fiel"] == [0, 0]
    assert state.dump()["traque"] == 1
    assert figure(state, 4)["noirceur"] == 1


@pytest.mark.rule("OLO-LIFE-03")
def test_reinforced_as_the_next_box_only() -> None:
    assert hit("SSSRS", 2, 2, reinforced_scope="next_box")["ticked"] == 4
    assert hit("SSRSS", 2, 1, reinforced_scope="next_box")["ticked"] == 2


@pytest.mark.rule("OLO-ATT-01", "OLO-ATT-02")
def test_frontal_attacks_need_engagement_and_sight() -> None:
    assert may(duel(), use(2, FRONTAL))
    assert not may(scene({2: Rouage((700, 800)), 4: Rouage((960, 800))}), use(2, FRONTAL))
    state = duel()
    for _ in range(2):
        strike(state, 2, 4, 0)
    assert figure(state, 2)["attacks"] == 2
    assert figure(state, 2)["ap"] == 2
    assert not may(state, use(2, FRONTAL))


@pytest.mark.rule("OLO-ATT-02", "OLO-OPP-03", "OLO-THREAT-01")
def test_attack_around_a_corner_needs_sight() -> None:
    """W30: the distance engages both rouages, but an attack needs sight."""
    wall = (put("pieces", "tall", "shape", {"poly": [[0, 0], [20, 0], [20, 400], [0, 400]]}),
            put("layouts", "tall", "pieces.0.at", [390, 200]))  # fmt: skip
    stand = {2: Rouage((325, 400)), 4: Rouage((475, 400))}
    state = scene(stand, changes=wall, options={"bloc": "tall"})
    assert state.is_engaged(2)
    assert not may(state, use(2, FRONTAL))
    assert not may(state, use(2, RANGED))


@pytest.mark.rule("OLO-TACT-01", "OLO-TACT-02", "OLO-PUSH-02", "OLO-PUSH-03", "OLO-SEQ-10")
def test_attacker_that_pushes_itself_away_is_free() -> None:
    """W27: the push draws no opportunity attack; the attack still wounds, and so does a riposte."""
    state = duel()
    do(state, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(state, 3)
    rolls(state, 1)
    do(state, NO, PUSH_SELF)
    assert not may(state, go(453, 800))
    do(state, go(454, 800))
    assert where(state, 2) == (454, 800)
    assert state.decision == Decision.ACT
    assert figure(state, 4)["ticked"] == 2
    assert figure(state, 2)["ticked"] == 0, "R weakens the one wound of the riposte"
    assert not state.is_engaged(2)


@pytest.mark.rule("OLO-TACT-01", "OLO-TACT-04", "OLO-STUN-01", "OLO-STUN-03", "OLO-ATT-03")
def test_stun_as_a_tactic() -> None:
    """W23: stun costs two successes; a stunned rouage has no zone and cannot react."""
    state = duel()
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 3)
    do(state, NO, STUN)
    assert figure(state, 4)["states"] == 1
    assert figure(state, 4)["ticked"] == 1
    assert not state.is_engaged(2)
    do(state, use(2, FRONTAL), target(4))
    assert state.decision != Decision.REACT or legal(state) == [NO]
    if state.decision == Decision.REACT:
        do(state, NO)
    rolls(state, 2)
    do(state, NO)
    assert state.decision == Decision.TACTIC
    assert STUN not in legal(state)
    assert PUSH_TARGET in legal(state)


@pytest.mark.rule("OLO-TACT-01")
def test_tactics_are_paid_with_successes() -> None:
    state = duel()
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 1)
    do(state, NO)
    assert sorted(legal(state)) == sorted([NO, PUSH_SELF, PUSH_TARGET])
    do(state, PUSH_TARGET, NO)
    assert figure(state, 4)["ticked"] == 0


@pytest.mark.rule("OLO-RIPO-01", "OLO-RIPO-02", "OLO-RIPO-03", "OLO-RIPO-04", "OLO-REACT-01", "OLO-SEQ-03")
def test_ripostes_wound_the_attacker() -> None:
    """With Combat against a frontal attack, with Shooting against a shot; each success wounds."""
    state = duel()
    do(state, use(2, FRONTAL), target(4))
    assert sorted(legal(state)) == sorted([NO, DODGE, RIPOSTE])
    do(state, RIPOSTE)
    assert state.decision == Decision.CHANCE_POOL, "one reaction"
    rolls(state, 0)
    assert state.pool == (3, 5)
    rolls(state, 3)
    declined(state)
    assert figure(state, 2)["ticked"] == 2
    assert (figure(state, 4)["ap"], figure(state, 4)["attacks"]) == (3, 0)
    shot = scene({1: Rouage((400, 400), card="fx-hynek"), 4: Rouage((700, 400))}, active=1)
    do(shot, use(1, RANGED), target(4))
    assert sorted(legal(shot)) == sorted([NO, DODGE, SHOOT_BACK])
    do(shot, SHOOT_BACK)
    rolls(shot, 0)
    assert shot.pool == (5, 5)


@pytest.mark.rule("OLO-RIPO-02")
def test_a_shot_is_answered_though_another_is_nearer() -> None:
    stand = {1: Rouage((400, 400), card="fx-hynek"), 4: Rouage((700, 400)), 0: Rouage((700, 700))}
    state = scene(stand, active=1)
    do(state, use(1, RANGED), target(4))
    assert SHOOT_BACK in legal(state)


@pytest.mark.rule("OLO-REACT-01")
def test_option_allows_a_dodge_and_a_riposte_to_one_attack() -> None:
    state = duel(options={"reaction_limit": "both"})
    do(state, use(2, FRONTAL), target(4), DODGE)
    assert state.decision == Decision.REACT
    assert sorted(legal(state)) == sorted([NO, RIPOSTE])
    do(state, RIPOSTE)
    assert figure(state, 4)["ap"] == 2
    rolls(state, 2)
    rolls(state, 2)
    rolls(state, 1)
    declined(state)
    assert figure(state, 4)["ticked"] == 0


@pytest.mark.rule("OLO-DODGE-01", "OLO-AP-03")
def test_reactions_cost_tokens() -> None:
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800), ap=0)})
    do(state, use(2, FRONTAL), target(4))
    assert state.decision != Decision.REACT or legal(state) == [NO]


@pytest.mark.rule("OLO-FATE-01", "OLO-FATE-02", "OLO-FATE-04", "OLO-SEQ-06")
def test_the_active_rouage_may_tempt_fate_once() -> None:
    """After both rolls are seen the active rouage may roll again, once, and only its own."""
    state = duel()
    do(state, use(2, FRONTAL), target(4), DODGE)
    rolls(state, 4)
    rolls(state, 2)
    assert (state.decision, state.actor()) == (Decision.FATE, state.seat_of(0)), "offered though every die succeeded"
    do(state, YES)
    assert figure(state, 2)["noirceur"] == 1
    assert state.pool == (4, 5)
    rolls(state, 3)
    assert state.decision == Decision.TACTIC, "no second reroll; the dodge stands"
    do(state, NO)
    assert figure(state, 4)["ticked"] == 1


@pytest.mark.rule("OLO-FATE-05", "OLO-NOIR-04", "OLO-END-03", "OLO-FIEL-02")
def test_a_corrupted_rouage_tempts_fate() -> None:
    """W11: the token becomes Fiel; at 3 its player loses at once."""
    stand = {2: Rouage((700, 800), noirceur=3), 4: Rouage((900, 800))}
    state = scene(stand, fiel=[1, 0])
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 0)
    do(state, YES)
    assert state.dump()["fiel"] == [2, 0]
    assert state.decision == Decision.CHANCE_POOL
    lost = scene(stand, fiel=[2, 0], vp=[9, 0])
    do(lost, use(2, FRONTAL), target(4), NO)
    rolls(lost, 0)
    do(lost, YES)
    assert lost.actor() == -3
    assert lost.returns() == (-1.0, 1.0)


@pytest.mark.rule("OLO-FATE-03")
def test_no_fate_for_reactions() -> None:
    state = duel()
    do(state, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(state, 4)
    rolls(state, 0)
    do(state, NO)
    assert state.decision == Decision.TACTIC, "the riposter is not asked"


@pytest.mark.rule("OLO-ROLL-02", "OLO-ROLL-04")
def test_support_for_the_defender() -> None:
    """An ally of the target that has the attacker in its zone helps the dodge, seen or not."""
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800)), 3: Rouage((700, 1000))})
    do(state, use(2, FRONTAL), target(4), DODGE)
    assert state.pool == (4, 5)
    rolls(state, 0)
    assert state.pool == (2, 4)


@pytest.mark.rule("OLO-ROLL-09")
def test_support_does_not_arise_in_shots_unless_a_card_lifts_the_condition() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1},
      do: [{op: permit, who: self, caps: [ranged], ignore: [engaged, free], for: phase}]}"""
    stand = {1: Rouage((400, 400), card="fx-hynek"), 4: Rouage((700, 400)), 0: Rouage((700, 600))}
    plain_shot = scene(stand, active=1)
    assert not may(plain_shot, use(1, RANGED)), "the only foe is engaged by an ally"
    state = scene(stand, active=1, changes=(add_capacity("fx-hynek", card),))
    do(state, use(1, specific(state, 1, "probe")), use(1, RANGED), target(4), NO)
    assert state.pool == (5, 4)


@pytest.mark.rule("OLO-ROLL-07")
@pytest.mark.parametrize(("difficulty", "expected"), [(-4, 2), (4, 6), (1, 6), (-1, 4)])
def test_difficulty_is_limited_to_the_range_from_2_to_6(difficulty: int, expected: int) -> None:
    card = f"""{{id: probe, name: Probe, timing: active, cost: {{ap: 1}},
      do: [{{op: mod, difficulty: {difficulty}, for: phase}}]}}"""
    state = duel(changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")), use(2, FRONTAL), target(4), NO)
    assert state.pool == (4, expected)


@pytest.mark.rule("OLO-LIFE-02", "OLO-LIFE-03")
def test_a_card_that_protects_does_so_before_the_boxes_are_looked_at() -> None:
    """One of two wounds remains, whose span does not reach the reinforced box."""
    ward = """{id: ward, name: Ward, timing: permanent, do: [{op: protect, who: self, n: 1, for: game}]}"""
    changes = (MIGHTY, put("profiles", "fx-petra", "life", "SRSS"), add_capacity("fx-petra", ward))
    for wounds, ticked in ((1, 0), (2, 1), (3, 1), (4, 2)):
        state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, active=4, changes=changes)
        strike(state, 4, 2, wounds)
        assert figure(state, 2)["ticked"] == ticked, wounds


@pytest.mark.rule("OLO-ROLL-08", "OLO-GEN-08")
def test_attack_without_dice_is_not_rolled() -> None:
    blunt = put("profiles", "fx-petra", "combat", 0)
    assert not may(duel(changes=(blunt,)), use(2, FRONTAL))
    card = """{id: probe, name: Probe, timing: permanent, on: attack_declared, optional: false,
      do: [{op: mod, on: {who: attacker}, dice: -9, for: attack}]}"""
    state = duel(changes=(add_capacity("fx-petra", card),))
    do(state, use(2, FRONTAL), target(4), NO)
    assert state.decision == Decision.ACT, "nothing is rolled, and nothing rolled again"
    assert (figure(state, 4)["ticked"], figure(state, 2)["noirceur"]) == (0, 0)


@pytest.mark.rule("OLO-SHOT-01", "OLO-SHOT-02", "OLO-SHOT-03", "OLO-SHOT-05")
def test_only_the_nearest_foe_can_be_shot_at() -> None:
    """W17: only the nearest foe that is free and visible can be shot at, hostiles included."""
    stand = {1: Rouage((400, 400), card="fx-hynek"), 6: Rouage((700, 400)), 4: Rouage((400, 1000))}
    hostiles = {6: "fx-idler"}
    state = scene(stand, active=1, hostiles=hostiles)
    do(state, use(1, RANGED))
    assert legal(state) == [target(6)]
    engaged = scene({**stand, 0: Rouage((800, 560))}, active=1, hostiles=hostiles)
    do(engaged, use(1, RANGED))
    assert legal(engaged) == [target(4)]
    do(engaged, target(4))
    if engaged.decision == Decision.REACT:
        do(engaged, NO)
    assert engaged.pool == (3, 5)
    beset = scene({**stand, 3: Rouage((500, 560))}, active=1, hostiles=hostiles)
    assert not may(beset, use(1, RANGED))


@pytest.mark.rule("OLO-SHOT-02")
def test_either_of_two_nearest_foes_can_be_shot_at() -> None:
    stand = {1: Rouage((400, 400), card="fx-hynek"), 3: Rouage((700, 400)), 4: Rouage((400, 700))}
    state = scene(stand, active=1)
    do(state, use(1, RANGED))
    assert sorted(legal(state)) == sorted([target(3), target(4)])


@pytest.mark.rule("OLO-SEQ-10", "OLO-OUT-04", "OLO-OUT-05")
def test_riposte_of_a_rouage_out_of_action_still_wounds() -> None:
    """W25: the riposte wounds; the rouage that is out gets no Noirceur for putting the attacker out."""
    stand = {2: Rouage((700, 800), ticked=1), 4: Rouage((900, 800), ticked=6)}
    state = scene(stand)
    do(state, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(state, 2)
    rolls(state, 1)
    declined(state)
    assert where(state, 4) is None
    assert state.dump()["traque"] == 1
    assert figure(state, 2)["noirceur"] == 1
    assert figure(state, 2)["ticked"] == 2
    both = scene({**stand, 2: Rouage((700, 800), ticked=6)})
    do(both, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(both, 2)
    rolls(both, 1)
    declined(both)
    assert both.dump()["traque"] == 2
    assert figure(both, 4)["noirceur"] == 0
    never = scene(stand, options={"felled_riposte": False})
    do(never, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(never, 2)
    rolls(never, 1)
    declined(never)
    assert figure(never, 2)["ticked"] == 1


@pytest.mark.rule("OLO-CHARGE-02", "OLO-MARCH-01", "OLO-CAP-06")
def test_limits_of_marches_and_attacks() -> None:
    """W16: at most two marches and two attacks in a phase."""
    far = {2: Rouage((400, 800)), 4: Rouage((760, 800))}
    marched = scene({2: Rouage((400, 800), marches=2), 4: Rouage((760, 800))})
    assert not may(marched, use(2, 1)) and not may(marched, use(2, CHARGE))
    attacked = scene({2: Rouage((400, 800), attacks=2), 4: Rouage((760, 800))})
    assert not may(attacked, use(2, CHARGE))
    state = scene(far)
    do(state, use(2, 1), go(420, 800), use(2, CHARGE), charge(4, 560, 800))
    declined(state)
    rolls(state, 0)
    declined(state)
    entry = figure(state, 2)
    assert (entry["marches"], entry["attacks"], entry["ap"]) == (2, 1, 1)
    assert not may(state, use(2, 1))
    assert may(state, use(2, FRONTAL))
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, attack: other,
      target: {side: foe, within: 4, of: self, pick: choose}, do: [{op: wound, who: target, n: 1}]}"""
    tired = scene({2: Rouage((400, 800), attacks=2), 4: Rouage((600, 800))}, changes=(add_capacity("fx-petra", card),))
    assert not may(tired, use(2, specific(tired, 2, "probe")))


@pytest.mark.rule("OLO-CHARGE-01", "OLO-CHARGE-04", "OLO-CHARGE-06")
def test_charge_needs_a_place_and_a_free_rouage() -> None:
    """G14: a rouage that is engaged can charge only by a card, and its move draws opportunity attacks."""
    assert may(scene({2: Rouage((400, 800)), 4: Rouage((1046, 800))}), use(2, CHARGE))
    assert not may(scene({2: Rouage((400, 800)), 4: Rouage((1047, 800))}), use(2, CHARGE))
    stand = {2: Rouage((500, 500)), 3: Rouage((700, 500)), 4: Rouage((300, 500 + 300))}
    assert not may(scene(stand), use(2, CHARGE))
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1},
      do: [{op: permit, who: self, caps: [charge], ignore: [free, engaged], for: phase}]}"""
    state = scene(stand, changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")), use(2, CHARGE))
    goal = next(code for code in legal(state) if parts(code).a == 4 and parts(code).x < 450)
    do(state, goal)
    assert state.decision == Decision.OPPORTUNITY
    assert state.actor() == state.seat_of(1)


@pytest.mark.rule("OLO-SEQ-02", "OLO-SEQ-11")
def test_an_attack_whose_target_is_gone_ends() -> None:
    """What a trigger moves out of reach is not attacked; the cost stays. At the end of an attack triggers fire."""
    away = """{id: probe, name: Probe, timing: permanent, on: attack_declared, optional: false,
      if: {same: [defender, self]}, do: [{op: place, who: self, within: 4, of: self}]}"""
    state = duel(changes=(add_capacity("fx-hynek", away),))
    do(state, use(2, FRONTAL), target(4))
    assert state.decision == Decision.PUSH
    do(state, go(1250, 800))
    assert state.decision == Decision.ACT
    assert figure(state, 2)["ap"] == 3
    assert figure(state, 4)["ticked"] == 0
    after = """{id: probe, name: Probe, timing: permanent, on: attack_end, optional: false,
      if: {same: [defender, self]}, do: [{op: vp, player: owner, n: 1}]}"""
    ended = duel(changes=(add_capacity("fx-hynek", after),))
    strike(ended, 2, 4, 1)
    assert ended.dump()["vp"] == [0, 1]


@pytest.mark.rule("OLO-THREAT-04", "OLO-THREAT-03")
def test_rouages_that_touch_one_marker_engage_each_other() -> None:
    """W26: they may attack each other, and a move away draws an opportunity attack."""
    stand = {2: Rouage((681, 800)), 4: Rouage((919, 800))}
    state = scene(stand, markers=[Marker((800, 800))])
    assert state.is_engaged(2) and state.is_engaged(4)
    assert may(state, use(2, FRONTAL))
    assert not may(state, use(2, RANGED))
    do(state, use(2, 1), go(640, 800))
    assert state.decision == Decision.OPPORTUNITY
    apart = scene({**stand, 4: Rouage((921, 800))}, markers=[Marker((800, 800))])
    assert not apart.is_engaged(2)


@pytest.mark.rule("OLO-THREAT-03", "OLO-THREAT-06")
def test_engagement_depends_on_the_gap() -> None:
    """G03: the gap decides; a rouage off the board engages nothing."""
    for dx, dy, engaged in ((218, 0, True), (219, 0, False), (154, 154, True), (154, 155, False)):
        state = scene({2: Rouage((700, 800)), 4: Rouage((700 + dx, 800 + dy))})
        assert state.is_engaged(2) == engaged
        assert bool(state.threatens(4) >> 2 & 1) == engaged
    off = scene({2: Rouage((700, 800)), 4: Rouage()})
    assert not off.is_engaged(2)
    assert off.threatens(4) == 0
    friends = scene({2: Rouage((700, 800)), 1: Rouage((900, 800))})
    assert not friends.is_engaged(2)


@pytest.mark.rule("OLO-LIFE-07", "OLO-OUT-04")
@pytest.mark.parametrize(("option", "noirceur"), [("any_source", 1), ("attack_only", 0)])
def test_wounds_without_an_attack(option: str, noirceur: int) -> None:
    """W06 (d): R and T are ticked one by one; a T gives Noirceur unless attacks alone do."""
    life = put("profiles", "fx-petra", "life", "SRTS")
    card = "{id: probe, name: Probe, timing: active, cost: {ap: 1}, do: [{op: wound, who: self, n: 2}]}"
    changes = (life, add_capacity("fx-petra", card))
    state = scene({2: Rouage((700, 800), ticked=1)}, changes=changes, options={"tainted_box": option})
    do(state, use(2, specific(state, 2, "probe")))
    assert (figure(state, 2)["ticked"], figure(state, 2)["noirceur"]) == (3, noirceur)


def test_choices_carry_only_what_can_be_done() -> None:
    state = scene({2: Rouage((400, 800)), 4: Rouage((1400, 800))})
    assert verbs(state) == {codes.USE, codes.END}


@pytest.mark.rule("OLO-END-02", "OLO-TRAQ-01")
@pytest.mark.parametrize(("traque", "vp"), [(0, [2, 0]), (2, [0, 0])])
def test_a_kill_that_ends_the_game_scores_nothing(traque: int, vp: list[int]) -> None:
    """No rule of an agenda triggers on it any more, as the texts of the house agendas say."""

    def scoring(raw: Raw) -> None:
        quiet = next(agenda for agenda in raw["agendas"] if agenda["id"] == "quiet")
        quiet["rules"] = [
            {
                "id": "kill",
                "name": "Kill",
                "timing": "permanent",
                "on": "out",
                "optional": False,
                "do": [{"op": "vp", "player": "of(killer)", "n": 2}],
            }
        ]

    stand = {2: Rouage((700, 800)), 4: Rouage((900, 800))} | {
        index: Rouage(out_of_action=True) for index in range(traque)
    }
    state = scene(stand, changes=(scoring, put("profiles", "fx-hynek", "life", "S")), traque=traque)
    strike(state, 2, 4, 1)
    assert state.dump()["traque"] == traque + 1
    assert (state.actor() == TERMINAL) is (traque == 2)
    assert state.dump()["vp"] == vp
    house = SOURCE.own.pick("house-1").data
    assert all("nothing if the hunt reaches 3" in " ".join(agenda.text.split()) for agenda in house.agendas)
