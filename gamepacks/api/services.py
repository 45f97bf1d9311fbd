"""gRPC services of packs: calls that observe a match without changing it.

A front end may need more than views and legal lists have, such as distances and lines of sight. A pack can serve it by
a gRPC service of its own::

    service MeasureService {
      rpc MeasureDistance(MeasureDistanceRequest) returns (MeasureDistanceResponse);
    }

Each request has ``string name`` (``matches/{id}``) and ``string token``: a seat's, the host's, or empty for a
spectator, as for a view. A response may have ``int64 seq``: the service sets it to the newest record that the answer
knows of.

The answer cannot leak secrets, because the pack gets a state that the viewer cannot distinguish from the true one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from cext.state import State
from gamepacks.api.errors import PackError
from gamepacks.api.game import Game
from gamepacks.api.types import Viewer

RESERVED = ("omnilude.", "grpc.", "google.")
"""Protobuf packages in which packs may not define services."""


@dataclass(frozen=True, slots=True)
class VisibleState:
    """The state of a match for the caller of a pack's service."""

    match: str
    """``matches/{id}``."""
    seq: int
    """The newest record that the caller knows."""
    game: Game[Any]
    state: State
    """A state that the viewer cannot tell from the true one (for the host: the true one), and nobody else's."""
    viewer: Viewer


class PackService:
    """Base of a pack's services: subclass it with a method for each call, of the call's name.

    A method takes the request and a :class:`VisibleState`, and returns the response. To refuse a request it raises
    InvalidInput (with the wrong fields) or IllegalAction (with a reason of the pack); any other exception is a defect,
    which only the log shows. It runs in a thread beside the event loop, several at a time: it may change nothing but
    its own state.
    """

    service: ClassVar[ServiceDescriptor]
    """From the generated module: ``measure_pb2.DESCRIPTOR.services_by_name["MeasureService"]``."""
    game_ids: ClassVar[tuple[str, ...]]
    """Ids of the games whose matches it observes; the same pack must provide them."""


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A method of a pack's service."""

    service: PackService
    name: str
    path: str
    """The full gRPC method name: ``/gamepacks.olomoc.v1.MeasureService/MeasureDistance``."""
    request: type[Message]
    response: type[Message]
    _answer: Callable[[Any, VisibleState], Any]

    def answer(self, request: Message, visible: VisibleState) -> Message:
        """The response, with its seq. Raises what the pack raises, and PackError where it answers with another type."""
        response = self._answer(request, visible)
        if not isinstance(response, self.response):
            raise PackError(f"{self.path} answered with a {type(response).__name__}")
        if "seq" in self.response.DESCRIPTOR.fields_by_name:
            response.seq = visible.seq  # type: ignore[attr-defined]
        return response


def calls_of(service: PackService) -> list[ServiceCall]:
    """The calls of a service. Raises PackError where it is not what :class:`PackService` asks for."""
    kind = type(service).__name__
    descriptor = getattr(service, "service", None)
    if not isinstance(descriptor, ServiceDescriptor):
        raise PackError(f"{kind}.service is not a ServiceDescriptor")
    if descriptor.full_name.startswith(RESERVED):
        raise PackError(f"{kind}: packs may not define the service {descriptor.full_name}")
    if not getattr(service, "game_ids", ()):
        raise PackError(f"{kind}.game_ids names no game")
    return [_call(service, descriptor, method) for method in descriptor.methods]


def _call(service: PackService, descriptor: ServiceDescriptor, method: MethodDescriptor) -> ServiceCall:
    path = f"/{descriptor.full_name}/{method.name}"
    if method.client_streaming or method.server_streaming:
        raise PackError(f"{path}: calls of packs must be unary")
    for field in ("name", "token"):
        if not _is_text(method.input_type, field):
            raise PackError(f"{path}: {method.input_type.full_name} has no string {field}")
    answer = getattr(service, method.name, None)
    if not callable(answer):
        raise PackError(f"{path}: {type(service).__name__} has no method of this name")
    request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    return ServiceCall(service, method.name, path, request, response, answer)


def _is_text(message: Descriptor, name: str) -> bool:
    field = message.fields_by_name.get(name)
    return field is not None and field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated
