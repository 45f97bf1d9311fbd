"""MeasureService: its answers, for all viewers, and its refusals."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from grpc import StatusCode

from cext.geometry.units import INCH, STEP
from cext.random import Rng
from gamepacks import olomoc
from gamepacks.api import InvalidInput, Viewer, VisibleState
from gamepacks.api.services import calls_of
from gamepacks.api.types import OMNISCIENT, SPECTATOR
from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.measure_service import MeasureService
from gamepacks.olomoc.v1 import measure_pb2 as pb
from gamepacks.olomoc.v1 import olomoc_pb2
from gamepacks.olomoc.v1.olomoc_enums import Decision
from omnilude.v1 import match_service_pb2
from tests.olomoc.in_play import in_play, on_board, walk
from tests.olomoc.scenes import Marker, Rouage, go, parts, scene
from tests.support.rpc_errors import refused
from tests.support.server import running_server
from tests.support.wire import new_match

SEEDS = (1, 2, 3)
CALLS = {call.name: call for call in calls_of(MeasureService())}
KINDS = (pb.DISPLACEMENT_KIND_MOVE, pb.DISPLACEMENT_KIND_PUSH)


def look(state: OlomocState, viewer: Viewer = OMNISCIENT) -> VisibleState:
    return VisibleState("matches/m", 17, state.game, state, viewer)


def ask(state: OlomocState, name: str, viewer: Viewer = OMNISCIENT, **fields: Any) -> Any:
    """The answer of a call on a state."""
    call = CALLS[name]
    return call.answer(call.request(**fields), look(state, viewer))


def refusal(state: OlomocState, name: str, **fields: Any) -> dict[str, str]:
    """The faults of a call that must be refused, by field."""
    with pytest.raises(InvalidInput) as error:
        ask(state, name, **fields)
    return {fault.field: fault.message for fault in error.value.faults}


def requests(state: OlomocState) -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns a request of each call for every element on the board."""
    yield "GetThreats", {}
    foes = {rouage: state.foes(rouage) for rouage in on_board(state)}
    for rouage, foe_mask in foes.items():
        yield "MeasureDistances", {"element": rouage}
        yield "MeasureSight", {"rouage": rouage}
        yield "ListTargets", {"rouage": rouage}
        for kind in KINDS:
            yield "GetReachableArea", {"rouage": rouage, "kind": kind, "step": 50}
            yield "CheckPlace", {"rouage": rouage, "kind": kind, "point": olomoc_pb2.Point(x=800, y=800)}
        if foe_mask:
            target = foe_mask.bit_length() - 1
            charge = {"rouage": rouage, "kind": pb.DISPLACEMENT_KIND_CHARGE, "target": target, "step": 50}
            yield "GetReachableArea", charge


# -- what is answered --------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-MEAS-01", "OLO-MEAS-02")
@pytest.mark.parametrize("seed", SEEDS)
def test_distances_to_everything(seed: int) -> None:
    state = in_play(seed)
    table = state.table()
    element = on_board(state)[0]
    answer = ask(state, "MeasureDistances", element=element)
    assert answer.seq == 17
    shown = {distance.element: distance for distance in answer.distances}
    assert set(shown) == {
        other
        for other in range(64 + len(table.board.pieces))
        if other != element and (other >= 64 or table.present >> other & 1)
    }
    for other, distance in shown.items():
        assert distance.inches == pytest.approx(table.gap(element, other))
        assert distance.contact == table.touches(element, other)
        assert distance.within_one == table.is_within(element, other, INCH)
        assert distance.long_range == (table.compare_gap(element, other, 4 * INCH) > 0)
    some = list(shown)[:2]
    assert [d.element for d in ask(state, "MeasureDistances", element=element, others=some[::-1]).distances] == some[
        ::-1
    ]


