"""The watchdog stops rules of a pack that do not return, or ends the process with a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import pytest
from grpc import StatusCode

from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import stuck
from tests.support.games.sealed import BID
from tests.support.server import ROOT


class Stuck:
    """The service, and a client of it."""

    def __init__(self, process: subprocess.Popen[str], target: str) -> None:
        self.process = process
        self.channel = grpc.insecure_channel(target)
        self.matches = match_service_pb2_grpc.MatchServiceStub(self.channel)

    def new_match(self, seats: list[pb.SeatSetup]) -> tuple[str, str]:
        """Returns a new match, and the token of its first open seat."""
        created = self.matches.CreateMatch(pb.CreateMatchRequest(game="games/stuck", seats=seats))
        joined = self.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player="somebody"))
        return created.match.name, joined.token

    def bid(self, table: tuple[str, str], coins: int) -> match_pb2.MatchState:
        """Bid; returns the state of the match after it."""
        name, token = table
        answer = self.matches.SubmitAction(pb.SubmitActionRequest(name=name, token=token, code=BID(coins)), timeout=60)
        return answer.state

    def end(self) -> str:
        """End it gracefully; returns its log."""
        self.process.send_signal(signal.SIGTERM)
        _, log = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, log
        return log


@contextmanager
def stuck_service() -> Iterator[Stuck]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.stuck_service", "limits.rules_timeout_s=1", "log.format=json"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        service = Stuck(process, process.stdout.readline().strip())
        with service.channel:
            yield service
    finally:
        process.kill()
        process.communicate()


def bot(name: str) -> pb.SeatSetup:
    return pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player=name)


def test_endless_python_rules_are_stopped_and_end_only_their_match() -> None:
    with stuck_service() as service:
        healthy = service.new_match([pb.SeatSetup(), bot("random")])
        sick = service.new_match([pb.SeatSetup(), bot("random")])
        with pytest.raises(grpc.RpcError) as raised:
            service.bid(sick, stuck.LOOP)
        assert raised.value.code() is StatusCode.INTERNAL and "PACK_FAULT" in str(raised.value.trailing_metadata())
        state = service.matches.GetMatch(pb.GetMatchRequest(name=sick[0])).match.state
        assert state == match_pb2.MATCH_STATE_FAULTED
        assert service.bid(healthy, 0) == match_pb2.MATCH_STATE_ACTIVE
        log = service.end()
    assert "a pack blocks the event loop; its rules are stopped" in log and "stuck.py:" in log
    assert f"failed in {sick[0]}: PackTimeout at tests.support.games.stuck:" in log


def test_endless_bot_is_stopped_once_and_replaced() -> None:
    with stuck_service() as service:
        for _ in range(2):
            table = service.new_match([pb.SeatSetup(), bot("stuck")])
            for _ in range(2):
                assert service.bid(table, 0) == match_pb2.MATCH_STATE_ACTIVE
        log = service.end()
    assert log.count("a pack blocks the event loop; its rules are stopped") == 1
    assert log.count("bot stuck in") == 1
    assert "bot stuck of stuck is replaced by random actions in all matches" in log


def test_endless_legal_list_ends_only_its_match() -> None:
    with stuck_service() as service:
        sick = service.new_match([pb.SeatSetup(), pb.SeatSetup()])
        other = service.matches.JoinMatch(pb.JoinMatchRequest(name=sick[0], player="another")).token
        service.bid(sick, stuck.LISTING)
        service.bid((sick[0], other), 0)
        with pytest.raises(grpc.RpcError) as raised:
            service.matches.ListLegalActions(pb.ListLegalActionsRequest(name=sick[0], token=sick[1]), timeout=60)
        assert "PACK_FAULT" in str(raised.value.trailing_metadata())
        state = service.matches.GetMatch(pb.GetMatchRequest(name=sick[0])).match.state
        assert state == match_pb2.MATCH_STATE_FAULTED
        assert f"failed in {sick[0]}: PackTimeout at tests.support.games.stuck:" in service.end()


def test_endless_compiled_rules_end_the_process_with_a_traceback() -> None:
    with stuck_service() as service:
        table = service.new_match([pb.SeatSetup(), bot("random")])
        with pytest.raises(grpc.RpcError):
            service.bid(table, stuck.COMPILED)
        _, log = service.process.communicate(timeout=60)
    assert service.process.returncode == 1
    assert "Timeout (0:00:03)" in log and "stuck.py" in log and "in apply_unchecked" in log
