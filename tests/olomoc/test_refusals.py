"""Bad input is refused with the reason, and changes nothing: scenery, cards, cabales, plans, capacities."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import MINISTRY, Reason
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.cardsets import Change, add_capacity, put
from tests.olomoc.scenes import (
    FRONTAL,
    MARCH,
    REST,
    Marker,
    Rouage,
    Script,
    advance,
    asked_first,
    do,
    game,
    legal,
    may,
    ministry,
    number,
    parts,
    refusal,
    scene,
    scenery,
    specific,
    use,
)


def refused(state: OlomocState, code: int, seat: int | None = None) -> str:
    """Returns the reason of a refusal; asserts that the state does not change."""
    return refusal(state, code, seat).reason


def laying(*codes: int, **options: object) -> OlomocState:
    """Player 1 lays scenery; the first pieces lie already. The pool: low wall, tall wall, mud (a zone), pit."""
    state = asked_first(Decision.SCENERY, bloc="placed", **options)
    return do(state, *codes)


@pytest.mark.rule("OLO-SETUP-03")
def test_scenery_keeps_two_inches_or_touches() -> None:
    """The low wall is 2 by 2 inches from its place, the tall one 1 by 4."""
    state = laying()
    assert refused(state, scenery(0, 1450, 800)) == Reason.BAD_SCENERY, "off the board"
    assert refused(state, scenery(0, 199, 800)) == Reason.TOO_CLOSE
    assert may(state, scenery(0, 200, 800)) and may(state, scenery(0, 0, 800)) and may(state, scenery(0, 2, 800))
    assert refused(state, scenery(0, 3, 800)) == Reason.TOO_CLOSE, "no contact any more"
    assert refused(state, codes.NO()) == Reason.COMPULSORY
    do(state, scenery(0, 600, 600))
    assert refused(state, scenery(0, 799, 600)) == Reason.BAD_SCENERY, "it would overlap"
    assert refused(state, scenery(0, 650, 650)) == Reason.BAD_SCENERY
    assert refused(state, scenery(0, 803, 600)) == Reason.TOO_CLOSE
    assert refused(state, scenery(0, 999, 600)) == Reason.TOO_CLOSE
    assert may(state, scenery(0, 800, 600)) and may(state, scenery(0, 802, 600)) and may(state, scenery(0, 1000, 600))
    do(state, scenery(0, 1000, 600))
    # Zones may be near and overlap; but not near the edge (OLO-V-12).
    assert may(state, scenery(0, 650, 650)) and may(state, scenery(0, 900, 900))
    assert refused(state, scenery(0, 300, 800)) == Reason.TOO_CLOSE
    assert refused(state, scenery(4, 600, 600)) == Reason.BAD_SCENERY, "a round piece is not turned"
    do(state, scenery(0, 650, 650), scenery(0, 1300, 1300))
    assert state.decision == Decision.EDGE
    pieces = state.game.view(state, 0).scenery
    assert [piece.tainted for piece in pieces] == [False, False, False, True]
    assert [piece.zone for piece in pieces] == [False, False, True, False]


@pytest.mark.rule("OLO-SETUP-03", "OLO-SETUP-09")
def test_scenery_keeps_away_from_markers() -> None:
    """The marker of the study is put on the board before the scenery."""
    state = laying(agenda="study")
    assert refused(state, scenery(0, 750, 950)) == Reason.BAD_SCENERY
    assert refused(state, scenery(0, 900, 900)) == Reason.TOO_CLOSE
    assert may(state, scenery(0, 1060, 900)) and may(state, scenery(0, 860, 900)), "2 inches away, and in contact"


def pool(*boxes: tuple[int, int]) -> Change:
    """Replaces the pool by pieces of this width and height, which no board names."""

    def change(raw: dict[str, Any]) -> None:
        raw["layouts"] = [{"id": "bare", "name": "Bare"}]
        for marked in ("mud", "pit"):
            next(piece for piece in raw["pieces"] if piece["id"] == marked)["shape"] = {"disc": [0, 0, 6350]}
        kept = [piece for piece in raw["pieces"] if piece["id"] in ("mud", "pit")]
        raw["pieces"] = [
            {"id": f"box{number}", "name": "Box", "shape": {"poly": [[0, 0], [wide, 0], [wide, high], [0, high]]}}
            for number, (wide, high) in enumerate(boxes)
        ] + kept

    return change


@pytest.mark.rule("OLO-SETUP-03")
def test_a_piece_is_left_out_only_if_it_has_no_place_at_all() -> None:
    """A plank fits between two walls only in contact with one of them, which no listed place is."""
    walls = ((1600, 700), (780, 898), (560, 898))
    state = asked_first(Decision.SCENERY, pool(*walls, (200, 60), (300, 400)), bloc="placed")
    do(state, scenery(0, 0, 0), scenery(0, 0, 702), scenery(0, 1040, 702))
    assert refused(state, codes.NO()) == Reason.COMPULSORY
    listed = legal(state)
    assert len(listed) == 1 and may(state, listed[0])
    assert all(parts(code).x % 100 or parts(code).y % 100 for code in listed)
    do(state, listed[0])
    assert legal(state) == [codes.NO()], "the last box is wider than any room"
    do(state, codes.NO())
    assert state.dump()["pieces"][4]["rotation"] == -1


@pytest.mark.rule("OLO-CABAL-02", "OLO-CABAL-03", "OLO-GEAR-04", "OLO-COMP-02")
def test_illegal_cards_and_cabales_are_refused() -> None:
    state = asked_first(Decision.DRAFT, build="draft")
    pick = {name: codes.PICK(number(state.game, name)) for name in ("fx-petra", "fx-ota", "gy-one", "fx-kubik")}
    assert refused(state, codes.PICK(200)) == Reason.NO_SUCH_CARD
    assert refused(state, codes.EQUIP(0, 0)) == Reason.WRONG_DECISION
    asked = "this action does not answer the pending decision: take a rouage into your cabale"
    assert refusal(state, codes.EQUIP(0, 0)).message == asked
    do(state, pick["fx-petra"])
    assert refused(state, pick["fx-petra"]) == Reason.CARD_TAKEN
    do(state, pick["gy-one"])
    assert refused(state, pick["fx-ota"]) == Reason.ILLEGAL_CABALE, "a second rouage of rank 3"
    do(state, pick["fx-kubik"])
    assert refused(state, codes.PICK(number(state.game, "fx-hynek"))) == Reason.ILLEGAL_CABALE, "another faction"
    while state.decision == Decision.DRAFT:
        do(state, legal(state)[0])
    assert refused(state, codes.EQUIP(200, 0)) == Reason.NO_SUCH_CARD
    assert refused(state, codes.EQUIP(0, 5)) == Reason.NO_SUCH_CARD
    first = legal(state)[0]
    do(state, first)
    assert refused(state, codes.EQUIP(parts(first).a, 0)) == Reason.CARD_TAKEN
    gear = {card.id: card.index for card in state.game.ruleset.gear}
    other = "band-2" if state.player_of(state.actor()) else "cord-2"
    assert refused(state, codes.EQUIP(gear[other], 0)) == Reason.ILLEGAL_CABALE, "gear of the other faction"


@pytest.mark.rule("OLO-PLAN-01", "OLO-PLAN-02")
def test_illegal_plans_are_refused() -> None:
    state = game().initial_state()
    plans = (0, 1, ministry("securite"), 2, 3), (0, 1, 2, 3, MINISTRY + 7)
    advance(state, Script(plans), lambda s: s.decision == Decision.PLAN_MINISTRY)
    seat = state.seat_of(0)
    fallen = MINISTRY + state.dump()["fallen"]
    for card in (fallen, 0, 3):
        assert refused(state, codes.PLAN(1, card), seat) == Reason.NOT_IN_HAND
    assert refused(state, codes.PLAN(2, ministry("securite")), seat) == Reason.BAD_SLOT
    state.apply(codes.PLAN(3, ministry("securite")), seat)
    state.apply(codes.PLAN(5, MINISTRY + 7), 1 - seat)
    assert refused(state, codes.PLAN(2, 0), seat) == Reason.BAD_SLOT, "the lowest empty one is 1"
    assert refused(state, codes.PLAN(1, MINISTRY + 7), seat) == Reason.NOT_IN_HAND
    state.apply(codes.PLAN(1, 3), seat)
    assert refused(state, codes.PLAN(2, 0), seat) == Reason.ALREADY_DECIDED
    state.apply(codes.PLAN(1, 0), 1 - seat)
    assert refused(state, codes.PLAN(2, 3), seat) == Reason.NOT_IN_HAND, "one Propaganda only"
    assert refused(state, codes.PLAN(2, 0), 1 - seat) == Reason.NOT_IN_HAND, "it lies in slot 1"


@pytest.mark.rule("OLO-CAP-02", "OLO-CAP-03", "OLO-CAP-05", "OLO-GEN-10")
def test_unusable_capacities_are_refused_with_their_reason() -> None:
    """The engine's reasons, also for capacities that a permanent effect forbids or makes more expensive."""
    ban = "{id: ban, name: Ban, timing: permanent, do: [{op: forbid, who: self, caps: [march], for: game}]}"
    once = "{id: once, name: Once, timing: active, freq: {n: 1, per: cycle}, do: [{op: vp, player: owner, n: 1}]}"
    changes = (add_capacity("fx-petra", ban), add_capacity("fx-petra", once), put("profiles", "fx-petra", "shoot", 0))
    state = scene({2: Rouage((700, 800)), 4: Rouage((1200, 800))}, changes=changes)
    assert refused(state, use(2, MARCH)) == Reason.FORBIDDEN
    assert refused(state, use(2, REST)) == Reason.NO_TARGET
    assert refused(state, use(2, FRONTAL)) == Reason.NO_TARGET
    assert refused(state, use(2, 5)) == Reason.NO_SUCH_CAPACITY, "a riposte is permanent"
    assert refused(state, use(2, 8)) == Reason.NO_SUCH_CAPACITY
    assert refused(state, use(9, MARCH)) == Reason.NO_SUCH_ROUAGE
    do(state, use(2, specific(state, 2, "once")))
    assert refused(state, use(2, specific(state, 2, "once"))) == Reason.USED_UP
    assert refused(state, use(2, 3)) == Reason.NO_TARGET
    beset = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, markers=[Marker((300, 300))])
    assert refused(beset, use(2, 4)) == Reason.NOT_FREE
    assert refused(beset, use(2, 3)) == Reason.NOT_FREE
    do(beset, use(2, FRONTAL))
    assert refused(beset, codes.TARGET(16)) == Reason.NOT_A_TARGET
    assert refused(beset, codes.NO()) == Reason.WRONG_DECISION
