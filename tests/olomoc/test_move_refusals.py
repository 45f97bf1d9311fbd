"""Reasons for which an element may not move to a place."""

from __future__ import annotations

from random import Random

import pytest

from cext.geometry import Board, Piece, Ruler, Table
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.refusals import MoveKind, PendingMove, why_not

SMALL = 7500


def table(*pieces: Piece, **discs: tuple[int, int]) -> Table:
    """A table with bases of 30 mm, ``e0=(100, 100)`` for element 0."""
    made = Table(Board(pieces), Ruler(300, 80), Ruler(100, 80))
    for name, (x, y) in discs.items():
        made.put(int(name[1:]), x, y, SMALL)
    return made


MOVE = PendingMove(MoveKind.MOVE, 0, SMALL)
PUSH = PendingMove(MoveKind.PUSH, 0, SMALL)
ENTER = PendingMove(MoveKind.ENTER, 0, SMALL, edge=2)
CHARGE = PendingMove(MoveKind.CHARGE, 0, SMALL, target=3)


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ((800, 1000), None),
        ((-1, 800), Reason.OFF_BOARD),
        ((59, 800), Reason.OFF_BOARD),
        ((800, 1541), Reason.OFF_BOARD),
        ((5000, 800), Reason.OFF_BOARD),
        ((800, 800), Reason.SAME_PLACE),
        ((1000, 850), Reason.OVERLAPS_ROUAGE),
        ((600, 850), Reason.OVERLAPS_MARKER),
        ((800, 500), Reason.OVERLAPS_SCENERY),
        ((800, 1400), Reason.OUT_OF_REACH),
    ],
)
def test_refusals_of_a_move(where: tuple[int, int], reason: Reason | None) -> None:
    low = Piece.box(700, 450, 900, 550, obstructing=False)
    zone = Piece.box(700, 900, 900, 1100, zone=True)
    laid = table(low, zone, e0=(800, 800), e3=(1000, 800), e16=(600, 800))
    assert why_not(laid, MOVE, *where) == reason


def test_refusal_distinguishes_a_blocked_ruler_from_a_place_too_far() -> None:
    walls = [Piece.box(700, 700, 730, 900), Piece.box(870, 700, 900, 900), Piece.box(700, 930, 900, 960)]
    laid = table(*walls, e0=(800, 800))
    assert why_not(laid, MOVE, 1000, 800) is Reason.NO_ROOM_FOR_RULER
    assert why_not(table(e0=(800, 800)), MOVE, 1000, 800) is None
    assert why_not(laid, MOVE, 1400, 800) is Reason.OUT_OF_REACH
    assert why_not(laid, PUSH, 1200, 800) is Reason.OUT_OF_REACH


def test_an_entry_is_from_its_line() -> None:
    laid = table(e3=(800, 300))
    assert why_not(laid, ENTER, 800, 100) is None
    assert why_not(laid, ENTER, 800, 1200) is Reason.OUT_OF_REACH
    assert why_not(laid, ENTER, 800, 320) is Reason.OVERLAPS_ROUAGE
    wall = table(Piece.box(0, 60, 1600, 90))
    assert why_not(wall, ENTER, 800, 200) is Reason.NO_ROOM_FOR_RULER


def test_a_charge_ends_with_its_target_engaged_and_in_sight() -> None:
    laid = table(e0=(300, 800), e3=(800, 800))
    assert why_not(laid, CHARGE, 620, 800) is None
    assert why_not(laid, CHARGE, 500, 800) is Reason.TARGET_NOT_ENGAGED
    wall = table(Piece.box(715, 600, 725, 1000), e0=(300, 800), e3=(800, 800))
    assert why_not(wall, CHARGE, 640, 800) is Reason.NO_SIGHT
    assert why_not(wall, CHARGE, 800, 1400) is Reason.OUT_OF_REACH


def test_refusals_by_a_direction_word() -> None:
    laid = table(e0=(800, 800), e3=(800, 1200))
    bound = laid.move(0).towards(3)
    assert why_not(laid, MOVE, 800, 900, bound) is None
    assert why_not(laid, MOVE, 800, 700, bound) is Reason.WRONG_DIRECTION
    assert why_not(laid, MOVE, 800, 700) is None


@pytest.mark.parametrize("seed", range(3))
def test_a_reason_is_given_if_and_only_if_the_displacement_refuses(seed: int) -> None:
    rng = Random(seed)
    discs = {f"e{i}": (rng.randrange(80, 1520), rng.randrange(80, 1520)) for i in (0, 3, 4, 16)}
    laid = table(Piece.box(500, 500, 700, 640), **discs)
    for move in (MOVE, PUSH, ENTER, CHARGE):
        displacement = move.displacement(laid)
        for _ in range(200):
            x, y = rng.randrange(0, 1601), rng.randrange(0, 1601)
            assert (why_not(laid, move, x, y) is None) == displacement.allows(x, y)
