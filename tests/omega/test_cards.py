"""Card sets: every rule of validation of section 16 of RULES.md, with the file, card and field that it names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.cards import CardFault, CardFileError, load_libraries
from gamepacks.api.errors import InvalidOptions
from gamepacks.omega import Omega
from gamepacks.omega.cards import SOURCE, OmegaCards
from tests.omega.fixtures import PLAIN_TOKENS, F, book, values
from tests.omega.scenario import OmegaScenario
from tests.support.card_files import card_data

HOUSE = SOURCE.own_files[0]


def edited(tmp_path: Path, *changes: tuple[str, Any]) -> Path:
    """The house set with other values at some places (``egregors.3.snake``); None takes the field away."""
    data: Any = card_data(HOUSE)
    for place, value in changes:
        *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        inside = data
        for part in path:
            inside = inside[part]
        if value is None:
            del inside[last]
        else:
            inside[last] = value
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False), encoding="utf-8")
    return file


def faults(path: Path) -> list[CardFault]:
    with pytest.raises(CardFileError) as caught:
        SOURCE.read(path)
    for fault in caught.value.faults:
        assert fault.file == path.name
        assert fault.message
    return list(caught.value.faults)


def power(*effects: dict[str, Any], trigger: str = "book") -> list[dict[str, Any]]:
    return [{"trigger": trigger, "effects": list(effects)}]


ADVANCE = {"op": "advance", "n": 1}
KEY = {"op": "key", "n": 1}
PRESTIGE = {"counter": "prestige"}


def points(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, **fields}


@pytest.mark.parametrize(
    ("place", "value", "card", "field"),
    [
        ("egregors.7.id", "E01", "E01", "id"),
        ("egregors.7.id", "", "egregors[7]", "id"),
        ("egregors.7.id", None, "egregors[7]", "id"),
        ("egregors.7.name", None, "E08", "name"),
        ("egregors.7.name", 41 * "x", "E08", "name"),
        ("egregors.7.snake", -1, "E08", "snake"),
        ("egregors.7.snake", 11, "E08", "snake"),
        ("egregors.7.snake", "5", "E08", "snake"),
        ("egregors.7.snake", 1.5, "E08", "snake"),
        ("egregors.7.snake", None, "E08", "snake"),
        ("egregors.7.thrust", -1, "E08", "thrust"),
        ("egregors.7.thrust", None, "E08", "thrust"),
        ("egregors.7.renegade", "yes", "E08", "renegade"),
        ("egregors.7.primitive", 1, "E08", "primitive"),
        ("egregors.7.cost", 3, "E08", "cost"),
        ("egregors.7.powers", power(ADVANCE, trigger="always"), "E08", "powers[0].trigger"),
        ("egregors.7.powers", power(), "E08", "powers[0].effects"),
        ("egregors.7.powers", power({"op": "fly", "n": 1}), "E08", "powers[0].effects[0]"),
        ("egregors.7.powers", power({"n": 1}), "E08", "powers[0].effects[0]"),
        ("egregors.7.powers", power({"op": "advance"}), "E08", "powers[0].effects[0].n"),
        ("egregors.7.powers", power({"op": "advance", "n": 0}), "E08", "powers[0].effects[0].n"),
        ("egregors.7.powers", power({"op": "draw", "n": -2}), "E08", "powers[0].effects[0].n"),
        ("egregors.7.powers", power({"op": "cycle", "n": 0}), "E08", "powers[0].effects[0].n"),
        ("egregors.7.powers", power({"op": "key", "n": 0}), "E08", "powers[0].effects[0].n"),
        ("egregors.7.powers", power({"op": "draw", "n": 1, "color": "purple"}), "E08", "powers[0].effects[0].color"),
        ("egregors.7.powers", power({"op": "advance", "n": 1, "color": "red"}), "E08", "powers[0].effects[0].color"),
        ("egregors.7.powers", power({"op": "key", "n": 1, "color": "red"}), "E08", "powers[0].effects[0].color"),
        ("egregors.7.powers", power(KEY, ADVANCE), "E08", "powers[0]"),
        ("egregors.7.powers", power(ADVANCE, KEY), "E08", "powers[0]"),
        ("egregors.7.powers", power(KEY) + power(KEY, trigger="lightning"), "E08", ""),
        ("egregors.7.powers", [{"trigger": "book", "effects": [ADVANCE], "text": "x"}], "E08", "powers[0].text"),
        ("egregors.41", None, "", "egregors"),
        ("arcana.3.id", "a01", "a01", "id"),
        ("arcana.3.copies", 0, "a04", "copies"),
        ("arcana.3.copies", 4, "", "arcana"),
        ("arcana.3.copies", 2, "", "arcana"),
        ("arcana.3.color", "red", "a04", "color"),
        ("arcana.3.points", None, "a04", "points"),
        ("arcana.3.points", points("guess", n=1), "a04", "points"),
        ("arcana.3.points", points("fixed"), "a04", "points.n"),
        ("arcana.3.points", points("fixed", n="many"), "a04", "points.n"),
        ("arcana.3.points", points("fixed", n=1, what=PRESTIGE), "a04", "points.what"),
        ("arcana.3.points", points("per", n=1), "a04", "points.what"),
        ("arcana.3.points", points("per", n=1, what=PRESTIGE, each=0), "a04", "points.each"),
        ("arcana.3.points", points("per", n=1, what={"counter": "luck"}), "a04", "points.what"),
        (
            "arcana.3.points",
            points("per", n=1, what={"counter": "prestige", "color": "red"}),
            "a04",
            "points.what.color",
        ),
        (
            "arcana.3.points",
            points("per", n=1, what={"counter": "runes_on_egregors", "color": "pink"}),
            "a04",
            "points.what.color",
        ),
        ("arcana.3.points", points("per", n=1, what={"counter": "sets", "colors": []}), "a04", "points.what.colors"),
        ("arcana.3.points", points("per", n=1, what={"counter": "sets"}), "a04", "points.what.colors"),
        (
            "arcana.3.points",
            points("per", n=1, what={"counter": "egregors", "filter": {"big": True}}),
            "a04",
            "points.what.filter.big",
        ),
        (
            "arcana.3.points",
            points("per", n=1, what={"counter": "egregors", "filter": {"trigger": "sometimes"}}),
            "a04",
            "points.what.filter.trigger",
        ),
        ("arcana.3.points", points("if", what=PRESTIGE, cmp="<", value=1, n=1), "a04", "points.cmp"),
        ("arcana.3.points", points("if", what=PRESTIGE, cmp=">=", n=1), "a04", "points.value"),
        ("arcana.3.points", points("most", what=PRESTIGE, n=1, tie="some"), "a04", "points.tie"),
        ("arcana.3.points", points("most", what=PRESTIGE, n=1), "a04", "points.tie"),
        ("arcana.3.points", points("table", what=PRESTIGE, values=[]), "a04", "points.values"),
        ("arcana.3.points", points("sum", of=[]), "a04", "points.of"),
        ("arcana.3.points", points("sum", of=[{"kind": "fixed"}]), "a04", "points.of[0].n"),
        ("disc.squares", 0, "", "disc.squares"),
        ("disc.squares", None, "", "disc.squares"),
        ("disc.eye_offset", 0, "", "disc.eye_offset"),
        ("disc.eye_offset", 1000, "", "disc"),
        ("disc.source", None, "", "disc.source"),
        ("disc.altars", 2, "", "disc.altars"),
        ("disc", None, "", "disc"),
        ("runes.blue", 26, "", "runes.blue"),
        ("runes.pink", 3, "", "runes.pink"),
        ("schema", 2, "", "schema"),
        ("status", "printed", "", "status"),
        ("game", "omen", "", "game"),
        ("title", None, "", "title"),
        ("author", "me", "", "author"),
    ],
)
def test_each_fault_names_file_card_and_field(place: str, value: Any, card: str, field: str, tmp_path: Path) -> None:
    found = faults(edited(tmp_path, (place, value)))
    assert [(fault.card, fault.field) for fault in found] == [(card, field)]
    assert all(fault.line for fault in found)


def test_all_faults_of_a_file_are_named(tmp_path: Path) -> None:
    path = edited(tmp_path, ("egregors.0.snake", 12), ("egregors.9.thrust", -3), ("arcana.2.copies", "two"))
    assert [(fault.card, fault.field) for fault in faults(path)] == [
        ("E01", "snake"),
        ("E10", "thrust"),
        ("a03", "copies"),
    ]


def test_a_line_leads_to_the_fault(tmp_path: Path) -> None:
    path = edited(tmp_path, ("egregors.9.thrust", -3))
    (fault,) = faults(path)
    line = path.read_text(encoding="utf-8").splitlines()[fault.line - 1]
    assert line.strip() == "thrust: -3"


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "id: [", "id: x\nid: y\n"])
def test_a_file_that_holds_no_set_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    assert faults(path)


def test_two_sets_with_one_id_are_refused(tmp_path: Path) -> None:
    _, broken = load_libraries([edited(tmp_path)], {"omega": SOURCE})
    assert "house-1" in broken[0].summary and "taken" in broken[0].summary


def test_an_owners_set_is_played_by_its_id_and_digest(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("id", "mine"), ("status", "transcribed"), ("title", "My cards"), ("egregors.0.name", "Kheph")
    )
    libraries, broken = load_libraries([path], {"omega": SOURCE})
    assert not broken
    game = Omega.configure(2, {"card_set": "mine"}, libraries["omega"])
    assert game.cards.egregors[0].name == "Kheph"
    assert (game.card_set.title, game.card_set.house) == ("My cards", False)
    house = Omega.configure(2, {}, libraries["omega"])
    assert house.cards.egregors[0].name == "Khep"
    assert house.card_set.digest != game.card_set.digest
    assert game.view(game.initial_state(), -1).card_set == "My cards"
    with pytest.raises(InvalidOptions):
        Omega.configure(2, {"card_set": "mine"})


def test_a_contradiction_to_the_rulebook_gives_a_warning(tmp_path: Path) -> None:
    assert SOURCE.read(HOUSE).warnings == ()
    names = [card.name for card in SOURCE.read(HOUSE).data.egregors]
    syphus, pysos, nodo = (names.index(name) for name in ("Syphus", "Pysos", "Nodo"))
    path = edited(
        tmp_path, (f"egregors.{syphus}.snake", 3), (f"egregors.{pysos}.snake", 1), (f"egregors.{nodo}.powers", [])
    )
    warnings = {(warning.card, warning.field) for warning in SOURCE.read(path).warnings}
    assert warnings == {("E03", "snake"), ("E04", "snake"), ("E02", "powers")}


def test_the_house_set_is_marked_as_one_and_agrees_with_the_rulebook() -> None:
    game = Omega.configure(2)
    assert game.card_set.house and game.cards.status == "house"
    assert "not the printed cards" in game.card_set.title
    assert game.view(game.initial_state(), -1).card_set == game.card_set.title
    cards = {card.name: card for card in game.cards.egregors}
    assert len(cards) == 42 and "Khep" in cards
    assert (cards["Syphus"].snake, cards["Pysos"].snake) == (4, 0)
    assert [power.trigger for power in cards["Nodo"].powers] == ["book"]
    assert sum(token.copies for token in game.cards.arcana) == 42
    # All of the vocabulary is used: each effect, trait and kind of formula.
    effects = {effect.op for card in cards.values() for power in card.powers for effect in power.effects}
    assert effects == {"advance", "draw", "cycle", "key"}
    assert any(card.renegade for card in cards.values()) and any(card.primitive for card in cards.values())
    assert all(token.text for token in game.cards.arcana)


def test_a_set_at_the_edges_of_what_is_allowed_plays() -> None:
    """The largest numbers that a file may have, on a disc of one square."""
    effects = (("advance", 42), ("draw", 42), ("cycle", 42), ("advance", 42))
    cards = {f"X{n}": F(10, 100, book(*effects), book(*effects), book(*effects), book(("key", 42))) for n in range(42)}
    tokens = tuple({**token, "copies": 21} for token in PLAIN_TOKENS)
    scenario = OmegaScenario(4, cards, set_={"squares": 1, "eye": 1, "tokens": tokens}, max_turns=24)
    rng = Rng(1)
    for _ in range(2_500):
        if scenario.state.actor() == TERMINAL:
            break
        chance = scenario.state.actor() == CHANCE
        scenario.take_code(rng.weighted(scenario.state.chance()) if chance else rng.choice(scenario.state.legal()))
    assert sum(scenario.held(seat) for seat in range(4)) == 42


def test_fixtures_pass_the_same_checks() -> None:
    assert len(values()["egregors"]) == 42


def test_a_type_given_twice_in_a_set_is_refused() -> None:
    for colors, good in ((("white", "red"), True), (("white", "white"), False), (("red", "white", "red"), False)):
        what = {"counter": "sets", "colors": colors}
        content = values(tokens=({"id": "it", "copies": 42, "points": {"kind": "per", "what": what, "n": 2}},))
        if good:
            OmegaCards.model_validate(content)
        else:
            with pytest.raises(ValidationError, match="repeated: a set has one rune of each"):
                OmegaCards.model_validate(content)
