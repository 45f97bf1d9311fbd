"""The service of simulations: sources of states, quotas, leases, worker processes, and noninterference."""

from __future__ import annotations

import asyncio
import os
import signal
import urllib.request
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from engine_service.limits import Limits
from engine_service.observability.stats import Stats
from engine_service.rpc.simulation import SimulationService
from engine_service.simulation.pool import SimulationPool
from engine_service.simulation.worker import NICENESS
from gamepacks.api.registry import Registry
from omnilude.v1 import match_pb2
from omnilude.v1 import simulation_service_pb2 as pb
from tests.support.games import faulty, guards, kuhn, sealed, stuck
from tests.support.rpc_errors import expect_refusal
from tests.support.server import Running, running_server
from tests.support.simulation import HOST_CHANCE, Stream, game_source, match_source, operation
from tests.support.waiting import until
from tests.support.wire import get_replay, new_match

PACKS = [kuhn.PACK, sealed.PACK, faulty.PACK, stuck.PACK, guards.PACK]


def simulations(running: Running) -> SimulationService:
    return running.server._simulations


def legal(*handles: int) -> pb.SimulationOperation:
    return operation(legal=pb.ListLegal(handles=handles))


def replay_source(handle: int, seq: int, **source: Any) -> pb.OpenState:
    return pb.OpenState(handle=handle, replay=pb.ReplaySource(seq=seq, **source))


async def dealt_table(running: Running, *cards: int) -> Any:
    """Returns a match of Kuhn's poker with these cards."""
    table = await new_match(running, "kuhn", len(cards), option_texts={"ranks": "5"}, policy=HOST_CHANCE)
    await table.provide(*map(kuhn.DEAL, cards))
    return table


# -- sources ---------------------------------------------------------------------------------------------------------


async def test_live_match_is_opened_as_the_seat_knows_it() -> None:
    async with running_server(packs=PACKS) as running:
        table = await dealt_table(running, 2, 4, 1)
        stream = Stream(running)
        opens = [match_source(seed, table.name, table.seats[1], seed) for seed in range(20)]
        response = await stream.ask(opens=opens)
        assert {opened.seat for opened in response.opened} == {1}
        seq = (await table.observe(table.seats[1])).seq
        assert {opened.seq for opened in response.opened} == {seq}
        mine = (await table.observe(table.seats[1])).view
        views = await stream.views(1, *range(20))
        assert set(views) == {mine.SerializeToString(deterministic=True)}
        cards = set()
        for data in await stream.views(-2, *range(20)):
            view = kuhn.messages.View.FromString(AnyMessage.FromString(data).value)
            assert view.cards[1] == 4
            cards.add((view.cards[0], view.cards[2]))
        assert len(cards) > 5, "the other hands are drawn"


async def test_simulations_of_worlds_that_a_seat_cannot_tell_apart_are_equal() -> None:
    """Noninterference: the results of a seat's simulations depend only on its view and its seeds."""
    answers = []
    for others in ((0, 1), (1, 0), (3, 4), (4, 0)):
        async with running_server(packs=PACKS) as running:
            table = await dealt_table(running, 2, *others)
            answers.append(await _simulated(Stream(running), table.name, table.seats[0]))
    assert answers[0] == answers[1] == answers[2] == answers[3]


async def _simulated(stream: Stream, name: str, token: str) -> list[bytes]:
    """Everything that can be asked of a match, as bytes."""
    handles = list(range(1, 9))
    copies = list(range(11, 19))
    operations = [
        operation(clone=pb.CloneStates(sources=handles, targets=copies, viewer=0, seed=5)),
        legal(*handles, *copies),
        *(operation(observe=pb.ObserveStates(handles=copies, viewers=[viewer] * 8)) for viewer in (-2, -1, 0, 1, 2)),
        *(operation(observe=pb.ObserveStates(handles=handles, viewers=[viewer] * 8)) for viewer in (-2, -1, 0, 1, 2)),
        operation(play_out=pb.PlayOut(handles=handles, count=5, seed=1)),
        operation(search=pb.SearchStates(handles=handles, iterations=60, seed=2)),
        operation(search=pb.SearchStates(handles=handles[:2], iterations=60, algorithm=pb.SEARCH_ALGORITHM_FLAT)),
        operation(apply=pb.ApplySteps(handles=handles, codes=[kuhn.BET()] * 8)),
        operation(summarize=pb.SummarizeStates(handles=handles)),
        operation(apply=pb.ApplySteps(handles=handles, codes=[kuhn.CALL()] * 8)),
        operation(apply=pb.ApplySteps(handles=handles, codes=[kuhn.CALL()] * 8)),
        operation(summarize=pb.SummarizeStates(handles=handles)),
    ]
    found = []
    opens = [match_source(handle, name, token, seed=handle) for handle in handles]
    for parts in ([*operations], [legal(1), legal(99)]):
        response = await stream.ask(*parts, opens=opens)
        found.append(response.SerializeToString(deterministic=True))
        opens = []
    return found


