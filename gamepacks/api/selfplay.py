"""Matches of bots without a service, for statistics about a bot, a card set or an option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamepacks.api.bots import Budget, Turn
from gamepacks.api.game import Game
from gamepacks.api.types import Seat
from omnilude.bots import Bot


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A match that bots have played."""

    end: State
    """The final state."""
    steps: int
    """Actions and outcomes of chance."""
    choices: int
    """Decisions with more than one legal action."""


def self_play(
    game: Game[Any],
    seated: Sequence[tuple[Bot, Budget]],
    rng: Rng,
    watch: Callable[[State], None] | None = None,
    dice: Rng | None = None,
) -> SelfPlayGame:
    """Play a match to its end: the bot and budget of each seat decide for it.

    As on a service, a bot gets a state resampled for its seat at each decision; if only one action is legal, no bot is
    asked. Of seats that decide simultaneously the lowest comes first, which no bot can notice. The same generator gives
    the same match, unless a budget is a time limit. ``watch`` is called with the state after every step; it must
    not change it. With ``dice`` the outcomes of chance come from a generator of their own, so that pairs of matches
    can have the same ones whatever the bots draw.
    """
    dice = rng if dice is None else dice
    state = game.initial_state()
    steps = choices = 0
    while (actor := state.actor()) != TERMINAL:
        steps += 1
        if actor == CHANCE:
            state.apply_unchecked(dice.weighted(state.chance()))
        else:
            seat = Seat(
                actor if actor != SIMULTANEOUS else (state.seats_to_act() & -state.seats_to_act()).bit_length() - 1
            )
            legal = state.legal(seat)
            code = legal[0]
            if len(legal) > 1:
                choices += 1
                bot, budget = seated[seat]
                choice: Any = bot.choose(Turn(game, state.resample(seat, rng), seat, rng, budget))
                code = index(choice)
            state.apply_unchecked(code, seat)
        if watch is not None:
            watch(state)
    return SelfPlayGame(state, steps, choices)
