"""Random play of Ominoes beside that of OpenSpiel's backgammon, the nearest dice game of the peers, in one run.

Bar: 3 times the moves/s of its loop in C++. A move is an action or an outcome of chance, here as there. OpenSpiel lives
in an environment of its own: ``make bench-peers`` makes it and names its Python in PEERS_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from bench import playouts, report
from bench.measure import steps_per_second
from bench.report import Row

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv-peers" / "bin" / "python"
SECONDS = 4.0
"""How long each loop of the peer is measured for."""


def backgammon() -> dict[str, float]:
    """The peer's figures, measured in a process of its own environment."""
    python = os.environ.get("PEERS_PYTHON", str(PYTHON))
    script = Path(__file__).with_name("openspiel_backgammon.py")
    done = subprocess.run([python, str(script), str(SECONDS)], stdout=subprocess.PIPE, check=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def rows() -> list[Row]:
    """Measure: ours, theirs, and ours again, so that a change of the machine's mood shows in neither alone."""
    first = steps_per_second(playouts.start(2), games=1000)
    peer = backgammon()
    ours = (first + steps_per_second(playouts.start(2), games=1000)) / 2
    ratio = ours / peer["native"]
    return [
        Row("Ominoes play-outs, 2 players, 8 x 8", ours, "moves/s"),
        Row("OpenSpiel backgammon, roll-outs in C++", peer["native"], "moves/s"),
        Row("OpenSpiel backgammon, a loop in Python", peer["python"], "moves/s"),
        Row("Ominoes beside the loop in C++", ratio, "times", "3", ratio >= 3),
    ]


if __name__ == "__main__":
    report.main(rows)
