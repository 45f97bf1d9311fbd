"""A match that only one of several services has, over HTTP: the others tell where, and the web client goes there."""

from __future__ import annotations

import asyncio
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from omnilude import AsyncClient, Open, ServiceBot
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.repository.tree import ROOT
from tests.support.postgres import database, postgres
from tests.support.replicas import Replicas, running_replicas
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tools.node import provide_node
from tools.web_client import OLDEST_NODE

__all__ = ["database", "postgres"]

OWN = "127.0.0.1:0"


@pytest.fixture
async def services(database: str) -> AsyncIterator[list[Running]]:
    """Two services on one database, in this process, with addresses of their own."""
    settings = {
        "store.in_memory": False,
        "store.url": database,
        "server.own_address": OWN,
        "http.own_address": OWN,
    }
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(running_server(only=["ominoes"], settings=settings)) for _ in range(2)]


@pytest.fixture
def replicas(database: str, tmp_path: Path) -> Iterator[Replicas]:
    """Two real replicas behind one port."""
    with running_replicas(database, 2, tmp_path / "log", "--set", "packs.only=ominoes", http=True) as running:
        yield running


async def known_urls(database: str) -> dict[int, str]:
    """URL of each replica by number, once all have published theirs with a renewal of their leases."""
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection, asyncio.timeout(20):
        while True:
            found = await (await connection.execute("SELECT number, url FROM replicas WHERE url <> ''")).fetchall()
            if len(found) == 2:
                return {int(number): str(url) for number, url in found}
            await asyncio.sleep(0.1)


async def ephemeral_match(service: Running) -> str:
    seats = [pb.SeatSetup(), pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="random")]
    request = pb.CreateMatchRequest(game="games/ominoes", seats=seats, ephemeral=True, option_texts={"target": "5"})
    created: pb.CreateMatchResponse = await service.matches.CreateMatch(request)
    return created.match.name


async def url_of(name: str, other: Running) -> str:
    """Returns the URL that another service reports for the match, once it is stored."""
    async with asyncio.timeout(10):
        while True:
            refusal = await refused(other.matches.GetMatch(pb.GetMatchRequest(name=name)))
            assert refusal.reason == "MATCH_ELSEWHERE"
            if url := refusal.metadata["url"]:
                return url
            await asyncio.sleep(0.1)


async def test_web_client_plays_a_match_that_one_of_two_replicas_has(replicas: Replicas, database: str) -> None:
    building = await asyncio.create_subprocess_exec(sys.executable, "-m", "tools.web_client", cwd=ROOT)
    assert await building.wait() == 0
    node = await asyncio.to_thread(provide_node, OLDEST_NODE)
    script = ROOT / "clients" / "web" / "test" / "play_elsewhere.js"
    urls = await known_urls(database)
    assert replicas.url not in urls.values()
    async with AsyncClient(replicas.target) as client:
        for at_other in (True, False):
            seats = [Open(), ServiceBot("random")]
            match = await client.create("ominoes", seats, options={"target": 5}, ephemeral=True)
            (other,) = (url for number, url in urls.items() if not match.name.endswith(f"-{number}"))
            url = other if at_other else replicas.url
            playing = await asyncio.create_subprocess_exec(
                node.program, str(script), url, match.name, stderr=asyncio.subprocess.PIPE
            )
            _, errors = await asyncio.wait_for(playing.communicate(), 60)
            assert playing.returncode == 0, errors.decode()
            assert (await match.get()).state == match_pb2.MATCH_STATE_FINISHED


async def test_page_may_call_the_services_at_their_own_addresses(services: list[Running]) -> None:
    """The origin of the page is that of the shared port; its policy lets it call other ports of the same host."""
    name = await ephemeral_match(services[0])
    own = await url_of(name, services[1])
    assert urlsplit(own).port not in {urlsplit(service.server.url).port for service in services}

    def fetch(url: str, **request: object) -> dict[str, str]:
        with urllib.request.urlopen(urllib.request.Request(url, **request), timeout=10) as answer:  # type: ignore[arg-type]
            return {key.lower(): value for key, value in answer.headers.items()}

    page = await asyncio.to_thread(fetch, f"{services[1].server.url}/")
    policy = page["content-security-policy"]
    assert re.search(r"connect-src 'self' http://127\.0\.0\.1:\*(;|$)", policy)
    for origin, allowed in ((services[1].server.url, False), (services[0].server.url, True)):
        headers = {"content-type": "application/json", "origin": origin}
        body = f'{{"name": "{name}"}}'.encode()
        answered = await asyncio.to_thread(
            fetch, f"{own}/omnilude.v1.MatchService/GetMatch", data=body, headers=headers
        )
        assert answered.get("access-control-allow-origin") == (origin if allowed else None)
