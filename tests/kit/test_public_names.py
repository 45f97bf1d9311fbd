"""The public names of the kit."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gamepacks.api import kit

PUBLIC_NAMES = [
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


def test_the_package_exports_these_names() -> None:
    assert kit.__all__ == PUBLIC_NAMES
    for name in PUBLIC_NAMES:
        assert getattr(kit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Suite'"):
        _ = kit.Suite  # type: ignore[attr-defined]


def test_checking_needs_no_pytest() -> None:
    code = "import sys, gamepacks.api.kit; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
