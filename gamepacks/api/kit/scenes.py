"""The check of scenes and of the targets of actions in them."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from google.protobuf.message import Message

from cext.random import Rng
from cext.state import TERMINAL
from gamepacks.api.game import viewers
from gamepacks.api.kit.base import OPENING, CheckFailed, Node, Subject, check
from gamepacks.api.scene import (
    ATTRIBUTES,
    ELEMENTS,
    MAX_SCENE_BYTES,
    PART_ID,
    PLACE,
    SVG_NAMESPACE,
    style_classes,
)
from gamepacks.api.types import OMNISCIENT, Code, Seat, Viewer

SHARE = 3
"""One in this number of the sampled nodes after the opening is checked."""
CHOICES = 1000
"""Maximum number of actions of a decision whose targets are checked; the service sends as many at a time."""


@check("scenes", cost="one walk per game; two scenes at a few nodes, each drawn twice, and all targets there")
def scenes(subject: Subject) -> str:
    """A scene is an SVG document of the elements, attributes and classes that are allowed, and equal views give equal
    scenes. Ids are unique in it, and every target of a legal action is a part with a title, or a point inside it."""
    rng = Rng(subject.seed)
    count = targets = 0
    for node in subject.sampled_nodes():
        if node.ply >= OPENING and node.actor != TERMINAL and rng.below(SHARE):
            continue
        acting = Viewer(max(node.seat, 0))
        others = [viewer for viewer in (*viewers(node.game.players), OMNISCIENT) if viewer != acting]
        for viewer in (acting, rng.choice(others)):
            view = node.game.view(node.state, viewer)
            parts = _check_scene(node, view)
            count += 1
            if viewer == node.seat >= 0:
                targets += _check_targets(node, view, parts)
            elif node.seat >= 0 and node.game.knows_code(node.state, node.mover, Code(node.code), viewer):
                action = node.game.action(node.state, Code(node.code))
                touched = node.game.touched(view, Seat(node.seat), action)
                is_list = not isinstance(touched, str) and all(isinstance(entry, str) for entry in touched)
                node.require(is_list, f"touched() returns {touched!r}; it must be a sequence of ids of parts")
    return f"{count} scenes, {targets} targets"


def _check_scene(node: Node, view: Message) -> ElementTree.Element:
    """Check the scene of a view; returns its root."""
    drawn = node.game.svg(view)
    node.require(isinstance(drawn, str), f"svg() gives a {type(drawn).__name__}")
    again = node.game.svg(type(view).FromString(view.SerializeToString()))
    node.require(drawn == again, "equal views give different scenes")
    size = len(drawn.encode())
    node.require(size <= MAX_SCENE_BYTES, f"a scene has {size} bytes; at most {MAX_SCENE_BYTES} are allowed")
    try:
        root = ElementTree.fromstring(drawn)
    except ElementTree.ParseError as error:
        raise CheckFailed(f"svg() does not return XML: {error}") from error
    node.require(root.tag == f"{{{SVG_NAMESPACE}}}svg", f"the root element of svg() is {root.tag}, not svg")
    node.require("scene" in root.get("class", "").split(), 'the class "scene" is missing at the root of a scene')
    node.require(_view_box(root) is not None, "viewBox is missing at the root of a scene, or is not four numbers")
    ids: set[str] = set()
    classes = style_classes()
    for part in root.iter():
        name = part.tag.removeprefix(f"{{{SVG_NAMESPACE}}}")
        if name not in ELEMENTS:
            node.fail(f"a scene has an element {name}, which is not allowed")
        for attribute in part.attrib:
            if attribute not in ATTRIBUTES:
                node.fail(f"an element {name} has the attribute {attribute}, which is not allowed")
        for word in part.get("class", "").split():
            if word not in classes:
                node.fail(f"scene.css has no class {word}")
        if (part_id := part.get("id")) is not None:
            node.require(PART_ID.fullmatch(part_id) is not None, f"{part_id!r} is not an id of a part, such as cell-12")
            node.require(part_id not in ids, f"two parts of a scene have the id {part_id}")
            ids.add(part_id)
    for part in root.iter():
        when = part.get("data-when")
        node.require(when is None or when in ids, f"data-when names {when}, which is not a part of the scene")
    return root


def _check_targets(node: Node, view: Message, root: ElementTree.Element) -> int:
    """Check the targets of the legal actions of the node's seat; returns the number of targets."""
    choices = [node.game.action(node.state, Code(code)) for code in node.choices()[:CHOICES]]
    listed = node.game.targets(view, choices)
    node.require(len(listed) == len(choices), f"targets() gives {len(listed)} entries for {len(choices)} actions")
    parts = {part_id: part for part in root.iter() if (part_id := part.get("id")) is not None}
    for targets in listed:
        node.require(
            not isinstance(targets, str), f"targets() gives {targets!r} for an action; it must be a sequence of ids"
        )
        for target in targets:
            if (point := PLACE.fullmatch(target)) is not None:
                node.require(_is_inside((float(point[1]), float(point[2])), root), f"{target} is outside the scene")
            else:
                part = parts.get(target)
                node.require(part is not None, f"the target {target} of an action is not a part of the scene")
                assert part is not None
                title = part.findtext(f"{{{SVG_NAMESPACE}}}title")
                node.require(bool(title), f"{target} is the target of an action, but has no title")
    return sum(map(len, listed))


def _view_box(root: ElementTree.Element) -> Sequence[float] | None:
    try:
        box = [float(value) for value in root.get("viewBox", "").split()]
    except ValueError:
        return None
    return box if len(box) == 4 else None


def _is_inside(point: tuple[float, float], root: ElementTree.Element) -> bool:
    x, y, width, height = _view_box(root) or (0, 0, 0, 0)
    return x <= point[0] <= x + width and y <= point[1] <= y + height
