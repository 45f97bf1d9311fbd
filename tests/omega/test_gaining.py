"""Summoning and capturing: sections 4.1 and 4.2 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending, Frame
from tests.omega.fixtures import F, flash
from tests.omega.tables import Player, Table

PRIMITIVE = {"P": F(1, 1, primitive=True)}


@pytest.mark.rule("OMEGA-SUMMON-01")
def test_a_summon_takes_a_card_of_the_gallery_and_one_to_ten_runes() -> None:
    table = Table().at(Player("12G 2V", {"Z0": "G"}), altar="RRRRRR")
    table.take(codes.SUMMON, "Z39")
    # Nothing has been paid yet, and one rune at least must be.
    assert table.refused(codes.CONFIRM) == "TOO_FEW"
    for number in range(10):
        assert (number > 0) == ("CONFIRM" in table.verbs())
        table.take(codes.ADD, "G")
    assert table.hand(0) == 12 * "G" + "VV"
    assert table.verbs() == {"CONFIRM"}
    assert table.refused(codes.ADD, "G") == "BATCH_FULL"
    table.take(codes.CONFIRM)
    assert table.row(0) == ["Z0", "Z39"]
    assert table.load(0, "Z39") == 10 * "G"
    assert table.hand(0) == "GGVV"
    assert table.gallery == ["Z38", None, "Z40", "Z41"]
    gained = table.event("egregor_gained")
    assert (gained.seat, gained.card.name, list(gained.batch)) == (0, "Z39", [0, 10, 0, 0, 0, 0])
    assert not gained.HasField("loser")


@pytest.mark.rule("OMEGA-SUMMON-01")
def test_an_empty_slot_and_an_empty_pyramid_offer_nothing() -> None:
    table = Table().at(Player("G"), gallery=("Z38", None, "Z40", None))
    assert table.offers(codes.SUMMON) == {"Z38", "Z40"}
    assert table.refused(codes.SUMMON, 1) == "NO_SUCH_CARD"
    table.at(Player(""))
    assert table.offers(codes.SUMMON) == set()
    assert table.refused(codes.SUMMON, 0) == "NO_BATCH"


@pytest.mark.rule("OMEGA-SUMMON-02")
def test_a_batch_has_no_black() -> None:
    table = Table().at(Player("GKK"))
    table.take(codes.SUMMON, "Z38")
    assert table.offers(codes.ADD) == {"G"}
    assert table.refused(codes.ADD, "K") == "BLACK_NOT_OWN"
    # With blacks alone no card is summoned.
    table.at(Player("KKK"))
    assert table.refused(codes.SUMMON, "Z38") == "NO_BATCH"


@pytest.mark.rule("OMEGA-SUMMON-03")
def test_a_batch_has_two_colours_at_most() -> None:
    table = Table().at(Player("GVBB"))
    table.take(codes.SUMMON, "Z38")
    assert table.offers(codes.ADD) == {"G", "V", "B"}
    table.take(codes.ADD, "B")
    assert table.offers(codes.ADD) == {"G", "V", "B"}
    table.take(codes.ADD, "V")
    assert table.offers(codes.ADD) == {"B"}
    assert table.refused(codes.ADD, "G") == "TOO_MANY_COLOURS"
    assert table.refused(codes.ADD, "V") == "NO_SUCH_RUNE"


@pytest.mark.rule("OMEGA-SUMMON-03", "OMEGA-PRIMITIVE-01")
def test_a_batch_for_a_primitive_has_one_colour() -> None:
    table = Table(cards=PRIMITIVE).at(Player("GVBB"), gallery=("P", None, None, None))
    table.take(codes.SUMMON, "P")
    table.take(codes.ADD, "B")
    assert table.offers(codes.ADD) == {"B"}
    assert table.refused(codes.ADD, "V") == "TOO_MANY_COLOURS"
    table.take(codes.ADD, "B")
    table.take(codes.CONFIRM)
    assert table.load(0, "P") == "BB"


@pytest.mark.rule("OMEGA-SUMMON-04")
@pytest.mark.parametrize("colour", ["B", "G", "R", "V", "W"])
def test_a_single_rune_of_any_colour_summons_any_card(colour: str) -> None:
    table = Table(cards={"A": F(10, 9, flash(("draw", 4)))}).at(Player(colour), gallery=("A", "Z39", "Z40", "Z41"))
    assert table.offers(codes.SUMMON) == {"A", "Z39", "Z40", "Z41"}
    table.summon("A", colour)
    assert table.load(0, "A") == colour


@pytest.mark.rule("OMEGA-SUMMON-05")
def test_the_batch_triggers() -> None:
    table = Table().at(Player("BB"))
    table.summon("Z38", "BB")
    assert table.steps(0) == 4
    table.at(Player("VV"), altar="W")
    table.summon("Z38", "VV")
    assert table.offers(codes.TAKE_ALTAR) == {"W"}
    table.at(Player("R"), altar="R")
    table.summon("Z38", "R")
    assert table.verbs() == {"PULL", "DECLINE"}


@pytest.mark.rule("OMEGA-SUMMON-06")
def test_summoning_stays_legal_in_the_final_turn() -> None:
    table = Table().at(
        Player("G"), Player("", {"Z0": "R", "Z1": ""}), ending=Ending.EXHAUSTION, announcer=1, final_turns_left=1
    )
    assert table.offers(codes.SUMMON) == {"Z38", "Z39", "Z40", "Z41"}
    assert table.offers(codes.CAPTURE) == set()
    table.summon("Z38", "G")
    assert table.row(0) == ["Z38"]


@pytest.mark.rule("OMEGA-SUMMON-07")
def test_the_vacated_place_stays_empty_until_the_next_upkeep() -> None:
    table = Table().at(Player("GG"), altar="6R")
    table.summon("Z39", "G")
    table.place("G", "Z39")
    assert table.gallery == ["Z38", None, "Z40", "Z41"]
    table.end()
    assert table.gallery == ["Z38", None, "Z40", "Z41"]
    table.chance()
    assert None not in table.gallery


@pytest.mark.rule("OMEGA-CAPTURE-01")
@pytest.mark.parametrize(("load", "needed"), [(0, 1), (1, 2), (3, 4), (8, 9), (9, 10)])
def test_the_batch_is_larger_than_the_load(load: int, needed: int) -> None:
    table = Table().at(Player(needed * "G"), Player("", {"Z0": "R", "Z1": load * "V"}, mask="Z0"), altar="W")
    table.take(codes.CAPTURE, 1, "Z1")
    for number in range(needed):
        assert table.verbs() == {"ADD"}
        assert table.refused(codes.CONFIRM) == "TOO_FEW", number
        table.take(codes.ADD, "G")
    assert table.verbs() == {"CONFIRM"}
    table.at(Player((needed - 1) * "G"), Player("", {"Z0": "R", "Z1": load * "V"}, mask="Z0"))
    assert table.offers(codes.CAPTURE) == set()
    assert table.refused(codes.CAPTURE, 1, "Z1") == "NO_BATCH"


@pytest.mark.rule("OMEGA-CAPTURE-02")
def test_blacks_count_for_the_load() -> None:
    table = Table().at(Player("GGG"), Player("", {"Z0": "R", "Z1": "VVK"}, mask="Z0"))
    assert table.refused(codes.CAPTURE, 1, "Z1") == "NO_BATCH"
    table.at(Player("GGGG"), Player("", {"Z0": "R", "Z1": "VVK"}, mask="Z0"))
    table.capture(1, "Z1", "GGGG")
    assert table.verbs() == {"RECOVER"}


@pytest.mark.rule("OMEGA-CAPTURE-03")
def test_the_batch_obeys_the_limits_of_a_summon() -> None:
    table = Table().at(Player("GGVVBBKKKK"), Player("", {"Z0": "R", "Z1": "RWW"}, mask="Z0"))
    table.take(codes.CAPTURE, 1, "Z1")
    # The colours that lie there do not matter, and a black is none of the batch.
    assert table.offers(codes.ADD) == {"G", "V", "B"}
    assert table.refused(codes.ADD, "K") == "BLACK_NOT_OWN"
    table.take(codes.ADD, "G")
    table.take(codes.ADD, "V")
    assert table.offers(codes.ADD) == {"G", "V"}
    assert table.refused(codes.ADD, "B") == "TOO_MANY_COLOURS"
    table.batch("GV")
    table.recover("R")
    assert table.load(0, "Z1") == "GGVV"


@pytest.mark.rule("OMEGA-CAPTURE-03", "OMEGA-PRIMITIVE-01")
def test_a_primitive_is_captured_with_one_colour() -> None:
    table = Table(cards=PRIMITIVE).at(Player("GGVVV"), Player("", {"Z1": "R", "P": "RR"}, mask="Z1"))
    table.take(codes.CAPTURE, 1, "P")
    assert table.offers(codes.ADD) == {"V"}
    assert table.refused(codes.ADD, "G") == "DEAD_END"
    table.at(Player("GGVV"), Player("", {"Z1": "R", "P": "RR"}, mask="Z1"))
    assert table.refused(codes.CAPTURE, 1, "P") == "NO_BATCH"
    # Another card with that load could be captured.
    table.at(Player("GGVV"), Player("", {"Z1": "R", "Z2": "RR"}, mask="Z1"))
    assert table.offers(codes.CAPTURE) == {"1 Z2"}


@pytest.mark.rule("OMEGA-CAPTURE-04")
def test_more_than_needed_may_be_committed_up_to_ten() -> None:
    table = Table().at(Player("11G"), Player("", {"Z0": "R", "Z1": "V"}, mask="Z0"))
    table.take(codes.CAPTURE, 1, "Z1")
    table.take(codes.ADD, "G")
    table.take(codes.ADD, "G")
    for _ in range(8):
        assert table.verbs() == {"ADD", "CONFIRM"}
        table.take(codes.ADD, "G")
    assert table.verbs() == {"CONFIRM"}
    assert table.refused(codes.ADD, "G") == "BATCH_FULL"
    table.take(codes.CONFIRM)
    table.recover("V")
    assert table.load(0, "Z1") == 10 * "G"


@pytest.mark.rule("OMEGA-CAPTURE-05")
def test_a_load_of_ten_cannot_be_captured() -> None:
    table = Table().at(Player("12G"), Player("", {"Z0": "9R K", "Z1": "9R"}))
    assert table.offers(codes.CAPTURE) == {"1 Z1"}
    assert table.refused(codes.CAPTURE, 1, "Z0") == "TARGET_FULL"


@pytest.mark.rule("OMEGA-CAPTURE-06", "OMEGA-MASK-01")
def test_the_masked_one_cannot_be_captured() -> None:
    table = Table().at(Player("12G"), Player("", {"Z0": "R", "Z1": "R"}, mask="Z1"))
    assert table.offers(codes.CAPTURE) == {"1 Z0"}
    assert table.refused(codes.CAPTURE, 1, "Z1") == "TARGET_MASKED"


@pytest.mark.rule("OMEGA-CAPTURE-07")
def test_the_only_one_cannot_be_captured() -> None:
    table = Table(3).at(Player("12G"), Player("", {"Z0": ""}), Player("", {"Z1": "", "Z2": ""}))
    assert table.offers(codes.CAPTURE) == {"2 Z1", "2 Z2"}
    assert table.refused(codes.CAPTURE, 1, "Z0") == "TARGET_ONLY_ONE"


@pytest.mark.rule("OMEGA-CAPTURE-08")
def test_who_has_lost_one_loses_no_second_one_to_anybody() -> None:
    rows = {"Z1": "R", "Z2": "R", "Z3": "R"}
    table = Table(3, start_player=0).at(
        Player("GG", {"Z0": ""}), Player("G", rows), Player("WWVV", {"Z4": ""}), altar="6B"
    )
    table.capture(1, "Z1", "GG")
    table.recover("R")
    assert table.player(1)["lost"]
    table.at(
        Player("GG", {"Z0": "", "Z1": "GG"}),
        Player("G", {"Z2": "R", "Z3": "R"}, lost=True),
        Player("WWVV", {"Z4": ""}),
        active=2,
    )
    assert table.offers(codes.CAPTURE) == {"0 Z0", "0 Z1"}
    assert table.refused(codes.CAPTURE, 1, "Z2") == "TARGET_LOST_ONE"


@pytest.mark.rule("OMEGA-CAPTURE-09")
def test_no_captures_in_the_final_round() -> None:
    seats = Player("4G"), Player("", {"Z0": "R", "Z1": "R"})
    final = {"ending": Ending.EXHAUSTION, "announcer": 1, "final_turns_left": 1}
    table = Table().at(*seats, **final)
    assert table.offers(codes.CAPTURE) == set()
    assert table.refused(codes.CAPTURE, 1, "Z0") == "FINAL_ROUND"
    assert table.at(*seats).offers(codes.CAPTURE) == {"1 Z0", "1 Z1"}


@pytest.mark.rule("OMEGA-CAPTURE-10")
def test_a_capture_gives_one_prestige_at_once() -> None:
    table = Table().at(Player("GG", prestige=2), Player("", {"Z0": "R", "Z1": "R"}, mask="Z0", prestige=1))
    table.capture(1, "Z1", "GG")
    # Before the loser has picked.
    assert table.verbs() == {"RECOVER"}
    assert [table.player(seat)["prestige"] for seat in (0, 1)] == [3, 1]
    assert table.event("egregor_gained").prestige == 3
    # A summon gives none.
    table.at(Player("G", prestige=2)).summon("Z38", "G")
    assert table.player(0)["prestige"] == 2


@pytest.mark.rule("OMEGA-CAPTURE-11")
def test_the_loser_recovers_the_rest_goes_to_the_bag_and_then_the_card_comes() -> None:
    table = Table(cards={"A": F(1, 1)}).at(
        Player("5G", {"Z5": "R"}), Player("", {"Z1": "R", "A": "RRWK", "Z2": ""}, mask="Z2")
    )
    bag = {rune: table.bag(rune) for rune in "KRWG"}
    table.capture(1, "A", "5G")
    assert table.hand(1) == "W"
    assert table.row(0) == ["Z5"]
    assert table.row(1) == ["Z1", "A", "Z2"]
    assert table.load(1, "A") == "RRK"
    # The batch is shown, and still counts in the pyramid (OMEGA-INV-01).
    assert list(table.view(1).batch) == [0, 5, 0, 0, 0, 0]
    table.recover("K")
    assert table.hand(1) == "WK"
    assert {rune: table.bag(rune) for rune in "KRWG"} == {**bag, "R": bag["R"] + 2}
    assert table.row(0) == ["Z5", "A"]
    assert table.load(0, "A") == "GGGGG" and table.hand(0) == ""
    assert table.row(1) == ["Z1", "Z2"]
    # The Mask stays on its card.
    assert table.masked(1) == "Z2"
    lost = table.event("egregor_lost")
    assert (lost.seat, lost.card.name, lost.disowned, list(lost.to_bag)) == (1, "A", False, [0, 0, 2, 0, 0, 0])


@pytest.mark.rule("OMEGA-CAPTURE-12")
def test_the_batch_triggers_afterwards_and_pulls_do_not_help() -> None:
    table = Table().at(Player("RR"), Player("", {"Z0": "R", "Z1": "BB"}, mask="Z0"), altar="RR")
    # Three are needed; two and a pull are not enough.
    assert table.offers(codes.CAPTURE) == set()
    table.at(Player("RRR"), Player("", {"Z0": "R", "Z1": "BB"}, mask="Z0"), altar="RR")
    table.capture(1, "Z1", "RRR")
    assert table.verbs() == {"RECOVER"}
    table.recover("B")
    assert table.row(0) == ["Z1"]
    assert table.verbs() == {"PULL", "DECLINE"}
    table.pull()
    assert table.load(0, "Z1") == "RRRR"


@pytest.mark.rule("OMEGA-CAPTURE-13")
def test_the_flag_stays_until_the_losers_next_turn() -> None:
    table = Table(3, set_={"squares": 1000, "eye": 1000}).at(
        Player("GG", {"Z0": ""}),
        Player("", {"Z1": "R", "Z2": "R", "Z3": ""}),
        Player("", {"Z4": ""}),
        altar="6B",
        active=0,
    )
    assert not table.player(1)["lost"]
    table.capture(1, "Z1", "GG")
    assert not table.player(1)["lost"]
    table.recover("R")
    assert [table.player(seat)["lost"] for seat in range(3)] == [False, True, False]
    assert table.view(2).players[1].lost_one
    table.end()
    # It is the loser's own turn that clears it, at its very start.
    assert table.active == 1 and not table.player(1)["lost"]
    table.at(Player("", {"Z0": ""}), Player("", {"Z1": "R", "Z2": "R"}, lost=True), Player("", {"Z4": ""}), active=2)
    table.end()
    assert table.active == 0 and table.player(1)["lost"]


@pytest.mark.rule("OMEGA-CAPTURE-14")
def test_a_capture_is_offered_only_if_a_batch_suffices() -> None:
    rows = {"Z0": "R", "Z1": "VVV"}
    for hand, offered in (
        ("3R B V", True), ("RRBB", True), ("RRBV", False), ("3R 9K", False), ("4W", True), ("RBGVW", False),
    ):  # fmt: skip
        table = Table().at(Player(hand), Player("", rows, mask="Z0"))
        assert table.offers(codes.CAPTURE) == ({"1 Z1"} if offered else set()), hand
        if not offered:
            assert table.refused(codes.CAPTURE, 1, "Z1") == "NO_BATCH"


@pytest.mark.rule("OMEGA-CAPTURE-14")
def test_no_rune_leads_to_a_dead_end() -> None:
    table = Table().at(Player("RRR BB V"), Player("", {"Z0": "R", "Z1": "3V K"}, mask="Z0"))
    table.take(codes.CAPTURE, 1, "Z1")
    assert table.offers(codes.ADD) == {"R", "B"}
    assert table.refused(codes.ADD, "V") == "DEAD_END"
    table.take(codes.ADD, "B")
    assert table.offers(codes.ADD) == {"R", "B"}
    assert table.refused(codes.ADD, "V") == "DEAD_END"
    assert table.refused(codes.ADD, "W") == "NO_SUCH_RUNE"


def test_the_order_of_resolution_of_a_capture() -> None:
    """Section 4.2: Prestige, whites, picks, bag, flag, card, Mask, triggers, lightning."""
    table = Table(cards={"A": F(1, 1, flash(("advance", 1)))}).at(
        Player("3B VV"), Player("", {"Z1": "R", "A": "WRR"}, mask="Z1"), altar="W"
    )
    table.take(codes.CAPTURE, 1, "A")
    table.events.clear()
    table.batch("BBBVV")
    assert table.kinds() == ["egregor_gained", "runes_recovered"]
    table.recover("R")
    assert table.kinds()[2:] == ["runes_recovered", "egregor_lost", "mask_moved", "pawn_advanced"]
    assert table.state.pending is not None and table.state.pending[0] == Frame.DRAW
    table.altar_rune("W")
    assert table.kinds()[6:] == ["rune_drawn", "power_used", "pawn_advanced"]
    assert table.masked(0) == "A"
    assert table.steps(0) == 7
