"""``omnilude serve`` as a process, and the private service made of it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from omnilude import Client, ServiceBot
from omnilude_cli.errors import CommandError
from omnilude_cli.service import own_command, private_service, start
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("only_ominoes")

Run = Callable[..., Result]


def test_example_configuration_is_printed(run: Run) -> None:
    from engine_service.config import example_toml

    assert run("serve", "--example-config").stdout == example_toml()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--set", "server.port"], "write it as SECTION.KEY=VALUE"),
        (["--set", "port=3"], "write it as SECTION.KEY=VALUE"),
        (["--set", "server.prot=3"], "[server] prot: there is no such key"),
        (["--port", "70000"], "[server] port"),
    ],
)
def test_invalid_settings_are_usage_errors(run: Run, flags: list[str], words: str) -> None:
    shown = run("serve", *flags)
    assert shown.exit_code == 2
    assert words in shown.stderr


@pytest.mark.parametrize("flags", [[], ["--in-memory"]])
def test_replicas_need_a_postgresql_database(run: Run, flags: list[str]) -> None:
    shown = run("serve", "--replicas", "2", *flags)
    assert shown.exit_code == 1
    assert "[store] url: several replicas need a PostgreSQL database" in shown.stderr


def test_service_runs_until_sigterm(tmp_path: Path) -> None:
    flags = ["--port", "0", "--database", str(tmp_path / "games.sqlite3"), "--metrics-port", "-1"]
    flags += ["--set", "limits.list_page_max=7", "--log-level", "warning"]
    process = subprocess.Popen(own_command("serve", *flags), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        target = process.stdout.readline().removeprefix("listening on ").strip()
        with Client(target) as client:
            assert client.catalog().games
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    assert (tmp_path / "games.sqlite3").exists()


def test_private_service_ends_with_its_block(tmp_path: Path) -> None:
    with private_service() as target:
        socket = Path(target.removeprefix("unix:"))
        assert socket.exists()
        with Client(target) as client:
            assert client.catalog().games
    assert not socket.exists()


def test_private_service_ignores_the_configuration_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "omnilude.toml").write_text('[auth]\napi_token = "of-the-service-that-is-run-here"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with private_service() as target, Client(target) as client:
        assert client.create("ominoes", [ServiceBot("random"), ServiceBot("random")]).name


def test_private_service_ends_with_its_parent_process(tmp_path: Path) -> None:
    """Even after kill -9: its standard input ends, and so does it."""
    parent = textwrap.dedent("""
        import os, sys
        from omnilude_cli.service import private_service
        with private_service() as target:
            print(target, flush=True)
            os.kill(os.getpid(), 9)
    """)
    done = subprocess.run([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True)
    assert done.returncode == -signal.SIGKILL
    socket = Path(done.stdout.strip().removeprefix("unix:"))
    asyncio.run(until(lambda: not socket.exists()))


def test_private_service_that_cannot_start_reports_the_cause(tmp_path: Path) -> None:
    (tmp_path / "matches.sqlite3").write_text("this is not a database, and it is longer than one page header " * 20)
    with pytest.raises(CommandError, match="did not start") as caught, private_service(folder=tmp_path):
        pass
    assert any("matches.sqlite3" in line for line in caught.value.lines)


def test_child_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnilude_cli.service.EXIT_TIMEOUT", 0.2)
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
    )
    with start([sys.executable, "-c", stubborn], None) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
    assert process.returncode == -signal.SIGKILL