@pytest.mark.rule("OLO-MEAS-05")
def test_the_distance_over_a_shared_marker() -> None:
    """G04: 1.1989 inches apart, but both touch the marker: 1 inch."""
    for x, inches, near in ((919, 1.0, True), (921, 1.2189, False)):
        state = scene({2: Rouage((681, 800)), 4: Rouage((x, 800))}, markers=[Marker((800, 800))])
        (distance,) = ask(state, "MeasureDistances", element=2, others=[4]).distances
        assert distance.inches == pytest.approx(inches, abs=1e-3)
        assert (distance.within_one, distance.contact) == (near, False)
        (threat,) = [threat for threat in ask(state, "GetThreats").threats if threat.rouage == 2]
        assert (threat.engaged, list(threat.elements)) == (near, [4, 16] if near else [16])


@pytest.mark.rule("OLO-LOS-01")
@pytest.mark.parametrize("seed", SEEDS)
def test_sight_with_a_segment_to_draw(seed: int) -> None:
    state = in_play(seed)
    table = state.table()
    for rouage in on_board(state):
        for sight in ask(state, "MeasureSight", rouage=rouage).sights:
            assert sight.seen == state.sees(rouage, sight.element)
            assert sight.seen or not sight.HasField("line")
            if sight.HasField("line") and sight.element < 64:
                ends = (
                    (rouage, sight.line.from_x, sight.line.from_y),
                    (sight.element, sight.line.to_x, sight.line.to_y),
                )
                for element, x, y in ends:
                    cx, cy, radius = table.place(element)
                    assert hypot(x - cx * STEP, y - cy * STEP) <= radius + 1


def test_sight_from_another_place() -> None:
    state = in_play(1)
    table = state.table()
    rouage, other = on_board(state)[:2]
    x, y, radius = table.place(rouage)
    for dx, dy in ((150, 0), (-150, 0), (0, 150), (0, -150)):
        point = olomoc_pb2.Point(x=x + dx, y=y + dy)
        if not table.spot_free(point.x, point.y, radius, rouage) or not 100 <= min(point.x, point.y) <= 1500:
            continue
        (sight,) = ask(state, "MeasureSight", rouage=rouage, elements=[other], point=point).sights
        assert sight.seen == table.sight_from(rouage, point.x, point.y, other)


@pytest.mark.rule("OLO-LOS-01")
def test_measured_sight_is_blocked_by_a_wall() -> None:
    state = scene({2: Rouage((900, 1000)), 4: Rouage((900, 800))}, options={"bloc": "tall"})
    seen = []
    for point in (None, olomoc_pb2.Point(x=1400, y=800)):
        (sight,) = ask(state, "MeasureSight", rouage=2, elements=[4], **({"point": point} if point else {})).sights
        seen.append((sight.seen, sight.HasField("line")))
    assert seen == [(True, True), (False, False)]


@pytest.mark.rule("OLO-THREAT-01", "OLO-THREAT-03")
@pytest.mark.parametrize("seed", SEEDS)
def test_threat_zones_are_measured(seed: int) -> None:
    state = in_play(seed)
    table = state.table()
    threats = {threat.rouage: threat for threat in ask(state, "GetThreats").threats}
    assert list(threats) == on_board(state)
    for rouage, threat in threats.items():
        assert threat.radius in (0, table.place(rouage)[2] + INCH)
        inside = [other for other in range(64) if table.within(rouage, INCH) >> other & 1 and other != rouage]
        assert list(threat.elements) == (inside if threat.radius else [])
        foes = state.foes(rouage)
        assert threat.engaged == any(rouage in threats[foe].elements for foe in threats if foes >> foe & 1)


@pytest.mark.rule("OLO-THREAT-01", "OLO-STUN-01")
def test_stunned_rouage_has_no_threat_zone() -> None:
    state = scene({2: Rouage((700, 800)), 4: Rouage((900, 800), stunned=True), 5: Rouage((700, 1000))})
    threats = {threat.rouage: threat for threat in ask(state, "GetThreats").threats}
    assert threats[4].radius == 0 and list(threats[4].elements) == []
    radius = state.table().place(5)[2]
    assert threats[5].radius == radius + INCH and list(threats[5].elements) == [2]
    assert list(threats[2].elements) == [4, 5] and threats[2].engaged and threats[4].engaged


