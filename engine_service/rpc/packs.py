"""The services that packs bring: each call looks at a match as its caller knows it, and is answered by the pack.

The pack runs in threads, so that a long answer holds nobody up; what it raises ends the call, never the match.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import Message

from engine_service.errors import ActionRefused, InternalFault, InvalidField, LimitReached
from engine_service.guard import report
from engine_service.hosting.host import MatchHost
from engine_service.rpc import validate
from engine_service.telemetry import new_incident
from gamepacks.api.errors import IllegalAction, InvalidInput
from gamepacks.api.registry import Registry
from gamepacks.api.services import Look, ServiceCall

THREADS = 2
"""More would not be quicker: Python runs one at a time, beside the event loop."""

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]


class PackServices:
    """All of them, for one server."""

    def __init__(self, registry: Registry, host: MatchHost) -> None:
        self._host = host
        self._calls = [call for pack in registry.packs for call in pack.calls]
        self._threads = ThreadPoolExecutor(THREADS, "pack-service")
        self.active = 0
        """Calls that the packs are at, or that wait for a thread."""

    @property
    def names(self) -> tuple[str, ...]:
        """Full names of the services, for reflection and health."""
        return tuple(dict.fromkeys(call.service.service.full_name for call in self._calls))

    def add_to(self, server: grpc.aio.Server) -> None:
        """Serve them."""
        for name in self.names:
            handlers = {
                call.name: grpc.unary_unary_rpc_method_handler(
                    self._behaviour(call), call.request.FromString, call.response.SerializeToString
                )
                for call in self._calls
                if call.service.service.full_name == name
            }
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))

    def close(self) -> None:
        """Begin no call that waits."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _behaviour(self, call: ServiceCall) -> Callable[[Any, Context], Awaitable[Message]]:
        async def behaviour(request: Any, context: Context) -> Message:
            live = await self._host.find(validate.match_name(request.name))
            if live.game_id not in call.service.game_ids:
                known = ", ".join(call.service.game_ids)
                raise InvalidField.one("name", f"a match of {live.game_id}; this service looks at matches of {known}")
            viewer = live.viewer_of(request.token)
            limit = self._host.limits.pack_calls
            if self.active >= limit:
                raise LimitReached("pack_calls", limit, f"{limit} calls of packs' services are under way already")
            return await self._answer(call, request, live.look(viewer))

        return behaviour

    async def _answer(self, call: ServiceCall, request: Message, look: Look) -> Message:
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._threads, partial(_attempt, call, request, look))
        self.active += 1
        # A caller who leaves does not stop the pack: it counts until it is done.
        work.add_done_callback(self._done)
        answer = await asyncio.shield(work)
        if isinstance(answer, Message):
            return answer
        raise _refusal(call, answer)

    def _done(self, work: asyncio.Future[Message | BaseException]) -> None:
        self.active -= 1


def _attempt(call: ServiceCall, request: Message, look: Look) -> Message | BaseException:
    """The pack's answer, or what it raised: even a SystemExit must not end the thread."""
    try:
        return call.answer(request, look)
    except BaseException as error:
        return error


def _refusal(call: ServiceCall, error: BaseException) -> Exception:
    """What a caller is told of what the pack raised."""
    if isinstance(error, InvalidInput):
        return InvalidField.of(*error.faults)
    if isinstance(error, IllegalAction):
        return ActionRefused(error.message, error.reason, None, error.details)
    fault = InternalFault(new_incident())
    report(log, fault.incident, f"{call.path} failed", error)
    return fault
