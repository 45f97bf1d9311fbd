"""The greedy bot: it evaluates points, Feats, and Strength in Cities where War is near."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.omen.codes import Decision, Phase
from gamepacks.omen.engine.state import OmenState

_PARTS = frozenset(
    {
        Decision.MODE,
        Decision.CITY,
        Decision.SPIRIT,
        Decision.UNIT,
        Decision.CARD,
        Decision.CHOOSE,
        Decision.MAY,
        Decision.COUNT,
        Decision.NAME,
    }
)
"""Decisions that are parts of one move: the bot searches through its own ones."""
DEPTH = 3
"""Search depth in such decisions; 1 at private decisions, for which the service waits."""
BREADTH = 12
POINT, SIDE, HEAT, FEAT = 1.0, 0.25, 2.0, 1.9
"""Weights of the evaluation: a point, a point of Strength in a City, the lead in a City that is at war, a Feat whose
condition holds before the Feat step.

Coins and cards have no weight: a bot that values them saves them, and loses to one that plays all it can (measured
over mirror games)."""


class GreedyBot(Bot):
    """Searches one move ahead, to the next chance node or decision of the other player. It needs no budget."""

    name = "greedy"
    description = "Takes the move with the best evaluation of points and Cities."
    inline_private = True

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OmenState)
        codes = state.legal(seat)
        if len(codes) == 1:
            return Code(codes[0])
        depth = DEPTH if state.decline_code() == -1 else 1
        values = [self._search(state, code, seat, depth) for code in codes]
        best = max(values)
        return Code(rng.choice([code for code, value in zip(codes, values, strict=True) if value == best]))

    def _search(self, state: OmenState, code: int, seat: int, depth: int) -> float:
        """Evaluation for a seat after a code and the decisions that belong to the same move."""
        after = state.clone()
        assert isinstance(after, OmenState)
        after.apply_unchecked(code, seat)
        decision, decider = after.decision
        if depth and decider == seat and decision in _PARTS:
            return max(self._search(after, following, seat, depth - 1) for following in after.legal(seat)[:BREADTH])
        return self.evaluate(after, seat)

    def evaluate(self, state: OmenState, seat: int) -> float:
        """Evaluation of a state for a seat."""
        other = 1 - seat
        scores, numbers = state.scores(), state.counters()
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
