"""Bots at one table at home."""

from __future__ import annotations

from cext.random import Rng
from cext.state import TERMINAL
from gamepacks.api import Budget, Code, PackBot, RandomBot, Turn, self_play, win_shares
from tests.support.games.kuhn import KuhnGame
from tests.support.games.sealed import BID, SealedGame, SealedState


class Bidder(PackBot):
    """Always bids the same, or all that it has; records the bids that it is shown."""

    name = "bidder"
    description = "Bids the same always."

    def __init__(self, amount: int) -> None:
        self.amount = amount
        self.shown: list[tuple[int, ...]] = []
        self.budgets: set[Budget] = set()

    def choose(self, turn: Turn) -> Code:
        assert isinstance(turn.state, SealedState)
        self.shown.append(tuple(turn.state.bids))
        self.budgets.add(turn.budget)
        # A bot may change the state that it receives.
        turn.state.coins[turn.seat] = 0
        return Code(BID(self.amount))


def test_each_seat_has_its_bot_and_is_asked_where_there_is_a_choice() -> None:
    high, low = Bidder(1), Bidder(0)
    game = SealedGame.configure(2, {"coins": 1, "rounds": 3})
    course = self_play(game, [(high, Budget(playouts=5)), (low, Budget())], Rng(1))
    assert course.end.actor() == TERMINAL
    assert win_shares(course.end.returns()) == (1, 0)
    # The winner of the first round has no coin, and so no choice, in the others.
    assert (len(high.shown), len(low.shown)) == (1, 3)
    assert (course.choices, course.steps) == (4, 6)
    assert (high.budgets, low.budgets) == ({Budget(playouts=5)}, {Budget()})


def test_bot_receives_a_state_resampled_for_its_seat() -> None:
    first, second = Bidder(1), Bidder(0)
    game = SealedGame.configure(2, {"coins": 9, "rounds": 9})
    self_play(game, [(first, Budget()), (second, Budget())], Rng(1))
    assert set(first.shown) == {(-1, -1)}
    # The other bid that waits is drawn anew, the own one is still to come.
    assert len({bid for bid, _ in second.shown}) > 2
    assert {own for _, own in second.shown} == {-1}


def test_the_same_generator_gives_the_same_match() -> None:
    game = KuhnGame.configure(3)
    seated = [(RandomBot(), Budget())] * 3

    def played(seed: int) -> list[bytes]:
        seen: list[bytes] = []
        course = self_play(game, seated, Rng(seed), lambda state: seen.append(state.to_bytes()))
        assert len(seen) == course.steps
        assert seen[-1] == course.end.to_bytes()
        return seen

    assert played(1) == played(1)
    assert len({tuple(played(seed)) for seed in range(5)}) > 1


def test_dice_of_their_own_do_not_depend_on_what_the_bots_draw() -> None:
    game = KuhnGame.configure(3)

    def deal(seed: int, dice: int) -> tuple[bytes, ...]:
        seen: list[bytes] = []
        self_play(
            game, [(RandomBot(), Budget())] * 3, Rng(seed), lambda state: seen.append(state.to_bytes()), Rng(dice)
        )
        return tuple(seen[:3])

    assert len({deal(seed, 7) for seed in range(5)}) == 1
    assert len({deal(1, dice) for dice in range(5)}) > 1
