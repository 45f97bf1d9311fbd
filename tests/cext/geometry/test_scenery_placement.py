"""Tests of the places for scenery: the search over squares against a check of each place (OLO-SETUP-03)."""

from __future__ import annotations

from random import Random

import pytest

from cext.geometry import Part, Piece, Point, SceneryPlacement, ShapeError, loose_parts, setup_fault, turned
from tests.cext.geometry.boards import random_pieces

SHAPES: tuple[tuple[tuple[Point, ...], int], ...] = (
    (((0, 0), (200, 0), (200, 60), (0, 60)), 0),
    (((-100, -30), (100, -30), (140, 40), (-20, 90)), 0),
    (((0, 0), (300, 0), (300, 300), (200, 300), (200, 100), (0, 100)), 0),
    (((0, 0),), 12_700),
)
"""A plank, a skew one, an L, a round piece: corners about the origin and radius."""


def piece_at(corners: tuple[Point, ...], radius: int, rotation: int, x: int, y: int, zone: bool = False) -> Piece:
    if radius:
        return Piece.disc(x, y, radius, zone=zone)
    return Piece.polygon(turned(corners, rotation, x, y), zone=zone)


@pytest.mark.rule("OLO-SETUP-03", "OLO-GEO-13")
@pytest.mark.parametrize("zone", [False, True])
@pytest.mark.parametrize(("corners", "radius"), SHAPES)
def test_bulk_and_single_answers_agree(corners: tuple[Point, ...], radius: int, zone: bool) -> None:
    """At random places, and where good places end, where the answer changes from step to step."""
    rng = Random(11)
    answers = {True: 0, False: 0}
    for _ in range(8):
        there = random_pieces(rng, 4, apart=0, size=250)
        markers = [Part(((127 * rng.randrange(100, 1500), 127 * rng.randrange(100, 1500)),), 7_500)]
        rotation = 0 if radius else rng.randrange(16)
        others = [] if zone else [*(other.parts() for other in there), *((marker,) for marker in markers)]
        placement = SceneryPlacement(loose_parts(corners, radius, rotation), others)
        # Of the good places those beside a bad one, where every step matters.
        good = placement.places(7, 0, 1600)
        for _ in range(200):
            x, y = rng.randrange(1601), rng.randrange(1601)
            if good and rng.random() < 0.5:
                x, y = good[rng.randrange(len(good))]
                while placement.may_lie(x, y):
                    x += 1
                x += rng.randrange(-2, 3)
            try:
                fault = setup_fault(piece_at(corners, radius, rotation, x, y, zone), there, markers)
            except ShapeError:
                fault = "edge"
            assert placement.may_lie(x, y) == (fault is None), (rotation, x, y, fault)
            answers[fault is None] += 1
    assert min(answers.values()) > 50


@pytest.mark.rule("OLO-SETUP-03")
@pytest.mark.parametrize(("corners", "radius"), SHAPES)
def test_a_place_is_found_if_there_is_one(corners: tuple[Point, ...], radius: int) -> None:
    """On crowded boards, against every place of the lattice."""
    crowded = (
        [Piece.box(200 + 450 * i, 200 + 450 * j, 450 + 450 * i, 450 + 450 * j) for i in range(3) for j in range(3)],
        [Piece.box(0, 0, 1600, 700), Piece.box(0, 702, 780, 1600), Piece.box(990, 702, 1600, 1600)],
        [Piece.box(0, 0, 1600, 700), Piece.box(0, 702, 1537, 1600)],
    )
    for there in crowded:
        for rotation in (0,) if radius else (3,):
            placement = SceneryPlacement(loose_parts(corners, radius, rotation), [piece.parts() for piece in there])
            places = placement.places(1, 0, 1600)
            found = placement.any_place()
            assert (found is None) == (not places)
            assert found is None or found in places


def test_both_outcomes_occur_on_the_crowded_boards() -> None:
    """The slot of the last board takes a plank that stands, and none that lies."""
    there = [Piece.box(0, 0, 1600, 700).parts(), Piece.box(0, 702, 1537, 1600).parts()]
    plank = SHAPES[0][0]
    assert SceneryPlacement(loose_parts(plank, 0, 0), there).any_place() is None
    assert SceneryPlacement(loose_parts(plank, 0, 4), there).any_place() is not None


@pytest.mark.rule("OLO-GEO-13")
def test_parts_of_a_turned_piece_are_those_of_the_piece_that_is_laid() -> None:
    for corners, radius in SHAPES:
        for rotation in (0,) if radius else range(16):
            laid = piece_at(corners, radius, rotation, 700, 800).parts()
            moved = [
                Part(tuple((x + 127 * 700, y + 127 * 800) for x, y in part.points), part.radius)
                for part in loose_parts(corners, radius, rotation)
            ]
            assert list(laid) == moved
