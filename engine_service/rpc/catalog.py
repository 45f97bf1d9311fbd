"""CatalogService: the games of the loaded packs."""

from __future__ import annotations

from typing import Any

import grpc

from engine_service import errors
from engine_service.hosting.listing import page_size, read_token, write_token
from engine_service.limits import Limits
from engine_service.rpc import requests, responses
from gamepacks.api.errors import UnknownGame
from gamepacks.api.registry import Registry
from omnilude.v1 import catalog_pb2, catalog_pb2_grpc

PAGE_DEFAULT = 50
PAGE_MAX = 200

Context = grpc.aio.ServicerContext[Any, Any]


class CatalogService(catalog_pb2_grpc.CatalogServiceServicer):
    """Serves the games of the registry; the messages are made once, at the start."""

    def __init__(self, registry: Registry, limits: Limits, engine_version: str, signing_key: bytes) -> None:
        """``signing_key`` is the public one."""
        self._registry = registry
        self._engine_version = engine_version
        self._signing_key = signing_key
        self._games = {name: responses.game(registry.games[name], limits) for name in sorted(registry.games)}
        self._broken = [responses.broken_pack(broken) for broken in registry.broken]

    async def ListGames(self, request: catalog_pb2.ListGamesRequest, context: Context) -> catalog_pb2.ListGamesResponse:
        """Returns a page of the games, by name; the page token is the name of the last game before it."""
        size = page_size(request.page_size, PAGE_DEFAULT, PAGE_MAX)
        names = list(self._games)
        start = 0
        if request.page_token:
            (last,) = read_token(request.page_token, str)
            if last not in self._games:
                raise errors.InvalidPageToken
            start = names.index(str(last)) + 1
        shown = names[start : start + size]
        more = start + size < len(names)
        return catalog_pb2.ListGamesResponse(
            games=[self._games[name] for name in shown],
            next_page_token=write_token(shown[-1]) if more else "",
            broken_packs=() if request.page_token else self._broken,
            engine_version=self._engine_version,
            signing_key=self._signing_key,
        )

    async def GetGame(self, request: catalog_pb2.GetGameRequest, context: Context) -> catalog_pb2.GetGameResponse:
        """Returns a game with the descriptors of its messages."""
        try:
            loaded = self._registry.game(requests.game_id(request.name))
        except UnknownGame as error:
            raise errors.UnknownGame(request.name.removeprefix("games/"), error.known) from error
        return catalog_pb2.GetGameResponse(game=self._games[loaded.game.id], descriptors=responses.descriptors(loaded))
