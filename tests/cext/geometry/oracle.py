"""The exact geometry once more, in plain Python: slow, without filters and short cuts, and by other ways where it can.

It shares no code with the compiled modules; only the convex parts and joints of pieces come from cext.geometry.shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt

STEP = 127
SIDE = 203_200
CONTACT = 254
INCH = 12_700

Point = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """A closed disc (one point) or convex polygon (counter-clockwise), in ticks."""

    points: tuple[Point, ...]
    radius: int = 0


def disc(x: int, y: int, radius: int) -> Shape:
    """A disc with its centre on the lattice."""
    return Shape(((STEP * x, STEP * y),), radius)


def sides(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return zip(points, [*points[1:], points[0]], strict=True)


def cross(a: Point, b: Point, p: Point) -> int:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


# -- distances -------------------------------------------------------------------------------------------------------


def square_to_hull(p: Point, points: Sequence[Point]) -> Fraction:
    """The squared distance of a point from a point or convex polygon; -1 strictly inside."""
    if len(points) > 1 and all(cross(a, b, p) > 0 for a, b in sides(points)):
        return Fraction(-1)
    best = None
    for a, b in sides(points):
        length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
        t = Fraction(0)
        if length:
            t = Fraction((b[0] - a[0]) * (p[0] - a[0]) + (b[1] - a[1]) * (p[1] - a[1]), length)
            t = min(max(t, Fraction(0)), Fraction(1))
        square = (a[0] + t * (b[0] - a[0]) - p[0]) ** 2 + (a[1] + t * (b[1] - a[1]) - p[1]) ** 2
        best = square if best is None else min(best, square)
    assert best is not None
    return best


def compare_gap(one: Shape, other: Shape, distance: int) -> int:
    """The sign of (gap - distance) of a disc and a shape."""
    square = square_to_hull(one.points[0], other.points)
    reach = one.radius + other.radius + distance
    return -1 if square < 0 else (square > reach * reach) - (square < reach * reach)


def compare_roots(one: Fraction, other: Fraction, shift: int) -> int:
    """The sign of sqrt(one) - sqrt(other) - shift, to more and more digits unless it is 0."""
    # It is 0 iff sqrt(other) + shift >= 0 and one - other - shift^2 = 2 shift sqrt(other).
    left, right = one - other - shift * shift, 4 * shift * shift * other
    if left * left == right and (left == 0 or (left > 0) == (shift > 0)) and (shift >= 0 or other >= shift * shift):
        return 0
    digits = 1 << 60
    while True:
        value = root(one, digits) - root(other, digits) - shift * digits
        if abs(value) > 2:
            return (value > 0) - (value < 0)
        digits <<= 60


def root(value: Fraction, scale: int) -> int:
    """floor(scale * sqrt(value))."""
    return isqrt(value.numerator * scale * scale // value.denominator)


# -- sight -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Surd:
    """p sqrt(s) + q for the s of one line."""

    p: Fraction | int
    q: Fraction | int
    s: int

    def __add__(self, other: Surd) -> Surd:
        return Surd(self.p + other.p, self.q + other.q, self.s)

    def __sub__(self, other: Surd) -> Surd:
        return Surd(self.p - other.p, self.q - other.q, self.s)

    def __mul__(self, other: Surd) -> Surd:
        return Surd(self.p * other.q + self.q * other.p, self.p * other.p * self.s + self.q * other.q, self.s)

    def sign(self) -> int:
        p, q = (self.p > 0) - (self.p < 0), (self.q > 0) - (self.q < 0)
        if self.s == 0 or p == 0:
            return q
        if q == 0 or p == q:
            return p
        left, right = self.p * self.p * self.s, self.q * self.q
        return p if left > right else q if right > left else 0


@dataclass(frozen=True)
class Line:
    """A common tangent of the circles (c1, r1), (c2, r2), as in section 4.4."""

    c: Point
    r: int
    w: Point
    e: int
    p: int

    @property
    def d(self) -> int:
        return self.w[0] ** 2 + self.w[1] ** 2

    @property
    def s(self) -> int:
        return self.d - self.e**2

    def f(self, u: Point, shift: int = 0) -> Surd:
        """d times (the signed distance of u + shift)."""
        z = u[0] - self.c[0], u[1] - self.c[1]
        wxz, wz = self.w[0] * z[1] - self.w[1] * z[0], self.w[0] * z[0] + self.w[1] * z[1]
        return Surd(self.p * wxz, self.e * wz + (self.r + shift) * self.d, self.s)

    def g(self, u: Point) -> Surd:
        """d times the coordinate of u along the line."""
        z = u[0] - self.c[0], u[1] - self.c[1]
        wxz, wz = self.w[0] * z[1] - self.w[1] * z[0], self.w[0] * z[0] + self.w[1] * z[1]
        return Surd(-self.p * wz, self.e * wxz, self.s)

    def meets(self, shape: Shape, closed: bool) -> bool:
        """Whether it meets the closed shape, or its inside."""
        low, high = (0, 0) if closed else (-1, 1)
        if shape.radius or len(shape.points) == 1:
            below = self.f(shape.points[0], -shape.radius).sign()
            above = self.f(shape.points[0], shape.radius).sign()
            return below <= low and above >= high
        signs = [self.f(point).sign() for point in shape.points]
        return min(signs) <= low and max(signs) >= high

    def stretch(self, shape: Shape) -> list[tuple[Surd, Surd]]:
        """Points of a shape that the line meets: numerators and positive denominators of their places along it."""
        one = Surd(0, 1, self.s)
        if shape.radius or len(shape.points) == 1:
            return [(self.g(shape.points[0]), one)]
        found = []
        for a, b in sides(shape.points):
            fa, fb = self.f(a), self.f(b)
            if fa.sign() == 0:
                found.append((self.g(a), one))
            elif fa.sign() * fb.sign() < 0:
                top, bottom = self.g(a) * fb - self.g(b) * fa, fb - fa
                if bottom.sign() < 0:
                    top, bottom = Surd(-top.p, -top.q, self.s), Surd(-bottom.p, -bottom.q, self.s)
                found.append((top, bottom))
        return found


def less(one: tuple[Surd, Surd], other: tuple[Surd, Surd]) -> bool:
    return (one[0] * other[1] - other[0] * one[1]).sign() < 0


def tangents(shapes: Iterable[Shape]) -> Iterator[Line]:
    """All common tangents of two features: discs, and corners of polygons."""
    features = [(point, shape.radius) for shape in shapes for point in shape.points]
    for (c1, r1), (c2, r2) in combinations(features, 2):
        w = c2[0] - c1[0], c2[1] - c1[1]
        for side in (1, -1):
            for p in (1, -1):
                line = Line(c1, r1, w, side * r2 - r1, p)
                if line.d > 0 and line.s >= 0:
                    yield line


def sees(viewer: Shape, target: Shape, blockers: Sequence[Shape]) -> bool:
    """Whether some line meets both and no open blocker between them."""
    if compare_gap(viewer, target, 0) <= 0:
        return True
    for line in tangents([viewer, target, *blockers]):
        if not (line.meets(viewer, True) and line.meets(target, True)):
            continue
        # On the line the three are disjoint but for end points, so where some point lies tells the order.
        start, end = line.stretch(viewer)[0], line.stretch(target)[0]
        if less(end, start):
            start, end = end, start
        if not any(
            line.meets(blocker, False)
            and any(less(start, point) for point in line.stretch(blocker))
            and any(less(point, end) for point in line.stretch(blocker))
            for blocker in blockers
        ):
            return True
    return False
