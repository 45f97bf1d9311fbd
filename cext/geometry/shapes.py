"""Scenery before play: pieces, their convex parts, and the joints that block sight along the seams between parts.

This is work of load time, so it is plain Python on integers of any size; :class:`cext.geometry.Board` compiles the
result. Two units (OLO-GEO-01): the lattice step, 1/100 inch, for corners and centres, and the tick, 1/127 of a step
(2 micrometres), for radii and for all that is computed. The board is a square of 1,600 steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import isqrt
from typing import Literal, NamedTuple, Self

from cext.geometry.units import CONTACT, INCH, LAST, SIDE, STEP

SPACING = 2 * INCH
"""The gap, in ticks, that solid scenery keeps from the board's edge and other elements it does not touch."""
MAX_CORNERS = 64
MAX_RADIUS = 60_000

Point = tuple[int, int]
Exact = tuple[Fraction, Fraction]

# The cosines of 0, 22.5 .. 90 degrees, scaled by 2**40 and rounded: integers are the same on every machine.
_SCALE = 1 << 40
_COSINES = (1_099_511_627_776, 1_015_816_288_660, 777_472_127_994, 420_764_883_643, 0)


class ShapeError(ValueError):
    """The shape of a piece of scenery is invalid: not simple, too small, too large, or off the board."""


class Part(NamedTuple):
    """A convex piece of scenery, in ticks: all points within ``radius`` of the hull of ``points``.

    A disc has one point; a polygon has radius 0 and its corners, counter-clockwise, no three in a row collinear.
    """

    points: tuple[Point, ...]
    radius: int = 0


