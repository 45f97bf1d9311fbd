"""``omnilude demo`` from beginning to end, and without optional components."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from omnilude.arena.config import BotEntry
from omnilude.v1.replay_pb2 import Replay
from omnilude_cli import demo, node_bot
from omnilude_cli.service import own_command

Run = Callable[..., Result]


def test_demo_plays_a_round_robin_and_verifies_its_replays(tmp_path: Path) -> None:
    """The command runs as a separate process; other tests cover the bot in Node.js."""
    command = own_command("demo", "--no-node", "--playouts", "2", "--folder", str(tmp_path / "demo"))
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    (run,) = (tmp_path / "demo").iterdir()
    replays = sorted((run / "replays").iterdir())
    assert [replay.name for replay in replays] == [f"00000{pair}-{swap}.omr" for pair in range(3) for swap in range(2)]
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"service  127\.0\.0\.1:\d+; its database and logs are in .+", lines[0])
    assert lines[1] == "bots     random (Python), greedy (Python), monte-carlo (Python)"
    assert lines[2] == "playing  6 matches of ominoes, 6 at a time"
    played = [re.fullmatch(r" +\d/6  (\S+) - (\S+): .+, \d+ records +\(.+ matches/s\)", line) for line in lines]
    pairs = itertools.permutations(("random", "greedy", "monte-carlo"), 2)
    assert sorted(match.groups() for match in played if match) == sorted(pairs)
    assert f"replays  6 in {run / 'replays'}" in done.stdout
    assert re.search(r"verified 6 of 6: [\d,]+ rolls of the dice proved", done.stdout)
    assert (run / "matches.sqlite3").exists()
    assert {path.name for path in run.glob("*.log")} == {
        "service.log",
        "random.log",
        "greedy.log",
        "monte-carlo.log",
    }


def test_demo_without_nodejs_plays_the_python_bots(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> object:
        raise node_bot.NodeUnavailable("no Node.js 18 or newer found")

    monkeypatch.setattr(node_bot, "node_bot_command", missing)
    monkeypatch.setattr(demo, "_PYTHON_BOTS", ("random", "greedy"))
    shown = run("demo", "--folder", tmp_path)
    assert shown.exit_code == 0
    assert "without  the bot in Node.js: no Node.js 18 or newer found\n" in shown.stdout
    assert "verified 2 of 2" in shown.stdout


def test_edited_replay_fails_the_demo(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = demo._play

    def play_and_edit(*arguments: object) -> object:
        played = play(*arguments)  # type: ignore[arg-type]
        file = next(tmp_path.rglob("*.omr"))
        replay = Replay.FromString(file.read_bytes())
        replay.records[-2].time_ms += 1
        file.write_bytes(replay.SerializeToString())
        return played

    monkeypatch.setattr(demo, "_play", play_and_edit)
    monkeypatch.setattr(demo, "_PYTHON_BOTS", ("random", "greedy"))
    shown = run("demo", "--no-node", "--folder", tmp_path)
    assert shown.exit_code == 1
    assert "(REPLAY_INVALID)" in shown.stderr


def test_bot_that_does_not_start_is_reported_with_its_log(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = BotEntry(name="broken", command=own_command("bot", "hal"), restarts=0)
    monkeypatch.setattr(demo, "_python_bots", lambda *settings: [broken, broken.model_copy(update={"name": "other"})])
    shown = run("demo", "--no-node", "--folder", tmp_path)
    assert shown.exit_code == 1 and "failed (crashed); the end of its log:" in shown.stderr
    assert "no bot 'hal' for the game 'ominoes' is installed" in shown.stderr


def test_unknown_game_is_refused(run: Run, tmp_path: Path) -> None:
    shown = run("demo", "--game", "chess", "--folder", tmp_path)
    assert shown.exit_code == 1
    assert "chess" in shown.stderr
