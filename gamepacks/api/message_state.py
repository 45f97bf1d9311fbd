"""States whose data are a protobuf message: the shortest way to write a game in Python."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, Self, TypeVar

from google.protobuf.message import Message

from cext.state import State
from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.api.game import ActionT, EventT, Game, OptionsT, ViewT, typed

PositionT = TypeVar("PositionT", bound=Message)


class MessageState(State, Generic[PositionT]):
    """A state whose data are the pack's position message, ``data``; so it is cloned, stored and compared by itself.

    A subclass defines ``actor``, ``legal``, ``apply_unchecked`` and ``returns``, as far as it needs them ``chance``,
    ``seats_to_act`` and ``resample``, and changes ``data`` in place.
    """

    data: PositionT

    def __init__(self, game: Any, data: PositionT) -> None:
        self.game, self.data = game, data

    def clone(self) -> Self:
        return type(self)(self.game, _copy(self.data))


MessageStateT = TypeVar("MessageStateT", bound=MessageState[Any])


class MessageGame(Game[OptionsT, MessageStateT, ViewT, ActionT, EventT]):
    """A game whose states are of the class ``state_type``, a :class:`MessageState`."""

    state_type: ClassVar[type[MessageState[Any]]]

    @abstractmethod
    def start(self) -> Message:
        """Returns the position of the first state."""

    @abstractmethod
    def faults(self, state: MessageStateT) -> Iterable[Fault]:
        """Yield every fault of a hand-written position, given as a state.

        Its fields can have any values, and its lists any length.
        """

    def initial_state(self) -> State:
        return self.state_type(self, self.start())

    def position(self, state: MessageStateT) -> Message:
        data: Message = state.data
        return _copy(data)

    def restore(self, position: Message) -> State:
        data = _copy(typed(position, self.messages.position))
        data.DiscardUnknownFields()
        state: Any = self.state_type(self, data)
        if faults := list(self.faults(state)):
            raise InvalidPosition(faults)
        return state  # type: ignore[no-any-return]


def _copy(message: PositionT) -> PositionT:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy
