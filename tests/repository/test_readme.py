"""The programs of README.md and docs/ run as they are printed, except for the address of the service."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from gamepacks.api import CardFileError, CardLibrary
from gamepacks.api.kit import ConformanceSuite
from omnilude import Bot, Client, Invited, PlayedMatch, ServiceBot, has_ended, run
from omnilude_cli.node_bot import find_node
from tests.repository.tree import text, tracked
from tests.support.games.kuhn import KuhnGame
from tests.support.server import ROOT, ServiceProcess

BOT_PAGE = "docs/write-a-bot.md"
PACK_PAGE = "docs/write-a-pack.md"
SIMULATION_PAGE = "docs/simulate.md"
FRONT_END_PAGE = "docs/write-a-front-end.md"
SMALL = {"target": 4}


def programs(page: str, language: str = "python") -> list[str]:
    """Returns the code blocks of a page in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ServiceProcess(tmp_path_factory.mktemp("service"), "--store.in_memory", "true") as service:
        yield service.target


def script(program: str, target: str) -> list[str]:
    """Returns the command that runs a program against the service at ``target``."""
    assert "localhost:7878" in program
    return [sys.executable, "-c", program.replace("localhost:7878", target)]


def bot(program: str, name: str) -> Bot:
    """Returns the bot of that name that a program defines."""
    names: dict[str, object] = {"__name__": "a_page"}
    exec(program, names)
    kind = names[name]
    assert isinstance(kind, type) and issubclass(kind, Bot)
    return kind()


def points(played: list[PlayedMatch]) -> int:
    assert [entry.error for entry in played] == [None] * len(played)
    return sum(entry.place == 1 for entry in played)


def test_all_programs_of_the_pages_are_run_here() -> None:
    pages = [name for name in tracked() if name.startswith("docs/") and name.endswith(".md")]
    found = {page: len(programs(page)) for page in ["README.md", *pages]}
    counts = {"README.md": 1, BOT_PAGE: 6, PACK_PAGE: 3, SIMULATION_PAGE: 1}
    assert {page: count for page, count in found.items() if count} == counts
    found = {page: len(programs(page, "js")) for page in ["README.md", *pages]}
    assert {page: count for page, count in found.items() if count} == {FRONT_END_PAGE: 2}


