"""Reader of card files: YAML 1.2 or JSON into plain values, with the line of each for messages of faults.

Only values that JSON has are read from YAML: ``true`` and ``false`` are the only truth values (``on``, ``no`` and dates
are texts), keys are texts, and duplicate keys are faults.

PyYAML parses the files. ruamel.yaml takes 28 times as long for the house set of OMEGA and would replace only the
patterns of YAML 1.2's scalars and the check of duplicate keys; strictyaml refuses the flow mappings of card files.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # a PyYAML without the compiled parser reads the same, some ten times slower
    from yaml import SafeLoader  # type: ignore[assignment]

SUFFIXES = (".yaml", ".yml", ".json")
MAX_FILE_BYTES = 1 << 20
"""Maximum size of a card file in bytes."""
MAX_FILE_VALUES = 200_000
"""Maximum number of values in a card file; with YAML's aliases a small file could expand to more than fits into
memory."""
MAX_DEPTH = 64

Place: TypeAlias = tuple[str | int, ...]
"""Path of a value in a file: ``("egregors", 3, "snake")``; () is the whole file."""


class UnreadableFile(Exception):
    """A file does not hold card data; ``line`` is 0 if no single line is at fault."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class CardData:
    """The contents of a card file: one mapping of fields, with lists as tuples."""

    file: str
    """Name of the file, without folders."""
    values: dict[str, Any]
    node: Node | None
    """The contents as a YAML tree with line numbers."""

    def find(self, location: Sequence[str | int], *, missing: bool = False) -> Place:
        """Convert a location of pydantic to a place, without the names of members of unions.

        With ``missing`` the last part is a field that should be there.
        """
        place: list[str | int] = []
        value: Any = self.values
        for number, part in enumerate(location):
            found, inside = _inside(value, part)
            if found:
                value = inside
            elif not missing or number < len(location) - 1:
                continue
            place.append(part)
        return tuple(place)

    def line(self, place: Place) -> int:
        """The line on which the value at a place begins, or the value around it; 0 if lines are not known."""
        node = self.node
        if node is None:
            return 0
        line = node.start_mark.line
        for part in place:
            if isinstance(node, MappingNode):
                pair = next((pair for pair in node.value if pair[0].value == part), None)
                if pair is None:
                    break
                # A block begins on the line after its key, but people look for the key.
                line, node = pair[0].start_mark.line, pair[1]
            elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                line = node.start_mark.line
            else:
                break
        return int(line) + 1

    def card(self, place: Place) -> tuple[str, str]:
        """The card that a place is in, and the field within it: ``("syphus", "powers[0].n")``.

        A card is an entry of a list, named by its ``id``; without one by its place, ``egregors[3]``.
        """
        value: Any = self.values
        for number, part in enumerate(place):
            _, inside = _inside(value, part)
            if isinstance(part, int):
                name = inside.get("id") if isinstance(inside, dict) else None
                known = isinstance(name, str) and name.isprintable() and name
                return str(name) if known else path_text(place[: number + 1]), path_text(place[number + 1 :])
            value = inside
        return "", path_text(place)


def _inside(value: Any, part: str | int) -> tuple[bool, Any]:
    """Returns whether a value has this part, and the part."""
    if isinstance(value, dict) and part in value:
        return True, value[part]
    if isinstance(value, tuple) and isinstance(part, int) and part < len(value):
        return True, value[part]
    return False, None


def path_text(place: Sequence[str | int]) -> str:
    """The text of a place: ``powers[0].n``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".")


def read_card_data(path: Path) -> CardData:
    """Read a file. Raises UnreadableFile."""
    if path.suffix not in SUFFIXES:
        raise UnreadableFile(f"its name must end in {', '.join(SUFFIXES)}")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(error.strerror or "it cannot be read") from None
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableFile(f"it has more than {MAX_FILE_BYTES} bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableFile("not UTF-8 text", data.count(b"\n", 0, error.start) + 1) from None
    node = None
    if path.suffix == ".json":
        values = _from_json(text)
        try:
            node = _compose(text)
        except UnreadableFile:
            node = None  # JSON that is not YAML (tabs, mostly) has its faults without lines
    else:
        node = _compose(text)
        values = None if node is None else _Values().of(node, 0)
    if not isinstance(values, dict):
        raise UnreadableFile("it must be one mapping of fields", 1)
    return CardData(path.name, values, node)


# -- YAML --------------------------------------------------------------------------------------------------------------


class _Loader(SafeLoader):
    """Resolves plain scalars as YAML 1.2's core schema does."""

    yaml_implicit_resolvers = {}  # noqa: RUF012  (PyYAML's way: the class's own table)


