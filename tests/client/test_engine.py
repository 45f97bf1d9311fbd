"""Engines on standard input and output: the protocol, its example, and engines that fail."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from omnilude import run_async
from omnilude.bot_executor import IllegalChoice
from omnilude.engine import EngineBot, EngineFailed
from tests.support.games import kuhn
from tests.support.server import Running, running_server

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine.py"


@pytest.fixture
async def service() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], only=["ominoes"]) as running:
        yield running


def engine(answer: str, greeting: str = "ready") -> list[str]:
    """Returns an engine that prints ``answer`` at each turn, with N for the number of the match and CODE for a legal
    code."""
    program = textwrap.dedent(f"""
        import json, sys
        for line in sys.stdin:
            command, _, rest = line.strip().partition(" ")
            if command == "omnilude":
                print({greeting!r}, flush=True)
            elif command == "turn":
                number, _, data = rest.partition(" ")
                code = json.loads(data)["codes"][0]
                print({answer!r}.replace("N", number).replace("CODE", str(code)), flush=True)
            elif command == "quit":
                break
    """)
    return [sys.executable, "-c", program]


async def test_example_engine_plays_several_matches_at_once(service: Running) -> None:
    async with EngineBot([sys.executable, str(EXAMPLE)]) as bot:
        assert bot.name == "Scorer 1.0" and bot.wants == ("actions",)
        options = {"target": 4}
        played = await run_async(
            bot, service.target, game="ominoes", against=["random"], options=options, matches=4, seed=1
        )
    assert [match.error for match in played] == [None] * 4
    assert all(match.place in (1, 2) for match in played)


async def test_view_and_position_are_sent_on_request(service: Running) -> None:
    greeting = "wants view actions position\nready"
    async with EngineBot(engine("info got it\nmove N CODE", greeting)) as bot:
        (played,) = await run_async(bot, service.target, game="kuhn", against=["random"])
    assert played.error is None and played.place is not None


async def test_second_and_unexpected_answers_are_ignored(service: Running) -> None:
    async with EngineBot(engine("move N CODE\nmove N CODE\nmove 99 CODE\nmove\n\nnonsense")) as bot:
        played = await run_async(bot, service.target, game="kuhn", against=["random"], matches=3)
    assert [match.error for match in played] == [None] * 3


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ("move N 12345678", IllegalChoice, "not among the"),
        ("move N {", EngineFailed, "invalid move"),
        ('move N {"fly": {}}', EngineFailed, "invalid move"),
    ],
)
async def test_invalid_moves_are_errors_of_the_bot(
    service: Running, answer: str, error: type[Exception], words: str
) -> None:
    async with EngineBot(engine(answer)) as bot:
        (played,) = await run_async(bot, service.target, game="kuhn", against=["random"])
    assert isinstance(played.error, error) and words in str(played.error)


async def test_engine_that_resigns_has_not_failed(service: Running) -> None:
    async with EngineBot(engine("resign N")) as bot:
        (played,) = await run_async(bot, service.target, game="kuhn", against=["random"])
    assert played.error is None and played.place == 2


async def test_engine_that_ends_fails_its_pending_turn(service: Running) -> None:
    command = [sys.executable, "-c", "print('ready', flush=True); input(); input(); input()"]
    async with EngineBot(command) as bot:
        ended = asyncio.ensure_future(bot.ended())
        (played,) = await run_async(bot, service.target, game="kuhn", against=["random"])
        with pytest.raises(EngineFailed, match="ended with exit code"):
            await ended
    assert isinstance(played.error, EngineFailed)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("pass", "ended before it answered 'ready'"),
        ("print('wants magic', flush=True); input(); input()", "wants 'magic'"),
        ("input(); input()", "did not answer 'ready' within 0.5 s"),
    ],
)
async def test_engine_that_does_not_start_is_an_error(
    monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    if "within" in words:
        monkeypatch.setattr("omnilude.engine.START_TIMEOUT", 0.5)
    with pytest.raises(EngineFailed, match=words):
        async with EngineBot([sys.executable, "-c", program]):
            pass
