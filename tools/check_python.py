"""List everything that this machine lacks for building Omnilude; ends with status 1 if something is missing.

It runs with older versions of Python 3 too, and reports that they are too old.
"""

import importlib.util
import os
import shutil
import sys
import sysconfig
from pathlib import Path


def missing() -> "list[str]":
    """Returns the missing parts, each with the name of its Debian package."""
    faults = []
    if sys.version_info < (3, 11):  # noqa: UP036
        found = ".".join(map(str, sys.version_info[:2]))
        faults.append(f"Python 3.11 or newer (this is {found}); another one is taken by: make PYTHON=python3.13")
    if importlib.util.find_spec("ensurepip") is None:
        faults.append("the module ensurepip (package python3-venv)")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        faults.append("the header Python.h (package python3-dev)")
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        faults.append(f"the C compiler {compiler} (packages gcc and libc6-dev)")
    return faults


if __name__ == "__main__":
    faults = missing()
    for fault in faults:
        print(f"missing: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)
