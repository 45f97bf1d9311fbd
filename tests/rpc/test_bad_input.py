"""Invalid input gives one typed error, and changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode

from omnilude.v1 import match_pb2, replay_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import faulty, kuhn, sealed
from tests.support.rpc_errors import Refusal, refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, get_replay, import_replay, new_match

HOST_DICE = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
OPEN = [pb.SeatSetup(), pb.SeatSetup()]
BAD = StatusCode.INVALID_ARGUMENT
NOT_NOW = StatusCode.FAILED_PRECONDITION


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK, sealed.PACK, faulty.PACK]) as running:
        yield running


@pytest.fixture
async def table(running: Running) -> RemoteMatch:
    """A match of kuhn in which seat 0 is to act, after HOST_DICE dealt 2 and 1."""
    table = await new_match(running, "kuhn", policy=HOST_DICE)
    await table.provide(kuhn.DEAL(2), kuhn.DEAL(1))
    return table


@asynccontextmanager
async def unchanged(table: RemoteMatch) -> AsyncIterator[None]:
    """Assert that the block leaves the match unchanged, to the last byte of its log."""

    async def everything() -> tuple[Any, ...]:
        replay = await get_replay(table.running.matches, table.name, table.host)
        return await table.match(), (await table.observe(table.host)).position, replay

    before = await everything()
    yield
    assert await everything() == before


def packed(message: Any) -> AnyMessage:
    holder = AnyMessage()
    holder.Pack(message)
    return holder


# -- creating ---------------------------------------------------------------------------------------------------


async def create(running: Running, **fields: Any) -> Refusal:
    """Returns a call to create a match, which must be refused and must not leave a match behind."""
    refusal = await refused(running.matches.CreateMatch(pb.CreateMatchRequest(**{"game": "games/kuhn", **fields})))
    listed = await running.matches.ListMatches(pb.ListMatchesRequest())
    assert not listed.matches
    return refusal


async def test_unknown_game_is_refused(running: Running) -> None:
    refusal = await create(running, game="games/go", seats=OPEN)
    assert (refusal.code, refusal.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_GAME")
    assert refusal.metadata == {"game": "go"}
    assert refusal.message == "no game 'go' is loaded; loaded are: faulty, kuhn, sealed"


@pytest.mark.parametrize("count", [0, 1, 4])
async def test_wrong_player_count_is_refused(running: Running, count: int) -> None:
    refusal = await create(running, seats=[pb.SeatSetup()] * count)
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_PLAYER_COUNT")
    assert (refusal.metadata["minimum"], refusal.metadata["maximum"]) == ("2", "3")


@pytest.mark.parametrize(
    ("fields", "named", "allowed"),
    [
        ({"option_texts": {"ranks": "99"}}, "ranks", "from 3 to 13"),
        ({"options": packed(kuhn.messages.Options(ranks=2))}, "ranks", "from 3 to 13"),
        ({"option_texts": {"order": "backwards"}}, "order", "fixed, rotating"),
        ({"option_texts": {"colour": "red"}}, "colour", "options: ranks, deals, order"),
        ({"option_texts": {"ranks": "many"}}, "ranks", "from 3 to 13"),
    ],
)
async def test_invalid_option_is_refused_with_name_and_range(
    running: Running, fields: Any, named: str, allowed: str
) -> None:
    refusal = await create(running, seats=OPEN, **fields)
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_OPTION")
    (field,) = [field for field in refusal.fields if named in field]
    assert allowed in refusal.fields[field]


async def test_option_given_as_message_and_text_is_refused(running: Running) -> None:
    refusal = await create(
        running, seats=OPEN, options=packed(kuhn.messages.Options(ranks=5)), option_texts={"ranks": "5"}
    )
    assert refusal.code == BAD and refusal.reason in ("INVALID_OPTION", "INVALID_FIELD")
    assert any("ranks" in field for field in refusal.fields)


@pytest.mark.parametrize("field", ["options", "position"])
@pytest.mark.parametrize(
    "value",
    [
        packed(sealed.messages.View()),
        AnyMessage(type_url="type.googleapis.com/tests.kuhn.v1.Options", value=b"\xff\xff"),
        AnyMessage(type_url="type.googleapis.com/tests.kuhn.v1.Position", value=b"\xff\xff"),
        AnyMessage(type_url="nonsense", value=b"\x00"),
        AnyMessage(),
    ],
)
async def test_malformed_message_in_an_any_is_refused(running: Running, field: str, value: AnyMessage) -> None:
    refusal = await create(running, seats=OPEN, **{field: value})
    assert (refusal.code, refusal.reason) == (BAD, "MALFORMED_MESSAGE")


async def test_invalid_position_is_refused_with_every_fault(running: Running) -> None:
    position = packed(kuhn.messages.Position(deal=-1, winnings=[1, 1, 1]))
    refusal = await create(running, seats=OPEN, position=position)
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_POSITION")
    assert len(refusal.fields) >= 2 and any("winnings" in field for field in refusal.fields)


async def test_unknown_bot_is_refused(running: Running) -> None:
    seats = [pb.SeatSetup(), pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="deep-task")]
    refusal = await create(running, seats=seats)
    assert (refusal.code, refusal.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_BOT")
    assert refusal.metadata["bot"] == "deep-task"
    assert refusal.message.endswith("has no bot 'deep-task'; its bots: random, monte-carlo, mcts, regret")


async def test_all_invalid_fields_are_reported_at_once(running: Running) -> None:
    refusal = await create(
        running,
        game="kuhn",
        seats=[
            pb.SeatSetup(player="ada"),
            pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT),
            pb.SeatSetup(kind=99),
        ],
        time_control=match_pb2.TimeControl(per_move=Duration(seconds=-1)),
        policy=match_pb2.MatchPolicy(undo=77, chance=-3),
    )
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_FIELD")
    assert sorted(refusal.fields) == [
        "game",
        "policy.chance",
        "policy.undo",
        "seats[0].player",
        "seats[1].player",
        "seats[2].kind",
        "time_control.per_move",
    ]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"labels": {f"key{number}": "x" for number in range(17)}}, "labels"),
        ({"labels": {"k" * 33: "x"}}, "labels"),
        ({"labels": {"key": "x" * 129}}, "labels"),
        ({"request_id": "x" * 65, "client_key": "mine"}, "request_id"),
        ({"seats": [pb.SeatSetup(), pb.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player="x" * 65)]}, "seats[1]"),
        ({"time_control": match_pb2.TimeControl(per_move=Duration())}, "time_control"),
        ({"time_control": match_pb2.TimeControl(increment=Duration(seconds=1))}, "time_control"),
    ],
)
async def test_field_out_of_range_is_refused(running: Running, fields: dict[str, Any], named: str) -> None:
    refusal = await create(running, **{"seats": OPEN, **fields})
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_FIELD")
    assert any(field.startswith(named) for field in refusal.fields), refusal.fields


# -- finding ----------------------------------------------------------------------------------------------------

CALLS: dict[str, Callable[[Running, str], Awaitable[Any]]] = {
    "GetMatch": lambda r, n: r.matches.GetMatch(pb.GetMatchRequest(name=n)),
    "JoinMatch": lambda r, n: r.matches.JoinMatch(pb.JoinMatchRequest(name=n, player="a")),
    "LeaveMatch": lambda r, n: r.matches.LeaveMatch(pb.LeaveMatchRequest(name=n, token="t")),
    "StartMatch": lambda r, n: r.matches.StartMatch(pb.StartMatchRequest(name=n, token="t")),
    "ObserveMatch": lambda r, n: r.matches.ObserveMatch(pb.ObserveMatchRequest(name=n)),
    "ListLegalActions": lambda r, n: r.matches.ListLegalActions(pb.ListLegalActionsRequest(name=n, token="t")),
    "SubmitAction": lambda r, n: r.matches.SubmitAction(pb.SubmitActionRequest(name=n, token="t", code=0)),
    "WatchMatch": lambda r, n: r.matches.WatchMatch(pb.WatchMatchRequest(name=n)).read(),
    "ResignMatch": lambda r, n: r.matches.ResignMatch(pb.ResignMatchRequest(name=n, token="t")),
    "CancelMatch": lambda r, n: r.matches.CancelMatch(pb.CancelMatchRequest(name=n, token="t")),
    "RequestUndo": lambda r, n: r.matches.RequestUndo(pb.RequestUndoRequest(name=n, token="t")),
    "AnswerUndo": lambda r, n: r.matches.AnswerUndo(pb.AnswerUndoRequest(name=n, token="t", request_seq=1)),
    "WithdrawUndo": lambda r, n: r.matches.WithdrawUndo(pb.WithdrawUndoRequest(name=n, token="t")),
    "ProvideOutcomes": lambda r, n: r.matches.ProvideOutcomes(pb.ProvideOutcomesRequest(name=n, token="t")),
    "ForkMatch": lambda r, n: r.matches.ForkMatch(pb.ForkMatchRequest(name=n, token="t")),
    "GetReplay": lambda r, n: get_replay(r.matches, n, "t"),
}


@pytest.mark.parametrize("method", CALLS)
async def test_unknown_match_is_refused(running: Running, method: str) -> None:
    refusal = await refused(CALLS[method](running, "matches/none"))
    assert (refusal.code, refusal.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_MATCH")
    assert refusal.metadata == {"match": "matches/none"}


@pytest.mark.parametrize("method", CALLS)
async def test_malformed_match_name_is_refused(running: Running, method: str) -> None:
    refusal = await refused(CALLS[method](running, "matches/../etc"))
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_FIELD")
    assert list(refusal.fields) == ["name"]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.ListMatchesRequest(page_size=-1), "INVALID_FIELD"),
        (pb.ListMatchesRequest(game="kuhn"), "INVALID_FIELD"),
        (pb.ListMatchesRequest(states=[99]), "INVALID_FIELD"),
        (pb.ListMatchesRequest(states=[0]), "INVALID_FIELD"),
        (pb.ListMatchesRequest(page_token="nonsense"), "INVALID_PAGE_TOKEN"),
    ],
)
async def test_invalid_list_request_is_refused(running: Running, request_: pb.ListMatchesRequest, reason: str) -> None:
    refusal = await refused(running.matches.ListMatches(request_))
    assert (refusal.code, refusal.reason) == (BAD, reason)


async def test_page_token_of_another_list_request_is_refused(running: Running) -> None:
    for _ in range(3):
        await new_match(running, "kuhn")
    page = await running.matches.ListMatches(pb.ListMatchesRequest(page_size=1))
    assert page.next_page_token
    refusal = await refused(
        running.matches.ListMatches(pb.ListMatchesRequest(page_token=page.next_page_token, game="games/sealed"))
    )
    assert refusal.reason == "INVALID_PAGE_TOKEN"


# -- seats and tokens --------------------------------------------------------------------------------------------


async def test_joining_a_taken_seat_or_a_full_match_is_refused(running: Running) -> None:
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 3))
    name = created.match.name
    await running.matches.JoinMatch(pb.JoinMatchRequest(name=name, seat=1, player="a"))
    taken = await refused(running.matches.JoinMatch(pb.JoinMatchRequest(name=name, seat=1, player="b")))
    assert (taken.code, taken.reason) == (NOT_NOW, "SEAT_TAKEN")
    missing = await refused(running.matches.JoinMatch(pb.JoinMatchRequest(name=name, seat=3, player="b")))
    assert (missing.code, missing.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_SEAT")
    unnamed = await refused(running.matches.JoinMatch(pb.JoinMatchRequest(name=name)))
    assert (unnamed.reason, list(unnamed.fields)) == ("INVALID_FIELD", ["player"])


async def test_joining_a_reserved_seat_is_refused(running: Running) -> None:
    seats = [pb.SeatSetup(), pb.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player="ada")]
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=seats))
    refusal = await refused(
        running.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, seat=1, player="ada"))
    )
    assert (refusal.code, refusal.reason) == (StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")


async def test_join_leave_and_start_are_refused_after_the_start(table: RemoteMatch) -> None:
    matches = table.running.matches
    async with unchanged(table):
        for call in (
            matches.JoinMatch(pb.JoinMatchRequest(name=table.name, player="late")),
            matches.LeaveMatch(pb.LeaveMatchRequest(name=table.name, token=table.seats[0])),
            matches.StartMatch(pb.StartMatchRequest(name=table.name, token=table.host)),
        ):
            refusal = await refused(call)
            assert (refusal.code, refusal.reason) == (NOT_NOW, "MATCH_STARTED")


async def test_start_with_open_seats_is_refused(running: Running) -> None:
    created = await running.matches.CreateMatch(
        pb.CreateMatchRequest(game="games/kuhn", seats=OPEN, policy=match_pb2.MatchPolicy(manual_start=True))
    )
    refusal = await refused(
        running.matches.StartMatch(pb.StartMatchRequest(name=created.match.name, token=created.host_token))
    )
    assert (refusal.code, refusal.reason) == (NOT_NOW, "SEATS_OPEN")


FOR_SEATS = ("ListLegalActions", "SubmitAction", "ResignMatch", "RequestUndo", "AnswerUndo", "WithdrawUndo")
FOR_THE_HOST = ("CancelMatch", "ProvideOutcomes")


def with_token(method: str, table: RemoteMatch, token: str) -> Awaitable[Any]:
    matches = table.running.matches
    request: dict[str, Any] = {
        "ListLegalActions": pb.ListLegalActionsRequest(name=table.name, token=token),
        "SubmitAction": pb.SubmitActionRequest(name=table.name, token=token, code=kuhn.CHECK()),
        "ResignMatch": pb.ResignMatchRequest(name=table.name, token=token),
        "RequestUndo": pb.RequestUndoRequest(name=table.name, token=token),
        "AnswerUndo": pb.AnswerUndoRequest(name=table.name, token=token, request_seq=1, accept=True),
        "WithdrawUndo": pb.WithdrawUndoRequest(name=table.name, token=token),
        "CancelMatch": pb.CancelMatchRequest(name=table.name, token=token),
        "ProvideOutcomes": pb.ProvideOutcomesRequest(name=table.name, token=token, codes=[kuhn.DEAL(0)]),
    }
    return getattr(matches, method)(request[method])


@pytest.mark.parametrize("method", [*FOR_SEATS, *FOR_THE_HOST])
async def test_missing_token_is_refused(table: RemoteMatch, method: str) -> None:
    async with unchanged(table):
        refusal = await refused(with_token(method, table, ""))
    assert (refusal.code, refusal.reason) == (StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")


@pytest.mark.parametrize("method", [*FOR_SEATS, *FOR_THE_HOST])
async def test_wrong_token_is_refused(table: RemoteMatch, method: str) -> None:
    other = await new_match(table.running, "kuhn")
    async with unchanged(table):
        for token in ("nonsense", other.seats[0], other.host, table.seats[0][:-1], table.seats[0] + "x"):
            refusal = await refused(with_token(method, table, token))
            assert (refusal.code, refusal.reason) == (StatusCode.PERMISSION_DENIED, "TOKEN_INVALID")
            assert token not in refusal.message


@pytest.mark.parametrize("method", [*FOR_SEATS, *FOR_THE_HOST])
async def test_token_without_permission_is_refused(table: RemoteMatch, method: str) -> None:
    token = table.host if method in FOR_SEATS else table.seats[0]
    async with unchanged(table):
        refusal = await refused(with_token(method, table, token))
    assert (refusal.code, refusal.reason) == (StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")


async def test_watch_and_observe_with_a_wrong_token_are_refused(table: RemoteMatch) -> None:
    matches = table.running.matches
    for call in (
        matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, token="x")),
        matches.WatchMatch(pb.WatchMatchRequest(name=table.name, token="x")).read(),
    ):
        assert (await refused(call)).reason == "TOKEN_INVALID"


# -- actions -----------------------------------------------------------------------------------------------------


async def test_action_out_of_turn_is_refused(table: RemoteMatch) -> None:
    async with unchanged(table):
        refusal = await refused(table.submit(1, kuhn.CHECK()))
    assert (refusal.code, refusal.reason) == (NOT_NOW, "NOT_YOUR_TURN")


async def test_stale_expected_seq_is_refused(table: RemoteMatch) -> None:
    past = (await table.legal(0)).seq
    await table.submit(0, kuhn.CHECK(), expected_seq=past)
    await table.submit(1, kuhn.BET())
    async with unchanged(table):
        refusal = await refused(table.submit(0, kuhn.CALL(), expected_seq=past))
    assert (refusal.code, refusal.reason) == (StatusCode.ABORTED, "STALE_SEQUENCE")
    assert refusal.metadata == {"seq": str(past + 2)}


@pytest.mark.parametrize("code", [-1, 0, 5, 2**31 - 1, -(2**31)])
async def test_illegal_code_is_refused(table: RemoteMatch, code: int) -> None:
    async with unchanged(table):
        refusal = await refused(table.submit(0, code))
    assert (refusal.code, refusal.reason) == (BAD, "ILLEGAL_ACTION")
    assert refusal.metadata["pack_reason"] == "NO_SUCH_MOVE"
    assert refusal.metadata["code"] == str(code)


async def test_illegal_typed_action_is_refused_with_the_reason_of_the_pack(table: RemoteMatch) -> None:
    async def submit(action: Any) -> Refusal:
        request = pb.SubmitActionRequest(name=table.name, token=table.seats[0], typed_action=packed(action))
        return await refused(table.running.matches.SubmitAction(request))

    async with unchanged(table):
        not_here = await submit(kuhn.messages.Action(move=kuhn.MOVES[kuhn.CALL]))
        meaningless = await submit(kuhn.messages.Action())
    assert (not_here.code, not_here.reason) == (BAD, "ILLEGAL_ACTION")
    assert not_here.metadata["pack_reason"] == "NO_SUCH_MOVE" and "check or bet" in not_here.message
    assert (meaningless.reason, meaningless.metadata["pack_reason"]) == ("ILLEGAL_ACTION", "NO_SUCH_MOVE")


@pytest.mark.parametrize(
    "action",
    [
        packed(sealed.messages.Action(bid=1)),
        AnyMessage(type_url="type.googleapis.com/tests.kuhn.v1.Action", value=b"\xff\xff"),
        AnyMessage(),
    ],
)
async def test_malformed_typed_action_is_refused(table: RemoteMatch, action: AnyMessage) -> None:
    async with unchanged(table):
        request = pb.SubmitActionRequest(name=table.name, token=table.seats[0], typed_action=action)
        refusal = await refused(table.running.matches.SubmitAction(request))
    assert (refusal.code, refusal.reason) == (BAD, "MALFORMED_MESSAGE")


async def test_request_without_action_is_refused(table: RemoteMatch) -> None:
    async with unchanged(table):
        request = pb.SubmitActionRequest(name=table.name, token=table.seats[0])
        refusal = await refused(table.running.matches.SubmitAction(request))
    assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["action"])


async def test_action_before_the_start_is_refused(running: Running) -> None:
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=OPEN))
    joined = await running.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player="a"))
    table = RemoteMatch(running, created.match.name, created.host_token, [joined.token])
    for call in (
        table.submit(0, kuhn.CHECK()),
        table.legal(0),
        running.matches.ResignMatch(pb.ResignMatchRequest(name=table.name, token=joined.token)),
        running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=joined.token)),
    ):
        refusal = await refused(call)
        assert (refusal.code, refusal.reason) == (NOT_NOW, "MATCH_NOT_STARTED")


async def test_writes_after_the_end_are_refused(table: RemoteMatch) -> None:
    await table.play_out()
    matches = table.running.matches
    async with unchanged(table):
        for call in (
            table.submit(0, kuhn.CHECK()),
            matches.ResignMatch(pb.ResignMatchRequest(name=table.name, token=table.seats[0])),
            matches.CancelMatch(pb.CancelMatchRequest(name=table.name, token=table.host)),
            matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0])),
            table.provide(kuhn.DEAL(0)),
        ):
            refusal = await refused(call)
            assert (refusal.code, refusal.reason) == (NOT_NOW, "MATCH_ENDED")


@pytest.mark.parametrize("size", [-1])
async def test_negative_page_size_of_legal_actions_is_refused(table: RemoteMatch, size: int) -> None:
    refusal = await refused(table.legal(0, page_size=size))
    assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["page_size"])


async def test_page_token_of_an_earlier_decision_is_refused(running: Running) -> None:
    table = await new_match(running, "sealed")
    page = await table.legal(0, page_size=2)
    await table.submit(0, sealed.BID(0))
    await table.submit(1, sealed.BID(1))
    refusal = await refused(table.legal(0, page_token=page.next_page_token))
    assert (refusal.code, refusal.reason) == (BAD, "INVALID_PAGE_TOKEN")


# -- undoing, chance, copies, replays --------------------------------------------------------------------------


async def test_undo_is_refused_where_the_policy_forbids_it(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_NEVER))
    await table.submit(0, kuhn.CHECK())
    async with unchanged(table):
        refusal = await refused(
            running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0]))
        )
    assert (refusal.code, refusal.reason) == (NOT_NOW, "UNDO_NOT_ALLOWED")


async def test_undo_without_action_and_answer_without_request_are_refused(table: RemoteMatch) -> None:
    matches = table.running.matches
    async with unchanged(table):
        nothing = await refused(matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0])))
        unasked = await refused(
            matches.AnswerUndo(pb.AnswerUndoRequest(name=table.name, token=table.seats[1], request_seq=1, accept=True))
        )
        unnamed = await refused(
            matches.AnswerUndo(pb.AnswerUndoRequest(name=table.name, token=table.seats[1], accept=True))
        )
        unmade = await refused(matches.WithdrawUndo(pb.WithdrawUndoRequest(name=table.name, token=table.seats[0])))
    assert (nothing.code, nothing.reason) == (NOT_NOW, "UNDO_NOT_ALLOWED")
    assert (unasked.code, unasked.reason) == (NOT_NOW, "NO_UNDO_PENDING")
    assert (unmade.code, unmade.reason) == (NOT_NOW, "NO_UNDO_PENDING")
    assert (unnamed.code, unnamed.reason, set(unnamed.fields)) == (BAD, "INVALID_FIELD", {"request_seq"})


async def test_provided_outcomes_are_refused_if_the_service_draws_them(running: Running) -> None:
    table = await new_match(running, "kuhn")
    async with unchanged(table):
        refusal = await refused(table.provide(kuhn.DEAL(0)))
    assert (refusal.code, refusal.reason) == (NOT_NOW, "CHANCE_NOT_AWAITED")


async def test_impossible_outcome_is_refused(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=HOST_DICE)
    await table.provide(kuhn.DEAL(2))
    async with unchanged(table):
        refusal = await refused(table.provide(kuhn.DEAL(2)))
    assert (refusal.code, refusal.reason) == (BAD, "ILLEGAL_ACTION")


async def test_fork_and_replay_of_a_running_match_are_for_the_host(table: RemoteMatch) -> None:
    matches = table.running.matches
    async with unchanged(table):
        fork = await refused(matches.ForkMatch(pb.ForkMatchRequest(name=table.name, seats=OPEN)))
        replay = await refused(get_replay(matches, table.name, table.seats[0]))
    assert (fork.code, fork.reason) == (NOT_NOW, "MATCH_NOT_ENDED")
    assert (replay.code, replay.reason) == (NOT_NOW, "MATCH_NOT_ENDED")


@pytest.mark.parametrize("seq", [-1, 1_000])
async def test_fork_at_an_invalid_record_is_refused(table: RemoteMatch, seq: int) -> None:
    request = pb.ForkMatchRequest(name=table.name, token=table.host, seq=seq, seats=OPEN)
    refusal = await refused(table.running.matches.ForkMatch(request))
    assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["seq"])


async def test_watch_after_a_future_record_is_refused(table: RemoteMatch) -> None:
    newest = (await table.match()).seq
    for after in (newest + 1, -1):
        call = table.running.matches.WatchMatch(pb.WatchMatchRequest(name=table.name, after_seq=after))
        refusal = await refused(call.read())
        assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["after_seq"])


async def replay_of(table: RemoteMatch) -> replay_pb2.Replay:
    await table.play_out()
    return await get_replay(table.running.matches, table.name)


async def test_import_of_a_known_match_is_refused(table: RemoteMatch) -> None:
    replay = await replay_of(table)
    refusal = await refused(import_replay(table.running.matches, replay.SerializeToString()))
    assert (refusal.code, refusal.reason) == (StatusCode.ALREADY_EXISTS, "MATCH_EXISTS")


async def test_truncated_replay_is_refused(table: RemoteMatch) -> None:
    data = (await replay_of(table)).SerializeToString()
    async with running_server(packs=[kuhn.PACK]) as elsewhere:
        for torn in (data[: len(data) // 2], data[:-1], b"", b"not a replay"):
            refusal = await refused(import_replay(elsewhere.matches, torn))
            assert (refusal.code, refusal.reason) in (
                (BAD, "REPLAY_MALFORMED"),
                (BAD, "REPLAY_INVALID"),  # a cut between two fields leaves a message that can be read
            )
        assert not (await elsewhere.matches.ListMatches(pb.ListMatchesRequest())).matches


async def test_edited_replay_is_refused(table: RemoteMatch) -> None:
    def other_code(replay: replay_pb2.Replay) -> None:
        record = next(r for r in replay.records if r.kind == match_pb2.RECORD_KIND_ACTION)
        record.code = kuhn.BET()

    def other_winner(replay: replay_pb2.Replay) -> None:
        replay.result.returns[:] = [-0.5, 0.5]

    def other_seed(replay: replay_pb2.Replay) -> None:
        replay.seed = bytes(32)

    def record_lost(replay: replay_pb2.Replay) -> None:
        del replay.records[2]

    replay = await replay_of(table)
    async with running_server(packs=[kuhn.PACK]) as elsewhere:
        for edit in (other_code, other_winner, other_seed, record_lost):
            edited = replay_pb2.Replay.FromString(replay.SerializeToString())
            edit(edited)
            refusal = await refused(import_replay(elsewhere.matches, edited.SerializeToString()))
            assert (refusal.code, refusal.reason) == (BAD, "REPLAY_INVALID"), edit.__name__
            assert "seq" in refusal.metadata
        assert not (await elsewhere.matches.ListMatches(pb.ListMatchesRequest())).matches


async def test_replay_of_missing_rules_is_refused(table: RemoteMatch) -> None:
    replay = await replay_of(table)
    async with running_server(packs=[sealed.PACK]) as elsewhere:
        refusal = await refused(import_replay(elsewhere.matches, replay.SerializeToString()))
    assert (refusal.code, refusal.reason) == (NOT_NOW, "RULES_NOT_LOADED")
    assert refusal.metadata == {"game": "kuhn", "rules_version": "1"}


# -- faults of a pack --------------------------------------------------------------------------------------------


async def test_fault_of_a_pack_ends_only_its_match(running: Running) -> None:
    healthy = await new_match(running, "faulty")
    broken = await new_match(running, "faulty")
    await broken.submit(0, sealed.BID(1))
    async with unchanged(healthy):
        refusal = await refused(broken.submit(1, sealed.BID(faulty.BOMB)))
    assert (refusal.code, refusal.reason) == (StatusCode.INTERNAL, "PACK_FAULT")
    assert refusal.metadata["incident"]
    assert faulty.LEAKING_TEXT not in refusal.message
    match = await broken.match()
    assert match.state == match_pb2.MATCH_STATE_FAULTED
    assert match.result.reason == match_pb2.END_REASON_PACK_FAULT
    assert (await broken.events())[-1].text == refusal.metadata["incident"]
    await healthy.submit(0, sealed.BID(1))


async def test_limit_of_live_matches() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"limits.live_matches": 2}) as running:
        for _ in range(2):
            await new_match(running, "kuhn", ephemeral=True)
        refusal = await refused(
            running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=OPEN, ephemeral=True))
        )
    assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
    assert "live_matches" in refusal.metadata["limit"]
