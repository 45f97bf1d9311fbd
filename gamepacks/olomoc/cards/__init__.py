"""Card sets of Olomòc: the models of a file, the checks of a set, and its form for the engine."""

from __future__ import annotations

from pathlib import Path

from gamepacks.api.cards import CardSource
from gamepacks.olomoc.cards.compile import compile_rules
from gamepacks.olomoc.cards.models import OlomocCards

SOURCE: CardSource[OlomocCards] = CardSource("olomoc", OlomocCards, Path(__file__).parent.with_name("house.yaml"))
"""The card sets of Olomòc that the pack brings."""

__all__ = ["SOURCE", "OlomocCards", "compile_rules"]
