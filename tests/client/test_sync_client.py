"""The synchronous client at a real service; the tests of the asyncio client cover the effects of the calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from omnilude import Client, Open, ServiceBot, has_ended
from omnilude.errors import MatchExists, UnknownGame, Unreachable
from omnilude.v1 import match_pb2
from tests.support.cutting_proxy import cutting_proxy
from tests.support.server import Running
from tests.support.waiting import until


async def in_thread(service: Running, job: Callable[[Client], None]) -> None:
    """Run synchronous code beside the service, which has this thread's loop."""

    def work() -> None:
        with Client(service.target) as client:
            job(client)

    await asyncio.to_thread(work)


async def test_match_from_creation_to_its_replay(service: Running) -> None:
    def job(client: Client) -> None:
        match = client.create("ominoes", seats=[Open(), ServiceBot("greedy")], options={"target": 4})
        seat = match.join("ann")
        while not has_ended(seat.get()):
            legal = seat.legal_actions(typed=True)
            if legal.codes:
                assert legal.actions[0].label
                seat.submit_action(legal.actions[0].action, expected_seq=legal.seq)
        ended = match.get()
        assert ended.state == match_pb2.MATCH_STATE_FINISHED
        assert seat.observation().seq == ended.seq
        past = seat.observation(seq=4)
        assert (past.seq, past.match.seq, past.view == seat.observation().view) == (4, ended.seq, False)
        assert match.replay()
        assert [found.name for found in client.matches(states=[match_pb2.MATCH_STATE_FINISHED])] == [match.name]
        assert client.match(match.name).created.result == ended.result

    await in_thread(service, job)


async def test_undo_fork_import_and_resign(service: Running) -> None:
    def job(client: Client) -> None:
        assert len(client.catalog().games) == 3
        with pytest.raises(UnknownGame):
            client.game("chess")
        policy = match_pb2.MatchPolicy(manual_start=True, chance=match_pb2.CHANCE_SOURCE_HOST)
        match = client.create("ominoes", [Open(), Open()], policy=policy)
        ann, bob = match.join("ann", 1), match.join("bob")
        bob.leave()
        bob = match.join("bob")
        match.start()
        match.provide_outcomes(1)
        assert client.seat(match.name, 1, ann.token).legal_actions().codes
        ann.submit_action(ann.legal_actions().codes[0])
        assert not ann.request_undo().undone
        ann.withdraw_undo()
        asked = ann.request_undo()
        assert bob.answer_undo(asked.seq, True).undone
        fork = match.fork(match.get().seq)
        assert fork.cancel("just a test").state == match_pb2.MATCH_STATE_CANCELLED
        assert ann.resign().state == match_pb2.MATCH_STATE_FINISHED
        with pytest.raises(MatchExists):
            client.import_replay(match.replay())

    await in_thread(service, job)


async def test_watching_survives_lost_connections(service: Running) -> None:
    seqs: list[int] = []

    def watch(target: str, go_on: Callable[[], None]) -> None:
        with Client(target) as client:
            match = client.create("ominoes", [Open(), ServiceBot("random")], options={"target": 10})
            seat = match.join("ann")
            for update in match.watch(labels=True):
                seqs.extend(event.seq for event in update.events)
                if len(seqs) > 30:
                    return
                legal = seat.legal_actions()
                if legal.codes:
                    go_on()
                    seat.submit_action(legal.codes[0], expected_seq=legal.seq)

    async with cutting_proxy(service.target) as proxy:
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(watch, proxy.target, lambda: loop.call_soon_threadsafe(proxy.cut))
        assert proxy.connections > 3
    assert seqs == list(range(1, len(seqs) + 1))


def test_unreachable_target_raises() -> None:
    with Client("127.0.0.1:1", timeout=0.5) as client, pytest.raises(Unreachable):
        client.catalog()


async def test_call_finds_a_service_that_comes_back(service: Running) -> None:
    async with cutting_proxy(service.target) as proxy:
        proxy.is_open = False

        def work() -> int:
            with Client(proxy.target) as client:
                return len(client.catalog().games)

        call = asyncio.create_task(asyncio.to_thread(work))
        await until(lambda: proxy.connections >= 2)
        proxy.is_open = True
        assert await call == 3
