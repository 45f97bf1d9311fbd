"""A view as a picture: the board from above, to scale, in hundredths of an inch.

Scenery, zones, markers, threat zones, bases with ranks and names, lines of sight of whoever is active, both rulers, and
beside the board what is written on the cards. North is up, as on a map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import dist, hypot
from textwrap import wrap
from xml.sax.saxutils import escape

from gamepacks.olomoc.constants import BASES, INCH, STEP
from gamepacks.olomoc.elements import ELSEWHERE, card_set_title, element_names, middle, table_of
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

SIDE = 1_600
MARGIN, PANEL = 70, 700
WIDTH = SIDE + 2 * MARGIN + PANEL
_LINE = 30
"""Height of a line of the panel."""
_LETTERS = {"head": 38, "note": 52}
"""Letters that fit into a line of the panel, by its style."""
_GRAIN = 13
"""Steps across a shape in which a place for its name is looked for."""

_ENDS = {
    pb.EDGE_N: (0, SIDE, SIDE, SIDE),
    pb.EDGE_E: (SIDE, 0, SIDE, SIDE),
    pb.EDGE_S: (0, 0, SIDE, 0),
    pb.EDGE_W: (0, 0, 0, SIDE),
}
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(view: pb.View) -> str:
    """The whole document."""
    rulers = {counter.name: counter.value for counter in view.values}
    height = SIDE + 3 * MARGIN + max(rulers["move_ruler_width"], rulers["push_ruler_width"], 80)
    title = " · ".join(part for part in ("Olomòc", view.agenda.name, view.layout) if part)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" class="scene">',
        f"<title>{_text(title)}</title>",
        f"<desc>{_text(card_set_title(view))}</desc>",
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *_group("ground", _ground(view)),
        *_group("scenery", _scenery(view)),
        *_group("markers", _markers(view)),
        *_group("threats", _threats(view)),
        *_group("rouages", _rouages(view)),
        *_group("sights", _sights(view)),
        *_group("names", _names(view)),
        *_group("rulers", _rulers(view)),
        *_group("panel", _panel(view)),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _group(name: str, lines: Iterator[str]) -> Iterator[str]:
    yield f'<g id="{name}">'
    yield from lines
    yield "</g>"


# -- the board ---------------------------------------------------------------------------------------------------------


def _ground(view: pb.View) -> Iterator[str]:
    yield f'<rect class="board" width="{SIDE}" height="{SIDE}"/>'
    lines = " ".join(f"M{at} 0V{SIDE}M0 {at}H{SIDE}" for at in range(100, SIDE, 100))
    yield f'<path class="grid" d="{lines}"/>'
    for number, player in enumerate(view.players):
        if player.line in _ENDS:
            x1, y1, x2, y2 = _ENDS[player.line]
            yield f'<line class="edge s{number}" x1="{x1}" y1="{SIDE - y1}" x2="{x2}" y2="{SIDE - y2}"/>'
    for inch in range(17):
        yield f'<text class="inch" x="{100 * inch}" y="{SIDE + 26}">{inch}</text>'
        yield f'<text class="inch" x="-20" y="{SIDE - 100 * inch + 7}">{inch}</text>'
    for letter, x, y in (("N", 800, -22), ("S", 800, SIDE + 58), ("W", -52, 808), ("E", SIDE + 34, 808)):
        yield f'<text class="name" x="{x}" y="{y}">{letter}</text>'


def _scenery(view: pb.View) -> Iterator[str]:
    # Zones first: they lie flat under everything else.
    for piece in sorted(view.scenery, key=lambda piece: not piece.zone):
        kind = "zone" if piece.zone else "high" if piece.obstructing else "low"
        shown = f'class="{kind}{" tainted" if piece.tainted else ""}" id="element-{piece.element}"'
        if piece.radius:
            (centre,) = piece.corners
            yield f'<circle {shown} cx="{centre.x}" cy="{SIDE - centre.y}" r="{_number(piece.radius / STEP)}"/>'
        else:
            yield f'<polygon {shown} points="{" ".join(f"{at.x},{SIDE - at.y}" for at in piece.corners)}"/>'
        x, y = _inside(tuple((corner.x, corner.y) for corner in piece.corners))
        label = "onhigh" if kind == "high" else "small"
        yield f'<text class="{label}" x="{_number(x)}" y="{_number(SIDE - y + 8)}">{_text(piece.name)}</text>'


@lru_cache(maxsize=256)
def _inside(corners: tuple[tuple[int, int], ...]) -> tuple[float, float]:
    """A place inside a shape, far from its sides: the middle may lie outside, as in an L."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    if len(corners) == 1:
        return corners[0]
    sides = list(pairwise([*corners, corners[0]]))
    steps = [(step + 0.5) / _GRAIN for step in range(_GRAIN)]
    tried = [(min(xs) + a * (max(xs) - min(xs)), min(ys) + b * (max(ys) - min(ys))) for b in steps for a in steps]
    centre = middle(corners)

    def room(at: tuple[float, float]) -> tuple[bool, int, float]:
        return _is_inside(at, sides), int(min(_away(at, side) for side in sides)), -dist(at, centre)

    return max(tried, key=room)


