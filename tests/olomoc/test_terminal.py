"""Output for a person at a terminal: the drawn board, prompts, event sentences, typed places, answers to questions."""

from __future__ import annotations

import re
from functools import cache

import pytest
from rich.text import Text

from gamepacks.api.errors import IllegalAction
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code, Seat, Viewer
from gamepacks.olomoc import Olomoc, codes
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.prompts import ending, question
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.in_play import view_of, walk
from tests.olomoc.scenes import (
    CHARGE,
    FRONTAL,
    MARCH,
    NO,
    REST,
    RIPOSTE,
    Marker,
    Rouage,
    asked_first,
    charge,
    do,
    go,
    happens,
    legal,
    parts,
    rolls,
    scene,
    scenery,
    target,
    use,
)


def drawn(state: OlomocState, viewer: Viewer = SPECTATOR, *, choices: bool = False) -> list[str]:
    """The lines as a person sees them, without colours."""
    codes = legal(state) if choices else []
    actions = [state.game.action(state, Code(code)) for code in codes]
    return [plain(line) for line in (state.game.render_choices(view_of(state, viewer), actions) or "").splitlines()]


@cache
def plain(line: str) -> str:
    """Returns a line without its colours, which end with it; most lines are drawn again and again."""
    return Text.from_markup(line).plain


def shown(state: OlomocState, *codes: int) -> list[str]:
    """Take codes one after the other; returns the sentences of the events."""
    events = (event for code in codes for event in happens(state, code))
    return [said for event in events if (said := state.game.describe_event(event, view_of(state)))]


def read(state: OlomocState, text: str) -> int | None:
    """Returns the code of a typed text."""
    action = state.game.parse_text(view_of(state), text)
    return None if action is None else state.game.parse(state, Seat(state.actor()), action)


def labels(state: OlomocState) -> list[str]:
    return [state.game.label(state, Code(code)) for code in legal(state)]


def asked(state: OlomocState, text: str) -> str:
    return state.game.explain(view_of(state), text)


# -- the board ---------------------------------------------------------------------------------------------------------


def test_the_board_has_inches_lines_and_everybody() -> None:
    stand = {
        2: Rouage((250, 125)),
        4: Rouage((1000, 800), stunned=True, noirceur=2),
        6: Rouage((600, 800)),
        7: Rouage((300, 1200)),
    }
    state = scene(stand, hostiles=dict.fromkeys((6, 7), "fx-idler"), markers=[Marker((1300, 500), zone=12_700)])
    lines = drawn(state)
    top = next(number for number, line in enumerate(lines) if "┌" in line)
    rows = lines[top + 1 : top + 33]
    assert [int(row[:5]) for row in rows if row[:5].strip()] == list(range(15, -1, -1))
    assert rows[31 - 2].startswith("    1│") and rows[31 - 2][6 + 10] == "3", "(2.50, 1.25)"
    assert rows[31 - 16].startswith("    8│") and rows[31 - 16][6 + 40] == "b" and rows[31 - 16][6 + 24] == "A"
    assert rows[31 - 24][6 + 12] == "B"
    assert rows[31 - 10][6 + 52] == "◇" and rows[31 - 10][6 + 49] == ".", "its zone around it"
    assert lines[top + 34].split()[:17] == [str(inch) for inch in range(17)]
    assert lines[top].endswith("┐ N") and lines[top + 33].endswith("┘ S")
    assert lines[top + 36].strip() in (
        "deployment lines: seat 0 from the north, seat 1 from the south",
        "deployment lines: seat 0 from the south, seat 1 from the north",
    )
    table = [line for line in lines[top + 37 :] if re.match("[▶ ] [123abcAB] ", line)]
    assert [line[2] for line in table] == list("123abcAB")
    assert table[2].startswith("▶ 3 Pétra Kantor") and "4 tokens" in table[2] and "(2.50, 1.25)" in table[2]
    below = lines[lines.index(table[4]) + 1]
    assert below.strip() == "N2 stunned", "what no longer fits into the line"
    assert "idler (A)" in table[6] and "idler (B)" in table[7]
    assert lines[-1] == "  seat 0: Pétra Kantor is active: what does it do?"


