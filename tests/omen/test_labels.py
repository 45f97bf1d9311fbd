"""Labels and rendered views."""

from __future__ import annotations

from typing import Any

import pytest
from rich.text import Text

from gamepacks.api import Code, Seat, Viewer
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import hero, played, soldier

Data = dict[str, Any]
UNIT = {"zone": "city", "not_self": True}
THEIRS = {"zone": "city", "side": "opp"}
HAND = {"zone": "hand"}
DISCARD = {"zone": "discard"}
TABLE: Data = {
    "A": {"hand": ["s3a", "z11"], "coins": 3},
    "B": {"hand": ["s3b", "z12"], "coins": 1},
    "c1": {"A": ["s1a"], "B": ["s2a", "o1a"]},
    "c2": {"A": ["s1b"]},
    "discard": ["s4a", "b5a"],
}


def labels(found: Scenario) -> list[str]:
    """The labels of the deciding seat's options."""
    return [found.game.label(found.state, Code(code)) for code in found.state.legal()]


OWN = ("s1a of seat 0 in the left City", "s1b of seat 0 in the middle City")
OPPOSING = ("o1a of seat 1 in the left City", "s2a of seat 1 in the left City")


@pytest.mark.rule("OMENX-ATOM-05")
@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ({"op": "destroy", "sel": UNIT}, [f"Destroy {unit}" for unit in OWN]),
        ({"op": "destroy", "sel": THEIRS}, [f"Destroy {unit}" for unit in OPPOSING]),
        ({"op": "move", "sel": UNIT}, [f"Move {unit}" for unit in OWN]),
        ({"op": "return", "sel": UNIT}, [f"Return {unit} to the hand" for unit in OWN]),
        (
            {"op": "return", "sel": UNIT, "to": "deck_bottom"},
            [f"Return {unit} to the bottom of the deck" for unit in OWN],
        ),
        ({"op": "enrage", "sel": UNIT}, [f"Enrage {unit}" for unit in OWN]),
        ({"op": "give", "sel": UNIT}, [f"Give {unit} away" for unit in OWN]),
        ({"op": "seize", "sel": THEIRS}, [f"Seize {unit}" for unit in OPPOSING]),
        ({"op": "swap", "a": UNIT, "b": THEIRS}, [f"Swap {unit}" for unit in OWN]),
        ({"op": "mod", "what": "strength", "sel": UNIT, "by": 1}, [f"Choose {unit}" for unit in OWN]),
        ({"op": "discard", "sel": HAND}, ["Discard s3a", "Discard Filler 11"]),
        ({"op": "discard", "sel": {**HAND, "side": "opp"}}, ["Discard s3b", "Discard Filler 12"]),
        ({"op": "put", "sel": DISCARD, "to": "hand"}, ["Put b5a into the hand", "Put s4a into the hand"]),
        ({"op": "put", "sel": DISCARD, "to": "deck_top"}, ["Put b5a on top of the deck", "Put s4a on top of the deck"]),
        (
            {"op": "put", "sel": DISCARD, "to": "deck_bottom"},
            ["Put b5a at the bottom of the deck", "Put s4a at the bottom of the deck"],
        ),
        ({"op": "put", "sel": DISCARD, "to": "out"}, ["Take b5a out of the game", "Take s4a out of the game"]),
        ({"op": "put", "sel": HAND, "to": "discard"}, ["Discard s3a", "Discard Filler 11"]),
        ({"op": "reveal", "zone": "hand", "sel": HAND}, ["Reveal s3a", "Reveal Filler 11"]),
        ({"op": "deploy", "sel": DISCARD}, ["Put b5a into a City", "Put s4a into a City"]),
        ({"op": "claim", "kind": "feat"}, [f"Claim f{number}" for number in range(1, 7)]),
        ({"op": "may", "do": [{"op": "draw"}]}, ["Use it: draw", "Do not use it"]),
        ({"op": "draw", "n": 2, "optional": True}, ["Draw a Unit", "Draw no more"]),
        (
            {"op": "pay", "cost": {"coins": 1}, "then": [{"op": "draw"}]},
            ["Pay for it", "Do not pay for it"],
        ),
        (
            {"op": "take_prize"},
            [f"Take the prize of the {place} City" for place in ("left", "middle", "right")],
        ),
        ({"op": "choose_city", "as": "c"}, [f"Choose the {place} City" for place in ("left", "middle", "right")]),
        (
            {"op": "choose", "options": [{"label": "this", "do": [{"op": "draw"}]}, {"label": "that", "do": []}]},
            ["This", "That"],
        ),
        ({"op": "name", "what": "seat", "as": "s"}, ["Seat 0", "Seat 1"]),
        ({"op": "name", "what": "number", "as": "n", "max": 1}, ["0", "1"]),
        ({"op": "name", "what": "type", "as": "t"}, ["Soldier", "Beast", "Oracle", "Spirit", "Hero"]),
    ],
    ids=str,
)
def test_labels_of_effects(effect: Data, expected: list[str]) -> None:
    found = played({**TABLE}, soldier("it", [effect]), city="3")
    assert labels(found) == expected


