"""A bot that takes what looks best at once: prizes and Feats, strength where war is near."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.omen.codes import Ask, Phase
from gamepacks.omen.engine.state import OmenState

_PARTS = frozenset({Ask.MODE, Ask.CITY, Ask.SPIRIT, Ask.UNIT, Ask.CARD, Ask.CHOOSE, Ask.MAY, Ask.COUNT, Ask.NAME})
"""Decisions that are parts of one move: the bot looks on through its own ones."""
DEPTH = 3
"""How many of them; one at private decisions, for which the service waits."""
BREADTH = 12
POINT, SIDE, HEAT, FEAT = 1.0, 0.25, 2.0, 1.9
"""What a point is worth, a point of Strength in a City, the lead in a City that is at war, a Feat whose condition holds
before the Feat step.

Coins and cards are worth nothing by themselves: a bot that values them saves them, and loses to one that plays all it
can (measured over mirror games)."""


class GreedyBot(Bot):
    """Looks one move ahead, to the next thing that is left to chance or to the other player. It needs no budget."""

    name = "greedy"
    description = "Takes the move after which points and Cities look best."
    inline_private = True

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OmenState)
        codes = state.legal(seat)
        if len(codes) == 1:
            return Code(codes[0])
        depth = DEPTH if state.decline_code() == -1 else 1
        values = [self._after(state, code, seat, depth) for code in codes]
        best = max(values)
        return Code(rng.choice([code for code, value in zip(codes, values, strict=True) if value == best]))

    def _after(self, state: OmenState, code: int, seat: int, depth: int) -> float:
        """What a position is worth to a seat once it has taken a code and what belongs to it."""
        after = state.clone()
        assert isinstance(after, OmenState)
        after.apply_unchecked(code, seat)
        ask, asked = after.ask
        if depth and asked == seat and ask in _PARTS:
            return max(self._after(after, following, seat, depth - 1) for following in after.legal(seat)[:BREADTH])
        return self.worth(after, seat)

    def worth(self, state: OmenState, seat: int) -> float:
        """What a position looks worth to a seat; the more, the better."""
        other = 1 - seat
        scores, numbers = state.scores(), state.numbers()
        value = POINT * (scores[seat] - scores[other])
        if state.active == seat and state.phase <= Phase.FEAT:
            value += FEAT * state.feats_met()
        for city, left in enumerate(numbers["left"]):
            own, theirs = state.strength(city, seat), state.strength(city, other)
            mine, foes = state.units(city, seat), state.units(city, other)
            value += SIDE * (own - theirs)
            if left:
                heat = min(1.0, max(mine + foes - 1, 1.5 * mine, 1.5 * foes) / 4.5) if mine or foes else 0.0
                value += HEAT * heat * heat * max(-1.0, min(1.0, (own - theirs) / 3.0))
        return value
