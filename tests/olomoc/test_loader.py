"""Faults for which a card set is refused (section 7 of RULES.md), with file, card and field."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from gamepacks import olomoc
from gamepacks.api.cards import CardFault
from gamepacks.olomoc.cards import SOURCE, compile_rules
from tests.olomoc.cardsets import FIXTURE, REMOVED, Change, Raw, add_capacity, card, changed, faults, put, snippet

PETRA = "fx-petra"


def only(*changes: Change) -> CardFault:
    """The one fault that the changes make."""
    found = faults(*changes)
    assert len(found) == 1, [str(fault) for fault in found]
    assert found[0].file == "changed.json"
    return found[0]


def assert_fault(card_id: str, field: str, words: str, *changes: Change) -> None:
    """Asserts that the changes make a fault of this card and field, with these words."""
    found = faults(*changes)
    assert any(f.card == card_id and f.field.startswith(field) and words in f.message for f in found), [
        str(fault) for fault in found
    ]


def drop(table: str, name: str) -> Change:
    def change(raw: Raw) -> None:
        raw[table] = [entry for entry in raw[table] if entry["id"] != name]

    return change


def capacity(text: str) -> Change:
    return add_capacity(PETRA, text)


def active(do: str, rest: str = "cost: {ap: 1}") -> Change:
    return capacity(f"{{id: probe, name: Probe, timing: active, {rest}, do: [{do}]}}")


def permanent(do: str, on: str, rest: str = "") -> Change:
    return capacity(f"{{id: probe, name: Probe, timing: permanent, on: {on}, {rest} do: [{do}]}}")


def test_house_and_fixture_are_whole() -> None:
    house = SOURCE.own.pick("house-1")
    assert house.card_set.house and not house.warnings
    assert "not the printed cards" in house.card_set.title
    fixture = SOURCE.read(FIXTURE)
    assert not fixture.card_set.house
    assert fixture.data.status == "fixture"


@pytest.mark.rule("OLO-V-01")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        (put("", "", "schema", 2), "schema"),
        (put("", "", "monsters", []), "monsters"),
        (put("profiles", PETRA, "speed", 3), "speed"),
        (active("{op: explode, who: self}"), "capacities[1].do[0]"),
        (permanent("{op: ap, who: self, n: -1}", "full_moon"), "capacities[1].on.event"),
        (active("{op: pick, of: {colour: red}}"), "capacities[1].do[0].of.colour"),
        (active("{op: if, cond: {raining: self}}"), "capacities[1].do[0].cond.raining"),
    ],
)
def test_unknown_words_are_faults(change: Change, field: str) -> None:
    found = faults(change)
    assert any(fault.field.startswith(field.split("[")[0]) for fault in found), [str(fault) for fault in found]
    assert found


@pytest.mark.rule("OLO-V-02")
@pytest.mark.parametrize(
    ("card_id", "field", "words", "change"),
    [
        (PETRA, "factions", "no nobody in factions", put("profiles", PETRA, "factions", ["nobody"])),
        ("locket", "affiliation.rouage", "no ghost", put("gear", "locket", "affiliation", {"rouage": "ghost"})),
        ("band-1", "affiliation.faction", "no ghost", put("gear", "band-1", "affiliation", {"faction": "ghost"})),
        ("quiet", "layout", "no attic", put("agendas", "quiet", "layout", "attic")),
        ("beasts", "hostiles[0].profile", "no wolf", put("agendas", "beasts", "hostiles.0.profile", "wolf")),
        ("low", "pieces[0].piece", "no tower", put("layouts", "low", "pieces.0.piece", "tower")),
        ("intruder", "do[0].profile", "no hostile wolf", put("artefacts", "intruder", "do.0.profile", "wolf")),
        (PETRA, "capacities[1].do[0].caps", "no capacity fly",
         active("{op: forbid, who: self, caps: [fly], for: phase}")),
        (PETRA, "capacities[1].do[0].of.tag", "has the tag ghost",
         active("{op: pick, of: {kind: marker, tag: ghost}}")),
        (PETRA, "capacities[1].do[0].of.name", "no profile ghost", active("{op: pick, of: {name: ghost}}")),
        (PETRA, "capacities[1].do[0].name", "no agenda has", active("{op: token, name: ghost, n: 1}")),
        ("fx-mover", "instinct[0].use", "not a capacity of this hostile", put("hostiles", "fx-mover", "instinct", [
            {"do": "use", "use": "howl"}, {"do": "stop"}])),
        ("fx-dominik", "id", "repeated in profiles", put("profiles", "fx-kubik", "id", "fx-dominik")),
        ("fx-kubik", "capacities[0].id", "used by another capacity",
         put("profiles", "fx-kubik", "capacities.0.id", "fx-order")),
    ],
)  # fmt: skip
def test_unknown_references_are_faults(card_id: str, field: str, words: str, change: Change) -> None:
    assert_fault(card_id, field, words, change)


@pytest.mark.rule("OLO-V-02")
def test_counters_are_shared_or_of_each_player() -> None:
    own = put("agendas", "points", "player_tokens", ["relics"])
    assert not faults(own, active("{op: token, name: relics, player: owner, n: 1}"))
    assert_fault(
        PETRA,
        "capacities[1].do[0].player",
        "each player has a counter relics",
        own,
        active("{op: token, name: relics, n: 1}"),
    )
    assert_fault(
        PETRA,
        "capacities[1].do[0].player",
        "each player has a counter relics",
        own,
        active("{op: vp, player: owner, n: {token: relics}}"),
    )
    assert_fault(PETRA, "capacities[1].do[0].player", "shared", active("{op: token, name: turns, player: owner, n: 1}"))
    both = "{op: vp, player: owner, n: {token: relics, player: both}}"
    assert "must be a single player" in faults(own, active(both))[0].message
    assert_fault("points", "player_tokens", "shared", put("agendas", "points", "player_tokens", ["turns"]))
    many = [f"counter-{number}" for number in range(8)]
    assert "17 counters" in only(put("agendas", "quiet", "player_tokens", many)).message


@pytest.mark.rule("OLO-V-03")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rank", 4), ("rank", 0), ("combat", 10), ("dodge", -1), ("base", 35), ("life", ""), ("life", "RRR"),
        ("life", "S" * 21), ("life", "SXS"), ("ap", 0), ("ap", 9), ("shoot", "two"),
    ],
)  # fmt: skip
def test_ranges_of_profiles(field: str, value: Any) -> None:
    fault = only(put("profiles", PETRA, field, value))
    assert fault.card == PETRA
    assert fault.field == field or (field == "life" and "life" in f"{fault.field} {fault.message}")


@pytest.mark.rule("OLO-V-04")
@pytest.mark.parametrize("field", ["factions", "ministries", "capacities"])
def test_a_profile_has_what_it_needs(field: str) -> None:
    assert only(put("profiles", PETRA, field, [])).field == field


@pytest.mark.rule("OLO-V-05", "OLO-COMP-03", "OLO-COMP-04")
@pytest.mark.parametrize(
    ("card_id", "words", "change"),
    [
        ("", "8 cards; 9 are needed", drop("ministries", "effort")),
        ("", "0 entries for effort", put("ministries", "effort", "affiliation", "progres")),
        ("animosite", "2 for the Axe", put("ministries", "animosite", "copies", 1)),
        ("effort", "1 for every other", put("ministries", "effort", "copies", 2)),
        ("securite", "must be [3]", put("ministries", "securite", "slots", [3, 4])),
        ("effort", "is repeated", put("ministries", "effort", "slots", [1, 1])),
        ("effort", "at least 1 entry", put("ministries", "effort", "slots", [])),
        ("effort", "at most 5", put("ministries", "effort", "slots", [6])),
    ],
)
def test_the_pack_of_ministries(card_id: str, words: str, change: Change) -> None:
    assert any(words in fault.message and fault.card == card_id for fault in faults(change))


@pytest.mark.rule("OLO-V-06")
def test_every_ministry_can_be_laid() -> None:
    rules = compile_rules(SOURCE.own.pick("house-1").data)
    assert all(ministry.slots & 0b111110 for ministry in rules.ministries)
    assert faults(put("ministries", "effort", "slots", []))


@pytest.mark.rule("OLO-V-07", "OLO-COMP-05")
def test_the_artefact_pile() -> None:
    assert "11 cards; 12 are needed" in only(drop("artefacts", "rain")).message
    assert only(put("artefacts", "rain", "number", "303")).field == "number"
    assert "numbers" in only(put("artefacts", "calm", "numbers", ["101"])).message
    uneven = changed(put("artefacts", "rain", "number", "203")).warnings
    assert any("OLO-V-07" in warning.message for warning in uneven)


@pytest.mark.rule("OLO-V-08")
def test_some_artefacts_occur_twice() -> None:
    def single(raw: Raw) -> None:
        rain = card(raw, "artefacts", "rain")
        raw["artefacts"] = [
            dict(rain, id=f"card-{number}", number=f"{1 + number % 2}{number:02}") for number in range(12)
        ]

    assert any("OLO-V-08" in warning.message for warning in changed(single).warnings)
    assert not changed().warnings


@pytest.mark.rule("OLO-V-09")
def test_factions_can_build_cabales() -> None:
    assert only(put("profiles", "gy-six", "rank", 1)).card == "gy"
    assert "both" in only(put("profiles", "gy-six", "rank", 1)).message
    assert not faults(put("profiles", "gy-six", "rank", 1), put("", "", "exclusive_factions", True))
    assert (
        "no legal cabale" in only(put("profiles", "gy-six", "rank", 1), put("profiles", "gy-three", "rank", 1)).message
    )


@pytest.mark.rule("OLO-V-09")
def test_exclusive_factions_are_two_at_least() -> None:
    def single(raw: Raw) -> None:
        raw["factions"] = [entry for entry in raw["factions"] if entry["id"] == "fx"]
        for table in ("profiles", "gear"):
            for entry in raw[table]:
                if "factions" in entry:
                    entry["factions"] = ["fx"]
                if "faction" in entry.get("affiliation", {}):
                    entry["affiliation"] = {"faction": "fx"}

    assert not faults(single)
    fault = only(single, put("", "", "exclusive_factions", True))
    assert (fault.field, fault.message) == ("exclusive_factions", "two players need two factions (OLO-V-09)")


@pytest.mark.rule("OLO-V-09")
def test_two_factions_that_share_their_rouages_need_enough_for_both_players() -> None:
    def shared(raw: Raw) -> None:
        for entry in raw["profiles"]:
            entry["factions"] = ["fx", "gy"]
        threes = [entry["id"] for entry in raw["profiles"] if entry["rank"] == 3]
        for entry in raw["profiles"]:
            if entry["id"] in threes[1:]:
                entry["rank"] = 2

    found = faults(shared, put("", "", "exclusive_factions", True))
    assert [(fault.card, fault.message) for fault in found] == [
        ("fx", "two players of this faction and of gy cannot both build a cabale (OLO-V-09)")
    ]


@pytest.mark.rule("OLO-V-10")
def test_gear_is_of_one_affiliation_and_enough() -> None:
    both = {"faction": "fx", "ministry": "effort"}
    assert "exactly one" in only(put("gear", "band-1", "affiliation", both)).message
    cords = [drop("gear", f"cord-{number}") for number in range(1, 7)]
    assert any(fault.card == "gy" for fault in faults(*cords))


@pytest.mark.rule("OLO-V-11")
@pytest.mark.parametrize(
    ("field", "value", "where", "words"),
    [
        ("edges", ["N", "N"], "edges", "two different edges"),
        ("markers.0.x", 30, "markers[0]", "not wholly on the board"),
        ("markers.0.x", 2000, "markers[0].x", "at most"),
    ],
)
def test_bad_agendas_are_faults(field: str, value: Any, where: str, words: str) -> None:
    fault = only(put("agendas", "study", field, value))
    assert (fault.card, fault.field) == ("study", where)
    assert words in fault.message


@pytest.mark.rule("OLO-V-11")
def test_elements_of_an_agenda_do_not_overlap() -> None:
    fault = only(put("agendas", "beasts", "hostiles.1.y", 750))
    assert (fault.card, fault.field) == ("beasts", "hostiles[1]")


@pytest.mark.rule("OLO-V-12")
@pytest.mark.parametrize(
    ("at", "words"), [([100, 500], "nearer than 2 inches to the edge"), ([1550, 500], "leaves|off the board")]
)
def test_bad_layouts_are_faults(at: list[int], words: str) -> None:
    fault = only(put("layouts", "low", "pieces.0.at", at))
    assert (fault.card, fault.field) == ("low", "pieces[0]")
    assert any(word in fault.message for word in words.split("|"))


@pytest.mark.rule("OLO-V-12")
def test_pieces_keep_apart_or_touch() -> None:
    def two(x: int) -> Change:
        pieces = [{"piece": "low", "at": [500, 250]}, {"piece": "low", "at": [x, 250]}]
        return put("layouts", "low", "pieces", pieces)

    assert not faults(two(700))
    assert not faults(two(900))
    over, near = only(two(690)), only(two(899))
    assert (over.field, near.field) == ("pieces[1]", "pieces[1]")
    assert over.message.startswith("overlaps pieces[0], "), "what lies there"
    assert near.message.startswith("is nearer than 2 inches to pieces[0], ")
    marker = {"tag": "objective", "size": 30, "x": 660, "y": 660}
    lies = put("layouts", "low", "markers", [marker])
    assert "overlaps markers[0]" in only(lies).message
    occupied = only(put("agendas", "study", "markers", [marker]))
    assert (occupied.card, occupied.field) == ("study", "markers[0]")
    assert "(660, 660) is not free on low" in occupied.message


@pytest.mark.rule("OLO-V-12", "OLO-SETUP-03")
@pytest.mark.parametrize(
    ("x", "fault"), [(959, True), (958, True), (960, False), (762, True), (761, False), (760, False)]
)
def test_agenda_markers_keep_apart_from_scenery_or_touch_it(x: int, fault: bool) -> None:
    """A marker of 30 mm beside a wall whose right side is at 700: in contact up to 761, 2 inches away from 960 on."""
    found = faults(put("agendas", "study", "markers", [{"tag": "objective", "size": 30, "x": x, "y": 600}]),
                   put("layouts", "tall", "pieces", []))  # fmt: skip
    assert bool(found) == fault
    if fault:
        (one,) = found
        assert (one.card, one.field) == ("study", "markers[0]")
        gap = {958: "1.98", 959: "1.99", 762: "0.02"}[x]
        assert f"at ({x}, 600) is {gap} inches from pieces[0], Low wall, of the board low" in one.message


@pytest.mark.rule("OLO-V-13")
@pytest.mark.parametrize(
    ("poly", "words"),
    [
        ([[0, 0], [10, 0], [10, 10], [0, 10]], "square steps"),
        ([[0, 0], [200, 200], [200, 0], [0, 200]], "cross|square steps"),
        ([[0, 0], [400, 0], [0, 20]], "angle"),
        ([[0, 0], [200, 0]], "at least 3"),
    ],
)
def test_bad_polygons_are_faults(poly: list[list[int]], words: str) -> None:
    found = faults(put("pieces", "low", "shape", {"poly": poly}))
    assert any(word in fault.message for fault in found for word in words.split("|")), [str(f) for f in found]


@pytest.mark.rule("OLO-V-14")
def test_a_large_base_can_enter_from_each_line() -> None:
    wall = {"poly": [[0, 0], [1600, 0], [1600, 60], [0, 60]]}
    closed = put("pieces", "low", "shape", wall), put("layouts", "low", "pieces.0.at", [0, 0])
    found = faults(*closed)
    assert any("cannot enter from S on low" in fault.message for fault in found), [str(fault) for fault in found]


@pytest.mark.rule("OLO-V-15")
def test_lost_values_of_a_set() -> None:
    assert only(put("", "", "options", {"push_ruler_length": 400})).field == "options.push_ruler_length"
    assert only(put("", "", "options", {"march_ap": 9})).field == "options.march_ap"
    assert changed(put("", "", "options", {"march_ap": 2})).data.options.model_dump(exclude_none=True) == {
        "march_ap": 2
    }


@pytest.mark.rule("OLO-V-16")
def test_capacity_that_wounds_a_foe_must_be_an_attack() -> None:
    target = "target: {side: foe, within: 4, of: self, pick: choose}"
    wound = "{op: wound, who: target, n: 1}"
    assert_fault(PETRA, "capacities[1].attack", "can wound a foe", active(wound, f"cost: {{ap: 1}}, {target}"))
    assert not faults(active(wound, f"cost: {{ap: 1}}, attack: other, {target}"))
    assert not faults(active("{op: wound, who: self, n: 1}"))
    nested = f"{{op: roll, stat: combat, target: target, then: [{wound}]}}"
    assert_fault(PETRA, "capacities[1].attack", "can wound a foe", active(nested, f"cost: {{ap: 1}}, {target}"))
    own = nested.replace(", target: target", "").replace("who: target", "who: self")
    own_change = active(own, "cost: {ap: 1}, attack: ranged")
    assert_fault(PETRA, "capacities[1].target", "must be a rouage", own_change)


@pytest.mark.rule("OLO-V-17")
def test_pools_are_of_twelve_dice_at_most() -> None:
    many = "{id: probe, name: Probe, timing: permanent, do: [{op: mod, on: {stats: [combat]}, dice: 9, for: game}]}"
    fault = only(capacity(many))
    assert (fault.card, fault.field) == (PETRA, "combat")
    assert "13 dice" in fault.message
    mission = "{id: probe, name: Probe, timing: permanent, do: [{op: mod, on: {stats: [shoot]}, dice: 8, for: game}]}"
    fault = only(add_capacity("study", mission, table="agendas"))
    assert (fault.card, fault.field) == ("fx-hynek", "shoot")


@pytest.mark.rule("OLO-V-18")
@pytest.mark.parametrize(
    ("do", "words"),
    [
        ("{op: ap, who: target, n: -1}", "target is not defined"),
        ("{op: ap, who: attacker, n: -1}", "attacker is not defined"),
        ("{op: ap, who: self, n: successes}", "successes is not defined here: there is no roll"),
        ("{op: vp, player: of(picked), n: 1}", "picked is not defined"),
        ("{op: each, of: {side: ally}, as: one, do: [{op: ap, who: two, n: -1}]}", "two is not defined"),
    ],
)
def test_names_are_bound(do: str, words: str) -> None:
    assert_fault(PETRA, "capacities[1].do[0]", words, active(do))
    assert not faults(active("{op: pick, of: {side: ally, pick: choose}, as: one}, {op: ap, who: one, n: -1}"))
    assert not faults(active("{op: roll, stat: combat, then: [{op: vp, player: owner, n: successes}]}"))


@pytest.mark.rule("OLO-V-19")
def test_durations_fit_their_place() -> None:
    assert_fault(
        PETRA,
        "capacities[1].do[0].for",
        "only in effects that happen during an attack",
        active("{op: mod, dice: 1, for: attack}"),
    )
    assert_fault(PETRA, "capacities[1].do[0].for", "game is allowed only for", active("{op: mod, dice: 1, for: game}"))
    assert not faults(permanent("{op: mod, dice: 1, for: attack}", "attack_declared"))
    assert_fault(PETRA, "capacities[1].do[0].op", "only with on: rolled", active("{op: reroll}"))


@pytest.mark.rule("OLO-V-20", "OLO-INV-07")
def test_cards_without_an_end_are_faults() -> None:
    assert_fault(PETRA, "capacities[1].freq", "needs a frequency", active("{op: vp, player: owner, n: 1}", "cost: {}"))
    assert_fault(PETRA, "capacities[1].freq", "needs a frequency", active("{op: ap, who: self, n: 1}"))
    assert_fault(PETRA, "capacities[1].freq", "can cause mechanism again", permanent("{op: mechanism}", "mechanism"))
    assert not faults(permanent("{op: mechanism}", "mechanism", "freq: {n: 1, per: cycle},"))


@pytest.mark.rule("OLO-V-20")
def test_spawns_and_activations_count_as_causes_of_triggers() -> None:
    """Effects that put something on the board cause ``entered_bloc``; those that activate cause all that fights do."""
    spawn = "{op: spawn, profile: fx-rogue, spot: {centre: true}}"
    assert_fault(PETRA, "capacities[1].freq", "can cause entered_bloc again", permanent(spawn, "entered_bloc"))
    run = "{op: activate, of: {side: hostile, pick: choose}}"
    for event in ("stunned", "attack_end", "entered_bloc"):
        assert_fault(PETRA, "capacities[1].freq", f"can cause {event} again", permanent(run, event))


@pytest.mark.rule("OLO-HOST-03")
def test_only_the_axe_names_hostiles() -> None:
    for effect in (
        {"op": "each", "of": {"side": "hostile"}, "as": "each", "do": [{"op": "wound", "who": "each", "n": 1}]},
        {"op": "activate", "of": {"side": "hostile", "pick": "choose"}},
        {"op": "if", "cond": {"cycle": [1]}, "then": [{"op": "pick", "of": {"side": "hostile", "pick": "choose"}}]},
    ):
        assert_fault("effort", "do", "only the Axe", put("ministries", "effort", "do", [effect]))
        assert not faults(put("ministries", "animosite", "do", [effect]))
    counting = {"op": "if", "cond": {"exists": {"side": "hostile"}}, "then": [{"op": "vp", "player": "owner", "n": 1}]}
    assert not faults(put("ministries", "effort", "do", [counting])), "to look at them is not to touch them"


@pytest.mark.rule("OLO-V-21")
def test_instincts_without_an_end_are_faults() -> None:
    assert_fault("fx-mover", "instinct", "last line", put("hostiles", "fx-mover", "instinct", [
        {"if": {"engaged": "self"}, "do": "frontal"}]))  # fmt: skip
    assert only(put("hostiles", "fx-mover", "acts", 5)).field == "acts"
    assert faults(put("artefacts", "intruder", "do.0.n", 5))[0].card == "intruder"


@pytest.mark.rule("OLO-V-22")
def test_known_facts_agree_with_the_rulebook() -> None:
    warnings = changed(put("profiles", PETRA, "combat", 5)).warnings
    assert [(warning.card, warning.field) for warning in warnings] == [(PETRA, "combat")]
    assert only(put("profiles", PETRA, "known", ["height"])).card == PETRA


@pytest.mark.rule("OLO-V-23")
def test_bad_texts_are_faults() -> None:
    assert only(put("profiles", PETRA, "name", "x" * 41)).field == "name"
    assert only(put("gear", "band-1", "text", "x" * 401)).field == "text"
    split = unicodedata.normalize("NFD", "Pétra")
    assert "NFC" in only(put("profiles", PETRA, "name", split)).message


@pytest.mark.rule("OLO-V-24")
def test_the_digest_is_of_what_the_set_says() -> None:
    same = changed().card_set.digest
    assert changed(put("profiles", PETRA, "known", ["rank", "combat"])).card_set.digest != same
    assert changed(put("", "", "exclusive_factions", False)).card_set.digest == same
    # Short forms mean what their full forms do.
    full = put("artefacts", "hurt", "do.0.do.0.n", {"const": 2})
    assert changed(full).card_set.digest == same


def test_a_missing_field_is_named() -> None:
    fault = only(put("profiles", PETRA, "combat", REMOVED))
    assert (fault.card, fault.field) == (PETRA, "combat")


def test_faults_are_all_named_at_once() -> None:
    found = faults(put("profiles", PETRA, "rank", 4), put("gear", "band-1", "kind", "hat"))
    assert {fault.card for fault in found} == {PETRA, "band-1"}


def test_snippets_read_as_files_do() -> None:
    assert snippet("{on: moved, optional: false}") == {"on": "moved", "optional": False}


@pytest.mark.rule("OLO-V-25")
@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ("{name: fx-petra}", "is the bearer"),
        ("{name: fx-petra, not_self: true}", "is the bearer"),
        ("{rank_min: 3, rank_max: 2}", "above rank_max"),
        ("{name: fx-lida, rank_min: 3}", "has rank"),
        ("{side: hostile, name: fx-lida}", "not a hostile"),
        ("{side: player, name: fx-rogue}", "is a hostile"),
        ("{name: fx-rogue}", "never an ally"),
        ("{side: hostile, status: [tainted]}", "no status"),
    ],
)
def test_a_selector_that_nothing_ever_fits(selector: str, words: str) -> None:
    effect = f"{{op: each, of: {selector}, as: each, do: [{{op: noirceur, who: each, n: 1}}]}}"
    assert_fault(PETRA, "capacities", words, active(effect))
    assert "OLO-V-25" in only(active(effect)).message


@pytest.mark.rule("OLO-V-25", "OLO-GEN-07")
def test_selectors_that_something_fits() -> None:
    """The bearer, its double in the other cabale, and the target of a roll can fit selectors."""
    for selector in ("{name: fx-petra, not_self: false}", "{side: enemy, name: fx-petra}", "{name: fx-lida}"):
        effect = f"{{op: each, of: {selector}, as: each, do: [{{op: noirceur, who: each, n: 1}}]}}"
        assert not faults(active(effect)), selector
    mod = "{op: mod, on: {who: any, target: {TARGET}}, difficulty: 1, for: game, name: Me}"
    own = "{id: probe, name: Probe, timing: permanent, do: [MOD]}"
    assert not faults(capacity(own.replace("MOD", mod.replace("TARGET", "name: fx-petra"))))
    dead = capacity(own.replace("MOD", mod.replace("TARGET", "name: fx-petra, not_self: true")))
    assert "is the bearer" in only(dead).message


def test_example_of_the_rules_passes_the_checker() -> None:
    """Section 6 of RULES.md: the profile in YAML takes the place of the one in the fixture."""
    rules = (Path(olomoc.__file__).parent / "RULES.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```yaml\n(.*?)^```$", rules, re.MULTILINE | re.DOTALL)
    (profile,) = snippet(example)["profiles"]

    def replace(raw: Raw) -> None:
        raw["profiles"] = [profile if entry["id"] == profile["id"] else entry for entry in raw["profiles"]]

    assert profile["name"] == "Pétra Kantor"
    # What other cards of the fixture say of the capacities that the example has not is not of its text.
    assert not [fault for fault in faults(replace) if fault.card == profile["id"]]
