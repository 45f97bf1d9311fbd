"""Set-up, planning, phases, coordination, the Artefact (sections 3.11 to 3.13; W07, W08, W10, W18 to W21)."""

from __future__ import annotations

from math import comb

import pytest

from cext.state import CHANCE, SIMULTANEOUS
from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import MINISTRY
from gamepacks.olomoc.constants import FrameKind
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import add_capacity, put
from tests.olomoc.scenes import (
    AXE,
    BLOC,
    END,
    FRONTAL,
    MARCH,
    NO,
    YES,
    Rouage,
    Script,
    advance,
    asked_first,
    card_drawn,
    changed_to,
    do,
    drawn,
    figure,
    game,
    in_phase,
    legal,
    ministry,
    number,
    parts,
    plan,
    played,
    rolls,
    scene,
    specific,
    target,
    use,
    where,
)

# -- set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-SETUP-01", "OLO-SETUP-02", "OLO-SETUP-10")
def test_chance_decides_numbers_agenda_and_board() -> None:
    state = game(start_number="random", agenda="random", bloc="random").initial_state()
    kinds = []
    while state.actor() == CHANCE:
        outcomes = state.chance()
        kinds.append(Decision(state.decision))
        if state.decision in (Decision.CHANCE_NUMBER, Decision.CHANCE_AGENDA, Decision.CHANCE_LAYOUT):
            assert len({weight for _, weight in outcomes}) == 1
        if state.decision == Decision.CHANCE_NUMBER:
            assert len(outcomes) == 2
        state.apply(outcomes[-1][0])
    assert {Decision.CHANCE_NUMBER, Decision.CHANCE_AGENDA, Decision.CHANCE_LAYOUT} <= set(kinds)
    assert state.dump()["first_seat"] == 1
    assert (state.seat_of(0), state.player_of(0)) == (1, 1)
    assert state.dump()["agenda"] == len(state.game.ruleset.agendas) - 1


@pytest.mark.rule("OLO-SETUP-04")
def test_player_2_takes_a_line() -> None:
    state = asked_first(Decision.EDGE, agenda="beasts")
    assert state.actor() == state.seat_of(1)
    assert sorted(parts(code).a for code in legal(state)) == [1, 3]
    do(state, codes.EDGE(3))
    assert state.dump()["line"] == [1, 3]


@pytest.mark.rule("OLO-SETUP-05", "OLO-SETUP-06", "OLO-SETUP-07", "OLO-SETUP-08", "OLO-SETUP-09", "OLO-COMP-03")
def test_outcomes_of_the_deal_and_elements_of_the_agenda() -> None:
    state = game(agenda="beasts").initial_state()
    seen: list[tuple[Decision, int]] = []

    def note(s: OlomocState) -> bool:
        if s.decision in (Decision.CHANCE_FALLEN, Decision.CHANCE_HAND) and (not seen or seen[-1][0] != s.decision):
            seen.append((Decision(s.decision), len(s.chance())))
        return bool(s.decision == Decision.PLAN_MINISTRY)

    advance(state, Script((plan(2), plan(2))), note)
    assert sorted(seen) == sorted([(Decision.CHANCE_FALLEN, 7), (Decision.CHANCE_HAND, comb(6, 3))])
    dump = state.dump()
    hands = dump["hand"]
    assert all(hand >> 7 & 1 and hand.bit_count() == 4 for hand in hands)
    assert hands[0] & hands[1] == 1 << 7
    assert (hands[0] | hands[1]) & 127 == 127 & ~(1 << dump["fallen"])
    assert (dump["traque"], dump["cycle"], dump["fiel"]) == (0, 1, [0, 0])
    assert sum(dump["pile"]) + len(dump["discard"]) + (dump["open_card"] >= 0) == 12
    assert dump["cards"] == [7, 7] and dump["propaganda"] == [1, 1]
    assert [entry["where"] for entry in dump["figures"] if entry["index"] < 6] == [1] * 6
    assert [where(state, index) for index in (6, 7)] == [(800, 700), (800, 900)]


