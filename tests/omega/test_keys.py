"""The Summoning Key: section 8.3 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.v1.omega_enums import FrameKind
from tests.omega.fixtures import F, book, lightning
from tests.omega.scenario import OmegaScenario, Player

CARDS = {
    "K1": F(4, 1, book(("key", 1))),
    "K2": F(4, 1, book(("key", 2))),
    "L3": F(4, 1, lightning(("key", 3))),
    "P": F(1, 1, primitive=True),
    "R": F(1, 1, renegade=True),
    "B": F(1, 7, book(("advance", 1))),
    "L": F(1, 0, lightning(("advance", 5))),
}


def key_scenario(row: dict[str, str], hand: str = "", **fields: object) -> OmegaScenario:
    return OmegaScenario(cards=CARDS).at(Player(hand, row), Player("", {"Z20": "V"}), **fields)


def looked(scenario: OmegaScenario) -> int:
    """Number of cards that have not been looked at yet."""
    assert scenario.state.pending is not None and scenario.state.pending[0] == FrameKind.LOOK
    return scenario.state.pending[1]


@pytest.mark.rule("OMEGA-KEY-01")
def test_the_controller_looks_at_cards_of_the_deck_and_may_replace_the_key() -> None:
    scenario = key_scenario({"Z9": "", "K2": "GV"})
    scenario.book("K2")
    assert looked(scenario) == 2
    assert set(scenario.outcomes()) == scenario.pile("deck")
    assert set(scenario.outcomes().values()) == {1}
    scenario.look("Z10")
    assert "Z10" not in scenario.outcomes()
    scenario.look("Z11")
    assert scenario.offers(codes.KEY_TAKE) == {"Z10", "Z11"}
    assert "KEY_NONE" in scenario.verbs()
    assert scenario.refused(codes.KEY_TAKE, "Z12") == "NO_SUCH_CARD"
    scenario.key("Z11")
    assert scenario.row(0) == ["Z9", "Z11"]
    assert scenario.state.pending is None
    replaced = scenario.event("key_replaced")
    assert (replaced.seat, replaced.place, replaced.old_card.name, replaced.new_card.name) == (0, 1, "K2", "Z11")


@pytest.mark.rule("OMEGA-KEY-02")
def test_the_numbers_of_all_keys_add_up_and_each_may_be_replaced() -> None:
    scenario = key_scenario({"K1": "G", "Z9": "", "L3": "V", "K2": "R"})
    scenario.book("K1")
    # A lightning Key that was kept joins the sum (A38).
    assert looked(scenario) == 1 + 3 + 2
    scenario.look("Z10", "Z11", "Z12", "Z13", "Z14", "Z15")
    scenario.key("Z10")
    assert scenario.offers(codes.KEY_PLACE) == {"K1", "L3", "K2"}
    assert scenario.refused(codes.KEY_PLACE, "Z9") == "NO_SUCH_EGREGOR"
    scenario.take(codes.KEY_PLACE, "L3")
    scenario.key("Z11")
    assert scenario.offers(codes.KEY_PLACE) == {"K1", "K2"}
    scenario.take(codes.KEY_PLACE, "K2")
    # With one Key left there is nothing to ask.
    scenario.key("Z12")
    assert scenario.row(0) == ["Z12", "Z9", "Z10", "Z11"]
    assert [scenario.load(0, name) for name in scenario.row(0)] == ["G", "", "V", "R"]
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-KEY-03")
def test_a_key_is_no_replacement() -> None:
    scenario = key_scenario({"K2": ""})
    scenario.book("K2")
    scenario.look("K1", "L3")
    assert scenario.verbs() == {"KEY_NONE"}
    assert scenario.refused(codes.KEY_TAKE, "K1") == "IS_A_KEY"
    assert scenario.refused(codes.KEY_TAKE, "L3") == "IS_A_KEY"


@pytest.mark.rule("OMEGA-KEY-04")
@pytest.mark.parametrize(("load", "fits"), [("", True), ("KK", True), ("GGK", True), ("GV", False), ("GVK", False)])
def test_a_primitive_replaces_a_key_of_one_colour_at_most(load: str, fits: bool) -> None:
    scenario = key_scenario({"K1": load})
    scenario.book("K1")
    scenario.look("P")
    assert scenario.offers(codes.KEY_TAKE) == ({"P"} if fits else set())
    if not fits:
        assert scenario.refused(codes.KEY_TAKE, "P") == "TOO_MANY_COLOURS"


@pytest.mark.rule("OMEGA-KEY-04")
def test_a_primitive_goes_where_it_fits() -> None:
    scenario = key_scenario({"K1": "GV", "K2": "GK", "L3": ""})
    scenario.book("K1")
    scenario.look("P", "Z10", "Z11", "Z12", "Z13", "Z14")
    scenario.key("P")
    assert scenario.offers(codes.KEY_PLACE) == {"K2", "L3"}
    assert scenario.refused(codes.KEY_PLACE, "K1") == "TOO_MANY_COLOURS"
    scenario.take(codes.KEY_PLACE, "K2")
    assert scenario.row(0) == ["K1", "P", "L3"]


@pytest.mark.rule("OMEGA-KEY-05")
def test_the_load_moves_unchanged_and_triggers_nothing() -> None:
    scenario = key_scenario({"K1": "3R 2V K"}, altar="RRR")
    scenario.book("K1")
    scenario.look("Z10")
    scenario.key("Z10")
    assert scenario.load(0, "Z10") == "RRRVVK"
    assert scenario.state.pending is None
    assert (scenario.steps(0), scenario.altar, scenario.hand(0)) == (0, "RRR", "")


@pytest.mark.rule("OMEGA-KEY-06")
def test_the_replaced_key_is_discarded_without_recovery() -> None:
    # Its snake number is 4, and a white lies on it.
    scenario = key_scenario({"K1": "WWV"})
    scenario.book("K1")
    scenario.look("Z10")
    scenario.key("Z10")
    assert scenario.pile("discard") == {"K1"}
    assert scenario.hand(0) == "" and scenario.load(0, "Z10") == "VWW"


@pytest.mark.rule("OMEGA-KEY-07")
def test_key_use_may_replace_none_and_is_usable_on_a_later_turn() -> None:
    scenario = key_scenario({"K1": "G"}, altar="6W")
    scenario.book("K1")
    scenario.look("Z10")
    scenario.key(None)
    assert scenario.row(0) == ["K1"]
    assert scenario.event("key_kept").seat == 0
    assert "Z10" in scenario.pile("deck")
    assert scenario.refused(codes.USE_BOOK, "K1", 0) == "POWER_USED"
    scenario.end()
    scenario.chance()
    scenario.finish_turn()
    scenario.altar_rune("W")
    assert scenario.offers(codes.USE_BOOK) == {"K1 0"}


@pytest.mark.rule("OMEGA-KEY-07")
def test_after_a_replacement_the_rest_may_be_kept() -> None:
    scenario = key_scenario({"K1": "", "K2": ""})
    scenario.book("K2")
    scenario.look("Z10", "Z11", "Z12")
    scenario.key("Z10")
    scenario.take(codes.KEY_PLACE, "K1")
    scenario.key(None)
    assert scenario.row(0) == ["Z10", "K2"]
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-KEY-08")
def test_a_replacement_is_no_gain() -> None:
    scenario = key_scenario({"K1": ""}, hand="G")
    scenario.book("K1")
    scenario.look("L")
    scenario.key("L")
    # No lightning, no Prestige, and the gain is still there.
    assert scenario.steps(0) == 0
    assert scenario.player(0)["prestige"] == 0
    assert not scenario.values["gain_used"]
    assert "SUMMON" in scenario.verbs() and "DISOWN" not in scenario.verbs()


@pytest.mark.rule("OMEGA-KEY-09")
def test_the_new_card_takes_the_place_of_the_old_one() -> None:
    # Position and Mask; its own book is fresh; its thrust counts.
    scenario = key_scenario({"Z9": "", "K1": "G", "Z8": ""})
    values = scenario.values
    values["seats"][0]["mask"] = 1
    scenario.state.load(values)
    scenario.book("K1")
    scenario.look("B")
    scenario.key("B")
    assert scenario.row(0) == ["Z9", "B", "Z8"]
    assert scenario.masked(0) == "B"
    assert scenario.offers(codes.USE_BOOK) == {"B 0"}
    scenario.book("B")
    scenario.end()
    assert scenario.steps(0) == 1 + 7 + 1 + 1


@pytest.mark.rule("OMEGA-KEY-09")
def test_the_mark_of_a_gained_key_goes_to_its_replacement() -> None:
    scenario = OmegaScenario(cards=CARDS).at(Player("G", {"Z9": "G"}), gallery=("L3", None, None, None))
    scenario.summon("L3", "G")
    scenario.look("Z10", "Z11", "Z12")
    scenario.key("Z10")
    assert scenario.egregor(0, "Z10")["gained"]
    assert scenario.offers(codes.DISOWN) == {"Z9"}
    assert scenario.refused(codes.DISOWN, "Z10") == "JUST_GAINED"
    # The replacement of an old one is old.
    scenario.at(Player("G", {"K1": "G", "Z9": ""}), gallery=("Z38", None, None, None))
    scenario.summon("Z38", "G")
    scenario.book("K1")
    scenario.look("Z10")
    scenario.key("Z10")
    assert scenario.offers(codes.DISOWN) == {"Z10", "Z9"}


@pytest.mark.rule("OMEGA-KEY-10")
def test_cards_not_chosen_go_back_into_the_deck() -> None:
    scenario = key_scenario({"K2": ""})
    deck = scenario.pile("deck")
    scenario.book("K2")
    scenario.look("Z10", "Z11")
    assert scenario.pile("looked") == {"Z10", "Z11"}
    scenario.key("Z10")
    assert scenario.pile("looked") == set()
    assert scenario.pile("deck") == deck - {"Z10"}
    assert scenario.pile("discard") == {"K2"}


@pytest.mark.rule("OMEGA-KEY-11")
def test_a_short_deck_takes_in_the_discard_pile() -> None:
    scenario = key_scenario({"K2": "", "K1": ""}, deck=["Z10", "Z11"])
    discard = scenario.pile("discard")
    scenario.book("K2")
    scenario.look("Z10")
    assert set(scenario.outcomes()) == {"Z11"}
    scenario.look("Z11")
    assert set(scenario.outcomes()) == discard
    assert "deck_reshuffled" in scenario.kinds()
    scenario.look("Z12")
    assert scenario.pile("looked") == {"Z10", "Z11", "Z12"}
    scenario.key(None)
    assert scenario.pile("deck") == discard | {"Z10", "Z11"}
    assert scenario.pile("discard") == set()


@pytest.mark.rule("OMEGA-KEY-11")
def test_all_cards_are_looked_at_if_there_are_too_few() -> None:
    scenario = key_scenario({"K2": "", "L3": ""})
    values = scenario.values
    # Nearly all cards are gone: the rules of no set bring this about, but a variant may.
    values["deck"], values["discard"] = [scenario.card("Z10")], [scenario.card("Z11")]
    scenario.state.load(values)
    for code in (codes.USE_BOOK(0, 0), codes.LOOK(scenario.card("Z10")), codes.LOOK(scenario.card("Z11"))):
        scenario.state.apply(code)
    assert scenario.offers(codes.KEY_TAKE) == {"Z10", "Z11"}


@pytest.mark.rule("OMEGA-KEY-12")
def test_each_book_key_of_the_sum_is_used_and_a_used_one_takes_no_part() -> None:
    scenario = key_scenario({"K1": "", "K2": "", "B": ""})
    scenario.book("K1")
    scenario.look("Z10", "Z11", "Z12")
    scenario.key(None)
    assert scenario.refused(codes.USE_BOOK, "K1", 0) == "POWER_USED"
    assert scenario.refused(codes.USE_BOOK, "K2", 0) == "POWER_USED"
    assert scenario.offers(codes.USE_BOOK) == {"B 0"}
    # K2 has been used: neither its number nor itself takes part.
    scenario = OmegaScenario(cards=CARDS).at(Player("G", {"K2": "", "Z9": ""}), gallery=("K1", None, None, None))
    scenario.book("K2")
    scenario.look("Z10", "Z11")
    scenario.key(None)
    scenario.summon("K1", "G")
    scenario.book("K1")
    assert looked(scenario) == 1
    scenario.look("Z10")
    scenario.key("Z10")
    assert scenario.row(0) == ["K2", "Z9", "Z10"]


@pytest.mark.rule("OMEGA-KEY-12")
def test_a_gained_lightning_key_uses_up_the_books() -> None:
    scenario = OmegaScenario(cards=CARDS).at(Player("G", {"K2": "V"}), gallery=("L3", None, None, None))
    scenario.summon("L3", "G")
    assert looked(scenario) == 5
    scenario.look("Z10", "Z11", "Z12", "Z13", "Z14")
    scenario.key("Z10")
    assert scenario.offers(codes.KEY_PLACE) == {"K2", "L3"}
    scenario.take(codes.KEY_PLACE, "L3")
    scenario.key(None)
    assert scenario.row(0) == ["K2", "Z10"]
    assert scenario.refused(codes.USE_BOOK, "K2", 0) == "POWER_USED"


def test_keys_of_opponents_take_no_part() -> None:
    scenario = OmegaScenario(cards=CARDS).at(Player("", {"K1": ""}), Player("", {"K2": "", "L3": ""}))
    scenario.book("K1")
    assert looked(scenario) == 1
