"""Rendering of views for the terminal: by the pack if it is installed and draws, else field by field."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omnilude_cli.local_packs import as_local, configured_game, installed_game

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from omnilude.v1.match_pb2 import Match


@dataclass(frozen=True, slots=True)
class TerminalPack:
    """The functions of a match's pack for a person at the terminal."""

    render: Callable[[Message, Sequence[Message]], str]
    """Renders a view as text with Rich markup; the legal actions, if given, can be marked in it."""
    parse_text: Callable[[Message, str], Message | None]
    """Converts a typed line to an action, which need not be listed."""
    explain: Callable[[Message, str], str]
    """Answers a question; for an empty question, lists what can be asked and typed."""


def terminal_pack(match: Match, *card_sets: Path) -> TerminalPack:
    """Returns the functions of a match's pack; if it is not installed, views are rendered field by field."""
    loaded = installed_game(match, *card_sets)
    table = None if loaded is None else configured_game(match, loaded)
    if table is None:
        return TerminalPack(lambda view, choices: plain(view), lambda view, text: None, lambda view, text: "")
    kinds = table.messages

    def drawn(view: Message, choices: Sequence[Message]) -> str:
        local = [as_local(choice, kinds.action) for choice in choices]
        return table.render_choices(as_local(view, kinds.view), local) or plain(view)

    return TerminalPack(
        drawn,
        lambda view, text: table.parse_text(as_local(view, kinds.view), text),
        lambda view, text: table.explain(as_local(view, kinds.view), text),
    )


def view_renderer(match: Match, *card_sets: Path) -> Callable[[Message], str]:
    """Returns a function that renders views of a match as text with Rich markup."""
    render = terminal_pack(match, *card_sets).render
    return lambda view: render(view, ())


def with_names(text: str, names: Sequence[str]) -> str:
    """Add the players' names to a text of a pack, which names seats as ``seat 0``."""

    def named(found: re.Match[str]) -> str:
        seat = int(found[1])
        return f"{names[seat]} (seat {seat})" if seat < len(names) and names[seat] else found[0]

    return re.sub(r"\b[Ss]eat (\d{1,3})\b", named, text)


def plain(view: Message) -> str:
    """Render the fields of a message in protobuf's text format."""
    from google.protobuf import text_format
    from rich.markup import escape

    text = text_format.MessageToString(view, as_utf8=True, use_short_repeated_primitives=True)
    return escape(text.rstrip("\n"))
