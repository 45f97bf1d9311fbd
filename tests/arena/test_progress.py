"""The display of a running tournament: ``arena run`` and ``arena watch``."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from rich.console import Console

from omnilude.arena.config import Tournament
from omnilude.arena.results import Conduct, MatchResult, Results
from omnilude.arena.runner import Arena, Progress
from omnilude_cli.arena import show_progress
from tests.support.games import kuhn
from tests.support.server import Running, running_server

BOTS = [{"name": "ann", "service": "random"}, {"name": "ben", "python": "tests.arena.bots:First"}]
MATCHES = 12
TOURNAMENT = Tournament.model_validate(
    {
        "game": "kuhn",
        "format": {"kind": "round-robin", "rounds": MATCHES // 2},
        "bots": BOTS,
        "clock": {"per_move": 600},
        "at_once": 1,
    }
)
SECONDS = 0.5
"""Time between two results."""


def result(number: int) -> MatchResult:
    """Returns a result of the tournament, in its order: ben wins all matches, one of them because ann is late."""
    seats = ("ann", "ben") if number % 2 == 0 else ("ben", "ann")
    return MatchResult(
        encounter=number // 2,
        rotation=number % 2,
        seats=seats,
        places=tuple(1 if bot == "ben" else 2 for bot in seats),
        returns=(0.0, 0.0),
        conduct=(Conduct.LATE if number == 0 else Conduct.PLAYED, Conduct.PLAYED),
        match=f"matches/{number}",
        records=9,
        seconds=SECONDS,
        think_seconds=(0.1, 0.1),
        replay="",
    )


def shown(*, before: int, now: int, terminal: bool) -> str:
    """Returns the text after ``now`` results, ``before`` of which were there from an earlier run."""
    time = [0.0]
    screen = Console(
        file=io.StringIO(), record=True, width=120, force_terminal=terminal, get_time=lambda: time[0], highlight=False
    )
    results = Results()
    for number in range(before):
        results.add(result(number))
    with show_progress(screen, TOURNAMENT) as on_result:
        for number in range(before, now):
            time[0] += SECONDS
            results.add(result(number))
            on_result(Progress(result(number), results, number + 1, MATCHES))
    return screen.export_text()


def last_display(text: str) -> str:
    """Returns the last of the displays that were drawn one over the other."""
    return text[text.rindex("kuhn: ") :]


@pytest.mark.parametrize(("before", "now", "left"), [(0, 4, "0:00:04"), (6, 8, "0:00:02")])
def test_terminal_shows_standings_speed_and_remaining_time(before: int, now: int, left: str) -> None:
    display = last_display(shown(before=before, now=now, terminal=True))
    assert display.startswith(f"kuhn: {now} matches")
    rows = [re.split(r"\s*│\s*", line.strip("│ ")) for line in display.splitlines() if line.startswith("│")]
    assert [(row[0], row[1], row[4], row[6]) for row in rows] == [
        ("1", "ben", "100.0 %", str(now)),
        ("2", "ann", "0.0 %", str(now)),
    ]
    assert "1 late" in rows[1]
    assert f"{now}/{MATCHES} {left} ben - ann: ben wins, 9 records  (2.0 matches/s)" in display


def test_pipe_receives_a_line_for_each_match() -> None:
    lines = shown(before=0, now=3, terminal=False).splitlines()
    assert lines == [
        "     1/12  ann - ben: ben wins, 9 records (ann late)  (2.0 matches/s)",
        "     2/12  ben - ann: ben wins, 9 records  (2.0 matches/s)",
        "     3/12  ann - ben: ben wins, 9 records  (2.0 matches/s)",
    ]


@pytest.fixture
async def service() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], only=["ominoes"]) as running:
        yield running


async def test_watch_follows_a_running_tournament_to_its_end(service: Running, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omnilude_cli", "arena", "watch", str(tmp_path), "--every", "0.1"]
    watching: list[subprocess.Popen[str]] = []
    first: list[str] = []

    def watch(progress: Progress) -> None:
        """Let the tournament wait after two matches until they are shown."""
        if progress.played == 2:
            watching.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            assert watching[0].stdout is not None
            first.append(watching[0].stdout.readline())

    try:
        await Arena(TOURNAMENT, tmp_path, service.target, on_result=watch).run()
        rest, _ = watching[0].communicate(timeout=60)
    finally:
        for process in watching:
            process.kill()
            process.wait()
    assert re.fullmatch(r"2 matches; (ann|ben) leads\n", first[0])
    assert watching[0].returncode == 0
    assert re.search(rf"^{MATCHES} matches; (ann|ben) leads$", rest, re.MULTILINE)
    assert re.search(rf"^ +kuhn: {MATCHES} matches", rest, re.MULTILINE)
