"""SQL statements of the store, for each dialect.

SQLAlchemy compiles the SQL once, when a store's module is loaded, but does not execute it: through SQLAlchemy an append
of one record costs about a millisecond of Python, and directly through the driver a twentieth of that.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ClauseElement,
    ColumnElement,
    Dialect,
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
from sqlalchemy.schema import CreateIndex, CreateTable

from engine_service.match_enums import SeatKind
from engine_service.model import has_ended
from engine_service.store import schema
from engine_service.store.base import MatchFilter, PageCursor
from engine_service.store.schema import labels, matches, records, requests, seats, service

_matches, _requests = matches.c, requests.c
_NO_OFFSET: ColumnElement[int] = literal_column("0")  # SQLAlchemy would make it a parameter


class Statements:
    """The statements in the SQL of one dialect, with named parameters."""

    def __init__(self, dialect: Dialect, new_id: str) -> None:
        """``new_id`` is an SQL expression for the id of a new store."""
        self._dialect = dialect
        sql = self._sql

        self.create_tables = [
            *(sql(CreateTable(table)) for table in schema.metadata.sorted_tables),
            *(
                sql(CreateIndex(index))
                for table in schema.metadata.sorted_tables
                for index in sorted(table.indexes, key=lambda index: str(index.name))
            ),
            sql(
                insert(service).values(
                    uptime_ms=literal_column("0"), store_id=literal_column(new_id), commits=literal_column("0")
                )
            ),
        ]
        self.read_version = sql(select(schema.schema_version.c.version))
        self.write_version = sql(insert(schema.schema_version))
        self.read_uptime = sql(select(service.c.uptime_ms))
        uptime = bindparam("uptime", type_=BigInteger)
        self.save_uptime = sql(update(service).where(service.c.uptime_ms < uptime).values(uptime_ms=uptime))
        self.read_identity = sql(select(service.c.store_id, service.c.commits))
        self.count_commit = sql(update(service).values(commits=bindparam("commit")))

        self.insert_match = sql(
            insert(matches).values({c.name: bindparam(c.name) for c in _matches if c.name != "key"})
        )
        self.insert_seat = sql(insert(seats))
        self.insert_label = sql(insert(labels))
        self.insert_record = sql(insert(records))
        self.insert_request = sql(insert(requests))
        self.delete_seats = sql(delete(seats).where(seats.c.match_key == bindparam("match_key")))
        advance = (
            update(matches)
            .where(_matches.key == bindparam("match_key"))
            .values(
                last_seq=bindparam("to_seq"),
                chain=bindparam("new_chain"),
                uptime_ms=bindparam("uptime"),
                to_act=bindparam("seats_to_act"),
            )
        )
        self.advance = sql(advance)
        """Set the newest record of a match."""
        self.delete_requests = sql(
            delete(requests).where(
                tuple_(_requests.scope, _requests.request_id).in_(
                    select(_requests.scope, _requests.request_id)
                    .where(_requests.uptime_ms < bindparam("before_uptime_ms"))
                    .order_by(_requests.uptime_ms)
                    .limit(bindparam("limit"))
                    .offset(_NO_OFFSET)
                )
            )
        )
        self.delete_match = [
            *(sql(delete(table).where(table.c.match_key == bindparam("match_key"))) for table in schema.match_tables),
            sql(delete(matches).where(_matches.key == bindparam("match_key"))),
        ]

        self.select_newest = sql(
            select(_matches.last_seq, _matches.queued_outcomes).where(_matches.key == bindparam("match_key"))
        )
        self.select_same_match = sql(
            select(_matches.name).where(or_(_matches.name == bindparam("name"), _matches.uid == bindparam("uid")))
        )
        self.select_names = sql(select(_matches.name).order_by(_matches.key))
        self.select_log_end = sql(
            select(_matches.header, _matches.last_seq, _matches.chain, _matches.key).where(
                _matches.name == bindparam("name")
            )
        )
        self.select_match = sql(select(matches).where(_matches.name == bindparam("name")))
        self.select_request = sql(
            select(requests).where(
                _requests.scope == bindparam("scope"), _requests.request_id == bindparam("request_id")
            )
        )
        self.select_ended = sql(
            select(_matches.name)
            .where(schema.ended, _matches.ended_uptime_ms < bindparam("before_uptime_ms"))
            .order_by(_matches.ended_uptime_ms, _matches.name)
            .limit(bindparam("limit"))
            .offset(_NO_OFFSET)
        )
        self.select_records = sql(
            select(records)
            .where(records.c.match_key == bindparam("match_key"), records.c.seq > bindparam("after_seq"))
            .order_by(records.c.seq)
            .limit(bindparam("limit"))
            .offset(_NO_OFFSET)
        )
        self.select_seats = sql(select(seats).where(seats.c.match_key == bindparam("match_key")).order_by(seats.c.seat))
        self.select_labels = sql(
            select(labels).where(labels.c.match_key == bindparam("match_key")).order_by(labels.c.label)
        )
        self.change_match = lru_cache(maxsize=64)(self._change_match)

    def _sql(self, statement: ClauseElement) -> str:
        compiled = statement.compile(dialect=self._dialect)
        # A value written into a statement would become a parameter that nobody binds.
        assert all(value is None for value in (compiled.params or {}).values()), f"{compiled} with {compiled.params}"
        return str(compiled)

    def _change_match(self, columns: tuple[str, ...]) -> str:
        """Returns the statement that sets columns of ``matches``, by parameters of the same names, for
        ``match_key``."""
        change = update(matches).where(_matches.key == bindparam("match_key"))
        return self._sql(change.values({name: bindparam(name) for name in columns}))

    def find_matches(self, wanted: MatchFilter, after: PageCursor | None, limit: int) -> tuple[str, dict[str, Any]]:
        """Returns the query for a page of a listing, newest first, and the values of its parameters."""
        query = select(matches).order_by(_matches.created_ms.desc(), _matches.name.desc()).limit(limit)
        if after is not None:
            query = query.where(tuple_(_matches.created_ms, _matches.name) < after)
        if wanted.game:
            query = query.where(_matches.game == wanted.game)
        if wanted.states:
            query = query.where(_matches.state.in_(wanted.states))
            if not any(map(has_ended, wanted.states)):
                query = query.where(schema.unfinished)  # implied by the states; it makes the partial index usable
        if wanted.player:
            seat = seats.c
            of_player = select(seat.match_key).where(seat.player == wanted.player, seat.kind != int(SeatKind.BOT))
            if wanted.to_act:
                of_player = of_player.where(
                    seat.match_key == _matches.key, func.substr(_matches.to_act, seat.seat + 1, 1) == "1"
                ).correlate(matches)
            query = query.where(_matches.key.in_(of_player), not_(_matches.imported))
        if wanted.imported is not None:
            query = query.where(_matches.imported if wanted.imported else not_(_matches.imported))
        tag = labels.c
        for label, value in wanted.labels.items():
            query = query.where(_matches.key.in_(select(tag.match_key).where(tag.label == label, tag.value == value)))
        compiled = query.compile(dialect=self._dialect, compile_kwargs={"render_postcompile": True})
        return str(compiled), dict(compiled.params)
