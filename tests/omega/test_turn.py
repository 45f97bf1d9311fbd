"""Turn structure: section 3 of RULES.md."""

from __future__ import annotations

import pytest

from cext.state import CHANCE
from gamepacks.omega import codes
from gamepacks.omega.codes import NONE, Ending
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from tests.omega.fixtures import F, book
from tests.omega.scenario import OmegaScenario, Player


@pytest.mark.rule("OMEGA-TURN-01")
def test_a_turn_has_four_phases_in_order() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R"}, steps=11), altar="RRR", phase=Phase.DRAW)
    seen, first = [scenario.phase], scenario.state.turn
    while scenario.state.turn == first or scenario.phase is not Phase.MAIN:
        legal = scenario.state.legal()
        if scenario.phase is Phase.MAIN and scenario.state.pending is None:
            scenario.summon("Z38", "G")
            scenario.end()
        else:
            scenario.take_code(legal[0] if legal else scenario.state.chance()[0][0])
        if scenario.phase is not seen[-1]:
            seen.append(scenario.phase)
    # The pawn passes the Eye in the End phase, so that there is something to choose.
    assert seen == [Phase.DRAW, Phase.MAIN, Phase.END, Phase.UPKEEP_ALTAR, Phase.UPKEEP_GALLERY, Phase.DRAW, Phase.MAIN]


@pytest.mark.rule("OMEGA-TURN-02")
def test_other_seats_decide_only_recoveries() -> None:
    scenario = OmegaScenario(3, cards={"A": F(1)}).at(
        Player("3R B", {"Z1": "R"}), Player("", {"A": "VG", "Z2": "W"}), Player("K", {"Z3": "B"}), altar="R"
    )
    scenario.take(codes.CAPTURE, 1, "A")
    for rune in "RRB":
        assert scenario.state.actor() == 0
        scenario.take(codes.ADD, rune)
    scenario.take(codes.CONFIRM)
    assert scenario.state.actor() == 1
    assert scenario.offers(codes.RECOVER) == {"G", "V"}
    assert scenario.refused(codes.RECOVER, "G", seat=0) == "NOT_YOUR_TURN"
    assert scenario.refused(codes.RECOVER, "G", seat=2) == "NOT_YOUR_TURN"
    scenario.take(codes.RECOVER, "G")
    # The red's offer is the capturer's again.
    assert scenario.state.actor() == 0
    assert scenario.verbs() == {"PULL", "DECLINE"}
    for seat in (1, 2):
        assert scenario.state.legal(seat) == []


@pytest.mark.rule("OMEGA-TURN-03")
def test_marks_of_a_turn_are_cleared_when_the_next_begins() -> None:
    cards = {"A": F(1, 0, book(("advance", 1)))}
    scenario = OmegaScenario(3, cards, green_pairing="consecutive").at(
        Player("", {"A": "R", "Z1": "R", "Z2": "R"}, mask="A"),
        Player("", {"Z3": "K"}, lost=True),
        Player("", {"Z4": "K"}, lost=True),
        gained="Z1",
        used={"A": 1},
        disowned=1,
        last_mask=True,
        mask_moved=True,
        bag_was_empty=True,
        red_used=True,
        green_pending=True,
        new_blacks={"Z3": 1},
        altar="RRRRRR",
    )
    # Exhaustion is announced because the bag was empty, so the last turn of seat 1 follows.
    scenario.end()
    scenario.chance()
    values = scenario.values
    assert values["active_seat"] == 1
    for mark in ("gain_used", "last_mask", "mask_moved", "bag_was_empty", "red_used", "green_pending"):
        assert values[mark] is False, mark
    assert values["disowned"] == 0
    assert (scenario.egregor(0, "A")["used"], scenario.egregor(0, "Z1")["gained"]) == (0, False)
    assert scenario.egregor(1, "Z3")["old_blacks"] == 1
    # Only the flag of the seat whose turn begins is cleared.
    assert [scenario.player(seat)["lost_egregor"] for seat in (0, 1, 2)] == [False, False, True]


