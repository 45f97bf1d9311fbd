"""Distances, contact, threat zones and the nearest of several, against the oracle."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from cext.geometry import Piece
from cext.geometry.units import INCH
from tests.cext.geometry import oracle
from tests.cext.geometry.boards import SIDE, SMALL, SYMMETRIES, Scene, coarse_scene, random_scene, scene

DISTANCES = (0, 254, 6_350, INCH, 4 * INCH)


def square_to(scene: Scene, x: int, y: int, element: int) -> tuple[Fraction, int]:
    """The squared distance from a point to an element without its radius, and that radius."""
    point = (127 * x, 127 * y)
    if element < 64:
        shapes = [scene.disc(element)]
    else:
        shapes = [oracle.Shape(*part) for part in scene.pieces[element - 64].parts()]
    square = min(oracle.square_to_hull(point, shape.points) for shape in shapes)
    return max(square, Fraction(0)), shapes[0].radius


@pytest.mark.rule("OLO-GEO-04", "OLO-MEAS-02", "OLO-MEAS-03")
@pytest.mark.parametrize("made", [random_scene, coarse_scene])
@pytest.mark.parametrize("seed", range(3))
def test_gaps_agree_with_the_oracle(made: Callable[[Random], Scene], seed: int) -> None:
    rng = Random(seed)
    for _ in range(2):
        scene = made(rng)
        table = scene.table()
        for element in scene.discs:
            for other in [*scene.discs, *range(64, 64 + len(scene.pieces))]:
                if other == element:
                    continue
                shapes = (
                    [scene.disc(other)] if other < 64 else [oracle.Shape(*p) for p in scene.pieces[other - 64].parts()]
                )
                for distance in DISTANCES:
                    expected = min(oracle.compare_gap(scene.disc(element), shape, distance) for shape in shapes)
                    assert table.compare_gap(element, other, distance) == expected
                    if other < 64:
                        assert table.compare_gap(other, element, distance) == expected


@pytest.mark.rule("OLO-MOVE-01", "OLO-GEO-04")
@pytest.mark.parametrize("made", [random_scene, coarse_scene])
def test_free_places_agree_with_the_oracle(made: Callable[[Random], Scene]) -> None:
    rng = Random(11)
    free = 0
    for _ in range(15):
        scene = made(rng)
        table = scene.table()
        for _ in range(40):
            x, y, radius = rng.randint(0, SIDE), rng.randint(0, SIDE), rng.choice((SMALL, 12_500, 127 * 50))
            base = oracle.disc(x, y, radius)
            expected = all(radius <= 127 * value <= oracle.SIDE - radius for value in (x, y)) and all(
                oracle.compare_gap(base, shape, 0) >= 0 for shape in scene.obstacles(0)
            )
            assert table.spot_free(x, y, radius, ignored=0) is expected
            free += expected
    assert 50 < free < 550


@pytest.mark.rule("OLO-MEAS-04", "OLO-SCEN-02", "OLO-COVER-01")
def test_contact_with_zones_is_standing_on_them_and_gives_no_cover() -> None:
    zone = Piece.box(500, 500, 700, 700, zone=True)
    for place in ((600, 600), (600, 741), (600, 760), (600, 761)):
        table = scene(place, pieces=[zone]).table()
        assert table.touching(0) == 1 << 64
        assert not table.in_cover(0)
        assert table.spot_free(*place, SMALL, ignored=0)
    assert scene((600, 762), pieces=[zone]).table().touching(0) == 0
    round_zone = scene((800, 800), pieces=[Piece.disc(800, 850, 20_000, zone=True)]).table()
    assert round_zone.touching(0) == 1 << 64


@pytest.mark.rule("OLO-GEO-10", "OLO-GEO-04")
def test_the_inside_of_a_piece_of_several_parts_is_no_free_place() -> None:
    piece = Piece.polygon([(100, 100), (500, 100), (500, 300), (300, 300), (300, 600), (100, 600)])
    table = scene((800, 800), pieces=[piece]).table()
    assert not table.spot_free(200, 200, SMALL)
    assert not table.spot_free(300, 200, SMALL)
    assert table.spot_free(400, 400, SMALL)
    table.put(0, 360, 360, SMALL)
    assert table.touching(0) == 1 << 64
    assert table.in_cover(0)


@pytest.mark.rule("OLO-GEO-04", "OLO-GEO-74", "OLO-DIR-01")
@pytest.mark.parametrize("made", [random_scene, coarse_scene])
def test_nearer_and_farther_agree_with_the_oracle(made: Callable[[Random], Scene]) -> None:
    rng = Random(21)
    for _ in range(12):
        scene = made(rng)
        table = scene.table()
        for element, (x, y, _) in scene.discs.items():
            others = [other for other in scene.discs if other != element]
            measured = {other: square_to(scene, x, y, other) for other in others}
            # one - r1 < two - r2 iff sqrt(n1) - sqrt(n2) < r1 - r2
            nearest = {
                one
                for one in others
                if all(
                    oracle.compare_roots(measured[one][0], measured[two][0], measured[one][1] - measured[two][1]) <= 0
                    for two in others
                )
            }
            assert table.nearest(element, sum(1 << other for other in others)) == sum(1 << other for other in nearest)
            for other in [*others, *range(64, 64 + len(scene.pieces))]:
                to_x, to_y = rng.randint(0, SIDE), rng.randint(0, SIDE)
                change = oracle.compare_roots(
                    square_to(scene, to_x, to_y, other)[0], square_to(scene, x, y, other)[0], 0
                )
                assert table.compare_after(element, to_x, to_y, other) == change


@pytest.mark.rule("OLO-GEO-04")
def test_near_ties_are_distinguished() -> None:
    """Discs whose gaps differ by far less than a double can tell, or not at all."""
    rng = Random(3)
    seen = set()
    for _ in range(3000):
        table = scene((800, 800, 1)).table()
        a, b = rng.randint(50, 700), rng.randint(0, 700)
        table.put(1, 800 + a if a < 700 else 100, 800 + b, rng.randint(1, 5000))
        # Another disc whose gap is the same but for less than a tick.
        gap = (127 * 127 * (a * a + b * b)) ** 0.5 - table.place(1)[2]
        c, d = rng.randint(50, 700), rng.randint(0, 700)
        radius = round((127 * 127 * (c * c + d * d)) ** 0.5 - gap)
        if not 1 <= radius <= 25_400 or not all(
            radius <= 127 * value <= 203_200 - radius for value in (800 + c, 800 - d)
        ):
            continue
        table.put(2, 800 + c, 800 - d, radius)
        expected = oracle.compare_roots(
            Fraction(127**2 * (a * a + b * b)), Fraction(127**2 * (c * c + d * d)), table.place(1)[2] - radius
        )
        assert table.nearest(0, 0b110) == {-1: 0b010, 0: 0b110, 1: 0b100}[expected]
        seen.add(expected)
    assert seen == {-1, 1} or seen == {-1, 0, 1}
    # 3, 4, 5 triangles: real ties of different radii.
    table = scene((800, 800, 1), (800 + 300, 800 + 400, 127 * 40), (800 + 510, 800, 127 * 50)).table()
    assert table.nearest(0, 0b110) == 0b110


@pytest.mark.rule("OLO-GEO-04")
@pytest.mark.parametrize("made", [random_scene, coarse_scene])
def test_distances_are_the_same_on_mirrored_boards(made: Callable[[Random], Scene]) -> None:
    rng = Random(31)
    for _ in range(5):
        scene = made(rng)
        table = scene.table()
        for symmetry in SYMMETRIES[1:]:
            other = scene.mapped(symmetry).table()
            for element in scene.discs:
                assert table.within(element, INCH) == other.within(element, INCH)
                assert table.touching(element) == other.touching(element)
                assert table.in_cover(element) == other.in_cover(element)
                assert table.nearest(element, -1 % (1 << 64)) == other.nearest(element, -1 % (1 << 64))
                x, y = rng.randint(0, SIDE), rng.randint(0, SIDE)
                for target in range(64, 64 + len(scene.pieces)):
                    assert table.compare_after(element, x, y, target) == other.compare_after(
                        element, *symmetry(x, y), target
                    )


@pytest.mark.rule("OLO-THREAT-02", "OLO-GEO-78")
def test_masks_agree_with_single_answers() -> None:
    rng = Random(41)
    for _ in range(10):
        scene = random_scene(rng, 3, 12, size=300)
        scene.discs[20] = scene.discs.pop(11)
        table = scene.table()
        for element in scene.discs:
            others = [other for other in scene.discs if other != element]
            within = sum(1 << other for other in others if table.is_within(element, other, INCH))
            assert table.within(element, INCH) == within
            x, y = rng.randint(0, SIDE), rng.randint(0, SIDE)
            moved = table.copy()
            then = table.within_at(element, x, y, INCH), table.touching_at(element, x, y)
            if moved.spot_free(x, y, scene.discs[element][2], element):
                moved.put(element, x, y, scene.discs[element][2])
                assert then == (moved.within(element, INCH), moved.touching(element))