def test_places_to_choose_are_marked() -> None:
    state = do(scene({2: Rouage((800, 800))}), use(2, MARCH))
    assert not any("+" in line for line in drawn(state) if "│" in line)
    marked = [line for line in drawn(state, choices=True) if "+" in line and "│" in line]
    assert len(marked) > 10
    columns = {column - 6 for line in marked for column, sign in enumerate(line) if sign == "+"}
    assert columns <= {parts(code).x // 25 for code in legal(state)}


def test_a_players_own_plan_and_ministries_are_shown() -> None:
    state = asked_first(Decision.PLAN_CARD)
    own = "\n".join(drawn(state, Viewer(0)))
    assert "ministries in hand, with their slots: " in own and "(" in own
    assert own.endswith("lay a card face down in the first empty slot")
    assert re.search(r"plan .*\[\w+\]\*", own), "the ministry is laid, and known to its player"
    assert "]*" in "\n".join(drawn(state, SPECTATOR)) or "[ ]" in "\n".join(drawn(state, SPECTATOR))
    assert not re.search(r"\[\w+[^]]*\]", "\n".join(drawn(state, SPECTATOR))), "no card of a plan is named to others"


def test_no_line_is_longer_than_a_terminal_of_80_columns() -> None:
    """In games of the house set, whose names and texts are as long as printed ones."""
    longest = 0
    for agenda in ("survey", "gargoule"):
        for state in walk(5, agenda=agenda):
            longest = max(longest, *(len(line) for viewer in (0, SPECTATOR) for line in drawn(state, Viewer(viewer))))
    assert 70 < longest <= 80


def test_labels_say_the_dice_and_the_difficulty_of_a_roll() -> None:
    """Of attacks, reactions, fate, charges, and of the study of a marker (OLO-ROLL-01 to 04, OLO-CHARGE-03)."""

    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800)), 5: Rouage((1500, 1500))})
    assert "Pétra Kantor: Frontal attack (4 dice, difficulty 5)" in labels(state)
    do(state, use(2, FRONTAL))
    assert labels(state) == ["target Hynek Novotny (4 dice, difficulty 5)"]
    do(state, target(4))
    assert any(re.fullmatch(r"dodge \(\d dice, difficulty 5\)", label) for label in labels(state))
    assert any(re.fullmatch(r"riposte with Combat \(\d dice, difficulty 5\)", label) for label in labels(state))
    do(state, NO)
    rolls(state, 1)
    assert "tempt fate (4 dice, difficulty 5)" in labels(state)
    supported = scene({1: Rouage((900, 1000)), 2: Rouage((700, 800)), 4: Rouage((900, 800))})
    assert labels(do(supported, use(2, FRONTAL))) == ["target Hynek Novotny (4 dice, difficulty 4)"]
    charging = do(scene({2: Rouage((300, 800)), 4: Rouage((700, 800))}), use(2, CHARGE))
    assert all(label.endswith(" (4 dice, difficulty 4)") for label in labels(charging) if label.startswith("charge "))
    studying = scene({2: Rouage((700, 800))}, markers=[Marker((820, 800))], options={"agenda": "study"})
    assert "Pétra Kantor: Study (2 dice, difficulty 5)" in labels(studying)
    leaving = do(scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}), use(2, MARCH))
    do(leaving, next(code for code in legal(leaving) if do(leaving.clone(), code).decision == Decision.OPPORTUNITY))
    assert any(
        re.fullmatch(r"make the opportunity attack \(\d dice, difficulty 5\)", label) for label in labels(leaving)
    )


