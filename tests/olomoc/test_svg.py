"""The picture of a view: to scale, with everything that the view shows on the board."""

from __future__ import annotations

from math import hypot
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from gamepacks.api.types import OMNISCIENT, SPECTATOR
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.constants import BASES, INCH, STEP
from gamepacks.olomoc.elements import element_names, table_of
from gamepacks.olomoc.svg import svg
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from tests.olomoc.in_play import in_play, view_of, walk

SVG = "{http://www.w3.org/2000/svg}"
SIDE = 1600
SEEDS = (1, 2, 3)


def drawn(view: pb.View) -> dict[str, Element]:
    """The groups of a picture, by their names."""
    root = ElementTree.fromstring(svg(view))
    assert root.tag == f"{SVG}svg"
    return {group.get("id", ""): group for group in root.iter(f"{SVG}g")}


def numbers(element: Element, *names: str) -> list[float]:
    return [float(element.get(name, "nan")) for name in names]


@pytest.mark.parametrize("seed", SEEDS)
def test_bases_are_to_scale_with_ranks_and_names(seed: int) -> None:
    view = view_of(in_play(seed))
    group = drawn(view)["rouages"]
    circles = {circle.get("id"): circle for circle in group.iter(f"{SVG}circle")}
    standing = [rouage for rouage in view.rouages if rouage.HasField("centre")]
    assert set(circles) == {f"rouage-{rouage.index}" for rouage in standing}
    for rouage in standing:
        circle = circles[f"rouage-{rouage.index}"]
        x, y, radius = numbers(circle, "cx", "cy", "r")
        assert (x, SIDE - y) == (rouage.centre.x, rouage.centre.y)
        assert radius * 2 == pytest.approx(rouage.base / 25.4 * 100, abs=0.02), "millimetres in hundredths of an inch"
        assert ("active" in circle.get("class", "").split()) == rouage.active
    ranks = [text.text for text in group.iter(f"{SVG}text")]
    assert ranks == [str(rouage.rank) for rouage in standing]
    names = [text.text for text in drawn(view)["names"].iter(f"{SVG}text")]
    called = element_names(view)
    assert names[::2] == [called[rouage.index] for rouage in standing], "above their conditions"


@pytest.mark.parametrize("seed", SEEDS)
def test_scenery_and_markers_lie_where_they_do(seed: int) -> None:
    view = view_of(in_play(seed))
    groups = drawn(view)
    shapes = {shape.get("id"): shape for shape in groups["scenery"] if shape.get("id")}
    assert set(shapes) == {f"element-{piece.element}" for piece in view.scenery}
    for piece in view.scenery:
        shape = shapes[f"element-{piece.element}"]
        kind = "zone" if piece.zone else "high" if piece.obstructing else "low"
        assert shape.get("class", "").split()[0] == kind
        if not piece.radius:
            points = [tuple(map(int, point.split(","))) for point in shape.get("points", "").split()]
            assert [(x, SIDE - y) for x, y in points] == [(corner.x, corner.y) for corner in piece.corners]
    markers = {circle.get("id"): circle for circle in groups["markers"].iter(f"{SVG}circle") if circle.get("id")}
    assert set(markers) == {f"element-{marker.element}" for marker in view.markers}


