"""The host with a store on disk: matches survive the end of the process."""

from __future__ import annotations

import asyncio
from pathlib import Path

from engine_service.match_enums import ChanceSource, MatchState
from engine_service.matches.verify import verify
from engine_service.model import MatchSetup, Policy, SeatSetup, TimeControl
from engine_service.store.sqlite import SqliteStore
from tests.support.games import kuhn, sealed
from tests.support.hosting import hosting


async def test_matches_are_complete_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    store = await SqliteStore.open(path)
    async with hosting(store) as h:
        t = await h.new_match(
            "kuhn", time_control=TimeControl(per_match_ms=60_000, increment_ms=100), labels={"a": "b"}
        )
        await h.time.advance(1_000)
        first = await t.play(0, kuhn.CHECK(), expected_seq=5, request_id="r")
        await h.host.request_undo(t.name, t.tokens[0], reason="slip")
        waiting = await h.new_match("kuhn", join=False, policy=Policy(chance=ChanceSource.HOST))
        await h.host.provide_outcomes(waiting.name, waiting.host_token, [kuhn.DEAL(2)])
        assert t.live.undo_pending is not None
        before = await h.host.get(t.name), t.live.undo_pending, t.live.snapshot.game_state.to_bytes(), t.log()
        created = await h.host.create(MatchSetup("sealed", [SeatSetup()] * 2), "c", "k")
        await h.host.close()

    store = await SqliteStore.open(path)
    async with hosting(store) as h:
        t.hosted = h
        assert (await h.host.get(t.name), t.live.undo_pending, t.live.snapshot.game_state.to_bytes(), t.log()) == before
        assert (await h.host.live_match(waiting.name)).snapshot.queued_outcomes == (kuhn.DEAL(2),)
        assert await t.play(0, kuhn.CHECK(), expected_seq=5, request_id="r") == first
        assert await t.play(0, kuhn.CHECK(), expected_seq=5) == first
        assert await h.host.create(MatchSetup("sealed", [SeatSetup()] * 2), "c", "k") == created
        assert (await h.host.answer_undo(t.name, t.tokens[1], before[1].seq, True)).undone
        await h.host.resign(t.name, t.tokens[1])
        report = verify(await h.host.get_replay(t.name), h.registry)
        assert report.state is MatchState.FINISHED and report.rolls_proved == 2
        await h.host.close()


async def test_many_matches_share_commits(tmp_path: Path) -> None:
    commits: list[int] = []
    store = await SqliteStore.open(tmp_path / "m.sqlite3", on_commit=lambda writes, seconds: commits.append(writes))
    async with hosting(store) as h:
        tables = [await h.new_match("sealed") for _ in range(20)]
        commits.clear()
        await asyncio.gather(*(t.play(seat, sealed.BID(1)) for t in tables for seat in (0, 1)))
        assert sum(commits) == 40 and len(commits) < 40
        for t in tables:
            assert await t.stored() == t.live.log.after(0)
        await h.host.close()
