"""WatchMatch: every event is sent once and in order, also after reconnecting."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc import StatusCode

from engine_service.limits import Limits
from engine_service.rpc.streams import StreamSettings
from engine_service.rpc.watch import Watchers, _Listener
from gamepacks.api.types import SPECTATOR, Viewer
from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import play_service_pb2 as play_pb
from tests.support.games import kuhn, sealed
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import expect_refusal
from tests.support.server import Running, narrow_channel, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, new_match

RECEIVE_TIMEOUT = 30.0


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK, sealed.PACK]) as running:
        yield running


async def read(call: Any) -> Any:
    return await asyncio.wait_for(call.read(), RECEIVE_TIMEOUT)


def watch(table: RemoteMatch, token: str = "", **more: Any) -> Any:
    return table.running.matches.WatchMatch(pb.WatchMatchRequest(name=table.name, token=token, **more))


async def test_watch_yields_all_events_of_a_match(running: Running) -> None:
    table = await new_match(running, "kuhn")
    call = watch(table, labels=True)
    await table.play_out()
    messages = [message async for message in call]
    events = [event for message in messages for event in message.events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert messages[0].match.name == table.name
    assert messages[-1].match.state == match_pb2.MATCH_STATE_FINISHED
    assert messages[-1].seq == messages[-1].match.seq == len(events)
    assert [event.kind for event in events if event.kind != match_pb2.RECORD_KIND_JOINED] == [
        match_pb2.RECORD_KIND_STARTED,
        match_pb2.RECORD_KIND_CHANCE,
        match_pb2.RECORD_KIND_CHANCE,
        match_pb2.RECORD_KIND_ACTION,
        match_pb2.RECORD_KIND_ACTION,
        match_pb2.RECORD_KIND_FINISHED,
    ]
    assert [event.label for event in events if event.kind == match_pb2.RECORD_KIND_ACTION] == ["check", "check"]
    assert [event.text for event in events[:2]] == ["player 0", "player 1"]


async def test_events_are_sent_without_delay(running: Running) -> None:
    table = await new_match(running, "kuhn")
    call = watch(table, after_seq=(await table.match()).seq)
    opening = await read(call)
    assert opening.match.name == table.name and not opening.events
    await table.submit(0, kuhn.BET())
    shown = await read(call)
    assert [(event.seat, event.code) for event in shown.events] == [(0, kuhn.BET())]
    assert not shown.HasField("match")
    call.cancel()


async def test_labels_sentences_and_views_are_sent_on_request(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kuhn.KuhnGame, "describe_event", lambda game, event, view=None: f"seat {view.to_act} is next")
    table = await new_match(running, "kuhn")
    plain, rich = watch(table), watch(table, views=True, labels=True, sentences=True)
    await table.submit(0, kuhn.CHECK())
    newest = (await table.match()).seq
    for call, asked in ((plain, False), (rich, True)):
        while True:
            message = await read(call)
            if message.seq == newest:
                break
        assert message.HasField("observation") is asked
        assert (message.events[-1].label == "check") is asked
        assert list(message.events[-1].sentences) == (["seat 1 is next"] if asked else [])
        call.cancel()
    view = kuhn.messages.View()
    assert message.observation.view.Unpack(view) and view.to_act == 1 and list(view.cards) == [-1, -1]
    assert message.observation.seq == newest


async def test_legal_actions_come_with_the_view_to_the_seat_that_is_to_act(running: Running) -> None:
    table = await new_match(running, "kuhn")
    await table.submit(0, kuhn.CHECK())
    newest = (await table.match()).seq
    listed = await table.legal(1, targets=True)
    for token, expected in ((table.seats[1], listed), (table.seats[0], None), ("", None), (table.host, None)):
        call = watch(table, token=token, scenes=True, legal_actions=True)
        while (message := await read(call)).seq < newest:
            assert not message.HasField("legal_actions")
        call.cancel()
        assert message.observation.scene
        assert (message.legal_actions if message.HasField("legal_actions") else None) == expected


async def test_long_list_of_legal_actions_continues_after_the_page_of_the_watch_stream() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"limits.legal_page_default": 1}) as running:
        table = await new_match(running, "kuhn")
        call = watch(table, token=table.seats[0], legal_actions=True, views=True)
        while not (message := await read(call)).HasField("legal_actions"):
            pass
        call.cancel()
        first = message.legal_actions
        second = await table.legal(0, page_token=first.next_page_token)
        assert [*first.codes, *second.codes] == [kuhn.CHECK(), kuhn.BET()]


async def test_view_comes_with_the_events_that_led_to_it(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine_service.rpc.watch.EVENTS_PER_MESSAGE", 2)
    table = await new_match(running, "kuhn")
    newest = (await table.match()).seq
    call = watch(table, views=True)
    messages = [await read(call)]
    while messages[-1].seq < newest:
        messages.append(await read(call))
    call.cancel()
    assert [message.seq for message in messages] == [2, 4, 5]
    assert [message.HasField("observation") for message in messages] == [False, False, True]
    assert messages[-1].observation.seq == newest


async def test_each_viewer_receives_its_own_events(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST))
    await table.provide(kuhn.DEAL(2), kuhn.DEAL(1))

    async def dealt(token: str) -> list[int | None]:
        kind = match_pb2.RECORD_KIND_OUTCOME_PROVIDED
        events = [event for event in await table.events(token) if event.kind == kind]
        return [event.code if event.HasField("code") else None for event in events]

    assert await dealt(table.seats[0]) == [kuhn.DEAL(2), None]
    assert await dealt(table.seats[1]) == [None, kuhn.DEAL(1)]
    assert await dealt("") == [None, None]
    assert await dealt(table.host) == [kuhn.DEAL(2), kuhn.DEAL(1)]


async def test_watch_of_an_ended_match_yields_its_events_and_ends(running: Running) -> None:
    table = await new_match(running, "kuhn")
    match = await table.play_out()
    messages = [message async for message in watch(table, after_seq=match.seq)]
    assert len(messages) == 1
    assert messages[0].match.state == match_pb2.MATCH_STATE_FINISHED and messages[0].seq == match.seq


async def test_match_is_sent_again_when_its_seats_change(running: Running) -> None:
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 3))
    call = running.matches.WatchMatch(pb.WatchMatchRequest(name=created.match.name))
    assert not (await read(call)).match.seats[0].taken
    await running.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player="ada"))
    joined = await read(call)
    assert joined.match.seats[0].player == "ada" and joined.events[0].text == "ada"
    call.cancel()


async def test_resuming_after_random_cuts_yields_every_event_once(running: Running) -> None:
    """A watcher whose stream is cut again and again sees the same log as the host."""
    rng = random.Random(20_11)
    table = await new_match(running, "sealed", option_texts={"rounds": "9", "coins": "3"})
    received: list[match_pb2.MatchEvent] = []

    async def follow() -> None:
        ended = False
        while not ended:
            call = watch(table, table.seats[0], after_seq=received[-1].seq if received else 0, views=True)
            for _ in range(rng.randrange(1, 4)):
                message = await read(call)
                if message is grpc.aio.EOF:
                    break
                received.extend(message.events)
                ended = message.match.state == match_pb2.MATCH_STATE_FINISHED
            call.cancel()

    follower = asyncio.create_task(follow())
    await table.play_out(lambda codes: codes[rng.randrange(len(codes))])
    await asyncio.wait_for(follower, RECEIVE_TIMEOUT)
    whole = await table.events(table.seats[0])
    assert received == whole
    assert [event.seq for event in received] == list(range(1, len(whole) + 1))


async def test_undo_is_sent_and_play_continues(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_FREE))
    start = (await table.legal(0)).seq
    await table.submit(0, kuhn.BET())
    await running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0], to_seq=start))
    await table.submit(0, kuhn.CHECK())
    events = await table.events(labels=True)
    assert [(event.kind, event.label, event.to_seq) for event in events[-3:]] == [
        (match_pb2.RECORD_KIND_ACTION, "bet a chip", 0),
        (match_pb2.RECORD_KIND_UNDONE, "", start),
        (match_pb2.RECORD_KIND_ACTION, "check", 0),
    ]


async def test_heartbeats_of_a_quiet_stream_have_its_sequence_number() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"server.heartbeat_seconds": 0.05}) as running:
        table = await new_match(running, "kuhn")
        newest = (await table.match()).seq
        call = watch(table)
        while (await read(call)).seq < newest:
            pass
        for _ in range(3):
            beat = await read(call)
            assert beat == pb.WatchMatchResponse(seq=newest)
        call.cancel()


async def test_shutdown_ends_watch_streams_with_shutting_down(running: Running) -> None:
    table = await new_match(running, "kuhn")
    newest = (await table.match()).seq
    call = watch(table)
    async with expect_refusal() as refusal:
        while (await read(call)).seq < newest:
            pass
        stopping = asyncio.create_task(running.server.stop(RECEIVE_TIMEOUT))
        await read(call)
    await stopping
    assert (refusal.code, refusal.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")


async def test_watcher_with_stalled_reader_ends_and_can_resume() -> None:
    """The reader takes nothing while far more than any window of HTTP/2 is to be sent."""
    settings = {"server.stall_seconds": 0.1, "server.heartbeat_seconds": 60}
    policy = match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_CONSENT)
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn", policy=policy)
        await table.submit(0, kuhn.CHECK())
        channel = narrow_channel(running.target)
        watcher = match_service_pb2_grpc.MatchServiceStub(channel)
        call = watcher.WatchMatch(pb.WatchMatchRequest(name=table.name))
        await call.wait_for_connection()
        while running.server.streams:
            asked = await running.matches.RequestUndo(
                pb.RequestUndoRequest(name=table.name, token=table.seats[0], reason="x" * 256)
            )
            await running.matches.AnswerUndo(
                pb.AnswerUndoRequest(
                    name=table.name, token=table.seats[1], request_seq=asked.seq, accept=False, reason="x" * 256
                )
            )
        received: list[int] = []
        async with expect_refusal() as refusal:
            async for message in call:
                received += [event.seq for event in message.events]
        assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "SLOW_CONSUMER")
        resume = int(refusal.metadata["seq"])
        assert 0 < resume <= received[-1]
        assert received == list(range(1, len(received) + 1))
        rest = [event.seq for event in await table.events(after_seq=resume)]
        assert rest == list(range(resume + 1, (await table.match()).seq + 1))
        await channel.close()


async def test_more_watchers_than_allowed_are_refused() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"limits.spectators_per_match": 2}) as running:
        table = await new_match(running, "kuhn")
        calls = [watch(table) for _ in range(2)]
        for call in calls:
            await read(call)
        async with expect_refusal() as refusal:
            await read(watch(table))
        assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
        assert "spectators_per_match" in refusal.metadata["limit"]
        for call in calls:
            call.cancel()


async def test_spectators_and_seats_have_separate_limits() -> None:
    settings = {"limits.spectators_per_match": 1, "limits.streams_per_seat": 2}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn")
        calls = [watch(table), watch(table, table.seats[0]), watch(table, table.seats[0])]
        for call in calls:
            await read(call)
        for full, limit in (("", "spectators_per_match"), (table.seats[0], "streams_per_seat")):
            async with expect_refusal() as refusal:
                await read(watch(table, full))
            assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", limit)
        calls += [watch(table, table.seats[1]), watch(table, table.host)]
        for call in calls[-2:]:
            assert (await read(call)).match.name == table.name
        async with play_stream(running) as stream:
            await stream.send(attach=[play_pb.Attach(channel=1, match=table.name, token=table.seats[1])])
            await stream.until(lambda stream: 1 in stream.attached)
            assert stream.attached[1].match.name == table.name
        for call in calls:
            call.cancel()


async def test_messages_of_spectators_are_made_once(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, int]] = []
    view, label = kuhn.KuhnGame.view, kuhn.KuhnGame.label

    def noted_view(game: Any, state: Any, viewer: Any) -> Any:
        made.append(("view", viewer))
        return view(game, state, viewer)

    def noted_label(game: Any, state: Any, code: Any) -> str:
        made.append(("label", code))
        return label(game, state, code)

    table = await new_match(running, "kuhn")
    newest = (await table.match()).seq
    monkeypatch.setattr(kuhn.KuhnGame, "view", noted_view)
    monkeypatch.setattr(kuhn.KuhnGame, "label", noted_label)
    monkeypatch.setattr(kuhn.KuhnGame, "describe_event", lambda game, event, view=None: "something")
    asked = {"views": True, "labels": True, "sentences": True}
    spectators = [watch(table, after_seq=newest, **asked) for _ in range(20)]
    seats = [watch(table, token, after_seq=newest, **asked) for token in (*table.seats, *table.seats)]
    for call in (*spectators, *seats):
        await read(call)
    made.clear()
    await table.submit(0, kuhn.BET())
    shown = [(await read(call)).SerializeToString() for call in (*spectators, *seats)]
    assert len(set(shown[:20])) == 1
    assert shown[20:22] == shown[22:]
    # The view that was asked for, and the one that its sentences are made with.
    assert {viewer: made.count(("view", viewer)) for viewer in (-1, 0, 1)} == {-1: 2, 0: 2, 1: 2}
    assert made.count(("label", kuhn.BET())) == 3
    for call in (*spectators, *seats):
        call.cancel()
    await until(lambda: not running.server.streams)
    assert not running.server._watchers._caches


async def test_watchers_at_different_records_receive_all_events(running: Running) -> None:
    table = await new_match(running, "sealed", option_texts={"rounds": "5", "coins": "3"})
    starts = [0, 1, 2, (await table.match()).seq]
    calls = [watch(table, after_seq=start, labels=bool(number % 2)) for number, start in enumerate(starts * 2)]
    await table.play_out()
    newest = (await table.match()).seq
    for call, start in zip(calls, starts * 2, strict=True):
        events = [event async for message in call for event in message.events]
        assert [event.seq for event in events] == list(range(start + 1, newest + 1))


async def test_clocks_are_sent(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks are current although another watcher was sent the same record before."""
    monkeypatch.setattr("engine_service.rpc.watch.CLOCKS_SECONDS", 0.001)
    control = match_pb2.TimeControl(per_match={"seconds": 1000})
    table = await new_match(running, "kuhn", time_control=control)

    async def left() -> int:
        call = watch(table, views=True)
        message = await read(call)
        call.cancel()
        return int(message.observation.clocks_ms[0])

    first = await left()
    async with asyncio.timeout(RECEIVE_TIMEOUT):
        while await left() == first:
            pass


async def test_players_receive_events_before_many_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine_service.rpc.watch.SPECTATORS_AT_ONCE", 2)
    woken: list[str] = []

    class Stream:
        def __init__(self, name: str) -> None:
            self.name = name

        def wake(self) -> None:
            woken.append(self.name)

    watchers = Watchers(StreamSettings(1.0, 1.0, 1, 1), Limits())
    for viewer, name in ((SPECTATOR, "a"), (SPECTATOR, "b"), (SPECTATOR, "c"), (Viewer(0), "player")):
        _Listener(Stream(name), viewer, watchers).on_change(None)  # type: ignore[arg-type]
    assert woken == ["player"]
    await asyncio.sleep(0)
    assert woken == ["player", "a", "b"]
    await asyncio.sleep(0)
    assert woken == ["player", "a", "b", "c"]


async def test_watcher_who_leaves_leaves_no_resources_behind(running: Running) -> None:
    table = await new_match(running, "kuhn")
    live = await running.server.host.live_match(table.name)
    call = watch(table)
    await read(call)
    assert len(live.listeners) == 1 and running.server.streams == 1
    call.cancel()
    await until(lambda: not running.server.streams)
    assert live.listeners == ()
