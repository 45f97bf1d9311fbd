"""Events name the cause and the source of each change, and the modifiers of each roll (section 5.10)."""

from __future__ import annotations

import pytest

from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.olomoc import Olomoc, codes
from gamepacks.olomoc.codes import MINISTRY
from gamepacks.olomoc.elements import card_of
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import active, put, trigger
from tests.olomoc.in_play import steps
from tests.olomoc.scenes import (
    AXE,
    CHARGE,
    DODGE,
    FRONTAL,
    MARCH,
    NEAR,
    NO,
    RANGED,
    REST,
    YES,
    Marker,
    Rouage,
    card_drawn,
    charge,
    do,
    drawing,
    go,
    happens,
    in_phase,
    legal,
    ministry,
    played,
    rolls,
    scene,
    specific,
    target,
    use,
)


def shown(state: OlomocState, *codes: int) -> list[pb.Event]:
    """Take codes; returns all events of the steps for a spectator."""
    return [event for code in codes for event in happens(state, code)]


def changes(events: list[pb.Event], kind: str) -> list[tuple[int, int, int, int, str]]:
    """Returns, for each event of a kind, its subject, the values before and after, the cause and the source."""
    found = [getattr(event, kind) for event in events if event.HasField(kind)]  # type: ignore[arg-type]
    return [
        (getattr(one, "rouage", getattr(one, "player", -1)), one.before, one.after, one.cause, one.source.name)
        for one in found
    ]


# -- why ---------------------------------------------------------------------------------------------------------------


def test_tokens_are_paid_and_given() -> None:
    deed = active("{op: ap, who: self, n: -2}")
    state = scene(NEAR, changes=(deed,))
    events = shown(state, use(2, MARCH), go(690, 810))
    assert changes(events, "ap_changed") == [(2, 4, 3, pb.CHANGE_CAUSE_COST, "March")]
    events = shown(state, use(2, FRONTAL), target(4), DODGE)
    assert changes(events, "ap_changed") == [
        (2, 3, 2, pb.CHANGE_CAUSE_COST, "Frontal attack"), (4, 4, 3, pb.CHANGE_CAUSE_COST, "Dodge"),
    ]  # fmt: skip
    state = scene(NEAR, changes=(deed,))
    events = shown(state, use(2, specific(state, 2, "deed")))
    assert changes(events, "ap_changed") == [
        (2, 4, 3, pb.CHANGE_CAUSE_COST, "deed"), (2, 3, 1, pb.CHANGE_CAUSE_EFFECT, "deed"),
    ]  # fmt: skip
    source = next(event.ap_changed.source for event in reversed(events) if event.HasField("ap_changed"))
    assert source.kind == pb.SOURCE_KIND_CAPACITY
    assert state.game.ruleset.capacities[source.index].name == "deed"


@pytest.mark.rule("OLO-ENTER-01")
def test_entering_is_paid() -> None:
    state = played((2, 1, 0, 3, AXE), (2, 1, 0, 3, AXE), in_phase(1, Decision.ENTER))
    events = shown(state, legal(state)[0])
    assert [change[1:] for change in changes(events, "ap_changed")] == [(4, 3, pb.CHANGE_CAUSE_ENTRY, "")]


@pytest.mark.rule("OLO-FATE-01", "OLO-NOIR-04", "OLO-REST-01")
def test_noirceur_by_fate_and_lost_by_a_rest() -> None:
    """The third makes a rouage corrupted; one more is Fiel."""
    state = scene({**NEAR, 2: Rouage((700, 800), noirceur=2)})
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 0)
    events = shown(state, YES)
    assert changes(events, "noirceur_changed") == [(2, 2, 3, pb.CHANGE_CAUSE_FATE, "")]
    status = next(event.status_changed for event in events if event.HasField("status_changed"))
    assert (status.rouage, status.before, status.after) == (2, pb.STATUS_TAINTED, pb.STATUS_CORRUPTED)
    full = scene({**NEAR, 2: Rouage((700, 800), noirceur=3)})
    do(full, use(2, FRONTAL), target(4), NO)
    rolls(full, 0)
    events = shown(full, YES)
    assert changes(events, "fiel_changed") == [(0, 0, 1, pb.CHANGE_CAUSE_CORRUPTED, "")]
    assert not changes(events, "noirceur_changed")
    rested = scene({2: Rouage((700, 800), noirceur=1)})
    events = shown(rested, use(2, REST), codes.REST(2, 0))
    assert changes(events, "noirceur_changed") == [(2, 1, 0, pb.CHANGE_CAUSE_REST, "")]
    status = next(event.status_changed for event in events if event.HasField("status_changed"))
    assert (status.before, status.after) == (pb.STATUS_TAINTED, pb.STATUS_HEALTHY)


