"""Lists of places: what they hold, what they leave out, and that they are samples of what the check accepts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import cos, hypot, isqrt, radians, sin
from random import Random

import pytest

from cext.geometry import Piece, Ruler, Table, Trip
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

INCH = 12_700
FOES = 0b111000

Place = tuple[int, int]


def crowded(rng: Random) -> Scene:
    return random_scene(rng, 6, 8, size=110)


def trips(table: Table, rng: Random) -> Iterator[Trip]:
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
    yield table.move(4).towards(0, directly=True, foes=FOES)
    yield table.move(4).towards(66, directly=True, away=True)
    yield table.push(4).towards(0, directly=True)


@pytest.mark.parametrize("seed", range(3))
def test_a_raster_has_every_legal_place_of_its_step(seed: int) -> None:
    rng = Random(seed)
    table = crowded(rng).table()
    for trip in trips(table, rng):
        step = rng.choice((20, 37, 50))
        x0, y0, columns, rows, bits = trip.raster(step)
        width = (columns + 7) // 8
        assert len(bits) == width * rows
        drawn = {
            (x0 + column * step, y0 + row * step)
            for row in range(rows)
            for column in range(8 * width)
            if bits[row * width + column // 8] >> column % 8 & 1
        }
        assert drawn == {place for place in product(range(0, SIDE + 1, step), repeat=2) if trip.allows(*place)}
    with pytest.raises(ValueError, match="step"):
        table.move(0).raster(0)


@pytest.mark.rule("OLO-GEO-60", "OLO-GEO-62")
@pytest.mark.parametrize("seed", range(4))
def test_lists_hold_the_legal_lattice_and_nothing_illegal(seed: int) -> None:
    rng = Random(seed)
    for _ in range(3):
        table = crowded(rng).table()
        for trip in trips(table, rng):
            step = rng.choice((25, 50, 100))
            places = trip.places(step, FOES)
            assert list(places) == sorted(set(places))
            points = set(unpacked(places))
            assert all(trip.allows(*point) for point in points)
            lattice = {point for point in product(range(0, SIDE + 1, step), repeat=2) if trip.allows(*point)}
            assert lattice <= points
            assert trip.any(step, FOES) is bool(places)


@pytest.mark.rule("OLO-CAP-08")
def test_any_is_whether_the_list_holds_one() -> None:
    """In narrow cells, where often it does not."""
    rng = Random(1)
    seen = set()
    for _ in range(25):
        x, y, a, b = rng.randint(400, 1200), rng.randint(400, 1200), rng.randint(64, 110), rng.randint(64, 110)
        cell = [
            Piece.box(x - a - 30, y - b - 30, x + a + 30, y - b),
            Piece.box(x - a - 30, y + b, x + a + 30, y + b + 30),
            Piece.box(x - a - 30, y - b, x - a, y + b),
            Piece.box(x + a, y - b, x + a + 30, y + b),
        ]
        for trip in (scene((x, y), pieces=cell).table().move(0), scene((x, y), pieces=cell).table().push(0)):
            for step in (25, 50, 100):
                assert trip.any(step) is bool(trip.places(step))
                seen.add(trip.any(step))
    assert seen == {True, False}


@pytest.mark.rule("OLO-GEO-60")
def test_nothing_is_legal_out_of_the_box_that_is_searched() -> None:
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
def test_how_many_lattice_points_there_are(radius: int, step: int, about: int) -> None:
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
def test_long_lists_are_cut_and_keep_their_ring_points() -> None:
    rng = Random(2)
    made = scene((800, 800, LARGE))
    table = made.table(move_ruler=Ruler(800, 80))
    for element in range(1, 10):
        place_disc(rng, table, element)
    trip = table.move(0)
    places = set(trip.places(50, FOES))
    assert len(places) == 640
    off_lattice = {place for place in trip.places(25, FOES) if (place >> 11) % 25 or (place & 2047) % 25}
    assert len(off_lattice) > 50
    assert off_lattice <= places
    # Of the lattice the first are kept; of the rest those alone that are ring points, too.
    whole = [x << 11 | y for x, y in product(range(0, SIDE + 1, 50), repeat=2) if trip.allows(x, y)]
    kept = [place in places for place in whole]
    cut = kept.index(False)
    assert cut > 400
    for place, is_kept in zip(whole[cut:], kept[cut:], strict=True):
        point = place >> 11, place & 2047
        edge = table.within_at(0, *point, INCH) & ~table.within_at(0, *point, INCH - 254)
        assert not is_kept or table.touching_at(0, *point) or edge


@pytest.mark.rule("OLO-GEO-61")
def test_ring_points_of_discs() -> None:
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
def test_ring_points_of_pieces() -> None:
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
            trip = table.placement(target, 2 * INCH, MEDIUM)
            probe = table.copy()
            for _ in range(150):
                x, y = (rng.randint(0, SIDE) for _ in range(2))
                expected = probe.spot_free(x, y, MEDIUM)
                if expected:
                    probe.put(40, x, y, MEDIUM)
                    expected = probe.is_within(40, target, 2 * INCH)
                    probe.remove(40)
                assert trip.allows(x, y) is expected
            assert trip.pose(*next(unpacked(trip.places(10)))) is None


@pytest.mark.rule("OLO-GEO-76", "OLO-CHARGE-01", "OLO-CHARGE-05")
def test_a_charge_ends_near_the_target_and_in_its_sight() -> None:
    rng = Random(5)
    legal = 0
    for _ in range(60):
        made = crowded(rng)
        table = made.table()
        for _ in range(6):
            target = rng.randint(1, 7)
            trip, move = table.charge(0, target), table.move(0)
            x, y, _ = made.discs[target]
            place = x + rng.randint(-220, 220), y + rng.randint(-220, 220)
            if not all(0 <= value <= SIDE for value in place):
                continue
            expected = (
                move.allows(*place)
                and bool(table.within_at(0, *place, INCH) >> target & 1)
                and table.sight_from(0, *place, target)
            )
            assert trip.allows(*place) is expected
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
                trip = table.move(0).towards(compass, away=away)
                for x, y in unpacked(free.places(25)):
                    assert trip.allows(x, y) is (table.compare_after(0, x, y, compass) == sign)
                extra = set(trip.places(25)) - set(free.places(25))
                assert all(free.allows(x, y) for x, y in unpacked(sorted(extra)))


def gap_at(table: Table, place: Place, compass: int) -> float:
    """In ticks."""
    probe = table.copy()
    probe.put(0, *place, table.place(0)[2])
    return INCH * probe.gap(0, compass)


@pytest.mark.rule("OLO-DIR-01", "OLO-DIR-02", "OLO-GEO-75")
@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("compass", [3, 65])
def test_directly_is_within_a_tenth_of_an_inch_of_the_best(away: bool, compass: int) -> None:
    rng = Random(7)
    seen = 0
    for _ in range(6):
        made = crowded(rng)
        table = made.table()
        trip, free = table.move(0).towards(compass, away=away, directly=True), table.move(0)
        places = list(unpacked(trip.places(50)))
        sign = -1 if away else 1
        start = gap_at(table, made.discs[0][:2], compass)
        points = [point for point in unpacked(free.places(25)) if point[0] % 25 == point[1] % 25 == 0]
        lattice = [gap_at(table, point, compass) for point in points]
        if not places:
            assert all(sign * gap >= sign * start for gap in lattice)
            continue
        seen += 1
        gaps = [gap_at(table, point, compass) for point in places]
        assert all(sign * gap < sign * start for gap in gaps)
        best = min(sign * gap for gap in gaps)
        # Nothing that was looked at is better than what is listed.
        assert all(sign * gap >= best - 1e-6 for gap in lattice)
        # All that fits comes near it, and what does not fit is farther.
        closer = [(sign * gap_at(table, point, compass), trip.allows(*point)) for point in unpacked(free.places(25))]
        closer = [(gap, fits) for gap, fits in closer if gap < sign * start]
        closer += [(sign * gap, True) for gap in gaps]
        within = max(gap for gap, fits in closer if fits)
        assert within <= min(sign * gap for gap in lattice) + 1270 + 1e-6
        assert all(gap > within for gap, fits in closer if not fits)
        assert all(fits for gap, fits in closer if gap < best + 1270 - 1e-6)
    assert seen > 3


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
    assert not table.push(0).towards(1, away=True, directly=True).any(5)
    assert not table.push(0).towards(1, away=True).any(5)
    assert list(table.push(0).towards(1, away=True).places(5)) == []
    # The compass in the same spot as the mover gives no ray, but a direction all the same.
    zone = scene((800, 800), pieces=[Piece.box(700, 700, 900, 900, zone=True)]).table()
    assert not zone.move(0).towards(64).any(50)
    assert zone.move(0).towards(64, away=True, directly=True).any(50)


@pytest.mark.rule("OLO-PLACE-02", "OLO-GEO-73")
@pytest.mark.parametrize("seed", range(3))
def test_as_near_as_possible(seed: int) -> None:
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
def test_as_near_as_possible_has_a_limit() -> None:
    block = Piece.box(200, 200, 1400, 1400)
    table = scene(pieces=[block]).table()
    # 4 inches from the middle of a side, less the base: 341 steps inside the block.
    assert table.nearest_free(800, 1400 - 340, SMALL) == 800 << 11 | 1460
    assert table.nearest_free(800, 1400 - 341, SMALL) is None
    assert table.nearest_free(800, 800, SMALL) is None
    assert table.nearest_free(0, 0, SMALL) == 60 << 11 | 60
    assert table.nearest_free(1600, 1600, LARGE) == 1501 << 11 | 1501


def test_bad_trips() -> None:
    table = scene((400, 400), (800, 800)).table()
    with pytest.raises(ValueError, match="charge itself"):
        table.charge(0, 0)
    for trip in (table.enter(0, SMALL), table.placement(0, INCH, SMALL), table.charge(0, 1)):
        with pytest.raises(ValueError, match="direction"):
            trip.towards(1)
    for step in (0, -5, 401):
        with pytest.raises(ValueError, match="step of a list"):
            table.move(0).places(step)
        with pytest.raises(ValueError, match="step of a list"):
            table.move(0).any(step)


def test_a_trip_keeps_the_board_as_it_stood() -> None:
    table = scene((400, 400), (800, 800)).table()
    trip = table.move(0)
    before = list(trip.places(50))
    table.put(1, 560, 400, SMALL)
    table.remove(0)
    assert list(trip.places(50)) == before
