"""The loader refuses card sets that break section 11 of RULES.md, and says which card and field."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamepacks.api import CardFileError, InvalidOptions
from gamepacks.api.cards import digest
from gamepacks.omen import Omen, OmenTraits
from gamepacks.omen.cards.compiler import CompiledSet, compile_files
from gamepacks.omen.cards.files import OMEGA_SOURCE, TRAITS_SOURCE
from gamepacks.omen.cards.program import AbilityField
from gamepacks.omen.v1.omen_enums import Zone
from tests.omen import sets
from tests.support.card_files import card_data

Change = Callable[[dict[str, Any]], None]


def house(number: int = 0) -> dict[str, Any]:
    """A house set as plain values: of ``omega``, and the two of ``traits``."""
    return card_data([*OMEGA_SOURCE.own_files, *TRAITS_SOURCE.own_files][number])


def faults(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Card, field and message of each fault; none for a sound set."""
    try:
        sets.load(data)
    except CardFileError as error:
        return [(fault.card, fault.field, fault.message) for fault in error.faults]
    return []


def card(data: dict[str, Any], name: str) -> dict[str, Any]:
    """A card's record."""
    return next(
        record
        for section in ("units", "rewards", "kraters", "feats", "challenges", "whims", "relics")
        for record in data.get(section, ())
        if record["id"] == name
    )


def only(data: dict[str, Any], name: str, field: str, rule: str) -> None:
    """There is exactly one fault, of this card, field and check."""
    found = faults(data)
    assert [(fault[0], fault[1]) for fault in found] == [(name, field)], found
    assert rule in found[0][2]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_house_sets_are_valid_and_marked_as_house_sets(number: int) -> None:
    data = house(number)
    assert faults(data) == []
    loaded = sets.load(data)
    assert loaded.card_set.house and loaded.warnings == ()
    assert "ouse set" in loaded.card_set.title


@pytest.mark.rule("V-01")
def test_ids_are_unique_and_keys_known() -> None:
    data = house()
    card(data, "cave_bear")["id"] = "ash_lion"
    assert ("ash_lion", "id", "the id is used by another card, in units (V-01)") in faults(data)
    data = house()
    card(data, "cave_bear")["colour"] = "brown"
    assert [fault[:2] for fault in faults(data)] == [("cave_bear", "colour")]
    data = house()
    del card(data, "cave_bear")["strength"]
    assert [fault[:2] for fault in faults(data)] == [("cave_bear", "strength")]
    data = house()
    data["game"] = "omen-2"
    assert [fault[1] for fault in faults({**data, "game": "omen-traits"})]


@pytest.mark.rule("V-02", "LD-01", "OMEN-COMP-04")
def test_omega_has_24_soldiers_12_beasts_12_oracles() -> None:
    data = house()
    counts = [sum(unit["type"] == kind for unit in data["units"]) for kind in ("soldier", "beast", "oracle")]
    assert counts == [24, 12, 12]
    record = card(data, "bronze_hoplite")
    record["type"] = "beast"
    record["abilities"] = card(data, "cave_bear")["abilities"]
    messages = [fault[2] for fault in faults(data)]
    assert messages == [
        "has 23 of type soldier; 24 are needed (V-02, V-03)",
        "has 13 of type beast; 12 are needed (V-02, V-03)",
    ]
    data = house()
    card(data, "cave_bear")["copies"] = 2
    only(data, "cave_bear", "copies", "V-02")


@pytest.mark.rule("V-03", "OMEN-COMP-05")
def test_omega_has_12_spirits_and_6_heroes_or_none() -> None:
    data = house()
    assert len(data["units"]) == 66
    data["units"] = [unit for unit in data["units"] if unit["id"] != "nereid"]
    assert [fault[2] for fault in faults(data)] == ["has 11 of type spirit; 12 are needed (V-02, V-03)"]
    data["units"] = [unit for unit in data["units"] if unit["type"] not in ("spirit", "hero")]
    data["id"] = "basic"
    assert faults(data) == []
    library = sets.library(data)
    Omen.configure(2, {"card_set": "basic"}, library)
    for options in ({"spirits": True}, {"heroes": True}, {"draft": "open20"}):
        with pytest.raises(InvalidOptions, match="V-03"):
            Omen.configure(2, {"card_set": "basic", **options}, library)


