"""The SQLite store: persistence, locks, full disks, damage, back-ups."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from engine_service.store import schema, sqlite_file
from engine_service.store.base import (
    Append,
    CannotOpen,
    Damaged,
    InUse,
    MatchExists,
    MatchFilter,
    NotAStore,
    OtherSchema,
    SequenceConflict,
    StoredRequest,
    StoreUnavailable,
)
from engine_service.store.protection import DatabaseLock
from engine_service.store.sqlite import SqliteStore
from engine_service.store.sqlite_file import backup
from tests.support.rows import actions, row
from tests.support.store_victim import BATCH, start_victim


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "omnilude.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(path, lock_wait_seconds=0.05)
    yield store
    await store.close()


# -- it lasts ------------------------------------------------------------------------------------------------------


async def test_writes_survive_close_and_open(path: Path) -> None:
    store = await SqliteStore.open(path)
    stored = await store.create(row("a", labels={"k": "v"}), [], StoredRequest("s", "r", b"f", b"a", 1))
    await store.append(Append(stored.key, 0, actions(1, 5), b"c" * 32))
    before = await store.load("matches/a")
    await store.close()
    left = sorted(file.name for file in path.parent.iterdir())
    assert left == [path.name, path.name + ".mark"]  # a clean end leaves nothing else beside it
    store = await SqliteStore.open(path)
    assert await store.load("matches/a") == before
    assert await store.find_request("s", "r") == StoredRequest("s", "r", b"f", b"a", 1)
    await store.close()


async def test_long_log_is_read_completely(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine_service.store.sql_store.RECORDS_PER_READ", 10)
    stored = await store.create(row("a", actions(1, 30)), actions(1, 30))
    for after, limit in ((0, 30), (0, 35), (0, 9), (0, 10), (0, 11), (5, 20), (29, 100), (30, 5), (0, 0)):
        assert await store.records(stored.key, after, limit) == actions(1, 30)[after : after + limit]


async def test_quick_reads_and_writes_do_not_wait_for_long_reads(store: SqliteStore) -> None:
    stored = await store.create(row("a", actions(1, 3)), actions(1, 3), StoredRequest("s", "r", b"f", b"a", 1))
    reading = threading.Event()
    long = asyncio.ensure_future(store._long_reads.read(lambda connection: reading.wait(60)))
    assert await store.row("matches/a") == stored
    assert await store.find_request("s", "r") is not None
    await store.append(Append(stored.key, 3, actions(4), b"c" * 32))
    assert not long.done()
    reading.set()
    assert await long


async def test_closing_finishes_what_is_queued(path: Path) -> None:
    store = await SqliteStore.open(path)
    queued = [asyncio.ensure_future(store.create(row(str(number)), [])) for number in range(600)]
    await asyncio.sleep(0)
    await store.close()
    assert all(future.done() and future.exception() is None for future in queued)
    store = await SqliteStore.open(path)
    assert len(await store.find(MatchFilter(), None, 1000)) == 600
    await store.close()


@pytest.mark.parametrize("acknowledged", [1, 40, 400])
async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(path: Path, acknowledged: int) -> None:
    """A process is killed while it writes; every write that it has printed must be there, in whole appends."""
    victim = start_victim(path)
    assert victim.stdout is not None
    acknowledged_seqs: dict[str, int] = {}

    def take(line: str) -> None:
        word, name, *seq = line.split()
        assert word == ("appended" if seq else "created")
        acknowledged_seqs[name] = int(seq[0]) if seq else 0

    with victim:
        for _ in range(acknowledged):
            take(victim.stdout.readline())
        victim.kill()
        for line in victim.stdout:  # printed before it was killed, but not read yet
            if line.endswith("\n"):
                take(line)
    assert acknowledged_seqs

    store = await SqliteStore.open(path)
    for name, seq in acknowledged_seqs.items():
        loaded = await store.load(name)
        assert loaded is not None, name
        found, records = loaded
        assert found.last_seq >= seq
        assert found.last_seq % BATCH == 0
        assert records == actions(1, found.last_seq)
        for answered in range(0, found.last_seq, BATCH):
            assert await store.find_request(name, str(answered)) is not None
        assert await store.find_request(name, str(found.last_seq)) is None
        await store.append(Append(found.key, found.last_seq, actions(found.last_seq + 1), b"c" * 32))
    await store.close()


# -- it fails well ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(path: Path) -> AsyncIterator[None]:
    """Lock the database, as another program might."""
    script = "\n".join(
        [
            "import sqlite3, sys",
            "connection = sqlite3.connect(sys.argv[1], isolation_level=None)",
            "connection.execute('BEGIN EXCLUSIVE')",
            "print('locked', flush=True)",
            "sys.stdin.read()",
        ]
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        yield


async def test_locked_database_refuses_writes_until_it_is_free(store: SqliteStore, path: Path) -> None:
    stored = await store.create(row("a"), [])
    request = StoredRequest("s", "r", b"f", b"a", 1)
    with locked(path):
        outcomes = await asyncio.gather(
            store.append(Append(stored.key, 0, actions(1), b"c" * 32, None, request)),
            store.create(row("b"), []),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [StoreUnavailable, StoreUnavailable]
        assert await store.load("matches/a") == (stored, [])  # a reader does not wait for a writer
    assert await store.find_request("s", "r") is None
    assert await store.load("matches/b") is None
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32, None, request))
    assert await store.records(stored.key, 0, 9) == actions(1)


async def test_locked_database_cannot_be_opened(store: SqliteStore, path: Path) -> None:
    await store.close()
    with locked(path), pytest.raises(CannotOpen, match="locked by another program"):
        await SqliteStore.open(path, lock_wait_seconds=0.05)


def on_writer(store: SqliteStore, statement: str) -> None:
    """Run a statement on the connection that writes, while nothing is being written."""
    store._writing.execute(statement).fetchall()


async def test_full_disk_fails_only_what_does_not_fit(store: SqliteStore) -> None:
    """A limit of pages simulates a full disk: SQLite raises the same error in the same calls."""
    stored = await store.create(row("a"), [])
    (pages,) = store._writing.execute("PRAGMA page_count").fetchone()
    on_writer(store, f"PRAGMA max_page_count = {pages + 4}")
    huge = row("huge", result=bytes(100_000))
    outcomes = await asyncio.gather(
        store.append(Append(stored.key, 0, actions(1), b"c" * 32)),
        store.create(huge, [], StoredRequest("s", "r", b"f", b"a", 1)),
        store.append(Append(stored.key, 1, actions(2), b"d" * 32)),
        store.append(Append(stored.key, 1, actions(2), b"e" * 32)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), StoreUnavailable, type(None), SequenceConflict]
    assert await store.load("matches/huge") is None
    assert await store.find_request("s", "r") is None
    assert await store.records(stored.key, 0, 9) == actions(1, 2)
    on_writer(store, "PRAGMA max_page_count = 1000000")
    assert (await store.create(huge, [])).name == "matches/huge"


async def test_disk_that_becomes_full_refuses_writes_and_recovers(store: SqliteStore) -> None:
    stored = await store.create(row("a"), [])
    (pages,) = store._writing.execute("PRAGMA page_count").fetchone()
    on_writer(store, f"PRAGMA max_page_count = {pages + 4}")
    seq = 0
    with pytest.raises(StoreUnavailable):
        while True:
            await store.append(Append(stored.key, seq, actions(seq + 1, 50), b"c" * 32))
            seq += 50
    assert seq > 0
    loaded = await store.load("matches/a")
    assert loaded is not None
    assert loaded[0].last_seq == seq
    assert loaded[1] == actions(1, seq)
    on_writer(store, "PRAGMA max_page_count = 1000000")
    await store.append(Append(stored.key, seq, actions(seq + 1, 50), b"c" * 32))


async def test_write_that_is_a_defect_of_the_caller_fails_alone(store: SqliteStore) -> None:
    stored = await store.create(row("a"), [])
    outcomes = await asyncio.gather(
        store.append(Append(stored.key, 0, actions(1), b"c" * 32)),
        store.create(row("b", created_ms=2**64), []),
        store.create(row("c", game=None), []),
        store.append(Append(stored.key, 1, actions(2), b"c" * 32)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), OverflowError, sqlite3.IntegrityError, type(None)]
    assert [match.name for match in await store.find(MatchFilter(), None, 9)] == ["matches/a"]


async def test_transaction_left_open_is_rolled_back_before_the_next(store: SqliteStore) -> None:
    stored = await store.create(row("a"), [])
    on_writer(store, "BEGIN IMMEDIATE")
    on_writer(store, "UPDATE matches SET last_seq = 9")
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32))
    assert await store.records(stored.key, 0, 9) == actions(1)


async def test_cancelled_caller_affects_nobody_else(store: SqliteStore) -> None:
    stored = await store.create(row("a"), [])
    cancelled = asyncio.ensure_future(store.append(Append(stored.key, 0, actions(1), b"c" * 32)))
    other = asyncio.ensure_future(store.create(row("b"), []))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert (await other).name == "matches/b"
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    loaded = await store.load("matches/a")
    assert loaded is not None
    assert loaded[1] == actions(1, loaded[0].last_seq)


async def test_commits_are_reported(path: Path) -> None:
    commits: list[tuple[int, float]] = []
    store = await SqliteStore.open(path, on_commit=lambda writes, seconds: commits.append((writes, seconds)))
    await asyncio.gather(*(store.create(row(str(number)), []) for number in range(50)))
    with pytest.raises(MatchExists):
        await store.create(row("0"), [])
    await store.close()
    assert sum(writes for writes, _ in commits) == 50
    assert len(commits) < 50  # they were committed in groups
    assert all(seconds > 0 for _, seconds in commits)


# -- opening -----------------------------------------------------------------------------------------------------------


def foreign(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE matches (name TEXT)")
        connection.commit()


def without_version(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE omnilude_schema (version INTEGER)")
        connection.commit()


def not_a_database(path: Path) -> None:
    path.write_text("dear diary, " * 1000)


def directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (foreign, NotAStore, "another program"),
        (without_version, NotAStore, "which schema"),
        (not_a_database, NotAStore, "not a database, or damaged"),
        (directory, CannotOpen, "cannot be opened: Is a directory"),
    ],
)
async def test_foreign_file_is_refused_and_unchanged(
    path: Path, make: Callable[[Path], None], kind: type[CannotOpen], message: str
) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(CannotOpen, match=message) as refused:
        await SqliteStore.open(path)
    assert type(refused.value) is kind
    assert str(path) in str(refused.value)
    assert (path.read_bytes() if path.is_file() else None) == before


async def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="No such file or directory"):
        await SqliteStore.open(tmp_path / "nowhere" / "db")


@pytest.mark.parametrize("other", [schema.VERSION - 1, schema.VERSION + 1])
async def test_database_of_another_schema_is_refused_and_unchanged(path: Path, other: int) -> None:
    await (await SqliteStore.open(path)).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE omnilude_schema SET version = ?", (other,))
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(CannotOpen, match="schema") as refused:
        await SqliteStore.open(path)
    assert type(refused.value) is (OtherSchema if other else NotAStore)
    assert path.read_bytes() == before


async def test_damage_raises_typed_errors(path: Path) -> None:
    store = await SqliteStore.open(path)
    await asyncio.gather(*(store.create(row(str(number), actions(1, 20)), actions(1, 20)) for number in range(100)))
    await store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + bytes(len(whole) - 100))
    with pytest.raises(NotAStore, match="damaged"):
        await SqliteStore.open(path)
    page = 4096
    path.write_bytes(whole[: 20 * page] + b"\xff" * (len(whole) - 20 * page))
    with pytest.raises(Damaged, match="damaged"):
        await SqliteStore.open(path)
    store = await SqliteStore.open(path, accept_loss=True)
    outcomes = await asyncio.gather(
        *(store.load(f"matches/{number}") for number in range(100)),
        *(store.create(row(f"new{number}"), actions(1, 0)) for number in range(10)),
        return_exceptions=True,
    )
    assert any(isinstance(outcome, StoreUnavailable) for outcome in outcomes)
    assert all(not isinstance(outcome, Exception) or type(outcome) is StoreUnavailable for outcome in outcomes)
    await store.close()


async def test_files_are_readable_by_their_owner_only(store: SqliteStore, path: Path) -> None:
    await store.create(row("a"), [])
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert len(modes) == 5  # with SQLite's two beside it, the lock, and the note of the newest commit
    assert set(modes.values()) == {0o600}


# -- one service for one database --------------------------------------------------------------------------------------


async def test_second_service_is_refused_and_the_first_continues(store: SqliteStore, path: Path) -> None:
    with pytest.raises(InUse, match=rf"in use by another service \(process {os.getpid()}\)"):
        await SqliteStore.open(path)
    stored = await store.create(row("a"), [])
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32))


async def test_database_in_use_is_locked_under_other_names(store: SqliteStore, path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    with pytest.raises(InUse):
        await SqliteStore.open(link)


async def test_database_in_use_is_locked_through_a_hard_link(store: SqliteStore, path: Path) -> None:
    link = path.with_name("link")
    link.hardlink_to(path)
    with pytest.raises(InUse):
        await SqliteStore.open(link)
    await store.create(row("a"), [])
    await store.close()
    await (await SqliteStore.open(link)).close()


async def test_released_database_can_be_opened_again(store: SqliteStore, path: Path) -> None:
    await store.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, path.name + ".mark"]
    other = await SqliteStore.open(path)
    await other.close()


async def test_failed_open_releases_the_lock(path: Path) -> None:
    not_a_database(path)
    with pytest.raises(NotAStore):
        await SqliteStore.open(path)
    path.write_bytes(b"")
    await (await SqliteStore.open(path)).close()


def test_one_of_many_waiting_processes_gets_a_released_database(path: Path) -> None:
    """A lock file that is removed and made again by others meanwhile must not give the database to two."""
    holders, most, turns = 0, 0, 0
    count = threading.Lock()

    def ask() -> None:
        nonlocal holders, most, turns
        for _ in range(300):
            try:
                lock = DatabaseLock(path)
            except InUse:
                continue
            with count:
                holders += 1
                most, turns = max(most, holders), turns + 1
            with count:
                holders -= 1
            lock.release()

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert most == 1 and turns > 0


async def test_lock_of_a_killed_service_is_released(path: Path) -> None:
    victim = start_victim(path)
    with victim:
        assert victim.stdout is not None
        victim.stdout.readline()
        with pytest.raises(InUse, match=f"process {victim.pid}"):
            await SqliteStore.open(path)
        victim.kill()
    assert path.with_name(path.name + ".lock").exists()
    await (await SqliteStore.open(path)).close()


def test_durability_setting_is_applied(path: Path) -> None:
    sqlite_file.create(path)
    sqlite_file.prepare(path, 1.0)
    for durability, level in (("full", 2), ("normal", 1)):
        with contextlib.closing(sqlite_file.connect(path, durability, 1.0)) as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


# -- back-up -----------------------------------------------------------------------------------------------------------


async def test_backup_of_a_store_in_use_can_be_opened(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    stored = await store.create(row("a"), [])
    copy = tmp_path / "copy"
    writes = [Append(stored.key, seq - 1, actions(seq), b"c" * 32) for seq in range(1, 301)]
    writing = asyncio.gather(*map(store.append, writes))
    await asyncio.to_thread(backup, path, copy)
    await writing
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    opened = await SqliteStore.open(copy)
    loaded = await opened.load("matches/a")
    assert loaded is not None
    assert loaded[1] == actions(1, loaded[0].last_seq)
    await opened.close()


async def test_backup_overwrites_nothing_and_refuses_foreign_files(store: SqliteStore, path: Path) -> None:
    with pytest.raises(FileExistsError):
        backup(path, path)
    with pytest.raises(CannotOpen, match="unable to open"):
        backup(path.with_name("nowhere"), path.with_name("copy"))
    not_a_database(path.with_name("diary"))
    with pytest.raises(NotAStore, match="not a database"):
        backup(path.with_name("diary"), path.with_name("copy"))
    foreign(path.with_name("foreign"))
    with pytest.raises(NotAStore, match="another program"):
        backup(path.with_name("foreign"), path.with_name("copy"))
    path.with_name("empty").touch()
    with pytest.raises(NotAStore, match="empty"):
        backup(path.with_name("empty"), path.with_name("copy"))
    with pytest.raises(FileNotFoundError):
        backup(path, path.with_name("nowhere") / "copy")
    assert not path.with_name("copy").exists()
    assert not list(path.parent.glob("*.part"))


async def test_unfinished_matches_are_found_by_their_index(store: SqliteStore) -> None:
    query, values = store.sql.find_matches(MatchFilter(states=(1, 2)), None, 10)
    plan = store._writing.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall()
    assert "matches_unfinished" in str(plan)
