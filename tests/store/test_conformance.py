"""Conformance of the stores: the contract of Store, tested on each of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine_service.log.records import Record, chain_all
from engine_service.match_enums import RecordKind
from engine_service.store.base import (
    Append,
    Durability,
    MatchExists,
    MatchFilter,
    RequestConflict,
    RowUpdate,
    SeatRow,
    SequenceConflict,
    Store,
    StoredRequest,
    StoreUnavailable,
)
from engine_service.store.memory import MemoryStore
from engine_service.store.postgres import PostgresStore
from engine_service.store.sqlite import SqliteStore
from tests.support.rows import actions, noise, row


@pytest.fixture(params=["memory", "sqlite", "sqlite-normal", "postgres", "postgres-normal"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    made: Store
    if request.param == "memory":
        made = MemoryStore()
    elif request.param == "sqlite":
        made = await SqliteStore.open(tmp_path / "db")
    elif request.param == "sqlite-normal":
        made = await SqliteStore.open(tmp_path / "db", "normal")
    else:
        durability: Durability = "normal" if request.param == "postgres-normal" else "full"
        made = await PostgresStore.open(request.getfixturevalue("database"), durability)
    yield made
    await made.close()


def answer(scope: str, request_id: str) -> StoredRequest:
    return StoredRequest(scope, request_id, noise(request_id + "f", 32), noise(request_id + "a", 20), 1_234)


async def test_row_is_read_without_the_log(store: Store) -> None:
    assert await store.row("matches/a") is None
    stored = await store.create(row("a", actions(1, 3)), actions(1, 3))
    assert await store.row("matches/a") == stored
    assert await store.load("matches/a") == (stored, actions(1, 3))


async def test_match_is_read_as_it_was_created(store: Store) -> None:
    records = [
        Record(1, RecordKind.JOINED, 0, text="Ada \u2660 \U0001f3b2"),
        Record(2, RecordKind.STARTED, time_ms=2**40),
        Record(3, RecordKind.ACTION, 1, 2**31 - 1, 2**40),
        Record(4, RecordKind.CHANCE, -1, -(2**31), 2**40),
        Record(5, RecordKind.UNDONE, 0, 0, 2**40 + 1, 3, "hm"),
    ]
    given = row(
        "a",
        records,
        labels={"cup": "spring", "": "empty key", "round": ""},
        queued_outcomes=(0, -1, 2**31 - 1),
        result=b"\0\1",
        started_ms=5,
        ended_ms=2**41,
    )
    stored = await store.create(given, records)
    assert stored.key > 0
    assert stored == replace(given, key=stored.key)
    loaded = await store.load("matches/a")
    assert loaded == (stored, records)
    assert all(type(record.kind) is RecordKind for record in loaded[1])
    assert await store.load("matches/b") is None


async def test_append_updates_the_row(store: Store) -> None:
    stored = await store.create(row("a"), [])
    first, second = actions(1, 3), actions(4, 2)
    await store.append(Append(stored.key, 0, first, chain_all(stored.chain, first)))
    chain = chain_all(stored.chain, first + second)
    await store.append(Append(stored.key, 3, second, chain))
    assert await store.load("matches/a") == (replace(stored, last_seq=5, chain=chain), first + second)


async def test_update_changes_what_it_names_and_nothing_else(store: Store) -> None:
    stored = await store.create(row("a", labels={"k": "v"}), [])
    seats = (SeatRow(2, "Bob"), SeatRow(1, "Ada", True, True, b"n" * 16, b"d" * 32))
    await store.append(Append(stored.key, 0, [], stored.chain, RowUpdate(seats=seats, queued_outcomes=(7, 8))))
    assert await store.load("matches/a") == (replace(stored, seats=seats, queued_outcomes=(7, 8)), [])
    update = RowUpdate(
        state=3,
        started_ms=10,
        ended_ms=20,
        result=b"r",
        queued_outcomes=(),
        private_records=4,
        newest_withheld=True,
    )
    with pytest.raises(SequenceConflict):
        await store.append(Append(stored.key, 0, actions(1), b"c" * 32, update, expected_outcomes=(7,)))
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32, update, expected_outcomes=(7, 8)))
    expected = replace(
        stored,
        seats=seats,
        state=3,
        started_ms=10,
        ended_ms=20,
        result=b"r",
        last_seq=1,
        chain=b"c" * 32,
        private_records=4,
        newest_withheld=True,
    )
    assert await store.load("matches/a") == (expected, actions(1))


@pytest.mark.parametrize("expected", [0, 1, 3, 4])
async def test_writer_that_expects_another_sequence_number_changes_nothing(store: Store, expected: int) -> None:
    stored = await store.create(row("a", actions(1, 2)), actions(1, 2))
    request = answer("append", "r")
    with pytest.raises(SequenceConflict) as conflict:
        await store.append(Append(stored.key, expected, actions(expected + 1), b"c" * 32, RowUpdate(state=3), request))
    assert (conflict.value.expected, conflict.value.actual) == (expected, 2)
    assert await store.load("matches/a") == (stored, actions(1, 2))
    assert await store.find_request("append", "r") is None


async def test_unknown_match_has_no_sequence_number(store: Store) -> None:
    with pytest.raises(SequenceConflict) as conflict:
        await store.append(Append(77, 0, actions(1), b"c" * 32))
    assert conflict.value.actual is None


async def test_records_with_a_gap_are_a_defect_of_the_caller(store: Store) -> None:
    stored = await store.create(row("a"), [])
    with pytest.raises(ValueError, match="do not follow record 0"):
        await store.append(Append(stored.key, 0, actions(2), b"c" * 32))
    with pytest.raises(ValueError, match="do not follow record 0"):
        await store.create(row("b", actions(2)), actions(2))
    with pytest.raises(ValueError, match="last_seq of the row is 3, but there are 1 records"):
        await store.create(row("b", last_seq=3), actions(1))
    assert await store.load("matches/b") is None


async def test_names_and_uids_are_unique(store: Store) -> None:
    stored = await store.create(row("a"), [])
    with pytest.raises(MatchExists) as exists:
        await store.create(row("a", uid=b"u" * 16), actions(1, 0), answer("create", "r"))
    assert exists.value.metadata == {"match": "matches/a"}
    with pytest.raises(MatchExists) as exists:
        await store.create(row("b", uid=stored.uid), [])
    assert exists.value.metadata == {"match": "matches/a"}, "the one that is here"
    assert await store.find_request("create", "r") is None
    assert await store.load("matches/b") is None
    assert await store.load("matches/a") == (stored, [])


async def test_answer_is_stored_with_its_request(store: Store) -> None:
    stored = await store.create(row("a"), [], answer("create", "r"))
    assert await store.find_request("create", "r") == answer("create", "r")
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32, None, answer("submit matches/a", "r")))
    assert await store.find_request("submit matches/a", "r") == answer("submit matches/a", "r")
    assert await store.find_request("submit matches/a", "s") is None
    assert await store.find_request("submit", "r") is None


async def test_old_answers_are_forgotten_the_oldest_first(store: Store) -> None:
    for age in (40, 10, 30, 20):
        await store.create(row(str(age)), [], replace(answer("create", str(age)), uptime_ms=age))

    async def known() -> list[int]:
        return [age for age in (10, 20, 30, 40) if await store.find_request("create", str(age)) is not None]

    assert await store.delete_requests(10, 9) == 0
    assert await known() == [10, 20, 30, 40]
    assert await store.delete_requests(40, 2) == 2
    assert await known() == [30, 40]
    assert await store.delete_requests(40, 2) == 1
    assert await known() == [40]
    await store.create(row("again"), [], replace(answer("create", "20"), uptime_ms=50))
    assert await known() == [20, 40]


async def test_uptime_is_stored(store: Store) -> None:
    assert await store.uptime() == 0
    await store.save_uptime(2**40)
    await store.save_uptime(2**39)
    assert await store.uptime() == 2**40, "it never decreases"
    stored = await store.create(row("a", uptime_ms=5), [])
    assert stored.uptime_ms == 5
    await store.append(Append(stored.key, 0, actions(1), b"c" * 32, None, None, 2**40))
    await store.append(Append(stored.key, 1, [], b"c" * 32, RowUpdate(queued_outcomes=(1,)), None, 2**41))
    loaded = await store.load("matches/a")
    assert loaded is not None and loaded[0].uptime_ms == 2**40, "that of the newest record"


async def test_answered_request_is_not_answered_again(store: Store) -> None:
    stored = await store.create(row("a"), [], answer("create", "r"))
    with pytest.raises(RequestConflict):
        await store.create(row("b"), [], replace(answer("create", "r"), answer=b"other"))
    with pytest.raises(RequestConflict):
        await store.append(Append(stored.key, 0, actions(1), b"c" * 32, None, answer("create", "r")))
    assert await store.load("matches/b") is None
    assert await store.load("matches/a") == (stored, [])
    assert await store.find_request("create", "r") == answer("create", "r")


async def test_one_of_racing_writers_wins(store: Store) -> None:
    stored = await store.create(row("a"), [])
    racers = [
        store.append(Append(stored.key, 0, actions(1), b"c" * 32, None, answer("submit", str(racer))))
        for racer in range(20)
    ]
    outcomes = await asyncio.gather(*racers, return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, SequenceConflict) for outcome in outcomes) == 19
    kept = [await store.find_request("submit", str(racer)) is not None for racer in range(20)]
    assert kept == [outcome is None for outcome in outcomes]


async def test_one_of_racing_requests_with_one_id_wins(store: Store) -> None:
    racers = [store.create(row(str(racer)), [], answer("create", "r")) for racer in range(20)]
    outcomes = await asyncio.gather(*racers, return_exceptions=True)
    assert sum(isinstance(outcome, RequestConflict) for outcome in outcomes) == 19
    assert len(await store.find(MatchFilter(), None, 100)) == 1


async def test_concurrent_writes_of_one_caller_keep_their_order(store: Store) -> None:
    stored = await store.create(row("a"), [])
    writes = [Append(stored.key, seq - 1, actions(seq), bytes([seq] * 32)) for seq in range(1, 101)]
    await asyncio.gather(*map(store.append, writes))
    loaded = await store.load("matches/a")
    assert loaded == (replace(stored, last_seq=100, chain=bytes([100] * 32)), actions(1, 100))


async def test_records_are_read_from_anywhere(store: Store) -> None:
    stored = await store.create(row("a", actions(1, 10)), actions(1, 10))
    other = await store.create(row("b", actions(1, 5)), actions(1, 5))
    assert await store.records(stored.key, 0, 3) == actions(1, 3)
    assert await store.records(stored.key, 7, 100) == actions(8, 3)
    assert await store.records(stored.key, 10, 100) == []
    assert await store.records(stored.key, 11, 100) == []
    assert await store.records(other.key, 4, 100) == actions(5)
    assert await store.records(77, 0, 100) == []


async def test_matches_are_listed_newest_first_page_by_page(store: Store) -> None:
    ages = {"a": 5, "b": 7, "c": 5, "d": 1, "e": 7, "f": 9}
    for name, created in ages.items():
        await store.create(row(name, created_ms=created, labels={"name": name}), [])
    expected = [f"matches/{name}" for name in "febcad"]
    found = await store.find(MatchFilter(), None, 100)
    assert [match.name for match in found] == expected
    assert [match.labels for match in found] == [{"name": name} for name in "febcad"]
    assert all(len(match.seats) == 2 and match.seats[0].player == "Ada" for match in found)
    for size in (1, 2, 3, 6):
        names: list[str] = []
        cursor = None
        while page := await store.find(MatchFilter(), cursor, size):
            assert len(page) <= size
            names += [match.name for match in page]
            cursor = (page[-1].created_ms, page[-1].name)
            # What is newer than the cursor does not move what comes.
            await store.create(row(f"z{size}{len(names)}", created_ms=100, game="late"), [])
        assert [name for name in names if "/z" not in name] == expected


async def test_list_of_matches_obeys_its_filters(store: Store) -> None:
    await store.create(row("a", created_ms=1, state=1, labels={"cup": "spring", "round": "1"}), [])
    await store.create(row("b", created_ms=2, state=2, labels={"cup": "spring", "round": "2"}), [])
    await store.create(row("c", created_ms=3, state=3, game="go", labels={"cup": "autumn", "round": "2"}), [])
    await store.create(row("d", created_ms=4, state=3, game="go"), [])

    async def names(**wanted: object) -> str:
        found = await store.find(MatchFilter(**wanted), None, 10)  # type: ignore[arg-type]
        return "".join(match.name.removeprefix("matches/") for match in found)

    assert await names() == "dcba"
    assert await names(game="go") == "dc"
    assert await names(game="games/go") == ""
    assert await names(states=(1, 2)) == "ba"
    assert await names(states=(3,), game="nim") == ""
    assert await names(labels={"cup": "spring"}) == "ba"
    assert await names(labels={"cup": "spring", "round": "2"}) == "b"
    assert await names(labels={"cup": "autumn", "round": "1"}) == ""
    assert await names(labels={"round": "2"}, states=(3,)) == "c"


async def test_matches_that_have_not_ended_are_found_for_recovery(store: Store) -> None:
    async def names() -> str:
        found = await store.find(MatchFilter(states=(1, 2)), None, 10)
        return "".join(match.name.removeprefix("matches/") for match in found)

    await store.create(row("c", created_ms=3, ended_ms=9, state=3), [])
    await store.create(row("b", created_ms=2), [])
    stored = await store.create(row("a", created_ms=1), [])
    await store.create(row("d", created_ms=0, state=1), [])
    assert await names() == "bad"
    await store.append(Append(stored.key, 0, [], stored.chain, RowUpdate(state=4, ended_ms=8)))
    assert await names() == "bd"


async def test_closed_store_is_unavailable(store: Store) -> None:
    stored = await store.create(row("a"), [])
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.append(Append(stored.key, 0, actions(1), b"c" * 32))
    with pytest.raises(StoreUnavailable):
        await store.create(row("b"), [])
    for write in (store.delete_requests(1, 1), store.save_uptime(1)):
        with pytest.raises(StoreUnavailable):
            await write
    for read in (
        store.load("matches/a"),
        store.records(1, 0, 1),
        store.find_request("a", "b"),
        store.uptime(),
    ):
        with pytest.raises(StoreUnavailable):
            await read
    with pytest.raises(StoreUnavailable):
        await store.find(MatchFilter(), None, 1)


async def test_deleted_match_leaves_nothing_behind(store: Store) -> None:
    records = actions(1, 3)
    first = await store.create(row("a", records, labels={"cup": "spring"}, ended_ms=5), records)
    other = await store.create(row("b", records, labels={"cup": "spring"}, ended_ms=5), records)
    await store.delete(first.key, answer("delete matches/a", "r"))
    assert await store.load("matches/a") is None and await store.row("matches/a") is None
    assert await store.records(first.key, 0, 9) == []
    assert await store.find(MatchFilter(labels={"cup": "spring"}), None, 9) == [other]
    assert await store.find_request("delete matches/a", "r") is not None
    with pytest.raises(RequestConflict):
        await store.delete(other.key, answer("delete matches/a", "r"))
    await store.delete(first.key)
    assert await store.load("matches/b") == (other, records)
    again = await store.create(row("a", records), records)
    assert await store.load("matches/a") == (again, records)


async def test_matches_that_ended_are_listed_oldest_first(store: Store) -> None:
    for name, uptime_ms, ended_ms in (("c", 30, 1), ("a", 10, 3), ("b", 20, 2), ("going on", 5, 0)):
        await store.create(row(name, uptime_ms=uptime_ms, ended_ms=ended_ms), [])
    assert await store.ended_before(30, 9) == ["matches/a", "matches/b"]
    assert await store.ended_before(31, 9) == ["matches/a", "matches/b", "matches/c"]
    assert await store.ended_before(31, 1) == ["matches/a"]
    going_on = await store.row("matches/going on")
    assert going_on is not None
    ends = RowUpdate(ended_ms=4)
    await store.append(Append(going_on.key, 0, actions(1), b"c" * 32, ends, uptime_ms=15))
    assert await store.ended_before(31, 9) == ["matches/a", "matches/going on", "matches/b", "matches/c"]


async def test_matches_are_found_by_player_turn_and_origin(store: Store) -> None:
    seats = (SeatRow(1, "Ada", True), SeatRow(3, "greedy", True), SeatRow(2, "Bo"))
    await store.create(row("a", created_ms=1, seats=seats, to_act=0b100), [])
    second = await store.create(row("b", created_ms=2, seats=seats, to_act=0b011), [])
    foreign = row("c", created_ms=3, seats=seats, imported=True, signature=b"s" * 64, signing_key=b"k" * 32)
    await store.create(foreign, [])

    async def names(**wanted: object) -> list[str]:
        return [found.name[8:] for found in await store.find(MatchFilter(**wanted), None, 9)]  # type: ignore[arg-type]

    assert await names(player="Ada") == await names(player="Bo") == ["b", "a"]
    assert await names(player="greedy") == await names(player="nobody") == []
    assert await names(player="Ada", to_act=True) == ["b"]
    assert await names(player="Bo", to_act=True) == ["a"]
    assert await names(imported=True) == ["c"]
    assert await names(imported=False) == ["b", "a"]
    loaded = await store.load("matches/c")
    assert loaded is not None and replace(loaded[0], key=0) == foreign
    await store.append(Append(second.key, 0, actions(1), b"c" * 32, to_act=0b100))
    assert await names(player="Ada", to_act=True) == []
    assert await names(player="Bo", to_act=True) == ["b", "a"]
