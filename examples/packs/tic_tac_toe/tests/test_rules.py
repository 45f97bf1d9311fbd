"""Each rule of RULES.md."""

import pytest
from tic_tac_toe.game import MARK, TicTacToe, TicTacToeState

from gamepacks.api import TERMINAL, IllegalAction, InvalidPosition


def play(*cells: int, size: int = 3) -> TicTacToeState:
    """A match in which these cells were marked."""
    state = TicTacToe.configure(2, {"size": size}).initial_state()
    for cell in cells:
        state.apply(MARK(cell))
    assert isinstance(state, TicTacToeState)
    return state


@pytest.mark.rule("TIC-MARK-01")
def test_seats_mark_empty_cells_in_turn() -> None:
    state = play(4, size=5)
    assert state.actor() == 1
    assert state.legal() == [MARK(cell) for cell in range(25) if cell != 4]
    with pytest.raises(IllegalAction, match="not an empty cell"):
        state.apply(MARK(4))
    with pytest.raises(IllegalAction, match="seat 0 is not to act"):
        state.apply(MARK(5), 0)


@pytest.mark.rule("TIC-END-01")
@pytest.mark.parametrize("line", [(0, 1, 2), (1, 4, 7), (0, 4, 8), (2, 4, 6)])
def test_whole_line_wins(line: tuple[int, int, int]) -> None:
    first, second = [cell for cell in range(9) if cell not in line][:2]
    state = play(line[0], first, line[1], second)
    assert state.returns() == (0.0, 0.0)
    state.apply(MARK(line[2]))
    assert (state.actor(), state.returns()) == (TERMINAL, (1.0, -1.0))


@pytest.mark.rule("TIC-END-02")
def test_full_board_without_a_line_is_a_draw() -> None:
    state = play(0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert (state.actor(), state.returns()) == (TERMINAL, (0.0, 0.0))


def test_position_with_a_mark_that_cannot_be_is_refused() -> None:
    game = TicTacToe.configure(2)
    for marks in ([0, 0], [9], [-1], [0, 3, 1, 4, 2, 5]):
        with pytest.raises(InvalidPosition, match=rf"marks\[{len(marks) - 1}\]"):
            game.restore(game.messages.position(marks=marks))
