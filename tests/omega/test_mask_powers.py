"""Masks, traits and the powers of Egregors but the Key: sections 7, 8.1, 8.2 and 8.4 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.v1.omega_enums import FrameKind
from tests.omega.fixtures import F, book, lightning
from tests.omega.scenario import OmegaScenario, Player

CARDS = {"R1": F(1, 1, renegade=True), "R2": F(1, 1, renegade=True), "P": F(1, 1, primitive=True)}


def summoned(card: dict[str, object], batch: str = "G", hand: str = "", **fields: object) -> OmegaScenario:
    """Returns a scenario in which seat 0 has just summoned a card A; its other Egregors are ``row``."""
    row = fields.pop("row", {})
    scenario = OmegaScenario(cards={"A": card}).at(Player(batch + hand, row), gallery=("A", None, None, None), **fields)
    scenario.summon("A", batch)
    return scenario


# -- the Mask ---------------------------------------


@pytest.mark.rule("OMEGA-MASK-02")
def test_the_first_egregor_gets_the_mask_by_itself() -> None:
    scenario = OmegaScenario(cards=CARDS).at(Player("GG"))
    scenario.summon("Z38", "G")
    assert scenario.masked(0) == "Z38"
    assert (scenario.event("mask_moved").seat, scenario.event("mask_moved").place) == (0, 0)
    # By a capture too.
    scenario.at(Player("GG"), Player("", {"Z5": "G", "Z6": ""}, mask="Z6"))
    scenario.capture(1, "Z5", "GG")
    scenario.recover("G")
    assert scenario.masked(0) == "Z5"
    # Not on a Renegade.
    scenario.at(Player("GG"), gallery=("R1", None, None, None)).summon("R1", "G")
    assert scenario.masked(0) is None
    # Nor on a later one.
    scenario.at(Player("GG", {"R1": ""})).summon("Z38", "G")
    assert scenario.masked(0) is None
    scenario.at(Player("GG", {"Z4": ""}, mask="Z4")).summon("Z38", "G")
    assert scenario.masked(0) == "Z4"


@pytest.mark.rule("OMEGA-MASK-03")
def test_the_mask_moves_to_another_own_egregor_or_out_of_the_reserve() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": "", "Z1": "", "Z2": ""}, mask="Z1"))
    assert scenario.offers(codes.MASK) == {"Z0", "Z2"}
    assert scenario.refused(codes.MASK, "Z1") == "MASK_THERE"
    assert scenario.refused(codes.MASK, 3) == "NO_SUCH_EGREGOR"
    scenario.mask("Z2")
    assert scenario.masked(0) == "Z2"
    scenario.at(Player("", {"Z0": "", "Z1": ""}))
    assert scenario.offers(codes.MASK) == {"Z0", "Z1"}
    scenario.mask("Z1")
    assert scenario.masked(0) == "Z1"
    assert scenario.event("mask_moved").place == 1


@pytest.mark.rule("OMEGA-MASK-04", "OMEGA-RENEGADE-01")
def test_mask_is_never_placed_on_a_renegade() -> None:
    scenario = OmegaScenario(cards=CARDS).at(Player("", {"R1": "", "Z5": "", "R2": ""}))
    assert scenario.offers(codes.MASK) == {"Z5"}
    assert scenario.refused(codes.MASK, "R1") == "MASK_ON_RENEGADE"
    assert scenario.refused(codes.MASK, "R2") == "MASK_ON_RENEGADE"


@pytest.mark.rule("OMEGA-MASK-05")
@pytest.mark.parametrize(("new", "kept"), [("R1", False), ("Z5", True)])
def test_a_replaced_card_keeps_the_mask_unless_a_renegade_comes(new: str, kept: bool) -> None:
    cards = {"K": F(1, 1, book(("key", 1))), **CARDS}
    scenario = OmegaScenario(cards=cards).at(Player("", {"Z9": "", "K": "G"}, mask="K"))
    scenario.book("K")
    scenario.look(new)
    scenario.key(new)
    assert scenario.row(0) == ["Z9", new]
    assert scenario.masked(0) == (new if kept else None)


@pytest.mark.rule("OMEGA-MASK-05")
def test_a_mask_elsewhere_stays_when_a_renegade_replaces_a_key() -> None:
    cards = {"K": F(1, 1, book(("key", 1))), **CARDS}
    scenario = OmegaScenario(cards=cards).at(Player("", {"Z9": "", "K": "G"}, mask="Z9"))
    scenario.book("K")
    scenario.look("R1")
    scenario.key("R1")
    assert scenario.masked(0) == "Z9"


@pytest.mark.rule("OMEGA-MASK-06")
def test_two_moves_never_follow_each_other() -> None:
    scenario = OmegaScenario().at(Player("GG", {"Z0": "", "Z1": "", "Z2": ""}, mask="Z0"))
    scenario.mask("Z1")
    assert scenario.offers(codes.MASK) == set()
    assert scenario.refused(codes.MASK, "Z2") == "MASK_MOVED"
    scenario.place("G", "Z0")
    assert scenario.offers(codes.MASK) == {"Z0", "Z2"}
    scenario.mask("Z2")
    assert scenario.refused(codes.MASK, "Z0") == "MASK_MOVED"
    scenario.summon("Z38", "G")
    scenario.mask("Z38")
    assert scenario.masked(0) == "Z38"


@pytest.mark.rule("OMEGA-MASK-06")
def test_the_automatic_placement_is_no_move() -> None:
    scenario = OmegaScenario().at(Player("G", {}))
    scenario.summon("Z38", "G")
    # It is there already; but another one could be masked at once.
    assert not scenario.values["last_mask"] and not scenario.values["mask_moved"]


@pytest.mark.rule("OMEGA-MASK-07")
def test_the_mask_is_not_taken_off_nor_put_elsewhere() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": ""}, mask="Z0"), Player("", {"Z1": "", "Z2": ""}))
    # The only own card wears it: there is no move at all, neither into the reserve nor to others.
    assert scenario.offers(codes.MASK) == set()
    assert scenario.refused(codes.MASK, 0) == "MASK_THERE"
    assert scenario.refused(codes.MASK, 1) == "NO_SUCH_EGREGOR"
    assert scenario.refused(codes.MASK, 255) == "NO_SUCH_EGREGOR"


@pytest.mark.rule("OMEGA-RENEGADE-01")
def test_all_other_protections_hold_for_a_renegade() -> None:
    scenario = OmegaScenario(3, cards=CARDS).at(Player("12G"), Player("", {"R1": "10V"}), Player("", {"R2": "V"}))
    assert scenario.refused(codes.CAPTURE, 1, "R1") == "TARGET_ONLY_ONE"
    scenario.at(Player("12G"), Player("", {"R1": "10V", "Z9": "V"}), Player("", {"R2": "V", "Z8": ""}, lost=True))
    assert scenario.offers(codes.CAPTURE) == {"1 Z9"}
    assert scenario.refused(codes.CAPTURE, 1, "R1") == "TARGET_FULL"
    assert scenario.refused(codes.CAPTURE, 2, "R2") == "TARGET_LOST_ONE"


@pytest.mark.rule("OMEGA-PRIMITIVE-01", "OMEGA-PRIMITIVE-02")
def test_a_primitive_takes_more_of_its_colour_or_a_new_one_when_it_has_none() -> None:
    scenario = OmegaScenario(cards=CARDS).at(Player("GVB", {"P": "GK"}))
    assert scenario.offers(codes.PLACE) == {"G"}
    for load in ("", "KK"):
        scenario.at(Player("GVB", {"P": load}))
        assert scenario.offers(codes.PLACE) == {"G", "V", "B"}
        scenario.place("V", "P")
        assert scenario.offers(codes.PLACE) == set()
        assert scenario.refused(codes.PLACE, "G") == "TOO_MANY_COLOURS"
    # A green pair on it, and none where it carries another colour.
    scenario.at(Player("VV", {"P": "K"}), altar="W").pair("P", "P")
    assert scenario.load(0, "P") == "VVK"
    assert OmegaScenario(cards=CARDS).at(Player("VV", {"P": "G"})).refused(codes.PAIR) == "TOO_MANY_COLOURS"


# -- triggers ---------------------------------------


@pytest.mark.rule("OMEGA-POWER-01")
def test_lightning_resolves_once_for_the_seat_that_gains_the_card() -> None:
    cards = {"A": F(1, 0, lightning(("advance", 3)))}
    scenario = OmegaScenario(cards=cards).at(
        Player("G"), Player("GG", {"Z3": ""}), gallery=("A", None, None, None), altar="6W"
    )
    scenario.summon("A", "G")
    assert [scenario.steps(0), scenario.steps(1)] == [3, 0]
    assert "USE_BOOK" not in scenario.verbs()
    assert scenario.refused(codes.USE_BOOK, "A", 0) == "NO_SUCH_POWER"
    scenario.end()
    assert scenario.steps(0) == 3
    used = scenario.event("power_used")
    assert used.lightning and used.text == "advance 3"


@pytest.mark.rule("OMEGA-POWER-01")
def test_a_later_capture_triggers_it_again_for_the_capturer() -> None:
    cards = {"A": F(1, 0, lightning(("advance", 3)), lightning(("advance", 1)))}
    scenario = OmegaScenario(cards=cards).at(Player("GG"), Player("", {"Z3": "", "A": "V"}, mask="Z3"))
    scenario.capture(1, "A", "GG")
    scenario.recover("V")
    # All lightning powers of the card, in order.
    assert [scenario.steps(0), scenario.steps(1)] == [4, 0]


@pytest.mark.rule("OMEGA-POWER-02")
def test_a_book_is_used_once_a_turn_by_its_controller_also_in_the_turn_of_the_gain() -> None:
    cards = {"A": F(1, 0, book(("advance", 2)))}
    scenario = OmegaScenario(cards=cards).at(Player("G"), Player("", {"Z3": ""}), gallery=("A", None, None, None))
    scenario.summon("A", "G")
    # Optional.
    assert scenario.steps(0) == 0 and "END_MAIN" in scenario.verbs()
    scenario.book("A")
    assert scenario.steps(0) == 2
    assert "USE_BOOK" not in scenario.verbs()
    assert scenario.refused(codes.USE_BOOK, "A", 0) == "POWER_USED"
    assert list(scenario.view().players[0].egregors[0].used_powers) == [0]
    scenario.at(Player(""), Player("", {"A": ""}))
    assert scenario.refused(codes.USE_BOOK, 0, 0) == "NO_SUCH_EGREGOR"


@pytest.mark.rule("OMEGA-POWER-03")
def test_the_mark_belongs_to_the_card_and_power_and_is_cleared_each_turn() -> None:
    cards = {"A": F(1, 0, book(("advance", 1)), book(("advance", 2))), "C": F(1, 0, book(("advance", 3)))}
    scenario = OmegaScenario(cards=cards, set_={"squares": 100, "eye": 100}).at(
        Player("", {"Z5": "", "A": "", "C": ""}), altar="6W"
    )
    scenario.book("A", 1)
    assert scenario.steps(0) == 2
    assert scenario.offers(codes.USE_BOOK) == {"A 0", "C 0"}
    scenario.book("A", 0)
    scenario.book("C")
    assert scenario.steps(0) == 6
    assert scenario.offers(codes.USE_BOOK) == set()
    scenario.end()
    scenario.chance()
    scenario.finish_turn()
    scenario.altar_rune("W")
    assert scenario.active == 0
    assert scenario.offers(codes.USE_BOOK) == {"A 0", "A 1", "C 0"}


@pytest.mark.rule("OMEGA-POWER-03")
def test_the_mark_moves_with_the_card_when_another_is_disowned() -> None:
    cards = {"A": F(1, 0, book(("advance", 1))), "C": F(1, 0, book(("advance", 3)))}
    scenario = OmegaScenario(cards=cards).at(Player("G", {"Z5": "", "A": "", "C": ""}))
    scenario.book("A")
    scenario.summon("Z38", "G")
    scenario.disown("Z5")
    assert scenario.offers(codes.USE_BOOK) == {"C 0"}


@pytest.mark.rule("OMEGA-POWER-04")
def test_lightning_is_compulsory_as_far_as_it_goes() -> None:
    scenario = summoned(F(1, 1, lightning(("draw", 3))), altar="WK", bag="", rest=1)
    assert scenario.offers(codes.TAKE_ALTAR) == {"W", "K"}
    assert scenario.refused(codes.STOP) == "COMPULSORY"
    assert scenario.refused(codes.END_MAIN) == "WRONG_PHASE"
    scenario.altar_rune("W")
    scenario.altar_rune("K")
    # Nothing is left for the third.
    assert scenario.state.pending is None
    # The look of a Key is compulsory, to replace is not.
    scenario = summoned(F(1, 1, lightning(("key", 2))))
    assert scenario.state.pending is not None and scenario.state.pending[0] == FrameKind.LOOK
    scenario.look("Z5", "Z6")
    assert scenario.verbs() == {"KEY_TAKE", "KEY_NONE"}


@pytest.mark.rule("OMEGA-POWER-05")
def test_a_book_that_could_do_nothing_is_not_offered() -> None:
    def offered(effect: tuple[object, ...], load: str = "", **fields: object) -> bool:
        scenario = OmegaScenario(cards={"A": F(1, 1, book(effect))}).at(
            Player("", {"A": load}), Player("", {"Z9": "V"}), **fields
        )
        if "USE_BOOK" not in scenario.verbs():
            assert scenario.refused(codes.USE_BOOK, "A", 0) == "POWER_IDLE"
        return "USE_BOOK" in scenario.verbs()

    empty = {"bag": "", "rest": 1}
    assert offered(("advance", 1), **empty)
    assert offered(("draw", 1), altar="", bag="B", rest=1)
    assert offered(("draw", 1), altar="K", **empty)
    assert not offered(("draw", 1), altar="", **empty)
    # With a colour: a fitting rune on the altar, or any in the bag, whose content is hidden.
    assert offered(("draw", 1, "red"), altar="R", **empty)
    assert not offered(("draw", 1, "red"), altar="B", **empty)
    assert offered(("draw", 1, "red"), altar="B", bag="V", rest=1)
    assert offered(("cycle", 1), "K")
    assert not offered(("cycle", 1), "")
    assert offered(("cycle", 1, "red"), "RV")
    assert not offered(("cycle", 1, "red"), "V")
    assert offered(("key", 1))
    assert offered(("key", 1), deck=())
    scenario = OmegaScenario(cards={"A": F(1, 1, book(("key", 1)))}).at(Player("", {"A": ""}))
    values = {**scenario.values, "deck": [], "discard": []}
    scenario.state.load(values)
    assert "USE_BOOK" not in scenario.verbs()


@pytest.mark.rule("OMEGA-POWER-05")
def test_a_power_of_several_effects_is_idle_only_if_all_are() -> None:
    cards = {"A": F(1, 1, book(("cycle", 1), ("draw", 1, "red")))}
    scenario = OmegaScenario(cards=cards).at(Player("", {"A": ""}), altar="R", bag="", rest=1)
    scenario.book("A")
    assert scenario.hand(0) == "R"
    assert scenario.at(Player("", {"A": ""}), altar="B", bag="", rest=1).refused(codes.USE_BOOK, "A", 0) == "POWER_IDLE"


@pytest.mark.rule("OMEGA-POWER-06")
def test_several_effects_are_one_use_in_printed_order() -> None:
    power = (("draw", 1), ("advance", 2), ("cycle", 1), ("draw", 1, "blue"))
    scenario = OmegaScenario(cards={"A": F(1, 0, book(*power))}).at(Player("", {"A": "G"}), altar="BWW")
    scenario.book("A")
    assert scenario.steps(0) == 0 and scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    scenario.altar_rune("W")
    assert scenario.steps(0) == 2 and scenario.verbs() == {"CYCLE"}
    assert scenario.altar == "BW"
    scenario.cycle("A", "G")
    assert scenario.hand(0) == "BGW" and scenario.altar == "W"
    assert scenario.refused(codes.USE_BOOK, "A", 0) == "POWER_USED"
    # Lightning likewise.
    scenario = summoned(F(1, 0, lightning(("advance", 2), ("draw", 1))), altar="W")
    assert scenario.steps(0) == 2 and scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}


# -- Runic Cycling ---------------------------------------


@pytest.mark.rule("OMEGA-CYCLE-01")
def test_cycling_takes_runes_from_any_own_egregors() -> None:
    cards = {"A": F(1, 1, book(("cycle", 3)))}
    scenario = OmegaScenario(cards=cards).at(Player("", {"A": "GV", "Z1": "RR"}), Player("", {"Z2": "B"}))
    scenario.book("A")
    assert scenario.offers(codes.CYCLE) == {"A G", "A V", "Z1 R"}
    assert scenario.refused(codes.CYCLE, "A", "R") == "NO_SUCH_RUNE"
    assert scenario.refused(codes.CYCLE, 2, "R") == "NO_SUCH_EGREGOR"
    assert scenario.refused(codes.STOP) == "COMPULSORY"
    scenario.cycle("A", "V")
    scenario.cycle("Z1", "RR")
    assert (scenario.load(0, "A"), scenario.load(0, "Z1"), scenario.hand(0)) == ("G", "", "RRV")
    assert scenario.state.pending is None
    assert scenario.event("rune_cycled").rune == 3


@pytest.mark.rule("OMEGA-CYCLE-01")
def test_cycling_takes_all_runes_if_fewer_are_there() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 1, book(("cycle", 5)))}).at(Player("", {"A": "G", "Z1": "R"}))
    scenario.book("A")
    scenario.cycle("A", "G")
    scenario.cycle("Z1", "R")
    assert scenario.state.pending is None and scenario.hand(0) == "GR"


@pytest.mark.rule("OMEGA-CYCLE-02")
def test_cycling_may_take_runes_of_the_present_batch() -> None:
    scenario = summoned(F(1, 1, lightning(("cycle", 2))), batch="GG")
    assert scenario.offers(codes.CYCLE) == {"A G"}
    scenario.cycle("A", "GG")
    assert scenario.load(0, "A") == "" and scenario.hand(0) == "GG"


@pytest.mark.rule("OMEGA-CYCLE-03")
def test_cycling_with_a_colour_takes_that_colour_only() -> None:
    cards = {"A": F(1, 1, book(("cycle", 2, "red")))}
    scenario = OmegaScenario(cards=cards).at(Player("", {"A": "GR", "Z1": "BR"}))
    scenario.book("A")
    assert scenario.offers(codes.CYCLE) == {"A R", "Z1 R"}
    assert scenario.refused(codes.CYCLE, "A", "G") == "OTHER_COLOUR"
    scenario.cycle("Z1", "R")
    scenario.cycle("A", "R")
    assert scenario.state.pending is None
    # None there: nothing happens.
    scenario = summoned(F(1, 1, lightning(("cycle", 2, "red"))), batch="G")
    assert scenario.state.pending is None and scenario.load(0, "A") == "G"


@pytest.mark.rule("OMEGA-CYCLE-04")
def test_cycling_may_take_whites_and_blacks() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 1, book(("cycle", 2)))}).at(Player("", {"A": "GWK"}))
    scenario.book("A")
    assert scenario.offers(codes.CYCLE) == {"A G", "A W", "A K"}
    scenario.cycle("A", "WK")
    assert scenario.hand(0) == "WK"


@pytest.mark.rule("OMEGA-CYCLE-05")
def test_cycled_runes_may_be_placed_again_and_trigger_again() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 1, book(("cycle", 1)))}).at(Player("", {"A": "B", "Z1": ""}))
    scenario.book("A")
    scenario.cycle("A", "B")
    scenario.place("B", "Z1")
    assert (scenario.load(0, "Z1"), scenario.steps(0)) == ("B", 2)


# -- Time Thrust, Hand of Fate ---------------------------------------


@pytest.mark.rule("OMEGA-THRUST-01")
def test_time_thrust_advances_and_gives_tokens_at_once() -> None:
    scenario = OmegaScenario(cards={"A": F(1, 0, book(("advance", 3)))}).at(Player("", {"A": ""}, steps=10))
    scenario.book("A")
    assert scenario.steps(0) == 13
    assert scenario.event("pawn_advanced").cause == 2
    assert scenario.verbs() == {"ARCANA"}
    scenario.token(0)
    # The printed thrust number is another thing.
    scenario.end()
    assert scenario.steps(0) == 13


@pytest.mark.rule("OMEGA-HAND-01")
def test_a_hand_of_fate_draws_one_by_one() -> None:
    scenario = summoned(F(1, 1, lightning(("draw", 3))), altar="WK")
    scenario.altar_rune("W")
    assert scenario.offers(codes.TAKE_ALTAR) == {"K"}
    scenario.bag_rune("R")
    assert scenario.offers(codes.TAKE_ALTAR) == {"K"}
    scenario.altar_rune("K")
    assert scenario.state.pending is None
    # The altar is not refilled between.
    assert scenario.altar == "" and scenario.hand(0) == "RWK"


@pytest.mark.rule("OMEGA-HAND-02")
def test_hand_of_fate_with_a_colour_draws_from_the_altar_then_from_the_bag() -> None:
    scenario = summoned(F(1, 1, lightning(("draw", 2, "red"))), altar="RWW")
    assert scenario.state.pending is None
    assert scenario.hand(0) == "RR" and scenario.altar == "WW"
    assert scenario.bag("R") == 37 - 2
    sources = [event.rune_drawn.source for event in scenario.events if event.WhichOneof("event") == "rune_drawn"]
    assert sources == [1, 3]
    scenario = summoned(F(1, 1, lightning(("draw", 2, "red"))), altar="RRR")
    assert scenario.altar == "R" and scenario.bag("R") == 34


@pytest.mark.rule("OMEGA-HAND-02")
def test_hand_of_fate_is_void_without_runes_of_the_colour() -> None:
    scenario = summoned(F(1, 1, lightning(("draw", 3, "red"))), altar="RW", bag="RBB", rest=1)
    assert scenario.hand(0) == "RR" and scenario.altar == "W"
    # Everybody knows now that the bag has no red.
    assert scenario.values["absent"] == [False, False, True, False, False, False]
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-POWER-05")
def test_a_search_that_everyone_knows_to_be_in_vain_is_not_offered() -> None:
    cards = {"A": F(1, 1, book(("draw", 1, "red"))), "B": F(1, 1, book(("draw", 1, "red"), ("advance", 1)))}
    for absent, offered in ((False, True), (True, False)):
        scenario = OmegaScenario(cards=cards).at(
            Player("", {"A": ""}),
            Player("RR"),
            altar="B",
            bag="5V 5W",
            rest=1,
            absent=[False, False, absent, *[False] * 3],
        )
        # What the bag holds is hidden: before it has been searched nobody can know.
        assert (scenario.offers(codes.USE_BOOK) == {"A 0"}) == offered
        if not offered:
            assert scenario.refused(codes.USE_BOOK, "A", 0) == "POWER_IDLE"
    # After a failed search everyone knows that the bag has none; the power is offered again when a red goes to the bag.
    scenario = OmegaScenario(cards=cards).at(
        Player("", {"A": "", "B": "R", "Z9": ""}), Player("RR"), altar="B", bag="5V 5W", rest=1, gained="Z9"
    )
    scenario.book("A")
    assert scenario.values["absent"][2]
    assert scenario.offers(codes.USE_BOOK) == {"B 0"}
    # All reds lie in the open, so none is in the bag.
    scenario = OmegaScenario(3, cards).at(
        Player("", {"A": "7R"}), Player("", {"Z5": "10R", "Z6": "10R"}), Player("", {"Z7": "10R"}), altar="B"
    )
    assert scenario.offers(codes.USE_BOOK) == set()
    # Not all of them can be distinguished from those in the bag while one is in a pyramid.
    scenario.at(Player("", {"A": "7R"}), Player("R", {"Z5": "10R", "Z6": "10R"}), Player("", {"Z7": "9R"}), altar="B")
    assert scenario.offers(codes.USE_BOOK) == {"A 0"}


def test_taking_a_black_back_leaves_no_more_old_ones_than_lie_there() -> None:
    cards = {"A": F(1, 1, book(("cycle", 1)))}
    scenario = OmegaScenario(cards=cards, black_takes="nonwhite").at(Player("", {"A": "KK"}), Player("", {"Z1": ""}))
    scenario.book("A")
    scenario.cycle("A", "K")
    assert (scenario.load(0, "A"), scenario.egregor(0, "A")["old_blacks"]) == ("K", 1)
