"""The frames of a position: what each kind may hold, by place; the numbers are those of ``table.pxd``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.errors import Fault
from gamepacks.olomoc.ruleset import Ruleset

MAX_FRAMES, VALUES = 96, 48
Range = tuple[int, int]

FIGURE: Range = (0, 15)
NO_FIGURE: Range = (-1, 15)
ELEMENT: Range = (-1, 127)
SLOT: Range = (0, 63)
PLAYER: Range = (0, 1)
NO_PLAYER: Range = (-1, 1)
FLAG: Range = (0, 1)
GOAL: Range = (0, 1600 << 11 | 1600)
ANY: Range = (-(1 << 31), (1 << 31) - 1)
SMALL: Range = (-100, 100)
PROGRAM: Range = (-2, -2)
"""Stands for the numbers of the card set's programs, -1 included."""
STAGES: Range = (0, 40)

_ATTACK: dict[int, Range] = {
    0: FIGURE, 1: FIGURE, 2: (0, 4), 3: FLAG, 4: SLOT, 5: SLOT, 6: SLOT, 18: PROGRAM, 19: (-1, 3), 21: (0, 3),
    25: (0, 3),
    **dict.fromkeys((*range(7, 18), 20, *range(22, 25)), SMALL),
}  # fmt: skip
_EFFECTS: dict[int, Range] = {
    **dict.fromkeys(range(16), ELEMENT), 16: NO_PLAYER, 17: (-1, 4095), 18: (-1000, 1000), 19: (0, 6), 20: (0, 4),
    21: (-1, 3), 22: PROGRAM, 23: (0, 9), **dict.fromkeys(range(24, 32), ANY), 32: FLAG, 33: (-1, 4095),
    34: (-1, 4095), **dict.fromkeys(range(35, 48), ANY),
}  # fmt: skip
_TRIGGERS: dict[int, Range] = {
    0: (0, 22), 1: (-1, 22), 2: ELEMENT, 3: ANY,
    **{place: ((-1, 17 << 8 | 255) if place % 2 == 0 else ANY) for place in range(4, 48)},
}  # fmt: skip
FRAME_KINDS: tuple[dict[int, Range], ...] = (
    {0: STAGES},  # game
    {0: (0, 12)},  # build
    {0: STAGES},  # cycle
    {0: (0, 5)},  # planning
    {0: NO_PLAYER, 1: NO_PLAYER},  # phase
    {0: PLAYER},  # card
    {0: FIGURE, 1: NO_FIGURE, 2: (0, 2), 3: (0, 3), 4: (0, 7)},  # activation
    {0: FIGURE, 1: SLOT, 2: ELEMENT},  # capacity
    {0: FIGURE, 1: GOAL},  # move
    {0: FIGURE, 1: (0, 65_535), 2: NO_FIGURE, 3: GOAL, 7: SMALL, 13: SMALL, 22: SMALL},  # window
    _ATTACK,
    _EFFECTS,
    _TRIGGERS,
    {0: (0, 40), 1: PLAYER},  # hostile phase
    {0: (6, 15), 1: (0, 4), 2: NO_PLAYER, 3: (-1, 12), 4: ELEMENT},  # hostile
    {0: (0, 2), 1: (0, 12)},  # Mechanism
    {0: STAGES, 1: STAGES},  # end of cycle
    {0: (0, 4), 1: (0, 63), 2: (0, 37), 3: NO_PLAYER, 4: ELEMENT, 5: (-1, 406_400), 6: (0, 4), 7: ELEMENT, 8: (0, 3),
     9: FLAG},  # go
    {0: (0, 37), 1: ANY, **dict.fromkeys(range(2, 12), ANY)},  # pick
    dict.fromkeys(range(8), ANY),  # order
    {0: (0, 12), 1: (2, 6), 2: NO_FIGURE, 3: (0, 3)},  # roll
    {0: (3, 6)},  # die
)  # fmt: skip
EFFECTS, RUNS = 11, 22


def frame_faults(cards: Ruleset, frames: Sequence[dict[str, Any]]) -> list[Fault]:
    """What is out of its range in the frames of a position."""
    found: list[Fault] = []
    for place, frame in enumerate(frames):
        where = f"frames[{place}]"
        kind, values = frame["kind"], frame["values"]
        if not 0 <= kind < len(FRAME_KINDS) or (kind == 0) != (place == 0):
            found.append(Fault(f"{where}.kind", f"no frame of kind {kind} can be here"))
            continue
        if not 0 <= frame["pc"] <= 200:
            found.append(Fault(f"{where}.pc", f"{frame['pc']} is not from 0 to 200"))
        if len(values) > VALUES or (values and values[-1] == 0):
            found.append(Fault(f"{where}.values", f"at most {VALUES} numbers, the last of them not 0"))
            continue
        for number, value in enumerate(values):
            low, high = FRAME_KINDS[kind].get(number, ELEMENT)
            if (low, high) == PROGRAM:
                low, high = -1, len(cards.programs) - 1
            if not low <= value <= high:
                found.append(Fault(f"{where}.values[{number}]", f"{value} is not from {low} to {high}"))
        if kind == EFFECTS and not found:
            program = values[RUNS] if len(values) > RUNS else 0
            if program < 0 or frame["pc"] > len(cards.programs[program]):
                found.append(Fault(f"{where}.pc", "there is no such effect"))
    return found
