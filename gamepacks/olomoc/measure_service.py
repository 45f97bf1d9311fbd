"""MeasureService: anyone may measure anything on the board at any time (OLO-MEAS-01).

Everything that stands on the board is public, so every viewer gets the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from cext.geometry import Table
from cext.geometry.units import INCH, LAST, STEP, MoveKind
from gamepacks.api.errors import Fault, InvalidInput
from gamepacks.api.services import PackService, VisibleState
from gamepacks.olomoc.constants import BASES, LONG_RANGE_INCHES, PLAYERS_FIGURES
from gamepacks.olomoc.elements import FIRST_MARKER, FIRST_PIECE, ruler_pose
from gamepacks.olomoc.refusals import OVERLAPS, PendingMove, obstacle, why_not
from gamepacks.olomoc.v1 import measure_pb2 as pb
from gamepacks.olomoc.v1 import olomoc_pb2

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState

LONG_RANGE = LONG_RANGE_INCHES * INCH
MAX_ELEMENTS = 256
DEFAULT_STEP, LOWEST_STEP, HIGHEST_STEP = 10, 5, 100

_WAYS = {
    pb.DISPLACEMENT_KIND_MOVE: MoveKind.MOVE,
    pb.DISPLACEMENT_KIND_PUSH: MoveKind.PUSH,
    pb.DISPLACEMENT_KIND_ENTER: MoveKind.ENTER,
    pb.DISPLACEMENT_KIND_CHARGE: MoveKind.CHARGE,
}
_ATTACKS = {
    2: olomoc_pb2.ATTACK_KIND_FRONTAL,
    3: olomoc_pb2.ATTACK_KIND_RANGED,
    4: olomoc_pb2.ATTACK_KIND_CHARGE,
}
"""Kinds of attacks, by the number of the capacity in USE."""


class MeasureService(PackService):
    """The calls of measure.proto."""

    service = pb.DESCRIPTOR.services_by_name["MeasureService"]
    game_ids = ("olomoc",)

    def MeasureDistances(
        self, request: pb.MeasureDistancesRequest, visible: VisibleState
    ) -> pb.MeasureDistancesResponse:
        """Answer with the distances from a rouage or marker."""
        table = _table(visible)
        element = _disc(table, request.element, "element")
        others = _elements(table, request.others, "others", element)
        return pb.MeasureDistancesResponse(distances=[_distance(table, element, other) for other in others])

    def MeasureSight(self, request: pb.MeasureSightRequest, visible: VisibleState) -> pb.MeasureSightResponse:
        """Answer with the lines of sight from a rouage, from its place or from another one."""
        table, state = _table(visible), _state(visible)
        rouage = _rouage(table, request.rouage)
        elements = _elements(table, request.elements, "elements", rouage)
        moved = request.HasField("point")
        if moved:
            table = _moved(table, rouage, request.point)
        return pb.MeasureSightResponse(
            sights=[_sight(table, rouage, other, not moved and state.sees(rouage, other)) for other in elements]
        )

    def GetThreats(self, request: pb.GetThreatsRequest, visible: VisibleState) -> pb.GetThreatsResponse:
        """Answer with the threat zones and the elements in them."""
        table, state = _table(visible), _state(visible)
        stunned = _stunned(state)
        return pb.GetThreatsResponse(
            threats=[
                pb.Threat(
                    rouage=rouage,
                    radius=0 if stunned >> rouage & 1 else table.place(rouage)[2] + INCH,
                    elements=_bits(state.threatens(rouage)),
                    engaged=state.is_engaged(rouage),
                    in_cover=state.is_covered(rouage),
                )
                for rouage in _bits(table.present & (1 << FIRST_MARKER) - 1)
            ]
        )

    def GetReachableArea(
        self, request: pb.GetReachableAreaRequest, visible: VisibleState
    ) -> pb.GetReachableAreaResponse:
        """Answer with the places that a rouage can reach, as a raster."""
        table = _table(visible)
        step = request.step or DEFAULT_STEP
        if not LOWEST_STEP <= step <= HIGHEST_STEP:
            _refuse("step", f"must be {LOWEST_STEP} to {HIGHEST_STEP}, or 0 for {DEFAULT_STEP}")
        move = _move(visible, table, request)
        x, y, columns, rows, bits = move.displacement(table).raster(step)
        return pb.GetReachableAreaResponse(
            origin=olomoc_pb2.Point(x=x, y=y), step=step, columns=columns, rows=rows, reachable=bits
        )

    def CheckPlace(self, request: pb.CheckPlaceRequest, visible: VisibleState) -> pb.CheckPlaceResponse:
        """Answer whether a rouage can go to a place, with the ruler's pose and the zones, or the reason why not."""
        table, state = _table(visible), _state(visible)
        move = _move(visible, table, request)
        if not request.HasField("point"):
            _refuse("point", "must be set")
        x, y = request.point.x, request.point.y
        reason = why_not(table, move, x, y)
        if reason is not None:
            response = pb.CheckPlaceResponse(legal=False, reason=reason.value)
            what = obstacle(table, move.element, x, y, move.radius) if reason in OVERLAPS else None
            if what is not None:
                response.obstacle = what
            return response
        foes = state.foes(move.element)
        threatening = [foe for foe in _bits(foes) if state.threatens(foe) >> move.element & 1]
        arrived = _moved(table, move.element, request.point, move.radius)
        awake = foes & ~_stunned(state)
        left = [foe for foe in threatening if not arrived.is_within(move.element, foe, INCH)]
        return pb.CheckPlaceResponse(
            legal=True,
            pose=ruler_pose(move.displacement(table).pose(x, y), table),
            zones_left=left,
            engaging=_bits(arrived.within(move.element, INCH) & awake),
        )

    def ListTargets(self, request: pb.ListTargetsRequest, visible: VisibleState) -> pb.ListTargetsResponse:
        """Answer with the targets that a rouage could attack."""
        rouage = _rouage(_table(visible), request.rouage)
        return pb.ListTargetsResponse(
            attacks=[
                pb.PossibleAttack(kind=_ATTACKS[slot], target=target, dice=dice, difficulty=difficulty)
                for slot, target, dice, difficulty in _state(visible).attacks(rouage)
            ]
        )


