"""The turn: section 3 of RULES.md, and the expert version."""

from __future__ import annotations

import pytest

from cext.state import CHANCE
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import Reason
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import CROWD, Scenario


def skipped(table: Scenario) -> str:
    return pb.MoveSkippedReason.Name(table.event("move_skipped").reason)


@pytest.mark.rule("OMI-TURN-01")
def test_roll_move_add_and_then_the_next_player() -> None:
    table = Scenario(3).at(start=1, ra="a1", khepri="h8")
    turns = [
        (1, Face.KHEPRI, "h8", "h5", "d8"),
        (2, Face.RA, "a1", "a4", "a8"),
        (0, Face.KHEPRI, "h5", "h2", "d1"),
        (1, Face.RA, "a4", "a1", "h8"),
    ]
    for turn, (seat, face, start, end, added) in enumerate(turns):
        assert table.phase is Phase.ROLL
        assert table.state.active == seat
        assert table.state.turns == turn
        table.roll(face)
        assert table.kinds() == ["rolled"]
        assert table.phase is Phase.MOVE
        assert table.state.actor() == seat
        table.move(start, end)
        assert table.kinds() == ["moved"]
        assert table.phase is Phase.ADD
        assert table.state.actor() == seat
        table.add(added)
        assert table.kinds() == ["added", "turn_started"]
        assert table.event("turn_started").number == turn + 2


@pytest.mark.rule("OMI-ROLL-01")
def test_the_roll_is_a_chance_node_with_six_equal_outcomes() -> None:
    table = Scenario().at(ra="a1")
    assert table.state.actor() == CHANCE
    assert table.state.seats_to_act() == 0
    assert table.state.chance() == [(codes.ROLL(face), 1) for face in Face]
    table.roll(Face.RA)
    assert table.view().rolled == Face.RA
    assert table.view().supply == 24
    assert table.state.chance() == []


@pytest.mark.rule("OMI-MOVE-01")
def test_a_god_moves_a_die_of_that_god_whoever_placed_it() -> None:
    table = Scenario().at(ra="a1", apep="h1 h8", khepri="a8")
    table.roll(Face.APEP)
    assert {table.name(start) for start, _ in table.moves()} == {"h1", "h8"}
    assert table.refused(codes.MOVE(table.cell("a1"), table.cell("a4"))) == Reason.NOT_YOUR_DIE
    assert table.refused(codes.ADD(9)) == Reason.WRONG_PHASE
    table.move("h8", "h5")
    assert table.dice() == {"a1": Face.RA, "h1": Face.APEP, "h5": Face.APEP, "a8": Face.KHEPRI}


@pytest.mark.rule("OMI-MOVE-02")
def test_yay_ra_moves_any_die_wilds_included() -> None:
    table = Scenario().at(ra="a1", apep="h1", yay_ra="a8", ominotep="h8")
    table.roll(Face.YAY_RA)
    assert {table.name(start) for start, _ in table.moves()} == {"a1", "h1", "a8", "h8"}
    table.move("h8", "h5")
    assert table.dice()["h5"] is Face.OMINOTEP


@pytest.mark.rule("OMI-MOVE-03")
def test_a_move_goes_around_dice_but_not_over_them() -> None:
    # The die on a1 is behind one on b1: it can only go down first.
    table = Scenario().at(ra="a1", khepri="b1")
    table.roll(Face.RA)
    assert table.ends("a1") == {"a4", "b3", "c2"}
    assert table.refused(codes.MOVE(table.cell("a1"), table.cell("d1"))) == Reason.PATH_BLOCKED
    assert table.refused(codes.MOVE(table.cell("a1"), table.cell("b1"))) == Reason.CELL_OCCUPIED
    assert table.refused(codes.MOVE(table.cell("a1"), table.cell("c1"))) == Reason.NOT_THREE_STEPS
    assert table.refused(codes.MOVE(table.cell("a1"), table.cell("a1"))) == Reason.NOT_THREE_STEPS
    assert table.refused(codes.MOVE(table.cell("a1"), table.cell("e1"))) == Reason.NOT_THREE_STEPS


@pytest.mark.rule("OMI-MOVE-03")
def test_a_die_may_end_beside_its_start_by_a_u_shaped_way() -> None:
    # Of the two ways around from a1 to a2, by the right only; and to b1 by way of a2 and b2.
    table = Scenario().at(ra="a1", khepri="a3 c1 c2 b3")
    table.roll(Face.RA)
    assert table.ends("a1") == {"a2", "b1"}
    table.move("a1", "a2")
    assert [(cell.row, cell.column) for cell in table.event("moved").path] == [(0, 0), (0, 1), (1, 1), (1, 0)]


@pytest.mark.rule("OMI-MOVE-04")
def test_two_ways_to_one_end_are_one_option() -> None:
    table = Scenario().at(ra="d4")
    table.roll(Face.RA)
    moves = table.moves()
    assert len(moves) == len(set(moves)) == 16
    table.move("d4", "e2")
    path = [(cell.row, cell.column) for cell in table.event("moved").path]
    assert len(path) == 4
    assert (path[0], path[-1]) == ((3, 3), (1, 4))


