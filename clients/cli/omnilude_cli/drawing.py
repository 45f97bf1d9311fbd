"""Draw what a seat sees: by the pack, where it is installed and draws; else the fields of its view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omnilude_cli.console import one_line
from omnilude_cli.failures import Failure
from omnilude_cli.local_packs import as_local, installed_game, table_of

if TYPE_CHECKING:
    from google.protobuf.descriptor import FieldDescriptor
    from google.protobuf.message import Message

    from omnilude.v1.match_pb2 import Match

_MOST_VALUES = 400


@dataclass(frozen=True, slots=True)
class Speaker:
    """What the pack of a match does for a person at the terminal."""

    draw: Callable[[Message, Sequence[Message]], str]
    """A view as text with Rich markup; the actions to choose from, if any, can be marked in it."""
    read: Callable[[Message, str], Message | None]
    """The action meant by a line that was typed, which need not be listed."""
    explain: Callable[[Message, str], str]
    """What is known of what is asked about; of nothing, what can be asked and typed."""


def speaker(match: Match, *card_sets: Path) -> Speaker:
    """What is done by the pack of a match where it is installed; else views are drawn by their fields."""
    loaded = installed_game(match, *card_sets)
    table = None if loaded is None else table_of(match, loaded)
    if table is None:
        return Speaker(lambda view, choices: plain(view), lambda view, text: None, lambda view, text: "")
    kinds = table.messages

    def drawn(view: Message, choices: Sequence[Message]) -> str:
        local = [as_local(choice, kinds.action) for choice in choices]
        return table.render_choices(as_local(view, kinds.view), local) or plain(view)

    return Speaker(
        drawn,
        lambda view, text: table.parse_text(as_local(view, kinds.view), text),
        lambda view, text: table.explain(as_local(view, kinds.view), text),
    )


def drawer(match: Match, *card_sets: Path) -> Callable[[Message], str]:
    """A function that draws the views of a match, as text with Rich markup."""
    draw = speaker(match, *card_sets).draw
    return lambda view: draw(view, ())


def picture(match: Match, view: Message, *card_sets: Path) -> str:
    """The view as an SVG document. Raises Failure where the pack is not installed here, or draws none."""
    loaded = installed_game(match, *card_sets)
    table = None if loaded is None else table_of(match, loaded)
    if table is None:
        what = f"{match.game.removeprefix('games/')} with rules {match.rules_version}"
        raise Failure(f"the pack of {what} and the cards of this match are needed here to draw it")
    drawn = table.svg(as_local(view, table.messages.view))
    if drawn is None:
        raise Failure(f"the pack of {table.id} draws no pictures", "without --svg the board is shown")
    return drawn


def with_names(text: str, names: Sequence[str]) -> str:
    """A text of a pack with the players' names: packs know seats only, and write them as ``seat 0``."""

    def named(found: re.Match[str]) -> str:
        seat = int(found[1])
        return f"{names[seat]} (seat {seat})" if seat < len(names) and names[seat] else found[0]

    return re.sub(r"\b[Ss]eat (\d{1,3})\b", named, text)


def plain(view: Message) -> str:
    """The fields of a message, a line each; lists of numbers in one line."""
    from rich.markup import escape

    return escape("\n".join(_lines(view, "")))


def _lines(message: Message, indent: str) -> Iterator[str]:
    for field, value in message.ListFields():
        values = list(value) if field.is_repeated else [value]
        if field.message_type is not None:
            for number, child in enumerate(values):
                yield f"{indent}{field.name}{f' {number}' if field.is_repeated else ''}:"
                yield from _lines(child, indent + "  ")
        else:
            shown = " ".join(_text(field, entry) for entry in values[:_MOST_VALUES])
            yield f"{indent}{field.name}: {shown}{' ...' if len(values) > _MOST_VALUES else ''}"


def _text(field: FieldDescriptor, value: object) -> str:
    if field.enum_type is not None and isinstance(value, int):
        entry = field.enum_type.values_by_number.get(value)
        return str(value) if entry is None else entry.name
    return value.hex() if isinstance(value, bytes) else one_line(str(value))
