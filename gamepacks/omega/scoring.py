"""Scores as values (OMEGA-SCORE), who has won, and what that is worth; the numbers come from ``judgement.pyx``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamepacks.api.outcome import share_win

if TYPE_CHECKING:
    from gamepacks.omega.engine.state import OmegaState
    from gamepacks.omega.game import Omega


@dataclass(frozen=True, slots=True)
class Score:
    """What a seat's judgement is made of."""

    runes: int
    gold: int
    arcana: int
    bonus: int
    arcana_most: int
    """More than ``arcana`` only where a token depends on what is not known."""

    @property
    def total(self) -> int:
        """Victory points (OMEGA-SCORE-01), with the least that the tokens are worth."""
        return self.runes + self.gold + self.arcana + self.bonus


def scores(state: OmegaState) -> list[Score]:
    """The true scores if it came to judgement now."""
    return [Score(*tally, arcana_most=tally[2]) for tally in state.tallies()]


def known_score(state: OmegaState, seat: int) -> Score:
    """The score of a seat if it came to judgement now, by what the seat itself knows (section 15.6)."""
    runes, gold, _, bonus = state.tallies()[seat]
    least, most = state.known_arcana(seat)
    return Score(runes, gold, least, bonus, most)


def winners(game: Omega, state: OmegaState) -> list[int]:
    """The seats that win if it came to judgement now (OMEGA-SCORE-08, option tie_break)."""
    totals = [sum(tally) for tally in state.tallies()]
    leaders = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if len(leaders) == 1 or game.options.tie_break == "shared":
        return leaders
    players = state.dump()["players"]
    most_arcana = game.options.tie_break == "most_arcana"
    second = [len(player["tokens"]) if most_arcana else player["prestige"] for player in players]
    return [seat for seat in leaders if second[seat] == max(second[other] for other in leaders)]


def returns(game: Omega, state: OmegaState) -> tuple[float, ...]:
    """What each seat wins, or would if it came to judgement now; everybody winning together is worth nothing."""
    return share_win(game.players, winners(game, state))
