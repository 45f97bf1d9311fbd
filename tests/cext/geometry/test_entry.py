"""Entering from a deployment line: against poses found by turning the ruler, and the properties of section 4.11."""

from __future__ import annotations

from math import hypot, pi
from random import Random

import numpy as np
import pytest

from cext.geometry import Piece, Ruler
from tests.cext.geometry.boards import LARGE, MEDIUM, SIDE, SMALL, SYMMETRIES, Scene, random_pieces, scene, unpacked
from tests.cext.geometry.oracle_ruler import Pose, Size, depth
from tests.cext.geometry.poses import Array, depths, offset

NORTH, EAST, SOUTH, WEST = range(4)
# The symmetry of the board that takes the south edge to each edge.
FROM_SOUTH = {NORTH: SYMMETRIES[2], EAST: SYMMETRIES[5], SOUTH: SYMMETRIES[0], WEST: SYMMETRIES[4]}


def entry_poses(place: tuple[int, int], r: float, ruler: Size, angles: Array) -> Array:
    """Rulers on the line y = 0 that touch a base: each is slid along the line until it does."""
    u = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    n = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    height = ruler.h * np.abs(u[:, 1]) + ruler.w * np.abs(n[:, 1])
    base = 127 * np.array(place, float)
    far = 2 * hypot(ruler.h, ruler.w) + r + 1
    grid = np.linspace(-far, far, 241)

    def miss(x: Array, rows: Array) -> Array:
        away = base - np.stack([base[0] + x, height[rows]], axis=1)
        local = np.stack([(away * u[rows]).sum(axis=1), (away * n[rows]).sum(axis=1)], axis=1)
        return offset(ruler, local) - r

    every = np.repeat(np.arange(len(angles)), len(grid))
    values = miss(np.tile(grid, len(angles)), every).reshape(len(angles), len(grid))
    rows, columns = np.nonzero(np.sign(values[:, :-1]) * np.sign(values[:, 1:]) < 0)
    low, high, sign = grid[columns], grid[columns + 1], np.sign(values[rows, columns])
    for _ in range(250):
        middle = (low + high) / 2
        before = np.sign(miss(middle, rows)) == sign
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    centres = np.stack([base[0] + low, height[rows]], axis=1)
    return np.concatenate([centres, u[rows], n[rows]], axis=1)


def shore(rng: Random, pieces: int, discs: int) -> Scene:
    """Pieces and figures crowded along the south edge."""
    made = random_pieces(rng, pieces, size=60, apart=5)
    low = [piece for piece in made if min(y for _, y in piece.corners) < 600]
    crowd = scene(pieces=low)
    table = crowd.table()
    while len(crowd.discs) < discs:
        x, y, radius = rng.randint(0, SIDE), rng.randint(0, 450), rng.choice((SMALL, MEDIUM, LARGE))
        if table.spot_free(x, y, radius):
            table.put(len(crowd.discs), x, y, radius)
            crowd.discs[len(crowd.discs)] = x, y, radius
    return crowd


