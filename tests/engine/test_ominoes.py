"""Matches of Ominoes at the host: played to the end with undo and forks, loaded, verified, and small in memory."""

from __future__ import annotations

import random

import pytest

from engine_service.match_enums import MatchState, SeatKind, UndoPolicy
from engine_service.matches.verify import verify
from engine_service.model import ForkSetup, Policy, SeatSetup
from tests.support.hosting import hosting

FREE = Policy(undo=UndoPolicy.FREE)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("ephemeral", [False, True])
async def test_matches_are_played_to_the_end(players: int, ephemeral: bool) -> None:
    async with hosting(packs=(), installed=["ominoes"]) as h:
        t = await h.new_match("ominoes", players, ephemeral=ephemeral)
        await t.play_at_random(random.Random(players), 10_000)
        info = await h.host.get(t.name)
        assert info.state is MatchState.FINISHED and info.result is not None and len(info.result.places) == players
        report = verify(await h.host.get_replay(t.name), h.registry)
        assert report.result == info.result and report.rolls_proved > 0
        if not ephemeral:
            assert await h.state_of(t) == t.live.snapshot.game_state.to_bytes()


async def test_undo_and_fork() -> None:
    async with hosting(packs=(), installed=["ominoes"]) as h:
        rnd = random.Random(7)
        t = await h.new_match("ominoes", policy=FREE)
        await t.play_at_random(rnd, 80, undo=0.2)
        assert await h.state_of(t) == t.live.snapshot.game_state.to_bytes()
        verify(await h.host.get_replay(t.name, t.host_token), h.registry)
        seq = t.live.decision_points[len(t.live.decision_points) // 2]
        greedy = SeatSetup(SeatKind.BOT, "greedy")
        made = await h.host.fork(t.name, ForkSetup(seats=[greedy, greedy], ephemeral=True), seq)
        copy = await h.host.live_match(made.match.name)
        assert copy.state is MatchState.FINISHED
        assert verify(await h.host.get_replay(copy.name), h.registry).result == copy.snapshot.result


async def test_matches_use_little_memory() -> None:
    """Measures the objects of one match; a benchmark measures the process."""
    async with hosting(packs=(), installed=["ominoes"]) as h:
        t = await h.new_match("ominoes", ephemeral=True)
        await t.play_at_random(random.Random(3), 60)
        live = t.live
        assert not hasattr(live, "__dict__") and not hasattr(live.snapshot, "__dict__")
        assert live.write_queue is None and live.listeners == () and live.bots_deciding == frozenset()
        assert live.log.__sizeof__() + live.log._packed.__sizeof__() < 40 * live.seq
