"""The SQL that the SQLite store runs, written once by SQLAlchemy from the tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    ClauseElement,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    not_,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from engine_service.model import SeatKind
from engine_service.store import schema
from engine_service.store.base import Cursor, MatchFilter

_DIALECT = sqlite.dialect(paramstyle="named")


def _sql(statement: ClauseElement) -> str:
    compiled = statement.compile(dialect=_DIALECT)
    # A value written into a statement would become a parameter that nobody binds.
    assert all(value is None for value in (compiled.params or {}).values()), f"{compiled} with {compiled.params}"
    return str(compiled)


def _create(table: Table) -> Iterable[str]:
    yield _sql(CreateTable(table))
    for index in sorted(table.indexes, key=lambda index: str(index.name)):
        yield _sql(CreateIndex(index))


_matches, _requests = schema.matches.c, schema.requests.c

_NEW_ID = "lower(hex(randomblob(16)))"
CREATE_TABLES = [
    *(sql for table in schema.metadata.sorted_tables for sql in _create(table)),
    _sql(insert(schema.service).values(uptime_ms=literal_column("0"), store_id=literal_column(_NEW_ID))),
]
UPGRADES = {
    2: [
        "CREATE TABLE service (uptime_ms BIGINT NOT NULL)",
        "INSERT INTO service (uptime_ms) VALUES (0)",
        "ALTER TABLE matches ADD COLUMN uptime_ms BIGINT DEFAULT '0' NOT NULL",
        "CREATE INDEX requests_by_age ON requests (created_ms)",
    ],
    3: [
        "ALTER TABLE service ADD COLUMN store_id TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE service ADD COLUMN commits BIGINT DEFAULT '0' NOT NULL",
        f"UPDATE service SET store_id = {_NEW_ID}",
        "ALTER TABLE matches ADD COLUMN to_act TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE matches ADD COLUMN imported BOOLEAN DEFAULT '0' NOT NULL",
        "ALTER TABLE matches ADD COLUMN signature BLOB DEFAULT '' NOT NULL",
        "ALTER TABLE matches ADD COLUMN signing_key BLOB DEFAULT '' NOT NULL",
        "ALTER TABLE matches ADD COLUMN untold_records BIGINT DEFAULT '0' NOT NULL",
        "CREATE INDEX matches_ended ON matches (uptime_ms, name) WHERE ended_ms != 0",
        "CREATE INDEX seats_by_player ON seats (player, match_key)",
        # The age of an answer is counted from now on: nobody knows how long services had run when it was given.
        "ALTER TABLE requests RENAME COLUMN created_ms TO uptime_ms",
        "UPDATE requests SET uptime_ms = (SELECT uptime_ms FROM service)",
    ],
}
"""What makes a database of the version before one of this version. Written out: what was released changes no more."""
READ_VERSION = _sql(select(schema.schema.c.version))
WRITE_VERSION = _sql(insert(schema.schema))
CHANGE_VERSION = _sql(update(schema.schema).values(version=bindparam("version")))
READ_UPTIME = _sql(select(schema.service.c.uptime_ms))
KEEP_UPTIME = _sql(update(schema.service).values(uptime_ms=bindparam("uptime")))
READ_IDENTITY = _sql(select(schema.service.c.store_id, schema.service.c.commits))
COUNT_COMMIT = _sql(update(schema.service).values(commits=bindparam("commit")))

INSERT_MATCH = _sql(insert(schema.matches).values({c.name: bindparam(c.name) for c in _matches if c.name != "key"}))
INSERT_SEAT = _sql(insert(schema.seats))
INSERT_LABEL = _sql(insert(schema.labels))
INSERT_RECORD = str(insert(schema.records).compile(dialect=sqlite.dialect(paramstyle="qmark")))
"""With places instead of names: there are so many records that it shows."""
INSERT_REQUEST = _sql(insert(schema.requests))
DELETE_SEATS = _sql(delete(schema.seats).where(schema.seats.c.match_key == bindparam("match_key")))

ADVANCE = _sql(
    update(schema.matches)
    .where(_matches.key == bindparam("match_key"))
    .values(
        last_seq=bindparam("to_seq"),
        chain=bindparam("new_chain"),
        uptime_ms=bindparam("uptime"),
        to_act=bindparam("seats_to_act"),
    )
)
"""Move a match to another newest record."""

SELECT_LAST_SEQ = _sql(select(_matches.last_seq).where(_matches.key == bindparam("match_key")))
SELECT_SAME_MATCH = _sql(
    select(_matches.name).where(or_(_matches.name == bindparam("name"), _matches.uid == bindparam("uid")))
)
SELECT_NAMES = _sql(select(_matches.name).order_by(_matches.key))
SELECT_LOG_END = _sql(
    select(_matches.header, _matches.last_seq, _matches.chain, _matches.key).where(_matches.name == bindparam("name"))
)
SELECT_MATCH = _sql(select(schema.matches).where(_matches.name == bindparam("name")))
SELECT_REQUEST = _sql(
    select(schema.requests).where(
        _requests.scope == bindparam("scope"), _requests.request_id == bindparam("request_id")
    )
)
FORGET_REQUESTS = _sql(
    delete(schema.requests).where(
        tuple_(_requests.scope, _requests.request_id).in_(
            select(_requests.scope, _requests.request_id)
            .where(_requests.uptime_ms < bindparam("before_uptime_ms"))
            .order_by(_requests.uptime_ms)
            .limit(bindparam("most"))
            .offset(literal_column("0"))
        )
    )
)
DELETE_MATCH = [
    *(_sql(delete(table).where(table.c.match_key == bindparam("match_key"))) for table in schema.of_matches),
    _sql(delete(schema.matches).where(_matches.key == bindparam("match_key"))),
]
SELECT_ENDED = _sql(
    select(_matches.name)
    .where(schema.ended, _matches.uptime_ms < bindparam("before_uptime_ms"))
    .order_by(_matches.uptime_ms, _matches.name)
    .limit(bindparam("most"))
    .offset(literal_column("0"))
)
SELECT_ACTIVE = _sql(select(_matches.name).where(schema.going_on).order_by(_matches.created_ms, _matches.name))
SELECT_RECORDS = _sql(
    select(schema.records)
    .where(schema.records.c.match_key == bindparam("match_key"), schema.records.c.seq > bindparam("after_seq"))
    .order_by(schema.records.c.seq)
    .limit(bindparam("most"))
    .offset(literal_column("0"))  # SQLAlchemy would make a parameter of it
)
SELECT_SEATS = _sql(
    select(schema.seats).where(schema.seats.c.match_key == bindparam("match_key")).order_by(schema.seats.c.seat)
)
SELECT_LABELS = _sql(
    select(schema.labels).where(schema.labels.c.match_key == bindparam("match_key")).order_by(schema.labels.c.label)
)


def change_match(columns: Iterable[str]) -> str:
    """Set these columns of ``matches``, named as they are, of the match ``match_key``."""
    change = update(schema.matches).where(_matches.key == bindparam("match_key"))
    return _sql(change.values({name: bindparam(name) for name in columns}))


def find_matches(wanted: MatchFilter, after: Cursor | None, limit: int) -> tuple[str, dict[str, Any]]:
    """A page of a listing, newest first, and the values of its parameters."""
    query = select(schema.matches).order_by(_matches.created_ms.desc(), _matches.name.desc()).limit(limit)
    if after is not None:
        query = query.where(tuple_(_matches.created_ms, _matches.name) < after)
    if wanted.game:
        query = query.where(_matches.game == wanted.game)
    if wanted.states:
        query = query.where(_matches.state.in_(wanted.states))
    if wanted.player:
        seats = schema.seats.c
        of_player = select(seats.match_key).where(seats.player == wanted.player, seats.kind != int(SeatKind.BOT))
        if wanted.to_act:
            of_player = of_player.where(
                seats.match_key == _matches.key, func.substr(_matches.to_act, seats.seat + 1, 1) == "1"
            ).correlate(schema.matches)
        query = query.where(_matches.key.in_(of_player), not_(_matches.imported))
    if wanted.imported is not None:
        query = query.where(_matches.imported if wanted.imported else not_(_matches.imported))
    labels = schema.labels.c
    for label, value in wanted.labels.items():
        query = query.where(
            _matches.key.in_(select(labels.match_key).where(labels.label == label, labels.value == value))
        )
    compiled = query.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    return str(compiled), dict(compiled.params)
