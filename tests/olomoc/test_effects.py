"""Effects of cards (section 6.7): every op once, and the principles of section 3.1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gamepacks.api.types import Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.constants import Op
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import POINT, add_capacity, put
from tests.olomoc.in_play import view_of
from tests.olomoc.scenes import (
    CHARGE,
    END,
    FRONTAL,
    MARCH,
    NO,
    RANGED,
    YES,
    Marker,
    Rouage,
    Script,
    advance,
    do,
    figure,
    go,
    happens,
    legal,
    may,
    parts,
    plan,
    plans_of,
    rolls,
    scene,
    specific,
    target,
    use,
    where,
)

STAND = {2: Rouage((700, 800)), 4: Rouage((1000, 800)), 1: Rouage((700, 1000))}
TRIED: set[Op] = set()
"""The ops that the tests of this module have carried out."""


def card(effects: str, rest: str = "timing: active, cost: {ap: 1}, freq: {n: 1, per: phase}") -> str:
    return f"{{id: probe, name: Probe, {rest}, do: [{effects}]}}"


def used(effects: str, stand: Mapping[int, Rouage] = STAND, rest: str = "", **more: Any) -> OlomocState:
    """Pétra has used a capacity with these effects."""
    text = card(effects, rest) if rest else card(effects)
    state = scene(stand, changes=(add_capacity("fx-petra", text), *more.pop("changes", ())), **more)
    note(state)
    return do(state, use(2, specific(state, 2, "probe")))


def note(state: OlomocState) -> None:
    rules = state.game.ruleset
    for capacity in rules.capacities:
        if capacity.id.startswith("probe"):
            _note_program(state, capacity.program)


def _note_program(state: OlomocState, program: int) -> None:
    for node in state.game.ruleset.programs[program]:
        TRIED.add(node.op)
        for inner in (node.then, node.otherwise, *node.options):
            if inner >= 0:
                _note_program(state, inner)


def on(event: str, effects: str, stand: Mapping[int, Rouage] = STAND, rest: str = "", **more: Any) -> OlomocState:
    """Pétra has a permanent capacity that answers to an event."""
    text = card(effects, f"timing: permanent, on: {event}, optional: false{rest}")
    state = scene(stand, changes=(add_capacity("fx-petra", text), *more.pop("changes", ())), vp=[0, 0], **more)
    note(state)
    return state


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_wound_and_heal() -> None:
    state = used("{op: wound, who: self, n: 3}, {op: heal, who: self, n: 2}")
    assert figure(state, 2)["ticked"] == 1


def test_tokens_and_points() -> None:
    state = used("{op: vp, player: owner, n: 3}, {op: vp, player: opponent, n: -2}, {op: vp, player: both, n: 1}")
    assert state.dump()["vp"] == [4, 1]
    assert used("{op: fiel, player: opponent, n: 1}").dump()["fiel"] == [0, 1]
    assert used("{op: traque, n: 1}").dump()["traque"] == 1
    assert figure(used("{op: noirceur, who: self, n: 2}"), 2)["noirceur"] == 2
    counted = used("{op: token, name: turns, n: 2}, {op: token, name: turns, set: 5}", options={"agenda": "points"})
    turns = counted.game.ruleset.tokens.index("turns")
    assert counted.dump()["tokens"][turns] == 5


def test_a_counter_for_each_player() -> None:
    """Each is counted and read by its player alone; a view shows both, and events name the player."""
    relics = put("agendas", "points", "player_tokens", ["relics"])
    effects = (
        "{op: token, name: relics, player: owner, n: 2}, {op: token, name: relics, player: both, n: 1}, "
        "{op: vp, player: owner, n: {token: relics, player: owner}}, "
        "{op: vp, player: opponent, n: {token: relics, player: opponent, mul: 10}}, {op: token, name: turns, n: 7}"
    )
    state = used(effects, options={"agenda": "points"}, changes=(relics,))
    assert state.dump()["vp"] == [3, 10]
    view = view_of(state)
    assert [[(counter.name, counter.value) for counter in player.counters] for player in view.players] == [
        [("relics", 3)],
        [("relics", 1)],
    ]
    assert [(counter.name, counter.value) for counter in view.counters] == [("turns", 7)]
    drawn = state.game.render(view)
    assert "relics 3" in drawn and "relics 1" in drawn


def test_events_name_the_player_of_a_counter() -> None:
    relics = put("agendas", "points", "player_tokens", ["relics"])
    effects = "{op: token, name: relics, player: opponent, n: 2}, {op: token, name: turns, n: 1}"
    text = add_capacity("fx-petra", card(effects))
    before = scene(STAND, changes=(text, relics), options={"agenda": "points"})
    found = [event.token_changed for event in happens(before, use(2, specific(before, 2, "probe")))
             if event.WhichOneof("event") == "token_changed"]  # fmt: skip
    assert [(one.name, one.before, one.after) for one in found] == [("relics", 0, 2), ("turns", 0, 1)]
    assert found[0].player == 1 and not found[1].HasField("player")


@pytest.mark.rule("OLO-AP-02", "OLO-GEN-09")
def test_ap_effects_change_tokens() -> None:
    stand = {**STAND, 1: Rouage((700, 1000), ap=3)}
    effect = "{op: pick, of: {side: ally, pick: choose}, as: one}, {op: ap, who: one, n: 2}"
    state = used(effect, stand)
    do(state, target(1))
    assert figure(state, 1)["ap"] == 4, "never more than was given"
    assert figure(used("{op: ap, who: self, n: -9}"), 2)["ap"] == 0


@pytest.mark.rule("OLO-GEN-09", "OLO-GEN-10")
def test_impossible_parts_of_an_effect_are_skipped() -> None:
    effect = "{op: pick, of: {side: enemy, within: 1, of: self, pick: choose}, as: one}, {op: wound, who: one, n: 1}"
    state = used(f"{effect}, {{op: vp, player: owner, n: 1}}", rest="timing: active, cost: {ap: 1}, attack: other")
    assert state.dump()["vp"] == [1, 0]
    compulsory = used("{op: pick, of: {side: ally, pick: choose}, as: one}, {op: ap, who: one, n: -1}")
    assert NO not in legal(compulsory)
    free = used("{op: pick, of: {side: ally, pick: choose, up_to: true}, as: one}, {op: ap, who: one, n: -1}")
    assert NO in legal(free)
    do(free, NO)
    assert figure(free, 1)["ap"] == 4


@pytest.mark.parametrize(
    ("val", "expected"),
    [
        ("2", 2),
        ("{count: {side: enemy}}", 1),
        ("{stat: technique, of: self}", 2),
        ("{what: rank, of: self}", 3),
        ("{what: boxes_left, of: self, max: 5}", 5),
        ("{what: boxes_ticked, of: self, add: 4}", 4),
        ("{what: noirceur, of: self, min: 1}", 1),
        ("{what: ap, of: self, mul: 2}", 6),
    ],
)
def test_values_of_effects(val: str, expected: int) -> None:
    assert used(f"{{op: vp, player: owner, n: {val}}}").dump()["vp"][0] == expected


def test_a_die_in_a_value() -> None:
    state = used("{op: vp, player: owner, n: {die: d6}}")
    assert (state.decision, len(state.chance())) == (Decision.CHANCE_DIE, 6)
    do(state, codes.FACE(5))
    assert state.dump()["vp"][0] == 5


def test_die_with_a_table() -> None:
    table = "[[], [{op: vp, player: owner, n: 2}], [{op: vp, player: owner, n: 3}]]"
    state = used(f"{{op: die, kind: d3, table: {table}}}")
    do(state, codes.FACE(3))
    assert state.dump()["vp"][0] == 3


@pytest.mark.parametrize(
    ("cond", "holds"),
    [
        ("{free: self}", True), ("{engaged: self}", False), ("{on_bloc: self}", True), ("{in_cover: self}", False),
        ("{exists: {side: enemy}}", True), ("{exists: {side: enemy}, min: 2}", False),
        ("{noirceur_min: 1, of: self}", False),
        ("{state: stunned, of: self}", False), ("{cycle: [1, 2]}", True), ("{phase: [2]}", False),
        ("{priority: owner}", True), ("{ministry_revealed: owner}", False), ("{active: self}", True),
        ("{cmp: [1, '<', 2]}", True), ("{cmp: [3, '<=', 2]}", False), ("{not: {free: self}}", False),
        ("{all: [{free: self}, {cycle: [1]}]}", True), ("{any: [{engaged: self}, {cycle: [4]}]}", False),
        ("{is: {rank_min: 3, not_self: false}, of: self}", True), ("{same: [self, self]}", True),
        ("{within: [self, self, 1]}", True), ("{used: {caps: [march], max: 0}}", True),
        ("{rank_cmp: [self, '>', self]}", False), ("{contact: [self, self]}", False),
    ],
)  # fmt: skip
def test_conditions_of_effects(cond: str, holds: bool) -> None:
    effect = (
        f"{{op: if, cond: {cond}, then: [{{op: vp, player: owner, n: 1}}], else: [{{op: vp, player: owner, n: 5}}]}}"
    )
    assert used(effect).dump()["vp"][0] == (1 if holds else 5)


# -- who is meant ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-GEN-05", "OLO-GEN-07")
@pytest.mark.parametrize(
    ("selector", "hit"),
    [
        ("{}", {1}), ("{not_self: false}", {1, 2}), ("{side: enemy}", {4}), ("{side: foe}", {4, 6}),
        ("{side: hostile}", {6}), ("{side: player}", {1, 4}), ("{side: any}", {1, 4, 6}), ("{where: off}", {0}),
        ("{where: any}", {0, 1}), ("{side: player, rank_min: 2, rank_max: 2}", {1, 4}),
        ("{side: any, within: 2, of: self}", {1, 4}), ("{side: player, sight: self}", {1, 4}),
        ("{side: enemy, pick: nearest, of: self}", {4}), ("{side: player, pick: lowest_rank}", {1, 4}),
        ("{side: player, where: any, pick: lowest_rank}", {0, 3}),
        ("{side: any, status: [healthy]}", {1, 4}), ("{name: fx-dominik}", {1}), ("{ministry: effort}", {1}),
    ],
)  # fmt: skip
def test_selectors_pick_elements(selector: str, hit: set[int]) -> None:
    stand = {**STAND, 6: Rouage((1000, 1300))}
    state = used(f"{{op: each, of: {selector}, as: each, do: [{{op: state, who: each, state: stunned, set: true}}]}}",
                 stand, hostiles={6: "fx-idler"})  # fmt: skip
    stunned = {entry["index"] for entry in state.dump()["figures"] if entry["states"]}
    assert stunned == hit


def test_each_in_an_order_where_it_matters() -> None:
    effect = "{op: each, of: {side: player, not_self: false}, as: each, do: [{op: push, who: each}]}"
    state = used(effect)
    assert state.decision == Decision.ORDER
    assert len(legal(state)) == 3
    do(state, codes.FIRST(1))
    assert state.decision == Decision.PUSH


def test_choose_carries_the_chosen_option_out() -> None:
    effect = """{op: choose, options: [{text: One, do: [{op: vp, player: owner, n: 1}]},
      {text: Two, do: [{op: vp, player: owner, n: 2}]}], by: opponent}"""
    state = used(effect)
    assert (state.decision, state.actor()) == (Decision.CHOICE, state.seat_of(1))
    assert [state.game.label(state, code) for code in legal(state)] == ["1: One", "2: Two"]
    do(state, codes.CHOOSE(1))
    assert state.dump()["vp"][0] == 2
    optional = used(effect.replace("by: opponent", "optional: true"))
    assert NO in legal(optional)


# -- places ------------------------------------------------------------------------------------------------------------


def test_push_place_and_move() -> None:
    pushed = used("{op: push, who: self}")
    assert pushed.decision == Decision.PUSH and NO in legal(pushed)
    do(pushed, NO)
    assert where(pushed, 2) == (700, 800)
    placed = used("{op: place, who: self, within: 2, of: self}")
    assert not may(placed, go(1100, 800))
    do(placed, go(700, 600))
    assert where(placed, 2) == (700, 600)
    moved = used("{op: move, who: self, ruler: push, count: true, up_to: true}")
    assert moved.decision == Decision.GO and NO in legal(moved)
    assert not may(moved, go(450, 800))
    do(moved, go(460, 800))
    assert figure(moved, 2)["marches"] == 1
    uncounted = do(used("{op: move, who: self}"), go(500, 800))
    assert figure(uncounted, 2)["marches"] == 0


@pytest.mark.rule("OLO-PUSH-03")
def test_a_push_by_another_player() -> None:
    state = used("{op: push, who: self, by: opponent}")
    assert state.actor() == state.seat_of(1)


def test_hostiles_and_markers_come_and_go() -> None:
    spawned = used("{op: spawn, profile: fx-rogue, n: 2, spot: {at: [300, 300]}}")
    assert where(spawned, 6) == (300, 300)
    assert where(spawned, 7) not in (None, (300, 300))
    for spot, near in (("{near: self}", (700, 800)), ("{edge: E}", (1540, 800)), ("{centre: true}", (800, 800))):
        state = used(f"{{op: spawn, profile: fx-rogue, spot: {spot}}}")
        x, y = where(state, 6) or (-1, -1)
        assert abs(x - near[0]) < 150 and abs(y - near[1]) < 150
    gone = used("{op: pick, of: {side: hostile, pick: choose}, as: one}, {op: despawn, who: one}",
                {**STAND, 6: Rouage((300, 300))}, hostiles={6: "fx-idler"})  # fmt: skip
    do(gone, *([target(6)] if gone.decision == Decision.PICK else []))
    assert [entry for entry in gone.dump()["figures"] if entry["index"] == 6 and entry["where"] == 2] == []
    assert gone.dump()["traque"] == 0
    put_down = used("{op: marker, do: put, size: 40, tag: objective, spot: {at: [300, 300]}, tainted: true}")
    (mark,) = put_down.dump()["marks"]
    assert (mark["x"], mark["y"], mark["radius"], mark["tainted"]) == (300, 300, 10_000, 1)


def test_markers_move_and_vanish_and_change() -> None:
    pick = "{op: pick, of: {kind: marker, tag: objective, pick: choose}, as: one}"
    marker = [Marker((300, 300))]
    for effect, check in (
        ("{op: marker, do: move, who: one, spot: {at: [400, 400]}}", lambda m: (m[0]["x"], m[0]["y"]) == (400, 400)),
        ("{op: marker, do: remove, who: one}", lambda m: m == []),
        ("{op: despawn, who: one}", lambda m: m == []),
        ("{op: taint, element: one, set: true}", lambda m: m[0]["tainted"] == 1),
    ):
        state = used(f"{pick}, {effect}", markers=marker)
        do(state, *([target(16)] if state.decision == Decision.PICK else []))
        assert check(state.dump()["marks"]), effect


@pytest.mark.rule("OLO-SCEN-03", "OLO-NOIR-05")
def test_scenery_is_tainted() -> None:
    pick = "{op: pick, of: {kind: scenery, pick: choose}, as: one}"
    state = used(f"{pick}, {{op: taint, element: one, set: true}}", {2: Rouage((600, 760))}, options={"bloc": "low"})
    do(state, *([target(64)] if state.decision == Decision.PICK else []))
    assert state.dump()["tainted_pieces"] == 1
    assert figure(state, 2)["noirceur"] == 0, "it was in contact already"


@pytest.mark.rule("OLO-SCEN-03", "OLO-NOIR-03")
def test_cleaned_element_taints_nobody() -> None:
    pick = "{op: pick, of: {kind: KIND, pick: choose}, as: one}, {op: taint, element: one, set: false}"
    bare = scene({2: Rouage((1400, 1400))}, options={"bloc": "mud"})
    scenery = bare.game.view(bare, Viewer(-1)).scenery
    (pit,) = (piece for piece in scenery if piece.tainted)
    x, y = pit.corners[0].x, pit.corners[0].y
    beside = x + (pit.radius + 7500) // 127 + 1
    for cleaned, noirceur in ((False, 1), (True, 0)):
        state = used(pick.replace("KIND", "scenery"), {2: Rouage((beside + 100, y))}, options={"bloc": "mud"})
        other = next(piece.element for piece in scenery if not piece.tainted)
        do(state, target(pit.element if cleaned else other))
        assert bool(state.dump()["tainted_pieces"]) != cleaned
        do(state, use(2, MARCH), go(beside, y))
        assert figure(state, 2)["noirceur"] == noirceur
    marker = used(pick.replace("KIND", "marker"), {2: Rouage((700, 800))}, markers=[Marker((700, 1100), tainted=True)])
    do(marker, *([target(16)] if marker.decision == Decision.PICK else []))
    assert [mark["tainted"] for mark in marker.dump()["marks"]] == [0]
    do(marker, use(2, MARCH), go(700, 981))
    assert figure(marker, 2)["noirceur"] == 0


@pytest.mark.parametrize(
    ("selector", "count"),
    [
        ("{side: player, state: [stunned]}", 2), ("{side: any, state: [stunned]}", 3),
        ("{side: enemy, state: [stunned]}", 1), ("{side: enemy}", 2),
    ],
)  # fmt: skip
def test_selectors_by_state(selector: str, count: int) -> None:
    stand = {2: Rouage((700, 800)), 1: Rouage((300, 300), stunned=True), 3: Rouage((1300, 300), stunned=True),
             4: Rouage((1200, 800)), 6: Rouage((700, 1400), stunned=True), 7: Rouage((900, 1400))}  # fmt: skip
    state = used(f"{{op: vp, player: owner, n: {{count: {selector}}}}}", stand,
                 hostiles={6: "fx-idler", 7: "fx-idler"})  # fmt: skip
    assert state.dump()["vp"][0] == count


def test_zones_of_tags() -> None:
    effect = "{op: if, cond: {exists: {zone: objective, not_self: false}}, then: [{op: vp, player: owner, n: 1}]}"
    inside = used(effect, markers=[Marker((700, 600), zone=25_400)])
    outside = used(effect, markers=[Marker((700, 300), zone=12_700)])
    assert [state.dump()["vp"][0] for state in (inside, outside)] == [1, 0]


# -- what lasts --------------------------------------------------------------------------------------------------------

NEAR = {2: Rouage((700, 800)), 4: Rouage((900, 800)), 1: Rouage((700, 1200))}


@pytest.mark.rule("OLO-GEN-04", "OLO-ROLL-07")
def test_modifiers_of_one_name_do_not_add_up() -> None:
    same = "{op: mod, dice: 1, for: phase, name: A}, {op: mod, dice: 2, for: phase, name: A}"
    other = "{op: mod, dice: 1, for: phase, name: A}, {op: mod, dice: 2, for: phase, name: B}"
    for effects, dice in ((same, 6), (other, 7)):
        state = do(used(effects, NEAR), use(2, FRONTAL), target(4), NO)
        assert state.pool == (dice, 5)


STUDY = "{op: roll, stat: technique, then: []}"
STUDIES = {
    "on: {role: attacker}": 4, "on: {role: defender}": 2, "on: {caps: [frontal]}": 2, "on: {caps: [ranged]}": 2,
    "on: {stats: [combat]}": 2, "on: {stats: [shoot]}": 2, "on: {target: {side: enemy}}": 2,
    "on: {target: {side: hostile}}": 2,
}  # fmt: skip
"""By what a modifier of two dice is for: the dice of a study of Technique that is against nobody."""


def test_modifiers_touch_the_rolls_they_name() -> None:
    for fields, dice in (
        ("on: {role: attacker}", 6),
        ("on: {role: defender}", 4),
        ("on: {caps: [frontal]}", 6),
        ("on: {caps: [ranged]}", 4),
        ("on: {stats: [combat]}", 6),
        ("on: {stats: [shoot]}", 4),
        ("on: {target: {side: enemy}}", 6),
        ("on: {target: {side: hostile}}", 4),
    ):
        assert used(f"{{op: mod, {fields}, dice: 2, for: phase}}, {STUDY}", NEAR).pool == (STUDIES[fields], 5), fields
        state = do(used(f"{{op: mod, {fields}, dice: 2, for: phase}}", NEAR), use(2, FRONTAL), target(4), NO)
        assert state.pool == (dice, 5), fields
    more = do(used("{op: mod, successes: 1, for: phase}", NEAR), use(2, FRONTAL), target(4), NO)
    rolls(more, 1)
    do(more, NO, NO)
    assert figure(more, 4)["ticked"] == 2


def test_stat_and_protect() -> None:
    state = do(used("{op: stat, who: self, stat: combat, add: 2, for: phase}", NEAR), use(2, FRONTAL), target(4), NO)
    assert state.pool == (6, 5)
    fixed = do(used("{op: stat, who: self, stat: combat, set: 1, for: phase}", NEAR), use(2, FRONTAL), target(4), NO)
    assert fixed.pool == (1, 5)
    effect = "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: protect, who: one, n: 2, for: phase}"
    guarded = used(effect, NEAR)
    do(guarded, *([target(4)] if guarded.decision == Decision.PICK else []), use(2, FRONTAL), target(4), NO)
    rolls(guarded, 3)
    do(guarded, NO, NO)
    assert figure(guarded, 4)["ticked"] == 1


@pytest.mark.rule("OLO-CAP-04", "OLO-GEN-01")
def test_forbid_and_permit() -> None:
    assert not may(used("{op: forbid, who: self, caps: [march], for: phase}"), use(2, MARCH))
    attack = used("{op: forbid, who: self, caps: [attack], for: phase}", NEAR)
    assert not any(may(attack, use(2, kind)) for kind in (FRONTAL, RANGED, CHARGE))
    free = used("{op: permit, who: self, caps: [march], free: true, for: phase}", {2: Rouage((700, 800), ap=1)})
    assert figure(free, 2)["ap"] == 0 and may(free, use(2, MARCH))
    spent = {2: Rouage((700, 800), marches=2)}
    assert may(used("{op: permit, who: self, caps: [march], extra: 1, for: phase}", spent), use(2, MARCH))
    shooter = used("{op: permit, who: self, caps: [ranged], ignore: [free], for: phase}",
                   {2: Rouage((700, 800)), 3: Rouage((900, 800)), 4: Rouage((700, 1200))})  # fmt: skip
    do(shooter, use(2, RANGED))
    assert target(4) in legal(shooter)


def test_sight_switches_cover() -> None:
    effect = "{op: pick, of: {side: enemy, pick: choose}, as: one}, {op: sight, who: one, cover: always, for: phase}"
    marksman = put("profiles", "fx-petra", "shoot", 4)
    state = used(effect, changes=(marksman,))
    do(state, *([target(4)] if state.decision == Decision.PICK else []), use(2, RANGED), target(4), NO)
    assert state.pool == (3, 5)


def test_skip_leaves_out_what_follows() -> None:
    state = used("{op: vp, player: owner, n: 1}, {op: skip, what: rest}, {op: vp, player: owner, n: 5}")
    assert state.dump()["vp"][0] == 1


# -- rolls, attacks, activations ---------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-FATE-01", "OLO-ROLL-01")
def test_roll_carries_effects_out_by_successes() -> None:
    effect = """{op: roll, stat: technique, then: [{op: vp, player: owner, n: successes}],
      else: [{op: vp, player: owner, n: 9}]}"""
    state = used(effect)
    assert state.pool == (2, 5)
    rolls(state, 1)
    assert state.decision == Decision.FATE
    do(state, NO)
    assert state.dump()["vp"][0] == 1
    failed = used(effect)
    rolls(failed, 0)
    do(failed, NO)
    assert failed.dump()["vp"][0] == 9


@pytest.mark.parametrize(("active", "foe", "by", "asked"), [(2, 4, "", 0), (4, 2, "", 1), (4, 2, ", by: opponent", 0)])
def test_player_who_picks(active: int, foe: int, by: str, asked: int) -> None:
    """The owner of an effect picks, or whom the card names."""
    stand = {2: Rouage((500, 500)), 4: Rouage((1000, 500))}
    effect = f"{{op: pick, of: {{side: enemy, pick: choose{by}}}, as: one}}, {{op: ap, who: one, n: -1}}"
    name = "fx-petra" if active == 2 else "fx-hynek"
    state = scene(stand, active=active, changes=(add_capacity(name, card(effect)),))
    do(state, use(active, specific(state, active, "probe")))
    assert state.decision == Decision.PICK
    assert state.actor() == state.seat_of(asked)
    do(state, target(foe))
    assert figure(state, foe)["ap"] == 3


def test_reroll_rolls_again() -> None:
    text = card(
        "{op: reroll, failures_only: true}",
        "timing: permanent, on: rolled, freq: {n: 1, per: cycle}, if: {same: [attacker, self]}",
    )
    state = scene(NEAR, changes=(add_capacity("fx-petra", text),))
    note(state)
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 1)
    do(state, NO)
    assert state.decision == Decision.TRIGGER
    do(state, YES)
    assert state.pool == (3, 5), "the three failures"
    rolls(state, 2)
    while state.decision in (Decision.FATE, Decision.TACTIC):
        do(state, NO)
    assert figure(state, 4)["ticked"] == 3


def test_an_attack_made_by_an_effect() -> None:
    effect = """{op: pick, of: {side: enemy, pick: choose}, as: one},
      {op: attack, kind: frontal, target: one, mods: [{op: mod, dice: 1, for: attack}]}"""
    state = used(effect, NEAR)
    do(state, *([target(4)] if state.decision == Decision.PICK else []))
    assert state.decision == Decision.REACT
    do(state, NO)
    assert state.pool == (5, 5)
    rolls(state, 0)
    while state.decision in (Decision.FATE, Decision.TACTIC):
        do(state, NO)
    assert (figure(state, 2)["ap"], figure(state, 2)["attacks"]) == (3, 1)


@pytest.mark.rule("OLO-CAP-06", "OLO-DODGE-01")
@pytest.mark.parametrize(("attack", "reacts"), [("other", False), ("ranged", True), ("frontal", True)])
def test_capacities_that_attack(attack: str, reacts: bool) -> None:
    effect = "{op: roll, stat: technique, target: target, then: [{op: wound, who: target, n: successes}]}"
    rest = (
        f"timing: active, cost: {{ap: 1}}, attack: {attack}, target: {{side: foe, within: 4, of: self, pick: choose}}"
    )
    state = used(effect, rest=rest)
    do(state, target(4))
    assert (state.decision == Decision.REACT) == reacts
    if reacts:
        do(state, codes.REACT(0))
    rolls(state, 2)
    if reacts:
        assert state.decision == Decision.CHANCE_POOL
        rolls(state, 1)
    while state.decision in (Decision.FATE, Decision.TACTIC):
        do(state, NO)
    assert figure(state, 4)["ticked"] == (1 if reacts else 2)
    assert figure(state, 2)["attacks"] == 1


def test_activate_activates_a_rouage() -> None:
    hostile = used("{op: activate, of: {side: hostile, pick: choose}, n: 1, by: owner}",
                   {**STAND, 6: Rouage((300, 300))}, hostiles={6: "fx-idler"})  # fmt: skip
    do(hostile, *([target(6)] if hostile.decision == Decision.PICK else []))
    assert hostile.decision in (Decision.HOSTILE_LINE, Decision.HOSTILE, Decision.ACT)
    effect = "{op: pick, of: {side: ally, pick: choose}, as: one}, {op: activate, who: one}"
    state = used(effect)
    do(state, *([target(1)] if state.decision == Decision.PICK else []))
    assert 1 in state.active_figures()
    do(state, END)
    assert state.decision == Decision.ACT and 2 in state.active_figures()


def test_mechanism_and_priority() -> None:
    assert used("{op: mechanism, n: 1}").decision == Decision.CHANCE_CARD
    assert used("{op: priority, player: opponent}").dump()["priority"] == 1


@pytest.mark.rule("OLO-PLAN-04")
def test_plans_can_be_peeked_at() -> None:
    state = used("{op: plan, do: peek, player: opponent, slots: [4, 5]}")
    seat, other = state.seat_of(0), state.seat_of(1)
    plans = state.game.view(state, seat).players[1].plan
    assert [slot.HasField("card") for slot in plans] == [True, False, False, True, True]
    assert [slot.HasField("card") for slot in state.game.view(state, -1).players[1].plan][3:] == [False, False]
    assert all(slot.HasField("card") for slot in state.game.view(state, other).players[1].plan)
    shown = used("{op: plan, do: reveal, player: opponent, slots: [5]}")
    assert shown.game.view(shown, -1).players[1].plan[4].HasField("card")


# -- triggers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["card_end", "phase_end", "cycle_end", "activation_end", "hostile_phase_start",
                                   "hostile_phase_end", "revealed", "planned", "cycle_start"])  # fmt: skip
def test_triggers_of_the_turn_flow(event: str) -> None:
    state = on(event, POINT, rest=", freq: {n: 1, per: game}")
    do(state, END)
    how = Script((plan(2), plan(3)))
    advance(state, how, lambda s: s.dump()["vp"][0] > 0 or s.dump()["cycle"] == 3)
    assert state.dump()["vp"][0] == 1
    if event in ("planned", "cycle_start"):
        assert state.dump()["cycle"] == 2


def test_triggers_of_moves() -> None:
    moved = do(on("moved", POINT, rest=", if: {same: [mover, self]}"), use(2, MARCH), go(600, 700))
    assert moved.dump()["vp"][0] == 1
    announced = do(on("move_announced", POINT, rest=", if: {same: [mover, self]}"), use(2, MARCH), go(600, 700))
    assert announced.dump()["vp"][0] == 1
    entered = do(on("entered", POINT), use(2, MARCH), go(800, 800))
    assert entered.dump()["vp"][0] == 1
    left = on("left", POINT, NEAR)
    do(left, use(2, MARCH), go(600, 700))
    while left.decision == Decision.OPPORTUNITY:
        do(left, NO)
    assert left.dump()["vp"][0] == 1
    touched = on("{event: contact, what: {kind: marker}}", POINT, markers=[Marker((500, 800))])
    do(touched, use(2, MARCH), go(620, 800))
    assert touched.dump()["vp"][0] == 1


def test_triggers_of_attacks() -> None:
    for event, rest in (
        ("attack_declared", ", if: {same: [attacker, self]}"), ("rolled", ", if: {same: [attacker, self]}"),
        ("attack_end", ", if: {same: [attacker, self]}"), ("wounded", ", if: {same: [killer, self]}"),
    ):  # fmt: skip
        state = on(event, POINT, NEAR, rest)
        do(state, use(2, FRONTAL), target(4), NO)
        rolls(state, 1)
        while state.decision in (Decision.FATE, Decision.TACTIC):
            do(state, NO)
        assert state.dump()["vp"][0] >= 1, event
    out = on("out", POINT, {**NEAR, 4: Rouage((900, 800), ticked=6)}, ", if: {same: [killer, self]}")
    do(out, use(2, FRONTAL), target(4), NO)
    rolls(out, 1)
    while out.decision in (Decision.FATE, Decision.TACTIC):
        do(out, NO)
    assert out.dump()["vp"][0] == 1


def test_capacities_are_triggered_by_other_events() -> None:
    own = "{id: second, name: Second, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase}, do: [EFFECT]}"
    for event, effect, rest in (
        ("noirceur", "{op: noirceur, who: self, n: 1}", ", if: {same: [victim, self]}"),
        ("stunned", "{op: state, who: self, state: stunned, set: true}", ", if: {same: [victim, self]}"),
        ("used", POINT.replace("n: 1", "n: 0"), ", if: {same: [mover, self]}"),
        ("mechanism", "{op: mechanism, n: 1}", ", freq: {n: 1, per: cycle}"),
    ):
        state = on(event, POINT, rest=rest, changes=(add_capacity("fx-petra", own.replace("EFFECT", effect)),))
        do(state, use(2, specific(state, 2, "second")))
        if state.decision == Decision.CHANCE_CARD:
            calm = [code for code, _ in state.chance() if state.game.ruleset.artefacts[parts(code).a].id == "calm"]
            do(state, calm[0])
        assert state.dump()["vp"][0] == 1, event


def test_a_reaction_of_its_own() -> None:
    text = card(
        "{op: vp, player: owner, n: 1}", "timing: permanent, on: reaction, cost: {ap: 1}, if: {same: [defender, self]}"
    )
    state = scene(NEAR, changes=(add_capacity("fx-hynek", text),))
    do(state, use(2, FRONTAL), target(4))
    own = [code for code in legal(state) if parts(code).verb == codes.REACT and parts(code).a >= 16]
    assert len(own) == 1
    do(state, own[0])
    assert state.decision == Decision.CHANCE_POOL
    assert state.dump()["vp"] == [0, 1]
    assert figure(state, 4)["ap"] == 3


@pytest.mark.rule("OLO-GEN-06")
def test_a_capacity_is_resolved_before_another_is_used() -> None:
    state = used("{op: push, who: self}, {op: vp, player: owner, n: 1}")
    assert {parts(code).verb for code in legal(state)} <= {codes.GO, codes.NO}
    assert state.dump()["vp"][0] == 0
    do(state, NO)
    assert state.dump()["vp"][0] == 1


@pytest.mark.rule("OLO-CAP-02")
@pytest.mark.parametrize(("per", "again"), [("phase", True), ("cycle", False), ("game", False)])
def test_frequencies_end_with_their_time(per: str, again: bool) -> None:
    text = card(POINT, f"timing: active, cost: {{ap: 1}}, freq: {{n: 1, per: {per}}}")
    state = scene({1: Rouage((700, 800)), 0: Rouage((300, 300)), 2: Rouage((300, 600))}, active=1, phase=2,
                  changes=(add_capacity("fx-dominik", text),))  # fmt: skip
    do(state, use(1, specific(state, 1, "probe")), END)
    how = Script(plans_of(state))
    advance(state, how, lambda s: s.decision == Decision.ACT and 2 in s.active_figures())
    do(state, codes.COORD(1))
    assert may(state, use(1, specific(state, 1, "probe"))) == again


def test_every_effect_has_been_tried() -> None:
    """Holds when the whole module runs: each of the closed list is carried out by some test above."""
    assert set(Op) >= TRIED
    missing = set(Op) - TRIED
    assert len(TRIED) < 20 or not missing, missing
