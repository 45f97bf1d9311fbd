"""The events of a match, as one viewer may know them, from any record on.

What a viewer may know of a step:

* the code and its label: where the pack's ``knows_code`` says so, but never of another seat's decision at a
  simultaneous node, before or after it is revealed;
* the details: what the pack's ``events`` tell that viewer, and the sentences that ``tell`` makes of them. A reveal is
  in the events of the decision that completes the node;
* that a seat has decided, and when: everyone, at a simultaneous node too. So all viewers have the same sequence
  numbers.
"""

from __future__ import annotations

from engine_service.errors import InvalidField
from engine_service.guard import RULES, PackRaised
from engine_service.log.records import STEPS, Record, RecordKind
from engine_service.matches.match import LiveMatch
from engine_service.matches.progress import ACTION
from engine_service.model import Event
from gamepacks.api.game import told
from gamepacks.api.types import OMNISCIENT, SIMULTANEOUS, Code, Seat, Viewer

GOING_BACK = 25
"""Where play went back, an event is worth so many others: it may have to play on from a state that is some way off."""
SAYING = 10
"""And so is one that is told in sentences: they need a view of their own."""


class EventCursor:
    """A place in a match's log, and the state of the game there. It belongs to one viewer."""

    __slots__ = ("_live", "_state", "_viewer", "seq")

    seq: int
    """Everything up to here has been returned."""

    def __init__(self, live: LiveMatch, viewer: Viewer, after_seq: int = 0) -> None:
        """Raises InvalidField where the log does not reach to ``after_seq``, PackFault."""
        if not 0 <= after_seq <= live.seq:
            raise InvalidField.one("after_seq", f"the match has records 1 to {live.seq}")
        self._live = live
        self._viewer = viewer
        self.seq = after_seq
        self._state = live.ask(live.now.game_state.clone) if after_seq == live.seq else live.state_after(after_seq)

    def next(self, limit: int | None = None, labels: bool = False, sentences: bool = False) -> list[Event]:
        """The events behind :attr:`seq`: ``limit`` at most, but at least one if there is one.

        They are fewer where they cost more: where play went back, and with sentences. Raises PackFault; the cursor
        stays where it is.
        """
        events: list[Event] = []
        work, each = 0, SAYING if sentences else 1
        for record in self._live.log.after(self.seq, limit):
            work += GOING_BACK if record.kind is RecordKind.UNDONE else each
            if events and limit is not None and work > limit:
                break
            events.append(self._event(record, labels, sentences))
            self.seq = record.seq
        return events

    def _event(self, record: Record, labels: bool, sentences: bool) -> Event:
        if record.kind in STEPS:
            return self._step(record, labels, sentences)
        if record.kind is RecordKind.UNDONE:
            self._state = self._live.state_after(record.to_seq)
        return Event(record.seq, record.kind, record.seat, None, (), "", record.time_ms, record.text, record.to_seq)

    def _step(self, record: Record, labels: bool, sentences: bool) -> Event:
        game, before, viewer = self._live.game, self._state, self._viewer
        code = Code(record.code)
        seat = Seat(record.seat) if record.kind is ACTION else None
        try:
            with RULES:
                after = before.clone()
                after.apply_unchecked(code, record.seat)
                hidden = before.actor() == SIMULTANEOUS and viewer not in (record.seat, OMNISCIENT)
                known = not hidden and game.knows_code(before, seat, code, viewer)
                details = tuple(game.events(before, seat, code, after, viewer))
                label = game.label(before, code) if known and labels else ""
                said = told(game, details, after, viewer) if sentences else ()
        except PackRaised as raised:
            raise self._live.keeper.fault(self._live, raised.error) from None
        self._state = after
        known_code = code if known else None
        return Event(record.seq, record.kind, record.seat, known_code, details, label, record.time_ms, "", 0, said)
