"""Summoning and capturing: sections 4.1 and 4.2 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending
from gamepacks.omega.v1.omega_enums import FrameKind
from tests.omega.fixtures import F, lightning
from tests.omega.scenario import OmegaScenario, Player

PRIMITIVE = {"P": F(1, 1, primitive=True)}


@pytest.mark.rule("OMEGA-SUMMON-01")
def test_a_summon_takes_a_card_of_the_gallery_and_one_to_ten_runes() -> None:
    scenario = OmegaScenario().at(Player("12G 2V", {"Z0": "G"}), altar="RRRRRR")
    scenario.take(codes.SUMMON, "Z39")
    # Nothing has been paid yet, and one rune at least must be.
    assert scenario.refused(codes.CONFIRM) == "TOO_FEW"
    for number in range(10):
        assert (number > 0) == ("CONFIRM" in scenario.verbs())
        scenario.take(codes.ADD, "G")
    assert scenario.hand(0) == 12 * "G" + "VV"
    assert scenario.verbs() == {"CONFIRM"}
    assert scenario.refused(codes.ADD, "G") == "BATCH_FULL"
    scenario.take(codes.CONFIRM)
    assert scenario.row(0) == ["Z0", "Z39"]
    assert scenario.load(0, "Z39") == 10 * "G"
    assert scenario.hand(0) == "GGVV"
    assert scenario.gallery == ["Z38", None, "Z40", "Z41"]
    gained = scenario.event("egregor_gained")
    assert (gained.seat, gained.card.name, list(gained.batch)) == (0, "Z39", [0, 10, 0, 0, 0, 0])
    assert not gained.HasField("loser")


@pytest.mark.rule("OMEGA-SUMMON-01")
def test_an_empty_slot_and_an_empty_pyramid_offer_nothing() -> None:
    scenario = OmegaScenario().at(Player("G"), gallery=("Z38", None, "Z40", None))
    assert scenario.offers(codes.SUMMON) == {"Z38", "Z40"}
    assert scenario.refused(codes.SUMMON, 1) == "NO_SUCH_CARD"
    scenario.at(Player(""))
    assert scenario.offers(codes.SUMMON) == set()
    assert scenario.refused(codes.SUMMON, 0) == "NO_BATCH"


@pytest.mark.rule("OMEGA-SUMMON-02")
def test_a_batch_has_no_black() -> None:
    scenario = OmegaScenario().at(Player("GKK"))
    scenario.take(codes.SUMMON, "Z38")
    assert scenario.offers(codes.ADD) == {"G"}
    assert scenario.refused(codes.ADD, "K") == "BLACK_NOT_OWN"
    # With blacks alone no card is summoned.
    scenario.at(Player("KKK"))
    assert scenario.refused(codes.SUMMON, "Z38") == "NO_BATCH"


@pytest.mark.rule("OMEGA-SUMMON-03")
def test_a_batch_has_two_colours_at_most() -> None:
    scenario = OmegaScenario().at(Player("GVBB"))
    scenario.take(codes.SUMMON, "Z38")
    assert scenario.offers(codes.ADD) == {"G", "V", "B"}
    scenario.take(codes.ADD, "B")
    assert scenario.offers(codes.ADD) == {"G", "V", "B"}
    scenario.take(codes.ADD, "V")
    assert scenario.offers(codes.ADD) == {"B"}
    assert scenario.refused(codes.ADD, "G") == "TOO_MANY_COLOURS"
    assert scenario.refused(codes.ADD, "V") == "NO_SUCH_RUNE"


@pytest.mark.rule("OMEGA-SUMMON-03", "OMEGA-PRIMITIVE-01")
def test_a_batch_for_a_primitive_has_one_colour() -> None:
    scenario = OmegaScenario(cards=PRIMITIVE).at(Player("GVBB"), gallery=("P", None, None, None))
    scenario.take(codes.SUMMON, "P")
    scenario.take(codes.ADD, "B")
    assert scenario.offers(codes.ADD) == {"B"}
    assert scenario.refused(codes.ADD, "V") == "TOO_MANY_COLOURS"
    scenario.take(codes.ADD, "B")
    scenario.take(codes.CONFIRM)
    assert scenario.load(0, "P") == "BB"


@pytest.mark.rule("OMEGA-SUMMON-04")
@pytest.mark.parametrize("colour", ["B", "G", "R", "V", "W"])
def test_a_single_rune_of_any_colour_summons_any_card(colour: str) -> None:
    scenario = OmegaScenario(cards={"A": F(10, 9, lightning(("draw", 4)))}).at(
        Player(colour), gallery=("A", "Z39", "Z40", "Z41")
    )
    assert scenario.offers(codes.SUMMON) == {"A", "Z39", "Z40", "Z41"}
    scenario.summon("A", colour)
    assert scenario.load(0, "A") == colour


@pytest.mark.rule("OMEGA-SUMMON-05")
def test_the_batch_triggers() -> None:
    scenario = OmegaScenario().at(Player("BB"))
    scenario.summon("Z38", "BB")
    assert scenario.steps(0) == 4
    scenario.at(Player("VV"), altar="W")
    scenario.summon("Z38", "VV")
    assert scenario.offers(codes.TAKE_ALTAR) == {"W"}
    scenario.at(Player("R"), altar="R")
    scenario.summon("Z38", "R")
    assert scenario.verbs() == {"PULL", "DECLINE"}


@pytest.mark.rule("OMEGA-SUMMON-06")
def test_summoning_stays_legal_in_the_final_turn() -> None:
    scenario = OmegaScenario().at(
        Player("G"), Player("", {"Z0": "R", "Z1": ""}), ending=Ending.EXHAUSTION, announcer=1, final_turns_left=1
    )
    assert scenario.offers(codes.SUMMON) == {"Z38", "Z39", "Z40", "Z41"}
    assert scenario.offers(codes.CAPTURE) == set()
    scenario.summon("Z38", "G")
    assert scenario.row(0) == ["Z38"]


@pytest.mark.rule("OMEGA-SUMMON-07")
def test_the_vacated_place_stays_empty_until_the_next_upkeep() -> None:
    scenario = OmegaScenario().at(Player("GG"), altar="6R")
    scenario.summon("Z39", "G")
    scenario.place("G", "Z39")
    assert scenario.gallery == ["Z38", None, "Z40", "Z41"]
    scenario.end()
    assert scenario.gallery == ["Z38", None, "Z40", "Z41"]
    scenario.chance()
    assert None not in scenario.gallery


@pytest.mark.rule("OMEGA-CAPTURE-01")
@pytest.mark.parametrize(("load", "needed"), [(0, 1), (1, 2), (3, 4), (8, 9), (9, 10)])
def test_the_batch_is_larger_than_the_load(load: int, needed: int) -> None:
    scenario = OmegaScenario().at(Player(needed * "G"), Player("", {"Z0": "R", "Z1": load * "V"}, mask="Z0"), altar="W")
    scenario.take(codes.CAPTURE, 1, "Z1")
    for number in range(needed):
        assert scenario.verbs() == {"ADD"}
        assert scenario.refused(codes.CONFIRM) == "TOO_FEW", number
        scenario.take(codes.ADD, "G")
    assert scenario.verbs() == {"CONFIRM"}
    scenario.at(Player((needed - 1) * "G"), Player("", {"Z0": "R", "Z1": load * "V"}, mask="Z0"))
    assert scenario.offers(codes.CAPTURE) == set()
    assert scenario.refused(codes.CAPTURE, 1, "Z1") == "NO_BATCH"


@pytest.mark.rule("OMEGA-CAPTURE-02")
def test_blacks_count_for_the_load() -> None:
    scenario = OmegaScenario().at(Player("GGG"), Player("", {"Z0": "R", "Z1": "VVK"}, mask="Z0"))
    assert scenario.refused(codes.CAPTURE, 1, "Z1") == "NO_BATCH"
    scenario.at(Player("GGGG"), Player("", {"Z0": "R", "Z1": "VVK"}, mask="Z0"))
    scenario.capture(1, "Z1", "GGGG")
    assert scenario.verbs() == {"RECOVER"}


@pytest.mark.rule("OMEGA-CAPTURE-03")
def test_the_batch_obeys_the_limits_of_a_summon() -> None:
    scenario = OmegaScenario().at(Player("GGVVBBKKKK"), Player("", {"Z0": "R", "Z1": "RWW"}, mask="Z0"))
    scenario.take(codes.CAPTURE, 1, "Z1")
    # The colours that lie there do not matter, and a black is none of the batch.
    assert scenario.offers(codes.ADD) == {"G", "V", "B"}
    assert scenario.refused(codes.ADD, "K") == "BLACK_NOT_OWN"
    scenario.take(codes.ADD, "G")
    scenario.take(codes.ADD, "V")
    assert scenario.offers(codes.ADD) == {"G", "V"}
    assert scenario.refused(codes.ADD, "B") == "TOO_MANY_COLOURS"
    scenario.batch("GV")
    scenario.recover("R")
    assert scenario.load(0, "Z1") == "GGVV"


@pytest.mark.rule("OMEGA-CAPTURE-03", "OMEGA-PRIMITIVE-01")
def test_a_primitive_is_captured_with_one_colour() -> None:
    scenario = OmegaScenario(cards=PRIMITIVE).at(Player("GGVVV"), Player("", {"Z1": "R", "P": "RR"}, mask="Z1"))
    scenario.take(codes.CAPTURE, 1, "P")
    assert scenario.offers(codes.ADD) == {"V"}
    assert scenario.refused(codes.ADD, "G") == "DEAD_END"
    scenario.at(Player("GGVV"), Player("", {"Z1": "R", "P": "RR"}, mask="Z1"))
    assert scenario.refused(codes.CAPTURE, 1, "P") == "NO_BATCH"
    # Another card with that load could be captured.
    scenario.at(Player("GGVV"), Player("", {"Z1": "R", "Z2": "RR"}, mask="Z1"))
    assert scenario.offers(codes.CAPTURE) == {"1 Z2"}


@pytest.mark.rule("OMEGA-CAPTURE-04")
def test_more_than_needed_may_be_committed_up_to_ten() -> None:
    scenario = OmegaScenario().at(Player("11G"), Player("", {"Z0": "R", "Z1": "V"}, mask="Z0"))
    scenario.take(codes.CAPTURE, 1, "Z1")
    scenario.take(codes.ADD, "G")
    scenario.take(codes.ADD, "G")
    for _ in range(8):
        assert scenario.verbs() == {"ADD", "CONFIRM"}
        scenario.take(codes.ADD, "G")
    assert scenario.verbs() == {"CONFIRM"}
    assert scenario.refused(codes.ADD, "G") == "BATCH_FULL"
    scenario.take(codes.CONFIRM)
    scenario.recover("V")
    assert scenario.load(0, "Z1") == 10 * "G"


@pytest.mark.rule("OMEGA-CAPTURE-05")
def test_a_load_of_ten_cannot_be_captured() -> None:
    scenario = OmegaScenario().at(Player("12G"), Player("", {"Z0": "9R K", "Z1": "9R"}))
    assert scenario.offers(codes.CAPTURE) == {"1 Z1"}
    assert scenario.refused(codes.CAPTURE, 1, "Z0") == "TARGET_FULL"


@pytest.mark.rule("OMEGA-CAPTURE-06", "OMEGA-MASK-01")
def test_the_masked_egregor_cannot_be_captured() -> None:
    scenario = OmegaScenario().at(Player("12G"), Player("", {"Z0": "R", "Z1": "R"}, mask="Z1"))
    assert scenario.offers(codes.CAPTURE) == {"1 Z0"}
    assert scenario.refused(codes.CAPTURE, 1, "Z1") == "TARGET_MASKED"


@pytest.mark.rule("OMEGA-CAPTURE-07")
def test_the_only_egregor_cannot_be_captured() -> None:
    scenario = OmegaScenario(3).at(Player("12G"), Player("", {"Z0": ""}), Player("", {"Z1": "", "Z2": ""}))
    assert scenario.offers(codes.CAPTURE) == {"2 Z1", "2 Z2"}
    assert scenario.refused(codes.CAPTURE, 1, "Z0") == "TARGET_ONLY_ONE"


@pytest.mark.rule("OMEGA-CAPTURE-08")
def test_seat_that_has_lost_an_egregor_loses_no_second_one() -> None:
    rows = {"Z1": "R", "Z2": "R", "Z3": "R"}
    scenario = OmegaScenario(3, start_player=0).at(
        Player("GG", {"Z0": ""}), Player("G", rows), Player("WWVV", {"Z4": ""}), altar="6B"
    )
    scenario.capture(1, "Z1", "GG")
    scenario.recover("R")
    assert scenario.player(1)["lost_egregor"]
    scenario.at(
        Player("GG", {"Z0": "", "Z1": "GG"}),
        Player("G", {"Z2": "R", "Z3": "R"}, lost=True),
        Player("WWVV", {"Z4": ""}),
        active=2,
    )
    assert scenario.offers(codes.CAPTURE) == {"0 Z0", "0 Z1"}
    assert scenario.refused(codes.CAPTURE, 1, "Z2") == "TARGET_LOST_ONE"


@pytest.mark.rule("OMEGA-CAPTURE-09")
def test_no_captures_in_the_final_round() -> None:
    seats = Player("4G"), Player("", {"Z0": "R", "Z1": "R"})
    final = {"ending": Ending.EXHAUSTION, "announcer": 1, "final_turns_left": 1}
    scenario = OmegaScenario().at(*seats, **final)
    assert scenario.offers(codes.CAPTURE) == set()
    assert scenario.refused(codes.CAPTURE, 1, "Z0") == "FINAL_ROUND"
    assert scenario.at(*seats).offers(codes.CAPTURE) == {"1 Z0", "1 Z1"}


@pytest.mark.rule("OMEGA-CAPTURE-10")
def test_a_capture_gives_one_prestige_at_once() -> None:
    scenario = OmegaScenario().at(Player("GG", prestige=2), Player("", {"Z0": "R", "Z1": "R"}, mask="Z0", prestige=1))
    scenario.capture(1, "Z1", "GG")
    # Before the loser has picked.
    assert scenario.verbs() == {"RECOVER"}
    assert [scenario.player(seat)["prestige"] for seat in (0, 1)] == [3, 1]
    assert scenario.event("egregor_gained").prestige == 3
    # A summon gives none.
    scenario.at(Player("G", prestige=2)).summon("Z38", "G")
    assert scenario.player(0)["prestige"] == 2


@pytest.mark.rule("OMEGA-CAPTURE-11")
def test_the_loser_recovers_the_rest_goes_to_the_bag_and_then_the_card_comes() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 1)}).at(
        Player("5G", {"Z5": "R"}), Player("", {"Z1": "R", "A": "RRWK", "Z2": ""}, mask="Z2")
    )
    bag = {rune: scenario.bag(rune) for rune in "KRWG"}
    scenario.capture(1, "A", "5G")
    assert scenario.hand(1) == "W"
    assert scenario.row(0) == ["Z5"]
    assert scenario.row(1) == ["Z1", "A", "Z2"]
    assert scenario.load(1, "A") == "RRK"
    # The batch is shown, and still counts in the pyramid (OMEGA-INV-01).
    assert list(scenario.view(1).batch) == [0, 5, 0, 0, 0, 0]
    scenario.recover("K")
    assert scenario.hand(1) == "WK"
    assert {rune: scenario.bag(rune) for rune in "KRWG"} == {**bag, "R": bag["R"] + 2}
    assert scenario.row(0) == ["Z5", "A"]
    assert scenario.load(0, "A") == "GGGGG" and scenario.hand(0) == ""
    assert scenario.row(1) == ["Z1", "Z2"]
    # The Mask stays on its card.
    assert scenario.masked(1) == "Z2"
    lost = scenario.event("egregor_lost")
    assert (lost.seat, lost.card.name, lost.disowned, list(lost.to_bag)) == (1, "A", False, [0, 0, 2, 0, 0, 0])


@pytest.mark.rule("OMEGA-CAPTURE-12")
def test_the_batch_triggers_afterwards_and_pulls_do_not_help() -> None:
    scenario = OmegaScenario().at(Player("RR"), Player("", {"Z0": "R", "Z1": "BB"}, mask="Z0"), altar="RR")
    # Three are needed; two and a pull are not enough.
    assert scenario.offers(codes.CAPTURE) == set()
    scenario.at(Player("RRR"), Player("", {"Z0": "R", "Z1": "BB"}, mask="Z0"), altar="RR")
    scenario.capture(1, "Z1", "RRR")
    assert scenario.verbs() == {"RECOVER"}
    scenario.recover("B")
    assert scenario.row(0) == ["Z1"]
    assert scenario.verbs() == {"PULL", "DECLINE"}
    scenario.pull()
    assert scenario.load(0, "Z1") == "RRRR"


@pytest.mark.rule("OMEGA-CAPTURE-13")
def test_the_flag_stays_until_the_losers_next_turn() -> None:
    scenario = OmegaScenario(3, set_={"squares": 1000, "eye": 1000}).at(
        Player("GG", {"Z0": ""}),
        Player("", {"Z1": "R", "Z2": "R", "Z3": ""}),
        Player("", {"Z4": ""}),
        altar="6B",
        active=0,
    )
    assert not scenario.player(1)["lost_egregor"]
    scenario.capture(1, "Z1", "GG")
    assert not scenario.player(1)["lost_egregor"]
    scenario.recover("R")
    assert [scenario.player(seat)["lost_egregor"] for seat in range(3)] == [False, True, False]
    assert scenario.view(2).players[1].lost_egregor
    scenario.end()
    # It is the loser's own turn that clears it, at its very start.
    assert scenario.active == 1 and not scenario.player(1)["lost_egregor"]
    scenario.at(Player("", {"Z0": ""}), Player("", {"Z1": "R", "Z2": "R"}, lost=True), Player("", {"Z4": ""}), active=2)
    scenario.end()
    assert scenario.active == 0 and scenario.player(1)["lost_egregor"]


@pytest.mark.rule("OMEGA-CAPTURE-14")
def test_a_capture_is_offered_only_if_a_batch_suffices() -> None:
    rows = {"Z0": "R", "Z1": "VVV"}
    for hand, offered in (
        ("3R B V", True), ("RRBB", True), ("RRBV", False), ("3R 9K", False), ("4W", True), ("RBGVW", False),
    ):  # fmt: skip
        scenario = OmegaScenario().at(Player(hand), Player("", rows, mask="Z0"))
        assert scenario.offers(codes.CAPTURE) == ({"1 Z1"} if offered else set()), hand
        if not offered:
            assert scenario.refused(codes.CAPTURE, 1, "Z1") == "NO_BATCH"


@pytest.mark.rule("OMEGA-CAPTURE-14")
def test_no_rune_leads_to_a_dead_end() -> None:
    scenario = OmegaScenario().at(Player("RRR BB V"), Player("", {"Z0": "R", "Z1": "3V K"}, mask="Z0"))
    scenario.take(codes.CAPTURE, 1, "Z1")
    assert scenario.offers(codes.ADD) == {"R", "B"}
    assert scenario.refused(codes.ADD, "V") == "DEAD_END"
    scenario.take(codes.ADD, "B")
    assert scenario.offers(codes.ADD) == {"R", "B"}
    assert scenario.refused(codes.ADD, "V") == "DEAD_END"
    assert scenario.refused(codes.ADD, "W") == "NO_SUCH_RUNE"


def test_the_order_of_resolution_of_a_capture() -> None:
    """Section 4.2: Prestige, whites, picks, bag, flag, card, Mask, triggers, lightning."""
    scenario = OmegaScenario(cards={"A": F(1, 1, lightning(("advance", 1)))}).at(
        Player("3B VV"), Player("", {"Z1": "R", "A": "WRR"}, mask="Z1"), altar="W"
    )
    scenario.take(codes.CAPTURE, 1, "A")
    scenario.events.clear()
    scenario.batch("BBBVV")
    assert scenario.kinds() == ["egregor_gained", "runes_recovered"]
    scenario.recover("R")
    assert scenario.kinds()[2:] == ["runes_recovered", "egregor_lost", "mask_moved", "pawn_advanced"]
    assert scenario.state.pending is not None and scenario.state.pending[0] == FrameKind.DRAW
    scenario.altar_rune("W")
    assert scenario.kinds()[6:] == ["rune_drawn", "power_used", "pawn_advanced"]
    assert scenario.masked(0) == "A"
    assert scenario.steps(0) == 7
