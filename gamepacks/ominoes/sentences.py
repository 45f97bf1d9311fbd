"""The sentence of an event, and answers to a person's questions, from messages alone."""

from __future__ import annotations

from gamepacks.ominoes.codes import GODS, cell_name, face_title
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

HELP = (
    "Type the number or the words of a choice, or spaces: `d4 h8` moves a die, `d4` places one. `? groups` lists the"
    " groups on the board, and `? NAME` explains a face, for example `? Yay-Ra`."
)
PROMPTS: dict[Phase, str] = {
    Phase.START_PLAYER: "chance decides who begins",
    Phase.SET_UP: "place a die of your favoured god",
    Phase.SET_UP_ROLL: "the extra die is rolled",
    Phase.SET_UP_EXTRA: "place the extra die",
    Phase.ROLL: "the die is rolled",
    Phase.MOVE: "move a die",
    Phase.REROLL: "choose a die to reroll",
    Phase.REROLLING: "the chosen die is rerolled",
    Phase.SCORE_AFTER_MOVE: "score a group",
    Phase.ADD: "add the rolled die",
    Phase.SCORE_AFTER_ADD: "score a group",
    Phase.OVER: "the game is over",
}
"""The pending decision of each phase, as a prompt."""
_SKIPPED = {
    pb.MOVE_SKIPPED_REASON_GOD_NOT_ON_BOARD: "no die shows that god",
    pb.MOVE_SKIPPED_REASON_BOARD_EMPTY: "no die is on the board",
    pb.MOVE_SKIPPED_REASON_BLOCKED: "no die can move",
}
_ENDED = {
    pb.END_REASON_TARGET: "the target has been reached",
    pb.END_REASON_MAX_TURNS: "the last turn is over",
}


def sentence(event: pb.Event, view: pb.View | None = None) -> str:
    """Returns the sentence of an event; empty if the label of the action or the drawn board shows the event."""
    if event.HasField("move_skipped"):
        reason = _SKIPPED.get(event.move_skipped.reason, "no die can move")
        return f"Seat {event.move_skipped.seat} moves no die: {reason}."
    if event.HasField("rerolled"):
        old, new = face_title(event.rerolled.old_face), face_title(event.rerolled.new_face)
        return f"The die that showed {old} shows {new} now."
    if event.HasField("not_added"):
        return f"The {face_title(event.not_added.face)} that seat {event.not_added.seat} rolled is not added."
    if event.HasField("ended"):
        scores = ", ".join(f"seat {seat} {score}" for seat, score in enumerate(event.ended.scores))
        winners = " and ".join(f"seat {seat}" for seat in event.ended.winners) or "nobody"
        verb = "win" if len(event.ended.winners) > 1 else "wins"
        why = _ENDED.get(event.ended.reason, "it has ended")
        return f"The game is over, as {why}: {scores}. {winners.capitalize()} {verb}."
    return ""


def answer(view: pb.View, text: str) -> str:
    """Returns the answer to a question about the groups on the board or about a face; empty for any other."""
    asked = " ".join(text.split()).casefold()
    if not asked:
        return HELP
    if asked == "groups":
        return "\n".join(_group(view, group) for group in view.groups) or "There is no group on the board."
    for face in Face:
        if face_title(face).casefold() == asked:
            collects = [map(int, player.collects) for player in view.players]
            seats = [f"seat {seat}" for seat, gods in enumerate(collects) if int(face) in gods]
            number = sum(int(there) == face for there in view.board)
            whose = "wild, counts as a die of any god"
            if face in GODS:
                whose = f"collected by {' and '.join(seats) or 'nobody'}"
            return f"{face_title(face)}: {whose}, {number} on the board."
    return ""


def _group(view: pb.View, group: pb.Group) -> str:
    cells = " ".join(cell_name(cell.row * view.board_size + cell.column, view.board_size) for cell in group.cells)
    return f"{face_title(group.god)}, {len(group.cells)} dice: {cells}."
