"""Faulty games for the check of scenes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, ClassVar

from google.protobuf.message import Message

from gamepacks.api import Seat
from gamepacks.api.scene import MAX_SCENE_BYTES
from tests.kit.faulty.base import caught
from tests.support.games.kuhn import KuhnGame


def _document(content: str = "", head: str = 'viewBox="0 0 9 9" class="scene"') -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{content}</svg>'


class Drawn(KuhnGame):
    drawing: ClassVar[Any] = _document('<g id="button-1"><title>Button</title></g><g id="cell-1"/>')
    chosen: ClassVar[Any] = ("button-1",)

    def svg(self, view: Message) -> Any:
        return self.drawing

    def targets(self, view: Message, choices: Sequence[Message]) -> Any:
        return [self.chosen for _ in choices]


@caught("scenes", r"svg\(\) gives a bytes")
class SceneIsBytes(Drawn):
    drawing = _document().encode()


@caught("scenes", r"svg\(\) does not return XML: ")
class SceneIsNoXml(Drawn):
    drawing = _document("<g>")


@caught("scenes", r"the root element of svg\(\) is svg, not svg")
class SceneWithoutNamespace(Drawn):
    drawing = "<svg/>"


@caught("scenes", "equal views give different scenes")
class SceneThatCounts(Drawn):
    number = itertools.count()

    def svg(self, view: Message) -> str:
        return _document(f"<text>{next(self.number)}</text>")


@caught("scenes", f"a scene has [0-9]+ bytes; at most {MAX_SCENE_BYTES} are allowed")
class SceneIsTooLarge(Drawn):
    drawing = _document(f"<text>{'m' * MAX_SCENE_BYTES}</text>")


@caught("scenes", 'the class "scene" is missing')
class RootWithoutClass(Drawn):
    drawing = _document(head='viewBox="0 0 9 9"')


@caught("scenes", "viewBox is missing")
class RootWithoutViewBox(Drawn):
    drawing = _document(head='class="scene"')


@caught("scenes", "a scene has an element script, which is not allowed")
class SceneWithScript(Drawn):
    drawing = _document("<script/>")


@caught("scenes", "an element g has the attribute style, which is not allowed")
class SceneWithStyle(Drawn):
    drawing = _document('<g style="fill: red"/>')


@caught("scenes", "scene.css has no class sparkling")
class UnknownClass(Drawn):
    drawing = _document('<g class="card sparkling"/>')


@caught("scenes", "'Cell 1' is not an id of a part")
class IdWithBlank(Drawn):
    drawing = _document('<g id="Cell 1"/>')


@caught("scenes", "two parts of a scene have the id cell-1")
class IdTwice(Drawn):
    drawing = _document('<g id="cell-1"/><g id="cell-1"/>')


@caught("scenes", "data-when names figure-2, which is not a part of the scene")
class OverlayOfNothing(Drawn):
    drawing = _document('<g data-when="figure-2"/>')


@caught("scenes", "the target button-2 of an action is not a part of the scene")
class TargetIsMissing(Drawn):
    chosen = ("button-2",)


@caught("scenes", "cell-1 is the target of an action, but has no title")
class TargetWithoutTitle(Drawn):
    chosen = ("cell-1",)


@caught("scenes", "place:9.01,3.00 is outside the scene")
class PlaceIsOutside(Drawn):
    chosen = ("button-1", "place:9.01,3.00")


@caught("scenes", r"targets\(\) gives 'button-1' for an action; it must be a sequence of ids")
class TargetsAreAText(Drawn):
    chosen = "button-1"


@caught("scenes", r"targets\(\) gives 1 entries for 2 actions")
class TooFewTargets(Drawn):
    def targets(self, view: Message, choices: Sequence[Message]) -> Any:
        return [("button-1",)]


@caught("scenes", r"touched\(\) returns 'button-1'; it must be a sequence of ids")
class TouchedIsAText(Drawn):
    def touched(self, view: Message, seat: Seat, action: Message) -> Any:
        return "button-1"
