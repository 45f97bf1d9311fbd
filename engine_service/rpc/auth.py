"""The API token, which the configuration can require for creating matches and taking a player's name.

Who shows it is the operator of the service as well, and may cancel and delete any match.
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
        """Check that the call shows the token, where one is configured.

        Raises TokenMissing or TokenInvalid.
        """
        if self._token is not None and not self.is_operator(context):
            raise TokenMissing("the service's API token as metadata: authorization: Bearer ...")

    def require_operator(self, context: Context) -> None:
        """Check that the call shows the token.

        Raises TokenMissing, TokenInvalid, and NotAllowed if none is configured.
        """
        if self._token is None:
            raise NotAllowed("this needs the operator's API token, and the service has none ([auth] api_token)")
        self.check(context)

    def is_operator(self, context: Context) -> bool:
        """Returns whether the call shows the token. Raises TokenInvalid if it shows another one."""
        if self.shown(context):
            return True
        if self._token is not None and any(key == HEADER for key, _ in context.invocation_metadata() or ()):
            raise TokenInvalid("service")
        return False

    def shown(self, context: Context) -> bool:
        """Returns whether the call shows the token; False if none is configured."""
        if self._token is None:
            return False
        given = next((value for key, value in context.invocation_metadata() or () if key == HEADER), "")
        shown = given if isinstance(given, str) else given.decode("ascii", "replace")
        return shown.startswith(SCHEME) and compare_digest(shown.removeprefix(SCHEME).encode(), self._token)
