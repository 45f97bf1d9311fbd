"""MatchService: converts each request, calls the host, and converts the answer."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from engine_service.errors import RETRY_MS, InvalidField, LimitReached, ShuttingDown
from engine_service.hosting.endings import OPERATOR
from engine_service.hosting.host import MatchHost
from engine_service.log.replay import split_replay
from engine_service.matches.tokens import viewer_of
from engine_service.rpc import requests, responses
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.interceptor import check_request
from engine_service.rpc.streams import StreamSender, StreamSettings, start_reading
from engine_service.rpc.watch import Watchers
from gamepacks.api.types import Code, Seat
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import match_service_pb2_grpc

PART_BYTES = 1 << 18
"""Approximate size of one part of a replay, small so that sending it does not block the event loop for long."""
UPLOAD_SECONDS = 120
"""Time limit for the upload of all parts of a replay."""

Context = grpc.aio.ServicerContext[Any, Any]


class MatchService(match_service_pb2_grpc.MatchServiceServicer):
    """One method for each RPC. Errors are raised; the interceptor maps them to statuses."""

    def __init__(self, host: MatchHost, api_token: ApiToken, watchers: Watchers, streams: StreamSettings) -> None:
        self._host = host
        self._api_token = api_token
        self._watchers = watchers
        self._streams = streams
        self._uploaded_bytes = 0
        """Number of bytes received so far of the replays whose upload is under way."""
        self._closing: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def shut_down(self) -> None:
        """End the uploads that wait for a part."""
        if not self._closing.done():
            self._closing.set_result(None)

    async def CreateMatch(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        self._api_token.check(context)
        created = await self._host.create(requests.match_setup(request), request.request_id, request.client_key)
        return pb.CreateMatchResponse(match=responses.match(created.match), host_token=created.host_token)

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        info = await self._host.get(requests.match_name(request.name))
        return pb.GetMatchResponse(
            match=responses.match(info), disconnected_seats=await self._host.disconnected_seats(info)
        )

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        page = await self._host.list(requests.match_query(request))
        return pb.ListMatchesResponse(
            matches=[responses.match(info) for info in page.matches], next_page_token=page.next_page_token
        )

    async def JoinMatch(self, request: pb.JoinMatchRequest, context: Context) -> pb.JoinMatchResponse:
        joined = await self._host.join(
            requests.match_name(request.name),
            request.player,
            Seat(request.seat) if request.HasField("seat") else None,
            request.token,
            request.request_id,
            request.client_key,
        )
        return pb.JoinMatchResponse(match=responses.match(joined.match), seat=joined.seat, token=joined.token)

    async def LeaveMatch(self, request: pb.LeaveMatchRequest, context: Context) -> pb.LeaveMatchResponse:
        info = await self._host.leave(requests.match_name(request.name), request.token, request.request_id)
        return pb.LeaveMatchResponse(match=responses.match(info))

    async def StartMatch(self, request: pb.StartMatchRequest, context: Context) -> pb.StartMatchResponse:
        info = await self._host.start_match(requests.match_name(request.name), request.token, request.request_id)
        return pb.StartMatchResponse(match=responses.match(info))

    async def ObserveMatch(self, request: pb.ObserveMatchRequest, context: Context) -> pb.ObserveMatchResponse:
        seen = await self._host.observe_match(
            requests.match_name(request.name),
            request.token,
            request.seq if request.HasField("seq") else None,
            request.scene,
            Seat(request.seat) if request.HasField("seat") else None,
        )
        return pb.ObserveMatchResponse(
            match=responses.match(seen.match),
            observation=None if seen.observation is None else responses.observation(seen.observation),
        )

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: Context
    ) -> pb.ListLegalActionsResponse:
        page = await self._host.legal_actions(
            requests.match_name(request.name),
            request.token,
            typed=request.typed,
            targets=request.targets,
            page_size=request.page_size,
            page_token=request.page_token,
        )
        return responses.legal_actions(page)

    async def SubmitAction(self, request: pb.SubmitActionRequest, context: Context) -> pb.SubmitActionResponse:
        faults = requests.Faults()
        name = faults.match_name(request.name)
        move = requests.move(request, faults)
        faults.raise_any()
        done = await self._host.submit_action(
            name,
            request.token,
            move,
            expected_seq=request.expected_seq if request.HasField("expected_seq") else None,
            validate_only=request.validate_only,
            request_id=request.request_id,
        )
        return pb.SubmitActionResponse(
            action_seq=done.action_seq, seq=done.seq, state=responses.number(done.state), code=done.code
        )

    async def WatchMatch(self, request: pb.WatchMatchRequest, context: Context) -> None:
        faults = requests.Faults()
        name = faults.match_name(request.name)
        faults.at_least(request.after_seq, 0, "after_seq")
        faults.raise_any()
        await self._watchers.follow(await self._host.live_match(name, request.token, viewer_of), request, context)

    async def ResignMatch(self, request: pb.ResignMatchRequest, context: Context) -> pb.ResignMatchResponse:
        info = await self._host.resign(requests.match_name(request.name), request.token, request.request_id)
        return pb.ResignMatchResponse(match=responses.match(info))

    async def CancelMatch(self, request: pb.CancelMatchRequest, context: Context) -> pb.CancelMatchResponse:
        name = requests.match_name(request.name)
        token = OPERATOR if not request.token and self._api_token.is_operator(context) else request.token
        info = await self._host.cancel(name, token, request.reason, request.request_id)
        return pb.CancelMatchResponse(match=responses.match(info))

    async def DeleteMatch(self, request: pb.DeleteMatchRequest, context: Context) -> pb.DeleteMatchResponse:
        self._api_token.require_operator(context)
        await self._host.delete(requests.match_name(request.name), request.request_id)
        return pb.DeleteMatchResponse()

    async def RequestUndo(self, request: pb.RequestUndoRequest, context: Context) -> pb.RequestUndoResponse:
        answer = await self._host.request_undo(
            requests.match_name(request.name),
            request.token,
            request.to_seq if request.HasField("to_seq") else None,
            request.reason,
            request.request_id,
        )
        return pb.RequestUndoResponse(undone=answer.undone, seq=answer.seq)

    async def AnswerUndo(self, request: pb.AnswerUndoRequest, context: Context) -> pb.AnswerUndoResponse:
        answer = await self._host.answer_undo(
            requests.match_name(request.name),
            request.token,
            request.request_seq,
            request.accept,
            request.reason,
            request.request_id,
        )
        return pb.AnswerUndoResponse(undone=answer.undone, seq=answer.seq)

    async def WithdrawUndo(self, request: pb.WithdrawUndoRequest, context: Context) -> pb.WithdrawUndoResponse:
        seq = await self._host.withdraw_undo(requests.match_name(request.name), request.token, request.request_id)
        return pb.WithdrawUndoResponse(seq=seq)

    async def ProvideOutcomes(self, request: pb.ProvideOutcomesRequest, context: Context) -> pb.ProvideOutcomesResponse:
        limit = self._host.limits.queued_outcomes
        if len(request.codes) > limit:
            raise LimitReached("queued_outcomes", limit, f"at most {limit} outcomes may be queued")
        answer = await self._host.provide_outcomes(
            requests.match_name(request.name),
            request.token,
            [Code(code) for code in request.codes],
            request.request_id,
        )
        return pb.ProvideOutcomesResponse(queued=answer.queued, seq=answer.seq)

    async def ForkMatch(self, request: pb.ForkMatchRequest, context: Context) -> pb.ForkMatchResponse:
        self._api_token.check(context)
        name, seq, setup = requests.fork_setup(request)
        created = await self._host.fork(name, setup, seq, request.token, request.request_id, request.client_key)
        return pb.ForkMatchResponse(match=responses.match(created.match), host_token=created.host_token)

    async def GetReplay(self, request: pb.GetReplayRequest, context: Context) -> None:
        replay = await self._host.get_replay(requests.match_name(request.name), request.token)
        limit = self._host.limits.replay_bytes
        if (size := replay.ByteSize()) > limit:
            raise LimitReached("replay_bytes", limit, f"the replay has {size} bytes; the limit is {limit}")
        sender = StreamSender(context, self._streams)
        try:
            for part in split_replay(replay, PART_BYTES):
                await sender.send(pb.GetReplayResponse(part=part))
        finally:
            sender.close()

    async def ImportReplay(self, parts: Any, context: Context) -> pb.ImportReplayResponse:
        self._api_token.check(context)
        info = await self._host.import_replay(await self._upload(context))
        return pb.ImportReplayResponse(match=responses.match(info))

    async def _upload(self, context: Context) -> bytes:
        """Returns the bytes of a replay that is sent in parts.

        Raises LimitReached (too long, too many uploads), InvalidField (too slow), ShuttingDown.
        """
        limits = self._host.limits
        all_bytes = limits.imports * limits.replay_bytes
        end = asyncio.get_running_loop().time() + UPLOAD_SECONDS
        data = bytearray()
        try:
            while (request := await self._next_part(context, end)) is not grpc.aio.EOF:
                part = check_request(request).data
                if len(data) + len(part) > limits.replay_bytes:
                    raise LimitReached(
                        "replay_bytes", limits.replay_bytes, f"a replay may have at most {limits.replay_bytes} bytes"
                    )
                if self._uploaded_bytes + len(part) > all_bytes:
                    raise LimitReached("imports", limits.imports, "too many replays are being uploaded", RETRY_MS)
                self._uploaded_bytes += len(part)
                data += part
        finally:
            self._uploaded_bytes -= len(data)
        return bytes(data)

    async def _next_part(self, context: Context, end: float) -> Any:
        next_part = start_reading(context)
        left = end - asyncio.get_running_loop().time()
        await asyncio.wait({next_part, self._closing}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if next_part.done():
            return next_part.result()
        if self._closing.done():
            raise ShuttingDown
        raise InvalidField.one("data", f"all parts must arrive within {UPLOAD_SECONDS} seconds")
