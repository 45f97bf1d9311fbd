"""Checks of the stack of frames of a position against the rows of ``frames.py``: each frame, and what lies on it.

What the numbers mean together is looked at after that, in :mod:`gamepacks.olomoc.positions.meaning`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gamepacks.api.errors import Fault
from gamepacks.olomoc.constants import AGENDA_CAPACITY, GEAR_CAPACITY, PROFILE_CAPACITY
from gamepacks.olomoc.engine.state_base import OlomocRules
from gamepacks.olomoc.positions import frames as at
from gamepacks.olomoc.positions.frames import EFFECT_DONE, EFFECT_STAGES, ROWS, TRIGGERS, Kind, Over
from gamepacks.olomoc.ruleset import Capacity

FIGURES, DISCS = 16, 64
OFF, BLOC = 1, 2


@dataclass(frozen=True, slots=True)
class Layer:
    """A frame of a position."""

    number: int
    kind: Kind
    pc: int
    values: tuple[int, ...]
    """All of them, with the zeros at the end."""

    def __getitem__(self, place: int) -> int:
        return self.values[place]


class Stack:
    """Looks for faults in the frames of a position whose other values are sound."""

    def __init__(self, rules: OlomocRules, values: Mapping[str, Any]) -> None:
        self.ruleset, self.values = rules.ruleset, values
        self.figures: dict[int, Mapping[str, Any]] = {figure["index"]: figure for figure in values["figures"]}
        self.marks = {mark["element"] for mark in values["marks"]}
        self.cards = (*self.ruleset.profiles, *self.ruleset.hostiles)
        self.pieces = (
            len(self.ruleset.layouts[values["layout"]].pieces)
            if values["layout"] >= 0
            else sum(piece["rotation"] >= 0 for piece in values["pieces"])
        )
        self.layers: list[Layer] = []
        self._groups: dict[int, tuple[int, int]] = {}

    def faults(self) -> list[Fault]:
        """Every fault of the frames alone; if there is none, of how they lie upon each other."""
        frames = self.values["frames"]
        found = [fault for number, frame in enumerate(frames) for fault in self._alone(number, frame)]
        if not found:
            self.layers = [
                Layer(number, Kind(frame["kind"]), frame["pc"], padded(frame["values"]))
                for number, frame in enumerate(frames)
            ]
            found = [fault for layer in self.layers for fault in self._upon(layer)]
            if not found:
                self._group()
        return found

    def _group(self) -> None:
        """Go once along TRIGGERS frames that belong together: a restored position may have very many of them."""
        lowest = 0
        for layer in self.layers:
            if layer.kind != Kind.TRIGGERS:
                lowest = layer.number + 1
            elif layer.pc != at.FULL:
                for place, number in enumerate(range(lowest, layer.number + 1)):
                    self._groups[number] = place * at.MAX_ITEMS, layer.number
                lowest = layer.number + 1

    # -- a frame alone, and upon another ------------------------------------------------------------------------------

    def _alone(self, number: int, frame: Mapping[str, Any]) -> Iterator[Fault]:
        """A frame of an unknown kind, and numbers out of the ranges of its row."""
        where, values = f"frames[{number}]", frame["values"]
        if frame["kind"] not in ROWS or (frame["kind"] == Kind.GAME) != (number == 0):
            yield Fault(f"{where}.kind", f"no frame of kind {frame['kind']} can be here")
            return
        if len(values) > at.VALUES or (values and values[-1] == 0):
            yield Fault(f"{where}.values", f"at most {at.VALUES} numbers, the last of them not 0")
            return
        holds = ROWS[Kind(frame["kind"])].holds
        for place, value in enumerate(padded(values)):
            known = holds.get(place)
            if known is None:
                if value:
                    yield Fault(f"{where}.values[{place}]", f"holds nothing, not {value}")
            elif not known.low <= value <= known.high:
                yield Fault(f"{where}.values[{place}]", f"{value} is not from {known.low} to {known.high}")
            elif known.named and 0 <= value < FIGURES and value not in self.figures:
                yield Fault(f"{where}.values[{place}]", f"there is no rouage {value}")
        if frame["kind"] == Kind.EFFECTS and not 0 <= padded(values)[at.RUNS] < len(self.ruleset.programs):
            yield Fault(f"{where}.values[{at.RUNS}]", "there are no such effects")

    def _upon(self, layer: Layer) -> Iterator[Fault]:
        """A stage that no position waits in, or what cannot lie on a frame at its stage."""
        above = self.layers[layer.number + 1] if layer.number + 1 < len(self.layers) else None
        possible = self._possible(layer)
        if not possible:
            yield Fault(f"frames[{layer.number}].pc", f"nothing waits at stage {layer.pc} of kind {layer.kind.value}")
        elif above is None:
            if not any(over.kind is None for over in possible):
                yield Fault(f"frames[{layer.number}].pc", "asks for nothing, and nothing lies on it")
        else:
            wrong = [_mismatch(layer, above, over) for over in possible if over.kind == above.kind]
            if not wrong:
                yield Fault(f"frames[{above.number}].kind", f"cannot lie on stage {layer.pc} of the frame below")
            elif all(place is not None for place in wrong):
                yield Fault(f"frames[{above.number}].values[{wrong[0]}]", "is not what the frame below speaks of")

    def _possible(self, layer: Layer) -> tuple[Over, ...]:
        if layer.kind != Kind.EFFECTS:
            return ROWS[layer.kind].stages.get(layer.pc, ())
        program = self.ruleset.programs[layer[at.RUNS]]
        if not 0 <= layer.pc <= len(program):
            return ()
        found: tuple[Over, ...] = ()
        if layer.pc < len(program):
            found = EFFECT_STAGES.get((program[layer.pc].op, layer[at.STAGE]), ())
        if layer[at.STAGE] == 0:
            found += (*(EFFECT_DONE.get(program[layer.pc - 1].op, ()) if layer.pc else ()), TRIGGERS)
        return found

    # -- what is there ------------------------------------------------------------------------------------------------

    def above(self, layer: Layer) -> Layer | None:
        return self.layers[layer.number + 1] if layer.number + 1 < len(self.layers) else None

    def below(self, layer: Layer) -> Layer:
        return self.layers[layer.number - 1]

    def exists(self, element: int) -> bool:
        """Whether an element lies on the board."""
        if element < FIGURES:
            return element in self.figures and self.figures[element]["where"] == BLOC
        return element in self.marks or DISCS <= element < DISCS + self.pieces

    def group(self, layer: Layer) -> tuple[int, Layer]:
        """Of a TRIGGERS frame: the number of its first item, and the topmost frame of those that belong together."""
        first, topmost = self._groups[layer.number]
        return first, self.layers[topmost]

    def is_off(self, figure: int) -> bool:
        return figure in self.figures and self.figures[figure]["where"] == OFF

    def capacity_at(self, figure: int, slot: int) -> Capacity | None:
        """The specific capacity that a figure has at a number in USE."""
        return self.specific(figure).get(slot)

    def specific(self, figure: int) -> dict[int, Capacity]:
        """The specific capacities of a figure (-1: of the agenda's rules), as the engine gathers them."""
        agenda = self.ruleset.agendas[self.values["agenda"]] if self.values["agenda"] >= 0 else None
        if figure < 0:
            numbers = dict(enumerate(agenda.rules if agenda is not None else ()))
        else:
            gear = self.figures[figure]["gear"]
            numbers = dict(enumerate(self.cards[self.figures[figure]["card"]].capacities, PROFILE_CAPACITY))
            if gear >= 0:
                numbers |= enumerate(self.ruleset.gear[gear].capacities, GEAR_CAPACITY)
            if agenda is not None and figure < 6:
                numbers |= enumerate(agenda.capacities, AGENDA_CAPACITY)
        return {slot: self.ruleset.capacities[number] for slot, number in numbers.items()}

    def in_play(self, figure: int) -> bool:
        return self.exists(figure) or self.is_off(figure)


def padded(values: Sequence[int]) -> tuple[int, ...]:
    return (*values, *(0,) * (at.VALUES - len(values)))


def _mismatch(below: Layer, above: Layer, over: Over) -> int | None:
    """The first place of a frame that does not hold what the one below wants; None if all do."""
    for place, other in over.same:
        if above[place] != below[other]:
            return place
    for place, value in over.holds:
        if above[place] != value:
            return place
    return None
