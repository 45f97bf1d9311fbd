"""Services of packs: the pack answers each call from the view of a match that the caller may have.

The pack runs in threads, so that a long answer does not block the event loop; an exception of the pack ends the call,
never the match. A call that takes too long is abandoned, and another thread replaces its thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import Message

from engine_service.errors import ActionRefused, InternalFault, InvalidField, LimitReached
from engine_service.hosting.host import MatchHost
from engine_service.matches.tokens import viewer_of
from engine_service.observability.logs import new_incident_id
from engine_service.pack_guard import PACK_GUARD, KillableThread, PackRaised, PackTimeout, log_pack_error
from engine_service.rpc import requests
from gamepacks.api.errors import IllegalAction, InvalidInput
from gamepacks.api.registry import Registry
from gamepacks.api.services import ServiceCall, VisibleState

THREADS = 2
"""Number of threads. More would not be faster, because the interpreter lock lets only one of them run."""

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]


class PackServices:
    """The services of all packs, for one server."""

    def __init__(self, registry: Registry, host: MatchHost) -> None:
        self._host = host
        self._calls = [call for pack in registry.packs for call in pack.calls]
        self._turn = asyncio.Semaphore(THREADS)
        self._tasks: set[asyncio.Task[Message | BaseException]] = set()
        self.active = 0
        """Number of calls that are running (abandoned ones included) or waiting for a thread."""

    @property
    def names(self) -> tuple[str, ...]:
        """Full names of the services, for reflection and health."""
        return tuple(dict.fromkeys(call.service.service.full_name for call in self._calls))

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register the services with a server."""
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
        """Cancel the calls that wait, and stop those under way."""
        for task in self._tasks:
            task.cancel()

    def _behaviour(self, call: ServiceCall) -> Callable[[Any, Context], Awaitable[Message]]:
        async def behaviour(request: Any, context: Context) -> Message:
            live = await self._host.live_match(requests.match_name(request.name), request.token, viewer_of)
            if live.game_id not in call.service.game_ids:
                known = ", ".join(call.service.game_ids)
                raise InvalidField.one("name", f"must be a match of {known}, not of {live.game_id}")
            viewer = live.viewer_of(request.token)
            limit = self._host.limits.pack_calls
            if self.active >= limit:
                raise LimitReached(
                    "pack_calls", limit, f"{limit} calls of packs' services are under way already", 1_000
                )
            return await self._answer(call, request, live.visible_state(viewer))

        return behaviour

    async def _answer(self, call: ServiceCall, request: Message, visible: VisibleState) -> Message:
        # A caller who leaves does not stop the pack: it counts until it is done.
        task = asyncio.get_running_loop().create_task(self._run(call, request, visible))
        self.active += 1
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        answer = await asyncio.shield(task)
        if isinstance(answer, Message):
            return answer
        raise self._refusal(call, answer)

    async def _run(self, call: ServiceCall, request: Message, visible: VisibleState) -> Message | BaseException:
        """Returns the pack's answer or the exception that it raised."""
        try:
            await self._turn.acquire()
        except asyncio.CancelledError:
            self.active -= 1
            raise
        work = KillableThread(partial(call.answer, request, visible), f"pack-service {call.path}")
        work.outcome.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.shield(work.outcome), self._host.limits.pack_call_timeout_s)
        except TimeoutError:
            return PackTimeout()
        finally:
            self._turn.release()
            work.kill()

    def _done(self, outcome: asyncio.Future[Message | BaseException]) -> None:
        self.active -= 1

    def _refusal(self, call: ServiceCall, error: BaseException) -> Exception:
        """Returns the error for the caller for an exception of the pack."""
        try:
            # The content of a refusal comes from the pack, and can be anything.
            with PACK_GUARD:
                if isinstance(error, InvalidInput):
                    return InvalidField.of(*error.faults)
                if isinstance(error, IllegalAction):
                    return ActionRefused(error.message, error.reason, None, error.details)
        except PackRaised as raised:
            error = raised.error
        if isinstance(error, PackTimeout):
            seconds = self._host.limits.pack_call_timeout_s
            self._host.stats.pack_timeouts += 1
            log.error("%s is abandoned because it has not answered within %s s", call.path, seconds)
            return LimitReached("pack_call_timeout_s", seconds, f"the pack has not answered within {seconds} s")
        fault = InternalFault(new_incident_id())
        log_pack_error(log, fault.incident, f"{call.path} failed", error)
        return fault
