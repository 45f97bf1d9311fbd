"""A representative part of the tests of the service, with a PostgreSQL database in place of memory.

With ``OMNILUDE_TEST_STORE=postgres`` all tests whose servers name no store of their own run this way.
"""

from __future__ import annotations

import pytest

from tests.rpc.test_idempotency import *  # noqa: F403
from tests.rpc.test_two_worlds import *  # noqa: F403
from tests.support.postgres import PostgresServer, postgres

__all__ = ["postgres"]


@pytest.fixture(autouse=True)
def on_postgres(monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer) -> None:
    """Servers keep their matches in PostgreSQL."""
    monkeypatch.setenv("OMNILUDE_TEST_STORE", "postgres")
