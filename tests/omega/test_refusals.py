"""Every reason of a refusal; legal lists, checks and reasons agree; invalid actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cext.errors import IllegalAction
from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.errors import InvalidMessage
from gamepacks.api.types import Code, Seat
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BOOK, Ending, Reason
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, library
from tests.omega.scenario import OmegaScenario, Player
from tests.omega.test_invariants import DENSE, preferred

CARDS = {
    "A": F(2, 1, book(("advance", 1))),
    "C": F(1, 1, book(("cycle", 1, "red"))),
    "K": F(1, 1, book(("key", 2))),
    "P": F(1, 1, primitive=True),
    "R": F(1, 1, renegade=True),
}


def menu(
    hand: str = "", row: dict[str, str] | None = None, *, theirs: Player | None = None, **fields: object
) -> OmegaScenario:
    options = fields.pop("options", {})
    return OmegaScenario(3, CARDS, **options).at(Player(hand, row or {}), theirs or Player("", {"Z9": "V"}), **fields)  # type: ignore[arg-type]


def after(scenario: OmegaScenario, *codes_: int) -> OmegaScenario:
    for code in codes_:
        scenario.take_code(code)
    return scenario


def looking(load: str, card: int) -> OmegaScenario:
    """Returns a scenario in which a Key with this load is used, and this card and another one are looked at."""
    return after(menu("", {"K": load}), codes.USE_BOOK(0, 0), codes.LOOK(card), codes.LOOK(21))


def passing() -> OmegaScenario:
    """Returns a scenario in which the Eye has just been passed."""
    return after(OmegaScenario(2, CARDS).at(Player("B", {"A": ""}, steps=11)), codes.PLACE(0), codes.TARGET(0))


FINAL = {"ending": Ending.EXHAUSTION, "announcer": 1, "final_turns_left": 1}

CASES: list[tuple[Reason, Callable[[], OmegaScenario], int]] = [
    (Reason.GAME_OVER, lambda: menu(phase=Phase.OVER, ending=4, announcer=0), codes.END_MAIN()),
    (Reason.WRONG_PHASE, menu, codes.TAKE_BAG()),
    (Reason.WRONG_PHASE, menu, codes.ALTAR_RUNE(0)),
    (Reason.WRONG_PHASE, lambda: after(menu("G", {"A": ""}), codes.PLACE(1)), codes.PLACE(1)),
    (Reason.UNKNOWN_CODE, menu, 35 << 24),
    (Reason.UNKNOWN_CODE, menu, -1),
    (Reason.UNKNOWN_CODE, menu, codes.END_MAIN() | 1),
    (Reason.UNKNOWN_CODE, menu, codes.MASK(0) | 1 << 20),
    (Reason.NOT_AN_OUTCOME, lambda: after(menu(), codes.END_MAIN()), codes.ALTAR_RUNE(6)),
    (Reason.NOT_AN_OUTCOME, lambda: after(menu(), codes.END_MAIN()), codes.END_MAIN()),
    (Reason.NO_SUCH_RUNE, lambda: menu(altar="R", phase=Phase.DRAW), codes.TAKE_ALTAR(0)),
    (Reason.NO_SUCH_RUNE, lambda: menu(altar="R", phase=Phase.DRAW), codes.TAKE_ALTAR(200)),
    (Reason.NO_SUCH_RUNE, lambda: menu("G", {"A": ""}), codes.PLACE(0)),
    (Reason.NO_SUCH_RUNE, lambda: menu("G", {"A": ""}), codes.PLACE(9)),
    (Reason.NO_SUCH_RUNE, lambda: menu("V", {"A": ""}), codes.PAIR()),
    (Reason.NO_SUCH_RUNE, lambda: menu("V"), codes.PLACE_BLACK()),
    (Reason.NO_SUCH_RUNE, lambda: after(menu("V"), codes.SUMMON(0)), codes.ADD(0)),
    (Reason.NO_SUCH_RUNE, lambda: after(menu("V"), codes.SUMMON(0)), codes.ADD(77)),
    (
        Reason.NO_SUCH_RUNE,
        lambda: after(menu("", {"A": "GG", "Z8": ""}, gained="Z8"), codes.DISOWN(0)),
        codes.RECOVER(2),
    ),
    (Reason.NO_SUCH_RUNE, lambda: after(menu("", {"C": "R", "A": "G"}), codes.USE_BOOK(0, 0)), codes.CYCLE(1, 2)),
    (Reason.NO_SUCH_CARD, lambda: menu("G", gallery=(None, "Z39", "Z40", "Z41")), codes.SUMMON(0)),
    (Reason.NO_SUCH_CARD, lambda: menu("G"), codes.SUMMON(4)),
    (Reason.NO_SUCH_CARD, lambda: looking("", 20), codes.KEY_TAKE(22)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("4G"), codes.CAPTURE(1, 1)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("4G"), codes.CAPTURE(3, 0)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("G", {"A": ""}), codes.MASK(1)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("G", {"A": ""}), codes.USE_BOOK(1, 0)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("G"), codes.PLACE(1)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("VV"), codes.PAIR()),
    (Reason.NO_SUCH_EGREGOR, lambda: after(menu("G", {"A": ""}), codes.PLACE(1)), codes.TARGET(1)),
    (Reason.NO_SUCH_EGREGOR, lambda: after(menu("K"), codes.PLACE_BLACK()), codes.BLACK_TARGET(2, 0)),
    (Reason.NO_SUCH_EGREGOR, lambda: menu("", {"A": ""}, gained="A"), codes.DISOWN(1)),
    (Reason.NO_SUCH_STACK, passing, codes.ARCANA(6)),
    (Reason.NO_SUCH_POWER, lambda: menu("", {"A": ""}), codes.USE_BOOK(0, 1)),
    (Reason.NO_SUCH_POWER, lambda: menu("", {"P": ""}), codes.USE_BOOK(0, 0)),
    (Reason.BAG_EMPTY, lambda: menu(altar="R", bag="", rest=2, phase=Phase.DRAW), codes.TAKE_BAG()),
    (Reason.OTHER_COLOUR, lambda: after(menu("", {"C": "RG"}), codes.USE_BOOK(0, 0)), codes.CYCLE(0, 1)),
    (Reason.COMPULSORY, lambda: after(menu("", {"C": "RG"}), codes.USE_BOOK(0, 0)), codes.STOP()),
    (Reason.ALREADY_GAINED, lambda: menu("G", {"A": ""}, gained="A"), codes.SUMMON(0)),
    (Reason.ALREADY_GAINED, lambda: menu("G", {"A": ""}, gained="A"), codes.CAPTURE(1, 0)),
    (
        Reason.FINAL_ROUND,
        lambda: menu("9G", theirs=Player("", {"Z9": "", "Z8": ""}), **FINAL),
        codes.CAPTURE(1, 0),
    ),
    (Reason.OWN_EGREGOR, lambda: menu("9G", {"A": "", "C": ""}), codes.CAPTURE(0, 0)),
    (Reason.OWN_EGREGOR, lambda: after(menu("K", {"A": "G"}), codes.PLACE_BLACK()), codes.BLACK_TARGET(0, 0)),
    (Reason.TARGET_ONLY_ONE, lambda: menu("9G"), codes.CAPTURE(1, 0)),
    (
        Reason.TARGET_LOST_ONE,
        lambda: menu("9G", theirs=Player("", {"Z9": "", "Z8": ""}, lost=True)),
        codes.CAPTURE(1, 0),
    ),
    (
        Reason.TARGET_MASKED,
        lambda: menu("9G", theirs=Player("", {"Z9": "", "Z8": ""}, mask="Z9")),
        codes.CAPTURE(1, 0),
    ),
    (Reason.TARGET_FULL, lambda: menu("11G", theirs=Player("", {"Z9": "10V", "Z8": ""})), codes.CAPTURE(1, 0)),
    (Reason.NO_BATCH, lambda: menu("GG", theirs=Player("", {"Z9": "VV", "Z8": ""})), codes.CAPTURE(1, 0)),
    (Reason.NO_BATCH, lambda: menu("KK"), codes.SUMMON(0)),
    (Reason.BLACK_NOT_OWN, lambda: menu("K", {"A": ""}), codes.PLACE(5)),
    (Reason.BLACK_NOT_OWN, lambda: after(menu("KG"), codes.SUMMON(0)), codes.ADD(5)),
    (Reason.EGREGOR_FULL, lambda: menu("G", {"A": "10G"}), codes.PLACE(1)),
    (Reason.EGREGOR_FULL, lambda: after(menu("G", {"A": "10G", "C": ""}), codes.PLACE(1)), codes.TARGET(0)),
    (Reason.EGREGOR_FULL, lambda: menu("VV", {"A": "9V"}), codes.PAIR()),
    (Reason.TOO_MANY_COLOURS, lambda: menu("G", {"A": "RV"}), codes.PLACE(1)),
    (Reason.TOO_MANY_COLOURS, lambda: menu("G", {"P": "R"}), codes.PLACE(1)),
    # The nearest reason: of a card that has room, where there is one.
    (Reason.TOO_MANY_COLOURS, lambda: menu("G", {"A": "10G", "P": "R"}), codes.PLACE(1)),
    (Reason.TOO_MANY_COLOURS, lambda: after(menu("G", {"A": "RV", "C": ""}), codes.PLACE(1)), codes.TARGET(0)),
    (Reason.TOO_MANY_COLOURS, lambda: after(menu("GRV"), codes.SUMMON(0), codes.ADD(1), codes.ADD(2)), codes.ADD(3)),
    (
        Reason.TOO_MANY_COLOURS,
        lambda: looking("GV", 3),
        codes.KEY_TAKE(3),
    ),
    (Reason.BATCH_FULL, lambda: after(menu("11G"), codes.SUMMON(0), *[codes.ADD(1)] * 10), codes.ADD(1)),
    (
        Reason.DEAD_END,
        lambda: after(menu("GGR", theirs=Player("", {"Z9": "V", "P": "V"})), codes.CAPTURE(1, 1)),
        codes.ADD(2),
    ),
    (Reason.TOO_FEW, lambda: after(menu("GG"), codes.SUMMON(0)), codes.CONFIRM()),
    (Reason.NO_PAIRS, lambda: menu("VV", {"A": ""}, options={"green_pairing": "consecutive"}), codes.PAIR()),
    (
        Reason.PROTECTED_BY_WHITE,
        lambda: after(menu("K", theirs=Player("", {"Z9": "GWW", "Z8": "G"})), codes.PLACE_BLACK()),
        codes.BLACK_TARGET(1, 0),
    ),
    (
        Reason.PROTECTED_BY_WHITE,
        lambda: after(menu("K", theirs=Player("", {"Z9": "GW"})), codes.PLACE_BLACK(), codes.BLACK_TARGET(1, 0)),
        codes.BLACK_TAKE(4),
    ),
    (Reason.NOTHING_TO_TAKE, lambda: menu("K", theirs=Player("", {"Z9": "WK"})), codes.PLACE_BLACK()),
    (
        Reason.NOTHING_TO_TAKE,
        lambda: after(menu("K", theirs=Player("", {"Z9": "WK", "Z8": "G"})), codes.PLACE_BLACK()),
        codes.BLACK_TARGET(1, 0),
    ),
    (
        Reason.BLACK_FOR_BLACK,
        lambda: after(menu("K", theirs=Player("", {"Z9": "GK"})), codes.PLACE_BLACK(), codes.BLACK_TARGET(1, 0)),
        codes.BLACK_TAKE(5),
    ),
    (Reason.NOT_GAINED_YET, lambda: menu("", {"A": "", "C": ""}), codes.DISOWN(0)),
    (Reason.JUST_GAINED, lambda: menu("", {"A": "", "C": ""}, gained="C"), codes.DISOWN(1)),
    (Reason.ALREADY_DISOWNED, lambda: menu("", {"A": "", "C": ""}, gained="C", disowned=1), codes.DISOWN(0)),
    (Reason.MASK_ON_RENEGADE, lambda: menu("", {"R": ""}), codes.MASK(0)),
    (Reason.MASK_THERE, lambda: after(menu("", {"A": "", "C": ""}), codes.MASK(0)), codes.MASK(0)),
    (Reason.MASK_MOVED, lambda: after(menu("", {"A": "", "C": ""}), codes.MASK(0)), codes.MASK(1)),
    (Reason.POWER_USED, lambda: after(menu("", {"A": ""}), codes.USE_BOOK(0, 0)), codes.USE_BOOK(0, 0)),
    (Reason.POWER_IDLE, lambda: menu("", {"C": "G"}), codes.USE_BOOK(0, 0)),
    (
        Reason.TOO_MANY_EGREGORS,
        lambda: menu("", dict.fromkeys(CARDS, ""), gained="A"),
        codes.END_MAIN(),
    ),
    (
        Reason.IS_A_KEY,
        lambda: after(
            OmegaScenario(3, {**CARDS, "K2": CARDS["K"]}).at(Player("", {"K": ""}), Player("", {"Z9": ""})),
            codes.USE_BOOK(0, 0), codes.LOOK(5), codes.LOOK(20),
        ),
        codes.KEY_TAKE(5),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "make", "code"), CASES, ids=lambda value: str(getattr(value, "value", "")) or None)
def test_each_reason_of_refusal_is_given(reason: Reason, make: Callable[[], OmegaScenario], code: int) -> None:
    scenario = make()
    assert scenario.refused_code(code) == reason
    refused = scenario.game.why_illegal(scenario.state, code)
    assert refused.reason == reason
    assert refused.message and not refused.message.endswith(".")


def test_every_reason_is_given_by_some_test() -> None:
    given = {reason for reason, _, _ in CASES}
    # These have tests of their own: the first two below, ALTAR_FIRST with the option power_amount.
    assert set(Reason) - given == {
        Reason.NOT_YOUR_TURN,
        Reason.INCOMPLETE_ACTION,
        Reason.NOT_AN_OPTION,
        Reason.ALTAR_FIRST,
    }


def test_another_seat_learns_only_that_it_is_not_its_turn() -> None:
    scenario = menu("GG", {"A": ""})
    for code in (codes.PLACE(1), codes.PLACE(0), codes.END_MAIN(), 35 << 24, codes.ALTAR_RUNE(0)):
        for seat in (1, 2):
            assert scenario.refused_code(code, seat) == Reason.NOT_YOUR_TURN
            assert (
                scenario.game.why_illegal(scenario.state, code, seat).message == f"seat 0 must act now, not seat {seat}"
            )
    after(scenario, codes.END_MAIN())
    assert scenario.state.actor() == CHANCE
    assert scenario.refused_code(codes.END_MAIN(), 0) == Reason.NOT_YOUR_TURN


def test_a_legal_code_has_no_reason() -> None:
    scenario = menu("GG", {"A": ""})
    for code in scenario.state.legal():
        with pytest.raises(ValueError, match="legal"):
            scenario.game.why_illegal(scenario.state, code)


@pytest.mark.parametrize("options", [{}, {"power_amount": "up_to", "recovery": "up_to", "black_takes": "nonwhite"}])
def test_lists_checks_and_reasons_agree(options: dict[str, str]) -> None:
    """At many nodes of random games, exactly the listed codes are legal, and all others are refused with a reason."""
    game = Omega.configure(3, {**options, "card_set": "fixture", "max_turns": 50}, library(DENSE, squares=12, eye=12))
    rng, state, reasons = Rng(9), game.initial_state(), set()
    every = [verb(*arguments) for verb in BOOK.verbs for arguments in _arguments(verb.fields)]
    for step in range(1_400):
        if state.actor() == TERMINAL:
            break
        if state.actor() >= 0 and step % 5 == 0:
            legal = set(state.legal())
            assert legal <= set(every) | {code for code in legal if BOOK.verb(code) is codes.KEY_TAKE}
            before = state.to_bytes()
            for code in rng_sample(rng, every, 60) + sorted(legal):
                assert state.is_legal(code) == (code in legal)
                if code not in legal:
                    refused = state.game.why_illegal(state, code)
                    assert isinstance(refused, IllegalAction)
                    assert refused.reason in set(Reason) and refused.message
                    reasons.add(refused.reason)
            assert state.to_bytes() == before
        state.apply(rng.weighted(state.chance()) if state.actor() == CHANCE else preferred(rng, state))
    assert len(reasons) > 12


def _arguments(fields: tuple[str, ...]) -> list[tuple[int, ...]]:
    most = {"seat": 4, "type": 7, "card": 43, "token": 3, "slot": 5, "place": 6, "power": 4, "stack": 7}
    found: list[tuple[int, ...]] = [()]
    for name in fields:
        found = [(*first, number) for first in found for number in range(most[name])]
    return found


def rng_sample(rng: Rng, items: list[Code], count: int) -> list[Code]:
    return [rng.choice(items) for _ in range(count)]


# -- messages that make no sense ---------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        pb.Action(),
        pb.Action(place=pb.RuneChoice()),
        pb.Action(add=pb.RuneChoice(rune=pb.RUNE_UNSPECIFIED)),
        pb.Action(cycle=pb.CycleChoice(place=1)),
    ],
)
def test_an_action_without_a_field_is_incomplete(action: pb.Action) -> None:
    scenario = menu("G", {"A": ""})
    with pytest.raises(IllegalAction) as caught:
        scenario.game.parse(scenario.state, Seat(0), action)
    assert caught.value.reason == Reason.INCOMPLETE_ACTION


@pytest.mark.parametrize(
    "action",
    [
        pb.Action(place=pb.RuneChoice(rune=-3)),  # type: ignore[arg-type]
        pb.Action(mask=pb.PlaceChoice(place=-1)),
        pb.Action(mask=pb.PlaceChoice(place=256)),
        pb.Action(summon=pb.Summon(slot=-1)),
        pb.Action(summon=pb.Summon(slot=1 << 30)),
        pb.Action(capture=pb.EgregorChoice(seat=-1, place=0)),
        pb.Action(capture=pb.EgregorChoice(seat=1, place=999)),
        pb.Action(use_book=pb.UseBook(place=0, power=-1)),
        pb.Action(key_take=pb.KeyTake(card=-1)),
        pb.Action(arcana=pb.ArcanaChoice(stack=-1)),
    ],
)
def test_an_action_with_a_number_out_of_range_is_no_option(action: pb.Action) -> None:
    scenario = menu("G", {"A": ""})
    with pytest.raises(IllegalAction) as caught:
        scenario.game.parse(scenario.state, Seat(0), action)
    assert caught.value.reason == Reason.NOT_AN_OPTION


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (pb.Action(place=pb.RuneChoice(rune=77)), Reason.NO_SUCH_RUNE),  # type: ignore[arg-type]
        (pb.Action(summon=pb.Summon(slot=9)), Reason.NO_SUCH_CARD),
        (pb.Action(capture=pb.EgregorChoice(seat=9, place=9)), Reason.NO_SUCH_EGREGOR),
        (pb.Action(mask=pb.PlaceChoice(place=77)), Reason.NO_SUCH_EGREGOR),
        (pb.Action(bag_rune=pb.RuneOutcome(rune=pb.RUNE_RED)), Reason.WRONG_PHASE),
    ],
)
def test_action_of_another_decision_is_refused_with_its_reason(action: pb.Action, reason: Reason) -> None:
    scenario = menu("G", {"A": ""})
    assert scenario.refused_code(scenario.game.parse(scenario.state, Seat(0), action)) == reason


def test_other_message_type_is_refused_as_action() -> None:
    scenario = menu()
    with pytest.raises(InvalidMessage):
        scenario.game.parse(scenario.state, Seat(0), pb.View())
