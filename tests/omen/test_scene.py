"""The scenes of both editions: their parts, the titles, and the parts that each action touches."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import SPECTATOR, Code, Seat, Viewer
from gamepacks.omen import codes
from gamepacks.omen.codes import BOOK
from gamepacks.omen.game import Omen, OmenTraits
from gamepacks.omen.v1 import omen_pb2 as pb
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import played, soldier
from tests.support.scenes import parts, text

Data = dict[str, Any]
BY_LABEL = {"CHOOSE", "COUNT", "NAME", "ORDER"}
"""Verbs whose actions touch no part: their labels tell them apart."""
EVERYTHING: Data = {
    "start": "emissary", "spirits": True, "heroes": True, "challenges": "normal", "whims": True, "relics": True,
    "feat_claim": "optional", "survivors": "up_to", "spirit_order": "player", "auto_single": False, "max_turns": 24,
}  # fmt: skip


def scene(found: Scenario, viewer: int) -> str:
    """The scene of a state for a viewer."""
    return found.game.svg(found.game.view(found.state, Viewer(viewer)))


def targets(found: Scenario) -> dict[str, tuple[str, ...]]:
    """The targets of the legal actions of the seat to act, by label."""
    game, state = found.game, found.state
    legal = [Code(code) for code in state.legal()]
    touched = game.targets(game.view(state, Viewer(state.actor())), [game.action(state, code) for code in legal])
    return {game.label(state, code): target for code, target in zip(legal, touched, strict=True)}


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (Omen, {"max_turns": 24}),
        (Omen, EVERYTHING),
        (Omen, {"draft": "keep2of3", "max_turns": 20}),
        (Omen, {"draft": "open20", "max_turns": 20}),
        (OmenTraits, {"max_turns": 24, "auto_single": False}),
        (OmenTraits, {"combined": True, "max_turns": 24}),
    ],
)
def test_actions_of_random_games_touch_parts_of_the_scene(kind: Any, options: Data) -> None:
    game = kind.configure(2, options)
    for seed in range(2):
        state, rng = game.initial_state(), Rng(seed)
        while (actor := state.actor()) != TERMINAL:
            if actor == CHANCE:
                state.apply_unchecked(rng.weighted(state.chance()))
                continue
            seat = actor if actor >= 0 else (state.seats_to_act() & -state.seats_to_act()).bit_length() - 1
            legal = [Code(code) for code in state.legal(seat)]
            view = game.view(state, Viewer(seat))
            touched = game.targets(view, [game.action(state, code) for code in legal])
            for code, target in zip(legal, touched, strict=True):
                assert bool(target) != (BOOK.verb(code).name in BY_LABEL), game.label(state, code)
            if not rng.below(5):
                assert {part for target in touched for part in target} <= parts(game.svg(view)).keys()
            state.apply_unchecked(rng.choice(legal), seat)


def test_surge_shows_ones_own_hand_and_hides_the_other() -> None:
    found = scenario(
        {
            "step": "surge",
            "A": {"coins": 4, "hand": ["olive_trader", "marble_bull"], "rewards": []},
            "B": {"coins": 1, "hand": ["envoy", "war_drummer"]},
            "c1": {"A": ["smoke_seer"], "relic": ["bright_aegis", "A"]},
        },
        {"relics": True, "challenges": "normal"},
        house=True,
    )
    titles = parts(scene(found, 0))
    records = {card.id: card for card in found.game.cards.units}
    assert records["olive_trader"].text in titles["hand-0-olive-trader"]
    assert titles["hand-0-olive-trader"].startswith("Olive Trader: Cost 2, Offering 2, Strength 1.")
    assert [titles[id] for id in titles if id.startswith("hand-1-")] == ["A hidden Unit in hand"] * 2
    assert records["smoke_seer"].text in titles["unit-0-0-smoke-seer"]
    assert titles["city-0"].startswith("Left City: 4 Rewards")
    assert "placed-0-0-bright-aegis" in titles
    touched = targets(found)
    assert touched["Choose Marble Bull (play, use)"] == ("hand-0-marble-bull",)
    assert touched["End Surge"] == ("button-end",)
    spectator = parts(scene(found, SPECTATOR))
    assert not any("olive" in id or id.startswith("button-") for id in spectator)


@pytest.mark.rule("OMEN-WAR-14")
def test_survivors_are_chosen_by_their_units_and_confirmed() -> None:
    found = scenario(
        {
            "step": "surge",
            "A": {"hand": ["z11"]},
            "B": {"hand": ["z12"]},
            "c1": {"A": ["s1a", "s2a", "b5a"], "B": ["s4a", "s3b"]},
        }
    )
    assert BOOK.verb(found.state.legal()[0]) is codes.KEEP
    touched = targets(found)
    assert touched
    for label, target in touched.items():
        names = label.removeprefix("Keep ").partition(" in the left City")[0].split(" and ")
        seat = found.state.actor()
        assert target == (*(f"unit-{seat}-0-{name}" for name in names), "button-keep")


def test_a_pick_touches_the_zone_that_the_cards_lie_in() -> None:
    table: Data = {
        "A": {"hand": ["s3a", "z11"], "coins": 3},
        "B": {"hand": ["s3b", "z12"], "coins": 1},
        "c1": {"A": ["s1a"], "B": ["s2a"]},
        "discard": ["s4a", "b5a"],
    }
    for effect, expected in (
        ({"op": "discard", "sel": {"zone": "hand"}}, {"hand-0-s3a", "hand-0-z11"}),
        ({"op": "put", "sel": {"zone": "discard"}, "to": "hand"}, {"discard-0-b5a", "discard-0-s4a"}),
        ({"op": "destroy", "sel": {"zone": "city", "side": "any", "not_self": True}}, {"unit-0-0-s1a", "unit-1-0-s2a"}),
    ):
        found = played(table, soldier("it", [effect]), city="3")
        assert {part for target in targets(found).values() for part in target} == expected


def test_a_pick_that_may_end_has_a_button() -> None:
    effect = {"op": "destroy", "sel": {"zone": "city", "side": "opp", "n": {"up_to": 2}}}
    table: Data = {"A": {"hand": ["z11"], "coins": 3}, "c1": {"B": ["s1a", "s2a"]}}
    found = played(table, soldier("it", [effect]), city="3")
    assert targets(found)["No more"] == ("button-stop",)
    assert "button-stop" in parts(scene(found, 0))
    assert "button-stop" not in parts(scene(found, 1))
    assert "Now: it." in text(scene(found, 0))


def test_another_seat_sees_no_card_of_a_hand_touched() -> None:
    found = scenario({"step": "surge", "A": {"coins": 4, "hand": ["s1a"]}, "c1": {"A": ["s2a"]}}, {})
    touched: dict[str, Any] = {}
    for _ in range(2):
        game, state = found.game, found.state
        view, code = game.view(state, Viewer(1)), Code(state.legal()[0])
        touched[BOOK.verb(code).name] = list(game.touched(view, Seat(0), game.action(state, code)))
        found.take(code, 0)
    assert touched == {"SURGE": [], "CITY": ["city-0"]}
    benefit = pb.Action(wealth=pb.BENEFIT_COIN)
    assert game.touched(view, Seat(0), benefit) == ("coins-0",)


def test_the_viewer_sits_below() -> None:
    found = scenario({"step": "surge", "A": {"hand": ["z11"]}, "B": {"hand": ["z12"]}}, {})
    for viewer, order in ((0, ["player-1", "player-0"]), (1, ["player-0", "player-1"])):
        assert [id for id in parts(scene(found, viewer)) if id.startswith("player-")] == order
