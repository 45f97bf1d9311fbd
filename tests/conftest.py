"""For all tests."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import Phase, settings

# To explain a failure, Hypothesis traces the lines that run. Python 3.11 has looped for ever in such a trace, after
# other tests in the same process, so that the failure was not reported.
settings.register_profile("without-traces", phases=[phase for phase in Phase if phase is not Phase.explain])
settings.load_profile("without-traces")

# A shell that starts the tests in its background has them ignore Ctrl-C, and so would the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Services that tests start take a free port for HTTP too: the default one can be had once on a machine.
os.environ["OMNILUDE_HTTP__PORT"] = "0"

LONG = (
    "tests/web/test_matches.py",
    "tests/cli/test_pack.py",
    "tests/olomoc/test_conformance.py",
    "tests/arena/",
    "tests/simulation/",
    "tests/api/test_example_packs.py",
    "tests/web/",
    "tests/engine/test_isolation.py",
    "tests/rpc/test_bad_input.py",
    "tests/replay/test_history.py",
    "tests/rpc/test_replicas.py",
    "tests/omega/test_conformance.py",
    "tests/rpc/test_on_postgres.py",
    "tests/repository/",
    "tests/node/",
    "tests/omen/test_conformance.py",
    "tests/rpc/test_metrics.py",
    "tests/chaos/",
    "tests/cext/geometry/test_shapely.py",
    "tests/rpc/test_play.py",
    "tests/store/",
    "tests/cli/",
    "tests/rpc/",
    "tests/engine/",
    "tests/olomoc/test_bot.py",
    "tests/client/",
    "tests/kit/",
    "tests/api/",
)
"""Files and folders whose tests take seconds each: those that wait for processes between those that compute."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first: of the files that run in parallel, those that start last should be short."""

    def rank(item: pytest.Item) -> int:
        return next((rank for rank, start in enumerate(LONG) if item.nodeid.startswith(start)), len(LONG))

    items.sort(key=rank)
