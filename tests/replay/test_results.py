"""Results of matches."""

from __future__ import annotations

import pytest

from cext.state import State
from engine_service.log.results import empty_result, final_result
from engine_service.match_enums import EndReason
from engine_service.model import Result
from gamepacks.api.types import Capabilities


class End(State):
    """The end of some game."""

    def __init__(self, returns: tuple[float, ...] | None) -> None:
        self.end = returns

    def actor(self) -> int:
        return 0 if self.end is None else -3

    def returns(self) -> tuple[float, ...]:
        assert self.end is not None
        return self.end


CARD = Capabilities(min_players=1, max_players=9, chance=False, hidden=False, simultaneous=False, max_plies=9)
PACK_GUARD, FORFEIT = EndReason.RULES, EndReason.FORFEIT


@pytest.mark.parametrize(
    ("returns", "players", "out", "expected"),
    [
        (None, 2, [], None),
        (None, 3, [1], None),
        (None, 2, [0], Result((-1.0, 1.0), (2, 1), FORFEIT)),
        (None, 2, [0, 1], Result((-1.0, -1.0), (1, 1), FORFEIT)),
        (None, 4, [0, 3, 2], Result((-1.0, 1.0, -1.0, -1.0), (2, 1, 2, 2), FORFEIT)),
        (None, 1, [0], Result((-1.0,), (1,), FORFEIT)),
        (None, 1, [], None),
        ((0.5,), 1, [], Result((0.5,), (1,), PACK_GUARD)),
        ((1.0, -1.0), 2, [], Result((1.0, -1.0), (1, 2), PACK_GUARD)),
        ((0.0, 0.0), 2, [], Result((0.0, 0.0), (1, 1), PACK_GUARD)),
        ((0.25, -1.0, 0.25, 0.5), 4, [], Result((0.25, -1.0, 0.25, 0.5), (2, 4, 2, 1), PACK_GUARD)),
        # Whatever the stand-in won, the seat that forfeited is last; and it is behind one that lost by the rules.
        ((1.0, -1.0, 0.0), 3, [0], Result((-1.0, -1.0, 0.0), (3, 2, 1), PACK_GUARD)),
        ((1.0, 0.5, 0.0, -1.0), 4, [0, 1], Result((-1.0, -1.0, 0.0, -1.0), (3, 3, 1, 2), PACK_GUARD)),
        ((1, 0), 2, [], Result((1.0, 0.0), (1, 2), PACK_GUARD)),
    ],
)
def test_places_and_returns_of_results(
    returns: tuple[float, ...] | None, players: int, out: list[int], expected: Result | None
) -> None:
    result = final_result(End(returns), players, out, CARD)
    assert result == expected
    assert result is None or all(type(won) is float for won in result.returns)


def test_match_can_end_without_a_result() -> None:
    assert empty_result(EndReason.CANCELLED) == Result((), (), EndReason.CANCELLED)
