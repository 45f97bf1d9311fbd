"""Retries of calls and streams, with a simulated clock."""

from __future__ import annotations

import pytest

from omnilude import operations
from omnilude.connection import Attempts, Backoff, Endpoint, Tls, WatchStream, is_temporary
from omnilude.errors import (
    InternalFault,
    LimitReached,
    NotYourTurn,
    OmniludeError,
    PlayerNameTaken,
    ShuttingDown,
    SlowConsumer,
    StoreUnavailable,
    TimedOut,
    TokenInvalid,
    UnexpectedStatus,
    Unreachable,
)
from omnilude.v1.match_pb2 import MatchEvent
from omnilude.v1.match_service_pb2 import WatchMatchResponse


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_backoff_grows_to_a_bound_and_is_reset_by_success() -> None:
    backoff = Backoff(initial=1.0, maximum=4.0)
    pauses = [backoff.pause() for _ in range(6)]
    for pause, most in zip(pauses, (1, 2, 4, 4, 4, 4), strict=True):
        assert most / 2 <= pause <= most
    backoff.reset()
    assert backoff.pause() <= 1.0


@pytest.mark.parametrize("error", [Unreachable(), StoreUnavailable("locked"), ShuttingDown("bye")])
def test_repeatable_call_is_retried_until_its_deadline(error: OmniludeError) -> None:
    clock = Clock()
    attempts = Attempts(10.0, repeatable=True, clock=clock)
    assert attempts.remaining() == 10.0
    tries = 0
    with pytest.raises(type(error)):
        while True:
            clock.now += attempts.pause(error)
            tries += 1
    assert tries >= 4
    assert 100 < clock.now < 110
    assert attempts.remaining() == pytest.approx(110 - clock.now)


@pytest.mark.parametrize("error", [NotYourTurn("no"), TimedOut(), InternalFault("x"), LimitReached("x")])
def test_other_errors_are_final(error: OmniludeError) -> None:
    attempts = Attempts(10.0, repeatable=True)
    with pytest.raises(type(error)):
        attempts.pause(error)


def test_call_that_is_not_repeatable_is_not_retried() -> None:
    attempts = Attempts(10.0, repeatable=False)
    with pytest.raises(Unreachable):
        attempts.pause(Unreachable())


def test_watch_resumes_after_the_last_event() -> None:
    stream = WatchStream(operations.watch_match("m", after_seq=3), reconnect_timeout=60.0)
    assert stream.request.after_seq == 3
    assert stream.receive(WatchMatchResponse(events=[MatchEvent(seq=4), MatchEvent(seq=5)], seq=5))
    assert not stream.receive(WatchMatchResponse(seq=5)), "a heartbeat has no news"
    assert stream.pause(Unreachable()) < 1
    assert stream.request.after_seq == 5


def test_watch_gives_up_after_its_reconnect_timeout() -> None:
    clock = Clock()
    stream = WatchStream(operations.watch_match("m"), reconnect_timeout=30.0, clock=clock)
    stream.pause(Unreachable())
    clock.now += 29
    stream.pause(SlowConsumer("slow"))
    clock.now += 1
    with pytest.raises(ShuttingDown):
        stream.pause(ShuttingDown("bye"))
    assert stream.receive(WatchMatchResponse(events=[MatchEvent(seq=1)], seq=1))
    stream.pause(Unreachable())


def test_watch_does_not_retry_permanent_errors() -> None:
    stream = WatchStream(operations.watch_match("m"), reconnect_timeout=30.0)
    with pytest.raises(TokenInvalid):
        stream.pause(TokenInvalid("no"))


@pytest.mark.parametrize(
    ("error", "temporary"),
    [
        (Unreachable(), True),
        (ShuttingDown("bye"), True),
        (SlowConsumer("slow"), True),
        (InternalFault("x"), True),
        (UnexpectedStatus("RST_STREAM", "INTERNAL"), True),
        (UnexpectedStatus("Stream removed", "UNKNOWN"), True),
        (UnexpectedStatus("unknown method", "UNIMPLEMENTED"), False),
        (PlayerNameTaken("x"), False),
        (TokenInvalid("x"), False),
    ],
)
def test_which_errors_of_a_stream_are_temporary(error: OmniludeError, temporary: bool) -> None:
    assert is_temporary(error) is temporary


def test_api_token_and_the_name_of_the_certificate() -> None:
    assert Endpoint("localhost:1").metadata() == ()
    assert Endpoint("localhost:1", api_token="abc").metadata() == (("authorization", "Bearer abc"),)
    options = dict(Endpoint("localhost:1", Tls(server_name="games.example")).options())
    assert options["grpc.ssl_target_name_override"] == "games.example"
