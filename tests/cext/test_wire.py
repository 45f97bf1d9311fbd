"""Tests of the codec of the most frequent messages of a play stream, against protobuf."""

from __future__ import annotations

import random

import pytest
from google.protobuf.any_pb2 import Any

from cext.wire import PlayWriter, count_fields, read_moves
from omnilude.v1 import play_service_pb2 as pb

CHANNELS = (0, 1, 127, 128, 1 << 31, (1 << 32) - 1)
SEQS = (0, 1, 127, 128, 16_383, 16_384, (1 << 63) - 1)
CODES = (0, 1, 127, 128, 1 << 24, (1 << 31) - 1)


def plain(*moves: tuple[int, int, int]) -> pb.PlayRequest:
    """A request of moves by code."""
    return pb.PlayRequest(moves=[pb.Move(channel=channel, seq=seq, code=code) for channel, seq, code in moves])


def test_plain_moves_are_read_as_protobuf_reads_them() -> None:
    moves = [(channel, seq, code) for channel in CHANNELS for seq in SEQS for code in CODES]
    assert read_moves(plain(*moves).SerializeToString()) == moves
    for move in moves:
        assert read_moves(plain(move).SerializeToString()) == [move]
    assert read_moves(b"") == []


def test_last_occurrence_of_a_field_counts() -> None:
    twice = pb.Move(channel=1, seq=2, code=3).SerializeToString() + pb.Move(channel=4, code=5).SerializeToString()
    data = bytes([3 << 3 | 2, len(twice)]) + twice
    (move,) = pb.PlayRequest.FromString(data).moves
    assert read_moves(data) == [(move.channel, move.seq, move.code)] == [(4, 2, 5)]


@pytest.mark.parametrize(
    "other",
    [
        pb.PlayRequest(hello=pb.Hello()),
        pb.PlayRequest(attach=[pb.Attach(channel=1)]),
        pb.PlayRequest(resign=[1]),
        pb.PlayRequest(detach=[1]),
        pb.PlayRequest(undo_answers=[pb.UndoAnswer(channel=1)]),
        pb.PlayRequest(moves=[pb.Move(channel=1, seq=2)]),
        pb.PlayRequest(moves=[pb.Move(channel=1, seq=2, typed_action=Any())]),
        pb.PlayRequest(moves=[pb.Move(channel=1, seq=2, code=-1)]),
        pb.PlayRequest(moves=[pb.Move(channel=1, seq=-2, code=1)]),
    ],
    ids=lambda request: str(request).replace("\n", " ").strip(),
)
def test_other_messages_are_left_to_protobuf(other: pb.PlayRequest) -> None:
    assert read_moves(other.SerializeToString()) is None
    assert read_moves(plain((1, 2, 3)).SerializeToString() + other.SerializeToString()) is None


def test_random_bytes_are_read_as_by_protobuf_or_left_to_it() -> None:
    rng = random.Random(20)
    good = plain((1, 300, 5), (70_000, 2, 1 << 24)).SerializeToString()
    read = 0
    for _ in range(20_000):
        data = bytearray(good[: rng.randint(0, len(good))])
        for _ in range(rng.randint(0, 3)):
            if data:
                data[rng.randrange(len(data))] = rng.choice((0, 8, 16, 24, 26, 127, 128, 255, rng.randrange(256)))
        moves = read_moves(bytes(data))
        if moves is not None:
            read += 1
            request = pb.PlayRequest.FromString(bytes(data))
            assert moves == [(move.channel, move.seq, move.code) for move in request.moves]
            assert plain(*moves) == request
    assert read > 1_000


def test_truncated_request_is_left_to_protobuf_or_read_whole() -> None:
    data = plain((1, 2, 3), (4, 5, 6)).SerializeToString()
    whole = len(data) // 2
    for end in range(len(data) + 1):
        wanted = {0: [], whole: [(1, 2, 3)], len(data): [(1, 2, 3), (4, 5, 6)]}
        assert read_moves(data[:end]) == wanted.get(end)


