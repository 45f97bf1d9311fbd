"""Triggers: zones, several targets at once, moments between phases, endless loops (3.1, 3.12, 5.6)."""

from __future__ import annotations

import pytest

from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import POINT, active, on_all, put, trigger
from tests.olomoc.scenes import (
    AXE,
    END,
    FRONTAL,
    MARCH,
    NO,
    YES,
    Marker,
    Rouage,
    Script,
    advance,
    card_drawn,
    do,
    drawn,
    figure,
    go,
    in_phase,
    legal,
    may,
    ministry,
    parts,
    plan,
    plans_of,
    played,
    rolls,
    scene,
    specific,
    target,
    use,
    where,
)


@pytest.mark.rule("OLO-THREAT-05")
def test_zones_of_the_scenery_are_entered_and_left() -> None:
    """The mud is a zone by its tag; a marker's zone of another tag is none of it."""
    changes = (
        trigger("{event: entered, zone: mud}", "{op: vp, player: owner, n: 1}", name="in"),
        trigger("{event: left, zone: mud}", "{op: vp, player: owner, n: 3}", name="away"),
    )
    options = {"bloc": "mud"}
    probe = scene({2: Rouage((1400, 1400))}, options=options, changes=changes)
    mud = probe.game.view(probe, Viewer(-1)).scenery[0]
    x, y, reach = mud.corners[0].x, mud.corners[0].y, mud.radius // 127
    near = (x + reach + 100, y)
    state = scene({2: Rouage(near), 1: Rouage((near[0], y + 300))}, options=options, changes=changes)
    do(state, use(2, MARCH), go(x + reach + 50, y))
    assert state.dump()["vp"][0] == 1
    do(state, use(2, MARCH), go(x + reach + 70, y))
    assert state.dump()["vp"][0] == 4
    inside = scene({2: Rouage((x, y))}, options=options, changes=changes, markers=[Marker((1400, 300), zone=25_400)])
    do(inside, use(2, MARCH), go(x + 30, y))
    assert inside.dump()["vp"][0] == 0, "it stays in the mud"


@pytest.mark.rule("OLO-THREAT-05")
def test_zones_of_markers_by_their_tag() -> None:
    changes = (
        trigger("{event: entered, zone: objective}", POINT),
        trigger("{event: entered, zone: mud}", "{op: vp, player: owner, n: 9}", name="other"),
    )
    marker = [Marker((700, 1100), zone=25_400)]
    state = scene({2: Rouage((700, 700))}, changes=changes, markers=marker)
    do(state, use(2, MARCH), go(700, 790))
    assert state.dump()["vp"][0] == 1
    do(state, use(2, MARCH), go(700, 820))
    assert state.dump()["vp"][0] == 1, "entered once"


@pytest.mark.rule("OLO-END-05", "OLO-GEN-02")
def test_all_are_hit_before_anything_answers() -> None:
    """An effect that hits several at once: its triggers wait together, in the order of priority."""
    changes = (
        trigger("stunned", "{op: vp, player: owner, n: 1}", "fx-petra", "if: {same: [victim, self]}", "a"),
        trigger("stunned", "{op: vp, player: owner, n: 2}", "fx-hynek", "if: {same: [victim, self]}", "b"),
        active(on_all("{op: state, who: each, state: stunned, set: true}")),
    )  # fmt: skip
    stand = {2: Rouage((700, 800)), 4: Rouage((1200, 800)), 0: Rouage((300, 300))}
    for priority in range(2):
        state = scene(stand, changes=changes, priority=priority)
        do(state, use(2, specific(state, 2, "deed")))
        assert {index for index in (0, 2, 4) if figure(state, index)["states"]} == {0, 2, 4}
        assert (state.decision, state.player_of(state.actor())) == (Decision.TRIGGER, priority)


