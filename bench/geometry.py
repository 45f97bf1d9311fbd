"""Speed of the geometry of a skirmish board, called from Python, compared with Shapely.

Each board has 8 rotated boxes, all obstructing, and 12 discs. A figure is the mean time of a query in the fastest of
several runs, so that other work on the machine matters little. Shapely is used in the way that is fastest for it: the
obstacles are one prepared geometry, segments or rulers are passed as arrays, and cheap tests come first. Its answers
are approximations.

Run with ``python -m bench.geometry``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot
from random import Random
from time import perf_counter

import numpy as np
import shapely

from bench import report
from bench.report import Row
from cext.geometry import Board, Piece, Ruler, Table, compare_gap, turned

BOARDS, BOXES, DISCS = 40, 8, 12
RADII = (7500, 7500, 10_000, 12_500)
MOVE = Ruler(300, 80)
HALF_LENGTH, HALF_WIDTH = 19_050, 5_080
SLOWER = 50


@dataclass
class BenchBoard:
    """A board, and its boxes as geometries of Shapely, in ticks."""

    table: Table
    boxes: list[shapely.Geometry]
    union: shapely.Geometry

    def obstacles(self, mover: int) -> shapely.Geometry:
        discs = [
            shapely.Point(127 * x, 127 * y).buffer(r)
            for x, y, r in (self.table.place(other) for other in range(DISCS) if other != mover)
        ]
        outside = shapely.box(-(10**6), -(10**6), 10**6, 10**6) - shapely.box(0, 0, 203_200, 203_200)
        whole = shapely.union_all([*self.boxes, *discs, outside])
        shapely.prepare(whole)
        return whole


def random_board(rng: Random) -> BenchBoard:
    """Returns a random board."""
    pieces: list[Piece] = []
    while len(pieces) < BOXES:
        a, b = rng.randint(40, 120), rng.randint(40, 120)
        outline = [(-a, -b), (a, -b), (a, b), (-a, b)]
        corners = turned(outline, rng.randrange(16), rng.randint(180, 1420), rng.randint(180, 1420))
        if all(0 <= value <= 1600 for corner in corners for value in corner):
            piece = Piece.polygon(corners)
            part = piece.parts()[0]
            if all(compare_gap(part, other.parts()[0], 127 * 30) >= 0 for other in pieces):
                pieces.append(piece)
    table = Table(Board(pieces))
    for element in range(DISCS):
        while not table.present >> element & 1:
            x, y, radius = rng.randint(60, 1540), rng.randint(60, 1540), rng.choice(RADII)
            if table.spot_free(x, y, radius):
                table.put(element, x, y, radius)
    boxes = [shapely.Polygon([(127 * x, 127 * y) for x, y in piece.corners]) for piece in pieces]
    union = shapely.union_all(boxes)
    shapely.prepare(union)
    return BenchBoard(table, boxes, union)


def mean(queries: Sequence[object], run: Callable[[], object], runs: int) -> float:
    """Returns the mean microseconds of a query in the fastest of several runs of all of them."""
    best = float("inf")
    for _ in range(runs):
        start = perf_counter()
        run()
        best = min(best, perf_counter() - start)
    return best / len(queries) * 1e6


# -- the queries, for Shapely ----------------------------------------------------------------------------------------


def rim(x: float, y: float, radius: float, count: int) -> np.ndarray:
    angles = np.arange(count) * (2 * np.pi / count)
    return np.array([127 * x, 127 * y]) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def shapely_sight(board: BenchBoard, one: int, other: int) -> bool:
    """Returns whether a segment between the centres, or between 24 x 24 points of the rims, cuts no box."""
    first, second = board.table.place(one), board.table.place(other)
    centres = shapely.linestrings([[(127 * first[0], 127 * first[1]), (127 * second[0], 127 * second[1])]])
    if not shapely.intersects(board.union, centres)[0]:
        return True
    ends = np.empty((24, 24, 2, 2))
    ends[:, :, 0], ends[:, :, 1] = rim(*first, 24)[:, None], rim(*second, 24)[None]
    return not shapely.intersects(board.union, shapely.linestrings(ends.reshape(-1, 2, 2))).all()


ANGLES = np.arange(48) * (np.pi / 48)
AXES = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
ACROSS = np.stack([-AXES[:, 1], AXES[:, 0]], axis=1)
CORNERS = np.array(
    [(-HALF_LENGTH, -HALF_WIDTH), (HALF_LENGTH, -HALF_WIDTH), (HALF_LENGTH, HALF_WIDTH), (-HALF_LENGTH, HALF_WIDTH)]
)


def contact_rings(radius: int) -> np.ndarray:
    """Returns for each angle the ring of all centres of a ruler that touches a base in the origin."""
    rings = []
    for axis, across in zip(AXES, ACROSS, strict=True):
        outline = shapely.Polygon([x * axis + y * across for x, y in CORNERS])
        rings.append(shapely.buffer(outline, radius, quad_segs=16).exterior)
    return np.array(rings, dtype=object)


CONTACT_RINGS = {radius: contact_rings(radius) for radius in set(RADII)}


def shapely_reach(obstacles: shapely.Geometry, place: tuple[int, int, int], x: int, y: int) -> bool:
    """Returns whether a ruler at one of 48 angles that touches both bases lies on no obstacle."""
    rings = CONTACT_RINGS[place[2]]
    start = shapely.transform(rings, lambda points: np.add(points, (127 * place[0], 127 * place[1])))
    end = shapely.transform(rings, lambda points: np.add(points, (127 * x, 127 * y)))
    centres, owners = shapely.get_coordinates(shapely.intersection(start, end), return_index=True)
    if not len(centres):
        return False
    u, n = AXES[owners] * HALF_LENGTH, ACROSS[owners] * HALF_WIDTH
    rulers = shapely.polygons(np.stack([centres - u - n, centres + u - n, centres + u + n, centres - u + n], axis=1))
    return not shapely.intersects(obstacles, rulers).all()


def shapely_list(board: BenchBoard, obstacles: shapely.Geometry, mover: int, step: int) -> list[tuple[int, int]]:
    """Returns the free points of the lattice that the base can reach along one of these rulers."""
    x, y, radius = place = board.table.place(mover)
    far = int(hypot(300, 80) + 2 * radius / 127)
    found = []
    for to_x in range((x - far) // step * step, x + far + 1, step):
        for to_y in range((y - far) // step * step, y + far + 1, step):
            distance = hypot(to_x - x, to_y - y)
            if distance > far or obstacles.distance(shapely.Point(127 * to_x, 127 * to_y)) < radius:
                continue
            if 127 * distance <= 2 * radius or shapely_reach(obstacles, place, to_x, to_y):
                found.append((to_x, to_y))
    return found


# -- the figures -----------------------------------------------------------------------------------------------------


def row(name: str, figure: float, target: float, unit: str, peer: float) -> list[Row]:
    """Returns rows with the figure and its target, the figure of Shapely, and the factor by which Shapely is slower."""
    times = peer / figure
    return [
        Row(name, figure, unit, f"<= {target:g}", figure <= target),
        Row(f"{name}: Shapely", peer, unit),
        Row(f"{name}: times faster", times, "x", f">= {SLOWER}", times >= SLOWER),
    ]


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    rng = Random(1)
    boards = [random_board(rng) for _ in range(BOARDS)]
    result = []

    pairs = [(board, one, other) for board in boards for one in range(DISCS) for other in range(DISCS) if one != other]
    ours = mean(pairs, lambda: [board.table.sight(one, other) for board, one, other in pairs], 15)
    few = rng.sample(pairs, 400)
    theirs = mean(few, lambda: [shapely_sight(*pair) for pair in few], 3)
    result += row("line of sight", ours, 3, "us", theirs)

    questions = []
    for board in boards:
        for mover in range(DISCS):
            x, y, radius = board.table.place(mover)
            far = hypot(300, 80) + 2 * radius / 127
            for _ in range(20):
                to_x, to_y = x + rng.randint(-430, 430), y + rng.randint(-430, 430)
                in_range = 0 < hypot(to_x - x, to_y - y) < far and 0 <= to_x <= 1600 and 0 <= to_y <= 1600
                if in_range and board.table.spot_free(to_x, to_y, radius, mover):
                    questions.append((board, mover, to_x, to_y))
    for name, verdict, target in (("reach, accepted", True, 2.0), ("reach, refused", False, 12.0)):
        mine = [question for question in questions if question[0].table.reach(*question[1:], MOVE) is verdict]
        ours = mean(mine, lambda mine=mine: [board.table.reach(*rest, MOVE) for board, *rest in mine], 15)  # type: ignore[misc]
        asked = [
            (board.obstacles(mover), board.table.place(mover), x, y)
            for board, mover, x, y in rng.sample(mine, min(len(mine), 100))
        ]
        theirs = mean(asked, lambda asked=asked: [shapely_reach(*question) for question in asked], 3)  # type: ignore[misc]
        result += row(name, ours, target, "us", theirs)

    movers = [(board, mover) for board in boards for mover in range(DISCS)]
    one_of = rng.sample(movers, 4)
    for step, target in ((50, 0.3), (25, 1.2)):
        ours = mean(movers, lambda step=step: [board.table.move(mover).places(step) for board, mover in movers], 9)  # type: ignore[misc]
        fields = [(board, board.obstacles(mover), mover) for board, mover in one_of]
        theirs = mean(fields, lambda step=step, fields=fields: [shapely_list(*field, step) for field in fields], 1)  # type: ignore[misc, call-arg]
        result += row(f"destinations at {step / 100:g} inch", ours / 1000, target, "ms", theirs / 1000)
    return result


if __name__ == "__main__":
    report.main(rows)
