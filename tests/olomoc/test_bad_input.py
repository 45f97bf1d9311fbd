"""Bad input over gRPC: it is refused with a typed reason that names the field and the fault, and nothing changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from gamepacks.api.types import SPECTATOR
from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision
from omnilude import AsyncClient, Open
from omnilude.errors import IllegalAction, InvalidOption, NotYourTurn, OmniludeError
from tests.olomoc.in_play import walk
from tests.olomoc.scenes import MARCH, parts
from tests.support.server import running_server


@dataclass
class SeatedMatch:
    """A match at a service, and its two seats."""

    host: Any
    seats: list[Any]

    async def refused(self, action: pb.Action, seat: int | None = None) -> dict[str, str]:
        """The metadata of the refusal, with its message; the match is as it was, for everybody."""
        before = [await self._seen(handle) for handle in (self.host, *self.seats)]
        if seat is None:
            (seat,) = (await self.host.observation()).to_act
        with pytest.raises(IllegalAction) as caught:
            await self.seats[seat].submit_action(action)
        assert [await self._seen(handle) for handle in (self.host, *self.seats)] == before
        return {**caught.value.metadata, "message": caught.value.message}

    async def _seen(self, handle: Any) -> tuple[int, bytes, bytes]:
        seen = await handle.observation()
        position = seen.position.SerializeToString(deterministic=True) if seen.position is not None else b""
        return seen.seq, seen.view.SerializeToString(deterministic=True), position


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    async with running_server(only=["olomoc"]) as service, AsyncClient(service.target) as made:
        yield made


async def table(client: AsyncClient, state: OlomocState) -> SeatedMatch:
    """The state as a match at the service."""
    game = state.game
    match = await client.create(
        "olomoc", [Open(), Open()], options=game.options_message(), position=game.position(state)
    )
    return SeatedMatch(match, [await match.join("ann", 0), await match.join("bob", 1)])


def state_at(ask: Decision, **options: Any) -> OlomocState:
    return next(state.clone() for state in walk(3, **options) if state.decision == ask)


def acting() -> OlomocState:
    """A state in which a rouage on the board may march."""
    return next(
        state.clone()
        for state in walk(3)
        if state.decision == Decision.ACT
        and any(parts(code).verb == codes.USE and parts(code).b == MARCH for code in state.legal(state.actor()))
    )


async def test_bad_scenery_is_refused(client: AsyncClient) -> None:
    state = state_at(Decision.SCENERY, bloc="placed", agenda="survey")
    at = await table(client, state)

    def lay(x: int, y: int, rotation: int = 0) -> pb.Action:
        return pb.Action(lay_scenery=pb.LayScenery(rotation=rotation, point=pb.Point(x=x, y=y)))

    over = await at.refused(lay(800, 430))
    assert (over["pack_reason"], over["element"], over["x"], over["y"]) == ("BAD_SCENERY", "16", "800", "430")
    assert "it would overlap objective at (8.00, 3.50)" in over["message"]
    near = await at.refused(lay(800, 700))
    assert near["pack_reason"] == "TOO_CLOSE" and "nearer than 2 inches to objective" in near["message"]
    assert (await at.refused(lay(10, 800)))["pack_reason"] == "BAD_SCENERY"
    assert (await at.refused(lay(9_000, 800)))["pack_reason"] == "OFF_BOARD"
    assert (await at.refused(lay(800, 800, rotation=16)))["pack_reason"] == "NOT_AN_OPTION"


async def test_illegal_cards_and_cabales_are_refused(client: AsyncClient) -> None:
    at = await table(client, state_at(Decision.DRAFT))

    def take(profile: int) -> pb.Action:
        return pb.Action(recruit=pb.Recruit(profile=profile))

    assert (await at.refused(take(200)))["pack_reason"] == "NO_SUCH_CARD"
    assert (await at.refused(take(-1)))["pack_reason"] == "NOT_AN_OPTION"
    gear = pb.Action(equip=pb.Equip(gear=0, slot=0))
    assert (await at.refused(gear))["pack_reason"] == "WRONG_DECISION"
    for _ in range(2):
        (seat,) = (await at.host.observation()).to_act
        await at.seats[seat].submit_action(take(0) if _ == 0 else take(6))
    assert (await at.refused(take(6)))["pack_reason"] == "CARD_TAKEN"
    second = await at.refused(take(1))
    assert (
        second["pack_reason"] == "ILLEGAL_CABALE"
        and "already has a rouage of rank 3: Pétra Kantor" in second["message"]
    )
    other = await at.refused(take(11))
    assert other["pack_reason"] == "ILLEGAL_CABALE" and "belongs to another faction" in other["message"]


async def test_bad_places_are_refused(client: AsyncClient) -> None:
    state = acting()
    at = await table(client, state)
    march = next(code for code in state.legal(state.actor()) if parts(code).b == MARCH)
    await at.seats[state.actor()].submit_action(state.game.action(state, march))
    state.apply(march, state.actor())

    def go(x: int, y: int) -> pb.Action:
        return pb.Action(go=pb.Go(point=pb.Point(x=x, y=y)))

    going = state.going()
    assert going is not None
    mine = next(figure for figure in state.dump()["figures"] if figure["index"] == going[0])
    assert (await at.refused(go(1_601, 0)))["pack_reason"] == "OFF_BOARD"
    assert (await at.refused(go(0, 0)))["pack_reason"] == "OFF_BOARD"
    same = await at.refused(go(mine["x"], mine["y"]))
    assert same["pack_reason"] == "SAME_PLACE" and same["rouage"] == str(going[0])
    view = state.game.view(state, SPECTATOR)
    assert isinstance(view, pb.View)
    piece = view.scenery[0]
    xs, ys = ([getattr(corner, axis) for corner in piece.corners] for axis in "xy")
    walled = await at.refused(go(sum(xs) // len(xs), sum(ys) // len(ys)))
    assert walled["pack_reason"] == "OVERLAPS_SCENERY" and walled["element"] == str(piece.element)
    far = await at.refused(go(100 if mine["x"] > 800 else 1_500, 100 if mine["y"] > 800 else 1_500))
    assert far["pack_reason"] == "OUT_OF_REACH" and far["message"].startswith("(")
    assert (await at.refused(pb.Action(go=pb.Go())))["pack_reason"] == "INCOMPLETE_ACTION"
    (seat,) = (await at.host.observation()).to_act
    with pytest.raises(NotYourTurn):
        await at.seats[1 - seat].submit_action(go(800, 800))


async def test_invalid_options_and_positions_are_refused(client: AsyncClient) -> None:
    for options, field in (
        ({"card_set": "printed"}, "card_set"),
        ({"agenda": "none"}, "agenda"),
        ({"bloc": "none"}, "bloc"),
        ({"push_ruler_length": 500}, "push_ruler_length"),
        ({"list_step": 30}, "list_step"),
    ):
        with pytest.raises(InvalidOption) as caught:
            await client.create("olomoc", [Open(), Open()], options=options)
        assert [fault.field for fault in caught.value.faults] == [f"options.{field}"]
    state = acting()
    position = state.game.position(state)
    assert isinstance(position, pb.Position)
    position.figures[0].x = position.figures[0].y = 1
    with pytest.raises(OmniludeError) as refused:
        await client.create("olomoc", [Open(), Open()], options=state.game.options_message(), position=position)
    assert getattr(refused.value, "reason", "") == "INVALID_POSITION"
