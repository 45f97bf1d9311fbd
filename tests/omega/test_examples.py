"""The worked examples of section 18 of RULES.md, from the given position through the given steps to the result."""

from __future__ import annotations

import pytest

from gamepacks.omega import codes
from gamepacks.omega.codes import Ending
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from tests.omega.fixtures import F, book, lightning
from tests.omega.scenario import OmegaScenario, Player

A, C = "A", "C"


@pytest.mark.parametrize(("players", "bag", "hands"), [(2, 140, [4, 5]), (3, 134, [4, 5, 6]), (4, 129, [4, 5, 5, 6])])
def test_x01_set_up_sizes(players: int, bag: int, hands: list[int]) -> None:
    scenario = OmegaScenario(players, start_player=0).begun()
    assert scenario.bag_size == bag
    assert [len(scenario.hand(seat)) for seat in range(players)] == hands
    assert len(scenario.pile("deck")) == 38
    assert sum(scenario.values["hidden"]) == 36


def test_x02_no_refill_within_a_turn() -> None:
    scenario = OmegaScenario().at(Player("G", {}), Player("R"), altar="RRBVGK", phase=Phase.DRAW)
    scenario.altar_rune("K")
    assert len(scenario.altar) == 5
    scenario.summon("Z39", "G")
    assert scenario.gallery == ["Z38", None, "Z40", "Z41"] and len(scenario.altar) == 5
    scenario.end()
    assert len(scenario.altar) == 5
    nodes = []
    while scenario.phase is not Phase.DRAW:
        nodes.append(scenario.phase)
        scenario.take_code(scenario.state.chance()[0][0])
    assert nodes == [Phase.UPKEEP_ALTAR, Phase.UPKEEP_GALLERY]
    assert scenario.gallery[1] is not None and scenario.active == 1


def test_x03_blue_and_the_eye() -> None:
    scenario = OmegaScenario(cards={A: F(1, 3)}).at(Player("BBG", steps=9), gallery=(A, None, None, None))
    scenario.summon(A, "BBG")
    assert scenario.steps(0) == 13
    assert scenario.phase is Phase.MAIN and scenario.verbs() == {"ARCANA"}
    scenario.token(0)
    scenario.end()
    assert scenario.steps(0) == 16
    assert scenario.view().players[0].square == 5
    assert scenario.held(0) == 1


def test_x04_red_alone() -> None:
    scenario = OmegaScenario().at(Player("RR", {"Z0": "RRR"}), altar="RRR")
    scenario.place("R", "Z0")
    assert scenario.load(0, "Z0") == "RRRR"
    scenario.pull()
    assert (scenario.load(0, "Z0"), scenario.altar, scenario.state.pending) == ("RRRRR", "RR", None)
    scenario.place("R", "Z0")
    scenario.pull()
    assert (len(scenario.load(0, "Z0")), scenario.altar) == (7, "R")


def test_x05_red_and_the_tenth() -> None:
    scenario = OmegaScenario().at(Player("R", {"Z0": "9G"}), altar="RR")
    scenario.place("R", "Z0")
    assert (len(scenario.load(0, "Z0")), scenario.altar, scenario.state.pending) == (10, "RR", None)
    scenario.at(Player("R", {"Z0": "8G"}), altar="RR").place("R", "Z0")
    scenario.pull()
    assert len(scenario.load(0, "Z0")) == 10
    scenario.at(Player("5R 4G"), altar="RR")
    scenario.summon("Z38", "5R 4G")
    scenario.pull()
    assert (len(scenario.load(0, "Z38")), scenario.altar, scenario.state.pending) == (10, "R", None)


def test_x06_red_per_batch() -> None:
    scenario = OmegaScenario().at(Player("RRR"), altar="RR")
    scenario.summon("Z38", "RRR")
    scenario.pull()
    scenario.pull()
    assert (scenario.load(0, "Z38"), scenario.altar, scenario.state.pending) == ("RRRRR", "", None)
    scenario = OmegaScenario(red_limit="per_batch").at(Player("RRR"), altar="RR")
    scenario.summon("Z38", "RRR")
    scenario.pull()
    assert (scenario.load(0, "Z38"), scenario.altar, scenario.state.pending) == ("RRRR", "R", None)


