"""Moves along a ruler: the oracle, poses found by turning and sliding, the properties 5 to 9 and 12 of section 4.11."""

from __future__ import annotations

import hashlib
from math import hypot, isqrt, tau
from random import Random

import numpy as np
import pytest

from cext.geometry import Piece, Ruler
from tests.cext.geometry.boards import LARGE, MEDIUM, RADII, SIDE, SMALL, Scene, random_scene, scene
from tests.cext.geometry.oracle_ruler import Loop, Pose, Size, chord, depth, reaches
from tests.cext.geometry.poses import depths, touching_poses

MOVE, PUSH = Ruler(300, 80), Ruler(100, 80)
SHAPES = [(300, 80), (300, 80), (100, 80), (100, 25), (25, 100), (60, 400), (800, 25), (210, 210)]

Place = tuple[int, int]


def candidate(rng: Random, scene: Scene, element: int, ruler: tuple[int, int]) -> Place | None:
    """A free place in range of a figure."""
    x, y, radius = scene.discs[element]
    reach = hypot(*ruler) + 2 * radius / 127
    table = scene.table()
    for _ in range(30):
        to_x, to_y = x + round(rng.uniform(-reach, reach)), y + round(rng.uniform(-reach, reach))
        on_board = 0 <= to_x <= SIDE and 0 <= to_y <= SIDE
        if on_board and 0 < hypot(to_x - x, to_y - y) < reach and table.spot_free(to_x, to_y, radius, element):
            return to_x, to_y
    return None


def crowded(rng: Random) -> Scene:
    return random_scene(rng, rng.randint(2, 9), 12, size=120)


def ticks(x: int, y: int) -> Place:
    return 127 * x, 127 * y


@pytest.mark.rule("OLO-MOVE-02", "OLO-MOVE-03", "OLO-MOVE-08", "OLO-GEO-06")
@pytest.mark.parametrize("seed", range(4))
def test_verdicts_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    verdicts = []
    for _ in range(25):
        scene = crowded(rng)
        table = scene.table()
        for element in range(4):
            ruler = rng.choice(SHAPES)
            if (place := candidate(rng, scene, element, ruler)) is not None:
                x, y, radius = scene.discs[element]
                pose = reaches(ticks(x, y), ticks(*place), radius, Size.of(*ruler), scene.obstacles(element))
                assert table.reach(element, *place, Ruler(*ruler)) is (pose is not None)
                verdicts.append(pose is not None)
    assert 5 < sum(verdicts) < len(verdicts)


@pytest.mark.rule("OLO-MOVE-01", "OLO-MOVE-02")
@pytest.mark.parametrize("seed", range(3))
def test_pose_of_an_accepted_move_is_free_and_touches_both_bases(seed: int) -> None:
    """It touches both bases and overlaps nothing by more than a thousandth of an inch."""
    rng = Random(seed)
    checked = 0
    for _ in range(40):
        scene = crowded(rng)
        length, width = rng.choice(SHAPES)
        table = scene.table(push_ruler=Ruler(length, width))
        for element in range(6):
            place = candidate(rng, scene, element, (length, width))
            found = table.push(element).pose(*place) if place else None
            if place is None or found is None:
                continue
            way, (x, y, ux, uy) = found
            assert way == "push"
            pose, ruler, radius = Pose((x, y), (ux, uy), (-uy, ux)), Size.of(length, width), scene.discs[element][2]
            assert hypot(ux, uy) == pytest.approx(1, abs=1e-12)
            for base in (scene.discs[element][:2], place):
                away = 127 * base[0] - x, 127 * base[1] - y
                ax, ay = abs(away[0] * ux + away[1] * uy) - ruler.h, abs(-away[0] * uy + away[1] * ux) - ruler.w
                assert hypot(max(ax, 0), max(ay, 0)) == pytest.approx(radius, abs=1e-3)
            assert depth(pose, ruler, scene.obstacles(element)) <= 12.7 + 1e-6
            checked += 1
    assert checked > 50


