"""Exceptions of all classes of the project survive pickling with their attributes."""

from __future__ import annotations

import collections.abc
import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

import pytest

import cext
import engine_service
import gamepacks
import omnilude
import omnilude_cli
from engine_service.errors import EngineError, SimulationLost

PACKAGES = (cext, engine_service, gamepacks, omnilude, omnilude_cli)

SAMPLES: dict[Any, Any] = {
    str: "text",
    int: 7,
    float: 0.5,
    bool: True,
    bytes: b"bytes",
    object: "anything",
    Any: "anything",
    Path: Path("cards.yaml"),
    BaseException: KeyError("key"),
    Exception: KeyError("key"),
    EngineError: SimulationLost(),
}


OPTIONAL = ("omnilude.arena.ray_executor",)
"""Modules of extras that the tests do not install; they define no exceptions."""


WITHIN_A_PROCESS = ("PackPending",)
"""Classes that hold what no other process can have, and never leave their own."""


def error_classes() -> Iterator[type[BaseException]]:
    """Returns every exception class that a module of the project defines."""
    for package in PACKAGES:
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.endswith(("__main__", "_pb2", "_pb2_grpc")) or info.name in OPTIONAL:
                continue
            module = importlib.import_module(info.name)
            for found in vars(module).values():
                if not isinstance(found, type) or not issubclass(found, BaseException) or found.__module__ != info.name:
                    continue
                if found.__name__ not in WITHIN_A_PROCESS:
                    yield found


def sample(wanted: Any) -> Any:
    """Returns a value of an annotated type."""
    if wanted in SAMPLES:
        return SAMPLES[wanted]
    origin, inner = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (Union, types.UnionType):
        return sample(inner[0])
    if origin is typing.Literal:
        return inner[0]
    if origin is tuple:
        return tuple(sample(kind) for kind in inner if kind is not Ellipsis)
    if origin in (collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection, list):
        return [sample(inner[0])]
    if origin in (collections.abc.Mapping, dict):
        return {sample(inner[0]): sample(inner[1])}
    if isinstance(wanted, typing.NewType):
        return wanted(sample(wanted.__supertype__))
    if dataclasses.is_dataclass(wanted):
        hints = typing.get_type_hints(wanted)
        return wanted(**{field.name: sample(hints[field.name]) for field in dataclasses.fields(wanted)})
    raise AssertionError(f"this test has no sample of {wanted!r}: add one to SAMPLES")


def example(kind: type[BaseException]) -> BaseException:
    """Returns an error of that class, made as its ``__init__`` asks."""
    if kind.__init__ in (BaseException.__init__, Exception.__init__) or isinstance(
        kind.__init__, types.WrapperDescriptorType
    ):
        return kind("what was wrong")
    hints = typing.get_type_hints(kind.__init__)
    given: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]:
        value = sample(hints[name])
        if parameter.kind is parameter.VAR_KEYWORD:
            named["seat"] = value
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            given.append(value)
    return kind(*given, **named)


def same(error: BaseException, again: BaseException) -> None:
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert repr(again.args) == repr(error.args)
    assert repr(vars(again)) == repr(vars(error))


CLASSES = sorted(set(error_classes()), key=lambda kind: (kind.__module__, kind.__qualname__))


def test_error_trees_are_found() -> None:
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in CLASSES}
    assert {
        "cext.errors.IllegalAction",
        "engine_service.errors.EngineError",
        "engine_service.pack_guard.PackRaised",
        "gamepacks.api.cards.UnknownCardSet",
        "gamepacks.api.errors.InvalidPosition",
        "omnilude.errors.ServiceError",
    } <= names


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_error_that_is_pickled_and_read_again_is_the_same(kind: type[BaseException]) -> None:
    error = example(kind)
    error.add_note("where it was")
    same(error, pickle.loads(pickle.dumps(error)))
    same(error, copy.copy(error))
