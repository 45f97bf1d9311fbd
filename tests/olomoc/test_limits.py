"""All effects are carried out, however many of them are triggered by one event, last, or are nested (5.6)."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.api.errors import InvalidPosition
from gamepacks.olomoc import codes, labels
from gamepacks.olomoc.constants import EventKind, FrameKind
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision, Stat
from tests.olomoc.cardsets import POINT, Change, active, card, on_all, put, snippet, trigger
from tests.olomoc.scenes import MARCH, Rouage, do, figure, may, scene, specific, use

STUNS = [f"{{op: state, who: each, state: stunned, set: {there}}}" for there in ("true", "false")]
STAND = {2: Rouage((700, 800)), 4: Rouage((1200, 800)), 0: Rouage((300, 300))}


def long(effects: list[str]) -> str:
    """More effects than a list of a card may have, as lists in a list."""
    parts = [", ".join(effects[first : first + 12]) for first in range(0, len(effects), 12)]
    return ", ".join(f"{{op: if, cond: {{active: self}}, then: [{part}]}}" for part in parts)


def rule(event: str, effect: str, rest: str = "optional: false") -> Change:
    """The agenda gets a rule without owner."""

    def change(raw: dict[str, Any]) -> None:
        text = f"{{id: count, name: count, timing: permanent, on: {event}, {rest}, do: [{effect}]}}"
        card(raw, "agendas", "quiet").setdefault("rules", []).append(snippet(text))

    return change


def in_order(state: OlomocState) -> int:
    """Resolve the first of the waiting effects until none is left; returns the number of decisions about the order."""
    asked = 0
    while state.decision == Decision.ORDER:
        asked += 1
        do(state, codes.FIRST(0))
    return asked


@pytest.mark.rule("OLO-GEN-02")
@pytest.mark.parametrize("stuns", [7, 8, 30])
def test_all_capacities_that_answer_to_one_event_are_resolved(stuns: int) -> None:
    """One effect stuns many rouages many times: 21, 24 and 90 triggered effects, more than one frame holds."""
    changes = (
        rule("stunned", "{op: vp, player: priority, n: 1}"),
        active(on_all(long(STUNS * stuns))),
    )
    state = scene(STAND, changes=changes, priority=1)
    do(state, use(2, specific(state, 2, "deed")))
    assert in_order(state) == 3 * stuns - 1
    assert state.dump()["vp"] == [0, 3 * stuns]


@pytest.mark.rule("OLO-GEN-02")
def test_the_order_goes_over_all_that_wait() -> None:
    """Effects without an owner come first, then the priority holder's, then the other player's, across several
    frames."""
    changes = (
        trigger("stunned", "{op: vp, player: owner, n: 1}", "fx-hynek", name="theirs"),
        rule("stunned", "{op: vp, player: priority, n: 100}"),
        active(on_all(long(STUNS * 10))),
    )
    state = scene(STAND, changes=changes, priority=0)
    do(state, use(2, specific(state, 2, "deed")))
    assert len([kind for kind, _, _ in state.frames() if kind == FrameKind.TRIGGERS]) == 3
    waiting = state.waiting()
    assert len(waiting) == 30 and {bearer for _, _, bearer in waiting} == {-1}
    for left in range(29, 0, -1):
        do(state, codes.FIRST(left))
    assert state.dump()["vp"] == [3000, 0]
    assert state.player_of(state.actor()) == 1 and len(state.waiting()) == 30
    again = state.game.restore(state.game.position(state))
    for same in (state, again, state.clone()):
        in_order(same)
        assert same.dump()["vp"] == [3000, 30] and same.decision == Decision.ACT


@pytest.mark.rule("OLO-GEN-02")
def test_an_optional_answer_among_many_is_offered() -> None:
    """The capacity that was ordered first is offered, whichever frame it is in."""
    changes = (
        trigger("stunned", "{op: vp, player: owner, n: 1}", "fx-hynek", "if: {same: [victim, self]}", "own"),
        trigger("stunned", "{op: vp, player: owner, n: 50}", "fx-hynek", "if: {same: [victim, self]}", "other"),
        active(on_all(long(STUNS * 20))),
    )
    state = scene(STAND, changes=changes, priority=1)
    do(state, use(2, specific(state, 2, "deed")))
    waiting = state.waiting()
    assert len(waiting) == 40
    chosen = max(place for place, (capacity, _, _) in enumerate(waiting) if capacity == waiting[1][0])
    do(state, codes.FIRST(chosen))
    assert (state.decision, state.offered()[0]) == (Decision.TRIGGER, 4)
    again = state.game.restore(state.game.position(state))
    for same in (state, again):
        assert same.game.ruleset.capacities[same.offered()[1]].id == "other"
        do(same, codes.YES())
        assert same.dump()["vp"] == [0, 50] and len(same.waiting()) == 39


def nested(times: int, inmost: str) -> str:
    """Effects within effects."""
    for _ in range(times):
        inmost = f"{{op: if, cond: {{on_bloc: self}}, then: [{inmost}]}}"
    return inmost


@pytest.mark.rule("OLO-GEN-02", "OLO-GEN-06")
@pytest.mark.parametrize("levels", [2, 4, 6])
def test_answers_to_answers_are_resolved_however_many(levels: int) -> None:
    """Each effect is triggered by the one before, in nested lists; all are resolved, the innermost first."""
    choice = "{op: choose, by: owner, options: [{text: a, do: [POINT]}, {text: b, do: [POINT]}]}".replace(
        "POINT", POINT
    )
    stun = ", ".join(f"{{op: state, who: self, state: stunned, set: {there}}}" for there in ("false", "true"))
    rest = "optional: false, freq: {n: 1, per: phase}, if: {same: [victim, self]}"
    changes = (
        *(trigger("stunned", nested(14, f"{stun}, {choice}"), rest=rest, name=f"n{level}") for level in range(levels)),
        active("{op: each, of: {not_self: false, within: 0.1, of: self}, as: each, do: [" + STUNS[0] + "]}"),
    )
    state = scene(STAND, changes=changes)
    do(state, use(2, specific(state, 2, "deed")))
    in_order(state)
    assert len(state.dump()["frames"]) > 16 * levels
    again = state.game.restore(state.game.position(state))
    for same in (state.clone(), again, state):
        assert same.dump() == state.dump()
        for done in range(levels):
            in_order(same)
            assert same.decision == Decision.CHOICE and same.dump()["vp"] == [done, 0]
            do(same, codes.CHOOSE(0))
        in_order(same)
        assert same.dump()["vp"] == [levels, 0] and same.decision == Decision.ACT


@pytest.mark.rule("OLO-GEN-04")
def test_as_many_effects_last_as_cards_begin() -> None:
    """140 effects on each of three rouages: all count, in a copy and in a restored position too."""
    effects = [
        f"{{op: permit, who: each, caps: [march], extra: 1, for: cycle, name: n{number}}}" for number in range(139)
    ]
    last = "{op: stat, who: each, stat: dodge, add: 3, for: cycle, name: last}"
    changes = (active(on_all(long([*effects, last]))), put("profiles", "fx-hynek", "dodge", 2))
    state = scene({**STAND, 2: Rouage((700, 800), marches=2)}, changes=changes)
    assert not may(state, use(2, MARCH))
    do(state, use(2, specific(state, 2, "deed")))
    again = state.game.restore(state.game.position(state))
    for same in (state, again, state.clone()):
        assert len(same.dump()["lasting"]) == 3 * 140
        assert same.stat(4, Stat.DODGE) == 5 and may(same, use(2, MARCH))


@pytest.mark.rule("OLO-CAP-01")
def test_a_rouage_has_all_its_capacities() -> None:
    """Eight of the profile, four of its gear and sixteen of the agenda."""

    def many(count: int, name: str) -> list[Any]:
        text = "{{id: {0}{1}, name: {0}{1}, timing: active, cost: {{ap: 1}}, do: [{{op: vp, player: owner, n: {1}}}]}}"
        return [snippet(text.format(name, number)) for number in range(count)]

    def change(raw: dict[str, Any]) -> None:
        card(raw, "agendas", "quiet")["capacities"] = many(16, "of-agenda")
        for place, gear in enumerate(raw["gear"]):
            gear["capacities"] = many(4, f"of-gear-{place}-")
        card(raw, "profiles", "fx-petra")["capacities"] = many(8, "of-petra")

    state = scene(STAND, changes=(change,))
    assert len(state.specific(2)) == 28
    do(state, use(2, state.specific(2)[-1][0]))
    assert state.dump()["vp"] == [15, 0] and figure(state, 2)["ap"] == 3


def test_markers_for_which_no_number_is_left_are_skipped_by_name() -> None:
    """48 markers have numbers; the placement of another one is skipped, with an event (OLO-GEN-09)."""
    raw = "{{op: marker, do: put, tag: seal, size: 30, spot: {{at: [{}, {}]}}}}"
    places = [raw.format(200 + 200 * column, 200 + 150 * row) for column in range(7) for row in range(8)]
    state = scene({2: Rouage((100, 100)), 4: Rouage((1500, 1500))}, changes=(active(long(places[:50])),))
    code = use(2, specific(state, 2, "deed"))
    kinds = [entry[0] for entry in state.trace_of(code, state.actor())]
    assert kinds.count(EventKind.MARKER_PLACED) == 48 and kinds.count(EventKind.EFFECT_SKIPPED) == 2


@pytest.mark.rule("OLO-GEN-04")
def test_an_effect_cannot_last_twice_on_the_same_element() -> None:
    """In a match the effect begins anew instead; a position that has it twice is refused."""
    effect = "{op: stat, who: each, stat: dodge, add: 1, for: cycle, name: quick}"
    state = scene(STAND, changes=(active(on_all(effect)),))
    do(state, use(2, specific(state, 2, "deed")))
    position = state.game.position(state)
    assert [effect.subject for effect in position.lasting] == [0, 2, 4]
    position.lasting.add().CopyFrom(position.lasting[1])
    with pytest.raises(InvalidPosition) as caught:
        state.game.restore(position)
    assert [fault.field for fault in caught.value.faults] == ["lasting[3].node"]


def test_those_that_wait_are_named_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label of the order computes the name of a rouage once, however many of its capacities wait."""
    changes = (
        trigger("stunned", "{op: vp, player: owner, n: 1}", "fx-hynek", name="theirs"),
        active(on_all(long(STUNS * 20))),
    )
    state = scene(STAND, changes=changes, priority=1)
    do(state, use(2, specific(state, 2, "deed")))
    assert len(state.waiting()) == 60 and {bearer for _, _, bearer in state.waiting()} == {4}
    asked: list[int] = []
    name = labels.element_name

    def counted(of: OlomocState, element: int, dump: dict[str, Any] | None = None) -> str:
        asked.append(element)
        return name(of, element, dump)

    monkeypatch.setattr(labels, "element_name", counted)
    assert "theirs" in state.game.label(state, codes.FIRST(59))
    assert asked == [4]
