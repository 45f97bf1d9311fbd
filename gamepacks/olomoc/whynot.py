"""Why an element may not go to a place, in the words of the rules (section 5.4 of RULES.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from cext.geometry import Board, Table, Trip
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.display.laid import INCH, STEP
from gamepacks.olomoc.elements import FIRST_MARKER, FIRST_PIECE

LAST = 1_600
OVERLAPS = frozenset({Reason.OVERLAPS_ROUAGE, Reason.OVERLAPS_MARKER, Reason.OVERLAPS_SCENERY})
"""The reasons with which :func:`obstacle` can tell on what."""


class Way(Enum):
    """How an element goes."""

    MOVE = "move"
    PUSH = "push"
    ENTER = "enter"
    CHARGE = "charge"


@dataclass(frozen=True, slots=True)
class Journey:
    """Who goes, and how."""

    way: Way
    element: int
    radius: int
    edge: int = -1
    """To enter: from which, 0 to 3."""
    target: int = -1
    """To charge: whom."""
    rulers: Literal["any", "base", "push", "move"] = "any"
    """To move: the only way that an effect allows."""

    def trip(self, table: Table) -> Trip:
        """The same for the geometry."""
        if self.way is Way.ENTER:
            return table.enter(self.edge, self.radius)
        if self.way is Way.CHARGE:
            return table.charge(self.element, self.target)
        return table.push(self.element) if self.way is Way.PUSH else table.move(self.element, self.rulers)


def why_not(table: Table, journey: Journey, x: int, y: int, bound: Trip | None = None) -> Reason | None:
    """The first reason why a journey may not end at a place; None where it may.

    ``bound`` is the trip where something more than the journey binds it: a direction word of an effect.
    """
    if off_board(x, y, journey.radius):
        return Reason.OFF_BOARD
    trip = journey.trip(table)
    if (bound or trip).allows(x, y):
        return None
    if journey.way is not Way.ENTER and table.place(journey.element)[:2] == (x, y):
        return Reason.SAME_PLACE
    if not table.spot_free(x, y, journey.radius, journey.element):
        return overlap(obstacle(table, journey.element, x, y, journey.radius))
    if trip.allows(x, y):
        return Reason.WRONG_DIRECTION
    if journey.way is Way.CHARGE and table.move(journey.element).allows(x, y):
        engaged = table.within_at(journey.element, x, y, INCH) >> journey.target & 1
        return Reason.NO_SIGHT if engaged else Reason.TARGET_NOT_ENGAGED
    return Reason.NO_ROOM_FOR_RULER if _near_enough(table, journey, x, y) else Reason.OUT_OF_REACH


def off_board(x: int, y: int, radius: int) -> bool:
    """Whether a base there would not lie wholly on the board."""
    margin = -(-radius // STEP)
    return not (margin <= x <= LAST - margin and margin <= y <= LAST - margin)


def obstacle(table: Table, element: int, x: int, y: int, radius: int) -> int | None:
    """The first rouage, marker or piece of scenery on which an element would be set down there; None for none."""
    probe = table.copy()
    probe.put(element, x, y, radius)
    discs = [other for other in range(FIRST_PIECE) if other != element and table.present >> other & 1]
    pieces = [FIRST_PIECE + number for number, piece in enumerate(table.board.pieces) if not piece.zone]
    return next((other for other in discs + pieces if probe.compare_gap(element, other, 0) < 0), None)


def overlap(what: int | None) -> Reason:
    """The reason that goes with such an obstacle."""
    if what is None or what >= FIRST_PIECE:
        return Reason.OVERLAPS_SCENERY
    return Reason.OVERLAPS_ROUAGE if what < FIRST_MARKER else Reason.OVERLAPS_MARKER


def _near_enough(table: Table, journey: Journey, x: int, y: int) -> bool:
    """Could it go there if nothing else were on the board?"""
    bare = Table(Board(), table.move_ruler, table.push_ruler)
    if journey.way is Way.ENTER:
        return bare.enter(journey.edge, journey.radius).allows(x, y)
    bare.put(journey.element, *table.place(journey.element))
    if journey.way is Way.PUSH:
        return bare.push(journey.element).allows(x, y)
    return bare.move(journey.element, journey.rulers).allows(x, y)
