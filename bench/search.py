"""Speed of the tree search: compiled tic-tac-toe and Connect Four, and Ominoes with and without its guide."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import playouts, report
from bench.report import Row
from cext.random import Rng
from cext.state import State
from cext.tree_search import TreeSearch
from gamepacks.api.bots import tree_search
from tests.support.compiled import compile_module

ROOT = Path(__file__).parents[1]
SECONDS = 1.0
"""Seconds for which a rate is measured."""
ITERATIONS = 10_000
"""Iterations of a search from an empty tree."""


def iterations_per_second(root: State, guided: bool = False) -> float:
    """Returns the iterations per second of processor time of searches from a state, each with a tree of its own."""
    iterations, seconds, seed = 0, 0.0, 0
    while seconds < SECONDS:
        search = tree_search(root.game) if guided else TreeSearch(2)
        started = time.process_time()
        iterations += search.run(root, root.actor(), Rng(seed), iterations=ITERATIONS)
        seconds += time.process_time() - started
        seed += 1
    return iterations / seconds


def tic_tac_toe() -> State:
    """Returns the empty board of the compiled tic-tac-toe of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        module = compile_module(ROOT / "tests" / "support" / "games" / "tic_tac_toe.pyx", Path(folder))
    state: State = module.CompiledTicTacToe()
    return state


def connect_four() -> State:
    """Returns the empty board of the example pack, which is compiled in a copy of its folder."""
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack"
        shutil.copytree(ROOT / "examples" / "packs" / "connect_four", pack)
        subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=pack, check=True)
        sys.path.insert(0, str(pack / "src"))
        state: State = importlib.import_module("connect_four.state").CompiledState(None)
        sys.path.pop(0)
    return state


def in_play() -> State:
    """Returns a state of Ominoes in mid-game, at a decision with several actions."""
    rng, state = Rng(1), playouts.start(2)
    for _ in range(60):
        state.apply(rng.weighted(state.chance()) if state.chance() else rng.choice(state.legal()))
    while state.chance():
        state.apply(rng.weighted(state.chance()))
    return state


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    small, dice = iterations_per_second(tic_tac_toe()), iterations_per_second(in_play())
    return [
        Row("tree search, tic-tac-toe, compiled", small, "iterations/s", "300,000", small >= 300_000),
        Row("tree search, Ominoes, play-outs to the end", dice, "iterations/s", "20,000", dice >= 20_000),
        Row("tree search, Ominoes, guided", iterations_per_second(in_play(), guided=True), "iterations/s"),
        Row("tree search, Connect Four, compiled", iterations_per_second(connect_four()), "iterations/s"),
    ]


if __name__ == "__main__":
    report.main(rows)
