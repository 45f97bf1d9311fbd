"""End of cycle and of the game (section 3.15; W11 to W13, W29)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import add_capacity, put
from tests.olomoc.scenes import (
    AXE,
    END,
    Rouage,
    Script,
    advance,
    changed_to,
    do,
    figure,
    game,
    plan,
    scene,
    specific,
    use,
)

PLAN = (AXE, 0, 1, 2, 3)


def last_phase(stand: dict[int, Rouage], cycle: int = 1, **more: object) -> tuple[OlomocState, Script]:
    """The last activation of a cycle; the rest of it is played simply."""
    options = more.pop("options", {})
    changes = more.pop("changes", ())
    state = game(*changes, **options).initial_state()  # type: ignore[misc, attr-defined]
    how = Script(((0, 1, 3, AXE, 2), PLAN))
    advance(state, how, lambda s: s.dump()["phase"] == 5 and s.decision in (Decision.ACT, Decision.ENTER))
    if state.decision == Decision.ENTER:
        do(state, state.legal(state.actor())[0])
    if cycle == 4:
        # The ministries of the cycles before are used up.
        more |= {"hand": [0, 0], "used": state.dump()["hand"]}
    return changed_to(state, stand, cycle=cycle, **more), how  # type: ignore[arg-type]


def cycle_over(state: OlomocState, how: Script) -> OlomocState:
    cycle = state.dump()["cycle"]
    return advance(state, how, lambda s: s.dump()["cycle"] > cycle or s.actor() == -3)


@pytest.mark.rule("OLO-EOC-01", "OLO-EOC-03", "OLO-EOC-04", "OLO-PLAN-03", "OLO-MIN-03", "OLO-STUN-05", "OLO-AP-01")
def test_end_of_a_cycle_gives_points_and_fiel_and_ends_effects() -> None:
    """W29: points, Fiel, cards; effects end, stun and wounds stay; tokens are filled up."""
    card = """{id: probe, name: Probe, timing: permanent, on: cycle_end, optional: false,
      do: [{op: vp, player: owner, n: 2}]}"""
    stand = {
        2: Rouage((700, 800), noirceur=3, ticked=2, ap=1),
        1: Rouage(out_of_action=True),
        0: Rouage((300, 300), stunned=True),
        4: Rouage((1300, 300)),
    }
    state, how = last_phase(stand, changes=(add_capacity("fx-petra", card),), fiel=[0, 0])
    used_before = state.dump()["used"][0]
    cycle_over(state, how)
    dump = state.dump()
    assert dump["cycle"] == 2
    assert dump["vp"] == [2, 0]
    assert dump["fiel"] == [1, 0]
    assert dump["used"][0].bit_count() == used_before.bit_count() + 1
    assert (dump["cards"][0], dump["propaganda"][0]) == (0b101, 2)
    assert dump["hand"][0].bit_count() == 3
    assert figure(state, 0)["states"] == 1
    assert (figure(state, 2)["ticked"], figure(state, 2)["noirceur"]) == (2, 3)
    assert figure(state, 2)["ap"] == 4
    assert dump["lasting"] == []


@pytest.mark.rule("OLO-EOC-03")
def test_effects_end_with_the_cycle_at_the_latest() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase},
      do: [{op: mod, dice: 1, for: next_phase}, {op: mod, dice: 2, for: phase}]}"""
    state = scene({2: Rouage((700, 800))}, changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")))
    assert len(state.dump()["lasting"]) == 2
    how = Script((plan(2), plan(3)))
    do(state, END)
    advance(state, how, lambda s: s.dump()["phase"] == 2)
    assert len(state.dump()["lasting"]) == 1
    advance(state, how, lambda s: s.dump()["phase"] == 3)
    assert state.dump()["lasting"] == []


@pytest.mark.rule("OLO-EOC-02", "OLO-END-03", "OLO-END-06", "OLO-FIEL-01", "OLO-FIEL-02")
def test_both_players_lose_if_both_reach_three_fiel() -> None:
    """W13: one effect gives both players their last Fiel."""
    stand = {2: Rouage((700, 800), noirceur=3), 3: Rouage((1000, 800), noirceur=3), 4: Rouage((1300, 800), noirceur=3)}
    state, how = last_phase(stand, fiel=[2, 1], vp=[7, 0])
    cycle_over(state, how)
    assert state.actor() == -3
    assert state.returns() == (-1.0, -1.0)
    assert state.dump()["fiel"] == [3, 3]
    assert state.dump()["over"] == 4
    alone, how = last_phase({2: Rouage((700, 800), noirceur=3)}, fiel=[2, 0], vp=[7, 0])
    cycle_over(alone, how)
    assert alone.returns() == (-1.0, 1.0)
    assert alone.dump()["over"] == 3


@pytest.mark.rule("OLO-FIEL-01")
def test_corrupted_rouages_off_the_board_count_too() -> None:
    state, how = last_phase({2: Rouage((700, 800)), 0: Rouage(noirceur=3)})
    cycle_over(state, how)
    assert state.dump()["fiel"] == [1, 0]


@pytest.mark.rule("OLO-END-01", "OLO-END-06")
@pytest.mark.parametrize(("vp", "returns"), [([3, 2], (1.0, -1.0)), ([2, 3], (-1.0, 1.0)), ([2, 2], (0.0, 0.0))])
def test_victory_points_decide_after_the_fourth_cycle(vp: list[int], returns: tuple[float, float]) -> None:
    stand = {2: Rouage((700, 800)), 4: Rouage((1300, 800))}
    state, how = last_phase(stand, cycle=4, vp=vp)
    cycle_over(state, how)
    assert state.actor() == -3
    assert state.returns() == returns
    assert state.dump()["over"] == 1


@pytest.mark.rule("OLO-END-01")
def test_effects_at_the_end_of_the_game_count() -> None:
    rules = [{"id": "final", "name": "Final", "timing": "permanent", "on": "game_end", "optional": False, "do": [
        {"op": "each", "of": {"side": "player"}, "as": "each", "do": [
            {"op": "vp", "player": "of(each)", "n": 2}]}]}]  # fmt: skip
    change = put("agendas", "quiet", "rules", rules)
    state, how = last_phase({2: Rouage((700, 800))}, cycle=4, changes=(change,), vp=[2, 0])
    cycle_over(state, how)
    assert state.dump()["vp"] == [4, 2], "each has one rouage on the board"
    assert state.returns() == (1.0, -1.0)


@pytest.mark.rule("OLO-END-05")
def test_endings_are_checked_after_a_whole_effect() -> None:
    """An effect that hits several at once is applied to all before the check: both at 3 Fiel both lose."""
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase},
      do: [{op: each, of: {side: player, not_self: false}, as: each, do: [{op: noirceur, who: each, n: 1}]}]}"""
    stand = {2: Rouage((700, 800), noirceur=3), 4: Rouage((1300, 800), noirceur=3)}
    state = scene(stand, changes=(add_capacity("fx-petra", card),), fiel=[2, 2])
    do(state, use(2, specific(state, 2, "probe")))
    assert state.actor() == -3
    assert state.returns() == (-1.0, -1.0)


@pytest.mark.rule("OLO-END-02")
def test_victory_points_decide_when_the_traque_is_full() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase},
      do: [{op: traque, n: 3}]}"""
    for vp, returns in (([1, 0], (1.0, -1.0)), ([0, 0], (0.0, 0.0))):
        state = scene({2: Rouage((700, 800))}, changes=(add_capacity("fx-petra", card),), vp=vp)
        do(state, use(2, specific(state, 2, "probe")))
        assert state.returns() == returns
        assert state.dump()["over"] == 2
