"""Tables for the tests of Ominoes: positions written by hand, and play in the words of the game.

::

    table = Scenario(players=4).at(ra="c3 d3 e3", yay_ra="f4")
    table.roll(Face.KHEPRI)
    table.add("a1")

Spaces are named as in labels: ``a1`` is row 0, column 0.
"""

from __future__ import annotations

from typing import Any, Self

import pytest
from google.protobuf.message import Message

from cext.errors import IllegalAction
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.ominoes import Ominoes, codes
from gamepacks.ominoes.codes import BOOK, cell_name
from gamepacks.ominoes.engine.rules import OminoesState
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

EVERYONE = Viewer(-1)
CROWD = "a6 b6 c6 d6 e6 f6 g6 h6 a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8"
"""Spaces for the 21 dice of a god that leave the rest of the board free."""


class Scenario:
    """A game, its state, and the events since the last look at them."""

    def __init__(self, players: int = 2, **options: Any) -> None:
        self.game = Ominoes.configure(players, options)
        self.state: OminoesState = self.game.initial_state()
        self.events: list[pb.Event] = []

    @property
    def size(self) -> int:
        return self.state.rules.size

    def cell(self, name: str) -> int:
        """The number of a space: ``c4``."""
        return (int(name[1:]) - 1) * self.size + ord(name[0]) - ord("a")

    def name(self, cell: int) -> str:
        return cell_name(cell, self.size)

    def position(self, phase: Phase = Phase.ROLL, start: int | None = 0, **fields: Any) -> pb.Position:
        """A position: faces by name take spaces (``ra="c3 c4"``), the rest are fields of the message."""
        board = [0] * self.size**2
        for face in Face:
            for name in fields.pop(face.name.lower(), "").split():
                assert board[self.cell(name)] == 0, f"two dice on {name}"
                board[self.cell(name)] = face
        fields.setdefault("scores", [0] * self.game.players)
        return pb.Position(board=board, phase=phase, start_seat=start, **fields)

    def at(self, phase: Phase = Phase.ROLL, start: int | None = 0, **fields: Any) -> Self:
        """Go to a position; see position()."""
        self.state = self.game.restore(self.position(phase, start, **fields))
        return self

    def take(self, code: Code) -> None:
        """Take a code, checked, and keep its events."""
        before = self.state.clone()
        actor = self.state.actor()
        self.state.apply(code)
        seat = Seat(actor) if actor >= 0 else None
        self.events = list(self.game.events(before, seat, code, self.state, EVERYONE))

    def start(self, seat: int) -> None:
        self.take(codes.START_PLAYER(seat))

    def roll(self, face: Face) -> None:
        self.take(codes.ROLL(face))

    def place(self, space: str) -> None:
        self.take(codes.PLACE(self.cell(space)))

    def move(self, start: str, end: str) -> None:
        self.take(codes.MOVE(self.cell(start), self.cell(end)))

    def reroll(self, space: str) -> None:
        self.take(codes.REROLL(self.cell(space)))

    def score(self, god: Face, space: str) -> None:
        """Score the group for a god that has a die on the space."""
        self.take(codes.SCORE(god, self.state.connected(god, self.cell(space))[0]))

    def decline(self) -> None:
        self.take(codes.DECLINE())

    def add(self, space: str) -> None:
        self.take(codes.ADD(self.cell(space)))

    def refused(self, code: Code, seat: int = -1) -> str:
        """The reason why a code is refused; proves that the state is untouched."""
        before = self.state.to_bytes()
        with pytest.raises(IllegalAction) as caught:
            self.state.apply(code, seat)
        assert self.state.to_bytes() == before
        assert str(caught.value) == caught.value.message
        return caught.value.reason

    @property
    def phase(self) -> Phase:
        return Phase(self.state.phase)

    def kinds(self) -> list[str]:
        """The kinds of the events of the last code, in order."""
        return [kind for event in self.events if (kind := event.WhichOneof("event"))]

    def event(self, kind: str) -> Any:
        """The one event of a kind of the last code."""
        (event,) = [getattr(event, kind) for event in self.events if event.WhichOneof("event") == kind]
        return event

    def ends(self, start: str) -> set[str]:
        """The spaces where the die on one may end now."""
        return {self.name(end) for cell, end in self.moves() if cell == self.cell(start)}

    def moves(self) -> list[tuple[int, int]]:
        """All legal moves."""
        found = [codes.MOVE.unpack(code) for code in self.state.legal() if BOOK.verb(code) is codes.MOVE]
        return [(start, end) for start, end in found]

    def legal(self) -> set[str]:
        """The legal actions as labels."""
        return {self.game.label(self.state, Code(code)) for code in self.state.legal()}

    def groups(self) -> list[tuple[Face, set[str]]]:
        """The groups that can be scored now, as they are offered."""
        offered = []
        for code in self.state.legal():
            if BOOK.verb(code) is codes.SCORE:
                god, lowest = codes.SCORE.unpack(code)
                cells = self.state.connected(god, lowest)
                assert cells[0] == lowest
                offered.append((Face(god), {self.name(cell) for cell in cells}))
        return offered

    def view(self) -> pb.View:
        return self.game.view(self.state, EVERYONE)

    def dice(self) -> dict[str, Face]:
        """Returns the dice on the board by space."""
        return {self.name(cell): Face(face) for cell, face in enumerate(self.state.board) if face}


def roundtrip(table: Scenario) -> Message:
    """The position of a table, restored and written again."""
    return table.game.position(table.game.restore(table.game.position(table.state)))
