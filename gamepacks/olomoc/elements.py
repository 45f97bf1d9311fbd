"""Names and shapes of what is on the board (rouages, hostiles, markers, scenery), from a state or from a view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from cext.geometry import Board, Part, Piece, Ruler, Table, compare_gap, setup_fault, turned
from cext.geometry.units import DISCS, FIGURES, STEP
from gamepacks.olomoc.constants import BASES
from gamepacks.olomoc.ruleset import NONE, CompiledPiece, CompiledProfile, Ruleset
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState

SIGNS = "123abcABCDEFGHIJ"
"""Signs of the rouages on the drawn board, by number: player 1's by rank, player 2's by rank, hostiles."""
FIRST_MARKER, FIRST_PIECE = FIGURES, DISCS
"""The first numbers of markers and of pieces of scenery."""
EDGE_NAMES = {pb.EDGE_N: "north", pb.EDGE_E: "east", pb.EDGE_S: "south", pb.EDGE_W: "west"}


def inches(x: float, y: float) -> str:
    """A point of the lattice, in inches from the south-west corner."""
    return f"({x / 100:.2f}, {y / 100:.2f})"


def unique_names(names: Mapping[int, str]) -> dict[int, str]:
    """Names of rouages by number; a name that several have gets the sign of each on the board."""
    given = list(names.values())
    return {index: name if given.count(name) == 1 else f"{name} ({SIGNS[index]})" for index, name in names.items()}


def names_with_places(named: Mapping[int, tuple[str, float, float]]) -> dict[int, str]:
    """Names of elements by number; a name that several have gets the place."""
    given = [name for name, _, _ in named.values()]
    return {
        element: name if given.count(name) == 1 else f"{name} at {inches(x, y)}"
        for element, (name, x, y) in named.items()
    }


def card_of(rules: Ruleset, card: int) -> CompiledProfile:
    """A rouage's card as positions have it: the profiles, then the hostile profiles."""
    players = len(rules.profiles)
    return rules.profiles[card] if card < players else rules.hostiles[card - players]


def rouage_names(state: OlomocState, dump: dict[str, Any] | None = None) -> dict[int, str]:
    """The names of the rouages, made unique."""
    rules = state.game.ruleset
    figures = (state.dump() if dump is None else dump)["figures"]
    cards = ((figure["index"], figure["card"]) for figure in figures)
    return unique_names({index: card_of(rules, card).name for index, card in cards if card >= 0})


def element_name(state: OlomocState, element: int, dump: dict[str, Any] | None = None) -> str:
    """A name of a rouage, marker or piece of scenery that no other element has."""
    known = state.dump() if dump is None else dump
    if element < FIRST_MARKER:
        return rouage_names(state, known).get(element, f"rouage {element}")
    if element < FIRST_PIECE:
        return _marker_names(state, known).get(element, f"marker {element}")
    return _scenery_names(state, known).get(element, f"scenery {element}")


def _marker_names(state: OlomocState, dump: dict[str, Any]) -> dict[int, str]:
    """Names of the markers, from their tags."""
    tags = state.game.ruleset.tags
    lying = {}
    for mark in dump["marks"]:
        lying[mark["element"]] = (tags[mark["tag"]] if mark["tag"] != NONE else "marker", mark["x"], mark["y"])
    return names_with_places(lying)


def _scenery_names(state: OlomocState, dump: dict[str, Any]) -> dict[int, str]:
    """Names of the pieces of scenery, from their cards."""
    laid = zip(pieces_on_board(state, dump), shapes_on_board(state, dump), strict=True)
    return names_with_places(
        {FIRST_PIECE + place: (name, *middle(shape.corners)) for place, ((name, _, _), shape) in enumerate(laid)}
    )


