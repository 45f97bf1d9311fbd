"""The tests of the client for browsers in its own language, with the official Connect transports."""

from __future__ import annotations

import subprocess
import sys

from tests.repository.tree import ROOT


def test_tests_of_the_client_for_browsers_pass() -> None:
    command = [sys.executable, "-m", "tools.web_client", "test"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pass " in done.stdout
