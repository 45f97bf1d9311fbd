"""Card sets as data: the contents of files, messages about faults, and the sets that a game knows."""

from __future__ import annotations

import json
import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamepacks.api import (
    CardFile,
    CardFileError,
    CardSource,
    InvalidOptions,
    PackError,
    Registry,
    UnknownCardSet,
    hookimpl,
)
from gamepacks.api.cardfiles import MAX_FILE_BYTES, MAX_FILE_VALUES
from gamepacks.api.cards import card_files, digest
from tests.support.games import kuhn, suits
from tests.support.games.suits import SOURCE, SuitsGame

HEAD = "schema: 1\nid: mine\ngame: suits\ntitle: My suits\nstatus: transcribed\n"
CARDS = """cards:
  - {id: a, worth: [{kind: flat, n: 5}]}
  - {id: b, worth: [{kind: flat, n: 3}]}
  - id: c
    worth:
      - kind: per-taken
        n: 2
"""

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str | bytes = HEAD + CARDS, name: str = "mine.yaml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def faults(path: Path, source: CardSource[Any] = SOURCE) -> list[str]:
    with pytest.raises(CardFileError) as error:
        source.read(path)
    assert str(error.value) == "; ".join(map(str, error.value.faults))
    return [str(fault) for fault in error.value.faults]


# -- what a file holds -------------------------------------------------------------------------------------------------


def test_a_file_is_read_and_gets_a_digest(write: Write) -> None:
    loaded = SOURCE.read(write())
    assert [card.id for card in loaded.data.cards] == ["a", "b", "c"]
    assert (loaded.card_set.id, loaded.card_set.title, loaded.card_set.house) == ("mine", "My suits", False)
    assert len(loaded.card_set.digest) == 32
    assert loaded.warnings == ()


def test_the_digest_is_of_what_the_set_says_not_of_its_layout(write: Write) -> None:
    first = SOURCE.read(write()).card_set.digest
    text = "# another layout\n" + CARDS.replace(
        "{id: a, worth: [{kind: flat, n: 5}]}", "worth: [{n: 5, kind: flat}]\n    id: a"
    )
    assert SOURCE.read(write(text + HEAD)).card_set.digest == first
    as_json = {"id": "mine", "game": "suits", "title": "My suits", "status": "transcribed"}
    as_json["cards"] = json.loads(SOURCE.read(write()).data.model_dump_json())["cards"]
    assert SOURCE.read(write(json.dumps(as_json), "mine.json")).card_set.digest == first, "defaults count as left out"
    for change in (("n: 5", "n: 4"), ("id: a,", "id: d,"), ("My suits", "Your suits"), ("id: mine", "id: yours")):
        assert SOURCE.read(write((HEAD + CARDS).replace(*change))).card_set.digest != first, change


def test_a_field_that_a_later_version_adds_changes_no_digest(write: Write) -> None:
    class LaterCards(suits.SuitCards):
        author: str | None = None

    later = CardSource("suits", LaterCards)
    assert later.read(write()).card_set.digest == SOURCE.read(write()).card_set.digest
    assert digest(later.read(write(HEAD + "author: ann\n" + CARDS)).data) != SOURCE.read(write()).card_set.digest


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("No", "No"),
        ("2026-11-28", "2026-11-28"),
        ("1:30", "1:30"),
        ("<<", "<<"),
        ("'5'", "5"),
        ("0o17", 15),
        ("0x1F", 31),
        ("017", 17),
        ("-5", -5),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("~", None),
        ("", None),
        ("null", None),
        ("[1, [a, b]]", (1, ("a", "b"))),
        ("{on: 1, 2: b, true: c}", {"on": 1, "2": "b", "true": "c"}),
    ],
)
def test_yaml_means_what_version_1_2_says(write: Write, text: str, value: object) -> None:
    class Anything(CardFile):
        value: Any

    loaded = CardSource("suits", Anything).read(write(HEAD + f"value: {text}\n"))
    assert loaded.data.value == value
    assert type(loaded.data.value) is type(value)


