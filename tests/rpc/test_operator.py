"""The calls of the operator, which need the API token of the service."""

from __future__ import annotations

import pytest
from grpc import StatusCode

from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn
from tests.support.rpc_errors import refused
from tests.support.server import running_server
from tests.support.wire import new_match

TOKEN = (("authorization", "Bearer let me in"),)
WRONG = (("authorization", "Bearer let me out"),)


async def test_operator_cancels_and_deletes_with_the_api_token() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"auth.api_token": "let me in"}) as running:
        created = await running.matches.CreateMatch(
            pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2), metadata=TOKEN
        )
        name = created.match.name
        cancel, delete = running.matches.CancelMatch, running.matches.DeleteMatch
        for metadata, reason in ((None, "TOKEN_MISSING"), (WRONG, "TOKEN_INVALID")):
            assert (await refused(cancel(pb.CancelMatchRequest(name=name), metadata=metadata))).reason == reason
            assert (await refused(delete(pb.DeleteMatchRequest(name=name), metadata=metadata))).reason == reason
        early = await refused(delete(pb.DeleteMatchRequest(name=name), metadata=TOKEN))
        assert (early.reason, early.code) == ("MATCH_NOT_ENDED", StatusCode.FAILED_PRECONDITION)
        done = await cancel(pb.CancelMatchRequest(name=name, reason="over"), metadata=TOKEN)
        assert done.match.state == match_pb2.MATCH_STATE_CANCELLED
        await delete(pb.DeleteMatchRequest(name=name, request_id="r"), metadata=TOKEN)
        await delete(pb.DeleteMatchRequest(name=name, request_id="r"), metadata=TOKEN)
        assert (await refused(running.matches.GetMatch(pb.GetMatchRequest(name=name)))).reason == "UNKNOWN_MATCH"


async def test_invalid_token_is_refused_even_with_the_api_token() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"auth.api_token": "let me in"}) as running:
        created = await running.matches.CreateMatch(
            pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2), metadata=TOKEN
        )
        request = pb.CancelMatchRequest(name=created.match.name, token="wrong")
        assert (await refused(running.matches.CancelMatch(request, metadata=TOKEN))).reason == "TOKEN_INVALID"


async def test_service_without_an_api_token_has_no_operator() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        table = await new_match(running, "kuhn")
        name = table.name
        for metadata in (None, TOKEN):
            delete = running.matches.DeleteMatch(pb.DeleteMatchRequest(name=name), metadata=metadata)
            assert (await refused(delete)).reason == "NOT_ALLOWED"
            cancel = running.matches.CancelMatch(pb.CancelMatchRequest(name=name), metadata=metadata)
            assert (await refused(cancel)).reason == "TOKEN_MISSING"


async def test_matches_are_listed_by_player_and_turn() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        table = await new_match(running, "kuhn")
        (match,) = (await running.matches.ListMatches(pb.ListMatchesRequest())).matches
        assert list(match.to_act) == [0]
        first, second = (seat.player for seat in match.seats)

        async def count(**wanted: object) -> int:
            return len((await running.matches.ListMatches(pb.ListMatchesRequest(**wanted))).matches)

        assert await count(player=first, to_act=True) == 1
        assert await count(player=second, to_act=True) == 0
        await table.submit(0, kuhn.CHECK())
        assert await count(player=first, to_act=True) == 0
        assert await count(player=second, to_act=True) == await count(player=first) == 1
        assert await count(player="nobody") == await count(imported=True) == 0
        assert await count(imported=False) == 1


@pytest.mark.parametrize(
    ("request_", "field"),
    [(pb.ListMatchesRequest(to_act=True), "to_act"), (pb.ListMatchesRequest(player="x" * 65), "player")],
)
async def test_to_act_filter_without_a_player_is_refused(request_: pb.ListMatchesRequest, field: str) -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        wrong = await refused(running.matches.ListMatches(request_))
        assert wrong.reason == "INVALID_FIELD"
        assert field in wrong.fields
