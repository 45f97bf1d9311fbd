"""Scoring, the end of the game, and the gods that players collect: sections 4 to 6 of RULES.md."""

from __future__ import annotations

import pytest

from cext.state import TERMINAL
from gamepacks.api.types import Code
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import Reason
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase
from tests.ominoes.scenario import Scenario


@pytest.mark.rule("OMI-SCORE-01")
@pytest.mark.parametrize(
    ("spaces", "points"),
    [("a1 b1 c1", 0), ("a1 b1 c1 d1", 4), ("a1 b1 a2 b2", 4), ("a1 b1 c2 d2", 0), ("d2 c2 e2 d1 d3", 5)],
)
def test_a_group_has_four_dice_that_touch_by_their_edges(spaces: str, points: int) -> None:
    table = Scenario(players=4).at(ra=spaces)
    table.roll(Face.KHEPRI)
    found = [len(cells) for _, cells in table.state.groups()]
    assert found == ([points] if points else [])
    assert table.phase is (Phase.SCORE_AFTER_MOVE if points else Phase.ADD)


@pytest.mark.rule("OMI-SCORE-01")
def test_a_board_has_no_wrap_around() -> None:
    table = Scenario(players=4).at(ra="g1 h1 a2 b2")
    table.roll(Face.KHEPRI)
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-SCORE-02")
@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("all_wild_groups", [True, False])
def test_wilds_alone_are_a_group_by_option(all_wild_groups: bool, size: int) -> None:
    table = Scenario(players=2, all_wild_groups=all_wild_groups, board_size=size).at(yay_ra="a1 b1", ominotep="c1 d1")
    table.roll(Face.KHEPRI)
    if all_wild_groups:
        # One set of dice, although it fits all three gods: offered under the own one.
        assert table.groups() == [(Face.RA, {"a1", "b1", "c1", "d1"})]
    else:
        assert table.phase is Phase.ADD
        assert table.state.groups() == []


@pytest.mark.rule("OMI-SCORE-02")
@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("all_wild_groups", [True, False])
def test_one_die_of_the_god_makes_wilds_a_group_always(all_wild_groups: bool, size: int) -> None:
    table = Scenario(players=4, all_wild_groups=all_wild_groups, board_size=size).at(
        yay_ra="a1 b1", ominotep="c1", ra="d1"
    )
    table.roll(Face.KHEPRI)
    assert table.groups() == [(Face.RA, {"a1", "b1", "c1", "d1"})]


@pytest.mark.rule("OMI-SCORE-02", "OMI-SCORE-05")
@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize(("all_wild_groups", "sets"), [(True, 2), (False, 1)])
def test_wilds_beside_one_god_are_another_set_for_the_others(all_wild_groups: bool, sets: int, size: int) -> None:
    # For Ra five dice; for Khepri and Horus, who share the set, the four wilds.
    table = Scenario(players=2, all_wild_groups=all_wild_groups, board_size=size)
    table.at(ra="a1", yay_ra="b1 c1", ominotep="d1 e1")
    table.roll(Face.APEP)
    wilds = {"b1", "c1", "d1", "e1"}
    assert table.groups() == [(Face.RA, {"a1", *wilds}), (Face.HORUS, wilds)][:sets]


@pytest.mark.rule("OMI-SCORE-03", "OMI-SCORE-05")
def test_groups_are_scored_after_the_move_and_again_after_the_add() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 e3", yay_ra="a8 b8 c8")
    table.roll(Face.RA)
    table.move("e3", "d1")
    assert table.phase is Phase.SCORE_AFTER_MOVE
    # It is compulsory: adding must wait.
    assert table.refused(codes.ADD(9)) == Reason.WRONG_PHASE
    table.score(Face.RA, "a1")
    assert table.phase is Phase.ADD
    table.add("d8")
    assert table.kinds() == ["added"]
    assert table.phase is Phase.SCORE_AFTER_ADD
    assert table.state.actor() == 0
    assert table.view().rolled == 0
    table.score(Face.RA, "d8")
    assert table.kinds() == ["scored", "turn_started"]
    assert table.state.scores == (8, 0, 0, 0)


