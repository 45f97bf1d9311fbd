"""Private decisions over the wire: matches in which different seats have one, or none, look alike to the others."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from omnilude.v1 import match_pb2, play_service_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import guards
from tests.support.games.guards import BLOCK, DEAL, LET, TAKE
from tests.support.play_stream import PlayStream, play_stream
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, new_match

SUPPLIED = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
CLOCKS = match_pb2.TimeControl(per_match=Duration(seconds=3600))
WORLDS = [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)]
"""Guards that seat 0 cannot distinguish: no seat, seat 1, seat 2, or both have a private decision after its moves."""


def alike(message: Any, name: str) -> bytes:
    """Returns the message's bytes without the times of this run and the match's own name."""
    copy = type(message)()
    copy.CopyFrom(message)
    for part in (copy, *getattr(copy, "events", ())):
        for field in ("time_ms", "time_left_ms", "clocks_ms"):
            if field in part.DESCRIPTOR.fields_by_name:
                part.ClearField(field)
    return bytes(copy.SerializeToString(deterministic=True)).replace(name.encode(), b"matches/m")


class Watcher:
    """A WatchMatch stream, read until the viewer has received everything."""

    def __init__(self, running: Running, table: RemoteMatch, token: str) -> None:
        asked = {"views": True, "labels": True, "sentences": True, "legal_actions": True}
        request = pb.WatchMatchRequest(name=table.name, token=token, **asked)
        self.call = running.matches.WatchMatch(request)
        self.table, self.token = table, token
        self.seq = self.messages = 0
        self.shown: list[bytes] = []

    async def catch_up(self) -> None:
        seq = (await self.table.observe(self.token)).seq
        while self.seq < seq:
            message = await self.call.read()
            assert message is not grpc.aio.EOF
            self.messages += 1
            self.seq = message.seq
            self.shown += [alike(event, self.table.name) for event in message.events]
            self.shown.append(alike(message.observation, self.table.name))
            self.shown.append(alike(message.legal_actions, self.table.name))


async def decline_all(table: RemoteMatch) -> list[int]:
    """Decline every private decision; returns the seats that had one."""
    asked = []
    while not (await table.observe()).to_act:
        (seat,) = (await table.observe(table.host)).to_act
        asked.append(seat)
        await table.submit(seat, LET())
    return asked


async def visit(running: Running, held: tuple[int, ...]) -> tuple[list[Any], list[list[int]]]:
    """Play three turns; returns what seat 0 and a spectator receive, and the seats with a private decision in each."""
    table = await new_match(running, "guards", 3, policy=SUPPLIED, time_control=CLOCKS)
    seen: list[Any] = []
    asked = []
    async with play_stream(running, views=True, events=True, labels=True, typed_actions=True) as stream:
        attach = play_service_pb2.Attach(channel=1, match=table.name, token=table.seats[0])
        await stream.send(attach=[attach])
        await table.provide(*(DEAL(guard) for guard in held))
        watchers = [Watcher(running, table, token) for token in (table.seats[0], "")]
        for turn in range(3):
            mover = (await table.to_act())[0]
            if mover == 0:
                await stream.turn(1)
                await stream.move(1, TAKE(1 + turn % 2))
                seen.append(await stream.result(len(stream.results) + 1))
            else:
                await table.submit(mover, TAKE(1 + turn % 2))
            asked.append(await decline_all(table))
            for watcher in watchers:
                await watcher.catch_up()
                seen += [watcher.seq, watcher.messages, *watcher.shown]
                seen.append(alike(await table.observe(watcher.token), table.name))
            page = await table.legal(0, typed=True)
            seen.append(page.SerializeToString(deterministic=True))
            match = await table.match()
            seen += [match.seq, [round(seat.clock.ToSeconds(), -2) for seat in match.seats]]
        events = await caught_up(stream, (await table.observe(table.seats[0])).seq)
        seen += [alike(event, table.name) for event in events]
        seen += [turn.SerializeToString(deterministic=True) for turn in stream.turns.values() if not turn.time_left_ms]
        for watcher in watchers:
            watcher.call.cancel()
    return seen, asked


async def caught_up(stream: PlayStream, seq: int) -> list[match_pb2.MatchEvent]:
    """Returns all events of channel 1 up to a sequence number."""
    await stream.until(lambda it: it.events.get(1) and it.events[1][-1].seq >= seq)
    return stream.events[1]


async def test_private_decisions_of_either_seat_are_indistinguishable_to_the_others() -> None:
    async with running_server(packs=[guards.PACK]) as running:
        worlds = [await visit(running, held) for held in WORLDS]
    assert [asked[0] for _, asked in worlds] == [[], [1], [2], [1, 2]]
    for seen, _ in worlds[1:]:
        assert seen == worlds[0][0]


async def test_seat_that_is_asked_gets_a_turn_with_the_time_for_it() -> None:
    async with running_server(packs=[guards.PACK]) as running:
        table = await new_match(running, "guards", 2, policy=SUPPLIED, time_control=CLOCKS)
        assert (await table.match()).time_control.private_decision.ToSeconds() == 30
        async with play_stream(running) as stream:
            attach = play_service_pb2.Attach(channel=7, match=table.name, token=table.seats[1])
            await stream.send(attach=[attach])
            await table.provide(DEAL(0), DEAL(1))
            done = await table.submit(0, TAKE(2))
            turn = await stream.turn(7)
            assert (list(turn.codes), turn.seq) == ([BLOCK(), LET()], done.seq)
            assert 0 < turn.time_left_ms <= 30_000
            await stream.move(7, LET())
            assert (await stream.result()).action_seq == done.seq + 1
            assert (await stream.turn(7, after=done.seq)).seq == done.seq + 1


async def test_sequence_numbers_of_another_viewer_are_refused() -> None:
    async with running_server(packs=[guards.PACK]) as running:
        table = await new_match(running, "guards", 2, policy=SUPPLIED)
        await table.provide(DEAL(0), DEAL(1))
        done = await table.submit(0, TAKE(2))
        await table.submit(1, LET())
        seq = (await table.observe(table.seats[1])).seq
        assert (seq, (await table.observe(table.seats[0])).seq) == (done.seq + 1, done.seq)
        await refused(
            running.matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, token=table.seats[0], seq=seq))
        )
        await table.submit(1, TAKE(1), expected_seq=seq)
        undone = await running.matches.RequestUndo(
            pb.RequestUndoRequest(name=table.name, token=table.seats[0], to_seq=done.action_seq - 1)
        )
        assert not undone.undone and undone.seq == done.seq + 2
        answer = pb.AnswerUndoRequest(name=table.name, token=table.seats[1], accept=True, request_seq=undone.seq + 1)
        assert (await running.matches.AnswerUndo(answer)).undone
        assert await table.to_act() == [0]


@pytest.mark.parametrize("seconds", [0, -1])
async def test_time_limit_of_private_decisions_has_a_minimum(seconds: int) -> None:
    async with running_server(packs=[guards.PACK]) as running:
        control = match_pb2.TimeControl(per_move=Duration(seconds=5), private_decision=Duration(seconds=seconds))
        refusal = await refused(new_match(running, "guards", 2, time_control=control))
        assert "time_control.private_decision" in str(refusal)
