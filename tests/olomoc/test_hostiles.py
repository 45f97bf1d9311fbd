"""Hostiles: their Instinct, reactions, phase, and how they come and go (sections 3.14 and 6.4; W28)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import Change, put
from tests.olomoc.scenes import (
    AXE,
    END,
    FRONTAL,
    NO,
    RIPOSTE,
    Rouage,
    Script,
    advance,
    changed_to,
    do,
    drawn,
    figure,
    game,
    hostile_phase,
    legal,
    ministry,
    parts,
    plans_of,
    rolls,
    run,
    scene,
    settled,
    target,
    use,
    where,
)


@pytest.mark.rule("OLO-HPH-01", "OLO-HPH-02", "OLO-HPH-04")
def test_players_run_hostiles_in_turn() -> None:
    stand = {6: Rouage((600, 800)), 7: Rouage((1000, 800)), 8: Rouage((800, 400))}
    state = hostile_phase(stand, dict.fromkeys((6, 7, 8), "fx-idler"), priority=1)
    order = []
    while state.dump()["phase"] == 6 and state.decision == Decision.HOSTILE:
        order.append((state.player_of(state.actor()), [parts(code).a for code in legal(state)]))
        run(state, order[-1][1][0])
        settled(state)
    assert order == [(1, [6, 7, 8]), (0, [7, 8]), (1, [8])]
    assert state.dump()["cycle"] == 2


@pytest.mark.rule("OLO-HPH-03", "OLO-HOST-02", "OLO-THREAT-05")
def test_the_default_instinct() -> None:
    """W28: a hostile that engages no rouage and cannot charge moves directly towards the rouage of the highest rank."""
    state = hostile_phase({6: Rouage((800, 300)), 4: Rouage((800, 1450))}, {6: "fx-rogue"})
    run(state, 6)
    assert state.decision == Decision.HOSTILE_LINE
    assert legal(state) == [codes.CHOOSE(2)]
    do(state, legal(state)[0])
    assert state.decision == Decision.HOSTILE_GO, "rank 3 beats the nearer rank 2"
    table = state.table()
    before = table.gap(6, 2)
    do(state, legal(state)[0])
    assert state.table().gap(6, 2) < before


@pytest.mark.rule("OLO-HPH-03", "OLO-HOST-02", "OLO-HOST-04")
def test_hostile_follows_the_first_line_that_applies() -> None:
    """An engaged hostile attacks, and one near a rouage charges: two acts, two attacks at most, without tokens."""
    state = hostile_phase({6: Rouage((800, 300)), 2: Rouage((1000, 300))}, {6: "fx-rogue"})
    run(state, 6)
    assert legal(state) == [codes.CHOOSE(0)]
    do(state, legal(state)[0])
    if state.decision == Decision.HOSTILE_TARGET:
        do(state, target(2))
    assert state.actor() == state.seat_of(0) and state.decision == Decision.REACT
    do(state, NO)
    assert state.pool == (3, 5)
    rolls(state, 2)
    assert state.decision not in (Decision.FATE, Decision.TACTIC), "no fate, no tactic"
    assert figure(state, 2)["ticked"] == 1
    assert legal(state) == [codes.CHOOSE(0)]
    far = hostile_phase({6: Rouage((800, 300)), 2: Rouage((1300, 300))}, {6: "fx-rogue"})
    run(far, 6)
    assert legal(far) == [codes.CHOOSE(1)]


@pytest.mark.rule("OLO-TACT-03", "OLO-HOST-03", "OLO-FATE-06")
def test_hostiles_fight_players_only() -> None:
    stand = {6: Rouage((800, 300)), 7: Rouage((1000, 300)), 2: Rouage((1400, 1400))}
    state = hostile_phase(stand, {6: "fx-rogue", 7: "fx-idler"})
    assert not state.is_engaged(6)
    run(state, 6)
    assert codes.CHOOSE(0) not in legal(state)


@pytest.mark.rule("OLO-OPP-01", "OLO-HPH-03")
def test_a_hostile_that_leaves_a_zone() -> None:
    """W28: the player whose rouage it leaves may attack."""
    away = put("hostiles", "fx-mover", "instinct", [{"do": "move", "mode": "away", "target": ["nearest"]}])
    state = hostile_phase({6: Rouage((800, 300)), 2: Rouage((1000, 300))}, {6: "fx-mover"}, changes=(away,))
    run(state, 6)
    do(state, legal(state)[0])
    far = min(legal(state), key=lambda code: parts(code).x)
    do(state, far)
    assert (state.decision, state.actor()) == (Decision.OPPORTUNITY, state.seat_of(0))


@pytest.mark.rule("OLO-HOST-05", "OLO-ROLL-05")
def test_hostiles_react_by_themselves_and_support_each_other() -> None:
    stand = {2: Rouage((700, 800)), 6: Rouage((900, 800)), 7: Rouage((700, 1000))}
    hostiles = {6: "fx-idler", 7: "fx-idler"}
    state = scene(stand, hostiles=hostiles)
    do(state, use(2, FRONTAL), target(6))
    assert state.decision == Decision.CHANCE_POOL, "the profile decides"
    rolls(state, 1)
    assert state.pool == (2, 4), "it dodges, supported by the other hostile"
    rolls(state, 0)
    while state.decision in (Decision.FATE, Decision.TACTIC):
        do(state, NO)
    do(state, use(2, FRONTAL), target(6))
    rolls(state, 1)
    assert state.pool == (3, 4), "one dodge in a phase: now it ripostes"


@pytest.mark.rule("OLO-HOST-05")
@pytest.mark.parametrize(("option", "reacts"), [("none", False), ("free", True), ("profile", True)])
def test_option_decides_whether_hostiles_react(option: str, reacts: bool) -> None:
    stand = {2: Rouage((700, 800)), 6: Rouage((900, 800))}
    state = scene(stand, hostiles={6: "fx-idler"}, options={"hostile_reactions": option})
    do(state, use(2, FRONTAL), target(6))
    rolls(state, 1)
    assert (state.decision == Decision.CHANCE_POOL) == reacts


@pytest.mark.rule("OLO-HOST-05")
def test_a_profile_prefers_a_riposte() -> None:
    reactions = put(
        "hostiles",
        "fx-idler",
        "reactions",
        {"riposte": 1, "dodge": 1, "opportunity": 0, "prefer": ["riposte", "dodge"]},
    )
    state = scene({2: Rouage((700, 800)), 6: Rouage((900, 800))}, hostiles={6: "fx-idler"}, changes=(reactions,))
    do(state, use(2, FRONTAL), target(6))
    rolls(state, 0)
    assert state.pool == (3, 5)


@pytest.mark.rule("OLO-HOST-06")
@pytest.mark.parametrize(("option", "stays"), [("recover", False), ("permanent", True)])
def test_stunned_hostile_does_nothing(option: str, stays: bool) -> None:
    stand = {6: Rouage((800, 300), stunned=True), 2: Rouage((1000, 300))}
    state = hostile_phase(stand, {6: "fx-rogue"}, options={"hostile_stun": option})
    run(state, 6)
    settled(state)
    assert bool(figure(state, 6)["states"]) == stays
    assert figure(state, 2)["ticked"] == 0


@pytest.mark.rule("OLO-HOST-01", "OLO-COMP-08", "OLO-MECH-01")
def test_hostiles_appear_near_a_spot() -> None:
    stand = {2: Rouage((800, 800)), **{index: Rouage((200 + 130 * (index - 6), 1400)) for index in range(6, 15)}}
    state = _spawned(stand, dict.fromkeys(range(6, 15), "fx-idler"))
    place = where(state, 15)
    assert place is not None and place != (800, 800)
    assert abs(place[0] - 800) < 150 and abs(place[1] - 800) < 150
    full = {**stand, 15: Rouage((1500, 1200))}
    crowded = _spawned(full, dict.fromkeys(range(6, 16), "fx-idler"))
    assert sum(1 for entry in crowded.dump()["figures"] if entry["index"] >= 6) == 10


def _spawned(stand: dict[int, Rouage], hostiles: dict[int, str]) -> OlomocState:
    return drawn("104", stand, hostiles=hostiles)


@pytest.mark.rule("OLO-HPH-02", "OLO-HOST-01")
@pytest.mark.parametrize("acts", [True, False])
def test_a_hostile_that_appears_in_the_hostile_phase(acts: bool) -> None:
    howl: Change = put("hostiles", "fx-idler", "capacities", [
        {"id": "howl", "name": "Howl", "timing": "active", "freq": {"n": 1, "per": "game"}, "do": [
            {"op": "spawn", "profile": "fx-mover", "n": 1, "spot": {"at": [800, 500]}}]}])  # fmt: skip
    line: Change = put("hostiles", "fx-idler", "instinct", [{"do": "use", "use": "howl"}, {"do": "stop"}])
    state = hostile_phase({6: Rouage((800, 300))}, {6: "fx-idler"}, changes=(howl, line), options={"spawn_acts": acts})
    run(state, 6)
    settled(state)
    assert where(state, 7) is not None
    assert (state.decision == Decision.HOSTILE and state.dump()["phase"] == 6) == acts


@pytest.mark.rule("OLO-HPH-05", "OLO-INV-07")
def test_hostiles_that_spawn_hostiles_come_to_an_end() -> None:
    howl: Change = put("hostiles", "fx-idler", "capacities", [
        {"id": "howl", "name": "Howl", "timing": "active", "freq": {"n": 9, "per": "phase"}, "do": [
            {"op": "spawn", "profile": "fx-idler", "n": 1, "spot": {"at": [800, 500]}},
            {"op": "despawn", "who": "self"}]}])  # fmt: skip
    line: Change = put("hostiles", "fx-idler", "instinct", [{"do": "use", "use": "howl"}, {"do": "stop"}])
    state = hostile_phase({6: Rouage((800, 300))}, {6: "fx-idler"}, changes=(howl, line))
    runs = 0
    while state.dump()["phase"] == 6 and runs < 40:
        settled(state)
        if state.decision == Decision.HOSTILE:
            runs += 1
            run(state, parts(legal(state)[0]).a)
    assert runs == 20


@pytest.mark.rule("OLO-MIN-02", "OLO-MIN-01")
def test_animosite_runs_a_hostile_of_its_players_choice() -> None:
    stand = {2: Rouage((200, 1400)), 6: Rouage((800, 300)), 7: Rouage((1200, 300))}
    state = scene(stand, hostiles={6: "fx-idler", 7: "fx-idler"}, phase=4, against=(3, 0))
    how = Script(plans_of(state))
    do(state, END)
    advance(
        state,
        how,
        lambda s: s.decision in (Decision.PICK, Decision.HOSTILE, Decision.CHOICE) and s.dump()["phase"] == 5,
    )
    assert {parts(code).a for code in legal(state)} == {6, 7}


@pytest.mark.rule("OLO-HOST-03", "OLO-GEN-05")
def test_other_ministries_do_not_touch_hostiles() -> None:
    """A selector means allies by default, and enemies are the other player's rouages."""
    wound = put("ministries", "securite", "do", [
        {"op": "each", "of": {"side": "enemy"}, "as": "each", "do": [{"op": "wound", "who": "each", "n": 1}]},
        {"op": "each", "of": {}, "as": "each", "do": [{"op": "noirceur", "who": "each", "n": 1}]}])  # fmt: skip
    plans = (0, 1, ministry("securite"), 2, 3), (0, 1, 2, 3, AXE)
    state = game(wound).initial_state()
    advance(
        state,
        Script(plans),
        lambda s: s.dump()["phase"] == 2 and s.decision == Decision.ACT and 1 in s.active_figures(),
    )
    stand = {index: Rouage((200 + 200 * index, 1400)) for index in range(6)}
    state = changed_to(state, {**stand, 6: Rouage((800, 300))}, hostiles={6: "fx-idler"})
    advance(state, Script(plans), lambda s: s.dump()["phase"] == 4)
    assert figure(state, 6)["ticked"] == 0
    assert [figure(state, index)["ticked"] for index in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [figure(state, index)["noirceur"] for index in range(6)] == [1, 1, 1, 0, 0, 0]


@pytest.mark.rule("OLO-CAP-07")
def test_the_hostile_phase_counts_for_itself() -> None:
    stand = {6: Rouage((800, 300)), 2: Rouage((1000, 300))}
    state = hostile_phase(stand, {6: "fx-rogue"}, options={"riposte_limit": 1})
    for _ in range(2):
        if state.decision == Decision.HOSTILE:
            run(state, 6)
        do(state, legal(state)[0])
        if state.decision == Decision.HOSTILE_TARGET:
            do(state, target(2))
        if RIPOSTE in legal(state):
            do(state, RIPOSTE)
            rolls(state, 0)
            rolls(state, 0)
            used = True
        else:
            do(state, NO)
            rolls(state, 0)
            used = False
    assert not used, "one riposte in the hostile phase"


@pytest.mark.rule("OLO-HOST-03")
@pytest.mark.parametrize(("side", "hit"), [("any", [1] * 6), ("foe", [0, 0, 0, 1, 1, 1]), ("player", [1] * 6)])
def test_wide_effects_of_ministries_leave_hostiles_alone(side: str, hit: list[int]) -> None:
    """Only the Axe has effects on hostiles, whatever a card says; effects on all rolls leave out theirs."""
    do_ = [{"op": "each", "of": {"side": side}, "as": "each", "do": [{"op": "wound", "who": "each", "n": 1}]},
           {"op": "mod", "on": {"who": "any"}, "dice": 1, "for": "next_phase"}]  # fmt: skip
    plans = (0, 1, ministry("securite"), 2, 3), (0, 1, 2, 3, AXE)
    for card, touched in (("securite", 0), ("animosite", 1 if side != "player" else 0)):
        state = game(put("ministries", card, "do", do_)).initial_state()
        one = plans[0] if card == "securite" else (0, 1, AXE, 2, 3)
        how = Script((one, plans[1]))
        advance(state, how, lambda s: s.dump()["phase"] == 2 and s.decision == Decision.ACT and 1 in s.active_figures())
        stand = {index: Rouage((200 + 200 * index, 1400)) for index in range(6)}
        state = changed_to(state, {**stand, 6: Rouage((1200, 1200))}, hostiles={6: "fx-idler"})
        advance(state, how, lambda s: s.dump()["phase"] == 4 and s.decision == Decision.ACT and 2 in s.active_figures())
        assert [figure(state, index)["ticked"] for index in range(6)] == hit
        assert figure(state, 6)["ticked"] == touched
        fight = changed_to(state, {2: Rouage((700, 800)), 6: Rouage((900, 800))})
        do(fight, use(2, FRONTAL), target(6))
        assert fight.pool == (5, 5)
        rolls(fight, 1)
        assert fight.pool == ((2, 5) if card == "securite" else (3, 5)), "the dodge of the hostile"


@pytest.mark.rule("OLO-HOST-02", "OLO-HPH-03")
@pytest.mark.parametrize(
    ("criteria", "chosen"),
    [
        (["nearest"], 0), (["farthest"], 1), (["highest_rank"], 2), (["lowest_rank"], 0), (["most_noirceur"], 2),
        (["fewest_boxes"], 1), (["corrupted_first"], 2), (["engaged_by_me"], 0), (["in_sight", "highest_rank"], 1),
        (["in_sight", "farthest"], 1), (["corrupted_first", "nearest"], 2),
    ],
)  # fmt: skip
def test_targets_that_a_hostile_picks(criteria: list[str], chosen: int) -> None:
    """The criteria apply one after the other, then the nearest is chosen. Pétra is behind the wall."""
    stand = {
        6: Rouage((800, 800)), 0: Rouage((800, 1000), noirceur=2), 1: Rouage((800, 200), ticked=5),
        2: Rouage((1300, 800), noirceur=3), 3: Rouage(ap=0),
    }  # fmt: skip
    line = put("hostiles", "fx-mover", "instinct", [{"do": "move", "target": criteria}])
    state = hostile_phase(stand, {6: "fx-mover"}, changes=(line,), options={"bloc": "tall"}, against=(0,))
    run(state, 6)
    do(state, legal(state)[0])
    assert state.decision == Decision.HOSTILE_GO
    going = [*state.dump()["frames"][-1]["values"], *[0] * 9]
    assert going[7] == chosen


@pytest.mark.rule("OLO-HPH-03", "OLO-HOST-02")
def test_active_player_decides_between_equal_targets() -> None:
    """A51: two rouages have the same rank and the same gap."""
    stand = {
        6: Rouage((800, 800)),
        2: Rouage((1200, 800)),
        5: Rouage((1200, 1400)),
        1: Rouage((800, 400)),
        4: Rouage((800, 1200)),
        3: Rouage(ap=0),
    }
    line = put("hostiles", "fx-mover", "instinct", [{"do": "move", "target": ["lowest_rank"]}])
    state = hostile_phase(stand, {6: "fx-mover"}, changes=(line,), priority=1, against=(0,))
    run(state, 6)
    do(state, legal(state)[0])
    assert (state.decision, state.player_of(state.actor())) == (Decision.HOSTILE_TARGET, 1)
    assert legal(state) == [target(1), target(4)]


@pytest.mark.rule("OLO-HOST-04", "OLO-HPH-03")
def test_actions_of_a_hostile_in_an_activation() -> None:
    """At most two marches, whatever its acts; ``stop`` ends its activation; it does not charge while it is engaged."""
    acts = put("hostiles", "fx-mover", "acts", 4)
    state = hostile_phase({6: Rouage((800, 200)), 2: Rouage((800, 1450))}, {6: "fx-mover"}, changes=(acts,))
    run(state, 6)
    for _ in range(2):
        assert legal(state) == [codes.CHOOSE(0)]
        do(state, legal(state)[0])
        do(state, legal(state)[0])
    assert legal(state) == [NO]
    still = hostile_phase({6: Rouage((800, 200))}, {6: "fx-idler"}, changes=(put("hostiles", "fx-idler", "acts", 3),))
    run(still, 6)
    do(still, codes.CHOOSE(0))
    assert still.decision != Decision.HOSTILE_LINE
    line = put("hostiles", "fx-mover", "instinct", [{"do": "charge"}, {"do": "stop"}])
    beset = hostile_phase({6: Rouage((800, 300)), 2: Rouage((1000, 300))}, {6: "fx-mover"}, changes=(line,))
    run(beset, 6)
    assert legal(beset) == [codes.CHOOSE(1)]


@pytest.mark.rule("OLO-REST-01", "OLO-HPH-03")
def test_a_hostile_frees_another_one_of_its_stun() -> None:
    line = put("hostiles", "fx-mover", "instinct", [{"do": "rest"}, {"do": "stop"}])
    stand = {6: Rouage((800, 300)), 7: Rouage((1000, 300), stunned=True), 8: Rouage((1400, 300), stunned=True)}
    state = hostile_phase(stand, {6: "fx-mover", 7: "fx-idler", 8: "fx-idler"}, changes=(line,))
    run(state, 6)
    do(state, codes.CHOOSE(0))
    assert [figure(state, index)["states"] for index in (7, 8)] == [0, 1]


@pytest.mark.rule("OLO-HPH-02")
def test_hostiles_act_in_the_hostile_phase_of_every_cycle() -> None:
    state = hostile_phase({6: Rouage((600, 800)), 7: Rouage((1000, 800))}, dict.fromkeys((6, 7), "fx-idler"))
    how = Script(plans_of(state))
    for cycle in (1, 2):
        assert (state.decision, state.dump()["cycle"]) == (Decision.HOSTILE, cycle)
        assert [parts(code).a for code in legal(state)] == [6, 7]
        settled(run(state, 6))
        settled(run(state, 7))
        advance(state, how, lambda s: s.decision == Decision.HOSTILE)


@pytest.mark.rule("OLO-HPH-03", "OLO-GEN-11")
def test_open_choices_of_a_hostile_belong_to_its_runner() -> None:
    """The runner decides ties and the choices of capacities: for the second hostile, the player without priority."""
    howl: Change = put("hostiles", "fx-mover", "capacities", [
        {"id": "howl", "name": "Howl", "timing": "active", "freq": {"n": 1, "per": "phase"}, "do": [
            {"op": "choose", "options": [{"text": "One", "do": []}, {"text": "Two", "do": []}]}]}])  # fmt: skip
    line: Change = put("hostiles", "fx-mover", "instinct", [
        {"do": "use", "use": "howl"}, {"do": "move", "target": ["lowest_rank"]}])  # fmt: skip
    acts: Change = put("hostiles", "fx-mover", "acts", 2)
    stand = {
        6: Rouage((800, 800)),
        7: Rouage((800, 1500)),
        1: Rouage((1200, 800)),
        4: Rouage((400, 800)),
        3: Rouage(ap=0),
    }
    hostiles = dict.fromkeys((6, 7), "fx-mover")
    state = hostile_phase(stand, hostiles, changes=(howl, line, acts), priority=1, against=(0,))
    for hostile, player in ((7, 1), (6, 0)):
        assert state.player_of(state.actor()) == player
        run(state, hostile)
        do(state, codes.CHOOSE(0))
        assert (state.decision, state.player_of(state.actor())) == (Decision.CHOICE, player)
        do(state, codes.CHOOSE(1), codes.CHOOSE(1))
        assert (state.decision, state.player_of(state.actor())) == (Decision.HOSTILE_TARGET, player)
        assert legal(state) == [target(1), target(4)]
        do(state, target(1))
        assert (state.decision, state.player_of(state.actor())) == (Decision.HOSTILE_GO, player)
        settled(state)


@pytest.mark.rule("OLO-HPH-03", "OLO-HOST-02")
def test_of_equals_by_its_criteria_a_hostile_takes_the_nearest() -> None:
    stand = {6: Rouage((800, 800)), 1: Rouage((800, 300)), 4: Rouage((800, 1200)), 3: Rouage(ap=0)}
    line = put("hostiles", "fx-mover", "instinct", [{"do": "move", "target": ["lowest_rank"]}])
    state = hostile_phase(stand, {6: "fx-mover"}, changes=(line,), against=(0,))
    run(state, 6)
    do(state, legal(state)[0])
    assert state.decision == Decision.HOSTILE_GO, "nobody is asked"
    assert [*state.dump()["frames"][-1]["values"], *[0] * 9][7] == 4


@pytest.mark.rule("OLO-HOST-04", "OLO-CHARGE-02")
@pytest.mark.parametrize(("first", "distance", "then"), [("shoot", 500, "shoot"), ("charge", 500, "frontal")])
def test_two_attacks_of_a_hostile_at_most(first: str, distance: int, then: str) -> None:
    """Ranged attacks, and a charge with a frontal attack: two in an activation, whatever its acts."""
    changes = (
        put("hostiles", "fx-mover", "acts", 4),
        put("hostiles", "fx-mover", "instinct", [{"do": first}, {"do": then}] if first != then else [{"do": first}]),
        put("profiles", "fx-petra", "life", "S" * 12),
    )
    state = hostile_phase({6: Rouage((800, 300)), 2: Rouage((800 + distance, 300))}, {6: "fx-mover"}, changes=changes)
    run(state, 6)
    attacks = 0
    while legal(state) != [NO]:
        assert state.decision == Decision.HOSTILE_LINE
        do(state, legal(state)[0])
        attacks += 1
        settled(state, (Decision.HOSTILE_LINE, Decision.HOSTILE))
    assert attacks == 2
