"""Pieces of scenery, their convex parts, their joints, and what may be laid beside what."""

from __future__ import annotations

import pickle
from random import Random

import pytest
import shapely

from cext.geometry import (
    MAX_PIECES,
    Board,
    Part,
    Piece,
    Point,
    ShapeError,
    compare_gap,
    convex_parts,
    joints,
    setup_fault,
    turned,
)
from tests.cext.geometry.boards import SYMMETRIES, moved, random_pieces

L_SHAPE = [(100, 100), (500, 100), (500, 200), (200, 200), (200, 600), (100, 600)]


def star(rng: Random, corners: int) -> list[Point]:
    """A star-shaped polygon: seldom convex, always simple but for rounding."""
    angles = sorted(rng.uniform(0, 360) for _ in range(corners))
    points = []
    for angle in angles:
        reach = rng.uniform(40, 600)
        point = shapely.affinity.rotate(shapely.Point(reach, 0), angle, origin=(0, 0))
        points.append((800 + round(point.x), 800 + round(point.y)))
    return points


@pytest.mark.rule("OLO-GEO-10")
def test_outlines_are_put_in_order() -> None:
    square = ((100, 100), (200, 100), (200, 200), (100, 200))
    assert Piece.polygon(square).corners == square
    assert Piece.polygon(square[::-1]).corners == square
    with_straight = [(100, 100), (150, 100), (200, 100), (200, 100), (200, 200), (100, 200), (100, 150)]
    assert Piece.polygon(with_straight).corners == square


@pytest.mark.rule("OLO-GEO-10")
@pytest.mark.parametrize(
    "corners",
    [
        [],
        [(100, 100), (200, 200)],
        [(100, 100), (200, 200), (300, 300)],
        [(100, 100), (200, 200), (200, 100), (100, 200)],
        [(100, 100), (300, 100), (200, 100), (200, 300)],
        [(100, 100), (300, 100), (300, 300), (200, 100), (100, 300)],
        [(100, 100), (300, 100), (300, 300), (300, 200), (100, 200)],
        [(0, 0), (1601, 0), (0, 100)],
        [(-1, 0), (100, 0), (0, 100)],
        [(x, 100 + 50 * (x % 2)) for x in range(0, 65)] + [(64, 400), (0, 400)],
    ],
)
def test_impossible_polygons_are_refused(corners: list[Point]) -> None:
    with pytest.raises(ShapeError):
        Piece.polygon(corners)


@pytest.mark.parametrize(("x", "y", "radius"), [(800, 800, 0), (800, 800, 60_001), (10, 800, 1_271), (800, 1595, 700)])
def test_impossible_discs_are_refused(x: int, y: int, radius: int) -> None:
    with pytest.raises(ShapeError):
        Piece.disc(x, y, radius)


def test_a_zone_never_obstructs() -> None:
    assert not Piece.box(100, 100, 200, 200, obstructing=True, zone=True).obstructing
    assert not Piece.disc(800, 800, 5000, zone=True).obstructing