@pytest.mark.parametrize("seed", SEEDS)
def test_threat_zones_reach_an_inch_beyond_the_base(seed: int) -> None:
    view = view_of(in_play(seed))
    circles = list(drawn(view)["threats"].iter(f"{SVG}circle"))
    awake = [r for r in view.rouages if r.HasField("centre") and pb.STATE_STUNNED not in r.states]
    assert [numbers(circle, "cx", "cy", "r") for circle in circles] == [
        [r.centre.x, SIDE - r.centre.y, pytest.approx((BASES[r.base] + INCH) / STEP, abs=0.01)] for r in awake
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_of_sight_run_from_rim_to_rim(seed: int) -> None:
    view = view_of(in_play(seed))
    table = table_of(view)
    lines = [numbers(line, "x1", "y1", "x2", "y2") for line in drawn(view)["sights"].iter(f"{SVG}line")]
    side = {r.index: r.player if r.HasField("player") else None for r in view.rouages if r.HasField("centre")}
    pairs = [
        (r.index, foe)
        for r in view.rouages
        if r.HasField("centre") and r.active
        for foe in side
        if side[foe] != side[r.index] and table.sight(r.index, foe)
    ]
    assert len(lines) == len(pairs)
    for (x1, y1, x2, y2), (one, other) in zip(lines, pairs, strict=True):
        for element, x, y in ((one, x1, SIDE - y1), (other, x2, SIDE - y2)):
            cx, cy, radius = table.place(element)
            assert hypot(x - cx, y - cy) <= radius / STEP + 0.02


def test_rulers_are_drawn_to_scale() -> None:
    state = next(walk(1, move_ruler_length=425, push_ruler_width=60))
    group = drawn(view_of(state))["rulers"]
    sizes = {rect.get("id"): numbers(rect, "width", "height") for rect in group.iter(f"{SVG}rect")}
    assert sizes == {"move-ruler": [425, 80], "push-ruler": [100, 60]}


def test_the_house_set_is_named_as_one() -> None:
    """Once: by its own title, or by what is added to it."""
    view = view_of(in_play(1))
    assert "House set of Omnilude (not the printed cards)</" in svg(view) and "(a house set" not in svg(view)
    view.card_set.title = "Clockwork"
    assert "Clockwork (a house set, not the printed cards)</" in svg(view)
    view.card_set.status = "transcribed"
    assert "house set" not in svg(view)


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR, OMNISCIENT])
def test_every_stage_of_a_match_can_be_drawn(viewer: int) -> None:
    decisions = set()
    for state in walk(5):
        view = view_of(state, viewer)
        if view.decision in decisions and not view.end_cause:
            continue
        decisions.add(view.decision)
        assert "panel" in drawn(view)
    assert len(decisions) > 10


def test_names_cannot_break_the_picture() -> None:
    view = view_of(in_play(1))
    for rouage in view.rouages:
        rouage.name = '<script>"&\x07\ud7ff]]>'
    texts = [text.text for text in drawn(view)["names"].iter(f"{SVG}text")]
    assert '<script>"&?\ud7ff]]> (1)' in texts


def test_names_of_scenery_stand_in_it() -> None:
    """Also in an L, whose middle lies outside."""
    corners = [(0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300)]
    view = view_of(in_play(1))
    del view.scenery[:]
    piece = view.scenery.add(element=64, name="Ruin", obstructing=True)
    piece.corners.extend(pb.Point(x=x + 500, y=y + 500) for x, y in corners)
    view.scenery.add(element=65, name="Silo", radius=12_700).corners.add(x=1200, y=1200)
    texts = {text.text: numbers(text, "x", "y") for text in drawn(view)["scenery"].iter(f"{SVG}text")}
    x, y = texts["Ruin"][0] - 500, SIDE - (texts["Ruin"][1] - 8) - 500
    assert (0 < x < 300 and 0 < y < 100) or (0 < x < 100 and 0 < y < 300)
    assert texts["Silo"] == [1200, SIDE - 1200 + 8]


def test_the_panel_is_wide_enough_for_its_lines() -> None:
    view = view_of(in_play(1), 0)
    view.artefact.name, view.artefact.text = "Long", "word " * 60
    lines = [text.text or "" for text in drawn(view)["panel"].iter(f"{SVG}text")]
    assert max(map(len, lines)) <= 52
    assert " ".join(lines).count("word") == 60
    assert any(line.startswith("ministries in hand: ") for line in lines)


def test_the_game_offers_it() -> None:
    state = in_play(1)
    assert Olomoc.configure(2).svg(view_of(state)) == svg(view_of(state))
