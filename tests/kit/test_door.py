"""The public door of the kit."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gamepacks.api import kit

DOOR = [
    "CATALOGUE",
    "Check",
    "CheckFailed",
    "ConformanceSuite",
    "GameSetup",
    "Node",
    "Outcome",
    "Subject",
    "Walk",
    "run_all",
]


def test_the_door_is_this_list() -> None:
    assert kit.__all__ == DOOR
    for name in DOOR:
        assert getattr(kit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Suite'"):
        _ = kit.Suite  # type: ignore[attr-defined]


def test_checking_needs_no_pytest() -> None:
    code = "import sys, gamepacks.api.kit; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
