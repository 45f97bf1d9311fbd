"""The bots that play every game."""

from __future__ import annotations

from collections import Counter

import pytest

from cext.random import Rng
from cext.search import flat_monte_carlo, rank_by_evaluation
from cext.state import CHANCE, TERMINAL, State
from gamepacks.api import (
    Budget,
    Capabilities,
    Code,
    GreedyBot,
    Guide,
    MonteCarloBot,
    PackBot,
    PackError,
    RandomBot,
    RegretBot,
    Seat,
    TreeSearchBot,
    Turn,
)
from tests.support.games import kuhn
from tests.support.games.kuhn import BET, CALL, CHECK, DEAL, FOLD, KuhnGame
from tests.support.games.sealed import BID, SealedGame


class Arms(State):
    """One seat, one decision among arms; arm ``best`` wins more often than the others, by a roll of chance."""

    def __init__(self, count: int, best: int, chosen: int = -1, log: list[int] | None = None) -> None:
        self.count, self.best, self.chosen, self.rolled = count, best, chosen, -1
        self.log = [] if log is None else log

    def actor(self) -> int:
        return 0 if self.chosen < 0 else CHANCE if self.rolled < 0 else TERMINAL

    def legal(self, seat: int = -1) -> list[int]:
        return list(range(self.count)) if self.chosen < 0 else []

    def chance(self) -> list[tuple[int, int]]:
        won = 7 if self.chosen == self.best else 4
        return [(0, 10 - won), (1, won)]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        if self.chosen < 0:
            self.chosen = code
            self.log.append(code)
        else:
            self.rolled = code

    def clone(self) -> Arms:
        return Arms(self.count, self.best, self.chosen, self.log)

    def returns(self) -> tuple[float, ...]:
        return (float(self.rolled),)


def test_flat_monte_carlo_finds_the_best_arm_and_spends_its_budget() -> None:
    right = 0
    for seed in range(20):
        state = Arms(8, seed % 8)
        ranking = flat_monte_carlo(state, 0, Rng(seed), playouts=1200)
        right += ranking[0][0] == seed % 8
        assert sum(visits for _, visits, _ in ranking) == 1200 == len(state.log)
        assert sorted(code for code, _, _ in ranking) == list(range(8))
        # Halving: the two of the last round were tried far more often than those of the first.
        visits = [visits for _, visits, _ in ranking]
        assert visits[0] == visits[1] > 2 * visits[2] > 2 * visits[4]
        assert state.actor() == 0
    assert right >= 18


def test_means_equal_the_known_odds() -> None:
    ranking = flat_monte_carlo(Arms(2, 1), 0, Rng(4), playouts=8000)
    means = {code: mean for code, _, mean in ranking}
    assert means[1] == pytest.approx(0.7, abs=0.04)
    assert means[0] == pytest.approx(0.4, abs=0.04)


