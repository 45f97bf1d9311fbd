"""``omnilude bot``: a bot of an installed pack as a remote player."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from typer.testing import Result

from gamepacks.api.bots import Budget
from omnilude import Client, Invited, run_async
from omnilude.local import RulesNotInstalled
from omnilude.v1 import match_pb2
from omnilude_cli.installed_bot import InstalledBot
from omnilude_cli.service import own_command, start
from tests.support.games import sealed
from tests.support.server import running_server

Run = Callable[..., Result]


@contextmanager
def hosted(target: str, *flags: str) -> Iterator[subprocess.Popen[str]]:
    """A process of the command, once it is connected."""
    with start(own_command("bot", *flags, "--server", target, "--until-eof"), None) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process


def result(client: Client, players: list[str]) -> match_pb2.Match:
    match = client.create("ominoes", [Invited(player) for player in players], options={"target": 4})
    for update in match.watch():
        ended = update.match
    return ended


def test_bots_of_packs_play_invitations(target: str) -> None:
    with (
        hosted(target, "greedy", "--game", "ominoes") as greedy,
        hosted(target, "monte-carlo", "--name", "thinker", "--playouts", "8", "--seed", "3") as thinker,
        Client(target) as client,
    ):
        ended = result(client, ["greedy", "thinker"])
        assert ended.result.reason == match_pb2.END_REASON_RULES
        greedy.send_signal(signal.SIGTERM)
        assert greedy.wait(timeout=30) == 0
        assert thinker.stdin is not None
        thinker.stdin.close()
        assert thinker.wait(timeout=30) == 0


def test_ctrl_c_ends_a_bot_that_is_not_connected() -> None:
    process = subprocess.Popen(
        own_command("bot", "random", "--server", "127.0.0.1:1"), stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    with process.stderr:
        assert "reconnecting" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (
            ["hal"],
            "no bot 'hal' is installed\n  there are: greedy, mcts, monte-carlo, planner, random, regret, tactician\n",
        ),
        (["greedy", "--game", "chess"], "no bot 'greedy' for the game 'chess' is installed"),
    ],
)
def test_unknown_bot_is_refused(run: Run, flags: list[str], words: str) -> None:
    shown = run("bot", *flags)
    assert shown.exit_code == 1
    assert words in shown.stderr


async def test_bot_resigns_a_match_whose_rules_are_not_installed() -> None:
    async with running_server(packs=[sealed.PACK]) as service:
        (played,) = await run_async(InstalledBot("random", Budget()), service.target, game="sealed", against=["random"])
    assert isinstance(played.error, RulesNotInstalled)
    assert played.match.result.reason == match_pb2.END_REASON_FORFEIT
