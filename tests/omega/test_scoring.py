"""The judgement, and the points of tokens: sections 11 and 16.3 of RULES.md."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.omega.codes import Ending
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, lightning
from tests.omega.scenario import OmegaScenario, Player

OVER = {"phase": Phase.OVER, "ending": Ending.EXHAUSTION, "announcer": 0}
TABLE = [0, 0, 1, 2, 3, 4, 5, 6, 7, 9, 12]


def fixed(**points: int) -> dict[str, Any]:
    """Tokens with fixed points by id; the rest of the 42 are worth nothing."""
    tokens = [{"id": name, "copies": 1, "points": {"kind": "fixed", "n": n}} for name, n in points.items()]
    rest = {"id": "nothing", "copies": 42 - len(tokens), "points": {"kind": "fixed", "n": 0}}
    return {"tokens": (rest, *tokens)}


@pytest.mark.rule("OMEGA-SCORE-01")
def test_the_score_is_the_sum_of_four_numbers() -> None:
    scenario = OmegaScenario(set_=fixed(six=6)).at(
        Player("GGG", {"Z0": "4G", "Z1": "3V"}, prestige=1, tokens=["six"]), Player("", {"Z2": "V"}), **OVER
    )
    assert scenario.points(0) == (3 + 2, 8, 6, 5)
    score = scenario.view().players[0].score
    assert (score.runes, score.gold, score.arcana, score.bonus, score.total) == (5, 8, 6, 5, 24)


@pytest.mark.rule("OMEGA-SCORE-02")
def test_rune_points_by_load() -> None:
    for load, points in enumerate(TABLE):
        for runes in (load * "V", "K" * load):
            assert OmegaScenario().at(Player("", {"Z0": runes})).points(0) == (points, 0, 0, 0)
    rows = {"Z0": "10V", "Z1": "10R", "Z2": "5B 5W", "Z3": "9B K"}
    assert OmegaScenario().at(Player("", rows)).points(0)[0] == 48


@pytest.mark.rule("OMEGA-SCORE-03")
def test_two_points_for_each_gold_on_own_egregors() -> None:
    scenario = OmegaScenario().at(Player("GGG", {"Z0": "GG", "Z1": "VG"}), Player("", {"Z2": "5G"}))
    assert [scenario.points(seat)[1] for seat in (0, 1)] == [6, 10]


@pytest.mark.rule("OMEGA-SCORE-04")
@pytest.mark.parametrize(
    ("prestige", "bonus"),
    [((3, 2, 2), (5, 0, 0)), ((2, 2, 1), (5, 5, 0)), ((1, 1, 1), (5, 5, 5)), ((0, 0, 1), (0, 0, 5))],
)
def test_most_prestige_gives_five_points_to_all_who_are_tied(prestige: tuple[int, ...], bonus: tuple[int, ...]) -> None:
    scenario = OmegaScenario(3).at(*(Player(prestige=number) for number in prestige))
    assert tuple(scenario.points(seat)[3] for seat in range(3)) == bonus


@pytest.mark.rule("OMEGA-SCORE-05")
def test_nobody_gets_the_bonus_without_prestige() -> None:
    scenario = OmegaScenario(3).at()
    assert [scenario.points(seat)[3] for seat in range(3)] == [0, 0, 0]


@pytest.mark.rule("OMEGA-SCORE-06")
def test_prestige_is_no_victory_point() -> None:
    scenario = OmegaScenario().at(Player(prestige=9), Player(prestige=1))
    assert scenario.points(0) == (0, 0, 0, 5)
    assert scenario.points(1) == (0, 0, 0, 0)


@pytest.mark.rule("OMEGA-SCORE-07")
def test_runes_in_the_pyramid_are_worth_nothing() -> None:
    scenario = OmegaScenario().at(Player("10G 5V 5K"))
    assert scenario.points(0) == (0, 0, 0, 0)
    token = {"kind": "per", "what": {"counter": "runes_in_pyramid"}, "n": 1}
    assert worth(token, Player("10G 5V 5K")) == 20


@pytest.mark.rule("OMEGA-SCORE-08")
def test_the_highest_score_wins_and_a_tie_is_shared() -> None:
    def at(*tokens: str) -> OmegaScenario:
        return OmegaScenario(3, set_=fixed(a=5, b=5, c=7)).at(*(Player(tokens=[token]) for token in tokens), **OVER)

    scenario = at("a", "b", "c")
    assert list(scenario.view().winners) == [2]
    assert scenario.state.returns() == (-0.5, -0.5, 1.0)
    scenario = at("a", "b", "nothing")
    assert list(scenario.view().winners) == [0, 1]
    assert scenario.state.returns() == (0.25, 0.25, -0.5)
    scenario = at("nothing", "nothing", "nothing")
    assert list(scenario.view().winners) == [0, 1, 2]
    assert scenario.state.returns() == (0.0, 0.0, 0.0)


@pytest.mark.rule("OMEGA-SCORE-08")
def test_more_tokens_or_prestige_decide_nothing_by_default() -> None:
    scenario = OmegaScenario(set_=fixed(a=5, b=3, c=2)).at(
        Player(tokens=["a"], prestige=1), Player(tokens=["b", "c"], prestige=1), **OVER
    )
    assert list(scenario.view().winners) == [0, 1]


def test_judgement_follows_by_itself_and_has_an_event() -> None:
    scenario = OmegaScenario(set_=fixed(a=5)).at(
        Player("", {"Z0": ""}), Player("", {"Z1": "10V"}), ending=Ending.EXHAUSTION, announcer=1, final_turns_left=1
    )
    scenario.end()
    judgement = scenario.event("judgement")
    assert [score.total for score in judgement.scores] == [0, 12]
    assert (list(judgement.winners), judgement.ending) == ([1], Ending.EXHAUSTION)


# -- what tokens are worth ---------------------------------------

CARDS = {
    "N": F(2, 3),
    "R": F(5, 0, renegade=True),
    "P": F(0, 4, primitive=True),
    "L": F(1, 1, lightning(("draw", 1))),
    "B": F(3, 2, book(("cycle", 1))),
    "K": F(4, 1, book(("key", 2)), lightning(("advance", 1))),
}


def worth(formula: dict[str, Any], *seats: Player, squares: int = 12) -> int:
    """Points of a token with that formula for seat 0."""
    tokens = (
        {"id": "it", "copies": 1, "points": formula},
        {"id": "rest", "copies": 41, "points": {"kind": "fixed", "n": 0}},
    )
    first, *others = seats
    first.tokens = ["it", *first.tokens]
    scenario = OmegaScenario(max(2, len(seats)), CARDS, set_={"tokens": tokens, "squares": squares, "eye": 1})
    scenario.at(first, *others, tops=["rest"] * 6)
    assert scenario.points(0)[2] == scenario.state.token_points(0)[0]
    return scenario.points(0)[2]


def per(what: dict[str, Any], **more: int) -> dict[str, Any]:
    return {"kind": "per", "what": what, "n": 1, **more}


ROW = {"N": "GGK", "R": "R", "P": "", "B": "VVWW", "K": "10B"}


def owner() -> Player:
    row = {name: load for name, load in ROW.items() if name != "P"}
    return Player("GGVK", row, steps=26, prestige=3, tokens=["rest", "rest"])


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ({"counter": "runes_on_egregors"}, 3 + 1 + 4 + 10),
        ({"counter": "runes_on_egregors", "color": "gold"}, 2),
        ({"counter": "runes_on_egregors", "color": "black"}, 1),
        ({"counter": "runes_in_pyramid"}, 4),
        ({"counter": "runes_in_pyramid", "color": "gold"}, 2),
        # Black is not a colour.
        ({"counter": "colours_on_egregors"}, 5),
        ({"counter": "egregors"}, 4),
        ({"counter": "snake_sum"}, 2 + 5 + 3 + 4),
        ({"counter": "thrust_sum"}, 3 + 0 + 2 + 1),
        ({"counter": "prestige"}, 3),
        ({"counter": "arcana_count"}, 3),
        ({"counter": "laps"}, 2),
        ({"counter": "sets", "colors": ["gold", "green"]}, 2),
        ({"counter": "sets", "colors": ["gold", "green", "red"]}, 1),
        ({"counter": "sets", "colors": ["gold", "black"]}, 1),
        ({"counter": "egregors", "filter": {"renegade": True}}, 1),
        ({"counter": "egregors", "filter": {"renegade": False}}, 3),
        ({"counter": "egregors", "filter": {"primitive": True}}, 0),
        ({"counter": "egregors", "filter": {"primitive": False}}, 4),
        ({"counter": "egregors", "filter": {"key": True}}, 1),
        ({"counter": "egregors", "filter": {"key": False}}, 3),
        ({"counter": "egregors", "filter": {"trigger": "book"}}, 2),
        ({"counter": "egregors", "filter": {"trigger": "lightning"}}, 1),
        ({"counter": "egregors", "filter": {"trigger": "none"}}, 2),
        ({"counter": "egregors", "filter": {"snake_min": 4}}, 2),
        ({"counter": "egregors", "filter": {"snake_max": 3}}, 2),
        ({"counter": "egregors", "filter": {"snake_min": 3, "snake_max": 4}}, 2),
        ({"counter": "egregors", "filter": {"thrust_min": 2}}, 2),
        ({"counter": "egregors", "filter": {"thrust_max": 0}}, 1),
        ({"counter": "egregors", "filter": {"with_color": "gold"}}, 1),
        ({"counter": "egregors", "filter": {"with_color": "black"}}, 1),
        ({"counter": "egregors", "filter": {"load_min": 4}}, 2),
        ({"counter": "egregors", "filter": {"load_max": 3}}, 2),
        ({"counter": "egregors", "filter": {"load_min": 10, "trigger": "book"}}, 1),
        ({"counter": "egregors", "filter": {"load_min": 10, "trigger": "none"}}, 0),
    ],
)
def test_arcana_counters_count_their_subject(what: dict[str, Any], value: int) -> None:
    what = {name: tuple(value) if isinstance(value, list) else value for name, value in what.items()}
    assert worth(per(what), owner()) == value


COUNT = {"counter": "prestige"}
LOOKUP = {"kind": "table", "what": COUNT}


@pytest.mark.parametrize(
    ("formula", "prestige", "points"),
    [
        ({"kind": "fixed", "n": -4}, 0, -4),
        (per(COUNT, n=3), 5, 15),
        (per(COUNT, n=-2), 5, -10),
        (per(COUNT, n=3, each=2), 5, 6),
        (per(COUNT, n=3, each=2), 1, 0),
        (per(COUNT, n=3, max=7), 5, 7),
        (per(COUNT, n=3, max=7), 2, 6),
        # A bound of nothing is a bound, and one below nothing too.
        (per(COUNT, n=3, max=0), 5, 0),
        (per(COUNT, n=-2, max=0), 5, -10),
        (per(COUNT, n=1, max=-3), 0, -3),
        ({"kind": "if", "what": COUNT, "cmp": ">=", "value": 3, "n": 8, "else": 1}, 3, 8),
        ({"kind": "if", "what": COUNT, "cmp": ">=", "value": 3, "n": 8, "else": 1}, 2, 1),
        ({"kind": "if", "what": COUNT, "cmp": "=", "value": 3, "n": 8, "else": 1}, 3, 8),
        ({"kind": "if", "what": COUNT, "cmp": "=", "value": 3, "n": 8, "else": 1}, 4, 1),
        ({"kind": "if", "what": COUNT, "cmp": "<=", "value": 3, "n": 8, "else": 1}, 3, 8),
        ({"kind": "if", "what": COUNT, "cmp": "<=", "value": 3, "n": 8}, 4, 0),
        ({"kind": "table", "what": COUNT, "values": (1, 4, 9)}, 0, 1),
        ({"kind": "table", "what": COUNT, "values": (1, 4, 9)}, 2, 9),
        ({"kind": "table", "what": COUNT, "values": (1, 4, 9)}, 7, 9),
        ({"kind": "sum", "of": ({"kind": "fixed", "n": 8}, per(COUNT, n=-2))}, 3, 2),
        (
            {
                "kind": "sum",
                "of": (
                    {"kind": "sum", "of": ({"kind": "fixed", "n": 1}, {**LOOKUP, "values": (2, 5)})},
                    {"kind": "table", "what": COUNT, "values": (10, 20, 30)},
                    per(COUNT, n=100),
                ),
            },
            2,
            1 + 5 + 30 + 200,
        ),
    ],
)  # fmt: skip
def test_arcana_formulas_give_their_points(formula: dict[str, Any], prestige: int, points: int) -> None:
    assert worth(formula, Player(prestige=prestige)) == points


@pytest.mark.parametrize(("others", "every", "alone"), [((1, 1), 6, 6), ((2, 1), 6, 0), ((1, 3), 0, 0), ((2, 2), 6, 0)])
def test_token_for_the_leader_of_a_counter(others: tuple[int, int], every: int, alone: int) -> None:
    seats = [Player(prestige=number) for number in others]
    for tie, points in (("all", every), ("none", alone)):
        formula = {"kind": "most", "what": COUNT, "n": 6, "tie": tie}
        assert worth(formula, Player(prestige=2), *seats) == points


@pytest.mark.parametrize(("tie", "points"), [("all", 6), ("none", 0)])
def test_with_nothing_all_seats_lead_together(tie: str, points: int) -> None:
    formula = {"kind": "most", "what": COUNT, "n": 6, "tie": tie}
    assert worth(formula, Player(), Player(), Player()) == points


def test_tokens_count_for_their_holder_alone() -> None:
    tokens = ({"id": "it", "copies": 42, "points": per({"counter": "prestige"})},)
    scenario = OmegaScenario(set_={"tokens": tokens}).at(
        Player(prestige=2, tokens=["it", "it"]), Player(prestige=7, tokens=["it"])
    )
    assert [scenario.points(seat)[2] for seat in (0, 1)] == [4, 7]
