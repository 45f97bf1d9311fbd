"""Writing a new pack from the template beside this module.

The template holds golden replays too, with ``@name@`` for the game. After a change of the template's rules they are
made by ``omnilude pack golden`` on a pack that was written from it, and copied back.
"""

from __future__ import annotations

import keyword
import re
import sys
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path

from omnilude_cli.failures import WRONG_USE, Failure

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
TAKEN = sys.stdlib_module_names | {"cext", "engine_service", "gamepacks", "omnilude", "omnilude_cli", "tests"}
"""Modules that a pack's package would hide."""
SUFFIX = ".template"
"""Ends the name of each file of the template, so that no tool takes it for code."""


def write_pack(name: str, into: Path) -> Path:
    """Write a pack of that name into a new folder ``into/name``; returns the folder.

    Raises Failure for a name that cannot be a game's id, and where the folder exists.
    """
    if not NAME.fullmatch(name):
        how = "take lower-case words joined by hyphens: lucky-seven"
        raise Failure(f"{name!r} is no name for a pack", how, code=WRONG_USE)
    package = name.replace("-", "_")
    if keyword.iskeyword(package) or package in TAKEN:
        raise Failure(f"{package!r} means something else in Python", "take another name", code=WRONG_USE)
    folder = into / name
    if folder.exists():
        raise Failure(f"{folder} exists already")
    words = {
        "@name@": name,
        "@package@": package,
        "@Class@": "".join(word.capitalize() for word in name.split("-")),
        "@Title@": name.replace("-", " ").capitalize(),
        "@RULE@": name.split("-")[0].upper(),
        "@version@": metadata.version("omnilude"),
    }
    _copy(resources.files("omnilude_cli") / "templates" / "pack", folder, words)
    return folder


def _copy(source: Traversable, target: Path, words: dict[str, str]) -> None:
    target.mkdir(parents=True)
    for entry in sorted(source.iterdir(), key=lambda entry: entry.name):
        # Files whose names begin with a dot are left out of wheels.
        name = entry.name.replace("gitignore", ".gitignore")
        path = target / _replace(name.removesuffix(SUFFIX), words)
        if entry.is_dir():
            _copy(entry, path, words)
        elif entry.name.endswith(SUFFIX):
            path.write_text(_replace(entry.read_text(encoding="utf-8"), words), encoding="utf-8")


def _replace(text: str, words: dict[str, str]) -> str:
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text
