"""Menu of actions: interpretation of typed input."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from omnilude_cli.action_menu import ActionMenu, Ambiguous, Chosen, Command, Narrowed, NoMatch, Question, common_prefix


@dataclass(frozen=True)
class Action:
    code: int
    label: str


LABELS = [
    "move the Ra at c1 to d3",
    "move the Ra at c1 to c2",
    "move the Ra at c10 to d3",
    "move the Apep at e4 to d3",
    "add the Ra at c1",
    "score the group at a1 (5 points)",
]


def menu() -> ActionMenu:
    return ActionMenu([Action(100 + number, label) for number, label in enumerate(LABELS)])


def labels(made: ActionMenu) -> list[str]:
    return [action.label for action in made.shown]


def test_number_is_the_action_shown_under_it() -> None:
    made = menu()
    assert made.interpret("2") == Chosen(101, LABELS[1])
    assert made.interpret("move d3") == Narrowed()
    assert made.interpret("3") == Chosen(103, LABELS[3])


@pytest.mark.parametrize("text", ["0", "7", "99"])
def test_number_beyond_the_list_chooses_nothing(text: str) -> None:
    assert menu().interpret(text) == NoMatch(text)


def test_words_narrow_the_list_until_one_is_left() -> None:
    made = menu()
    assert made.interpret("ra") == Narrowed()
    assert labels(made) == [LABELS[0], LABELS[1], LABELS[2], LABELS[4]]
    assert made.interpret("C1") == Narrowed(), "c1 is not c10, and capitals do not matter"
    assert labels(made) == [LABELS[0], LABELS[1], LABELS[4]]
    assert made.interpret("add") == Chosen(104, LABELS[4])


def test_parts_of_words_narrow_the_list_and_choose_nothing() -> None:
    made = menu()
    assert made.interpret("ape") == Narrowed() and labels(made) == [LABELS[3]]
    assert made.interpret("") == Chosen(103, LABELS[3])
    made = menu()
    assert made.interpret("gro 5 poi") == Narrowed() and labels(made) == [LABELS[5]]


def bids() -> ActionMenu:
    return ActionMenu([Action(bid, f"bid {bid}") for bid in (2, 3, 4, 5, 10)])


def test_number_contained_in_another_label_is_ambiguous() -> None:
    made = bids()
    assert made.interpret("4") == Ambiguous(4, "bid 5", ("bid 4",))
    assert made.interpret("4") == Chosen(5, "bid 5"), "typed again"
    made.interpret("4")
    assert made.interpret("bid 4") == Chosen(4, "bid 4")
    made.interpret("4")
    assert made.interpret("2") == Ambiguous(2, "bid 3", ("bid 2",)), "another number is asked about anew"
    assert made.interpret("4") == Ambiguous(4, "bid 5", ("bid 4",))


def test_number_contained_only_in_a_label_is_not_taken() -> None:
    assert bids().interpret("10") == NoMatch("10", "bid 10")
    assert menu().interpret("77") == NoMatch("77")


def test_word_with_digits_matches_whole_words_only() -> None:
    assert bids().interpret("bid 1") == NoMatch("bid 1")


def test_word_typed_twice_must_occur_twice() -> None:
    slots = [f"rank {rank} in slot {slot}" for rank in (1, 2) for slot in (1, 2)]
    made = ActionMenu([Action(number, f"place {label} of the pyramid") for number, label in enumerate(slots)])
    assert made.interpret("rank 1 in slot 1") == Chosen(0, f"place {slots[0]} of the pyramid")
    made = ActionMenu([Action(number, f"{label} or pass") for number, label in enumerate(slots)])
    assert made.interpret("1 slot 1") == Chosen(0, f"{slots[0]} or pass")


def test_whole_label_chooses_its_action_even_if_others_contain_it() -> None:
    made = ActionMenu([Action(1, "pass"), Action(2, "pass the turn")])
    assert made.interpret("pass") == Chosen(1, "pass")


def test_text_that_matches_no_shown_action_is_searched_in_all() -> None:
    made = menu()
    made.interpret("ra")
    assert made.interpret("score") == Chosen(105, LABELS[5])


def test_text_without_match_keeps_the_list() -> None:
    made = menu()
    made.interpret("ra")
    before = labels(made)
    assert made.interpret("horus") == NoMatch("horus")
    assert labels(made) == before


def test_empty_line_shows_all_again_or_takes_the_only_action() -> None:
    made = menu()
    made.interpret("ra")
    assert made.interpret("  ") == Narrowed()
    assert made.shown == made.actions
    assert ActionMenu([Action(7, "pass")]).interpret("") == Chosen(7, "pass")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("undo", Command.UNDO),
        ("withdraw", Command.WITHDRAW),
        (" QUIT ", Command.QUIT),
        ("q", Command.QUIT),
        ("?", Command.HELP),
        ("help", Command.HELP),
        ("resign", Command.RESIGN),
        ("board", Command.BOARD),
        ("all", Command.ALL),
    ],
)
def test_commands_are_recognised(text: str, command: Command) -> None:
    assert menu().interpret(text) is command


def test_accents_are_optional() -> None:
    made = ActionMenu([Action(1, "take Pétra Kantor"), Action(2, "take Odra Veil")])
    assert made.interpret("PETRA") == Chosen(1, "take Pétra Kantor")
    assert made.interpret("pétra") == Chosen(1, "take Pétra Kantor")


def test_question_is_not_an_action() -> None:
    made = menu()
    assert made.interpret("? the Ra") == Question("the ra") and made.interpret("?ra") == Question("ra")
    assert made.shown == made.actions
    reserved = ("", " ", "12", "?", "? ra", "undo", "all", "Q")
    assert all(ActionMenu.is_reserved(line) for line in reserved)
    assert not any(ActionMenu.is_reserved(line) for line in ("ra", "12, 3", "c4", "undone"))


@pytest.mark.parametrize(
    ("given", "start"),
    [
        (["Ra goes to a1", "Ra goes to b2"], "Ra goes to "),
        (["Pétra Kantor to 1", "Pétra Kantor stays"], "Pétra Kantor "),
        (["push it", "push"], ""),
        (["slot 1", "slot 2"], ""),
        (["the same thing", "the same thing"], "the same "),
        (["alone in the list"], ""),
        ([], ""),
    ],
)
def test_common_prefix_of_labels(given: list[str], start: str) -> None:
    assert common_prefix(given) == start
