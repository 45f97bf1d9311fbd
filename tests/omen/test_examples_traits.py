"""Worked examples of RULES.md, section 12.4 (2023 edition). With ``single`` every decision is asked."""

from __future__ import annotations

import pytest

from tests.omen.scenario import play_example


@pytest.mark.rule("OMENT-SPOILS-01", "OMENT-SPOILS-03", "OMENT-WEALTH-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t01_spoils_gives_one_action_however_many_there_are_four_draws_give_five_ca(single: bool) -> None:
    play_example("EX-T01", single=single)


@pytest.mark.rule("OMENT-BOLSTER-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t02_bolster_again_when_moved_in_one_s_own_surge(single: bool) -> None:
    play_example("EX-T02", single=single)


@pytest.mark.rule("OMENT-BOLSTER-02", "OMENT-GLEAN-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t03_no_bolster_in_portent(single: bool) -> None:
    play_example("EX-T03", single=single)


@pytest.mark.rule("OMENT-JILT-01", "OMENT-JILT-02", "OMENT-WRATH-01", "OMENT-WRATH-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t04_jilt_pays_happens_then_discards_wrath_follows(single: bool) -> None:
    play_example("EX-T04", single=single)


@pytest.mark.rule("OMENT-FATE-01", "OMENT-FATE-02", "OMENT-FREE-01", "OMENT-FREE-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t05_fate_cannot_take_itself_and_the_same_card_is_not_reused_that_turn(single: bool) -> None:
    play_example("EX-T05", single=single)


@pytest.mark.rule("OMENT-RECRUIT-01", "OMENT-RECRUIT-02", "OMENT-FREE-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t06_recruit_draws_two_and_puts_one_on_top(single: bool) -> None:
    play_example("EX-T06", single=single)


@pytest.mark.rule("OMENT-PILFER-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t07_pilfer_against_no_coins_is_legal_and_does_nothing(single: bool) -> None:
    play_example("EX-T07", single=single)


@pytest.mark.rule(
    "OMENT-MYRIAD-01", "OMENT-MYRIAD-02", "OMENT-WAR-01", "OMENT-WAR-02", "OMENT-WAR-06", "OMENT-WAR-07", "OMENT-WAR-08"
)
@pytest.mark.parametrize("single", [False, True])
def test_ex_t08_myriad_counts_two_for_sacked_one_for_survivors(single: bool) -> None:
    play_example("EX-T08", single=single)


@pytest.mark.rule("OMENT-WAR-02", "OMENT-WAR-06")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t09_a_loser_with_two_myriad_stays_at_4_units_but_the_city_is_not_resolved(single: bool) -> None:
    play_example("EX-T09", single=single)


@pytest.mark.rule("OMENT-WAR-03", "OMENT-VETERAN-01", "OMENT-VETERAN-02", "OMENT-WAR-08")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t10_bolster_breaks_a_tie_veteran_goes_to_hand_instead_of_the_discard_pile(single: bool) -> None:
    play_example("EX-T10", single=single)


@pytest.mark.rule("OMENT-WAR-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t11_tie_not_broken_no_krater_both_keep_two(single: bool) -> None:
    play_example("EX-T11", single=single)


@pytest.mark.rule("OMENT-RAZE-01", "OMENT-RAZE-02", "OMENT-VETERAN-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t12_last_krater_razes_the_city_at_once_all_units_go_veteran_to_hand(single: bool) -> None:
    play_example("EX-T12", single=single)


@pytest.mark.rule("OMENT-SURGE-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t13_a_razed_city_takes_no_unit(single: bool) -> None:
    play_example("EX-T13", single=single)


@pytest.mark.rule(
    "OMENT-TRIUMPH-01",
    "OMENT-TRIUMPH-02",
    "OMENT-TRIUMPH-03",
    "OMENT-TRIUMPH-04",
    "OMENT-MYRIAD-01",
    "OMENT-TRIUMPH-05",
)
@pytest.mark.parametrize("single", [False, True])
def test_ex_t14_two_triumph_units_need_4_units_there_myriad_double_only_one_can_go(single: bool) -> None:
    play_example("EX-T14", single=single)


@pytest.mark.rule("OMENT-TRIUMPH-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t15_the_same_with_both_in_one_city_the_owner_picks(single: bool) -> None:
    play_example("EX-T15", single=single)


@pytest.mark.rule("OMENT-TRIUMPH-03", "OMENT-WAR-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t16_triumph_in_war_is_met_before_survivors_are_chosen(single: bool) -> None:
    play_example("EX-T16", single=single)


@pytest.mark.rule(
    "OMENT-OFFER-01", "OMENT-OFFER-02", "OMENT-CURSE-01", "OMENT-WRATH-01", "OMENT-WRATH-03", "OMENT-TURN-04"
)
@pytest.mark.parametrize("single", [False, True])
def test_ex_t17_offering_a_card_with_curse_and_wrath_benefit_first_then_both_in_chosen(single: bool) -> None:
    play_example("EX-T17", single=single)


@pytest.mark.rule("OMENT-EOT-01", "OMENT-EOT-02", "OMENT-CURSE-02", "OMENT-WRATH-02", "OMENT-EOT-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t18_end_of_turn_limits_wrath_counts_there_curse_does_not_kraters_count_for(single: bool) -> None:
    play_example("EX-T18", single=single)


@pytest.mark.rule("OMENT-EOT-01", "OMENT-EOT-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t19_seven_kraters_and_no_unit_nothing_to_discard(single: bool) -> None:
    play_example("EX-T19", single=single)


@pytest.mark.rule("OMENT-KRATER-01", "OMENT-KRATER-02", "OMENT-SCORE-01", "OMENT-KRATER-03", "OMENT-SURGE-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t20_one_krater_per_surge_it_becomes_a_broken_krater(single: bool) -> None:
    play_example("EX-T20", single=single)


@pytest.mark.rule("OMENT-END-01", "OMENT-COMB-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t21_two_razed_cities_end_only_a_combined_game(single: bool) -> None:
    play_example("EX-T21", single=single)


@pytest.mark.rule("OMENT-END-01", "OMENT-SCORE-01", "OMENT-SCORE-02", "OMENT-COVETED-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t22_combined_game_ends_final_count_with_equal_points_is_shared(single: bool) -> None:
    play_example("EX-T22", single=single)


@pytest.mark.rule("OMENT-WEALTH-01", "OMENT-WEALTH-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t23_the_first_player_s_first_turn_has_three_actions_by_default(single: bool) -> None:
    play_example("EX-T23", single=single)


@pytest.mark.rule("OMENT-MYRIAD-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t24_option_myriad_keep_weight_2_the_winner_cannot_keep_a_myriad_unit(single: bool) -> None:
    play_example("EX-T24", single=single)


@pytest.mark.rule("OMENT-VETERAN-03", "OMENT-CURSE-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t25_no_protection_for_veteran_outside_war(single: bool) -> None:
    play_example("EX-T25", single=single)


@pytest.mark.rule("OMENT-SPOILS-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t26_spoils_mixed_spending_of_four_actions(single: bool) -> None:
    play_example("EX-T26", single=single)


@pytest.mark.rule("OMENT-SURGE-02", "OMENT-MYRIAD-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t27_city_limit_with_myriad(single: bool) -> None:
    play_example("EX-T27", single=single)


@pytest.mark.rule("OMENT-WRATH-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t28_wrath_against_a_hand_of_kraters_only(single: bool) -> None:
    play_example("EX-T28", single=single)


@pytest.mark.rule("OMENT-SURGE-04", "OMENT-SURGE-01", "OMENT-FREE-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t29_a_unit_with_two_free_traits_is_used_for_one_of_them(single: bool) -> None:
    play_example("EX-T29", single=single)


@pytest.mark.rule("OMENT-MYRIAD-03", "OMENT-WAR-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t30_myriad_does_not_count_double_for_the_bolster_tie_break(single: bool) -> None:
    play_example("EX-T30", single=single)


@pytest.mark.rule("OMENT-SURGE-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t31_a_unit_cannot_be_moved_into_a_razed_city(single: bool) -> None:
    play_example("EX-T31", single=single)


@pytest.mark.rule("OMENT-VETERAN-04", "OMENT-RAZE-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t32_veteran_may_take_the_other_player_s_hand_over_the_limit(single: bool) -> None:
    play_example("EX-T32", single=single)


@pytest.mark.rule("OMENT-SPOILS-02", "OMENT-TRIUMPH-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t33_spoils_is_counted_before_a_triumph_takes_the_unit_away(single: bool) -> None:
    play_example("EX-T33", single=single)


@pytest.mark.rule("OMENT-TURN-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t34_reshuffle_at_once(single: bool) -> None:
    play_example("EX-T34", single=single)


@pytest.mark.rule("OMENT-FATE-01", "OMENT-FATE-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_t35_what_fate_may_fetch(single: bool) -> None:
    play_example("EX-T35", single=single)
