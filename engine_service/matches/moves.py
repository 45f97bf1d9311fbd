"""Moves of players: who may make one, for which decision, and what is a move sent again."""

from __future__ import annotations

from bisect import bisect_left

from google.protobuf.message import Message

from engine_service.errors import ActionRefused, MatchEnded, MatchNotStarted, NotYourTurn, StaleSequence
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import Decider, act, check_legal, read_move
from engine_service.matches.progress import ACTION
from engine_service.matches.requests import Answer
from engine_service.model import MatchState, Submitted
from engine_service.stats import Stats
from gamepacks.api.types import Code, Viewer

_STATES = {int(state): state for state in MatchState}  # quicker than calling the enum


class Moves:
    """Plans moves."""

    def __init__(self, stats: Stats, decide: Decider) -> None:
        self._stats = stats
        self._decide = decide

    def plan(
        self,
        draft: Draft,
        live: LiveMatch,
        seat: int,
        move: int | Message,
        expected_seq: int | None,
        validate_only: bool = False,
    ) -> Answer:
        """A move of a seat: the fields of :class:`Submitted`, with the match's own numbers.

        ``expected_seq`` is the seat's number.
        A move for a decision that the same seat has answered with the same code gets the first answer again. Raises
        MatchNotStarted, MatchEnded, StaleSequence, NotYourTurn, MalformedMessage, InvalidField, ActionRefused.
        """
        after = draft.after
        if after.state is MatchState.WAITING:
            raise MatchNotStarted()
        owes = (after.seats_to_act & ~after.served) >> seat & 1
        if expected_seq is not None:
            expected_seq = live.numbering.last(seat, expected_seq)
        if expected_seq is not None and not (owes and expected_seq == after.decision_seq):
            first = self._answered(draft, live, seat, move, expected_seq)
            if first is not None:
                return first
            if not after.state.ended and expected_seq != after.decision_seq:
                raise StaleSequence(live.numbering.told(seat, live.told_until(Viewer(seat))))
        if after.state.ended:
            raise MatchEnded()
        if not owes:
            raise NotYourTurn(seat)
        try:
            code = read_move(draft, seat, move)
            check_legal(draft, seat, code)
        except ActionRefused:
            self._stats.refused_actions += 1
            raise
        seq = after.seq if validate_only else act(draft, seat, code, self._decide)
        return seq, draft.after.seq, int(draft.after.state), code

    def _answered(
        self, draft: Draft, live: LiveMatch, seat: int, move: int | Message, expected_seq: int
    ) -> Answer | None:
        """The first answer to a move that is sent again; None where it is another."""
        points = live.points
        at = bisect_left(points, expected_seq)
        if at == len(points) or points[at] != expected_seq:
            return None
        until = points[at + 1] if at + 1 < len(points) else draft.after.seq
        for record in live.log.after(expected_seq, until - expected_seq):
            if record.kind is ACTION and record.seat == seat:
                try:
                    same = read_move(draft, seat, move) == record.code
                except ActionRefused:
                    return None
                return (record.seq, until, int(draft.after.state), record.code) if same else None
        return None


def submitted(live: LiveMatch, viewer: int, answer: Answer) -> Submitted:
    """An answer in words, with the viewer's numbers."""
    action_seq, seq, state, code = answer
    told = live.numbering.told
    return Submitted(told(viewer, action_seq), told(viewer, seq), _STATES[state], Code(code))
