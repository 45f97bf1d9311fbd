"""``omnilude pack``: list, check, golden and new."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import cext
from gamepacks.api.kit import CATALOGUE
from omnilude_cli.errors import CommandError
from omnilude_cli.new_pack import Template, write_pack
from tests.support.games import kuhn
from tests.support.installed import install, loads

Run = Callable[..., Result]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two more packs are installed: a tiny poker, and one that cannot be imported."""
    install(tmp_path / "site", "tiny-packs", "1.5", {"tiny": "tests.support.games.kuhn:PACK", "odd": "no_such_module"})
    monkeypatch.syspath_prepend(tmp_path / "site")


def test_list_shows_loaded_and_broken_packs(run: Run, tiny: None) -> None:
    shown = run("pack", "list")
    assert shown.exit_code == 0
    lines = [" ".join(line.split()) for line in shown.stdout.splitlines()]
    assert lines[0] == "pack from games bots"
    assert "tiny tiny-packs 1.5 kuhn -" in lines
    assert any(line.startswith("ominoes omnilude ") and line.endswith(" ominoes greedy") for line in lines)
    assert any(line.startswith("not loaded: odd of tiny-packs 1.5: ModuleNotFoundError at ") for line in lines)


@pytest.mark.parametrize("name", ["tiny", "kuhn"])
def test_pack_or_a_game_is_checked(run: Run, tiny: None, name: str) -> None:
    shown = run("pack", "check", name, "--games", 2, "--seed", 4)
    assert shown.exit_code == 0, shown.stdout
    assert "Kuhn's poker (kuhn)" in shown.stdout
    for check in CATALOGUE:
        assert f"\n{check.name} " in shown.stdout
    assert shown.stdout.count(" ok ") == len(CATALOGUE)
    assert "6 replays, " in shown.stdout


def test_failed_check_is_shown_and_fails_the_command(run: Run, tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kuhn.KuhnGame, "label", lambda self, state, code: "[bold]")
    shown = run("pack", "check", "tiny", "--games", 1)
    assert shown.exit_code == 1
    assert re.search(r"^typed-actions +FAILED ", shown.stdout, re.MULTILINE)
    assert "two choices have the same label, among ['[bold]'," in shown.stdout
    # The labels of typed actions and golden replays; and they differ from those in another process.
    assert shown.stderr == "error: 3 checks failed\n"


def test_broken_and_unknown_packs_are_refused(run: Run, tiny: None) -> None:
    broken = run("pack", "check", "odd")
    assert broken.exit_code == 1
    assert broken.stderr.startswith("error: the pack odd cannot be loaded\n  ModuleNotFoundError at ")
    missing = run("pack", "golden", "chess")
    assert missing.exit_code == 1
    assert missing.stderr.startswith("error: there is no pack or game 'chess'\n  there are: kuhn, ")
    assert missing.stderr.endswith(", ominoes, tiny\n")


def test_golden_replays_are_written_next_to_the_game(
    run: Run, tiny: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gamepacks.api.kit import Subject

    monkeypatch.setattr(Subject, "golden_folder", lambda self: tmp_path / "golden")
    shown = run("pack", "golden", "tiny", "--seed", 8)
    assert shown.exit_code == 0
    assert shown.stdout == f"6 replays of kuhn in {tmp_path / 'golden'}\n"
    assert "\nseed 8\n" in (tmp_path / "golden" / "kuhn-2p.txt").read_text()


# -- new ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Lucky", "'Lucky' is not a valid name of a pack"),
        ("lucky_seven", "'lucky_seven' is not a valid name of a pack"),
        ("7up", "is not a valid name of a pack"),
        ("../up", "is not a valid name of a pack"),
        ("", "is not a valid name of a pack"),
        ("class", "'class' is a Python keyword or an existing module"),
        ("json", "'json' is a Python keyword or an existing module"),
        ("omnilude", "is a Python keyword"),
    ],
)
def test_invalid_pack_name_is_refused(run: Run, tmp_path: Path, name: str, words: str) -> None:
    shown = run("pack", "new", name, "--into", tmp_path)
    assert shown.exit_code == 2
    assert words in shown.stderr
    assert list(tmp_path.iterdir()) == []


def test_existing_folder_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / "lucky-seven").mkdir()
    with pytest.raises(CommandError, match="lucky-seven exists already"):
        write_pack("lucky-seven", tmp_path)
    assert list((tmp_path / "lucky-seven").iterdir()) == []


