"""Fixtures of the tests of stores."""

from __future__ import annotations

from tests.support.postgres import database, postgres

__all__ = ["database", "postgres"]