@pytest.mark.rule("V-04", "LD-02", "OMEN-COMP-02")
def test_omega_has_6_rewards_each_twice() -> None:
    data = house()
    card(data, "laurel")["copies"] = 1
    only(data, "laurel", "copies", "V-04")
    data = house()
    data["rewards"] = data["rewards"][:4]
    for record in data["rewards"]:
        record["copies"] = 3
    assert [fault[1] for fault in faults(data)] == ["rewards", *["copies"] * 4]


@pytest.mark.rule("V-05", "OMEN-COMP-03", "OMEN-COMP-06")
@pytest.mark.parametrize(
    ("section", "allowed"), [("feats", (6,)), ("challenges", (6, 0)), ("whims", (5, 0)), ("relics", (6, 0))]
)
def test_omega_has_6_feats_6_challenges_5_whims_6_relics(section: str, allowed: tuple[int, ...]) -> None:
    for count in range(7):
        data = house()
        data[section] = data[section][:count]
        found = faults(data)
        assert bool(found) == (len(data[section]) not in allowed)
        assert all(fault[1] == section and "V-05" in fault[2] for fault in found)


@pytest.mark.rule("V-05")
@pytest.mark.parametrize("option", ["challenges", "whims", "relics"])
def test_options_need_their_cards(option: str) -> None:
    data = {**house(), option: [], "id": "without"}
    value = "normal" if option == "challenges" else True
    with pytest.raises(InvalidOptions, match=option):
        Omen.configure(2, {"card_set": "without", option: value}, sets.library(data))


@pytest.mark.rule("V-24", "OMEN-DRAFT-01")
def test_sets_too_small_for_their_options_are_refused_before_play() -> None:
    data = {**sets.card_set("omega", ["s1a", "s2a"], {f"w{n}": 1 for n in range(3, 7)}), "id": "small"}
    with pytest.raises(InvalidOptions, match=r"small has 8 prizes; 12 are needed on the Cities"):
        Omen.configure(2, {"card_set": "small"}, sets.library(data))
    data = {**sets.card_set("omega", ["s1a", "s2a"]), "id": "small"}
    Omen.configure(2, {"card_set": "small"}, sets.library(data))
    for draft in ("keep2of3", "open20"):
        with pytest.raises(InvalidOptions, match=r"small has 2 Units; 60 are dealt in a draft"):
            Omen.configure(2, {"card_set": "small", "draft": draft}, sets.library(data))


@pytest.mark.rule("V-06", "OMEN-COMP-01")
def test_omega_has_fixed_numbers() -> None:
    data = house()
    data["setup"] = {"cities": 3, "prizes_per_city": 4, "hand": 4, "coins": 4, "coin_supply": 25, "hand_limit": 7}
    assert faults(data) == []
    for name in data["setup"]:
        other = copy.deepcopy(data)
        other["setup"][name] += 1
        assert [fault[1] for fault in faults(other)] == [f"setup.{name}"]


@pytest.mark.rule("V-07", "OMEN-COMP-08")
def test_unit_numbers_have_bounds() -> None:
    data = house()
    card(data, "cave_bear")["strength"] = 21
    assert [fault[:2] for fault in faults(data)] == [("cave_bear", "strength")]
    data = house()
    card(data, "cave_bear")["strength"] = 11
    warnings = sets.load(data).warnings
    assert [(warning.card, warning.field) for warning in warnings] == [("cave_bear", "strength")]
    data = house()
    card(data, "the_just")["cost"] = 1
    only(data, "the_just", "cost", "V-07")
    data = house()
    card(data, "cave_bear")["invoke"] = 4
    only(data, "cave_bear", "invoke", "V-07")
    data = house()
    card(data, "cave_bear")["cost"] = True
    assert [fault[:2] for fault in faults(data)] == [("cave_bear", "cost")]


@pytest.mark.rule("V-08", "LD-04")
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("bronze_hoplite", lambda record: record.update(abilities=[])),
        ("cave_bear", lambda record: record.update(abilities=record["abilities"] * 2)),
        ("tide_reader", lambda record: record["abilities"][0].update(hook="enter")),
        ("nereid", lambda record: record.update(abilities=record["abilities"][:1])),
        ("nereid", lambda record: record["abilities"][0].update(label="c")),
        ("the_just", lambda record: record.update(abilities=[])),
        ("laurel", lambda record: record["abilities"][0].update(step=["war"])),
        ("three_lairs", lambda record: record.update(abilities=[])),
        ("fair_wind", lambda record: record.update(abilities=[])),
    ],
)
def test_each_type_has_its_hooks(name: str, change: Change) -> None:
    data = house()
    change(card(data, name))
    found = faults(data)
    assert {fault[0] for fault in found} == {name}
    assert any("V-08" in fault[2] for fault in found)