@pytest.mark.rule("OLO-CABAL-01", "OLO-SETUP-08")
def test_the_order_of_a_draft() -> None:
    state = asked_first(Decision.DRAFT, build="draft")
    order = []
    while state.decision in (Decision.DRAFT, Decision.GEAR):
        order.append((Decision(state.decision), state.player_of(state.actor())))
        do(state, legal(state)[0])
    assert order == [(Decision.DRAFT, turn % 2) for turn in range(6)] + [
        (Decision.GEAR, 1 - turn % 2) for turn in range(6)
    ]
    dump = state.dump()
    assert len(set(dump["profile"])) == len(set(dump["equipment"])) == 6


@pytest.mark.rule("OLO-CABAL-01", "OLO-CABAL-02")
def test_cabales_built_in_secret() -> None:
    state = asked_first(Decision.BUILD, build="secret")
    assert state.actor() == SIMULTANEOUS
    picks = {parts(code).a for code in state.legal(0)}
    assert {state.game.ruleset.profiles[pick].rank for pick in picks} == {1}
    advance(state, Script((plan(2), plan(2))), lambda s: s.decision != Decision.BUILD)
    assert state.dump()["profile"][0] == number(state.game, "fx-kubik")


@pytest.mark.rule("OLO-SETUP-03")
def test_player_1_lays_the_scenery() -> None:
    state = asked_first(Decision.SCENERY, bloc="placed")
    assert state.actor() == state.seat_of(0)
    laid = 0
    while state.decision == Decision.SCENERY:
        listed = legal(state)
        assert all(parts(code).verb == codes.SCENERY for code in listed) or listed == [NO]
        do(state, listed[len(listed) // 2])
        laid += 1
    assert laid == len(state.game.ruleset.pool)
    assert len(state.game.view(state, 0).scenery) <= laid


# -- planning ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-PLAN-01", "OLO-PLAN-02", "OLO-PLAN-03", "OLO-PLAN-04")
def test_a_plan_fills_the_lowest_empty_slots() -> None:
    """W18: (ministry, slot) pairs, then the lowest empty slot; 240 plans for the hand of the example."""
    state = game().initial_state()
    hand = plan(2), (0, 1, ministry("securite"), 2, 3)
    how = Script(((0, 1, ministry("securite"), 2, 3), hand[0]))
    advance(state, how, lambda s: s.decision == Decision.PLAN_MINISTRY)
    seat = state.seat_of(0)
    dump = state.dump()
    expected = set()
    for card in state.game.ruleset.ministries:
        if dump["hand"][0] >> card.index & 1:
            expected |= {(slot, MINISTRY + card.index) for slot in range(1, 6) if card.slots >> slot & 1}
    assert {(parts(code).a, parts(code).b) for code in state.legal(seat)} == expected
    plans = 0
    for code in state.legal(seat):
        plans += _plans_after(state, code, seat)
    assert plans == len(expected) * 24


def _plans_after(state: OlomocState, code: int, seat: int) -> int:
    """The number of whole plans that begin with a code; the other seat plans somehow."""
    after = state.clone()
    after.apply(code, seat)
    other = 1 - seat
    if after.seats_to_act() >> other & 1:
        after.apply(after.legal(other)[0], other)
    if after.decision != Decision.PLAN_CARD:
        return 1
    return sum(_plans_after(after, following, seat) for following in after.legal(seat))


@pytest.mark.rule("OLO-PLAN-01")
def test_the_lowest_empty_slot_is_filled_with_each_kind_once() -> None:
    state = game().initial_state()
    how = Script((plan(AXE), plan(AXE)))
    advance(state, how, lambda s: s.decision == Decision.PLAN_CARD)
    for left in (4, 3, 2, 1):
        listed = state.legal(0)
        assert len(listed) == left
        assert len({parts(code).a for code in listed}) == 1
        for seat in range(2):
            state.apply(state.legal(seat)[-1], seat)
    assert state.decision != Decision.PLAN_CARD


@pytest.mark.rule("OLO-PLAN-05", "OLO-PHASE-09", "OLO-MECH-04")
def test_a_rouage_lost_before_planning_is_planned_all_the_same() -> None:
    """The start Mechanism puts a rouage out: its card is laid, and void."""
    frail = put("profiles", "fx-dominik", "life", "SS")
    one, other = (1, 0, 2, 3, AXE), (3, 0, 1, 2, AXE)
    second = {"cards": ("101",), "changes": (frail,)}
    state = played(
        one, other, lambda s: s.dump()["cycle"] == 1 and s.dump()["phase"] == 4 and s.decision == Decision.ACT, **second
    )
    moved = {index: Rouage((200 + 240 * index, 800)) for index in range(6)}
    state = changed_to(state, moved)
    # The Axe against the Axe in phase 5 draws a card, too.
    later = Script((one, other), cards=("101", "202"))
    advance(state, later, lambda s: s.dump()["cycle"] == 2 and s.decision == Decision.PLAN_MINISTRY)
    assert figure(state, 1)["where"] == 3
    assert state.dump()["cards"][0] >> 1 & 1
    state = advance(state, Script((one, other)), in_phase(2))
    assert state.dump()["cycle"] == 2
    assert figure(state, 1)["where"] == 3


# -- phases ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-PHASE-01", "OLO-PHASE-02", "OLO-PHASE-07", "OLO-PHASE-11", "OLO-PHASE-12")
@pytest.mark.parametrize(("one", "other", "first"), [(2, 1, 0), (0, 1, 1), (0, 3, 0), (3, 0, 1)])
def test_the_higher_rank_is_active_first(one: int, other: int, first: int) -> None:
    state = played(plan(one), plan(other), in_phase(1))
    assert state.player_of(state.actor()) == first
    assert state.dump()["active"] == first
    advance(state, Script((plan(one), plan(other))), lambda s: s.dump()["active"] != first)
    assert state.dump()["phase"] == 1
    advance(state, Script((plan(one), plan(other))), in_phase(2))
    assert not any(entry["marches"] or entry["attacks"] or entry["used"] for entry in state.dump()["figures"])


@pytest.mark.rule("OLO-PHASE-03", "OLO-MECH-01", "OLO-MECH-06", "OLO-PRIO-01", "OLO-STUN-02")
def test_a_tie_draws_a_card() -> None:
    """W19: the card determines the player who is active first, and its effect comes before the activation."""
    state = played(plan(1), plan(1), in_phase(1), cards=("201", "102"))
    assert state.dump()["priority"] == 0
    assert state.player_of(state.actor()) == 0
    assert figure(state, 1)["states"] == 1
    if state.decision == Decision.ENTER:
        do(state, legal(state)[0])
    assert set(legal(state)) == {use(1, 0), END}
    other = played(plan(1), plan(1), in_phase(1), cards=("101", "201"))
    assert other.player_of(other.actor()) == 1


@pytest.mark.rule("OLO-PHASE-03")
def test_ties_by_option() -> None:
    both = played(plan(3), plan(3), in_phase(1), cards=("201", "101"), options={"tie_rule": "activation_only"})
    assert both.dump()["priority"] == 1, "no card is drawn for two Propagandas"
    any_tie = played(plan(3), plan(3), in_phase(1), cards=("201", "101"))
    assert any_tie.dump()["priority"] == 0


@pytest.mark.rule("OLO-PHASE-04", "OLO-PHASE-05", "OLO-PHASE-06", "OLO-MIN-01")
def test_a_ministry_blocks_the_other_card() -> None:
    """W20: a ministry forbids the other card whatever the ranks; two ministries go by priority."""
    one, other = (0, 1, ministry("securite"), 2, 3), (0, 1, 2, 3, AXE)
    state = played(one, other, in_phase(4))
    assert state.dump()["vp"][0] == 1, "Sécurité was resolved"
    assert where(state, 5) is None, "the rouage of rank 3 was blocked in phase 3"
    weak = (0, 1, ministry("effort"), 2, 3), other
    blocked = played(*weak, in_phase(4))
    assert where(blocked, 5) is None
    pair = played((AXE, 0, 1, 2, 3), (AXE, 0, 1, 2, 3), in_phase(2))
    assert all(where(pair, index) is None for index in range(6))


@pytest.mark.rule("OLO-PHASE-04")
def test_two_ministries_go_by_priority() -> None:
    card = put(
        "ministries",
        "coordination",
        "do",
        [{"op": "priority", "player": "owner"}, {"op": "vp", "player": "priority", "n": 1}],
    )
    two = put("ministries", "integrite", "do", [{"op": "vp", "player": "priority", "n": 5}])
    plans = (0, ministry("coordination"), 1, 2, 3), (0, ministry("integrite"), 1, 2, 3)
    state = played(*plans, in_phase(3), changes=(card, two), cards=("101",))
    assert state.dump()["vp"] == [6, 0], "the priority holder's is resolved first, though of lower rank"


@pytest.mark.rule("OLO-PHASE-08", "OLO-AP-02", "OLO-COORD-04")
@pytest.mark.parametrize(("ap", "after"), [(3, 4), (0, 2), (4, 4), (1, 3)])
def test_propaganda_gives_tokens_back_and_activates(ap: int, after: int) -> None:
    """W21: up to two tokens back, within what was given; the rouage is activated and cannot coordinate."""
    state = played((0, 3, 1, 2, AXE), (0, 3, 1, 2, AXE), in_phase(2, Decision.PROPAGANDA))
    state = changed_to(state, {2: Rouage((700, 800), ap=ap), 0: Rouage((300, 300))})
    player = state.player_of(state.actor())
    if player == 1:
        do(state, legal(state)[0])
        advance(state, Script(((0, 3, 1, 2, AXE), (0, 3, 1, 2, AXE))), lambda s: s.decision == Decision.PROPAGANDA)
    assert sorted(legal(state)) == [codes.ACTIVATE(index) for index in range(3)]
    do(state, codes.ACTIVATE(2))
    assert figure(state, 2)["ap"] == after
    assert state.decision == Decision.ACT
    assert not any(parts(code).verb == codes.COORD for code in legal(state))


@pytest.mark.rule("OLO-PHASE-08")
def test_propaganda_by_choice() -> None:
    state = played(
        (0, 3, 1, 2, AXE), (0, 1, 3, 2, AXE), in_phase(2, Decision.PROPAGANDA), options={"propaganda_ap": "choose"}
    )
    state = changed_to(state, {2: Rouage((700, 800), ap=3), 0: Rouage((300, 300))})
    do(state, codes.ACTIVATE(2))
    assert state.decision == Decision.PROPAGANDA_TOKENS
    assert legal(state) == [codes.CHOOSE(tokens) for tokens in (0, 1)]
    do(state, codes.CHOOSE(0))
    assert figure(state, 2)["ap"] == 3


@pytest.mark.rule("OLO-PHASE-02")
def test_the_rank_of_a_propaganda_is_an_option() -> None:
    state = played(plan(3), plan(2), in_phase(1), options={"propaganda_rank": 9})
    assert state.player_of(state.actor()) == 0


@pytest.mark.rule("OLO-PHASE-09", "OLO-OUT-05", "OLO-COORD-01")
def test_the_card_of_a_lost_rouage_does_nothing() -> None:
    state = scene({2: Rouage((700, 800)), 4: Rouage(out_of_action=True), 0: Rouage((300, 300))}, against=(3, 1))
    do(state, END)
    how = Script(((2, 0, 1, 3, AXE), (3, 1, 0, 2, AXE)))
    advance(state, how, in_phase(2))
    phase = next(frame for frame in state.dump()["frames"] if frame["kind"] == FrameKind.PHASE)
    assert (phase["pc"], phase["values"]) == (4, [1]), "player 2 was active first, by its rank"
    assert state.active_figures() == (0,), "and its card is done"
    advance(state, how, in_phase(3))
    assert figure(state, 4)["where"] == 3


@pytest.mark.rule("OLO-PHASE-09", "OLO-COORD-01")
@pytest.mark.parametrize("out", [True, False])
def test_a_rouage_out_of_action_is_not_coordinated(out: bool) -> None:
    """Its card was revealed, in the first phase."""
    state = changed_to(
        third_phase(),
        {2: Rouage((700, 800)), 0: Rouage(None if out else (300, 300), out_of_action=out), 1: Rouage((300, 600))},
    )
    coords = [parts(code).a for code in legal(state) if parts(code).verb == codes.COORD]
    assert coords == ([1] if out else [0, 1])


@pytest.mark.rule("OLO-GEN-03", "OLO-GEN-02")
@pytest.mark.parametrize("seat", [0, 1])
def test_before_the_first_mechanism_player_1_sets_the_order(seat: int) -> None:
    """Two hostiles of the agenda answer to their appearance, before anybody has priority by a card."""
    echo = """{id: echo, name: Echo, timing: permanent, on: entered_bloc, optional: false,
      do: [{op: heal, who: self, n: 1}]}"""
    change = add_capacity("fx-idler", echo, "hostiles")
    state = asked_first(Decision.ORDER, change, agenda="beasts", start_number=f"seat{seat}")
    assert (state.dump()["open_card"], state.dump()["cycle"]) == (-1, 0)
    assert (state.actor(), state.player_of(state.actor())) == (seat, 0)


@pytest.mark.rule("OLO-CYC-01", "OLO-AP-01", "OLO-MECH-01")
def test_tokens_come_before_the_card_and_the_card_before_the_plans() -> None:
    state = asked_first(Decision.CHANCE_CARD)
    dump = state.dump()
    assert [entry["ap"] for entry in dump["figures"]] == [4] * 6
    assert (dump["cycle"], dump["phase"], dump["open_card"]) == (1, 0, -1)
    assert all(card < 0 for card in dump["plan"])
    do(state, card_drawn(state, "201"))
    assert (state.decision, state.dump()["priority"]) == (Decision.PLAN_MINISTRY, 1)


@pytest.mark.rule("OLO-PHASE-10", "OLO-PHASE-12", "OLO-GEN-02", "OLO-GEN-03")
def test_triggers_at_the_end_of_cards_and_phases() -> None:
    """The priority holder's simultaneous triggers come first; each player orders those of their own side."""
    card = (
        "{{id: {0}, name: {0}, timing: permanent, on: {1}, optional: false, do: [{{op: vp, player: owner, n: {2}}}]}}"
    )
    changes = (
        add_capacity("fx-petra", card.format("probe-a", "card_end", 1)),
        add_capacity("fx-dominik", card.format("probe-b", "phase_end", 2)),
        add_capacity("fx-dominik", card.format("probe-c", "phase_end", 3)),
    )
    state = scene({2: Rouage((700, 800)), 1: Rouage((300, 300)), 4: Rouage((1200, 800))}, changes=changes)
    do(state, END)
    assert state.dump()["vp"][0] >= 1
    how = Script((plan(2), plan(3)))
    advance(state, how, lambda s: s.decision == Decision.ORDER or s.dump()["phase"] == 2)
    assert state.decision == Decision.ORDER
    assert state.actor() == state.seat_of(0)
    assert len(legal(state)) == 2
    advance(state, how, in_phase(2))
    assert state.dump()["vp"][0] == 7, "card_end twice (both cards), phase_end 2 + 3"


# -- coordination ------------------------------------------------------------------------------------------------------


def third_phase(**more: object) -> OlomocState:
    """Phase 3: Pétra (rank 3) is activated; ranks 1 and 2 were revealed in phases 1 and 2."""
    stand = {
        2: Rouage((700, 800)),
        1: Rouage((400, 800), ap=2),
        0: Rouage((300, 400)),
        4: Rouage((1400, 300)),
        3: Rouage((1400, 1400)),
    }
    return scene(stand, phase=3, **more)  # type: ignore[arg-type]


@pytest.mark.rule("OLO-COORD-01", "OLO-COORD-02", "OLO-COORD-03")
def test_coordinated_rouages_alternate() -> None:
    """W07: both are active, alternate, each with own tokens and limits; one coordination in an activation."""
    state = third_phase()
    do(state, use(2, MARCH), next(code for code in legal(do(state.clone(), use(2, MARCH))) if parts(code).x > 750))
    coords = [code for code in legal(state) if parts(code).verb == codes.COORD]
    assert sorted(parts(code).a for code in coords) == [0, 1]
    do(state, codes.COORD(1))
    assert set(state.active_figures()) == {1, 2}
    users = {parts(code).a for code in legal(state) if parts(code).verb == codes.USE}
    assert users == {1, 2}
    assert not any(parts(code).verb == codes.COORD for code in legal(state))
    do(state, use(1, MARCH), legal(do(state.clone(), use(1, MARCH)))[0], use(2, MARCH))
    do(state, legal(state)[0])
    assert (figure(state, 1)["marches"], figure(state, 2)["marches"]) == (1, 2)
    assert (figure(state, 1)["ap"], figure(state, 2)["ap"]) == (1, 2)
    do(state, END)
    assert not set(state.active_figures()) & {1, 2}


@pytest.mark.rule("OLO-COORD-01", "OLO-COORD-05")
def test_coordination_needs_a_revealed_card_of_lower_rank() -> None:
    """W08: lower ranks whose card was revealed earlier, blocked ones too, not those out of action."""
    first = scene({2: Rouage((700, 800)), 1: Rouage((300, 300)), 0: Rouage((300, 700))}, phase=1)
    assert not any(parts(code).verb == codes.COORD for code in legal(first))
    second = scene({1: Rouage((700, 800)), 0: Rouage((300, 700)), 2: Rouage((300, 300))}, active=1, phase=2)
    assert [parts(code).a for code in legal(second) if parts(code).verb == codes.COORD] == [0]
    low = scene({0: Rouage((700, 800)), 1: Rouage((300, 700)), 2: Rouage((300, 300))}, active=0, phase=3)
    assert not any(parts(code).verb == codes.COORD for code in legal(low))
    lost = scene({2: Rouage((700, 800)), 0: Rouage(out_of_action=True), 1: Rouage((300, 700))}, phase=3)
    assert [parts(code).a for code in legal(lost) if parts(code).verb == codes.COORD] == [1]
    plans = (0, 1, 2, 3, AXE), (ministry("edification"), 0, 1, 2, 3)
    blocked = played(*plans, lambda s: in_phase(2, Decision.ACT)(s) and 1 in s.active_figures())
    assert where(blocked, 0) is None
    assert [parts(code).a for code in legal(blocked) if parts(code).verb == codes.COORD] == [0]
    do(blocked, codes.COORD(0))
    assert blocked.decision == Decision.ENTER, "a coordinated rouage off the board enters"


@pytest.mark.rule("OLO-FATE-03", "OLO-COORD-03")
def test_both_may_tempt_fate() -> None:
    stand = {2: Rouage((300, 400)), 1: Rouage((700, 800)), 4: Rouage((900, 800)), 0: Rouage((300, 800))}
    state = scene(stand, phase=3)
    do(state, codes.COORD(1), use(1, FRONTAL), target(4), NO)
    rolls(state, 0)
    assert state.decision == Decision.FATE
    do(state, YES)
    assert figure(state, 1)["noirceur"] == 1


@pytest.mark.rule("OLO-ACT-02", "OLO-COORD-03")
def test_an_activation_ends_when_both_are_out() -> None:
    stand = {2: Rouage((700, 800), ticked=6), 4: Rouage((900, 800)), 1: Rouage((300, 300))}
    state = scene(stand)
    do(state, use(2, FRONTAL), target(4), codes.REACT(1))
    rolls(state, 0)
    rolls(state, 3)
    while state.decision == Decision.FATE:
        do(state, NO)
    assert figure(state, 2)["where"] == 3
    assert not set(state.active_figures()) & {2}


# -- the Artefact ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-MECH-01", "OLO-MECH-02", "OLO-MECH-06", "OLO-PRIO-01", "OLO-SETUP-07")
def test_a_mechanism_draws_an_artefact_card() -> None:
    state = drawn("201", {2: Rouage((700, 800))})
    dump = state.dump()
    assert dump["priority"] == 1
    assert state.game.ruleset.artefacts[dump["open_card"]].number == "201"
    assert len(dump["discard"]) == 1, "the card before is discarded"
    assert sum(dump["pile"]) == 10


@pytest.mark.rule("OLO-MECH-01")
def test_the_weights_of_the_pile() -> None:
    card = (
        """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase}, do: [{op: mechanism}]}"""
    )
    state = scene({2: Rouage((700, 800))}, changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")))
    cards = state.game.ruleset.artefacts
    shown = {cards[parts(code).a].number: weight for code, weight in state.chance()}
    assert shown == {"101": 2, "201": 3, "102": 1, "202": 1, "103": 1, "203": 1, "104": 1, "204": 1}


@pytest.mark.rule("OLO-MECH-03")
def test_an_empty_pile_is_made_of_the_discard() -> None:
    card = (
        """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase}, do: [{op: mechanism}]}"""
    )
    base = scene({2: Rouage((700, 800))}, changes=(add_capacity("fx-petra", card),))
    cards = base.game.ruleset.artefacts
    calm = next(card.index for card in cards if card.number == "101")
    others = [card.index for card in cards for _ in range(card.copies) if card.index != calm]
    state = changed_to(base, {2: Rouage((700, 800))}, pile=[0] * 12, open_card=calm, discard=[*others, calm, calm])
    do(state, use(2, specific(state, 2, "probe")))
    assert sum(weight for _, weight in state.chance()) == 11, "the open card stays out"


@pytest.mark.rule("OLO-MECH-04")
def test_scope_of_artefact_effects() -> None:
    stand = {2: Rouage((700, 800)), 4: Rouage()}
    everywhere, bloc = drawn("103", stand), drawn("203", stand)
    assert [figure(state, 4)["noirceur"] for state in (everywhere, bloc)] == [1, 0]
    assert [figure(state, 2)["noirceur"] for state in (everywhere, bloc)] == [1, 1]


@pytest.mark.rule("OLO-MECH-05", "OLO-MECH-06")
def test_nothing_answers_the_start_mechanism() -> None:
    """W10: a capacity answers to the Mechanism of a tie, but not to that of the start."""
    card = """{id: probe, name: Probe, timing: permanent, off_bloc: true, freq: {n: 1, per: cycle}, on: mechanism,
      do: [{op: priority, player: owner}]}"""
    change = add_capacity("fx-dominik", card)
    asked: list[int] = []

    def watch(s: OlomocState) -> bool:
        if s.decision == Decision.TRIGGER:
            asked.append(s.dump()["phase"])
        return bool(s.decision == Decision.TRIGGER or s.dump()["phase"] == 2)

    state = played(plan(1), plan(1), watch, changes=(change,), cards=("201",))
    assert asked == [1]
    assert state.player_of(state.actor()) == 0
    do(state, YES)
    assert state.dump()["priority"] == 0
    assert state.player_of(state.actor()) == 0


@pytest.mark.rule("OLO-GEN-11", "OLO-COMP-07")
def test_choices_without_an_owner_are_the_priority_holders() -> None:
    effect = [{"op": "pick", "of": {"side": "player", "pick": "choose"}}, {"op": "die", "kind": "d3", "then": [
        {"op": "wound", "who": "picked", "n": "face"}]}]  # fmt: skip
    state = drawn(
        "103", {2: Rouage((700, 800)), 4: Rouage((1000, 800))}, changes=(put("artefacts", "rain", "do", effect),)
    )
    assert state.decision == Decision.PICK
    assert state.actor() == state.seat_of(0), "the card made player 1 the priority holder"
    do(state, target(4))
    assert [(parts(code).a, weight) for code, weight in state.chance()] == [(1, 1), (2, 1), (3, 1)]
    do(state, codes.FACE(2))
    assert figure(state, 4)["ticked"] == 2


@pytest.mark.rule("OLO-CYC-01", "OLO-AP-01")
def test_a_cycle_has_its_phases_in_order() -> None:
    """Tokens, the start Mechanism, planning, five phases, the hostile phase."""
    one = Script((plan(0, 1, 2, 3), plan(0, 1, 2, 3)))
    state = game().initial_state()
    seen: list[tuple[int, int]] = []

    def watch(s: OlomocState) -> bool:
        stage = (s.dump()["cycle"], s.dump()["phase"])
        if not seen or seen[-1] != stage:
            seen.append(stage)
        return bool(stage == (2, 0) and s.decision == Decision.PLAN_MINISTRY)

    advance(state, one, watch)
    phases = [phase for cycle, phase in seen if cycle == 1]
    assert phases == sorted(phases, key=lambda phase: (phase > 0, phase))
    assert {1, 2, 3, 4} <= set(phases)
    assert all(entry["ap"] == entry["ap_given"] == 4 for entry in state.dump()["figures"] if entry["where"] != 3)
    assert BLOC in {entry["where"] for entry in state.dump()["figures"]}
