"""Text for a person at a terminal: event sentences and answers to questions."""

from __future__ import annotations

from gamepacks.ominoes import Ominoes, codes
from gamepacks.ominoes.codes import face_title
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face


def test_skipped_steps_and_the_end_have_sentences() -> None:
    game = Ominoes.configure(2)
    skipped = pb.MoveSkipped(seat=1, reason=pb.MOVE_SKIPPED_REASON_GOD_NOT_ON_BOARD)
    ended = pb.Ended(reason=pb.END_REASON_TARGET, winners=[1], scores=[9, 21])
    for event, said in (
        (pb.Event(move_skipped=skipped), "Seat 1 moves no die: no die shows that god."),
        (pb.Event(not_added=pb.NotAdded(seat=0, face=5)), "The Yay-Ra that seat 0 rolled is not added."),
        (pb.Event(rerolled=pb.Rerolled(seat=0, old_face=1, new_face=2)), "The die that showed Horus shows Ra now."),
        (
            pb.Event(ended=ended),
            "The game is over, as the target has been reached: seat 0 9, seat 1 21. Seat 1 wins.",
        ),
        # The label of the action tells it.
        (pb.Event(added=pb.Added(seat=0, face=1)), ""),
    ):
        assert game.describe_event(event) == said


def test_questions_are_answered_from_the_view() -> None:
    game = Ominoes.configure(2)
    view = game.view(game.initial_state(), -1)  # type: ignore[arg-type]
    assert "? groups" in game.explain(view, "")
    assert game.explain(view, "groups") == "There is no group on the board."
    view.groups.add(god=1).cells.extend([pb.Cell(row=0, column=0), pb.Cell(row=0, column=1)])
    assert game.explain(view, "groups").startswith("Horus, 2 dice: ")
    for face in Face:
        assert game.explain(view, face_title(face).lower()).startswith(f"{face_title(face)}: ")
    assert game.explain(view, "yay-ra") == "Yay-Ra: wild, counts as a die of any god, 0 on the board."
    assert game.explain(view, "xyzzy") == ""


def test_spaces_that_are_typed_are_an_action_legal_or_not() -> None:
    game = Ominoes.configure(2)
    view = game.view(game.initial_state(), -1)  # type: ignore[arg-type]
    for phase, text, field in (
        (pb.PHASE_MOVE, "d4 h8", "move"),
        (pb.PHASE_MOVE, "D4-h8", "move"),
        (pb.PHASE_MOVE, "d4 to z99", "move"),
        (pb.PHASE_SET_UP, "b2", "place"),
        (pb.PHASE_ADD, "b2", "add"),
        (pb.PHASE_REROLL, "b2", "reroll"),
        (pb.PHASE_MOVE, "b2", None),
        (pb.PHASE_MOVE, "a1 b2 c3", None),
        (pb.PHASE_MOVE, "score", None),
        (pb.PHASE_MOVE, "", None),
        (pb.PHASE_MOVE, "12", None),
    ):
        view.phase = phase
        action = game.parse_text(view, text)
        assert (None if action is None else action.WhichOneof("action")) == field, text
    action = game.parse_text(view, "d4 h8")
    assert action == pb.Action(move=pb.Move(from_cell=pb.Cell(row=3, column=3), to_cell=pb.Cell(row=7, column=7)))


def test_reason_for_an_illegal_action_is_a_sentence_without_names_of_constants() -> None:
    state = Ominoes.configure(2, {"start_player": 0}).initial_state()
    refusal = state.game.why_illegal(state, codes.MOVE(0, 5))
    assert refusal.message == "this action does not answer the pending decision: place a die of your favoured god"