@pytest.mark.rule("OLO-LIFE-05", "OLO-OUT-02", "OLO-OUT-03")
def test_noirceur_by_wounds() -> None:
    """A tainted box gives its rouage a Noirceur; a rouage that puts another out receives one, and the hunt advances."""
    state = scene(NEAR, changes=(put("profiles", "fx-hynek", "life", "SSTSS"),))
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 3)
    events = shown(state, NO, NO)
    assert changes(events, "noirceur_changed") == [(4, 0, 1, pb.CHANGE_CAUSE_TAINTED_BOX, "")]
    state = scene(NEAR, changes=(put("profiles", "fx-hynek", "life", "S"),))
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 1)
    events = shown(state, NO, NO)
    assert changes(events, "noirceur_changed") == [(2, 0, 1, pb.CHANGE_CAUSE_LOSS, "")]
    assert changes(events, "traque_changed") == [(-1, 0, 1, pb.CHANGE_CAUSE_LOSS, "")]


@pytest.mark.rule("OLO-NOIR-03")
def test_noirceur_by_contact() -> None:
    state = scene({2: Rouage((700, 800))}, markers=[Marker((700, 1000), tainted=True)])
    events = shown(state, use(2, MARCH), go(700, 881))
    assert changes(events, "noirceur_changed") == [(2, 0, 1, pb.CHANGE_CAUSE_CONTACT, "")]


def test_events_of_effects_name_their_card() -> None:
    """An Artefact card, a ministry, a capacity that answers, within lists and for each."""
    rain = put("artefacts", "rain", "do", [{"op": "fiel", "player": "both", "n": 1}])
    inner = "{op: if, cond: {on_bloc: each}, then: [{op: noirceur, who: each, n: 1}]}"
    spread = active(f"{{op: each, of: {{side: player, not_self: true}}, as: each, do: [{inner}]}}")
    state = scene(NEAR, changes=(spread,))
    events = shown(state, use(2, specific(state, 2, "deed")))
    assert changes(events, "noirceur_changed") == [(4, 0, 1, pb.CHANGE_CAUSE_EFFECT, "deed")]
    name = next(card for card in state.game.ruleset.artefacts if card.id == "rain")
    before = drawing({2: Rouage((700, 800))}, changes=(rain,))
    events = shown(before, card_drawn(before, name.number))
    assert [change[1:] for change in changes(events, "fiel_changed")] == [(0, 1, pb.CHANGE_CAUSE_EFFECT, name.name)] * 2
    source = next(event.fiel_changed.source for event in events if event.HasField("fiel_changed"))
    assert (source.kind, source.index) == (pb.SOURCE_KIND_ARTEFACT, name.index)
    point = trigger("moved", "{op: vp, player: owner, n: 3}", "fx-petra", name="pride")
    state = scene({2: Rouage((700, 800))}, changes=(point,))
    events = shown(state, use(2, MARCH), go(700, 900))
    assert changes(events, "vp_changed") == [(0, 0, 3, pb.CHANGE_CAUSE_EFFECT, "pride")]


def test_event_names_the_ministry_that_causes_a_change() -> None:
    effort = ministry("effort")
    give = put("ministries", "effort", "do", [{"op": "vp", "player": "owner", "n": 2}])
    state = played((effort, 2, 1, 0, 3), (3, 2, 1, 0, AXE), lambda s: s.decision == Decision.PLAN_CARD, changes=(give,))
    points: list[tuple[int, int, int, int, str]] = []
    while not points:
        actor = state.actor()
        seat = actor if actor >= 0 else 0 if state.seats_to_act() & 1 else 1
        codes = [code for code, _ in state.chance()] if actor == -1 else state.legal(seat)
        before = state.clone()
        state.apply(codes[-1], -1 if actor == -1 else seat)
        events = state.game.events(before, None if actor == -1 else Seat(seat), Code(codes[-1]), state, Viewer(-1))
        points = changes(events, "vp_changed")
    assert points == [(0, 0, 2, pb.CHANGE_CAUSE_EFFECT, state.game.ruleset.ministries[effort - MINISTRY].name)]


