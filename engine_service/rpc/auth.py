"""API token, which the configuration can require for creating matches and taking a player's name.

A caller that sends it is the operator of the service as well, who may cancel and delete any match.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

import grpc

from engine_service.errors import NotAllowed, TokenInvalid, TokenMissing

HEADER = "authorization"
SCHEME = "Bearer "

Context = grpc.aio.ServicerContext[Any, Any]


class ApiToken:
    """Checks the metadata of calls against the configured token, if there is one."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else token.encode()

    def check(self, context: Context) -> None:
        """Check that the call sends the token, if one is configured.

        Raises TokenMissing or TokenInvalid.
        """
        if self._token is not None and not self.is_operator(context):
            raise TokenMissing("the service's API token as metadata: authorization: Bearer ...")

    def require_operator(self, context: Context) -> None:
        """Check that the call sends the token.

        Raises TokenMissing, TokenInvalid, and NotAllowed if none is configured.
        """
        if self._token is None:
            raise NotAllowed("this needs the operator's API token, but the service has none ([auth] api_token)")
        self.check(context)

    def is_operator(self, context: Context) -> bool:
        """Returns whether the call sends the token. Raises TokenInvalid if it sends another one."""
        if self.is_sent(context):
            return True
        if self._token is not None and any(key == HEADER for key, _ in context.invocation_metadata() or ()):
            raise TokenInvalid("service")
        return False

    def is_sent(self, context: Context) -> bool:
        """Returns whether the call sends the token; False if none is configured."""
        if self._token is None:
            return False
        given = next((value for key, value in context.invocation_metadata() or () if key == HEADER), "")
        sent = given if isinstance(given, str) else given.decode("ascii", "replace")
        return sent.startswith(SCHEME) and compare_digest(sent.removeprefix(SCHEME).encode(), self._token)
