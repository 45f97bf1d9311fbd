"""The tests of the Node client in its own language, as part of this suite."""

from __future__ import annotations

import subprocess
import sys

from tests.repository.tree import ROOT


def test_tests_of_the_node_client_pass() -> None:
    command = [sys.executable, "tools/node.py", "test"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pass " in done.stdout
