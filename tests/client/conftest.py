"""Fixtures of the client's tests: a real service in this process, and a client for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from omnilude import AsyncClient
from tests.support.games import kuhn, sealed
from tests.support.server import Running, running_server


@pytest.fixture
async def service() -> AsyncIterator[Running]:
    """A service with Ominoes and the tiny games of the tests, whose streams have quick heartbeats."""
    settings = {"server.heartbeat_seconds": 0.2}
    async with running_server(packs=[sealed.PACK, kuhn.PACK], only=["ominoes"], settings=settings) as running:
        yield running


@pytest.fixture
async def client(service: Running) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(service.target) as made:
        yield made
