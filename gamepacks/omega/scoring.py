"""The judgement: four numbers for each seat (OMEGA-SCORE), token formulas, and who has won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gamepacks.api.outcome import share_win
from gamepacks.omega import cards as data
from gamepacks.omega.codes import GOLD, TYPE_NAMES

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega
    from gamepacks.omega.state import OmegaState

RUNE_POINTS = (0, 0, 1, 2, 3, 4, 5, 6, 7, 9, 12)
"""By load (OMEGA-SCORE-02)."""
PRESTIGE_BONUS = 5


@dataclass(frozen=True, slots=True)
class Score:
    """What a seat's judgement is made of."""

    runes: int
    gold: int
    arcana: int
    bonus: int

    @property
    def total(self) -> int:
        """Victory points (OMEGA-SCORE-01)."""
        return self.runes + self.gold + self.arcana + self.bonus


def scores(game: Omega, state: OmegaState) -> list[Score]:
    """The scores if it came to judgement now."""
    players = state.dump()["players"]
    best = max(player["prestige"] for player in players)
    return [
        Score(
            runes=sum(RUNE_POINTS[sum(card["load"])] for card in player["row"]),
            gold=2 * sum(card["load"][GOLD] for card in player["row"]),
            arcana=sum(token_points(game, players, seat)),
            bonus=PRESTIGE_BONUS * (player["prestige"] == best and (best > 0 or game.options.prestige_zero_bonus)),
        )
        for seat, player in enumerate(players)
    ]


def token_points(game: Omega, players: list[dict[str, Any]], seat: int) -> list[int]:
    """The points of a seat's tokens, in order of taking, as things stand."""
    return [value(game, game.cards.arcana[token].points, players, seat) for token in players[seat]["tokens"]]


def value(game: Omega, formula: data.Formula, players: list[dict[str, Any]], seat: int) -> int:
    """The points of one formula for the holder (section 16.3)."""
    match formula:
        case data.Fixed():
            return formula.n
        case data.Sum():
            return sum(value(game, part, players, seat) for part in formula.of)
        case data.Per():
            points = formula.n * (count(game, formula.what, players[seat]) // formula.each)
            return points if formula.max is None else min(points, formula.max)
        case data.If():
            found = count(game, formula.what, players[seat])
            holds = {">=": found >= formula.value, "=": found == formula.value, "<=": found <= formula.value}
            return formula.n if holds[formula.cmp] else formula.otherwise
        case data.Lookup():
            return formula.values[min(max(count(game, formula.what, players[seat]), 0), len(formula.values) - 1)]
        case data.Most():
            counts = [count(game, formula.what, player) for player in players]
            leads = counts[seat] == max(counts) and (formula.tie == "all" or counts.count(counts[seat]) == 1)
            return formula.n if leads else 0


def count(game: Omega, what: data.Counter, player: dict[str, Any]) -> int:
    """A counter of section 16.3 for the holder."""
    row = player["row"]
    match what:
        case data.Runes():
            loads = [player["pyramid"]] if what.counter == "runes_in_pyramid" else [card["load"] for card in row]
            if what.color is None:
                return sum(map(sum, loads))
            return sum(load[TYPE_NAMES.index(what.color)] for load in loads)
        case data.Sets():
            return min(sum(int(card["load"][TYPE_NAMES.index(color)]) for card in row) for color in what.colors)
        case data.Egregors():
            return sum(_passes(game.cards.egregors[card["card"]], card["load"], what.filter) for card in row)
    if what.counter == "colours_on_egregors":
        return sum(any(card["load"][colour] for card in row) for colour in range(5))
    if what.counter == "snake_sum":
        return sum(game.cards.egregors[card["card"]].snake for card in row)
    if what.counter == "thrust_sum":
        return sum(game.cards.egregors[card["card"]].thrust for card in row)
    if what.counter == "laps":
        return int(player["steps"] // game.rules.squares)
    return int(player["prestige"] if what.counter == "prestige" else len(player["tokens"]))


def _passes(card: data.Egregor, load: list[int], wanted: data.Filter) -> bool:
    triggers: set[str] = {power.trigger for power in card.powers} or {"none"}
    return (
        wanted.renegade in (None, card.renegade)
        and wanted.primitive in (None, card.primitive)
        and wanted.key in (None, card.key > 0)
        and (wanted.trigger is None or wanted.trigger in triggers)
        and _within(card.snake, wanted.snake_min, wanted.snake_max)
        and _within(card.thrust, wanted.thrust_min, wanted.thrust_max)
        and (wanted.with_color is None or load[TYPE_NAMES.index(wanted.with_color)] > 0)
        and _within(sum(load), wanted.load_min, wanted.load_max)
    )


def _within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)


def winners(game: Omega, state: OmegaState) -> list[int]:
    """The seats that win if it came to judgement now (OMEGA-SCORE-08, option tie_break)."""
    players = state.dump()["players"]
    ranks = []
    for player, score in zip(players, scores(game, state), strict=True):
        second = {"shared": 0, "most_arcana": len(player["tokens"]), "most_prestige": player["prestige"]}
        ranks.append((score.total, second[game.options.tie_break]))
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def returns(game: Omega, state: OmegaState) -> tuple[float, ...]:
    """What each seat wins, or would if it came to judgement now; everybody winning together is worth nothing."""
    return share_win(game.players, winners(game, state))
