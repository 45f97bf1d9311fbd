"""A match over the wire, with the tokens of its host and seats and short names for the calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1.replay_pb2 import Replay
from tests.support.server import Running

Chooser = Callable[[Sequence[int]], int]


def first(codes: Sequence[int]) -> int:
    """Returns the first code."""
    return codes[0]


async def get_replay(matches: Any, name: str, token: str = "") -> Replay:
    """Returns the replay of a match, merged from the parts in which it is sent."""
    replay = Replay()
    async for response in matches.GetReplay(pb.GetReplayRequest(name=name, token=token)):
        replay.MergeFrom(response.part)
    return replay


def import_replay(matches: Any, data: bytes, part_bytes: int = 1 << 20) -> Any:
    """Returns the call that uploads a replay file in parts."""
    parts = range(0, len(data), part_bytes)
    return matches.ImportReplay(pb.ImportReplayRequest(data=data[start : start + part_bytes]) for start in parts)


@dataclass
class RemoteMatch:
    """A match with the tokens of its host and seats."""

    running: Running
    name: str
    host: str
    seats: list[str] = field(default_factory=list)

    async def match(self) -> match_pb2.Match:
        """Returns the match."""
        return (await self.running.matches.GetMatch(pb.GetMatchRequest(name=self.name))).match

    async def observe(self, token: str = "", **more: Any) -> match_pb2.Observation:
        """Returns the observation for the holder of the token."""
        request = pb.ObserveMatchRequest(name=self.name, token=token, **more)
        return (await self.running.matches.ObserveMatch(request)).observation

    async def legal(self, seat: int, **more: Any) -> pb.ListLegalActionsResponse:
        """Returns the legal actions of a seat."""
        request = pb.ListLegalActionsRequest(name=self.name, token=self.seats[seat], **more)
        return await self.running.matches.ListLegalActions(request)

    async def submit(self, seat: int, code: int, **more: Any) -> pb.SubmitActionResponse:
        """Take an action."""
        request = pb.SubmitActionRequest(name=self.name, token=self.seats[seat], code=code, **more)
        return await self.running.matches.SubmitAction(request)

    async def provide(self, *codes: int, **more: Any) -> pb.ProvideOutcomesResponse:
        """Provide outcomes of chance."""
        request = pb.ProvideOutcomesRequest(name=self.name, token=self.host, codes=codes, **more)
        return await self.running.matches.ProvideOutcomes(request)

    async def to_act(self) -> list[int]:
        """Returns the seats to act."""
        return list((await self.observe()).to_act)

    async def step(self, choose: Chooser = first) -> int | None:
        """Take one action for the first seat to act; returns the seat, or None at the end."""
        seats_to_act = await self.to_act()
        if not seats_to_act:
            return None
        legal = await self.legal(seats_to_act[0])
        await self.submit(seats_to_act[0], choose(legal.codes), expected_seq=legal.seq)
        return seats_to_act[0]

    async def play_out(self, choose: Chooser = first) -> match_pb2.Match:
        """Play to the end; returns the match."""
        while await self.step(choose) is not None:
            pass
        return await self.match()

    async def events(self, token: str = "", after_seq: int = 0, **more: Any) -> list[match_pb2.MatchEvent]:
        """Returns the events so far that the holder of the token may see."""
        newest = (await self.match()).seq
        request = pb.WatchMatchRequest(name=self.name, token=token, after_seq=after_seq, **more)
        call = self.running.matches.WatchMatch(request)
        found: list[match_pb2.MatchEvent] = []
        async for message in call:
            found.extend(message.events)
            if message.seq >= newest:
                break
        call.cancel()
        return found


async def new_match(running: Running, game: str, players: int = 2, **request: Any) -> RemoteMatch:
    """Create a match with open seats (unless ``seats`` is given) and take all that are open."""
    request.setdefault("seats", [pb.SeatSetup()] * players)
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game=f"games/{game}", **request))
    match = RemoteMatch(running, created.match.name, created.host_token)
    for seat in created.match.seats:
        if seat.kind != match_pb2.SEAT_KIND_OPEN:
            match.seats.append("")
            continue
        joined = await running.matches.JoinMatch(
            pb.JoinMatchRequest(name=match.name, seat=seat.index, player=f"player {seat.index}")
        )
        match.seats.append(joined.token)
    return match
