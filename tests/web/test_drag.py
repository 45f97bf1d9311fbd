"""Dragging of pieces on the page, with a mouse and with a finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from playwright.sync_api import Browser, expect

from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from tests.support.page import PHONE, PageService, Person

HIGH = {"width": 1280, "height": 1700}
"""Size of a window in which every scene is whole."""
PIECE = """
svg => {
    const part = svg.querySelector('.draggable');
    part.scrollIntoView({ block: 'center' });
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}
"""
"""Returns a point of the first part that can be dragged."""
TARGET = """
svg => {
    const isFree = (x, y) => svg.contains(document.elementFromPoint(x, y));
    for (const part of svg.querySelectorAll('.choosable')) {
        const box = part.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (isFree(x, y)) return [x, y];
    }
    const places = svg.querySelector('.drop-places').getAttribute('d');
    for (const [, x, y] of places.matchAll(/M([-.\\d]+) ([-.\\d]+)h0/g)) {
        const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
        if (isFree(point.x, point.y)) return [point.x, point.y];
    }
}
"""
"""Returns a point at which the part that is being dragged can be dropped: of a part, else a place."""

Pointer = Callable[[str, float, float], None]


def mouse(person: Person) -> Pointer:
    """Returns a function that goes to a point, and presses or releases the mouse there."""

    def act(kind: str, x: float, y: float) -> None:
        person.page.mouse.move(x, y, steps=3)
        if kind != "move":
            getattr(person.page.mouse, kind)()

    return act


def finger(person: Person) -> Pointer:
    """Returns a function that puts a finger down at a point, moves it there, or lifts it there."""
    session = person.context.new_cdp_session(person.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind: str, *points: Any) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def act(kind: str, x: float, y: float) -> None:
        touch("touchStart" if kind == "down" else "touchMove", {"x": x, "y": y})
        if kind == "up":
            touch("touchEnd")

    return act


def movement(service: PageService, game: str) -> str:
    """Play a match until a piece can be moved; returns the link of the seat that is to act."""
    seeded = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_SEEDED)
    request = pb.CreateMatchRequest(game=f"games/{game}", seats=[pb.SeatSetup()] * 2, policy=seeded, seed=1)
    name, links = service.create(request)
    with grpc.insecure_channel(service.target) as channel:
        matches = match_service_pb2_grpc.MatchServiceStub(channel)
        for _ in range(200):
            seat: int = matches.GetMatch(pb.GetMatchRequest(name=name)).match.to_act[0]
            token = links[seat].rsplit("/", 1)[1]
            legal = matches.ListLegalActions(pb.ListLegalActionsRequest(name=name, token=token, targets=True))
            if len(legal.actions[0].targets) == 2 and not legal.actions[0].targets[0].startswith("hand"):
                return links[seat]
            matches.SubmitAction(pb.SubmitActionRequest(name=name, token=token, code=legal.codes[0]))
    raise AssertionError("no piece can be moved")


@pytest.mark.parametrize(
    ("pointer", "viewport"), [pytest.param(mouse, HIGH, id="mouse"), pytest.param(finger, PHONE, id="finger")]
)
@pytest.mark.parametrize("game", ["ominoes", "olomoc"])
def test_piece_can_be_dragged_to_legal_targets_only(
    browser: Browser, service: PageService, game: str, pointer: Callable[[Person], Pointer], viewport: Any
) -> None:
    ann = Person(browser, viewport)
    ann.open(movement(service, game))
    ann.page.wait_for_selector(".table[data-turn] .holder .draggable")
    turn, act, scene = ann.turn(), pointer(ann), ann.page.locator(".holder svg")
    dragged = scene.locator(".drag-layer")
    for drops in (False, True):
        x, y = scene.evaluate(PIECE)
        act("down", x, y)
        act("move", x + 25, y + 25)
        expect(dragged).to_have_count(1)
        where = scene.evaluate(TARGET)
        assert where, "nothing shows where the piece can be dropped"
        act("move", *where)
        act("up", *(where if drops else (2, 2)))
        expect(dragged).to_have_count(0)
        if not drops:
            expect(scene.locator(".chosen")).to_have_count(0)
            assert ann.turn() == turn
    expect(ann.page.locator(f".table[data-turn='{turn}']")).to_have_count(0)
    ann.close()
