"""Reports of a tournament as Markdown, CSV, JSON and HTML: standings, cross table, seats, faults, time."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import Any

from omnilude.arena.alpha_rank import rank_bots
from omnilude.arena.config import SprtFormat, Tournament
from omnilude.arena.ratings import rate
from omnilude.arena.results import Conduct, MatchResult, Results
from omnilude.arena.schedule import SequentialTest
from omnilude.arena.statistics import estimate_elo, wilson_interval

ALPHA_RANK_BOTS = 20
"""Largest field for which alpha-rank is computed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Row of a bot in the standings."""

    bot: str
    matches: int
    score: float
    """Mean score, from 0 to 1."""
    score_low: float
    score_high: float
    """Wilson interval of the score at 95 %."""
    elo: float
    elo_low: float
    elo_high: float
    """Bootstrap interval of the rating at 95 %; infinite without matches or samples."""
    faults: Mapping[str, int]
    """Number of matches by verdict (late, crashed, ...), without those that it played to the end."""
    seconds_per_match: float
    """Mean time for its decisions in a match."""
    alpha_rank: float | None = None
    """Share under alpha-rank; None if two bots have not met, or for fewer than three or more than 20 bots."""


@dataclass(frozen=True, slots=True)
class SeatRate:
    """Mean score of a seat over all bots, with its Wilson interval."""

    seat: int
    matches: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """State of a sequential test of the first bot against the second."""

    verdict: str
    pairs: int
    ratio: float
    low: float
    high: float
    """The log-likelihood ratio and its bounds."""
    elo: float
    elo_error: float
    superiority: float


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of a tournament."""

    game: str
    format: str
    seats: int
    matches: int
    finished: bool
    standings: Sequence[Standing]
    cross: Mapping[str, Mapping[str, float]]
    """Mean score of each bot against each other bot; pairs that did not meet are omitted."""
    by_seat: Sequence[SeatRate]
    test: SequentialResult | None
    replays: Sequence[tuple[str, str]]
    """Title and file name of each replay."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """File name of the drawn final position, by the file name of the replay."""


def make_report(tournament: Tournament, results: Results, *, samples: int = 200) -> Report:
    """Compute the report of the results so far, with ``samples`` bootstrap samples for the ratings."""
    seats = tournament.seats
    bots = [bot.name for bot in tournament.bots]
    schedule = tournament.format.schedule(bots, seats)
    scores = results.encounters(seats)
    plan = schedule.plan(scores)
    matches = results.ordered()
    encounters = [
        [dict(zip(result.seats, result.places, strict=True)) for result in whole]
        for number in sorted(scores)
        if (whole := results.of(number, seats)) is not None
    ]
    ratings = {rating.bot: rating for rating in rate(bots, encounters, samples=samples)}
    standings = [_standing(bot, matches, ratings[bot]) for bot in bots]
    if plan.standings:
        standings.sort(key=lambda row: plan.standings.index(row.bot))
    else:
        standings.sort(key=lambda row: (-row.elo, -row.score))
    cross = cross_table([row.bot for row in standings], matches)
    shares = rank_bots(bots, cross) if 3 <= len(bots) <= ALPHA_RANK_BOTS else None
    if shares is not None:
        standings = [replace(row, alpha_rank=shares[row.bot]) for row in standings]
    test = None
    if isinstance(schedule, SequentialTest) and isinstance(tournament.format, SprtFormat):
        test = _sequential(tournament.format, schedule, bots[0], scores)
    return Report(
        game=tournament.game,
        format=tournament.format.kind,
        seats=seats,
        matches=len(matches),
        finished=plan.finished and all(encounter.number in scores for encounter in plan.encounters),
        standings=standings,
        cross=cross,
        by_seat=[_seat_rate(seat, matches) for seat in range(seats)],
        test=test,
        replays=[(f"{r.encounter}.{r.rotation} {' - '.join(r.seats)}", r.replay) for r in matches if r.replay],
    )


def _standing(bot: str, matches: Iterable[MatchResult], rating: Any) -> Standing:
    played = [(result, result.seats.index(bot)) for result in matches if bot in result.seats]
    scores = [result.scores()[bot] for result, _ in played]
    faults = Counter(str(result.conduct[seat]) for result, seat in played)
    del faults[str(Conduct.PLAYED)]
    seconds = [result.think_seconds[seat] for result, seat in played if result.think_seconds]
    low, high = wilson_interval(sum(scores), len(scores))
    return Standing(
        bot=bot,
        matches=len(played),
        score=sum(scores) / len(scores) if scores else 0.0,
        score_low=low,
        score_high=high,
        elo=rating.elo,
        elo_low=rating.low,
        elo_high=rating.high,
        faults=dict(sorted(faults.items())),
        seconds_per_match=sum(seconds) / len(seconds) if seconds else 0.0,
    )


def cross_table(bots: Sequence[str], matches: Iterable[MatchResult]) -> dict[str, dict[str, float]]:
    """Returns the mean score of each bot against each other bot."""
    sums: dict[tuple[str, str], tuple[float, int]] = {}
    for result in matches:
        for bot, place in zip(result.seats, result.places, strict=True):
            for other, other_place in zip(result.seats, result.places, strict=True):
                if other != bot:
                    score, count = sums.get((bot, other), (0.0, 0))
                    won = 1.0 if place < other_place else 0.5 if place == other_place else 0.0
                    sums[bot, other] = score + won, count + 1
    return {
        bot: {other: sums[bot, other][0] / sums[bot, other][1] for other in bots if (bot, other) in sums}
        for bot in bots
    }


def _seat_rate(seat: int, matches: Iterable[MatchResult]) -> SeatRate:
    scores = [result.scores()[result.seats[seat]] for result in matches if result.match]
    low, high = wilson_interval(sum(scores), len(scores))
    return SeatRate(seat, len(scores), sum(scores) / len(scores) if scores else 0.0, low, high)


def _sequential(
    format: SprtFormat, schedule: SequentialTest, bot: str, scores: Mapping[int, Mapping[str, float]]
) -> SequentialResult:
    decided, verdict = schedule.decided(scores)
    complete = 0
    while complete in scores and (decided is None or complete < decided):
        complete += 1
    pairs = [scores[number][bot] for number in range(complete)]
    test = format.test()
    low, high = test.bounds
    if not pairs:
        return SequentialResult(str(verdict), 0, 0.0, low, high, 0.0, math.inf, 0.5)
    elo = estimate_elo(pairs)
    return SequentialResult(str(verdict), len(pairs), test.ratio(pairs), low, high, elo.elo, elo.error, elo.superiority)


# -- as text ---------------------------------------------------------------------------------------------------------


def to_markdown(report: Report) -> str:
    """Returns the report as Markdown."""
    lines = [f"# {report.game}: {report.format}", "", _summary(report), ""]
    if report.test is not None:
        lines += [describe_test(report.test), ""]
    lines += _table(*standings_table(report))
    if len(report.standings) > 2:
        lines += ["", "Score of each bot against each other:", "", *_table(*_cross_rows(report))]
    lines += ["", "Score of each seat, over all bots:", "", *_table(*_seat_rows(report))]
    return "\n".join(lines) + "\n"


def to_csv(report: Report) -> str:
    """Returns the standings as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ["bot", "matches", "score", "score_low", "score_high", "elo", "elo_low", "elo_high", "seconds_per_match"]
    names.append("alpha_rank")
    writer.writerow([*names, "faults"])
    for row in report.standings:
        numbers = [getattr(row, name) for name in names]
        writer.writerow([*numbers, " ".join(f"{kind}:{count}" for kind, count in row.faults.items())])
    return out.getvalue()