@pytest.mark.rule("LD-04", "V-07")
def test_a_spirit_has_an_invoke_cost() -> None:
    data = house()
    del card(data, "nereid")["invoke"]
    only(data, "nereid", "invoke", "V-07")


@pytest.mark.rule("V-09", "LD-05", "OMENT-COMP-02", "OMENT-COMP-03")
def test_four_traits_have_text_of_their_own() -> None:
    for name, trait in (("herald", "BOLSTER"), ("caravan", "JILT"), ("augur", "GLEAN"), ("gate_crashers", "TRIUMPH")):
        data = house(1)
        card(data, name)["abilities"] = []
        only(data, name, "abilities", trait)
    data = house(1)
    card(data, "augur")["traits"] = []
    only(data, "augur", "abilities", "GLEAN")
    data = house(1)
    card(data, "cutpurse")["abilities"] = [{"hook": "offered", "do": [{"op": "coins"}]}]
    only(data, "cutpurse", "abilities[0].hook", "V-09")
    every = {trait for record in house(1)["units"] for trait in record.get("traits", ())}
    assert len(every) == 13


@pytest.mark.rule("V-10", "ST-06", "OMENT-SETUP-01", "OMENT-COMP-01")
def test_traits_sets_say_how_many() -> None:
    data = house(1)
    del data["setup"]["prizes_per_city"]
    assert [fault[1] for fault in faults(data)] == ["setup.prizes_per_city"]
    data = house(1)
    data["setup"] = {"prizes_per_city": 4}
    loaded = sets.load(data)
    setup = loaded.data.setup
    assert (setup.cities, setup.hand, setup.coins) == (3, 4, 4)
    assert [str(warning) for warning in loaded.warnings if "defaults of the edition omega" in warning.message]
    data["setup"] = {"prizes_per_city": 5}
    assert [fault[1] for fault in faults(data)] == ["kraters"]
    data["setup"] = {"prizes_per_city": 0}
    assert [fault[1] for fault in faults(data)] == ["setup.prizes_per_city"]
    data = house(1)
    data["units"] = data["units"][:8]
    assert [fault[1] for fault in faults(data)] == ["units"]
    data["units"] = house(1)["units"][:9]
    data["setup"]["prizes_per_city"] = 3
    assert {warning.field for warning in sets.load(data).warnings} == {"units", "kraters"}


def ability(**fields: Any) -> Change:
    """Give the card one ability with these fields."""

    def change(record: dict[str, Any]) -> None:
        record["abilities"] = [fields]

    return change


ENTER = {"hook": "enter"}


@pytest.mark.rule("V-11")
@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("bronze_hoplite", ability(hook="enter"), "abilities[0].do"),
        ("bronze_hoplite", ability(hook="enter", do=[]), "abilities[0].do"),
        ("bronze_hoplite", ability(hook="enter", step=["war"], do=[{"op": "draw"}]), "abilities[0].step"),
        ("the_just", ability(hook="react", timing="after", do=[{"op": "draw"}]), "abilities[0].event"),
        ("three_lairs", ability(hook="claim", cond={"first_turn": True}, do=[{"op": "draw"}]), "abilities[0].do"),
        ("wide_gates", ability(hook="static", do=[{"op": "draw"}]), "abilities[0].do[0].op"),
        ("wide_gates", ability(hook="end_game", do=[{"op": "draw"}]), "abilities[0].do[0].op"),
        ("bronze_hoplite", ability(**ENTER, do=[{"op": "score"}]), "abilities[0].do[0].op"),
    ],
)
def test_hooks_have_their_keys(name: str, change: Change, field: str) -> None:
    data = house()
    change(card(data, name))
    assert [fault[:2] for fault in faults(data)] == [(name, field)]


HERE = {"zone": "city", "city": "here"}


