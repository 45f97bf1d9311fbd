"""The message classes of a game, built from the descriptors in the catalog, so that its pack need not be installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage

from omnilude.errors import OmniludeError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from omnilude.v1.catalog_pb2 import Game, GetGameResponse

_TYPE_URL = "type.googleapis.com/"


class WrongMessage(OmniludeError):
    """A message that does not belong to this game's pack, or whose bytes cannot be parsed."""


@dataclass(frozen=True, slots=True)
class PackMessages:
    """The message classes of one game.

    A class that this process has imported as generated code (for example ``gamepacks.ominoes.v1``) is used as it is;
    others are built in a descriptor pool of their own, so that several versions of a pack can be used side by side.
    """

    options: type[Message]
    view: type[Message]
    action: type[Message]
    event: type[Message]
    position: type[Message]

    def unpack(self, packed: AnyMessage) -> Message:
        """Returns the pack message in an Any. Raises WrongMessage."""
        name = packed.type_url.removeprefix(_TYPE_URL)
        for kind in (self.view, self.action, self.event, self.position, self.options):
            if kind.DESCRIPTOR.full_name == name:
                try:
                    return kind.FromString(packed.value)
                except Exception as error:  # the module of DecodeError differs between protobuf's implementations
                    raise WrongMessage(f"the bytes are not a {name}") from error
        raise WrongMessage(f"{name or 'an untyped message'} is not a message of this game")


def pack(message: Message) -> AnyMessage:
    """Wrap a pack message in an Any."""
    packed = AnyMessage()
    packed.Pack(message, deterministic=True)
    return packed


@dataclass(frozen=True, slots=True)
class PackCall:
    """A method of one of the pack's own services, about a match."""

    service: str
    """Full name: ``gamepacks.olomoc.v1.MeasureService``."""
    request: type[Message]
    response: type[Message]


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game of the catalog with its message classes."""

    game: Game
    """Its entry in the catalog: title, capabilities, options, bots."""
    messages: PackMessages
    calls: Mapping[str, PackCall] = field(default_factory=dict)
    """The methods of the pack's own services by name; :meth:`MatchHandle.call_pack` calls them."""

    @property
    def id(self) -> str:
        """Id of the game: ``ominoes``."""
        return self.game.name.removeprefix("games/")


def game_info(response: GetGameResponse) -> GameInfo:
    """Convert a response of GetGame. Raises WrongMessage if its descriptors do not contain its types."""
    pool = descriptor_pool.DescriptorPool()
    for file in response.descriptors.file:
        pool.AddSerializedFile(file.SerializeToString())
    types = response.game.message_types
    return GameInfo(
        response.game,
        PackMessages(
            options=_class(pool, types.options),
            view=_class(pool, types.view),
            action=_class(pool, types.action),
            event=_class(pool, types.event),
            position=_class(pool, types.position),
        ),
        dict(_calls(pool, response.game.services)),
    )


def _calls(pool: descriptor_pool.DescriptorPool, services: Iterable[str]) -> Iterator[tuple[str, PackCall]]:
    for name in services:
        try:
            service = pool.FindServiceByName(name)
        except KeyError:
            raise WrongMessage(f"the catalog has no descriptor of {name}") from None
        for method in service.methods:
            request, response = method.input_type.full_name, method.output_type.full_name
            yield method.name, PackCall(name, _class(pool, request), _class(pool, response))


def option_texts(options: Mapping[str, object]) -> dict[str, str]:
    """Convert option values to the texts that the service takes from generic clients."""
    return {name: _text(value) for name, value in options.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(_text(part) for part in value)
    return str(value)


def _class(pool: descriptor_pool.DescriptorPool, name: str) -> type[Message]:
    for candidate in (descriptor_pool.Default(), pool):
        try:
            return message_factory.GetMessageClass(candidate.FindMessageTypeByName(name))
        except KeyError:
            continue
    raise WrongMessage(f"the catalog has no descriptor of {name or 'a message without a name'}")
