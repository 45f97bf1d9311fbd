"""Codes, views, actions and labels, as people and front ends get them."""

from __future__ import annotations

import pytest

from gamepacks.api.types import OMNISCIENT, Code, Seat, Viewer
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import BOOK
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import Scenario


def test_codes_keep_their_numbers_as_long_as_the_rules_version() -> None:
    assert Scenario().game.rules_version == "1"
    assert codes.START_PLAYER(3) == 3
    assert codes.ROLL(Face.OMINOTEP) == 1 << 24 | 6
    assert codes.PLACE(143) == 2 << 24 | 143
    assert codes.MOVE(3, 12) == 3 << 24 | 12 << 8 | 3
    assert codes.REROLL(7) == 4 << 24 | 7
    assert codes.SCORE(Face.RA, 9) == 5 << 24 | 9 << 8 | 2
    assert codes.DECLINE() == 6 << 24
    assert codes.ADD(63) == 7 << 24 | 63
    assert BOOK.name(codes.MOVE(3, 12)) == "MOVE start=3 end=12"


def test_the_enums_of_the_wire_have_the_same_numbers() -> None:
    assert {name.removeprefix("FACE_"): number for name, number in pb.Face.items() if number} == {
        face.name: face.value for face in Face
    }
    assert {name.removeprefix("PHASE_"): number for name, number in pb.Phase.items() if number} == {
        phase.name: phase.value for phase in Phase
    }
    assert {name.removeprefix("GOD_"): number for name, number in pb.God.items() if number} == {
        god.name: god.value for god in codes.GODS
    }


SCORING = {"ra": "a1 b1 c1", "yay_ra": "d1", "horus": "e1 f1 g1"}


