"""Actions, labels, events, views and the drawn board, over random matches; refusals that say why."""

from __future__ import annotations

from collections import Counter

import pytest
from google.protobuf.message import Message

from cext.random import Rng
from gamepacks.api.cardgame import CardGame
from gamepacks.api.errors import IllegalAction, InvalidMessage, InvalidOptions, InvalidPosition
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.olomoc import Olomoc, codes
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA, Reason
from gamepacks.olomoc.constants import EventKind
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.positions import values_of
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from tests.olomoc.cardsets import active
from tests.olomoc.in_play import steps
from tests.olomoc.scenes import Rouage, charge, do, game, go, ministry, parts, scene, specific, target, use


def test_events_of_whole_games_are_well_formed() -> None:
    """Events are well-formed, all kinds of the common flow occur, and a board is drawn of every tenth state."""
    shown: set[EventKind] = set()
    for seed in range(4):
        made = Olomoc.configure(2, {"agenda": ("survey", "gargoule", "hearths", "survey")[seed]})
        assert isinstance(made, Olomoc)
        for ply, (state, seat, code) in enumerate(steps(made.initial_state(), seed)):
            if ply % 3:
                continue
            before = state.to_bytes()
            after = state.clone()
            after.apply(code, -1 if seat is None else seat)
            trace = state.trace_of(code, -1 if seat is None else seat)
            shown |= {EventKind(entry[0]) for entry in trace}
            given = None if seat is None else Seat(seat)
            for viewer in (0, 1, -1, -2):
                events = made.events(state, given, Code(code), after, Viewer(viewer))
                assert all(event.WhichOneof("event") for event in events)
                assert len(events) <= len(trace)
            assert state.to_bytes() == before
            if ply % 30 == 0:
                drawn = made.render(made.view(state, Viewer(-1)))
                assert "┌" in drawn and "player 1" in drawn and "house set" in drawn.lower()
    expected = {
        EventKind.PLAN_LAID, EventKind.CARDS_REVEALED, EventKind.MECHANISM, EventKind.ROUAGE_ACTIVATED,
        EventKind.ENTERED_BLOC, EventKind.MOVED, EventKind.AP_CHANGED, EventKind.ATTACK_DECLARED, EventKind.DICE_ROLLED,
        EventKind.WOUNDS_TAKEN, EventKind.NOIRCEUR_CHANGED, EventKind.CYCLE_STARTED, EventKind.CYCLE_ENDED,
    }  # fmt: skip
    assert expected <= shown, expected - shown


def test_an_attack_in_events() -> None:
    state = scene({2: Rouage((400, 800)), 4: Rouage((760, 800))})
    do(state, use(2, 4))
    before = state.clone()
    code = charge(4, 560, 800)
    do(state, code)
    events = state.game.events(before, Seat(before.actor()), Code(code), state, Viewer(-1))
    moved = next(event.moved for event in events if event.HasField("moved"))
    assert (moved.from_x, moved.from_y, moved.x, moved.y) == (400, 800, 560, 800)
    declared = next(event.attack_declared for event in events if event.HasField("attack_declared"))
    assert (declared.attacker, declared.target) == (2, 4)
    assert (declared.kind, declared.capacity) == (pb.ATTACK_KIND_FRONTAL, 4)
    assert declared.HasField("sight")
    if moved.HasField("pose"):
        assert moved.pose.length in (38_100, 12_700)
        assert abs(moved.pose.axis_x**2 + moved.pose.axis_y**2 - (1 << 40)) < 1 << 24


def test_labels_of_a_decision_differ() -> None:
    for seed in range(2):
        made = Olomoc.configure(2)
        assert isinstance(made, Olomoc)
        for ply, (state, seat, _) in enumerate(steps(made.initial_state(), 50 + seed)):
            if ply % 7 == 0:
                codes = [code for code, _ in state.chance()] if seat is None else state.legal(seat)
                labels = [made.label(state, Code(code)) for code in codes]
                assert len(set(labels)) == len(labels), labels[:9]
                assert all(label and "\n" not in label for label in labels)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (pb.Action(), Reason.INCOMPLETE_ACTION),
        (pb.Action(go=pb.Go()), Reason.INCOMPLETE_ACTION),
        (pb.Action(go=pb.Go(point=pb.Point(x=-1, y=4))), Reason.OFF_BOARD),
        (pb.Action(choose_edge=pb.ChooseEdge()), Reason.INCOMPLETE_ACTION),
        (pb.Action(react=pb.React(reaction=pb.REACTION_CAPACITY, capacity=3)), Reason.NO_SUCH_CAPACITY),
        (pb.Action(use_capacity=pb.UseCapacity(rouage=300)), Reason.NOT_AN_OPTION),
        (pb.Action(roll_pool=pb.RollPool(successes=-1)), Reason.NOT_AN_OUTCOME),
        (pb.Action(charge=pb.Charge(target=20, point=pb.Point(x=3, y=4))), Reason.NOT_AN_OPTION),
    ],
)
def test_messages_without_a_code_are_refused(action: pb.Action, reason: Reason) -> None:
    state = scene({2: Rouage((400, 800))})
    with pytest.raises(IllegalAction) as caught:
        state.game.parse(state, Seat(0), action)
    assert caught.value.reason == reason


