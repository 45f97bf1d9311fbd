"""Every reason of refusal, and that legal lists, checks and reasons agree."""

from __future__ import annotations

from typing import Any

import pytest

from cext.errors import IllegalAction
from cext.random import Rng
from gamepacks.api.types import Code, Seat
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import Reason
from gamepacks.ominoes.refusals import refusal
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import Scenario

DICE: dict[str, Any] = {"ra": "a1 h8", "khepri": "b1 b2 a3", "yay_ra": "d8"}


def phases() -> dict[Phase, Scenario]:
    """A table in each phase in which a seat or chance is to act."""
    four = "a5 b5 c5 d5"
    extra = Scenario(start_player=0, extra_setup_die=True)
    return {
        Phase.START_PLAYER: Scenario(),
        Phase.SET_UP: Scenario(start_player=0),
        Phase.SET_UP_ROLL: extra.at(Phase.SET_UP_ROLL, set_up_placed=4, ra="a1 b1", apep="c1 d1"),
        Phase.SET_UP_EXTRA: Scenario(extra_setup_die=True).at(
            Phase.SET_UP_EXTRA, set_up_placed=4, ra="a1 b1", apep="c1 d1", rolled=Face.RA
        ),
        Phase.ROLL: Scenario().at(**DICE),
        Phase.MOVE: Scenario().at(Phase.MOVE, rolled=Face.RA, **DICE),
        Phase.REROLL: Scenario().at(Phase.REROLL, rolled=Face.OMINOTEP, **DICE),
        Phase.REROLLING: Scenario().at(
            Phase.REROLLING, rolled=Face.OMINOTEP, reroll_cell=pb.Cell(row=0, column=0), **DICE
        ),
        Phase.SCORE_AFTER_MOVE: Scenario().at(Phase.SCORE_AFTER_MOVE, rolled=Face.RA, horus=four),
        Phase.ADD: Scenario().at(Phase.ADD, rolled=Face.RA, **DICE),
        Phase.SCORE_AFTER_ADD: Scenario().at(Phase.SCORE_AFTER_ADD, horus=four),
    }


ONE_OF_EACH = {
    codes.START_PLAYER(0): {Phase.START_PLAYER},
    codes.ROLL(Face.RA): {Phase.SET_UP_ROLL, Phase.ROLL, Phase.REROLLING},
    codes.PLACE(20): {Phase.SET_UP, Phase.SET_UP_EXTRA},
    codes.MOVE(63, 39): {Phase.MOVE},
    codes.REROLL(0): {Phase.REROLL},
    codes.SCORE(Face.HORUS, 32): {Phase.SCORE_AFTER_MOVE, Phase.SCORE_AFTER_ADD},
    codes.ADD(20): {Phase.ADD},
}


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
def test_each_verb_is_refused_in_the_phases_of_others(phase: Phase) -> None:
    table = phases()[phase]
    assert table.phase is phase
    for code, wanted in ONE_OF_EACH.items():
        if phase in wanted:
            assert table.state.is_legal(code)
        else:
            assert table.refused(code) == Reason.WRONG_PHASE


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
def test_what_is_listed_is_what_is_legal_and_all_else_has_a_reason(phase: Phase) -> None:
    state = phases()[phase].state
    listed = {*state.legal(), *(code for code, _ in state.chance())}
    assert listed
    everything = {
        *(verb(byte) for verb in codes.BOOK.verbs if len(verb.fields) == 1 for byte in range(256)),
        *(codes.MOVE(start, end) for start in range(0, 256, 37) for end in range(0, 256, 3)),
        *(codes.MOVE(start, end) for start in (0, 8, 9, 63, 59) for end in range(64)),
        *(codes.SCORE(god, cell) for god in range(8) for cell in range(80)),
        codes.DECLINE(),
        *(code | 1 << 16 for code in listed),
        *(-code for code in listed),
        9 << 24,
    }
    assert listed <= everything
    for code in everything:
        assert state.is_legal(code) == (code in listed)
        if code not in listed:
            assert refusal(state, code, -1).reason in set(Reason)
    with pytest.raises(ValueError, match="is legal"):
        refusal(state, min(listed), -1)


