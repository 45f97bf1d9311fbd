"""The class that a bot is written with: :class:`Bot`. It imports nothing else of this package."""

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
    """A player: it chooses the actions of a seat. One object plays any number of matches at once.

    :func:`omnilude.run` and :class:`omnilude.Player` connect it to a service, and the arena takes its class. Where the
    engine is installed, ``gamepacks.api.self_play`` plays matches without a service. Bots of packs are subclasses of
    ``gamepacks.api.PackBot``, a Bot that uses the rules.

    An exception that a bot raises is logged, and the bot resigns that match; its other matches go on. That includes a
    CancelledError of something that it awaits; SystemExit and KeyboardInterrupt end the program as usual. An illegal
    choice is treated alike: asking the same bot again would hardly help. A bot that wants to resign raises Resign.
    """

    wants: ClassVar[Sequence[Want]] = ()
    """Data to send with each turn, at a cost for the service and the wire: ``"view"``, ``"actions"``, ``"position"``;
    ``"events"`` for :meth:`on_events`; ``"rules"`` for turns that are ``gamepacks.api.Turn``, with the rules."""

    threads: ClassVar[int] = 0
    """Number of threads in which :meth:`choose` is called. With 0 it is called in the event loop, which is fastest for
    a bot that answers within some milliseconds. A bot that blocks (sleeps, or waits for others in code that is not
    async) needs threads, or its other matches wait as well."""

    @abstractmethod
    def choose(self, turn: Any) -> Choice | Awaitable[Choice]:
        """Return one of ``turn.codes``, or the pack's action message.

        ``turn`` is an :class:`omnilude.Turn`, or a ``gamepacks.api.Turn`` if the bot wants ``"rules"``. May be ``async
        def``: it is cancelled if the decision is withdrawn while it runs.
        """

    def on_start(self, bot_seat: BotSeat) -> None:  # noqa: B027 - optional
        """Called when the bot has taken a seat."""

    def on_events(self, bot_seat: BotSeat, events: Sequence[MatchEvent]) -> None:  # noqa: B027 - optional
        """Called with new events of a match: actions, outcomes of chance, resignations. Wants ``"events"``."""

    def accepts_undo(self, bot_seat: BotSeat, request: MatchEvent) -> bool:
        """Returns whether another player may take actions back, to the state after record ``request.to_seq``."""
        return True

    def on_end(self, played: PlayedMatch) -> None:  # noqa: B027 - optional
        """Called when a match is over."""