# -- faults ------------------------------------------------------------------------------------------------------------


def test_every_fault_is_named_with_line_card_and_field(write: Write) -> None:
    text = (HEAD + CARDS).replace("n: 5", "n: 50").replace("n: 2", "n: two").replace("title: My suits\n", "")
    assert faults(write(text)) == [
        "mine.yaml:1: title: it is missing",
        "mine.yaml:6: a: worth[0].n: must be at most 9",
        "mine.yaml:11: c: worth[0].n: must be a whole number",
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("id: b", "idd: b", "mine.yaml:8: cards[1]: id: it is missing"),
        ("id: b", "idd: b", "mine.yaml:8: cards[1]: idd: there is no such field; did you mean id?"),
        ("id: b", 'id: "b\\n"', None),
        ("kind: per-taken", "kind: per-tooken", "mine.yaml:11: c: worth[0]: "),
        ("n: 3", "m: 3", "mine.yaml:8: b: worth[0].n: it is missing"),
        ("schema: 1", "schema: 2", "mine.yaml:1: schema: must be 1"),
        ("id: mine", "id: Mine!", "mine.yaml:2: id: must have small letters, digits and hyphens"),
        ("game: suits", "game: omega", "mine.yaml:3: game: must be suits"),
        ("status: transcribed", "status: printed", "mine.yaml:5: status: must be one of house, transcribed, fixture"),
        ("id: b", "id: a", "mine.yaml:8: a: id: the id stands twice"),
        ("n: 5", "n: 5.0", "mine.yaml:7: a: worth[0].n: must be a whole number"),
        ("n: 5", "n: '5'", "mine.yaml:7: a: worth[0].n: must be a whole number"),
        ("n: 5", "n: 5, n: 6", "mine.yaml:7: the key 'n' is repeated"),
        ("n: 5", "n: .inf", "mine.yaml:7: the number is out of range"),
        ("n: 5", "n: 123456789012345678901", "mine.yaml:7: the number is out of range"),
        ("n: 5", "n: !!binary aGk=", "mine.yaml:7: the tag tag:yaml.org,2002:binary is not allowed"),
        ("n: 5", "n: !!python/name:os.system x", "mine.yaml:7: the tag tag:yaml.org,2002:python/name:os.system"),
        ("n: 5", "n: !!set {a, b}", "mine.yaml:7: the tag tag:yaml.org,2002:set is not allowed"),
        ("n: 5", "n: &again [*again]", "mine.yaml:7: nested too deeply"),
        ("n: 5", "[n]: 5", "mine.yaml:7: a key must be a word"),
        ("n: 5}", "n: 5", "mine.yaml:7: not YAML: "),
    ],
)
def test_a_fault_says_where(write: Write, old: str, new: str, fault: str | None) -> None:
    assert old in HEAD + CARDS
    path = write((HEAD + CARDS).replace(old, new, 1))
    if fault is None:
        assert SOURCE.read(path).data.cards[1].id == "b\n"
    else:
        found = faults(path)
        assert any(line.startswith(fault) for line in found), found


def test_findings_of_the_game_itself_are_faults_all_of_them(write: Write) -> None:
    two = "cards:\n  - {id: a, worth: [{kind: flat, n: 0}]}\n  - {id: a, worth: [{kind: flat, n: 3}]}\n"
    assert faults(write(HEAD + two)) == [
        "mine.yaml:8: a: id: the id stands twice",
        "mine.yaml:6: cards: 2 cards are too few; from 3",
    ]


def test_remark_is_not_a_fault(write: Write) -> None:
    (warning,) = SOURCE.read(write((HEAD + CARDS).replace("n: 5", "n: 0"))).warnings
    assert str(warning) == "mine.yaml:7: a: worth: worth nothing"


