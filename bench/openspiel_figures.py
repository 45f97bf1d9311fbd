"""Figures of OpenSpiel: random play of backgammon, and tree search in Connect Four.

bench.peers runs it in the environment of OpenSpiel; it prints the figures as JSON, and imports no module of Omnilude.

The loop in C++ is the random roll-out that OpenSpiel's own Monte Carlo search makes of a
position; it does not tell how many moves it made, so the mean length of a game comes from the loop in Python.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
from typing import Any


def python_loop(game: Any, seconds: float) -> tuple[float, float]:
    """Returns the moves per second of random games driven from Python, and the mean number of moves in a game.

    Outcomes of chance are counted as moves.
    """
    rng = random.Random(1)
    games = moves = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(outcomes, weights)[0]
            else:
                action = rng.choice(state.legal_actions())
            state.apply_action(action)
            moves += 1
        games += 1
    return moves / (time.perf_counter() - started), moves / games


def native_loop(pyspiel: Any, game: Any, seconds: float) -> float:
    """Returns the games per second of random roll-outs in C++, from the position after the first roll."""
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    rollouts, games, seed = 200, 0, 1
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=seed)
        # One simulation of the search is one evaluation of the root: all roll-outs, and next to nothing else.
        search = pyspiel.MCTSBot(
            game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=10, solve=False, seed=seed, verbose=False
        )
        search.mcts_search(state)
        games += rollouts
        seed += 1
    return games / (time.perf_counter() - started)


def connect_four_loop(pyspiel: Any, iterations: int, seconds: float) -> float:
    """Returns the iterations per second of processor time of the tree search in C++.

    An iteration has one roll-out, and each search has a new tree.
    """
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    done, used, seed = 0, 0.0, 1
    while used < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        search = pyspiel.MCTSBot(
            game, evaluator, 1.4, max_simulations=iterations, max_memory_mb=0, solve=False, seed=seed, verbose=False
        )
        started = time.process_time()
        search.mcts_search(state)
        used += time.process_time() - started
        done += iterations
        seed += 1
    return done / used


def main(seconds: float, iterations: int) -> None:
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game("backgammon")
    driven, length = python_loop(game, seconds)
    native = native_loop(pyspiel, game, seconds) * (length - 1)
    searched = connect_four_loop(pyspiel, iterations, seconds)
    figures = {"native": native, "python": driven, "moves_per_game": length, "connect_four": searched}
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