async def test_private_decision_of_another_seat_does_not_show() -> None:
    """With a guard of seat 1, its seat is asked; without one, it is not: seat 2 simulates the same."""
    answers = []
    for deals in ((0, 1, 0), (0, 0, 0)):
        async with running_server(packs=PACKS) as running:
            table = await new_match(running, "guards", 3, policy=HOST_CHANCE)
            await table.provide(*map(guards.DEAL, deals))
            stream = Stream(running)
            before = await stream.ask(opens=[match_source(1, table.name, table.seats[2], 7)])
            seen = await stream.views(-2, 1)
            if deals[1]:
                await table.submit(0, guards.TAKE(1))
                after = await stream.ask(opens=[match_source(1, table.name, table.seats[2], 7)])
                assert after == before and await stream.views(-2, 1) == seen
            answers.append((before.SerializeToString(deterministic=True), seen))
    assert answers[0] == answers[1]


async def test_hosts_token_opens_no_state() -> None:
    async with running_server(packs=PACKS) as running:
        table = await dealt_table(running, 2, 4)
        stream = Stream(running)
        for token, reason in ((table.host, "NOT_ALLOWED"), ("", "TOKEN_MISSING"), ("x" * 43, "TOKEN_INVALID")):
            found = await stream.refused(opens=[match_source(1, table.name, token)])
            assert found[:2] == (reason, "opens[0].match")
        waiting = await new_match(running, "kuhn", 2, policy=match_pb2.MatchPolicy(manual_start=True))
        found = await stream.refused(opens=[match_source(1, waiting.name, waiting.seats[0])])
        assert found[:2] == ("MATCH_NOT_STARTED", "opens[0].match")


async def test_records_of_an_ended_match_and_of_its_replay_file_are_opened() -> None:
    async with running_server(packs=PACKS) as running:
        table = await dealt_table(running, 2, 4)
        stream = Stream(running)
        running_match = replay_source(1, 1, match=table.name)
        assert (await stream.refused(opens=[running_match]))[0] == "MATCH_NOT_ENDED"
        await table.submit(0, kuhn.BET())
        await table.submit(1, kuhn.CALL())
        replay = await get_replay(running.matches, table.name)
        last = replay.records[-1].seq
        data = replay.SerializeToString(deterministic=True)
        for seq in (0, last - 3, last):
            opens = [replay_source(1, seq, match=table.name), replay_source(2, seq, data=data)]
            (summaries,) = await stream.done(operation(summarize=pb.SummarizeStates(handles=[1, 2])), opens=opens)
            assert summaries.actors[0] == summaries.actors[1]
            assert (await stream.views(-2, 1)) == (await stream.views(-2, 2))
        for source in ({"match": table.name}, {"data": data}):
            found = await stream.refused(opens=[replay_source(1, last + 1, **source)])
            assert found[0] == "INVALID_FIELD"
        replay.records[4].code = kuhn.FOLD()
        torn = await stream.refused(opens=[replay_source(1, last, data=replay.SerializeToString())])
        assert torn[0] == "REPLAY_INVALID"
        assert (await stream.refused(opens=[replay_source(1, 0, data=data[:40])]))[0] == "REPLAY_MALFORMED"


def bad_game(change: Callable[[pb.GameSource], object]) -> pb.OpenState:
    source = game_source(1, "kuhn")
    change(source.game)
    return source


