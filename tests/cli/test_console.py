"""What commands print: nothing that others have written steers the terminal."""

from __future__ import annotations

import logging

import pytest
from rich.table import Table

from omnilude_cli.console import console, echo, log_lines, one_line, print_line

EVIL = "ann\x1b]0;owned\x07\x1b[2J\u202enna"
FORGED = "fine\n    7     1.000 s  ben (seat 1) resigned"


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    out = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in out)
    return out


def test_printed_line_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(console(), f"{EVIL}: {FORGED}")
    echo(FORGED)
    assert len(printed(capsys).splitlines()) == 2
    assert one_line("a\tb\r\nc") == "a\ufffdb\ufffd\ufffdc"


def test_output_contains_printable_characters_only(capsys: pytest.CaptureFixture[str]) -> None:
    screen = console()
    screen.print(f"[bold]{EVIL}[/]\nboard")
    table = Table("name", box=None)
    table.add_row(EVIL)
    screen.print(table)
    out = printed(capsys)
    assert out.count("owned") == 2 and "board" in out


def test_own_colours_of_commands_are_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    console().print(f"[bold]name[/] {EVIL}")
    out = capsys.readouterr().out
    assert "\x1b[1mname\x1b[0m" in out and "\x1b]0" not in out and "\x1b[2J" not in out


def test_messages_of_libraries_are_logged_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    log_lines()
    try:
        raise ValueError(EVIL)
    except ValueError:
        logging.getLogger("omnilude").warning("lost: %s", FORGED, exc_info=True)
    err = capsys.readouterr().err
    assert all(letter.isprintable() or letter == "\n" for letter in err)
    first, *trace = err.splitlines()
    assert first.startswith("lost: fine") and trace[0].startswith("Traceback")
