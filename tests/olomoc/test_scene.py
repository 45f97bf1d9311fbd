"""The scene of a view: to scale, with everything that the view shows, and the targets of all kinds of decisions."""

from __future__ import annotations

from math import hypot
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from cext.geometry.units import INCH, STEP
from gamepacks.api.scene import PLACE, SVG_NAMESPACE
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code
from gamepacks.olomoc.constants import BASES
from gamepacks.olomoc.elements import element_names, table_of
from gamepacks.olomoc.scene import LEFT, SIDE, TOP, svg
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from tests.olomoc.in_play import in_play, view_of, walk

SVG = f"{{{SVG_NAMESPACE}}}"
SEEDS = (1, 2, 3)


def parts(view: pb.View) -> dict[str, Element]:
    """The parts of a scene, by their ids."""
    root = ElementTree.fromstring(svg(view))
    return {part.get("id", ""): part for part in root.iter() if part.get("id")}


def numbers(element: Element, *names: str) -> list[float]:
    return [float(element.get(name, "nan")) for name in names]


def texts(part: Element) -> list[str]:
    return [text.text or "" for text in part.iter(f"{SVG}text")]


def shapes(part: Element, tag: str) -> list[Element]:
    return list(part.iter(f"{SVG}{tag}"))


@pytest.mark.parametrize("seed", SEEDS)
def test_bases_are_to_scale_with_ranks_and_names(seed: int) -> None:
    view = view_of(in_play(seed))
    drawn = parts(view)
    standing = [rouage for rouage in view.rouages if rouage.HasField("centre")]
    assert {name for name in drawn if name.startswith("figure-")} == {f"figure-{r.index}" for r in standing}
    for rouage in standing:
        part = drawn[f"figure-{rouage.index}"]
        circles = shapes(part, "circle")
        x, y, radius = numbers(circles[0], "cx", "cy", "r")
        assert (x, SIDE - y) == (rouage.centre.x, rouage.centre.y)
        assert radius * 2 == pytest.approx(rouage.base / 25.4 * 100, abs=0.02), "millimetres in hundredths of an inch"
        assert any("active" in circle.get("class", "").split() for circle in circles) == rouage.active
        assert texts(part)[:2] == [str(rouage.rank), element_names(view)[rouage.index]]


@pytest.mark.parametrize("seed", SEEDS)
def test_scenery_and_markers_lie_where_they_do(seed: int) -> None:
    view = view_of(in_play(seed))
    drawn = parts(view)
    for piece in view.scenery:
        part = drawn[f"scenery-{piece.element}"]
        shape = part[1]
        kind = "zone" if piece.zone else "high" if piece.obstructing else "low"
        assert kind in shape.get("class", "").split()
        if not piece.radius:
            points = [tuple(map(int, point.split(","))) for point in shape.get("points", "").split()]
            assert [(x, SIDE - y) for x, y in points] == [(corner.x, corner.y) for corner in piece.corners]
    assert {f"marker-{marker.element}" for marker in view.markers} <= set(drawn)


