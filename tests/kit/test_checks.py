"""Every check of the kit fails on a pack with the fault that it is there for, and names it."""

from __future__ import annotations

import os
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from gamepacks.api import Game
from gamepacks.api.kit import CATALOGUE, CheckFailed, Subject, run_all
from gamepacks.api.kit.values import written_since
from tests.kit.faulty import card_sets, metadata, play, recorded, scenes, secrets, values
from tests.kit.faulty.base import FAULTS
from tests.support.games import kuhn
from tests.support.games.kuhn import KuhnGame

FAULTY = (metadata, card_sets, values, scenes, play, secrets, recorded)
"""Importing them has entered their games into FAULTS."""
BY_NAME = {check.name: check for check in CATALOGUE}
GOLDEN = Path(kuhn.__file__).parent / "golden"


@pytest.mark.parametrize(("check", "game", "words"), FAULTS, ids=[f"{c}-{g.__name__}" for c, g, _ in FAULTS])
def test_a_check_catches_the_fault_that_it_is_there_for(check: str, game: type[Game[Any]], words: str) -> None:
    subject = Subject(game, games=8, golden=GOLDEN)
    with pytest.raises(CheckFailed) as failed:
        BY_NAME[check].run(subject)
    assert re.search(words, str(failed.value)), str(failed.value)
    # Where it happened is named too.
    assert re.search(r"\[.+\]$", str(failed.value))


def test_files_that_were_written_since_the_process_began_are_named(tmp_path: Path, monkeypatch: Any) -> None:
    file = tmp_path / "fresh.py"
    file.write_text("")
    fresh = types.ModuleType("fresh")
    fresh.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "fresh", fresh)
    then = file.stat().st_mtime
    assert "fresh" not in written_since(then)
    os.utime(file, (then + 60, then + 60))
    assert "fresh" in written_since(then)


def test_every_check_has_a_fault_that_it_catches() -> None:
    assert {check for check, _, _ in FAULTS} == set(BY_NAME)
    assert {game.__module__ for _, game, _ in FAULTS} == {module.__name__ for module in FAULTY}


def test_the_catalogue_says_what_each_check_proves_and_costs() -> None:
    assert len(BY_NAME) == len(CATALOGUE) == 21
    for check in CATALOGUE:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", check.name)
        assert check.proves.endswith(".")
        assert check.cost


def test_a_failing_check_does_not_stop_the_others() -> None:
    class Wordless(KuhnGame):
        def label(self, state: Any, code: Any) -> str:
            raise LookupError("no words")

    outcomes = {outcome.check.name: outcome for outcome in run_all(Subject(Wordless, games=4, golden=GOLDEN))}
    assert list(outcomes) == list(BY_NAME)
    failed = outcomes["typed-actions"]
    assert not failed.passed
    assert re.search(
        r"the pack raised LookupError at tests\.kit\.test_checks:\d+: no words \[2 players; walk seed 1, ply 0\]",
        failed.note,
    )
    assert outcomes["returns"].passed
    assert outcomes["returns"].note == "from -1 to 1"
    assert all(outcome.seconds >= 0 for outcome in outcomes.values())


def test_the_same_seed_checks_the_same() -> None:
    """The check of speed reports what it has measured, and that of determinism always the same."""
    checks = [check for check in CATALOGUE if check.name not in ("speed", "determinism")]
    subjects = [Subject(KuhnGame, seed=5, games=6) for _ in range(2)]
    first, second = ([check.run(subject) for check in checks] for subject in subjects)
    assert first == second


def test_configurations_cover_player_counts_and_options() -> None:
    names = [setup.name for setup in Subject(KuhnGame).setups()]
    assert names == [
        "2 players",
        "3 players",
        "2 players, ranks=3",
        "3 players, ranks=13",
        "2 players, deals=5",
        "3 players, order=rotating",
    ]


@pytest.mark.parametrize("games", [1, 4])
def test_changes_share_setups_where_there_are_fewer_games_than_changes(games: int) -> None:
    """A setup has one value of an option, so that two values of one option need two setups."""
    assert [walk.setup.name for walk in Subject(KuhnGame, games=games).walks()] == [
        "2 players",
        "3 players",
        "2 players, ranks=3, deals=5",
        "3 players, ranks=13, order=rotating",
    ]
