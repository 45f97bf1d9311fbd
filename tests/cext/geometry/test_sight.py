"""Lines of sight: the properties 1 to 3 of section 4.11, the oracle, and scenery in several parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from cext.geometry import Piece, Table
from cext.geometry.units import FIGURES
from tests.cext.geometry import oracle
from tests.cext.geometry.boards import SMALL, SYMMETRIES, Scene, coarse_scene, random_scene, scene

Make = Callable[[Random], Scene]


def pairs(scene: Scene) -> list[tuple[int, int]]:
    return [(one, other) for one in scene.discs for other in scene.discs if one < other]


def sights_of(table: Table) -> list[int]:
    """For each figure on the board, the mask of those that it sees."""
    return [table.seen(element) for element in range(FIGURES) if table.present >> element & 1]


def dense(rng: Random) -> Scene:
    return random_scene(rng, 9, 6, size=90)


@pytest.mark.rule("OLO-LOS-01", "OLO-GEO-04", "OLO-GEO-12")
@pytest.mark.parametrize(("make", "boards"), [(random_scene, 12), (coarse_scene, 12), (dense, 5)])
@pytest.mark.parametrize("seed", range(2))
def test_sight_agrees_with_the_oracle(make: Make, boards: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(boards):
        scene = make(rng)
        table = scene.table()
        for one, other in rng.sample(pairs(scene), 5):
            viewer, target = scene.disc(one), scene.disc(other)
            assert table.sight(one, other) is oracle.sees(viewer, target, scene.blockers(viewer, target))


@pytest.mark.rule("OLO-LOS-06", "OLO-LOS-01")
@pytest.mark.parametrize("make", [random_scene, coarse_scene])
def test_sight_to_scenery_agrees_with_the_oracle(make: Make) -> None:
    rng = Random(7)
    answers = []
    for _ in range(12):
        scene = make(rng)
        table = scene.table()
        for _ in range(4):
            element, number = rng.randrange(len(scene.discs)), rng.randrange(len(scene.pieces))
            viewer = scene.disc(element)
            parts = [oracle.Shape(*part) for part in scene.pieces[number].parts()]
            others = tuple(piece for index, piece in enumerate(scene.pieces) if index != number)
            rest = replace(scene, pieces=others).blockers(viewer)
            expected = any(oracle.sees(viewer, part, rest) for part in parts)
            assert table.sight(element, 64 + number) is expected
            answers.append(expected)
    assert any(answers)
    assert not all(answers)


@pytest.mark.rule("OLO-LOS-04")
@pytest.mark.parametrize("make", [random_scene, coarse_scene, dense])
def test_sight_is_symmetric(make: Make) -> None:
    rng = Random(1)
    for _ in range(60):
        table = make(rng).table()
        sights = sights_of(table)
        for one in range(6):
            for other in range(6):
                assert sights[one] >> other & 1 == sights[other] >> one & 1
                assert table.sight(one, other) == sights[one] >> other & 1
                line, back = table.sight_line(one, other), table.sight_line(other, one)
                assert (line is None) is (back is None)
                if line is not None and back is not None:
                    assert line == pytest.approx(back[2:] + back[:2])


@pytest.mark.rule("OLO-LOS-01")
@pytest.mark.parametrize("make", [random_scene, coarse_scene, dense])
def test_sight_is_monotone_in_pieces(make: Make) -> None:
    rng = Random(2)
    opened = 0
    for _ in range(40):
        scene = make(rng)
        with_all = sights_of(scene.table())
        pieces = list(scene.pieces)
        del pieces[rng.randrange(len(pieces))]
        # A piece blocks through its joints, too.
        with_fewer = sights_of(replace(scene, pieces=tuple(pieces)).table())
        for before, after in zip(with_all, with_fewer, strict=True):
            assert before & ~after == 0
            opened += before != after
    assert opened > 0


@pytest.mark.rule("OLO-LOS-01")
@pytest.mark.parametrize("make", [random_scene, dense])
def test_sight_is_monotone_in_bases(make: Make) -> None:
    rng = Random(3)
    opened = 0
    for _ in range(60):
        scene = make(rng)
        table = scene.table()
        before = sights_of(table)
        element = rng.randrange(len(scene.discs))
        x, y, radius = scene.discs[element]
        larger = radius + rng.randint(1, 9000)
        if table.spot_free(x, y, larger, element):
            table.put(element, x, y, larger)
            after = sights_of(table)
            assert before[element] & ~after[element] == 0
            opened += before[element] != after[element]
    assert opened > 0


@pytest.mark.rule("OLO-GEO-04", "OLO-LOS-01")
@pytest.mark.parametrize("make", [random_scene, coarse_scene, dense])
def test_sight_is_the_same_on_mirrored_boards(make: Make) -> None:
    rng = Random(4)
    for _ in range(30):
        scene = make(rng)
        sights = sights_of(scene.table())
        for symmetry in SYMMETRIES[1:]:
            assert sights_of(scene.mapped(symmetry).table()) == sights


@pytest.mark.rule("OLO-LOS-01")
@pytest.mark.parametrize("make", [random_scene, coarse_scene])
def test_the_segment_runs_from_rim_to_rim(make: Make) -> None:
    """That no piece cuts it is left to Shapely, in test_shapely."""
    rng = Random(5)
    for _ in range(30):
        scene = make(rng)
        table = scene.table()
        for one, other in pairs(scene):
            line = table.sight_line(one, other)
            assert (line is not None) is table.sight(one, other)
            if line is not None:
                for (x, y), (cx, cy, radius) in zip(
                    (line[:2], line[2:]), (scene.discs[one], scene.discs[other]), strict=True
                ):
                    assert (x - 127 * cx) ** 2 + (y - 127 * cy) ** 2 == pytest.approx(radius**2, rel=1e-9)
        for number, piece in enumerate(scene.pieces):
            line = table.sight_line(0, 64 + number)
            assert (line is not None) is table.sight(0, 64 + number)
            if line is not None and not piece.radius:
                x, y, radius = scene.discs[0]
                assert (line[0] - 127 * x) ** 2 + (line[1] - 127 * y) ** 2 <= radius**2 * (1 + 1e-9)
                end = round(line[2]), round(line[3])
                assert min(float(oracle.square_to_hull(end, part.points)) for part in piece.parts()) <= 1.0


@pytest.mark.rule("OLO-LOS-05", "OLO-LOS-03", "OLO-SCEN-01", "OLO-SCEN-02")
def test_elements_that_do_not_block_sight() -> None:
    wall = (500, 300, 600, 1300)
    for piece in (Piece.box(*wall, obstructing=False), Piece.box(*wall, zone=True)):
        assert scene((300, 800), (900, 800), pieces=[piece]).table().sight(0, 1)
    table = scene((300, 800), (900, 800), pieces=[Piece.box(*wall)]).table()
    assert not table.sight(0, 1)
    assert table.sight(0, 0)
    assert table.seen(0) == 0b01
    figures = scene((300, 800), (900, 800), *((600, 800 + 120 * k) for k in range(-6, 7))).table()
    assert figures.seen(0) == figures.present


@pytest.mark.rule("OLO-LOS-01")
def test_grazing_line_is_not_cut() -> None:
    """The only free line runs along the sides of two boxes and touches the tops of both bases."""
    radius = 127 * 50
    boxes = [Piece.box(500, 300, 600, 750), Piece.box(800, 750, 900, 1300)]
    assert scene((300, 700, radius), (1100, 700, radius), pieces=boxes).table().sight(0, 1)
    assert not scene((300, 699, radius), (1100, 699, radius), pieces=boxes).table().sight(0, 1)
    # The same line along the top of a box and the bottom of a disc, above and below.
    for symmetry in SYMMETRIES:
        for y, visible in ((700, True), (699, False)):
            round_one = [Piece.box(500, 300, 600, 750), Piece.disc(850, 800, radius)]
            made = scene((300, y, radius), (1100, y, radius), pieces=round_one).mapped(symmetry)
            assert made.table().sight(0, 1) is visible
    # Through the point in which two corners meet: two pieces that touch leave none, by their joint.
    corners = [Piece.box(500, 300, 700, 800), Piece.box(700, 800, 900, 1300)]
    assert not scene((300, 1000, 127), (1100, 600, 127), pieces=corners).table().sight(0, 1)
    apart = [Piece.box(500, 300, 700, 797), Piece.box(703, 800, 900, 1300)]
    assert scene((300, 1000, 127), (1100, 600, 127), pieces=apart).table().sight(0, 1) is oracle.sees(
        oracle.disc(300, 1000, 127),
        oracle.disc(1100, 600, 127),
        scene(pieces=apart).blockers(),
    )


@pytest.mark.rule("OLO-GEO-11", "OLO-GEO-12")
@pytest.mark.parametrize("turn", range(len(SYMMETRIES)))
def test_no_sight_along_a_seam(turn: int) -> None:
    """An L is split from its inner corner; viewers stand on the line of that cut."""
    piece = Piece.polygon([(500, 500), (1100, 500), (1100, 800), (800, 800), (800, 1100), (500, 1100)])
    made = scene((300, 300, 127), (900, 900, 127), pieces=[piece]).mapped(SYMMETRIES[turn])
    assert len(made.table().board.joints) == 1
    assert not made.table().sight(0, 1)


@pytest.mark.rule("OLO-GEO-12")
def test_a_joint_under_a_base_is_ignored() -> None:
    """A base that stands on the joint of two pieces in contact sees what it saw without it."""
    pieces = [Piece.box(500, 500, 700, 700), Piece.box(702, 500, 900, 700)]
    made = scene((701, 760), (701, 1200), pieces=pieces)
    assert made.table().touching(0) == 0b11 << 64
    assert made.table().sight(0, 1)
    assert not scene((701, 300), (701, 1200), pieces=pieces).table().sight(0, 1)


@pytest.mark.rule("OLO-LOS-06")
def test_sight_to_a_piece_ignores_that_piece_alone() -> None:
    hall = Piece.polygon(
        [(900, 400), (1400, 400), (1400, 1200), (900, 1200), (900, 1100), (1300, 1100), (1300, 500), (900, 500)]
    )
    far_wall = scene((300, 800), pieces=[hall]).table()
    assert far_wall.sight(0, 64)
    screen = Piece.box(600, 100, 700, 1500)
    assert not scene((300, 800), pieces=[hall, screen]).table().sight(0, 64)
    assert scene((300, 800), pieces=[hall, screen]).table().sight(0, 65)
    assert scene((300, 800), pieces=[Piece.disc(1000, 800, 20_000, zone=True)]).table().sight(0, 64)
    assert not scene((300, 800), pieces=[Piece.disc(1000, 800, 20_000, zone=True), screen]).table().sight(0, 64)


@pytest.mark.rule("OLO-LOS-06", "OLO-SCEN-02")
def test_figure_on_a_zone_sees_it_and_nothing_on_it_hides_it() -> None:
    zone = Piece.box(800, 600, 1200, 1000, zone=True)
    hut = Piece.box(750, 500, 850, 1100)
    table = scene((1000, 800), (300, 800), pieces=[zone, hut]).table()
    assert table.sight(0, 64)
    assert table.sight_line(0, 64) is not None
    assert table.sight(1, 64)
    # Nor where it covers all of the zone that would be seen else.
    wide = Piece.box(750, 100, 850, 1500)
    pool = Piece.disc(840, 800, 127 * 80, zone=True)
    assert scene((1000, 800), (300, 800), pieces=[pool, wide]).table().sight(1, 64)
    apart = Piece.disc(940, 800, 127 * 80, zone=True)
    assert not scene((1300, 800), (300, 800), pieces=[apart, wide]).table().sight(1, 64)


@pytest.mark.rule("OLO-LOS-01")
def test_touching_bases_see_each_other() -> None:
    table = scene((600, 600), (719, 600), (650, 650, 127), pieces=[Piece.box(655, 400, 660, 540)]).table()
    assert table.sight(0, 1)
    assert table.sight_line(0, 2) is not None, "overlapping ones, too"


@pytest.mark.rule("OLO-LOS-01")
def test_sight_from_another_place() -> None:
    rng = Random(6)
    for _ in range(20):
        made = random_scene(rng)
        table = made.table()
        for _ in range(10):
            x, y = rng.randint(100, 1500), rng.randint(100, 1500)
            if table.spot_free(x, y, made.discs[0][2], 0):
                other = table.copy()
                other.put(0, x, y, made.discs[0][2])
                assert table.sight_from(0, x, y, 1) is other.sight(0, 1)


@pytest.mark.rule("OLO-GEO-04")
def test_thresholds_of_sight_are_sharp_and_monotone() -> None:
    """A wall that grows step by step closes a line of sight once and for good."""
    rng = Random(8)
    for _ in range(40):
        ax, bx, x = rng.randint(100, 400), rng.randint(1000, 1500), rng.randint(550, 800)
        ay, by, thickness = rng.randint(300, 900), rng.randint(300, 900), rng.randint(10, 100)
        answers = [
            scene((ax, ay), (bx, by), pieces=[Piece.box(x, 100, x + thickness, top)]).table().sight(0, 1)
            for top in range(250, 1300, 10)
        ]
        assert answers[0]
        assert not answers[-1]
        assert answers == sorted(answers, reverse=True)


@pytest.mark.rule("OLO-LOS-01")
@pytest.mark.parametrize("turn", range(len(SYMMETRIES)))
def test_a_large_base_sees_past_what_hides_its_middle(turn: int) -> None:
    """What closes the last slit lies far from the line of centres, on either side of it."""
    near, far = Piece.box(460, 300, 480, 880), Piece.box(500, 870, 520, 1300)
    made = scene((300, 800, 127 * 150), (1100, 800, 1), pieces=[near, far])
    assert not made.mapped(SYMMETRIES[turn]).table().sight(0, 1)
    open_ = scene((300, 800, 127 * 150), (1100, 800, 1), pieces=[near, Piece.box(500, 890, 520, 1300)])
    assert open_.mapped(SYMMETRIES[turn]).table().sight(0, 1)


def test_small_bases_and_points() -> None:
    assert scene((300, 800, 1), (900, 800, 1), pieces=[Piece.box(500, 700, 600, 800)]).table().sight(0, 1)
    assert not scene((300, 799, 1), (900, 799, 1), pieces=[Piece.box(500, 700, 600, 800)]).table().sight(0, 1)
    for top, visible in ((829, True), (830, False)):
        table = scene((300, 800, SMALL), (900, 800, 1), pieces=[Piece.box(500, 700, 600, top)]).table()
        assert table.sight(0, 1) is table.sight(1, 0) is visible
