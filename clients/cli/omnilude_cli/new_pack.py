"""Writes a new pack: from the template next to this module, or from one of the example packs.

The template contains golden replays, with ``@name@`` as the name of the game. After a change of the template's rules,
write a pack from it, run ``omnilude pack golden`` on that pack, and copy its golden replays back.
"""

from __future__ import annotations

import keyword
import sys
from enum import StrEnum
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path

from omnilude_cli.errors import EXIT_USAGE, CommandError

TAKEN = sys.stdlib_module_names | {"cext", "engine_service", "gamepacks", "omnilude", "omnilude_cli", "tests"}
"""Names of packages that would shadow an existing module."""
SUFFIX = ".template"
"""Suffix of the files of the template, so that no tool treats them as code."""


class Template(StrEnum):
    """Kinds of templates for a new pack."""

    CARDS = "cards"
    """A card game with secret hands."""
    BOARD = "board"
    """A board game without secrets, in Python."""
    COMPILED = "compiled"
    """A board game whose state is compiled with Cython."""


EXAMPLES: dict[Template, dict[str, str]] = {
    Template.BOARD: {
        "tic_tac_toe": "@package@",
        "tic-tac-toe": "@name@",
        "TicTacToe": "@Class@",
        "Tic-tac-toe": "@Title@",
        "TIC-": "@RULE@-",
    },
    Template.COMPILED: {
        "connect_four": "@package@",
        "connect-four": "@name@",
        "ConnectFour": "@Class@",
        "Connect Four": "@Title@",
        "FOUR-": "@RULE@-",
    },
}
"""Replacements in an example pack, by template; the first key is the folder of the pack."""


def write_pack(name: str, into: Path, template: Template = Template.CARDS) -> Path:
    """Write a pack of that name into a new folder ``into/name``; returns the folder.

    Raises CommandError if the name is not a valid id of a game, or if the folder exists.
    """
    from gamepacks.api.self_check import GAME_ID

    if not GAME_ID.fullmatch(name):
        how = "use lower-case words joined by hyphens: lucky-seven"
        raise CommandError(f"{name!r} is not a valid name of a pack", how, code=EXIT_USAGE)
    package = name.replace("-", "_")
    if keyword.iskeyword(package) or package in TAKEN:
        raise CommandError(
            f"{package!r} is a Python keyword or an existing module", "choose another name", code=EXIT_USAGE
        )
    folder = into / name
    if folder.exists():
        raise CommandError(f"{folder} exists already")
    words = {
        "@name@": name,
        "@package@": package,
        "@Class@": "".join(word.capitalize() for word in name.split("-")),
        "@Title@": name.replace("-", " ").capitalize(),
        "@RULE@": name.split("-")[0].upper(),
        "@version@": metadata.version("omnilude"),
    }
    cards = resources.files("omnilude_cli") / "templates" / "pack"
    if template is Template.CARDS:
        _copy(cards, folder, words)
        return folder
    names = {old: _replace(new, words) for old, new in EXAMPLES[template].items()}
    names["omnilude>=0.1.0"] = f"omnilude>={words['@version@']}"
    source = example_packs() / next(iter(EXAMPLES[template]))
    files = [path for path in source.rglob("*") if path.is_file() and _is_source(path.relative_to(source))]
    for path in sorted(files):
        target = folder / _replace(str(path.relative_to(source)), names)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_replace(path.read_text(encoding="utf-8"), names), encoding="utf-8")
    ignored = (cards / f"gitignore{SUFFIX}").read_text(encoding="utf-8")
    (folder / ".gitignore").write_text(f"{ignored}*_enums.pxd\n*.c\n*.so\n", encoding="utf-8")
    return folder


def example_packs() -> Path:
    """Returns the folder of the example packs: in the installed package, or in the source tree."""
    package = Path(__file__).resolve().parent
    shipped = package / "example_packs"
    return shipped if shipped.is_dir() else package.parents[2] / "examples" / "packs"


def _is_source(path: Path) -> bool:
    generated = any(part in ("__pycache__", "build") or part.endswith(".egg-info") for part in path.parts)
    return not generated and not path.name.endswith(("_pb2.py", "_pb2.pyi", "_enums.pxd", ".c", ".so", ".pyc"))


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
