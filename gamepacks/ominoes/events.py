"""The event messages of a step, from the states before and after it."""

from __future__ import annotations

from gamepacks.api.codes import Verb
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import BOOK, DICE, GODS
from gamepacks.ominoes.engine.rules import OminoesState
from gamepacks.ominoes.messages import cell_message, cell_messages
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Phase

# The phases of a turn before its add.
_BEFORE_ADD = {Phase.ROLL, Phase.MOVE, Phase.REROLL, Phase.REROLLING, Phase.SCORE_AFTER_MOVE}


def event_messages(before: OminoesState, code: int, after: OminoesState) -> list[pb.Event]:
    """Returns the event messages in order of time; nothing is hidden, so they are the same for every viewer."""
    verb = BOOK.verb(code)
    arguments = verb.unpack(code)
    if verb is codes.START_PLAYER:
        return [pb.Event(start_player_chosen=pb.StartPlayerChosen(seat=arguments[0]))]
    assert before.active is not None
    if verb is codes.ROLL:
        events = _rolled(before, before.active, arguments[0], after)
    else:
        events = [_decided(before, before.active, verb, arguments)]
    return events + _consequences(before, before.active, verb, arguments, after)


def _rolled(before: OminoesState, seat: int, face: int, after: OminoesState) -> list[pb.Event]:
    if before.phase == Phase.REROLLING:
        assert before.reroll_cell is not None
        return [
            pb.Event(
                rerolled=pb.Rerolled(
                    seat=seat,
                    cell=cell_message(before.reroll_cell, before.rules.size),
                    old_face=before.face(before.reroll_cell),  # type: ignore[arg-type]
                    new_face=face,  # type: ignore[arg-type]
                )
            )
        ]
    last_die = before.phase == Phase.ROLL and before.on_board == DICE - 1
    events = [pb.Event(rolled=pb.Rolled(seat=seat, face=face, last_die=last_die))]  # type: ignore[arg-type]
    if before.phase == Phase.ROLL and after.phase not in (Phase.MOVE, Phase.REROLL):
        events.append(pb.Event(move_skipped=pb.MoveSkipped(seat=seat, reason=_why_skipped(before, face))))
    return events


def _why_skipped(before: OminoesState, face: int) -> pb.MoveSkippedReason:
    if face in GODS:
        if face not in before.board:
            return pb.MOVE_SKIPPED_REASON_GOD_NOT_ON_BOARD
    elif before.on_board == 0:
        return pb.MOVE_SKIPPED_REASON_BOARD_EMPTY
    return pb.MOVE_SKIPPED_REASON_BLOCKED


def _decided(before: OminoesState, seat: int, verb: Verb, arguments: tuple[int, ...]) -> pb.Event:
    size = before.rules.size
    if verb is codes.SCORE:
        god, lowest = arguments
        cells = before.connected(god, lowest)
        score = before.scores[seat] + len(cells)
        scored = pb.Scored(seat=seat, god=god, points=len(cells), score=score)  # type: ignore[arg-type]
        scored.cells.extend(cell_messages(cells, size))
        return pb.Event(scored=scored)
    if verb is codes.DECLINE:
        return pb.Event(score_declined=pb.ScoreDeclined(seat=seat))
    cell = cell_message(arguments[0], size)
    there = before.face(arguments[0])
    if verb is codes.MOVE:
        path = before.path(*arguments)
        assert path is not None
        moved = pb.Moved(seat=seat, face=there, path=cell_messages(path, size))  # type: ignore[arg-type]
        return pb.Event(moved=moved)
    if verb is codes.REROLL:
        return pb.Event(reroll_chosen=pb.RerollChosen(seat=seat, face=there, cell=cell))  # type: ignore[arg-type]
    if verb is codes.ADD:
        return pb.Event(added=pb.Added(seat=seat, face=before.rolled, cell=cell))  # type: ignore[arg-type]
    face = before.rolled or before.rules.collects(seat)[0]
    return pb.Event(placed=pb.Placed(seat=seat, face=face, cell=cell))  # type: ignore[arg-type]


def _consequences(
    before: OminoesState, seat: int, verb: Verb, arguments: tuple[int, ...], after: OminoesState
) -> list[pb.Event]:
    """The automatic consequences of a step: a skipped addition, the next turn, the end of the game."""
    events = []
    turn_over = after.turns > before.turns
    passed_add = turn_over or after.phase == Phase.SCORE_AFTER_ADD
    if before.phase in _BEFORE_ADD and passed_add:
        rolled = arguments[0] if before.phase == Phase.ROLL else before.rolled
        events.append(pb.Event(not_added=pb.NotAdded(seat=seat, face=rolled)))  # type: ignore[arg-type]
    if after.phase == Phase.OVER:
        won = max(after.scores) >= after.rules.target
        reason = pb.END_REASON_TARGET if won else pb.END_REASON_MAX_TURNS
        events.append(pb.Event(ended=pb.Ended(reason=reason, winners=after.winners(), scores=after.scores)))
    elif after.phase == Phase.ROLL:
        events.append(pb.Event(turn_started=pb.TurnStarted(seat=after.active, number=after.turns + 1)))
    return events
