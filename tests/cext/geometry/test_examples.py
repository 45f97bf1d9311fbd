"""The numeric examples of the specification's section 4.12, and its table of thresholds in 4.1."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from cext.geometry import Piece, Ruler
from cext.geometry.units import INCH
from tests.cext.geometry.boards import LARGE, MEDIUM, SMALL, scene

LONG_RANGE = 4 * INCH


def contact(dx: int, dy: int, r1: int = SMALL, r2: int = SMALL) -> str:
    """How two bases stand to each other with the second at an offset in lattice steps."""
    table = scene((400, 400, r1), (400 + dx, 400 + dy, r2)).table()
    if table.compare_gap(0, 1, 0) < 0:
        return "overlap"
    return "contact" if table.touches(0, 1) else "apart"


def runs(values: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of each unbroken run."""
    result: list[tuple[int, int]] = []
    for value in values:
        if result and result[-1][1] == value - 1:
            result[-1] = result[-1][0], value
        else:
            result.append((value, value))
    return result


@pytest.mark.rule("OLO-GEO-01", "OLO-GEO-02", "OLO-GEO-04", "OLO-MEAS-02")
def test_g01_gap_and_long_range() -> None:
    table = scene((400, 400), (700, 800)).table()
    assert table.compare_gap(0, 1, 48_500) == 0
    assert table.gap(0, 1) == pytest.approx(3.8189, abs=5e-5)
    for y, sign in ((800, -1), (822, -1), (823, 1)):
        assert scene((400, 400), (700, y)).table().compare_gap(0, 1, LONG_RANGE) == sign


@pytest.mark.rule("OLO-GEO-05", "OLO-MEAS-04")
@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ((118, 0), "overlap"),
        ((119, 0), "contact"),
        ((120, 0), "contact"),
        ((121, 0), "apart"),
        ((83, 84), "overlap"),
        ((84, 84), "contact"),
        ((84, 85), "contact"),
        ((85, 85), "apart"),
    ],
)
def test_g02_contact(offset: tuple[int, int], expected: str) -> None:
    assert contact(*offset) == expected


@pytest.mark.rule("OLO-GEO-05")
def test_g02_gaps() -> None:
    for dx, gap in ((119, 113), (120, 240), (121, 367)):
        assert scene((400, 400), (400 + dx, 400)).table().compare_gap(0, 1, gap) == 0


@pytest.mark.rule("OLO-THREAT-01", "OLO-THREAT-02", "OLO-MEAS-03")
@pytest.mark.parametrize(
    ("offset", "engaged"), [((218, 0), True), ((219, 0), False), ((154, 154), True), ((154, 155), False)]
)
def test_g03_threat(offset: tuple[int, int], engaged: bool) -> None:
    table = scene((400, 400), (400 + offset[0], 400 + offset[1])).table()
    assert table.is_within(0, 1, INCH) is engaged
    assert table.within(1, INCH) == engaged


@pytest.mark.rule("OLO-MEAS-05", "OLO-THREAT-04")
def test_g04_shared_marker() -> None:
    table = scene((681, 800), (919, 800)).table()
    table.put(16, 800, 800, SMALL)
    assert table.compare_gap(0, 1, 15_226) == 0
    assert table.touching(16) == 0b11
    assert table.is_within(0, 1, INCH)
    assert table.within(0, INCH) == 1 << 1 | 1 << 16
    assert not table.is_within(0, 1, INCH - 1)
    table.put(1, 921, 800, SMALL)
    assert table.touching(16) == 0b01
    assert not table.is_within(0, 1, INCH)


@pytest.mark.rule("OLO-MEAS-05")
def test_only_small_markers_between_figures_bring_them_within_an_inch() -> None:
    for radius in (MEDIUM, LARGE):
        reach = (SMALL + radius + 113) // 127 + 1
        table = scene((800 - reach, 800), (800 + reach, 800)).table()
        table.put(16, 800, 800, radius)
        assert table.touching(16) == 0b11
        assert not table.is_within(0, 1, INCH)
    table = scene((681, 800), (919, 800), (800, 800)).table()
    assert table.touching(2) == 0b11
    assert not table.is_within(0, 1, INCH), "a figure in between is not a marker"
    table = scene((681, 800)).table()
    table.put(16, 800, 800, SMALL)
    table.put(17, 919, 800, SMALL)
    assert not table.is_within(0, 17, INCH), "the rule is about two figures"