def test_a_board_has_limits() -> None:
    tower = Piece.box(100, 100, 200, 200, obstructing=False)
    assert len(Board([tower] * MAX_PIECES).pieces) == MAX_PIECES
    with pytest.raises(ShapeError, match="at most"):
        Board([tower] * (MAX_PIECES + 1))
    comb = [(x, 100 + 300 * (x // 10 % 2)) for x in range(0, 620, 10)] + [(610, 90), (0, 90)]
    with pytest.raises(ShapeError, match="more than"):
        Board([Piece.polygon(comb, obstructing=False)] * 20)


def test_a_board_is_pickled_by_its_pieces() -> None:
    board = Board([Piece.polygon(L_SHAPE), Piece.disc(1000, 1000, 5000)])
    copy = pickle.loads(pickle.dumps(board))
    assert copy.pieces == board.pieces
    assert copy.joints == board.joints


@pytest.mark.rule("OLO-GEO-11")
def test_parts_of_an_l() -> None:
    parts = convex_parts(Piece.polygon(L_SHAPE).corners)
    assert len(parts) == 2
    assert convex_parts(Piece.polygon(L_SHAPE).corners) == parts


@pytest.mark.rule("OLO-GEO-11")
@pytest.mark.parametrize("seed", range(5))
def test_parts_are_convex_and_make_up_the_piece(seed: int) -> None:
    rng = Random(seed)
    tried = 0
    while tried < 40:
        try:
            piece = Piece.polygon(star(rng, rng.randint(3, 14)))
        except ShapeError:
            continue
        tried += 1
        shapes = [shapely.Polygon(part.points) for part in piece.parts()]
        assert all(shape.equals(shape.convex_hull) for shape in shapes)
        assert all(shapely.Polygon(part.points).exterior.is_ccw for part in piece.parts())
        whole = shapely.Polygon([(127 * x, 127 * y) for x, y in piece.corners])
        assert sum(shape.area for shape in shapes) == pytest.approx(whole.area, rel=1e-12)
        assert shapely.union_all(shapes).symmetric_difference(whole).area < 1
        corners = {(127 * x, 127 * y) for x, y in piece.corners}
        assert all(point in corners for part in piece.parts() for point in part.points)


@pytest.mark.rule("OLO-GEO-12")
@pytest.mark.parametrize("seed", range(3))
def test_every_seam_has_a_joint_inside_the_piece(seed: int) -> None:
    rng = Random(seed)
    seams = 0
    for piece in random_pieces(rng, 12, apart=0):
        parts = piece.parts()
        found = joints([parts])
        shared = [
            shapely.Polygon(one.points).intersection(shapely.Polygon(other.points))
            for index, one in enumerate(parts)
            for other in parts[index + 1 :]
        ]
        lines = [line for line in shared if line.length > 0]
        assert len(found) == len(lines)
        seams += len(lines)
        whole = shapely.Polygon([(127 * x, 127 * y) for x, y in piece.corners]) if lines else None
        for joint, line in zip(found, lines, strict=True):
            assert shapely.distance(line, shapely.Point(joint.x, joint.y)) < joint.radius
            assert whole is not None
            assert shapely.distance(whole.exterior, shapely.Point(joint.x, joint.y)) >= joint.radius
    assert seams > 0


@pytest.mark.rule("OLO-GEO-12")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # Side by side, two steps apart: the middle of the stretch, and a radius beyond the gap.
        (Piece.box(100, 100, 300, 200), Piece.box(200, 202, 500, 300), (31_750, 25_527, 255)),
        # Corner to corner.
        (Piece.box(100, 100, 200, 200), Piece.box(201, 201, 300, 300), (25_463, 25_463, 180)),
        # A disc on a side, and two discs.
        (Piece.box(100, 100, 300, 200), Piece.disc(200, 300, 12_600), (25_400, 25_450, 101)),
        (Piece.disc(300, 300, 12_700), Piece.disc(500, 300, 12_700), (50_800, 38_100, 1)),
        (Piece.disc(300, 300, 10_000), Piece.disc(500, 300, 15_300), (48_150, 38_100, 101)),
    ],
)
def test_joints_of_contacts(one: Piece, other: Piece, expected: tuple[int, int, int]) -> None:
    assert [tuple(joint) for joint in joints([one.parts(), other.parts()])] == [(*expected, -1)]
    assert [tuple(joint) for joint in joints([other.parts(), one.parts()])] == [(*expected, -1)]


@pytest.mark.rule("OLO-GEO-12")
def test_no_joint_between_pieces_apart_or_low() -> None:
    assert joints([Piece.box(100, 100, 300, 200).parts(), Piece.box(200, 203, 500, 300).parts()]) == []
    low = Piece.box(200, 200, 500, 300, obstructing=False)
    assert Board([Piece.box(100, 100, 300, 200), low]).joints == ()


@pytest.mark.rule("OLO-GEO-13")
def test_turning_rounds_to_the_lattice() -> None:
    assert turned([(100, 0), (0, 100)], 0, 5, 7) == [(105, 7), (5, 107)]
    assert turned([(100, 0), (0, 100)], 4, 5, 7) == [(5, 107), (-95, 7)]
    assert turned([(1000, 0)], 1, 0, 0) == [(924, 383)]
    assert turned([(1000, 0)], 2, 0, 0) == [(707, 707)]
    assert turned([(1000, 0)], 3, 0, 0) == [(383, 924)]
    for rotation in range(16):
        (x, y), (a, b) = turned([(1000, 0), (-1000, 0)], rotation, 0, 0)
        assert (a, b) == (-x, -y)
        assert turned([(1000, 0)], rotation + 4, 0, 0) == [(-y, x)]
        assert turned([(1000, 0)], rotation - 16, 0, 0) == [(x, y)]
        point = shapely.affinity.rotate(shapely.Point(1000, 0), 22.5 * rotation, origin=(0, 0))
        assert abs(point.x - x) <= 0.5 + 1e-9
        assert abs(point.y - y) <= 0.5 + 1e-9


def shape(part: Part) -> shapely.Geometry:
    return shapely.Polygon(part.points) if len(part.points) > 1 else shapely.Point(part.points[0])


@pytest.mark.rule("OLO-GEO-04")
@pytest.mark.parametrize("seed", range(3))
def test_gaps_of_parts(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        parts = [part for piece in random_pieces(rng, 3, apart=0, size=300) for part in piece.parts()]
        for one in parts:
            for other in parts:
                if one is other:
                    continue
                gap = shapely.distance(shape(one), shape(other)) - one.radius - other.radius
                for distance in (0, 254, 12_700, 25_400, int(gap) + 1):
                    sign = compare_gap(one, other, distance)
                    assert sign == compare_gap(other, one, distance)
                    if abs(gap - distance) > 1e-6 and gap > 1e-6:
                        assert sign == (1 if gap > distance else -1)


def test_gaps_of_parts_that_touch_or_overlap() -> None:
    box = Piece.box(100, 100, 200, 200).parts()[0]
    assert compare_gap(box, Piece.box(200, 100, 300, 200).parts()[0], 0) == 0
    assert compare_gap(box, Piece.box(200, 200, 300, 300).parts()[0], 0) == 0
    assert compare_gap(box, Piece.box(199, 100, 300, 200).parts()[0], 0) == -1
    assert compare_gap(box, Piece.box(120, 120, 150, 150).parts()[0], 0) == -1
    assert compare_gap(Part(((100 * 127, 150 * 127),)), box, 0) == 0
    assert compare_gap(Part(((101 * 127, 150 * 127),)), box, 0) == -1


@pytest.mark.rule("OLO-SETUP-03")
@pytest.mark.parametrize(
    ("piece", "fault"),
    [
        (Piece.box(1050, 1050, 1100, 1100), None),
        (Piece.box(900, 700, 950, 900), None),  # in contact
        (Piece.box(902, 700, 950, 900), None),  # two hundredths of an inch apart
        (Piece.box(903, 700, 950, 900), "near"),
        (Piece.box(1099, 700, 1200, 900), "near"),
        (Piece.box(1100, 700, 1200, 900), None),  # two inches
        (Piece.box(899, 700, 950, 900), "near"),  # overlaps
        (Piece.box(750, 750, 760, 760), "near"),  # inside
        (Piece.box(0, 200, 300, 400), None),  # against the edge
        (Piece.box(2, 200, 300, 400), None),
        (Piece.box(3, 200, 300, 400), "edge"),
        (Piece.box(199, 200, 300, 400), "edge"),
        (Piece.box(200, 200, 300, 400), None),
        (Piece.box(750, 750, 760, 760, zone=True), None),
        (Piece.box(100, 750, 500, 760, zone=True), "edge"),
        (Piece.disc(400, 1200, 12_700), "near"),  # one inch from the marker
        (Piece.polygon([(0, 1200), (500, 1200), (500, 1300), (100, 1300), (100, 1400), (0, 1400)]), "near"),
        (Piece.polygon([(0, 800), (300, 800), (300, 830), (100, 830), (100, 900), (0, 900)]), None),
    ],
)
def test_legal_placements_of_scenery(piece: Piece, fault: str | None) -> None:
    marker = Part(((127 * 400, 127 * (1200 + 100 + 100 + 60)),), 7500)
    assert setup_fault(piece, [Piece.box(700, 700, 900, 900)], [marker]) == fault


@pytest.mark.rule("OLO-SETUP-03")
def test_legal_placements_are_mirrored_on_mirrored_boards() -> None:
    rng = Random(5)
    for _ in range(60):
        *there, piece = random_pieces(rng, 4, apart=0, size=300)
        faults = {
            setup_fault(
                moved(piece, [s(*c) for c in piece.corners]), [moved(p, [s(*c) for c in p.corners]) for p in there]
            )
            for s in SYMMETRIES
        }
        assert len(faults) == 1
