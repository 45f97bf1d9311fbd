"""Placing runes, and blues, reds and greens: sections 5 and 6.1 to 6.4 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Frame, Phase
from tests.omega.fixtures import F, book, flash
from tests.omega.tables import Player, Table

PRIMITIVE = {"P": F(1, 1, primitive=True)}


@pytest.mark.rule("OMEGA-PLACE-01")
def test_any_number_of_runes_may_be_placed_on_own_egregors() -> None:
    table = Table().at(Player("3G 3W", {"Z0": "", "Z1": "G"}), Player("", {"Z2": "G"}))
    for _ in range(3):
        assert table.offers(codes.PLACE) >= {"G"}
        table.take(codes.PLACE, "G")
        assert table.offers(codes.TARGET) == {"Z0", "Z1"}
        assert table.refused(codes.TARGET, 2) == "NO_SUCH_EGREGOR"
        table.take(codes.TARGET, "Z0")
    for _ in range(3):
        table.place("W", "Z1")
    assert (table.load(0, "Z0"), table.load(0, "Z1"), table.hand(0)) == ("GGG", "GWWW", "")
    assert table.refused(codes.PLACE, "G") == "NO_SUCH_RUNE"
    placed = table.event("runes_placed")
    assert (placed.seat, placed.rune, list(placed.places)) == (0, 5, [1])


@pytest.mark.rule("OMEGA-PLACE-01")
def test_without_an_egregor_nothing_is_placed() -> None:
    table = Table().at(Player("GG"))
    assert table.offers(codes.PLACE) == set()
    assert table.refused(codes.PLACE, "G") == "NO_SUCH_EGREGOR"


@pytest.mark.rule("OMEGA-PLACE-02")
def test_no_egregor_carries_more_than_ten() -> None:
    table = Table().at(Player("GG", {"Z0": "9G", "Z1": "8G K K"}))
    table.take(codes.PLACE, "G")
    assert table.offers(codes.TARGET) == {"Z0"}
    assert table.refused(codes.TARGET, "Z1") == "EGREGOR_FULL"
    table.take(codes.TARGET, "Z0")
    assert table.load(0, "Z0") == 10 * "G"
    assert table.offers(codes.PLACE) == set()
    assert table.refused(codes.PLACE, "G") == "EGREGOR_FULL"


@pytest.mark.rule("OMEGA-PLACE-03", "OMEGA-WHITE-05")
def test_no_egregor_carries_more_than_two_colours() -> None:
    table = Table().at(Player("GVBW", {"Z0": "GV", "Z1": "GWK"}))
    assert table.offers(codes.PLACE) == {"G", "V", "W"}
    assert table.refused(codes.PLACE, "B") == "TOO_MANY_COLOURS"
    table.take(codes.PLACE, "V")
    assert table.offers(codes.TARGET) == {"Z0"}
    assert table.refused(codes.TARGET, "Z1") == "TOO_MANY_COLOURS"
    table.take(codes.TARGET, "Z0")
    table.take(codes.PLACE, "W")
    # White is a colour like the others.
    assert table.offers(codes.TARGET) == {"Z1"}


@pytest.mark.rule("OMEGA-PLACE-04")
def test_a_primitive_carries_one_colour_and_blacks_of_opponents() -> None:
    table = Table(cards=PRIMITIVE).at(Player("GV", {"P": "GGK"}), Player("K", {"Z1": "R"}))
    assert table.offers(codes.PLACE) == {"G"}
    assert table.refused(codes.PLACE, "V") == "TOO_MANY_COLOURS"
    table.at(Player("", {"P": "GG"}), Player("K", {"Z1": "R"}), active=1)
    table.black(0, "P", "G")
    assert table.load(0, "P") == "GK"


@pytest.mark.rule("OMEGA-PLACE-05")
def test_only_the_present_load_counts() -> None:
    table = Table().at(Player("V", {"Z0": "RBK"}), Player("K", {"Z1": "R"}), active=1, altar="6G")
    table.black(0, "Z0", "B")
    table.end()
    table.chance()
    table.altar_rune("G")
    # The only blue is gone: green has its place now.
    assert table.active == 0
    assert table.offers(codes.PLACE) == {"G", "V"}
    table.place("V", "Z0")
    assert table.load(0, "Z0") == "RVKK"
    assert table.refused(codes.PLACE, "G") == "TOO_MANY_COLOURS"


@pytest.mark.rule("OMEGA-PLACE-06")
def test_a_black_never_goes_on_an_own_egregor() -> None:
    table = Table().at(Player("GK", {"Z0": "G"}), Player("", {"Z1": "G"}))
    assert table.refused(codes.PLACE, "K") == "BLACK_NOT_OWN"
    table.take(codes.PLACE_BLACK)
    assert table.offers(codes.BLACK_TARGET) == {"1 Z1"}
    assert table.refused(codes.BLACK_TARGET, 0, "Z0") == "OWN_EGREGOR"


@pytest.mark.rule("OMEGA-PLACE-07")
def test_nothing_is_placed_elsewhere() -> None:
    table = Table().at(Player("G", {"Z0": "G"}), Player("", {"Z1": "G"}), altar="RR")
    table.take(codes.PLACE, "G")
    # The only targets are own Egregors; codes for others do not exist, and the card of another is refused.
    assert table.offers(codes.TARGET) == {"Z0"}
    assert table.refused(codes.BLACK_TARGET, 1, "Z1") == "WRONG_PHASE"
    assert table.refused(codes.TARGET, 1) == "NO_SUCH_EGREGOR"
    table.take(codes.TARGET, "Z0")
    assert table.altar == "RR" and table.load(1, "Z1") == "G"


@pytest.mark.rule("OMEGA-PLACE-08")
def test_an_egregor_without_runes_stays_and_is_worth_nothing() -> None:
    cards = {"A": F(1, 3, book(("cycle", 1), ("advance", 1)))}
    table = Table(cards=cards).at(Player("", {"A": "G"}), Player("R", {"Z1": "R"}), altar="6W")
    table.book("A")
    table.cycle("A", "G")
    assert table.row(0) == ["A"] and table.load(0, "A") == ""
    # It keeps its power, which went on, and its thrust.
    assert table.steps(0) == 1
    table.end()
    assert table.steps(0) == 4
    assert table.points(0)[0] == 0
    # One rune captures it, if it is not the only one.
    table.at(Player("", {"A": "", "Z2": "G"}), Player("R", {"Z1": "R"}), active=1)
    assert table.offers(codes.CAPTURE) == {"0 A"}
    table.capture(0, "A", "R")
    assert table.row(1) == ["Z1", "A"]


# -- order ---------------------------------------


@pytest.mark.rule("OMEGA-ORDER-01")
def test_a_rune_triggers_when_it_lies_a_pair_when_both_lie() -> None:
    table = Table().at(Player("BVV", {"Z0": "", "Z1": ""}), altar="WW")
    table.take(codes.PLACE, "B")
    assert table.steps(0) == 0
    table.take(codes.TARGET, "Z0")
    assert (table.steps(0), table.load(0, "Z0")) == (2, "B")
    table.take(codes.PAIR)
    table.take(codes.PAIR_FIRST, "Z0")
    assert table.verbs() == {"PAIR_SECOND"}
    table.take(codes.PAIR_SECOND, "Z1")
    assert (table.load(0, "Z0"), table.load(0, "Z1")) == ("BV", "V")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}


@pytest.mark.rule("OMEGA-ORDER-02")
def test_a_batch_lies_then_blues_reds_greens_and_lightning_follow() -> None:
    cards = {"A": F(1, 0, flash(("advance", 1)))}
    table = Table(cards=cards, set_={"squares": 12, "eye": 2}).at(
        Player("BBR"), altar="RRWW", gallery=("A", None, None, None)
    )
    table.summon("A", "BBR")
    assert table.load(0, "A") == "BBR"
    assert (table.steps(0), table.verbs()) == (4, {"ARCANA"})
    table.token(0)
    assert (table.steps(0), table.verbs()) == (4, {"PULL", "DECLINE"})
    table.pull()
    assert (table.steps(0), table.load(0, "A")) == (5, "BBRR")
    table.at(Player("RVVV"), altar="RRWW", gallery=("A", None, None, None))
    table.summon("A", "RVVV")
    assert table.verbs() == {"PULL", "DECLINE"}
    table.decline()
    assert (table.steps(0), table.verbs()) == (0, {"TAKE_ALTAR", "TAKE_BAG"})
    table.altar_rune("W")
    assert table.steps(0) == 1
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-ORDER-03")
def test_pulled_reds_and_carried_loads_trigger_nothing() -> None:
    table = Table().at(Player("R", {"Z0": ""}), altar="RRR")
    table.place("R", "Z0")
    table.pull()
    assert table.state.pending is None and table.altar == "RR"
    cards = {"K": F(1, 1, book(("key", 1)))}
    table = Table(cards=cards).at(Player("", {"K": "BVV"}), altar="RRR")
    table.book("K")
    table.look("Z5")
    table.key("Z5")
    assert (table.load(0, "Z5"), table.steps(0)) == ("BVV", 0)
    assert table.state.pending is None


# -- blue ---------------------------------------


@pytest.mark.rule("OMEGA-BLUE-01")
def test_each_blue_moves_the_pawn_two_squares_at_once() -> None:
    table = Table().at(Player("BG", {"Z0": ""}, steps=3), Player("", {"Z1": ""}, steps=3))
    table.place("B", "Z0")
    assert (table.steps(0), table.steps(1)) == (5, 3)
    moved = table.event("pawn_advanced")
    assert (moved.seat, moved.from_steps, moved.to_steps, moved.cause, moved.passings) == (0, 3, 5, 1, 0)
    # Other colours move nothing; there is no choice to make.
    assert table.state.pending is None
    table.place("G", "Z0")
    assert table.steps(0) == 5


@pytest.mark.rule("OMEGA-BLUE-02")
@pytest.mark.parametrize("blues", [1, 2, 3, 5])
def test_blues_add_up(blues: int) -> None:
    table = Table(set_={"squares": 100, "eye": 100}).at(Player(blues * "B"))
    table.summon("Z38", blues * "B")
    assert table.steps(0) == 2 * blues


@pytest.mark.rule("OMEGA-BLUE-03")
def test_a_passing_by_blue_gives_the_token_at_once() -> None:
    table = Table().at(Player("BG", {"Z0": ""}, steps=10))
    table.place("B", "Z0")
    assert table.phase is Phase.MAIN
    assert table.verbs() == {"ARCANA"}
    assert table.refused(codes.END_MAIN) == "WRONG_PHASE"
    table.token(2)
    assert table.held(0) == 1
    assert table.offers(codes.PLACE) == {"G"}


@pytest.mark.rule("OMEGA-BLUE-04")
def test_a_blue_placed_again_moves_again() -> None:
    cards = {"A": F(1, 1, book(("cycle", 1)))}
    table = Table(cards=cards).at(Player("B", {"A": ""}))
    table.place("B", "A")
    table.book("A")
    table.cycle("A", "B")
    table.place("B", "A")
    assert table.steps(0) == 4


@pytest.mark.rule("OMEGA-BLUE-05")
def test_blues_that_lie_give_nothing_in_the_end_phase() -> None:
    table = Table(cards={"A": F(1, 1)}).at(Player("", {"A": "5B"}), altar="6R")
    table.end()
    assert table.steps(0) == 1


# -- red ---------------------------------------


@pytest.mark.rule("OMEGA-RED-01")
def test_one_red_of_the_altar_may_follow_to_the_same_egregor() -> None:
    table = Table().at(Player("RR", {"Z0": "", "Z1": ""}), altar="RRR")
    table.place("R", "Z1")
    table.pull()
    assert (table.load(0, "Z0"), table.load(0, "Z1"), table.altar) == ("", "RR", "RR")
    assert table.state.pending is None
    table.place("R", "Z0")
    table.pull()
    assert (table.load(0, "Z0"), table.altar) == ("RR", "R")
    assert table.event("red_offered").pulled


@pytest.mark.rule("OMEGA-RED-02")
def test_it_is_optional_and_the_active_player_decides() -> None:
    table = Table().at(Player("RR", {"Z0": ""}), Player(), altar="RRR")
    table.place("R", "Z0")
    assert table.state.actor() == 0
    assert table.verbs() == {"PULL", "DECLINE"}
    assert table.refused(codes.PULL, seat=1) == "NOT_YOUR_TURN"
    table.decline()
    assert (table.load(0, "Z0"), table.altar) == ("R", "RRR")
    assert not table.event("red_offered").pulled
    # The next one has an offer of its own.
    table.place("R", "Z0")
    assert table.verbs() == {"PULL", "DECLINE"}


@pytest.mark.rule("OMEGA-RED-03")
def test_the_pulled_red_triggers_nothing() -> None:
    table = Table().at(Player("R", {"Z0": "GGG"}), altar="RRR")
    table.place("R", "Z0")
    table.pull()
    assert (table.load(0, "Z0"), table.altar) == ("GGGRR", "RR")
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-RED-04")
def test_no_offer_on_a_full_egregor() -> None:
    table = Table().at(Player("R", {"Z0": "9R"}), altar="RRR")
    table.place("R", "Z0")
    assert table.state.pending is None
    assert (table.load(0, "Z0"), table.altar) == (10 * "R", "RRR")
    table.at(Player("R", {"Z0": "8R"}), altar="RRR").place("R", "Z0")
    table.pull()
    assert (table.load(0, "Z0"), table.altar) == (10 * "R", "RR")


@pytest.mark.rule("OMEGA-RED-05")
def test_no_offer_without_a_red_on_the_altar() -> None:
    table = Table().at(Player("R", {"Z0": ""}), altar="BBGVWK")
    table.place("R", "Z0")
    assert table.state.pending is None
    assert table.refused(codes.PULL) == "WRONG_PHASE"


@pytest.mark.rule("OMEGA-RED-06")
def test_in_a_capture_pulls_come_after_it() -> None:
    table = Table().at(Player("RRR", {"Z0": ""}), Player("", {"Z1": "BB", "Z2": ""}, mask="Z2"), altar="RR")
    table.take(codes.CAPTURE, 1, "Z1")
    for _ in range(3):
        table.take(codes.ADD, "R")
        assert "PULL" not in table.verbs()
    table.take(codes.CONFIRM)
    assert table.refused(codes.PULL) == "WRONG_PHASE"
    table.recover("B")
    table.pull()
    table.pull()
    assert table.load(0, "Z1") == "RRRRR" and table.altar == ""
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-RED-07")
def test_a_red_placed_again_triggers_again() -> None:
    table = Table(cards={"A": F(3)}).at(Player("", {"A": "R", "Z1": "R"}), altar="RR", gained="Z1")
    table.disown("A", "R")
    table.place("R", "Z1")
    assert table.verbs() == {"PULL", "DECLINE"}


# -- green ---------------------------------------


@pytest.mark.rule("OMEGA-GREEN-01")
def test_two_greens_at_once_give_one_draw() -> None:
    table = Table().at(Player("VV", {"Z0": ""}), altar="WK")
    table.pair("Z0", "Z0")
    assert table.load(0, "Z0") == "VV" and table.hand(0) == ""
    assert table.offers(codes.TAKE_ALTAR) == {"W", "K"}
    table.altar_rune("K")
    assert table.hand(0) == "K"
    assert table.state.pending is None
    table.at(Player("VV", {"Z0": ""}), altar="WK").pair("Z0", "Z0")
    table.bag_rune("G")
    assert table.hand(0) == "G" and table.altar == "WK"


@pytest.mark.rule("OMEGA-GREEN-02")
def test_the_two_go_on_one_egregor_or_on_two() -> None:
    table = Table().at(Player("4V", {"Z0": "", "Z1": "", "Z2": "RB"}), altar="WK")
    table.take(codes.PAIR)
    assert table.offers(codes.PAIR_FIRST) == {"Z0", "Z1"}
    assert table.refused(codes.PAIR_FIRST, "Z2") == "TOO_MANY_COLOURS"
    table.take(codes.PAIR_FIRST, "Z0")
    assert table.offers(codes.PAIR_SECOND) == {"Z0", "Z1"}
    assert table.refused(codes.PAIR_SECOND, "Z2") == "TOO_MANY_COLOURS"
    table.take(codes.PAIR_SECOND, "Z1")
    table.altar_rune("W")
    assert (table.load(0, "Z0"), table.load(0, "Z1")) == ("V", "V")
    assert list(table.event("runes_placed").places) == [0, 1]


@pytest.mark.rule("OMEGA-GREEN-02")
def test_a_pair_needs_room_for_both() -> None:
    # One card with room for one: no pair. Two such cards: the second must be the other.
    table = Table().at(Player("VV", {"Z0": "9V"}), altar="W")
    assert "PAIR" not in table.verbs()
    assert table.refused(codes.PAIR) == "EGREGOR_FULL"
    assert table.offers(codes.PLACE) == {"V"}
    table.at(Player("VV", {"Z0": "9V", "Z1": "9V", "Z2": "8V"}), altar="W")
    table.take(codes.PAIR)
    assert table.offers(codes.PAIR_FIRST) == {"Z0", "Z1", "Z2"}
    table.take(codes.PAIR_FIRST, "Z0")
    assert table.offers(codes.PAIR_SECOND) == {"Z1", "Z2"}
    assert table.refused(codes.PAIR_SECOND, "Z0") == "EGREGOR_FULL"
    table.take(codes.PAIR_SECOND, "Z2")
    table.at(Player("VV", {"Z0": "8V"}), altar="W").pair("Z0", "Z0")
    assert table.load(0, "Z0") == 10 * "V"


@pytest.mark.rule("OMEGA-GREEN-03")
def test_one_green_or_two_apart_give_nothing() -> None:
    table = Table().at(Player("VVG", {"Z0": ""}), altar="WK")
    table.place("V", "Z0")
    assert table.state.pending is None
    assert "PAIR" not in table.verbs()
    assert table.refused(codes.PAIR) == "NO_SUCH_RUNE"
    table.place("V", "Z0")
    assert table.state.pending is None
    assert table.hand(0) == "G" and table.altar == "WK"


@pytest.mark.rule("OMEGA-GREEN-04")
@pytest.mark.parametrize(("greens", "draws"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (9, 4)])
def test_a_batch_gives_a_draw_for_each_two(greens: int, draws: int) -> None:
    table = Table().at(Player(greens * "V"), altar="6W")
    table.summon("Z38", greens * "V")
    for _ in range(draws):
        assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
        table.altar_rune("W")
    assert table.state.pending is None
    assert table.hand(0) == draws * "W"


@pytest.mark.rule("OMEGA-GREEN-04")
def test_an_odd_green_of_a_batch_is_not_paired_with_a_later_one() -> None:
    table = Table().at(Player("VV"), altar="W")
    table.summon("Z38", "V")
    table.place("V", "Z38")
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-GREEN-05")
def test_the_draw_is_not_optional_and_void_without_runes() -> None:
    table = Table().at(Player("VV", {"Z0": ""}), altar="W")
    table.pair("Z0", "Z0")
    assert table.refused(codes.STOP) == "COMPULSORY"
    assert table.refused(codes.END_MAIN) == "WRONG_PHASE"
    table.at(Player("VV", {"Z0": ""}), altar="", bag="", rest=1)
    table.pair("Z0", "Z0")
    assert table.state.pending is None and table.hand(0) == ""
    # Four greens, one rune left: the second draw is void.
    table.at(Player("4V"), altar="W", bag="", rest=1)
    table.summon("Z38", "VVVV")
    table.altar_rune("W")
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-GREEN-06")
def test_recovered_greens_are_paired_again() -> None:
    table = Table(cards={"A": F(2)}).at(Player("", {"A": "VV", "Z1": "R"}), altar="WK", gained="Z1")
    table.disown("A", "VV")
    table.pair("Z1", "Z1")
    assert table.state.pending is not None and table.state.pending[0] == Frame.DRAW