def test_a_model_that_takes_any_game_is_held_to_its_source(write: Write) -> None:
    class Any_(CardFile):
        cards: Any

    assert faults(write(), CardSource("chess", Any_)) == ["mine.yaml:3: game: it is of the game 'suits', not 'chess'"]


@pytest.mark.parametrize(
    ("text", "name", "fault"),
    [
        ("", "mine.yaml", "mine.yaml:1: it must be one mapping of fields"),
        ("- a\n", "mine.yaml", "mine.yaml:1: it must be one mapping of fields"),
        ("a: 1\n---\nb: 2\n", "mine.yaml", "mine.yaml:2: not YAML: "),
        ("a: \x00\n", "mine.yaml", "mine.yaml: not YAML: "),
        (b"a: b\nc: \xff\n", "mine.yaml", "mine.yaml:2: not UTF-8 text"),
        ("a" * (MAX_FILE_BYTES + 1), "mine.yaml", f"mine.yaml: it has more than {MAX_FILE_BYTES} bytes"),
        ("a: " + "[" * 5000, "mine.yaml", "mine.yaml"),
        ("x", "mine.txt", "mine.txt: its name must end in .yaml, .yml, .json"),
        ("{", "mine.json", "mine.json:1: not JSON: "),
        ('{"a": 1,\n "a": 2}', "mine.json", "mine.json: the key 'a' is repeated"),
        ('{"a": NaN}', "mine.json", "mine.json: not JSON: NaN is not a number"),
        ('{"a": ' + "9" * 5000 + "}", "mine.json", "mine.json: not JSON: a number is out of range"),
        ("[" * 5000, "mine.json", "mine.json"),
        ("[" * 100 + "]" * 100, "mine.json", "mine.json: nested too deeply"),
    ],
)
def test_file_without_cards_is_refused(write: Write, text: str | bytes, name: str, fault: str) -> None:
    (found,) = faults(write(text, name))
    assert found.startswith(fault)


def test_aliases_cannot_make_a_small_file_large(write: Write) -> None:
    levels = "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 20)}]\n" for n in range(1, 9))
    assert faults(write("x0: &x0 [1]\n" + levels)) == [f"mine.yaml: it has more than {MAX_FILE_VALUES} values"]


def test_an_alias_is_the_same_value_again(write: Write) -> None:
    text = (HEAD + CARDS).replace("[{kind: flat, n: 5}]", "&best [{kind: flat, n: 5}]")
    text = text.replace("[{kind: flat, n: 3}]", "*best")
    assert SOURCE.read(write(text)).data.cards[1].worth == SOURCE.read(write(text)).data.cards[0].worth


def test_faults_in_json_have_lines_too(write: Write) -> None:
    head = '{"id": "mine",\n "game": "suits", "title": "t", "status": "house",\n'
    text = head + ' "cards": [\n  {"id": "a",\n   "worth": []}]}'
    assert "mine.json:5: a: worth: must have at least 1 entry" in faults(write(text, "mine.json"))[0]
    long = "k" * 2000
    found = faults(write(text.replace('"id": "a"', f'"{long}": 1, "id": "a"'), "mine.json"))
    assert f"mine.json: a: {long}: there is no such field; there are: art" in found, (
        "no YAML, so no lines, but all the rest"
    )


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert faults(tmp_path / "mine.yaml") == ["mine.yaml: No such file or directory"]
    (tmp_path / "folder.yaml").mkdir()
    assert faults(tmp_path / "folder.yaml") == ["folder.yaml: Is a directory"]


def test_the_schema_is_for_editors() -> None:
    schema = SOURCE.schema()
    assert schema["$schema"].endswith("/2020-12/schema")
    assert schema["title"] == "Card set of suits"
    assert set(schema["required"]) == {"id", "game", "title", "status", "cards"}
    assert "schema" in schema["properties"] and schema["additionalProperties"] is False
    json.dumps(schema)


