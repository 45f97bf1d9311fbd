"""Endings and the final round: section 10 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending, Phase
from tests.omega.fixtures import F, book
from tests.omega.tables import Player, Table

FULL = {f"Z{n}": "5R 5V" for n in range(4)} | {"Z3": "10B", "Z2": "10G"}


def holding(players: int, tokens: int) -> Table:
    return Table(players).at(Player("", {"Z0": ""}, tokens=["five"] * tokens), altar="6R")


@pytest.mark.rule("OMEGA-END-01")
@pytest.mark.parametrize(("players", "tokens"), [(2, 7), (3, 7), (4, 6)])
def test_the_arcanic_ending(players: int, tokens: int) -> None:
    for held, announced in ((tokens - 1, False), (tokens, True), (tokens + 2, True)):
        table = holding(players, held)
        table.end()
        assert table.state.ending == (Ending.ARCANIC if announced else 0)


@pytest.mark.rule("OMEGA-END-02")
def test_reached_in_main_the_turn_is_played_out_first() -> None:
    table = Table().at(Player("BGG", {"Z0": ""}, tokens=["five"] * 6, steps=11), altar="6R")
    table.place("B", "Z0")
    table.token(0)
    assert table.held(0) == 7
    assert table.state.ending == 0 and table.phase is Phase.MAIN and table.active == 0
    table.place("G", "Z0")
    table.summon("Z38", "G")
    table.end()
    assert table.state.ending == Ending.ARCANIC


@pytest.mark.rule("OMEGA-END-03")
def test_the_runic_ending() -> None:
    table = Table().at(Player("", FULL), altar="6R")
    table.end()
    assert table.state.ending == Ending.RUNIC
    # Nine on one of them, or three of ten, are not enough.
    for row in ({**FULL, "Z3": "9B"}, {name: load for name, load in FULL.items() if name != "Z3"}):
        table.at(Player("", row), altar="6R").end()
        assert table.state.ending == 0


@pytest.mark.rule("OMEGA-END-04")
def test_the_exhaustion_ending() -> None:
    table = Table().at(Player("", {"Z0": ""}), altar="RR", bag="B", rest=1, phase=Phase.DRAW)
    table.bag_rune("B")
    assert table.state.ending == 0
    table.end()
    assert table.state.ending == Ending.EXHAUSTION
    assert table.event("end_announced").seat == 0
    table.at(Player("", {"Z0": ""}), altar="6R", bag="BB", rest=1, phase=Phase.DRAW)
    table.bag_rune("B")
    table.end()
    assert table.state.ending == 0


@pytest.mark.rule("OMEGA-END-05")
def test_the_latch_is_set_when_the_bag_runs_out_and_stays() -> None:
    table = Table(cards={"A": F(0)}).at(Player("VV", {"A": "GG", "Z9": ""}), altar="", bag="B", rest=1, gained="Z9")
    table.pair("Z9", "Z9")
    table.bag_rune("B")
    assert table.values["latch"] and table.kinds()[-1] == "bag_exhausted"
    table.disown("A")
    assert table.bag_size == 2 and table.values["latch"]
    table.end()
    assert table.state.ending == Ending.EXHAUSTION


@pytest.mark.rule("OMEGA-END-05")
def test_the_latch_is_set_in_any_phase() -> None:
    # By a search for a colour.
    cards = {"A": F(1, 1, book(("draw", 1, "red")))}
    table = Table(cards=cards).at(Player("", {"A": ""}), altar="B", bag="R", rest=1)
    table.book("A")
    assert table.values["latch"]
    # In the set-up of a turn an empty bag is empty already.
    table = Table().at(Player("", {"Z0": ""}), Player("", {"Z1": ""}), altar="6R", bag="", rest=0)
    table.end()
    assert table.values["latch"]


@pytest.mark.rule("OMEGA-END-06")
def test_one_check_after_the_end_phase_names_the_announcer() -> None:
    table = Table(3).at(Player("", {"Z0": ""}), Player("", {"Z1": ""}, tokens=["five"] * 7), altar="6R", active=1)
    assert table.values["announcer"] == -1
    table.end()
    assert table.values["announcer"] == 1
    assert (table.event("end_announced").seat, table.event("end_announced").ending) == (1, 1)
    assert table.view().announcer == 1


@pytest.mark.rule("OMEGA-END-07")
def test_several_endings_at_once_are_all_recorded() -> None:
    table = Table().at(Player("", FULL, tokens=["five"] * 7), altar="RR", bag="B", rest=1, latch=True)
    table.end()
    assert table.state.ending == Ending.ARCANIC | Ending.RUNIC | Ending.EXHAUSTION
    # The order for display is arcanic, runic, exhaustion: that of the bits.
    assert Ending.ARCANIC < Ending.RUNIC < Ending.EXHAUSTION
    assert table.event("end_announced").ending == 7


@pytest.mark.rule("OMEGA-FINAL-01", "OMEGA-FINAL-05")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("announcer", [0, 1])
def test_every_other_player_has_one_more_turn_then_comes_the_judgement(players: int, announcer: int) -> None:
    seats = [Player("", {f"Z{seat}": ""}) for seat in range(players)]
    seats[announcer].tokens = ["five"] * 7
    table = Table(players).at(*seats, altar="6R", active=announcer)
    table.end()
    order = []
    while table.phase is not Phase.OVER:
        assert table.view().final_turns_left == players - 1 - len(order)
        table.chance()
        order.append(table.active)
        assert table.phase is Phase.DRAW
        table.altar_rune("R")
        table.end()
    assert order == [(announcer + number) % players for number in range(1, players)]
    assert table.state.legal() == [] and table.state.chance() == []
    assert table.event("judgement").winners == [announcer]
    assert table.refused(codes.END_MAIN) == "GAME_OVER"


@pytest.mark.rule("OMEGA-FINAL-02")
def test_they_are_normal_turns_without_captures() -> None:
    table = Table(3).at(
        Player("", {"Z0": "R", "Z5": ""}, tokens=["five"] * 7),
        Player("5G K", {"Z1": "B"}),
        Player("G", {"Z2": "V"}),
        altar="6R",
    )
    table.end()
    table.altar_rune("R")
    assert table.refused(codes.CAPTURE, 0, "Z5") == "FINAL_ROUND"
    assert {"SUMMON", "PLACE", "PLACE_BLACK", "MASK", "END_MAIN"} <= table.verbs()
    table.summon("Z38", "G")
    table.disown("Z1", "B")
    table.end()
    table.chance()
    # The next player's altar and gallery are filled as ever.
    assert len(table.altar) == 6 and None not in table.gallery
    assert table.active == 2


@pytest.mark.rule("OMEGA-FINAL-03")
def test_no_new_announcement_in_the_final_round() -> None:
    table = Table(3).at(
        Player("", {"Z0": ""}, tokens=["five"] * 7),
        Player("", {"Z1": ""}, tokens=["five"] * 8),
        Player("", FULL_4),
        altar="6R",
        active=1,
        announcer=0,
        ending=Ending.ARCANIC,
        final_turns_left=2,
    )
    for turn in range(2):
        if turn:
            table.chance()
            table.altar_rune("R")
        table.end()
        assert (table.state.ending, table.values["announcer"]) == (Ending.ARCANIC, 0)
    assert table.phase is Phase.OVER
    assert "end_announced" not in table.kinds()


FULL_4 = {f"Z{n}": "5R 5V" for n in (5, 6)} | {"Z7": "10B", "Z8": "10G"}


@pytest.mark.rule("OMEGA-FINAL-04")
def test_an_empty_bag_shortens_refills_and_skips_draws() -> None:
    table = Table(3).at(
        Player("", {"Z0": ""}, tokens=["five"] * 7),
        Player("", {"Z1": ""}),
        Player("", {"Z2": ""}),
        altar="",
        bag="B",
        rest=0,
    )
    table.end()
    table.take(codes.ALTAR_RUNE, "B")
    assert (table.active, table.phase, table.altar) == (1, Phase.DRAW, "B")
    assert table.verbs() == {"TAKE_ALTAR"}
    table.altar_rune("B")
    table.end()
    # Nothing is left: the draw of the last turn is skipped.
    assert (table.active, table.phase) == (2, Phase.MAIN)
    table.end()
    assert table.phase is Phase.OVER
    assert table.state.ending == Ending.ARCANIC
