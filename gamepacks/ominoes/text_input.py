"""Typed text as an action message, legal or not: an illegal action is refused with its reason."""

from __future__ import annotations

import re

from gamepacks.api.text import folded
from gamepacks.ominoes.v1 import ominoes_pb2 as pb

_CELL = re.compile(r"([a-z])(\d{1,2})")


def parse(view: pb.View, text: str) -> pb.Action | None:
    """Returns the action for a typed text: ``d4 h8`` moves a die; one space alone places, adds or rerolls
    a die there. None for any other text."""
    words = [word for word in re.split(r"[\s,]+|->|-", folded(text)) if word not in ("", "to")]
    cells = [_cell(word) for word in words]
    found = [cell for cell in cells if cell is not None]
    if len(found) < len(words):
        return None
    if len(found) == 2:
        return pb.Action(move=pb.Move(from_cell=found[0], to_cell=found[1]))
    if len(found) != 1:
        return None
    if view.phase in (pb.PHASE_SET_UP, pb.PHASE_SET_UP_EXTRA):
        return pb.Action(place=pb.Place(cell=found[0]))
    if view.phase == pb.PHASE_REROLL:
        return pb.Action(reroll=pb.Reroll(cell=found[0]))
    return pb.Action(add=pb.Add(cell=found[0])) if view.phase == pb.PHASE_ADD else None


def _cell(word: str) -> pb.Cell | None:
    match = _CELL.fullmatch(word)
    if match is None:
        return None
    return pb.Cell(row=int(match[2]) - 1, column=ord(match[1]) - ord("a"))
