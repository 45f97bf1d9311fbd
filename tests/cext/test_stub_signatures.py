"""The type stubs of compiled modules, here and in packs, have the signatures that are compiled."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cext.guide import Guide
from cext.state import State

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(source.relative_to(ROOT).with_suffix("").parts)
    for source in [*ROOT.glob("cext/**/*.pyx"), *ROOT.glob("gamepacks/ominoes/engine/*.pyx")]
)

Function = ast.FunctionDef
Parameters = list[tuple[str, Any]]


def stub(module: str) -> ast.Module:
    """The stub of a module; an empty one for a module that only compiled code uses."""
    path = (ROOT / module.replace(".", "/")).with_suffix(".pyi")
    return ast.parse(path.read_text(encoding="utf-8") if path.exists() else "")


def stated(function: Function) -> Parameters:
    """Names and defaults, without self and the like."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    defaults = [inspect.Parameter.empty] * (len(arguments) - len(function.args.defaults))
    defaults += [ast.literal_eval(default) for default in function.args.defaults]
    named = [argument.arg for argument in arguments]
    result = list(zip(named, defaults, strict=True))
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        result.append((argument.arg, inspect.Parameter.empty if default is None else ast.literal_eval(default)))
    return [entry for entry in result if entry[0] not in ("self", "cls")]


def compiled(member: Any) -> Parameters:
    parameters = inspect.signature(member).parameters.values()
    return [(p.name, p.default) for p in parameters if p.name not in ("self", "cls")]


def constructor(kind: type) -> list[str]:
    """Parameter names of a compiled class, from the signature that is embedded in its docstring."""
    signature = (kind.__doc__ or "").split("\n", 1)[0]
    inside = re.fullmatch(rf"{kind.__name__}\((.*)\)", signature)
    assert inside, f"{kind.__name__} embeds no signature: {signature!r}"
    parts = [part.split("=")[0].strip() for part in inside[1].split(",") if part.strip() not in ("", "*")]
    return [re.split(r"[\s*]+", part.removesuffix(" not None"))[-1] for part in parts]


def members(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Functions and classes with what is in them, by dotted name."""
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            yield statement.name, statement
            for inner in statement.body:
                if isinstance(inner, Function):
                    yield f"{statement.name}.{inner.name}", inner
        elif isinstance(statement, Function):
            yield statement.name, statement


def is_property(function: Function) -> bool:
    """A property, or what sets it."""
    return any(
        (isinstance(d, ast.Name) and d.id == "property") or (isinstance(d, ast.Attribute) and d.attr == "setter")
        for d in function.decorator_list
    )


def lookup(module: object, dotted: str) -> Any:
    found = module
    for part in dotted.split("."):
        found = inspect.getattr_static(found, part) if inspect.isclass(found) else getattr(found, part)
    return found


@pytest.mark.parametrize("name", MODULES)
def test_signatures(name: str) -> None:
    module = importlib.import_module(name)
    checked = 0
    for dotted, statement in members(stub(name)):
        found = lookup(module, dotted)
        if not isinstance(statement, Function):
            assert inspect.isclass(found), dotted
        elif is_property(statement):
            assert inspect.isdatadescriptor(found), f"{dotted} is not a property"
        elif statement.name == "__init__":
            kind = lookup(module, dotted.rpartition(".")[0])
            assert [parameter for parameter, _ in stated(statement)] == constructor(kind), dotted
        else:
            function = found.__func__ if isinstance(found, staticmethod | classmethod) else found
            assert stated(statement) == compiled(function), dotted
        checked += 1
    source = (ROOT / name.replace(".", "/")).with_suffix(".pyx").read_text(encoding="utf-8")
    assert checked > 0 or not re.search(r"^(cdef class|cpdef|class|def) ", source, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("gamepacks.")])
def test_a_pack_stub_names_all_that_is_public(name: str) -> None:
    module = importlib.import_module(name)
    stated_names = {dotted for dotted, _ in members(stub(name)) if not dotted.rpartition(".")[2].startswith("_")}
    public: set[str] = set()
    for attribute, value in vars(module).items():
        if attribute.startswith("_") or getattr(value, "__module__", None) != name:
            continue
        public.add(attribute)
        if inspect.isclass(value):
            known = INHERITED if issubclass(value, State) else GUIDE if issubclass(value, Guide) else ()
            own = (member for member in vars(value) if not member.startswith("_") and member not in known)
            public |= {f"{attribute}.{member}" for member in own}
    assert stated_names == public


INHERITED = ("actor", "apply", "apply_unchecked", "chance", "clone", "is_legal", "legal", "seats_to_act")
INHERITED += ("resample", "returns", "to_bytes")
GUIDE = tuple(member for member in vars(Guide) if not member.startswith("_"))
