"""Codes, views, actions, labels, events and drawings, as people and front ends get them."""

from __future__ import annotations

from collections import Counter

import pytest
from rich.text import Text

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BOOK
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, library, lightning
from tests.omega.scenario import OmegaScenario, Player, counts
from tests.omega.test_invariants import DENSE, preferred

# fmt: off
VERBS = [
    "START_PLAYER", "ALTAR_RUNE", "DEAL", "BAG_RUNE", "GALLERY_CARD", "LOOK", "FLIP", "TAKE_ALTAR", "TAKE_BAG",
    "SEARCH_BAG", "STOP", "SUMMON", "CAPTURE", "PLACE", "PLACE_BLACK", "PAIR", "DISOWN", "MASK", "USE_BOOK",
    "END_MAIN", "ADD", "CONFIRM", "TARGET", "PAIR_FIRST", "PAIR_SECOND", "BLACK_TARGET", "BLACK_TAKE", "PULL",
    "DECLINE", "ARCANA", "RECOVER", "CYCLE", "KEY_TAKE", "KEY_NONE", "KEY_PLACE",
]
# fmt: on


def test_codes_keep_their_numbers_as_long_as_the_rules_version() -> None:
    assert Omega.rules_version == "2"
    assert [verb.name for verb in BOOK.verbs] == VERBS
    assert codes.CAPTURE(2, 3) == 12 << 24 | 3 << 8 | 2
    assert codes.USE_BOOK(1, 2) == 18 << 24 | 2 << 8 | 1
    assert codes.CYCLE(4, codes.WHITE) == 31 << 24 | 4 << 8 | 4
    assert codes.PLACE(codes.GREEN) == 13 << 24 | 3


def test_action_message_of_each_verb_restores_its_code() -> None:
    assert len(pb.Action.DESCRIPTOR.fields) == len(BOOK.verbs)
    game = Omega.configure(2)
    state = game.initial_state()
    for verb in BOOK.verbs:
        code = verb(*[number + 1 for number, _ in enumerate(verb.fields)])
        assert game.parse(state, Seat(0), game.action(state, code)) == code


CARDS = {
    "Anna": F(2, 3, book(("advance", 1), ("draw", 2, "red"))),
    "Kay": F(2, 3, book(("key", 2))),
    "Cy": F(1, 1, lightning(("cycle", 1))),
}


def scenario(hand: str = "4G VV R", row: dict[str, str] | None = None, **fields: object) -> OmegaScenario:
    row = {"Anna": "GG", "Kay": "VR"} if row is None else row
    return OmegaScenario(cards=CARDS).at(
        Player(hand, row), Player("K", {"Z9": "R", "Z8": "B"}, mask="Z9"), **{"turn": 5, **fields}
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verb", "words", "label"),
    [
        (codes.SUMMON, ("Z38",), "Summon Z38"),
        (codes.CAPTURE, (1, "Z8"), "Capture Z8 of seat 1"),
        (codes.PLACE, ("V",), "Place a green rune"),
        (codes.PAIR, (), "Place two green runes at once"),
        (codes.MASK, ("Kay",), "Put the Mask on Kay"),
        (codes.USE_BOOK, ("Anna", 0), "Use Anna, power 1: advance 1, then draw 2 red runes"),
        (codes.END_MAIN, (), "End the main phase"),
    ],
)
def test_labels_of_the_menu(verb: codes.Verb, words: tuple[str | int, ...], label: str) -> None:
    there = scenario()
    code = there.code(verb, *words)
    assert code in there.state.legal()
    assert there.game.label(there.state, code) == label


