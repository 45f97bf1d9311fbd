"""Install a wheel into a clean environment, with nothing but its own dependencies, and play a small demo there.

``python tools/check_wheel.py dist/omnilude-*.whl``; used by ``make wheel-check``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

COMMANDS = (
    ("omnilude", "--help"),
    ("omnilude", "games"),
    ("omnilude", "demo", "--playouts", "10"),
    ("omnilude", "pack", "check", "ominoes"),
)


def main(wheel: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="omnilude-wheel-") as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        scripts = folder / "venv" / "bin"
        install = [str(scripts / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)]
        subprocess.run(install, check=True)
        # Away from the source tree, and with an empty cache: what is missing in the wheel must show.
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        environment.pop("PYTHONPATH", None)
        for program, *arguments in COMMANDS:
            print("$", program, *arguments, flush=True)
            command = [str(scripts / program), *arguments]
            code = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL).returncode
            if code != 0:
                print(f"failed with exit code {code}", file=sys.stderr)
                return 1
    print(f"{wheel.name} works in a clean environment")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