def test_the_dice_of_a_label_are_those_that_are_rolled() -> None:
    """Holds for codes that cause one roll with nothing in between."""
    seen = set()
    for seed in range(4):
        for state in walk(seed):
            if state.actor() < 0 or state.decision not in (
                Decision.TARGET,
                Decision.OPPORTUNITY,
                Decision.FATE,
                Decision.CHARGE,
            ):
                continue
            for code in legal(state)[:3]:
                expected = state.rolls_of(code)
                after = do(state.clone(), code)
                while after.decision == Decision.REACT:
                    do(after, NO)
                if len(expected) == 1 and after.decision == Decision.CHANCE_POOL:
                    assert after.pool == expected[0]
                    seen.add(state.decision)
    assert seen == {Decision.TARGET, Decision.OPPORTUNITY, Decision.FATE, Decision.CHARGE}


def test_sentence_of_the_end_has_points_and_cause() -> None:
    players = [pb.PlayerInfo(seat=1, vp=2, fiel=3), pb.PlayerInfo(seat=0, vp=4)]
    view = pb.View(players=players, end_cause=pb.END_CAUSE_FIEL, winners=[0])
    assert ending(view) == (
        "The game is over: seat 1 has Fiel 3 and loses. Points: 2 of seat 1, 4 of seat 0. Won by seat 0."
    )
    view.end_cause, view.players[0].fiel = pb.END_CAUSE_CYCLES, 0
    assert "the fourth cycle is over" in ending(view)
    view.end_cause = pb.END_CAUSE_TRAQUE
    del view.winners[:]
    assert ending(view).startswith("The game is over: the hunt has reached 3.") and ending(view).endswith(" A draw.")
    view.end_cause = pb.END_CAUSE_BOTH_FIEL
    assert ending(view).endswith(" Nobody wins.")


def test_every_decision_is_a_sentence_with_names() -> None:
    met = set()
    for seed in range(3):
        for state in walk(seed):
            view = view_of(state)
            said = question(view)
            assert said and "{" not in said and not re.search(r"\brouage \d|\bDECISION", said)
            who = ", ".join(f"seat {seat}" for seat in view.deciding_seats) or "chance"
            assert view.situation == (ending(view) if view.end_cause else f"{who}: {said}")
            if view.decision > pb.DECISION_CHANCE_DIE:
                met.add(view.decision)
                assert " " in said
    assert {pb.DECISION_ACT, pb.DECISION_GO, pb.DECISION_TARGET, pb.DECISION_FATE, pb.DECISION_ENTER} <= met


def test_questions_name_whom_they_are_about() -> None:
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))})
    assert question(view_of(do(state.clone(), use(2, MARCH)))) == "March: Pétra Kantor moves: up to where?"
    do(state, use(2, FRONTAL))
    assert question(view_of(state)) == "Frontal attack: Pétra Kantor: which target?"
    do(state, target(4))
    assert question(view_of(state)) == "Pétra Kantor attacks Hynek Novotny: how does Hynek Novotny react?"
    far = scene({2: Rouage((400, 800)), 4: Rouage((760, 800))})
    assert question(view_of(do(far, use(2, CHARGE)))) == "Pétra Kantor charges: whom, and up to where?"
    beset = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))})
    do(beset, use(2, MARCH), go(600, 800))
    said = question(view_of(beset))
    assert said == "Pétra Kantor is about to leave the threat zone of Hynek Novotny: does Hynek Novotny attack first?"


# -- what happens ------------------------------------------------------------------------------------------------------


def test_an_attack_in_sentences() -> None:
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))})
    said = shown(state, use(2, FRONTAL), target(4), RIPOSTE)
    assert said[:2] == ["Pétra Kantor attacks Hynek Novotny", "Hynek Novotny ripostes with Combat"]
    said = shown(state, codes.SUCCESSES(2), codes.SUCCESSES(1))
    assert all(re.fullmatch(r"\S+ \S+ rolls( [1-6])+: \d of \d at \d or more|.*left.*", line) for line in said[:2])
    while state.decision != Decision.ACT:
        said += shown(state, NO)
    assert "2 successes left against Hynek Novotny" in said
    assert any(line.startswith("Hynek Novotny takes 2 wounds") for line in said)
    assert any(line.startswith("Pétra Kantor takes 1 wound") for line in said)


