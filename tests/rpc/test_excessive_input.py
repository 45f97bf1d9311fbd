"""Absurd input (counts, lengths and tokens that no client sends by mistake) gives one typed error, and soon.

The service is one event loop, so the time that a request takes delays all other callers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode

from engine_service.rpc.play import service as play
from gamepacks.ominoes.v1 import ominoes_pb2 as ominoes_options
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import play_service_pb2 as play_pb
from tests.rpc.test_bad_input import BAD, HOST_DICE, OPEN, create, unchanged
from tests.support.games import kuhn
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import expect_refusal, refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, new_match


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK]) as running:
        yield running


@pytest.fixture
async def table(running: Running) -> RemoteMatch:
    """A match of kuhn whose first card is awaited from the host."""
    return await new_match(running, "kuhn", policy=HOST_DICE)


MANY = 100_000


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"seats": [pb.SeatSetup(kind=99)] * (MANY // 10)}, "seats"),
        ({"option_texts": {str(number): "" for number in range(MANY // 10)}}, "option_texts"),
        ({"option_texts": {"ranks": "9" * MANY}}, "option_texts[ranks]"),
        ({"labels": {str(number): "x" for number in range(MANY // 10)}}, "labels"),
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
async def test_excessive_counts_are_one_fault_and_are_not_read(
    running: Running, fields: dict[str, Any], named: str
) -> None:
    refusal = await create(running, **{"seats": OPEN, **fields})
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_FIELD")
    assert list(refusal.fields) == [named]


@pytest.mark.parametrize(
    "fields",
    [
        {"seats": [pb.SeatSetup(kind=99)] * MANY},
        {"option_texts": {str(number): "" for number in range(MANY)}},
        {"labels": {str(number): "x" for number in range(MANY)}},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_request_of_very_many_entries_is_refused_before_any_is_processed(
    running: Running, fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = await create(running, **{"seats": OPEN, **fields})
    assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "server.max_request_entries")


@pytest.mark.parametrize(
    "request_",
    [
        play_pb.PlayRequest(hello=play_pb.Hello(games=[""] * MANY)),
        play_pb.PlayRequest(hello=play_pb.Hello(), attach=[play_pb.Attach()] * MANY),
        play_pb.PlayRequest(hello=play_pb.Hello(), moves=[play_pb.Move()] * MANY),
        play_pb.PlayRequest(hello=play_pb.Hello(), resign=[1] * MANY),
        play_pb.PlayRequest(hello=play_pb.Hello(), detach=[1] * MANY),
        play_pb.PlayRequest(hello=play_pb.Hello(), undo_answers=[play_pb.UndoAnswer()] * MANY),
    ],
    ids=lambda request: request.ListFields()[-1][0].name,
)
async def test_message_of_a_play_stream_has_a_bounded_number_of_entries(
    running: Running, request_: play_pb.PlayRequest
) -> None:
    """The answers to it have a bounded number of entries as well."""
    call = running.plays.Play()
    await call.write(request_)
    answers = []
    async with expect_refusal() as refusal:
        while (answer := await call.read()) is not grpc.aio.EOF:
            answers.append(answer)
    assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "server.max_request_entries")
    assert not any(answer.results or answer.attached for answer in answers)


async def test_hello_names_a_bounded_number_of_games(running: Running) -> None:
    call = running.plays.Play()
    await call.write(play_pb.PlayRequest(hello=play_pb.Hello(games=["games/x"] * 101)))
    async with expect_refusal() as refusal:
        await call.read()
    assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["hello.games"])


async def test_event_loop_runs_other_tasks_between_entries_of_one_message(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    take = play.Session._moves

    def noted(session: play.Session, moves: Any) -> None:
        sizes.append(len(moves))
        take(session, moves)

    monkeypatch.setattr(play.Session, "_moves", noted)
    async with play_stream(running) as stream:
        await stream.send(moves=[play_pb.Move(channel=1)] * 5_000)
        await stream.until(lambda it: len(it.results) == 5_000)
    assert sum(sizes) == 5_000 and max(sizes) <= play.MOVES_AT_ONCE


async def test_options_and_positions_of_too_many_entries_are_refused(running: Running) -> None:
    """Each fits into the bytes that a pack's message may have."""
    async with running_server(only=["ominoes"]) as others:
        for count, reason, field in ((60_000, "INVALID_FIELD", "options"), (4_000, "INVALID_OPTION", "options.gods")):
            gods = AnyMessage()
            gods.Pack(ominoes_options.Options(gods=[1] * count))
            request = pb.CreateMatchRequest(game="games/ominoes", seats=OPEN, options=gods)
            refusal = await refused(others.matches.CreateMatch(request))
            assert (refusal.reason, list(refusal.fields)) == (reason, [field])
            assert "at most" in refusal.fields[field]
    position = AnyMessage()
    position.Pack(kuhn.messages.Position(winnings=[1] * 60_000))
    refusal = await create(running, seats=OPEN, position=position)
    assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["position"])


