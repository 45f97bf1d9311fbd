"""Write the tables of Omen's card language in RULES.md from the table of keys: ``python -m tools.omen_docs``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import gamepacks.omen
from gamepacks.omen.cards import language
from gamepacks.omen.cards.grammar import (
    ABILITY_KEYS,
    EVENT_KEYS,
    EVENTS,
    GROUPS,
    HOOKS,
    OPERATIONS,
    SELECTOR_KEYS,
    SELECTORS,
    Key,
)  # fmt: skip

RULES = Path(gamepacks.omen.__file__).with_name("RULES.md")
MARK = re.compile(r"(<!-- table: (\w+) \(made by tools/omen_docs\.py\) -->\n).*?(<!-- end -->)", re.DOTALL)
MODELS = {get_args(model.model_fields["op"].annotation)[0]: model for model in language.EFFECTS}


def literals(annotation: Any) -> tuple[str, ...]:
    """Returns the values that a key may have, if they are a few words."""
    origin = get_origin(annotation)
    if origin is Literal:
        return tuple(str(value) for value in get_args(annotation))
    if origin is Annotated:
        return literals(get_args(annotation)[0])
    if origin in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        return literals(parts[0]) if len(parts) == 1 else ()
    return ()


def row(*cells: str) -> str:
    """Returns a row of a table."""
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Returns a table."""
    return row(*head) + row(*["---"] * len(head)) + "".join(row(*cells) for cells in rows)


def code(names: Any) -> str:
    """Returns names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


def hooks() -> str:
    """Returns the tables of section 10.5, the hooks."""
    rows = []
    for name, hook in HOOKS.items():
        more = [
            f"`{key}`" + (f" ({', '.join(hook.keys[key].values)})" if hook.keys[key].values else "")
            for key in ABILITY_KEYS
            if key in hook.keys and key not in hook.needs
        ]
        needs = [
            f"`{key}`" + (f" ({', '.join(hook.keys[key].values)})" if hook.keys[key].values else "")
            for key in hook.needs
        ]
        rows.append((f"`{name}`", hook.on, hook.happens, ", ".join(needs), ", ".join(more) or "-"))
    keys = table(("Key", "Meaning"), [(f"`{name}`", meaning) for name, meaning in ABILITY_KEYS.items()])
    return table(("Hook", "On", "Happens", "Needs", "May have"), rows) + "\n" + keys


def matrix(meanings: dict[str, str], uses: dict[str, tuple[str, dict[str, Key]]]) -> str:
    """Returns a table of keys by the uses in which they are read."""
    rows = []
    for name, meaning in meanings.items():
        cells = [("/".join(keys[name].values) or "yes") if name in keys else "-" for _, keys in uses.values()]
        rows.append((f"`{name}`", meaning, *cells))
    legend = "; ".join(f"*{use}*: {meaning}" for use, (meaning, _) in uses.items())
    return f"{legend}.\n\n" + table(("Key", "Meaning", *uses), rows)


def operations() -> str:
    """Returns the tables of section 10.9, the operations."""
    parts = []
    for group, names in GROUPS.items():
        rows = []
        for op in names:
            fields = {info.alias or name: info for name, info in MODELS[op].model_fields.items()}
            keys = []
            for name, key in OPERATIONS[op].keys.items():
                words = literals(fields[name].annotation)
                said = key.meaning.rstrip(".")
                said = said[:1].lower() + said[1:]
                if words and words not in (("True",),) and len(words) < 20:
                    said += f": {', '.join(words)}"
                if key.only:
                    said += f"; only with {key.only.key} {', '.join(key.only.values)}"
                optional = "" if fields[name].is_required() else "?"
                keys.append(f"`{name}`{optional} ({said})")
            zones = f"; zones: {', '.join(OPERATIONS[op].zones)}" if OPERATIONS[op].zones else ""
            rows.append((f"`{op}`", "; ".join(keys) or "-", OPERATIONS[op].meaning + zones))
        parts.append(f"**{group}**\n\n" + table(("op", "Keys (? may be left out)", "Meaning"), rows))
    return "\n".join(parts)


def tables() -> dict[str, str]:
    """Returns all tables by name."""
    return {
        "hooks": hooks(),
        "selectors": matrix(SELECTOR_KEYS, SELECTORS),
        "events": matrix(EVENT_KEYS, EVENTS),
        "operations": operations(),
    }


def rendered(text: str) -> str:
    """Returns the text of RULES.md with up-to-date tables."""
    made = tables()
    found = MARK.findall(text)
    assert {name for _, name, _ in found} == set(made), "a mark of a table is missing"
    return MARK.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n{match[3]}", text)


def main() -> None:
    """Write the tables into RULES.md."""
    text = RULES.read_text(encoding="utf-8")
    RULES.write_text(rendered(text), encoding="utf-8")
    print(f"wrote the tables of {RULES.name} of Omen")


if __name__ == "__main__":
    main()
