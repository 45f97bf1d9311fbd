"""The files and packages of the source tree, for the tests of the repository."""

from __future__ import annotations

import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# Where the Python packages lie, and the folders that are not packages but hold Python all the same.
PACKAGE_ROOTS = {
    "cext": "cext",
    "engine_service": "engine_service",
    "gamepacks": "gamepacks",
    "omnilude": "clients/python/omnilude",
    "omnilude_cli": "clients/cli/omnilude_cli",
}


@cache
def tracked() -> tuple[str, ...]:
    """Returns the paths of all files under version control, and of new ones that git does not ignore."""
    # A clone may belong to another user than the one who tests it.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return tuple(sorted(name for name in names if name and (ROOT / name).is_file()))


def text(name: str) -> str:
    """Returns the text of a file; bytes that are not UTF-8 become replacement characters."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@cache
def project(folder: str = ".") -> dict[str, Any]:
    """Returns the contents of pyproject.toml: of the service, or of the Python client in ``clients/python``."""
    return tomllib.loads(text(f"{folder}/pyproject.toml"))


def packages() -> dict[str, Path]:
    """Returns every Python package of the tree (a folder with ``__init__.py``), by its dotted name."""
    found = {}
    for name, folder in PACKAGE_ROOTS.items():
        for init in sorted((ROOT / folder).rglob("__init__.py")):
            inner = init.parent.relative_to(ROOT / folder).parts
            found[".".join((name, *inner))] = init.parent
    return found


def games() -> list[str]:
    """Returns the names of the folders of the packs."""
    return sorted(name.removeprefix("gamepacks.") for name in packages() if name.count(".") == 1 and _is_pack(name))


def _is_pack(name: str) -> bool:
    return name.startswith("gamepacks.") and name != "gamepacks.api"