@pytest.mark.rule("OMI-SCORE-03", "OMI-MOVE-07")
def test_groups_are_scored_after_a_reroll() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1", horus="d1")
    table.roll(Face.OMINOTEP)
    table.reroll("d1")
    table.roll(Face.RA)
    assert table.kinds() == ["rerolled"]
    assert table.phase is Phase.SCORE_AFTER_MOVE
    table.score(Face.RA, "d1")
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-SCORE-03")
def test_nothing_is_scored_in_another_players_turn() -> None:
    # Seat 0 (Ra) makes a group for seat 1 (Khepri); it waits for seat 1's turn.
    table = Scenario(players=4).at(khepri="a1 b1 c1 e3")
    table.roll(Face.KHEPRI)
    table.move("e3", "d1")
    assert table.phase is Phase.ADD
    table.add("h8")
    assert table.state.active == 1
    assert table.phase is Phase.ROLL
    table.roll(Face.HORUS)
    assert table.groups() == [(Face.KHEPRI, {"a1", "b1", "c1", "d1"})]


@pytest.mark.rule("OMI-SCORE-04")
def test_the_whole_connected_set_is_scored_and_leaves() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 d1 d2 f1", yay_ra="e1", khepri="a2")
    table.roll(Face.HORUS)
    table.score(Face.RA, "d2")
    scored = table.event("scored")
    assert (scored.seat, scored.god, scored.points, scored.score) == (0, Face.RA, 7, 7)
    assert len(scored.cells) == 7
    assert table.dice() == {"a2": Face.KHEPRI}
    assert table.view().supply == 24  # and one in hand


@pytest.mark.rule("OMI-SCORE-05")
def test_the_player_chooses_among_groups_that_share_wilds_and_the_rest_is_looked_at_anew() -> None:
    # Two players: Ra and Horus both need the wilds in the middle.
    dice = {"ra": "a1 b1 c1", "yay_ra": "d1", "horus": "e1 f1 g1"}
    for god, rest in ((Face.RA, {"e1", "f1", "g1"}), (Face.HORUS, {"a1", "b1", "c1"})):
        table = Scenario(players=2).at(**dice)
        table.roll(Face.KHEPRI)
        assert table.groups() == [(Face.RA, {"a1", "b1", "c1", "d1"}), (Face.HORUS, {"d1", "e1", "f1", "g1"})]
        table.score(god, "d1")
        assert set(table.dice()) == rest
        assert table.phase is Phase.ADD
        assert table.state.scores == (4, 0)


@pytest.mark.rule("OMI-SCORE-05")
def test_groups_that_share_nothing_are_all_scored() -> None:
    table = Scenario(players=2).at(ra="a1 b1 c1 d1 a8 b8 c8 d8 e8", horus="a3 b3 c3 d3")
    table.roll(Face.KHEPRI)
    assert [len(cells) for _, cells in table.groups()] == [4, 5, 4]
    table.score(Face.RA, "a8")
    assert table.phase is Phase.SCORE_AFTER_MOVE
    table.score(Face.HORUS, "a3")
    assert table.phase is Phase.SCORE_AFTER_MOVE
    table.score(Face.RA, "a1")
    assert table.state.scores == (13, 0)
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-SCORE-05")
@pytest.mark.parametrize("optional_scoring", [True, False])
def test_the_option_optional_scoring_adds_do_not_score(optional_scoring: bool) -> None:
    table = Scenario(players=4, optional_scoring=optional_scoring).at(ra="a1 b1 c1 d1")
    table.roll(Face.KHEPRI)
    assert ("Do not score" in table.legal()) is optional_scoring
    if not optional_scoring:
        assert table.refused(codes.DECLINE()) == Reason.SCORING_COMPULSORY
        return
    assert table.refused(Code(codes.DECLINE() | 1)) == Reason.UNKNOWN_CODE
    table.decline()
    assert table.kinds() == ["score_declined"]
    assert table.phase is Phase.ADD
    table.add("e1" if "e1" not in table.dice() else "h8")
    assert table.phase is Phase.SCORE_AFTER_ADD
    table.decline()
    assert table.kinds() == ["score_declined", "turn_started"]
    assert table.state.scores == (0, 0, 0, 0)
    assert table.state.on_board == 5