@pytest.mark.rule("V-12", "OMENX-FX-23")
@pytest.mark.parametrize(
    ("effect", "field"),
    [
        ({"op": "dance"}, "do[0]"),
        ({"op": "coins", "n": {"stat": "speed", "of": "x"}}, "do[0].n.stat"),
        ({"op": "coins", "n": {"var": "x"}}, "do[0].n.var"),
        ({"op": "coins", "n": {"height": 3}}, "do[0].n"),
        ({"op": "coins", "who": "them"}, "do[0].who"),
        ({"op": "move", "sel": {"zone": "city", "city": "c"}}, "do[0].sel.city"),
        ({"op": "destroy", "sel": {"zone": "city", "type": "kind"}}, "do[0].sel.type"),
        ({"op": "destroy", "sel": {"side": "opp"}}, "do[0].sel.zone"),
        ({"op": "put", "sel": {"zone": "discard", "id": ["nobody"]}, "to": "hand"}, "do[0].sel.id[0]"),
        ({"op": "if", "cond": {"happened": {"type": "sneeze"}}, "then": [{"op": "draw"}]}, "do[0].cond.happened.type"),
        ({"op": "may", "who": "each", "do": [{"op": "draw"}]}, "do[0].who"),
        ({"op": "choose_city", "as": "here"}, "do[0]"),
        (
            {"op": "for_each", "over": "seats", "as": "p", "do": [{"op": "draw", "n": {"var": "p"}}]},
            "do[0].do[0].n.var",
        ),
    ],
)
def test_names_are_known_and_bound(effect: dict[str, Any], field: str) -> None:
    data = house()
    ability(**ENTER, do=[effect])(card(data, "bronze_hoplite"))
    found = faults(data)
    assert [fault[0] for fault in found] == ["bronze_hoplite"], found
    assert found[0][1] == f"abilities[0].{field}"


@pytest.mark.rule("V-12")
@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("soldier", "must be a list, even with a single word: [soldier] (V-12)"),
        ("nobody", "nobody is not defined here (V-12)"),
    ],
)
def test_bare_type_and_unbound_name_have_their_own_messages(word: str, message: str) -> None:
    data = house()
    ability(hook="enter", do=[{"op": "destroy", "sel": {"zone": "city", "type": word}}])(card(data, "bronze_hoplite"))
    assert faults(data) == [("bronze_hoplite", "abilities[0].do[0].sel.type", message)]


@pytest.mark.rule("V-12")
def test_here_needs_a_city() -> None:
    here = [{"op": "destroy", "sel": HERE}]
    for name, hook in (("cave_bear", "hand_use"), ("laurel", "use"), ("the_cunning", "use")):
        data = house()
        fields = {"hook": hook, "do": here}
        ability(**fields)(card(data, name))
        only(data, name, "abilities[0].do[0].sel.city", "V-12")
    # A Spirit that is invoked is in no City.
    data = house()
    card(data, "nereid")["abilities"][0]["do"] = here
    only(data, "nereid", "abilities[0].do[0].sel.city", "V-12")
    # In a test of each City it is the City under test.
    data = house()
    each = {"if": None, "op": "if", "cond": {"each_city": {"exists": HERE}}, "then": [{"op": "draw"}]}
    del each["if"]
    ability(hook="hand_use", do=[each])(card(data, "cave_bear"))
    assert faults(data) == []


@pytest.mark.rule("V-12")
def test_an_ability_has_at_most_eight_names() -> None:
    data = house()
    lets = [{"op": "let", "name": f"n{number}", "amount": number} for number in range(9)]
    ability(**ENTER, do=lets[:8])(card(data, "bronze_hoplite"))
    assert faults(data) == []
    ability(**ENTER, do=lets)(card(data, "bronze_hoplite"))
    only(data, "bronze_hoplite", "abilities[0]", "V-12")


@pytest.mark.rule("V-13")
def test_before_reactions_are_allowed_for_some_events_only() -> None:
    def react(event: str, timing: str, op: dict[str, Any]) -> list[str]:
        data = house()
        fields = {"hook": "react", "event": {"type": event}, "timing": timing, "turn": "any", "do": [op]}
        ability(**fields)(card(data, "the_just"))
        return [fault[1] for fault in faults(data)]

    assert react("destroy", "before", {"op": "cancel"}) == []
    assert react("draw", "before", {"op": "draw"}) == ["abilities[0].timing"]
    assert react("draw", "after", {"op": "draw"}) == []
    assert react("destroy", "after", {"op": "cancel"}) == ["abilities[0].do[0].op"]
    assert react("destroy", "before", {"op": "replace", "do": [{"op": "draw"}]}) == []
    data = house()
    ability(**ENTER, do=[{"op": "cancel"}])(card(data, "bronze_hoplite"))
    only(data, "bronze_hoplite", "abilities[0].do[0].op", "V-13")


