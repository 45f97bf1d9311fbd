"""PlayService: one stream on which a client plays many matches, with everything batched both ways."""

from __future__ import annotations

from functools import partial
from typing import Any

import grpc

from cext.wire import read_moves
from engine_service.hosting.host import MatchHost
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.interceptor import check_entries, packed_fields
from engine_service.rpc.play.session import Context, Session
from engine_service.rpc.streams import OpenStreams, StreamSettings
from omnilude.v1 import play_service_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["PlayService"].full_name

HELLO = pb.PlayRequest.HELLO_FIELD_NUMBER
PACKED = packed_fields(pb.PlayRequest)


def read_request(data: bytes, max_entries: int) -> pb.PlayRequest | list[tuple[int, int, int]]:
    """Return the request, or only its moves if it holds nothing but moves by code. Raises DecodeError, LimitReached."""
    check_entries(data, max_entries, HELLO, PACKED)
    moves = read_moves(data)
    return pb.PlayRequest.FromString(data) if moves is None else moves


class PlayService:
    """Opens a session for each stream. Requests and responses are read and written by the codec of ``cext.wire``."""

    def __init__(self, host: MatchHost, api_token: ApiToken, settings: StreamSettings, engine_version: str) -> None:
        self.host = host
        self.api_token = api_token
        self.settings = settings
        self.engine_version = engine_version
        self.streams = OpenStreams()

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register the service at a server. What a session writes is serialised already."""
        read = partial(read_request, max_entries=self.settings.max_entries)
        play = grpc.stream_stream_rpc_method_handler(self.play, read, bytes)
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, {"Play": play})])

    async def play(self, requests: Any, context: Context) -> None:
        """Serve one stream until its client or the service closes it."""
        session = Session(self, context)
        await session.run()
