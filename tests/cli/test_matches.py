"""``omnilude matches``: lists for everyone, the rest for the operator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from omnilude import Client, Open
from omnilude_cli.service import private_service

pytestmark = pytest.mark.usefixtures("only_ominoes")

Run = Callable[..., Result]


def test_operator_lists_cancels_and_deletes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNILUDE_AUTH__API_TOKEN", "let me in")
    with private_service(folder=tmp_path) as target, Client(target, api_token="let me in") as client:
        monkeypatch.delenv("OMNILUDE_AUTH__API_TOKEN")
        match = client.create("ominoes", [Open(), Open()], labels={"event": "spring"})
        match_name = match.name
        ann, bob = match.join("ann", 0), match.join("bob", 1)
        to_act = {0: "ann", 1: "bob"}[next(iter(ann.observation().to_act))]
        other = {"ann": "bob", "bob": "ann"}[to_act]
        at, token = ("--server", target), ("--api-token", "let me in")
        shown = run("matches", "list", *at, "--player", to_act, "--to-act", "--label", "event=spring")
        assert shown.exit_code == 0, shown.stderr
        assert match_name in shown.stdout and f"*{to_act}" in shown.stdout and f"*{other}" not in shown.stdout
        assert run("matches", "list", *at, "--player", other, "--to-act").stdout == ""
        assert run("matches", "list", *at, "--state", "finished").stdout == ""
        assert run("matches", "list", *at, "--label", "event").exit_code == 2
        assert "TOKEN_MISSING" in run("matches", "cancel", match_name, *at).stderr
        assert "MATCH_NOT_ENDED" in run("matches", "delete", match_name, *at, *token).stderr
        ended = run("matches", "cancel", match_name, "--reason", "over", *at, *token)
        assert ended.exit_code == 0 and "cancelled" in ended.stdout
        assert run("matches", "delete", match_name, *at, *token).exit_code == 0
        assert run("matches", "list", *at).stdout == ""
        assert bob.seat == 1