@pytest.mark.rule("V-14", "LD-03", "OMEN-REWARD-06", "OMEN-REWARD-07", "OMEN-WHIM-08")
def test_only_units_are_discarded() -> None:
    for kind in ("reward", "whim"):
        data = house()
        sel = {"zone": "hand", "side": "opp", "kind": kind}
        ability(hook="hand_use", do=[{"op": "discard", "sel": sel}])(card(data, "cave_bear"))
        only(data, "cave_bear", "abilities[0].do[0].sel.kind", "V-14")
        ability(hook="hand_use", do=[{"op": "put", "sel": sel, "to": "discard"}])(card(data, "cave_bear"))
        only(data, "cave_bear", "abilities[0].do[0].sel.kind", "V-14")
        ability(hook="hand_use", do=[{"op": "put", "sel": sel, "to": "used"}])(card(data, "cave_bear"))
        only(data, "cave_bear", "abilities[0].do[0].sel.side", "V-14")
    data = house()
    ability(hook="hand_use", do=[{"op": "discard", "sel": {"zone": "city"}}])(card(data, "cave_bear"))
    only(data, "cave_bear", "abilities[0].do[0].sel.zone", "V-14")
    data = house()
    ability(hook="hand_use", do=[{"op": "shed_prize", "who": "opp"}])(card(data, "cave_bear"))
    assert [warning.field for warning in sets.load(data).warnings] == ["abilities[0].do[0]"]


@pytest.mark.rule("V-15")
def test_effects_have_bounds() -> None:
    def faulty(effect: dict[str, Any]) -> list[str]:
        data = house()
        ability(hook="hand_use", do=[effect])(card(data, "cave_bear"))
        return [fault[2] for fault in faults(data)]

    draw = {"op": "draw"}
    one = {"label": "draw", "do": [draw]}
    assert faulty({"op": "choose", "options": [one]})
    assert faulty({"op": "choose", "options": [one] * 4}) == []
    assert faulty({"op": "choose", "options": [one] * 5})
    assert faulty({"op": "name", "what": "number", "as": "n", "max": 20}) == []
    assert faulty({"op": "name", "what": "number", "as": "n", "max": 21})
    nested: dict[str, Any] = draw
    for _ in range(8):
        nested = {"op": "may", "do": [nested]}
    assert faulty(nested) == []
    assert any("V-15" in message for message in faulty({"op": "may", "do": [nested]}))
    assert any("V-15" in message for message in faulty({"op": "may", "do": [draw] * 40}))


@pytest.mark.rule("V-16", "LD-06")
def test_claims_ask_for_nothing_hidden() -> None:
    def claim(cond: dict[str, Any]) -> list[str]:
        data = house()
        ability(hook="claim", cond=cond)(card(data, "golden_hoard"))
        return [fault[1] for fault in faults(data)]

    theirs = {"zone": "hand", "side": "opp"}
    assert claim({"exists": {**theirs, "type": ["beast"]}}) == ["abilities[0].cond.exists"]
    assert claim({"cmp": [{"count": theirs}, "eq", 0]}) == []
    assert claim({"cmp": [{"total": "cost", "of": theirs}, "ge", 9]}) == ["abilities[0].cond.cmp[0]"]
    assert claim({"exists": {"zone": "hand", "type": ["beast"]}}) == []
    assert claim({"happened": {"type": "draw", "card": {"type": ["beast"]}}}) == ["abilities[0].cond.happened.card"]


@pytest.mark.rule("V-17")
def test_possible_endless_loops_give_a_warning() -> None:
    loaded = sets.load(sets.card_set("omega", ["smove", "sshov", "s1a"]))
    assert [(warning.card, warning.field) for warning in loaded.warnings] == [("smove", "abilities[0].do[0]")]


@pytest.mark.rule("V-18")
def test_some_hooks_cannot_be_run() -> None:
    for hook in ("static", "claim", "triumph", "end_game"):
        data = house()
        ability(hook="hand_use", do=[{"op": "run", "sel": {"zone": "city"}, "hook": hook}])(card(data, "cave_bear"))
        only(data, "cave_bear", "abilities[0].do[0].hook", "V-18")