class Joint(NamedTuple):
    """An open disc, in ticks, that blocks sight where two parts touch.

    ``piece`` is the number of the piece that both belong to; -1 between two pieces.
    """

    x: int
    y: int
    radius: int
    piece: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of scenery: corners in lattice steps, or one centre in lattice steps and a radius in ticks.

    ``obstructing`` pieces block sight. A ``zone`` blocks nothing; every other piece obstructs figures and rulers.
    Made by :meth:`polygon`, :meth:`box` or :meth:`disc`, which check it. Rules OLO-SCEN-01, 02, OLO-GEO-03, 10.
    """

    corners: tuple[Point, ...]
    radius: int = 0
    obstructing: bool = True
    zone: bool = False

    @classmethod
    def polygon(cls, corners: Iterable[Point], *, obstructing: bool = True, zone: bool = False) -> Self:
        """A simple polygon, in either direction; corners on a straight side are dropped.

        Raises ShapeError when it crosses or touches itself, has no inside or more than 64 corners, or leaves the board.
        """
        outline = _outline([(int(x), int(y)) for x, y in corners])
        if any(not (0 <= x <= LAST and 0 <= y <= LAST) for x, y in outline):
            raise ShapeError("a corner lies off the board")
        return cls(outline, 0, obstructing and not zone, zone)

    @classmethod
    def box(cls, x0: int, y0: int, x1: int, y1: int, *, obstructing: bool = True, zone: bool = False) -> Self:
        """A rectangle along the axes, from corner to opposite corner."""
        return cls.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], obstructing=obstructing, zone=zone)

    @classmethod
    def disc(cls, x: int, y: int, radius: int, *, obstructing: bool = True, zone: bool = False) -> Self:
        """A round piece with its centre on the lattice and its radius in ticks (1 to 60,000)."""
        if not 1 <= radius <= MAX_RADIUS:
            raise ShapeError(f"a round piece has a radius of 1 to {MAX_RADIUS} ticks, not {radius}")
        if not all(radius <= STEP * value <= SIDE - radius for value in (x, y)):
            raise ShapeError("a round piece leaves the board")
        return cls(((x, y),), radius, obstructing and not zone, zone)

    def parts(self) -> tuple[Part, ...]:
        """The convex parts, in ticks (OLO-GEO-11)."""
        if self.radius:
            return (Part((_ticks(self.corners[0]),), self.radius),)
        return _polygon_parts(self.corners)


def turned(corners: Sequence[Point], rotation: int, x: int, y: int) -> list[Point]:
    """Corners turned about the origin by ``rotation`` x 22.5 degrees, then moved by (x, y), on lattice points.

    Rounded to the nearest point, halves away from the origin, once and for all (OLO-GEO-13).
    """
    cosine, sine = _cosine(rotation), _cosine(rotation - 4)
    return [(x + _rounded(a * cosine - b * sine), y + _rounded(a * sine + b * cosine)) for a, b in corners]


def convex_parts(corners: Sequence[Point]) -> list[tuple[Point, ...]]:
    """Split a simple counter-clockwise polygon into convex ones with corners among its own (OLO-GEO-11).

    Ears are clipped, always the one with the lowest index; parts are then joined, lowest first, while convex.
    """
    rest = list(corners)
    parts: list[list[Point]] = []
    while len(rest) > 3:
        index = next(index for index in range(len(rest)) if _is_ear(rest, index))
        parts.append([rest[index - 1], rest[index], rest[(index + 1) % len(rest)]])
        del rest[index]
    parts.append(rest)
    while (pair := next(_joinable(parts), None)) is not None:
        first, second, joined = pair
        parts[first] = joined
        del parts[second]
    return [tuple(_without_straight(part)) for part in parts]


def joints(pieces: Sequence[Sequence[Part]]) -> list[Joint]:
    """The joints of obstructing pieces, given by their parts: one for each seam and each contact (OLO-GEO-12)."""
    found: list[Joint] = []
    for number, parts in enumerate(pieces):
        for one, other in combinations(parts, 2):
            found.extend(Joint(x, y, 1, number) for x, y in _seams(one, other))
    for first, second in combinations(pieces, 2):
        for one in first:
            for other in second:
                if _may_touch(one, other) and compare_gap(one, other, 0) >= 0 >= compare_gap(one, other, CONTACT):
                    found.append(_contact_joint(one, other))
    return found


def compare_gap(one: Part, other: Part, distance: int) -> int:
    """The sign of (gap - distance), exactly, for two convex parts and a distance of at least 0 ticks (OLO-GEO-04)."""
    if _overlap(one.points, other.points):
        return -1
    square = (one.radius + other.radius + distance) ** 2
    return min(
        _compare_to_side(point, a, b, square)
        for points, hull in ((one.points, other.points), (other.points, one.points))
        for a, b in _edges(hull)
        for point in points
    )


def setup_fault(piece: Piece, solid: Iterable[Piece], markers: Iterable[Part] = ()) -> Literal["edge", "near"] | None:
    """The reason why ``piece`` may not be laid beside the ``solid`` pieces and markers on the board; None if it may.

    Both the board's edge and each other element are either in contact or at least 2 inches away, and not overlapped.
    Zones keep from the edge only. Rule OLO-SETUP-03.
    """
    parts = piece.parts()
    gaps = map(min, zip(*map(_edge_gaps, parts), strict=True))
    if not all(0 <= gap <= CONTACT or gap >= SPACING for gap in gaps):
        return "edge"
    if piece.zone:
        return None
    for other in [*(other.parts() for other in solid), *((marker,) for marker in markers)]:
        pairs = [(a, b) for a in parts for b in other if _may_touch(a, b, SPACING)]
        if all(compare_gap(a, b, SPACING) >= 0 for a, b in pairs):
            continue
        if any(compare_gap(a, b, 0) < 0 for a, b in pairs) or all(compare_gap(a, b, CONTACT) > 0 for a, b in pairs):
            return "near"
    return None


@lru_cache(maxsize=1024)
def loose_parts(corners: tuple[Point, ...], radius: int, rotation: int) -> tuple[Part, ...]:
    """The convex parts of a piece that is not laid yet, turned about its origin, which lies on (0, 0).

    A round piece has its centre for its one corner. Raises ShapeError where the turned outline is none.
    """
    outline = turned(corners, rotation, 0, 0)
    return (Part((_ticks(outline[0]),), radius),) if radius else _polygon_parts(_outline(outline))


@lru_cache(maxsize=1024)
def _polygon_parts(corners: tuple[Point, ...]) -> tuple[Part, ...]:
    return tuple(Part(tuple(map(_ticks, part))) for part in convex_parts(corners))


def _ticks(point: Point) -> Point:
    return STEP * point[0], STEP * point[1]


def _cosine(rotation: int) -> int:
    quarter, rest = divmod(rotation % 16, 4)
    value = _COSINES[rest] if quarter in (0, 2) else -_COSINES[4 - rest]
    return -value if quarter >= 2 else value


def _rounded(scaled: int) -> int:
    magnitude = (2 * abs(scaled) + _SCALE) // (2 * _SCALE)
    return magnitude if scaled > 0 else -magnitude


def _cross(a: Point, b: Point, c: Point) -> int:
    """Positive when a, b, c turn left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _edges(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """The sides of a polygon, counter-clockwise; of a single point, the point twice."""
    return zip(points, [*points[1:], points[0]], strict=True)


def _without_straight(corners: Sequence[Point]) -> list[Point]:
    """The corners at which the outline really turns (also those where it turns back)."""
    count = len(corners)
    kept = []
    for index, corner in enumerate(corners):
        before, after = corners[index - 1], corners[(index + 1) % count]
        ahead = (corner[0] - before[0]) * (after[0] - corner[0]) + (corner[1] - before[1]) * (after[1] - corner[1])
        if _cross(before, corner, after) != 0 or ahead < 0:
            kept.append(corner)
    return kept


def _outline(corners: Sequence[Point]) -> tuple[Point, ...]:
    distinct = [corner for index, corner in enumerate(corners) if corner != corners[index - 1]]
    outline = _without_straight(distinct)
    if not 3 <= len(outline) <= MAX_CORNERS:
        raise ShapeError(f"a polygon has 3 to {MAX_CORNERS} corners that are not straight angles, not {len(outline)}")
    sides = list(_edges(outline))
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(sides), 2):
        if j == i + 1 or (i == 0 and j == len(sides) - 1):
            shared, one, other = (b, a, d) if j == i + 1 else (a, b, c)
            crossing = _cross(one, shared, other) == 0
        else:
            crossing = _meet(a, b, c, d)
        if crossing:
            raise ShapeError(f"the sides {i} and {j} of a polygon cross or touch")
    doubled_area = sum(a[0] * b[1] - a[1] * b[0] for a, b in sides)
    return tuple(outline) if doubled_area > 0 else tuple(reversed(outline))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments have a point in common."""
    if _cross(a, b, c) == _cross(a, b, d) == 0:
        return all(
            max(min(a[axis], b[axis]), min(c[axis], d[axis])) <= min(max(a[axis], b[axis]), max(c[axis], d[axis]))
            for axis in (0, 1)
        )
    return not (_cross(a, b, c) * _cross(a, b, d) > 0 or _cross(c, d, a) * _cross(c, d, b) > 0)


def _is_ear(corners: Sequence[Point], index: int) -> bool:
    a, b, c = corners[index - 1], corners[index], corners[(index + 1) % len(corners)]
    if _cross(a, b, c) <= 0:
        return False
    return not any(
        _cross(a, b, p) >= 0 and _cross(b, c, p) >= 0 and _cross(c, a, p) >= 0 for p in corners if p not in (a, b, c)
    )


def _joinable(parts: Sequence[list[Point]]) -> Iterator[tuple[int, int, list[Point]]]:
    for first, second in combinations(range(len(parts)), 2):
        one, other = parts[first], parts[second]
        for i, (a, b) in enumerate(_edges(one)):
            if (b, a) in _edges(other):
                j = other.index(a)
                # Round `one` from b back to a, then round `other` from a back to b.
                joined = [*one[i + 1 :], *one[: i + 1], *(other[j + 1 :] + other[:j])[: len(other) - 2]]
                if all(_cross(joined[k - 2], joined[k - 1], joined[k]) >= 0 for k in range(len(joined))):
                    yield first, second, joined


def _seams(one: Part, other: Part) -> Iterator[Point]:
    """The middles, rounded down to ticks, of the stretches along which two parts of a piece lie side by side."""
    for a, b in _edges(one.points):
        for c, d in _edges(other.points):
            if _cross(a, b, c) == _cross(a, b, d) == 0:
                # Along a line the order of points is that of their coordinates.
                low, high = max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
                if low < high:
                    yield (low[0] + high[0]) // 2, (low[1] + high[1]) // 2


def _contact_joint(one: Part, other: Part) -> Joint:
    pairs = list(_nearest(one.points, other.points))
    square = min(pair[0] for pair in pairs)
    # Parallel sides are nearest along a stretch; its ends are among the pairs.
    middles = sorted(_middle(p, q, one.radius - other.radius) for found, p, q in pairs if found == square)
    (x0, y0), (x1, y1) = middles[0], middles[-1]
    gap = isqrt(int(square)) - one.radius - other.radius
    return Joint(int((x0 + x1) // 2), int((y0 + y1) // 2), gap + 1, -1)


def _middle(p: Exact, q: Exact, difference: int) -> Exact:
    """The middle between the nearest points of two parts whose hulls are nearest in p and q."""
    shift = Fraction(0)
    if difference:
        # A rational root, the same everywhere: the place of a joint is data once it is rounded to ticks.
        square = (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2
        shift = Fraction(difference, 2) / Fraction(isqrt(int(square * _SCALE**2)), _SCALE)
    return (
        (p[0] + q[0]) / 2 + shift * (q[0] - p[0]),
        (p[1] + q[1]) / 2 + shift * (q[1] - p[1]),
    )


def _overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two hulls, at least one of them a polygon, share inner points (a point counts as its own inside)."""
    if len(one) == len(other) == 1:
        return False
    for hull, points in ((one, other), (other, one)):
        if len(hull) > 1 and any(all(_cross(a, b, p) <= 0 for p in points) for a, b in _edges(hull)):
            return False
    return True


