"""Sentences of events, answers to questions, and typed text."""

from __future__ import annotations

import re

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.omega import Omega
from gamepacks.omega.sentences import _SENTENCES
from gamepacks.omega.v1 import omega_pb2 as pb
from tests.omega.fixtures import F, book, library, lightning
from tests.omega.scenario import OmegaScenario, Player
from tests.omega.test_invariants import DENSE, preferred

CARDS = {"Anna": F(2, 3, book(("advance", 1))), "Rex": F(1, 1, lightning(("draw", 1)), renegade=True)}


def sentences(scenario: OmegaScenario) -> list[str]:
    """The sentences of the last steps for a spectator."""
    return [text for event in scenario.events if (text := scenario.game.describe_event(event, scenario.view()))]


def test_sentences_of_a_capture() -> None:
    scenario = OmegaScenario(cards=CARDS).at(
        Player("3R B", {"Z5": ""}, steps=11), Player("", {"Anna": "VGG", "Z6": ""}, mask="Z6"), altar="R"
    )
    scenario.capture(1, "Anna", "3R B")
    scenario.recover("VG")
    assert sentences(scenario) == [
        "Seat 0 captures Anna of seat 1 with 1 blue, 3 red, and has 1 Prestige now.",
        "Seat 1 recovers 1 green.",
        "Seat 1 recovers 1 gold.",
        "Seat 1 loses Anna; to the bag: 1 gold.",
        "The pawn of seat 0 advances 2 squares by blue runes and passes the Eye.",
    ]


def test_sentences_of_hidden_draws_and_powers() -> None:
    scenario = OmegaScenario(cards=CARDS).at(
        Player("VV K", {"Z5": ""}), Player("", {"Z6": "G"}), gallery=("Rex", None, None, None)
    )
    scenario.summon("Rex", "VV")
    scenario.bag_rune("W")
    scenario.bag_rune("W")
    scenario.black(1, "Z6", "G")
    assert sentences(scenario) == [
        "Seat 0 summons Rex with 2 green.",
        "Seat 0 draws a rune from the bag.",
        "Lightning of Rex: draw 1 rune.",
        "Seat 0 draws a rune from the bag.",
        "Seat 0 takes a gold rune from Z6 of seat 1 with a black rune.",
    ]
    # Its owner reads which one in the label of the outcome.
    drawn = pb.Event(rune_drawn=pb.RuneDrawn(seat=0, source=pb.SOURCE_BAG, rune=pb.RUNE_WHITE))
    assert scenario.game.describe_event(drawn, scenario.view(0)) == ""


def test_sentence_of_the_judgement_has_the_parts_of_the_scores() -> None:
    scenario = OmegaScenario().at(
        Player("", {"Z0": "10G"}, tokens=["five"], prestige=2),
        Player("", {"Z1": "RR"}),
        ending=4,
        announcer=1,
        final_turns_left=1,
    )
    scenario.end()
    assert sentences(scenario)[-1] == (
        "Judgement (exhaustion): seat 0 has 42 points (runes 12, gold 20, Arcana 5, Prestige bonus 5); "
        "seat 1 has 1 point (runes 1, gold 0, Arcana 0, Prestige bonus 0). Seat 0 wins."
    )
    assert "seat 0: runes 12, gold 20, Arcana 5, Prestige bonus 5" in scenario.game.render(scenario.view())


def test_questions_are_answered_from_the_view() -> None:
    most = {"kind": "most", "what": {"counter": "runes_in_pyramid", "color": "red"}, "n": 7, "tie": "none"}
    tokens = ({"id": "it", "name": "Red moon", "text": "7 for most red", "copies": 42, "points": most},)
    scenario = OmegaScenario(2, CARDS, set_={"tokens": tokens}).at(
        Player("RR", {"Anna": "GG"}, tokens=["it"]), Player("RRRV"), discard=["Z9"], tops=["it"] * 6
    )
    ask = scenario.game.explain
    view = scenario.view(0)
    assert "? NAME" in ask(view, "")
    assert ask(view, "anna") == (
        "Anna: snake 2 (runes that its loser picks), thrust 3 (squares at the end of each turn). "
        "Book, once a turn: advance 1."
    )
    assert ask(view, "Red  moon") == "Red moon: 7 for most red"
    assert ask(view, "z9") == "z9 is in the discard pile."
    assert ask(view, "score") == (
        "Seat 0: at least 5 points (runes 1, gold 4, Arcana 0 to 7, Prestige bonus 0) if the judgement took place now."
    )
    assert ask(scenario.view(-1), "score") == "You cannot know any score before the judgement."
    assert ask(view, "unseen").startswith(f"In the bag ({scenario.bag_size} runes) and in pyramids that")
    assert ask(view, "xyzzy") == ""
    terms = re.findall(r"[a-z]+", ask(view, "").rpartition("explains ")[2].replace(" and ", " "))
    assert len(terms) >= 18 and all(ask(view, term) for term in terms)
    assert ask(view, "Blue") == "A blue rune that you place moves your pawn 2 squares at once."
    assert "at least 5 points" in scenario.game.render(view)


@pytest.mark.parametrize("players", [2, 4])
def test_every_event_of_random_games_has_a_sentence_or_none_for_every_viewer(players: int) -> None:
    game = Omega.configure(players, {"card_set": "fixture", "max_turns": 30}, library(DENSE, squares=12, eye=12))
    rng, state, kinds = Rng(players), game.initial_state(), set()
    for _ in range(900):
        if state.actor() == TERMINAL:
            break
        before, actor = state.clone(), state.actor()
        code = Code(rng.weighted(state.chance()) if actor == CHANCE else preferred(rng, state))
        state.apply(code)
        viewer = Viewer(rng.below(players + 1) - 1)
        for event in game.events(before, Seat(actor) if actor >= 0 else None, code, state, viewer):
            text = game.describe_event(event, game.view(state, viewer))
            kinds.add(event.WhichOneof("event") if text else None)
            assert text == "" or (text[0].isupper() and text.endswith("."))
            game.describe_event(event)
    assert len(kinds) > 10 and kinds - {None} <= set(_SENTENCES)


def test_illegal_typed_text_is_refused_with_its_reason() -> None:
    scenario = OmegaScenario(2, CARDS).at(Player("RR", {"Rex": "", "Z5": ""}), Player("", {"Anna": "GGG", "Z6": ""}))
    for text, reason in (
        ("capture anna", "NO_BATCH"),
        ("capture Rex", "OWN_EGREGOR"),
        ("mask rex", "MASK_ON_RENEGADE"),
        ("disown z5", "NOT_GAINED_YET"),
        ("place blue", "NO_SUCH_RUNE"),
        ("add red", "WRONG_PHASE"),
        ("confirm", "WRONG_PHASE"),
        ("summon z38", ""),
        ("place red", ""),
        ("END", ""),
    ):
        action = scenario.game.parse_text(scenario.view(0), text)
        assert action is not None, text
        code = scenario.game.parse(scenario.state, Seat(0), action)
        assert (code in scenario.state.legal()) == (reason == ""), text
        assert not reason or scenario.refused_code(code) == reason, text
        # The sentence is for people: it holds no name of a constant.
        assert not reason or not re.search(r"[A-Z]{2}|_", scenario.game.why_illegal(scenario.state, code, 0).message), (
            text
        )
    for text in ("", "capture", "capture nobody", "disown anna", "hello", "place purple", "1"):
        assert scenario.game.parse_text(scenario.view(0), text) is None
