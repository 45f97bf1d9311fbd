"""A round robin over gRPC: everyone meets everyone, from both seats, by invitations on the play stream."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from omnilude import AsyncClient, Invited, clocks
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import Match

SECONDS_PER_MOVE = 60.0
"""A player that hangs loses its match, not everybody's evening."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match that is to be played: who sits where."""

    number: int
    seats: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Met:
    """A match that was played."""

    encounter: Encounter
    match: Match
    replay: bytes

    @property
    def points(self) -> tuple[float, float]:
        """1 for a win, a half for a draw, nothing without a result."""
        if self.match.state != match_pb2.MATCH_STATE_FINISHED:
            return 0.0, 0.0
        first, second = self.match.result.returns
        return (0.5, 0.5) if first == second else (1.0, 0.0) if first > second else (0.0, 1.0)


def schedule(players: Sequence[str], rounds: int) -> list[Encounter]:
    """Each pair, both ways, ``rounds`` times."""
    once = [way for pair in itertools.combinations(players, 2) for way in (pair, pair[::-1])]
    return [Encounter(number, seats) for number, seats in enumerate(once * rounds, 1)]


async def play_all(
    client: AsyncClient,
    game: str,
    encounters: Sequence[Encounter],
    *,
    at_once: int,
    options: Mapping[str, object] | None = None,
    labels: Mapping[str, str] | None = None,
    on_met: Callable[[Met], None] = lambda met: None,
) -> list[Met]:
    """Play the encounters, ``at_once`` at a time; ``on_met`` is told of each as it ends. In the order given."""
    turnstile = asyncio.Semaphore(at_once)

    async def meet(encounter: Encounter) -> Met:
        async with turnstile:
            match = await client.create(
                game,
                [Invited(player) for player in encounter.seats],
                options=options,
                time_control=clocks(per_move=SECONDS_PER_MOVE),
                policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_NEVER),
                labels=labels,
            )
            ended = match.created
            async for update in match.watch():
                ended = update.match
            met = Met(encounter, ended, await match.replay())
            on_met(met)
            return met

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(meet(encounter)) for encounter in encounters]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line in the cross table."""

    player: str
    against: tuple[float | None, ...]
    """Points against each player, in the order of the rows; None against itself."""
    points: float
    matches: int


def cross_table(players: Sequence[str], played: Sequence[Met]) -> list[Row]:
    """Who scored what against whom, most points first; of equals, in the order given."""
    scored: dict[tuple[str, str], float] = {}
    matches = dict.fromkeys(players, 0)
    for met in played:
        first, second = met.encounter.seats
        for player, other, points in ((first, second, met.points[0]), (second, first, met.points[1])):
            scored[player, other] = scored.get((player, other), 0.0) + points
            matches[player] += 1
    total = {player: sum(scored.get((player, other), 0.0) for other in players) for player in players}
    order = sorted(players, key=lambda player: -total[player])
    return [
        Row(
            player,
            tuple(None if other == player else scored.get((player, other), 0.0) for other in order),
            total[player],
            matches[player],
        )
        for player in order
    ]
