"""Scenes: the builder, the style sheet, files, and the generic scene."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from gamepacks.api.scene import (
    ATTRIBUTES,
    ELEMENTS,
    SVG_NAMESPACE,
    Scene,
    generic_scene,
    place,
    standalone,
    style_classes,
    style_sheet,
    wrap_text,
)
from tests.support.games import kuhn

SVG = f"{{{SVG_NAMESPACE}}}"


def test_parts_have_ids_titles_and_classes() -> None:
    scene = Scene(100, 50, "A board")
    cell = scene.group("cell-3", "d1: empty", x=10, y=2.5)
    cell.rect(0, 0, 10, 10, "cell", rounded=2, stroke=1.255)
    cell.circle(5, 5, 3, "seat-0 outline", when="cell-3")
    root = ElementTree.fromstring(scene.svg())
    assert root.attrib == {"viewBox": "0 0 100 50", "role": "img", "class": "scene"}
    title, group = root
    assert title.text == "A board"
    assert group.attrib == {"id": "cell-3", "transform": "translate(10 2.5)"}
    assert group.findtext(f"{SVG}title") == "d1: empty"
    _, rect, circle = group
    assert rect.attrib == {
        "class": "cell", "x": "0", "y": "0", "width": "10", "height": "10", "rx": "2", "stroke-width": "1.25",
    }  # fmt: skip
    assert circle.get("data-when") == "cell-3"


def test_texts_are_escaped_and_cleaned() -> None:
    scene = Scene(10, 10, '<script>alert("1")</script>')
    scene.text(0, 0, "a < b & c\x00\ud800", "ink", id="card-1", title='"><script/>')
    root = ElementTree.fromstring(scene.svg())
    assert {part.tag.removeprefix(SVG) for part in root.iter()} == {"svg", "title", "text"}
    text = root[-1]
    assert text[0].text == '"><script/>' and text[0].tail == "a < b & c??"


@pytest.mark.parametrize("part_id", ["Cell", "cell 1", "1", "cell_1", "cell-"])
def test_malformed_id_is_refused(part_id: str) -> None:
    with pytest.raises(ValueError, match=r"the id .* of a part is not lower-case"):
        Scene(1, 1, "").group(part_id)


def test_id_cannot_stand_twice() -> None:
    scene = Scene(1, 1, "")
    scene.group("cell-1")
    with pytest.raises(ValueError, match="two parts of a scene have the id cell-1"):
        scene.group().circle(0, 0, 1, id="cell-1")


def test_paragraph_is_broken_and_cut() -> None:
    scene = Scene(1, 1, "")
    below = scene.paragraph(0, 20, "one two three four five six", 100, size=20, lines=2)
    texts = [text.text for text in ElementTree.fromstring(scene.svg()).iter(f"{SVG}text")]
    assert texts == ["one two", "thre…"]
    assert below == 20 + 2 * 26
    assert wrap_text("a\n\nb", 100, 20) == ("a", "", "b")


def test_place_has_two_decimals() -> None:
    assert place(3, -0.0) == "place:3.00,0.00"


def test_standalone_scene_has_plain_css() -> None:
    scene = Scene(10, 10, "Cards")
    scene.rect(0, 0, 5, 5, "card seat-0")
    root = ElementTree.fromstring(standalone(scene.svg()))
    style = root.findtext(f"{SVG}style")
    assert style is not None
    for word in ("var(", "light-dark(", "@media", ":root"):
        assert word not in style
    assert ".scene .seat-0{fill: #1b7f8c; color: #1b7f8c;}" in style
    assert ".scene .card{fill: #ffffff;" in style


def test_style_sheet_uses_only_properties_that_it_has() -> None:
    sheet = style_sheet()
    defined = set(re.findall(r"(--[a-z0-9-]+):", sheet))
    assert set(re.findall(r"var\((--[a-z0-9-]+)\)", sheet)) <= defined
    assert {"seat-0", "seat-5", "card", "card-back", "ink", "muted", "active", "last", "overlay"} <= style_classes()
    assert all(re.fullmatch("[a-z][a-z0-9-]*", name) for name in style_classes())


def test_generic_scene_lists_names_and_values() -> None:
    view = kuhn.messages.View(deal=2, cards=[3, -1], folded=[True, False])
    root = ElementTree.fromstring(generic_scene("Kuhn <poker>", view))
    assert [text.text for text in root.iter(f"{SVG}text")] == [
        "Kuhn <poker>",
        "deal: 2",
        "cards: 3, -1",
        "folded: yes, no",
    ]
    for part in root.iter():
        assert part.tag.removeprefix(SVG) in ELEMENTS and set(part.attrib) <= ATTRIBUTES
        assert set(part.get("class", "").split()) <= style_classes()


def test_generic_scene_shows_messages_enumerations_and_bytes() -> None:
    from gamepacks.ominoes.v1 import ominoes_pb2

    view = ominoes_pb2.View(phase=ominoes_pb2.PHASE_SET_UP, rolled=ominoes_pb2.FACE_YAY_RA)
    view.players.add(god=ominoes_pb2.GOD_RA, score=3)
    texts = [text.text for text in ElementTree.fromstring(generic_scene("Ominoes", view)).iter(f"{SVG}text")]
    assert texts == ["Ominoes", "phase: set up", "rolled: yay ra", "players 0", "god: ra", "score: 3"]


def test_generic_scene_is_bounded() -> None:
    view = kuhn.messages.View(cards=range(100_000))
    assert len(generic_scene("Kuhn", view)) < 10_000
    many = generic_scene("Kuhn", kuhn.messages.View(folded=[True] * 10))
    assert many.count("<text") == 2