# -- which sets a game knows -------------------------------------------------------------------------------------------


def test_the_first_own_set_is_the_default_and_the_options_in_force_name_it() -> None:
    game = SuitsGame.configure(2)
    assert game.card_set is not None
    assert (game.card_set.id, game.options.card_set, game.card_set.house) == ("house-1", "house-1", True)
    assert game.options_message().card_set == "house-1"  # type: ignore[attr-defined]
    assert SuitsGame.configure(2, game.options_message()).card_set == game.card_set
    assert SuitsGame.configure(2, {"card_set": "short-1"}).card_set == SOURCE.own.pick("short-1").card_set


@pytest.mark.parametrize("name", ["mine", str(SOURCE.own_files[0]), "suits-house.yaml", "../suits-house.yaml", "HOUSE"])
def test_a_set_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(InvalidOptions) as error:
        SuitsGame.configure(2, {"card_set": name})
    (fault,) = error.value.faults
    assert fault.field == "card_set"
    if len(name) <= 40:
        assert fault.message == f"there is no card set {name!r}; card sets: house-1, short-1"


def test_own_sets_have_different_ids(write: Write) -> None:
    with pytest.raises(CardFileError, match="the id 'mine' is taken by another set of the pack"):
        _ = CardSource("suits", suits.SuitCards, write(), write(name="again.yaml")).own


def test_a_library_goes_to_other_processes(write: Write) -> None:
    library = SOURCE.own.with_set(SOURCE.read(write()))
    again = pickle.loads(pickle.dumps(library))
    assert again.ids == library.ids == ("house-1", "short-1", "mine")
    assert again.pick("mine") == library.pick("mine")
    with pytest.raises(UnknownCardSet) as error:
        again.pick("other")
    assert error.value.known == library.ids


def test_the_registry_puts_sets_of_the_operator_beside_the_own_ones(write: Write, tmp_path: Path) -> None:
    write()
    write((HEAD + CARDS).replace("id: mine", "id: yours"), "yours.json.yaml")
    write("no card file", "README.md")
    registry = Registry.load(only=(), extra=[kuhn.PACK, suits.PACK], strict=True, card_sets=[tmp_path])
    entry = registry.game("suits")
    assert [cards.id for cards in entry.card_sets] == ["house-1", "short-1", "mine", "yours"]
    assert entry.configure(2, {"card_set": "yours"}).card_set == entry.card_sets[3]
    assert registry.game("kuhn").card_sets == () and registry.game("kuhn").configure(2).card_set is None
    # Nothing is global: another registry knows nothing of it.
    with pytest.raises(UnknownCardSet):
        Registry.load(only=(), extra=[suits.PACK]).game("suits").configure(2, {"card_set": "yours"})


