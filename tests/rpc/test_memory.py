"""Memory that large messages used is freed and returned to the operating system."""

from __future__ import annotations

import asyncio
import gc
import sys

import pytest

from engine_service import memory
from engine_service.errors import LimitReached
from engine_service.memory import resident_bytes, return_freed_memory
from engine_service.rpc.interceptor import RejectedRequest, check_request
from engine_service.rpc.play.service import read_request
from omnilude.v1 import play_service_pb2 as play_pb
from tests.support.games import kuhn
from tests.support.server import running_server
from tests.support.waiting import until

MEBIBYTE = 1 << 20


async def test_freed_memory_is_returned_once_the_process_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "INTERVAL_SECONDS", 0.05)
    returning = asyncio.create_task(return_freed_memory())
    await asyncio.sleep(0)
    # Blocks of the heap, the last of which keeps the C library from returning those before it.
    blocks = [b"x" * 100_000 for _ in range(3_000)]
    blocks[:-1] = []
    grown = resident_bytes()
    await until(lambda: resident_bytes() < grown - 200 * MEBIBYTE)
    returning.cancel()


def test_numbers_of_a_packed_field_are_counted_before_they_are_read() -> None:
    for field in ("resign", "detach", "withdraw_undo"):
        data = play_pb.PlayRequest(hello=play_pb.Hello(), **{field: [1] * 100_000}).SerializeToString()
        with pytest.raises(LimitReached) as refusal:
            read_request(data, 20_000)
        assert refusal.value.metadata["limit"] == "server.max_request_entries"


async def test_refused_request_does_not_keep_its_bytes() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        deserialize = running.server._interceptor.safe_deserializer(play_pb.PlayRequest.FromString)
        data = play_pb.PlayRequest(resign=[1] * 100_000).SerializeToString()
        references = sys.getrefcount(data)
        gc.disable()
        try:
            rejected = deserialize(data)
            assert isinstance(rejected, RejectedRequest)
            with pytest.raises(LimitReached):
                check_request(rejected)
            del rejected
            assert sys.getrefcount(data) == references
        finally:
            gc.enable()