@pytest.mark.parametrize("seed", SEEDS)
def test_threat_zones_reach_an_inch_beyond_the_base(seed: int) -> None:
    view = view_of(in_play(seed))
    circles = [
        circle
        for circle in shapes(parts(view)["board"], "circle")
        if {"zone", "overlay"} <= set(circle.get("class", "").split()) and "green" not in circle.get("class", "")
    ]
    awake = [r for r in view.rouages if r.HasField("centre") and pb.STATE_STUNNED not in r.states]
    assert [numbers(circle, "cx", "cy", "r") for circle in circles] == [
        [r.centre.x, SIDE - r.centre.y, pytest.approx((BASES[r.base] + INCH) / STEP, abs=0.01)] for r in awake
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_of_sight_run_from_rim_to_rim(seed: int) -> None:
    view = view_of(in_play(seed))
    table = table_of(view)
    shown = [layer for layer in parts(view)["board"].findall(f"{SVG}g") if layer.get("class") == "overlay"]
    layers = [layer for layer in shown if layer.get("data-when") is None]
    lines = [numbers(line, "x1", "y1", "x2", "y2") for layer in layers for line in shapes(layer, "line")]
    side = {r.index: r.player if r.HasField("player") else None for r in view.rouages if r.HasField("centre")}
    pairs = [
        (r.index, foe)
        for r in view.rouages
        if r.HasField("centre") and r.active
        for foe in side
        if side[foe] != side[r.index] and table.sight(r.index, foe)
    ]
    assert len(lines) == len(pairs)
    whens = {layer.get("data-when") for layer in shown} - {None}
    assert whens == {f"figure-{r.index}" for r in view.rouages if r.HasField("centre") and not r.active}
    for (x1, y1, x2, y2), (one, other) in zip(lines, pairs, strict=True):
        for element, x, y in ((one, x1, SIDE - y1), (other, x2, SIDE - y2)):
            cx, cy, radius = table.place(element)
            assert hypot(x - cx, y - cy) <= radius / STEP + 0.02


def test_rulers_are_drawn_to_scale() -> None:
    state = next(walk(1, move_ruler_length=425, push_ruler_width=60))
    drawn = parts(view_of(state))
    assert numbers(drawn["ruler-move"], "width", "height") == [425, 80]
    assert numbers(drawn["ruler-push"], "width", "height") == [100, 60]


def test_the_house_set_is_named_as_one() -> None:
    """The scene says so once: by the title of the set, or by an addition to the title."""
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
        assert "prompt" in parts(view)
    assert len(decisions) > 10


def test_names_cannot_break_the_picture() -> None:
    view = view_of(in_play(1))
    for rouage in view.rouages:
        rouage.name = '<script>"&\x07\ud7ff]]>'
    assert '<script>"&?\ud7ff]]> (1)' in texts(parts(view)["board"])


def test_names_of_scenery_are_drawn_in_it() -> None:
    """The name is also inside of an L, whose middle lies outside."""
    corners = [(0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300)]
    view = view_of(in_play(1))
    del view.scenery[:]
    piece = view.scenery.add(element=64, name="Ruin", obstructing=True)
    piece.corners.extend(pb.Point(x=x + 500, y=y + 500) for x, y in corners)
    view.scenery.add(element=65, name="Silo", radius=12_700).corners.add(x=1200, y=1200)
    places = {text.text: numbers(text, "x", "y") for text in shapes(parts(view)["board"], "text")}
    x, y = places["Ruin"][0] - 500, SIDE - (places["Ruin"][1] - 8) - 500
    assert (0 < x < 300 and 0 < y < 100) or (0 < x < 100 and 0 < y < 300)
    assert places["Silo"] == [1200, SIDE - 1200 + 8]


def test_long_texts_of_cards_are_broken() -> None:
    view = view_of(in_play(1), 0)
    view.artefact.name, view.artefact.text = "Long", "word " * 90
    lines = texts(parts(view)["notes"])
    assert max(map(len, lines)) <= 110
    assert " ".join(lines).count("word") == 90


def test_only_the_hand_that_the_view_shows_is_drawn() -> None:
    state = in_play(1)
    for viewer in (0, 1, SPECTATOR):
        view = view_of(state, viewer)
        shown = {name for name in parts(view) if name.startswith("hand-")}
        assert shown == {
            f"hand-{number}-{8 + card.index}" for number, player in enumerate(view.players) for card in player.hand
        }


def test_targets_of_every_kind_of_decision() -> None:
    """Points are those of the scene; everything else is a part of it."""
    kinds: dict[str, set[str]] = {}
    for seed in (5, 6):
        for state in walk(seed):
            if not state.seats_to_act():
                continue
            seat = (state.seats_to_act() & -state.seats_to_act()).bit_length() - 1
            game, view = state.game, view_of(state, seat)
            actions = [game.action(state, Code(code)) for code in state.legal(seat)[:40]]
            for action, targets in zip(actions, game.targets(view, actions), strict=True):
                kind = action.WhichOneof("action")
                kinds.setdefault(kind, set()).add(" ".join(target.split("-")[0].split(":")[0] for target in targets))
                if kind == "go":
                    found = PLACE.fullmatch(targets[-1])
                    assert found is not None
                    x, y = float(found[1]) - LEFT, SIDE + TOP - float(found[2])
                    assert (x, y) == (action.go.point.x, action.go.point.y)
    assert kinds["go"] == {"figure place", "rouage place"}
    assert kinds["charge"] == {"figure place"}
    assert kinds["plan_card"] == {"hand slot"}
    assert kinds["use_capacity"] == {"capacity"}
    assert kinds["choose_edge"] == {"edge"}
    assert kinds["choose_target"] <= {"figure", "rouage", "marker", "scenery"}
    assert kinds["end_activation"] == {""}
