"""Scenes and targets over the wire: sent when asked for, drawn once for each viewer, replaced where a pack fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from xml.etree import ElementTree

import pytest
from google.protobuf.message import Message

from gamepacks.api.scene import MAX_SCENE_BYTES, SVG_NAMESPACE, Scene
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn, suits
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.wire import new_match

SVG = f"{{{SVG_NAMESPACE}}}"


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK, suits.PACK], only=["ominoes"]) as running:
        yield running


def texts(scene: str) -> list[str | None]:
    return [text.text for text in ElementTree.fromstring(scene).iter(f"{SVG}text")]


async def test_scene_of_the_present_and_of_the_past_is_sent_on_request(running: Running) -> None:
    table = await new_match(running, "suits", option_texts={"card_set": "short-1"})
    before = await table.observe(scene=True)
    assert texts(before.scene) == ["one", "two", "three"]
    assert (await table.observe()).scene == ""
    await table.submit(0, 1)
    assert texts((await table.observe(scene=True)).scene) == ["one", "three"]
    past = await table.observe(seq=before.seq, scene=True)
    assert (past.scene, past.view) == (before.scene, before.view)


async def test_parts_that_the_last_seat_touched_are_marked(running: Running) -> None:
    table = await new_match(running, "ominoes", option_texts={"start_player": "0"})
    first = await table.legal(0, targets=True)
    await table.submit(0, first.codes[9])
    (cell,) = first.actions[9].targets

    def marked(scene: str) -> list[str | None]:
        return [part.get("id") for part in ElementTree.fromstring(scene).iter() if part.get("class") == "last"]

    for token in ("", table.seats[1], table.host):
        assert marked((await table.observe(token, scene=True)).scene) == [cell]
    assert marked((await table.observe(table.seats[0], scene=True)).scene) == []
    seq = (await table.match()).seq
    second = await table.legal(1, targets=True)
    await table.submit(1, second.codes[0])
    assert marked((await table.observe(scene=True)).scene) == list(second.actions[0].targets)
    assert marked((await table.observe(scene=True, seq=seq)).scene) == [cell]


async def test_ended_match_is_shown_as_each_seat_saw_it_and_a_running_one_to_its_host_alone(running: Running) -> None:
    table = await new_match(running, "kuhn")
    seen = [await table.observe(token) for token in table.seats]

    async def observe(token: str = "", **more: Any) -> match_pb2.Observation:
        request = pb.ObserveMatchRequest(name=table.name, token=token, **more)
        return (await running.matches.ObserveMatch(request)).observation

    assert (await observe(table.host, seat=1)).view == seen[1].view != seen[0].view
    for token in ("", table.seats[0]):
        assert (await refused(observe(token, seat=1))).reason == "MATCH_NOT_ENDED"
    assert (await refused(observe(table.host, seat=2))).reason == "UNKNOWN_SEAT"
    await running.matches.ResignMatch(pb.ResignMatchRequest(name=table.name, token=table.seats[0]))
    for token in ("", *table.seats):
        for seat in (0, 1):
            then = await observe(token, seq=seen[seat].seq, seat=seat, scene=True)
            assert then.view == seen[seat].view and then.scene
            assert (await observe(token, seat=seat)).view == (await table.observe(table.seats[seat])).view


async def test_targets_are_sent_with_typed_actions_on_request(running: Running) -> None:
    table = await new_match(running, "suits", option_texts={"card_set": "short-1"})
    legal = await table.legal(0, targets=True)
    assert [list(action.targets) for action in legal.actions] == [["card-one"], ["card-two"], ["card-three"]]
    assert all(action.label and action.HasField("action") for action in legal.actions)
    second = await table.legal(
        0, targets=True, page_size=1, page_token=(await table.legal(0, page_size=1)).next_page_token
    )
    assert [list(action.targets) for action in second.actions] == [["card-two"]]
    assert all(not action.targets for action in (await table.legal(0, typed=True)).actions)
    assert not (await table.legal(1, targets=True)).actions


async def test_pack_without_scenes_gets_generic_ones_and_no_targets(running: Running) -> None:
    table = await new_match(running, "kuhn")
    own, other = await table.observe(table.seats[0], scene=True), await table.observe(table.seats[1], scene=True)
    assert ">cards: " in own.scene and own.scene != other.scene
    assert all(not action.targets for action in (await table.legal(0, targets=True)).actions)


async def test_watchers_are_sent_scenes_and_share_them(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Message] = []
    draw = suits.SuitsGame.svg

    def counting(game: suits.SuitsGame, view: Message) -> str:
        drawn.append(view)
        return draw(game, view)

    monkeypatch.setattr(suits.SuitsGame, "svg", counting)
    table = await new_match(running, "suits", option_texts={"card_set": "short-1"})
    watch = running.matches.WatchMatch
    calls = [
        watch(pb.WatchMatchRequest(name=table.name, scenes=True)),
        watch(pb.WatchMatchRequest(name=table.name, scenes=True, labels=True)),
        watch(pb.WatchMatchRequest(name=table.name, scenes=True, after_seq=1)),
    ]
    for code in (0, 1):
        await table.submit(code, code)
    scenes = set()
    for call in calls:
        messages = [message async for message in call]
        assert messages[-1].observation.HasField("view")
        scenes.add(messages[-1].observation.scene)
        assert all(bool(message.events) == bool(message.observation.scene) for message in messages)
    await table.observe(scene=True)
    assert len(scenes) == 1
    assert len(drawn) == len({view.SerializeToString() for view in drawn}), "no view is drawn twice for spectators"


@pytest.mark.parametrize("fault", ["raises", "too large", "no text", "bad id"])
async def test_failed_drawing_is_replaced_and_ends_no_match(
    running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    def draw(game: suits.SuitsGame, view: Message) -> Any:
        if fault == "raises":
            raise SystemExit
        if fault == "bad id":
            Scene(1, 1, "").group("Bad Id")
        return None if fault == "no text" else "m" * (MAX_SCENE_BYTES + 1)

    def aim(game: suits.SuitsGame, view: Message, choices: Any) -> Any:
        if fault == "raises":
            raise SystemExit
        return None if fault == "no text" else []

    monkeypatch.setattr(suits.SuitsGame, "svg", draw)
    monkeypatch.setattr(suits.SuitsGame, "targets", aim)
    table = await new_match(running, "suits", option_texts={"card_set": "short-1"})
    for _ in range(2):
        scene = (await table.observe(scene=True)).scene
        assert ">table: one, two, three<" in scene
    assert [record.levelname for record in caplog.records if "failed at scene" in record.getMessage()] == ["ERROR"]
    legal = await table.legal(0, targets=True)
    assert len(legal.actions) == 3 and not any(action.targets for action in legal.actions)
    assert "pack of suits failed at targets" in caplog.text
    await table.submit(0, 0)
    assert (await table.match()).state == match_pb2.MATCH_STATE_ACTIVE


async def test_scene_cache_forgets_the_oldest(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine_service.matches.scenes.CACHE_BYTES", 2_000)
    table = await new_match(running, "kuhn")
    scenes = running.server.host._runtime.scenes
    for _ in range(2):
        for token in ("", *table.seats, table.host):
            assert (await table.observe(token, scene=True)).scene
    assert 1 <= len(scenes._scenes) < 4 and scenes._size == sum(map(len, scenes._scenes.values())) <= 2_000
