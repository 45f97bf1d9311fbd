"""Worked examples of RULES.md, section 12.3, from War on. With ``single`` every decision is asked."""

from __future__ import annotations

import pytest

from tests.omen.scenario import play_example


@pytest.mark.rule("OMEN-WAR-01", "OMEN-WAR-02", "OMEN-WAR-04", "OMEN-WAR-07", "OMEN-WAR-12", "OMEN-WAR-19")
@pytest.mark.parametrize("single", [False, True])
def test_ex_30_which_cities_are_war_torn_only_city_3_the_opposing_player_wins_on_the(single: bool) -> None:
    play_example("EX-30", single=single)


@pytest.mark.rule("OMEN-WAR-03", "OMEN-WAR-10", "OMEN-WAR-11", "OMEN-WAR-12")
@pytest.mark.parametrize("single", [False, True])
def test_ex_31_opposing_side_empty_five_own_units(single: bool) -> None:
    play_example("EX-31", single=single)


@pytest.mark.rule("OMEN-WAR-01", "OMEN-WAR-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_32_four_own_units_against_none_is_not_war_torn_in_one_s_own_turn_but_is_i(single: bool) -> None:
    play_example("EX-32", single=single)


@pytest.mark.rule("OMEN-WAR-01", "OMEN-WAR-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_33_same_position_b_active_a_wins_as_opposing_player(single: bool) -> None:
    play_example("EX-33", single=single)


@pytest.mark.rule("OMEN-WAR-12", "OMEN-WAR-14", "OMEN-WAR-18")
@pytest.mark.parametrize("single", [False, True])
def test_ex_34_winner_with_only_beasts_keeps_none(single: bool) -> None:
    play_example("EX-34", single=single)


@pytest.mark.rule("OMEN-WAR-13", "OMEN-WAR-14", "OMEN-WAR-15")
@pytest.mark.parametrize("single", [False, True])
def test_ex_35_loser_s_choices_with_three_soldiers_and_a_beast(single: bool) -> None:
    play_example("EX-35", single=single)


@pytest.mark.rule("OMEN-WAR-13", "OMEN-WAR-14")
@pytest.mark.parametrize("single", [False, True])
def test_ex_36_loser_with_one_soldier_and_one_beast_keeps_the_beast_max_count(single: bool) -> None:
    play_example("EX-36", single=single)


@pytest.mark.rule("OMEN-WAR-14")
@pytest.mark.parametrize("single", [False, True])
def test_ex_37_the_same_with_survivors_up_to(single: bool) -> None:
    play_example("EX-37", single=single)


@pytest.mark.rule("OMEN-WAR-08", "OMEN-ENRAGE-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_38_equal_strength_more_soldiers_wins_beasts_and_oracles_are_no_soldiers(single: bool) -> None:
    play_example("EX-38", single=single)


@pytest.mark.rule("OMEN-WAR-09", "OMEN-WAR-13", "OMEN-WAR-15")
@pytest.mark.parametrize("single", [False, True])
def test_ex_39_tie_not_broken_nobody_wins_both_keep_two_beasts_allowed(single: bool) -> None:
    play_example("EX-39", single=single)


@pytest.mark.rule("OMEN-WAR-06", "OMEN-WAR-16")
@pytest.mark.parametrize("single", [False, True])
def test_ex_40_two_war_torn_cities_the_active_player_picks_the_order(single: bool) -> None:
    play_example("EX-40", single=single)


@pytest.mark.rule("OMEN-WAR-05", "OMEN-SURGE-08")
@pytest.mark.parametrize("single", [False, True])
def test_ex_41_depleted_city_is_never_war_torn(single: bool) -> None:
    play_example("EX-41", single=single)


@pytest.mark.rule("OMEN-HERO-01", "OMEN-HERO-02", "OMENX-WIN-03", "OMENX-HID-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_42_a_hero_used_from_hand_in_the_other_player_s_war_step_turns_the_result(single: bool) -> None:
    play_example("EX-42", single=single)


@pytest.mark.rule("OMEN-ENRAGE-02", "OMEN-ENRAGE-03", "OMEN-WAR-12")
@pytest.mark.parametrize("single", [False, True])
def test_ex_43_enraging_makes_a_city_war_torn_the_winner_cannot_keep_the_enraged_unit(single: bool) -> None:
    play_example("EX-43", single=single)


@pytest.mark.rule("OMEN-ENRAGE-01", "OMEN-ENRAGE-04", "OMENX-FX-08", "OMEN-ENRAGE-08", "OMEN-ENRAGE-09", "OMEN-SPIR-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_44_no_room_no_spirit_no_beast_only_the_legal_target_is_taken(single: bool) -> None:
    play_example("EX-44", single=single)


@pytest.mark.rule("OMEN-ENRAGE-05", "OMEN-ENRAGE-06", "OMEN-EOT-05", "OMEN-EOT-06", "OMEN-TURN-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_45_turns_face_up_at_the_end_of_its_owner_s_offering_only_without_entering(single: bool) -> None:
    play_example("EX-45", single=single)


@pytest.mark.rule(
    "OMEN-OFFER-01",
    "OMEN-OFFER-02",
    "OMEN-OFFER-03",
    "OMEN-EOT-01",
    "OMEN-EOT-02",
    "OMEN-EOT-03",
    "OMEN-OFFER-06",
    "OMEN-OFFER-04",
)
@pytest.mark.parametrize("single", [False, True])
def test_ex_46_offering_3_split_then_hand_limit_7_counting_rewards(single: bool) -> None:
    play_example("EX-46", single=single)


@pytest.mark.rule("OMEN-OFFER-05", "OMEN-DECK-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_47_the_offered_card_is_reshuffled_if_the_deck_runs_out(single: bool) -> None:
    play_example("EX-47", single=single)


@pytest.mark.rule("OMEN-END-01", "OMEN-END-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_48_fifth_feat_in_one_s_own_turn_the_other_player_still_has_a_turn(single: bool) -> None:
    play_example("EX-48", single=single)


@pytest.mark.rule("OMEN-END-03", "OMEN-SCORE-01", "OMEN-SCORE-02", "OMEN-SCORE-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_49_and_the_game_ends_after_that_turn(single: bool) -> None:
    play_example("EX-49", single=single)


@pytest.mark.rule("OMEN-END-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_50_option_feat_end_either_ends_at_once(single: bool) -> None:
    play_example("EX-50", single=single)


@pytest.mark.rule("OMEN-END-02", "OMEN-WAR-17", "OMEN-SCORE-04", "OMEN-RELIC-06", "OMEN-HERO-05")
@pytest.mark.parametrize("single", [False, True])
def test_ex_51_second_city_is_depleted_in_war_the_game_ends_at_turn_end_heroes_and_re(single: bool) -> None:
    play_example("EX-51", single=single)


@pytest.mark.rule("OMEN-SCORE-05", "OMEN-RELIC-11")
@pytest.mark.parametrize("single", [False, True])
def test_ex_52_full_tie_is_shared_rotated_feats_do_not_help_in_the_tie_break(single: bool) -> None:
    play_example("EX-52", single=single)


@pytest.mark.rule("OMEN-HERO-03", "OMEN-HERO-07", "OMEN-SURGE-09")
@pytest.mark.parametrize("single", [False, True])
def test_ex_53_a_hero_played_into_a_city_costs_nothing_and_does_nothing(single: bool) -> None:
    play_example("EX-53", single=single)


@pytest.mark.rule("OMENX-LOOP-01", "OMEN-SOLD-02", "OMEN-SOLD-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_54_two_soldiers_that_must_move_each_other_stop_at_the_trigger_cap_10_here(single: bool) -> None:
    play_example("EX-54", single=single)


@pytest.mark.rule("OMENX-LOOP-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_55_turn_cap(single: bool) -> None:
    play_example("EX-55", single=single)


@pytest.mark.rule("OMEN-DECK-02", "OMEN-DECK-06")
@pytest.mark.parametrize("single", [False, True])
def test_ex_56_deck_and_discard_pile_empty_the_next_discarded_card_is_the_new_deck(single: bool) -> None:
    play_example("EX-56", single=single)


@pytest.mark.rule("OMEN-SOLD-04")
@pytest.mark.parametrize("single", [False, True])
def test_ex_57_a_soldier_pushed_on_the_other_player_s_turn_triggers_for_its_own_side(single: bool) -> None:
    play_example("EX-57", single=single)


@pytest.mark.rule("OMEN-SPIR-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_58_a_spirit_that_is_moved_chooses_again(single: bool) -> None:
    play_example("EX-58", single=single)


@pytest.mark.rule("OMEN-EMIS-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_59_emissaries_equal_in_value_and_strength_the_oldest_player_starts(single: bool) -> None:
    play_example("EX-59", single=single)


@pytest.mark.rule("OMEN-CHAL-02", "OMEN-CHAL-06")
@pytest.mark.parametrize("single", [False, True])
def test_ex_60_declining_the_only_challenge_feats_may_be_met_in_the_same_turn(single: bool) -> None:
    play_example("EX-60", single=single)


@pytest.mark.rule("OMEN-WHIM-06", "OMEN-EOT-04", "OMEN-EOT-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_61_whims_count_for_the_hand_limit_but_cannot_be_shed(single: bool) -> None:
    play_example("EX-61", single=single)


@pytest.mark.rule("OMEN-PORT-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_62_an_oracle_that_comes_over_during_portent_is_used_as_well(single: bool) -> None:
    play_example("EX-62", single=single)


@pytest.mark.rule("OMEN-SURGE-07", "OMENX-FX-08")
@pytest.mark.parametrize("single", [False, True])
def test_ex_63_an_effect_respects_the_city_limit_a_unit_with_nowhere_to_go_cannot_be(single: bool) -> None:
    play_example("EX-63", single=single)


@pytest.mark.rule("OMEN-ENRAGE-11")
@pytest.mark.parametrize("single", [False, True])
def test_ex_64_a_moved_enraged_soldier_needs_room_for_two_and_triggers_nothing(single: bool) -> None:
    play_example("EX-64", single=single)


@pytest.mark.rule("OMEN-SURGE-01", "OMEN-SURGE-05", "OMEN-ORAC-01")
@pytest.mark.parametrize("single", [False, True])
def test_ex_65_units_in_two_cities_an_oracle_does_nothing_on_entering_and_is_used_in(single: bool) -> None:
    play_example("EX-65", single=single)


@pytest.mark.rule("OMEN-SPIR-05", "OMEN-WAR-08")
@pytest.mark.parametrize("single", [False, True])
def test_ex_66_a_spirit_is_no_soldier_in_the_tie_break(single: bool) -> None:
    play_example("EX-66", single=single)


@pytest.mark.rule("OMEN-HERO-04", "OMEN-OFFER-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_67_a_hero_as_the_offering(single: bool) -> None:
    play_example("EX-67", single=single)


@pytest.mark.rule("OMEN-RELIC-07", "OMEN-RELIC-09")
@pytest.mark.parametrize("single", [False, True])
def test_ex_68_a_relic_is_no_unit_a_rotated_feat_is_not_achieved_again(single: bool) -> None:
    play_example("EX-68", single=single)


@pytest.mark.rule("OMEN-ENRAGE-07")
@pytest.mark.parametrize("single", [False, True])
def test_ex_69_an_enraged_unit_returned_to_hand_is_an_ordinary_card(single: bool) -> None:
    play_example("EX-69", single=single)


@pytest.mark.rule("OMEN-WAR-08", "OMEN-WAR-09", "OMEN-ENRAGE-02")
@pytest.mark.parametrize("single", [False, True])
def test_ex_70_an_enraged_soldier_is_no_soldier_in_the_tie_break(single: bool) -> None:
    play_example("EX-70", single=single)


@pytest.mark.rule("OMEN-EMIS-02", "OMEN-EMIS-03")
@pytest.mark.parametrize("single", [False, True])
def test_ex_71_the_offering_value_counts_for_the_emissary(single: bool) -> None:
    play_example("EX-71", single=single)


@pytest.mark.rule("OMEN-RELIC-05", "OMEN-END-03", "OMEN-RELIC-10")
@pytest.mark.parametrize("single", [False, True])
def test_ex_72_four_face_down_feats_and_a_rotated_one_make_five(single: bool) -> None:
    play_example("EX-72", single=single)
