"""``omnilude games``: here and at a service."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from typer.testing import Result

from omnilude.v1 import catalog_pb2
from omnilude.v1.catalog_pb2 import OptionSpec
from omnilude_cli.games import allowed_values

Run = Callable[..., Result]


def test_local_and_remote_lists_are_equal(run: Run, target: str) -> None:
    here, there = run("games"), run("games", "--server", target)
    assert here.exit_code == there.exit_code == 0
    assert here.stdout == there.stdout
    assert re.search(r"^ominoes +2-4 ", here.stdout, re.MULTILINE)


def test_game_is_described(run: Run, target: str) -> None:
    shown = run("games", "ominoes")
    assert shown.stdout == run("games", "ominoes", "--server", target).stdout
    for words in (
        "Ominoes (ominoes), for 2-4 players",
        "board_size",
        "6 to 12, multiples of 2",
        "greedy",
        "with chance",
    ):
        assert words in shown.stdout


def test_unknown_game_is_refused(run: Run) -> None:
    shown = run("games", "chess")
    assert shown.exit_code == 1
    assert "error: there is no game 'chess'\n  there are: " in shown.stderr


def test_unreachable_service_is_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnilude_cli.connection_options.CALL_TIMEOUT", 0.2)
    shown = run("games", "--server", "127.0.0.1:1")
    assert shown.exit_code == 3
    assert shown.stderr.startswith("error: the service cannot be reached: ")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_BOOL), "true or false"),
        (
            OptionSpec(type=catalog_pb2.OPTION_TYPE_INTEGER, minimum=6, maximum=12, multiple_of=2),
            "6 to 12, multiples of 2",
        ),
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_INTEGER, minimum=1), "at least 1"),
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_INTEGER, maximum=9), "at most 9"),
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_INTEGER), "a whole number"),
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_NUMBER), "a number"),
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_TEXT), "text"),
        (OptionSpec(type=catalog_pb2.OPTION_TYPE_CHOICE, choices=["ra", "apep"]), "ra, apep"),
        (
            OptionSpec(type=catalog_pb2.OPTION_TYPE_CHOICE, choices=["ra", "apep"], repeated=True),
            "a list (a,b,c) of: ra, apep",
        ),
    ],
)
def test_range_of_an_option_is_described(spec: OptionSpec, words: str) -> None:
    assert allowed_values(spec) == words
