"""``omnilude cards``, and card sets in the commands that play, serve and prove."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from typer.testing import Result

from gamepacks.api import Budget, Fault, InvalidOptions
from omnilude import Client, Open, ServiceBot
from omnilude.errors import CardSetNotLoaded
from omnilude.local import RulesNotInstalled
from omnilude_cli import local_packs
from omnilude_cli.installed_bot import InstalledBot
from omnilude_cli.rendering import view_renderer
from omnilude_cli.service import private_service
from tests.support.games import suits
from tests.support.installed import install

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def site(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tiny game with cards is installed, here and for processes that are started."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "suits-pack", "1.5", {"suits": "tests.support.games.suits:PACK"})
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(Path(__file__).parents[2])]))
    monkeypatch.delenv("OMNILUDE_CARD_SETS", raising=False)
    local_packs.registry.cache_clear()
    yield
    local_packs.registry.cache_clear()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(suits.MY_SET, encoding="utf-8")
    return path


def test_valid_file_is_reported_with_its_counts(run: Run, mine: Path) -> None:
    shown = run("cards", "check", mine)
    assert shown.exit_code == 0, shown.stderr
    first, *warnings = shown.stdout.splitlines()
    digest = suits.SOURCE.read(mine).card_set.digest.hex()[:12]
    assert first == (f'valid  {mine}: suits, card set "mine" (My suits, transcribed), digest {digest}...; 3 cards')
    assert warnings == ["  warning: mine.yaml:6: low: worth: worth nothing"]


def test_file_of_the_pack_is_valid_and_refusing_options_give_warnings(run: Run, tmp_path: Path) -> None:
    house, short = suits.SOURCE.own_files
    shown = run("cards", "check", house, short)
    assert shown.exit_code == 0
    assert [line.split(":")[0] for line in shown.stdout.splitlines()] == [f"valid  {house}", f"valid  {short}"]
    two = tmp_path / "two.yaml"
    two.write_text(suits.MY_SET.replace("id: mine", "id: two").replace("n: 0", "n: 1"), encoding="utf-8")
    three = run("cards", "check", two)
    assert "warning" not in three.stdout


def test_options_that_refuse_a_card_set_give_warnings(run: Run, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_state = suits.SuitsGame.initial_state

    def refuse(self: suits.SuitsGame) -> suits.SuitsState:
        if self.players == 3 and self.card_set.id == "mine":
            raise InvalidOptions([Fault("card_set", "too few cards")])
        return first_state(self)

    monkeypatch.setattr(suits.SuitsGame, "initial_state", refuse)
    shown = run("cards", "check", mine)
    assert shown.exit_code == 0
    assert "  warning: 3 players with default options refuse it: card_set: too few cards\n" in shown.stdout
    assert "2 players" not in shown.stdout


def test_every_fault_of_every_file_is_reported(run: Run, mine: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(
        suits.MY_SET.replace("n: 9", "n: 90").replace("id: low", "id: high"), encoding="utf-8"
    )
    (tmp_path / "odd.json").write_text("[", encoding="utf-8")
    (tmp_path / "taken.yaml").write_text(suits.MY_SET.replace("id: mine", "id: house-1"), encoding="utf-8")
    shown = run("cards", "check", tmp_path)
    assert shown.exit_code == 1
    assert shown.stderr == "error: 3 of 4 card files are invalid\n"
    lines = shown.stdout.splitlines()
    bad = lines.index(f"INVALID  {tmp_path / 'bad.yaml'}")
    assert lines[bad + 1] == "  bad.yaml:7: high: worth[0].n: must be at most 9"
    odd = lines.index(f"INVALID  {tmp_path / 'odd.json'}")
    assert lines[odd + 1].startswith("  odd.json:1: not JSON: ")
    taken = lines.index(f"INVALID  {tmp_path / 'taken.yaml'}")
    assert lines[taken + 1] == "  taken.yaml: id: the id 'house-1' belongs to the pack's own set; choose another one"


def test_pack_with_invalid_cards_of_its_own_is_named(
    run: Run, mine: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("broken")
    install(folder, "broken-pack", "1", {"broken": "no_such_module"})
    monkeypatch.syspath_prepend(folder)
    mine.write_text(suits.MY_SET.replace("game: suits", "game: broken"), encoding="utf-8")
    shown = run("cards", "check", mine)
    assert shown.exit_code == 1
    assert "  not loaded: the pack broken: ModuleNotFoundError at " in shown.stderr


def test_missing_files_are_refused(run: Run, tmp_path: Path) -> None:
    missing = run("cards", "check", tmp_path / "none.yaml")
    assert missing.exit_code == 1
    assert missing.stderr == f"error: {tmp_path / 'none.yaml'}: the file or folder does not exist\n"
    empty = run("cards", "check", tmp_path)
    assert empty.stderr == f"error: there are no card files: {tmp_path}\n"


def test_schema_is_printed_as_json(run: Run) -> None:
    shown = run("cards", "schema", "suits")
    assert json.loads(shown.stdout) == suits.SOURCE.schema()
    other = run("cards", "schema", "ominoes")
    assert other.exit_code == 1
    assert other.stderr.startswith("error: there is no game with cards 'ominoes'\n  there are: ")


def test_games_card_sets_are_listed(run: Run, mine: Path) -> None:
    shown = run("games", "suits", "--card-sets", mine)
    for words in ("House suits (house-1), a house set", "Short suits (short-1)", "My suits (mine)"):
        assert words in shown.stdout
    assert "My suits" not in run("games", "suits").stdout


def test_own_card_set_is_played_drawn_verified_and_shown(
    run: Run, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = tmp_path / "match.omr"
    flags = ["--card-sets", mine, "-o", "card_set=mine", "--opponents", "random", "--save", replay]
    shown = run("play", "suits", *flags, input="high\n")
    assert shown.exit_code == 0, shown.stdout + shown.stderr
    assert "My suits: low" in shown.stdout
    with_cards = run("replay", "verify", replay, "--card-sets", mine)
    assert with_cards.exit_code == 0
    displayed = run("replay", "show", replay, "--card-sets", mine)
    digest = suits.SOURCE.read(mine).card_set.digest.hex()
    assert f"  cards: My suits (mine), digest {digest}\n" in displayed.stdout
    assert "take high" in displayed.stdout
    # Without the set nothing is claimed, and it is said what is missing; an environment variable does as well.
    without = run("replay", "verify", replay)
    assert without.exit_code == 1
    assert f"card set 'mine' of game 'suits' with the digest {digest[:12]}... is not loaded" in without.stdout
    assert "(CARD_SET_NOT_LOADED)" in without.stdout
    codes = run("replay", "show", replay)
    assert "is not loaded (see --card-sets): steps are shown by their codes" in codes.stdout
    assert "code 1" in codes.stdout
    monkeypatch.setenv("OMNILUDE_CARD_SETS", str(mine))
    assert run("replay", "verify", replay).exit_code == 0
    # Another set of the same id is not taken for it.
    mine.write_text(suits.MY_SET.replace("n: 9", "n: 8"), encoding="utf-8")
    local_packs.registry.cache_clear()
    other = run("replay", "verify", replay)
    assert other.exit_code == 1
    assert "is not loaded; the loaded one has the digest " in other.stdout


def test_invalid_card_file_stops_play_before_a_service_starts(run: Run, mine: Path) -> None:
    mine.write_text(suits.MY_SET.replace("n: 9", "n: 90"), encoding="utf-8")
    shown = run("play", "suits", "--card-sets", mine)
    assert shown.exit_code == 1
    assert shown.stderr == ("error: invalid card file\n  mine.yaml:7: high: worth[0].n: must be at most 9\n")


def test_operator_adds_card_sets_to_a_service(mine: Path, tmp_path: Path) -> None:
    with private_service(card_sets=[mine.parent]) as target, Client(target) as client:
        (game,) = [game for game in client.catalog().games if game.name == "games/suits"]
        assert [cards.id for cards in game.card_sets] == ["house-1", "short-1", "mine"]
        match = client.create("suits", [Open(), ServiceBot("random")], options={"card_set": "mine"})
        assert match.created.card_set_digest == game.card_sets[2].digest
        # Who has not the set can draw only the fields; who has it, the board.
        seat = match.join("ann", 0)
        view = seat.observation().view
        assert view_renderer(match.created)(view).startswith('table: "low"')
        assert view_renderer(match.created, mine)(view) == "My suits: low high middle"


def test_bot_without_the_card_set_reports_it(mine: Path) -> None:
    with private_service(card_sets=[mine]) as target, Client(target) as client:
        match = client.create("suits", [Open(), ServiceBot("random")], options={"card_set": "mine"}).created
    table = SimpleNamespace(match=match, memory={}, rng=Random(1), local_game=None)
    with pytest.raises(RulesNotInstalled, match=r"the card set of matches/\w+ is not installed here: see --card-sets"):
        InstalledBot("random", Budget()).on_start(table)  # type: ignore[arg-type]
    InstalledBot("random", Budget(), mine).on_start(table)  # type: ignore[arg-type]
    assert table.local_game.card_set.id == "mine"


def test_missing_card_set_of_a_stored_match_is_reported_to_the_client(mine: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    with private_service(folder=folder, card_sets=[mine]) as target, Client(target) as client:
        name = client.create("suits", [Open(), Open()], options={"card_set": "mine"}).name
    with private_service(folder=folder) as target, Client(target) as client:
        with pytest.raises(CardSetNotLoaded) as error:
            client.match(name).observation()
        assert error.value.metadata["card_set"] == "mine"