@pytest.mark.rule("OLO-OPP-01", "OLO-THREAT-03")
def test_check_place_lists_zones_left_and_engaged() -> None:
    stand = {2: Rouage((700, 800)), 4: Rouage((900, 800)), 5: Rouage((700, 1100))}

    def means(x: int, y: int, **stunned: bool) -> tuple[list[int], list[int]]:
        figures = {**stand, **{int(name[1:]): Rouage(stand[int(name[1:])].at, stunned=True) for name in stunned}}
        point = olomoc_pb2.Point(x=x, y=y)
        checked = ask(scene(figures), "CheckPlace", rouage=2, kind=pb.DISPLACEMENT_KIND_MOVE, point=point)
        assert checked.legal
        return list(checked.zones_left), list(checked.engaging)

    assert means(720, 800) == ([], [4])
    assert means(600, 800) == ([4], [])
    assert means(600, 960) == ([4], [5])
    assert means(600, 800, f4=True) == ([], [])
    assert means(600, 960, f5=True) == ([4], [])


@pytest.mark.parametrize("kind", KINDS)
def test_the_reachable_area_is_a_raster_of_legal_places(kind: int) -> None:
    state = in_play(1)
    rouage = on_board(state)[0]
    area = ask(state, "GetReachableArea", rouage=rouage, kind=kind, step=25)
    table = state.table()
    wanted = table.push(rouage) if kind == pb.DISPLACEMENT_KIND_PUSH else table.move(rouage)
    width = (area.columns + 7) // 8
    assert len(area.reachable) == width * area.rows
    found = 0
    for row in range(area.rows):
        for column in range(area.columns):
            bit = area.reachable[row * width + column // 8] >> column % 8 & 1
            x, y = area.origin.x + column * area.step, area.origin.y + row * area.step
            assert bit == wanted.allows(x, y)
            found += bit
    assert found
    assert ask(state, "GetReachableArea", rouage=rouage, kind=kind).step == 10


@pytest.mark.rule("OLO-MOVE-03")
def test_a_place_is_legal_to_go_to_exactly_where_it_may_be_checked() -> None:
    """At a decision where to march, the service and the rules agree on every point."""
    looked, rng = 0, Rng(4)
    for state in walk(3):
        going = state.going() if state.decision == Decision.GO else None
        if going is None or going[1] != 0:
            continue
        rouage = going[0]
        frame = [*state.dump()["frames"][-1]["values"], *[0] * 9]
        if frame[6] or frame[8]:
            continue  # an effect binds it to a direction or a ruler
        for code in [*state.legal()[:20], *(_near(state, rouage, rng) for _ in range(40))]:
            given = parts(code)
            if given.verb is not codes.GO:
                continue
            point = olomoc_pb2.Point(x=given.x, y=given.y)
            checked = ask(state, "CheckPlace", rouage=rouage, kind=pb.DISPLACEMENT_KIND_MOVE, point=point)
            assert checked.legal == state.is_legal(code)
            assert checked.legal == (not checked.reason)
            assert checked.legal or checked.reason in {reason.value for reason in Reason}
        looked += 1
        if looked == 4:
            return
    raise AssertionError(f"only {looked} decisions were met")


def test_places_that_are_taken_say_by_what() -> None:
    state = scene(
        {2: Rouage((400, 800)), 0: Rouage((400, 1000))}, markers=[Marker((600, 700))], options={"bloc": "tall"}
    )
    taken = {}
    for x, y in ((400, 990), (610, 700), (1150, 800), (1500, 200)):
        point = olomoc_pb2.Point(x=x, y=y)
        checked = ask(state, "CheckPlace", rouage=2, kind=pb.DISPLACEMENT_KIND_MOVE, point=point)
        taken[checked.reason] = checked.obstacle if checked.HasField("obstacle") else None
    assert taken == {
        Reason.OVERLAPS_ROUAGE: 0,
        Reason.OVERLAPS_MARKER: 16,
        Reason.OVERLAPS_SCENERY: 64,
        Reason.OUT_OF_REACH: None,
    }


def _near(state: OlomocState, rouage: int, rng: Rng) -> int:
    x, y, _ = state.table().place(rouage)
    return go(max(0, x + rng.below(900) - 450), max(0, y + rng.below(900) - 450))


def test_check_place_describes_a_place() -> None:
    state = in_play(2)
    table = state.table()
    for rouage in on_board(state):
        for place in list(table.move(rouage).places(100))[:30]:
            point = olomoc_pb2.Point(x=place >> 11, y=place & 2047)
            checked = ask(state, "CheckPlace", rouage=rouage, kind=pb.DISPLACEMENT_KIND_MOVE, point=point)
            assert checked.legal
            pose = table.move(rouage).pose(point.x, point.y)
            assert pose is not None
            assert checked.HasField("pose") == (pose[0] != "base")
            foes = state.foes(rouage)
            left = table.within(rouage, INCH) & ~table.within_at(rouage, point.x, point.y, INCH) & foes
            assert set(checked.zones_left) <= {bit for bit in range(16) if left >> bit & 1}
            assert all(foes >> foe & 1 for foe in checked.engaging)


def test_rouage_that_waits_to_enter_can_be_measured() -> None:
    for state in walk(1):
        if state.decision != Decision.ENTER:
            continue
        waiting = next(
            f["index"] for f in state.dump()["figures"] if f["where"] == olomoc_pb2.PLACE_OFF and f["index"] < 6
        )
        area = ask(state, "GetReachableArea", rouage=waiting, kind=pb.DISPLACEMENT_KIND_ENTER, step=50)
        assert any(area.reachable)
        assert "rouage" in refusal(state, "GetReachableArea", rouage=waiting, kind=pb.DISPLACEMENT_KIND_MOVE)
        return
    raise AssertionError("nobody enters")


@pytest.mark.parametrize("seed", SEEDS)
def test_targets_are_foes(seed: int) -> None:
    state = in_play(seed)
    for rouage in on_board(state):
        for attack in ask(state, "ListTargets", rouage=rouage).attacks:
            assert state.foes(rouage) >> attack.target & 1
            assert attack.kind in (
                olomoc_pb2.ATTACK_KIND_FRONTAL,
                olomoc_pb2.ATTACK_KIND_RANGED,
                olomoc_pb2.ATTACK_KIND_CHARGE,
            )
            assert attack.dice > 0 and 1 <= attack.difficulty <= 6


# -- to whom -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OLO-MEAS-01")
@pytest.mark.parametrize("seed", SEEDS)
def test_everybody_gets_the_same_answers(seed: int) -> None:
    """The board is public: the answers do not depend on the caller or on hidden facts of the state."""
    state, rng = in_play(seed), Rng(seed)
    others = [(viewer, state.resample(viewer, rng.fork())) for viewer in (0, 1, SPECTATOR) for _ in range(2)]
    before = state.to_bytes()
    for name, fields in requests(state):
        truth: Message = ask(state, name, **fields)
        for viewer, other in others:
            assert isinstance(other, OlomocState)
            assert ask(other, name, Viewer(viewer), **fields) == truth, (name, fields, viewer)
    assert state.to_bytes() == before


async def test_over_the_wire_with_every_token() -> None:
    state = next(state for state in walk(1) if state.decision == Decision.ACT and len(on_board(state)) >= 4)
    position = AnyMessage()
    position.Pack(state.game.position(state))
    async with running_server(packs=[olomoc]) as running:
        table = await new_match(running, "olomoc", 2, position=position)
        for name, fields in [*requests(state)][:8]:
            call = CALLS[name]
            method = running.channel.unary_unary(call.path, call.request.SerializeToString, call.response.FromString)
            answers = [
                await method(call.request(name=table.name, token=token, **fields))
                for token in ("", table.host, *table.seats)
            ]
            assert answers[0].seq == (await table.match()).seq
            assert all(answer == answers[0] for answer in answers)
        threats = CALLS["GetThreats"]
        method = running.channel.unary_unary(
            threats.path, threats.request.SerializeToString, threats.response.FromString
        )
        wrong = await refused(method(threats.request(name=table.name, token="x" * 43)))
        assert (wrong.code, wrong.reason) == (StatusCode.PERMISSION_DENIED, "TOKEN_INVALID")
        sight = CALLS["MeasureSight"]
        method = running.channel.unary_unary(sight.path, sight.request.SerializeToString, sight.response.FromString)
        nobody = await refused(method(sight.request(name=table.name, rouage=15)))
        assert (nobody.code, nobody.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
        assert nobody.fields == {"rouage": "there is no rouage 15 on the board"}
        got = await running.matches.GetMatch(match_service_pb2.GetMatchRequest(name=table.name))
        assert got.match.from_position


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_absent_elements_cannot_be_measured() -> None:
    state = in_play(1)
    rouage = on_board(state)[0]
    last = 64 + len(state.table().board.pieces)
    assert refusal(state, "MeasureDistances", element=64) == {"element": "there is no rouage or marker 64 on the board"}
    assert refusal(state, "MeasureDistances", element=-1) == {"element": "there is no rouage or marker -1 on the board"}
    wrong = refusal(state, "MeasureDistances", element=rouage, others=[last, rouage, last - 1, -5, 2**31 - 1])
    assert set(wrong) == {"others[0]", "others[1]", "others[3]", "others[4]"}
    assert refusal(state, "MeasureSight", rouage=rouage, elements=[rouage] * 300) == {
        "elements": "must have at most 256 entries"
    }
    assert "point" in refusal(state, "MeasureSight", rouage=rouage, point=olomoc_pb2.Point(x=3, y=800))
    x, y, _ = state.table().place(on_board(state)[1])
    assert refusal(state, "MeasureSight", rouage=rouage, point=olomoc_pb2.Point(x=x, y=y)) == {
        "point": "something is in the way there"
    }
    assert refusal(state, "ListTargets", rouage=16) == {"rouage": "there is no rouage 16 on the board"}


def test_invalid_moves_are_refused() -> None:
    state = in_play(1)
    rouage = on_board(state)[0]
    assert set(refusal(state, "GetReachableArea", rouage=rouage)) == {"kind"}
    assert set(refusal(state, "GetReachableArea", rouage=rouage, kind=77)) == {"kind"}
    for step in (4, 101, -10):
        assert set(refusal(state, "GetReachableArea", rouage=rouage, kind=pb.DISPLACEMENT_KIND_MOVE, step=step)) == {
            "step"
        }
    assert set(refusal(state, "GetReachableArea", rouage=rouage, kind=pb.DISPLACEMENT_KIND_ENTER)) == {"rouage"}
    assert set(refusal(state, "CheckPlace", rouage=rouage, kind=pb.DISPLACEMENT_KIND_MOVE)) == {"point"}
    for target in (None, rouage, 63, 700, -3):
        fields = {} if target is None else {"target": target}
        refused = refusal(state, "GetReachableArea", rouage=rouage, kind=pb.DISPLACEMENT_KIND_CHARGE, **fields)
        assert set(refused) == {"target"}
    point = olomoc_pb2.Point(x=-(2**31), y=2**31 - 1)
    off = ask(state, "CheckPlace", rouage=rouage, kind=pb.DISPLACEMENT_KIND_MOVE, point=point)
    assert (off.legal, off.reason) == (False, Reason.OFF_BOARD.value)


def test_before_anything_stands_on_the_board() -> None:
    state = next(walk(1))
    assert list(ask(state, "GetThreats").threats) == []
    for rouage in range(16):
        assert set(refusal(state, "GetReachableArea", rouage=rouage, kind=pb.DISPLACEMENT_KIND_ENTER)) == {"rouage"}