def _is_inside(at: tuple[float, float], sides: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> bool:
    x, y = at
    crossed = [(ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in sides]
    return sum(crossed) % 2 == 1


def _away(at: tuple[float, float], side: tuple[tuple[int, int], tuple[int, int]]) -> float:
    """The distance of a place from a side."""
    (ax, ay), (bx, by) = side
    along = ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / max(1, (bx - ax) ** 2 + (by - ay) ** 2)
    clamped = min(1.0, max(0.0, along))
    return hypot(at[0] - ax - clamped * (bx - ax), at[1] - ay - clamped * (by - ay))


def _markers(view: pb.View) -> Iterator[str]:
    for marker in view.markers:
        at = f'cx="{marker.centre.x}" cy="{SIDE - marker.centre.y}"'
        if marker.HasField("zone"):
            yield f'<circle class="zone" {at} r="{_number((marker.radius + marker.zone) / STEP)}"/>'
        tainted = " tainted" if marker.tainted else ""
        radius = _number(marker.radius / STEP)
        yield f'<circle class="marker{tainted}" id="element-{marker.element}" {at} r="{radius}"/>'
        y = SIDE - marker.centre.y + 8
        yield f'<text class="small" x="{marker.centre.x}" y="{y}">{_text(marker.tag)}</text>'


def _threats(view: pb.View) -> Iterator[str]:
    """The threat zones: an inch around each base that is not stunned (OLO-THREAT-01)."""
    for rouage in _standing(view):
        if pb.STATE_STUNNED not in rouage.states:
            side = rouage.player if rouage.HasField("player") else 2
            radius = _number((BASES[rouage.base] + INCH) / STEP)
            at = f'cx="{rouage.centre.x}" cy="{SIDE - rouage.centre.y}"'
            yield f'<circle class="threat {_side(rouage)} s{side}" {at} r="{radius}"/>'


def _sights(view: pb.View) -> Iterator[str]:
    """A line from whoever is active to every foe that it sees, free of all that stands in between."""
    table = table_of(view)
    for rouage in _standing(view):
        if not rouage.active:
            continue
        for foe in _standing(view):
            line = None if _side(foe) == _side(rouage) else table.sight_line(rouage.index, foe.index)
            if line is not None:
                x1, y1, x2, y2 = (value / STEP for value in line)
                yield (
                    f'<line class="sight" x1="{_number(x1)}" y1="{_number(SIDE - y1)}" x2="{_number(x2)}"'
                    f' y2="{_number(SIDE - y2)}"/>'
                )


def _rouages(view: pb.View) -> Iterator[str]:
    for rouage in _standing(view):
        x, y, radius = rouage.centre.x, SIDE - rouage.centre.y, BASES[rouage.base] / STEP
        classes = " ".join(
            word
            for word, holds in (
                ("base", True),
                (_side(rouage), True),
                ("active", rouage.active),
                ("stunned", pb.STATE_STUNNED in rouage.states),
            )
            if holds
        )
        yield f'<circle class="{classes}" id="rouage-{rouage.index}" cx="{x}" cy="{y}" r="{_number(radius)}"/>'
        yield f'<text class="rank" x="{x}" y="{y + 22}">{rouage.rank}</text>'


def _names(view: pb.View) -> Iterator[str]:
    """Above all bases and lines, so that none hides a name."""
    names = element_names(view)
    for rouage in _standing(view):
        x, y, radius = rouage.centre.x, SIDE - rouage.centre.y, BASES[rouage.base] / STEP
        yield f'<text class="name" x="{x}" y="{_number(y + radius + 28)}">{_text(names[rouage.index])}</text>'
        yield f'<text class="small" x="{x}" y="{_number(y + radius + 52)}">{_text(_condition(rouage))}</text>'


def _rulers(view: pb.View) -> Iterator[str]:
    """Both rulers to scale, below the board."""
    values = {counter.name: counter.value for counter in view.values}
    x, y = 0, SIDE + MARGIN
    for name, title in (("move", "movement ruler"), ("push", "push ruler")):
        length, width = values[f"{name}_ruler_length"], values[f"{name}_ruler_width"]
        yield f'<rect class="ruler" id="{name}-ruler" x="{x}" y="{y}" width="{length}" height="{width}"/>'
        yield f'<text class="note" x="{x + length + 14}" y="{y + 32}">{title}</text>'
        yield f'<text class="note" x="{x + length + 14}" y="{y + 62}">{length / 100:g} x {width / 100:g} inches</text>'
        x += length + 300


# -- beside it ---------------------------------------------------------------------------------------------------------


def _panel(view: pb.View) -> Iterator[str]:
    x = SIDE + MARGIN
    written = [(style, part) for style, line in _lines(view) for part in wrap(line, _LETTERS[style]) or [""]]
    for number, (style, line) in enumerate(written):
        yield f'<text class="{style}" x="{x}" y="{20 + number * _LINE}">{_text(line)}</text>'


def _lines(view: pb.View) -> Iterator[tuple[str, str]]:
    yield "head", card_set_title(view)
    where = " · ".join(part for part in (view.agenda.name, view.layout) if part)
    phase = "hostile phase" if view.phase == 6 else f"phase {view.phase}" if view.phase else "between phases"
    yield "note", where or "before the agenda"
    yield "note", f"cycle {view.cycle}, {phase}, hunt {view.traque}"
    if view.artefact.name:
        yield "note", f"Artefact {view.artefact.name}: {view.artefact.text}"
    yield from (("note", f"{counter.name}: {counter.value}") for counter in view.counters)
    names = element_names(view)
    for number, player in enumerate(view.players):
        seat = f"seat {player.seat}" if player.HasField("seat") else "seat unknown"
        priority = ", priority" if view.cycle and view.priority_player == number else ""
        yield "note", ""
        yield "head", f"Player {number + 1} ({seat}{priority})"
        yield "note", f"{player.vp} points, Fiel {player.fiel}"
        for slot in player.plan:
            shown = slot.name or ("face down" if slot.filled else "empty")
            yield "note", f"{shown}{'' if slot.revealed or not slot.filled else ' *'}"
        if player.hand:
            yield "note", f"ministries in hand: {', '.join(card.name for card in player.hand)}"
        for rouage in view.rouages:
            if rouage.HasField("player") and rouage.player == number and rouage.name:
                yield "note", f"{rouage.rank} {rouage.name}: {_condition(rouage)}{_whereabouts(rouage)}"
    hostiles = [rouage for rouage in view.rouages if not rouage.HasField("player")]
    if hostiles:
        yield "note", ""
        yield "head", "Hostiles"
        for rouage in hostiles:
            yield "note", f"{rouage.rank} {names[rouage.index]}: {_condition(rouage)}{_whereabouts(rouage)}"
    yield "note", ""
    yield "head", view.situation


def _condition(rouage: pb.Rouage) -> str:
    """``xxRT AP 2 N1 engaged``."""
    life = "".join("x" if box < rouage.ticked else letter for box, letter in enumerate(rouage.life))
    words = [life, f"AP {rouage.ap}"]
    words += [f"N{rouage.noirceur}"] if rouage.noirceur else []
    words += ["stunned"] if pb.STATE_STUNNED in rouage.states else []
    words += ["engaged"] if rouage.engaged else []
    return " ".join(words)


def _whereabouts(rouage: pb.Rouage) -> str:
    where = ELSEWHERE.get(rouage.place)
    return f", {where}" if where else ""


def _standing(view: pb.View) -> list[pb.Rouage]:
    return [rouage for rouage in view.rouages if rouage.HasField("centre")]


def _side(rouage: pb.Rouage) -> str:
    return f"p{rouage.player}" if rouage.HasField("player") else "hostile"


def _number(value: float) -> str:
    """At most two digits behind the point, and none that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    """A text of a card in XML, without the characters that XML cannot hold."""
    return escape(_UNWRITABLE.sub("?", text))
