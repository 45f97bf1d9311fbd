"""Types that the engine, the packs and the service share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from cext.state import CHANCE as _CHANCE
from cext.state import SIMULTANEOUS as _SIMULTANEOUS
from cext.state import TERMINAL as _TERMINAL

Seat = NewType("Seat", int)
"""A seat of a match, from 0."""

Code = NewType("Code", int)
"""An action or an outcome of chance: a signed 32-bit number whose meaning its pack's rules version fixes."""

Viewer = NewType("Viewer", int)
"""The viewer of a state: a seat, SPECTATOR or OMNISCIENT."""

CHANCE: int = _CHANCE
"""``State.actor()`` at a chance node."""
SIMULTANEOUS: int = _SIMULTANEOUS
"""``State.actor()`` when several seats make a hidden decision."""
TERMINAL: int = _TERMINAL
"""``State.actor()`` at the end."""

SPECTATOR = Viewer(-1)
"""The viewer who knows only what everyone knows."""
OMNISCIENT = Viewer(-2)
"""The viewer who knows everything."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capability card of a game, which clients and bots read before they play.

    ``hidden`` says whether a seat can know something that others do not. Pending decisions at a simultaneous node do
    not count: a game without other secrets has ``simultaneous=True`` and ``hidden=False``. ``max_plies`` bounds the
    actions and outcomes of a match with default options; the kit holds play-outs to it. ``continuous`` says that there
    are decisions whose ``legal()`` is a sample while ``is_legal()`` accepts a finer grid; which ones, ``Game.sampled``
    says.
    """

    min_players: int
    max_players: int
    chance: bool
    hidden: bool
    simultaneous: bool
    max_plies: int
    continuous: bool = False
    zero_sum: bool = True
    min_return: float = -1.0
    max_return: float = 1.0


@dataclass(frozen=True, slots=True)
class CardSet:
    """A card set that a game is played with. ``digest`` is BLAKE2b-256 of its canonical data."""

    id: str
    title: str
    house: bool
    digest: bytes