@pytest.mark.parametrize(
    ("table", "label", "action"),
    [
        (Scenario(), "Seat 1 begins", pb.Action(start_player=pb.StartPlayer(seat=1))),
        (Scenario().at(ra="a1"), "The die shows Yay-Ra", pb.Action(roll=pb.Roll(face=pb.FACE_YAY_RA))),
        (
            Scenario(start_player=1),
            "Place Apep on c4",
            pb.Action(place=pb.Place(cell=pb.Cell(row=3, column=2))),
        ),
        (
            Scenario(extra_setup_die=True).at(
                Phase.SET_UP_EXTRA, set_up_placed=4, ra="a1 b1", apep="c1 d1", rolled=Face.OMINOTEP
            ),
            "Place Ominotep on h8",
            pb.Action(place=pb.Place(cell=pb.Cell(row=7, column=7))),
        ),
        (
            Scenario().at(Phase.MOVE, rolled=Face.YAY_RA, khepri="c4"),
            "Move Khepri from c4 to d6",
            pb.Action(move=pb.Move(from_cell=pb.Cell(row=3, column=2), to_cell=pb.Cell(row=5, column=3))),
        ),
        (
            Scenario().at(Phase.REROLL, rolled=Face.OMINOTEP, khepri="c4"),
            "Reroll Khepri on c4",
            pb.Action(reroll=pb.Reroll(cell=pb.Cell(row=3, column=2))),
        ),
        (
            Scenario().at(Phase.SCORE_AFTER_ADD, **SCORING),
            "Score 4 points for Horus: d1 e1 f1 g1",
            pb.Action(score=pb.Score(god=pb.GOD_HORUS, cells=[pb.Cell(column=column) for column in (3, 4, 5, 6)])),
        ),
        (
            Scenario(optional_scoring=True).at(Phase.SCORE_AFTER_ADD, **SCORING),
            "Do not score",
            pb.Action(decline_score=pb.DeclineScore()),
        ),
        (
            Scenario(board_size=12).at(Phase.ADD, rolled=Face.HORUS),
            "Add Horus on l12",
            pb.Action(add=pb.Add(cell=pb.Cell(row=11, column=11))),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_code_has_a_label_and_a_message(table: Scenario, label: str, action: pb.Action) -> None:
    state, game = table.state, table.game
    listed = [Code(code) for code in [*state.legal(), *(code for code, _ in state.chance())]]
    labels = {game.label(state, code): code for code in listed}
    assert len(labels) == len(listed)
    code = labels[label]
    assert game.action(state, code) == action
    assert game.parse(state, Seat(0), action) == code


def test_every_viewer_sees_the_same() -> None:
    table = Scenario(3).at(Phase.MOVE, rolled=Face.RA, ra="a1", horus="b2")
    views = [table.game.view(table.state, viewer) for viewer in (Viewer(0), Viewer(2), Viewer(-1), OMNISCIENT)]
    assert all(view == views[0] for view in views)
    assert table.game.knows_code(table.state, None, codes.ROLL(Face.RA), Viewer(-1))


def test_the_view_of_a_turn() -> None:
    table = Scenario(3, max_turns=99).at(
        Phase.SCORE_AFTER_MOVE, start=2, turns=4, rolled=Face.RA, scores=[4, 0, 5], ra="a1 b1 c1", yay_ra="d1"
    )
    view = table.view()
    assert view.active_seat == (2 + 4) % 3 == 0
    assert view == pb.View(
        board_size=8,
        board=[2, 2, 2, 5, *[0] * 60],  # type: ignore[list-item]
        pit=[pb.Cell(row=row, column=column) for row in (3, 4) for column in (3, 4)],
        pit_closed=False,
        phase=pb.PHASE_SCORE_AFTER_MOVE,
        active_seat=0,
        start_seat=2,
        turns=4,
        max_turns=99,
        rolled=pb.FACE_RA,
        supply=21,
        players=[
            pb.Player(god=pb.GOD_RA, collects=[pb.GOD_RA, pb.GOD_HORUS], score=4),
            pb.Player(god=pb.GOD_KHEPRI, collects=[pb.GOD_KHEPRI, pb.GOD_HORUS], score=0),
            pb.Player(god=pb.GOD_APEP, collects=[pb.GOD_APEP, pb.GOD_HORUS], score=5),
        ],
        target=13,
        groups=[pb.Group(god=pb.GOD_RA, cells=[pb.Cell(column=column) for column in range(4)])],
    )


def test_the_view_before_anything_has_happened() -> None:
    view = Scenario().view()
    assert not view.HasField("active_seat")
    assert not view.HasField("start_seat")
    assert view.supply == 26
    assert not view.winners


def test_render_draws_the_board_with_all_that_matters() -> None:
    table = Scenario(expert=True).at(
        Phase.SCORE_AFTER_MOVE, rolled=Face.YAY_RA, scores=[5, 12], ra="a1 b1 c1", ominotep="d1", khepri="h8"
    )
    drawn = table.game.render(table.view())
    lines = drawn.splitlines()
    assert lines[0].split() == list("abcdefgh")
    assert lines[2].count("[bold yellow]R[/]") == 3
    assert "([bold white]O[/])" in lines[2]
    assert "[bold blue]K[/]" in lines[16]
    assert sum(line.count("▒▒▒") for line in lines) == 4
    assert "▶ seat 0    5 of 21 points" in drawn
    assert "  seat 1   12 of 21 points" in drawn
    assert "score a group (rolled: [bold magenta]Y[/] Yay-Ra)" in drawn


def test_render_shows_a_reroll_the_last_die_and_the_end() -> None:
    table = Scenario().at(Phase.REROLLING, rolled=Face.OMINOTEP, ra="a1", reroll_cell=pb.Cell())
    assert "<[bold yellow]R[/]>" in table.game.render(table.view())
    crowd = "a6 b6 c6 d6 e6 f6 g6 h6 a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 a1 c1 e1 g1"
    table = Scenario(4).at(Phase.MOVE, rolled=Face.APEP, last_die=True, apep=crowd)
    assert "Apep, the last die)" in table.game.render(table.view())
    table = Scenario().at(Phase.OVER, scores=[21, 0])
    drawn = table.game.render(table.view())
    assert "[bold]won[/]" in drawn.splitlines()[-5]
    assert "The game is over." in drawn


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_render_fits_every_board(size: int) -> None:
    table = Scenario(board_size=size)
    lines = table.game.render(table.view()).splitlines()
    assert lines[1] == "   ┌" + "┬".join(["───"] * size) + "┐"
    assert lines[2 * size].startswith(f"{size:>2} │")
