"""Outcomes of chance that the host supplies: real dice on a real table, or a script. Planned on a draft.

Outcomes wait, in order, for the chance nodes to come. One that is not possible at its node is dropped, with all behind
it, and the node waits for the host again.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine_service.errors import ActionRefused, ChanceNotAwaited, InvalidField, LimitReached, MatchEnded
from engine_service.limits import Limits
from engine_service.log.records import RecordKind
from engine_service.matches.draft import Draft
from engine_service.matches.play import CODE_LIMIT, Decider, settle
from engine_service.model import ChanceSource


def supply(draft: Draft, codes: Sequence[int], decide: Decider, limits: Limits) -> int:
    """Queue outcomes and use those whose node is there; returns how many still wait.

    Raises ActionRefused where one is not possible at a node that is reached at once, and ChanceNotAwaited, MatchEnded,
    InvalidField, LimitReached; nothing is kept of the call then.
    """
    after = draft.after
    if draft.header.policy.chance is not ChanceSource.HOST:
        raise ChanceNotAwaited("the outcomes of this match come from its seed")
    if after.state.ended:
        raise MatchEnded()
    if not codes:
        raise InvalidField.one("codes", "at least one outcome is needed")
    if any(not -CODE_LIMIT <= code < CODE_LIMIT for code in codes):
        raise InvalidField.one("codes", "not 32-bit numbers")
    if len(after.waiting) + len(codes) > limits.waiting_outcomes:
        raise LimitReached(
            "waiting_outcomes", limits.waiting_outcomes, f"at most {limits.waiting_outcomes} outcomes may wait"
        )
    after.waiting = (*after.waiting, *codes)
    if draft.awaits_chance:
        settle(draft, decide)
        used = sum(record.kind is RecordKind.OUTCOME_PROVIDED for record in draft.records)
        if draft.awaits_chance and used < len(codes):
            code = codes[used]
            raise ActionRefused(f"outcome {code} is not possible at this chance node", "NOT_AN_OUTCOME", code)
    return len(after.waiting)