@pytest.mark.rule("OMEGA-UPKEEP-01")
def test_the_altar_is_filled_to_six_in_the_open_by_the_content_of_the_bag() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": "R"}), altar="RRK")
    scenario.end()
    assert scenario.phase is Phase.UPKEEP_ALTAR and scenario.state.actor() == CHANCE
    for number in range(3):
        assert len(scenario.altar) == 3 + number
        assert scenario.outcomes() == {rune: scenario.bag(rune) for rune in "BGRVWK"}
        scenario.take(codes.ALTAR_RUNE, "V")
        assert scenario.event("altar_refilled").rune == 4
    assert scenario.altar == "RRVVVK"
    assert scenario.phase is Phase.DRAW


@pytest.mark.rule("OMEGA-UPKEEP-02")
def test_the_gallery_is_filled_to_four_in_the_open() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": "R"}), altar="6R", gallery=("Z38", None, "Z40", None))
    scenario.end()
    assert scenario.phase is Phase.UPKEEP_GALLERY
    assert set(scenario.outcomes()) == scenario.pile("deck")
    assert set(scenario.outcomes().values()) == {1}
    scenario.take(codes.GALLERY_CARD, "Z7")
    assert scenario.gallery == ["Z38", "Z7", "Z40", None]
    assert scenario.event("gallery_refilled").card.name == "Z7"
    assert scenario.phase is Phase.UPKEEP_GALLERY
    scenario.take(codes.GALLERY_CARD, "Z8")
    assert scenario.gallery == ["Z38", "Z7", "Z40", "Z8"]
    assert scenario.phase is Phase.DRAW


@pytest.mark.rule("OMEGA-UPKEEP-03")
def test_altar_and_gallery_are_not_refilled_within_a_turn() -> None:
    scenario = OmegaScenario().at(Player("RR", {"Z0": "R"}), altar="3R V G B", phase=Phase.DRAW)
    scenario.altar_rune("B")
    scenario.place("R", "Z0")
    scenario.pull()
    scenario.place("R", "Z0")
    scenario.pull()
    assert scenario.altar == "GRV"
    scenario.summon("Z39", "B")
    assert scenario.gallery == ["Z38", None, "Z40", "Z41"]
    scenario.end()
    assert scenario.altar == "GRV"
    assert scenario.values["active_seat"] == 1
    assert scenario.phase is Phase.UPKEEP_ALTAR
    scenario.upkeep("BBB", ["Z20"])
    assert len(scenario.altar) == 6 and scenario.gallery[1] == "Z20"


@pytest.mark.rule("OMEGA-UPKEEP-04")
def test_an_empty_deck_is_made_of_the_discard_pile_when_a_card_is_needed() -> None:
    scenario = OmegaScenario().at(
        Player("R", {"Z0": "R", "Z1": "R"}), Player("R"), altar="6R", deck=["Z5"], gallery=("Z38", None, "Z40", None)
    )
    discard = scenario.pile("discard")
    scenario.end()
    assert scenario.outcomes() == {"Z5": 1}
    # Not at once, when the last card goes, but when the next is needed: it is needed at once here.
    scenario.take(codes.GALLERY_CARD, "Z5")
    assert set(scenario.outcomes()) == discard
    assert scenario.pile("discard") == set()
    scenario.take(codes.GALLERY_CARD, "Z9")
    assert scenario.pile("deck") == discard - {"Z9"}
    assert "deck_reshuffled" in scenario.kinds()


@pytest.mark.rule("OMEGA-UPKEEP-04")
def test_cards_discarded_before_a_card_is_needed_take_part() -> None:
    scenario = OmegaScenario().at(
        Player("R", {"Z0": "R", "Z1": "R"}, mask="Z0"),
        Player(),
        altar="6R",
        deck=["Z5"],
        gallery=("Z38", "Z39", "Z40", None),
    )
    scenario.end()
    scenario.take(codes.GALLERY_CARD, "Z5")
    # The deck is empty, and stays so: nothing is needed.
    assert scenario.pile("deck") == set()
    assert scenario.phase is Phase.DRAW and scenario.pile("discard")
    assert "deck_reshuffled" not in scenario.kinds()


