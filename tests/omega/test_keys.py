"""The Summoning Key: section 8.3 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Frame
from tests.omega.fixtures import F, book, flash
from tests.omega.tables import Player, Table

CARDS = {
    "K1": F(4, 1, book(("key", 1))),
    "K2": F(4, 1, book(("key", 2))),
    "L3": F(4, 1, flash(("key", 3))),
    "P": F(1, 1, primitive=True),
    "R": F(1, 1, renegade=True),
    "B": F(1, 7, book(("advance", 1))),
    "L": F(1, 0, flash(("advance", 5))),
}


def table_of(row: dict[str, str], hand: str = "", **fields: object) -> Table:
    return Table(cards=CARDS).at(Player(hand, row), Player("", {"Z20": "V"}), **fields)


def looked(table: Table) -> int:
    """How many cards are still to be looked at."""
    assert table.state.pending is not None and table.state.pending[0] == Frame.LOOK
    return table.state.pending[1]


@pytest.mark.rule("OMEGA-KEY-01")
def test_the_controller_looks_at_cards_of_the_deck_and_may_replace_the_key() -> None:
    table = table_of({"Z9": "", "K2": "GV"})
    table.book("K2")
    assert looked(table) == 2
    assert set(table.outcomes()) == table.pile("deck")
    assert set(table.outcomes().values()) == {1}
    table.look("Z10")
    assert "Z10" not in table.outcomes()
    table.look("Z11")
    assert table.offers(codes.KEY_TAKE) == {"Z10", "Z11"}
    assert "KEY_NONE" in table.verbs()
    assert table.refused(codes.KEY_TAKE, "Z12") == "NO_SUCH_CARD"
    table.key("Z11")
    assert table.row(0) == ["Z9", "Z11"]
    assert table.state.pending is None
    replaced = table.event("key_replaced")
    assert (replaced.seat, replaced.place, replaced.old_card.name, replaced.new_card.name) == (0, 1, "K2", "Z11")


@pytest.mark.rule("OMEGA-KEY-02")
def test_the_numbers_of_all_keys_add_up_and_each_may_be_replaced() -> None:
    table = table_of({"K1": "G", "Z9": "", "L3": "V", "K2": "R"})
    table.book("K1")
    # A lightning Key that was kept joins the sum (A38).
    assert looked(table) == 1 + 3 + 2
    table.look("Z10", "Z11", "Z12", "Z13", "Z14", "Z15")
    table.key("Z10")
    assert table.offers(codes.KEY_PLACE) == {"K1", "L3", "K2"}
    assert table.refused(codes.KEY_PLACE, "Z9") == "NO_SUCH_EGREGOR"
    table.take(codes.KEY_PLACE, "L3")
    table.key("Z11")
    assert table.offers(codes.KEY_PLACE) == {"K1", "K2"}
    table.take(codes.KEY_PLACE, "K2")
    # With one Key left there is nothing to ask.
    table.key("Z12")
    assert table.row(0) == ["Z12", "Z9", "Z10", "Z11"]
    assert [table.load(0, name) for name in table.row(0)] == ["G", "", "V", "R"]
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-KEY-03")
def test_a_key_is_no_replacement() -> None:
    table = table_of({"K2": ""})
    table.book("K2")
    table.look("K1", "L3")
    assert table.verbs() == {"KEY_NONE"}
    assert table.refused(codes.KEY_TAKE, "K1") == "IS_A_KEY"
    assert table.refused(codes.KEY_TAKE, "L3") == "IS_A_KEY"


@pytest.mark.rule("OMEGA-KEY-04")
@pytest.mark.parametrize(("load", "fits"), [("", True), ("KK", True), ("GGK", True), ("GV", False), ("GVK", False)])
def test_a_primitive_replaces_a_key_of_one_colour_at_most(load: str, fits: bool) -> None:
    table = table_of({"K1": load})
    table.book("K1")
    table.look("P")
    assert table.offers(codes.KEY_TAKE) == ({"P"} if fits else set())
    if not fits:
        assert table.refused(codes.KEY_TAKE, "P") == "TOO_MANY_COLOURS"


@pytest.mark.rule("OMEGA-KEY-04")
def test_a_primitive_goes_where_it_fits() -> None:
    table = table_of({"K1": "GV", "K2": "GK", "L3": ""})
    table.book("K1")
    table.look("P", "Z10", "Z11", "Z12", "Z13", "Z14")
    table.key("P")
    assert table.offers(codes.KEY_PLACE) == {"K2", "L3"}
    assert table.refused(codes.KEY_PLACE, "K1") == "TOO_MANY_COLOURS"
    table.take(codes.KEY_PLACE, "K2")
    assert table.row(0) == ["K1", "P", "L3"]


@pytest.mark.rule("OMEGA-KEY-05")
def test_the_load_moves_unchanged_and_triggers_nothing() -> None:
    table = table_of({"K1": "3R 2V K"}, altar="RRR")
    table.book("K1")
    table.look("Z10")
    table.key("Z10")
    assert table.load(0, "Z10") == "RRRVVK"
    assert table.state.pending is None
    assert (table.steps(0), table.altar, table.hand(0)) == (0, "RRR", "")


@pytest.mark.rule("OMEGA-KEY-06")
def test_the_replaced_key_is_discarded_without_recovery() -> None:
    # Its snake number is 4, and a white lies on it.
    table = table_of({"K1": "WWV"})
    table.book("K1")
    table.look("Z10")
    table.key("Z10")
    assert table.pile("discard") == {"K1"}
    assert table.hand(0) == "" and table.load(0, "Z10") == "VWW"


@pytest.mark.rule("OMEGA-KEY-07")
def test_none_may_be_replaced_and_a_book_is_usable_on_a_later_turn() -> None:
    table = table_of({"K1": "G"}, altar="6W")
    table.book("K1")
    table.look("Z10")
    table.key(None)
    assert table.row(0) == ["K1"]
    assert table.event("key_kept").seat == 0
    assert "Z10" in table.pile("deck")
    assert table.refused(codes.USE_BOOK, "K1", 0) == "POWER_USED"
    table.end()
    table.chance()
    table.finish_turn()
    table.altar_rune("W")
    assert table.offers(codes.USE_BOOK) == {"K1 0"}


@pytest.mark.rule("OMEGA-KEY-07")
def test_after_a_replacement_the_rest_may_be_kept() -> None:
    table = table_of({"K1": "", "K2": ""})
    table.book("K2")
    table.look("Z10", "Z11", "Z12")
    table.key("Z10")
    table.take(codes.KEY_PLACE, "K1")
    table.key(None)
    assert table.row(0) == ["Z10", "K2"]
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-KEY-08")
def test_a_replacement_is_no_gain() -> None:
    table = table_of({"K1": ""}, hand="G")
    table.book("K1")
    table.look("L")
    table.key("L")
    # No lightning, no Prestige, and the gain is still there.
    assert table.steps(0) == 0
    assert table.player(0)["prestige"] == 0
    assert not table.values["gain_used"]
    assert "SUMMON" in table.verbs() and "DISOWN" not in table.verbs()


@pytest.mark.rule("OMEGA-KEY-09")
def test_the_new_card_takes_the_place_of_the_old_one() -> None:
    # Position and Mask; its own book is fresh; its thrust counts.
    table = table_of({"Z9": "", "K1": "G", "Z8": ""})
    values = table.values
    values["players"][0]["mask"] = 1
    table.state.load(values)
    table.book("K1")
    table.look("B")
    table.key("B")
    assert table.row(0) == ["Z9", "B", "Z8"]
    assert table.masked(0) == "B"
    assert table.offers(codes.USE_BOOK) == {"B 0"}
    table.book("B")
    table.end()
    assert table.steps(0) == 1 + 7 + 1 + 1


@pytest.mark.rule("OMEGA-KEY-09")
def test_the_mark_of_a_gained_key_goes_to_its_replacement() -> None:
    table = Table(cards=CARDS).at(Player("G", {"Z9": "G"}), gallery=("L3", None, None, None))
    table.summon("L3", "G")
    table.look("Z10", "Z11", "Z12")
    table.key("Z10")
    assert table.egregor(0, "Z10")["gained"]
    assert table.offers(codes.DISOWN) == {"Z9"}
    assert table.refused(codes.DISOWN, "Z10") == "JUST_GAINED"
    # The replacement of an old one is old.
    table.at(Player("G", {"K1": "G", "Z9": ""}), gallery=("Z38", None, None, None))
    table.summon("Z38", "G")
    table.book("K1")
    table.look("Z10")
    table.key("Z10")
    assert table.offers(codes.DISOWN) == {"Z10", "Z9"}


@pytest.mark.rule("OMEGA-KEY-10")
def test_cards_not_chosen_go_back_into_the_deck() -> None:
    table = table_of({"K2": ""})
    deck = table.pile("deck")
    table.book("K2")
    table.look("Z10", "Z11")
    assert table.pile("looked") == {"Z10", "Z11"}
    table.key("Z10")
    assert table.pile("looked") == set()
    assert table.pile("deck") == deck - {"Z10"}
    assert table.pile("discard") == {"K2"}


@pytest.mark.rule("OMEGA-KEY-11")
def test_a_short_deck_takes_in_the_discard_pile() -> None:
    table = table_of({"K2": "", "K1": ""}, deck=["Z10", "Z11"])
    discard = table.pile("discard")
    table.book("K2")
    table.look("Z10")
    assert set(table.outcomes()) == {"Z11"}
    table.look("Z11")
    assert set(table.outcomes()) == discard
    assert "deck_reshuffled" in table.kinds()
    table.look("Z12")
    assert table.pile("looked") == {"Z10", "Z11", "Z12"}
    table.key(None)
    assert table.pile("deck") == discard | {"Z10", "Z11"}
    assert table.pile("discard") == set()


@pytest.mark.rule("OMEGA-KEY-11")
def test_with_still_fewer_all_are_looked_at() -> None:
    table = table_of({"K2": "", "L3": ""})
    values = table.values
    # Nearly all cards are gone: the rules of no set bring this about, but a variant may.
    values["deck"], values["discard"] = [table.card("Z10")], [table.card("Z11")]
    table.state.load(values)
    for code in (codes.USE_BOOK(0, 0), codes.LOOK(table.card("Z10")), codes.LOOK(table.card("Z11"))):
        table.state.apply(code)
    assert table.offers(codes.KEY_TAKE) == {"Z10", "Z11"}


@pytest.mark.rule("OMEGA-KEY-12")
def test_each_book_key_of_the_sum_is_used_and_a_used_one_takes_no_part() -> None:
    table = table_of({"K1": "", "K2": "", "B": ""})
    table.book("K1")
    table.look("Z10", "Z11", "Z12")
    table.key(None)
    assert table.refused(codes.USE_BOOK, "K1", 0) == "POWER_USED"
    assert table.refused(codes.USE_BOOK, "K2", 0) == "POWER_USED"
    assert table.offers(codes.USE_BOOK) == {"B 0"}
    # K2 has been used: neither its number nor itself takes part.
    table = Table(cards=CARDS).at(Player("G", {"K2": "", "Z9": ""}), gallery=("K1", None, None, None))
    table.book("K2")
    table.look("Z10", "Z11")
    table.key(None)
    table.summon("K1", "G")
    table.book("K1")
    assert looked(table) == 1
    table.look("Z10")
    table.key("Z10")
    assert table.row(0) == ["K2", "Z9", "Z10"]


@pytest.mark.rule("OMEGA-KEY-12")
def test_a_gained_lightning_key_uses_up_the_books() -> None:
    table = Table(cards=CARDS).at(Player("G", {"K2": "V"}), gallery=("L3", None, None, None))
    table.summon("L3", "G")
    assert looked(table) == 5
    table.look("Z10", "Z11", "Z12", "Z13", "Z14")
    table.key("Z10")
    assert table.offers(codes.KEY_PLACE) == {"K2", "L3"}
    table.take(codes.KEY_PLACE, "L3")
    table.key(None)
    assert table.row(0) == ["K2", "Z10"]
    assert table.refused(codes.USE_BOOK, "K2", 0) == "POWER_USED"


def test_keys_of_opponents_take_no_part() -> None:
    table = Table(cards=CARDS).at(Player("", {"K1": ""}), Player("", {"K2": "", "L3": ""}))
    table.book("K1")
    assert looked(table) == 1