def test_a_budget_smaller_than_the_list_favours_no_place_in_it() -> None:
    first = Counter(flat_monte_carlo(Arms(6, 0), 0, Rng(seed), playouts=1)[0][0] for seed in range(600))
    assert set(first) == set(range(6))
    assert min(first.values()) > 60
    ranking = flat_monte_carlo(Arms(6, 0), 0, Rng(1), playouts=3)
    assert [visits for _, visits, _ in ranking] == [1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("actions", [1, 2, 3, 5, 7, 16, 17])
@pytest.mark.parametrize("playouts", [1, 2, 10, 333])
def test_every_budget_is_spent_to_the_last_play_out(actions: int, playouts: int) -> None:
    ranking = flat_monte_carlo(Arms(actions, 0), 0, Rng(2), playouts=playouts)
    assert sum(visits for _, visits, _ in ranking) == playouts
    assert len(ranking) == actions


def test_a_budget_of_play_outs_is_deterministic() -> None:
    game = KuhnGame.configure(3, {"deals": 3})
    state = game.initial_state()
    for card in (2, 0, 3):
        state.apply(DEAL(card))
    answers = [flat_monte_carlo(state, 0, Rng(9), playouts=100, resample=True) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0] != flat_monte_carlo(state, 0, Rng(10), playouts=100, resample=True)


def test_a_budget_of_time_ends_and_gives_an_answer_however_short() -> None:
    ranking = flat_monte_carlo(Arms(4, 2), 0, Rng(3), seconds=0.02)
    assert ranking[0][1] > 0
    assert sum(visits for _, visits, _ in flat_monte_carlo(Arms(4, 2), 0, Rng(3), seconds=1e-9)) >= 1
    # Whichever ends first: ten play-outs do not take an hour.
    assert sum(visits for _, visits, _ in flat_monte_carlo(Arms(4, 2), 0, Rng(3), playouts=10, seconds=3600.0)) == 10


def test_search_without_budget_or_action_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a budget"):
        flat_monte_carlo(Arms(4, 2), 0, Rng(3))
    with pytest.raises(ValueError, match="no legal action"):
        flat_monte_carlo(Arms(4, 2, chosen=1), 0, Rng(3), playouts=5)


def test_exception_of_the_rules_is_raised() -> None:
    class Failing(Arms):
        def clone(self) -> Arms:
            raise KeyError("rules")

    with pytest.raises(KeyError, match="rules"):
        flat_monte_carlo(Failing(3, 0), 0, Rng(1), playouts=5)


def test_play_out_beyond_max_plies_counts_its_current_returns() -> None:
    class Endless(Arms):
        steps = 0

        def actor(self) -> int:
            return 0

        def legal(self, seat: int = -1) -> list[int]:
            return [0, 1]

        def apply_unchecked(self, code: int, seat: int = -1) -> None:
            self.chosen = code if self.chosen < 0 else self.chosen
            Endless.steps += 1

        def clone(self) -> Endless:
            return Endless(2, 0, self.chosen)

        def returns(self) -> tuple[float, ...]:
            return (float(self.chosen),)

    assert flat_monte_carlo(Endless(2, 0), 0, Rng(1), playouts=10, max_plies=5)[0] == (1, 5, 1.0)
    assert Endless.steps == 10 * (1 + 5)


def dealt(*cards: int) -> kuhn.KuhnState:
    state = KuhnGame.configure(2, {"ranks": 3}).initial_state()
    for card in cards:
        state.apply(DEAL(card))
    return state


searchers = pytest.mark.parametrize("bot", [MonteCarloBot(), TreeSearchBot()], ids=lambda bot: bot.name)


def choose(bot: PackBot, state: State, seat: int, budget: Budget, seed: int = 1) -> Code:
    return bot.choose(Turn(state.game, state, Seat(seat), Rng(seed), budget))


@searchers
def test_obvious_moves_of_a_hidden_game_are_played(bot: PackBot) -> None:
    for budget in (Budget(playouts=200), Budget(milliseconds=50), Budget()):
        # With the best card a bet is called; with the worst it is not.
        best, worst = dealt(0, 2), dealt(2, 0)
        for state in (best, worst):
            state.apply(BET(), 0)
        assert choose(bot, best, 1, budget) == CALL()
        assert choose(bot, worst, 1, budget) == FOLD()


def test_monte_carlo_does_not_look_at_hidden_cards() -> None:
    # With the middle card, whether to call depends on what the other holds: the bot must not know.
    answers = []
    for other in (0, 2):
        state = dealt(other, 1)
        state.apply(BET(), 0)
        ranking = flat_monte_carlo(state, 1, Rng(5), playouts=4000, resample=True)
        answers.append({code: mean for code, _, mean in ranking}[CALL()])
    assert answers == pytest.approx([0.0, 0.0], abs=0.1)
    # Without resampling it would.
    state = dealt(0, 1)
    state.apply(BET(), 0)
    assert {c: m for c, _, m in flat_monte_carlo(state, 1, Rng(5), playouts=50)}[CALL()] == 1.0


@searchers
def test_simultaneous_games_are_played(bot: PackBot) -> None:
    game = SealedGame.configure(2, {"rounds": 1, "coins": 3})
    state = game.initial_state()
    # A single round: the highest bid can only win or tie.
    assert choose(bot, state, 0, Budget(playouts=400)) == BID(3)
    state.apply(BID(3), 1)
    assert choose(bot, state, 0, Budget(playouts=400)) == BID(3)


@searchers
def test_a_single_action_is_taken_without_search(bot: PackBot) -> None:
    class OneWay(Arms):
        def clone(self) -> Arms:
            raise AssertionError("searched")

    state = OneWay(1, 0)
    state.game = KuhnGame.configure(2)
    assert choose(bot, state, 0, Budget(playouts=10)) == 0


@searchers
def test_resampling_is_for_games_with_secrets_only(bot: PackBot) -> None:
    class Open(Arms):
        def resample(self, viewer: int, rng: Rng) -> State:
            raise AssertionError("resampled")

        def clone(self) -> Arms:
            return Open(self.count, self.best, self.chosen, self.log)

        def returns(self) -> tuple[float, ...]:
            return (float(self.rolled), -float(self.rolled))

    class OpenGame(KuhnGame):
        capabilities = Capabilities(2, 2, chance=True, hidden=False, simultaneous=False, max_plies=4)

    state = Open(3, 1)
    state.game = OpenGame.configure(2)
    assert choose(bot, state, 0, Budget(playouts=600)) == 1


def test_the_regret_bot_mixes_its_actions_and_gives_up_bad_ones() -> None:
    def taken(state: State, seat: int, budget: Budget) -> Counter[int]:
        return Counter(choose(RegretBot(), state, seat, budget, seed) for seed in range(40))

    best, worst, first = dealt(0, 2), dealt(2, 0), dealt(0, 1)
    for state in (best, worst):
        state.apply(BET(), 0)
    assert taken(best, 1, Budget())[CALL()] >= 36 and taken(worst, 1, Budget())[FOLD()] >= 36
    assert set(taken(first, 0, Budget(milliseconds=2))) == {CHECK(), BET()}, "the worst card bluffs now and then"
    assert choose(RegretBot(), dealt(1, 0), 0, Budget(50)) == choose(RegretBot(), dealt(1, 2), 0, Budget(50))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_regret_bot_decides_at_the_same_time_as_others(seat: int) -> None:
    state = SealedGame.configure(2, {"rounds": 1, "coins": 3}).initial_state()
    assert Counter(choose(RegretBot(), state, seat, Budget(), seed) for seed in range(20))[BID(3)] >= 18


class OwnCard(Guide):
    """Expects to win a bet with the higher card."""

    has_values = True

    def values(self, state: State, rng: Rng) -> tuple[float, ...]:
        assert isinstance(state, kuhn.KuhnState)
        first, second = (state.zones.kinds(hand)[0] for hand in state.game.hands)
        stake = 2.0 if BET in state.moves else 1.0
        won = stake if first > second else -stake
        return (won, -won)


class EvaluatedKuhn(KuhnGame):
    guide = OwnCard()


def test_the_greedy_bot_averages_its_evaluation_over_resampled_states() -> None:
    bot = GreedyBot(EvaluatedKuhn)
    assert (bot.game_id, bot.takes_budget, bot.inline, bot.inline_private) == ("kuhn", False, False, False)
    game = EvaluatedKuhn.configure(2, {"ranks": 3})
    chosen = {}
    for mine, other in ((0, 1), (0, 2), (2, 0), (2, 1)):
        state = dealt(mine, other)
        state.game = game
        chosen[mine, other] = choose(bot, state, 0, Budget())
    # It bets with the best card and not with the worst, whatever the other holds.
    assert chosen == {(0, 1): CHECK(), (0, 2): CHECK(), (2, 0): BET(), (2, 1): BET()}
    # In the state itself, it would know which card is higher.
    best = [rank_by_evaluation(dealt(1, other), 0, Rng(1), OwnCard())[0][0] for other in (0, 2)]
    assert best == [BET(), CHECK()]
    assert abs(rank_by_evaluation(dealt(1, 0), 0, Rng(1), OwnCard(), worlds=200)[0][1]) < 0.5


def test_the_greedy_bot_needs_an_evaluation() -> None:
    with pytest.raises(PackError, match="the greedy bot needs an evaluation: kuhn declares no guide"):
        GreedyBot(KuhnGame)
    with pytest.raises(PackError, match="kuhn declares no guide"):
        choose(GreedyBot(), dealt(0, 1), 0, Budget())


def test_the_random_bot_takes_each_action_alike() -> None:
    state = dealt(0, 1)
    rng = Rng(8)
    taken = Counter(RandomBot().choose(Turn(state.game, state, Seat(0), rng, Budget())) for _ in range(1000))
    assert set(taken) == {CHECK(), BET()}
    assert min(taken.values()) > 400