def _nearest(one: Sequence[Point], other: Sequence[Point]) -> Iterator[tuple[Fraction, Exact, Exact]]:
    """For each corner and opposite side: the squared distance and the two nearest points, that of ``one`` first."""
    for points, hull, swapped in ((one, other, False), (other, one, True)):
        for point in points:
            p = Fraction(point[0]), Fraction(point[1])
            for a, b in _edges(hull):
                q = _foot(point, a, b)
                square = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2
                yield (square, q, p) if swapped else (square, p, q)


def _foot(p: Point, a: Point, b: Point) -> Exact:
    vx, vy = b[0] - a[0], b[1] - a[1]
    length = vx * vx + vy * vy
    along = vx * (p[0] - a[0]) + vy * (p[1] - a[1])
    t = Fraction(min(max(along, 0), length), length) if length else Fraction(0)
    return a[0] + t * vx, a[1] + t * vy


def _compare_to_side(p: Point, a: Point, b: Point, square: int) -> int:
    """The sign of (squared distance of p from the side ab) - square."""
    vx, vy, wx, wy = b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]
    length, along = vx * vx + vy * vy, vx * wx + vy * wy
    if along <= 0:
        value = wx * wx + wy * wy
    elif along >= length:
        value = (p[0] - b[0]) ** 2 + (p[1] - b[1]) ** 2
    else:
        value, square = (vx * wy - vy * wx) ** 2, square * length
    return (value > square) - (value < square)


def _may_touch(one: Part, other: Part, distance: int = CONTACT) -> bool:
    """Whether the bounding boxes are at most ``distance`` apart along both axes."""
    margin = one.radius + other.radius + distance
    return all(
        min(p[axis] for p in one.points) - max(p[axis] for p in other.points) <= margin
        and min(p[axis] for p in other.points) - max(p[axis] for p in one.points) <= margin
        for axis in (0, 1)
    )


def _edge_gaps(part: Part) -> list[int]:
    """The gaps to the four sides of the board."""
    xs, ys = zip(*part.points, strict=True)
    ends = (min(xs), min(ys), SIDE - max(xs), SIDE - max(ys))
    return [end - part.radius for end in ends]