def _state(visible: VisibleState) -> OlomocState:
    state: OlomocState = visible.state  # type: ignore[assignment]
    return state


def _table(visible: VisibleState) -> Table:
    table: Table = _state(visible).table()
    return table


def _stunned(state: OlomocState) -> int:
    return sum(1 << figure["index"] for figure in state.dump()["figures"] if figure["states"] & 1)


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _refuse(field: str, message: str) -> NoReturn:
    raise InvalidInput([Fault(field, message)])


def _distance(table: Table, element: int, other: int) -> pb.Distance:
    """Two rouages that touch one small marker are at 1 inch of each other (OLO-MEAS-05)."""
    near = table.is_within(element, other, INCH)
    gap = table.gap(element, other)
    return pb.Distance(
        element=other,
        inches=min(gap, 1.0) if near else gap,
        contact=table.touches(element, other),
        within_one=near,
        long_range=table.compare_gap(element, other, LONG_RANGE) > 0,
    )


# -- elements of requests ---------------------------------------------------------------------------------------------


def _exists(table: Table, element: int) -> bool:
    if FIRST_PIECE <= element < FIRST_PIECE + len(table.board.pieces):
        return True
    return 0 <= element < FIRST_PIECE and bool(table.present >> element & 1)


def _disc(table: Table, element: int, field: str) -> int:
    if element >= FIRST_PIECE or not _exists(table, element):
        _refuse(field, f"there is no rouage or marker {element} on the board")
    return element


def _rouage(table: Table, element: int) -> int:
    if element >= FIRST_MARKER or not _exists(table, element):
        _refuse("rouage", f"there is no rouage {element} on the board")
    return element


def _elements(table: Table, asked: Sequence[int], field: str, but: int) -> Iterable[int]:
    """Returns the elements of the request; all others if it names none."""
    if len(asked) > MAX_ELEMENTS:
        _refuse(field, f"must have at most {MAX_ELEMENTS} entries")
    if not asked:
        every = [*_bits(table.present), *range(FIRST_PIECE, FIRST_PIECE + len(table.board.pieces))]
        return [element for element in every if element != but]
    faults = [
        Fault(f"{field}[{number}]", f"there is no other element {element} on the board")
        for number, element in enumerate(asked)
        if element == but or not _exists(table, element)
    ]
    if faults:
        raise InvalidInput(faults)
    return asked


def _move(visible: VisibleState, table: Table, request: Any) -> PendingMove:
    """The change of place of a request. Raises InvalidInput."""
    way = _WAYS.get(request.kind)
    if way is None:
        _refuse("kind", "must be move, push, enter or charge")
    state, rouage = _state(visible), request.rouage
    if way is MoveKind.ENTER:
        return _entry(state, rouage)
    _rouage(table, rouage)
    radius = table.place(rouage)[2]
    if way is not MoveKind.CHARGE:
        return PendingMove(way, rouage, radius)
    target = request.target if request.HasField("target") else -1
    if target < 0 or not state.foes(rouage) >> target & 1:
        _refuse("target", "must be a foe on the board")
    return PendingMove(way, rouage, radius, target=target)


def _entry(state: OlomocState, rouage: int) -> PendingMove:
    dump = state.dump()
    found = next((figure for figure in dump["figures"] if figure["index"] == rouage), None)
    if found is None or found["where"] != olomoc_pb2.PLACE_OFF or rouage >= PLAYERS_FIGURES or found["card"] < 0:
        _refuse("rouage", f"rouage {rouage} is not waiting to enter the board")
    edge = dump["line"][rouage // 3]
    if edge < 0:
        _refuse("kind", "cannot be enter before the deployment lines are chosen")
    return PendingMove(MoveKind.ENTER, rouage, BASES[state.game.ruleset.profiles[found["card"]].base], edge=edge)


def _moved(table: Table, rouage: int, point: olomoc_pb2.Point, radius: int = 0) -> Table:
    """Returns the board with a rouage moved to another place. Raises InvalidInput if it cannot stand there."""
    radius = radius or table.place(rouage)[2]
    margin = -(-radius // STEP)
    if not (margin <= point.x <= LAST - margin and margin <= point.y <= LAST - margin):
        _refuse("point", "the base would not lie wholly on the board")
    if not table.spot_free(point.x, point.y, radius, rouage):
        _refuse("point", "something is in the way there")
    moved = table.copy()
    moved.put(rouage, point.x, point.y, radius)
    return moved


def _sight(table: Table, rouage: int, other: int, granted: bool) -> pb.Sight:
    """Returns whether a rouage sees an element, with a line to draw. ``granted``: an effect lets it, despite
    obstacles."""
    line = table.sight_line(rouage, other)
    if line is None and granted and other < FIRST_PIECE:
        one, two = table.place(rouage), table.place(other)
        line = (one[0] * STEP, one[1] * STEP, two[0] * STEP, two[1] * STEP)
    sight = pb.Sight(element=other, seen=line is not None or granted)
    if line is not None:
        sight.line.CopyFrom(olomoc_pb2.Segment(from_x=line[0], from_y=line[1], to_x=line[2], to_y=line[3]))
    return sight
