"""The error tree agrees with the closed list of reasons."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from engine_service import errors
from omnilude.v1 import errors_pb2

PREFIX = "ERROR_REASON_"


def leaves() -> list[type[errors.EngineError]]:
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, errors.EngineError)]
    return [c for c in classes if not c.__subclasses__()]


def test_each_reason_has_one_class_and_each_class_one_reason() -> None:
    wire = {name.removeprefix(PREFIX) for name in errors_pb2.ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118
    reasons = [leaf.reason for leaf in leaves()]
    assert len(reasons) == len(set(reasons))
    assert set(reasons) == wire


def test_each_reason_is_raised_somewhere() -> None:
    package = Path(errors.__file__).parent
    sources = [path.read_text() for path in sorted(package.rglob("*.py")) if path.name != "errors.py"]
    for leaf in leaves():
        assert any(f"{leaf.__name__}(" in source or f"{leaf.__name__}.o" in source for source in sources), leaf


def test_tree_drawn_in_the_docstring_names_every_class() -> None:
    drawn = errors.__doc__ or ""
    for _, found in inspect.getmembers(errors, inspect.isclass):
        if issubclass(found, errors.EngineError):
            assert found.__name__ in drawn, found


def test_error_carries_its_values_as_text() -> None:
    error = errors.StaleSequence(17)
    assert (error.reason, error.metadata, error.faults) == ("STALE_SEQUENCE", {"seq": "17"}, ())
    assert "17" in error.message == str(error)


def test_all_faults_are_listed() -> None:
    error = errors.InvalidOption.of(errors.Fault("size", "too big"), errors.Fault("dice", "too few"))
    assert [fault.field for fault in error.faults] == ["size", "dice"]
    assert "size: too big" in error.message and "dice: too few" in error.message


@pytest.mark.parametrize(("most", "taken"), [(2, "2"), (4, "2 to 4")])
def test_fixed_player_count_is_one_number_in_the_message(most: int, taken: str) -> None:
    assert str(errors.InvalidPlayerCount(7, 2, most)) == f"the game takes {taken} players, not 7"
