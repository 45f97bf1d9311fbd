"""The pack of Olomòc: rules, cards, messages, bots; the registry calls its hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import GreedyBot, PackBot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.api.services import PackService
from gamepacks.olomoc.bots import TacticianBot
from gamepacks.olomoc.card_service import CardService
from gamepacks.olomoc.game import Olomoc
from gamepacks.olomoc.measure_service import MeasureService

__all__ = [
    "CardService",
    "MeasureService",
    "Olomoc",
    "TacticianBot",
    "omnilude_bots",
    "omnilude_games",
    "omnilude_services",
]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Returns the game Olomòc."""
    return [Olomoc]


@hookimpl
def omnilude_bots() -> Sequence[PackBot]:
    """Returns the greedy bot and the tactician bot."""
    return [GreedyBot(Olomoc), TacticianBot()]


@hookimpl
def omnilude_services() -> Sequence[PackService]:
    """Returns the services for front ends: cards, and measurements on the board."""
    return [CardService(), MeasureService()]
