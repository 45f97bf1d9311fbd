"""Checks of the loader for boards and agendas (section 7 of RULES.md): OLO-V-11 to OLO-V-14."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, degrees, tau

from cext.geometry import Board, Part, Piece, Ruler, ShapeError, Table, compare_gap, setup_fault, turned
from cext.geometry.units import FIGURES, SIDE, STEP
from gamepacks.olomoc.cards import models
from gamepacks.olomoc.cards.checks import Finding
from gamepacks.olomoc.cards.models import OlomocCards
from gamepacks.olomoc.constants import BASES, EDGES, PLAYERS_FIGURES
from gamepacks.olomoc.elements import spacing_fault
from gamepacks.olomoc.options import OlomocOptions

MIN_ANGLE = 5
"""Degrees."""
MIN_AREA = 400
"""Square lattice steps."""


def board_faults(cards: OlomocCards) -> list[Finding]:
    """Returns every fault of agendas, pieces and layouts, in a set whose references are valid."""
    found = [*_agendas(cards), *_pieces(cards), *_layouts(cards)]
    return found or list(_entries(cards))


def shape_of(piece: models.Piece, at: tuple[int, int], rotation: int) -> Piece:
    """Returns the shape of a piece on the board. Raises ShapeError."""
    shape = piece.shape
    if shape.disc is not None:
        x, y, radius = shape.disc
        ((x, y),) = turned([(x, y)], rotation, *at)
        return Piece.disc(x, y, radius, obstructing=piece.obstructing, zone=piece.zone)
    corners = turned(shape.poly or (), rotation, *at)
    return Piece.polygon(corners, obstructing=piece.obstructing, zone=piece.zone)


def shapes_of(cards: OlomocCards, layout: models.Layout) -> list[Piece]:
    """The pieces of a layout. Raises ShapeError."""
    pieces = {piece.id: piece for piece in cards.pieces}
    return [shape_of(pieces[part.piece], part.at, part.rotation) for part in layout.pieces]


def _disc(x: int, y: int, size: int) -> Part:
    return Part(((x * STEP, y * STEP),), BASES[size])


def _agendas(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of the edges, markers and hostiles of agendas (OLO-V-11)."""
    bases = {hostile.id: hostile.base for hostile in cards.hostiles}
    for agenda in cards.agendas:
        if agenda.edges[0] == agenda.edges[1]:
            yield Finding(agenda.id, "edges", "must be two different edges (OLO-V-11)", "agendas")
        discs = [(f"markers[{n}]", m.x, m.y, m.size) for n, m in enumerate(agenda.markers)]
        discs += [(f"hostiles[{n}]", h.x, h.y, bases[h.profile]) for n, h in enumerate(agenda.hostiles)]
        yield from _discs(agenda.id, "agendas", discs)


def _discs(card: str, table: str, discs: Sequence[tuple[str, int, int, int]]) -> Iterator[Finding]:
    for number, (field, x, y, size) in enumerate(discs):
        if not all(BASES[size] <= STEP * value <= SIDE - BASES[size] for value in (x, y)):
            yield Finding(card, field, "is not wholly on the board (OLO-V-11)", table)
        for other, ox, oy, other_size in discs[:number]:
            if compare_gap(_disc(x, y, size), _disc(ox, oy, other_size), 0) < 0:
                yield Finding(card, field, f"overlaps {other} (OLO-V-11)", table)


