"""Looking through a whole database for what is wrong with it, while a service may be using it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine_service.log.records import chain_all, first_chain
from engine_service.store import schema, sqlite_file
from engine_service.store import sqlite_sql as sql
from engine_service.store.base import DataLost, NotAStore
from engine_service.store.mark import read_mark

MOST_FINDINGS = 100
LOCK_WAIT_SECONDS = 5.0


@dataclass(slots=True)
class Examination:
    """What was looked at, and what is wrong, a line each."""

    matches: int
    records: int
    problems: list[str]


def examine(path: Path) -> Examination:
    """Read every page of a database, compare it with the note beside it, and prove the chain of every log.

    Raises CannotOpen where there is no database of this version.
    """
    found = Examination(0, 0, [])
    with sqlite_file.opening(path):
        # Before the database is read: the note may promise less than the database holds, not more.
        try:
            mark = read_mark(path)
        except DataLost as loss:
            mark = None
            found.problems.append(str(loss))
    with contextlib.closing(sqlite_file.connect(path, "full", LOCK_WAIT_SECONDS)) as connection:
        with sqlite_file.opening(path):
            version = sqlite_file.check(path, connection)
        if version != schema.VERSION:
            raise NotAStore(f"{path} has schema {version}, not {schema.VERSION}: start the service on it once")
        with sqlite_file.opening(path):
            connection.execute("BEGIN")  # all that is read is of one moment; a damaged database takes no COMMIT
            found.problems += sqlite_file.damage(connection, "integrity_check", MOST_FINDINGS)
            if mark is not None and (wrong := mark.contradiction(*sqlite_file.identity(connection))):
                found.problems.append(wrong)
            found.problems += _logs(connection, found)
    return found


def _logs(connection: sqlite3.Connection, found: Examination) -> Iterator[str]:
    """What is wrong with the logs of the matches; counts what it reads."""
    names: list[str] = []
    try:
        for (name,) in connection.execute(sql.SELECT_NAMES):
            names.append(name)
    except sqlite3.DatabaseError as error:
        yield f"not all matches can be listed: {error}"
    for name in names:
        found.matches += 1
        try:
            header, last_seq, chain, key = connection.execute(sql.SELECT_LOG_END, {"name": name}).fetchone()
            rows = connection.execute(sql.SELECT_RECORDS, {"match_key": key, "after_seq": 0, "most": -1}).fetchall()
            records = [schema.record_of(row) for row in rows]
            proved = chain_all(first_chain(header), records)
        except (sqlite3.DatabaseError, KeyError, ValueError, TypeError) as error:
            yield f"{name} cannot be read: {error}"
            continue
        found.records += len(records)
        if len(records) != last_seq:
            yield f"{name} has {len(records)} of its {last_seq} records"
        elif proved != chain:
            yield f"{name} was changed: the chain of its log does not end as it should"
