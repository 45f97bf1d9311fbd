"""``omnilude health``: the answer of a service to health checks, as a line and an exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from omnilude_cli.service import private_service

pytestmark = pytest.mark.usefixtures("only_ominoes")

Run = Callable[..., Result]


def test_health_of_a_service_and_of_a_pack(run: Run, tmp_path: Path) -> None:
    with private_service(folder=tmp_path) as target:
        whole = run("health", "--server", target)
        assert (whole.exit_code, whole.stdout) == (0, "SERVING\n")
        assert run("health", "--server", target, "--service", "packs/ominoes").exit_code == 0
        unknown = run("health", "--server", target, "--service", "packs/chess")
        assert unknown.exit_code == 1 and "no component 'packs/chess'" in unknown.stderr
    assert run("health", "--server", target).exit_code == 3