@pytest.mark.rule("OMI-MOVE-05")
def test_a_god_that_is_not_on_the_board_moves_nothing() -> None:
    table = Scenario().at(ra="a1")
    table.roll(Face.APEP)
    assert table.kinds() == ["rolled", "move_skipped"]
    assert skipped(table) == "MOVE_SKIPPED_REASON_GOD_NOT_ON_BOARD"
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-P23-01")
def test_the_first_die_of_a_shared_god_is_added_straight() -> None:
    table = Scenario(3).at(ra="a1", khepri="c1", apep="e1")
    table.roll(Face.HORUS)
    assert skipped(table) == "MOVE_SKIPPED_REASON_GOD_NOT_ON_BOARD"
    table.add("h8")
    assert table.dice()["h8"] is Face.HORUS
    table.roll(Face.HORUS)
    assert table.phase is Phase.MOVE


@pytest.mark.rule("OMI-MOVE-06")
def test_dice_that_cannot_go_three_steps_are_not_moved() -> None:
    # a1 is walled in: it can go one step to a2 and no further.
    table = Scenario().at(ra="a1", khepri="b1 b2 a3")
    table.roll(Face.RA)
    assert table.kinds() == ["rolled", "move_skipped"]
    assert skipped(table) == "MOVE_SKIPPED_REASON_BLOCKED"
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-MOVE-06")
def test_yay_ra_moves_nothing_where_nothing_can_move() -> None:
    table = Scenario().at()
    table.roll(Face.YAY_RA)
    assert skipped(table) == "MOVE_SKIPPED_REASON_BOARD_EMPTY"
    assert table.phase is Phase.ADD
    # 25 dice on the 32 open spaces of a small expert board, and no two empty ones beside each other.
    table = Scenario(players=4, board_size=6, expert=True)
    empty = {"a1", "c1", "e1", "a3", "f3", "a5", "c5"}
    pit = {"c3", "d3", "c4", "d4"}
    crowd = {f"{column}{row}" for column in "abcdef" for row in range(1, 7)} - empty - pit
    assert len(crowd) == 25
    table.at(apep=" ".join(sorted(crowd)))
    table.roll(Face.YAY_RA)
    assert table.kinds() == ["rolled", "move_skipped", "not_added", "turn_started"]
    assert skipped(table) == "MOVE_SKIPPED_REASON_BLOCKED"


@pytest.mark.rule("OMI-MOVE-07")
def test_ominotep_rerolls_any_die_in_its_place() -> None:
    table = Scenario().at(ra="a1", apep="h1", yay_ra="a8", ominotep="h8")
    table.roll(Face.OMINOTEP)
    assert table.phase is Phase.REROLL
    spaces = {table.name(codes.REROLL.unpack(code)[0]) for code in table.state.legal()}
    assert spaces == {"a1", "h1", "a8", "h8"}
    assert table.refused(codes.REROLL(table.cell("b2"))) == Reason.NO_DIE_THERE
    table.reroll("h1")
    chosen = table.event("reroll_chosen")
    assert (chosen.seat, chosen.face, chosen.cell.row, chosen.cell.column) == (0, Face.APEP, 0, 7)
    assert table.state.actor() == CHANCE
    assert table.state.chance() == [(codes.ROLL(face), 1) for face in Face]
    assert (table.view().reroll_cell.row, table.view().reroll_cell.column) == (0, 7)
    table.roll(Face.KHEPRI)
    rerolled = table.event("rerolled")
    assert (rerolled.old_face, rerolled.new_face) == (Face.APEP, Face.KHEPRI)
    assert table.dice()["h1"] is Face.KHEPRI
    assert table.phase is Phase.ADD
    assert table.view().rolled == Face.OMINOTEP


@pytest.mark.rule("OMI-MOVE-07")
@pytest.mark.parametrize("face", [Face.YAY_RA, Face.OMINOTEP, Face.RA])
def test_nothing_else_follows_from_the_rerolled_face(face: Face) -> None:
    table = Scenario().at(ra="a1 h8")
    table.roll(Face.OMINOTEP)
    table.reroll("a1")
    table.roll(face)
    assert table.kinds() == ["rerolled"]
    assert table.phase is Phase.ADD
    assert table.view().rolled == Face.OMINOTEP


@pytest.mark.rule("OMI-MOVE-07")
def test_even_a_single_die_is_rerolled() -> None:
    table = Scenario().at(ra="a1")
    table.roll(Face.OMINOTEP)
    assert table.phase is Phase.REROLL
    assert table.state.legal() == [codes.REROLL(table.cell("a1"))]


