"""Forks, and export and import of replays."""

from __future__ import annotations

from typing import Any

import pytest

from cext.chance import outcome
from engine_service import errors
from engine_service.log.replay import encode
from engine_service.match_enums import MatchState, RecordKind, UndoPolicy
from engine_service.matches.verify import verify
from engine_service.model import Created, ForkSetup, MatchQuery, MatchSetup, Origin, Policy, SeatSetup
from omnilude.v1.replay_pb2 import Replay
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, Hosted, HostedMatch, hosting

CHECK, BET, CALL, FOLD = kuhn.CHECK(), kuhn.BET(), kuhn.CALL(), kuhn.FOLD()
LONG = {"option_texts": {"deals": "5", "ranks": "13"}}


async def finished(h: Hosted, **setup: object) -> HostedMatch:
    t = await h.new_match("kuhn", **setup)  # type: ignore[arg-type]
    await t.play(0, BET)
    await t.play(1, FOLD)
    return t


async def joined(h: Hosted, name: str, players: int = 2) -> list[str]:
    return [(await h.host.join(name, f"new {n}")).token for n in range(players)]


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_fork_starts_from_the_state_of_the_original(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", **LONG)
        await t.play(0, CHECK)
        state = t.live.snapshot.game_state.to_bytes()
        await t.play(1, BET)

        async def fork() -> Created:
            setup = ForkSetup(ephemeral=ephemeral, labels={"is": "fork"})
            return await h.host.fork(t.name, setup, 6, t.host_token, request_id="f", client_key="k")

        made = await fork()
        assert made.match.origin == Origin(t.name, 6, 3) and made.match.labels == {"is": "fork"}
        assert made.match.state is MatchState.WAITING and made.match.options == (await h.host.get(t.name)).options
        assert await fork() == made
        tokens = await joined(h, made.match.name)
        live = await h.host.live_match(made.match.name)
        assert live.snapshot.game_state.to_bytes() == state and live.must_act(1) and live.snapshot.plies == 3
        await h.host.submit_action(made.match.name, tokens[1], BET)
        await h.host.submit_action(made.match.name, tokens[0], CALL)
        rolled = [r for r in live.log.after(6) if r.kind is RecordKind.CHANCE]
        assert len(rolled) == 2 and t.live.seq == 7
        replay = await h.host.get_replay(made.match.name, made.host_token)
        report = verify(replay, h.registry)
        assert (report.rolls_inherited, report.rolls_unverified) == (2, 2)


async def test_forks_own_rolls_come_from_its_own_seed() -> None:
    async with hosting() as h:
        t = await finished(h, **LONG)
        made = await h.host.fork(t.name, ForkSetup(), 5, t.host_token)
        tokens = await joined(h, made.match.name)
        await h.host.submit_action(made.match.name, tokens[0], BET)
        await h.host.submit_action(made.match.name, tokens[1], FOLD)
        info = await h.host.cancel(made.match.name, made.host_token)
        live = await h.host.live_match(made.match.name)
        record = next(r for r in live.log.after(5) if r.kind is RecordKind.CHANCE)
        state = live.game.initial_state()
        for step in (r for r in live.log.after(0, record.seq - 1) if r.kind in (4, 5)):
            state.apply(step.code, step.seat)
        assert record.code == outcome(info.seed, live.header.uid, 4, state.chance())


async def test_records_at_which_a_match_can_be_forked() -> None:
    async with hosting() as h:
        t = await h.new_match("sealed", policy=Policy(undo=UndoPolicy.FREE))
        await t.play(0, sealed.BID(1))  # 4: half a node
        await t.play(1, sealed.BID(2))  # 5: the next one stands
        await h.host.request_undo(t.name, t.tokens[0])  # 6, back to 3
        for seq in (1, 2, 4, -1, 7):
            with pytest.raises(errors.InvalidField):
                await h.host.fork(t.name, ForkSetup(), seq, t.host_token)
        for seq, plies in ((0, 0), (3, 0), (5, 2), (6, 0)):
            made = await h.host.fork(t.name, ForkSetup(), seq, t.host_token)
            assert made.match.origin == Origin(t.name, seq, plies)
        await h.host.resign(t.name, t.tokens[0])
        with pytest.raises(errors.InvalidField):
            await h.host.fork(t.name, ForkSetup(), t.live.seq)


async def test_permission_to_fork() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        for token in ("", t.tokens[0]):
            with pytest.raises(errors.MatchNotEnded):
                await h.host.fork(t.name, ForkSetup(), 5, token)
        with pytest.raises(errors.TokenInvalid):
            await h.host.fork(t.name, ForkSetup(), 5, "nonsense")
        await h.host.cancel(t.name, t.host_token)
        assert (await h.host.fork(t.name, ForkSetup(), 5)).match.origin == Origin(t.name, 5, 2)
        with pytest.raises(errors.InvalidPlayerCount):
            await h.host.fork(t.name, ForkSetup(seats=[SeatSetup()] * 3), 5)
        with pytest.raises(errors.UnknownBot):
            await h.host.fork(t.name, ForkSetup(policy=Policy(absence_bot="deep")), 5)
        with pytest.raises(errors.InvalidField):
            await h.host.fork(t.name, ForkSetup(labels={"x" * 33: ""}), 5)


async def test_fork_of_a_fork_and_of_service_bots() -> None:
    async with hosting() as h:
        t = await finished(h, **LONG)
        one = await h.host.fork(t.name, ForkSetup(seats=[SeatSetup(), BOT]), 6, t.host_token)
        assert one.match.state is MatchState.WAITING
        tokens = await joined(h, one.match.name, 1)
        live = await h.host.live_match(one.match.name)
        assert live.must_act(0) and live.seq >= 7
        with pytest.raises(errors.UndoNotAllowed):
            await h.host.request_undo(one.match.name, tokens[0], 2)
        two = await h.host.fork(one.match.name, ForkSetup(seats=[BOT, BOT]), live.decision_seq, one.host_token)
        assert two.match.state is MatchState.FINISHED and two.match.origin is not None
        assert two.match.origin.match == one.match.name
        assert verify(await h.host.get_replay(two.match.name), h.registry).state is MatchState.FINISHED


async def test_replay_of_a_running_match_is_for_the_host() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        for token in ("", t.tokens[1]):
            with pytest.raises(errors.MatchNotEnded):
                await h.host.get_replay(t.name, token)
        with pytest.raises(errors.TokenInvalid):
            await h.host.get_replay(t.name, "nonsense")
        replay = await h.host.get_replay(t.name, t.host_token)
        assert len(replay.records) == 5 and replay.seed == b"" and not replay.HasField("result")
        assert verify(replay, h.registry).rolls_unverified == 2
        await t.play(0, BET)
        await t.play(1, FOLD)
        replay = await h.host.get_replay(t.name)
        report = verify(replay, h.registry)
        assert report.rolls_proved == 2 and report.state is MatchState.FINISHED and len(replay.seed) == 32
        # The same from the store alone.
        other = h.new_host()
        assert await other.get_replay(t.name) == replay and other.live_count == 0


async def test_replays_of_all_endings_are_verified() -> None:
    async with hosting() as h:
        cancelled = await h.new_match("kuhn")
        await h.host.cancel(cancelled.name, cancelled.host_token, "rain")
        resigned = await h.new_match("sealed", 3)
        for token in resigned.tokens[:2]:
            await h.host.resign(resigned.name, token)
        ephemeral = await finished(h, ephemeral=True)
        for t in (cancelled, resigned, ephemeral):
            info = await h.host.get(t.name)
            report = verify(await h.host.get_replay(t.name), h.registry)
            assert (report.state, report.result) == (info.state, info.result)


async def test_imported_match_is_marked_and_has_its_own_labels_and_names() -> None:
    async with hosting() as here, hosting() as there:

        async def listed(**wanted: Any) -> list[str]:
            return [m.name for m in (await there.host.list(MatchQuery(**wanted))).matches]

        t = await finished(here, labels={"cup": "final"})
        data = encode(await here.host.get_replay(t.name))
        own = await there.new_match("kuhn", labels={"cup": "final"})
        await there.time.advance(60_000)
        info = await there.host.import_replay(data)
        await there.time.advance(60_000)
        later = await there.new_match("kuhn")
        assert info.imported is not None and (await there.host.get(own.name)).imported is None
        assert info.imported.time_ms == there.time.wall_ms() - 60_000
        assert info.imported.signing_key == here.host.signing_key
        assert (info.labels, info.imported.labels) == ({}, {"cup": "final"})
        assert await there.host.get(t.name) == info
        assert (await there.host.live_match(t.name)).info() == info, "in memory it is the same"
        assert await listed() == [later.name, t.name, own.name], "it is listed where it came"
        assert await listed(labels={"cup": "final"}) == [own.name]
        assert await listed(player="player 0") == [later.name, own.name]
        assert await listed(imported=True) == [t.name]
        assert await listed(imported=False) == [later.name, own.name]


@pytest.mark.parametrize(("ahead_ms", "taken"), [(60_000, True), (86_400_000, False)])
async def test_replay_from_the_future_is_refused(ahead_ms: int, taken: bool) -> None:
    async with hosting() as here, hosting() as there:
        here.time.wall_offset_ms += ahead_ms
        t = await finished(here)
        data = encode(await here.host.get_replay(t.name))
        if taken:
            await there.host.import_replay(data)
        else:
            with pytest.raises(errors.ReplayInvalid, match="future"):
                await there.host.import_replay(data)


async def test_imported_match_is_not_signed_again() -> None:
    async with hosting() as here, hosting() as there:
        t = await finished(here)
        replay = await here.host.get_replay(t.name)
        replay.signature = replay.signing_key = b""
        await there.host.import_replay(encode(replay))
        assert await there.host.get_replay(t.name) == replay
        info = await there.host.get(t.name)
        assert info.imported is not None and info.imported.signing_key == b""


async def test_replay_moves_to_another_service() -> None:
    async with hosting() as here, hosting(replay_bytes=20_000) as there:
        t = await finished(here, ephemeral=True, labels={"cup": "final"})
        data = encode(await here.host.get_replay(t.name))
        info = await there.host.import_replay(data)
        mine = await here.host.get(t.name)
        for field in ("name", "game", "options", "state", "seq", "result", "seed", "create_ms", "start_ms"):
            assert getattr(info, field) == getattr(mine, field), field
        assert [s.player for s in info.seats] == ["player 0", "player 1"] and not info.ephemeral
        assert (await there.host.get(t.name)).result == mine.result
        live = await there.host.live_match(t.name)
        assert live.snapshot.game_state.to_bytes() == t.live.snapshot.game_state.to_bytes()
        with pytest.raises(errors.TokenInvalid):
            live.viewer_of(t.host_token)
        assert encode(await there.host.get_replay(t.name)) == data
        with pytest.raises(errors.MatchExists):
            await there.host.import_replay(data)
        with pytest.raises(errors.MatchExists):
            await here.host.import_replay(data)


@pytest.mark.parametrize(
    ("setup", "limit"),
    [
        ({"labels": {"a": "1", "b": "2", "c": "3"}}, "labels"),
        ({"labels": {"a long key": "1"}}, "label_key_length"),
        ({"labels": {"a": "a long value"}}, "label_value_length"),
    ],
)
async def test_limits_apply_to_imports(setup: dict[str, Any], limit: str) -> None:
    roomy = {"labels": 16, "label_key_length": 32, "label_value_length": 128}
    async with hosting(**roomy) as here, hosting(labels=2, label_key_length=4, label_value_length=4) as there:
        t = await finished(here, **setup)
        data = encode(await here.host.get_replay(t.name))
        with pytest.raises(errors.LimitReached) as refusal:
            await there.host.import_replay(data)
        assert refusal.value.metadata["limit"] == limit
        assert not (await there.host.list(MatchQuery())).matches


async def test_length_of_an_import_is_limited() -> None:
    async with hosting() as here, hosting(log_records=1_000) as there:
        created = await here.host.create(MatchSetup("kuhn", [SeatSetup()] * 2, ephemeral=True))
        name = created.match.name
        for _ in range(1_000):
            await here.host.leave(name, (await here.host.join(name, "restless")).token)
        await here.host.cancel(name, created.host_token)
        data = encode(await here.host.get_replay(name))
        with pytest.raises(errors.LimitReached) as refusal:
            await there.host.import_replay(data)
        assert refusal.value.metadata["limit"] == "log_records"


async def test_invalid_imports_are_refused() -> None:
    async with hosting(replay_bytes=2_000) as h:
        t = await finished(h)
        replay = await h.host.get_replay(t.name)

        async def refused(kind: type[errors.EngineError], data: bytes) -> None:
            with pytest.raises(kind):
                await h.host.import_replay(data)

        await refused(errors.ReplayMalformed, b"not a replay")
        await refused(errors.ReplayMalformed, encode(replay)[:-5])
        await refused(errors.LimitReached, b"x" * 2_001)
        edited = Replay()
        edited.CopyFrom(replay)
        edited.records[5].code = CHECK
        await refused(errors.ReplayInvalid, encode(edited))
        running = await h.new_match("kuhn")
        await refused(errors.ReplayInvalid, encode(await h.host.get_replay(running.name, running.host_token)))
    async with hosting(packs=[sealed.PACK]) as h:
        await refused(errors.RulesNotLoaded, encode(replay))
