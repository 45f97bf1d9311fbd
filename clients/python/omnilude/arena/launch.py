"""``python -m omnilude.arena.launch MEMORY_MB PROGRAM ARGUMENT...``: become a program whose memory is bounded.

The bound is on its address space (RLIMIT_AS), in MiB, and is inherited by the processes that it starts, each for
itself.
"""

from __future__ import annotations

import os
import resource
import sys


def main(arguments: list[str]) -> None:
    """Set the limit and replace this process. Raises OSError where there is no such program."""
    size = int(arguments[0]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    os.execvp(arguments[1], arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
