"""Replays as bytes and files: damaged ones are refused with a typed error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cext.random import Rng
from engine_service.errors import ReplayInvalid, ReplayMalformed, RulesNotLoaded
from engine_service.log.records import chain_all, first_chain
from engine_service.log.replay import encode, export, read, read_file, records_of, write_file
from engine_service.match_enums import AbsencePolicy, RecordKind, SeatKind, UndoPolicy
from engine_service.matches.verify import verify
from engine_service.model import Policy, SeatSetup, TimeControl
from omnilude.v1 import match_pb2
from omnilude.v1.replay_pb2 import Replay, ReplayHeader
from tests.support.games import kuhn, sealed
from tests.support.recorder import REGISTRY, SEED, Recorder, kuhn_match


def eventful_match() -> Recorder:
    """Returns a match with a bot, clocks, labels, an undo and a resignation."""
    match = Recorder(
        sealed.SealedGame.configure(3),
        seats=(SeatSetup(), SeatSetup(SeatKind.INVITED, "Bob \u2660"), SeatSetup(SeatKind.BOT, "random")),
        time_control=TimeControl(per_match_ms=60_000, increment_ms=1_500),
        policy=Policy(UndoPolicy.CONSENT, AbsencePolicy.FORFEIT, "monte-carlo"),
        labels={"cup": "spring", "round": "1"},
    ).begin()
    match.act(0, 1)
    match.undo(0, 3, agree=[1])
    match.act(0, 2)
    match.act(2, 1)
    match.add(RecordKind.TIMED_OUT, 1)
    return match.finish(Rng(4))


MATCHES = {
    "ended": eventful_match,
    "with chance": lambda: kuhn_match(players=2, deals=2),
    "going on": lambda: Recorder(kuhn.KuhnGame.configure(2)).begin(),
    "cancelled": lambda: _cancelled(),
}


def _cancelled() -> Recorder:
    match = Recorder(kuhn.KuhnGame.configure(2)).begin()
    match.add(RecordKind.CANCELLED, text="rain")
    return match


@pytest.fixture(params=MATCHES)
def match(request: pytest.FixtureRequest) -> Recorder:
    return MATCHES[request.param]()


def test_replay_contains_the_log(match: Recorder) -> None:
    replay = match.replay()
    back = read(encode(replay))
    assert back == replay
    assert records_of(back) == match.log
    assert back.chain == chain_all(first_chain(match.header.encode()), match.log)
    assert back.seed == (SEED if match.result else b"")
    header = ReplayHeader.FromString(back.header)
    assert (header.format, header.match, header.players) == (1, "matches/m1", match.game.players)
    verify(back, REGISTRY)


def test_result_is_stored_completely() -> None:
    match = eventful_match()
    assert match.result is not None
    assert match.replay().result == match_pb2.MatchResult(
        returns=match.result.returns, places=match.result.places, reason=match_pb2.END_REASON_RULES
    )


def test_file_is_the_serialised_message(tmp_path: Path, match: Recorder) -> None:
    path = tmp_path / "m1.omr"
    write_file(path, match.replay())
    assert Replay.FromString(path.read_bytes()) == match.replay()
    assert read_file(path) == match.replay()
    assert [file.name for file in tmp_path.iterdir()] == ["m1.omr"]


def test_file_is_replaced_atomically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m1.omr"
    first, second = kuhn_match(1).replay(), kuhn_match(2).replay()
    write_file(path, first)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_file(path, second)
    assert read_file(path) == first
    assert [file.name for file in tmp_path.iterdir()] == ["m1.omr"]
    write_file(path, second)
    assert read_file(path) == second


def test_file_that_cannot_be_read_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "nowhere.omr")


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"dear diary", bytes(100), b"\xff" * 100, b"<!doctype html>", b"\x0a\x80\x80\x80\x80\x08"],
)
def test_invalid_bytes_are_reported_as_malformed(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(ReplayMalformed):
        read(data)
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(ReplayMalformed):
        read_file(tmp_path / "x")


def test_too_long_replay_is_refused_unread(tmp_path: Path) -> None:
    data = encode(kuhn_match().replay())
    assert read(data, max_bytes=len(data)) == kuhn_match().replay()
    with pytest.raises(ReplayMalformed, match="the limit is"):
        read(data, max_bytes=len(data) - 1)
    path = tmp_path / "long.omr"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ReplayMalformed, match="the limit is"):
        read_file(path, max_bytes=1000)


def test_fields_that_replays_do_not_have_are_refused(match: Recorder) -> None:
    data = encode(match.replay())
    unknown = b"\xfa\x3f\x02hi"  # field 1023
    with pytest.raises(ReplayMalformed, match="fields"):
        read(data + unknown)
    replay = match.replay()
    replay.records[0].MergeFromString(unknown)
    with pytest.raises(ReplayMalformed, match="fields"):
        read(encode(replay))
    header = match.header.encode() + unknown
    with pytest.raises(ReplayInvalid, match="header"):
        verify(export(header, match.log, match.seed if match.result else b"", match.result), REGISTRY)


def test_format_of_the_future_is_named() -> None:
    match = kuhn_match()
    header = ReplayHeader.FromString(match.header.encode())
    header.format = 2
    replay = export(header.SerializeToString(deterministic=True), match.log, SEED, match.result)
    with pytest.raises(ReplayInvalid, match="format 2 is unknown"):
        verify(replay, REGISTRY)


def test_kind_of_record_of_the_future_is_named() -> None:
    replay = kuhn_match().replay()
    replay.records[2].kind = 99  # type: ignore[assignment]
    with pytest.raises(ReplayInvalid, match="the kind 99 is unknown") as refusal:
        verify(replay, REGISTRY)
    assert refusal.value.seq == 3


# -- whatever is done to it --------------------------------------------------------------------------------------------


def must_be_refused(data: bytes) -> None:
    """Assert that the data is refused with a typed error."""
    try:
        verify(read(data), REGISTRY)
    except (ReplayMalformed, ReplayInvalid):
        return
    raise AssertionError(f"accepted: {data.hex()}")


def test_every_flipped_bit_is_found(match: Recorder) -> None:
    data = bytearray(encode(match.replay()))
    for at in range(len(data)):
        for flip in (1, 2, 4, 8, 16, 32, 64, 128, 255):
            data[at] ^= flip
            must_be_refused(bytes(data))
            data[at] ^= flip
    verify(read(bytes(data)), REGISTRY)


def test_every_truncation_is_found(match: Recorder) -> None:
    data = encode(match.replay())
    for length in range(len(data)):
        must_be_refused(data[:length])
        if length:
            must_be_refused(data[length:])


def mangled(data: bytes, rng: Rng) -> Iterator[bytes]:
    """Returns data with pieces removed, doubled, moved or overwritten."""
    while True:
        a, b, c = sorted(rng.below(len(data) + 1) for _ in range(3))
        yield data[:a] + data[b:]
        yield data[:b] + data[a:]
        yield data[:a] + data[b:c] + data[a:b] + data[c:]
        yield data[:a] + bytes(rng.below(256) for _ in range(b - a)) + data[b:]


def test_random_damage_is_found(match: Recorder) -> None:
    data = encode(match.replay())
    damage = mangled(data, Rng(2026))
    tried = 0
    while tried < 1_500:
        other = next(damage)
        if other != data:
            must_be_refused(other)
            tried += 1


def test_random_edits_that_are_rechained_never_break_the_verifier(match: Recorder) -> None:
    """A forger can chain what he likes: the outcome may be a proof of another true match, but never a crash."""
    rng = Rng(99)
    proved = 0
    for _ in range(1_500):
        records = list(match.log)
        for _ in range(1 + rng.below(3)):
            at = rng.below(len(records))
            record = records[at]
            match rng.below(7):
                case 0:
                    del records[at]
                case 1:
                    records.insert(at, records[rng.below(len(records))])
                case 2:
                    records[at] = record._replace(kind=rng.choice(list(RecordKind)))
                case 3:
                    records[at] = record._replace(seat=rng.below(5) - 1)
                case 4:
                    records[at] = record._replace(code=rng.choice([0, 1, -1, 2**31 - 1, rng.below(1 << 20)]))
                case 5:
                    records[at] = record._replace(to_seq=rng.below(len(records) + 2))
                case _:
                    records[at] = record._replace(time_ms=rng.below(200))
            if not records:
                records = [record]
        records = [record._replace(seq=seq) for seq, record in enumerate(records, 1)]
        ended = records[-1].kind in (RecordKind.FINISHED, RecordKind.CANCELLED, RecordKind.FAULTED)
        replay = match.replay(records, seed=SEED if ended else b"", result=match.result if ended else None)
        try:
            verify(read(encode(replay)), REGISTRY)
            proved += 1
        except (ReplayInvalid, RulesNotLoaded):
            pass
    assert proved < 1_500
