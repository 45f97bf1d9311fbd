"""Turn structure: section 3 of RULES.md."""

from __future__ import annotations

import pytest

from cext.state import CHANCE
from gamepacks.omega import codes
from gamepacks.omega.codes import NOWHERE, Ending, Frame, Phase
from tests.omega.fixtures import F, book
from tests.omega.tables import Player, Table


@pytest.mark.rule("OMEGA-TURN-01")
def test_a_turn_has_four_phases_in_order() -> None:
    table = Table().at(Player("G", {"Z0": "R"}, steps=11), altar="RRR", phase=Phase.DRAW)
    seen, first = [table.phase], table.state.turn
    while table.state.turn == first or table.phase is not Phase.MAIN:
        legal = table.state.legal()
        if table.phase is Phase.MAIN and table.state.pending is None:
            table.summon("Z38", "G")
            table.end()
        else:
            table.take_code(legal[0] if legal else table.state.chance()[0][0])
        if table.phase is not seen[-1]:
            seen.append(table.phase)
    # The pawn passes the Eye in the End phase, so that there is something to choose.
    assert seen == [Phase.DRAW, Phase.MAIN, Phase.END, Phase.UPKEEP_ALTAR, Phase.UPKEEP_GALLERY, Phase.DRAW, Phase.MAIN]


@pytest.mark.rule("OMEGA-TURN-02")
def test_others_decide_nothing_but_what_they_recover() -> None:
    table = Table(3, cards={"A": F(1)}).at(
        Player("3R B", {"Z1": "R"}), Player("", {"A": "VG", "Z2": "W"}), Player("K", {"Z3": "B"}), altar="R"
    )
    table.take(codes.CAPTURE, 1, "A")
    for rune in "RRB":
        assert table.state.actor() == 0
        table.take(codes.ADD, rune)
    table.take(codes.CONFIRM)
    assert table.state.actor() == 1
    assert table.offers(codes.RECOVER) == {"G", "V"}
    assert table.refused(codes.RECOVER, "G", seat=0) == "NOT_YOUR_TURN"
    assert table.refused(codes.RECOVER, "G", seat=2) == "NOT_YOUR_TURN"
    table.take(codes.RECOVER, "G")
    # The red's offer is the capturer's again.
    assert table.state.actor() == 0
    assert table.verbs() == {"PULL", "DECLINE"}
    for seat in (1, 2):
        assert table.state.legal(seat) == []


@pytest.mark.rule("OMEGA-TURN-03")
def test_marks_of_a_turn_are_cleared_when_the_next_begins() -> None:
    cards = {"A": F(1, 0, book(("advance", 1)))}
    table = Table(3, cards, green_pairing="consecutive").at(
        Player("", {"A": "R", "Z1": "R", "Z2": "R"}, mask="A"),
        Player("", {"Z3": "K"}, lost=True),
        Player("", {"Z4": "K"}, lost=True),
        gained="Z1",
        used={"A": 1},
        disowned=1,
        last_mask=True,
        mask_moved=True,
        latch=True,
        red_used=True,
        green_pending=True,
        new_blacks={"Z3": 1},
        altar="RRRRRR",
    )
    # Exhaustion is announced by the latch, so the last turn of seat 1 follows.
    table.end()
    table.chance()
    values = table.values
    assert values["active"] == 1
    for mark in ("gain_used", "last_mask", "mask_moved", "latch", "red_used", "green_pending"):
        assert values[mark] is False, mark
    assert values["disowned"] == 0
    assert (table.egregor(0, "A")["used"], table.egregor(0, "Z1")["gained"]) == (0, False)
    assert table.egregor(1, "Z3")["old_blacks"] == 1
    # Only the own flag is cleared.
    assert [table.player(seat)["lost"] for seat in (0, 1, 2)] == [False, False, True]


@pytest.mark.rule("OMEGA-UPKEEP-01")
def test_the_altar_is_filled_to_six_in_the_open_by_the_content_of_the_bag() -> None:
    table = Table().at(Player("", {"Z0": "R"}), altar="RRK")
    table.end()
    assert table.phase is Phase.UPKEEP_ALTAR and table.state.actor() == CHANCE
    for number in range(3):
        assert len(table.altar) == 3 + number
        assert table.outcomes() == {rune: table.bag(rune) for rune in "BGRVWK"}
        table.take(codes.ALTAR_RUNE, "V")
        assert table.event("altar_refilled").rune == 4
    assert table.altar == "RRVVVK"
    assert table.phase is Phase.DRAW


