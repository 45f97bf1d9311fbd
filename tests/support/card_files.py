"""Card files as plain values, which tests change and write again."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml


def card_data(path: Path) -> dict[str, Any]:
    """Returns the content of a card file, as values that the caller may change."""
    data: dict[str, Any] = json.loads(_json(path))
    return data


@cache
def _json(path: Path) -> str:
    """Parsing JSON again takes far less time than parsing YAML."""
    return json.dumps(yaml.safe_load(path.read_text(encoding="utf-8")))
