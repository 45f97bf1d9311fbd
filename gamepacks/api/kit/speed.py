"""The check of speed: a measurement, and an upper limit that protects the service's event loop."""

from __future__ import annotations

from time import process_time

from cext.playout import playouts
from cext.random import Rng
from gamepacks.api.kit.base import CheckFailed, Subject, check

CPU_SECONDS = 0.1
"""Processor seconds of each of the two measurements, play and cloning."""
WORST_STEP = 0.005
"""Maximum processor seconds of a mean step. A service applies the steps of all matches on one event loop."""


@check("speed", cost="0.2 seconds")
def speed(subject: Subject) -> str:
    """A step of random play, with its legal list, takes at most 5 ms of processor time on average, so that no match
    delays the others; the figures are reported."""
    game = subject.setups()[0].game
    root = game.initial_state()
    rng = Rng(subject.seed)
    plies, start = 0, process_time()
    while True:
        _, more = playouts(root, rng, 1, game.capabilities.max_plies)
        plies += more
        spent = process_time() - start
        if spent > CPU_SECONDS:
            break
    step = spent / max(1, plies)
    clones, start = 0, process_time()
    while process_time() - start < CPU_SECONDS:
        for _ in range(100):
            root.clone()
        clones += 100
    clone = (process_time() - start) / clones
    if step > WORST_STEP:
        raise CheckFailed(f"a step takes {step * 1000:.1f} ms of processor time, more than {WORST_STEP * 1000:.0f} ms")
    return f"{1 / step:,.0f} steps/s, clone {clone * 1e6:.2f} us"