def test_x07_green() -> None:
    scenario = OmegaScenario().at(Player("VV", {"Z0": "", "Z1": ""}), altar="WWW")
    scenario.pair("Z0", "Z1")
    assert (scenario.load(0, "Z0"), scenario.load(0, "Z1")) == ("V", "V")
    scenario.altar_rune("W")
    assert scenario.state.pending is None
    scenario.at(Player("VV", {"Z0": ""}), altar="WWW")
    scenario.place("V", "Z0")
    scenario.place("V", "Z0")
    assert scenario.state.pending is None and scenario.hand(0) == ""
    for greens, draws in ((3, 1), (4, 2)):
        scenario.at(Player(greens * "V"), altar="WWW").summon("Z38", greens * "V")
        for _ in range(draws):
            scenario.altar_rune("W")
        assert scenario.state.pending is None
    scenario.at(Player("VV", {"Z0": "9V"}))
    assert "PAIR" not in scenario.verbs() and scenario.offers(codes.PLACE) == {"V"}


def test_x08_capture_with_a_black_and_reds() -> None:
    scenario = OmegaScenario(3, cards={A: F(1, 2)}).at(
        Player("RRRBKK", {"Z7": ""}), Player("", {"Z8": "R", A: "VVK"}, mask="Z8"), altar="R"
    )
    bag = scenario.bag("V")
    scenario.take(codes.CAPTURE, 1, A)
    added = []
    while scenario.offers(codes.ADD):
        # R and B lead to the one batch that suffices, in any order.
        assert scenario.offers(codes.ADD) <= {"R", "B"}
        added.append(sorted(scenario.offers(codes.ADD))[0])
        scenario.take(codes.ADD, added[-1])
    assert sorted(added) == ["B", "R", "R", "R"]
    scenario.take(codes.CONFIRM)
    assert scenario.player(0)["prestige"] == 1
    assert scenario.state.actor() == 1 and scenario.offers(codes.RECOVER) == {"V", "K"}
    scenario.recover("K")
    assert scenario.hand(1) == "K" and scenario.bag("V") == bag + 2
    assert scenario.player(1)["lost_egregor"]
    assert scenario.steps(0) == 2
    scenario.pull()
    assert scenario.load(0, A) == "BRRRR"
    # The second and third red find none on the altar.
    assert scenario.state.pending is None and scenario.altar == ""
    assert scenario.hand(0) == "KK"
    assert scenario.row(1) == ["Z8"] and scenario.masked(1) == "Z8"


def test_x09_no_dead_end() -> None:
    scenario = OmegaScenario().at(Player("RRRBV"), Player("", {"Z0": "", "Z1": "GGG"}, mask="Z0"))
    scenario.take(codes.CAPTURE, 1, "Z1")
    assert scenario.offers(codes.ADD) == {"R", "B", "V"}
    scenario.take(codes.ADD, "B")
    assert scenario.offers(codes.ADD) == {"R"}
    for _ in range(3):
        assert "CONFIRM" not in scenario.verbs()
        scenario.take(codes.ADD, "R")
    assert scenario.verbs() == {"CONFIRM"}
    scenario.at(Player("RRRBV"), Player("", {"Z0": "", "Z1": "GGGG"}, mask="Z0"))
    assert scenario.offers(codes.CAPTURE) == set()


def test_x10_illegal_targets() -> None:
    scenario = OmegaScenario(4, cards={"a": F(), "b": F(), "c": F(1, 1, renegade=True)}).at(
        Player("9R"),
        Player("", {"a": "10G", "b": "V", "c": "BB"}, mask="b"),
        Player("", {"Z5": "W"}),
        Player("", {"Z6": "", "Z7": ""}, lost=True),
    )
    assert scenario.offers(codes.CAPTURE) == {"1 c"}


@pytest.mark.parametrize("capture", [False, True])
@pytest.mark.parametrize(
    ("snake", "picks", "back", "bag"), [(0, "", "WWW", 2), (1, "B", "BWWW", 1), (4, "BB", "BBWWW", 0)]
)
def test_x11_white_recovery(snake: int, picks: str, back: str, bag: int, capture: bool) -> None:
    cards = {A: F(snake)}
    if capture:
        scenario = OmegaScenario(cards=cards).at(Player("6G"), Player("", {A: "WWWBB", "Z9": ""}, mask="Z9"))
        blues = scenario.bag("B")
        scenario.capture(1, A, "6G")
    else:
        scenario = OmegaScenario(cards=cards).at(Player("", {A: "WWWBB", "Z9": ""}), gained="Z9")
        blues = scenario.bag("B")
        scenario.take(codes.DISOWN, A)
    scenario.recover(picks)
    assert scenario.hand(1 if capture else 0) == back
    assert scenario.bag("B") == blues + bag
    assert scenario.state.pending is None


