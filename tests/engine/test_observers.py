"""Observers of packs receive every event, and their failures affect nothing else."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from engine_service.hosting import observers
from tests.support.games import kuhn
from tests.support.hosting import BOT, hosting
from tests.support.raising import ERRORS, raise_error
from tests.support.waiting import until

ReceivedEvents = list[tuple[str, str, str]]


class Observer:
    """Records each event, and then runs an effect."""

    def __init__(self, then: Callable[[], object] = bool) -> None:
        self.received: ReceivedEvents = []
        self.then = then

    @kuhn.hookimpl
    def omnilude_match_event(self, match: str, game: str, kind: str) -> None:
        self.received.append((match, game, kind))
        self.then()


class Other(Observer):
    """A second pack."""


class FewerArguments:
    """An observer that takes only the kind of the event."""

    def __init__(self) -> None:
        self.received: list[str] = []

    @kuhn.hookimpl
    def omnilude_match_event(self, kind: str) -> None:
        self.received.append(kind)


async def test_observers_receive_every_event_in_order() -> None:
    observer, fewer = Observer(), FewerArguments()
    async with hosting(packs=[kuhn.PACK, observer, fewer]) as h:
        t = await h.new_match("kuhn")
        await h.host.resign(t.name, t.tokens[0])
        cancelled = await h.new_match("kuhn", join=False)
        await h.host.cancel(cancelled.name, cancelled.host_token)
        bots = await h.new_match("kuhn", seats=[BOT, BOT], ephemeral=True)
    assert observer.received == [
        (t.name, "kuhn", "started"),
        (t.name, "kuhn", "finished"),
        (cancelled.name, "kuhn", "cancelled"),
        (bots.name, "kuhn", "started"),
        (bots.name, "kuhn", "finished"),
    ]
    assert fewer.received == [kind for _, _, kind in observer.received]


@pytest.mark.parametrize("name", ERRORS)
async def test_exception_of_an_observer_is_logged_and_affects_nobody_else(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    raising, other = Observer(lambda: raise_error(name)), Other()
    async with hosting(packs=[kuhn.PACK, raising, other]) as h:
        t = await h.new_match("kuhn")
        await h.host.resign(t.name, t.tokens[0])
    assert raising.received == other.received == [(t.name, "kuhn", "started"), (t.name, "kuhn", "finished")]
    assert f"failed at {t.name} (started): {name} at tests.support.raising:" in caplog.text
    # What a pack puts into an error may be a secret of the match.
    assert "ace of spades" not in caplog.text


async def test_slow_observer_delays_nobody() -> None:
    go_on = threading.Event()
    async with hosting(packs=[kuhn.PACK, Observer(go_on.wait)]) as h:
        before = time.monotonic()
        for _ in range(3):
            t = await h.new_match("kuhn")
            await h.host.resign(t.name, t.tokens[0])
        assert time.monotonic() - before < h.limits.pack_call_timeout_s
        go_on.set()


async def test_observer_that_does_not_return_is_not_called_again(caplog: pytest.LogCaptureFixture) -> None:
    def hang() -> None:
        while True:
            time.sleep(0.01)

    hanging, other = Observer(hang), Other()
    async with hosting(packs=[kuhn.PACK, hanging, other], pack_call_timeout_s=1) as h:
        t = await h.new_match("kuhn")
        await until(lambda: h.host.stats.pack_timeouts == 1)
        assert f"pack Observer has not returned from {t.name} (started)" in caplog.text
        await h.host.resign(t.name, t.tokens[0])
        await until(lambda: len(other.received) == 2)
        assert len(hanging.received) == 1
        await until(lambda: not any(thread.name == "observer Observer" for thread in threading.enumerate()))


async def test_observer_that_falls_behind_misses_events(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(observers, "BACKLOG", 2)
    go_on = threading.Event()
    slow = Observer(go_on.wait)
    async with hosting(packs=[kuhn.PACK, slow]) as h:
        tables = [await h.new_match("kuhn") for _ in range(4)]
        assert f"{tables[3].name} (started) is dropped" in caplog.text
        go_on.set()
    assert [match for match, _, _ in slow.received] == [t.name for t in tables[:3]]


async def test_shutdown_does_not_wait_for_an_observer(caplog: pytest.LogCaptureFixture) -> None:
    go_on = threading.Event()
    async with hosting(packs=[kuhn.PACK, Observer(go_on.wait)], pack_call_timeout_s=86_400) as h:
        for _ in range(2):
            await h.new_match("kuhn")
        await asyncio.wait_for(h.host.drain(0.1), 30)
        assert "the observer of pack Observer was not called for 1 events" in caplog.text
        go_on.set()