@pytest.mark.rule("OMEGA-UPKEEP-05")
def test_the_altar_stays_short_when_the_bag_runs_out_and_the_ending_holds() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": "R"}), Player("V"), altar="R", bag="BB", rest=0)
    scenario.end()
    scenario.take(codes.ALTAR_RUNE, "B")
    assert not scenario.values["bag_was_empty"]
    scenario.take(codes.ALTAR_RUNE, "B")
    assert scenario.altar == "BBR"
    assert scenario.phase is Phase.DRAW
    assert scenario.values["bag_was_empty"]
    assert "bag_exhausted" in scenario.kinds()
    assert scenario.offers(codes.TAKE_ALTAR) == {"B", "R"}
    scenario.altar_rune("B")
    scenario.end()
    assert scenario.state.ending == Ending.EXHAUSTION


@pytest.mark.rule("OMEGA-UPKEEP-06")
def test_a_gallery_that_cannot_be_filled_stays_short() -> None:
    # Only a variant of the rules could bring this about; it must not crash.
    scenario = OmegaScenario(4).at(
        Player("", {f"Z{number}": "" for number in range(4)}),
        Player("", {f"Z{number}": "" for number in range(4, 8)}),
        Player("", {f"Z{number}": "" for number in range(8, 12)}),
        Player("", {f"Z{number}": "" for number in range(12, 16)}),
        altar="6R",
        gallery=(None, None, None, "Z41"),
        deck=["Z30", "Z31"],
    )
    values = scenario.values
    # At most 16 in play and 4 in the gallery leave 22.
    assert len(values["deck"]) + len(values["discard"]) + 4 - 3 == 22 + 4
    values["discard"] = []
    scenario.state.load(values)
    scenario.state.apply(codes.END_MAIN())
    for card in ("Z31", "Z30"):
        scenario.state.apply(codes.GALLERY_CARD(scenario.card(card)))
    assert scenario.gallery == ["Z31", "Z30", None, "Z41"]
    assert scenario.phase is Phase.DRAW


@pytest.mark.rule("OMEGA-DRAW-01")
def test_exactly_one_rune_is_drawn_from_the_altar_by_type_or_from_the_bag() -> None:
    scenario = OmegaScenario().at(Player("V"), altar="RRK", phase=Phase.DRAW)
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    assert scenario.offers(codes.TAKE_ALTAR) == {"R", "K"}
    # It is not optional.
    assert scenario.refused(codes.END_MAIN) == "WRONG_PHASE"
    assert scenario.refused(codes.STOP) == "WRONG_PHASE"
    assert scenario.refused(codes.TAKE_ALTAR, "B") == "NO_SUCH_RUNE"
    assert scenario.refused(codes.PLACE, "V") == "WRONG_PHASE"
    scenario.altar_rune("R")
    assert scenario.hand(0) == "RV" and scenario.altar == "RRRRK"
    assert scenario.phase is Phase.MAIN
    assert scenario.refused(codes.TAKE_ALTAR, "R") == "WRONG_PHASE"
    assert scenario.refused(codes.TAKE_BAG) == "WRONG_PHASE"


@pytest.mark.rule("OMEGA-DRAW-01")
def test_rune_of_the_bag_is_drawn_at_random() -> None:
    scenario = OmegaScenario().at(Player("V"), altar="RRK", phase=Phase.DRAW)
    scenario.take(codes.TAKE_BAG)
    assert scenario.outcomes() == {rune: scenario.bag(rune) for rune in "BGRVWK"}
    scenario.take(codes.BAG_RUNE, "W")
    assert scenario.hand(0) == "VW" and scenario.altar == "RRRRRK" and scenario.bag("W") == 21


