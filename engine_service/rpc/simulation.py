"""SimulationService: a stream of requests on states that worker processes hold.

The event loop does not parse operations: it forwards a request to the worker process as bytes. It parses only the
states to open, because they need the matches and the secrets of the service.
"""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from cext.random import Rng
from engine_service.errors import RETRY_MS, EngineError, InvalidField, LimitReached, MalformedMessage, MatchNotEnded
from engine_service.hosting.host import MatchHost
from engine_service.matches.tokens import seat_of
from engine_service.model import has_ended
from engine_service.pack_guard import await_pack
from engine_service.rpc import requests, responses
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.connections import current_call, peer_of
from engine_service.rpc.errors import reason_number
from engine_service.rpc.interceptor import check_request
from engine_service.rpc.streams import OpenStreams, StreamSender, StreamSettings, retrieve_error, start_reading
from engine_service.simulation.pool import SimulationPool, SimulationStream
from engine_service.simulation.states import RefusedRequest, StateSource
from gamepacks.api.game import Game
from gamepacks.api.registry import LoadedGame, Registry
from gamepacks.api.types import Viewer
from omnilude.v1 import simulation_service_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["SimulationService"].full_name
OPENS_TAG = pb.SimulateRequest.OPENS_FIELD_NUMBER << 3 | 2
"""First byte of a request that opens states: fields are written in the order of their numbers."""
MINUTE_S = 60
REQUESTS_UNDER_WAY = 2
"""Maximum number of requests of one stream under way: while the worker process runs one, the next is sent already, so
that the process does not wait for a round trip."""

Context = grpc.aio.ServicerContext[Any, Any]
_Started = asyncio.Queue["asyncio.Task[bytes] | RefusedRequest | None"]
"""Requests of a stream that were started or refused, in order; None: there are no more."""


class _Client:
    """Usage of simulations by one client."""

    def __init__(self, now: float) -> None:
        self.streams = 0
        self._used_s = 0.0
        self._at = now

    def used_s(self, now: float, per_minute: int) -> float:
        """Returns the processor time that counts against the client now; it decreases by the allowance of each
        second."""
        self._used_s = max(0.0, self._used_s - (now - self._at) * per_minute / MINUTE_S)
        self._at = now
        return self._used_s

    def add(self, seconds: float) -> None:
        """Add processor time."""
        self._used_s += seconds


