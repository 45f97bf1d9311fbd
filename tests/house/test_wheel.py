"""The wheel: what is in it, and that it works away from the source tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT, packages, tracked


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by setup.py itself, around what `make setup` has compiled; `make wheel-check` compiles all anew."""
    folder = tmp_path_factory.mktemp("wheel")
    for source, name in compiled().items():
        target = folder / "lib" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    command = [sys.executable, "setup.py", "-q", "build", "--build-lib", str(folder / "lib")]
    command += ["bdist_wheel", "--bdist-dir", str(folder / "bdist"), "--dist-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> frozenset[str]:
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


def in_wheel(path: Path) -> str:
    """Where a file of a package lies in the wheel."""
    package = next(name for name, folder in packages().items() if folder == path.parent)
    return f"{package.replace('.', '/')}/{path.name}"


def compiled() -> dict[Path, str]:
    """The compiled modules of this Python as they lie in the tree, and their places in the wheel."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    sources = [path for folder in packages().values() for path in folder.glob("*.pyx")]
    return {path.with_name(path.stem + suffix): in_wheel(path).removesuffix(".pyx") + suffix for path in sources}


def test_it_holds_every_module_stub_and_declaration(names: frozenset[str]) -> None:
    wanted = {
        in_wheel(path)
        for folder in packages().values()
        for path in folder.iterdir()
        if path.suffix in (".py", ".pyi", ".pxd") or path.name in ("py.typed", "RULES.md")
    }
    assert len(wanted) > 80
    assert wanted - names == set()


def test_it_holds_every_compiled_module(names: frozenset[str]) -> None:
    assert compiled()
    assert set(compiled().values()) - names == set()


def test_it_holds_the_generated_code_of_every_contract(names: frozenset[str]) -> None:
    contracts = [name.removeprefix("protos/") for name in tracked() if re.match(r"protos/.*\.proto$", name)]
    assert contracts
    for contract in contracts:
        assert contract.removesuffix(".proto") + "_pb2.py" in names
        assert contract.removesuffix(".proto") + "_pb2.pyi" in names
        assert f"omnilude_cli/node/protos/{contract}" in names


def test_it_holds_the_node_bot(names: frozenset[str]) -> None:
    client = "clients/node/"
    sources = [name.removeprefix(client) for name in tracked() if name.startswith(client) and name.endswith(".js")]
    wanted = [name for name in sources if not name.startswith("test/")] + ["package.json", "package-lock.json"]
    assert {f"omnilude_cli/node/{name}" for name in wanted} - names == set()
    assert [name for name in names if "node_modules" in name or name.endswith(".test.js")] == []


def test_it_holds_every_template(names: frozenset[str]) -> None:
    cli = "clients/cli/"
    templates = [name.removeprefix(cli) for name in tracked() if name.startswith(f"{cli}omnilude_cli/template")]
    assert templates
    assert set(templates) - names == set()


def test_it_holds_nothing_else(names: frozenset[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {name.partition(".")[0] for name in packages()}
    assert [name for name in names if name.endswith((".c", ".pyc"))] == []
    assert [name for name in names if "/tests/" in name and "/templates/" not in name] == []


@pytest.fixture(scope="module")
def away(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An environment that has the wheel, and finds its dependencies where this one has them."""
    folder = tmp_path_factory.mktemp("away")
    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel)], check=True)
    # A path that a .pth file adds is searched last, and the .pth files in it are not obeyed: of two omniludes it is
    # this wheel's that is imported, and the source tree stays out of reach.
    site = subprocess.run(
        [python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True
    )
    Path(site.stdout.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    yield folder


def run(away: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(away / "cache")
    command = [str(away / "venv" / "bin" / arguments[0]), *arguments[1:]]
    return subprocess.run(command, cwd=away, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_its_packages_come_from_the_wheel(away: Path) -> None:
    done = run(away, "python", "-c", "import cext.state, gamepacks.ominoes; print(cext.state.__file__)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(away / "venv"))


def test_its_command_lists_the_games(away: Path) -> None:
    done = run(away, "omnilude", "games")
    assert done.returncode == 0, done.stderr
    assert "ominoes" in done.stdout


def test_its_demo_plays_in_two_languages_and_proves_the_replays(away: Path) -> None:
    done = run(away, "omnilude", "demo", "--playouts", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(Node" in done.stdout
    assert list(away.glob(".demo/*/replays/*"))
    assert (away / "cache" / "omnilude").is_dir()