@pytest.mark.rule("OLO-END-05")
def test_nothing_answers_between_the_hits_that_end_the_game() -> None:
    """Both players reach 3 Fiel by one effect, though a trigger of the first hit would have saved the second."""
    changes = (
        trigger(
            "noirceur", "{op: fiel, player: opponent, n: -1}", "fx-petra", "optional: false, freq: {n: 1, per: game}"
        ),
        active(on_all("{op: noirceur, who: each, n: 1}")),
    )
    stand = {2: Rouage((700, 800), noirceur=3), 4: Rouage((1300, 800), noirceur=3)}
    state = scene(stand, changes=changes, fiel=[2, 2])
    do(state, use(2, specific(state, 2, "deed")))
    assert state.returns() == (-1.0, -1.0)


@pytest.mark.rule("OLO-CAP-02")
@pytest.mark.parametrize("moment", ["planned", "cycle_end", "cycle_start"])
def test_uses_between_phases_count_for_no_phase(moment: str) -> None:
    """A capacity that was used before the first phase of a cycle can be used again in that phase."""
    rest = "optional: false, off_bloc: true, freq: {n: 1, per: phase}"
    changes = (trigger(moment, POINT, rest=rest),)
    state = scene({2: Rouage((700, 800))}, changes=changes, phase=5, vp=[0, 0])
    plans = plans_of(state)
    advance(state, Script(plans), lambda s: s.dump()["cycle"] == 2 and in_phase(1)(s))  # type: ignore[arg-type]
    assert state.dump()["vp"][0] == 1
    assert figure(state, 2)["uses"] == [] and figure(state, 2)["used"] == []


@pytest.mark.rule("OLO-INV-07")
def test_cards_that_draw_cards_come_to_an_end() -> None:
    """Twelve cards in a Mechanism, however they are nested: each card of this pile draws three."""
    changes = tuple(put("artefacts", name, "do", [{"op": "mechanism", "n": 3}]) for name in (
        "calm", "stun", "hurt", "rain", "rift", "intruder", "shake"))  # fmt: skip
    state = drawn("103", {2: Rouage((700, 800))}, changes=changes)
    cards = 1
    while state.decision == Decision.CHANCE_CARD:
        do(state, state.chance()[0][0])
        cards += 1
    assert cards == 12
    assert state.decision == Decision.ACT
    dump = state.dump()
    assert sum(dump["pile"]) + len(dump["discard"]) + 1 == 12


@pytest.mark.rule("OLO-PHASE-03", "OLO-PHASE-04")
def test_ministries_of_equal_rank_draw_a_card() -> None:
    """Equal ranks are a tie whatever the kinds of the cards; the new priority holder's ministry comes first."""
    one = put("ministries", "coordination", "do", [{"op": "vp", "player": "priority", "n": 1}])
    two = put("ministries", "edification", "do", [{"op": "priority", "player": "owner"}])
    slots = put("ministries", "edification", "slots", [2])
    plans = (0, ministry("coordination"), 1, 2, 3), (1, ministry("edification"), 2, 0, 3)
    for card, points in (("201", [0, 1]), ("101", [1, 0])):
        state = played(*plans, in_phase(3), changes=(one, two, slots), cards=("202", card))
        assert state.dump()["vp"] == points
        assert state.game.ruleset.artefacts[state.dump()["open_card"]].number == card
    quiet = played(*plans, in_phase(3), changes=(one, two, slots), cards=("101", "201"),
                   options={"tie_rule": "activation_only"})  # fmt: skip
    assert quiet.dump()["vp"] == [1, 0]
    assert quiet.game.ruleset.artefacts[quiet.dump()["open_card"]].number == "101", "no card for two ministries"


@pytest.mark.rule("OLO-GEN-11")
def test_between_cards_the_priority_holder_is_active() -> None:
    """The Artefact card of a tie lets the active player run a hostile before any player is active."""
    run = put(
        "artefacts", "stun", "do", [{"op": "activate", "of": {"side": "hostile", "pick": "choose"}, "by": "active"}]
    )
    for cards, player in ((("101", "102"), 0), (("201", "102"), 0)):
        state = played(plan(1), plan(1), lambda s: s.decision == Decision.PICK, changes=(run,), cards=cards,
                       options={"agenda": "beasts"})  # fmt: skip
        assert state.player_of(state.actor()) == player
    second = put("artefacts", "stun", "number", "203")
    third = put("artefacts", "rift", "number", "102")
    state = played(plan(1), plan(1), lambda s: s.decision == Decision.PICK,
                   changes=(run, second, third), cards=("101", "203"),
                   options={"agenda": "beasts"})  # fmt: skip
    assert state.player_of(state.actor()) == 1


