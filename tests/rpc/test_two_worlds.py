"""Noninterference over the wire: two matches that differ in what a viewer cannot know send it the same bytes.

The conformance kit compares the output of packs. These tests compare the output of the service: each message and its
size, each refusal, the lines of the log and the metrics, because an operator who reads them may be a player too.
"""

from __future__ import annotations

import asyncio
import logging
import re
import urllib.request
from dataclasses import dataclass, field
from typing import Any

import pytest
from connectrpc.protocol import ProtocolType
from google.protobuf.message import Message

from omnilude.v1 import match_pb2, play_service_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.connect import over
from tests.support.games import kuhn
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import Refusal, refused
from tests.support.server import Running, running_server
from tests.support.wire import new_match

MINE = 2
"""The card of seat 0, which looks on the worlds."""
WORLDS = [(0, 1), (1, 0), (3, 4), (4, 0)]
"""Cards of the seats 1 and 2."""
CALLS = 1 + 3 + 1 + 1 + 3 + 4 * (2 * 3 + 3 + 4)
"""Of a visit: match, seats, stream, the deal, the moves and four looks; streams given up end a little later."""
STAMPS = {"create_time", "start_time", "end_time", "time_ms", "uid", "seed_commitment"}
"""Fields that differ between any two matches: drawn by chance of their own, or of the clock."""


@dataclass
class World:
    """The output of one of the two matches."""

    messages: list[tuple[str, bytes]] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)


_PLAIN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


def _line(record: logging.LogRecord) -> str:
    """Returns a line of the log with its values, but that of time."""
    values = {key: value for key, value in vars(record).items() if key not in _PLAIN and key != "ms"}
    return f"{record.name} {record.levelname} {record.getMessage()} {sorted(values.items())}"


def _alike(message: Message, names: dict[str, str]) -> bytes:
    """Returns the message's bytes without the values that differ between any two matches."""
    copy = type(message)()
    copy.CopyFrom(message)
    _even_out(copy)
    data = copy.SerializeToString(deterministic=True)
    for name, alike in names.items():
        data = data.replace(name.encode(), alike.encode())
    return data


def _even_out(message: Message) -> None:
    for descriptor, value in message.ListFields():
        if descriptor.name in STAMPS:
            message.ClearField(descriptor.name)
        elif descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
            continue
        elif isinstance(value, Message):
            _even_out(value)
        else:
            for each in value:
                _even_out(each)


async def _visit(cards: tuple[int, int], caplog: pytest.LogCaptureFixture, protocol: ProtocolType, json: bool) -> World:
    """Returns a deal of three up to the last decision, seen from seat 0; the cards are shown only after it."""
    world = World()
    async with running_server(packs=[kuhn.PACK], settings={"metrics.enabled": True, "metrics.port": 0}) as running:
        caplog.clear()
        with caplog.at_level(logging.DEBUG, "engine_service"):
            entry = running if protocol is ProtocolType.GRPC else over(running, protocol, json=json)
            await _play(entry, cards, world)
            url = f"http://127.0.0.1:{running.server.metrics_port}/metrics"
            while sum(value for name, value in world.figures.items() if "rpcs_total" in name) < CALLS:
                world.figures = await asyncio.to_thread(_figures, url)
        world.lines = [_line(record) for record in caplog.records if record.name.startswith("engine_service")]
    return world


async def _play(running: Running, cards: tuple[int, int], world: World) -> None:
    table = await new_match(
        running,
        "kuhn",
        3,
        option_texts={"ranks": "5"},
        policy=match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST),
    )
    names = {table.name: "matches/" + "m" * (len(table.name) - 8)}
    token = table.seats[0]
    forged = pb.SubmitActionRequest(name=table.name, token=f"{token}x", code=kuhn.CHECK())

    def keep(what: str, message: Message) -> None:
        world.messages.append((what, _alike(message, names)))

    async def refuse(call: Any) -> None:
        world.refusals.append(await refused(call))

    async def observe() -> None:
        """Make every call that a seat and a spectator may make."""
        for viewer in (token, ""):
            keep("observation", await table.observe(viewer, scene=True))
            for event in await table.events(viewer, labels=True):
                keep("event", event)
        keep("match", await table.match())
        keep("list", await running.matches.ListMatches(pb.ListMatchesRequest()))
        keep("legal", await table.legal(0, targets=True))
        await refuse(table.submit(0, 99))
        await refuse(table.submit(0, kuhn.DEAL(MINE)))
        await refuse(table.submit(0, kuhn.CHECK(), expected_seq=10_000))
        await refuse(running.matches.SubmitAction(forged))

    async with play_stream(running, views=True, typed_actions=True, events=True, labels=True) as stream:
        await stream.send(attach=[play_service_pb2.Attach(channel=1, match=table.name, token=token)])
        await stream.until(lambda it: 1 in it.attached)
        await table.provide(kuhn.DEAL(MINE), *(kuhn.DEAL(card) for card in cards))
        for seat, code in enumerate((kuhn.CHECK(), kuhn.BET(), kuhn.FOLD())):
            await observe()
            done = await table.submit(seat, code)
        await observe()
        await stream.turn(1, after=done.seq - 1)
        await stream.call.done_writing()
        with pytest.raises(EOFError):
            await stream.until(lambda _: False)
        # Which events share a message depends on timing; the events and their order do not.
        for response in stream.responses:
            for part in (*response.attached, *response.updates, *response.turns, *response.ended):
                keep("stream", part)


def _figures(url: str) -> dict[str, float]:
    """Returns the metrics without those that measure the time of this run."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        text = str(answer.read().decode())
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {
        name: float(value)
        for name, value in lines
        if not re.search(r"_seconds_(bucket|sum)|_created\b|_seconds\b(?!_count)|appends", name)
    }


@pytest.mark.parametrize(
    ("cards", "protocol", "json"),
    [
        *((cards, ProtocolType.GRPC, False) for cards in WORLDS[1:]),
        (WORLDS[1], ProtocolType.CONNECT, False),
        (WORLDS[2], ProtocolType.CONNECT, True),
        (WORLDS[3], ProtocolType.GRPC_WEB, False),
    ],
)
async def test_secret_changes_no_message_to_others(
    cards: tuple[int, int], protocol: ProtocolType, json: bool, caplog: pytest.LogCaptureFixture
) -> None:
    first = await _visit(WORLDS[0], caplog, protocol, json)
    second = await _visit(cards, caplog, protocol, json)
    assert [(what, len(data)) for what, data in first.messages] == [(what, len(data)) for what, data in second.messages]
    assert first.messages == second.messages
    assert first.refusals == second.refusals
    # Streams that a client gives up end in an order of their own.
    assert sorted(first.lines) == sorted(second.lines)
    assert first.figures == second.figures
    assert {what for what, _ in first.messages} == {"observation", "event", "match", "list", "legal", "stream"}
    assert len(first.refusals) >= 12 and first.lines and len(first.figures) >= 10


async def test_card_known_to_the_viewer_changes_the_sent_bytes() -> None:
    """The comparison would be empty if nothing known were sent."""
    policy = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
    async with running_server(packs=[kuhn.PACK]) as running:
        seen = []
        for mine in (MINE, 3):
            table = await new_match(running, "kuhn", 3, policy=policy)
            await table.provide(kuhn.DEAL(mine), kuhn.DEAL(0), kuhn.DEAL(1))
            seen.append(_alike(await table.observe(table.seats[0]), {table.name: "m"}))
        assert seen[0] != seen[1]
