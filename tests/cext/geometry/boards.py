"""Random boards for the tests of the geometry, and the symmetries of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from cext.geometry import Board, Piece, Point, Ruler, Table, compare_gap, joints, turned
from tests.cext.geometry import oracle
from tests.cext.geometry.oracle import Shape, disc

SMALL, MEDIUM, LARGE = 7500, 10000, 12500
RADII = (SMALL, SMALL, MEDIUM, LARGE)
SIDE = 1600

Disc = tuple[int, int, int]


@dataclass(frozen=True)
class Scene:
    """Pieces of scenery and discs (x, y in lattice steps, radius in ticks), element i being the i-th of them."""

    pieces: tuple[Piece, ...] = ()
    discs: dict[int, Disc] = field(default_factory=dict)

    def table(self, move_ruler: Ruler | None = None, push_ruler: Ruler | None = None) -> Table:
        table = Table(Board(self.pieces), move_ruler, push_ruler)
        for element, (x, y, radius) in self.discs.items():
            table.put(element, x, y, radius)
        return table

    def solid(self) -> list[Shape]:
        """The convex parts of what obstructs figures and rulers."""
        return [Shape(*part) for piece in self.pieces if not piece.zone for part in piece.parts()]

    def disc(self, element: int) -> Shape:
        return disc(*self.discs[element])

    def obstacles(self, element: int) -> list[Shape]:
        """All that is in the way of a figure or marker, and of its ruler."""
        return self.solid() + [disc(*place) for other, place in self.discs.items() if other != element]

    def blockers(self, *bodies: Shape) -> list[Shape]:
        """What blocks sight, but for what overlaps one of the bodies."""
        parts = [piece.parts() if piece.obstructing else () for piece in self.pieces]
        shapes = [Shape(*part) for split in parts for part in split]
        shapes += [Shape(((joint.x, joint.y),), joint.radius) for joint in joints(parts)]
        return [shape for shape in shapes if all(oracle.compare_gap(body, shape, 0) >= 0 for body in bodies)]

    def mapped(self, symmetry: Symmetry) -> Scene:
        pieces = tuple(moved(piece, [symmetry(*corner) for corner in piece.corners]) for piece in self.pieces)
        return Scene(pieces, {element: (*symmetry(x, y), r) for element, (x, y, r) in self.discs.items()})


Symmetry = Callable[[int, int], Point]
# The eight symmetries of the board; the identity first.
SYMMETRIES: tuple[Symmetry, ...] = (
    lambda x, y: (x, y),
    lambda x, y: (SIDE - x, y),
    lambda x, y: (x, SIDE - y),
    lambda x, y: (SIDE - x, SIDE - y),
    lambda x, y: (y, x),
    lambda x, y: (SIDE - y, x),
    lambda x, y: (y, SIDE - x),
    lambda x, y: (SIDE - y, SIDE - x),
)


def moved(piece: Piece, corners: Sequence[Point]) -> Piece:
    if piece.radius:
        return replace(piece, corners=tuple(corners))
    return Piece.polygon(corners, obstructing=piece.obstructing, zone=piece.zone)


def scene(*discs: Disc | Point, pieces: Sequence[Piece] = ()) -> Scene:
    """A scene by hand; a disc without a radius has a base of 30 mm."""
    placed = {index: (disc[0], disc[1], disc[2] if len(disc) > 2 else SMALL) for index, disc in enumerate(discs)}
    return Scene(tuple(pieces), placed)


def random_piece(rng: Random, size: int = 130, obstructing: bool = True) -> Piece | None:
    """A box, a triangle, a kite, an L or a disc, turned; None where it would leave the board."""
    x, y, a, b = rng.randint(0, SIDE), rng.randint(0, SIDE), rng.randint(25, size), rng.randint(25, size)
    kind = rng.randrange(10)
    if kind == 0:
        radius = rng.randint(1000, 127 * size)
        near = min(x, y, SIDE - x, SIDE - y)
        return Piece.disc(x, y, radius, obstructing=obstructing) if 127 * near >= radius else None
    if kind == 1:
        outline = [(-a, -b), (a, -b), (0, b)]
    elif kind == 2:
        outline = [(-a, 0), (0, -b), (a, 0), (0, b // 2)]
    elif kind <= 4:
        c, d = rng.randint(10, a), rng.randint(10, b)
        outline = [(-a, -b), (a, -b), (a, d - b), (c - a, d - b), (c - a, b), (-a, b)]
    else:
        outline = [(-a, -b), (a, -b), (a, b), (-a, b)]
    corners = turned(outline, rng.randrange(16), x, y)
    if not all(0 <= value <= SIDE for corner in corners for value in corner):
        return None
    try:
        return Piece.polygon(corners, obstructing=obstructing)
    except ValueError:
        return None  # Rounded to nothing.


def random_pieces(rng: Random, count: int, *, size: int = 130, apart: int = 20, low: float = 0.0) -> tuple[Piece, ...]:
    """Pieces at least ``apart`` steps from each other; a share of ``low`` blocks no sight."""
    pieces: list[Piece] = []
    while len(pieces) < count:
        piece = random_piece(rng, size, obstructing=rng.random() >= low)
        if piece is not None and all(
            compare_gap(one, other, 127 * apart) >= 0
            for there in pieces
            for one in there.parts()
            for other in piece.parts()
        ):
            pieces.append(piece)
    return tuple(pieces)


def random_scene(rng: Random, pieces: int = 5, discs: int = 8, *, size: int = 130, low: float = 0.0) -> Scene:
    """Pieces, and figures of mixed sizes that overlap nothing."""
    made = Scene(random_pieces(rng, pieces, size=size, low=low))
    table = made.table()
    for element in range(discs):
        made.discs[element] = place_disc(rng, table, element)
    return made


def coarse_scene(rng: Random, pieces: int = 5, discs: int = 6) -> Scene:
    """All on a coarse grid, radii too: full of grazing lines, touching pieces and ties."""
    made: list[Piece] = []
    while len(made) < pieces:
        x, y, a, b = (100 * rng.randint(1, 14) for _ in range(4))
        a, b = min(a // 4, 200), min(b // 4, 200)
        kind = rng.randrange(4)
        if kind == 0:
            outline = [(-a, -b), (a, -b), (0, b)]
        elif kind == 1:
            outline = [(-a, 0), (0, -a), (a, 0), (0, a)]
        elif kind == 2:
            outline = [(-a, -b), (a, -b), (a, 0), (0, 0), (0, b), (-a, b)]
        else:
            outline = [(-a, -b), (a, -b), (a, b), (-a, b)]
        corners = [(x + dx, y + dy) for dx, dy in outline]
        if not all(0 <= value <= SIDE for corner in corners for value in corner):
            continue
        piece = Piece.polygon(corners)
        others = [part for there in made for part in there.parts()]
        if all(compare_gap(one, other, 0) >= 0 for one in others for other in piece.parts()):
            made.append(piece)
    scene = Scene(tuple(made))
    table = scene.table()
    while len(scene.discs) < discs:
        x, y, radius = 50 * rng.randint(1, 31), 50 * rng.randint(1, 31), 127 * rng.choice((25, 50, 75))
        if table.spot_free(x, y, radius):
            scene.discs[len(scene.discs)] = x, y, radius
            table.put(len(scene.discs) - 1, x, y, radius)
    return scene


def place_disc(rng: Random, table: Table, element: int, radius: int | None = None) -> Disc:
    """Put a disc on a free place of a table."""
    radius = radius or rng.choice(RADII)
    while True:
        x, y = rng.randint(0, SIDE), rng.randint(0, SIDE)
        if table.spot_free(x, y, radius):
            table.put(element, x, y, radius)
            return x, y, radius


def unpacked(places: Sequence[int]) -> Iterator[Point]:
    """The points of a list."""
    return ((place >> 11, place & 2047) for place in places)
