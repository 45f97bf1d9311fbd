"""Scores of the seats, the winners and the returns (OMEGA-SCORE); the numbers come from ``engine/scoring.pxi``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamepacks.api.outcome import share_win

if TYPE_CHECKING:
    from gamepacks.omega.engine.rules import OmegaState
    from gamepacks.omega.game import Omega


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a seat by its parts."""

    runes: int
    gold: int
    arcana: int
    bonus: int
    arcana_most: int
    """Upper bound of ``arcana``; larger only where a token depends on what the seat does not know."""

    @property
    def total(self) -> int:
        """Victory points (OMEGA-SCORE-01), with the lower bound of the tokens."""
        return self.runes + self.gold + self.arcana + self.bonus


def scores(state: OmegaState) -> list[Score]:
    """The true scores if the judgement were now."""
    return [Score(*parts, arcana_most=parts[2]) for parts in state.score_parts()]


def known_score(state: OmegaState, seat: int) -> Score:
    """The score of a seat if the judgement were now, given what the seat knows (section 15.6)."""
    runes, gold, _, bonus = state.score_parts()[seat]
    least, most = state.arcana_bounds(seat)
    return Score(runes, gold, least, bonus, most)


def winners(game: Omega, state: OmegaState) -> list[int]:
    """The seats that win if the judgement were now (OMEGA-SCORE-08, option tie_break)."""
    totals = [sum(parts) for parts in state.score_parts()]
    leaders = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if len(leaders) == 1 or game.options.tie_break == "shared":
        return leaders
    players = state.dump()["seats"]
    most_arcana = game.options.tie_break == "most_arcana"
    second = [len(player["tokens"]) if most_arcana else player["prestige"] for player in players]
    return [seat for seat in leaders if second[seat] == max(second[other] for other in leaders)]


def returns(game: Omega, state: OmegaState) -> tuple[float, ...]:
    """The return of each seat if the judgement were now; if all seats win together, each gets 0."""
    return share_win(game.players, winners(game, state))
