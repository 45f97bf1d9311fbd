"""The pack as the engine meets it: its hooks, its capability card, its bot."""

from __future__ import annotations

import pytest

from cext.playout import playout
from cext.random import Rng
from cext.search import rank_by_evaluation
from gamepacks.api.bots import Budget, GreedyBot, PackBot, RandomBot, Turn
from gamepacks.api.registry import Registry
from gamepacks.api.types import CHANCE, TERMINAL, Code, Seat
from gamepacks.ominoes import Ominoes
from gamepacks.ominoes.engine.rules import OminoesState
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import Scenario


def test_the_registry_finds_the_game_and_its_bot() -> None:
    loaded = Registry.load(only=["ominoes"], strict=True).game("ominoes")
    assert loaded.game is Ominoes
    assert loaded.bots["greedy"].inline


@pytest.mark.rule("OMI-END-02")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_match_is_longer_than_the_capability_card_says(players: int) -> None:
    bound = Ominoes.capabilities.max_plies
    # What the bound is made of: who begins, the set-up, the turns without scoring, the groups that can be scored.
    target = Ominoes.configure(players).rules.target
    groups = players * ((target - 1) // 4) + 1
    assert 1 + 2 * players + 4 * 1000 + groups <= bound
    for seed in range(20):
        _, plies = playout(Ominoes.configure(players).initial_state(), Rng(seed), bound)
        assert plies <= bound


def test_a_turn_takes_four_plies_at_most_besides_scoring() -> None:
    table = Scenario(4).at(khepri="a1 c1")
    table.roll(Face.OMINOTEP)
    table.reroll("a1")
    table.roll(Face.APEP)
    table.add("h8")
    assert table.phase is Phase.ROLL
    assert table.state.turns == 1


GUIDE = Ominoes.guide


def best_actions(state: OminoesState, rng: Rng) -> list[int]:
    """The actions with the highest evaluation."""
    ranked = rank_by_evaluation(state, state.actor(), rng, GUIDE)
    return [code for code, value in ranked if value == ranked[0][1]]


def evaluate(state: OminoesState, seat: int) -> float:
    """The evaluation of a state for a seat."""
    return GUIDE.evaluate(state, seat, Rng(1))


def choice(table: Scenario, seed: int = 1) -> str:
    """Returns the choice of the greedy bot, as a label."""
    state = table.state
    code = GreedyBot().choose(Turn(table.game, state.clone(), Seat(state.actor()), Rng(seed), Budget()))
    assert code in state.legal()
    return table.game.label(state, code)


def test_the_greedy_bot_moves_to_score() -> None:
    # The die that it adds then completes the other three.
    table = Scenario(4).at(Phase.MOVE, rolled=Face.RA, ra="a1 b1 c1 e3 f8 g8 h8")
    assert choice(table) in {"Move Ra from e3 to d1", "Move Ra from e3 to c2"}


def test_the_greedy_bot_scores_the_larger_group_first() -> None:
    table = Scenario(2).at(Phase.SCORE_AFTER_ADD, ra="a1 b1 c1 d2 d3", yay_ra="d1", horus="e1 f1 g1")
    assert choice(table) == "Score 6 points for Ra: a1 b1 c1 d1 d2 d3"


def test_the_greedy_bot_scores_even_where_it_need_not() -> None:
    table = Scenario(2, optional_scoring=True).at(Phase.SCORE_AFTER_ADD, ra="a1 b1 c1 d1")
    assert choice(table) == "Score 4 points for Ra: a1 b1 c1 d1"


def test_the_greedy_bot_adds_the_fourth_die() -> None:
    table = Scenario(4).at(Phase.ADD, rolled=Face.YAY_RA, ra="a1 b1 c1", khepri="g8 h8")
    assert choice(table) in {f"Add Yay-Ra on {space}" for space in ("d1", "a2", "b2", "c2")}


def test_the_greedy_bot_makes_three_when_it_can_add_the_fourth() -> None:
    table = Scenario(4).at(Phase.MOVE, rolled=Face.RA, ra="a1 b1 e2")
    table.move(*choice(table).removeprefix("Move Ra from ").split(" to "))
    table.take(Code(best_actions(table.state, Rng(1))[0]))
    assert table.phase is Phase.SCORE_AFTER_ADD


def test_the_greedy_bot_blocks_a_group_of_the_next_player() -> None:
    # One space would complete Khepri's four; whatever else is worth less.
    table = Scenario(4).at(Phase.ADD, rolled=Face.APEP, khepri="a1 b1 c1", horus="a2 b2 c2")
    assert choice(table) == "Add Apep on d1"


def test_the_greedy_bot_rerolls_with_an_eye_on_the_mean() -> None:
    # A Ra or a wild in the place of the Apep makes four.
    table = Scenario(4).at(Phase.REROLL, rolled=Face.OMINOTEP, ra="a1 b1 c1", apep="d1", khepri="h8")
    assert choice(table) == "Reroll Apep on d1"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", [6, 12])
def test_actions_that_look_alike_are_all_named_and_all_legal(players: int, size: int) -> None:
    rng = Rng(players)
    state = Ominoes.configure(players, {"board_size": size, "optional_scoring": True}).initial_state()
    for _ in range(300):
        if state.actor() == TERMINAL:
            break
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        before = state.to_bytes()
        best = best_actions(state, rng)
        assert state.to_bytes() == before
        assert best
        assert set(best) <= set(state.legal())
        state.apply(rng.choice(best))


def test_evaluation_counts_points_and_dice_of_all_seats() -> None:
    ahead = Scenario(2).at(scores=[8, 4]).state
    assert evaluate(ahead, 0) > 0 > evaluate(ahead, 1)
    assert evaluate(Scenario(2).at(ra="a1 b1 c1").state, 0) > 0 > evaluate(Scenario(2).at(apep="a1 b1 c1").state, 0)
    # Three dice without room promise nothing.
    walled = {"ra": "a1 b1 c1", "khepri": "d1 a2 b2 c2"}
    assert evaluate(Scenario(4).at(**walled).state, 0) < evaluate(Scenario(4).at(ra="a1 b1 c1", khepri="d1").state, 0)


def winner(bots: list[PackBot], seed: int) -> list[int]:
    game = Ominoes.configure(len(bots))
    state, rng = game.initial_state(), Rng(seed)
    while state.actor() != TERMINAL:
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
        else:
            seat = Seat(state.actor())
            state.apply(bots[seat].choose(Turn(game, state.clone(), seat, rng, Budget())), seat)
    return state.winners()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_greedy_bot_beats_random_ones(players: int) -> None:
    for seed in range(6):
        seat = seed % players
        bots: list[PackBot] = [RandomBot() for _ in range(players)]
        bots[seat] = GreedyBot()
        assert winner(bots, seed) == [seat]
