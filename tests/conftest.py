"""For all tests."""

from __future__ import annotations

import os
import signal

import pytest

# A shell that starts the tests in its background has them ignore Ctrl-C, and so would the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Services that tests start take a free port for HTTP too: the default one can be had once on a machine.
os.environ["OMNILUDE_HTTP__PORT"] = "0"

LONG = (
    "tests/olomoc/test_conformance.py",
    "tests/omega/test_conformance.py",
    "tests/engine/test_machine.py",
    "tests/web/",
    "tests/chaos/",
    "tests/cli/",
    "tests/api/test_example_packs.py",
    "tests/repository/",
    "tests/node/",
    "tests/arena/",
    "tests/kit/",
    "tests/rpc/",
    "tests/simulation/",
    "tests/client/",
    "tests/api/",
)
"""Files and folders whose tests take seconds each; the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first: of the files that run in parallel, those that start last should be short."""

    def rank(item: pytest.Item) -> int:
        return next((rank for rank, start in enumerate(LONG) if item.nodeid.startswith(start)), len(LONG))

    items.sort(key=rank)
