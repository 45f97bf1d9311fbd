"""The scene of OMEGA: its parts, their titles, and the parts that each action touches."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import SPECTATOR, Code, Seat, Viewer
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BOOK
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, library, lightning
from tests.omega.scenario import OmegaScenario, Player
from tests.support.scenes import parts, text


def scene(scenario: OmegaScenario, viewer: int) -> str:
    """The scene of a state for a viewer."""
    return scenario.game.svg(scenario.game.view(scenario.state, Viewer(viewer)))


def targets(scenario: OmegaScenario) -> dict[str, tuple[str, ...]]:
    """The targets of the legal actions of the seat to act, by label."""
    game, state = scenario.game, scenario.state
    legal = [Code(code) for code in state.legal()]
    view = game.view(state, Viewer(state.actor()))
    found = game.targets(view, [game.action(state, code) for code in legal])
    return {game.label(state, code): target for code, target in zip(legal, found, strict=True)}


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (3, {"power_amount": "up_to", "recovery": "up_to", "arcana_view": "open"}),
        (4, {"green_pairing": "consecutive", "black_takes": "nonwhite", "disown_limit": "any"}),
    ],
)
def test_each_action_of_random_games_has_targets_of_its_own(players: int, options: dict[str, Any]) -> None:
    game = Omega.configure(players, {"max_turns": 25, **options})
    state, rng = game.initial_state(), Rng(players)
    verbs = set()
    while (actor := state.actor()) != TERMINAL:
        if actor == CHANCE:
            state.apply_unchecked(rng.weighted(state.chance()))
            continue
        legal = [Code(code) for code in state.legal(actor)]
        view = game.view(state, Viewer(actor))
        found = game.targets(view, [game.action(state, code) for code in legal])
        assert len(set(found)) == len(found)
        if not rng.below(8):
            assert {part for target in found for part in target} <= parts(game.svg(view)).keys()
        verbs |= {BOOK.verb(code).name for code in legal}
        state.apply_unchecked(rng.choice(legal), actor)
    assert {"SUMMON", "PLACE", "ADD", "CONFIRM", "TARGET", "TAKE_ALTAR", "TAKE_BAG", "MASK", "ARCANA"} <= verbs


def test_the_main_phase_offers_cards_runes_powers_and_buttons() -> None:
    cards = {
        "Anna": F(3, 2, book(("draw", 1)), lightning(("advance", 2))),
        "Bea": F(2, 1, primitive=True),
        "Cora": F(1, 1, renegade=True),
    }
    scenario = OmegaScenario(cards=cards)
    scenario.at(Player("RRVVK", {"Anna": "B", "Bea": "R"}), Player("GG", {"Cora": "W", "Z4": "G"}), altar="RK")
    found = targets(scenario)
    assert found["Summon Z38"] == ("gallery-0",)
    assert found["Capture Cora of seat 1"] == ("egregor-1-0",)
    assert found["Place a red rune"] == ("pyramid-0-red",)
    assert found["Place a black rune on an opposing Egregor"] == ("pyramid-0-black",)
    assert found["Place two green runes at once"] == ("button-pair",)
    assert found["Use Anna, power 1: draw 1 rune"] == ("power-0-0-0",)
    assert found["Put the Mask on Bea"] == ("mask-0", "egregor-0-1")
    assert found["End the main phase"] == ("button-end",)
    titles = parts(scene(scenario, 0))
    assert {part for target in found.values() for part in target} <= titles.keys()
    assert titles["egregor-0-0"] == (
        "Anna: snake 3 (runes that its loser picks), thrust 2 (squares at the end of each turn). "
        "Book: draw 1 rune (once a turn). Lightning: advance 2 (once, when it is gained). It carries 1 blue"
    )
    assert "Primitive (it takes one colour)" in titles["egregor-0-1"]
    assert "Renegade (it never wears the Mask)" in titles["egregor-1-0"]
    assert titles["pyramid-0"] == "Pyramid of seat 0: 2 red, 2 green, 1 black"
    assert titles["altar"] == "Altar: 1 red, 1 black, face up"


def test_other_viewers_see_the_size_of_a_pyramid_and_no_buttons() -> None:
    scenario = OmegaScenario().at(Player("RRV", {"Z1": "B"}), Player("GG"))
    for viewer in (1, SPECTATOR):
        titles = parts(scene(scenario, viewer))
        assert titles["pyramid-0"] == "Pyramid of seat 0: 3 hidden runes"
        assert not any(id.startswith(("button-", "pyramid-0-")) for id in titles)


def test_a_decision_about_an_egregor_touches_its_runes() -> None:
    scenario = OmegaScenario().at(Player("K", {"Z1": "B"}), Player("", {"Z2": "RG", "Z3": "G"}))
    scenario.take(codes.PLACE_BLACK)
    assert targets(scenario)["Place the black rune on Z2 of seat 1"] == ("egregor-1-0",)
    scenario.take(codes.BLACK_TARGET, 1, "Z2")
    assert targets(scenario) == {
        "Take a gold rune with the black rune": ("egregor-1-0-gold",),
        "Take a red rune with the black rune": ("egregor-1-0-red",),
    }
    assert "seat 0 decides: choose the rune that the black rune takes from Z2 of seat 1." in text(scene(scenario, 1))


def test_another_seat_sees_what_an_action_touched() -> None:
    scenario = OmegaScenario().at(Player("K", {"Z1": "B"}), Player("", {"Z2": "RG"}))
    game, state = scenario.game, scenario.state
    touched = {
        game.label(state, Code(code)): game.touched(
            game.view(state, Viewer(1)), Seat(0), game.action(state, Code(code))
        )
        for code in state.legal()
    }
    assert touched["Put the Mask on Z1"] == ("mask-0", "egregor-0-0")
    assert touched["Place a black rune on an opposing Egregor"] == ()


def test_the_end_shows_winners_and_the_parts_of_the_scores() -> None:
    scenario = OmegaScenario().at(Player("", {"Z1": "GG"}), Player(), phase=Phase.OVER, ending=4, announcer=0)
    written = text(scene(scenario, SPECTATOR))
    assert "The judgement is over: seat 0 wins." in written
    assert "seat 1: 0 points (runes 0, gold 0, Arcana 0, Prestige bonus 0)" in written


def test_names_of_cards_are_data() -> None:
    name = "<script>alert(1)</script>&"
    game = Omega.configure(2, {"card_set": "fixture"}, library({name: F()}))
    state, rng = game.initial_state(), Rng(1)
    while name not in [slot.card.name for slot in game.view(state, SPECTATOR).gallery]:
        if state.actor() == TERMINAL:
            state = game.initial_state()
        elif state.actor() == CHANCE:
            state.apply_unchecked(rng.weighted(state.chance()))
        else:
            state.apply_unchecked(rng.choice(state.legal()), state.actor())
    svg = game.svg(game.view(state, SPECTATOR))
    assert "<script" not in svg
    assert any(title.startswith(name) for title in parts(svg).values())