def test_x12_black() -> None:
    scenario = OmegaScenario().at(Player("KK", {"Z0": "R"}), Player("", {"Z1": "6G 4R", "Z2": ""}, mask="Z1"))
    assert sum(scenario.points(1)) == 24
    scenario.black(1, "Z1", "G")
    scenario.black(1, "Z1", "G")
    assert scenario.load(1, "Z1") == "GGGGRRRRKK"
    assert sum(scenario.points(1)) == 20
    scenario.at(Player("9R 9B", {"Z0": "R"}), Player("", {"Z1": "4G 4R 2K", "Z2": ""}, mask="Z2"))
    assert scenario.refused(codes.CAPTURE, 1, "Z1") == "TARGET_FULL"
    for load, taken in (("WGGG", {"G"}), ("WWGGG", None), ("W", None), ("WKK", None)):
        scenario.at(Player("K", {"Z0": ""}), Player("", {"Z1": load}))
        if taken is None:
            assert "PLACE_BLACK" not in scenario.verbs()
        else:
            scenario.take(codes.PLACE_BLACK)
            scenario.take(codes.BLACK_TARGET, 1, "Z1")
            assert scenario.offers(codes.BLACK_TAKE) == taken


def test_x13_colour_places() -> None:
    scenario = OmegaScenario(cards={"P": F(1, 1, primitive=True)}).at(
        Player("V", {"Z1": "RRBK"}), Player("K", {"Z2": ""}), altar="6W"
    )
    assert "V" not in scenario.offers(codes.PLACE)
    scenario.at(Player("V", {"Z1": "RRBK"}), Player("K", {"Z2": ""}), altar="6W", active=1)
    scenario.black(0, "Z1", "B")
    assert scenario.load(0, "Z1") == "RRKK"
    scenario.end()
    scenario.altar_rune("W")
    assert "V" in scenario.offers(codes.PLACE)
    scenario.at(Player("BGRVW", {"P": "KK"}))
    assert scenario.offers(codes.PLACE) == {"B", "G", "R", "V", "W"}
    scenario.place("G", "P")
    assert scenario.offers(codes.PLACE) == set()
    assert scenario.refused(codes.PLACE, "B") == "TOO_MANY_COLOURS"


def test_x14_five_egregors() -> None:
    scenario = OmegaScenario().at(Player("G", {"Z0": "BB", "Z1": "", "Z2": "", "Z3": ""}))
    assert scenario.offers(codes.DISOWN) == set()
    scenario.summon("Z38", "G")
    assert len(scenario.row(0)) == 5 and "END_MAIN" not in scenario.verbs()
    assert scenario.offers(codes.DISOWN) == {"Z0", "Z1", "Z2", "Z3"}
    scenario.disown("Z0", "B")
    assert "END_MAIN" in scenario.verbs() and scenario.offers(codes.DISOWN) == set()
    scenario.place("B", "Z38")
    assert (scenario.load(0, "Z38"), scenario.steps(0)) == ("BG", 2)


def test_x15_mask() -> None:
    scenario = OmegaScenario(cards={"R": F(1, 1, renegade=True)}).at(
        Player("GG"), Player("R", {"Z9": ""}), gallery=("R", "Z39", "Z40", "Z41"), altar="6W"
    )
    scenario.summon("R", "G")
    assert scenario.masked(0) is None and "MASK" not in scenario.verbs()
    scenario.end()
    scenario.chance()
    scenario.finish_turn()
    scenario.chance()
    scenario.altar_rune("W")
    scenario.summon("Z39", "G")
    assert scenario.masked(0) is None
    assert scenario.offers(codes.MASK) == {"Z39"}
    scenario.mask("Z39")
    scenario.at(Player("G", {"R": "", "Z20": ""}, mask="Z20"))
    scenario.summon("Z38", "G")
    scenario.disown("Z20")
    assert scenario.masked(0) is None
    assert scenario.offers(codes.MASK) == {"Z38"}


