"""Loads installed packs in probe processes first, to find out what they do to their process.

An error can be caught where it is raised. What cannot be undone afterwards is a pack that ends its process, hangs,
changes how signals are handled or leaves a thread behind; so such a pack must not come into the service's process.
"""

from __future__ import annotations

import faulthandler
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

START_SECONDS = 60.0
"""Time limit for a probe process to reach the pack, from where the time limit for the pack counts."""
THREAD_SECONDS = 1.0
"""Time limit for the end of threads that a pack started while it was loaded."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR2)
"""The first two end the service; the third stops rules that do not return."""
_FRAME = re.compile(r'  File "(?P<path>.+)", line (?P<line>\d+) in ')
_START = "import json, sys; given = json.loads(sys.argv[1]); sys.path[:] = given.pop('path'); "
_PROGRAM = _START + "from gamepacks.api.registry import load_in_probe; load_in_probe(**given)"


@dataclass(frozen=True, slots=True)
class LoadFault:
    """Reason why a pack cannot be loaded, as in :class:`~gamepacks.api.registry.BrokenPack`."""

    error: str
    where: str
    message: str


def probe(packs: Sequence[tuple[str, str]], seconds: float) -> Mapping[tuple[str, str], LoadFault]:
    """Load packs, each in a process of its own, all side by side; returns the faults of those that are broken.

    ``packs`` are names of entry points and their distributions. ``seconds`` is how long each may take to be loaded.
    """
    if not packs:
        return {}
    with tempfile.TemporaryDirectory(prefix="omnilude-probe-") as folder:
        probes = {
            pack: _Probe(*pack, report=Path(folder, f"{number}.json"), seconds=seconds)
            for number, pack in enumerate(packs)
        }
        faults = {pack: started.fault() for pack, started in probes.items()}
    return {pack: fault for pack, fault in faults.items() if fault is not None}


class _Probe:
    """A probe process, as the service controls it."""

    def __init__(self, name: str, distribution: str, report: Path, seconds: float) -> None:
        self._report = report
        self._places = report.with_suffix(".txt")
        self._seconds = seconds
        given = {
            "path": sys.path,
            "name": name,
            "distribution": distribution,
            "report": str(report),
            "places": str(self._places),
            "seconds": seconds,
        }
        self._deadline = time.monotonic() + START_SECONDS + seconds
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, json.dumps(given)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def fault(self) -> LoadFault | None:
        """Wait for its end; returns what is wrong with the pack, or None."""
        process = self._process
        ended = True
        try:
            process.wait(max(0.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            ended = False
        finally:
            # Whatever the pack has started belongs to its session.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        places = self._places.read_text() if self._places.exists() else ""
        timed_out = not ended or bool(places)
        try:
            reported = json.loads(self._report.read_text())
        except FileNotFoundError:
            if timed_out:
                return LoadFault("TimeoutError", _place(places), f"it was not loaded within {self._seconds:g} s")
            return LoadFault("ProcessEnded", "?", f"it ends its process, with {_status(process.returncode)}")
        if reported is not None:
            return LoadFault(**reported)
        if timed_out:
            return LoadFault("TimeoutError", _place(places), "its process does not end")
        return None


def _place(places: str) -> str:
    """The line that the main thread had reached when time was up: ``rules.py:31``."""
    # The main thread comes last, its innermost frame first.
    found = _FRAME.search(places.split("\n\n")[-1])
    return "?" if found is None else f"{Path(found['path']).name}:{found['line']}"


def _status(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


# -- in the probe process ----------------------------------------------------------------------------------------------


def inspect_load(load: Callable[[], object], describe: Callable[[BaseException], LoadFault]) -> LoadFault | None:
    """Load a pack, and check what that has changed in this process."""
    handlers, blocked = _handlers(), _blocked()
    before = set(threading.enumerate())
    try:
        load()
    except BaseException as error:
        return describe(error)
    changed = sorted(number.name for number, handler in _handlers().items() if handlers[number] != handler)
    changed += sorted(number.name for number in _blocked() - blocked)
    if changed:
        return LoadFault("SignalsChanged", "?", f"it changes the handlers of {', '.join(changed)}")
    deadline = time.monotonic() + THREAD_SECONDS
    left = []
    for thread in set(threading.enumerate()) - before:
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            left.append(thread.name)
    if left:
        return LoadFault("ThreadLeft", "?", f"it leaves threads running: {', '.join(sorted(left))}")
    if children := multiprocessing.active_children():
        names = ", ".join(sorted(child.name for child in children))
        return LoadFault("ProcessLeft", "?", f"it leaves processes running: {names}")
    return None


def limit_time(places: str, seconds: float) -> TextIO:
    """Write the stacks of all threads to the file and end the process when the time is up. The file must stay open."""
    file = Path(places).open("w")  # noqa: SIM115 - it is for whenever time is up
    faulthandler.dump_traceback_later(seconds, exit=True, file=file)
    return file


def write_report(report: str, fault: LoadFault | None) -> None:
    """Say whether the pack can be loaded; the file appears whole or not at all.

    With a fault the process ends here, whatever the pack has left running. Without one it must still end by itself.
    """
    unfinished = Path(f"{report}.part")
    unfinished.write_text(json.dumps(None if fault is None else asdict(fault)))
    unfinished.rename(report)
    if fault is not None:
        os._exit(0)


def _handlers() -> dict[signal.Signals, Any]:
    return {number: signal.getsignal(number) for number in SIGNALS}


def _blocked() -> set[signal.Signals]:
    return {number for number in SIGNALS if number in signal.pthread_sigmask(signal.SIG_BLOCK, [])}
