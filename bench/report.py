"""Report of a bench: rows of figures, each with the bar that it has to reach, printed as one table.

A bench is a module of this package with a function ``rows() -> list[Row]`` that measures and returns its rows, and
``if __name__ == "__main__": report.main(rows)``, so that ``python -m bench.NAME`` prints it alone and a collector can
join the rows of several. Figures of one table are from one run on one machine: only their ratios travel.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. ``bar`` is the value that it must reach, as text, empty for none; ``ok`` says whether it does."""

    name: str
    figure: float
    unit: str
    bar: str = ""
    ok: bool = True


def digits(figure: float) -> str:
    """Returns a figure with three significant digits and separators of thousands."""
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def show(rows: Iterable[Row], title: str = "") -> None:
    """Print the rows as a table."""
    table = Table(title=title or None)
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    table.add_column("bar")
    table.add_column("")
    for row in rows:
        verdict = "" if not row.bar else "[green]ok[/]" if row.ok else "[bold red]missed[/]"
        table.add_row(row.name, digits(row.figure), row.unit, row.bar, verdict)
    Console().print(table)


def main(bench: Callable[[], list[Row]]) -> None:
    """Measure, print, and end with status 1 if a bar was missed."""
    rows = bench()
    show(rows)
    sys.exit(0 if all(row.ok for row in rows) else 1)