@pytest.mark.rule("OLO-MOVE-02", "OLO-MOVE-03")
@pytest.mark.parametrize("seed", range(2))
def test_no_free_pose_is_missed(seed: int) -> None:
    """What turning and sliding finds, reach finds."""
    rng = Random(seed)
    turns = np.random.default_rng(seed)
    refused, accepted, found = 0, 0, 0
    for _ in range(40):
        scene = random_scene(rng, rng.randint(5, 9), 14, size=140)
        table = scene.table()
        for element in range(14):
            length, width = rng.choice(SHAPES)
            place = candidate(rng, scene, element, (length, width))
            if place is None:
                continue
            x, y, radius = scene.discs[element]
            size, yes = Size.of(length, width), table.reach(element, *place, Ruler(length, width))
            if yes and rng.random() < 0.9:
                continue
            poses = touching_poses(ticks(x, y), ticks(*place), radius, size, turns.uniform(0, tau, 40))
            free = bool((depths(poses, size, scene.obstacles(element)) <= 0).any())
            assert yes or not free
            refused += not yes
            accepted += yes
            found += free
    assert refused > 20
    assert found > 0.8 * accepted, "the other way looks hard enough to find what there is"


@pytest.mark.rule("OLO-MOVE-02", "OLO-GEO-06")
def test_a_narrow_window_is_found() -> None:
    """A pose is walled in by four markers about a hundredth of an inch from the ruler, and has to be found again."""
    rng, checked = Random(8), 0
    size = Size.of(300, 80)
    while checked < 150:
        radius = rng.choice(RADII)
        a = rng.randint(500, 1100), rng.randint(500, 1100)
        b = a[0] + rng.randint(-420, 420), a[1] + rng.randint(-420, 420)
        if a == b or 127 * hypot(a[0] - b[0], a[1] - b[1]) > 2 * hypot(size.h, size.w) + 2 * radius - 1:
            continue
        loop = Loop(size, radius, ticks(*a), ticks(*b))
        pose = loop.curve(rng.random() < 0.5, rng.random() < 0.5)(rng.uniform(*loop.interval()))
        assert pose is not None
        q, u, n = np.array(pose.q), np.array(pose.u), np.array(pose.n)
        table = scene((*a, radius)).table()
        for marker, (end, side) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1)), start=16):
            middle = q + end * rng.uniform(0.3, 0.95) * size.h * u + side * (size.w + SMALL + 5) * n
            # The nearest lattice point that does not touch the ruler.
            x, y = min(
                ((x, y) for x in range(int(middle[0]) // 127 - 2, int(middle[0]) // 127 + 4)
                 for y in range(int(middle[1]) // 127 - 2, int(middle[1]) // 127 + 4)
                 if abs((127 * x - q[0]) * n[0] + (127 * y - q[1]) * n[1]) >= size.w + SMALL),
                key=lambda point: hypot(127 * point[0] - middle[0], 127 * point[1] - middle[1]),
            )  # fmt: skip
            if table.spot_free(x, y, SMALL):
                table.put(marker, x, y, SMALL)
        if table.spot_free(*b, radius, 0) and table.present.bit_count() == 5:
            assert table.reach(0, *b, MOVE)
            checked += 1


@pytest.mark.rule("OLO-GEO-06")
def test_reach_goes_both_ways() -> None:
    rng = Random(5)
    verdicts = []
    for _ in range(60):
        scene = crowded(rng)
        table = scene.table()
        for element in range(12):
            ruler = rng.choice(SHAPES)
            if (place := candidate(rng, scene, element, ruler)) is not None:
                yes = table.reach(element, *place, Ruler(*ruler))
                there = table.copy()
                there.put(element, *place, scene.discs[element][2])
                assert there.reach(element, *scene.discs[element][:2], Ruler(*ruler)) is yes
                verdicts.append(yes)
    assert 20 < sum(verdicts) < len(verdicts)


@pytest.mark.rule("OLO-MOVE-01", "OLO-MOVE-04")
def test_reach_is_monotone_in_obstacles() -> None:
    rng = Random(6)
    opened = 0
    for _ in range(60):
        scene = crowded(rng)
        table = scene.table()
        other = table.copy()
        other.remove(11)
        fewer = Scene(scene.pieces[1:], scene.discs).table()
        for element in range(11):
            if (place := candidate(rng, scene, element, (300, 80))) is not None:
                yes = table.reach(element, *place, MOVE)
                for less in (other, fewer):
                    assert less.reach(element, *place, MOVE) or not yes
                    opened += less.reach(element, *place, MOVE) and not yes
    assert opened > 0


@pytest.mark.rule("OLO-MOVE-02", "OLO-GEO-71")
@pytest.mark.parametrize("radius", [SMALL, MEDIUM, LARGE])
@pytest.mark.parametrize("shape", [(300, 80), (100, 80), (25, 25), (40, 200)])
def test_all_distances_on_an_empty_board(radius: int, shape: tuple[int, int]) -> None:
    """Reachable iff n <= floor(((M + 2r) / 127)^2), M the ruler's diagonal."""
    table = scene((800, 800, radius)).table()
    ruler = Ruler(*shape)
    # (M + 2r)^2 = M^2 + 4r^2 + 4r sqrt(M^2), and floor(floor(z) / k) = floor(z / k).
    square = 127 * 127 * (shape[0] ** 2 + shape[1] ** 2)
    limit = (square + 4 * radius * radius + isqrt(16 * radius * radius * square)) // (127 * 127)
    far = isqrt(limit) + 2
    for dx in range(0, far + 1, 1 if far < 200 else 3):
        edge = isqrt(max(0, limit - dx * dx))
        for dy in {0, 1, edge // 2, max(0, edge - 1), edge, edge + 1, far}:
            if (dx, dy) != (0, 0):
                assert table.reach(0, 800 + dx, 800 + dy, ruler) is (dx * dx + dy * dy <= limit), (dx, dy)


@pytest.mark.rule("OLO-MOVE-02")
@pytest.mark.parametrize("seed", range(2))
def test_every_chord_has_a_place(seed: int) -> None:
    """The table of contact types: both ends on the rim, for every vector inside 2S."""
    rng = Random(seed)
    for _ in range(20_000):
        ruler, r = Size.of(rng.randint(25, 800), rng.randint(25, 800)), rng.choice((*RADII, rng.randint(500, 25_000)))
        x, y = rng.uniform(0, 2 * (ruler.h + r)), rng.uniform(0, 2 * (ruler.w + r))
        beyond = max(0.0, x - 2 * ruler.h), max(0.0, y - 2 * ruler.w)
        if hypot(*beyond) > 2 * r:
            continue
        p = chord(ruler, r, x, y)
        assert p is not None
        for end in (p, (p[0] + x, p[1] + y)):
            outside = abs(end[0]) - ruler.h, abs(end[1]) - ruler.w
            assert hypot(max(0.0, outside[0]), max(0.0, outside[1])) == pytest.approx(r, abs=1e-3)


@pytest.mark.rule("OLO-MOVE-05", "OLO-PUSH-01", "OLO-MOVE-07")
def test_a_move_is_by_size_or_by_either_ruler() -> None:
    rng = Random(7)
    ways = set()
    for _ in range(40):
        scene = crowded(rng)
        table = scene.table()
        for element in range(8):
            move, push = table.move(element), table.push(element)
            x, y, radius = scene.discs[element]
            assert not move.allows(x, y)
            assert not push.allows(x, y)
            if (place := candidate(rng, scene, element, (300, 80))) is None:
                continue
            by_size = 127**2 * ((place[0] - x) ** 2 + (place[1] - y) ** 2) <= 4 * radius * radius
            by_push, by_move = table.reach(element, *place, PUSH), table.reach(element, *place, MOVE)
            assert move.allows(*place) is (by_size or by_push or by_move)
            assert push.allows(*place) is by_push
            pose = move.pose(*place)
            way = None if pose is None else pose[0]
            assert way == ("base" if by_size else "push" if by_push else "move" if by_move else None)
            ways.add(way)
    assert ways == {None, "base", "push", "move"}


@pytest.mark.rule("OLO-MOVE-08", "OLO-MOVE-06")
def test_the_own_starting_place_is_no_obstacle_to_the_end() -> None:
    table = scene((800, 800)).table()
    assert table.move(0).allows(810, 805)
    assert table.reach(0, 810, 805, MOVE)
    # Nor does what lies between matter: only the ruler's place and the end.
    table = scene((800, 800), (950, 800)).table()
    assert table.reach(0, 1100, 800, MOVE)
    assert not table.reach(0, 950, 800, MOVE), "but the end must be free"


@pytest.mark.rule("OLO-SCEN-02")
def test_a_ruler_may_lie_on_a_zone() -> None:
    across = (600, 300, 800, 1300)
    assert scene((400, 800), pieces=[Piece.box(*across, zone=True)]).table().reach(0, 700, 800, MOVE)
    assert not scene((400, 800), pieces=[Piece.box(*across)]).table().reach(0, 700, 800, MOVE)


@pytest.mark.rule("OLO-MOVE-02")
def test_a_longer_ruler_may_not_fit() -> None:
    cell = [
        Piece.box(600, 600, 1000, 640),
        Piece.box(600, 960, 1000, 1000),
        Piece.box(600, 640, 640, 960),
        Piece.box(960, 640, 1000, 960),
    ]
    table = scene((720, 720), pieces=cell).table()
    assert table.reach(0, 880, 880, PUSH)
    assert not any(table.reach(0, x, 720, Ruler(500, 80)) for x in range(700, 901))


@pytest.mark.rule("OLO-MOVE-02")
def test_ruler_fits_tight_slots_exactly() -> None:
    """A corridor as wide as a base and its ruler side by side, to the last hundredth of an inch."""
    # Base 30 mm = 118.11 steps and ruler 80: 198.11 steps side by side.
    for gap, fits in ((199, True), (198, False)):
        walls = [Piece.box(100, 600, 1500, 740), Piece.box(100, 740 + gap, 1500, 1000)]
        table = scene((500, 740 + 60), pieces=walls).table()
        along = [table.reach(0, 500 + k, 800, Ruler(300, 80)) for k in range(1, 300)]
        assert all(along) if fits else not any(along)


@pytest.mark.rule("OLO-MOVE-09")
def test_markers_move_as_figures_do() -> None:
    scene = random_scene(Random(9), 4, 8)
    table = scene.table()
    marker = scene.table()
    marker.remove(3)
    marker.put(30, *scene.discs[3])
    assert marker.move(30).places(50) == table.move(3).places(50)


@pytest.mark.rule("OLO-GEO-06", "OLO-GEO-07")
def test_verdicts_are_the_same_on_every_machine() -> None:
    """A digest of 100,000 verdicts: a machine, compiler or option that computes other bits would show here."""
    rng = Random(12)
    digest = hashlib.sha256()
    for _ in range(100):
        scene = random_scene(rng, 8, 10, size=120)
        table = scene.table()
        verdicts = bytearray()
        for element in range(10):
            x, y, _ = scene.discs[element]
            for _ in range(100):
                to_x, to_y = (
                    min(max(x + rng.randint(-300, 300), 0), SIDE),
                    min(max(y + rng.randint(-300, 300), 0), SIDE),
                )
                verdicts.append(table.reach(element, to_x, to_y, MOVE) << 1 | table.reach(element, to_x, to_y, PUSH))
        digest.update(verdicts)
    assert digest.hexdigest() == "1834ca2b07077e915906bfcc1e7da61457446ec006f4b9bfa657dac7f73fa7e7"


@pytest.mark.parametrize(("length", "width"), [(24, 80), (801, 80), (300, 24), (300, 801)])
def test_rulers_have_limits(length: int, width: int) -> None:
    with pytest.raises(ValueError, match="sides of a ruler"):
        Ruler(length, width)


def test_ruler_has_its_size() -> None:
    assert (MOVE.length, MOVE.width) == (300, 80)
