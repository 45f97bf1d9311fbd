"""Base class of bots: :class:`Bot`. This module imports no other module of the package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from google.protobuf.message import Message

if TYPE_CHECKING:
    from omnilude.turns import BotSeat, PlayedMatch
    from omnilude.v1.match_pb2 import MatchEvent

Want = Literal["view", "actions", "position", "events", "rules"]
WANTS: tuple[Want, ...] = ("view", "actions", "position", "events", "rules")

Choice = int | Message
"""An action: its code, or the pack's action message."""


class Bot(ABC):
    """Base class of bots. A bot chooses the actions of its seats; one object plays any number of matches at once.

    :func:`omnilude.run` and :class:`omnilude.Player` connect a bot to a service; the arena runs it from its class. If
    the engine is installed, ``gamepacks.api.self_play`` plays matches without a service. Bots of packs are subclasses
    of ``gamepacks.api.PackBot``, a Bot that uses the rules.

    If a method raises an exception, it is logged and the bot resigns that match; its other matches continue. This
    includes a CancelledError of an awaited object; SystemExit and KeyboardInterrupt end the program as usual. An
    illegal choice has the same effect. A bot raises Resign to resign.
    """

    wants: ClassVar[Sequence[Want]] = ()
    """Additional data that the service sends: ``"view"``, ``"actions"`` and ``"position"`` with each turn; ``"events"``
    for :meth:`on_events`; ``"rules"`` for turns of the class ``gamepacks.api.Turn``, which has the rules."""

    threads: ClassVar[int] = 0
    """Number of threads that call :meth:`choose`. With 0 the event loop calls it, which is fastest for a bot that
    answers within some milliseconds. A bot that blocks (computes for longer, sleeps, or makes blocking calls) needs
    threads; otherwise its other matches wait too."""

    @abstractmethod
    def choose(self, turn: Any) -> Choice | Awaitable[Choice]:
        """Returns one of ``turn.codes``, or the pack's action message.

        ``turn`` is an :class:`omnilude.Turn`, or a ``gamepacks.api.Turn`` if the bot wants ``"rules"``. The method may
        be ``async def``; it is cancelled if the decision becomes obsolete while it runs.
        """

    def on_start(self, bot_seat: BotSeat) -> None:  # noqa: B027 - optional
        """Called when the bot has taken a seat."""

    def on_events(self, bot_seat: BotSeat, events: Sequence[MatchEvent]) -> None:  # noqa: B027 - optional
        """Called with new events of a match: actions, outcomes of chance, resignations. Wants ``"events"``."""

    def accepts_undo(self, bot_seat: BotSeat, request: MatchEvent) -> bool:
        """Returns whether to accept another player's undo request, to the state after record ``request.to_seq``."""
        return True

    def on_end(self, played: PlayedMatch) -> None:  # noqa: B027 - optional
        """Called when a match is over."""
