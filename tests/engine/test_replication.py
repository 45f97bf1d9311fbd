"""The regular work of a service that shares its store costs the same for many matches as for few."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from engine_service.hosting.replication import CHECK_MS, CHECKED_AT_ONCE, Replication
from engine_service.match_enums import MatchState
from tests.support.hosting import ManualTime, idle


class Replica:
    """Counts its calls."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.checked: set[int | str] = set()

    def _ask(self, wanted: Iterable[Any]) -> None:
        wanted = list(wanted)
        self.asked.append(len(wanted))
        self.checked.update(wanted)

    async def newest_and_claim(self, keys: list[int]) -> dict[int, tuple[int, bool]]:
        self._ask(keys)
        return dict.fromkeys(keys, (0, False))

    async def lost_names(self, names: list[str]) -> list[str]:
        self._ask(names)
        return []

    async def free_seats(self, names: list[str]) -> list[tuple[str, str]]:
        self._ask(names)
        return []

    async def refer(self, players: list[tuple[str, str]]) -> None:
        self._ask(player for player, _ in players)


class Match:
    def __init__(self, key: int) -> None:
        self.key, self.ephemeral, self.evicted, self.seq, self.write_queue = key, False, False, 0, None
        self.state, self.game_id = MatchState.WAITING, "kuhn"


class Cache(list[Match]):
    def get_by_key(self, key: int) -> Match:
        return self[key - 1]


async def test_each_renewal_of_the_lease_checks_a_bounded_number_of_matches_and_players_and_in_the_end_all() -> None:
    count = 3 * CHECKED_AT_ONCE + 7
    matches = {key: Match(key) for key in range(1, count + 1)}
    replica, time = Replica(), ManualTime()
    players: Any = SimpleNamespace(
        names={f"here {key}" for key in matches}, absent=lambda live: [f"elsewhere {live.key}"]
    )

    cache: Any = Cache(matches.values())
    unused: Any = None
    replication = Replication(replica, unused, cache, players, unused, time, unused, unused, unused)  # type: ignore[arg-type]
    replication._referred.update(cache)
    for _ in range(4):
        time.skip(CHECK_MS)
        replication.lease_renewed()
        replication.lease_renewed()  # at once: there is nothing to check yet
        await idle()
    assert len(replica.asked) == 4 * 4 and max(replica.asked) == CHECKED_AT_ONCE
    assert replica.checked == {*matches, *players.names, *(f"elsewhere {key}" for key in matches)}
