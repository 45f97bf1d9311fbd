"""Event sentences, answers to questions, and refusals of typed text."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api import SPECTATOR, Code, Seat, Viewer
from gamepacks.api.errors import IllegalAction
from gamepacks.omen import Omen, OmenTraits
from gamepacks.omen.codes import Reason
from gamepacks.omen.scoring import score_parts
from gamepacks.omen.sentences import TRAITS, TYPES
from gamepacks.omen.v1 import omen_pb2 as pb
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import played, soldier

Data = dict[str, Any]
SEEN: Data = {"op": "look", "zone": "deck_top", "n": 1, "as": "seen"}
REVEAL: Data = {"op": "reveal", "zone": "deck_top", "n": 1}
REVEALED = ["Filler 1 is revealed", "Filler 1 is revealed.", "Filler 1 is revealed and discarded."]
DISCARD_SEEN: Data = {"op": "put", "sel": {"zone": "set", "same_as": "seen"}, "to": "discard"}


def sentences_of(found: Scenario, seat: int, *steps: str) -> list[str]:
    """The chance labels and event sentences that a seat may know."""
    game, lines = found.game, []
    for step in steps:
        before = found.state.clone()
        seats = [mover for mover in range(2) for _ in found.state.legal(mover)]
        codes = [code for mover in range(2) for code in found.state.legal(mover)]
        choices = {f"{'AB'[mover]} {found.label(code, mover)}": code for mover, code in zip(seats, codes, strict=True)}
        mover = found.state.actor()
        code = Code(choices[step] if mover >= 0 else found.state.chance()[0][0])
        if mover == CHANCE and game.knows_code(before, None, code, Viewer(seat)):
            lines.append(game.label(before, code))
        found.state.apply(code, mover)
        view = game.view(found.state, Viewer(seat))
        for event in game.events(before, Seat(mover) if mover >= 0 else None, code, found.state, Viewer(seat)):
            lines += [said for said in [game.describe_event(event, view)] if said]
    return lines


def ask(found: Scenario, text: str, seat: int = 0) -> str:
    """The answer to a question."""
    return found.game.explain(found.game.view(found.state, Viewer(seat)), text)


def labels(found: Scenario) -> list[str]:
    return [found.game.label(found.state, Code(code)) for code in found.state.legal()]


# -- events ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OMENX-CHANCE-03")
@pytest.mark.parametrize(
    ("effect", "own", "others"),
    [
        (SEEN, ["Seat 0 looks at Filler 1", "Seat 0 looks at the top of the deck: Filler 1."],
         ["Seat 0 looks at the top of the deck: 1 card."]),
        ({"op": "draw"}, ["Filler 1 is drawn", "Seat 0 draws Filler 1."], ["Seat 0 draws a Unit."]),
        (REVEAL, REVEALED, REVEALED),
    ],
    ids=["look", "draw", "reveal"],
)  # fmt: skip
def test_a_card_that_is_looked_at_is_not_called_drawn(effect: Data, own: list[str], others: list[str]) -> None:
    given: Data = {"step": "surge", "A": {"coins": 0, "hand": ["it", "z11"]}, "deck": ["z01", "z02", "z03"]}
    for seat, expected in ((0, own), (1, others), (SPECTATOR, others)):
        found = scenario(given, extra={"units": [soldier("it", [effect])]})
        assert sentences_of(found, seat, "A it", "A 1", "chance") == expected


@pytest.mark.rule("OMENX-ATOM-05")
def test_label_of_an_optional_use_names_its_effects() -> None:
    found = played({"deck": ["z01", "z02"]}, soldier("it", [SEEN, {"op": "may", "do": [DISCARD_SEEN]}]))
    assert labels(found) == ["Use it: discard a card", "Do not use it"]
    destroy = [{"op": "destroy", "sel": {"zone": "city", "side": "opp"}}, {"op": "coins", "n": 1}]
    whole = soldier("it", destroy)
    whole["abilities"][0]["may"] = True
    found = played({"c1": {"B": ["s1a"]}}, whole)
    assert labels(found) == ["Use it: destroy a Unit, gain coins", "Do not use it"]


@pytest.mark.rule("OMEN-SCORE-01", "OMEN-SCORE-02", "OMEN-SCORE-03", "OMEN-SCORE-05")
def test_final_sentence_has_the_reason_and_the_parts_of_the_scores() -> None:
    found = scenario({
        "step": "offering", "active": "B", "A": {"feats": {"down": ["f1", "f2", "f3", "f4", "f5"]}},
        "B": {"hand": ["z11"], "prizes": ["w1", "w2", "w3"], "used": ["w4", "w5"], "feats": {"down": ["f1"]}},
    })  # fmt: skip
    assert sentences_of(found, 1, "B none")[-1] == (
        "The game is over, as a player holds five Feats: seat 0 has 10 points (Feats 10); seat 1 has 10 points "
        "(Rewards in hand 6, face-down Rewards 2, Feats 2). Seat 0 wins, by the tie-break for equal points."
    )
    assert ask(found, "score") == (
        "Seat 0: 10 points (Feats 10).\nSeat 1: 10 points (Rewards in hand 6, face-down Rewards 2, Feats 2)."
    )
    assert "10 points (Feats 10)" in found.game.render(found.game.view(found.state, Viewer(0)))


@pytest.mark.rule("OMENT-SCORE-01", "OMENT-SCORE-02", "OMENT-COVETED-01")
def test_final_sentence_of_the_traits_edition_has_the_parts_of_the_scores() -> None:
    found = scenario(
        {
            "step": "offering", "c1": {"left": 0, "razed": True}, "c3": {"left": 0, "razed": True},
            "A": {"hand": ["ucov"], "prizes": ["k1", "k2"], "area": ["utra", "k3"]},
            "B": {"prizes": ["k1", "k2", "k3"], "area": ["k1", "k2"]},
        },
        {"combined": True}, edition="traits",
    )  # fmt: skip
    assert sentences_of(found, 0, "A none")[-1] == (
        "The game is over, as enough Cities have no prize left: seat 0 has 8 points (Kraters in hand 4, Broken "
        "Kraters 1, triumphs 2, COVETED Units in hand 1); seat 1 has 8 points (Kraters in hand 6, Broken Kraters 2). "
        "Seat 0 and seat 1 win together."
    )


@pytest.mark.parametrize("kind", [Omen, OmenTraits])
def test_every_event_of_random_games_has_a_sentence_for_every_viewer(kind: Any) -> None:
    options = {"max_turns": 20}
    if kind is Omen:
        options |= {"spirits": True, "heroes": True, "challenges": "normal", "whims": True, "relics": True}
    game = kind.configure(2, options)
    rng, state, said = Rng(3), game.initial_state(), set()
    while state.actor() != TERMINAL:
        before, actor = state.clone(), state.actor()
        if actor == CHANCE:
            code, mover = Code(rng.weighted(state.chance())), -1
        else:
            mover = next(seat for seat in range(2) if state.seats_to_act() >> seat & 1)
            legal = state.legal(mover)
            code = Code(legal[rng.below(len(legal))])
        state.apply(code, mover)
        for viewer in (Viewer(0), Viewer(1), SPECTATOR):
            view = game.view(state, viewer)
            for event in game.events(before, None if mover < 0 else Seat(mover), code, state, viewer):
                for sentence in (game.describe_event(event, view), game.describe_event(event)):
                    assert sentence == "" or (sentence[0].isupper() and sentence.endswith("."))
                    said.add(event.type if sentence else 0)
    assert len(said) > 12
    view = game.view(state, SPECTATOR)
    for seat in range(2):
        # The house sets have one card with points of its own, a Relic; without it the sentence has all points.
        parts = score_parts(view, seat)
        assert sum(parts.values()) == view.players[seat].score == state.scores()[seat]
        assert 0 <= parts.get("other card points", 0) <= 1


# -- questions ---------------------------------------------------------------------------------------------------------


def test_all_traits_types_steps_and_terms_are_explained() -> None:
    traits = scenario({"step": "surge", "A": {"hand": ["ufpi"]}}, edition="traits")
    for trait in pb.Trait.values()[1:]:
        name = pb.Trait.Name(trait).removeprefix("TRAIT_")
        assert ask(traits, name.lower()) == f"{name}: {TRAITS[trait]}"
    omega = scenario({"step": "surge", "A": {"hand": ["s1a"]}})
    for unit_type in pb.UnitType.values()[1:]:
        name = pb.UnitType.Name(unit_type).removeprefix("UNIT_TYPE_")
        assert ask(omega, name) == f"{name.capitalize()}: {TYPES[unit_type]}"
    for text in ("whim", "Whims", "feats", "Rewards", "challenge", "relic", "enraged", "depleted", "limits", "war"):
        assert ask(omega, text), text
    for text in ("War", "Sacked", "krater", "razed", "portent", "offering", "limits"):
        assert ask(traits, text), text
    assert "Soldiers" in ask(omega, "war") and "BOLSTER" in ask(traits, "war")
    assert "fate" in ask(traits, "") and "whim" in ask(omega, "") and "fate" not in ask(omega, "")
    assert ask(omega, "xyzzy") == ask(omega, "fate") == ask(traits, "whim") == ""


def test_explanation_of_a_card_explains_its_traits() -> None:
    found = scenario({"step": "surge", "A": {"coins": 1, "hand": ["ufpi"]}, "B": {"hand": ["ucov"]}}, edition="traits")
    said = ask(found, "UFPI").splitlines()
    assert said[0].startswith("ufpi: Cost ")
    assert said[1:] == [f"  FATE: {TRAITS[pb.TRAIT_FATE]}", f"  PILFER: {TRAITS[pb.TRAIT_PILFER]}"]
    # The other player's hand is not described.
    assert ask(found, "ucov") == ""
    assert ask(found, "ucov", 1).startswith("ucov: Cost ")


def test_score_question_shows_parts_of_ones_own_score_and_no_hidden_points() -> None:
    given: Data = {"step": "surge", "A": {"hand": ["h1"], "prizes": ["w1"]}, "B": {"hand": ["s2a"], "used": ["w2"]}}
    found = scenario(given, {"heroes": True})
    assert ask(found, "score") == (
        "Seat 0: 3 points (Rewards in hand 2, Heroes in hand 1) if the game ended now, without points from the texts "
        "of cards.\nSeat 1: 1 point (face-down Rewards 1) from what you see; part of the hand is hidden."
    )


# -- what is typed -----------------------------------------------------------------------------------------------------


def typed(found: Scenario, text: str, seat: int = 0) -> tuple[str, str]:
    """Reason and message of the refusal of typed text; empty if it is legal."""
    action = found.game.parse_text(found.game.view(found.state, Viewer(seat)), text)
    assert action is not None, text
    code = found.game.parse(found.state, Seat(seat), action)
    if code in found.state.legal(seat):
        return "", ""
    error = found.game.why_illegal(found.state, code, seat)
    assert isinstance(error, IllegalAction)
    return error.reason, error.message


@pytest.mark.rule("OMEN-SURGE-04", "OMEN-SURGE-06", "OMEN-REWARD-02", "OMEN-REWARD-03")
def test_illegal_surge_actions_are_refused_with_their_reason() -> None:
    dear, free = soldier("dear", [], cost=3), soldier("free", [])
    full = ["s1a", "s2a", "s3a", "s1b", "s2b"]
    found = scenario(
        {
            "step": "surge", "A": {"coins": 2, "hand": ["dear", "free"], "prizes": ["w1"], "new_prizes": ["w2"]},
            "c1": {"A": full}, "discard": ["s4a"],
        },
        extra={"units": [dear, free]},
    )  # fmt: skip
    assert typed(found, "play dear") == (Reason.TOO_EXPENSIVE, "dear costs 3 coins, and you have 2")
    fresh = (Reason.NOT_AN_OPTION, "w2 was won in this turn and cannot be used before the next turn")
    assert typed(found, "use w2") == fresh
    assert typed(found, "play s4a") == (Reason.NO_SUCH_CARD, "s4a is not in your hand")
    assert typed(found, "draw")[0] == Reason.WRONG_DECISION
    assert "then end Surge" in typed(found, "draw")[1]
    for text in ("play free", "use w1", "end"):
        assert typed(found, text) == ("", ""), text
    found.play("A SURGE free")
    reason, message = typed(found, "left")
    assert reason == Reason.NO_ROOM and "the left City" in message and "count 5" in message
    assert typed(found, "city 2") == typed(found, "the right City") == ("", "")
    found.play("A CITY 2", "A SURGE w1")
    assert typed(found, "use w2") == fresh


@pytest.mark.rule("OMENT-SURGE-02", "OMENT-SURGE-03")
def test_unit_without_a_city_is_refused_with_no_room() -> None:
    closed: Data = {"left": 0, "razed": True}
    hand = ["u1a", "ufpi"]
    found = scenario(
        {"step": "surge", "A": {"coins": 9, "hand": hand}, "c1": closed, "c2": closed, "c3": closed}, edition="traits"
    )
    assert typed(found, "play u1a")[0] == Reason.NO_ROOM


@pytest.mark.rule("OMEN-OFFER-04")
def test_illegal_offerings_are_refused_with_their_reason() -> None:
    found = scenario({"step": "offering", "A": {"hand": ["s1a"], "prizes": ["w1"]}})
    assert typed(found, "offer w1") == (Reason.NOT_AN_OPTION, "w1 cannot be offered: only Units in your hand can be")
    assert typed(found, "offer s1a") == typed(found, "pass") == ("", "")
    assert typed(found, "play s1a")[0] == Reason.WRONG_DECISION


def test_other_text_is_not_parsed_as_an_action() -> None:
    found = scenario({"step": "surge", "A": {"coins": 2, "hand": ["s1a"]}, "B": {"hand": ["s2a"]}})
    view = found.game.view(found.state, Viewer(0))
    # A card in the other hand reads as a word that nobody knows.
    for text in ("", "play", "play nothing", "play s2a", "hello", "1", "city 9", "Take a coin", "city"):
        assert found.game.parse_text(view, text) is None, text