async def test_page_token_of_megabytes_is_not_read(table: RemoteMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(*_: Any) -> Any:
        raise AssertionError("it was read")

    monkeypatch.setattr("engine_service.hosting.listing.base64.urlsafe_b64decode", looked)
    refusal = await refused(table.running.matches.ListMatches(pb.ListMatchesRequest(page_token="A" * 1_000_000)))
    assert refusal.reason == "INVALID_PAGE_TOKEN"


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
async def test_refusal_of_a_long_request_keeps_its_reason(running: Running, fields: dict[str, Any]) -> None:
    """Beyond 8 KiB of trailing metadata a client may drop all of it."""
    refusal = await create(running, **{"seats": OPEN, **fields})
    assert refusal.reason and refusal.code in (BAD, StatusCode.NOT_FOUND)


@pytest.mark.parametrize(("count", "limit"), [(MANY // 10, "queued_outcomes"), (MANY, "server.max_request_entries")])
async def test_too_many_provided_outcomes_are_refused(table: RemoteMatch, count: int, limit: str) -> None:
    async with unchanged(table):
        supply = pb.ProvideOutcomesRequest(name=table.name, token=table.host, codes=[1] * count)
        refusal = await refused(table.running.matches.ProvideOutcomes(supply))
    assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", limit)


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (pb.ListMatchesRequest(states=[match_pb2.MATCH_STATE_ACTIVE] * (MANY // 10)), "states"),
        (pb.ListMatchesRequest(labels={str(number): "x" for number in range(17)}), "labels"),
    ],
)
async def test_list_request_with_too_many_labels_is_refused(
    running: Running, request_: pb.ListMatchesRequest, named: str
) -> None:
    refusal = await refused(running.matches.ListMatches(request_))
    assert (refusal.code, refusal.reason, list(refusal.fields)) == (BAD, "INVALID_FIELD", [named])


def edited_tokens(real: str) -> list[str]:
    """Returns tokens of the form of a real one, with values that no listing has made."""
    created, name, digest = json.loads(base64.urlsafe_b64decode(real + "=" * (-len(real) % 4)))
    texts = [
        json.dumps([2**63, name, digest]),
        json.dumps([-(2**80), name, digest]),
        json.dumps([created, "\ud800", digest]),
        json.dumps([created, name, digest, 1]),
        "[" * 100_000,
    ]
    return [base64.urlsafe_b64encode(text.encode()).decode() for text in texts]


async def test_edited_page_token_is_refused(table: RemoteMatch) -> None:
    """An edited token is refused, with matches in memory and on disk."""
    await new_match(table.running, "kuhn")
    page = await table.running.matches.ListMatches(pb.ListMatchesRequest(page_size=1))
    for token in edited_tokens(page.next_page_token):
        refusal = await refused(table.running.matches.ListMatches(pb.ListMatchesRequest(page_token=token)))
        assert (refusal.code, refusal.reason) == (BAD, "INVALID_PAGE_TOKEN")
        refusal = await refused(table.legal(0, page_token=token))
        assert (refusal.code, refusal.reason) == (BAD, "INVALID_PAGE_TOKEN")
