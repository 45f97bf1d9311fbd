"""How commands print: the console, and how texts of others are kept from steering the terminal.

Names, reasons, labels and errors come from other players, from services and from files. Whatever they hold, a terminal
is sent printable characters, line feeds, and the colours that rich makes: :func:`console` sees to that for all that it
prints, :func:`echo` for plain lines, and :func:`one_line` keeps a text that is to be one line in one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
    from rich.measure import Measurement

WIDTH_OF_LOGS = 120
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def console() -> Console:
    """Standard output. In a pipe or a log: no colours, and lines that are not folded at 80 columns."""
    from rich.console import Console, RenderHook

    class PrintableOnly(RenderHook):
        """Puts all that is printed into :class:`_Printable`."""

        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
            return [_Printable(renderable) for renderable in renderables]

    made = Console(highlight=False)
    if not made.is_terminal:
        made = Console(highlight=False, width=WIDTH_OF_LOGS)
    made.push_render_hook(PrintableOnly())
    return made


def say(screen: Console, line: str, style: str | None = None) -> None:
    """Print one line as it is: nothing in it is markup, and nothing folds it, so that logs can be searched."""
    screen.print(one_line(line), style=style, markup=False, soft_wrap=True)


def echo(line: str, *, err: bool = False) -> None:
    """Print one plain line to standard output, or to standard error."""
    import typer

    typer.echo(one_line(line), err=err)


def log_lines() -> None:
    """Send what libraries log to standard error, each message as one plain line."""
    import logging

    class Lines(logging.Formatter):
        """Traces of errors keep their lines."""

        def formatMessage(self, record: logging.LogRecord) -> str:
            return one_line(record.message)

        def formatException(self, ei: Any) -> str:
            return "\n".join(map(one_line, super().formatException(ei).split("\n")))

    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def one_line(text: str) -> str:
    """The text with a replacement for every character that is not printable, line feeds included."""
    return "".join(letter if letter.isprintable() else REPLACEMENT for letter in text)


class _Printable:
    """Something that is printed, with a replacement for every character that is neither printable nor a line feed."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment

        for segment in console.render(self._renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(map(one_line, segment.text.split("\n"))), segment.style)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement.get(console, options, self._renderable)