def test_labels_of_decisions_within_an_effect() -> None:
    def labels(there: OmegaScenario) -> set[str]:
        choices = there.state.legal() or [code for code, _ in there.state.chance()]
        return {there.game.label(there.state, Code(code)) for code in choices}

    there = scenario()
    there.take(codes.SUMMON, "Z38")
    assert labels(there) == {f"Add a {rune} rune to the batch" for rune in ("gold", "red", "green")}
    there.batch("GG")
    assert labels(there) > {"Disown Anna", "Disown Kay"}
    there.take(codes.PLACE, "V")
    assert labels(there) == {"Place the rune on Kay", "Place the rune on Anna", "Place the rune on Z38"}
    there.take(codes.TARGET, "Kay")
    there.take(codes.DISOWN, "Kay")
    assert labels(there) == {"Recover a red rune", "Recover a green rune"}
    there = scenario(altar="RW", phase=Phase.DRAW)
    assert labels(there) == {
        "Take a red rune from the altar", "Take a white rune from the altar", "Draw a rune from the bag",
    }  # fmt: skip
    there = scenario("KR", altar="R")
    there.take(codes.PLACE_BLACK)
    assert labels(there) == {"Place the black rune on Z9 of seat 1", "Place the black rune on Z8 of seat 1"}
    there.take(codes.BLACK_TARGET, 1, "Z8")
    assert labels(there) == {"Take a blue rune with the black rune"}
    there = scenario("R", altar="R")
    there.place("R", "Kay")
    assert labels(there) == {"Pull a red rune from the altar", "Leave the red rune on the altar"}
    there = scenario("BB", {"Anna": ""}, altar="6W")
    there.state.load({**there.values, "seats": [{**there.player(0), "steps": 11}, there.player(1)]})
    there.place("B", "Anna")
    assert labels(there) == {f"Take five from stack {number}" for number in range(1, 7)}
    there.take(codes.ARCANA, 0)
    assert labels(there) == {"five (five) is turned up", "seven (seven) is turned up"}
    there = scenario()
    there.book("Kay")
    there.look("Z10", "Z11")
    assert labels(there) == {"Z10 replaces a Key", "Z11 replaces a Key", "Replace no Key"}


def test_the_view_has_the_public_state() -> None:
    there = scenario(altar="RRK", discard=["Z20"])
    view = there.view(0)
    assert (view.phase, view.turn, view.active_seat, view.deciding_seat) == (pb.PHASE_MAIN, 5, 0, 0)
    assert view.decision == pb.DECISION_MAIN
    assert list(view.altar) == counts("RRK")
    assert view.bag_size == there.bag_size
    assert [slot.card.name for slot in view.gallery] == ["Z38", "Z39", "Z40", "Z41"]
    assert (view.deck_size, list(view.discard)) == (42 - 4 - 4 - 1, [20])
    assert list(view.discard_names) == ["Z20"]
    assert [(stack.top.name, stack.hidden) for stack in view.arcana] == [("five", 6)] * 6
    anna, kay = view.players[0].egregors
    assert (anna.card.name, list(anna.load), anna.masked) == ("Anna", counts("GG"), False)
    assert (anna.card.snake, anna.card.thrust, kay.card.powers[0].text) == (2, 3, "look at 2 cards that may replace it")
    assert [egregor.masked for egregor in view.players[1].egregors] == [True, False]
    assert list(view.players[0].pyramid) == counts("4G VV R")


MARKS = ("gain_used", "disowned", "last_mask", "mask_moved", "red_used", "green_pending", "bag_was_empty")


@pytest.mark.parametrize("viewer", [-2, -1, 0, 1])
def test_everyone_sees_the_marks_of_the_turn(viewer: int) -> None:
    there = OmegaScenario(cards=CARDS, green_pairing="consecutive").at(
        Player("VVV R K", {"Anna": "G", "Kay": "R"}), Player("", {"Z9": "BK", "Z8": "B"}, mask="Z9"), altar="RRW"
    )

    def marks() -> dict[str, int]:
        view = there.view(viewer)
        return {name: getattr(view, name) for name in MARKS if getattr(view, name)}

    assert marks() == {}
    there.mask("Kay")
    assert marks() == {"last_mask": 1, "mask_moved": 1}
    there.place("V", "Anna")
    assert marks() == {"mask_moved": 1, "green_pending": 1}
    there.place("V", "Anna")
    there.take(codes.TAKE_ALTAR, "W")
    assert marks() == {"mask_moved": 1}
    there.place("R", "Kay")
    there.pull()
    assert marks() == {"mask_moved": 1, "red_used": 1}
    there.black(1, "Z9", "B")
    assert [egregor.old_blacks for egregor in there.view(viewer).players[1].egregors] == [1, 0]
    there.summon("Z38", "V")
    there.disown("Anna", "VV")
    assert marks() == {"mask_moved": 1, "red_used": 1, "gain_used": 1, "disowned": 1}


@pytest.mark.parametrize("viewer", [-2, -1, 0, 1])
def test_everyone_sees_which_types_the_bag_lacks(viewer: int) -> None:
    there = OmegaScenario(cards=CARDS).at(Player("", {"Anna": "G"}), Player(), bag="B", rest=1, altar="W")
    assert list(there.view(viewer).absent) == [False] * 6
    there.book("Anna")
    view = there.view(viewer)
    assert list(view.absent) == [False, False, True, False, False, False]
    assert not view.bag_was_empty
    there = OmegaScenario(cards=CARDS).at(Player(), Player(), phase=Phase.DRAW, bag="B", rest=1, altar="W")
    there.take(codes.TAKE_BAG)
    there.take(codes.BAG_RUNE, "B")
    view = there.view(viewer)
    assert view.bag_was_empty
    drawn = there.game.render(view)
    assert drawn and "The bag has been empty in this turn" in drawn


