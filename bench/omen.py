"""Random play-outs of both editions of Omen in one process, and the cost of a clone and of a legal list.

Targets: 50,000 decisions per second for ``omega`` without options, 10 microseconds for a clone and for a legal list
called from Python. A decision is an action or an outcome of chance.
"""

from __future__ import annotations

from typing import Any

from bench import report
from bench.measure import call_microseconds, steps_per_second
from bench.report import Row
from cext.random import Rng
from cext.state import State
from gamepacks.omen import Omen, OmenTraits

EVERYTHING = {
    "spirits": True, "heroes": True, "whims": True, "relics": True, "challenges": "normal", "start": "emissary",
}  # fmt: skip


def mid_game_states(game: type[Any], **options: Any) -> list[State]:
    """Returns states of one game, from ply 100 to 300, in which a seat is to act."""
    state = game.configure(2, options).initial_state()
    rng = Rng(1)
    states = []
    for ply in range(300):
        outcomes = state.chance()
        if not outcomes and state.actor() >= 0 and ply > 100:
            states.append(state.clone())
        if outcomes:
            state.apply(rng.weighted(outcomes))
        else:
            seat = state.actor() if state.actor() >= 0 else (0 if state.seats_to_act() & 1 else 1)
            state.apply(rng.choice(state.legal(seat)), seat)
    return states


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    base, full, traits = (
        steps_per_second(game.configure(2, options).initial_state(), games=50)
        for game, options in ((Omen, {}), (Omen, EVERYTHING), (OmenTraits, {}))
    )
    states = mid_game_states(Omen, **EVERYTHING)
    clone, legal = (
        call_microseconds([getattr(state, method) for state in states], 2_000) for method in ("clone", "legal")
    )
    return [
        Row("omen, omega", base, "decisions/s", "50,000", base >= 50_000),
        Row("omen, omega, all options", full, "decisions/s"),
        Row("omen, traits", traits, "decisions/s"),
        Row("omen, clone", clone, "us", "10", clone <= 10),
        Row("omen, legal list", legal, "us", "10", legal <= 10),
    ]


if __name__ == "__main__":
    report.main(rows)
