"""Tests of Table: invalid arguments are refused, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cext.geometry import Board, Piece, Ruler, Table
from tests.cext.geometry.boards import MEDIUM, SMALL, scene


def standing() -> Table:
    return scene((400, 400), (800, 800, MEDIUM), pieces=[Piece.box(1000, 1000, 1100, 1100)]).table()


BAD: list[tuple[str, Callable[[Table], object]]] = [
    ("no figure or marker 2", lambda table: table.place(2)),
    ("no figure or marker 64", lambda table: table.place(64)),
    ("no figure or marker -1", lambda table: table.place(-1)),
    ("no figure or marker 2", lambda table: table.remove(2)),
    ("no figure or marker 2", lambda table: table.gap(2, 0)),
    ("no figure or marker 65", lambda table: table.gap(0, 65)),
    ("no figure or marker 64", lambda table: table.gap(64, 0)),
    ("no figure or marker 2", lambda table: table.compare_gap(0, 2, 0)),
    ("a distance is 0", lambda table: table.compare_gap(0, 1, -1)),
    ("a distance is 0", lambda table: table.is_within(0, 1, 406_401)),
    ("a distance is 0", lambda table: table.within(0, -1)),
    ("not a point of the board's lattice", lambda table: table.within_at(0, 1601, 0, 0)),
    ("not a point of the board's lattice", lambda table: table.within_at(0, 0, -1, 0)),
    ("no figure or marker 9", lambda table: table.within_at(9, 0, 0, 0)),
    ("no figure or marker 127", lambda table: table.touches(0, 127)),
    ("no figure or marker 5", lambda table: table.touching(5)),
    ("not a point of the board's lattice", lambda table: table.touching_at(0, -1, 0)),
    ("no figure or marker 5", lambda table: table.in_cover(5)),
    ("no figure or marker 5", lambda table: table.nearest(5, 1)),
    ("no figure or marker 200", lambda table: table.compare_after(0, 10, 10, 200)),
    ("no figure or marker 2", lambda table: table.sight(0, 2)),
    ("no figure or marker 2", lambda table: table.sight(2, 64)),
    ("no figure or marker 65", lambda table: table.sight(0, 65)),
    ("no figure or marker 65", lambda table: table.sight_line(0, 65)),
    ("no figure or marker 64", lambda table: table.sight_from(0, 10, 10, 64)),
    ("no figure or marker 7", lambda table: table.seen(7)),
    ("not a point of the board's lattice", lambda table: table.spot_free(5000, 0, SMALL)),
    ("a radius of 1 to", lambda table: table.spot_free(500, 500, 0)),
    ("a radius of 1 to", lambda table: table.nearest_free(500, 500, 25_401)),
    ("no figure or marker 64", lambda table: table.reach(64, 500, 500, Ruler(300, 80))),
    ("no figure or marker 64", lambda table: table.move(64)),
    ("no figure or marker 3", lambda table: table.push(3)),
    ("a radius of 1 to", lambda table: table.enter(0, -5)),
    ("no figure or marker 90", lambda table: table.placement(90, 0, SMALL)),
    ("a distance is 0", lambda table: table.placement(0, -1, SMALL)),
    ("no figure or marker 64", lambda table: table.charge(0, 64)),
    ("no figure or marker 99", lambda table: table.move(0).towards(99)),
    ("not a point of the board's lattice", lambda table: table.move(0).allows(0, 1601)),
    ("not a point of the board's lattice", lambda table: table.move(0).pose(-1, 0)),
    ("elements 0 to 63", lambda table: table.put(64, 500, 500, SMALL)),
    ("elements 0 to 63", lambda table: table.put(-1, 500, 500, SMALL)),
    ("a radius of 1 to", lambda table: table.put(0, 500, 500, 30_000)),
    ("not wholly on the board", lambda table: table.put(0, 59, 500, SMALL)),
    ("not wholly on the board", lambda table: table.put(0, 500, 1541, SMALL)),
]


@pytest.mark.parametrize(("message", "ask"), BAD, ids=[f"{number}" for number in range(len(BAD))])
def test_invalid_queries_are_refused_and_change_nothing(message: str, ask: Callable[[Table], object]) -> None:
    table = standing()
    with pytest.raises(ValueError, match=message):
        ask(table)
    assert table.present == 0b11
    assert table.place(0) == (400, 400, SMALL)
    assert table.place(1) == (800, 800, MEDIUM)


@pytest.mark.parametrize("value", [1 << 40, -(1 << 40)])
def test_numbers_too_large_for_the_machine_are_refused(value: int) -> None:
    table = standing()
    for ask in (
        lambda: table.place(value),
        lambda: table.put(0, value, 0, SMALL),
        lambda: table.spot_free(value, 0, SMALL),
        lambda: table.move(0).allows(0, value),
        lambda: table.move(0).places(value),
    ):
        with pytest.raises(OverflowError):
            ask()


def test_put_copy_and_remove() -> None:
    table = standing()
    other = table.copy()
    other.put(0, 500, 500, MEDIUM)
    other.remove(1)
    other.put(63, 900, 900, SMALL)
    assert other.present == 1 | 1 << 63
    assert other.place(0) == (500, 500, MEDIUM)
    assert table.present == 0b11
    assert table.place(0) == (400, 400, SMALL)
    assert other.board is table.board
    assert (other.move_ruler, other.push_ruler) == (table.move_ruler, table.push_ruler)


def test_the_rulers_are_those_of_the_game_unless_given() -> None:
    table = Table(Board())
    assert (table.move_ruler.length, table.move_ruler.width) == (300, 80)
    assert (table.push_ruler.length, table.push_ruler.width) == (100, 80)
    own = Table(Board(), Ruler(400, 50), Ruler(50, 50))
    assert (own.move_ruler.length, own.push_ruler.length) == (400, 50)


def test_gaps_are_shown_in_inches() -> None:
    table = standing()
    assert table.gap(0, 1) == pytest.approx((127 * 400 * 2**0.5 - SMALL - MEDIUM) / 12_700)
    assert table.gap(1, 64) == pytest.approx((127 * 200 * 2**0.5 - MEDIUM) / 12_700)
    inside = scene((500, 500), pieces=[Piece.box(300, 300, 700, 700, zone=True)]).table()
    assert inside.gap(0, 64) == pytest.approx(-SMALL / 12_700)
