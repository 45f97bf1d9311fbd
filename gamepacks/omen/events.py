"""Event messages of a step (section 9.7 of RULES.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.api.types import OMNISCIENT, Code, Seat, Viewer
from gamepacks.omen.codes import NONE
from gamepacks.omen.sentences import event_sentence
from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.v1.omen_enums import EventType
from gamepacks.omen.views import viewer_bit

if TYPE_CHECKING:
    from gamepacks.omen.engine.rules import OmenState
    from gamepacks.omen.game import OmenGame


def may_know(seen: int, viewer: Viewer) -> bool:
    """True if the viewer is in a mask of viewers."""
    return viewer == OMNISCIENT or bool(seen & viewer_bit(viewer))


def event_messages(
    before: OmenState, seat: Seat | None, code: Code, after: OmenState, viewer: Viewer
) -> list[pb.Event]:
    """Returns the event messages of a step for one viewer, in order of time."""
    messages = []
    for event_tuple in before.trace_of(code, -1 if seat is None else seat):
        event, seen = EventType(event_tuple[0]), event_tuple[9]
        if event is EventType.AUTOMATIC and not may_know(seen, viewer):
            continue
        message = _message(before.game, event_tuple, may_know(seen, viewer))
        if event is EventType.GAME_OVER:
            message.scores.extend(after.scores())
            message.winners.extend(after.winners())
        messages.append(message)
    return messages


_MOVES = (EventType.MOVE, EventType.CHANGE_SIDE, EventType.DEPLOY, EventType.ENTER, EventType.ABILITY)
"""Events whose origin and target are Cities or sides, not zones."""


def _message(game: OmenGame, event_tuple: tuple[Any, ...], knows: bool) -> pb.Event:  # type: ignore[type-arg]
    kind, by, who, card, city, source, target, n, cause, _, extra = event_tuple
    event = EventType(kind)
    if event is EventType.AUTOMATIC:
        return pb.Event(type=kind, seat=who, text=event_sentence(game, pb.Event(), event))
    message = pb.Event(type=kind, cause=cause)
    if event in (EventType.STEP_START, EventType.STEP_END):
        message.phase = n
    else:
        message.count = n
    for name, value in (("source_seat", by), ("seat", who), ("city", city)):
        if value != NONE:
            setattr(message, name, value)
    if card != NONE:
        message.kind = game.compiled.faces[card].kind
        if knows:
            message.card.CopyFrom(game.card_messages[card])
    for name, value in (("from_zone", source), ("to_zone", target)):
        if value != NONE and event not in _MOVES:
            setattr(message, name, value)
    if event is EventType.MOVE:
        message.from_city = source
    if event is EventType.LOOK:
        message.card_count = len(extra)
        if knows:
            message.cards.extend(game.card_messages[one] for one in extra)
    elif event is EventType.WAR_RESULT and extra:
        message.strengths.extend(extra[:2])
        message.tie_breaks.extend(extra[2:4])
    message.text = event_sentence(game, message, event)
    return message
