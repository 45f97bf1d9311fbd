"""Knowledge of the viewers (section 5.9; W31), and the codes in logs (5.4; W32)."""

from __future__ import annotations

from math import factorial

import pytest

from cext.random import Rng
from cext.state import CHANCE
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import MINISTRY
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.scenes import (
    AXE,
    Script,
    advance,
    asked_first,
    charge,
    game,
    go,
    in_phase,
    ministry,
    scenery,
    use,
)

OPPONENT, SPECTATOR = Viewer(1), Viewer(-1)


def view(state: OlomocState, viewer: Viewer) -> bytes:
    return state.game.view(state, viewer).SerializeToString(deterministic=True)


def planned(one: tuple[int, ...], until: object = None) -> OlomocState:
    state = game().initial_state()
    other = (0, 1, 2, 3, AXE)
    # The same deal for every plan: each player has Sécurité or not, whatever it plans.
    how = Script((one, other))
    return advance(state, how, until or (lambda s: s.dump()["phase"] == 1))


def test_codes_of_the_specification() -> None:
    """W32: the codes that the specification gives as examples."""
    assert use(2, 1) == 0x20080400 == 537_396_224
    assert go(828, 800) == 0x2C19E320 == 739_894_048
    assert charge(4, 560, 800) == 0x31118320 == 823_231_264
    for code in (use(2, 1), go(828, 800), charge(4, 560, 800), codes.NO(), scenery(15, 1600, 1600)):
        verb = codes.BOOK.verb(code)
        assert verb(*verb.unpack(code)) == code


@pytest.mark.rule("OLO-PLAN-04")
def test_planning_is_hidden() -> None:
    """The other player and spectators see no card, no order, no list; only whether a decision has been made."""
    state = game().initial_state()
    advance(state, Script(((0, 1, 2, 3, AXE), (0, 1, 2, 3, AXE))), lambda s: s.decision == Decision.PLAN_MINISTRY)
    seat = state.seat_of(0)
    seen = {viewer: set() for viewer in (OPPONENT, SPECTATOR)}
    for code in state.legal(seat):
        after = state.clone()
        after.apply(code, seat)
        for viewer, views in seen.items():
            views.add(view(after, viewer))
            assert not state.game.knows_code(state, Seat(seat), Code(code), viewer)
            shown = state.game.events(state, Seat(seat), Code(code), after, viewer)
            views.add(b"".join(event.SerializeToString(deterministic=True) for event in shown))
    assert all(len(views) == 2 for views in seen.values())
    assert state.game.knows_code(state, Seat(seat), Code(state.legal(seat)[0]), Viewer(seat))


def test_face_down_cards() -> None:
    """W31: equal bytes for every order of the cards that are not shown; a shown ministry rules the others out."""
    orders = [(0, 1, 2, 3, AXE), (0, 2, 1, 3, AXE), (0, 3, 1, 2, AXE)]
    states = [planned(order) for order in orders]
    for viewer in (OPPONENT, SPECTATOR):
        assert len({view(state, viewer) for state in states}) == 1
    assert len({view(state, Viewer(0)) for state in states}) == 3
    backs = states[0].game.view(states[0], OPPONENT).players[0].plan
    assert [slot.HasField("card") for slot in backs] == [True, False, False, False, False]
    assert all(slot.filled for slot in backs)


@pytest.mark.rule("OLO-PLAN-04")
def test_slots_of_laid_cards_are_hidden_while_both_plan() -> None:
    how = Script(((0, 1, ministry("securite"), 2, 3), (0, 1, 2, 3, AXE)))
    state = advance(game().initial_state(), how, lambda s: s.decision == Decision.PLAN_CARD)
    for viewer, player in ((0, 1), (1, 0), (-1, 0), (-1, 1)):
        plan = state.game.view(state, Viewer(viewer)).players[player].plan
        assert [slot.ListFields() for slot in plan] == [[]] * 5, "nor how many there are"
    for viewer in (0, -2):
        own = state.game.view(state, Viewer(viewer)).players[0].plan
        assert [slot.filled for slot in own] == [False, False, True, False, False]


@pytest.mark.rule("OLO-PHASE-01")
def test_view_has_used_ministries_and_in_play_the_active_player() -> None:
    state = game().initial_state()
    securite = ministry("securite")
    plans = (0, 1, securite, 2, 3), (0, 1, 2, 3, AXE)
    advance(state, Script(plans), lambda s: s.decision == Decision.PLAN_CARD)
    before = state.game.view(state, SPECTATOR)
    assert not before.phase and not before.HasField("active_player")
    assert [list(player.used) for player in before.players] == [[], []]
    advance(state, Script(plans), in_phase(4))
    assert state.dump()["cycle"] == 1

    for viewer in (OPPONENT, SPECTATOR):
        now = state.game.view(state, viewer)
        assert now.HasField("active_player")
        assert [[card.index + MINISTRY for card in player.used] for player in now.players] == [[securite], []]


