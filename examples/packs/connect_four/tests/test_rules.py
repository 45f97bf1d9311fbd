"""Each rule of RULES.md, and that both states are the same game."""

from typing import Any

import pytest
from connect_four.codes import DROP, ROWS
from connect_four.game import ConnectFour
from connect_four.reference import PythonState

from gamepacks.api import TERMINAL, IllegalAction, InvalidPosition, Rng


def play(columns: str) -> Any:
    """A match in which discs were dropped into these columns."""
    state = ConnectFour.configure(2).initial_state()
    for column in columns:
        state.apply(DROP(int(column)))
    return state


@pytest.mark.rule("FOUR-DROP-01")
def test_discs_fall_in_turn_and_a_full_column_takes_none() -> None:
    state = play("000000")
    view = state.game.view(state, -1)
    assert list(view.cells[::7]) == [1, 2, 1, 2, 1, 2]
    assert state.actor() == 0
    with pytest.raises(IllegalAction, match="column 0 is full"):
        state.apply(DROP(0))
    with pytest.raises(IllegalAction, match="seat 1 is not to act"):
        state.apply(DROP(1), 1)


@pytest.mark.rule("FOUR-END-01")
@pytest.mark.parametrize("columns", ["0101010", "0011223", "01122323363", "65544343303"])
def test_four_in_a_line_win(columns: str) -> None:
    assert play(columns[:-1]).actor() == 0
    state = play(columns)
    assert (state.actor(), state.returns()) == (TERMINAL, (1.0, -1.0))


def test_a_line_does_not_go_on_in_the_next_column() -> None:
    # Seat 1 has the three top cells of column 0, and the lowest of column 1.
    assert play("0102004040").actor() == 0


@pytest.mark.rule("FOUR-END-02")
def test_full_board_without_a_line_is_a_draw() -> None:
    state = play("165500010044066222352165463452111244563333")
    assert (state.actor(), state.returns()) == (TERMINAL, (0.0, 0.0))


def test_position_with_a_drop_that_cannot_be_is_refused() -> None:
    game = ConnectFour.configure(2)
    for drops in ([0] * (ROWS + 1), [7], [-1], [0, 1, 0, 1, 0, 1, 0, 1]):
        with pytest.raises(InvalidPosition, match=rf"drops\[{len(drops) - 1}\]"):
            game.restore(game.messages.position(drops=drops))


@pytest.mark.parametrize("seed", range(10))
def test_compiled_state_equals_the_one_in_python(seed: int) -> None:
    rng, game = Rng(seed), ConnectFour.configure(2)
    compiled, plain = game.initial_state(), PythonState(game)
    while True:
        assert compiled.actor() == plain.actor()
        assert compiled.returns() == plain.returns()
        assert compiled.to_bytes() == plain.to_bytes()
        for seat in (-1, 0, 1):
            assert compiled.legal(seat) == plain.legal(seat)
        if plain.actor() == TERMINAL:
            return
        code = rng.choice(plain.legal())
        compiled.apply(code)
        plain.apply(code)