@pytest.mark.rule("OMEGA-UPKEEP-02")
def test_the_gallery_is_filled_to_four_in_the_open() -> None:
    table = Table().at(Player("", {"Z0": "R"}), altar="6R", gallery=("Z38", None, "Z40", None))
    table.end()
    assert table.phase is Phase.UPKEEP_GALLERY
    assert set(table.outcomes()) == table.pile("deck")
    assert set(table.outcomes().values()) == {1}
    table.take(codes.GALLERY_CARD, "Z7")
    assert table.gallery == ["Z38", "Z7", "Z40", None]
    assert table.event("gallery_refilled").card.name == "Z7"
    assert table.phase is Phase.UPKEEP_GALLERY
    table.take(codes.GALLERY_CARD, "Z8")
    assert table.gallery == ["Z38", "Z7", "Z40", "Z8"]
    assert table.phase is Phase.DRAW


@pytest.mark.rule("OMEGA-UPKEEP-03")
def test_nothing_is_replaced_within_a_turn() -> None:
    table = Table().at(Player("RR", {"Z0": "R"}), altar="3R V G B", phase=Phase.DRAW)
    table.altar_rune("B")
    table.place("R", "Z0")
    table.pull()
    table.place("R", "Z0")
    table.pull()
    assert table.altar == "GRV"
    table.summon("Z39", "B")
    assert table.gallery == ["Z38", None, "Z40", "Z41"]
    table.end()
    assert table.altar == "GRV"
    assert table.values["active"] == 1
    assert table.phase is Phase.UPKEEP_ALTAR
    table.upkeep("BBB", ["Z20"])
    assert len(table.altar) == 6 and table.gallery[1] == "Z20"


@pytest.mark.rule("OMEGA-UPKEEP-04")
def test_an_empty_deck_is_made_of_the_discard_pile_when_a_card_is_needed() -> None:
    table = Table().at(
        Player("R", {"Z0": "R", "Z1": "R"}), Player("R"), altar="6R", deck=["Z5"], gallery=("Z38", None, "Z40", None)
    )
    discard = table.pile("discard")
    table.end()
    assert table.outcomes() == {"Z5": 1}
    # Not at once, when the last card goes, but when the next is needed: it is needed at once here.
    table.take(codes.GALLERY_CARD, "Z5")
    assert set(table.outcomes()) == discard
    assert table.pile("discard") == set()
    table.take(codes.GALLERY_CARD, "Z9")
    assert table.pile("deck") == discard - {"Z9"}
    assert "deck_reshuffled" in table.kinds()


@pytest.mark.rule("OMEGA-UPKEEP-04")
def test_cards_discarded_before_a_card_is_needed_take_part() -> None:
    table = Table().at(
        Player("R", {"Z0": "R", "Z1": "R"}, mask="Z0"),
        Player(),
        altar="6R",
        deck=["Z5"],
        gallery=("Z38", "Z39", "Z40", None),
    )
    table.end()
    table.take(codes.GALLERY_CARD, "Z5")
    # The deck is empty, and stays so: nothing is needed.
    assert table.pile("deck") == set()
    assert table.phase is Phase.DRAW and table.pile("discard")
    assert "deck_reshuffled" not in table.kinds()


@pytest.mark.rule("OMEGA-UPKEEP-05")
def test_the_altar_stays_short_when_the_bag_runs_out_and_the_ending_is_latched() -> None:
    table = Table().at(Player("", {"Z0": "R"}), Player("V"), altar="R", bag="BB", rest=0)
    table.end()
    table.take(codes.ALTAR_RUNE, "B")
    assert not table.values["latch"]
    table.take(codes.ALTAR_RUNE, "B")
    assert table.altar == "BBR"
    assert table.phase is Phase.DRAW
    assert table.values["latch"]
    assert "bag_exhausted" in table.kinds()
    assert table.offers(codes.TAKE_ALTAR) == {"B", "R"}
    table.altar_rune("B")
    table.end()
    assert table.state.ending == Ending.EXHAUSTION


