"""Tournament files: their settings, and the refusal of invalid ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from omnilude.arena.config import TEMPLATE, ConfigError, Tournament, load
from omnilude.arena.schedule import Gauntlet, Knockout, Ladder, RoundRobin, SequentialTest, Swiss

MINIMAL: dict[str, Any] = {
    "game": "ominoes",
    "format": {"kind": "round-robin"},
    "bots": [{"name": "a", "service": "greedy"}, {"name": "b", "python": "bots.py:B"}],
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**MINIMAL, **changes}


def written(tmp_path: Path, data: Any) -> Path:
    path = tmp_path / "tournament.yaml"
    path.write_text(data if isinstance(data, str) else yaml.safe_dump(data))
    return path


def test_template_is_a_tournament(tmp_path: Path) -> None:
    found = load(written(tmp_path, TEMPLATE))
    assert found.game == "ominoes" and [bot.name for bot in found.bots] == ["greedy", "monte-carlo"]


def test_settings_have_defaults(tmp_path: Path) -> None:
    found = load(written(tmp_path, MINIMAL))
    assert (found.seats, found.seed, found.clock.per_move, found.server) == (2, 1, 10.0, None)
    assert found.at_once >= 1
    assert [bot.has_process for bot in found.bots] == [False, True]


@pytest.mark.parametrize(
    ("format", "kind"),
    [
        ({"kind": "round-robin", "rounds": 3}, RoundRobin),
        ({"kind": "gauntlet"}, Gauntlet),
        ({"kind": "swiss", "rounds": 3}, Swiss),
        ({"kind": "knockout"}, Knockout),
        ({"kind": "ladder"}, Ladder),
        ({"kind": "sprt", "elo1": 20}, SequentialTest),
    ],
)
def test_each_format_makes_its_schedule(format: dict[str, Any], kind: type) -> None:
    found = Tournament.model_validate(changed(format=format))
    assert type(found.format.schedule(["a", "b"], 2)) is kind


BOTS = MINIMAL["bots"]
THREE = [*BOTS, {"name": "c", "service": "x"}]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ("[1, 2]", "a mapping with game, format and bots is needed"),
        ("game: [", "expected"),
        (changed(gmae="x"), "gmae: Extra inputs are not permitted"),
        (changed(format={"kind": "league"}), "format: Input tag 'league'"),
        (changed(format={"kind": "swiss"}), "format.swiss.rounds: Field required"),
        (changed(bots=BOTS[:1]), "bots: List should have at least 2 items"),
        (changed(bots=[*BOTS, BOTS[0]]), "two bots are called 'a'"),
        (changed(bots=[*BOTS, {"name": "c"}]), "bot 'c': one of service, python, command, engine is needed, not 0"),
        (changed(bots=[*BOTS, {"name": "c", "service": "x", "python": "y"}]), "is needed, not 2"),
        (changed(bots=[*BOTS, {"name": "../c", "service": "x"}]), "bots.2.name: String should match"),
        (changed(bots=[*BOTS, {"name": "c", "service": "x:0.2s"}]), "'0.2s' is not a number of play-outs, nor a time"),
        (changed(seats=3), "2 bots are too few for matches of 3"),
        (
            changed(format={"kind": "knockout"}, seats=3, bots=[*BOTS, {"name": "c", "service": "x"}]),
            "matches of two seats",
        ),
        (changed(format={"kind": "sprt", "elo0": 9, "elo1": 5}), "elo0 is 9.0, which is not below elo1"),
        (changed(clock={"per_move": None}), "per_move or per_match is needed"),
        (changed(seed=-1), "seed: Input should be greater than or equal to 0"),
    ],
)
def test_invalid_tournament_file_is_refused_with_its_faults(tmp_path: Path, data: Any, fault: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(ConfigError) as refusal:
        load(path)
    assert fault in str(refusal.value) and str(refusal.value).startswith(str(path))


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refusal:
        load(written(tmp_path, changed(seed=-1, at_once=0, game="")))
    assert len(refusal.value.faults) == 3
