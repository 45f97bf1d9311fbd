"""Noirceur, Fiel, traque, stun, Rest (sections 3.7 and 3.8)."""

from __future__ import annotations

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import add_capacity
from tests.olomoc.scenes import (
    END,
    FRONTAL,
    MARCH,
    NO,
    REST,
    RIPOSTE,
    Rouage,
    do,
    figure,
    legal,
    may,
    parts,
    rolls,
    scene,
    specific,
    target,
    use,
)


def rest(rouage: int, what: int = 0) -> int:
    """The code of a Rest that removes a Noirceur, or with 1 the stun."""
    return codes.REST(rouage, what)


def gives(effects: str, stand: dict[int, Rouage] | None = None, **more: object) -> OlomocState:
    """Pétra uses a capacity with these effects."""
    card = f"{{id: probe, name: Probe, timing: active, cost: {{ap: 1}}, freq: {{n: 1, per: phase}}, do: [{effects}]}}"
    changes = (add_capacity("fx-petra", card),)
    state = scene(stand or {2: Rouage((700, 800))}, changes=changes, **more)  # type: ignore[arg-type]
    return do(state, use(2, specific(state, 2, "probe")))


@pytest.mark.rule("OLO-NOIR-01", "OLO-NOIR-02", "OLO-NOIR-04", "OLO-FIEL-01")
def test_noirceur_becomes_fiel() -> None:
    """Received one by one: 2 on a rouage that has 2 is one more and one Fiel."""
    state = gives("{op: noirceur, who: self, n: 2}", {2: Rouage((700, 800), noirceur=2)})
    assert figure(state, 2)["noirceur"] == 3
    assert state.dump()["fiel"] == [1, 0]
    less = gives("{op: noirceur, who: self, n: -2}", {2: Rouage((700, 800), noirceur=1)})
    assert figure(less, 2)["noirceur"] == 0


@pytest.mark.rule("OLO-NOIR-01")
@pytest.mark.parametrize(("noirceur", "status"), [(0, "healthy"), (1, "tainted"), (2, "tainted"), (3, "corrupted")])
def test_status_follows_noirceur(noirceur: int, status: str) -> None:
    for other in ("healthy", "tainted", "corrupted"):
        effect = f"{{op: if, cond: {{status: {other}, of: self}}, then: [{{op: vp, player: owner, n: 1}}]}}"
        state = gives(effect, {2: Rouage((700, 800), noirceur=noirceur)})
        assert state.dump()["vp"][0] == (other == status)


