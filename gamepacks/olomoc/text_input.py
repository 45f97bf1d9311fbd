"""Typed text as an action message: places that are not listed, and capacities by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamepacks.api.text import folded
from gamepacks.olomoc.constants import GENERIC, GENERIC_NAMES
from gamepacks.olomoc.elements import FIRST_MARKER, element_names
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

_NUMBER = r"(\d{1,2}(?:\.\d{1,2})?)"
_PLACE = re.compile(rf"^(?P<before>.*?)\(?\s*(?<![\d.]){_NUMBER}\s*[,; ]\s*{_NUMBER}\s*\)?(?P<after>.*)$")
_TURNED = re.compile(r"^,?\s*(?:turned\s+)?(\d{1,3}(?:\.5)?)(?:\s*degrees)?$")
_GOING = frozenset({pb.DECISION_GO, pb.DECISION_ENTER, pb.DECISION_PUSH, pb.DECISION_HOSTILE_GO})
_ACTIVE = ("rest", "march", "frontal", "ranged", "charge")
"""The generic capacities that are used actively."""
_TURN = 22.5


def parse(view: pb.View, text: str) -> pb.Action | None:
    """Returns the action for a typed text: a place in inches, or a capacity by its name; None for any other text."""
    line = folded(text)
    if view.decision == pb.DECISION_ACT:
        return _capacity(view, line)
    found = _PLACE.match(line)
    if found is None:
        return None
    point = pb.Point(x=round(float(found[2]) * 100), y=round(float(found[3]) * 100))
    before, after = found["before"].strip(" ,"), found["after"].strip()
    if view.decision == pb.DECISION_SCENERY:
        rotation = _rotation(after)
        return None if rotation is None else pb.Action(lay_scenery=pb.LayScenery(rotation=rotation, point=point))
    if after:
        return None
    if view.decision in _GOING:
        return pb.Action(go=pb.Go(point=point))
    target = _charged(view, before) if view.decision == pb.DECISION_CHARGE else None
    return None if target is None else pb.Action(charge=pb.Charge(target=target, point=point))


def _rotation(text: str) -> int | None:
    """Returns the rotation in a text, such as ``turned 45 degrees``, in steps of 22.5 degrees; 0 if there is none."""
    if not text:
        return 0
    found = _TURNED.match(text)
    steps = float(found[1]) / _TURN if found else 0.5
    return int(steps) if steps == int(steps) and steps < 16 else None


def _charged(view: pb.View, text: str) -> int | None:
    """The foe that is named before the place, as in ``charge Bastien Karr, up to``."""
    words = [word for word in text.replace(",", " ").split() if word not in ("charge", "up", "to")]
    named = [index for index, name in element_names(view).items() if index < FIRST_MARKER and fits(words, name)]
    return named[0] if words and len(named) == 1 else None


def fits(words: list[str], name: str) -> bool:
    """Whether each of the words is the beginning of a word of the name."""
    parts = re.split(r"[^\w]+", folded(name))
    return all(any(part.startswith(word) for part in parts) for word in words)


def _capacity(view: pb.View, line: str) -> pb.Action | None:
    """``dominik march``, ``charge``: of the rouage that is named, or of the one that is active."""
    found = set()
    names = element_names(view)
    for rouage in view.rouages:
        for number, name in _capacities(rouage):
            if not line.endswith(name):
                continue
            whose = line.removesuffix(name).rstrip(" :")
            if rouage.active if not whose else fits(whose.split(), names.get(rouage.index, "")):
                found.add((rouage.index, number))
    if len(found) != 1:
        return None
    ((index, number),) = found
    return pb.Action(use_capacity=pb.UseCapacity(rouage=index, capacity=number))


def _capacities(rouage: pb.Rouage) -> Iterator[tuple[int, str]]:
    """Number and name of each active capacity of a rouage."""
    if not rouage.HasField("player"):
        return
    for name in _ACTIVE:
        yield GENERIC.index(name), folded(GENERIC_NAMES[GENERIC.index(name)])
    for capacity in rouage.capacities:
        if capacity.active:
            yield capacity.number, folded(capacity.name)
