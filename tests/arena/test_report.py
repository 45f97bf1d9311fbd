"""Reports: their figures, and that every form of them can be read."""

from __future__ import annotations

import csv
import io
import json
import math
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from omnilude.arena.config import Tournament
from omnilude.arena.report import SequentialResult, describe_test, make_report, to_csv, to_html, to_json, to_markdown
from omnilude.arena.results import Conduct, MatchResult, Results


def tournament(names: list[str], format: dict[str, Any] | None = None, **more: Any) -> Tournament:
    bots = [{"name": name, "service": "random"} for name in names]
    return Tournament.model_validate(
        {"game": "kuhn", "format": format or {"kind": "round-robin"}, "bots": bots, **more}
    )


def match(encounter: int, rotation: int, seats: str, places: tuple[int, ...], *conduct: Conduct) -> MatchResult:
    return MatchResult(
        encounter=encounter,
        rotation=rotation,
        seats=tuple(seats),
        places=places,
        returns=tuple(float(-place) for place in places),
        conduct=conduct or (Conduct.PLAYED,) * len(seats),
        match=f"matches/{encounter}{rotation}",
        records=10,
        seconds=1.0,
        think_seconds=(0.5,) * len(seats),
        replay=f"{encounter}-{rotation}.omr",
    )


def results(*matches: MatchResult) -> Results:
    found = Results()
    for result in matches:
        found.add(result)
    return found


PLAYED = results(
    match(0, 0, "ab", (1, 2)),
    match(0, 1, "ba", (2, 1)),
    match(1, 0, "ac", (1, 1)),
    match(1, 1, "ca", (2, 1), Conduct.LATE, Conduct.PLAYED),
    match(2, 0, "bc", (1, 2)),
)


def test_standings_cross_table_and_seats_of_a_round_robin() -> None:
    report = make_report(tournament(["a", "b", "c"]), PLAYED, samples=20)
    assert not report.finished and report.matches == 5
    by_bot = {row.bot: row for row in report.standings}
    assert (by_bot["a"].matches, by_bot["a"].score) == (4, 0.875)
    assert (by_bot["b"].matches, by_bot["b"].score) == (3, 1 / 3)
    assert by_bot["c"].faults == {"late": 1} and by_bot["a"].faults == {}
    assert report.standings[0].bot == "a"
    assert report.cross["a"] == {"b": 1.0, "c": 0.75} and report.cross["c"]["a"] == 0.25
    assert [rate.score for rate in report.by_seat] == [0.5, 0.5]
    assert by_bot["a"].score_low < 0.875 < by_bot["a"].score_high
    assert by_bot["a"].seconds_per_match == 0.5


def test_tournament_is_finished_once_all_matches_are_played() -> None:
    PLAYED_ALL = results(*PLAYED.ordered(), match(2, 1, "cb", (1, 2)))
    assert make_report(tournament(["a", "b", "c"]), PLAYED_ALL, samples=0).finished


def test_knockout_is_ranked_by_round() -> None:
    given = tournament(["a", "b"], {"kind": "knockout"})
    report = make_report(given, results(match(0, 0, "ab", (2, 1)), match(0, 1, "ba", (1, 2))), samples=0)
    assert [row.bot for row in report.standings] == ["b", "a"] and report.finished


def test_sequential_test_is_reported() -> None:
    given = tournament(["a", "b"], {"kind": "sprt", "elo0": 0, "elo1": 100})
    played = [match(n, r, "ab" if r == 0 else "ba", (1, 2) if r == 0 else (2, 1)) for n in range(20) for r in (0, 1)]
    report = make_report(given, results(*played), samples=0)
    assert report.test is not None
    assert report.test.verdict == "better" and report.test.ratio > report.test.high
    assert "better after" in to_markdown(report)
    assert make_report(given, results(), samples=0).test is not None


@pytest.mark.parametrize(
    ("elo", "error", "said"),
    [
        (math.inf, math.nan, "; no finite Elo difference: it won every match; "),
        (-math.inf, math.nan, "; no finite Elo difference: it lost every match; "),
        (400.0, math.inf, "; Elo +400, without a finite error; "),
        (35.4, 20.0, "; Elo +35 +/- 20; "),
    ],
)
def test_elo_difference_that_is_not_finite_is_described_in_words(elo: float, error: float, said: str) -> None:
    test = SequentialResult("better", 23, 3.0, -2.94, 2.94, elo, error, 1.0)
    assert said in describe_test(test)


def test_markdown_and_csv_have_a_line_for_each_bot() -> None:
    report = make_report(tournament(["a", "b", "c"]), PLAYED, samples=20)
    lines = to_markdown(report).splitlines()
    assert lines[0] == "# kuhn: round-robin"
    assert sum(line.startswith(("| 1 |", "| 2 |", "| 3 |")) for line in lines) >= 3
    rows = list(csv.DictReader(io.StringIO(to_csv(report))))
    assert [row["bot"] for row in rows] == [row.bot for row in report.standings]
    assert {row["bot"]: row["faults"] for row in rows}["c"] == "late:1"


def test_json_is_strict_also_without_a_match() -> None:
    for played in (PLAYED, results()):
        text = to_json(make_report(tournament(["a", "b", "c"]), played, samples=5))
        found = json.loads(text, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))
        assert {row["bot"] for row in found["standings"]} == {"a", "b", "c"}


def test_html_page_is_well_formed_and_escaped() -> None:
    names = ["a", "b"]
    given = tournament(names).model_copy(update={"game": "<script>alert(1)</script>"})
    page = to_html(make_report(given, results(match(0, 0, "ab", (1, 2)), match(0, 1, "ba", (2, 1))), samples=5))
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "http://" not in page and "https://" not in page
    drawn = page[page.index("<svg") : page.index("</svg>") + len("</svg>")]
    assert len(ElementTree.fromstring(drawn).findall("circle")) == 2
    assert page.count("<li>") == 2 and 'href="replays/0-0.omr"' in page
