"""``run``: repeated calls in one process, and calls in any thread."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from omnilude import AsyncClient, Bot, Invited, Player, Turn, run, run_async
from omnilude.v1 import match_pb2
from omnilude.v1.replay_pb2 import Replay
from tests.support.server import Running
from tests.support.waiting import until

SCRIPT = """
import random, sys, threading
from omnilude import Bot, run

class Any(Bot):
    def choose(self, turn):
        return random.choice(turn.codes)

def once():
    (played,) = run(Any(), sys.argv[1], game="ominoes", against=["greedy"], options={"target": 2})
    print(played.place)

for _ in range(4):
    once()
other = threading.Thread(target=once)
other.start()
other.join()
"""


async def test_consecutive_runs_log_nothing(service: Running, tmp_path: Path) -> None:
    """gRPC used to print that the event loop of an earlier run is closed."""
    script = tmp_path / "bots.py"
    script.write_text(SCRIPT, encoding="utf-8")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), service.target, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(60):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode, err.decode()) == (0, "")
    assert len(out.split()) == 5


class First(Bot):
    """Takes the first action."""

    def choose(self, turn: Turn) -> int:
        return turn.codes[0]


async def test_run_in_a_running_loop_names_the_coroutine() -> None:
    with pytest.raises(RuntimeError, match=r"await run_async\("):
        run(First(), "127.0.0.1:1", game="ominoes", against=["greedy"])


async def test_match_is_cancelled_when_an_invited_opponent_does_not_join_in_time(
    service: Running, client: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(TimeoutError, match=r"alice did not join within 0\.2 s"):
        await run_async(First(), service.target, game="ominoes", against=[Invited("alice")], join_timeout=0.2)
    assert "waits for alice" in caplog.text
    (match,) = [match async for match in client.matches()]
    assert match.state == match_pb2.MATCH_STATE_CANCELLED


async def test_join_timeout_ends_when_the_invited_opponent_has_joined(service: Running, client: AsyncClient) -> None:
    playing = asyncio.ensure_future(
        run_async(
            First(), service.target, game="ominoes", against=[Invited("alice")], options={"target": 4}, join_timeout=5
        )
    )
    await until(lambda: service.server.host.live_count == 1)
    async with Player(First(), client, name="alice"):
        (played,) = await playing
    assert played.match.state == match_pb2.MATCH_STATE_FINISHED


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_matches_carry_the_labels_and_are_stored_unless_ephemeral(
    service: Running, client: AsyncClient, ephemeral: bool
) -> None:
    played = await run_async(
        First(),
        service.target,
        game="ominoes",
        against=["random"],
        options={"target": 2},
        matches=2,
        labels={"event": "spring"},
        ephemeral=ephemeral,
    )
    found = [match async for match in client.matches(labels={"event": "spring"})]
    assert sorted(match.name for match in found) == sorted(each.match.name for each in played)
    assert [match.ephemeral for match in found] == [ephemeral] * 2
    assert [match async for match in client.matches(labels={"event": "autumn"})] == []


async def test_seed_repeats_the_deals_of_the_matches(service: Running, client: AsyncClient) -> None:
    async def deals(seed: int) -> list[list[int]]:
        played = await run_async(
            First(), service.target, game="kuhn", against=["random"], options={"ranks": 13}, matches=2, seed=seed
        )
        replays = [Replay.FromString(await (await client.match(each.match.name)).replay()) for each in played]
        return [
            [record.code for record in replay.records if record.kind == match_pb2.RECORD_KIND_CHANCE]
            for replay in replays
        ]

    once, again, other = await deals(7), await deals(7), await deals(9)
    assert once == again
    assert once[0] != once[1] and once[0] not in other
