"""The course of play, planned on a draft: an action, then chance, the service's own seats and the end, until someone
outside must decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from google.protobuf.any_pb2 import Any
from google.protobuf.message import DecodeError, Message

from cext.chance import outcome
from engine_service.errors import ActionRefused, InvalidField, MalformedMessage
from engine_service.guard import RULES, BrokenRules
from engine_service.log.header import PACK_MESSAGE_BYTES
from engine_service.log.records import RecordKind
from engine_service.matches.draft import Draft
from engine_service.matches.progress import ACTION
from engine_service.model import ChanceSource, MatchState
from gamepacks.api.errors import IllegalAction, InvalidMessage
from gamepacks.api.types import CHANCE, TERMINAL, Code, Seat

ROLLS_IN_A_ROW = 10_000
"""More chance nodes than this without a decision between them are taken for a fault of the pack."""
CODE_LIMIT = 1 << 31
MOST_ENTRIES = 4_096
"""Entries of the lists in one message of a pack, all together: beyond it nothing is looked at."""


class Decider(Protocol):
    """Decides for a seat that the service plays, if it can do so at once."""

    def __call__(self, draft: Draft, seat: int) -> Code | None:
        """A legal code, or None: not at once."""
        ...


def read_move(draft: Draft, seat: int, move: int | Message) -> Code:
    """The code of a move that came as a code, as the pack's action message, or as an Any that holds one.

    Raises MalformedMessage, InvalidField, ActionRefused (the message means nothing that could be an action).
    """
    if isinstance(move, int):
        if not -CODE_LIMIT <= move < CODE_LIMIT:
            raise InvalidField.one("code", "not a 32-bit number")
        return Code(move)
    message = unpack(move, draft.game.messages.action, "typed_action")
    with RULES:
        try:
            return Code(int(draft.game.parse(draft.after.game_state, Seat(seat), message)))
        except IllegalAction as refusal:
            raise ActionRefused(refusal.message, refusal.reason, None, refusal.details) from None
        except InvalidMessage as wrong:
            raise MalformedMessage.of(*wrong.faults) from None


def entries_in(message: Message) -> int:
    """Entries of the lists in a message, of those within them too; not counted on once they are too many."""
    count, found = 0, [message]
    while found and count <= MOST_ENTRIES:
        for field, value in found.pop().ListFields():
            if field.is_repeated:
                count += len(value)
            if field.message_type is None or count > MOST_ENTRIES:
                continue
            if not field.is_repeated:
                found.append(value)
            elif isinstance(value, Mapping):
                found += [entry for entry in value.values() if isinstance(entry, Message)]
            else:
                found += value
    return count


def unpack(given: Message, wanted: type[Message], field: str) -> Message:
    """The pack's message that was given, itself or in an Any. Raises MalformedMessage, InvalidField (too long)."""
    if isinstance(given, wanted):
        return given
    if isinstance(given, Any):
        if len(given.value) > PACK_MESSAGE_BYTES:
            raise InvalidField.one(field, f"at most {PACK_MESSAGE_BYTES} bytes")
        message = wanted()
        try:
            unpacked = given.Unpack(message)
        except DecodeError:
            unpacked = False
        if unpacked:
            if entries_in(message) > MOST_ENTRIES:
                raise InvalidField.one(field, f"at most {MOST_ENTRIES} entries in all its lists together")
            return message
    raise MalformedMessage.one(field, f"not a {wanted.DESCRIPTOR.full_name}")


def check_legal(draft: Draft, seat: int, code: Code) -> None:
    """Raises ActionRefused, with the pack's reason, where the seat may not take this code now."""
    state = draft.after.game_state
    with RULES:
        if state.is_legal(code, seat):
            return
        refusal = draft.game.why_illegal(state, code, seat)
        raise ActionRefused(refusal.message, refusal.reason, code, refusal.details)


def start(draft: Draft, decide: Decider) -> None:
    """Begin play."""
    draft.record(RecordKind.STARTED)
    settle(draft, decide)


def act(draft: Draft, seat: int, code: Code, decide: Decider) -> int:
    """Take a legal action and all that follows of itself; returns the action's seq."""
    seq = draft.record(ACTION, seat, code)
    settle(draft, decide)
    return seq


def settle(draft: Draft, decide: Decider) -> None:
    """Go on until a decision stands that the service does not make at once, chance is awaited, or play is over."""
    rolls = 0
    while draft.after.state is MatchState.ACTIVE:
        after = draft.after
        if after.actor == TERMINAL:
            draft.record(RecordKind.FINISHED)
        elif after.actor == CHANCE:
            rolls += 1
            if not _roll(draft, rolls):
                return
        else:
            rolls = 0
            due = after.seats_to_act & after.served
            if not due:
                return
            seat = (due & -due).bit_length() - 1
            code = decide(draft, seat)
            if code is None:
                return
            draft.record(ACTION, seat, code)


def end_if_over(draft: Draft) -> None:
    """After a seat has given up: end the match where that leaves one seat."""
    with RULES:
        over = draft.outcome() is not None
    if over and draft.after.state is MatchState.ACTIVE:
        draft.record(RecordKind.FINISHED)


def _roll(draft: Draft, rolls: int) -> bool:
    """Give the chance node its outcome; False where the host's is awaited."""
    after = draft.after
    with RULES:
        if rolls > ROLLS_IN_A_ROW:
            raise BrokenRules("chance without end")
        outcomes = after.game_state.chance()
        if not outcomes:
            raise BrokenRules("a chance node without outcomes")
        if draft.header.policy.chance is not ChanceSource.HOST:
            code = outcome(draft.seed, draft.header.chance_uid, after.plies, outcomes)
            kind = RecordKind.CHANCE
        elif not after.waiting:
            return False
        else:
            code, kind = after.waiting[0], RecordKind.OUTCOME_PROVIDED
            if code not in [possible for possible, _ in outcomes]:
                after.waiting = ()
                return False
            after.waiting = after.waiting[1:]
    draft.record(kind, -1, code)
    return True