def test_refusals_say_why_and_change_nothing() -> None:
    stand = {2: Rouage((400, 800), ap=0), 4: Rouage((560, 1100)), 1: Rouage((1200, 800))}
    cases = [
        (scene(stand), use(2, 1), Reason.TOO_FEW_TOKENS),
        (scene(stand), use(1, 1), Reason.NOT_ACTIVE),
        (scene(stand), use(2, 17 + 30), Reason.NO_SUCH_CAPACITY),
        (scene({2: Rouage((400, 800), stunned=True)}), use(2, 1), Reason.STUNNED),
        (scene({2: Rouage((400, 800)), 4: Rouage((560, 900))}), use(2, 4), Reason.NOT_FREE),
        (scene({2: Rouage((400, 800))}), use(2, 2), Reason.NO_TARGET),
        (scene({2: Rouage((400, 800))}), target(4), Reason.WRONG_DECISION),
        (scene({2: Rouage((400, 800))}), 30 << 26, Reason.UNKNOWN_CODE),
    ]
    for state, code, reason in cases:
        before = state.to_bytes()
        with pytest.raises(IllegalAction) as caught:
            state.apply(code, state.actor())
        assert caught.value.reason == reason
        assert state.to_bytes() == before
    waiting = scene({2: Rouage((400, 800))})
    with pytest.raises(IllegalAction) as caught:
        waiting.apply(go(500, 800), 1 - waiting.actor())
    assert caught.value.reason == Reason.NOT_YOUR_TURN


def test_options_that_name_no_card() -> None:
    for options in ({"agenda": "no-such"}, {"bloc": "no-such"}, {"push_ruler_length": 400}, {"card_set": "no-such"}):
        with pytest.raises(InvalidOptions) as caught:
            Olomoc.configure(2, options)
        assert caught.value.faults[0].field in options


def test_a_card_set_can_set_lost_values() -> None:
    from tests.olomoc.cardsets import library, put

    made = Olomoc.configure(2, {"card_set": "fixture"}, library(put("", "", "options", {"march_ap": 2})))
    assert isinstance(made, Olomoc) and isinstance(made, CardGame)
    assert made.values.march_ap == 2
    own = Olomoc.configure(2, {"card_set": "fixture", "march_ap": 3}, library(put("", "", "options", {"march_ap": 2})))
    assert isinstance(own, Olomoc)
    assert own.values.march_ap == 3


def test_messages_of_other_games() -> None:
    state = scene({2: Rouage((400, 800))})
    other: Message = pb.View()
    with pytest.raises(InvalidMessage):
        state.game.restore(other)
    with pytest.raises(InvalidMessage):
        state.game.parse(state, Seat(0), other)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cycle", 9), ("phase", -1), ("vp", [1]), ("fiel", [7, 0]), ("agenda", 99), ("traque", 3), ("priority", 5),
        ("pile", [99]), ("activation", None), ("first_player", -1), ("hostiles_run", 1),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(field: str, value: object) -> None:
    state = scene({2: Rouage((400, 800))})
    dump = values_of(state.game.position(state))
    dump[field] = value
    with pytest.raises(InvalidPosition) as caught:
        state.game.restore(pb.Position(**dump))
    assert caught.value.faults


@pytest.mark.parametrize(
    "change",
    [{"x": 0}, {"ap": 9}, {"noirceur": 4}, {"ticked": 99}, {"card": 99}, {"where": 0}, {"x": 1000, "y": 800}],
)
def test_positions_with_impossible_rouages_are_refused(change: dict[str, int]) -> None:
    state = scene({2: Rouage((400, 800)), 4: Rouage((1000, 800))})
    dump = values_of(state.game.position(state))
    next(entry for entry in dump["figures"] if entry["index"] == 2).update(change)
    with pytest.raises(InvalidPosition) as caught:
        state.game.restore(pb.Position(**dump))
    assert any(fault.field.startswith("figures") for fault in caught.value.faults)


