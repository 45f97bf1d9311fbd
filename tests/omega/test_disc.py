"""Disc and Arcana: section 9 of RULES.md."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Frame, Phase
from tests.omega.fixtures import F, book
from tests.omega.tables import Player, Table


def walked(squares: int, eye: int, start: int, moved: int, cross: bool) -> int:
    """How often a walk passes the Eye, square by square."""
    passings = 0
    for step in range(start + 1, start + moved + 1):
        there = step - 1 if cross else step
        # The Eye lies so many squares after square I; the start itself is no passing.
        if there > 0 and there % squares == eye % squares:
            passings += 1
    return passings


@pytest.mark.rule("OMEGA-DISC-01")
def test_pawns_move_forward_round_and_round_and_share_squares() -> None:
    table = Table(set_={"squares": 5, "eye": 5}).at(Player("B", {"Z0": ""}, steps=4), Player("", {"Z1": ""}, steps=1))
    table.place("B", "Z0")
    assert table.steps(0) == 6
    assert [player.square for player in table.view().players] == [2, 2]


@pytest.mark.rule("OMEGA-DISC-02")
def test_the_square_is_a_matter_of_steps() -> None:
    for steps, square in ((0, 1), (1, 2), (11, 12), (12, 1), (25, 2)):
        table = Table().at(Player(steps=steps))
        assert table.view().players[0].square == square
        assert table.view().players[0].steps == steps


@pytest.mark.rule("OMEGA-DISC-03")
@pytest.mark.parametrize("trigger", ["reach", "cross"])
def test_passings_are_what_a_walk_square_by_square_gives(trigger: str) -> None:
    for squares in range(1, 8):
        for eye in range(1, squares + 1):
            rules = Table(set_={"squares": squares, "eye": eye}, eye_trigger=trigger).game.rules
            for start in range(2 * squares + 2):
                for moved in range(3 * squares + 1):
                    assert rules.passings(start, moved) == walked(squares, eye, start, moved, trigger == "cross")


@pytest.mark.rule("OMEGA-DISC-03")
def test_reaching_the_eye_counts_as_passing() -> None:
    table = Table(set_={"squares": 12, "eye": 5}).at(Player("BB", {"Z0": ""}, steps=3))
    table.place("B", "Z0")
    assert table.steps(0) == 5 and table.verbs() == {"ARCANA"}
    table.token(0)
    # Leaving it gives nothing more.
    table.place("B", "Z0")
    assert table.steps(0) == 7 and table.state.pending is None


@pytest.mark.rule("OMEGA-DISC-04")
@pytest.mark.parametrize("trigger", ["reach", "cross"])
def test_the_start_is_no_passing_even_with_the_eye_there(trigger: str) -> None:
    table = Table(cards={"A": F(1, 1)}, eye_trigger=trigger).at(Player("B", {"A": ""}), altar="6W")
    table.place("B", "A")
    assert table.steps(0) == 2 and table.state.pending is None
    table.end()
    assert table.held(0) == 0 and table.active == 1


@pytest.mark.rule("OMEGA-ARCANA-01")
def test_a_passing_gives_one_of_the_visible_tokens_and_it_must_be_taken() -> None:
    tops = ["five", "seven", "five", None, "five", "five"]
    table = Table().at(Player("B", {"Z0": ""}, steps=11, tokens=["five"] * 7), tops=tops, hidden=[6, 6, 6, 0, 6, 6])
    table.place("B", "Z0")
    assert table.offers(codes.ARCANA) == {"0", "1", "2", "4", "5"}
    assert table.refused(codes.ARCANA, 3) == "NO_SUCH_STACK"
    assert table.refused(codes.ARCANA, 6) == "NO_SUCH_STACK"
    assert table.refused(codes.STOP) == "WRONG_PHASE"
    table.take(codes.ARCANA, 1)
    assert table.player(0)["tokens"][-1] == 1
    assert table.held(0) == 8
    taken = table.event("arcana_taken")
    assert (taken.seat, taken.stack, taken.token.name, taken.held) == (0, 1, "seven", 8)
    # It lies face down: others see the number.
    assert table.view(1).players[0].token_count == 8
    assert not table.view(1).players[0].tokens
    assert len(table.view(0).players[0].tokens) == 8


@pytest.mark.rule("OMEGA-ARCANA-02")
def test_the_next_token_is_turned_up_before_a_second_choice() -> None:
    table = Table(set_={"squares": 4, "eye": 4}, cards={"A": F(1, 8)}).at(Player("", {"A": ""}))
    table.end()
    table.take(codes.ARCANA, 2)
    assert table.values["top"][2] == 255
    assert table.state.pending is not None and table.state.pending[:2] == (Frame.FLIP, 2)
    assert table.outcomes() == {"five": 24, "seven": 12}
    table.take(codes.FLIP, "seven")
    assert table.values["hidden"] == [6, 6, 5, 6, 6, 6]
    assert (table.event("arcana_flipped").stack, table.event("arcana_flipped").token.name) == (2, "seven")
    assert table.offers(codes.ARCANA) == {str(stack) for stack in range(6)}
    table.take(codes.ARCANA, 2)
    assert table.player(0)["tokens"] == [0, 1]


@pytest.mark.rule("OMEGA-ARCANA-03")
def test_an_empty_stack_stays_empty_and_none_at_all_skips_the_choice() -> None:
    rest = ["five"] * 28 + ["seven"] * 12
    table = Table(set_={"squares": 2, "eye": 2}, cards={"A": F(1, 0)}).at(
        Player("BBB", {"A": ""}, tokens=["five"]),
        Player("", tokens=rest),
        tops=[None, None, None, "five", None, None],
        hidden=[0] * 6,
        ending=1,
        announcer=1,
        final_turns_left=1,
    )
    table.place("B", "A")
    assert table.offers(codes.ARCANA) == {"3"}
    table.take(codes.ARCANA, 3)
    # Nothing is turned up: the stack is empty now.
    assert table.state.pending is None
    assert table.event("stack_emptied").stack == 3
    assert table.held(0) == 2
    table.place("B", "A")
    assert table.state.pending is None and table.steps(0) == 4
    assert table.held(0) == 2
    assert not table.view().arcana[3].HasField("top")


@pytest.mark.rule("OMEGA-ARCANA-04")
def test_tokens_are_kept_to_the_end() -> None:
    table = Table().at(
        Player("GGG", {"Z0": "G"}, tokens=["five", "seven"]), Player("K", {"Z1": "V", "Z2": ""}, tokens=["seven"])
    )
    table.capture(1, "Z1", "GG")
    table.recover("V")
    table.disown("Z0", "G")
    table.finish_turn()
    assert [table.player(seat)["tokens"] for seat in (0, 1)] == [[0, 1], [1]]
    # They matter for nothing else before the judgement.
    assert table.points(0)[2] == 12 and table.points(1)[2] == 7


@pytest.mark.rule("OMEGA-ARCANA-05")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_no_cap(players: int) -> None:
    table = Table(players, cards={"A": F(1, 0, book(("advance", 12)))}).at(Player("", {"A": ""}, tokens=["five"] * 8))
    table.book("A")
    table.token(0)
    assert table.held(0) == 9
    assert table.phase is Phase.MAIN
