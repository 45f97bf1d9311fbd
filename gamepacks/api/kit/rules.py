"""Lists the rules that no test proves: ``python -m gamepacks.api.kit.rules [--tests FOLDER] [PACK ...]``.

A pack's RULES.md gives each rule an id at the start of a table row (``| OMI-MOVE-03 | ...``); a test says which rules
it proves by ``@pytest.mark.rule("OMI-MOVE-03", ...)``. A specification may also hold worked examples, as lists in
blocks ``yaml scenario``: each says which rules it shows (``rules: [OMEN-WAR-01, OMEN-WAR-02]``), and a test that plays
all of them says so by ``@pytest.mark.worked_examples("OMEN", ...)``, with the first parts of these ids.

Without names, the packs are those whose files lie below the current folder. Exits with 1 if a rule has no test, or if a
test or an example names a rule that its specification does not have. Ids of other specifications are
listed, and are not errors.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gamepacks.api.registry import Registry

ROW = re.compile(r"^\|\s*([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]+[a-z]?)\s*\|", re.MULTILINE)
EXAMPLES = re.compile(r"^```yaml scenario\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLE_RULES = re.compile(r"^ +rules: \[([^\]]*)\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of some tests."""

    places: dict[str, list[str]] = field(default_factory=dict)
    """Places of the marks by rule id: ``tests/ominoes/test_setup.py:21``."""
    examples: dict[str, str] = field(default_factory=dict)
    """By first part of rule ids, the place of the test that plays the worked examples."""
    unreadable: list[str] = field(default_factory=list)
    """Places of marks whose ids are not literal texts."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The rules of some specifications that tests prove, and those that none proves."""

    proved: int
    rules: int
    unproved: tuple[str, ...]
    """Rules without a test."""
    unknown: tuple[str, ...]
    """Ids in tests, with their places, that the specification of their prefix does not have."""
    foreign: tuple[str, ...]
    """Ids in tests of specifications that were not read."""
    unreadable: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """True if every rule has a test, and every marked test a rule."""
        return not (self.unproved or self.unknown or self.unreadable)


def read_rules(text: str) -> list[str]:
    """Returns the ids of a specification, in its order. Raises ValueError if one is repeated."""
    ids = ROW.findall(text)
    doubles = sorted({rule for rule in ids if ids.count(rule) > 1})
    if doubles:
        raise ValueError(f"rules are repeated: {', '.join(doubles)}")
    return ids


def read_examples(text: str) -> list[str]:
    """The ids of the rules that the worked examples of a specification show."""
    listed = (ids for block in EXAMPLES.findall(text) for ids in EXAMPLE_RULES.findall(block))
    return [rule.strip() for ids in listed for rule in ids.split(",")]


def read_marks(paths: Iterable[Path]) -> Marks:
    """The marks in some Python files."""
    marks = Marks()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            if isinstance(node, ast.Call) and (name := _mark(node.func)) in ("rule", "worked_examples"):
                place = f"{path}:{node.lineno}"
                ids = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
                if len(ids) < len(node.args) or node.keywords or not ids:
                    marks.unreadable.append(place)
                for id in ids:
                    if name == "rule":
                        marks.places.setdefault(id, []).append(place)
                    else:
                        marks.examples[id] = place
    return marks


def _mark(function: ast.expr) -> str:
    """The name of a mark: ``rule`` for ``pytest.mark.rule``; empty for any other function."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Attribute):
        return function.attr if function.value.attr == "mark" else ""
    return ""


def compare(rules: Sequence[str], marks: Marks, examples: Iterable[str] = ()) -> Coverage:
    """Compare specifications, with the rules that their worked examples show, and tests."""
    owned = {rule.split("-")[0] for rule in rules}
    known = set(rules)
    proved = {rule: [marks.examples[head]] for rule in examples if (head := rule.split("-")[0]) in marks.examples}
    proved |= marks.places
    strange = {rule: places for rule, places in sorted(proved.items()) if rule not in known}
    return Coverage(
        proved=len(known & set(proved)),
        rules=len(rules),
        unproved=tuple(rule for rule in rules if rule not in proved),
        unknown=tuple(f"{rule} ({places[0]})" for rule, places in strange.items() if rule.split("-")[0] in owned),
        foreign=tuple(rule for rule in strange if rule.split("-")[0] not in owned),
        unreadable=tuple(marks.unreadable),
    )


def specifications(names: Sequence[str], below: Path) -> list[Path]:
    """The RULES.md of the packs of these names, or without names of all packs with files below a folder.

    Raises FileNotFoundError for a pack that has none, LookupError for one that is not loaded.
    """
    found: list[Path] = []
    packs = {pack.name: pack for pack in Registry.load().packs}
    for name in names:
        if name not in packs:
            raise LookupError(f"no pack {name!r} is loaded; loaded are: {', '.join(packs) or 'none'}")
    for name, pack in packs.items():
        for game in pack.games:
            path = Path(inspect.getfile(game)).resolve().with_name("RULES.md")
            if name not in names and (names or not path.is_relative_to(below.resolve())):
                continue
            if not path.exists():
                raise FileNotFoundError(f"the pack {name} has no {path.name} beside the module of {game.id}")
            if path not in found:
                found.append(path)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rules without a test; returns the exit code."""
    parser = argparse.ArgumentParser(description="List the rules of packs that no test proves.")
    parser.add_argument("packs", nargs="*", metavar="PACK", help="a pack's name; without: the packs below this folder")
    parser.add_argument("--tests", type=Path, default=Path("tests"), help="folder of the tests (tests)")
    given = parser.parse_args(arguments)
    paths = specifications(given.packs, Path())
    try:
        # All specifications together, so that an id in two of them is found as a repetition.
        text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
        rules = read_rules(text)
    except ValueError as error:
        print(error)
        return 1
    if not rules:
        print("no pack with a RULES.md was found")
        return 1
    coverage = compare(rules, read_marks(sorted(given.tests.rglob("*.py"))), read_examples(text))
    for title, lines in (
        ("rules without a test", coverage.unproved),
        ("rules that tests name and no specification has", coverage.unknown),
        ("marks whose ids are not literal texts", coverage.unreadable),
    ):
        if lines:
            print(f"{title}:", *lines, sep="\n  ")
    if coverage.foreign:
        print(f"{len(coverage.foreign)} ids of specifications that are not here: {', '.join(coverage.foreign)}")
    print(f"{coverage.proved} of {coverage.rules} rules have a test")
    return 0 if coverage.complete else 1


if __name__ == "__main__":
    sys.exit(main())
