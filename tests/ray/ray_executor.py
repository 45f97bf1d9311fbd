"""Tournaments on a Ray cluster of two nodes: the table of the local executor, even if a node is lost.

Run by `make ray-test`, not with the other tests, for Ray is large and slow to start.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

from omnilude.arena.config import Tournament
from omnilude.arena.ray_executor import RayExecutor
from omnilude.arena.results import Results, read_journal
from omnilude.arena.runner import Arena, Progress
from omnilude_cli.main import app
from omnilude_cli.service import private_service
from tests.support.server import running_server

pytestmark = pytest.mark.filterwarnings("default")
"""Ray's own warnings are not ours."""


def tournament(**changes: Any) -> Tournament:
    """A round robin of bots that play the same match again with the same seed."""
    first = "tests.arena.bots:First"
    bots = [{"name": name, "python": first} for name in ("ann", "bob", "cid")]
    given = {"game": "ominoes", "format": {"kind": "round-robin", "rounds": 2}, "bots": bots, "at_once": 4}
    return Tournament.model_validate({**given, **changes})


def table(results: Results) -> list[Any]:
    return [(r.encounter, r.rotation, r.seats, r.places, r.returns, r.conduct, r.records) for r in results.ordered()]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """Two nodes beside that of the driver, which has no processor."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=2)
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


async def test_table_is_that_of_the_local_executor_though_a_node_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    async with running_server(only=["ominoes"]) as running:
        local = await Arena(tournament(), tmp_path / "local", running.target).run()
    (node,) = cluster.worker_nodes
    played: list[Progress] = []
    removed: list[asyncio.Task[None]] = []

    def on_result(progress: Progress) -> None:
        played.append(progress)
        if len(played) == 3:
            removed.append(asyncio.ensure_future(asyncio.to_thread(cluster.remove_node, node, False)))

    executor = RayExecutor(tournament(), workers=4, service=private_service)
    results = await asyncio.wait_for(
        Arena(tournament(), tmp_path / "ray", executor=executor, on_result=on_result).run(), 240
    )
    await removed[0]
    assert table(results) == table(local) and len(played) == 12
    assert executor._lost > 0
    for result in results.ordered():
        assert (tmp_path / "ray" / "replays" / result.replay).stat().st_size > 100


async def test_workers_play_at_the_service_that_the_tournament_names(cluster: Cluster, tmp_path: Path) -> None:
    async with running_server(only=["ominoes"]) as running:
        given = tournament(server=running.target, format={"kind": "round-robin"})
        results = await asyncio.wait_for(Arena(given, tmp_path, executor=RayExecutor(given, workers=2)).run(), 240)
        assert len(results.by_match) == 6
        assert running.server.host.stats.matches_created == 6


def test_command_plays_and_resumes_on_ray(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "cup.yaml"
    data = tournament(format={"kind": "round-robin"}).model_dump(mode="json", exclude_none=True)
    file.write_text(json.dumps(data), encoding="utf-8")
    for _ in range(2):
        done = CliRunner().invoke(app, ["arena", "run", str(file), "--executor", "ray", "--workers", "2"])
        assert done.exit_code == 0, done.output
    assert "6 matches" in done.output
    assert len(read_journal(tmp_path / "cup" / "results.jsonl")[1].by_match) == 6
