"""Poses of a ruler that touches two bases, found by turning it and sliding it, without the algebra of section 4.6.

For each of many angles the ruler is slid around the first base in small steps; wherever it passes from overlapping the
second base to not touching it or back, the step is halved until it touches.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.cext.geometry.oracle import SIDE, Shape
from tests.cext.geometry.oracle_ruler import Size

Array = NDArray[np.float64]


def rim(ruler: Size, r: float, s: Array) -> Array:
    """Points of the rim of the ruler rounded by r, in its frame, for s in [0, 1)."""
    h, w = ruler.h, ruler.w
    lengths = np.array([2 * h, r * np.pi / 2, 2 * w, r * np.pi / 2] * 2)
    ends = np.cumsum(lengths)
    at = s * ends[-1]
    piece = np.minimum(np.searchsorted(ends, at, side="right"), 7)
    along = (at - (ends - lengths)[piece]) / lengths[piece]
    # From the lower left corner to the right; each straight stretch is followed by the arc at its end.
    corners = np.array([(-h, -w), (h, -w), (h, w), (-h, w)])
    normals = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
    side, straight = piece // 2, piece % 2 == 0
    start, end = corners[side], corners[(side + 1) % 4]
    angle = np.pi / 2 * (side - 1) + np.where(straight, 0, along * np.pi / 2)
    flat = start + along[:, None] * (end - start) + r * normals[side]
    arc = end + r * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.where(straight[:, None], flat, arc)


def offset(ruler: Size, points: Array) -> Array:
    """Signed distances of points from the ruler, in its frame."""
    outside = np.abs(points) - np.array([ruler.h, ruler.w])
    return np.hypot(*np.maximum(outside, 0).T) + np.minimum(outside.max(axis=1), 0)


def touching_poses(
    a: tuple[int, int], b: tuple[int, int], r: float, ruler: Size, angles: Array, steps: int = 240
) -> Array:
    """Rows of centre, long axis, short axis: the ruler touches a base of radius r at a and at b."""
    axes = np.stack([np.cos(angles), np.sin(angles), -np.sin(angles), np.cos(angles)], axis=1)
    vector = np.array(b, float) - np.array(a, float)
    delta = np.stack([axes[:, :2] @ vector, axes[:, 2:] @ vector], axis=1)
    grid = np.linspace(0, 1, steps + 1)

    def miss(s: Array, which: NDArray[np.int64]) -> Array:
        return offset(ruler, rim(ruler, r, s % 1) + delta[which]) - r

    which = np.repeat(np.arange(len(angles)), steps + 1)
    values = miss(np.tile(grid, len(angles)), which).reshape(len(angles), steps + 1)
    rows, columns = np.nonzero(np.sign(values[:, :-1]) * np.sign(values[:, 1:]) < 0)
    low, high = grid[columns], grid[columns + 1]
    sign = np.sign(values[rows, columns])
    for _ in range(60):
        middle = (low + high) / 2
        before = np.sign(miss(middle, rows)) == sign
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    p = rim(ruler, r, low % 1)
    u, n = axes[rows, :2], axes[rows, 2:]
    centres = np.array(a, float) - p[:, :1] * u - p[:, 1:] * n
    return np.concatenate([centres, u, n], axis=1)


def depths(poses: Array, ruler: Size, obstacles: Sequence[Shape]) -> Array:
    """How far each of the rulers bites into an obstacle or the edge of the board."""
    q, u, n = poses[:, :2], poses[:, 2:4], poses[:, 4:]
    extent = ruler.h * np.abs(u) + ruler.w * np.abs(n)
    worst = np.maximum(extent - q, q + extent - SIDE).max(axis=1)
    for shape in obstacles:
        away = np.array(shape.points, float)[None] - q[:, None]
        local = np.stack([np.einsum("kij,kj->ki", away, u), np.einsum("kij,kj->ki", away, n)], axis=2)
        if len(shape.points) == 1:
            worst = np.maximum(worst, shape.radius - offset(ruler, local[:, 0]))
            continue
        sizes = np.array([ruler.h, ruler.w])
        overlap = np.minimum(sizes - local.min(axis=1), sizes + local.max(axis=1)).min(axis=1)
        corners = np.array(shape.points, float)
        edges = np.roll(corners, -1, axis=0) - corners
        normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / np.hypot(*edges.T)[:, None]
        for corner, normal in zip(corners, normals, strict=True):
            reach = ruler.h * np.abs(u @ normal) + ruler.w * np.abs(n @ normal)
            overlap = np.minimum(overlap, (corner - q) @ normal + reach)
        worst = np.maximum(worst, overlap)
    return worst