@pytest.mark.rule("OLO-ENTER-02", "OLO-GEO-70")
@pytest.mark.parametrize("seed", range(2))
def test_entry_is_accepted_exactly_if_a_free_pose_exists(seed: int) -> None:
    rng = Random(seed)
    angles = np.random.default_rng(seed).uniform(0, pi, 60)
    yes = no = found = 0
    for _ in range(10):
        crowd = shore(rng, 25, 12)
        length, width = rng.choice([(300, 80), (300, 80), (100, 80), (60, 200)])
        ruler, table = Size.of(length, width), crowd.table(move_ruler=Ruler(length, width))
        for _ in range(250):
            place, radius = (rng.randint(0, SIDE), rng.randint(150, 420)), rng.choice((SMALL, MEDIUM, LARGE))
            if not table.spot_free(*place, radius):
                continue
            pose = table.enter(SOUTH, radius).pose(*place)
            obstacles = crowd.obstacles(-1)
            if pose is None:
                no += 1
                assert not (depths(entry_poses(place, radius, ruler, angles), ruler, obstacles) <= 0).any()
                continue
            yes += 1
            way, (x, y, ux, uy) = pose
            assert way == "move"
            away = 127 * place[0] - x, 127 * place[1] - y
            ax, ay = abs(away[0] * ux + away[1] * uy) - ruler.h, abs(-away[0] * uy + away[1] * ux) - ruler.w
            assert hypot(max(ax, 0), max(ay, 0)) == pytest.approx(radius, abs=1e-3)
            assert y == pytest.approx(ruler.h * abs(uy) + ruler.w * abs(ux), abs=1e-6), "it touches the line"
            assert depth(Pose((x, y), (ux, uy), (-uy, ux)), ruler, obstacles) <= 12.7 + 1e-6
            if yes % 4 == 0:
                found += (depths(entry_poses(place, radius, ruler, angles), ruler, obstacles) <= 0).any()
    assert no > 20
    assert found > 0.6 * (yes // 4) > 0


@pytest.mark.rule("OLO-ENTER-02", "OLO-GEO-70")
def test_entry_is_symmetric_over_the_edges() -> None:
    rng = Random(3)
    for _ in range(8):
        crowd = shore(rng, 20, 8)
        radius = rng.choice((SMALL, MEDIUM, LARGE))
        south = list(unpacked(crowd.table().enter(SOUTH, radius).places(50)))
        assert south
        for edge, symmetry in FROM_SOUTH.items():
            enter = crowd.mapped(symmetry).table().enter(edge, radius)
            assert set(unpacked(enter.places(50))) == {symmetry(*place) for place in south}
            for _ in range(100):
                place = rng.randint(0, SIDE), rng.randint(0, 420)
                assert enter.allows(*symmetry(*place)) is crowd.table().enter(SOUTH, radius).allows(*place)


@pytest.mark.rule("OLO-GEO-70")
@pytest.mark.parametrize("width", [80, 93])
def test_a_base_flush_on_the_ruler(width: int) -> None:
    """A base exactly on top of a ruler that lies along the line, between two posts and under a roof: no other way."""
    # 127 * y = 127 * width + radius: a radius of whole steps.
    radius, y = 127 * 50, width + 50
    posts = [Piece.box(600, 5, 648, 60), Piece.box(952, 5, 1000, 60)]
    roof = [Piece.box(400, width + 1, 749, 400), Piece.box(851, width + 1, 1200, 400)]
    made = scene(pieces=posts + roof)
    assert made.table(move_ruler=Ruler(300, width)).enter(SOUTH, radius).allows(800, y)
    assert not made.table(move_ruler=Ruler(300, width + 1)).enter(SOUTH, radius).allows(800, y)


@pytest.mark.rule("OLO-GEO-70")
def test_a_base_flush_on_an_upright_ruler() -> None:
    """A ruler that stands upright in a slot just as wide, and the base on the middle of its end: no other way."""
    radius, posts = 127 * 50, [Piece.box(300, 5, 760, 290), Piece.box(840, 5, 1300, 290)]
    for edge, symmetry in FROM_SOUTH.items():
        made = scene(pieces=posts).mapped(symmetry)
        assert made.table(move_ruler=Ruler(300, 80)).enter(edge, radius).allows(*symmetry(800, 350))
        assert made.table(move_ruler=Ruler(80, 300)).enter(edge, radius).allows(*symmetry(800, 350))
        for length, width in ((299, 80), (301, 80), (300, 82)):
            ruler = Ruler(length, width)
            assert not made.table(move_ruler=ruler).enter(edge, radius).allows(*symmetry(800, 350)), (length, width)


@pytest.mark.rule("OLO-ENTER-02", "OLO-MOVE-01")
def test_no_entry_through_a_closed_line() -> None:
    wall = [Piece.box(x, 20, x + 190, 40) for x in range(0, 1600, 200)]
    # Between two walls nothing but tokens fits.
    enter = scene(pieces=wall).table().enter(SOUTH, SMALL)
    assert enter.find() is None
    assert len(enter.places(25)) == 0
    assert scene(pieces=wall[1:]).table().enter(SOUTH, SMALL).find() is not None


def test_edges_are_four() -> None:
    for edge in (-1, 4):
        with pytest.raises(ValueError, match="edges are 0 to 3"):
            scene().table().enter(edge, SMALL)
