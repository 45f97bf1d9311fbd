"""The public names of the kit."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from gamepacks.api import kit

LAZY = {"ConformanceSuite"}
"""Names that the package imports on first use."""


def test_the_package_exports_every_name_that_it_imports() -> None:
    imported = {
        name
        for name, value in vars(kit).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and name not in ("annotations", "TYPE_CHECKING")
    }
    assert set(kit.__all__) == imported | LAZY
    for name in kit.__all__:
        assert getattr(kit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Suite'"):
        _ = kit.Suite  # type: ignore[attr-defined]


def test_checking_needs_no_pytest() -> None:
    code = "import sys, gamepacks.api.kit; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
