"""Imports: each layer imports only the layers below it, and clients reach the service over the wire."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tree import ROOT, games, packages, project

CONTRACTS = {contract["id"]: contract for contract in project()["tool"]["importlinter"]["contracts"]}


def lint_imports(config: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    command = [str(program), "--config", str(config), "--no-cache"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_layers_are_kept() -> None:
    done = lint_imports(ROOT / "pyproject.toml")
    assert done.returncode == 0, done.stdout


def test_a_wrong_import_is_found(tmp_path: Path) -> None:
    """The same tool finds the import of cext by gamepacks.api if a contract forbids it."""
    config = tmp_path / "importlinter.toml"
    config.write_text(
        '[tool.importlinter]\nroot_packages = ["cext", "gamepacks"]\n[[tool.importlinter.contracts]]\n'
        'name = "upside down"\ntype = "layers"\nlayers = ["cext", "gamepacks.api"]\n'
    )
    done = lint_imports(config)
    assert done.returncode == 1
    assert "upside down BROKEN" in done.stdout


def test_every_pack_is_in_the_layer_of_the_service() -> None:
    layer = CONTRACTS["layers"]["layers"][1].split(" | ")
    assert layer == ["engine_service", *(f"gamepacks.{game}" for game in games())]


def test_every_package_is_checked() -> None:
    roots = project()["tool"]["importlinter"]["root_packages"]
    assert sorted(roots) == sorted({name.partition(".")[0] for name in packages()})


def compiled_imports(path: Path) -> set[str]:
    """Returns the modules that a .pyx, .pxi, .pxd or .pyi imports; import-linter reads .py files only."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".pyi":
        nodes = list(ast.walk(ast.parse(source)))
        named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        return named | {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    pattern = r"^\s*(?:from\s+([\w.]+)\s+c?import\b|c?import\s+([\w.]+))"
    return {one or other for one, other in re.findall(pattern, source, flags=re.MULTILINE)}


def compiled_files(folder: str) -> list[Path]:
    files = [path for kind in ("pyx", "pxi", "pxd", "pyi") for path in (ROOT / folder).rglob(f"*.{kind}")]
    return sorted(path for path in files if not path.name.endswith("_pb2.pyi"))


HOUSE = {name.partition(".")[0] for name in packages()}


def test_compiled_core_imports_nothing_of_the_repository() -> None:
    files = compiled_files("cext")
    assert files
    for path in files:
        above = {module for module in compiled_imports(path) if module.partition(".")[0] in HOUSE - {"cext"}}
        assert not above, f"{path.name} imports {above}"


@pytest.mark.parametrize("game", games())
def test_compiled_packs_import_only_the_pack_api_and_the_core(game: str) -> None:
    allowed = ("cext", "gamepacks.api", f"gamepacks.{game}")
    for path in compiled_files(f"gamepacks/{game}"):
        for module in compiled_imports(path):
            if module.partition(".")[0] in HOUSE:
                inside = any(module == name or module.startswith(f"{name}.") for name in allowed)
                assert inside, f"{path.name} imports {module}"


def test_packages_import_neither_benchmarks_nor_tools() -> None:
    for package, folder in packages().items():
        for path in folder.glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            outside = {module for module in named if module.partition(".")[0] in ("bench", "tests", "tools")}
            assert not outside, f"{package}: {path.name} imports {outside}"
