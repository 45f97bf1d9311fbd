"""The ruler once more, in plain Python: sections 4.6 and 4.7 of the rules as they stand, without regard to speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, sqrt

from tests.cext.geometry.oracle import SIDE, STEP, Shape, sides

EPSILON = 12.7
ROUNDING = 1e-9

Vector = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """Centre and axes of a ruler."""

    q: Vector
    u: Vector
    n: Vector


@dataclass(frozen=True)
class Size:
    """Half length and half width of a ruler in ticks."""

    h: float
    w: float

    @classmethod
    def of(cls, length: int, width: int) -> Size:
        """From sides in 1/100 inch."""
        return cls(length * STEP / 2, width * STEP / 2)


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1]


def depth(pose: Pose, ruler: Size, obstacles: Sequence[Shape]) -> float:
    """Depth by which the ruler overlaps the edge of the board or an obstacle; below 0 if it is free."""
    depths = []
    for axis in ((1.0, 0.0), (0.0, 1.0)):
        extent = ruler.h * abs(dot(pose.u, axis)) + ruler.w * abs(dot(pose.n, axis))
        depths += [extent - dot(pose.q, axis), dot(pose.q, axis) + extent - SIDE]
    for shape in obstacles:
        local = [
            (dot((x - pose.q[0], y - pose.q[1]), pose.u), dot((x - pose.q[0], y - pose.q[1]), pose.n))
            for x, y in shape.points
        ]
        if len(local) == 1:
            ax, ay = abs(local[0][0]) - ruler.h, abs(local[0][1]) - ruler.w
            distance = hypot(ax, ay) if ax > 0 and ay > 0 else max(ax, ay)
            depths.append(shape.radius - distance)
            continue
        xs, ys = zip(*local, strict=True)
        overlaps = [ruler.h - min(xs), ruler.h + max(xs), ruler.w - min(ys), ruler.w + max(ys)]
        for a, b in sides(shape.points):
            length = hypot(b[0] - a[0], b[1] - a[1])
            normal = (b[1] - a[1]) / length, (a[0] - b[0]) / length
            extent = ruler.h * abs(dot(normal, pose.u)) + ruler.w * abs(dot(normal, pose.n))
            overlaps.append(dot((a[0] - pose.q[0], a[1] - pose.q[1]), normal) + extent)
        depths.append(min(overlaps))
    return max(depths)


# -- the loop of poses -----------------------------------------------------------------------------------------------


def corner_pair(ruler: Size, r: float, delta: Vector, c1: Vector, c2: Vector) -> Vector | None:
    x, y = delta[0] - (c2[0] - c1[0]), delta[1] - (c2[1] - c1[1])
    size = hypot(x, y)
    if size > 2 * r * (1 + ROUNDING):
        return None
    m = (y / size, -x / size) if size else (0.0, -1.0)
    kappa = sqrt(max(0.0, 1 - size * size / (4 * r * r)))
    e1 = -x / (2 * r) + kappa * m[0], -y / (2 * r) + kappa * m[1]
    e2 = x / (2 * r) + kappa * m[0], y / (2 * r) + kappa * m[1]
    for e, c in ((e1, c1), (e2, c2)):
        if e[0] * c[0] < -ROUNDING * abs(c[0]) or e[1] * c[1] < -ROUNDING * abs(c[1]):
            return None
    return c1[0] + r * e1[0], c1[1] + r * e1[1]


def chord(ruler: Size, r: float, x: float, y: float) -> Vector | None:
    """The start p of the lower right chord of S with the vector (x, y): the table of section 4.6."""
    h, w = ruler.h, ruler.w
    small = r * ROUNDING
    if y <= r:
        k = sqrt(max(0.0, y * (2 * r - y)))
    elif y <= 2 * w + r:
        k = r
    else:
        k = sqrt(max(0.0, r * r - (y - 2 * w - r) ** 2))
    px = h + k - x
    if -h - small <= px <= h + small:
        return px, -(w + r)
    bottom_left, bottom_right, top_right = (-h, -w), (h, -w), (h, w)
    start = bottom_right
    if px > h:
        if x <= r:
            py = -w - sqrt(max(0.0, x * (2 * r - x)))
            if -w - small <= py + y <= w + small:
                return h + r - x, py
    else:
        start = bottom_left
        k = (2 * h + r - x) / r
        if -1 - ROUNDING <= k <= ROUNDING:
            py = -w - r * sqrt(max(0.0, 1 - k * k))
            if -w - small <= py + y <= w + small:
                return -h + r * k, py
    return corner_pair(ruler, r, (x, y), start, bottom_right) or corner_pair(ruler, r, (x, y), start, top_right)


@dataclass(frozen=True)
class Loop:
    """All poses of a ruler that touch a base of radius r at a and at b."""

    ruler: Size
    r: float
    a: Vector
    b: Vector

    @property
    def d(self) -> float:
        return hypot(self.b[0] - self.a[0], self.b[1] - self.a[1])

    def pose(self, x: float, y: float, p: Vector, mirrored: bool, upper: bool) -> Pose:
        e = (self.b[0] - self.a[0]) / self.d, (self.b[1] - self.a[1]) / self.d
        cosine, sine = x / self.d, y / self.d
        turn = (e[1], -e[0]) if mirrored else (-e[1], e[0])
        u = cosine * e[0] + sine * turn[0], cosine * e[1] + sine * turn[1]
        n = sine * e[0] - cosine * turn[0], sine * e[1] - cosine * turn[1]
        if upper:
            p = -(p[0] + x), -(p[1] + y)
        return Pose((self.a[0] - p[0] * u[0] - p[1] * n[0], self.a[1] - p[0] * u[1] - p[1] * n[1]), u, n)

    def slides(self) -> Iterator[tuple[Vector, Vector, Vector]]:
        """delta, and p from .. to."""
        h, w, r, d = self.ruler.h, self.ruler.w, self.r, self.d
        if d <= 2 * h:
            yield (d, 0.0), (-h, -(w + r)), (h - d, -(w + r))
        if d <= 2 * w:
            yield (0.0, d), (h + r, -w), (h + r, w - d)
        if d >= 2 * (w + r) and (x := sqrt(d * d - 4 * (w + r) ** 2)) <= 2 * h:
            yield (x, 2 * (w + r)), (-h, -(w + r)), (h - x, -(w + r))
        if d >= 2 * (h + r) and (y := sqrt(d * d - 4 * (h + r) ** 2)) <= 2 * w:
            yield (2 * (h + r), y), (-(h + r), -w), (-(h + r), w - y)

    def interval(self) -> tuple[float, float]:
        """The range of t = tan(phi / 2)."""
        h, w, r, d = self.ruler.h, self.ruler.w, self.r, self.d
        m = 2 * hypot(h, w)
        gamma = min(1.0, (d * d + m * m - 4 * r * r) / (2 * d * m))
        across = sqrt(max(0.0, 1 - gamma * gamma))
        low, high = 0.0, 1.0
        if d > 2 * (h + r):
            cosine = 2 * (h + r) / d
            sine = sqrt(1 - cosine * cosine)
            if d * sine > 2 * w:
                cosine, sine = (2 * h * gamma + 2 * w * across) / m, (2 * w * gamma - 2 * h * across) / m
            low = sine / (1 + cosine)
        if d > 2 * (w + r):
            sine = 2 * (w + r) / d
            cosine = sqrt(1 - sine * sine)
            if d * cosine > 2 * h:
                cosine, sine = (2 * h * gamma - 2 * w * across) / m, (2 * w * gamma + 2 * h * across) / m
            high = sine / (1 + cosine)
        return low, high

    def curve(self, mirrored: bool, upper: bool) -> Callable[[float], Pose | None]:
        def at(t: float) -> Pose | None:
            x, y = self.d * (1 - t * t) / (1 + t * t), self.d * 2 * t / (1 + t * t)
            p = chord(self.ruler, self.r, x, y)
            return None if p is None else self.pose(x, y, p, mirrored, upper)

        return at


def explore(
    at: Callable[[float], Pose | None],
    low: float,
    high: float,
    nodes: int,
    ruler: Size,
    overlap: Callable[[Pose], float],
) -> Pose | None:
    """Branch and bound on one curve."""

    def value(t: float) -> tuple[float, Pose, float]:
        pose = at(t)
        assert pose is not None, "a curve has a pose everywhere"
        return t, pose, overlap(pose)

    row = [value(low + (high - low) * k / nodes) for k in range(nodes + 1)]
    for _, pose, v in row:
        if v <= EPSILON:
            return pose
    pairs = list(pairwise(row))
    while pairs:
        (t1, pose1, v1), (t2, pose2, v2) = pairs.pop()
        span = hypot(pose2.q[0] - pose1.q[0], pose2.q[1] - pose1.q[1])
        if v1 + v2 > (reach := 1.5 * (span + 2 * hypot(ruler.h, ruler.w) * (t2 - t1))) or reach <= 2 * EPSILON:
            continue
        middle = value((t1 + t2) / 2)
        if middle[2] <= EPSILON:
            return middle[1]
        pairs += [((t1, pose1, v1), middle), (middle, (t2, pose2, v2))]
    return None


def reaches(a: tuple[int, int], b: tuple[int, int], r: int, ruler: Size, obstacles: Sequence[Shape]) -> Pose | None:
    """A pose by which a base gets from a to b (ticks), if there is one."""
    loop = Loop(ruler, r, a, b)
    if loop.d > 2 * hypot(ruler.h, ruler.w) + 2 * r:
        return None
    for delta, start, end in loop.slides():
        for mirrored in (False, True):
            length, at = hypot(end[0] - start[0], end[1] - start[1]), 0.0
            while at <= length:
                share = at / length if length else 0.0
                p = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
                pose = loop.pose(*delta, p, mirrored, False)
                overlap = depth(pose, ruler, obstacles)
                if overlap <= EPSILON:
                    return pose
                at += overlap
    low, high = loop.interval()
    for mirrored in (False, True):
        for upper in (False, True):
            pose = explore(
                loop.curve(mirrored, upper), low, high, 16, ruler, lambda pose: depth(pose, ruler, obstacles)
            )
            if pose is not None:
                return pose
    return None
