"""WatchMatch: a match's events from any record on, as its viewer may know them.

Nothing is queued for a watcher: it has a cursor in the log and reads on from there as fast as its reader takes it.
"""

from __future__ import annotations

from typing import Any

import grpc

from engine_service.matches.feed import EventCursor
from engine_service.matches.match import LiveMatch
from engine_service.rpc import convert
from engine_service.rpc.outgoing import OpenStreams, Outgoing, StreamSettings
from gamepacks.api.types import Viewer
from omnilude.v1 import match_service_pb2 as pb

EVENTS_PER_MESSAGE = 200

Context = grpc.aio.ServicerContext[Any, Any]


class Watchers:
    """All who watch."""

    def __init__(self, settings: StreamSettings) -> None:
        self._settings = settings
        self.streams = OpenStreams()

    async def follow(self, live: LiveMatch, request: pb.WatchMatchRequest, context: Context) -> None:
        """Serve one watcher until the match's last record is sent."""
        viewer = live.viewer_of(request.token)
        cursor = EventCursor(live, viewer, request.after_seq)
        outgoing = Outgoing(context, self._settings)
        outgoing.resume_seq = request.after_seq
        listener = _Listener(outgoing, viewer)
        live.subscribe(listener)
        self.streams.add(outgoing)
        try:
            outgoing.wake()
            version = -1
            while True:
                woken = await outgoing.wait()
                while True:
                    # One read of everything between two awaits, so that events, view and match tell of one moment.
                    events = cursor.next(EVENTS_PER_MESSAGE, request.labels, request.sentences)
                    current = cursor.seq == live.seq
                    message = pb.WatchMatchResponse(events=[convert.event(event) for event in events], seq=cursor.seq)
                    if version != live.version:
                        version = live.version
                        message.match.CopyFrom(convert.match(live.info()))
                    if request.views and events and current and live.in_play:
                        message.observation.CopyFrom(convert.observation(live.observe(viewer)))
                    ended = current and live.state.ended
                    if events or ended or not woken or message.HasField("match"):
                        await outgoing.send(message)
                        outgoing.resume_seq = cursor.seq
                    if ended:
                        return
                    woken = True
                    if cursor.seq == live.seq:
                        break
                if outgoing.ending is not None:
                    raise outgoing.ending
        finally:
            live.unsubscribe(listener)
            self.streams.remove(outgoing)


class _Listener:
    __slots__ = ("_outgoing", "viewer")

    def __init__(self, outgoing: Outgoing, viewer: Viewer) -> None:
        self._outgoing = outgoing
        self.viewer = viewer

    def on_change(self, live: LiveMatch) -> None:
        self._outgoing.wake()
