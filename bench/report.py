"""Report of a benchmark: rows of figures, each with its target, printed as one table.

A benchmark is a module of this package with a function ``rows() -> list[Row]`` that measures and returns its rows, and
``if __name__ == "__main__": report.main(rows)``, so that ``python -m bench.NAME`` prints it alone and ``python -m
bench`` prints several. All figures of a table are from one run on one machine; only their ratios apply to others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. ``target`` is the value that it must reach, as text, empty for none; ``ok`` is whether it does."""

    name: str
    figure: float
    unit: str
    target: str = ""
    ok: bool = True


def digits(figure: float) -> str:
    """Format a figure with three significant digits and separators of thousands."""
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def show(rows: Iterable[Row], title: str = "") -> None:
    """Print the rows as a table."""
    table = Table(title=title or None)
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    table.add_column("target")
    table.add_column("")
    for row in rows:
        verdict = "" if not row.target else "[green]ok[/]" if row.ok else "[bold red]missed[/]"
        table.add_row(row.name, digits(row.figure), row.unit, row.target, verdict)
    Console().print(table)


def main(measure: Callable[[], list[Row]]) -> None:
    """Measure and print the rows; exit with 1 if a target was missed."""
    rows = measure()
    show(rows)
    sys.exit(0 if all(row.ok for row in rows) else 1)
