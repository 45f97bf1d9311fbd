"""request_id: a repeated write gets the first answer and has no further effect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode

from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, new_match

OPEN = [pb.SeatSetup(), pb.SeatSetup()]
HOST_DICE = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)


@pytest.fixture(params=[False, True], ids=["stored", "ephemeral"])
async def running(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Running]:
    settings = {"store.in_memory": False, "store.path": tmp_path / "matches.sqlite3"}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        yield running


@pytest.fixture
def ephemeral(request: pytest.FixtureRequest) -> bool:
    return bool(request.node.callspec.params["running"])


async def twice(call: Any, request: Any) -> tuple[Any, Any]:
    """Returns the answers of the same request, sent two times."""
    return await call(request), await call(request)


async def test_repeated_create_returns_the_same_match(running: Running, ephemeral: bool) -> None:
    request = pb.CreateMatchRequest(game="games/kuhn", seats=OPEN, ephemeral=ephemeral, request_id="r", client_key="k")
    first, second = await twice(running.matches.CreateMatch, request)
    assert (second.match.name, second.host_token) == (first.match.name, first.host_token)
    assert len((await running.matches.ListMatches(pb.ListMatchesRequest())).matches) == 1


async def test_repeated_join_returns_the_same_token(running: Running, ephemeral: bool) -> None:
    created = await running.matches.CreateMatch(
        pb.CreateMatchRequest(game="games/kuhn", seats=OPEN, ephemeral=ephemeral)
    )
    request = pb.JoinMatchRequest(name=created.match.name, player="ada", request_id="r", client_key="k")
    first, second = await twice(running.matches.JoinMatch, request)
    assert (second.seat, second.token) == (first.seat, first.token)
    assert [seat.taken for seat in second.match.seats] == [True, False]


async def test_repeated_leave_and_start_return_the_first_answer(running: Running, ephemeral: bool) -> None:
    policy = match_pb2.MatchPolicy(manual_start=True)
    table = await new_match(running, "kuhn", policy=policy, ephemeral=ephemeral)
    leave = pb.LeaveMatchRequest(name=table.name, token=table.seats[1], request_id="r")
    await running.matches.LeaveMatch(leave)
    again = await running.matches.JoinMatch(pb.JoinMatchRequest(name=table.name, player="bob"))
    assert again.seat == 1
    assert (await running.matches.LeaveMatch(leave)).match.seats[1].taken
    start = pb.StartMatchRequest(name=table.name, token=table.host, request_id="r")
    first, second = await twice(running.matches.StartMatch, start)
    assert first.match.seq == second.match.seq


async def test_repeated_action_returns_the_first_answer(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", ephemeral=ephemeral)
    first = await table.submit(0, kuhn.CHECK(), request_id="r")
    await table.submit(1, kuhn.BET())
    assert (await table.submit(0, kuhn.CHECK(), request_id="r")).action_seq == first.action_seq
    assert await table.to_act() == [0]


async def test_repeated_action_for_the_same_decision_needs_no_request_id(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", ephemeral=ephemeral)
    seq = (await table.legal(0)).seq
    first = await table.submit(0, kuhn.CHECK(), expected_seq=seq)
    await table.submit(1, kuhn.BET())
    again = await table.submit(0, kuhn.CHECK(), expected_seq=seq)
    assert (again.action_seq, again.code) == (first.action_seq, first.code)
    assert await table.to_act() == [0]
    other = await refused(table.submit(0, kuhn.BET(), expected_seq=seq))
    assert other.reason == "STALE_SEQUENCE"


async def test_repeated_resign_and_cancel_return_the_first_answer(running: Running, ephemeral: bool) -> None:
    for call, request in (
        (running.matches.ResignMatch, lambda t: pb.ResignMatchRequest(name=t.name, token=t.seats[0], request_id="r")),
        (running.matches.CancelMatch, lambda t: pb.CancelMatchRequest(name=t.name, token=t.host, request_id="r")),
    ):
        table = await new_match(running, "kuhn", ephemeral=ephemeral)
        first, second = await twice(call, request(table))
        assert first == second and first.match.HasField("end_time")


async def test_repeated_undo_requests_return_the_first_answer(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", ephemeral=ephemeral)
    await table.submit(0, kuhn.BET())
    ask = pb.RequestUndoRequest(name=table.name, token=table.seats[0], request_id="r")
    asked, again = await twice(running.matches.RequestUndo, ask)
    assert asked == again
    agree = pb.AnswerUndoRequest(
        name=table.name, token=table.seats[1], request_seq=asked.seq, accept=True, request_id="r"
    )
    first, second = await twice(running.matches.AnswerUndo, agree)
    assert first == second and first.undone
    assert await table.to_act() == [0]


async def test_repeated_outcomes_count_once(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", policy=HOST_DICE, ephemeral=ephemeral)
    first = await table.provide(kuhn.DEAL(2), request_id="r")
    second = await table.provide(kuhn.DEAL(2), request_id="r")
    assert first == second
    assert (await table.observe()).awaits_chance


async def test_repeated_fork_returns_the_same_match(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", ephemeral=ephemeral)
    await table.play_out()
    request = pb.ForkMatchRequest(name=table.name, seats=OPEN, ephemeral=ephemeral, request_id="r", client_key="k")
    first, second = await twice(running.matches.ForkMatch, request)
    assert (second.match.name, second.host_token) == (first.match.name, first.host_token)
    assert len((await running.matches.ListMatches(pb.ListMatchesRequest())).matches) == 2


async def test_same_id_with_another_request_is_refused(running: Running, ephemeral: bool) -> None:
    table = await new_match(running, "kuhn", ephemeral=ephemeral)
    await table.submit(0, kuhn.CHECK(), request_id="r")
    refusal = await refused(table.submit(0, kuhn.BET(), request_id="r"))
    assert (refusal.code, refusal.reason) == (StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED")


async def test_request_ids_of_different_calls_and_matches_are_independent(running: Running, ephemeral: bool) -> None:
    one = await new_match(running, "kuhn", ephemeral=ephemeral, request_id="r", client_key="k")
    other = await new_match(running, "kuhn", ephemeral=ephemeral)
    await one.submit(0, kuhn.CHECK(), request_id="r")
    await other.submit(0, kuhn.BET(), request_id="r")
    assert (await one.match()).seq == (await other.match()).seq


async def test_repeated_request_after_a_restart_returns_the_first_answer(tmp_path: Path) -> None:
    settings = {"store.in_memory": False, "store.path": tmp_path / "matches.sqlite3"}
    request = pb.CreateMatchRequest(game="games/kuhn", seats=OPEN, request_id="r", client_key="k")
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        created = await running.matches.CreateMatch(request)
        join = pb.JoinMatchRequest(name=created.match.name, player="ada", request_id="r", client_key="k")
        joined = await running.matches.JoinMatch(join)
        table = RemoteMatch(running, created.match.name, created.host_token, [joined.token])
        other = await running.matches.JoinMatch(pb.JoinMatchRequest(name=table.name, player="bob"))
        acted = await table.submit(0, kuhn.CHECK(), request_id="r")
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        again = await running.matches.CreateMatch(request)
        assert (again.match.name, again.host_token) == (created.match.name, created.host_token)
        rejoined = await running.matches.JoinMatch(join)
        assert (rejoined.seat, rejoined.token) == (joined.seat, joined.token)
        table.running = running
        assert await table.submit(0, kuhn.CHECK(), request_id="r") == acted
        assert other.seat == 1