def middle(corners: tuple[tuple[int, int], ...]) -> tuple[float, float]:
    """The middle of the box around a shape."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def pieces_on_board(state: OlomocState, dump: dict[str, Any] | None = None) -> list[tuple[str, bool, int]]:
    """Name, tainted by its card, and tag of every piece on the board, in order of their elements."""
    known, rules = state.dump() if dump is None else dump, state.game.ruleset
    if known["layout"] >= 0:
        return [(piece.name, piece.tainted, piece.tag) for piece in rules.layouts[known["layout"]].pieces]
    laid = [rules.pool[number] for number, piece in enumerate(known["pieces"]) if piece["rotation"] >= 0]
    return [(piece.name, piece.tainted, piece.tag) for piece in laid]


def shapes_on_board(state: OlomocState, dump: dict[str, Any]) -> list[Piece]:
    """The scenery on the board, in order of its elements."""
    rules = state.game.ruleset
    if dump["layout"] >= 0:
        return [piece.shape for piece in rules.layouts[dump["layout"]].pieces]
    shapes = []
    for piece, laid in zip(rules.pool, dump["pieces"], strict=False):
        if laid["rotation"] >= 0:
            shapes.append(pool_shape(piece, laid["rotation"], laid["x"], laid["y"]))
    return shapes


def pool_shape(piece: CompiledPiece, rotation: int, x: int, y: int) -> Piece:
    """The shape of a piece as player 0 places it. Raises ShapeError if it leaves the board."""
    corners = turned(piece.corners, rotation, x, y)
    if piece.radius:
        ((cx, cy),) = corners
        return Piece.disc(cx, cy, piece.radius, obstructing=piece.obstructing, zone=piece.zone)
    return Piece.polygon(corners, obstructing=piece.obstructing, zone=piece.zone)


def spacing_fault(piece: Piece, other: Piece | Part) -> Literal["overlap", "near"] | None:
    """The fault in the distance of a piece to another one or a marker; the edge is checked before (OLO-SETUP-03)."""
    solid, markers = ([other], []) if isinstance(other, Piece) else ([], [other])
    parts = [*markers, *(part for shape in solid for part in shape.parts())]
    if any(compare_gap(one, two, 0) < 0 for one in piece.parts() for two in parts):
        return "overlap"
    return None if setup_fault(piece, solid, markers) is None else "near"


# -- of a view ---------------------------------------------------------------------------------------------------------

_AXIS = 1 << 20
_OURS = "not the printed cards"
ELSEWHERE = {pb.PLACE_OFF: "off the board", pb.PLACE_OUT: "out of action"}
"""Texts for rouages that are not on the board."""


def card_set_title(view: pb.View) -> str:
    """The title of the card set; a house set is marked as such."""
    title = view.card_set.title
    return title if view.card_set.status != "house" or _OURS in title else f"{title} (a house set, {_OURS})"


def seat_of(view: pb.View, player: int) -> str:
    """The text for a player: ``seat 0``, which front ends replace; the player's number before seats are known."""
    info = view.players[player]
    return f"seat {info.seat}" if info.HasField("seat") else f"player {player + 1}"


def element_names(view: pb.View) -> dict[int, str]:
    """The names of elements by number, made unique; rouages that the viewer does not know are left out."""
    names = unique_names({rouage.index: rouage.name for rouage in view.rouages if rouage.name})
    markers = {mark.element: (mark.tag or "marker", mark.centre.x, mark.centre.y) for mark in view.markers}
    pieces = {
        piece.element: (piece.name, *middle(tuple((corner.x, corner.y) for corner in piece.corners)))
        for piece in view.scenery
    }
    return names | names_with_places(markers) | names_with_places(pieces)


def affected(effect: pb.EffectInfo, names: Mapping[int, str]) -> str:
    """The name of the element that an effect is on."""
    return names.get(effect.rouage, "a rouage") if effect.HasField("rouage") else "everybody"


def table_of(view: pb.View) -> Table:
    """The board of a view with all its elements, for measuring."""
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
    """The shape of a piece of scenery for the geometry."""
    corners = [(corner.x, corner.y) for corner in piece.corners]
    return Piece(tuple(corners), piece.radius, piece.obstructing and not piece.zone, piece.zone)


def ruler_pose(pose: tuple[str, tuple[float, float, float, float]] | None, table: Table) -> pb.RulerPose | None:
    """The message of a ruler's pose, from :meth:`cext.geometry.Displacement.pose`; None where no ruler is used."""
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