@pytest.mark.rule("OMEGA-DRAW-02")
def test_a_rune_of_the_altar_is_seen_by_all_one_of_the_bag_by_its_owner() -> None:
    scenario = OmegaScenario().at(altar="RRK", phase=Phase.DRAW)
    before = scenario.state.clone()
    scenario.bag_rune("W")
    drawn = scenario.event("rune_drawn")
    assert (drawn.seat, drawn.source, drawn.rune) == (0, 2, 0)
    before.apply(codes.TAKE_BAG())
    after = before.clone()
    code = codes.BAG_RUNE(codes.WHITE)
    after.apply(code)
    for viewer, rune in ((-2, 5), (0, 5), (1, 0)):
        (event, *_) = scenario.game.events(before, None, code, after, viewer)
        assert event.rune_drawn.rune == rune
    scenario.at(altar="RRK", phase=Phase.DRAW).altar_rune("K")
    drawn = scenario.event("rune_drawn")
    assert (drawn.seat, drawn.source, drawn.rune) == (0, 1, 6)


@pytest.mark.rule("OMEGA-DRAW-03")
def test_draw_with_an_empty_bag_is_from_the_altar() -> None:
    scenario = OmegaScenario().at(altar="RK", phase=Phase.DRAW, bag="", rest=1)
    assert scenario.verbs() == {"TAKE_ALTAR"}
    assert scenario.refused(codes.TAKE_BAG) == "BAG_EMPTY"


@pytest.mark.rule("OMEGA-DRAW-03")
def test_draw_phase_is_skipped_with_empty_altar_and_bag() -> None:
    scenario = OmegaScenario(3, exhaustion="end_of_turn").at(Player("", {"Z0": ""}), altar="", bag="", rest=2)
    scenario.end()
    # The next player stands in Main at once.
    assert (scenario.active, scenario.phase) == (1, Phase.MAIN)


@pytest.mark.rule("OMEGA-DRAW-04")
def test_a_pyramid_may_hold_any_number() -> None:
    scenario = OmegaScenario().at(Player(), altar="R", bag="B", rest=0, phase=Phase.DRAW)
    size = len(scenario.hand(0))
    assert size == 148
    scenario.altar_rune("R")
    assert len(scenario.hand(0)) == 149


@pytest.mark.rule("OMEGA-DRAW-05")
def test_a_black_of_the_altar_is_drawn_like_any_other() -> None:
    scenario = OmegaScenario().at(altar="KKRB", phase=Phase.DRAW)
    scenario.altar_rune("K")
    assert scenario.hand(0) == "K" and scenario.altar == "BRKKK"


@pytest.mark.rule("OMEGA-MAIN-01")
def test_main_actions_come_in_any_order_and_mixture() -> None:
    cards = {"A": F(1, 1, book(("advance", 1)))}
    scenario = OmegaScenario(cards=cards).at(
        Player("4G 2V K", {"A": "G", "Z1": "G"}, mask="A"), Player("", {"Z2": "B"}), altar="6B"
    )
    menu = {"SUMMON", "PLACE", "PLACE_BLACK", "PAIR", "MASK", "USE_BOOK", "END_MAIN"}
    assert scenario.verbs() == menu
    scenario.place("G", "A")
    scenario.mask("Z1")
    scenario.place("G", "Z1")
    scenario.book("A")
    assert scenario.steps(0) == 1
    scenario.summon("Z38", "G")
    # Disowning is offered after the gain.
    assert scenario.verbs() == {"PLACE", "PLACE_BLACK", "PAIR", "DISOWN", "MASK", "END_MAIN"}
    scenario.black(1, "Z2", "B")
    scenario.disown("A", "G")
    scenario.place("G", "Z1")
    assert scenario.phase is Phase.MAIN and scenario.active == 0


