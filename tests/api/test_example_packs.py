"""The packs in examples/packs: each is installed as a distribution of its own and runs its own tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.installed import loads

PACKS = Path(__file__).resolve().parents[2] / "examples" / "packs"
NAMES = sorted(folder.name for folder in PACKS.iterdir() if (folder / "pyproject.toml").exists())
MAX_LINES = 150
"""A game with hidden decisions can be written in so many lines of Python and .proto."""


@pytest.mark.parametrize("name", NAMES)
def test_example_pack_installs_and_passes_its_tests(name: str, tmp_path: Path) -> None:
    folder, site = tmp_path / name, tmp_path / "site"
    # A copy, so that nothing is built in the source tree.
    shutil.copytree(PACKS / name, folder)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index"]
    unoptimised = {**os.environ, "CFLAGS": "-O0"}  # it compiles in a fraction of the time
    run([*pip, "--no-build-isolation", "--no-deps", "--target", str(site), str(folder)], folder, unoptimised)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
    title = name.replace("_", "-")
    assert run(loads(title), tmp_path, environment) == f"omnilude-{title} 0.1.0\n"
    tests = [sys.executable, "-W", "ignore", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    assert " passed" in run(tests, folder, environment)


def test_goofspiel_is_a_game_in_150_lines() -> None:
    source = PACKS / "goofspiel" / "src" / "goofspiel"
    lines = [line for file in (*source.glob("*.py"), *source.glob("*.proto")) for line in file.read_text().splitlines()]
    assert len(lines) <= MAX_LINES


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
