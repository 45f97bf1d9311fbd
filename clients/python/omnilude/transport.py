"""The transports of the clients: one for blocking calls, and one for an asyncio event loop."""

from __future__ import annotations

import asyncio
import queue
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from omnilude.connection import Attempts, Endpoint, WatchStream
from omnilude.errors import ConnectionFailed, MatchElsewhere, OmniludeError, UnknownMatch, Unreachable, from_call
from omnilude.operations import MATCH_SERVICE, Operation
from omnilude.v1.match_service_pb2 import WatchMatchRequest, WatchMatchResponse
from omnilude.v1.simulation_service_pb2 import SimulateRequest, SimulateResponse

T = TypeVar("T")

MAX_ADDRESSES = 10_000
"""Number of matches whose service is cached; others are redirected again."""


def _open_channel(module: Any, endpoint: Endpoint, target: str) -> Any:
    """Open a channel of ``grpc`` or ``grpc.aio`` to a target."""
    if endpoint.tls is None:
        return module.insecure_channel(target, endpoint.options())
    return module.secure_channel(target, endpoint.tls.credentials(), endpoint.options())


def _serialize(request: Message) -> bytes:
    return request.SerializeToString()


def _stub(channel: Any, operation: Operation[Any]) -> Callable[..., Any]:
    method = getattr(channel, operation.kind)
    stub: Callable[..., Any] = method(
        operation.path, request_serializer=_serialize, response_deserializer=operation.response_type.FromString
    )
    return stub


def _watch_stub(channel: Any) -> Callable[..., Any]:
    stub: Callable[..., Any] = channel.unary_stream(
        f"/{MATCH_SERVICE}/WatchMatch",
        request_serializer=WatchMatchRequest.SerializeToString,
        response_deserializer=WatchMatchResponse.FromString,
    )
    return stub


def _simulation_call(channel: Any, endpoint: Endpoint, *requests: Any) -> Any:
    stub = channel.stream_stream(
        "/omnilude.v1.SimulationService/Simulate",
        request_serializer=SimulateRequest.SerializeToString,
        response_deserializer=SimulateResponse.FromString,
    )
    return stub(*requests, metadata=endpoint.metadata())


class SyncSimulationStream:
    """A stream of simulation requests, each answered by one response."""

    def __init__(self, channel: Any, endpoint: Endpoint) -> None:
        self._requests: queue.SimpleQueue[SimulateRequest | None] = queue.SimpleQueue()
        self._call = _simulation_call(channel, endpoint, iter(self._requests.get, None))

    def send(self, request: SimulateRequest) -> None:
        """Send a request."""
        self._requests.put(request)

    def receive(self) -> SimulateResponse:
        """Wait for the next response. Raises the error that ends the stream."""
        try:
            response: SimulateResponse = next(self._call)
            return response
        except StopIteration:
            raise Unreachable("the service has closed the stream") from None
        except grpc.RpcError as error:
            raise from_call(error) from None

    def close(self) -> None:
        """Close the stream."""
        self._requests.put(None)
        self._call.cancel()


class AsyncSimulationStream:
    """A stream of simulation requests, each answered by one response."""

    def __init__(self, channel: grpc.aio.Channel, endpoint: Endpoint) -> None:
        self._call = _simulation_call(channel, endpoint)

    async def send(self, request: SimulateRequest) -> None:
        """Send a request."""
        try:
            await self._call.write(request)
        except grpc.RpcError as error:
            raise from_call(error) from None
        except asyncio.InvalidStateError:
            await self.receive()  # the stream has ended: raise its error

    async def receive(self) -> SimulateResponse:
        """Wait for the next response. Raises the error that ends the stream."""
        try:
            response = await self._call.read()
        except grpc.RpcError as error:
            raise from_call(error) from None
        if not isinstance(response, SimulateResponse):
            raise Unreachable("the service has closed the stream")
        return response

    async def close(self) -> None:
        """Close the stream."""
        self._call.cancel()


class Redirects:
    """Matches that only one of several services has, and the channels to these services.

    A service that does not have such a match answers MATCH_ELSEWHERE, with the address of the one that does.
    """

    def __init__(self, channel: Any, open_channel: Callable[[str], Any]) -> None:
        self._channel = channel
        self._open_channel = open_channel
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._channels: dict[str, Any] = {}

    def channel(self, match: str) -> Any:
        """Returns the channel for calls about a match; "" for all other calls."""
        address = self._addresses.get(match)
        if address is None:
            return self._channel
        if address not in self._channels:
            self._channels[address] = self._open_channel(address)
        return self._channels[address]

    def follow(self, match: str, error: OmniludeError) -> bool:
        """Returns whether the call is to be repeated at once, because the error names the service of the match."""
        if isinstance(error, MatchElsewhere) and error.address and match not in self._addresses:
            self._addresses[match] = error.address
            if len(self._addresses) > MAX_ADDRESSES:
                self._addresses.popitem(last=False)
            return True
        if isinstance(error, ConnectionFailed | MatchElsewhere | UnknownMatch):
            # Its service may have ended; the others know what has happened to the match.
            self._addresses.pop(match, None)
        return False

    def channels(self) -> list[Any]:
        """Returns all open channels."""
        return [self._channel, *self._channels.values()]


