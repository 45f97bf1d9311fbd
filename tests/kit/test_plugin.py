"""The pytest plug-in, as a pack author meets it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]


def run(folder: Path, text: str, *arguments: str) -> tuple[int, str]:
    """pytest in a project of its own, with strict marks."""
    (folder / "test_pack.py").write_text(dedent(text))
    (folder / "pytest.ini").write_text(
        f"[pytest]\npythonpath = {ROOT}\naddopts = --strict-markers -p no:cacheprovider\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", str(folder), *arguments, str(folder / "test_pack.py")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_mark_of_a_rule_is_known(tmp_path: Path) -> None:
    status, out = run(
        tmp_path,
        """
        import pytest

        @pytest.mark.rule("ABC-MOVE-01")
        def test_one():
            pass
        """,
    )
    assert status == 0, out


def test_the_suite_makes_a_test_of_each_check(tmp_path: Path) -> None:
    status, out = run(
        tmp_path,
        """
        from pathlib import Path
        from gamepacks.api.kit import ConformanceSuite
        from tests.support.games import kuhn

        class Wordless(kuhn.KuhnGame):
            def label(self, state, code):
                return ""

        class TestKuhn(ConformanceSuite):
            game = kuhn.KuhnGame
            games = 2
            golden = Path(kuhn.__file__).parent / "golden"

        class TestWordless(ConformanceSuite):
            game = Wordless
            games = 2
        """,
        "-k",
        "not speed and not determinism",
        "-rfE",
    )
    assert status == 1
    # Labels are what typed actions and golden replays look at; nothing else is touched.
    failed = sorted(line.split(" ")[1].rpartition("::")[2] for line in out.splitlines() if line.startswith("FAILED"))
    assert failed == ["test_conformance[golden]", "test_conformance[typed-actions]"], out
    assert "TestWordless" in out
    assert "the label '' is not one line of text [2 players; walk seed 1, ply 0]" in out
    assert "2 failed, 36 passed, 4 deselected" in out


def test_a_fixture_may_make_the_subject(tmp_path: Path) -> None:
    status, out = run(
        tmp_path,
        """
        import pytest
        from gamepacks.api.kit import ConformanceSuite, Subject
        from tests.support.games.kuhn import KuhnGame

        class TestKuhn(ConformanceSuite):
            @pytest.fixture(scope="class")
            def subject(self):
                return Subject(KuhnGame, seed=9, games=1)
        """,
        "-k",
        "returns or chance",
    )
    assert status == 0, out
    assert "2 passed" in out
