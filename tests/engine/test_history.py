"""Histories of live matches: as they are played, loaded and forked."""

from __future__ import annotations

import gc

import pytest

from engine_service import errors
from engine_service.hosting import match_cache
from engine_service.log import history
from engine_service.match_enums import AbsencePolicy, UndoPolicy
from engine_service.model import ForkSetup, Policy
from gamepacks.api.types import Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, hosting

FREE = Policy(undo=UndoPolicy.FREE, absence=AbsencePolicy.BOT)


async def test_history_is_equal_for_played_loaded_and_forked_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "KEEP_EVERY", 2)
    monkeypatch.setattr(match_cache, "RECORDS_AT_ONCE", 2)
    async with hosting() as h:
        t = await h.new_match("sealed", policy=FREE)
        for _ in range(2):
            for seat in (0, 1):
                await t.play(seat, sealed.BID(0))
        await h.host.request_undo(t.name, t.tokens[0])
        for seat in (0, 1):
            await t.play(seat, sealed.BID(1))
        loaded = await h.new_host().live_match(t.name)
        copy = await h.host.fork(t.name, ForkSetup([BOT, BOT]), t.live.decision_seq, t.host_token)
        copied = h.host._cache.get_cached(copy.match.name)
        assert copied is not None and copied.history._kept
        assert t.live.history._kept and loaded.history._undone == t.live.history._undone != []
        for seq in range(t.live.seq + 1):
            assert loaded.state_after(seq).to_bytes() == t.live.state_after(seq).to_bytes()


async def test_log_with_many_undos_is_loaded_with_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, found = 0, []
    clone = kuhn.KuhnState.clone

    def alive() -> int:
        return sum(type(known) is kuhn.KuhnState for known in gc.get_objects())

    def counted(state: kuhn.KuhnState) -> kuhn.KuhnState:
        nonlocal calls
        calls += 1
        if calls % 20 == 0:
            found.append(alive())
        return clone(state)

    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE)
        for _ in range(100):
            await t.play(0, kuhn.CHECK())
            await h.host.request_undo(t.name, t.tokens[0])
        before = alive()
        monkeypatch.setattr(kuhn.KuhnState, "clone", counted)
        assert (await h.new_host().live_match(t.name)).seq == t.live.seq
    assert len(found) >= 5 and max(found) <= before + 10


async def test_fork_within_a_simultaneous_node_or_after_the_end_is_refused() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", policy=FREE)
        started = t.live.decision_seq
        await t.play(0, sealed.BID(0))
        for seq in (started - 1, t.live.seq):
            with pytest.raises(errors.InvalidField):
                await h.host.fork(t.name, ForkSetup([BOT, BOT]), seq, t.host_token)
        await h.host.fork(t.name, ForkSetup([BOT, BOT]), started, t.host_token)
        await h.host.cancel(t.name, t.host_token)
        with pytest.raises(errors.InvalidField):
            await h.host.fork(t.name, ForkSetup([BOT, BOT]), t.live.seq, t.host_token)
        await h.host.fork(t.name, ForkSetup([BOT, BOT]), started, t.host_token)
        assert (await h.host.live_match(t.name)).must_act(Seat(0)) is False
