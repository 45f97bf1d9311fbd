"""Comparison with OpenSpiel in one run: random play of Ominoes and of its backgammon, and tree search in Connect Four.

Backgammon is the most similar dice game of OpenSpiel. Targets: 3 times the moves per second of its loop in C++, and as
many iterations per second of processor time as its search in C++. A move is an action or an outcome of chance, in both.
OpenSpiel is installed in an environment of its own: ``make bench-peers`` makes it and names its Python in PEERS_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from bench import playouts, report, search
from bench.measure import steps_per_second
from bench.report import Row

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv-peers" / "bin" / "python"
SECONDS = 4.0
"""Seconds for which each loop of OpenSpiel is measured."""


def openspiel() -> dict[str, float]:
    """Measure the figures of OpenSpiel in a process of its own environment."""
    python = os.environ.get("PEERS_PYTHON", str(PYTHON))
    script = Path(__file__).with_name("openspiel_figures.py")
    done = subprocess.run(
        [python, str(script), str(SECONDS), str(search.ITERATIONS)], stdout=subprocess.PIPE, check=True, text=True
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def rows() -> list[Row]:
    """Returns the rows of this benchmark.

    Omnilude is measured before and after OpenSpiel, so that changes of the machine's speed affect both.
    """
    first = steps_per_second(playouts.start(2), games=1000)
    peer = openspiel()
    ours = (first + steps_per_second(playouts.start(2), games=1000)) / 2
    ratio = ours / peer["native"]
    searched = search.iterations_per_second(search.connect_four())
    return [
        Row("Ominoes play-outs, 2 players, 8 x 8", ours, "moves/s"),
        Row("OpenSpiel backgammon, roll-outs in C++", peer["native"], "moves/s"),
        Row("OpenSpiel backgammon, a loop in Python", peer["python"], "moves/s"),
        Row("Ominoes beside the loop in C++", ratio, "times", "3", ratio >= 3),
        Row("tree search, Connect Four", searched, "iterations/s"),
        Row("OpenSpiel's tree search in C++, Connect Four", peer["connect_four"], "iterations/s"),
        Row("ratio of the two", searched / peer["connect_four"], "times", "1", searched >= peer["connect_four"]),
    ]


if __name__ == "__main__":
    report.main(rows)
