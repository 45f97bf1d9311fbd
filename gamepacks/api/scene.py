"""Scenes: views drawn as SVG, with an id for each part that a person can choose or ask about.

A pack draws with :class:`Scene` in :meth:`gamepacks.api.Game.svg`, from the view message alone. Colours and fonts come
from the classes of one style sheet, ``scene.css`` beside this module; attributes give nothing but geometry. Players are
written as ``seat 0``, which front ends replace by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
MAX_SCENE_BYTES = 1 << 20
"""Largest scene that the service sends."""
ELEMENTS = frozenset(
    ("svg", "title", "desc", "g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan")
)
"""Elements that a scene may have."""
ATTRIBUTES = frozenset(
    ("viewBox", "role", "id", "class", "data-when", "transform", "x", "y", "width", "height", "rx", "ry")
) | frozenset(
    ("cx", "cy", "r", "x1", "y1", "x2", "y2", "dx", "dy", "points", "d", "text-anchor", "font-size", "stroke-width")
)
"""Attributes that the elements of a scene may have."""
PART_ID = re.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""Form of the id of a part: ``cell-12``, ``card-hand-3``."""
PLACE = re.compile(r"place:(-?\d+\.\d\d),(-?\d+\.\d\d)")
"""Form of a target that is a point: X and Y in user units."""

_LETTER_WIDTH = 0.52
"""Average width of a letter, as a share of the font size."""
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""
_PROPERTY = re.compile(r"--([a-z0-9-]+):\s*(?:light-dark\(([^,()]+),[^()]+\)|([^;()]+));")
_CLASS = re.compile(r"\.([a-z][a-z0-9-]*)")


class Group:
    """A ``<g>`` of a scene. Its methods draw shapes, texts and further groups in it, each on top of the one before.

    All coordinates are user units, from the group's origin; x grows to the right, y downwards. ``classes`` are names of
    the style sheet with blanks between them. A part with ``id`` can be a target of actions; ``title`` is its text
    alternative. A part with ``when`` shows only while the part of that id is selected, focused or hovered.
    """

    def __init__(self, element: ElementTree.Element, ids: set[str]) -> None:
        self._element = element
        self._ids = ids

    def group(
        self,
        id: str = "",
        title: str = "",
        classes: str = "",
        *,
        x: float = 0,
        y: float = 0,
        scale: float = 1,
        when: str = "",
    ) -> Group:
        """Add a group, whose origin is at (x, y) and whose units are ``scale`` times as large, and return it."""
        moved = [f"translate({_number(x)} {_number(y)})"] if x or y else []
        scaled = [f"scale({scale:.4g})"] if scale != 1 else []
        part = self._part("g", id, title, classes, when, transform=" ".join(moved + scaled))
        return Group(part, self._ids)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        classes: str = "",
        *,
        rounded: float = 0,
        stroke: float = 0,
        id: str = "",
        title: str = "",
        when: str = "",
        behind: bool = False,
    ) -> None:
        """Add a rectangle with the upper left corner (x, y); ``rounded`` is the radius of its corners.

        With ``behind`` it lies behind all that the group has: a frame whose size follows from its contents.
        """
        rx = rounded or None
        part = self._part("rect", id, title, classes, when, stroke, x=x, y=y, width=width, height=height, rx=rx)
        if behind:
            self._element.remove(part)
            self._element.insert(int(len(self._element) > 0 and self._element[0].tag == "title"), part)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        classes: str = "",
        *,
        stroke: float = 0,
        id: str = "",
        title: str = "",
        when: str = "",
    ) -> None:
        """Add a circle with the centre (x, y)."""
        self._part("circle", id, title, classes, when, stroke, cx=x, cy=y, r=radius)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, classes: str = "", *, stroke: float = 0, when: str = ""
    ) -> None:
        """Add a line. It needs a class with a stroke, such as ``line``."""
        self._part("line", "", "", classes, when, stroke, x1=x1, y1=y1, x2=x2, y2=y2)

    def polygon(
        self,
        points: Iterable[tuple[float, float]],
        classes: str = "",
        *,
        stroke: float = 0,
        id: str = "",
        title: str = "",
        when: str = "",
    ) -> None:
        """Add a closed polygon."""
        corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._part("polygon", id, title, classes, when, stroke, points=corners)

    def path(
        self, d: str, classes: str = "", *, stroke: float = 0, id: str = "", title: str = "", when: str = ""
    ) -> None:
        """Add a path, in SVG's path language."""
        self._part("path", id, title, classes, when, stroke, d=d)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        classes: str = "",
        *,
        size: float = 16,
        anchor: str = "start",
        id: str = "",
        title: str = "",
        when: str = "",
    ) -> None:
        """Add a line of text on the base line y; ``anchor`` (start, middle, end) is the point of the text that lies at
        x."""
        end = None if anchor == "start" else anchor
        part = self._part("text", id, title, classes, when, x=x, y=y, font_size=size, text_anchor=end)
        if len(part):
            part[-1].tail = _clean(text)
        else:
            part.text = _clean(text)

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        width: float,
        classes: str = "",
        *,
        size: float = 16,
        anchor: str = "start",
        lines: int = 0,
    ) -> float:
        """Add a text in lines of about ``width``, ``lines`` at most (0: any number); return the base line after it."""
        broken = wrap_text(text, width, size)
        if lines and len(broken) > lines:
            broken = (*broken[: lines - 1], f"{broken[lines - 1][:-1]}…")
        for line in broken:
            self.text(x, y, line, classes, size=size, anchor=anchor)
            y += round(1.3 * size, 1)
        return y

    def _part(
        self,
        tag: str,
        id: str,
        title: str,
        classes: str,
        when: str,
        stroke: float = 0,
        **attributes: float | str | None,
    ) -> ElementTree.Element:
        part = ElementTree.SubElement(self._element, tag)
        if id:
            if not PART_ID.fullmatch(id):
                raise ValueError(f"the id {id!r} of a part is not lower-case words and numbers with hyphens between")
            if id in self._ids:
                raise ValueError(f"two parts of a scene have the id {id}")
            self._ids.add(id)
            part.set("id", id)
        if classes:
            part.set("class", classes)
        if when:
            part.set("data-when", when)
        if stroke:
            part.set("stroke-width", _number(stroke))
        for name, value in attributes.items():
            if value is not None and value != "":
                part.set(name.replace("_", "-"), value if isinstance(value, str) else _number(value))
        if title:
            ElementTree.SubElement(part, "title").text = _clean(title)
        return part