@pytest.mark.rule("OMEGA-UPKEEP-06")
def test_a_gallery_that_cannot_be_filled_stays_short() -> None:
    # Only a variant of the rules could bring this about; it must not crash.
    table = Table(4).at(
        Player("", {f"Z{number}": "" for number in range(4)}),
        Player("", {f"Z{number}": "" for number in range(4, 8)}),
        Player("", {f"Z{number}": "" for number in range(8, 12)}),
        Player("", {f"Z{number}": "" for number in range(12, 16)}),
        altar="6R",
        gallery=(None, None, None, "Z41"),
        deck=["Z30", "Z31"],
    )
    values = table.values
    # At most 16 in play and 4 in the gallery leave 22.
    assert len(values["deck"]) + len(values["discard"]) + 4 - 3 == 22 + 4
    values["discard"] = []
    table.state.load(values)
    table.state.apply(codes.END_MAIN())
    for card in ("Z31", "Z30"):
        table.state.apply(codes.GALLERY_CARD(table.card(card)))
    assert table.gallery == ["Z31", "Z30", None, "Z41"]
    assert table.phase is Phase.DRAW


@pytest.mark.rule("OMEGA-DRAW-01")
def test_exactly_one_rune_is_drawn_from_the_altar_by_type_or_from_the_bag() -> None:
    table = Table().at(Player("V"), altar="RRK", phase=Phase.DRAW)
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    assert table.offers(codes.TAKE_ALTAR) == {"R", "K"}
    # It is not optional.
    assert table.refused(codes.END_MAIN) == "WRONG_PHASE"
    assert table.refused(codes.STOP) == "WRONG_PHASE"
    assert table.refused(codes.TAKE_ALTAR, "B") == "NO_SUCH_RUNE"
    assert table.refused(codes.PLACE, "V") == "WRONG_PHASE"
    table.altar_rune("R")
    assert table.hand(0) == "RV" and table.altar == "RRRRK"
    assert table.phase is Phase.MAIN
    assert table.refused(codes.TAKE_ALTAR, "R") == "WRONG_PHASE"
    assert table.refused(codes.TAKE_BAG) == "WRONG_PHASE"


@pytest.mark.rule("OMEGA-DRAW-01")
def test_one_at_random_from_the_bag() -> None:
    table = Table().at(Player("V"), altar="RRK", phase=Phase.DRAW)
    table.take(codes.TAKE_BAG)
    assert table.outcomes() == {rune: table.bag(rune) for rune in "BGRVWK"}
    table.take(codes.BAG_RUNE, "W")
    assert table.hand(0) == "VW" and table.altar == "RRRRRK" and table.bag("W") == 21


@pytest.mark.rule("OMEGA-DRAW-02")
def test_a_rune_of_the_altar_is_seen_by_all_one_of_the_bag_by_its_owner() -> None:
    table = Table().at(altar="RRK", phase=Phase.DRAW)
    before = table.state.clone()
    table.bag_rune("W")
    drawn = table.event("rune_drawn")
    assert (drawn.seat, drawn.source, drawn.rune) == (0, 2, 0)
    before.apply(codes.TAKE_BAG())
    after = before.clone()
    code = codes.BAG_RUNE(codes.WHITE)
    after.apply(code)
    for viewer, rune in ((-2, 5), (0, 5), (1, 0)):
        (event, *_) = table.game.events(before, None, code, after, viewer)
        assert event.rune_drawn.rune == rune
    table.at(altar="RRK", phase=Phase.DRAW).altar_rune("K")
    drawn = table.event("rune_drawn")
    assert (drawn.seat, drawn.source, drawn.rune) == (0, 1, 6)


@pytest.mark.rule("OMEGA-DRAW-03")
def test_with_an_empty_bag_only_the_altar_serves() -> None:
    table = Table().at(altar="RK", phase=Phase.DRAW, bag="", rest=1)
    assert table.verbs() == {"TAKE_ALTAR"}
    assert table.refused(codes.TAKE_BAG) == "BAG_EMPTY"


@pytest.mark.rule("OMEGA-DRAW-03")
def test_with_both_empty_the_phase_is_skipped() -> None:
    table = Table(3, exhaustion="end_of_turn").at(Player("", {"Z0": ""}), altar="", bag="", rest=2)
    table.end()
    # The next player stands in Main at once.
    assert (table.active, table.phase) == (1, Phase.MAIN)


@pytest.mark.rule("OMEGA-DRAW-04")
def test_a_pyramid_may_hold_any_number() -> None:
    table = Table().at(Player(), altar="R", bag="B", rest=0, phase=Phase.DRAW)
    size = len(table.hand(0))
    assert size == 148
    table.altar_rune("R")
    assert len(table.hand(0)) == 149


@pytest.mark.rule("OMEGA-DRAW-05")
def test_a_black_of_the_altar_is_drawn_like_any_other() -> None:
    table = Table().at(altar="KKRB", phase=Phase.DRAW)
    table.altar_rune("K")
    assert table.hand(0) == "K" and table.altar == "BRKKK"


