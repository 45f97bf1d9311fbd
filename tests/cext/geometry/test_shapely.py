"""Distance, overlap, sight and reach against Shapely, on 10,000 random boards."""

from __future__ import annotations

from math import cos, hypot, pi, tau
from random import Random

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from cext.geometry import Piece, Ruler, Table, turned
from tests.cext.geometry.boards import RADII, SIDE, SMALL, Scene, place_disc
from tests.cext.geometry.oracle_ruler import Size
from tests.cext.geometry.poses import touching_poses

Geometries = NDArray[np.object_]

CHUNKS, BOARDS = 20, 500
RULER = Ruler(300, 80)
SIZE = Size.of(300, 80)
RIM = 12


def quick_scene(rng: Random) -> tuple[Scene, Table]:
    """Up to nine pieces, each in a square of its own, and six figures."""
    pieces = []
    for cell in rng.sample(range(16), rng.randint(3, 9)):
        x, y = 200 + 400 * (cell % 4) + rng.randint(-10, 10), 200 + 400 * (cell // 4) + rng.randint(-10, 10)
        a, b, kind = rng.randint(50, 130), rng.randint(50, 130), rng.randrange(6)
        if kind == 0:
            pieces.append(Piece.disc(x, y, 127 * a))
            continue
        outline = [(-a, -b), (a, -b), (a, b), (-a, b)]
        if kind == 1:
            outline = [(-a, -b), (a, -b), (0, b)]
        elif kind == 2:
            outline = [(-a, -b), (a, -b), (a, 0), (0, 0), (0, b), (-a, b)]
        pieces.append(Piece.polygon(turned(outline, rng.randrange(16), x, y)))
    made = Scene(tuple(pieces))
    table = made.table()
    for element in range(6):
        made.discs[element] = place_disc(rng, table, element)
    return made, table


def geometry(piece: Piece) -> shapely.Geometry:
    """In ticks; a round piece is its centre."""
    points = [(127 * x, 127 * y) for x, y in piece.corners]
    return shapely.Point(points[0]) if piece.radius else shapely.Polygon(points)


def grown(piece: Piece, by: float) -> shapely.Geometry:
    """Larger by ``by`` ticks or smaller; a round piece as a polygon that holds it, or lies in it."""
    if piece.radius:
        reach = piece.radius + by
        return geometry(piece).buffer(reach / cos(pi / 256) if by > 0 else reach, quad_segs=64)
    return geometry(piece).buffer(by, join_style="mitre", mitre_limit=100)


def by_slot(scenes: list[Scene], by: float) -> list[Geometries]:
    """The pieces of all boards, grown: one array for each place in the list of pieces, None where a board has fewer."""
    return [
        np.array(
            [grown(scene.pieces[slot], by) if slot < len(scene.pieces) else None for scene in scenes], dtype=object
        )
        for slot in range(9)
    ]


def rims(x: int, y: int, radius: int) -> NDArray[np.float64]:
    angles = np.arange(RIM) * tau / RIM
    return 127 * np.array([x, y]) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def check_distances(scenes: list[Scene], tables: list[Table], rng: Random) -> None:
    """The gaps from a figure to everything, and whether a random place is free."""
    measured, ones, others, radii, owners = [], [], [], [], []
    spots = [(rng.randint(0, SIDE), rng.randint(0, SIDE), rng.choice(RADII)) for _ in scenes]
    for owner, (scene, table) in enumerate(zip(scenes, tables, strict=True)):
        shapes = [(shapely.Point(127 * x, 127 * y), r) for x, y, r in scene.discs.values()]
        shapes += [(geometry(piece), piece.radius) for piece in scene.pieces]
        x, y, _ = scene.discs[0]
        for number, (shape, radius) in enumerate(shapes[1:], start=1):
            element = number if number < 6 else 58 + number
            measured.append(12_700 * table.gap(0, element))
            ones.append(shapely.Point(127 * x, 127 * y))
            others.append(shape)
            radii.append((scene.discs[0][2], radius))
            owners.append(owner)
            for distance in (0, 254, 12_700):
                sign = table.compare_gap(0, element, distance)
                assert (
                    sign == (measured[-1] > distance) - (measured[-1] < distance) or abs(measured[-1] - distance) < 1e-6
                )
    gaps = shapely.distance(ones, others) - np.array(radii).sum(axis=1)
    assert np.abs(gaps - np.array(measured)).max() < 1e-6
    # Of the places, those of which something is nearer than the radius are taken.
    places = np.array([shapely.Point(127 * x, 127 * y) for x, y, _ in spots], dtype=object)
    clear = shapely.distance(places[owners], others) - np.array(radii)[:, 1]
    least = np.full(len(scenes), np.inf)
    np.minimum.at(least, owners, clear)
    for (x, y, radius), table, free in zip(spots, tables, least, strict=True):
        inside = all(radius <= 127 * value <= 203_200 - radius for value in (x, y))
        assert abs(free - radius) < 1e-6 or table.spot_free(x, y, radius, ignored=0) is (
            inside and bool(free >= radius)
        )


def check_sight(scenes: list[Scene], tables: list[Table], small: list[Geometries]) -> int:
    """A segment that is claimed to be free cuts nothing; where none is claimed, none between rim points is free."""
    blocked = 0
    for one, other in ((0, 1), (2, 3)):
        segments = [table.sight_line(one, other) for table in tables]
        seen = np.array([segment is not None for segment in segments])
        lines = shapely.linestrings([[segment[:2], segment[2:]] for segment in segments if segment is not None])
        for slot in small:
            assert not shapely.intersects(lines, slot[seen]).any()
        hidden = [scene for scene, yes in zip(scenes, seen, strict=True) if not yes]
        ends = [(rims(*scene.discs[one]), rims(*scene.discs[other])) for scene in hidden]
        pairs = np.array([[[(p, q) for q in second] for p in first] for first, second in ends])
        every = shapely.linestrings(pairs.reshape(len(ends), RIM * RIM, 2, 2))
        cut = np.zeros(every.shape, dtype=bool)
        for slot in by_slot(hidden, 0.01):
            cut |= shapely.intersects(every, slot[:, None])
        assert cut.all()
        blocked += len(ends)
    return blocked


def rectangles(poses: NDArray[np.float64], less: float = 0) -> Geometries:
    """Rulers as polygons, smaller by ``less`` all round."""
    q, u, n = poses[:, :2], poses[:, 2:4] * (SIZE.h - less), poses[:, 4:] * (SIZE.w - less)
    return shapely.polygons(np.stack([q - u - n, q + u - n, q + u + n, q - u + n], axis=1))


def obstacles(scene: Scene, by: float) -> list[shapely.Geometry]:
    discs = [Piece((place[:2],), place[2]) for element, place in scene.discs.items() if element]
    return [grown(piece, by) for piece in (*scene.pieces, *discs)]


def check_reach(scenes: list[Scene], tables: list[Table], small: list[Geometries], rng: Random) -> int:
    """The pose of a yes touches both bases and overlaps nothing; for a no, turning and sliding finds none either."""
    board, refused = shapely.box(0, 0, 203_200, 203_200), 0
    poses, starts, ends, owners = [], [], [], []
    for owner, (scene, plain) in enumerate(zip(scenes, tables, strict=True)):
        x, y, radius = scene.discs[0]
        table = Table(plain.board, push_ruler=RULER)
        for element, (other_x, other_y, other_radius) in scene.discs.items():
            table.put(element, other_x, other_y, other_radius)
        reach = hypot(300, 80) + 2 * radius / 127
        for _ in range(8):
            place = x + rng.randint(-430, 430), y + rng.randint(-430, 430)
            on_board = all(0 <= value <= SIDE for value in place)
            if on_board and 100 < hypot(place[0] - x, place[1] - y) < reach and plain.spot_free(*place, radius, 0):
                break
        else:
            continue
        found = table.push(0).pose(*place)
        assert (found is not None) is plain.reach(0, *place, RULER)
        if found is None:
            refused += 1
            angles = np.array([rng.uniform(0, pi) for _ in range(24)])
            tried = touching_poses((127 * x, 127 * y), (127 * place[0], 127 * place[1]), radius, SIZE, angles)
            rulers = rectangles(tried)
            free = shapely.contains(board, rulers)
            for obstacle in obstacles(scene, 1):
                free &= ~shapely.intersects(rulers, obstacle)
            assert not free.any()
            continue
        cx, cy, ux, uy = found[1]
        poses.append((cx, cy, ux, uy, -uy, ux))
        starts.append(shapely.Point(127 * x, 127 * y))
        ends.append(shapely.Point(127 * place[0], 127 * place[1]))
        owners.append(owner)
    assert len(poses) > 200
    radii = np.array([scenes[owner].discs[0][2] for owner in owners])
    rulers, smaller = rectangles(np.array(poses)), rectangles(np.array(poses), 12)
    for bases in (starts, ends):
        assert np.abs(shapely.distance(rulers, bases) - radii).max() < 1e-3
    # Pieces are smaller by 2 ticks, rulers by 12: together 0.0011 inch.
    assert shapely.contains(board, smaller).all()
    for slot in small:
        assert not shapely.intersects(smaller, slot[owners]).any()
    for element in range(1, 6):
        discs = [scenes[owner].discs[element] for owner in owners]
        centres = shapely.points([(127 * x, 127 * y) for x, y, _ in discs])
        assert (shapely.distance(smaller, centres) >= np.array([radius for _, _, radius in discs]) - 2).all()
    return refused


@pytest.mark.rule("OLO-GEO-04", "OLO-GEO-06", "OLO-LOS-01", "OLO-MEAS-02", "OLO-MOVE-01", "OLO-MOVE-02")
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_geometry_agrees_with_shapely(chunk: int) -> None:
    rng = Random(chunk)
    made = [quick_scene(rng) for _ in range(BOARDS)]
    scenes, tables = [scene for scene, _ in made], [table for _, table in made]
    check_distances(scenes, tables, rng)
    small = by_slot(scenes, -2)
    assert check_sight(scenes, tables, small) > 30
    assert check_reach(scenes, tables, small, rng) > 3


def test_the_boards_of_these_tests_are_mixed() -> None:
    rng = Random(0)
    pieces = [piece for _ in range(50) for piece in quick_scene(rng)[0].pieces]
    assert {len(piece.parts()) for piece in pieces} == {1, 2}
    assert any(piece.radius for piece in pieces)
    assert CHUNKS * BOARDS >= 10_000
    assert SMALL in RADII
