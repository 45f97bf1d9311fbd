"""The checker of histories finds each kind of fault."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.chaos.history import ClientHistory

STORED = [7, 8, 7, 9]


def right() -> ClientHistory:
    return ClientHistory("ada", list(STORED), reads=[0, 2, 2, 5], streams=[[1, 2], [], [3, 4, 5]])


def test_correct_history_has_no_faults() -> None:
    assert right().faults(STORED) == []
    assert ClientHistory("bob").faults([]) == []


def lost(history: ClientHistory) -> None:
    history.acknowledged.append(3)


def lost_of_two_equal(history: ClientHistory) -> None:
    history.acknowledged.insert(0, 7)


def doubled(history: ClientHistory) -> None:
    history.acknowledged.remove(8)


def reordered(history: ClientHistory) -> None:
    history.acknowledged[:2] = [8, 7]


def read_backwards(history: ClientHistory) -> None:
    history.reads.append(4)


def stream_backwards(history: ClientHistory) -> None:
    history.streams[0].append(1)


def repeated_after_reconnection(history: ClientHistory) -> None:
    history.streams[2].insert(0, 2)


def skipped(history: ClientHistory) -> None:
    history.streams[2].remove(4)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lost, "ada: acknowledged actions are not in the log: [3]"),
        (lost_of_two_equal, "ada: acknowledged actions are not in the log: [7]"),
        (doubled, "ada: actions are in the log more often than they were acknowledged: [8]"),
        (reordered, "ada: acknowledged actions are in another order in the log, from number 0 on"),
        (read_backwards, "ada: a read saw record 4 after one that saw 5"),
        (stream_backwards, "ada: stream 0 was sent event 1 after 2"),
        (repeated_after_reconnection, "ada: stream 2 was sent event 2 after 2"),
        (skipped, "ada: stream 2 was sent event 5 after 3"),
    ],
)
def test_fault_is_found(spoil: Callable[[ClientHistory], None], fault: str) -> None:
    history = right()
    spoil(history)
    assert fault in history.faults(STORED)
