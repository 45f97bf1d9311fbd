"""The command as a whole: help, completion, and how errors show."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import Result

from engine_service.config import ConfigError
from engine_service.errors import InvalidOption, ReplayInvalid
from engine_service.server import CannotStart
from gamepacks.api import errors as pack_errors
from gamepacks.api.errors import Fault
from omnilude import errors
from omnilude_cli.errors import CommandError, report_of
from omnilude_cli.main import app
from omnilude_cli.service import own_command

Run = Callable[..., Result]


def test_help_lists_every_command_with_a_line(run: Run) -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    commands = shown.stdout.partition("Commands:")[2].split("\n\n")[0].split("\n")[1:]
    assert [line.split()[0] for line in commands if line.strip()] == [
        "demo",
        "play",
        "games",
        "show",
        "serve",
        "health",
        "bot",
        "backup",
        "arena",
        "matches",
        "replay",
        "pack",
        "cards",
        "store",
    ]
    assert all(len(line.split()) > 3 for line in commands if line.strip())


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands that can be run, with their paths."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


@pytest.mark.parametrize(
    ("path", "command"), [pytest.param(*entry, id=" ".join(entry[0])) for entry in commands(get_command(app))]
)
def test_help_of_every_command_has_an_example_that_is_valid(run: Run, path: tuple[str, ...], command: Any) -> None:
    shown = run(*path, "--help")
    assert shown.exit_code == 0
    _, heading, rest = shown.stdout.partition("  Example:\n")
    examples = [line.strip() for line in rest.split("\n\n")[0].splitlines()]
    assert heading and examples
    for example in examples:
        words = shlex.split(example.partition(">")[0])
        assert words[: len(path) + 1] == ["omnilude", *path]
        command.make_context(path[-1], words[len(path) + 1 :], resilient_parsing=False).close()


def test_help_needs_none_of_the_heavy_modules() -> None:
    code = (
        "import sys, omnilude_cli.main;"
        "heavy = {'grpc', 'google', 'pydantic', 'sqlalchemy', 'engine_service', 'gamepacks', 'cext', 'rich'};"
        "print(*sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_version_is_printed(run: Run) -> None:
    assert run("--version").stdout.startswith("omnilude ")


def test_missing_command_shows_help_and_unknown_command_is_a_usage_error(run: Run) -> None:
    assert "Usage:" in run().output
    wrong = run("serf")
    assert wrong.exit_code == 2
    assert "serf" in wrong.output


@pytest.mark.parametrize(("words", "expected"), [("omnilude re", "replay"), ("omnilude replay ver", "verify")])
def test_shell_completes_commands(words: str, expected: str) -> None:
    environment = {
        **os.environ,
        "_OMNILUDE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    script = "import sys; sys.argv = ['omnilude']; from omnilude_cli.main import run; run()"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == [expected]


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (CommandError("no such thing", "try another", code=2), 2, ("no such thing", "try another")),
        (ConfigError(["a", "b"]), 2, ("invalid configuration", "a", "b")),
        (CannotStart("port taken"), 1, ("the service cannot start: port taken",)),
        (errors.Unreachable("refused"), 3, ("the service cannot be reached: refused",)),
        (errors.NotYourTurn("wait"), 1, ("wait (NOT_YOUR_TURN)",)),
        (
            errors.InvalidOption("bad", {}, [errors.Fault("options.x", "6 to 12")]),
            1,
            ("bad (INVALID_OPTION)", "options.x: 6 to 12"),
        ),
        (InvalidOption.of(Fault("options.x", "6 to 12")), 1, ("options.x: 6 to 12 (INVALID_OPTION)",)),
        (
            InvalidOption.of(Fault("options.x", "6 to 12"), Fault("options.y", "no such option")),
            1,
            ("several faults (INVALID_OPTION)", "options.x: 6 to 12", "options.y: no such option"),
        ),
        (
            errors.InvalidOption("x: no; y…", {}, [errors.Fault("x", "no"), errors.Fault("", "and 12 more")]),
            1,
            ("several faults (INVALID_OPTION)", "x: no", "and 12 more"),
        ),
        (errors.TlsFailed("no TLS here"), 3, ("the service cannot be reached: no TLS here",)),
        (ReplayInvalid(7, "edited"), 1, ("record 7: edited (REPLAY_INVALID)",)),
        (pack_errors.InvalidOptions([pack_errors.Fault("x", "no")]), 1, ("x: no",)),
        (pack_errors.PackError("broken"), 1, ("broken",)),
        (FileNotFoundError(2, "No such file or directory", "x.omr"), 1, ("x.omr: No such file or directory",)),
    ],
)
def test_errors_of_users_are_printed_in_one_line(error: Exception, code: int, lines: tuple[str, ...]) -> None:
    report = report_of(error)
    assert report is not None
    assert (report.code, report.lines) == (code, lines)


@pytest.mark.parametrize("error", [KeyError("x"), AssertionError(), OSError("no file")])
def test_defects_keep_their_traceback(error: Exception) -> None:
    assert report_of(error) is None


def test_error_is_printed_with_its_reason_and_hints() -> None:
    command = own_command("replay", "verify", "nowhere.omr")
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: nowhere.omr: No such file or directory\n"