def refused(state: OlomocState, **changes: object) -> list[tuple[str, str]]:
    """The faults of a state's position with some fields changed."""
    dump = values_of(state.game.position(state)) | changes
    with pytest.raises(InvalidPosition) as caught:
        state.game.restore(pb.Position(**dump))
    return [(fault.field, fault.message) for fault in caught.value.faults]


@pytest.mark.rule("OLO-INV-05")
def test_the_traque_counts_those_that_are_out() -> None:
    state = scene({2: Rouage((400, 800)), 0: Rouage(out_of_action=True)})
    out = "does not fit the 1 rouages out of action (OLO-INV-05)"
    assert refused(state, traque=0) == refused(state, traque=2) == [("traque", out)]
    changes = (active("{op: traque, n: 1}"),)
    assert scene({2: Rouage((400, 800))}, changes=changes, traque=2).dump()["traque"] == 2, "a card may add to it"


def test_rouages_out_of_action_have_different_places_in_their_row() -> None:
    state = scene({2: Rouage((400, 800)), 0: Rouage(out_of_action=True), 1: Rouage(out_of_action=True)})
    figures = values_of(state.game.position(state))["figures"]
    for entry in figures[:2]:
        entry["lost"] = 1
    assert refused(state, figures=figures) == [("losses", "does not fit: two rouages have the same value of lost")]


@pytest.mark.rule("OLO-PLAN-01", "OLO-PLAN-02")
def test_ministries_of_a_plan_in_a_position() -> None:
    state = scene({2: Rouage((400, 800))})
    plan = values_of(state.game.position(state))["plan"]
    slots = state.game.ruleset.ministries[ministry("securite") - MINISTRY].slots
    (own,) = (slot for slot in range(1, 6) if plan[slot] >= MINISTRY)
    (propaganda,) = (slot for slot in range(1, 6) if plan[slot] == PROPAGANDA)
    bad = next(slot for slot in range(1, 6) if not slots >> slot & 1)
    twice, wrong = [*plan], [*plan]
    twice[propaganda] = ministry("securite")
    wrong[own], wrong[bad] = plan[bad], ministry("securite")
    assert ("plan", "has more than one ministry of player 0") in refused(state, plan=twice)
    assert (f"plan[{bad}]", "the ministry is not allowed in this slot (OLO-PLAN-02)") in refused(state, plan=wrong)


@pytest.mark.rule("OLO-GEN-04")
def test_an_effect_lasts_once_on_an_element() -> None:
    card = "{op: stat, who: self, stat: combat, add: 1, for: cycle, name: Once}"
    state = scene({2: Rouage((400, 800))}, changes=(active(card),))
    do(state, use(2, specific(state, 2, "deed")))
    (effect,) = values_of(state.game.position(state))["lasting"]
    assert refused(state, lasting=[effect, effect]) == [
        ("lasting[1].node", "is repeated for the same element (OLO-GEN-04)")
    ]


def test_seats_by_option() -> None:
    state = game(start_number="seat1").initial_state()
    assert state.seat_of(0) == 1
    assert codes.NO() == 0


def test_a_position_without_a_marker_of_its_agenda() -> None:
    """If options leave nothing to chance, a new state already has its markers; a restored position does not add one
    again."""
    options = {"agenda": "study"}
    state = scene({2: Rouage((400, 800))}, options=options)
    assert state.dump()["marks"] == []
    again = state.game.restore(state.game.position(state))
    assert again.dump()["marks"] == []
    assert again.to_bytes() == state.to_bytes()
    assert not again.table().present >> 16 & 1


@pytest.mark.rule("OLO-ROLL-01")
def test_dice_show_faces() -> None:
    """The faces agree with the dice and the successes, are the same for all viewers, and are about equally frequent."""
    seen: Counter[int] = Counter()
    for seed in range(3):
        made = Olomoc.configure(2)
        assert isinstance(made, Olomoc)
        for state, seat, code in steps(made.initial_state(), 70 + seed):
            if state.pool is None:
                continue
            dice, difficulty = state.pool
            after = state.clone()
            after.apply(code)
            shown = []
            for viewer in (0, 1, -1):
                other = state.resample(viewer, Rng(seed))
                events = made.events(other, None if seat is None else Seat(seat), Code(code), after, Viewer(viewer))
                shown += [list(event.dice_rolled.faces) for event in events if event.HasField("dice_rolled")]
            assert len(shown) == 3 and shown[0] == shown[1] == shown[2]
            assert len(shown[0]) == dice
            assert sum(face >= difficulty for face in shown[0]) == parts(code).a
            seen.update(shown[0])
    assert set(seen) == set(range(1, 7))
    assert min(seen.values()) > sum(seen.values()) / 10
