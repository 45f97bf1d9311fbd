"""A player whose stream is cut repeatedly plays the match as on one stream."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import grpc
import pytest

from omnilude.v1 import match_pb2
from omnilude.v1 import play_service_pb2 as pb
from tests.support.games import kuhn, sealed
from tests.support.play_stream import PlayStream, play_stream
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, new_match


class Player:
    """Plays seats of many matches; after a cut it attaches with the last event it has and sends moves again."""

    def __init__(self, running: Running, rng: random.Random, tables: dict[int, tuple[RemoteMatch, int]]) -> None:
        self.running = running
        self.rng = rng
        self.tables = tables
        self.received: dict[int, list[match_pb2.MatchEvent]] = {channel: [] for channel in tables}
        self.unanswered: dict[int, pb.Move] = {}
        self.accepted: dict[int, list[tuple[int, int]]] = {channel: [] for channel in tables}
        self.ended: set[int] = set()
        self.cuts = 0

    async def play(self) -> None:
        """Until every match has ended."""
        while len(self.ended) < len(self.tables):
            async with play_stream(self.running, events=True) as stream:
                await self.attach(stream)
                for _ in range(self.rng.randrange(1, 6)):
                    await stream.receive()
                    await self.answer(stream, stream.responses[-1])
                    if len(self.ended) == len(self.tables):
                        return
            self.cuts += 1

    async def attach(self, stream: PlayStream) -> None:
        entries = []
        for channel, (table, seat) in self.tables.items():
            if channel not in self.ended:
                last = self.received[channel][-1].seq if self.received[channel] else 0
                token = table.seats[seat]
                entries.append(pb.Attach(channel=channel, match=table.name, token=token, after_seq=last))
        await stream.send(attach=entries, moves=list(self.unanswered.values()))

    async def answer(self, stream: PlayStream, response: pb.PlayResponse) -> None:
        for result in response.results:
            assert not result.error, result
            sent = self.unanswered.get(result.channel)
            if sent is not None and sent.seq == result.seq:
                del self.unanswered[result.channel]
                self.accepted[result.channel].append((sent.code, result.action_seq))
        for update in response.updates:
            self.received[update.channel] += update.events
            assert update.seq == self.received[update.channel][-1].seq
        moves = []
        for turn in response.turns:
            sent = self.unanswered.get(turn.channel)
            if sent is None or sent.seq != turn.seq:
                code = turn.codes[self.rng.randrange(len(turn.codes))]
                self.unanswered[turn.channel] = pb.Move(channel=turn.channel, seq=turn.seq, code=code)
                moves.append(self.unanswered[turn.channel])
        self.ended |= {ended.channel for ended in response.ended if ended.channel not in self.unanswered}
        if moves:
            await stream.send(moves=moves)


@pytest.mark.parametrize("ephemeral", [False, True], ids=["stored", "ephemeral"])
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_nothing_is_lost_and_nothing_counts_twice(tmp_path: Path, ephemeral: bool, seed: int) -> None:
    rng = random.Random(seed)
    settings: dict[str, Any] = {"store.in_memory": False, "store.path": tmp_path / "matches.sqlite3"}
    async with running_server(packs=[kuhn.PACK, sealed.PACK], settings=settings) as running:
        tables = [
            await new_match(running, "sealed", option_texts={"rounds": "9"}, ephemeral=ephemeral),
            await new_match(running, "kuhn", option_texts={"deals": "5", "order": "rotating"}, ephemeral=ephemeral),
            await new_match(running, "sealed", players=3, ephemeral=ephemeral),
        ]
        players = [
            Player(
                running,
                random.Random(rng.random()),
                {n: (t, seat) for n, t in enumerate(tables) if seat < len(t.seats)},
            )
            for seat in range(3)
        ]
        async with asyncio.timeout(60):
            await asyncio.gather(*(player.play() for player in players))
        assert sum(player.cuts for player in players) > 5
        for player in players:
            for channel, (table, seat) in player.tables.items():
                whole = await table.events(table.seats[seat])
                assert player.received[channel] == whole
                assert [event.seq for event in whole] == list(range(1, len(whole) + 1))
                own = [
                    (event.code, event.seq)
                    for event in whole
                    if event.kind == match_pb2.RECORD_KIND_ACTION and event.seat == seat
                ]
                assert player.accepted[channel] == own


async def test_new_stream_resumes_after_a_dead_connection(tmp_path: Path) -> None:
    """The client's whole channel goes, not just the stream."""
    async with running_server(packs=[kuhn.PACK]) as running:
        table = await new_match(running, "kuhn")
        channel = grpc.aio.insecure_channel(running.target)
        call: Any = channel.stream_stream(
            "/omnilude.v1.PlayService/Play",
            request_serializer=pb.PlayRequest.SerializeToString,
            response_deserializer=pb.PlayResponse.FromString,
        )()
        attach = pb.Attach(channel=1, match=table.name, token=table.seats[0])
        await call.write(pb.PlayRequest(hello=pb.Hello(), attach=[attach]))
        first = await call.read()
        while not first.turns:
            first = await call.read()
        move = pb.Move(channel=1, seq=first.turns[0].seq, code=first.turns[0].codes[0])
        await call.write(pb.PlayRequest(moves=[move]))
        await channel.close()
        async with play_stream(running) as stream:
            await stream.send(attach=[attach], moves=[move])
            result = await stream.result()
            assert not result.error and result.action_seq == move.seq + 1
        events = await table.events()
        assert [event.seq for event in events if event.kind == match_pb2.RECORD_KIND_ACTION] == [move.seq + 1]
