"""Worked examples of RULES.md, section 12.3: all but War. With ``single`` every decision is asked."""

from __future__ import annotations

import pytest

from tests.omen.scenario import play_example


@pytest.mark.rule("OMEN-WEALTH-01", "OMEN-WEALTH-03", "OMEN-WEALTH-07", "OMEN-WEALTH-08")
@pytest.mark.parametrize("single", [False, True])
def test_ex_01_mixed_wealth_gives_no_bonus(single: bool) -> None:
    play_example("EX-01", single=single)


@pytest.mark.rule("OMEN-WEALTH-04", "OMEN-WEALTH-10")
@pytest.mark.parametrize("single", [False, True])
def test_ex_02_three_draws_give_four_cards(single: bool) -> None:
    play_example("EX-02", single=single)


@pytest.mark.rule("OMEN-WEALTH-02", "OMEN-WEALTH-05", "OMEN-WEALTH-06", "OMEN-TURN-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_03_first_turn_of_the_first_player_two_coins_plus_bonus_the_second_player(single: bool) -> None:
    play_example("EX-03", single=single)


@pytest.mark.rule("OMEN-DECK-01", "OMEN-DECK-02", "OMENX-CHANCE-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_04_deck_runs_out_in_the_middle_of_the_draws(single: bool) -> None:
    play_example("EX-04", single=single)


@pytest.mark.rule("OMEN-WEALTH-09", "OMENX-FX-09", "OMEN-WEALTH-11", "OMEN-COMP-09", "OMEN-WEALTH-12")
@pytest.mark.parametrize("single", [False, True])
def test_ex_05_no_coin_left_in_the_supply_coin_is_not_offered_and_gains_are_cut(single: bool) -> None:
    play_example("EX-05", single=single)


@pytest.mark.rule(
    "OMEN-EMIS-01", "OMEN-EMIS-02", "OMEN-EMIS-03", "OMEN-EMIS-04", "OMEN-EMIS-05", "OMEN-WEALTH-02", "OMEN-EMIS-06"
)
@pytest.mark.parametrize("single", [False, True])
def test_ex_06_emissaries_of_equal_value_higher_strength_starts(single: bool) -> None:
    play_example("EX-06", single=single)


@pytest.mark.rule("OMEN-DRAFT-01", "OMEN-DRAFT-04", "OMENX-SIMUL-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_07_draft_keep2of3_numbers(single: bool) -> None:
    play_example("EX-07", single=single)


@pytest.mark.rule("OMEN-DRAFT-06", "OMEN-DRAFT-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_08_draft_open20_numbers(single: bool) -> None:
    play_example("EX-08", single=single)


@pytest.mark.rule("OMEN-WHIM-02", "OMEN-WHIM-03", "OMEN-WHIM-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_09_whims_second_player_draws_two_and_passes_one(single: bool) -> None:
    play_example("EX-09", single=single)


@pytest.mark.rule("OMEN-SURGE-03", "OMEN-SURGE-04", "OMEN-SURGE-06", "OMEN-BEAST-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_10_city_limit_with_beasts(single: bool) -> None:
    play_example("EX-10", single=single)


@pytest.mark.rule("OMEN-SURGE-06")
@pytest.mark.parametrize("single", [False, True])
def test_ex_11_the_same_side_still_takes_one_soldier(single: bool) -> None:
    play_example("EX-11", single=single)


@pytest.mark.rule("OMEN-SOLD-01", "OMEN-SOLD-02", "OMEN-SOLD-03", "OMENX-FX-06", "OMEN-SOLD-05", "OMENX-FX-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_12_a_moved_soldier_enters_again_and_its_ability_waits_its_turn(single: bool) -> None:
    play_example("EX-12", single=single)


@pytest.mark.rule("OMEN-BEAST-01", "OMEN-BEAST-02", "OMEN-BEAST-03", "OMEN-REWARD-06", "OMENX-FX-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_13_a_beast_played_has_no_ability_discarded_it_has_one(single: bool) -> None:
    play_example("EX-13", single=single)


@pytest.mark.rule("OMEN-REWARD-02", "OMEN-REWARD-04", "OMEN-REWARD-05", "OMEN-REWARD-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_14_one_reward_per_turn(single: bool) -> None:
    play_example("EX-14", single=single)


@pytest.mark.rule("OMEN-REWARD-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_15_a_reward_earned_this_turn_cannot_be_used_yet(single: bool) -> None:
    play_example("EX-15", single=single)


@pytest.mark.rule("OMEN-PORT-01", "OMEN-PORT-02", "OMEN-PORT-05", "OMEN-DECK-04", "OMEN-DECK-05", "OMEN-PORT-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_16_portent_each_oracle_once_in_a_chosen_order_an_enraged_one_not(single: bool) -> None:
    play_example("EX-16", single=single)


@pytest.mark.rule("OMEN-PORT-02", "OMEN-SOLD-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_17_an_oracle_that_is_moved_is_not_used_twice_a_soldier_moved_in_portent_d(single: bool) -> None:
    play_example("EX-17", single=single)


@pytest.mark.rule("OMEN-SPIR-01", "OMEN-SPIR-03", "OMEN-SPIR-07", "OMEN-SPIR-08")
@pytest.mark.parametrize("single", [False, True])
def test_ex_18_spirit_entering_one_ability_and_invoked_both(single: bool) -> None:
    play_example("EX-18", single=single)


@pytest.mark.rule("OMEN-SPIR-01", "OMEN-SPIR-06")
@pytest.mark.parametrize("single", [False, True])
def test_ex_19_the_same_spirit_played(single: bool) -> None:
    play_example("EX-19", single=single)


@pytest.mark.rule("OMEN-FEAT-01", "OMEN-FEAT-02", "OMEN-FEAT-03", "OMEN-FEAT-07", "OMEN-FEAT-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_20_several_feats_in_one_step_automatic_a_feat_already_achieved_stays(single: bool) -> None:
    play_example("EX-20", single=single)


@pytest.mark.rule("OMEN-FEAT-04", "OMENX-FX-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_21_event_feat_three_forced_discards_in_one_turn_the_opponent_s_own_discar(single: bool) -> None:
    play_example("EX-21", single=single)


@pytest.mark.rule("OMEN-BEAST-04", "OMEN-FEAT-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_22_beasts_count_two_in_a_feat_about_units(single: bool) -> None:
    play_example("EX-22", single=single)


@pytest.mark.rule("OMEN-RELIC-02", "OMEN-RELIC-03", "OMEN-RELIC-04", "OMEN-RELIC-06", "OMEN-RELIC-08", "OMEN-RELIC-10")
@pytest.mark.parametrize("single", [False, True])
def test_ex_23_a_relic_displaces_the_opponent_s_relic(single: bool) -> None:
    play_example("EX-23", single=single)


@pytest.mark.rule("OMEN-CHAL-02", "OMEN-CHAL-03", "OMEN-CHAL-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_24_fourth_challenge_leaves_two_and_ends_the_game(single: bool) -> None:
    play_example("EX-24", single=single)


@pytest.mark.rule("OMEN-CHAL-02", "OMEN-CHAL-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_25_both_requirements_met_only_one_challenge_per_turn_none_is_allowed(single: bool) -> None:
    play_example("EX-25", single=single)


@pytest.mark.rule("OMEN-CHAL-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_26_long_game_two_depleted_cities_alone_are_not_enough(single: bool) -> None:
    play_example("EX-26", single=single)


@pytest.mark.rule("OMEN-CHAL-05", "OMEN-CHAL-06")
@pytest.mark.parametrize("single", [False, True])
def test_ex_27_long_game_two_of_three_conditions(single: bool) -> None:
    play_example("EX-27", single=single)


@pytest.mark.rule("OMEN-WHIM-05", "OMEN-FEAT-06", "OMENX-FX-04", "OMEN-WHIM-09", "OMENX-WIN-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_28_the_printed_sample_whim_used_in_the_feat_step_before_the_test_breaks_a(single: bool) -> None:
    play_example("EX-28", single=single)
