"""Verification accepts the logs of random matches with all kinds of records, played through restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cext.random import Rng
from engine_service.errors import EngineError
from engine_service.hosting.host import MatchHost
from engine_service.limits import Limits
from engine_service.log.replay import SigningKey, encode, read, records_of
from engine_service.match_enums import AbsencePolicy, ChanceSource, RecordKind, SeatKind, UndoPolicy
from engine_service.matches.verify import verify
from engine_service.model import Created, ForkSetup, MatchSetup, Policy, SeatSetup, TimeControl, has_ended
from engine_service.store.base import Store
from engine_service.store.memory import MemoryStore
from engine_service.store.sqlite import SqliteStore
from engine_service.timing import TimeSource
from gamepacks.api.types import Code
from tests.support.hosting import ManualTime
from tests.support.recorder import REGISTRY

SECRET = bytes(32)
SIGNING_KEY = SigningKey(bytes(32))


def new_host(store: Store, time: TimeSource) -> MatchHost:
    return MatchHost(
        REGISTRY,
        store,
        secret=SECRET,
        signing_key=SIGNING_KEY,
        limits=Limits(),
        engine_version="test",
        time=time,
    )


class HostedMatch:
    """A match and all its tokens, played at random."""

    def __init__(self, created: Created, host: MatchHost, rng: Rng, time: ManualTime) -> None:
        self.host = host
        self.name = created.match.name
        self.host_token = created.host_token
        self.match = created.match
        self.tokens: dict[int, str] = {}
        self.rng = rng
        self.time = time

    async def join_all(self) -> None:
        for seat in self.match.seats:
            if seat.kind is not SeatKind.BOT:
                joined = await self.host.join(self.name, f"player {seat.index}", seat.index, self.host_token)
                self.tokens[seat.index] = joined.token

    async def ended(self) -> bool:
        return has_ended((await self.host.get(self.name)).state)

    async def do_something(self) -> None:
        """Make a random call of a player, or let time pass; many calls are refused."""
        seat = self.rng.choice(list(self.tokens))
        token = self.tokens[seat]
        what = self.rng.below(20)
        live = await self.host.live_match(self.name)
        try:
            if what == 0:
                await self.host.request_undo(self.name, token, None, "a slip")
            elif what == 1:
                await self.host.request_undo(self.name, token, 1 + self.rng.below(live.seq))
            elif what in (3, 4, 7, 8) and live.undo_pending:
                await self.host.withdraw_undo(self.name, self.tokens[live.undo_pending.seat])
            elif what == 2 or (live.undo_pending and what < 15):
                asked = live.undo_pending.seq if live.undo_pending is not None else 1
                await self.host.answer_undo(self.name, token, asked, bool(self.rng.below(4)))
            elif what == 5 and self.rng.below(4) == 0:
                await self.host.resign(self.name, token)
            elif what == 6:
                await self.time.advance(1 + self.rng.below(1_500))
                await asyncio.sleep(0.01)
            elif live.awaits_chance:
                outcomes = live.snapshot.game_state.chance()
                codes = [Code(self.rng.choice(outcomes)[0]) for _ in range(1 + self.rng.below(2))]
                await self.host.provide_outcomes(self.name, self.host_token, codes)
            else:
                to_act = [s for s in self.tokens if live.must_act(s)] or [seat]
                seat = self.rng.choice(to_act)
                codes = live.legal(seat) or [0]
                await self.host.submit_action(self.name, self.tokens[seat], Code(self.rng.choice(codes)))
        except EngineError as refusal:
            assert refusal.reason in REFUSALS, refusal

    async def prove(self) -> None:
        replay = read(encode(await self.host.get_replay(self.name, self.host_token)))
        report = verify(replay, REGISTRY)
        info = await self.host.get(self.name)
        assert (report.state, report.result, report.records) == (info.state, info.result, info.seq)
        assert [seat.player for seat in info.seats] == list(report.players)


REFUSALS = {
    *("NOT_YOUR_TURN", "UNDO_NOT_ALLOWED", "NO_UNDO_PENDING", "NOT_ALLOWED", "MATCH_ENDED", "ILLEGAL_ACTION"),
}


def setup(game: str, rng: Rng) -> MatchSetup:
    seats = [SeatSetup() for _ in range(2 + rng.below(2))]
    if rng.below(3) == 0:
        seats[-1] = SeatSetup(SeatKind.BOT, "random")
    return MatchSetup(
        game=game,
        seats=seats,
        option_texts={"deals": "4", "ranks": "6"} if game == "kuhn" else {},
        time_control=rng.choice([None, TimeControl(per_move_ms=1_000), TimeControl(None, 4_000, 300)]),
        policy=Policy(
            undo=rng.choice([UndoPolicy.CONSENT, UndoPolicy.CONSENT, UndoPolicy.FREE, UndoPolicy.NEVER]),
            absence=rng.choice(list(AbsencePolicy)),
            chance=rng.choice([ChanceSource.SEED, ChanceSource.SEED, ChanceSource.HOST]),
        ),
    )


@pytest.mark.parametrize("game", ["kuhn", "sealed"])
@pytest.mark.parametrize("seed", range(12))
async def test_random_match_is_verified_at_every_stage(game: str, seed: int, tmp_path: Path) -> None:
    rng, time = Rng(seed), ManualTime()

    async def start() -> MatchHost:
        store = await SqliteStore.open(tmp_path / "db", "normal")
        host = new_host(store, time)
        await host.start()
        return host

    host = await start()
    table = HostedMatch(await host.create(setup(game, rng)), host, rng, time)
    await table.join_all()
    while not await table.ended():
        await table.do_something()
        if rng.below(5) == 0:
            await table.prove()
        if rng.below(25) == 0:
            await host.close()
            host = table.host = await start()
    await table.prove()

    # A copy from some decision of it, played to its own end.
    log = records_of(await host.get_replay(table.name))
    after = 1 + rng.below(len(log))
    try:
        created = await host.fork(table.name, ForkSetup(policy=Policy(undo=UndoPolicy.FREE)), after, table.host_token)
    except EngineError as refusal:
        assert refusal.reason == "INVALID_FIELD", refusal
        created = await host.fork(table.name, ForkSetup(policy=Policy(undo=UndoPolicy.FREE)), 0, table.host_token)
    copy = HostedMatch(created, host, rng, time)
    await copy.join_all()
    while not await copy.ended():
        await copy.do_something()
    await copy.prove()

    # Elsewhere, both replays are taken in as they are.
    other = new_host(MemoryStore(), time)
    for name in (table.name, copy.name):
        replay = await host.get_replay(name)
        info = await other.import_replay(encode(replay))
        assert info.result == (await host.get(name)).result
        assert await other.get_replay(name) == replay
    await other.close()
    await host.close()


async def test_random_matches_contain_every_kind_of_record(tmp_path: Path) -> None:
    """The random matches above would prove little if they never went back, gave up or were late."""
    kinds: set[RecordKind] = set()
    for seed in range(24):
        rng, time = Rng(seed), ManualTime()
        host = new_host(MemoryStore(), time)
        await host.start()
        game = "kuhn" if seed % 2 else "sealed"
        table = HostedMatch(await host.create(setup(game, rng)), host, rng, time)
        await table.join_all()
        while not await table.ended():
            await table.do_something()
        await table.prove()
        kinds |= {record.kind for record in records_of(await host.get_replay(table.name))}
        await host.close()
    missing = set(RecordKind) - kinds
    assert missing == {RecordKind.LEFT, RecordKind.CANCELLED, RecordKind.FAULTED}