def test_the_other_hand_follows_by_elimination() -> None:
    state = planned((0, 1, 2, 3, AXE))
    dump = state.dump()
    own = state.game.view(state, Viewer(0))
    other = state.game.view(state, OPPONENT)
    nobody = state.game.view(state, SPECTATOR)
    assert sum(1 << card.index for card in own.players[0].hand) == dump["hand"][0]
    assert sum(1 << card.index for card in other.players[0].hand) == dump["hand"][0] | 1 << 7
    assert not nobody.players[0].hand and not nobody.players[1].hand
    assert {len(state.game.view(state, viewer).players[0].hand) for viewer in (OPPONENT,)} == {4}


def test_resampled_plans_keep_what_is_known() -> None:
    """The constraint of the ministry holds, shown cards stay, and every order of the rest comes up."""
    state = planned((0, 1, ministry("securite"), 2, 3), lambda s: s.dump()["phase"] == 2)
    rng = Rng(4)
    drawn = set()
    for _ in range(300):
        other = state.resample(1, rng).dump()
        cards = tuple(other["plan"][1:6])
        assert cards[0] == 0
        number = next(card - MINISTRY for card in cards if card >= MINISTRY)
        slot = next(slot for slot, card in enumerate(cards, 1) if card >= MINISTRY)
        assert state.game.ruleset.ministries[number].slots >> slot & 1
        assert sorted(card for card in cards if card < MINISTRY) == [0, 1, 2, 3]
        assert view(state.resample(1, rng), OPPONENT) == view(state, OPPONENT)
        drawn.add(cards)
    left = [slot for slot in range(1, 6) if not state.dump()["shown"][0] >> slot & 1]
    hand = state.dump()["hand"][0] | 1 << (ministry("securite") - MINISTRY)
    pairs = sum(
        hand >> card.index & 1 and card.slots >> slot & 1 for card in state.game.ruleset.ministries for slot in left
    )
    assert len(drawn) == pairs * factorial(len(left) - 1)
    assert view(state.resample(0, rng), Viewer(0)) == view(state, Viewer(0))


def test_a_secret_build_is_hidden() -> None:
    state = asked_first(Decision.BUILD, build="secret")
    seat = state.seat_of(0)
    for _ in range(5):
        views = set()
        for code in state.legal(seat):
            after = state.clone()
            after.apply(code, seat)
            views.add(view(after, OPPONENT))
        assert len(views) == 1
        for each in range(2):
            state.apply(state.legal(each)[-1], each)
    recruits = state.game.view(state, OPPONENT).rouages
    assert [bool(rouage.name) for rouage in recruits] == [False] * 3 + [True] * 3
    assert not any(rouage.HasField("profile") or rouage.stats or rouage.HasField("gear") for rouage in recruits[:3])
    for each in range(2):
        state.apply(state.legal(each)[-1], each)
    assert state.decision != Decision.BUILD
    assert state.game.view(state, OPPONENT).rouages[0].name


def test_a_draft_is_open() -> None:
    """All viewers see the rouages and gear that have been drafted."""
    state = game(build="draft").initial_state()
    while state.decision not in (Decision.DRAFT, Decision.GEAR):
        state.apply(state.chance()[0][0] if state.actor() == CHANCE else state.legal()[0])
    for taken in range(12):
        for viewer in (0, 1, -1):
            recruits = state.game.view(state, Viewer(viewer)).rouages
            assert len(recruits) == min(taken, 6)
            assert all(rouage.name and len(rouage.stats) == 4 and rouage.life for rouage in recruits)
            assert sum(rouage.HasField("gear") for rouage in recruits) == max(0, taken - 6)
        drawn = state.game.render(state.game.view(state, Viewer(-1)))
        assert all(rouage.name in drawn for rouage in recruits)
        state.apply(state.legal()[0])


def test_the_deal_is_the_players_secret() -> None:
    state = asked_first(Decision.CHANCE_HAND)
    code = state.chance()[3][0]
    after = state.clone()
    after.apply(code)
    assert not state.game.knows_code(state, None, Code(code), SPECTATOR)
    assert state.game.knows_code(state, None, Code(code), Viewer(0))
    dealt = state.game.events(state, None, Code(code), after, SPECTATOR)
    assert all(event.ministries_dealt.hand == 0 for event in dealt if event.HasField("ministries_dealt"))
