"""Play hundreds of remote matches and verify their replays: ``python tools/remote_matches.py GAME [--players N ...]
...``.

Starts a service as a process of its own, connects bots of the installed packs to it over gRPC, invites them to matches,
fetches every replay over the wire and proves it: the chain of the log, every roll, every move, the result. Prints a
table in Markdown, and ends with status 1 where a match did not finish or a replay does not hold::

    python tools/remote_matches.py ominoes --players 2 3 4 --matches 200 --bots random greedy
    python tools/remote_matches.py omega --options max_turns=40 --replays out/

Bots sit down in turn, so that each plays every seat; one that is named once plays any number of seats.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from engine_service.errors import EngineError
from engine_service.log.replay import SUFFIX, read
from engine_service.matches.verify import Verification, verify
from gamepacks.api import Budget, Registry
from omnilude import AsyncClient, Invited, Player, clocks
from omnilude.v1 import match_pb2
from omnilude_cli.installed_bot import InstalledBot
from omnilude_cli.service import private_service

SECONDS_PER_MOVE = 60.0
"""A bot that hangs loses its match."""


@dataclass(slots=True)
class ReplayCounts:
    """Counts of the matches at one player count and of their verified replays."""

    players: int
    matches: int
    finished: int = 0
    verified: int = 0
    records: int = 0
    rolls: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def take(self, report: Verification) -> None:
        """Count a replay that was verified."""
        self.verified += 1
        self.records += report.records
        self.rolls += report.rolls_proved


@dataclass(frozen=True, slots=True)
class Wanted:
    """Matches to play."""

    game: str
    matches: int
    bots: tuple[str, ...]
    playouts: int | None
    options: Mapping[str, str]
    at_once: int
    seed: int
    replays: Path | None


async def play(target: str, wanted: Wanted, players: int, registry: Registry) -> ReplayCounts:
    """Play all matches at one player count, ``at_once`` at a time."""
    row = ReplayCounts(players, wanted.matches)
    started = time.perf_counter()
    # One player for each seat, so that no seat waits for another's thinking.
    seated = [(f"{wanted.bots[seat % len(wanted.bots)]}-{seat + 1}", seat) for seat in range(players)]
    turnstile = asyncio.Semaphore(wanted.at_once)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(AsyncClient(target, timeout=60.0))
        for name, seat in seated:
            bot = InstalledBot(wanted.bots[seat % len(wanted.bots)], Budget(playouts=wanted.playouts))
            player = Player(bot, client, name=f"{name}-of-{players}", games=[wanted.game], seed=wanted.seed + seat)
            await stack.enter_async_context(player)

        async def one(number: int) -> None:
            first = number % players
            seats = [Invited(f"{name}-of-{players}") for name, _ in [*seated[first:], *seated[:first]]]
            async with turnstile:
                match = await client.create(
                    wanted.game,
                    seats,
                    options=wanted.options,
                    time_control=clocks(per_move=SECONDS_PER_MOVE),
                    policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_NEVER),
                )
                ended = match.created
                async for update in match.watch():
                    ended = update.match
                replay = await match.replay()
            row.finished += ended.state == match_pb2.MATCH_STATE_FINISHED
            await asyncio.to_thread(_prove, row, ended.name, replay, wanted, registry)

        async with asyncio.TaskGroup() as group:
            for number in range(wanted.matches):
                group.create_task(one(number))
    row.seconds = time.perf_counter() - started
    return row


def _prove(row: ReplayCounts, match: str, replay: bytes, wanted: Wanted, registry: Registry) -> None:
    if wanted.replays is not None:
        (wanted.replays / (match.removeprefix("matches/") + SUFFIX)).write_bytes(replay)
    try:
        row.take(verify(read(replay), registry))
    except EngineError as error:
        row.faults.append(f"{match}: {error.message} ({error.reason})")


def markdown(wanted: Wanted, rows: Sequence[ReplayCounts]) -> Iterator[str]:
    """Format the figures as a Markdown table."""
    yield f"{wanted.game}, bots {', '.join(wanted.bots)}:"
    yield ""
    yield "| players | matches | finished | replays verified | records | rolls proved | seconds |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        yield (
            f"| {row.players} | {row.matches:,} | {row.finished:,} | {row.verified:,} | {row.records:,} | "
            f"{row.rolls:,} | {row.seconds:.0f} |"
        )


def arguments() -> tuple[Wanted, list[int]]:
    """Parse the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Play remote matches of bots and verify all replays.")
    parser.add_argument("game", help="id of the game")
    parser.add_argument("--players", type=int, nargs="+", help="player counts; by default all of the game")
    parser.add_argument("--matches", type=int, default=200, help="at each player count")
    parser.add_argument("--bots", nargs="+", default=["random"], help="bots of the pack, or random, monte-carlo")
    parser.add_argument("--playouts", type=int, help="budget of a bot for a decision; by default its own")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE", help="options of the game")
    parser.add_argument("--at-once", type=int, default=8, help="how many matches go on at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the bots; the dice are the service's own")
    parser.add_argument("--replays", type=Path, help="a folder to keep the replays in")
    given = parser.parse_args()
    options = dict(option.split("=", 1) for option in given.options)
    if given.replays is not None:
        given.replays.mkdir(parents=True, exist_ok=True)
    loaded = Registry.load(strict=True).game(given.game)
    unknown = [bot for bot in given.bots if bot not in loaded.bots]
    if unknown:
        parser.error(f"no bot {unknown[0]!r}; there are {', '.join(loaded.bots)}")
    card = loaded.game.capabilities
    players = given.players or list(range(card.min_players, card.max_players + 1))
    wanted = Wanted(
        given.game,
        given.matches,
        tuple(given.bots),
        given.playouts,
        options,
        given.at_once,
        given.seed,
        given.replays,
    )
    return wanted, players


def main() -> int:
    wanted, counts = arguments()
    registry = Registry.load(strict=True)
    rows = []
    with tempfile.TemporaryDirectory(prefix="omnilude-") as folder:
        for players in counts:
            with private_service(folder=Path(folder), port=0) as target:
                rows.append(asyncio.run(play(target, wanted, players, registry)))
            print(f"{players} players: done", file=sys.stderr, flush=True)
    print("\n".join(markdown(wanted, rows)))
    faults = [fault for row in rows for fault in row.faults]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 0 if all(row.verified == row.finished == row.matches for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