@pytest.mark.rule("OLO-NOIR-02", "OLO-CAP-03")
def test_noirceur_as_a_cost() -> None:
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1, noirceur: 2}, freq: {n: 1, per: phase},
      do: [{op: vp, player: owner, n: 1}]}"""
    state = scene({2: Rouage((700, 800), noirceur=2)}, changes=(add_capacity("fx-petra", card),))
    do(state, use(2, specific(state, 2, "probe")))
    assert (figure(state, 2)["noirceur"], figure(state, 2)["ap"]) == (3, 3)
    assert state.dump()["fiel"] == [1, 0]


@pytest.mark.rule("OLO-NOIR-06", "OLO-OUT-03")
def test_hostiles_hold_no_noirceur() -> None:
    effect = "{op: each, of: {side: any}, as: each, do: [{op: noirceur, who: each, n: 1}]}"
    state = gives(effect, {2: Rouage((700, 800)), 6: Rouage((1000, 800))}, hostiles={6: "fx-idler"})
    assert figure(state, 6)["noirceur"] == 0
    # Putting a hostile out gives none either, and no traque.
    stand = {2: Rouage((700, 800)), 6: Rouage((900, 800), ticked=3)}
    killer = scene(stand, hostiles={6: "fx-idler"})
    do(killer, use(2, FRONTAL), target(6))
    while killer.decision != Decision.ACT:
        rolls(killer, 2 if killer.pool == (4, 5) else 0) if killer.decision == Decision.CHANCE_POOL else do(killer, NO)
    assert not [entry for entry in killer.dump()["figures"] if entry["index"] == 6 and entry["where"] == 2]
    assert figure(killer, 2)["noirceur"] == 0
    assert killer.dump()["traque"] == 0


@pytest.mark.rule("OLO-TRAQ-01", "OLO-END-02", "OLO-END-04")
def test_the_third_loss_ends_the_game() -> None:
    """W12: traque 3 before the Noirceur of a corrupted killer: victory points decide."""
    stand = {
        2: Rouage((700, 800), noirceur=3),
        4: Rouage((900, 800), ticked=6),
        3: Rouage(out_of_action=True),
        0: Rouage(out_of_action=True),
    }
    state = scene(stand, fiel=[2, 0], vp=[5, 3], traque=2, losses=2)
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 1)
    while state.actor() >= 0:
        do(state, NO)
    assert state.dump()["traque"] == 3
    assert state.returns() == (1.0, -1.0)
    assert state.dump()["fiel"] == [2, 0]
    assert state.dump()["over"] == 2


@pytest.mark.rule("OLO-STATE-01", "OLO-STUN-02")
def test_a_stunned_rouage_can_rest_itself() -> None:
    state = gives("{op: state, who: self, state: stunned, set: true}")
    assert figure(state, 2)["states"] == 1
    assert sorted(legal(state)) == sorted([use(2, REST), END])
    do(state, use(2, REST))
    assert legal(state) == [rest(2, 1)]
    do(state, rest(2, 1))
    assert figure(state, 2)["states"] == 0
    assert may(state, use(2, MARCH))
    twice = gives(
        "{op: state, who: self, state: stunned, set: true}, {op: state, who: self, state: stunned, set: true}"
    )
    assert figure(twice, 2)["states"] == 1


@pytest.mark.rule("OLO-STUN-03", "OLO-STUN-01")
def test_the_stunned_do_not_react() -> None:
    state = scene({2: Rouage((700, 800)), 3: Rouage((700, 600)), 4: Rouage((900, 800), stunned=True)})
    assert state.threatens(4) == 0
    do(state, use(2, FRONTAL), target(4))
    assert state.decision == Decision.CHANCE_POOL


@pytest.mark.rule("OLO-REST-01", "OLO-REST-02")
def test_rest_removes_from_itself_or_an_ally() -> None:
    """A rouage removes a token from itself or from an ally within 1 inch and in sight, once a phase."""
    stand = {
        2: Rouage((700, 800), noirceur=1),
        1: Rouage((900, 800), noirceur=2, stunned=True),
        0: Rouage((1400, 800), noirceur=2),
    }
    state = scene(stand)
    do(state, use(2, REST))
    assert sorted(legal(state)) == sorted([rest(2), rest(1), rest(1, 1)])
    do(state, rest(1))
    assert figure(state, 1)["noirceur"] == 1
    assert figure(state, 2)["ap"] == 3
    assert not may(state, use(2, REST))
    assert not may(scene({2: Rouage((700, 800))}), use(2, REST))
    foes = scene({2: Rouage((700, 800)), 4: Rouage((900, 800), noirceur=2)})
    assert not may(foes, use(2, REST))


@pytest.mark.rule("OLO-REST-01")
@pytest.mark.parametrize(("limit", "again"), [(0, True), (2, True), (1, False)])
def test_rest_is_limited_in_a_phase(limit: int, again: bool) -> None:
    state = scene({2: Rouage((700, 800), noirceur=3)}, options={"rest_limit": limit})
    do(state, use(2, REST), rest(2))
    assert may(state, use(2, REST)) == again


@pytest.mark.rule("OLO-CAP-01", "OLO-CAP-02", "OLO-CAP-04", "OLO-CAP-05", "OLO-AP-03")
def test_costs_and_frequencies() -> None:
    """Options set the costs of march, charge and riposte; a use that an effect makes free counts, too."""
    state = scene({2: Rouage((400, 800)), 4: Rouage((760, 800))}, options={"march_ap": 3, "charge_ap": 4})
    do(state, use(2, MARCH), next(code for code in legal(do(state.clone(), use(2, MARCH)))))
    assert figure(state, 2)["ap"] == 1
    assert not may(state, use(2, 4))
    duel = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, options={"riposte_ap": 4, "riposte_limit": 1})
    do(duel, use(2, FRONTAL), target(4), RIPOSTE)
    assert figure(duel, 4)["ap"] == 0
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, freq: {n: 1, per: phase},
      do: [{op: permit, who: self, caps: [march], free: true, for: phase}]}"""
    free = scene({2: Rouage((400, 800))}, changes=(add_capacity("fx-petra", card),))
    do(free, use(2, specific(free, 2, "probe")))
    assert not may(free, use(2, specific(free, 2, "probe")))
    do(free, use(2, MARCH), next(code for code in legal(do(free.clone(), use(2, MARCH)))))
    assert (figure(free, 2)["ap"], figure(free, 2)["marches"]) == (3, 1)


@pytest.mark.rule("OLO-CAP-05", "OLO-ACT-01")
def test_only_active_rouages_use_active_capacities() -> None:
    state = scene({2: Rouage((700, 800)), 1: Rouage((900, 800)), 4: Rouage((1200, 800))})
    users = {parts(code).a for code in legal(state) if parts(code).verb == codes.USE}
    assert users == {2}
    assert END in legal(state)
    do(state, END)
    assert 2 not in state.active_figures()


@pytest.mark.rule("OLO-NOIR-04", "OLO-NOIR-02")
@pytest.mark.parametrize(("before", "fiel"), [(0, 0), (2, 0), (3, 1)])
def test_noirceur_of_the_corrupted_fires_triggers_too(before: int, fiel: int) -> None:
    """The Noirceur is received first, and then becomes Fiel."""
    answer = """{id: answer, name: Answer, timing: permanent, on: noirceur, optional: false,
      if: {same: [victim, self]}, do: [{op: vp, player: owner, n: 1}]}"""
    card = """{id: probe, name: Probe, timing: active, cost: {ap: 1}, do: [{op: noirceur, who: self, n: 1}]}"""
    changes = (add_capacity("fx-petra", answer), add_capacity("fx-petra", card))
    state = scene({2: Rouage((700, 800), noirceur=before)}, changes=changes)
    do(state, use(2, specific(state, 2, "probe")))
    assert (state.dump()["vp"], state.dump()["fiel"]) == ([1, 0], [fiel, 0])
