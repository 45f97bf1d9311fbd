"""The pack guard converts whatever a pack raises, and nothing else."""

from __future__ import annotations

import ast
import asyncio
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine_service
from engine_service.errors import MatchEnded
from engine_service.pack_guard import PACK_GUARD, THREAD_GUARD, KillableThread, PackGuard, PackRaised, PackTimeout
from tests.support.raising import ERRORS, raise_error


@pytest.fixture
def service_handles_sigint() -> Iterator[None]:
    """Install the signal handler of the service, so that Ctrl-C raises no KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("guard", [PACK_GUARD, THREAD_GUARD])
@pytest.mark.parametrize("name", ERRORS)
def test_any_exception_of_a_pack_becomes_a_pack_exception(
    name: str, guard: PackGuard, service_handles_sigint: None
) -> None:
    with pytest.raises(PackRaised) as raised, guard:
        raise_error(name)
    assert raised.value.error is ERRORS[name]
    assert isinstance(raised.value, Exception)
    assert guard.depth == 0


def test_refusals_of_the_service_pass_as_they_are() -> None:
    with pytest.raises(MatchEnded), PACK_GUARD, PACK_GUARD:
        raise MatchEnded()
    inner = PackRaised(KeyError())
    with pytest.raises(PackRaised) as raised, PACK_GUARD:
        raise inner
    assert raised.value is inner


def test_ctrl_c_in_a_command_is_not_a_pack_fault() -> None:
    """``omnilude replay verify`` runs rules in the main thread, where Python's own handler raises KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), THREAD_GUARD:
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_thread_is_never_interrupted_by_ctrl_c() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    raised: list[BaseException] = []

    def run() -> None:
        try:
            with THREAD_GUARD:
                raise KeyboardInterrupt
        except BaseException as error:
            raised.append(error)

    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert isinstance(raised[0], PackRaised)


def test_rules_that_swallow_every_exception_do_not_swallow_their_stop() -> None:
    """A pack's ``except Exception`` in a loop must not keep it from being stopped."""
    assert not issubclass(PackTimeout, Exception)


@pytest.mark.parametrize("name", ERRORS)
async def test_work_in_a_thread_raises_no_exception_that_ends_its_caller(name: str) -> None:
    expected = type(ERRORS[name]) if isinstance(ERRORS[name], Exception) else PackRaised
    # A coroutine cannot raise a StopIteration; Python makes a RuntimeError of it.
    expected = RuntimeError if expected is StopIteration else expected
    with pytest.raises(expected):
        await KillableThread(lambda: raise_error(name), "raising").result()


async def test_caller_who_leaves_is_cancelled_though_the_work_continues() -> None:
    go_on = threading.Event()
    work = KillableThread(go_on.wait, "waiting")
    caller = asyncio.ensure_future(work.result())
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert not work.outcome.done()
    go_on.set()
    assert await work.outcome is True


def guarded_blocks() -> Iterator[tuple[str, ast.With]]:
    """Yield every ``with PACK_GUARD:`` and ``with THREAD_GUARD:`` of the service, with its file and line."""
    for path in sorted(Path(engine_service.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.With):
                names = {item.context_expr.id for item in node.items if isinstance(item.context_expr, ast.Name)}
                if names & {"PACK_GUARD", "THREAD_GUARD"}:
                    yield f"{path.name}:{node.lineno}", node


def test_no_await_or_yield_occurs_within_the_guard() -> None:
    """Otherwise a cancellation of the task, or the end of a generator, would count as the pack's exception."""
    blocks = list(guarded_blocks())
    assert len(blocks) > 20
    suspends = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom)
    assert [place for place, block in blocks if any(isinstance(node, suspends) for node in ast.walk(block))] == []
