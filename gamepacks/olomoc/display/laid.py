"""What a view shows on the board, in the terms of the geometry: for pictures and for whoever measures."""

from __future__ import annotations

from collections.abc import Mapping

from cext.geometry import Board, Piece, Ruler, Table
from gamepacks.olomoc.elements import middle, told_apart, with_places
from gamepacks.olomoc.terms import BASES
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

INCH = 12_700
"""Ticks, of which the geometry counts in an inch."""
STEP = 127
"""Ticks in a step of the lattice."""
_AXIS = 1 << 20
_OURS = "not the printed cards"
ELSEWHERE = {pb.PLACE_OFF: "off the board", pb.PLACE_OUT: "out of action"}
"""Where rouages are that do not stand on it."""


def card_set_title(view: pb.View) -> str:
    """What the card set is called; of a house set it tells that it is one."""
    title = view.card_set.title
    return title if view.card_set.status != "house" or _OURS in title else f"{title} (a house set, {_OURS})"


def seat_of(view: pb.View, player: int) -> str:
    """A player by the seat, which whoever shows it replaces by the name; by the number before seats are known."""
    info = view.players[player]
    return f"seat {info.seat}" if info.HasField("seat") else f"player {player + 1}"


def names_of(view: pb.View) -> dict[int, str]:
    """What elements are called by their number, each by a name of its own; rouages that nobody knows are left out."""
    names = told_apart({rouage.index: rouage.name for rouage in view.rouages if rouage.name})
    markers = {mark.element: (mark.tag or "marker", mark.centre.x, mark.centre.y) for mark in view.markers}
    pieces = {
        piece.element: (piece.name, *middle(tuple((corner.x, corner.y) for corner in piece.corners)))
        for piece in view.scenery
    }
    return names | with_places(markers) | with_places(pieces)


def affected(effect: pb.EffectInfo, names: Mapping[int, str]) -> str:
    """Whom an effect is on, by such a name."""
    return names.get(effect.rouage, "a rouage") if effect.HasField("rouage") else "everybody"


def table_of(view: pb.View) -> Table:
    """All that stands and lies on the board of a view."""
    values = {counter.name: counter.value for counter in view.values}
    rulers = [Ruler(values[f"{name}_ruler_length"], values[f"{name}_ruler_width"]) for name in ("move", "push")]
    table = Table(Board(shape_of(piece) for piece in view.scenery), *rulers)
    for rouage in view.rouages:
        if rouage.HasField("centre"):
            table.put(rouage.index, rouage.centre.x, rouage.centre.y, BASES[rouage.base])
    for marker in view.markers:
        table.put(marker.element, marker.centre.x, marker.centre.y, marker.radius)
    return table


def shape_of(piece: pb.SceneryInfo) -> Piece:
    """A piece of scenery as the geometry has it."""
    corners = [(corner.x, corner.y) for corner in piece.corners]
    return Piece(tuple(corners), piece.radius, piece.obstructing and not piece.zone, piece.zone)


def ruler_pose(pose: tuple[str, tuple[float, float, float, float]] | None, table: Table) -> pb.RulerPose | None:
    """How a ruler lies, from :meth:`cext.geometry.Trip.pose`; None where no ruler is laid."""
    if pose is None or pose[0] == "base":
        return None
    way, (x, y, axis_x, axis_y) = pose
    ruler = table.push_ruler if way == "push" else table.move_ruler
    return pb.RulerPose(
        push_ruler=way == "push",
        x=x,
        y=y,
        axis_x=round(axis_x * _AXIS),
        axis_y=round(axis_y * _AXIS),
        length=ruler.length * STEP,
        width=ruler.width * STEP,
    )