@pytest.mark.rule("OMI-SCORE-06", "OMI-P4-01")
def test_groups_of_other_players_gods_are_not_scored_and_stay() -> None:
    table = Scenario(players=4).at(khepri="a1 b1 c1 d1", apep="a3 b3 c3 d3", horus="a5 b5 c5 d5")
    table.roll(Face.RA)
    assert table.phase is Phase.ADD
    table.add("h8")
    assert table.state.on_board == 13
    assert table.state.scores == (0, 0, 0, 0)
    table.roll(Face.RA)
    table.move("h8", "h5")
    assert table.groups() == [(Face.KHEPRI, {"a1", "b1", "c1", "d1"})]
    assert table.refused(codes.SCORE(Face.APEP, table.cell("a3"))) == Reason.NOT_YOUR_GOD


@pytest.mark.rule("OMI-SCORE-07")
def test_any_own_group_counts_whoever_completed_it_and_whichever_die_moved() -> None:
    # A move of Khepri far away from Ra's group, which others have left there.
    table = Scenario(players=4).at(ra="a1 b1 c1 d1", khepri="h8")
    table.roll(Face.KHEPRI)
    table.move("h8", "h5")
    assert table.groups() == [(Face.RA, {"a1", "b1", "c1", "d1"})]


@pytest.mark.rule("OMI-SCORE-03", "OMI-SCORE-07")
def test_a_group_counts_where_the_move_was_skipped() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 d1")
    table.roll(Face.KHEPRI)
    assert table.kinds() == ["rolled", "move_skipped"]
    assert table.phase is Phase.SCORE_AFTER_MOVE


@pytest.mark.rule("OMI-SCORE-08")
def test_two_gods_never_mix_not_even_through_wilds() -> None:
    table = Scenario(players=2).at(ra="a1 b1", yay_ra="c1", horus="d1 e1")
    table.roll(Face.KHEPRI)
    assert table.phase is Phase.ADD
    table.at(ra="a1 b1", yay_ra="c1", ominotep="c2", horus="d1 e1")
    table.roll(Face.KHEPRI)
    assert table.groups() == [(Face.RA, {"a1", "b1", "c1", "c2"}), (Face.HORUS, {"c1", "c2", "d1", "e1"})]


@pytest.mark.rule("OMI-P3-01")
def test_three_players_collect_the_own_god_and_the_shared_one() -> None:
    table = Scenario(players=3)
    assert [list(player.collects) for player in table.view().players] == [
        [Face.RA, Face.HORUS],
        [Face.KHEPRI, Face.HORUS],
        [Face.APEP, Face.HORUS],
    ]
    for start in range(3):
        table.at(start=start, horus="a1 b1 c1 d1")
        table.roll(Face.RA)
        table.score(Face.HORUS, "a1")
        assert table.state.scores[start] == 4
    table.at(start=1, ra="a1 b1 c1 d1")
    table.roll(Face.APEP)
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-P2-01")
def test_two_players_collect_the_own_god_and_both_shared_ones_up_to_21() -> None:
    table = Scenario(players=2)
    view = table.view()
    assert [list(player.collects) for player in view.players] == [
        [Face.RA, Face.HORUS, Face.KHEPRI],
        [Face.APEP, Face.HORUS, Face.KHEPRI],
    ]
    assert view.target == 21
    for start, god in ((0, Face.HORUS), (1, Face.HORUS), (0, Face.KHEPRI), (1, Face.KHEPRI)):
        table.at(start=start, **{god.name.lower(): "a1 b1 c1 d1"})
        table.roll(Face.RA)
        assert table.groups() == [(god, {"a1", "b1", "c1", "d1"})]


