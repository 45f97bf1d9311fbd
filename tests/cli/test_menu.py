"""What a person types at the menu of actions, and what is meant by it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from omnilude_cli.menu import Ambiguous, Asked, Chosen, Command, Menu, Narrowed, NothingFits, shared_start


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


def menu() -> Menu:
    return Menu([Action(100 + number, label) for number, label in enumerate(LABELS)])


def labels(made: Menu) -> list[str]:
    return [action.label for action in made.shown]


def test_a_number_is_the_action_shown_under_it() -> None:
    made = menu()
    assert made.take("2") == Chosen(101, LABELS[1])
    assert made.take("move d3") == Narrowed()
    assert made.take("3") == Chosen(103, LABELS[3])


@pytest.mark.parametrize("text", ["0", "7", "99"])
def test_a_number_beyond_the_list_is_none(text: str) -> None:
    assert menu().take(text) == NothingFits(text)


def test_words_narrow_the_list_until_one_is_left() -> None:
    made = menu()
    assert made.take("ra") == Narrowed()
    assert labels(made) == [LABELS[0], LABELS[1], LABELS[2], LABELS[4]]
    assert made.is_narrowed
    assert made.take("C1") == Narrowed(), "c1 is not c10, and capitals do not matter"
    assert labels(made) == [LABELS[0], LABELS[1], LABELS[4]]
    assert made.take("add") == Chosen(104, LABELS[4])


def test_parts_of_words_narrow_the_list_and_choose_nothing() -> None:
    made = menu()
    assert made.take("ape") == Narrowed() and labels(made) == [LABELS[3]]
    assert made.take("") == Chosen(103, LABELS[3])
    made = menu()
    assert made.take("gro 5 poi") == Narrowed() and labels(made) == [LABELS[5]]


def bids() -> Menu:
    return Menu([Action(bid, f"bid {bid}") for bid in (2, 3, 4, 5, 10)])


def test_a_number_that_another_label_holds_is_asked_about() -> None:
    made = bids()
    assert made.take("4") == Ambiguous(4, "bid 5", ("bid 4",))
    assert made.take("4") == Chosen(5, "bid 5"), "typed again"
    made.take("4")
    assert made.take("bid 4") == Chosen(4, "bid 4")
    made.take("4")
    assert made.take("2") == Ambiguous(2, "bid 3", ("bid 2",)), "another number is asked about anew"
    assert made.take("4") == Ambiguous(4, "bid 5", ("bid 4",))


def test_a_number_that_only_a_label_holds_is_named_and_not_taken() -> None:
    assert bids().take("10") == NothingFits("10", "bid 10")
    assert menu().take("77") == NothingFits("77")


def test_a_word_with_digits_is_never_a_part_of_another() -> None:
    assert bids().take("bid 1") == NothingFits("bid 1")


def test_words_typed_twice_have_to_be_there_twice() -> None:
    slots = [f"rank {rank} in slot {slot}" for rank in (1, 2) for slot in (1, 2)]
    made = Menu([Action(number, f"place {label} of the pyramid") for number, label in enumerate(slots)])
    assert made.take("rank 1 in slot 1") == Chosen(0, f"place {slots[0]} of the pyramid")
    made = Menu([Action(number, f"{label} or pass") for number, label in enumerate(slots)])
    assert made.take("1 slot 1") == Chosen(0, f"{slots[0]} or pass")


def test_a_whole_label_is_that_action_even_if_others_hold_it() -> None:
    made = Menu([Action(1, "pass"), Action(2, "pass the turn")])
    assert made.take("pass") == Chosen(1, "pass")


def test_what_fits_nothing_shown_is_looked_for_in_all() -> None:
    made = menu()
    made.take("ra")
    assert made.take("score") == Chosen(105, LABELS[5])


def test_what_fits_nothing_changes_nothing() -> None:
    made = menu()
    made.take("ra")
    before = labels(made)
    assert made.take("horus") == NothingFits("horus")
    assert labels(made) == before


def test_an_empty_line_shows_all_again_or_takes_the_only_action() -> None:
    made = menu()
    made.take("ra")
    assert made.take("  ") == Narrowed()
    assert not made.is_narrowed
    assert Menu([Action(7, "pass")]).take("") == Chosen(7, "pass")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("undo", Command.UNDO),
        (" QUIT ", Command.QUIT),
        ("q", Command.QUIT),
        ("?", Command.HELP),
        ("help", Command.HELP),
        ("resign", Command.RESIGN),
        ("board", Command.BOARD),
        ("all", Command.ALL),
    ],
)
def test_commands(text: str, command: Command) -> None:
    assert menu().take(text) is command


def test_accents_need_not_be_typed() -> None:
    made = Menu([Action(1, "take Pétra Kantor"), Action(2, "take Odra Veil")])
    assert made.take("PETRA") == Chosen(1, "take Pétra Kantor")
    assert made.take("pétra") == Chosen(1, "take Pétra Kantor")


def test_a_question_is_no_action() -> None:
    made = menu()
    assert made.take("? the Ra") == Asked("the ra") and made.take("?ra") == Asked("ra")
    assert not made.is_narrowed
    reserved = ("", " ", "12", "?", "? ra", "undo", "all", "Q")
    assert all(Menu.is_reserved(line) for line in reserved)
    assert not any(Menu.is_reserved(line) for line in ("ra", "12, 3", "c4", "undone"))


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
def test_what_all_labels_begin_with(given: list[str], start: str) -> None:
    assert shared_start(given) == start
