"""Bots that behave, and bots that fail in every way, for tournaments of tests."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from omnilude import Bot, Turn


class First(Bot):
    """Takes the first legal action."""

    def choose(self, turn: Turn) -> int:
        return turn.codes[0]


class Any(Bot):
    """Takes any legal action."""

    def choose(self, turn: Turn) -> int:
        return turn.rng.choice(turn.codes)


class Raising(Bot):
    """Raises in each match."""

    def choose(self, turn: Turn) -> int:
        raise RuntimeError("no idea")


class Cheating(Bot):
    """Chooses what is not legal."""

    def choose(self, turn: Turn) -> int:
        return 0x7FFF_FFFF


class Exiting(Bot):
    """Ends its process, without a word, at its third decision."""

    decisions = 0

    def choose(self, turn: Turn) -> int:
        self.decisions += 1
        if self.decisions == 3:
            os._exit(7)
        return turn.codes[0]


class Hanging(Bot):
    """Never answers."""

    def choose(self, turn: Turn) -> int:
        time.sleep(3600)
        return turn.codes[0]


class Flooding(Bot):
    """Writes a great deal, and nonsense, on its standard output."""

    def choose(self, turn: Turn) -> int:
        sys.stdout.write("x" * 200_000 + "\n{\n[1]\n" + '{"match": 3, "failure": "played"}\n')
        sys.stdout.flush()
        return turn.codes[0]


class Greedy(Bot):
    """Takes more memory than it is allowed."""

    kept: Sequence[bytearray] = ()

    def choose(self, turn: Turn) -> int:
        self.kept = [*self.kept, bytearray(1 << 30)]
        return turn.codes[0]