def _match_of(request: object) -> str:
    return str(getattr(request, "name", ""))


class SyncTransport:
    """A channel for blocking calls. Threads may share it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._channel = self._open_channel(endpoint.target)
        self._redirects = Redirects(self._channel, self._open_channel)

    def _open_channel(self, target: str) -> Any:
        return _open_channel(grpc, self.endpoint, target)

    def close(self) -> None:
        """Close the channel; calls and streams in progress end."""
        for channel in self._redirects.channels():
            channel.close()

    def call(self, operation: Operation[T]) -> T:
        """Make a call, and retry it if it is repeatable."""
        match = _match_of(operation.request)
        attempts = Attempts(self.endpoint.timeout, operation.repeatable)
        while True:
            stub = _stub(self._redirects.channel(match), operation)
            request = operation.request if isinstance(operation.request, Message) else iter(operation.request)
            try:
                response = stub(request, timeout=attempts.remaining(), metadata=self.endpoint.metadata())
                return operation.read(list(response) if operation.kind == "unary_stream" else response)
            except grpc.RpcError as error:
                failure = from_call(error)
            if not self._redirects.follow(match, failure):
                time.sleep(attempts.pause(failure))

    def simulate(self) -> SyncSimulationStream:
        """Open a simulation stream."""
        return SyncSimulationStream(self._channel, self.endpoint)

    def watch(self, stream: WatchStream) -> Generator[WatchMatchResponse, None, None]:
        """Yield the responses of a watch stream without heartbeats, and reconnect when the connection is lost."""
        match = stream.request.name
        while True:
            stub = _watch_stub(self._redirects.channel(match))
            call = stub(stream.request, metadata=self.endpoint.metadata())
            try:
                for response in call:
                    if stream.receive(response):
                        yield response
                return
            except grpc.RpcError as error:
                failure = from_call(error)
            finally:
                call.cancel()
            if not self._redirects.follow(match, failure):
                time.sleep(stream.pause(failure))


class AsyncTransport:
    """A channel for calls in the event loop in which it was created."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._channel = self.new_channel()
        self._redirects = Redirects(self._channel, self.new_channel)

    def new_channel(self, target: str | None = None) -> grpc.aio.Channel:
        """Open another channel, with its own connection, to the same service, or to the service at ``target`` that
        shares its database. The caller closes it."""
        channel: grpc.aio.Channel = _open_channel(grpc.aio, self.endpoint, target or self.endpoint.target)
        return channel

    async def close(self) -> None:
        """Close the channel; calls and streams in progress end."""
        for channel in self._redirects.channels():
            await channel.close()

    async def call(self, operation: Operation[T]) -> T:
        """Make a call, and retry it if it is repeatable."""
        match = _match_of(operation.request)
        attempts = Attempts(self.endpoint.timeout, operation.repeatable)
        while True:
            stub = _stub(self._redirects.channel(match), operation)
            try:
                call = stub(operation.request, timeout=attempts.remaining(), metadata=self.endpoint.metadata())
                if operation.kind == "unary_stream":
                    return operation.read([response async for response in call])
                return operation.read(await call)
            except grpc.RpcError as error:
                failure = from_call(error)
            if not self._redirects.follow(match, failure):
                await asyncio.sleep(attempts.pause(failure))

    def simulate(self) -> AsyncSimulationStream:
        """Open a simulation stream."""
        return AsyncSimulationStream(self._channel, self.endpoint)

    async def watch(self, stream: WatchStream) -> AsyncGenerator[WatchMatchResponse, None]:
        """Yield the responses of a watch stream without heartbeats, and reconnect when the connection is lost."""
        match = stream.request.name
        while True:
            stub = _watch_stub(self._redirects.channel(match))
            call = stub(stream.request, metadata=self.endpoint.metadata())
            try:
                async for response in call:
                    if stream.receive(response):
                        yield response
                return
            except grpc.RpcError as error:
                failure = from_call(error)
            finally:
                call.cancel()
            if not self._redirects.follow(match, failure):
                await asyncio.sleep(stream.pause(failure))