@pytest.mark.rule("OMENX-ATOM-05")
@pytest.mark.parametrize(
    ("effect", "steps", "expected"),
    [
        (
            {"op": "move", "sel": UNIT},
            ["A UNIT A/1/s1a"],
            ["Move s1a to the middle City", "Move s1a to the right City"],
        ),
        (
            {"op": "deploy", "sel": HAND, "pay": "free"},
            ["A CARD s3a"],
            [f"Put s3a into the {place} City" for place in ("left", "middle", "right")],
        ),
        ({"op": "pay", "cost": {"discard": HAND}, "then": []}, ["A MAY do"], ["Discard s3a", "Discard Filler 11"]),
        ({"op": "pay", "cost": {"destroy": UNIT}, "then": []}, ["A MAY do"], [f"Destroy {unit}" for unit in OWN]),
        (
            {"op": "pay", "cost": {"return": UNIT}, "then": []},
            ["A MAY do"],
            [f"Return {unit} to the hand" for unit in OWN],
        ),
    ],
    ids=str,
)
def test_labels_of_decisions_within_an_effect(effect: Data, steps: list[str], expected: list[str]) -> None:
    found = played({**TABLE}, soldier("it", [effect]), city="3")
    found.play(*steps)
    assert labels(found) == expected


def test_labels_say_own_and_opposing_for_the_deciding_seat() -> None:
    found = played(
        {**TABLE}, soldier("it", [{"op": "destroy", "sel": {**UNIT, "side": "any", "pick": "opp"}}]), city="3"
    )
    assert found.decision() == "B UNIT"
    assert labels(found) == [
        "Destroy s1a of seat 0 in the left City",
        "Destroy s1b of seat 0 in the middle City",
        "Destroy o1a of seat 1 in the left City",
        "Destroy s2a of seat 1 in the left City",
    ]


def test_labels_in_surge_say_what_a_kind_of_card_can_do() -> None:
    use = hero("aid", {"hook": "use", "step": ["surge"], "turn": "own", "do": [{"op": "coins", "n": 1}]})
    found = scenario(
        {"step": "surge", "A": {"coins": 9, "hand": ["s1a", "b6a", "p1", "aid"], "prizes": ["w1"]}},
        {"heroes": True, "spirits": True},
        extra={"units": [use]},
    )
    assert labels(found) == [
        "Choose aid (play, use)", "Choose b6a (play, use)", "Choose p1 (play, invoke)", "Play s1a", "Use w1",
        "End Surge",
    ]  # fmt: skip
    found.play("A SURGE b6a")
    assert labels(found) == ["Play b6a", "Use b6a from the hand"]
    found.play("A MODE play")
    assert labels(found) == [f"Play b6a to the {place} City" for place in ("left", "middle", "right")]


def test_labels_of_traits() -> None:
    given: Data = {
        "step": "surge", "A": {"coins": 9, "hand": ["ufpi", "ujil", "urec", "u1a"]}, "B": {"hand": ["u2a", "u3a"]},
        "discard": ["u1b"],
    }  # fmt: skip
    found = scenario(given, edition="traits")
    assert labels(found) == [
        "Play u1a", "Choose ufpi (play, FATE, PILFER)", "Choose ujil (play, JILT)", "Choose urec (play, RECRUIT)",
        "End Surge",
    ]  # fmt: skip
    found.play("A SURGE ufpi")
    assert labels(found) == ["Play ufpi", "Discard ufpi for FATE", "Discard ufpi for PILFER"]
    found.play("A MODE FATE")
    assert labels(found) == ["Put u1b into the hand", "Draw a Unit"]
    found.play("A CARD draw", "A SURGE urec", "A MODE RECRUIT")
    assert all(label.startswith("Put ") and label.endswith(" on top of the deck") for label in labels(found))
    found = scenario(
        {"step": "offering", "A": {"hand": ["ucuw"]}, "B": {"hand": ["u2a", "u3a"]}, "c1": {"B": ["u1a", "u1b"]}},
        edition="traits",
    )
    found.play("A OFFER ucuw", "A SPLIT coin")
    assert labels(found) == ["Next: ucuw, WRATH", "Next: ucuw, CURSE"]
    found.play("A ORDER ucuw/CURSE")
    assert labels(found) == ["Destroy u1a of seat 1 in the left City", "Destroy u1b of seat 1 in the left City"]
    found.play("A UNIT B/1/u1a")
    assert labels(found) == ["Discard u2a", "Discard u3a"]


