"""Bots that play and bots that fail, for the tournaments of tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence

from google.protobuf.message import Message

from omnilude import Bot, Resign, Turn


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
    """Chooses an illegal action."""

    def choose(self, turn: Turn) -> int:
        return 0x7FFF_FFFF


class Forgetting(Bot):
    """Returns nothing."""

    def choose(self, turn: Turn) -> int:
        return None  # type: ignore[return-value]


class Misspelling(Bot):
    """Sends an action message that no action has."""

    def choose(self, turn: Turn) -> Message:
        return turn.bot_seat.game.messages.action()


class Exiting(Bot):
    """Ends its process at every third decision, or every FAIL_EVERY-th."""

    decisions = 0

    def choose(self, turn: Turn) -> int:
        self.decisions += 1
        if self.decisions % int(os.environ.get("FAIL_EVERY", "3")) == 0:
            os._exit(7)
        return turn.codes[0]


class Forking(Bot):
    """Starts ten processes at every third decision, or every FAIL_EVERY-th, and waits for them."""

    decisions = 0

    def choose(self, turn: Turn) -> int:
        self.decisions += 1
        if self.decisions % int(os.environ.get("FAIL_EVERY", "3")) == 0:
            children = [subprocess.Popen(["sleep", "60"]) for _ in range(10)]
            for child in children:
                child.wait()
        return turn.codes[0]


class Resigning(Bot):
    """Resigns at its first decision."""

    def choose(self, turn: Turn) -> int:
        raise Resign


class Hanging(Bot):
    """Never answers."""

    def choose(self, turn: Turn) -> int:
        time.sleep(3600)
        return turn.codes[0]


class Flooding(Bot):
    """Writes long lines and invalid reports to its standard output."""

    def choose(self, turn: Turn) -> int:
        sys.stdout.write("x" * 200_000 + "\n{\n[1]\n" + '{"match": 3, "failure": "played"}\n')
        sys.stdout.flush()
        return turn.codes[0]


class Allocating(Bot):
    """Allocates more memory than its limit."""

    kept: Sequence[bytearray] = ()

    def choose(self, turn: Turn) -> int:
        self.kept = [*self.kept, bytearray(1 << 30)]
        return turn.codes[0]
