"""The examples run as printed, except for the address of the service."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.server import Running
from tests.support.waiting import until

EXAMPLES = Path(__file__).parents[2] / "examples"


async def run_example(name: str, service: Running, tmp_path: Path) -> str:
    """Run an example; returns its output. It must exit with 0 and print nothing to standard error."""
    source = (EXAMPLES / name).read_text(encoding="utf-8")
    assert source.count('"localhost:7878"') == 1
    script = tmp_path / name
    script.write_text(source.replace("localhost:7878", service.target), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", str(script), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await process.communicate()
    assert (process.returncode, err.decode()) == (0, "")
    return out.decode()


def test_ten_line_bot_has_ten_lines() -> None:
    """Counts lines without the docstring, the guard and blank lines."""
    lines = (EXAMPLES / "ten_line_bot.py").read_text(encoding="utf-8").splitlines()[1:]
    code = [line for line in lines if line.strip()]
    assert len(code) <= 10


async def test_ten_line_bot_plays(service: Running, tmp_path: Path) -> None:
    lines = (await run_example("ten_line_bot.py", service, tmp_path)).splitlines()
    assert len(lines) == 3
    assert all(line.startswith("matches/") and line.endswith(("place 1", "place 2")) for line in lines)


async def test_watching_example_prints_the_whole_match(service: Running, tmp_path: Path) -> None:
    lines = (await run_example("watch_match.py", service, tmp_path)).splitlines()
    events, places = lines[:-2], lines[-2:]
    assert [int(line.split()[0]) for line in events] == list(range(1, len(events) + 1))
    assert sorted(place[0] for place in places) == ["1", "2"]


async def test_remote_search_bot_plays(service: Running, tmp_path: Path) -> None:
    (line,) = (await run_example("remote_search_bot.py", service, tmp_path)).splitlines()
    assert line.startswith("matches/") and line.endswith(("place 1", "place 2"))


async def test_ctrl_c_ends_a_bot_that_waits_for_invitations(service: Running, tmp_path: Path) -> None:
    source = (EXAMPLES / "ten_line_bot.py").read_text(encoding="utf-8").partition('if __name__ == "__main__":')[0]
    script = tmp_path / "waiting.py"
    script.write_text(f'{source}\nprint(run(MyBot(), "{service.target}"))\n', encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", str(script), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    await until(lambda: service.server.streams == 1)
    process.send_signal(signal.SIGINT)
    out, err = await process.communicate()
    assert (process.returncode, out.decode(), err.decode()) == (0, "[]\n", "")