def test_results_and_turns_are_written_as_protobuf_writes_them() -> None:
    writer = PlayWriter()
    for channel in CHANNELS:
        for seq in SEQS:
            writer.add_result(channel, seq, seq)
            wanted = pb.PlayResponse(results=[pb.MoveResult(channel=channel, seq=seq, action_seq=seq)])
            assert writer.take() == wanted.SerializeToString()
            for codes in ([], [0], list(CODES), [-1, 5], [1 << 24] * 300):
                writer.add_turn(channel, seq, codes)
                turn = pb.PlayResponse(turns=[pb.Turn(channel=channel, seq=seq, codes=codes)])
                assert writer.take() == turn.SerializeToString()


def test_writer_grows_and_can_be_used_again() -> None:
    writer = PlayWriter()
    assert (writer.size, writer.take()) == (0, b"")
    response = pb.PlayResponse()
    for number in range(3_000):
        writer.add_result(number, number, number + 1)
        response.results.add(channel=number, seq=number, action_seq=number + 1)
    for number in range(1_000):
        writer.add_turn(number, number, list(range(number % 90)))
        response.turns.add(channel=number, seq=number, codes=range(number % 90))
    assert writer.size == response.ByteSize()
    assert pb.PlayResponse.FromString(writer.take()) == response
    assert writer.take() == b""


def test_written_bytes_merge_with_any_other_response() -> None:
    writer = PlayWriter()
    writer.add_turn(1, 2, [3])
    writer.add_result(1, 2, 4)
    other = pb.PlayResponse(welcome=pb.Welcome(heartbeat_ms=5), results=[pb.MoveResult(channel=9, message="no")])
    merged = pb.PlayResponse.FromString(writer.take() + other.SerializeToString())
    assert [result.channel for result in merged.results] == [1, 9]
    assert merged.turns[0].codes == [3]
    assert merged.welcome.heartbeat_ms == 5


def test_numbers_out_of_range_are_refused_and_nothing_is_written() -> None:
    writer = PlayWriter()
    for call in (
        lambda: writer.add_result(-1, 0, 0),
        lambda: writer.add_result(1 << 32, 0, 0),
        lambda: writer.add_turn(1, 1 << 63, []),
        lambda: writer.add_turn(1, 1, [1, 1 << 31]),
    ):
        with pytest.raises(OverflowError):
            call()
        assert writer.size == 0


def test_fields_are_counted_without_reading_the_message() -> None:
    request = pb.PlayRequest(
        hello=pb.Hello(player="ada", games=[""] * 300),
        attach=[pb.Attach(channel=1, token="x" * 200)] * 5,
        moves=[pb.Move()] * 7,
        resign=[1] * 1000,
        undo_answers=[pb.UndoAnswer(reason="no")] * 2,
    )
    data = request.SerializeToString()
    # The hello, 5, 7, the packed numbers as one or each, 2; and the hello's own name and games.
    assert count_fields(data) == 1 + 5 + 7 + 1 + 2
    assert count_fields(data, pb.PlayRequest.HELLO_FIELD_NUMBER) == 16 + 301
    assert count_fields(data, 0, 1 << pb.PlayRequest.RESIGN_FIELD_NUMBER) == 15 + 1000
    large = pb.PlayRequest(resign=[1 << 31, 0, 300]).SerializeToString()
    assert count_fields(large, 0, 1 << pb.PlayRequest.RESIGN_FIELD_NUMBER) == 3
    assert count_fields(b"") == 0


def test_count_fields_knows_every_wire_type_and_stops_at_invalid_bytes() -> None:
    varint, fixed64, text, fixed32 = b"\x08\xff\xff\x01", b"\x09" + bytes(8), b"\x12\x02ab", b"\x1d" + bytes(4)
    assert count_fields(varint + fixed64 + text + fixed32 + b"\x08\x01") == 5
    for cut in (b"\x12\x05ab", b"\x12", b"\x09\0", b"\xff", b"\x08\xff"):
        assert count_fields(text + cut) in (1, 2)
    rng = random.Random(4)
    for _ in range(2_000):
        data = rng.randbytes(rng.randrange(60))
        assert 0 <= count_fields(data, rng.randrange(20), rng.randrange(1 << 20)) <= 2 * len(data)