def test_labels_of_a_relic_and_of_the_first_seat() -> None:
    found = scenario({"step": "feat", "A": {"coins": 10, "hand": ["z11"]}}, {"relics": True})
    found.play("A ROTATE f4", "A RELIC x1")
    assert labels(found) == [f"Place x1 in the {place} City" for place in ("left", "middle", "right")]
    state = scenario({"step": "setup"}, {"start": "random", "draft": "open20"}).game.initial_state()
    while state.chance() == [] or len(state.chance()) != 2:
        state.apply(state.chance()[0][0] if state.chance() else state.legal()[0], max(-1, state.actor()))
    game = state.game
    assert [game.label(state, Code(code)) for code, _ in state.chance()] == ["Seat 0 begins", "Seat 1 begins"]


# -- the drawn table ---------------------------------------------------------------------------------------------------


def drawn(found: Scenario, seat: int = 0) -> str:
    """The rendered view of a seat, without colours."""
    return Text.from_markup(found.game.render(found.game.view(found.state, Viewer(seat)))).plain


def test_view_shows_texts_of_cards() -> None:
    found = scenario(
        {
            "step": "surge",
            "A": {"coins": 4, "hand": ["olive_trader"]},
            "c1": {"A": ["smoke_seer"], "relic": ["bright_aegis", "A"]},
        },
        {"relics": True, "challenges": "normal"},
        house=True,
    )
    text = drawn(found)
    records = found.game.cards
    for card in records.units:
        if card.id in ("smoke_seer", "olive_trader"):
            assert card.name in text
            assert card.text in text
    for feat in records.feats:
        assert f"Feat {feat.name}: {feat.text}" in text
    for challenge in records.challenges:
        assert f"Challenge {challenge.name}: {challenge.text}" in text
    for one in records.relics:
        assert f"{one.name}: {one.text}" in text
    assert "achieved" not in text


def test_rendered_view_shows_feats_challenges_and_the_pending_decision() -> None:
    found = scenario(
        {
            "step": "feat",
            "A": {"hand": ["z11"], "feats": {"down": ["f1"]}},
            "B": {"feats": {"down": ["f1"], "rotated": ["f2"]}},
        },
        {"relics": True},
    )
    text = drawn(found)
    assert "Feat f1  achieved by seat 0 and seat 1" in text
    assert "Feat f2  achieved by seat 1 (rotated)" in text
    found = played({**TABLE}, {**soldier("it", [{"op": "destroy", "sel": UNIT}]), "text": "Destroy [one]."}, city="3")
    assert "Now: it: Destroy [one]." in drawn(found)


# -- sentences of events -----------------------------------------------------------------------------------------------


def sentences_of(found: Scenario, seat: int, *steps: str) -> list[str]:
    """The event sentences of a seat for these steps."""
    sentences = []
    for step in steps:
        before = found.state.clone()
        choices = {f"{'AB'[s]} {found.label(c, s)}": (c, s) for s in range(2) for c in found.state.legal(s)}
        code, mover = choices[step] if found.state.actor() >= 0 else (found.state.chance()[0][0], -1)
        found.state.apply(code, mover)
        events = found.game.events(before, None if mover < 0 else Seat(mover), Code(code), found.state, Viewer(seat))
        sentences += [sentence for event in events if (sentence := found.game.describe_event(event))]
    return sentences


def test_events_without_a_choice_have_sentences() -> None:
    found = scenario(
        {
            "step": "surge",
            "A": {"coins": 2, "hand": ["sdisc", "z11"]},
            "B": {"hand": ["s1a"]},
            "c1": {"A": ["s3a", "s2a"], "B": ["s1b", "s2b", "s4a"]},
            "c2": {"A": ["s3b"], "left": 1},
            "c3": {"A": ["o1a"]},
        },
        {"auto_single": False},
    )
    # B loses his card unasked; no event repeats a label.
    assert sentences_of(found, 1, "A sdisc", "A play", "A 2") == ["Seat 1 discards s1a."]
    # A has a Soldier in two Cities only; B wins War, and each Unit that stays has a sentence of its own.
    sentences = sentences_of(found, 0, "A end", "A A/3/o1a", "the prize", "B s4a", "A s2a+s3a")
    assert sentences == [
        "Seat 0 gains 1 coin.", "War for the left City, Strength 5 to 7: seat 1 wins.",
        "Seat 1 takes a Reward from the left City.", "S1b of seat 1 is destroyed.", "S2b of seat 1 is destroyed.",
    ]  # fmt: skip
    assert sentences_of(found, 0, "A none", "B coin") == ["A turn begins: seat 1."]