# -- what changes the dice ---------------------------------------------------------------------------------------------


def rolled(events: list[pb.Event]) -> list[tuple[int, int, int, list[tuple[str, int, int, int]]]]:
    """Returns, for each roll that is fixed, the roller, the dice, the difficulty and the modifiers."""
    return [
        (one.rouage, one.dice, one.difficulty, [(m.name, m.dice, m.difficulty, m.successes) for m in one.modifiers])
        for one in (event.roll_set for event in events if event.HasField("roll_set"))
    ]


@pytest.mark.rule("OLO-ROLL-02", "OLO-ROLL-06", "OLO-SEQ-04")
def test_modifiers_of_a_charge_and_of_a_dodge() -> None:
    """A charge with support, a bonus and a better characteristic; the dodge that answers it has a penalty."""
    cards = (
        trigger("attack_declared", "{op: mod, on: {who: attacker}, dice: 2, successes: 1, for: attack, name: Keen}, "
                "{op: mod, on: {who: defender}, difficulty: 1, for: attack, name: Mist}, "
                "{op: stat, who: attacker, stat: combat, add: 1, for: attack, name: Might}",
                rest="optional: false, if: {same: [attacker, self]}"),
    )  # fmt: skip
    state = scene({2: Rouage((400, 800)), 4: Rouage((760, 800)), 0: Rouage((760, 960))}, changes=cards)
    events = shown(state, use(2, CHARGE), charge(4, 560, 800), DODGE)
    assert rolled(events) == [
        (4, 2, 6, [("Mist", 0, 1, 0)]),
        (2, 7, 3, [("Might", 1, 0, 0), ("charge", 0, -1, 0), ("support", 0, -1, 0), ("Keen", 2, 0, 1)]),
    ]  # fmt: skip
    kinds = [modifier.kind for event in events for modifier in event.roll_set.modifiers]
    assert kinds == [
        pb.MODIFIER_KIND_CARD, pb.MODIFIER_KIND_STAT, pb.MODIFIER_KIND_CHARGE, pb.MODIFIER_KIND_SUPPORT,
        pb.MODIFIER_KIND_CARD,
    ]  # fmt: skip
    again = shown(state, codes.SUCCESSES(0), codes.SUCCESSES(0), YES)
    assert rolled(again) == [], "fate rolls the same dice"


@pytest.mark.rule("OLO-SHOT-05")
def test_modifiers_of_a_shot() -> None:
    state = scene({1: Rouage((200, 400), card="fx-hynek"), 4: Rouage((900, 400))}, active=1)
    events = shown(state, use(1, RANGED), target(4), NO)
    assert rolled(events) == [(1, 3, 5, [("long range", -2, 0, 0)])]


@pytest.mark.rule("OLO-ROLL-07")
def test_modifiers_explain_every_roll() -> None:
    """In random matches the printed characteristic and 5, changed by the modifiers, give the dice and the
    difficulty."""
    seen = 0
    for seed in range(4):
        made = Olomoc.configure(2)
        assert isinstance(made, Olomoc)
        for state, seat, code in steps(made.initial_state(), 300 + seed):
            after = state.clone()
            after.apply(code, -1 if seat is None else seat)
            events = made.events(state, None if seat is None else Seat(seat), Code(code), after, Viewer(-1))
            cards = {figure["index"]: figure["card"] for figure in (*state.dump()["figures"], *after.dump()["figures"])}
            again = any(event.WhichOneof("event") == "capacity_used" for event in events)
            for one in (event.roll_set for event in events if event.HasField("roll_set")):
                printed = card_of(made.ruleset, cards[one.rouage]).stats[one.stat - 1]
                if again and one.dice < printed and not one.modifiers:
                    # Some of the dice of an earlier roll are rolled again.
                    continue
                dice = printed + sum(modifier.dice for modifier in one.modifiers)
                difficulty = 5 + sum(modifier.difficulty for modifier in one.modifiers)
                assert one.dice == max(0, min(dice, 12)) and one.difficulty == max(2, min(difficulty, 6))
                seen += len(one.modifiers)
    assert seen > 20
