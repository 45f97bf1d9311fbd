"""A model of the service with a connection that breaks anywhere: no decision is lost, and none counts twice."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

import pytest

from omnilude import play_session
from omnilude.play_session import (
    MatchOver,
    PlaySession,
    SeatState,
    TurnReceived,
)
from omnilude.v1.match_pb2 import Match
from omnilude.v1.play_service_pb2 import (
    Attached,
    Ended,
    Hello,
    Invitation,
    MoveResult,
    PlayRequest,
    PlayResponse,
    Turn,
    Welcome,
)

DECISIONS = 6


@dataclass
class ModelMatch:
    """A solitaire of some decisions; the log is all that survives a lost connection."""

    name: str
    token: str
    invited: bool
    log: list[int] = field(default_factory=list)

    @property
    def seq(self) -> int:
        return len(self.log) + 1

    @property
    def over(self) -> bool:
        return len(self.log) == DECISIONS

    @property
    def info(self) -> Match:
        return Match(name=self.name, game="games/model", seq=self.seq)


class ModelService:
    """Behaves as play_service.proto specifies."""

    def __init__(self, matches: list[ModelMatch]) -> None:
        self.matches = matches
        self.channels: dict[int, ModelMatch] = {}
        self.answers: dict[tuple[str, int], tuple[int, int]] = {}

    def connect(self) -> None:
        self.channels = {}

    def take(self, request: PlayRequest) -> PlayResponse:
        response = PlayResponse()
        if request.HasField("hello"):
            response.welcome.CopyFrom(Welcome(heartbeat_ms=1000))
            attached = {attach.token for attach in request.attach}
            for number, match in enumerate(self.matches):
                if match.invited and not match.over and match.token not in attached:
                    channel = play_session.FIRST_CHANNEL_OF_SERVICE + number
                    self.channels[channel] = match
                    response.invitations.append(
                        Invitation(channel=channel, match=match.info, seat=0, token=match.token)
                    )
                    self._tell(channel, match, response)
        for attach in request.attach:
            match = next(match for match in self.matches if match.token == attach.token)
            self.channels[attach.channel] = match
            response.attached.append(Attached(channel=attach.channel, match=match.info, seat=0))
            self._tell(attach.channel, match, response)
        for move in request.moves:
            match = self.channels[move.channel]
            first = self.answers.get((match.name, move.seq))
            if first is None:
                assert move.seq == match.seq, "only the pending decision is answered for the first time"
                match.log.append(move.code)
                self.answers[match.name, move.seq] = (move.code, match.seq)
                self._tell(move.channel, match, response)
            else:
                assert first[0] == move.code, "a move that is sent again is the same"
            response.results.append(
                MoveResult(channel=move.channel, seq=move.seq, action_seq=self.answers[match.name, move.seq][1])
            )
        return response

    def _tell(self, channel: int, match: ModelMatch, response: PlayResponse) -> None:
        if match.over:
            response.ended.append(Ended(channel=channel, match=match.info))
        else:
            response.turns.append(Turn(channel=channel, seq=match.seq, codes=[match.seq * 10]))


@pytest.mark.parametrize("seed", range(200))
def test_connections_may_break_anywhere(seed: int) -> None:
    rng = random.Random(seed)
    matches = [ModelMatch(f"matches/{n}", f"token{n}", invited=n % 2 == 1) for n in range(4)]
    service = ModelService(matches)
    player = PlaySession(Hello(player="me", player_key="k"))
    up: deque[PlayRequest] = deque()
    down: deque[PlayResponse] = deque()
    thinking: list[tuple[SeatState, Turn]] = []
    over: list[str] = []
    breaks = rng.randrange(12)

    def connect() -> None:
        up.clear()
        down.clear()
        service.connect()
        player.open_stream()

    connect()
    for match in matches:
        if not match.invited:
            player.attach(match.name, match.token)
    for _ in range(10_000):
        if len(over) == len(matches):
            break
        step = rng.choice(("send", "serve", "receive", "think", "break"))
        if step == "send" and (request := player.take_request()) is not None:
            up.append(request)
        elif step == "serve" and up:
            down.append(service.take(up.popleft()))
        elif step == "receive" and down:
            for event in player.receive(down.popleft()):
                if isinstance(event, TurnReceived):
                    thinking.append((event.seat, event.turn))
                elif isinstance(event, MatchOver):
                    over.append(event.match.name)
        elif step == "think" and thinking:
            seat, turn = thinking.pop(rng.randrange(len(thinking)))
            player.queue_move(seat, turn, turn.codes[0])
        elif step == "break" and breaks and rng.random() < 0.2:
            breaks -= 1
            connect()
    assert sorted(over) == [match.name for match in matches], "every match ends, and its end is reported once"
    for match in matches:
        assert match.log == [10 * (number + 1) for number in range(DECISIONS)]
    assert player.seats == []
