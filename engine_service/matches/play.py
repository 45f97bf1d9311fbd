"""The flow of play, planned on a draft.

:class:`ActionPlanner` checks and plans an action that a player submits. After each action, :func:`continue_play`
resolves chance nodes, decides for the service seats, and ends the game, until a player has to decide. Outcomes
of chance that a host provides (:func:`provide_outcomes`) are queued, in order, for the chance nodes to come; an outcome
that is impossible at its node is dropped with all behind it, and the node waits for the host again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from google.protobuf.any_pb2 import Any
from google.protobuf.message import DecodeError, Message

from cext.chance import outcome
from engine_service.errors import (
    ActionRefused,
    ChanceNotAwaited,
    InvalidField,
    LimitReached,
    MalformedMessage,
    MatchEnded,
    MatchNotStarted,
    NotYourTurn,
    StaleSequence,
)
from engine_service.limits import Limits
from engine_service.log.header import PACK_MESSAGE_BYTES
from engine_service.match_enums import ChanceSource, MatchState, RecordKind
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer
from engine_service.matches.snapshot import ACTION, MatchSnapshot
from engine_service.model import Submitted, has_ended
from engine_service.observability.stats import Stats
from engine_service.pack_guard import PACK_GUARD, ContractViolated
from gamepacks.api.errors import IllegalAction, InvalidMessage
from gamepacks.api.types import CHANCE, TERMINAL, Code, Seat, Viewer

if TYPE_CHECKING:
    from engine_service.matches.match import LiveMatch

ROLLS_IN_A_ROW = 10_000
"""Maximum number of chance nodes in a row; more are a fault of the pack."""
CODE_LIMIT = 1 << 31
MAX_ENTRIES = 4_096
"""Maximum number of entries of all lists in one message of a pack."""


class BotDecider(Protocol):
    """Decides for a service seat, if that can be done at once."""

    def __call__(self, draft: Draft, seat: int) -> Code | None:
        """Returns a legal code; None if the seat cannot decide at once."""
        ...


def parse_action(draft: Draft, seat: int, action: int | Message) -> Code:
    """Returns the code of an action that was given as a code, as the pack's action message, or as an Any that holds
    one.

    Raises MalformedMessage, InvalidField, ActionRefused (the message means no action).
    """
    if isinstance(action, int):
        if not -CODE_LIMIT <= action < CODE_LIMIT:
            raise InvalidField.one("code", "must be a 32-bit number")
        return Code(action)
    message = unpack(action, draft.game.messages.action, "typed_action")
    with PACK_GUARD:
        try:
            return Code(int(draft.game.parse(draft.after.game_state, Seat(seat), message)))
        except IllegalAction as refusal:
            raise ActionRefused(refusal.message, refusal.reason, None, refusal.details) from None
        except InvalidMessage as wrong:
            raise MalformedMessage.of(*wrong.faults) from None


def entries_in(message: Message) -> int:
    """Returns the number of entries of all lists in a message, nested ones included; stops counting above the limit."""
    count, found = 0, [message]
    while found and count <= MAX_ENTRIES:
        for field, value in found.pop().ListFields():
            if field.is_repeated:
                count += len(value)
            if field.message_type is None or count > MAX_ENTRIES:
                continue
            if not field.is_repeated:
                found.append(value)
            elif isinstance(value, Mapping):
                found += [entry for entry in value.values() if isinstance(entry, Message)]
            else:
                found += value
    return count


def unpack(given: Message, wanted: type[Message], field: str) -> Message:
    """Returns the pack's message that was given, directly or in an Any. Raises MalformedMessage, InvalidField (too
    long)."""
    if isinstance(given, wanted):
        return given
    if isinstance(given, Any):
        if len(given.value) > PACK_MESSAGE_BYTES:
            raise InvalidField.one(field, f"must have at most {PACK_MESSAGE_BYTES} bytes")
        message = wanted()
        try:
            unpacked = given.Unpack(message)
        except DecodeError:
            unpacked = False
        if unpacked:
            if entries_in(message) > MAX_ENTRIES:
                raise InvalidField.one(field, f"must have at most {MAX_ENTRIES} entries in all its lists together")
            return message
    raise MalformedMessage.one(field, f"must be a {wanted.DESCRIPTOR.full_name}")


def check_active(after: MatchSnapshot) -> None:
    """Check that the match is being played. Raises MatchNotStarted, MatchEnded."""
    if after.state is not MatchState.ACTIVE:
        raise MatchEnded() if has_ended(after.state) else MatchNotStarted()


def check_legal(draft: Draft, seat: int, code: Code) -> None:
    """Check that the seat may take this code now. Raises ActionRefused with the pack's reason."""
    state = draft.after.game_state
    with PACK_GUARD:
        if state.is_legal(code, seat):
            return
        refusal = draft.game.why_illegal(state, code, seat)
        raise ActionRefused(refusal.message, refusal.reason, code, refusal.details)


def start_play(draft: Draft, decide: BotDecider) -> None:
    """Begin play."""
    draft.record(RecordKind.STARTED)
    continue_play(draft, decide)


def take_action(draft: Draft, seat: int, code: Code, decide: BotDecider) -> int:
    """Take a legal action and continue play; returns the action's seq."""
    seq = draft.record(ACTION, seat, code)
    continue_play(draft, decide)
    return seq


def continue_play(draft: Draft, decide: BotDecider) -> None:
    """Continue until a decision is pending that the service does not make at once, chance is awaited, or play is
    over."""
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
            due = after.seats_to_act & after.service_seats
            if not due:
                return
            seat = (due & -due).bit_length() - 1
            code = decide(draft, seat)
            if code is None:
                return
            draft.record(ACTION, seat, code)


