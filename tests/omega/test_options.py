"""Each option of section 17 of RULES.md with each of its values, as mapping, text and message."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.api.errors import InvalidOptions
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import Ending
from gamepacks.omega.options import OmegaOptions
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, lightning
from tests.omega.scenario import OmegaScenario, Player

VALUES: dict[str, tuple[Any, ...]] = {
    "start_player": (None, 0, 1),
    "eye_trigger": ("reach", "cross"),
    "final_turn_capture": (False, True),
    "red_limit": ("per_rune", "per_batch", "per_turn"),
    "black_takes": ("coloured", "nonwhite"),
    "recovery": ("exact", "up_to"),
    "exhaustion": ("any_moment", "end_of_turn"),
    "disown_limit": ("1", "any"),
    "green_pairing": ("explicit", "consecutive"),
    "key_unchosen": ("shuffle", "discard"),
    "key_fires_lightning": (False, True),
    "mask_moves": ("no_repeat", "once"),
    "power_amount": ("full", "up_to"),
    "arcana_cap": (False, True),
    "prestige_zero_bonus": (False, True),
    "tie_break": ("shared", "most_arcana", "most_prestige"),
    "arcana_view": ("face_down", "open"),
    "max_turns": (0, 1, 100_000),
}
"""All options with their values, the default first."""


def test_options_and_defaults_are_complete() -> None:
    fields = {name: field.default for name, field in OmegaOptions.model_fields.items()}
    assert fields.pop("card_set") == ""
    assert fields == {name: values[0] for name, values in VALUES.items()}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in VALUES.items() for value in values])
def test_each_value_as_mapping_text_and_message(name: str, value: Any) -> None:
    game = Omega.configure(2, {name: value} if value is not None else {})
    assert getattr(game.options, name) == value
    assert Omega.configure(2, game.options_message()).options == game.options
    if value is not None:
        assert Omega.configure(2, {name: str(value).lower()}).options == game.options
        assert game.options_message().HasField(name)


def test_a_message_with_nothing_set_means_the_defaults() -> None:
    assert Omega.configure(2, pb.Options()).options == Omega.configure(2).options


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("start_player", 2, "0 to 1"),
        ("start_player", -1, "from 0 to 3"),
        ("eye_trigger", "land", "reach, cross"),
        ("final_turn_capture", "perhaps", "bool"),
        ("red_limit", "none", "per_rune, per_batch, per_turn"),
        ("black_takes", "all", "coloured, nonwhite"),
        ("recovery", "some", "exact, up_to"),
        ("exhaustion", "never", "any_moment, end_of_turn"),
        ("disown_limit", 2, "1, any"),
        ("green_pairing", "any", "explicit, consecutive"),
        ("key_unchosen", "bottom", "shuffle, discard"),
        ("key_fires_lightning", "2", "bool"),
        ("mask_moves", "any", "no_repeat, once"),
        ("power_amount", "none", "full, up_to"),
        ("arcana_cap", "yesno", "bool"),
        ("prestige_zero_bonus", "maybe", "bool"),
        ("tie_break", "seat", "shared, most_arcana, most_prestige"),
        ("arcana_view", "hidden", "face_down, open"),
        ("max_turns", -1, "from 0 to 100000"),
        ("max_turns", 100_001, "from 0 to 100000"),
        ("card_set", "printed", "house-1"),
        ("card_set", 41 * "x", "40"),
        ("colour", "red", "start_player"),
    ],
)
def test_a_bad_value_is_named_with_what_is_allowed(name: str, value: object, allowed: str) -> None:
    with pytest.raises(InvalidOptions) as caught:
        Omega.configure(2, {name: value})
    (fault,) = caught.value.faults
    assert fault.field == name
    assert allowed in fault.message


def test_all_bad_values_are_named_at_once() -> None:
    with pytest.raises(InvalidOptions) as caught:
        Omega.configure(2, {"red_limit": "none", "max_turns": -1, "recovery": "some"})
    assert {fault.field for fault in caught.value.faults} == {"red_limit", "max_turns", "recovery"}


def test_an_unknown_number_in_a_message_is_refused() -> None:
    with pytest.raises(InvalidOptions) as caught:
        Omega.configure(2, pb.Options(red_limit=9))  # type: ignore[arg-type]
    assert [fault.field for fault in caught.value.faults] == ["red_limit"]


# -- what each does: start_player is proved with OMEGA-SETUP-05 ---------------------------------------


@pytest.mark.rule("OMEGA-DISC-03")
@pytest.mark.parametrize(("trigger", "steps", "passes"), [("reach", 5, True), ("cross", 5, False), ("cross", 6, True)])
def test_eye_trigger(trigger: str, steps: int, passes: bool) -> None:
    cards = {"A": F(1, 0, book(("advance", steps)))}
    scenario = OmegaScenario(cards=cards, eye_trigger=trigger, set_={"squares": 12, "eye": 5}).at(Player("", {"A": ""}))
    scenario.book("A")
    assert (scenario.verbs() == {"ARCANA"}) == passes


@pytest.mark.rule("OMEGA-CAPTURE-09", "OMEGA-FINAL-02")
@pytest.mark.parametrize("allowed", [False, True])
def test_final_turn_capture(allowed: bool) -> None:
    scenario = OmegaScenario(final_turn_capture=allowed).at(
        Player("4G"), Player("", {"Z0": "R", "Z1": "R"}), ending=Ending.EXHAUSTION, announcer=1, final_turns_left=1
    )
    assert ("CAPTURE" in scenario.verbs()) == allowed
    if allowed:
        scenario.capture(1, "Z0", "GG")
        scenario.recover("R")
        assert scenario.player(0)["prestige"] == 1


@pytest.mark.parametrize(("limit", "offers"), [("per_rune", 3), ("per_batch", 1), ("per_turn", 1)])
@pytest.mark.parametrize("decline", [False, True])
def test_red_limit_of_a_batch(limit: str, offers: int, decline: bool) -> None:
    scenario = OmegaScenario(red_limit=limit).at(Player("RRRR"), altar="6R")
    scenario.summon("Z38", "RRR")
    for left in range(offers, 0, -1):
        assert scenario.verbs() == {"PULL", "DECLINE"} and scenario.view().remaining == left
        scenario.decline() if decline else scenario.pull()
    assert scenario.state.pending is None
    # A red placed later has its own offer, unless the turn has had its one; declining uses it up too.
    scenario.place("R", "Z38")
    assert (scenario.state.pending is None) == (limit == "per_turn")


def test_red_limit_per_turn_is_for_one_turn() -> None:
    scenario = OmegaScenario(red_limit="per_turn").at(Player("RR", {"Z0": ""}), Player("R", {"Z1": ""}), altar="6R")
    scenario.place("R", "Z0")
    scenario.pull()
    scenario.place("R", "Z0")
    assert scenario.state.pending is None
    scenario.end()
    scenario.chance()
    scenario.altar_rune("R")
    scenario.place("R", "Z1")
    assert scenario.verbs() == {"PULL", "DECLINE"}


def test_an_offer_that_never_came_uses_nothing_up() -> None:
    scenario = OmegaScenario(red_limit="per_turn").at(Player("RR", {"Z0": "9R", "Z1": ""}), altar="6R")
    scenario.place("R", "Z0")
    assert scenario.state.pending is None
    scenario.place("R", "Z1")
    assert scenario.verbs() == {"PULL", "DECLINE"}


@pytest.mark.rule("OMEGA-BLACK-07")
def test_black_takes_nonwhite() -> None:
    seats = Player("KKK", {"Z0": ""}), Player("", {"Z1": "KKW", "Z2": "G"})
    assert OmegaScenario().at(*seats).refused(codes.BLACK_TARGET, 1, "Z1") == "WRONG_PHASE"
    scenario = OmegaScenario(black_takes="nonwhite").at(*seats)
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z1", "1 Z2"}
    scenario.take(codes.BLACK_TARGET, 1, "Z1")
    assert scenario.offers(codes.BLACK_TAKE) == {"K"}
    assert scenario.refused(codes.BLACK_TAKE, "W") == "PROTECTED_BY_WHITE"
    scenario.take(codes.BLACK_TAKE, "K")
    # Each black that lay there at the start of the turn once: two in all.
    assert (scenario.load(1, "Z1"), scenario.hand(0), scenario.egregor(1, "Z1")["old_blacks"]) == ("WKK", "KKK", 1)
    scenario.black(1, "Z1", "K")
    scenario.take(codes.PLACE_BLACK)
    assert scenario.offers(codes.BLACK_TARGET) == {"1 Z2"}
    assert scenario.refused(codes.BLACK_TARGET, 1, "Z1") == "NOTHING_TO_TAKE"


def test_a_black_of_this_turn_is_none_that_lay_there() -> None:
    scenario = OmegaScenario(black_takes="nonwhite").at(Player("KKKK", {"Z0": ""}), Player("", {"Z1": "GG"}))
    scenario.black(1, "Z1", "G")
    scenario.take(codes.PLACE_BLACK)
    scenario.take(codes.BLACK_TARGET, 1, "Z1")
    assert scenario.offers(codes.BLACK_TAKE) == {"G"}
    assert scenario.refused(codes.BLACK_TAKE, "K") == "BLACK_FOR_BLACK"


def test_two_whites_protect_blacks_too() -> None:
    scenario = OmegaScenario(black_takes="nonwhite").at(Player("K", {"Z0": ""}), Player("", {"Z1": "WWK"}))
    assert "PLACE_BLACK" not in scenario.verbs()


@pytest.mark.rule("OMEGA-RECOVER-02")
@pytest.mark.parametrize("recovery", ["exact", "up_to"])
def test_recovery(recovery: str) -> None:
    cards = {"A": F(3)}
    scenario = OmegaScenario(cards=cards, recovery=recovery).at(Player("", {"A": "GGVV", "Z9": ""}), gained="Z9")
    scenario.take(codes.DISOWN, "A")
    assert ("STOP" in scenario.verbs()) == (recovery == "up_to")
    scenario.recover("G")
    if recovery == "exact":
        assert scenario.refused(codes.STOP) == "COMPULSORY"
        scenario.recover("GV")
    else:
        bag = scenario.bag_size
        scenario.take(codes.STOP)
        assert scenario.bag_size == bag + 3 and scenario.hand(0) == "G"
    assert scenario.state.pending is None and scenario.row(0) == ["Z9"]


@pytest.mark.parametrize(("when", "announced"), [("any_moment", True), ("end_of_turn", False)])
@pytest.mark.rule("OMEGA-END-04", "OMEGA-END-05")
def test_exhaustion(when: str, announced: bool) -> None:
    scenario = OmegaScenario(cards={"A": F(0)}, exhaustion=when).at(
        Player("", {"A": "G", "Z9": ""}), altar="", bag="B", rest=1, gained="Z9"
    )
    values = scenario.values
    values["bag_was_empty"] = True
    scenario.state.load(values)
    scenario.end()
    assert (scenario.state.ending == Ending.EXHAUSTION) == announced
    # Empty at the end of the turn counts for both.
    scenario = OmegaScenario(exhaustion=when).at(Player("", {"Z0": ""}), altar="R", bag="B", rest=1, phase=Phase.DRAW)
    scenario.bag_rune("B")
    scenario.end()
    assert scenario.state.ending == Ending.EXHAUSTION


@pytest.mark.rule("OMEGA-DISOWN-03")
@pytest.mark.parametrize("limit", ["1", "any"])
def test_disown_limit(limit: str) -> None:
    scenario = OmegaScenario(disown_limit=limit).at(Player("G", {"Z0": "R", "Z1": "R"}))
    scenario.summon("Z38", "G")
    scenario.disown("Z0", "R")
    if limit == "1":
        assert scenario.refused(codes.DISOWN, "Z1") == "ALREADY_DISOWNED"
    else:
        scenario.disown("Z1", "R")
        assert scenario.row(0) == ["Z38"]
        assert scenario.refused(codes.DISOWN, "Z38") == "JUST_GAINED"


@pytest.mark.rule("OMEGA-GREEN-03")
def test_green_pairing_consecutive() -> None:
    scenario = OmegaScenario(green_pairing="consecutive").at(Player("6V G", {"Z0": "", "Z1": ""}), altar="WWW")
    assert "PAIR" not in scenario.verbs()
    assert scenario.refused(codes.PAIR) == "NO_PAIRS"
    scenario.place("V", "Z0")
    assert scenario.state.pending is None
    # Directly followed by another one, on any card.
    scenario.place("V", "Z1")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    scenario.altar_rune("W")
    # The pair is used up: the third begins a new one, and something between breaks it.
    scenario.place("V", "Z0")
    scenario.place("G", "Z0")
    scenario.place("V", "Z0")
    assert scenario.state.pending is None
    scenario.place("V", "Z0")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}


def test_green_pairing_takes_the_odd_one_of_a_batch() -> None:
    scenario = OmegaScenario(green_pairing="consecutive").at(Player("4V"), altar="WWW")
    scenario.summon("Z38", "VVV")
    scenario.altar_rune("W")
    scenario.place("V", "Z38")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    scenario.altar_rune("W")
    # An even batch leaves none over, a Mask move between breaks a pair.
    scenario = OmegaScenario(green_pairing="consecutive").at(Player("4V", {"Z0": ""}), altar="WWW")
    scenario.summon("Z38", "VV")
    scenario.altar_rune("W")
    scenario.place("V", "Z38")
    assert scenario.state.pending is None
    scenario.mask("Z0")
    scenario.place("V", "Z38")
    assert scenario.state.pending is None


def test_a_pending_green_is_forgotten_at_the_end_of_the_turn() -> None:
    scenario = OmegaScenario(green_pairing="consecutive").at(
        Player("V", {"Z0": ""}), Player("V", {"Z1": ""}), altar="6W"
    )
    scenario.place("V", "Z0")
    scenario.end()
    scenario.altar_rune("W")
    scenario.place("V", "Z1")
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-KEY-10")
@pytest.mark.parametrize("unchosen", ["shuffle", "discard"])
def test_key_unchosen(unchosen: str) -> None:
    cards = {"K": F(1, 1, book(("key", 3)))}
    scenario = OmegaScenario(cards=cards, key_unchosen=unchosen).at(Player("", {"K": ""}))
    scenario.book("K")
    scenario.look("Z10", "Z11", "Z12")
    scenario.key("Z11")
    back = {"Z10", "Z12"}
    if unchosen == "shuffle":
        assert back <= scenario.pile("deck") and scenario.pile("discard") == {"K"}
    else:
        assert scenario.pile("discard") == {"K", *back}
        # Face up: everybody sees them.
        assert {scenario.names[card] for card in scenario.view().discard} == {"K", *back}


@pytest.mark.rule("OMEGA-KEY-08")
@pytest.mark.parametrize("fires", [False, True])
def test_key_fires_lightning(fires: bool) -> None:
    cards = {
        "K1": F(1, 0, book(("key", 1))),
        "K2": F(1, 0, book(("key", 1))),
        "A": F(1, 0, lightning(("advance", 1), ("draw", 1))),
        "C": F(1, 0, lightning(("advance", 2))),
    }
    scenario = OmegaScenario(cards=cards, key_fires_lightning=fires).at(Player("", {"K1": "", "K2": ""}), altar="W")
    scenario.book("K1")
    scenario.look("A", "C")
    scenario.key("A")
    scenario.take(codes.KEY_PLACE, "K2")
    # Only after the Key power has ended.
    assert scenario.steps(0) == 0
    scenario.key("C")
    if not fires:
        assert (scenario.steps(0), scenario.state.pending) == (0, None)
        return
    # In order of replacement: A, then C.
    assert scenario.steps(0) == 1 and scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    scenario.altar_rune("W")
    assert scenario.steps(0) == 3 and scenario.state.pending is None
    assert not scenario.values["gain_used"] and scenario.player(0)["prestige"] == 0


@pytest.mark.rule("OMEGA-MASK-06")
def test_mask_moves_once() -> None:
    scenario = OmegaScenario(mask_moves="once").at(Player("GG", {"Z0": "", "Z1": ""}, mask="Z0"), altar="6W")
    scenario.mask("Z1")
    scenario.place("G", "Z0")
    assert scenario.refused(codes.MASK, "Z0") == "MASK_MOVED"
    assert scenario.offers(codes.MASK) == set()
    # The automatic placement does not count.
    scenario = OmegaScenario(mask_moves="once").at(Player("G"))
    scenario.summon("Z38", "G")
    values = scenario.values
    assert not values["mask_moved"]
    # The next turn has a move of its own.
    scenario = OmegaScenario(mask_moves="once").at(
        Player("", {"Z0": "", "Z1": ""}, mask="Z0"), Player("", {"Z2": ""}), altar="6W"
    )
    scenario.mask("Z1")
    scenario.end()
    scenario.finish_turn()
    scenario.chance()
    scenario.altar_rune("W")
    assert scenario.offers(codes.MASK) == {"Z0"}


@pytest.mark.rule("OMEGA-POWER-04")
@pytest.mark.parametrize("amount", ["full", "up_to"])
def test_power_amount(amount: str) -> None:
    cards = {"A": F(1, 0, lightning(("draw", 2))), "C": F(1, 0, book(("cycle", 2), ("draw", 2, "red")))}
    scenario = OmegaScenario(cards=cards, power_amount=amount).at(
        Player("G", {"C": "RR"}), gallery=("A", None, None, None), altar="RRW"
    )
    scenario.summon("A", "G")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"} | ({"STOP"} if amount == "up_to" else set())
    if amount == "full":
        assert scenario.refused(codes.STOP) == "COMPULSORY"
        scenario.altar_rune("W")
        scenario.altar_rune("R")
        scenario.book("C")
        assert scenario.refused(codes.STOP) == "COMPULSORY"
        scenario.cycle("C", "RR")
        # One of the altar, one looked up in the bag, without a question.
        assert scenario.state.pending is None and scenario.hand(0) == "RRRRRW"
        return
    # Stopping at zero is allowed.
    scenario.take(codes.STOP)
    assert scenario.state.pending is None
    scenario.book("C")
    scenario.cycle("C", "R")
    scenario.take(codes.STOP)
    # With a colour it is asked too: its one source, or STOP.
    assert scenario.offers(codes.TAKE_ALTAR) == {"R"} and scenario.verbs() == {"TAKE_ALTAR", "STOP"}
    assert scenario.refused(codes.TAKE_BAG) == "OTHER_COLOUR"
    assert scenario.refused(codes.SEARCH_BAG, "R") == "ALTAR_FIRST"
    scenario.altar_rune("R")
    scenario.take(codes.STOP)
    assert scenario.state.pending is None and scenario.hand(0) == "RR"


def test_power_amount_up_to_searches_the_bag_when_the_altar_has_none() -> None:
    cards = {"A": F(1, 0, lightning(("draw", 3, "red")))}
    scenario = OmegaScenario(cards=cards, power_amount="up_to").at(
        Player("G"), gallery=("A", None, None, None), altar="W", bag="RV", rest=1
    )
    scenario.summon("A", "G")
    assert scenario.offers(codes.SEARCH_BAG) == {"R"} and scenario.verbs() == {"SEARCH_BAG", "STOP"}
    assert scenario.refused(codes.TAKE_ALTAR, "W") == "OTHER_COLOUR"
    scenario.take(codes.SEARCH_BAG, "R")
    assert scenario.hand(0) == "R"
    # Whether the bag has another is hidden, so that it is offered again; then it is known.
    scenario.take(codes.SEARCH_BAG, "R")
    assert scenario.hand(0) == "R" and scenario.values["absent"][2]
    assert scenario.state.pending is None


@pytest.mark.rule("OMEGA-GREEN-05")
def test_power_amount_does_not_touch_greens() -> None:
    scenario = OmegaScenario(power_amount="up_to").at(Player("VV", {"Z0": ""}), altar="W")
    scenario.pair("Z0", "Z0")
    assert scenario.refused(codes.STOP) == "COMPULSORY"
    # Nor those of a batch.
    scenario = OmegaScenario(power_amount="up_to").at(Player("VV"), altar="W")
    scenario.summon("Z38", "VV")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    assert scenario.refused(codes.STOP) == "COMPULSORY"


@pytest.mark.rule("OMEGA-ARCANA-05")
@pytest.mark.parametrize(("players", "most"), [(2, 7), (3, 7), (4, 6)])
@pytest.mark.parametrize("cap", [False, True])
def test_arcana_cap(players: int, most: int, cap: bool) -> None:
    cards = {"A": F(1, 0, book(("advance", 24)))}
    scenario = OmegaScenario(players, cards, arcana_cap=cap).at(Player("", {"A": ""}, tokens=["five"] * (most - 1)))
    scenario.book("A")
    scenario.token(0)
    assert scenario.held(0) == most
    assert (scenario.state.pending is None) == cap
    if not cap:
        scenario.token(0)
        assert scenario.held(0) == most + 1


@pytest.mark.rule("OMEGA-SCORE-05")
@pytest.mark.parametrize("bonus", [False, True])
def test_prestige_zero_bonus(bonus: bool) -> None:
    scenario = OmegaScenario(3, prestige_zero_bonus=bonus).at()
    assert [scenario.points(seat)[3] for seat in range(3)] == [5 * bonus] * 3
    # It changes nothing where somebody has some.
    scenario.at(Player(prestige=1))
    assert [scenario.points(seat)[3] for seat in range(3)] == [5, 0, 0]


TOKENS = (
    {"id": "two", "copies": 6, "points": {"kind": "fixed", "n": 2}},
    {"id": "four", "copies": 6, "points": {"kind": "fixed", "n": 4}},
    {"id": "rest", "copies": 30, "points": {"kind": "fixed", "n": 0}},
)


@pytest.mark.rule("OMEGA-SCORE-08")
@pytest.mark.parametrize(
    ("rule", "winners"), [("shared", [0, 1, 2]), ("most_arcana", [0, 2]), ("most_prestige", [1, 2])]
)
def test_tie_break(rule: str, winners: list[int]) -> None:
    # Nine each, with the bonus of those who lead in Prestige; seat 3 has less, though more tokens.
    scenario = OmegaScenario(4, set_={"tokens": TOKENS}, tie_break=rule).at(
        Player("", {"Z1": "6V"}, tokens=["two", "two"], prestige=1),
        Player("", {"Z2": "4R", "Z4": "2R"}, prestige=2),
        Player("", {"Z3": "R"}, tokens=["two", "two"], prestige=2),
        Player(tokens=["rest"] * 3, prestige=2),
        tops=["rest"] * 6,
        phase=Phase.OVER,
        ending=Ending.EXHAUSTION,
        announcer=0,
    )
    assert [sum(scenario.points(seat)) for seat in range(4)] == [9, 9, 9, 5]
    assert list(scenario.view().winners) == winners


@pytest.mark.parametrize("view", ["face_down", "open"])
def test_arcana_view(view: str) -> None:
    scenario = OmegaScenario(3, arcana_view=view).at(Player(tokens=["five", "seven"]), Player(tokens=["seven"]))
    for viewer in (-1, 0, 1, 2):
        for seat in (0, 1):
            player = scenario.view(viewer).players[seat]
            assert player.token_count == 2 - seat
            seen = view == "open" or viewer == seat
            assert [token.name for token in player.tokens] == ((["five", "seven"], ["seven"])[seat] if seen else [])


@pytest.mark.rule("OMEGA-INV-12")
def test_max_turns() -> None:
    scenario = OmegaScenario(3, max_turns=4, start_player=0).begun()
    turns = []
    while scenario.phase is not Phase.OVER:
        scenario.chance()
        turns.append(scenario.active)
        scenario.finish_turn()
    assert turns == [0, 1, 2, 0]
    assert scenario.state.ending == Ending.MAX_TURNS
    # It comes to judgement.
    assert scenario.event("judgement").ending == Ending.MAX_TURNS
    assert list(scenario.view().winners) == [0, 1, 2]


@pytest.mark.rule("OMEGA-INV-12")
def test_max_turns_beside_another_ending_records_both() -> None:
    scenario = OmegaScenario(3, max_turns=5).at(
        Player("", {"Z0": ""}, tokens=["five"] * 7), altar="6R", turn=5, start=2
    )
    scenario.end()
    assert scenario.phase is Phase.OVER
    assert scenario.state.ending == Ending.MAX_TURNS | Ending.ARCANIC
