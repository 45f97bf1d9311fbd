"""Placing runes, and blues, reds and greens: sections 5 and 6.1 to 6.4 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from tests.omega.fixtures import F, book, lightning
from tests.omega.scenario import OmegaScenario, Player

PRIMITIVE = {"P": F(1, 1, primitive=True)}


@pytest.mark.rule("OMEGA-PLACE-01")
def test_any_number_of_runes_may_be_placed_on_own_egregors() -> None:
    scenario = OmegaScenario().at(Player("3G 3W", {"Z0": "", "Z1": "G"}), Player("", {"Z2": "G"}))
    for _ in range(3):
        assert scenario.offers(codes.PLACE) >= {"G"}
        scenario.take(codes.PLACE, "G")
        assert scenario.offers(codes.TARGET) == {"Z0", "Z1"}
        assert scenario.refused(codes.TARGET, 2) == "NO_SUCH_EGREGOR"
        scenario.take(codes.TARGET, "Z0")
    for _ in range(3):
        scenario.place("W", "Z1")
    assert (scenario.load(0, "Z0"), scenario.load(0, "Z1"), scenario.hand(0)) == ("GGG", "GWWW", "")
    assert scenario.refused(codes.PLACE, "G") == "NO_SUCH_RUNE"
    placed = scenario.event("runes_placed")
    assert (placed.seat, placed.rune, list(placed.places)) == (0, 5, [1])


@pytest.mark.rule("OMEGA-PLACE-01")
def test_without_an_egregor_nothing_is_placed() -> None:
    scenario = OmegaScenario().at(Player("GG"))
    assert scenario.offers(codes.PLACE) == set()
    assert scenario.refused(codes.PLACE, "G") == "NO_SUCH_EGREGOR"


@pytest.mark.rule("OMEGA-PLACE-02")
def test_no_egregor_carries_more_than_ten() -> None:
    scenario = OmegaScenario().at(Player("GG", {"Z0": "9G", "Z1": "8G K K"}))
    scenario.take(codes.PLACE, "G")
    assert scenario.offers(codes.TARGET) == {"Z0"}
    assert scenario.refused(codes.TARGET, "Z1") == "EGREGOR_FULL"
    scenario.take(codes.TARGET, "Z0")
    assert scenario.load(0, "Z0") == 10 * "G"
    assert scenario.offers(codes.PLACE) == set()
    assert scenario.refused(codes.PLACE, "G") == "EGREGOR_FULL"


@pytest.mark.rule("OMEGA-PLACE-03", "OMEGA-WHITE-05")
def test_no_egregor_carries_more_than_two_colours() -> None:
    scenario = OmegaScenario().at(Player("GVBW", {"Z0": "GV", "Z1": "GWK"}))
    assert scenario.offers(codes.PLACE) == {"G", "V", "W"}
    assert scenario.refused(codes.PLACE, "B") == "TOO_MANY_COLOURS"
    scenario.take(codes.PLACE, "V")
    assert scenario.offers(codes.TARGET) == {"Z0"}
    assert scenario.refused(codes.TARGET, "Z1") == "TOO_MANY_COLOURS"
    scenario.take(codes.TARGET, "Z0")
    scenario.take(codes.PLACE, "W")
    # White is a colour like the others.
    assert scenario.offers(codes.TARGET) == {"Z1"}


@pytest.mark.rule("OMEGA-PLACE-04")
def test_a_primitive_carries_one_colour_and_blacks_of_opponents() -> None:
    scenario = OmegaScenario(cards=PRIMITIVE).at(Player("GV", {"P": "GGK"}), Player("K", {"Z1": "R"}))
    assert scenario.offers(codes.PLACE) == {"G"}
    assert scenario.refused(codes.PLACE, "V") == "TOO_MANY_COLOURS"
    scenario.at(Player("", {"P": "GG"}), Player("K", {"Z1": "R"}), active=1)
    scenario.black(0, "P", "G")
    assert scenario.load(0, "P") == "GK"


@pytest.mark.rule("OMEGA-PLACE-05")
def test_only_the_present_load_counts() -> None:
    scenario = OmegaScenario().at(Player("V", {"Z0": "RBK"}), Player("K", {"Z1": "R"}), active=1, altar="6G")
    scenario.black(0, "Z0", "B")
    scenario.end()
    scenario.chance()
    scenario.altar_rune("G")
    # The only blue is gone: green has its place now.
    assert scenario.active == 0
    assert scenario.offers(codes.PLACE) == {"G", "V"}
    scenario.place("V", "Z0")
    assert scenario.load(0, "Z0") == "RVKK"
    assert scenario.refused(codes.PLACE, "G") == "TOO_MANY_COLOURS"


@pytest.mark.rule("OMEGA-PLACE-06")
def test_a_black_never_goes_on_ones_own_egregor() -> None:
    scenario = OmegaScenario().at(Player("GK", {"Z0": "G"}), Player("", {"Z1": "G"}))
    assert scenario.refused(codes.PLACE, "K") == "BLACK_NOT_OWN"
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z1"}
    assert scenario.refused(codes.BLACK_TARGET, 0, "Z0") == "OWN_EGREGOR"


@pytest.mark.rule("OMEGA-PLACE-07")
def test_runes_are_placed_on_own_egregors_only() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "G"}), Player("", {"Z1": "G"}), altar="RR")
    scenario.take(codes.PLACE, "G")
    # The only targets are own Egregors; codes for others do not exist, and the card of another is refused.
    assert scenario.offers(codes.TARGET) == {"Z0"}
    assert scenario.refused(codes.BLACK_TARGET, 1, "Z1") == "WRONG_PHASE"
    assert scenario.refused(codes.TARGET, 1) == "NO_SUCH_EGREGOR"
    scenario.take(codes.TARGET, "Z0")
    assert scenario.altar == "RR" and scenario.load(1, "Z1") == "G"


@pytest.mark.rule("OMEGA-PLACE-08")
def test_an_egregor_without_runes_stays_and_is_worth_nothing() -> None:
    cards = {"A": F(1, 3, book(("cycle", 1), ("advance", 1)))}
    scenario = OmegaScenario(cards=cards).at(Player("", {"A": "G"}), Player("R", {"Z1": "R"}), altar="6W")
    scenario.book("A")
    scenario.cycle("A", "G")
    assert scenario.row(0) == ["A"] and scenario.load(0, "A") == ""
    # It keeps its power, which went on, and its thrust.
    assert scenario.steps(0) == 1
    scenario.end()
    assert scenario.steps(0) == 4
    assert scenario.points(0)[0] == 0
    # One rune captures it, if it is not the only one.
    scenario.at(Player("", {"A": "", "Z2": "G"}), Player("R", {"Z1": "R"}), active=1)
    assert scenario.offers(codes.CAPTURE) == {"0 A"}
    scenario.capture(0, "A", "R")
    assert scenario.row(1) == ["Z1", "A"]


# -- order ---------------------------------------


@pytest.mark.rule("OMEGA-ORDER-01")
def test_a_rune_triggers_when_it_lies_a_pair_when_both_lie() -> None:
    scenario = OmegaScenario().at(Player("BVV", {"Z0": "", "Z1": ""}), altar="WW")
    scenario.take(codes.PLACE, "B")
    assert scenario.steps(0) == 0
    scenario.take(codes.TARGET, "Z0")
    assert (scenario.steps(0), scenario.load(0, "Z0")) == (2, "B")
    scenario.take(codes.PAIR)
    scenario.take(codes.PAIR_FIRST, "Z0")
    assert scenario.verbs() == {"PAIR_SECOND"}
    scenario.take(codes.PAIR_SECOND, "Z1")
    assert (scenario.load(0, "Z0"), scenario.load(0, "Z1")) == ("BV", "V")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}


@pytest.mark.rule("OMEGA-ORDER-02")
def test_a_batch_lies_then_blues_reds_greens_and_lightning_follow() -> None:
    cards = {"A": F(1, 0, lightning(("advance", 1)))}
    scenario = OmegaScenario(cards=cards, set_={"squares": 12, "eye": 2}).at(
        Player("BBR"), altar="RRWW", gallery=("A", None, None, None)
    )
    scenario.summon("A", "BBR")
    assert scenario.load(0, "A") == "BBR"
    assert (scenario.steps(0), scenario.verbs()) == (4, {"ARCANA"})
    scenario.token(0)
    assert (scenario.steps(0), scenario.verbs()) == (4, {"PULL", "DECLINE"})
    scenario.pull()
    assert (scenario.steps(0), scenario.load(0, "A")) == (5, "BBRR")
    scenario.at(Player("RVVV"), altar="RRWW", gallery=("A", None, None, None))
    scenario.summon("A", "RVVV")
    assert scenario.verbs() == {"PULL", "DECLINE"}
    scenario.decline()
    assert (scenario.steps(0), scenario.verbs()) == (0, {"TAKE_ALTAR", "TAKE_BAG"})
    scenario.altar_rune("W")
    assert scenario.steps(0) == 1
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-ORDER-03")
def test_pulled_reds_and_carried_loads_trigger_nothing() -> None:
    scenario = OmegaScenario().at(Player("R", {"Z0": ""}), altar="RRR")
    scenario.place("R", "Z0")
    scenario.pull()
    assert scenario.state.pending is None and scenario.altar == "RR"
    cards = {"K": F(1, 1, book(("key", 1)))}
    scenario = OmegaScenario(cards=cards).at(Player("", {"K": "BVV"}), altar="RRR")
    scenario.book("K")
    scenario.look("Z5")
    scenario.key("Z5")
    assert (scenario.load(0, "Z5"), scenario.steps(0)) == ("BVV", 0)
    assert scenario.state.pending is None


# -- blue ---------------------------------------


@pytest.mark.rule("OMEGA-BLUE-01")
def test_each_blue_moves_the_pawn_two_squares_at_once() -> None:
    scenario = OmegaScenario().at(Player("BG", {"Z0": ""}, steps=3), Player("", {"Z1": ""}, steps=3))
    scenario.place("B", "Z0")
    assert (scenario.steps(0), scenario.steps(1)) == (5, 3)
    moved = scenario.event("pawn_advanced")
    assert (moved.seat, moved.from_steps, moved.to_steps, moved.cause, moved.passings) == (0, 3, 5, 1, 0)
    # Other colours move nothing; there is no choice to make.
    assert scenario.state.pending is None
    scenario.place("G", "Z0")
    assert scenario.steps(0) == 5


@pytest.mark.rule("OMEGA-BLUE-02")
@pytest.mark.parametrize("blues", [1, 2, 3, 5])
def test_blues_add_up(blues: int) -> None:
    scenario = OmegaScenario(set_={"squares": 100, "eye": 100}).at(Player(blues * "B"))
    scenario.summon("Z38", blues * "B")
    assert scenario.steps(0) == 2 * blues


@pytest.mark.rule("OMEGA-BLUE-03")
def test_a_passing_by_blue_gives_the_token_at_once() -> None:
    scenario = OmegaScenario().at(Player("BG", {"Z0": ""}, steps=10))
    scenario.place("B", "Z0")
    assert scenario.phase is Phase.MAIN
    assert scenario.verbs() == {"ARCANA"}
    assert scenario.refused(codes.END_MAIN) == "WRONG_PHASE"
    scenario.token(2)
    assert scenario.held(0) == 1
    assert scenario.offers(codes.PLACE) == {"G"}


@pytest.mark.rule("OMEGA-BLUE-04")
def test_a_blue_placed_again_moves_again() -> None:
    cards = {"A": F(1, 1, book(("cycle", 1)))}
    scenario = OmegaScenario(cards=cards).at(Player("B", {"A": ""}))
    scenario.place("B", "A")
    scenario.book("A")
    scenario.cycle("A", "B")
    scenario.place("B", "A")
    assert scenario.steps(0) == 4


@pytest.mark.rule("OMEGA-BLUE-05")
def test_blues_that_lie_give_nothing_in_the_end_phase() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 1)}).at(Player("", {"A": "5B"}), altar="6R")
    scenario.end()
    assert scenario.steps(0) == 1


# -- red ---------------------------------------


@pytest.mark.rule("OMEGA-RED-01")
def test_one_red_of_the_altar_may_follow_to_the_same_egregor() -> None:
    scenario = OmegaScenario().at(Player("RR", {"Z0": "", "Z1": ""}), altar="RRR")
    scenario.place("R", "Z1")
    scenario.pull()
    assert (scenario.load(0, "Z0"), scenario.load(0, "Z1"), scenario.altar) == ("", "RR", "RR")
    assert scenario.state.pending is None
    scenario.place("R", "Z0")
    scenario.pull()
    assert (scenario.load(0, "Z0"), scenario.altar) == ("RR", "R")
    assert scenario.event("red_offered").pulled


@pytest.mark.rule("OMEGA-RED-02")
def test_red_pull_is_optional_and_the_active_player_decides() -> None:
    scenario = OmegaScenario().at(Player("RR", {"Z0": ""}), Player(), altar="RRR")
    scenario.place("R", "Z0")
    assert scenario.state.actor() == 0
    assert scenario.verbs() == {"PULL", "DECLINE"}
    assert scenario.refused(codes.PULL, seat=1) == "NOT_YOUR_TURN"
    scenario.decline()
    assert (scenario.load(0, "Z0"), scenario.altar) == ("R", "RRR")
    assert not scenario.event("red_offered").pulled
    # The next one has an offer of its own.
    scenario.place("R", "Z0")
    assert scenario.verbs() == {"PULL", "DECLINE"}


@pytest.mark.rule("OMEGA-RED-03")
def test_the_pulled_red_triggers_nothing() -> None:
    scenario = OmegaScenario().at(Player("R", {"Z0": "GGG"}), altar="RRR")
    scenario.place("R", "Z0")
    scenario.pull()
    assert (scenario.load(0, "Z0"), scenario.altar) == ("GGGRR", "RR")
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-RED-04")
def test_red_pull_is_not_offered_on_a_full_egregor() -> None:
    scenario = OmegaScenario().at(Player("R", {"Z0": "9R"}), altar="RRR")
    scenario.place("R", "Z0")
    assert scenario.state.pending is None
    assert (scenario.load(0, "Z0"), scenario.altar) == (10 * "R", "RRR")
    scenario.at(Player("R", {"Z0": "8R"}), altar="RRR").place("R", "Z0")
    scenario.pull()
    assert (scenario.load(0, "Z0"), scenario.altar) == (10 * "R", "RR")


@pytest.mark.rule("OMEGA-RED-05")
def test_red_pull_is_not_offered_without_a_red_on_the_altar() -> None:
    scenario = OmegaScenario().at(Player("R", {"Z0": ""}), altar="BBGVWK")
    scenario.place("R", "Z0")
    assert scenario.state.pending is None
    assert scenario.refused(codes.PULL) == "WRONG_PHASE"


@pytest.mark.rule("OMEGA-RED-06")
def test_red_pulls_follow_the_capture() -> None:
    scenario = OmegaScenario().at(Player("RRR", {"Z0": ""}), Player("", {"Z1": "BB", "Z2": ""}, mask="Z2"), altar="RR")
    scenario.take(codes.CAPTURE, 1, "Z1")
    for _ in range(3):
        scenario.take(codes.ADD, "R")
        assert "PULL" not in scenario.verbs()
    scenario.take(codes.CONFIRM)
    assert scenario.refused(codes.PULL) == "WRONG_PHASE"
    scenario.recover("B")
    scenario.pull()
    scenario.pull()
    assert scenario.load(0, "Z1") == "RRRRR" and scenario.altar == ""
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-RED-07")
def test_red_placed_again_triggers_again() -> None:
    scenario = OmegaScenario(cards={"A": F(3)}).at(Player("", {"A": "R", "Z1": "R"}), altar="RR", gained="Z1")
    scenario.disown("A", "R")
    scenario.place("R", "Z1")
    assert scenario.verbs() == {"PULL", "DECLINE"}


# -- green ---------------------------------------


@pytest.mark.rule("OMEGA-GREEN-01")
def test_two_greens_at_once_give_one_draw() -> None:
    scenario = OmegaScenario().at(Player("VV", {"Z0": ""}), altar="WK")
    scenario.pair("Z0", "Z0")
    assert scenario.load(0, "Z0") == "VV" and scenario.hand(0) == ""
    assert scenario.offers(codes.TAKE_ALTAR) == {"W", "K"}
    scenario.altar_rune("K")
    assert scenario.hand(0) == "K"
    assert scenario.state.pending is None
    scenario.at(Player("VV", {"Z0": ""}), altar="WK").pair("Z0", "Z0")
    scenario.bag_rune("G")
    assert scenario.hand(0) == "G" and scenario.altar == "WK"


@pytest.mark.rule("OMEGA-GREEN-02")
def test_green_pair_goes_on_one_egregor_or_on_two() -> None:
    scenario = OmegaScenario().at(Player("4V", {"Z0": "", "Z1": "", "Z2": "RB"}), altar="WK")
    scenario.take(codes.PAIR)
    assert scenario.offers(codes.PAIR_FIRST) == {"Z0", "Z1"}
    assert scenario.refused(codes.PAIR_FIRST, "Z2") == "TOO_MANY_COLOURS"
    scenario.take(codes.PAIR_FIRST, "Z0")
    assert scenario.offers(codes.PAIR_SECOND) == {"Z0", "Z1"}
    assert scenario.refused(codes.PAIR_SECOND, "Z2") == "TOO_MANY_COLOURS"
    scenario.take(codes.PAIR_SECOND, "Z1")
    scenario.altar_rune("W")
    assert (scenario.load(0, "Z0"), scenario.load(0, "Z1")) == ("V", "V")
    assert list(scenario.event("runes_placed").places) == [0, 1]


@pytest.mark.rule("OMEGA-GREEN-02")
def test_green_pair_needs_room_for_both() -> None:
    # One card with room for one: no pair. Two such cards: the second must be the other.
    scenario = OmegaScenario().at(Player("VV", {"Z0": "9V"}), altar="W")
    assert "PAIR" not in scenario.verbs()
    assert scenario.refused(codes.PAIR) == "EGREGOR_FULL"
    assert scenario.offers(codes.PLACE) == {"V"}
    scenario.at(Player("VV", {"Z0": "9V", "Z1": "9V", "Z2": "8V"}), altar="W")
    scenario.take(codes.PAIR)
    assert scenario.offers(codes.PAIR_FIRST) == {"Z0", "Z1", "Z2"}
    scenario.take(codes.PAIR_FIRST, "Z0")
    assert scenario.offers(codes.PAIR_SECOND) == {"Z1", "Z2"}
    assert scenario.refused(codes.PAIR_SECOND, "Z0") == "EGREGOR_FULL"
    scenario.take(codes.PAIR_SECOND, "Z2")
    scenario.at(Player("VV", {"Z0": "8V"}), altar="W").pair("Z0", "Z0")
    assert scenario.load(0, "Z0") == 10 * "V"


@pytest.mark.rule("OMEGA-GREEN-03")
def test_single_green_or_two_separate_greens_give_no_draw() -> None:
    scenario = OmegaScenario().at(Player("VVG", {"Z0": ""}), altar="WK")
    scenario.place("V", "Z0")
    assert scenario.state.pending is None
    assert "PAIR" not in scenario.verbs()
    assert scenario.refused(codes.PAIR) == "NO_SUCH_RUNE"
    scenario.place("V", "Z0")
    assert scenario.state.pending is None
    assert scenario.hand(0) == "G" and scenario.altar == "WK"


@pytest.mark.rule("OMEGA-GREEN-04")
@pytest.mark.parametrize(("greens", "draws"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (9, 4)])
def test_batch_gives_a_draw_for_each_two_greens(greens: int, draws: int) -> None:
    scenario = OmegaScenario().at(Player(greens * "V"), altar="6W")
    scenario.summon("Z38", greens * "V")
    for _ in range(draws):
        assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
        scenario.altar_rune("W")
    assert scenario.state.pending is None
    assert scenario.hand(0) == draws * "W"


@pytest.mark.rule("OMEGA-GREEN-04")
def test_an_odd_green_of_a_batch_is_not_paired_with_a_later_one() -> None:
    scenario = OmegaScenario().at(Player("VV"), altar="W")
    scenario.summon("Z38", "V")
    scenario.place("V", "Z38")
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-GREEN-05")
def test_green_draw_is_compulsory_and_void_without_runes() -> None:
    scenario = OmegaScenario().at(Player("VV", {"Z0": ""}), altar="W")
    scenario.pair("Z0", "Z0")
    assert scenario.refused(codes.STOP) == "COMPULSORY"
    assert scenario.refused(codes.END_MAIN) == "WRONG_PHASE"
    scenario.at(Player("VV", {"Z0": ""}), altar="", bag="", rest=1)
    scenario.pair("Z0", "Z0")
    assert scenario.state.pending is None and scenario.hand(0) == ""
    # Four greens, one rune left: the second draw is void.
    scenario.at(Player("4V"), altar="W", bag="", rest=1)
    scenario.summon("Z38", "VVVV")
    scenario.altar_rune("W")
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-GREEN-06")
def test_recovered_greens_are_paired_again() -> None:
    scenario = OmegaScenario(cards={"A": F(2)}).at(Player("", {"A": "VV", "Z1": "R"}), altar="WK", gained="Z1")
    scenario.disown("A", "VV")
    scenario.pair("Z1", "Z1")
    assert scenario.state.pending is not None and scenario.state.pending[0] == FrameKind.DRAW