@pytest.mark.rule("OLO-MECH-06", "OLO-PRIO-01")
def test_a_mechanism_by_an_effect_makes_nobody_else_active() -> None:
    """The card gives priority to player 2; player 1 stays the active player and continues the activation."""
    change = active("{op: mechanism}, {op: vp, player: active, n: 2}, {op: vp, player: passive, n: 5}")
    state = scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=(change,), priority=0)
    do(state, use(2, specific(state, 2, "deed")))
    do(state, card_drawn(state, "201"))
    assert (state.dump()["priority"], state.dump()["vp"]) == (1, [2, 5])
    assert (state.decision, state.player_of(state.actor()), state.dump()["active"]) == (Decision.ACT, 0, 0)


@pytest.mark.rule("OLO-CAP-08")
def test_a_capacity_that_goes_somewhere_needs_a_place() -> None:
    """In a corner between three others there is no place for a move by the size of the base."""
    stand = {2: Rouage((60, 60)), 0: Rouage((179, 60)), 1: Rouage((60, 179)), 3: Rouage((179, 179))}
    for effect, there in (("{op: move, who: self, ruler: base}", False), ("{op: move, who: self}", True)):
        state = scene(stand, changes=(active(effect),))
        free = scene({2: Rouage((700, 800))}, changes=(active(effect),))
        assert may(state, use(2, specific(state, 2, "deed"))) == (there and may(state, use(2, MARCH)))
        assert may(free, use(2, specific(free, 2, "deed")))


@pytest.mark.rule("OLO-OUT-01", "OLO-OUT-05")
def test_rouage_that_went_out_is_known_but_not_selectable() -> None:
    """A rule can refer to a rouage that went out of action; effects cannot select it."""
    effect = """{op: noirceur, who: victim, n: 1}, {op: state, who: victim, state: stunned, set: true},
      {op: vp, player: of(victim), n: 1}"""
    for cond, fires in (
        ("{is: {side: enemy, where: any}, of: victim}", True), ("{is: {side: ally, where: any}, of: victim}", False),
        ("{is: {side: enemy, where: any, rank_min: 3}, of: victim}", False), ("{is: {side: enemy}, of: victim}", False),
        ("{is: {side: enemy, where: off}, of: victim}", False), ("{is: {kind: marker}, of: victim}", False),
        ("{is: {side: enemy, where: any, ministry: harmonie, name: fx-hynek}, of: victim}", True),
        ("{is: {side: enemy, where: any, name: fx-lida}, of: victim}", False),
        ("{is: {side: enemy, where: any, within: 4, of: self}, of: victim}", False),
    ):  # fmt: skip
        change = trigger("out", effect, rest=f"optional: false, if: {cond}")
        state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800), ticked=6)}, changes=(change,))
        do(state, use(2, FRONTAL), target(4), NO)
        rolls(state, 1)
        while state.decision in (Decision.FATE, Decision.TACTIC):
            do(state, NO)
        assert state.dump()["vp"] == [0, int(fires)], cond
        assert (figure(state, 4)["noirceur"], figure(state, 4)["states"], figure(state, 4)["where"]) == (0, 0, 3)


# -- planning cards ----------------------------------------------------------------------------------------------------


def swapped(slots: str, cards: tuple[int, ...]) -> tuple[OlomocState, list[int]]:
    """Player 1 swaps two cards of a plan of player 2."""
    effect = f"{{op: plan, do: swap, player: opponent, slots: {slots}}}"
    state = scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=(active(effect),), against=cards)
    before = state.dump()["plan"][7:12]
    return do(state, use(2, specific(state, 2, "deed"))), before


