"""Recovery and disowning: sections 4.3 and 4.4 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from tests.omega.fixtures import F
from tests.omega.tables import Player, Table

SNAKES = {f"S{snake}": F(snake) for snake in range(6)}


def disowning(snake: int, load: str, **options: object) -> Table:
    """A table on which seat 0 has just disowned a card with that snake number and load."""
    name = f"S{snake}"
    table = Table(cards=SNAKES, **options).at(Player("", {name: load, "Z9": "R"}), gained="Z9")
    table.take(codes.DISOWN, name)
    return table


def losing(snake: int, load: str, **options: object) -> Table:
    """The same by capture: seat 1 loses it."""
    name = f"S{snake}"
    table = Table(cards=SNAKES, **options).at(Player("10G"), Player("", {name: load, "Z9": ""}, mask="Z9"))
    table.capture(1, name, (len(load) + 1) * "G")
    return table


@pytest.mark.rule("OMEGA-RECOVER-01", "OMEGA-WHITE-01")
@pytest.mark.parametrize(("loss", "seat"), [(disowning, 0), (losing, 1)])
def test_all_whites_come_back_whatever_the_snake_number(loss: object, seat: int) -> None:
    table = loss(0, "WWWBB")  # type: ignore[operator]
    assert table.state.pending is None
    assert table.hand(seat).replace("G", "") == "WWW"
    recovered = [event.runes_recovered for event in table.events if event.WhichOneof("event") == "runes_recovered"]
    assert [(event.seat, list(event.runes)) for event in recovered] == [(seat, [0, 0, 0, 0, 3, 0])]
    assert list(table.event("egregor_lost").to_bag) == [2, 0, 0, 0, 0, 0]


@pytest.mark.rule("OMEGA-RECOVER-02")
@pytest.mark.parametrize(("loss", "seat"), [(disowning, 0), (losing, 1)])
def test_the_snake_number_is_picked_of_the_others(loss: object, seat: int) -> None:
    table = loss(1, "WWWBB")  # type: ignore[operator]
    assert table.state.actor() == seat
    assert table.offers(codes.RECOVER) == {"B"}
    # The whites are on top of it, and exactly so many are picked.
    assert table.refused(codes.RECOVER, "W") == "NO_SUCH_RUNE"
    assert table.refused(codes.STOP) == "COMPULSORY"
    bag = table.bag("B")
    table.recover("B")
    assert table.hand(seat).replace("G", "") == "BWWW"
    assert table.bag("B") == bag + 1
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-RECOVER-03")
def test_picks_may_be_of_any_type_but_white_blacks_included() -> None:
    table = disowning(2, "BBWK")
    assert table.offers(codes.RECOVER) == {"B", "K"}
    table.recover("K")
    assert table.offers(codes.RECOVER) == {"B"}
    assert table.refused(codes.RECOVER, "K") == "NO_SUCH_RUNE"
    table.recover("B")
    # The black, whoever placed it, is the picker's own now.
    assert table.hand(0) == "BWK"


@pytest.mark.rule("OMEGA-RECOVER-04")
@pytest.mark.parametrize(("loss", "seat"), [(disowning, 0), (losing, 1)])
def test_a_snake_number_above_the_count_recovers_everything(loss: object, seat: int) -> None:
    table = loss(5, "WWBK")  # type: ignore[operator]
    bag = table.bag_size
    # No debt: two picks are left, not five.
    assert table.view().left == 2
    table.recover("BK")
    assert table.hand(seat).replace("G", "") == "BWWK"
    assert table.bag_size == bag
    assert table.state.pending is None
    assert list(table.event("egregor_lost").to_bag) == [0] * 6


@pytest.mark.rule("OMEGA-RECOVER-05")
def test_the_rest_goes_to_the_bag_at_once_and_can_be_drawn() -> None:
    table = Table(cards=SNAKES).at(Player("VV", {"S0": "BGG", "Z9": "R"}), altar="", bag="W", rest=1, gained="Z9")
    table.disown("S0")
    assert [table.bag(rune) for rune in "BGW"] == [1, 2, 1]
    table.pair("Z9", "Z9")
    table.bag_rune("G")
    assert "G" in table.hand(0)


@pytest.mark.rule("OMEGA-RECOVER-06")
def test_recovered_runes_are_placed_again_and_trigger_again() -> None:
    table = Table(cards=SNAKES).at(Player("", {"S3": "BBR", "Z9": "B"}), altar="R", gained="Z9")
    table.disown("S3", "BBR")
    table.place("B", "Z9")
    table.place("B", "Z9")
    assert table.steps(0) == 4
    table.place("R", "Z9")
    table.pull()
    assert table.load(0, "Z9") == "BBBRR"


@pytest.mark.rule("OMEGA-DISOWN-01")
def test_nothing_is_disowned_before_a_gain_of_the_same_turn() -> None:
    table = Table().at(Player("G", {"Z0": "R", "Z1": "R"}), altar="6R")
    assert table.offers(codes.DISOWN) == set()
    assert table.refused(codes.DISOWN, "Z0") == "NOT_GAINED_YET"
    table.summon("Z38", "G")
    assert table.offers(codes.DISOWN) == {"Z0", "Z1"}
    table.end()
    table.chance()
    table.finish_turn()
    table.altar_rune("R")
    # Another turn: the gain of the last one is none of this.
    assert table.active == 0 and len(table.row(0)) == 3
    assert table.refused(codes.DISOWN, "Z0") == "NOT_GAINED_YET"


@pytest.mark.rule("OMEGA-DISOWN-01")
def test_a_capture_is_a_gain_too() -> None:
    table = Table().at(Player("GG", {"Z0": "R"}), Player("", {"Z1": "", "Z2": ""}, mask="Z2"))
    table.capture(1, "Z1", "G")
    assert table.offers(codes.DISOWN) == {"Z0"}


@pytest.mark.rule("OMEGA-DISOWN-02")
def test_never_the_one_gained_in_this_turn() -> None:
    table = Table().at(Player("G", {"Z0": "R"}))
    table.summon("Z38", "G")
    assert table.offers(codes.DISOWN) == {"Z0"}
    assert table.refused(codes.DISOWN, "Z38") == "JUST_GAINED"
    # With the new one alone there is nothing to disown.
    table.at(Player("G")).summon("Z38", "G")
    assert table.offers(codes.DISOWN) == set()
    assert table.refused(codes.DISOWN, "Z38") == "JUST_GAINED"


@pytest.mark.rule("OMEGA-DISOWN-03")
def test_one_in_a_turn() -> None:
    table = Table().at(Player("G", {"Z0": "R", "Z1": "R", "Z2": "R"}))
    table.summon("Z38", "G")
    table.disown("Z1", "R")
    assert table.offers(codes.DISOWN) == set()
    assert table.refused(codes.DISOWN, "Z0") == "ALREADY_DISOWNED"
    assert table.row(0) == ["Z0", "Z2", "Z38"]


@pytest.mark.rule("OMEGA-DISOWN-04")
def test_compulsory_with_five_optional_otherwise() -> None:
    table = Table().at(Player("G", {"Z0": "R", "Z1": "R"}), altar="6R")
    table.summon("Z38", "G")
    assert table.offers(codes.DISOWN) == {"Z0", "Z1"}
    assert "END_MAIN" in table.verbs()
    table.at(Player("G", {f"Z{n}": "R" for n in range(4)}))
    table.summon("Z38", "G")
    assert table.offers(codes.DISOWN) == {"Z0", "Z1", "Z2", "Z3"}
    assert "END_MAIN" not in table.verbs()


@pytest.mark.rule("OMEGA-DISOWN-05")
def test_the_card_goes_face_up_to_the_discard_pile() -> None:
    table = disowning(1, "BR")
    assert table.pile("discard") == set()
    table.recover("R")
    assert table.pile("discard") == {"S1"}
    assert list(table.view().discard) == [table.card("S1")]
    assert table.row(0) == ["Z9"]
    lost = table.event("egregor_lost")
    assert (lost.seat, lost.card.name, lost.disowned) == (0, "S1", True)


@pytest.mark.rule("OMEGA-DISOWN-06")
def test_a_mask_on_it_returns_to_the_reserve_and_can_be_placed_at_once() -> None:
    table = Table().at(Player("G", {"Z0": "R", "Z1": ""}, mask="Z0"))
    table.summon("Z38", "G")
    table.disown("Z0", "R")
    assert table.masked(0) is None
    assert table.event("mask_moved").seat == 0 and not table.event("mask_moved").HasField("place")
    assert table.offers(codes.MASK) == {"Z1", "Z38"}
    table.mask("Z38")
    assert table.masked(0) == "Z38"


@pytest.mark.rule("OMEGA-DISOWN-06")
def test_a_mask_elsewhere_stays_on_its_card() -> None:
    table = Table().at(Player("G", {"Z0": "R", "Z1": "", "Z2": ""}, mask="Z2"))
    table.summon("Z38", "G")
    table.disown("Z0", "R")
    assert table.masked(0) == "Z2"
    table.at(Player("G", {"Z0": "R", "Z1": "", "Z2": ""}, mask="Z0"))
    table.summon("Z38", "G")
    table.disown("Z1")
    assert table.masked(0) == "Z0"