def _pieces(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of the shapes of pieces (OLO-V-13)."""
    for piece in cards.pieces:
        corners = piece.shape.poly
        if corners is None:
            continue
        area = abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1], strict=True))) / 2
        if area < MIN_AREA:
            yield Finding(
                piece.id,
                "shape.poly",
                f"has an area of {area:g} square steps; at least {MIN_AREA} are needed (OLO-V-13)",
            )


def _layouts(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of pieces and markers on layouts (OLO-V-12, OLO-V-13)."""
    pieces = {piece.id: piece for piece in cards.pieces}
    for layout in cards.layouts:
        yield from _discs(
            layout.id, "layouts", [(f"markers[{n}]", m.x, m.y, m.size) for n, m in enumerate(layout.markers)]
        )
        markers = [_disc(marker.x, marker.y, marker.size) for marker in layout.markers]
        lying: list[tuple[str, Piece | Part]] = [(f"markers[{n}]", marker) for n, marker in enumerate(markers)]
        for number, part in enumerate(layout.pieces):
            field = f"pieces[{number}]"
            try:
                shape = shape_of(pieces[part.piece], part.at, part.rotation)
            except ShapeError as error:
                yield Finding(layout.id, field, f"{error} (OLO-V-13)", "layouts")
                continue
            if any(_sharp(points.points) for points in shape.parts()):
                yield Finding(
                    layout.id, field, f"has a part with an angle below {MIN_ANGLE} degrees (OLO-V-13)", "layouts"
                )
            faults = [f"{fault} (OLO-V-12)" for fault in _too_near(shape, lying)]
            yield from (Finding(layout.id, field, fault, "layouts") for fault in faults)
            if not faults and not shape.zone:
                lying.append((f"{field}, {pieces[part.piece].name}", shape))


def _too_near(shape: Piece, lying: Sequence[tuple[str, Piece | Part]]) -> Iterator[str]:
    """Yield the faults of a piece with regard to the elements already on the board (OLO-SETUP-03)."""
    if setup_fault(shape, ()) is not None:
        yield "is nearer than 2 inches to the edge without touching it"
        return
    for name, other in () if shape.zone else lying:
        how = spacing_fault(shape, other)
        if how == "overlap":
            yield f"overlaps {name}"
        elif how == "near":
            yield f"is nearer than 2 inches to {name} without touching it"


def _sharp(points: tuple[tuple[int, int], ...]) -> bool:
    """Whether a convex part has an angle of less than 5 degrees."""
    if len(points) < 3:
        return False
    for index, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[index - 1], points[(index + 1) % len(points)]
        turn = (atan2(ay - y, ax - x) - atan2(by - y, bx - x)) % tau
        if degrees(min(turn, tau - turn)) < MIN_ANGLE:
            return True
    return False


def _entries(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of agendas on layouts: occupied places, lines that no large base can enter from (OLO-V-12, OLO-V-14)."""
    values = OlomocOptions().values(cards.options.model_dump(exclude_none=True))
    rulers = (
        Ruler(values.move_ruler_length, values.move_ruler_width),
        Ruler(values.push_ruler_length, values.push_ruler_width),
    )
    bases = {hostile.id: hostile.base for hostile in cards.hostiles}
    shapes = {layout.id: shapes_of(cards, layout) for layout in cards.layouts}
    boards = {name: Board(laid) for name, laid in shapes.items()}
    for agenda in cards.agendas:
        for layout in cards.layouts:
            if agenda.layout not in (None, layout.id):
                continue
            table = Table(boards[layout.id], *rulers)
            discs = [("", m.x, m.y, BASES[m.size], FIGURES) for m in layout.markers]
            discs += [(f"markers[{n}]", m.x, m.y, BASES[m.size], FIGURES) for n, m in enumerate(agenda.markers)]
            discs += [(f"hostiles[{n}]", h.x, h.y, BASES[bases[h.profile]], 0) for n, h in enumerate(agenda.hostiles)]
            for number, (field, x, y, radius, first) in enumerate(discs):
                if table.spot_free(x, y, radius):
                    table.put(
                        first + number if first else PLAYERS_FIGURES + number % (FIGURES - PLAYERS_FIGURES),
                        x,
                        y,
                        radius,
                    )
                    continue
                card, kind = (agenda.id, "agendas") if field else (layout.id, "layouts")
                where = f"({x}, {y}) is not free on {layout.id}: scenery, a marker or a hostile is there"
                yield Finding(card, field or f"markers[{number}]", f"{where} (OLO-V-12)", kind)
            yield from _markers_near_scenery(cards, agenda, layout, shapes[layout.id])
            for edge in agenda.edges:
                if table.enter(EDGES.index(edge), BASES[50]).find() is None:
                    yield Finding(
                        agenda.id,
                        "edges",
                        f"a 50 mm base cannot enter from {edge} on {layout.id} (OLO-V-14)",
                        "agendas",
                    )


def _markers_near_scenery(
    cards: OlomocCards, agenda: models.Agenda, layout: models.Layout, shapes: Sequence[Piece]
) -> Iterator[Finding]:
    """Agenda markers that are nearer than 2 inches to a solid piece of a layout without touching it (OLO-SETUP-03)."""
    names = {piece.id: piece.name for piece in cards.pieces}
    for number, marker in enumerate(agenda.markers):
        disc = _disc(marker.x, marker.y, marker.size)
        for place, (part, shape) in enumerate(zip(layout.pieces, shapes, strict=True)):
            if shape.zone or spacing_fault(shape, disc) != "near":
                continue
            gap = _gap_in_hundredths(shape, disc) / 100
            yield Finding(
                agenda.id,
                f"markers[{number}]",
                f"the marker {marker.tag} at ({marker.x}, {marker.y}) is {gap:.2f} inches from pieces[{place}], "
                f"{names[part.piece]}, of the board {layout.id}; it must be 2 inches away or in contact (OLO-V-12)",
                "agendas",
            )


def _gap_in_hundredths(shape: Piece, disc: Part) -> int:
    """The distance between a piece and a marker that do not overlap, in whole hundredths of an inch, rounded down."""
    low, high = 0, 200
    while high - low > 1:
        middle = (low + high) // 2
        inside = any(compare_gap(part, disc, middle * STEP) < 0 for part in shape.parts())
        low, high = (low, middle) if inside else (middle, high)
    return low
