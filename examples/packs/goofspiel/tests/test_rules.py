"""Each rule of RULES.md."""

import pytest
from goofspiel.game import BID, PRIZE, Goofspiel, GoofspielState

from gamepacks.api import CHANCE, SIMULTANEOUS, TERMINAL, IllegalAction


def play(*rounds: tuple[int, ...], **options: object) -> GoofspielState:
    """A match of these rounds: the prize, and a bid of each seat."""
    state = Goofspiel.configure(len(rounds[0]) - 1, options).initial_state()
    for prize, *bids in rounds:
        state.apply(PRIZE(prize))
        for seat, bid in enumerate(bids):
            state.apply(BID(bid), seat)
    return state


@pytest.mark.rule("GOOF-SETUP-01")
def test_prizes_and_hands_have_each_card_once() -> None:
    state = Goofspiel.configure(3, {"cards": 4}).initial_state()
    assert state.actor() == CHANCE
    assert state.chance() == [(PRIZE(prize), 1) for prize in (1, 2, 3, 4)]
    state.apply(PRIZE(2))
    assert [state.legal(seat) for seat in range(3)] == [[BID(card) for card in (1, 2, 3, 4)]] * 3


@pytest.mark.rule("GOOF-BID-01")
def test_seats_bid_in_any_order_and_each_card_once() -> None:
    state = play((5, 1, 2), cards=5)
    state.apply(PRIZE(4))
    assert (state.actor(), state.seats_to_act()) == (SIMULTANEOUS, 0b11)
    state.apply(BID(3), 1)
    assert state.seats_to_act() == 0b01
    with pytest.raises(IllegalAction, match="not legal"):
        state.apply(BID(1), 0)
    with pytest.raises(IllegalAction, match="seat 1 is not to act"):
        state.apply(BID(4), 1)


@pytest.mark.rule("GOOF-BID-02")
def test_highest_bid_takes_the_prize() -> None:
    assert play((5, 1, 2), (3, 4, 1), cards=5).points() == [3, 5]


@pytest.mark.rule("GOOF-BID-03")
@pytest.mark.parametrize(("ties", "points"), [("discard", [3, 0, 0]), ("carry", [8, 0, 0])])
def test_prize_of_a_tie(ties: str, points: list[int]) -> None:
    assert play((5, 1, 2, 2), (3, 4, 1, 3), cards=5, ties=ties).points() == points


@pytest.mark.rule("GOOF-END-01")
def test_most_points_win() -> None:
    state = play((1, 1, 2), (2, 2, 1), (3, 3, 3), cards=3)
    assert state.actor() == TERMINAL
    assert (state.points(), state.returns()) == ([2, 1], (1.0, -1.0))
