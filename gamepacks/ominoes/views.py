"""The view message of a state; nothing is hidden."""

from __future__ import annotations

from gamepacks.ominoes.codes import DICE, SCORING_PHASES
from gamepacks.ominoes.engine.rules import OminoesState
from gamepacks.ominoes.messages import cell_message, cell_messages
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Phase


def pit(board_size: int) -> list[int]:
    """The four cells of the snake pit (OMI-COMP-02)."""
    middle = board_size // 2
    return [row * board_size + column for row in (middle - 1, middle) for column in (middle - 1, middle)]


def view_message(state: OminoesState) -> pb.View:
    """Returns the view message of a state, which is the same for every viewer because nothing is hidden."""
    rules, size, over = state.rules, state.rules.size, state.phase == Phase.OVER
    view = pb.View(
        board_size=size,
        board=state.board,  # type: ignore[arg-type]
        pit=cell_messages(pit(size), size),
        pit_closed=rules.expert,
        phase=state.phase,  # type: ignore[arg-type]
        active_seat=None if over else state.active,
        start_seat=state.start,
        turns=state.turns,
        max_turns=rules.max_turns,
        rolled=state.rolled,  # type: ignore[arg-type]
        last_die=state.last_die,
        supply=DICE - state.on_board - (state.rolled != 0),
        players=[
            pb.Player(god=collects[0], collects=collects, score=score)  # type: ignore[arg-type]
            for collects, score in zip(map(rules.collects, range(rules.players)), state.scores, strict=True)
        ],
        target=rules.target,
        winners=state.winners() if over else (),
    )
    if state.reroll_cell is not None:
        view.reroll_cell.CopyFrom(cell_message(state.reroll_cell, size))
    if state.phase in SCORING_PHASES:
        for god, cells in state.groups():
            view.groups.add(god=god, cells=cell_messages(cells, size))
    return view
