"""Channels of a play stream, and the reports that are sent on them.

Nothing is queued. A channel whose match has changed is marked, and its report (events, a turn, the end) is read from
the match when it is sent; so a burst of changes costs one report.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from copy import copy
from typing import Protocol

from cext.wire import PlayWriter
from engine_service.errors import PackFault
from engine_service.match_enums import RecordKind
from engine_service.matches.events import EventCursor
from engine_service.matches.match import LiveMatch
from engine_service.model import Event
from engine_service.rpc import responses
from gamepacks.api.types import Seat, Viewer
from omnilude.v1.play_service_pb2 import Hello, PlayResponse, Turn, Update

EVENTS_PER_REPORT = 200


class ResponseBuilder:
    """Builder of a response: results and turns of codes are written as bytes, everything else as a message."""

    __slots__ = ("_message", "_mixed", "plain")

    def __init__(self) -> None:
        self.plain = PlayWriter()
        self._message = PlayResponse()
        self._mixed = False

    @property
    def message(self) -> PlayResponse:
        """The message for everything that is not written as bytes."""
        self._mixed = True
        return self._message

    def take(self) -> bytes:
        """Returns the serialised PlayResponse, and begins another one."""
        taken = self.plain.take()
        if self._mixed:
            taken += self._message.SerializeToString()
            self._message = PlayResponse()
            self._mixed = False
        return taken


class ChannelQueue(Protocol):
    """Queue of the channels that have something to send: the session of the stream."""

    def mark(self, channel: Channel) -> None:
        """Add a channel that has something to send."""


class Channel:
    """A seat that a stream plays; it listens to its match."""

    __slots__ = (
        "cursor",
        "in_flight",
        "live",
        "marked",
        "number",
        "open",
        "plain",
        "seat",
        "stream",
        "turn_seq",
        "undo_seq",
    )

    def __init__(
        self, number: int, live: LiveMatch, seat: Seat, cursor: EventCursor | None, stream: ChannelQueue
    ) -> None:
        self.number = number
        self.live = live
        self.seat = seat
        self.cursor = cursor
        """Position in the events; None if the hello asked for none."""
        self.stream = stream
        self.open = True
        self.marked = False
        self.plain = not live.game.capabilities.continuous and live.header.time_control is None
        """Whether a turn consists of its codes only, unless the hello asked for more."""
        self.in_flight = 0
        """Number of moves that wait for the store; their answers are sent before any further report."""
        self.turn_seq = 0
        """The newest decision that was sent, by the match's own number."""
        self.undo_seq = 0
        """The newest undo request that was sent."""

    @property
    def viewer(self) -> Viewer:
        """The seat."""
        return Viewer(self.seat)

    def on_change(self, live: LiveMatch) -> None:
        """Called by the match after each commit."""
        if self.marked:
            return
        now = live.snapshot
        # Without events, only turns, undo requests and the end are sent.
        to_act = (now.seats_to_act & ~now.service_seats) >> self.seat & 1
        if to_act or self.cursor is not None or now.undo is not None or now.result is not None:
            self.marked = True
            self.stream.mark(self)


class Reporter:
    """Adds the updates of channels to a response, as far as the hello asked for them."""

    def __init__(self, hello: Hello) -> None:
        self._views = hello.views
        self._typed = hello.typed_actions
        self._positions = hello.positions
        self._position_key = secrets.token_bytes(32)
        self._labels = hello.labels
        self._more = hello.views or hello.typed_actions or hello.positions
        self.events = hello.events
        self.costly = self._more or hello.events
        """Whether more than codes was asked for."""

    def report(self, channel: Channel, builder: ResponseBuilder) -> int:
        """Add everything new on the channel; returns its approximate size in bytes.

        A channel with more updates than fit into one message is marked again. Raises PackPending if an isolated pack
        has not answered yet; the updates added so far are valid, and the next report adds the rest.
        """
        live = channel.live
        now = live.snapshot
        size = 0
        try:
            if channel.cursor is not None:
                size += self._events(channel, channel.cursor, builder.message)
                if not channel.cursor.at_end:
                    channel.on_change(live)
                    return size
            elif now.undo is not None:
                size += self._undo_request(channel, builder.message)
            if now.decision_seq != channel.turn_seq and (now.seats_to_act & ~now.service_seats) >> channel.seat & 1:
                size += self._turn(channel, now.decision_seq, live.legal(channel.seat), builder)
        except PackFault:
            # The host ends the match because of it, which is a change of its own.
            return size
        return size

    def _events(self, channel: Channel, cursor: EventCursor, response: PlayResponse) -> int:
        ahead = copy(cursor)
        events = ahead.next(limit=EVENTS_PER_REPORT, labels=self._labels)
        if not events:
            channel.cursor = ahead
            return 0
        update = Update(channel=channel.number, events=[responses.event(event) for event in events], seq=ahead.seq)
        if self._views and channel.live.in_play:
            update.view.CopyFrom(responses.pack(channel.live.observation(Viewer(channel.seat)).view))
        channel.cursor = ahead
        response.updates.append(update)
        return int(update.ByteSize())

    def _undo_request(self, channel: Channel, response: PlayResponse) -> int:
        """Add the pending undo request that the seat is to answer, for a stream without events."""
        live = channel.live
        pending = live.undo_pending
        assert pending is not None
        if pending.seq == channel.undo_seq or channel.seat not in pending.waiting_for:
            return 0
        channel.undo_seq = pending.seq
        record = live.log.after(pending.seq - 1, 1)[0]
        number_for = live.numbering.viewer_seq
        event = Event(
            seq=number_for(channel.seat, record.seq),
            kind=RecordKind.UNDO_REQUESTED,
            seat=record.seat,
            code=None,
            details=(),
            label="",
            time_ms=record.time_ms,
            text=record.text,
            to_seq=number_for(channel.seat, record.to_seq),
        )
        newest = number_for(channel.seat, live.seq)
        update = response.updates.add(channel=channel.number, events=[responses.event(event)], seq=newest)
        return int(update.ByteSize())

    def _turn(self, channel: Channel, seq: int, codes: list[int], builder: ResponseBuilder) -> int:
        seat_seq = channel.live.numbering.viewer_seq(channel.seat, seq)
        if channel.plain and not self._more:
            builder.plain.add_turn(channel.number, seat_seq, codes)
            size = 16 + 3 * len(codes)
        else:
            turn = Turn(channel=channel.number, seq=seat_seq, codes=codes)
            self._add_more(turn, channel.live, channel.seat, codes)
            builder.message.turns.append(turn)
            size = int(turn.ByteSize())
        channel.turn_seq = seq
        return size

    def _add_more(self, turn: Turn, live: LiveMatch, seat: Seat, codes: Sequence[int]) -> None:
        if live.sampled:
            turn.sampled = True
        time_left_ms = live.time_left_ms(seat)
        if time_left_ms is not None:
            turn.time_left_ms = time_left_ms
        if self._views:
            turn.view.CopyFrom(responses.pack(live.observation(Viewer(seat)).view))
        if self._typed:
            turn.actions.extend([responses.legal_action(action) for action in live.legal_typed(codes)])
        if self._positions:
            turn.position.CopyFrom(responses.pack(live.resample_position(seat, self._position_key)))