@pytest.mark.rule("OMEGA-MAIN-01")
def test_main_actions_come_in_any_order_and_mixture() -> None:
    cards = {"A": F(1, 1, book(("advance", 1)))}
    table = Table(cards=cards).at(
        Player("4G 2V K", {"A": "G", "Z1": "G"}, mask="A"), Player("", {"Z2": "B"}), altar="6B"
    )
    menu = {"SUMMON", "PLACE", "PLACE_BLACK", "PAIR", "MASK", "USE_BOOK", "END_MAIN"}
    assert table.verbs() == menu
    table.place("G", "A")
    table.mask("Z1")
    table.place("G", "Z1")
    table.book("A")
    assert table.steps(0) == 1
    table.summon("Z38", "G")
    # Disowning is offered after the gain.
    assert table.verbs() == {"PLACE", "PLACE_BLACK", "PAIR", "DISOWN", "MASK", "END_MAIN"}
    table.black(1, "Z2", "B")
    table.disown("A", "G")
    table.place("G", "Z1")
    assert table.phase is Phase.MAIN and table.active == 0


@pytest.mark.rule("OMEGA-MAIN-02")
@pytest.mark.parametrize("first", ["summon", "capture"])
def test_one_gain_in_a_turn(first: str) -> None:
    table = Table(3).at(
        Player("8G", {"Z0": "G"}), Player("", {"Z1": "R", "Z2": "R"}, mask="Z1"), Player("", {"Z3": "R", "Z4": "R"})
    )
    assert {"SUMMON", "CAPTURE"} <= table.verbs()
    if first == "summon":
        table.summon("Z38", "G")
    else:
        table.capture(1, "Z2", "GG")
        table.recover("R")
    assert not {"SUMMON", "CAPTURE"} & table.verbs()
    assert table.refused(codes.SUMMON, "Z39") == "ALREADY_GAINED"
    assert table.refused(codes.CAPTURE, 2, "Z4") == "ALREADY_GAINED"


@pytest.mark.rule("OMEGA-MAIN-03")
def test_the_phase_cannot_end_with_five_egregors() -> None:
    table = Table().at(Player("G", {f"Z{n}": "G" for n in range(4)}))
    assert "END_MAIN" in table.verbs()
    table.summon("Z38", "G")
    assert len(table.row(0)) == 5
    assert "END_MAIN" not in table.verbs()
    assert table.refused(codes.END_MAIN) == "TOO_MANY_EGREGORS"
    table.disown("Z0", "G")
    assert "END_MAIN" in table.verbs()


@pytest.mark.rule("OMEGA-MAIN-04")
def test_ending_the_phase_at_once_is_legal() -> None:
    table = Table().at(Player("RRR"), altar="R", phase=Phase.DRAW)
    table.altar_rune("R")
    table.end()
    assert table.active == 1


@pytest.mark.rule("OMEGA-MAIN-05")
def test_runes_on_own_egregors_stay_where_they_are() -> None:
    table = Table().at(Player("", {"Z0": "RG", "Z1": "B"}, mask="Z0"), Player("", {"Z2": "G"}))
    # Nothing in the menu lifts a rune; DISOWN comes only after a gain, CYCLE only with a power.
    assert table.verbs() == {"MASK", "END_MAIN"}
    assert table.refused(codes.CYCLE, "Z0", "R") == "WRONG_PHASE"
    assert table.refused(codes.RECOVER, "R") == "WRONG_PHASE"
    assert table.refused(codes.DISOWN, "Z0") == "NOT_GAINED_YET"
    # Nor can an own black take from an own card.
    table.at(Player("K", {"Z0": "RG", "Z1": "B"}), Player("", {"Z2": "G"}))
    table.take(codes.PLACE_BLACK)
    assert table.offers(codes.BLACK_TARGET) == {"1 Z2"}
    assert table.refused(codes.BLACK_TARGET, 0, "Z0") == "OWN_EGREGOR"


@pytest.mark.rule("OMEGA-MAIN-06")
def test_an_effect_is_resolved_to_its_end_before_the_next_action() -> None:
    table = Table().at(Player("BBRR", {"Z0": "R"}, steps=9), altar="RR")
    table.summon("Z38", "BBRR")
    # Blue has passed the Eye: the token first, then its flip, then the reds, then the menu.
    for verb, word in (("ARCANA", None), (None, None)):
        assert table.verbs() == ({verb} if verb else set()), word
        if verb:
            assert table.refused(codes.END_MAIN) == "WRONG_PHASE"
            assert table.refused(codes.PULL) == "WRONG_PHASE"
            table.take(codes.ARCANA, 3)
    assert table.state.pending is not None and table.state.pending[0] == Frame.FLIP
    table.chance()
    assert table.verbs() == {"PULL", "DECLINE"}
    table.pull()
    table.pull()
    assert table.state.pending is None
    assert "END_MAIN" in table.verbs()


