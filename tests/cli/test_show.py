"""``omnilude show``: a match at a service, drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import Result

from omnilude import Client, Open, ServiceBot
from omnilude_cli import local_packs
from omnilude_cli.service import private_service
from tests.support.installed import install

Run = Callable[..., Result]

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def suits(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A service with the tiny game that draws pictures, installed here too."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "suits-pack", "1.5", {"suits": "tests.support.games.suits:PACK"})
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(Path(__file__).parents[2])]))
    local_packs.registry.cache_clear()
    with private_service() as target:
        yield target
    local_packs.registry.cache_clear()


def test_ended_match_is_shown(run: Run, target: str, ended: str) -> None:
    shown = run("show", ended, "--server", target)
    assert shown.exit_code == 0
    first, *rest = shown.stdout.splitlines()
    assert first.startswith(f"{ended}: ominoes, finished, ") and first.endswith(" records")
    assert rest[0].startswith("  seat 0: random, place ")
    assert rest[1].startswith("  seat 1: greedy, place ")
    assert "of 4 points" in shown.stdout
    bare = run("show", ended.removeprefix("matches/"), "--server", target)
    assert bare.stdout == shown.stdout


def test_output_file_without_svg_is_refused(run: Run, target: str, ended: str, tmp_path: Path) -> None:
    shown = run("show", ended, "-o", tmp_path / "board.svg", "--server", target)
    assert shown.exit_code == 2
    assert "--output needs --svg" in shown.stderr
    assert not (tmp_path / "board.svg").exists()


def test_waiting_and_running_matches_are_shown(run: Run, target: str) -> None:
    with Client(target) as client:
        match = client.create("ominoes", [Open(), Open()], options={"start_player": 0})
        waiting = run("show", match.name, "--server", target)
        assert waiting.stdout.splitlines() == [
            f"{match.name}: ominoes, waiting, 0 records",
            "  seat 0: nobody",
            "  seat 1: nobody",
        ]
        nothing = run("show", match.name, "--svg", "--server", target)
        assert nothing.exit_code == 1
        assert nothing.stderr == f"error: {match.name} has not started: there is nothing to draw yet\n"
        seats = [match.join("ann"), match.join("ben")]
        going_on = run("show", match.name, "--server", target)
        assert "  seat 0: ann, to act\n  seat 1: ben\n" in going_on.stdout
        seats[1].resign()
        assert "  seat 1: ben, place 2, resigned or out of time" in run("show", match.name, "--server", target).stdout


def test_match_that_awaits_outcomes_of_its_host_is_shown(run: Run, target: str) -> None:
    from omnilude.v1 import match_pb2

    policy = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
    with Client(target) as client:
        match = client.create("ominoes", [ServiceBot("random")] * 2, policy=policy)
    assert run("show", match.name, "--server", target).stdout.rstrip().count("waiting for an outcome of chance") == 1


def test_picture_of_a_match_and_of_its_replay(run: Run, suits: str, tmp_path: Path) -> None:
    with Client(suits) as client:
        match = client.create("suits", [Open(), ServiceBot("random")], options={"card_set": "short-1"})
        seat = match.join("ann")
        printed = run("show", match.name, "--svg", "--server", suits)
        root = ElementTree.fromstring(printed.stdout)
        assert [entry.text for entry in root.iter(f"{SVG}text")] == ["one", "two", "three"]
        seat.submit_action(1)
        file = tmp_path / "now.svg"
        written = run("show", match.name, "--svg", "-o", file, "--token", seat.token, "--server", suits)
        assert written.stdout == f"{file}\n"
        assert len(list(ElementTree.parse(file).getroot().iter(f"{SVG}text"))) == 1
        replay = tmp_path / "match.omr"
        replay.write_bytes(match.replay())
    early = run("replay", "show", replay, "--at", 2, "--svg", tmp_path / "early.svg")
    assert early.exit_code == 0, early.stderr
    assert (tmp_path / "early.svg").read_text() == printed.stdout
    run("replay", "show", replay, "--svg", tmp_path / "end.svg")
    assert (tmp_path / "end.svg").read_text() == file.read_text()


def test_service_draws_a_match_of_a_pack_that_is_not_installed_here(
    run: Run, suits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Client(suits) as client:
        match = client.create("suits", [ServiceBot("random"), ServiceBot("random")])
    local_packs.registry.cache_clear()
    monkeypatch.setattr("omnilude_cli.rendering.installed_game", lambda match, *card_sets: None)
    shown = run("show", match.name, "--svg", "--server", suits)
    assert ElementTree.fromstring(shown.stdout).tag == f"{SVG}svg"
    assert "table: " in run("show", match.name, "--server", suits).stdout, "the fields of the view"