@pytest.mark.parametrize(
    ("source", "reason", "field"),
    [
        (pb.OpenState(handle=1), "INVALID_FIELD", "opens[0].source"),
        (game_source(1, "kuhn", 9), "INVALID_PLAYER_COUNT", "opens[0].game.seats"),
        (game_source(1, "kuhn", -1), "INVALID_FIELD", "opens[0].game.players"),
        (game_source(1, "none"), "UNKNOWN_GAME", "opens[0].game"),
        (game_source(1, ""), "INVALID_FIELD", "opens[0].game.game"),
        (game_source(1, "kuhn", option_texts={"ranks": "99"}), "INVALID_OPTION", "opens[0].game.options.ranks"),
        (bad_game(lambda game: game.position.Pack(game)), "MALFORMED_MESSAGE", "opens[0].game.position"),
        (
            bad_game(lambda game: game.position.Pack(kuhn.messages.Position(deal=9))),
            "INVALID_POSITION",
            "opens[0].game.position.zones",
        ),
        (match_source(1, "none", "x"), "INVALID_FIELD", "opens[0].match.name"),
        (match_source(1, "matches/none", "x"), "UNKNOWN_MATCH", "opens[0].match"),
        (replay_source(1, 0), "INVALID_FIELD", "opens[0].replay.match"),
    ],
)
async def test_bad_sources_are_refused(source: pb.OpenState, reason: str, field: str) -> None:
    async with running_server(packs=PACKS) as running:
        stream = Stream(running)
        found = await stream.refused(opens=[source])
        assert found[0] == reason and found[1].startswith(field.rpartition(".")[0] if "zones" in field else field)


# -- the stream ------------------------------------------------------------------------------------------------------


async def test_unreadable_and_too_long_requests_are_refused_and_the_stream_continues() -> None:
    async with running_server(packs=PACKS, settings={"server.max_message_bytes": 65_536}) as running:
        stream = Stream(running)
        raw = running.channel.stream_stream("/omnilude.v1.SimulationService/Simulate")()
        for data, reason in (
            (b"\x12\xff", "MALFORMED_MESSAGE"),
            (b"\x0a\xff", "MALFORMED_MESSAGE"),
            (pb.SimulateRequest(operations=[legal(1)]).SerializeToString() + b"\x0a\x00", "MALFORMED_MESSAGE"),
            (b"\x12" + b"\x00" * 70_000, "LIMIT_REACHED"),
        ):
            await raw.write(data)
            response = pb.SimulateResponse.FromString(await raw.read())
            assert pb.SimulateResponse(error=response.error) == response
            assert reason in str(response.error)
        await raw.write(pb.SimulateRequest(opens=[game_source(1, "kuhn")]).SerializeToString())
        assert pb.SimulateResponse.FromString(await raw.read()).opened
        raw.cancel()
        await stream.done(opens=[game_source(1, "sealed")])
        observe = pb.ObserveStates(handles=[1] * 2_000, viewers=[0] * 2_000)
        reason, _, error = await stream.refused(operation(observe=observe))
        assert reason == "LIMIT_REACHED" and error.metadata["limit"] == "server.max_message_bytes"


async def test_requests_in_flight_are_answered_in_order() -> None:
    async with running_server(packs=PACKS) as running:
        stream = Stream(running)
        for number in range(20):
            opens = [game_source(1, "kuhn")] if not number else []
            clone = operation(clone=pb.CloneStates(sources=[1] * number, targets=range(2, 2 + number)))
            await stream.call.write(pb.SimulateRequest(opens=opens, operations=[clone, legal(*range(1, 2 + number))]))
        for number in range(20):
            response = await stream.call.read()
            assert len(response.results[1].legal.offsets) == number + 2


async def test_next_request_is_started_while_one_runs() -> None:
    async with running_server(packs=PACKS) as running:
        stream = Stream(running)
        await stream.done(operation(draw=pb.DrawOutcomes(handles=[1])), opens=[game_source(1, "kuhn")])
        for part in (operation(search=pb.SearchStates(handles=[1], milliseconds=2_000)), legal(1), legal(1)):
            await stream.call.write(pb.SimulateRequest(operations=[part]))
        first = asyncio.ensure_future(stream.call.read())
        stats = running.server.host.stats
        await until(lambda: stats.simulation_requests == 3)
        assert not first.done()
        responses = [await first, await stream.call.read(), await stream.call.read()]
        assert [response.results[0].WhichOneof("result") for response in responses] == ["search", "legal", "legal"]


async def test_states_end_with_their_stream_and_are_not_shared() -> None:
    async with running_server(packs=PACKS) as running:
        stream, other = Stream(running), Stream(running)
        await stream.done(opens=[game_source(1, "kuhn")])
        assert (await other.refused(legal(1)))[0] == "UNKNOWN_HANDLE"
        assert simulations(running).states == 1
        await stream.close()
        await until(lambda: simulations(running).states == 0 and len(simulations(running).streams) == 1)


async def test_leases_end_by_time() -> None:
    async with running_server(packs=PACKS, settings={"limits.simulation_lease_s": 1}) as running:
        stream = Stream(running)
        await stream.done(opens=[game_source(1, "kuhn"), game_source(2, "kuhn")])
        for _ in range(20):
            await asyncio.sleep(0.1)
            await stream.done(legal(2))
        assert (await stream.refused(legal(1)))[0] == "UNKNOWN_HANDLE"
        await until(lambda: simulations(running).states == 1)


