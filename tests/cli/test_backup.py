"""``omnilude backup`` beside a running service."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from omnilude import Client, Open
from omnilude_cli.service import own_command, private_service, start

pytestmark = pytest.mark.usefixtures("only_ominoes")

Run = Callable[..., Result]


def test_copy_of_a_service_in_use_serves_its_matches(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    with private_service(folder=tmp_path) as target, Client(target) as client:
        match = client.create("ominoes", [Open(), Open()]).name
        shown = run("backup", copy, "--database", tmp_path / "matches.sqlite3")
        assert shown.exit_code == 0
        for key in ("secret.key", "signing.key"):
            assert str(tmp_path / key) in shown.stdout
        client.create("ominoes", [Open(), Open()])
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    flags = ["--port", "0", "--database", str(copy), "--metrics-port", "-1", "--until-eof"]
    with start(own_command("serve", *flags), None) as process:
        assert process.stdout is not None
        target = process.stdout.readline().removeprefix("listening on ").strip()
        with Client(target) as client:
            assert [found.name for found in client.matches()] == [match]


def test_database_of_the_settings_is_used(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text('[store]\npath = "elsewhere.sqlite3"\n')
    monkeypatch.chdir(tmp_path)
    shown = run("backup", "copy.sqlite3", "--config", "mine.toml")
    assert shown.exit_code == 1
    assert "elsewhere.sqlite3" in shown.stderr


def test_foreign_file_and_existing_target_are_refused(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database, but long enough to have been mistaken for one " * 20)
    refused = run("backup", tmp_path / "copy", "--database", text)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("error: ")
    assert text.name in refused.stderr
    with private_service(folder=tmp_path):
        taken = run("backup", text, "--database", tmp_path / "matches.sqlite3")
    assert taken.exit_code == 1
    assert taken.stderr == f"error: {text}: File exists\n"
