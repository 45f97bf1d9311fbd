"""The worked examples of section 18 of RULES.md, from the given position through the given steps to the result."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending, Frame, Phase
from tests.omega.fixtures import F, book, flash
from tests.omega.tables import Player, Table

A, C = "A", "C"


@pytest.mark.parametrize(("players", "bag", "hands"), [(2, 140, [4, 5]), (3, 134, [4, 5, 6]), (4, 129, [4, 5, 5, 6])])
def test_x01_set_up_sizes(players: int, bag: int, hands: list[int]) -> None:
    table = Table(players, start_player=0).begun()
    assert table.bag_size == bag
    assert [len(table.hand(seat)) for seat in range(players)] == hands
    assert len(table.pile("deck")) == 38
    assert sum(table.values["hidden"]) == 36


def test_x02_no_refill_within_a_turn() -> None:
    table = Table().at(Player("G", {}), Player("R"), altar="RRBVGK", phase=Phase.DRAW)
    table.altar_rune("K")
    assert len(table.altar) == 5
    table.summon("Z39", "G")
    assert table.gallery == ["Z38", None, "Z40", "Z41"] and len(table.altar) == 5
    table.end()
    assert len(table.altar) == 5
    nodes = []
    while table.phase is not Phase.DRAW:
        nodes.append(table.phase)
        table.take_code(table.state.chance()[0][0])
    assert nodes == [Phase.UPKEEP_ALTAR, Phase.UPKEEP_GALLERY]
    assert table.gallery[1] is not None and table.active == 1


def test_x03_blue_and_the_eye() -> None:
    table = Table(cards={A: F(1, 3)}).at(Player("BBG", steps=9), gallery=(A, None, None, None))
    table.summon(A, "BBG")
    assert table.steps(0) == 13
    assert table.phase is Phase.MAIN and table.verbs() == {"ARCANA"}
    table.token(0)
    table.end()
    assert table.steps(0) == 16
    assert table.view().players[0].square == 5
    assert table.held(0) == 1


def test_x04_red_alone() -> None:
    table = Table().at(Player("RR", {"Z0": "RRR"}), altar="RRR")
    table.place("R", "Z0")
    assert table.load(0, "Z0") == "RRRR"
    table.pull()
    assert (table.load(0, "Z0"), table.altar, table.state.pending) == ("RRRRR", "RR", None)
    table.place("R", "Z0")
    table.pull()
    assert (len(table.load(0, "Z0")), table.altar) == (7, "R")


def test_x05_red_and_the_tenth() -> None:
    table = Table().at(Player("R", {"Z0": "9G"}), altar="RR")
    table.place("R", "Z0")
    assert (len(table.load(0, "Z0")), table.altar, table.state.pending) == (10, "RR", None)
    table.at(Player("R", {"Z0": "8G"}), altar="RR").place("R", "Z0")
    table.pull()
    assert len(table.load(0, "Z0")) == 10
    table.at(Player("5R 4G"), altar="RR")
    table.summon("Z38", "5R 4G")
    table.pull()
    assert (len(table.load(0, "Z38")), table.altar, table.state.pending) == (10, "R", None)


def test_x06_red_per_batch() -> None:
    table = Table().at(Player("RRR"), altar="RR")
    table.summon("Z38", "RRR")
    table.pull()
    table.pull()
    assert (table.load(0, "Z38"), table.altar, table.state.pending) == ("RRRRR", "", None)
    table = Table(red_limit="per_batch").at(Player("RRR"), altar="RR")
    table.summon("Z38", "RRR")
    table.pull()
    assert (table.load(0, "Z38"), table.altar, table.state.pending) == ("RRRR", "R", None)


def test_x07_green() -> None:
    table = Table().at(Player("VV", {"Z0": "", "Z1": ""}), altar="WWW")
    table.pair("Z0", "Z1")
    assert (table.load(0, "Z0"), table.load(0, "Z1")) == ("V", "V")
    table.altar_rune("W")
    assert table.state.pending is None
    table.at(Player("VV", {"Z0": ""}), altar="WWW")
    table.place("V", "Z0")
    table.place("V", "Z0")
    assert table.state.pending is None and table.hand(0) == ""
    for greens, draws in ((3, 1), (4, 2)):
        table.at(Player(greens * "V"), altar="WWW").summon("Z38", greens * "V")
        for _ in range(draws):
            table.altar_rune("W")
        assert table.state.pending is None
    table.at(Player("VV", {"Z0": "9V"}))
    assert "PAIR" not in table.verbs() and table.offers(codes.PLACE) == {"V"}


def test_x08_capture_with_a_black_and_reds() -> None:
    table = Table(3, cards={A: F(1, 2)}).at(
        Player("RRRBKK", {"Z7": ""}), Player("", {"Z8": "R", A: "VVK"}, mask="Z8"), altar="R"
    )
    bag = table.bag("V")
    table.take(codes.CAPTURE, 1, A)
    added = []
    while table.offers(codes.ADD):
        # R and B lead to the one batch that suffices, in any order.
        assert table.offers(codes.ADD) <= {"R", "B"}
        added.append(sorted(table.offers(codes.ADD))[0])
        table.take(codes.ADD, added[-1])
    assert sorted(added) == ["B", "R", "R", "R"]
    table.take(codes.CONFIRM)
    assert table.player(0)["prestige"] == 1
    assert table.state.actor() == 1 and table.offers(codes.RECOVER) == {"V", "K"}
    table.recover("K")
    assert table.hand(1) == "K" and table.bag("V") == bag + 2
    assert table.player(1)["lost"]
    assert table.steps(0) == 2
    table.pull()
    assert table.load(0, A) == "BRRRR"
    # The second and third red find none on the altar.
    assert table.state.pending is None and table.altar == ""
    assert table.hand(0) == "KK"
    assert table.row(1) == ["Z8"] and table.masked(1) == "Z8"


def test_x09_no_dead_end() -> None:
    table = Table().at(Player("RRRBV"), Player("", {"Z0": "", "Z1": "GGG"}, mask="Z0"))
    table.take(codes.CAPTURE, 1, "Z1")
    assert table.offers(codes.ADD) == {"R", "B", "V"}
    table.take(codes.ADD, "B")
    assert table.offers(codes.ADD) == {"R"}
    for _ in range(3):
        assert "CONFIRM" not in table.verbs()
        table.take(codes.ADD, "R")
    assert table.verbs() == {"CONFIRM"}
    table.at(Player("RRRBV"), Player("", {"Z0": "", "Z1": "GGGG"}, mask="Z0"))
    assert table.offers(codes.CAPTURE) == set()


def test_x10_illegal_targets() -> None:
    table = Table(4, cards={"a": F(), "b": F(), "c": F(1, 1, renegade=True)}).at(
        Player("9R"),
        Player("", {"a": "10G", "b": "V", "c": "BB"}, mask="b"),
        Player("", {"Z5": "W"}),
        Player("", {"Z6": "", "Z7": ""}, lost=True),
    )
    assert table.offers(codes.CAPTURE) == {"1 c"}


@pytest.mark.parametrize("capture", [False, True])
@pytest.mark.parametrize(
    ("snake", "picks", "back", "bag"), [(0, "", "WWW", 2), (1, "B", "BWWW", 1), (4, "BB", "BBWWW", 0)]
)
def test_x11_white_recovery(snake: int, picks: str, back: str, bag: int, capture: bool) -> None:
    cards = {A: F(snake)}
    if capture:
        table = Table(cards=cards).at(Player("6G"), Player("", {A: "WWWBB", "Z9": ""}, mask="Z9"))
        blues = table.bag("B")
        table.capture(1, A, "6G")
    else:
        table = Table(cards=cards).at(Player("", {A: "WWWBB", "Z9": ""}), gained="Z9")
        blues = table.bag("B")
        table.take(codes.DISOWN, A)
    table.recover(picks)
    assert table.hand(1 if capture else 0) == back
    assert table.bag("B") == blues + bag
    assert table.state.pending is None


def test_x12_black() -> None:
    table = Table().at(Player("KK", {"Z0": "R"}), Player("", {"Z1": "6G 4R", "Z2": ""}, mask="Z1"))
    assert sum(table.points(1)) == 24
    table.black(1, "Z1", "G")
    table.black(1, "Z1", "G")
    assert table.load(1, "Z1") == "GGGGRRRRKK"
    assert sum(table.points(1)) == 20
    table.at(Player("9R 9B", {"Z0": "R"}), Player("", {"Z1": "4G 4R 2K", "Z2": ""}, mask="Z2"))
    assert table.refused(codes.CAPTURE, 1, "Z1") == "TARGET_FULL"
    for load, taken in (("WGGG", {"G"}), ("WWGGG", None), ("W", None), ("WKK", None)):
        table.at(Player("K", {"Z0": ""}), Player("", {"Z1": load}))
        if taken is None:
            assert "PLACE_BLACK" not in table.verbs()
        else:
            table.take(codes.PLACE_BLACK)
            table.take(codes.BLACK_TARGET, 1, "Z1")
            assert table.offers(codes.BLACK_TAKE) == taken


def test_x13_colour_places() -> None:
    table = Table(cards={"P": F(1, 1, primitive=True)}).at(
        Player("V", {"Z1": "RRBK"}), Player("K", {"Z2": ""}), altar="6W"
    )
    assert "V" not in table.offers(codes.PLACE)
    table.at(Player("V", {"Z1": "RRBK"}), Player("K", {"Z2": ""}), altar="6W", active=1)
    table.black(0, "Z1", "B")
    assert table.load(0, "Z1") == "RRKK"
    table.end()
    table.altar_rune("W")
    assert "V" in table.offers(codes.PLACE)
    table.at(Player("BGRVW", {"P": "KK"}))
    assert table.offers(codes.PLACE) == {"B", "G", "R", "V", "W"}
    table.place("G", "P")
    assert table.offers(codes.PLACE) == set()
    assert table.refused(codes.PLACE, "B") == "TOO_MANY_COLOURS"


def test_x14_five_egregors() -> None:
    table = Table().at(Player("G", {"Z0": "BB", "Z1": "", "Z2": "", "Z3": ""}))
    assert table.offers(codes.DISOWN) == set()
    table.summon("Z38", "G")
    assert len(table.row(0)) == 5 and "END_MAIN" not in table.verbs()
    assert table.offers(codes.DISOWN) == {"Z0", "Z1", "Z2", "Z3"}
    table.disown("Z0", "B")
    assert "END_MAIN" in table.verbs() and table.offers(codes.DISOWN) == set()
    table.place("B", "Z38")
    assert (table.load(0, "Z38"), table.steps(0)) == ("BG", 2)


def test_x15_mask() -> None:
    table = Table(cards={"R": F(1, 1, renegade=True)}).at(
        Player("GG"), Player("R", {"Z9": ""}), gallery=("R", "Z39", "Z40", "Z41"), altar="6W"
    )
    table.summon("R", "G")
    assert table.masked(0) is None and "MASK" not in table.verbs()
    table.end()
    table.chance()
    table.finish_turn()
    table.chance()
    table.altar_rune("W")
    table.summon("Z39", "G")
    assert table.masked(0) is None
    assert table.offers(codes.MASK) == {"Z39"}
    table.mask("Z39")
    table.at(Player("G", {"R": "", "Z20": ""}, mask="Z20"))
    table.summon("Z38", "G")
    table.disown("Z20")
    assert table.masked(0) is None
    assert table.offers(codes.MASK) == {"Z38"}


@pytest.mark.parametrize(("players", "ends"), [(4, True), (3, False)])
def test_x16_arcanic_ending_in_main(players: int, ends: bool) -> None:
    seats = [Player("G", {f"Z{seat}": "", f"Z{seat + 10}": ""}) for seat in range(players)]
    seats[1] = Player("BG", {"Z1": "", "Z11": ""}, steps=11, tokens=["five"] * 5)
    table = Table(players, cards=None).at(*seats, altar="6W", active=1)
    table.place("B", "Z1")
    table.token(0)
    assert table.held(1) == 6 and table.state.ending == 0
    table.place("G", "Z11")
    if not ends:
        table.end()
        assert table.state.ending == 0
        # The seventh token would end it.
        seats[1].tokens, seats[1].steps = ["five"] * 7, 0
        table.at(*seats, altar="6W", active=1).end()
        assert table.state.ending == Ending.ARCANIC
        return
    values = table.values
    values["players"][1]["steps"] = 22
    table.state.load(values)
    table.end()
    assert table.steps(1) == 24 and table.verbs() == {"ARCANA"}
    table.token(1)
    assert (table.held(1), table.state.ending) == (7, Ending.ARCANIC)
    order = []
    while table.phase is not Phase.OVER:
        table.chance()
        order.append(table.active)
        table.altar_rune("W")
        assert "SUMMON" in table.verbs() and "CAPTURE" not in table.verbs()
        table.end()
    assert order == [2, 3, 0]


def test_x17_exhaustion() -> None:
    table = Table(cards={A: F(0)}).at(
        Player("", {"Z9": ""}), Player("G", {A: "4V", "Z8": ""}), altar="RB", bag="RRG", rest=1
    )
    table.end()
    table.upkeep("RRG")
    assert len(table.altar) == 5 and table.bag_size == 0 and table.values["latch"]
    assert (table.active, table.phase, table.verbs()) == (1, Phase.DRAW, {"TAKE_ALTAR"})
    table.altar_rune("B")
    table.summon("Z38", "G")
    table.disown(A)
    assert table.bag("V") == 4 and table.values["latch"]
    table.end()
    assert table.state.ending == Ending.EXHAUSTION and table.values["announcer"] == 1
    # The others have one turn; the first refills from those four runes.
    assert table.outcomes() == {"V": 4}
    table.take(codes.ALTAR_RUNE, "V")
    table.take(codes.ALTAR_RUNE, "V")
    assert len(table.altar) == 6 and table.values["final_left"] == 1


def test_x18_hand_of_fate_with_colour() -> None:
    table = Table(cards={A: F(1, 1, flash(("draw", 3, "red")))}).at(
        Player("G"), gallery=(A, None, None, None), altar="RVV", bag="RGG", rest=1
    )
    table.take(codes.SUMMON, A)
    table.take(codes.ADD, "G")
    table.take(codes.CONFIRM)
    # No decision and no chance node.
    assert table.state.pending is None
    assert (table.hand(0), table.altar, table.bag("R")) == ("RR", "VV", 0)
    sources = [event.rune_drawn.source for event in table.events if event.WhichOneof("event") == "rune_drawn"]
    assert sources == [1, 3]


def test_x19_cycling() -> None:
    table = Table(cards={A: F(1, 1, flash(("cycle", 2)))}).at(Player("VV"), gallery=(A, None, None, None), altar="WW")
    table.summon(A, "VV")
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    table.altar_rune("W")
    assert table.offers(codes.CYCLE) == {"A V"}
    table.cycle(A, "VV")
    assert table.load(0, A) == ""
    table.pair(A, A)
    assert table.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    table.altar_rune("W")
    assert table.load(0, A) == "VV"


def test_x20_keys() -> None:
    cards = {
        "Key 1": F(3, 1, book(("key", 2))),
        "Key 2": F(3, 1, book(("key", 3))),
        "Key 3": F(1, 1, book(("key", 1))),
        "Key 4": F(1, 1, flash(("key", 1))),
        "P": F(1, 1, primitive=True),
    }
    table = Table(cards=cards).at(Player("", {"Key 1": "RRK", "Key 2": "B"}), altar="RR")
    deck = table.pile("deck")
    table.book("Key 2")
    assert table.state.pending is not None and table.state.pending[:2] == (Frame.LOOK, 5)
    table.look("Key 3", "Key 4", "P", "Z10", "Z11")
    assert table.offers(codes.KEY_TAKE) == {"P", "Z10", "Z11"} and "KEY_NONE" in table.verbs()
    table.key("P")
    assert table.offers(codes.KEY_PLACE) == {"Key 1", "Key 2"}
    table.take(codes.KEY_PLACE, "Key 1")
    assert table.load(0, "P") == "RRK" and table.altar == "RR"
    assert table.offers(codes.KEY_TAKE) == {"Z10", "Z11"} and "KEY_NONE" in table.verbs()
    table.key(None)
    assert table.row(0) == ["P", "Key 2"]
    assert table.state.pending is None
    assert table.pile("discard") == {"Key 1"}
    assert table.pile("deck") == deck - {"P"}
    assert table.refused(codes.USE_BOOK, "Key 2", 0) == "POWER_USED"


def test_x21_judgement() -> None:
    tokens = (
        {"id": "thirteen", "copies": 1, "points": {"kind": "fixed", "n": 13}},
        {"id": "eight", "copies": 1, "points": {"kind": "fixed", "n": 8}},
        {"id": "seventeen", "copies": 1, "points": {"kind": "fixed", "n": 17}},
        {"id": "rest", "copies": 39, "points": {"kind": "fixed", "n": 0}},
    )
    table = Table(3, set_={"tokens": tokens}).at(
        Player("", {"Z0": "5G 5R", "Z1": "9R", "Z2": "4V", "Z3": "V"}, tokens=["thirteen"], prestige=2),
        Player("", {"Z4": "G 9V", "Z5": "10B", "Z6": "6B"}, tokens=["eight"], prestige=2),
        Player("4G", {"Z7": "8G", "Z8": "7W", "Z9": "5W", "Z10": "2W"}, tokens=["seventeen"], prestige=1),
        tops=["rest"] * 6,
        phase=Phase.OVER,
        ending=Ending.EXHAUSTION,
        announcer=0,
    )
    assert table.points(0) == (24, 10, 13, 5)
    assert table.points(1) == (29, 2, 8, 5)
    assert table.points(2) == (18, 16, 17, 0)
    assert [sum(table.points(seat)) for seat in range(3)] == [52, 44, 51]
    assert list(table.view().winners) == [0]


def test_x22_runic_ending() -> None:
    rows = {"Z0": "9G K", "Z1": "10B", "Z2": "10V", "Z3": "9R"}
    table = Table().at(Player("R", rows), altar="RR")
    table.place("R", "Z3")
    assert table.load(0, "Z3") == 10 * "R" and table.state.pending is None and table.altar == "RR"
    table.end()
    assert table.state.ending == Ending.RUNIC
    table.at(Player("R", {**rows, "Z3": "10R"}), altar="BB")
    table.summon("Z38", "R")
    table.disown("Z0", "G")
    table.end()
    assert table.state.ending == 0


def test_x23_several_passings_in_one_move() -> None:
    table = Table(cards={A: F(1, 14)}).at(Player("", {A: ""}, steps=11), tops=["five"] * 6)
    table.end()
    assert table.steps(0) == 25
    table.token(0, "seven")
    # The second choice sees the flipped token of the first stack.
    assert table.values["top"][0] == 1
    table.token(0)
    assert table.player(0)["tokens"] == [0, 1]
    assert table.active == 1


def test_x24_hidden_information() -> None:
    table = Table(cards=None).at(Player("", {"Z0": ""}), Player("", {"Z1": ""}), altar="WW", phase=Phase.DRAW)
    table.take(codes.TAKE_BAG)
    before = table.state.clone()
    sizes = [table.view(viewer).players[0].pyramid_size for viewer in (-1, 0, 1)]
    code = table.code(codes.BAG_RUNE, "R")
    table.take_code(code)
    assert list(table.view(0).players[0].pyramid) == [0, 0, 1, 0, 0, 0]
    for viewer in (1, -1):
        assert list(table.view(viewer).players[0].pyramid) == []
        (drawn, *_) = table.game.events(before, None, code, table.state, viewer)
        assert drawn.rune_drawn.rune == 0 and drawn.rune_drawn.source == 2
        assert not table.game.knows_code(before, None, code, viewer)
    assert [table.view(viewer).players[0].pyramid_size for viewer in (-1, 0, 1)] == [size + 1 for size in sizes]
    table.events.clear()
    table.place("R", "Z0")
    assert table.event("runes_placed").rune == 3