class Scene(Group):
    """A whole SVG document, drawn as :class:`Group` says.

    Example::

        scene = Scene(300, 300, "Noughts and crosses")
        for cell in range(9):
            square = scene.group(f"cell-{cell}", f"cell {cell}: empty", x=100 * (cell % 3), y=100 * (cell // 3))
            square.rect(5, 5, 90, 90, "cell")
        return scene.svg()
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        """``title`` is the text alternative of the whole."""
        root = ElementTree.Element(
            "svg",
            {
                "xmlns": SVG_NAMESPACE,
                "viewBox": f"0 0 {_number(width)} {_number(height)}",
                "role": "img",
                "class": "scene",
            },
        )
        ElementTree.SubElement(root, "title").text = _clean(title)
        super().__init__(root, set())

    def resize(self, width: float, height: float) -> None:
        """Set the size of the document, where it is known only after drawing."""
        self._element.set("viewBox", f"0 0 {_number(width)} {_number(height)}")

    def svg(self) -> str:
        """Returns the document."""
        return ElementTree.tostring(self._element, encoding="unicode")


def place(x: float, y: float) -> str:
    """Returns the target for a point of a continuous board, in user units of the whole scene."""
    return f"place:{x + 0:.2f},{y + 0:.2f}"


@lru_cache(4096)
def wrap_text(text: str, width: float, size: float) -> tuple[str, ...]:
    """The lines of a text that is broken to about ``width`` at a font size."""
    letters = max(1, int(width / (_LETTER_WIDTH * size)))
    return tuple(line for part in text.split("\n") for line in wrap(part, letters) or [""])


@cache
def style_sheet() -> str:
    """The style sheet of all scenes, for pages that show them."""
    return resources.files("gamepacks.api").joinpath("scene.css").read_text("utf-8")


@cache
def style_classes() -> frozenset[str]:
    """The classes of the style sheet."""
    return frozenset(_CLASS.findall(re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", style_sheet(), flags=re.DOTALL)))


def standalone(svg: str) -> str:
    """Returns a scene with its style sheet inside, in light colours, as a file that any viewer of SVG shows.

    Custom properties are replaced by their values, as not all viewers know them.
    """
    head, mark, tail = svg.partition(">")
    return f"{head}{mark}<style>{_light_style()}</style>{tail}\n"


@cache
def _light_style() -> str:
    sheet = re.sub(r"/\*.*?\*/", "", style_sheet(), flags=re.DOTALL)
    values = {name: (light or plain).strip() for name, light, plain in reversed(_PROPERTY.findall(sheet))}
    rules = re.findall(r"^([^{}@]*\.[^{}]*)\{([^{}]*)\}", sheet, flags=re.MULTILINE)
    kept = [
        f"{selector.strip()}{{{' '.join(body.split())}}}"
        for selector, body in rules
        if not _PROPERTY.search(body) or "var(" in body
    ]
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda found: values[found[1]], "\n".join(kept))


# -- the generic scene -------------------------------------------------------------------------------------------------

_ROWS = 200
"""Rows of the generic scene."""
_VALUE_LETTERS = 1000
"""Letters of one value in the generic scene."""
_WIDTH, _MARGIN, _INDENT, _SIZE = 900, 24, 24, 18


def generic_scene(title: str, view: Message) -> str:
    """Returns the fields of a view message, with their names and values, as rows of text."""
    rows: list[tuple[int, str, str]] = []
    for depth, name, value in _fields(view, 0):
        if len(rows) == _ROWS:
            rows.append((0, "…", "more than can be shown"))
            break
        shown = value if len(value) <= _VALUE_LETTERS else f"{value[:_VALUE_LETTERS]}…"
        rows.append((depth, name, shown))
    widths = [_WIDTH - 2 * _MARGIN - _INDENT * min(depth, 8) for depth, _, _ in rows]
    lines = [
        wrap_text(f"{name}: {value}" if value else name, width, _SIZE)
        for (_, name, value), width in zip(rows, widths, strict=True)
    ]
    step = round(1.4 * _SIZE)
    scene = Scene(_WIDTH, 2 * _MARGIN + 40 + step * sum(map(len, lines)), title)
    scene.text(_MARGIN, _MARGIN + 20, title, "title", size=26)
    y = _MARGIN + 60
    for (depth, _, value), broken in zip(rows, lines, strict=True):
        for line in broken:
            scene.text(_MARGIN + _INDENT * min(depth, 8), y, line, "ink" if value else "strong", size=_SIZE)
            y += step
    return scene.svg()


def _fields(message: Message, depth: int) -> Iterator[tuple[int, str, str]]:
    """Yield depth, name and value of the fields that are set; a message has an empty value, and its fields follow."""
    for field, value in message.ListFields():
        name = field.name.replace("_", " ")
        if field.message_type is None:
            values = value if field.is_repeated else [value]
            yield depth, name, ", ".join(_value(field, each) for each in values)
        elif field.message_type.GetOptions().map_entry:
            yield depth, name, ", ".join(f"{key} {each}" for key, each in sorted(value.items()))
        elif field.is_repeated:
            for number, each in enumerate(value):
                yield depth, f"{name} {number}", ""
                yield from _fields(each, depth + 1)
        else:
            yield depth, name, ""
            yield from _fields(value, depth + 1)


def _value(field: FieldDescriptor, value: Any) -> str:
    if field.enum_type is not None:
        named = field.enum_type.values_by_number.get(value)
        prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", field.enum_type.name).upper() + "_"
        return str(value) if named is None else named.name.removeprefix(prefix).lower().replace("_", " ")
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    """Returns a number as text with at most two decimals, without trailing zeros."""
    return f"{value + 0:.2f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return _UNWRITABLE.sub("?", text)
