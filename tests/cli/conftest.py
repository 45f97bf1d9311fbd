"""Fixtures of the command line's tests: one private service for all, and a way to run commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from omnilude import Client, ServiceBot, has_ended
from omnilude_cli.main import app
from omnilude_cli.service import private_service


@pytest.fixture(scope="session")
def target() -> Iterator[str]:
    """Where a service with the installed packs listens."""
    with private_service() as address:
        yield address


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command in this process."""
    for name in ("OMNILUDE_TARGET", "OMNILUDE_API_TOKEN", "OMNILUDE_HOST_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    runner = CliRunner()
    return lambda *arguments, **settings: runner.invoke(app, [str(a) for a in arguments], **settings)


@pytest.fixture
def only_ominoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Services that the test starts load one pack, in half of the time."""
    monkeypatch.setenv("OMNILUDE_PACKS__ONLY", '["ominoes"]')


@pytest.fixture(scope="session")
def ended(target: str) -> str:
    """Name of a match between two bots that has ended."""
    with Client(target) as client:
        match = client.create("ominoes", [ServiceBot("random"), ServiceBot("greedy")], options={"target": 4})
        for update in match.watch():
            last = update.match
        assert has_ended(last)
        return match.name


@pytest.fixture(scope="session")
def replay_file(target: str, ended: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of that match."""
    path = tmp_path_factory.mktemp("replays") / "match.omr"
    with Client(target) as client:
        path.write_bytes(client.match(ended).replay())
    return path
