"""The type stubs of compiled modules agree with the modules."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import cext

ROOT = Path(cext.__file__).parents[1]
SOURCES = [file for folder in ("cext", "gamepacks") for file in sorted((ROOT / folder).rglob("*.pyx"))]
STUBS = [stub for file in SOURCES if (stub := file.with_suffix(".pyi")).exists()]


def module_name(stub: Path) -> str:
    return ".".join(stub.relative_to(ROOT).with_suffix("").parts)


def public(names: object) -> set[str]:
    return {name for name in names if not name.startswith("_")}  # type: ignore[attr-defined]


def declared(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    names: dict[str, ast.stmt] = {}
    for statement in body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            names[statement.name] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names[statement.target.id] = statement
    return names


def test_every_stub_belongs_to_a_compiled_module() -> None:
    # mypy refuses an import from Python of a compiled module without a stub.
    assert set((ROOT / "cext").rglob("*.pyi")) <= set(STUBS)


@pytest.mark.parametrize("stub", STUBS, ids=module_name)
def test_stub_and_module_have_the_same_names(stub: Path) -> None:
    module = importlib.import_module(module_name(stub))
    stated = declared(ast.parse(stub.read_text()).body)
    own = {
        name
        for name in public(vars(module))
        if getattr(vars(module)[name], "__module__", module.__name__) == module.__name__
        and type(vars(module)[name]).__name__ != "module"
        and name != "annotations"
    }
    if module.__name__.startswith("cext."):
        assert public(stated) == own
    else:  # the engine of a pack may keep constants and helpers to itself
        assert public(stated) <= public(vars(module))
    for name, statement in stated.items():
        if isinstance(statement, ast.ClassDef):
            kind = getattr(module, name)
            inherited = {member for base in kind.__mro__[1:] for member in vars(base)}
            members = {member for member in vars(kind) if not member.startswith("_")}
            assert public(declared(statement.body)) - inherited == members - inherited, name
