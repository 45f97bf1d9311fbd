"""Disc and Arcana: section 9 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from tests.omega.fixtures import F, book
from tests.omega.scenario import OmegaScenario, Player


def walked(squares: int, eye: int, start: int, moved: int, cross: bool) -> int:
    """Number of times that a walk passes the Eye, counted square by square."""
    passings = 0
    for step in range(start + 1, start + moved + 1):
        there = step - 1 if cross else step
        # The Eye lies so many squares after square I; starting there is not passing it.
        if there > 0 and there % squares == eye % squares:
            passings += 1
    return passings


@pytest.mark.rule("OMEGA-DISC-01")
def test_pawns_move_forward_round_and_round_and_share_squares() -> None:
    scenario = OmegaScenario(set_={"squares": 5, "eye": 5}).at(
        Player("B", {"Z0": ""}, steps=4), Player("", {"Z1": ""}, steps=1)
    )
    scenario.place("B", "Z0")
    assert scenario.steps(0) == 6
    assert [player.square for player in scenario.view().players] == [2, 2]


@pytest.mark.rule("OMEGA-DISC-02")
def test_square_follows_from_the_number_of_steps() -> None:
    for steps, square, passings in ((0, 1, 0), (1, 2, 0), (11, 12, 0), (12, 1, 1), (25, 2, 2)):
        scenario = OmegaScenario().at(Player(steps=steps, tokens=["five"] * passings))
        assert scenario.view().players[0].square == square
        assert scenario.view().players[0].steps == steps


@pytest.mark.rule("OMEGA-DISC-03")
@pytest.mark.parametrize("trigger", ["reach", "cross"])
def test_passings_equal_those_of_a_walk_square_by_square(trigger: str) -> None:
    for squares in range(1, 8):
        for eye in range(1, squares + 1):
            rules = OmegaScenario(set_={"squares": squares, "eye": eye}, eye_trigger=trigger).game.rules
            for start in range(2 * squares + 2):
                for moved in range(3 * squares + 1):
                    assert rules.passings(start, moved) == walked(squares, eye, start, moved, trigger == "cross")


@pytest.mark.rule("OMEGA-DISC-03")
def test_reaching_the_eye_counts_as_passing() -> None:
    scenario = OmegaScenario(set_={"squares": 12, "eye": 5}).at(Player("BB", {"Z0": ""}, steps=3))
    scenario.place("B", "Z0")
    assert scenario.steps(0) == 5 and scenario.verbs() == {"ARCANA"}
    scenario.token(0)
    # Leaving it gives nothing more.
    scenario.place("B", "Z0")
    assert scenario.steps(0) == 7 and scenario.state.pending is None


@pytest.mark.rule("OMEGA-DISC-04")
@pytest.mark.parametrize("trigger", ["reach", "cross"])
def test_the_start_is_no_passing_even_with_the_eye_there(trigger: str) -> None:
    scenario = OmegaScenario(cards={"A": F(1, 1)}, eye_trigger=trigger).at(Player("B", {"A": ""}), altar="6W")
    scenario.place("B", "A")
    assert scenario.steps(0) == 2 and scenario.state.pending is None
    scenario.end()
    assert scenario.held(0) == 0 and scenario.active == 1


@pytest.mark.rule("OMEGA-ARCANA-01")
def test_a_passing_gives_one_of_the_visible_tokens_and_it_must_be_taken() -> None:
    tops = ["five", "seven", "five", None, "five", "five"]
    scenario = OmegaScenario().at(
        Player("B", {"Z0": ""}, steps=11, tokens=["five"] * 7), tops=tops, hidden=[6, 6, 6, 0, 6, 6]
    )
    scenario.place("B", "Z0")
    assert scenario.offers(codes.ARCANA) == {"0", "1", "2", "4", "5"}
    assert scenario.refused(codes.ARCANA, 3) == "NO_SUCH_STACK"
    assert scenario.refused(codes.ARCANA, 6) == "NO_SUCH_STACK"
    assert scenario.refused(codes.STOP) == "WRONG_PHASE"
    scenario.take(codes.ARCANA, 1)
    assert scenario.player(0)["tokens"][-1] == 1
    assert scenario.held(0) == 8
    taken = scenario.event("arcana_taken")
    assert (taken.seat, taken.stack, taken.token.name, taken.held) == (0, 1, "seven", 8)
    # It lies face down: others see the number.
    assert scenario.view(1).players[0].token_count == 8
    assert not scenario.view(1).players[0].tokens
    assert len(scenario.view(0).players[0].tokens) == 8


@pytest.mark.rule("OMEGA-ARCANA-02")
def test_the_next_token_is_turned_up_before_a_second_choice() -> None:
    scenario = OmegaScenario(set_={"squares": 4, "eye": 4}, cards={"A": F(1, 8)}).at(Player("", {"A": ""}))
    scenario.end()
    scenario.take(codes.ARCANA, 2)
    assert scenario.values["tops"][2] == 255
    assert scenario.state.pending is not None and scenario.state.pending[:2] == (FrameKind.FLIP, 2)
    assert scenario.outcomes() == {"five": 24, "seven": 12}
    scenario.take(codes.FLIP, "seven")
    assert scenario.values["hidden"] == [6, 6, 5, 6, 6, 6]
    assert (scenario.event("arcana_flipped").stack, scenario.event("arcana_flipped").token.name) == (2, "seven")
    assert scenario.offers(codes.ARCANA) == {str(stack) for stack in range(6)}
    scenario.take(codes.ARCANA, 2)
    assert scenario.player(0)["tokens"] == [0, 1]


@pytest.mark.rule("OMEGA-ARCANA-03")
def test_an_empty_stack_stays_empty_and_none_at_all_skips_the_choice() -> None:
    rest = ["five"] * 28 + ["seven"] * 12
    scenario = OmegaScenario(set_={"squares": 2, "eye": 2}, cards={"A": F(1, 0)}).at(
        Player("BBB", {"A": ""}, tokens=["five"]),
        Player("", tokens=rest),
        tops=[None, None, None, "five", None, None],
        hidden=[0] * 6,
        ending=1,
        announcer=1,
        final_turns_left=1,
    )
    scenario.place("B", "A")
    assert scenario.offers(codes.ARCANA) == {"3"}
    scenario.take(codes.ARCANA, 3)
    # Nothing is turned up: the stack is empty now.
    assert scenario.state.pending is None
    assert scenario.event("stack_emptied").stack == 3
    assert scenario.held(0) == 2
    scenario.place("B", "A")
    assert scenario.state.pending is None and scenario.steps(0) == 6
    assert scenario.held(0) == 2
    assert not scenario.view().arcana[3].HasField("top")


@pytest.mark.rule("OMEGA-ARCANA-04")
def test_tokens_are_kept_to_the_end() -> None:
    scenario = OmegaScenario().at(
        Player("GGG", {"Z0": "G"}, tokens=["five", "seven"]), Player("K", {"Z1": "V", "Z2": ""}, tokens=["seven"])
    )
    scenario.capture(1, "Z1", "GG")
    scenario.recover("V")
    scenario.disown("Z0", "G")
    scenario.finish_turn()
    assert [scenario.player(seat)["tokens"] for seat in (0, 1)] == [[0, 1], [1]]
    # They matter for nothing else before the judgement.
    assert scenario.points(0)[2] == 12 and scenario.points(1)[2] == 7


@pytest.mark.rule("OMEGA-ARCANA-05")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_number_of_tokens_has_no_cap(players: int) -> None:
    scenario = OmegaScenario(players, cards={"A": F(1, 0, book(("advance", 12)))}).at(
        Player("", {"A": ""}, tokens=["five"] * 8)
    )
    scenario.book("A")
    scenario.token(0)
    assert scenario.held(0) == 9
    assert scenario.phase is Phase.MAIN
