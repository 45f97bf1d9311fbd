"""The API token: who may create matches and hold a player's name, where the configuration asks for one."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

import grpc

from engine_service.errors import TokenInvalid, TokenMissing

HEADER = "authorization"
SCHEME = "Bearer "


class ApiToken:
    """Checks the metadata of calls against the configured token; without one everybody passes."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else token.encode()

    def check(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        """Raises TokenMissing or TokenInvalid."""
        if self._token is None or self.shown(context):
            return
        if any(key == HEADER for key, _ in context.invocation_metadata() or ()):
            raise TokenInvalid("service")
        raise TokenMissing("the service's API token as metadata: authorization: Bearer ...")

    def shown(self, context: grpc.aio.ServicerContext[Any, Any]) -> bool:
        """Does the call show the token? Where none is configured, none does."""
        if self._token is None:
            return False
        given = next((value for key, value in context.invocation_metadata() or () if key == HEADER), "")
        shown = given if isinstance(given, str) else given.decode("ascii", "replace")
        return shown.startswith(SCHEME) and compare_digest(shown.removeprefix(SCHEME).encode(), self._token)