def test_after_the_end_everything_is_refused() -> None:
    table = Scenario().at(Phase.OVER, ra="a1", scores=[21, 0])
    for code in ONE_OF_EACH:
        assert table.refused(code) == Reason.GAME_OVER


def test_another_seat_is_refused_and_so_is_a_seat_at_a_chance_node() -> None:
    table = Scenario().at(Phase.ADD, rolled=Face.RA, **DICE)
    assert table.refused(codes.ADD(20), seat=1) == Reason.NOT_YOUR_TURN
    assert table.state.legal(1) == []
    assert table.state.legal(0) == table.state.legal()
    table.state.apply(codes.ADD(20), 0)
    assert table.refused(codes.ROLL(Face.RA), seat=1) == Reason.NOT_YOUR_TURN


@pytest.mark.parametrize("code", [-1, 8 << 24, 127 << 24, codes.ADD(3) | 1 << 8, codes.DECLINE() | 5, 2**31 - 1])
def test_numbers_that_are_no_codes_are_refused(code: int) -> None:
    table = Scenario().at(Phase.ADD, rolled=Face.RA, **DICE)
    assert table.refused(Code(code)) == Reason.UNKNOWN_CODE


@pytest.mark.rule("OMI-MOVE-01", "OMI-MOVE-03")
@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        ("b1", "e1", Reason.NOT_YOUR_DIE),
        ("c5", "c2", Reason.NO_DIE_THERE),
        ("h8", "h6", Reason.NOT_THREE_STEPS),
        ("h8", "e7", Reason.NOT_THREE_STEPS),
        ("a1", "b1", Reason.CELL_OCCUPIED),
        ("a1", "d1", Reason.PATH_BLOCKED),
        ("a1", "a2", Reason.PATH_BLOCKED),
    ],
)
def test_why_a_die_cannot_be_moved_there(start: str, end: str, reason: Reason) -> None:
    table = Scenario().at(Phase.MOVE, rolled=Face.RA, **DICE)
    assert table.refused(codes.MOVE(table.cell(start), table.cell(end))) == reason


def test_moves_beyond_the_board_are_refused() -> None:
    table = Scenario().at(Phase.MOVE, rolled=Face.RA, **DICE)
    assert table.refused(codes.MOVE(63, 64)) == Reason.OUT_OF_BOARD
    assert table.refused(codes.MOVE(200, 3)) == Reason.OUT_OF_BOARD


@pytest.mark.rule("OMI-SCORE-05", "OMI-SCORE-06")
def test_why_a_group_cannot_be_scored() -> None:
    table = Scenario().at(Phase.SCORE_AFTER_ADD, yay_ra="a1 b1 c1 d1", ra="a5", horus="a8 b8 c8 d8")
    cell = table.cell
    assert table.refused(codes.SCORE(Face.APEP, cell("a1"))) == Reason.NOT_YOUR_GOD
    assert table.refused(codes.SCORE(Face.YAY_RA, cell("a1"))) == Reason.NOT_YOUR_GOD
    assert table.refused(codes.SCORE(99 % 256, cell("a1"))) == Reason.NOT_YOUR_GOD
    assert table.refused(codes.SCORE(Face.RA, cell("a5"))) == Reason.NO_SUCH_GROUP
    assert table.refused(codes.SCORE(Face.RA, cell("e5"))) == Reason.NO_SUCH_GROUP
    # By another of its dice, and under another god than the one it is offered for.
    assert table.refused(codes.SCORE(Face.RA, cell("b1"))) == Reason.NO_SUCH_GROUP
    assert table.refused(codes.SCORE(Face.KHEPRI, cell("a1"))) == Reason.NO_SUCH_GROUP
    assert table.refused(codes.SCORE(Face.RA, 70)) == Reason.OUT_OF_BOARD
    table.take(codes.SCORE(Face.RA, cell("a1")))


def test_outcomes_that_chance_cannot_have_are_refused() -> None:
    table = Scenario(3)
    assert table.refused(codes.START_PLAYER(3)) == Reason.NOT_AN_OUTCOME
    table.at(**DICE)
    for face in (0, 7):
        assert table.refused(codes.ROLL(face)) == Reason.NOT_AN_OUTCOME