@pytest.mark.parametrize(("players", "ends"), [(4, True), (3, False)])
def test_x16_arcanic_ending_in_main(players: int, ends: bool) -> None:
    seats = [Player("G", {f"Z{seat}": "", f"Z{seat + 10}": ""}) for seat in range(players)]
    seats[1] = Player("BG", {"Z1": "", "Z11": ""}, steps=11, tokens=["five"] * 5)
    scenario = OmegaScenario(players, cards=None).at(*seats, altar="6W", active=1)
    scenario.place("B", "Z1")
    scenario.token(0)
    assert scenario.held(1) == 6 and scenario.state.ending == 0
    scenario.place("G", "Z11")
    if not ends:
        scenario.end()
        assert scenario.state.ending == 0
        # The seventh token would end it.
        seats[1].tokens, seats[1].steps = ["five"] * 7, 0
        scenario.at(*seats, altar="6W", active=1).end()
        assert scenario.state.ending == Ending.ARCANIC
        return
    values = scenario.values
    values["seats"][1]["steps"] = 22
    scenario.state.load(values)
    scenario.end()
    assert scenario.steps(1) == 24 and scenario.verbs() == {"ARCANA"}
    scenario.token(1)
    assert (scenario.held(1), scenario.state.ending) == (7, Ending.ARCANIC)
    order = []
    while scenario.phase is not Phase.OVER:
        scenario.chance()
        order.append(scenario.active)
        scenario.altar_rune("W")
        assert "SUMMON" in scenario.verbs() and "CAPTURE" not in scenario.verbs()
        scenario.end()
    assert order == [2, 3, 0]


def test_x17_exhaustion() -> None:
    scenario = OmegaScenario(cards={A: F(0)}).at(
        Player("", {"Z9": ""}), Player("G", {A: "4V", "Z8": ""}), altar="RB", bag="RRG", rest=1
    )
    scenario.end()
    scenario.upkeep("RRG")
    assert len(scenario.altar) == 5 and scenario.bag_size == 0 and scenario.values["bag_was_empty"]
    assert (scenario.active, scenario.phase, scenario.verbs()) == (1, Phase.DRAW, {"TAKE_ALTAR"})
    scenario.altar_rune("B")
    scenario.summon("Z38", "G")
    scenario.disown(A)
    assert scenario.bag("V") == 4 and scenario.values["bag_was_empty"]
    scenario.end()
    assert scenario.state.ending == Ending.EXHAUSTION and scenario.values["announcer"] == 1
    # The others have one turn; the first refills from those four runes.
    assert scenario.outcomes() == {"V": 4}
    scenario.take(codes.ALTAR_RUNE, "V")
    scenario.take(codes.ALTAR_RUNE, "V")
    assert len(scenario.altar) == 6 and scenario.values["final_turns_left"] == 1


def test_x18_hand_of_fate_with_colour() -> None:
    scenario = OmegaScenario(cards={A: F(1, 1, lightning(("draw", 3, "red")))}).at(
        Player("G"), gallery=(A, None, None, None), altar="RVV", bag="RGG", rest=1
    )
    scenario.take(codes.SUMMON, A)
    scenario.take(codes.ADD, "G")
    scenario.take(codes.CONFIRM)
    # No decision and no chance node.
    assert scenario.state.pending is None
    assert (scenario.hand(0), scenario.altar, scenario.bag("R")) == ("RR", "VV", 0)
    sources = [event.rune_drawn.source for event in scenario.events if event.WhichOneof("event") == "rune_drawn"]
    assert sources == [1, 3]


def test_x19_cycling() -> None:
    scenario = OmegaScenario(cards={A: F(1, 1, lightning(("cycle", 2)))}).at(
        Player("VV"), gallery=(A, None, None, None), altar="WW"
    )
    scenario.summon(A, "VV")
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    scenario.altar_rune("W")
    assert scenario.offers(codes.CYCLE) == {"A V"}
    scenario.cycle(A, "VV")
    assert scenario.load(0, A) == ""
    scenario.pair(A, A)
    assert scenario.verbs() == {"TAKE_ALTAR", "TAKE_BAG"}
    scenario.altar_rune("W")
    assert scenario.load(0, A) == "VV"


def test_x20_keys() -> None:
    cards = {
        "Key 1": F(3, 1, book(("key", 2))),
        "Key 2": F(3, 1, book(("key", 3))),
        "Key 3": F(1, 1, book(("key", 1))),
        "Key 4": F(1, 1, lightning(("key", 1))),
        "P": F(1, 1, primitive=True),
    }
    scenario = OmegaScenario(cards=cards).at(Player("", {"Key 1": "RRK", "Key 2": "B"}), altar="RR")
    deck = scenario.pile("deck")
    scenario.book("Key 2")
    assert scenario.state.pending is not None and scenario.state.pending[:2] == (FrameKind.LOOK, 5)
    scenario.look("Key 3", "Key 4", "P", "Z10", "Z11")
    assert scenario.offers(codes.KEY_TAKE) == {"P", "Z10", "Z11"} and "KEY_NONE" in scenario.verbs()
    scenario.key("P")
    assert scenario.offers(codes.KEY_PLACE) == {"Key 1", "Key 2"}
    scenario.take(codes.KEY_PLACE, "Key 1")
    assert scenario.load(0, "P") == "RRK" and scenario.altar == "RR"
    assert scenario.offers(codes.KEY_TAKE) == {"Z10", "Z11"} and "KEY_NONE" in scenario.verbs()
    scenario.key(None)
    assert scenario.row(0) == ["P", "Key 2"]
    assert scenario.state.pending is None
    assert scenario.pile("discard") == {"Key 1"}
    assert scenario.pile("deck") == deck - {"P"}
    assert scenario.refused(codes.USE_BOOK, "Key 2", 0) == "POWER_USED"