class SimulationService:
    """Serves the streams of simulations."""

    def __init__(
        self, host: MatchHost, registry: Registry, api_token: ApiToken, settings: StreamSettings, response_bytes: int
    ) -> None:
        self._host = host
        self._limits = host.limits
        self._stats = host.stats
        self._api_token = api_token
        self._settings = settings
        self._pool = SimulationPool(registry, host.limits, host.stats)
        self._response_bytes = response_bytes
        self._clients: dict[str, _Client] = {}
        self._simulations: set[SimulationStream] = set()
        self._pickled: dict[str, bytes] = {}
        self.streams = OpenStreams()

    @property
    def states(self) -> int:
        """Number of open states of all streams."""
        return sum(simulation.states for simulation in self._simulations)

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register the service with a server. Requests and responses are bytes."""
        handler = grpc.stream_stream_rpc_method_handler(self.simulate, bytes, bytes)
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, {"Simulate": handler})])

    async def close(self) -> None:
        """End the worker processes."""
        await self._pool.close()

    async def simulate(self, _: Any, context: Context) -> None:
        """Serve one stream until its client or the service closes it."""
        self._api_token.check(context)
        call = current_call()
        if call is not None:
            if self._api_token.is_sent(context):
                call.confirm_token()
            call.end_provisional()
        client = self._enter(peer_of(context.peer()) or "")
        sender = StreamSender(context, self._settings)
        simulation: SimulationStream | None = None
        reader: asyncio.Task[None] | None = None
        try:
            self.streams.add(sender)
            simulation = self._pool.open_stream()
            self._simulations.add(simulation)
            room, started = asyncio.Semaphore(REQUESTS_UNDER_WAY), _Started()
            reader = asyncio.ensure_future(self._read(context, sender, client, simulation, room, started))
            reader.add_done_callback(retrieve_error)
            while (request := await started.get()) is not None:
                try:
                    if isinstance(request, RefusedRequest):
                        raise request
                    answer = await asyncio.shield(request)  # which goes on if the client leaves
                    if call is not None:
                        call.accepted()
                except RefusedRequest as refused:
                    self._stats.simulation_refusals += 1
                    answer = _refusal(refused).SerializeToString()
                    if call is not None:
                        call.refused(refused.error)
                await sender.send(answer)
                if call is not None:
                    await call.wait_while_throttled()
                room.release()
            await reader
        finally:
            self.streams.remove(sender)
            client.streams -= 1
            if reader is not None:
                reader.cancel()
            if simulation is not None:
                self._simulations.discard(simulation)
                simulation.close()

    def _enter(self, peer: str) -> _Client:
        """Count a stream of a client. Raises LimitReached."""
        now = asyncio.get_running_loop().time()
        for known, idle in list(self._clients.items()):
            if not idle.streams and not idle.used_s(now, self._limits.simulation_cpu_s):
                del self._clients[known]
        client = self._clients.setdefault(peer, _Client(now))
        limit = self._limits.simulation_streams_per_client
        if client.streams >= limit:
            raise LimitReached(
                "simulation_streams_per_client", limit, f"{limit} simulation streams of this client are open", RETRY_MS
            )
        client.streams += 1
        return client

    async def _read(
        self,
        context: Context,
        sender: StreamSender,
        client: _Client,
        simulation: SimulationStream,
        room: asyncio.Semaphore,
        started: _Started,
    ) -> None:
        """Read requests and start them, while there is room, until the client closes the stream.

        Raises the error that ends the stream.
        """
        try:
            while True:
                await room.acquire()
                request = start_reading(context)
                await asyncio.wait({request, sender.ended}, return_when=asyncio.FIRST_COMPLETED)
                if sender.ending is not None:
                    raise sender.ending
                if (data := request.result()) is grpc.aio.EOF:
                    return
                try:
                    started.put_nowait(await self._start(client, simulation, _checked(data)))
                except RefusedRequest as refused:
                    started.put_nowait(refused)
        finally:
            started.put_nowait(None)

    async def _start(self, client: _Client, simulation: SimulationStream, data: bytes) -> asyncio.Task[bytes]:
        """Start running a request. Raises RefusedRequest, as the task does, or the error that ends the stream."""
        self._stats.simulation_requests += 1
        try:
            self._check_cpu(client)
        except LimitReached as error:
            raise RefusedRequest(error, "") from None
        sources: list[StateSource] = []
        opened = pb.SimulateResponse()
        if data and data[0] == OPENS_TAG:
            try:
                request = pb.SimulateRequest.FromString(data)
            except DecodeError:
                raise RefusedRequest(
                    MalformedMessage("the request cannot be parsed as a message of its type"), ""
                ) from None
            for number, state in enumerate(request.opens):
                kind = state.WhichOneof("source") or ""
                try:
                    sources.append(await self._source(state, kind, opened.opened.add()))
                except EngineError as error:
                    path = [f"opens[{number}]", kind, *(fault.field for fault in error.faults[:1])]
                    raise RefusedRequest(error, ".".join(filter(None, path))) from None
        task = asyncio.ensure_future(self._run(client, simulation, sources, opened.SerializeToString(), data))
        task.add_done_callback(retrieve_error)
        return task

    async def _run(
        self, client: _Client, simulation: SimulationStream, sources: list[StateSource], opened: bytes, data: bytes
    ) -> bytes:
        """Returns the response to a request; its processor time counts even if the client has gone."""
        reply = await simulation.run(sources, data, self._response_bytes - len(opened))
        client.add(reply.cpu_s)
        self._stats.simulation_cpu_s += reply.cpu_s
        if reply.error is not None:
            raise RefusedRequest(reply.error, reply.field)
        self._stats.simulation_steps += reply.steps
        # Messages merge by concatenation.
        return opened + reply.results if sources else reply.results

    def _check_cpu(self, client: _Client) -> None:
        limit = self._limits.simulation_cpu_s
        used = client.used_s(asyncio.get_running_loop().time(), limit)
        if used >= limit:
            wait_ms = round((used - limit) * MINUTE_S / limit * 1000) + RETRY_MS
            raise LimitReached("simulation_cpu_s", limit, f"{limit} s of processor time in a minute are used", wait_ms)

    async def _source(self, state: pb.OpenState, kind: str, opened: pb.OpenedState) -> StateSource:
        """Returns the source of a state for the worker process, and fills in its description for the client."""
        opened.seat = -1
        match kind:
            case "game":
                configured = self._host.configure(requests.game_setup(state.game))
                position = (
                    None if configured.position is None else configured.position.SerializeToString(deterministic=True)
                )
                return self._described(state, configured.loaded, configured.game, opened, position)
            case "match":
                faults = requests.Faults()
                name = faults.match_name(state.match.name)
                faults.raise_any()
                live = await self._host.live_match(name, state.match.token, seat_of)
                seat = live.seat_of(state.match.token)
                seed = state.match.seed
                visible = await await_pack(lambda: live.visible_state(Viewer(seat), Rng(seed)))
                opened.seat, opened.seq = seat, visible.seq
                position = live.call_pack(visible.state.to_bytes)
                return self._described(state, live.loaded, live.game, opened, position)
            case "replay":
                return await self._replay_source(state, opened)
            case _:
                raise InvalidField.one("source", "game, match or replay must be set")

    async def _replay_source(self, state: pb.OpenState, opened: pb.OpenedState) -> StateSource:
        source = state.replay
        opened.seq = source.seq
        if source.WhichOneof("replay") == "data":
            configured = await self._host.configure_replay(source.data)
            return self._described(state, configured.loaded, configured.game, opened, None, source.data)
        faults = requests.Faults()
        name = faults.match_name(source.match, "match")
        faults.raise_any()
        live = await self._host.live_match(name)
        if not has_ended(live.state):
            raise MatchNotEnded("opening its true state", host_may=False)
        if not 0 <= source.seq <= live.seq:
            raise InvalidField.one("seq", f"the match has records 1 to {live.seq}")
        position = live.call_pack(live.state_after(source.seq).to_bytes)
        return self._described(state, live.loaded, live.game, opened, position)

    def _described(
        self,
        state: pb.OpenState,
        loaded: LoadedGame,
        game: Game[Any],
        opened: pb.OpenedState,
        position: bytes | None,
        replay: bytes = b"",
    ) -> StateSource:
        """Returns the source of a state of a configured game, and fills in the game's description for the client."""
        options = responses.pack(game.options_message())
        opened.game, opened.players = f"games/{loaded.game.id}", game.players
        opened.options.CopyFrom(options)
        pickled = self._pickled.get(loaded.game.id)
        if pickled is None:
            pickled = self._pickled[loaded.game.id] = pickle.dumps(loaded.game)
        return StateSource(
            handle=state.handle,
            game_id=loaded.game.id,
            game=pickled,
            players=game.players,
            options=options.value,
            position=position,
            replay=replay,
            seq=opened.seq if replay else 0,
        )


def _checked(data: Any) -> bytes:
    """Returns the bytes of a request. Raises RefusedRequest if it was too long."""
    try:
        checked: bytes = check_request(data)
    except EngineError as error:
        raise RefusedRequest(error, "") from None
    return checked


def _refusal(refused: RefusedRequest) -> pb.SimulateResponse:
    error = refused.error
    return pb.SimulateResponse(
        error=pb.SimulationError(
            reason=reason_number(error),
            message=error.message,
            field=refused.field,
            metadata=error.metadata,
            pack_reason=getattr(error, "pack_reason", ""),
        )
    )
