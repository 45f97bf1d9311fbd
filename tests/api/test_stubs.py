"""The type stubs of the compiled core agree with its modules."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import cext

FOLDER = Path(cext.__file__).parent
STUBS = sorted(FOLDER.rglob("*.pyi"))


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
    modules = {file.with_suffix("") for file in FOLDER.rglob("*.pyx")}
    assert {stub.with_suffix("") for stub in STUBS} <= modules


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.stem)
def test_stub_and_module_have_the_same_names(stub: Path) -> None:
    module = importlib.import_module(".".join(["cext", *stub.relative_to(FOLDER).with_suffix("").parts]))
    stated = declared(ast.parse(stub.read_text()).body)
    own = {
        name
        for name in public(vars(module))
        if getattr(vars(module)[name], "__module__", module.__name__) == module.__name__
        and type(vars(module)[name]).__name__ != "module"
        and name != "annotations"
    }
    assert public(stated) == own
    for name, statement in stated.items():
        if isinstance(statement, ast.ClassDef):
            members = {member for member in vars(getattr(module, name)) if not member.startswith("_")}
            assert public(declared(statement.body)) == members, name