def end_if_over(draft: Draft) -> None:
    """End the match if it is over now that a seat is out."""
    with PACK_GUARD:
        over = draft.outcome() is not None
    if over and draft.after.state is MatchState.ACTIVE:
        draft.record(RecordKind.FINISHED)


def _roll(draft: Draft, rolls: int) -> bool:
    """Resolve the present chance node; returns False if an outcome of the host is awaited."""
    after = draft.after
    with PACK_GUARD:
        if rolls > ROLLS_IN_A_ROW:
            raise ContractViolated(f"more than {ROLLS_IN_A_ROW} chance nodes in a row")
        outcomes = after.game_state.chance()
        if not outcomes:
            raise ContractViolated("a chance node has no outcomes")
        if draft.header.policy.chance is not ChanceSource.HOST:
            code = outcome(draft.seed, draft.header.chance_uid, after.plies, outcomes)
            kind = RecordKind.CHANCE
        elif not after.queued_outcomes:
            return False
        else:
            code, kind = after.queued_outcomes[0], RecordKind.OUTCOME_PROVIDED
            if code not in [possible for possible, _ in outcomes]:
                after.queued_outcomes = ()
                return False
            after.queued_outcomes = after.queued_outcomes[1:]
    draft.record(kind, -1, code)
    return True


_STATES = {int(state): state for state in MatchState}  # quicker than calling the enum


class ActionPlanner:
    """Plans the actions that players submit."""

    def __init__(self, stats: Stats, decide: BotDecider) -> None:
        self._stats = stats
        self._decide = decide

    def plan(
        self,
        draft: Draft,
        live: LiveMatch,
        seat: int,
        action: int | Message,
        expected_seq: int | None,
        validate_only: bool = False,
    ) -> Answer:
        """Plan an action of a seat; returns the fields of :class:`Submitted`, with the match's own numbers.

        ``expected_seq`` is the seat's number. If the same seat has answered that decision with the same code before,
        the first answer is returned again. Raises MatchNotStarted, MatchEnded, StaleSequence, NotYourTurn,
        MalformedMessage, InvalidField, ActionRefused.
        """
        after = draft.after
        if after.state is MatchState.WAITING:
            raise MatchNotStarted()
        must_act = (after.seats_to_act & ~after.service_seats) >> seat & 1
        if expected_seq is not None:
            expected_seq = live.numbering.match_seq(seat, expected_seq)
        if expected_seq is not None and not (must_act and expected_seq == after.decision_seq):
            first = self._answered(draft, live, seat, action, expected_seq)
            if first is not None:
                return first
            if not has_ended(after.state) and expected_seq != after.decision_seq:
                raise StaleSequence(live.numbering.viewer_seq(seat, live.visible_seq(Viewer(seat))))
        if has_ended(after.state):
            raise MatchEnded()
        if not must_act:
            raise NotYourTurn(seat)
        try:
            code = parse_action(draft, seat, action)
            check_legal(draft, seat, code)
        except ActionRefused:
            self._stats.refused_actions += 1
            raise
        seq = after.seq if validate_only else take_action(draft, seat, code, self._decide)
        return seq, draft.after.seq, int(draft.after.state), code

    def _answered(
        self, draft: Draft, live: LiveMatch, seat: int, action: int | Message, expected_seq: int
    ) -> Answer | None:
        """Returns the first answer to an action that is sent again; None if it is a new one."""
        points = live.decision_points
        at = bisect_left(points, expected_seq)
        if at == len(points) or points[at] != expected_seq:
            return None
        until = points[at + 1] if at + 1 < len(points) else draft.after.seq
        for record in live.log.after(expected_seq, until - expected_seq):
            if record.kind is ACTION and record.seat == seat:
                try:
                    same = parse_action(draft, seat, action) == record.code
                except ActionRefused:
                    return None
                return (record.seq, until, int(draft.after.state), record.code) if same else None
        return None


def submitted(live: LiveMatch, viewer: int, answer: Answer) -> Submitted:
    """Returns an answer as Submitted, with the viewer's numbers."""
    action_seq, seq, state, code = answer
    viewer_seq = live.numbering.viewer_seq
    return Submitted(viewer_seq(viewer, action_seq), viewer_seq(viewer, seq), _STATES[state], Code(code))


def provide_outcomes(draft: Draft, codes: Sequence[int], decide: BotDecider, limits: Limits) -> int:
    """Queue outcomes and use those whose node is reached; returns how many are still queued.

    Raises ActionRefused if one is impossible at a node that is reached at once, ChanceNotAwaited, MatchEnded,
    InvalidField, LimitReached; then the whole call has no effect.
    """
    after = draft.after
    if draft.header.policy.chance is not ChanceSource.HOST:
        raise ChanceNotAwaited("the outcomes of this match come from its seed")
    if has_ended(after.state):
        raise MatchEnded()
    if not codes:
        raise InvalidField.one("codes", "must have at least one outcome")
    if any(not -CODE_LIMIT <= code < CODE_LIMIT for code in codes):
        raise InvalidField.one("codes", "must be 32-bit numbers")
    if len(after.queued_outcomes) + len(codes) > limits.queued_outcomes:
        raise LimitReached(
            "queued_outcomes", limits.queued_outcomes, f"at most {limits.queued_outcomes} outcomes may be queued"
        )
    after.queued_outcomes = (*after.queued_outcomes, *codes)
    if draft.awaits_chance:
        continue_play(draft, decide)
        used = sum(record.kind is RecordKind.OUTCOME_PROVIDED for record in draft.records)
        if draft.awaits_chance and used < len(codes):
            code = codes[used]
            raise ActionRefused(f"outcome {code} is not possible at this chance node", "NOT_AN_OUTCOME", code)
    return len(after.queued_outcomes)
