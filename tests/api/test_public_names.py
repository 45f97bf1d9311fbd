"""The public names of the pack API."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import gamepacks.api


def test_the_package_exports_every_name_that_it_imports() -> None:
    assert set(gamepacks.api.__all__) == {
        name
        for name, value in vars(gamepacks.api).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }


def test_every_name_is_there_and_documented() -> None:
    for name in gamepacks.api.__all__:
        value = getattr(gamepacks.api, name)
        if callable(value) and name not in ("Seat", "Code", "Viewer", "SealedState"):
            assert value.__doc__, name


def test_the_package_imports_neither_grpc_nor_a_pack() -> None:
    code = (
        "import sys, gamepacks.api, gamepacks.api.kit.pytest_plugin\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('grpc', 'engine_service', 'omnilude', 'hypothesis')"
        " or m.startswith('gamepacks.') and not m.startswith('gamepacks.api')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Of the client only the class Bot, which the bots of packs are subclasses of.
    assert done.stdout == "['omnilude', 'omnilude.bots']\n"