def test_x21_judgement() -> None:
    tokens = (
        {"id": "thirteen", "copies": 1, "points": {"kind": "fixed", "n": 13}},
        {"id": "eight", "copies": 1, "points": {"kind": "fixed", "n": 8}},
        {"id": "seventeen", "copies": 1, "points": {"kind": "fixed", "n": 17}},
        {"id": "rest", "copies": 39, "points": {"kind": "fixed", "n": 0}},
    )
    scenario = OmegaScenario(3, set_={"tokens": tokens}).at(
        Player("", {"Z0": "5G 5R", "Z1": "9R", "Z2": "4V", "Z3": "V"}, tokens=["thirteen"], prestige=2),
        Player("", {"Z4": "G 9V", "Z5": "10B", "Z6": "6B"}, tokens=["eight"], prestige=2),
        Player("4G", {"Z7": "8G", "Z8": "7W", "Z9": "5W", "Z10": "2W"}, tokens=["seventeen"], prestige=1),
        tops=["rest"] * 6,
        phase=Phase.OVER,
        ending=Ending.EXHAUSTION,
        announcer=0,
    )
    assert scenario.points(0) == (24, 10, 13, 5)
    assert scenario.points(1) == (29, 2, 8, 5)
    assert scenario.points(2) == (18, 16, 17, 0)
    assert [sum(scenario.points(seat)) for seat in range(3)] == [52, 44, 51]
    assert list(scenario.view().winners) == [0]


def test_x22_runic_ending() -> None:
    rows = {"Z0": "9G K", "Z1": "10B", "Z2": "10V", "Z3": "9R"}
    scenario = OmegaScenario().at(Player("R", rows), altar="RR")
    scenario.place("R", "Z3")
    assert scenario.load(0, "Z3") == 10 * "R" and scenario.state.pending is None and scenario.altar == "RR"
    scenario.end()
    assert scenario.state.ending == Ending.RUNIC
    scenario.at(Player("R", {**rows, "Z3": "10R"}), altar="BB")
    scenario.summon("Z38", "R")
    scenario.disown("Z0", "G")
    scenario.end()
    assert scenario.state.ending == 0


def test_x23_several_passings_in_one_move() -> None:
    scenario = OmegaScenario(cards={A: F(1, 14)}).at(Player("", {A: ""}, steps=11), tops=["five"] * 6)
    scenario.end()
    assert scenario.steps(0) == 25
    scenario.token(0, "seven")
    # The second choice sees the flipped token of the first stack.
    assert scenario.values["tops"][0] == 1
    scenario.token(0)
    assert scenario.player(0)["tokens"] == [0, 1]
    assert scenario.active == 1


def test_x24_hidden_information() -> None:
    scenario = OmegaScenario(cards=None).at(
        Player("", {"Z0": ""}), Player("", {"Z1": ""}), altar="WW", phase=Phase.DRAW
    )
    scenario.take(codes.TAKE_BAG)
    before = scenario.state.clone()
    sizes = [scenario.view(viewer).players[0].pyramid_size for viewer in (-1, 0, 1)]
    code = scenario.code(codes.BAG_RUNE, "R")
    scenario.take_code(code)
    assert list(scenario.view(0).players[0].pyramid) == [0, 0, 1, 0, 0, 0]
    for viewer in (1, -1):
        assert list(scenario.view(viewer).players[0].pyramid) == []
        (drawn, *_) = scenario.game.events(before, None, code, scenario.state, viewer)
        assert drawn.rune_drawn.rune == 0 and drawn.rune_drawn.source == 2
        assert not scenario.game.knows_code(before, None, code, viewer)
    assert [scenario.view(viewer).players[0].pyramid_size for viewer in (-1, 0, 1)] == [size + 1 for size in sizes]
    scenario.events.clear()
    scenario.place("R", "Z0")
    assert scenario.event("runes_placed").rune == 3
