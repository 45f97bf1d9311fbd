"""Random play-outs of OMEGA in one process, the cost of a clone and of a legal list, and the strength of the planner
bot.

Targets: 50,000 decisions per second and 10 microseconds for a clone called from Python. A decision is an action of a
seat; outcomes of chance are not counted. The planner must win against flat Monte Carlo that is given at least its time.
"""

from __future__ import annotations

import time

from bench import report
from bench.measure import call_microseconds, steps_per_second
from bench.report import Row
from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from gamepacks.api import Budget, Code, MonteCarloBot, PackBot, Turn, self_play, win_shares
from gamepacks.omega import Omega, PlannerBot

MATCHES = 40
PLAYOUTS = 20
"""Play-outs of Monte Carlo for a decision: even with so few it takes longer than the planner."""


def share_of_actions(players: int, games: int = 20) -> float:
    """Returns the share of actions among all steps."""
    rng = Rng(1)
    actions = steps = 0
    for _ in range(games):
        state = Omega.configure(players).initial_state()
        while (actor := state.actor()) != TERMINAL:
            steps += 1
            actions += actor >= 0
            state.apply_unchecked(rng.weighted(state.chance()) if actor == CHANCE else rng.choice(state.legal()))
    return actions / steps


def mid_game(players: int) -> State:
    """Returns a state in mid-game, at a decision of the Main phase."""
    state = Omega.configure(players, {"start_player": 0}).initial_state()
    rng = Rng(1)
    for _ in range(250):
        outcomes = state.chance()
        state.apply(rng.weighted(outcomes) if outcomes else rng.choice(state.legal()))
    while len(state.legal()) < 8:
        outcomes = state.chance()
        state.apply(rng.weighted(outcomes) if outcomes else rng.choice(state.legal()))
    return state


class Timed(PackBot):
    """A bot whose decisions are timed."""

    def __init__(self, bot: PackBot) -> None:
        self.bot = bot
        self.name, self.description = bot.name, bot.description
        self.seconds = 0.0

    def choose(self, turn: Turn) -> Code:
        started = time.perf_counter()
        code = self.bot.choose(turn)
        self.seconds += time.perf_counter() - started
        return code


def duel() -> tuple[float, float]:
    """Returns the planner's share of the wins against Monte Carlo with 2 players, and the ratio of their times."""
    game = Omega.configure(2)
    planner, other = Timed(PlannerBot()), Timed(MonteCarloBot())
    pair = [(planner, Budget()), (other, Budget(playouts=PLAYOUTS))]
    won = 0.0
    for number in range(MATCHES):
        seat = number % 2
        end = self_play(game, pair[::-1] if seat else pair, Rng(number)).end
        won += win_shares(end.returns())[seat]
    return won / MATCHES, other.seconds / planner.seconds


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    found = []
    for players in (2, 3, 4):
        decisions = steps_per_second(Omega.configure(players).initial_state()) * share_of_actions(players)
        found.append(
            Row(f"OMEGA play-outs, {players} players", decisions, "decisions/s", "50,000", decisions >= 50_000)
        )
    state = mid_game(4)
    clone, legal = call_microseconds([state.clone], 100_000), call_microseconds([state.legal], 100_000)
    won, longer = duel()
    return [
        *found,
        Row("OMEGA clone, from Python", clone, "µs", "at most 10", clone <= 10.0),
        Row("OMEGA legal list, from Python", legal, "µs"),
        Row("OMEGA planner's wins against Monte Carlo", won * 100, "%", "more than 50", won > 0.5),
        Row("  thinking time of Monte Carlo", longer, "times the planner's", "at least 1", longer >= 1.0),
    ]


if __name__ == "__main__":
    report.main(rows)