def test_sentence_of_wounds_has_what_was_held_off() -> None:
    """Three wounds against RSSSSTS: the reinforced box holds one off, two boxes are ticked."""
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800))}, active=4)
    do(state, use(4, FRONTAL), target(2), NO)
    said = shown(state, codes.SUCCESSES(3))
    while state.decision != Decision.ACT:
        said += shown(state, NO)
    assert "Pétra Kantor takes 3 wounds (1 prevented): 2 boxes" in said


def test_sentences_over_whole_games() -> None:
    """No sentence has a number in place of a name, and each important change has a sentence."""
    said: list[str] = []
    for seed in range(2):
        made = Olomoc.configure(2, {"agenda": ("survey", "gargoule")[seed]})
        assert isinstance(made, Olomoc)
        said += _all_sentences(made, seed)
    assert not [line for line in said if re.search(r"\b(rouage|marker|scenery) \d", line)]
    for words in (
        r"^Noirceur of .*: 0 to 1 \(.+\)$",
        r" is tainted now$",
        r" rolls \d dice at \d or more: support \(-1 difficulty\)$",
        r"^Points of seat [01]: \d+ to \d+ \(.+\)$",
        r"^Tokens of .* \(.+\)$",
        r"^Cycle 2 begins$",
        r"^Slot 3: .* against .*; seat [01] is first$",
        r" is activated$",
        r"( [1-6])+: \d of \d at \d or more$",
        r" takes \d wounds?",
        r"^The hostile phase",
        r"Priority: seat [01]$",
        r"^Both players have planned$",
    ):
        assert any(re.search(words, line) for line in said), words


def _all_sentences(made: Olomoc, seed: int) -> list[str]:
    from cext.random import Rng
    from cext.state import CHANCE, SIMULTANEOUS, TERMINAL

    rng, state, said = Rng(seed), made.initial_state(), []
    while state.actor() != TERMINAL:
        actor = state.actor()
        seat = (
            None
            if actor == CHANCE
            else Seat(actor if actor != SIMULTANEOUS else (0 if state.seats_to_act() & 1 else 1))
        )
        code = rng.weighted(state.chance()) if seat is None else rng.choice(state.legal(seat))
        before = state.clone()
        state.apply(code, -1 if seat is None else seat)
        view = made.view(state, Viewer(0))
        events = made.events(before, seat, Code(code), state, Viewer(0))
        said += [line for event in events if (line := made.describe_event(event, view))]
    assert made.describe_event(pb.Event(), made.view(state, OMNISCIENT)) == ""
    return said


# -- what is typed -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-GEO-62")
def test_places_are_typed_in_inches() -> None:
    state = do(scene({2: Rouage((700, 800)), 4: Rouage((1500, 300))}), use(2, MARCH))
    for text in ("7.03, 9.11", "7.03 9.11", "(7.03, 9.11)", "to 7.03,9.11", "Pétra Kantor to (7.03, 9.11)"):
        assert read(state, text) == go(703, 911), text
    assert go(703, 911) not in legal(state) and state.is_legal(go(703, 911), state.actor()), "beyond the list"
    assert read(state, "7.5 8") == go(750, 800)
    for text in ("7.5", "7.5, 8 and on", "seven", "7.555, 8", ""):
        assert read(state, text) is None, text
    with pytest.raises(IllegalAction) as caught:
        do(state, read(state, "15 8") or 0)
    assert caught.value.reason == Reason.OUT_OF_REACH


def test_charges_and_scenery_are_typed_with_what_they_need() -> None:
    state = do(scene({2: Rouage((400, 800)), 4: Rouage((760, 800)), 3: Rouage((300, 300))}), use(2, CHARGE))
    for text in ("hynek 5.6, 8", "charge Hynek Novotny, up to (5.60, 8.00)", "novotny 5.6 8"):
        assert read(state, text) == charge(4, 560, 800), text
    assert read(state, "5.6, 8") is None, "whom?"
    assert read(state, "nobody 5.6, 8") is None
    laying = asked_first(Decision.SCENERY, bloc="placed")
    assert read(laying, "6, 6") == scenery(0, 600, 600)
    for text in ("6, 6 turned 45 degrees", "6,6 45", "(6.00, 6.00), turned 45"):
        assert read(laying, text) == scenery(2, 600, 600), text
    assert read(laying, "6, 6 turned 50 degrees") is None