def to_json(report: Report) -> str:
    """Returns the report as JSON; numbers that are not finite are null."""
    return json.dumps(_finite(asdict(report)), indent=2) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _summary(report: Report) -> str:
    state = "finished" if report.finished else "not finished"
    return f"{report.matches} matches of {report.seats} players, {state}."


def describe_test(test: SequentialResult) -> str:
    """Describe a sequential test in a sentence."""
    return (
        f"Sequential test: {test.verdict} after {test.pairs} pairs; log-likelihood ratio {test.ratio:.2f} "
        f"({test.low:.2f}, {test.high:.2f}); {_difference(test)}; "
        f"likelihood of superiority {100 * test.superiority:.1f} %."
    )


def _difference(test: SequentialResult) -> str:
    if not math.isfinite(test.elo):
        return f"no finite Elo difference: it {'won' if test.elo > 0 else 'lost'} every match"
    if not math.isfinite(test.elo_error):
        return f"Elo {_signed(test.elo)}, without a finite error"
    return f"Elo {_signed(test.elo)} +/- {_number(test.elo_error)}"


def _number(value: float) -> str:
    return f"{value:.0f}" if math.isfinite(value) else "inf" if value > 0 else "-inf"


def _signed(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else _number(value)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


Rows = tuple[list[str], list[list[str]]]


def standings_table(report: Report) -> Rows:
    """Returns the header and the rows of the standings, as text."""
    head = ["", "bot", "Elo", "95 %", "score", "95 %", "matches", "s/match", "faults"]
    ranked = any(row.alpha_rank is not None for row in report.standings)
    rows = [
        [
            str(place),
            row.bot,
            _signed(row.elo),
            f"{_signed(row.elo_low)} .. {_signed(row.elo_high)}" if math.isfinite(row.elo_low) else "",
            _percent(row.score),
            f"{_percent(row.score_low)} .. {_percent(row.score_high)}",
            str(row.matches),
            f"{row.seconds_per_match:.2f}",
            ", ".join(f"{count} {kind}" for kind, count in row.faults.items()),
            *([_percent(row.alpha_rank or 0.0)] if ranked else []),
        ]
        for place, row in enumerate(report.standings, 1)
    ]
    return [*head, *(["alpha-rank"] if ranked else [])], rows


def _cross_rows(report: Report) -> Rows:
    bots = [row.bot for row in report.standings]
    rows = [
        [bot, *(_percent(report.cross[bot][other]) if other in report.cross[bot] else "" for other in bots)]
        for bot in bots
    ]
    return ["", *bots], rows


def _seat_rows(report: Report) -> Rows:
    rows = [
        [str(rate.seat), str(rate.matches), _percent(rate.score), f"{_percent(rate.low)} .. {_percent(rate.high)}"]
        for rate in report.by_seat
    ]
    return ["seat", "matches", "score", "95 %"], rows


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return [lines[0], "| " + " | ".join("---" for _ in head) + " |", *lines[1:]]


# -- as a page -------------------------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bar: #2a78d0; --text: CanvasText; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
td:nth-child(2), th:nth-child(2), td:first-child { text-align: left; }
svg { width: 100%; height: auto; }
svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
"""


def to_html(report: Report, replays: str = "replays", pictures: str = "pictures") -> str:
    """Returns the report as one self-contained HTML page; ``replays`` and ``pictures`` are the folders of the linked
    files."""
    title = f"{report.game}: {report.format}"
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(_summary(report))}</p>"]
    if report.test is not None:
        parts.append(f"<p>{escape(describe_test(report.test))}</p>")
    parts += ["<h2>Standings</h2>", _html_table(*standings_table(report)), _plot(report)]
    if len(report.standings) > 2:
        parts += ["<h2>Against each other</h2>", _html_table(*_cross_rows(report))]
    parts += ["<h2>Seats</h2>", _html_table(*_seat_rows(report))]
    if report.replays:
        links = "".join(
            f"<li>{_link(f'{replays}/{file}', name)}"
            + (f", {_link(f'{pictures}/{report.pictures[file]}', 'final position')}" if file in report.pictures else "")
            + "</li>"
            for name, file in report.replays
        )
        parts.append(f"<details><summary>{len(report.replays)} replays</summary><ul>{links}</ul></details>")
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _link(address: str, text: str) -> str:
    return f'<a href="{escape(address, quote=True)}">{escape(text)}</a>'


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _plot(report: Report) -> str:
    """Returns an SVG plot of the ratings with their intervals; empty if no interval is finite."""
    rows = [row for row in report.standings if math.isfinite(row.elo_low) and math.isfinite(row.elo_high)]
    if not rows:
        return ""
    low = min(row.elo_low for row in rows)
    high = max(row.elo_high for row in rows)
    span = max(high - low, 1.0)
    left, width, step = 160, 560, 26

    def x(elo: float) -> float:
        return left + (elo - low) / span * width

    parts = []
    for number, row in enumerate(rows):
        y = 20 + number * step
        parts.append(f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{escape(row.bot)}</text>')
        parts.append(
            f'<line x1="{x(row.elo_low):.1f}" y1="{y}" x2="{x(row.elo_high):.1f}" y2="{y}" stroke="var(--bar)" '
            f'stroke-width="3"/><circle cx="{x(row.elo):.1f}" cy="{y}" r="5" fill="var(--bar)">'
            f"<title>{escape(row.bot)}: {_signed(row.elo)}</title></circle>"
        )
    bottom = 20 + len(rows) * step
    parts.append(f'<text x="{left}" y="{bottom + 6}" text-anchor="middle">{_signed(low)}</text>')
    parts.append(f'<text x="{left + width}" y="{bottom + 6}" text-anchor="middle">{_signed(high)}</text>')
    return f'<svg viewBox="0 0 760 {bottom + 16}" role="img" aria-label="Ratings">{"".join(parts)}</svg>'
