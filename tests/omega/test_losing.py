"""Recovery and disowning: sections 4.3 and 4.4 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from tests.omega.fixtures import F
from tests.omega.scenario import OmegaScenario, Player

SNAKES = {f"S{snake}": F(snake) for snake in range(6)}


def disowning(snake: int, load: str, **options: object) -> OmegaScenario:
    """Returns a scenario in which seat 0 has just disowned a card with this snake number and load."""
    name = f"S{snake}"
    scenario = OmegaScenario(cards=SNAKES, **options).at(Player("", {name: load, "Z9": "R"}), gained="Z9")
    scenario.take(codes.DISOWN, name)
    return scenario


def losing(snake: int, load: str, **options: object) -> OmegaScenario:
    """Returns a scenario in which seat 1 has just lost such a card by a capture."""
    name = f"S{snake}"
    scenario = OmegaScenario(cards=SNAKES, **options).at(Player("10G"), Player("", {name: load, "Z9": ""}, mask="Z9"))
    scenario.capture(1, name, (len(load) + 1) * "G")
    return scenario


@pytest.mark.rule("OMEGA-RECOVER-01", "OMEGA-WHITE-01")
@pytest.mark.parametrize(("loss", "seat"), [(disowning, 0), (losing, 1)])
def test_all_whites_come_back_whatever_the_snake_number(loss: object, seat: int) -> None:
    scenario = loss(0, "WWWBB")  # type: ignore[operator]
    assert scenario.state.pending is None
    assert scenario.hand(seat).replace("G", "") == "WWW"
    recovered = [event.runes_recovered for event in scenario.events if event.WhichOneof("event") == "runes_recovered"]
    assert [(event.seat, list(event.runes)) for event in recovered] == [(seat, [0, 0, 0, 0, 3, 0])]
    assert list(scenario.event("egregor_lost").to_bag) == [2, 0, 0, 0, 0, 0]


@pytest.mark.rule("OMEGA-RECOVER-02")
@pytest.mark.parametrize(("loss", "seat"), [(disowning, 0), (losing, 1)])
def test_the_snake_number_is_picked_of_the_others(loss: object, seat: int) -> None:
    scenario = loss(1, "WWWBB")  # type: ignore[operator]
    assert scenario.state.actor() == seat
    assert scenario.offers(codes.RECOVER) == {"B"}
    # The whites are on top of it, and exactly so many are picked.
    assert scenario.refused(codes.RECOVER, "W") == "NO_SUCH_RUNE"
    assert scenario.refused(codes.STOP) == "COMPULSORY"
    bag = scenario.bag("B")
    scenario.recover("B")
    assert scenario.hand(seat).replace("G", "") == "BWWW"
    assert scenario.bag("B") == bag + 1
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-RECOVER-03")
def test_picks_may_be_of_any_type_but_white_blacks_included() -> None:
    scenario = disowning(2, "BBWK")
    assert scenario.offers(codes.RECOVER) == {"B", "K"}
    scenario.recover("K")
    assert scenario.offers(codes.RECOVER) == {"B"}
    assert scenario.refused(codes.RECOVER, "K") == "NO_SUCH_RUNE"
    scenario.recover("B")
    # The black, whoever placed it, is the picker's own now.
    assert scenario.hand(0) == "BWK"


@pytest.mark.rule("OMEGA-RECOVER-04")
@pytest.mark.parametrize(("loss", "seat"), [(disowning, 0), (losing, 1)])
def test_a_snake_number_above_the_count_recovers_everything(loss: object, seat: int) -> None:
    scenario = loss(5, "WWBK")  # type: ignore[operator]
    bag = scenario.bag_size
    # No debt: two picks are left, not five.
    assert scenario.view().remaining == 2
    scenario.recover("BK")
    assert scenario.hand(seat).replace("G", "") == "BWWK"
    assert scenario.bag_size == bag
    assert scenario.state.pending is None
    assert list(scenario.event("egregor_lost").to_bag) == [0] * 6


@pytest.mark.rule("OMEGA-RECOVER-05")
def test_the_rest_goes_to_the_bag_at_once_and_can_be_drawn() -> None:
    scenario = OmegaScenario(cards=SNAKES).at(
        Player("VV", {"S0": "BGG", "Z9": "R"}), altar="", bag="W", rest=1, gained="Z9"
    )
    scenario.disown("S0")
    assert [scenario.bag(rune) for rune in "BGW"] == [1, 2, 1]
    scenario.pair("Z9", "Z9")
    scenario.bag_rune("G")
    assert "G" in scenario.hand(0)


@pytest.mark.rule("OMEGA-RECOVER-06")
def test_recovered_runes_are_placed_again_and_trigger_again() -> None:
    scenario = OmegaScenario(cards=SNAKES).at(Player("", {"S3": "BBR", "Z9": "B"}), altar="R", gained="Z9")
    scenario.disown("S3", "BBR")
    scenario.place("B", "Z9")
    scenario.place("B", "Z9")
    assert scenario.steps(0) == 4
    scenario.place("R", "Z9")
    scenario.pull()
    assert scenario.load(0, "Z9") == "BBBRR"


@pytest.mark.rule("OMEGA-DISOWN-01")
def test_nothing_is_disowned_before_a_gain_of_the_same_turn() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R", "Z1": "R"}), altar="6R")
    assert scenario.offers(codes.DISOWN) == set()
    assert scenario.refused(codes.DISOWN, "Z0") == "NOT_GAINED_YET"
    scenario.summon("Z38", "G")
    assert scenario.offers(codes.DISOWN) == {"Z0", "Z1"}
    scenario.end()
    scenario.chance()
    scenario.finish_turn()
    scenario.altar_rune("R")
    # Another turn: the gain of the last one is none of this.
    assert scenario.active == 0 and len(scenario.row(0)) == 3
    assert scenario.refused(codes.DISOWN, "Z0") == "NOT_GAINED_YET"


@pytest.mark.rule("OMEGA-DISOWN-01")
def test_a_capture_is_a_gain_too() -> None:
    scenario = OmegaScenario().at(Player("GG", {"Z0": "R"}), Player("", {"Z1": "", "Z2": ""}, mask="Z2"))
    scenario.capture(1, "Z1", "G")
    assert scenario.offers(codes.DISOWN) == {"Z0"}


@pytest.mark.rule("OMEGA-DISOWN-02")
def test_egregor_gained_in_this_turn_cannot_be_disowned() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R"}))
    scenario.summon("Z38", "G")
    assert scenario.offers(codes.DISOWN) == {"Z0"}
    assert scenario.refused(codes.DISOWN, "Z38") == "JUST_GAINED"
    # With the new one alone there is nothing to disown.
    scenario.at(Player("G")).summon("Z38", "G")
    assert scenario.offers(codes.DISOWN) == set()
    assert scenario.refused(codes.DISOWN, "Z38") == "JUST_GAINED"


@pytest.mark.rule("OMEGA-DISOWN-03")
def test_only_one_egregor_is_disowned_in_a_turn() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R", "Z1": "R", "Z2": "R"}))
    scenario.summon("Z38", "G")
    scenario.disown("Z1", "R")
    assert scenario.offers(codes.DISOWN) == set()
    assert scenario.refused(codes.DISOWN, "Z0") == "ALREADY_DISOWNED"
    assert scenario.row(0) == ["Z0", "Z2", "Z38"]


@pytest.mark.rule("OMEGA-DISOWN-04")
def test_disowning_is_compulsory_with_five_egregors_and_optional_otherwise() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R", "Z1": "R"}), altar="6R")
    scenario.summon("Z38", "G")
    assert scenario.offers(codes.DISOWN) == {"Z0", "Z1"}
    assert "END_MAIN" in scenario.verbs()
    scenario.at(Player("G", {f"Z{n}": "R" for n in range(4)}))
    scenario.summon("Z38", "G")
    assert scenario.offers(codes.DISOWN) == {"Z0", "Z1", "Z2", "Z3"}
    assert "END_MAIN" not in scenario.verbs()


@pytest.mark.rule("OMEGA-DISOWN-05")
def test_the_card_goes_face_up_to_the_discard_pile() -> None:
    scenario = disowning(1, "BR")
    assert scenario.pile("discard") == set()
    scenario.recover("R")
    assert scenario.pile("discard") == {"S1"}
    assert list(scenario.view().discard) == [scenario.card("S1")]
    assert scenario.row(0) == ["Z9"]
    lost = scenario.event("egregor_lost")
    assert (lost.seat, lost.card.name, lost.disowned) == (0, "S1", True)


@pytest.mark.rule("OMEGA-DISOWN-06")
def test_mask_of_a_disowned_egregor_returns_to_the_reserve() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R", "Z1": ""}, mask="Z0"))
    scenario.summon("Z38", "G")
    scenario.disown("Z0", "R")
    assert scenario.masked(0) is None
    assert scenario.event("mask_moved").seat == 0 and not scenario.event("mask_moved").HasField("place")
    assert scenario.offers(codes.MASK) == {"Z1", "Z38"}
    scenario.mask("Z38")
    assert scenario.masked(0) == "Z38"


@pytest.mark.rule("OMEGA-DISOWN-06")
def test_a_mask_elsewhere_stays_on_its_card() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "R", "Z1": "", "Z2": ""}, mask="Z2"))
    scenario.summon("Z38", "G")
    scenario.disown("Z0", "R")
    assert scenario.masked(0) == "Z2"
    scenario.at(Player("G", {"Z0": "R", "Z1": "", "Z2": ""}, mask="Z0"))
    scenario.summon("Z38", "G")
    scenario.disown("Z1")
    assert scenario.masked(0) == "Z0"
