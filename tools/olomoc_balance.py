"""Balance of Olomòc's house set by self-play: ``python tools/olomoc_balance.py [--games N] [--playouts N] [--seed N]``.

A bot plays itself with a budget of play-outs for each decision, on every agenda and board in turn: the tactician, which
is Monte Carlo with short play-outs, or with ``--bot monte-carlo`` the generic one, whose play-outs go to the end. It is
shown what its seat knows only. Printed as Markdown, against the targets of RULES.md, sections 8.1 and 9: how often
player 1 wins, how often each faction does against another one, and how games end; victory points and decisions of a
game. The edges have no target, as boards and agendas are the same turned by half; they show the error. A draw counts
half. Behind each share of wins stands its standard error. Ends with status 1 where a target is missed. The same seed
gives the same figures, whatever the number of workers.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cext.random import Rng
from gamepacks.api import Budget, MonteCarloBot, PackBot
from gamepacks.api.selfplay import SelfPlayGame, self_play
from gamepacks.olomoc import Olomoc, TacticianBot
from gamepacks.olomoc.cabales import Cabale, Drafter
from gamepacks.olomoc.constants import EDGES
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import EndCause

WINS = (0.45, 0.55)
BOTS: dict[str, type[PackBot]] = {"tactician": TacticianBot, "monte-carlo": MonteCarloBot}
ENDINGS = {EndCause.TRAQUE: (0.10, 0.35), EndCause.FIEL: (0.03, 0.15)}
"""Target ranges of the shares of endings; both players' Fiel counts as Fiel."""
POINTS = (6.0, 12.0)
"""Victory points of both players together."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """Result of one game."""

    share: float
    """Share of player 1 in the win: 1, 0.5 for a draw, or 0."""
    factions: tuple[str, str]
    agenda: str
    layout: str
    edges: tuple[str, str]
    cause: EndCause
    points: tuple[int, int]
    decisions: int
    """Decisions with more than one legal action."""
    plies: int


def play(number: int, name: str, seed: int, playouts: int, options: dict[str, str]) -> GameResult:
    """Play one game of a bot against itself."""
    agendas = [card.id for card in Olomoc.card_source.own.pick("house-1").data.agendas]
    layouts = [card.id for card in Olomoc.card_source.own.pick("house-1").data.layouts]
    wanted = {
        "agenda": agendas[number % len(agendas)],
        "bloc": layouts[number // len(agendas) % len(layouts)],
        "start_number": "seat0",
        **options,
    }
    game = Olomoc.configure(2, wanted)
    assert isinstance(game, Olomoc)
    budget, rng = Budget(playouts=playouts), Rng(seed * 1_000_003 + number)
    return _result(game, self_play(game, [(BOTS[name](), budget)] * 2, rng))


def _result(game: Olomoc, played: SelfPlayGame) -> GameResult:
    state = played.end
    assert isinstance(state, OlomocState)
    dump = state.dump()
    drafter = Drafter(game.ruleset)
    names = []
    for player in range(2):
        cabale = Cabale(tuple(dump["profile"][3 * player : 3 * player + 3]))
        faction = drafter.factions(cabale).bit_length() - 1
        names.append(game.ruleset.factions[faction][0])
    returns = state.returns()
    return GameResult(
        share=(1 + returns[0]) / 2 if returns[0] != returns[1] else 0.5,
        factions=(names[0], names[1]),
        agenda=game.ruleset.agendas[dump["agenda"]].id,
        layout=game.ruleset.layouts[dump["layout"]].id if dump["layout"] >= 0 else "placed",
        edges=(EDGES[dump["line"][0]], EDGES[dump["line"][1]]),
        cause=EndCause(dump["over"]),
        points=(dump["vp"][0], dump["vp"][1]),
        decisions=played.choices,
        plies=played.steps,
    )


def _one(task: tuple[int, str, int, int, dict[str, str]]) -> GameResult:
    return play(*task)


class Tally:
    """Shares of wins by a key."""

    def __init__(self) -> None:
        self.won: dict[str, float] = defaultdict(float)
        self.games: dict[str, int] = defaultdict(int)

    def add(self, key: str, share: float) -> None:
        """Count a game."""
        self.won[key] += share
        self.games[key] += 1

    def shares(self) -> dict[str, float]:
        """Returns the shares by key."""
        return {key: self.won[key] / self.games[key] for key in sorted(self.games)}

    def rows(self, wanted: tuple[float, float] | None = None) -> Iterator[tuple[str, bool]]:
        """Yield a row for each key: the share of wins, its target if it has one, the number of games and the error."""
        for key, share in self.shares().items():
            error = math.sqrt(share * (1 - share) / self.games[key])
            yield _row(f"{key} wins ({self.games[key]} games)", share, wanted, f" ± {error:.1%}")


def markdown(games: Sequence[GameResult], name: str, playouts: int) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, each with whether its target is met."""
    count = len(games)
    yield f"{count} games of the bot {name} against itself, {playouts} play-outs a decision:", True
    yield "", True
    yield "| figure | value | target | met |", True
    yield "|---|---|---|---|", True
    players, factions, edges, by_agenda = Tally(), Tally(), Tally(), Tally()
    for game in games:
        players.add("player 1", game.share)
        by_agenda.add(game.agenda, game.share)
        for player, share in enumerate((game.share, 1 - game.share)):
            edges.add(f"edge {game.edges[player]}", share)
            if len(set(game.factions)) == 2:
                factions.add(f"faction {game.factions[player]}", share)
    yield from players.rows(WINS)
    yield from factions.rows(WINS)
    yield from edges.rows()
    for cause, wanted in ENDINGS.items():
        same = {cause, EndCause.BOTH_FIEL} if cause == EndCause.FIEL else {cause}
        yield _row(f"ended by {cause.name.lower()}", sum(game.cause in same for game in games) / count, wanted)
    last = sum(game.cause == EndCause.CYCLES for game in games) / count
    yield f"| ended by the fourth cycle | {last:.1%} | the rest | |", True
    points = statistics.mean(sum(game.points) for game in games)
    met = POINTS[0] <= points <= POINTS[1]
    yield f"| victory points of both together | {points:.1f} | {POINTS[0]:.0f} to {POINTS[1]:.0f} | {_word(met)} |", met
    draws = sum(game.share == 0.5 for game in games) / count
    yield f"| draws | {draws:.1%} | | |", True
    yield f"| decisions of a game | {statistics.mean(game.decisions for game in games):.0f} | | |", True
    yield f"| plies of a game | {statistics.mean(game.plies for game in games):.0f} | | |", True
    for agenda, share in by_agenda.shares().items():
        total = statistics.mean(sum(game.points) for game in games if game.agenda == agenda)
        yield f"| agenda {agenda}: points of both together ({by_agenda.games[agenda]} games) | {total:.1f} | | |", True
        yield f"| agenda {agenda}: player 1 wins | {share:.1%} | | |", True


def _row(name: str, share: float, wanted: tuple[float, float] | None, error: str = "") -> tuple[str, bool]:
    if wanted is None:
        return f"| {name} | {share:.1%}{error} | | |", True
    met = wanted[0] <= share <= wanted[1]
    return f"| {name} | {share:.1%}{error} | {wanted[0]:.0%} to {wanted[1]:.0%} | {_word(met)} |", met


def _word(met: bool) -> str:
    return "yes" if met else "no"


def main() -> int:
    parser = argparse.ArgumentParser(description="Balance of the house set by self-play.")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--bot", choices=sorted(BOTS), default="tactician")
    parser.add_argument("--playouts", type=int, default=60, help="budget of the bot for a decision")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE", help="options of the game")
    given = parser.parse_args()
    options = dict(option.split("=", 1) for option in given.options)
    tasks = [(number, given.bot, given.seed, given.playouts, options) for number in range(given.games)]
    games: list[GameResult] = []
    with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
        for game in pool.imap(_one, tasks):
            games.append(game)
            if len(games) % 20 == 0:
                print(f"{len(games)} of {given.games}", file=sys.stderr, flush=True)
    met = True
    for line, fits in markdown(games, given.bot, given.playouts):
        print(line)
        met &= fits
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
