"""The line of play and the result: against a slow oracle, and by example."""

from __future__ import annotations

import pytest

from cext.random import Rng
from cext.state import State
from engine_service.log.line import Line, effective_line, ended_without, final_result
from engine_service.log.records import STEPS, Record, RecordKind
from engine_service.model import EndReason, Result
from gamepacks.api.types import Capabilities


def line_after(log: list[Record], seq: int) -> list[int]:
    """The oracle: the line after record ``seq`` is that after its target for UNDONE, else one step longer or equal."""
    if seq == 0:
        return []
    record = log[seq - 1]
    before = line_after(log, seq - 1)
    if record.kind is RecordKind.UNDONE:
        return line_after(log, record.to_seq)
    return [*before, seq] if record.kind in STEPS else before


def random_log(rng: Rng, length: int) -> list[Record]:
    kinds = [RecordKind.ACTION, RecordKind.ACTION, RecordKind.CHANCE, RecordKind.OUTCOME_PROVIDED, RecordKind.RESIGNED]
    line = Line()
    log: list[Record] = []
    for seq in range(1, length + 1):
        targets = [target for target in range(seq) if line.can_return_to(target)]
        if targets and rng.below(4) == 0:
            log.append(Record(seq, RecordKind.UNDONE, to_seq=rng.choice(targets)))
        else:
            log.append(Record(seq, rng.choice(kinds)))
        line.push(log[-1])
    return log


@pytest.mark.parametrize("seed", range(30))
def test_the_line_agrees_with_the_oracle(seed: int) -> None:
    log = random_log(Rng(seed), 40)
    line = Line()
    for record in log:
        line.push(record)
        present = line_after(log, record.seq)
        assert [step.seq for step in line.steps] == present
        for target in range(record.seq + 3):
            # Play can go back to where the line was a true beginning of what it is now.
            then = line_after(log, target) if 1 <= target <= record.seq else present
            possible = len(then) < len(present) and present[: len(then)] == then
            assert line.can_return_to(target) == possible, (target, record.seq)
    assert effective_line(log) == line.steps


def test_going_back_twice_to_the_same_place_takes_back_both_times() -> None:
    kinds = [RecordKind.ACTION] * 3
    log = [Record(seq, kind) for seq, kind in enumerate(kinds, 1)]
    log.append(Record(4, RecordKind.UNDONE, to_seq=1))
    log.append(Record(5, RecordKind.ACTION))
    log.append(Record(6, RecordKind.UNDONE, to_seq=1))
    assert [step.seq for step in effective_line(log)] == [1]
    assert not Line(log).can_return_to(1)
    assert not Line(log).can_return_to(2)


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
RULES, FORFEIT = EndReason.RULES, EndReason.FORFEIT


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
        ((0.5,), 1, [], Result((0.5,), (1,), RULES)),
        ((1.0, -1.0), 2, [], Result((1.0, -1.0), (1, 2), RULES)),
        ((0.0, 0.0), 2, [], Result((0.0, 0.0), (1, 1), RULES)),
        ((0.25, -1.0, 0.25, 0.5), 4, [], Result((0.25, -1.0, 0.25, 0.5), (2, 4, 2, 1), RULES)),
        # Whatever the stand-in won, the seat that forfeited is last; and it is behind one that lost by the rules.
        ((1.0, -1.0, 0.0), 3, [0], Result((-1.0, -1.0, 0.0), (3, 2, 1), RULES)),
        ((1.0, 0.5, 0.0, -1.0), 4, [0, 1], Result((-1.0, -1.0, 0.0, -1.0), (3, 3, 1, 2), RULES)),
        ((1, 0), 2, [], Result((1.0, 0.0), (1, 2), RULES)),
    ],
)
def test_results(returns: tuple[float, ...] | None, players: int, out: list[int], expected: Result | None) -> None:
    result = final_result(End(returns), players, out, CARD)
    assert result == expected
    assert result is None or all(type(won) is float for won in result.returns)


def test_a_match_can_end_without_a_result() -> None:
    assert ended_without(EndReason.CANCELLED) == Result((), (), EndReason.CANCELLED)
