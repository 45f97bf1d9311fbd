"""Output of commands, with control characters of untrusted texts replaced.

Names, reasons, labels and errors come from other players, services and files. The terminal receives only printable
characters, line feeds, and the control sequences of rich: :func:`console` ensures it for all that it prints,
:func:`echo` for plain lines, and :func:`one_line` replaces line feeds too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
    from rich.measure import Measurement

WIDTH_OF_LOGS = 120
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def console() -> Console:
    """Returns a console on standard output; in a pipe or a log it uses no colours and does not wrap at 80 columns."""
    from rich.console import Console, RenderHook

    class PrintableOnly(RenderHook):
        """Wraps everything that is printed in :class:`_Printable`."""

        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
            return [_Printable(renderable) for renderable in renderables]

    made = Console(highlight=False)
    if not made.is_terminal:
        made = Console(highlight=False, width=WIDTH_OF_LOGS)
    made.push_render_hook(PrintableOnly())
    return made


def print_line(screen: Console, line: str, style: str | None = None) -> None:
    """Print one line without markup and without wrapping, so that logs can be searched."""
    screen.print(one_line(line), style=style, markup=False, soft_wrap=True)


def echo(line: str, *, err: bool = False) -> None:
    """Print one plain line to standard output, or to standard error."""
    import typer

    typer.echo(one_line(line), err=err)


def log_lines() -> None:
    """Log messages of libraries to standard error, one plain line each."""
    import logging

    class Lines(logging.Formatter):
        """Formats a message as one line; a traceback keeps its lines."""

        def formatMessage(self, record: logging.LogRecord) -> str:
            return one_line(record.message)

        def formatException(self, ei: Any) -> str:
            return "\n".join(map(one_line, super().formatException(ei).split("\n")))

    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def one_line(text: str) -> str:
    """Replace every character that is not printable, including line feeds."""
    return "".join(letter if letter.isprintable() else REPLACEMENT for letter in text)


class _Printable:
    """A renderable of rich in which every character is replaced that is neither printable nor a line feed."""

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