@pytest.mark.rule("OLO-MEAS-04", "OLO-COVER-01")
@pytest.mark.parametrize(
    ("place", "gap", "expected"),
    [
        ((600, 759), None, "overlap"),
        ((600, 760), 120, "contact"),
        ((600, 761), 247, "contact"),
        ((600, 762), 374, "apart"),
        ((742, 741), None, "overlap"),
        ((742, 742), None, "contact"),
        ((743, 743), None, "contact"),
        ((743, 744), None, "apart"),
    ],
)
def test_g05_contact_with_a_box(place: tuple[int, int], gap: int | None, expected: str) -> None:
    table = scene(place, pieces=[Piece.box(500, 500, 700, 700, obstructing=False)]).table()
    assert (table.compare_gap(0, 64, 0) < 0) is (expected == "overlap")
    assert table.touches(0, 64) is (expected == "contact")
    assert table.in_cover(0) is (expected == "contact")
    if gap is not None:
        assert table.compare_gap(0, 64, gap) == 0


@pytest.mark.rule("OLO-GEO-04")
def test_g06_nearer_by_the_gap_and_not_by_the_centres() -> None:
    for y, nearest in ((939, 0b100), (940, 0b010)):
        table = scene((400, 400), (900, 400), (400, y, LARGE)).table()
        assert table.nearest(0, 0b110) == nearest
    assert scene((400, 400), (900, 400), (400, 900)).table().nearest(0, 0b110) == 0b110, "a real tie"


@pytest.mark.rule("OLO-LOS-01", "OLO-GEO-04")
def test_g07_over_the_top_of_a_wall() -> None:
    for top, visible in ((459, True), (460, False)):
        table = scene((400, 400), (1000, 400), pieces=[Piece.box(650, 100, 750, top)]).table()
        assert table.sight(0, 1) is table.sight(1, 0) is visible


@pytest.mark.rule("OLO-GEO-12", "OLO-LOS-01")
def test_g08_no_slit_between_touching_pieces() -> None:
    table = scene(
        (400, 800), (1200, 800), pieces=[Piece.box(700, 400, 900, 790), Piece.box(700, 790, 900, 1200)]
    ).table()
    assert [tuple(joint) for joint in table.board.joints] == [(101_600, 100_330, 1, -1)]
    assert not table.sight(0, 1)


@pytest.mark.rule("OLO-LOS-01")
def test_g09_past_a_box() -> None:
    visible = [
        y
        for y in range(300, 1000)
        if scene((300, 300), (1000, y), pieces=[Piece.box(500, 200, 620, 520)]).table().sight(0, 1)
    ]
    assert runs(visible) == [(814, 999)]


@pytest.mark.rule("OLO-LOS-01")
def test_g10_only_what_lies_between_blocks() -> None:
    assert scene((300, 800), (900, 800), pieces=[Piece.box(100, 700, 230, 900)]).table().sight(0, 1)
    assert not scene((300, 800), (900, 800), pieces=[Piece.box(500, 700, 560, 900)]).table().sight(0, 1)


@pytest.mark.rule("OLO-MOVE-02", "OLO-MOVE-05", "OLO-PUSH-01", "OLO-GEO-71")
def test_g11_reach_on_an_empty_board() -> None:
    table = scene((400, 800)).table()
    move, push, ruler = table.move(0), table.push(0), Ruler(300, 80)
    assert runs(k for k in range(1, 500) if table.reach(0, 400 + k, 800, ruler)) == [(1, 428)]
    assert runs(k for k in range(1, 500) if move.allows(400 + k, 800)) == [(1, 428)]
    assert runs(k for k in range(1, 500) if push.allows(400 + k, 800)) == [(1, 246)]


@pytest.mark.rule("OLO-GEO-71", "OLO-MOVE-05")
def test_g11_by_the_size_of_the_base() -> None:
    # Enclosed, so that no ruler fits.
    walls = [
        Piece.box(300, 690, 700, 735),
        Piece.box(300, 865, 700, 910),
        Piece.box(290, 735, 335, 865),
        Piece.box(640, 735, 680, 865),
    ]
    move = scene((400, 800), pieces=walls).table().move(0)
    assert runs(k for k in range(1, 500) if move.allows(400 + k, 800)) == [(1, 118)]


