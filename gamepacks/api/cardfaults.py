"""Messages for pydantic's errors in card files, free of terms of Python and of regular expressions.

A field with a pattern states the message in ``json_schema_extra={"patternErrorMessage": ...}``, which editors show as
well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from gamepacks.api.cardfiles import Place

MAX_LISTED_NAMES = 24
"""Maximum number of names that a message lists."""
YAML_1_1 = {"true": ("on", "yes", "y"), "false": ("off", "no", "n")}
"""Keys that tools for YAML 1.1 have turned into truth values."""

_PLAIN = {
    "missing": "it is missing",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
}
_LIMITS = {
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}
_ONE = {"character": "character", "entr": "entry"}
_MAPPING = ("model_type", "model_attributes_type", "dict_type")
_WRONG_KIND = ("tuple_type", "string_type", "int_type", "float_type", "bool_type", "literal_error", *_MAPPING)
"""Types of errors for a value of a wrong type."""


class FaultWriter:
    """Writes messages for pydantic's errors in the values of a file; ``schema`` is the JSON Schema of its model."""

    def __init__(self, schema: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        self._schema = schema
        self._values = values

    def faults(
        self, entries: Sequence[Any], find: Callable[[Sequence[str | int], bool], Place]
    ) -> Iterable[tuple[Place, str]]:
        """Yield the place and the message of each fault; ``find`` gives the place of an entry's ``loc``."""
        found: dict[Place, list[str]] = {}
        places = [find(entry["loc"], entry["type"] == "missing") for entry in entries]
        around = {place[:length] for place in places for length in range(len(place))}
        for entry, place in zip(entries, places, strict=True):
            # Of the members of a union the one that fits further is meant; and a list whose every entry is wrong seems
            # too short as well.
            if place in around and entry["type"] in (*_WRONG_KIND, "too_short"):
                continue
            message = self.message(entry, place)
            if message not in found.setdefault(place, []):
                found[place].append(message)
        return [(place, ", or: ".join(messages)) for place, messages in found.items()]

    def message(self, entry: Mapping[str, Any], place: Place) -> str:
        """The fault."""
        kind, context = str(entry["type"]), entry.get("ctx", {})
        if kind in _PLAIN:
            return _PLAIN[kind]
        if kind in _LIMITS:
            text = _LIMITS[kind].format_map(context)
            return re.sub(r"\b1 (character|entr)(?:s|ies)\b", lambda one: f"1 {_ONE[one[1]]}", text)
        if kind in _MAPPING:
            return self._mapping(place)
        match kind:
            case "extra_forbidden":
                return self._unknown_field(place)
            case "literal_error":
                return _one_of(_quoted(context["expected"]), entry["input"])
            case "union_tag_invalid":
                name = context["discriminator"].strip("'")
                return f"there is no such {name}{_hint(context['tag'], _quoted(context['expected_tags']))}"
            case "union_tag_not_found":
                return f"the field {context['discriminator']} is missing".replace("'", "")
            case "string_pattern_mismatch":
                return self._pattern(place, context["pattern"])
        message = str(entry["msg"]).removeprefix("Value error, ").replace("Input should be", "it must be")
        return message + self._meant_key(place)

    def _unknown_field(self, place: Place) -> str:
        key, around = str(place[-1]), place[:-1]
        value = self._value(around)
        free = [name for name in _names(self._alternatives(around)) if name not in value]
        changed = [name for name in YAML_1_1.get(key.lower(), ()) if name in free]
        if changed:
            return (
                f"there is no such field: a tool for YAML 1.1 turned {changed[0]} into {key}; "
                f'write "{changed[0]}" in quotes'
            )
        return f"there is no such field{_hint(key, free)}"

    def _mapping(self, place: Place) -> str:
        alternatives = self._alternatives(place)
        found = [alternative for alternative in alternatives if "properties" in alternative]
        common = set.intersection(*(set(each.get("required", ())) for each in found)) if found else set()
        names = sorted(common) if len(found) > 1 and common else _names(found)
        listed = f" with {', '.join(names)}" if 0 < len(names) <= MAX_LISTED_NAMES else ""
        short = [words for alternative in alternatives for words in _short_forms(alternative)]
        return f"must be {', '.join(short)}{' or ' if short else ''}a mapping{listed}"

    def _pattern(self, place: Place, pattern: str) -> str:
        for alternative in self._alternatives(place):
            if alternative.get("pattern") == pattern and (words := alternative.get("patternErrorMessage")):
                return str(words)
        return "it does not have the required form"

    def _meant_key(self, place: Place) -> str:
        # Where the first key says what a mapping is, a wrong one leaves all of it unknown.
        value = self._value(place)
        names = _names(self._alternatives(place))
        close = (get_close_matches(str(key), names, 1) for key in value if key not in names)
        return next((f"; did you mean {match[0]}?" for match in close if match), "")

    # -- the schema at a place -----------------------------------------------------------------------------------------

    def _value(self, place: Place) -> Mapping[str, Any]:
        value: Any = self._values
        for part in place:
            value = _inside(value, part)
        return value if isinstance(value, dict) else {}

    def _alternatives(self, place: Place) -> list[Mapping[str, Any]]:
        """Schemas that are possible at a place: of each union, the members that the file's values fit best."""
        value: Any = self._values
        found = self._members(self._schema, value)
        for part in place:
            value = _inside(value, part)
            steps = [inner for schema in found for inner in _step(schema, part)]
            found = [member for inner in steps for member in self._members(inner, value)]
        return found

    def _members(self, schema: Mapping[str, Any], value: Any) -> list[Mapping[str, Any]]:
        if "$ref" in schema:
            return self._members(self._schema["$defs"][schema["$ref"].rpartition("/")[2]], value)
        unions = [member for union in ("oneOf", "anyOf", "allOf") for member in schema.get(union, ())]
        if not unions:
            return [schema]
        found = [each for member in unions for each in self._members(member, value)]
        return [each for each in found if _fits(each, value)] or found


def _inside(value: Any, part: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(part)
    return value[part] if isinstance(value, tuple) and isinstance(part, int) and part < len(value) else None


def _step(schema: Mapping[str, Any], part: str | int) -> list[Mapping[str, Any]]:
    if isinstance(part, str):
        inner = schema.get("properties", {}).get(part)
    else:
        fixed = schema.get("prefixItems", ())
        inner = fixed[part] if part < len(fixed) else schema.get("items")
    return [inner] if isinstance(inner, dict) else []


def _fits(schema: Mapping[str, Any], value: Any) -> bool:
    """Returns whether the mapping can be one of these, by the keys that it must have and their fixed values."""
    if not isinstance(value, dict):
        return True
    if "properties" not in schema or not value.keys() >= set(schema.get("required", ())):
        return False
    fixed = {name: inner["const"] for name, inner in schema["properties"].items() if "const" in inner}
    return all(value.get(name, wanted) == wanted for name, wanted in fixed.items())


def _short_forms(schema: Mapping[str, Any]) -> list[str]:
    """The short forms that are allowed in place of a mapping."""
    kind = {"integer": "a whole number", "number": "a number"}.get(schema.get("type", ""))
    return [kind] if kind else [str(word) for word in schema.get("enum", ())]


# -- words -------------------------------------------------------------------------------------------------------------


def _names(schemas: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for schema in schemas for name in schema.get("properties", ())))


def _quoted(text: str) -> list[str]:
    return [word or number for word, number in re.findall(r"'([^']*)'|(-?\d+)", text)]


def _hint(given: Any, names: Sequence[str]) -> str:
    if isinstance(given, str) and (close := get_close_matches(given.lower(), names, 1)):
        return f"; did you mean {close[0]}?"
    return f"; there are: {', '.join(names)}" if 0 < len(names) <= MAX_LISTED_NAMES else ""


def _one_of(names: Sequence[str], given: Any) -> str:
    if isinstance(given, str) and (close := get_close_matches(given.lower(), names, 1)):
        return f"no such word; did you mean {close[0]}?"
    return f"must be {'one of ' if len(names) > 1 else ''}{', '.join(names)}"


__all__ = ["FaultWriter"]
