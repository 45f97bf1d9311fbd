"""Events of a match for one viewer, read from any record onwards.

A viewer may know the following of a step:

* the code and its label, if the pack's ``knows_code`` says so, but never of another seat's decision at a simultaneous
  node, before or after it is revealed;
* the details: the pack's ``events`` for that viewer, and the sentences that ``describe_event`` makes of them. A reveal
  is in the events of the decision that completes the node;
* that a seat has decided, and when, at a simultaneous node too. If the seat has declined a private decision, the record
  is not an event for the others: their numbers leave it out, and its effects are part of the event before it, as if
  nobody had been asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import Message

from engine_service.errors import InvalidField
from engine_service.log.records import STEPS, Record
from engine_service.match_enums import RecordKind
from engine_service.matches.match import LiveMatch
from engine_service.matches.snapshot import ACTION
from engine_service.model import Event
from engine_service.pack_guard import PACK_GUARD, PackPending, PackRaised
from gamepacks.api.game import event_sentences
from gamepacks.api.types import OMNISCIENT, SIMULTANEOUS, Code, Seat, Viewer

UNDO_WEIGHT = 25
"""Cost of an event at which play went back, in plain events, because its state may have to be rebuilt."""
SENTENCES_WEIGHT = 10
"""Cost of an event with sentences, in plain events, because they need a view."""


class EventCursor:
    """A position in a match's log for one viewer, with that viewer's numbers, and the state of the game there."""

    __slots__ = ("_at", "_live", "_state", "_viewer", "seq")

    seq: int
    """Everything up to this record has been returned."""

    def __init__(self, live: LiveMatch, viewer: Viewer, after_seq: int = 0) -> None:
        """Raises InvalidField if the log does not reach to ``after_seq``; PackFault."""
        newest = live.numbering.viewer_seq(viewer, live.seq)
        if not 0 <= after_seq <= newest:
            raise InvalidField.one("after_seq", f"the match has records 1 to {newest}")
        self._live = live
        self._viewer = viewer
        self.seq = after_seq
        self._at = live.match_seq(viewer, after_seq)
        self._state = (
            live.call_pack(live.snapshot.game_state.clone) if self._at == live.seq else live.state_after(self._at)
        )

    @property
    def cache_key(self) -> tuple[int, int]:
        """Key for caches of events: equal for cursors of one viewer that have returned the same events."""
        return self.seq, self._at

    @property
    def at_end(self) -> bool:
        """Whether everything has been returned that the viewer may be sent now."""
        return self._at >= self._live.visible_seq(self._viewer)

    def next(self, limit: int | None = None, labels: bool = False, sentences: bool = False) -> list[Event]:
        """Returns the events behind :attr:`seq`: at most ``limit``, but at least one if there is any.

        It returns fewer if they are expensive (play went back, or sentences are included), or if an isolated pack has
        not answered yet. Raises PackFault, PackPending; the cursor does not move then.
        """
        live, viewer, numbering = self._live, self._viewer, self._live.numbering
        end = live.visible_seq(viewer)
        if limit is not None:
            end = min(end, live.match_seq(viewer, self.seq + limit))
        records = live.log.after(self._at, max(0, end - self._at))
        events: list[Event] = []
        work, each, at = 0, SENTENCES_WEIGHT if sentences else 1, 0
        while at < len(records):
            record, following = records[at], at + 1
            while following < len(records) and not numbering.knows(viewer, records[following].seq):
                following += 1
            work += UNDO_WEIGHT if record.kind is RecordKind.UNDONE else each
            if events and limit is not None and work > limit:
                break
            try:
                if numbering.knows(viewer, record.seq):
                    event = self._event(record, records[at + 1 : following], labels, sentences)
                    events.append(event)
                    self.seq = event.seq
                else:
                    # The viewer has been sent the event before it already.
                    self._steps(records[at:following], labels=False, sentences=False)
            except PackPending:
                if events and limit is not None:
                    break
                raise
            self._at, at = records[following - 1].seq, following
        return events

    def _event(self, record: Record, private: Sequence[Record], labels: bool, sentences: bool) -> Event:
        """Returns the event of a record for this viewer, including the effects of the private records behind it."""
        viewer_seq, viewer = self._live.numbering.viewer_seq, self._viewer
        if record.kind is RecordKind.UNDONE:
            self._state = self._live.state_after(record.to_seq)
        if record.kind in STEPS:
            code, details, label, described = self._steps([record, *private], labels, sentences)
        else:
            _, details, _, described = self._steps(private, False, sentences)
            code, label = None, ""
            if record.kind is RecordKind.STARTED:
                details, described = (), ()  # for this viewer it happened before the start
        seq, to_seq = viewer_seq(viewer, record.seq), viewer_seq(viewer, record.to_seq)
        return Event(
            seq, record.kind, record.seat, code, details, label, record.time_ms, record.text, to_seq, described
        )

    def _steps(
        self, records: Sequence[Record], labels: bool, sentences: bool
    ) -> tuple[Code | None, Sequence[Message], str, Sequence[str]]:
        """Take steps; returns the code and the label of the first, and the details and sentences of all."""
        game, state, viewer = self._live.game, self._state, self._viewer
        code: Code | None = None
        details: list[Message] = []
        label = ""
        described: Sequence[str] = ()
        if not records:
            return code, details, label, described
        try:
            with PACK_GUARD:
                for record in records:
                    before, taken = state, Code(record.code)
                    seat = Seat(record.seat) if record.kind is ACTION else None
                    state = before.clone()
                    state.apply_unchecked(taken, record.seat)
                    if record is records[0]:
                        hidden = before.actor() == SIMULTANEOUS and viewer not in (record.seat, OMNISCIENT)
                        known = not hidden and game.knows_code(before, seat, taken, viewer)
                        code = taken if known else None
                        label = game.label(before, taken) if known and labels else ""
                    details.extend(game.events(before, seat, taken, state, viewer))
                described = event_sentences(game, details, state, viewer) if sentences else ()
        except PackRaised as raised:
            raise self._live.context.fault(self._live, raised.error) from None
        self._state = state
        return code, details, label, described
