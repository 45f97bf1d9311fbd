"""The consoles that commands print to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_OF_LOGS = 120


def console() -> Console:
    """Standard output. In a pipe or a log: no colours, and lines that are not folded at 80 columns."""
    from rich.console import Console

    made = Console(highlight=False)
    return made if made.is_terminal else Console(highlight=False, width=WIDTH_OF_LOGS)


def say(screen: Console, line: str) -> None:
    """Print a line as it is: nothing in it is markup, and nothing folds it, so that logs can be searched."""
    screen.print(line, markup=False, soft_wrap=True)
