"""An invalid or missing token is refused before the call waits in a queue, reads a log or takes a lock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from engine_service import errors
from engine_service.match_enums import ChanceSource
from engine_service.model import ForkSetup, Policy
from engine_service.store.memory import MemoryStore
from gamepacks.api.types import Code, Seat
from tests.support.games import kuhn
from tests.support.hosting import FragileStore, Hosted, HostedMatch, hosting, idle

CHECK = Code(kuhn.CHECK())
REQUEST = {"request_id": "r"}
OF_CLIENT = {"request_id": "r", "client_key": "k"}

CALLS: dict[str, Callable[[Hosted, HostedMatch, str], Awaitable[object]]] = {
    "join": lambda h, t, token: h.host.join(t.name, "x", Seat(1), token, **OF_CLIENT),
    "leave": lambda h, t, token: h.host.leave(t.name, token),
    "start": lambda h, t, token: h.host.start_match(t.name, token, **REQUEST),
    "cancel": lambda h, t, token: h.host.cancel(t.name, token, **REQUEST),
    "observe": lambda h, t, token: h.host.observe_match(t.name, token),
    "legal actions": lambda h, t, token: h.host.legal_actions(t.name, token),
    "submit": lambda h, t, token: h.host.submit_action(t.name, token, CHECK, **REQUEST),
    "resign": lambda h, t, token: h.host.resign(t.name, token, **REQUEST),
    "request undo": lambda h, t, token: h.host.request_undo(t.name, token, **REQUEST),
    "answer undo": lambda h, t, token: h.host.answer_undo(t.name, token, 1, True, **REQUEST),
    "withdraw undo": lambda h, t, token: h.host.withdraw_undo(t.name, token, **REQUEST),
    "supply": lambda h, t, token: h.host.provide_outcomes(t.name, token, [Code(kuhn.DEAL(1))], **REQUEST),
    "fork": lambda h, t, token: h.host.fork(t.name, ForkSetup(), 5, token, **OF_CLIENT),
    "replay": lambda h, t, token: h.host.get_replay(t.name, token),
}


class CountingStore(FragileStore):
    """Counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.asked.append(name)
        return getattr(self.inner, name)

    @contextmanager
    def asks(self, *names: str) -> Iterator[None]:
        """Assert that the block makes exactly these calls."""
        self.asked.clear()
        yield
        assert self.asked == list(names)


@pytest.mark.parametrize("what", CALLS)
async def test_wrong_token_is_refused_while_a_player_s_write_is_under_way(what: str) -> None:
    store = CountingStore()
    async with hosting(store) as h:
        t = await h.new_match("kuhn")
        store.gate = asyncio.Event()
        move = asyncio.ensure_future(t.play(0, CHECK))
        await idle()
        assert not move.done()
        with store.asks(), pytest.raises(errors.TokenInvalid):
            await asyncio.wait_for(CALLS[what](h, t, "wrong"), 10)
        store.gate.set()
        await move


@pytest.mark.parametrize("what", CALLS)
async def test_wrong_token_is_refused_without_reading_the_log(what: str) -> None:
    store = CountingStore()
    async with hosting(store) as h:
        t = await h.new_match("kuhn")
        h.host = h.new_host()
        with store.asks("row"), pytest.raises(errors.TokenInvalid):
            await CALLS[what](h, t, "wrong")
        assert h.host.live_count == 0


@pytest.mark.parametrize("what", ["leave", "start", "cancel", "legal actions", "submit", "resign", "request undo"])
async def test_no_token_where_one_is_needed_is_refused_without_reading_the_log(what: str) -> None:
    store = CountingStore()
    async with hosting(store) as h:
        t = await h.new_match("kuhn")
        h.host = h.new_host()
        with store.asks("row"), pytest.raises(errors.TokenMissing):
            await CALLS[what](h, t, "")


async def test_refused_join_does_not_wait_in_the_queue_of_writes() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        h.store.gate = asyncio.Event()
        move = asyncio.ensure_future(t.play(0, CHECK))
        await idle()
        with pytest.raises(errors.MatchStarted):
            await asyncio.wait_for(h.host.join(t.name, "late"), 10)
        h.store.gate.set()
        await move


async def test_writes_of_a_match_are_ordered_and_their_queue_is_bounded() -> None:
    async with hosting(queued_writes=3) as h:
        t = await h.new_match("kuhn")
        h.store.gate = asyncio.Event()
        done: list[int] = []

        async def act(number: int) -> None:
            with suppress(errors.WrongState):
                await t.play(number % 2, CHECK)
            done.append(number)

        first = asyncio.ensure_future(act(0))
        await idle()
        others = [asyncio.ensure_future(act(number)) for number in range(1, 6)]
        await idle()
        assert [call.done() for call in others] == [False, False, False, True, True]
        for call in others[3:]:
            with pytest.raises(errors.LimitReached) as refusal:
                await call
            assert refusal.value.metadata["limit"] == "queued_writes" and refusal.value.retry_ms
        own = asyncio.ensure_future(h.host._runtime.writer.write(t.live, lambda draft: (), internal=True))
        await idle()
        assert not own.done()
        h.store.gate.set()
        await asyncio.gather(first, *others[:3], own)
        assert done == [0, 1, 2, 3]
        assert t.live.write_queue is None


async def test_stored_match_is_read_from_its_row() -> None:
    store = CountingStore()
    async with hosting(store) as h:
        t = await h.new_match("kuhn")
        shown = await h.host.get(t.name)
        h.host = h.new_host()
        with store.asks("row"):
            assert await h.host.get(t.name) == shown


async def test_replay_of_a_running_match_is_refused_without_reading_the_log() -> None:
    store = CountingStore()
    async with hosting(store) as h:
        t = await h.new_match("kuhn")
        h.host = h.new_host()
        with store.asks("row"), pytest.raises(errors.MatchNotEnded):
            await h.host.get_replay(t.name)
        with store.asks("row", "records"):
            assert len((await h.host.get_replay(t.name, t.host_token)).records) == 5


async def test_replays_are_read_one_at_a_time() -> None:
    class SlowStore(FragileStore):
        reading = most = 0

        async def records(self, *given: Any) -> Any:
            self.reading += 1
            self.most = max(self.most, self.reading)
            await asyncio.sleep(0)
            self.reading -= 1
            return await self.inner.records(*given)

    store = SlowStore(MemoryStore())
    async with hosting(store) as h:
        t = await h.new_match("kuhn")
        await h.host.resign(t.name, t.tokens[0])
        h.host = h.new_host()
        replays = await asyncio.gather(*(h.host.get_replay(t.name) for _ in range(20)))
        assert store.most == 1 and all(replay == replays[0] for replay in replays)


async def test_repeated_leave_succeeds_without_a_valid_token() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=Policy(manual_start=True, chance=ChanceSource.HOST))
        left = await h.host.leave(t.name, t.tokens[1], "r")
        assert await h.host.leave(t.name, t.tokens[1], "r") == left
        with pytest.raises(errors.TokenInvalid):
            await h.host.leave(t.name, t.tokens[1], "another")
        with pytest.raises(errors.TokenInvalid):
            await h.host.leave(t.name, t.tokens[1])
