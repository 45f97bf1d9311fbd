"""Golds, whites, blacks: sections 6.5 to 6.7 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F
from tests.omega.scenario import OmegaScenario, Player


def facing(load: str, hand: str = "KKK", **more: object) -> OmegaScenario:
    """Seat 0 with blacks; seat 1 has an Egregor with that load, and nothing else."""
    return OmegaScenario().at(Player(hand, {"Z0": "W"}), Player("", {"Z1": load}), **more)


@pytest.mark.rule("OMEGA-GOLD-01", "OMEGA-SCORE-03")
def test_gold_does_nothing_in_play_and_counts_on_egregors_only() -> None:
    scenario = OmegaScenario().at(Player("GGGG", {"Z0": ""}), altar="GGR")
    scenario.place("G", "Z0")
    assert scenario.state.pending is None
    assert (scenario.steps(0), scenario.altar) == (0, "GGR")
    scenario.summon("Z38", "GG")
    assert scenario.state.pending is None
    # Three lie, one is in the pyramid.
    assert scenario.hand(0) == "G"
    assert scenario.points(0)[1] == 6


@pytest.mark.rule("OMEGA-WHITE-02")
def test_a_white_is_never_taken_by_a_black() -> None:
    scenario = facing("GW")
    scenario.take(codes.PLACE_BLACK)
    scenario.take(codes.BLACK_TARGET, 1, "Z1")
    assert scenario.offers(codes.BLACK_TAKE) == {"G"}
    assert scenario.refused(codes.BLACK_TAKE, "W") == "PROTECTED_BY_WHITE"


@pytest.mark.rule("OMEGA-WHITE-03")
def test_two_whites_keep_all_blacks_away() -> None:
    scenario = OmegaScenario().at(Player("K", {"Z0": ""}), Player("", {"Z1": "GGWW", "Z2": "R"}))
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z2"}
    assert scenario.refused(codes.BLACK_TARGET, 1, "Z1") == "PROTECTED_BY_WHITE"
    scenario = facing("8G WW")
    assert "PLACE_BLACK" not in scenario.verbs()
    assert facing("GGWWW").refused(codes.PLACE_BLACK) == "NOTHING_TO_TAKE"


@pytest.mark.rule("OMEGA-WHITE-04")
def test_one_white_lets_a_black_take_a_nonwhite() -> None:
    scenario = facing("GGW")
    scenario.black(1, "Z1", "G")
    assert (scenario.load(1, "Z1"), scenario.hand(0)) == ("GWK", "GKK")
    scenario.black(1, "Z1", "G")
    assert scenario.load(1, "Z1") == "WKK"
    # Now nothing is left to take.
    assert scenario.refused(codes.PLACE_BLACK) == "NOTHING_TO_TAKE"


@pytest.mark.rule("OMEGA-BLACK-01")
def test_blacks_go_on_opposing_egregors_in_ones_own_main_phase() -> None:
    scenario = OmegaScenario(3).at(
        Player("K", {"Z0": "G"}), Player("K", {"Z1": "R"}), Player("", {"Z2": "B", "Z3": ""})
    )
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z1", "2 Z2"}
    assert scenario.refused(codes.BLACK_TARGET, 0, "Z0") == "OWN_EGREGOR"
    assert scenario.refused(codes.BLACK_TARGET, 2, 2) == "NO_SUCH_EGREGOR"
    scenario.at(Player("K", {"Z0": "G"}), Player("K", {"Z1": "R"}), altar="R", phase=Phase.DRAW)
    assert scenario.refused(codes.PLACE_BLACK) == "WRONG_PHASE"
    assert scenario.refused(codes.PLACE_BLACK, seat=1) == "NOT_YOUR_TURN"


@pytest.mark.rule("OMEGA-BLACK-02")
def test_a_black_is_swapped_for_a_coloured_rune() -> None:
    scenario = facing("BRR")
    scenario.take(codes.PLACE_BLACK)
    scenario.take(codes.BLACK_TARGET, 1, "Z1")
    assert scenario.offers(codes.BLACK_TAKE) == {"B", "R"}
    # Taking is not optional.
    assert scenario.refused(codes.STOP) == "WRONG_PHASE"
    assert scenario.refused(codes.BLACK_TAKE, "G") == "NO_SUCH_RUNE"
    scenario.take(codes.BLACK_TAKE, "B")
    assert (scenario.load(1, "Z1"), scenario.hand(0)) == ("RRK", "BKK")
    swapped = scenario.event("black_swapped")
    assert (swapped.seat, swapped.owner, swapped.place, swapped.rune) == (0, 1, 0, 1)
    # The rune taken triggers only when it is placed.
    assert scenario.steps(0) == 0 and scenario.state.pending is None


@pytest.mark.rule("OMEGA-BLACK-03")
def test_black_swap_is_legal_on_an_egregor_with_ten_runes() -> None:
    scenario = facing("6G 4R")
    scenario.black(1, "Z1", "G")
    scenario.black(1, "Z1", "R")
    assert scenario.load(1, "Z1") == "GGGGGRRRKK"
    assert scenario.points(1)[:2] == (12, 10)


@pytest.mark.rule("OMEGA-BLACK-04")
def test_mask_flag_and_being_the_only_egregor_do_not_protect_from_blacks() -> None:
    scenario = OmegaScenario(3).at(
        Player("KKK", {"Z0": ""}),
        Player("", {"Z1": "R"}, mask="Z1", lost=True),
        Player("", {"Z2": "B", "Z3": "B"}, mask="Z2", lost=True),
    )
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z1", "2 Z2", "2 Z3"}


@pytest.mark.rule("OMEGA-BLACK-05")
def test_any_number_of_blacks_is_placed_in_a_turn() -> None:
    scenario = OmegaScenario(3).at(Player("KKKK", {"Z0": ""}), Player("", {"Z1": "RR"}), Player("", {"Z2": "B"}))
    scenario.black(1, "Z1", "R")
    scenario.black(2, "Z2", "B")
    scenario.black(1, "Z1", "R")
    assert (scenario.load(1, "Z1"), scenario.load(2, "Z2"), scenario.hand(0)) == ("KK", "K", "BRRK")
    assert "PLACE_BLACK" not in scenario.verbs()


@pytest.mark.rule("OMEGA-BLACK-06")
@pytest.mark.parametrize(
    ("load", "offered"), [("", False), ("K", False), ("W", False), ("WKK", False), ("GK", True), ("W V", True)]
)
def test_black_needs_a_rune_to_take(load: str, offered: bool) -> None:
    scenario = facing(load)
    assert ("PLACE_BLACK" in scenario.verbs()) == offered
    if not offered:
        assert scenario.refused(codes.PLACE_BLACK) == "NOTHING_TO_TAKE"
    scenario = OmegaScenario().at(Player("K", {"Z0": ""}), Player("", {"Z1": load, "Z2": "R"}))
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == ({"1 Z1", "1 Z2"} if offered else {"1 Z2"})
    if not offered:
        assert scenario.refused(codes.BLACK_TARGET, 1, "Z1") == "NOTHING_TO_TAKE"


@pytest.mark.rule("OMEGA-BLACK-06")
def test_black_placing_is_not_offered_without_a_black() -> None:
    assert facing("GG", hand="GG").refused(codes.PLACE_BLACK) == "NO_SUCH_RUNE"


@pytest.mark.rule("OMEGA-BLACK-07")
def test_a_black_takes_no_black() -> None:
    scenario = facing("GKK")
    scenario.take(codes.PLACE_BLACK)
    scenario.take(codes.BLACK_TARGET, 1, "Z1")
    assert scenario.offers(codes.BLACK_TAKE) == {"G"}
    assert scenario.refused(codes.BLACK_TAKE, "K") == "BLACK_FOR_BLACK"


@pytest.mark.rule("OMEGA-BLACK-08")
def test_black_is_never_part_of_a_batch() -> None:
    scenario = OmegaScenario().at(Player("GK", {"Z0": ""}), Player("", {"Z1": "R", "Z2": "R"}, mask="Z1"))
    scenario.take(codes.SUMMON, "Z38")
    assert scenario.refused(codes.ADD, "K") == "BLACK_NOT_OWN"
    # Nor does it help to reach the number of a capture.
    assert OmegaScenario().at(Player("GK"), Player("", {"Z1": "R", "Z2": "R"})).offers(codes.CAPTURE) == set()


@pytest.mark.rule("OMEGA-BLACK-09")
def test_black_counts_as_a_rune_but_not_as_a_colour() -> None:
    scenario = OmegaScenario().at(Player("GV", {"Z0": "8G K K"}), Player("VVV", {"Z1": "R", "Z2": "BK"}, mask="Z1"))
    # The limit of ten.
    assert scenario.offers(codes.PLACE) == set()
    # The rune table: ten runes.
    assert scenario.points(0)[0] == 12
    # The number for a capture: three against two.
    scenario.at(Player("VV", {"Z0": "R"}), Player("", {"Z1": "R", "Z2": "BK"}, mask="Z1"))
    assert scenario.offers(codes.CAPTURE) == set()
    # The runic ending.
    rows = {f"Z{n}": "9R K" for n in range(3)} | {"Z3": "7B 3K"}
    scenario.at(Player("", rows))
    scenario.end()
    assert scenario.state.ending == Ending.RUNIC
    # It is not a colour: beside two colours and a black, both colours still fit, and no third does.
    scenario.at(Player("GVB", {"Z0": "GVK"}))
    assert scenario.offers(codes.PLACE) == {"G", "V"}


@pytest.mark.rule("OMEGA-BLACK-10")
def test_blacks_are_placed_in_the_final_turn_too() -> None:
    scenario = facing("G", ending=Ending.EXHAUSTION, announcer=1, final_turns_left=1)
    scenario.black(1, "Z1", "G")
    assert scenario.load(1, "Z1") == "K"


def test_a_black_on_a_primitive_leaves_its_colour_alone() -> None:
    scenario = OmegaScenario(cards={"P": F(1, 1, primitive=True)}).at(Player("K", {"Z1": ""}), Player("", {"P": "GG"}))
    scenario.black(1, "P", "G")
    assert scenario.load(1, "P") == "GK"
