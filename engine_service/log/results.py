"""Results of matches: computed from the final state, and encoded for rows and replays."""

from __future__ import annotations

from collections.abc import Collection

from cext.state import State
from engine_service.match_enums import EndReason
from engine_service.model import Result
from gamepacks.api.types import TERMINAL, Capabilities
from omnilude.v1.match_pb2 import MatchResult


def final_result(state: State, players: int, out: Collection[int], card: Capabilities) -> Result | None:
    """Returns the result of a match whose play is over; None before. ``out`` are the seats that have forfeited.

    Play is over by the rules, or when all seats but one have forfeited. A seat that has forfeited gets the minimum
    return of the game and the last place, whatever the bot that replaced it has achieved; so returns need not add up to
    0.
    """
    if out and players - len(out) <= 1:
        returns = tuple(card.min_return if seat in out else card.max_return for seat in range(players))
        return Result(returns, _places(returns, out), EndReason.FORFEIT)
    if state.actor() != TERMINAL:
        return None
    returns = tuple(card.min_return if seat in out else float(won) for seat, won in enumerate(state.returns()))
    return Result(returns, _places(returns, out), EndReason.RULES)


def empty_result(reason: EndReason) -> Result:
    """Returns the result of a match that was cancelled or ended by a fault of its pack: no returns and no places."""
    return Result((), (), reason)


def _places(returns: tuple[float, ...], out: Collection[int]) -> tuple[int, ...]:
    """Returns places from 1; equal returns share the better place, and seats that have forfeited share the last one."""
    worth = [(seat not in out, won) for seat, won in enumerate(returns)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def result_bytes(result: Result) -> bytes:
    """Encode a result as a serialised MatchResult."""
    message = MatchResult(returns=result.returns, places=result.places, reason=int(result.reason))  # type: ignore[arg-type]
    return message.SerializeToString(deterministic=True)


def result_of(data: bytes) -> Result:
    """Decode a serialised MatchResult."""
    message = MatchResult.FromString(data)
    return Result(tuple(message.returns), tuple(message.places), EndReason(message.reason))
