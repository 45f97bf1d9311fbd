"""Components and set-up: sections 1 and 2 of RULES.md."""

from __future__ import annotations

import pytest

from cext.state import CHANCE
from gamepacks.api.errors import InvalidOptions, InvalidPlayerCount
from gamepacks.ominoes import Ominoes, codes
from gamepacks.ominoes.codes import DICE, GODS, Reason
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import Scenario

DEFAULT_GODS = {
    2: [Face.RA, Face.APEP],
    3: [Face.RA, Face.KHEPRI, Face.APEP],
    4: [Face.RA, Face.KHEPRI, Face.APEP, Face.HORUS],
}


@pytest.mark.rule("OMI-COMP-01")
def test_there_are_26_dice_with_six_faces_each_equally_likely() -> None:
    table = Scenario(start_player=0)
    assert table.view().supply == DICE == 26
    table.at(ra="a1")
    outcomes = table.state.chance()
    assert [codes.ROLL.unpack(code)[0] for code, _ in outcomes] == list(Face)
    assert {weight for _, weight in outcomes} == {1}
    assert len(Face) == 6


@pytest.mark.rule("OMI-COMP-02")
@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_the_board_is_square_with_the_pit_in_its_middle(size: int) -> None:
    table = Scenario(board_size=size)
    view = table.view()
    assert view.board_size == size
    assert len(view.board) == size * size
    middle = {size // 2 - 1, size // 2}
    assert {(cell.row, cell.column) for cell in view.pit} == {(row, column) for row in middle for column in middle}


@pytest.mark.rule("OMI-COMP-02")
def test_the_board_is_8_by_8_by_default_and_even_from_6_to_12() -> None:
    assert Scenario().size == 8
    for size in (4, 7, 9, 14):
        with pytest.raises(InvalidOptions) as caught:
            Ominoes.configure(2, {"board_size": size})
        (fault,) = caught.value.faults
        assert fault.field == "board_size"
        assert "from 6 to 12" in fault.message


@pytest.mark.rule("OMI-COMP-03")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_has_its_favoured_god(players: int) -> None:
    view = Scenario(players).view()
    assert [player.god for player in view.players] == DEFAULT_GODS[players]


@pytest.mark.rule("OMI-COMP-03")
def test_the_option_gods_assigns_them_otherwise() -> None:
    table = Scenario(3, gods=["horus", "ra", "khepri"], start_player=1)
    assert [player.god for player in table.view().players] == [Face.HORUS, Face.RA, Face.KHEPRI]
    table.place("a1")
    assert table.dice() == {"a1": Face.RA}
    assert table.state.rules.collects(0) == [Face.HORUS, Face.APEP]


@pytest.mark.rule("OMI-COMP-03")
def test_gods_that_do_not_fit_the_players_are_refused() -> None:
    for gods, problem in [
        (["ra"], "1 gods for 2 players"),
        (["ra", "apep", "horus"], "3 gods for 2 players"),
        (["ra", "ra"], "is repeated"),
    ]:
        with pytest.raises(InvalidOptions) as caught:
            Ominoes.configure(2, {"gods": gods})
        assert [fault.field for fault in caught.value.faults] == ["gods"]
        assert problem in caught.value.faults[0].message
    with pytest.raises(InvalidOptions) as caught:
        Ominoes.configure(2, {"gods": ["ra", "seth"]})
    assert caught.value.faults[0].field == "gods[1]"


@pytest.mark.rule("OMI-COMP-04")
@pytest.mark.parametrize(("players", "target"), [(2, 21), (3, 13), (4, 13)])
def test_the_target_depends_on_the_players(players: int, target: int) -> None:
    table = Scenario(players)
    assert table.view().target == target
    options = table.game.options_message()
    assert isinstance(options, pb.Options)
    assert options.target == target


@pytest.mark.rule("OMI-COMP-04")
def test_the_option_target_sets_another() -> None:
    table = Scenario(2, target=8).at(ra="a1 b1 c1 d1", scores=[4, 0])
    table.roll(Face.KHEPRI)
    table.score(Face.RA, "a1")
    assert table.phase is Phase.OVER


@pytest.mark.parametrize("players", [0, 1, 5])
def test_it_is_played_by_two_to_four(players: int) -> None:
    with pytest.raises(InvalidPlayerCount):
        Ominoes.configure(players)


@pytest.mark.rule("OMI-SETUP-00")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_chance_decides_who_begins(players: int) -> None:
    for seat in range(players):
        table = Scenario(players)
        assert table.phase is Phase.START_PLAYER
        assert table.state.actor() == CHANCE
        assert table.state.chance() == [(codes.START_PLAYER(other), 1) for other in range(players)]
        table.start(seat)
        assert table.kinds() == ["start_player_chosen"]
        assert table.event("start_player_chosen").seat == seat
        assert table.state.actor() == seat


@pytest.mark.rule("OMI-SETUP-00")
def test_the_option_start_player_names_the_seat() -> None:
    table = Scenario(3, start_player=2)
    assert table.phase is Phase.SET_UP
    assert table.state.actor() == 2
    with pytest.raises(InvalidOptions) as caught:
        Ominoes.configure(3, {"start_player": 3})
    assert caught.value.faults[0].field == "start_player"
    assert "0 to 2" in caught.value.faults[0].message


@pytest.mark.rule("OMI-SETUP-00", "OMI-SETUP-01", "OMI-SETUP-02")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_turn_each_player_places_two_dice_of_the_own_god(players: int) -> None:
    table = Scenario(players, start_player=1)
    order = [(1 + number) % players for number in range(2 * players)]
    gods = DEFAULT_GODS[players]
    for number, seat in enumerate(order):
        assert table.phase is Phase.SET_UP
        assert table.state.actor() == seat
        space = table.name(number)
        assert len(table.state.legal()) == 64 - number
        table.place(space)
        placed = table.event("placed")
        assert (placed.seat, placed.face) == (seat, gods[seat])
        assert table.dice()[space] == gods[seat]
    # The start player begins the game too.
    assert table.kinds() == ["placed", "turn_started"]
    assert (table.event("turn_started").seat, table.event("turn_started").number) == (1, 1)
    assert table.phase is Phase.ROLL
    assert table.state.active == 1
    # Shared gods are not there.
    assert set(table.dice().values()) == set(gods)


@pytest.mark.rule("OMI-SETUP-01")
def test_a_set_up_die_goes_to_an_empty_space() -> None:
    table = Scenario(start_player=0)
    table.place("d4")
    assert table.refused(codes.PLACE(table.cell("d4"))) == Reason.CELL_OCCUPIED
    assert table.refused(codes.PLACE(64)) == Reason.OUT_OF_BOARD


@pytest.mark.rule("OMI-SETUP-03")
def test_in_the_expert_version_the_pit_is_closed_in_the_set_up_too() -> None:
    table = Scenario(start_player=0, expert=True)
    pit = {"d4", "e4", "d5", "e5"}
    spaces = {table.name(codes.PLACE.unpack(code)[0]) for code in table.state.legal()}
    assert len(spaces) == 60
    assert not spaces & pit
    for space in sorted(pit):
        assert table.refused(codes.PLACE(table.cell(space))) == Reason.PIT_CLOSED


def set_up_own_dice(table: Scenario) -> None:
    for number in range(2 * table.game.players):
        table.place(table.name(2 * number))


@pytest.mark.rule("OMI-SETUP-04")
def test_the_extra_die_is_rolled_and_placed_in_turn() -> None:
    table = Scenario(3, start_player=2, extra_setup_die=True)
    set_up_own_dice(table)
    for number, (seat, face) in enumerate([(2, Face.OMINOTEP), (0, Face.HORUS), (1, Face.KHEPRI)]):
        assert table.phase is Phase.SET_UP_ROLL
        assert table.state.actor() == CHANCE
        assert len(table.state.chance()) == 6
        table.roll(face)
        assert table.kinds() == ["rolled"]
        assert not table.event("rolled").last_die
        assert table.phase is Phase.SET_UP_EXTRA
        assert table.state.actor() == seat
        table.place(f"{'abc'[number]}8")
        placed = table.event("placed")
        assert (placed.seat, placed.face) == (seat, face)
    assert table.phase is Phase.ROLL
    assert table.state.active == 2
    assert {table.dice()[space] for space in ("a8", "b8", "c8")} == {Face.OMINOTEP, Face.HORUS, Face.KHEPRI}


@pytest.mark.rule("OMI-SETUP-04", "OMI-SCORE-03")
def test_a_group_of_the_set_up_waits_for_the_first_turn() -> None:
    table = Scenario(2, start_player=0, extra_setup_die=True)
    for space in ("a1", "h1", "b1", "h8"):
        table.place(space)
    for face, space in ((Face.YAY_RA, "c1"), (Face.OMINOTEP, "d1")):
        table.roll(face)
        table.place(space)
    assert table.phase is Phase.ROLL
    assert table.state.scores == (0, 0)
    table.roll(Face.KHEPRI)
    assert table.groups() == [(Face.RA, {"a1", "b1", "c1", "d1"})]


@pytest.mark.rule("OMI-SETUP-04")
def test_without_the_option_there_is_no_extra_die() -> None:
    table = Scenario(3, start_player=2)
    set_up_own_dice(table)
    assert table.phase is Phase.ROLL
    assert table.state.on_board == 6


def test_all_gods_are_known() -> None:
    assert [pb.God.Name(god) for god in GODS] == ["GOD_HORUS", "GOD_RA", "GOD_APEP", "GOD_KHEPRI"]
