"""A store that cannot be written: typed refusals, no changes, and recovery."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode

from engine_service.store.sqlite import SqliteStore
from omnilude.v1 import errors_pb2, match_pb2
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import play_service_pb2 as play_pb
from tests.support.games import kuhn
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import Refusal, refusal_of, refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, get_replay, new_match

LABELS = {f"key{number}": "x" * 128 for number in range(16)}
FREE_UNDO = match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_FREE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite3"


@pytest.fixture
async def store(path: Path) -> SqliteStore:
    return await SqliteStore.open(path, lock_wait_seconds=0.05)


@pytest.fixture
async def running(store: SqliteStore) -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], store=store) as running:
        yield running


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock the database for writing, as another program might."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


@contextmanager
def full(store: SqliteStore) -> Iterator[None]:
    """Limit the number of pages: SQLite raises the same error in the same calls as for a full disk."""

    def limit(pages: int) -> None:
        store._writing.execute(f"PRAGMA max_page_count = {pages}").fetchall()

    (pages,) = store._writing.execute("PRAGMA page_count").fetchone()
    limit(pages)
    try:
        yield
    finally:
        limit(1_000_000)


def is_unavailable(refusal: Refusal) -> bool:
    return (refusal.code, refusal.reason) == (StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")


async def names(running: Running) -> list[str]:
    page = await running.matches.ListMatches(pb.ListMatchesRequest(page_size=200))
    return sorted(match.name for match in page.matches)


async def everything(table: RemoteMatch) -> tuple[Any, ...]:
    """Returns all output for a match."""
    replay = await get_replay(table.running.matches, table.name, table.host)
    return await table.match(), await table.observe(table.host), replay


async def until_refused(table: RemoteMatch, *calls: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
    """Make the calls in turn until one is refused, which must change nothing; returns that one.

    A full database has some room left in the pages that it has.
    """
    for number in range(2000):
        before = await everything(table)
        call = calls[number % len(calls)]
        try:
            await call()
        except grpc.aio.AioRpcError as error:
            assert is_unavailable(refusal_of(error))
            assert await everything(table) == before
            return call
    raise AssertionError("never refused")


async def test_locked_store_refuses_writes_and_answers_reads(running: Running, path: Path) -> None:
    table = await new_match(running, "kuhn", policy=FREE_UNDO)
    await table.submit(0, kuhn.CHECK())
    before = await everything(table)
    with locked(path):
        for call in (
            running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2)),
            table.submit(1, kuhn.BET()),
            running.matches.ResignMatch(pb.ResignMatchRequest(name=table.name, token=table.seats[0])),
            running.matches.CancelMatch(pb.CancelMatchRequest(name=table.name, token=table.host)),
            running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0])),
        ):
            assert is_unavailable(await refused(call))
        assert await everything(table) == before
        assert await names(running) == [table.name]
    await table.submit(1, kuhn.BET())
    assert await table.to_act() == [0]


async def test_move_on_a_stream_is_refused_while_the_store_is_locked_and_taken_when_sent_again(
    running: Running, path: Path
) -> None:
    table = await new_match(running, "kuhn")
    before = await everything(table)
    async with play_stream(running) as stream:
        await stream.send(attach=[play_pb.Attach(channel=1, match=table.name, token=table.seats[0])])
        turn = await stream.turn(1)
        with locked(path):
            await stream.move(1)
            result = await stream.result(1)
            assert (result.seq, result.error) == (turn.seq, errors_pb2.ERROR_REASON_STORE_UNAVAILABLE)
            assert await everything(table) == before
        await stream.move(1)
        result = await stream.result(2)
        assert (result.error, result.action_seq) == (0, turn.seq + 1)


async def test_full_disk_refuses_the_write_that_does_not_fit(running: Running, store: SqliteStore) -> None:
    table = await new_match(running, "kuhn", policy=FREE_UNDO)

    async def act() -> None:
        await table.submit(0, kuhn.CHECK())

    async def undo() -> None:
        request = pb.RequestUndoRequest(name=table.name, token=table.seats[0], reason="x" * 256)
        await running.matches.RequestUndo(request)

    with full(store):
        call = await until_refused(table, act, undo)
    await call()


async def test_full_disk_refuses_a_creation_as_a_whole(running: Running, store: SqliteStore) -> None:
    made: list[str] = []

    def create() -> Any:
        request = pb.CreateMatchRequest(
            game="games/kuhn", seats=[pb.SeatSetup()] * 2, labels=LABELS, request_id=str(len(made)), client_key="k"
        )
        return running.matches.CreateMatch(request)

    with full(store):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            while True:
                made.append((await create()).match.name)
        assert is_unavailable(refusal_of(caught.value))
        assert await names(running) == sorted(made)
    made.append((await create()).match.name)  # with the request_id that was refused
    assert await names(running) == sorted(made)
