"""Simulations by both clients: results as values, requests of several operations, errors."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from omnilude import AsyncClient, AsyncMatchHandle, AsyncSeatHandle, AsyncSimulation, Client, Open
from omnilude.errors import IllegalAction, InvalidField, SimulationLost, UnknownHandle
from omnilude.v1.match_pb2 import CHANCE_SOURCE_HOST, MatchPolicy
from tests.support.games import kuhn
from tests.support.server import Running, running_server

DEALS = [kuhn.DEAL(3), kuhn.DEAL(0)]


@asynccontextmanager
async def simulating() -> AsyncIterator[tuple[Running, AsyncClient, AsyncSimulation]]:
    """A service of Kuhn's poker, a client, and its simulation."""
    async with (
        running_server(packs=[kuhn.PACK]) as running,
        AsyncClient(running.target) as client,
        client.simulation() as simulation,
    ):
        yield running, client, simulation


def play(target: str) -> None:
    """Call each method of the synchronous simulation."""
    with Client(target) as client, client.simulation() as simulation:
        root = simulation.open_game("kuhn", 2, options={"ranks": 5})
        (outcomes,) = simulation.outcomes([root])
        assert list(outcomes) == [(kuhn.DEAL(card), 1) for card in range(5)]
        first, second = simulation.clone([root, root])
        assert [len(codes) for codes in simulation.draw([first], seed=4)] == [2]
        simulation.apply([second, second], DEALS)
        assert [list(codes) for codes in simulation.legal([second, root])] == [[kuhn.CHECK(), kuhn.BET()], []]
        summaries = simulation.summarize([root, second])
        assert [(entry.actor, entry.seats_to_act) for entry in summaries] == [(-1, []), (0, [0])]
        (view,) = simulation.observe([second], [0])
        message = client.game("kuhn").messages.unpack(view)
        assert list(message.cards) == [3, -1]  # type: ignore[attr-defined]
        copies = simulation.clone([second] * 10, viewer=1, seed=7)
        assert {bytes(seen.value) for seen in simulation.observe(copies, [1] * 10)} == {
            bytes(simulation.observe([second], [1])[0].value)
        }
        played = simulation.play_out([second, root], count=50, seed=1)
        assert [entry.count for entry in played] == [50, 50] and all(entry.plies >= 100 for entry in played)
        assert sum(played[0].mean_returns) == pytest.approx(0)
        (searched,) = simulation.search([second], iterations=200, seed=3)
        assert searched.seat == 0 and searched.line[0] == (0, searched.actions[0].code)
        assert sum(action.visits for action in searched.actions) == 200
        (flat,) = simulation.search([second], [0], iterations=200, seed=3, flat=True)
        assert {action.code for action in flat.actions} == {kuhn.CHECK(), kuhn.BET()}
        simulation.release([first])
        with pytest.raises(UnknownHandle) as unknown:
            simulation.legal([first])
        assert unknown.value.faults[0].field == "operations[0].legal.handles[0]"
        assert pickle.loads(pickle.dumps(unknown.value)).message == unknown.value.message
        with pytest.raises(IllegalAction, match=r"operations\[0\].apply.codes\[0\]"):
            simulation.apply([second], [kuhn.CALL()])
        with pytest.raises(InvalidField):
            simulation.clone([root], viewer=5)


async def test_synchronous_client_simulates() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        await asyncio.to_thread(play, running.target)


async def test_request_of_several_operations_is_one_round_trip() -> None:
    async with simulating() as (running, _client, simulation):
        request = simulation.request()
        root = request.open_game("kuhn", 2)
        request.apply([root, root], DEALS)
        (copy,) = request.clone([root])
        request.apply([copy], [kuhn.BET()])
        legal = request.legal([root, copy])
        with pytest.raises(RuntimeError, match="has not been run"):
            _ = legal.value
        (opened,) = await simulation.run(request)
        assert (opened.game, opened.players) == ("games/kuhn", 2)
        assert [list(codes) for codes in legal.value] == [
            [kuhn.CHECK(), kuhn.BET()],
            [kuhn.CALL(), kuhn.FOLD()],
        ]
        assert running.server.host.stats.simulation_requests == 1


async def test_requests_may_be_in_flight_together() -> None:
    async with simulating() as (_, _, simulation):
        root = await simulation.open_game("kuhn", 2)
        requests = [simulation.request() for _ in range(10)]
        copies = [request.clone([root] * 3) for request in requests]
        summaries = [request.summarize(handles) for request, handles in zip(requests, copies, strict=True)]
        for request in requests:
            await simulation.send(request)
        for request in requests:
            await simulation.receive(request)
        assert [len(result.value) for result in summaries] == [3] * 10


async def test_matches_and_replays_are_opened() -> None:
    async with simulating() as (_running, client, simulation):
        seats, match = await _match(client)
        state = await simulation.open_match(seats[1].name, seats[1].token, seed=2)
        (view,) = await simulation.observe([state], [1])
        observed = await seats[1].observation()
        assert observed.view is not None and view.value == observed.view.SerializeToString(deterministic=True)
        await seats[0].submit_action(kuhn.BET())
        await seats[1].submit_action(kuhn.FOLD())
        replay = await match.replay()
        by_name = await simulation.open_replay(match.name, 0)
        by_file = await simulation.open_replay(replay, 0)
        first, second = await simulation.observe([by_name, by_file], [-2, -2])
        assert first == second


async def _match(client: AsyncClient) -> tuple[list[AsyncSeatHandle], AsyncMatchHandle]:
    """Returns a match of Kuhn's poker whose cards are dealt."""
    match = await client.create("kuhn", [Open(), Open()], policy=MatchPolicy(chance=CHANCE_SOURCE_HOST))
    seats = [await match.join(f"player {number}") for number in range(2)]
    await match.provide_outcomes(*DEALS)
    return seats, match


async def test_error_that_ends_a_stream_is_raised() -> None:
    async with simulating() as (running, _client, simulation):
        root = await simulation.open_game("kuhn", 2)
        (worker,) = running.server._simulations._pool._workers
        assert worker._process is not None
        worker._process.kill()
        with pytest.raises(SimulationLost):
            await simulation.legal([root])
