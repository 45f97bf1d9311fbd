"""Positions are written and restored, and refused with every fault."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from gamepacks.api.errors import InvalidMessage, InvalidPosition
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import CROWD, Scenario, roundtrip


def test_a_position_comes_back_from_every_state_of_a_game() -> None:
    rng = Rng(11)
    table = Scenario(3, extra_setup_die=True, optional_scoring=True, late_add=True, target=20)
    while table.phase is not Phase.OVER:
        assert roundtrip(table) == table.game.position(table.state)
        outcomes = table.state.chance()
        table.take(rng.weighted(outcomes) if outcomes else rng.choice(table.state.legal()))
    assert roundtrip(table) == table.game.position(table.state)


def test_a_restored_state_goes_on_like_the_original() -> None:
    table = Scenario(start_player=1).at(Phase.ADD, start=1, turns=3, ra="a1 b1", rolled=Face.YAY_RA, scores=[4, 0])
    assert table.state.actor() == (1 + 3) % 2
    twin = table.game.restore(table.game.position(table.state))
    assert twin.legal() == table.state.legal()
    for state in (twin, table.state):
        state.apply(state.legal()[5])
    assert twin.to_bytes() == table.state.to_bytes()


def test_a_clone_shares_nothing() -> None:
    table = Scenario().at(Phase.ADD, ra="a1", rolled=Face.RA)
    before = table.state.to_bytes()
    twin = table.state.clone()
    twin.apply(twin.legal()[0])
    assert table.state.to_bytes() == before != twin.to_bytes()
    assert twin.game is table.game


def faults(table: Scenario, position: pb.Position) -> dict[str, str]:
    with pytest.raises(InvalidPosition) as caught:
        table.game.restore(position)
    found: dict[str, str] = {}
    for fault in caught.value.faults:
        found[fault.field] = f"{found.get(fault.field, '')} {fault.message}".strip()
    return found


OPTIONS: dict[str, Any] = {"max_turns": 50}
FULL = {"apep": CROWD, "ra": "a1 c1", "horus": "e1 g1"}  # 25 dice


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"phase": 0}, "phase", "is not a phase"),
        ({"phase": 13}, "phase", "is not a phase"),
        ({"scores": [0]}, "scores", "1 scores for 2 players"),
        ({"scores": [0, -4]}, "scores[1]", "-4"),
        ({"scores": [3, 0]}, "scores[0]", "from 4 to"),
        ({"scores": [46, 0]}, "scores[0]", "from 4 to 45"),
        ({"scores": [21, 0]}, "scores[0]", "the game must be over"),
        ({"start": None}, "start_seat", "must be set"),
        ({"start": 2}, "start_seat", "no seat 2"),
        ({"start": -1}, "start_seat", "no seat -1"),
        ({"phase": Phase.START_PLAYER}, "start_seat", "must not be set"),
        ({"turns": -1}, "turns", "from 0 to 49"),
        ({"turns": 50}, "turns", "from 0 to 49"),
        ({"set_up_placed": 4}, "set_up_placed", "from 0 to 0"),
        ({"rolled": Face.RA}, "rolled", "must not be set"),
        ({"phase": Phase.ADD}, "rolled", "must be set"),
        ({"phase": Phase.ADD, "rolled": 7}, "rolled", "7 is not a face"),
        ({"phase": Phase.MOVE, "rolled": Face.OMINOTEP, "ra": "a1"}, "rolled", "OMI-MOVE-07"),
        ({"phase": Phase.REROLL, "rolled": Face.RA, "ra": "a1"}, "rolled", "OMI-MOVE-07"),
        ({"phase": Phase.MOVE, "rolled": Face.RA}, "phase", "no die can be moved"),
        ({"phase": Phase.MOVE, "rolled": Face.RA, "ra": "a1", "apep": "a2 b1"}, "phase", "no die can be moved"),
        ({"phase": Phase.REROLL, "rolled": Face.OMINOTEP}, "phase", "no die to reroll"),
        ({"phase": Phase.REROLLING, "rolled": Face.OMINOTEP, "ra": "a1"}, "reroll_cell", "must be set"),
        (
            {"phase": Phase.REROLLING, "rolled": Face.OMINOTEP, "ra": "a1", "reroll_cell": pb.Cell(row=3)},
            "reroll_cell",
            "no die on a4",
        ),
        (
            {"phase": Phase.REROLLING, "rolled": Face.OMINOTEP, "ra": "a1", "reroll_cell": pb.Cell(column=8)},
            "reroll_cell",
            "no row 0, column 8",
        ),
        ({"reroll_cell": pb.Cell(row=3)}, "reroll_cell", "must not be set"),
        ({"phase": Phase.SCORE_AFTER_ADD, "apep": "a1 b1 c1 d1"}, "phase", "no group"),
        ({"phase": Phase.SCORE_AFTER_MOVE, "rolled": Face.RA, "ra": "a1 b1 c1"}, "phase", "no group"),
        ({"phase": Phase.ADD, "rolled": Face.RA, "ra": "a1 b1 c1 d1"}, "phase", "to score first"),
        ({"phase": Phase.OVER}, "phase", "fewer than 50 turns are over"),
        ({"phase": Phase.OVER, "scores": [0, 21]}, "scores", "only seat 0, who had the last turn"),
        ({"phase": Phase.OVER, "scores": [21, 22]}, "scores", "only seat 0, who had the last turn"),
        ({"phase": Phase.OVER, "scores": [21, 0], "turns": 50}, "turns", "must not count the turn"),
        ({"phase": Phase.SET_UP, "set_up_placed": 4}, "set_up_placed", "from 0 to 3"),
        ({"phase": Phase.SET_UP, "set_up_placed": 1}, "board", "show Ra, but 1 have been placed"),
        ({"phase": Phase.SET_UP, "set_up_placed": 1, "apep": "a1"}, "board", "show Apep, but 0 have been placed"),
        ({"phase": Phase.SET_UP, "set_up_placed": 1, "ra": "a1 a2"}, "board", "OMI-SETUP-01"),
        ({"phase": Phase.SET_UP, "set_up_placed": 1, "ra": "a1", "yay_ra": "b1"}, "board", "2 dice, but 1"),
        ({"phase": Phase.SET_UP, "scores": [4, 0]}, "scores", "must all be 0"),
        ({"phase": Phase.SET_UP, "turns": 1}, "turns", "must be 0 in the set-up"),
        ({"phase": Phase.SET_UP_ROLL, "ra": "a1 b1", "apep": "c1 d1", "set_up_placed": 4}, "phase", "extra_setup_die"),
        ({"phase": Phase.ROLL, "last_die": True}, "last_die", "cannot be true in this phase"),
        ({"phase": Phase.MOVE, "rolled": Face.RA, **FULL}, "last_die", "cannot be false in this phase"),
        (
            {"phase": Phase.MOVE, "rolled": Face.RA, "last_die": True, "ra": "a1"},
            "last_die",
            "cannot be true in this phase",
        ),
        (
            {"phase": Phase.ADD, "rolled": Face.KHEPRI, "last_die": True, **FULL},
            "last_die",
            "cannot be true in this phase",
        ),
        ({"phase": Phase.ADD, "rolled": Face.KHEPRI, **FULL}, "last_die", "cannot be false in this phase"),
        (
            {"phase": Phase.ADD, "rolled": Face.KHEPRI, "last_die": True, "ra": "a1"},
            "last_die",
            "cannot be true in this phase",
        ),
        (
            {"phase": Phase.SCORE_AFTER_MOVE, "rolled": Face.RA, "ra": "a1 b1 c1 d1", "apep": CROWD},
            "last_die",
            "cannot be false in this phase",
        ),
        (
            {
                "phase": Phase.SCORE_AFTER_MOVE,
                "rolled": Face.RA,
                "ra": "a1 b1 c1 d1",
                "apep": CROWD[:-3],
                "last_die": True,
            },
            "last_die",
            "cannot be true in this phase",
        ),
        ({"ra": CROWD, "apep": "a1 b1 c1 d1 e1"}, "board", "26 dice; at most 25"),
    ],
)
def test_a_fault_is_named(fields: dict[str, Any], field: str, message: str) -> None:
    table = Scenario(**OPTIONS)
    found = faults(table, table.position(**fields))
    assert message in found[field]


def test_faults_of_the_board_are_named_by_their_space() -> None:
    table = Scenario(expert=True)
    position = table.position()
    position.board[3] = 9  # type: ignore[call-overload]
    position.board[27] = pb.FACE_RA
    assert faults(table, position) == {
        "board[3]": "9 is not a face",
        "board[27]": "d4 is in the closed snake pit and must be empty",
    }
    position.board.append(pb.FACE_RA)
    assert "65 entries" in faults(table, position)["board"]
    del position.board[:]
    assert "0 entries" in faults(table, position)["board"]


def test_a_die_in_the_pit_is_fine_where_the_pit_is_open() -> None:
    table = Scenario().at(ra="d4")
    assert table.dice() == {"d4": Face.RA}


def test_options_can_contradict_a_position() -> None:
    table = Scenario(start_player=1)
    assert "must be 1, as the option start_player says" in faults(table, table.position(start=0))["start_seat"]
    found = faults(table, table.position(Phase.START_PLAYER, start=None))
    assert "seat 1 begins" in found["phase"]


@pytest.mark.rule("OMI-SETUP-04")
def test_positions_with_the_extra_die() -> None:
    table = Scenario(extra_setup_die=True)
    dice = {"ra": "a1 b1", "apep": "c1 d1"}
    table.at(Phase.SET_UP_ROLL, set_up_placed=4, **dice)
    table.at(Phase.SET_UP_EXTRA, set_up_placed=5, ominotep="e1", rolled=Face.APEP, **dice)
    assert table.state.actor() == 1
    found = faults(table, table.position(Phase.SET_UP_ROLL, set_up_placed=5, ra="a1", apep="c1 d1", horus="e1 e2"))
    assert "1 dice show Ra, but 2 have been placed" in found["board"]
    assert "from 4 to 5" in faults(table, table.position(Phase.SET_UP_ROLL, set_up_placed=6))["set_up_placed"]


@pytest.mark.rule("OMI-ADD-03")
def test_positions_with_the_last_die_scored_away() -> None:
    scored = {"rolled": Face.RA, "last_die": True, "apep": CROWD}
    Scenario(4, late_add=True).at(Phase.ADD, **scored)
    table = Scenario(4)
    assert "cannot be true" in faults(table, table.position(Phase.ADD, **scored))["last_die"]
    left = "a6 b6 c6 d6 e6 f6 g6 h6 a7 b7 c7 d7"
    Scenario(4).at(Phase.SCORE_AFTER_MOVE, rolled=Face.RA, last_die=True, ra="a1 b1 c1 d1", apep=left)


def test_every_fault_is_named_at_once() -> None:
    table = Scenario(expert=True, **OPTIONS)
    position = table.position(Phase.SET_UP, start=7, scores=[1, 2, 3], turns=60, rolled=9, last_die=True, ra=CROWD)
    position.board[28] = pb.FACE_APEP
    position.reroll_cell.row = 2
    position.set_up_placed = -1
    assert set(faults(table, position)) == {
        "board[28]",
        "scores",
        "scores[0]",
        "scores[1]",
        "scores[2]",
        "start_seat",
        "rolled",
        "last_die",
        "reroll_cell",
        "set_up_placed",
        "turns",
    }


def test_another_message_is_refused() -> None:
    table = Scenario()
    with pytest.raises(InvalidMessage) as caught:
        table.game.restore(pb.View())
    assert "gamepacks.ominoes.v1.Position" in caught.value.faults[0].message
