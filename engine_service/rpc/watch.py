"""WatchMatch: streams the events of a match to its watchers, from any record onwards, as each viewer may know them.

Nothing is queued for a watcher: it has a cursor in the log and reads from there as fast as its client takes messages.
All watchers at the same record with the same viewer share one serialised message.
"""

from __future__ import annotations

import asyncio
from collections import deque
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc

from engine_service.hosting.listing import legal_page
from engine_service.limits import Limits
from engine_service.matches.events import EventCursor
from engine_service.matches.match import LiveMatch
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.model import has_ended
from engine_service.pack_guard import await_pack
from engine_service.rpc import responses
from engine_service.rpc.streams import OpenStreams, StreamSender, StreamSettings
from gamepacks.api.types import SPECTATOR, Viewer
from omnilude.v1 import match_service_pb2 as pb

EVENTS_PER_MESSAGE = 200
SPECTATORS_AT_ONCE = 32
"""Number of spectators that are woken before the event loop runs other tasks; those of players come first."""
MESSAGES_KEPT = 64
"""Maximum number of cached messages of one match, for other watchers at the same record."""
CLOCKS_SECONDS = 0.1
"""Time for which a message with clocks is cached."""

Context = grpc.aio.ServicerContext[Any, Any]


class Watchers:
    """All watch streams of a server."""

    def __init__(self, settings: StreamSettings, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits
        self._caches: dict[LiveMatch, _MessageCache] = {}
        self._to_wake: deque[StreamSender] = deque()
        self.streams = OpenStreams()

    async def follow(self, live: LiveMatch, request: pb.WatchMatchRequest, context: Context) -> None:
        """Serve one watcher until the last record of the match is sent."""
        viewer = live.viewer_of(request.token)
        cursor = EventCursor(live, viewer, request.after_seq)
        sender = StreamSender(context, self._settings)
        sender.resume_seq = request.after_seq
        listener = _Listener(sender, viewer, self)
        live.subscribe(listener)
        cache = self._caches.setdefault(live, _MessageCache(live, self._limits))
        cache.watchers += 1
        self.streams.add(sender)
        try:
            sender.wake()
            version = -1
            hidden = False
            while True:
                woken = await sender.wait()
                while True:
                    message = await await_pack(partial(cache.next, cursor, viewer, request, version, hidden))
                    cursor, version = message.cursor, message.version
                    hidden = live.snapshot.hides_decision(viewer)
                    if message.has_updates or message.ended or not woken:
                        await sender.send(message.data)
                        sender.resume_seq = cursor.seq
                    if message.ended:
                        return
                    woken = True
                    if cursor.at_end:
                        break
                if sender.ending is not None:
                    raise sender.ending
        finally:
            live.unsubscribe(listener)
            cache.watchers -= 1
            if not cache.watchers:
                del self._caches[live]
            self.streams.remove(sender)

    def wake_spectator(self, sender: StreamSender) -> None:
        """Queue a spectator's stream to be woken, a few at a time."""
        if not self._to_wake:
            asyncio.get_running_loop().call_soon(self._wake_next)
        self._to_wake.append(sender)

    def _wake_next(self) -> None:
        for _ in range(min(SPECTATORS_AT_ONCE, len(self._to_wake))):
            self._to_wake.popleft().wake()
        if self._to_wake:
            asyncio.get_running_loop().call_soon(self._wake_next)


@dataclass(frozen=True, slots=True)
class _Message:
    """A serialised message, and the state of its watcher after it."""

    data: bytes
    has_updates: bool
    """Whether it holds more than the sequence number."""
    ended: bool
    """Whether it is the last message of the match."""
    cursor: EventCursor
    """Shared between watchers: it is copied, never advanced."""
    version: int
    made_at: float


class _MessageCache:
    """Cache of the messages of one match for its present snapshot, while the match has watchers."""

    def __init__(self, live: LiveMatch, limits: Limits) -> None:
        self.watchers = 0
        self._live = live
        self._limits = limits
        self._moment: tuple[MatchSnapshot, int] | None = None
        self._made: dict[tuple[object, ...], _Message] = {}

    def next(
        self, cursor: EventCursor, viewer: Viewer, request: pb.WatchMatchRequest, version: int, hidden: bool
    ) -> _Message:
        """Returns the message behind the cursor for a watcher that has been sent this version of the match.

        ``hidden``: a private decision of another seat was pending when the last message was sent.
        """
        live = self._live
        moment = self._moment
        if moment is None or moment[0] is not live.snapshot or moment[1] != live.version:
            self._made.clear()
            self._moment = live.snapshot, live.version
        key = (
            viewer,
            request.labels,
            request.sentences,
            request.views,
            request.scenes,
            request.legal_actions,
            cursor.cache_key,
            version,
            hidden,
        )
        message = self._made.get(key)
        if message is None or not self._is_current(message):
            if len(self._made) >= MESSAGES_KEPT:
                del self._made[next(iter(self._made))]
            message = self._made[key] = self._make(copy(cursor), viewer, request, version, hidden)
        return message

    def _is_current(self, message: _Message) -> bool:
        """Returns whether a cached message may still be sent; one with clocks may be sent only for a short time."""
        if self._live.header.time_control is None:
            return True
        return asyncio.get_running_loop().time() - message.made_at < CLOCKS_SECONDS

    def _make(
        self, cursor: EventCursor, viewer: Viewer, request: pb.WatchMatchRequest, version: int, hidden: bool
    ) -> _Message:
        """Build a message without awaiting, so that its events, view and match are of one moment."""
        live = self._live
        events = cursor.next(EVENTS_PER_MESSAGE, request.labels, request.sentences)
        current = cursor.at_end
        # The seats to act are shown again once a private decision of another seat is made.
        shown = hidden and not live.snapshot.hides_decision(viewer)
        message = pb.WatchMatchResponse(events=[responses.event(event) for event in events], seq=cursor.seq)
        if version != live.version:
            message.match.CopyFrom(responses.match(live.info(viewer)))
        if (request.views or request.scenes) and (events or shown) and current and live.in_play:
            message.observation.CopyFrom(responses.observation(live.observation(viewer, request.scenes)))
            if request.legal_actions and viewer in message.observation.to_act:
                page = legal_page(live, viewer, True, request.scenes, 0, "", self._limits)
                message.legal_actions.CopyFrom(responses.legal_actions(page))
        return _Message(
            data=message.SerializeToString(),
            has_updates=bool(events) or message.HasField("match") or message.HasField("observation"),
            ended=current and has_ended(live.state),
            cursor=cursor,
            version=live.version,
            made_at=asyncio.get_running_loop().time(),
        )


class _Listener:
    __slots__ = ("_sender", "_watchers", "viewer")

    def __init__(self, sender: StreamSender, viewer: Viewer, watchers: Watchers) -> None:
        self._sender = sender
        self._watchers = watchers
        self.viewer = viewer

    def on_change(self, live: LiveMatch) -> None:
        if self.viewer == SPECTATOR:
            self._watchers.wake_spectator(self._sender)
        else:
            self._sender.wake()