_TAG = "tag:yaml.org,2002:"
for _name, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+.0123456789",
    ),
):
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(rf"^(?:{_pattern})$"), list(_first))


def _compose(text: str) -> Node | None:
    loader = _Loader(text)
    try:
        node: Node | None = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableFile(f"not YAML: {error.problem or error.context}", mark.line + 1 if mark else 0) from None
    except yaml.YAMLError:
        raise UnreadableFile("not YAML: it has a character that is not allowed") from None
    except RecursionError:
        raise UnreadableFile("nested too deeply") from None
    finally:
        loader.dispose()
    return node


class _Values:
    """Converts a YAML tree to plain values, within bounds of number and depth."""

    def __init__(self) -> None:
        self._left = MAX_FILE_VALUES

    def of(self, node: Node, depth: int) -> Any:
        """The value. Raises UnreadableFile."""
        self._left -= 1
        if self._left < 0:
            raise UnreadableFile(f"it has more than {MAX_FILE_VALUES} values")
        if depth > MAX_DEPTH:
            raise _wrong(node, "nested too deeply")
        if isinstance(node, SequenceNode) and node.tag == _TAG + "seq":
            return tuple(self.of(part, depth + 1) for part in node.value)
        if isinstance(node, MappingNode) and node.tag == _TAG + "map":
            return dict(self._pairs(node, depth))
        if isinstance(node, ScalarNode):
            return _scalar(node)
        raise _wrong(node, f"the tag {node.tag} is not allowed")

    def _pairs(self, node: MappingNode, depth: int) -> Iterator[tuple[str, Any]]:
        seen = set()
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise _wrong(key, "a key must be a word")
            if key.value in seen:
                raise _wrong(key, f"the key {key.value!r} is repeated")
            seen.add(key.value)
            yield key.value, self.of(value, depth + 1)


def _scalar(node: ScalarNode) -> Any:
    text: str = node.value
    match node.tag.removeprefix(_TAG):
        case "str":
            return text
        case "bool":
            return text.lower() == "true"
        case "null":
            return None
        case "int" if len(text) <= 20:
            return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
        case "float" if math.isfinite(value := _float(text)):
            return value
        case "int" | "float":
            raise _wrong(node, "the number is out of range")
    raise _wrong(node, f"the tag {node.tag} is not allowed")


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # YAML writes infinity and no number with a dot
        return math.nan


def _wrong(node: Node, message: str) -> UnreadableFile:
    return UnreadableFile(message, node.start_mark.line + 1)


# -- JSON --------------------------------------------------------------------------------------------------------------


def _from_json(text: str) -> Any:
    try:
        return _tuples(json.loads(text, object_pairs_hook=_object, parse_constant=_no_number), 0)
    except json.JSONDecodeError as error:
        raise UnreadableFile(f"not JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise UnreadableFile("nested too deeply") from None
    except ValueError:  # Python's limit on the digits of a whole number
        raise UnreadableFile("not JSON: a number is out of range") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnreadableFile(f"the key {twice!r} is repeated")
    return made


def _no_number(text: str) -> float:
    raise UnreadableFile(f"not JSON: {text} is not a number")


def _tuples(value: Any, depth: int) -> Any:
    """Replace lists by tuples, which the strict models require."""
    if depth > MAX_DEPTH:
        raise UnreadableFile("nested too deeply")
    if isinstance(value, dict):
        return {key: _tuples(part, depth + 1) for key, part in value.items()}
    return tuple(_tuples(part, depth + 1) for part in value) if isinstance(value, list) else value
