"""Tests of the grid: the functions for words and for arrays against each other and against a plain oracle."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cext.grid import Grid


def neighbours(rows: int, columns: int, cell: int) -> set[int]:
    row, column = divmod(cell, columns)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return {r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns}


def oracle_ends(rows: int, columns: int, free: set[int], start: int) -> set[int]:
    """All self-avoiding walks of 3 steps."""
    walks = [(start,)]
    for _ in range(3):
        walks = [
            (*walk, cell)
            for walk in walks
            for cell in neighbours(rows, columns, walk[-1])
            if cell in free and cell not in walk
        ]
    return {walk[-1] for walk in walks}


def oracle_component(rows: int, columns: int, members: set[int], cell: int) -> set[int]:
    """Labels spread until nothing changes."""
    found = {cell}
    while True:
        more = {other for cell in found for other in neighbours(rows, columns, cell)} & members
        if more <= found:
            return found
        found |= more


@st.composite
def boards(draw: st.DrawFn, largest: int = 12) -> tuple[int, int, set[int], int]:
    """Rows, columns, a set of cells, and a cell."""
    rows, columns = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    cells = st.integers(0, rows * columns - 1)
    # A set of either kind: few cells, or all but few.
    some = draw(st.sets(cells))
    return rows, columns, some if draw(st.booleans()) else set(range(rows * columns)) - some, draw(cells)


@given(boards())
@example((8, 8, set(range(64)), 0))
@example((8, 8, set(range(64)), 63))
@example((1, 1, {0}, 0))
@example((16, 16, set(range(256)), 255))
@example((4, 16, set(range(64)), 31))
def test_three_step_ends(board: tuple[int, int, set[int], int]) -> None:
    rows, columns, free, start = board
    grid = Grid(rows, columns)
    expected = sorted(oracle_ends(rows, columns, free, start))
    assert grid.three_step_ends(free, start) == expected
    assert grid.three_step_ends(free, start, wide=True) == expected


@given(boards())
@example((8, 8, set(range(64)), 5))
@example((16, 16, set(range(256)), 0))
def test_components(board: tuple[int, int, set[int], int]) -> None:
    rows, columns, members, cell = board
    grid = Grid(rows, columns)
    members = members | {cell}
    expected = sorted(oracle_component(rows, columns, members, cell))
    assert grid.component(members, cell) == expected
    assert grid.component(members, cell, wide=True) == expected


@given(boards(largest=8), st.integers(0, 63))
def test_a_path_leads_to_every_end_and_to_nothing_else(board: tuple[int, int, set[int], int], end: int) -> None:
    rows, columns, free, start = board
    grid = Grid(rows, columns)
    end %= rows * columns
    path = grid.three_step_path(free, start, end)
    if end not in oracle_ends(rows, columns, free, start):
        assert path is None
        return
    assert path is not None
    assert len(path) == len(set(path)) == 4
    assert (path[0], path[-1]) == (start, end)
    assert set(path[1:]) <= free
    assert all(after in neighbours(rows, columns, before) for before, after in pairwise(path))
    assert grid.three_step_path(free, start, end) == path


@given(boards())
def test_neighbours(board: tuple[int, int, set[int], int]) -> None:
    rows, columns, _, cell = board
    grid = Grid(rows, columns)
    assert (grid.rows, grid.columns) == (rows, columns)
    assert set(grid.neighbours(cell)) == neighbours(rows, columns, cell)
    assert len(grid.neighbours(cell)) == len(set(grid.neighbours(cell)))


def test_ends_of_a_lone_piece_amid_an_empty_board() -> None:
    ends = Grid(8, 8).three_step_ends(range(64), 27)
    distances = [abs(end // 8 - 3) + abs(end % 8 - 3) for end in ends]
    assert sorted(distances) == [1] * 4 + [3] * 12


@pytest.mark.parametrize(("rows", "columns"), [(0, 5), (5, 0), (17, 3), (3, 17), (-1, 4)])
def test_invalid_board_sizes_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(ValueError, match="1 to 16"):
        Grid(rows, columns)


def test_cells_off_the_board_are_refused() -> None:
    grid = Grid(3, 4)
    calls = [
        lambda: grid.neighbours(12),
        lambda: grid.neighbours(-1),
        lambda: grid.three_step_ends([12], 0),
        lambda: grid.three_step_ends([1], 12),
        lambda: grid.three_step_path([1], 0, 12),
        lambda: grid.three_step_path([1], -1, 0),
        lambda: grid.component([-1], 0),
        lambda: grid.component([1], 12),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="not on a board of 3 x 4"):
            call()
    with pytest.raises(ValueError, match="not among the members"):
        grid.component([1], 0)
