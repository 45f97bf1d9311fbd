"""Conversion between states and position messages; every fault of a position is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.ominoes.codes import DICE, GODS, SCORING_PHASES, SET_UP_PHASES, cell_name, face_title
from gamepacks.ominoes.engine.rules import OminoesRules, OminoesState
from gamepacks.ominoes.messages import cell_message
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

if TYPE_CHECKING:
    from gamepacks.ominoes.game import Ominoes

_HOLDING = {
    Phase.SET_UP_EXTRA,
    Phase.MOVE,
    Phase.REROLL,
    Phase.REROLLING,
    Phase.SCORE_AFTER_MOVE,
    Phase.ADD,
}
"""Phases in which a die is in hand."""
_BEFORE_MOVE = {Phase.MOVE, Phase.REROLL, Phase.REROLLING}
"""Phases in which the dice on the board are those of the roll."""
_FACES = {int(face) for face in Face}


def to_message(state: OminoesState) -> pb.Position:
    """Returns the position message of a state; equal states give equal messages."""
    position = pb.Position(
        board=state.board,  # type: ignore[arg-type]
        phase=state.phase,  # type: ignore[arg-type]
        start_seat=state.start,
        set_up_placed=state.placed,
        turns=state.turns,
        scores=state.scores,
        rolled=state.rolled,  # type: ignore[arg-type]
        last_die=state.last_die,
    )
    if state.reroll_cell is not None:
        position.reroll_cell.CopyFrom(cell_message(state.reroll_cell, state.rules.size))
    return position


def restore(game: Ominoes, position: pb.Position) -> OminoesState:
    """Returns the state of a position. Raises InvalidPosition with every fault."""
    state = game.initial_state()
    faults = Checker(state.rules, position).faults()
    if not faults:
        cell = position.reroll_cell
        state.load(
            board=bytes(position.board),
            phase=position.phase,
            start=position.start_seat if position.HasField("start_seat") else None,
            placed=position.set_up_placed,
            turns=position.turns,
            scores=list(position.scores),
            rolled=position.rolled,
            last_die=position.last_die,
            reroll_cell=cell.row * state.rules.size + cell.column if position.HasField("reroll_cell") else None,
        )
        faults = _rule_faults(state)
    if faults:
        raise InvalidPosition(faults)
    return state


def _rule_faults(state: OminoesState) -> list[Fault]:
    """Faults that only the rules can find: the phase has no legal action, or an earlier step is not done."""
    phase = Phase(state.phase)
    if phase is Phase.MOVE and not state.any_moves():
        return [Fault("phase", "no die can be moved (OMI-MOVE-05, OMI-MOVE-06)")]
    if phase in SCORING_PHASES and not state.groups():
        return [Fault("phase", "the active player has no group to score (OMI-SCORE-01)")]
    if phase is Phase.ADD and state.groups() and not state.rules.optional_scoring:
        return [Fault("phase", "the active player has a group to score first (OMI-SCORE-05)")]
    return []


class Checker:
    """Checks the values of a position, without the rules of play."""

    def __init__(self, rules: OminoesRules, position: pb.Position) -> None:
        self._rules = rules
        self._position = position
        self._phase_number = int(position.phase)
        self._faults: list[Fault] = []
        self._board: list[int] = [int(face) for face in position.board]
        self._on_board = sum(1 for face in self._board if face)

    def faults(self) -> list[Fault]:
        """Returns every fault."""
        self._check_board()
        self._check_scores()
        self._check_start()
        if self._phase_number not in set(Phase):
            self._fault("phase", "is not a phase of the game")
            return self._faults
        self._phase = Phase(self._phase_number)
        self._check_hand()
        self._check_reroll_cell()
        self._check_set_up()
        self._check_turns()
        self._check_end()
        return self._faults

    def _fault(self, field: str, message: str) -> None:
        self._faults.append(Fault(field, message))

    def _check_board(self) -> None:
        size = self._rules.size
        if len(self._board) != size * size:
            self._fault("board", f"has {len(self._board)} entries; a board of {size} x {size} needs {size * size}")
        for cell, face in enumerate(self._board):
            if face and face not in _FACES:
                self._fault(f"board[{cell}]", f"{face} is not a face")
            elif face and cell < size * size and not self._rules.is_open(cell):
                self._fault(f"board[{cell}]", f"{cell_name(cell, size)} is in the closed snake pit and must be empty")
        if self._on_board > DICE - 1:
            self._fault(
                "board", f"holds {self._on_board} dice; at most {DICE - 1} of the {DICE} can be on it (OMI-ADD-02)"
            )

    def _check_scores(self) -> None:
        players, most = self._rules.players, self._rules.target - 1 + DICE - 1
        if len(self._position.scores) != players:
            self._fault("scores", f"has {len(self._position.scores)} scores for {players} players")
        for seat, score in enumerate(self._position.scores):
            if not (score == 0 or 4 <= score <= most):
                # No group gives less than 4 (OMI-SCORE-01, OMI-SCORE-04).
                self._fault(f"scores[{seat}]", f"{score} is impossible; a score is 0, or from 4 to {most}")

    def _check_start(self) -> None:
        given = self._position.start_seat if self._position.HasField("start_seat") else None
        fixed = self._rules.fixed_start
        if given is None:
            if self._phase_number != Phase.START_PLAYER:
                self._fault("start_seat", "must be set in this phase")
        elif self._phase_number == Phase.START_PLAYER:
            self._fault("start_seat", "must not be set before chance has decided it")
        elif not 0 <= given < self._rules.players:
            self._fault("start_seat", f"there is no seat {given}; seats are 0 to {self._rules.players - 1}")
        elif fixed is not None and given != fixed:
            self._fault("start_seat", f"must be {fixed}, as the option start_player says")
        if self._phase_number == Phase.START_PLAYER and fixed is not None:
            self._fault("phase", f"is impossible: by the option start_player, seat {fixed} begins")

    def _check_hand(self) -> None:
        rolled, last = int(self._position.rolled), self._position.last_die
        if rolled and rolled not in _FACES:
            self._fault("rolled", f"{rolled} is not a face")
        elif self._phase in _HOLDING and not rolled:
            self._fault("rolled", "must be set in this phase")
        elif self._phase not in _HOLDING and rolled:
            self._fault("rolled", "must not be set in this phase")
        elif self._phase is Phase.MOVE and rolled == Face.OMINOTEP:
            self._fault("rolled", "no die is moved for Ominotep (OMI-MOVE-07)")
        elif self._phase in (Phase.REROLL, Phase.REROLLING) and rolled != Face.OMINOTEP:
            self._fault("rolled", "a die is rerolled for Ominotep only (OMI-MOVE-07)")
        if self._phase is Phase.REROLL and not self._on_board:
            self._fault("phase", "the board has no die to reroll (OMI-MOVE-07)")
        if last not in self._possible_last_die():
            self._fault(
                "last_die", f"cannot be {str(last).lower()} in this phase with {self._on_board} dice on the board"
            )

    def _possible_last_die(self) -> set[bool]:
        """Whether the rolled die can be the last one (OMI-ADD-02, OMI-ADD-03): the board was full when it was rolled,
        and since then only whole groups can have left it."""
        full, scored = self._on_board == DICE - 1, self._on_board <= DICE - 1 - 4
        if self._phase in _BEFORE_MOVE:
            return {full}
        if self._phase is Phase.SCORE_AFTER_MOVE:
            return {False, True} if scored else {full}
        if self._phase is Phase.ADD:
            # With a full board there is no add at all.
            return {False, True} if scored and self._rules.late_add else set() if full else {False}
        return {False}

    def _check_reroll_cell(self) -> None:
        if self._phase is not Phase.REROLLING:
            if self._position.HasField("reroll_cell"):
                self._fault("reroll_cell", "must not be set in this phase")
            return
        cell, size = self._position.reroll_cell, self._rules.size
        if not self._position.HasField("reroll_cell"):
            self._fault("reroll_cell", "must be set in this phase")
        elif not (0 <= cell.row < size and 0 <= cell.column < size):
            self._fault(
                "reroll_cell", f"there is no row {cell.row}, column {cell.column} on a board of {size} x {size}"
            )
        elif not any(self._board[cell.row * size + cell.column :][:1]):
            self._fault("reroll_cell", f"there is no die on {cell_name(cell.row * size + cell.column, size)}")

    def _check_set_up(self) -> None:
        placed, own = self._position.set_up_placed, 2 * self._rules.players
        ranges = {
            Phase.SET_UP: range(own),
            Phase.SET_UP_ROLL: range(own, self._rules.set_up_dice),
            Phase.SET_UP_EXTRA: range(own, self._rules.set_up_dice),
        }
        allowed = ranges.get(self._phase, range(1))
        if placed not in allowed:
            if len(allowed) == 0:
                self._fault("phase", "occurs only with the option extra_setup_die (OMI-SETUP-04)")
            else:
                self._fault(
                    "set_up_placed", f"{placed} is impossible; in this phase it is from {allowed[0]} to {allowed[-1]}"
                )
        elif self._phase in SET_UP_PHASES:
            self._check_set_up_dice(placed)

    def _check_set_up_dice(self, placed: int) -> None:
        if self._on_board != placed:
            self._fault("board", f"holds {self._on_board} dice, but {placed} have been placed (OMI-SETUP-01)")
        if any(self._position.scores):
            self._fault("scores", "must all be 0 in the set-up")
        players = self._rules.players
        start = self._position.start_seat
        own = min(placed, 2 * players)
        expected = dict.fromkeys(GODS, 0)
        for number in range(own):
            expected[Face(self._rules.collects((start + number) % players)[0])] += 1
        for god in GODS:
            count = self._board.count(god)
            # Extra dice may show any face.
            if count < expected[god] or (placed == own and count > expected[god]):
                self._fault(
                    "board", f"{count} dice show {face_title(god)}, but {expected[god]} have been placed (OMI-SETUP-01)"
                )

    def _check_turns(self) -> None:
        turns, most = self._position.turns, self._rules.max_turns - 1
        if self._phase in SET_UP_PHASES:
            if turns:
                self._fault("turns", "must be 0 in the set-up")
        elif not 0 <= turns <= most + (self._phase is Phase.OVER):
            self._fault("turns", f"{turns} is impossible; in this phase it is from 0 to {most}")

    def _check_end(self) -> None:
        target = self._rules.target
        there = [seat for seat, score in enumerate(self._position.scores) if score >= target]
        if self._phase is not Phase.OVER:
            for seat in there:
                self._fault(
                    f"scores[{seat}]", f"has reached the target of {target}, so the game must be over (OMI-END-01)"
                )
        elif there:
            last = (self._position.start_seat + self._position.turns) % self._rules.players
            if there != [last]:
                self._fault("scores", f"only seat {last}, who had the last turn, can have {target} points")
            if self._position.turns >= self._rules.max_turns:
                self._fault("turns", "must not count the turn in which the target was reached")
        elif self._position.turns != self._rules.max_turns:
            self._fault(
                "phase",
                f"cannot be OVER: no seat has {target} points, and fewer than {self._rules.max_turns} turns are over",
            )