@pytest.mark.parametrize("page", ["README.md", BOT_PAGE])
def test_the_ten_line_bot_plays_three_matches(page: str, target: str) -> None:
    program = programs(page)[0]
    assert len([line for line in program.splitlines() if line]) <= 10
    done = subprocess.run(script(program, target), cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^matches/\w+ place [12]$", done.stdout, re.MULTILINE)) == 3


def test_the_invited_bot_plays_until_ctrl_c(target: str) -> None:
    first, waiting, *_ = programs(BOT_PAGE)
    definitions = first.partition("\n\nif __name__")[0]
    with subprocess.Popen(script(f"{definitions}\n\n{waiting}", target), cwd=ROOT) as process:
        try:
            with Client(target) as client:
                match = client.create("ominoes", [Invited("steady"), ServiceBot("random")], options=SMALL)
                for update in match.watch():
                    last = update.match
            assert has_ended(last)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()


def test_second_step_beats_random(target: str) -> None:
    builder = bot(programs(BOT_PAGE)[2], "Builder")
    played = run(builder, target, game="ominoes", against=["random"], matches=20, options=SMALL, seed=1)
    # It wins three of four: less than 8 of 20 once in five thousand times.
    assert points(played) >= 8


def test_third_step_is_the_example_and_beats_random(target: str) -> None:
    program = programs(BOT_PAGE)[3]
    assert text("examples/strong_bot.py").endswith(program)
    strong = bot(program, "StrongBot")
    played = run(strong, target, game="ominoes", against=["random"], matches=4, options=SMALL, seed=1)
    assert points(played) >= 3


def test_self_play_runs_without_a_service() -> None:
    done = subprocess.run([sys.executable, "-c", programs(BOT_PAGE)[4]], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"seat 0 has won [12]\.\d of 2\n", done.stdout), done.stdout


def test_bots_meet_from_both_seats(target: str) -> None:
    done = subprocess.run(script(programs(BOT_PAGE)[5], target), cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    *matches, points = done.stdout.splitlines()
    pairs = [re.fullmatch(r"matches/\w+ \['[12]\. (\w+)', '[12]\. (\w+)'\]", line) for line in matches]
    assert sorted(found.groups() for found in pairs if found) == [("lazy", "lucky"), ("lucky", "lazy")]
    assert re.fullmatch(r"\{'lucky': -?[02]\.0, 'lazy': -?[02]\.0\}", points)


def test_a_simulation_plays_out_every_first_action(target: str) -> None:
    (program,) = programs(SIMULATION_PAGE)
    done = subprocess.run(script(program, target), cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = [re.fullmatch(r"(\d+) (-?[\d.]+)", line) for line in done.stdout.splitlines()]
    assert len(lines) == 64 and all(lines)


def test_a_game_draws_its_scene() -> None:
    names: dict[str, Any] = {"__name__": "a_page"}
    exec(compile(programs(PACK_PAGE)[0], PACK_PAGE, "exec", dont_inherit=True), names)
    game = names["LuckySeven"]
    view = SimpleNamespace(hand=[3, 7])
    assert re.findall('id="([^"]*)"', game.svg(None, view)) == ["card-0", "card-1"]
    play = SimpleNamespace(play=SimpleNamespace(card=7), HasField=lambda name: name == "play")
    end = SimpleNamespace(HasField=lambda name: False)
    assert game.targets(None, view, [play, end]) == [("card-1",), ()]


def test_a_game_takes_its_cards_from_a_library(tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "a_page"}
    exec(compile(programs(PACK_PAGE)[1], PACK_PAGE, "exec", dont_inherit=True), names)
    lines = [
        f"  - {{id: c{number}, effects: [{{op: draw, n: 2}}, {{op: score, n: {number}}}]}}" for number in range(1, 8)
    ]
    file = tmp_path / "house.yaml"
    file.write_text("\n".join(["id: house", "game: lucky-seven", "title: t", "status: house", "cards:", *lines]))
    kind = type("Whole", (names["LuckySeven"],), {})
    library = CardLibrary([names["LuckySeven"].card_source.read(file)])
    kind.__abstractmethods__ = frozenset()
    assert kind(2, names["LuckyOptions"](card_set="house"), library).values == [3, 4, 5, 6, 7, 8, 9]
    file.write_text(file.read_text().replace("c7", "c6"))
    with pytest.raises(CardFileError, match=r"house\.yaml:12: c6: id: the id is used by another entry"):
        names["LuckySeven"].card_source.read(file)


def test_kit_of_the_page_checks_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny poker replaces the game that a reader has written."""
    written = ModuleType("lucky_seven.game")
    written.LuckySeven = KuhnGame  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lucky_seven", ModuleType("lucky_seven"))
    monkeypatch.setitem(sys.modules, "lucky_seven.game", written)
    names: dict[str, object] = {"__name__": "a_page"}
    exec(programs(PACK_PAGE)[2], names)
    suite = names["TestLuckySeven"]
    assert isinstance(suite, type) and issubclass(suite, ConformanceSuite)
    assert suite.game is KuhnGame


def in_node(program: str) -> str:
    """Run a program in clients/node, as the page says; returns its output."""
    command = [find_node().program, "--input-type=module", "-e", program]
    done = subprocess.run(command, cwd=ROOT / "clients" / "node", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_front_end_plays_a_whole_match(target: str) -> None:
    program = programs(FRONT_END_PAGE, "js")[0]
    assert "localhost:7878" in program
    shown = in_node(program.replace("localhost:7878", target)).splitlines()
    assert shown[-1] in ("places of the seats: 1 2", "places of the seats: 2 1", "places of the seats: 1 1")
    assert len([line for line in shown if line.startswith("seat 0 ")]) > 20
    assert any(re.match(r"chance Artefact \d+: .* Priority: seat [01]", line) for line in shown)
    assert not any("refused" in line or "reason:" in line for line in shown)


def test_areas_and_rulers_are_decoded() -> None:
    area = {"origin": {"x": 100, "y": 200}, "step": 10, "columns": 9, "rows": 2, "reachable": [0b101, 1, 0, 1]}
    pose = {"x": 12700, "y": 25400, "axis_x": 0, "axis_y": 1 << 20, "length": 2540, "width": 1270}
    calls = f"console.log(JSON.stringify([reachable({json.dumps(area)}), corners({json.dumps(pose)})]));"
    points, corners = json.loads(in_node(programs(FRONT_END_PAGE, "js")[1] + calls))
    assert points == [{"x": 100, "y": 200}, {"x": 120, "y": 200}, {"x": 180, "y": 200}, {"x": 180, "y": 210}]
    assert corners == [{"x": 95, "y": 210}, {"x": 105, "y": 210}, {"x": 105, "y": 190}, {"x": 95, "y": 190}]
