"""``python -m omnilude.arena.launch MEMORY_MB PROGRAM ARGUMENT...``: run a program with a memory limit.

The limit is one on address space (RLIMIT_AS), in MiB. Child processes of the program inherit it, each with the same
limit.
"""

from __future__ import annotations

import os
import resource
import sys


def main(arguments: list[str]) -> None:
    """Set the limit and replace this process by the program. Raises OSError if there is no such program."""
    size = int(arguments[0]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    os.execvp(arguments[1], arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
