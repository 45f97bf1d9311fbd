"""Endings and the final round: section 10 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book
from tests.omega.scenario import OmegaScenario, Player

FULL = {f"Z{n}": "5R 5V" for n in range(4)} | {"Z3": "10B", "Z2": "10G"}


def holding(players: int, tokens: int) -> OmegaScenario:
    return OmegaScenario(players).at(Player("", {"Z0": ""}, tokens=["five"] * tokens), altar="6R")


@pytest.mark.rule("OMEGA-END-01")
@pytest.mark.parametrize(("players", "tokens"), [(2, 7), (3, 7), (4, 6)])
def test_the_arcanic_ending(players: int, tokens: int) -> None:
    for held, announced in ((tokens - 1, False), (tokens, True), (tokens + 2, True)):
        scenario = holding(players, held)
        scenario.end()
        assert scenario.state.ending == (Ending.ARCANIC if announced else 0)


@pytest.mark.rule("OMEGA-END-02")
def test_ending_reached_in_main_lets_the_turn_be_completed() -> None:
    scenario = OmegaScenario().at(Player("BGG", {"Z0": ""}, tokens=["five"] * 6, steps=11), altar="6R")
    scenario.place("B", "Z0")
    scenario.token(0)
    assert scenario.held(0) == 7
    assert scenario.state.ending == 0 and scenario.phase is Phase.MAIN and scenario.active == 0
    scenario.place("G", "Z0")
    scenario.summon("Z38", "G")
    scenario.end()
    assert scenario.state.ending == Ending.ARCANIC


@pytest.mark.rule("OMEGA-END-03")
def test_the_runic_ending() -> None:
    scenario = OmegaScenario().at(Player("", FULL), altar="6R")
    scenario.end()
    assert scenario.state.ending == Ending.RUNIC
    # Nine on one of them, or three of ten, are not enough.
    for row in ({**FULL, "Z3": "9B"}, {name: load for name, load in FULL.items() if name != "Z3"}):
        scenario.at(Player("", row), altar="6R").end()
        assert scenario.state.ending == 0


@pytest.mark.rule("OMEGA-END-04")
def test_the_exhaustion_ending() -> None:
    scenario = OmegaScenario().at(Player("", {"Z0": ""}), altar="RR", bag="B", rest=1, phase=Phase.DRAW)
    scenario.bag_rune("B")
    assert scenario.state.ending == 0
    scenario.end()
    assert scenario.state.ending == Ending.EXHAUSTION
    assert scenario.event("end_announced").seat == 0
    scenario.at(Player("", {"Z0": ""}), altar="6R", bag="BB", rest=1, phase=Phase.DRAW)
    scenario.bag_rune("B")
    scenario.end()
    assert scenario.state.ending == 0


@pytest.mark.rule("OMEGA-END-05")
def test_bag_was_empty_is_set_when_the_bag_runs_out_and_stays() -> None:
    scenario = OmegaScenario(cards={"A": F(0)}).at(
        Player("VV", {"A": "GG", "Z9": ""}), altar="", bag="B", rest=1, gained="Z9"
    )
    scenario.pair("Z9", "Z9")
    scenario.bag_rune("B")
    assert scenario.values["bag_was_empty"] and scenario.kinds()[-1] == "bag_exhausted"
    scenario.disown("A")
    assert scenario.bag_size == 2 and scenario.values["bag_was_empty"]
    scenario.end()
    assert scenario.state.ending == Ending.EXHAUSTION


@pytest.mark.rule("OMEGA-END-05")
def test_bag_was_empty_is_set_in_any_phase() -> None:
    # By a search for a colour.
    cards = {"A": F(1, 1, book(("draw", 1, "red")))}
    scenario = OmegaScenario(cards=cards).at(Player("", {"A": ""}), altar="B", bag="R", rest=1)
    scenario.book("A")
    assert scenario.values["bag_was_empty"]
    # In the set-up of a turn an empty bag is empty already.
    scenario = OmegaScenario().at(Player("", {"Z0": ""}), Player("", {"Z1": ""}), altar="6R", bag="", rest=0)
    scenario.end()
    assert scenario.values["bag_was_empty"]


@pytest.mark.rule("OMEGA-END-06")
def test_one_check_after_the_end_phase_names_the_announcer() -> None:
    scenario = OmegaScenario(3).at(
        Player("", {"Z0": ""}), Player("", {"Z1": ""}, tokens=["five"] * 7), altar="6R", active=1
    )
    assert scenario.values["announcer"] == -1
    scenario.end()
    assert scenario.values["announcer"] == 1
    assert (scenario.event("end_announced").seat, scenario.event("end_announced").ending) == (1, 1)
    assert scenario.view().announcer == 1


@pytest.mark.rule("OMEGA-END-07")
def test_several_endings_at_once_are_all_recorded() -> None:
    scenario = OmegaScenario().at(
        Player("", FULL, tokens=["five"] * 7), altar="RR", bag="B", rest=1, bag_was_empty=True
    )
    scenario.end()
    assert scenario.state.ending == Ending.ARCANIC | Ending.RUNIC | Ending.EXHAUSTION
    # The order for display is arcanic, runic, exhaustion: that of the bits.
    assert Ending.ARCANIC < Ending.RUNIC < Ending.EXHAUSTION
    assert scenario.event("end_announced").ending == 7


@pytest.mark.rule("OMEGA-FINAL-01", "OMEGA-FINAL-05")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("announcer", [0, 1])
def test_every_other_player_has_one_more_turn_then_comes_the_judgement(players: int, announcer: int) -> None:
    seats = [Player("", {f"Z{seat}": ""}) for seat in range(players)]
    seats[announcer].tokens = ["five"] * 7
    scenario = OmegaScenario(players).at(*seats, altar="6R", active=announcer)
    scenario.end()
    order = []
    while scenario.phase is not Phase.OVER:
        assert scenario.view().final_turns_left == players - 1 - len(order)
        scenario.chance()
        order.append(scenario.active)
        assert scenario.phase is Phase.DRAW
        scenario.altar_rune("R")
        scenario.end()
    assert order == [(announcer + number) % players for number in range(1, players)]
    assert scenario.state.legal() == [] and scenario.state.chance() == []
    assert scenario.event("judgement").winners == [announcer]
    assert scenario.refused(codes.END_MAIN) == "GAME_OVER"


@pytest.mark.rule("OMEGA-FINAL-02")
def test_final_turns_are_normal_turns_without_captures() -> None:
    scenario = OmegaScenario(3).at(
        Player("", {"Z0": "R", "Z5": ""}, tokens=["five"] * 7),
        Player("5G K", {"Z1": "B"}),
        Player("G", {"Z2": "V"}),
        altar="6R",
    )
    scenario.end()
    scenario.altar_rune("R")
    assert scenario.refused(codes.CAPTURE, 0, "Z5") == "FINAL_ROUND"
    assert {"SUMMON", "PLACE", "PLACE_BLACK", "MASK", "END_MAIN"} <= scenario.verbs()
    scenario.summon("Z38", "G")
    scenario.disown("Z1", "B")
    scenario.end()
    scenario.chance()
    # The next player's altar and gallery are filled as ever.
    assert len(scenario.altar) == 6 and None not in scenario.gallery
    assert scenario.active == 2


@pytest.mark.rule("OMEGA-FINAL-03")
def test_no_new_announcement_in_the_final_round() -> None:
    scenario = OmegaScenario(3).at(
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
            scenario.chance()
            scenario.altar_rune("R")
        scenario.end()
        assert (scenario.state.ending, scenario.values["announcer"]) == (Ending.ARCANIC, 0)
    assert scenario.phase is Phase.OVER
    assert "end_announced" not in scenario.kinds()


FULL_4 = {f"Z{n}": "5R 5V" for n in (5, 6)} | {"Z7": "10B", "Z8": "10G"}


@pytest.mark.rule("OMEGA-FINAL-04")
def test_an_empty_bag_shortens_refills_and_skips_draws() -> None:
    scenario = OmegaScenario(3).at(
        Player("", {"Z0": ""}, tokens=["five"] * 7),
        Player("", {"Z1": ""}),
        Player("", {"Z2": ""}),
        altar="",
        bag="B",
        rest=0,
    )
    scenario.end()
    scenario.take(codes.ALTAR_RUNE, "B")
    assert (scenario.active, scenario.phase, scenario.altar) == (1, Phase.DRAW, "B")
    assert scenario.verbs() == {"TAKE_ALTAR"}
    scenario.altar_rune("B")
    scenario.end()
    # Nothing is left: the draw of the last turn is skipped.
    assert (scenario.active, scenario.phase) == (2, Phase.MAIN)
    scenario.end()
    assert scenario.phase is Phase.OVER
    assert scenario.state.ending == Ending.ARCANIC