def test_capacities_that_are_not_listed_are_refused_with_the_reason() -> None:
    state = scene({2: Rouage((700, 800), ap=0), 1: Rouage((300, 300)), 4: Rouage((1500, 300))})
    assert read(state, "march") == use(2, MARCH) and read(state, "Petra Kantor: March") == use(2, MARCH)
    assert read(state, "dominik march") == use(1, MARCH)
    assert read(state, "rest") == use(2, REST)
    for text in ("dance", "nobody march", "hynek", "7, 8"):
        assert read(state, text) is None, text
    with pytest.raises(IllegalAction) as caught:
        do(state, read(state, "march") or 0)
    assert caught.value.reason == Reason.TOO_FEW_TOKENS
    with pytest.raises(IllegalAction) as caught:
        do(state, read(state, "dominik march") or 0)
    assert (caught.value.reason, caught.value.message) == (Reason.NOT_ACTIVE, "Dominik Kralov is not active")


# -- what is asked -----------------------------------------------------------------------------------------------------


def test_cards_and_rouages_are_explained() -> None:
    state = scene({2: Rouage((700, 800), noirceur=1), 4: Rouage((900, 800))}, markers=[Marker((300, 300))])
    help_text = asked(state, "")
    assert "7.25, 3.5" in help_text and "? agenda" in help_text
    petra = asked(state, "petra")
    assert petra.startswith("Pétra Kantor: rank 3, ")
    assert "Pétra Kantor at 7.00, 8.00: 0 of 7 boxes ticked, 4 tokens, Noirceur 1" in petra
    assert "in its threat zone: Hynek Novotny" in petra
    for card in (*state.game.cards.gear, *state.game.cards.ministries, *state.game.cards.artefacts):
        assert card.name in asked(state, card.name) and card.text in asked(state, card.name)
    for piece in state.game.cards.pieces:
        assert asked(state, piece.name).startswith(f"{piece.name}: scenery, ")
    assert asked(state, "march").startswith("March: 1 token: a move")
    assert asked(state, "charge").startswith("Charge: 2 tokens: ")
    assert asked(state, "nothing of the kind") == ""
    assert "march_ap: 1" in asked(state, "values")
    assert asked(state, "agenda").startswith(view_of(state).agenda.name)
    assert asked(state, "pile").startswith("In the pile, in unknown order: ")
    assert asked(state, "effects") == "No effect is in force."
    assert view_of(state).artefact.name in asked(state, "artefact")


@pytest.mark.rule("OLO-MEAS-01")
def test_anything_can_be_measured_by_name() -> None:
    stand = {2: Rouage((950, 800)), 4: Rouage((1350, 800)), 1: Rouage((950, 950))}
    state = scene(stand, markers=[Marker((300, 300))], options={"bloc": "tall"})
    gap = state.table().gap(2, 4)
    assert asked(state, "petra hynek") == f"Pétra Kantor to Hynek Novotny: {gap:.2f} inches, no line of sight"
    assert asked(state, "hynek to petra") == f"Hynek Novotny to Pétra Kantor: {gap:.2f} inches, no line of sight"
    assert re.fullmatch(
        r"Pétra Kantor to Dominik Kralov: 0\.\d\d inches, within an inch, in sight", asked(state, "petra dominik")
    )
    assert asked(state, "objective petra").startswith("objective to Pétra Kantor: ")
    assert re.fullmatch(
        r"Pétra Kantor to Tall wall: 0\.\d\d inches, within an inch, in sight", asked(state, "wall petra")
    )
    assert asked(state, "petra lida") == "", "Lida is off the board"