def parse(table: Scenario, action: pb.Action) -> Code:
    actor = table.state.actor()
    return table.game.parse(table.state, Seat(actor), action)


@pytest.mark.parametrize(
    ("action", "reason", "detail"),
    [
        (pb.Action(), Reason.INCOMPLETE_ACTION, "action"),
        (pb.Action(add=pb.Add()), Reason.INCOMPLETE_ACTION, "cell"),
        (pb.Action(place=pb.Place()), Reason.INCOMPLETE_ACTION, "cell"),
        (pb.Action(reroll=pb.Reroll()), Reason.INCOMPLETE_ACTION, "cell"),
        (pb.Action(move=pb.Move()), Reason.INCOMPLETE_ACTION, "from_cell"),
        (pb.Action(move=pb.Move(from_cell=pb.Cell())), Reason.INCOMPLETE_ACTION, "to_cell"),
        (pb.Action(score=pb.Score(cells=[pb.Cell()])), Reason.INCOMPLETE_ACTION, "god"),
        (pb.Action(score=pb.Score(god=pb.GOD_RA)), Reason.INCOMPLETE_ACTION, "cells"),
        (pb.Action(add=pb.Add(cell=pb.Cell(row=8))), Reason.OUT_OF_BOARD, None),
        (pb.Action(add=pb.Add(cell=pb.Cell(column=-1))), Reason.OUT_OF_BOARD, None),
        (pb.Action(roll=pb.Roll(face=-1)), Reason.NOT_AN_OUTCOME, None),
        (pb.Action(start_player=pb.StartPlayer(seat=300)), Reason.NOT_AN_OUTCOME, None),
        (pb.Action(score=pb.Score(god=pb.GOD_RA, cells=[pb.Cell(row=2)])), Reason.NO_SUCH_GROUP, None),
    ],
)
def test_messages_that_stand_for_no_action_are_refused(action: pb.Action, reason: Reason, detail: str | None) -> None:
    table = Scenario().at(Phase.ADD, rolled=Face.RA, **DICE)
    with pytest.raises(IllegalAction) as caught:
        parse(table, action)
    assert caught.value.reason == reason
    if detail is not None:
        assert caught.value.details["field"] == detail


def test_a_typed_group_is_named_by_one_of_its_dice_or_by_all() -> None:
    table = Scenario().at(Phase.SCORE_AFTER_ADD, yay_ra="a1 b1 c1 d1", horus="a8 b8 c8 d8")

    def score(god: pb.God, *spaces: str) -> pb.Action:
        cells = [pb.Cell(row=int(name[1:]) - 1, column="abcdefgh".index(name[0])) for name in spaces]
        return pb.Action(score=pb.Score(god=god, cells=cells))

    expected = codes.SCORE(Face.RA, table.cell("a1"))
    assert parse(table, score(pb.GOD_RA, "c1")) == expected
    assert parse(table, score(pb.GOD_RA, "d1", "a1", "c1", "b1")) == expected
    # The set of dice is one option, whichever of the player's gods is named for it.
    assert parse(table, score(pb.GOD_KHEPRI, "b1")) == expected
    # A god of somebody else keeps its name, and is refused as what it is.
    assert table.refused(parse(table, score(pb.GOD_APEP, "b1"))) == Reason.NOT_YOUR_GOD
    for action in (score(pb.GOD_RA, "a1", "b1"), score(pb.GOD_RA, "a1", "a8"), score(pb.GOD_HORUS, "a8", "b8", "c8")):
        with pytest.raises(IllegalAction) as caught:
            parse(table, action)
        assert caught.value.reason == Reason.NO_SUCH_GROUP


def test_a_random_walk_is_never_refused_what_it_was_offered() -> None:
    rng = Rng(5)
    table = Scenario(3, extra_setup_die=True, optional_scoring=True, target=30)
    for _ in range(400):
        if table.phase is Phase.OVER:
            break
        outcomes = table.state.chance()
        table.take(rng.weighted(outcomes) if outcomes else rng.choice(table.state.legal()))
    assert table.state.turns > 20
