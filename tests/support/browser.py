"""Chromium for tests of the page, driven by Playwright.

The browser and axe come from npm into ``tests/web/browser/node_modules``: no root, no system package. A machine on
which they cannot be had fails the tests with the reason; nothing is skipped.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

from playwright.sync_api import Browser, Playwright, sync_playwright

from omnilude_cli.node_bot import NodeInstallation, find_node, npm_ci
from tests.repository.tree import ROOT

FOLDER = ROOT / "tests" / "web" / "browser"
UNPACKED = FOLDER / "node_modules" / ".chromium"
# Chromium ends at once where it finds no font. The package's own configuration names folders that only AWS Lambda has.
FONTS = UNPACKED / "omnilude-fonts.conf"
FONTS_CONFIGURATION = f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{escape(str(UNPACKED / "fonts"))}</dir>
  <cachedir>{escape(str(UNPACKED / "fonts-cache"))}</cachedir>
</fontconfig>
"""
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = ROOT / "tests" / "web" / "screenshots"
INFLATE = """
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
const [from, to] = process.argv.slice(1);
await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a Chromium without a window."""
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        try:
            yield browser
        finally:
            browser.close()


def _launch(playwright: Playwright) -> Browser:
    if platform.machine() == "x86_64":
        program = _unpacked()
        env: dict[str, str | float | bool] = {
            **os.environ,
            "LD_LIBRARY_PATH": str(program.parent / "lib"),
            "FONTCONFIG_FILE": str(FONTS),
        }
        return playwright.chromium.launch(executable_path=program, env=env)
    # The package has the browser for one kind of machine only.
    found = shutil.which("chromium")
    assert found is not None, "install Chromium: the browser tests need it (apt-get install chromium)"
    return playwright.chromium.launch(executable_path=found)


def _unpacked() -> Path:
    """Returns the program, which npm brings compressed; install and unpack it once."""
    program = UNPACKED / "chromium"
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        locked = FOLDER / "package-lock.json"
        if not program.exists() or program.stat().st_mtime < locked.stat().st_mtime:
            node = find_node()
            npm_ci(node, FOLDER)
            shutil.rmtree(UNPACKED, ignore_errors=True)
            UNPACKED.mkdir()
            package = FOLDER / "node_modules" / "@sparticuz" / "chromium" / "bin"
            for name in ("al2023", "fonts", "swiftshader"):
                archive = UNPACKED / f"{name}.tar"
                _inflate(node, package / f"{name}.tar.br", archive)
                with tarfile.open(archive) as content:
                    content.extractall(UNPACKED, filter="data")
                archive.unlink()
            whole = UNPACKED / "chromium.part"
            _inflate(node, package / "chromium.br", whole)
            whole.chmod(0o755)
            whole.rename(program)
        FONTS.write_text(FONTS_CONFIGURATION, encoding="utf-8")
    return program


def _inflate(node: NodeInstallation, source: Path, target: Path) -> None:
    subprocess.run([node.program, "--input-type=module", "-e", INFLATE, str(source), str(target)], check=True)
