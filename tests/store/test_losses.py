"""Detection of lost data: at the start of a store, while it runs, and by examination."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from engine_service.log.records import chain_all
from engine_service.store import protection
from engine_service.store.base import Append, DataLost, MatchFilter, StoreUnavailable
from engine_service.store.protection import read_mark
from engine_service.store.sqlite import SqliteStore
from engine_service.store.sqlite_file import examine
from tests.support.rows import actions, row
from tests.support.store_victim import start_victim


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder / "omnilude.sqlite3"


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def killed(path: Path, appends: int = 30) -> None:
    """Write from a process that is killed, so that the newest records are only in the write-ahead log."""
    victim = start_victim(path)
    with victim:
        assert victim.stdout is not None
        for _ in range(appends):
            victim.stdout.readline()
        victim.kill()


# -- at the start ------------------------------------------------------------------------------------------------------


def without_log(path: Path) -> None:
    wal(path).unlink()


def overwritten_log(path: Path) -> None:
    wal(path).write_bytes(b"\xff" * wal(path).stat().st_size)


def without_database(path: Path) -> None:
    path.unlink()
    wal(path).unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")
    wal(path).unlink()


def another(path: Path) -> None:
    wal(path).unlink()
    other = path.with_name("other")
    asyncio.run(opened_and_closed(other))
    other.replace(path)


async def opened_and_closed(path: Path) -> None:
    await (await SqliteStore.open(path)).close()


def damaged_mark(path: Path) -> None:
    protection.mark_path(path).write_bytes(b"")


@pytest.mark.parametrize("lose", [without_log, overwritten_log, without_database, emptied, another, damaged_mark])
def test_lost_data_stops_the_start(path: Path, lose: Callable[[Path], None]) -> None:
    killed(path)
    lose(path)
    there = path.exists() and path.read_bytes()
    with pytest.raises(DataLost, match=r"--accept-loss") as refused:
        asyncio.run(opened_and_closed(path))
    assert str(path) in str(refused.value)
    assert (path.exists() and path.read_bytes()) == there, "what is left is left as it is"


def test_restored_database_is_used_again(path: Path) -> None:
    killed(path)
    kept = wal(path).with_name("kept")
    shutil.copy(wal(path), kept)
    wal(path).unlink()
    with pytest.raises(DataLost):
        asyncio.run(opened_and_closed(path))
    kept.replace(wal(path))
    asyncio.run(opened_and_closed(path))


def test_accepted_loss_does_not_stop_later_starts(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    killed(path)
    without_log(path)

    async def accept() -> None:
        await (await SqliteStore.open(path, accept_loss=True)).close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(accept())
    assert "has lost data" in caplog.text
    asyncio.run(opened_and_closed(path))


def test_killed_service_loses_nothing_and_starts_again(path: Path) -> None:
    for _ in range(2):
        killed(path, 3)
    asyncio.run(opened_and_closed(path))


async def test_older_copy_of_the_database_is_detected(path: Path) -> None:
    await opened_and_closed(path)
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    store = await SqliteStore.open(path)
    await store.create(row("a"), [])
    await store.close()
    copy.replace(path)
    with pytest.raises(DataLost, match="commits were acknowledged"):
        await SqliteStore.open(path)


async def test_copy_without_mark_file_is_opened(path: Path, tmp_path: Path) -> None:
    await opened_and_closed(path)
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    await opened_and_closed(copy)
    assert read_mark(copy) is not None


@pytest.mark.parametrize(("durability", "detected"), [("normal", False), ("full", True)])
async def test_normal_durability_permits_loss_by_power_cut(
    path: Path, durability: str, detected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(path, durability)  # type: ignore[arg-type]
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    await store.create(row("a"), [])
    await store.close()
    copy.replace(path)
    monkeypatch.setattr(protection, "boot_id", lambda: "started anew")
    if detected:
        with pytest.raises(DataLost):
            await SqliteStore.open(path)
    else:
        await opened_and_closed(path)


# -- while it runs -----------------------------------------------------------------------------------------------------


def removed(path: Path) -> None:
    path.unlink()


def removed_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def moved_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def replaced(path: Path) -> None:
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.replace(path)


def removed_log(path: Path) -> None:
    wal(path).unlink()


def emptied_log(path: Path) -> None:
    os.truncate(wal(path), 0)


def shortened(path: Path) -> None:
    os.truncate(path, 0)


@pytest.mark.parametrize("lose", [removed, removed_folder, moved_folder, replaced, removed_log, emptied_log, shortened])
async def test_writes_are_refused_after_the_files_were_replaced(
    path: Path, lose: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    losses: list[str] = []
    store = await SqliteStore.open(path, on_loss=lambda: losses.append("lost"))
    stored = await store.create(row("a"), [])
    # Some of what was written reaches the database itself, some is in the write-ahead log.
    store._writing.execute("PRAGMA wal_checkpoint").fetchall()
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32))
    assert not losses
    lose(path)
    with caplog.at_level(logging.CRITICAL):
        for seq in range(1, 4):
            with pytest.raises(StoreUnavailable):
                await store.append(Append(stored.key, seq, actions(seq + 1), b"c" * 32))
    assert losses == ["lost"]
    assert len([line for line in caplog.records if "accepts no more writes" in line.getMessage()]) == 1
    await store.close()


async def test_database_that_grows_and_is_written_back_stays_the_same(path: Path) -> None:
    store = await SqliteStore.open(path)
    for number in range(40):
        await store.create(row(str(number), actions(1, 200)), actions(1, 200))
        if number % 10 == 0:
            store._writing.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
    assert len(await store.find(MatchFilter(), None, 99)) == 40
    await store.close()


async def test_log_of_refusals_is_rate_limited(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = await SqliteStore.open(path)
    (pages,) = store._writing.execute("PRAGMA page_count").fetchone()
    store._writing.execute(f"PRAGMA max_page_count = {pages}")
    huge = row("huge", result=bytes(100_000))
    for _ in range(50):
        with pytest.raises(StoreUnavailable):
            await store.create(huge, [])
    assert len([line for line in caplog.records if "cannot be used" in line.getMessage()]) <= 1
    await store.close()


# -- when it is asked --------------------------------------------------------------------------------------------------


async def logs(path: Path) -> SqliteStore:
    store = await SqliteStore.open(path)
    for name in ("a", "b"):
        stored = await store.create(row(name), [])
        await store.append(Append(stored.key, 0, actions(1, 5), chain_all(stored.chain, actions(1, 5))))
    return store


async def test_examine_accepts_a_valid_database_in_use(path: Path) -> None:
    store = await logs(path)
    found = examine(path)
    assert (found.matches, found.records, found.problems) == (2, 10, [])
    await store.create(row("c"), [])
    await store.close()
    assert examine(path).problems == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("DELETE FROM records WHERE match_key = 2 AND seq = 5", "matches/b has 4 of its 5 records"),
        ("UPDATE records SET code = code + 1 WHERE match_key = 2 AND seq = 3", "matches/b was changed"),
        ("UPDATE service SET commits = commits - 1", "commits were acknowledged"),
        ("UPDATE service SET store_id = 'x'", "another database"),
        ("UPDATE records SET kind = 99 WHERE match_key = 2 AND seq = 3", "matches/b cannot be read"),
    ],
)
async def test_examine_finds_changes_by_other_programs(path: Path, change: str, problem: str) -> None:
    await (await logs(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    connection.close()
    (found,) = examine(path).problems
    assert problem in found


async def test_damaged_pages_and_their_matches_are_named(path: Path) -> None:
    store = await SqliteStore.open(path)
    for number in range(50):
        records = actions(1, 50)
        await store.create(row(str(number), records), records)
    await store.close()
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()
    connection.close()
    whole = bytearray(path.read_bytes())
    whole[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(whole)
    problems = examine(path).problems
    assert any("matches/7 cannot be read" in problem for problem in problems)
    assert not all("cannot be read" in problem for problem in problems), "SQLite's own findings are listed, too"
