"""What there is of a state, by name: rouages, hostiles, markers and scenery; and the shapes of the scenery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from cext.geometry import Part, Piece, compare_gap, setup_fault, turned
from gamepacks.olomoc.ruleset import NONE, Loose, Profile, Ruleset

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.state import OlomocState

SIGNS = "123abcABCDEFGHIJ"
"""One character for each rouage by its number, as on the drawn board: player 1's by rank, player 2's, hostiles."""
FIRST_MARKER, FIRST_PIECE = 16, 64


def inches(x: float, y: float) -> str:
    """A point of the lattice, in inches from the south-west corner."""
    return f"({x / 100:.2f}, {y / 100:.2f})"


def held(frame: Mapping[str, Any], place: int) -> int:
    """What a frame of a position holds at a place; zeros at its end are not written."""
    values = frame["values"]
    return int(values[place]) if place < len(values) else 0


def told_apart(names: Mapping[int, str]) -> dict[int, str]:
    """Names of rouages by their number; those that several have get the sign of each on the board."""
    given = list(names.values())
    return {index: name if given.count(name) == 1 else f"{name} ({SIGNS[index]})" for index, name in names.items()}


def with_places(named: Mapping[int, tuple[str, float, float]]) -> dict[int, str]:
    """Names of what lies at a place, by number; those that several have get the place."""
    given = [name for name, _, _ in named.values()]
    return {
        element: name if given.count(name) == 1 else f"{name} at {inches(x, y)}"
        for element, (name, x, y) in named.items()
    }


def card_of(rules: Ruleset, card: int) -> Profile:
    """A rouage's card as positions have it: the profiles, then the hostile profiles."""
    players = len(rules.profiles)
    return rules.profiles[card] if card < players else rules.hostiles[card - players]


def figure_names(state: OlomocState, dump: dict[str, Any] | None = None) -> dict[int, str]:
    """What the rouages that there are are called, each by a name of its own."""
    rules = state.game.ruleset
    figures = (state.dump() if dump is None else dump)["figures"]
    cards = ((figure["index"], figure["card"]) for figure in figures)
    return told_apart({index: card_of(rules, card).name for index, card in cards if card >= 0})


def element_name(state: OlomocState, element: int, dump: dict[str, Any] | None = None) -> str:
    """A rouage, marker or piece of scenery, by a name that no other element has."""
    known = state.dump() if dump is None else dump
    if element < FIRST_MARKER:
        return figure_names(state, known).get(element, f"rouage {element}")
    if element < FIRST_PIECE:
        return _marker_names(state, known).get(element, f"marker {element}")
    return _scenery_names(state, known).get(element, f"scenery {element}")


def _marker_names(state: OlomocState, dump: dict[str, Any]) -> dict[int, str]:
    """By the tags of the markers."""
    tags = state.game.ruleset.tags
    lying = {}
    for mark in dump["marks"]:
        lying[mark["element"]] = (tags[mark["tag"]] if mark["tag"] != NONE else "marker", mark["x"], mark["y"])
    return with_places(lying)


def _scenery_names(state: OlomocState, dump: dict[str, Any]) -> dict[int, str]:
    """By the names of the pieces."""
    laid = zip(laid_pieces(state, dump), laid_shapes(state, dump), strict=True)
    return with_places(
        {FIRST_PIECE + place: (name, *middle(shape.corners)) for place, ((name, _, _), shape) in enumerate(laid)}
    )


def middle(corners: tuple[tuple[int, int], ...]) -> tuple[float, float]:
    """The middle of the box around a shape."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def laid_pieces(state: OlomocState, dump: dict[str, Any] | None = None) -> list[tuple[str, bool, int]]:
    """Name, tainted by its card, and tag of every piece on the board, in order of their elements."""
    known, rules = state.dump() if dump is None else dump, state.game.ruleset
    if known["layout"] >= 0:
        return [(piece.name, piece.tainted, piece.tag) for piece in rules.layouts[known["layout"]].pieces]
    laid = [rules.pool[number] for number, piece in enumerate(known["pieces"]) if piece["rotation"] >= 0]
    return [(piece.name, piece.tainted, piece.tag) for piece in laid]


def laid_shapes(state: OlomocState, dump: dict[str, Any]) -> list[Piece]:
    """The scenery on the board, in order of its elements."""
    rules = state.game.ruleset
    if dump["layout"] >= 0:
        return [piece.shape for piece in rules.layouts[dump["layout"]].pieces]
    shapes = []
    for piece, laid in zip(rules.pool, dump["pieces"], strict=False):
        if laid["rotation"] >= 0:
            shapes.append(loose_shape(piece, laid["rotation"], laid["x"], laid["y"]))
    return shapes


def loose_shape(piece: Loose, rotation: int, x: int, y: int) -> Piece:
    """A piece as player 0 lays it. Raises ShapeError where it leaves the board."""
    corners = turned(piece.corners, rotation, x, y)
    if piece.radius:
        ((cx, cy),) = corners
        return Piece.disc(cx, cy, piece.radius, obstructing=piece.obstructing, zone=piece.zone)
    return Piece.polygon(corners, obstructing=piece.obstructing, zone=piece.zone)


def crowded(piece: Piece, other: Piece | Part) -> Literal["overlap", "near"] | None:
    """How a piece, right as to the edge, lies too close to another one or a marker (OLO-SETUP-03)."""
    solid, markers = ([other], []) if isinstance(other, Piece) else ([], [other])
    parts = [*markers, *(part for shape in solid for part in shape.parts())]
    if any(compare_gap(one, two, 0) < 0 for one in piece.parts() for two in parts):
        return "overlap"
    return None if setup_fault(piece, solid, markers) is None else "near"
