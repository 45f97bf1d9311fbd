"""Returns of seats by the convention of the packs: zero-sum, from -1 to 1, for any number of seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def share_win(players: int, winners: Collection[int]) -> tuple[float, ...]:
    """Compute the returns if ``winners`` (seats) share the win of ``players`` seats.

    With n seats and k winners each winner gets (n/k - 1)/(n - 1), each other seat -1/(n - 1); nothing is won where
    there is one player alone, or where nobody or everybody wins.
    """
    if players < 2 or not winners or len(winners) == players:
        return (0.0,) * players
    won = (players / len(winners) - 1) / (players - 1)
    lost = -1 / (players - 1)
    return tuple(won if seat in winners else lost for seat in range(players))


def win_shares(returns: Sequence[float]) -> tuple[float, ...]:
    """Compute the share of the win of each seat, 1 in all: the inverse of :func:`share_win`, for a finished match."""
    players = len(returns)
    return tuple((value * (players - 1) + 1) / players for value in returns)
