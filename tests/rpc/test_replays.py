"""Replays over the wire: sent and uploaded in parts, within limits."""

from __future__ import annotations

import pytest

from engine_service.log.replay import encode
from engine_service.rpc import match
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn
from tests.support.rpc_errors import refused
from tests.support.server import running_server
from tests.support.waiting import until
from tests.support.wire import get_replay, import_replay, new_match


async def test_uploaded_replay_may_be_longer_than_a_message() -> None:
    settings = {"server.max_message_bytes": 65_536, "limits.replay_bytes": 1_000_000}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:

        async def imported(size: int, part_bytes: int = 50_000) -> str:
            return (await refused(import_replay(running.matches, b"x" * size, part_bytes))).reason

        assert await imported(1_000_000) == "REPLAY_MALFORMED"
        assert await imported(1_000_001) == "LIMIT_REACHED"
        assert await imported(65_537, 65_537) == "LIMIT_REACHED", "a part is a message like others"
        assert await imported(0) == "REPLAY_MALFORMED"


async def test_replay_of_many_megabytes_goes_through_plain_stubs() -> None:
    """Every message stays below the 4 MiB that gRPC takes where nothing is set, in both directions."""
    settings = {"limits.reason_length": 10_000}
    async with (
        running_server(packs=[kuhn.PACK], settings=settings) as running,
        running_server(packs=[kuhn.PACK], settings=settings) as elsewhere,
    ):
        table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_CONSENT))
        seat = (await table.to_act())[0]
        await table.submit(seat, kuhn.CHECK())
        for _ in range(160):
            asked = pb.RequestUndoRequest(name=table.name, token=table.seats[seat], reason="\u20ac" * 10_000)
            await running.matches.RequestUndo(asked)
            await running.matches.WithdrawUndo(pb.WithdrawUndoRequest(name=table.name, token=table.seats[seat]))
        await table.play_out()
        parts = [r.part async for r in running.matches.GetReplay(pb.GetReplayRequest(name=table.name))]
        assert max(part.ByteSize() for part in parts) < 1 << 20
        data = b"".join(part.SerializeToString(deterministic=True) for part in parts)
        replay = await get_replay(running.matches, table.name)
        assert encode(replay) == data and len(data) > 4 << 20
        await import_replay(elsewhere.matches, data)
        assert await get_replay(elsewhere.matches, table.name) == replay


async def test_replay_beyond_the_limit_is_not_sent() -> None:
    async with running_server(packs=[kuhn.PACK], settings={"limits.replay_bytes": 1_024}) as running:
        table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_CONSENT))
        assert (await get_replay(running.matches, table.name, table.host)).records
        seat = (await table.to_act())[0]
        await table.submit(seat, kuhn.CHECK())
        for _ in range(4):
            asked = pb.RequestUndoRequest(name=table.name, token=table.seats[seat], reason="x" * 256)
            await running.matches.RequestUndo(asked)
            await running.matches.WithdrawUndo(pb.WithdrawUndoRequest(name=table.name, token=table.seats[seat]))
        refusal = await refused(get_replay(running.matches, table.name, table.host))
        assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "replay_bytes")


async def test_uploads_share_a_bound_and_release_it() -> None:
    """At most ``imports`` uploads are held at once, and an upload that breaks off releases its share."""
    settings = {"limits.replay_bytes": 10_000, "limits.imports": 1}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        upload = running.matches.ImportReplay()
        await upload.write(pb.ImportReplayRequest(data=b"x" * 6_000))
        service = running.server._matches
        await until(lambda: service._uploaded_bytes)
        refusal = await refused(import_replay(running.matches, b"x" * 6_000))
        assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "imports")
        upload.cancel()
        await until(lambda: not service._uploaded_bytes)
        assert (await refused(import_replay(running.matches, b"x" * 6_000))).reason == "REPLAY_MALFORMED"


async def test_stalled_upload_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "UPLOAD_SECONDS", 0.05)
    async with running_server(packs=[kuhn.PACK]) as running:
        upload = running.matches.ImportReplay()
        await upload.write(pb.ImportReplayRequest(data=b"x"))
        refusal = await refused(upload)
        assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["data"])
