"""Absurd input: counts, lengths and tokens that no client sends by mistake. One typed error each, and soon.

The service is one event loop: what one caller makes it look at, all others wait for.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode

from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.rpc.test_bad_input import BAD, HOST_DICE, OPEN, create, unchanged
from tests.support.games import kuhn
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.wire import Table, new_table


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK]) as running:
        yield running


@pytest.fixture
async def table(running: Running) -> Table:
    """A match of kuhn whose first card is awaited from the host."""
    return await new_table(running, "kuhn", policy=HOST_DICE)


MANY = 100_000


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"seats": [pb.SeatSetup(kind=99)] * MANY}, "seats"),
        ({"option_texts": {str(number): "" for number in range(MANY)}}, "option_texts"),
        ({"option_texts": {"ranks": "9" * MANY}}, "option_texts[ranks]"),
        ({"labels": {str(number): "x" for number in range(MANY)}}, "labels"),
        ({"options": AnyMessage(type_url="type.googleapis.com/tests.kuhn.v1.Options", value=bytes(MANY))}, "options"),
        (
            {"position": AnyMessage(type_url="type.googleapis.com/tests.kuhn.v1.Position", value=bytes(MANY))},
            "position",
        ),
        (
            {"time_control": match_pb2.TimeControl(per_move=Duration(nanos=2_000_000_000))},
            "time_control.per_move.nanos",
        ),
    ],
)
async def test_absurd_counts_are_one_fault_and_not_looked_at(
    running: Running, fields: dict[str, Any], named: str
) -> None:
    refusal = await create(running, **{"seats": OPEN, **fields})
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_FIELD")
    assert list(refusal.fields) == [named]


@pytest.mark.parametrize(
    "fields",
    [
        {"policy": match_pb2.MatchPolicy(absence_bot="x" * MANY)},
        {"seats": [pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="\U0001f600" * MANY), pb.SeatSetup()]},
        {"option_texts": {f"{number}" * 1000: "x" for number in range(90)}},
        {"seats": [pb.SeatSetup(kind=99, player="x")] * 127},
        {"labels": {f"{number}" * 1000: "x" * 129 for number in range(16)}},
    ],
)
async def test_a_refusal_keeps_its_reason_however_long_what_was_sent(running: Running, fields: dict[str, Any]) -> None:
    """Beyond 8 KiB of trailing metadata a client may drop all of it."""
    refusal = await create(running, **{"seats": OPEN, **fields})
    assert refusal.reason and refusal.code in (BAD, StatusCode.NOT_FOUND)


async def test_more_outcomes_at_once_than_may_wait(table: Table) -> None:
    async with unchanged(table):
        supply = pb.SupplyChanceRequest(name=table.name, token=table.host, codes=[1] * MANY)
        refusal = await refused(table.running.matches.SupplyChance(supply))
    assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "waiting_outcomes")


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (pb.ListMatchesRequest(states=[match_pb2.MATCH_STATE_ACTIVE] * MANY), "states"),
        (pb.ListMatchesRequest(labels={str(number): "x" for number in range(17)}), "labels"),
    ],
)
async def test_a_listing_by_more_conditions_than_a_match_can_meet(
    running: Running, request_: pb.ListMatchesRequest, named: str
) -> None:
    refusal = await refused(running.matches.ListMatches(request_))
    assert (refusal.code, refusal.reason, list(refusal.fields)) == (BAD, "INVALID_FIELD", [named])


def edited_tokens(real: str) -> list[str]:
    """Tokens of the same form as a real one, with values that no listing made."""
    created, name, digest = json.loads(base64.urlsafe_b64decode(real + "=" * (-len(real) % 4)))
    texts = [
        json.dumps([2**63, name, digest]),
        json.dumps([-(2**80), name, digest]),
        json.dumps([created, "\ud800", digest]),
        json.dumps([created, name, digest, 1]),
        "[" * 100_000,
    ]
    return [base64.urlsafe_b64encode(text.encode()).decode() for text in texts]


async def test_an_edited_page_token(table: Table) -> None:
    """It is refused as such; nothing breaks on it, on disk either."""
    await new_table(table.running, "kuhn")
    page = await table.running.matches.ListMatches(pb.ListMatchesRequest(page_size=1))
    for token in edited_tokens(page.next_page_token):
        refusal = await refused(table.running.matches.ListMatches(pb.ListMatchesRequest(page_token=token)))
        assert (refusal.code, refusal.reason) == (BAD, "INVALID_PAGE_TOKEN")
        refusal = await refused(table.legal(0, page_token=token))
        assert (refusal.code, refusal.reason) == (BAD, "INVALID_PAGE_TOKEN")
