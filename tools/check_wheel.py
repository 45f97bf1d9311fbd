"""Install a wheel into a clean environment, with nothing but its own dependencies, play a small demo there, and write a
pack.

``python tools/check_wheel.py dist/omnilude-*.whl``; used by ``make wheel-check``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

COMMANDS = (
    ("omnilude", "--help"),
    ("omnilude", "games"),
    ("omnilude", "demo", "--playouts", "10"),
    ("omnilude", "pack", "check", "ominoes"),
)
PACK_COMMANDS = (
    ("omnilude", "pack", "new", "lucky-seven"),
    ("pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation", "-e", "lucky-seven"),
    ("omnilude", "pack", "check", "lucky-seven"),
    ("pytest", "-q", "lucky-seven"),
)
"""What docs/write-a-pack.md tells authors to do."""


def main(wheel: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="omnilude-wheel-") as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        scripts = folder / "venv" / "bin"
        install = [str(scripts / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*install, str(wheel)], check=True)
        # Away from the source tree, and with an empty cache: what is missing in the wheel must show.
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        environment.pop("PYTHONPATH", None)
        for program, *arguments in COMMANDS:
            if (code := call(scripts / program, arguments, folder, environment)) != 0:
                return code
        subprocess.run([*install, "setuptools", "grpcio-tools", "pytest"], check=True)
        for program, *arguments in PACK_COMMANDS:
            if (code := call(scripts / program, arguments, folder, environment)) != 0:
                return code
    print(f"{wheel.name} works in a clean environment")
    return 0


def call(program: Path, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int:
    """Run a command there; returns its exit code."""
    print("$", program.name, *arguments, flush=True)
    code = subprocess.run([str(program), *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL).returncode
    if code != 0:
        print(f"failed with exit code {code}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