async def test_shutdown_ends_streams() -> None:
    async with running_server(packs=PACKS) as running:
        stream = Stream(running)
        await stream.done(opens=[game_source(1, "kuhn")])
        stopping = asyncio.create_task(running.server.stop(grace=5))
        async with expect_refusal() as found:
            await stream.call.read()
        assert found.reason == "SHUTTING_DOWN"
        await stopping


async def test_api_token_is_required_if_configured() -> None:
    async with running_server(packs=PACKS, settings={"auth.api_token": "secret"}) as running:
        assert (await Stream(running).refusal()).reason == "TOKEN_MISSING"
        await Stream(running, metadata=(("authorization", "Bearer secret"),)).done(opens=[game_source(1, "kuhn")])


# -- quotas ----------------------------------------------------------------------------------------------------------


async def test_states_and_bytes_are_limited() -> None:
    settings = {"limits.simulation_states": 3, "limits.simulation_bytes": 1_024}
    async with running_server(packs=PACKS, only=["ominoes"], settings=settings) as running:
        stream = Stream(running)
        await stream.done(opens=[game_source(handle, "kuhn") for handle in (1, 2, 3)])
        reason, field, error = await stream.refused(operation(clone=pb.CloneStates(sources=[1, 1], targets=[2, 4])))
        assert (reason, field) == ("LIMIT_REACHED", "operations[0].clone")
        assert dict(error.metadata) == {"limit": "simulation_states", "value": "3"}
        release = operation(release=pb.ReleaseStates(handles=[2]))
        await stream.done(release, operation(clone=pb.CloneStates(sources=[1], targets=[4])))
    async with running_server(packs=PACKS, settings={"limits.simulation_bytes": 1_024}) as running:
        stream = Stream(running)
        clone = pb.CloneStates(sources=[1] * 2_000, targets=range(2, 2_002))
        reason, _, error = await stream.refused(operation(clone=clone), opens=[game_source(1, "kuhn")])
        assert reason == "LIMIT_REACHED" and error.metadata["limit"] == "simulation_bytes"
        assert (await stream.refused(legal(1)))[0] == "UNKNOWN_HANDLE"


async def test_streams_of_a_client_are_limited() -> None:
    async with running_server(packs=PACKS, settings={"limits.simulation_streams_per_client": 1}) as running:
        stream = Stream(running)
        await stream.done(opens=[game_source(1, "kuhn")])
        found = await Stream(running).refusal()
        assert found.reason == "LIMIT_REACHED" and found.metadata["limit"] == "simulation_streams_per_client"
        await stream.close()
        await until(lambda: not len(simulations(running).streams))
        await Stream(running).done(opens=[game_source(1, "kuhn")])


async def test_processor_time_of_a_client_is_limited_and_comes_back() -> None:
    async with running_server(packs=PACKS, settings={"limits.simulation_cpu_s": 1}) as running:
        stream = Stream(running)
        await stream.done(opens=[game_source(1, "kuhn")])
        search = operation(search=pb.SearchStates(handles=[1], milliseconds=700))
        draw = operation(draw=pb.DrawOutcomes(handles=[1]))
        await stream.done(draw, search)
        while not (response := await stream.ask(search)).HasField("error"):
            pass
        assert response.error.metadata["limit"] == "simulation_cpu_s"
        for client in simulations(running)._clients.values():
            client._used_s = 0.0
        await stream.done(legal(1))


async def test_service_without_simulation_workers_refuses() -> None:
    async with running_server(packs=PACKS, settings={"limits.simulation_workers": 0}) as running:
        found = await Stream(running).refusal()
        assert found.reason == "LIMIT_REACHED" and found.metadata["limit"] == "simulation_workers"