@pytest.mark.rule("OLO-MOVE-02", "OLO-GEO-06")
@pytest.mark.parametrize(
    ("gap", "ends"),
    [
        (120, [(861, 883), (1001, 1065)]),
        (200, [(861, 886), (897, 1068)]),
        (250, [(861, 1068)]),
        (0, []),
    ],
)
def test_g12_through_a_gap(gap: int, ends: list[tuple[int, int]]) -> None:
    if gap:
        walls = [Piece.box(700, 100, 800, 800 - gap // 2), Piece.box(700, 800 + gap // 2, 800, 1500)]
    else:
        walls = [Piece.box(700, 100, 800, 1500)]
    move = scene((640, 800), pieces=walls).table().move(0)
    assert runs(x for x in range(861, 1200) if move.allows(x, 800)) == ends


@pytest.mark.rule("OLO-ENTER-02", "OLO-GEO-70")
@pytest.mark.parametrize(("radius", "ends"), [(SMALL, (60, 369)), (MEDIUM, (79, 389)), (LARGE, (99, 408))])
def test_g13_entering(radius: int, ends: tuple[int, int]) -> None:
    north, east, south, west = (scene().table().enter(edge, radius) for edge in range(4))
    assert runs(y for y in range(1601) if south.allows(800, y)) == [ends]
    assert runs(y for y in range(1601) if north.allows(800, 1600 - y)) == [ends]
    assert runs(x for x in range(1601) if west.allows(x, 800)) == [ends]
    assert runs(x for x in range(1601) if east.allows(1600 - x, 800)) == [ends]


@pytest.mark.rule("OLO-GEO-76", "OLO-CHARGE-04")
def test_g14_charge() -> None:
    table = scene((400, 800), (1046, 800)).table()
    assert table.charge(0, 1).allows(828, 800)
    assert table.copy().charge(0, 1).find() is not None
    charge = scene((400, 800), (1047, 800)).table().charge(0, 1)
    assert not any(charge.allows(x, y) for x in range(780, 1000) for y in range(560, 1040))
    assert charge.find() is None


@pytest.mark.rule("OLO-GEO-77", "OLO-THREAT-05")
def test_g15_leaving_a_threat_zone() -> None:
    table = scene((500, 500), (700, 500)).table()
    assert table.gap(0, 1) == pytest.approx(0.8189, abs=5e-5)
    assert table.within(0, INCH) == table.within_at(0, 482, 500, INCH) == 0b10
    assert table.within_at(0, 481, 500, INCH) == 0
    table.put(0, 481, 500, SMALL)
    assert table.within(0, INCH) == table.within_at(0, 300, 500, INCH) == 0
    assert table.within_at(0, 482, 500, INCH) == 0b10


@pytest.mark.rule("OLO-GEO-04", "OLO-GEO-05")
@pytest.mark.parametrize(
    ("radii", "free", "touching", "threat", "near"),
    [
        ((SMALL, SMALL), 13_951, 14_426, 47_572, 268_438),
        ((SMALL, MEDIUM), 18_988, 19_542, 56_546, 289_223),
        ((SMALL, LARGE), 24_801, 25_433, 66_296, 310_784),
        ((MEDIUM, MEDIUM), 24_801, 25_433, 66_296, 310_784),
        ((MEDIUM, LARGE), 31_388, 32_100, 76_820, 333_119),
        ((LARGE, LARGE), 38_751, 39_541, 88_120, 356_230),
    ],
)
def test_thresholds(radii: tuple[int, int], free: int, touching: int, threat: int, near: int) -> None:
    table = scene((200, 200, radii[0]), (1400, 1400, radii[1])).table()
    for dx in range(0, 640, 3):
        for dy in range(0, 640, 7):
            square = dx * dx + dy * dy
            table.put(1, 200 + dx, 200 + dy, radii[1])
            assert (table.compare_gap(0, 1, 0) >= 0) is (square >= free)
            assert (table.touching(0) >> 1 & 1 == 1) is (free <= square <= touching)
            assert table.is_within(0, 1, INCH) is (square <= threat)
            assert table.is_within(0, 1, LONG_RANGE) is (square <= near)


@pytest.mark.rule("OLO-GEO-05", "OLO-MEAS-04")
@pytest.mark.parametrize("radii", [(SMALL, SMALL), (SMALL, MEDIUM), (MEDIUM, LARGE), (LARGE, LARGE)])
def test_a_place_in_contact_lies_in_every_direction(radii: tuple[int, int]) -> None:
    """Of each lattice row and column that a base touches, one point is in contact, on either side."""
    reach = sum(radii)
    for across in range(reach // 127 + 1):
        table = scene((800, 800, radii[0])).table()
        touching = []
        for along in range(reach // 127 + 3):
            table.put(1, 800 + along, 800 + across, radii[1])
            touching.append(table.touches(0, 1))
        assert any(touching), across


@pytest.mark.rule("OLO-GEO-03", "OLO-MOVE-01")
@pytest.mark.parametrize(("radius", "low", "high"), [(SMALL, 60, 1540), (MEDIUM, 79, 1521), (LARGE, 99, 1501)])
def test_wholly_on_the_board(radius: int, low: int, high: int) -> None:
    table = scene().table()
    assert runs(x for x in range(1601) if table.spot_free(x, 800, radius)) == [(low, high)]
    assert runs(y for y in range(1601) if table.spot_free(800, y, radius)) == [(low, high)]
