"""A round robin over gRPC: each pair of players meets from both seats, invited on the play stream."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from omnilude import AsyncClient, Invited, clocks
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import Match

SECONDS_PER_MOVE = 60.0
"""Time limit of a move in seconds, so that a player that hangs loses its match only."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match to be played, with the players by seat."""

    number: int
    seats: tuple[str, str]


@dataclass(frozen=True, slots=True)
class PlayedEncounter:
    """A match that was played."""

    encounter: Encounter
    match: Match
    replay: bytes

    @property
    def points(self) -> tuple[float, float]:
        """Points by seat: 1 for a win, a half for a draw, 0 without a result."""
        if self.match.state != match_pb2.MATCH_STATE_FINISHED:
            return 0.0, 0.0
        first, second = self.match.result.returns
        return (0.5, 0.5) if first == second else (1.0, 0.0) if first > second else (0.0, 1.0)


def schedule(players: Sequence[str], rounds: int) -> list[Encounter]:
    """Return an encounter of each pair in both orders, ``rounds`` times."""
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
    on_played: Callable[[PlayedEncounter], None] = lambda played: None,
) -> list[PlayedEncounter]:
    """Play the encounters, ``at_once`` at a time; ``on_played`` is called for each. Returns them in the order given."""
    slots = asyncio.Semaphore(at_once)

    async def play_encounter(encounter: Encounter) -> PlayedEncounter:
        async with slots:
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
            played = PlayedEncounter(encounter, ended, await match.replay())
            on_played(played)
            return played

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(play_encounter(encounter)) for encounter in encounters]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row in the cross table."""

    player: str
    against: tuple[float | None, ...]
    """Points against each player, in the order of the rows; None against itself."""
    points: float
    matches: int


def cross_table(players: Sequence[str], played: Sequence[PlayedEncounter]) -> list[Row]:
    """Return the points of each player against each other, most points first; equals in the order given."""
    scored: dict[tuple[str, str], float] = {}
    matches = dict.fromkeys(players, 0)
    for match in played:
        first, second = match.encounter.seats
        for player, other, points in ((first, second, match.points[0]), (second, first, match.points[1])):
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