# -- worker processes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bid", [stuck.LOOP, stuck.COMPILED])
async def test_process_that_hangs_is_replaced(bid: int, caplog: pytest.LogCaptureFixture) -> None:
    settings = {"limits.simulation_request_s": 1, "limits.simulation_workers": 1}
    async with running_server(packs=PACKS, settings=settings) as running:
        stream, other = Stream(running), Stream(running)
        await other.done(opens=[game_source(1, "kuhn")])
        apply = pb.ApplySteps(handles=[1], codes=[sealed.BID(bid)], seats=[0])
        await stream.done(opens=[game_source(1, "stuck")])
        await stream.call.write(pb.SimulateRequest(operations=[operation(apply=apply)]))
        stats = running.server.host.stats
        await until(lambda: stats.simulation_requests == 3)
        await other.call.write(pb.SimulateRequest(operations=[legal(1)]))
        async with expect_refusal() as found:
            await stream.call.read()
        assert found.reason == "LIMIT_REACHED" and found.metadata["limit"] == "simulation_request_s"
        async with expect_refusal() as found:
            await other.call.read()
        assert found.reason == "SIMULATION_LOST" and found.code is grpc.StatusCode.UNAVAILABLE
        await Stream(running).done(opens=[game_source(1, "kuhn")])
        assert running.server.host.stats.simulation_workers_lost == 1
        assert "a simulation process is replaced: a request did not end" in caplog.text


@pytest.mark.parametrize(("processors", "setting", "workers"), [(1, -1, 1), (4, -1, 3), (1, 2, 2)])
async def test_streams_are_spread_over_the_processes(
    processors: int, setting: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)))
    limits = Limits(simulation_workers=setting)
    pool = SimulationPool(Registry.load(only=[], extra=PACKS), limits, Stats())
    streams = [pool.open_stream() for _ in range(4)]
    assert len({stream._worker for stream in streams}) == workers
    await pool.close()


async def test_process_leaves_the_processors_to_matches() -> None:
    async with running_server(packs=PACKS) as running:
        await Stream(running).done(opens=[game_source(1, "kuhn")])
        (worker,) = simulations(running)._pool._workers
        assert worker._process is not None and worker._process.pid is not None
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, worker._process.pid) == min(own + NICENESS, 19)


async def test_process_that_dies_is_replaced() -> None:
    async with running_server(packs=PACKS) as running:
        stream = Stream(running)
        await stream.done(opens=[game_source(1, "kuhn")])
        (worker,) = simulations(running)._pool._workers
        process = worker._process
        assert process is not None and process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        async with expect_refusal() as found:
            await stream.ask(legal(1))
        assert found.reason == "SIMULATION_LOST"
        await Stream(running).done(opens=[game_source(1, "kuhn")])


async def test_client_that_leaves_in_the_middle_of_a_request_affects_nobody_else() -> None:
    async with running_server(packs=PACKS) as running:
        stream, other = Stream(running), Stream(running)
        await stream.done(operation(draw=pb.DrawOutcomes(handles=[1])), opens=[game_source(1, "kuhn")])
        search = operation(search=pb.SearchStates(handles=[1], iterations=10_000))
        stats = running.server.host.stats
        used_s = stats.simulation_cpu_s
        await stream.call.write(pb.SimulateRequest(operations=[search]))
        await until(lambda: stats.simulation_requests == 2)
        stream.call.cancel()
        await other.done(opens=[game_source(1, "kuhn")])
        assert await other.legal(1) == [[]]
        await until(lambda: len(simulations(running).streams) == 1)
        assert stats.simulation_cpu_s > used_s + 0.05, "its search counts"


async def test_matches_continue_while_a_simulation_runs() -> None:
    async with running_server(packs=PACKS) as running:
        table = await dealt_table(running, 2, 4)
        stream = Stream(running)
        opens = [match_source(1, table.name, table.seats[0])]
        search = operation(search=pb.SearchStates(handles=[1], milliseconds=2_000))
        simulated = asyncio.create_task(stream.done(search, opens=opens))
        await until(lambda: simulations(running)._pool._workers)
        await table.submit(0, kuhn.BET())
        await table.submit(1, kuhn.CALL())
        assert not simulated.done()
        await simulated


async def test_figures_of_simulations_are_measured() -> None:
    settings = {"metrics.enabled": True, "metrics.port": 0}
    async with running_server(packs=PACKS, settings=settings) as running:
        stream = Stream(running)
        await stream.done(operation(draw=pb.DrawOutcomes(handles=[1])), opens=[game_source(1, "kuhn")])
        await stream.refused(legal(2))
        url = f"http://127.0.0.1:{running.server.metrics_port}/metrics"
        lines = (await asyncio.to_thread(lambda: urllib.request.urlopen(url).read())).decode().splitlines()
        values = dict(line.split() for line in lines if line.startswith("omnilude_simulation"))
        assert values["omnilude_simulation_streams"] == values["omnilude_simulation_states"] == "1.0"
        assert values["omnilude_simulation_requests_total"] == "2.0"
        assert values["omnilude_simulation_refusals_total"] == "1.0"
        assert values["omnilude_simulation_steps_total"] == "2.0"
        assert float(values["omnilude_simulation_cpu_s_total"]) > 0
