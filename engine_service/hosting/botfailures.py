"""Counts what the service's bots fail at, and says which are not asked any more.

A failure is disruptive where others had to wait for it: the bot timed out, or its process ended. A bot is replaced in a
match after several failures there, or one disruptive failure. A bot with disruptive failures in match after match is
replaced everywhere until the service starts anew; an inline bot, for which everybody waits, after the first.
"""

from __future__ import annotations

from collections import OrderedDict

FAILURES = 3
"""A bot is replaced in a match once it has failed at so many decisions of one seat."""
DISRUPTIVE_FAILURES = 3
"""A bot in a worker process is replaced everywhere after so many disruptive failures without a choice in between."""
MATCHES = 10_000
"""Matches that failures are remembered of; the oldest go first."""


class BotFailures:
    """The counts of one service."""

    def __init__(self) -> None:
        self._in_match: OrderedDict[str, dict[int, int]] = OrderedDict()
        self._disruptive: dict[tuple[str, str], int] = {}
        self._everywhere: set[tuple[str, str]] = set()

    def replaced(self, game: str, bot: str, match: str, seat: int) -> bool:
        """Whether a bot is not to be asked."""
        if (game, bot) in self._everywhere:
            return True
        counts = self._in_match.get(match)
        return counts is not None and counts.get(seat, 0) >= FAILURES

    def add(self, game: str, bot: str, match: str, seat: int, *, disruptive: bool, inline: bool) -> str:
        """Count a decision that a bot did not make. Returns where it is replaced from now on, for the log, or ""."""
        counts = self._in_match.setdefault(match, {})
        if len(self._in_match) > MATCHES:
            self._in_match.popitem(last=False)
        counts[seat] = FAILURES if disruptive else counts.get(seat, 0) + 1
        if disruptive:
            count = self._disruptive[game, bot] = self._disruptive.get((game, bot), 0) + 1
            if inline or count >= DISRUPTIVE_FAILURES:
                self._everywhere.add((game, bot))
                return "in all matches until the service starts anew"
        return f"for seat {seat} in {match}" if counts[seat] == FAILURES else ""

    def succeeded(self, game: str, bot: str) -> None:
        """A bot in a worker process has chosen."""
        self._disruptive.pop((game, bot), None)

    def forget(self, match: str) -> None:
        """A match has ended."""
        self._in_match.pop(match, None)