@pytest.mark.rule("OMEGA-ENDPH-01")
def test_the_pawn_advances_by_the_thrust_of_all_egregors_the_new_one_included() -> None:
    cards = {"A": F(1, 2), "B": F(1, 0), "C": F(1, 3)}
    table = Table(cards=cards, set_={"squares": 100, "eye": 100}).at(
        Player("G", {"A": "G", "B": "G"}, steps=4), Player("", {"Z5": ""}, steps=7), gallery=("C", None, None, None)
    )
    table.summon("C", "G")
    table.end()
    assert table.steps(0) == 4 + 2 + 0 + 3
    assert table.steps(1) == 7
    moved = table.event("pawn_advanced")
    assert (moved.seat, moved.from_steps, moved.to_steps, moved.cause) == (0, 4, 9, 3)


@pytest.mark.rule("OMEGA-ENDPH-01")
def test_a_disowned_card_gives_no_thrust() -> None:
    cards = {"A": F(1, 2), "B": F(1, 5), "C": F(1, 3)}
    table = Table(cards=cards).at(Player("G", {"A": "G", "B": "G"}), gallery=("C", None, None, None))
    table.summon("C", "G")
    table.disown("B", "G")
    table.end()
    assert table.steps(0) == 5


@pytest.mark.rule("OMEGA-ENDPH-02")
def test_each_passing_of_the_move_gives_a_choice() -> None:
    table = Table(cards={"A": F(1, 9)}, set_={"squares": 4, "eye": 4}).at(Player("", {"A": ""}, steps=3))
    table.end()
    assert table.phase is Phase.END
    for taken in range(3):
        assert table.held(0) == taken
        assert table.verbs() == {"ARCANA"}
        table.token(taken)
    assert table.active == 1
    assert table.held(0) == 3


@pytest.mark.rule("OMEGA-ENDPH-03")
def test_nothing_else_is_done_in_the_end_phase() -> None:
    cards = {"A": F(1, 1, book(("advance", 1)))}
    table = Table(cards=cards).at(Player("RV", {"A": "R", "Z1": "R"}, mask="A", steps=11))
    assert {"PLACE", "MASK", "USE_BOOK", "SUMMON"} <= table.verbs()
    table.end()
    assert table.phase is Phase.END
    assert table.verbs() == {"ARCANA"}
    for verb, *words in ((codes.PLACE, "R"), (codes.MASK, "Z1"), (codes.USE_BOOK, "A", 0), (codes.SUMMON, "Z38")):
        assert table.refused(verb, *words) == "WRONG_PHASE"


@pytest.mark.rule("OMEGA-ENDPH-04")
def test_endings_are_checked_after_the_move_and_its_choices() -> None:
    seven = ["five"] * 6
    table = Table().at(Player("", {"Z0": ""}, steps=11, tokens=seven), Player("", {"Z1": ""}), altar="6R")
    table.end()
    assert table.state.ending == 0
    table.take(codes.ARCANA, 0)
    # The token is taken, the next one still to be turned up.
    assert table.state.ending == 0
    table.chance()
    assert table.state.ending == Ending.ARCANIC
    assert (table.active, table.phase) == (1, Phase.DRAW)
    assert table.values["announcer"] == 0
    assert NOWHERE not in table.values["gallery"]


@pytest.mark.rule("OMEGA-DRAW-01", "OMEGA-TURN-01")
def test_the_main_phase_is_told_after_the_rune_of_the_draw_phase() -> None:
    for source in ("altar", "bag"):
        table = Table().at(Player("V"), altar="RRK", phase=Phase.DRAW)
        table.altar_rune("R") if source == "altar" else table.bag_rune("W")
        assert table.kinds() == ["rune_drawn", "phase_changed"]
        assert table.event("phase_changed").phase == Phase.MAIN
    table = Table().at(Player("V"), altar="RRK", phase=Phase.DRAW)
    table.take(codes.TAKE_BAG)
    # The rune is still to come.
    assert table.phase is Phase.DRAW and table.kinds() == []
    assert table.game.restore(table.game.position(table.state)).chance() == table.state.chance()