@pytest.mark.rule("OMI-MOVE-07")
def test_ominotep_does_nothing_on_an_empty_board() -> None:
    table = Scenario().at()
    table.roll(Face.OMINOTEP)
    assert table.kinds() == ["rolled", "move_skipped"]
    assert skipped(table) == "MOVE_SKIPPED_REASON_BOARD_EMPTY"
    assert table.phase is Phase.ADD
    table.add("d4")
    assert table.dice() == {"d4": Face.OMINOTEP}


@pytest.mark.rule("OMI-ADD-01")
def test_the_rolled_die_is_added_to_any_empty_space() -> None:
    table = Scenario().at(ra="a1")
    table.roll(Face.KHEPRI)
    spaces = {codes.ADD.unpack(code)[0] for code in table.state.legal()}
    assert spaces == set(range(64)) - {0}
    assert table.refused(codes.ADD(0)) == Reason.CELL_OCCUPIED
    assert table.refused(codes.ADD(64)) == Reason.OUT_OF_BOARD
    table.add("d5")
    added = table.event("added")
    assert (added.seat, added.face, added.cell.row, added.cell.column) == (0, Face.KHEPRI, 4, 3)
    assert table.dice() == {"a1": Face.RA, "d5": Face.KHEPRI}
    assert table.view().supply == 24


@pytest.mark.rule("OMI-ADD-02")
def test_the_last_die_off_the_board_is_not_added() -> None:
    table = Scenario(players=4).at(ra="a1", horus="c1 e1 g1", apep=CROWD)
    assert table.state.on_board == 25
    table.roll(Face.RA)
    assert table.event("rolled").last_die
    assert table.view().last_die
    table.move("a1", "a4")
    assert table.kinds() == ["moved", "not_added", "turn_started"]
    assert table.event("not_added").face == Face.RA
    assert table.state.on_board == 25
    assert table.view().supply == 1
    assert not table.view().last_die
    # Following players roll and move until dice come off the board.
    assert table.state.active == 1
    table.roll(Face.RA)
    assert table.phase is Phase.MOVE


@pytest.mark.rule("OMI-ADD-02")
def test_the_last_die_but_one_is_added() -> None:
    table = Scenario(players=4).at(ra="a1", horus="c1 e1", apep=CROWD)
    assert table.state.on_board == 24
    table.roll(Face.RA)
    assert not table.event("rolled").last_die
    table.move("a1", "a4")
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-ADD-02", "OMI-MOVE-05", "OMI-SCORE-03")
def test_a_last_die_that_moves_nothing_ends_the_turn_at_once() -> None:
    table = Scenario(players=4).at(ra="a1", horus="c1 e1 g1", apep=CROWD)
    table.roll(Face.KHEPRI)
    assert table.kinds() == ["rolled", "move_skipped", "not_added", "turn_started"]
    assert table.event("not_added").face == Face.KHEPRI


@pytest.mark.rule("OMI-ADD-03")
@pytest.mark.parametrize("late_add", [False, True])
def test_the_option_late_add_reopens_the_add_once_dice_have_been_scored(late_add: bool) -> None:
    table = Scenario(players=4, late_add=late_add).at(ra="a1 b1 c1 e3", apep=CROWD)
    table.roll(Face.RA)
    table.move("e3", "d1")
    table.score(Face.RA, "a1")
    if late_add:
        assert table.kinds() == ["scored"]
        assert table.phase is Phase.ADD
        table.add("a1")
        assert table.dice()["a1"] is Face.RA
        assert table.kinds() == ["added", "turn_started"]
    else:
        assert table.kinds() == ["scored", "not_added", "turn_started"]


@pytest.mark.rule("OMI-ADD-03")
def test_even_late_the_last_die_is_not_added_where_nothing_was_scored() -> None:
    table = Scenario(players=4, late_add=True).at(ra="a1", horus="c1 e1 g1", apep=CROWD)
    table.roll(Face.RA)
    table.move("a1", "a4")
    assert table.kinds() == ["moved", "not_added", "turn_started"]


@pytest.mark.rule("OMI-EXPERT-01")
@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_the_closed_pit_takes_no_die_and_lets_none_through(size: int) -> None:
    # A die just above the pit's left column, which it would have to cross on its way down.
    column, row = "abcdef"[size // 2 - 1], size // 2 - 1
    start, below = f"{column}{row}", f"{column}{row + 3}"
    for expert in (True, False):
        table = Scenario(expert=expert, board_size=size).at(ra=start)
        table.roll(Face.RA)
        assert (below in table.ends(start)) is not expert
        left = f"{chr(ord(column) - 1)}{row}"
        table.move(start, left)
        spaces = {codes.ADD.unpack(code)[0] for code in table.state.legal()}
        pit = {cell.row * size + cell.column for cell in table.view().pit}
        assert table.view().pit_closed is expert
        assert spaces == set(range(size * size)) - {table.cell(left)} - (pit if expert else set())
        for cell in sorted(pit) if expert else ():
            assert table.refused(codes.ADD(cell)) == Reason.PIT_CLOSED
