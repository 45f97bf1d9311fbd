"""Card sets for the tests of OMEGA: the few cards that a test is about, and plain ones around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gamepacks.api.cards import CardLibrary, LoadedCards, digest
from gamepacks.api.types import CardSet
from gamepacks.omega.cards import SOURCE, OmegaCards

Effect = tuple[Any, ...]
"""``("draw", 2)``, ``("draw", 2, "red")``."""


def F(snake: int = 1, thrust: int = 1, *powers: tuple[str, tuple[Effect, ...]], **traits: bool) -> dict[str, Any]:
    """A card with snake and thrust numbers, as the worked examples have them."""
    written = tuple(
        {
            "trigger": trigger,
            "effects": tuple(
                {"op": op, "n": n, **({"color": colour[0]} if colour else {})} for op, n, *colour in effects
            ),
        }
        for trigger, effects in powers
    )
    return {"snake": snake, "thrust": thrust, "powers": written, **traits}


def lightning(*effects: Effect) -> tuple[str, tuple[Effect, ...]]:
    """A lightning power."""
    return ("lightning", effects)


def book(*effects: Effect) -> tuple[str, tuple[Effect, ...]]:
    """A book power."""
    return ("book", effects)


PLAIN_TOKENS: tuple[dict[str, Any], ...] = (
    {"id": "five", "copies": 30, "points": {"kind": "fixed", "n": 5}},
    {"id": "seven", "copies": 12, "points": {"kind": "fixed", "n": 7}},
)


def values(
    cards: Mapping[str, Mapping[str, Any]] | None = None,
    tokens: Sequence[Mapping[str, Any]] = PLAIN_TOKENS,
    squares: int = 12,
    eye: int = 12,
) -> dict[str, Any]:
    """A card file as values. Cards that are not given are called Z and their number, snake 1, thrust 1."""
    named = dict(cards or {})
    for number in range(len(named), 42):
        named[f"Z{number}"] = F()
    return {
        "schema": 1,
        "id": "fixture",
        "game": "omega",
        "title": "Fixture for tests",
        "status": "fixture",
        "disc": {"squares": squares, "eye_offset": eye, "source": "A fixture."},
        "egregors": tuple(
            {"id": f"e{number}", "name": name, **card} for number, (name, card) in enumerate(named.items())
        ),
        "arcana": tuple(dict(token) for token in tokens),
    }


def library(*args: Any, **kwargs: Any) -> CardLibrary[OmegaCards]:
    """A library with this set alone; see values()."""
    return _library(_Key(values(*args, **kwargs)))


class _Key:
    """Card values, hashed by their text."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content
        self.text = repr(content)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.text == other.text


@cache
def _library(key: _Key) -> CardLibrary[OmegaCards]:
    data = OmegaCards.model_validate(key.content)
    assert not list(data.check())
    card_set = CardSet(data.id, data.title, False, digest(data))
    return CardLibrary([LoadedCards(data, card_set, SOURCE.own_files[0])])