def test_new_pack_installs_and_passes_the_kit_and_its_own_tests(run: Run, tmp_path: Path) -> None:
    shown = run("pack", "new", "lucky-seven", "--into", tmp_path)
    assert shown.exit_code == 0
    assert "omnilude pack check lucky-seven" in shown.stdout
    folder, site = tmp_path / "lucky-seven", tmp_path / "site"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 15
    assert not [path for path in files if re.search(r"@\w+@", path.name + path.read_text())]
    assert (folder / ".gitignore").exists()

    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index"]
    _succeeds([*pip, "--no-build-isolation", "--no-deps", "--target", str(site), str(folder)])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
    omnilude = [sys.executable, "-m", "omnilude_cli"]
    listed = _succeeds([*omnilude, "pack", "list"], env=environment)
    assert "lucky-seven  omnilude-lucky-seven 0.1.0" in listed
    checked = _succeeds([*omnilude, "pack", "check", "lucky-seven", "--games", "4"], env=environment)
    assert checked.count(" ok ") == len(CATALOGUE)
    # Its own tests of its rules; what they prove is all that its RULES.md has.
    tests = ["-q", "-p", "no:cacheprovider", "tests/test_rules.py"]
    assert "5 passed" in _succeeds([sys.executable, "-m", "pytest", *tests], env=environment, cwd=folder)
    rules = [sys.executable, "-m", "gamepacks.api.kit.rules", "lucky-seven"]
    assert "5 of 5 rules have a test" in _succeeds(rules, env=environment, cwd=folder)


@pytest.mark.parametrize("template", [Template.BOARD, Template.COMPILED])
def test_new_pack_of_each_template_installs_and_passes_its_tests(run: Run, tmp_path: Path, template: Template) -> None:
    shown = run("pack", "new", "lucky-seven", "--into", tmp_path, "--template", template)
    assert shown.exit_code == 0
    folder, site = tmp_path / "lucky-seven", tmp_path / "site"
    for path in folder.rglob("*"):
        assert not re.search(
            r"@\w+@|tic.?tac|connect.?four", path.name + (path.read_text() if path.is_file() else ""), re.I
        )
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index"]
    unoptimised = {**os.environ, "CFLAGS": "-O0"}  # it compiles in a fraction of the time
    _succeeds([*pip, "--no-build-isolation", "--no-deps", "--target", str(site), str(folder)], env=unoptimised)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
    assert _succeeds(loads("lucky-seven"), env=environment) == "omnilude-lucky-seven 0.1.0\n"
    # All of the kit is passed by the same pack under its own name, in examples/packs.
    tests = ["-q", "-W", "ignore", "-p", "no:cacheprovider", "-k", "test_rules or golden", "tests"]
    assert " passed" in _succeeds([sys.executable, "-m", "pytest", *tests], env=environment, cwd=folder)


def test_new_pack_of_one_word_is_found_from_the_folder_in_which_it_was_made(run: Run, tmp_path: Path) -> None:
    """Its folder has the name of its package, and would be taken for it if the package lay there."""
    assert run("pack", "new", "lucky", "--into", tmp_path).exit_code == 0
    build = "import setuptools.build_meta as b, sys; print(b.build_editable(sys.argv[1]))"
    _succeeds([sys.executable, "-c", build, str(tmp_path)], cwd=tmp_path / "lucky")
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    # What pip does with an editable wheel: its .pth files count.
    command = f"import site; site.addsitedir({str(site)!r}); from omnilude_cli.main import run; run()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    listed = _succeeds([sys.executable, "-c", command, "pack", "list"], env=environment, cwd=tmp_path)
    assert ["lucky", "omnilude-lucky", "0.1.0", "lucky"] in [line.split()[:4] for line in listed.splitlines()]


def test_compiled_pack_finds_the_pxd_files_in_a_clone(tmp_path: Path) -> None:
    source = tmp_path / "nim.pyx"
    source.write_text("from cext.state cimport Codes, State\n\ncdef class Nim(State):\n    pass\n")
    command = ["-m", "cython", "-3", "-I", cext.get_include(), str(source)]
    _succeeds([sys.executable, *command], cwd=tmp_path)
    assert (tmp_path / "nim.c").exists()


def _succeeds(command: list[str], **settings: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)
