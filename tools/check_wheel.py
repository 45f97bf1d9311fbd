"""Install the wheels into clean environments, and use them there as the documentation says.

``python tools/check_wheel.py dist``; used by ``make wheel-check``. In the first environment, which has both wheels, the
command ``omnilude`` plays a small demo, serves the page and writes a pack. In the second, which has the Python client
alone, a ten-line bot plays on the service of the first.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("omnilude", "--help"),
    ("omnilude", "games"),
    ("omnilude", "demo", "--playouts", "10"),
    ("omnilude", "pack", "check", "ominoes"),
)
PACK_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("omnilude", "pack", "new", "lucky-seven"),
    ("pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation", "-e", "lucky-seven"),
    ("omnilude", "pack", "check", "lucky-seven"),
    ("pytest", "-q", "lucky-seven"),
)
"""The commands that docs/write-a-pack.md tells authors to run."""
ABSENT = "import importlib.util as u; assert not [n for n in ('pydantic', 'engine_service', 'cext') if u.find_spec(n)]"
"""A program that fails if more than the client is installed."""


class Environment:
    """A new virtual environment; programs run in its folder, away from the source tree, with an empty cache."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder / "venv", with_pip=True)
        self._folder = folder
        self._programs = folder / "venv" / "bin"
        self._variables: Mapping[str, str] = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "XDG_CACHE_HOME": str(folder / "cache"),
        }

    def install(self, *requirements: str) -> None:
        """Install with pip, from wheels only."""
        self.run("pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:", *requirements)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program to its end. Raises CalledProcessError if it fails."""
        print("$", program, *arguments, flush=True)
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, cwd=self._folder, env=self._variables, stdin=subprocess.DEVNULL, check=True)

    @contextmanager
    def service(self) -> Iterator[tuple[str, str]]:
        """Run a service at free ports; yields its address, and the URL of its page."""
        command = [str(self._programs / "omnilude"), "serve", "--in-memory", "--port", "0", "--http-port", "0"]
        with subprocess.Popen(
            command, cwd=self._folder, env=self._variables, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                target = next(line.split()[-1] for line in process.stdout if line.startswith("listening on "))
                yield target, next(line.split()[-1] for line in process.stdout if line.startswith("for browsers: "))
            finally:
                process.terminate()


def check_page(url: str) -> None:
    """Fetch the page and its script from a service. Raises WheelFault where one of them is missing."""
    print("$ GET", url, flush=True)
    page = fetch(f"{url}/")
    script = re.search(r'<script [^>]*src="(/assets/[^"]+\.js)"', page)
    if script is None:
        raise WheelFault(f"the service answers / without the page; is the page in the wheel?\n{page}")
    fetch(url + script[1])


def fetch(url: str) -> str:
    """Return the text at a URL. Raises WheelFault if it is not there."""
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return str(answer.read(), "utf-8")
    except urllib.error.HTTPError as error:
        raise WheelFault(f"GET {url}: {error}") from error


class WheelFault(Exception):
    """A wheel lacks something that it must contain."""


def ten_line_bot(target: str) -> str:
    """Returns the first program of docs/write-a-bot.md, for a service at another address."""
    page = (ROOT / "docs" / "write-a-bot.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].replace("localhost:7878", target)


def main(dist: Path) -> int:
    (client,) = dist.glob("omnilude_client-*.whl")
    (service,) = dist.glob("omnilude-*.whl")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="omnilude-wheel-") as first,
            tempfile.TemporaryDirectory(prefix="omnilude-client-wheel-") as second,
        ):
            whole, alone = Environment(Path(first)), Environment(Path(second))
            whole.install(str(service), str(client))
            for command in COMMANDS:
                whole.run(*command)
            alone.install(str(client))
            alone.run("python", "-c", ABSENT)
            with whole.service() as (target, url):
                check_page(url)
                alone.run("python", "-c", ten_line_bot(target))
            whole.install("setuptools", "grpcio-tools", "pytest")
            for command in PACK_COMMANDS:
                whole.run(*command)
    except (subprocess.CalledProcessError, WheelFault) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{service.name} and {client.name} work in clean environments")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
