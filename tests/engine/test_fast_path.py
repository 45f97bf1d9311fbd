"""The fast path has the same effect as the general path, and declines all writes that it cannot handle."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine_service import errors
from engine_service.match_enums import ChanceSource, MatchState, UndoPolicy
from engine_service.matches import fast_path
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import ActionPlanner
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.model import Policy, SeatSetup, Submitted, TimeControl, has_ended
from engine_service.observability.stats import Stats
from gamepacks.api.types import Code, Seat
from tests.support.games import faulty, kuhn, sealed
from tests.support.hosting import BOT, Hosted, HostedMatch, hosting

MOST = 1_000_000
PLAYED = ("kuhn", "sealed", "ominoes")


def snapshot_values(now: MatchSnapshot) -> dict[str, Any]:
    """Returns all fields of a snapshot in a form that compares by value."""
    shown = {name: getattr(now, name) for name in MatchSnapshot.__slots__}
    return {**shown, "game_state": now.game_state.to_bytes()}


def general_path(live: LiveMatch, seat: int, code: int) -> tuple[Any, dict[str, Any], list[Any], list[int]]:
    """Returns the answer, snapshot, log and decision points of the general path, without changing the match."""
    draft = live.draft()

    def no_bot(draft: object, seat: int) -> Code | None:
        return None

    answer = ActionPlanner(Stats(), no_bot).plan(draft, live, seat, code, live.decision_seq)
    return (
        answer,
        snapshot_values(draft.after),
        [*live.log, *draft.records],
        [*live.decision_points, *draft.decision_points],
    )


async def seated(h: Hosted, game: str, players: int = 2, **setup: Any) -> HostedMatch:
    return await h.new_match(game, players, ephemeral=True, **setup)


@pytest.mark.parametrize(("game", "players"), [("kuhn", 2), ("sealed", 2), ("ominoes", 2), ("ominoes", 4)])
async def test_fast_path_equals_the_general_path(game: str, players: int) -> None:
    rnd = random.Random(f"{game} {players}")
    fast = 0
    async with hosting(installed=["ominoes"]) as h:
        for _ in range(3):
            live = (await seated(h, game, players)).live
            while not has_ended(live.state):
                h.time.now_ms += rnd.randrange(3_000)
                seat = next(seat for seat in range(players) if live.must_act(seat))
                code = rnd.choice(live.legal(seat))
                answer, after, log, points = general_path(live, seat, code)
                actions, rolls, seq = h.host.stats.actions, h.host.stats.chance_outcomes, live.seq
                before, state = live.snapshot, live.snapshot.game_state.to_bytes()
                taken = fast_path.apply_move(live, seat, code, live.decision_seq, MOST)
                assert before.game_state.to_bytes() == state
                if taken is not None:
                    fast += 1
                    assert taken is before and answer[:2] == (before.seq + 1, live.seq)
                    h.host._runtime.fast_move_committed(live, taken)
                else:
                    assert live.snapshot is before
                    h.host.submit_for_seat(live, Seat(seat), Code(code), live.decision_seq)
                    after["ended_ms"] = live.snapshot.ended_ms
                assert snapshot_values(live.snapshot) == after
                assert (list(live.log), list(live.decision_points)) == (log, points)
                assert live.touched_ms == live.epoch_ms + live.snapshot.time_ms
                assert h.host.stats.actions == actions + 1
                assert h.host.stats.chance_outcomes == rolls + sum(r.kind.name == "CHANCE" for r in log[seq:])
    assert (fast > 0) == (game != "sealed")


async def plain(h: Hosted, **setup: Any) -> LiveMatch:
    return (await seated(h, "kuhn", **setup)).live


BET = kuhn.BET()


async def test_fast_path_declines_other_writes() -> None:
    async with hosting(packs=(kuhn.PACK, sealed.PACK, faulty.PACK)) as h:
        live = await plain(h)

        def left(live: LiveMatch, seat: int, code: object, seq: int, most: int = MOST) -> bool:
            before, log, points = live.snapshot, list(live.log), list(live.decision_points)
            taken = fast_path.apply_move(live, seat, code, seq, most)
            return (
                taken is None
                and live.snapshot is before
                and (list(live.log), list(live.decision_points)) == (log, points)
            )

        seq = live.decision_seq
        assert left(live, 1, BET, seq)
        assert left(live, 0, BET, seq - 1) and left(live, 0, BET, seq + 1)
        assert left(live, 0, -1, seq) and left(live, 0, 1 << 31, seq) and left(live, 0, True, seq)
        assert left(live, 0, kuhn.CALL(), seq)
        assert left(live, 0, kuhn.messages.Action(), seq)
        assert left(live, 0, BET, seq, most=live.seq)
        await_start = (await h.new_match("kuhn", join=False, ephemeral=True)).live
        assert left(await_start, 0, BET, 0)
        clocked = await plain(h, time_control=TimeControl(per_move_ms=1_000))
        assert left(clocked, 0, BET, clocked.decision_seq)
        supplied = await h.new_match("kuhn", ephemeral=True, policy=Policy(chance=ChanceSource.HOST))
        assert left(supplied.live, 0, BET, supplied.live.decision_seq)
        with_bot = (await h.new_match("kuhn", seats=[SeatSetup(), BOT], ephemeral=True)).live
        assert left(with_bot, 0, BET, with_bot.decision_seq)
        both = (await seated(h, "sealed")).live
        assert left(both, 0, sealed.BID(1), both.decision_seq)
        asked = await seated(h, "kuhn", policy=Policy(undo=UndoPolicy.CONSENT))
        await asked.play(0, kuhn.CHECK())
        await h.host.request_undo(asked.name, asked.tokens[0])
        assert asked.live.undo_pending is not None
        assert left(asked.live, 1, BET, asked.live.decision_seq)
        assert not left(live, 0, BET, seq)


async def test_play_stream_gets_the_same_answer_from_both_paths() -> None:
    async with hosting() as h:
        live = await plain(h)
        asked = live.decision_seq
        done = h.host.submit_for_seat(live, Seat(0), Code(BET), asked)
        assert done == Submitted(asked + 1, asked + 1, MatchState.ACTIVE, Code(BET))
        assert h.host.submit_for_seat(live, Seat(0), Code(BET), asked) == done, "sent again, answered again"
        await h.host.drain(None)
        with pytest.raises(errors.ShuttingDown):
            h.host.submit_for_seat(live, Seat(1), Code(kuhn.CALL()), live.decision_seq)