@pytest.mark.rule("OLO-PLAN-02")
def test_swaps_of_planned_cards() -> None:
    """Two face-down cards are swapped; a shown card stays, as does a ministry that is not allowed in the other slot."""
    whole = (3, 0, 1, 2, AXE)
    state, before = swapped("[2, 4]", whole)
    assert before == list(whole)
    assert state.dump()["plan"][7:12] == [3, 2, 1, 0, AXE]
    shown, _ = swapped("[1, 4]", whole)
    assert shown.dump()["plan"][7:12] == list(whole)
    three, _ = swapped("[1, 2, 4]", whole)
    assert three.dump()["plan"][7:12] == [3, 2, 1, 0, AXE], "the two lowest that lie face down"
    bound, _ = swapped("[3, 4]", (3, 0, ministry("securite"), 1, 2))
    assert bound.dump()["plan"][7:12] == [3, 0, ministry("securite"), 1, 2]


@pytest.mark.rule("OLO-PLAN-04")
def test_only_the_owner_learns_whether_a_swap_was_made() -> None:
    """Others must not learn whether it was made, because that would reveal the ministry in the slot."""
    effect = "{op: plan, do: swap, player: opponent, slots: [3, 4]}"
    displayed = []
    for cards in ((3, 0, ministry("securite"), 1, 2), (3, 0, 1, 2, AXE)):
        state = scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=(active(effect),), against=cards)
        code = use(2, specific(state, 2, "deed"))
        after = do(state.clone(), code)
        assert isinstance(after, OlomocState)
        seen = {
            viewer: state.game.events(state, Seat(state.actor()), Code(code), after, Viewer(viewer))
            for viewer in (0, 1, -1)
        }
        displayed.append([[event.WhichOneof("event") for event in seen[viewer]] for viewer in (0, 1, -1)])
    assert displayed[0][0] == displayed[1][0] and displayed[0][2] == displayed[1][2]
    assert "plan_changed" in displayed[1][1] and "plan_changed" not in displayed[0][1]


@pytest.mark.rule("OLO-PLAN-04")
def test_look_at_ones_own_plan_is_hidden_from_the_other_player() -> None:
    effect = "{op: plan, do: peek, player: owner, slots: [4, 5]}"
    state = scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=(active(effect),))
    before = state.game.view(state, Viewer(1)).players[0].plan
    do(state, use(2, specific(state, 2, "deed")))
    assert state.dump()["peeked"] == [0, 0]
    assert [slot.HasField("card") for slot in before] == [True, False, False, False, False]
    assert list(state.game.view(state, Viewer(1)).players[0].plan) == list(before)


@pytest.mark.rule("OLO-STUN-04", "OLO-COORD-01")
def test_the_stunned_coordinate_and_are_coordinated() -> None:
    stand = {2: Rouage((700, 800), stunned=True), 1: Rouage((400, 800), stunned=True), 0: Rouage((300, 400))}
    state = scene(stand, phase=3)
    assert {parts(code).verb for code in legal(state)} == {codes.USE, codes.COORD, codes.END}
    do(state, codes.COORD(1))
    assert {(parts(code).a, parts(code).b) for code in legal(state) if parts(code).verb == codes.USE} == {
        (1, 0),
        (2, 0),
    }
    do(state, END)
    assert where(state, 2) == (700, 800)


@pytest.mark.rule("OLO-GEN-02")
def test_a_trigger_does_not_answer_itself() -> None:
    """A capacity that moves its bearer after a move triggers once; another rouage's capacity still triggers on it."""
    hop = trigger("moved", "{op: push, who: self}", rest="if: {same: [mover, self]}, freq: {n: 9, per: phase}")
    echo = trigger("moved", POINT, "fx-dominik", "optional: false, freq: {n: 9, per: phase}", "echo")
    state = scene({2: Rouage((700, 800)), 1: Rouage((300, 300))}, changes=(hop, echo))
    do(state, use(2, MARCH), go(700, 900))
    while state.decision == Decision.ORDER:
        do(state, legal(state)[0])
    assert state.decision == Decision.TRIGGER
    do(state, YES)
    assert state.decision == Decision.PUSH
    do(state, go(700, 950))
    assert state.decision == Decision.ACT
    assert state.dump()["vp"][0] == 2
