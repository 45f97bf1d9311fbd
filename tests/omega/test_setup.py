"""Components and set-up: sections 1 and 2 of RULES.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cext.random import Rng
from cext.state import CHANCE
from gamepacks.api.cards import CardFileError
from gamepacks.api.errors import InvalidOptions, InvalidPlayerCount
from gamepacks.omega import Omega, codes
from gamepacks.omega.cards import SOURCE
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F
from tests.omega.scenario import TOTALS, OmegaScenario, Player, letters

HANDS = {2: [4, 5], 3: [4, 5, 6], 4: [4, 5, 5, 6]}


@pytest.mark.rule("OMEGA-COMP-01")
def test_there_are_155_runes_of_six_types() -> None:
    scenario = OmegaScenario()
    assert scenario.values["bag"] == [25, 25, 37, 28, 22, 18]
    assert sum(scenario.values["bag"]) == 155
    assert codes.TYPE_NAMES == ("blue", "gold", "red", "green", "white", "black")


@pytest.mark.rule("OMEGA-COMP-02")
def test_there_are_42_cards_each_once() -> None:
    scenario = OmegaScenario(start_player=0)
    assert scenario.values["deck"] == list(range(42))
    while scenario.phase is not Phase.SETUP_GALLERY:
        scenario.take_code(scenario.state.chance()[0][0])
    assert len(scenario.outcomes()) == 42
    assert set(scenario.outcomes().values()) == {1}
    scenario.take(codes.GALLERY_CARD, "Z7")
    # Unique: it does not come again.
    assert "Z7" not in scenario.outcomes()
    assert scenario.refused(codes.GALLERY_CARD, "Z7") == "NOT_AN_OUTCOME"


@pytest.mark.rule("OMEGA-COMP-03")
def test_there_are_42_tokens_in_six_stacks_of_seven() -> None:
    scenario = OmegaScenario(start_player=0)
    assert scenario.values["hidden"] == [7] * 6
    assert sum(scenario.values["pool"]) == 42


@pytest.mark.rule("OMEGA-COMP-04")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pawn_a_pyramid_and_a_mask_for_each_seat_in_use(players: int) -> None:
    view = OmegaScenario(players).begun().view()
    assert len(view.players) == players
    assert all(player.mask_in_reserve and player.square == 1 for player in view.players)


@pytest.mark.rule("OMEGA-COMP-04")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_seats(players: int) -> None:
    with pytest.raises(InvalidPlayerCount):
        Omega.configure(players)


@pytest.mark.rule("OMEGA-COMP-05")
def test_a_prestige_point_for_an_eighteenth_token_is_counted() -> None:
    scenario = OmegaScenario().at(
        Player("RRR", {"Z0": "R"}, prestige=17), Player("", {"Z1": "B", "Z2": "G"}, mask="Z1")
    )
    scenario.capture(1, "Z2", "RR")
    assert scenario.player(0)["prestige"] == 18


@pytest.mark.rule("OMEGA-COMP-06")
def test_squares_and_eye_are_data_and_the_disc_is_circular() -> None:
    scenario = OmegaScenario(set_={"squares": 7, "eye": 3}).at(
        Player(steps=6, tokens=["five"]), Player(steps=7, tokens=["five"])
    )
    view = scenario.view()
    assert (view.squares, view.eye_offset) == (7, 3)
    # After square 7 comes square 1 again.
    assert [player.square for player in view.players] == [7, 1]


@pytest.mark.rule("OMEGA-COMP-06")
@pytest.mark.parametrize("field", ["squares", "eye_offset"])
def test_squares_and_eye_are_required_in_a_card_file(field: str, tmp_path: Path) -> None:
    raw = SOURCE.own_files[0].read_text(encoding="utf-8")
    lines = [line for line in raw.splitlines() if not line.startswith(f"  {field}:")]
    path = tmp_path / "set.yaml"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(CardFileError) as caught:
        SOURCE.read(path)
    assert [fault.field for fault in caught.value.faults] == [f"disc.{field}"]


@pytest.mark.rule("OMEGA-COMP-07")
def test_six_stacks_and_an_altar_for_six() -> None:
    scenario = OmegaScenario(start_player=0).begun()
    assert len(scenario.view().arcana) == 6
    scenario.chance()
    assert len(scenario.altar) == 6


@pytest.mark.rule("OMEGA-SETUP-01")
def test_six_runes_of_the_bag_form_the_altar_by_its_content() -> None:
    scenario = OmegaScenario(start_player=0)
    assert scenario.phase is Phase.SETUP_ALTAR
    # Blacks may be among them.
    assert scenario.outcomes() == dict(zip("BGRVWK", TOTALS, strict=True))
    for number in range(6):
        assert sum(scenario.outcomes().values()) == 155 - number
        scenario.take(codes.ALTAR_RUNE, "K")
    assert scenario.altar == "KKKKKK"
    assert scenario.phase is Phase.SETUP_GALLERY
    assert scenario.bag("K") == 12


@pytest.mark.rule("OMEGA-SETUP-02")
def test_four_cards_lie_face_up_and_38_are_the_deck() -> None:
    scenario = OmegaScenario().begun()
    assert None not in scenario.gallery
    assert len(set(scenario.gallery)) == 4
    assert len(scenario.pile("deck")) == 38
    assert scenario.pile("discard") == set()
    assert [slot.card.name for slot in scenario.view().gallery] == scenario.gallery


@pytest.mark.rule("OMEGA-SETUP-03")
def test_the_top_token_of_each_stack_is_turned_up() -> None:
    scenario = OmegaScenario()
    while scenario.phase is not Phase.SETUP_ARCANA:
        scenario.take_code(scenario.state.chance()[0][0])
    for number in range(6):
        # Uniform over all that is hidden: weights by copies.
        assert scenario.outcomes() == {"five": 30 - number, "seven": 12}
        scenario.take(codes.FLIP, "five")
    assert scenario.values["hidden"] == [6] * 6
    assert [stack.top.name for stack in scenario.view().arcana] == ["five"] * 6
    assert sum(scenario.values["pool"]) == 36


@pytest.mark.rule("OMEGA-SETUP-04")
def test_masks_begin_in_the_reserve_and_pawns_on_square_i() -> None:
    scenario = OmegaScenario(4).begun()
    for seat in range(4):
        assert scenario.masked(seat) is None
        assert scenario.steps(seat) == 0
    assert [player.square for player in scenario.view().players] == [1] * 4


@pytest.mark.rule("OMEGA-SETUP-05")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_chance_draws_the_first_player_and_play_goes_by_rising_seats(players: int) -> None:
    scenario = OmegaScenario(players)
    while scenario.phase is not Phase.START_PLAYER:
        scenario.take_code(scenario.state.chance()[0][0])
    assert scenario.outcomes() == {str(seat): 1 for seat in range(players)}
    scenario.take(codes.START_PLAYER, players - 1)
    scenario.begun()
    order = []
    for _ in range(players + 1):
        scenario.chance()
        order.append(scenario.active)
        scenario.finish_turn()
    assert order == [players - 1, *range(players)]


@pytest.mark.rule("OMEGA-SETUP-05")
def test_the_start_player_can_be_fixed() -> None:
    scenario = OmegaScenario(3, start_player=2)
    phases = []
    while scenario.state.turn == 0:
        phases.append(scenario.phase)
        scenario.take_code(scenario.state.chance()[0][0])
    assert Phase.START_PLAYER not in phases
    assert scenario.active == 2
    with pytest.raises(InvalidOptions):
        OmegaScenario(2, start_player=2)


@pytest.mark.rule("OMEGA-SETUP-06")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("start", [0, 1])
def test_runes_are_dealt_by_order_of_play(players: int, start: int) -> None:
    scenario = OmegaScenario(players, start_player=start).begun()
    order = [(start + place) % players for place in range(players)]
    assert [len(scenario.hand(seat)) for seat in order] == HANDS[players]


@pytest.mark.rule("OMEGA-SETUP-06")
def test_the_hands_are_dealt_one_after_the_other() -> None:
    scenario = OmegaScenario(3, start_player=2)
    while scenario.phase is not Phase.DEAL:
        scenario.take_code(scenario.state.chance()[0][0])
    for seat, size in zip([2, 0, 1], [4, 5, 6], strict=True):
        for number in range(size):
            assert len(scenario.hand(seat)) == number
            scenario.take(codes.DEAL, "W")
    assert scenario.state.turn == 1


@pytest.mark.rule("OMEGA-SETUP-07")
def test_only_the_owner_sees_the_types() -> None:
    scenario = OmegaScenario(3, start_player=0)
    while scenario.phase is not Phase.DEAL:
        scenario.take_code(scenario.state.chance()[0][0])
    scenario.events.clear()
    scenario.take(codes.DEAL, "W")
    # Everybody learns that a rune came, nobody else which.
    assert scenario.event("rune_drawn").seat == 0
    assert scenario.event("rune_drawn").rune == 0
    scenario.begun()
    for viewer in (-1, 0, 1, 2):
        players = scenario.view(viewer).players
        assert [player.pyramid_size for player in players] == [4, 5, 6]
        for seat in range(3):
            seen = letters(players[seat].pyramid) if players[seat].pyramid else ""
            assert seen == (scenario.hand(seat) if viewer == seat else "")


@pytest.mark.rule("OMEGA-SETUP-08")
def test_seats_begin_without_prestige_tokens_and_cards() -> None:
    scenario = OmegaScenario(4).begun()
    for seat in range(4):
        player = scenario.player(seat)
        assert (player["egregors"], player["tokens"], player["prestige"], player["lost_egregor"]) == ([], [], 0, False)


@pytest.mark.parametrize(("players", "bag"), [(2, 140), (3, 134), (4, 129)])
def test_the_bag_after_the_set_up(players: int, bag: int) -> None:
    assert OmegaScenario(players).begun().bag_size == bag


def test_the_order_of_the_set_up_is_fixed() -> None:
    scenario, phases = OmegaScenario(2), []
    while scenario.state.turn == 0:
        assert scenario.state.actor() == CHANCE
        assert scenario.state.legal() == []
        phases.append(scenario.phase)
        scenario.take_code(scenario.state.chance()[0][0])
    assert Counter(phases) == {
        Phase.SETUP_ALTAR: 6,
        Phase.SETUP_GALLERY: 4,
        Phase.SETUP_ARCANA: 6,
        Phase.START_PLAYER: 1,
        Phase.DEAL: 9,
    }
    assert phases == sorted(phases)


def test_chance_outcomes_are_as_likely_as_they_are_many() -> None:
    """The mean first altar is close to the proportions of the bag."""
    rng = Rng(5)
    seen: Counter[int] = Counter()
    for _ in range(400):
        state = Omega.configure(2).initial_state()
        for _ in range(6):
            code = rng.weighted(state.chance())
            seen[codes.ALTAR_RUNE.unpack(code)[0]] += 1
            state.apply(code)
    for type_, total in enumerate(TOTALS):
        assert abs(seen[type_] - 2400 * total / 155) < 90


def test_fixture_sets_have_the_properties_that_tests_rely_on() -> None:
    scenario = OmegaScenario(cards={"Anna": F(2, 3, renegade=True)})
    card = scenario.game.cards.egregors[0]
    assert (card.name, card.snake, card.thrust, card.renegade, card.primitive) == ("Anna", 2, 3, True, False)
