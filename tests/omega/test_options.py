"""Each option of section 17 of RULES.md with each of its values, as mapping, text and message."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.api.errors import InvalidOptions
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import Ending, Phase
from gamepacks.omega.options import OmegaOptions
from gamepacks.omega.v1 import omega_pb2 as pb
from tests.omega.fixtures import F, book, flash
from tests.omega.tables import Player, Table

VALUES: dict[str, tuple[Any, ...]] = {
    "start_player": (None, 0, 1),
    "eye_trigger": ("reach", "cross"),
    "final_turn_capture": (False, True),
    "red_limit": ("per_rune", "per_batch", "per_turn"),
    "black_takes": ("coloured", "nonwhite"),
    "recovery": ("exact", "up_to"),
    "exhaustion": ("latched", "end_of_turn"),
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


def test_these_are_all_options_and_their_defaults() -> None:
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
        ("exhaustion", "never", "latched, end_of_turn"),
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
    table = Table(cards=cards, eye_trigger=trigger, set_={"squares": 12, "eye": 5}).at(Player("", {"A": ""}))
    table.book("A")
    assert (table.verbs() == {"ARCANA"}) == passes


@pytest.mark.rule("OMEGA-CAPTURE-09", "OMEGA-FINAL-02")
@pytest.mark.parametrize("allowed", [False, True])
def test_final_turn_capture(allowed: bool) -> None:
    table = Table(final_turn_capture=allowed).at(
        Player("4G"), Player("", {"Z0": "R", "Z1": "R"}), ending=Ending.EXHAUSTION, announcer=1, final_turns_left=1
    )
    assert ("CAPTURE" in table.verbs()) == allowed
    if allowed:
        table.capture(1, "Z0", "GG")
        table.recover("R")
        assert table.player(0)["prestige"] == 1


@pytest.mark.parametrize(("limit", "offers"), [("per_rune", 3), ("per_batch", 1), ("per_turn", 1)])
@pytest.mark.parametrize("decline", [False, True])
def test_red_limit_of_a_batch(limit: str, offers: int, decline: bool) -> None:
    table = Table(red_limit=limit).at(Player("RRRR"), altar="6R")
    table.summon("Z38", "RRR")
    for left in range(offers, 0, -1):
        assert table.verbs() == {"PULL", "DECLINE"} and table.view().left == left
        table.decline() if decline else table.pull()
    assert table.state.pending is None
    # A red placed later has its own offer, unless the turn has had its one; declining uses it up too.
    table.place("R", "Z38")
    assert (table.state.pending is None) == (limit == "per_turn")


def test_red_limit_per_turn_is_for_one_turn() -> None:
    table = Table(red_limit="per_turn").at(Player("RR", {"Z0": ""}), Player("R", {"Z1": ""}), altar="6R")
    table.place("R", "Z0")
    table.pull()
    table.place("R", "Z0")
    assert table.state.pending is None
    table.end()
    table.chance()
    table.altar_rune("R")
    table.place("R", "Z1")
    assert table.verbs() == {"PULL", "DECLINE"}


def test_an_offer_that_never_came_uses_nothing_up() -> None:
    table = Table(red_limit="per_turn").at(Player("RR", {"Z0": "9R", "Z1": ""}), altar="6R")
    table.place("R", "Z0")
    assert table.state.pending is None
    table.place("R", "Z1")
    assert table.verbs() == {"PULL", "DECLINE"}


@pytest.mark.rule("OMEGA-BLACK-07")
def test_black_takes_nonwhite() -> None:
    seats = Player("KKK", {"Z0": ""}), Player("", {"Z1": "KKW", "Z2": "G"})
    assert Table().at(*seats).refused(codes.BLACK_TARGET, 1, "Z1") == "WRONG_PHASE"
    table = Table(black_takes="nonwhite").at(*seats)
    table.take(codes.PLACE_BLACK)
    assert table.offers(codes.BLACK_TARGET) == {"1 Z1", "1 Z2"}
    table.take(codes.BLACK_TARGET, 1, "Z1")
    assert table.offers(codes.BLACK_TAKE) == {"K"}
    assert table.refused(codes.BLACK_TAKE, "W") == "PROTECTED_BY_WHITE"
    table.take(codes.BLACK_TAKE, "K")
    # Each black that lay there at the start of the turn once: two in all.
    assert (table.load(1, "Z1"), table.hand(0), table.egregor(1, "Z1")["old_blacks"]) == ("WKK", "KKK", 1)
    table.black(1, "Z1", "K")
    table.take(codes.PLACE_BLACK)
    assert table.offers(codes.BLACK_TARGET) == {"1 Z2"}
    assert table.refused(codes.BLACK_TARGET, 1, "Z1") == "NOTHING_TO_TAKE"


def test_a_black_of_this_turn_is_none_that_lay_there() -> None:
    table = Table(black_takes="nonwhite").at(Player("KKKK", {"Z0": ""}), Player("", {"Z1": "GG"}))
    table.black(1, "Z1", "G")
    table.take(codes.PLACE_BLACK)
    table.take(codes.BLACK_TARGET, 1, "Z1")
    assert table.offers(codes.BLACK_TAKE) == {"G"}
    assert table.refused(codes.BLACK_TAKE, "K") == "BLACK_FOR_BLACK"


def test_two_whites_protect_blacks_too() -> None:
    table = Table(black_takes="nonwhite").at(Player("K", {"Z0": ""}), Player("", {"Z1": "WWK"}))
    assert "PLACE_BLACK" not in table.verbs()


@pytest.mark.rule("OMEGA-RECOVER-02")
@pytest.mark.parametrize("recovery", ["exact", "up_to"])
def test_recovery(recovery: str) -> None:
    cards = {"A": F(3)}
    table = Table(cards=cards, recovery=recovery).at(Player("", {"A": "GGVV", "Z9": ""}), gained="Z9")
    table.take(codes.DISOWN, "A")
    assert ("STOP" in table.verbs()) == (recovery == "up_to")
    table.recover("G")
    if recovery == "exact":
        assert table.refused(codes.STOP) == "COMPULSORY"
        table.recover("GV")
    else:
        bag = table.bag_size
        table.take(codes.STOP)
        assert table.bag_size == bag + 3 and table.hand(0) == "G"
    assert table.state.pending is None and table.row(0) == ["Z9"]


@pytest.mark.parametrize(("when", "announced"), [("latched", True), ("end_of_turn", False)])
@pytest.mark.rule("OMEGA-END-04", "OMEGA-END-05")
def test_exhaustion(when: str, announced: bool) -> None:
    table = Table(cards={"A": F(0)}, exhaustion=when).at(
        Player("", {"A": "G", "Z9": ""}), altar="", bag="B", rest=1, gained="Z9"
    )
    values = table.values
    values["latch"] = True
    table.state.load(values)
    table.end()
    assert (table.state.ending == Ending.EXHAUSTION) == announced
    # Empty at the end of the turn counts for both.
    table = Table(exhaustion=when).at(Player("", {"Z0": ""}), altar="R", bag="B", rest=1, phase=Phase.DRAW)
    table.bag_rune("B")
    table.end()
    assert table.state.ending == Ending.EXHAUSTION


@pytest.mark.rule("OMEGA-DISOWN-03")
@pytest.mark.parametrize("limit", ["1", "any"])
def test_disown_limit(limit: str) -> None:
    table = Table(disown_limit=limit).at(Player("G", {"Z0": "R", "Z1": "R"}))
    table.summon("Z38", "G")
    table.disown("Z0", "R")
    if limit == "1":
        assert table.refused(codes.DISOWN, "Z1") == "ALREADY_DISOWNED"
    else:
        table.disown("Z1", "R")
        assert table.row(0) == ["Z38"]
        assert table.refused(codes.DISOWN, "Z38") == "JUST_GAINED"


@pytest.mark.rule("OMEGA-GREEN-03")
def test_green_pairing_consecutive() -> None:
    table = Table(green_pairing="consecutive").at(Player("6V G", {"Z0": "", "Z1": ""}), altar="WWW")
    assert "PAIR" not in table.verbs()
    assert table.refused(codes.PAIR) == "NO_PAIRS"
    table.place("V", "Z0")
    assert table.state.pending is None
    # Directly followed by another one, on any card.
    table.place("V", "Z1")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    table.altar_rune("W")
    # The pair is used up: the third begins a new one, and something between breaks it.
    table.place("V", "Z0")
    table.place("G", "Z0")
    table.place("V", "Z0")
    assert table.state.pending is None
    table.place("V", "Z0")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}


def test_green_pairing_takes_the_odd_one_of_a_batch() -> None:
    table = Table(green_pairing="consecutive").at(Player("4V"), altar="WWW")
    table.summon("Z38", "VVV")
    table.altar_rune("W")
    table.place("V", "Z38")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    table.altar_rune("W")
    # An even batch leaves none over, a Mask move between breaks a pair.
    table = Table(green_pairing="consecutive").at(Player("4V", {"Z0": ""}), altar="WWW")
    table.summon("Z38", "VV")
    table.altar_rune("W")
    table.place("V", "Z38")
    assert table.state.pending is None
    table.mask("Z0")
    table.place("V", "Z38")
    assert table.state.pending is None


def test_a_pending_green_is_forgotten_at_the_end_of_the_turn() -> None:
    table = Table(green_pairing="consecutive").at(Player("V", {"Z0": ""}), Player("V", {"Z1": ""}), altar="6W")
    table.place("V", "Z0")
    table.end()
    table.altar_rune("W")
    table.place("V", "Z1")
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-KEY-10")
@pytest.mark.parametrize("unchosen", ["shuffle", "discard"])
def test_key_unchosen(unchosen: str) -> None:
    cards = {"K": F(1, 1, book(("key", 3)))}
    table = Table(cards=cards, key_unchosen=unchosen).at(Player("", {"K": ""}))
    table.book("K")
    table.look("Z10", "Z11", "Z12")
    table.key("Z11")
    back = {"Z10", "Z12"}
    if unchosen == "shuffle":
        assert back <= table.pile("deck") and table.pile("discard") == {"K"}
    else:
        assert table.pile("discard") == {"K", *back}
        # Face up: everybody sees them.
        assert {table.names[card] for card in table.view().discard} == {"K", *back}


@pytest.mark.rule("OMEGA-KEY-08")
@pytest.mark.parametrize("fires", [False, True])
def test_key_fires_lightning(fires: bool) -> None:
    cards = {
        "K1": F(1, 0, book(("key", 1))),
        "K2": F(1, 0, book(("key", 1))),
        "A": F(1, 0, flash(("advance", 1), ("draw", 1))),
        "C": F(1, 0, flash(("advance", 2))),
    }
    table = Table(cards=cards, key_fires_lightning=fires).at(Player("", {"K1": "", "K2": ""}), altar="W")
    table.book("K1")
    table.look("A", "C")
    table.key("A")
    table.take(codes.KEY_PLACE, "K2")
    # Only after the Key power has ended.
    assert table.steps(0) == 0
    table.key("C")
    if not fires:
        assert (table.steps(0), table.state.pending) == (0, None)
        return
    # In order of replacement: A, then C.
    assert table.steps(0) == 1 and table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    table.altar_rune("W")
    assert table.steps(0) == 3 and table.state.pending is None
    assert not table.values["gain_used"] and table.player(0)["prestige"] == 0


@pytest.mark.rule("OMEGA-MASK-06")
def test_mask_moves_once() -> None:
    table = Table(mask_moves="once").at(Player("GG", {"Z0": "", "Z1": ""}, mask="Z0"), altar="6W")
    table.mask("Z1")
    table.place("G", "Z0")
    assert table.refused(codes.MASK, "Z0") == "MASK_MOVED"
    assert table.offers(codes.MASK) == set()
    # The automatic placement does not count.
    table = Table(mask_moves="once").at(Player("G"))
    table.summon("Z38", "G")
    values = table.values
    assert not values["mask_moved"]
    # The next turn has a move of its own.
    table = Table(mask_moves="once").at(Player("", {"Z0": "", "Z1": ""}, mask="Z0"), Player("", {"Z2": ""}), altar="6W")
    table.mask("Z1")
    table.end()
    table.finish_turn()
    table.chance()
    table.altar_rune("W")
    assert table.offers(codes.MASK) == {"Z0"}


@pytest.mark.rule("OMEGA-POWER-04")
@pytest.mark.parametrize("amount", ["full", "up_to"])
def test_power_amount(amount: str) -> None:
    cards = {"A": F(1, 0, flash(("draw", 2))), "C": F(1, 0, book(("cycle", 2), ("draw", 2, "red")))}
    table = Table(cards=cards, power_amount=amount).at(
        Player("G", {"C": "RR"}), gallery=("A", None, None, None), altar="RRW"
    )
    table.summon("A", "G")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"} | ({"STOP"} if amount == "up_to" else set())
    if amount == "full":
        assert table.refused(codes.STOP) == "COMPULSORY"
        table.altar_rune("W")
        table.altar_rune("R")
        table.book("C")
        assert table.refused(codes.STOP) == "COMPULSORY"
        table.cycle("C", "RR")
        # One of the altar, one looked up in the bag, without a question.
        assert table.state.pending is None and table.hand(0) == "RRRRRW"
        return
    # Stopping at zero is allowed.
    table.take(codes.STOP)
    assert table.state.pending is None
    table.book("C")
    table.cycle("C", "R")
    table.take(codes.STOP)
    # With a colour it is asked too: its one source, or STOP.
    assert table.offers(codes.TAKE_ALTAR) == {"R"} and table.verbs() == {"TAKE_ALTAR", "STOP"}
    assert table.refused(codes.TAKE_BAG) == "OTHER_COLOUR"
    assert table.refused(codes.SEARCH_BAG, "R") == "ALTAR_FIRST"
    table.altar_rune("R")
    table.take(codes.STOP)
    assert table.state.pending is None and table.hand(0) == "RR"


def test_power_amount_up_to_searches_the_bag_when_the_altar_has_none() -> None:
    cards = {"A": F(1, 0, flash(("draw", 3, "red")))}
    table = Table(cards=cards, power_amount="up_to").at(
        Player("G"), gallery=("A", None, None, None), altar="W", bag="RV", rest=1
    )
    table.summon("A", "G")
    assert table.offers(codes.SEARCH_BAG) == {"R"} and table.verbs() == {"SEARCH_BAG", "STOP"}
    assert table.refused(codes.TAKE_ALTAR, "W") == "OTHER_COLOUR"
    table.take(codes.SEARCH_BAG, "R")
    assert table.hand(0) == "R"
    # Whether the bag has another is hidden, so that it is offered again; then it is known.
    table.take(codes.SEARCH_BAG, "R")
    assert table.hand(0) == "R" and table.values["absent"][2]
    assert table.state.pending is None


@pytest.mark.rule("OMEGA-GREEN-05")
def test_power_amount_does_not_touch_greens() -> None:
    table = Table(power_amount="up_to").at(Player("VV", {"Z0": ""}), altar="W")
    table.pair("Z0", "Z0")
    assert table.refused(codes.STOP) == "COMPULSORY"
    # Nor those of a batch.
    table = Table(power_amount="up_to").at(Player("VV"), altar="W")
    table.summon("Z38", "VV")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    assert table.refused(codes.STOP) == "COMPULSORY"


@pytest.mark.rule("OMEGA-ARCANA-05")
@pytest.mark.parametrize(("players", "most"), [(2, 7), (3, 7), (4, 6)])
@pytest.mark.parametrize("cap", [False, True])
def test_arcana_cap(players: int, most: int, cap: bool) -> None:
    cards = {"A": F(1, 0, book(("advance", 24)))}
    table = Table(players, cards, arcana_cap=cap).at(Player("", {"A": ""}, tokens=["five"] * (most - 1)))
    table.book("A")
    table.token(0)
    assert table.held(0) == most
    assert (table.state.pending is None) == cap
    if not cap:
        table.token(0)
        assert table.held(0) == most + 1


@pytest.mark.rule("OMEGA-SCORE-05")
@pytest.mark.parametrize("bonus", [False, True])
def test_prestige_zero_bonus(bonus: bool) -> None:
    table = Table(3, prestige_zero_bonus=bonus).at()
    assert [table.points(seat)[3] for seat in range(3)] == [5 * bonus] * 3
    # It changes nothing where somebody has some.
    table.at(Player(prestige=1))
    assert [table.points(seat)[3] for seat in range(3)] == [5, 0, 0]


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
    table = Table(4, set_={"tokens": TOKENS}, tie_break=rule).at(
        Player("", {"Z1": "6V"}, tokens=["two", "two"], prestige=1),
        Player("", {"Z2": "4R", "Z4": "2R"}, prestige=2),
        Player("", {"Z3": "R"}, tokens=["two", "two"], prestige=2),
        Player(tokens=["rest"] * 3, prestige=2),
        tops=["rest"] * 6,
        phase=Phase.OVER,
        ending=Ending.EXHAUSTION,
        announcer=0,
    )
    assert [sum(table.points(seat)) for seat in range(4)] == [9, 9, 9, 5]
    assert list(table.view().winners) == winners


@pytest.mark.parametrize("view", ["face_down", "open"])
def test_arcana_view(view: str) -> None:
    table = Table(3, arcana_view=view).at(Player(tokens=["five", "seven"]), Player(tokens=["seven"]))
    for viewer in (-1, 0, 1, 2):
        for seat in (0, 1):
            player = table.view(viewer).players[seat]
            assert player.token_count == 2 - seat
            seen = view == "open" or viewer == seat
            assert [token.name for token in player.tokens] == ((["five", "seven"], ["seven"])[seat] if seen else [])


@pytest.mark.rule("OMEGA-INV-12")
def test_max_turns() -> None:
    table = Table(3, max_turns=4, start_player=0).begun()
    turns = []
    while table.phase is not Phase.OVER:
        table.chance()
        turns.append(table.active)
        table.finish_turn()
    assert turns == [0, 1, 2, 0]
    assert table.state.ending == Ending.MAX_TURNS
    # It comes to judgement.
    assert table.event("judgement").ending == Ending.MAX_TURNS
    assert list(table.view().winners) == [0, 1, 2]


@pytest.mark.rule("OMEGA-INV-12")
def test_max_turns_beside_another_ending_records_both() -> None:
    table = Table(3, max_turns=5).at(Player("", {"Z0": ""}, tokens=["five"] * 7), altar="6R", turn=5, start=2)
    table.end()
    assert table.phase is Phase.OVER
    assert table.state.ending == Ending.MAX_TURNS | Ending.ARCANIC
