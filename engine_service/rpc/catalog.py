"""CatalogService: the games of the loaded packs."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import grpc

from engine_service import errors
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
        if request.page_size < 0:
            raise errors.InvalidField.one("page_size", "must be at least 0")
        size = min(request.page_size or PAGE_DEFAULT, PAGE_MAX)
        names = list(self._games)
        start = names.index(self._read_token(request.page_token)) + 1 if request.page_token else 0
        shown = names[start : start + size]
        more = start + size < len(names)
        return catalog_pb2.ListGamesResponse(
            games=[self._games[name] for name in shown],
            next_page_token=base64.urlsafe_b64encode(shown[-1].encode()).decode() if more else "",
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

    def _read_token(self, token: str) -> str:
        try:
            name = base64.urlsafe_b64decode(token).decode()
        except (binascii.Error, ValueError):
            raise errors.InvalidPageToken from None
        if name not in self._games:
            raise errors.InvalidPageToken
        return name
