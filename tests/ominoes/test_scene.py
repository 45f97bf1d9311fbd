"""The scene of Ominoes: board, dice, players, prompt, and the targets of all actions."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from gamepacks.api.scene import SVG_NAMESPACE
from gamepacks.api.types import Code
from gamepacks.ominoes import codes
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import EVERYONE, Scenario

SVG = f"{{{SVG_NAMESPACE}}}"


def parts(table: Scenario) -> dict[str, Element]:
    """The parts of the scene by their ids."""
    root = ElementTree.fromstring(table.game.svg(table.game.view(table.state, EVERYONE)))
    return {part.get("id", ""): part for part in root.iter() if part.get("id")}


def title(part: Element) -> str | None:
    return part.findtext(f"{SVG}title")


def targets(table: Scenario) -> dict[str, list[str]]:
    """The targets of the legal actions, by label."""
    game, state = table.game, table.state
    legal = [Code(code) for code in state.legal()]
    found = game.targets(game.view(state, EVERYONE), [game.action(state, code) for code in legal])
    return {game.label(state, code): list(entry) for code, entry in zip(legal, found, strict=True)}


@pytest.mark.parametrize("size", [6, 8, 12])
def test_each_space_is_a_part_with_what_lies_there(size: int) -> None:
    table = Scenario(2, board_size=size, expert=True).at(ra="a1", yay_ra="b2")
    drawn = parts(table)
    assert sum(name.startswith("cell-") for name in drawn) == size**2
    assert title(drawn["cell-0"]) == "a1: Ra"
    assert title(drawn[f"cell-{size + 1}"]) == "b2: Yay-Ra"
    assert title(drawn["cell-2"]) == "c1: empty"
    middle = table.cell({6: "c3", 8: "d4", 12: "f6"}[size])
    assert "snake pit: closed" in (title(drawn[f"cell-{middle}"]) or "")


def test_prompt_names_seat_action_and_rolled_die() -> None:
    table = Scenario(2).at(Phase.MOVE, ra="a1 c3", rolled=Face.RA)
    drawn = parts(table)
    assert title(drawn["prompt"]) == "Seat 0: move a die"
    texts = [text.text for text in drawn["prompt"].iter(f"{SVG}text")]
    assert " ".join(texts[1:]) == "Exactly 3 steps with a die that shows Ra, around other dice; no space twice."
    assert title(drawn["die-rolled"]) == "Rolled: Ra"
    assert targets(table)["Move Ra from a1 to d1"] == ["cell-0", "cell-3"]


def test_players_are_drawn_with_scores_and_gods() -> None:
    drawn = parts(Scenario(3).at(scores=[0, 5, 4], start=1, turns=9))
    assert title(drawn["player-1"]) == "Seat 1: 5 of 13 points, collects Khepri, Horus"
    rect = drawn["player-1"].find(f"{SVG}rect")
    assert rect is not None and rect.get("class") == "panel active"


def test_targets_of_adding_rerolling_and_placing_are_spaces() -> None:
    table = Scenario(2).at(Phase.ADD, ra="a1", rolled=Face.APEP)
    assert targets(table)["Add Apep on b1"] == ["cell-1"]
    table.at(Phase.REROLL, ra="a1", rolled=Face.OMINOTEP)
    assert targets(table) == {"Reroll Ra on a1": ["cell-0"]}
    table = Scenario(2, start_player=0)
    assert targets(table)["Place Ra on b1"] == ["cell-1"]
    assert codes.PLACE(1) in table.state.legal()


def test_groups_are_parts_that_scoring_touches() -> None:
    table = Scenario(2, optional_scoring=True).at(
        Phase.SCORE_AFTER_MOVE, rolled=Face.RA, ra="a1 b1", yay_ra="c1 d1", khepri="e1 f1"
    )
    found = targets(table)
    assert list(found.values()) == [["group-0"], ["group-1"], []]
    drawn = parts(table)
    assert title(drawn["group-0"]) == "Group of Ra: 4 points"
    assert title(drawn["group-1"]) == "Group of Khepri: 4 points"
    assert len(drawn["group-1"].findall(f"{SVG}rect")) == 4


def test_winner_is_named() -> None:
    table = Scenario(2).at(Phase.OVER, scores=[21, 4], turns=40)
    drawn = parts(table)
    assert [text.text for text in drawn["prompt"].iter(f"{SVG}text")] == ["The game is over", "Seat 0 wins."]
