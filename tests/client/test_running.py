"""``run``: as often as one likes in one process, in any thread."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.support.server import Running

SCRIPT = """
import random, sys, threading
from omnilude import Bot, run

class Any(Bot):
    def choose(self, turn):
        return random.choice(turn.codes)

def once():
    (played,) = run(Any(), sys.argv[1], game="ominoes", against=["greedy"], options={"target": 2})
    print(played.place)

for _ in range(4):
    once()
other = threading.Thread(target=once)
other.start()
other.join()
"""


async def test_runs_one_after_the_other_say_nothing(service: Running, tmp_path: Path) -> None:
    """gRPC used to print that the event loop of an earlier run is closed."""
    script = tmp_path / "bots.py"
    script.write_text(SCRIPT, encoding="utf-8")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), service.target, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(60):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode, err.decode()) == (0, "")
    assert len(out.split()) == 5
