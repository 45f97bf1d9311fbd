"""The PostgreSQL store: set-up, concurrent writers, and lost connections."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from engine_service.store import postgres as postgres_store
from engine_service.store import postgres_replica, schema
from engine_service.store.base import (
    Append,
    CannotOpen,
    MatchExists,
    NotAStore,
    OtherSchema,
    RequestConflict,
    SequenceConflict,
    StoredRequest,
    StoreUnavailable,
)
from engine_service.store.postgres import PostgresStore
from engine_service.store.postgres_writes import execute, write_all
from engine_service.store.writes import Create, Delete, Write
from tests.support.postgres import kill_postgres, postgres_server
from tests.support.rows import actions, noise, row

CHAIN = b"c" * 32


@pytest.fixture
async def store(database: str) -> AsyncIterator[PostgresStore]:
    made = await PostgresStore.open(database)
    yield made
    await made.close()


def run(database: str, sql: str) -> list[Any]:
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(sql)  # type: ignore[call-overload]
        return list(cursor.fetchall()) if cursor.description else []


# -- opening -----------------------------------------------------------------------------------------------------------


async def test_stored_matches_are_there_after_reopening(database: str) -> None:
    first = await PostgresStore.open(database)
    stored = await first.create(row("a", actions(1, 3)), actions(1, 3))
    await first.save_uptime(7)
    secret = await first.secret("secret_key", 32)
    await first.close()
    second = await PostgresStore.open(database)
    assert await second.load("matches/a") == (stored, actions(1, 3))
    assert (await second.uptime(), await second.secret("secret_key", 32)) == (7, secret)
    assert len(secret) == 32 and await second.secret("signing_key", 32) != secret
    await second.close()
    with pytest.raises(StoreUnavailable):
        await second.save_uptime(8)
    with pytest.raises(StoreUnavailable):
        await second.uptime()


async def test_databases_of_other_programs_and_versions_are_refused_and_left_as_they_are(database: str) -> None:
    run(database, "CREATE TABLE matches (id integer)")
    with pytest.raises(NotAStore, match="another program"):
        await PostgresStore.open(database)
    assert run(database, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'") == [
        ("matches",)
    ]
    run(database, "DROP TABLE matches")
    await (await PostgresStore.open(database)).close()
    run(database, f"UPDATE omnilude_schema SET version = {schema.VERSION + 1}")
    with pytest.raises(OtherSchema, match=f"has schema {schema.VERSION + 1}"):
        await PostgresStore.open(database)
    run(database, "DELETE FROM omnilude_schema")
    with pytest.raises(NotAStore, match="does not say"):
        await PostgresStore.open(database)


@pytest.mark.parametrize("address", ["postgresql://", "postgresql://u:hunter2@/nowhere?host=/nonexistent", "nonsense"])
async def test_address_where_no_database_is_gives_a_message_without_the_password(address: str) -> None:
    with pytest.raises(CannotOpen) as refused:
        await PostgresStore.open(address)
    assert "hunter2" not in str(refused.value)


# -- groups, and more than one writer ----------------------------------------------------------------------------------


def request(name: str) -> StoredRequest:
    return StoredRequest("Scope", name, noise(name, 32), noise(name, 9), 1)


def append(key: int, after: int, most: int = 1, wanted: StoredRequest | None = None) -> Append:
    return Append(key, after, actions(after + 1, most), CHAIN, None, wanted, 0, 1)


async def test_group_is_written_at_once_and_each_conflict_is_of_its_own_write(database: str) -> None:
    store = await PostgresStore.open(database)
    one = await store.create(row("a", actions(1)), actions(1))
    two = await store.create(row("b", actions(1)), actions(1), request("known"))
    gone = await store.create(row("c"), [])
    await store.close()
    group: list[Write] = [
        append(two.key, 1, 2, request("new")),
        append(one.key, 7),
        append(two.key, 1, wanted=request("known")),
        Create(row("d"), [], None),
        Create(row("a"), [], None),
        append(10**6, 0),
        append(two.key, 3),
        Delete(gone.key, None),
        append(gone.key, 7),
    ]
    with psycopg.connect(database, autocommit=True) as connection:
        outcomes, transaction = write_all(connection, group)
        execute(connection, "COMMIT")
    assert transaction.isdigit()
    kinds = [type(outcome).__name__ for outcome in outcomes]
    assert kinds == [
        "NoneType",
        "SequenceConflict",
        "RequestConflict",
        "MatchRow",
        "MatchExists",
        "SequenceConflict",
        "NoneType",
        "NoneType",
        "SequenceConflict",
    ]
    assert isinstance(outcomes[1], SequenceConflict) and outcomes[1].actual == 1
    assert isinstance(outcomes[5], SequenceConflict) and outcomes[5].actual is None
    again = await PostgresStore.open(database)
    loaded = await again.load("matches/b")
    assert loaded is not None and (loaded[0].last_seq, loaded[1]) == (4, actions(1, 4))
    assert await again.find_request("Scope", "new") == request("new") and await again.row("matches/d") is not None
    assert await again.row("matches/c") is None
    await again.close()


async def test_second_of_two_writers_of_a_match_gets_a_conflict(database: str, store: PostgresStore) -> None:
    stored = await store.create(row("a"), [])
    with psycopg.connect(database, autocommit=True) as other:
        outcomes, _ = write_all(other, [append(stored.key, 0, 2)])
        waiting = asyncio.create_task(store.append(Append(stored.key, 0, actions(1), CHAIN)))
        done, _ = await asyncio.wait([waiting], timeout=0.3)
        assert outcomes == [None] and not done  # it waits for the row, which the other has locked
        execute(other, "COMMIT")
        with pytest.raises(SequenceConflict) as lost:
            await waiting
    assert lost.value.actual == 2
    assert (await store.load("matches/a") or ((), []))[1] == actions(1, 2)


async def test_name_or_request_that_another_took_meanwhile_is_a_conflict(database: str, store: PostgresStore) -> None:
    with psycopg.connect(database, autocommit=True) as other:
        write_all(other, [Create(row("a"), [], request("r"))])
        same_name = asyncio.create_task(store.create(row("a"), []))
        same_request = asyncio.create_task(store.create(row("b"), [], request("r")))
        innocent = asyncio.create_task(store.create(row("c"), []))
        done, _ = await asyncio.wait([same_name, same_request], timeout=0.3)
        assert not done
        execute(other, "COMMIT")
    with pytest.raises(MatchExists):
        await same_name
    with pytest.raises(RequestConflict):
        await same_request
    assert (await innocent).name == "matches/c"
    assert await store.row("matches/b") is None


# -- many matches ------------------------------------------------------------------------------------------------------


COUNTS = """
SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint, sum(n_tup_upd - n_tup_hot_upd)::bigint
FROM pg_stat_user_tables WHERE relname IN ('matches', 'records', 'seats', 'claims')
"""
"""Rows read, and updates that had to write to the indexes of their table as well."""


async def test_cost_of_a_write_does_not_depend_on_the_number_of_matches(
    database: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def create(names: Iterable[int]) -> list[int]:
        return [made.key for made in await asyncio.gather(*(store.create(row(f"{n}"), []) for n in names))]

    async def counts() -> tuple[int, int]:
        await store._execute("SELECT pg_stat_force_next_flush()", {})
        ((rows, updates),) = run(database, COUNTS)
        return rows, updates

    async def cost(names: range) -> tuple[int, int]:
        """Returns the seconds to create a match and write to it, for each name."""
        rows, updates = await counts()
        for name in names:
            (key,) = await create([name])
            for seq in range(5):
                await store.append(Append(key, seq, actions(seq + 1), CHAIN, uptime_ms=seq))
        rows_after, updates_after = await counts()
        return rows_after - rows, updates_after - updates

    await create(range(8))  # so many that the server keeps the plans of these statements
    run(database, "ANALYZE")
    rows_beside_few, _ = await cost(range(8, 16))
    await create(range(16, 1016))
    monkeypatch.setattr(postgres_store, "PLANS_KEPT_S", 0.0)
    rows, updates = await cost(range(1016, 1024))
    assert 0 < rows <= rows_beside_few and updates == 0


async def test_claims_are_counted_in_batches(
    database: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.replica is not None
    await asyncio.gather(*(store.create(row(f"{n}", needs_service=n % 2 == 0), []) for n in range(100)))
    monkeypatch.setattr(postgres_replica, "CLAIMS_PER_COUNT", 20)
    monkeypatch.setattr(postgres_replica, "OWN_CLAIMS", postgres_replica.OWN_CLAIMS.replace("LIMIT 1000", "LIMIT 20"))
    counted: list[list[tuple[int, str]]] = []
    observer: Any = SimpleNamespace(claims_counted=counted.append)
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        after = await store.replica._count_claims(connection, observer, 0)
        while after:
            after = await store.replica._count_claims(connection, observer, after)
    assert [len(part) for part in counted] == [20, 20, 10]
    found = [name for part in counted for _, name in part]
    assert sorted(found) == sorted(f"matches/{n}" for n in range(0, 100, 2))


# -- the connection is lost --------------------------------------------------------------------------------------------


def end_connections(database: str) -> None:
    """Make the server end all other connections to the database."""
    run(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


async def test_store_continues_after_lost_connections(database: str, store: PostgresStore) -> None:
    stored = await store.create(row("a"), [])
    for seq in range(3):
        end_connections(database)
        assert (await store.row("matches/a")) is not None
        while True:
            try:
                await store.append(Append(stored.key, seq, actions(seq + 1), CHAIN))
                break
            except StoreUnavailable:
                continue
    assert (await store.load("matches/a") or ((), []))[1] == actions(1, 3)


@pytest.mark.parametrize("committed", [True, False])
async def test_commit_whose_connection_was_lost_is_resolved(
    database: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    stored = await store.create(row("a"), [])

    def lose(connection: psycopg.Connection[Any], sql: str, *values: Any) -> Any:
        if sql != "COMMIT" or threading.current_thread().name != "store-writer":
            return execute(connection, sql, *values)
        if committed:
            execute(connection, sql)
        end_connections(database)
        return execute(connection, "SELECT 1")

    monkeypatch.setattr(postgres_store, "execute", lose)
    if committed:
        await store.append(Append(stored.key, 0, actions(1), CHAIN))
    else:
        with pytest.raises(StoreUnavailable):
            await store.append(Append(stored.key, 0, actions(1), CHAIN))
    monkeypatch.undo()
    found = await store.row("matches/a")
    assert found is not None and found.last_seq == int(committed)


async def test_killed_server_has_stored_everything_acknowledged() -> None:
    with postgres_server() as server:
        store = await PostgresStore.open(server.get_uri())
        stored = await store.create(row("a"), [])
        for seq in range(20):
            await store.append(Append(stored.key, seq, actions(seq + 1), CHAIN))
        await asyncio.to_thread(kill_postgres, server)
        with pytest.raises(StoreUnavailable):
            await store.append(Append(stored.key, 20, actions(21), CHAIN))
        with pytest.raises(StoreUnavailable):
            await store.row("matches/a")
        await asyncio.to_thread(server.ensure_postgres_running)
        await store.append(Append(stored.key, 20, actions(21), CHAIN))
        assert (await store.load("matches/a") or ((), []))[1] == actions(1, 21)
        await store.close()