@pytest.mark.parametrize("error", [KeyError("the text of a card"), SystemExit(1)])
def test_a_file_that_a_packs_model_fails_on_is_left_out(
    error: BaseException, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise error

    write()
    monkeypatch.setattr(type(SOURCE), "check", fail)
    registry = Registry.load(only=(), extra=[kuhn.PACK, suits.PACK], card_sets=[tmp_path])
    (broken,) = registry.broken_cards
    kind = type(error).__name__
    assert broken.summary.startswith(
        f"{broken.path.name}: its game's pack fails on it: {kind} at tests.api.test_cards:"
    )
    assert "text of a card" not in broken.summary
    assert [cards.id for cards in registry.game("suits").card_sets] == ["house-1", "short-1"]


def test_invalid_file_is_left_out_with_all_its_faults(
    write: Write, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write()
    write((HEAD + CARDS).replace("n: 5", "n: 50").replace("id: mine", "id: bad"), "bad.yaml")
    write((HEAD + CARDS).replace("game: suits", "game: omega"), "other.yaml")
    write("cards: []\n", "nameless.yaml")
    write(HEAD + CARDS, "twice.yaml")
    write((HEAD + CARDS).replace("id: mine", "id: house-1"), "usurper.yaml")
    registry = Registry.load(only=(), extra=[suits.PACK], card_sets=[tmp_path])
    assert {broken.path.name: broken.summary for broken in registry.broken_cards} == {
        "bad.yaml": "bad.yaml:7: a: worth[0].n: must be at most 9",
        "other.yaml": "other.yaml:3: game: no game with cards has this id; there are: suits",
        "nameless.yaml": "nameless.yaml:1: game: it must name its game; there are: suits",
        "twice.yaml": "twice.yaml: id: the id 'mine' is taken by mine.yaml",
        "usurper.yaml": "usurper.yaml: id: the id 'house-1' is taken by suits-house.yaml",
    }
    assert [cards.id for cards in registry.game("suits").card_sets] == ["house-1", "short-1", "mine"]
    assert "bad.yaml is left out: bad.yaml:7: a: " in caplog.text
    with pytest.raises(PackError, match=r"card file .*bad\.yaml"):
        Registry.load(only=(), extra=[suits.PACK], card_sets=[tmp_path], strict=True)


def test_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CardFileError, match="nowhere: the file or folder does not exist"):
        Registry.load(only=(), extra=[suits.PACK], card_sets=[tmp_path / "nowhere"])
    assert card_files(tmp_path) == []


class Sourceless(SuitsGame):
    card_source = None  # type: ignore[assignment]


class Foreign(SuitsGame):
    id = "foreign"


class Empty(SuitsGame):
    card_source = CardSource("suits", suits.SuitCards)


class BadOwn(SuitsGame):
    card_source = CardSource("suits", suits.SuitCards, Path(os.devnull))


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        (Sourceless, "card_source is not a CardSource"),
        (Foreign, "card_source belongs to the game 'suits'"),
        (Empty, "card_source has no set of the pack's own"),
        (BadOwn, "null: its name must end in"),
        (type("Optionless", (SuitsGame,), {"options_type": kuhn.KuhnOptions}), "its options are not CardOptions"),
    ],
)
def test_a_game_whose_cards_are_not_in_order_leaves_its_pack_out(game: type[SuitsGame], problem: str) -> None:
    class Pack:
        @hookimpl
        def omnilude_games(self) -> list[type[SuitsGame]]:
            return [game]

    registry = Registry.load(only=(), extra=[Pack(), kuhn.PACK])
    (broken,) = registry.broken
    assert problem in broken.message
    assert list(registry.games) == ["kuhn"]


def test_a_former_version_of_an_own_set_is_played_on_with_and_offered_to_nobody(write: Write) -> None:
    former = write((HEAD + CARDS).replace("id: mine", "id: old-1"), "old.yaml")
    source = CardSource("suits", suits.SuitCards, *SOURCE.own_files, former=[former])
    assert source.own.ids == SOURCE.own.ids and source.own.card_sets == SOURCE.own.card_sets
    assert source.own.pick("old-1") == source.read(former)
    assert source.own.with_set(SOURCE.read(write())).pick("old-1") == source.read(former)
    assert pickle.loads(pickle.dumps(source.own)).find("old-1") == source.read(former)

    class Changed(SuitsGame):
        card_source = source

    game = Changed.configure(2, {"card_set": "old-1"})
    assert game.card_set == source.own.pick("old-1").card_set
    assert Changed.configure(2).options.card_set == "house-1"
    with pytest.raises(CardFileError, match="the id 'house-1' is taken"):
        _ = CardSource("suits", suits.SuitCards, *SOURCE.own_files, former=[SOURCE.own_files[0]]).own


def test_the_sets_of_the_packs_carry_their_version() -> None:
    registry = Registry.load()
    ids = [cards.id for game in registry.games.values() for cards in game.card_sets]
    assert len(ids) >= 5
    assert all(re.fullmatch(r"house(-[a-z]+)?-[1-9]\d*", name) for name in ids), ids
