"""The command as a whole: help, completion, and how errors show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from typer.testing import Result

from engine_service.config import ConfigError
from engine_service.errors import InvalidOption, ReplayInvalid
from engine_service.server import CannotStart
from gamepacks.api import errors as pack_errors
from gamepacks.api.errors import Fault
from omnilude import errors
from omnilude_cli.failures import Failure, explain
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
        "bot",
        "backup",
        "matches",
        "replay",
        "pack",
        "cards",
        "store",
    ]
    assert all(len(line.split()) > 3 for line in commands if line.strip())


@pytest.mark.parametrize(
    "command", ["demo", "play", "games", "show", "serve", "bot", "backup", "replay", "pack", "cards"]
)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert len(shown.stdout.split()) > 30


def test_help_needs_none_of_the_heavy_modules() -> None:
    code = (
        "import sys, omnilude_cli.main;"
        "heavy = {'grpc', 'google', 'pydantic', 'sqlalchemy', 'engine_service', 'gamepacks', 'cext', 'rich'};"
        "print(*sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_version(run: Run) -> None:
    assert run("--version").stdout.startswith("omnilude ")


def test_no_command_shows_help_and_a_wrong_one_is_wrong_use(run: Run) -> None:
    assert "Usage:" in run().output
    wrong = run("serf")
    assert wrong.exit_code == 2
    assert "serf" in wrong.output


@pytest.mark.parametrize(("words", "expected"), [("omnilude re", "replay"), ("omnilude replay ver", "verify")])
def test_the_shell_completes_commands(words: str, expected: str) -> None:
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
        (Failure("no such thing", "try another", code=2), 2, ("no such thing", "try another")),
        (ConfigError(["a", "b"]), 2, ("the configuration is wrong", "a", "b")),
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
            ("several things are wrong (INVALID_OPTION)", "options.x: 6 to 12", "options.y: no such option"),
        ),
        (
            errors.InvalidOption("x: no; y…", {}, [errors.Fault("x", "no"), errors.Fault("", "and 12 more")]),
            1,
            ("several things are wrong (INVALID_OPTION)", "x: no", "and 12 more"),
        ),
        (errors.TlsFailed("no TLS here"), 3, ("the service cannot be reached: no TLS here",)),
        (ReplayInvalid(7, "edited"), 1, ("record 7: edited (REPLAY_INVALID)",)),
        (pack_errors.InvalidOptions([pack_errors.Fault("x", "no")]), 1, ("x: no",)),
        (pack_errors.PackError("broken"), 1, ("broken",)),
        (FileNotFoundError(2, "No such file or directory", "x.omr"), 1, ("x.omr: No such file or directory",)),
    ],
)
def test_what_is_no_defect_is_one_clear_line(error: Exception, code: int, lines: tuple[str, ...]) -> None:
    explained = explain(error)
    assert explained is not None
    assert (explained.code, explained.lines) == (code, lines)


@pytest.mark.parametrize("error", [KeyError("x"), AssertionError(), OSError("no file")])
def test_defects_show_themselves(error: Exception) -> None:
    assert explain(error) is None


def test_an_error_as_it_shows() -> None:
    command = own_command("replay", "verify", "nowhere.omr")
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: nowhere.omr: No such file or directory\n"