@pytest.mark.parametrize("viewer", [-2, -1, 0, 1])
def test_render_shows_the_view(viewer: int) -> None:
    there = scenario(altar="RRK")
    view = there.view(viewer)
    drawn = there.game.render(view)
    assert drawn is not None
    text = Text.from_markup(drawn).plain
    for word in (
        "Anna",
        "Kay",
        "Z38",
        "GG",
        "VR"[::-1],
        "RRK",
        "turn 5",
        "[Mask]",
        "five",
        "Fixture for tests",
        "seat 0",
        "seat 1",
    ):
        assert word in text, word
    # A pyramid that the viewer does not know is a number.
    assert ("pyramid K" in text) == (viewer in (-2, 1))
    assert ("GGGGRVV" in text) == (viewer in (-2, 0))


def drawing(there: OmegaScenario, viewer: int = 0) -> str:
    drawn = there.game.render(there.view(viewer))
    assert drawn is not None
    return Text.from_markup(drawn).plain


def test_render_shows_the_facts_that_a_player_needs() -> None:
    there = scenario()
    there.book("Anna")
    while there.state.pending is not None:
        there.take_code(there.state.legal()[0])
    assert "that may replace it" in drawing(there) and drawing(there).count("[book used]") == 1
    there.take(codes.CAPTURE, 1, "Z8")
    there.take(codes.ADD, "G")
    there.take(codes.ADD, "G")
    assert "batch for Z8 of seat 1  GG" in drawing(there)
    assert "batch for Z8 of seat 1  hidden" in drawing(there, 1)
    assert "safe from captures" not in drawing(there)
    there.take(codes.CONFIRM)
    there.recover("B")
    assert "safe from captures" in drawing(there)
    assert "batch" not in drawing(there)
    there.end()
    there = scenario()
    there.take(codes.SUMMON, "Z38")
    assert "batch for Z38  -" in drawing(there)


def test_render_shows_own_tokens_and_the_ending() -> None:
    there = OmegaScenario().at(Player("", {"Z0": ""}, tokens=["five"] * 7), altar="6R")
    assert drawing(there).count("tokens  five: ") == 1
    assert "tokens  five: " not in drawing(there, 1)
    there.end()
    assert "final round (arcanic), 1 turn left" in drawing(there)


def test_every_step_of_random_games_renders_and_has_labels_and_events() -> None:
    """Every label is a sentence, every view renders, and each kind of event occurs."""
    sentences: Counter[str] = Counter()
    for players in (2, 3, 4):
        options = {"power_amount": "up_to", "card_set": "fixture", "max_turns": 40}
        game = Omega.configure(players, options, library(DENSE, squares=12, eye=12))
        rng, state = Rng(players), game.initial_state()
        for step in range(1_500):
            if state.actor() == TERMINAL:
                break
            actor, before = state.actor(), state.clone()
            for code in state.legal():
                label = game.label(state, Code(code))
                assert label[0].isupper() or label[0].islower()
                assert "an empty place" not in label and len(label) < 120
            code = rng.weighted(state.chance()) if actor == CHANCE else preferred(rng, state)
            state.apply(code)
            for viewer in (-1, 0):
                for event in game.events(before, Seat(actor) if actor >= 0 else None, code, state, Viewer(viewer)):
                    kind = event.WhichOneof("event")
                    assert kind is not None
                    sentences[kind] += 1
            if step % 20 == 0:
                drawn = game.render(game.view(state, Viewer(step % players)))
                plain = Text.from_markup(drawn).plain
                # Texts of cards may be broken between words; the disc and the altar may not.
                assert all(len(line) <= 80 for line in plain.splitlines()[:4])
    kinds = {field.name for field in pb.Event.DESCRIPTOR.fields}
    # A stack seldom runs out in so short games, nor does a whole deck.
    assert kinds - set(sentences) <= {"stack_emptied", "bag_exhausted", "end_announced", "start_player"}


def test_equal_states_have_equal_views_and_positions() -> None:
    one, two = scenario(altar="RRK"), scenario(altar="RRK")
    assert one.view(0) == two.view(0)
    assert one.state.to_bytes() == two.state.to_bytes()
