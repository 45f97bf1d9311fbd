"""``omnilude store check`` and ``omnilude serve --accept-loss``."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from omnilude import Client, Open
from omnilude_cli.service import own_command, private_service, start

pytestmark = pytest.mark.usefixtures("only_ominoes")

Run = Callable[..., Result]


def test_database_of_a_running_service_is_checked(run: Run, tmp_path: Path) -> None:
    with private_service(folder=tmp_path) as target, Client(target) as client:
        client.create("ominoes", [Open(), Open()])
        shown = run("store", "check", "--database", tmp_path / "matches.sqlite3")
        assert shown.exit_code == 0, shown.stderr
        assert "has no faults: 1 matches, 0 records" in shown.stdout


def test_loss_is_reported_and_stops_the_start_until_it_is_accepted(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "matches.sqlite3"
    with private_service(folder=tmp_path) as target, Client(target) as client:
        client.create("ominoes", [Open(), Open()])
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE service SET commits = 1")
    connection.close()
    displayed = run("store", "check", "--database", database)
    assert displayed.exit_code == 1
    assert "commits were acknowledged" in displayed.stderr
    flags = ["--port", "0", "--database", str(database), "--metrics-port", "-1"]
    # Without --until-eof: that ends the process at the end of its input, and here it is the one that runs the tests.
    refused = run("serve", *flags)
    assert refused.exit_code == 1
    assert "has lost data" in refused.stderr and "--accept-loss" in refused.stderr
    with start(own_command("serve", *flags, "--until-eof", "--accept-loss"), None) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("listening on ")


def test_foreign_file_is_refused(run: Run, tmp_path: Path) -> None:
    assert run("store", "check", "--database", tmp_path / "nowhere").exit_code == 1
    empty = tmp_path / "empty"
    empty.touch()
    refused = run("store", "check", "--database", empty)
    assert refused.exit_code == 1
    assert "is empty" in refused.stderr