@pytest.mark.rule("OMI-P4-01")
def test_four_players_collect_the_own_god_only() -> None:
    assert [list(player.collects) for player in Scenario(players=4).view().players] == [
        [Face.RA],
        [Face.KHEPRI],
        [Face.APEP],
        [Face.HORUS],
    ]


@pytest.mark.rule("OMI-END-01")
def test_the_first_to_reach_the_target_wins_at_once_even_with_groups_left() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 d1 a3 b3 c3 d3", scores=[9, 12, 12, 12])
    table.roll(Face.KHEPRI)
    table.score(Face.RA, "a1")
    assert table.kinds() == ["scored", "ended"]
    ended = table.event("ended")
    assert ended.reason == pb.END_REASON_TARGET
    assert list(ended.winners) == [0]
    assert list(ended.scores) == [13, 12, 12, 12]
    assert table.state.actor() == TERMINAL
    assert table.state.legal() == []
    assert table.state.chance() == []
    assert table.state.returns() == pytest.approx((1.0, -1 / 3, -1 / 3, -1 / 3))
    assert list(table.view().winners) == [0]
    assert not table.view().HasField("active_seat")
    assert table.state.on_board == 4


@pytest.mark.rule("OMI-END-01")
def test_one_point_short_of_the_target_is_no_win() -> None:
    table = Scenario(players=4).at(ra="a1 b1 c1 d1", scores=[8, 0, 0, 0])
    table.roll(Face.KHEPRI)
    table.score(Face.RA, "a1")
    assert table.state.scores[0] == 12
    assert table.phase is Phase.ADD


@pytest.mark.rule("OMI-END-02")
def test_after_max_turns_the_most_points_win() -> None:
    table = Scenario(players=3, max_turns=5).at(turns=4, ra="a1", scores=[4, 5, 0])
    table.roll(Face.KHEPRI)
    table.add("h8")
    assert table.kinds() == ["added", "ended"]
    ended = table.event("ended")
    assert ended.reason == pb.END_REASON_MAX_TURNS
    assert list(ended.winners) == [1]
    assert table.state.returns() == (-0.5, 1.0, -0.5)
    assert table.state.turns == 5


@pytest.mark.rule("OMI-END-02")
@pytest.mark.parametrize(
    ("scores", "winners", "returns"),
    [
        ([5, 5, 4], [0, 1], (0.25, 0.25, -0.5)),
        ([0, 0, 0], [0, 1, 2], (0.0, 0.0, 0.0)),
    ],
)
def test_equal_points_share(scores: list[int], winners: list[int], returns: tuple[float, ...]) -> None:
    table = Scenario(players=3, max_turns=5).at(turns=4, ra="a1", scores=scores)
    table.roll(Face.KHEPRI)
    table.add("h8")
    assert table.state.winners() == winners
    assert table.state.returns() == pytest.approx(returns)


@pytest.mark.rule("OMI-END-02")
def test_the_last_turn_is_played_to_its_end_and_the_default_is_a_thousand() -> None:
    table = Scenario(players=2, max_turns=1).at(ra="a1 b1 c1", yay_ra="h8")
    table.roll(Face.RA)
    table.take(codes.MOVE(*table.moves()[0]))
    assert table.phase is Phase.ADD
    assert Scenario().view().max_turns == 1000
    table = Scenario().at(turns=998, ra="a1")
    for expected in (Phase.ROLL, Phase.OVER):
        table.roll(Face.KHEPRI)
        if table.phase is Phase.MOVE:
            table.take(codes.MOVE(*table.moves()[0]))
        table.add("h8" if "h8" not in table.dice() else "e5")
        assert table.phase is expected


def test_returns_before_the_end_are_what_they_would_be_if_it_ended_now() -> None:
    table = Scenario(players=2).at(ra="a1", scores=[4, 0])
    assert table.state.returns() == (1.0, -1.0)
    assert Scenario(players=4).state.returns() == (0.0, 0.0, 0.0, 0.0)
