"""Answers to requests are deleted after their retention time, in batches."""

from __future__ import annotations

import pytest

from engine_service.hosting.housekeeping import CLEANUP_MS, FIRST_CLEANUP_MS, REQUESTS_PER_WRITE
from engine_service.limits import Limits
from engine_service.matches.idempotency import Request
from engine_service.model import MatchSetup, SeatSetup
from tests.support.hosting import hosting, idle

SETUP = MatchSetup("kuhn", [SeatSetup()] * 2)
RETENTION_S = 7 * 86_400
KEY = "the client's"


def _scope() -> str:
    request = Request.of_client(Limits(), "create", "", KEY, "r")
    assert request is not None
    return request.scope


SCOPE = _scope()


async def test_answer_is_kept_for_as_long_as_it_is_configured() -> None:
    async with hosting(request_retention_s=RETENTION_S) as h:
        await h.time.advance(FIRST_CLEANUP_MS)
        first = await h.host.create(SETUP, "r", KEY)
        h.time.skip(RETENTION_S * 1000 - CLEANUP_MS // 2)
        await h.time.advance(0)
        assert await h.host.create(SETUP, "r", KEY) == first
        await h.time.advance(CLEANUP_MS)
        assert await h.host.create(SETUP, "r", KEY) != first, "after that it is another request"


async def test_answers_expire_by_uptime_over_short_runs() -> None:
    async with hosting(request_retention_s=RETENTION_S) as h:
        await h.host.create(SETUP, "r", KEY)
        for _ in range(2):
            h.time.skip(RETENTION_S * 1000 // 2 + 1)
            await h.restart(down_ms=RETENTION_S * 10_000)
            assert await h.store.find_request(SCOPE, "r") is not None
        await h.time.advance(FIRST_CLEANUP_MS)
        assert await h.store.find_request(SCOPE, "r") is None


async def test_answers_expire_in_a_service_that_is_always_killed() -> None:
    async with hosting(request_retention_s=3 * CLEANUP_MS // 1000) as h:
        await h.host.create(SETUP, "r", KEY)
        for _ in range(4):
            await h.time.advance(FIRST_CLEANUP_MS + CLEANUP_MS)
            await h.crash()
        await h.time.advance(FIRST_CLEANUP_MS)
        assert await h.store.find_request(SCOPE, "r") is None


@pytest.mark.parametrize("years", [100, -100])
async def test_system_clock_does_not_expire_answers(years: int) -> None:
    async with hosting(request_retention_s=RETENTION_S) as h:
        first = await h.host.create(SETUP, "r", KEY)
        h.time.wall_offset_ms += years * 365 * 86_400_000
        await h.time.advance(CLEANUP_MS)
        assert await h.host.create(SETUP, "r", KEY) == first


async def test_expired_answers_are_deleted_in_batches() -> None:
    async with hosting(request_retention_s=RETENTION_S) as h:
        asked: list[int] = []
        forget = h.store.delete_requests

        async def counted(before_uptime_ms: int, most: int) -> int:
            asked.append(most)
            return int(await forget(before_uptime_ms, most))

        h.store.delete_requests = counted
        for number in range(REQUESTS_PER_WRITE + 1):
            await h.host.create(SETUP, str(number), KEY)
        h.time.skip(RETENTION_S * 1000 + 1)
        await h.time.advance(0)
        await idle()
        assert asked == [REQUESTS_PER_WRITE] * 2
        assert await h.store.find_request(SCOPE, str(REQUESTS_PER_WRITE)) is None