@pytest.mark.rule("OMEGA-MAIN-02")
@pytest.mark.parametrize("first", ["summon", "capture"])
def test_only_one_gain_is_allowed_in_a_turn(first: str) -> None:
    scenario = OmegaScenario(3).at(
        Player("8G", {"Z0": "G"}), Player("", {"Z1": "R", "Z2": "R"}, mask="Z1"), Player("", {"Z3": "R", "Z4": "R"})
    )
    assert {"SUMMON", "CAPTURE"} <= scenario.verbs()
    if first == "summon":
        scenario.summon("Z38", "G")
    else:
        scenario.capture(1, "Z2", "GG")
        scenario.recover("R")
    assert not {"SUMMON", "CAPTURE"} & scenario.verbs()
    assert scenario.refused(codes.SUMMON, "Z39") == "ALREADY_GAINED"
    assert scenario.refused(codes.CAPTURE, 2, "Z4") == "ALREADY_GAINED"


@pytest.mark.rule("OMEGA-MAIN-03")
def test_the_phase_cannot_end_with_five_egregors() -> None:
    scenario = OmegaScenario().at(Player("G", {f"Z{n}": "G" for n in range(4)}))
    assert "END_MAIN" in scenario.verbs()
    scenario.summon("Z38", "G")
    assert len(scenario.row(0)) == 5
    assert "END_MAIN" not in scenario.verbs()
    assert scenario.refused(codes.END_MAIN) == "TOO_MANY_EGREGORS"
    scenario.disown("Z0", "G")
    assert "END_MAIN" in scenario.verbs()


@pytest.mark.rule("OMEGA-MAIN-04")
def test_ending_the_phase_at_once_is_legal() -> None:
    scenario = OmegaScenario().at(Player("RRR"), altar="R", phase=Phase.DRAW)
    scenario.altar_rune("R")
    scenario.end()
    assert scenario.active == 1


@pytest.mark.rule("OMEGA-MAIN-05")
def test_runes_on_own_egregors_stay_where_they_are() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": "RG", "Z1": "B"}, mask="Z0"), Player("", {"Z2": "G"}))
    # Nothing in the menu lifts a rune; DISOWN comes only after a gain, CYCLE only with a power.
    assert scenario.verbs() == {"MASK", "END_MAIN"}
    assert scenario.refused(codes.CYCLE, "Z0", "R") == "WRONG_PHASE"
    assert scenario.refused(codes.RECOVER, "R") == "WRONG_PHASE"
    assert scenario.refused(codes.DISOWN, "Z0") == "NOT_GAINED_YET"
    # Nor can a black take a rune from an Egregor of the player who places it.
    scenario.at(Player("K", {"Z0": "RG", "Z1": "B"}), Player("", {"Z2": "G"}))
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z2"}
    assert scenario.refused(codes.BLACK_TARGET, 0, "Z0") == "OWN_EGREGOR"


@pytest.mark.rule("OMEGA-MAIN-06")
def test_an_effect_is_resolved_to_its_end_before_the_next_action() -> None:
    scenario = OmegaScenario().at(Player("BBRR", {"Z0": "R"}, steps=9), altar="RR")
    scenario.summon("Z38", "BBRR")
    # Blue has passed the Eye: the token first, then its flip, then the reds, then the menu.
    for verb, word in (("ARCANA", None), (None, None)):
        assert scenario.verbs() == ({verb} if verb else set()), word
        if verb:
            assert scenario.refused(codes.END_MAIN) == "WRONG_PHASE"
            assert scenario.refused(codes.PULL) == "WRONG_PHASE"
            scenario.take(codes.ARCANA, 3)
    assert scenario.state.pending is not None and scenario.state.pending[0] == FrameKind.FLIP
    scenario.chance()
    assert scenario.verbs() == {"PULL", "DECLINE"}
    scenario.pull()
    scenario.pull()
    assert scenario.state.pending is None
    assert "END_MAIN" in scenario.verbs()


