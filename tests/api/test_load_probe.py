"""Installed packs are loaded in a probe process first, so that they cannot harm the process of the service."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from gamepacks.api import PackError, Registry
from gamepacks.api import registry as registries
from tests.support.installed import install

GOOD = """
from gamepacks.api import hookimpl
from tests.support.games.sealed import SealedGame
@hookimpl
def omnilude_games():
    return [type("Installed", (SealedGame,), {"id": "installed"})]
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed distributions, on the path for this test."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("acme_games", "bad_games"):
        sys.modules.pop(name, None)


def add(folder: Path, distribution: str, pack: str, module: str, text: str) -> None:
    install(folder, distribution, "1.0", {pack: module})
    (folder / f"{module}.py").write_text(dedent(text))


def load(site: Path, module: str, seconds: float = 60) -> Registry:
    """The registry of a good pack and of a bad one, which is that module."""
    add(site, "acme-games", "acme", "acme_games", GOOD)
    add(site, "bad-games", "bad", "bad_games", module)
    registry = Registry.load(only=["acme", "bad"], probe_s=seconds)
    assert list(registry.games) == ["installed"], "the other pack is not harmed"
    assert "bad_games" not in sys.modules, "the bad one is not in this process"
    return registry


@pytest.mark.parametrize(
    ("module", "error", "where", "message"),
    [
        ("import os; os._exit(3)", "ProcessEnded", "?", "it ends its process, with status 3"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            "ProcessEnded",
            "?",
            "it ends its process, with signal SIGSEGV",
        ),
        (
            "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
            "SignalsChanged",
            "?",
            "it changes the handlers of SIGTERM",
        ),
        (
            "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])",
            "SignalsChanged",
            "?",
            "it changes the handlers of SIGINT, SIGTERM",
        ),
        (
            "import threading; threading.Thread(target=threading.Event().wait, name='poller').start()",
            "ThreadLeft",
            "?",
            "it leaves threads running: poller",
        ),
        (
            "import threading; threading.Thread(target=threading.Event().wait, name='poller', daemon=True).start()",
            "ThreadLeft",
            "?",
            "it leaves threads running: poller",
        ),
        (
            "import multiprocessing, time\n"
            "multiprocessing.get_context('fork').Process(target=time.sleep, args=[99], name='helper').start()",
            "ProcessLeft",
            "?",
            "it leaves processes running: helper",
        ),
        ("\nimport sys; sys.exit('good bye')", "SystemExit", "bad_games:2", "good bye"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", "bad_games:1", ""),
        ("\n\n1 / 0", "ZeroDivisionError", "bad_games:3", "division by zero"),
    ],
)
def test_pack_that_changes_its_process_is_left_out(
    site: Path, module: str, error: str, where: str, message: str
) -> None:
    (broken,) = load(site, f"{module}\n{GOOD}" if module.startswith("import") else module).broken
    assert (broken.pack, broken.distribution, broken.version) == ("bad", "bad-games", "1.0")
    assert (broken.error, broken.where, broken.message) == (error, where, message)


@pytest.mark.parametrize(
    ("module", "where", "message"),
    [
        ("\nwhile True:\n    pass", "bad_games.py:", "it was not loaded within 5 s"),
        (
            """
            import time
            from gamepacks.api import hookimpl
            @hookimpl
            def omnilude_games():
                time.sleep(99)
            """,
            "bad_games.py:6",
            "it was not loaded within 5 s",
        ),
        (
            "import atexit, threading; atexit.register(threading.Event().wait)\n" + GOOD,
            "threading.py:",
            "its process does not end",
        ),
    ],
)
def test_a_pack_that_hangs_is_left_out_after_a_time(site: Path, module: str, where: str, message: str) -> None:
    (broken,) = load(site, module, seconds=5).broken
    assert broken.error == "TimeoutError"
    assert broken.where.startswith(where)
    assert broken.message == message


def test_thread_that_ends_soon_is_allowed(site: Path) -> None:
    add(site, "acme-games", "acme", "acme_games", f"import threading; threading.Timer(0.1, print).start()\n{GOOD}")
    assert list(Registry.load(only=["acme"], probe_s=60, strict=True).games) == ["installed"]


def test_strict_loading_raises_at_what_the_probe_finds(site: Path) -> None:
    add(site, "bad-games", "bad", "bad_games", "import os; os._exit(3)")
    with pytest.raises(PackError, match=r"pack bad: ProcessEnded at \?: it ends its process, with status 3"):
        Registry.load(only=["bad"], probe_s=60, strict=True)


def test_packs_of_the_engine_and_objects_are_not_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would make each start slower."""
    probed: list[Any] = []
    monkeypatch.setattr(registries, "probe", lambda packs, seconds: probed.append((packs, seconds)) or {})
    from tests.support.games import sealed

    Registry.load(only=["ominoes", "omen"], extra=[sealed.PACK], probe_s=7)
    assert probed == [([], 7)]
