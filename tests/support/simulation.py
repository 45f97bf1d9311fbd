"""Client of the SimulationService for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from omnilude.v1 import errors_pb2, match_pb2
from omnilude.v1 import simulation_service_pb2 as pb
from tests.support.rpc_errors import Refusal, refused
from tests.support.server import Running

SIMULATE = "/omnilude.v1.SimulationService/Simulate"


def operation(**kinds: Any) -> pb.SimulationOperation:
    """Returns an operation of the given kind."""
    return pb.SimulationOperation(**kinds)


def game_source(handle: int, game: str, players: int = 2, **more: Any) -> pb.OpenState:
    """Returns the message to open the initial state of a game."""
    return pb.OpenState(handle=handle, game=pb.GameSource(game=f"games/{game}", players=players, **more))


def lists(offsets: Sequence[int], elements: Sequence[Any]) -> list[list[Any]]:
    """Splits the elements of a packed result into the list of each state."""
    return [list(elements[start:end]) for start, end in pairwise(offsets)]


class Stream:
    """A simulation stream that sends its requests one after the other."""

    def __init__(self, running: Running, channel: Any = None, metadata: Any = None) -> None:
        method = (channel or running.channel).stream_stream(
            SIMULATE, pb.SimulateRequest.SerializeToString, pb.SimulateResponse.FromString
        )
        self.call = method(metadata=metadata)

    async def ask(self, *operations: pb.SimulationOperation, opens: Sequence[pb.OpenState] = ()) -> pb.SimulateResponse:
        """Send a request; returns the response."""
        await self.call.write(pb.SimulateRequest(opens=opens, operations=operations))
        response = await self.call.read()
        assert isinstance(response, pb.SimulateResponse)
        return response

    async def done(self, *operations: pb.SimulationOperation, opens: Sequence[pb.OpenState] = ()) -> list[Any]:
        """Send a request that must succeed; returns its results."""
        response = await self.ask(*operations, opens=opens)
        assert not response.HasField("error"), response.error
        assert len(response.results) == len(operations) and len(response.opened) == len(opens)
        return [getattr(result, kind) if (kind := result.WhichOneof("result")) else None for result in response.results]

    async def refused(
        self, *operations: pb.SimulationOperation, opens: Sequence[pb.OpenState] = ()
    ) -> tuple[str, str, pb.SimulationError]:
        """Send a request that must be refused; returns the reason, the invalid field and the error."""
        response = await self.ask(*operations, opens=opens)
        assert response.HasField("error")
        assert not response.results and not response.opened
        name = errors_pb2.ErrorReason.Name(response.error.reason).removeprefix("ERROR_REASON_")
        return name, response.error.field, response.error

    async def refusal(self) -> Refusal:
        """The status of a stream that is refused before its first request."""
        # Sends nothing: grpc.aio may replace the status of a stream that ends during a write by one of its own.
        return await refused(self.call.read())

    async def legal(self, *handles: int) -> list[list[int]]:
        """Returns the legal actions of states."""
        (found,) = await self.done(operation(legal=pb.ListLegal(handles=handles)))
        return lists(found.offsets, found.codes)

    async def views(self, viewer: int, *handles: int) -> list[bytes]:
        """Returns the serialised views of states for one viewer."""
        observe = pb.ObserveStates(handles=handles, viewers=[viewer] * len(handles))
        (found,) = await self.done(operation(observe=observe))
        return [view.SerializeToString(deterministic=True) for view in found.views]

    async def close(self) -> None:
        """End the stream, and wait until it has ended."""
        await self.call.done_writing()
        async with asyncio.timeout(30):
            await self.call.wait_for_connection()
            assert await self.call.code() is not None


def match_source(handle: int, name: str, token: str, seed: int = 0) -> pb.OpenState:
    """Returns the message to open a state of a live match that is consistent with the view of a seat."""
    return pb.OpenState(handle=handle, match=pb.MatchSource(name=name, token=token, seed=seed))


HOST_CHANCE = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