@pytest.mark.rule("OMEGA-ENDPH-01")
def test_the_pawn_advances_by_the_thrust_of_all_egregors_the_new_one_included() -> None:
    cards = {"A": F(1, 2), "B": F(1, 0), "C": F(1, 3)}
    scenario = OmegaScenario(cards=cards, set_={"squares": 100, "eye": 100}).at(
        Player("G", {"A": "G", "B": "G"}, steps=4), Player("", {"Z5": ""}, steps=7), gallery=("C", None, None, None)
    )
    scenario.summon("C", "G")
    scenario.end()
    assert scenario.steps(0) == 4 + 2 + 0 + 3
    assert scenario.steps(1) == 7
    moved = scenario.event("pawn_advanced")
    assert (moved.seat, moved.from_steps, moved.to_steps, moved.cause) == (0, 4, 9, 3)


@pytest.mark.rule("OMEGA-ENDPH-01")
def test_a_disowned_card_gives_no_thrust() -> None:
    cards = {"A": F(1, 2), "B": F(1, 5), "C": F(1, 3)}
    scenario = OmegaScenario(cards=cards).at(Player("G", {"A": "G", "B": "G"}), gallery=("C", None, None, None))
    scenario.summon("C", "G")
    scenario.disown("B", "G")
    scenario.end()
    assert scenario.steps(0) == 5


@pytest.mark.rule("OMEGA-ENDPH-02")
def test_each_passing_of_the_move_gives_a_choice() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 9)}, set_={"squares": 4, "eye": 4}).at(Player("", {"A": ""}, steps=3))
    scenario.end()
    assert scenario.phase is Phase.END
    for taken in range(3):
        assert scenario.held(0) == taken
        assert scenario.verbs() == {"ARCANA"}
        scenario.token(taken)
    assert scenario.active == 1
    assert scenario.held(0) == 3


@pytest.mark.rule("OMEGA-ENDPH-03")
def test_end_phase_offers_no_actions() -> None:
    cards = {"A": F(1, 1, book(("advance", 1)))}
    scenario = OmegaScenario(cards=cards).at(Player("RV", {"A": "R", "Z1": "R"}, mask="A", steps=11))
    assert {"PLACE", "MASK", "USE_BOOK", "SUMMON"} <= scenario.verbs()
    scenario.end()
    assert scenario.phase is Phase.END
    assert scenario.verbs() == {"ARCANA"}
    for verb, *words in ((codes.PLACE, "R"), (codes.MASK, "Z1"), (codes.USE_BOOK, "A", 0), (codes.SUMMON, "Z38")):
        assert scenario.refused(verb, *words) == "WRONG_PHASE"


@pytest.mark.rule("OMEGA-ENDPH-04")
def test_endings_are_checked_after_the_move_and_its_choices() -> None:
    seven = ["five"] * 6
    scenario = OmegaScenario().at(Player("", {"Z0": ""}, steps=11, tokens=seven), Player("", {"Z1": ""}), altar="6R")
    scenario.end()
    assert scenario.state.ending == 0
    scenario.take(codes.ARCANA, 0)
    # The token is taken, the next one still to be turned up.
    assert scenario.state.ending == 0
    scenario.chance()
    assert scenario.state.ending == Ending.ARCANIC
    assert (scenario.active, scenario.phase) == (1, Phase.DRAW)
    assert scenario.values["announcer"] == 0
    assert NONE not in scenario.values["gallery"]


@pytest.mark.rule("OMEGA-DRAW-01", "OMEGA-TURN-01")
def test_the_event_of_the_main_phase_follows_that_of_the_draw() -> None:
    for source in ("altar", "bag"):
        scenario = OmegaScenario().at(Player("V"), altar="RRK", phase=Phase.DRAW)
        scenario.altar_rune("R") if source == "altar" else scenario.bag_rune("W")
        assert scenario.kinds() == ["rune_drawn", "phase_changed"]
        assert scenario.event("phase_changed").phase == Phase.MAIN
    scenario = OmegaScenario().at(Player("V"), altar="RRK", phase=Phase.DRAW)
    scenario.take(codes.TAKE_BAG)
    # The rune is still to come.
    assert scenario.phase is Phase.DRAW and scenario.kinds() == []
    assert scenario.game.restore(scenario.game.position(scenario.state)).chance() == scenario.state.chance()
