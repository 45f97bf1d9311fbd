"""Results and the journal that keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnilude.arena.results import Conduct, Journal, JournalError, MatchResult, Results, read_journal

HEAD = {"game": "kuhn", "seed": 1}


def result(encounter: int, rotation: int, places: tuple[int, ...] = (1, 2), bots: str = "ab") -> MatchResult:
    return MatchResult(
        encounter=encounter,
        rotation=rotation,
        seats=tuple(bots[rotation:] + bots[:rotation]),
        places=places,
        returns=tuple(float(-place) for place in places),
        conduct=(Conduct.PLAYED,) * len(places),
        match="matches/m",
        records=9,
        seconds=0.5,
        think_seconds=(0.1, 0.2),
        replay="x.omr",
    )


def test_scores_are_shares_of_the_others_beaten() -> None:
    assert result(0, 0).scores() == {"a": 1.0, "b": 0.0}
    assert result(0, 0, (1, 1)).scores() == {"a": 0.5, "b": 0.5}
    assert result(0, 0, (2, 1, 2, 4), "abcd").scores() == {"a": 0.5, "b": 1.0, "c": 0.5, "d": 0.0}


def test_encounter_counts_once_all_its_matches_are_played() -> None:
    results = Results()
    results.add(result(0, 0))
    assert results.encounters(2) == {} and results.of(0, 2) is None
    results.add(result(0, 1, (1, 1)))
    assert results.encounters(2) == {0: {"a": 0.75, "b": 0.25}}
    with pytest.raises(ValueError, match="has a result already"):
        results.add(result(0, 1))


def test_results_are_read_from_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    journal, results = Journal.open(path, HEAD)
    assert results.by_match == {}
    for number in (1, 0):
        journal.append(result(number, 0))
    assert read_journal(path)[0] == HEAD, "while it is written"
    journal.close()
    journal, results = Journal.open(path, HEAD)
    journal.close()
    assert results.ordered() == [result(0, 0), result(1, 0)] == read_journal(path)[1].ordered()


def test_incomplete_last_line_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    journal, _ = Journal.open(path, HEAD)
    journal.append(result(0, 0))
    journal.append(result(1, 0))
    journal.close()
    whole = path.read_bytes()
    for length in range(whole.rindex(b"\n", 0, -1) + 1, len(whole)):
        path.write_bytes(whole[:length])
        journal, results = Journal.open(path, HEAD)
        assert list(results.by_match) == [(0, 0)]
        journal.append(result(1, 0))
        journal.close()
        assert path.read_bytes() == whole


def test_two_arenas_cannot_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    journal, _ = Journal.open(path, HEAD)
    with pytest.raises(JournalError, match="in use"):
        Journal.open(path, HEAD)
    journal.close()
    Journal.open(path, HEAD)[0].close()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (b'{"tournament": {"game": "x"}}\n', "another tournament"),
        (b'{"tournament": {"game": "kuhn", "seed": 1}}\nnonsense\n', "line 2: no JSON object"),
        (b'{"tournament": {"game": "kuhn", "seed": 1}}\n{"encounter": 1}\n', "line 2: no result of a match"),
    ],
)
def test_journal_of_another_tournament_is_refused_and_unchanged(tmp_path: Path, lines: bytes, message: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(lines)
    with pytest.raises(JournalError, match=message):
        Journal.open(path, HEAD)
    assert path.read_bytes() == lines
