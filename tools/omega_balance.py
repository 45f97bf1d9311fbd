"""Balance of OMEGA's house set by self-play: ``python tools/omega_balance.py [--games N] [--players N ...]``.

The planner bot plays against itself at each player count. The program prints a Markdown table: the wins of each place
in the order of play, and of each seat, as multiples of a fair share (limit: 1.15); the frequency of each ending
(limit: one game of a hundred); and the turns of a game, compared with the 45 to 60 minutes that the box states. The
exit status is 1 if a limit is violated. The same seed gives the same figures.

The minutes of a game are an assumption, not a measurement: SET_UP_MINUTES for set-up and judgement and SECONDS_PER_TURN
for a turn. After each tenth of the games the intermediate row is written to standard error.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cext.random import Rng
from gamepacks.api import Budget, self_play, win_shares
from gamepacks.omega import Omega, PlannerBot
from gamepacks.omega.codes import Ending
from gamepacks.omega.engine.rules import OmegaState

MAX_RATIO = 1.15
MIN_ENDING_SHARE = 0.01
SET_UP_MINUTES = 15.0
SECONDS_PER_TURN = 50.0
BOX_MINUTES = (45.0, 60.0)
ENDINGS = (Ending.ARCANIC, Ending.RUNIC, Ending.EXHAUSTION)


@dataclass(frozen=True, slots=True)
class GameResult:
    """Result of one game."""

    shares: tuple[float, ...]
    """Shares of the win, by place in the order of play."""
    by_seat: tuple[float, ...]
    """Shares of the win, by seat."""
    points: float
    """Mean of the scores."""
    ending: Ending
    turns: int
    choices: int
    """Decisions with more than one legal action."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of all games at one player count."""

    players: int
    games: int
    ratios: tuple[float, ...]
    """Wins as multiples of the share, by place in the order of play."""
    seats: tuple[float, ...]
    """Wins as multiples of the share, by seat."""
    endings: Counter[Ending]
    turns: tuple[float, float, float]
    """The 5 % quantile, the mean and the 95 % quantile."""
    choices_per_turn: float
    points: float

    @property
    def minutes(self) -> float:
        """Estimated minutes of the mean game between people."""
        return SET_UP_MINUTES + self.turns[1] * SECONDS_PER_TURN / 60


def play(game: Omega, bot: PlannerBot, budget: Budget, rng: Rng) -> GameResult:
    """Play one game of the bot against itself."""
    record = self_play(game, [(bot, budget)] * game.players, rng)
    state = record.end
    assert isinstance(state, OmegaState)
    won = win_shares(state.returns())
    start = state.dump()["start_seat"]
    order = tuple(won[(start + place) % game.players] for place in range(game.players))
    points = statistics.fmean(sum(parts) for parts in state.score_parts())
    return GameResult(order, won, points, Ending(state.ending), state.turn, record.choices)


def summary(players: int, results: Sequence[GameResult]) -> Summary:
    """Summarise the games of one player count."""
    turns = sorted(game.turns for game in results)
    endings: Counter[Ending] = Counter()
    for game in results:
        endings.update(kind for kind in ENDINGS if kind in game.ending)
    return Summary(
        players,
        len(results),
        tuple(players * statistics.fmean(game.shares[place] for game in results) for place in range(players)),
        tuple(players * statistics.fmean(game.by_seat[seat] for game in results) for seat in range(players)),
        endings,
        (turns[len(turns) // 20], statistics.fmean(turns), turns[-1 - len(turns) // 20]),
        sum(game.choices for game in results) / sum(turns),
        statistics.fmean(game.points for game in results),
    )


def markdown(rows: Sequence[Summary]) -> Iterator[str]:
    """Format the figures as a Markdown table."""
    heads = (
        "players",
        "games",
        "wins by order of play, in shares",
        "by seat",
        *(str(kind.name).lower() for kind in ENDINGS),
    )
    heads = (*heads, "turns (5 to 95 %)", "minutes", "choices a turn", "points")
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        ratios, seats = (", ".join(f"{ratio:.2f}" for ratio in shares) for shares in (row.ratios, row.seats))
        endings = " | ".join(f"{row.endings[kind] / row.games:.1%}" for kind in ENDINGS)
        low, mean, high = row.turns
        yield (
            f"| {row.players} | {row.games:,} | {ratios} | {seats} | {endings} | "
            f"{mean:.1f} ({low:.0f} to {high:.0f}) | {row.minutes:.0f} | "
            f"{row.choices_per_turn:.1f} | {row.points:.0f} |"
        )


def violations(rows: Sequence[Summary]) -> Iterator[str]:
    """List the violated limits."""
    for row in rows:
        for what, shares in (("place", row.ratios), ("seat", row.seats)):
            if max(shares) > MAX_RATIO:
                yield f"{row.players} players: a {what} wins {max(shares):.2f} times its share, more than {MAX_RATIO}"
        if not BOX_MINUTES[0] <= row.minutes <= BOX_MINUTES[1]:
            yield f"{row.players} players: {row.minutes:.0f} minutes are not within those of the box"
        for kind in ENDINGS:
            if row.endings[kind] < MIN_ENDING_SHARE * row.games:
                yield f"{row.players} players: {row.endings[kind]} of {row.games} games ended by {kind.name}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Balance of OMEGA's house set by self-play of the planner bot.")
    parser.add_argument("--games", type=int, default=2000, help="games at each player count")
    parser.add_argument(
        "--playouts", type=int, default=PlannerBot.DEFAULT_PLAYOUTS, help="play-outs of the bot for a decision"
    )
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bot, budget, rows = PlannerBot(), Budget(playouts=arguments.playouts), []
    for players in arguments.players:
        game = Omega.configure(players)
        assert isinstance(game, Omega)
        results: list[GameResult] = []
        for number in range(arguments.games):
            results.append(play(game, bot, budget, Rng(arguments.seed * 1_000_000 + number)))
            if len(results) % (arguments.games // 10 or 1) == 0:
                *_, row = markdown([summary(players, results)])
                print(row, file=sys.stderr, flush=True)
        rows.append(summary(players, results))
    print("\n".join(markdown(rows)))
    faults = list(violations(rows))
    for fault in faults:
        print(f"limit violated: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
