"""Run benchmarks and print their rows as one table: ``python -m bench [NAME ...] [--write FILE]``.

A benchmark is a module of this package with ``rows()``. Without names all of them run except ``peers``, which needs an
environment of its own (``make bench-peers``). Exits with 1 if a target was missed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.report import Row, digits, show

NOT_BY_ITSELF = {"peers"}


def names() -> list[str]:
    """Returns the names of all benchmarks, without importing them: ``peers`` can be imported only in its own."""
    modules = Path(__file__).parent.glob("*.py")
    return sorted(path.stem for path in modules if "\ndef rows(" in path.read_text(encoding="utf-8"))


def markdown(rows: Sequence[Row], command: str) -> str:
    """Returns a page with the rows and a description of the machine."""
    lines = [
        "# Benchmarks",
        "",
        f"Made by `{command} WRITE=1` on {time.strftime('%Y-%m-%d')}: Python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores. "
        "All figures are from one run on one machine; only their ratios apply to others.",
        "",
        "| what | figure | unit | target | |",
        "| --- | ---: | --- | --- | --- |",
    ]
    for row in rows:
        verdict = "" if not row.target else "ok" if row.ok else "**missed**"
        lines.append(f"| {row.name} | {digits(row.figure)} | {row.unit} | {row.target} | {verdict} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", nargs="*", help="a benchmark: " + ", ".join(names()))
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the table to a Markdown page")
    given = parser.parse_args(arguments)
    rows: list[Row] = []
    for name in given.name or [name for name in names() if name not in NOT_BY_ITSELF]:
        print(f"running {name} ...", file=sys.stderr, flush=True)
        rows += importlib.import_module(f"bench.{name}").rows()
    show(rows)
    if given.write is not None:
        given.write.write_text(
            markdown(rows, "make bench-peers" if "peers" in given.name else "make bench"), encoding="utf-8"
        )
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