@pytest.mark.rule("V-19")
def test_whims_have_points_from_minus_5_to_5() -> None:
    for points, sound in ((-6, False), (-5, True), (5, True), (6, False)):
        data = house()
        card(data, "fair_wind")["hold_points"] = points
        assert (faults(data) == []) == sound


@pytest.mark.rule("V-20")
def test_set_with_placeholders_must_be_a_fixture() -> None:
    data = house()
    card(data, "fair_wind")["placeholder"] = True
    only(data, "fair_wind", "placeholder", "V-20")
    data["status"] = "fixture"
    assert faults(data) == []
    game = Omen.configure(2, {"card_set": "house-1"}, sets.library(data))
    view = game.view(game.initial_state(), 0)  # type: ignore[arg-type]
    assert view.fixture and not view.house  # type: ignore[attr-defined]


@pytest.mark.rule("V-21", "OMENT-COMB-01")
def test_combined_sets_fit_together() -> None:
    with pytest.raises(InvalidOptions, match="V-21"):
        OmenTraits.configure(2, {"combined": True}, None).configure(
            2, {"combined": True, "more_sets": ["house-bronze-1"]}
        )
    other = {**house(2), "setup": {**house(2)["setup"], "cities": 2}}
    with pytest.raises(InvalidOptions, match="number of Cities"):
        OmenTraits.configure(2, {"combined": True, "more_sets": ["house-tide-1"]}, sets.library(house(1), other))
    with pytest.raises(InvalidOptions, match="combined"):
        OmenTraits.configure(2, {"more_sets": ["house-tide-1"]})
    both = OmenTraits.configure(2, {"combined": True})
    assert both.options.more_sets == ("house-tide-1",)
    one = OmenTraits.configure(2)
    assert both.card_set is not None and one.card_set is not None
    assert both.card_set.digest != one.card_set.digest


@pytest.mark.rule("V-22")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_canonical_form_restores_the_set(number: int) -> None:
    loaded = sets.load(house(number))
    again = sets.load(loaded.data.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    assert digest(again.data) == loaded.card_set.digest == again.card_set.digest
    assert compile_files([again.data]) == compile_files([loaded.data])


@pytest.mark.rule("OMENX-FX-21")
def test_static_modifiers_do_not_feed_on_each_other() -> None:
    data = house()
    strong = {"op": "mod", "what": "strength", "sel": {**HERE, "strength": {"le": 2}, "n": "all"}, "by": 1}
    ability(hook="static", do=[strong])(card(data, "anchor_stone"))
    only(data, "anchor_stone", "abilities[0]", "OMENX-FX-21")
    typed = {**strong, "sel": {**HERE, "type": ["soldier"], "n": "all"}}
    ability(hook="static", do=[typed])(card(data, "anchor_stone"))
    assert faults(data) == []


def ability_rows(compiled: CompiledSet) -> list[tuple[int, ...]]:
    """The numbers of each ability of a compiled set."""
    numbers, size = compiled.program.abilities, len(AbilityField)
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


@pytest.mark.rule("OMENX-FX-22")
def test_abilities_work_where_their_cards_are_played() -> None:
    compiled = compile_files([sets.load(house()).data])
    homes = {}
    for fields in ability_rows(compiled):
        homes[compiled.faces[fields[AbilityField.CARD]].id] = Zone(fields[AbilityField.IN])
    assert homes["wide_gates"] == homes["tide_reader"] == Zone.CITY
    assert homes["the_just"] == homes["laurel"] == homes["fair_wind"] == Zone.HAND
    data = house()
    card(data, "laurel")["abilities"].append({"hook": "end_game", "in": "used", "do": [{"op": "score"}]})
    compiled = compile_files([sets.load(data).data])
    laurel = compiled.index("laurel")
    rows = [fields for fields in ability_rows(compiled) if fields[AbilityField.CARD] == laurel]
    assert [fields[AbilityField.IN] for fields in rows] == [Zone.HAND, Zone.USED]


def test_the_schema_describes_every_effect() -> None:
    text = json.dumps(OMEGA_SOURCE.schema())
    for name in ("take_coins", "choose_city", "each_city", "half_down", "lowest:cost"):
        assert f'"{name}"' in text


def test_the_files_lie_in_the_pack() -> None:
    for source in (OMEGA_SOURCE, TRAITS_SOURCE):
        assert all(isinstance(path, Path) and path.is_file() for path in source.own_files)
