"""Positions are written and restored, and refused with every fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.errors import InvalidMessage, InvalidPosition
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import Ending
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from tests.omega.fixtures import F, book, library
from tests.omega.scenario import OmegaScenario, Player, counts
from tests.omega.test_invariants import DENSE, preferred

CARDS = {"K": F(1, 1, book(("key", 2))), "P": F(1, 1, primitive=True), "R": F(1, 1, renegade=True)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_position_of_every_state_restores_it(players: int) -> None:
    options = {
        "power_amount": "up_to",
        "recovery": "up_to",
        "key_fires_lightning": True,
        "green_pairing": "consecutive",
    }
    game = Omega.configure(
        players, {**options, "card_set": "fixture", "max_turns": 60}, library(DENSE, squares=12, eye=12)
    )
    rng, state, kinds = Rng(players), game.initial_state(), set()
    for _ in range(1_800):
        position = state.game.position(state)
        again = game.restore(position)
        assert again.game.position(again) == position
        assert again.to_bytes() == state.to_bytes()
        assert (again.actor(), again.legal(), again.chance()) == (state.actor(), state.legal(), state.chance())
        kinds.add(state.pending[0] if state.pending else 0)
        if state.actor() == TERMINAL:
            break
        state.apply(rng.weighted(state.chance()) if state.actor() == CHANCE else preferred(rng, state))
    assert len(kinds) > 10


def test_a_restored_state_goes_on_like_the_original_and_a_clone_shares_nothing() -> None:
    scenario = OmegaScenario().at(Player("RRVV", {"Z0": "R"}), Player("K", {"Z1": "V", "Z2": "G"}), altar="RRWW")
    twin = scenario.game.restore(scenario.game.position(scenario.state))
    before = scenario.state.to_bytes()
    other = scenario.state.clone()
    for code in (codes.PLACE(codes.RED), codes.TARGET(0), codes.PULL()):
        twin.apply(code)
        other.apply(code)
    assert twin.to_bytes() == other.to_bytes() != before
    assert scenario.state.to_bytes() == before
    assert other.game is scenario.game


def test_other_message_type_is_refused_as_position() -> None:
    with pytest.raises(InvalidMessage):
        OmegaScenario().game.restore(pb.View())


def base(**fields: Any) -> pb.Position:
    return OmegaScenario(cards=CARDS).position(
        Player("RRG", {"Z10": "RK", "R": "", "P": "G"}, mask="Z10", steps=3, tokens=["five"]),
        Player("VV", {"Z11": "BB", "Z12": ""}, lost=True),
        altar="RRWWKK",
        **fields,
    )


def faults(position: pb.Position, players: int = 2, **options: Any) -> dict[str, str]:
    game = OmegaScenario(players, CARDS, **options).game
    with pytest.raises(InvalidPosition) as caught:
        game.restore(position)
    found: dict[str, str] = {}
    for fault in caught.value.faults:
        found[fault.field] = f"{found.get(fault.field, '')} {fault.message}".strip()
    return found


def test_base_position_of_the_faults_is_valid() -> None:
    assert OmegaScenario(cards=CARDS).game.restore(base()).legal()


Change = Callable[[pb.Position], object]


def frame(*frames: tuple[int, ...], **fields: Any) -> Change:
    """Put frames into a position."""

    def change(position: pb.Position) -> None:
        for kind, a, b, c in frames:
            position.frames.add(kind=kind, a=a, b=b, c=c)  # type: ignore[arg-type]
        for name, value in fields.items():
            setattr(position, name, value)

    return change


def put(path: str, value: Any) -> Change:
    """Set a field: ``seats.0.pyramid.2``; a list takes the place of a list."""

    def change(position: pb.Position) -> None:
        inside: Any = position
        *parts, last = path.split(".")
        for part in parts:
            inside = inside[int(part)] if part.isdigit() else getattr(inside, part)
        if last.isdigit():
            inside[int(last)] = value
        elif isinstance(value, list):
            del getattr(inside, last)[:]
            getattr(inside, last).extend(value)
        elif value is None:
            inside.ClearField(last)
        else:
            setattr(inside, last, value)

    return change


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (put("phase", 0), "phase", "is not a phase"),
        (put("phase", 12), "phase", "is not a phase"),
        (put("start_seat", None), "start_seat", "must be set"),
        (put("start_seat", 2), "start_seat", "from 0 to 1"),
        (put("active_seat", None), "active_seat", "whose turn"),
        (put("active_seat", 5), "active_seat", "from 0 to 1"),
        (put("dealt", 8), "dealt", "8 is impossible"),
        (put("dealt", 21), "dealt", "from 0 to 20"),
        (put("turn", 0), "turn", "at least 1"),
        (put("bag", [1, 2, 3]), "bag", "has 3 entries; 6 are needed"),
        (put("bag.0", 22), "bag", "there are 24 blue runes in all; there must be 25 (OMEGA-INV-01)"),
        (put("bag.0", -1), "bag[0]", "from 0 to 37"),
        (put("altar.0", 1), "bag", "OMEGA-INV-01"),
        (put("altar.0", 7), "altar[0]", "from 0 to 6"),
        (put("absent.0", True), "absent[0]", "the bag has blue runes"),
        (put("gallery.0", 0), "deck", "OMEGA-INV-02"),
        (put("gallery.0", 42), "gallery[0]", "from -1 to 41"),
        (put("gallery", [1, 2]), "gallery", "has 2 entries; 4 are needed"),
        (put("deck", [3, 4]), "deck", "OMEGA-INV-02"),
        (put("deck", [4, 3]), "deck", "ascending order"),
        (put("discard", [42]), "discard", "from 0 to 41"),
        (put("tops", [0, 0]), "tops", "has 2 entries; 6 are needed"),
        (put("tops.0", 2), "tops[0]", "from -1 to 1"),
        (put("tops.0", 1), "pool[1]", "OMEGA-INV-03"),
        (put("hidden.0", 8), "hidden[0]", "from 0 to 7"),
        (put("hidden.0", 5), "hidden", "but the pool has"),
        (put("pool.0", 1), "pool[0]", "OMEGA-INV-03"),
        (put("looked", [3]), "deck", "OMEGA-INV-02"),
        (put("certain", [3]), "certain", "must be among the cards"),
        (put("disowned", 1), "disowned", "OMEGA-DISOWN-01"),
        (put("batch", [0, 0, 1, 0, 0, 0]), "batch", "without batch_target"),
        (put("batch_shown", True), "batch", "without batch_target"),
        (put("keys", 1), "keys", "must be empty while no Key is used"),
        (put("keys", 32), "keys", "from 0 to 31"),
        (put("replaced", [0]), "keys", "must be empty while no Key is used"),
        (put("ending", 16), "ending", "from 0 to 15"),
        (put("ending", 1), "announcer", "if and only if"),
        (put("announcer", 1), "announcer", "if and only if"),
        (put("final_turns_left", 1), "final_turns_left", "final round"),
        (put("phase", Phase.OVER), "ending", "does not fit"),
        (put("seats.0.pyramid.2", 3), "bag", "OMEGA-INV-01"),
        (put("seats.0.pyramid", [0]), "seats[0].pyramid", "has 1 entries; 6 are needed"),
        (put("seats.0.shown", [9, 0, 0, 0, 0, 0]), "seats[0].shown", "has more runes than the pyramid"),
        (put("seats.0.mask", 3), "seats[0].mask", "there is no Egregor in this place"),
        (put("seats.0.mask", -2), "seats[0].mask", "there is no Egregor in this place"),
        (put("seats.0.mask", 1), "seats[0].mask", "OMEGA-MASK-04"),
        (put("seats.0.tokens", [7]), "seats[0].tokens", "from 0 to 1"),
        (put("seats.0.prestige", -1), "seats[0].prestige", "from 0"),
        (put("seats.0.steps", -1), "seats[0].steps", "from 0"),
        (put("seats.0.egregors.0.card", 50), "seats[0].egregors[0].card", "from 0 to 41"),
        (put("seats.0.egregors.0.load", [11, 0, 0, 0, 0, 0]), "seats[0].egregors[0].load[0]", "from 0 to 10"),
        (put("seats.0.egregors.0.load", counts("6R 5B")), "seats[0].egregors[0].load", "OMEGA-PLACE-02"),
        (put("seats.0.egregors.0.load", counts("RBV")), "seats[0].egregors[0].load", "OMEGA-PLACE-03"),
        (put("seats.0.egregors.2.load", counts("GV")), "seats[0].egregors[2].load", "OMEGA-PLACE-04"),
        (put("seats.0.egregors.0.used", 16), "seats[0].egregors[0].used", "from 0 to 15"),
        (put("seats.0.egregors.0.gained", True), "seats[0].egregors", "OMEGA-MAIN-02"),
        (put("seats.1.egregors.0.gained", True), "seats[1].egregors", "OMEGA-MAIN-02"),
        (put("seats.0.egregors.0.old_blacks", 2), "seats[0].egregors[0].old_blacks", "more than the 1 black runes"),
        (put("seats.0.egregors.0.used", 1), "seats[0].egregors[0].used", "OMEGA-POWER-02"),
        (put("seats.0.lost_egregor", True), "seats[0].lost_egregor", "OMEGA-TURN-03"),
        (put("seats.0.prestige", 101), "seats[0].prestige", "OMEGA-MAIN-02"),
        (put("turn", 202), "turn", "turn 202 is seat 1's, not seat 0's"),
        (put("turn", 5), "seats[0].egregors", "OMEGA-MAIN-02"),
        (put("active_seat", 1), "turn", "seat 0's, not seat 1's"),
        (put("tops.0", -1), "pool[0]", "OMEGA-INV-03"),
        (put("gain_used", True), "gain_used", "no Egregor is marked"),
        (put("last_mask", True), "mask_moved", "as last_mask is"),
        (put("green_pending", True), "green_pending", "explicit"),
        (frame(announcer=0, ending=4, final_turns_left=1), "announcer", "OMEGA-FINAL-01"),
        (frame(announcer=1, ending=1, final_turns_left=1), "ending", "arcanic ending is not met by seat 1"),
        (frame(announcer=1, ending=2, final_turns_left=1), "ending", "runic ending is not met by seat 1"),
        (frame(phase=Phase.DRAW, mask_moved=True), "mask_moved", "OMEGA-TURN-03"),
        (frame((FrameKind.BAG_DRAW, 0, 0, 0)), "frames[0]", "is a draw that no power has granted"),
        (frame((19, 0, 0, 0)), "frames[0]", "is impossible"),
        (frame((0, 0, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.TARGET, codes.BLUE, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.TARGET, codes.BLACK, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.PAIR_FIRST, 0, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.BLACK_TAKE, 1, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.RED, 3, 1, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.RED, 0, 11, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.DRAW, 43, 6, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.DRAW, 1, 7, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.ARCANA, 1, 1, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.FLIP, 0, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.FLIP, 6, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.RECOVER, 1, 0, 1)), "frames[0]", "is impossible"),
        (frame((FrameKind.RECOVER, 0, 3, 1)), "frames[0]", "is impossible"),
        (frame((FrameKind.CYCLE, 1, 6, 1)), "frames[0]", "is impossible"),
        (frame((FrameKind.KEY_PLACE, 3, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.BATCH, 0, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.LIGHTNING, 3, 0, 0)), "frames[0]", "is impossible"),
        (frame((FrameKind.DRAW, 1, 6, 300)), "frames[0]", "is impossible"),
        (frame(*[(FrameKind.DRAW, 1, 6, 0)] * 13), "frames", "more than 12"),
        (frame((FrameKind.DRAW, 1, 6, 0), phase=Phase.DRAW), "frames", "must be empty in this phase"),
        (frame((FrameKind.DRAW, 1, 6, 0), phase=Phase.END), "frames[0]", "is impossible"),
        (frame((FrameKind.DRAW, 0, 6, 0)), "frames", "must lead to a decision"),
        (frame((FrameKind.RED, 0, 0, 0)), "frames", "must lead to a decision"),
        (frame((FrameKind.LIGHTNING, 0, 10, 0)), "frames", "must lead to a decision"),
        (put("phase", Phase.UPKEEP_GALLERY), "frames", "must lead to a decision"),
        (put("phase", Phase.END), "frames", "must lead to a decision"),
    ],
)
def test_each_fault_is_named(change: Change, field: str, message: str) -> None:
    position = base()
    change(position)
    found = faults(position)
    assert field in found, found
    assert message in found[field]


@pytest.mark.rule("OMEGA-ARCANA-01")
@pytest.mark.parametrize(("steps", "fits"), [(11, False), (12, True), (23, True), (24, False)])
def test_position_needs_a_token_for_each_passing_of_the_eye(steps: int, fits: bool) -> None:
    position = base()
    position.seats[0].steps = steps
    if fits:
        assert OmegaScenario(cards=CARDS).game.restore(position).legal()
    else:
        assert f"passed {steps // 12} times" in faults(position)["seats[0].tokens"]


@pytest.mark.rule("OMEGA-ARCANA-01")
@pytest.mark.parametrize(("due", "fits"), [(0, False), (1, True), (2, False)])
def test_choices_that_are_due_count_as_tokens(due: int, fits: bool) -> None:
    scenario = OmegaScenario()
    position = scenario.position(Player("R", {"Z0": ""}, tokens=["five"]), altar="RR")
    position.seats[0].steps = 24
    if due:
        frame((FrameKind.ARCANA, due, 0, 0))(position)
    if fits:
        assert scenario.game.restore(position).legal() == [codes.ARCANA(stack) for stack in range(6)]
    else:
        assert "passed 2 times" in faults(position)["seats[0].tokens"]


@pytest.mark.rule("OMEGA-ARCANA-05")
def test_with_arcana_cap_no_seat_holds_more_than_the_arcanic_ending_needs() -> None:
    scenario = OmegaScenario(arcana_cap=True)
    for tokens, passings, fits in ((6, 6, True), (6, 7, False), (7, 9, True), (8, 9, False)):
        ended = {"announcer": 1, "ending": 1, "final_turns_left": 1} if tokens >= 7 else {}
        seats = Player("R", {"Z0": ""}), Player("V", {"Z1": ""}, tokens=["five"] * tokens)
        position = scenario.position(*seats, altar="RR", **ended)
        position.seats[1].steps = 12 * passings
        if fits:
            assert scenario.game.restore(position).legal()
        else:
            assert "seats[1].tokens" in faults(position, arcana_cap=True)


def test_position_with_a_missing_target_is_refused() -> None:
    for target, field in (
        (pb.Target(slot=4), "batch_target.slot"),
        (pb.Target(slot=0, seat=1), "batch_target.slot"),
        (pb.Target(slot=0, place=0), "batch_target.place"),
        (pb.Target(seat=0, place=0), "batch_target"),
        (pb.Target(seat=1, place=2), "batch_target"),
        (pb.Target(seat=1), "batch_target"),
        (pb.Target(seat=1, place=0), "batch_target"),
    ):
        position = base()
        position.batch_target.CopyFrom(target)
        assert field in faults(position), target
    position = base(batch=counts("RR"), batch_target=pb.Target(slot=0))
    position.frames.add(kind=pb.FRAME_KIND_BATCH)
    assert OmegaScenario(cards=CARDS).game.restore(position).legal()
    for batch in ("3R", "K", "V"):
        put("batch", counts(batch))(position)
        assert "OMEGA-SUMMON-01" in faults(position)["batch"]


def test_the_number_of_seats_and_the_start_must_fit_the_game() -> None:
    assert "2 entries for 3 players" in faults(base(), players=3)["seats"]
    assert "start_player" in faults(base(), start_player=1)["start_seat"]


def test_a_fifth_egregor_is_one_of_this_turn() -> None:
    row = {f"Z{number}": "" for number in range(10, 15)}
    scenario = OmegaScenario()
    assert scenario.at(Player("", row), gained="Z14").offers(codes.DISOWN) == {"Z10", "Z11", "Z12", "Z13"}
    for fields in ({}, {"gained": "Z14", "disowned": 1}, {"gained": "Z14", "active": 1}):
        with pytest.raises(InvalidPosition) as caught:
            scenario.at(Player("", row), **fields)
        assert any("egregors" in fault.field for fault in caught.value.faults)
    with pytest.raises(InvalidPosition):
        scenario.at(Player("", {**row, "Z15": ""}), gained="Z14")


def test_position_in_the_set_up_has_runes_only() -> None:
    scenario = OmegaScenario()
    while scenario.phase is not Phase.DEAL:
        scenario.take_code(scenario.state.chance()[0][0])
    for change in (put("seats.0.steps", 1), put("seats.0.prestige", 1), put("seats.0.lost_egregor", True)):
        position = scenario.game.position(scenario.state)
        change(position)
        assert "OMEGA-SETUP-08" in faults(position)["seats[0]"]
    position = scenario.game.position(scenario.state)
    put("start_seat", None)(position)
    assert "start_seat" in faults(position)


def test_ended_position_needs_an_ending() -> None:
    scenario = OmegaScenario(3)
    scenario.at(Player(), phase=Phase.OVER, ending=Ending.EXHAUSTION, announcer=1)
    OmegaScenario(3, max_turns=301).at(Player(), phase=Phase.OVER, ending=Ending.MAX_TURNS)
    for fields in (
        {"phase": Phase.OVER, "ending": Ending.EXHAUSTION, "announcer": 1, "final_turns_left": 1},
        {"phase": Phase.OVER},
        {"phase": Phase.MAIN, "ending": Ending.EXHAUSTION, "announcer": 1},
        {"phase": Phase.MAIN, "ending": Ending.EXHAUSTION, "announcer": 1, "final_turns_left": 3},
    ):
        with pytest.raises(InvalidPosition):
            scenario.at(Player(), **fields)


def refused(scenario: OmegaScenario, *seats: Player, **fields: Any) -> dict[str, str]:
    with pytest.raises(InvalidPosition) as caught:
        scenario.at(*seats, **fields)
    return {fault.field: fault.message for fault in caught.value.faults}


FULL = {"Z0": "10B", "Z1": "10G", "Z2": "10R", "Z3": "10V"}


@pytest.mark.rule("OMEGA-END-06")
def test_an_ending_that_a_seat_has_met_has_been_announced() -> None:
    for seat, phase in ((1, Phase.MAIN), (0, Phase.DRAW)):
        for field, player in (("tokens", Player(tokens=["five"] * 7)), ("egregors", Player("", FULL))):
            seats = [player if number == seat else Player() for number in range(2)]
            assert f"seats[{seat}].{field}" in refused(OmegaScenario(), *seats, altar="R", phase=phase)
    # In the turn in which it is met, and in the final round, it has not, or not by that seat.
    OmegaScenario().at(Player("", FULL, tokens=["five"] * 7))
    OmegaScenario().at(Player(), Player("", FULL), announcer=1, ending=Ending.RUNIC, final_turns_left=1)
    OmegaScenario(3).at(Player(), Player(tokens=["five"] * 7), announcer=2, ending=4, final_turns_left=2)
    assert "bag_was_empty" in refused(
        OmegaScenario(max_turns=201), Player(), phase=Phase.OVER, ending=8, bag_was_empty=True
    )


@pytest.mark.rule("OMEGA-FINAL-01")
def test_the_turns_of_the_final_round_follow_from_who_announced() -> None:
    for active, announcer, left in ((1, 0, 2), (2, 0, 1), (0, 2, 2)):
        fields = {"active": active, "announcer": announcer, "ending": Ending.EXHAUSTION}
        OmegaScenario(3).at(Player(), **fields, final_turns_left=left)
        assert "final_turns_left" in refused(OmegaScenario(3), Player(), **fields, final_turns_left=3 - left)
    assert "announcer" in refused(OmegaScenario(3), Player(), announcer=2, ending=4, final_turns_left=2, turn=1)


@pytest.mark.rule("OMEGA-SETUP-06")
def test_position_in_the_set_up_follows_its_order() -> None:
    scenario = OmegaScenario(3, start_player=1)
    while scenario.phase is not Phase.DEAL:
        for change, field in (
            (put("bag_was_empty", True), "phase"),
            (put("mask_moved", True), "phase"),
        ):
            position = scenario.game.position(scenario.state)
            change(position)
            assert field in faults(position, 3, start_player=1)
        scenario.take_code(scenario.state.chance()[0][0])
    for _ in range(5):
        scenario.take_code(scenario.state.chance()[0][0])
    position = scenario.game.position(scenario.state)
    first, second = position.seats[1], position.seats[2]
    assert [sum(seat.pyramid) for seat in position.seats] == [0, 4, 1]
    kept = list(first.pyramid)
    put("seats.1.pyramid", list(second.pyramid))(position)
    put("seats.2.pyramid", kept)(position)
    assert "OMEGA-SETUP-06" in faults(position, 3, start_player=1)["seats[1].pyramid"]


def test_a_batch_that_no_rule_allows_is_refused() -> None:
    target, seats = pb.Target(seat=1, place=0), [Player("3R 3B 3V"), Player("", {"Z1": "V", "Z2": ""}, mask="Z1")]
    fields = {"batch_target": target, "batch": counts("RRB"), "frames": [pb.FramePosition(kind=pb.FRAME_KIND_BATCH)]}
    assert "OMEGA-CAPTURE-06" in refused(OmegaScenario(), *seats, **fields)["batch_target"]
    seats[1].mask = "Z2"
    OmegaScenario().at(*seats, **fields)
    assert "OMEGA-SUMMON-03" in refused(OmegaScenario(), *seats, **{**fields, "batch": counts("RBV")})["batch"]
    final = {"announcer": 1, "ending": 4, "final_turns_left": 1}
    assert "OMEGA-CAPTURE-09" in refused(OmegaScenario(), *seats, **fields, **final)["batch_target"]


def test_more_pending_than_there_is_room_for_is_an_error() -> None:
    """No game reaches this position, so it is made by hand."""
    scenario = OmegaScenario().at(Player("B", {"Z0": ""}, steps=11))
    scenario.take(codes.PLACE, "B")
    values = scenario.state.dump()
    values["frames"] = [(FrameKind.DRAW, 1, codes.ANY_TYPE, 0)] * 24
    scenario.state.load(values)
    with pytest.raises(RuntimeError, match="the frame stack or the trace"):
        scenario.state.apply(codes.TAKE_BAG())
