"""Tests of lists of places: their content, and that each is a sample of the places that the check accepts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import cos, hypot, isqrt, radians, sin
from random import Random

import pytest

from cext.geometry import Displacement, Piece, Ruler, Table
from cext.geometry.units import INCH
from tests.cext.geometry.boards import (
    LARGE,
    MEDIUM,
    SIDE,
    SMALL,
    SYMMETRIES,
    Scene,
    place_disc,
    random_pieces,
    random_scene,
    scene,
    unpacked,
)

FOES = 0b111000

Place = tuple[int, int]


def crowded(rng: Random) -> Scene:
    return random_scene(rng, 6, 8, size=110)


def displacements(table: Table, rng: Random) -> Iterator[Displacement]:
    """One of each kind."""
    yield table.move(0)
    yield table.push(1)
    yield table.enter(rng.randrange(4), SMALL)
    yield table.placement(2, 3 * INCH, MEDIUM)
    yield table.placement(64, 2 * INCH, SMALL)
    yield table.charge(0, 4)
    yield table.move(2).towards(3)
    yield table.move(2).towards(65, away=True)
    yield table.push(5).towards(1, away=True)
    yield table.move(4).towards(0, directly=True)
    yield table.move(4).towards(66, directly=True, away=True)
    yield table.push(4).towards(0, directly=True)


@pytest.mark.parametrize("seed", range(3))
def test_a_raster_has_every_legal_place_of_its_step(seed: int) -> None:
    rng = Random(seed)
    table = crowded(rng).table()
    for displacement in displacements(table, rng):
        step = rng.choice((20, 37, 50))
        x0, y0, columns, rows, bits = displacement.raster(step)
        width = (columns + 7) // 8
        assert len(bits) == width * rows
        drawn = {
            (x0 + column * step, y0 + row * step)
            for row in range(rows)
            for column in range(8 * width)
            if bits[row * width + column // 8] >> column % 8 & 1
        }
        assert drawn == {place for place in product(range(0, SIDE + 1, step), repeat=2) if displacement.allows(*place)}
    with pytest.raises(ValueError, match="step"):
        table.move(0).raster(0)


@pytest.mark.rule("OLO-GEO-60", "OLO-GEO-62")
@pytest.mark.parametrize("seed", range(4))
def test_lists_hold_the_legal_lattice_and_nothing_illegal(seed: int) -> None:
    rng = Random(seed)
    for _ in range(3):
        table = crowded(rng).table()
        for displacement in displacements(table, rng):
            step = rng.choice((25, 50, 100))
            places = displacement.places(step, FOES)
            assert list(places) == sorted(set(places))
            points = set(unpacked(places))
            assert all(displacement.allows(*point) for point in points)
            lattice = {point for point in product(range(0, SIDE + 1, step), repeat=2) if displacement.allows(*point)}
            assert lattice <= points
            assert (displacement.find() is not None) is bool(places)


def cell_around(x: int, y: int, a: int, b: int) -> list[Piece]:
    """Four walls that leave 2 a times 2 b around a place."""
    return [
        Piece.box(x - a - 30, y - b - 30, x + a + 30, y - b),
        Piece.box(x - a - 30, y + b, x + a + 30, y + b + 30),
        Piece.box(x - a - 30, y - b, x - a, y + b),
        Piece.box(x + a, y - b, x + a + 30, y + b),
    ]


@pytest.mark.rule("OLO-CAP-08", "OLO-GEO-62")
def test_a_list_is_empty_only_where_no_place_of_the_whole_lattice_is_legal() -> None:
    """In narrow cells, where often none is, or none that a coarse list would hold."""
    rng = Random(1)
    rulers = Ruler(40, 30), Ruler(30, 25)
    seen = set()
    for _ in range(24):
        x, y, a, b = rng.randint(400, 1200), rng.randint(400, 1200), rng.randint(59, 63), rng.randint(59, 63)
        for displacement in (
            scene((x, y), pieces=cell_around(x, y, a, b)).table(*rulers).move(0),
            scene((x, y), pieces=cell_around(x, y, a, b)).table(*rulers).push(0),
        ):
            some = any(displacement.raster(1)[4])
            found = displacement.find()
            assert (found is not None) is some
            assert found is None or displacement.allows(found >> 11, found & 2047)
            for step in (25, 50, 100):
                places = displacement.places(step)
                assert bool(places) is some
                assert all(displacement.allows(*point) for point in unpacked(places))
            seen.add((some, any(displacement.raster(12)[4])))
    assert seen == {(True, True), (True, False), (False, False)}


def small_trips(table: Table, rng: Random) -> Iterator[Displacement]:
    """Of every kind, with an area that is soon looked at as a whole."""
    yield table.push(1)
    yield table.push(1).towards(3)
    yield table.push(5).towards(rng.choice((1, 65)), away=True)
    yield table.move(2, "push")
    yield table.move(2, "base").towards(64)
    yield table.placement(2, INCH, MEDIUM)
    yield table.placement(64, INCH // 2, LARGE)
    for target in (1, 3, 4, 5):
        yield table.charge(0, target)
        yield table.charge(2, target)


@pytest.mark.rule("OLO-CAP-08", "OLO-CHARGE-04")
def test_a_place_is_found_exactly_where_one_of_the_lattice_is_legal() -> None:
    rng = Random(3)
    some = none = 0
    for number in range(12):
        made = random_scene(rng, 6, rng.choice((8, 16, 30)), size=rng.choice((60, 80, 110)))
        table = made.table(Ruler(120, 60), Ruler(60, 40)) if number else made.table()
        for displacement in small_trips(table, rng):
            found = displacement.find()
            if found is not None:
                assert displacement.allows(found >> 11, found & 2047)
                some += 1
            else:
                assert not any(displacement.raster(1)[4])
                none += 1
    assert some > 20 and none > 20


@pytest.mark.rule("OLO-CAP-08", "OLO-CHARGE-04")
def test_a_charge_with_few_places_is_found() -> None:
    """68 places in all, and at the step of 1/2 inch no list had any of them; from play on The Works."""
    made = scene(
        (1027, 860),
        (1204, 593),
        (1067, 658),
        (775, 1047),
        (1294, 763, MEDIUM),
        (1437, 689, MEDIUM),
        pieces=[
            Piece.polygon([(800, 616), (984, 800), (800, 984), (616, 800)]),
            Piece.disc(380, 560, 15_000),
            Piece.disc(1220, 1040, 15_000),
            Piece.polygon([(1030, 250), (1330, 250), (1330, 350), (1130, 350), (1130, 550), (1030, 550)]),
            Piece.polygon([(570, 1350), (270, 1350), (270, 1250), (470, 1250), (470, 1050), (570, 1050)]),
        ],
    )
    charge = made.table().charge(2, 5)
    assert sum(byte.bit_count() for byte in charge.raster(1)[4]) == 68
    found = charge.find()
    assert found is not None and charge.allows(found >> 11, found & 2047)
    for step in (25, 50, 100):
        assert charge.places(step)


@pytest.mark.rule("OLO-GEO-60")
def test_no_place_outside_the_searched_box_is_legal() -> None:
    """A list at step 1 around the ends of the reach is what the check allows."""
    table = scene((800, 800)).table()
    push = table.push(0)
    assert set(unpacked(push.places(1))) == {
        (x, y) for x in range(540, 1060) for y in range(540, 1060) if push.allows(x, y)
    }
    assert {x for x, _ in unpacked(push.places(1))} == set(range(800 - 246, 800 + 247))


@pytest.mark.rule("OLO-GEO-63")
@pytest.mark.parametrize(
    ("radius", "step", "about"),
    [(SMALL, 50, 234), (MEDIUM, 50, 279), (LARGE, 50, 332), (SMALL, 25, 933), (MEDIUM, 25, 1106), (LARGE, 25, 1305)],
)
def test_number_of_lattice_points(radius: int, step: int, about: int) -> None:
    """On an empty board all in the circle; their number depends on where its middle lies to the lattice."""
    square = 127 * 127 * (300**2 + 80**2)
    limit = (square + 4 * radius * radius + isqrt(16 * radius * radius * square)) // (127 * 127)
    counts = []
    for dx, dy in product(range(0, 25, 4), (0, 12)):
        x, y = 800 + dx, 800 + dy
        within = [(a - x) ** 2 + (b - y) ** 2 for a, b in product(range(0, SIDE + 1, step), repeat=2)]
        counts.append(len(scene((x, y, radius)).table().move(0).places(step)))
        assert counts[-1] == sum(0 < n <= limit for n in within)
    assert max(counts) == pytest.approx(about, rel=0.02)


@pytest.mark.rule("OLO-GEO-63")
def test_long_lists_are_cut_and_keep_the_places_around_elements() -> None:
    rng = Random(2)
    made = scene((800, 800, LARGE))
    table = made.table(move_ruler=Ruler(800, 80))
    for element in range(1, 10):
        place_disc(rng, table, element)
    displacement = table.move(0)
    places = set(displacement.places(50, FOES))
    assert len(places) == 640
    off_lattice = {place for place in displacement.places(25, FOES) if (place >> 11) % 25 or (place & 2047) % 25}
    assert len(off_lattice) > 50
    assert off_lattice <= places
    # Of the lattice the first are kept; of the rest those alone that are ring points, too.
    whole = [x << 11 | y for x, y in product(range(0, SIDE + 1, 50), repeat=2) if displacement.allows(x, y)]
    kept = [place in places for place in whole]
    cut = kept.index(False)
    assert cut > 400
    for place, is_kept in zip(whole[cut:], kept[cut:], strict=True):
        point = place >> 11, place & 2047
        edge = table.within_at(0, *point, INCH) & ~table.within_at(0, *point, INCH - 254)
        assert not is_kept or table.touching_at(0, *point) or edge


@pytest.mark.rule("OLO-GEO-61")
def test_candidates_around_discs() -> None:
    """12 directions, in contact with each disc, and just inside the threat zones of foes."""
    table = scene((800, 800), (800, 1000, MEDIUM), (1000, 800)).table()
    table.put(16, 600, 800, LARGE)
    move = table.move(0)
    with_foes, without = (set(unpacked(move.places(50, foes))) for foes in (0b010, 0))
    for element in (1, 2, 16):
        x, y, radius = table.place(element)
        for turn in range(12):
            reach = (SMALL + radius + 113) / 127
            want = x + reach * cos(radians(30 * turn)), y + reach * sin(radians(30 * turn))
            found = [
                point
                for point in without
                if hypot(point[0] - want[0], point[1] - want[1]) < 0.75 and table.touching_at(0, *point) >> element & 1
            ]
            near = round(want[0]), round(want[1])
            assert found or not move.allows(*near)
    threat = with_foes - without
    assert threat
    for point in threat:
        assert table.within_at(0, *point, INCH) & 0b010
        assert not table.within_at(0, *point, INCH - 254) & 0b010


@pytest.mark.rule("OLO-GEO-61")
def test_candidates_around_pieces() -> None:
    box = Piece.box(700, 900, 900, 1100)
    table = scene((800, 800), pieces=[box, Piece.disc(800, 600, 10_000)]).table()
    points = set(unpacked(table.move(0).places(50)))
    contacts = {point for point in points if table.touching_at(0, *point) >> 64}
    # The middles of the lower, left and right sides, and the lower corners along their bisectors.
    assert {(800, 840), (640, 1000), (960, 1000)} <= contacts
    assert any(655 <= x <= 659 and 855 <= y <= 859 for x, y in contacts)
    assert any(941 <= x <= 945 and 855 <= y <= 859 for x, y in contacts)
    assert sum(table.touching_at(0, *point) >> 65 & 1 for point in contacts) >= 8
    for x, y in contacts:
        assert table.spot_free(x, y, SMALL, 0)


@pytest.mark.rule("OLO-GEO-60", "OLO-GEO-61")
def test_mirrored_boards_have_mirrored_lists() -> None:
    rng = Random(3)
    for _ in range(4):
        # Ring points of pieces with inner corners may fall back to a neighbour, in a fixed order of directions.
        pieces = tuple(piece for piece in random_pieces(rng, 8, size=110) if len(piece.parts()) == 1)[:6]
        made = Scene(pieces)
        table = made.table()
        for element in range(8):
            made.discs[element] = place_disc(rng, table, element)
        for symmetry in SYMMETRIES:
            other = made.mapped(symmetry).table()
            for one, two in (
                (table.move(0), other.move(0)),
                (table.push(1), other.push(1)),
                (table.placement(2, 3 * INCH, MEDIUM), other.placement(2, 3 * INCH, MEDIUM)),
                (table.charge(0, 4), other.charge(0, 4)),
                (table.move(3).towards(5, away=True), other.move(3).towards(5, away=True)),
                (table.move(3).towards(5, directly=True), other.move(3).towards(5, directly=True)),
            ):
                mapped = {symmetry(*point) for point in unpacked(one.places(50, FOES))}
                assert set(unpacked(two.places(50, FOES))) == mapped


@pytest.mark.rule("OLO-PLACE-01", "OLO-GEO-72")
def test_placements_are_free_places_at_a_distance() -> None:
    rng = Random(4)
    for _ in range(5):
        made = crowded(rng)
        table = made.table()
        for target in (0, 64, 67):
            displacement = table.placement(target, 2 * INCH, MEDIUM)
            probe = table.copy()
            for _ in range(150):
                x, y = (rng.randint(0, SIDE) for _ in range(2))
                expected = probe.spot_free(x, y, MEDIUM)
                if expected:
                    probe.put(40, x, y, MEDIUM)
                    expected = probe.is_within(40, target, 2 * INCH)
                    probe.remove(40)
                assert displacement.allows(x, y) is expected
            assert displacement.pose(*next(unpacked(displacement.places(10)))) is None


@pytest.mark.rule("OLO-GEO-76", "OLO-CHARGE-01", "OLO-CHARGE-05")
def test_a_charge_ends_near_the_target_and_in_its_sight() -> None:
    rng = Random(5)
    legal = 0
    for _ in range(60):
        made = crowded(rng)
        table = made.table()
        for _ in range(6):
            target = rng.randint(1, 7)
            displacement, move = table.charge(0, target), table.move(0)
            x, y, _ = made.discs[target]
            place = x + rng.randint(-220, 220), y + rng.randint(-220, 220)
            if not all(0 <= value <= SIDE for value in place):
                continue
            expected = (
                move.allows(*place)
                and bool(table.within_at(0, *place, INCH) >> target & 1)
                and table.sight_from(0, *place, target)
            )
            assert displacement.allows(*place) is expected
            legal += expected
    assert legal > 20


@pytest.mark.rule("OLO-GEO-76")
def test_the_list_of_a_charge() -> None:
    """24 directions at contact, half an inch and just within an inch."""
    table = scene((500, 800), (800, 800)).table()
    points = set(unpacked(table.charge(0, 1).places(100)))
    gaps = {0: 113, 1: 6350, 2: 12_573}
    for gap in gaps.values():
        for turn in range(24):
            reach = (2 * SMALL + gap) / 127
            want = 800 + reach * cos(radians(15 * turn)), 800 + reach * sin(radians(15 * turn))
            near = [point for point in points if hypot(point[0] - want[0], point[1] - want[1]) < 0.75]
            assert near or not table.charge(0, 1).allows(round(want[0]), round(want[1])), (gap, turn)
    assert len(points) > 40


@pytest.mark.rule("OLO-MEAS-05", "OLO-GEO-76")
def test_a_charge_may_end_at_the_other_side_of_a_marker() -> None:
    table = scene((500, 800), (919, 800)).table()
    table.put(16, 800, 800, SMALL)
    assert table.charge(0, 1).allows(681, 800)
    assert not table.charge(0, 1).allows(678, 800)
    assert any(table.touching_at(0, *point) == 1 << 16 for point in unpacked(table.charge(0, 1).places(1)))


@pytest.mark.rule("OLO-DIR-01", "OLO-GEO-74")
def test_towards_and_away() -> None:
    rng = Random(6)
    for _ in range(6):
        made = crowded(rng)
        table = made.table()
        for compass in (3, 64 + rng.randrange(6)):
            free = table.move(0)
            for away, sign in ((False, -1), (True, 1)):
                displacement = table.move(0).towards(compass, away=away)
                for x, y in unpacked(free.places(25)):
                    assert displacement.allows(x, y) is (table.compare_after(0, x, y, compass) == sign)
                extra = set(displacement.places(25)) - set(free.places(25))
                assert all(free.allows(x, y) for x, y in unpacked(sorted(extra)))


def gap_at(table: Table, place: Place, compass: int) -> float:
    """In ticks."""
    probe = table.copy()
    probe.put(0, *place, table.place(0)[2])
    return INCH * probe.gap(0, compass)


@pytest.mark.rule("OLO-DIR-01", "OLO-DIR-02", "OLO-GEO-75")
@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("compass", [3, 65])
def test_direct_move_ends_within_a_tenth_of_an_inch_of_the_best_place(away: bool, compass: int) -> None:
    rng = Random(7)
    sign = -1 if away else 1
    seen = unlisted = 0
    for _ in range(8):
        table = random_scene(rng, 6, rng.choice((8, 24)), size=rng.choice((70, 110))).table(
            Ruler(90, 60), Ruler(70, 40)
        )
        directly, free = (
            table.push(0).towards(compass, away=away, directly=True),
            table.push(0).towards(compass, away=away),
        )
        fitting = unpacked(free.places(1))
        if not fitting:
            assert directly.best is None and not directly.places(50)
            continue
        seen += 1
        gaps = {point: sign * gap_at(table, point, compass) for point in fitting}
        best = min(gaps.values())
        assert directly.best is not None
        assert abs(gaps[(directly.best >> 11, directly.best & 2047)] - best) < 1e-6
        sampled = [gap for (x, y), gap in gaps.items() if x % 25 == y % 25 == 0]
        unlisted += not sampled or min(sampled) > best + 1270
        # By floating point what lies at the limit itself cannot be told.
        for point in rng.sample(sorted(gaps), min(400, len(gaps))):
            if abs(gaps[point] - best - 1270) > 1e-6:
                assert directly.allows(*point) is (gaps[point] < best + 1270)
    assert seen > 4 and unlisted


@pytest.mark.rule("OLO-GEO-75")
def test_directly_on_an_open_board_is_straight() -> None:
    table = scene((400, 800), (1400, 800)).table()
    places = list(unpacked(table.move(0).towards(1, directly=True).places(50)))
    assert max(places)[0] == 828
    assert all(abs(y - 800) < 120 and x > 810 for x, y in places)
    assert min(unpacked(table.move(0).towards(1, directly=True, away=True).places(50)))[0] <= 75
    pushed = list(unpacked(table.push(0).towards(1, directly=True).places(50)))
    assert max(pushed)[0] == 646


@pytest.mark.rule("OLO-DIR-03", "OLO-PUSH-04")
def test_no_place_fits_the_direction() -> None:
    table = scene((60, 60), (300, 300)).table()
    assert table.push(0).towards(1, away=True, directly=True).find() is None
    assert table.push(0).towards(1, away=True).find() is None
    assert list(table.push(0).towards(1, away=True).places(5)) == []
    # The compass in the same spot as the mover gives no ray, but a direction all the same.
    zone = scene((800, 800), pieces=[Piece.box(700, 700, 900, 900, zone=True)]).table()
    assert zone.move(0).towards(64).find() is None
    assert zone.move(0).towards(64, away=True, directly=True).find() is not None


@pytest.mark.rule("OLO-PLACE-02", "OLO-GEO-73")
@pytest.mark.parametrize("seed", range(3))
def test_nearest_free_place_is_found(seed: int) -> None:
    rng = Random(seed)
    for turn in range(8):
        made = random_scene(rng, 7, 14, size=120)
        table = made.table()
        x, y, radius = (
            rng.choice(list(made.discs.values())) if turn % 2 else (rng.randint(0, SIDE), rng.randint(0, SIDE), MEDIUM)
        )
        near = [
            ((to_x - x) ** 2 + (to_y - y) ** 2, to_y, to_x)
            for to_x in range(max(0, x - 130), min(SIDE, x + 130) + 1)
            for to_y in range(max(0, y - 130), min(SIDE, y + 130) + 1)
        ]
        for square, to_y, to_x in sorted(near):
            if square <= 130 * 130 and table.spot_free(to_x, to_y, radius):
                assert table.nearest_free(x, y, radius) == to_x << 11 | to_y
                break
        else:
            place = table.nearest_free(x, y, radius)
            assert place is None or hypot((place >> 11) - x, (place & 2047) - y) > 130


@pytest.mark.rule("OLO-GEO-73")
def test_search_for_the_nearest_free_place_has_a_limit() -> None:
    block = Piece.box(200, 200, 1400, 1400)
    table = scene(pieces=[block]).table()
    # 4 inches from the middle of a side, less the base: 341 steps inside the block.
    assert table.nearest_free(800, 1400 - 340, SMALL) == 800 << 11 | 1460
    assert table.nearest_free(800, 1400 - 341, SMALL) is None
    assert table.nearest_free(800, 800, SMALL) is None
    assert table.nearest_free(0, 0, SMALL) == 60 << 11 | 60
    assert table.nearest_free(1600, 1600, LARGE) == 1501 << 11 | 1501


def test_invalid_moves_are_refused() -> None:
    table = scene((400, 400), (800, 800)).table()
    with pytest.raises(ValueError, match="charge itself"):
        table.charge(0, 0)
    for displacement in (table.enter(0, SMALL), table.placement(0, INCH, SMALL), table.charge(0, 1)):
        with pytest.raises(ValueError, match="direction"):
            displacement.towards(1)
    for step in (0, -5, 401):
        with pytest.raises(ValueError, match="step of a list"):
            table.move(0).places(step)
    with pytest.raises(ValueError, match="ways of a move"):
        table.move(0, "crawl")  # type: ignore[arg-type]


def test_a_displacement_keeps_the_board_as_it_stood() -> None:
    table = scene((400, 400), (800, 800)).table()
    displacement = table.move(0)
    before = list(displacement.places(50))
    table.put(1, 560, 400, SMALL)
    table.remove(0)
    assert list(displacement.places(50)) == before
