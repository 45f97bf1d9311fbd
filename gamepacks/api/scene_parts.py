"""Parts that scenes of card games share: the heading of a turn, rows of boxes, buttons, tags, and cards with a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamepacks.api.scene import Group, wrap_text

WIDTH, MARGIN = 800, 14
"""Width of a scene of a card game, and the margin on its left and right, in user units."""
INNER_WIDTH = WIDTH - 2 * MARGIN
BUTTON_HEIGHT = 44
TAG_HEIGHT = 28
_BOLD = 0.86
"""Share of a width that bold text is broken to."""


class Flow:
    """Places boxes in rows from left to right; a box that does not fit begins a new row."""

    def __init__(self, x: float, y: float, width: float, gap: float = 8) -> None:
        self._left, self._right, self._gap = x, x + width, gap
        self._x, self._y = x, y
        self.bottom = y
        """The lower edge of the boxes."""

    def place(self, width: float, height: float) -> tuple[float, float]:
        """Returns the upper left corner of the next box."""
        if self._x > self._left and self._x + width > self._right:
            self._x, self._y = self._left, self.bottom + self._gap
        at = self._x, self._y
        self._x += width + self._gap
        self.bottom = max(self.bottom, self._y + height)
        return at


def text_width(text: str, size: float) -> float:
    """Upper estimate of the width of a line of text."""
    return 0.62 * size * len(text)


def buttons(group: Group, flow: Flow, texts: Sequence[tuple[str, str]]) -> None:
    """Draw a button for each name and text: the part ``button-NAME``."""
    for name, text in texts:
        width = max(90, text_width(text, 18) + 28)
        x, y = flow.place(width, BUTTON_HEIGHT)
        part = group.group(f"button-{name}", text, x=x, y=y)
        part.rect(0, 0, width, BUTTON_HEIGHT, "button", rounded=10)
        part.text(width / 2, 29, text, "strong", size=18, anchor="middle")


def tag_width(text: str) -> float:
    """Width of the box of a short text."""
    return text_width(text, 16) + 16


def tag(
    group: Group, flow: Flow, text: str, *, id: str = "", title: str = "", box: str = "board", ink: str = "ink"
) -> None:
    """Draw a short text in a box of the class ``box``."""
    width = tag_width(text)
    x, y = flow.place(width, TAG_HEIGHT)
    part = group.group(id, title, x=x, y=y)
    part.rect(0, 0, width, TAG_HEIGHT, box, rounded=6)
    part.text(width / 2, 20, text, ink, size=16, anchor="middle")


def seat_tag(group: Group, flow: Flow, seat: int, id: str = "") -> None:
    """Draw a player's name on the colour of the seat."""
    tag(group, flow, f"seat {seat}", id=id, title=f"seat {seat}", box=f"seat-{seat}", ink="on-color strong")


def card_text(group: Group, width: float, name: str, kind: str, text: str, lines: int, top: float = 0) -> float:
    """Write the name, the kind and the text of a card, whose upper edge is ``top``; returns the lower edge."""
    y = group.paragraph(10, top + 24, name, _BOLD * (width - 20), "title", size=17, lines=2)
    if kind:
        y = group.paragraph(10, y - 2, kind, width - 20, "muted", size=15, lines=2)
    return group.paragraph(10, y, text, width - 20, size=15, lines=lines) if text else y


def card_lines(width: float, name: str, kind: str, text: str) -> float:
    """Height of what :func:`card_text` writes if no line is left out."""
    sizes = ((name, 17, _BOLD), (kind, 15, 1), (text, 15, 1))
    return 14 + sum(
        1.3 * size * len(wrap_text(part, share * (width - 20), size)) for part, size, share in sizes if part
    )


def turn_heading(
    board: Group,
    turn: int,
    active_seat: int | None,
    steps: Iterable[tuple[str, str, bool]],
    prompt: str,
    notes: Iterable[str],
    choices: Sequence[tuple[str, str]],
) -> float:
    """Draw the number of the turn, its steps, the prompt with notes, and the buttons; returns the lower edge.

    A step is its name, its text alternative and whether it is the current one. Turn 0 is before the first turn.
    """
    flow = Flow(MARGIN, 12, INNER_WIDTH)
    if turn:
        tag(board, flow, f"Turn {turn}", id="turn")
    if active_seat is not None:
        seat_tag(board, flow, active_seat, "active-seat")
    for name, title, now in steps:
        tag(board, flow, name, box="panel active" if now else "shade", ink="strong" if now else "muted", title=title)
    part = board.group("prompt", prompt)
    y = part.paragraph(MARGIN, flow.bottom + 30, prompt, _BOLD * INNER_WIDTH, "title", size=20)
    for line in notes:
        y = part.paragraph(MARGIN, y, line, INNER_WIDTH, "muted", size=17)
    flow = Flow(MARGIN, y - 12, INNER_WIDTH)
    buttons(board, flow, choices)
    return flow.bottom + 10
