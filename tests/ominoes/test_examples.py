"""The worked examples of section 10 of RULES.md, by their numbers."""

from __future__ import annotations

import pytest

from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import Reason
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import CROWD, Scenario


@pytest.mark.rule("OMI-MOVE-03")
def test_1_a_lone_die_amid_an_empty_board_reaches_sixteen_ends() -> None:
    table = Scenario().at(ra="d4")
    table.roll(Face.RA)
    near = {"d3", "d5", "c4", "e4"}
    far = {"d1", "d7", "a4", "g4", "c2", "e2", "c6", "e6", "b3", "b5", "f3", "f5"}
    assert table.ends("d4") == near | far
    assert len(near | far) == 16


@pytest.mark.rule("OMI-MOVE-03")
def test_2_a_lone_die_in_the_corner_reaches_six_ends() -> None:
    table = Scenario().at(ra="a1")
    table.roll(Face.RA)
    assert table.ends("a1") == {"a4", "b3", "c2", "d1", "a2", "b1"}


@pytest.mark.rule("OMI-SCORE-01", "OMI-SCORE-02", "OMI-SCORE-04")
def test_3_a_diagonal_die_is_not_in_the_group() -> None:
    table = Scenario(players=4).at(ra="c3 d3 e3 f5", yay_ra="e4")
    table.roll(Face.KHEPRI)
    assert table.phase is Phase.SCORE_AFTER_MOVE
    assert table.groups() == [(Face.RA, {"c3", "d3", "e3", "e4"})]
    table.score(Face.RA, "c3")
    assert table.state.scores == (4, 0, 0, 0)
    assert table.dice() == {"f5": Face.RA}


@pytest.mark.rule("OMI-SCORE-02", "OMI-SCORE-04")
def test_4_wilds_make_a_group_of_six() -> None:
    table = Scenario(players=4).at(start=3, horus="a1 b1 a2", yay_ra="b2 b3", ominotep="c3")
    table.roll(Face.KHEPRI)
    table.score(Face.HORUS, "a1")
    assert table.state.scores == (0, 0, 0, 6)
    assert table.dice() == {}


@pytest.mark.rule("OMI-SCORE-08", "OMI-P2-01")
def test_5_two_shared_gods_do_not_mix() -> None:
    table = Scenario(players=2).at(khepri="a1 b1", horus="c1 d1")
    table.roll(Face.RA)
    assert table.phase is Phase.ADD
    assert table.state.groups() == []


@pytest.mark.rule("OMI-ADD-02", "OMI-ADD-03")
def test_6_the_last_die_is_not_added_even_if_the_move_scored() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 e3", apep=CROWD)
    assert table.state.on_board == 25
    table.roll(Face.RA)
    table.move("e3", "d1")
    table.score(Face.RA, "a1")
    assert table.kinds() == ["scored", "not_added", "turn_started"]
    assert table.state.scores == (4, 0, 0, 0)
    assert table.state.on_board == 21
    assert table.phase is Phase.ROLL
    assert table.state.active == 1


@pytest.mark.rule("OMI-EXPERT-01")
def test_7_in_the_expert_version_no_die_steps_into_the_pit() -> None:
    table = Scenario(expert=True).at(ra="d3")  # (2, 3); the pit is d4 e4 d5 e5
    table.roll(Face.RA)
    assert table.ends("d3") == {"a3", "g3", "c3", "e3", "d2", "c1", "e1", "b2", "f2", "b4", "f4", "c5"}
    assert table.refused(codes.MOVE(table.cell("d3"), table.cell("d4"))) == Reason.PIT_CLOSED


@pytest.mark.rule("OMI-END-01")
def test_8_reaching_the_target_wins_at_once() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 e3", scores=[12, 0, 0, 0])
    table.roll(Face.RA)
    table.move("e3", "d1")
    table.score(Face.RA, "a1")
    assert table.kinds() == ["scored", "ended"]
    assert table.phase is Phase.OVER
    assert table.state.scores[0] == 16
    assert table.state.winners() == [0]
    assert table.dice() == {}
