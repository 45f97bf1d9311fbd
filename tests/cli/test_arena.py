"""``omnilude arena``: from a file to a report, comparison of two bots, and refusals in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from typer.testing import Result

Run = Callable[..., Result]

BOT = """
from omnilude import Bot, Turn

class Last(Bot):
    def choose(self, turn: Turn) -> int:
        return turn.codes[-1]
"""


@pytest.fixture
def tournament(tmp_path: Path, target: str) -> Path:
    """A small tournament at a service that runs."""
    (tmp_path / "last.py").write_text(BOT)
    data = {
        "game": "ominoes",
        "options": {"target": 4},
        "format": {"kind": "round-robin"},
        "bots": [
            {"name": "greedy", "service": "greedy"},
            {"name": "random", "service": "random"},
            {"name": "last", "python": f"{tmp_path}/last.py"},
        ],
        "server": target,
    }
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


def test_init_writes_a_valid_tournament_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    assert run("arena", "init", path).exit_code == 0
    assert yaml.safe_load(path.read_text())["game"] == "ominoes"
    again = run("arena", "init", path)
    assert again.exit_code == 1 and "exists already" in again.stderr


def test_tournament_is_played_reported_and_not_played_twice(run: Run, tournament: Path, tmp_path: Path) -> None:
    folder = tmp_path / "small"
    played = run("arena", "run", tournament)
    assert played.exit_code == 0, played.stderr
    assert "6 matches" in played.stdout and "greedy" in played.stdout
    assert {path.name for path in folder.iterdir()} >= {"report.md", "report.csv", "report.json", "report.html"}
    assert len(list((folder / "replays").iterdir())) == 6
    pictures = sorted(path.name for path in (folder / "pictures").iterdir())
    assert pictures == sorted(path.with_suffix(".svg").name for path in (folder / "replays").iterdir())
    assert all(f'href="pictures/{name}"' in (folder / "report.html").read_text() for name in pictures)
    assert "The game is over" in (folder / "pictures" / pictures[0]).read_text()
    verified = run("replay", "verify", *sorted((folder / "replays").iterdir()))
    assert verified.exit_code == 0, verified.stdout
    before = (folder / "results.jsonl").read_bytes()
    assert run("arena", "run", tournament).exit_code == 0
    assert (folder / "results.jsonl").read_bytes() == before
    (folder / "report.json").unlink()
    assert run("arena", "report", folder).exit_code == 0
    assert json.loads((folder / "report.json").read_text())["finished"] is True
    watched = run("arena", "watch", folder)
    assert watched.exit_code == 0 and "leads" in watched.stdout


def test_compare_answers_better_not_better_or_undecided(run: Run, target: str) -> None:
    more = ("--game", "ominoes", "--option", "target=7", "--elo", "200", "--server", target)
    better = run("arena", "compare", "greedy", "random", *more)
    assert better.exit_code == 0 and "greedy is better" in better.stdout
    worse = run("arena", "compare", "random", "greedy", *more)
    assert worse.exit_code == 10 and "random is not better" in worse.stdout
    undecided = run("arena", "compare", "random", "random", *more[:-2], "--max-pairs", "1", "--server", target)
    assert undecided.exit_code == 11 and "undecided" in undecided.stdout


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"game": "chess"}, "UNKNOWN_GAME"),
        ({"options": {"target": -1}}, "INVALID_OPTION"),
        ({"bots": [{"name": "a", "service": "greedy"}, {"name": "b", "service": "nobody"}]}, "UNKNOWN_BOT"),
        ({"bots": [{"name": "a", "service": "greedy"}, {"name": "b", "python": "nothing.py"}]}, "no file nothing.py"),
        ({"bots": [{"name": "a", "service": "greedy"}, {"name": "b", "python": "json:X"}]}, "no class X that is a Bot"),
        ({"bots": [{"name": "a", "service": "greedy"}, {"name": "b", "command": ["/no/such"]}]}, "/no/such"),
        ({"seats": 9}, "too few for matches of 9"),
    ],
)
def test_invalid_tournament_is_refused_with_its_fault(
    run: Run, tournament: Path, change: dict[str, object], fault: str
) -> None:
    data = yaml.safe_load(tournament.read_text())
    tournament.write_text(yaml.safe_dump({**data, **change}))
    refused = run("arena", "run", tournament)
    assert refused.exit_code == 1 and fault in refused.stderr


def test_folder_without_results_is_refused(run: Run, tmp_path: Path) -> None:
    refused = run("arena", "report", tmp_path)
    assert refused.exit_code == 1 and "No such file" in refused.stderr
